"""Points of rest that attract: a neighbourhood in which the flow, or the map, contracts at a certain rate.

The neighbourhood and what is shown of it are the checker's; here its centre, its frame and its radius are sought.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from flint import arb, arb_mat

from derivations.prove.certificate import Json
from derivations.prove.flows.tubes.flow import FARTHEST, NO_VALUE, Course
from derivations.prove.flows.tubes.sets import ends, exact, rational, working
from derivations.recheck.core.errors import Rejected
from derivations.recheck.kinds.flows.trajectories.claims import MAP, Claim
from derivations.recheck.kinds.flows.trajectories.formulas import Ball
from derivations.recheck.kinds.flows.trajectories.settling import Neighbourhood, size
from derivations.recheck.kinds.flows.trajectories.step import Matrix, System, between, column, identity
from derivations.text import DerivationError

NEWTON, POWERS = 30, 60  # iterations
BITS = 24  # of the numbers of a frame and of a centre, which need not be exact
GROWTH = (1.05, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128)
LEAST = Fraction(1, 2**60)  # radius, for solutions that rest from the start, and number that is told from zero
SPARE = Fraction(9, 10)  # of the rate that was found, which is stated


class NoRest(DerivationError):
    """No neighbourhood was found; the message is a sentence."""


@dataclass(frozen=True)
class Settled:
    """All c + P y with |y| <= radius, for the states that move."""

    centre: list[Fraction]
    frame: list[list[Fraction]]
    radius: Fraction
    rate: Fraction
    """At which the flow certainly contracts there; of a map, by which factor."""
    box: dict[str, tuple[Fraction, Fraction]]

    def as_json(self) -> Json:
        frame = [list(map(str, row)) for row in self.frame]
        return {"centre": list(map(str, self.centre)), "frame": frame, "radius": str(self.radius)}


def attracting(
    course: Course, claim: Claim, time: Fraction, within: Mapping[str, Any] | None, rate: Fraction | None
) -> Settled:
    """A neighbourhood that holds all solutions at a time, inside a box and at a rate if these are given."""
    states = course.at(time)
    with working(course.care.bits):
        if claim.has_time:
            raise NoRest("the rates hold the time, so that no point of rest is sought")
        if not claim.moving:
            raise NoRest("nothing moves: every state is a constant")
        box = states.at(rational(time), rational(time))
        near, search = [box[i] for i in claim.moving], Search(claim, course.system)
        centre = search.centre(near)
        reason = ""
        for frame in search.frames(centre):
            try:
                return _Framed(search, centre, frame).settled(near, within, rate)
            except NoRest as trouble:
                reason = reason or str(trouble)
            except Rejected:
                reason = reason or "the directions of the linear part have no certain inverse"
        raise NoRest(f"{reason}, seen from the time {float(time):.6g}")


class Search:
    """A point of rest and directions there, sought without any guarantee, for constants in the middle of theirs."""

    def __init__(self, claim: Claim, system: System) -> None:
        self.claim, self.system, self.is_map = claim, system, claim.form == MAP

    def rates(self, point: Sequence[Ball]) -> tuple[Matrix, Matrix]:
        """The rates of the moving states, or by how much an iteration changes them, and the slopes."""
        moving, states = self.claim.moving, [between(*sides).mid() for sides in self.claim.start]
        for i, value in zip(moving, point, strict=True):
            states[i] = value
        rates, slopes = self.system.values(states, arb(0)), self.system.slopes(states, arb(0))
        change = column([rates[i] - (p if self.is_map else 0) for i, p in zip(moving, point, strict=True)])
        return change, arb_mat([[slopes[i, j] for j in moving] for i in moving])

    def centre(self, near: Sequence[Ball]) -> list[Fraction]:
        """Newton's method from the middle of a box."""
        point = [value.mid() for value in near]
        try:
            for _ in range(NEWTON):
                change, slope = self.rates(point)
                moved = (slope - identity(len(point)) if self.is_map else slope).solve(change).entries()
                point = [(p - m).mid() for p, m in zip(point, moved, strict=True)]
                if all(abs(m) <= abs(p) * 2.0**-40 + exact(LEAST) for p, m in zip(point, moved, strict=True)):
                    break
        except NO_VALUE:
            raise NoRest("no point of rest with a linear part that has an inverse was found near the end") from None
        middles = [sum(_sides(p), Fraction(0)) / 2 for p in point]
        return [short(p, 2 * BITS) if abs(p) > LEAST else Fraction(0) for p in middles]

    def frames(self, centre: Sequence[Fraction]) -> list[list[list[Fraction]]]:
        """The directions of the linear part at the centre, and the axes in lengths that suit it."""
        try:
            slope = self.rates([exact(c) for c in centre])[1].mid()
        except NO_VALUE:
            raise NoRest("the rates have no slope at the point of rest") from None
        for entry in slope.entries():
            _sides(entry)
        directions = _directions(slope)
        return [*([directions] if directions else []), _axes(slope, self.is_map)]


class _Framed:
    """The quantities computed about a point of rest in one frame."""

    def __init__(self, search: Search, centre: list[Fraction], frame: list[list[Fraction]]) -> None:
        self.search, self.centre, self.frame, self.is_map = search, centre, frame, search.is_map
        matrix = arb_mat([list(map(exact, row)) for row in frame])
        self.near = Neighbourhood(search.claim, search.system, column(list(map(exact, centre))), matrix)

    def settled(self, box: list[Ball], within: Mapping[str, Any] | None, rate: Fraction | None) -> Settled:
        """A neighbourhood that holds a box, and has all that is asked of it."""
        about = self.near.back * (column(box) - self.near.centre)
        least = max(LEAST, self._slowness(), _most(size(about.entries())))
        reason = ""
        for growth in GROWTH:
            try:
                return self._of_radius(short(least * Fraction(growth), 8), within, rate)
            except NoRest as trouble:
                reason = reason or str(trouble)
        raise NoRest(f"{reason} (a later time or a wider box may help)")

    def _slowness(self) -> Fraction:
        """A radius in proportion to how fast the flow still is at the centre, which is no point of rest exactly."""
        try:
            drift, slowest = self.near.drift(), _sides(self.near.slowest(self.near.centre.entries()))[1]
        except NO_VALUE:
            raise NoRest("the rates have no value near the point of rest for all constants") from None
        room = 1 - slowest if self.is_map else -slowest
        if not room > 0:
            raise NoRest("the linear part at the point of rest does not contract in the frame of its directions")
        return _most(drift) / room

    def _of_radius(self, radius: Fraction, within: Mapping[str, Any] | None, rate: Fraction | None) -> Settled:
        """The neighbourhood of a radius if all that is asked of it holds."""
        reach = [_most(each) for each in self.near.reach(exact(radius))]
        sides = [(c - r, c + r) for c, r in zip(self.centre, reach, strict=True)]
        names = [self.search.claim.names[i] for i in self.search.claim.moving]
        for name, (low, high) in zip(names, sides, strict=True):
            if within and not (within[name][0] < rational(low) and rational(high) < within[name][1]):
                raise NoRest(f"no neighbourhood fits into the interval of {name}")
        try:
            slowest = _sides(self.near.slowest([between(rational(low), rational(high)) for low, high in sides]))[1]
            drift = self.near.drift()
            once = not within or self.near.rests_once([between(*within[name]) for name in names])
        except NO_VALUE:
            raise NoRest("the neighbourhood meets a place where a rate has no value") from None
        asked = rate if rate is not None else _spared(slowest if self.is_map else -slowest, self.is_map)
        if not (0 < asked < 1 and slowest <= asked if self.is_map else 0 < asked <= -slowest):
            raise NoRest("no neighbourhood of the point of rest contracts at the rate")
        if not drift < exact((1 - asked if self.is_map else asked) * radius * Fraction(99, 100)):
            raise NoRest("at the centre of the neighbourhood the flow is not slow enough")
        if not once:
            raise NoRest("the stated box may hold more than one point of rest")
        return Settled(self.centre, self.frame, radius, asked, dict(zip(names, sides, strict=True)))


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


def _directions(slope: Matrix) -> list[list[Fraction]]:
    """The eigenvectors of a matrix as columns, computed without any guarantee; of a pair the two parts."""
    count = slope.nrows()
    try:
        values, vectors = slope.eig(right=True, algorithm="approx")
    except (ValueError, ZeroDivisionError):
        return []
    columns: list[list[float]] = []
    for j, value in enumerate(values):
        real = [float(vectors[i, j].real.mid()) for i in range(count)]
        imaginary = [float(vectors[i, j].imag.mid()) for i in range(count)]
        turn = float(value.imag.mid())
        if abs(turn) <= 1e-12 * abs(float(value.real.mid())):
            columns += _of_one_length(max(real, imaginary, key=lambda vector: max(map(abs, vector))))
        elif turn > 0:
            columns += _of_one_length(real, imaginary)
    if len(columns) != count:
        return []
    return [[short(Fraction(columns[j][i]), BITS) for j in range(count)] for i in range(count)]


def _of_one_length(*vectors: list[float]) -> list[list[float]]:
    """Vectors divided by their largest entry, so that a pair keeps its shape."""
    longest = max(abs(entry) for vector in vectors for entry in vector)
    return [[entry / longest for entry in vector] for vector in vectors] if longest > 0 else []


def _axes(slope: Matrix, is_map: bool) -> list[list[Fraction]]:
    """The axes in those lengths for which the rows of a matrix are most alike (Perron's vector of its sizes)."""
    count = slope.nrows()
    entries = [[abs(float(slope[i, j].mid())) for j in range(count)] for i in range(count)]
    if not is_map:
        lowest = max(entries[i][i] for i in range(count))
        for i in range(count):
            entries[i][i] = float(slope[i, i].mid()) + lowest
    lengths = [1.0] * count
    for _ in range(POWERS):
        grown = [
            sum(a * b for a, b in zip(row, lengths, strict=True)) + 1e-3 * length
            for row, length in zip(entries, lengths, strict=True)
        ]
        longest = max(grown) or 1.0
        lengths = [max(length / longest, 1e-6) for length in grown]
    return [[short(Fraction(lengths[i]), BITS) if i == j else Fraction(0) for j in range(count)] for i in range(count)]


def short(value: Fraction, bits: int) -> Fraction:
    """A dyadic number near another, rounded towards zero."""
    if value == 0:
        return value
    grain = Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length() - bits)
    return int(value / grain) * grain
