"""Random committees with random data in exact numbers, and how their overlaps move on average, by definition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import isqrt, prod

from derivations.language.sums.instances import Instance as Arrays
from derivations.models.committee.instances import (
    ACTIVATIONS,
    Entries,
    Rng,
    entries,
    entry,
    free,
    numbers,
    reduced,
    sphere,
    stepped,
)
from derivations.models.committee.instances import RANGES as OF_BATCHES
from derivations.models.sampling import Instance, Kind, Sampler, as_fraction, turned

RANGES = {name: ["D" if r == "B" else r for r in ranges] for name, ranges in OF_BATCHES.items()}
RANGES |= {"noise": ["E"], "chance": ["D"], "noise_chance": ["E"]}

# --- from the definition ----------------------------------------------------------------------------------------------


def mean_change(at: Instance) -> dict[str, Entries]:
    """How much one update changes the overlaps Q and R on average, exactly: every batch is drawn, with its chance.

    Returns fractions by two indices for each name.

    >>> at = instance("centred", seed=0)
    >>> sorted(mean_change(at))
    ['Q', 'R']
    """
    points = list(product(range(at.sizes["D"]), range(at.sizes["E"])))
    before = reduced(at)
    total = {name: dict.fromkeys(before[name], Fraction(0)) for name in ("Q", "R")}
    for batch in product(points, repeat=at.sizes["B"]):
        chance = prod((at["chance"][d,] * at["noise_chance"][e,] for d, e in batch), start=Fraction(1))
        after = reduced(stepped(batch_of(at, batch)))
        for name, overlaps in total.items():
            for place in overlaps:
                overlaps[place] += chance * (after[name][place] - before[name][place])
    return total


def batch_of(at: Instance, points: tuple[tuple[int, int], ...]) -> Instance:
    """The instance of a committee with these inputs and noises as its batch."""
    arrays = {name: at[name] for name in OF_BATCHES}
    for name in ("g_student", "slope", "g_teacher"):
        units = range(at.sizes[OF_BATCHES[name][0]])
        arrays[name] = {(k, s): at[name][k, d] for k in units for s, (d, _) in enumerate(points)}
    inputs = range(at.sizes["N"])
    arrays["x"] = {(s, place): at["x"][d, place] for s, (d, _) in enumerate(points) for place in inputs}
    arrays["noise"] = {(s,): at["noise"][e,] for s, (_, e) in enumerate(points)}
    return replace(at, values=Arrays(at.sizes, arrays, OF_BATCHES))


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


# --- what is true of instances ----------------------------------------------------------------------------------------


def valid(at: Instance) -> bool:
    """Return whether chances are positive and add up to one, and reciprocals are those of the sizes."""
    n = at.sizes
    fair = all(min(at[name].values()) > 0 and sum(at[name].values()) == 1 for name in ("chance", "noise_chance"))
    root = at["root_per_input"][()]
    return fair and at["per_sample"][()] * n["B"] == at["per_input"][()] * n["N"] == 1 == root**2 * n["N"]


def is_normal(at: Instance) -> bool:
    """Return whether the noise has mean 0 and variance 1."""
    moments = [sum(at["noise_chance"][e] * value**power for e, value in at["noise"].items()) for power in (1, 2)]
    return moments == [0, 1]


def is_white(at: Instance) -> bool:
    inputs, points = range(at.sizes["N"]), range(at.sizes["D"])
    return all(
        sum(at["chance"][d,] * at["x"][d, a] * at["x"][d, b] for d in points) == (a == b)
        for a, b in product(inputs, inputs)
    )


def is_on_sphere(at: Instance) -> bool:
    inputs, points = range(at.sizes["N"]), range(at.sizes["D"])
    return all(sum(at["x"][d, a] ** 2 for a in inputs) == len(inputs) for d in points)


KINDS: Mapping[str, Kind] = {
    "generic": Kind("g(x) = x - x^3/10; any inputs, any noise", drawn(any_inputs, any_noise), lambda _: True),
    "centred": Kind("g(x) = x - x^3/10; any inputs; noise of mean 0 and variance 1", drawn(any_inputs), is_normal),
    "white": Kind(
        "g(x) = x - x^3/10; <x x'> = I; noise of mean 0 and variance 1",
        drawn(white_inputs),
        lambda at: is_white(at) and is_normal(at),
    ),
    "sphere": Kind(
        "g(x) = x - x^3/10; |x|^2 = N; noise of mean 0 and variance 1",
        drawn(on_sphere),
        lambda at: is_on_sphere(at) and is_normal(at),
    ),
    "linear": Kind(
        "g(x) = x; <x x'> = I; noise of mean 0 and variance 1",
        drawn(white_inputs, activation="linear"),
        lambda at: is_white(at) and is_normal(at) and set(at["slope"].values()) == {1},
    ),
    "relu": Kind(
        "g(x) = max(x, 0); any inputs; noise of mean 0 and variance 1",
        drawn(any_inputs, activation="relu"),
        lambda at: is_normal(at) and set(at["slope"].values()) <= {0, 1},
    ),
}
"""The kinds of instances, and what is true of each."""

SAMPLER = Sampler("committee.population", KINDS, valid)
instance, holds = SAMPLER.instance, SAMPLER.holds
