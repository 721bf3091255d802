"""Exact values of kernels with sums at small arrays of floats, and how far from them a program on floats may be.

The domain of such a kernel is a sentence, which no program reads. Arrays are drawn for which the usual ones hold: those
that are declared symmetric have a dominant diagonal, also beside each other, and numbers without indices are positive.
"""

from __future__ import annotations

import hashlib
import math
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import Any

from flint import arb, ctx

from derivations.kernels.indexed_kernel import Call, Definition, IndexedKernel, Joined, Places, Reciprocal
from derivations.kernels.kernel import KernelError
from derivations.kernels.reference import CONDITIONING, ROUNDING, SHOWN, decimal, known_at
from derivations.language.evaluate import Ball, ball
from derivations.language.sums import Array, Sums
from derivations.language.sums.algebra import DELTA, SIZE, Factor

SIZES = ((2, 3), (1, 2))
"""What the ranges of the inputs hold at each point, in turns."""
ATTEMPTS = 20
DIGITS = 100
STEP = Fraction(1, 2**80)
RELIABLE = 10.0**-40

At = tuple[int, ...]
Values = Mapping[At, Any]
Table = dict[str, dict[At, Ball]]


@dataclass(frozen=True)
class LoopReference:
    """Sizes of the inputs' ranges, and inputs and returns entry by entry in the order of their indices.

    A return has its entries to 30 digits and the largest error of any of them.
    """

    sizes: dict[str, int]
    inputs: dict[str, dict[At, float]]
    texts: tuple[dict[At, str], ...]
    allowed: tuple[float, ...]


@lru_cache(maxsize=64)
def loop_references(kernel: IndexedKernel) -> tuple[LoopReference, ...]:
    """Values at a few small arrays."""
    rng = random.Random(hashlib.sha256(kernel.sha256.encode()).digest())
    return tuple(_found(kernel, row, rng) for row in SIZES)


def _found(kernel: IndexedKernel, row: Sequence[int], rng: random.Random) -> LoopReference:
    plain = [name for name, r in kernel.ranges.items() if not isinstance(r, Joined)]
    sizes = {name: row[k % len(row)] for k, name in enumerate(plain)}
    for _ in range(ATTEMPTS):
        inputs = {array.name: _drawn(array, sizes, rng) for array in kernel.inputs}
        exact = {name: {at: Fraction(x) for at, x in entries.items()} for name, entries in inputs.items()}
        values = returns_at(kernel, exact, sizes)
        if all(v.is_finite() and float(v.rad()) < RELIABLE for entries in values for v in entries.values()):
            return _reference(kernel, inputs, sizes, values)
    raise KernelError(
        f"no arrays were found at which the kernel {kernel.name} has values: declare what is symmetric, "
        "and divide by nothing that vanishes for positive numbers"
    )


def _drawn(array: Array, sizes: Mapping[str, int], rng: random.Random) -> dict[At, float]:
    """Entries that few bits hold."""
    found: dict[At, float] = {}
    for at in product(*(range(sizes[r.name]) for r in array.ranges)):
        if array.symmetric and at[0] != at[1]:
            found[at] = found[at[1], at[0]] if at[1] < at[0] else rng.randint(-8, 8) / 64
        elif array.symmetric or not at:
            found[at] = rng.randint(48, 96) / 64
        else:
            found[at] = rng.randint(-8, 8) / 64 if len(at) > 1 else rng.randint(16, 96) / 64
    return found


# --- errors -----------------------------------------------------------------------------------------------------------


def _reference(
    kernel: IndexedKernel,
    inputs: dict[str, dict[At, float]],
    sizes: dict[str, int],
    values: Sequence[Mapping[At, Ball]],
) -> LoopReference:
    """The error allowed is that of the largest entry: what its rounding costs, and what that of the inputs does."""
    exact = {name: {at: Fraction(x) for at, x in entries.items()} for name, entries in inputs.items()}
    noise = [{at: ROUNDING * math.ulp(float(v.mid())) for at, v in entries.items()} for entries in values]
    for array in kernel.inputs:
        for at, value in inputs[array.name].items():
            mirrored = {at, at[::-1]} if array.symmetric else {at}
            if at != min(mirrored):
                continue
            moved = exact | {array.name: exact[array.name] | {m: Fraction(value) + STEP for m in mirrored}}
            share = CONDITIONING * math.ulp(value) / 2
            for errors, here, there in zip(noise, values, returns_at(kernel, moved, sizes), strict=True):
                for k, v in there.items():
                    errors[k] += share * abs(float(((v - here[k]) / ball(STEP)).mid()))
    lost = 10.0 ** max((called.lost_digits for called in kernel.called), default=0)
    return LoopReference(
        sizes,
        inputs,
        tuple({at: decimal(v, SHOWN) for at, v in entries.items()} for entries in values),
        tuple(float(f"{lost * max(errors.values()):.3g}") for errors in noise),
    )


# --- evaluation -------------------------------------------------------------------------------------------------------


def returns_at(
    kernel: IndexedKernel, inputs: Mapping[str, Values], sizes: Mapping[str, int]
) -> tuple[dict[At, Ball], ...]:
    """The returns as balls, entry by entry, for inputs as fractions."""
    with ctx.workdps(DIGITS):
        return _Evaluation(kernel, sizes).returns({n: {at: ball(v) for at, v in e.items()} for n, e in inputs.items()})


class _Evaluation:
    """The steps of a kernel carried out as its formulas say, without any program."""

    def __init__(self, kernel: IndexedKernel, sizes: Mapping[str, int]) -> None:
        self.kernel = kernel
        self.sizes = dict(sizes)
        for r in kernel.ranges.values():
            if isinstance(r, Joined):
                self.sizes[r.name] = sum(self.sizes[part.name] for part in r.parts)

    def returns(self, known: Table) -> tuple[dict[At, Ball], ...]:
        for step in self.kernel.steps:
            for target in step.targets:
                known[target.name] = {}
            if isinstance(step, Definition):
                for places, sums in step.pieces:
                    for at in self._places(places):
                        known[step.target.name][self._position(step.target, places, at)] = self._sum(sums, at, known)
                continue
            for at in self._places(step.places):
                for target, value in zip(step.targets, self._evaluated(step, at, known), strict=True):
                    known[target.name][self._position(target, step.places, at)] = value
        return tuple(dict(sorted(known[name].items())) for name in self.kernel.returns)

    def _evaluated(self, step: Call | Reciprocal, at: Mapping[str, int], known: Table) -> list[Ball]:
        if isinstance(step, Reciprocal):
            return [1 / self._sum(step.of, at, known)]
        arguments = (self._sum(sums, at, known) for sums in step.arguments)
        found = known_at(step.kernel, dict(zip(step.kernel.arguments, arguments, strict=True)), DIGITS)
        return [found[name] for name in step.kernel.returns]

    def _places(self, places: Places) -> Iterator[dict[str, int]]:
        for at in product(*(range(self.sizes[p.range.name]) for p in places)):
            yield dict(zip((p.name for p in places), at, strict=True))

    def _position(self, array: Array, places: Places, at: Mapping[str, int]) -> At:
        pairs = zip(places, array.ranges, strict=True)
        return tuple(at[p.name] + self._before(p.range.name, whole) for p, whole in pairs)

    def _before(self, name: str, whole: Any) -> int:
        """Where the values of a part begin in a joined range."""
        if not isinstance(whole, Joined) or whole.name == name:
            return 0
        names = [part.name for part in whole.parts]
        return sum(self.sizes[part] for part in names[: names.index(name)])

    def _sum(self, sums: Sums, at: Mapping[str, int], known: Table) -> Ball:
        total = arb(0)
        for (bound, factors), c in sums.terms.items():
            part = arb(0)
            ranges = {name: of.name for name, of in sums.free.items()} | dict(enumerate(bound))
            for summed in product(*(range(self.sizes[name]) for name in bound)):
                part += self._product(factors, {**at, **dict(enumerate(summed))}, ranges, known)
            total += ball(c) * part
        return total

    def _product(
        self, factors: Sequence[Factor], at: Mapping[Any, int], ranges: Mapping[Any, str], known: Table
    ) -> Ball:
        value = arb(1)
        for name, *places in factors:
            if name == SIZE:
                value *= self.sizes[str(places[0])]
            elif name == DELTA:
                value *= int(at[places[0]] == at[places[1]])
            else:
                wholes = self.kernel.arrays[str(name)].ranges
                pairs = zip(places, wholes, strict=True)
                value *= known[str(name)][tuple(at[p] + self._before(ranges[p], whole) for p, whole in pairs)]
        return value
