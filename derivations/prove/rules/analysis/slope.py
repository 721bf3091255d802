"""By the slope: a function that is not negative at one point and does not fall away from it is not negative.

The statement says that factor * function has a sign. What the function asks for to be smooth between the point and
where the statement speaks is among the parts, so that no hole of its domain is stepped over.
"""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import ONE, ZERO, Term, carried_out, fraction_of, rational, subtract
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.interval import beyond, within
from derivations.prove.rules.analysis.search import ways
from derivations.prove.rules.analysis.values import asked, under
from derivations.prove.rules.rule import Parameters, Rule


def _proposals(statement: Json) -> Iterator[Parameters]:
    if statement["kind"] == "sign":
        yield from ways(statement)


def _parts(statement: Json, parameters: Parameters) -> list[Json]:
    function, name, end = parameters["function"], parameters["symbol"], parameters["from"]
    known = statement["symbols"] | {name: []}
    values = [under(statement, *pair) for pair in asked(function, statement["symbols"])]
    values += [under(statement, order, at_end(t, name, end)) for order, t in asked(function, known)]
    first = ">=" if parameters["steep"] else statement["relation"]
    return [
        *as_product(statement, parameters["factor"], function),
        *(under(statement, *pair) for pair in asked(end, known)),
        *_beside(statement, parameters),
        *values,
        under(statement, first, at_end(function, name, end)),
        *(part for side in (1, -1) if side in parameters["sides"] for part in _slope(statement, parameters, side)),
    ]


def at_end(term: Term, name: str, end: Term) -> Term:
    """A formula with the symbol at the end."""
    return ("at", term, ((name, end),))


def as_product(statement: Json, factor: Term, function: Term) -> list[Json]:
    """That the difference of the sides is factor * function, where the factor has a value and is not negative."""
    gap = subtract(statement["left"], statement["right"])
    if factor == ONE and function == carried_out(gap):
        return []
    equal = under(statement, "=", gap, ("*", factor, function)) | {"kind": "identity"}
    del equal["relation"]
    factors = factor[1:] if factor[0] == "*" else (factor,)
    return [equal, *(part for each in factors for part in _of_sign(statement, each))]


def _of_sign(statement: Json, factor: Term) -> list[Json]:
    """That a factor has a value, and the sign that is stated: a whole power has one where its base has one."""
    known, order = statement["symbols"], statement["relation"]
    if factor[0] == "q" and fraction_of(factor) > 0:
        return []
    if factor[0] != "^" or factor[2][0] != "q" or fraction_of(factor[2]).denominator != 1:
        return [*(under(statement, *pair) for pair in asked(factor, known)), under(statement, order, factor)]
    base, power = factor[1], fraction_of(factor[2])
    needed = [under(statement, *pair) for pair in asked(base, known)]
    strict = power < 0 or order == ">"
    if power % 2:
        return [*needed, under(statement, ">" if strict else ">=", base)]
    return [*needed, under(statement, ">", ("^", base, rational(2)))] if strict else needed


def _beside(statement: Json, parameters: Parameters) -> list[Json]:
    """The statement speaks of one side of the point alone, and not of the point itself where that matters."""
    symbol, end, sides = ("s", parameters["symbol"]), parameters["from"], parameters["sides"]
    order = ">" if parameters["steep"] else ">="
    if sides == [1]:
        return [under(statement, order, symbol, end)]
    if sides == [-1]:
        return [under(statement, order, end, symbol)]
    apart: Term = ("^", subtract(symbol, end), rational(2))
    inside = [under(statement, ">=", *pair) for pair in within(statement, parameters["symbol"], end)]
    return [*inside, under(statement, ">", apart)] if parameters["steep"] else inside


def _slope(statement: Json, parameters: Parameters, side: int) -> list[Json]:
    there = beyond(statement, parameters["symbol"], parameters["from"], parameters["sides"], side)
    return rising(there, parameters["function"], parameters["symbol"], side, steep=parameters["steep"])


def rising(there: Json, function: Term, name: str, side: int, *, steep: bool) -> list[Json]:
    """On its way the function is smooth, and does not fall as one goes up (1) or down (-1)."""
    needed = [under(there, *pair) for pair in asked(function, there["symbols"], smooth=True)]
    slope: Term = ("D", function, name)
    order = ">" if steep else ">="
    return [*needed, under(there, order, slope) if side > 0 else under(there, order, ZERO, slope)]


def _of_roots(statement: Json) -> Iterator[Parameters]:
    if statement["kind"] == "sign":
        yield from ways(statement, roots=True)


SLOPE = Rule("slope", _proposals, _parts)
SLOPE_OF_ROOTS = Rule("slope", _of_roots, _parts)
"""The same for roots without anything else that bends, of which squares of both sides come first."""
