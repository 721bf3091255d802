"""Do the printed formula and the author's expression say the same?  Decided exactly, by comparing rational functions.

Whatever is not arithmetic (exp, a call, an average, a transpose) is an unknown of its own, equal to another one when
its parts are.  Roots obey only root^n = radicand, and numbers under a root split into primes.  Products keep their
order wherever matrices are involved.
"""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction
from typing import Any

import flint

from derivations.language.show import plain
from derivations.language.terms import Term, fraction_of, rational
from derivations.text import DerivationError

from .notation import Notation
from .reader import read
from .tree import is_statement, links

LARGEST_POWER = 32
NONCOMMUTING = frozenset(("T", "matrix", "kron", "pinv"))
Ratio = tuple[Any, Any]  # numerator and denominator
Value = dict[tuple[int, ...], Ratio]  # noncommuting word -> commuting coefficient


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
    derivations.latex.agree.Mismatch: the source reads
        a - b
    but the expression says
        a + b
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
            raise Mismatch(f"{where}the source reads\n    {plain(left)}\nbut the expression says\n    {plain(right)}")
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
        return _Comparison(matrices, frozenset(positive), left, right).equal
    return _same_parts(left, right, matrices, positive)


def _same_parts(left: Any, right: Any, matrices: frozenset[str], positive: Collection[str]) -> bool:
    left, right = (("dt", *t[1:]) if t[:1] == ("D",) else t for t in (left, right))
    return len(left) == len(right) and all(same(a, b, matrices, positive) for a, b in zip(left, right, strict=True))


def _is_arithmetic(tree: Any) -> bool:
    return isinstance(tree, tuple) and tree[:1] in (("+",), ("*",), ("^",), ("q",), ("exp",))


class _Comparison:
    """Two trees over common unknowns; the unknowns are found first, because a polynomial ring needs to know them."""

    def __init__(self, matrices: frozenset[str], positive: frozenset[str], left: Term, right: Term) -> None:
        self.matrices, self.positive = matrices, positive
        self.unknowns: list[Term] = []
        self.exponentials: dict[int, Term] = {}
        self.radicals: dict[int, tuple[Term, int]] = {}
        self.ring: Any = None
        for tree in (left, right):
            self.value(tree)
        self.ring = flint.fmpq_mpoly_ctx.get([f"u{i}" for i in range(len(self.unknowns))], "lex")
        self.equal = self.vanishes(self.difference(self.value(left), self.value(right)))

    # --- unknowns -----------------------------------------------------------------------------------------------------

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

    def atom(self, tree: Term) -> Value:
        i = self.unknown(tree)
        return {(i,): self.ratio(1)} if self.noncommuting(tree) else {(): self.generator(i, 1)}

    def ratio(self, value: Fraction | int) -> Ratio:
        if self.ring is None:
            return (None, None)
        f = Fraction(value)
        return self.ring.constant(flint.fmpq(f.numerator, f.denominator)), self.ring.constant(1)

    def generator(self, i: int, exponent: int) -> Ratio:
        if self.ring is None:
            return (None, None)
        power, one = self.ring.gen(i) ** abs(exponent), self.ring.constant(1)
        return (power, one) if exponent >= 0 else (one, power)

    # --- arithmetic ---------------------------------------------------------------------------------------------------

    def value(self, tree: Term) -> Value:
        match tree[0]:
            case "q":
                return {(): self.ratio(fraction_of(tree))}
            case "+":
                total: Value = {}
                for part in tree[1:]:
                    total = self.plus(total, self.value(part))
                return total
            case "*":
                product = self.value(tree[1])
                for part in tree[2:]:
                    product = self.times(product, self.value(part))
                return product
            case "^":
                return self.power(tree)
            case "exp" if not self.noncommuting(tree):
                return self.exponential(tree)
        return self.atom(tree)

    def plus(self, left: Value, right: Value) -> Value:
        total = dict(left)
        for word, ratio in right.items():
            total[word] = self.add(total[word], ratio) if word in total else ratio
        return total

    def difference(self, left: Value, right: Value) -> Value:
        return self.plus(left, self.times({(): self.ratio(-1)}, right))

    def times(self, left: Value, right: Value) -> Value:
        total: Value = {}
        for a, x in left.items():
            for b, y in right.items():
                total = self.plus(total, {a + b: self.multiply(x, y)})
        return total

    def add(self, x: Ratio, y: Ratio) -> Ratio:
        if self.ring is None:
            return x
        common = x[1].gcd(y[1])
        return self.lowest(x[0] * (y[1] / common) + y[0] * (x[1] / common), x[1] * (y[1] / common))

    def multiply(self, x: Ratio, y: Ratio) -> Ratio:
        return x if self.ring is None else self.lowest(x[0] * y[0], x[1] * y[1])

    @staticmethod
    def lowest(numerator: Any, denominator: Any) -> Ratio:
        common = numerator.gcd(denominator)
        return numerator / common, denominator / common

    def power(self, tree: Term) -> Value:
        base, exponent = tree[1], _constant(tree[2])
        if exponent is None or abs(exponent.numerator) > LARGEST_POWER or exponent.denominator > LARGEST_POWER:
            return self.atom(tree)
        if exponent.denominator != 1:
            return self.atom(tree) if self.noncommuting(base) else self.fractional_power(base, exponent)
        n = exponent.numerator
        value = self.value(base)
        if n < 0:
            if self.noncommuting(base):
                inverse = self.atom(("^", base, rational(-1)))
                return self.repeated(inverse, -n)
            value = {(): self.inverse(value.get((), self.ratio(0)), tree)}
        return self.repeated(value, abs(n))

    def repeated(self, value: Value, n: int) -> Value:
        result: Value = {(): self.ratio(1)}
        for _ in range(n):
            result = self.times(result, value)
        return result

    def inverse(self, ratio: Ratio, tree: Term) -> Ratio:
        if self.ring is not None and ratio[0] == 0:
            raise Mismatch(f"a division by zero stands in {plain(tree)}")
        return ratio[1], ratio[0]

    def exponential(self, tree: Term) -> Value:
        """exp(k a) is the k-th power of exp(a) when exp(a) has been met before and k is an integer."""
        for i, argument in self.exponentials.items():
            for k in (-1, 2, -2):
                if same(tree[1], ("*", rational(k), argument), self.matrices, self.positive):
                    return {(): self.generator(i, k)}
        i = self.unknown(tree)
        self.exponentials[i] = self.unknowns[i][1]
        return {(): self.generator(i, 1)}

    # --- roots --------------------------------------------------------------------------------------------------------

    def fractional_power(self, base: Term, exponent: Fraction) -> Value:
        if base[0] == "q" and fraction_of(base) > 0:
            return self.number_power(fraction_of(base), exponent)
        if base[0] == "*":
            plain = [f for f in base[1:] if self.is_positive(f)]
            rest = [f for f in base[1:] if not self.is_positive(f)]
            if plain:
                value: Value = self.fractional_power(_product(rest), exponent) if rest else {(): self.ratio(1)}
                for factor in plain:
                    value = self.times(value, self.value_of_power(factor, exponent))
                return value
        if base[0] == "^" and self.is_positive(base):
            return self.value_of_power(base, exponent)
        return self.root(base, exponent)

    def value_of_power(self, factor: Term, exponent: Fraction) -> Value:
        if factor[0] == "^":
            exponent, factor = exponent * fraction_of(factor[2]), factor[1]
        return self.power(("^", factor, rational(exponent)))

    def is_positive(self, factor: Term) -> bool:
        if factor[0] == "^":
            return factor[2][0] == "q" and self.is_positive(factor[1])
        return (factor[0] == "q" and fraction_of(factor) > 0) or (factor[0] == "s" and factor[1] in self.positive)

    def number_power(self, base: Fraction, exponent: Fraction) -> Value:
        value: Value = {(): self.ratio(1)}
        factors = [(int(p), int(e)) for p, e in flint.fmpz(base.numerator).factor()]
        factors += [(int(p), -int(e)) for p, e in flint.fmpz(base.denominator).factor()]
        for prime, multiplicity in factors:
            power = exponent * multiplicity
            whole = power.numerator // power.denominator
            value = self.times(value, {(): self.ratio(Fraction(prime) ** whole)})
            if power != whole:
                value = self.times(value, self.root(rational(prime), power - whole))
        return value

    def root(self, base: Term, exponent: Fraction) -> Value:
        i = self.unknown(("^", base, rational(Fraction(1, exponent.denominator))))
        self.value(base)
        self.radicals[i] = (self.unknowns[i][1], exponent.denominator)
        return {(): self.generator(i, exponent.numerator)}

    def vanishes(self, difference: Value) -> bool:
        return all(self.reduced(ratio[0]) == 0 for ratio in difference.values())

    def reduced(self, polynomial: Any) -> Any:
        """Zero if the polynomial vanishes by the rule root^n = radicand alone; outer roots go first."""
        for i in sorted(self.radicals, key=lambda i: -_depth(self.radicals[i][0])):
            base, n = self.radicals[i]
            numerator, denominator = self.value(base).get((), self.ratio(0))
            terms = polynomial.to_dict()
            highest = max((powers[i] // n for powers in terms), default=0)
            total = self.ring.constant(0)
            for powers, coefficient in terms.items():
                k = powers[i] // n
                rest = tuple(p - k * n if j == i else p for j, p in enumerate(powers))
                total += self.ring.from_dict({rest: coefficient}) * numerator**k * denominator ** (highest - k)
            polynomial = total
        return polynomial


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


def _product(factors: list[Term]) -> Term:
    return factors[0] if len(factors) == 1 else ("*", *factors)


def _depth(tree: Any) -> int:
    return 1 + max(map(_depth, tree), default=0) if isinstance(tree, tuple) else 0
