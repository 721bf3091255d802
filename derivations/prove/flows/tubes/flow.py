"""The tube of all solutions of a flow: steps as large as the digits that are asked for allow."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat

from derivations.language.evaluate import precision
from derivations.language.terms import Term
from derivations.prove.flows.tubes.compared import Compared, Comparison
from derivations.prove.flows.tubes.jets import Field
from derivations.prove.flows.tubes.programs import NoValue
from derivations.prove.flows.tubes.sets import Reached, Sides, exact
from derivations.prove.flows.tubes.steps import Matrix, Series, Step, apriori
from derivations.text import DerivationError

Ball = Any  # flint.arb
MOST_STEPS, MOST_ORDER = 10_000, 100
PACE = 100  # steps, whose length is the pace
LEAST_STEP = Fraction(1, 2**30)
NARROW = 2.0**-10  # of its size: a box that is not lost by its own width
SHARE_OF_WIDTH = 2.0**-12  # of the width of the set, below which a remainder is not worth a smaller step
GROWS, SHRINKS, SAFE, TOLERATED = 2.0, 0.7, 0.9, 16.0
DOUBT = 16  # the share of an uncertainty that is added to it
UNSEEN = 2.0**-9  # what may always blur the dependence on the start in a unit of time
BEGINS = Fraction(1, 16)
ATTEMPTS, PATIENCE = 6, 4  # at a step beside a polynomial, and steps that fail before none is tried any more


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
    blur: float = 1.5  # of the dependence on the start, beyond its linear part, that a step may add
    widest: float = 1e3

    @property
    def bits(self) -> int:
        return 64 * math.ceil((3.33 * self.digits + 40) / 64)

    @property
    def room(self) -> Fraction:
        """By how much of its radius a stated box is wider than what was computed; another's tube may be wider too."""
        return Fraction(1, 4) if self.boxed else Fraction(1, 8)

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
    >>> print(step.landing().hull()[0].str(10, radius=False))
    0.3678794412
    """

    def __init__(self, states: dict[str, Term], time: str, start: Sides, care: Care) -> None:
        self.field, self.care, self.sides = Field(states, time), care, start
        self.steps: list[Step | Compared] = []
        self.reached = self.time = Fraction(0)
        with precision(care.bits):
            self.start = self.set = Reached.of(start, self.field.constant)
        self._proposed = self._long = BEGINS
        self._patience = PATIENCE
        self._end: Ends | None = None

    def until(self, latest: Fraction) -> Iterator[Step | Compared]:
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
            step, error = self._beside_a_polynomial(latest) or self._accepted(latest)
            landed = step.landing()
            hull = landed.hull()
            for name, value in zip(self.field.names, hull, strict=True):
                if not value.is_finite() or not value.rad() < self.care.widest:
                    raise Ends(f"the box that holds {name} grows too wide at the time {_about(self.time)}")
            self.set = landed
        self.steps.append(step)
        self.time += step.length
        proposed = _short(step.length, min(GROWS, SAFE * error ** (-1 / step.order)) if error > 0 else GROWS)
        if isinstance(step, Compared):
            self._long = proposed
        else:
            self._proposed = proposed

    def _stalls(self, latest: Fraction) -> bool:
        """Whether there are too many steps, or would be at the pace of the last ones."""
        count = len(self.steps)
        if count % PACE or count == 0:
            return count >= MOST_STEPS
        pace = self.time - self.steps[-PACE].time
        return count * pace + (latest - self.time) * PACE > MOST_STEPS * pace

    def _beside_a_polynomial(self, latest: Fraction) -> tuple[Compared, float] | None:
        """A step that is longer than those in boxes are, for a narrow set, if one is found."""
        if self.care.boxed or self._patience == 0:
            return None
        order, time, hull = self.care.order, exact(self.time), self.set.hull()
        allowed = [self._allowed(value) for value in hull]
        try:
            central = self.field.coefficients(list(self.set.middle.entries()), time, order)
            comparison = Comparison(self.field, self.time, self.set, central)
        except NoValue:
            return None
        h, remaining = min(self._long, _first_guess(central, allowed)), latest - self.time
        for _ in range(ATTEMPTS):
            h = min(h, _upwards(remaining))
            step, error = comparison.step(h, allowed)
            if step is not None:
                self._patience = PATIENCE
                return step, error
            h = _short(h, max(0.25, SAFE * error ** (-1 / order)) if error > 1 else 0.5)
            if h < self._proposed / 2:
                break
        self._long = self._proposed
        self._patience -= 1
        return None

    def _accepted(self, latest: Fraction) -> tuple[Step, float]:
        order, time, hull = self.care.order, exact(self.time), self.set.hull()
        try:
            straight = self.field.coefficients(hull, time, order + 1)
            central = self.field.coefficients(list(self.set.middle.entries()), time, order)
            dependence = self.field.dependence(straight, time, order)
            if self.care.boxed:
                dependence = list(map(_doubtful, dependence))
        except NoValue:
            raise Ends(self._no_value()) from None
        if not all(c.is_finite() for row in straight for c in row):
            raise Ends(self._no_value())
        allowed = [self._allowed(value) for value in hull]
        series, linear = Series.of(order, central, straight, dependence), dependence[1]
        h, remaining = min(self._proposed, _first_guess(central, allowed)), latest - self.time
        h = self._while_narrow(h, series, linear, hull)
        while h >= LEAST_STEP:
            last = h >= remaining
            if last:
                h = _upwards(remaining)
            found = apriori(self.field, self.time, h, straight, self.care.room)
            if found is None:
                h = h / 2 if not last else _short(remaining, 0.5)
                continue
            sides, remainder = found
            sizes = [_size(r) * float(h) ** order / a for r, a in zip(remainder, allowed, strict=True)]
            error = max(sizes)
            if error > TOLERATED:
                h = _short(h, max(0.25, SAFE * error ** (-1 / order)))
                continue
            return Step(self.field, self.time, h, order, self.set, sides, remainder, series), error
        if not self._has_values(hull):
            raise Ends(self._no_value(), whatever_care=True)
        name, value = max(zip(self.field.names, hull, strict=True), key=lambda pair: _size(pair[1]))
        raise Ends(
            f"no step goes beyond the time {_about(self.time)}, where {name} comes to {_size(value):.2g}: solutions may"
            " end there",
            whatever_care=_is_narrow(hull),
        )

    def _while_narrow(self, h: Fraction, series: Series, linear: Matrix, hull: list[Ball]) -> Fraction:
        """A step on which the dependence on the start is hardly less certain than its linear part."""
        widths = [float(value.rad()) for value in hull]
        at_once = _blur(linear, widths)
        while h > LEAST_STEP and _blur(series.slope(exact(h)), widths) > float(h) * max(
            self.care.blur * at_once, UNSEEN
        ):
            h = _short(h, SHRINKS)
        return h

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


def _doubtful(matrix: Matrix) -> Matrix:
    """A matrix that is known a little less, so that an enclosure leaves room for one computed in another order."""
    entries = [entry + arb(0, entry.rad() / DOUBT) for entry in matrix.entries()]
    return arb_mat(matrix.nrows(), matrix.ncols(), entries)


def _blur(matrix: Matrix, widths: list[float]) -> float:
    """How much an uncertain matrix adds to the widest side of a box, in parts of it."""
    widest, size = max(widths), len(widths)
    if widest == 0:
        return 0.0
    return max(sum(float(matrix[i, j].rad()) * widths[j] for j in range(size)) for i in range(size)) / widest


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
