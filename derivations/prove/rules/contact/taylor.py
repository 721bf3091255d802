"""By Taylor's theorem on pieces of a range: near a point of equality by a derivative's sign, elsewhere by balls.

A piece that neither fits is left as a statement of its own, with a smaller range.
"""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import MINUS_ONE, Term, rational, subtract
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.slope import as_product, at_end
from derivations.prove.rules.analysis.values import asked, under
from derivations.prove.rules.contact.search import ways
from derivations.prove.rules.rule import Parameters, Rule, rewritten

NOTHING: Json = {"symbols": {}, "assuming": []}


def _proposals(statement: Json) -> Iterator[Parameters]:
    if statement["kind"] == "sign":
        yield from ways(statement)


def _parts(statement: Json, parameters: Parameters) -> list[Json]:
    symbol: Term = ("s", parameters["symbol"])
    pieces = parameters["pieces"]
    whole = _range(statement, symbol, parameters["low"], parameters["high"], pieces)
    equal = as_product(statement, parameters["factor"], parameters["function"])
    return [*equal, *whole, *(part for piece in pieces for part in _of_piece(statement, parameters, piece))]


def _range(statement: Json, symbol: Term, low: Term | None, high: Term | None, pieces: list[Json]) -> list[Json]:
    """The symbol lies between the ends, and these are inside of the pieces; without an end the pieces have none."""
    found = []
    for end, sign in ((low, 1), (high, -1)):
        if end is not None:
            number = rational(pieces[0]["from"] if sign > 0 else pieces[-1]["to"])
            found += [under(statement, *pair) for pair in asked(end, {})]
            found.append(under(statement, ">=", *((symbol, end) if sign > 0 else (end, symbol))))
            found.append(under(NOTHING, ">=", *((end, number) if sign > 0 else (number, end))))
    return found


def _inside(symbol: Term, low: str | None, high: str | None) -> list[Term]:
    """That a symbol lies between two numbers, or beyond one where the other is missing."""
    above = [(">=", symbol, rational(low))] if low is not None else []
    return [*above, (">=", rational(high), symbol)] if high is not None else above


def _of_piece(statement: Json, parameters: Parameters, piece: Json) -> list[Json]:
    function, name = parameters["function"], parameters["symbol"]
    inside = _inside(("s", name), piece["from"], piece["to"])
    if piece["by"] == "rest":
        return [rewritten(statement, lambda term: term, inside)]
    if piece["by"] == "balls":
        return [_positive(function, name, [piece["from"], piece["to"]], piece["upper"])]
    there: Json = {"symbols": {name: []}, "assuming": inside}
    smooth = [under(there, *pair) for pair in asked(function, {name: []}, smooth=True)]
    if piece["by"] == "rising":
        return [*smooth, *_rising(function, name, piece)]
    k, sides = piece["order"], piece["sides"]
    ways_up = [_turned(_derivative(function, name, k), side**k) for side in sides]
    return [
        *(under(NOTHING, *pair) for pair in asked(piece["at"], {})),
        *(under(NOTHING, *relation) for relation in _inside(piece["at"], piece["from"], piece["to"])),
        *_beside(statement | {"assuming": [*statement["assuming"], *inside]}, name, piece),
        *smooth,
        *_at_point(function, name, piece),
        *(_positive(way, name, [piece["from"], piece["to"]], piece["upper"]) for way in dict.fromkeys(ways_up)),
    ]


def _rising(function: Term, name: str, piece: Json) -> list[Json]:
    """At one end the function and its derivatives are positive, as one goes on, and the last one on the whole piece."""
    end = piece["from"] if piece["side"] > 0 else piece["to"]
    k = len(piece["uppers"]) - 1
    boxes = [[end, end]] * k + [[piece["from"], piece["to"]]]
    each = [_turned(_derivative(function, name, j), piece["side"] ** j) for j in range(k + 1)]
    return [_positive(term, name, *where) for term, *where in zip(each, boxes, piece["uppers"], strict=True)]


def _derivative(function: Term, name: str, k: int) -> Term:
    """The k-th derivative, not carried out."""
    for _ in range(k):
        function = ("D", function, name)
    return function


def _turned(term: Term, sign: int) -> Term:
    return term if sign > 0 else ("*", MINUS_ONE, term)


def _beside(there: Json, name: str, piece: Json) -> list[Json]:
    """On which sides of the point the statement speaks; of the point itself only where equality is allowed."""
    symbol, at, sides = ("s", name), piece["at"], piece["sides"]
    order = there["relation"]
    if sides == [1]:
        return [under(there, order, symbol, at)]
    if sides == [-1]:
        return [under(there, order, at, symbol)]
    return [under(there, ">", ("^", subtract(symbol, at), rational(2)))] if order == ">" else []


def _at_point(function: Term, name: str, piece: Json) -> list[Json]:
    """The value and the lower derivatives at the point lead up on every side."""
    below = [_derivative(function, name, j) for j in range(piece["order"])]
    each = [_turned(term, side**j) for side in piece["sides"] for j, term in enumerate(below)]
    return [under(NOTHING, ">=", at_end(term, name, piece["at"])) for term in dict.fromkeys(each)]


def _positive(term: Term, name: str, box: list[str], upper: str) -> Json:
    """That a function is positive on a whole interval."""
    statement = {"kind": "enclosure", "symbols": {name: []}, "assuming": [], "expression": term, "box": {name: box}}
    return statement | {"lower": "0", "upper": upper}


TAYLOR = Rule("Taylor on pieces", _proposals, _parts)
