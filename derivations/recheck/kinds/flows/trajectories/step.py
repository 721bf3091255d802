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

from flint import arb, arb_mat, arb_poly, ctx

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, require, shown
from derivations.recheck.kinds.flows.trajectories.claims import Claim, Interval, numbers
from derivations.recheck.kinds.flows.trajectories.formulas import ONE, ZERO, Ball, Formulas, Polynomial, Row

Matrix = Any  # flint.arb_mat
Along = tuple[list[Row], list[Matrix]]
MOST_PARTS, DEEPEST = 100, 60  # of a step on which a box is checked, and how often an interval is halved
MORE = 5  # coefficients of rates that are exact beyond those of the polynomials
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
        self.formulas = Formulas(self.letters, claim.rates, claim.asked)

    def values(self, states: Sequence[Ball], time: Ball) -> list[Ball]:
        return self.formulas.values([*states, time])

    def slopes(self, states: Sequence[Ball], time: Ball) -> Matrix:
        _, slopes = self.formulas.with_slopes([*states, time])
        return arb_mat([[row.get(j, ZERO) for j in range(self.size)] for row in slopes])

    def along(self, states: Sequence[Polynomial], time: Ball, length: int, of_slopes: int = 0) -> Along:
        """Coefficients along polynomials: so many of each rate, and of the matrix of all slopes."""
        rates, slopes = self.formulas.along([*states, arb_poly([time, ONE])], length, of_slopes)
        nothing, n = [ZERO] * of_slopes, self.size
        entries = [row.get(j, nothing) for row in slopes for j in range(n)]
        return rates, [arb_mat(n, n, list(each)) for each in zip(*entries, strict=True)]


def _polynomials(coefficients: Sequence[Matrix]) -> list[Polynomial]:
    """The entries of a matrix whose coefficients are given, row by row."""
    return list(map(arb_poly, map(list, zip(*(each.entries() for each in coefficients), strict=True))))


class Beside:
    """The polynomials from a set of states, and the steps of any length beside them; order: of the first of both."""

    def __init__(self, system: System, states: States, begin: Rational, order: int) -> None:
        n, width = system.size, states.directions.ncols()
        spend(STEP_WORK + ENTRY_WORK * n**3 * (order * order + 10) * ctx.prec // 128)
        self.system, self.states, self.begin, self.order = system, states, begin, order
        y, w, time = [column(states.centre)], [states.directions], arb(begin)
        here = [system.slopes(states.centre, time)]
        while len(y) <= order * 3 // 4:
            _lengthen(y, system.along(_polynomials(y), time, len(y) + 1)[0], here, order)
        rates, slopes = system.along(_polynomials(y), time, 2 * len(y), len(y))
        _lengthen(y, rates, slopes, order)
        for k in range(len(slopes)):
            w.append((sum((slopes[i] * w[k - i] for i in range(k + 1)), 0 * w[0]) / (k + 1)).mid())
        ways = _polynomials(w)
        self.centre, self.ways = _polynomials(y), [ways[i * width : (i + 1) * width] for i in range(n)]


def _lengthen(y: list[Matrix], rates: list[Row], slopes: list[Matrix], order: int) -> None:
    """More coefficients of a solution: what they change of the rates is known as far as the slopes along it are."""
    known = len(y)
    for k in range(known, min(known + len(slopes), order) + 1):
        changed = sum((slopes[i] * y[k - 1 - i] for i in range(k - known)), column([rate[k - 1] for rate in rates]))
        y.append((changed / k).mid())


def missed(
    system: System, along: tuple[list[Polynomial], list[list[Polynomial]]], off: Sequence[Ball], begin: Ball, span: Ball
) -> tuple[Matrix, Matrix]:
    """Bounds, on a span from 0, of how far the derivatives of polynomials are from rates, and slopes, along them.

    off: how far from the first polynomials the slopes are taken.
    """
    (y, ways), shift = along, arb_poly([span, ONE])
    few = max(len(way) for row in ways for way in row)
    length = max(few, *map(len, y)) + MORE
    around = [each + size for each, size in zip(y, off, strict=True)]
    rates, _ = system.along(y, begin, length)
    _, slopes = system.along(around, begin, few, few)
    last_rates, last_slopes = system.along([each(shift) for each in around], begin + span, length + 1, few + 1)
    delta = [
        (each.derivative() - arb_poly([*rate, last[length]]))(span).abs_upper()
        for each, rate, last in zip(y, rates, last_rates, strict=True)
    ]
    n, flow = system.size, _polynomials([*slopes, last_slopes[few]])
    omega = [
        [
            (way.derivative() - sum((flow[i * n + j] * ways[j][k] for j in range(n)), arb_poly()))(span).abs_upper()
            for k, way in enumerate(row)
        ]
        for i, row in enumerate(ways)
    ]
    return column(delta), arb_mat(omega)


class Step:
    """A step of a flow with a stated length and box, which is verified when it is made."""

    def __init__(self, beside: Beside, length: Rational, box: Sequence[Interval]) -> None:
        self.begin, self.end, self.states = beside.begin, beside.begin + length, beside.states
        self.coordinates, self._seen = self.states.coordinates, dict[tuple[Rational, Rational], list[Ball]]()
        span, self.ways = between(0 * length, length), beside.ways
        away = column([each.abs_upper() for each in self.coordinates])
        spread = (arb_mat([[abs(each(span)) for each in row] for row in self.ways]) * away).entries()
        off = [arb(0, each.abs_upper()) for each in spread]
        delta, omega = missed(beside.system, (beside.centre, self.ways), off, arb(self.begin), span)
        slopes = beside.system.slopes([between(*each) for each in box], between(self.begin, self.end))
        self.lost, self.blurred = _apart(slopes, arb(length), delta, omega * away)
        off = [arb(0, each.abs_upper()) for each in (self.lost + self.blurred).entries()]
        self.centre = [y + z for y, z in zip(beside.centre, off, strict=True)]
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
