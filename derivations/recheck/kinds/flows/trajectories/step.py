"""One step of a trajectory: every solution from a set of states stays beside one polynomial, in a stated box.

The set is {m + Q r} with r in a box: of the start, and of what was lost since. Let y and W be polynomials of the time
with y(0) = m and W(0) = Q, and |y' - f(y)| + |W' - Df(y + e) W| |r| <= rho on [0, h] for all |e| <= |W r|, so that
Y = y + W r misses the field by no more. Let E be the stated box, and B with |A_ij| <= B_ij and A_ii <= B_ii for all
derivatives A of f over E. As long as a solution x and Y are in E, which is convex, d = x - Y has d' = A(s) d + c for
such matrices, and |c| <= rho. For any w > 0 with B w + rho <= g w, where g >= 0, no |d_i| can be the first to exceed
w_i exp(g s) (Kamke 1932). Where Y with such a d lies inside E for all s, not at its border, every solution from the set
exists until h, and stays in E.

Any y and W would do; these are near the solution from m and its derivative by the start. What they miss is bounded
by Taylor polynomials in s, whose last coefficients are taken over the whole step (Lagrange's remainder). The frame
of the losses is any matrix with an inverse; one that turns with the flow keeps them small (Lohner 1987).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from flint import arb, arb_mat, arb_poly, arb_series, ctx

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, Term, require, shown
from derivations.recheck.kinds.flows.trajectories.claims import Claim, Interval, numbers
from derivations.recheck.kinds.flows.trajectories.formulas import ONE, ZERO, Ball, Sloped, parts_of, sloped, values

Matrix = Any  # flint.arb_mat
Row = list[Any]  # of one state: a polynomial of the time, and its slopes in some directions
MOST_PARTS, DEEPEST = 100, 60  # of a step on which a box is checked, and how often an interval is halved
GROWTH = arb(2)  # g h, the logarithm of what a step makes of what it misses
STEP_WORK, ENTRY_WORK = 400_000, 6  # see `spend`


def between(low: Rational, high: Rational) -> Ball:
    """A ball that holds an interval."""
    return arb((low + high) / 2) + arb(0, arb((high - low) / 2).abs_upper())


def column(entries: Sequence[Ball]) -> Matrix:
    return arb_mat(len(entries), 1, list(entries))


def identity(n: int) -> Matrix:
    return arb_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])


def square(data: Data, n: int) -> Matrix:
    """The matrix with stated entries."""
    require(isinstance(data, tuple) and len(data) == n, f"a frame has {n} rows, got {shown(data)}")
    return arb_mat([[arb(each) for each in numbers(row, n, "a row of a frame")] for row in data])


def inverse(matrix: Matrix, what: str) -> Matrix:
    try:
        return matrix.inv()
    except ZeroDivisionError:
        raise Rejected(f"{what} has no certain inverse") from None


class States(NamedTuple):
    """All centre + directions r, with r in a box: of the start and of the losses, in this order."""

    centre: list[Ball]
    directions: Matrix
    coordinates: list[Ball]

    @staticmethod
    def of(box: Sequence[Interval]) -> States:
        """The set of a start box; what is rounded where a state starts from one number is a loss."""
        n, wide = len(box), [i for i, (low, high) in enumerate(box) if low != high]
        centre = [arb((low + high) / 2).mid() for low, high in box]
        off = [between(*sides) - m for sides, m in zip(box, centre, strict=True)]
        ways = [[int(i == j) for j in (*wide, *range(n))] for i in range(n)]
        return States(centre, arb_mat(ways), [off[i] for i in wide] + [ZERO if i in wide else off[i] for i in range(n)])

    def hull(self) -> list[Ball]:
        """The box around the set and its centre."""
        off = (self.directions * column(self.coordinates)).entries()
        return [(m + d).union(m) for m, d in zip(self.centre, off, strict=True)]

    def moved(self, image: Sequence[Ball], turned: Matrix, frame: Matrix) -> States:
        """The set whose centre went into the image, and whose directions were turned by the derivative."""
        n, width = len(image), len(self.coordinates) - len(image)
        centre, rows = [ball.mid() for ball in image], turned.tolist()
        kept = arb_mat([[*(entry.mid() for entry in row[:width]), *[ZERO] * n] for row in rows])
        back, rounded = inverse(frame, "the frame of a step"), [ball - m for ball, m in zip(image, centre, strict=True)]
        lost = (back * (turned - kept)) * column(self.coordinates) + back * column(rounded)
        ways = [[*row[:width], *more] for row, more in zip(kept.tolist(), frame.tolist(), strict=True)]
        return States(centre, arb_mat(ways), [*self.coordinates[:width], *lost.entries()])


class System:
    """The rates of a flow, or the next values of a map, with their derivatives by the states."""

    def __init__(self, claim: Claim) -> None:
        self.size, self.letters = len(claim.names), [*claim.names, claim.time]
        self.formulas = [*claim.rates, *claim.asked]

    def of(self, formulas: Sequence[Term], letters: Sequence[Any], length: int = 1) -> list[Any]:
        """The values of formulas for values of the states and the time."""
        return values(formulas, dict(zip(self.letters, letters, strict=True)), length)

    def values(self, states: Sequence[Ball], time: Ball) -> list[Ball]:
        return self.of(self.formulas, [*states, time])[: self.size]

    def slopes(self, states: Sequence[Ball], time: Ball) -> Matrix:
        rates = self.of(self.formulas, sloped([*states, time]))[: self.size]
        return arb_mat([[parts_of(rate)[1].get(j, ZERO) for j in range(self.size)] for rate in rates])

    def along(self, rows: Sequence[Row], time: Ball, length: int) -> list[Row]:
        """Series of the time, in rows like those of polynomials: for each state its own, and its slopes."""
        before, ctx.cap = ctx.cap, length
        try:
            series = [[arb_series(each) for each in row] for row in rows]
            states = [Sloped(value, dict(enumerate(slopes))) if slopes else value for value, *slopes in series]
            rates = self.of(self.formulas, [*states, arb_series([time, ONE])], length)[: self.size]
        finally:
            ctx.cap = before
        return [
            [value, *(slopes.get(j, ZERO) for j in range(len(rows[0]) - 1))] for value, slopes in map(parts_of, rates)
        ]


def _coefficient(series: Any, k: int) -> Ball:
    """The coefficient with a number; a ball is a constant series."""
    return series[k] if isinstance(series, arb_series) else series if k == 0 else ZERO


def _coefficients(rows: Sequence[Row], k: int) -> Matrix:
    return arb_mat([[_coefficient(series, k) for series in row] for row in rows])


def _rows(coefficients: Sequence[Matrix]) -> list[Row]:
    """Polynomials from their coefficients."""
    first, *_ = coefficients
    places = range(first.ncols())
    return [[arb_poly([each[i, j] for each in coefficients]) for j in places] for i in range(first.nrows())]


class Beside:
    """The polynomials from a set of states, and the steps of any length beside them; order: of both."""

    def __init__(self, system: System, states: States, begin: Rational, order: int) -> None:
        spend(STEP_WORK + ENTRY_WORK * len(states.centre) ** 3 * (order * order + 10) * ctx.prec // 128)
        self.system, self.states, self.begin, self.order = system, states, begin, order
        y, w, here = [column(states.centre)], [states.directions], system.slopes(states.centre, arb(begin))
        for k in range(0, order, 2):  # with the slope at the beginning two coefficients follow from those before them
            rates = system.along(_rows(y), arb(begin), k + 2)
            y.append((_coefficients(rates, k) / (k + 1)).mid())
            y.append(((_coefficients(rates, k + 1) + here * y[-1]) / (k + 2)).mid())
        along_units = [[*row, *unit] for row, unit in zip(_rows(y), identity(system.size).tolist(), strict=True)]
        rates = [row[1:] for row in system.along(along_units, arb(begin), order)]
        slopes = [_coefficients(rates, k) for k in range(order)]
        for k in range(order):
            w.append((sum((slopes[i] * w[k - i] for i in range(k + 1)), 0 * w[0]) / (k + 1)).mid())
        self.rows: list[Row] = [[*a, *b] for a, b in zip(_rows(y), _rows(w), strict=True)]

    def missed(self, rows: Sequence[Row], span: Ball, length: int) -> Matrix:
        """Bounds, on a span from 0, of how far derivatives of polynomials are from rates, and slopes, along them."""
        shift, begin = arb_poly([span, ONE]), arb(self.begin)
        first = self.system.along(rows, begin, length)
        last = self.system.along([[each(shift) for each in row] for row in rows], begin + span, length + 1)

        def bound(polynomial: Any, head: Any, tail: Any) -> Ball:
            rate = arb_poly([*(_coefficient(head, k) for k in range(length)), _coefficient(tail, length)])
            return (polynomial.derivative() - rate)(span).abs_upper()

        return arb_mat([list(map(bound, *each)) for each in zip(rows, first, last, strict=True)])


class Step:
    """A step of a flow with a stated length and box, which is verified when it is made."""

    def __init__(self, beside: Beside, length: Rational, box: Sequence[Interval]) -> None:
        self.begin, self.end, self.states = beside.begin, beside.begin + length, beside.states
        self.coordinates, self._seen = self.states.coordinates, dict[tuple[Rational, Rational], list[Ball]]()
        span, rows = between(0 * length, length), beside.rows
        away = column([each.abs_upper() for each in self.coordinates])
        spread = (arb_mat([[abs(each(span)) for each in row[1:]] for row in rows]) * away).entries()
        around = [[y + arb(0, b.abs_upper()), *w] for (y, *w), b in zip(rows, spread, strict=True)]
        delta = beside.missed([row[:1] for row in rows], span, 2 * beside.order)
        omega = arb_mat([row[1:] for row in beside.missed(around, span, beside.order).tolist()]) * away
        slopes = beside.system.slopes([between(*each) for each in box], between(self.begin, self.end))
        self.lost, self.blurred = _apart(slopes, arb(length), delta, omega)
        off = [arb(0, each.abs_upper()) for each in (self.lost + self.blurred).entries()]
        self.centre, self.ways = [row[0] + z for row, z in zip(rows, off, strict=True)], [row[1:] for row in rows]
        self._require_inside([(arb(low), arb(high)) for low, high in box])

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


def throughout(test: Callable[[Rational, Rational], bool], low: Rational, high: Rational, most: int) -> Any:
    """The first piece of an interval, which is cut ever finer, that passes no test; None if there is none."""
    todo = [(low, high, DEEPEST)]
    while todo:
        low, high, depth = todo.pop()
        most -= 1
        if not test(low, high):
            if low == high or not depth or most <= 0:
                return low, high
            middle = (low + high) / 2
            todo += [(middle, high, depth - 1), (low, middle, depth - 1)]
    return None


def _apart(slopes: Matrix, h: Ball, *missed: Matrix) -> list[Matrix]:
    """Bounds of d on a step for each of some rho: w exp(g h), and from it h (B d + rho), whatever is smaller."""
    n = slopes.nrows()
    sizes = arb_mat([[(slopes[i, j] if i == j else abs(slopes[i, j])).upper() for j in range(n)] for i in range(n)])
    back = inverse(identity(n) * (GROWTH / h) - sizes, "what bounds a step")
    not_negative = all(sum(row, ZERO) > 0 for row in back.tolist())  # as of no other entries than the diagonal ones
    require(not_negative, "a step is too long for how fast solutions part on it")
    grown, pushed = (
        [GROWTH.exp() * (back * rho) for rho in missed],
        arb_mat(n, n, [max(x, ZERO) for x in sizes.entries()]),
    )
    after = [(pushed * d + rho) * h for d, rho in zip(grown, missed, strict=True)]
    return [arb_mat(n, 1, list(map(min, a.entries(), b.entries()))) for a, b in zip(grown, after, strict=True)]
