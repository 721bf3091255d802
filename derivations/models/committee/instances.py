"""Random committees in exact numbers, and how they move, from the definition alone."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

from derivations.language.sums.instances import Instance as Arrays
from derivations.models.sampling import Instance, Kind, ModelError, Sampler, as_fraction, turned
from derivations.models.sampling import fraction as rational

Rng = random.Random
Rows = Sequence[Sequence[Any]]
Scalar = Callable[[Fraction], Fraction]
Entries = dict[tuple[int, ...], Fraction]

RANGES = {
    "W": ["K", "N"], "W_teacher": ["M", "N"], "x": ["B", "N"], "noise": ["B"],
    "g_student": ["K", "B"], "slope": ["K", "B"], "g_teacher": ["M", "B"],
    "eta": [], "sigma": [], "per_sample": [], "per_input": [], "root_per_input": [],
}  # fmt: skip

ACTIVATIONS: dict[str, tuple[Scalar, Scalar]] = {
    "linear": (lambda z: z, lambda _: Fraction(1)),
    "relu": (lambda z: max(z, Fraction(0)), lambda z: Fraction(z > 0)),
    "cubic": (lambda z: z - z**3 / 10, lambda z: 1 - 3 * z**2 / 10),
}
"""Activations that are exact at fractions, each with its slope; relu has the slope 0 at 0."""

# --- from the definition ----------------------------------------------------------------------------------------------


def loss_at(at: Instance) -> Fraction:
    """The loss of an instance: half the mean square of what the teacher's noisy output is above the student's.

    >>> loss_at(instance("learned", seed=0))
    Fraction(0, 1)
    """
    return _loss_of(at, at["g_student"])


def _loss_of(at: Instance, g_student: Entries) -> Fraction:
    students, teachers, samples = (range(at.sizes[r]) for r in "KMB")
    sigma, noise, taught = at["sigma"][()], at["noise"], at["g_teacher"]
    errors = (
        sum(taught[m, s] for m in teachers) + sigma * noise[s,] - sum(g_student[k, s] for k in students)
        for s in samples
    )
    return sum((error**2 for error in errors), Fraction(0)) / (2 * len(samples))


def rates(at: Instance) -> Entries:
    """Minus the derivatives of the loss by the weights of the students, exactly: what an update adds, over eta.

    Returns a fraction for every (student, input). The loss is of second degree in each value of the activation, so that
    differences of the loss are its derivatives by these; the chain rule with the slopes does the rest.

    >>> at = instance("linear", seed=2)
    >>> moved = stepped(at)
    >>> moved["W"][0, 0] - at["W"][0, 0] == at["eta"][()] * rates(at)[0, 0]
    True
    """
    students, inputs, samples = (range(at.sizes[r]) for r in "KNB")
    values, slope, x, root = at["g_student"], at["slope"], at["x"], at["root_per_input"][()]

    def by_value(place: tuple[int, int]) -> Fraction:
        above, below = (_loss_of(at, values | {place: values[place] + move}) for move in (1, -1))
        return (above - below) / 2

    by_values = {(k, s): by_value((k, s)) for k in students for s in samples}
    return {
        (k, a): -sum((by_values[k, s] * slope[k, s] * root * x[s, a] for s in samples), Fraction(0))
        for k in students
        for a in inputs
    }


def stepped(at: Instance) -> Instance:
    """The instance with the weights of the students after one update; fields and values stay those of before."""
    eta = at["eta"][()]
    return at.changed({"W": {place: at["W"][place] + eta * rate for place, rate in rates(at).items()}})


def reduced(at: Instance) -> dict[str, Entries]:
    """The overlaps, each by two indices: Q of students, R of students with teachers, T of teachers.

    >>> overlaps = reduced(instance("learned", seed=0))
    >>> overlaps["Q"] == overlaps["R"] == overlaps["T"]
    True
    """
    pairs = {"Q": ("W", "W"), "R": ("W", "W_teacher"), "T": ("W_teacher", "W_teacher")}
    return {name: _overlaps(at, *pair) for name, pair in pairs.items()}


def _overlaps(at: Instance, left: str, right: str) -> Entries:
    counts = [range(at.sizes[RANGES[name][0]]) for name in (left, right)]
    inputs = at.sizes["N"]
    return {
        (p, q): sum((at[left][p, a] * at[right][q, a] for a in range(inputs)), Fraction(0)) / inputs
        for p in counts[0]
        for q in counts[1]
    }


# --- instances of given networks --------------------------------------------------------------------------------------


def numbers(
    students: Rows, teachers: Rows, inputs: Rows, activation: tuple[Scalar, Scalar], **more: Any
) -> dict[str, Any]:
    """The arrays of a network, as rows: weights, inputs, and the values and slopes of the activation at all fields.

    Rows hold integers or fractions; the number of inputs must be a square, as fields are divided by its root. `more`
    adds arrays, or replaces them.

    >>> numbers([[1, 1, 0, 2]], [[0, 2, 0, 0]], [[1, 1, 1, 1]], ACTIVATIONS["linear"])["g_student"]
    [[Fraction(2, 1)]]
    """
    width = len(inputs[0])
    if isqrt(width) ** 2 != width:
        raise ModelError(f"{width} inputs have no rational square root: give 1, 4 or 9 inputs")
    g, slope = activation
    arrays = {
        "W": students,
        "W_teacher": teachers,
        "x": inputs,
        "g_student": _at_fields(g, students, inputs),
        "slope": _at_fields(slope, students, inputs),
        "g_teacher": _at_fields(g, teachers, inputs),
        "per_input": Fraction(1, width),
        "root_per_input": Fraction(1, isqrt(width)),
    }
    return arrays | more


def _at_fields(of: Scalar, weights: Rows, inputs: Rows) -> list[list[Fraction]]:
    root = isqrt(len(inputs[0]))
    return [[of(Fraction(sum(w * v for w, v in zip(row, at, strict=True))) / root) for at in inputs] for row in weights]


# --- drawing ----------------------------------------------------------------------------------------------------------


def free(rng: Rng, rows: int, cols: int) -> list[list[Fraction]]:
    return [[entry(rng) for _ in range(cols)] for _ in range(rows)]


def entry(rng: Rng) -> Fraction:
    return as_fraction(rational(rng))


def any_sizes(rng: Rng) -> dict[str, int]:
    return {"K": rng.randint(1, 3), "M": rng.randint(1, 3), "N": rng.choice((1, 4, 4, 9)), "B": rng.randint(1, 3)}


def few_teachers(rng: Rng) -> dict[str, int]:
    students = rng.randint(2, 4)
    return any_sizes(rng) | {"K": students, "M": rng.randint(1, students - 1)}


def many_teachers(rng: Rng) -> dict[str, int]:
    teachers = rng.randint(2, 4)
    return any_sizes(rng) | {"M": teachers, "K": rng.randint(1, teachers - 1)}


def size_one(rng: Rng) -> dict[str, int]:
    sizes = any_sizes(rng)
    return sizes | dict.fromkeys(rng.sample(sorted(sizes), rng.randint(1, 4)), 1)


def sphere(rng: Rng, samples: int, width: int) -> list[list[Fraction]]:
    """Inputs with |x|^2 = N: rows of orthogonal matrices, times sqrt(N)."""
    rows = []
    for _ in range(samples):
        matrix = turned(rng, width)
        rows.append([as_fraction(matrix[0, a]) * isqrt(width) for a in range(width)])
    return rows


def drawn(
    activation: str | None = None,
    sizes_of: Callable[[Rng], dict[str, int]] = any_sizes,
    inputs: Callable[[Rng, int, int], list[list[Fraction]]] = free,
    change: Callable[[Rng, dict[str, Any]], None] = lambda *_: None,
) -> Callable[[Rng], Arrays]:
    """Draws networks with an activation; without one, its values and slopes are any numbers."""

    def draw(rng: Rng) -> Arrays:
        sizes = sizes_of(rng)
        K, M, N, B = (sizes[r] for r in "KMNB")
        given: dict[str, Any] = {
            "students": free(rng, K, N),
            "teachers": free(rng, M, N),
            "inputs": inputs(rng, B, N),
            "noise": [entry(rng) for _ in range(B)],
            "eta": Fraction(rng.randint(1, 4), rng.randint(1, 3)),
            "sigma": Fraction(rng.randint(0, 3), rng.randint(1, 2)),
            "per_sample": Fraction(1, B),
        }
        change(rng, given)
        sizes |= {"K": len(given["students"]), "M": len(given["teachers"])}
        rows = numbers(activation=ACTIVATIONS[activation or "linear"], **given)
        if activation is None:
            rows |= {name: free(rng, *(sizes[r] for r in RANGES[name])) for name in VALUES}
        return Arrays(sizes, {name: entries(rows[name]) for name in RANGES}, RANGES)

    return draw


VALUES = ("g_student", "slope", "g_teacher")


def entries(rows: Any, at: tuple[int, ...] = ()) -> Entries:
    """Nested rows as numbers by their indices."""
    if not isinstance(rows, list):
        return {at: Fraction(rows)}
    return {place: v for k, row in enumerate(rows) for place, v in entries(row, (*at, k)).items()}


def learned(_: Rng, given: dict[str, Any]) -> None:
    given["students"], given["sigma"] = [list(row) for row in given["teachers"]], Fraction(0)


def all_alike(_: Rng, given: dict[str, Any]) -> None:
    given["students"] = [list(given["students"][0]) for _ in given["students"]]


# --- what is true of instances ----------------------------------------------------------------------------------------


def valid(at: Instance) -> bool:
    """Return whether every array has an entry for each of its indices, and the reciprocals are those of the sizes."""
    n = at.sizes
    complete = all(len(at[name]) == _count(n, ranges) for name, ranges in RANGES.items())
    root = at["root_per_input"][()]
    return complete and at["per_sample"][()] * n["B"] == at["per_input"][()] * n["N"] == 1 == root**2 * n["N"]


def _count(sizes: Mapping[str, int], ranges: Sequence[str]) -> int:
    found = 1
    for name in ranges:
        found *= sizes[name]
    return found


def has_activation(name: str) -> Callable[[Instance], bool]:
    """Return whether all values and slopes are those of an activation at the fields."""
    g, slope = ACTIVATIONS[name]

    def holds(at: Instance) -> bool:
        for of, array, weights in ((g, "g_student", "W"), (slope, "slope", "W"), (g, "g_teacher", "W_teacher")):
            for (unit, s), value in at[array].items():
                field = sum((at[weights][unit, a] * at["x"][s, a] for a in range(at.sizes["N"])), Fraction(0))
                if value != of(field * at["root_per_input"][()]):
                    return False
        return True

    return holds


def cubic(and_also: Callable[[Instance], bool]) -> Callable[[Instance], bool]:
    return lambda at: has_activation("cubic")(at) and and_also(at)


def is_on_sphere(at: Instance) -> bool:
    samples, inputs = range(at.sizes["B"]), range(at.sizes["N"])
    return all(sum(at["x"][s, a] ** 2 for a in inputs) == len(inputs) for s in samples)


def has_learned(at: Instance) -> bool:
    return bool(at["W"] == at["W_teacher"] and at["sigma"][()] == 0)


KINDS: Mapping[str, Kind] = {
    "free": Kind("values and slopes of the activation are any numbers", drawn(), lambda _: True),
    "linear": Kind("g(x) = x", drawn("linear"), has_activation("linear")),
    "relu": Kind("g(x) = max(x, 0)", drawn("relu"), has_activation("relu")),
    "cubic": Kind("g(x) = x - x^3/10", drawn("cubic"), has_activation("cubic")),
    "sphere": Kind("g(x) = x - x^3/10; |x|^2 = N for every input", drawn("cubic", inputs=sphere), cubic(is_on_sphere)),
    "learned": Kind(
        "g(x) = x - x^3/10; the students are the teachers, and there is no noise",
        drawn("cubic", change=learned),
        cubic(has_learned),
    ),
    "symmetric": Kind(
        "g(x) = x - x^3/10; all students have the same weights",
        drawn("cubic", change=all_alike),
        cubic(lambda at: all(at["W"][k, a] == at["W"][0, a] for k, a in at["W"])),
    ),
    "overrealizable": Kind(
        "g(x) = x - x^3/10; more students than teachers",
        drawn("cubic", few_teachers),
        cubic(lambda at: at.sizes["K"] > at.sizes["M"]),
    ),
    "unrealizable": Kind(
        "g(x) = x - x^3/10; fewer students than teachers",
        drawn("cubic", many_teachers),
        cubic(lambda at: at.sizes["K"] < at.sizes["M"]),
    ),
    "size_one": Kind(
        "g(x) = x - x^3/10; at least one of the numbers of students, teachers, inputs and samples is one",
        drawn("cubic", size_one),
        cubic(lambda at: 1 in at.sizes.values()),
    ),
}
"""The kinds of instances, and what is true of each."""

SAMPLER = Sampler("committee", KINDS, valid)
instance, holds = SAMPLER.instance, SAMPLER.holds
