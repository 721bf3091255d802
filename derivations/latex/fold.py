"""From a syntax tree to something to compute with: a SymPy expression, or words in the caller's own objects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import sympy as sp

from derivations.language.show import plain
from derivations.language.terms import FUNCTIONS, Term, fraction_of
from derivations.language.terms import RELATIONS as SYMPY_RELATIONS
from derivations.text import DerivationError

RELATIONS = frozenset(("=", "!=", ">", ">="))
CLASSES = {name: function for function, name in FUNCTIONS.items()}
RELATED = {name: relation for relation, (name, swapped) in SYMPY_RELATIONS.items() if not swapped}


class NotThisKind(DerivationError):
    """A tree holds a part that has no meaning among the objects asked for; the message says which and why."""


def to_sympy(tree: Term, meanings: Mapping[str, Any]) -> Any:
    """The SymPy expression of a tree, unevaluated: nothing is cancelled, sorted or simplified.

    meanings: by the names that the notation gives, a symbol, an expression that is put in, or for calls a function;
        the derivative of a symbol called h by t has the name dh_dt.

    What has no meaning is refused (`NotThisKind`).

    >>> x = sp.Symbol("x", positive=True)
    >>> to_sympy(("*", ("s", "x"), ("^", ("s", "x"), ("q", "-1"))), {"x": x})
    x/x
    """
    head = tree[0]
    match head:
        case "s":
            return _meant(tree[1], meanings, tree)
        case "q":
            value = fraction_of(tree)
            return sp.Rational(value.numerator, value.denominator)
        case "pi":
            return sp.pi
        case "dt" if tree[1][0] == "s":
            return _meant(f"d{tree[1][1]}_d{tree[2]}", meanings, tree)
        case "matrix":
            return sp.ImmutableDenseMatrix([[to_sympy(entry, meanings) for entry in row] for row in tree[1]])
        case "call":
            return _function(tree[1], meanings, tree)(*(to_sympy(part, meanings) for part in tree[2:]))
        case "+" | "*" | "^":
            operation = {"+": sp.Add, "*": sp.Mul, "^": sp.Pow}[head]
            return operation(*(to_sympy(part, meanings) for part in tree[1:]), evaluate=False)
    if head in meanings and callable(meanings[head]):
        return meanings[head](*(to_sympy(part, meanings) if isinstance(part, tuple) else part for part in tree[1:]))
    if head in CLASSES or head in RELATED:
        made = CLASSES.get(head) or RELATED[head]
        return made(*(to_sympy(part, meanings) for part in tree[1:]), evaluate=False)
    raise NotThisKind(f"{plain(tree)}: no meaning was given for {head!r} among scalars")


def _meant(name: str, meanings: Mapping[str, Any], tree: Term) -> Any:
    if name not in meanings:
        raise NotThisKind(f"{plain(tree)}: no meaning was given for {name}; name it in the meanings of the vocabulary")
    return meanings[name]


def _function(name: str, meanings: Mapping[str, Any], tree: Term) -> Callable[..., Any]:
    function: Any = _meant(name, meanings, tree)
    if not callable(function):
        raise NotThisKind(f"{plain(tree)}: {name} is called as a function, and means {function}, which is none")
    found: Callable[..., Any] = function
    return found


def to_words(tree: Term, letters: Mapping[str, Any], rules: Mapping[str, Callable[..., Any]] | None = None) -> Any:
    """The tree of a formula folded with the operators of the caller's objects: + - @ * .T and rational multiples.

    letters: an object for every symbol.
    rules: the meaning by head of "dt" (object, name of the variable), "partial" (object, object), "mean", "norm2"
        (default a.T @ a), "matrix" (rows of objects), "inverse", "pinv", "power" (object, exponent), "exp", "kron"
        (object, object), "sum" (object, index) with "index" (name, lower, upper), and of calls by the function's name.
        `derivations.latex.rules.matrices` has such rules for words.

    What has no meaning among the objects is refused (`NotThisKind`).

    >>> from derivations.language.words import Letter
    >>> to_words(("*", ("s", "W"), ("T", ("s", "W"))), {"W": Letter("W", "n", "m")})
    W W'
    """
    return _Words(letters, rules or {}).fold(tree)


class _Words:
    def __init__(self, letters: Mapping[str, Any], rules: Mapping[str, Callable[..., Any]]) -> None:
        self.letters, self.rules = letters, rules

    def fold(self, tree: Any) -> Any:
        head, parts = tree[0], tree[1:]
        match head:
            case "s":
                if parts[0] not in self.letters:
                    raise NotThisKind(f"no object was given for the symbol {parts[0]}")
                return self.letters[parts[0]]
            case "q":
                return Fraction(parts[0])
            case "+":
                return self.total([self.fold(p) for p in parts])
            case "*":
                product = self.fold(parts[0])
                for part in parts[1:]:
                    product = times(product, self.fold(part))
                return product
            case "^":
                return self.power(tree)
            case "T":
                inner = self.fold(parts[0])
                if isinstance(inner, Fraction):
                    raise NotThisKind(f"{plain(tree)}: a scalar has no transpose; is T meant as an exponent?")
                return inner.T
            case "norm2" if "norm2" not in self.rules:
                inner = self.fold(parts[0])
                return inner.T @ inner
            case "matrix":
                return self.rule("matrix", tree)([[self.fold(entry) for entry in row] for row in parts[0]])
            case "call":
                return self.rule(parts[0], tree)(*map(self.fold, parts[1:]))
        return self.rule(head, tree)(*(self.fold(p) if isinstance(p, tuple) else p for p in parts))

    def rule(self, name: str, tree: Term) -> Callable[..., Any]:
        if name in self.rules:
            return self.rules[name]
        raise NotThisKind(f"{plain(tree)}: no rule was given for {name!r}")

    @staticmethod
    def total(terms: list[Any]) -> Any:
        """Objects first, so that a number is added to an object and never the other way round."""
        objects = [t for t in terms if not isinstance(t, Fraction)]
        constant = sum((t for t in terms if isinstance(t, Fraction)), Fraction(0))
        if not objects:
            return constant
        result = objects[0]
        for term in objects[1:]:
            result = result + term
        return result + constant if constant else result

    def power(self, tree: Term) -> Any:
        base, exponent = self.fold(tree[1]), tree[2]
        whole = exponent[0] == "q" and fraction_of(exponent).denominator == 1
        n = int(fraction_of(exponent)) if whole else 0
        if whole and isinstance(base, Fraction):
            if base == 0 and n < 0:
                raise NotThisKind(f"{plain(tree)}: a division by zero")
            return base**n
        if not whole or n == 0:
            return self.rule("power", tree)(base, self.fold(exponent))
        if n < 0:
            base = self.rule("inverse", tree)(base)
        result = base
        for _ in range(abs(n) - 1):
            result = times(result, base)
        return result


def times(left: Any, right: Any) -> Any:
    """Numbers and 1x1 objects scale with *, everything else multiplies with @."""
    if isinstance(left, Fraction):
        return left * right
    if isinstance(right, Fraction):
        return right * left
    if (1, 1) in (getattr(left, "shape", None), getattr(right, "shape", None)):
        return left * right
    try:
        return left @ right
    except TypeError:
        raise NotThisKind(
            f"{left!r} and {right!r} make no product: an index, which no formula has a letter for, stands in subscripts"
        ) from None
