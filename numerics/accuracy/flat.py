"""Kernels of arrays and of matrices as functions of plain numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from typing import Any

import numpy as np
from flint import arb, arb_mat

from numerics.kernels import Entry, Value, ball, kernel

Place = tuple[str, tuple[int, ...]]  # of a number: in which array, and where


@dataclass(frozen=True)
class Flat:
    """A kernel for ranges of given lengths: a symmetric array counts its upper half, a diagonal one its diagonal."""

    entry: Entry
    lengths: Mapping[str, int]
    which: str  # lengths and whatever else was chosen, in words

    @cached_property
    def places(self) -> list[Place]:
        """Every number that a point consists of."""
        return [
            (value.name, where)
            for value in self.entry.inputs
            for where in product(*(range(self.length(axis)) for axis in value.axes))
            if not (value.kind == "symmetric" and where[0] > where[1])
            and not (self._is_diagonal(value) and where[0] != where[1])
        ]

    @property
    def arguments(self) -> list[str]:
        return ["_".join([name, *(str(i + 1) for i in where)]) for name, where in self.places]

    @property
    def sizes(self) -> list[int]:
        """How many numbers every output has."""
        return [math.prod(map(self.length, value.axes)) for value in self.entry.results]

    @property
    def domain(self) -> tuple[str, ...]:
        return self.entry.domain

    def fast(self, *point: float) -> list[float]:
        """Not a number where the kernel finds no inverse or no eigenvalues; what overflows does so without a word."""
        arrays = (np.array(rows) if isinstance(rows, list) else rows for rows in self.inputs(point).values())
        try:
            with np.errstate(all="ignore"):
                outputs = kernel(self.entry.id)(*arrays)
        except np.linalg.LinAlgError:
            return [math.nan] * sum(self.sizes)
        return list(chain.from_iterable(np.ravel(output).tolist() for output in outputs))

    def twin(self, *point: Any, digits: int) -> tuple[Any, ...]:
        """Without values where the digits do not tell a matrix from one without an inverse."""
        try:
            outputs = ball(self.entry.id)(*self.inputs(point).values(), digits=digits)
        except ZeroDivisionError:
            return (arb.nan(),) * sum(self.sizes)
        return tuple(chain.from_iterable(map(_leaves, outputs)))

    def inputs(self, point: Sequence[Any]) -> dict[str, Any]:
        """Numbers, or nested lists of numbers, by name."""
        at = dict(zip(self.places, point, strict=True))
        return {value.name: self.array(value, at) for value in self.entry.inputs}

    def array(self, value: Value, at: Mapping[Place, Any]) -> Any:
        """A number, or nested lists of numbers."""
        symmetric = value.kind == "symmetric"

        def part(where: tuple[int, ...], ranges: Sequence[str]) -> Any:
            if ranges:
                return [part((*where, i), ranges[1:]) for i in range(self.length(ranges[0]))]
            return at.get((value.name, tuple(sorted(where)) if symmetric else where), 0)

        return part((), value.axes)

    def length(self, axis: str) -> int:
        return 1 if axis == "1" else self.lengths[axis]

    def _is_diagonal(self, value: Value) -> bool:
        return f"{value.name} is diagonal" in self.entry.domain


def _leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    elif isinstance(value, arb_mat):
        yield from value.entries()
    else:
        yield value
