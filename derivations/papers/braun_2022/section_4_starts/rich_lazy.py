"""Sections 3 and 4: numerical stability as far as it is mathematics, and small, large, balanced and unbalanced starts."""

from __future__ import annotations

import sympy as sp

from derivations import prove
from derivations.papers.braun_2022.section_3_solution.theorem_32 import theorem_32
from derivations.papers.braun_2022.setup import paper, s, t
from derivations.prove import Certificate, Verdict

# --- "numerically stable" -------------------------------------------------------------------------------------------------

fade = sp.Symbol("E", positive=True)
"""exp(-s t)."""

a = sp.Symbol("a", positive=True)
"""The singular value of the start."""


@paper.claim("Section 2, equation 5 is often unstable", rests_on=["fukumizu_solution"])
def equation_5_holds_growing_terms() -> Certificate:
    """For one aligned mode, the bracket of equation 5 is 1 + a (e^(2 s t) - 1)/s and e^(Ft) is e^(st): divided by e^(2 s t) the bracket tends to
    a/s, so that it grows without bound, while QQ', their combination, tends to s."""
    bracket = 1 + a * (fade**-2 - 1) / s
    return prove.every(prove.limit(bracket * fade**2, [fade], a / s), prove.limit(fade**-2 * a / bracket, [fade], s))


@paper.claim("Section 3, only negative exponentials")
def negative_exponentials_are_bounded() -> Certificate:
    """In equations 11 and 12 time occurs in e^(-s t), which only decays, and in t e^(-2 s t), whose rate (1 - 2 s t) e^(-2 s t) is zero at
    t = 1/(2 s) only: neither grows without bound."""
    peak = t * sp.exp(-2 * s * t)
    return prove.every(
        prove.identity(sp.Derivative(sp.exp(-s * t), t), -s * sp.exp(-s * t)),
        prove.identity(sp.Derivative(peak, t), (1 - 2 * s * t) * sp.exp(-2 * s * t)),
    )


near = sp.Symbol("b", positive=True)
"""B of one mode, for two inputs and one output: one plus the cosine between start and task."""


@paper.claim(
    "Section 3, numerically stable, for any start",
    expect=Verdict.REFUTED,
    corrected_by="terms_cancel_where_overlap_is_nearly_singular",
)
def terms_are_bounded() -> Certificate:
    """The terms of equation 12 stay bounded for any start: for one mode the entry 2/B of Z at the start tends to some number k as B goes to
    zero."""
    return prove.limit(2 / near, [near], sp.Symbol("k", real=True))


@paper.claim("Section 3, numerically stable, corrected", rests_on=["theorem_31"])
def terms_cancel_where_overlap_is_nearly_singular() -> Certificate:
    """At the start of one mode Z is 2/B and the bracket is 4/(a B^2): as B goes to zero both grow without bound, their inverses vanish, and only their
    combination (2/B)^2 (a B^2/4) stays a: stability takes a B that is not close to singular."""
    return prove.every(
        prove.identity((2 / near) ** 2 * (a * near**2 / 4), a),
        prove.limit(1 / (2 / near), [near], 0),
        prove.limit(1 / (4 / (a * near**2)), [near], 0),
    )


# --- small and large balanced starts ----------------------------------------------------------------------------------------

value = sp.Symbol("value", positive=True)
course = a * s / (a + (s - a) * sp.exp(-2 * s * t))
faded = sp.Symbol("F", positive=True)
"""exp(-2 s t)."""

mode = a * s / (a + (s - a) * faded)


@paper.claim("Section 4, one aligned mode", rests_on=["riccati_equation"])
def aligned_mode() -> Certificate:
    """An aligned mode of singular value s moves by da = 2 a (s - a), from a it is a s/(a + (s - a) e^(-2 s t)), and the rate of its rate is
    4 a (s - a)(s - 2 a): it is sigmoidal, with an inflection at s/2, exactly if it starts below s/2."""
    rate = 2 * value * (s - value)
    return prove.every(
        prove.solves({value: rate}, {value: course}, {value: a}, t),
        prove.identity(sp.Derivative(rate, value) * rate, 4 * value * (s - value) * (s - 2 * value)),
    )


@paper.claim("Section 4, slow for small weights", rests_on=["aligned_mode"])
def small_starts_stay() -> Certificate:
    """At any fixed time a mode from a small start is still small: it is e^(2 s t) a in the limit of small a."""
    return prove.every(prove.limit(mode, [a], 0), prove.limit(mode / a, [a], 1 / faded))


excess = sp.Symbol("d", positive=True)
"""By how much the start is above s."""


@paper.claim(
    [
        "Section 4, exponential learning curves, one aligned mode",
        "Section 7, large initialisations lead to exponential learning curves, one aligned mode",
    ],
    rests_on=["aligned_mode"],
)
def large_starts_fall_fast() -> Certificate:
    """Above s the distance g of a mode from s falls at the relative rate 2 a, which is more than 2 s and goes down to it: from every large start the curve
    is steeper than the exponential e^(-2 s t) and becomes one."""
    distance = value - s
    return prove.every(
        prove.identity(2 * value * (s - value), -2 * value * distance),
        prove.positive((2 * value - 2 * s).subs(value, s + excess)),
        prove.limit(2 * (s + excess), [excess], 2 * s),
    )


@paper.claim(
    "Section 4, exponential learning curves, exactly",
    expect=Verdict.REFUTED,
    corrected_by="large_starts_fall_fast",
)
def aligned_mode_is_exponential() -> Certificate:
    """The distance from s of a mode that starts at a is (a - s) e^(-2 s t)."""
    return prove.identity(mode - s, (a - s) * faded, assuming=[faded < 1])


@paper.claim("Section 4, exponential learning curves, from the largest starts", rests_on=["aligned_mode"])
def largest_starts_are_bounded() -> Certificate:
    """As its start grows without bound, the distance of a mode from s tends to s F/(1 - F) with F = e^(-2 s t): no exponential, but finite at
    every time after zero."""
    huge, gone = sp.Symbol("x", positive=True), sp.Symbol("G", positive=True)
    return prove.limit((mode - s).subs({a: 1 / huge, faded: 1 / (1 + gone)}), [huge], s / gone)


# --- balanced and unbalanced ends -------------------------------------------------------------------------------------------

skew = sp.Symbol("delta", positive=True)
"""w1^2 - w2^2 of one neuron in each layer, which the flow conserves."""

input_end = (skew + sp.sqrt(skew**2 + 4 * s**2)) / 2
"""w1^2 where w1 w2 = s."""


@paper.claim("Section 4, representation at convergence", rests_on=["balance_persists"])
def end_of_unbalanced_weights() -> Certificate:
    """With one neuron in each layer, w1^2 - w2^2 = delta and w1 w2 = s give w1^2 = (delta + (delta^2 + 4 s^2)^(1/2))/2 and the same less delta
    for w2^2: their product is s^2."""
    return prove.identity(input_end * (input_end - skew), s**2)


@paper.claim(
    "Section 4, small random weights, identical at convergence",
    expect=Verdict.REFUTED,
    corrected_by="small_starts_become_nearly_rich",
)
def small_starts_become_rich() -> Certificate:
    """Small weights that are not balanced end with the representation s of the task."""
    return prove.identity(input_end, s)


@paper.claim(
    "Section 4, small random weights, identical at convergence, corrected", rests_on=["end_of_unbalanced_weights"]
)
def small_starts_become_nearly_rich() -> Certificate:
    """The representation of small weights ends at s + delta/2 to first order in their imbalance delta: the smaller the start, the closer to
    that of the task."""
    return prove.every(
        prove.limit(input_end, [skew], s), prove.limit((input_end - s) / skew, [skew], sp.Rational(1, 2))
    )


@paper.claim("Section 4, large random weights, lazy", rests_on=["end_of_unbalanced_weights"])
def large_imbalance_stays() -> Certificate:
    """As the imbalance grows, the representation in the end is the imbalance of the start, whatever the task: w1^2 - delta goes to zero."""
    huge = sp.Symbol("x", positive=True)
    return prove.limit((input_end - skew).subs(skew, 1 / huge), [huge], 0)


@paper.claim(
    "Section 4, large weights, lazy, balanced ones included",
    expect=Verdict.REFUTED,
    corrected_by="large_imbalance_stays",
    rests_on=["theorem_32"],
)
def every_large_start_is_lazy() -> Certificate:
    """Large weights end with a representation that does not depend on the task, balanced ones too."""
    return prove.contrary("balanced weights of any size for which B has an inverse become rich", theorem_32())
