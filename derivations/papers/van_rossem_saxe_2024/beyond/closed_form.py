"""Beyond the paper: under equation 19 the system can be solved, for every start and all times.

With dh = a e and u = D_y e, the pair (a, u) is a two-layer linear network with one hidden unit. The difference K =
a^2/(4 tau_y) - |x2 - x1|^2 |u|^2/(4 tau_h) is conserved, and the flow of Q = (a/sqrt(4 tau_y), |x2 - x1| u/sqrt(4
tau_h)) is the matrix Riccati equation dQ/dt = F Q - |Q|^2 Q/2. Its solution Q(t) = exp(F t) Q(0)/sqrt(1 + Q(0)^T
int_0^t exp(2 F s) ds Q(0)) needs only the eigenvalues of F: +-rho and -K/2.
"""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.models.two_point import aim as target_letter
from derivations.prove.words import Equation

alpha, beta = net.X / (4 * net.tau_h), 1 / (4 * net.tau_y)
a0, b0 = reals("a0 b0")

p_, k_, v_, Y_ = letters("p, K, v: n_y, Y: n_y")
conserved = [Equation(norm2(v_), p_ * p_ - k_, oriented=True)]
paper.states("riccati_equation", "Beyond: Riccati equation",
    "For a scalar p and a vector v of any size with p^2 - |v|^2 = K, the flow dp/dt = v.Y - p |v|^2, dv/dt = p Y - "
    "p^2 v is dQ/dt = F Q - |Q|^2 Q/2 with Q = (p, v) and F = [[K/2, Y^T], [Y, -K/2]].",
    lambda: [same(v_.T @ Y_ - p_ * norm2(v_), (k_ * p_ - (p_ * p_ + norm2(v_)) * p_) / 2 + Y_.T @ v_, given=conserved),
        same(Y_ * p_ - v_ * p_ * p_, Y_ * p_ - (v_ * k_ + v_ * (p_ * p_ + norm2(v_))) / 2, given=conserved)])
paper.states("conserved_difference", "Beyond: conserved quantity",
    "K = a^2/(4 tau_y) - |x2 - x1|^2 |u|^2/(4 tau_h) is conserved along the flow of the signed distance.",
    lambda: same(2 * beta * a * signed_flow[a] - alpha * signed_flow[n], 0), rests_on="signed_coordinates")

@paper.claim("Beyond: signed and squared variables agree", rests_on="signed_coordinates derived_system")
def signed_flow_gives_squared():
    """Where a is not zero, h = a^2, y = a^2 |u|^2 and w = y - a u.(y2 - y1) obey the system derived from the loss."""
    to_squared = {h: a**2, y: a**2 * n, w: a**2 * n - a * b}
    rates = {k: sum(Derivative(e, x) * signed_flow[x] for x in (a, b, n)) for k, e in to_squared.items()}
    yield from (same(rates[k], net.derived_flow[k].subs(to_squared, simultaneous=True)) for k in (h, y, w))

N_, u_ = letters("N: n_y x n_h, u: n_y")
SPLIT = {D_y: u_ @ unit.T + N_}
ON_A_LINE = [Equation(D_h @ net.delta, unit * signed, oriented=True),
    (norm2(unit), identity(1)), Equation(N_ @ unit, zero("n_y", 1), oriented=True),
    Equation(N_.T @ u_, zero("n_h", 1), oriented=True)]

@paper.claim("Beyond: equation 6 on a line", rests_on="encoder_link6_corrected decoder_link9_corrected",
    given=[*ON_A_LINE, Equation(N_.T @ target_letter, zero("n_h", 1), oriented=True)])
def matrices_follow_signed_flow():
    """If dh = a e with |e| = 1 and D_y = u e^T + N with N e = 0, N^T u = 0 and N^T (y2 - y1) = 0, then under equation 6
    D_h moves along e (x2 - x1)^T and D_y along e^T: e and N stay, a and u obey the signed flow, also where a = 0."""
    error = u_ * signed - target_letter
    encoder, decoder = (substitute(net.c_flow[letter], SPLIT) for letter in (D_h, D_y))
    yield same(encoder, -QUARTER * net.rate_h * (unit @ net.delta.T) * (u_.T @ error))
    yield same(decoder, -QUARTER * net.rate_y * (error @ unit.T) * signed)

# A start is named by its conserved quantity K and by rho > |K|/2 instead of |dy(0)|^2 (or |u(0)|^2) and |y2 - y1|^2: every
# start with different targets has exactly one such pair, and exponents stay simple.
K, rho = reals("K, rho > 0")
aim = (rho**2 - K**2 / 4) / (alpha * beta)
n_start = (beta * a0**2 - K) / alpha
y_start = h0 * (beta * h0 - K) / alpha
@paper.claim("Beyond: parameters of a start")
def start_has_parameters():
    """rho = sqrt(K^2/4 + |x2 - x1|^2 |y2 - y1|^2/(16 tau_h tau_y)) and K = |dh(0)|^2/(4 tau_y) - |x2 - x1|^2 |dy(0)|^2/(4 tau_h |dh(0)|^2)
    give back |y2 - y1|^2 and |dy(0)|^2."""
    K_of_start = beta * h0 - alpha * y0 / h0
    bare = without_signs(rho)
    target = Subs(aim.xreplace(bare), (bare[rho], K), (sqrt(K_of_start**2 / 4 + alpha * beta * s), K_of_start))
    yield same((target, Subs(y_start, K, K_of_start)), (s, y0))

def evolved(start_a, start_b, start_n, *, balanced=False):
    """exp(F t) applied to the start, as multiples of a and b, and the squared norm G under the root.

    `balanced` is the case K = 0, in which the part of u orthogonal to the target keeps its length under exp(F t).
    """
    C, S = cosh(rho * t), sinh(rho * t) / rho
    N_a = start_a * C + S * (K / 2 * start_a + alpha * start_b)
    N_b = start_b * C + S * (beta * aim * start_a - K / 2 * start_b)
    along_aim = alpha * start_b**2 / aim
    size, form = (beta * start_a**2 + along_aim,
        K / 2 * (beta * start_a**2 - along_aim) + 2 * alpha * beta * start_a * start_b)
    grown = size * sinh(2 * rho * t) / (2 * rho) + form * (cosh(2 * rho * t) - 1) / (2 * rho**2)
    G = 1 + grown + (alpha * start_n - along_aim) * (t if balanced else (1 - exp(-K * t)) / K)
    return tuple(e.subs(K, 0) for e in (N_a, N_b, G)) if balanced else (N_a, N_b, G)

def signed_solution(*, balanced=False):
    """a, b and n as functions of time, from any start."""
    N_a, N_b, G = evolved(a0, b0, n_start, balanced=balanced)
    solution = {a: N_a / sqrt(G), b: N_b / sqrt(G), n: (beta * N_a**2 / G - K) / alpha}
    return {k: e.subs(K, 0) for k, e in solution.items()} if balanced else solution

def squared_solution(*, balanced=False):
    """h, y and w as functions of time, from a start with positive distance."""
    N_a, N_b, G_signed = evolved(Integer(1), (y_start - w0) / h0, y_start / h0**2, balanced=balanced)
    G = 1 + h0 * (G_signed - 1)
    distance = h0 * N_a**2 / G
    prediction = distance * (beta * distance - K) / alpha
    solution = {h: distance, y: prediction, w: prediction - h0 * N_a * N_b / G}
    return {k: e.subs(K, 0) for k, e in solution.items()} if balanced else solution

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
paper.states("closed_form_signed", "Beyond: closed form, signed",
    "For different targets, K not zero, the closed form solves the flow of the signed distance, also through a = 0.",
    lambda: solved(signed_flow, signed_solution(), SIGNED_START),
    rests_on="conserved_difference riccati_equation start_has_parameters")
paper.states("closed_form_signed_balanced", "Beyond: closed form, signed, K = 0",
    "For different targets and K = 0 the closed form with t for (1 - exp(-K t))/K solves the signed flow.",
    lambda: solved(signed_flow, signed_solution(balanced=True), SIGNED_START, balanced=True),
    rests_on="conserved_difference riccati_equation start_has_parameters")
paper.states("closed_form_squared", ("Section A.3, cannot be solved", "Beyond: closed form"),
    "For different targets, K not zero, the closed form in |dh|^2, |dy|^2, w solves the flow of the loss, dh not 0.",
    lambda: solved(net.derived_flow, squared_solution(), SQUARED_START, while_defined=True),
    quote="The system in Equation 21 cannot be solved analytically in the general case",
    rests_on="closed_form_signed signed_flow_gives_squared")
paper.states("closed_form_squared_balanced", "Beyond: closed form, K = 0",
    "For different targets, K = 0, that with t for (1 - exp(-K t))/K solves the flow of the loss, dh not zero.",
    lambda: solved(net.derived_flow, squared_solution(balanced=True), SQUARED_START, balanced=True, while_defined=True),
    rests_on="closed_form_signed_balanced signed_flow_gives_squared")
