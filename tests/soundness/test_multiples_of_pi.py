"""Multiples of pi in one statement, of every denominator: what has a root in the table stands beside what has none."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from soundness.judged import judged

from derivations import prove

HAVE_ROOTS = (1, 2, 3, 4, 5, 6, 8, 10, 12)
"""Denominators of the multiples of pi whose cosines are known roots."""
x, y = sp.symbols("x y", real=True)


def wave(head: Any, turn: Fraction, *more: Any) -> Any:
    return head(sp.Add(*more, sp.Rational(turn.numerator, turn.denominator) * sp.pi, evaluate=False), evaluate=False)


@pytest.mark.parametrize("seed", range(12))
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


def test_one_is_not_zero_beside_a_multiple_without_a_root() -> None:
    third, whole, seventh = (wave(sp.cos, turn) for turn in (Fraction(1, 3), Fraction(1), Fraction(1, 7)))
    one = sp.Rational(2, 3) * (third - whole)
    assert judged(prove.identity(one + x * seventh, 0, [sp.Eq(x**3, x)])) in ("refuted", "open")
    assert judged(prove.identity(one, 1)) == "proved"


def test_multiples_with_and_without_roots_stand_beside_each_other() -> None:
    known, unknown = sp.pi / 4, sp.pi / 7
    root = sp.Eq(x * (x**2 - 2), 0)
    assert judged(prove.identity(x * sp.sin(y + known), x * sp.sin(y + unknown), [root])) == "open"
    opened = sp.sin(y) * sp.cos(unknown) + sp.cos(y) * sp.sin(unknown)
    both = sp.sin(y + unknown) + sp.sin(y + known), opened + (sp.sin(y) + sp.cos(y)) / sp.sqrt(2)
    assert judged(prove.identity(*both)) == "proved"
