"""Points of rest that attract: a neighbourhood in which the flow, or the map, contracts at a certain rate.

In the frame P about a centre c the neighbourhood is |y| <= radius for the largest entry of y. There the rates of change
of distances are at most the logarithmic norm of A = P^-1 Df P, and at the centre the flow is slow enough that no
solution leaves. So for all later times it stays, and approaches the only point of rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat

from derivations.language.evaluate import precision
from derivations.prove.certificate import Json
from derivations.prove.flows.statements import moving_states
from derivations.prove.flows.tubes.jets import Field
from derivations.prove.flows.tubes.maps import Iterates
from derivations.prove.flows.tubes.programs import NoValue
from derivations.prove.flows.tubes.sets import around, column, ends, exact, fraction
from derivations.prove.flows.tubes.watched import Course
from derivations.text import DerivationError

Ball = Any  # flint.arb
Matrix = Any  # flint.arb_mat
NEWTON = 30
BITS = 24  # of the numbers of a frame and of a centre, which need not be exact
GROWTH = (1.05, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128)
SPARE = Fraction(9, 10)  # of the rate that was found, which is stated


class NoRest(DerivationError):
    """No neighbourhood was found; the message is a sentence."""


@dataclass(frozen=True)
class Neighbourhood:
    """All c + P y with |y| <= radius, for the states that move."""

    moving: tuple[int, ...]
    centre: list[Fraction]
    frame: list[list[Fraction]]
    radius: Fraction
    rate: Fraction
    """At which the flow certainly contracts there; of a map, by which factor."""
    box: dict[str, tuple[Fraction, Fraction]]

    def as_json(self, place: int) -> Json:
        return {
            "says": place,
            "centre": list(map(str, self.centre)),
            "frame": [list(map(str, row)) for row in self.frame],
            "radius": str(self.radius),
        }


def attracting(course: Course, time: Fraction, within: Json | None, rate: Fraction | None) -> Neighbourhood:
    """A neighbourhood that holds all solutions at a time, inside a box and at a rate if these are given."""
    field = course.field
    is_map = isinstance(course, Iterates)
    moving = tuple(i for i, name in enumerate(field.names) if name in moving_states(field.states, is_map))
    box, _ = course.moment(time)
    with precision(course.care.bits):
        if field.time in field.symbols:
            raise NoRest("the rates hold the time, so that no point of rest is sought")
        if not moving:
            raise NoRest("nothing moves: every state is a constant")
        constants = {i: value for i, value in enumerate(around(course.sides)) if i not in moving}
        search = _Search(field, moving, constants, is_map)
        centre = search.centre([box[i] for i in moving])
        frame = search.frame(centre)
        about = search.back * column([box[i] - exact(c) for i, c in zip(moving, centre, strict=True)])
        least = max(fraction(abs(value).abs_upper()) for value in about.entries())
        least = max(least, search.slowness(centre, frame))
        reason = "no neighbourhood of the point of rest contracts"
        for growth in GROWTH:
            radius = _short(least * Fraction(growth), 8)
            found, reason = search.neighbourhood(centre, frame, radius, within, rate)
            if found is not None:
                return found
        raise NoRest(f"{reason} at the time {float(time):.6g}: a later time or a wider box may help")


class _Search:
    """What is computed about one point of rest."""

    def __init__(self, field: Field, moving: tuple[int, ...], constants: dict[int, Ball], is_map: bool) -> None:
        self.field, self.moving, self.constants, self.is_map = field, moving, constants, is_map
        self.back: Matrix = None

    def _whole(self, moving: list[Ball]) -> list[Ball]:
        values = iter(moving)
        return [self.constants[i] if i in self.constants else next(values) for i in range(len(self.field.names))]

    def _change(self, point: list[Ball]) -> Matrix:
        """The rates of the moving states, or by how much an iteration changes them."""
        values = self.field.values(self._whole(point), arb(0))
        return column([values[i] - (p if self.is_map else 0) for i, p in zip(self.moving, point, strict=True)])

    def _slope(self, point: list[Ball]) -> Matrix:
        whole = self.field.jacobian(self._whole(point), arb(0))
        size = len(self.moving)
        return arb_mat(size, size, [whole[i, j] for i in self.moving for j in self.moving])

    def centre(self, near: list[Ball]) -> list[Fraction]:
        """Newton's method from the middle of a box, for constants in the middle of theirs."""
        of_all, self.constants = self.constants, {i: value.mid() for i, value in self.constants.items()}
        point = [value.mid() for value in near]
        try:
            for _ in range(NEWTON):
                slope = self._slope(point)
                if self.is_map:
                    slope -= arb_mat(
                        len(point), len(point), [int(i == j) for i in range(len(point)) for j in range(len(point))]
                    )
                moved = slope.solve(self._change(point)).entries()
                point = [(p - m).mid() for p, m in zip(point, moved, strict=True)]
                if all(abs(m) <= abs(p) * 2.0**-40 + 2.0**-60 for p, m in zip(point, moved, strict=True)):
                    break
        except (NoValue, ZeroDivisionError):
            raise NoRest("no point of rest with a linear part that has an inverse was found near the end") from None
        finally:
            self.constants = of_all
        return [_short(fraction(p), 2 * BITS) for p in point]

    def frame(self, centre: list[Fraction]) -> list[list[Fraction]]:
        """The directions of the linear part at the centre, real and imaginary parts of pairs."""
        size = len(centre)
        of_all, self.constants = self.constants, {i: value.mid() for i, value in self.constants.items()}
        slope = self._slope([exact(c) for c in centre]).mid()
        self.constants = of_all
        identity = [[Fraction(int(i == j)) for j in range(size)] for i in range(size)]
        for frame in (_directions(slope), identity):
            if frame is not None:
                try:
                    self.back = _matrix(frame).inv()
                except ZeroDivisionError:
                    continue
                if all(entry.is_finite() for entry in self.back.entries()):
                    return frame
        raise NoRest("no frame with an inverse was found at the point of rest")

    def slowness(self, centre: list[Fraction], frame: list[list[Fraction]]) -> Fraction:
        """A radius in proportion to how fast the flow still is at the centre, which is no point of rest exactly."""
        try:
            change = (self.back * self._change([exact(c) for c in centre])).entries()
            rate = self._contraction([exact(c) for c in centre], frame)
        except NoValue:
            raise NoRest("the rates have no value near the point of rest for all constants") from None
        room = 1 - rate if self.is_map else rate
        if not room > 0:
            raise NoRest("the linear part at the point of rest does not contract in the frame of its directions")
        return max(fraction(abs(c).abs_upper()) for c in change) / room

    def _contraction(self, box: list[Ball], frame: list[list[Fraction]]) -> Fraction:
        """The rate at which distances certainly shrink on a box, or the factor by which a map shrinks them."""
        inside = self.back * self._slope(box) * _matrix(frame)
        size = len(box)
        norms = []
        for i in range(size):
            others = sum((abs(inside[i, j]) for j in range(size) if j != i), arb(0))
            norms.append(others + (abs(inside[i, i]) if self.is_map else inside[i, i]))
        worst = max(ends(norm)[1] for norm in norms)
        return worst if self.is_map else -worst

    def neighbourhood(
        self,
        centre: list[Fraction],
        frame: list[list[Fraction]],
        radius: Fraction,
        within: Json | None,
        rate: Fraction | None,
    ) -> tuple[Neighbourhood | None, str]:
        """The neighbourhood of a radius if all that is asked of it holds, or what does not."""
        reach = [sum(map(abs, row), Fraction(0)) * radius for row in frame]
        sides = [(c - r, c + r) for c, r in zip(centre, reach, strict=True)]
        names = [self.field.names[i] for i in self.moving]
        if within is not None:
            for name, (low, high) in zip(names, sides, strict=True):
                if not Fraction(within[name][0]) < low <= high < Fraction(within[name][1]):
                    return None, f"no neighbourhood fits into the interval of {name}"
        try:
            found = self._contraction(around(sides), frame)
            change = (self.back * self._change([exact(c) for c in centre])).entries()
        except NoValue:
            return None, "the neighbourhood meets a place where a rate has no value"
        stated = rate if rate is not None else _spared(found, self.is_map)
        holds = 0 < stated < 1 and found < stated if self.is_map else found > stated > 0
        if not holds:
            return None, "no neighbourhood of the point of rest contracts at the rate"
        slow = exact((1 - stated if self.is_map else stated) * radius * Fraction(99, 100))
        if not all(abs(c) < slow for c in change):
            return None, "at the centre of the neighbourhood the flow is not slow enough"
        return Neighbourhood(self.moving, centre, frame, radius, stated, dict(zip(names, sides, strict=True))), ""


def _spared(found: Fraction, is_map: bool) -> Fraction:
    """A short number beside the rate that was found."""
    return 1 - _short((1 - found) * SPARE, 8) if is_map else _short(found * SPARE, 8)


def _directions(slope: Matrix) -> list[list[Fraction]] | None:
    """The eigenvectors of a matrix as columns, computed without any guarantee."""
    size = slope.nrows()
    try:
        values, vectors = slope.eig(right=True, algorithm="approx")
    except (ValueError, ZeroDivisionError):
        return None
    columns: list[list[float]] = []
    for j, value in enumerate(values):
        real = [float(vectors[i, j].real.mid()) for i in range(size)]
        imaginary = [float(vectors[i, j].imag.mid()) for i in range(size)]
        turn = float(value.imag.mid())
        if abs(turn) <= 1e-12 * abs(float(value.real.mid())):
            columns.append(real if max(map(abs, real)) >= max(map(abs, imaginary)) else imaginary)
        elif turn > 0:
            columns += [real, imaginary]
    columns = [[entry / max(map(abs, vector)) for entry in vector] for vector in columns if any(vector)]
    if len(columns) != size:
        return None
    return [[_short(Fraction(columns[j][i]), BITS) for j in range(size)] for i in range(size)]


def _matrix(rows: list[list[Fraction]]) -> Matrix:
    return arb_mat(len(rows), len(rows), [exact(entry) for row in rows for entry in row])


def _short(value: Fraction, bits: int) -> Fraction:
    """A dyadic number near another, rounded towards zero."""
    if value == 0:
        return value
    grain = Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length() - bits)
    return int(value / grain) * grain
