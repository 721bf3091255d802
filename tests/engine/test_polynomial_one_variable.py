"""Inequalities in one variable are always decided: by construction their truth is known, at every root and between."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from engine.reference import accepted, strict, weak

from derivations.prove import Verdict, inequality

FAMILIES = Cases(__file__, globals())

x = sp.symbols("x", real=True)
SEEDS = range(drawn(40))


def polynomial(rng: random.Random) -> tuple[Any, list[Any]]:
    """A polynomial with known rational roots, times quadratics without any."""
    roots = sorted({sp.Rational(rng.randint(-9, 9), rng.randint(1, 4)) for _ in range(rng.randint(0, 4))})
    product = sp.Integer(rng.choice((1, 2, -1)))
    for root in roots:
        product *= (x - root) ** rng.randint(1, 3)
    for _ in range(rng.randint(0, 2)):
        middle, height = sp.Rational(rng.randint(-5, 5), 3), sp.Rational(rng.randint(1, 30), 30)
        product *= (x - middle) ** 2 + height
    return sp.expand(product), roots


def places(roots: list[Any], low: Any, high: Any) -> list[Any]:
    """All roots between two ends, and a number between each two of them."""
    inside = [low, *(root for root in roots if low < root < high), high]
    return [*inside[1:-1], *((a + b) / 2 for a, b in pairwise(inside))]


@each("seed", SEEDS)
def test_a_polynomial_with_known_roots_is_decided_on_an_interval(seed: int) -> None:
    rng = random.Random(seed)
    poly, roots = polynomial(rng)
    low = sp.Rational(rng.randint(-12, 8), rng.randint(1, 3))
    high = low + sp.Rational(rng.randint(1, 9), rng.randint(1, 3))
    values = [poly.subs(x, place) for place in places(roots, low, high)]
    for relation, true in ((weak, min(values) >= 0), (strict, min(values) > 0)):
        certificate = accepted(inequality(relation(poly, sp.S.Zero), [x > low, x < high]))
        assert certificate.verdict is (Verdict.PROVED if true else Verdict.REFUTED)


@each("seed", SEEDS, one_of=3)
def test_a_square_with_irrational_roots_is_proved_weakly_and_not_with_something_taken_off(
    seed: int,
) -> None:
    rng = random.Random(seed)
    inside = x**3 - rng.randint(1, 5) * x - sp.Rational(rng.randint(1, 9), 7) + rng.randint(0, 2) * x**2
    square = sp.expand(inside**2) * (x**2 + 1)
    assert accepted(inequality(weak(square))).verdict is Verdict.PROVED
    assert accepted(inequality(strict(square))).verdict is not Verdict.PROVED
    small = sp.Rational(1, 10 ** rng.randint(1, 30))
    assert accepted(inequality(weak(square, small))).verdict is Verdict.REFUTED
    assert accepted(inequality(strict(square + small, sp.S.Zero))).verdict is Verdict.PROVED


@each(("relation", "assuming", "verdict"), FAMILIES["hypotheses and denominators say where an inequality holds"])
def test_hypotheses_and_denominators_say_where_an_inequality_holds(relation: Any, assuming: Any, verdict: str) -> None:
    assert accepted(inequality(relation, assuming)).verdict.value == verdict


@each("bound", FAMILIES["a point that refutes satisfies the hypotheses that are no polynomials"])
def test_a_point_that_refutes_satisfies_the_hypotheses_that_are_no_polynomials(bound: Any) -> None:
    assert accepted(inequality(weak((x - 1) * (x - 2)), [x > bound])).verdict is not Verdict.PROVED
    assert accepted(inequality(strict((x - sp.Rational(3, 2)) ** 2), [x > bound])).verdict is not Verdict.REFUTED


test_statements_have_their_verdicts = FAMILIES.verdicts()
