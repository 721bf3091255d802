"""Whether solutions may leave what their symbols are assumed to be: with it SymPy simplified formulas before they came.

So sqrt(x^2) is x where x is assumed positive: if a solution may be below 0, what is decided need not be what was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import Any

from derivations.language.terms import NotExact
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.flows import trajectories
from derivations.prove.flows.propositions import judged, latest
from derivations.prove.flows.statements import moving_states
from derivations.prove.flows.tubes.flow import Ends
from derivations.prove.flows.tubes.watched import Course

SIGNS = {"positive": (">", 1), "negative": (">", -1), "nonnegative": (">=", 1), "nonpositive": (">=", -1)}
NEVER = ("integer", "rational", "irrational", "algebraic", "transcendental", "zero", "imaginary")


def require_movable(symbol: Any, moves: bool) -> None:
    """Refuses a variable that is assumed to be what nothing stays that moves."""
    for what in NEVER:
        if moves and symbol.assumptions0.get(what):
            raise NotExact(f"{symbol} moves, and is assumed to be {what}: make it with real=True alone")


def as_assumed(found: Certificate, symbols: Iterable[Any]) -> Certificate:
    """A decision, left open unless every variable certainly keeps the sign that it is assumed to have."""
    if found.verdict is Verdict.OPEN:
        return found

    @cache
    def tube() -> Course:
        return trajectories.tube_of(found.statement, next(trajectories.cares(found.statement)))

    moving = moving_states(found.statement["states"], found.statement["form"] == "map")
    for symbol in symbols:
        what = assumed_sign(symbol)
        if what and symbol.name in moving and _may_lose(found, tube, symbol.name, what):
            reason = f"{symbol} is assumed to be {what}, which it may not stay: make it with real=True alone"
            return Certificate(found.statement, Verdict.OPEN, "none", reason=reason)
    return found


def assumed_sign(symbol: Any) -> str:
    """What a symbol is assumed to be, if that is a sign."""
    return next((what for what in SIGNS if getattr(symbol, f"is_{what}")), "")


def _may_lose(found: Certificate, tube: Callable[[], Course], name: str, what: str) -> bool:
    """Whether a sign is not certain to hold during all that is said; quick where the evidence shows that it is."""
    says = found.statement["says"]
    if any(may_be_outside(said["box"][name], what) for said in says if said["that"] == "converges"):
        return True
    place = sorted(found.statement["states"]).index(name)
    steps = found.payload.get("steps", ())
    if steps and all(_least(step[1 + place], what) > 0 for step in steps):
        return False
    relation, sign = SIGNS[what]
    sides = [("s", name), ("q", "0")][::sign]
    kept: Json = {"that": "stays", "from": "0", "to": str(_until(found)), "relation": [relation, *sides]}
    try:
        answer = judged(tube(), kept)
    except Ends:
        return True
    return answer.fails is not None or bool(answer.open)


def may_be_outside(ends: Iterable[str], what: str) -> bool:
    """Whether some number of an interval lacks a sign."""
    relation, _ = SIGNS[what]
    least = _least(ends, what)
    return least < 0 or (relation == ">" and least == 0)


def _least(ends: Iterable[str], what: str) -> Fraction:
    _, sign = SIGNS[what]
    return min(sign * Fraction(end) for end in ends)


def _until(found: Certificate) -> Fraction:
    """The last time that the evidence speaks of."""
    says, fails = found.statement["says"], found.payload.get("fails")
    if fails is None:
        return max(map(latest, says))
    return Fraction(fails["time"]) if "time" in fails else latest(says[fails["says"]])
