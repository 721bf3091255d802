"""Section 5 for different singular values, and for more than two modes: when b peaks, how often, and what never peaks.

Time enters through p = e^(s1 t/tau) and q = e^(s2 t/tau), through their inverse squares, or through x = e^(-t/tau) where
the singular values are numbers.
"""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.language.words import along, substitute
from derivations.models.two_layer_linear import St, St_inv
from derivations.papers.braun_2022.section_5_decoupling.peak import D, aligned1, aligned2, entries, with_aligned
from derivations.papers.braun_2022.setup import a1, a2, b, paper, s1, s2, t
from derivations.papers.braun_2022.source.vocabulary import DECAY, ONE, E, gram_inv, inner_13
from derivations.prove import Certificate, Verdict

DESCARTES = "Descartes-Laguerre"

p, q, fade1, fade2 = sp.symbols("p q fade1 fade2", positive=True)
RISES = ((1 - fade1) / s1, (1 - fade2) / s2)
course = entries((fade1, fade2), RISES)
"""The entries of A'A at any time."""

# --- how b moves --------------------------------------------------------------------------------------------------------

grow, shrink = D / (s1 * s2), 1 - a1 / s1 - a2 / s2 + D / (s1 * s2)
second, first = a2 / s2 - D / (s1 * s2), a1 / s1 - D / (s1 * s2)
gain = grow * p * q + second * q / p + first * p / q + shrink / (p * q)
"""b(0)/b(t)."""

turn = (s1 + s2) * (grow * p * q - shrink / (p * q)) + (s2 - s1) * (second * q / p - first * p / q)
"""Its derivative by time."""

MOVING = {p: sp.exp(s1 * t), q: sp.exp(s2 * t)}


@paper.claim("Section 5, different singular values", rests_on=["decoupling_solves_the_flow"])
def gain_of_the_off_diagonal() -> Certificate:
    """b(0)/b(t) is a sum of the four exponentials of s1 + s2, s2 - s1, s1 - s2 and -(s1 + s2) times t, and so is its
    derivative."""
    value = course[b].subs({fade1: 1 / p**2, fade2: 1 / q**2})
    return prove.every(
        prove.identity(value * gain, b), prove.identity(sp.diff(gain.subs(MOVING), t), turn.subs(MOVING))
    )


def starting_rate() -> Certificate:
    return prove.identity(turn.subs({p: 1, q: 1}), 2 * (a1 + a2) - (s1 + s2))


def final_rate() -> Certificate:
    end = sp.expand(turn / (p * q)).subs({p: 1 / sp.sqrt(fade1), q: 1 / sp.sqrt(fade2)})
    return prove.limit(end, [fade1, fade2], (s1 + s2) * grow)


POSITIVE = [aligned1 * aligned2 > b**2, s2 > s1]
BELOW_HALF = [s1 + s2 > 2 * (aligned1 + aligned2)]


@paper.claim("Section 5, a peak for different singular values", rests_on=["gain_of_the_off_diagonal"])
def one_peak_below_half() -> Certificate:
    """For s2 > s1, D > 0, b not zero and a1 + a2 < (s1 + s2)/2 the size of b has exactly one stationary point after the start, a
    peak: the derivative of b(0)/b(t) starts negative and ends positive, and as one of its two middle coefficients has
    the sign of its neighbour, they change sign at most twice."""
    both = with_aligned(second * s1 * s2), with_aligned(first * s1 * s2)
    changes = prove.every(
        prove.positive(both[0], assuming=[s1 > aligned1]),
        prove.positive(both[1], assuming=[aligned1 >= s1, *BELOW_HALF]),
        prove.positive(with_aligned(grow), assuming=POSITIVE),
    )
    form = prove.identity(sp.diff(gain.subs(MOVING), t), turn.subs(MOVING))
    return prove.chain(
        "the derivative of b(0)/b(t) vanishes once after the start",
        zeros=prove.chain("it has at most two zeros", DESCARTES, form=form, changes=changes),
        start=starting_rate(),
        below=prove.positive(-with_aligned(turn.subs({p: 1, q: 1})), assuming=BELOW_HALF),
        end=final_rate(),
    )


@paper.claim("Section 5, large starts for different singular values", rests_on=["gain_of_the_off_diagonal"])
def none_or_two_above_half() -> Certificate:
    """For s2 > s1, D > 0, b not zero and a1 + a2 > (s1 + s2)/2 the derivative of b(0)/b(t), a sum of four exponentials, starts
    and ends positive: after the start it vanishes not at all or, counted with multiplicity, twice."""
    form = prove.identity(sp.diff(gain.subs(MOVING), t), turn.subs(MOVING))
    return prove.chain(
        "the derivative of b(0)/b(t) vanishes an even number of times after the start, and at most three times in all",
        zeros=prove.chain(
            "it has at most three zeros", DESCARTES, form=form, changes=prove.positive(with_aligned(grow), POSITIVE)
        ),
        start=starting_rate(),
        above=prove.positive(with_aligned(turn.subs({p: 1, q: 1})), assuming=[2 * (aligned1 + aligned2) > s1 + s2]),
        end=final_rate(),
    )


# --- "for large initialisations, no peak is observed" -------------------------------------------------------------------

x = sp.Symbol("x", positive=True)

START = {a1: sp.Integer(6), a2: sp.Rational(1, 100), b: sp.Rational(1, 10)}
"""A large start for the singular values 1 and 10: a1 + a2 exceeds their mean, and D = 1/20."""

ONE_AND_TEN = entries((x**2, x**20), (1 - x**2, (1 - x**20) / 10))
trace_later = (ONE_AND_TEN[a1] + ONE_AND_TEN[a2]).subs(START)


@paper.claim("Section 5, no peak is observed, an example with a peak", rests_on=["rate_of_b"])
def large_start_with_a_peak() -> Certificate:
    """From (6, 1/100, 1/10), for the singular values 1 and 10, a1 + a2 is above 11/2 at the start, below it at e^(-t)
    = 9/10 and goes to 11: b falls, rises and falls again."""
    return prove.every(
        prove.positive(trace_later.subs(x, 1) - sp.Rational(11, 2)),
        prove.positive(sp.Rational(11, 2) - trace_later.subs(x, sp.Rational(9, 10))),
        prove.limit(trace_later, [x], 11),
    )


@paper.claim(
    "Section 5, no peak is observed, every start with a1 + a2 > (s1 + s2)/2",
    expect=Verdict.REFUTED,
    corrected_by="starts_above_the_task_have_no_peak",
    rests_on=["large_start_with_a_peak"],
)
def large_starts_never_have_a_peak() -> Certificate:
    """From a1 + a2 > (s1 + s2)/2 the diagonal never falls below (s1 + s2)/2, so that the size of b only falls, for
    different singular values too."""
    return prove.contrary(
        "from (6, 1/100, 1/10), for the singular values 1 and 10, a1 + a2 falls below 11/2 and ends at 11",
        large_start_with_a_peak(),
    )


over, rest = sp.Symbol("over", positive=True), sp.Symbol("rest", nonnegative=True)
ABOVE = {a1: s1 + over, a2: s2 + (b**2 + rest) / over}
"""Starts for which A(0)'A(0) - S is positive: its determinant is `rest`."""


@paper.claim(
    "Section 5, no peak is observed, starts above the task", rests_on=["rate_of_b", "decoupling_solves_the_flow"]
)
def starts_above_the_task_have_no_peak() -> Certificate:
    """Where A(0)'A(0) - S is positive, both diagonal entries stay above their singular values at all times, a1(t) >
    s1 and a2(t) > s2: then b falls at a rate of at least s1 + s2, for equal and for different singular values."""
    mirrored = {a2: s2 + over, a1: s1 + (b**2 + rest) / over}
    fading = [fade1 < 1, fade2 < 1]
    first_stays = course[a1].subs(ABOVE) - s1
    second_stays = course[a2].subs(mirrored) - s2
    below = fade1 * fade2 + fade1 * a2 * RISES[1] + fade2 * a1 * RISES[0] + RISES[0] * RISES[1] * D
    excess = fade1 * (fade2 * over + RISES[1] * (s2 * over + rest))
    other = fade2 * (fade1 * over + RISES[0] * (s1 * over + rest))
    return prove.every(
        prove.identity(first_stays * below.subs(ABOVE), excess),
        prove.identity(second_stays * below.subs(mirrored), other),
        prove.positive(excess, assuming=fading),
        prove.positive(other, assuming=fading),
    )


@paper.claim(
    "Section 5, the maximum is reached before the mode is learned, any singular values",
    rests_on=["decoupling_solves_the_flow"],
)
def diagonal_stays_below() -> Certificate:
    """A diagonal entry that starts below its singular value stays below it at all times: s1 - a1(t) is a product of
    positive terms over a positive one, so that, from a diagonal that starts below the task's, a peak of b comes
    before either mode is fully learned."""
    below = fade1 * fade2 + fade1 * a2 * RISES[1] + fade2 * a1 * RISES[0] + RISES[0] * RISES[1] * D
    missing = fade1 * ((fade2 + a2 * RISES[1]) * (s1 - a1) + RISES[1] * b**2)
    return prove.every(
        prove.identity((s1 - course[a1]) * below, missing),
        prove.positive(with_aligned(missing), assuming=[s1 > aligned1, fade2 < 1]),
    )


@paper.claim(
    "Section 5, at convergence the off-diagonal shrinks to zero, different singular values",
    rests_on=["gain_of_the_off_diagonal"],
)
def different_modes_decouple() -> Certificate:
    """For D > 0, b(t) e^((s1 + s2) t) tends to b(0) s1 s2/D: b goes to zero as e^(-(s1 + s2) t)."""
    definite = sp.Symbol("definite", positive=True)
    known = {a2: (definite + b**2) / aligned1, a1: aligned1}
    value = (course[b] / sp.sqrt(fade1 * fade2)).subs(known)
    return prove.limit(value, [fade1, fade2], b * s1 * s2 / definite)


# --- any number of modes ------------------------------------------------------------------------------------------------


@paper.claim("Section 5, at convergence the off-diagonal shrinks to zero, any size", rests_on=["theorem_51"])
def gram_ends_at_the_task() -> Certificate:
    """For any number of modes and every A(0)'A(0) with an inverse, A'A(t) goes to St: every off-diagonal entry goes
    to zero and every diagonal entry to its singular value."""
    return prove.chain(
        "the bracket of equation 13 tends to the inverse of St",
        "limit by decaying exponentials",
        form=prove.words(along(inner_13, DECAY), 2 * ONE - St @ inner_13 - inner_13 @ St),
        value=prove.words(substitute(inner_13, {E: 0 * ONE}), St_inv),
    )


@paper.claim("Section 5, the outer inverse makes large networks difficult", rests_on=["theorem_51"])
def inverse_decouples_by_itself() -> Certificate:
    """For any number of modes the inverse of A'A is simple: its distance from St^-1 is e^(-St t) times the one at the
    start times e^(-St t), so that each of its off-diagonal entries decays as e^(-(s_i + s_j) t) from every start, and
    none has a peak."""
    return prove.words(inner_13 - St_inv, E @ (gram_inv - St_inv) @ E)


held, risen = sp.symbols("held risen", positive=True)
"""For equal singular values and a start of size K: e^(-2 s t)/(4 K), which ends at zero, and (1 - e^(-2 s t))/s, which begins there."""

THREE = sp.Matrix([[2, 0, 1], [0, 2, 1], [1, 1, 2]])
"""A start of three modes in which the first two are not coupled; its determinant is 4."""


@paper.claim("Section 5, three modes", rests_on=["theorem_51"])
def three_modes_couple_through_the_third() -> Certificate:
    """For three equal singular values and the start K times [2, 0, 1; 0, 2, 1; 1, 1, 2], the entry of the first two
    modes is zero at the start and in the end and negative at all times between, whatever the size K of the start."""
    bracket = held * THREE.adjugate() + risen * sp.eye(3)
    entry = -held * risen / bracket.det()
    return prove.every(
        prove.identity(THREE * THREE.adjugate(), 4 * sp.eye(3)),
        prove.identity(bracket.adjugate()[0, 1] / bracket.det(), entry),
        prove.positive(-entry),
        prove.limit(entry, [risen], 0),
        prove.limit(entry, [held], 0),
    )


@paper.claim(
    "Section 5, no peak is observed, three modes",
    expect=Verdict.REFUTED,
    corrected_by="inverse_decouples_by_itself",
    rests_on=["three_modes_couple_through_the_third"],
)
def large_starts_of_three_modes_have_no_peak() -> Certificate:
    """For equal singular values and large starts no off-diagonal entry has a peak, however many modes there are."""
    return prove.contrary(
        "from every multiple of a start of three modes an entry leaves zero and comes back to it",
        three_modes_couple_through_the_third(),
    )
