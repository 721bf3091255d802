"""Random committees in exact numbers."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction
from math import isqrt
from typing import Any

from derivations.language.sums.instances import Instance as Arrays
from derivations.models.sampling import Instance, ModelError, as_fraction, turned
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
