"""Do two trees say the same?  Decided exactly, by comparing rational functions.

Whatever is not arithmetic (a call, an average, a transpose) is an unknown of its own, equal to another one when its
parts are.  The rest has the normal form of `derivations.language.normal`: roots obey root^n = radicand, and come apart
only where their factors are known to be positive.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from derivations.language.normal import Field, Undefined
from derivations.language.normal.division import eliminate
from derivations.language.terms import Term, fraction_of, rational, subtract

LARGEST_POWER = 32
ARITHMETIC = frozenset(("+", "*", "^", "q", "exp"))


def same(left: Any, right: Any, positive: Collection[str] = ()) -> bool:
    """Check whether two trees say the same: equal rational functions where they are arithmetic, equal part by part
    elsewhere.

    positive: names of symbols known to be positive. What divides by zero is no other's equal.

    >>> a, b = ("s", "a"), ("s", "b")
    >>> same(("*", a, b), ("*", b, a)), same(("+", a, b), ("*", a, b))
    (True, False)
    """
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return bool(left == right)
    if left == right:
        return True
    if {*left[:1], *right[:1]} & ARITHMETIC:
        compared = _Compared(frozenset(positive))
        return compared.vanishes(subtract(compared.opened(left), compared.opened(right)))
    left, right = (("dt", *t[1:]) if t[:1] == ("D",) else t for t in (left, right))
    return len(left) == len(right) and all(same(a, b, positive) for a, b in zip(left, right, strict=True))


class _Compared:
    """Two trees over common unknowns."""

    def __init__(self, positive: frozenset[str]) -> None:
        self.positive = positive
        self.unknowns: list[Term] = []
        self.exponents: list[Term] = []

    def opened(self, tree: Term) -> Term:
        """A tree in which a symbol stands for whatever is not arithmetic."""
        if tree[0] in ("s", "q"):
            return tree
        if tree[0] in ("+", "*"):
            return (tree[0], *map(self.opened, tree[1:]))
        if tree[0] == "exp":
            return ("exp", self.exponent(self.opened(tree[1])))
        exponent = fraction_of(tree[2]) if tree[0] == "^" and tree[2][0] == "q" else None
        if exponent is None or max(abs(exponent.numerator), exponent.denominator) > LARGEST_POWER:
            return ("s", f"unknown {self.unknown(tree)}")
        return ("^", self.opened(tree[1]), rational(exponent))

    def exponent(self, term: Term) -> Term:
        """An equal exponent that was met before, if there is one: the normal form tells exponents by their form."""
        for other in self.exponents:
            if other == term or self.vanishes(subtract(other, term)):
                return other
        self.exponents.append(term)
        return term

    def unknown(self, tree: Term) -> int:
        for i, other in enumerate(self.unknowns):
            if other == tree or (len(other) == len(tree) and all(map(self.alike, other, tree))):
                return i
        self.unknowns.append(tree)
        return len(self.unknowns) - 1

    def alike(self, one: Any, other: Any) -> bool:
        return same(one, other, self.positive)

    def vanishes(self, term: Term) -> bool:
        """Check whether a term is zero by its normal form and by the rule root^n = radicand; outer roots go first."""
        try:
            field = Field.of([term], {name: ["positive"] for name in self.positive})
            numerator, _ = field.fraction(term)
        except Undefined:
            return False
        for index in reversed(range(len(field.generators))):
            relation = field.relation(field.generators[index])
            if relation is not None:
                numerator, _, _ = eliminate(numerator, relation, index)
        return bool(numerator == 0)
