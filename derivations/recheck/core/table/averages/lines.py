"""Lines of the table of averages, each for the product of factors on its left side."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from derivations.recheck.core.limits.forms import product_of_terms
from derivations.recheck.core.load import Data, Term, require, shown
from derivations.recheck.core.shapes import read
from derivations.recheck.core.table.averages.products import (
    Covariance,
    Product,
    Sum,
    fields_of,
    joined,
    kinds_of,
    product_of,
    slope,
)
from derivations.recheck.core.terms import ONE, carried_out
from derivations.recheck.core.theorems import Reading, averages, sum_of

Average = Callable[[Product, Covariance], Term]
LETTERS = {"product": "[factor]", "width": "term", "field": "0..7"}


class Use(Reading):
    """A line of the table with things in the place of its letters."""

    at: Covariance
    average: Average
    time: str

    def __init__(self, rule: Data, letters: Data, symbols: Data, fields: int) -> None:
        super().__init__({}, {}, NAMED)
        require(rule in averages(), f"no line of averages is called {shown(rule)}")
        self.line, self.symbols, self.fields = averages()[rule], symbols, fields
        require(set(letters) == set(self.line.letters), f"'{rule}' has other letters")
        self.known |= {key: self._letter(kind, letters[key]) for key, kind in self.line.letters.items()}
        says: Any = self.line.concludes
        self.left, (self.right,) = says.says.left, says.says.comparators
        self.of = joined(self.value(self.left.args[0]))

    def _letter(self, kind: str, value: Data) -> Any:
        read(LETTERS[kind], value, f"a {kind} of a line")
        if kind == "product":
            product = product_of(value, self.fields, self.symbols)
            require(product is not None, "a line is used on a product that is not zero as it is written")
            return [*(product or ())]
        require(kind == "width" or value < self.fields, f"no field has the number {value}")
        return value

    def value_under(self, at: Covariance, average: Average, time: str = "") -> Term:
        """The average of the product on the left, or its rate where there is a time, from averages of others."""
        self.at, self.average, self.time = at, average, time
        require(self.left.func.id == ("rate" if time else "E"), "a rate has a line of its own")
        self.needed(self.line)
        value: Term = self.value(self.right)
        return value

    def covariance(self, x: int, y: int) -> Term:
        return self.at.entries[x][y]

    def summed(self, of: list[Any] | Sum, at: Covariance | None = None) -> Term:
        """The average of a product or of a sum of products."""
        products = of if isinstance(of, dict) else _alone(of)
        total: Term = sum_of([product_of_terms(c, self.average(one, at or self.at)) for one, c in products.items()])
        return total

    def speed(self, x: int, y: int) -> Term:
        return carried_out(("D", self.covariance(x, y), self.time))

    def angle(self, x: int, y: int) -> Term:
        """asin of the correlation."""
        roots = [("^", self.covariance(z, z), ("q", "-1/2")) for z in (x, y)]
        return ("asin", product_of_terms(self.covariance(x, y), *roots))

    def dense(self, of: list[Any]) -> bool:
        smooth = not {"step", "point"} & set(kinds_of(of))
        return smooth or set(fields_of(of)) <= self.at.definite

    def apart(self, f: list[Any], g: list[Any]) -> bool:
        return all(self.covariance(x, y) == ("q", "0") for x in fields_of(f) for y in fields_of(g))


def _alone(of: list[Any]) -> Sum:
    product = joined(of)
    return {} if product is None else {product: ONE}


def _slopes(_: Use, of: list[Any], *fields: int) -> Sum:
    total = _alone(of)
    for field in fields:
        total = slope(total, field)
    return total


def _odd(_: Use, of: list[Any]) -> bool:
    kinds = kinds_of(of)
    return "step" not in kinds and (kinds.count("power") + kinds.count("erf")) % 2 == 1


NAMED: dict[str, Callable[..., Any]] = {
    "C": Use.covariance,
    "E": Use.summed,
    "D": _slopes,
    "speed": Use.speed,
    "angle": Use.angle,
    "less": lambda use, x, variance: use.at.less(x, variance),
    "fields": lambda _, of: fields_of(of),
    "pairs": lambda _, of: [*map(list, combinations(fields_of(of), 2))],
    "sum": lambda _, items: sum_of(items),
    "definite": lambda use, fields: set(fields) <= use.at.definite,
    "dense": Use.dense,
    "odd": _odd,
    "apart": Use.apart,
    **{kind: lambda _, *of, kind=kind: (kind, *of) for kind in ("power", "step", "point", "bell")},
}
"""Functions of the table that no formula can express; erf(x, w) is a factor as it stands."""
