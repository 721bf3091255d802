"""Propositions about the solutions of a flow: where they end, what stays true, and when something happens first."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from derivations.language.normal import to_fraction
from derivations.prove.certificate import Json
from derivations.prove.flows.rests import NoRest, attracting
from derivations.prove.flows.tubes.flow import Course, Iterates
from derivations.prove.flows.tubes.watched import (
    DEFINED,
    NEGATIVE,
    NOT_NEGATIVE,
    POSITIVE,
    Seen,
    Sign,
    value_at,
    watch,
)
from derivations.recheck.kinds.flows.trajectories.claims import Claim, Proposition
from derivations.recheck.kinds.flows.trajectories.questions import Quantity

SIGNS = {">": POSITIVE, ">=": NOT_NEGATIVE}


@dataclass(frozen=True)
class Found:
    """The outcome of a proposition: evidence that it fails, or why it stays open, or evidence that it holds."""

    fails: Json | None = None
    open: str = ""
    until: Fraction = Fraction(0)  # the time to which the evidence of a failure needs steps
    shows: Json = field(default_factory=dict)


def judged(tube: Course, claim: Claim, said: Proposition) -> Found:
    """Check whether a proposition holds along a tube."""
    if said.that == "reaches":
        return _reaches(tube, claim, said)
    first, last = to_fraction(said.begin), to_fraction(said.end)
    opened = ""
    for side, relation in enumerate(said.relations):
        seen = watch(tube, Quantity(tube.system, relation).balls, SIGNS[relation[0]], first, last)
        if seen.contrary is not None:
            return Found(fails={"time": str(seen.contrary), "side": side}, until=seen.contrary)
        opened = opened or ("" if seen.holds else _undecided(claim, said, side, seen))
    if said.that != "converges":
        return Found(open=opened)
    try:
        near = attracting(tube, claim, last, said.box, to_fraction(said.rate))
    except NoRest as trouble:
        return Found(open=str(trouble))
    return Found(shows=near.as_json())


def _undecided(claim: Claim, said: Proposition, side: int, seen: Seen) -> str:
    if said.that == "stays":
        return f"the relation that should stay is not decided {_when(seen)}"
    name = sorted(said.box)[side // 2]
    return f"the enclosure {_when(seen)} does not fit into the interval of {name}"


def _reaches(tube: Course, claim: Claim, said: Proposition) -> Found:
    first, last = to_fraction(said.begin), to_fraction(said.end)
    quantity = Quantity(tube.system, said.relations[0])
    begun = value_at(tube, quantity.balls, Fraction(0))
    if begun is None or not (begun > 0 or begun < 0):
        return Found(open="the sides of the event may be equal at the start, and a first time needs a sign there")
    before, after = (POSITIVE, NEGATIVE) if begun > 0 else (NEGATIVE, POSITIVE)
    sign = {"sign": 1 if begun > 0 else -1}
    strictly = Sign(before.holds, after.holds)
    waiting = watch(tube, quantity.balls, strictly, Fraction(0), first)
    if waiting.contrary is not None:
        between = watch(tube, quantity.balls, DEFINED, Fraction(0), waiting.contrary)
        if not between.holds:
            return Found(
                open=f"a side of the event may have no value, so its sign may change without it {_when(between)}"
            )
        return Found(fails={"by": "earlier", "time": str(waiting.contrary), **sign}, until=waiting.contrary)
    if not waiting.holds:
        return Found(open=f"it is not decided whether the event has come before {_short(first)}: {_when(waiting)}")
    come = _has_come(tube, quantity, (before, after), (first, last))
    if come is None:
        if watch(tube, quantity.balls, strictly, first, last).holds:
            return Found(fails={"by": "never", **sign}, until=last)
        return Found(open=f"it is not decided whether the event has come by {_short(last)}")
    crossing = Seen() if isinstance(tube, Iterates) else watch(tube, quantity.rates, after, first, last)
    if not crossing.holds:
        return Found(open=f"the sign with which the event is crossed is not decided {_when(crossing)}")
    return Found(shows=sign | {"at": str(come)})


def _has_come(
    tube: Course, quantity: Quantity, signs: tuple[Sign, Sign], window: tuple[Fraction, Fraction]
) -> Fraction | None:
    """A time of the window at which an event has come: its end, or of a map the first iteration."""
    (before, after), (first, last) = signs, window
    if not isinstance(tube, Iterates):
        value = value_at(tube, quantity.balls, last)
        return last if value is not None and after.holds(value) else None
    for count in range(int(first) + 1, int(last) + 1):
        value = value_at(tube, quantity.balls, Fraction(count))
        if value is not None and before.fails(value):
            return Fraction(count)
    return None


def _when(seen: Seen) -> str:
    time = seen.contrary if seen.undecided is None else seen.undecided
    return f"at the time {_short(time)}" if time is not None else "there"


def _short(time: Any) -> str:
    return f"{float(time):.6g}"
