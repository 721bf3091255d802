"""One verified step of a flow, from a set of states to the next.

A set is {m + C r0 + Q r}: r0 is the start box around its midpoint, the same at all times, and r what was lost since, in
a frame Q near an orthogonal one (Lohner 1987). Let x[i] be the Taylor coefficients of solutions by time as functions of
the state, and E a box on which the rates and their derivatives have finite values, so that they are analytic around it.

- High-order enclosure (Corliss and Rihm 1996; Nedialkov, Jackson and Pryce 2001): if sum_{i < p} s^i x[i](X) +
  s^p x[p](E) lies in E for all s in [0, h], then every solution that is in X at t exists until t + h, is unique, and
  stays in E: the integral operator of the equation of order p for it takes continuous functions into E to such ones.
- Mean value form: then x(t + s) lies in sum_{i < p} s^i x[i](m) + s^p x[p](E) + J(s) (x - m) for every x in X, where
  J(s) is the derivative of the sum by the state over the convex hull of X and m, from the variational equation.

A time in the rates is one more state with rate 1, known exactly; over E it is the whole interval [t, t + h].
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from flint import arb, arb_mat, arb_poly, fmpq

from derivations.recheck.errors import Rejected
from derivations.recheck.kinds.flows.trajectories.frames import frame_near
from derivations.recheck.kinds.flows.trajectories.jets import Ball, Flow
from derivations.recheck.load import Rational

DEEPEST = 6  # halvings of a step on which the box is checked
Matrix = Any  # flint.arb_mat


def between(low: Rational, high: Rational) -> Ball:
    """A ball that holds an interval."""
    return arb((low + high) / 2) + arb(0, arb((high - low) / 2).abs_upper())


def column(entries: Sequence[Ball]) -> Matrix:
    return arb_mat(len(entries), 1, list(entries))


class States(NamedTuple):
    """centre + spread r0 + frame rest; without a spread where the start is a point."""

    centre: list[Ball]
    spread: Matrix | None
    frame: Matrix
    rest: Matrix

    def deviation(self, start: Matrix | None) -> Matrix:
        off = self.frame * self.rest
        return off if self.spread is None else off + self.spread * start

    def hull(self, start: Matrix | None) -> list[Ball]:
        """The box around the set and its centre."""
        off = self.deviation(start).entries()
        return [(m + d).union(m) for m, d in zip(self.centre, off, strict=True)]

    def directions(self) -> Matrix:
        """The matrix by which (r0, rest) goes into the deviation from the centre."""
        n = self.frame.nrows()
        if self.spread is None:
            return self.frame
        rows = zip(self.spread.tolist(), self.frame.tolist(), strict=True)
        return arb_mat(n, self.spread.ncols() + n, [entry for a, b in rows for entry in (*a, *b)])

    def coordinates(self, start: Matrix | None) -> list[Ball]:
        return [*(start.entries() if start is not None else ()), *self.rest.entries()]


def begin(box: Sequence[tuple[Rational, Rational]]) -> tuple[States, Matrix | None]:
    """The set of a start box, and its r0."""
    n = len(box)
    centre = [arb((low + high) / 2).mid() for low, high in box]
    wide = [i for i, (low, high) in enumerate(box) if low != high]
    off = [between(low, high) - m for (low, high), m in zip(box, centre, strict=True)]
    rest = column([arb(0) if i in wide else ball for i, ball in enumerate(off)])
    identity = arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])
    spread = arb_mat(n, len(wide), [int(i == j) for i in range(n) for j in wide]) if wide else None
    return States(centre, spread, identity, rest), column([off[i] for i in wide]) if wide else None


def moved(states: States, start: Matrix | None, image: list[Ball], slope: Matrix, still: Collection[int]) -> States:
    """The set after one step: its centre goes into the image, and deviations are multiplied by a slope.

    still: the numbers of the constant states.
    """
    centre = [ball.mid() for ball in image]
    loss = column([ball - m for ball, m in zip(image, centre, strict=True)])
    spread = None
    if states.spread is not None:
        carried = slope * states.spread
        spread = carried.mid()
        loss = loss + (carried - spread) * start
    turned = slope * states.frame
    frame, back = frame_near(turned, states.rest, [i for i in range(len(image)) if i not in still])
    return States(centre, spread, frame, (back * turned) * states.rest + back * loss)


class Stated(NamedTuple):
    """A step as the evidence states it: when it begins, how long it is, and its a-priori box."""

    begin: Rational
    length: Rational
    box: Sequence[tuple[Rational, Rational]]


class Step:
    """A step of a flow, which is verified when it is made."""

    def __init__(self, flow: Flow, states: States, start: Matrix | None, order: int, stated: Stated) -> None:
        self.flow, self.states, self.start, self.order = flow, states, start, order
        self.begin, self.length, box = stated
        self.end = self.begin + self.length
        hull = states.hull(start)
        begin_ball = arb(self.begin)
        self.everywhere = [
            each if i in flow.still else between(*sides) for i, (sides, each) in enumerate(zip(box, hull, strict=True))
        ]
        during = between(self.begin, self.end)
        flow.jacobian(self.everywhere, during)
        courses, _ = flow.coefficients(self.everywhere, during, order)
        remainders = [course[order] for course in courses]
        around, table = flow.coefficients(hull, begin_ball, order - 1)
        self.phi = self._phi(flow.jacobian_along([course[: max(order - 1, 1)] for course in around], table, begin_ball))
        middle, _ = flow.coefficients(states.centre, begin_ball, order - 1)
        self.around = [[*course, rest] for course, rest in zip(around, remainders, strict=True)]
        self.hull = list(map(arb_poly, self.around))
        self.centre = [arb_poly([*course, rest]) for course, rest in zip(middle, remainders, strict=True)]
        self.coordinates = states.coordinates(start)
        self._rows: dict[int, list[Any]] = {}
        self._require_inside(box)

    # --- the a-priori box ---------------------------------------------------------------------------------------------

    def _require_inside(self, box: Sequence[tuple[Rational, Rational]]) -> None:
        for i, (low, high) in enumerate(box):
            if i in self.flow.still:
                continue
            low_ball, high_ball = arb(low), arb(high)
            if not _within(self._whole(i), low_ball, high_ball):
                self._require_pieces_inside(i, fmpq(0), self.length, (low_ball, high_ball), DEEPEST)

    def _whole(self, i: int) -> Ball:
        """State i over the whole step, term by term."""
        length, total, power = arb(self.length), self.around[i][0], arb(1)
        for coefficient in self.around[i][1:]:
            power = power * length
            half = power.abs_upper() / 2
            total = total + coefficient * (half + arb(0, half))
        return total

    def _require_pieces_inside(self, i: int, low: Rational, high: Rational, box: tuple[Ball, Ball], depth: int) -> None:
        s = between(low, high)
        if _within(self.hull[i](s), *box) or _within(self._from_centre(i, s), *box):
            return
        if not depth:
            raise Rejected(
                f"the a-priori box of the step from time {self.begin} to {self.end} does not certainly hold what starts"
                " in it"
            )
        middle = (low + high) / 2
        self._require_pieces_inside(i, low, middle, box, depth - 1)
        self._require_pieces_inside(i, middle, high, box, depth - 1)

    # --- states during the step ---------------------------------------------------------------------------------------

    def _from_centre(self, i: int, s: Ball) -> Ball:
        off = sum((slope * r for slope, r in zip(self.slopes(i, s), self.coordinates, strict=True)), arb(0))
        return self.centre[i](s) + off

    def slopes(self, i: int, s: Ball) -> list[Ball]:
        """How state i, s after the beginning, changes with the coordinates of the set."""
        found = self._rows.get(i)
        if found is None:
            ways = self.states.directions()
            rows = [list((self._row(phi, i) * ways).entries()) for phi in self.phi]
            found = self._rows[i] = [arb_poly(list(along)) for along in zip(*rows, strict=True)]
        return [entry(s) for entry in found]

    def _row(self, phi: Matrix, i: int) -> Matrix:
        n = phi.ncols()
        return arb_mat(1, n, [phi[i, j] for j in range(n)])

    def rough(self, low: Rational, high: Rational) -> list[Ball]:
        """All states at the times from low to high, quickly."""
        s = between(low - self.begin, high - self.begin)
        return [_narrower(self.hull[i](s), whole) for i, whole in enumerate(self.everywhere)]

    def fine(self, low: Rational, high: Rational) -> list[Ball]:
        s = between(low - self.begin, high - self.begin)
        return [_narrower(self._from_centre(i, s), other) for i, other in enumerate(self.rough(low, high))]

    def around_centre(self, moment: Rational) -> tuple[list[Ball], list[list[Ball]]]:
        """Where the centre is at a moment, and how each state there changes with the coordinates of the set."""
        s = arb(moment - self.begin)
        n = len(self.centre)
        return [centre(s) for centre in self.centre], [self.slopes(i, s) for i in range(n)]

    # --- the set at the end -------------------------------------------------------------------------------------------

    def _phi(self, jacobian: dict[tuple[int, int], Any]) -> list[Matrix]:
        """The coefficients of the derivative of solutions by their start: Phi' = Df Phi."""
        n = len(self.states.centre)
        zero = arb(0)
        along = []
        for k in range(self.order - 1):
            table = {place: series[k] for place, series in jacobian.items()}
            along.append(arb_mat(n, n, [table.get((i, j), zero) for i in range(n) for j in range(n)]))
        phi = [arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])]
        for k in range(self.order - 1):
            total = along[0] * phi[k]
            for i in range(1, k + 1):
                total = total + along[i] * phi[k - i]
            phi.append(total * (1 / arb(k + 1)))
        return phi

    def after(self) -> States:
        """The set at the end of the step."""
        h = arb(self.length)
        image = [centre(h) for centre in self.centre]
        slope = self.phi[-1]
        for phi in reversed(self.phi[:-1]):
            slope = slope * h + phi
        return moved(self.states, self.start, image, slope, self.flow.still)


def _within(ball: Ball, low: Ball, high: Ball) -> bool:
    return bool(ball.is_finite() and low <= ball and ball <= high)


def _narrower(a: Ball, b: Ball) -> Ball:
    """Both hold the value."""
    if not a.is_finite():
        return b
    return b if b.rad() < a.rad() else a
