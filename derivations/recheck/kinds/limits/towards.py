"""Where the variable of a limit goes, and infinite values."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, name, part, shown, term
from derivations.recheck.core.statements import setting
from derivations.recheck.core.terms import ZERO, free

INFINITE = (("oo",), ("-oo",))
FROM_ABOVE: Term = ("above", ZERO)


def variables_of(statement: Data) -> tuple[str, ...]:
    """The variables of a limit; without a place to go, all of them go to zero from above."""
    variables = tuple(name(variable) for variable in part(statement, "variables", tuple, "the statement"))
    where = setting(statement)
    if not variables or len(set(variables)) != len(variables):
        raise Rejected(f"a limit needs at least one variable, each listed once, got {shown(variables)}")
    for variable in variables:
        if variable not in where.symbols:
            raise Rejected(f"the variable {variable} is not declared among the symbols of the limit")
        if "towards" not in statement and "positive" not in where.symbols.get(variable, ()):
            raise Rejected(f"the variable {variable} goes to zero from above and must be declared positive")
    if "towards" in statement and len(variables) > 1:
        raise Rejected("only one variable goes to infinity, or to another point than zero from above")
    value = value_of(statement)
    if value not in INFINITE and free(value) & set(variables):
        raise Rejected("the value of a limit must not speak of the variables that move")
    return variables


def value_of(statement: Data) -> Term:
    """The value: a formula, or one of the two infinities."""
    value: Term = part(statement, "value", tuple, "the statement")
    return value if value in INFINITE else term(value)


def towards_of(statement: Data) -> Term:
    """Where the one variable goes: to an infinity, or to a point from above or below."""
    if "towards" not in statement:
        return FROM_ABOVE
    towards: Term = part(statement, "towards", tuple, "the statement")
    if towards in INFINITE:
        return towards
    if len(towards) != 2 or towards[0] not in ("above", "below"):
        raise Rejected(f"a variable goes to oo, to -oo, or to a point from above or below, got {shown(towards)}")
    if free(term(towards[1])) & set(statement["variables"]):
        raise Rejected("the point to which a variable goes must not speak of the variable")
    return towards
