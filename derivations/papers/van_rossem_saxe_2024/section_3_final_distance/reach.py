"""Equation 36: which starts reach the final distance, through which h = 0, and which end elsewhere."""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.models.two_point.closed_form import K, aim, alpha, beta, rho, squared_solution, y_start
from derivations.papers.van_rossem_saxe_2024.source.readings import FROM_LOSS

E, V = reals("E V > 0")  # exp(-2 rho t) and exp(-(K + 2 rho) t), both between 0 and 1
drive = reals("g")  # g = K/2 + |x2 - x1|^2 (|dy(0)|^2 - w0)/(4 tau_h |dh(0)|^2), against -rho
final = (K / 2 + rho) / beta
off = reals("off != 0")  # g + rho
T = reals("T > 0")  # t exp(-2 rho t), what (E - V)/K becomes as K goes to zero
ROOTS = [2 * rho > K, 2 * rho > -K]
OF_LEVELS = {K: beta * A, rho: beta * sqrt(A**2 / 4 + B**2)}  # as the parameters of a start are
K_start = beta * h0 - alpha * y0 / h0
paper.states("final_distance_of_parameters: start_has_parameters", "Eq. 36, in K and rho",
    "The printed final distance is 4 tau_y (K/2 + rho), with K and rho of the start.",
    lambda: same(A_high / 2 + sqrt(A_high**2 / 4 + A_low**2), (K_start / 2 + sqrt(K_start**2 / 4 + alpha * beta * s))
        / beta))

def distance_in_decaying_parts(slope):
    """|dh|^2 of the closed form, written in E and V; `slope` is u.(y2 - y1)/a at the start."""
    drive = K / 2 + alpha * slope
    along_aim = alpha * slope**2 / aim
    across = alpha * y_start / h0**2 - along_aim
    size, form = beta + along_aim, K / 2 * (beta - along_aim) + 2 * alpha * beta * slope
    norm = E + h0 * (size * (1 - E**2) / (4 * rho) + form * ((1 + E**2) / 2 - E) / (2 * rho**2) + across * (E - V) / K)
    return h0 * (((1 + drive / rho) + E * (1 - drive / rho)) / 2)**2 / norm

slope0 = (drive - K / 2) / alpha
w_of_drive = y_start - h0 * slope0
K_now = beta * h - alpha * y / h
g = K_now / 2 + alpha * (y - w) / h
paper.states("drive_obeys_riccati: derived_system", "Eq. 36, which starts",
    "g = K/2 + |x2 - x1|^2 (|dy|^2 - w)/(4 tau_h |dh|^2) changes at the rate rho^2 - g^2, and |dh|^2 at the rate 2 "
    "|dh|^2 (g + K/2 - |dh|^2/(4 tau_y)): g = -rho is invariant, larger starts go to rho, smaller ones diverge.",
    lambda: [same(FROM_LOSS.rate(g), K_now**2 / 4 + alpha * beta * s - g**2),
        same(FROM_LOSS.flow[h], 2 * h * (g + K_now / 2 - beta * h))])

g_now, g0 = reals("g g0")
fading = exp(-2 * rho * t)
course = rho * ((g0 + rho) + (g0 - rho) * fading) / ((g0 + rho) - (g0 - rho) * fading)
claim = {g_now: rho**2 - g_now**2}, {g_now: course}, {g_now: g0}, t
paper.states("drive_solution: drive_obeys_riccati", "Eq. 36, course of g",
    "g = rho ((g0 + rho) + (g0 - rho) E)/((g0 + rho) - (g0 - rho) E) with E = exp(-2 rho t), as long as it has "
    "values, and for all times where g0 > -rho; the formula tends to rho unless g0 = -rho.",
    lambda: [solves(*claim, while_defined=True), solves(*claim, given=g0 > -rho),
        tends(course, {t: oo}, rho, given=[Ne(g0, -rho)])])

decays = {E: exp(-2 * rho * t), V: exp(-(K + 2 * rho) * t)}
paper.states("distance_has_decaying_parts: closed_form_squared", "Eq. 36, decaying parts",
    "For different targets, K not zero, |dh|^2 is a rational function of exp(-2 rho t) and exp(-(K + 2 rho) t).",
    lambda: same(squared_solution()[h].subs(w0, w_of_drive), distance_in_decaying_parts(slope0).subs(decays)))

@printed("Eq. 36",
    r"||dh(\infty)||^{2}=\frac{1}{2}A_{\text{high}}+\sqrt{\frac{1}{4}A^{2}_{\text{high}}+A^{2}_{\text{low}}}").claim(
    left="the value of both limits",
    rests_on="distance_has_decaying_parts final_distance_of_parameters final_rest_distance")
def starts_off_the_separatrix_arrive(eq):
    """For different targets, under equation 19, the closed form of every start with K not zero and g not equal to -rho
    tends to the printed final distance, where g = K/2 + |x2 - x1|^2 (|dy(0)|^2 - w(0))/(4 tau_h |dh(0)|^2). Where g <
    -rho the distance passes through zero, where equation 21 is undefined and only equation 6 goes on."""
    distance = distance_in_decaying_parts(slope0).subs(drive, off - rho)
    yield from [tends(distance, [E, V], final, given=[*ROOTS, sign]) for sign in (K > 0, K < 0)]
    yield same(final.subs(OF_LEVELS), eq.right)

distance = distance_in_decaying_parts(slope0).subs(V, E * (1 - K * T / E)).subs(drive, off - rho)
paper.states("balanced_starts_arrive: closed_form_squared_balanced final_distance_of_parameters", "Eq. 36, K = 0",
    "For different targets and K = 0, every start with g not equal to -rho ends at the printed final distance.",
    lambda: tends(sp.cancel(distance).subs(K, 0), [E, T], final.subs(K, 0)))

@paper.claim("Eq. 36, separatrix", rests_on="derived_system")
def separatrix_ends_at_zero():
    """A start with K = 0 and dy(0) opposite to y2 - y1 (dh = 1, D_y = -1, y2 - y1 = |x2 - x1| = tau_h = tau_y = 1) moves on the
    separatrix: its distance goes to zero, where the printed one is positive (there: 1)."""
    fading = exp(-2 * rho * t)
    distance = h0 * fading / (1 + beta * h0 / rho * (1 - fading))
    prediction = beta / alpha * distance**2
    target = rho**2 / (alpha * beta)
    motion = {h: distance, y: prediction, w: prediction + rho / alpha * distance}
    start = {h: h0, y: beta / alpha * h0**2, w: beta / alpha * h0**2 + rho / alpha * h0}
    yield solves(*moving({k: e.subs(s, target) for k, e in derived_flow.items()}, motion, start), t)
    yield tends(distance, {t: oo}, 0)

z = reals("z > 0")  # exp(K t), which goes to zero on the separatrix when K < 0
@paper.claim("Eq. 36, separatrix, K < 0", rests_on="distance_has_decaying_parts")
def separatrix_ends_at_zero_distance():
    """A start with g = -rho, K < 0 and u not along the target ends at dh = 0, |u|^2 = -4 tau_h K/|x2 - x1|^2."""
    distance = distance_in_decaying_parts(slope0).subs(drive, -rho).subs(V, E / z)
    hypotheses = [*ROOTS, K < 0, above(alpha * y_start / h0**2 - alpha * slope0.subs(drive, -rho)**2 / aim, 0)]
    yield tends(sp.cancel(distance), [E, z], 0, given=hypotheses)
    yield tends(sp.cancel((beta * distance - K) / alpha), [E, z], -K / alpha, given=hypotheses)

@paper.claim("Eq. 36, separatrix, course", rests_on="derived_system drive_obeys_riccati")
def separatrix_course():
    """On the separatrix |dh|^2 = |dh(0)|^2 e/(1 + |dh(0)|^2 (1 - e)/(2 tau_y (2 rho - K))), e = exp(-(2 rho - K) t)."""
    pace = 2 * rho - K
    fading = exp(-pace * t)
    distance = h0 * fading / (1 + 2 * beta * h0 * (1 - fading) / pace)
    prediction = distance * (beta * distance - K) / alpha
    motion = {h: distance, y: prediction, w: distance * (rho - K / 2 + beta * distance) / alpha}
    start = {h: h0, y: y_start, w: h0 * (rho - K / 2 + beta * h0) / alpha}
    yield solves(*moving({k: e.subs(s, aim) for k, e in derived_flow.items()}, motion, start), t, given=ROOTS)

paper.states("final_prediction_is_right: starts_off_the_separatrix_arrive", "Eq. 36, prediction at the end",
    "At the printed final distance |dy|^2 = |y2 - y1|^2: what arrives has learned the target difference.",
    lambda: same(final * (beta * final - K) / alpha, aim))
