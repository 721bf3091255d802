"""Named functions for statements with letters for integrals, and for what balls show over a box."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from derivations.recheck.core.load import Data, Term
from derivations.recheck.core.slots import INFINITE
from derivations.recheck.core.table.named.numbers import names
from derivations.recheck.core.terms import carried_out, free
from derivations.recheck.core.theorems import Reading


def integrals(reading: Reading, left: Term, order: str, right: Term) -> Data:
    """A relation with the integrals whose letters it names, and no other letters of the table."""
    return _about(reading, left, order, right, free(left) | free(right))


def of_rate(reading: Reading, left: Term, order: str, right: Term, rate: list[Term]) -> Data:
    """A relation with a letter for a rate, which comes with the integral and the symbol that it belongs to."""
    letter, of, by = (name for _, name in rate)
    return _about(reading, left, order, right, free(left) | free(right) | {of}, rates={letter: (of, by)})


def _about(reading: Reading, left: Term, order: str, right: Term, named: frozenset[str], **more: Data) -> Data:
    whole = reading.slots["integrals"]
    table = {letter: entry for letter, entry in whole.items() if letter in named}
    found = reading.said("integrals", "variable", integrals=table, relation=order, left=left, right=right, **more)
    return without(reading, found, whole.keys() - table.keys())


def without(reading: Reading, said: Any, *things: Any) -> Data:
    """A statement that does not declare some symbols, of which it does not speak."""
    statement, gone = reading.statement(said), names(things)
    return statement | {"symbols": {x: told for x, told in statement["symbols"].items() if x not in gone}}


def in_box(_: Reading, box: Data) -> list[Any]:
    sides = [((">=", ("s", x), ("q", low)), (">=", ("q", high), ("s", x))) for x, (low, high) in box.items()]
    return [side for pair in sides for side in pair]


def positive_on(_: Reading, formula: Term, box: Data, upper: str, variable: Term = (), table: Data = None) -> Data:
    """That a formula, with letters for integrals of a table, is positive over a box, and not above a number."""
    table = {letter: entry for letter, entry in (table or {}).items() if letter in free(formula)}
    bound = {"variable": variable[1], "integrals": table} if table else {}
    symbols = dict.fromkeys((*box, *table, *([variable[1]] if table else ())), ())
    head = {"kind": "enclosure", "symbols": symbols, "assuming": (), "lower": "0", "upper": upper}
    return head | bound | {"expression": carried_out(formula), "box": box}


NAMED: dict[str, Callable[..., Any]] = {
    "integrals": integrals, "of_rate": of_rate, "without": without, "in_box": in_box, "positive_on": positive_on,
    "letter": lambda _, name: ("s", name),
    "endless": lambda _, *ends: frozenset(end[0] for end in ends if end in INFINITE),
}  # fmt: skip
