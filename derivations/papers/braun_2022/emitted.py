"""The kernels of this paper, and the claims that their rewritten forms rest on. Everything here comes from derived formulas.

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

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.kernels.kernel import Kernel
from derivations.kernels.specification.matrices import exponential, exponential_integral, inverse
from derivations.language.functions import relexp
from derivations.language.parts import put_back
from derivations.language.words import Letter, Words, along, identity, substitute, zero
from derivations.language.words.blocks import Blocks, along_blocks, block_diagonal
from derivations.models.two_layer_linear import (
    HALF,
    S,
    S_inv,
    Sigma,
    St,
    St_inv,
    U,
    Up,
    Ut,
    V,
    Vp,
    Vt,
    start_1,
    start_2,
)
from derivations.papers.braun_2022.setup import paper
from derivations.papers.braun_2022.source.vocabulary import B, B_inv, C, E, Z, inner_11, inner_11_inv, time
from derivations.prove import Certificate

CITES = "Braun, Domine, Fitzgerald & Saxe (2022), NeurIPS 35"

# --- how the programs compute exponentials and their integrals --------------------------------------------------------

A = Letter("A", "n", "n")
power = Letter("e_At", "n", "n")
integral = Letter("I_e_At", "n", "n")
one, nothing = identity("n"), zero("n", "n")


@paper.claim("Beyond: the exponential of a block matrix")
def integral_of_an_exponential() -> Certificate:
    """With E the exponential of A t and I_E its integral, [E, I_E; 0, I] follows the flow of the exponential of t [A, I; 0, 0] from
    the identity."""
    flow = {power: A @ power, integral: power}
    start = {power: one, integral: nothing}
    conserved = power - A @ integral
    blocks = Blocks([[power, integral], [nothing, one]])
    generator = Blocks([[A, one], [nothing, nothing]])
    return prove.every(
        prove.words(along(conserved, flow)),
        prove.words(substitute(conserved, start), one),
        prove.words(along_blocks(blocks, flow), generator @ blocks, assuming=[(conserved, one)]),
        prove.words(blocks.map(lambda block: substitute(block, start)), block_diagonal("n", "n")),
    )


vectors = Letter("V", "n", "n", orthonormal_columns=True)
eigenvalues = Letter("L", "n", "n", diagonal=True)
grown = Letter("G", "n", "n", diagonal=True)
gathered = Letter("H", "n", "n", diagonal=True)
rate = sp.Symbol("rate", real=True)
t = sp.Symbol("t", nonnegative=True)


@paper.claim("Beyond: the exponential of a symmetric matrix")
def exponential_by_eigenvectors() -> Certificate:
    """With A = V L V', the matrices V e^(L t) V' and V (t relexp(L t)) V' follow the flows of the exponential of A t and of its
    integral from their starts, and the square of the first that of the exponential of 2 A t."""
    symmetric = vectors @ eigenvalues @ vectors.T
    flow = {grown: eigenvalues @ grown, gathered: grown}
    exponent, gathering = vectors @ grown @ vectors.T, vectors @ gathered @ vectors.T
    numbers = prove.identity(sp.diff((t * relexp(rate * t)).rewrite(sp.exp), t), sp.exp(rate * t))
    return prove.every(
        prove.words(along(exponent, flow), symmetric @ exponent),
        prove.words(along(gathering, flow), exponent),
        prove.words(along(exponent.T @ exponent, flow), 2 * symmetric @ exponent.T @ exponent),
        prove.words(substitute(exponent, {grown: one}), one),
        prove.words(substitute(gathering, {gathered: nothing})),
        numbers,
    )


# --- the solution from every balanced start ---------------------------------------------------------------------------

balance = Letter("balance", 1, 1)
"""lambda, where W2' W2 - W1 W1' = lambda I at the start."""

Q_0 = Blocks([[start_1.T], [start_2]])
generator = Blocks([[-HALF * balance * identity("N_i"), Sigma.T], [Sigma, HALF * balance * identity("N_o")]])


def four(name: str) -> Blocks:
    """Letters for the blocks of a matrix that is cut between inputs and outputs."""
    sides = {"i": "N_i", "o": "N_o"}
    return Blocks([[Letter(f"{name}_{a}{b}", sides[a], sides[b]) for b in "io"] for a in "io"])


growth, Phi = four("E"), four("Phi")
Z_grown = Blocks([[Letter("Z_i", "N_i", "N_h")], [Letter("Z_o", "N_o", "N_h")]])
M = Letter("M", "N_h", "N_h")
M_inv = Letter("M_inv", "N_h", "N_h", inverse_of=M)
M_emitted = identity("N_h") + (Q_0.T @ Phi @ Q_0).only
solution = Z_grown @ M_inv @ Z_grown.T


@paper.kernel
def riccati_kernel() -> Kernel:
    return Kernel(
        "riccati",
        says="QQ' at time t (in units of tau), with W1'W1, W1'W2', W2 W1 and W2 W2' as its four blocks, from weights whose "
        "balance W2'W2 - W1 W1' is a multiple of the identity.",
        inputs=[start_1, start_2, Sigma, balance, time],
        steps=[
            (growth, exponential(generator * time)),
            (Phi, exponential_integral(2 * generator, time)),
            (Z_grown, growth @ Q_0),
            (M, M_emitted),
            (M_inv, inverse(M)),
        ],
        returns={"qqt": solution},
        domain="W2_0' W2_0 - W1_0 W1_0' = balance I",
        rests_on=["riccati_solution", "emitted_riccati", "integral_of_an_exponential", "exponential_by_eigenvectors"],
        cites=f"{CITES}, Eq. 5 without its assumptions 2.1 and 2.4",
    )


def rates(letters: Blocks, values: Blocks) -> dict[Letter, Words]:
    """How letters in blocks move."""
    return {letter: rate for letter, rate in zip(letters, values, strict=True) if isinstance(letter, Letter)}


@paper.claim("Beyond: the solution from every balanced start, as emitted", rests_on=["riccati_solution"])
def emitted_riccati() -> Certificate:
    """The emitted steps solve d(QQ') = F QQ' + QQ' F - (QQ')^2 from Q(0)Q(0)', with F = [-lambda/2 I, Sigma'; Sigma, lambda/2 I],
    for weights of any shape."""
    flow = rates(growth, generator @ growth) | rates(Phi, growth.T @ growth)
    through = rates(Z_grown, generator @ Z_grown) | {M: (Z_grown.T @ Z_grown).only}
    whole = block_diagonal("N_i", "N_o")
    start = rates(growth, whole) | rates(Phi, whole - whole)
    Z_emitted = growth @ Q_0
    return prove.every(
        prove.words(along_blocks(Z_emitted, flow), generator @ Z_emitted),
        prove.words(along(M_emitted, flow), (Z_emitted.T @ Z_emitted).only),
        prove.words(along_blocks(solution, through), generator @ solution + solution @ generator - solution @ solution),
        prove.words(Z_emitted.map(lambda block: substitute(block, start)), Q_0),
        prove.words(substitute(M_emitted, start), identity("N_h")),
    )


# --- theorem 3.1 as printed -------------------------------------------------------------------------------------------

Z_letters = Blocks([[Letter("Z_i", "N_i", "N_m")], [Letter("Z_o", "N_o", "N_m")]])


@paper.kernel
def theorem_31_kernel() -> Kernel:
    return Kernel(
        "theorem_31",
        says="QQ' at time t (in units of tau) by equations 11 and 12 as printed, from the singular value decompositions of "
        "W2 W1 at the start (U, S, V) and of the task (U_t, S_t, V_t), and U_p and V_p, which complete U_t and V_t.",
        inputs=[U, S, V, Ut, St, Vt, Up, Vp, time],
        steps=[
            (S_inv, inverse(S)),
            (St_inv, inverse(St)),
            (E, exponential(-St * time)),
            (B, U.T @ Ut + V.T @ Vt),
            (C, U.T @ Ut - V.T @ Vt),
            (B_inv, inverse(B)),
            (inner_11_inv, inverse(inner_11)),
            (Z_letters, Z),
        ],
        returns={"qqt": Z_letters @ inner_11_inv @ Z_letters.T},
        domain="balanced weights, and U' U_t + V' V_t has an inverse",
        rests_on=["theorem_31", "exponential_by_eigenvectors"],
        cites=f"{CITES}, Eqs. 11 and 12",
    )


# --- two modes (equation 14), as sums of positive terms in decaying exponentials ---------------------------------------

a1, a2, s1, s2 = sp.symbols("a1 a2 s1 s2", nonnegative=True)
b = sp.Symbol("b", real=True)
determinant, margin, margin1, margin2 = sp.symbols("determinant margin margin1 margin2", real=True)
sink1, sink2, sunk, larger, deep, gone, share = sp.symbols("sink1 sink2 sunk larger deep gone share", real=True)
fade1, fade2, rise1, rise2, rest1, rest2 = sp.symbols("fade1 fade2 rise1 rise2 rest1 rest2", real=True)
open1, open2, weight1, weight2, ahead1, ahead2 = sp.symbols("open1 open2 weight1 weight2 ahead1 ahead2", real=True)
lifted1, lifted2, held1, held2, level1, level2 = sp.symbols("lifted1 lifted2 held1 held2 level1 level2", real=True)

late, late1, late2 = margin > 0, margin1 > 0, margin2 > 0
DECOUPLING_PARTS = [
    (determinant, a1 * a2 - b**2),
    (sink1, sp.exp(-s1 * t)),
    (sink2, sp.exp(-s2 * t)),
    (fade1, sink1**2),
    (fade2, sink2**2),
    (rise1, 2 * t * relexp(-2 * s1 * t)),
    (rise2, 2 * t * relexp(-2 * s2 * t)),
    (ahead1, sp.exp(-(s1 - s2) * t)),
    (ahead2, sp.exp(-(s2 - s1) * t)),
    (margin1, determinant * rise2 - a1 * fade2),
    (margin2, determinant * rise1 - a2 * fade1),
    (margin, sp.Piecewise((margin1, s1 >= s2), (margin2, True))),
    (open1, fade2 + a2 * rise2),
    (open2, fade1 + a1 * rise1),
    (rest1, sp.Piecewise((determinant / fade2, determinant > 0), (0, True))),
    (rest2, sp.Piecewise((determinant / fade1, determinant > 0), (0, True))),
    (weight1, sp.Piecewise((a1 * fade2 + determinant * rise2, late1), (a1 + rest1 * rise2, True))),
    (weight2, sp.Piecewise((a2 * fade1 + determinant * rise1, late2), (a2 + rest2 * rise1, True))),
    (lifted1, ahead1 * a2 * rise2 / weight1),
    (lifted2, ahead2 * a1 * rise1 / weight2),
    (
        held1,
        sp.Piecewise(
            (fade1 / a1, sp.Eq(b, 0)),
            (fade1 * open1 / weight1, late1),
            (fade1 / weight1 + fade1 * a2 * rise2 / (fade2 * weight1), determinant > 0),
            (fade1 / weight1 + ahead1 * lifted1, True),
        ),
    ),
    (
        held2,
        sp.Piecewise(
            (fade2 / a2, sp.Eq(b, 0)),
            (fade2 * open2 / weight2, late2),
            (fade2 / weight2 + fade2 * a1 * rise1 / (fade1 * weight2), determinant > 0),
            (fade2 / weight2 + ahead2 * lifted2, True),
        ),
    ),
    (level1, sp.Piecewise((0, sp.Eq(a1, 0)), (1 / (rise1 + held1), True))),
    (level2, sp.Piecewise((0, sp.Eq(a2, 0)), (1 / (rise2 + held2), True))),
    (larger, sp.Piecewise((s1, s1 >= s2), (s2, True))),
    (sunk, sp.Piecewise((sink2, s1 >= s2), (sink1, True))),
    (deep, sp.exp(-larger * t / 2)),
    (gone, sp.exp(-sp.Abs(s1 - s2) * t / 2)),
    (share, sp.Piecewise((0, sp.Eq(b, 0)), (b * level1 / weight1, s1 >= s2), (b * level2 / weight2, True))),
]
"""A level is one over a sum of positive terms. `weight1` is a1 fade2 + D rise2 where the second term is the larger one, and that over
fade2 elsewhere: then neither a fade that underflows nor its inverse decides a result. `held1` and b take the same exponential as
`weight1`, so that its rounding cancels; for starts of rank one, where `weight1` has none, they take one of their own. Branches
meet in whole values only, for the balls of a start of rank one hold both. The signs 1 and 2 trade places in `weight2`."""

DECOUPLED = {
    a1: level1,
    a2: level2,
    b: sp.Piecewise(
        (deep * (deep * sunk * share), late),
        (deep * (deep / sunk * share), determinant > 0),
        (gone * (gone * share), True),
    ),
}

p1, p2 = sp.symbols("p1 p2", positive=True)
START = (a1, a2, b)
"""The values at time zero; in the flow they stand for the values at any time."""


def common(fades: tuple[sp.Expr, sp.Expr], rises: tuple[sp.Expr, sp.Expr]) -> dict[sp.Symbol, sp.Expr]:
    """a1, a2 and b over one denominator, with D = a1 a2 - b^2, fades e^(-2 s t) and rises (1 - e^(-2 s t))/s."""
    (f1, f2), (r1, r2), D = fades, rises, a1 * a2 - b**2
    below = f1 * f2 + f1 * a2 * r2 + f2 * a1 * r1 + r1 * r2 * D
    return {a1: (f2 * a1 + r2 * D) / below, a2: (f1 * a2 + r1 * D) / below, b: sp.sqrt(f1) * sp.sqrt(f2) * b / below}


def faded(values: tuple[sp.Expr, sp.Expr]) -> dict[sp.Symbol, sp.Expr]:
    """The same for two singular values of the task, each positive or zero."""
    fades = tuple(sp.exp(-2 * value * t) for value in values)
    rises = tuple((1 - sp.exp(-2 * value * t)) / value if value != 0 else 2 * t for value in values)
    return common((fades[0], fades[1]), (rises[0], rises[1]))


ZERO = sp.Integer(0)
CASES = [(p1, p2), (p1, ZERO), (ZERO, p2), (ZERO, ZERO), (p1, p1)]
"""Singular values of the task: different, one or both zero, equal."""


@paper.claim("Beyond: two modes over one denominator")
def decoupling_solves_the_flow() -> Certificate:
    """The entries of A'A for two modes, over one denominator without inverses, solve the flow of equation 13 from every start, of
    rank one or zero too, for all singular values of the task, zero and equal ones included."""

    def solved(values: tuple[sp.Expr, sp.Expr]) -> Certificate:
        P, task = sp.Matrix([[a1, b], [b, a2]]), sp.diag(*values)
        rate = (task * P + P * task - 2 * P * P).expand()
        flow = {a1: rate[0, 0], a2: rate[1, 1], b: rate[0, 1]}
        return prove.solves(flow, faded(values), start={a: a for a in START}, time=t)

    return prove.every(*map(solved, CASES))


@paper.claim("Beyond: two modes by equation 13")
def decoupling_by_inverses() -> Certificate:
    """Where A(0)'A(0) has an inverse, the entries over one denominator are the inverse in equation 13."""
    P, value = sp.Matrix([[a1, b], [b, a2]]), faded((p1, p2))
    decay = sp.diag(sp.exp(-p1 * t), sp.exp(-p2 * t))
    inside = decay * P.adjugate() * decay / (a1 * a2 - b**2) + (sp.eye(2) - decay**2) * sp.diag(1 / p1, 1 / p2)
    return prove.identity(sp.Matrix([[value[a1], value[b]], [value[b], value[a2]]]) * inside, sp.eye(2))


def in_full(expression: sp.Expr, holds: dict[sp.Basic, bool], values: tuple[sp.Expr, sp.Expr]) -> sp.Expr:
    """A formula of the kernel with its parts put back, in the branches that are taken."""
    expression = put_back(expression, DECOUPLING_PARTS, holds)
    if holds[sp.Eq(b, 0)]:
        expression = expression.subs(b, 0)
    if not holds[determinant > 0]:
        expression = expression.subs(a2, b**2 / a1)
    expression = expression.replace(sp.Abs, lambda gap: gap if holds[s1 >= s2] else -gap)
    return expression.subs({s1: values[0], s2: values[1]}).rewrite(sp.exp)


def taken(
    ordered: bool, late_1: bool, late_2: bool, regular: bool = True, decoupled: bool = False
) -> dict[sp.Basic, bool]:
    """Which conditions hold: b is computed on the side of the larger singular value."""
    return {
        s1 >= s2: ordered,
        late1: late_1,
        late2: late_2,
        late: late_1 if ordered else late_2,
        determinant > 0: regular,
        sp.Eq(b, 0): decoupled,
        sp.Eq(a1, 0): False,
        sp.Eq(a2, 0): False,
    }


@paper.claim("Beyond: two modes, as emitted", rests_on=["decoupling_solves_the_flow"])
def emitted_decoupling() -> Certificate:
    """In every branch the emitted a1, a2 and b equal those over one denominator, for starts of rank two and one and for positive,
    zero and equal singular values of the task."""
    start = {a1: sp.Symbol("a1", positive=True), a2: sp.Symbol("a2", positive=True)}

    def agree(holds: dict[sp.Basic, bool], values: tuple[sp.Expr, sp.Expr]) -> Certificate:
        fixed = {b: ZERO} if holds[sp.Eq(b, 0)] else {} if holds[determinant > 0] else {a2: b**2 / a1}
        pairs = ((in_full(DECOUPLED[a], holds, values), faded(values)[a].subs(fixed)) for a in START)
        return prove.every(*(prove.identity(left.subs(start), right.subs(start)) for left, right in pairs))

    both = (True, False)
    cases = [taken(*which) for which in ((o, x, y) for o in both for x in both for y in both)]
    cases += [taken(o, False, False, regular=False) for o in both]
    cases += [taken(o, x, y, decoupled=True) for o in both for x in both for y in both]
    gone = [prove.identity(faded((p1, p2))[a].subs({b: ZERO, a: ZERO}), 0) for a in (a1, a2)]
    return prove.every(*(agree(holds, values) for holds in cases for values in CASES), *gone)


@paper.kernel
def decoupling_kernel() -> Kernel:
    return Kernel(
        "decoupling",
        says="The entries of A'A at time t (in units of tau) for two modes, from their values at time zero.",
        state=[a1, a2, b],
        params=[s1, s2, t],
        returns={"a1_t": DECOUPLED[a1], "a2_t": DECOUPLED[a2], "b_t": DECOUPLED[b]},
        shared=DECOUPLING_PARTS,
        domain=[a1 * a2 >= b**2],
        rests_on=["emitted_decoupling", "decoupling_solves_the_flow", "decoupling_by_inverses"],
        cites=f"{CITES}, Eqs. 13 and 14 without their inverses",
    )


# --- the peak of b for equal singular values --------------------------------------------------------------------------

s = sp.Symbol("s", positive=True)
aligned1, aligned2 = sp.symbols("a1 a2", positive=True)
slack = sp.Symbol("slack", real=True)  # s^2 (1 - (a1 + a2)/s)
PEAK_PARTS = [(determinant, aligned1 * aligned2 - b**2), (slack, s * (s - aligned1 - aligned2))]
peak_time = sp.log(1 + slack / determinant) / (4 * s)
peak_scale = s * (aligned1 + aligned2) - 2 * determinant + 2 * sp.sqrt(determinant) * sp.sqrt(slack + determinant)
PEAK = {"t_peak": peak_time, "b_peak": b * s**2 / peak_scale}


@paper.claim("Beyond: the peak for equal singular values, as emitted", rests_on=["decoupling_solves_the_flow"])
def emitted_peak() -> Certificate:
    """For equal singular values and x = e^(-s t), b(0)/b(t) is b(0) over the emitted peak plus (sqrt(alpha) x - sqrt(gamma)/x)^2, which
    vanishes at the emitted time only, where alpha = 1 - (a1 + a2)/s + D/s^2 and gamma = D/s^2 are positive."""
    alpha, gamma, x = sp.symbols("alpha gamma x", positive=True)
    D, L = sp.symbols("determinant slack", positive=True)
    over = common((x**2, x**2), ((1 - x**2) / s, (1 - x**2) / s))[b]
    trace, product = (a1 + a2) / s, (a1 * a2 - b**2) / s**2
    square = (sp.sqrt(alpha) * x - sp.sqrt(gamma) / x) ** 2
    other = (sp.sqrt(alpha) * x + sp.sqrt(gamma) / x) ** 2
    at_peak = {determinant: D, slack: L, aligned1: s - L / s - aligned2}
    exact = {alpha: (L + D) / s**2, gamma: D / s**2}
    lowest = (1 - alpha - gamma + 2 * sp.sqrt(alpha) * sp.sqrt(gamma)).subs(exact)
    return prove.every(
        prove.identity(b / over, (1 - trace + product) * x**2 + trace - 2 * product + product / x**2),
        prove.identity(alpha * x**2 + gamma / x**2, 2 * sp.sqrt(alpha) * sp.sqrt(gamma) + square),
        prove.identity(square * other * x**4, (alpha * x**4 - gamma) ** 2),
        prove.identity((b / PEAK["b_peak"]).subs(at_peak), lowest),
        prove.identity(sp.exp(-4 * s * peak_time.subs(at_peak)), (gamma / alpha).subs(exact)),
    )


@paper.kernel
def decoupling_peak_kernel() -> Kernel:
    return Kernel(
        "decoupling_peak",
        says="The time (in units of tau) and the height of the peak of b for two modes with equal singular values.",
        state=[aligned1, aligned2, b],
        params=[s],
        returns=PEAK,
        shared=PEAK_PARTS,
        domain=[aligned1 * aligned2 > b**2, s > aligned1 + aligned2],
        rests_on=["emitted_peak", "decoupling_solves_the_flow"],
        cites=f"{CITES}, section 5, with the one that the logarithm lacks",
    )
