"""Kernels of arrays as functions of plain numbers, at points at which one array is a covariance, exactly.

The covariance [[Q, R], [R', T]] of some fields is drawn as the inner products of vectors with few bits, which floats
hold exactly: with vectors that coincide, vanish, depend on each other or are orthonormal, so that its boundary is
reached. Whether any floats are a covariance is decided by elimination in exact fractions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import cached_property
from math import ldexp

import numpy as np

from numerics.accuracy.domains import DomainError
from numerics.accuracy.flat import Flat
from numerics.accuracy.search import LARGEST, SMALLEST, Point, Region, conditions_region
from numerics.kernels import Value

COVARIANCE = re.compile(r"\[\[(\w+), (\w+)\], \[(\w+)', (\w+)\]\] is a covariance(?:, )?")
MOST_BITS = 20  # of the entries of a vector; an inner product of them has at most twice as many, and a few
FARTHEST = 10  # a power of two by which vectors are scaled


class OfFields(Flat):
    """A kernel of arrays whose domain states that some of them are a covariance."""

    @cached_property
    def region(self) -> Region:
        matched = [COVARIANCE.match(text) for text in self.entry.domain]
        condition = next((match for match in matched if match), None)
        if condition is None:
            raise DomainError(f"the domain of {self.entry.id} states no covariance")
        rest = [c for c in COVARIANCE.sub("", condition.string).split(", ") if c]
        fields = (condition[1], condition[2], condition[4])
        others = [name for name, place in zip(self.arguments, self.places, strict=True) if place[0] not in fields]
        free = conditions_region(others, rest)
        students, teachers = (self.lengths[self._input(name).axes[0]] for name in (fields[0], fields[2]))

        def draw(rng: np.random.Generator) -> Point:
            gram = inner_products(rng, students, teachers)
            numbers = iter(free.drawn(rng))
            return tuple(
                gram[_row(name, where[0], fields, students)][_column(name, where[1], fields, students)]
                if name in fields
                else next(numbers)
                for name, where in self.places
            )

        def holds(point: Point) -> bool:
            if not all(SMALLEST <= abs(x) <= LARGEST for x in point if x):
                return False
            at = dict(zip(self.places, point, strict=True))
            q, r, t = (self.array(self._input(name), at) for name in fields)
            upper = [[*row, *beside] for row, beside in zip(q, r, strict=True)]
            lower = [[*beside, *row] for beside, row in zip(zip(*r, strict=True), t, strict=True)]
            others = tuple(x for (name, _), x in at.items() if name not in fields)
            return free.holds(others) and is_covariance([*upper, *lower])

        return Region(draw, holds)

    def _input(self, name: str) -> Value:
        return next(value for value in self.entry.inputs if value.name == name)


def _row(name: str, i: int, fields: tuple[str, str, str], students: int) -> int:
    return i + students if name == fields[2] else i


def _column(name: str, i: int, fields: tuple[str, str, str], students: int) -> int:
    return i if name == fields[0] else i + students


# --- covariances ------------------------------------------------------------------------------------------------------


def inner_products(rng: np.random.Generator, students: int, teachers: int) -> list[list[float]]:
    """Draw vectors of students and teachers that floats hold exactly, and return their inner products."""
    n = students + teachers
    dimension, bits = int(rng.choice([1, 2, n - 1, n, n + 2])), int(rng.integers(1, MOST_BITS + 1))
    vectors = rng.integers(-(2**bits), 2**bits + 1, (n, dimension))
    if rng.integers(3) == 0 and dimension >= teachers:
        vectors[students:] = 2**bits * np.eye(teachers, dimension, dtype=int)
    if rng.integers(3) == 0:
        i, j = rng.choice(n, 2, replace=False)
        vectors[i] = int(rng.choice([-1, 0, 1], p=[0.25, 0.15, 0.6])) * vectors[j]
    spread = FARTHEST if rng.integers(2) else 0
    powers = (rng.integers(-spread, spread + 1, n) + rng.integers(-FARTHEST, FARTHEST // 2) - bits).tolist()
    whole = (vectors @ vectors.T).tolist()
    return [[ldexp(x, a + b) for x, b in zip(row, powers, strict=True)] for row, a in zip(whole, powers, strict=True)]


def is_covariance(rows: Iterable[Iterable[float]]) -> bool:
    """Check whether a symmetric matrix is positive semidefinite, decided exactly."""
    left = [list(map(Fraction, row)) for row in rows]
    while left:
        (pivot, *first), *rest = left
        if pivot < 0 or (pivot == 0 and any(first)):
            return False
        left = [
            [x - row[0] * y / pivot for x, y in zip(row[1:], first, strict=True)] if pivot else row[1:] for row in rest
        ]
    return True
