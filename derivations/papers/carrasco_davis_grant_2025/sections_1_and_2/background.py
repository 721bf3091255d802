"""Sections 1 and 2: when the dynamics is nonlinear, when modes are learned, which weights train lazily; then what
batches do, what small rates give, what fixes the state, and what the results take.

Numbers of sections follow the headings: 1 is the background, 2 the teacher-student setup, 3 the soft committee machine.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.models.two_layer_linear import W1, W2, Sigma_xx, Sigma_yx, flow_by_correlations
from itertools import product
from derivations.models.committee import W as W_student
from derivations.models.committee.population import FOURTH_MOMENTS, average, c, d
from derivations.models.committee import examples

other_W1 = letters("other_W1: N_h x N_i")
w1, w2 = reals("w1 w2 > 0")

def first_rate(first, second):
    """dW1/dt of the mean squared error of the linear network second @ first."""
    return substitute(flow_by_correlations[W1], {W1: first, W2: second})

def second_rate(first, second):
    return substitute(flow_by_correlations[W2], {W1: first, W2: second})

paper.states("flow_of_two_layers_is_nonlinear",
    "Section 1, nonlinear even when the activation function is linear, both layers trained",
    "Where both layers of a linear network are trained, twice the weights do not move at twice the rate: the excess "
    "is -6 W2'W2 W1 Sigma_xx and -6 W2 W1 Sigma_xx W1', which is negative for one positive weight in each layer.",
    lambda: [same(first_rate(*(2 * W1, 2 * W2)) - 2 * first_rate(W1, W2), -6 * (W2.T @ W2 @ W1 @ Sigma_xx)),
        same(second_rate(*(2 * W1, 2 * W2)) - 2 * second_rate(W1, W2), -6 * (W2 @ W1 @ Sigma_xx @ W1.T)),
        positive(6 * w2**2 * w1)],
    quote="In neural networks with at least one hidden layer, these dynamics are *nonlinear* even when the activation function is linear")
paper.states("flow_of_one_layer_is_affine",
    "Section 1, nonlinear even when the activation function is linear, one layer trained",
    "Where only the first layer of a linear network is trained, the rates of two sets of weights add up to that of "
    "their sum and that of zero weights: the dynamics is linear up to a constant.",
    lambda: same(first_rate(W1, W2) + first_rate(other_W1, W2), first_rate(W1 + other_W1, W2) + W2.T @ Sigma_yx))

strength, excess, mode, t = reals("strength excess > 0, mode t")
@paper.claim("Section 1, different hierarchical features emerge at different timescales")
def modes_are_learned_at_their_own_times():
    """A mode of strength s, with equal weights w in both layers and the loss (s - w^2)^2/2, moves at 2 w^2 (s - w^2).
    From w^2 = s/(1 + c) it has learned half of s at ln(c)/(2 s), a time in inverse proportion to s."""
    grown = reals("grown > 0")
    learned_part = strength * grown / (grown + excess)
    in_time = learned_part.subs(grown, exp(2 * strength * t))
    weight = reals("weight > 0")
    loss = (strength - w1 * w2) ** 2 / 2
    moves = -sum(Derivative(w1 * w2, w) * Derivative(loss, w) for w in (w1, w2))
    yield same(put(moves, {w1: weight, w2: weight}), put(2 * mode * (strength - mode), {mode: weight**2}))
    yield solves({mode: 2 * mode * (strength - mode)}, {mode: in_time}, {mode: strength / (1 + excess)}, t)
    yield same(put(2 * strength * t, {t: log(excess) / (2 * strength)}), log(excess))
    yield same(put(learned_part, {grown: excess}), strength / 2)

start, learned, begun = reals("start learned begun > 0")
one, other = reals("one other > 0")  # the proportions of the two weights of a start

def input_square(imbalance, end):
    """w1^2 where w1 w2 has reached its end, as w1^2 - w2^2 stays what it was."""
    return (imbalance + sqrt(imbalance**2 + 4 * end**2)) / 2

def kernel_at_end(imbalance, end):
    """w1^2 + w2^2 there."""
    return sqrt(imbalance**2 + 4 * end**2)

@paper.claim("Section 1, dynamics characterised by the neural tangent kernel")
def kernel_moves_the_output():
    """With one weight in each layer and the loss (s - w1 w2)^2/2, the output moves at (w1^2 + w2^2)(s - w1 w2), its kernel times the
    error; w1^2 - w2^2 stays, and where w1 w2 = s it makes the kernel sqrt((w1^2 - w2^2)^2 + 4 s^2)."""
    error = learned - w1 * w2
    rates = {w1: w2 * error, w2: w1 * error}

    def rate(of):
        return sum(Derivative(of, w) * moves for w, moves in rates.items())

    yield same(rate(w1 * w2), (w1**2 + w2**2) * error)
    yield same(rate(w1**2 - w2**2), 0)
    yield same(kernel_at_end(w1**2 - w2**2, w1 * w2), w1**2 + w2**2)
    yield same(input_square(w1**2 - w2**2, w1 * w2), w1**2)

SMALL_IMBALANCE = start**2 * (one**2 - other**2)
end = input_square(SMALL_IMBALANCE, learned)
paper.states("small_weights_are_not_lazy: kernel_moves_the_output",
    "Section 1, lazy training from small weights, one unit, corrected",
    "Where w1 and w2 of one unit go to zero in fixed proportions and learn s, both end at sqrt(s), so that each moves "
    "by ever more multiples of its start; the kernel ends at 2 s, and that of the start goes to zero.",
    lambda: [tends(end, [start], learned), tends(end - SMALL_IMBALANCE, [start], learned),
        tends((one * start) ** 2 / end, [start], 0),
        tends(kernel_at_end(SMALL_IMBALANCE, learned), [start], 2 * learned),
        tends(start**2 * (one**2 + other**2), [start], 0)])
paper.states("small_weights_keep_their_kernel", "Section 1, lazy training from small weights, one unit",
    "Where w1 = w2 = a of one unit learn s, the kernel at the start over that in the end, 2 a^2/(2 s), goes to one.",
    lambda: tends(2 * start**2 / (2 * learned), [start], 1), corrected_by="small_weights_are_not_lazy")

small, up, down = reals("small up down > 0")  # small is the start n^(-1/4) of all weights of n units
@paper.claim("Section 1, lazy training from small weights, many units")
def small_weights_of_many_units_are_lazy():
    """Half of n units start at weights n^(-1/4) in both layers, the other half at n^(-1/4) and -n^(-1/4). As n grows
    all weights go to zero, and where they have learned s, each weight and the kernel changed by a vanishing part."""
    units = small**-4
    output, kernel = units * (up**2 - down**2) / 2, units * (up**2 + down**2)
    error = learned - output
    root = sqrt(1 + learned**2 * small**4)
    end_up, end_down = small**2 * (root + learned * small**2), small**2 * (root - learned * small**2)

    def rate(of):
        return Derivative(of, up) * up * error - Derivative(of, down) * down * error

    yield same(rate(output), kernel * error)
    yield same(rate(up * down), 0)
    yield same(end_up * end_down, small**4)
    yield same(units * (end_up - end_down) / 2, learned)
    yield tends(end_up / small**2, [small], 1)
    yield tends(end_down / small**2, [small], 1)
    yield same(units * (end_up + end_down), root * kernel.subs({up: small, down: small}))
    yield tends(root, [small], 1)

imbalance = start**2 - (begun / start) ** 2
first_square, kernel = input_square(imbalance, learned), kernel_at_end(imbalance, learned)
paper.states("large_unbalanced_weights_are_lazy: kernel_moves_the_output",
    "Section 1, lazy training from large weights, unbalanced",
    "From w1 = a, w2 = f/a, f > 0, to s > 0 both weights and the kernel change by a vanishing part of the largest.",
    lambda: [tends(first_square / start**2, {start: oo}, 1),
        tends((first_square - imbalance) / start**2, {start: oo}, 0),
        tends(kernel / (start**2 + (begun / start) ** 2), {start: oo}, 1)])

moved = sqrt(start**2 + learned) - start
paper.states("large_centred_weights_are_lazy",
    "Section 1, lazy training from large weights, output at the start subtracted",
    "From w1 = w2 = a, trained until w1 w2 - a^2 = s > 0, weights move by sqrt(a^2 + s) - a, as a grows by s/(2 a).",
    lambda: [tends(moved, {start: oo}, 0), tends(start * moved, {start: oo}, learned / 2)])

# === Section 2, the teacher-student setup ===
rate, batch = reals("rate batch > 0")  # eta, B
mean, variance = Array("mean").value, Array("variance").value
common = Array("common").value  # the covariance of different samples
# Two samples whose covariance is less than their variance.
CORRELATED = {"sizes": {"B": 2}, "arrays": {"mean": "1", "common": "1", "variance": "3", "per_sample": "1/2"}}
paper.states("batches_divide_the_variance", "Section 2, batches reduce the noise in the gradient estimate",
    "A batch mean has the variance over B, if two samples have the product mean^2, and one alone the variance more.",
    lambda: same(spread_of_mean(), per_sample * variance, among=CORRELATED), given=RECIPROCALS[:1],
    needs={"uncorrelated_samples": (common, 0)})

def spread_of_mean():
    products = mean**2 + common + delta(s, s_other) * (variance - common)
    return per_sample**2 * total(products, s, s_other) - mean**2

paper.states("batches_keep_a_common_covariance",
    "Section 2, batches reduce the noise in the gradient estimate, correlated samples",
    "The batch divides by B only what the variance of samples has more than their common covariance.",
    lambda: same(spread_of_mean(), common + per_sample * (variance - common), RECIPROCALS[:1]))

time = reals("time > 0")
spread = reals("spread > 0")  # the variance of a gradient of one sample
UPDATES = time / rate  # of gradient flow, whose time moves by eta in one update
@paper.claim("Section 2, the amount of data becomes virtually infinite",
    quote="as the learning rate gets smaller, the amount of data observed by the network increases, becoming virtually infinite when the "
    "learning rate is zero", rests_on="fluctuations_vanish_with_the_rate")
def data_grow_as_the_rate_vanishes():
    """Gradient flow up to t takes t/eta updates and sees B t/eta samples: their reciprocal goes to zero as eta does."""
    unseen = 1 / (batch * UPDATES)
    yield tends(unseen, [rate], 0)
    yield tends(unseen / rate, [rate], 1 / (batch * time))

paper.states("data_grow_with_the_dimension", "Beyond: averages at rates that are not small",
    "With the time u/N of equation 12, t takes t N updates and B N t samples; t N times the variance V eta^2/(N^2 B) "
    "of a step goes to zero as N grows, for any learning rate and batch.",
    lambda: [tends(1 / (batch * (time * (1 / small))), [small], 0),
        tends((time * (1 / small)) * (rate / (1 / small)) ** 2 * spread / batch, [small], 0)])

W, W_teacher, turn = letters("W: K x N, W_teacher: M x N, turn: N x N")
MIRROR = instance("K=1 M=1 N=2", W="1 2", W_teacher="3 0", turn="1 0; 0 -1")  # a mirror through the teacher
AROUND_TEACHERS = [(turn @ turn.T, identity("N")), (turn.T @ turn, identity("N")), (W_teacher @ turn, W_teacher)]
turned = W @ turn
paper.states("turns_keep_the_order_parameters: law_of_the_coordinates",
    "Section 2, the order parameters fully define the state",
    "An orthogonal map of the inputs that leaves the teachers keeps Q and R for every number of inputs.",
    lambda: [same(turned @ turned.T, W @ W.T), same(turned @ W_teacher.T, W @ W_teacher.T)],
    quote="the **order parameters**, which fully define the state of the system at each time step",
    given=AROUND_TEACHERS, among=MIRROR)

student, teacher = reals("student teacher > 0")

def value(field):
    """g(x) = erf(x/sqrt 2)."""
    return erf(field / sqrt(2))

point = reals("x")

def over_two_points(of):
    """The average over x = 1 and x = -1, of mean zero and variance one; an odd value is x times that at 1."""
    return (put(of, {point: 1}) + put(of, {point: -1})) / 2

paper.states("average_over_two_points", "Section 1, in particular that it is Gaussian",
    "With one input x = 1 or x = -1 the average of two odd values is their product at x = 1, and of lines the "
    "covariance.",
    lambda: [same(over_two_points(value(student) * point * value(teacher) * point), value(student) * value(teacher)),
        same(over_two_points(student * teacher * point**2), student * teacher)],
    quote="These analyses requires specific assumptions about the data distribution—in particular, that it is "
    "Gaussian—and the results require the input dimension to be large to enable solvability.")

few, length = reals("few length > 0")  # few is 1/N
overlap = per_input * total(W_student[i, a] ** 2, a)
fourth_powers = per_input**2 * total(W_student[i, a] ** 4, a)
# The fourth moments of independent inputs that are 1 or -1.
COIN_MOMENTS = (FOURTH_MOMENTS[0], FOURTH_MOMENTS[1] - 2 * delta(a, b) * delta(a, c) * delta(a, d))
COINS = [examples.data(tuple(product((1, -1), repeat=4)))]
fourth_moment = average(student_field(i, s) ** 4, s)
paper.states("fields_of_coins_approach_gaussian_ones", "Section 1, in particular that it is Gaussian, many inputs",
    "With N independent inputs that are 1 or -1, <lambda^4> is 3 Q^2 less 2/N^2 times the sum of the fourth powers of "
    "the weights; if these have one size it tends to 3 Q^2 as N grows, which x ~ N(0, I) gives at every N.",
    lambda: [same(fourth_moment, 3 * overlap**2 - 2 * fourth_powers, [COIN_MOMENTS, RECIPROCALS[2]], among=COINS),
        tends(3 * length**4 - 2 * few * length**4, [few], 3 * length**4),
        same(fourth_moment, 3 * overlap**2, [FOURTH_MOMENTS, RECIPROCALS[2]], among=examples.two_shells())])
