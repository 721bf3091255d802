"""Trees of scalar formulas as terms: letters and functions mean what the record of an entry says.

Values are compared in balls at exact points. Two sides that differ as functions agree at none of them; two that agree
at all of them are not told apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from flint import arb, fmpq

from derivations.recheck.core.balls import Undefined, enclosure, exact
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import FUNCTIONS, Term, term
from derivations.recheck.core.terms import free, free_in
from derivations.recheck.reader.meaning import SUPPOSED, Given, Meaning, NoMeaning, parts_of, put_in
from derivations.recheck.reader.parse import Tree

BITS, POINTS, TRIES = 192, 3, 40
SEED = 20261128
SIGNS = {"positive": ">", "nonnegative": ">="}
HEADS = frozenset(("+", "*", "^", "D", "at", "s", "q", "pi", *FUNCTIONS))


class Scalars(Meaning):
    """Letters, functions and derivatives of numbers."""

    def sides(self, tree: Tree) -> list[Term]:
        """One term, a mean and a variance, or what is positive where events happen."""
        parts = tree[1:] if tree[0] == "normal" else [tree]
        return [self.value(part) for part in ([("-", r.left, r.right) for r in tree[1:]] if tree[0] == "P" else parts)]

    def number(self, value: Any) -> Term:
        return ("q", str(value))

    def letter(self, spelling: str) -> Term:
        return term(self.meant(spelling))

    def plus(self, one: Term, other: Term) -> Term:
        return ("+", one, other)

    def product(self, one: Term, other: Term) -> Term:
        return ("*", one, other)

    def inverse(self, value: Term) -> Term:
        return ("^", value, ("q", "-1"))

    def power(self, base: Tree, exponent: Tree) -> Term:
        written = self.value(exponent)
        value = None if free(written) else exact(written, {})
        return ("^", self.value(base), written if value is None else ("q", str(value)))

    def applied(self, head: str, arguments: list[Term]) -> Term:
        return ("^", *arguments, ("q", "1/2")) if head == "root" else term((head, *arguments))

    def call(self, spelling: str, arguments: list[Tree]) -> Term:
        names, body = self.functions.get(spelling) or ((), None)
        if body is None or len(names) != len(arguments):
            raise NoMeaning(f"the record of the entry does not say what {spelling} of {len(arguments)} arguments is")
        values = [self.value(part) for part in arguments]
        is_other = body[0] == "s" and body[1] not in names
        return term(body) if is_other else term(("at", body, tuple(zip(names, values, strict=True))))

    def derivative(self, of: Tree, by: str) -> Term:
        """Of one letter its rate; else along the flow; else by the letter itself."""
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

    def same(self, one: Term, other: Term) -> bool:
        """Whether two formulas have the same values at a few points at which both have one."""
        pairs = _at_points(one, other) if one != other else []
        near = all((a - b).contains(0) and (a - b).rad() < arb(2) ** -40 for a, b in pairs)
        return one == other or (bool(pairs) and near)

    # --- what a record of a statement says ----------------------------------------------------------------------------

    def names(self, value: Term) -> set[str]:
        return set(free_in([value]))

    def own(self, name: str) -> Term:
        return ("s", name)

    def item(self, data: Any) -> Any:
        return data

    def is_side(self, data: Any) -> bool:
        return is_formula(data)

    def hypotheses(self) -> Iterator[Given]:
        yield from self.said.get("assuming", ())
        for name, flags in self.said.get("symbols", {}).items():
            yield from ((SIGNS[flag], ("s", name), ("q", "0")) for flag in flags if flag in SIGNS)

    def put_in(self) -> list[tuple[str, Any]]:
        return [pair for value in self.values() for pair in put_in(value)]

    def asserted(self) -> list[Term]:
        said = [value for value in self.values() if is_formula(value)]
        is_told = bool(self.record["left_is"])
        return said + [p[1] for value in said if is_told for p in parts_of(value) if p[0] == "at" and len(p) == 3]

    def values(self) -> list[Any]:
        """What the record says directly, with the members of its lists."""
        own = [value for key, value in self.said.items() if key not in SUPPOSED and isinstance(value, tuple)]
        return own + [each for value in own if not is_formula(value) for each in value if isinstance(each, tuple)]


def proportional(one: Term, other: Term) -> bool:
    """Whether one formula is a positive number times another one, at a few points."""
    ratios = [a / b for a, b in _at_points(one, other)]
    return bool(ratios) and all(ratio > 0 and (ratio - ratios[0]).contains(0) for ratio in ratios)


def _at_points(one: Term, other: Term) -> list[Any]:
    """The values of two formulas at a few points that give both a value; nothing where there are too few."""
    names, draw = sorted(free_in([one, other])), random.Random(SEED)
    pairs: list[Any] = []
    for attempt in range(TRIES):
        point = {name: _value(draw, attempt) for name in names}
        try:
            pairs.append((enclosure(one, point, BITS), enclosure(other, point, BITS)))
        except (Undefined, Rejected, ZeroDivisionError):
            continue
        if len(pairs) == POINTS:
            return pairs
    return []


def _value(draw: random.Random, attempt: int) -> Any:
    """A value of a symbol: above zero at first, and below zero too in every second try."""
    size = fmpq(draw.randint(1, 400), draw.randint(101, 199))
    return -size if attempt % 2 and draw.random() < 0.5 else size


def is_formula(data: Any) -> bool:
    try:
        return isinstance(data, tuple) and bool(data) and data[0] in HEADS and bool(term(data))
    except (Rejected, TypeError):
        return False
