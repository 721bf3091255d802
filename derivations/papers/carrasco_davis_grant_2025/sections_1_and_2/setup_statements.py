"""Section 2, the teacher-student setup: what batches do, what small rates give, what fixes the state, and what the results take."""

from __future__ import annotations

from itertools import product
from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.sums import Array, Sums, delta, total
from derivations.language.words import Letter, identity
from derivations.models.committee import RECIPROCALS, N, a, b, i, per_input, per_sample, s, s_other, student_field
from derivations.models.committee import W as W_student
from derivations.models.committee.population import average, chance, p, x
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import SCALED
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.flow import teacher_overlap_rate
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source import examples
from derivations.prove import Certificate, Verdict

# --- the batch --------------------------------------------------------------------------------------------------------

rate, batch, noise = sp.symbols("rate batch noise", positive=True)  # eta, B, sigma^2
STUDENT, TEACHER = 0, 1
RIGHT_ANGLE = sp.eye(2)
"""One student and one teacher of length one at a right angle: Q = T = 1, R = 0."""
SIGNS = {STUDENT: -1, TEACHER: 1}


def fields(*chosen: int) -> Any:
    """The covariance of these fields, which may be named twice."""
    return RIGHT_ANGLE.extract(list(chosen), list(chosen))


def own_rate(of_batch: Any) -> Any:
    """dQ/dt there, in batches of that size."""
    drift = sum(sign * SCALED.slope_linear_value(fields(STUDENT, STUDENT, f), 0, 1, 2) for f, sign in SIGNS.items())
    pushed = sum(
        SIGNS[f] * SIGNS[h] * SCALED.slopes_values(fields(STUDENT, STUDENT, f, h), 0, 1, 2, 3)
        for f in SIGNS
        for h in SIGNS
    )
    by_noise = noise * SCALED.slopes(fields(STUDENT, STUDENT), 0, 1)
    return 2 * rate * drift + rate**2 / of_batch * (pushed + by_noise)


@paper.claim(
    "Section 2, the batch size has no effect on the dynamics, whatever its noise",
    expect=Verdict.REFUTED,
    corrected_by="batch_enters_with_the_square_of_the_rate",
    rests_on=["average_of_slopes_and_values"],
)
def batch_does_not_matter() -> Certificate:
    """The mean dynamics does not depend on the batch, whatever its noise: for one student and one teacher of length one at a right angle, without noise,
    dQ/dt is the same for batches of one and of two samples."""
    return prove.identity(own_rate(1).subs(noise, 0), own_rate(2).subs(noise, 0))


@paper.claim(
    "Section 2, the batch size has no effect on the dynamics, whatever its noise, corrected",
    rests_on=["average_of_slopes_and_values"],
)
def batch_enters_with_the_square_of_the_rate() -> Certificate:
    """At that state and without noise, a batch of B changes dQ/dt by eta^2 (1/B - 1) (4/pi^2)(asin(1/4) + asin(1/2))/sqrt(3) from that
    of one sample; over eta, dQ/dt forgets the batch as eta goes to zero."""
    quadratic = 4 / sp.pi**2 / sp.sqrt(3) * (sp.asin(sp.Rational(1, 4)) + sp.asin(sp.Rational(1, 2)))
    noiseless = own_rate(batch).subs(noise, 0)
    return prove.every(
        prove.identity(noiseless - noiseless.subs(batch, 1), rate**2 * (1 / batch - 1) * quadratic),
        prove.limit(own_rate(batch) / rate, [rate], sp.diff(own_rate(1), rate).subs(rate, 0)),
    )


mean, variance = Array("mean").value, Array("variance").value


@paper.claim("Section 2, batches reduce the noise in the gradient estimate")
def batches_divide_the_variance() -> Certificate:
    """The mean of a quantity over a batch of independent samples has its variance over B: two samples have the product mean^2, one with
    itself that and the variance."""
    products = mean**2 + delta(s, s_other) * variance
    spread = per_sample**2 * total(products, s, s_other) - mean**2
    return prove.sums(spread, per_sample * variance, RECIPROCALS[:1])


common = Array("common").value
"""The covariance of different samples."""


def correlated_spread() -> Sums:
    products = mean**2 + common + delta(s, s_other) * (variance - common)
    return per_sample**2 * total(products, s, s_other) - mean**2


CORRELATED: dict[str, Any] = {
    "sizes": {"B": 2},
    "arrays": {"mean": "1", "common": "1", "variance": "3", "per_sample": "1/2"},
}
"""Two samples whose covariance is less than their variance."""


@paper.claim(
    "Section 2, batches reduce the noise in the gradient estimate, correlated samples",
    expect=Verdict.REFUTED,
    corrected_by="batches_keep_a_common_covariance",
)
def batches_of_any_samples_divide_the_variance() -> Certificate:
    """That takes no independence: where different samples have a covariance, the variance is divided by B as well."""
    return prove.sums(correlated_spread(), per_sample * variance, RECIPROCALS[:1], [CORRELATED])


@paper.claim("Section 2, batches reduce the noise in the gradient estimate, correlated samples, corrected")
def batches_keep_a_common_covariance() -> Certificate:
    """Of samples with a common covariance, the batch divides by B only what the variance has more than that; the covariance itself
    stays."""
    return prove.sums(correlated_spread(), common + per_sample * (variance - common), RECIPROCALS[:1])


# --- a small learning rate --------------------------------------------------------------------------------------------

time, small = sp.symbols("time small", positive=True)
spread = sp.Symbol("spread", positive=True)  # the variance of a gradient of one sample
UPDATES = time / rate
"""Of gradient flow, whose time moves by eta in one update."""


@paper.claim("Section 2, the amount of data becomes virtually infinite", rests_on=["fluctuations_vanish_with_the_rate"])
def data_grow_as_the_rate_vanishes() -> Certificate:
    """Gradient flow up to the time t takes t/eta updates and sees B t/eta samples, which grow without bound as eta goes to zero: their
    reciprocal goes to zero, in proportion to eta."""
    unseen = 1 / (batch * UPDATES)
    return prove.every(prove.limit(unseen, [rate], 0), prove.limit(unseen / rate, [rate], 1 / (batch * time)))


@paper.claim(
    "Beyond: averages at rates that are not small",
    expect=Verdict.REFUTED,
    corrected_by="data_grow_with_the_dimension",
)
def averages_take_small_rates() -> Certificate:
    """Only a small learning rate turns sums over samples into averages."""
    return prove.contrary("at any learning rate the limit of large N does, too", data_grow_with_the_dimension())


@paper.claim("Beyond: averages at rates that are not small, corrected")
def data_grow_with_the_dimension() -> Certificate:
    """With the time u/N of equation 12, t takes t N updates and B N t samples; the variance of a sum of so many independent steps of
    eta/N goes to zero as N grows, for any learning rate and batch."""
    inputs = 1 / small
    updates = time * inputs
    return prove.every(
        prove.limit(1 / (batch * updates), [small], 0),
        prove.limit(updates * (rate / inputs) ** 2 * spread / batch, [small], 0),
    )


# --- the state --------------------------------------------------------------------------------------------------------

W, W_teacher, turn = Letter("W", "K", "N"), Letter("W_teacher", "M", "N"), Letter("turn", "N", "N")
MIRROR: dict[str, Any] = {
    "dims": {"K": 1, "M": 1, "N": 2},
    "matrices": {"W": [["1", "2"]], "W_teacher": [["3", "0"]], "turn": [["1", "0"], ["0", "-1"]]},
}
"""A mirror through the teacher."""
AROUND_TEACHERS = [(turn @ turn.T, identity("N")), (turn.T @ turn, identity("N")), (W_teacher @ turn, W_teacher)]


@paper.claim(
    "Section 2, the order parameters fully define the state, the weights included",
    expect=Verdict.REFUTED,
    corrected_by="turns_keep_the_order_parameters",
)
def order_parameters_fix_the_weights() -> Certificate:
    """The order parameters define the weights: students turned around the teachers, which have the same Q and R, are the same
    students."""
    return prove.words(W @ turn, W, AROUND_TEACHERS, [MIRROR])


@paper.claim("Section 2, the order parameters fully define the state, the weights included, corrected")
def turns_keep_the_order_parameters() -> Certificate:
    """An orthogonal map of the inputs that leaves the teachers where they are keeps Q and R for every number of inputs."""
    turned = W @ turn
    return prove.every(
        prove.words(turned @ turned.T, W @ W.T, AROUND_TEACHERS, [MIRROR]),
        prove.words(turned @ W_teacher.T, W @ W_teacher.T, AROUND_TEACHERS, [MIRROR]),
    )


# --- what the results take --------------------------------------------------------------------------------------------------


@paper.claim(
    "Section 1, the results require the input dimension to be large",
    expect=Verdict.REFUTED,
    corrected_by="teacher_overlap_rate",
)
def every_result_takes_large_dimensions() -> Certificate:
    """Every result takes the limit of large N, the mean update of R included."""
    return prove.contrary("equation 12 is the mean update of R at every N", teacher_overlap_rate())


student, teacher = sp.symbols("student teacher", positive=True)


def value(field: Any) -> Any:
    """g(x) = erf(x/sqrt 2)."""
    return sp.erf(field / sp.sqrt(2))


def over_two_points(of: Any) -> Any:
    """The average over x = 1 and x = -1, whose mean is zero and whose variance is one."""
    return (of(1) + of(-1)) / 2


def both_values(at: int) -> Any:
    return value(student * at) * value(teacher * at)


@paper.claim(
    "Section 1, in particular that it is Gaussian",
    expect=Verdict.REFUTED,
    corrected_by="average_over_two_points",
    rests_on=["average_of_values"],
)
def second_moments_suffice() -> Certificate:
    """Inputs need not be Gaussian for the average of two values of erf(x/sqrt 2): with one input x = 1 or x = -1 and both weights
    one it is that of equation 18."""
    at_one = over_two_points(both_values).subs({student: 1, teacher: 1})
    return prove.identity(at_one, SCALED.values(sp.ones(2, 2), 0, 1))


@paper.claim("Section 1, in particular that it is Gaussian, corrected")
def average_over_two_points() -> Certificate:
    """With one input x = 1 or x = -1 the average of two odd values is their product at x = 1; that of two lines is the covariance of
    the fields, as for Gaussian inputs: linear networks take no more than second moments."""
    return prove.every(
        prove.identity(over_two_points(both_values), value(student) * value(teacher)),
        prove.identity(over_two_points(lambda at: student * teacher * at**2), student * teacher),
    )


few, length = sp.symbols("few length", positive=True)
"""few is 1/N."""
overlap = per_input * total(W_student[i, a] ** 2, a)
fourth_powers = per_input**2 * total(W_student[i, a] ** 4, a)
c, d = N.index("c"), N.index("d")
pairings = delta(a, b) * delta(c, d) + delta(a, c) * delta(b, d) + delta(a, d) * delta(b, c)
COIN_MOMENTS = (
    total(chance[p] * x[p, a] * x[p, b] * x[p, c] * x[p, d], p),
    pairings - 2 * delta(a, b) * delta(a, c) * delta(a, d),
)
"""The fourth moments of independent inputs that are 1 or -1."""
GAUSSIAN_MOMENTS = (COIN_MOMENTS[0], pairings)
"""Those of x ~ N(0, I)."""
OF_COINS = [COIN_MOMENTS, RECIPROCALS[2]]
COINS = [examples.data(tuple(product((1, -1), repeat=4)))]
fourth_moment = average(student_field(i, s) ** 4, s)


@paper.claim("Section 1, in particular that it is Gaussian, many inputs")
def fields_of_coins_approach_gaussian_ones() -> Certificate:
    """With N independent inputs that are 1 or -1, <lambda^4> is 3 Q^2 less 2/N^2 times the sum of the fourth powers of the weights; where
    these all have one size it tends to 3 Q^2 as N grows, which is what x ~ N(0, I) gives at every N."""
    return prove.every(
        prove.sums(fourth_moment, 3 * overlap**2 - 2 * fourth_powers, OF_COINS, COINS),
        prove.limit(3 * length**4 - 2 * few * length**4, [few], 3 * length**4),
        prove.sums(fourth_moment, 3 * overlap**2, [GAUSSIAN_MOMENTS, RECIPROCALS[2]], [examples.two_shells()]),
    )


@paper.claim(
    "Section 1, in particular that it is Gaussian, few inputs",
    expect=Verdict.REFUTED,
    corrected_by="fields_of_coins_approach_gaussian_ones",
)
def fields_of_coins_are_gaussian() -> Certificate:
    """With such inputs <lambda^4> is 3 Q^2 at every N."""
    return prove.sums(fourth_moment, 3 * overlap**2, OF_COINS, COINS)


@paper.claim(
    "Section 1, in particular that it is Gaussian, many inputs and unequal weights",
    expect=Verdict.REFUTED,
    corrected_by="fields_of_coins_approach_gaussian_ones",
)
def one_large_weight_hides_the_others() -> Certificate:
    """Whatever the weights, <lambda^4> tends to 3 Q^2 with such inputs: for a student that sees one input alone, with the square N of
    its weight, so that Q is one and the fourth power is N^2."""
    square = 1 / few
    return prove.limit(3 * (few * square) ** 2 - 2 * few**2 * square**2, [few], 3)
