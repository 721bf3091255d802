"""Lines of the table of averages, for one product of factors under one covariance."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.limits.forms import product_of_terms
from derivations.recheck.core.load import Data, Term, integer, require, shown, term
from derivations.recheck.core.terms import carried_out
from derivations.recheck.core.theorems import Reading, added, averages
from derivations.recheck.kinds.averages.products import (
    Covariance,
    Product,
    Sum,
    fields_of,
    joined,
    kinds_of,
    slope,
    sum_of,
)

Average = Callable[[Product, Covariance], Term]


class Use(Reading):
    """The right side of a line, once its letters are filled and its left side is the product at hand."""

    def __init__(self, at: Covariance, symbols: Data, average: Average, time: str = "") -> None:
        super().__init__({}, {}, NAMED)
        self.at, self.symbols, self.average, self.time = at, symbols, average, time

    def value_of(self, of: Product, rule: Data, letters: Data) -> Term:
        """The average of a product, or its rate where there is a time."""
        require(isinstance(rule, str) and rule in averages(), f"no line of averages is called {shown(rule)}")
        line = averages()[rule]
        require(isinstance(letters, dict) and set(letters) == set(line.letters), f"'{rule}' has other letters")
        self.known |= {key: self._letter(kind, letters[key]) for key, kind in line.letters.items()}
        self.needed(line)
        assert line.concludes is not None
        (left, right) = (line.concludes.says.left, line.concludes.says.comparators[0])  # type: ignore[attr-defined]
        if left.func.id != ("rate" if self.time else "E") or [*joined(self.value(left.args[0]))] != [of]:
            raise Rejected(f"the line '{rule}' is about another product than {shown(of)}")
        value: Term = self.value(right)
        return value

    def _letter(self, kind: str, value: Data) -> Any:
        if kind == "product":
            return list(*sum_of(value, len(self.at.entries), self.symbols))
        return term(value) if kind == "width" else integer(value, 0, len(self.at.entries) - 1, "a field of a line")

    def covariance(self, x: int, y: int) -> Term:
        return self.at.entries[x][y]

    def summed(self, of: list[Any] | Sum, at: Covariance | None = None) -> Term:
        """The average of a product or of a sum of products."""
        products = of if isinstance(of, dict) else dict.fromkeys(joined(of), ("q", "1"))
        total: Term = added([product_of_terms(c, self.average(one, at or self.at)) for one, c in products.items()])
        return total

    def speed(self, x: int, y: int) -> Term:
        return carried_out(("D", self.covariance(x, y), self.time))

    def angle(self, x: int, y: int) -> Term:
        """asin of the correlation."""
        return ("asin", product_of_terms(self.covariance(x, y), *(_root(self.covariance(z, z)) for z in (x, y))))

    def dense(self, of: list[Any]) -> bool:
        smooth = not {"step", "point"} & set(kinds_of(of))
        return smooth or set(fields_of(of)) <= self.at.definite


def _root(variance: Term) -> Term:
    return ("^", variance, ("q", "-1/2"))


def _slopes(_: Use, of: list[Any], *fields: int) -> Sum:
    total: Sum = dict.fromkeys(joined(of), ("q", "1"))
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
    "sum": lambda _, items: added(items),
    "definite": lambda use, fields: set(fields) <= use.at.definite,
    "dense": Use.dense,
    "odd": _odd,
    "apart": lambda use, f, g: all(use.covariance(x, y) == ("q", "0") for x in fields_of(f) for y in fields_of(g)),
    **{kind: lambda _, *of, kind=kind: (kind, *of) for kind in ("power", "step", "point", "bell")},
}
"""What formulas cannot say; erf(x, w) is a factor as it stands."""
