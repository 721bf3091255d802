"""Multiples of pi in one statement, of every denominator: what is left to be shown has the values of the statement."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from flint import arb, fmpq
from soundness.judged import judged

from derivations import prove
from derivations.language.terms import MINUS_ONE
from derivations.prove.rules.functions.trigonometry import TRIGONOMETRY
from derivations.recheck.core import balls
from derivations.recheck.core.budget import budget
from derivations.recheck.kinds.rules.trigonometry import half_angles

BITS = 200
HAVE_ROOTS = (1, 2, 3, 4, 5, 6, 8, 10, 12)
"""Denominators of the multiples of pi whose cosines are known roots."""
Json = dict[str, Any]
Parts = Callable[[Json, Json], list[Json]]
x, y = sp.symbols("x y", real=True)


def checked(statement: Json, parameters: Json) -> list[Json]:
    with budget():
        return half_angles(statement, parameters)


def wave(head: str, turn: Fraction, *more: tuple[Any, ...]) -> tuple[Any, ...]:
    return (head, ("+", *more, ("*", ("q", str(turn)), ("pi",))))


@pytest.mark.parametrize("parts_of", [checked, TRIGONOMETRY.parts], ids=["checker", "prover"])
def test_parts_have_the_values_of_their_statement(parts_of: Parts) -> None:
    """At the letters of the angles x and pi/n, where n is the denominator that has no root."""
    rng, at_x = random.Random(7), fmpq(3, 7)
    for _ in range(300):
        n = rng.choice([k for k in range(1, 61) if k not in HAVE_ROOTS])
        unknown = Fraction(rng.choice([k for k in range(1, 10) if Fraction(k, n).denominator == n]), n)
        known = Fraction(rng.randint(-30, 30), rng.choice(HAVE_ROOTS))
        first, second = rng.choices(("sin", "cos"), k=2)
        left = ("+", wave(first, unknown), wave(second, known, ("s", "x")))
        right = ("*", MINUS_ONE, wave("cos", known), wave("cos", unknown, ("s", "x")))
        statement = {"kind": "identity", "symbols": {"x": ()}, "assuming": (), "left": left, "right": right}
        parts = parts_of(statement, {"letters": ("of_pi", "of_x")})
        assert len(parts) == 4
        letters = {"of_pi": (arb.pi() / (2 * n)).tan(), "of_x": (arb(at_x) / 2).tan()}
        for side in ("left", "right"):
            said = balls.enclosure(statement[side], {"x": at_x}, BITS)
            assert said.overlaps(balls.enclosure(parts[0][side], letters, BITS))


def test_one_is_not_zero_beside_a_multiple_without_a_root() -> None:
    third, whole, seventh = wave("cos", Fraction(1, 3)), wave("cos", Fraction(1)), wave("sin", Fraction(1, 7))
    one = ("*", ("q", "2/3"), ("+", third, ("*", MINUS_ONE, whole)))
    left = ("+", one, ("*", ("q", "0"), seventh))
    statement = {"kind": "identity", "symbols": {}, "assuming": (), "left": left, "right": ("q", "0")}
    for part in checked(statement, {"letters": ("t",)}):
        assert balls.enclosure(part["left"], {"t": fmpq(1, 5)}, BITS).overlaps(arb(1))


def test_multiples_with_and_without_roots_stand_beside_each_other() -> None:
    known, unknown = sp.pi / 4, sp.pi / 7
    root = sp.Eq(x * (x**2 - 2), 0)
    assert judged(prove.identity(x * sp.sin(y + known), x * sp.sin(y + unknown), [root])) == "open"
    opened = sp.sin(y) * sp.cos(unknown) + sp.cos(y) * sp.sin(unknown)
    both = sp.sin(y + unknown) + sp.sin(y + known), opened + (sp.sin(y) + sp.cos(y)) / sp.sqrt(2)
    assert judged(prove.identity(*both)) == "proved"
