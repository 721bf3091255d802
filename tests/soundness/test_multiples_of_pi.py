"""Multiples of pi in one statement, of every denominator: what has a root in the table stands beside what has none."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import sympy as sp
from case_files import Cases
from each import each
from soundness.judged import judged

from derivations import prove

FAMILIES = Cases(__file__, globals())

HAVE_ROOTS = (1, 2, 3, 4, 5, 6, 8, 10, 12)
"""Denominators of the multiples of pi whose cosines are known roots."""
x, y = sp.symbols("x y", real=True)


def wave(head: Any, turn: Fraction, *more: Any) -> Any:
    return head(sp.Add(*more, sp.Rational(turn.numerator, turn.denominator) * sp.pi, evaluate=False), evaluate=False)


@each("seed", range(12))
def test_opened_products_are_sums_and_false_sums_are_not(seed: int) -> None:
    """2 sin(u) cos(v) = sin(u + v) + sin(u - v), for multiples of pi of which one has no root."""
    rng = random.Random(seed)
    n = rng.choice([k for k in range(1, 61) if k not in HAVE_ROOTS])
    unknown = Fraction(rng.choice([k for k in range(1, 10) if Fraction(k, n).denominator == n]), n)
    known = Fraction(rng.randint(-30, 30), rng.choice((1, 2, 3, 4, 6, 12)))
    product = 2 * wave(sp.sin, unknown, x) * wave(sp.cos, known)
    total = wave(sp.sin, unknown + known, x) + wave(sp.sin, unknown - known, x)
    assert judged(prove.identity(product, total)) in ("proved", "open")
    assert judged(prove.identity(product, total + wave(sp.cos, unknown, x) / 9)) in ("refuted", "open")


test_statements_have_their_verdicts = FAMILIES.verdicts()
