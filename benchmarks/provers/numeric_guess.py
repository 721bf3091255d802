"""Evaluates a statement at random points with many digits: it suggests what holds, and proves nothing.

It finds what is false by much, and cannot tell what is true from what is nearly true.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import mpmath as mp

from benchmarks.provers.numbers import NoValue, Point, holds, value
from derivations.questions.lines import Flow, Limit, Relations, Statement
from derivations.text.plain import Tree, names

DIGITS, MORE_DIGITS, SLOPE_DIGITS = 40, 1200, 25
TRIES = 400  # draws for each point that is wanted
FAR = (10, 100, 1000)  # how far a variable goes on its way to a limit
SHRINKS = 0.75  # of the first error, at most, is left in the end where a limit is right
STEPS, LAST = 400, 4  # of the course of a flow, and its last time where it has no earlier end
SAFE = 0.8  # of the time until an end, where a solution may grow beyond all bounds


def suggests(statement: Statement, rng: random.Random, count: int = 40) -> bool | None:
    """Check whether a statement holds at `count` random points, or at as many as there are; None for none.

    >>> from derivations.questions.lines import read
    >>> suggests(read("exp(x) >= 1 + x"), random.Random(0)), suggests(read("exp(x) >= 1 + 2*x"), random.Random(0))
    (True, False)
    """
    looks = {Relations: _of_relations, Limit: _of_a_limit, Flow: _of_a_flow}
    with mp.workdps(DIGITS):
        return looks[type(statement.says)](statement, rng, count)


def _of_relations(statement: Statement, rng: random.Random, count: int) -> bool | None:
    parts = statement.says.parts  # type: ignore[union-attr]
    free = sorted(set().union(*map(names, (*parts, *statement.hypotheses))))
    binds = any(map(_has_binder, parts))
    met = 0
    for point in points(free, statement.hypotheses, rng, max(4, count // 8) if binds else count, mild=binds):
        try:
            with mp.workdps(SLOPE_DIGITS if binds else DIGITS):
                fails = [part for part in parts if not _near(part, point, mp.mpf(10) ** (-10 if binds else -30))]
        except NoValue:
            continue
        if fails:
            return False
        met += 1
    return True if met else None


def _near(relation: Tree, point: Point, tolerance: Any) -> bool:
    """Check whether a relation holds; what is nearly equal is seen with more digits where it must not be equal."""
    compare, left, right = relation
    a, b = value(left, point), value(right, point)
    apart = abs(a - b) > tolerance * (1 + abs(a) + abs(b))
    if compare == "=":
        return not apart or (
            mp.mp.dps < MORE_DIGITS and not _has_binder(relation) and _nearer(relation, point, tolerance)
        )
    if apart or compare not in "<>":
        return not apart or holds(relation, point)
    with mp.workdps(MORE_DIGITS):
        return holds(relation, point)


def _nearer(relation: Tree, point: Point, tolerance: Any) -> bool:
    with mp.workdps(MORE_DIGITS):
        return _near(relation, point, tolerance)


def _of_a_limit(statement: Statement, rng: random.Random, count: int) -> bool | None:
    says = statement.says
    assert isinstance(says, Limit)
    trees = [says.expression, says.value, *([says.remainder] if says.remainder else [])]
    free = sorted(set().union(*map(names, (*trees, *statement.hypotheses))) - {says.variable})
    met = 0
    with mp.workdps(MORE_DIGITS):
        for point in points(free, statement.hypotheses, rng, max(2, count // 20), mild=True):
            for way in _ways(says, point):
                try:
                    errors = [_error(says, {**point, says.variable: x}) for x in way]
                except NoValue:
                    continue
                if errors[-1] > mp.mpf("1e-9") and errors[-1] > SHRINKS * errors[0]:
                    return False
                met += 1
    return True if met else None


def _ways(says: Limit, point: Point) -> Iterator[list[Any]]:
    """The values that the variable takes on its way, from each side."""
    end = value(says.point, point)
    if mp.isinf(end):
        yield [mp.sign(end) * x for x in FAR]
        return
    for side in (1, -1):
        if says.side in ("", "+" if side > 0 else "-"):
            yield [end + side * mp.mpf(1) / x for x in FAR]


def _error(says: Limit, point: Point) -> Any:
    found, wanted = value(says.expression, point), value(says.value, point)
    if says.sort == "like":
        return abs(found / wanted - 1)
    scale = value(says.remainder, point) if says.remainder else mp.mpf(1)
    return abs((found - wanted) / scale)


def _of_a_flow(statement: Statement, rng: random.Random, count: int) -> bool | None:
    says = statement.says
    assert isinstance(says, Flow)
    used = (*says.rates.values(), *says.start.values(), *says.solution.values(), *statement.hypotheses)
    free = sorted(set().union(*map(names, used)) - {*says.rates, says.time})
    constants = [h for h in statement.hypotheses if says.time not in names(h)]
    met = 0
    for point in points(free, constants, rng, max(2, count // 10), mild=True):
        try:
            if not _follows(says, statement.hypotheses, point):
                return False
        except NoValue:
            return False
        met += 1
    return True if met else None


def _follows(says: Flow, hypotheses: tuple[Tree, ...], point: Point) -> bool:
    """Check that functions begin where they should, and change over each short time by the sum of their rates."""
    for name, start in says.start.items():
        if abs(value(says.solution[name], {**point, says.time: mp.mpf(0)}) - value(start, point)) > mp.mpf("1e-20"):
            return False
    times = _times(mp.mpf(LAST))
    ends = [t for t in times if not all(holds(h, {**point, says.time: t}) for h in hypotheses)]
    times = _times(SAFE * ends[0]) if ends else times
    here = [{**point, says.time: t} for t in times]
    course = [{**now, **{x: value(f, now) for x, f in says.solution.items()}} for now in here]
    for name, rate in says.rates.items():
        speeds = [value(rate, now) for now in course]
        for k in range(0, len(course) - 2, 2):
            moved = course[k + 2][name] - course[k][name]
            summed = (speeds[k] + 4 * speeds[k + 1] + speeds[k + 2]) * (times[k + 1] - times[k]) / 3
            most = max(map(abs, speeds[k : k + 3])) * (times[k + 2] - times[k])
            if abs(moved - summed) > most / 100 + mp.mpf("1e-6"):
                return False
    return True


def _times(last: Any) -> list[Any]:
    return [last * k / STEPS for k in range(STEPS + 1)]


def points(
    free: list[str], hypotheses: tuple[Tree, ...] | list[Tree], rng: random.Random, count: int, mild: bool = False
) -> Iterator[dict[str, Any]]:
    """Random points that satisfy the hypotheses, some of them whole numbers or ends of the stated intervals."""
    ends = {name: list(_ends(name, hypotheses)) for name in free}
    found = 0
    for _ in range(TRIES * count):
        point = {name: _drawn(ends[name], rng, mild) for name in free}
        try:
            fits = all(holds(h, point) for h in hypotheses)
        except NoValue:
            continue
        if fits:
            yield point
            found += 1
        if found == count:
            return


def _drawn(ends: list[Any], rng: random.Random, mild: bool) -> Any:
    way = rng.random()
    if len(ends) >= 2 and way < 0.8:
        return min(ends) + (max(ends) - min(ends)) * mp.mpf(rng.random())
    if ends and way < 0.9 and not mild:
        return rng.choice(ends) + rng.choice((0, 1, -1)) * mp.mpf(10) ** -rng.randint(1, 6)
    if mild:
        return rng.choice((1, -1)) * mp.mpf(rng.randint(4, 24)) / 8
    if way < 0.2:
        return mp.mpf(rng.randint(-3, 3))
    return rng.choice((1, -1)) * mp.mpf(10) ** rng.uniform(-3, 1.5)


def _ends(name: str, hypotheses: tuple[Tree, ...] | list[Tree]) -> Iterator[Any]:
    """The numbers with which hypotheses compare a name."""
    for _, left, right in hypotheses:
        for side, other in ((left, right), (right, left)):
            if side == ("name", name) and not names(other):
                yield value(other, {})


def _has_binder(tree: Tree) -> bool:
    return tree[0] in ("d", "int") or any(isinstance(t, tuple) and _has_binder(t) for t in tree[1:])
