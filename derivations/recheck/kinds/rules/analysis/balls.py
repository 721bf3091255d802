"""A difference that is positive all over a box is positive where the hypotheses lead into the box."""

from __future__ import annotations

from derivations.recheck.core.conditions import said_of
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, name, part, rational, shown
from derivations.recheck.core.terms import carried_out, difference
from derivations.recheck.kinds.rules.forms import only


def balls(statement: Data, parameters: Data) -> list[Data]:
    """Every point of the statement lies in the box, and over the closed box the difference is positive."""
    only(parameters, "box", "upper")
    if statement["kind"] != "sign":
        raise Rejected("balls show an inequality, and the statement is none")
    box = part(parameters, "box", dict, "the parameters")
    needed = []
    for symbol in sorted(box):
        axis = box[symbol]
        if name(symbol) not in statement["symbols"] or not isinstance(axis, tuple) or len(axis) != 2:
            raise Rejected(f"a box gives two ends for a declared symbol, got {shown(axis)} for {shown(symbol)}")
        for end in axis:
            rational(end, "an end of a box")
        here, low, high = ("s", symbol), ("q", axis[0]), ("q", axis[1])
        needed += [said_of(statement, ">=", here, low), said_of(statement, ">=", high, here)]
    positive = {
        "kind": "enclosure",
        "symbols": dict.fromkeys(box, ()),
        "assuming": (),
        "expression": carried_out(difference(statement["left"], statement["right"])),
        "box": box,
        "lower": "0",
        "upper": part(parameters, "upper", str, "the parameters"),
    }
    return [*needed, positive]
