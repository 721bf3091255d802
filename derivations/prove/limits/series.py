"""Truncated series in a scale of germs: what goes to zero at different speeds, and their products.

With t the small positive variable, the germs are exponentials exp(-g^a) of products of slower germs, then t, then
1/log(1/t), 1/log(log(1/t)) and so on: the fastest first. A series is a finite sum of c g^a, and O(g^r) for what was
left out. Where a germ is missing, or the sign of a coefficient is needed, an exception says so: the search adds it and
starts again.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any

from flint import fmpq

from derivations.prove.limits.coefficients import Coefficient, Coefficients, number_of
from derivations.prove.limits.signs import Unknown

Powers = tuple[Coefficient, ...]
Summand = tuple[Powers, Coefficient]
BY_MULTIPLICATION = 8  # whole powers up to here need no first term


class NoGerm(ArithmeticError):
    """The scale needs exp(-g^powers), or one more logarithm where there are no powers."""

    def __init__(self, powers: Powers | None) -> None:
        super().__init__()
        self.powers = powers


class NoSign(ArithmeticError):
    """The sign of a coefficient decides how to go on, and is not known."""

    def __init__(self, coefficient: Coefficient) -> None:
        super().__init__()
        self.coefficient = coefficient


@dataclass(frozen=True)
class Series:
    """Summands from the largest to the smallest, and the powers of what was left out."""

    summands: tuple[Summand, ...] = ()
    rest: Powers | None = None

    def largest(self) -> Powers:
        if not self.summands and self.rest is None:
            raise Unknown("a series is zero")
        return self.summands[0][0] if self.summands or self.rest is None else self.rest

    def vanishes(self) -> bool:
        return self.rest is None and not self.summands


@dataclass
class Calculus:
    """The scale, and arithmetic of series in it that keeps so many summands."""

    field: Coefficients
    logs: int
    exponentials: list[Powers]  # slowest first, each over the germs slower than it
    order: int
    until: float  # the time at which to give up

    def __post_init__(self) -> None:
        self.count = len(self.exponentials) + 1 + self.logs
        self.t = len(self.exponentials)
        self.none: Powers = (fmpq(0),) * self.count
        of_exponentials = [self.none[: self.count - len(p)] + p for p in reversed(self.exponentials)]
        of_logs = [self.germ(place + 1, fmpq(-1)) for place in range(self.t, self.count - 1)]
        self.growths: list[Powers | None] = [*of_exponentials, *of_logs, None]  # log(1/g) of each germ

    def germ(self, place: int, power: Coefficient) -> Powers:
        return (*self.none[:place], power, *self.none[place + 1 :])

    def compared(self, a: Powers, b: Powers) -> int:
        """1 where g^a is the smaller one."""
        difference = next((x - y for x, y in zip(a, b, strict=True) if x != y), fmpq(0))
        sign = self.field.signs.of(difference)
        if sign is None:
            raise NoSign(difference)
        return sign

    # --- sums and products --------------------------------------------------------------------------------------------

    def number(self, c: Coefficient) -> Series:
        return self.single(c, self.none)

    def single(self, c: Coefficient, powers: Powers) -> Series:
        return Series(((powers, c),)) if c != 0 else Series()

    def gathered(self, summands: Iterable[Summand], rests: list[Powers]) -> Series:
        table: dict[Powers, Coefficient] = {}
        for powers, c in summands:
            table[powers] = table.get(powers, fmpq(0)) + c
        by_size = cmp_to_key(self.compared)
        left: list[Summand] = []
        for powers, c in sorted(table.items(), key=lambda summand: by_size(summand[0])):
            again = bool(left) and self.compared(left[-1][0], powers) == 0  # the same powers, written differently
            left = [*left[:-1], (powers, left[-1][1] + c)] if again else [*left, (powers, c)]
        left = [(powers, c) for powers, c in left if c != 0]
        ends = [*rests, *(powers for powers, _ in left[self.order : self.order + 1])]
        if not ends:
            return Series(tuple(left))
        end = min(ends, key=by_size)
        return Series(tuple(s for s in left[: self.order] if self.compared(s[0], end) < 0), end)

    def plus(self, *parts: Series) -> Series:
        return self.gathered([s for p in parts for s in p.summands], [p.rest for p in parts if p.rest is not None])

    def by_number(self, a: Series, c: Coefficient) -> Series:
        return Series(tuple((p, x * c) for p, x in a.summands), a.rest) if c != 0 else Series()

    def product(self, *factors: Series) -> Series:
        result = factors[0]
        for factor in factors[1:]:
            result = self._of_two(result, factor)
        return result

    def _of_two(self, a: Series, b: Series) -> Series:
        if a.vanishes() or b.vanishes():
            return Series()
        if time.monotonic() > self.until:
            raise Unknown("the series takes too long to compute")
        rests = [joined(x.rest, y.largest()) for x, y in ((a, b), (b, a)) if x.rest is not None]
        return self.gathered([(joined(p, q), c * d) for p, c in a.summands for q, d in b.summands], rests)

    # --- what needs the first summand ---------------------------------------------------------------------------------

    def taken_out(self, a: Series) -> tuple[Powers, Coefficient, Series]:
        """a = c g^powers (1 + d) with a d that goes to zero."""
        if not a.summands:
            raise Unknown("a part of the expression may vanish near the limit, as far as the series shows")
        powers, c = a.summands[0]
        if not self.field.signs.never_zero(c):
            raise NoSign(c)
        inverse = self.single(self.field.whole(c, -1), stretched(powers, fmpq(-1)))
        return powers, c, self._of_two(Series(a.summands[1:], a.rest), inverse)

    def sign(self, a: Series) -> int:
        c = self.taken_out(a)[1]
        sign = self.field.signs.of(c)
        if not sign:
            raise NoSign(c)
        return sign

    def power(self, a: Series, exponent: Coefficient) -> Series:
        number = number_of(exponent)
        whole = number is not None and number.q == 1
        if whole and 0 <= number <= BY_MULTIPLICATION:
            return self.product(self.number(fmpq(1)), *[a] * int(number))
        if a.vanishes() and number is not None and number > 0:
            return a
        powers, c, d = self.taken_out(a)
        if not whole and self.sign(a) != 1:
            raise Unknown("a root or a power is taken of what is negative near the limit")
        weights: list[Coefficient] = [fmpq(1)]
        for k in range(self.order):
            weights.append(weights[-1] * (exponent - fmpq(k)) * fmpq(1, k + 1))
        outside = self.single(self.field.power(c, exponent, given=False), stretched(powers, exponent))
        return self._of_two(outside, self.put_in(weights, d))

    def put_in(self, weights: Sequence[Coefficient], small: Series) -> Series:
        """A Taylor series at what goes to zero."""
        if small.vanishes():
            return self.number(weights[0])
        if self.compared(small.largest(), self.none) <= 0:
            raise Unknown("a Taylor series is needed of what does not go to zero")
        weights = weights[: self.order + 1]
        result = self.number(weights[-1])
        for weight in reversed(weights[:-1]):
            result = self.plus(self._of_two(result, small), self.number(weight))
        return self.plus(result, Series((), stretched(small.largest(), fmpq(len(weights)))))

    # --- exponentials and logarithms ----------------------------------------------------------------------------------

    def parted(self, a: Series) -> tuple[list[Summand], Coefficient, Series | None]:
        """What grows, the constant, and what goes to zero; None in its place where it is only known to be bounded."""
        sizes = [self.compared(powers, self.none) for powers, _ in a.summands]
        grows = [s for s, size in zip(a.summands, sizes, strict=True) if size < 0]
        constant = next((c for (_, c), size in zip(a.summands, sizes, strict=True) if size == 0), fmpq(0))
        small = tuple(s for s, size in zip(a.summands, sizes, strict=True) if size > 0)
        end = 1 if a.rest is None else self.compared(a.rest, self.none)
        if end < 0:
            raise Unknown("what was left out may grow")
        return grows, constant, Series(small, a.rest) if end > 0 else None

    def exp(self, a: Series) -> Series:
        grows, constant, small = self.parted(a)
        powers = self.none
        for growth, c in grows:
            places = (i for i, known in enumerate(self.growths) if known and self.compared(known, growth) == 0)
            place = next(places, None)
            if place is None:
                raise NoGerm(growth)
            powers = joined(powers, self.germ(place, c * fmpq(-1)))
        weights: list[Any] = [fmpq(1)]
        for k in range(self.order):
            weights.append(weights[-1] / (k + 1))
        tail = Series((), self.none) if small is None else self.put_in(weights, small)
        return self._of_two(self.single(self.field.exp(constant), powers), tail)

    def log(self, a: Series) -> Series:
        if self.sign(a) != 1:
            raise Unknown("a logarithm is taken of what is negative near the limit")
        powers, c, d = self.taken_out(a)
        parts = [self.number(self.field.log(c, given=False))]
        for power, growth in zip(powers, self.growths, strict=True):
            if power != 0 and growth is None:
                raise NoGerm(None)
            if power != 0 and growth is not None:
                parts.append(self.single(power * fmpq(-1), growth))
        weights = [fmpq(0), *(fmpq((-1) ** (k - 1), k) for k in range(1, self.order + 1))]
        return self.plus(*parts, self.put_in(weights, d))


def joined(a: Powers, b: Powers) -> Powers:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def stretched(a: Powers, factor: Coefficient) -> Powers:
    return tuple(x * factor for x in a)
