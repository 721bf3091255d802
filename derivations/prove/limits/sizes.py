"""How fast quantities go to zero.

Along a limit in one variable x a size is exp(-(c_1 G_1 + c_2 G_2 + ...)) with growing G = x^-p L^k M^j, where
L = log(1/x) and M = log(L): so x^a has the size {L: a}, and 1/L has the size {M: 1}. Along a limit in several variables
it is a product of their powers, and sizes need not be comparable.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from typing import Any

from derivations.language.normal.linear import LinearForm, monomial_term
from derivations.language.terms import Term, rational
from derivations.recheck.core.limits.forms import sum_of_terms as plus

Key = tuple[Fraction, ...]
Size = tuple[tuple[Key, tuple[tuple[Any, Fraction], ...]], ...]  # coefficients by growth, the fastest growth first
LOG: Key = (Fraction(0), Fraction(1), Fraction(0))
LOG_LOG: Key = (Fraction(0), Fraction(0), Fraction(1))
NONE: Size = ()


class Unknown(ArithmeticError):
    """No limit is found this way; the message says what is missing."""


class More(Unknown):
    """All terms that are known cancel: more terms of the series are needed."""


def size_of(parts: Mapping[Key, LinearForm]) -> Size:
    kept = {key: tuple(sorted(c.items(), key=repr)) for key, c in parts.items() if c}
    return tuple(sorted(kept.items(), reverse=True))


def simple(key: Key, power: Fraction | int) -> Size:
    return size_of({key: {(): Fraction(power)}})


def joined(a: Size, b: Size, factor: Fraction | int = 1) -> Size:
    """The size of a product a b^factor."""
    total: dict[Key, LinearForm] = {key: dict(c) for key, c in a}
    for key, c in b:
        mine = total.setdefault(key, {})
        for monomial, weight in c:
            mine[monomial] = mine.get(monomial, Fraction(0)) + weight * factor
    return size_of({key: {m: w for m, w in c.items() if w} for key, c in total.items()})


def scaled(a: Size, factor: Fraction | int) -> Size:
    return joined(NONE, a, factor)


def number(size: Size, key: Key) -> Fraction | None:
    """The coefficient of a growth where it is a number."""
    c = dict(size).get(key, ())
    return Fraction(0) if not c else c[0][1] if len(c) == 1 and c[0][0] == () else None


def exponential_part(size: Size, several: bool = False) -> Size:
    """The part of a size that is no product of numbered powers of the variables and of 1/log(1/x)."""
    return tuple((key, c) for key, c in size if number(size, key) is None or not (several or key in (LOG, LOG_LOG)))


def term_of(c: Iterable[tuple[Any, Fraction]]) -> Term:
    """A coefficient as a term."""
    return plus(*(monomial_term(m, w) if m else rational(w) for m, w in c))


class Order:
    """Which of two sizes is smaller; `sign` tells the sign of a coefficient, or None."""

    def __init__(self, sign: Callable[[Term], int | None], several: bool) -> None:
        self.sign, self.several = sign, several

    def compare(self, a: Size, b: Size) -> int:
        """1 where a is smaller, -1 where it is larger, 0 where they are the same."""
        signs = (self._known(term_of(c)) for _, c in joined(a, b, -1))
        if not self.several:
            return next((sign for sign in signs if sign), 0)
        found = {sign for sign in signs if sign}
        if len(found) > 1:
            raise Unknown("the variables go to zero on paths of their own, on which the limit depends")
        return found.pop() if found else 0

    def _known(self, c: Term) -> int:
        sign = self.sign(c)
        if sign is None:
            raise Unknown("the signs of the parameters do not tell which of two terms is larger")
        return sign
