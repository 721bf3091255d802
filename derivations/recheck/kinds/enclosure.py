"""Bounds over a box: balls over every piece stay inside, or the value at an exact point lies outside."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from flint import arb, ctx

from derivations.recheck.core.balls import Ball, Undefined, plain_enclosure, require_inside_defined, sign_at
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import MAX_BITS, Data, Rational, Term, integer, part, rational, shown
from derivations.recheck.core.point import require_printed
from derivations.recheck.core.statements import Setting, agrees_with, bits_of, point, require_givens, setting, side
from derivations.recheck.core.terms import carried_out, difference, subterms
from derivations.recheck.kinds.schemas.integrals.quadrature import MAX_CELLS, integral, integrals_of

MAX_PIECES = 50_000
MAX_OPERATIONS = 20_000_000
Box = dict[str, tuple[Rational, Rational]]


def check_certified(statement: Data, payload: Data) -> None:
    where, formula = _setting(statement), side(statement, "expression")
    low, high = _bounds(statement)
    table, x = integrals_of(statement) if "integrals" in statement else ({}, "")
    asked = where.free(formula, *_formulas(table)) - {x, *table}
    box = _box(statement, asked)
    if set(box) & {x, *table}:
        raise Rejected("a box gives no interval for an integral or its variable")
    bits = integer(part(payload, "bits", int, "the payload"), 2, MAX_BITS, "the precision in bits")
    pieces = integer(part(payload, "pieces", int, "the payload"), 1, MAX_PIECES, "the number of pieces")
    if pieces ** len(box) > MAX_PIECES:
        raise Rejected(f"{pieces} pieces along each of {len(box)} axes are more than {MAX_PIECES}: take fewer")
    parts = integer(part(payload, "cells", int, "the payload"), 1, MAX_CELLS, "the number of parts") if table else 0
    plain = carried_out(formula)
    if pieces ** len(box) * sum(1 for _ in subterms(plain)) > MAX_OPERATIONS:
        raise Rejected("evaluating the formula over every piece takes too long: take fewer pieces or a shorter formula")
    with ctx.workprec(bits):
        for cell in _cells(box, pieces):
            try:
                cell |= {letter: integral(entry, x, cell, parts, bits) for letter, entry in table.items()}
                value = plain_enclosure(plain, cell, bits)
                require_inside_defined(formula, cell, bits)
            except Undefined:
                raise Rejected("the formula or a part of it need not have a value over one piece of the box") from None
            if not arb(low) < value or not value < arb(high):
                raise Rejected("the ball over one piece of the box does not lie inside the stated bounds")


def _formulas(table: Data) -> list[Term]:
    return [formula for entry in table.values() for formula in entry]


def _setting(statement: Data) -> Setting:
    where = setting(statement)
    if where.assuming:
        raise Rejected("an enclosure speaks of the points of its box: it must have no hypotheses besides")
    return where


def _bounds(statement: Data) -> tuple[Rational, Rational]:
    return rational(statement.get("lower"), "the lower bound"), rational(statement.get("upper"), "the upper bound")


def _box(statement: Data, free: frozenset[str]) -> Box:
    box = {}
    for symbol, ends in part(statement, "box", dict, "the statement").items():
        if not isinstance(ends, tuple) or len(ends) != 2:
            raise Rejected(f"the interval of {symbol} must have two ends, got {shown(ends)}")
        low, high = (rational(end, f"an end of the interval of {symbol}") for end in ends)
        if low > high:
            raise Rejected(f"the interval of {symbol} is empty: {low} lies above {high}")
        if symbol not in statement["symbols"]:
            raise Rejected(f"the box has an axis {symbol} that the statement does not declare")
        told = statement["symbols"][symbol]
        if not all(agrees_with(told, value) for value in (low, high)) or ("nonzero" in told and low < 0 < high):
            raise Rejected(f"the interval of {symbol} leaves what it is declared to be: {' and '.join(told)}")
        box[symbol] = (low, high)
    missing = sorted(free - set(box))
    if missing:
        raise Rejected(f"the box gives no interval for {', '.join(missing)}")
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
    if "integrals" in statement:
        raise Rejected("an enclosure with integrals is not refuted in this form")
    where, formula = _setting(statement), side(statement, "expression")
    _bounds(statement)
    box = _box(statement, where.free(formula))
    witness = part(payload, "witness", dict, "the payload")
    bits = bits_of(witness)
    values = point(part(witness, "point", dict, "the witness"), box, where.free(formula))
    for symbol, value in values.items():
        if not box[symbol][0] <= value <= box[symbol][1]:
            raise Rejected(f"the exact point gives {symbol} = {value}, which lies outside the box")
    require_givens(where, values)
    require_printed(part(witness, "left", str, "the witness"), "left", formula, values, bits)
    bounds = f"{statement['lower']} to {statement['upper']}"
    if part(witness, "right", str, "the witness") not in (bounds, statement["lower"], statement["upper"]):
        raise Rejected(f"the witness compares with {shown(witness['right'])} and not with the stated bounds {bounds}")
    require_inside_defined(formula, values, bits)
    below, above = (sign_at(difference(formula, ("q", statement[end])), values, 2 * bits) for end in ("lower", "upper"))
    if below not in (-1, 0) and above not in (0, 1):
        raise Rejected("the value at the exact point does not certainly lie outside the stated bounds")
