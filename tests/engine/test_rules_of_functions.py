"""Identities of functions by rules: families that hold are proved and rechecked, near misses are refuted."""

from __future__ import annotations

import random
from typing import Any

import pytest
import sympy as sp
from engine.changed_steps import changes
from flint import arb, fmpq

from derivations import prove
from derivations.recheck import Rejected, check
from derivations.recheck.core import balls
from derivations.recheck.core.table.named.statements import cosine, sine
from derivations.recheck.core.theorems import Reading

x, y = sp.symbols("x y", real=True)
p, q, s, a0 = sp.symbols("p q s a0", positive=True)
a, b = sp.symbols("a b", real=True)
sin, cos, tan, pi, R = sp.sin, sp.cos, sp.tan, sp.pi, sp.Rational


LIES = 25  # of each proof, that are tried


def as_typed(function: Any, argument: Any) -> Any:
    return function(argument, evaluate=False)


HOLD: dict[str, tuple[Any, ...]] = {
    "pythagoras": (sin(x) ** 2 + cos(x) ** 2, 1),
    "addition": (sin(x + y), sin(x) * cos(y) + cos(x) * sin(y)),
    "addition of tangents": (tan(x + y), (tan(x) + tan(y)) / (1 - tan(x) * tan(y))),
    "five times": (cos(5 * x), 16 * cos(x) ** 5 - 20 * cos(x) ** 3 + 5 * cos(x)),
    "half": (sin(x / 2) ** 2, (1 - cos(x)) / 2),
    "a quarter turn": (as_typed(sin, x + pi / 2), cos(x)),
    "with a frequency": (sin(a * x + b) ** 2, (1 - cos(2 * a * x + 2 * b)) / 2),
    "a twelfth": (as_typed(sin, pi / 12), (sp.sqrt(6) - sp.sqrt(2)) / 4),
    "of an arc": (as_typed(cos, sp.asin(x)), sp.sqrt(1 - x**2)),
    "twice an arc": (sin(2 * sp.atan(x)), 2 * x / (1 + x**2)),
    "an odd function": (as_typed(sp.erf, -x), -sp.erf(x)),
    "an odd function of a difference": (sp.erf(p * (s - a0)), -sp.erf(p * (a0 - s))),
    "arcs": (as_typed(sp.atan, 1) + as_typed(sp.atan, -sp.sqrt(3)), -pi / 12),
    "arc sine": (as_typed(sp.asin, sp.sqrt(2) / 2), pi / 4),
    "inverse of sinh": (as_typed(sp.asinh, sp.sinh(x)), x),
    "inverse of tanh": (as_typed(sp.atanh, sp.tanh(x)), x),
    "sinh of its inverse": (as_typed(sp.sinh, sp.asinh(x)), x),
    "Lambert's W": (as_typed(sp.LambertW, x) * as_typed(sp.exp, as_typed(sp.LambertW, x)), x),
    "slope of Lambert's W": (sp.Derivative(sp.LambertW(x), x), sp.LambertW(x) / (x * (1 + sp.LambertW(x)))),
    "nested roots": (sp.sqrt(3 + 2 * sp.sqrt(2)), 1 + sp.sqrt(2)),
    "nested roots, a difference": (sp.sqrt(5 - 2 * sp.sqrt(6)), sp.sqrt(3) - sp.sqrt(2)),
    "root of a square": (sp.sqrt(x**2 + 2 * x + 1), x + 1, [x > -1]),
    "logarithm of a ratio": (sp.log((s - a0) / (s - p)), sp.log(s - a0) - sp.log(s - p), [s > p, s > a0]),
    "logarithms where they have values": (sp.log(x**2 - 1), sp.log(x - 1) + sp.log(x + 1)),
    "logarithm of a power": (sp.log(p**a), a * sp.log(p)),
    "exponential of a logarithm": (sp.exp(a * sp.log(p)), p**a),
    "steps of digamma": (sp.digamma(x + 2), sp.digamma(x) + 1 / x + 1 / (x + 1)),
    "logarithm of a root": (as_typed(sp.log, sp.sqrt(p)), sp.log(p) / 2),
    "exponent in lowest terms": (sp.exp((x**2 - y**2) / (x - y)), sp.exp(x + y)),
    "exponent that is a number": (sp.exp((x - y) / (2 * x - 2 * y)), sp.exp(R(1, 2))),
    "logarithm in such an exponent": (
        sp.exp(-2 * (s - p) * sp.log((s - p - a0) / a0) / (2 * s - 2 * p)),
        a0 / (s - p - a0),
        [s > p, s - p > a0],
    ),
    "inverse of x exp(x)": (as_typed(sp.LambertW, p * sp.exp(p)), p),
    "softplus": (sp.log(1 + sp.exp(x)) - sp.log(1 + sp.exp(-x)), x),
}
FAIL: dict[str, tuple[Any, ...]] = {
    "pythagoras": (sin(x) ** 2 - cos(x) ** 2, 1),
    "addition": (sin(x + y), sin(x) * cos(y) - cos(x) * sin(y)),
    "a quarter turn": (as_typed(sin, x + pi / 2), -cos(x)),
    "of an arc": (as_typed(sin, as_typed(sp.acos, x)), x),
    "arc of a sine": (as_typed(sp.asin, sin(x)), x),
    "an odd function": (as_typed(sp.erf, -x), sp.erf(x)),
    "root of a square": (sp.sqrt(x**2 + 2 * x + 1), x + 1),
    "other branch": (as_typed(sp.LambertW, x * sp.exp(x)), x),
    "exponent in lowest terms": (sp.exp((x**2 - y**2) / (x - y)), sp.exp(x - y)),
    "logarithm of a product": (sp.log(x * y), sp.log(x) * sp.log(y), [x > 0, y > 0]),
}


@pytest.mark.parametrize("name", HOLD)
def test_what_holds_is_proved_and_accepted(name: str) -> None:
    certificate = prove.identity(*HOLD[name])
    assert certificate.verdict.value == "proved", certificate.reason
    check(certificate.as_json())


@pytest.mark.parametrize("name", FAIL)
def test_a_near_miss_is_refuted(name: str) -> None:
    certificate = prove.identity(*FAIL[name])
    assert certificate.verdict.value == "refuted"
    check(certificate.as_json())


@pytest.mark.parametrize("seed", range(200))
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


@pytest.mark.parametrize("seed", range(12))
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


@pytest.mark.parametrize("name", HOLD)
def test_no_changed_proof_is_accepted(name: str) -> None:
    proof = prove.identity(*HOLD[name]).as_json()
    lies = list(changes(proof)) if proof["method"] != "normal form" else []
    for change in random.Random(name).sample(lies, min(LIES, len(lies))):
        with change(), pytest.raises(Rejected):
            check(proof)
