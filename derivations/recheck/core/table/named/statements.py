"""Named functions for the statement that a rule is used on, and known sines."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import fmpq

from derivations.recheck.core.load import Data, Term, rational
from derivations.recheck.core.statements import Setting
from derivations.recheck.core.terms import ONE, minus, prepared, replaced, require_small
from derivations.recheck.core.theorems import Reading, known_values


def put(reading: Reading, *pairs: Term) -> Data:
    """The statement with formulas for others that equal them, hyperbolic functions written as exponentials."""

    def new(formula: Term) -> Term:
        formula = prepared(formula)
        for old, instead in zip(pairs[::2], pairs[1::2], strict=True):
            formula = replaced(formula, prepared(old), instead)
        return require_small(formula)

    statement = reading.known["statement"]
    assuming = tuple((r[0], new(r[1]), new(r[2])) for r in statement["assuming"])
    return statement | {"assuming": assuming, "left": new(statement["left"]), "right": new(statement["right"])}


def givens(_: Reading, declared: Data, supposed: list[Any]) -> list[Any]:
    """Hypotheses, and what is declared of symbols, as relations."""
    return [*supposed, *Setting(declared, ()).givens]


def under(reading: Reading, declared: Data, supposed: list[Any]) -> Data:
    """The statement under other hypotheses, with other symbols declared."""
    statement: Data = reading.known["statement"]
    return statement | {"symbols": declared, "assuming": tuple(supposed)}


def cosine(_: Reading, turn: Term) -> Term:
    """The cosine of a multiple of pi, which is even, goes on after two, and changes its sign after one."""
    number = abs(rational(turn[1]))
    number = number - 2 * (number / 2).floor()
    number = min(number, 2 - number)
    known = known_values("cosines")
    return known[str(number)] if number <= fmpq(1, 2) else minus(known[str(1 - number)])


def sine(reading: Reading, turn: Term) -> Term:
    return cosine(reading, ("q", str(fmpq(1, 2) - rational(turn[1]))))


NAMED: dict[str, Callable[..., Any]] = {
    "put": put, "givens": givens, "under": under, "cosine": cosine, "sine": sine,
    "prod": lambda _, items: ("*", ONE, *items),
}  # fmt: skip
