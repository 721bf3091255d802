"""A function that is continuous on the way from a point, and nowhere falls on it, is nowhere below its value there."""

from __future__ import annotations

from derivations.recheck.core.conditions import conditions, said_of
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, name, part, shown, term
from derivations.recheck.core.terms import TWO, ZERO, difference, free
from derivations.recheck.core.theorems import Reading
from derivations.recheck.kinds.rules import named
from derivations.recheck.kinds.rules.analysis.way import free_of, way
from derivations.recheck.kinds.rules.forms import only

SIDES = ((1,), (-1,), (1, -1))
Going = tuple[str, int, bool, Term, Data]  # a symbol, away from an end on a side, and a letter for places between


def slope(statement: Data, parameters: Data) -> list[Data]:
    """left - right = factor * function; the function at the end, and its slope from there on, give its sign."""
    only(parameters, "factor", "function", "symbol", "from", "sides", "steep", "letter", "ways")
    if statement["kind"] != "sign":
        raise Rejected("a slope shows an inequality, and the statement is none")
    factor, function, end = (term(parameters[key]) for key in ("factor", "function", "from"))
    symbol, sides, ways = name(parameters["symbol"]), parameters["sides"], part(parameters, "ways", tuple, "the rule")
    steep = part(parameters, "steep", bool, "the parameters")
    if symbol not in statement["symbols"] or symbol in free(end):
        raise Rejected(f"{shown(symbol)} must be declared, and the end from which it goes must be free of it")
    if sides not in SIDES or len(ways) != len(sides):
        raise Rejected(
            f"the sides of the end must be above (1), below (-1) or both, each with a way, got {shown(sides)}"
        )
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
    for side, given in zip(sides, ways, strict=True):
        needed += _between(statement, function, (symbol, side, steep, end, parameters["letter"]), given)
    return needed


def _between(statement: Data, function: Term, going: Going, given: Data) -> list[Data]:
    """Between the end and the point the function leads up, as one goes away from the end."""
    symbol, side, steep, end, letter = going
    chain = (("s", symbol), ("s", name(letter)), end)
    upper, here, lower = chain if side > 0 else chain[::-1]
    facts, there = way(statement, symbol, letter, given, (">", here, lower), (">", upper, here))
    return [*facts, *_rising(there, function, symbol, side, steep)]


def _at(formula: Term, symbol: str, end: Term) -> Term:
    return ("at", formula, ((symbol, end),))


def product(statement: Data, factor: Term, function: Term) -> list[Data]:
    """What shows that the two sides differ by factor * function, and that the factor has the sign of the statement."""
    reading = Reading({key: statement[key] for key in ("symbols", "assuming")}, {}, {})
    reading.known |= {"order": statement["relation"], "left": statement["left"], "right": statement["right"]}
    return [reading.statement(one) for one in named.product(reading, factor, function)]


def _where(statement: Data, symbol: str, end: Term, sides: Data, steep: bool) -> list[Data]:
    """The statement speaks of the named sides alone, and a strict slope says nothing about the end itself."""
    here: Term = ("s", symbol)
    if sides == (1, -1):
        return [said_of(statement, ">", ("^", difference(here, end), TWO))] if steep else []
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
    only(parameters, "factor", "function", "symbol", "towards", "value", "steep", "letter", "way")
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
    side, point, letter = SIDE_OF_END[word], ("s", symbol), parameters["letter"]
    needed = list(product(statement, factor, function))
    limit = {"kind": "limit", "variables": (symbol,), "expression": function, "value": value}
    if end is None:
        here: Term = ("s", name(letter))
        beyond = (">", here, point) if side < 0 else (">", point, here)
        facts, there = way(statement, symbol, letter, parameters["way"], beyond)
        needed += [*facts, *_rising(there, function, symbol, side, steep)]
    else:
        needed += [said_of(statement, *c) for c in conditions(end, statement["symbols"] | {symbol: ()}, smooth=False)]
        needed.append(said_of(statement, ">", *((point, end) if side > 0 else (end, point))))
        needed += _between(statement, function, (symbol, side, steep, end, letter), parameters["way"])
    needed += [said_of(statement, *c) for c in conditions(function, statement["symbols"], smooth=False)]
    needed.append(said_of(statement, ">=" if steep else statement["relation"], value))
    return [*needed, limit | {"towards": parameters["towards"]} | free_of(statement, symbol)]


def _end(towards: Data) -> tuple[str, Term | None]:
    match towards:
        case ("oo" | "-oo" as word,):
            return word, None
        case ("above" | "below" as word, end):
            return word, term(end)
    raise Rejected(f"a slope leads to oo, to -oo, or to a point from above or below, got {shown(towards)}")
