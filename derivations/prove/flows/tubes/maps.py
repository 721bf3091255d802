"""The iterates of a map from all points of a box: nothing is left out of a step, so that only boxes can grow."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from derivations.language.evaluate import precision
from derivations.language.terms import Term
from derivations.prove.flows.tubes.flow import Care, Ends
from derivations.prove.flows.tubes.jets import Field
from derivations.prove.flows.tubes.programs import NoValue
from derivations.prove.flows.tubes.sets import Reached, Sides, column, exact

Ball = Any  # flint.arb
MOST_ITERATIONS = 100_000


class Iterates:
    """Boxes that hold every iterate, made when they are asked for.

    >>> halves = Iterates({"x": ("*", ("q", "1/2"), ("s", "x"))}, "t", [(Fraction(1), Fraction(1))], Care(16))
    >>> print(*halves.moment(Fraction(3))[0])
    0.125000000000000
    """

    def __init__(self, states: dict[str, Term], time: str, start: Sides, care: Care) -> None:
        self.field, self.care, self.sides = Field(states, time, is_map=True), care, start
        with precision(care.bits):
            self.set = Reached.of(start, self.field.constant)
            self.boxes = [self.set.hull()]
        self.is_lost_for_good = False

    def moment(self, time: Fraction) -> tuple[list[Ball], Ball]:
        """Where all iterates are after a whole number of iterations."""
        with precision(self.care.bits):
            while len(self.boxes) <= time:
                self._extend()
            return self.boxes[int(time)], exact(time)

    def _extend(self) -> None:
        """One more iteration; raises `Ends` where there is none."""
        count = len(self.boxes) - 1
        if count >= MOST_ITERATIONS:
            raise Ends(f"more than {MOST_ITERATIONS} iterations are not followed")
        time = exact(Fraction(count))
        try:
            landed = column(self.field.values(list(self.set.middle.entries()), time))
            self.field.values(self.boxes[-1], time)
            slope = self.field.jacobian(self.boxes[-1], time)
        except NoValue:
            raise Ends(
                f"after {count} iterations the box meets a place where the map or its slope may have no value"
            ) from None
        reached = self.set.onward(landed, slope)
        box = reached.hull()
        for name, value in zip(self.field.names, box, strict=True):
            if not value.is_finite() or not value.rad() < self.care.widest:
                raise Ends(f"the box that holds {name} grows too wide after {count + 1} iterations")
        self.set = reached
        self.boxes.append(box)
