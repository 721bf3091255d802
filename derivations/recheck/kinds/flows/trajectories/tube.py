"""One verified step of a flow, from a set of states to the next (see `sets`), in one of two ways.

Let x[i] be the Taylor coefficients of solutions by time as functions of the state, and E the stated box, on which the
rates and their derivatives have finite values, so that they are analytic around it.

- By comparison with a polynomial (see `comparison`), which allows long steps from a narrow set.
- High-order enclosure (Corliss and Rihm 1996; Nedialkov, Jackson and Pryce 2001): if sum_{i < p} s^i x[i](X) +
  s^p x[p](E) lies in E for all s in [0, h], then every solution that is in X at t exists until t + h, is unique, and
  stays in E: the integral operator of the equation of order p for it takes continuous functions into E to such ones.
  Mean value form: then x(t + s) lies in sum_{i < p} s^i x[i](m) + s^p x[p](E) + J(s) (x - m) for every x in X, where
  J(s) is the derivative of the sum by the state over the convex hull of X and m, from the variational equation.

A time in the rates is one more state with rate 1, known exactly; over E it is the whole interval [t, t + h].
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from flint import arb, arb_mat, fmpq

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Rational
from derivations.recheck.kinds.flows.trajectories import effort
from derivations.recheck.kinds.flows.trajectories.comparison import Place, by_comparison
from derivations.recheck.kinds.flows.trajectories.jets import Ball, Flow
from derivations.recheck.kinds.flows.trajectories.sets import (
    HALVINGS,
    Course,
    Stated,
    States,
    between,
    is_certain,
    over_a_step,
)

Matrix = Any  # flint.arb_mat
Way = Callable[[Place], Course | None]


class Step:
    """A step of a flow, which is verified when it is made."""

    def __init__(self, flow: Flow, states: States, start: Matrix | None, order: int, stated: Stated) -> None:
        self.flow, self.order = flow, order
        self.begin, self.length, _ = stated
        self.end = self.begin + self.length
        place = Place(flow, states, start, order, stated)
        self.everywhere = place.everywhere
        self.course = _course(place)
        self.coordinates = self.course.coordinates

    def rough(self, low: Rational, high: Rational) -> list[Ball]:
        """All states at the times from low to high, quickly."""
        s = between(low - self.begin, high - self.begin)
        return [_narrower(hull(s), whole) for hull, whole in zip(self.course.hull, self.everywhere, strict=True)]

    def fine(self, low: Rational, high: Rational) -> list[Ball]:
        s = between(low - self.begin, high - self.begin)
        return [_narrower(self.course.from_centre(i, s), other) for i, other in enumerate(self.rough(low, high))]

    def around_centre(self, moment: Rational) -> tuple[list[Ball], list[list[Ball]]]:
        """Where the centre is at a moment, and how each state there changes with the coordinates of the set."""
        s = arb(moment - self.begin)
        centre = self.course.centre
        return [each(s) for each in centre], [self.course.slopes(i, s) for i in range(len(centre))]

    def after(self) -> States:
        """The set at the end of the step."""
        return self.course.after(self.length, self.flow.still)


def _course(place: Place) -> Course:
    """What one of the ways shows: the comparison is tried first where all solutions start from a point."""
    ways: list[Way] = [by_comparison, by_high_order]
    best: Course | None = None
    for way in ways if place.start is None else reversed(ways):
        try:
            found = way(place)
        except (Undefined, ZeroDivisionError, ValueError):
            continue
        if found is not None:
            best = found if best is None else _narrower_course(best, found, place.length)
            if found.is_sharp:
                return best
    if best is not None:
        return best
    begin, end = place.begin, place.begin + place.length
    raise Rejected(f"the a-priori box of the step from time {begin} to {end} does not certainly hold what starts in it")


def _narrower_course(a: Course, b: Course, length: Rational) -> Course:
    """Both are right: the one that loses less in the state in which it is worst beside the other.

    To be narrower by a hair in most states is worth nothing where another state is wider by far.
    """
    of_a, of_b = a.widths(length), b.widths(length)
    return b if _most_times_wider(of_b, of_a) < _most_times_wider(of_a, of_b) else a


def _most_times_wider(widths: Sequence[Ball], others: Sequence[Ball]) -> Ball:
    times = [arb(1)]
    for width, other in zip(widths, others, strict=True):
        if width > other:
            times.append(width / other if other > 0 else arb.pos_inf())
    return max(times)


# --- high-order enclosure ---------------------------------------------------------------------------------------------


def by_high_order(place: Place) -> Course | None:
    flow, order, begin = place.flow, place.order, arb(place.begin)
    effort.spend_on_an_enclosure(order, flow)
    courses = flow.coefficients(place.everywhere, between(place.begin, place.begin + place.length), order)
    remainders = [course[order] for course in courses]
    around = flow.coefficients(place.hull, begin, order - 1)
    slopes = flow.series(flow.slope_nodes, around, begin, max(order - 1, 1))
    middle = flow.coefficients(place.states.centre, begin, order - 1)
    hull, centre = ([[*c, r] for c, r in zip(part, remainders, strict=True)] for part in (around, middle))
    course = Course(place.states, place.start, hull, centre, _dependence(flow, slopes, order))
    for i in flow.moving_states:
        low, high = map(arb, place.box[i])

        def is_inside(s: Ball, i: int = i, low: Ball = low, high: Ball = high) -> bool:
            return _within(course.hull[i](s), low, high) or _within(course.from_centre(i, s), low, high)

        whole = over_a_step(hull[i], arb(place.length))
        if not _within(whole, low, high) and not is_certain(is_inside, fmpq(0), place.length, HALVINGS):
            return None
    return course


def _dependence(flow: Flow, slopes: dict[int, Any], order: int) -> list[Matrix]:
    """The coefficients of the derivative of solutions by their start: Phi' = Df Phi."""
    n, zero = len(flow.rates), arb(0)
    along = []
    for k in range(order - 1):
        table = {place: slopes[node][k] for place, node in flow.slopes.items()}
        along.append(arb_mat(n, n, [table.get((i, j), zero) for i in range(n) for j in range(n)]))
    phi = [arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])]
    for k in range(order - 1):
        total = along[0] * phi[k]
        for i in range(1, k + 1):
            total = total + along[i] * phi[k - i]
        phi.append(total * (1 / arb(k + 1)))
    return phi


def _within(ball: Ball, low: Ball, high: Ball) -> bool:
    return bool(ball.is_finite() and low <= ball and ball <= high)


def _narrower(a: Ball, b: Ball) -> Ball:
    """Both hold the value."""
    if not a.is_finite():
        return b
    return b if b.rad() < a.rad() else a
