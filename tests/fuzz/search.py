"""The search for a point at which a statement is false: at random, on a coarse lattice, and beside it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from typing import Any

import sympy as sp
from fuzz.expressions import p, points, q, x, y
from fuzz.values import NoValue, differ, value

Point = dict[Any, Any]
Search = Callable[[random.Random], Any]
NEAR = [sp.Rational(k, 6) for k in range(-14, 15)]
COEFFICIENTS = [sp.Rational(a, b) for a, b in ((1, 1), (-1, 1), (2, 1), (1, 2), (-1, 2), (3, 1), (1, 3), (0, 1))]
NOWHERE = (NoValue, ZeroDivisionError, ValueError, OverflowError, TypeError)
POINTS = 60


def spoken(*formulas: Any) -> set[Any]:
    return set().union(*(sp.sympify(f).free_symbols for f in formulas))


def supposed(rng: random.Random, *formulas: Any) -> list[Any]:
    """Up to two hypotheses about some of the symbols."""
    named = [s for s in (x, y, p, q) if s in spoken(*formulas)]
    if not named or rng.random() < 0.35:
        return []
    drawn = []
    for _ in range(rng.choice((1, 1, 2))):
        other = rng.choice([*named, sp.S.Zero, sp.S.One, sp.S.NegativeOne, sp.Rational(3, 2), sp.pi / 2])
        drawn.append(rng.choice((sp.Gt, sp.Ge, sp.Lt, sp.Le, sp.Ne))(rng.choice(named), other))
    return [r for r in drawn if isinstance(r, sp.core.relational.Relational)]


def near_points(rng: random.Random, symbols: Iterable[Any], count: int) -> list[Point]:
    """Points on a coarse lattice, so that sides meet and conditions change there, and beside it."""
    found = []
    for _ in range(count):
        at = {
            s: rng.choice(NEAR) if rng.random() < 0.6 else sp.Rational(rng.randint(-3000, 3000), 577) for s in symbols
        }
        found.append({s: abs(w) or sp.Rational(1, 97) if s.is_positive else w for s, w in at.items()})
    return found


def holds(relation: Any, at: Point) -> bool:
    """Check whether a hypothesis holds at a point, which numbers that only nearly meet do not tell."""
    left, right = value(relation.lhs, at), value(relation.rhs, at)
    if not differ(left, right):
        return relation.rel_op in (">=", "<=", "==")
    return {">": left > right, ">=": left > right, "<": left < right, "<=": left < right, "!=": True}.get(
        relation.rel_op, False
    )


def admitted(rng: random.Random, symbols: Iterable[Any], assuming: Iterable[Any], count: int) -> Iterable[Point]:
    """Points at which the hypotheses hold, of so many that are drawn."""
    named = sorted(symbols, key=str)
    for at in (*points(rng, named, count - count // 2), *near_points(rng, named, count // 2)):
        try:
            if all(holds(relation, at) for relation in assuming):
                yield at
        except NOWHERE:
            continue


def searched(
    bad: Callable[[Point], Any], formulas: Any, assuming: Any = (), *without: Any, count: int = POINTS
) -> Search:
    """The search for a point at which the hypotheses hold, and which is bad, or of which something bad is told."""
    symbols = spoken(*formulas, *assuming) - {*without}

    def found(rng: random.Random) -> Any:
        for at in admitted(rng, symbols, assuming, count):
            try:
                if trouble := bad(at):
                    return at if trouble is True else trouble
            except NOWHERE:
                continue
        return None

    found.at = bad  # type: ignore[attr-defined]
    return found
