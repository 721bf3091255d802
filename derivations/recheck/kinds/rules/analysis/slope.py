"""A function that is continuous on the way from a point, and nowhere falls on it, is nowhere below its value there."""

from __future__ import annotations

from derivations.recheck.core.conditions import conditions, said_of
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, name, part, shown, term
from derivations.recheck.core.terms import TWO, ZERO, difference, free
from derivations.recheck.core.theorems import Reading
from derivations.recheck.kinds.rules import named
from derivations.recheck.kinds.rules.analysis.interval import away, bounds_at, on_the_way, without_symbol
from derivations.recheck.kinds.rules.forms import only

SIDES = ((1,), (-1,), (1, -1))


def slope(statement: Data, parameters: Data) -> list[Data]:
    """left - right = factor * function; the function at the end, and its slope from there on, give its sign."""
    only(parameters, "factor", "function", "symbol", "from", "sides", "steep")
    if statement["kind"] != "sign":
        raise Rejected("a slope shows an inequality, and the statement is none")
    factor, function, end = (term(parameters[key]) for key in ("factor", "function", "from"))
    symbol, sides = name(parameters["symbol"]), parameters["sides"]
    steep = part(parameters, "steep", bool, "the parameters")
    if symbol not in statement["symbols"] or symbol in free(end):
        raise Rejected(f"{shown(symbol)} must be declared, and the end from which it goes must be free of it")
    if sides not in SIDES:
        raise Rejected(f"the sides of the end must be above (1), below (-1) or both, got {shown(sides)}")
    if steep and statement["relation"] != ">":
        raise Rejected("a strict slope is asked for where a strict inequality is stated, and only there")
    elsewhere = statement["symbols"] | {symbol: ()}
    at_end = [(order, _at(what, symbol, end)) for order, what in conditions(function, elsewhere, smooth=False)]
    needed = [
        *product(statement, factor, function),
        *[said_of(statement, *c) for c in conditions(end, elsewhere, smooth=False)],
        *_where(statement, symbol, end, sides, steep),
        *[said_of(statement, *c) for c in conditions(function, statement["symbols"], smooth=False)],
        *[said_of(statement, *c) for c in at_end],
        said_of(statement, ">=" if steep else statement["relation"], _at(function, symbol, end)),
    ]
    for side in sides:
        way = on_the_way(statement, symbol, end, side, inside=len(sides) == 2)
        needed += _rising(way, function, symbol, side, steep)
    return needed


def _at(formula: Term, symbol: str, end: Term) -> Term:
    return ("at", formula, ((symbol, end),))


def product(statement: Data, factor: Term, function: Term) -> list[Data]:
    """What shows that the two sides differ by factor * function, and that the factor has the sign of the statement."""
    reading = Reading({key: statement[key] for key in ("symbols", "assuming")}, {}, {})
    reading.known |= {"order": statement["relation"], "left": statement["left"], "right": statement["right"]}
    return [reading.statement(one) for one in named.product(reading, factor, function)]


def _where(statement: Data, symbol: str, end: Term, sides: Data, steep: bool) -> list[Data]:
    """The statement speaks of the named sides alone, or the end is inside of what bounds the symbol.

    A strict slope says nothing about the end itself.
    """
    here: Term = ("s", symbol)
    if sides == (1, -1):
        inside = [said_of(statement, ">=", *pair) for pair in bounds_at(statement, symbol, end)]
        return [*inside, said_of(statement, ">", ("^", difference(here, end), TWO))] if steep else inside
    ends = (here, end) if sides == (1,) else (end, here)
    return [said_of(statement, ">" if steep else ">=", *ends)]


def _rising(way: Data, function: Term, symbol: str, side: int, steep: bool) -> list[Data]:
    """Along the way the function has a slope, which leads up as one goes away from the end."""
    needed = [said_of(way, *c) for c in conditions(function, way["symbols"], smooth=True)]
    order, rate = ">" if steep else ">=", ("D", function, symbol)
    return [*needed, said_of(way, order, rate) if side > 0 else said_of(way, order, ZERO, rate)]


SIDE_OF_END = {"oo": -1, "-oo": 1, "above": 1, "below": -1}  # 1 where the statement lies above the end


def slope_towards_limit(statement: Data, parameters: Data) -> list[Data]:
    """left - right = factor * function, where the function falls all the way to an end and tends to a limit there."""
    only(parameters, "factor", "function", "symbol", "towards", "value", "steep")
    if statement["kind"] != "sign":
        raise Rejected("a slope shows an inequality, and the statement is none")
    factor, function, value = (term(parameters[key]) for key in ("factor", "function", "value"))
    symbol, steep = name(parameters["symbol"]), part(parameters, "steep", bool, "the parameters")
    word, end = _end(parameters["towards"])
    if symbol not in statement["symbols"] or (end is not None and symbol in free(end)):
        raise Rejected(f"{shown(symbol)} must be declared, and the end to which it goes must be free of it")
    if value[0] != "q":
        raise Rejected(f"the limit that a slope leads to is a rational number here, got {shown(value)}")
    if steep and statement["relation"] != ">":
        raise Rejected("a strict slope is asked for where a strict inequality is stated, and only there")
    side = SIDE_OF_END[word]
    needed = list(product(statement, factor, function))
    if end is None:
        way = away(statement, symbol, -side)
    else:
        here: Term = ("s", symbol)
        needed += [said_of(statement, *c) for c in conditions(end, statement["symbols"] | {symbol: ()}, smooth=False)]
        needed.append(said_of(statement, ">", *((here, end) if side > 0 else (end, here))))
        way = on_the_way(statement, symbol, end, side, inside=False)
    needed += [said_of(statement, *c) for c in conditions(function, statement["symbols"], smooth=False)]
    needed.append(said_of(statement, ">=" if steep else statement["relation"], value))
    limit = {"kind": "limit", "variables": (symbol,), "expression": function, "value": value}
    needed.append(limit | {"towards": parameters["towards"]} | without_symbol(statement, symbol))
    return [*needed, *_rising(way, function, symbol, side, steep)]


def _end(towards: Data) -> tuple[str, Term | None]:
    match towards:
        case ("oo" | "-oo" as word,):
            return word, None
        case ("above" | "below" as word, end):
            return word, term(end)
    raise Rejected(f"a slope leads to oo, to -oo, or to a point from above or below, got {shown(towards)}")
