"""Points of rest that attract: a neighbourhood in which the flow, or the map, contracts at a certain rate.

In the frame P about a centre c the neighbourhood is |y| <= radius for the largest entry of y; two entries that turn
into each other may be taken together, with their length. There the rates of change of distances are at most the
logarithmic norm of A = P^-1 Df P, and at the centre the flow is slow enough that no solution leaves. So for all later
times it stays, and approaches the only point of rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat

from derivations.language.evaluate import precision
from derivations.prove.certificate import Json
from derivations.prove.flows.tubes.jets import Field
from derivations.prove.flows.tubes.maps import Iterates
from derivations.prove.flows.tubes.programs import NoValue
from derivations.prove.flows.tubes.sets import around, column, ends, exact, identity
from derivations.prove.flows.tubes.steps import FARTHEST
from derivations.prove.flows.tubes.watched import Course
from derivations.text import DerivationError

Ball = Any  # flint.arb
Matrix = Any  # flint.arb_mat
Pairs = list[tuple[int, int]]  # places of entries that are taken together
NEWTON, POWERS = 30, 60  # iterations
BITS = 24  # of the numbers of a frame and of a centre, which need not be exact
GROWTH = (1.05, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128)
LEAST = Fraction(1, 2**60)  # radius, for solutions that rest from the start
SPARE = Fraction(9, 10)  # of the rate that was found, which is stated
FOR_CHECKER = Fraction(1, 4)  # of what a box loses of the rate at its centre: other formulas for slopes may lose more


class NoRest(DerivationError):
    """No neighbourhood was found; the message is a sentence."""


@dataclass(frozen=True)
class Neighbourhood:
    """All c + P y with |y| <= radius, for the states that move."""

    moving: tuple[int, ...]
    centre: list[Fraction]
    frame: list[list[Fraction]]
    pairs: Pairs
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
        } | ({"pairs": [list(pair) for pair in self.pairs]} if self.pairs else {})


def attracting(course: Course, time: Fraction, within: Json | None, rate: Fraction | None) -> Neighbourhood:
    """A neighbourhood that holds all solutions at a time, inside a box and at a rate if these are given."""
    field = course.field
    is_map = isinstance(course, Iterates)
    moving = tuple(i for i, name in enumerate(field.names) if name in field.moving)
    box, _ = course.moment(time)
    with precision(course.care.bits):
        if field.time in field.symbols:
            raise NoRest("the rates hold the time, so that no point of rest is sought")
        if not moving:
            raise NoRest("nothing moves: every state is a constant")
        constants = {i: value for i, value in enumerate(around(course.sides)) if i not in moving}
        search = Search(field, moving, constants, is_map)
        near = [box[i] for i in moving]
        centre = search.centre(near)
        reason = ""
        for frame, pairs in search.frames(centre):
            try:
                return _Framed(search, centre, frame, pairs).neighbourhood(near, within, rate)
            except NoRest as trouble:
                reason = reason or str(trouble)
        raise NoRest(f"{reason}, seen from the time {float(time):.6g}")


class Search:
    """What is computed about one point of rest."""

    def __init__(self, field: Field, moving: tuple[int, ...], constants: dict[int, Ball], is_map: bool) -> None:
        self.field, self.moving, self.constants, self.is_map = field, moving, constants, is_map

    def _whole(self, moving: list[Ball]) -> list[Ball]:
        values = iter(moving)
        return [self.constants[i] if i in self.constants else next(values) for i in range(len(self.field.names))]

    def change(self, point: list[Ball]) -> Matrix:
        """The rates of the moving states, or by how much an iteration changes them."""
        values = self.field.values(self._whole(point), arb(0))
        return column([values[i] - (p if self.is_map else 0) for i, p in zip(self.moving, point, strict=True)])

    def slope(self, point: list[Ball]) -> Matrix:
        whole = self.field.jacobian(self._whole(point), arb(0))
        size = len(self.moving)
        return arb_mat(size, size, [whole[i, j] for i in self.moving for j in self.moving])

    def centre(self, near: list[Ball]) -> list[Fraction]:
        """Newton's method from the middle of a box, for constants in the middle of theirs."""
        of_all, self.constants = self.constants, {i: value.mid() for i, value in self.constants.items()}
        point = [value.mid() for value in near]
        try:
            for _ in range(NEWTON):
                slope = self.slope(point)
                if self.is_map:
                    slope -= self.one()
                moved = slope.solve(self.change(point)).entries()
                point = [(p - m).mid() for p, m in zip(point, moved, strict=True)]
                if all(abs(m) <= abs(p) * 2.0**-40 + 2.0**-60 for p, m in zip(point, moved, strict=True)):
                    break
        except (NoValue, ZeroDivisionError):
            raise NoRest("no point of rest with a linear part that has an inverse was found near the end") from None
        finally:
            self.constants = of_all
        return [short(sum(_sides(p), Fraction(0)) / 2, 2 * BITS) for p in point]

    def frames(self, centre: list[Fraction]) -> list[tuple[list[list[Fraction]], Pairs]]:
        """The directions of the linear part at the centre, the axes in lengths that suit it, and pairs that turn."""
        of_all, self.constants = self.constants, {i: value.mid() for i, value in self.constants.items()}
        try:
            slope = self.slope([exact(c) for c in centre]).mid()
        except NoValue:
            raise NoRest("the rates have no slope at the point of rest") from None
        finally:
            self.constants = of_all
        for entry in slope.entries():
            _sides(entry)
        directions, turning = _directions(slope)
        found: list[tuple[list[list[Fraction]], Pairs]] = [(directions, [])] if directions else []
        found.append((_axes(slope, self.is_map), []))
        return [*found, (directions, turning)] if turning else found

    def one(self) -> Matrix:
        return identity(len(self.moving))


class _Framed:
    """What is computed about a point of rest in one frame."""

    def __init__(self, search: Search, centre: list[Fraction], frame: list[list[Fraction]], pairs: Pairs) -> None:
        self.search, self.centre, self.frame, self.is_map = search, centre, frame, search.is_map
        self.pairs, paired = pairs, {place for pair in pairs for place in pair}
        self.groups = [*pairs, *((place,) for place in range(len(frame)) if place not in paired)]
        try:
            self.back = _matrix(frame).inv()
        except ZeroDivisionError:
            raise NoRest("the directions of the linear part have no certain inverse") from None

    def neighbourhood(self, near: list[Ball], within: Json | None, rate: Fraction | None) -> Neighbourhood:
        """A neighbourhood that holds a box, and has all that is asked of it."""
        about = self.back * column([value - exact(c) for value, c in zip(near, self.centre, strict=True)])
        least = max(LEAST, self._slowness(), *map(_most, self._lengths(about.entries())))
        reason = ""
        for growth in GROWTH:
            try:
                return self._of_radius(short(least * Fraction(growth), 8), within, rate)
            except NoRest as trouble:
                reason = reason or str(trouble)
        raise NoRest(f"{reason} (a later time or a wider box may help)")

    def _slowness(self) -> Fraction:
        """A radius in proportion to how fast the flow still is at the centre, which is no point of rest exactly."""
        point = [exact(c) for c in self.centre]
        try:
            change = (self.back * self.search.change(point)).entries()
            self.at_centre = self._contraction(point)
        except NoValue:
            raise NoRest("the rates have no value near the point of rest for all constants") from None
        room = 1 - self.at_centre if self.is_map else self.at_centre
        if not room > 0:
            raise NoRest("the linear part at the point of rest does not contract in the frame of its directions")
        return max(map(_most, self._lengths(change))) / room

    def _lengths(self, vector: list[Ball]) -> list[Ball]:
        """The lengths of the parts of a vector."""
        return [_length([vector[place] for place in group]) for group in self.groups]

    def _contraction(self, box: list[Ball]) -> Fraction:
        """The rate at which distances certainly shrink on a box, or the factor by which a map shrinks them."""
        inside = self.back * self.search.slope(box) * _matrix(self.frame)
        norms = []
        for group in self.groups:
            own = [[inside[i, j] for j in group] for i in group]
            others = [[inside[i, j] for i in group for j in other] for other in self.groups if other != group]
            norms.append(sum(map(_length, others), _stretch(own) if self.is_map else _growth(own)))
        worst = max(_sides(norm)[1] for norm in norms)
        return worst if self.is_map else -worst

    def _of_radius(self, radius: Fraction, within: Json | None, rate: Fraction | None) -> Neighbourhood:
        """The neighbourhood of a radius if all that is asked of it holds."""
        reach = [sum(map(_most, self._lengths(list(map(exact, row)))), Fraction(0)) * radius for row in self.frame]
        sides = [(c - r, c + r) for c, r in zip(self.centre, reach, strict=True)]
        names = [self.search.field.names[i] for i in self.search.moving]
        stated = [] if within is None else [(Fraction(within[n][0]), Fraction(within[n][1])) for n in names]
        for name, (low, high), (least, most) in zip(names, sides, stated, strict=False):
            if not least < low <= high < most:
                raise NoRest(f"no neighbourhood fits into the interval of {name}")
        try:
            found = self._contraction(around(sides))
            found += (found - self.at_centre) * FOR_CHECKER
            change = (self.back * self.search.change([exact(c) for c in self.centre])).entries()
        except NoValue:
            raise NoRest("the neighbourhood meets a place where a rate has no value") from None
        asked = rate if rate is not None else _spared(found, self.is_map)
        if not (0 < asked < 1 and found < asked if self.is_map else found > asked > 0):
            raise NoRest("no neighbourhood of the point of rest contracts at the rate")
        slow = exact((1 - asked if self.is_map else asked) * radius * Fraction(99, 100))
        if not all(length < slow for length in self._lengths(change)):
            raise NoRest("at the centre of the neighbourhood the flow is not slow enough")
        if stated and not self._rests_once(around(stated)):
            raise NoRest("the stated box may hold more than one point of rest")
        box = dict(zip(names, sides, strict=True))
        return Neighbourhood(self.search.moving, self.centre, self.frame, self.pairs, radius, asked, box)

    def _rests_once(self, box: list[Ball]) -> bool:
        """Whether a box certainly holds one point of rest at most: there the slope of the change has an inverse."""
        try:
            found = self._contraction(box)
            if (found < 1) if self.is_map else (found > 0):
                return True
            slope = self.back * self.search.slope(box) * _matrix(self.frame)
            inverse = (slope - self.search.one() if self.is_map else slope).inv()
            return all(entry.is_finite() for entry in inverse.entries())
        except (NoValue, NoRest, ZeroDivisionError):
            return False


def _length(entries: list[Ball]) -> Ball:
    """The Euclidean length of a vector in balls."""
    if len(entries) == 1:
        return abs(entries[0])
    return sum((abs(entry).abs_upper() ** 2 for entry in entries), arb(0)).sqrt()


def _growth(block: list[list[Ball]]) -> Ball:
    """The logarithmic norm of a block of one or two rows: the largest eigenvalue of its symmetric part."""
    if len(block) == 1:
        return block[0][0]
    (a, b), (c, d) = block
    return (a + d + _length([a - d, b + c])) / 2


def _stretch(block: list[list[Ball]]) -> Ball:
    """The largest singular value of a block of one or two rows."""
    if len(block) == 1:
        return abs(block[0][0])
    (a, b), (c, d) = block
    return (_length([a + d, b - c]) + _length([a - d, b + c])) / 2


def _sides(value: Ball) -> tuple[Fraction, Fraction]:
    """The ends of a ball; refuses one that is too large to be written down."""
    if not abs(value) < FARTHEST:
        raise NoRest("near the point of rest the rates or their slopes are too large to be followed")
    return ends(value)


def _most(value: Ball) -> Fraction:
    return max(map(abs, _sides(value)))


def _spared(found: Fraction, is_map: bool) -> Fraction:
    """A short number beside the rate that was found."""
    return 1 - short((1 - found) * SPARE, 8) if is_map else short(found * SPARE, 8)


def _directions(slope: Matrix) -> tuple[list[list[Fraction]], Pairs]:
    """The eigenvectors of a matrix as columns, computed without any guarantee, and which of them belong together."""
    size = slope.nrows()
    try:
        values, vectors = slope.eig(right=True, algorithm="approx")
    except (ValueError, ZeroDivisionError):
        return [], []
    columns: list[list[float]] = []
    pairs: Pairs = []
    for j, value in enumerate(values):
        real = [float(vectors[i, j].real.mid()) for i in range(size)]
        imaginary = [float(vectors[i, j].imag.mid()) for i in range(size)]
        turn = float(value.imag.mid())
        if abs(turn) <= 1e-12 * abs(float(value.real.mid())):
            columns += _of_one_length(max(real, imaginary, key=lambda vector: max(map(abs, vector))))
        elif turn > 0:
            pairs.append((len(columns), len(columns) + 1))
            columns += _of_one_length(real, imaginary)
    if len(columns) != size:
        return [], []
    return [[short(Fraction(columns[j][i]), BITS) for j in range(size)] for i in range(size)], pairs


def _of_one_length(*vectors: list[float]) -> list[list[float]]:
    """Vectors divided by their largest entry, so that a pair keeps its shape."""
    longest = max(abs(entry) for vector in vectors for entry in vector)
    return [[entry / longest for entry in vector] for vector in vectors] if longest > 0 else []


def _axes(slope: Matrix, is_map: bool) -> list[list[Fraction]]:
    """The axes in those lengths for which the rows of a matrix are most alike (Perron's vector of its sizes)."""
    size = slope.nrows()
    entries = [[abs(float(slope[i, j].mid())) for j in range(size)] for i in range(size)]
    if not is_map:
        lowest = max(entries[i][i] for i in range(size))
        for i in range(size):
            entries[i][i] = float(slope[i, i].mid()) + lowest
    lengths = [1.0] * size
    for _ in range(POWERS):
        grown = [
            sum(a * b for a, b in zip(row, lengths, strict=True)) + 1e-3 * length
            for row, length in zip(entries, lengths, strict=True)
        ]
        longest = max(grown) or 1.0
        lengths = [max(length / longest, 1e-6) for length in grown]
    return [[short(Fraction(lengths[i]), BITS) if i == j else Fraction(0) for j in range(size)] for i in range(size)]


def _matrix(rows: list[list[Fraction]]) -> Matrix:
    return arb_mat(len(rows), len(rows), [exact(entry) for row in rows for entry in row])


def short(value: Fraction, bits: int) -> Fraction:
    """A dyadic number near another, rounded towards zero."""
    if value == 0:
        return value
    grain = Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length() - bits)
    return int(value / grain) * grain
