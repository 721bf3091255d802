"""Random statements near true ones of a theorist's language: functions, pieces, powers, bounds, limits anywhere."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import sympy as sp
from case_files import Cases
from fuzz.drawn import Drawn
from fuzz.expressions import p, q, x, y
from fuzz.values import NoValue, TooLarge, differ, value
from mpmath import mpf, quad

from derivations import prove

FAMILIES = Cases(__file__, globals())

u, v = sp.symbols("u v", real=True)
NEAR = [sp.Rational(k, 6) for k in range(-14, 15)]
COEFFICIENTS = [sp.Rational(a, b) for a, b in ((1, 1), (-1, 1), (2, 1), (1, 2), (-1, 2), (3, 1), (1, 3), (0, 1))]
ARGUMENTS = FAMILIES["arguments"]


PI = sp.pi
TRUE_IDENTITIES = FAMILIES["true identities"]
TRUE_INEQUALITIES = FAMILIES["true inequalities"]  # the left side is not less than the right one
RELATED = FAMILIES["related"]


def _filled(rng: random.Random, sides: tuple[Any, Any], narrow: bool) -> tuple[Any, Any]:
    """The sides with arguments put in; one number, sign or part of a side is changed as often as not."""
    put = {u: rng.choice((x, p) if narrow else ARGUMENTS), v: rng.choice((y, q) if narrow else ARGUMENTS)}
    left, right = (sp.sympify(side) for side in sides)
    roll = rng.random()
    if roll < 0.3:
        numbers = sorted((n for n in right.atoms(sp.Rational)), key=str) or [sp.S.One]
        old = rng.choice(numbers)
        right = right.xreplace({old: old + rng.choice(COEFFICIENTS) * rng.choice((1, sp.Rational(1, 50)))})
    elif roll < 0.45:
        right = right * rng.choice(COEFFICIENTS) + rng.choice(COEFFICIENTS) * rng.choice((1, sp.Rational(1, 20)))
    elif roll < 0.55:
        left = left.xreplace({u: rng.choice((-u, v, 2 * u))})
    left, right = (e.subs(put, simultaneous=True) for e in (left, right))
    if rng.random() < 0.25:
        factor = rng.choice((x, p, y - x, sp.exp(x), x - 1))
        left, right = left * factor, right * factor
    return left, right


def _supposed(rng: random.Random, symbols: Any) -> list[Any]:
    """Up to two hypotheses about some of the symbols."""
    named = [s for s in (x, y, p, q) if s in symbols]
    if not named or rng.random() < 0.35:
        return []
    drawn = []
    for _ in range(rng.choice((1, 1, 2))):
        other = rng.choice([*named, sp.Integer(0), sp.S.One, sp.Integer(-1), sp.Rational(3, 2), PI / 2])
        drawn.append(rng.choice(RELATED)(rng.choice(named), other))
    return [r for r in drawn if isinstance(r, sp.core.relational.Relational)]


def near_points(rng: random.Random, symbols: Any, count: int) -> list[dict[Any, Any]]:
    """Points on a coarse lattice, so that sides meet and conditions change there, and beside it."""
    found = []
    for _ in range(count):
        at = {
            s: rng.choice(NEAR) if rng.random() < 0.6 else sp.Rational(rng.randint(-3000, 3000), 577) for s in symbols
        }
        found.append({s: abs(w) or sp.Rational(1, 97) if s.is_positive else w for s, w in at.items()})
    return found


POINTS = 60


def _searched(
    sides: Callable[[Any], bool], symbols: Any, assuming: list[Any], count: int = POINTS
) -> Callable[[random.Random], Any]:
    def found(rng: random.Random) -> Any:
        for at in near_points(rng, sorted(symbols, key=str), count):
            try:
                if all(holds(r, at) for r in assuming) and sides(at):
                    return at
            except (NoValue, ZeroDivisionError, ValueError, OverflowError, TypeError):
                continue
        return None

    return found


def holds(relation: Any, at: Any) -> bool:
    """Check whether a hypothesis holds at a point, which numbers that only nearly meet do not tell."""
    left, right = value(relation.lhs, at), value(relation.rhs, at)
    if not differ(left, right):
        return relation.rel_op in (">=", "<=", "==")
    return {">": left > right, ">=": left > right, "<": left < right, "<=": left < right, "!=": True}.get(
        relation.rel_op, False
    )


def _spoken(*formulas: Any) -> Any:
    return set().union(*(f.free_symbols for f in formulas))


def known_identity(rng: random.Random) -> Drawn:
    """An identity of the list, or nearly one."""
    left, right = _filled(rng, rng.choice(TRUE_IDENTITIES), False)
    return _equal("known identity", rng, left, right)


def known_slope(rng: random.Random) -> Drawn:
    """The derivative of a side of an identity, beside that of the other side."""
    left, right = _filled(rng, rng.choice(TRUE_IDENTITIES), True)
    if (left * right).has(sp.sign, sp.Piecewise, sp.Max, sp.Min, sp.Abs, sp.digamma, sp.polygamma):
        return known_slope(rng)
    by = rng.choice((x, p))
    return _equal("known slope", rng, sp.Derivative(left, by), right.diff(by))


def _equal(kind: str, rng: random.Random, left: Any, right: Any) -> Drawn:
    assuming = _supposed(rng, _spoken(left, right))
    return Drawn(
        kind,
        f"{left} = {right} under {assuming}",
        lambda: prove.identity(left, right, assuming),
        _searched(lambda at: _differ(left, right, at), _spoken(left, right, *assuming), assuming),
    )


def known_inequality(rng: random.Random) -> Drawn:
    """An inequality of the list, or nearly one, in one or two variables."""
    left, right = _filled(rng, rng.choice(TRUE_INEQUALITIES), rng.random() < 0.8)
    assuming, strict = _supposed(rng, _spoken(left, right)), rng.random() < 0.4
    relation = (sp.Gt if strict else sp.Ge)(left, right, evaluate=False)

    def violated(at: Any) -> bool:
        a, b = value(left, at), value(right, at)
        return bool(a < b if differ(a, b) and not _meet(left, right, at) else strict and _meet(left, right, at))

    return Drawn(
        "known inequality",
        f"{relation} under {assuming}",
        lambda: prove.inequality(relation, assuming),
        _searched(violated, _spoken(left, right, *assuming), assuming),
    )


def _differ(left: Any, right: Any, at: Any) -> bool:
    """Check whether the sides differ, also where large numbers nearly cancel."""
    return differ(value(left, at), value(right, at)) and not _meet(left, right, at)


def _meet(left: Any, right: Any, at: Any) -> bool:
    """Check whether the sides are equal to hundreds of digits."""
    return bool(abs(value(left, at, 500) - value(right, at, 500)) < mpf(10) ** -250)


def polynomial(rng: random.Random) -> Drawn:
    """A polynomial inequality that touches zero somewhere, or is moved a little."""
    symbols = rng.choice(((x,), (x,), (x, p), (x, y), (x, y, p)))
    roots = [rng.choice(symbols) - rng.choice((*NEAR, *symbols)) for _ in range(rng.randint(1, 3))]
    left = sp.Mul(*(r ** rng.choice((1, 2, 2)) for r in roots))
    left += rng.choice((0, 0, 0, 1)) * sum((rng.choice(symbols) - rng.choice(NEAR)) ** 2 for _ in range(2))
    left = sp.expand(left + rng.choice((0, 0, sp.Rational(1, 10**6), -sp.Rational(1, 10**6), 1)))
    if rng.random() < 0.3:
        left = left / (rng.choice(symbols) - rng.choice(NEAR)) ** rng.choice((1, 2))
    assuming, strict = _supposed(rng, set(symbols)), rng.random() < 0.4
    relation = (sp.Gt if strict else sp.Ge)(left, sp.S.Zero, evaluate=False)

    def violated(at: Any) -> bool:
        a = left.subs(at)
        return bool(a.is_finite and (a < 0 or (strict and a == 0)))

    return Drawn(
        "polynomial",
        f"{relation} under {assuming}",
        lambda: prove.inequality(relation, assuming),
        _searched(violated, _spoken(left, *assuming), assuming),
    )


# --- limits anywhere --------------------------------------------------------------------------------------------------

z = sp.Symbol("z", real=True)
LARGE = 400
DISTANCE = sp.Rational(1, 10**LARGE)  # at which numbers look at a limit
FACTORS = FAMILIES["factors"]
CLAIMS = FAMILIES["claims"]


def limit_anywhere(rng: random.Random) -> Drawn:
    """A product or a sum of factors at a point from one side or at infinity, with some value."""
    at = rng.choice(((sp.oo,), (sp.oo,), (-sp.oo,), (0, "+"), (0, "-"), (1, "+"), (1, "-"), (p, "+")))
    end = sp.sympify(at[0])
    far = z * sp.sign(end) if end.is_infinite else 1 / (z - end) if at[1:] == ("+",) else 1 / (end - z)
    inner = rng.choice((far, far, far, z))
    parts = [rng.choice(FACTORS)(inner if rng.random() < 0.8 else z, rng) for _ in range(rng.randint(1, 2))]
    whole = sp.Mul(*parts) if rng.random() < 0.6 else sp.Add(*parts)
    claimed = sp.sympify(rng.choice(CLAIMS))
    assuming = rng.choice(([], [], [p > 1], [p < q], [p > q]))
    if z not in whole.free_symbols or whole.has(sp.zoo, sp.nan, sp.oo):
        return limit_anywhere(rng)

    def elsewhere(point: Any) -> bool:
        goal = None if claimed.is_infinite else value(claimed, point)
        beside = DISTANCE if at[1:] == ("+",) else -DISTANCE
        place = sp.sign(end) / DISTANCE if end.is_infinite else sp.sympify(end).subs(point) + beside
        try:
            found = value(whole, {**point, z: place}, 4 * LARGE)
        except TooLarge as large:
            return goal is not None or large.args[0] != sp.sign(claimed)
        return bool(abs(found - goal) > 0.01 if goal is not None else found * sp.sign(claimed) < 5)

    symbols = _spoken(whole, claimed, sp.sympify(end), *assuming) - {z}
    return Drawn(
        "limit anywhere",
        f"{whole} -> {claimed} as z -> {at} under {assuming}",
        lambda: prove.limit(whole, {z: end if end.is_infinite else at}, claimed, assuming),
        _searched(elsewhere, symbols, assuming),
        elsewhere,
    )


# --- integrals --------------------------------------------------------------------------------------------------------

PRIMITIVES = FAMILIES["primitives"]
ENDS = FAMILIES["ends"]


def integral(rng: random.Random) -> Drawn:
    """A definite integral with the value that Newton and Leibniz give, right or not, or with another one."""
    primitive = rng.choice((1, 1, 2, x, -1)) * rng.choice(PRIMITIVES)
    low, high = (sp.sympify(rng.choice(ENDS)) for _ in range(2))
    f = primitive.diff(z)
    top, bottom = (primitive.limit(z, end) if end.is_infinite else primitive.subs(z, end) for end in (high, low))
    claimed = top - bottom
    unfit = claimed.has(sp.oo, sp.nan, sp.zoo, sp.I, sp.sign, sp.AccumBounds, sp.Limit)
    if unfit or low in (high, sp.oo) or high == -sp.oo:
        return integral(rng)
    if rng.random() < 0.4:
        claimed = claimed * rng.choice(COEFFICIENTS) + rng.choice(COEFFICIENTS)
    assuming = _supposed(rng, _spoken(f, low, high))

    def another(at: Any) -> bool:
        ends = [e if e.is_infinite else value(e, at) for e in (low, high)]
        if ends[0] > ends[1]:
            return False
        places = [mpf(str(e).replace("oo", "inf")) for e in ends]
        cuts = [mpf(0)] if places[0] < 0 < places[1] else []
        found = quad(lambda w: value(f, {**at, z: w}, 20), [places[0], *cuts, places[1]])
        return bool(abs(found - value(claimed, at)) > 1e-3 * (1 + abs(found)))

    whole = sp.Integral(f, (z, low, high))
    return Drawn(
        "integral",
        f"{whole} = {claimed} under {assuming}",
        lambda: prove.integral(whole, claimed, assuming),
        _searched(another, _spoken(f, low, high, claimed, *assuming) - {z}, assuming, 6),
    )
