"""Theorems about functions on an interval, and about quantities that a flow conserves."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, rational
from derivations.recheck.core.terms import HALF, MINUS_ONE, ONE, ZERO, parts
from derivations.recheck.kinds.schemas.slots import (
    Needs,
    Theorem,
    above_zero,
    added,
    conclusion,
    counted,
    equal,
    forbid,
    forbid_the_time,
    must_be_positive,
    negative,
    relations_of,
    squared,
    valued,
)


def _interval(slots: Data, *points: Term) -> tuple[Term, Term]:
    variable = slots["variable"]
    forbid([variable], [slots["low"], slots["high"], *points, *relations_of(slots)])
    if slots["symbols"].get(variable) != ():
        raise Rejected(f"the variable {variable} may have no assumption but its interval")
    x: Term = ("s", variable)
    return (">=", x, slots["low"]), (">=", slots["high"], x)


def _value(slots: Data, function: Term, point: Term) -> Term:
    return ("at", function, ((slots["variable"], point),))


def _intermediate(slots: Data) -> tuple[Needs, Data]:
    inside = _interval(slots)
    low, high, function = slots["low"], slots["high"], slots["function"]
    needs = {
        "order": above_zero(slots, added([high, negative(low)])),
        "below": above_zero(slots, negative(_value(slots, function, low))),
        "above": above_zero(slots, _value(slots, function, high)),
    }
    needs |= counted("smooth", [above_zero(slots, g, *inside) for g in must_be_positive(function, slots["symbols"])])
    found = conclusion("vanishes", slots, function=function, variable=slots["variable"], low=low, high=high)
    return needs, found


def _equal_derivatives(slots: Data) -> tuple[Needs, Data]:
    point, variable = slots["point"], slots["variable"]
    inside = _interval(slots, point)
    sides = slots["left"], slots["right"]
    left_rate, right_rate = (("D", side, variable) for side in sides)
    left_base, right_base = (_value(slots, side, point) for side in sides)
    smooth = {g: None for side in sides for g in must_be_positive(side, slots["symbols"])}
    needs = {
        "derivative": equal(slots, left_rate, right_rate, *inside),
        "base": equal(slots, left_base, right_base),
        "low": above_zero(slots, added([point, negative(slots["low"])]), strict=False),
        "high": above_zero(slots, added([slots["high"], negative(point)]), strict=False),
    }
    needs |= counted("smooth", [above_zero(slots, g, *inside) for g in smooth])
    return needs | valued(slots, point), equal(slots, *sides, *inside)


def _conserved(slots: Data) -> tuple[Needs, Data]:
    flow, start, quantity = slots["flow"], slots["start"], slots["quantity"]
    if set(flow) != set(start):
        raise Rejected("flow and start must speak of the same variables")
    forbid(flow, start.values())
    forbid_the_time(slots)
    rate = added([("*", ("D", quantity, x), flow[x]) for x in sorted(flow)])
    level = ("=", quantity, ("at", quantity, tuple((x, start[x]) for x in sorted(start))))
    needs = {
        "conserved": equal(slots, rate, ZERO),
        "follows": equal(slots, slots["left"], slots["right"], level),
    }
    needs |= counted("smooth", [above_zero(slots, g) for g in must_be_positive(quantity, slots["symbols"])])
    kept = {key: slots[key] for key in ("flow", "start", "left", "right")}
    return needs, conclusion("along the solution", slots, **kept)


def _half(slots: Data) -> tuple[Needs, Data]:
    half, sine = slots["half"], slots["sine"]
    double = ("*", ("q", "2"), squared(half))
    needs = {
        "half": above_zero(slots, half),
        "sine": above_zero(slots, added([ONE, sine])),
        "square": equal(slots, double, added([ONE, negative(sine)])),
    }
    rest = negative(("*", HALF, ("asin", sine)))
    return needs, equal(slots, ("asin", half), ("+", ("*", ("q", "1/4"), ("pi",)), rest))


def _triangle(slots: Data) -> tuple[Needs, Data]:
    leg, other, longest = slots["leg"], slots["other"], slots["longest"]
    needs = {side: above_zero(slots, slots[side]) for side in ("leg", "other", "longest")}
    needs["Pythagoras"] = equal(slots, squared(longest), added([squared(leg), squared(other)]))
    first, second = (("asin", ("*", side, ("^", longest, MINUS_ONE))) for side in (leg, other))
    return needs, equal(slots, first, ("+", ("*", HALF, ("pi",)), negative(second)))


ENTIRE = frozenset(("s", "q", "pi", "+", "*", "exp", "sin", "cos", "sinh", "cosh", "tanh", "erf"))


def _unique(slots: Data) -> tuple[Needs, Data]:
    solved = slots["solution"]
    if solved["kind"] != "solves" or set(solved["start"]) != set(solved["flow"]):
        raise Rejected("the statement must be of a flow that is solved, with a start for each variable")
    todo = list(solved["flow"].values())
    while todo:
        formula = todo.pop()
        if formula[0] == "^" and formula[2][0] == "q" and rational(formula[2][1]).q == 1:
            todo.append(formula[1])
        elif formula[0] in ENTIRE:
            todo += parts(formula)
        else:
            raise Rejected(f"a rate with {formula[0]} need not be smooth where it has a value")
    return {"solution": solved}, solved | {"kind": "concluded", "form": "the only solution"}


THEOREMS = {
    "half of a complement": Theorem(
        "What an angle leaves of pi/2 has a half, and twice the square of its sine is one less the sine of the angle.",
        {"half": "term", "sine": "term"},
        _half,
    ),
    "the only solution of a flow": Theorem(
        "A solution of a flow whose rates are smooth wherever they have a value is the only one from its start, on the"
        " interval on which it solves.",
        {"solution": "statement"},
        _unique,
    ),
    "angles of a right triangle": Theorem(
        "In a right triangle the angle opposite to one leg is what the angle opposite to the other leaves of pi/2.",
        {"leg": "term", "other": "term", "longest": "term"},
        _triangle,
    ),
    "intermediate value": Theorem(
        "A continuous function that is negative at the low end of an interval and positive at the high end vanishes"
        " between them.",
        {"function": "term", "variable": "symbol", "low": "term", "high": "term"},
        _intermediate,
    ),
    "equal derivatives": Theorem(
        "Two functions with the same derivative on an interval and the same value at one of its points are equal on"
        " the interval.",
        {"left": "term", "right": "term", "variable": "symbol", "low": "term", "high": "term", "point": "term"},
        _equal_derivatives,
    ),
    "conserved quantity": Theorem(
        "A quantity whose derivative along a flow vanishes keeps on every solution the value that it has at the"
        " start, with everything that follows from this equation.",
        {"flow": "flow", "quantity": "term", "start": "flow", "left": "term", "right": "term"},
        _conserved,
    ),
}
