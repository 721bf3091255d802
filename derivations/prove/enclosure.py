"""Rigorous enclosures over boxes: CERTIFIED where balls stay inside the stated bounds."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from flint import arb

from derivations.language.evaluate import ball, has_value, precision, value
from derivations.language.points import agrees_with, written
from derivations.language.terms import NotExact, symbols_in
from derivations.prove.certificate import Certificate, Json, Verdict, undecided
from derivations.prove.equality import Unsatisfiable, shown
from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.core.table.integrals import integral

BITS = 128
PIECES = (1, 2, 4, 8, 16, 32)
CELLS = (8, 128, 1024)  # parts of an interval of integration
MOST_BOXES, MOST_PARTS = 40_000, 4_096


def decide(statement: Json) -> Certificate:
    """CERTIFIED when every piece of the box maps inside the bounds, REFUTED at a point outside, else OPEN."""
    _require_box(statement)
    refuted = refutation(statement)
    if refuted is not None:
        return refuted
    for pieces in PIECES:
        if pieces ** len(statement["box"]) > MOST_BOXES:
            break
        for cells in CELLS if "integrals" in statement else (0,):
            if pieces ** len(statement["box"]) * cells > MOST_PARTS:
                break
            if all(inside(statement, piece, cells) for piece in boxes(statement["box"], pieces)):
                payload = {"bits": BITS, "pieces": pieces} | ({"cells": cells} if cells else {})
                return Certificate(statement, Verdict.CERTIFIED, "ball enclosure", payload)
    return undecided(statement, "balls over the box do not fit into the stated bounds")


def _require_box(statement: Json) -> None:
    integrals = statement.get("integrals", {})
    bound = {statement.get("variable"), *integrals}
    formulas = [statement["expression"], *(formula for entry in integrals.values() for formula in entry)]
    for name in sorted(set().union(*map(symbols_in, formulas)) - bound - set(statement["box"])):
        raise NotExact(f"the box gives no interval for {name}: give one, or a single point twice")
    for name, ends in statement["box"].items():
        assumptions, (low, high) = statement["symbols"][name], map(Fraction, ends)
        if low > high:
            raise Unsatisfiable(f"the interval of {name} ends before it begins: {low} to {high}")
        if not all(agrees_with(assumptions, v) for v in (low, high)) or ("nonzero" in assumptions and low < 0 < high):
            raise Unsatisfiable(f"the interval of {name} leaves what it is declared to be: {', '.join(assumptions)}")
    if statement["assuming"]:
        raise Unsatisfiable("an enclosure speaks of the points of its box: it takes no hypotheses besides")


def boxes(box: dict[str, list[str]], pieces: int) -> Any:
    """The box cut into equal parts along each axis, each part as balls."""
    axes = []
    for name, (low, high) in sorted(box.items()):
        start, step = Fraction(low), (Fraction(high) - Fraction(low)) / pieces
        axes.append([(name, start + step * i, start + step * (i + 1)) for i in range(pieces)])
    for cell in product(*axes):
        yield {name: ball((a + b) / 2) + arb(0, ball((b - a) / 2).abs_upper()) for name, a, b in cell}


def with_integrals(statement: Json, point: Any, cells: int) -> Any:
    """The point, and the values of integrals there for their letters, as the checker computes them."""
    table, x = statement.get("integrals", {}), statement.get("variable", "")
    return {**point, **{name: integral_in_balls(entry, x, point, cells) for name, entry in table.items()}}


def integral_in_balls(entry: Any, variable: str, point: Any, cells: int) -> Any:
    """A ball around an integral at a point; one that is not finite where none is found."""
    values = {name: ball(value) if isinstance(value, Fraction) else value for name, value in point.items()}
    try:
        with budget():
            return integral(normal(entry), variable, values, cells, BITS)
    except (Rejected, Undefined, ZeroDivisionError):
        return arb.nan()


def inside(statement: Json, cell: Any, cells: int = 0) -> bool:
    """Check whether the value over one part of the box lies strictly between the bounds."""
    found = _value(statement, with_integrals(statement, cell, cells))
    low, high = _bounds(statement)
    return found is not None and bool(low < found < high)


def _bounds(statement: Json) -> list[Any]:
    with precision(BITS):
        return [ball(Fraction(statement[bound])) for bound in ("lower", "upper")]


def _value(statement: Json, point: Any) -> Any:
    """The value at a point or over a part of the box, if there is one."""
    formula = statement["expression"]
    return value(formula, point, BITS) if has_value(formula, point, BITS) else None


def refutation(statement: Json) -> Certificate | None:
    """A point of the box at which the value leaves the bounds, if one is found."""
    names = sorted(statement["box"])
    candidates = product(
        *(
            [Fraction(lo), (Fraction(lo) + Fraction(hi)) / 2, Fraction(hi)]
            for lo, hi in (statement["box"][n] for n in names)
        )
    )
    if "integrals" in statement:  # those are refuted as they stand, and not in this form
        return None
    low, high = _bounds(statement)
    for values in candidates:
        point = dict(zip(names, values, strict=True))
        found = _value(statement, point)
        if found is not None and (found <= low or found >= high):
            bound = "lower" if found <= low else "upper"
            witness = {
                "point": written(point),
                "left": shown(statement["expression"], point, BITS),
                "right": statement[bound],
                "bits": BITS,
            }
            return Certificate(statement, Verdict.REFUTED, "exact point", {"bound": bound, "witness": witness})
    return None
