"""A step that compares all solutions from a set with one polynomial: any would do, this one is nearly a solution.

Let y be a polynomial with y(0) = m, the centre of the set X, and d = y' - f(y), so that |d| <= delta on [0, h]. Let B
be a matrix of numbers with |A_ij| <= B_ij, and A_ii <= B_ii, 0 <= B_ii, for all derivatives A of f over the stated box
E. As long as a solution x and y are in E, which is convex, e = x - y has e' = A(s) e - d for such matrices, so by sides
|e|' <= B |e| + delta, and |e(s)| <= b(s) = exp(B s) |x(0) - m| + s phi(B s) delta with phi(z) = (exp(z) - 1) / z (Kamke
1932). Where y(s) + [-b(h), b(h)] lies inside E for all s, not at its border, no solution leaves E.

- delta: the coefficients of f(y(s)) come from one series whose coefficients are numbers, not boxes; what it leaves out
  is bounded on a larger disc of complex times (see `analytic`).
- x(s) - y(s) is Phi(s) (x(0) - m), but for s phi(B s) delta, where Phi' = A(s) Phi and A(s) lies in the convex hull of
  Df(y(s) + e) over all |e| <= b(h). For each such e that is a power series in s, and Phi is compared with a polynomial
  in the same way: if that has |Phi' - A Phi| <= rho, the two differ by s phi(B s) rho.
"""

from __future__ import annotations

from itertools import accumulate, repeat
from operator import mul
from typing import Any, NamedTuple

from flint import arb, arb_mat, arb_poly, ctx, fmpq

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.load import Rational
from derivations.recheck.kinds.flows.trajectories import effort
from derivations.recheck.kinds.flows.trajectories.analytic import Cover, Needed, bounds_on_disc
from derivations.recheck.kinds.flows.trajectories.jets import Ball, Flow, values
from derivations.recheck.kinds.flows.trajectories.sets import (
    HALVINGS,
    Course,
    Stated,
    States,
    between,
    column,
    is_certain,
    over_a_step,
)

DISCS = ((8, Cover(0, 0)), (4, Cover(30, 0)), (3, Cover(30, 0)), (2, Cover(100, 0)))  # radii in lengths of the step
FINER_DISCS = ((3, Cover(100, 2)), (2, Cover(200, 3)))  # where those leave out too much
MOST_LINEAR = 7  # coefficients along which the Jacobian is computed to find more of them
LEAST_TERMS = 8  # of the series of the Jacobian
SHARP = 2**8  # times what is small: up to there no other way is tried
SPARE_BITS = 40  # of the precision: a smaller residual is not asked for,
SMALL = 2**20  # what is so many times less than 1 is not seen in the dependence on the beginning
UNSEEN = 2**16  # nor one that is so many times smaller than what is not known of the set
BOUND_BITS = 64  # the precision of bounds
STEEPEST = 200  # norm of B h beyond which nothing can be shown
Matrix = Any  # flint.arb_mat
Numbers = list[list[Ball]]


class Place:
    """A step that is to be verified: the set in which it begins, and what is stated of it."""

    def __init__(self, flow: Flow, states: States, start: Matrix | None, order: int, stated: Stated) -> None:
        self.flow, self.states, self.start, self.order = flow, states, start, order
        self.begin, self.length, self.box = stated
        self.hull = states.hull(start)
        self.everywhere = [
            hull if i in flow.still else between(*sides)
            for i, (sides, hull) in enumerate(zip(self.box, self.hull, strict=True))
        ]
        during = between(self.begin, self.begin + self.length)
        values(flow.program, flow.asked, self.everywhere, during)  # also where a zero multiplies it
        self.slopes = flow.jacobian(self.everywhere, during)


def by_comparison(place: Place) -> Course | None:
    """What holds of all solutions from the set; None if the box does not certainly hold them."""
    flow, h = place.flow, arb(place.length)
    effort.spend_on_a_comparison(place.order, flow)
    y = _polynomials(place)
    growth, residual = _growth(place), _residual(place, y)
    with ctx.workprec(BOUND_BITS):
        forced = _sizes(growth.forced * column(residual))
        off = _sizes(growth.whole * _sizes(place.states.deviation(place.start)) + forced * h).entries()
    if not all(_stays_inside(place, y[i], arb(0, off[i]), place.box[i]) for i in flow.moving_states):
        return None
    centre = [[c[0], c[1] + arb(0, lost), *c[2:]] for c, lost in zip(y, forced.entries(), strict=True)]
    hull = [[c[0] + arb(0, each), *c[1:]] for c, each in zip(y, off, strict=True)]
    dependence = _dependence(place, hull, growth)
    course = Course(place.states, place.start, hull, centre, dependence)
    course.is_sharp = all(lost * h <= SHARP * enough for lost, enough in zip(residual, _enough(place, y), strict=True))
    course.is_sharp &= all(entry.rad() * h * SHARP <= 1 for entry in dependence[1].entries())
    return course


def _stays_inside(place: Place, polynomial: list[Ball], off: Ball, sides: tuple[Rational, Rational]) -> bool:
    low, high = map(arb, sides)
    y = arb_poly(polynomial)

    def holds(ball: Ball) -> bool:
        here = ball + off
        return bool(here.is_finite() and low < here and here < high)

    whole = over_a_step(polynomial, arb(place.length))
    return holds(whole) or is_certain(lambda s: holds(y(s)), fmpq(0), place.length, HALVINGS)


def _polynomials(place: Place) -> Numbers:
    """Numbers near the Taylor coefficients of the solution from the centre.

    Along a polynomial with n right ones, those of the rates up to number 2 n - 1 change linearly with the missing ones.
    """
    flow, time, n = place.flow, arb(place.begin), len(place.hull)
    found, linear = [column(place.states.centre)], list[Matrix]()
    while (known := len(found)) <= place.order:
        y = [[each[i, 0] for each in found] for i in range(n)]
        if known <= MOST_LINEAR:
            linear = _coefficients(flow, flow.series(flow.slope_nodes, y, time, known), known)
        last = min(known + len(linear), place.order)
        series = flow.series(flow.rate_nodes, y, time, last)
        for k in range(known - 1, last):
            total = column([arb(0) if i in flow.still else series[rate][k] for i, rate in enumerate(flow.rates)])
            for j in range(known, k + 1):
                total += linear[k - j] * found[j]
            found.append((total / (k + 1)).mid())
    return [[each[i, 0] for each in found] for i in range(n)]


class _Growth(NamedTuple):
    """Bounds of exp(B h) and of phi(B h)."""

    whole: Matrix
    forced: Matrix


def _growth(place: Place) -> _Growth:
    """Both from the exponential of one matrix with four blocks: B h, the identity, and nothing below."""
    n = len(place.hull)
    with ctx.workprec(BOUND_BITS):
        zero, h = arb(0), arb(place.length)
        rows = [[zero] * (2 * n) for _ in range(2 * n)]
        for (i, j), slope in place.slopes.items():
            rows[i][j] = (slope.abs_upper() if i != j else max(slope.upper(), zero)) * h
        if not all(sum(row, zero) < STEEPEST for row in rows):
            raise Undefined
        for i in range(n):
            rows[i][n + i] = arb(1)
        found = arb_mat(rows).exp()
        blocks = ([[found[i, shift + j].abs_upper() for j in range(n)] for i in range(n)] for shift in (0, n))
        return _Growth(*map(arb_mat, blocks))


def _residual(place: Place, y: Numbers) -> list[Ball]:
    """Bounds of |y' - f(y)| during the step."""
    flow, h = place.flow, arb(place.length)
    enough, most = [each / h for each in _enough(place, y)], 2 * place.order + ctx.prec // 4
    ratio, sizes = _on_a_disc(place, y, Needed(flow.rate_nodes, flow.rates), most, enough)
    terms = place.order + 1
    while terms < most and not _are_enough(sizes, ratio, terms, enough):
        terms += 1
    series = flow.series(flow.rate_nodes, y, arb(place.begin), terms)
    powers = _powers(h, terms)
    found = []
    for i, size in enumerate(sizes):
        total = size * _left_out(ratio, terms)
        if i in flow.moving_states:
            rate = series[flow.rates[i]]
            for k, power in enumerate(powers):
                slope = y[i][k + 1] * (k + 1) if k < place.order else 0
                total += abs(slope - rate[k]) * power
        found.append(total.abs_upper())
    return found


def _enough(place: Place, y: Numbers) -> list[Ball]:
    """Below what an error of each state during the step is small beside what is not known of it anyway."""
    powers, deviation = _powers(arb(place.length), place.order + 1), place.states.deviation(place.start)
    found = []
    for i, course in enumerate(y):
        parts = [abs(c) * power for c, power in zip(course, powers, strict=True)]
        grain = arb(2) ** (SPARE_BITS - ctx.prec) * sum(parts, arb(0))
        found.append(max(parts[-1] / 16, grain, deviation[i, 0].abs_upper() / UNSEEN))
    return found


def _are_enough(sizes: list[Ball], ratio: int, terms: int, enough: list[Ball]) -> bool:
    """Whether what is left out of some series after so many terms is small."""
    times = _left_out(ratio, terms)
    return all(size * times <= least for size, least in zip(sizes, enough, strict=True))


def _on_a_disc(place: Place, course: Numbers, needed: Needed, terms: int, enough: list[Ball]) -> tuple[int, list[Ball]]:
    """The radius of a disc of complex times, in lengths of the step, and bounds of some nodes there.

    On the first disc on which what is left out after so many terms is small, or on that on which it is smallest.
    """
    courses = [*course, [arb(place.begin), arb(1)]]
    found: list[tuple[Ball, int, list[Ball]]] = []
    with ctx.workprec(BOUND_BITS):
        for discs, times in ((DISCS, 1), (FINER_DISCS, SHARP)):
            if any(_are_enough(sizes, ratio, terms, [least * times for least in enough]) for _, ratio, sizes in found):
                break
            for ratio, cover in discs:
                sizes = bounds_on_disc(place.flow.program, needed, courses, arb(place.length * ratio), cover)
                if sizes is not None:
                    if _are_enough(sizes, ratio, terms, enough):
                        return ratio, sizes
                    found.append((max(sizes) * _left_out(ratio, terms), ratio, sizes))
    if not found:
        raise Undefined
    _, ratio, sizes = min(found)
    return ratio, sizes


def _left_out(ratio: int, terms: int) -> Ball:
    """The sum of the powers of 1 / ratio from some number on."""
    return arb(ratio) ** (1 - terms) / (ratio - 1)


# --- the dependence on the beginning ----------------------------------------------------------------------------------


def _dependence(place: Place, around: Numbers, growth: _Growth) -> list[Matrix]:
    """Coefficients of matrices that hold Phi; `around` holds y(s) + e for all e that are possible."""
    flow, h, n = place.flow, arb(place.length), len(around)
    terms = max(place.order, LEAST_TERMS)
    enough = [1 / (SMALL * h)] * len(flow.slopes)
    ratio, sizes = _on_a_disc(place, around, Needed(flow.slope_nodes, [*flow.slopes.values()]), terms, enough)
    with ctx.workprec(BOUND_BITS):
        along = _coefficients(flow, flow.series(flow.slope_nodes, around, arb(place.begin), terms), terms)
        middle, powers = [each.mid() for each in along], _powers(h, terms + 1)
        found, missed = [_filled(n, {(i, i): arb(1) for i in range(n)})], _filled(n, {})
        for k in range(terms):
            total = middle[0] * found[k]
            for i in range(1, k + 1):
                total += middle[i] * found[k - i]
            found.append((total / (k + 1)).mid())
            missed += _sizes(total - found[-1] * (k + 1)) * powers[k]
        parts = [_sizes(each) * power for each, power in zip(found, powers, strict=True)]
        later = list(accumulate(reversed(parts)))  # later[k]: the last k + 1 of them together
        unknown = _filled(n, dict(zip(flow.slopes, sizes, strict=True))) * _left_out(ratio, terms)
        for k in range(terms):
            unknown += _sizes(along[k] - middle[k]) * powers[k]
            missed += _sizes(middle[k]) * powers[k] * later[k]
        lost = _sizes(growth.forced * (missed + unknown * later[-1]))
    found[1] += _filled(n, {(i, j): arb(0, lost[i, j]) for i in range(n) for j in range(n)})
    return found


def _coefficients(flow: Flow, series: dict[int, Any], terms: int) -> list[Matrix]:
    """The Jacobian as a series of matrices."""
    n = len(flow.rates)
    return [_filled(n, {at: series[node][k] for at, node in flow.slopes.items()}) for k in range(terms)]


def _filled(n: int, entries: dict[tuple[int, int], Ball]) -> Matrix:
    zero = arb(0)
    return arb_mat(n, n, [entries.get((i, j), zero) for i in range(n) for j in range(n)])


def _sizes(matrix: Matrix) -> Matrix:
    return arb_mat(matrix.nrows(), matrix.ncols(), [entry.abs_upper() for entry in matrix.entries()])


def _powers(h: Ball, count: int) -> list[Ball]:
    return list(accumulate(repeat(h, count - 1), initial=arb(1), func=mul))
