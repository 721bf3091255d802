"""Identities of functions by rules: families that hold are proved and rechecked, near misses are refuted."""

from __future__ import annotations

import random
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from flint import arb, fmpq
from recheck.corrupt import taken

from derivations import prove
from derivations.audit.ledger import plain
from derivations.recheck import check
from derivations.recheck.core import balls
from derivations.recheck.core.table.named.statements import cosine, sine
from derivations.recheck.core.theorems import Reading

FAMILIES = Cases(__file__, globals())

x, y = sp.symbols("x y", real=True)
sin, cos, tan, pi, R = sp.sin, sp.cos, sp.tan, sp.pi, sp.Rational


LIES = drawn(60)  # of each proof, that are tried


def as_typed(function: Any, argument: Any) -> Any:
    return function(argument, evaluate=False)


HOLD = FAMILIES["hold"]
FAIL = FAMILIES["fail"]


@each("name", [*HOLD])
def test_what_holds_is_proved_and_accepted(name: str) -> None:
    certificate = prove.identity(*HOLD[name])
    assert certificate.verdict.value == "proved", certificate.reason
    check(certificate.as_json())


@each("name", [*FAIL])
def test_a_near_miss_is_refuted(name: str) -> None:
    certificate = prove.identity(*FAIL[name])
    assert certificate.verdict.value == "refuted"
    check(certificate.as_json())


@each("seed", range(200))
def test_known_cosines_and_sines_are_those_of_their_turns(seed: int) -> None:
    rng = random.Random(seed)
    turn = fmpq(rng.randint(-60, 60), rng.choice((1, 2, 3, 4, 5, 6, 8, 10, 12, 7, 9)))
    for named, function in ((cosine, arb.cos), (sine, arb.sin)):
        try:
            value = named(Reading({}, {}, {}), ("q", str(turn)))
        except KeyError:
            assert turn.q in (5, 7, 8, 9, 10)  # of some, only the one or the other is in the table
            continue
        found = balls.enclosure(value, {}, 200)
        assert found.overlaps(function(arb.pi() * arb(turn)))
        assert found.rad() < arb("1e-50")


def random_wave(rng: random.Random) -> Any:
    """A product of sines and cosines of sums of multiples."""
    arguments = [
        rng.choice((1, 2, 3, R(1, 2))) * x + rng.choice((0, 1, -1)) * y + rng.choice((0, pi / 3, pi / 4)) for _ in "ab"
    ]
    return sp.Mul(*(as_typed(rng.choice((sin, cos)), argument) for argument in arguments))


@each("seed", range(12), one_of=3)
def test_products_of_waves_are_sums_and_false_sums_are_refuted(seed: int) -> None:
    product = random_wave(random.Random(seed))
    first, second = product.args if product.is_Mul else (product.base, product.base)
    u, v = first.args[0], second.args[0]
    halves = {
        (sin, sin): cos(u - v) - cos(u + v),
        (cos, cos): cos(u - v) + cos(u + v),
        (sin, cos): sin(u + v) + sin(u - v),
        (cos, sin): sin(u + v) - sin(u - v),
    }[(first.func, second.func)]
    proof = prove.identity(2 * product, halves)
    assert proof.verdict.value == "proved", proof.reason
    check(proof.as_json())
    assert prove.identity(2 * product, halves + sin(u) / 7).verdict.value == "refuted"


@pytest.mark.drawn
@each("name", [*HOLD])
def test_no_changed_proof_is_accepted(name: str) -> None:
    assert taken(plain(prove.identity(*HOLD[name])), random.Random(name), LIES) == []
