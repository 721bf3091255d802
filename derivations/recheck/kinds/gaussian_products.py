"""Products of factors of single fields, their slopes, and the terms that averages of them are written in.

A product counts its factors: ("power", i), ("step", i), ("point", i), ("bell", i, width) and ("erf", i, width). A ramp
is a power and a step; a step times itself is a step; what vanishes at zero takes a point mass there with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from derivations.recheck.core.budget import spend
from derivations.recheck.core.conditions import sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, integer, shown, term
from derivations.recheck.core.terms import HALF, MINUS_ONE, ONE, TWO, ZERO
from derivations.recheck.kinds.forms import product_of_terms, sum_of_terms

MINUS_HALF: Term = ("q", "-1/2")
STEP_WORK = 5000  # see `spend`
MAX_POWER, MAX_FACTORS = 40, 40
Entry = Callable[[int, int], Term]
Factor = tuple[Any, ...]


# --- terms ------------------------------------------------------------------------------------------------------------


def tidy(formula: Term) -> Term:
    """Squares of products as products of squares, and squares of square roots without the root."""
    spend(STEP_WORK)
    if formula[0] in ("s", "q", "pi"):
        return formula
    inner = tuple(tidy(child) for child in formula[1:])
    if formula[0] != "^" or inner[1] != TWO:
        return (formula[0], *inner)
    base = inner[0]
    if base[0] != "*":
        return _squared(base)
    return ("*", *(_squared(factor) for factor in base[1:]))


def _squared(base: Term) -> Term:
    if base[0] == "^" and base[2] == HALF:
        inside: Term = base[1]
        return inside
    if base[0] == "^" and base[2] == MINUS_HALF:
        return ("^", base[1], MINUS_ONE)
    return ("^", base, TWO)


def joint_width(widths: list[Term]) -> Term:
    """1/w = 1/w_1 + 1/w_2 + ... ."""
    if len(widths) == 1:
        return widths[0]
    return ("^", sum_of_terms(*(w if w == ONE else ("^", w, MINUS_ONE) for w in widths)), MINUS_ONE)


# --- products ---------------------------------------------------------------------------------------------------------


class Product:
    """Factors with their multiplicities, in the one way to write them; compared and hashed like data."""

    def __init__(self, factors: Counter[Factor]) -> None:
        self.factors = {f: n for f, n in factors.items() if n}
        self.key = frozenset(self.factors.items())
        self.fields = sorted({f[1] for f in self.factors})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Product) and self.key == other.key

    def __hash__(self) -> int:
        return hash(self.key)

    def _count(self, kind: str, field: int) -> int:
        return sum(n for f, n in self.factors.items() if f[0] == kind and f[1] == field)

    def power(self, field: int) -> int:
        return self._count("power", field)

    def has_step(self, field: int) -> bool:
        return self._count("step", field) > 0

    def has_point(self, field: int) -> bool:
        return self._count("point", field) > 0

    def steps(self) -> set[int]:
        return {f[1] for f in self.factors if f[0] == "step"}

    def points(self) -> set[int]:
        return {f[1] for f in self.factors if f[0] == "point"}

    def is_steps(self) -> bool:
        return all(f[0] == "step" for f in self.factors)

    def bells(self, field: int) -> list[Term]:
        return self.widths("bell", field)

    def widths(self, kind: str, field: int) -> list[Term]:
        found = [f[2] for f, n in self.factors.items() if f[0] == kind and f[1] == field for _ in range(n)]
        return sorted(found, key=repr)

    def all_widths(self) -> list[Term]:
        return [f[2] for f in self.factors if f[0] in ("bell", "erf")]

    def degree(self) -> int:
        """How often the sign changes with that of all fields."""
        return sum(n for f, n in self.factors.items() if f[0] in ("power", "erf"))

    def only(self, fields: Iterable[int]) -> Product:
        chosen = set(fields)
        return Product(Counter({f: n for f, n in self.factors.items() if f[1] in chosen}))

    def without(self, field: int) -> Product:
        return Product(Counter({f: n for f, n in self.factors.items() if f[1] != field}))

    def without_bells(self, field: int) -> Product:
        return Product(Counter({f: n for f, n in self.factors.items() if (f[0], f[1]) != ("bell", field)}))

    def lowered(self, field: int) -> Product:
        return Product(Counter(self.factors) - Counter([("power", field)]))

    def moved(self, fields: tuple[int, ...], widths: Callable[[Term], Term]) -> Product | None:
        """The product of other fields, with other widths; one field may stand for several."""
        found: Counter[Factor] = Counter()
        for (kind, field, *rest), n in self.factors.items():
            found[(kind, fields[field], *map(widths, rest))] += n
        return joined(found)

    def slopes(self, field: int) -> Iterator[tuple[Term, Product]]:
        """The derivative by a field: that of its power, of its bells, of its error functions, of its step."""
        spend(STEP_WORK * (1 + len(self.factors)))
        mine = Counter(self.factors)
        n = self.power(field)
        if n:
            yield ("q", str(n)), Product(mine - Counter([("power", field)]))
        for width in self.widths("bell", field):
            inverse = ONE if width == ONE else ("^", width, MINUS_ONE)
            yield product_of_terms(MINUS_ONE, inverse), Product(mine + Counter([("power", field)]))
        for width in self.widths("erf", field):
            without = mine - Counter([("erf", field, width)])
            yield height(width), Product(without + Counter([("bell", field, width)]))
        if self.has_step(field):
            found = joined(mine - Counter([("step", field)]) + Counter([("point", field)]))
            if found is not None:
                yield ONE, found
        if self.has_point(field):
            raise Rejected("the slope of a point mass is not among the factors of averages")


def height(width: Term) -> Term:
    """The slope of erf(x/sqrt(2 w)) at zero: sqrt(2/(pi w))."""
    tail = [] if width == ONE else [("^", width, MINUS_HALF)]
    return product_of_terms(("^", TWO, HALF), ("^", ("pi",), MINUS_HALF), *tail)


def joined(factors: Counter[Factor]) -> Product | None:
    """The one way to write a product; None where a point mass meets something that vanishes at zero."""
    found = Counter({f: (min(n, 1) if f[0] == "step" else n) for f, n in factors.items() if n})
    for field in {f[1] for f in found if f[0] == "point"}:
        kinds = [f[0] for f in found if f[1] == field]
        if "step" in kinds or found["point", field] > 1:
            raise Rejected("a point mass times a step, or times itself, has no average")
        if "power" in kinds or "erf" in kinds:
            return None
        found = Counter({f: n for f, n in found.items() if (f[0], f[1]) != ("bell", field)})
    return Product(found)


def product(factors: Data, size: int, symbols: Data) -> Product | None:
    """A product from its data; widths must be positive by form."""
    if not isinstance(factors, tuple) or len(factors) > MAX_FACTORS:
        raise Rejected(f"a product must be a list of at most {MAX_FACTORS} factors, got {shown(factors)}")
    found: Counter[Factor] = Counter()
    for factor in factors:
        spend(STEP_WORK)
        match factor:
            case ("power", field, exponent):
                found["power", _place(field, size)] += integer(exponent, 1, MAX_POWER, "the power of a field")
            case ("step" | "point" as kind, field):
                found[kind, _place(field, size)] += 1
            case ("ramp", field):
                found.update([("power", _place(field, size)), ("step", _place(field, size))])
            case ("bell" | "erf" as kind, field, width):
                if sign_by_form(term(width), symbols) != ">":
                    raise Rejected(f"the width {shown(width)} must be positive by its form")
                found[kind, _place(field, size), width] += 1
            case _:
                raise Rejected(f"no factor of an average looks like {shown(factor)}")
    return joined(found)


def _place(field: Data, size: int) -> int:
    return integer(field, 0, size - 1, "a field of a factor")


def slopes_by_stein(of: Product, field: int, entry: Entry) -> dict[Product, Term]:
    """sum over the fields x of a product of C_bx d/dx."""
    total: dict[Product, Term] = {}
    for x in of.fields:
        covariance = entry(field, x)
        if covariance != ZERO:
            for coefficient, found in _collected(of, x):
                total[found] = sum_of_terms(total.get(found, ZERO), product_of_terms(covariance, coefficient))
    return total


def mixed_slopes(of: Product, group: frozenset[int], entry: Entry) -> dict[Product, Term]:
    """sum of C_gh d^2/(dg dh) over the fields g in the group and h outside of it."""
    total: dict[Product, Term] = {}
    for g in of.fields:
        if g not in group:
            continue
        for outer, once in _collected(of, g):
            for h in of.fields:
                covariance = entry(g, h)
                if h in group or h not in once.fields or covariance == ZERO:
                    continue
                for inner, twice in _collected(once, h):
                    value = product_of_terms(covariance, outer, inner)
                    total[twice] = sum_of_terms(total.get(twice, ZERO), value)
    return total


def moved(of: dict[Product, Term], rate: Entry) -> dict[Product, Term]:
    """sum over the pairs of different fields of dC_ij/dt d^2/(di dj)."""
    total: dict[Product, Term] = {}
    for found, coefficient in of.items():
        for place, i in enumerate(found.fields):
            for j in found.fields[place + 1 :]:
                speed = rate(i, j)
                if speed == ZERO:
                    continue
                for outer, once in _collected(found, i):
                    for inner, twice in _collected(once, j) if j in once.fields else ():
                        value = product_of_terms(coefficient, speed, outer, inner)
                        total[twice] = sum_of_terms(total.get(twice, ZERO), value)
    return total


def _collected(of: Product, field: int) -> list[tuple[Term, Product]]:
    """The derivative by a field, equal products once."""
    total: dict[Product, Term] = {}
    for coefficient, found in of.slopes(field):
        total[found] = sum_of_terms(total.get(found, ZERO), coefficient)
    return [(coefficient, found) for found, coefficient in total.items()]
