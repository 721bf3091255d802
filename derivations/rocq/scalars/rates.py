"""Derivatives in a statement: letters stand for them, and the theory Calculus shows what each comes to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from derivations.recheck.core.load import Term
from derivations.recheck.core.terms import carried_out, free, parts, with_parts
from derivations.rocq.exported import NotExported


@dataclass
class Rates:
    """The derivatives in some formulas, each as a formula in one letter more, a point, and what it comes to there."""

    letters: Mapping[str, int]
    known: list[tuple[Term, Term, Term]] = field(default_factory=list)

    @property
    def inner(self) -> dict[str, int]:
        """The letters of the statement, and the one that moves."""
        return {**self.letters, MOVING: len(self.letters)}

    @property
    def outer(self) -> dict[str, int]:
        """The letters of the statement, and those that stand for derivatives."""
        return {**self.letters, **{f"{RATE}{k}": len(self.letters) + k for k in range(len(self.known))}}

    def shape(self, formula: Term, values: Mapping[str, Term] | None = None) -> Term:
        """The formula with its substitutions carried out, and letters for its derivatives."""
        values = values or {}
        head = formula[0]
        if head == "s":
            return values.get(formula[1], formula)
        if head == "at":
            inside = {letter: self.shape(value, values) for letter, value in formula[2]}
            return self.shape(formula[1], {**values, **inside})
        if head != "D":
            return with_parts(lambda child: self.shape(child, values), formula)
        body, x = formula[1:]
        if has_derivative(body):
            raise NotExported("a derivative of a derivative")
        point = values.get(x, ("s", x))
        if x not in values and x not in self.letters:
            raise NotExported("a derivative by a letter that the statement does not declare")
        if any(letter.startswith(RATE) for value in values.values() for letter in free(value)):
            raise NotExported("a derivative of what a derivative stands in")
        moved = self.shape(body, {**values, x: ("s", MOVING)})
        slope = carried_out(("at", formula, tuple(values.items())) if values else formula)
        rate = moved, point, slope
        if rate not in self.known:
            self.known.append(rate)
        return "s", f"{RATE}{self.known.index(rate)}"


MOVING, RATE = "'moving", "'rate"
"""Letters that no statement has, as no formula that is read has a sign like this at its begin."""


def has_derivative(formula: Term) -> bool:
    return formula[0] == "D" or any(map(has_derivative, parts(formula)))
