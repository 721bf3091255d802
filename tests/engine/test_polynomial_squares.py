"""Inequalities in several variables: sums of squares are found without hints, and near misses are never proved."""

from __future__ import annotations

import copy
import random
from typing import Any

import numpy as np
import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from engine.reference import accepted, strict, weak

from derivations.audit.ledger import plain
from derivations.prove import Verdict, inequality
from derivations.prove.sign.semidefinite import most_positive
from derivations.recheck import Rejected, check

FAMILIES = Cases(__file__, globals())

x, y, z, a, b, c = LETTERS = sp.symbols("x y z a b c", real=True)
p, q, r, w = sp.symbols("p q r w", positive=True)
SEEDS = range(drawn(24))
MOTZKIN = x**4 * y**2 + x**2 * y**4 + 1 - 3 * x**2 * y**2
CIRCLE = sp.Eq(a**2 + b**2, 1)
ROBINSON = (
    x**6 + y**6 + z**6 + 3 * x**2 * y**2 * z**2
    - (x**4 * y**2 + x**2 * y**4 + x**4 * z**2 + x**2 * z**4 + y**4 * z**2 + y**2 * z**4)
)  # fmt: skip


KNOWN: dict[str, tuple[Any, list[Any]]] = FAMILIES["well known"]


@each("name", [*KNOWN])
def test_well_known_inequalities_are_proved(name: str) -> None:
    assert accepted(inequality(*KNOWN[name])).verdict is Verdict.PROVED


@each("name", [*KNOWN])
def test_the_contrary_of_a_well_known_inequality_is_refuted(name: str) -> None:
    relation, assuming = KNOWN[name]
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
    relation, assuming = KNOWN[name]
    left, right = relation.args
    assert accepted(inequality(strict(left, right), assuming)).verdict is not Verdict.PROVED
    for small in (sp.Rational(1, 1000), sp.Rational(1, 10**9)):
        assert accepted(inequality(weak(left, right + small), assuming)).verdict is not Verdict.PROVED


def test_a_multiplier_that_vanishes_counts_only_where_the_inequality_holds_there() -> None:
    certificate = plain(accepted(inequality(weak(ROBINSON))))
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
