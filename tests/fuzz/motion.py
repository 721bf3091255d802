"""Random statements of the theorems that compare what moves: made to be true, and then changed as often as not."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import sympy as sp
from case_files import Cases
from fuzz.calculus import holds
from fuzz.drawn import Drawn
from fuzz.expressions import p, points, q
from fuzz.values import NoValue, differ, value
from scipy.integrate import solve_ivp

from derivations import prove

FAMILIES = Cases(__file__)

u, v, w = sp.symbols("u v w", real=True)
s = sp.Symbol("s", real=True)
NUMBERS = [sp.Rational(k, 4) for k in (-6, -4, -2, -1, 0, 1, 2, 4, 6, 8)]
CURVES = FAMILIES["curves"]
RATES = FAMILIES["rates"]
TIMES = [sp.Rational(k, 8) for k in (0, 1, 2, 3, 4, 6, 8, 11, 16, 24, 40, 80)]
STEEP = 1000.0
LOWER = 1e-4  # below the start, so that errors of an integration that grow do not lead upwards


def _curve(rng: random.Random) -> Any:
    return rng.choice(CURVES)(rng.choice((p, q, sp.S.One, sp.S.Half)), rng.choice((p, q, *NUMBERS)))


def _supposed(rng: random.Random) -> list[Any]:
    return [] if rng.random() < 0.6 else [rng.choice((p < q, p > 1, q < 1, p <= q, q >= p, p < 1))]


def _named(rng: random.Random) -> Any:
    """The symbol that is bounded, with what it is declared to be."""
    return sp.Symbol("u", **rng.choice(({"real": True}, {"real": True}, {"positive": True}, {"nonnegative": True})))


def on_an_interval(rng: random.Random) -> Drawn:
    """Two curves of which one satisfies a rate, and the other was changed to be above it, below it, or anything."""
    one, other = _curve(rng), _curve(rng)
    if rng.random() < 0.7:
        other = one + rng.choice((1, 1, -1)) * rng.choice((s, s**2, p, 1 - sp.cos(s), sp.exp(s), s * (1 - s)))
    rate = rng.choice(RATES)(rng.choice((p, sp.S.One, *NUMBERS)))
    if rng.random() < 0.7:
        rate = rate - rate.subs(u, one) + sp.diff(one, s)
    lower, upper = (one, other) if rng.random() < 0.6 else (other, one)
    low = rng.choice((0, 0, 0, -1, sp.S.Half))
    high = rng.choice((sp.oo, low + rng.choice((p, 1, 2, sp.S.Half))))
    order, assuming, state = rng.choice((">=", ">=", ">")), _supposed(rng), _named(rng)
    slots = {"state": state, "rate": rate.subs(u, state), "lower": lower, "upper": upper, "variable": s}
    if any(sp.sympify(e).has(sp.zoo, sp.oo, sp.nan, sp.Derivative, sp.sign) for e in slots.values()):
        return on_an_interval(rng)

    def crossed(r: random.Random) -> Any:
        for at in points(r, sorted({p, q}, key=str), 12):
            if not all(holds(relation, at) for relation in assuming):
                continue
            for step in TIMES:
                here = {**at, s: low + step}
                try:
                    if high != sp.oo and low + step > value(high, at):
                        break
                    a, b = value(upper, here), value(lower, here)
                except (NoValue, ValueError, ZeroDivisionError):
                    continue
                if (a < b and differ(a, b)) or (order == ">" and not differ(a, b)):
                    return here
        return None

    return Drawn(
        "comparison on an interval",
        f"{slots} {low} {high} {order} under {assuming}",
        lambda: prove.by("comparison on an interval", assuming=assuming, **slots, low=low, high=high, order=order),
        crossed,
    )


def bounded(rng: random.Random) -> Drawn:
    """A bound of all that satisfy a differential inequality: a solution, moved up or down or not at all."""
    bound = _curve(rng)
    rate = rng.choice(RATES)(rng.choice((p, sp.S.One, *NUMBERS)))
    if rng.random() < 0.75:
        rate = rate - rate.subs(u, bound) + sp.diff(bound, s)
        rate = sp.expand(rate) if rng.random() < 0.5 else rate
    start = bound.subs(s, 0)
    bound = bound + rng.choice((0, 0, 0, 1, 1, -1)) * rng.choice((s, s**2, p * s, p, 1 - sp.cos(s)))
    assuming, state = _supposed(rng), _named(rng)
    if any(sp.sympify(e).has(sp.zoo, sp.oo, sp.nan, sp.Derivative, sp.sign) for e in (rate, bound, start)):
        return bounded(rng)

    def above(r: random.Random) -> Any:
        for at in points(r, sorted({p, q}, key=str), 3):
            if all(holds(relation, at) for relation in assuming) and _is_above(at, rate, start, bound, state):
                return at
        return None

    return Drawn(
        "bound from an inequality",
        f"{state.assumptions0} {bound} bounds u' <= {rate}, u(0) <= {start} under {assuming}",
        lambda: prove.by(
            "bound from a differential inequality",
            assuming=assuming, state=state, rate=rate.subs(u, state), start=start, bound=bound, time=s,
        ),
        above,
    )  # fmt: skip


def _is_above(at: Any, rate: Any, start: Any, bound: Any, state: Any) -> bool:
    """Check that a solution that starts at or a little above zero gets above the bound, while it may be as declared."""
    curve = sp.lambdify(s, _fixed(bound, at), "math")
    try:
        begin = value(start, at)
    except NoValue:
        return False
    if (state.is_positive and begin <= 0) or (state.is_nonnegative and begin < 0):
        return False
    path = _path({u: rate}, {u: begin - LOWER}, at)
    for moment, (reached,) in path:
        if state.is_nonnegative and reached < 0:
            return False
        try:
            if reached > curve(moment) + 1e-3 * (1 + abs(reached)):
                return True
        except (ValueError, ZeroDivisionError, OverflowError, TypeError):
            return False
    return False


def _fixed(e: Any, at: Any) -> Any:
    return sp.sympify(e).subs({a: sp.Float(float(b), 17) for a, b in at.items()})


def _path(flow: Any, start: Any, at: Any, end: float = 4.0) -> list[tuple[float, Any]]:
    """Times and states of an integration, up to where it gets steep or has no value."""
    names = sorted(flow, key=str)
    moves = sp.lambdify((s, *names), [_fixed(flow[n], at) for n in names], "math")

    def slope(time: float, state: Any) -> Any:
        moved = moves(time, *map(float, state))
        if not all(abs(m) < STEEP for m in moved):
            raise ValueError
        return moved

    reached: list[tuple[float, Any]] = []
    state, step = np.array([float(start[n]) for n in names]), end / 16
    for k in range(16):
        try:
            done = solve_ivp(slope, (k * step, (k + 1) * step), state, method="DOP853", rtol=1e-9, atol=1e-11)
        except (ValueError, TypeError, ZeroDivisionError, OverflowError):
            return reached
        if not done.success:
            return reached
        state = done.y[:, -1]
        reached.append(((k + 1) * step, state))
    return reached


FLOWS = FAMILIES["flows"]
WALLS = FAMILIES["walls"]


def _drawn_flow(rng: random.Random) -> tuple[Any, Any]:
    a, b = rng.choice((p, sp.S.One, sp.S.Half)), rng.choice((q, sp.S.One, sp.Integer(2)))
    rates = rng.choice(FLOWS)(a, b)
    if rng.random() < 0.3:
        k = rng.randrange(2)
        extra = rng.choice((u, v, s, sp.S.One, -u, u * v)) * rng.choice((1, -1, sp.S.Half))
        rates = tuple(r + extra if i == k else r for i, r in enumerate(rates))
    start = {x: rng.choice((*NUMBERS, p, sp.S.Half, sp.S.Zero, sp.S.One)) for x in (u, v)}
    return dict(zip((u, v), rates, strict=True)), start


def invariant(rng: random.Random) -> Drawn:
    """A flow in the plane with a set or a box that it leaves or not."""
    flow, start = _drawn_flow(rng)
    assuming = _supposed(rng)
    slots: dict[str, Any] = {"flow": flow, "start": start, "time": s}
    if rng.random() < 0.5:
        walls = [
            rng.choice(WALLS)(rng.choice((sp.S.One, p, sp.Integer(2), *NUMBERS))) for _ in range(rng.choice((1, 1, 2)))
        ]
        schema, slots["barriers"] = "set that a flow does not leave", walls
    else:
        low = {x: rng.choice((sp.S.Zero, -sp.S.One, -p)) for x in (u, v) if rng.random() < 0.8}
        high = {x: rng.choice((sp.S.One, sp.S.One, sp.Integer(2), p)) for x in (u, v) if rng.random() < 0.7}
        if not low and not high:
            return invariant(rng)
        walls = [a - x for x, a in low.items()] + [x - a for x, a in high.items()]
        schema, slots["low"], slots["high"] = "box that a flow does not leave", low, high

    def leaves(r: random.Random) -> Any:
        for at in points(r, sorted({p, q}, key=str), 2):
            if not all(holds(relation, at) for relation in assuming):
                continue
            barriers = sp.lambdify((u, v), [_fixed(wall, at) for wall in walls], "math")
            begin = {x: value(e, at) for x, e in start.items()}
            try:
                if max(barriers(*(float(begin[x]) for x in (u, v)))) > 1e-9:
                    return {**at, s: 0}
                for moment, state in _path(flow, begin, at):
                    if max(barriers(*map(float, state))) > 1e-3 * (1 + max(abs(state))):
                        return {**at, s: moment}
            except (ValueError, ZeroDivisionError, OverflowError, TypeError):
                continue
        return None

    return Drawn(
        "invariant set",
        f"{schema}: {slots} under {assuming}",
        lambda: prove.by(schema, assuming=assuming, **slots),
        leaves,
    )


def along_a_flow(rng: random.Random) -> Drawn:
    """A function of the state of a flow beside a curve, or beside another function of it."""
    flow, start = _drawn_flow(rng)
    assuming, order, state = _supposed(rng), rng.choice((">=", ">=", ">")), sp.Symbol("w", real=True)
    inner = rng.choice((u, v, u**2 + v**2, u**2, u + v, u * v, s * 0 + 1 - u, sp.Abs(u)))
    change = sp.expand(sum(sp.diff(inner, x) * flow[x] for x in flow)) if not inner.has(sp.Abs) else flow[u]
    other = rng.choice((_curve(rng), sp.S.Zero, sp.S.One, rng.choice(NUMBERS) * sp.exp(rng.choice((-1, 1, -2, 2)) * s)))
    rate = rng.choice((sp.diff(other, s), -w, w, 2 * w, -2 * w, change.subs(inner, w), change - inner + w))
    lower, upper = (inner, other) if rng.random() < 0.5 else (other, inner)
    if any(sp.sympify(e).has(sp.zoo, sp.oo, sp.nan, sp.Derivative, sp.sign) for e in (rate, lower, upper)):
        return along_a_flow(rng)

    def crossed(r: random.Random) -> Any:
        for at in points(r, sorted({p, q}, key=str), 2):
            if not all(holds(relation, at) for relation in assuming):
                continue
            sides = sp.lambdify((s, u, v), [_fixed(side, at) for side in (upper, lower)], "math")
            begin = {x: value(e, at) for x, e in start.items()}
            try:
                path = [(0.0, [float(begin[x]) for x in (u, v)]), *_path(flow, begin, at)]
                for moment, reached in path:
                    a, b = sides(moment, *map(float, reached))
                    if a < b - 1e-3 * (1 + abs(a) + abs(b)):
                        return {**at, s: moment}
            except (ValueError, ZeroDivisionError, OverflowError, TypeError):
                continue
        return None

    return Drawn(
        "comparison along a flow",
        f"{upper} {order} {lower} along {flow} from {start}, rate {rate}, under {assuming}",
        lambda: prove.by(
            "comparison along a flow", assuming=assuming, flow=flow, start=start, time=s, lower=lower, upper=upper,
            state=state, rate=rate, order=order,
        ),
        crossed,
    )  # fmt: skip


def to_rest(rng: random.Random) -> Drawn:
    """A flow on a line that goes to a point where it rests, or turns, or never gets there."""
    point = rng.choice((sp.S.One, p, sp.S.Zero, sp.Integer(2)))
    other = rng.choice((sp.S.Zero, sp.S.Half, -sp.S.One, q, sp.Integer(3), p))
    rate = (
        rng.choice((1, -1))
        * (point - u) ** rng.choice((1, 1, 2, 3))
        * rng.choice(
            (
                sp.S.One,
                u,
                (u - other),
                (u - other) ** 2,
                p,
                sp.exp(u),
                1 / (u - other),
                sp.sqrt(u**2 + p),
                sp.S.One + s * 0,
            )
        )
    )
    if rng.random() < 0.2:
        rate = rng.choice((sp.sqrt(sp.Abs(point - u)), sp.sin(point - u), point - u + rng.choice(NUMBERS) / 100))
    start = rng.choice((*NUMBERS, p / 2, p + 1, 2 * p, q))
    side, assuming = rng.choice(("below", "above")), _supposed(rng)

    def elsewhere(r: random.Random) -> Any:
        for at in points(r, sorted({p, q}, key=str), 2):
            if not all(holds(relation, at) for relation in assuming):
                continue
            begin, goal = float(value(start, at)), float(value(point, at))
            path = _path({u: rate}, {u: begin}, at, 40.0)
            before = begin
            for _, (now,) in path:
                if abs(now - goal) > abs(before - goal) + 1e-6 * (1 + abs(goal)):
                    return at
                before = now
            if len(path) == 16 and abs(before - goal) > 0.95 * abs(begin - goal) + 1e-6 and _is_stuck(rate, at, before):
                return at
        return None

    return Drawn(
        "motion to rest",
        f"u' = {rate} from {start} to {point} from {side} under {assuming}",
        lambda: prove.by(
            "motion towards a rest point", assuming=assuming,
            flow={u: rate}, start={u: start}, point={u: point}, side=side, time=s,
        ),
        elsewhere,
    )  # fmt: skip


def _is_stuck(rate: Any, at: Any, here: float) -> bool:
    """Check whether a motion has come to rest, and is not only slow."""
    return bool(abs(float(_fixed(rate, at).subs(u, here))) < 1e-12)


def at_rest(rng: random.Random) -> Drawn:
    """The linear part of a flow at a point: whether eigenvalues say what the theorem says."""
    line = rng.random() < 0.4
    names = (u,) if line else (u, v)
    place = {x: rng.choice((sp.S.Zero, sp.S.One, sp.S.Half, p)) for x in names}
    moved = [x - place[x] for x in names]
    pool = (sp.S.One, -sp.S.One, p, -p, -q, sp.Integer(2), sp.S.Zero, -sp.Integer(3), p - q, sp.S.Half)
    flow = {}
    for x in names:
        linear = sum(rng.choice(pool) * d for d in moved)
        flow[x] = sp.expand(linear) + rng.choice((0, 1, -1, 5)) * rng.choice(moved) ** rng.choice((2, 3))
        if rng.random() < 0.15:
            flow[x] = flow[x] + rng.choice((sp.Abs(moved[0]), sp.Rational(1, 100), sp.sqrt(u), sp.sin(moved[-1])))
    assuming = _supposed(rng)
    schema = rng.choice(
        ("linear stability on a line",) * 3 if line else ("linear stability in the plane", "instability by the trace")
    )

    def otherwise(r: random.Random) -> Any:
        for at in points(r, sorted({p, q}, key=str), 12):
            if not all(holds(relation, at) for relation in assuming):
                continue
            where = {x: value(e, at) for x, e in place.items()}
            here = {**at, **where}
            if any(differ(value(rate, here), 0) for rate in flow.values()):
                return at
            jacobian = np.array([[float(_slope(flow[x], y, here)) for y in names] for x in names])
            largest = max(np.linalg.eigvals(jacobian).real)
            if largest > 1e-9 if "stability" in schema and schema[:2] != "in" else largest < -1e-9:
                return at
        return None

    return Drawn(
        "linear part",
        f"{schema}: {flow} at {place} under {assuming}",
        lambda: prove.by(schema, assuming=assuming, flow=flow, point=place),
        otherwise,
    )


def _slope(f: Any, x: Any, at: Any) -> Any:
    """A slope as a difference of values."""
    step = sp.Rational(1, 10**15)
    return (
        value(f, {**at, x: sp.Float(str(at[x]), 60) + step}) - value(f, {**at, x: sp.Float(str(at[x]), 60) - step})
    ) / (2 * step)
