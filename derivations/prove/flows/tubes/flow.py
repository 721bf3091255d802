"""The tube of all solutions of a flow: steps as large as the digits that are asked for allow.

Steps, and iterations of maps, are those of the checker; here it is proposed how long they are, and in which boxes.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any

from flint import arb, arb_mat

from derivations.prove.certificate import Json
from derivations.prove.flows.tubes.sets import Sides, ends, exact, fraction, orthogonal, rational, working
from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.kinds.flows.trajectories import Moment, iterates
from derivations.recheck.kinds.flows.trajectories.claims import Claim
from derivations.recheck.kinds.flows.trajectories.questions import Stretch
from derivations.recheck.kinds.flows.trajectories.step import Beside, States, Step, System, between, column
from derivations.text import DerivationError

Ball = Any  # flint.arb
NO_VALUE = (Undefined, ZeroDivisionError, ValueError)
MOST_STEPS, MOST_ORDER, MOST_ITERATIONS = 10_000, 100, 100_000
PACE = 100  # steps, whose length is the pace
LEAST_STEP = Fraction(1, 2**30)
NARROW = 2.0**-10  # of its size: a box that is not lost by its own width
SHARE_OF_WIDTH = 2.0**-12  # of the width of the set, below which a remainder is not worth a smaller step
GROWS, SAFE, SLOWEST = 2.0, 0.9, 0.75
WIDER = 2.0**-5  # of its width, by which a step may make a set about a point wider
BEGINS = Fraction(1, 16)
FARTHEST = 2.0**500  # a number beyond which nothing is followed
PARTS = 8  # of a step on which a polynomial is bounded
ROOM = Fraction(1, 4)  # of its radius, by which a stated box is wider
LEAST_ROOM = Fraction(1, 2**40)  # of its size, where it has no radius
GRAIN = 5  # bits to which the width of a stated box is written down


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
    unseen: float = 2.0**-9  # of its width, by which a box may always become wider in a unit of time
    widest: float = 1e3

    @property
    def bits(self) -> int:
        return 64 * math.ceil((3.33 * self.digits + 40) / 64)

    @property
    def spare(self) -> Fraction:
        """By how much of its width an interval that is computed is stated wider."""
        return Fraction(1, 8) if self.boxed else Fraction(1, 4)

    @property
    def order(self) -> int:
        return min(MOST_ORDER, (5 if self.boxed else 10) + math.ceil(0.65 * self.digits))


class Tube:
    """Steps from 0 on, made when they are asked for."""

    def __init__(self, claim: Claim, care: Care) -> None:
        self.claim, self.care = claim, care
        self.steps: list[Step] = []
        self.times = [Fraction(0)]
        self.evidence: list[Any] = []
        with working(care.bits):
            self.system, self.states = System(claim), States.of(claim.start)
            self.start = Moment(self.states, 0)
        self._proposed = BEGINS
        self._end: Ends | None = None

    @property
    def time(self) -> Fraction:
        return self.times[-1]

    def until(self, latest: Fraction) -> Iterator[Step]:
        """The steps that reach a time, those that are known first."""
        position = 0
        while position < len(self.steps) or self.time < latest:
            if position == len(self.steps):
                self._next(latest)
            if self.times[position] >= latest:
                return
            yield self.steps[position]
            position += 1

    def at(self, time: Fraction) -> Stretch:
        """The step in which a time is, or the start."""
        return next(step for step in self.until(time) if rational(time) <= step.end) if time > 0 else self.start

    def payload(self, until: Fraction) -> Json:
        """The steps that reach a time, as a certificate has them; one at least."""
        least = until or LEAST_STEP
        count = sum(1 for _ in self.until(least))
        return {"bits": self.care.bits, "order": self.care.order, "steps": self.evidence[:count]}

    @property
    def is_lost_for_good(self) -> bool:
        """Check whether it ends before the times that were asked for, and would with more digits too."""
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
                whatever_care=_is_narrow(self.states.hull()),
            )
        with working(self.care.bits):
            step, (length, sides), pace = self._accepted(latest)
            _, turned = step.around_centre(step.end, step.end)
            n = len(self.claim.names)
            lost = arb_mat([row[-n:] for row in turned.tolist()])
            frame = orthogonal(lost, self.states.coordinates[-n:], self.claim.moving)
            landed = step.after(frame)
            for name, value in zip(self.claim.names, landed.hull(), strict=True):
                if not value.is_finite() or not value.rad() < self.care.widest:
                    raise Ends(f"the box that holds {name} grows too wide at the time {_about(self.time)}")
        self.states = landed
        rows = [[str(fraction(entry)) for entry in row] for row in frame.tolist()]
        self.evidence.append([str(length), [[str(low), str(high)] for low, high in sides], rows])
        self.steps.append(step)
        self.times.append(self.time + length)
        self._proposed = _short(length, pace)

    def _stalls(self, latest: Fraction) -> bool:
        """Check whether there are too many steps, or would be at the pace of the last ones."""
        count = len(self.steps)
        if count % PACE or count == 0:
            return count >= MOST_STEPS
        pace = self.time - self.times[-PACE - 1]
        return count * pace + (latest - self.time) * PACE > MOST_STEPS * pace

    def _accepted(self, latest: Fraction) -> tuple[Step, tuple[Fraction, Sides], float]:
        """A step with its length and its box, and how many times as long the next one may be."""
        hull = self.states.hull()
        try:
            beside = Beside(self.system, self.states, rational(self.time), self.care.order)
        except NO_VALUE:
            raise Ends(self._no_value()) from None
        allowed = [self._allowed(value) for value in hull]
        width = [abs(value - y[0]).abs_upper() for value, y in zip(hull, beside.centre, strict=True)]
        blur = self._blur(hull, width, allowed)
        h, remaining = (
            min(self._proposed, _first_guess(beside.centre, self.care.order, allowed)),
            latest - self.time,
        )
        while h >= LEAST_STEP:
            h = min(h, _upwards(remaining))
            try:
                sides = self._box(beside, h, allowed)
                step = Step(beside, rational(h), [(rational(low), rational(high)) for low, high in sides])
            except (*NO_VALUE, Rejected):
                h = _short(h, 0.5)
                continue
            pace = self._pace(step, exact(h), allowed, blur)
            if pace >= SLOWEST:
                return step, (h, sides), pace
            h = _short(h, max(0.25, pace))
        if not self._has_values(hull):
            raise Ends(self._no_value(), whatever_care=True)
        name, value = max(zip(self.claim.names, hull, strict=True), key=lambda pair: _size(pair[1]))
        raise Ends(
            f"no step goes beyond the time {_about(self.time)}, where {name} comes to {_size(value):.2g}: solutions may"
            " end there",
            whatever_care=_is_narrow(hull),
        )

    def _box(self, beside: Beside, length: Fraction, allowed: list[float]) -> Sides:
        """A box with room for all solutions if the remainder is as small as is allowed."""
        cuts = [rational(length * k / PARTS) for k in range(PARTS + 1)]
        pieces = [_places(beside, between(low, high)) for low, high in pairwise(cuts)]
        ranges = [reduce(arb.union, piece) for piece in zip(*pieces, strict=True)]
        held = [value + arb(0, 2 * most) for value, most in zip(ranges, allowed, strict=True)]
        if not all(abs(value) < FARTHEST for value in held):
            raise Undefined
        return list(map(_wider, held))

    def _blur(self, hull: list[Ball], width: list[Ball], allowed: list[float]) -> list[float]:
        """How fast solutions may leave their linear part: of a box hardly faster than on a short step."""
        widths = list(map(float, width))
        if not self.care.boxed:
            return [max(least, WIDER * width) for least, width in zip(allowed, widths, strict=True)]
        try:
            slopes = self.system.slopes(hull, exact(self.time))
        except NO_VALUE:
            return [1.0]
        unsure = arb_mat([[entry.rad() for entry in row] for row in slopes.tolist()]) * column(width)
        return [
            max(
                self.care.unseen * max(widths),
                self.care.blur * max(float(each.abs_upper()) for each in unsure.entries()),
            )
        ]

    def _pace(self, step: Step, h: Ball, allowed: list[float], blur: list[float]) -> float:
        """By how much the next step may be longer; less than 1 if this one loses too much."""
        lost, blurred = step.lost.entries(), step.blurred.entries()
        pace = _pace(lost, allowed, self.care.order)
        if self.care.boxed:
            return min(pace, _pace([max(blurred, key=_size) / h], blur, 1))
        return min(pace, _pace(blurred, blur, self.care.order))

    def _has_values(self, hull: list[Ball]) -> bool:
        try:
            self.system.slopes(hull, exact(self.time))
        except NO_VALUE:
            return False
        return True

    def _allowed(self, value: Ball) -> float:
        """The remainder that a state may add in one step."""
        size = max(float(abs(value.mid())), 2.0**-30)
        return max(size * 10.0**-self.care.digits, SHARE_OF_WIDTH * float(value.rad()))

    def _no_value(self) -> str:
        return f"at the time {_about(self.time)} the box meets a place where a rate or its slope may have no value"


class Iterates:
    """The iterates of a map from all points of a box, made when they are asked for."""

    def __init__(self, claim: Claim, care: Care) -> None:
        self.claim, self.care, self.is_lost_for_good = claim, care, False
        self.moments: list[Moment] = []
        with working(care.bits):
            self.system = System(claim)
            most = rational(Fraction(MOST_ITERATIONS))
            self._next = iterates(claim, self.system, {"iterations": MOST_ITERATIONS}, most)

    def at(self, time: Fraction) -> Moment:
        """Where all iterates are after a whole number of iterations; raises `Ends` where that is not followed."""
        while len(self.moments) <= time:
            count = len(self.moments) - 1
            try:
                with working(self.care.bits):
                    found = next(self._next)
            except NO_VALUE:
                raise Ends(
                    f"after {count} iterations the box meets a place where the map or its slope may have no value"
                ) from None
            except StopIteration:
                raise Ends(f"more than {MOST_ITERATIONS} iterations are not followed") from None
            for name, value in zip(self.claim.names, found.hull, strict=True):
                if not value.is_finite() or not value.rad() < self.care.widest:
                    raise Ends(f"the box that holds {name} grows too wide after {count + 1} iterations")
            self.moments.append(found)
        return self.moments[int(time)]

    def payload(self, until: Fraction) -> Json:
        return {"bits": self.care.bits, "iterations": int(until)}


Course = Tube | Iterates


def _is_narrow(box: list[Ball]) -> bool:
    return all(float(value.rad()) <= NARROW * _size(value) for value in box)


def _size(value: Ball) -> float:
    return float(abs(value).abs_upper())


def _first_guess(polynomials: list[Any], order: int, allowed: list[float]) -> Fraction:
    """The step at which the last coefficients leave the remainder that is allowed."""
    guesses = [4.0**40]
    for polynomial, least in zip(polynomials, allowed, strict=True):
        for k in (order - 1, order):
            if k and (size := _size(polynomial[k])) > 0:
                guesses.append((least / size) ** (1 / k))
    return _short(Fraction(1), 1.5 * min(guesses))


def _pace(lost: list[Ball], allowed: list[float], order: int) -> float:
    """By how much a step may change until what it loses, which grows with a power of its length, is what is allowed."""
    share = max(float(each.abs_upper()) / a for each, a in zip(lost, allowed, strict=True))
    return min(GROWS, SAFE * share ** (-1 / order)) if share > 0 else GROWS


def _places(beside: Beside, since: Ball) -> list[Ball]:
    """Where the polynomials are, after a time."""
    off = arb_mat([[each(since) for each in row] for row in beside.ways]) * column(beside.states.coordinates)
    return [y(since) + d for y, d in zip(beside.centre, off.entries(), strict=True)]


def _wider(value: Ball) -> tuple[Fraction, Fraction]:
    """Ends with room about a computed interval, and short."""
    low, high = ends(value)
    room = (high - low) / 2 * ROOM + max(abs(low), abs(high)) * LEAST_ROOM + Fraction(1, 2**100)
    low, high = low - room, high + room
    width = high - low
    grain = Fraction(2) ** (width.numerator.bit_length() - width.denominator.bit_length() - GRAIN)
    return math.floor(low / grain) * grain, math.ceil(high / grain) * grain


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
