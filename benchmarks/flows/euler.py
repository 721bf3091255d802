"""Euler's method in balls, the simplest enclosure: x(t + h) is in X + h F(B), where no solution leaves B until then."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from flint import arb

from derivations.language.evaluate import precision
from derivations.prove.flows.statements import claim_of
from derivations.prove.flows.tubes.flow import NO_VALUE
from derivations.recheck.kinds.flows.trajectories.step import System

BITS = 128
STEP = Fraction(1, 1024)
WIDEST = 1  # of a side, beyond which a box says nothing
TRIES, ROOM = 5, 1.01  # to find a box that no solution leaves in one step, and how much larger each is


def time_of_width_one(
    states: Mapping[str, Any], start: Mapping[str, Fraction], until: Fraction, time: str = "t"
) -> Fraction | None:
    """When a side of the box first is wider than 1, or no box is found; None if this does not happen until a time.

    states: the terms of the rates by the variables' names. start: a point.

    >>> time_of_width_one({"x": ("s", "x")}, {"x": Fraction(1)}, Fraction(1)) is None
    True
    """
    sides = {name: [str(value), str(value)] for name, value in start.items()}
    says = [{"that": "ends", "at": str(until), "box": sides}]
    head = {"kind": "trajectory", "form": "flow", "time": time}
    claim = claim_of(head | {"states": states, "start": sides, "says": says})
    system = System(claim)
    with precision(BITS):
        h = arb(STEP.numerator) / STEP.denominator
        span = arb(0.5, 0.5) * h
        box = [arb(start[name].numerator) / start[name].denominator for name in claim.names]
        for step in range(int(until / STEP)):
            now = h * step
            rates = _rates_nearby(system, box, now + span, span)
            if rates is None:
                return step * STEP
            box = [value + h * rate for value, rate in zip(box, rates, strict=True)]
            if any(2 * value.rad() > WIDEST for value in box):
                return (step + 1) * STEP
    return None


def _rates_nearby(system: System, box: list[Any], times: Any, span: Any) -> list[Any] | None:
    """The rates on a box that holds all solutions during one step, by Picard's argument; None if none was found."""
    guess = list(box)
    try:
        for _ in range(TRIES):
            rates = system.values(guess, times)
            reached = [value + span * rate for value, rate in zip(box, rates, strict=True)]
            if all(inner in outer for inner, outer in zip(reached, guess, strict=True)):
                return rates
            guess = [arb(value.mid(), value.rad() * ROOM + arb(2) ** -BITS) for value in reached]
    except NO_VALUE:
        return None
    return None
