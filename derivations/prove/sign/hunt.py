"""Exact points at which an inequality fails: drawn, at the ends of what hypotheses allow, and downhill from there.

Balls propose and decide: a point counts where the violation is certain. Of what is found, simple numbers are kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice, product

from derivations.language.evaluate import exact, has_value, precision, value
from derivations.language.points import Values, points, satisfies
from derivations.language.terms import Term, subtract, symbols_in
from derivations.prove import equality
from derivations.prove.certificate import Certificate, Json

QUICK, DRAWN = 24, 2 * equality.TRIES  # points drawn before a proof is looked for, and after that
STARTS, DOWNHILL = 120, 4  # points that are compared, and those from which the difference is followed downhill
MOST_ENDS, MOST_CORNERS = 6, 60
BESIDE = tuple(
    Fraction(sign * digit, 10**power) for power in (0, 1, 2, 3, 4) for digit in (1, 3) for sign in (1, -1)
)  # how far from an end
STEPS = tuple(Fraction(1, 4**k) for k in range(1, 14))  # each with its own share of the coordinate
SIMPLE = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 50, 100, 1000, 10**4, 10**5)
FINEST = 10**7
BITS = 128
PLAIN, ABOUT_ZERO = -1e-4, 1e-30  # of the size of the sides: what is plainly below zero, and what may be zero
MOST_HEIGHTS = 4000


def refutation(statement: Json, tries: int) -> Certificate | None:
    """One of the first points, if it certainly violates the inequality."""
    return first_failure(statement, islice(points(statement), tries))


def quick(statement: Json) -> Certificate | None:
    """Return what is cheap enough to be tried before a proof is looked for: some points, and the ends of all
    intervals.
    """
    return first_failure(statement, islice(points(statement), QUICK)) or first_failure(statement, _corners(statement))


def hunt(statement: Json) -> Certificate | None:
    """A refutation by more points than `quick` has tried and by going downhill, for what nothing proves."""
    return first_failure(statement, islice(points(statement), QUICK, DRAWN)) or _downhill(statement)


def fails(difference: Term, strict: bool, point: Values) -> int:
    """The precision at which the difference certainly violates the sign, or 0."""
    if not has_value(difference, point):
        return 0
    number = exact(difference, point)
    if number is not None:
        return equality.PRECISIONS[0] if number < 0 or (strict and number == 0) else 0
    enclosures = ((bits, value(difference, point, bits)) for bits in equality.PRECISIONS[:2])
    return next((bits for bits, enclosure in enclosures if enclosure is not None and enclosure < 0), 0)


def first_failure(statement: Json, candidates: Iterable[Values]) -> Certificate | None:
    """The refutation at the first of some points that violates the inequality."""
    difference = subtract(statement["left"], statement["right"])
    for point in candidates:
        bits = fails(difference, statement["relation"] == ">", point)
        if bits:
            return equality.at_point(statement, point, bits)
    return None


# --- ends and corners -------------------------------------------------------------------------------------------------


def _corners(statement: Json) -> Iterator[Values]:
    """Points whose coordinates are ends of the stated intervals, or lie beside them; no more than a few dozens."""
    known, assuming = statement["symbols"], [tuple(r) for r in statement["assuming"]]
    if any(r[0] == "=" for r in assuming):
        return  # to move a symbol would leave the equations
    free = sorted(symbols_in(statement["left"]) | symbols_in(statement["right"]))
    some = next(points(statement), None)
    if some is None or not free:
        return
    ends = {name: _with_middle(_ends(name, assuming)) for name in free}
    together = product(*(ends[name] or [some[name]] for name in free))
    alone = ({name: end + step} for name in free for end in ends[name] for step in BESIDE)
    count = 0
    for moved in (*(dict(zip(free, values, strict=True)) for values in islice(together, MOST_CORNERS)), *alone):
        point = {**some, **moved}
        if count < MOST_CORNERS and satisfies(point, known, assuming):
            count += 1
            yield point


def _ends(name: str, assuming: list[Term]) -> list[Fraction]:
    """The numbers with which hypotheses compare a symbol, exactly or nearly, and zero."""
    found: list[Fraction] = []
    for _, left, right in assuming:
        for side, other in ((left, right), (right, left)):
            if side == ("s", name) and not symbols_in(other):
                number, near = exact(other, {}), value(other, {}, 64)
                if number is None and near is not None:
                    number = Fraction(float(near.mid())).limit_denominator(1000)
                found += [] if number is None else [number]
    return list(dict.fromkeys([*found, Fraction(0)]))[:MOST_ENDS]


def _with_middle(ends: list[Fraction]) -> list[Fraction]:
    return list(dict.fromkeys([*ends, *([(min(ends) + max(ends)) / 2] if len(ends) > 1 else [])]))


# --- downhill ---------------------------------------------------------------------------------------------------------


class _Landscape:
    """The difference of the sides, beside their sizes, at exact points that satisfy every hypothesis."""

    def __init__(self, statement: Json) -> None:
        self.known, self.assuming = statement["symbols"], [tuple(r) for r in statement["assuming"]]
        self.sides = statement["left"], statement["right"]
        self.seen: dict[tuple[tuple[str, Fraction], ...], float] = {}

    def height(self, point: Values) -> float:
        key = tuple(sorted(point.items()))
        if key not in self.seen:
            self.seen[key] = self._height(point) if satisfies(point, self.known, self.assuming) else float("inf")
        return self.seen[key]

    def _height(self, point: Values) -> float:
        left, right = (value(side, point, BITS) for side in self.sides)
        if left is None or right is None:
            return float("inf")
        with precision(BITS):
            return float(((left - right) / (1 + abs(left) + abs(right))).mid())


def _downhill(statement: Json) -> Certificate | None:
    """A violation near the lowest points, each coordinate in turn, and all of them together."""
    if any(r[0] == "=" for r in statement["assuming"]):
        return None  # a step would leave the equations
    land = _Landscape(statement)
    starts = [*islice(points(statement), STARTS), *_corners(statement)]
    distinct = {tuple(sorted(p.items())): (land.height(p), _length(p)) for p in starts}
    for items in sorted(distinct, key=lambda items: distinct[items])[:DOWNHILL]:
        near = (p for p in _simple(_lowest(land, dict(items))) if land.height(p) <= ABOUT_ZERO)
        found = first_failure(statement, near)
        if found is not None:
            return found
    return None


def _length(point: Values) -> int:
    """How much there is to read."""
    return sum(len(str(value)) for value in point.values())


def _lowest(land: _Landscape, point: Values) -> Values:
    """Where no step, of any size, goes further down, or the first place that is plainly below zero."""
    lowest = land.height(point)
    step = 0
    while step < len(STEPS) and lowest > PLAIN and len(land.seen) < MOST_HEIGHTS:
        better = None
        for candidate in _steps(point, STEPS[step]):
            height = land.height(candidate)
            if height < lowest:
                lowest, better = height, candidate
        if better is None:
            step += 1
        else:
            point, step = better, max(step - 1, 0)
    return point


def _steps(point: Values, share: Fraction) -> Iterator[Values]:
    """One coordinate larger or smaller by a share of it or by the share itself, or all of them by the share of each."""
    for name, at in point.items():
        for moved in (at * (1 + share), at * (1 - share), at + share, at - share):
            yield {**point, name: moved.limit_denominator(FINEST)}
    for factor in (1 + share, 1 - share) if len(point) > 1 else ():
        yield {name: (value * factor).limit_denominator(FINEST) for name, value in point.items()}


def _simple(point: Values) -> Iterator[Values]:
    """The point itself last, and before it short fractions near it, the shortest first."""
    for most in SIMPLE:
        yield {name: value.limit_denominator(most) for name, value in point.items()}
    yield point
