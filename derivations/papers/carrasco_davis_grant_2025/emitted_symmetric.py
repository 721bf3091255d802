"""The flow of equal students and teachers and its plateau as kernels, with the number of units as a parameter.

The names of parts, which stand in the emitted program too: widened is 1 + Q, along and across are widened plus and minus
C, pair is their product; alone, own and other are what stands under the roots for a student by itself, for its own
teacher and for another one.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from functools import cache
from derivations.language.parts import put_back
from derivations.papers.carrasco_davis_grant_2025.beyond.plateau import PLATEAU, UNITS, escape_rate, m, plateau_rests
from derivations.papers.carrasco_davis_grant_2025.beyond.specialisation import plateau_is_left
from derivations.papers.carrasco_davis_grant_2025.beyond.symmetric import (
    ORDER, SPREAD, C, K, Q, R, S, flow_of_equal_units, linear_rate,
)

CITES = "Carrasco-Davis & Grant (2025)"
Parts = list[tuple[Any, Any]]

widened, alone, along, across, pair = symbols("widened alone along across pair", positive=True)
own, other = symbols("own other", positive=True)
inner = Symbol("inner", real=True)
scale = Symbol("scale", positive=True)
SHIFTED = [
    (widened, 1 + Q),
    (alone, 1 + 2 * Q),
    (along, widened + C),
    (across, widened - C),
    (pair, along * across),
    (inner, C - across * (K - 2)),
    (own, 2 * widened - R**2),
    (other, 2 * widened - S**2),
]
ROOTS = [
    (Symbol("root_alone", positive=True), sqrt(alone)),
    (Symbol("root_pair", positive=True), sqrt(pair)),
    (Symbol("root_own", positive=True), sqrt(own)),
    (Symbol("root_other", positive=True), sqrt(other)),
]
"""Roots of (1 + variance)(1 + variance) - covariance^2 for every kind of pair."""
SCALE = [(scale, 2 / (pi * (1 + Q)))]

def squares() -> dict[Any, Any]:
    """The radicands, each with the name of its root."""
    return {expand(put_back(root, SHIFTED) ** 2): name for name, root in ROOTS}

@cache
def with_named_roots(of: Any) -> Any:
    """The derived rate over eta as a polynomial in the inverses of roots."""
    names = squares()
    return linear_rate(of).replace(lambda e: e.is_Pow and e.exp == -Rational(1, 2), lambda e: 1 / names[expand(e.base)])

def by_widened(factor: Any) -> Any:
    """A sum in which Q stands beside one, with Q + 1 as one number: what is left of it then is rounded less often."""
    quotient, rest = sp.div(factor, 1 + Q, Q)
    return (quotient * widened + rest).subs(C - widened, -across).subs(widened - C, across)

@cache
def gathered(of: Any) -> Any:
    """Return the rate over one denominator, with one coefficient for every root, in which the units that no index names are
    counted apart."""
    factor, least = scale if of in (R, S) else 2 * scale, 1 if of in (R, Q) else 2
    named = sp.cancel(with_named_roots(of) / put_back(factor, SCALE))

    def factored(whole: Any) -> Any:
        return sp.factor(whole).replace(lambda e: e.is_Add and e.has(Q), by_widened)

    def coefficient(name: Any) -> Any:
        whole = sp.diff(named.subs(name, 1 / name), name)
        counted = factored(whole.subs(K, least)) + (K - least) * factored(sp.diff(whole, K))
        for overlap_of in (C, S):
            apart = expand(overlap_of * C - overlap_of * (K - 2) * across, deep=False)
            counted = counted.subs({sign * apart: sign * overlap_of * inner for sign in (1, -1)})
        return counted

    return factor * sp.Add(*(coefficient(name) / name for name, _ in ROOTS))

def rates() -> dict[str, Any]:
    """The derived rates."""
    return {f"d{x.name}": linear_rate(x, SPREAD) for x in ORDER}

@paper.kernel(equals=[Equals(flow_of_equal_units, rates, inside=(Q,))])
def symmetric_flow_kernel() -> Kernel:
    return Kernel(
        "symmetric_flow",
        says="The rates over eta, in the limit of a small learning rate, of K students of K orthonormal teachers that are alike: "
        "R_ii = R, R_in = S, Q_ii = Q, Q_ik = C.",
        state=[R, S, C, Q],
        params=[K],
        returns={f"d{x.name}": gathered(x) for x in ORDER},
        shared=[*SHIFTED, *ROOTS, *SCALE],
        domain=[K >= 2, Q - C >= (R - S) ** 2, Q + (K - 1) * C >= (R + (K - 1) * S) ** 2],
        cites=f"{CITES}, Eq. 20",
    )

def resting(**returns: Any) -> dict[str, Any]:
    """The number of units as the claims have it, and the way back."""
    return {"returns": returns, "where": UNITS, "reached": {m: 2 * K - 1}}

@paper.kernel(
    equals=[
        Equals(plateau_rests, **resting(Q=PLATEAU.Q, R=PLATEAU.R)),
        Equals(plateau_is_left, **resting(escape=escape_rate)),
    ]
)
def plateau_kernel() -> Kernel:
    return Kernel(
        "plateau",
        says="Where K students of K orthonormal teachers wait before each chooses a teacher, in the limit of a small learning rate: all "
        "overlaps of students, all overlaps with teachers, and the rate over eta at which specialisation leaves.",
        params=[K],
        returns={
            "Q": 1 / (2 * K - 1),
            "R": 1 / sqrt(K * (2 * K - 1)),
            "escape": 2 * K / (pi * sqrt(2 * K - 1) * sqrt(2 * K + 1) ** 3),
        },
        domain=[K >= 1],
        cites=f"{CITES}; Saad & Solla (1995)",
    )
