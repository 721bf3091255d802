"""Random uses of theorems about numbers, conserved quantities and Gaussian variables, and of those whose hypothesis is
an enclosure in balls, which the checker carries out."""

from __future__ import annotations

import cmath
import random
from collections.abc import Callable
from functools import partial
from typing import Any

from flint import fmpq, fmpq_series
from laws.theorems_drawn import Json, Term, X, Y, at, formula, minus, number, q, square, stated, truth
from laws.theorems_of_integrals import compared, integrand, related, use

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.table import boxes
from derivations.recheck.core.table.by import parts_of
from derivations.recheck.core.terms import difference

LEVELS: list[tuple[Term, Callable[[Any, Any, Any], tuple[Any, Any]]]] = [
    (("+", square(X), square(Y)), lambda x, y, c: (x * 3 / 5 - y * 4 / 5, x * 4 / 5 + y * 3 / 5)),
    (("*", X, Y), lambda x, y, c: (x * c, y / c)),
    (("+", square(X), minus(square(Y))), lambda x, y, c: (x * 5 / 4 + y * 3 / 4, x * 3 / 4 + y * 5 / 4)),
    (("+", X, Y), lambda x, y, c: (x + c, y - c)),
]
"""Quantities, and another point with the same value."""
FLOWS: list[Json] = [
    {"x": Y, "y": minus(X)}, {"x": X, "y": minus(Y)}, {"x": Y, "y": X}, {"x": ("*", X, Y), "y": minus(square(X))},
    {"x": square(Y), "y": minus(square(Y))}, {"x": ("*", X, X, Y), "y": minus(("*", X, Y, Y))},
]  # fmt: skip
ORDER = 8


def conserved(rng: random.Random) -> bool | None:
    quantity, other = rng.choice(LEVELS)
    flow, x, y = rng.choice(FLOWS), *(fmpq(rng.choice((1, 2, -1, 3)), rng.choice((1, 2))) for _ in "xy")
    level = fmpq_of(quantity, {"x": x, "y": y})
    left, right = rng.choice([(quantity, q(str(level))), (square(quantity), q(str(level**2))), (X, q(str(x)))])
    letters = {"flow": flow, "quantity": quantity, "start": {"x": q(str(x)), "y": q(str(y))}, "left": left}
    made = use("conserved quantity", letters | {"right": right}, {"x": (), "y": ()})
    if made is None:
        return None
    level_set = [(x, y), other(x, y, fmpq(2)), other(*other(x, y, fmpq(2)), fmpq(2))]  # x may come back once, not twice
    along, anywhere = ([{"x": a, "y": b} for a, b in points] for points in (level_set, [*level_set, (x + 1, y - 3)]))
    where = {"conserved": anywhere, "follows": along}
    if any(truth(need, p) is False for role, need in made[0].items() for p in where.get(role, ())):
        return None
    known = {"x": fmpq_series([x], ORDER), "y": fmpq_series([y], ORDER)}
    for _ in range(ORDER):
        known = {name: fmpq_of(flow[name], known).integral() + start for name, start in (("x", x), ("y", y))}
    gap = fmpq_of(left, known) - fmpq_of(right, known)
    return all(gap[k] == 0 for k in range(ORDER))


def fmpq_of(term: Term, point: Json) -> Any:
    """The value of a polynomial, in fractions or in series of them."""
    head, *parts = term
    if head == "s":
        return point[parts[0]]
    if head == "q":
        return fmpq(*map(int, parts[0].split("/")))
    values = [fmpq_of(part, point) for part in (parts if head != "^" else [parts[0]] * int(parts[1][1]))]
    total = values[0]
    for value in values[1:]:
        total = total + value if head == "+" else total * value
    return total


def gaussians(rng: random.Random) -> bool | None:
    """Independent Gaussian variables have the product of their characteristic functions."""
    count = rng.randint(1, 3)
    weights, means = ([rng.choice((0, 1, -1, 2)) for _ in range(count)] for _ in "wm")
    variances = [rng.choice((0, 1, 2, 3, -1)) for _ in range(count)]
    mean = sum(w * m for w, m in zip(weights, means, strict=True)) + rng.choice((0, 0, 0, 1))
    variance = sum(w * w * v for w, v in zip(weights, variances, strict=True)) + rng.choice((0, 0, 0, 1))
    lists = {"weights": weights, "means": means, "variances": variances}
    letters: Json = {key: tuple(map(q, values)) for key, values in lists.items()}
    made = use("sum of independent Gaussians", letters | {"mean": q(mean), "variance": q(variance)}, {})
    if made is None or not all(truth(need, {}) for need in made[0].values()):
        return None
    if min(variances) < 0:
        return False
    for k in (0.3, 1.0, -0.7):
        one_by_one = 1 + 0j
        for w, m, v in zip(weights, means, variances, strict=True):
            one_by_one *= cmath.exp(1j * k * w * m - (k * w) ** 2 * v / 2)
        if abs(one_by_one - cmath.exp(1j * k * mean - k**2 * variance / 2)) > 1e-9:
            return False
    return True


def known_integrals(rng: random.Random, by_values: bool = False) -> bool | None:
    """Return what follows from told values, of which some are not the values of the integrals.

    by_values: whether the values of all of them are told.
    """
    told = [(X, 0, 1, "1/2"), (square(X), 0, 1, "1/3"), (X, -1, 1, 0), (("^", X, q(-1)), -1, 1, 0), (X, 1, 0, "-1/2")]
    first, second = rng.choice(told), rng.choice(told)
    table = {f"I_{k}": (f, q(a), q(b)) for k, (f, a, b, _) in enumerate((first, second), 1)}
    values = [q(v) if rng.random() < 0.85 else number(rng) for *_, v in (first, second)]
    known = {letter: value for letter, value in zip(table, values, strict=True) if by_values or rng.random() < 0.7}
    low = {
        letter: value if letter in known else difference(value, q("1/10"))
        for letter, value in zip(table, values, strict=True)
    }
    facts = tuple((">=", ("s", letter), low[letter]) for letter in table if letter not in known)
    left = ("+", ("*", q(2), ("s", "I_1")), ("s", "I_2"))
    right = ("+", ("*", q(2), low["I_1"]), low["I_2"], q(rng.choice((0, 0, 1, -1))))
    letters = {"variable": "x", "integrals": table, "relation": rng.choice(("=", ">", ">="))}
    letters |= {"values": known, "left": left, "right": right}
    if by_values:
        return compared("integrals by their values", letters)
    return compared("integrals by what is known of them", letters | {"facts": facts})


def is_enclosed(need: Json, cells: int) -> bool:
    evidence = {"bits": 64, "pieces": 4, "cells": cells}
    try:
        boxes.check_certified(need, evidence if "integrals" in need else {"bits": 64, "pieces": 16})
    except (Rejected, Undefined, ZeroDivisionError):
        return False
    return True


def integrals_in_balls(rng: random.Random) -> bool | None:
    f, low, high = rng.choice((integrand(rng), ("exp", ("*", ("s", "a"), X)))), number(rng), number(rng)
    bound = q(rng.choice((-3, -1, 0, 1, 3)))
    sides = [("s", "I_1"), bound] if rng.random() < 0.5 else [bound, ("s", "I_1")]
    letters = {"variable": "x", "integrals": {"I_1": (f, low, high)}, "relation": rng.choice((">", ">="))}
    letters |= {"left": sides[0], "right": sides[1], "box": {"a": ("0", "1")}, "upper": "1000000"}
    made = use("integrals in balls", letters, {"x": (), "I_1": (), "a": ()})
    if made is None or not is_enclosed(made[0]["values"], 16):
        return None
    return all(related(made[1], {"a": a}) is not False for a in (fmpq(0), fmpq(1, 3), fmpq(1)))


def balls(rng: random.Random) -> bool | None:
    statement = {**stated(rng, formula(rng), rng.choice((q(-3), q(0), formula(rng, 1)))), "kind": "sign"}
    box = {"x": ("0", "1"), "y": ("-1/2", "1/3")}
    try:
        parts = parts_of("balls", statement, {"box": box, "upper": "1000000"}).values()
    except Rejected:
        return None
    if not all(is_enclosed(need, 0) for need in parts if need["kind"] == "enclosure"):
        return None
    places = [{"x": fmpq(rng.randint(0, 7), 7), "y": fmpq(rng.randint(-3, 2), 6)} for _ in range(6)]
    return all(truth(statement, place) is not False and at(statement["left"], place) is not None for place in places)


MAKERS: dict[str, Callable[[random.Random], bool | None]] = {
    "conserved quantity": conserved,
    "sum of independent Gaussians": gaussians,
    "integrals by what is known of them": known_integrals,
    "integrals by their values": partial(known_integrals, by_values=True),
    "integrals in balls": integrals_in_balls,
    "balls": balls,
}
"""Each draws letters: True where the hypotheses hold and the conclusion does, False where it does not, else None."""
