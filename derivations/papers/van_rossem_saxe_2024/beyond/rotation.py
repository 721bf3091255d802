"""Beyond equation 19: scalar outputs, where dh rotates and the dynamics can still be solved.

For one output D_y is a row g^T. The vectors z+- = dh/sqrt(4 tau_y) +- |x2 - x1| g/sqrt(4 tau_h) keep their
directions, and the product of their lengths, so one scalar Riccati equation remains.
"""

from derivations.papers.van_rossem_saxe_2024.setup import *
from derivations.language.words import mean

# d dh/dt = -root_h^2 g (g.dh - target), dg/dt = -root_y^2 dh (g.dh - target), root_h = |x2 - x1|/sqrt(4 tau_h), root_y = 1/sqrt(4 tau_y)
q, g = letters("dh: n_h, g: n_h")
root_h, root_y = letters("root_h, root_y", positive=True)
target = letters("target")
error = g.T @ q - target
motion = {q: -1 * (g * error) * root_h * root_h, g: -1 * (q * error) * root_y * root_y}
plus, minus = q * root_y + g * root_h, q * root_y - g * root_h
pace = root_h * root_y * error
# The same network as in the paper, with one output: targets and mean output are numbers, D_y is a row.
delta, x_mid, y1, y2, ybar, D_h, row = letters("dx: n_x, x_mid: n_x, y1, y2, ybar, D_h: n_h x n_x, D_y: 1 x n_h")
rate_h, rate_y = letters("rate_h, rate_y", positive=True)
errors = [ybar - HALF * (row @ D_h @ delta) - y1, ybar + HALF * (row @ D_h @ delta) - y2]
loss = HALF * mean([norm2(e) for e in errors])
descent = {D_h: -1 * gradient(loss, D_h) * rate_h, row: -1 * gradient(loss, row) * rate_y}
miss = row @ D_h @ delta - (y2 - y1)
paper.states("scalar_output_flow", "Beyond: rotation, scalar output",
    "For one output d dh/dt = -|x2 - x1|^2 g (g.dh - (y2 - y1))/(4 tau_h), dg/dt = -dh (g.dh - (y2 - y1))/(4 tau_y).",
    lambda: [same(along(D_h @ delta, descent), -QUARTER * (row.T * miss) * rate_h * norm2(delta)),
        same(descent[row].T, -QUARTER * (D_h @ delta * miss) * rate_y)])
paper.states("directions_stay: scalar_output_flow", "Beyond: rotation, fixed directions",
    "For one output z+- = dh/sqrt(4 tau_y) +- |x2 - x1| D_y^T/sqrt(4 tau_h) keep their directions.",
    lambda: [same(along(plus, motion), -1 * plus * pace), same(along(minus, motion), minus * pace)])

grows, shrinks = along(norm2(minus), motion), along(norm2(plus), motion)
paper.states("rotation_conserves: directions_stay", "Beyond: rotation, conserved quantities",
    "|z+|^2 |z-|^2 and z+.z- = |dh|^2/(4 tau_y) - |x2 - x1|^2 |g|^2/(4 tau_h) are conserved.",
    lambda: [same(grows * norm2(plus), -1 * shrinks * norm2(minus)),
        same(along(plus, motion).T @ minus, -1 * plus.T @ along(minus, motion))])
paper.states("lengths_give_prediction", "Beyond: rotation, prediction and distance",
    "For one output 4 sqrt(alpha beta) g.dh is |z+|^2 - |z-|^2, and 4 beta |dh|^2 is |z+|^2 + |z-|^2 + 2 z+.z-.",
    lambda: [same(4 * (g.T @ q) * root_h * root_y, norm2(plus) - norm2(minus)),
        same(4 * norm2(q) * root_y * root_y, norm2(plus) + norm2(minus) + 2 * (plus.T @ minus))])

P, P0, beta = reals("P P0 beta > 0")  # |z+|^2, its start, 1/(4 tau_y)
omega = reals("omega > 0")
shift = reals("sigma")  # 2 sqrt(alpha beta) (y2 - y1)
square = omega**2 - shift**2  # c, so that omega = sqrt(sigma^2 + c)
kappa = (P0 - (shift + omega)) / (P0 - (shift - omega))
fading = kappa * exp(-omega * t)
length = ((shift + omega) - (shift - omega) * fading) / (1 - fading)
real = [omega >= shift, omega >= -shift]  # c is not negative
paper.states("rotation_time_course: directions_stay rotation_conserves lengths_give_prediction",
    "Beyond: rotation, time course",
    "|z+|^2 obeys the scalar Riccati equation dP/dt = (c - P^2)/2 + sigma P with c = |z+|^2 |z-|^2 and sigma = 2 "
    "sqrt(alpha beta) (y2 - y1), and is solved in exp(-omega t), omega = sqrt(sigma^2 + c).",
    lambda: solves(*moving({P: (square - P**2) / 2 + shift * P}, {P: length}, {P: P0}), t, given=real))

overlap = reals("K")

def distance(plus_squared):
    return (plus_squared + square / plus_squared + 2 * overlap) / (4 * beta)

rotating_end = (omega + overlap) / (2 * beta)
paper.states("rotating_final_distance: rotation_time_course", "Beyond: rotation, final distance",
    "For a scalar output and c = |z+|^2 |z-|^2 > 0, the final distance is 2 tau_y (sqrt(sigma^2 + c) + K).",
    lambda: [tends(length, {t: oo}, shift + omega, given=[omega > shift, omega > -shift]),
        same(distance(shift + omega), rotating_end), same(shift + omega - square / (shift + omega), 2 * shift)])

# A start in numbers: dh = (a, 0) and D_y = (u, v) in a plane that holds both, so that equations 10 and 11 apply to it as printed.
along_dh, across_dh, wanted = reals("u v d")  # d = y2 - y1
length_0 = reals("a > 0")
GIVEN = {h0: length_0**2, y0: (length_0 * along_dh) ** 2, s: wanted**2}
alpha, beta_ = X / (4 * tau_h), 1 / (4 * tau_y)
squared_slope = along_dh**2 + across_dh**2
K_0 = beta_ * length_0**2 - alpha * squared_slope
c_0 = (beta_ * length_0**2 + alpha * squared_slope) ** 2 - 4 * alpha * beta_ * GIVEN[y0]
true_end = rotating_end.subs({omega: sqrt(4 * alpha * beta_ * wanted**2 + c_0), overlap: K_0, beta: beta_})
high, low = (as_expression(e).doit().subs(GIVEN) for e in (A_high, A_low))
equation_10, other_root = high / 2 + sqrt(high**2 / 4 + low**2), high / 2 - sqrt(high**2 / 4 + low**2)
lengths = norm2(q) * root_y * root_y + norm2(g) * root_h * root_h
paper.states("start_in_numbers: rotation_conserves", "Beyond: rotation, a start in numbers",
    "For dh = (a, 0) and D_y = (u, v), |z+|^2 |z-|^2 = (|dh|^2/(4 tau_y) + |x2 - x1|^2 |D_y|^2/(4 tau_h))^2 - |x2 - "
    "x1|^2 (D_y dh)^2/(4 tau_h tau_y).",
    lambda: same(norm2(plus) * norm2(minus), lengths * lengths - 4 * (g.T @ q) * (g.T @ q) * root_h * root_h * root_y
        * root_y))
paper.states("final_distance_when_rotating: final_rest_distance start_in_numbers", "Eq. 10, when dh rotates",
    "From dh = (a, 0), D_y = (u, v) with one output the distance ends at equation 10, for v not zero, too.",
    lambda: same(true_end, equation_10), corrected_by="rotating_final_distance")
paper.states("final_distance_when_straight: rotating_final_distance start_in_numbers",
    "Eq. 10, when dh does not rotate",
    "From dh = (a, 0), D_y = (u, 0) with one output the rotation law ends where equations 10 and 11 say.",
    lambda: same(true_end.subs(across_dh, 0), equation_10))

off = tau_y / tau_h * X * across_dh**2 * (length_0**2 - true_end) / (true_end - other_root)
root = sqrt(wanted**2 + overlap**2 + P)  # of sigma^2 + c, where c exceeds K^2 if dh rotates
paper.states("rotation_ends_between: rotating_final_distance start_in_numbers final_rest_distance",
    "Eq. 10, beside the end of a rotation",
    "With one output, from dh = (a, 0) and D_y = (u, v), the end F > 0 of a rotation and E of equation 10 differ by "
    "F - E = (tau_y/tau_h) |x2 - x1|^2 v^2 (|dh(0)|^2 - F)/(F - E'), E' < 0 being the other root: F lies between "
    "|dh(0)|^2 and E.",
    lambda: [same(true_end - equation_10, off), same(c_0 - K_0**2, 4 * alpha * beta_ * (length_0 * across_dh) ** 2),
        positive(overlap + root), positive(sqrt(A**2 / 4 + B**2) - A / 2)])
