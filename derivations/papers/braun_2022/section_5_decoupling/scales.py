"""Section 5: small and large starts, equation 15, and when the diagonal is half learned, with exponents and constants."""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.papers.braun_2022.section_5_decoupling.different_modes import RISES, course, fade1, fade2
from derivations.papers.braun_2022.section_5_decoupling.peak import D, a1_equal, a2_equal, alpha, b_equal, fade, gamma
from derivations.papers.braun_2022.setup import a1, a2, b, paper, s, s1, s2, t, tau
from derivations.papers.braun_2022.source import printed
from derivations.prove import Certificate, Verdict

size = sp.Symbol("size", positive=True)
"""How large the start is: (a1, a2, b) = size times fixed values."""

aligned1, root, definite = sp.symbols("aligned1 root definite", positive=True)
DEFINITE = {a1: aligned1, a2: (root**2 + b**2) / aligned1}
"""Values with the positive determinant root^2."""

SCALED = {a1: size * a1, a2: size * a2, b: size * b}


def of_size(expression: sp.Expr, fading: sp.Expr = fade) -> sp.Expr:
    """For a start of that size and determinant, at a time told by e^(-2 s t)."""
    return expression.subs(fade, fading).subs(SCALED, simultaneous=True).subs(DEFINITE)


def fixed(expression: sp.Expr) -> sp.Expr:
    return expression.subs(DEFINITE)


# --- small starts: the peak ---------------------------------------------------------------------------------------------

late = sp.Symbol("late", positive=True)
"""e^(-2 s t) over the size of the start: order one while the modes are learned."""

during = size * late


@paper.claim("Section 5, near-zero off-diagonal, while the modes are learned", rests_on=["decoupling_solution_equal"])
def off_diagonal_of_small_starts() -> Certificate:
    """For equal singular values and a start of vanishing size, while e^(-2 s t) is l times that size, b(t) tends to l
    b/(l^2 + l (a1 + a2)/s + D/s^2), which does not depend on the size."""
    value = late * b / (late**2 + late * (a1 + a2) / s + D / s**2)
    return prove.limit(of_size(b_equal, during), [size], fixed(value))


@paper.claim(
    "Section 5, near-zero off-diagonal, equal singular values",
    expect=Verdict.REFUTED,
    corrected_by="peak_of_small_starts",
    rests_on=["off_diagonal_of_small_starts"],
)
def small_starts_stay_near_zero() -> Certificate:
    """For equal singular values the off-diagonal entry stays near zero throughout learning if the start is small: its
    value at the peak vanishes with the size of the start."""
    return prove.limit(of_size(b_equal, size * root / s), [size], 0)


@paper.claim(
    "Section 5, near-zero off-diagonal, equal singular values, corrected",
    rests_on=["off_diagonal_of_small_starts", "peak_time", "peak_height"],
)
def peak_of_small_starts() -> Certificate:
    """For equal singular values the peak of a vanishing start has the height s b/(a1 + a2 + 2 sqrt(D)): order one,
    however small the start, and unequal to zero unless b is."""
    return prove.every(
        prove.limit(of_size(alpha), [size], 1),
        prove.identity(of_size(gamma), (size * root / s) ** 2),
        prove.limit(of_size(b_equal, size * root / s), [size], fixed(s * b / (a1 + a2 + 2 * root))),
    )


# --- small starts of different singular values --------------------------------------------------------------------------

kept, lag, passed = sp.symbols("kept lag passed", positive=True)
"""For s2 > s1. While the stronger mode is learned e^(-2 s2 t) is size/kept and e^(-2 s1 t) is size/lag with a small lag;
while the weaker one is learned e^(-2 s1 t) is size/kept, and e^(-2 s2 t) the size times a small quantity `passed`."""

WHILE_STRONG = {fade2: size / kept, fade1: size / lag}
WHILE_WEAK = {fade1: size / kept, fade2: size * passed}


def of_modes(entry: sp.Symbol, while_learned: dict[sp.Symbol, sp.Expr]) -> sp.Expr:
    """An entry of A'A for a start of that size while one of the modes is learned."""
    return course[entry].subs(SCALED, simultaneous=True).subs(DEFINITE).subs(while_learned)


@paper.claim("Section 5, near-zero off-diagonal, different singular values", rests_on=["decoupling_solves_the_flow"])
def small_starts_of_different_modes() -> Certificate:
    """For s2 > s1, while the stronger mode is learned (size e^(2 s2 t) = k), b(t) tends to k b/(1 + k a2/s2) times
    e^(-(s2 - s1) t): as e^(-(s2 - s1) t) = (size/k)^((s2 - s1)/(2 s2)), b falls with that power of the size of the
    start."""
    value = of_modes(b, WHILE_STRONG) / sp.sqrt(lag / kept)
    return prove.limit(value, [size, lag], fixed(kept * b / (1 + kept * a2 / s2)))


@paper.claim(
    "Section 5, near-zero off-diagonal, different singular values, throughout", rests_on=["decoupling_solves_the_flow"]
)
def different_modes_stay_near_zero() -> Certificate:
    """For s2 > s1, D > 0 and a2 < s2 the denominator of b(t) is e^(-2 (s1 + s2) t) (1 - a2/s2) + e^(-2 s1 t) a2/s2
    and something positive. So the size of b(t) is at most e^(-(s2 - s1) t) b s2/a2, in which the size of the start
    cancels, and, as long as e^(-2 s2 t) is above the root of the size of the start, at most sqrt(size) b s2/(s2 -
    size a2): small starts stay near zero, early by the second bound and late by the first."""
    more = RISES[0] * (fade2 * aligned1 + RISES[1] * definite)
    denominator = fade1 * fade2 * (1 - a2 / s2) + fade1 * a2 / s2 + more.subs({definite: D, aligned1: a1})
    return prove.every(
        prove.identity(course[b] * denominator, sp.sqrt(fade1) * sp.sqrt(fade2) * b),
        prove.positive(more, assuming=[fade1 < 1, fade2 < 1]),
        prove.positive(1 - a2 / s2, assuming=[s2 > a2]),
        prove.limit(size * b * s2 / (s2 - size * a2) / sp.sqrt(size), [size], 0),
    )


@paper.claim(
    "Section 5, the modes are learned as if decoupled, the stronger one", rests_on=["decoupling_solves_the_flow"]
)
def stronger_mode_of_small_starts() -> Certificate:
    """For s2 > s1, while the stronger mode of a small start is learned (size e^(2 s2 t) = k), a2(t) tends to k a2/(1
    + k a2/s2): its course without any coupling."""
    return prove.limit(of_modes(a2, WHILE_STRONG), [size, lag], fixed(kept * a2 / (1 + kept * a2 / s2)))


@paper.claim(
    "Section 5, the modes are learned as if decoupled, the weaker one",
    expect=Verdict.REFUTED,
    corrected_by="weaker_mode_of_small_starts",
    rests_on=["decoupling_solves_the_flow"],
)
def weaker_mode_as_if_decoupled() -> Certificate:
    """For s2 > s1, while the weaker mode of a small start is learned (size e^(2 s1 t) = k), a1(t) tends to its course
    without any coupling, k a1/(1 + k a1/s1)."""
    return prove.limit(of_modes(a1, WHILE_WEAK), [size, passed], fixed(kept * a1 / (1 + kept * a1 / s1)))


@paper.claim(
    "Section 5, the modes are learned as if decoupled, the weaker one, corrected",
    rests_on=["decoupling_solves_the_flow"],
)
def weaker_mode_of_small_starts() -> Certificate:
    """For s2 > s1, while the weaker mode of a small start is learned, a1(t) tends to k r/(1 + k r/s1) with r = D/a2 =
    a1 - b^2/a2: it is learned as if decoupled from a start that the stronger mode has lowered by b^2/a2, later by the
    fixed time ln(a1/r)/(2 s1)."""
    lowered = D / a2
    return prove.every(
        prove.limit(of_modes(a1, WHILE_WEAK), [size, passed], fixed(kept * lowered / (1 + kept * lowered / s1))),
        prove.identity(lowered, a1 - b**2 / a2),
    )


@paper.claim("Section 5, the map decouples before the modes are learned", rests_on=["decoupling_solves_the_flow"])
def coupling_before_the_modes_are_learned() -> Certificate:
    """At a fixed time, as the size of the start goes to zero, b/a2 tends to e^(-(s2 - s1) t) times its value at the
    start: the direction of the stronger mode decouples before anything is learned, while b^2/(a1 a2) stays what it
    was."""
    at_time = {entry: course[entry].subs(SCALED, simultaneous=True).subs(DEFINITE) for entry in (a1, a2, b)}
    return prove.every(
        prove.limit(at_time[b] / at_time[a2], [size], fixed(b / a2) * sp.sqrt(fade2) / sp.sqrt(fade1)),
        prove.limit(at_time[b] ** 2 / (at_time[a1] * at_time[a2]), [size], fixed(b**2 / (a1 * a2))),
    )


@paper.claim(
    "Section 5, the map decouples before the modes are learned, equal singular values",
    expect=Verdict.REFUTED,
    corrected_by="coupling_before_the_modes_are_learned",
    rests_on=["decoupling_solution_equal"],
)
def equal_modes_decouple_before_they_are_learned() -> Certificate:
    """For equal singular values too, b/a2 has fallen below its value at the start before anything is learned: at the
    time at which e^(-2 s t) = 1/2 it tends to less than b/a2, say to its half."""
    at_time = of_size(b_equal / a2_equal, sp.Rational(1, 2))
    return prove.limit(at_time, [size], fixed(b / a2) / 2)


# --- equation 15 --------------------------------------------------------------------------------------------------------

by_fade = s * a1 / (fade * (s - a1 - a2) + a1 + a2)
"""Equation 15 with e^(-2 s t/tau) as a symbol."""


@paper.claim("Eq. 15, for starts of rank one", printed=printed.EQ_15, rests_on=["decoupling_solution_equal"])
def sigmoid_of_rank_one() -> Certificate:
    """For equal singular values and a start of rank one, D = 0, equation 15 is a1(t) exactly, for starts of any
    size."""
    lone = {a1: aligned1, a2: b**2 / aligned1}
    exact = a1_equal.subs(lone).subs(fade, sp.exp(-2 * s * t / tau))
    return prove.identity(printed.sigmoid.subs(lone), exact)


@paper.claim(
    "Eq. 15",
    printed=printed.EQ_15,
    expect=Verdict.REFUTED,
    corrected_by="diagonal_of_small_starts",
    rests_on=["decoupling_solution_equal"],
)
def printed_sigmoid() -> Certificate:
    """For equal singular values and a start of vanishing size, a1(t) is as printed: while e^(-2 s t) is l times the
    size, it tends to the limit of equation 15, s a1/(l s + a1 + a2)."""
    return prove.limit(of_size(a1_equal, during), [size], fixed(s * a1 / (late * s + a1 + a2)))


@paper.claim("Eq. 15, corrected", rests_on=["decoupling_solution_equal"])
def diagonal_of_small_starts() -> Certificate:
    """For equal singular values and a start of vanishing size, while e^(-2 s t) is l times the size, a1(t) tends to
    (l a1 + D/s)/(l^2 + l (a1 + a2)/s + D/s^2), and equation 15 to s a1/(l s + a1 + a2): it drops D."""
    value = (late * a1 + D / s) / (late**2 + late * (a1 + a2) / s + D / s**2)
    return prove.every(
        prove.limit(of_size(a1_equal, during), [size], fixed(value)),
        prove.limit(of_size(by_fade, during), [size], fixed(s * a1 / (late * s + a1 + a2))),
    )


@paper.claim("Eq. 15, before the modes are learned", rests_on=["decoupling_solution_equal"])
def sigmoid_at_early_times() -> Certificate:
    """At a fixed time, long before a small start has learned anything, a1(t) and equation 15 both grow as a1 e^(2 s
    t)."""
    return prove.every(*(prove.limit(of_size(value) / size, [size], fixed(a1 / fade)) for value in (a1_equal, by_fade)))


@paper.claim("Eq. 15, at convergence", expect=Verdict.REFUTED, corrected_by="sigmoid_ends_elsewhere")
def sigmoid_learns_the_mode() -> Certificate:
    """Equation 15 ends at s, the singular value that is to be learned."""
    return prove.limit(fixed(by_fade), [fade], s)


@paper.claim("Eq. 15, at convergence, corrected", rests_on=["off_diagonal_vanishes"])
def sigmoid_ends_elsewhere() -> Certificate:
    """Equation 15 ends at s a1/(a1 + a2), while a1(t) ends at s from every start with D > 0."""
    return prove.every(
        prove.limit(fixed(by_fade), [fade], fixed(s * a1 / (a1 + a2))), prove.limit(fixed(a1_equal), [fade], s)
    )


@paper.claim(
    "Eq. 15, for decoupled starts",
    expect=Verdict.REFUTED,
    corrected_by="decoupled_sigmoid",
    rests_on=["decoupling_solution_equal"],
)
def sigmoid_of_decoupled_modes() -> Certificate:
    """For b = 0 equation 15 is a1(t), the known solution for decoupled starts."""
    return prove.identity(by_fade, a1_equal.subs(b, 0), assuming=[fade < 1])


@paper.claim(
    ["Eq. 15, for decoupled starts, corrected", "Section 5, b(0) = 0"], rests_on=["decoupling_solves_the_flow"]
)
def decoupled_sigmoid() -> Certificate:
    """For b = 0, b stays zero and each entry is the known solution s1 e^(2 s1 t)/(e^(2 s1 t) - 1 + s1/a1) = s1
    a1/(e^(-2 s1 t) (s1 - a1) + a1), for equal singular values too: the other mode does not enter."""
    start = {b: sp.Integer(0), a1: aligned1, a2: definite}
    known = s1 / fade1 / (1 / fade1 - 1 + s1 / aligned1)
    return prove.every(
        prove.identity(course[a1].subs(start), known, assuming=[fade2 < 1, fade1 < 1]),
        prove.identity(known, s1 * aligned1 / (fade1 * (s1 - aligned1) + aligned1)),
        prove.identity(course[b].subs(start), 0),
    )


# --- half learned at the peak -------------------------------------------------------------------------------------------


@paper.claim(
    "Section 5, the on-diagonal element is half learned, each",
    expect=Verdict.REFUTED,
    corrected_by="diagonal_at_the_peak_of_small_starts",
    rests_on=["peak_time"],
)
def each_element_is_half_learned_at_the_peak() -> Certificate:
    """For equal singular values and vanishing starts each on-diagonal element is half learned at the peak of b: a1
    tends to s/2."""
    return prove.limit(of_size(a1_equal, size * root / s), [size], s / 2)


@paper.claim("Section 5, the on-diagonal element is half learned, each, corrected", rests_on=["peak_time"])
def diagonal_at_the_peak_of_small_starts() -> Certificate:
    """At the peak of a vanishing start a1 is s (a1 + sqrt(D))/(a1 + a2 + 2 sqrt(D)): half learned exactly if a1(0) =
    a2(0), and less than half where a1(0) < a2(0)."""
    fraction = (a1 + root) / (a1 + a2 + 2 * root)
    return prove.every(
        prove.limit(of_size(a1_equal, size * root / s), [size], fixed(s * fraction)),
        prove.identity(fixed((fraction - sp.Rational(1, 2)) * 2 * (a1 + a2 + 2 * root)), fixed(a1 - a2)),
    )


@paper.claim("Section 5, the on-diagonal element is half learned, equal", rests_on=["peak_time"])
def equal_modes_are_half_learned_at_the_peak_time() -> Certificate:
    """For a1(0) = a2(0) and equal singular values, a1 is half learned exactly where b peaks, for starts of every
    size; without coupling that is at e^(-2 s t) = a1/(s - a1)."""
    twin = {a2: a1}
    below = fade**2 + 2 * fade * (1 - fade) * a1 / s + (1 - fade) ** 2 * gamma
    lone = aligned1 / (s - aligned1)
    return prove.every(
        prove.identity(((2 * a1_equal - s) * below).subs(twin), (s * (gamma - alpha * fade**2)).subs(twin)),
        prove.identity((gamma - alpha * lone**2).subs({a2: a1, b: 0}).subs(a1, aligned1), 0, assuming=[s > aligned1]),
    )


half_late, rare = sp.symbols("half_late rare", positive=True)
"""`late` at the time at which a1 is half learned, and one over the logarithm of one over the size of the start."""


@paper.claim(
    "Section 5, the on-diagonal element is half learned, approximately", rests_on=["off_diagonal_of_small_starts"]
)
def half_learned_time_of_small_starts() -> Certificate:
    """For vanishing starts a1 is half learned where l = e^(-2 s t)/size solves s^2 l^2 = s (a1 - a2) l + D, and b
    peaks at s^2 l^2 = D: two times t = (ln(1/size) - ln l)/(2 s) that differ by a constant, while their ratio tends
    to one."""
    value = (late * a1 + D / s) / (late**2 + late * (a1 + a2) / s + D / s**2)
    learned = s**2 * late**2 - s * (a1 - a2) * late - D
    times = [1 / rare - sp.log(value) for value in (half_late, root / s)]
    return prove.every(
        prove.identity(fixed(s - 2 * value), fixed(learned / (s * late**2 + late * (a1 + a2) + D / s))),
        prove.limit(times[0] / times[1], [rare], 1),
    )


weaker = sp.Symbol("weaker", positive=True)
"""The other diagonal entry at that time."""


@paper.claim("Section 5, the maximum is reached before the mode is learned", rests_on=["rate_of_b"])
def peak_comes_before_the_mode_is_learned() -> Certificate:
    """Where b is stationary for equal singular values, a1 + a2 = s, so that a1 is below s as long as a2 is
    positive."""
    return prove.implies([sp.Eq(aligned1 + weaker, s)], s > aligned1)


# --- large starts -------------------------------------------------------------------------------------------------------

inverse_size = sp.Symbol("inverse_size", positive=True)


@paper.claim("Section 5, large starts", rests_on=["decoupling_solves_the_flow"])
def diagonal_of_large_starts() -> Certificate:
    """For starts of growing size with D > 0, a1(t) tends to s1/(1 - e^(-2 s1 t)) at every fixed time t > 0, whatever
    the start, and b(t) falls as one over the size: sqrt(f1 f2) b s1 s2/(D (1 - f1) (1 - f2)) over it, with f = e^(-2
    s t)."""
    large = {a1: a1 / inverse_size, a2: a2 / inverse_size, b: b / inverse_size}
    grown = {entry: course[entry].subs(large, simultaneous=True).subs(DEFINITE) for entry in (a1, b)}
    fading = [fade1 < 1, fade2 < 1]
    left = sp.sqrt(fade1) * sp.sqrt(fade2) * b * s1 * s2 / (root**2 * (1 - fade1) * (1 - fade2))
    return prove.every(
        prove.limit(grown[a1], [inverse_size], s1 / (1 - fade1), assuming=fading),
        prove.limit(grown[b] / inverse_size, [inverse_size], left, assuming=fading),
    )


@paper.claim(
    "Section 5, large starts of rank one",
    expect=Verdict.REFUTED,
    corrected_by="diagonal_of_large_starts",
    rests_on=["decoupling_solution_equal"],
)
def large_starts_of_rank_one() -> Certificate:
    """For equal singular values a1(t) tends to s/(1 - e^(-2 s t)) for growing starts with D = 0 too."""
    lone = {a1: aligned1 / inverse_size, a2: b**2 / (aligned1 * inverse_size), b: b / inverse_size}
    return prove.limit(a1_equal.subs(lone, simultaneous=True), [inverse_size], s / (1 - fade), assuming=[fade < 1])


@paper.claim(
    "Section 5, close to exponential, at all times",
    expect=Verdict.REFUTED,
    corrected_by="large_starts_end_exponentially",
    rests_on=["diagonal_of_large_starts"],
)
def large_starts_are_exponential() -> Certificate:
    """The course of large starts, s/(1 - e^(-2 s t)), is exponential: its distance from s is the same multiple of
    e^(-2 s t) at all times."""
    return prove.identity((s / (1 - fade) - s) / fade, s, assuming=[fade < 1])


@paper.claim("Section 5, close to exponential, at late times", rests_on=["diagonal_of_large_starts"])
def large_starts_end_exponentially() -> Certificate:
    """The course of large starts is s e^(-2 s t)/(1 - e^(-2 s t)) above s: exponential at late times, where e^(-2 s
    t) is small."""
    return prove.every(
        prove.identity(s / (1 - fade) - s, s * fade / (1 - fade), assuming=[fade < 1]),
        prove.limit((s / (1 - fade) - s) / fade, [fade], s, assuming=[fade < 1]),
    )
