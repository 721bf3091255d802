"""Statements about formulas: what makes them, and what sixty digits say of them at a point."""

from __future__ import annotations

import random
from contextlib import suppress
from typing import Any

import sympy as sp
from fuzz.expressions import NUMBERS, expression, n, p, q, rewritten, t, x, y
from fuzz.grammar import Grammar, undefined
from fuzz.search import COEFFICIENTS, NEAR, Point, Search, searched, spoken, supposed
from fuzz.values import NoValue, TooLarge, differ, value
from mpmath import mp, mpf, quad
from scipy.integrate import solve_ivp

u, v = sp.symbols("u v", real=True)
z = sp.Symbol("z", real=True)
e = sp.Symbol("e", positive=True)
PI = sp.pi
STEEP = 1000.0  # a slope beyond which an integration is not believed
CLOSEST = 500  # the power of a tenth up to which numbers look at a limit
LARGE = 400
DISTANCE = sp.Rational(1, 10**LARGE)  # at which numbers look at a limit anywhere
TIMES = [sp.Rational(k, 7) for k in (0, 1, 3, 5, 8, 13, 20, 34, 60, 110)]
KINKS = (sp.sign, sp.Piecewise, sp.Max, sp.Min, sp.Abs, sp.digamma, sp.polygamma)


# --- drawing ----------------------------------------------------------------------------------------------------------


def filled(rng: random.Random, sides: tuple[Any, Any], arguments: Any, others: Any) -> tuple[Any, Any]:
    """The sides with arguments put in; one number, sign or part of a side is changed as often as not."""
    put = {u: rng.choice(arguments), v: rng.choice(others)}
    left, right = (sp.sympify(side) for side in sides)
    roll = rng.random()
    if roll < 0.3:
        old = rng.choice(sorted(right.atoms(sp.Rational), key=str) or [sp.S.One])
        right = right.xreplace({old: old + rng.choice(COEFFICIENTS) * rng.choice((1, sp.Rational(1, 50)))})
    elif roll < 0.45:
        right = right * rng.choice(COEFFICIENTS) + rng.choice(COEFFICIENTS) * rng.choice((1, sp.Rational(1, 20)))
    elif roll < 0.55:
        left = left.xreplace({u: rng.choice((-u, v, 2 * u))})
    left, right = (side.subs(put, simultaneous=True) for side in (left, right))
    factor = rng.choice((x, p, y - x, sp.exp(x), x - 1)) if rng.random() < 0.25 else sp.S.One
    return left * factor, right * factor


def order(is_strict: bool, left: Any, right: Any) -> Any:
    return (sp.Gt if is_strict else sp.Ge)(left, right, evaluate=False)


def finite(formula: Any, otherwise: Any) -> Any:
    return otherwise if undefined(formula) else formula


def kinked(*sides: Any) -> bool:
    return any(side.has(*KINKS) for side in sides)


def box_of(formula: Any, box: dict[Any, Any]) -> dict[Any, Any]:
    return {s: box[s] for s in box if s in spoken(formula)} or box


def far(place: Any) -> Any:
    """Formulas that become large where z goes to its place."""
    end = sp.sympify(place[0])
    return z * sp.sign(end) if end.is_infinite else 1 / (z - end) if place[1] == "+" else 1 / (end - z)


def goes_to(place: Any) -> Any:
    return place if place[1:] else place[0]


def empty(low: Any, high: Any) -> bool:
    return low in (high, sp.oo) or high == -sp.oo


def wheel(angle: Any, many: int) -> Any:
    return sum(sp.cos(angle + 2 * PI * k / many) for k in range(many))


def root_of_square(k: int) -> Any:
    return raw(sp.Pow, sp.Integer(k * k), sp.S.Half) if k > 0 else sp.Integer(k)


def at_end(primitive: Any, end: Any) -> Any:
    return primitive.limit(z, end) if end.is_infinite else primitive.subs(z, end)


# --- searching --------------------------------------------------------------------------------------------------------


def apart(left: Any, right: Any, at: Point) -> bool:
    """Check whether the sides differ, also where large numbers nearly cancel."""
    return differ(value(left, at), value(right, at)) and not meet(left, right, at)


def meet(left: Any, right: Any, at: Point) -> bool:
    """Check whether the sides are equal to hundreds of digits."""
    return bool(abs(value(left, at, 500) - value(right, at, 500)) < mpf(10) ** -250)


def same_there(left: Any, right: Any, at: Point) -> bool:
    """Check whether the sides are one number: digits cannot tell, as one may be larger by exp(-2000)."""
    return bool(sp.expand((left - right).subs(at)) == 0)


def differs(left: Any, right: Any, assuming: Any = ()) -> Search:
    return searched(lambda at: apart(left, right, at), (left, right), assuming)


def violated(relation: Any, assuming: Any = ()) -> Search:
    left, right = relation.args

    def bad(at: Point) -> bool:
        a, b = value(left, at), value(right, at)
        if differ(a, b) and not meet(left, right, at):
            return bool(a < b)
        return relation.rel_op == ">" and same_there(left, right, at)

    return searched(bad, (left, right), assuming)


def tends_elsewhere(formula: Any, towards: Any, small: Any = p) -> Search:
    def elsewhere(at: Point) -> bool:
        goal = value(towards, at)
        try:
            gaps = [abs(value(formula, {**at, small: sp.Rational(1, 10**k)}, 200) - goal) for k in (10, 14, 18)]
        except TooLarge:
            return far_off(at, goal)
        return bool(gaps[2] > 1e-4 and gaps[2] > gaps[0] / 2)

    def far_off(at: Point, goal: Any) -> bool:
        """Check whether it is still far away much closer: large numbers may stand beside the small one."""
        for power in (CLOSEST, 10 * CLOSEST):
            with suppress(TooLarge):
                return bool(abs(value(formula, {**at, small: sp.Rational(1, 10**power)}, 4 * power) - goal) > 1e-4)
        return True

    return searched(elsewhere, (formula, towards), (), small)


def ends_elsewhere(formula: Any, place: Any, claimed: Any, assuming: Any) -> Search:
    """The search where a limit at infinity or at a point from one side is not what is claimed."""
    end = sp.sympify(place[0])
    beside = DISTANCE if place[1:] == ("+",) else -DISTANCE

    def elsewhere(at: Point) -> bool:
        goal = None if claimed.is_infinite else value(claimed, at)
        there = sp.sign(end) / DISTANCE if end.is_infinite else end.subs(at) + beside
        try:
            found = value(formula, {**at, z: there}, 4 * LARGE)
        except TooLarge as large:
            return goal is not None or large.args[0] != sp.sign(claimed)
        return bool(abs(found - goal) > 0.01 if goal is not None else found * sp.sign(claimed) < 5)

    finite_parts = [part for part in (claimed, end) if not part.is_infinite]
    return searched(elsewhere, (formula, *finite_parts), assuming, z)


def outside(formula: Any, box: Any, low: Any, high: Any) -> Search:
    def found(rng: random.Random) -> Any:
        for _ in range(20):
            at = {s: a + (b - a) * sp.Rational(rng.randint(0, 100), 100) for s, (a, b) in box.items()}
            try:
                if not float(low) - 1e-9 < value(formula, at) < float(high) + 1e-9:
                    return at
            except NoValue:
                return at if isinstance(formula, sp.Derivative) else None
        return None

    return found


def another_area(f: Any, low: Any, high: Any, claimed: Any, assuming: Any) -> Search:
    """The search where quadrature finds another value of an integral."""

    def another(at: Point) -> bool:
        places = [mpf(str(end).replace("oo", "inf")) if end.is_infinite else value(end, at) for end in (low, high)]
        if places[0] > places[1]:
            return False
        cuts = [mpf(0)] if places[0] < 0 < places[1] else []
        found = quad(lambda w: value(f, {**at, z: w}, 20), [places[0], *cuts, places[1]])
        return bool(abs(found - value(claimed, at)) > 1e-3 * (1 + abs(found)))

    ends = [end for end in (low, high) if not end.is_infinite]
    return searched(another, (f, claimed, *ends), assuming, z, count=6)


# --- solutions of flows -----------------------------------------------------------------------------------------------


def broken(rate: Any, claimed: Any, start: Any, named: Any) -> Search:
    """The search for constants and a time at which the curve does not start, does not move, or is not as it must."""

    def trouble(at: Point) -> Any:
        end = value(named["until"], at) if "until" in named else 1000
        if end <= 0:
            return None
        begun = value(claimed, {**at, t: sp.Integer(0)})
        value(rate, {**at, t: sp.Integer(0), u: begun})
        if differ(begun, value(start, at)):
            return {**at, t: 0}
        found = _on_the_way(at, rate, claimed, end, "while_defined" in named)
        if found is None and "while_defined" not in named and _strays(at, rate, claimed, min(0.5, float(end) / 2)):
            return {**at, t: "integrated"}
        return found

    return searched(trouble, (rate, claimed, start), (), u, t, count=8)


def _strays(at: Point, rate: Any, claimed: Any, end: float) -> bool:
    """Check whether the flow, integrated from where the curve begins, ends somewhere else."""
    fixed = {s: sp.Float(float(w), 17) for s, w in at.items()}
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


def _on_the_way(at: Point, rate: Any, claimed: Any, end: Any, is_defined_only: bool) -> Any:
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


def _is_large(claimed: Any, here: Point) -> bool:
    """Check whether there is a value, which is only too large to be compared."""
    try:
        value(claimed / 10**20, here)
    except NoValue:
        return bool(claimed.has(sp.exp, sp.cosh, sp.sinh))
    return True


# --- traps: ends of ranges, bound letters with signs, numbers that are not written as numbers -------------------------


def limit_seen(formula: Any) -> Any:
    """The limit as e goes to zero that values far out show: a number, an infinite one, or nothing that is certain."""
    seen = []
    with mp.workdps(2000):
        for k in (150, 200, 250):
            try:
                seen.append(value(formula, {e: mpf(10) ** -k}, 2000))
            except TooLarge as sign:
                seen.append(sign.args[0] * mp.inf)
            except (NoValue, ZeroDivisionError, ValueError, OverflowError):
                return None
    near = abs(seen[2] - seen[1]) < mpf(10) ** -12 and abs(seen[1] - seen[0]) < mpf(10) ** -8
    return seen[2] if near or seen[0] == seen[1] == seen[2] else None


def is_limit(found: Any, claimed: Any) -> bool:
    claimed = sp.sympify(claimed)
    if claimed.is_infinite or mp.isinf(found):
        return bool(claimed.is_infinite and mp.isinf(found) and (found > 0) == bool(claimed > 0))
    return bool(abs(found - mpf(sp.N(claimed, 30))) < mpf(10) ** -10)


def right_value(seen: Any, values: Any, otherwise: Any) -> Any:
    return next((one for one in values if seen is not None and is_limit(seen, one)), otherwise)


def another_limit(seen: Any, claimed: Any) -> Search:
    return lambda _: None if seen is None or is_limit(seen, claimed) else {"limit": str(seen)}


def area(f: Any, low: Any, high: Any) -> Any:
    """An integral by quadrature, between zeros of what stands in absolute values."""
    cuts = sorted({low, high, *(c for c in (sp.S.Zero, sp.S.NegativeOne) if min(low, high) < c < max(low, high))})
    with mp.workdps(60):
        ends = [mpf(int(c.p)) / int(c.q) for c in cuts]
        found = quad(lambda at: value(f, {z: at}), ends, method="gauss-legendre") if len(ends) > 1 else mpf(0)
        return found if low <= high else -found


def nearly(number: Any) -> Any:
    return sp.Rational(str(mp.nstr(number, 20))).limit_denominator(1000)


def another_value(truth: Any, claimed: Any) -> Search:
    with mp.workdps(60):
        is_false = differ(truth, value(claimed, {}))
    return lambda _: {"value": mp.nstr(truth, 20)} if is_false else None


def raw(operation: Any, *parts: Any) -> Any:
    """Formulas that SymPy leaves as it is written."""
    return operation(*parts, evaluate=False)


def where_it_speaks(base: Any, exponent: Any, bad: Search) -> Search:
    """A power whose exponent has a letter has a value where its base is positive, which the statement says."""
    has_letter = bool(sp.sympify(exponent).free_symbols)
    return searched(lambda at: not (has_letter and value(base, at) <= 0) and bad.at(at), (x, y, p, q))  # type: ignore[attr-defined]


MAKERS = Grammar(__file__, globals()).makers()
USED_BY_LINES = (NUMBERS, NEAR, expression, n, rewritten, supposed)
