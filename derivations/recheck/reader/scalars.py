"""Trees of scalar formulas as terms, and terms by their values at a few exact points, in balls.

Two sides that differ as functions agree at none of the points; two that agree at all of them are not told apart.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any

from flint import arb, fmpq

from derivations.recheck.core.balls import Undefined, enclosure, exact
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import FUNCTIONS, Term, require, term
from derivations.recheck.core.terms import free
from derivations.recheck.reader.parse import NoMeaning, Tree, joined, meant, named

BITS, POINTS, TRIES = 192, 3, 40
NEAR = arb(2) ** -40
HEADS = frozenset(("+", "*", "^", "D", "at", "s", "q", "pi", *FUNCTIONS))


class Scalars:
    """The meaning of trees about numbers, and of sides of statements."""

    def __init__(self, record: Mapping[str, Any], _: Mapping[str, Any]) -> None:
        self.record, self.upper = record, True

    def sides(self, tree: Tree) -> list[Term]:
        """One term, a mean and a variance, or what is positive where events happen."""
        if tree[0] == "P":
            return [self.value(joined("-", event.left, event.right)) for event in tree[1:]]
        return [self.value(part) for part in (tree[1:] if tree[0] == "normal" else [tree])]

    def value(self, tree: Tree) -> Term:
        match tree:
            case "number", text:
                return ("q", str(Fraction(text)))
            case ("pm" | "mp") as head, *_:
                return ("q", "1" if self.upper == (head == "pm") else "-1")
            case "letter", spelling:
                return term(meant(self.record, spelling))
            case "call", spelling, arguments:
                return self.call(self.record["functions"][spelling], [self.value(part) for part in arguments])
            case "^", base, exponent:
                power = self.value(exponent)
                value = None if free(power) else exact(power, {})
                return ("^", self.value(base), power if value is None else ("q", str(value)))
            case (("dt" | "partial"), of, by):
                return self.derivative(of, by)
        return term((tree[0], *map(self.value, tree[1:])))

    def call(self, function: Any, arguments: list[Term]) -> Term:
        names, body = ((), ()) if isinstance(function, str) else function
        if not body or len(names) != len(arguments):
            raise NoMeaning(f"the record of the entry does not say what {function} of {len(arguments)} arguments is")
        is_other = body[0] == "s" and body[1] not in names
        return term(body) if is_other else term(("at", body, tuple(zip(names, arguments, strict=True))))

    def derivative(self, of: Tree, by: Tree) -> Term:
        """Return the rate of one letter; else along the flow; else by the letter itself."""
        name, flow = named(self.record, by), self.record["flow"]
        rates = self.record["rates"].get(of[1], {}) if of[0] == "letter" else {}
        if name in rates:
            return term(rates[name])
        inside = self.value(of)
        if flow and name == "t":
            return term(("+", ("q", "0"), *(("*", ("D", inside, s), flow[s]) for s in sorted(free(inside) & {*flow}))))
        variable = self.value(by)
        require(variable[0] == "s", f"{name} is no symbol, and nothing is differentiated by it")
        return ("D", inside, variable[1])

    # --- comparison, and sides of statements --------------------------------------------------------------------------

    def same(self, one: Term, other: Term) -> bool:
        """Check whether two formulas have the same values at a few points at which both have one."""
        pairs = _at_points(one, other) if one != other else []
        return one == other or (bool(pairs) and all((a - b).contains(0) and (a - b).rad() < NEAR for a, b in pairs))

    def proportional(self, one: Term, other: Term) -> bool:
        """Check whether one formula is a positive number times another one, at a few points."""
        ratios = [a / b for a, b in _at_points(one, other)]
        return bool(ratios) and all(ratio > 0 and (ratio - ratios[0]).contains(0) for ratio in ratios)

    def names(self, value: Term) -> set[str]:
        return {*free(value)}

    def own(self, name: str) -> Term:
        return ("s", name)

    def side(self, data: Any, _: Mapping[str, str]) -> Term | None:
        """A side of a statement, where it is a formula about numbers."""
        try:
            return term(data) if isinstance(data, tuple) and data[0] in HEADS else None
        except (Rejected, TypeError, IndexError):
            return None


def _at_points(*formulas: Term) -> list[Any]:
    """The values of formulas at the first points that give each a value; nothing where these are too few."""
    every = (tuple(_at(formula, k) for formula in formulas) for k in range(TRIES))
    values = list(islice((each for each in every if None not in each), POINTS))
    return values if len(values) == POINTS else []


@lru_cache(4096)
def _at(formula: Term, point: int) -> Any:
    """The value of a formula at a point, where symbols are above zero, or in every second one of either sign."""
    values = {}
    for name in free(formula):
        draw = random.Random(f"{name} {point}")
        size = fmpq(draw.randint(1, 400), draw.randint(101, 199))
        values[name] = -size if point % 2 and draw.random() < 0.5 else size
    try:
        return enclosure(formula, values, BITS)
    except (Undefined, Rejected, ZeroDivisionError):
        return None
