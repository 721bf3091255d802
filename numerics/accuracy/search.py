"""Points of a domain at which a kernel is least accurate: sampled, found on surfaces, and bred from the worst.

Cancellation hides on surfaces that random points miss. Two ways lead to them. A twin names its intermediate results;
between two points at which one of these differs in sign, halving an argument finds the float nearest to its zero. And
from the worst points of every output, steps of all sizes down to one ulp, arguments set equal, to few bits or to ends
of what the domain allows lead to worse ones.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from types import CodeType, FrameType
from typing import Any

import numpy as np
from flint import arb

from numerics.accuracy.domains import NEAREST, Sampler, read, sampler

Point = tuple[float, ...]
Twin = Callable[..., Sequence[Any]]
Name = tuple[str, str]  # of a function, and of a result in it
Move = Callable[[np.random.Generator, Point, Point], Point]

SMALLEST, LARGEST = 2.0**-40, 2.0**40  # sizes of arguments to which the hunt goes; sampled points lie inside
MOST_TRIES = 50  # of proposals that leave the domain
KEPT = 8  # of the worst points of each output, from which others are bred
NEAR = 6  # points beside each zero that is found
DIGITS = 60


@dataclass(frozen=True)
class Region:
    """A domain: how its points are drawn, and which points belong to it."""

    draw: Sampler
    holds: Callable[[Point], bool]

    def drawn(self, rng: np.random.Generator) -> Point:
        return tuple(map(float, self.draw(rng)))


def conditions_region(arguments: Sequence[str], conditions: Sequence[str]) -> Region:
    """The points at which all conditions hold, which is decided exactly; sizes stay between SMALLEST and LARGEST."""
    known = [read(text) for text in conditions]

    def holds(point: Point) -> bool:
        at = dict(zip(arguments, map(Fraction, point), strict=True))
        return all(SMALLEST <= abs(x) <= LARGEST for x in point if x) and all(c.holds(at) for c in known)

    return Region(sampler(arguments, conditions), holds)


def ranges_region(ranges: Sequence[tuple[float, float]]) -> Region:
    """Every argument between its two ends."""

    def holds(point: Point) -> bool:
        return all(low <= x <= high for x, (low, high) in zip(point, ranges, strict=True))

    return Region(log_uniform(*ranges), holds)


def log_uniform(*ranges: tuple[float, float]) -> Sampler:
    """Points whose arguments have uniform logarithms; in a range across 0, each sign by its share of the range."""

    def sample(rng: np.random.Generator) -> Sequence[float]:
        return [_one(rng, low, high) for low, high in ranges]

    return sample


def _one(rng: np.random.Generator, low: float, high: float) -> float:
    if low > 0:
        return min(max(float(np.exp(rng.uniform(np.log(low), np.log(high)))), low), high)
    if high < 0:
        return -_one(rng, -high, -low)
    side = high if rng.uniform(low, high) > 0 else low
    return math.copysign(_one(rng, abs(side) * NEAREST, abs(side)), side) if side else 0.0


# --- the hunt ---------------------------------------------------------------------------------------------------------


@dataclass
class Pools:
    """The worst points of every output, largest ratio first."""

    found: dict[int, list[tuple[float, Point]]] = field(default_factory=dict)

    def least(self, k: int) -> float:
        """Return the smallest ratio in the pool of output k: the threshold for a new point, -1 while there is room."""
        pool = self.found.get(k, [])
        return pool[-1][0] if len(pool) == KEPT else -1.0

    def add(self, k: int, ratio: float, point: Point) -> None:
        pool = self.found.setdefault(k, [])
        if ratio > self.least(k) and all(point != known for _, known in pool):
            pool.append((ratio, point))
            pool.sort(key=lambda entry: -entry[0])
            del pool[KEPT:]

    def one(self, rng: np.random.Generator) -> Point:
        """Any output's, the worst most often."""
        pool = self.found[int(rng.choice(sorted(self.found)))]
        return pool[int(len(pool) * rng.uniform() ** 2)][1]


def hunt(
    look: Callable[[Point], None], pools: Pools, twin: Twin, region: Region, *, rng: np.random.Generator, n: int
) -> None:
    """Look at n points of a region: a third drawn, up to a third beside zeros, the others bred from the pools."""
    drawn = [region.drawn(rng) for _ in range(n - 2 * (n // 3))]
    beside = list(beside_zeros(twin, region, drawn, rng, n // 3))
    for point in drawn + beside:
        look(point)
    for _ in range(n - len(drawn) - len(beside)):
        if not pools.found:  # no output has a normal value so far
            look(region.drawn(rng))
            continue
        other = drawn[int(rng.integers(len(drawn)))] if rng.integers(2) else pools.one(rng)
        look(bred(rng, region, pools.one(rng), other))


# --- surfaces ---------------------------------------------------------------------------------------------------------


def intermediates(twin: Twin, point: Point) -> dict[Name, Any]:
    """The balls that a twin and what it calls had named when they returned, by function and name."""
    names: dict[Name, Any] = {}

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "return":
            code: CodeType = frame.f_code
            names.update(
                ((code.co_qualname, name), value) for name, value in frame.f_locals.items() if isinstance(value, arb)
            )

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        twin(*point, digits=DIGITS)
    finally:
        sys.setprofile(before)
    return names


def beside_zeros(
    twin: Twin, region: Region, drawn: Sequence[Point], rng: np.random.Generator, n: int
) -> Iterator[Point]:
    """At most n points at and beside zeros of intermediate results, between points that differ in one argument."""
    for _ in range(n // (1 + NEAR)):
        one, other = (drawn[int(k)] for k in rng.integers(len(drawn), size=2))
        i = int(rng.integers(len(one)))
        if not region.holds(_with(one, i, other[i])):
            continue
        names = crossed(intermediates(twin, one), intermediates(twin, _with(one, i, other[i])))
        if names:
            zero = nearest_zero(twin, one, i, other[i], names[int(rng.integers(len(names)))])
            near = [zero, *(_with(zero, i, zero[i] * _tiny(rng)) for _ in range(NEAR))]
            yield from filter(region.holds, near)


def crossed(one: Mapping[Name, Any], other: Mapping[Name, Any]) -> list[Name]:
    """The names of what is positive at one point and negative at the other."""
    return sorted(name for name in one.keys() & other.keys() if _sign(one[name]) * _sign(other[name]) < 0)


def _sign(value: Any) -> int:
    return 1 if value > 0 else -1 if value < 0 else 0


def nearest_zero(twin: Twin, point: Point, i: int, end: float, name: Name) -> Point:
    """A point on the way of argument i to an end, with its neighbour on the other side of the zero of a result."""

    def there(x: float) -> Point:
        return (*point[:i], x, *point[i + 1 :])

    low, high = point[i], end
    positive = intermediates(twin, there(low))[name] > 0
    while (middle := _middle(low, high)) not in (low, high):
        value = intermediates(twin, there(middle)).get(name)
        if value is not None and (value > 0) == positive:
            low = middle
        else:
            high = middle
    return there(low)


def _middle(low: float, high: float) -> float:
    """Between two floats: by logarithms where they share a sign and differ much."""
    if low * high > 0 and not 0.5 < abs(low / high) < 2:
        return math.copysign(math.sqrt(abs(low)) * math.sqrt(abs(high)), low)
    return low + (high - low) / 2


# --- moves ------------------------------------------------------------------------------------------------------------


def _with(point: Point, i: int, x: float) -> Point:
    return (*point[:i], x, *point[i + 1 :])


def _tiny(rng: np.random.Generator) -> float:
    """A factor off one by a power of two from 1/2 down to an ulp, or one."""
    return 1 + float(rng.choice([-1, 0, 1]) * 2.0 ** -rng.uniform(1, 52))


def nudge(rng: np.random.Generator, point: Point, _: Point) -> Point:
    """Each argument with probability one half by a step of its own size."""
    step = 2.0 ** -rng.uniform(1, 52)
    moved = tuple(x * (1 + step * rng.uniform(-1, 1)) if rng.integers(2) else x for x in point)
    return moved


def ulps(rng: np.random.Generator, point: Point, _: Point) -> Point:
    """Every argument by a few ulps."""
    return tuple(x + float(rng.integers(-3, 4)) * math.ulp(x) if x else x for x in point)


def scale(rng: np.random.Generator, point: Point, _: Point) -> Point:
    i = int(rng.integers(len(point)))
    return _with(point, i, point[i] * 2.0 ** rng.normal(0, 4))


def coincide(rng: np.random.Generator, point: Point, _: Point) -> Point:
    """One argument set to another, or close to it."""
    i, j = rng.integers(len(point), size=2)
    return _with(point, int(i), point[j] * float(rng.choice([-1, 1], p=[0.2, 0.8])) * _tiny(rng))


def plain(rng: np.random.Generator, point: Point, _: Point) -> Point:
    """One argument cut to few bits, to zero, or turned over."""
    i, kind = int(rng.integers(len(point))), rng.integers(8)
    mantissa, exponent = math.frexp(point[i])
    kept = 2.0 ** rng.integers(0, 12)
    return _with(point, i, (0.0, -point[i])[kind] if kind < 2 else math.ldexp(round(mantissa * kept) / kept, exponent))


def mix(rng: np.random.Generator, point: Point, other: Point) -> Point:
    """Some arguments of another point."""
    return tuple(y if rng.integers(3) == 0 else x for x, y in zip(point, other, strict=True))


def along(rng: np.random.Generator, point: Point, other: Point) -> Point:
    """A step towards or away from another point, in logarithms."""
    step = float(rng.normal(0, 0.7))
    return tuple(x * (y / x) ** step if x * y > 0 else x for x, y in zip(point, other, strict=True))


MOVES: tuple[Move, ...] = (nudge, nudge, ulps, ulps, scale, coincide, plain, mix, along)


def bred(rng: np.random.Generator, region: Region, point: Point, other: Point) -> Point:
    """A point of the region that one move makes of two; a fresh one when none is found."""
    for _ in range(MOST_TRIES):
        moved = tuple(map(float, MOVES[int(rng.integers(len(MOVES)))](rng, point, other)))
        if moved != point and all(map(math.isfinite, moved)) and region.holds(moved):
            return moved
    return region.drawn(rng)
