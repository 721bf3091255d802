"""Networks on few inputs in exact numbers: they satisfy hypotheses on the data, and false statements fail on them.

Their activation is a polynomial or a line, and the values and slopes in the arrays are those at the fields.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from derivations.models.committee import ACTIVATIONS, numbers

Vector = Sequence[int | Fraction]

STUDENTS: Sequence[Vector] = ((1, 2, -1, 3), (2, -1, 1, 1))
TEACHERS: Sequence[Vector] = ((3, 1, 2, 1), (1, -2, 1, -1), (2, 3, -3, 2))
INPUTS: Sequence[Vector] = ((1, -1, 2, 1), (2, 1, -1, -3), (-1, 3, 1, 2))
CORNERS: Sequence[Vector] = ((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1))
"""Inputs with |x|^2 = 4 and the second moments of x ~ N(0, I)."""
SPHERE: Sequence[Vector] = ((1, 1, 1, 1), (Fraction(8, 5), Fraction(-6, 5), 0, 0))
"""Inputs with |x|^2 = 4."""

CURVED, STRAIGHT, RAMP = (ACTIVATIONS[name] for name in ("cubic", "linear", "relu"))


def batch(inputs: Sequence[Vector] = INPUTS, noise: Sequence[str] = ("2", "-1/2", "3")) -> Any:
    """A batch of these samples."""
    return _network(inputs, CURVED, "B", len(inputs), {"noise": list(noise)})


def data(
    inputs: Sequence[Vector] = INPUTS,
    samples: int = 2,
    activation: Any = CURVED,
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


def centred(samples: int = 2, activation: Any = CURVED) -> Any:
    """Inputs of unequal chances and lengths, with the means and second moments of x ~ N(0, I)."""
    near, far = (tuple(tuple(scale * at for at in v) for v in CORNERS) for scale in (Fraction(-1, 2), Fraction(2)))
    return data((*near, *far), samples, activation, chances=["1/5"] * len(near) + ["1/20"] * len(far))


def signed() -> Any:
    """Four fields with unequal signs, on inputs with |x|^2 = 4."""
    made = data(SPHERE, samples=3, chances=("1/3", "2/3"))
    fields = (*STUDENTS, *TEACHERS[:2])
    rows = numbers(fields, TEACHERS, SPHERE, CURVED)
    at_fields = {"g": _text(rows["g_student"]), "slope": _text(rows["slope"])}
    more = {"weights": _text(fields), "sign": ["-2", "1/3", "3/2", "5"]}
    return {"sizes": made["sizes"] | {"F": len(fields)}, "arrays": made["arrays"] | at_fields | more}


def two_shells() -> Any:
    """The 24 shortest vectors of the lattice D4, once and twice as long: the moments of x ~ N(0, I) up to the fifth."""
    signs = [[(v, first), (w, second)] for v, w in combinations(range(4), 2) for first in (1, -1) for second in (1, -1)]
    shell = [tuple(dict(pair).get(place, 0) for place in range(4)) for pair in signs]
    inputs = [*shell, *(tuple(2 * at for at in vector) for vector in shell)]
    likely = ["1/36"] * len(shell) + ["1/72"] * len(shell)
    return _network(inputs, CURVED, "D", 2, {"chance": likely})


def _network(inputs: Sequence[Vector], activation: Any, of: str, samples: int, more: Any, **sizes: int) -> Any:
    given = {"eta": 3, "sigma": 5, "per_sample": Fraction(1, samples)}
    arrays = {name: _text(rows) for name, rows in numbers(STUDENTS, TEACHERS, inputs, activation, **given).items()}
    counted = {"K": len(STUDENTS), "M": len(TEACHERS), "N": 4, "B": samples, of: len(inputs)}
    return {"sizes": counted | sizes, "arrays": arrays | more}


def _text(rows: Any) -> Any:
    return [_text(row) for row in rows] if isinstance(rows, (list, tuple)) else str(rows)
