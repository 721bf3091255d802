"""Exact points at which balls around integrals show that a relation between them fails."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, product
from typing import Any

from derivations.language.evaluate import evaluate, inside_has_values, precision
from derivations.language.points import points, satisfies, written
from derivations.language.terms import subtract
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.enclosure import with_integrals
from derivations.prove.rules.analysis.interval import bounds
from derivations.prove.schemas.integrals.names import INFINITE

BITS = 192
TRIES, CELLS = 12, (16, 256)
NARROW = 1e-15  # a ball around zero, which more parts would hardly move away from it
METHOD = "exact point"


def refutation(statement: Json) -> Certificate | None:
    """A point at which balls show that the relation fails."""
    if any(end in INFINITE for entry in statement["integrals"].values() for end in entry[1:]):
        return None
    bound = {*statement["integrals"], statement["variable"]}
    known = {name: told for name, told in statement["symbols"].items() if name not in bound}
    plain = {"kind": "identity", "symbols": known, "assuming": statement["assuming"], "left": ("q", "0")}
    drawn = islice(points(plain | {"right": ("q", "0")}), TRIES)
    for point in [*drawn, *_corners(plain)]:
        for cells in CELLS:
            found = _at(statement, point, cells)
            if isinstance(found, Certificate):
                return found
            if found:
                break
    return None


def _corners(plain: Json) -> Iterator[dict[str, Fraction]]:
    """The corners of the box of numbers that the hypotheses name, if they belong to the statement."""
    axes = {
        name: [v for side in bounds(plain, name) for t in side if (v := number(t)) is not None]
        for name in plain["symbols"]
    }
    for values in islice(product(*axes.values()), TRIES):
        found = dict(zip(axes, values, strict=True))
        if found and satisfies(found, plain["symbols"], plain["assuming"]):
            yield found


def _at(statement: Json, point: Any, cells: int) -> Certificate | bool:
    """A refutation at a point, or else whether more parts of the intervals would show nothing else there."""
    gap = subtract(statement["left"], statement["right"])
    with precision(BITS):
        try:
            inner = with_integrals(statement, point, cells)
            if not all(value.is_finite() for name, value in inner.items() if name not in point):
                return False
            value = evaluate(gap, inner)
            if not value.is_finite() or not inside_has_values(gap, inner):
                return False
        except (ZeroDivisionError, ValueError, KeyError):
            return False
        fails = value != 0 if statement["relation"] == "=" else value < 0
        if not fails:
            return bool(value > 0 or value.rad() < NARROW)
        values = {side: evaluate(statement[side], inner) for side in ("left", "right")}
        sides = {side: value.mid().str(15, radius=False) for side, value in values.items()}
    witness = {"point": written(point), **sides, "bits": BITS}
    return Certificate(statement, Verdict.REFUTED, METHOD, {"witness": witness, "cells": cells})


def number(term: Any) -> Fraction | None:
    """The value of a term that is a number."""
    return Fraction(term[1]) if term[0] == "q" else None
