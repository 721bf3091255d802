"""The tube of all solutions of a flow: steps as large as the digits that are asked for allow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb_mat

from derivations.language.evaluate import precision
from derivations.language.terms import Term
from derivations.prove.flows.tubes.jets import Field
from derivations.prove.flows.tubes.programs import NoValue
from derivations.prove.flows.tubes.sets import Reached, Sides, exact
from derivations.prove.flows.tubes.steps import Beside, Step
from derivations.text import DerivationError

Ball = Any  # flint.arb
MOST_STEPS, MOST_ORDER = 10_000, 100
PACE = 100  # steps, whose length is the pace
LEAST_STEP = Fraction(1, 2**30)
NARROW = 2.0**-10  # of its size: a box that is not lost by its own width
SHARE_OF_WIDTH = 2.0**-12  # of the width of the set, below which a remainder is not worth a smaller step
GROWS, SAFE, SLOWEST = 2.0, 0.9, 0.75
UNSEEN = 2.0**-9  # of its width, by which a box may always become wider in a unit of time
WIDER = 2.0**-5  # of its width, by which a step may make a set about a point wider
BEGINS = Fraction(1, 16)


class Ends(DerivationError):
    """A trajectory that cannot be followed further; the message is a sentence that says when and why."""

    def __init__(self, message: str, whatever_care: bool = False) -> None:
        super().__init__(message)
        self.whatever_care = whatever_care  # more digits would change nothing


@dataclass(frozen=True)
class Care:
    """How exactly a tube is computed."""

    digits: int
    boxed: bool = False  # whether solutions start in a box, which asks for a lower order
    blur: float = 1.5  # times what a short step makes of a box beside its linear part, which a step may do
    widest: float = 1e3

    @property
    def bits(self) -> int:
        return 64 * math.ceil((3.33 * self.digits + 40) / 64)

    @property
    def spare(self) -> Fraction:
        """By how much of its width a stated interval is wider, as another's remainders may be some times larger."""
        return Fraction(1, 8) if self.boxed else Fraction(1, 4)

    @property
    def order(self) -> int:
        return min(MOST_ORDER, (5 if self.boxed else 10) + math.ceil(0.65 * self.digits))


class Tube:
    """Steps from 0 on, made when they are asked for.

    >>> tube = Tube({"x": ("*", ("q", "-1"), ("s", "x"))}, "t", [(Fraction(1), Fraction(1))], Care(16))
    >>> [*_, step] = tube.until(Fraction(1))
    >>> print(step.lands.hull()[0].str(10, radius=False))
    0.3678794412
    """

    def __init__(self, states: dict[str, Term], time: str, start: Sides, care: Care) -> None:
        self.field, self.care, self.sides = Field(states, time), care, start
        self.steps: list[Step] = []
        self.reached = self.time = Fraction(0)
        with precision(care.bits):
            self.start = self.set = Reached.of(start, self.field.constant)
        self._proposed = BEGINS
        self._end: Ends | None = None

    def until(self, latest: Fraction) -> Iterator[Step]:
        """The steps that reach a time, those that are known first."""
        position = 0
        while position < len(self.steps) or self.time < latest:
            if position == len(self.steps):
                self._next(latest)
            step = self.steps[position]
            if step.time >= latest:
                return
            yield step
            position += 1

    def moment(self, time: Fraction) -> tuple[list[Ball], Ball]:
        """Where all solutions are at a time."""
        step = next(s for s in self.until(time) if time <= s.time + s.length) if time > 0 else None
        with precision(self.care.bits):
            if step is None:
                return self.start.hull(), exact(time)
            return step.at(exact(time - step.time)), exact(time)

    @property
    def is_lost_for_good(self) -> bool:
        """Whether it ends before the times that were asked for, and would with more digits too."""
        return self._end is not None and self._end.whatever_care

    def _next(self, latest: Fraction) -> None:
        """One more step; raises `Ends` where there is none."""
        try:
            self._extend(latest)
        except Ends as end:
            self._end = end
            raise

    def _extend(self, latest: Fraction) -> None:
        if self._stalls(latest):
            raise Ends(
                f"beyond the time {_about(self.time)} steps are so small that more than {MOST_STEPS} would be needed",
                whatever_care=_is_narrow(self.set.hull()),
            )
        with precision(self.care.bits):
            step, pace = self._accepted(latest)
            landed = step.lands
            hull = landed.hull()
            for name, value in zip(self.field.names, hull, strict=True):
                if not value.is_finite() or not value.rad() < self.care.widest:
                    raise Ends(f"the box that holds {name} grows too wide at the time {_about(self.time)}")
            self.set = landed
        self.steps.append(step)
        self.time += step.length
        self._proposed = _short(step.length, pace)

    def _stalls(self, latest: Fraction) -> bool:
        """Whether there are too many steps, or would be at the pace of the last ones."""
        count = len(self.steps)
        if count % PACE or count == 0:
            return count >= MOST_STEPS
        pace = self.time - self.steps[-PACE].time
        return count * pace + (latest - self.time) * PACE > MOST_STEPS * pace

    def _accepted(self, latest: Fraction) -> tuple[Step, float]:
        """A step, and how many times as long the next one may be."""
        hull = self.set.hull()
        try:
            beside = Beside(self.field, self.time, self.set, self.care.order)
        except NoValue:
            raise Ends(self._no_value()) from None
        allowed = [self._allowed(value) for value in hull]
        blur = self._blur(beside, allowed)
        h, remaining = min(self._proposed, _first_guess(beside.known, allowed)), latest - self.time
        while h >= LEAST_STEP:
            h = min(h, _upwards(remaining))
            try:
                step = beside.step(h)
            except NoValue:
                h = _short(h, 0.5)
                continue
            pace = self._pace(step, allowed, blur)
            if pace >= SLOWEST:
                return step, pace
            h = _short(h, max(0.25, pace))
        if not self._has_values(hull):
            raise Ends(self._no_value(), whatever_care=True)
        name, value = max(zip(self.field.names, hull, strict=True), key=lambda pair: _size(pair[1]))
        raise Ends(
            f"no step goes beyond the time {_about(self.time)}, where {name} comes to {_size(value):.2g}: solutions may"
            " end there",
            whatever_care=_is_narrow(hull),
        )

    def _blur(self, beside: Beside, allowed: list[float]) -> list[float]:
        """How fast solutions may leave their linear part: of a box hardly faster than on a short step."""
        widths = [float(width) for width in beside.width.entries()]
        if not self.care.boxed:
            return [max(least, WIDER * width) for least, width in zip(allowed, widths, strict=True)]
        try:
            slopes = self.field.jacobian(beside.hull, exact(self.time))
        except NoValue:
            return [1.0]
        unsure = arb_mat(len(widths), len(widths), [entry.rad() for entry in slopes.entries()]) * beside.width
        return [max(UNSEEN * max(widths), self.care.blur * max(float(each.abs_upper()) for each in unsure.entries()))]

    def _pace(self, step: Step, allowed: list[float], blur: list[float]) -> float:
        """By how much the next step may be longer; less than 1 if this one loses too much."""
        h = exact(step.length)
        pace = _pace([speed * h for speed in step.beside], allowed, self.care.order)
        if self.care.boxed:
            return min(pace, _pace([max(step.blurred)], blur, 1))
        return min(pace, _pace([speed * h for speed in step.blurred], blur, self.care.order))

    def _has_values(self, hull: list[Ball]) -> bool:
        try:
            self.field.jacobian(hull, exact(self.time))
        except NoValue:
            return False
        return True

    def _allowed(self, value: Ball) -> float:
        """The remainder that a state may add in one step."""
        size = max(float(abs(value.mid())), 2.0**-30)
        return max(size * 10.0**-self.care.digits, SHARE_OF_WIDTH * float(value.rad()))

    def _no_value(self) -> str:
        return f"at the time {_about(self.time)} the box meets a place where a rate or its slope may have no value"


def _is_narrow(box: list[Ball]) -> bool:
    return all(float(value.rad()) <= NARROW * _size(value) for value in box)


def _size(value: Ball) -> float:
    return float(abs(value).abs_upper())


def _first_guess(central: list[list[Ball]], allowed: list[float]) -> Fraction:
    """The step at which the last coefficients leave the remainder that is allowed."""
    guesses = [4.0**40]
    for row, least in zip(central, allowed, strict=True):
        for k in (len(row) - 2, len(row) - 1):
            if (size := _size(row[k])) > 0:
                guesses.append((least / size) ** (1 / k))
    return _short(Fraction(1), 1.5 * min(guesses))


def _pace(lost: list[Ball], allowed: list[float], order: int) -> float:
    """By how much a step may change until what it loses, which grows with a power of its length, is what is allowed."""
    share = max(float(each.abs_upper()) / a for each, a in zip(lost, allowed, strict=True))
    return min(GROWS, SAFE * share ** (-1 / order)) if share > 0 else GROWS


def _short(value: Fraction, times: float) -> Fraction:
    """About a multiple of a number, as a dyadic number with few digits."""
    mantissa, exponent = math.frexp(float(value) * times)
    return Fraction(math.floor(mantissa * 32)) * Fraction(2) ** (exponent - 5)


def _upwards(value: Fraction) -> Fraction:
    """A dyadic number that is not below a given one, and hardly above."""
    grain = Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length() - 60)
    return math.ceil(value / grain) * grain


def _about(time: Fraction) -> str:
    return f"{float(time):.6g}"
