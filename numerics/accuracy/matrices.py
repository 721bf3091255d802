"""Kernels of matrices as functions of plain numbers, for networks of some sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import getitem

import numpy as np

from numerics.accuracy.domains import DomainError
from numerics.accuracy.flat import Flat
from numerics.accuracy.search import LARGEST, SMALLEST, Point, Region
from numerics.accuracy.weights import Dimensions, Networks, decompositions, weights
from numerics.kernels import index

Case = tuple[str, Dimensions, Networks]

MOST_DRAWS = 1000
SHORT, LONG = 1, 350  # exponents of growth; an exponential of twice the latter is still finite in floats


@dataclass(frozen=True)
class OfNetworks(Flat):
    """A kernel of matrices for networks of one size."""

    networks: Networks

    @property
    def sizes(self) -> list[int]:
        """How many numbers every output has: the kernels of matrices return QQ', of inputs and outputs together."""
        return [(self.lengths["N_i"] + self.lengths["N_o"]) ** 2 for _ in self.entry.returns]

    @property
    def domain(self) -> tuple[str, ...]:
        return (*self.entry.domain, *self.networks.conditions)

    @cached_property
    def region(self) -> Region:
        networks = self.networks

        def draw(rng: np.random.Generator) -> Point:
            for _ in range(MOST_DRAWS):
                drawn = networks.draw(rng, self.lengths)
                point = tuple(float(reduce(getitem, where, drawn[name])) for name, where in self.places)
                if holds(point):
                    return point
            raise DomainError(f"no network was found in the domain of {self.entry.id}")

        def holds(point: Point) -> bool:
            fits = all(SMALLEST <= abs(x) <= LARGEST for x in point if x)
            return fits and networks.holds(self.inputs(list(map(Fraction, point))))

        return Region(draw, holds)


# --- what is measured -------------------------------------------------------------------------------------------------

WIDTHS = ((2, 2, 3), (3, 2, 2), (3, 1, 2), (2, 3, 2))  # of inputs, hidden units and outputs
SIDES = ((2, 3), (3, 2), (2, 2))  # of inputs and outputs
TIMES = {"short times": SHORT, "all times": LONG}


def measured() -> Iterator[OfNetworks]:
    """Every kernel of matrices for networks of several shapes."""
    for entry in index().values():
        if entry.kind != "matrices":
            continue
        if entry.id not in CASES:
            raise DomainError(f"nothing draws networks from the domain of {entry.id}")
        for which, dimensions, networks in CASES[entry.id]():
            yield OfNetworks(entry, dimensions, which, networks)


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
