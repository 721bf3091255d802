"""Neighbourhoods that solutions never leave, and where all of them approach one point.

Let N = {c + P y: |y| <= rho} with the Euclidean length, and A = P^-1 Df P over N. If the largest eigenvalue of the
symmetric part of A is at most -mu < 0, two solutions in N approach each other at least as exp(-mu t) in that length; if
also |P^-1 f(c)| < mu rho, none leaves N. So N holds exactly one rest point, which all of its solutions approach. (For a
map the largest eigenvalue of A'A is at most mu^2 < 1 and |P^-1 (g(c) - c)| < (1 - mu) rho: Banach's theorem.) Two rest
points in a box would make the mean of the Jacobian along the line between them singular: it is regular over the whole
box that the statement names. Eigenvalues are at most the largest sum of a row, with the sizes of what stands beside the
diagonal (Gershgorin's theorem).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from flint import arb, arb_mat

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, rational, require
from derivations.recheck.core.shapes import read
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, Claim, Proposition, numbers
from derivations.recheck.kinds.flows.trajectories.formulas import ZERO, Ball
from derivations.recheck.kinds.flows.trajectories.questions import Stretch, meets
from derivations.recheck.kinds.flows.trajectories.step import (
    Matrix,
    System,
    between,
    column,
    identity,
    inverse,
    square,
)


class Neighbourhood:
    """All c + P y with |y| <= radius for the moving states, the constant ones anywhere in their start."""

    def __init__(self, claim: Claim, system: System, centre: Matrix, frame: Matrix) -> None:
        self.claim, self.system, self.centre, self.frame = claim, system, centre, frame
        self.is_flow, self.back = claim.form == FLOW, inverse(frame, "the frame of a neighbourhood")

    def states(self, near: Sequence[Ball]) -> list[Ball]:
        """All states where the moving ones are in a box."""
        states = [between(*sides) for sides in self.claim.start]
        for i, ball in zip(self.claim.moving, near, strict=True):
            states[i] = ball
        return states

    def slopes(self, near: Sequence[Ball]) -> Matrix:
        """The derivative of the moving states' rates by them, on a box."""
        slopes, moving = self.system.slopes(self.states(near), ZERO), self.claim.moving
        return arb_mat([[slopes[i, j] for j in moving] for i in moving])

    def rates(self, near: Sequence[Ball]) -> Matrix:
        """The rates of the moving states on a box, or by how much a map changes them."""
        values = self.system.values(self.states(near), ZERO)
        rates = column([values[i] for i in self.claim.moving])
        return rates if self.is_flow else rates - column(near)

    def reach(self, radius: Ball) -> list[Ball]:
        """How far it goes from its centre, by states."""
        return [size(row) * radius for row in self.frame.tolist()]

    def slowest(self, near: Sequence[Ball]) -> Ball:
        """A bound of the largest eigenvalue on a box: of the symmetric part, or for a map the root of that of A'A."""
        a = self.back * self.slopes(near) * self.frame
        n, form = a.nrows(), (a + a.transpose()) / 2 if self.is_flow else a.transpose() * a
        rows = [form[i, i] + sum((abs(form[i, j]) for j in range(n) if j != i), ZERO) for i in range(n)]
        most = reduce(arb.max, rows).upper()
        return most if self.is_flow else most.sqrt()

    def drift(self) -> Ball:
        """How fast the centre moves."""
        return size((self.back * self.rates(self.centre.entries())).entries())

    def holds(self, tube: Stretch, radius: Ball, moment: Rational) -> bool:
        """Check whether all states of a tube are in it at a moment."""
        moving, (middle, ways) = self.claim.moving, tube.around_centre(moment, moment)
        turned = arb_mat([ways.tolist()[i] for i in moving])
        away = self.back * (column([middle[i] for i in moving]) - self.centre)
        return bool(size((away + self.back * turned * column(tube.coordinates)).entries()) <= radius)

    def rests_once(self, box: Sequence[Ball]) -> bool:
        """Check whether a box holds one rest point at most: there the derivative of what vanishes is regular."""
        slope = self.slopes(box)
        try:
            back = (slope if self.is_flow else slope - identity(slope.nrows())).inv()
        except ZeroDivisionError:
            return False
        return all(entry.is_finite() for entry in back.entries())


class Settled:
    """The judge of one "converges": all but that the tube has arrived is checked when it is made."""

    def __init__(self, claim: Claim, system: System, said: Proposition, evidence: Data) -> None:
        read("neighbourhood", evidence, "a neighbourhood")
        n = len(claim.moving)
        centre = column([arb(each) for each in numbers(evidence["centre"], n, "the centre of a neighbourhood")])
        self.radius, self.end = arb(rational(evidence["radius"], "the radius of a neighbourhood")), said.end
        self.near = near = Neighbourhood(claim, system, centre, square(evidence["frame"], n))
        mu = arb(said.rate)
        around = [c + arb(0, r.abs_upper()) for c, r in zip(centre.entries(), near.reach(self.radius), strict=True)]
        sides = [said.box[claim.names[i]] for i in claim.moving]
        require(
            self.radius > 0 and all(low <= ball <= high for ball, (low, high) in zip(around, sides, strict=True)),
            "the neighbourhood in which the solutions settle is not inside the stated box",
        )
        try:
            approaches = near.slowest(around) <= (-mu if near.is_flow else mu)
            stays = near.drift() < (mu if near.is_flow else 1 - mu) * self.radius
            rests_once = near.rests_once([between(*each) for each in sides])
        except Undefined:
            raise Rejected("the rates have no finite derivatives where the solutions are said to settle") from None
        require(approaches, f"solutions do not certainly approach each other at the rate {said.rate}")
        require(stays, "solutions do not certainly stay in the neighbourhood in which they are said to settle")
        require(rests_once, "the stated box need not hold only one rest point: state a box closer around it")

    def see(self, tube: Stretch) -> None:
        arrived = not meets(tube, self.end) or self.near.holds(tube, self.radius, self.end)
        require(arrived, f"the solutions have not certainly arrived in their neighbourhood at time {self.end}")


def size(entries: Sequence[Ball]) -> Ball:
    """The root of the sum of squares, or a number above it."""
    return sum((entry.abs_upper() ** 2 for entry in entries), ZERO).sqrt()
