"""One step of a trajectory: every solution from a set of states stays beside one polynomial, in a stated box.

Let y be a polynomial with y(0) = m, the centre of the set, and |y' - f(y)| <= delta on [0, h]. Let E be the stated box,
and B >= 0 with |A_ij| <= B_ij and A_ii <= B_ii for all derivatives A of f over E. As long as a solution x and y are in
E, which is convex, e = x - y has e' = A(s) e - d for such matrices and |d| <= delta, so |e|' <= B |e| + delta and
|e| <= b = exp(B h) |x(0) - m| + h phi(B h) delta, where phi(z) = (exp(z) - 1) / z (Kamke 1932).

Let P be a matrix polynomial with P(0) = 1 and |Df(y(s) + e) P(s) - P'(s)| <= omega for all |e| <= b. In the same way
z = x - y - P (x(0) - m), which begins at 0, has |z(s)| <= s phi(B h) (delta + omega |x(0) - m|). Where all that is left
for x lies inside E for all s, not at its border, every solution from the set exists until h, is unique, and stays in E.

Any y and P would do; these are near the solution and its derivative by the start. delta and omega are bounded by the
first terms of power series in s, and by Cauchy's inequality for the others. A time in the rates is a ball [t, t + h].
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, repeat
from operator import mul
from typing import Any, NamedTuple

from flint import acb, arb, arb_mat, arb_poly, ctx

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Rational
from derivations.recheck.kinds.flows.trajectories.program import Program
from derivations.recheck.kinds.flows.trajectories.series import ONE, ZERO, Ball, Course, coefficient, series, values
from derivations.recheck.kinds.flows.trajectories.sets import Matrix, States, between, column, identity

HALVINGS = 6  # of a step on which a box is checked
RATIOS = (8, 4, 2)  # of the radii of discs to the length of a step
MORE = 2  # times as many terms of the series of y' are known as of y
STEEPEST = 200  # norm of B h beyond which nothing can be shown
STEP_WORK, ENTRY_WORK = 400_000, 6  # see `spend`
Powers = Sequence[Ball]


class System:
    """The rates of a flow, or the next values of a map, with their derivatives by the states."""

    def __init__(self, program: Program, rates: Sequence[int], asked: Iterable[int], still: Iterable[int]) -> None:
        """asked: nodes that must have values; still: numbers of states that are constant."""
        self.program, self.rates, self.still, n = program, list(rates), frozenset(still), len(rates)
        places = {(i, j): program.slope(rate, j) for i, rate in enumerate(rates) for j in range(n)}
        self.slopes = {place: slope for place, slope in places.items() if slope != program.zero}
        self.rate_nodes = sorted(program.inside(rates))
        self.slope_nodes = sorted(program.inside(self.slopes.values()))
        self.asked = sorted(program.inside([*asked, *self.rate_nodes, *self.slope_nodes]))

    def values(self, states: Sequence[Ball], time: Ball) -> tuple[list[Ball], Matrix]:
        """The rates and their derivatives on a box, on which all that is asked for has a value."""
        found = values(self.program, self.asked, states, time)
        return [found[rate] for rate in self.rates], self.matrix(lambda node: found[node])

    def matrix(self, entry: Any) -> Matrix:
        n = len(self.rates)
        return arb_mat(
            n, n, [entry(self.slopes[i, j]) if (i, j) in self.slopes else 0 for i in range(n) for j in range(n)]
        )


class Stated(NamedTuple):
    """A step as the evidence states it: when it begins, how long it is, its box, and the frame at its end."""

    begin: Rational
    length: Rational
    box: Sequence[tuple[Rational, Rational]]
    frame: Matrix


class Step:
    """A step of a flow, which is verified when it is made; order: of y and of P."""

    def __init__(self, system: System, states: States, order: int, stated: Stated) -> None:
        spend(STEP_WORK + ENTRY_WORK * len(states.centre) ** 3 * (order * order + 10) * ctx.prec // 128)
        self.states, self.frame, self.begin, self.end = states, stated.frame, stated.begin, stated.begin + stated.length
        self.coordinates = states.coordinates
        h, self._seen = arb(stated.length), dict[tuple[Rational, Rational], list[Ball]]()
        powers = list(accumulate(repeat(h, MORE * order), initial=arb(1), func=mul))
        hull = states.hull()
        box = [hull[i] if i in system.still else between(*sides) for i, sides in enumerate(stated.box)]
        _, slopes = system.values(box, between(self.begin, self.end))
        whole, forced = _growth(slopes, h)
        y, delta = _near_solution(system, states, arb(self.begin), order, powers)
        away = _sizes(column([a - c[0] for a, c in zip(hull, y, strict=True)]))
        off = [arb(0, each.abs_upper()) for each in (whole * away + forced * delta * h).entries()]
        self.hull = [arb_poly([c[0] + b, *c[1:]]) for c, b in zip(y, off, strict=True)]
        around = [[c[0] + b, *c[1:]] for c, b in zip(y, off, strict=True)]
        dependence, omega = _dependence(system, around, arb(self.begin), order, powers)
        lost = (forced * (delta + omega * away)).entries()
        self.centre = [arb_poly([c[0], c[1] + arb(0, z.abs_upper()), *c[2:]]) for c, z in zip(y, lost, strict=True)]
        ways = [(each * states.directions).tolist() for each in dependence]
        columns = range(len(self.coordinates))
        self.slopes = [[arb_poly([each[i][j] for each in ways]) for j in columns] for i in range(len(y))]
        self.dependence = dependence
        self._require_inside(stated, [i for i in range(len(y)) if i not in system.still])

    def _require_inside(self, stated: Stated, moving: Sequence[int]) -> None:
        sides = {i: (arb(stated.box[i][0]), arb(stated.box[i][1])) for i in moving}
        todo = [(self.begin, self.end, HALVINGS)]
        while todo:
            a, b, remaining = todo.pop()
            if any(all(low < at(a, b)[i] < high for i, (low, high) in sides.items()) for at in (self.rough, self.fine)):
                continue
            if not remaining:
                raise Rejected(
                    f"the a-priori box of the step from time {self.begin} to {self.end} does not certainly hold what"
                    " starts in it"
                )
            middle = (a + b) / 2
            todo += [(middle, b, remaining - 1), (a, middle, remaining - 1)]

    def rough(self, low: Rational, high: Rational) -> list[Ball]:
        """All states at the times from low to high, quickly."""
        s = between(low - self.begin, high - self.begin)
        return [polynomial(s) for polynomial in self.hull]

    def fine(self, low: Rational, high: Rational) -> list[Ball]:
        key = low, high
        if key not in self._seen:
            centre, slopes = self.around_centre(low, high)
            off = (arb_mat(slopes) * column(self.coordinates)).entries()
            near = [c + d for c, d in zip(centre, off, strict=True)]
            self._seen[key] = [b if b.rad() < a.rad() else a for a, b in zip(self.rough(low, high), near, strict=True)]
        return self._seen[key]

    def around_centre(self, low: Rational, high: Rational) -> tuple[list[Ball], list[list[Ball]]]:
        """Where the centre is, and how each state changes with the coordinates of the set."""
        s = between(low - self.begin, high - self.begin)
        return [each(s) for each in self.centre], [[entry(s) for entry in row] for row in self.slopes]

    def after(self) -> States:
        """The set at the end of the step."""
        h = arb(self.end - self.begin)
        slope = self.dependence[-1]
        for each in reversed(self.dependence[:-1]):
            slope = slope * h + each
        return self.states.moved([centre(h) for centre in self.centre], slope, self.frame)


def _growth(slopes: Matrix, h: Ball) -> tuple[Matrix, Matrix]:
    """Bounds of exp(B h) and of phi(B h): blocks of the exponential of B h, the identity, and nothing below."""
    n, sizes = slopes.nrows(), _sizes(slopes).tolist()
    rows = [[*(entry * h for entry in row), *(arb(int(i == j)) for j in range(n))] for i, row in enumerate(sizes)]
    for i in range(n):
        rows[i][i] = max(slopes[i, i].upper(), ZERO) * h
    if not all(sum(row[:n], ZERO) < STEEPEST for row in rows):
        raise Undefined
    found = arb_mat([*rows, *[[ZERO] * (2 * n)] * n]).exp().tolist()
    return _sizes(arb_mat([row[:n] for row in found[:n]])), _sizes(arb_mat([row[n:] for row in found[:n]]))


def _near_solution(
    system: System, states: States, begin: Ball, order: int, powers: Powers
) -> tuple[list[Course], Matrix]:
    """The coefficients of y, and delta."""
    y = [[each] for each in states.centre]
    _, first = system.values(states.centre, begin)
    for k in range(0, order, 2):  # with the slope at the beginning two coefficients follow from those before them
        found = series(system.program, system.rate_nodes, y, begin, k + 2)
        here, after = (column([coefficient(found[rate], j) for rate in system.rates]) for j in (k, k + 1))
        here = (here / (k + 1)).mid()
        after = ((after + first * here) / (k + 2)).mid()
        for i, course in enumerate(y):
            course.extend([here[i, 0], after[i, 0]][: order - k])
    terms = MORE * order
    found = series(system.program, system.rate_nodes, y, begin, terms)
    later = _left_out(system.program, system.rate_nodes, system.rates, [*y, [begin, ONE]], h=powers[1], terms=terms)
    delta = []
    for course, rate in zip(y, system.rates, strict=True):
        missed = [abs(c * k - coefficient(found[rate], k - 1)) for k, c in enumerate(course) if k]
        missed += [abs(coefficient(found[rate], k)) for k in range(order, terms)]
        delta.append(sum(map(mul, missed, powers), later[rate]).abs_upper())
    return y, column(delta)


def _left_out(
    program: Program, nodes: Sequence[int], wanted: Collection[int], courses: Sequence[Course], *, h: Ball, terms: int
) -> dict[int, Ball]:
    """Bounds on [0, h] of what the first terms of some nodes' series leave out: the least that some discs give."""
    bounds: list[dict[int, Ball]] = []
    for ratio in RATIOS:
        reach = [sum((abs(c) * (h * ratio) ** k for k, c in enumerate(course) if k), ZERO) for course in courses]
        off = [arb(0, each.abs_upper()) for each in reach]
        *boxes, time = (acb(course[0] + each, each) for course, each in zip(courses, off, strict=True))
        try:
            here = values(program, nodes, boxes, time)
        except (Undefined, ZeroDivisionError):
            continue
        share = arb(ratio) ** (1 - terms) / (ratio - 1)
        bounds.append({node: here[node].abs_upper() * share for node in wanted})
    if not bounds:
        raise Undefined
    return {node: min(each[node] for each in bounds) for node in wanted}


def _dependence(
    system: System, around: Sequence[Course], begin: Ball, order: int, powers: Powers
) -> tuple[list[Matrix], Matrix]:
    """The coefficients of P, and omega; `around` holds y(s) + e for all e that are possible."""
    terms = order + 1
    first = series(system.program, system.slope_nodes, around, begin, terms)
    last = _left_out(
        system.program, system.slope_nodes, system.slopes.values(), [*around, [begin, ONE]], h=powers[1], terms=terms
    )
    along = [system.matrix(lambda node, k=k: coefficient(first[node], k)) for k in range(terms)]
    found, omega = [identity(len(around))], system.matrix(lambda node: ZERO)
    for k in range(order):
        total = sum((along[i] * found[k - i] for i in range(1, k + 1)), along[0] * found[k])
        found.append((total / (k + 1)).mid())
        omega += _sizes(total - found[-1] * (k + 1)) * powers[k]
    parts = [_sizes(each) * power for each, power in zip(found, powers, strict=False)]
    later = list(accumulate(reversed(parts)))  # later[k]: the last k + 1 of them together
    for k, each in enumerate(along):
        omega += _sizes(each) * later[k] * powers[k]
    return found, omega + system.matrix(lambda node: last[node]) * later[-1]


def _sizes(matrix: Matrix) -> Matrix:
    return arb_mat(matrix.nrows(), matrix.ncols(), [entry.abs_upper() for entry in matrix.entries()])
