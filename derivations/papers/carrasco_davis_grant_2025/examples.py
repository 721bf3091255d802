"""Networks on few inputs in exact numbers: they satisfy hypotheses on the data, and false statements fail on them.

Their activation is a polynomial or a line, and the values and slopes in the arrays are those at the fields.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

Vector = Sequence[int | Fraction]
Scalar = Callable[[Fraction], Fraction]

STUDENTS: Sequence[Vector] = ((1, 2, -1, 3), (2, -1, 1, 1))
TEACHERS: Sequence[Vector] = ((3, 1, 2, 1), (1, -2, 1, -1), (2, 3, -3, 2))
INPUTS: Sequence[Vector] = ((1, -1, 2, 1), (2, 1, -1, -3), (-1, 3, 1, 2))
CORNERS: Sequence[Vector] = ((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1))
"""Inputs with |x|^2 = 4 and the second moments of x ~ N(0, I)."""
SPHERE: Sequence[Vector] = ((1, 1, 1, 1), (Fraction(8, 5), Fraction(-6, 5), 0, 0))
"""Inputs with |x|^2 = 4."""

CURVED: tuple[Scalar, Scalar] = (lambda z: z - z**3 / 10, lambda z: 1 - 3 * z**2 / 10)
"""An activation, and its slope."""
STRAIGHT: tuple[Scalar, Scalar] = (lambda z: z, lambda _: Fraction(1))


def batch(inputs: Sequence[Vector] = INPUTS, noise: Sequence[str] = ("2", "-1/2", "3")) -> Any:
    """A batch of these samples."""
    return _network(inputs, CURVED, "B", len(inputs), {"noise": list(noise)})


def data(
    inputs: Sequence[Vector] = INPUTS,
    samples: int = 2,
    activation: tuple[Scalar, Scalar] = CURVED,
    noise: Sequence[str] = ("2", "-1/2"),
    chances: Sequence[str] = (),
    **more: Any,
) -> Any:
    """Equally likely inputs and a noise of mean 0 and variance 1, unless others are given, and batches of so many samples."""
    drawn = {
        "noise": list(noise),
        "noise_chance": ["1/5", "4/5"],
        "chance": list(chances) or [f"1/{len(inputs)}"] * len(inputs),
    }
    return _network(inputs, activation, "D", samples, drawn | more, E=2)


def centred(samples: int = 2, activation: tuple[Scalar, Scalar] = CURVED) -> Any:
    """Inputs of unequal chances and lengths, with the means and second moments of x ~ N(0, I)."""
    near, far = (tuple(tuple(scale * at for at in v) for v in CORNERS) for scale in (Fraction(-1, 2), Fraction(2)))
    return data((*near, *far), samples, activation, chances=["1/5"] * len(near) + ["1/20"] * len(far))


def signed() -> Any:
    """Four fields with unequal signs, on inputs with |x|^2 = 4."""
    made = data(SPHERE, samples=3, chances=("1/3", "2/3"))
    fields = (*STUDENTS, *TEACHERS[:2])
    g, slope = CURVED
    at_fields = {"g": _at_fields(g, fields, SPHERE), "slope": _at_fields(slope, fields, SPHERE)}
    more = {"weights": _text(fields), "sign": ["-2", "1/3", "3/2", "5"]}
    return {"sizes": made["sizes"] | {"F": len(fields)}, "arrays": made["arrays"] | at_fields | more}


def two_shells() -> Any:
    """The 24 shortest vectors of the lattice D4, once and twice as long: the moments of x ~ N(0, I) up to the fifth."""
    signs = [[(v, first), (w, second)] for v, w in combinations(range(4), 2) for first in (1, -1) for second in (1, -1)]
    shell = [tuple(dict(pair).get(place, 0) for place in range(4)) for pair in signs]
    inputs = [*shell, *(tuple(2 * at for at in vector) for vector in shell)]
    likely = ["1/36"] * len(shell) + ["1/72"] * len(shell)
    return _network(inputs, CURVED, "D", 2, {"chance": likely})


def _network(
    inputs: Sequence[Vector], activation: tuple[Scalar, Scalar], of: str, samples: int, more: Any, **sizes: int
) -> Any:
    g, slope = activation
    arrays = {
        "W": _text(STUDENTS),
        "W_teacher": _text(TEACHERS),
        "x": _text(inputs),
        "g_student": _at_fields(g, STUDENTS, inputs),
        "slope": _at_fields(slope, STUDENTS, inputs),
        "g_teacher": _at_fields(g, TEACHERS, inputs),
        "eta": "3",
        "sigma": "5",
        "per_sample": str(Fraction(1, samples)),
        "per_input": "1/4",
        "root_per_input": "1/2",
    }
    counted = {"K": len(STUDENTS), "M": len(TEACHERS), "N": 4, "B": samples, of: len(inputs)}
    return {"sizes": counted | sizes, "arrays": arrays | more}


def _at_fields(of: Scalar, weights: Sequence[Vector], inputs: Sequence[Vector]) -> list[list[str]]:
    fields = [[Fraction(sum(w * v for w, v in zip(row, at, strict=True)), 2) for at in inputs] for row in weights]
    return [[str(of(field)) for field in row] for row in fields]


def _text(rows: Sequence[Vector]) -> list[list[str]]:
    return [[str(entry) for entry in row] for row in rows]
