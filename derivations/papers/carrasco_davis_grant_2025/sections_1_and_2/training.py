"""Equations 1 to 6: the loss of a batch and its mean, the noise of the teacher, and the flow of small learning rates.

Averages over batches are sums over their joint outcomes, each with its chance. What is shown so holds for any two
networks and samples that depend on each other, as far as no rule says otherwise.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.sums import Array, Index, Range, Sums, delta, size, total
from derivations.models import committee as net
from derivations.models.committee import HALF, B, N, a, eta, i, j, n, per_input, per_sample, s, s_other, sigma, slope, x
from derivations.models.committee.population import CHANCES, SAMPLE, average, over_batches
from derivations.papers.carrasco_davis_grant_2025.setup import paper
from derivations.papers.carrasco_davis_grant_2025.source import examples
from derivations.prove import Certificate, Verdict

OUTCOMES = Range("O")
o = OUTCOMES.index("o")
chance = Array("chance", OUTCOMES)
missed = Array("missed", OUTCOMES, B)
"""The student's output minus the teacher's, noise and all."""
missed_signal = Array("missed_signal", OUTCOMES, B)
"""The student's output minus the teacher's without its noise."""
noise, shared_noise = Array("noise", OUTCOMES, B), Array("shared_noise", OUTCOMES)
"""A noise for each sample, and one for the whole batch, as xi^u is printed."""

mean_square, mean_signal_square = Array("mean_square").value, Array("mean_signal_square").value

PER_SAMPLE = (per_sample * size(B), 1)
CERTAIN = (total(chance[o], o), 1)
ALIKE = (total(chance[o] * missed[o, s] ** 2, o), mean_square)
"""The samples of a batch come from one distribution."""
SIGNAL = (total(chance[o] * missed_signal[o, s] ** 2, o), mean_signal_square)
UNIT_NOISE = (total(chance[o] * noise[o, s] ** 2, o), 1)
CENTRED = (total(chance[o] * noise[o, s], o), 0)
APART = (total(chance[o] * missed_signal[o, s] * noise[o, s], o), 0)
"""The noise of a sample has mean zero and nothing to do with what the student misses of the signal."""
INDEPENDENT = (total(chance[o] * noise[o, s] * noise[o, s_other], o), delta(s, s_other))
SHARED = (total(chance[o] * shared_noise[o] ** 2, o), 1)

COINS: dict[str, Any] = {
    "sizes": {"O": 4, "B": 3, "K": 2, "N": 2},
    "arrays": {
        "chance": ["1/4"] * 4,
        "noise": [["1", "1", "1"], ["1", "-1", "-1"], ["-1", "1", "-1"], ["-1", "-1", "1"]],
        "shared_noise": ["1", "1", "-1", "-1"],
        "missed": [["1", "2", "3"], ["2", "1", "4"], ["3", "4", "1"], ["4", "3", "2"]],
        "missed_signal": [["7", "7", "7"], ["1", "1", "7"], ["7", "1", "1"], ["1", "7", "1"]],
        "mean_square": "15/2", "mean_signal_square": "25", "sigma": "2", "per_sample": "1/3", "per_input": "1/2",
        "slope": [["2", "1", "5"], ["-1", "3", "1"]], "x": [["1", "2"], ["3", "-1"], ["2", "5"]],
        "eta": "3",
    },
}  # fmt: skip
"""Three samples whose noises are uncorrelated coins; the noise that the batch shares is one of them."""
KNOWING = COINS | {
    "arrays": COINS["arrays"] | {"noise": [["1", "1", "1"], ["-1", "-1", "1"], ["1", "-1", "-1"], ["-1", "1", "-1"]]}
}
"""Coins that fall up where the student misses much."""


def mean(of: Sums) -> Sums:
    return total(chance[o] * of, o)


# --- equations 3 and 6 ------------------------------------------------------------------------------------------------

batch_loss = HALF * per_sample * total(missed[o, s] ** 2, s)
"""Equation 3 in one outcome."""


@paper.claim(["Eq. 3, its mean", "Eq. 6"])
def mean_loss_is_the_error() -> Certificate:
    """The mean loss of a batch is the generalisation error, half the mean squared error of one sample, for any batch size: samples
    need one distribution, not independence, and a noise that the batch shares changes nothing."""
    return prove.sums(mean(batch_loss), HALF * mean_square, [PER_SAMPLE, ALIKE], [COINS])


@paper.claim(
    "Eq. 3, its mean, samples of different distributions",
    expect=Verdict.REFUTED,
    corrected_by="mean_loss_is_the_error",
)
def mean_loss_of_unlike_samples() -> Certificate:
    """Half the mean squared error of any one sample is the mean loss of the batch, even where samples come from different
    distributions."""
    return prove.sums(mean(batch_loss), mean(HALF * missed[o, s] ** 2), [PER_SAMPLE, CERTAIN], [COINS])


@paper.claim(["Eq. 6, with the noise of Eq. 1", "Eq. 1", "Eq. 2"])
def noise_adds_half_its_variance() -> Certificate:
    """For any student and teacher, with a noise whose square has mean 1 and whose product with what the student misses has mean zero,
    the generalisation error is that without noise plus sigma^2/2."""
    noisy = HALF * (missed_signal[o, s] - sigma * noise[o, s]) ** 2
    return prove.sums(mean(noisy), HALF * (mean_signal_square + sigma**2), [SIGNAL, UNIT_NOISE, APART], [COINS])


@paper.claim(
    "Eq. 6, with noise that is correlated with the signal",
    expect=Verdict.REFUTED,
    corrected_by="noise_adds_half_its_variance",
)
def correlated_noise_adds_half_its_variance() -> Certificate:
    """A noise of mean 0 and variance 1 adds sigma^2/2 to the generalisation error whatever it has to do with the signal."""
    noisy = HALF * (missed_signal[o, s] - sigma * noise[o, s]) ** 2
    return prove.sums(mean(noisy), HALF * (mean_signal_square + sigma**2), [SIGNAL, UNIT_NOISE, CENTRED], [KNOWING])


# --- one noise for a batch, or one for each sample ----------------------------------------------------------------------


def square_of_batch_mean(of: Any) -> Sums:
    return mean((per_sample * total(of, s)) ** 2)


@paper.claim("Section 2, batches reduce the noise, one noise for each sample")
def batch_averages_noise() -> Certificate:
    """With independent noises for its samples the batch mean of the noise has a square whose mean is 1/B."""
    return prove.sums(square_of_batch_mean(noise[o, s]), per_sample, [PER_SAMPLE, INDEPENDENT], [COINS])


@paper.claim(
    "Section 2, batches reduce the noise, xi^u as printed", expect=Verdict.REFUTED, corrected_by="shared_noise_stays"
)
def batch_averages_shared_noise() -> Certificate:
    """With xi^u without a sample index, one noise for the batch, the batch mean of the noise has a square whose mean is 1/B."""
    return prove.sums(square_of_batch_mean(shared_noise[o]), per_sample, [PER_SAMPLE, SHARED], [COINS])


@paper.claim("Section 2, batches reduce the noise, xi^u as printed, corrected")
def shared_noise_stays() -> Certificate:
    """With one noise for the batch the batch mean of the noise has a square whose mean is 1 for any batch size: larger batches do
    not reduce the noise of the teacher."""
    return prove.sums(square_of_batch_mean(shared_noise[o]), 1, [PER_SAMPLE, SHARED], [COINS])


def pairs(first: Sums, other: Sums) -> Sums:
    """What noises of two samples contribute to the term of eq. 14 that is quadratic in the learning rate."""
    vectors = slope[i, s] * slope[j, s_other] * per_input * total(x[s, a] * x[s_other, a], a)
    return eta**2 * per_input * per_sample**2 * sigma**2 * total(mean(first * other) * vectors, s, s_other)


same_samples = slope[i, s] * slope[j, s] * per_input * total(x[s, a] * x[s, a], a)
noise_of_same_samples = eta**2 * per_input * per_sample**2 * sigma**2 * total(same_samples, s)


@paper.claim("Eq. 14, noise of different samples, one noise for each")
def noises_of_samples_do_not_meet() -> Certificate:
    """For given inputs and independent noises, products of noises leave in the quadratic term pairs of a sample with itself alone:
    sigma^2 |x_s|^2/N times the slopes, which sigma^2 J_2 in Eq. 20 stands for."""
    return prove.sums(pairs(noise[o, s], noise[o, s_other]), noise_of_same_samples, [INDEPENDENT], [COINS])


@paper.claim(
    "Eq. 14, noise of different samples, xi^u as printed",
    expect=Verdict.REFUTED,
    corrected_by="shared_noise_joins_samples",
)
def shared_noise_does_not_join_samples() -> Certificate:
    """For given inputs and one noise for the batch, products of noises leave in the quadratic term pairs of a sample with itself
    alone."""
    return prove.sums(pairs(shared_noise[o], shared_noise[o]), noise_of_same_samples, [SHARED], [COINS])


@paper.claim("Eq. 14, noise of different samples, xi^u as printed, corrected")
def shared_noise_joins_samples() -> Certificate:
    """For given inputs and one noise for the batch, products of noises leave in the quadratic term all pairs of samples:
    sigma^2 x_s.x_s'/N times the slopes."""
    vectors = slope[i, s] * slope[j, s_other] * per_input * total(x[s, a] * x[s_other, a], a)
    all_samples = eta**2 * per_input * per_sample**2 * sigma**2 * total(vectors, s, s_other)
    return prove.sums(pairs(shared_noise[o], shared_noise[o]), all_samples, [SHARED], [COINS])


# --- equation 5: the flow, and its clock --------------------------------------------------------------------------------


def mean_gradient(unit: Index, place: Index) -> Sums:
    """<dL/dW>: what Eq. 5 puts a minus sign before, for one entry of the weights of Eq. 7."""
    return over_batches(net.by_weight(net.loss, unit, place))


def mean_step(unit: Index, place: Index) -> Sums:
    """What one update adds to a weight, on average over batches."""
    return over_batches(net.step(unit, place))


ON_DATA = [*net.RECIPROCALS, *CHANCES]
per_eta = Array("per_eta").value
PER_ETA = (per_eta * eta, 1)
"""1/eta."""


@paper.claim(["Eq. 5, gradient of the error", "Eq. 6"], rests_on=["mean_loss_is_the_error"])
def mean_gradient_is_that_of_the_error() -> Certificate:
    """The mean gradient of the loss of a batch is the gradient of the generalisation error, for any batch size."""
    of_one_sample = net.by_weight(HALF * net.error(SAMPLE) ** 2, i, a)
    return prove.sums(mean_gradient(i, a), average(of_one_sample, SAMPLE), [PER_SAMPLE])


EQ_5 = paper.printed(r"\frac{dW}{dt} = - \left\langle \frac{\partial \mathcal{L}^{u}}{\partial W} \right\rangle_{x,y},")


@paper.claim("Eq. 5, an update lasts eta_W", rests_on=["update_of_weights"], printed=EQ_5)
def flow_in_time_of_the_rate() -> Certificate:
    """Where an update lasts eta_W, what updates add on average per unit of time is -<dL/dW>, for every learning rate: Eq. 5 as
    printed has this clock."""
    return prove.sums(per_eta * mean_step(i, a), -1 * mean_gradient(i, a), [PER_ETA])


@paper.claim(
    "Eq. 5, an update lasts 1/N, as in Eqs. 12, 15 and 20",
    printed=EQ_5,
    expect=Verdict.REFUTED,
    corrected_by="flow_in_time_of_inputs",
)
def printed_flow_in_time_of_inputs() -> Certificate:
    """Where an update lasts dt = 1/N, the clock of Eqs. 12, 15 and 20, what updates add on average per unit of time is -<dL/dW>."""
    return prove.sums(size(N) * mean_step(i, a), -1 * mean_gradient(i, a), ON_DATA, [examples.data()])


@paper.claim("Eq. 5, an update lasts 1/N, as in Eqs. 12, 15 and 20, corrected", rests_on=["update_of_weights"])
def flow_in_time_of_inputs() -> Certificate:
    """Where an update lasts dt = 1/N, what updates add on average per unit of time is -eta_W N <dL/dW>."""
    return prove.sums(size(N) * mean_step(i, a), -1 * eta * size(N) * mean_gradient(i, a))


def overlap_rate(scale: Sums | int) -> Sums:
    """How R_in moves where W moves at -scale <dL/dW>: R_in is linear in W_i."""
    return per_input * total(-1 * scale * mean_gradient(i, a) * net.W_teacher[n, a], a)


correlation = average(net.error(SAMPLE) * slope[i, SAMPLE] * net.teacher_field(n, SAMPLE), SAMPLE)
"""<Delta g'(lambda_i) rho_n>."""

PER_INPUT = (per_input * size(N), 1)


@paper.claim("Eq. 12 from Eq. 5 as printed", expect=Verdict.REFUTED, corrected_by="overlap_moves_with_rate_and_inputs")
def overlap_moves_by_the_printed_flow() -> Certificate:
    """Eq. 12 is the flow of Eq. 5, as printed, multiplied by (W_n*)'/N."""
    return prove.sums(overlap_rate(1), eta * correlation, ON_DATA, [examples.data()])


@paper.claim("Eq. 12 from Eq. 5, corrected", rests_on=["flow_in_time_of_inputs"])
def overlap_moves_with_rate_and_inputs() -> Certificate:
    """The flow of Eq. 5 as printed moves R_in at <Delta g'(lambda_i) rho_n>/N; with eta_W N before the gradient it is Eq. 12, at
    every N."""
    return prove.every(
        prove.sums(overlap_rate(1), per_input * correlation, [PER_SAMPLE]),
        prove.sums(overlap_rate(eta * size(N)), eta * correlation, [PER_SAMPLE, PER_INPUT]),
    )


# --- equation 5: why an average stands there ----------------------------------------------------------------------------

UPDATES = Range("U")
u, v = UPDATES.index("u"), UPDATES.index("v")
fluctuation = Array("fluctuation", OUTCOMES, UPDATES)
variance, time = Array("variance").value, Array("time").value
FRESH = (total(chance[o] * fluctuation[o, u] * fluctuation[o, v], o), delta(u, v) * variance)
"""Every update draws its own batch, so that fluctuations of their gradients are not correlated."""
LASTING = (eta * size(UPDATES), time)

FEW_UPDATES: dict[str, Any] = {
    "sizes": {"O": 4, "U": 3},
    "arrays": {
        "chance": ["1/4"] * 4, "fluctuation": [["3", "3", "3"], ["3", "-3", "-3"], ["-3", "3", "-3"], ["-3", "-3", "3"]],
        "repeated_fluctuation": ["3", "3", "-3", "-3"], "variance": "9", "eta": "2/3", "time": "2",
    },
}  # fmt: skip


@paper.claim("Eq. 5, the average over data becomes an expectation")
def fluctuations_vanish_with_the_rate() -> Certificate:
    """A fixed time holds time/eta_W updates. Where gradients fluctuate around their mean with the variance V, not correlated between
    updates, eta_W times their sum has the mean square eta_W time V, which goes to zero with eta_W."""
    moved = mean(total(eta * fluctuation[o, u], u) ** 2)
    rate, lasted, spread = sp.symbols("eta time variance", positive=True)
    return prove.every(
        prove.sums(moved, eta * time * variance, [FRESH, LASTING], [FEW_UPDATES]),
        prove.limit(rate * lasted * spread, [rate], 0),
    )


@paper.claim(
    "Eq. 5, the average over data becomes an expectation, one batch again and again",
    expect=Verdict.REFUTED,
    corrected_by="fluctuations_vanish_with_the_rate",
)
def fluctuations_of_one_batch_vanish() -> Certificate:
    """eta_W times the sum has the same mean square where all updates see one batch, so that they fluctuate together."""
    repeated = Array("repeated_fluctuation", OUTCOMES)
    moved = mean(total(eta * repeated[o], u) ** 2)
    same = (total(chance[o] * repeated[o] ** 2, o), variance)
    return prove.sums(moved, eta * time * variance, [same, LASTING], [FEW_UPDATES])
