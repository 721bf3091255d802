"""Pictures beside refuted claims: expressions of these and of their corrections, at numbers chosen to tell them apart."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

import sympy as sp

from derivations.language.sums import Sums
from derivations.language.terms import as_expression
from derivations.paper.model import Picture
from derivations.papers.carrasco_davis_grant_2025.section_3_averages.integrals import EQ_18, PLAIN, SCALED, C, a, b
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.batches import few
from derivations.papers.carrasco_davis_grant_2025.section_3_order_parameters.overlaps import (
    printed_linear_terms,
    printed_quadratic_term,
    quadratic_term,
)
from derivations.papers.carrasco_davis_grant_2025.sections_1_and_2.setup_statements import batch, noise, own_rate, rate
from derivations.papers.carrasco_davis_grant_2025.setup import paper

ALIKE = ((C[a, a], 1), (C[b, b], 1))

paper.picture(
    "printed_average_for_erf",
    Picture(
        "The average of two values of erf(x), by the covariance of the fields.",
        C[a, b],
        1,
        (("as printed", EQ_18.sides[0]), ("derived", PLAIN.values(C, a, b))),
        start=-1,
        held=ALIKE,
    ),
)
paper.picture(
    "slopes_for_erf_without_its_scale",
    Picture(
        "The average of two slopes of erf(x), by the covariance of the fields.",
        C[a, b],
        1,
        (("that of erf(x/√2)", SCALED.slopes(C, a, b)), ("derived", PLAIN.slopes(C, a, b))),
        start=-1,
        held=ALIKE,
    ),
)

# --- batches: one student and one teacher of length one at a right angle --------------------------------------------------

B, eta, variance, per_input = sp.symbols("B eta σ² 1/N", positive=True)
"""What the axes and captions call them."""


def step(of_batch: Any) -> Any:
    return own_rate(of_batch).subs({batch: B, rate: eta, noise: variance})


RIGHT_ANGLE = "dQ/dt for one student and one teacher of length one at a right angle"
NOISY = ((variance, Fraction(1, 4)),)
for name in ("student_overlap_rate_as_printed", "batch_does_not_matter"):
    claimed = "as printed" if name.endswith("printed") else "batches of one"
    curves = ((claimed, step(1)), ("derived", step(batch)))
    paper.picture(
        name, Picture(f"{RIGHT_ANGLE}, by the size of the batch.", B, 10, curves, start=1, held=((eta, 1), *NOISY))
    )
paper.picture(
    "quadratic_flow_as_printed",
    Picture(
        f"{RIGHT_ANGLE}, by the learning rate.",
        eta,
        2,
        (("as printed", step(1)), ("derived", step(batch))),
        held=((B, 5), *NOISY),
    ),
)

# --- line 5 of equation 14, for two samples of one input ----------------------------------------------------------------

other_input = sp.Symbol("x_2", real=True)
PULL = Fraction(1, 2)
"""By how much the student's weight 1/2 is short of the teacher's, 1; units are lines."""

TWO_SAMPLES: dict[str, Any] = {
    "x": [[1], [other_input]], "W": [[PULL]], "slope": [[1, 1]], "eta": 1, "sigma": 0, "noise": [0, 0],
    "g_student": [[PULL, PULL * other_input]], "g_teacher": [[1, other_input]],
    "per_input": 1, "per_sample": PULL, "root_per_input": 1,
}  # fmt: skip
SIZES = {"B": 2, "N": 1, "K": 1, "M": 1}


def evaluated(sums: Sums) -> Any:
    """A polynomial in sums over those samples; the free indices are those of the only unit."""
    value: Any = 0
    for (bound, factors), c in sums.terms.items():
        for places in product(*(range(SIZES[of]) for of in bound)):
            entries = (_entry(str(head), [places[k] if isinstance(k, int) else 0 for k in at]) for head, *at in factors)
            value += sp.Rational(c.numerator, c.denominator) * prod(map(as_expression, entries))
    return sp.expand(value)


def _entry(head: str, at: list[int]) -> Any:
    held = TWO_SAMPLES[head]
    for k in at:
        held = held[k]
    return held


paper.picture(
    "overlap_expanded_as_printed",
    Picture(
        "Q after an update on two samples of one input, by the second sample; the first one is 1.",
        other_input,
        2,
        (
            ("as printed", evaluated(printed_linear_terms + printed_quadratic_term)),
            ("derived", evaluated(printed_linear_terms + quadratic_term)),
        ),
        start=-2,
    ),
)
paper.picture(
    "squared_length_is_one",
    Picture(
        "The mean squared distance of |x|²/N from 1, by 1/N.",
        per_input,
        Fraction(1, 2),
        (("as claimed", sp.Integer(0)), ("derived", (2 * few).subs(few, per_input))),
    ),
)
