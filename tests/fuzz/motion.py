"""Statements of the theorems that compare what moves, made to be true and then changed as often as not."""

from __future__ import annotations

from typing import Any

import numpy as np
import sympy as sp
from fuzz.expressions import p, q
from fuzz.grammar import Grammar, undefined
from fuzz.search import NOWHERE, Point, Search, searched
from fuzz.values import differ, value
from scipy.integrate import solve_ivp

u, v, w = sp.symbols("u v w", real=True)
s = sp.Symbol("s", real=True)
NUMBERS = [sp.Rational(k, 4) for k in (-6, -4, -2, -1, 0, 1, 2, 4, 6, 8)]
TIMES = [sp.Rational(k, 8) for k in (0, 1, 2, 3, 4, 6, 8, 11, 16, 24, 40, 80)]
STEEP = 1000.0
LOWER = sp.Rational(1, 10**4)  # below the start, so that errors of an integration that grow do not lead upwards
PARTS = 16  # of a path


def unfit(*formulas: Any) -> bool:
    return undefined(*formulas) or any(sp.sympify(f).has(sp.Derivative, sp.sign) for f in formulas)


def walls_of(box: Any, side: int) -> list[Any]:
    return [side * (x - end) for x, end in box.items()]


# --- numbers ----------------------------------------------------------------------------------------------------------


def fixed(e: Any, at: Point) -> Any:
    return sp.sympify(e).subs({a: sp.Float(float(b), 17) for a, b in at.items()})


def in_floats(names: Any, formulas: list[Any], at: Point) -> Any:
    return sp.lambdify(names, [fixed(f, at) for f in formulas], "math")


def path(flow: Any, start: Any, at: Point, end: float = 4.0) -> list[tuple[float, Any]]:
    """Times and states of an integration, up to where it gets steep or has no value."""
    names = sorted(flow, key=str)
    moves = in_floats((s, *names), [flow[n] for n in names], at)

    def slope(time: float, state: Any) -> Any:
        moved = moves(time, *map(float, state))
        if not all(abs(m) < STEEP for m in moved):
            raise ValueError
        return moved

    reached: list[tuple[float, Any]] = []
    state, step = np.array([float(value(start[n], at)) for n in names]), end / PARTS
    for k in range(PARTS):
        try:
            done = solve_ivp(slope, (k * step, (k + 1) * step), state, method="DOP853", rtol=1e-9, atol=1e-11)
        except (ValueError, TypeError, ZeroDivisionError, OverflowError):
            return reached
        if not done.success:
            return reached
        state = done.y[:, -1]
        reached.append(((k + 1) * step, state))
    return reached


def slope_at(f: Any, x: Any, at: Point) -> Any:
    """A slope as a difference of values."""
    here, step = sp.Float(str(at[x]), 60), sp.Rational(1, 10**15)
    return (value(f, {**at, x: here + step}) - value(f, {**at, x: here - step})) / (2 * step)


# --- searching --------------------------------------------------------------------------------------------------------


def crossed(upper: Any, lower: Any, order: str, times: tuple[Any, Any], assuming: Any) -> Search:
    """The search for a time at which one curve is on the wrong side of the other."""
    low, high = times

    def bad(at: Point) -> Any:
        for step in TIMES:
            here = {**at, s: low + step}
            if high != sp.oo and low + step > value(high, at):
                return None
            try:
                a, b = value(upper, here), value(lower, here)
            except NOWHERE:
                continue
            if (a < b and differ(a, b)) or (order == ">" and not differ(a, b)):
                return here
        return None

    return searched(bad, (p, q), assuming, count=12)


def above(rate: Any, start: Any, bound: Any, state: Any, assuming: Any) -> Search:
    """The search for a solution that starts at or a little below the start and gets above the bound, while it is as
    declared.
    """

    def bad(at: Point) -> bool:
        curve, begin = sp.lambdify(s, fixed(bound, at), "math"), value(start, at)
        if (state.is_positive and begin <= 0) or (state.is_nonnegative and begin < 0):
            return False
        for moment, (reached,) in path({u: rate}, {u: sp.sympify(start) - LOWER}, at):
            if state.is_nonnegative and reached < 0:
                return False
            if reached > curve(moment) + 1e-3 * (1 + abs(reached)):
                return True
        return False

    return searched(bad, (p, q), assuming, count=4)


def leaves(flow: Any, start: Any, walls: list[Any], assuming: Any) -> Search:
    """The search for a time at which a path is beyond a wall."""

    def bad(at: Point) -> Any:
        barriers = in_floats((u, v), walls, at)
        if max(barriers(*(float(value(start[x], at)) for x in (u, v)))) > 1e-9:
            return {**at, s: 0}
        for moment, state in path(flow, start, at):
            if max(barriers(*map(float, state))) > 1e-3 * (1 + max(abs(state))):
                return {**at, s: moment}
        return None

    return searched(bad, (p, q), assuming, count=4)


def crossed_along(flow: Any, start: Any, upper: Any, lower: Any, assuming: Any) -> Search:
    def bad(at: Point) -> Any:
        sides = in_floats((s, u, v), [upper, lower], at)
        for moment, reached in [(0.0, [float(value(start[x], at)) for x in (u, v)]), *path(flow, start, at)]:
            a, b = sides(moment, *map(float, reached))
            if a < b - 1e-3 * (1 + abs(a) + abs(b)):
                return {**at, s: moment}
        return None

    return searched(bad, (p, q), assuming, count=4)


def goes_elsewhere(rate: Any, start: Any, point: Any, assuming: Any) -> Search:
    """The search for a path that turns away from the point, or comes to rest before."""

    def bad(at: Point) -> bool:
        begin, goal = float(value(start, at)), float(value(point, at))
        before, reached = begin, path({u: rate}, {u: start}, at, 40.0)
        for _, (now,) in reached:
            if abs(now - goal) > abs(before - goal) + 1e-6 * (1 + abs(goal)):
                return True
            before = now
        is_far = abs(before - goal) > 0.95 * abs(begin - goal) + 1e-6
        return len(reached) == PARTS and is_far and abs(float(fixed(rate, at).subs(u, before))) < 1e-12

    return searched(bad, (p, q), assuming, count=4)


def unlike(flow: Any, place: Any, schema: str, assuming: Any) -> Search:
    """The search for a point at which a flow does not rest, or has eigenvalues on the other side."""

    def bad(at: Point) -> bool:
        here = {**at, **{x: value(e, at) for x, e in place.items()}}
        if any(differ(value(rate, here), 0) for rate in flow.values()):
            return True
        jacobian = np.array([[float(slope_at(flow[x], y, here)) for y in flow] for x in flow])
        largest = max(np.linalg.eigvals(jacobian).real)
        return bool(largest > 1e-9 if schema.startswith("linear stability") else largest < -1e-9)

    return searched(bad, (p, q), assuming, count=12)


MAKERS = Grammar(__file__, globals()).makers()
USED_BY_LINES = (NUMBERS, w, unfit, walls_of)
