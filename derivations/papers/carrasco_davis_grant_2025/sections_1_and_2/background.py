"""Section 1, the background: when the dynamics is nonlinear, when modes are learned, and which weights train lazily.

Numbers of sections follow the headings: 1 is the background, 2 the teacher-student setup, 3 the soft committee machine.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from derivations.models.two_layer_linear import W1, W2, Sigma_xx, Sigma_yx, flow_by_correlations

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
paper.states("small_weights_are_not_lazy", "Section 1, lazy training from small weights, one unit, corrected",
    "Where w1 and w2 of one unit go to zero in fixed proportions and learn s, both end at sqrt(s), so that each moves "
    "by ever more multiples of its start; the kernel ends at 2 s, and that of the start goes to zero.",
    lambda: [tends(end, [start], learned), tends(end - SMALL_IMBALANCE, [start], learned),
        tends((one * start) ** 2 / end, [start], 0),
        tends(kernel_at_end(SMALL_IMBALANCE, learned), [start], 2 * learned),
        tends(start**2 * (one**2 + other**2), [start], 0)], rests_on="kernel_moves_the_output")
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

@paper.claim("Section 1, lazy training from large weights, unbalanced", rests_on="kernel_moves_the_output")
def large_unbalanced_weights_are_lazy():
    """From w1 = a, w2 = f/a, f > 0, to s > 0 both weights and the kernel change by a vanishing part of the largest."""
    imbalance = start**2 - (begun / start) ** 2
    first_square, kernel = input_square(imbalance, learned), kernel_at_end(imbalance, learned)
    yield tends(first_square / start**2, {start: oo}, 1)
    yield tends((first_square - imbalance) / start**2, {start: oo}, 0)
    yield tends(kernel / (start**2 + (begun / start) ** 2), {start: oo}, 1)

moved = sqrt(start**2 + learned) - start
paper.states("large_centred_weights_are_lazy",
    "Section 1, lazy training from large weights, output at the start subtracted",
    "From w1 = w2 = a, trained until w1 w2 - a^2 = s > 0, weights move by sqrt(a^2 + s) - a, as a grows by s/(2 a).",
    lambda: [tends(moved, {start: oo}, 0), tends(start * moved, {start: oo}, learned / 2)])
