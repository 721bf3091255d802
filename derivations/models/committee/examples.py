"""Networks on few inputs in exact numbers: they satisfy hypotheses on the data, and false statements fail on them.

The values and slopes in the arrays are those at the fields, for a polynomial or a line as the activation; a network
`in_the_model` has erf(x/sqrt 2), with expressions for entries.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import prod
from typing import Any

import sympy as sp

from derivations.language.sums import Sums
from derivations.language.terms import as_expression
from derivations.models.committee.instances import ACTIVATIONS, numbers

Vector = Sequence[int | Fraction]
Network = dict[str, Any]
STUDENTS = ((1, 2, -1, 3), (2, -1, 1, 1))
TEACHERS = ((3, 1, 2, 1), (1, -2, 1, -1), (2, 3, -3, 2))
INPUTS = ((1, -1, 2, 1), (2, 1, -1, -3), (-1, 3, 1, 2))
CORNERS = ((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1))
"""Inputs with |x|^2 = 4 and the second moments of x ~ N(0, I)."""
SPHERE: tuple[Vector, ...] = ((1, 1, 1, 1), (Fraction(8, 5), Fraction(-6, 5), 0, 0))
"""Inputs with |x|^2 = 4."""
NORMAL = {-2: "1/12", -1: "1/6", 0: "1/2", 1: "1/6", 2: "1/12"}
"""Values of one input and their chances, with the moments of x ~ N(0, 1) up to the fourth."""
CURVED, STRAIGHT, RAMP = (ACTIVATIONS[name] for name in ("cubic", "linear", "relu"))


def batch(inputs: Sequence[Vector] = INPUTS, noise: Sequence[str] = ("2", "-1/2", "3")) -> Network:
    """A batch of these samples."""
    return _network(inputs, CURVED, "B", len(inputs), {"noise": list(noise)})


def data(
    inputs: Sequence[Vector] = INPUTS,
    samples: int = 2,
    activation: Any = CURVED,
    noise: Sequence[str] = ("2", "-1/2"),
    chances: Sequence[str] = (),
    **more: Any,
) -> Network:
    """Equally likely inputs and a noise of mean 0 and variance 1, unless others are given, and batches of samples."""
    drawn = {
        "noise": list(noise),
        "noise_chance": ["1/5", "4/5"],
        "chance": list(chances) or [f"1/{len(inputs)}"] * len(inputs),
    }
    return _network(inputs, activation, "D", samples, drawn | more, E=2)


def centred(samples: int = 2, activation: Any = CURVED) -> Network:
    """Inputs of unequal chances and lengths, with the means and second moments of x ~ N(0, I)."""
    near, far = (tuple(tuple(scale * at for at in v) for v in CORNERS) for scale in (Fraction(-1, 2), Fraction(2)))
    return data((*near, *far), samples, activation, chances=["1/5"] * len(near) + ["1/20"] * len(far))


def two_shells() -> Network:
    """The 24 shortest vectors of the lattice D4, once and twice as long: the moments of x ~ N(0, I) up to the fifth."""
    signs = [[(v, first), (w, second)] for v, w in combinations(range(4), 2) for first in (1, -1) for second in (1, -1)]
    shell = [tuple(dict(pair).get(place, 0) for place in range(4)) for pair in signs]
    inputs = [*shell, *(tuple(2 * at for at in vector) for vector in shell)]
    return _network(inputs, CURVED, "D", 2, {"chance": ["1/36"] * len(shell) + ["1/72"] * len(shell)})


def independent(count: int, samples: int = 2, **more: Any) -> Network:
    """Inputs of independent entries with the moments of x ~ N(0, 1) up to the fourth."""
    inputs = list(product(NORMAL, repeat=count))
    chances = [str(prod(Fraction(NORMAL[at]) for at in place)) for place in inputs]
    sizes = {"D": len(inputs), "N": count, "B": samples}
    shares = {"per_input": str(Fraction(1, count)), "per_sample": f"1/{samples}"}
    return {"sizes": sizes, "arrays": {"chance": chances, "x": _text(inputs), **shares, **more}}


def squares(inputs: Mapping[int, str], noises: Callable[[int], Sequence[int]]) -> Network:
    """Two students and two teachers with g(x) = x^2 on one input, each of whose values comes with its noises."""
    samples = [(at, Fraction(share) / 2, noise) for at, share in inputs.items() for noise in noises(at)]
    drawn, chances, noise = zip(*samples, strict=True)
    student, teacher = ([[w * at for at in drawn] for w in weights] for weights in ((1, -2), (2, 3)))
    arrays = {"x": [[at] for at in drawn], "chance": chances, "noise": noise, "W": [[2], [-4]], "W_teacher": [[4], [6]]}
    for name, fields in (("student", student), ("teacher", teacher)):
        arrays[f"g_{name}"] = [[field**2 for field in row] for row in fields]
        arrays["slope" if fields is student else "slope_teacher"] = [[2 * field for field in row] for row in fields]
    shares = {"sigma": 5, "root_per_input": Fraction(1, 2), "per_input": Fraction(1, 4)}
    arrays["curvature"] = [[2] * len(drawn)] * 2
    sizes = {"B": len(drawn), "K": 2, "M": 2, "N": 1}
    return {"sizes": sizes, "arrays": {name: _text(rows) for name, rows in (arrays | shares).items()}}


def in_the_model(*inputs: Any) -> tuple[dict[str, int], Network]:
    """Samples of one input, a student 1/2 and a teacher 1, erf(x/sqrt 2), eta = 1: the sizes of ranges, and arrays."""
    student, field = sp.Rational(1, 2), sp.Symbol("field", real=True)
    value = sp.erf(field / sp.sqrt(2))
    network = {
        "x": [[at] for at in inputs],
        "W": [[student]],
        "W_teacher": [[1]],
        "noise": [0] * len(inputs),
        "g_student": [[value.subs(field, student * at) for at in inputs]],
        "g_teacher": [[value.subs(field, at) for at in inputs]],
        "slope": [[sp.diff(value, field).subs(field, student * at) for at in inputs]],
        "per_sample": sp.Rational(1, len(inputs)),
        **dict.fromkeys(("eta", "per_input", "root_per_input"), 1),
        "sigma": 0,
    }
    return {"B": len(inputs), "N": 1, "K": 1, "M": 1}, network


def evaluated(sums: Sums, sizes: Mapping[str, int], arrays: Network) -> Any:
    """Sums over a network whose free indices are those of its first unit."""
    value: Any = 0
    for (bound, factors), c in sums.terms.items():
        for places in product(*(range(sizes[of]) for of in bound)):
            entries = (
                _entry(arrays[str(head)], [places[k] if isinstance(k, int) else 0 for k in at]) for head, *at in factors
            )
            value += sp.Rational(c.numerator, c.denominator) * prod(map(as_expression, entries))
    return value


def _entry(held: Any, at: Sequence[int]) -> Any:
    for k in at:
        held = held[k]
    return held


def _network(
    inputs: Sequence[Vector],
    activation: tuple[Callable[[Fraction], Fraction], Callable[[Fraction], Fraction]],
    of: str,
    samples: int,
    more: Network,
    **sizes: int,
) -> Network:
    given = {"eta": 3, "sigma": 5, "per_sample": Fraction(1, samples)}
    arrays = {name: _text(rows) for name, rows in numbers(STUDENTS, TEACHERS, inputs, activation, **given).items()}
    counted = {"K": len(STUDENTS), "M": len(TEACHERS), "N": 4, "B": samples, of: len(inputs)}
    return {"sizes": counted | sizes, "arrays": arrays | more}


def _text(rows: Any) -> Any:
    return [_text(row) for row in rows] if isinstance(rows, list | tuple) else str(rows)
