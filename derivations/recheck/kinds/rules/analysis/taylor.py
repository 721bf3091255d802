"""Pieces of a range: on each the function is positive, or rises from a point of contact, or the statement is left."""

from __future__ import annotations

from derivations.recheck.core.conditions import conditions, said_of
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, Term, integer, name, part, rational, shown, term
from derivations.recheck.core.terms import TWO, carried_out, difference, free, minus
from derivations.recheck.kinds.rules.analysis.slope import product
from derivations.recheck.kinds.rules.forms import only, rewritten, supposing

MAX_PIECES, MAX_ORDER = 400, 12
NOWHERE: Data = {"symbols": {}, "assuming": ()}
SIDES = ((1,), (-1,), (1, -1))


def taylor_on_pieces(statement: Data, parameters: Data) -> list[Data]:
    """left - right = factor * function; the pieces cover the range, and by Taylor's theorem none has a negative value.

    Where the k-th derivative is positive around a point, and the value and all lower derivatives at the point lead up,
    so does the function on that side of the point, whose distance is taken to the power k.
    """
    only(parameters, "factor", "function", "symbol", "low", "high", "pieces")
    if statement["kind"] != "sign":
        raise Rejected("pieces show an inequality, and the statement is none")
    function, symbol = term(parameters["function"]), name(parameters["symbol"])
    if symbol not in statement["symbols"] or not free(carried_out(function)) <= {symbol}:
        raise Rejected(f"the function must be one of {shown(symbol)} alone, which must be declared")
    pieces = part(parameters, "pieces", tuple, "the parameters")
    ends = _ends(pieces)
    needed = product(statement, term(parameters["factor"]), function)
    needed += _range(statement, symbol, parameters["low"], ends[0][0], 1)
    needed += _range(statement, symbol, parameters["high"], ends[-1][1], -1)
    for piece, (low, high) in zip(pieces, ends, strict=True):
        needed += _piece(statement, function, symbol, piece, (low, high))
    return needed


End = str | None


def _range(statement: Data, symbol: str, given: Data, end: End, sign: int) -> list[Data]:
    """Where the pieces begin (1) or end (-1) at a number: all points of the statement are inside of it."""
    if (given is None) != (end is None):
        raise Rejected("a range has an end where its pieces have one, and only there")
    if given is None or end is None:
        return []
    at, here, number = term(given), ("s", symbol), ("q", end)
    if free(at):
        raise Rejected(f"an end of a range is a number, got {shown(at)}")
    return [
        *[said_of(statement, *c) for c in conditions(at, {}, smooth=False)],
        said_of(statement, ">=", *((here, at) if sign > 0 else (at, here))),
        said_of(NOWHERE, ">=", *((at, number) if sign > 0 else (number, at))),
    ]


def _ends(pieces: Data) -> list[tuple[End, End]]:
    """The ends of the pieces, each of which begins where the one before ends."""
    if not 1 <= len(pieces) <= MAX_PIECES:
        raise Rejected(f"a range has 1 to {MAX_PIECES} pieces, got {len(pieces)}")
    found: list[tuple[End, End]] = []
    for k, piece in enumerate(pieces):
        if not isinstance(piece, dict):
            raise Rejected(f"a piece must be an object, got {shown(piece)}")
        low, high = (_end(piece.get(key)) for key in ("from", "to"))
        if (low is None and k > 0) or (high is None and k < len(pieces) - 1):
            raise Rejected("only the first piece may begin nowhere, and only the last may end nowhere")
        if low is not None and high is not None and not _number(low) < _number(high):
            raise Rejected(f"the piece from {low} to {high} is empty")
        if k > 0 and found[-1][1] != low:
            raise Rejected(f"a piece begins at {low}, and the one before ends at {found[-1][1]}")
        found.append((low, high))
    return found


def _end(end: Data) -> End:
    if end is None:
        return None
    _number(end)
    return str(end)


def _number(end: Data) -> Rational:
    return rational(end, "an end of a piece")


def _bounds(formula: Term, low: End, high: End) -> list[Term]:
    found: list[Term] = []
    if low is not None:
        found.append((">=", formula, ("q", low)))
    if high is not None:
        found.append((">=", ("q", high), formula))
    return found


def _piece(statement: Data, function: Term, symbol: str, piece: Data, ends: tuple[End, End]) -> list[Data]:
    here = _bounds(("s", symbol), *ends)
    match piece.get("by"):
        case "rest":
            only(piece, "from", "to", "by")
            return [supposing(rewritten(statement, lambda formula: formula), *here)]
        case "balls":
            only(piece, "from", "to", "by", "upper")
            return [_positive(function, symbol, (piece["from"], piece["to"]), piece["upper"])]
        case "rising":
            only(piece, "from", "to", "by", "side", "uppers")
            return _rising(function, symbol, piece, ends)
        case "touching":
            only(piece, "from", "to", "by", "upper", "at", "order", "sides")
            return _touching(supposing(statement, *here), function, symbol, piece, ends)
    raise Rejected(f"a piece is decided by balls, by touching, or left as a rest, got {shown(piece.get('by'))}")


def _touching(there: Data, function: Term, symbol: str, piece: Data, ends: tuple[End, End]) -> list[Data]:
    at, sides = term(piece["at"]), piece["sides"]
    k = integer(piece["order"], 1, MAX_ORDER, "the order of contact")
    if free(at) or sides not in SIDES:
        raise Rejected("a point of contact is a number, and the sides of it are above (1), below (-1) or both")
    here: Term = ("s", symbol)
    needed = [said_of(NOWHERE, *c) for c in conditions(at, {}, smooth=False)]
    needed += [said_of(NOWHERE, *r) for r in _bounds(at, *ends)]
    order = there["relation"]
    if sides == (1, -1):
        needed += [said_of(there, ">", ("^", difference(here, at), TWO))] if order == ">" else []
    else:
        needed.append(said_of(there, order, *((here, at) if sides == (1,) else (at, here))))
    needed += _smooth(function, symbol, ends)
    derived = _derivatives(function, symbol, k)
    below = dict.fromkeys(up for side in sides for up in _upwards(derived[:k], side))
    needed += [said_of(NOWHERE, ">=", ("at", up, ((symbol, at),))) for up in below]
    tops = dict.fromkeys(_upwards(derived, side)[k] for side in sides)
    return [*needed, *[_positive(top, symbol, (piece["from"], piece["to"]), piece["upper"]) for top in tops]]


def _rising(function: Term, symbol: str, piece: Data, ends: tuple[End, End]) -> list[Data]:
    """At one end the function and its first derivatives are positive, seen from there, and the next is everywhere."""
    side, uppers = piece["side"], part(piece, "uppers", tuple, "a piece")
    if type(side) is not int or side not in (1, -1) or not 2 <= len(uppers) <= MAX_ORDER:
        raise Rejected("a function rises from below (1) or from above (-1), and one derivative at least says so")
    end = piece["from"] if side == 1 else piece["to"]
    each = _upwards(_derivatives(function, symbol, len(uppers) - 1), side)
    there = [_positive(up, symbol, (end, end), upper) for up, upper in zip(each[:-1], uppers[:-1], strict=True)]
    last = _positive(each[-1], symbol, (piece["from"], piece["to"]), uppers[-1])
    return [*_smooth(function, symbol, ends), *there, last]


def _smooth(function: Term, symbol: str, ends: tuple[End, End]) -> list[Data]:
    """The function has derivatives of every order on a piece."""
    there: Data = {"symbols": {symbol: ()}, "assuming": tuple(_bounds(("s", symbol), *ends))}
    return [said_of(there, *c) for c in conditions(function, {symbol: ()}, smooth=True)]


def _derivatives(function: Term, symbol: str, k: int) -> list[Term]:
    found = [function]
    for _ in range(k):
        found.append(("D", found[-1], symbol))
    return found


def _upwards(derived: list[Term], side: int) -> list[Term]:
    """The derivatives as one goes up (1) or down (-1): every other one turned."""
    return [minus(each) if side**j < 0 else each for j, each in enumerate(derived)]


def _positive(formula: Term, symbol: str, box: tuple[Data, Data], upper: Data) -> Data:
    if box[0] is None or box[1] is None:
        raise Rejected("a function is enclosed between two numbers")
    head = {"kind": "enclosure", "symbols": {symbol: ()}, "assuming": (), "expression": formula, "box": {symbol: box}}
    return head | {"lower": "0", "upper": upper}
