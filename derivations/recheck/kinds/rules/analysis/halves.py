"""A statement that holds where a symbol is not below a value, and where it is not above it, holds."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, name, rational, shown, term
from derivations.recheck.core.terms import ZERO, carried_out, subterms, whole_exponent
from derivations.recheck.kinds.rules.analysis.values import conditions, said_of
from derivations.recheck.kinds.rules.forms import only, rewritten, supposing


def halves(statement: Data, parameters: Data) -> list[Data]:
    """The value exists wherever the hypotheses hold, and lies on one side of the symbol or on the other.

    The symbol does not have the value itself if then a side of the statement would have a denominator that vanishes.
    """
    only(parameters, "symbol", "at", "below")
    if statement["kind"] != "sign":
        raise Rejected("halves show an inequality, and the statement is none")
    symbol, value, below = name(parameters["symbol"]), term(parameters["at"]), parameters["below"]
    if symbol not in statement["symbols"]:
        raise Rejected(f"{shown(symbol)} is not declared, so nothing is split by it")
    needed = [said_of(statement, *c) for c in conditions(value, statement["symbols"], smooth=False)]
    if below is not None:
        if not any(_divides(term(below), carried_out(statement[key])) for key in ("left", "right")):
            raise Rejected(f"no side of the statement is divided by {shown(below)}")
        head = {"kind": "identity", "symbols": statement["symbols"], "assuming": statement["assuming"]}
        needed.append(head | {"left": ("at", below, ((symbol, value),)), "right": ZERO})
    same, order = rewritten(statement, lambda formula: formula), ">=" if below is None else ">"
    up, down = (order, ("s", symbol), value), (order, value, ("s", symbol))
    return [*needed, supposing(same, up), supposing(same, down)]


def _divides(base: Term, formula: Term) -> bool:
    return any(
        inner[0] == "^" and inner[1] == base and inner[2][0] == "q" and rational(inner[2][1]) < 0
        for inner in subterms(formula)
    )


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
