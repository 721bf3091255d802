"""Points of floats in a kernel's domain at which its programs are tested, the same in every run.

Simple points come from pools of small numbers, which meet boundaries and coincidences. Points on rays reach the domains
that such pools rarely meet: from a plain point of the domain towards an arbitrary one, and until just before the edge.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import islice, product
from typing import Any

from derivations.kernels.kernel import Kernel, KernelError
from derivations.kernels.reference import DIGITS, Reference, known_at, reference, taken
from derivations.language.evaluate import exact
from derivations.language.points import agrees_with, satisfies
from derivations.language.points import points as exact_points
from derivations.language.terms import subtract

COUNT = 8
ON_EDGES = 3  # of them, at most
DRAWN = 24  # candidates of each kind
RAYS = 60
Values = dict[str, float]


@lru_cache(maxsize=512)
def references(kernel: Kernel) -> tuple[Reference, ...]:
    """Reference values at points that, between them, take as many branches and touch as many edges as were found."""
    chosen, later = _sorted_out(kernel)
    spread = later[:: max(1, len(later) // COUNT)]
    made: dict[tuple[float, ...], Reference] = {}
    for k, point in enumerate([*chosen, *spread, *later]):
        if len(made) >= COUNT and k >= len(chosen):
            break
        if tuple(point.values()) not in made and (found := reference(kernel, point)) is not None:
            made[tuple(point.values())] = found
    if not made:
        raise KernelError(
            f"no point was found in the domain of the kernel {kernel.name} at which every result has a value: "
            "state a domain that holds simple numbers"
        )
    return tuple(made.values())


def _sorted_out(kernel: Kernel) -> tuple[list[Values], list[Values]]:
    """Candidates that take new branches or touch new edges, few of the latter, and the others."""
    chosen: list[Values] = []
    later: list[Values] = []
    seen: set[Any] = set()
    edges = 0
    for point in candidates(kernel):
        fractions = {name: Fraction(value) for name, value in point.items()}
        branches, touched = branches_at(kernel, fractions), touched_at(kernel, fractions)
        edge = bool(touched) and edges < ON_EDGES and (branches, touched) not in seen
        (chosen if edge or branches not in seen else later).append(point)
        edges += edge
        seen |= {branches, (branches, touched)}
    return chosen[: 2 * COUNT], later


def branches_at(kernel: Kernel, point: Mapping[str, Fraction]) -> tuple[int | None, ...]:
    """Which case every line with branches takes."""
    lines = [line for line in kernel.formulas if len(line.cases) > 1]
    known = known_at(kernel, point, DIGITS) if lines else {}
    return tuple(taken(line, known) for line in lines)


def touched_at(kernel: Kernel, point: Mapping[str, Fraction]) -> tuple[str | int, ...]:
    """The arguments that are zero, and the conditions of the domain that hold with equality."""
    zeros = [name for name, value in point.items() if value == 0]
    equal = [k for k, term in enumerate(kernel.domain_terms) if exact(subtract(term[1], term[2]), point) == 0]
    return (*zeros, *equal)


def candidates(kernel: Kernel) -> Iterator[Values]:
    told = {name: list(said) for name, said in kernel.assumed}
    pools = exact_points({"symbols": told, "assuming": kernel.domain_terms})
    rounded = ({name: float(point[name]) for name in kernel.arguments} for point in pools)
    yield from islice((point for point in rounded if _inside(kernel, told, point)), DRAWN)
    yield from _along_rays(kernel, told)


def _inside(kernel: Kernel, told: dict[str, list[str]], point: Values) -> bool:
    return satisfies({name: Fraction(value) for name, value in point.items()}, told, kernel.domain_terms)


def _along_rays(kernel: Kernel, told: dict[str, list[str]]) -> Iterator[Values]:
    rng = random.Random(hashlib.sha256(kernel.sha256.encode()).digest())
    starts = list(islice((s for s in _plain_points(kernel, told) if _inside(kernel, told, s)), 3))
    for start in starts:
        for k in range(RAYS // len(starts)):
            aim = {name: _aim(told[name], rng) for name in kernel.arguments}
            share = 1.0
            while share > 1e-3 and not _inside(kernel, told, point := _between(start, aim, share)):
                share /= 2
            if share <= 1e-3:
                continue
            yield point
            if k % 8 == 0 and share < 1:
                yield _edge(kernel, told, start, aim, share)


def _plain_points(kernel: Kernel, told: dict[str, list[str]]) -> Iterator[Values]:
    """Numbers with a sign are 1, 2, 3 or -1; others, and most of those between other arguments, are zero."""
    for size, free in product((1.0, 2.0, 3.0), (0.0, 0.5, 1.0)):
        yield {name: _plain(told[name], size, free) for name in kernel.arguments}


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


def _edge(kernel: Kernel, told: dict[str, list[str]], start: Values, aim: Values, share: float) -> Values:
    """Nearly the last point of the ray that lies inside."""
    low, high = share, 2 * share
    for _ in range(30):
        middle = (low + high) / 2
        point = {name: start[name] + middle * (aim[name] - start[name]) for name in start}
        low, high = (middle, high) if _inside(kernel, told, point) else (low, middle)
    return {name: start[name] + low * (aim[name] - start[name]) for name in start}
