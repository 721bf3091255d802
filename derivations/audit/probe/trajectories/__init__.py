"""Statements about trajectories, confronted with numerical integration from random starts, and with iteration.

All starts run together, once for everything that is said; only what lies clearly beyond the errors of the runs
contradicts a statement.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from derivations.audit.probe.numbers import NoValue, value
from derivations.audit.probe.trajectories.runs import SLACK, Array, Runs, TooLong, run

MOMENTS = 160  # at which a relation or a sign is looked at
STEPS_MORE = 3  # times of decay for which a neighbourhood is watched
NUMBER = "<number>"  # where the number of a run stands in what is said of it
Trouble = Iterator[tuple[Array, str, Array]]  # which runs contradict, what they say, and the number of each


def confront(statement: Any, rng: random.Random, count: int) -> Iterator[str | None]:
    """Return what contradicts a statement in runs from random points of its start box; runs that take too long say
    nothing.
    """
    names = sorted(statement["start"])
    starts = [[_drawn(statement["start"][x], rng, number) for x in names] for number in range(count)]
    for start, found in zip(starts, _of_all(statement, np.array(starts).T), strict=True):
        if found is not UNDECIDED:
            where = ", ".join(f"{x} = {at:.6g}" for x, at in zip(names, start, strict=True))
            yield f"from {where}: {found}" if found else None


UNDECIDED = "undecided"


def _of_all(statement: Any, starts: Array) -> list[str | None]:
    """Return what contradicts a statement from each start; where one hinders the others, each half runs for itself."""
    count = starts.shape[1]
    try:
        runs = run(statement, starts, _last(statement))
        return _first_contradictions(statement, runs, count)
    except (NoValue, TooLong) as trouble:
        if count == 1:
            return [UNDECIDED if isinstance(trouble, TooLong) else "the system has no value along it"]
    middle = count // 2
    return [*_of_all(statement, starts[:, :middle]), *_of_all(statement, starts[:, middle:])]


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


# --- what is said -----------------------------------------------------------------------------------------------------


def _first_contradictions(statement: Any, runs: Runs, count: int) -> list[str | None]:
    found: list[str | None] = [None] * count
    for said in statement["says"]:
        for wrong, text, numbers in _contradictions(statement, said, runs):
            for k in np.flatnonzero(wrong):
                found[k] = found[k] or text.replace(NUMBER, f"{numbers[k]:.8g}")
    return found


def _contradictions(statement: Any, said: Any, runs: Runs) -> Trouble:
    match said["that"]:
        case "ends":
            yield from _outside(said, runs, [float(Fraction(said["at"]))])
        case "converges":
            begin = float(Fraction(said["by"]))
            yield from _outside(said, runs, _moments(statement, begin, begin + _decay(said, statement)))
        case "stays":
            gaps = Gaps(statement, said, runs)
            for time in _moments(statement, float(Fraction(said["from"])), float(Fraction(said["to"]))):
                gap, slack = gaps(time)
                yield gap < -slack, f"at {statement['time']} = {time:.6g} the relation fails by {NUMBER}", -gap
        case "reaches":
            yield from _missed(statement, said, runs)


def _outside(said: Any, runs: Runs, times: Sequence[float]) -> Trouble:
    for time in times:
        states, off = runs.at(time), runs.off(time)
        for x, (low, high) in said["box"].items():
            at = states[runs.names.index(x)]
            inside = (float(Fraction(low)) - off <= at) & (at <= float(Fraction(high)) + off)
            yield ~inside, f"at time {time:.6g} {x} is {NUMBER}, outside of its interval", at


def _missed(statement: Any, said: Any, runs: Runs) -> Trouble:
    """The first zero is not in the window: an earlier sign has changed, or the last one has not."""
    begin, end = float(Fraction(said["from"])), float(Fraction(said["to"]))
    gaps = Gaps(statement, said, runs)
    first, _ = gaps(0.0)
    for time in _moments(statement, 0.0, begin):
        gap, slack = gaps(time)
        early = (gap * first < 0) & (np.abs(gap) > slack)
        yield early, f"at {statement['time']} = {time:.6g} the event has already happened", gap
    gap, slack = gaps(end)
    late = (gap * first > 0) & (np.abs(gap) > slack)
    if statement["form"] == "map":
        for time in _moments(statement, begin, end):
            late &= gaps(time)[0] * first > slack
    yield late, f"until {statement['time']} = {end:.6g} the event has not happened", gap


class Gaps:
    """Left minus right of a relation in runs at a time, and what errors may make of it."""

    def __init__(self, statement: Any, said: Any, runs: Runs) -> None:
        _, *self.sides = said["relation"]
        self.runs, self.clock = runs, statement["time"]

    def __call__(self, time: float) -> tuple[Array, Array]:
        states, off = self.runs.at(time), self.runs.off(time)
        count, runs = states.shape
        moved = np.repeat(states[:, np.newaxis], count + 1, axis=1)  # by state, by which one is moved, by run
        for k in range(count):
            moved[k, k + 1] += off
        at = {**dict(zip(self.runs.names, moved.reshape(count, -1), strict=True)), self.clock: time}
        left, right = (value(side, at, fast=True) for side in self.sides)
        gaps = np.broadcast_to(left - right, (count + 1) * runs).reshape(count + 1, runs)
        here = gaps[0]
        return here, np.sum(np.abs(gaps[1:] - here), axis=0) + SLACK * np.abs(here)


def _moments(statement: Any, begin: float, end: float) -> list[float]:
    if statement["form"] == "map":
        return [float(k) for k in range(round(begin), round(end) + 1)]
    return [begin + (end - begin) * k / MOMENTS for k in range(MOMENTS + 1)] if end > begin else [begin]
