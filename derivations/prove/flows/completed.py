"""The intervals, windows and rates that a question leaves out, computed from a tube and rounded outward."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.flows import trajectories
from derivations.prove.flows.rests import NoRest, attracting
from derivations.prove.flows.statements import claim_of, moving_states
from derivations.prove.flows.tubes.flow import Course, Ends, Iterates, Tube
from derivations.prove.flows.tubes.sets import ends as ends_of
from derivations.prove.flows.tubes.sets import rational, working
from derivations.prove.flows.tubes.watched import DEFINED, NEGATIVE, POSITIVE, Sign, certainly, value_at, watch
from derivations.recheck.core.load import normal
from derivations.recheck.kinds.flows.trajectories.questions import Balls, Quantity
from derivations.text import DerivationError

Ball = Any  # flint.arb
NEEDED = {"ends": ("box",), "stays": (), "reaches": ("from", "to"), "converges": ("box", "rate"), "before": ("box",)}
HALVINGS = 3  # of the last part of a window
SPARE = 4  # digits that are computed beyond those that are asked for


class NotFound(DerivationError):
    """Nothing was found to complete a proposition with; the message is a sentence."""


def is_complete(said: Json) -> bool:
    return all(key in said for key in NEEDED[said["that"]])


def _quotes(said: Json) -> bool:
    """Check whether what is left out is computed to so many digits: a box, or the window of an event."""
    return ("box" if said["that"] == "ends" else "from") not in said and said["that"] != "converges"


def provisional(statement: Json) -> Json:
    """The statement with something in the place of what is left out, to see whether the rest can stand."""
    any_box = {name: ["0", "0"] for name in statement["states"]}
    moving = {name: ["0", "0"] for name in moving_states(statement["states"], statement["form"] == "map")}
    filled: Json = {
        "ends": {"box": any_box},
        "reaches": {"from": "0", "to": "1"},
        "converges": {"box": moving, "rate": "1/2"},
    }
    says = [part for said in statement["says"] for part in _in_place(said)]
    return statement | {"says": [filled.get(said["that"], {}) | said for said in says]}


def _in_place(said: Json) -> list[Json]:
    """A proposition, or both events where it says which comes first."""
    return [_event(said), _event(said | {"relation": said["later"]})] if said["that"] == "before" else [said]


def _event(said: Json) -> Json:
    """The event of a proposition that speaks of two, as one of its own."""
    return {key: said[key] for key in ("relation", "from", "to") if key in said} | {"that": "reaches"}


def decided(statement: Json, digits: int, until: str | None) -> Certificate:
    """The decision on a statement once what it leaves out is computed."""
    reason = ""
    complete = statement | {"says": [said for said in statement["says"] if is_complete(said)]}
    quotes, claim = any(map(_quotes, statement["says"])), claim_of(provisional(statement))
    asked = trajectories.cares(complete, digits + SPARE) if quotes else trajectories.cares(provisional(statement))
    for care in asked:
        tube = trajectories.tube_of(claim, care)
        try:
            said = [part for s in statement["says"] for part in _completed(tube, s, digits, until)]
        except (NotFound, NoRest, Ends) as trouble:
            reason = str(trouble)
            if tube.is_lost_for_good:
                break
            continue
        whole = statement | {"says": said}
        found = trajectories.decided_in(tube, whole, claim_of(whole))
        if found.verdict is not Verdict.OPEN:
            return found
        reason = found.reason
    return Certificate(complete, Verdict.OPEN, "none", reason=reason)


def _completed(tube: Course, said: Json, digits: int, until: str | None) -> list[Json]:
    """Return what is said with all that it leaves out: one proposition, or two where one says which event comes
    first.
    """
    if is_complete(said):
        return [said]
    match said["that"]:
        case "ends":
            return [said | {"box": _box(tube, Fraction(said["at"]), digits)}]
        case "reaches":
            if until is None:
                raise NotFound("an event without a window is searched for until a time: give it with until=")
            return [said | _window(tube, said, Fraction(until), digits)]
        case "converges":
            return [said | _settled(tube, said)]
        case "before":
            (event,) = _completed(tube, _event(said), digits, until)
            return [event, _waits(tube, said, event)]
    raise NotFound(f"what {said['that']!r} leaves out cannot be computed: give it")


def _waits(tube: Course, said: Json, event: Json) -> Json:
    """That a second event has not come at the end of the window of a first; or at its start, where it had come by then.

    What comes within the window may come after the first event, so that nothing there refutes the order.
    """
    later = Quantity(tube.system, normal(said["later"])).balls
    before, after = _signs(tube, later)
    first, last = Fraction(event["from"]), Fraction(event["to"])
    strictly = Sign(before.holds, after.holds)
    until_first = watch(tube, later, strictly, Fraction(0), first)
    has_come = until_first.contrary is not None
    if has_come and not watch(tube, later, DEFINED, Fraction(0), first).holds:
        raise NotFound("a side of the later event may have no value, so its sign may change without it")
    if not has_come and not (until_first.holds and watch(tube, later, strictly, first, last).holds):
        raise NotFound(f"it is not decided which event comes first, by the time {float(last):.6g}")
    _, *sides = said["later"]
    sides = sides if before is POSITIVE else sides[::-1]
    return {"that": "stays", "from": "0", "to": event["from" if has_come else "to"], "relation": [">", *sides]}


def _signs(tube: Course, quantity: Balls) -> tuple[Sign, Sign]:
    """The sign of a difference before an event, which is that at the start, and the one after it."""
    begun = value_at(tube, quantity, Fraction(0))
    if begun is None or not (begun > 0 or begun < 0):
        raise NotFound("the sides of the event may be equal at the start, and a first time needs a sign there")
    return (POSITIVE, NEGATIVE) if begun > 0 else (NEGATIVE, POSITIVE)


def _settled(tube: Course, said: Json) -> Json:
    """The box about a neighbourhood that attracts, and the rate at which it does, where they are left out."""
    rate = Fraction(said["rate"]) if "rate" in said else None
    box = {name: [rational(Fraction(end)) for end in sides] for name, sides in said.get("box", {}).items()}
    found = attracting(tube, tube.claim, Fraction(said["by"]), box, rate)
    sides = {name: _outward(low, high, Fraction(1, 8)) for name, (low, high) in found.box.items()}
    return {"box": said.get("box", sides), "rate": str(found.rate)}


def _box(tube: Course, time: Fraction, digits: int) -> Json:
    stretch, names = tube.at(time), tube.claim.names
    with working(tube.care.bits):
        box = stretch.at(rational(time), rational(time))
    moving = tube.claim.moving or range(len(names))
    return {names[i]: _rounded(box[i], digits, tube.care.spare) for i in moving}


def _rounded(value: Ball, digits: int, spare: Fraction) -> list[str]:
    """An interval around a ball, as narrow as the digits that are asked for, or a little wider than the ball."""
    low, high = ends_of(value)
    least = max(abs(low), abs(high), Fraction(1, 10**digits)) / 10**digits / 2
    return _outward(low, high, spare, least)


def _outward(low: Fraction, high: Fraction, spare: Fraction, least: Fraction = Fraction(0)) -> list[str]:
    """A wider interval with short ends."""
    room = max((high - low) * spare, least)
    low, high = low - room, high + room
    grain = Fraction(10) ** (math.floor(math.log10(high - low)) - 1)
    return [str(math.floor(low / grain) * grain), str(math.ceil(high / grain) * grain)]


def _window(tube: Course, said: Json, until: Fraction, digits: int) -> Json:
    """Two times between which the first crossing lies: before them one sign, after them the other."""
    quantity = Quantity(tube.system, normal(said["relation"])).balls
    before, after = _signs(tube, quantity)
    if isinstance(tube, Iterates):
        return _iterations(tube, quantity, (before, after), int(until))
    finest = max(until, Fraction(1)) / 10**digits
    low = _last_before(tube, quantity, before, until, finest)
    if low is None:
        raise NotFound(f"the event does not come by the time {float(until):.6g}")
    width = finest
    while not _is_so(after, value_at(tube, quantity, min(low + width, until))):
        if low + width >= until:
            raise NotFound(f"after the time {float(low):.6g} no sign of the event's sides is decided")
        width *= 2
    narrowest = width / 2
    for _ in range(HALVINGS):
        middle = (narrowest + width) / 2
        if _is_so(after, value_at(tube, quantity, min(low + middle, until))):
            width = middle
        else:
            narrowest = middle
    first, last = map(Fraction, _outward(low, low + width, tube.care.spare))
    return {"from": str(max(first, Fraction(0))), "to": str(last)}


def _iterations(tube: Iterates, quantity: Balls, signs: tuple[Sign, Sign], until: int) -> Json:
    """The last iteration before which nothing has happened, and the first at which it certainly has."""
    before, _ = signs
    first = 0
    for count in range(1, until + 1):
        value = value_at(tube, quantity, Fraction(count))
        if first == count - 1 and _is_so(before, value):
            first = count
        elif value is not None and before.fails(value):
            return {"from": str(first), "to": str(count)}
    raise NotFound(f"the event does not certainly come within {until} iterations")


def _last_before(tube: Tube, of: Balls, before: Sign, until: Fraction, finest: Fraction) -> Fraction | None:
    """A time until which a quantity has one sign, and shortly after which this is not decided; None if it stays so."""
    for number, step in enumerate(tube.until(until)):
        with working(tube.care.bits):
            todo = [(tube.times[number], tube.times[number + 1])]
            while todo:
                a, b = todo.pop()
                if certainly(before.holds, of, step, a, b):
                    continue
                if b - a < finest:
                    return min(a, until)
                middle = (a + b) / 2
                todo += [(middle, b), (a, middle)]
    return None


def _is_so(sign: Sign, value: Ball | None) -> bool:
    return value is not None and sign.holds(value)
