"""Equations 1 to 6: the loss of a batch and its mean, the noise of the teacher, and the flow of small learning rates.

Averages over batches are sums over their joint outcomes, each with its chance. What is shown so holds for any two
networks and samples that depend on each other, as far as no rule says otherwise.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.language.sums import size
from derivations.models.committee.outcomes import *
from derivations.models.committee.population import CHANCES, SAMPLE, average, mean_gradient, over_batches
from derivations.models.committee import examples

PER_SAMPLE, PER_INPUT, _ = net.RECIPROCALS
AMONG = [coins(UNCORRELATED), coins(KNOWING)]

paper.states("mean_loss_is_the_error", ["Eq. 3, its mean", "Eq. 6"],
    "The mean loss of a batch is the generalisation error, half the mean squared error of one sample, for any size.",
    lambda: same(mean(HALF * per_sample * total(missed[o, s] ** 2, s)), HALF * mean_square, among=AMONG),
    given=[PER_SAMPLE], needs={"one_distribution": ONE_DISTRIBUTION})

noisy = HALF * (missed_signal[o, s] - sigma * noise[o, s]) ** 2
paper.states("noise_adds_half_its_variance", ["Eq. 6, with the noise of Eq. 1", "Eq. 1", "Eq. 2"],
    "For any student and teacher, with a noise whose square has mean 1 and whose product with what the student misses "
    "has mean zero, the generalisation error is that without noise plus sigma^2/2.",
    lambda: same(mean(noisy), HALF * (mean_signal_square + sigma**2), among=AMONG), given=[SIGNAL, UNIT_NOISE],
    needs={"noise_apart_from_the_signal": APART})

def square_of_batch_mean(of):
    return mean((per_sample * total(of, s)) ** 2)

paper.states("batch_averages_noise", "Section 2, batches reduce the noise, one noise for each sample",
    "With independent noises for its samples the batch mean of the noise has a square whose mean is 1/B.",
    lambda: same(square_of_batch_mean(noise[o, s]), per_sample, [PER_SAMPLE, INDEPENDENT], among=AMONG))
paper.states("batch_averages_shared_noise", "Section 2, batches reduce the noise, xi^u as printed",
    "With xi^u without a sample index, one noise for the batch, the square of its batch mean has mean 1/B.",
    lambda: same(square_of_batch_mean(shared_noise[o]), per_sample, [PER_SAMPLE, SHARED], among=AMONG),
    corrected_by="shared_noise_stays")
paper.states("shared_noise_stays", "Section 2, batches reduce the noise, xi^u as printed, corrected",
    "With one noise for the batch the square of the batch mean of the noise has mean 1 for any batch size.",
    lambda: same(square_of_batch_mean(shared_noise[o]), 1, [PER_SAMPLE, SHARED], among=AMONG))

def pairs(first, other):
    """The contribution of the noises of two samples to the term of Eq. 14 that is quadratic in the learning rate."""
    return weighed(total(mean(first * other) * vectors(s_other), s, s_other))

def vectors(other):
    return slope[i, s] * slope[j, other] * overlap(x[s, a], x[other, a])

def weighed(of):
    return eta**2 * per_input * per_sample**2 * sigma**2 * of

paper.states("noises_of_samples_do_not_meet", "Eq. 14, noise of different samples, one noise for each",
    "For given inputs and independent noises, their products leave sigma^2 |x_s|^2/N times the slopes alone.",
    lambda: same(pairs(noise[o, s], noise[o, s_other]), weighed(total(vectors(s), s)), [INDEPENDENT], among=AMONG))
paper.states("shared_noise_joins_samples", "Eq. 14, noise of different samples, xi^u as printed",
    "For given inputs and one noise for the batch, they leave sigma^2 x_s.x_s'/N times the slopes for all pairs.",
    lambda: same(pairs(shared_noise[o], shared_noise[o]), weighed(total(vectors(s_other), s, s_other)), [SHARED],
        among=AMONG))

def mean_step():
    """The mean change of a weight in one update, over batches."""
    return over_batches(net.step(i, a))

per_eta = Array("per_eta").value
FLOW = r"\frac{dW}{dt} = - %s\left\langle \frac{\partial \mathcal{L}^{u}}{\partial W} \right\rangle_{x,y},"
BY_THE_RATE = {"W": moving(W[i, a], lambda: per_eta * mean_step(), a)}
BY_INPUTS = {"W": moving(W[i, a], lambda: size(N) * mean_step(), a)}  # the clocks: an update lasts eta_W, or dt = 1/N
EQ_5_BY_INPUTS = paper.equation("Eq. 5, an update lasts 1/N, as in Eqs. 12, 15 and 20", FLOW % "", letters=BY_INPUTS)
of_one_sample = net.by_weight(HALF * net.error(SAMPLE) ** 2, i, a)
paper.states("mean_gradient_is_that_of_the_error: mean_loss_is_the_error", ["Eq. 5, gradient of the error", "Eq. 6"],
    "The mean gradient of the loss of a batch is the gradient of the generalisation error, for any batch size.",
    lambda: same(mean_gradient(i, a), average(of_one_sample, SAMPLE), [PER_SAMPLE]))
paper.equation("Eq. 5, an update lasts eta_W", FLOW % "", letters=BY_THE_RATE).states(
    "flow_in_time_of_the_rate: update_of_weights",
    "Where an update lasts eta_W, updates add -<dL/dW> on average per unit of time: the clock of Eq. 5 as printed.",
    given=[(per_eta * eta, 1)])
EQ_5_BY_INPUTS.states("printed_flow_in_time_of_inputs: update_of_weights",
    "Where an update lasts dt = 1/N, as in Eqs. 12, 15 and 20, updates add -<dL/dW> on average per unit of time.",
    corrected=FLOW % r"\eta_{W} N ", corrected_name="flow_in_time_of_inputs",
    because="Where an update lasts dt = 1/N, what updates add on average per unit of time is -eta_W N <dL/dW>.",
    given=[*net.RECIPROCALS, *CHANCES],
    among=[examples.data(samples=3, noise=noises) for noises in (("2", "-1/2"), ("2", "1"))])

correlation = average(net.error(SAMPLE) * slope[i, SAMPLE] * net.teacher_field(n, SAMPLE), SAMPLE)
paper.states("overlap_moves_by_the_printed_flow", "Eq. 12 from Eq. 5 as printed",
    "Eq. 12 is the flow of Eq. 5, as printed, multiplied by (W_n*)'/N.",
    lambda: same(overlap(EQ_5_BY_INPUTS.right, W_teacher[n, a]), eta * correlation, [*net.RECIPROCALS, *CHANCES],
        among=examples.data()), corrected_by="overlap_moves_with_rate_and_inputs")

@paper.claim("Eq. 12 from Eq. 5, corrected", rests_on="flow_in_time_of_inputs")
def overlap_moves_with_rate_and_inputs():
    """Eq. 5 as printed moves R_in at <Delta g'(lambda_i) rho_n>/N; with eta_W N it is Eq. 12, at every N."""
    moves = overlap(-1 * mean_gradient(i, a), W_teacher[n, a])
    yield same(moves, per_input * correlation, [PER_SAMPLE])
    yield same(eta * size(N) * moves, eta * correlation, [PER_SAMPLE, PER_INPUT])

UPDATES = Range("U")
u, v = UPDATES.index("u"), UPDATES.index("v")
fluctuation = Array("fluctuation", OUTCOMES, UPDATES)
variance, time = Array("variance").value, Array("time").value
# Every update draws its own batch, so that fluctuations of their gradients are not correlated.
FRESH = (mean(fluctuation[o, u] * fluctuation[o, v]), delta(u, v) * variance)
FEW_UPDATES = {"sizes": {"O": 4, "U": 3},
    "arrays": {
        "chance": ["1/4"] * 4, "fluctuation": [["3", "3", "3"], ["3", "-3", "-3"], ["-3", "3", "-3"], ["-3", "-3", "3"]],
        "variance": "9", "eta": "2/3", "time": "2"}}
rate, lasted, spread = reals("eta time variance > 0")
paper.states("fluctuations_vanish_with_the_rate", "Eq. 5, the average over data becomes an expectation",
    "A fixed time holds time/eta_W updates. Where gradients fluctuate around their mean with the variance V, not "
    "correlated between updates, eta_W times their sum has the mean square eta_W time V, which vanishes with eta_W.",
    lambda: [same(mean(total(eta * fluctuation[o, u], u) ** 2), eta * time * variance,
            [FRESH, (eta * size(UPDATES), time)], among=FEW_UPDATES), tends(rate * lasted * spread, [rate], 0)],
    quote="This converts the average over data in the loss function to an expectation over the data.")
