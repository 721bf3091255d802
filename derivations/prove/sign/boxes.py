"""Inequalities in two, three or four variables, by boxes on which the coefficients after Bernstein tell a sign.

Space is cut where single hypotheses bound a variable, then where nothing is told yet. Floats say which boxes are worth
an exact look; what a box is settled by is exact.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import numpy as np

from derivations.language.normal import Poly, to_fraction
from derivations.prove import equality
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.rules import effort
from derivations.prove.sign.reading import Condition, Problem, simplest

METHOD = "boxes"
MOST_BOXES, MOST_DEPTH = 300, 60
MOST_SYMBOLS, MOST_ENTRIES = 4, 1500
Array = Any
Tree = list[Any]


@dataclass(frozen=True)
class _Axis:
    low: Fraction | None = None
    high: Fraction | None = None
    with_low: bool = False
    with_high: bool = False


Box = tuple[_Axis, ...]


def is_bounded(problem: Problem) -> bool:
    """Whether every variable has a bound by itself: then boxes are cheap, and worth a try before anything else."""
    tensors = [_Tensor(c, len(problem.names)) for c in problem.conditions if c.relation in (">", ">=")]
    return all(any(t.on == [i] for t in tensors) for i in range(len(problem.names)))


def decide(statement: Json, problem: Problem) -> Certificate | None:
    """A proof by boxes, or None."""
    tensors = [_Tensor(c, len(problem.names)) for c in (problem.conclusion, *problem.conditions)]
    if len(problem.names) > MOST_SYMBOLS or max(t.exact.size for t in tensors) > MOST_ENTRIES:
        return None
    cutter = _Cutter(problem, tensors)
    tree = cutter.bounded((_Axis(),) * len(problem.names), list(range(len(problem.names))))
    inhabited = equality.meeting_point(statement) if tree is not None else None
    if tree is None or inhabited is None:
        return None
    point = {name: str(value) for name, value in inhabited.items()}
    return Certificate(
        statement, Verdict.PROVED, METHOD, {"symbols": list(problem.names), "tree": tree, "inhabited": point}
    )


class _Tensor:
    """A condition with the coefficients of its polynomial, by the exponents of all variables."""

    def __init__(self, condition: Condition, count: int) -> None:
        self.condition = condition
        self.exact = _dense(condition.poly, count)
        self.float = self.exact.astype(float)
        self.on = [i for i in range(count) if self.exact.shape[i] > 1]

    def has_sign(self, box: Box, sign: int, strict: bool) -> bool:
        """Whether sign * polynomial is certainly not negative on a box, or positive."""
        entries = sign * _changed(self.float, box)
        if entries.min() < -1e-9 * max(abs(entries).max(), 1e-300):
            return False
        entries = sign * _changed(self.exact, box)
        if (entries < 0).any():
            return False
        return not strict or all((entries[face] > 0).any() for face in product(*map(_faces, box)))


def _dense(poly: Poly, count: int) -> Array:
    table = {tuple(map(int, e[:count])): to_fraction(c) for e, c in poly.to_dict().items()}
    shape = [1 + max((e[i] for e in table), default=0) for i in range(count)]
    dense = np.full(shape, Fraction(0), dtype=object)
    for exponents, coefficient in table.items():
        dense[exponents] = coefficient
    return dense


def _faces(axis: _Axis) -> Iterator[Any]:
    """The parts of an axis on each of which a polynomial must be positive: what lies inside, and ends that belong."""
    if axis.low is None or axis.low != axis.high or not (axis.with_low and axis.with_high):
        yield slice(None)
    if axis.with_low:
        yield slice(0, 1)
    if axis.with_high:
        yield slice(-1, None)


def _changed(dense: Array, box: Box) -> Array:
    """The coefficients in s, where a variable is (low + high s)/(1 + s), or low + s, or high - 1/s."""
    for i, axis in enumerate(box):
        change = _change(axis, dense.shape[i] - 1)
        if dense.dtype != object:
            change = change.astype(float)
        dense = np.moveaxis(np.tensordot(change, dense, axes=(1, i)), 0, i)
    return dense


def _change(axis: _Axis, degree: int) -> Array:
    rows = np.full((degree + 1, degree + 1), Fraction(0), dtype=object)
    for k in range(degree + 1):
        if axis.low is not None and axis.high is not None:
            for i in range(k + 1):
                for j in range(degree - k + 1):
                    rows[i + j, k] += comb(k, i) * axis.low ** (k - i) * axis.high**i * comb(degree - k, j)
        elif axis.low is not None:
            for i in range(k + 1):
                rows[i, k] = comb(k, i) * axis.low ** (k - i)
        elif axis.high is not None:
            for i in range(k + 1):
                rows[degree - i, k] = comb(k, i) * axis.high ** (k - i) * (-1) ** i
    return rows


class _Cutter:
    """Cuts boxes until each is settled, as long as there are few."""

    def __init__(self, problem: Problem, tensors: list[_Tensor]) -> None:
        self.names = problem.names
        self.goal, *self.conditions = tensors
        self.left = MOST_BOXES

    def bounded(self, box: Box, axes: list[int]) -> Tree | None:
        """The box cut at the bounds that single conditions give to each variable in turn."""
        if not axes:
            return self.settled(box, 0)
        i = axes[0]
        for low in (True, False):
            if (box[i].low if low else box[i].high) is not None:
                continue
            bound = self._bound(i, low)
            if bound is not None:
                at, strict, leaf = bound
                below, above, word = self._cut(box, i, at, belongs_below=strict if low else not strict)
                rest = self.bounded(above if low else below, axes)
                sides = [leaf, rest] if low else [rest, leaf]
                return None if rest is None else ["cut", self.names[i], str(at), word, *sides]
        if box[i].low is None and box[i].high is None:
            return self._both(box, i, Fraction(0), lambda side: self.bounded(side, axes[1:]))
        return self.bounded(box, axes[1:])

    def _bound(self, i: int, low: bool) -> tuple[Fraction, bool, Tree] | None:
        """The tightest bound of a variable that one condition gives: where, whether strictly, and by what."""
        found = []
        for tensor in self.conditions:
            condition, dense = tensor.condition, tensor.exact
            if tensor.on != [i] or dense.shape[i] != 2 or condition.relation not in (">", ">="):
                continue
            constant, slope = dense.ravel()
            if (slope > 0) == low:
                found.append((-constant / slope, condition.relation == ">", _reason(tensor)))
        return (max if low else min)(found, key=lambda b: (b[0], b[1] if low else not b[1]), default=None)

    def settled(self, box: Box, depth: int) -> Tree | None:
        """What settles the box, or its parts after a cut; None if there are too many."""
        self.left -= 1
        if self.left < 0 or depth > MOST_DEPTH or effort.is_spent():
            return None
        if self.goal.has_sign(box, 1, self.goal.condition.relation == ">"):
            return ["holds"]
        for tensor in self.conditions:
            if _fails(tensor, box):
                return _reason(tensor)
        i = max(range(len(box)), key=lambda i: (_width(box[i]), -i))
        at = _middle(box[i])
        if at is None:
            return None
        return self._both(box, i, at, lambda side: self.settled(side, depth + 1))

    def _both(self, box: Box, i: int, at: Fraction, decided: Any) -> Tree | None:
        below, above, word = self._cut(box, i, at, belongs_below=True)
        sides: list[Tree] = []
        for side in (below, above):
            tree = decided(side)
            if tree is None:
                return None
            sides.append(tree)
        return ["cut", self.names[i], str(at), word, *sides]

    @staticmethod
    def _cut(box: Box, i: int, at: Fraction, belongs_below: bool) -> tuple[Box, Box, str]:
        below = replace(box[i], high=at, with_high=belongs_below)
        above = replace(box[i], low=at, with_low=not belongs_below)
        before, behind = box[:i], box[i + 1 :]
        return (*before, below, *behind), (*before, above, *behind), "<=" if belongs_below else "<"


def _fails(tensor: _Tensor, box: Box) -> bool:
    relation = tensor.condition.relation
    if relation == "!=":
        return False
    if relation == "=":
        return tensor.has_sign(box, 1, True) or tensor.has_sign(box, -1, True)
    return tensor.has_sign(box, -1, relation == ">=")


def _reason(tensor: _Tensor) -> Tree:
    source = tensor.condition.source
    if isinstance(source, int):
        return ["hypothesis", source]
    return ["symbol", source, tensor.condition.word]


def _width(axis: _Axis) -> float:
    return float("inf") if axis.low is None or axis.high is None else float(axis.high - axis.low)


def _middle(axis: _Axis) -> Fraction | None:
    """A simple number well inside an axis."""
    if axis.low is not None and axis.high is not None:
        width = axis.high - axis.low
        return simplest(axis.low + width * 2 / 5, axis.low + width * 3 / 5) if width else None
    if axis.low is not None:
        return axis.low + max(Fraction(1), abs(axis.low))
    assert axis.high is not None
    return axis.high - max(Fraction(1), abs(axis.high))
