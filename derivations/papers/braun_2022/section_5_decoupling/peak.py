"""Section 5 for two equal singular values: every stationary point of the off-diagonal entry b, and what is said of it.

Time enters through fade = e^(-2 s t/tau).
"""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.papers.braun_2022 import emitted
from derivations.papers.braun_2022.setup import a1, a2, b, paper, s, s1, s2, tau
from derivations.papers.braun_2022.source import printed
from derivations.prove import Certificate, Verdict

fade = sp.Symbol("fade", positive=True)
"""e^(-2 s t/tau)."""

REAL = dict(zip(emitted.START, (a1, a2, b), strict=True))


def entries(fades: tuple[sp.Expr, sp.Expr], rises: tuple[sp.Expr, sp.Expr]) -> dict[sp.Symbol, sp.Expr]:
    """a1, a2 and b at a time, from fades e^(-2 s t) and rises (1 - e^(-2 s t))/s."""
    return {REAL[name]: value.subs(REAL) for name, value in emitted.common(fades, rises).items()}


trace, D = a1 + a2, a1 * a2 - b**2
alpha, gamma = 1 - trace / s + D / s**2, D / s**2
below = fade**2 + fade * (1 - fade) * trace / s + (1 - fade) ** 2 * gamma
b_equal = fade * b / below
a1_equal = (fade * a1 + (1 - fade) * D / s) / below
a2_equal = a1_equal.subs({a1: a2, a2: a1}, simultaneous=True)
"""The entries of A'A for equal singular values."""

rest_time = tau / (4 * s) * sp.log(1 + s * (s - a1 - a2) / D)


@paper.claim("Section 5, the flow of b", rests_on=["flow_of_gram"])
def rate_of_b() -> Certificate:
    """b changes at the rate b (s1 + s2 - 2 (a1 + a2)): it is stationary exactly where the diagonal entries have
    learned half of what they will, a1 + a2 = (s1 + s2)/2."""
    P, task = sp.Matrix([[a1, b], [b, a2]]), sp.diag(s1, s2)
    return prove.identity((task * P + P * task - 2 * P * P)[0, 1], b * (s1 + s2 - 2 * (a1 + a2)))


@paper.claim("Section 5, equal singular values", rests_on=["decoupling_solves_the_flow"])
def decoupling_solution_equal() -> Certificate:
    """For equal singular values all entries of A'A(t) are quadratic in e^(-2 s t) over one quadratic."""
    value = entries((fade, fade), ((1 - fade) / s, (1 - fade) / s))
    return prove.identity((a1_equal, a2_equal, b_equal**2), (value[a1], value[a2], value[b] ** 2))


@paper.claim("Section 5, stationary points for equal singular values", rests_on=["decoupling_solution_equal"])
def stationary_for_equal_singular_values() -> Certificate:
    """The derivative of b by e^(-2 s t) is b (gamma - alpha e^(-4 s t)) over a square, with alpha = 1 - (a1 + a2)/s +
    D/s^2 and gamma = D/s^2: there is at most one stationary point, where e^(-4 s t) = gamma/alpha."""
    return prove.identity(sp.diff(b_equal, fade) * below**2, b * (gamma - alpha * fade**2))


aligned1, aligned2 = sp.symbols("a1 a2", positive=True)
INSIDE = [aligned1 * aligned2 > b**2, s > aligned1 + aligned2, sp.Ne(b, 0)]


def with_aligned(expression: sp.Expr) -> sp.Expr:
    return expression.subs({a1: aligned1, a2: aligned2})


def level(time: sp.Expr) -> sp.Expr:
    """e^(4 s t/tau) at a time."""
    return sp.exp(4 * s * time / tau)


@paper.claim(
    "Section 5, time of the peak",
    printed=printed.PEAK,
    expect=Verdict.REFUTED,
    corrected_by="peak_time",
    rests_on=["stationary_for_equal_singular_values"],
)
def printed_peak_time() -> Certificate:
    """At the printed time gamma = alpha e^(-4 s t/tau), so that b is stationary."""
    return prove.identity(with_aligned(alpha), with_aligned(gamma * level(printed.t_peak)), assuming=INSIDE)


@paper.claim("Section 5, time of the peak, corrected", rests_on=["stationary_for_equal_singular_values"])
def peak_time() -> Certificate:
    """b is stationary at tau/(4 s) ln(1 + s (s - a1 - a2)/D), one more in the logarithm than printed."""
    return prove.identity(with_aligned(alpha), with_aligned(gamma * level(rest_time)), assuming=INSIDE)


tiny, aligned_root = sp.symbols("tiny aligned_root", positive=True)


@paper.claim("Section 5, time of the peak, small starts", printed=printed.PEAK, rests_on=["peak_time"])
def printed_peak_time_of_small_starts() -> Certificate:
    """For a start of vanishing size the printed time tends to the true one: e^(4 s t/tau) at the two times has the
    ratio one in the limit."""
    ratio = s * (s - trace) / D / (1 + s * (s - trace) / D)
    scaled = ratio.subs({a1: tiny * a1, a2: tiny * a2, b: tiny * b}, simultaneous=True)
    return prove.limit(scaled.subs(a2, (aligned_root**2 + b**2) / a1).subs(a1, aligned1), [tiny], 1)


@paper.claim("Section 5, when there is a peak", rests_on=["stationary_for_equal_singular_values"])
def peak_condition() -> Certificate:
    """alpha - gamma = 1 - (a1 + a2)/s: for D > 0 the stationary point lies at a time after the start exactly if a1 +
    a2 < s."""
    excess = prove.identity(alpha - gamma, 1 - trace / s)
    later = prove.inequality(with_aligned(alpha) > with_aligned(gamma), assuming=[s > aligned1 + aligned2])
    never = prove.inequality(with_aligned(gamma) >= with_aligned(alpha), assuming=[aligned1 + aligned2 >= s])
    return prove.every(excess, later, never)


start_gamma, start_alpha = sp.Symbol("gamma", positive=True), sp.Symbol("alpha", real=True)


@paper.claim("Section 5, no peak is observed, equal singular values", rests_on=["peak_condition"])
def large_starts_have_no_peak() -> Certificate:
    """For equal singular values, D > 0, b not zero and a1 + a2 >= s, where alpha <= gamma, gamma - alpha e^(-4 s t)
    stays positive after the start: the size of b only falls."""
    return prove.positive(
        start_gamma - start_alpha * fade**2, assuming=[start_gamma >= start_alpha, fade < 1], squares=[fade]
    )


@paper.claim("Section 5, non-monotonic trajectories", rests_on=["peak_condition"])
def off_diagonal_can_peak() -> Certificate:
    """From a1 = a2 = s/4 and b = s/8 the off-diagonal entry grows at first, to a peak: it is larger at e^(-2 s t) =
    1/2 than at the start. With the other sign of b(0) all of b(t) has the other sign, and the peak is a valley."""
    start = {a1: s / 4, a2: s / 4, b: s / 8}
    return prove.every(
        prove.positive((b_equal.subs(fade, sp.Rational(1, 2)) - b).subs(start)),
        prove.identity(b_equal.subs(b, -b), -b_equal),
    )


@paper.claim("Section 5, at convergence the off-diagonal shrinks to zero", rests_on=["decoupling_solution_equal"])
def off_diagonal_vanishes() -> Certificate:
    """For D > 0 and equal singular values b(t) goes to zero as e^(-2 s t), and the diagonal entries go to s."""
    definite = sp.Symbol("definite", positive=True)
    known = {a2: (definite + b**2) / aligned1, a1: aligned1}
    return prove.every(
        prove.limit(b_equal.subs(known), [fade], 0),
        prove.limit(a1_equal.subs(known), [fade], s),
        prove.limit((b_equal / fade).subs(known), [fade], b * s**2 / definite),
    )


@paper.claim("Section 5, the start of lower rank", expect=Verdict.REFUTED, corrected_by="off_diagonal_vanishes")
def off_diagonal_always_vanishes() -> Certificate:
    """For equal singular values b(t) goes to zero from every start, one of rank one included."""
    return prove.limit(b_equal.subs(a2, b**2 / aligned1).subs(a1, aligned1), [fade], 0)


@paper.claim("Section 5, the on-diagonal element is half learned, the mean", rests_on=["rate_of_b", "peak_time"])
def diagonal_is_half_learned_at_the_peak() -> Certificate:
    """For equal singular values, where gamma = alpha e^(-4 s t) the mean of the two diagonal entries is exactly s/2:
    half learned, from every start that has a peak."""
    half = fade**2 + fade * (1 - fade) * trace / s + (1 - fade) ** 2 * gamma
    rest = sp.Symbol("definite", positive=True)
    at_rest = {a2: (rest + b**2) / a1}
    excess = (a1_equal + a2_equal - s) * half
    return prove.identity(sp.together(excess.subs(at_rest)), (s * (gamma - alpha * fade**2)).subs(at_rest))
