"""Section 4: starts that are not quite of two levels: how QQ' answers, and how far the exact solution can be off."""

from derivations.papers.solvable_networks.setup import *
from derivations.papers.solvable_networks.flow import missed

paper.states("riccati_flow_with_a_remainder: two_levels_make_a_riccati_flow", "4.1 What a start lacks of two levels",
    "From every start, with C = (QQ'J - a)(QQ'J + b) for any numbers a and b, d(QQ') is the rate of the Riccati "
    "equation plus (C + J C J)/2, the part of C within inputs and within outputs.",
    lambda: same(along_blocks(QQ, flow), two_level_rate(QQ) + HALF * (missed + J @ missed @ J)))

# F of the levels; QQ', the solution of the Riccati equation, and the remainder (C + J C J)/2.
F, true, solved, rho = letters("F: N x N, M: N x N, P: N x N, rho: N x N", symmetric=True)
mean, gap = F - HALF * (true + solved), true - solved
difference = riccati(F, true) + rho - riccati(F, solved)
paper.states("error_moves_by_the_mean_of_both: riccati_flow_with_a_remainder", "4.2 The equation of the error",
    "Let P solve the Riccati equation and D = QQ' - P. Then dD = B D + D B + rho with B = F - (QQ' + P)/2, and dD = "
    "(F - P) D + D (F - P) - D^2 + rho, with the remainder rho: where neither QQ' nor P is small, B pulls D back.",
    lambda: [same(difference, mean @ gap + gap @ mean + rho), same(difference, riccati(F - solved, gap) + rho)])

R, L = letters("R: N x N", symmetric=True), letters("L: N x N_r")
E, Phi = letters("E: N x N, Phi: N x N", symmetric=True, commutes_with=[R])
K_inv, E_inv = (letters("K_inv", inverse_of=identity("N_r") + L.T @ Phi @ L), letters("E_inv", inverse_of=E))
summed = letters("A: N x N", symmetric=True)
carry, back = E @ (identity("N") - L @ K_inv @ L.T @ Phi), (identity("N") + L @ L.T @ Phi) @ E_inv
pulled = R - E @ L @ K_inv @ L.T @ E
motion = {E: HALF * (R @ E + E @ R), Phi: E @ E, summed: back @ rho @ back.T}
error = carry @ summed @ carry.T
paper.states("first_order_of_the_error: solution_from_every_start error_moves_by_the_mean_of_both",
    "4.3 The first order of the error",
    "V = E (I - L K^-1 L'Phi), with the inverse (I + L L'Phi) E^-1, solves dV = (F - P) V from the identity, so that "
    "to first order in the remainder rho, D = V A V' with A the integral of V^-1 rho V'^-1.",
    lambda: [same(carry @ back, identity("N")), same(along(carry, motion), pulled @ carry),
        same(along(error, motion), pulled @ error + error @ pulled + rho)])

off = letters("E: N_h x N_h", symmetric=True)
@paper.claim("4.4 The remainder of a balanced start with a deviation", rests_on="riccati_flow_with_a_remainder")
def remainder_of_a_deviation():
    """Where W2'W2 - W1 W1' = lambda I + E, the remainder is -(Q E Q'J + J Q E Q')/2, of a size up to |E| |Q|^2."""
    pushed = Q @ off @ Q.T
    gram, moved = letters("Q: N x N_h"), letters("P: N x N", symmetric=True)
    turn = letters("J: N x N", symmetric=True)
    mean = -HALF * (moved @ turn + turn @ moved)
    lacks = QQ @ J @ QQ @ J + QQ @ J * balance
    yield from (same(x, y, [(imbalance, identity("N_h") * balance + off)]) for x, y in paired(lacks, -1 * (pushed @ J)))
    yield same(norm2(moved) - norm2(mean), norm2(HALF * (moved @ turn - turn @ moved)), [(turn @ turn, identity("N"))])
    yield holds(norm2(gram @ off @ gram.T) <= norm2(gram @ off) * norm2(gram))
    yield holds(norm2(gram @ off) <= norm2(gram) * norm2(off))

start, top, size = letters("M_0: N x N", symmetric=True), *letters("f, r", positive=True)
room, spare, root_true, root_solved = letters("room: N x N, spare, Q: N x N_h, Q_P: N x N_h")
@paper.claim("4.5 A bound of the error for all times", rests_on="error_moves_by_the_mean_of_both")
def error_is_bounded():
    """If F is at most f and |rho| <= r, |QQ' - P| is at most r (exp(2 f t) - 1)/(2 f) from equal starts."""
    known = [(identity("N") * top - F, room.T @ room),
        (true, root_true @ root_true.T),
        (solved, root_solved @ root_solved.T),
        (norm2(rho), size @ size - spare @ spare)]
    rates = {state: riccati(F, state) for state in (true, solved)}
    yield by("distance from zero", matrix=true - solved, first=F - true, second=F - solved, rest=rho, left_bound=top,
        right_bound=top, left_squares=[room, room, root_true.T, root_true.T],
        right_squares=[room, room, root_solved.T, root_solved.T], size=size, size_squares=[spare],
        motion={true: rates[true] + rho, solved: rates[solved]}, begin={true: start, solved: start}, given=known)

P1, P2 = letters("P1: N_h x N_i, P2: N_o x N_h")
x1, x2 = W1 - P1, W2 - P2
miss, both = Sigma - P2 @ P1, x2 @ x1
change, learned = x2 @ P1 + P2 @ x1 + both, {P1: P2.T @ miss, P2: miss @ P1.T}
rate = 2 * (2 * trace(both.T @ miss) - norm2(change + both / 2) + norm2(both) / 4)
first, second, other = letters("x_1: N_h x N_i, x_2: N_o x N_h, e: N_o x N_i")
paper.states("two_networks_stay_close: braun_2022:flow_for_white_inputs", "4.6 Two networks that learn one task",
    "Let X stack the differences x1 = W1 - P1 and x2 = W2 - P2 of two networks, and e = S - P2 P1, p = x2 x1, u = W2 "
    "W1 - P2 P1. Then half the rate of |X|^2 is 2 <p, e> - |u + p/2|^2 + |p|^2/4, where <p, e> <= |p| |e|, |p| <= "
    "|x2| |x1| and 2 |x1| |x2| <= |X|^2: so |X| grows by at most |e| |X| + |X|^3/16.",
    lambda: [same(along(norm2(x1) + norm2(x2), {**flow, **learned}), rate), same(change, W2 @ W1 - P2 @ P1),
        holds(trace((second @ first).T @ other) ** 2 <= norm2(second @ first) * norm2(other)),
        holds(norm2(second @ first) <= norm2(second) * norm2(first)),
        holds(4 * norm2(first) * norm2(second) <= (norm2(first) + norm2(second)) ** 2)])

size_0, c, time, reciprocal, size_now = reals("Y_0 c > 0, t >= 0, w, Y > 0")
@paper.claim("4.7 A bound from the starts alone", rests_on="two_networks_stay_close")
def distance_of_two_networks_is_bounded():
    """|e| falls, at half the rate |P2'e|^2 + |e P1'|^2 for its square, so that Y = |X|^2 grows by at most 2 c Y + Y^2/8
    with c = |e(0)|, and w = -1/Y - 1/(16 c) by at most -2 c w: 1/Y + 1/(16 c) is at least (1/Y(0) + 1/(16 c)) exp(-2 c
    t), a bound of Y."""
    growth, begun = -2 * c * reciprocal, -1 / size_0 - 1 / (16 * c)
    shifted = Subs(growth, reciprocal, -1 / size_now - 1 / (16 * c))
    yield same(along(norm2(miss), learned), -2 * (norm2(P2.T @ miss) + norm2(miss @ P1.T)))
    yield same(shifted * size_now**2, 2 * c * size_now + size_now**2 / 8)
    yield by("bound from a differential inequality", state=reciprocal, rate=growth, start=begun,
        bound=begun * exp(-2 * c * time), time=time)
