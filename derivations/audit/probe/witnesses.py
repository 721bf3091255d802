"""Witnesses put back into the statements that they refute."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import mpmath
from flint import fmpq, fmpq_mat

from derivations.audit.probe import arrays, averages, matrices, scalars
from derivations.audit.probe.instances import completed
from derivations.audit.probe.jets import NoMatrix
from derivations.audit.probe.numbers import NoValue, number, value
from derivations.audit.probe.points import holds, satisfied


def is_no_witness(certificate: Any) -> Any:
    """Why a witness does not refute its statement, None where it does; NotImplemented where there is none to try."""
    statement, witness = certificate["statement"], certificate["payload"].get("witness")
    if not isinstance(witness, dict):
        return NotImplemented
    match statement["kind"]:
        case "identity" | "sign" if "point" in witness:
            return _point(statement, witness["point"])
        case "average":
            return averages.is_no_witness(statement, witness, random.Random(str(witness["point"])))
        case "words" | "loewner" if "matrices" in witness:
            return _matrices(statement, witness)
        case "sums" if "arrays" in witness:
            return _arrays(statement, witness)
    return NotImplemented


def _point(statement: Any, point: dict[str, str]) -> str | None:
    at = {name: mpmath.mpf(number(text)) for name, text in point.items()}
    try:
        if not satisfied(statement["assuming"], at):
            return "a hypothesis does not hold at the witness"
        left, right = value(statement["left"], at), value(statement["right"], at)
    except NoValue:
        return "a side has no value at the witness"
    if statement["kind"] == "sign":
        relation = (statement["relation"], statement["left"], statement["right"])
        return "the inequality holds at the witness" if holds(relation, at) else None
    return "both sides are equal at the witness" if scalars.close(left, right) else None


def _matrices(statement: Any, witness: Any) -> str | None:
    given = {name: _matrix(rows) for name, rows in witness["matrices"].items()}
    sizes, every = completed(statement["letters"], witness["dims"], given, "whatever cancels")
    at = matrices.Evaluation(statement["letters"], sizes, every)
    try:
        met = matrices.supposed(at, statement)
        same = matrices.holds(at, statement)
    except (matrices.NotGiven, NoMatrix) as missing:
        return f"the witness leaves something undefined: {missing}"
    if not met:
        return "a hypothesis does not hold at the witness"
    what = "the inequality holds" if statement["kind"] == "loewner" else "both sides are equal"
    return f"{what} at the witness" if same else None


def _matrix(rows: list[list[str]]) -> Any:
    entries = [[Fraction(text) for text in row] for row in rows]
    flat = [fmpq(x.numerator, x.denominator) for row in entries for x in row]
    return fmpq_mat(len(rows), len(rows[0]) if rows else 0, flat)


def _arrays(statement: Any, witness: Any) -> str | None:
    given = {name: dict(_flat(nested)) for name, nested in witness["arrays"].items()}
    sizes, free = witness["sizes"], witness["at"]
    if not all(arrays.same(rule, sizes, given) for rule in statement["rules"]):
        return "a hypothesis does not hold at the witness"
    same = arrays.side(statement["left"], free, sizes, given) == arrays.side(statement["right"], free, sizes, given)
    return "both sides are equal at the witness" if same else None


def _flat(nested: Any, at: tuple[int, ...] = ()) -> Any:
    if not isinstance(nested, list):
        yield at, Fraction(nested)
        return
    for k, part in enumerate(nested):
        yield from _flat(part, (*at, k))
