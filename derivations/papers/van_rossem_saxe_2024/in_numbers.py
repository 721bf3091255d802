"""The flow and the loss in numbers instead of matrices: what the kernels compute, stated of matrices of any size."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.models.two_point.in_numbers import RATES, SIGNED_RATES, turned
from derivations.prove.words import Equation

pull = D_y.T @ (c_dy - aim)
STRAIGHT = [(pull, c_dh * (c_dh.T @ pull) * net.inv_h)]  # Equation 19: the pull on dh is along dh
ON_A_LINE = [Equation(D_h @ delta, unit * net.signed, oriented=True), (norm2(unit), identity(1))]
moves = {"h": norm2(c_dh), "y": norm2(c_dy), "w": norm2(c_dy) - c_dy.T @ aim}
flow_in_numbers = paper.states("flow_in_numbers: derived_system", "Eq. 7, in numbers",
    "For dh that does not rotate, the rates of |dh|^2, |dy|^2 and w along the gradient flow of the loss are "
    "polynomials in these, in |x2 - x1|^2 and |y2 - y1|^2, and in the inverses of |dh|^2 and of the time constants.",
    lambda: [same(along(value, c_flow), RATES[name], given=STRAIGHT) for name, value in moves.items()])

@paper.claim("Beyond: the signed distance, in numbers", rests_on="signed_coordinates")
def signed_flow_in_numbers():
    """For dh = a e with a unit vector e, and u = D_y e, the rates of e.dh, of b = u.(y2 - y1) and of n = |u|^2 along the gradient
    flow of the loss are polynomials in a, b, n, |x2 - x1|^2 and |y2 - y1|^2."""
    u_moves = c_flow[D_y] @ unit
    moves = {"a": unit.T @ along(c_dh, c_flow), "b": u_moves.T @ aim, "n": 2 * turned.T @ u_moves}
    yield from (same(value, SIGNED_RATES[name], given=ON_A_LINE) for name, value in moves.items())

mean_target = HALF * (net.y1 + net.y2)
mean_error = letters("mean_error", equals=norm2(net.start - mean_target))
of_outputs = letters("y", equals=norm2(net.dy))
aligned, apart = letters("w", equals=net.alignment), letters("s", equals=norm2(net.target))
LOSS = HALF * net.decay * net.decay * mean_error + QUARTER * (aligned + HALF * (apart - of_outputs))
loss_in_numbers = paper.states("loss_in_numbers: mean_output_decays", "Eq. 9, in numbers",
    "The loss is half the squared distance of the first mean output from the mean target, times the square of the "
    "decay, and a quarter of w + (|y2 - y1|^2 - |dy|^2)/2.",
    lambda: same(net.loss, LOSS, given=[(net.ybar, mean_target + (net.start - mean_target) * net.decay)]))

remaining, at_start = reals("remaining at_start")
paper.states("decay_in_numbers: mean_output_decays", "Eq. 18, in numbers",
    "A component of the mean error is its start times exp(-t/tau_b).",
    lambda: solves({remaining: -remaining / net.tau_b}, {remaining: at_start * exp(-net.t / net.tau_b)},
        {remaining: at_start}, net.t))
