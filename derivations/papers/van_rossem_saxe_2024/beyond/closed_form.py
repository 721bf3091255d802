"""Beyond the paper: under equation 19 the system can be solved, for every start and all times.

The pair (a, u), with dh = a e and u = D_y e, is a two-layer linear network with one hidden unit, whose solution is
`derivations.models.two_point.closed_form`.
"""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.models.two_point import aim as target_letter
from derivations.models.two_point.closed_form import *
from derivations.prove.words import Equation

p_, k_, v_, Y_ = letters("p, K, v: n_y, Y: n_y")
conserved = [Equation(norm2(v_), p_ * p_ - k_, oriented=True)]
paper.states("riccati_equation", "Beyond: Riccati equation",
    "For a scalar p and a vector v of any size with p^2 - |v|^2 = K, the flow dp/dt = v.Y - p |v|^2, dv/dt = p Y - "
    "p^2 v is dQ/dt = F Q - |Q|^2 Q/2 with Q = (p, v) and F = [[K/2, Y^T], [Y, -K/2]].",
    lambda: [same(v_.T @ Y_ - p_ * norm2(v_), (k_ * p_ - (p_ * p_ + norm2(v_)) * p_) / 2 + Y_.T @ v_, given=conserved),
        same(Y_ * p_ - v_ * p_ * p_, Y_ * p_ - (v_ * k_ + v_ * (p_ * p_ + norm2(v_))) / 2, given=conserved)])
paper.states("conserved_difference: signed_coordinates", "Beyond: conserved quantity",
    "K = a^2/(4 tau_y) - |x2 - x1|^2 |u|^2/(4 tau_h) is conserved along the flow of the signed distance.",
    lambda: same(2 * beta * a * signed_flow[a] - alpha * signed_flow[n], 0))

to_squared = {h: a**2, y: a**2 * n, w: a**2 * n - a * b}
rates = {k: sum(Derivative(e, x) * signed_flow[x] for x in (a, b, n)) for k, e in to_squared.items()}
paper.states("signed_flow_gives_squared: signed_coordinates derived_system",
    "Beyond: signed and squared variables agree",
    "Where a is not zero, h = a^2, y = a^2 |u|^2 and w = y - a u.(y2 - y1) obey the system derived from the loss.",
    lambda: [*(same(rates[k], net.derived_flow[k].subs(to_squared, simultaneous=True)) for k in (h, y, w))])

N_, u_ = letters("N: n_y x n_h, u: n_y")
ON_A_LINE = [Equation(D_h @ net.delta, unit * signed, oriented=True),
    (norm2(unit), identity(1)), Equation(N_ @ unit, zero("n_y", 1), oriented=True),
    Equation(N_.T @ u_, zero("n_h", 1), oriented=True)]

@paper.claim("Beyond: equation 6 on a line", rests_on="encoder_link6_corrected decoder_link9_corrected",
    given=[*ON_A_LINE, Equation(N_.T @ target_letter, zero("n_h", 1), oriented=True)])
def matrices_follow_signed_flow():
    """If dh = a e with |e| = 1 and D_y = u e^T + N with N e = 0, N^T u = 0 and N^T (y2 - y1) = 0, then under equation 6
    D_h moves along e (x2 - x1)^T and D_y along e^T: e and N stay, a and u obey the signed flow, also where a = 0."""
    error = u_ * signed - target_letter
    encoder, decoder = (substitute(net.c_flow[letter], {D_y: u_ @ unit.T + N_}) for letter in (D_h, D_y))
    yield same(encoder, -QUARTER * net.rate_h * (unit @ net.delta.T) * (u_.T @ error))
    yield same(decoder, -QUARTER * net.rate_y * (error @ unit.T) * signed)

K_of_start = beta * h0 - alpha * y0 / h0
bare = without_signs(rho)
target = Subs(aim.xreplace(bare), (bare[rho], K), (sqrt(K_of_start**2 / 4 + alpha * beta * s), K_of_start))
paper.states("start_has_parameters", "Beyond: parameters of a start",
    "rho = sqrt(K^2/4 + |x2 - x1|^2 |y2 - y1|^2/(16 tau_h tau_y)) and K = |dh(0)|^2/(4 tau_y) - |x2 - x1|^2 "
    "|dy(0)|^2/(4 tau_h |dh(0)|^2) give back |y2 - y1|^2 and |dy(0)|^2.",
    lambda: same((target, Subs(y_start, K, K_of_start)), (s, y0)))

def solved(flow, solution, start, *, balanced=False, while_defined=False):
    """The solution obeys the flow for different targets, with the start and the target in terms of K and rho."""
    fix = {K: 0} if balanced else {}
    flow = {k: e.subs(s, aim).subs(fix) for k, e in flow.items()}
    start = {k: as_expression(e).subs(fix) for k, e in start.items()}
    hypotheses = [] if balanced else [4 * rho**2 > K**2]
    return solves(*moving(flow, solution, start), t, given=hypotheses, while_defined=while_defined)

@paper.claim("Beyond: continuation through dh = 0", rests_on="closed_form_signed signed_flow_gives_squared")
def squared_form_is_signed_form():
    """The closed form for |dh|^2, |dy|^2, w is a^2, a^2 n, a^2 n - a b of the signed solution, also through dh = 0."""
    root = reals("r0 > 0")
    on_root = {a0: root, b0: (y_start - w0) / root}
    now = {k: e.subs(on_root, simultaneous=True).subs(h0, root**2) for k, e in signed_solution().items()}
    squares = {h: now[a] ** 2, y: now[a] ** 2 * now[n], w: now[a] ** 2 * now[n] - now[a] * now[b]}
    yield from (same(squares[k], e.subs(h0, root**2)) for k, e in squared_solution().items())

SIGNED_START, SQUARED_START = {a: a0, b: b0, n: n_start}, {h: h0, y: y_start, w: w0}
paper.states("closed_form_signed: conserved_difference riccati_equation start_has_parameters",
    "Beyond: closed form, signed",
    "For different targets, K not zero, the closed form solves the flow of the signed distance, also through a = 0.",
    lambda: solved(signed_flow, signed_solution(), SIGNED_START))
paper.states("closed_form_signed_balanced: conserved_difference riccati_equation start_has_parameters",
    "Beyond: closed form, signed, K = 0",
    "For different targets and K = 0 the closed form with t for (1 - exp(-K t))/K solves the signed flow.",
    lambda: solved(signed_flow, signed_solution(balanced=True), SIGNED_START, balanced=True))
paper.states("closed_form_squared: closed_form_signed signed_flow_gives_squared",
    ("Section A.3, cannot be solved", "Beyond: closed form"),
    "For different targets, K not zero, the closed form in |dh|^2, |dy|^2, w solves the flow of the loss, dh not 0.",
    lambda: solved(net.derived_flow, squared_solution(), SQUARED_START, while_defined=True),
    quote="The system in Equation 21 cannot be solved analytically in the general case")
paper.states("closed_form_squared_balanced: closed_form_signed_balanced signed_flow_gives_squared",
    "Beyond: closed form, K = 0",
    "For different targets, K = 0, that with t for (1 - exp(-K t))/K solves the flow of the loss, dh not zero.",
    lambda: solved(net.derived_flow, squared_solution(balanced=True), SQUARED_START, balanced=True, while_defined=True))
