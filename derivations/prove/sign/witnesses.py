"""Points at which an inequality between polynomials fails, looked for downhill with floats and made exact.

Many starts and a few descents propose; a simple rational point nearby, at which every hypothesis holds, decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from typing import Any

from derivations.language.normal import Poly, to_fmpq
from derivations.language.points import Values, completed, points
from derivations.prove import equality
from derivations.prove.certificate import Certificate, Json
from derivations.prove.sign.reading import Condition, Problem

Array = Any
DRAWN, EXACT_STARTS, DESCENTS = 400, 40, 4
DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 30, 50, 100, 1000, 10**4, 10**6)
INWARDS = (0.0, 0.001, 0.03, 0.3)  # how far from what was found towards a point at which all hypotheses hold
LARGE = 1e300  # in the place of numbers beyond
SMALL, NEAR = 1e-7, 1e-5  # of the size of the terms: what may be zero, and what is worth a few simple points
FEW = DENOMINATORS[:7]
MOST_SYMBOLS, MOST_TERMS = 8, 400


def violation(statement: Json, problem: Problem) -> Certificate | None:
    """A refutation at a simple point, if floats lead to one."""
    polys = [problem.conclusion, *problem.conditions]
    if problem.left_out or len(problem.names) > MOST_SYMBOLS or max(len(c.poly) for c in polys) > MOST_TERMS:
        return None
    inside = [_floats(problem, point) for point in islice(points(statement), EXACT_STARTS)]
    if not inside:
        return None
    search = _Descent(problem)
    for place, clear in search.proposals(inside):
        home = min(inside, key=lambda p: float(abs(p - place).sum()))
        for inwards in INWARDS if clear else INWARDS[:1]:
            found = _exactly(statement, problem, place + inwards * (home - place), DENOMINATORS if clear else FEW)
            if found is not None:
                return found
    return None


def _floats(problem: Problem, point: Values) -> Array:
    import numpy as np

    return np.array([float(point[name]) for name in problem.names])


def _exactly(statement: Json, problem: Problem, place: Array, denominators: tuple[int, ...]) -> Certificate | None:
    """The simplest point near some floats that refutes."""
    strict = statement["relation"] == ">"
    tried: set[tuple[Fraction, ...]] = set()
    for denominator in denominators:
        values = tuple(Fraction(round(float(v) * denominator), denominator) for v in place)
        if values in tried:
            continue
        tried.add(values)
        others = {name: Fraction(1) for name in statement["symbols"]}
        point = completed(statement, {**others, **dict(zip(problem.names, values, strict=True))})
        if point is None:
            continue
        at = [to_fmpq(point[name]) for name in problem.names]
        value = problem.conclusion.poly(*at)
        defined = all(poly(*at) != 0 for poly in problem.conclusion.alive)
        if defined and (value < 0 or (strict and value == 0)):
            return equality.at_point(statement, point, equality.PRECISIONS[0])
    return None


class _Descent:
    """The polynomials of a problem as functions of floats."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.goal = _Function(problem.conclusion.poly, len(problem.names))
        self.limit = SMALL if problem.conclusion.relation == ">" else -1e-12
        self.bounds = [(c, _Function(c.poly, len(problem.names))) for c in problem.conditions if c.relation != "!="]

    def proposals(self, inside: list[Array]) -> Iterator[tuple[Array, bool]]:
        """Where the inequality seems to fail, or nearly so; and whether it clearly does."""
        import numpy as np

        starts = np.array([*inside, *self._drawn()])
        values = self.goal.at(starts)
        allowed = np.ones(len(starts), dtype=bool)
        for condition, function in self.bounds:
            allowed &= _holds(condition, function.at(starts))
        order = np.argsort(np.where(allowed, values / self.goal.size(starts), np.inf))
        yield from ((starts[k], True) for k in order[:3] if allowed[k] and self._gap(starts[k]) <= self.limit)
        for k in order[:DESCENTS]:
            place = self._downhill(starts[k])
            if place is not None and self._gap(place) <= NEAR:
                yield place, self._gap(place) <= self.limit

    def _drawn(self) -> Array:
        import numpy as np

        rng = np.random.default_rng(0)
        count = len(self.problem.names)
        sizes = np.exp(rng.uniform(-3, 3, (DRAWN, count)))
        signs = rng.choice([-1.0, 1.0], (DRAWN, count))
        told = {c.source: str(c.poly) for c in self.problem.conditions if isinstance(c.source, str)}
        for i, name in enumerate(self.problem.names):
            if name in told:
                signs[:, i] = -1.0 if told[name].startswith("-") else 1.0
        return sizes * signs

    def _gap(self, place: Array) -> float:
        """The difference of the sides, beside the size of its terms."""
        return float(self.goal.at(place[None])[0] / self.goal.size(place[None])[0])

    def _downhill(self, start: Array) -> Array | None:
        import numpy as np
        from scipy.optimize import minimize

        scale = float(self.goal.size(start[None])[0]) or 1.0
        limits = [
            {"type": "eq" if c.relation == "=" else "ineq", "fun": f.value, "jac": f.slope} for c, f in self.bounds
        ]
        with np.errstate(all="ignore"):
            found = minimize(
                lambda p: self.goal.value(p) / scale,
                start,
                jac=lambda p: self.goal.slope(p) / scale,
                constraints=limits,
                method="SLSQP",
                options={"maxiter": 60, "ftol": 1e-12},
            )
        return found.x if np.all(np.isfinite(found.x)) and np.abs(found.x).max() < 1e8 else None


def _nearly(value: Any) -> float:
    """A rational number as a float, or the largest one that still multiplies well."""
    try:
        return int(value.p) / int(value.q)
    except OverflowError:
        return math.copysign(LARGE, value.p)


class _Function:
    """A polynomial for floats: exponents and coefficients, and those of its slopes."""

    def __init__(self, poly: Poly, count: int, *, slopes: bool = True) -> None:
        import numpy as np

        table = poly.to_dict()
        self.exponents = np.array([[int(e) for e in row[:count]] for row in table] or [[0] * count], dtype=float)
        self.coefficients = np.array([*map(_nearly, table.values())] or [0.0])
        self.slopes = [_Function(poly.derivative(i), count, slopes=False) for i in range(count)] if slopes else []

    def _monomials(self, places: Array) -> Array:
        import numpy as np

        return np.prod(places[:, None, :] ** self.exponents[None], axis=2)

    def at(self, places: Array) -> Array:
        return self._monomials(places) @ self.coefficients

    def size(self, places: Array) -> Array:
        """The sum of the terms' sizes, against which a value is small or not."""
        return abs(self._monomials(places)) @ abs(self.coefficients) + 1e-300

    def value(self, place: Array) -> float:
        return float(self.at(place[None])[0])

    def slope(self, place: Array) -> Array:
        import numpy as np

        return np.array([f.value(place) for f in self.slopes])


def _holds(condition: Condition, values: Array) -> Array:
    return {"=": abs(values) < SMALL, ">": values > 0, ">=": values >= 0}[condition.relation]
