"""Kernels of matrices as functions of plain numbers, for networks of some sizes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import chain
from typing import Any

import numpy as np
from flint import arb

from numerics.accuracy.domains import DomainError
from numerics.accuracy.search import LARGEST, SMALLEST, Point, Region
from numerics.accuracy.weights import Dimensions, Network, Networks, decompositions, weights
from numerics.kernels import Entry, ball, index, kernel

Place = tuple[str, int, int]  # of a number: in which matrix, and where

Case = tuple[str, Dimensions, Networks]

MOST_DRAWS = 1000
SHORT, LONG = 1, 350  # exponents of growth; an exponential of twice the latter is still finite in floats


@dataclass(frozen=True)
class FlatMatrices:
    """A kernel of matrices for networks of one size; a diagonal matrix counts its diagonal only."""

    entry: Entry
    which: str  # sizes and times, in words
    dimensions: Dimensions
    networks: Networks

    @cached_property
    def places(self) -> list[Place]:
        """Every number that a point consists of."""
        return [
            (name, i, j)
            for name in self.entry.arguments
            for i in range(self._shape(name)[0])
            for j in range(self._shape(name)[1])
            if i == j or not self._is_diagonal(name)
        ]

    @property
    def arguments(self) -> list[str]:
        return [name if self._is_number(name) else f"{name}_{i + 1}_{j + 1}" for name, i, j in self.places]

    @property
    def sizes(self) -> list[int]:
        """How many numbers every output has: the kernels of matrices return QQ', of inputs and outputs together."""
        return [(self.dimensions["N_i"] + self.dimensions["N_o"]) ** 2 for _ in self.entry.returns]

    def fast(self, *point: float) -> list[float]:
        """Not a number where the kernel finds no inverse or no eigenvalues; what overflows does so without a word."""
        try:
            with np.errstate(all="ignore"):
                outputs = kernel(self.entry.id)(*self.network(point).values())
        except np.linalg.LinAlgError:
            return [math.nan] * sum(self.sizes)
        return list(chain.from_iterable(np.ravel(output).tolist() for output in outputs))

    def twin(self, *point: Any, digits: int) -> tuple[Any, ...]:
        """Without values where the digits do not tell a matrix from one without an inverse."""
        try:
            outputs = ball(self.entry.id)(*self.network(point).values(), digits=digits)
        except ZeroDivisionError:
            return (arb.nan(),) * sum(self.sizes)
        return tuple(chain.from_iterable(output.entries() for output in outputs))

    @property
    def domain(self) -> tuple[str, ...]:
        return (*self.entry.domain, *self.networks.conditions)

    @cached_property
    def region(self) -> Region:
        networks = self.networks

        def draw(rng: np.random.Generator) -> Point:
            for _ in range(MOST_DRAWS):
                drawn = networks.draw(rng, self.dimensions)
                point = tuple(
                    float(drawn[name] if self._is_number(name) else drawn[name][i][j]) for name, i, j in self.places
                )
                if holds(point):
                    return point
            raise DomainError(f"no network was found in the domain of {self.entry.id}")

        def holds(point: Point) -> bool:
            fits = all(SMALLEST <= abs(x) <= LARGEST for x in point if x)
            return fits and networks.holds(self.network(list(map(Fraction, point))))

        return Region(draw, holds)

    def network(self, point: Sequence[Any]) -> Network:
        at = dict(zip(self.places, point, strict=True))
        return {name: self._matrix(name, at) for name in self.entry.arguments}

    def _matrix(self, name: str, at: Mapping[Place, Any]) -> Any:
        if self._is_number(name):
            return at[name, 0, 0]
        rows, columns = self._shape(name)
        return [[at.get((name, i, j), 0) for j in range(columns)] for i in range(rows)]

    def _shape(self, name: str) -> tuple[int, int]:
        rows, columns = next(value.axes or ("1", "1") for value in self.entry.inputs if value.name == name)
        return self._length(rows), self._length(columns)

    def _length(self, dimension: str) -> int:
        return 1 if dimension == "1" else self.dimensions[dimension]

    def _is_number(self, name: str) -> bool:
        return any((value.name, value.kind) == (name, "number") for value in self.entry.inputs)

    def _is_diagonal(self, name: str) -> bool:
        return f"{name} is diagonal" in self.entry.domain


# --- what is measured -------------------------------------------------------------------------------------------------

WIDTHS = ((2, 2, 3), (3, 2, 2), (3, 1, 2), (2, 3, 2))  # of inputs, hidden units and outputs
SIDES = ((2, 3), (3, 2), (2, 2))  # of inputs and outputs
TIMES = {"short times": SHORT, "all times": LONG}


def measured() -> Iterator[FlatMatrices]:
    """Every kernel of matrices for networks of several shapes."""
    for entry in index().values():
        if entry.kind != "matrices":
            continue
        if entry.id not in CASES:
            raise DomainError(f"nothing draws networks from the domain of {entry.id}")
        for which, dimensions, networks in CASES[entry.id]():
            yield FlatMatrices(entry, which, dimensions, networks)


def _of_weights() -> Iterator[Case]:
    for words, longest in TIMES.items():
        for inputs, hidden, outputs in WIDTHS:
            which = f"N_i, N_h, N_o = {inputs}, {hidden}, {outputs}; {words}"
            yield which, {"N_i": inputs, "N_h": hidden, "N_o": outputs}, weights(longest)


def _of_decompositions() -> Iterator[Case]:
    for inputs, outputs in SIDES:
        modes = min(inputs, outputs)
        dimensions = {"N_i": inputs, "N_o": outputs, "N_m": modes, "N_u": outputs - modes, "N_v": inputs - modes}
        yield f"N_i, N_o = {inputs}, {outputs}", dimensions, decompositions()


CASES: dict[str, Callable[[], Iterator[Case]]] = {
    "braun_2022:riccati": _of_weights,
    "braun_2022:theorem_31": _of_decompositions,
}
