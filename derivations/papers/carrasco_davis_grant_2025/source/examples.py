"""Networks on few inputs in exact numbers: they satisfy hypotheses on the data, and false statements fail on them.

The values and slopes in the arrays are those at the fields, for a polynomial or a line as the activation; a network
`in_the_model` has erf(x/sqrt 2), with expressions for entries.
"""

from derivations.papers.carrasco_davis_grant_2025.setup import *
from collections.abc import Sequence
from itertools import combinations, product
from math import prod

Vector = Sequence[int | Fraction]
STUDENTS = ((1, 2, -1, 3), (2, -1, 1, 1))
TEACHERS = ((3, 1, 2, 1), (1, -2, 1, -1), (2, 3, -3, 2))
INPUTS = ((1, -1, 2, 1), (2, 1, -1, -3), (-1, 3, 1, 2))
# Inputs with |x|^2 = 4 and the second moments of x ~ N(0, I).
CORNERS = ((1, 1, 1, 1), (1, -1, 1, -1), (1, 1, -1, -1), (1, -1, -1, 1))
SPHERE = ((1, 1, 1, 1), (Fraction(8, 5), Fraction(-6, 5), 0, 0))  # inputs with |x|^2 = 4
CURVED, STRAIGHT, RAMP = (ACTIVATIONS[name] for name in ("cubic", "linear", "relu"))

def batch(inputs=INPUTS, noise=("2", "-1/2", "3")):
    """A batch of these samples."""
    return _network(inputs, CURVED, "B", len(inputs), {"noise": list(noise)})

def data(inputs=INPUTS, samples=2, activation=CURVED, noise=("2", "-1/2"), chances=(), **more):
    """Equally likely inputs and a noise of mean 0 and variance 1, unless others are given, and batches of samples."""
    drawn = {"noise": list(noise),
        "noise_chance": ["1/5", "4/5"],
        "chance": list(chances) or [f"1/{len(inputs)}"] * len(inputs)}
    return _network(inputs, activation, "D", samples, drawn | more, E=2)

def centred(samples=2, activation=CURVED):
    """Inputs of unequal chances and lengths, with the means and second moments of x ~ N(0, I)."""
    near, far = (tuple(tuple(scale * at for at in v) for v in CORNERS) for scale in (Fraction(-1, 2), Fraction(2)))
    return data((*near, *far), samples, activation, chances=["1/5"] * len(near) + ["1/20"] * len(far))

def two_shells():
    """The 24 shortest vectors of the lattice D4, once and twice as long: the moments of x ~ N(0, I) up to the fifth."""
    signs = [[(v, first), (w, second)] for v, w in combinations(range(4), 2) for first in (1, -1) for second in (1, -1)]
    shell = [tuple(dict(pair).get(place, 0) for place in range(4)) for pair in signs]
    inputs = [*shell, *(tuple(2 * at for at in vector) for vector in shell)]
    return _network(inputs, CURVED, "D", 2, {"chance": ["1/36"] * len(shell) + ["1/72"] * len(shell)})

def in_the_model(inputs, students, teachers):
    """A batch without noise for erf(x/sqrt 2) and eta = 1: the sizes of ranges, and arrays as nested lists."""
    x, weights, teacher = ([[v if isinstance(v, sp.Basic) else Rational(Fraction(v)) for v in row] for row in rows]
        for rows in (inputs, students, teachers))
    per_input = Rational(1, len(x[0]))

    def at_fields(rows, of):
        return [[of(sqrt(per_input) * sum(w * v for w, v in zip(row, at, strict=True))) for at in x] for row in rows]

    def value(field):
        return erf(field / sqrt(2))

    field = reals("field")
    slope = sp.diff(value(field), field)
    network = {"x": x, "W": weights, "W_teacher": teacher, "noise": [0] * len(x), "sigma": 0, "eta": 1,
        "g_student": at_fields(weights, value), "g_teacher": at_fields(teacher, value),
        "slope": at_fields(weights, lambda of: slope.subs(field, of)),
        "per_input": per_input, "root_per_input": sqrt(per_input), "per_sample": Rational(1, len(x))}
    return {"B": len(x), "N": len(x[0]), "K": len(weights), "M": len(teacher)}, network

def evaluated(sums, sizes, arrays):
    """Sums over a network whose free indices are those of its first unit."""
    value = 0
    for (bound, factors), c in sums.terms.items():
        for places in product(*(range(sizes[of]) for of in bound)):
            entries = (
                _entry(arrays[str(head)], [places[k] if isinstance(k, int) else 0 for k in at]) for head, *at in factors
            )
            value += Rational(c.numerator, c.denominator) * prod(map(as_expression, entries))
    return value

def _entry(held, at):
    for k in at:
        held = held[k]
    return held

def _network(inputs, activation, of, samples, more, **sizes):
    given = {"eta": 3, "sigma": 5, "per_sample": Fraction(1, samples)}
    arrays = {name: _text(rows) for name, rows in numbers(STUDENTS, TEACHERS, inputs, activation, **given).items()}
    counted = {"K": len(STUDENTS), "M": len(TEACHERS), "N": 4, "B": samples, of: len(inputs)}
    return {"sizes": counted | sizes, "arrays": arrays | more}

def _text(rows):
    return [_text(row) for row in rows] if isinstance(rows, (list, tuple)) else str(rows)
