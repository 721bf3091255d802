"""Exact points that satisfy given hypotheses: where statements are tried out, and what shows them not to be vacuous."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import count, product
from typing import Any

from flint import fmpq_poly

from derivations.language.evaluate import evaluate, exact, precision
from derivations.language.normal import Field, Poly, Undefined, prepared, to_fmpq
from derivations.language.normal.division import eliminate
from derivations.language.terms import Term, children, fraction_of, from_json, subtract
from derivations.text.work import measured, remembered, spend, spend_once

ATTEMPTS = 300
PER_DRAW = 20  # units of work
FEW = 6  # symbols of which all points of -1, 0 and 1 are tried
ZERO_SHARE = 0.12  # boundary values decide many statements that hold inside
POOLS: tuple[tuple[Fraction, ...], ...] = (
    tuple(map(Fraction, (1, 2, 3))),
    tuple(map(Fraction, ("1", "2", "3", "4", "5", "1/2", "3/2"))),
    tuple(map(Fraction, ("1/10", "1/5", "1/3", "1/2", "2/3", "1", "5/4", "2", "3", "5", "7", "10"))),
)
BESIDE = tuple(map(Fraction, ("0", "1", "-1", "1/10", "-1/10", "5", "-5")))
Values = dict[str, Fraction]


def points(statement: dict[str, Any], attempts: int = ATTEMPTS) -> Iterator[Values]:
    """Points that satisfy the symbols' assumptions and every hypothesis, simple ones first, the same in every run.

    statement: a dictionary with "symbols" and "assuming", as certificates have them. attempts: how many points to draw.

    Yields points as exact numbers by the symbols' names; none, where no draw satisfies everything.

    >>> x = ("s", "x")
    >>> square = ("=", ("^", x, ("q", "2")), ("q", "4"))
    >>> next(points({"symbols": {"x": ["negative"]}, "assuming": [square]}))
    {'x': Fraction(-2, 1)}
    """
    hypotheses = json.dumps([statement["symbols"], statement["assuming"]])
    drawn = _drawn(hypotheses, attempts)
    for k in count():
        if k == len(drawn.points) and not drawn.more():
            return spend_once((hypotheses, attempts), drawn.in_vain)
        point, work = drawn.points[k]
        spend_once((hypotheses, attempts, k), work)
        yield dict(point)


def written(point: Values) -> dict[str, str]:
    """The point as certificates have it."""
    return {name: str(value) for name, value in point.items()}


@remembered(64)
def _drawn(hypotheses: str, attempts: int) -> _Drawn:
    return _Drawn(hypotheses, attempts)


class _Drawn:
    """The points drawn so far for these hypotheses: provers ask for the same ones several times."""

    def __init__(self, hypotheses: str, attempts: int) -> None:
        self.known, relations = json.loads(hypotheses)
        self.assuming = [from_json(r) for r in relations]
        self.solver = _Equations([r for r in self.assuming if r[0] == "="], self.known)
        self.rng = random.Random(hashlib.sha256(hypotheses.encode()).digest())
        self.points: list[tuple[Values, float]] = []  # with the work of finding each
        self.in_vain = 0.0  # the work after the last of them
        self._source = self._draws(attempts)

    def more(self) -> bool:
        """Draw one more point, if there is one."""
        with measured() as meter:
            point = next(self._source, None)
        if point is None:
            self.in_vain += meter.done
            return False
        self.points.append((point, meter.done))
        return True

    def _draws(self, attempts: int) -> Iterator[Values]:
        for attempt in range(attempts):
            spend(PER_DRAW)
            pool = POOLS[min(attempt * len(POOLS) // max(attempts // 2, 1), len(POOLS) - 1)]
            start = {name: _draw(assumptions, pool, self.rng) for name, assumptions in sorted(self.known.items())}
            point = self.solver.complete(start)
            if point is not None and satisfies(point, self.known, self.assuming):
                yield point
        if not self.points and len(self.known) <= FEW:
            yield from self._corners()
        if not self.points:
            yield from self._beside_numbers(attempts)

    def _corners(self) -> Iterator[Values]:
        """The points of -1, 0 and 1, among which equations between products have solutions that no draw meets."""
        for values in product(map(Fraction, (1, -1, 0)), repeat=len(self.known)):
            point = dict(zip(sorted(self.known), values, strict=True))
            if satisfies(point, self.known, self.assuming):
                yield point

    def _beside_numbers(self, attempts: int) -> Iterator[Values]:
        """Points near the numbers that hypotheses have, such as the 100 of x >= 100, which no small number reaches."""
        numbers = sorted({n for relation in self.assuming for n in _numbers(relation)})
        for _ in range(attempts if numbers else 0):
            values = (self.rng.choice(numbers) + self.rng.choice(BESIDE) for _ in self.known)
            point = self.solver.complete(dict(zip(sorted(self.known), values, strict=True)))
            if point is not None and satisfies(point, self.known, self.assuming):
                yield point


def _numbers(term: Term) -> set[Fraction]:
    if term[0] == "q":
        return {fraction_of(term)}
    return set().union(*map(_numbers, children(term))) if term[0] not in ("s", "pi") else set()


def _draw(assumptions: list[str], pool: tuple[Fraction, ...], rng: random.Random) -> Fraction:
    value = rng.choice(pool)
    if rng.random() < ZERO_SHARE and agrees_with(assumptions, Fraction(0)):
        return Fraction(0)
    if "positive" in assumptions or "nonnegative" in assumptions:
        return value
    if "negative" in assumptions or "nonpositive" in assumptions:
        return -value
    return value * rng.choice((1, 1, -1))


def agrees_with(assumptions: list[str], value: Fraction) -> bool:
    """Return whether a number is what its symbol is assumed to be.

    >>> agrees_with(["nonnegative"], Fraction(0)), agrees_with(["positive"], Fraction(0))
    (True, False)
    """
    return not (
        ("positive" in assumptions and value <= 0)
        or ("negative" in assumptions and value >= 0)
        or ("nonnegative" in assumptions and value < 0)
        or ("nonpositive" in assumptions and value > 0)
        or ("nonzero" in assumptions and value == 0)
    )


def satisfies(point: Values, known: dict[str, list[str]], assuming: list[Term]) -> bool:
    """Return whether the point certainly satisfies everything: equations exactly, signs by balls or exactly."""
    if not all(agrees_with(assumptions, point[name]) for name, assumptions in known.items()):
        return False
    return all(holds(relation, point) for relation in assuming)


def holds(relation: Term, point: Values) -> bool:
    """Return whether a relation certainly holds at a point: equations exactly, signs by balls or exactly.

    >>> holds((">", ("exp", ("s", "x")), ("s", "x")), {"x": Fraction(3)})
    True
    """
    difference = subtract(relation[1], relation[2])
    value = exact(difference, point)
    if value is not None:
        return {"=": value == 0, "!=": value != 0, ">": value > 0, ">=": value >= 0}[relation[0]]
    if relation[0] == "=":
        return False
    try:
        with precision(256):
            enclosure = evaluate(difference, point)
    except (ZeroDivisionError, ValueError):
        return False
    return bool(enclosure.is_finite()) and bool(enclosure != 0 if relation[0] == "!=" else enclosure > 0)


class _Equations:
    """Polynomial equations among the symbols, each solved for one of its symbols."""

    def __init__(self, equations: list[Term], known: dict[str, list[str]]) -> None:
        self.field = Field.of([side for e in equations for side in e[1:]], known)
        self.unsolvable = False
        self.steps: list[tuple[str, Poly]] = []
        polys = []
        for _, left, right in equations:
            try:
                polys.append(self.field.fraction(prepared(subtract(left, right)))[0])
            except Undefined:
                self.unsolvable = True
        if any(g[0] != "symbol" for g in self.field.generators):
            self.steps, polys = [], []
        while polys:
            poly = polys.pop(0)
            if poly == 0:
                continue
            if poly.is_constant():
                self.unsolvable = True
                return
            index = self._main(poly, {name for name, _ in self.steps})
            if index is None:
                continue
            self.steps.append((self.field.generators[index][1], poly))
            polys = [eliminate(p, poly, index)[0] for p in polys]

    def _main(self, poly: Poly, taken: set[str]) -> int | None:
        degrees = poly.degrees()
        free = [i for i, g in enumerate(self.field.generators) if degrees[i] and g[1] not in taken]
        known = self.field.known
        return (
            min(free, key=lambda i: (degrees[i], len(known.get(self.field.generators[i][1], [])), i)) if free else None
        )

    def complete(self, point: Values) -> Values | None:
        if self.unsolvable:
            return None
        point = dict(point)
        for name, poly in reversed(self.steps):
            values = {f"g{i}": to_fmpq(point[g[1]]) for i, g in enumerate(self.field.generators) if g[1] != name}
            index = self.field.generators.index(("symbol", name))
            univariate = fmpq_poly(_coefficients(poly.subs(values), index))
            if univariate.degree() < 1:
                continue
            roots = [r for r, _ in _rational_roots(univariate)]
            fitting = [r for r in roots if agrees_with(self.field.known.get(name, []), r)]
            if not fitting:
                return None
            point[name] = max(fitting)
        return point


def _coefficients(poly: Poly, index: int) -> list[Any]:
    parts = {int(e[index]): c for e, c in poly.terms()}
    return [parts.get(k, 0) for k in range(max(parts, default=0) + 1)]


def _rational_roots(poly: Any) -> list[tuple[Fraction, int]]:
    _, factors = poly.numer().factor()
    roots = []
    for factor, multiplicity in factors:
        if factor.degree() == 1:
            roots.append((Fraction(-int(factor[0]), int(factor[1])), int(multiplicity)))
    return roots
