"""Arguments of floats in a kernel's domain at which its programs are tested, the same in every run.

Numbers: simple points come from pools of small numbers, which meet boundaries and coincidences. Points on rays reach
the domains that such pools rarely meet: from a plain point of the domain towards an arbitrary one, and until just
before the edge. Arrays: their domain is a sentence, which no program reads, so they are drawn such that the usual ones
hold: symmetric ones have a dominant diagonal, also beside each other, and numbers are positive. Matrices have every
property that they are declared to have, up to rounding.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from typing import Any

from derivations.kernels.program import Value
from derivations.kernels.reference import DIGITS, Reference, known_at, reference, taken
from derivations.kernels.specification import Specification
from derivations.kernels.specification.names import KernelError
from derivations.language.evaluate import exact
from derivations.language.points import agrees_with, satisfies
from derivations.language.points import points as exact_points
from derivations.language.terms import subtract
from derivations.language.words.instances import Declaration, Instance, Search, generator

COUNT = 8  # points of numbers
ON_EDGES = 3  # of them, at most
DRAWN = 24  # candidates of each kind
RAYS = 60
SIZES = ((2, 3), (1, 2))
"""How many values the indices of arrays have at each point, in turns."""
TRIES = 20  # of arrays for one of these
OF_MATRICES, ATTEMPTS = 3, 60  # points, and what is drawn for them
SCALE = Fraction(1, 4)  # of entries that are not part of an orthonormal frame, so that exponentials stay small
Values = dict[str, float]
Point = tuple[Any, ...]


@lru_cache(maxsize=512)
def references(kernel: Specification) -> tuple[Reference, ...]:
    """Reference values at the points of a kernel."""
    kinds = {value.kind for value in kernel.inputs}
    made = (
        _of_matrices(kernel)
        if "matrix" in kinds
        else _of_arrays(kernel)
        if kinds != {"number"}
        else _of_numbers(kernel)
    )
    if not made:
        raise KernelError(
            f"no arguments were found in the domain of the kernel {kernel.name} at which every result has a value: "
            "state a domain that holds simple numbers, declare what is symmetric, and divide by nothing that vanishes"
        )
    return tuple(made)


# --- arrays -----------------------------------------------------------------------------------------------------------


def _of_arrays(kernel: Specification) -> list[Reference]:
    rng = random.Random(hashlib.sha256(kernel.sha256.encode()).digest())
    made: list[Reference] = []
    for row in SIZES:
        sizes = {name: row[k % len(row)] for k, name in enumerate(kernel.program.sizes)}
        drawn = (tuple(_array(value, sizes, rng) for value in kernel.inputs) for _ in range(TRIES))
        made += islice((values for point in drawn if (values := reference(kernel, point)) is not None), 1)
    return made


def _array(value: Value, sizes: Mapping[str, int], rng: random.Random) -> Any:
    """Entries that few bits hold."""
    entries: dict[tuple[int, ...], float] = {}
    for at in product(*(range(sizes[axis]) for axis in value.axes)):
        if value.kind == "symmetric" and at[0] != at[1]:
            entries[at] = entries[at[1], at[0]] if at[1] < at[0] else rng.randint(-8, 8) / 64
        elif value.kind == "symmetric" or not at:
            entries[at] = rng.randint(48, 96) / 64
        else:
            entries[at] = rng.randint(-8, 8) / 64 if len(at) > 1 else rng.randint(16, 96) / 64
    return _nested(entries, [sizes[axis] for axis in value.axes])


def _nested(entries: Mapping[tuple[int, ...], float], sizes: Sequence[int], at: tuple[int, ...] = ()) -> Any:
    if len(at) == len(sizes):
        return entries[at]
    return [_nested(entries, sizes, (*at, k)) for k in range(sizes[len(at)])]


# --- matrices ---------------------------------------------------------------------------------------------------------


def _of_matrices(kernel: Specification) -> list[Reference]:
    letters = {value.name: _declared(value) for value in kernel.inputs}
    search = Search(letters, [], set(kernel.program.sizes), generator(kernel.normal_form))
    drawn = (tuple(_rows(instance, value) for value in kernel.inputs) for instance in search.instances(range(ATTEMPTS)))
    rows = (row for point in drawn if (row := reference(kernel, point)) is not None)
    return list(islice(rows, OF_MATRICES))


def _declared(value: Value) -> Declaration:
    rows, columns = (int(axis) if axis.isdigit() else axis for axis in value.axes or ("1", "1"))
    assumptions: dict[str, Any] = dict.fromkeys(value.assumptions, True)
    return Declaration(rows, columns, **assumptions)


def _rows(instance: Instance, value: Value) -> Any:
    matrix, scale = instance.matrices[value.name], 1 if "orthonormal_columns" in value.assumptions else SCALE
    rows = [
        [float(Fraction(int(v.p), int(v.q)) * scale) for v in (matrix[i, j] for j in range(matrix.ncols()))]
        for i in range(matrix.nrows())
    ]
    return rows if value.axes else rows[0][0]


# --- numbers ----------------------------------------------------------------------------------------------------------


def _of_numbers(kernel: Specification) -> list[Reference]:
    """At points that, between them, take as many branches and touch as many edges as were found.

    Where digits are lost, nothing can be said of a result that is zero, as all of its digits may be lost there.
    """
    chosen, later = _sorted_out(kernel)
    spread = later[:: max(1, len(later) // COUNT)]
    made: dict[Point, Reference] = {}
    for k, point in enumerate([*chosen, *spread, *later]):
        if len(made) >= COUNT and k >= len(chosen):
            break
        place = tuple(point[name] for name in kernel.arguments)
        if place not in made and (values := reference(kernel, place)) is not None:
            made[place] = values
    rows = [row for row in made.values() if not (kernel.lost_digits and ("0",) in row.texts)]
    return rows or list(made.values())


def _sorted_out(kernel: Specification) -> tuple[list[Values], list[Values]]:
    """Candidates that take new branches or touch new edges, few of the latter, and the others."""
    chosen: list[Values] = []
    later: list[Values] = []
    seen: set[Any] = set()
    edges = 0
    for point in candidates(kernel):
        fractions = {name: Fraction(value) for name, value in point.items()}
        branches, touched = (
            branches_at(kernel, tuple(fractions[name] for name in kernel.arguments)),
            touched_at(kernel, fractions),
        )
        edge = bool(touched) and edges < ON_EDGES and (branches, touched) not in seen
        (chosen if edge or branches not in seen else later).append(point)
        edges += edge
        seen |= {branches, (branches, touched)}
    return chosen[: 2 * COUNT], later


def branches_at(kernel: Specification, point: Sequence[Fraction]) -> tuple[int | None, ...]:
    """Which case every line with branches takes."""
    lines = [line for line in kernel.content.formulas.body if len(line[2]) > 1]
    known = known_at(kernel, point, DIGITS) if lines else {}
    return tuple(taken(line, known, DIGITS) for line in lines)


def touched_at(kernel: Specification, point: Mapping[str, Fraction]) -> tuple[str | int, ...]:
    """The arguments that are zero, and the conditions of the domain that hold with equality."""
    zeros = [name for name, value in point.items() if value == 0]
    equal = [k for k, term in enumerate(kernel.content.domain_terms) if exact(subtract(term[1], term[2]), point) == 0]
    return (*zeros, *equal)


def candidates(kernel: Specification) -> Iterator[Values]:
    pools = exact_points({"symbols": assumed(kernel), "assuming": kernel.content.domain_terms})
    rounded = ({name: float(point[name]) for name in kernel.arguments} for point in pools)
    yield from islice((point for point in rounded if inside(kernel, point)), DRAWN)
    yield from _along_rays(kernel)


def inside(kernel: Specification, point: Mapping[str, float]) -> bool:
    """Return whether the domain holds a point, whose floats are taken exactly."""
    exactly = {name: Fraction(value) for name, value in point.items()}
    return satisfies(exactly, assumed(kernel), list(kernel.content.domain_terms))


def assumed(kernel: Specification) -> dict[str, list[str]]:
    """The assumptions about each argument."""
    return {value.name: list(value.assumptions) for value in kernel.inputs}


def _along_rays(kernel: Specification) -> Iterator[Values]:
    assumptions = assumed(kernel)
    rng = random.Random(hashlib.sha256(kernel.sha256.encode()).digest())
    starts = list(islice((s for s in _plain_points(kernel, assumptions) if inside(kernel, s)), 3))
    for start in starts:
        for k in range(RAYS // len(starts)):
            aim = {name: _aim(assumptions[name], rng) for name in kernel.arguments}
            share = 1.0
            while share > 1e-3 and not inside(kernel, point := _between(start, aim, share)):
                share /= 2
            if share <= 1e-3:
                continue
            yield point
            if k % 8 == 0 and share < 1:
                yield _edge(kernel, start, aim, share)


def _plain_points(kernel: Specification, assumptions: dict[str, list[str]]) -> Iterator[Values]:
    """Numbers with a sign are 1, 2, 3 or -1; others, and most of those between other arguments, are zero."""
    for size, free in product((1.0, 2.0, 3.0), (0.0, 0.5, 1.0)):
        yield {name: _plain(assumptions[name], size, free) for name in kernel.arguments}


def _plain(said: list[str], size: float, free: float) -> float:
    if agrees_with(said, Fraction(1)) and not agrees_with(said, Fraction(-1)):
        return size
    if agrees_with(said, Fraction(-1)) and not agrees_with(said, Fraction(1)):
        return -size
    return free


def _aim(said: list[str], rng: random.Random) -> float:
    size = round(10 ** rng.uniform(-1, 1), 3)
    if not agrees_with(said, Fraction(-1)):
        return size
    return -size if not agrees_with(said, Fraction(1)) or rng.random() < 0.5 else size


def _between(start: Values, aim: Values, share: float) -> Values:
    return {name: round(start[name] + share * (aim[name] - start[name]), 6) for name in start}


def _edge(kernel: Specification, start: Values, aim: Values, share: float) -> Values:
    """Nearly the last point of the ray that lies inside."""
    low, high = share, 2 * share
    for _ in range(30):
        middle = (low + high) / 2
        point = {name: start[name] + middle * (aim[name] - start[name]) for name in start}
        low, high = (middle, high) if inside(kernel, point) else (low, middle)
    return {name: start[name] + low * (aim[name] - start[name]) for name in start}
