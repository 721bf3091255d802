"""Section 2: the gradient flow, assumptions 2.1 to 2.4, and what follows from them alone."""

from derivations.papers.braun_2022.setup import *

# --- the flow ---------------------------------------------------------------------------------------------------------
def rates_agree(task):
    """State that the descent on the data has the given rates."""
    return [same(descent[w], task[w]) for w in (W1, W2)]

@paper.claim("Section 2, gradient flow")
def flow_for_any_inputs():
    """The gradient flow of the mean squared loss is dW1 = W2'(S_yx - W2 W1 S_xx) and dW2 = (S_yx - W2 W1 S_xx) W1', in
    units of tau, for any data and any numbers of input, hidden and output neurons."""
    gap = data_yx - W2 @ W1 @ data_xx
    yield rates_agree({W1: W2.T @ gap, W2: gap @ W1.T})

@paper.claim("Assumption 2.2", needs={"white_inputs": WHITE}, rests_on="flow_for_any_inputs")
def flow_for_white_inputs():
    """For whitened inputs, the gradient flow depends on the data through S_yx alone: dW1 = W2'(S_yx - W2 W1) and
    dW2 = (S_yx - W2 W1) W1'."""
    yield rates_agree({w: substitute(rate, {Sigma: data_yx}) for w, rate in flow.items()})

@paper.claim("Section 2, loss", given=[WHITE], rests_on="flow_for_white_inputs")
def loss_for_white_inputs():
    """For whitened inputs the loss is |S_yx - W2 W1|^2/2 plus (tr S_yy - |S_yx|^2)/2, which no weights change."""
    rest = HALF * (trace(net.data_yy) - norm2(data_yx))
    yield same(loss, HALF * norm2(data_yx - W2 @ W1) + rest)

@paper.claim("Section 1, non-convex loss landscape",
    quote="While simple, deep linear networks have a non-convex loss landscape and have been shown to recapitulate several features of nonlinear deep networks while retaining mathematical tractability.",
    rests_on="loss_for_white_inputs")
def loss_is_not_convex():
    """With one neuron in each layer, the weights (r, r) and (-r, -r) both learn the task r^2 perfectly, and the loss half
    way between them is positive."""
    r, (first, second) = Symbol("r", positive=True), symbols("w1 w2", real=True)
    missed = (r**2 - second * first) ** 2 / 2
    yield from [same(Subs(missed, (first, second), (end, end)), 0) for end in (r, -r)]
    yield positive(missed.subs({first: (r - r) / 2, second: (r - r) / 2}))

# --- assumption 2.3: balance ------------------------------------------------------------------------------------------
gram_in, gram_out = W1 @ W1.T, W2.T @ W2
@paper.claim("Assumption 2.3, persists throughout training",
    quote="If this condition holds at initialisation, it will persist throughout training [17, 24].",
    rests_on="flow_for_any_inputs")
def balance_persists():
    """Under the gradient flow W1 W1' and W2' W2 change at the same rate, for any data, white or not: balanced weights stay
    balanced, and W2' W2 - W1 W1' is what it was at the start for as long as the flow goes on."""
    change = letters("change: N_h x N_h")
    yield same(along(gram_in, descent), along(gram_out, descent))
    yield by("zero stays zero", values={change: imbalance - at_start(imbalance)}, rates={change: 0 * change},
        motion=descent, begin={W1: start_1, W2: start_2})

@paper.claim("Assumption 2.3, persists throughout training, with a finite learning rate")
def balance_after_a_step():
    """One step of gradient descent changes W2' W2 - W1 W1' by the square of the learning rate times
    W1 G'G W1' - W2' G G' W2 with G = S_yx - W2 W1, from every start: balance is kept to first order only."""
    rate, gap = Letter("eta", 1, 1, positive=True), net.gap
    step = {w: w + rate * velocity for w, velocity in flow.items()}
    change = W1 @ gap.T @ gap @ W1.T - W2.T @ gap @ gap.T @ W2
    after = substitute(gram_out, step) - substitute(gram_in, step)
    yield same(after, gram_out - gram_in + rate * rate * change)

# --- assumption 2.4: full rank ----------------------------------------------------------------------------------------
null = letters("x: N_i")
@paper.claim("Assumption 2.4, not bottlenecked",
    quote=r"This implies that the network is not bottlenecked, i.e. $N_h \ge \min(N_i, N_o)$.")
def full_rank_needs_hidden_neurons():
    """If W2 W1 is square and has an inverse, then W1' W1 x = 0 only for x = 0, and with the inverse K of W1' W1 the number
    N_h - N_i is the squared size of I - W1 K W1': there are at least as many hidden neurons as inputs."""
    second = letters("W2: N_i x N_h")
    network_inv = letters("Y_inv", inverse_of=second @ W1)
    projection = identity("N_h") - W1 @ Letter("K", "N_i", "N_i", inverse_of=W1.T @ W1) @ W1.T
    yield same(null.T @ W1.T @ W1 @ null, norm2(W1 @ null))
    yield same(network_inv @ second @ W1 @ null, null)
    yield same(trace(identity("N_h")) - trace(identity("N_i")), norm2(projection))

@paper.claim("Assumption 2.4, as printed")
def printed_full_rank_forces_equal_dimensions():
    """If the task has the rank N_i and the rank N_o, so that it has an inverse from both sides, then N_i = N_o: both are
    the trace of the task times its inverse."""
    task_inv = letters("Sigma_inv: N_i x N_o")
    both = trace(task_inv @ Sigma)
    left, right = (task_inv @ Sigma, identity("N_i")), (Sigma @ task_inv, identity("N_o"))
    yield same(both, trace(identity("N_i")), [left])
    yield same(both, trace(identity("N_o")), [right])

@paper.claim("Section 3, overcoming assumption 2.1, with assumption 2.4 as printed",
    quote="Further, we alter the equations to be applicable to equal and unequal input and output dimensions, overcoming Assumption 2.1).",
    corrected_by="theorem_31", rests_on="printed_full_rank_forces_equal_dimensions")
def unequal_dimensions_under_printed_full_rank():
    """Assumption 2.4, which theorem 3.1 keeps, can hold as printed for unequal numbers of inputs and outputs."""
    yield denied(printed_full_rank_forces_equal_dimensions())
