"""By the slope towards a far end: a function that falls on its way to a limit is never below the limit.

The end is infinity, or a point at which the function need have no value.
"""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import Term
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.interval import beyond, onwards
from derivations.prove.rules.analysis.search import far_ways
from derivations.prove.rules.analysis.slope import as_product, rising
from derivations.prove.rules.analysis.values import asked, free_of, under
from derivations.prove.rules.rule import Parameters, Rule

SIDES = {"oo": -1, "-oo": 1, "above": 1, "below": -1}
"""On which side of the end the statement speaks: 1 above it."""


def _proposals(statement: Json) -> Iterator[Parameters]:
    if statement["kind"] == "sign":
        yield from far_ways(statement)


def _parts(statement: Json, parameters: Parameters) -> list[Json]:
    function, name, towards = parameters["function"], parameters["symbol"], parameters["towards"]
    side, steep, value = SIDES[towards[0]], parameters["steep"], parameters["value"]
    symbol: Term = ("s", name)
    bounds = []
    if len(towards) == 2:
        bounds = [under(statement, *pair) for pair in asked(towards[1], statement["symbols"] | {name: []})]
        bounds.append(under(statement, ">", *((symbol, towards[1]) if side > 0 else (towards[1], symbol))))
        there = beyond(statement, name, towards[1], [side], side)
    else:
        there = onwards(statement, name, -side)
    limit = {"kind": "limit", **free_of(statement, name), "variables": [name], "expression": function, "value": value}
    return [
        *as_product(statement, parameters["factor"], function),
        *bounds,
        *(under(statement, *pair) for pair in asked(function, statement["symbols"])),
        under(statement, ">=" if steep else statement["relation"], value),
        limit | {"towards": list(towards)},
        *rising(there, function, name, side, steep=steep),
    ]


FAR = Rule("slope towards a limit", _proposals, _parts)
