"""Why a statement is refuted, as a sentence: the exact point, matrices or arrays, and both sides there."""

from __future__ import annotations

import json
import textwrap
from typing import Any

import sympy as sp

from derivations.audit.probe.trajectories.failures import told
from derivations.audit.verify import Outcome
from derivations.language import show, sums
from derivations.language import words as operators
from derivations.language.show import cut, nested, rows
from derivations.language.sums import Sums
from derivations.language.terms import from_json, from_sympy
from derivations.language.words import Words
from derivations.prove.certificate import Certificate, Json

LONGEST_ARRAYS = 600  # characters that a reader still follows
LONGEST_PROOF = 200  # characters of a proved statement in a sentence
LIMIT = ("the limit", "as claimed")
SIDES = ("the left side", "the right side")


def reason(outcome: Outcome, longest: int = LONGEST_ARRAYS) -> str:
    """The sentence that says why a claim is refuted."""
    certificate = outcome.certificate
    if certificate is None:
        return ""
    if certificate.witness:
        return _refused(outcome, longest) or witness_text(_told(certificate), names_of_sides(outcome), longest)
    if "contrary" in certificate.payload:
        proved = "; ".join(show.sentences(certificate.payload["contrary"]["statement"]))
        return f"It contradicts what is proved: {textwrap.shorten(proved, LONGEST_PROOF, placeholder=' ...')}."
    if "fails" in certificate.payload:
        return told(certificate.statement, certificate.payload["fails"])
    return "The expression grows without bound in the limit."


def briefly(outcome: Outcome, longest: int) -> str:
    """A shorter sentence for a list: the point, unless it is long, and the two values."""
    certificate = outcome.certificate
    if certificate is None or not certificate.witness:
        return reason(outcome)
    given, sides = _place(_told(certificate), longest)
    left, right = map(cut, sides)
    if len(left) + len(right) > longest:
        return "The certificate has an exact example."
    return _refused(outcome, longest) or f"{given}: {left} against {right}.".removeprefix(": ")


def _told(certificate: Certificate) -> Json:
    """The witness without values for what has none there: what goes to zero in a limit, and variables of a flow."""
    witness: Json = certificate.witness or {}
    statement = certificate.statement
    without = {"limit": statement.get("variables", ()), "solves": statement.get("solution", ())}.get(
        statement["kind"], ()
    )
    if "point" not in witness or not without:
        return witness
    return {**witness, "point": {name: value for name, value in witness["point"].items() if name not in without}}


def _refused(outcome: Outcome, longest: int) -> str:
    """The sentence for an inequality, which fails where its two sides may be equal; empty for other statements."""
    certificate = outcome.certificate
    if certificate is None or not certificate.witness or certificate.statement["kind"] != "sign":
        return ""
    given, (left, right) = _place(certificate.witness, longest)
    return f"{given} it would need {cut(left)} {certificate.statement['relation']} {cut(right)}.".strip()


def names_of_sides(outcome: Outcome) -> tuple[str, str]:
    """Names for the two sides of a statement: "as printed" and "derived" where one of them is the printed formula."""
    certificate, printed = outcome.certificate, outcome.entry.printed
    if certificate is None:
        return SIDES
    kind = certificate.statement["kind"]
    if kind == "limit" or certificate.method == "another limit":
        return LIMIT
    if certificate.method.startswith("the residual of"):
        variable = certificate.method.split()[3]
        return f"d{variable}/dt along the claimed curve", "by the flow"
    if printed and {"left", "right"} <= set(certificate.statement):
        is_printed = [_is_printed(certificate.statement[side], kind, printed.right) for side in ("left", "right")]
        if sum(is_printed) == 1:
            return ("as printed", "derived") if is_printed[0] else ("derived", "as printed")
    return SIDES


def _is_printed(side: Any, kind: str, written: Any) -> bool:
    """Whether a side of a statement is the last side of the printed formula itself."""
    if kind == "words" and isinstance(written, Words):
        return _same(side, operators.as_written(written))
    if kind == "sums" and isinstance(written, Sums):
        return _same(side, sums.as_written(written))
    return kind == "identity" and isinstance(written, sp.Basic) and from_json(side) == from_sympy(written)


def _same(one: Any, other: Any) -> bool:
    """Whether two terms are the same data; those that were read from a file have lists in place of tuples."""
    return json.dumps(one) == json.dumps(other)


def witness_text(witness: Json, names: tuple[str, str] = SIDES, longest: int = LONGEST_ARRAYS) -> str:
    """A witness as a sentence; `names` are the names of the two sides.

    >>> witness_text({"point": {"x": "-1"}, "left": "1", "right": "-1"})
    'At x = -1 the left side is 1 and the right side is -1.'
    """
    given, sides = _place(witness, longest)
    left, right = map(cut, sides)
    if names == SIDES:
        text = f"{given} the left side is {left} and the right side is {right}.".strip()
    else:
        text = f"{given}, {names[0]}: {left}, {names[1]}: {right}.".removeprefix(", ")
    return text[0].upper() + text[1:]


def _place(witness: Json, longest: int) -> tuple[str, tuple[str, str]]:
    """Where the sides differ, as "At x = 1" or "For N = 2 and W = [1]", and what they are."""
    if "point" in witness:
        given = _listed(witness["point"], str)
        return (f"At {given}" if given else ""), (witness["left"], witness["right"])
    if "arrays" in witness:
        return f"For {_place_in_arrays(witness, longest)}", (witness["left"], witness["right"])
    sizes, matrices = _listed(witness["dims"], str), _listed(witness["matrices"], rows)
    given = f"For {_unless_long(f'{sizes} and {matrices}', longest, sizes)}"
    if "vector" in witness:
        given += f", on both sides of x = ({', '.join(witness['vector'])}),"
    return given, (rows(witness["left"]), rows(witness["right"]))


def _listed(values: dict[str, Any], written: Any) -> str:
    return ", ".join(f"{name} = {cut(written(value))}" for name, value in values.items())


def _place_in_arrays(witness: Json, longest: int) -> str:
    """The sizes and arrays of a witness, and the indices at which the sides differ, counted from 1."""
    sizes, arrays = _listed(witness["sizes"], str), _listed(witness["arrays"], nested)
    arrays = _unless_long(arrays, longest, f"the arrays {', '.join(witness['arrays'])} of the certificate")
    place = ", ".join(f"{name} = {value + 1}" for name, value in witness["at"].items())
    return " and ".join(part for part in (sizes, arrays, place and f"at {place}") if part)


def _unless_long(text: str, longest: int, otherwise: str) -> str:
    return text if len(text) <= longest else otherwise
