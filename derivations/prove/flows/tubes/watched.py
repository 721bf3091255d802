"""Facts that certainly hold along a tube: signs of quantities at moments and over intervals of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from derivations.prove.flows.tubes.flow import Course, Iterates, Tube
from derivations.prove.flows.tubes.sets import rational, working
from derivations.recheck.kinds.flows.trajectories.questions import Balls, Stretch

Ball = Any  # flint.arb
MOST_PIECES = 3_000  # of one interval of time
MOMENTS = 8  # at which a contradiction is sought after an undecided one
DEEPEST = 40  # halvings of a step


@dataclass(frozen=True)
class Sign:
    """The sign that a quantity must have, and what contradicts it."""

    holds: Callable[[Ball], bool]
    fails: Callable[[Ball], bool]


POSITIVE = Sign(lambda v: bool(v > 0), lambda v: bool(v <= 0))
NEGATIVE = Sign(lambda v: bool(v < 0), lambda v: bool(v >= 0))
NOT_NEGATIVE = Sign(lambda v: bool(v >= 0), lambda v: bool(v < 0))
DEFINED = Sign(lambda _: True, lambda _: False)


@dataclass
class Seen:
    """The outcome of watching: the first time at which nothing was decided, or one that certainly contradicts."""

    undecided: Fraction | None = None
    contrary: Fraction | None = None
    pieces: int = field(default=0, repr=False)

    @property
    def holds(self) -> bool:
        return self.undecided is None and self.contrary is None


def value_at(tube: Course, of: Balls, time: Fraction) -> Ball | None:
    """The value at a moment, if it certainly has one."""
    stretch, moment = tube.at(time), rational(time)
    with working(tube.care.bits):
        found = [ball for ball in of(stretch, moment, moment) if ball.is_finite()]
    return min(found, key=lambda ball: float(ball.rad()), default=None)


def certainly(test: Callable[[Ball], bool], of: Balls, stretch: Stretch, low: Fraction, high: Fraction) -> bool:
    """Check whether one of the balls around all values from one time to another passes a test."""
    return any(ball.is_finite() and test(ball) for ball in of(stretch, rational(low), rational(high)))


def watch(tube: Course, of: Balls, sign: Sign, first: Fraction, last: Fraction) -> Seen:
    """Check that a quantity has a sign at all times of an interval, or at one moment, or at all iterations between."""
    seen = Seen()
    if last in (first, 0):
        _judge(seen, tube, of, sign, first)
    elif isinstance(tube, Iterates):
        for count in range(int(first), int(last) + 1):
            _judge(seen, tube, of, sign, Fraction(count))
            if seen.contrary is not None:
                break
    else:
        for step, low, high in _parts(tube, first, last):
            with working(tube.care.bits):
                _watch_step(seen, step, of, sign, (low, high))
            if not seen.holds:
                break
        if seen.undecided is not None and seen.contrary is None:
            seen.contrary = _contrary_after(tube, of, sign, seen.undecided, last)
    return seen


def _contrary_after(tube: Tube, of: Balls, sign: Sign, first: Fraction, last: Fraction) -> Fraction | None:
    """A moment after an undecided one that certainly contradicts, the last of some."""
    for k in range(MOMENTS, 0, -1):
        time = first + (last - first) * k / MOMENTS
        value = value_at(tube, of, time)
        if value is not None and sign.fails(value):
            return time
    return None


def _parts(tube: Tube, first: Fraction, last: Fraction) -> Iterator[tuple[Stretch, Fraction, Fraction]]:
    """The steps that meet an interval, and from when to when."""
    for number, step in enumerate(tube.until(last)):
        low, high = max(first, tube.times[number]), min(last, tube.times[number + 1])
        if low < high:
            yield step, low, high


def _watch_step(seen: Seen, step: Stretch, of: Balls, sign: Sign, part: tuple[Fraction, Fraction]) -> None:
    todo = [(*part, 0)]
    while todo:
        a, b, depth = todo.pop()
        seen.pieces += 1
        if certainly(sign.holds, of, step, a, b):
            continue
        middle = (a + b) / 2
        if certainly(sign.fails, of, step, middle, middle):
            seen.contrary = middle
            return
        if depth >= DEEPEST or seen.pieces > MOST_PIECES or not certainly(sign.holds, of, step, middle, middle):
            seen.undecided = a
            return
        todo += [(middle, b, depth + 1), (a, middle, depth + 1)]


def _judge(seen: Seen, tube: Course, of: Balls, sign: Sign, time: Fraction) -> None:
    value = value_at(tube, of, time)
    if value is not None and sign.fails(value):
        seen.contrary = time
    elif seen.undecided is None and (value is None or not sign.holds(value)):
        seen.undecided = time
