"""One criterion of accuracy: a float against the exact value at the same floats, evaluated in balls.

    |computed - exact| <= 8 ulp(exact) + 4 sum_i |df/dx_i| ulp(x_i)/2

The first term is what rounding the result may cost, the second what rounding the arguments would: no program on floats
can promise more. `ratio` is the left side over the right one; a kernel passes while it stays at or below 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from flint import arb, ctx

Ball = Any  # flint.arb
Fast = Callable[..., Sequence[float]]
Twin = Callable[..., Sequence[Ball]]  # takes the arguments and `digits`
Sampler = Callable[[np.random.Generator], Sequence[float]]

ROUNDING, CONDITIONING = 8, 4  # ulps of the result, and how many times the half ulps of the arguments
RESOLVED = Fraction(1, 1000)  # of an ulp, or of an allowance: the radius below which a ball counts as exact
DIGITS, MOST_DIGITS = 60, 4000
STEP = Fraction(1, 2**20)  # of an argument's ulp, in central differences
SMALLEST_NORMAL = 2.0**-1022


class Unresolved(ArithmeticError):
    """The twin has no finite value at a point, or more digits than `MOST_DIGITS` would be needed."""


@dataclass(frozen=True)
class Reference:
    """The exact values at a point of floats, and for each how far off a good program may be."""

    values: tuple[Ball, ...]
    allowances: tuple[Ball, ...]


@dataclass(frozen=True)
class Worst:
    """The largest ratio found for one output, and where."""

    ratio: float = 0.0
    point: tuple[str, ...] = ()  # hexadecimal floats


@dataclass(frozen=True)
class Report:
    """The largest ratio found for each output, and what was looked at to find it."""

    worst: tuple[Worst, ...]
    evaluations: int
    seed: int
    undefined: int = 0  # points where the twin has no finite value
    extreme: int = 0  # results that overflow or are subnormal, left out of the ratio

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
    def passed(self) -> bool:
        return self.largest <= 1.0


def reference(twin: Twin, point: Sequence[float]) -> Reference:
    """Exact values and allowances at a point, with as many digits as that takes."""
    digits = DIGITS
    while digits <= MOST_DIGITS:
        values = tuple(twin(*point, digits=digits))
        if all(map(_resolved, values)):
            allowances = _allowances(twin, point, values, digits)
            if all(a.rad() <= a.mid() * _exact(RESOLVED) for a in allowances):
                return Reference(values, allowances)
        digits *= 2
    raise Unresolved(f"the ball twin gives {values} at {tuple(map(float.hex, map(float, point)))}")


def ratio(computed: float, value: Ball, allowance: Ball) -> float:
    """How much of the allowance the error takes; infinite for a result that is not finite."""
    if not math.isfinite(computed):
        return math.inf
    with ctx.workdps(DIGITS):
        return float((abs(arb(computed) - value) / allowance).mid())


def measure(
    fast: Fast, twin: Twin, sampler: Sampler, n: int, seed: int = 0, *, step: Callable[[], object] = lambda: None
) -> Report:
    """The largest ratio of every output over n sampled points; `step` is called after each."""
    rng = np.random.default_rng(seed)
    worst: dict[int, Worst] = {}
    undefined, extreme = 0, 0
    for _ in range(n):
        point = tuple(float(x) for x in sampler(rng))
        computed = fast(*point)
        try:
            exact = reference(twin, point)
        except Unresolved:
            undefined += 1
            exact = Reference((), ())
        for k, (value, allowance) in enumerate(zip(exact.values, exact.allowances, strict=True)):
            if _is_extreme(value):
                extreme += 1
            elif (found := ratio(computed[k], value, allowance)) > worst.get(k, Worst()).ratio:
                worst[k] = Worst(found, tuple(map(float.hex, point)))
        worst = dict.fromkeys(range(len(computed)), Worst()) | worst
        step()
    return Report(tuple(worst[k] for k in sorted(worst)), n, seed, undefined, extreme)


def log_uniform(*ranges: tuple[float, float]) -> Sampler:
    """Points whose arguments have uniform logarithms; in a range across 0, each sign by its share of the range."""

    def sample(rng: np.random.Generator) -> Sequence[float]:
        return [_one(rng, low, high) for low, high in ranges]

    return sample


def _one(rng: np.random.Generator, low: float, high: float) -> float:
    if low > 0:
        return float(np.exp(rng.uniform(np.log(low), np.log(high))))
    if high < 0:
        return -_one(rng, -high, -low)
    side = high if rng.uniform(low, high) > 0 else low
    return math.copysign(_one(rng, abs(side) * 1e-12, abs(side)), side) if side else 0.0


def _resolved(value: Ball) -> bool:
    """Whether a ball is as good as the exact value it holds; beyond the largest float, every finite ball is."""
    if not value.is_finite():
        return False
    return math.isinf(_nearest(value)) or bool(value.rad() <= _exact(_ulp(value)) * _exact(RESOLVED))


def _allowances(twin: Twin, point: Sequence[float], values: Sequence[Ball], digits: int) -> tuple[Ball, ...]:
    with ctx.workdps(digits):
        allowances = [ROUNDING * arb(_ulp(value)) for value in values]
        for i, x in enumerate(point):
            for k, slope in enumerate(_slopes(twin, point, i, digits)):
                allowances[k] += CONDITIONING * abs(slope) * arb(math.ulp(x)) / 2
    return tuple(allowances)


def _slopes(twin: Twin, point: Sequence[float], i: int, digits: int) -> Iterator[Ball]:
    """The derivatives of every output by argument i, by a central difference far below its ulp."""
    x = Fraction(point[i])
    if x == 0:  # no rounded number, so there is nothing to allow for
        return
    step = Fraction(math.ulp(point[i])) * STEP
    above, below = (twin(*point[:i], x + side, *point[i + 1 :], digits=digits) for side in (step, -step))
    for high, low in zip(above, below, strict=True):
        slope = (high - low) / (2 * _exact(step))
        yield slope if slope.is_finite() else arb(0)


def _exact(number: float | Fraction) -> Ball:
    q = Fraction(number)
    return arb(q.numerator) / q.denominator


def _ulp(value: Ball) -> float:
    return math.ulp(_nearest(value))


def _nearest(value: Ball) -> float:
    return float(value.mid())


def _is_extreme(value: Ball) -> bool:
    size = abs(_nearest(value))
    return size == math.inf or 0 < size < SMALLEST_NORMAL
