"""Where a function departs from a kernel: at seeded arguments in the domain, beside the exact values in balls."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import islice
from typing import Any

from derivations.commands.own.code.process import CodeError, Function
from derivations.kernels import hunting
from derivations.kernels.points import Values, inside, references
from derivations.kernels.reference import Reference, reference
from derivations.kernels.specification import Specification
from derivations.text import counted

SMALLER_TRIES = 60  # further points, on the way to a smaller one at which a function departs
STOPS = 3  # points without an answer, after which no other is tried
Rows = list[list[float]]


@dataclass(frozen=True)
class Departure:
    """A point at which a function and the kernel differ, and by how much, as a share of the exact value."""

    reference: Reference
    sentence: str
    share: float

    def __str__(self) -> str:
        return self.sentence


@dataclass(frozen=True)
class Compared:
    """At how many points a function was compared, and where it departs: the smallest point, and the farthest off."""

    points: int
    departures: tuple[Departure, ...]

    @property
    def smallest(self) -> Departure | None:
        return self.departures[0] if self.departures else None

    @property
    def farthest(self) -> Departure | None:
        return max(self.departures, key=lambda departure: departure.share, default=None)


def compared(
    function: Function,
    kernel: Specification,
    *,
    tolerance: float | None,
    count: int,
    seed: int,
    step: Callable[[int], object] = lambda _: None,
) -> Compared:
    """The function beside the exact values at points of the kernel's domain, the smallest first."""
    departures: list[Departure] = []
    done = stops = 0
    for place in islice(places(kernel, count, seed), count):
        done += 1
        departure, stopped = _at(function, kernel, place, tolerance)
        departures += [departure] if departure else []
        stops += stopped
        step(done)
        if stops == STOPS:
            break
    if departures and not stops and all(not value.axes for value in kernel.inputs):
        departures[0] = _smaller(function, kernel, departures[0], tolerance)
    return Compared(done, tuple(departures))


# --- points -----------------------------------------------------------------------------------------------------------


def places(kernel: Specification, count: int, seed: int) -> Iterator[Reference]:
    """Points at which the kernel has values, smallest first: plain ones, edges of the domain, and ones of the seed."""
    if any(value.axes for value in kernel.inputs):
        yield from references(kernel)
        return
    fixed = list(hunting.points(kernel))
    chosen = fixed if len(fixed) <= count else _spread(fixed, count)
    edges = [dict(zip(kernel.arguments, row.point, strict=True)) for row in references(kernel)]
    drawn = list(_near(kernel, fixed, max(1, count // 4), random.Random(f"{seed}:{kernel.sha256}")))
    least = chosen[: max(1, count - len(edges) - len(drawn))]
    every = {tuple(point.values()): point for point in (*edges, *least, *drawn)}
    for point in sorted(every.values(), key=size_of):
        if (exact := reference(kernel, tuple(point[name] for name in kernel.arguments))) is not None:
            yield exact


def _spread(points: Sequence[Values], count: int) -> list[Values]:
    """The plain half, and as many of the others from everywhere."""
    half = count // 2
    later = points[half:]
    return [*points[:half], *later[:: max(1, len(later) // (count - half))]][:count]


def _near(kernel: Specification, points: Sequence[Values], count: int, rng: random.Random) -> Iterator[Values]:
    """Points of the domain with other digits than the plain ones."""
    made = 0
    for _ in range(20 * count if points else 0):
        point = {name: value * rng.uniform(0.5, 2.0) for name, value in rng.choice(points).items()}
        if inside(kernel, point):
            yield point
            made += 1
        if made == count:
            return


def size_of(point: Mapping[str, float]) -> tuple[float, ...]:
    """Points with whole numbers before others, and small ones before large ones."""
    odd = sum(not float(value).is_integer() for value in point.values())
    long = sum(len(repr(float(value))) for value in point.values())
    return odd, long, sum(abs(math.log10(abs(value) or 0.5)) for value in point.values())


def _smaller(function: Function, kernel: Specification, first: Departure, tolerance: float | None) -> Departure:
    """A smaller point at which the function departs too, one argument changed at a time."""
    best, tries = first, 0
    improved = True
    while improved:
        improved = False
        now = dict(zip(kernel.arguments, best.reference.point, strict=True))
        for name, value in now.items():
            for other in dict.fromkeys((0.0, 1.0, -1.0, 2.0, 0.5, float(round(value)), float(f"{value:.1g}"))):
                point = {**now, name: other}
                if tries >= SMALLER_TRIES or size_of(point) >= size_of(now) or not inside(kernel, point):
                    continue
                tries += 1
                row = reference(kernel, tuple(point.values()))
                departure = _at(function, kernel, row, tolerance)[0] if row else None
                if departure is not None:
                    best, improved = departure, True
                    break
            if improved:
                break
    return best


# --- one point --------------------------------------------------------------------------------------------------------


def _at(
    function: Function, kernel: Specification, place: Reference, tolerance: float | None
) -> tuple[Departure | None, bool]:
    """How the function departs at a point, if it does; and whether it did not answer at all."""
    outcome = function.at(place.point)
    where = f"at {_shown(kernel, place)}"
    first = f"{next(iter(kernel.returns))} is {_plainly(place.texts[0][0]) if len(place.texts[0]) == 1 else 'an array'}"
    if "stopped" in outcome:
        return Departure(place, f"{where} it {outcome['stopped']}, where {first}", math.inf), True
    if "raised" in outcome:
        return Departure(place, f"{where} it raises {outcome['raised']}, where {first}", math.inf), False
    if "shape" in outcome:
        raise CodeError(
            f"{function.word} returns {outcome['shape']} {where}: let it return numbers for {', '.join(kernel.returns)}"
        )
    return _compared(kernel, place, rows_of(function.word, kernel, place, outcome["found"]), tolerance, where), False


def _compared(
    kernel: Specification, place: Reference, rows: Rows, tolerance: float | None, where: str
) -> Departure | None:
    """The return that is farthest off, if any is farther off than it may be."""
    worst: Departure | None = None
    for name, texts, allowed, found in zip(kernel.returns, place.texts, place.allowed, rows, strict=True):
        for text, value in zip(texts, found, strict=True):
            exact = Fraction(text)
            most = max(Fraction(allowed), Fraction(tolerance or 0) * abs(exact))
            if math.isfinite(value) and abs(Fraction(value) - exact) <= most:
                continue
            off = abs(Fraction(value) - exact) if math.isfinite(value) else None
            share = math.inf if off is None else _ratio(off, abs(exact))
            if worst is None or share > worst.share:
                by = "" if off is None else f", off by {float(off):.2g} where {float(most):.2g} is allowed"
                sentence = f"{where} it gives {name} = {value!r}, and the value is {_plainly(text)}{by}"
                worst = Departure(place, sentence, share)
    return worst


def _plainly(text: str) -> str:
    """As many digits as a float needs."""
    with localcontext() as context:
        context.prec = 17
        return str(+Decimal(text))


def _ratio(off: Fraction, size: Fraction) -> float:
    try:
        return float(off / size)
    except (OverflowError, ZeroDivisionError):
        return math.inf


def rows_of(word: str, kernel: Specification, place: Reference, returned: Any) -> Rows:
    """The entries of every return, in order; refused where the function returns other shapes."""
    names = list(kernel.returns)
    if isinstance(returned, dict):
        if missing := [name for name in names if name not in returned]:
            raise CodeError(
                f"{word} returns {', '.join(returned)} without {missing[0]}: let it return {', '.join(names)}"
            )
        returned = [returned[name] for name in names]
    elif len(names) == 1 and (isinstance(returned, str) or len(place.texts[0]) > 1 or len(returned) != 1):
        returned = [returned]
    rows = [list(_leaves(part)) for part in returned] if isinstance(returned, list) else [[float.fromhex(returned)]]
    if [len(row) for row in rows] != [len(texts) for texts in place.texts]:
        shown = ", ".join(str(len(row)) for row in rows)
        wanted = ", ".join(f"{name} of {len(texts)}" for name, texts in zip(names, place.texts, strict=True))
        raise CodeError(
            f"{word} returns {counted(len(rows), 'result', 'results')} of {shown} numbers at {_shown(kernel, place)}: "
            f"let it return {wanted}"
        )
    return rows


def _leaves(value: Any) -> Iterator[float]:
    if isinstance(value, list):
        for part in value:
            yield from _leaves(part)
    else:
        yield float.fromhex(value)


def _shown(kernel: Specification, place: Reference) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in zip(kernel.arguments, place.point, strict=True))
