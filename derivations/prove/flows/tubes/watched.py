"""What certainly holds along a tube: signs of quantities at moments and over intervals of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Protocol

from derivations.language.evaluate import precision
from derivations.language.terms import Term, subtract
from derivations.prove.flows.tubes.flow import Tube
from derivations.prove.flows.tubes.jets import Field
from derivations.prove.flows.tubes.maps import Iterates
from derivations.prove.flows.tubes.programs import NoValue, Program
from derivations.prove.flows.tubes.sets import between, exact
from derivations.prove.flows.tubes.steps import Step

Ball = Any  # flint.arb
Box = list[Ball]
Course = Tube | Iterates
MOST_PIECES = 3_000  # of one interval of time
MOMENTS = 8  # at which a contradiction is sought after an undecided one
DEEPEST = 40  # halvings of a step


class OnABox(Protocol):
    """Something that has a value where states and a time are in boxes."""

    def __call__(self, box: Box, time: Ball) -> Ball: ...


class Quantity:
    """The difference of two terms along solutions, and its rate of change."""

    def __init__(self, along: Field, left: Term, right: Term) -> None:
        self.field = along
        self.program = Program()
        self.place = self.program.of(subtract(left, right))
        self.written = list(range(len(self.program.nodes)))
        self._slopes = self.program.slopes(self.place, [*along.names, along.time])

    def value(self, box: Box, time: Ball) -> Ball:
        """The difference on a box, on which all parts of it have values (else `NoValue`)."""
        return self._run(box, time, self.written)[self.place]

    def rate(self, box: Box, time: Ball) -> Ball:
        """How fast it changes along the flow."""
        values = self._run(box, time, [*self.written, *self._slopes])
        *slopes, partial = [values[place] for place in self._slopes]
        return sum((a * b for a, b in zip(slopes, self.field.values(box, time), strict=True)), partial)

    def _run(self, box: Box, time: Ball, wanted: list[int]) -> list[Ball]:
        symbols = dict(zip(self.field.names, box, strict=True)) | {self.field.time: time}
        try:
            return self.program.run(symbols, wanted, strict=True)
        except (ZeroDivisionError, ValueError) as trouble:
            raise NoValue(str(trouble)) from trouble


@dataclass(frozen=True)
class Sign:
    """What a quantity must be, and what contradicts it."""

    holds: Callable[[Ball], bool]
    fails: Callable[[Ball], bool]


POSITIVE = Sign(lambda v: bool(v > 0), lambda v: bool(v <= 0))
NEGATIVE = Sign(lambda v: bool(v < 0), lambda v: bool(v >= 0))
NOT_NEGATIVE = Sign(lambda v: bool(v >= 0), lambda v: bool(v < 0))
DEFINED = Sign(lambda _: True, lambda _: False)


@dataclass
class Seen:
    """What came of watching: the first time at which nothing was decided, or one that certainly contradicts."""

    undecided: Fraction | None = None
    contrary: Fraction | None = None
    pieces: int = field(default=0, repr=False)

    @property
    def holds(self) -> bool:
        return self.undecided is None and self.contrary is None


def value_at(tube: Course, of: OnABox, time: Fraction) -> Ball | None:
    """The value at a moment, if it certainly has one."""
    box, at = tube.moment(time)
    with precision(tube.care.bits):
        return value_on(of, box, at)


def watch(tube: Course, of: OnABox, sign: Sign, first: Fraction, last: Fraction) -> Seen:
    """Whether a quantity has a sign at all times of an interval, or at one moment, or at all iterations between."""
    seen = Seen()
    if last in (first, 0):
        _judge(seen, value_at(tube, of, first), sign, first)
        return seen
    if isinstance(tube, Iterates):
        for count in range(int(first), int(last) + 1):
            _judge(seen, value_at(tube, of, Fraction(count)), sign, Fraction(count))
            if seen.contrary is not None:
                break
        return seen
    for step, low, high in _parts(tube, first, last):
        with precision(tube.care.bits):
            _watch_step(seen, step, of, sign, (low, high))
        if not seen.holds:
            break
    if seen.undecided is not None and seen.contrary is None:
        seen.contrary = _contrary_after(tube, of, sign, seen.undecided, last)
    return seen


def _contrary_after(tube: Tube, of: OnABox, sign: Sign, first: Fraction, last: Fraction) -> Fraction | None:
    """A moment after an undecided one that certainly contradicts, the last of some."""
    for k in range(MOMENTS, 0, -1):
        time = first + (last - first) * k / MOMENTS
        value = value_at(tube, of, time)
        if value is not None and sign.fails(value):
            return time
    return None


def _parts(tube: Tube, first: Fraction, last: Fraction) -> Iterator[tuple[Step, Fraction, Fraction]]:
    """The steps that meet an interval, and from when to when since they begin."""
    for step in tube.until(last):
        low, high = max(first - step.time, Fraction(0)), min(last - step.time, step.length)
        if low < high:
            yield step, low, high


def _watch_step(seen: Seen, step: Step, of: OnABox, sign: Sign, part: tuple[Fraction, Fraction]) -> None:
    """First the box that no solution leaves on the step, then ever smaller parts of it."""
    whole = value_on(of, step.inside, exact(step.time) + between(Fraction(0), step.length))
    if whole is not None and sign.holds(whole):
        return
    todo = [(*part, 0)]
    while todo:
        a, b, depth = todo.pop()
        seen.pieces += 1
        value = value_on(of, step.at(since := between(a, b)), exact(step.time) + since)
        if value is not None and sign.holds(value):
            continue
        middle = (a + b) / 2
        at_middle = value_on(of, step.at(exact(middle)), exact(step.time + middle))
        if at_middle is not None and sign.fails(at_middle):
            seen.contrary = step.time + middle
            return
        if depth >= DEEPEST or seen.pieces > MOST_PIECES or at_middle is None or not sign.holds(at_middle):
            seen.undecided = step.time + a
            return
        todo += [(middle, b, depth + 1), (a, middle, depth + 1)]


def _judge(seen: Seen, value: Ball | None, sign: Sign, time: Fraction) -> None:
    if value is not None and sign.fails(value):
        seen.contrary = time
    elif seen.undecided is None and (value is None or not sign.holds(value)):
        seen.undecided = time


def value_on(of: OnABox, box: Box, time: Ball) -> Ball | None:
    """The value on a box, if it certainly has one everywhere in it."""
    try:
        value = of(box, time)
    except NoValue:
        return None
    return value if value.is_finite() else None
