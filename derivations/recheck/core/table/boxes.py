"""Bounds over a box: balls over every piece stay inside, or the value at an exact point lies outside."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from flint import arb, ctx

from derivations.recheck.core.balls import Ball, Undefined, plain_enclosure, require_inside_defined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, Term, rational, require
from derivations.recheck.core.ring.point import check_refutation
from derivations.recheck.core.statements import agrees_with, setting
from derivations.recheck.core.table.integrals import integral, integrals_of
from derivations.recheck.core.terms import carried_out

MAX_PIECES = 50_000
Box = dict[str, tuple[Rational, Rational]]


def check_certified(statement: Data, payload: Data) -> None:
    formula, low, high = statement["expression"], *(rational(statement[key]) for key in ("lower", "upper"))
    table, x = integrals_of(statement) if "integrals" in statement else ({}, "")
    box = _box(statement, [formula, *(each for entry in table.values() for each in entry)], {x, *table} - {""})
    bits, pieces, parts = payload["bits"], payload["pieces"], payload["cells"] if table else 0
    plain = carried_out(formula)
    require(pieces ** len(box) <= MAX_PIECES, f"{pieces} pieces along each axis are more than {MAX_PIECES}: take fewer")
    with ctx.workprec(bits):
        for cell in _cells(box, pieces):
            try:
                cell |= {letter: integral(entry, x, cell, parts, bits) for letter, entry in table.items()}
                value = plain_enclosure(plain, cell, bits)
                require_inside_defined(formula, cell, bits)
            except Undefined:
                raise Rejected("the formula or a part of it need not have a value over one piece of the box") from None
            inside = arb(low) < value < arb(high)
            require(inside, "the ball over one piece of the box does not lie inside the stated bounds")


def _box(statement: Data, formulas: list[Term], bound: set[str]) -> Box:
    """The intervals of all symbols but bound ones, within what these are declared to be."""
    where, box = setting(statement), Box()
    require(not where.assuming, "an enclosure speaks of the points of its box: it must have no hypotheses besides")
    for symbol, ends in statement["box"].items():
        low, high = box[symbol] = tuple(map(rational, ends))
        require(low <= high, f"the interval of {symbol} is empty: {low} lies above {high}")
        is_free = symbol in where.symbols and symbol not in bound
        require(is_free, f"the box has an axis {symbol}, which is bound or not declared")
        told = where.symbols[symbol]
        agrees = all(agrees_with(told, value) for value in (low, high)) and not ("nonzero" in told and low < 0 < high)
        require(agrees, f"the interval of {symbol} leaves what it is declared to be: {' and '.join(told)}")
    missing = sorted(where.free(*formulas) - bound - set(box))
    require(not missing, f"the box gives no interval for {', '.join(missing)}")
    return box


def _cells(box: Box, pieces: int) -> Iterator[dict[str, Ball]]:
    """The box cut into equal parts along each axis, each part as balls that together cover it."""
    for numbers in product(range(pieces), repeat=len(box)):
        cell = {}
        for i, (symbol, (low, high)) in zip(numbers, sorted(box.items()), strict=True):
            half = (high - low) / (2 * pieces)
            cell[symbol] = arb(low + half * (2 * i + 1)) + arb(0, arb(half).abs_upper())
        yield cell


def check_refuted(statement: Data, payload: Data) -> None:
    """At a point of the box the value certainly is not on the stated side of one of the bounds."""
    require("integrals" not in statement, "an enclosure with integrals is not refuted in this form")
    formula, witness = statement["expression"], payload["witness"]
    low, high = (("q", statement[each]) for each in ("lower", "upper"))
    inside: list[Term] = []
    for x in _box(statement, [formula], set()):
        first, last = (("q", end) for end in statement["box"][x])
        inside += [(">=", ("s", x), first), (">=", last, ("s", x))]
    claim = {"kind": "sign", "symbols": statement["symbols"], "assuming": tuple(inside), "relation": ">"}
    if payload["bound"] == "lower":
        check_refutation(claim | {"left": formula, "right": low}, payload)
    else:
        turned = {"left": witness["right"], "right": witness["left"]}
        check_refutation(claim | {"left": high, "right": formula}, {"witness": witness | turned})
