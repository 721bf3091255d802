"""larger > smaller where larger >= 0 and larger^2 > smaller^2, for sides that differ so times something positive."""

from __future__ import annotations

from derivations.recheck.core.conditions import said_of
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, term
from derivations.recheck.core.terms import TWO, difference
from derivations.recheck.kinds.rules.forms import only
from derivations.recheck.kinds.rules.witnesses import demanded, equal


def squared(statement: Data, parameters: Data) -> list[Data]:
    """(left - right) scale = larger - smaller with scale > 0, and all three have values where the statement speaks."""
    only(parameters, "larger", "smaller", "scale")
    if statement["kind"] != "sign":
        raise Rejected("squares of both sides show an inequality, and the statement is none")
    larger, smaller, scale = (term(parameters[key]) for key in ("larger", "smaller", "scale"))
    scaled = ("*", difference(statement["left"], statement["right"]), scale)
    return [
        equal(statement, scaled, difference(larger, smaller)),
        *(needed for formula in (larger, smaller, scale) for needed in demanded(statement, formula)),
        said_of(statement, ">", scale),
        said_of(statement, ">=", larger),
        said_of(statement, statement["relation"], ("^", larger, TWO), ("^", smaller, TWO)),
    ]
