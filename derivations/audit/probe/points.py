"""Random points for the symbols of a statement, at which its hypotheses hold."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import mpmath

from derivations.audit.probe.numbers import NoValue, Number, value

Point = dict[str, Number]
LEAST = mpmath.mpf(10) ** -12  # an equation that only a smaller number meets is met by none
TRIES = 60  # draws for one point before it is given up
SIGNS = {"positive": (1,), "negative": (-1,), "nonnegative": (1, 1, 1, 0), "nonpositive": (-1, -1, -1, 0)}


def points(
    statement: Mapping[str, Any], rng: random.Random, among: list[dict[str, Number]]
) -> Iterator[dict[str, Number]]:
    """Points without end for a statement's symbols that satisfy its hypotheses; None where none was found for long.

    among: values of some symbols that belong together, such as the scalars of a model's instance.
    """
    symbols, hypotheses = statement["symbols"], statement["assuming"]
    while True:
        for _ in range(TRIES):
            given = rng.choice(among) if among and rng.random() < 0.5 else {}
            point = {name: given.get(name, drawn(assumptions, rng)) for name, assumptions in symbols.items()}
            if not declared(point, symbols):
                continue
            if satisfied(hypotheses, point) or (tied(hypotheses, point, rng) and declared(point, symbols)):
                yield point
                break
        else:
            return


def drawn(assumptions: list[str], rng: random.Random) -> Number:
    """A number of the declared sign, of any size from a hundredth to a hundred, now and then zero or one."""
    signs = next(
        (SIGNS[a] for a in ("positive", "negative", "nonnegative", "nonpositive") if a in assumptions), (1, -1)
    )
    sign = rng.choice(signs)
    size = mpmath.mpf(1) if rng.random() < 0.05 else mpmath.mpf(10 ** rng.uniform(-2, 2))
    if not sign or ("nonzero" not in assumptions and len(signs) > 1 and rng.random() < 0.05):
        return mpmath.mpf(0)
    return sign * size


def declared(point: Mapping[str, Number], symbols: Mapping[str, list[str]]) -> bool:
    tests = {
        "positive": lambda x: x > 0,
        "negative": lambda x: x < 0,
        "nonnegative": lambda x: x >= 0,
        "nonpositive": lambda x: x <= 0,
        "nonzero": lambda x: x != 0,
    }
    return all(tests[a](point[name]) for name, assumptions in symbols.items() for a in assumptions)


def satisfied(hypotheses: Any, point: Mapping[str, Number]) -> bool:
    """Check whether all relations hold at a point; equations up to rounding."""
    try:
        return all(holds(relation, point) for relation in hypotheses)
    except NoValue:
        return False


def holds(relation: Any, point: Mapping[str, Number], slack: Any = 0) -> bool:
    """Check that a relation holds at a point; `slack` is what an inequality may miss, as a part of the sides' size."""
    left, right = value(relation[1], point), value(relation[2], point)
    scale = max(abs(left), abs(right), mpmath.mpf(10) ** -20)
    match relation[0]:
        case "=":
            return bool(abs(left - right) <= scale * mpmath.mpf(10) ** -15)
        case "!=":
            return bool(abs(left - right) > scale * mpmath.mpf(10) ** -15)
        case ">":
            return bool(left > right - slack * scale)
    return bool(left >= right - slack * scale)


def tied(hypotheses: Any, point: dict[str, Number], rng: random.Random) -> bool:
    """Moves one symbol for every equation that does not hold, so that it does; whether all hypotheses hold then."""
    for relation in hypotheses:
        if relation[0] != "=" or satisfied([relation], point):
            continue
        names = [name for name in point if speaks_of(relation, name)]
        rng.shuffle(names)
        if not any(_solve(relation, name, point) for name in names):
            return False
    return satisfied(hypotheses, point)


def speaks_of(term: Any, name: str) -> bool:
    """Check whether a symbol of this name stands in a term or a relation."""
    if term[:2] == ("s", name) or (isinstance(term, list) and term[:2] == ["s", name]):
        return True
    return any(isinstance(part, list | tuple) and speaks_of(part, name) for part in term[1:])


def _solve(relation: Any, name: str, point: dict[str, Number]) -> bool:
    def miss(x: Number) -> Number:
        at = {**point, name: x}
        return value(relation[1], at) - value(relation[2], at)

    try:
        found = mpmath.findroot(miss, point[name] or mpmath.mpf(1))
    except (NoValue, ValueError, ZeroDivisionError, ArithmeticError, TypeError):
        return False
    if not isinstance(found, mpmath.mpf) or not LEAST < abs(found) < 1 / LEAST:
        return False
    point[name] = found
    return True
