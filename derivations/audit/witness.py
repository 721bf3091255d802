"""Why a statement is refuted, as a sentence: the exact point, matrices or arrays, and both sides there."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Mapping
from typing import Any

from derivations.language.show import cut
from derivations.recheck.ledgers.reading import formula
from derivations.recheck.reader.agree import printed_side

Entry = Mapping[str, Any]  # as a ledger has it
LONGEST_ARRAYS = 600  # characters that a reader still follows
LONGEST_PROOF = 200  # characters of a proved statement in a sentence
LIMIT = ("the limit", "as claimed")
SIDES = ("the left side", "the right side")


def reason(entry: Entry, longest: int = LONGEST_ARRAYS) -> str:
    """The sentence that says why a claim is refuted; empty for an entry without a certificate."""
    certificate = entry["certificate"]
    if certificate is None:
        return ""
    statement, payload = certificate["statement"], certificate["payload"]
    if payload.get("witness"):
        return _refused(entry, longest) or _sentence(_shown(certificate), names_of_sides(entry), longest)
    if "contrary" in payload:
        proved = "; ".join(formula(payload["contrary"]["statement"]))
        return f"It contradicts what is proved: {textwrap.shorten(proved, LONGEST_PROOF, placeholder=' ...')}."
    if "fails" in payload:
        return f"{formula({**statement, 'says': [statement['says'][payload['fails']['says']]]})[0]}: this fails."
    return "The expression grows without bound in the limit."


def briefly(entry: Entry, longest: int) -> str:
    """A shorter sentence for a list: the point, unless it is long, and the two values."""
    certificate = entry["certificate"]
    if certificate is None or not certificate["payload"].get("witness"):
        return reason(entry)
    given, sides = _place(_shown(certificate), longest)
    left, right = map(cut, sides)
    if len(left) + len(right) > longest:
        return "The certificate has an exact example."
    return _refused(entry, longest) or f"{given}: {left} against {right}.".removeprefix(": ")


def names_of_sides(entry: Entry) -> tuple[str, str]:
    """Names for the two sides of a statement: "as printed" and "derived" where one of them is the printed formula."""
    certificate = entry["certificate"]
    if certificate["statement"]["kind"] == "limit" or certificate["method"] == "another limit":
        return LIMIT
    if certificate["method"].startswith("the residual of"):
        return f"d{certificate['method'].split()[3]}/dt along the claimed curve", "by the flow"
    sides = {"left": ("as printed", "derived"), "right": ("derived", "as printed")}
    return sides.get(printed_side(entry["reading"], certificate["statement"]) or "", SIDES)


def _shown(certificate: Mapping[str, Any]) -> Mapping[str, Any]:
    """The witness without values for what has none there: what goes to zero in a limit, and variables of a flow."""
    witness: Mapping[str, Any] = certificate["payload"]["witness"]
    statement = certificate["statement"]
    without = {"limit": statement.get("variables", ()), "solves": statement.get("solution", ())}.get(
        statement["kind"], ()
    )
    if "point" not in witness or not without:
        return witness
    return {**witness, "point": {name: value for name, value in witness["point"].items() if name not in without}}


def _refused(entry: Entry, longest: int) -> str:
    """The sentence for an inequality, which fails where its two sides may be equal; empty for other statements."""
    statement = entry["certificate"]["statement"]
    if statement["kind"] != "sign":
        return ""
    given, (left, right) = _place(entry["certificate"]["payload"]["witness"], longest)
    return f"{given} it would need {cut(left)} {statement['relation']} {cut(right)}.".strip()


def _sentence(witness: Mapping[str, Any], names: tuple[str, str], longest: int) -> str:
    given, sides = _place(witness, longest)
    left, right = map(cut, sides)
    if names == SIDES:
        said = f"{given} the left side is {left} and the right side is {right}.".strip()
    else:
        said = f"{given}, {names[0]}: {left}, {names[1]}: {right}.".removeprefix(", ")
    return said[0].upper() + said[1:]


def _place(witness: Mapping[str, Any], longest: int) -> tuple[str, tuple[str, str]]:
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


def _place_in_arrays(witness: Mapping[str, Any], longest: int) -> str:
    """The sizes and arrays of a witness, and the indices at which the sides differ, counted from 1."""
    sizes, arrays = _listed(witness["sizes"], str), _listed(witness["arrays"], nested)
    arrays = _unless_long(arrays, longest, f"the arrays {', '.join(witness['arrays'])} of the certificate")
    place = ", ".join(f"{name} = {value + 1}" for name, value in witness["at"].items())
    return " and ".join(part for part in (sizes, arrays, place and f"at {place}") if part)


def _unless_long(text: str, longest: int, otherwise: str) -> str:
    return text if len(text) <= longest else otherwise


def _listed(values: Mapping[str, Any], written: Callable[[Any], str]) -> str:
    return ", ".join(f"{name} = {cut(written(value))}" for name, value in values.items())


def nested(values: Any) -> str:
    """An array of numbers in nested lists on one line."""
    return values if isinstance(values, str) else f"[{', '.join(map(nested, values))}]"


def rows(matrix: Any) -> str:
    """A matrix of exact numbers on one line: "[1, 2; 3, 4]"."""
    return f"[{'; '.join(', '.join(row) for row in matrix)}]"
