"""One step of a trajectory: every solution from a set of states stays beside one polynomial, in a stated box.

Let y be a polynomial with y(0) = m, the centre of the set, and |y' - f(y)| <= delta on [0, h]. Let E be the stated box,
and B >= 0 with |A_ij| <= B_ij and A_ii <= B_ii for all derivatives A of f over E. As long as a solution x and y are in
E, which is convex, e = x - y has e' = A(s) e - d for such matrices and |d| <= delta, so |e|' <= B |e| + delta and
|e| <= b = exp(B h) |x(0) - m| + h phi(B h) delta, where phi(z) = (exp(z) - 1) / z (Kamke 1932).

Let P be a matrix polynomial with P(0) = 1 and |Df(y(s) + e) P(s) - P'(s)| <= omega for all |e| <= b. In the same way
z = x - y - P (x(0) - m), which begins at 0, has |z(s)| <= s phi(B h) (delta + omega |x(0) - m|). Where all that is left
for x lies inside E for all s, not at its border, every solution from the set exists until h, is unique, and stays in E.

Any y and P would do; these are near the solution and its derivative by the start. delta and omega are bounded by Taylor
polynomials in s, whose last coefficients are taken over the whole step (Lagrange's remainder).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import accumulate, repeat
from operator import mul, sub
from typing import Any

from flint import arb, arb_mat, arb_poly, ctx

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import Rational, require
from derivations.recheck.kinds.flows.trajectories.claims import Claim, Interval
from derivations.recheck.kinds.flows.trajectories.questions import throughout
from derivations.recheck.kinds.flows.trajectories.series import ZERO, Ball, Course, coefficient, series, values
from derivations.recheck.kinds.flows.trajectories.sets import Matrix, States, between, column, identity

MOST_PARTS = 100  # of a step on which a box is checked
MORE = 2  # times as many terms of the series of y' are known as of y
STEEPEST = 200  # norm of B h beyond which nothing can be shown
STEP_WORK, ENTRY_WORK = 400_000, 6  # see `spend`


class System:
    """The rates of a flow, or the next values of a map, with their derivatives by the states."""

    def __init__(self, claim: Claim) -> None:
        self.program, self.rates, n = claim.program, claim.rates, len(claim.rates)
        places = {(i, j): self.program.slope(rate, j) for i, rate in enumerate(self.rates) for j in range(n)}
        self.slopes = {place: slope for place, slope in places.items() if slope != self.program.zero}
        self.rate_nodes = sorted(self.program.inside(self.rates))
        self.slope_nodes = sorted(self.program.inside(self.slopes.values()))
        self.asked = sorted(self.program.inside([*claim.asked, *self.rate_nodes, *self.slope_nodes]))

    def values(self, states: Sequence[Ball], time: Ball) -> tuple[list[Ball], Matrix]:
        """The rates and their derivatives on a box, on which all that is asked for has a value."""
        found = values(self.program, self.asked, states, time)
        return [found[rate] for rate in self.rates], self.matrix({node: found[node] for node in self.slopes.values()})

    def matrix(self, entries: dict[int, Ball]) -> Matrix:
        places = range(len(self.rates))
        return arb_mat([[entries[self.slopes[i, j]] if (i, j) in self.slopes else 0 for j in places] for i in places])


class Beside:
    """The polynomial from the centre of a set, and the steps of any length beside it; order: of y and of P."""

    def __init__(self, system: System, states: States, begin: Rational, order: int) -> None:
        spend(STEP_WORK + ENTRY_WORK * len(states.centre) ** 3 * (2 * order * order + 10) * ctx.prec // 128)
        self.system, self.states, self.begin, self.order = system, states, begin, order
        self.hull, self.y = states.hull(), [[each] for each in states.centre]
        _, slope = system.values(states.centre, arb(begin))
        for k in range(0, order, 2):  # with the slope at the beginning two coefficients follow from those before them
            rates = self.series(system.rate_nodes, self.y, ZERO, k + 2)
            here, after = (column([coefficient(rates[rate], j) for rate in system.rates]) for j in (k, k + 1))
            here = (here / (k + 1)).mid()
            after = ((after + slope * here) / (k + 2)).mid()
            for i, course in enumerate(self.y):
                course.extend([here[i, 0], after[i, 0]][: order - k])

    def series(self, nodes: list[int], courses: Sequence[Course], since: Ball, length: int) -> dict[int, Any]:
        return series(self.system.program, nodes, courses, arb(self.begin) + since, length)

    def enclosed(
        self, nodes: list[int], wanted: Collection[int], courses: Sequence[Course], span: Ball, terms: int
    ) -> dict[int, Course]:
        """The coefficients of polynomials around some nodes along others, the last ones over a span from 0."""
        first = self.series(nodes, courses, ZERO, terms)
        shift: Any = arb_poly([span, 1])
        later: list[Any] = [arb_poly(course)(shift) for course in courses]
        last = self.series(nodes, [[each[k] for k in range(max(1, each.length()))] for each in later], span, terms + 1)
        return {
            node: [*(coefficient(first[node], k) for k in range(terms)), coefficient(last[node], terms)]
            for node in wanted
        }


class Step:
    """A step of a flow with a stated length and box, which is verified when it is made."""

    def __init__(self, beside: Beside, length: Rational, box: Sequence[Interval]) -> None:
        system, states, order, y = beside.system, beside.states, beside.order, beside.y
        self.begin, self.end, self.states = beside.begin, beside.begin + length, states
        self.coordinates, self._seen = states.coordinates, dict[tuple[Rational, Rational], list[Ball]]()
        h, span = arb(length), between(0 * length, length)
        powers = list(accumulate(repeat(h, MORE * order), initial=arb(1), func=mul))
        _, slopes = system.values([between(*sides) for sides in box], between(self.begin, self.end))
        whole, forced = growth(slopes, h)
        rates = beside.enclosed(system.rate_nodes, system.rates, y, span, MORE * order)
        delta = column(
            [_most(map(sub, rates[f], _slope(c, rates[f])), powers) for c, f in zip(y, system.rates, strict=True)]
        )
        away = _sizes(column([a - c[0] for a, c in zip(beside.hull, y, strict=True)]))
        off = [arb(0, each.abs_upper()) for each in (whole * away + forced * delta * h).entries()]
        around = [[c[0] + b, *c[1:]] for c, b in zip(y, off, strict=True)]
        dependence, omega = self._dependence(beside, around, span, powers)
        self.beside, self.blurred = forced * delta, forced * omega * away
        lost = [arb(0, z.abs_upper()) for z in (self.beside + self.blurred).entries()]
        self.centre: list[Any] = [arb_poly([c[0], c[1] + z, *c[2:]]) for c, z in zip(y, lost, strict=True)]
        ways = [(each * states.directions).tolist() for each in dependence]
        self.ways: list[list[Any]] = [
            [arb_poly([each[i][j] for each in ways]) for j in range(len(row))] for i, row in enumerate(ways[0])
        ]
        self._require_inside([(arb(low), arb(high)) for low, high in box])

    def _dependence(
        self, beside: Beside, around: Sequence[Course], span: Ball, powers: Sequence[Ball]
    ) -> tuple[list[Matrix], Matrix]:
        """The coefficients of P, and omega; `around` holds y(s) + e for all e that are possible."""
        system, order = beside.system, beside.order
        entries = beside.enclosed(system.slope_nodes, system.slopes.values(), around, span, order)
        slopes = [system.matrix({node: each[k] for node, each in entries.items()}) for k in range(order + 1)]
        found = [identity(len(around))]
        omega = 0 * found[0]
        for k in range(order):
            rate = sum((slopes[i] * found[k - i] for i in range(1, k + 1)), slopes[0] * found[k])
            found.append((rate / (k + 1)).mid())
            omega += _sizes(rate - found[-1] * (k + 1)) * powers[k]
        sizes = [_sizes(each) * power for each, power in zip(found, powers, strict=False)]
        later = accumulate(reversed(sizes))  # the last of them, the last two together, and so on
        return found, sum((_sizes(a) * p * power for a, p, power in zip(slopes, later, powers, strict=False)), omega)

    def _require_inside(self, sides: Sequence[tuple[Ball, Ball]]) -> None:
        def is_inside(low: Rational, high: Rational) -> bool:
            return all(least < state < most for state, (least, most) in zip(self.at(low, high), sides, strict=True))

        outside = throughout(is_inside, self.begin, self.end, MOST_PARTS)
        require(outside is None, f"the box of the step does not certainly hold what starts in it at times {outside}")

    def at(self, low: Rational, high: Rational) -> list[Ball]:
        """All states at the times from low to high."""
        key = low, high
        if key not in self._seen:
            centre, ways = self.around_centre(low, high)
            self._seen[key] = [c + d for c, d in zip(centre, (ways * column(self.coordinates)).entries(), strict=True)]
        return self._seen[key]

    def around_centre(self, low: Rational, high: Rational) -> tuple[list[Ball], Matrix]:
        """Where the centre is, and how each state changes with the coordinates of the set."""
        s = between(low - self.begin, high - self.begin)
        return [each(s) for each in self.centre], arb_mat([[entry(s) for entry in row] for row in self.ways])

    def after(self, frame: Matrix) -> States:
        """The set at the end of the step."""
        return self.states.moved(*self.around_centre(self.end, self.end), frame)


def growth(slopes: Matrix, h: Ball) -> tuple[Matrix, Matrix]:
    """Bounds of exp(B h) and of phi(B h): blocks of the exponential of B h, the identity, and nothing below."""
    n, sizes = slopes.nrows(), _sizes(slopes)
    for i in range(n):
        sizes[i, i] = max(slopes[i, i].upper(), ZERO)
    if not all(sum(row, ZERO) * h < STEEPEST for row in sizes.tolist()):
        raise Undefined
    blocks = [
        [*(entry * h for entry in row), *unit] for row, unit in zip(sizes.tolist(), identity(n).tolist(), strict=True)
    ]
    found = arb_mat([*blocks, *[[0] * (2 * n)] * n]).exp().tolist()[:n]
    return _sizes(arb_mat([row[:n] for row in found])), _sizes(arb_mat([row[n:] for row in found]))


def _slope(course: Course, like: Course) -> Course:
    """The coefficients of the derivative of a polynomial, as many as another has."""
    return [c * k for k, c in enumerate(course) if k] + [ZERO] * (len(like) + 1 - len(course))


def _most(coefficients: Iterable[Ball], powers: Sequence[Ball]) -> Ball:
    """A bound of a polynomial on a step."""
    return sum(map(mul, map(abs, coefficients), powers), ZERO).abs_upper()


def _sizes(matrix: Matrix) -> Matrix:
    return arb_mat(matrix.nrows(), matrix.ncols(), [entry.abs_upper() for entry in matrix.entries()])
