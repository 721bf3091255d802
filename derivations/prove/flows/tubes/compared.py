"""Large steps: solutions beside a polynomial that nearly is one.

Let y be a polynomial with y' = f(y) + d, and |d| <= delta for a time h. On a box E let B have the sizes of the entries
of Df, on its diagonal the largest values or 0. As long as a solution x and y are in E, the sizes of the differences
obey |x - y|' <= B |x - y| + delta, so that |x - y| <= b = G (|x - y| at the start + h delta) with G = exp(B h). If the
values of y and all within b of them are inside E, no solution leaves E. The derivative by the start is treated alike:
it solves a linear equation, a polynomial nearly does, and G bounds the difference.

d is known by its coefficients; those beyond a number are bounded by Cauchy's inequality on a complex disk on which f(y)
is analytic. So nothing is lost by computing high coefficients over a box.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from flint import acb, arb, arb_mat, arb_poly

from derivations.prove.flows.tubes.jets import Field
from derivations.prove.flows.tubes.programs import NoValue
from derivations.prove.flows.tubes.sets import Reached, around, between, column, exact, identity
from derivations.prove.flows.tubes.steps import FARTHEST, Box, Matrix, Sides, common, hull_of

Ball = Any  # flint.arb
Disk = tuple[list[Any], Any]  # complex balls for the states, and one for the time
FARTHER = (8, 4, 3, 2)  # radii of the disks, in steps
FASTEST = 12  # the largest entry of B h whose exponential is taken
TRIES, PARTS = 4, 8
MARGIN = 1.3  # by which a bound is guessed larger than the last one
WIDER = 2.0**-8  # of its width, by which a step may make the set wider
ROOM = Fraction(1, 8)  # of its radius, by which a stated box is wider


@dataclass(frozen=True)
class Compared:
    """One step of that kind: where all solutions are from one moment to the next."""

    time: Fraction
    length: Fraction
    order: int
    begins: Reached
    apriori: Sides
    polynomials: list[Any]
    beside: list[Ball]  # how fast solutions may leave the polynomial
    entries: list[Any]  # how they depend on where they begin, as polynomials
    aside: list[Ball]  # how fast those may be left

    @cached_property
    def inside(self) -> Box:
        return around(self.apriori)

    def landing(self) -> Reached:
        """Where the step ends."""
        h = exact(self.length)
        return self.begins.onward(column(self._centre(h)), self._slope(h))

    def at(self, since: Ball) -> Box:
        """A box that holds all solutions after some time since the step began, a moment or an interval."""
        about = self.begins.moved(self._slope(since)).entries()
        found = []
        for i, (value, off, box) in enumerate(zip(self._centre(since), about, self.inside, strict=True)):
            found.append(self.begins.still.get(i, common(value + off, box)))
        return found

    def _centre(self, since: Ball) -> Box:
        return [p(since) + since * b for p, b in zip(self.polynomials, self.beside, strict=True)]

    def _slope(self, since: Ball) -> Matrix:
        size = len(self.polynomials)
        found = [p(since) + since * a for p, a in zip(self.entries, self.aside, strict=True)]
        return arb_mat(size, size, found)


class Comparison:
    """The polynomial from the middle of a set, and what a step of any length needs."""

    def __init__(self, field: Field, time: Fraction, begins: Reached, central: list[Box]) -> None:
        self.field, self.time, self.begins, self.order = field, time, begins, len(central[0])
        self.known = [[c.mid() for c in row] for row in central]
        self.polynomials = [arb_poly(row) for row in self.known]
        self.reaches: list[Any] = [arb_poly([0, *map(abs, row[1:])]) for row in self.known]
        count = 2 * self.order
        rates = field.along(self.known, exact(time), count)
        self.residue = [[rates[i][k] - _rising(row, k) for k in range(count)] for i, row in enumerate(self.known)]
        self.width = column(
            [abs(value - row[0]).abs_upper() for value, row in zip(begins.hull(), self.known, strict=True)]
        )

    def step(self, h: Fraction, allowed: Sequence[float]) -> tuple[Compared | None, float]:
        """A step of a length, if solutions stay beside the polynomial; and how far, in parts of what is allowed."""
        try:
            bound = _Bound(self, h)
            error = _worst(bound.beside, bound.h, allowed)
            if not error <= 1:
                return None, error
            step = bound.step()
        except NoValue:
            return None, 0.0
        aside = arb_mat(len(allowed), len(allowed), step.aside) * self.width
        hardly = [max(a, WIDER * float(w)) for a, w in zip(allowed, self.width.entries(), strict=True)]
        error = max(error, _worst(aside.entries(), bound.h, hardly))
        return (step if error <= 1 else None), error


class _Bound:
    """How far solutions are from a polynomial for a time h; `NoValue` where that is not found."""

    def __init__(self, of: Comparison, h: Fraction) -> None:
        self.of, self.length, self.h = of, h, exact(h)
        count = 2 * of.order
        later = self._least(count, lambda disk: of.field.sizes(*disk))
        known = [arb_poly(list(map(abs, row)))(self.h) for row in of.residue]
        self.delta = column(known) + later
        self._enclose()
        self.beside = [arb(0, entry.abs_upper()) for entry in (self.growth * self.delta).entries()]

    def _least(self, count: int, bounds: Callable[[Disk], Matrix], off: Sequence[Ball] | None = None) -> Matrix:
        """Bounds of what series leave out from a number of terms on: for each entry the least one of some disks."""
        found: Matrix | None = None
        for ratio in FARTHER:
            try:
                left = bounds(self._disk(self.length * ratio, off)) * (
                    exact(Fraction(ratio)) ** (1 - count) / (ratio - 1)
                )
            except NoValue:
                continue
            entries = left.entries() if found is None else map(min, left.entries(), found.entries())
            found = arb_mat(left.nrows(), left.ncols(), [entry.abs_upper() for entry in entries])
        if found is None:
            raise NoValue("the rates are not analytic on a disk that is large enough")
        return found

    def _disk(self, radius: Fraction, off: Sequence[Ball] | None) -> Disk:
        """Complex balls that hold the values of the polynomials, and what is near them, on a disk; and its times."""
        found, far = [], exact(radius)
        for i, (row, reach) in enumerate(zip(self.of.known, self.of.reaches, strict=True)):
            about = arb(0, (reach(far) + (off[i] if off else 0)).abs_upper())
            found.append(acb(row[0] + about, about))
        return found, acb(between(-radius, radius) + exact(self.of.time), between(-radius, radius))

    def _enclose(self) -> None:
        """A box that no solution leaves, how differences grow there, and how far solutions are from the polynomial."""
        of, times = self.of, exact(self.of.time) + between(Fraction(0), self.length)
        ranges = [_range(p, self.length) for p in of.polynomials]
        guess = ((of.width + self.h * self.delta) * 2).entries()
        for _ in range(TRIES):
            aimed = [value + arb(0, (MARGIN * g).abs_upper()) for value, g in zip(ranges, guess, strict=True)]
            if not all(abs(value) < FARTHEST for value in aimed):
                break
            self.sides = hull_of(aimed, ROOM)
            slopes = of.field.jacobian(around(self.sides), times) * self.h
            speeds = _speeds(slopes)
            if not all(entry < FASTEST for entry in speeds.entries()):
                break
            self.growth = speeds.exp()
            guess = (self.growth * (of.width + self.h * self.delta)).entries()
            held = [value + arb(0, g.abs_upper()) for value, g in zip(ranges, guess, strict=True)]
            if all(exact(low) < value < exact(high) for value, (low, high) in zip(held, self.sides, strict=True)):
                self.off = guess
                return
        raise NoValue("solutions do not certainly stay beside the polynomial")

    def step(self) -> Compared:
        """The step, with the dependence of solutions on where they begin."""
        of, order, size = self.of, self.of.order, len(self.of.known)
        known = [[row[0] + arb(0, off.abs_upper()), *row[1:]] for row, off in zip(of.known, self.off, strict=True)]
        linear = of.field.linear(known, exact(of.time), order)
        unsure = self._least(order, lambda disk: of.field.sizes_of_slopes(*disk), self.off)
        centres, powers = [matrix.mid() for matrix in linear], [self.h**k for k in range(order)]
        for matrix, centre, power in zip(linear, centres, powers, strict=True):
            unsure += _sizes(matrix - centre) * power
        found, residue = [identity(size)], arb_mat(size, size)
        for k in range(order - 1):
            total = sum((centres[i] * found[k - i] for i in range(1, k + 1)), centres[0] * found[k])
            found.append((total / (k + 1)).mid())
            residue += _sizes(total - found[-1] * (k + 1)) * powers[k]
        scaled = [_sizes(matrix) * p for matrix, p in zip(found, powers, strict=True)]
        later = arb_mat(size, size)  # of the linear part, the coefficients from a number on
        for j, k in enumerate(reversed(range(order))):
            later += _sizes(centres[k]) * powers[k]
            residue += later * scaled[j]
        residue += unsure * sum(scaled[1:], scaled[0])
        aside = self.growth * residue
        entries = [arb_poly([matrix[i, j] for matrix in found]) for i in range(size) for j in range(size)]
        return Compared(
            time=of.time,
            length=self.length,
            order=order,
            begins=of.begins,
            apriori=self.sides,
            polynomials=of.polynomials,
            beside=self.beside,
            entries=entries,
            aside=[arb(0, entry.abs_upper()) for entry in aside.entries()],
        )


def _worst(speeds: Sequence[Ball], h: Ball, allowed: Sequence[float]) -> float:
    """How far something comes in a time, in parts of what is allowed."""
    return max(float((h * b).abs_upper()) / a for b, a in zip(speeds, allowed, strict=True))


def _rising(row: Box, k: int) -> Ball:
    """The coefficient of a number of a polynomial's derivative."""
    return (k + 1) * row[k + 1] if k + 1 < len(row) else arb(0)


def _range(polynomial: Any, length: Fraction) -> Ball:
    """A ball with all values on an interval from 0."""
    parts = [polynomial(between(length * k / PARTS, length * (k + 1) / PARTS)) for k in range(PARTS)]
    found = parts[0]
    for part in parts[1:]:
        found = found.union(part)
    return found


def _sizes(matrix: Matrix) -> Matrix:
    return arb_mat(matrix.nrows(), matrix.ncols(), [abs(entry).abs_upper() for entry in matrix.entries()])


def _speeds(slopes: Matrix) -> Matrix:
    """The sizes of the entries, on the diagonal the largest value or 0."""
    found, size = _sizes(slopes), slopes.nrows()
    for i in range(size):
        high = slopes[i, i].upper()
        found[i, i] = high if high > 0 else 0
    return found
