"""An even power is positive where its base is positive, or everywhere negative."""

from __future__ import annotations

from derivations.recheck.core.conditions import said_of
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, shown
from derivations.recheck.core.terms import ZERO, carried_out, whole_exponent
from derivations.recheck.kinds.rules.forms import only


def sign_of_base(statement: Data, parameters: Data) -> list[Data]:
    """An even power is positive where its base is positive, or everywhere negative."""
    only(parameters, "sign")
    power = carried_out(statement["left"])
    even = power[0] == "^" and (whole_exponent(power) or 1) % 2 == 0
    if statement["kind"] != "sign" or statement["relation"] != ">" or statement["right"] != ZERO or not even:
        raise Rejected("the sign of a base shows that an even power is positive, and the statement is another")
    if parameters["sign"] not in (1, -1) or isinstance(parameters["sign"], bool):
        raise Rejected(f"the sign of a base is 1 or -1, got {shown(parameters['sign'])}")
    if parameters["sign"] == 1:
        return [said_of(statement, ">", power[1])]
    return [said_of(statement, ">", ZERO, power[1])]
