"""Section 5: small and large starts, equation 15, and when the diagonal is half learned, with exact exponents and constants."""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.papers.braun_2022 import printed
from derivations.papers.braun_2022.peak import (
    D,
    a1_equal,
    alpha,
    b_equal,
    fade,
    gamma,
    rest_time,
)
from derivations.papers.braun_2022.setup import a1, a2, b, paper, s, s2, t, tau
from derivations.prove import Certificate, Verdict

size = sp.Symbol("size", positive=True)
"""How large the start is: (a1, a2, b) = size times fixed values."""

aligned1, root = sp.symbols("aligned1 root", positive=True)
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
    """For equal singular values and a start of vanishing size, while e^(-2 s t) is l times that size, b(t) tends to
    l b/(l^2 + l (a1 + a2)/s + D/s^2), which does not depend on the size."""
    value = late * b / (late**2 + late * (a1 + a2) / s + D / s**2)
    return prove.limit(of_size(b_equal, during), [size], fixed(value))


@paper.claim(
    "Section 5, near-zero off-diagonal, equal singular values",
    expect=Verdict.REFUTED,
    corrected_by="peak_of_small_starts",
    rests_on=["off_diagonal_of_small_starts"],
)
def small_starts_stay_near_zero() -> Certificate:
    """For equal singular values the off-diagonal entry stays near zero throughout learning if the start is small: its value at the
    peak vanishes with the size of the start."""
    return prove.limit(of_size(b_equal, size * root / s), [size], 0)


@paper.claim(
    "Section 5, near-zero off-diagonal, equal singular values, corrected",
    rests_on=["off_diagonal_of_small_starts", "peak_time"],
)
def peak_of_small_starts() -> Certificate:
    """For equal singular values the peak of a vanishing start has the height s b/(a1 + a2 + 2 sqrt(D)): order one, however small
    the start, and unequal to zero unless b is."""
    return prove.every(
        prove.limit(of_size(alpha), [size], 1),
        prove.identity(of_size(gamma), (size * root / s) ** 2),
        prove.limit(of_size(b_equal, size * root / s), [size], fixed(s * b / (a1 + a2 + 2 * root))),
    )


apart, kept = sp.symbols("apart kept", positive=True)
"""e^(-(s2 - s1) t), and the size of the start times e^(2 s2 t)."""


@paper.claim("Section 5, near-zero off-diagonal, different singular values", rests_on=["gain_of_the_off_diagonal"])
def small_starts_of_different_modes() -> Certificate:
    """For s2 > s1, while the stronger mode is learned (size e^(2 s2 t) = k), b(t) tends to k b/(1 + k a2/s2) times e^(-(s2 - s1) t): as
    e^(-(s2 - s1) t) = (size/k)^((s2 - s1)/(2 s2)), b falls with that power of the size of the start."""
    strong = sp.sqrt(kept / size)
    value = (b / gain).subs(SCALED, simultaneous=True).subs(DEFINITE).subs({q: strong, p: apart * strong})
    return prove.limit(value / apart, [size, apart], fixed(kept * b / (1 + kept * a2 / s2)))


# --- equation 15 --------------------------------------------------------------------------------------------------------

by_fade = s * a1 / (fade * (s - a1 - a2) + a1 + a2)
"""Equation 15 with e^(-2 s t/tau) as a symbol."""


@paper.claim("Eq. 15, for starts of rank one", printed=printed.EQ_15, rests_on=["decoupling_solution_equal"])
def sigmoid_of_rank_one() -> Certificate:
    """For equal singular values and a start of rank one, D = 0, equation 15 is a1(t) exactly, for starts of any size."""
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
    """For equal singular values and a start of vanishing size, a1(t) is as printed: while e^(-2 s t) is l times the size, it tends to the
    limit of equation 15, s a1/(l s + a1 + a2)."""
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
    """At a fixed time, long before a small start has learned anything, a1(t) and equation 15 both grow as a1 e^(2 s t)."""
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
    return prove.identity(by_fade, a1_equal.subs(b, 0))


@paper.claim("Eq. 15, for decoupled starts, corrected", rests_on=["decoupling_solution_equal"])
def decoupled_sigmoid() -> Certificate:
    """For b = 0, a1(t) = s a1/(e^(-2 s t) (s - a1) + a1): the other mode does not enter."""
    return prove.identity(a1_equal.subs(b, 0), s * a1 / (fade * (s - a1) + a1), assuming=[a2 > 0, fade < 1, s > a2])


# --- half learned at the peak -------------------------------------------------------------------------------------------


@paper.claim(
    "Section 5, the on-diagonal element is half learned, each",
    expect=Verdict.REFUTED,
    corrected_by="diagonal_at_the_peak_of_small_starts",
    rests_on=["peak_time"],
)
def each_element_is_half_learned_at_the_peak() -> Certificate:
    """For equal singular values and vanishing starts each on-diagonal element is half learned at the peak of b: a1 tends to s/2."""
    return prove.limit(of_size(a1_equal, size * root / s), [size], s / 2)


@paper.claim("Section 5, the on-diagonal element is half learned, each, corrected", rests_on=["peak_time"])
def diagonal_at_the_peak_of_small_starts() -> Certificate:
    """At the peak of a vanishing start a1 is s (a1 + sqrt(D))/(a1 + a2 + 2 sqrt(D)): half learned exactly if a1(0) = a2(0), and less than
    half where a1(0) < a2(0)."""
    fraction = (a1 + root) / (a1 + a2 + 2 * root)
    return prove.every(
        prove.limit(of_size(a1_equal, size * root / s), [size], fixed(s * fraction)),
        prove.identity(fixed((fraction - sp.Rational(1, 2)) * 2 * (a1 + a2 + 2 * root)), fixed(a1 - a2)),
    )


@paper.claim(
    "Section 5, the on-diagonal element is half learned, decoupled and equal",
    rests_on=["peak_time", "decoupled_sigmoid"],
)
def equal_modes_are_half_learned_at_the_peak_time() -> Certificate:
    """Without coupling and for a1(0) = a2(0) < s, a1 is s/2 exactly at the time at which b would peak, e^(-2 s t) = a1/(s - a1)."""
    twin = {a2: aligned1, a1: aligned1, b: sp.Integer(0)}
    at_time = aligned1 / (s - aligned1)
    return prove.every(
        prove.identity(a1_equal.subs(twin).subs(fade, at_time), s / 2, assuming=[s > aligned1]),
        prove.identity(sp.exp(4 * s * rest_time.subs(twin) / tau) * at_time**2, 1, assuming=[s > aligned1]),
    )


weaker = sp.Symbol("weaker", positive=True)
"""The other diagonal entry at that time."""


@paper.claim("Section 5, the maximum is reached before the mode is learned", rests_on=["rate_of_b"])
def peak_comes_before_the_mode_is_learned() -> Certificate:
    """Where b is stationary for equal singular values, a1 + a2 = s, so that a1 is below s as long as a2 is positive."""
    return prove.implies([sp.Eq(aligned1 + weaker, s)], s > aligned1)


# --- large starts -------------------------------------------------------------------------------------------------------

inverse_size = sp.Symbol("inverse_size", positive=True)


def of_large_size(expression: sp.Expr) -> sp.Expr:
    return of_size(expression).subs(size, 1 / inverse_size)


@paper.claim("Section 5, large starts", rests_on=["decoupling_solution_equal"])
def diagonal_of_large_starts() -> Certificate:
    """For equal singular values and starts of growing size, D > 0, a1(t) tends to s/(1 - e^(-2 s t)) at every fixed time t > 0, whatever the
    start, and b(t) falls as one over the size: b s^2 e^(-2 s t)/(D (1 - e^(-2 s t))^2) over it."""
    return prove.every(
        prove.limit(of_large_size(a1_equal), [inverse_size], s / (1 - fade), assuming=[fade < 1]),
        prove.limit(
            of_large_size(b_equal) / inverse_size,
            [inverse_size],
            b * s**2 * fade / (root**2 * (1 - fade) ** 2),
            assuming=[fade < 1],
        ),
    )


@paper.claim(
    "Section 5, close to exponential, at all times",
    expect=Verdict.REFUTED,
    corrected_by="large_starts_end_exponentially",
    rests_on=["diagonal_of_large_starts"],
)
def large_starts_are_exponential() -> Certificate:
    """The course of large starts, s/(1 - e^(-2 s t)), is exponential: its distance from s is the same multiple of e^(-2 s t) at all times."""
    return prove.identity((s / (1 - fade) - s) / fade, s, assuming=[fade < 1])


@paper.claim("Section 5, close to exponential, at late times", rests_on=["diagonal_of_large_starts"])
def large_starts_end_exponentially() -> Certificate:
    """The course of large starts is s e^(-2 s t)/(1 - e^(-2 s t)) above s: exponential at late times, where e^(-2 s t) is small."""
    return prove.every(
        prove.identity(s / (1 - fade) - s, s * fade / (1 - fade), assuming=[fade < 1]),
        prove.limit((s / (1 - fade) - s) / fade, [fade], s, assuming=[fade < 1]),
    )


for panel, shows in {
    "4A": "the on- and off-diagonal elements of A'A over time, solution on top of simulation",
    "4C": "three targets: dense, with unequal diagonal, with equal diagonal",
    "4D": "decoupling for the dense target from small, intermediate and large starts",
    "4E": "decoupling for the target with unequal diagonal from small, intermediate and large starts",
    "4F": "decoupling for the target with equal diagonal from the same starts, with the predicted times of the peak",
}.items():
    paper.experiment(f"Fig. {panel}", f"fig_{panel.lower()}", f"Figure {panel} shows {shows}.", rests_on=["theorem_51"])
