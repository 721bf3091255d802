"""Trees of scalar formulas as terms, and terms by their values at a few exact points, in balls.

Two sides that differ as functions agree at none of the points; two that agree at all of them are not told apart.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from fractions import Fraction
from itertools import islice
from typing import Any

from flint import arb, fmpq

from derivations.recheck.core.balls import Undefined, enclosure, exact
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import FUNCTIONS, Term, term
from derivations.recheck.core.terms import free, free_in
from derivations.recheck.ledgers.formulas import term as written
from derivations.recheck.reader.meaning import Meaning, NoMeaning
from derivations.recheck.reader.parse import Tree, joined

BITS, POINTS, TRIES = 192, 3, 40
NEAR = arb(2) ** -40
HEADS = frozenset(("+", "*", "^", "D", "at", "s", "q", "pi", *FUNCTIONS))


class Scalars(Meaning):
    """Letters, functions and derivatives of numbers."""

    def __init__(self, record: Mapping[str, Any]) -> None:
        super().__init__(record)
        self.known: dict[Any, Any] = {}

    def sides(self, tree: Tree) -> list[Term]:
        """One term, a mean and a variance, or what is positive where events happen."""
        if tree[0] == "P":
            return [self.value(joined("-", event.left, event.right)) for event in tree[1:]]
        return [self.value(part) for part in (tree[1:] if tree[0] == "normal" else [tree])]

    def number(self, value: Fraction) -> Term:
        return ("q", str(value))

    def made(self, head: str, values: list[Term]) -> Term:
        return ("^", *values, ("q", "-1")) if head == "inverse" else term((head, *values))

    def letter(self, spelling: str) -> Term:
        return term(self.meant(spelling))

    def power(self, base: Tree, exponent: Tree) -> Term:
        written = self.value(exponent)
        value = None if free(written) else exact(written, {})
        return ("^", self.value(base), written if value is None else ("q", str(value)))

    def call(self, spelling: str, arguments: list[Tree]) -> Term:
        known = self.functions.get(spelling, "")
        names, body = ((), ()) if isinstance(known, str) else known
        if not body or len(names) != len(arguments):
            raise NoMeaning(f"the record of the entry does not say what {spelling} of {len(arguments)} arguments is")
        values = map(self.value, arguments)
        is_other = body[0] == "s" and body[1] not in names
        return term(body) if is_other else term(("at", body, tuple(zip(names, values, strict=True))))

    def derivative(self, of: Tree, by: str) -> Term:
        """Return the rate of one letter; else along the flow; else by the letter itself."""
        name, flow = self.name(by), self.record["flow"]
        rates = self.record["rates"].get(of[1], {}) if of[0] == "letter" else {}
        if name in rates:
            return term(rates[name])
        inside, variable = self.value(of), self.letter(by)
        if flow and name == "t":
            summed = [("*", ("D", inside, each), term(flow[each])) for each in sorted(free(inside) & set(flow))]
            return ("+", *summed) if summed else ("q", "0")
        if variable[0] != "s":
            raise Rejected(f"{by} is no symbol, and nothing is differentiated by it")
        return ("D", inside, variable[1])

    # --- comparison ---------------------------------------------------------------------------------------------------

    def same(self, one: Term, other: Term) -> bool:
        """Check whether two formulas have the same values at a few points at which both have one."""
        pairs = self.at_points(one, other) if one != other else []
        return one == other or (bool(pairs) and all((a - b).contains(0) and (a - b).rad() < NEAR for a, b in pairs))

    def proportional(self, one: Term, other: Term) -> bool:
        """Check whether one formula is a positive number times another one, at a few points."""
        ratios = [a / b for a, b in self.at_points(one, other)]
        return bool(ratios) and all(ratio > 0 and (ratio - ratios[0]).contains(0) for ratio in ratios)

    def at_points(self, one: Term, other: Term) -> list[Any]:
        """The values of two formulas at the first points that give both a value; nothing where these are too few."""
        both = ((self.at(one, k), self.at(other, k)) for k in range(TRIES))
        pairs = list(islice((pair for pair in both if None not in pair), POINTS))
        return pairs if len(pairs) == POINTS else []

    def at(self, formula: Term, point: int) -> Any:
        """The value of a formula at a point, which is kept; None where it has none."""
        key = formula, point
        if key not in self.known:
            try:
                self.known[key] = enclosure(formula, {name: _value(name, point) for name in free(formula)}, BITS)
            except (Undefined, Rejected, ZeroDivisionError):
                self.known[key] = None
        return self.known[key]

    def names(self, value: Term) -> frozenset[str]:
        return free_in([value])

    def own(self, name: str) -> Term:
        return ("s", name)

    # --- sides of statements ------------------------------------------------------------------------------------------

    def side(self, data: Any, _: Mapping[str, str]) -> Term | None:
        return data if is_formula(data) else None

    def written(self, data: Term) -> str:
        return written(data)

    def name_of(self, value: Term) -> str:
        return value[1] if value[0] == "s" else ""


def _value(name: str, point: int) -> Any:
    """A value of a symbol: above zero at first, and below zero too in every second try."""
    draw = random.Random(f"{name} {point}")
    size = fmpq(draw.randint(1, 400), draw.randint(101, 199))
    return -size if point % 2 and draw.random() < 0.5 else size


def is_formula(data: Any) -> bool:
    try:
        return isinstance(data, tuple) and bool(data) and data[0] in HEADS and bool(term(data))
    except (Rejected, TypeError):
        return False
