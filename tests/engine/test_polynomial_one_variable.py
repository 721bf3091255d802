"""Inequalities in one variable are always decided: by construction their truth is known, at every root and between."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
import sympy as sp
from drawn import drawn
from engine.reference import accepted

from derivations.prove import Unsatisfiable, Verdict, inequality

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", positive=True)
SEEDS = range(drawn(40))


def strict(left: Any, right: Any = 0) -> Any:
    return sp.StrictGreaterThan(left, right, evaluate=False)


def weak(left: Any, right: Any = 0) -> Any:
    return sp.GreaterThan(left, right, evaluate=False)


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


@pytest.mark.parametrize("seed", SEEDS)
def test_a_polynomial_with_known_roots_is_decided_on_an_interval(seed: int) -> None:
    rng = random.Random(seed)
    poly, roots = polynomial(rng)
    low = sp.Rational(rng.randint(-12, 8), rng.randint(1, 3))
    high = low + sp.Rational(rng.randint(1, 9), rng.randint(1, 3))
    values = [poly.subs(x, place) for place in places(roots, low, high)]
    for relation, true in ((weak, min(values) >= 0), (strict, min(values) > 0)):
        certificate = accepted(inequality(relation(poly, sp.S.Zero), [x > low, x < high]))
        assert certificate.verdict is (Verdict.PROVED if true else Verdict.REFUTED)


@pytest.mark.parametrize("seed", SEEDS)
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


@pytest.mark.parametrize(
    ("relation", "assuming", "verdict"),
    [
        (strict(x, 1), [x**3 > 2], "proved"),
        (strict(x, sp.Rational(5, 4)), [x**3 > 2], "proved"),
        (strict(x, sp.Rational(63, 50)), [x**3 > 2], "refuted"),
        (strict(1 / x), [x > 0], "proved"),
        (weak(1 / x), [], "refuted"),
        (strict(x / (1 + x), 0), [x > 0], "proved"),
        (weak(1 / (1 + x), 1 - x), [x > -1], "proved"),
        (strict((x**2 - 2) ** 2), [sp.Ne(x**2, 2)], "proved"),
        (strict((x**2 - 2) ** 2), [], "open"),
        (strict(x**2, 2), [weak(x**2, 2)], "open"),
        (strict(x + 2), [sp.Eq(x**2, 2)], "open"),  # no rational point shows that it speaks of anything
        (strict(x), [sp.Eq(x**2, 4), sp.Ne(x, -2)], "proved"),
        (strict(x**3, 2), [y > 3, x > 2], "proved"),
        (strict(x**3, 9), [y > 3, x > 2], "refuted"),
        (strict(p**3 - 2 * p + 2), [], "proved"),
        (strict(x - x / x, -1), [], "refuted"),
        (strict(x**2 * (1 / x) ** 2), [], "proved"),
    ],
    ids=str,
)
def test_hypotheses_and_denominators_say_where_an_inequality_holds(relation: Any, assuming: Any, verdict: str) -> None:
    assert accepted(inequality(relation, assuming)).verdict.value == verdict


@pytest.mark.parametrize("bound", [sp.pi / 2, sp.sqrt(2) + sp.Rational(1, 10), sp.exp(sp.Rational(9, 20))], ids=str)
def test_a_point_that_refutes_satisfies_the_hypotheses_that_are_no_polynomials(bound: Any) -> None:
    assert accepted(inequality(weak((x - 1) * (x - 2)), [x > bound])).verdict is not Verdict.PROVED
    assert accepted(inequality(strict((x - sp.Rational(3, 2)) ** 2), [x > bound])).verdict is not Verdict.REFUTED


def test_what_fails_at_irrational_points_alone_says_so() -> None:
    reason = inequality(strict((x**2 - 2) ** 2)).reason
    assert "fails at irrational points alone" in reason
    assert "1.41421" in reason


@pytest.mark.parametrize("assuming", [[x**2 < 2, x > 2], [sp.Eq(x**2, -1)]])
def test_hypotheses_that_nothing_satisfies_prove_nothing(assuming: Any) -> None:
    with pytest.raises(Unsatisfiable):
        inequality(strict(x**3, 5), assuming)
