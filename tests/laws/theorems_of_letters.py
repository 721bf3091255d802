"""Random uses of rules that bring in a new letter: for every value of it, or for the one that belongs to a point."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from flint import arb, fmpq
from laws.theorems_drawn import PI, SETTING, Json, Term, X, formula, minus, q, square, truth, value

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.table.by import parts_of


def parts(rule: str, parameters: Json, statement: Json) -> Json | None:
    try:
        with budget():
            return parts_of(rule, statement, parameters)
    except Rejected:
        return None


def about(left: Term, right: Term, relation: str = ">=") -> Json:
    return {"kind": "sign", "relation": relation, **SETTING, "left": left, "right": right}


def alike(statement: Json, point: Json, part: Json | None, inner: Json) -> bool | None:
    """Check that the part says at one point what the statement says at another, with all that is supposed besides."""
    if part is None:
        return None
    try:
        pairs = [(value(statement[side], point), value(part[side], inner)) for side in ("left", "right")]
        held = [value(("+", left, minus(right)), inner) for order, left, right in part["assuming"] if order != "!="]
    except (Undefined, Rejected, ZeroDivisionError, ValueError):
        return None
    if not all(one.is_finite() and other.is_finite() for one, other in pairs):
        return None
    return all(one.overlaps(other) for one, other in pairs) and not any(gap < 0 for gap in held)


def circle(rng: random.Random) -> bool | None:
    angle = rng.choice(
        (X, ("*", q(rng.choice((2, -3, "1/2"))), X), ("+", X, ("*", q(Fraction(rng.randint(-9, 9), 7)), PI)))
    )
    wave = [(rng.choice(("sin", "cos")), angle) for _ in "ab"]
    statement = about(("+", ("*", *wave), formula(rng, 1)), wave[0])
    made = parts("points of the circle", {"angle": angle, "letter": "t"}, statement)
    point, role = {"x": fmpq(rng.randint(-9, 9), 4), "y": fmpq(1, 3)}, rng.choice(("right", "left"))
    half = value(angle, point) / 2 + (arb.pi() / 2 if role == "left" else 0)
    return alike(statement, point, made and made[role], {**point, "t": half.tan()})


def distance(rng: random.Random) -> bool | None:
    end, side, bound = q(rng.randint(-3, 3)), rng.choice(("above", "below")), rng.choice((">", ">="))
    statement = about(formula(rng), formula(rng, 1)) | {"assuming": rng.choice(((), (("!=", X, q(0)),)))}
    used = {"symbol": "x", "end": end, "side": side, "bound": bound, "letter": "t"}
    made, t = parts("distance from an end", used, statement), fmpq(rng.randint(1, 20), 3)
    x = int(end[1]) + (t if side == "above" else -t)
    y = fmpq(rng.randint(-5, 5), 3)
    return alike(statement, {"x": x, "y": y}, made and made["then"], {"x": x, "t": t, "y": y})


def product_with_exponential(rng: random.Random) -> bool | None:
    statement = about(("+", ("lambertw", X), formula(rng, 1)), formula(rng, 1))
    made = parts("values of w exp(w)", {"symbol": "x", "letter": "t"}, statement)
    w, y = fmpq(rng.randint(-10, 30), 10), fmpq(rng.randint(-5, 5), 3)
    point = {"x": w * arb(w).exp(), "y": y}
    return alike(statement, point, made and made["then"], {**point, "t": w})


BENDS: list[Callable[[Term], Term]] = [
    lambda x: ("exp", x), square, lambda x: ("*", x, x, x), lambda x: ("log", square(x)),
    lambda x: ("^", square(x), q("1/2")), lambda x: x, lambda x: q(1),
]  # fmt: skip
ENDING: list[Callable[[Term], Term]] = [
    lambda x: ("^", x, q(-1)), lambda x: ("atan", ("^", x, q(-1))), lambda x: ("^", square(x), q(-1)),
    lambda x: ("^", ("exp", minus(square(x))), q("1/2")), lambda x: ("exp", minus(square(x))),
]  # fmt: skip
"""Functions that bend, some with a hole or without a slope at 0; in steps of an eighth 0 is met wherever it lies."""
STEP = fmpq(1, 8)


def slope(rng: random.Random) -> bool | None:
    """Draw the slope of a sum of bends, from an end; the rate is tried at places all along the way."""
    end, side = fmpq(rng.randint(-4, 4), 2), rng.choice((1, -1))
    x = end + side * fmpq(rng.randint(0, 8), 2)
    on_way = [end + side * STEP * k for k in range(1, 64) if abs(STEP * k) < abs(x - end)]
    return _follows(rng, q(str(end)), side, x, on_way)


def far_slope(rng: random.Random) -> bool | None:
    """Return the same towards infinity, as far out as to twenty; whether the limit is zero is tried far out."""
    side, x = rng.choice((1, -1)), fmpq(rng.randint(-8, 8), 2)
    on_way = [x - side * STEP * k for k in range(1, 160)]
    return _follows(rng, ("-oo" if side > 0 else "oo",), side, x, on_way)


def _follows(rng: random.Random, end: Term, side: int, x: Any, on_way: list[Any]) -> bool | None:
    rule = "slope" if end[0] == "q" else "slope towards a limit"
    times = [q(rng.choice((1, -1, 2, -3, "1/2"))) for _ in "ab"]
    function: Term = (
        "+",
        *(
            ("*", k, bend(X))
            for k, bend in zip(times, rng.choices(ENDING if "limit" in rule else [*BENDS, *ENDING], k=2), strict=True)
        ),
    )
    statement = about(function, q(0), rng.choice((">", ">=")))
    used = {"symbol": "x", "end": end, "side": "above" if side > 0 else "below", "letter": "t"}
    used |= {"start": rng.choice((">", ">=", ">=")), "rate": rng.choice((">", ">="))}
    made = parts(rule, used | ({"value": q(0)} if "limit" in rule else {}), statement)
    if made is None:
        return None
    for role, need in made.items():
        if role == "limit":
            near = [
                truth(about(("abs", function), q("1/1000"), ">"), {"x": fmpq(-side * far)}) for far in (10**5, 10**6)
            ]
            if near != [False, False]:
                return None
            continue
        places = [{"x": x, "t": t} for t in on_way] if "t" in need["symbols"] else [{"x": x}]
        if any(truth(need, place, silent=True) is not True for place in places):
            return None
    return truth(statement, {"x": x}) is not False


MAKERS: dict[str, Callable[[random.Random], bool | None]] = {
    "points of the circle": circle,
    "distance from an end": distance,
    "values of w exp(w)": product_with_exponential,
    "slope": slope,
    "slope towards a limit": far_slope,
}
