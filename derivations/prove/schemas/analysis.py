"""Functions on an interval, and quantities that a flow conserves."""

from __future__ import annotations

from derivations.language.terms import ZERO, Term, children, fraction_of, rational
from derivations.prove.certificate import Json
from derivations.prove.schemas.schema import (
    SCALARS,
    STATEMENTS,
    Schema,
    SlotError,
    Use,
    concluded,
    identity,
    keep_the_time_apart,
    minus,
    numbered,
    positive,
    smooth_where,
    total,
    with_values,
    without,
)


def _between(slots: Json, *ends: Term) -> tuple[Term, Term]:
    """The hypotheses that the variable lies in the closed interval, and about which nothing else is supposed."""
    x: Term = ("s", slots["variable"])
    without([slots["variable"]], [slots["low"], slots["high"], *ends, *slots["assuming"]])
    if slots["symbols"][slots["variable"]]:
        raise SlotError(f"{slots['variable']} ranges over the interval alone: declare it real and nothing else")
    return (">=", x, slots["low"]), (">=", slots["high"], x)


def _at(function: Term, slots: Json, place: Term) -> Term:
    return ("at", function, ((slots["variable"], place),))


def intermediate_value(slots: Json) -> Use:
    f, low, high, between = slots["function"], slots["low"], slots["high"], _between(slots)
    needs = {
        "order": positive(slots, total([high, minus(low)])),
        "below": positive(slots, minus(_at(f, slots, low))),
        "above": positive(slots, _at(f, slots, high)),
        **numbered("smooth", (positive(slots, g, *between) for g in smooth_where(f, slots["symbols"]))),
    }
    found = concluded("vanishes", slots, function=f, variable=slots["variable"], low=low, high=high)
    return Use(needs, found)


def equal_derivatives(slots: Json) -> Use:
    left, right, x = slots["left"], slots["right"], slots["variable"]
    point, between = slots["point"], _between(slots, slots["point"])
    smooth = dict.fromkeys([*smooth_where(left, slots["symbols"]), *smooth_where(right, slots["symbols"])])
    needs = {
        "derivative": identity(slots, ("D", left, x), ("D", right, x), *between),
        "base": identity(slots, _at(left, slots, point), _at(right, slots, point)),
        "low": {**positive(slots, total([point, minus(slots["low"])])), "relation": ">="},
        "high": {**positive(slots, total([slots["high"], minus(point)])), "relation": ">="},
        **numbered("smooth", (positive(slots, g, *between) for g in smooth)),
        **with_values(slots, point),
    }
    return Use(needs, identity(slots, left, right, *between))


def conserved_quantity(slots: Json) -> Use:
    flow, quantity, start = slots["flow"], slots["quantity"], slots["start"]
    if set(flow) != set(start):
        raise SlotError(f"flow and start must speak of the same variables, got {sorted(flow)} and {sorted(start)}")
    without(flow, start.values())
    keep_the_time_apart(slots)
    change = total(("*", ("D", quantity, x), flow[x]) for x in sorted(flow))
    begun = ("at", quantity, tuple(sorted(start.items())))
    needs = {
        "conserved": identity(slots, change, ZERO),
        "follows": identity(slots, slots["left"], slots["right"], ("=", quantity, begun)),
        **numbered("smooth", (positive(slots, g) for g in smooth_where(quantity, slots["symbols"]))),
    }
    parts = {"flow": flow, "start": start, "left": slots["left"], "right": slots["right"]}
    return Use(needs, concluded("along the solution", slots, **parts))


def right_triangle(slots: Json) -> Use:
    leg, other, longest = slots["leg"], slots["other"], slots["longest"]
    squares = total(("^", side, rational(2)) for side in (leg, other))
    needs = {
        **{name: positive(slots, slots[name]) for name in ("leg", "other", "longest")},
        "Pythagoras": identity(slots, ("^", longest, rational(2)), squares),
    }
    angle, rest = (("asin", ("*", side, ("^", longest, rational(-1)))) for side in (leg, other))
    quarter = ("*", rational("1/2"), ("pi",))
    return Use(needs, identity(slots, angle, ("+", quarter, minus(rest))))


def half_of_a_complement(slots: Json) -> Use:
    half, sine = slots["half"], slots["sine"]
    needs = {
        "half": positive(slots, half),
        "sine": positive(slots, total((rational(1), sine))),
        "square": identity(slots, ("*", rational(2), ("^", half, rational(2))), total((rational(1), minus(sine)))),
    }
    eighth, angle = ("*", rational("1/4"), ("pi",)), ("*", rational("1/2"), ("asin", sine))
    return Use(needs, identity(slots, ("asin", half), ("+", eighth, minus(angle))))


RATIONAL = ("s", "q", "pi", "+", "*", "exp", "sin", "cos", "sinh", "cosh", "tanh", "erf")


def only_solution(slots: Json) -> Use:
    solved = slots["solution"]
    if solved["kind"] != "solves" or set(solved["start"]) != set(solved["flow"]):
        raise SlotError("only a solution of a flow with a start for each variable can be the only one")
    for rate in solved["flow"].values():
        _smooth_where_defined(rate)
    return Use({"solution": solved}, {**solved, "kind": "concluded", "form": "the only solution"})


def _smooth_where_defined(rate: Term) -> None:
    """Whether a rate is smooth wherever it has a value: no roots, logarithms or absolute values."""
    is_power = rate[0] == "^" and rate[2][0] == "q" and fraction_of(rate[2]).denominator == 1
    if rate[0] not in RATIONAL and not is_power:
        raise SlotError(f"a rate with {rate[0]} of this kind may have several solutions: it needs whole powers")
    for part in children(rate)[: 1 if is_power else None]:
        _smooth_where_defined(part)


SCHEMAS = (
    Schema(
        "the only solution of a flow",
        "A solution of a flow whose rates are smooth wherever they have a value is the only one from its start, on the"
        " interval on which it solves.",
        "Rates are made of sums, products, whole powers and entire functions, so that they are smooth where their"
        " denominators are not zero, which the solution shows on its interval; every variable has a start.",
        "Picard-Lindeloef; e.g. Hartman, Ordinary Differential Equations, Theorem II.1.1",
        STATEMENTS,
        {"solution": "statement"},
        only_solution,
    ),
    Schema(
        "intermediate value",
        "A continuous function that is negative at the low end of an interval and positive at the high end vanishes"
        " between them.",
        "The ends are in order, nothing else is supposed of the variable, and on the whole closed interval denominators"
        " are not zero, and what stands under roots and in logarithms is positive.",
        "Rudin, Principles of Mathematical Analysis, Theorem 4.23",
        SCALARS,
        {"function": "term", "variable": "symbol", "low": "term", "high": "term"},
        intermediate_value,
    ),
    Schema(
        "equal derivatives",
        "Two functions with the same derivative on an interval and the same value at one of its points are equal on"
        " the interval.",
        "The point has a value and lies in the interval, nothing else is supposed of the variable, and on the whole"
        " interval both functions are smooth: denominators are not zero, and what stands under roots and in logarithms"
        " is positive.",
        "Rudin, Principles of Mathematical Analysis, Theorem 5.11",
        SCALARS,
        {"left": "term", "right": "term", "variable": "symbol", "low": "term", "high": "term", "point": "term"},
        equal_derivatives,
    ),
    Schema(
        "conserved quantity",
        "A quantity whose derivative along a flow vanishes keeps on every solution the value that it has at the"
        " start, with everything that follows from this equation.",
        "The quantity is smooth under the hypotheses, and the conclusion holds for as long as the solution satisfies"
        " them.",
        "Rudin, Principles of Mathematical Analysis, Theorem 5.11",
        SCALARS,
        {"flow": "flow", "quantity": "term", "start": "flow", "left": "term", "right": "term"},
        conserved_quantity,
    ),
    Schema(
        "angles of a right triangle",
        "In a right triangle the angle opposite to one leg is what the angle opposite to the other leaves of pi/2.",
        "All sides are positive, and the square of the longest is the sum of the squares of the legs.",
        "Euclid, Elements, Propositions I.32 and I.47",
        SCALARS,
        {"leg": "term", "other": "term", "longest": "term"},
        right_triangle,
    ),
    Schema(
        "half of a complement",
        "What an angle leaves of pi/2 has a half, and twice the square of its sine is one less the sine of the angle.",
        "The sine of the half is positive, and that of the angle is above -1.",
        "Euler, Introductio in analysin infinitorum, section 128",
        SCALARS,
        {"half": "term", "sine": "term"},
        half_of_a_complement,
    ),
)
