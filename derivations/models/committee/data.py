"""Random committees with random data in exact numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import isqrt

from derivations.language.sums.instances import Instance as Arrays
from derivations.models.committee.instances import ACTIVATIONS, Rng, entries, entry, free, numbers, sphere
from derivations.models.committee.instances import RANGES as OF_BATCHES
from derivations.models.sampling import as_fraction, turned

RANGES = {name: ["D" if r == "B" else r for r in ranges] for name, ranges in OF_BATCHES.items()}
RANGES |= {"noise": ["E"], "chance": ["D"], "noise_chance": ["E"]}

# --- drawing ----------------------------------------------------------------------------------------------------------

Points = tuple[list[list[Fraction]], list[Fraction]]


def chances(rng: Rng, count: int) -> list[Fraction]:
    parts = [rng.randint(1, 4) for _ in range(count)]
    return [Fraction(part, sum(parts)) for part in parts]


def any_inputs(rng: Rng, width: int) -> Points:
    count = rng.randint(1, 3)
    return free(rng, count, width), chances(rng, count)


def on_sphere(rng: Rng, width: int) -> Points:
    count = rng.randint(1, 3)
    return sphere(rng, count, width), chances(rng, count)


def white_inputs(rng: Rng, width: int) -> Points:
    """Orthogonal rows, near ones more often than far ones: <x x'> = I, and lengths differ."""
    near = Fraction(1, rng.randint(1, 3))
    matrix = turned(rng, width)
    rows = [[as_fraction(matrix[d, a]) * isqrt(width) for a in range(width)] for d in range(width)]
    if near == 1:
        return rows, [Fraction(1, width)] * width
    often = 1 / (1 + near**2)
    scaled = [[[scale * v for v in row] for row in rows] for scale in (near, 1 / near)]
    return [*scaled[0], *scaled[1]], [often / width] * width + [(1 - often) / width] * width


def normal_noise(rng: Rng) -> tuple[list[Fraction], list[Fraction]]:
    """Two values of mean 0 and variance 1."""
    value = Fraction(rng.randint(1, 3), rng.randint(1, 2))
    often = 1 / (1 + value**2)
    return [value, -1 / value], [often, 1 - often]


def any_noise(rng: Rng) -> tuple[list[Fraction], list[Fraction]]:
    return [entry(rng) for _ in range(2)], chances(rng, 2)


def drawn(
    inputs: Callable[[Rng, int], Points],
    noise: Callable[[Rng], tuple[list[Fraction], list[Fraction]]] = normal_noise,
    activation: str = "cubic",
) -> Callable[[Rng], Arrays]:
    """Draws networks with one or two units and samples, on data of these kinds."""

    def draw(rng: Rng) -> Arrays:
        K, M, N, B = rng.randint(1, 2), rng.randint(1, 2), rng.choice((1, 4)), rng.randint(1, 2)
        rows, input_chances = inputs(rng, N)
        noises, noise_chances = noise(rng)
        given = numbers(
            free(rng, K, N),
            free(rng, M, N),
            rows,
            ACTIVATIONS[activation],
            noise=noises,
            chance=input_chances,
            noise_chance=noise_chances,
            eta=Fraction(rng.randint(1, 4), rng.randint(1, 3)),
            sigma=Fraction(rng.randint(0, 3), rng.randint(1, 2)),
            per_sample=Fraction(1, B),
        )
        sizes = {"K": K, "M": M, "N": N, "B": B, "D": len(rows), "E": len(noises)}
        return Arrays(sizes, {name: entries(given[name]) for name in RANGES}, RANGES)

    return draw
