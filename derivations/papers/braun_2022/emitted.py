"""The kernels of this paper, and the claims that their rewritten forms rest on. Everything here comes from derived
formulas.

The names of parts of the kernel for two modes, which stand in the emitted program too; 1 and 2 are the modes:

    sink, fade       e^(-s t) and e^(-2 s t); rise is (1 - fade)/s
    determinant      D = a1 a2 - b^2 at the start
    level            a at time t, one over rise + held; held is what the start leaves in the inverse of a
    weight1, open1   a1 fade2 + D rise2 and fade2 + a2 rise2; margin1 tells which term of weight1 is the larger one,
                     and rest1 is D/fade2
    ahead1, lifted1  e^(-(s1 - s2) t), and a2 rise2/weight1 times it
    larger, sunk     the larger singular value, and the sink of the smaller one
    deep, gone       e^(-larger t/2) and e^(-|s1 - s2| t/2), of which b has two factors each
    share            b at time t without these exponentials
"""

from derivations.papers.braun_2022.setup import *
from itertools import product
from derivations.kernels.specification.matrices import exponential, exponential_integral, inverse
from derivations.language.functions import relexp
from derivations.paper.equals.words import EqualWords

CITES = "Braun, Domine, Fitzgerald & Saxe (2022), NeurIPS 35"

# --- how the programs compute exponentials and their integrals --------------------------------------------------------
rate, t = reals("rate, t >= 0")

# --- the solution from every balanced start ---------------------------------------------------------------------------
# lambda, where W2' W2 - W1 W1' = lambda I at the start; the atlas shows that QQ' then moves by the Riccati equation of
# the generator (solvable_networks:two_levels_make_a_riccati_flow).
balance = letters("balance")
generator = Blocks([[-HALF * balance * identity("N_i"), Sigma.T], [Sigma, HALF * balance * identity("N_o")]])
growth, Phi = four("E"), four("Phi")
Z_grown = Blocks([[letters("Z_i: N_i x N_h")], [letters("Z_o: N_o x N_h")]])
M = letters("M: N_h x N_h")
M_inv = letters("M_inv", inverse_of=M)
solution = Z_grown @ M_inv @ Z_grown.T

def solved(claim, returns, exponents, **letters):
    """The only solution of a flow, in exponentials, with other names for some letters."""
    return [EqualWords(claim, {"qqt": returns}, time, exponents, letters)]

paper.emits("riccati",
    says="QQ' at time t (in units of tau), with W1'W1, W1'W2', W2 W1 and W2 W2' as its four blocks, from weights whose "
    "balance W2'W2 - W1 W1' is a multiple of the identity.", inputs=[start_1, start_2, Sigma, balance, time],
    steps=[(growth, exponential(generator * time)),
        (Phi, exponential_integral(2 * generator, time)),
        (Z_grown, growth @ Q_0),
        (M, identity("N_h") + (Q_0.T @ Phi @ Q_0).only),
        (M_inv, inverse(M))], returns={"qqt": solution}, domain="W2_0' W2_0 - W1_0 W1_0' = balance I",
    cites=f"{CITES}, Eq. 5 without its assumptions 2.1 and 2.4",
    equals=solved("riccati_solution", "X", {"G": F_whole, "Phi": 2 * F_whole}, F=generator, G=growth, Phi=Phi, Q_0=Q_0))

# --- theorem 3.1 as printed -------------------------------------------------------------------------------------------
Z_letters = Blocks([[letters("Z_i: N_i x N_m")], [letters("Z_o: N_o x N_m")]])
paper.emits("theorem_31",
    says="QQ' at time t (in units of tau) by equations 11 and 12 as printed, from the singular value decompositions of "
    "W2 W1 at the start (U, S, V) and of the task (U_t, S_t, V_t), and U_p and V_p, which complete U_t and V_t.",
    inputs=[U, S, V, Ut, St, Vt, Up, Vp, time], steps=[(S_inv, inverse(S)),
        (St_inv, inverse(St)),
        (E, exponential(-St * time)),
        (B, U.T @ Ut + V.T @ Vt),
        (C, U.T @ Ut - V.T @ Vt),
        (B_inv, inverse(B)),
        (inner_11_inv, inverse(inner_11)),
        (Z_letters, EQ_12.right)], returns={"qqt": Z_letters @ inner_11_inv @ Z_letters.T},
    domain="balanced weights, and U' U_t + V' V_t has an inverse", cites=f"{CITES}, Eqs. 11 and 12",
    equals=solved("theorem_31", [["X_11", "X_12"], ["X_21", "X_22"]], {"E": -St}))

# --- two modes (equation 14), as sums of positive terms in decaying exponentials ---------------------------------------
a1, a2, s1, s2, b = reals("a1 a2 s1 s2 >= 0, b")
determinant, margin, margin1, margin2 = reals("determinant margin margin1 margin2")
sink1, sink2, sunk, larger, deep, gone, share = reals("sink1 sink2 sunk larger deep gone share")
fade1, fade2, rise1, rise2, rest1, rest2 = reals("fade1 fade2 rise1 rise2 rest1 rest2")
open1, open2, weight1, weight2, ahead1, ahead2 = reals("open1 open2 weight1 weight2 ahead1 ahead2")
lifted1, lifted2, held1, held2, level1, level2 = reals("lifted1 lifted2 held1 held2 level1 level2")
late, late1, late2 = margin > 0, margin1 > 0, margin2 > 0
# A level is one over a sum of positive terms. `weight1` is a1 fade2 + D rise2 where the second term is the larger one,
# and that over fade2 elsewhere: then neither a fade that underflows nor its inverse decides a result. `held1` and b
# take the same exponential as `weight1`, so that its rounding cancels; for starts of rank one, where `weight1` has
# none, they take one of their own. Branches meet in whole values only, for the balls of a start of rank one hold both.
# The signs 1 and 2 trade places in `weight2`.
DECOUPLING_PARTS = [(determinant, a1 * a2 - b**2),
    (sink1, exp(-s1 * t)),
    (sink2, exp(-s2 * t)),
    (fade1, sink1**2),
    (fade2, sink2**2),
    (rise1, 2 * t * relexp(-2 * s1 * t)),
    (rise2, 2 * t * relexp(-2 * s2 * t)),
    (ahead1, exp(-(s1 - s2) * t)),
    (ahead2, exp(-(s2 - s1) * t)),
    (margin1, determinant * rise2 - a1 * fade2),
    (margin2, determinant * rise1 - a2 * fade1),
    (margin, Piecewise((margin1, s1 >= s2), (margin2, True))),
    (open1, fade2 + a2 * rise2),
    (open2, fade1 + a1 * rise1),
    (rest1, Piecewise((determinant / fade2, determinant > 0), (0, True))),
    (rest2, Piecewise((determinant / fade1, determinant > 0), (0, True))),
    (weight1, Piecewise((a1 * fade2 + determinant * rise2, late1), (a1 + rest1 * rise2, True))),
    (weight2, Piecewise((a2 * fade1 + determinant * rise1, late2), (a2 + rest2 * rise1, True))),
    (lifted1, ahead1 * a2 * rise2 / weight1),
    (lifted2, ahead2 * a1 * rise1 / weight2),
    (held1, Piecewise((fade1 / a1, Eq(b, 0)), (fade1 * open1 / weight1, late1),
            (fade1 / weight1 + fade1 * a2 * rise2 / (fade2 * weight1), determinant > 0),
            (fade1 / weight1 + ahead1 * lifted1, True))),
    (held2, Piecewise((fade2 / a2, Eq(b, 0)), (fade2 * open2 / weight2, late2),
            (fade2 / weight2 + fade2 * a1 * rise1 / (fade1 * weight2), determinant > 0),
            (fade2 / weight2 + ahead2 * lifted2, True))),
    (level1, Piecewise((0, Eq(a1, 0)), (1 / (rise1 + held1), True))),
    (level2, Piecewise((0, Eq(a2, 0)), (1 / (rise2 + held2), True))),
    (larger, Piecewise((s1, s1 >= s2), (s2, True))),
    (sunk, Piecewise((sink2, s1 >= s2), (sink1, True))),
    (deep, exp(-larger * t / 2)),
    (gone, exp(-Abs(s1 - s2) * t / 2)),
    (share, Piecewise((0, Eq(b, 0)), (b * level1 / weight1, s1 >= s2), (b * level2 / weight2, True)))]
DECOUPLED = {a1: level1,
    a2: level2,
    b: Piecewise((deep * (deep * sunk * share), late), (deep * (deep / sunk * share), determinant > 0),
        (gone * (gone * share), True))}
p1, p2 = reals("p1 p2 > 0")
START = (a1, a2, b)  # the values at time zero; in the flow they stand for the values at any time

def common(fades, rises):
    """a1, a2 and b over one denominator, with D = a1 a2 - b^2, fades e^(-2 s t) and rises (1 - e^(-2 s t))/s."""
    (f1, f2), (r1, r2), D = fades, rises, a1 * a2 - b**2
    below = f1 * f2 + f1 * a2 * r2 + f2 * a1 * r1 + r1 * r2 * D
    return {a1: (f2 * a1 + r2 * D) / below, a2: (f1 * a2 + r1 * D) / below, b: sqrt(f1) * sqrt(f2) * b / below}

def faded(values):
    """The entries for two singular values of the task, each positive or zero."""
    fades = tuple(exp(-2 * value * t) for value in values)
    rises = tuple((1 - exp(-2 * value * t)) / value if value != 0 else 2 * t for value in values)
    return common((fades[0], fades[1]), (rises[0], rises[1]))

ZERO = Integer(0)
# Singular values of the task: different, one or both zero, equal.
CASES = [(p1, p2), (p1, ZERO), (ZERO, p2), (ZERO, ZERO), (p1, p1)]
@paper.claim("Beyond: two modes over one denominator")
def decoupling_solves_the_flow():
    """The entries of A'A for two modes, over one denominator without inverses, solve the flow of equation 13 from every start, of
    rank one or zero too, for all singular values of the task, zero and equal ones included."""

    def solved(values):
        now = dict(zip(START, reals("a1_now a2_now b_now"), strict=True))
        P, task = Matrix([[now[a1], now[b]], [now[b], now[a2]]]), diag(*values)
        rate = (task * P + P * task - 2 * P * P).expand()
        flow = {now[a1]: rate[0, 0], now[a2]: rate[1, 1], now[b]: rate[0, 1]}
        solution = {now[a]: course for a, course in faded(values).items()}
        positive = [a1 >= 0, a2 >= 0, a1 * a2 - b**2 >= 0]  # as A'A is
        return prove.solves(flow, solution, {now[a]: a for a in START}, t, assuming=positive)

    yield from map(solved, CASES)

ordered, regular = s1 >= s2, determinant > 0
POSSIBLE = a1 * a2 >= b**2
PRODUCTS = {"a1_t": "a1_now", "a2_t": "a2_now", "b_t": "b_now"}
FROM_ZERO = {a: Eq(a, 0) for a in START}

def at_values(first, second, holds, fix):
    """The solution for singular values of which the first and the second are positive or zero."""
    values = (p1 if first else ZERO, p2 if second else ZERO)
    number = CASES.index(values)
    return Equals(decoupling_solves_the_flow, {name: (variable, number) for name, variable in PRODUCTS.items()},
        where={s1: values[0], s2: values[1]}, holds={Eq(s1, 0): not first, Eq(s2, 0): not second, **holds}, fix=fix)

def decoupling_cases():
    """Starts of rank two, of rank one with every entry or with one, and zero, for all singular values of the task."""
    both = (True, False)
    growing = [dict(zip((ordered, late1, late2), which, strict=True)) for which in product(both, repeat=3)]
    settled = [{ordered: first, late1: False, late2: False} for first in both]
    ranks = [({regular: True, FROM_ZERO[b]: False}, {}, growing),
        ({regular: True, FROM_ZERO[b]: True}, {b: ZERO}, growing),
        ({regular: False, FROM_ZERO[b]: False}, {a2: b**2 / a1}, settled)]
    for first, second in product(both, both):
        for holds, fix, times in ranks:
            for taken in times:
                yield at_values(first, second, {**holds, **taken, FROM_ZERO[a1]: False, FROM_ZERO[a2]: False}, fix)
        for gone, side in product(((a1,), (a2,), (a1, a2)), both):
            none = {FROM_ZERO[a]: a in gone for a in (a1, a2)}
            holds = {regular: False, FROM_ZERO[b]: True, ordered: side, **none}
            yield at_values(first, second, holds, dict.fromkeys((b, *gone), ZERO))
    yield excluded({FROM_ZERO[b]: True, FROM_ZERO[a1]: False, FROM_ZERO[a2]: False, regular: False}, regular)
    for growing_now in (late1, late2):
        yield excluded({regular: False, growing_now: True}, growing_now)
    for a in (a1, a2):
        yield excluded({FROM_ZERO[a]: True, regular: True}, regular)
        yield excluded({FROM_ZERO[a]: True, FROM_ZERO[b]: False}, POSSIBLE)

def excluded(holds, fails):
    """Conditions that no start meets: a1 a2 is at least b^2, and a margin is no more than -a fade if they are equal."""
    return Equals(decoupling_solves_the_flow, PRODUCTS, holds=holds, never=fails)

paper.emits("decoupling",
    says="The entries of A'A at time t (in units of tau) for two modes, from their values at time zero.",
    state=[a1, a2, b], params=[s1, s2, t],
    returns={"a1_t": DECOUPLED[a1], "a2_t": DECOUPLED[a2], "b_t": DECOUPLED[b]}, shared=DECOUPLING_PARTS,
    domain=[POSSIBLE], cites=f"{CITES}, Eqs. 13 and 14 without their inverses", equals=decoupling_cases())

# --- the peak of b for equal singular values --------------------------------------------------------------------------
s, aligned1, aligned2 = reals("s a1 a2 > 0")
slack = reals("slack")  # s^2 (1 - (a1 + a2)/s)
PEAK_PARTS = [(determinant, aligned1 * aligned2 - b**2), (slack, s * (s - aligned1 - aligned2))]
peak_scale = s * (aligned1 + aligned2) - 2 * determinant + 2 * sqrt(determinant) * sqrt(slack + determinant)
PEAK = {"t_peak": log(1 + slack / determinant) / (4 * s), "b_peak": b * s**2 / peak_scale}
D, L, fade = reals("determinant slack fade > 0")
STARTS = [Eq(aligned1 * aligned2 - b**2, D), Eq(s * (s - aligned1 - aligned2), L)]
PEAK_IN_NUMBERS = {"t_peak": log(1 + L / D) / (4 * s),
    "b_peak": b * s**2 / (s * (aligned1 + aligned2) - 2 * D + 2 * sqrt(D) * sqrt(L + D))}
equal = {a1: aligned1, a2: aligned2}
by_fade = common((fade, fade), ((1 - fade) / s, (1 - fade) / s))[b].subs(equal)
stationary = sqrt(D) / sqrt(D + L)
peak_in_numbers = paper.states("peak_in_numbers: decoupling_solves_the_flow",
    "Beyond: the peak for equal singular values, in numbers",
    "For equal singular values b depends on e^(-2 s t) alone, is stationary where that is sqrt(D/(D + L)), L = s (s "
    "- a1 - a2), at the time log(1 + L/D)/(4 s), and is s^2 b(0)/(s (a1 + a2) - 2 D + 2 sqrt(D) sqrt(D + L)) there.",
    lambda: [same(faded((s, s))[b].subs(equal), Subs(by_fade, fade, exp(-2 * s * t))),
        same(Subs(Derivative(by_fade, fade), fade, stationary), 0),
        same(Subs(by_fade, fade, stationary), PEAK_IN_NUMBERS["b_peak"]),
        same(PEAK_IN_NUMBERS["t_peak"], -log(stationary**2) / (4 * s))], given=STARTS)

paper.emits("decoupling_peak",
    says="The time (in units of tau) and the height of the peak of b for two modes with equal singular values.",
    state=[aligned1, aligned2, b], params=[s], returns=PEAK, shared=PEAK_PARTS,
    domain=[aligned1 * aligned2 > b**2, s > aligned1 + aligned2],
    cites=f"{CITES}, section 5, with the one that the logarithm lacks",
    equals=[Equals(peak_in_numbers, PEAK_IN_NUMBERS, parts={determinant: D, slack: L},
        reached={D: aligned1 * aligned2 - b**2, L: s * (s - aligned1 - aligned2)})])
