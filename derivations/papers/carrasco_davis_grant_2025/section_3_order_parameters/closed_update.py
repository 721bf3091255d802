"""Section 3: the mean update of the weights, which the text says has no closed form.

It is a sum of weights by Stein's lemma on the input itself, for any activation: its coefficients are averages of two
fields.
"""

from __future__ import annotations

from typing import Any

from derivations import prove
from derivations.language.sums import Array, Sums, delta, derivative, total
from derivations.models import committee as net
from derivations.models.committee import (
    B,
    K,
    M,
    W,
    W_teacher,
    a,
    g_student,
    g_teacher,
    i,
    k,
    m,
    n,
    per_input,
    root,
    s,
    slope,
)
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import SCALED, C
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source.vocabulary import overlap
from derivations.prove import Certificate, Verdict

slope_teacher, curvature, chance = Array("slope_teacher", M, B), Array("curvature", K, B), Array("chance", B)
"""chance is that of each sample: the average is over all inputs and noises, each a sample."""
FOUR_SAMPLES: dict[str, Any] = {
    "sizes": {"B": 4, "K": 2, "M": 2, "N": 2},
    "arrays": {
        "chance": ["1/6", "1/6", "1/3", "1/3"], "noise": ["1", "-1", "1", "-1"],
        "curvature": [["2", "2", "-3", "-3"], ["5", "5", "7", "7"]],
        "slope": [["1", "8", "4", "-5"], ["3", "-2", "2", "6"]], "slope_teacher": [["2", "3", "5", "-4"], ["1", "7", "-1", "2"]],
        "g_student": [["3", "5", "-1", "2"], ["6", "-4", "1", "8"]], "g_teacher": [["4", "-3", "2", "6"], ["-2", "1", "9", "5"]],
        "W": [["1", "-2"], ["3", "5"]], "W_teacher": [["2", "7"], ["-1", "4"]],
        "root_per_input": "1/3", "per_input": "1/9", "sigma": "5",
    },
}  # fmt: skip
"""Noise that averages to zero with every curvature, and other values at random: the identity needs no more."""


def averaged(of: Sums) -> Sums:
    return total(chance[s] * of, s)


def by_input(of: Sums) -> Sums:
    """The derivative by entry a of the input of sample s."""

    def moves(steepness: Array, weights: Array) -> Any:
        return lambda unit, at: steepness[unit, at] * root * weights[unit, a] * delta(at, s)

    return derivative(
        of, {g_student: moves(slope, W), g_teacher: moves(slope_teacher, W_teacher), slope: moves(curvature, W)}
    )


toward_teachers = total(averaged(slope[i, s] * slope_teacher[m, s]) * W_teacher[m, a], m)
toward_students = total(averaged(slope[i, s] * slope[k, s]) * W[k, a], k)
curved = total(averaged(curvature[i, s] * g_teacher[m, s]), m) - total(averaged(curvature[i, s] * g_student[k, s]), k)


@paper.claim(
    "Section 3, the expectation does not have a closed form solution, corrected", rests_on=["average_of_slopes"]
)
def mean_update_of_the_weights() -> Certificate:
    """With noise of mean 0 that is drawn apart from the input, the mean of Delta g'(lambda_i) x/sqrt(N) is, over N, the sum over teachers
    of J2(i, m) W*_m less that over students of J2(i, k) W_k plus <Delta g''(lambda_i)> W_i: closed where J2 and <g'' g> are, as they
    are for erf, for every number of inputs."""
    from_inputs = root * averaged(by_input(net.error(s) * slope[i, s]))
    combined = per_input * (toward_teachers - toward_students + curved * W[i, a])
    fair_noise = (total(chance[s] * net.noise[s] * curvature[i, s], s), 0)
    return prove.chain(
        "Stein's lemma on the entries of x, which are independent with variance one",
        "Stein",
        equation=prove.sums(from_inputs, combined, [(root * root, per_input), fair_noise], [FOUR_SAMPLES]),
    )


@paper.sentence(
    "Section 3, the expectation does not have a closed form solution",
    "the expectation induced in the right hand side does not have a closed form solution",
).claim(expect=Verdict.REFUTED, corrected_by="mean_update_of_the_weights")
def mean_update_has_no_closed_form() -> Certificate:
    """The average of the update of the weights has no closed form."""
    return prove.denied(mean_update_of_the_weights())


J_teacher, J_student = Array("J_teacher", K, M), Array("J_student", K, K)
bent_teacher, bent_student = Array("bent_teacher", K, M), Array("bent_student", K, K)
"""J2 of a student and another field, and <g''(lambda_i) g> of them."""


@paper.claim(
    "Section 3, the expectation has a solution in terms of the order parameters",
    rests_on=["mean_update_of_the_weights"],
)
def mean_update_gives_overlaps() -> Certificate:
    """The overlap of that mean update with a teacher is equation 20 for R: a sum of I3(i, n, f) = <g''(lambda_i) g(f)> R_in +
    J2(i, f) C_fn over teachers less that over students, whose closed form is this for erf(x/sqrt 2)."""
    bent = total(bent_teacher[i, m], m) - total(bent_student[i, k], k)
    update = total(J_teacher[i, m] * W_teacher[m, a], m) - total(J_student[i, k] * W[k, a], k) + bent * W[i, a]
    share = overlap(W[i, a], W_teacher[n, a])
    by_teachers = bent_teacher[i, m] * share + J_teacher[i, m] * overlap(W_teacher[m, a], W_teacher[n, a])
    by_students = bent_student[i, k] * share + J_student[i, k] * overlap(W[k, a], W_teacher[n, a])
    in_fields = SCALED.curvature_value(C, 0, 2) * C[0, 1] + SCALED.slopes(C, 0, 2) * C[1, 2]
    return prove.every(
        prove.sums(overlap(update, W_teacher[n, a]), total(by_teachers, m) - total(by_students, k)),
        prove.identity(SCALED.slope_linear_value(C, 0, 1, 2), in_fields),
    )
