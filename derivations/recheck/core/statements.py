"""The parts that statements share: symbols with their assumptions, hypotheses, exact points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from flint import fmpq

from derivations.recheck.core.balls import Ball, Undefined, enclosure, exact, require_inside_defined, sign_at
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import (
    Data,
    Rational,
    Term,
    rational,
    require,
    shown,
)
from derivations.recheck.core.terms import ZERO, difference, free_in

POINT_BITS = 256
HINTS = {"squares", "among"}  # parts of statements that help a prover
MATRICES, ARRAYS = ("dims", "matrices"), ("sizes", "arrays")  # the parts of an instance
Values = dict[str, Rational]


@dataclass(frozen=True)
class Setting:
    """The suppositions of a scalar statement."""

    symbols: dict[str, tuple[str, ...]]
    assuming: tuple[Term, ...]

    @property
    def givens(self) -> tuple[Term, ...]:
        """The hypotheses, then what the words say that stand beside the symbols."""
        words = [(symbol, *WORDS[word]) for symbol, said in sorted(self.symbols.items()) for word in said]
        return (*self.assuming, *((relation, *(("s", x), ZERO)[::sign]) for x, relation, sign in words))

    def free(self, *terms: Term) -> frozenset[str]:
        """The free symbols of some formulas and of the hypotheses; all of them must be declared."""
        spoken = free_in([*terms, *(side for r in self.assuming for side in r[1:])])
        missing = sorted(spoken - set(self.symbols))
        require(not missing, f"the statement speaks of {', '.join(missing)} without declaring it among its symbols")
        return spoken


WORDS = {
    "positive": (">", 1),
    "negative": (">", -1),
    "nonnegative": (">=", 1),
    "nonpositive": (">=", -1),
    "nonzero": ("!=", 1),
}
"""Meanings of the words beside a symbol: the relation to zero of the symbol, or of its negative."""
SIGNS = {"=": (0,), "!=": (-1, 1), ">": (1,), ">=": (0, 1)}
"""The signs that a number may have which has a relation to zero."""


def setting(statement: Data) -> Setting:
    """Return what a statement supposes; hints for a prover are formulas of its symbols."""
    symbols = statement["symbols"]
    for symbol, assumed in symbols.items():
        possible = any(agrees_with(assumed, fmpq(value)) for value in (-1, 0, 1))
        require(possible, f"no number is {' and '.join(assumed)}, as {symbol} is declared to be")
    declared = free_in(statement.get("squares", ())) <= set(symbols)
    require(declared, "a hint speaks of what the statement does not declare")
    return Setting(symbols, statement["assuming"])


def point(data: Data, symbols: Iterable[str], free: frozenset[str]) -> Values:
    """An exact point: a value for every free symbol, and for none that is not declared."""
    missing, strange = sorted(free - set(data)), sorted(set(data) - set(symbols))
    require(not missing, f"the exact point gives no value for {', '.join(missing)}")
    require(
        not strange, f"the exact point gives a value for {', '.join(strange)}, which the statement does not declare"
    )
    return {key: rational(value) for key, value in data.items()}


def sign_of(value: Rational) -> int:
    return int(value > 0) - int(value < 0)


def agrees_with(assumed: Iterable[str], value: Rational) -> bool:
    """Check whether a number is what words say of a symbol."""
    return all(sign * sign_of(value) in SIGNS[relation] for relation, sign in map(WORDS.__getitem__, assumed))


def holds(hypothesis: Term, values: Values) -> bool:
    """Check that a hypothesis certainly holds; an equation only where rational arithmetic reaches both of its sides."""
    try:
        gap = difference(hypothesis[1], hypothesis[2])
        if hypothesis[0] == "=":
            return exact(gap, values) == 0
        return sign_at(gap, values, POINT_BITS) in SIGNS[hypothesis[0]]
    except Undefined:
        return False


def require_givens(where: Setting, values: Values) -> None:
    """The point satisfies every hypothesis, and what is declared of its symbols, or is refused."""
    declared = {symbol: said for symbol, said in where.symbols.items() if symbol in values}
    for given in Setting(declared, where.assuming).givens:
        require(holds(given, values), f"the hypothesis {shown(given)} does not certainly hold at the exact point")


def relation_of(statement: Data) -> str:
    """The relation that a statement about two numbers states."""
    return str(statement.get("relation", "="))


def require_inhabited(where: Setting, data: Data, *formulas: Term) -> list[Ball]:
    """A point satisfies the hypotheses and gives some formulas values, so that the statement is about something."""
    values = point(data, where.symbols, where.free(*formulas))
    require_givens(where, values)
    try:
        for formula in formulas:
            require_inside_defined(formula, values, POINT_BITS)
        return [enclosure(formula, values, POINT_BITS) for formula in formulas]
    except Undefined:
        raise Rejected("a formula has no value at the point that should show what the statement is about") from None


def says(statement: Data, needed: Data) -> bool:
    """Check whether two statements are the same, but for hints, and letters of which the needed one supposes more.

    That a matrix has an inverse at all times is said with as few letters as it takes, and needed among all of a use.
    """
    differs = {key for key in {*statement, *needed} - HINTS if statement.get(key) != needed.get(key)}
    if differs == {"letters"} and needed.get("form") == "invertible at all times":
        return bool(statement["letters"].items() <= needed["letters"].items())
    return not differs
