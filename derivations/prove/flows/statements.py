"""What a statement about trajectories must be: refused, in one sentence, where it says nothing exact."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from derivations.language.terms import NotExact, as_tuples, symbols_in
from derivations.prove.certificate import Json

TIMES = {"ends": ("at",), "stays": ("from", "to"), "reaches": ("from", "to"), "converges": ("by",)}
RELATIONS = {"stays": (">", ">="), "reaches": ("=",)}


def require_statement(statement: Json) -> None:
    """Refuses states without a start, formulas of anything but states and time, and propositions about nothing."""
    states, start, time = statement["states"], statement["start"], statement["time"]
    if not states or set(states) != set(start):
        raise NotExact(
            f"the flow and its start must speak of the same variables, got {sorted(states)} and {sorted(start)}:"
            " give every variable a rate and a start"
        )
    if time in states:
        raise NotExact(f"{time} is the time, so it cannot be a variable of the flow as well: name the time with time=")
    for name, term in states.items():
        _require_known(f"the rate of {name}", term, states, time)
    _require_box("the start", start, states)
    if not statement["says"]:
        raise NotExact("nothing is said of the trajectory: give at least one proposition, such as prove.ends(at)")
    for said in statement["says"]:
        _require_proposition(said, statement)
    if all(Fraction(said[TIMES[said["that"]][-1]]) == 0 for said in statement["says"]):
        raise NotExact("only the start is spoken of: name a time after 0 in at least one proposition")


def moving_states(states: Mapping[str, Any], is_map: bool) -> list[str]:
    """The states whose rate is not literally 0, or which a map does not literally keep."""
    return [name for name in sorted(states) if as_tuples(states[name]) != (("s", name) if is_map else ("q", "0"))]


def _require_known(what: str, term: Any, states: Mapping[str, Any], time: str) -> None:
    unknown = symbols_in(as_tuples(term)) - {*states, time}
    if unknown:
        raise NotExact(
            f"{what} holds {min(unknown)}, which is neither a variable nor the time {time}: give it a value or an"
            " interval with parameters="
        )


def _require_box(what: str, box: Mapping[str, Any], states: Mapping[str, Any]) -> None:
    for name, (low, high) in box.items():
        if name not in states:
            raise NotExact(f"{what} speaks of {name}, which is no variable of the flow: name one of {sorted(states)}")
        if Fraction(low) > Fraction(high):
            raise NotExact(f"{what} gives {name} an interval that ends before it begins: {low} to {high}")


def _require_proposition(said: Json, statement: Json) -> None:
    states = statement["states"]
    if said.get("that") not in TIMES:
        raise NotExact(f"a proposition about a trajectory is one of {', '.join(TIMES)}, got {said.get('that')!r}")
    times = [Fraction(said[key]) for key in TIMES[said["that"]]]
    if times[0] < 0 or times != sorted(times):
        raise NotExact(f"times must not be negative, and the later one comes second, got {', '.join(map(str, times))}")
    if statement["form"] == "map" and any(t.denominator != 1 for t in times):
        raise NotExact(f"a map is iterated a whole number of times, got {', '.join(map(str, times))}")
    if "box" in said:
        _require_box(f"the box of {said['that']!r}", said["box"], states)
        if not said["box"]:
            raise NotExact(f"the box of {said['that']!r} is empty of variables: give an interval for at least one")
    if "relation" in said:
        relation, *sides = said["relation"]
        if relation not in RELATIONS[said["that"]]:
            raise NotExact(
                f"{said['that']!r} takes a relation with {' or '.join(RELATIONS[said['that']])}, got {relation!r}"
            )
        for side in sides:
            _require_known(f"the relation of {said['that']!r}", side, states, statement["time"])
    if said["that"] == "converges":
        _require_convergence(said, statement)
    if said["that"] == "reaches" and times[0] == times[1]:
        raise NotExact("an event needs a window between two different times")


def _require_convergence(said: Json, statement: Json) -> None:
    states, is_map = statement["states"], statement["form"] == "map"
    moving = moving_states(states, is_map)
    if set(said["box"]) != set(moving):
        raise NotExact(
            f"the box of 'converges' must give every variable that moves an interval, and no other: {', '.join(moving)}"
        )
    if any(statement["time"] in symbols_in(as_tuples(term)) for term in states.values()):
        raise NotExact("the rates hold the time, so that nothing rests: 'converges' needs a flow without the time")
    rate = Fraction(said["rate"])
    if rate <= 0 or (is_map and rate >= 1):
        wanted = "between 0 and 1" if is_map else "positive"
        raise NotExact(f"the rate of 'converges' must be {wanted}, got {rate}")
