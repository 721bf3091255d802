"""Random statements of every scalar kind, each with what sixty digits say of it at a point."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
import sympy as sp
from case_files import Cases
from fuzz import calculus, motion, orders, traps
from fuzz.drawn import Drawn
from fuzz.expressions import NUMBERS, expression, n, p, points, q, rewritten, t, x, y
from fuzz.values import NoValue, TooLarge, differ, value
from scipy.integrate import solve_ivp

from derivations import prove
from derivations.language.words import Letter, Words
from derivations.prove import Certificate

FAMILIES = Cases(__file__)

POINTS = 20
STEEP = 1000.0  # a slope beyond which an integration is not believed


def _contradicts(sides: Callable[[Any], bool], symbols: Any, assuming: Any = ()) -> Callable[[random.Random], Any]:
    """A point that satisfies the hypotheses and at which the sides, which must have values, are as they must not be."""

    def found(rng: random.Random) -> Any:
        for point in points(rng, sorted(symbols, key=str), POINTS):
            try:
                if all(_holds(r, point) for r in assuming) and sides(point):
                    return point
            except (NoValue, ZeroDivisionError, ValueError, OverflowError, TypeError):
                continue
        return None

    return found


def _holds(relation: Any, point: Any) -> bool:
    left, right = value(relation.lhs, point), value(relation.rhs, point)
    return {">": left > right, ">=": left >= right, "<": left < right, "<=": left <= right, "!=": left != right}.get(
        relation.rel_op, False
    )


def _hypotheses(rng: random.Random) -> list[Any]:
    a, b = rng.choice((x, y, p)), rng.choice((y, q, n, sp.Integer(1)))
    return [] if a == b or rng.random() < 0.6 else [rng.choice((a > b, a >= b, a < b, sp.Ne(a, b)))]


def _free(*expressions: Any) -> Any:
    return set().union(*(sp.sympify(e).free_symbols for e in expressions))


def identity(rng: random.Random) -> Drawn:
    left = expression(rng, rng.randint(1, 3))
    return _equal("identity", left, rewritten(left, rng), _hypotheses(rng))


def _equal(kind: str, left: Any, right: Any, assuming: Any = ()) -> Drawn:
    relations = [r for r in assuming if isinstance(r, sp.core.relational.Relational)]
    symbols = _free(left, right, *relations)
    return Drawn(
        kind,
        f"{left} = {right} under {relations}",
        lambda: prove.identity(left, right, relations),
        _contradicts(lambda at: differ(value(left, at), value(right, at)), symbols, relations),
    )


def derivative(rng: random.Random) -> Drawn:
    inner, by = expression(rng, rng.randint(1, 3)), rng.choice((x, p, n))
    right = inner.diff(by)
    return _equal("derivative", sp.Derivative(inner, by), right if rng.random() < 0.5 else rewritten(right, rng))


def substitution(rng: random.Random) -> Drawn:
    inner, by = expression(rng, rng.randint(1, 3)), rng.choice((x, p, n))
    put = expression(rng, 1)
    right = inner.subs(by, put)
    return _equal("substitution", sp.Subs(inner, by, put), right if rng.random() < 0.5 else rewritten(right, rng))


def inequality(rng: random.Random) -> Drawn:
    left, right = expression(rng, rng.randint(1, 2), (x, p, q)), expression(rng, 1, (x, p))
    if rng.random() < 0.5:
        left = right + (left**2 if rng.random() < 0.6 else sp.exp(left))
    strict, assuming = rng.random() < 0.5, [r for r in _hypotheses(rng) if _free(r) <= {x, p, q}]
    relation = (sp.Gt if strict else sp.Ge)(left, right, evaluate=False)

    def violated(at: Any) -> bool:
        a, b = value(left, at), value(right, at)
        return bool(a < b and differ(a, b)) or bool(strict and a == b and value(left - right, at) == 0)

    return Drawn(
        "inequality",
        f"{relation} under {assuming}",
        lambda: prove.inequality(relation, assuming),
        _contradicts(violated, _free(left, right, *assuming), assuming),
    )


def limit(rng: random.Random) -> Drawn:
    small = p
    whole = expression(rng, rng.randint(1, 3), (p, p, x, q))
    towards = whole.subs(small, 0)
    if towards.has(sp.zoo, sp.oo, sp.nan) or rng.random() < 0.3:
        towards = expression(rng, 1, (x, q))
    if rng.random() < 0.4:
        whole, towards = (whole - towards) / small, whole.diff(small).subs(small, 0)
    if towards.has(sp.zoo, sp.oo, sp.nan) or rng.random() < 0.3:
        towards = rng.choice(NUMBERS) + expression(rng, 1, (x, q))
    return _tends("limit", whole, towards, small, lambda: prove.limit(whole, [small], towards))


def leading_order(rng: random.Random) -> Drawn:
    main = expression(rng, 1, (x, q)) * p ** rng.randint(0, 2)
    whole = main + p ** rng.randint(1, 3) * expression(rng, rng.randint(1, 2), (p, x, q))
    claimed = main if rng.random() < 0.6 else main * rng.choice(NUMBERS)
    ratio = whole / claimed if claimed != 0 else sp.zoo
    return _tends("leading order", ratio, sp.Integer(1), p, lambda: prove.leading_order(whole, claimed, {p: 1}))


CLOSEST = 500  # the power of a tenth up to which numbers look at a limit


def _tends(kind: str, whole: Any, towards: Any, small: Any, make: Callable[[], Certificate]) -> Drawn:
    def elsewhere(at: Any) -> bool:
        goal = value(towards, at)
        try:
            gaps = [abs(value(whole, {**at, small: sp.Rational(1, 10**k)}, 200) - goal) for k in (10, 14, 18)]
        except TooLarge:
            return far_off(at, goal)
        return bool(gaps[2] > 1e-4 and gaps[2] > gaps[0] / 2)

    def far_off(at: Any, goal: Any) -> bool:
        """Check whether it is still far away much closer: large numbers may stand beside the small one."""
        for power in (CLOSEST, 10 * CLOSEST):
            with suppress(TooLarge):
                return bool(abs(value(whole, {**at, small: sp.Rational(1, 10**power)}, 4 * power) - goal) > 1e-4)
        return True

    symbols = _free(whole, towards) - {small}
    says = f"{whole} -> {towards} as {small} -> 0"
    return Drawn(kind, says, make, _contradicts(elsewhere, symbols), elsewhere)


def enclosure(rng: random.Random) -> Drawn:
    whole = expression(rng, rng.randint(1, 3), (x, p))
    if rng.random() < 0.3:
        whole = sp.Derivative(whole, x)
    box = {s: (low := sp.Rational(rng.randint(1, 40), 20), low + sp.Rational(rng.randint(0, 10), 20)) for s in (x, p)}
    low, high = sorted((sp.Rational(rng.randint(-60, 60), 10), sp.Rational(rng.randint(-60, 60), 10)))
    if rng.random() < 0.5:
        low, high = low - 20, high + 20

    def outside(r: random.Random) -> Any:
        for _ in range(POINTS):
            at = {s: a + (b - a) * sp.Rational(r.randint(0, 100), 100) for s, (a, b) in box.items()}
            try:
                if not float(low) - 1e-9 < value(whole, at) < float(high) + 1e-9:
                    return at
            except NoValue:
                return at if isinstance(whole, sp.Derivative) else None
        return None

    used = {s: box[s] for s in box if s in _free(whole)} or box
    return Drawn(
        "enclosure", f"{low} < {whole} < {high} in {used}", lambda: prove.enclosed(whole, used, low, high), outside
    )


# --- solutions of flows -----------------------------------------------------------------------------------------------

u, v = sp.symbols("u v", real=True)


def solution(rng: random.Random) -> Drawn:
    """A flow built around a curve; the curve, the rate or the start is changed as often as not."""
    a, b = rng.choice((x, p, q, sp.Integer(1))), rng.choice((p, y, *NUMBERS))
    curve = rng.choice(_CURVES)(a, b)
    if rng.random() < 0.3:
        curve = curve + rng.choice(_CURVES)(b, a)
    slope = sp.diff(curve, t)
    rate = rng.choice((slope, slope + (u - curve) * rng.choice((a, t, u)), slope * u / curve if curve != 0 else slope))
    claimed, start = curve, curve.subs(t, 0)
    roll = rng.random()
    if roll < 0.15:
        claimed = rewritten(curve, rng).xreplace({n: t})
    elif roll < 0.25:
        rate = rate + rng.choice(NUMBERS) * rng.choice((t, u, sp.Integer(1)))
    elif roll < 0.32:
        start = start + rng.choice(NUMBERS)
    named: dict[str, Any] = rng.choice(({}, {}, {"until": rng.choice((a, sp.Integer(2)))}, {"while_defined": True}))
    if any(e.has(sp.zoo, sp.oo, sp.nan) for e in (rate, claimed, start)) or not start.free_symbols <= {x, y, p, q}:
        return solution(rng)
    return Drawn(
        "solution",
        f"u' = {rate}, u(0) = {start}: {claimed}, {named}",
        lambda: prove.solves({u: rate}, {u: claimed}, {u: start}, t, **named),
        lambda r: _broken(r, rate, claimed, start, named),
    )


_CURVES = FAMILIES["curves"]
TIMES = [sp.Rational(k, 7) for k in (0, 1, 3, 5, 8, 13, 20, 34, 60, 110)]


def _broken(rng: random.Random, rate: Any, claimed: Any, start: Any, named: dict[str, Any]) -> Any:
    """Constants and a time at which the curve does not start, does not move, or is not as it must."""
    for at in points(rng, sorted(_free(rate, claimed, start) - {u, t}, key=str), 6):
        end = value(named["until"], at) if "until" in named else 1000
        if end <= 0:
            continue
        try:
            begun = value(claimed, {**at, t: sp.Integer(0)})
            value(rate, {**at, t: sp.Integer(0), u: begun})
        except (NoValue, ZeroDivisionError):
            continue
        if differ(begun, value(start, at)):
            return {**at, t: 0}
        trouble = _on_the_way(at, rate, claimed, end, "while_defined" in named)
        if trouble is not None:
            return trouble
        if "while_defined" not in named and _strays(at, rate, claimed, min(0.5, float(end) / 2)):
            return {**at, t: "integrated"}
    return None


def _strays(at: Any, rate: Any, claimed: Any, end: float) -> bool:
    """Check whether the flow, integrated from where the curve begins, ends somewhere else."""
    fixed = {s: sp.Float(float(v), 17) for s, v in at.items()}
    move, curve = sp.lambdify((t, u), rate.subs(fixed), "math"), sp.lambdify(t, claimed.subs(fixed), "math")

    def slope(time: float, state: Any) -> list[float]:
        moved = move(time, float(state[0]))
        if not abs(moved) < STEEP:
            raise ValueError
        return [moved]

    try:
        done = solve_ivp(slope, (0.0, end), [float(curve(0.0))], method="DOP853", rtol=1e-10, atol=1e-12)
        return bool(done.success and abs(done.y[0, -1] - curve(end)) > 1e-3 * (1 + abs(done.y[0, -1])))
    except (ValueError, TypeError, ZeroDivisionError, OverflowError):
        return False


def _on_the_way(at: Any, rate: Any, claimed: Any, end: Any, is_defined_only: bool) -> Any:
    """The first time at which the rate is wrong, or the curve has jumped since the time before, or has no value."""
    slope, before = sp.diff(claimed, t), None
    for moment in [*(sp.Rational(k, 40) for k in range(1, 40)), *TIMES[4:]]:
        if moment >= end:
            return None
        here = {**at, t: moment}
        try:
            now, moves = value(claimed, here), value(slope, here)
            wanted = value(rate, {**here, u: now})
        except NoValue:
            return None if is_defined_only or _is_large(claimed, here) else here
        if before is not None and moment < 1 and abs(now - before[0]) > 0.5 + abs(moves) + abs(before[1]):
            return None if is_defined_only else here
        if differ(moves, wanted):
            return None if is_defined_only and moment > sp.Rational(1, 40) else here
        before = now, moves
    return None


def _is_large(claimed: Any, here: Any) -> bool:
    """Check whether there is a value, which is only too large to be compared."""
    try:
        value(claimed / 10**20, here)
    except NoValue:
        return bool(claimed.has(sp.exp, sp.cosh, sp.sinh))
    return True


# --- words ------------------------------------------------------------------------------------------------------------

A, B = Letter("A", "n", "n"), Letter("B", "n", "n")
S, Q = Letter("S", "n", "n", symmetric=True), Letter("Q", "n", "n", orthonormal_columns=True)
LETTERS = {"A": A, "B": B, "S": S, "Q": Q}


def word(rng: random.Random) -> Drawn:
    """Two ways to write a polynomial in matrices, of which one is sometimes wrong."""
    names = [rng.choice("ABSQ") for _ in range(rng.randint(2, 4))]
    turned = [rng.random() < 0.4 for _ in names]
    factors = list(zip(names, turned, strict=True))
    other = [(m, not s if m == "S" else s) for m, s in factors]
    whole, swap = rng.random() < 0.4, rng.random() < 0.4
    if whole:
        other = [(m, not s) for m, s in other[::-1]]
    if rng.random() < 0.4:
        other = [*other, ("Q", True), ("Q", False)]
    if swap:
        i = rng.randrange(len(other))
        other[0], other[i] = other[i], other[0]
    left, right = _product(factors), _product(other)
    right = right.T if whole else right

    def apart(r: random.Random) -> Any:
        generator = np.random.default_rng(r.randrange(10**9))
        for size in (2, 3, 1):
            values = {m: generator.normal(size=(size, size)) for m in "AB"}
            values["S"] = (half := generator.normal(size=(size, size))) + half.T
            values["Q"] = np.linalg.qr(generator.normal(size=(size, size)))[0]
            sides = [_multiplied(f, values) for f in (factors, other)]
            if not np.allclose(sides[0], sides[1].T if whole else sides[1], atol=1e-8):
                return {"size": size}
        return None

    return Drawn(
        "words", f"{factors} = {other}{' transposed' if whole else ''}", lambda: prove.words(left, right), apart
    )


def _product(factors: list[tuple[str, bool]]) -> Words:
    parts = [LETTERS[m].T if turned else LETTERS[m] for m, turned in factors]
    product: Any = parts[0]
    for part in parts[1:]:
        product = product @ part
    return product + 0 * product


def _multiplied(factors: list[tuple[str, bool]], values: Any) -> Any:
    return np.linalg.multi_dot(
        [*(values[m].T if turned else values[m] for m, turned in factors), np.eye(len(values["S"]))]
    )


MAKERS: dict[str, tuple[Callable[[random.Random], Drawn], int]] = {
    "identity": (identity, 6),
    "derivative": (derivative, 4),
    "substitution": (substitution, 3),
    "inequality": (inequality, 4),
    "limit": (limit, 3),
    "leading order": (leading_order, 2),
    "enclosure": (enclosure, 2),
    "solution": (solution, 5),
    "words": (word, 2),
    "known identity": (calculus.known_identity, 5),
    "known slope": (calculus.known_slope, 3),
    "known inequality": (calculus.known_inequality, 6),
    "polynomial": (calculus.polynomial, 4),
    "limit anywhere": (calculus.limit_anywhere, 5),
    "integral": (calculus.integral, 1),
    "matrix order": (orders.matrix_order, 14),
    "integral order": (orders.integral_order, 5),
    "comparison on an interval": (motion.on_an_interval, 2),
    "bound from an inequality": (motion.bounded, 4),
    "invariant set": (motion.invariant, 8),
    "comparison along a flow": (motion.along_a_flow, 4),
    "motion to rest": (motion.to_rest, 8),
    "linear part": (motion.at_rest, 8),
    "wave": (traps.wave, 3),
    "end of a range": (traps.end, 3),
    "bound letter": (traps.bound, 2),
    "unevaluated number": (traps.unevaluated, 3),
}
"""What makes a statement of a kind, and how often it is drawn."""
