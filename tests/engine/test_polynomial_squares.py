"""Inequalities in several variables: sums of squares are found without hints, and near misses are never proved."""

from __future__ import annotations

import copy
import json
import random
from typing import Any

import numpy as np
import pytest
import sympy as sp
from drawn import drawn
from each import each
from engine.reference import accepted

from derivations.prove import Verdict, inequality
from derivations.prove.sign.semidefinite import most_positive
from derivations.recheck import Rejected, check

x, y, z, a, b, c = LETTERS = sp.symbols("x y z a b c", real=True)
p, q, r, w = sp.symbols("p q r w", positive=True)
SEEDS = range(drawn(24))
MOTZKIN = x**4 * y**2 + x**2 * y**4 + 1 - 3 * x**2 * y**2
CIRCLE = sp.Eq(a**2 + b**2, 1)
ROBINSON = (
    x**6 + y**6 + z**6 + 3 * x**2 * y**2 * z**2
    - (x**4 * y**2 + x**2 * y**4 + x**4 * z**2 + x**2 * z**4 + y**4 * z**2 + y**2 * z**4)
)  # fmt: skip


def strict(left: Any, right: Any = 0) -> Any:
    return sp.StrictGreaterThan(left, right, evaluate=False)


def weak(left: Any, right: Any = 0) -> Any:
    return sp.GreaterThan(left, right, evaluate=False)


FAMILIES: dict[str, tuple[Any, list[Any]]] = {
    "Motzkin": (weak(MOTZKIN), []),
    "Motzkin's form": (weak(x**4 * y**2 + x**2 * y**4 + z**6 - 3 * x**2 * y**2 * z**2), []),
    "Robinson": (weak(ROBINSON), []),
    "Choi and Lam": (weak(x**4 * y**2 + y**4 * z**2 + z**4 * x**2 - 3 * x**2 * y**2 * z**2), []),
    "Choi and Lam, four": (weak(1 + x**2 * y**2 + y**2 * z**2 + z**2 * x**2 - 4 * x * y * z), []),
    "means of three": (weak((p + q + r) ** 3, 27 * p * q * r), []),
    "means of four": (weak(p**4 + q**4 + r**4 + w**4, 4 * p * q * r * w), []),
    "Schur": (weak(p * (p - q) * (p - r) + q * (q - p) * (q - r) + r * (r - p) * (r - q)), []),
    "Schur of degree 4": (weak(p**2 * (p - q) * (p - r) + q**2 * (q - p) * (q - r) + r**2 * (r - p) * (r - q)), []),
    "Nesbitt": (weak(p / (q + r) + q / (p + r) + r / (p + q), sp.Rational(3, 2)), []),
    "Cauchy and Schwarz": (weak((x**2 + y**2 + z**2) * (a**2 + b**2 + c**2), (x * a + y * b + z * c) ** 2), []),
    "lengths on a circle": (weak(x**2 + y**2, (a * x + b * y) ** 2), [CIRCLE]),
    "powers on a circle": (weak(a**6 + b**6, sp.Rational(1, 4)), [CIRCLE]),
    "a bound near the top of a circle": (strict(sp.Rational(142, 100), a + b), [CIRCLE]),
    "a disc": (weak(sp.Rational(3, 2), x + y), [x**2 + y**2 <= 1]),
    "a simplex": (weak(sp.Rational(1, 27), p * q * r), [sp.Eq(p + q + r, 1)]),
    "sides of a triangle": (
        weak(p * q * r, (p + q - r) * (q + r - p) * (r + p - q)),
        [p + q > r, q + r > p, r + p > q],
    ),
    "a hyperbola": (weak(p + q, 2), [sp.Eq(p * q, 1)]),
    "a hyperbola, both branches": (weak(x**2 + y**2, 2), [sp.Eq(x * y, 1)]),
    "three with product one": (weak(p + q + r, 3), [sp.Eq(p * q * r, 1)]),
    "three times an angle": (weak(1, 3 * a - 4 * a**3), [CIRCLE]),
    "a positive matrix": (weak(a * x**2 + 2 * b * x * y + c * y**2), [a > 0, a * c >= b**2]),
    "a determinant": (strict(a * c - b**2 + a + c), [a > 0, a * c > b**2, c > 0]),
    "strict, in three": (strict(x**4 + y**4 + z**4 - 4 * x * y * z + x**2 + y**2 + z**2 + 1, x * y / 2), []),
    "strict, not attained": (strict((1 - x * y) ** 2 + x**2), []),
    "a box": (strict(x**2 * y**2 - x * y + sp.Rational(3, 10) + x**3 / 10), [x > 0, x < 1, y > 0, y < 1]),
}


@each("name", [*FAMILIES])
def test_well_known_inequalities_are_proved(name: str) -> None:
    assert accepted(inequality(*FAMILIES[name])).verdict is Verdict.PROVED


@each("name", [*FAMILIES])
def test_the_contrary_of_a_well_known_inequality_is_refuted(name: str) -> None:
    relation, assuming = FAMILIES[name]
    left, right = relation.args
    turned = weak(right, left) if isinstance(relation, sp.StrictGreaterThan) else strict(right, left)
    assert accepted(inequality(turned, assuming)).verdict is Verdict.REFUTED


def drawn_form(rng: random.Random, letters: Any, degree: int) -> Any:
    monomials = sorted(sp.itermonomials(letters, degree), key=str)
    return sum(rng.choice((0, 0, 1, -1, 2, -3)) * m for m in monomials) + rng.choice(letters)


@each("seed", SEEDS)
def test_sums_of_squares_are_proved_and_near_misses_are_not(seed: int) -> None:
    rng = random.Random(seed)
    letters = LETTERS[: rng.choice((2, 2, 3, 4))]
    forms = [drawn_form(rng, letters, 2 if len(letters) < 4 else 1) for _ in range(rng.randint(1, 5))]
    total = sp.expand(sum(rng.randint(1, 5) * form**2 for form in forms))
    assert accepted(inequality(weak(total))).verdict is Verdict.PROVED
    assert accepted(inequality(strict(total + sp.Rational(1, 7)))).verdict is Verdict.PROVED
    point = {letter: sp.Rational(rng.randint(-3, 3), rng.randint(1, 2)) for letter in letters}
    missed = sp.expand(total - total.subs(point) - sp.Rational(1, 10 ** rng.randint(1, 6)))
    assert accepted(inequality(weak(missed))).verdict is not Verdict.PROVED


@each("seed", SEEDS)
def test_products_of_hypotheses_and_squares_are_proved_under_the_hypotheses_alone(seed: int) -> None:
    rng = random.Random(seed)
    first, second = (rng.choice((x, y, x + y, x - 2 * y)) + rng.randint(0, 2) for _ in range(2))
    squares = [drawn_form(rng, (x, y), 1) ** 2 for _ in range(2)]
    total = sp.expand(squares[0] * first + squares[1] * second + first * second)
    hypotheses = [weak(first), weak(second)]
    assert accepted(inequality(weak(total), hypotheses)).verdict is Verdict.PROVED
    assert accepted(inequality(weak(total, sp.Rational(1, 10**6)), hypotheses)).verdict is not Verdict.PROVED or all(
        sp.expand(total - sp.Rational(1, 10**6)).subs({x: u, y: v}) >= 0
        for u in range(-4, 5)
        for v in range(-4, 5)
        if all(h.subs({x: u, y: v}) for h in hypotheses)
    )


@each("name", ["Motzkin", "Motzkin's form", "Robinson", "Choi and Lam", "Schur", "a simplex"], one_of=3)
def test_what_vanishes_somewhere_is_refuted_strictly_and_with_less(name: str) -> None:
    relation, assuming = FAMILIES[name]
    left, right = relation.args
    assert accepted(inequality(strict(left, right), assuming)).verdict is not Verdict.PROVED
    for small in (sp.Rational(1, 1000), sp.Rational(1, 10**9)):
        assert accepted(inequality(weak(left, right + small), assuming)).verdict is not Verdict.PROVED


def test_a_multiplier_that_vanishes_counts_only_where_the_inequality_holds_there() -> None:
    certificate = json.loads(json.dumps(accepted(inequality(weak(ROBINSON))).as_json()))
    assert certificate["payload"]["times"]
    for change in ({"relation": ">"}, {"left": ["+", certificate["statement"]["left"], ["q", "-1"]]}):
        broken = copy.deepcopy(certificate)
        broken["statement"] |= change
        with pytest.raises(Rejected):
            check(broken)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("size", [1e150, 1e200, 1e300])
def test_equations_beyond_the_range_of_floats_have_no_proposal(size: float) -> None:
    equations = np.array([[[size, 0], [0, 1]], [[0, size], [size, 0]]])
    assert most_positive([equations], np.array([1, size])) is None
