"""Where a refuted statement about trajectories fails, with the numbers of a run from the middle of the start box."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from derivations.audit.probe.numbers import NoValue, value
from derivations.audit.probe.trajectories.runs import Runs, TooLong, run
from derivations.language.show import plain
from derivations.recheck.ledgers.writers import decimal, said

CROSSINGS = 4000  # places of a run between which a sign changes


def told(statement: Any, fails: Any) -> str:
    """Which of the things that are said fails, when, and with which numbers.

    >>> x = ("s", "x")
    >>> said = {"that": "stays", "from": "0", "to": "2", "relation": [">", x, ("q", "1")]}
    >>> decay = {"x": ("*", ("q", "-1"), x)}
    >>> statement = {"form": "flow", "time": "t", "states": decay, "start": {"x": ["2", "2"]}, "says": [said]}
    >>> told(statement, {"says": 0, "time": "3/2"})
    'for 0 <= t <= 2, x > 1: this fails for every start, at t = 1.5; there x is about 0.44626.'
    """
    claimed = statement["says"][fails["says"]]
    moment = Fraction(fails.get("time", claimed.get("to", "0")))
    try:
        start = [[float((Fraction(low) + Fraction(high)) / 2)] for _, (low, high) in sorted(statement["start"].items())]
        course = run(statement, np.array(start), float(moment))
        numbers = _numbers(statement, claimed, fails, course, float(moment))
    except (NoValue, TooLong, OverflowError, ZeroDivisionError):
        numbers = ""
    return f"{_failure(statement, claimed, fails)}{'; ' * bool(numbers)}{numbers}."


def _failure(statement: Any, claimed: Any, fails: Any) -> str:
    """Which of the things that are said fails, and when."""
    that = said([claimed], statement["time"], statement["form"])
    if fails.get("by") == "never":
        return f"{that}: for no start does this happen until then"
    at = f"{statement['time']} = {decimal(fails['time'])}"
    if fails.get("by") == "earlier":
        return f"{that}: for every start this has happened before, by {at}"
    return f"{that}: this fails for every start, at {at}"


def _numbers(statement: Any, said: Any, fails: Any, course: Runs, moment: float) -> str:
    if "box" in said:
        states = course.first(moment)
        away = [x for x, (low, high) in sorted(said["box"].items()) if not _within(states[x], low, high)]
        return f"there {', '.join(f'{x} is about {states[x]:.5g}' for x in away)}" if away else ""
    if fails.get("by") == "earlier":
        crossing = _crossing(statement, said, course, moment)
        return f"it happens at about {statement['time']} = {crossing:.6g}" if crossing is not None else ""
    _, left, right = said["relation"]
    sides = [f"{plain(side)} is {_about(statement, side, course, moment)}" for side in (left, right) if side[0] != "q"]
    return f"{'then' if fails.get('by') else 'there'} {' and '.join(sides)}" if sides else ""


def _within(state: float, low: str, high: str) -> bool:
    return float(Fraction(low)) <= state <= float(Fraction(high))


def _about(statement: Any, side: Any, course: Runs, moment: float) -> str:
    return f"about {value(side, {**course.first(moment), statement['time']: moment}, fast=True):.5g}"


def _crossing(statement: Any, said: Any, course: Runs, moment: float) -> float | None:
    """The first time at which a run has the other sign of left minus right; of a flow, on the chord between two."""
    _, left, right = said["relation"]
    count = round(moment) if statement["form"] == "map" else CROSSINGS
    first = before = 0.0
    for k in range(count + 1):
        time = moment * k / max(count, 1)
        at = {**course.first(time), statement["time"]: time}
        gap = float(value(left, at, fast=True)) - float(value(right, at, fast=True))
        first = first or gap
        if gap * first <= 0 and k:
            return time if statement["form"] == "map" else time - moment / count * gap / (gap - before)
        before = gap
    return None
