"""Where the variables of a limit go, and infinite values."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, name, part, require, shown, term
from derivations.recheck.core.statements import setting
from derivations.recheck.core.terms import MINUS_ONE, free, minus, parts

INFINITE = (("oo",), ("-oo",))


def variables_of(statement: Data) -> tuple[str, ...]:
    """The variables of a limit; without a place to go, all of them go to zero from above."""
    variables = tuple(map(name, part(statement, "variables", tuple, "the statement")))
    symbols, goes = setting(statement).symbols, "towards" in statement
    once = 0 < len(variables) == len(set(variables)) and set(variables) <= set(symbols)
    require(once, f"a limit needs variables of its symbols, each listed once, got {shown(variables)}")
    positive = goes or all("positive" in symbols[variable] for variable in variables)
    require(positive, "a variable that goes to zero from above must be declared positive")
    require(not goes or len(variables) == 1, "only one variable goes to infinity, or to another point")
    value = value_of(statement)
    still = value in INFINITE or not free(value) & set(variables)
    require(still, "the value of a limit must not speak of the variables that move")
    return variables


def value_of(statement: Data) -> Term:
    """The value: a formula, or one of the two infinities."""
    value: Term = part(statement, "value", tuple, "the statement")
    return value if value in INFINITE else term(value)


def places(statement: Data) -> dict[str, Term]:
    """For a variable that does not go to zero from above by itself: the formula of it in a quantity that does."""
    if "towards" not in statement:
        return {}
    (variable,) = variables_of(statement)
    x: Term = ("s", variable)
    match part(statement, "towards", tuple, "the statement"):
        case ("oo",):
            return {variable: ("^", x, MINUS_ONE)}
        case ("-oo",):
            return {variable: minus(("^", x, MINUS_ONE))}
        case ("above" | "below" as direction, end) if variable not in free(term(end)):
            return {variable: ("+", end, x if direction == "above" else minus(x))}
        case towards:
            raise Rejected(f"a variable goes to oo, -oo, or a fixed point from above or below, got {shown(towards)}")


def inside_derivatives(formula: Term) -> Iterator[Term]:
    """What is differentiated, and what is put in, somewhere in a formula: these must have values as well."""
    if formula[0] == "D":
        yield formula[1]
        yield from inside_derivatives(formula[1])
    elif formula[0] == "at":
        yield from (inner for _, inner in formula[2])
        yield from (("at", inner, formula[2]) for inner in inside_derivatives(formula[1]))
        for _, replacement in formula[2]:
            yield from inside_derivatives(replacement)
    else:
        for child in parts(formula):
            yield from inside_derivatives(child)
