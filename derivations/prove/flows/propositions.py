"""What is said of the solutions of a flow: where they end, what stays true, and when something happens first."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb

from derivations.language.evaluate import precision
from derivations.language.terms import as_tuples
from derivations.prove.certificate import Json
from derivations.prove.flows.rests import Neighbourhood, NoRest, attracting
from derivations.prove.flows.tubes.flow import Tube
from derivations.prove.flows.tubes.maps import Iterates
from derivations.prove.flows.tubes.sets import exact
from derivations.prove.flows.tubes.watched import (
    DEFINED,
    NEGATIVE,
    NOT_NEGATIVE,
    POSITIVE,
    Course,
    Quantity,
    Seen,
    Sign,
    value_at,
    watch,
)


@dataclass(frozen=True)
class Found:
    """What came of a proposition: evidence that it fails, or why it stays open, or neither where it holds."""

    fails: Json | None = None
    open: str = ""
    until: Fraction = Fraction(0)  # the time to which the evidence of a failure needs steps
    settles: Neighbourhood | None = None


HOLDS = Found()


def latest(said: Json) -> Fraction:
    """The last time that a proposition speaks of."""
    return Fraction(said["at"] if said["that"] == "ends" else said["by"] if said["that"] == "converges" else said["to"])


def judged(tube: Course, said: Json) -> Found:
    """Whether a proposition holds along a tube."""
    match said["that"]:
        case "ends":
            return _ends(tube, said)
        case "stays":
            return _stays(tube, said)
        case "reaches":
            return _reaches(tube, said)
        case "converges":
            return _converges(tube, said)
    raise ValueError(f"no proposition is called {said['that']!r}")


def outside(tube: Course, time: Fraction, sides: Json) -> tuple[str | None, str | None]:
    """A state that certainly is outside its interval at a time, and one that is not certainly inside."""
    box, _ = tube.moment(time)
    with precision(tube.care.bits):
        doubtful = None
        for name, value in zip(tube.field.names, box, strict=True):
            if name in sides:
                low, high = (exact(Fraction(end)) for end in sides[name])
                if value < low or value > high:
                    return name, None
                generous = value + arb(0, value.rad() * float(tube.care.spare))
                if not (low <= generous <= high):
                    doubtful = doubtful or name
    return None, doubtful


def _ends(tube: Course, said: Json) -> Found:
    time = Fraction(said["at"])
    out, doubtful = outside(tube, time, said["box"])
    if out is not None:
        return Found(fails={"time": str(time)}, until=time)
    if doubtful is not None:
        return Found(open=f"the enclosure at the time {_short(time)} does not fit into the interval of {doubtful}")
    return HOLDS


def _stays(tube: Course, said: Json) -> Found:
    relation, left, right = as_tuples(said["relation"])
    seen = watch(
        tube,
        Quantity(tube.field, left, right).value,
        POSITIVE if relation == ">" else NOT_NEGATIVE,
        Fraction(said["from"]),
        Fraction(said["to"]),
    )
    if seen.contrary is not None:
        return Found(fails={"time": str(seen.contrary)}, until=seen.contrary)
    return HOLDS if seen.holds else Found(open=f"the relation that should stay is not decided {_when(seen)}")


def _reaches(tube: Course, said: Json) -> Found:
    _, left, right = as_tuples(said["relation"])
    first, last = Fraction(said["from"]), Fraction(said["to"])
    quantity = Quantity(tube.field, left, right)
    begun = value_at(tube, quantity.value, Fraction(0))
    if begun is None or not (begun > 0 or begun < 0):
        return Found(open="the sides of the event may be equal at the start, and a first time needs a sign there")
    before, after = (POSITIVE, NEGATIVE) if begun > 0 else (NEGATIVE, POSITIVE)
    waiting = watch(tube, quantity.value, _strictly(before, after), Fraction(0), first)
    if waiting.contrary is not None:
        between = watch(tube, quantity.value, DEFINED, Fraction(0), waiting.contrary)
        if isinstance(tube, Tube) and not between.holds:
            return Found(
                open=f"a side of the event may have no value, so its sign may change without it {_when(between)}"
            )
        return Found(fails={"by": "earlier", "time": str(waiting.contrary)}, until=waiting.contrary)
    if not waiting.holds:
        return Found(open=f"it is not decided whether the event has come before {_short(first)}: {_when(waiting)}")
    if isinstance(tube, Iterates):
        return _reaches_in_iterations(tube, quantity, (before, after), (first, last))
    at_last = value_at(tube, quantity.value, last)
    if at_last is None or not after.holds(at_last):
        never = watch(tube, quantity.value, _strictly(before, after), first, last)
        if never.holds:
            return Found(fails={"by": "never"}, until=last)
        return Found(open=f"it is not decided whether the event has come by {_short(last)}")
    crossing = watch(tube, quantity.rate, after, first, last)
    if not crossing.holds:
        return Found(open=f"the sign with which the event is crossed is not decided {_when(crossing)}")
    return HOLDS


def _converges(tube: Course, said: Json) -> Found:
    time = Fraction(said["by"])
    out, _ = outside(tube, time, said["box"])
    if out is not None:
        return Found(fails={"time": str(time)}, until=time)
    try:
        return Found(settles=attracting(tube, time, said["box"], Fraction(said["rate"])))
    except NoRest as trouble:
        return Found(open=str(trouble))


def _reaches_in_iterations(
    tube: Iterates, quantity: Quantity, signs: tuple[Sign, Sign], window: tuple[Fraction, Fraction]
) -> Found:
    """Whether at some iteration of the window the sides are equal or the other way round."""
    (before, _), (first, last) = signs, window
    never = True
    for count in range(int(first) + 1, int(last) + 1):
        value = value_at(tube, quantity.value, Fraction(count))
        if value is not None and before.fails(value):
            return HOLDS
        never = never and value is not None and before.holds(value)
    if never:
        return Found(fails={"by": "never"}, until=last)
    return Found(open=f"it is not decided whether the event has come by {_short(last)}")


def _strictly(before: Sign, after: Sign) -> Sign:
    """One strict sign, contradicted by the other strict sign alone."""
    return Sign(before.holds, after.holds)


def _when(seen: Seen) -> str:
    time = seen.contrary if seen.undecided is None else seen.undecided
    return f"at the time {_short(time)}" if time is not None else "there"


def _short(time: Any) -> str:
    return f"{float(time):.6g}"
