"""Do the printed formula and the author's expression say the same?  Decided exactly, by comparing rational functions.

Whatever is not arithmetic (a call, an average, a transpose) is an unknown of its own, equal to another one when its
parts are.  The rest has the normal form of `derivations.language.normal`: roots obey root^n = radicand, and come apart
only where their factors are known to be positive.  Products keep their order wherever matrices are involved.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection
from fractions import Fraction
from typing import Any

from derivations.language.normal import Field, Undefined
from derivations.language.points import eliminate
from derivations.language.show import plain
from derivations.language.terms import ONE, ZERO, Term, fraction_of, rational, subtract
from derivations.text import DerivationError

from .notation import Notation
from .reader import read
from .tree import is_statement, links

LARGEST_POWER = 32
NONCOMMUTING = frozenset(("T", "matrix", "kron", "pinv"))
Word = tuple[int, ...]  # what does not commute, by its number among the unknowns


class Mismatch(DerivationError):
    """The source and the author's expression say different things; the message shows both."""


def agree(
    latex: str,
    notation: Notation,
    expression: Term,
    *,
    link: int | None = None,
    positive: Collection[str] = (),
) -> list[str]:
    r"""Compares a printed formula with the expression that an author typed for it.

    expression: a term; without a relation it is compared with the right-hand side of the last printed equation.
    link: which of the printed statements to compare, counted from 0 (see `links`); by default all of them.
    positive: names of symbols known to be positive, which lets their roots be taken factor by factor.

    Returns the reader's remarks; raises `Mismatch`, with both formulas, when they differ.

    >>> notation = Notation(letters="a b")
    >>> agree(r"\frac{a}{b}", notation, ("*", ("s", "a"), ("^", ("s", "b"), ("q", "-1"))))
    []
    >>> agree("a-b", notation, ("+", ("s", "a"), ("s", "b")))
    Traceback (most recent call last):
    derivations.latex.agree.Mismatch: the source reads a - b, but the expression says a + b
    """
    reading = read(latex, notation)
    printed = links(reading.tree)
    if link is not None:
        if not 0 <= link < len(printed):
            raise Mismatch(f"there is no link {link}: the source prints {len(printed)}, counted from 0")
        printed = [printed[link]]
    given = links(expression)
    notes = list(reading.notes)
    if is_statement(printed[-1]) and not is_statement(expression):
        if printed[-1][0] != "=":
            raise Mismatch(
                f"the source prints the statement {plain(printed[-1])}, the expression is {plain(expression)}"
            )
        notes.append("compared with the right-hand side of the last printed equation")
        printed = [printed[-1][2]]
    if len(printed) != len(given):
        raise Mismatch(f"the source prints {_count(printed)}, the expression holds {_count(given)}")
    letters = _matrices(notation, [*printed, *given])
    for i, (left, right) in enumerate(zip(printed, given, strict=True)):
        if not same(left, right, letters, positive):
            where = f"statement {i} of " if len(printed) > 1 else ""
            raise Mismatch(f"{where}the source reads {plain(left)}, but the expression says {plain(right)}")
    return notes


def _count(statements: list[Term]) -> str:
    return f"{len(statements)} statement{'s' if len(statements) != 1 else ''}"


def _matrices(notation: Notation, trees: list[Term]) -> frozenset[str]:
    if notation.matrices is not None:
        return notation.matrices
    return frozenset().union(*(_names(t, False) for t in trees)) if trees else frozenset()


def _names(tree: Any, counted: bool) -> frozenset[str]:
    """The symbols that stand under a transpose (or everywhere, once counted)."""
    if not isinstance(tree, tuple) or not tree:
        return frozenset()
    if tree[0] == "s":
        return frozenset((tree[1],)) if counted else frozenset()
    return frozenset().union(*(_names(part, counted or tree[0] == "T") for part in tree))


def same(left: Any, right: Any, matrices: frozenset[str] = frozenset(), positive: Collection[str] = ()) -> bool:
    """Whether two trees say the same: equal rational functions where they are arithmetic, equal part by part elsewhere.

    matrices: names of symbols that do not commute. positive: names of symbols known to be positive.

    >>> a, b = ("s", "a"), ("s", "b")
    >>> same(("*", a, b), ("*", b, a)), same(("*", a, b), ("*", b, a), frozenset("ab"))
    (True, False)
    """
    if not isinstance(left, tuple) or not isinstance(right, tuple):
        return bool(left == right)
    if left == right:
        return True
    if _is_arithmetic(left) or _is_arithmetic(right):
        return _Comparison(matrices, frozenset(positive)).equal(left, right)
    return _same_parts(left, right, matrices, positive)


def _same_parts(left: Any, right: Any, matrices: frozenset[str], positive: Collection[str]) -> bool:
    left, right = (("dt", *t[1:]) if t[:1] == ("D",) else t for t in (left, right))
    return len(left) == len(right) and all(same(a, b, matrices, positive) for a, b in zip(left, right, strict=True))


def _is_arithmetic(tree: Any) -> bool:
    return isinstance(tree, tuple) and tree[:1] in (("+",), ("*",), ("^",), ("q",), ("exp",))


class _Comparison:
    """Two trees over common unknowns, compared word by word: what does not commute stands in words."""

    def __init__(self, matrices: frozenset[str], positive: frozenset[str]) -> None:
        self.matrices, self.positive = matrices, positive
        self.unknowns: list[Term] = []
        self.exponents: list[Term] = []

    def equal(self, left: Term, right: Term) -> bool:
        first, second = self.words(left), self.words(right)
        return all(
            self.vanishes(subtract(first.get(word, ZERO), second.get(word, ZERO))) for word in {**first, **second}
        )

    def words(self, tree: Term) -> dict[Word, Term]:
        """The commuting coefficient of every word."""
        if not self.noncommuting(tree):
            return {(): self.opened(tree)}
        match tree[0]:
            case "+":
                total: dict[Word, Term] = {}
                for part in tree[1:]:
                    for word, coefficient in self.words(part).items():
                        total[word] = ("+", total[word], coefficient) if word in total else coefficient
                return total
            case "*":
                return self.product([self.words(part) for part in tree[1:]])
            case "^" if (n := _constant(tree[2])) is not None and n.denominator == 1 and 0 < abs(n) <= LARGEST_POWER:
                inverse = ("^", tree[1], rational(-1))
                return self.product([self.words(tree[1]) if n > 0 else {(self.unknown(inverse),): ONE}] * abs(int(n)))
        return {(self.unknown(tree),): ONE}

    @staticmethod
    def product(factors: list[dict[Word, Term]]) -> dict[Word, Term]:
        result: dict[Word, Term] = {(): ONE}
        for factor in factors:
            grown: dict[Word, Term] = {}
            for (a, x), (b, y) in itertools.product(result.items(), factor.items()):
                term = ("*", x, y)
                grown[a + b] = ("+", grown[a + b], term) if a + b in grown else term
            result = grown
        return result

    def opened(self, tree: Term) -> Term:
        """A commuting tree in which a symbol stands for whatever is not arithmetic."""
        if tree[0] in ("s", "q"):
            return tree
        if tree[0] in ("+", "*"):
            return (tree[0], *map(self.opened, tree[1:]))
        if tree[0] == "exp":
            return ("exp", self.exponent(self.opened(tree[1])))
        exponent = _constant(tree[2]) if tree[0] == "^" else None
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
            if other == tree or (other[0] == tree[0] and _same_parts(other, tree, self.matrices, self.positive)):
                return i
        self.unknowns.append(tree)
        return len(self.unknowns) - 1

    def noncommuting(self, tree: Any) -> bool:
        if not isinstance(tree, tuple) or tree[:1] == ("norm2",):
            return False
        if tree[:1] == ("s",):
            return tree[1] in self.matrices
        return tree[:1] != () and (tree[0] in NONCOMMUTING or any(map(self.noncommuting, tree)))

    def vanishes(self, term: Term) -> bool:
        """Whether a term is zero by its normal form and by the rule root^n = radicand; outer roots go first."""
        try:
            field = Field.of([term], {name: ["positive"] for name in self.positive})
            numerator, _ = field.fraction(term)
        except Undefined as trouble:
            raise Mismatch(f"a division by zero stands in {plain(term)}") from trouble
        for index in reversed(range(len(field.generators))):
            relation = field.relation(field.generators[index])
            if relation is not None:
                numerator, _, _ = eliminate(numerator, relation, index)
        return bool(numerator == 0)


def _constant(exponent: Term) -> Fraction | None:
    if exponent[0] == "q":
        return fraction_of(exponent)
    if exponent[0] in ("+", "*"):
        parts = [_constant(p) for p in exponent[1:]]
        known = [p for p in parts if p is not None]
        if len(known) == len(parts):
            total = Fraction(exponent[0] == "*")
            for p in known:
                total = total * p if exponent[0] == "*" else total + p
            return total
    return None
