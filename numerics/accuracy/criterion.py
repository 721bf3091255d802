"""One criterion of accuracy: a float against the exact value at the same floats, evaluated in balls.

    |computed - exact| <= 8 ulp(exact) + 4 sum_i |df/dx_i| ulp(x_i)/2

The first term is what rounding the result may cost, the second what rounding the arguments would: no program on floats
can promise more. `ratio` is the left side over the right one; a kernel passes while it stays at or below 1.

`measure` looks for the largest ratio of a program of one's own over its domain:

    >>> from flint import arb, ctx
    >>> def fast(x, y):
    ...     return (x * x - y * y,)
    >>> def exact(x, y, digits):
    ...     with ctx.workdps(digits):
    ...         x, y = (arb(v.numerator) / v.denominator for v in map(Fraction, (x, y)))
    ...         return ((x - y) * (x + y),)
    >>> report = measure(fast, exact, ["x > 0", "y > 0", "x^2 >= y^2"], 300)
    >>> report.passed
    True
    >>> measure(fast, exact, [(1.0, 2.0), (0.5, 1.0)], 300).evaluations
    300
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypeVar

import numpy as np
from flint import arb, ctx

from numerics.accuracy.domains import DomainError
from numerics.accuracy.search import Pools, Region, conditions_region, hunt, log_uniform, ranges_region
from numerics.kernels.balls import sharing

__all__ = [
    "Beyond",
    "Reference",
    "Report",
    "Unresolved",
    "Worst",
    "log_uniform",
    "measure",
    "merged",
    "ratio",
    "ratio_of_norms",
    "reference",
    "resolved",
]

T = TypeVar("T")
Ball = Any  # flint.arb
Fast = Callable[..., Sequence[float]]
Twin = Callable[..., Sequence[Ball]]  # takes the arguments and `digits`
Sampler = Callable[[np.random.Generator], Sequence[float]]
Domain = Region | Sequence[str] | Sequence[tuple[float, float]] | Sampler

ROUNDING, CONDITIONING = 8, 4  # ulps of the result, and how many times the half ulps of the arguments
RESOLVED = Fraction(1, 1000)  # of an ulp, or of an allowance: the radius below which a ball counts as exact
DIGITS, MOST_DIGITS = 60, 4000
SMALLEST_NORMAL = 2.0**-1022


class Unresolved(ArithmeticError):
    """The twin has no finite value at a point, or more digits than `MOST_DIGITS` would be needed."""


@dataclass(frozen=True)
class Reference:
    """The exact values at a point of floats, and for each output how far off a good program may be."""

    values: tuple[Ball, ...]
    allowances: tuple[Ball, ...]


@dataclass(frozen=True)
class Worst:
    """The largest ratio found for one output, and where."""

    ratio: float = 0.0
    point: tuple[str, ...] = ()  # hexadecimal floats
    conditioning: bool = False  # whether most of what is allowed there is for the rounding of the arguments


@dataclass(frozen=True)
class Beyond:
    """How many results of one output are subnormal or too large for a float; these do not count in its ratio."""

    subnormal: int = 0
    ratio: float = 0.0  # the largest among the subnormal ones, whose ulp is the smallest float
    overflowing: int = 0
    missed: int = 0  # of the overflowing ones, those that were not computed as infinite


@dataclass(frozen=True)
class Report:
    """The largest ratio found for each output, and what was looked at to find it."""

    worst: tuple[Worst, ...]
    evaluations: int
    seed: int
    undefined: int = 0  # points where the twin has no finite value
    beyond: tuple[Beyond, ...] = ()

    @property
    def output(self) -> int:
        return max(range(len(self.worst)), key=lambda k: self.worst[k].ratio)

    @property
    def largest(self) -> float:
        return self.worst[self.output].ratio

    @property
    def point(self) -> tuple[str, ...]:
        return self.worst[self.output].point

    @property
    def extreme(self) -> int:
        """Results that are subnormal or overflow, left out of the ratio."""
        return sum(apart.subnormal + apart.overflowing for apart in self.beyond)

    @property
    def passed(self) -> bool:
        return self.largest <= 1.0


def resolved(
    twin: Twin, point: Sequence[float], digits: int = DIGITS, sizes: Sequence[int] | None = None
) -> tuple[tuple[Ball, ...], int]:
    """Balls as good as the exact values, and with how many digits they came."""
    values: tuple[Ball, ...] = ()
    while digits <= MOST_DIGITS:
        values = tuple(twin(*point, digits=digits))
        if all(map(_resolved, _norms(values, sizes, digits))):
            return values, digits
        digits *= 2
    raise Unresolved(f"the ball twin gives {values} at {tuple(map(float.hex, map(float, point)))}")


def reference(
    twin: Twin, point: Sequence[float], digits: int = DIGITS, sizes: Sequence[int] | None = None
) -> Reference:
    """Exact values and allowances at a point, with as many digits as that takes.

    `sizes` tells how many values belong to each output: one where it is not given. Those of a vector or a matrix are
    compared by their Euclidean norm.
    """
    while True:
        values, digits = resolved(twin, point, digits, sizes)
        allowances = _allowances(twin, point, values, digits, sizes)
        if all(a.rad() <= a.mid() * _exact(RESOLVED) for a in allowances):
            return Reference(values, allowances)
        digits *= 2


def ratio(computed: float, value: Ball, allowance: Ball) -> float:
    """How much of the allowance the error takes; infinite for a result that is not finite."""
    return ratio_of_norms([computed], [value], allowance)


def ratio_of_norms(computed: Sequence[float], values: Sequence[Ball], allowance: Ball) -> float:
    """Return the same for the norm of the error of a vector or a matrix."""
    if not all(map(math.isfinite, computed)):
        return math.inf
    with ctx.workdps(DIGITS):
        return float((_norm([arb(c) - v for c, v in zip(computed, values, strict=True)]) / allowance).mid())


def measure(
    fast: Fast,
    exact: Twin,
    domain: Domain,
    n: int = 1000,
    seed: int | Sequence[int] = 0,
    *,
    arguments: Sequence[str] | None = None,
    sizes: Sequence[int] | None = None,
    step: Callable[[], object] = lambda: None,
) -> Report:
    """The largest ratio found for every output of `fast` against `exact` in n evaluations; `step` is called after each.

    `fast` takes floats and `exact` the same floats and `digits`; both return a sequence, of floats and of balls. The
    domain is a list of conditions such as `y*s >= (y - w)^2` on the arguments, which are named as `fast` names them
    unless `arguments` says otherwise, or a list of ranges (low, high), one for each argument, or a `Region`. A third of
    the points are drawn from it; the others are hunted (`numerics.accuracy.search`). A function that draws points from
    a generator of random numbers may stand for the domain too; as it tells of no point whether it belongs, nothing is
    hunted then. Outputs that are vectors or matrices follow each other flat, and `sizes` tells how many values each
    has.
    """
    rng, look = np.random.default_rng(seed), _Look(fast, exact, sizes, step)
    if callable(domain):
        for _ in range(n):
            look(tuple(map(float, domain(rng))))
    else:
        region = domain if isinstance(domain, Region) else _region(fast, domain, arguments)
        hunt(look, look.pools, exact, region, rng=rng, n=n)
    first = seed if isinstance(seed, int) else seed[0]
    return Report(tuple(look.worst), n, first, look.undefined, tuple(look.beyond))


def merged(reports: Sequence[Report]) -> Report:
    """Return what several searches for the same kernel found together; the first counts where ratios are equal."""
    worst = [max(found, key=lambda w: w.ratio) for found in zip(*(report.worst for report in reports), strict=True)]
    beyond = [
        Beyond(
            sum(apart.subnormal for apart in found),
            max(apart.ratio for apart in found),
            sum(apart.overflowing for apart in found),
            sum(apart.missed for apart in found),
        )
        for found in zip(*(report.beyond for report in reports), strict=True)
    ]
    evaluations, undefined = sum(r.evaluations for r in reports), sum(r.undefined for r in reports)
    return Report(tuple(worst), evaluations, reports[0].seed, undefined, tuple(beyond))


def _region(fast: Fast, domain: Sequence[str] | Sequence[tuple[float, float]], names: Sequence[str] | None) -> Region:
    texts = [condition for condition in domain if isinstance(condition, str)]
    ranges = [pair for pair in domain if not isinstance(pair, str)]
    if isinstance(domain, str) or (texts and ranges):
        raise DomainError("a domain is a list of conditions or a list of ranges (low, high), not both nor one text")
    if ranges:
        return ranges_region(ranges)
    return conditions_region(names or list(inspect.signature(fast).parameters), texts)


class _Look:
    """Compares at one point after the other, and remembers the worst of each output."""

    def __init__(self, fast: Fast, twin: Twin, sizes: Sequence[int] | None, step: Callable[[], object]) -> None:
        self.fast, self.twin, self.sizes, self.step = fast, twin, sizes, step
        self.worst: list[Worst] = []
        self.beyond: list[Beyond] = []
        self.pools = Pools()
        self.undefined = 0

    def __call__(self, point: tuple[float, ...]) -> None:
        computed = _groups(self.fast(*point), self.sizes)
        self.worst = self.worst or [Worst()] * len(computed)
        self.beyond = self.beyond or [Beyond()] * len(computed)
        try:
            self._compare(point, computed)
        except Unresolved:
            self.undefined += 1
        self.step()

    def _compare(self, point: tuple[float, ...], computed: Sequence[Sequence[float]]) -> None:
        values, digits = resolved(self.twin, point, sizes=self.sizes)
        exact = _groups(values, self.sizes)
        norms = _norms(values, self.sizes, digits)
        known = all(self._is_known(k, computed[k], exact[k], norm) for k, norm in enumerate(norms))
        # the first term alone allows less than both: what it makes no worse than known needs no slopes
        allowances = () if known else reference(self.twin, point, digits, self.sizes).allowances
        for k, norm in enumerate(norms):
            if math.isinf(_nearest(norm)):
                self._overflowed(k, computed[k])
            elif not known or _is_subnormal(norm):
                allowance = _rounding(norm) if known else allowances[k]
                self._found(k, point, ratio_of_norms(computed[k], exact[k], allowance), norm, allowance)

    def _is_known(self, k: int, computed: Sequence[float], exact: Sequence[Ball], norm: Ball) -> bool:
        if math.isinf(_nearest(norm)):
            return True
        least = self.beyond[k].ratio if _is_subnormal(norm) else self.pools.least(k)
        return ratio_of_norms(computed, exact, _rounding(norm)) <= least

    def _overflowed(self, k: int, computed: Sequence[float]) -> None:
        apart = self.beyond[k]
        missed = all(map(math.isfinite, computed)) or any(map(math.isnan, computed))
        self.beyond[k] = replace(apart, overflowing=apart.overflowing + 1, missed=apart.missed + missed)

    def _found(self, k: int, point: tuple[float, ...], found: float, norm: Ball, allowance: Ball) -> None:
        if _is_subnormal(norm):
            apart = self.beyond[k]
            self.beyond[k] = replace(apart, subnormal=apart.subnormal + 1, ratio=max(apart.ratio, found))
            return
        self.pools.add(k, found, point)
        if found > self.worst[k].ratio:
            conditioning = bool(allowance > 2 * _rounding(norm))
            self.worst[k] = Worst(found, tuple(map(float.hex, point)), conditioning)


# --- outputs: numbers by themselves, vectors and matrices by their norms ----------------------------------------------


def _groups(values: Sequence[T], sizes: Sequence[int] | None) -> list[Sequence[T]]:
    """The values of each output."""
    ends = list(accumulate(sizes or [1] * len(values)))
    return [values[end - size : end] for end, size in zip(ends, sizes or [1] * len(values), strict=True)]


def _norms(values: Sequence[Ball], sizes: Sequence[int] | None, digits: int) -> list[Ball]:
    with ctx.workdps(digits):
        return [_norm(group) for group in _groups(values, sizes)]


def _norm(group: Sequence[Ball]) -> Ball:
    """The Euclidean norm, with the radii added up: the root of squares that reach below zero would have no value."""
    if len(group) == 1:
        return abs(group[0])
    if not all(value.is_finite() for value in group):
        return arb.nan()
    length = sum((value.mid() ** 2 for value in group), arb(0)).sqrt()
    return arb(length.mid(), length.rad() + sum((value.rad() for value in group), arb(0)))


def _resolved(value: Ball) -> bool:
    """Check whether a ball is as good as the exact value it holds; beyond the largest float, every finite ball is."""
    if not value.is_finite():
        return False
    return math.isinf(_nearest(value)) or bool(value.rad() <= _exact(_ulp(value)) * _exact(RESOLVED))


def _allowances(
    twin: Twin, point: Sequence[float], values: Sequence[Ball], digits: int, sizes: Sequence[int] | None
) -> tuple[Ball, ...]:
    with ctx.workdps(digits), sharing():
        allowances = list(map(_rounding, _norms(values, sizes, digits)))
        for i in (i for i, x in enumerate(point) if x):  # a zero is no rounded number: nothing to allow for
            for k, change in enumerate(_changes(values, _beside(twin, point, i, digits), digits, sizes)):
                allowances[k] += CONDITIONING * change
    return tuple(allowances)


def _beside(twin: Twin, point: Sequence[float], i: int, digits: int) -> list[Sequence[Ball]]:
    """The values where argument i is half an ulp larger and smaller."""
    x, half = Fraction(point[i]), Fraction(math.ulp(point[i])) / 2
    return [twin(*point[:i], x + step, *point[i + 1 :], digits=digits) for step in (half, -half)]


def _changes(
    values: Sequence[Ball], sides: Sequence[Sequence[Ball]], digits: int, sizes: Sequence[int] | None
) -> Iterator[Ball]:
    """How far every output moves when an argument moves by half an ulp, to the side where that is more.

    That is |df/dx_i| ulp(x_i)/2 wherever the output is smooth on this scale; it is more at a kink and where the output
    touches zero. A side without a finite value counts for nothing.
    """
    moved = [_norms([m - v for m, v in zip(side, values, strict=True)], sizes, digits) for side in sides]
    for distances in zip(*moved, strict=True):
        yield max((distance for distance in distances if distance.is_finite()), default=arb(0), key=float)


def _exact(number: float | Fraction) -> Ball:
    q = Fraction(number)
    return arb(q.numerator) / q.denominator


def _rounding(value: Ball) -> Ball:
    return ROUNDING * arb(_ulp(value))


def _ulp(value: Ball) -> float:
    return math.ulp(_nearest(value))


def _nearest(value: Ball) -> float:
    return float(value.mid())


def _is_subnormal(value: Ball) -> bool:
    return 0 < abs(_nearest(value)) < SMALLEST_NORMAL
