"""Statements about numbers, confronted with random points and with numerical integration."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

import mpmath

from derivations.audit.probe.numbers import DIGITS, NoValue, Number, number, value
from derivations.audit.probe.points import holds, points, speaks_of

Points = Callable[[Any], list[dict[str, Number]]]
MORE_DIGITS = (DIGITS, 10 * DIGITS, 20_000)  # asked of two sides as long as they seem to differ: what cancels, as
# exp(-2000) beside 1, may leave none of the usual ones
CLOSE = mpmath.mpf(10) ** -12  # sides that differ by less, in parts of their size, are taken as equal
TIMES = 8  # times at which a solution is compared with an integration
MOVED, AMPLIFIED = 1e-9, 1000  # a start moved so little, and how far its error of integration may be above it
EVALUATIONS = 4000  # of the rates in one integration, after which it is given up


def identity(statement: Any, rng: random.Random, count: int, among: list[dict[str, Number]]) -> Iterator[str | None]:
    """Return what contradicts an identity at each of some points, or None where nothing does."""
    for point in islice(points(statement, rng, among), count):
        for digits in MORE_DIGITS:
            try:
                with mpmath.workdps(digits):
                    left, right = value(statement["left"], point), value(statement["right"], point)
            except NoValue:
                break
            if close(left, right):
                yield None
                break
        else:
            yield f"{_at(point)} one side is {_short(left)} and the other {_short(right)}"


def sign(statement: Any, rng: random.Random, count: int, among: list[dict[str, Number]]) -> Iterator[str | None]:
    """Return what contradicts an inequality at each of some points."""
    relation = (statement["relation"], statement["left"], statement["right"])
    slack = mpmath.mpf(10) ** (-DIGITS // 2 if _has_slopes(relation) else 5 - DIGITS)
    for point in islice(points(statement, rng, among), count):
        for digits in MORE_DIGITS:
            try:
                with mpmath.workdps(digits):
                    met = holds(relation, point, slack=slack)
            except NoValue:
                break
            if met:
                yield None
                break
        else:
            yield f"{_at(point)} the inequality fails"


def _has_slopes(term: Any) -> bool:
    """Check whether derivatives stand in a term: they are differences here, which have fewer digits."""
    return isinstance(term, list | tuple) and bool(term) and (term[0] == "D" or any(map(_has_slopes, term)))


def limit(statement: Any, rng: random.Random, count: int, among: list[dict[str, Number]]) -> Iterator[str | None]:
    """Return what contradicts a limit: the expression must come closer to its value as the variables go to zero."""
    rest = {name: a for name, a in statement["symbols"].items() if name not in statement["variables"]}
    fixed = {**statement, "symbols": rest, "assuming": [h for h in statement["assuming"] if not _moves(h, statement)]}
    with mpmath.workdps(3 * DIGITS):  # what cancels close to the limit
        for point in islice(points(fixed, rng, among), count):
            ways = [way for powers in WAYS if len(way := list(_distances(statement, point, powers))) == len(powers)]
            if ways:
                near = any(map(_comes_closer, ways))
                yield None if near else f"{_at(point)} the expression stays {_short(ways[-1][-1])} away from the limit"


def _comes_closer(far: list[Number]) -> bool:
    return bool(far[2] < CLOSE or (far[2] < SLOWEST * far[1] and far[1] < SLOWEST * far[0]))


WAYS = ((4, 10, 25), (100, 400, 1600))  # powers of a tenth, on the way to a limit; the power 0.03 of them goes slowly
SLOWEST = 0.7  # what is left of the way from one to the next; a quotient of logarithms leaves more than half
INFINITE = {"oo": 1, "-oo": -1}


def _distances(statement: Any, point: dict[str, Number], powers: Iterable[int]) -> Iterator[Number]:
    """How far an expression is from its limit as the variables get smaller, until it has no value."""
    for power in powers:
        small = mpmath.mpf(10) ** -power
        try:
            at = point | {name: _place(statement, name, point, small) for name in statement["variables"]}
            if not all(holds(h, at) for h in statement["assuming"]):
                return
            found = value(statement["expression"], at)
            with mpmath.workdps(6 * DIGITS):
                again = value(statement["expression"], at)
            if not close(found, again, mpmath.mpf(10) ** -6):  # too few digits for what cancels
                return
            yield _distance(found, statement["value"], point)
        except NoValue:
            return


def _place(statement: Any, name: str, point: dict[str, Number], small: Number) -> Number:
    """A value of the variable close to where it goes."""
    towards = statement.get("towards")
    if towards is None:
        return small * _sign(statement, name)
    if towards[0] in INFINITE:
        return INFINITE[towards[0]] / small
    return value(towards[1], point) + (small if towards[0] == "above" else -small)


def _distance(found: Number, claimed: Any, point: dict[str, Number]) -> Number:
    """How far a value is from a limit; from infinity, the less the larger it is."""
    if claimed[0] in INFINITE:
        size = found * INFINITE[claimed[0]]
        return 1 / size if size > 1 else mpmath.mpf(1)
    goal = value(claimed, point)
    return abs(found - goal) / max(1, abs(goal))


def _moves(relation: Any, statement: Any) -> bool:
    """Check whether a hypothesis speaks of a variable of the limit."""
    return any(speaks_of(relation, name) for name in statement["variables"])


def _sign(statement: Any, name: str) -> int:
    return -1 if "negative" in statement["symbols"][name] or "nonpositive" in statement["symbols"][name] else 1


def enclosure(statement: Any, rng: random.Random, count: int, _: Any) -> Iterator[str | None]:
    """Return what contradicts a bound inside a box."""
    lower, upper = number(statement["lower"]), number(statement["upper"])
    for _ in range(0 if "integrals" in statement else count):  # numbers know no integrals here
        point = {}
        for name, (low, high) in statement["box"].items():
            point[name] = number(low) + (number(high) - number(low)) * mpmath.mpf(rng.random())
        try:
            found = value(statement["expression"], point)
        except NoValue:
            yield f"{_at(point)} there is no value"
            continue
        yield None if lower <= found <= upper else f"{_at(point)} the value is {_short(found)}"


def solves(statement: Any, rng: random.Random, count: int, among: list[dict[str, Number]]) -> Iterator[str | None]:
    """Return what contradicts a solution: numerical integration of the flow from its start must follow it."""
    time = statement["time"]
    rest = {name: a for name, a in statement["symbols"].items() if name != time and name not in statement["flow"]}
    for point in islice(points({**statement, "symbols": rest}, rng, among), count):
        trouble = _follow(statement, point, rng)
        if trouble is not SKIPPED:
            yield trouble


SKIPPED = "skipped"


def _follow(statement: Any, point: dict[str, Number], rng: random.Random) -> str | None:
    """Runs the flow from its start beside the solution; SKIPPED where the start has no value."""
    from scipy.integrate import solve_ivp

    time, flow, solution = statement["time"], statement["flow"], statement["solution"]
    names = sorted(flow)
    left = [EVALUATIONS]
    floats = {name: float(x) for name, x in point.items()}

    def claimed(t: float) -> dict[str, float]:
        return {x: float(value(solution[x], {**point, time: mpmath.mpf(t)})) for x in names}

    def rate(t: float, state: list[float]) -> list[float]:
        left[0] -= 1
        if left[0] < 0:
            raise NoValue("integration takes too long")
        at = {**floats, time: t, **dict(zip(names, map(float, state), strict=True))}
        return [value(flow[x], at, fast=True) for x in names]

    try:
        start = claimed(0)
        moving = zip(rate(0, [*start.values()]), start.values(), strict=True)
        pace = max(abs(speed) / (abs(at_start) + 1e-3) for speed, at_start in moving)
        horizon = min(5.0, rng.uniform(1, 5) / (pace + 1e-3))
        times = [k * horizon / TIMES for k in range(1, TIMES + 1)]
        wanted = [claimed(t) for t in times]
        for x, at_start in statement["start"].items():
            if not close(mpmath.mpf(start[x]), value(at_start, point), mpmath.mpf(10) ** -10):
                return f"{_at(point)} {x} does not begin at its start"

        def run(moved: float) -> Any:
            """From the start, moved by this part of it."""
            left[0] = EVALUATIONS
            begin = [(1 + moved) * at_start for at_start in start.values()]
            return solve_ivp(rate, (0, horizon), begin, t_eval=times, rtol=1e-9, atol=1e-12, method="LSODA")

        first = run(0)
        if not first.success:
            return SKIPPED
        apart = _apart(names, first.y, wanted)
        if apart is None:
            return None
        second = run(MOVED)
    except (NoValue, OverflowError, KeyError):
        return SKIPPED
    k, x = apart
    row = names.index(x)
    gap = abs(first.y[row, k] - wanted[k][x])
    if second.success and not abs(second.y[row, k] - first.y[row, k]) * AMPLIFIED < gap:
        return None  # starts part so fast that errors of integration explain the gap
    return f"{_at(point)} at time {times[k]:.3g} integration gives {x} = {first.y[row, k]:.6g}, not {wanted[k][x]:.6g}"


def _apart(names: list[str], found: Any, wanted: list[dict[str, float]]) -> tuple[int, str] | None:
    """The first time at which an integration and a solution are apart, by its number, and in which variable."""
    for k, values in enumerate(wanted):
        scale = 1 + max(map(abs, values.values()))
        for x, integrated in zip(names, found[:, k], strict=True):
            if not abs(integrated - values[x]) <= 1e-5 * scale:
                return k, x
    return None


def close(left: Number, right: Number, part: Any = CLOSE) -> bool:
    return bool(abs(left - right) <= part * max(abs(left), abs(right), mpmath.mpf(10) ** -20))


def _at(point: Mapping[str, Number]) -> str:
    return "at " + ", ".join(f"{name} = {_short(x)}" for name, x in sorted(point.items())) + ":"


def _short(x: Number) -> str:
    return str(mpmath.nstr(x, 6))


KINDS = {"identity": identity, "sign": sign, "limit": limit, "enclosure": enclosure, "solves": solves}
