"""What is said of trajectories, confronted with numerical integration from random starts, and with iteration.

Two integrations of different accuracy tell how far the finer one may be off; only what lies clearly beyond that
contradicts a statement.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from derivations.audit.probe.numbers import NoValue, value

Floats = dict[str, float]
MOMENTS = 160  # at which a relation or a sign is looked at
EVALUATIONS = 20_000  # of all rates, after which an integration is given up
FINE, COARSE, SLACK = 1e-11, 1e-8, 1e-7
WIDER = 30  # times the difference of two integrations
STEPS_MORE = 3  # times of decay for which a neighbourhood is watched


@dataclass
class Course:
    """A run from one start: its states at times, and by how much each may be off."""

    at: Callable[[float], Floats]
    off: Callable[[float], float]


def confront(statement: Any, rng: random.Random, count: int) -> Iterator[str | None]:
    """What contradicts a statement in runs from random points of its start box."""
    for number in range(count):
        start = {x: _drawn(ends, rng, number) for x, ends in sorted(statement["start"].items())}
        try:
            course = _course(statement, start, _last(statement))
            found = None if course is None else list(_contradictions(statement, course))
        except (NoValue, OverflowError, ZeroDivisionError):
            found = ["the system has no value along it"]
        if found is not None:
            yield f"from {', '.join(f'{x} = {at:.6g}' for x, at in start.items())}: {found[0]}" if found else None


def _drawn(ends: Sequence[str], rng: random.Random, number: int) -> float:
    """A value in an interval; its ends come first."""
    low, high = map(Fraction, ends)
    part = (0.0, 1.0)[number] if number < 2 else rng.random()
    return float(low + (high - low) * Fraction(part))


def _last(statement: Any) -> float:
    """The latest time that is looked at; behind the one by which solutions settle, some times of decay."""
    found = [0.0]
    for said in statement["says"]:
        for key in ("at", "to", "by"):
            if key in said:
                found.append(float(Fraction(said[key])) + (_decay(said, statement) if key == "by" else 0))
    return max(found)


def _decay(said: Any, statement: Any) -> float:
    rate = float(Fraction(said["rate"]))
    return STEPS_MORE / rate if statement["form"] == "flow" else float(round(STEPS_MORE / (1 - rate)))


def run_until(statement: Any, last: float) -> Course | None:
    """A run from the middle of the start box; None where it takes too long."""
    start = {x: float((Fraction(low) + Fraction(high)) / 2) for x, (low, high) in statement["start"].items()}
    return _course(statement, start, last)


# --- runs -------------------------------------------------------------------------------------------------------------


def _course(statement: Any, start: Floats, last: float) -> Course | None:
    return _integrated(statement, start, last) if statement["form"] == "flow" else _iterated(statement, start, last)


def _rates(statement: Any, names: list[str], time: float, states: Sequence[float]) -> list[float]:
    at = {statement["time"]: time, **dict(zip(names, map(float, states), strict=True))}
    return [float(value(statement["states"][x], at, fast=True)) for x in names]


def _integrated(statement: Any, start: Floats, last: float) -> Course | None:
    from scipy.integrate import solve_ivp

    names, left = sorted(start), [EVALUATIONS]

    def rate(time: float, states: Any) -> list[float]:
        left[0] -= 1
        if left[0] < 0:
            raise _TooLong
        return _rates(statement, names, time, states)

    def run(accuracy: float) -> Any:
        begin = [start[x] for x in names]
        way = {"method": "DOP853", "rtol": accuracy, "atol": accuracy, "dense_output": True}
        return solve_ivp(rate, (0.0, last or 1e-9), begin, **way)

    try:
        fine, coarse = run(FINE), run(COARSE)
    except _TooLong:
        return None
    if not (fine.success and coarse.success):
        return None

    def off(time: float) -> float:
        difference = float(np.max(np.abs(fine.sol(time) - coarse.sol(time))))
        return WIDER * difference + SLACK * (1 + float(np.max(np.abs(fine.sol(time)))))

    return Course(lambda time: dict(zip(names, map(float, fine.sol(time)), strict=True)), off)


class _TooLong(Exception):
    """An integration that asks for more evaluations than it is worth."""


def _iterated(statement: Any, start: Floats, last: float) -> Course | None:
    """Two runs from starts that are apart by a rounding error show how errors grow."""
    names = sorted(start)
    both = [[start[x] for x in names], [start[x] * (1 + 1e-12) + 1e-13 for x in names]]
    seen: list[list[list[float]]] = [[], []]
    if last * len(names) > EVALUATIONS:
        return None
    for k in range(round(last) + 1):
        for run, states in enumerate(both):
            seen[run].append(states)
            both[run] = _rates(statement, names, float(k), states)

    def off(time: float) -> float:
        near, far = (np.array(run[round(time)]) for run in seen)
        return WIDER * float(np.max(np.abs(near - far))) + SLACK * (1e-3 + float(np.max(np.abs(near))))

    return Course(lambda time: dict(zip(names, seen[0][round(time)], strict=True)), off)


# --- what is said -----------------------------------------------------------------------------------------------------


def _contradictions(statement: Any, course: Course) -> Iterator[str]:
    for said in statement["says"]:
        match said["that"]:
            case "ends":
                yield from _outside(said, course, [float(Fraction(said["at"]))])
            case "converges":
                begin = float(Fraction(said["by"]))
                yield from _outside(said, course, _moments(statement, begin, begin + _decay(said, statement)))
            case "stays":
                begin, end = float(Fraction(said["from"])), float(Fraction(said["to"]))
                for time in _moments(statement, begin, end):
                    gap, slack = _gap(statement, said, course, time)
                    if gap < -slack:
                        yield f"at {statement['time']} = {time:.6g} the relation fails by {-gap:.3g}"
                        break
            case "reaches":
                yield from _missed(statement, said, course)


def _outside(said: Any, course: Course, times: Sequence[float]) -> Iterator[str]:
    for time in times:
        states, off = course.at(time), course.off(time)
        for x, (low, high) in said["box"].items():
            if not float(Fraction(low)) - off <= states[x] <= float(Fraction(high)) + off:
                yield f"at time {time:.6g} {x} is {states[x]:.8g}, outside of its interval"
                return


def _missed(statement: Any, said: Any, course: Course) -> Iterator[str]:
    """The first zero is not in the window: an earlier sign has changed, or the last one has not."""
    begin, end = float(Fraction(said["from"])), float(Fraction(said["to"]))
    first, _ = _gap(statement, said, course, 0.0)
    for time in _moments(statement, 0.0, begin):
        gap, slack = _gap(statement, said, course, time)
        if gap * first < 0 and abs(gap) > slack:
            yield f"at {statement['time']} = {time:.6g} the event has already happened"
            return
    gap, slack = _gap(statement, said, course, end)
    crossed = statement["form"] == "map" and any(
        _gap(statement, said, course, time)[0] * first <= slack for time in _moments(statement, begin, end)
    )
    if gap * first > 0 and abs(gap) > slack and not crossed:
        yield f"until {statement['time']} = {end:.6g} the event has not happened"


def _gap(statement: Any, said: Any, course: Course, time: float) -> tuple[float, float]:
    """Left minus right, and what errors may make of it."""
    _, left, right = said["relation"]
    states, off = course.at(time), course.off(time)

    def at(moved: Floats) -> float:
        here = {**moved, statement["time"]: time}
        return float(value(left, here, fast=True)) - float(value(right, here, fast=True))

    here = at(states)
    slack = sum(abs(at({**states, x: states[x] + off}) - here) for x in states) + SLACK * abs(here)
    return here, slack


def _moments(statement: Any, begin: float, end: float) -> list[float]:
    if statement["form"] == "map":
        return [float(k) for k in range(round(begin), round(end) + 1)]
    return [begin + (end - begin) * k / MOMENTS for k in range(MOMENTS + 1)] if end > begin else [begin]
