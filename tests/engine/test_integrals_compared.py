"""Relations with integrals in them: shown where they hold, refuted where they fail, and no lie is accepted."""

from __future__ import annotations

import random
from typing import Any

import mpmath as mp
import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn as lies
from each import each
from recheck.corrupt import worse

from derivations import prove
from derivations.audit.ledger import plain
from derivations.prove import Certificate
from derivations.recheck import check

FAMILIES = Cases(__file__, globals())
LIES = lies(150)  # of each certificate, that are tried

x, m, s = sp.symbols("x m s", real=True)
a, b = sp.symbols("a b", positive=True)
I, D, exp, oo, pi, R = sp.Integral, sp.Derivative, sp.exp, sp.oo, sp.pi, sp.Rational


def verdict(certificate: Certificate) -> str:
    check(plain(certificate))
    return str(certificate.verdict.value)


def drawn(seed: int) -> tuple[Any, Any]:
    """An integrand that has no antiderivative here, and the upper end of its interval."""
    rng = random.Random(seed)
    p, q = (R(rng.randint(1, 5), rng.randint(1, 2)) for _ in range(2))
    kinds = [sp.sin(p * x**2), exp(-p * x**3), sp.sqrt(1 + p * x**4), sp.cos(p * sp.sin(x)), sp.tanh(p * x) / (q + x),
             sp.Abs(x - p / 4) * exp(-q * x**2), sp.log(1 + p * x + x**4), sp.atan(p * x) * sp.cos(x),
             x**p * exp(-x)]  # fmt: skip
    low = R(1, 3) if kinds[seed % len(kinds)].has(x**p) else 0
    return I(kinds[seed % len(kinds)], (x, low, q)), q


def number(node: Any) -> Any:
    ((x_, low, high),) = node.limits
    f = sp.lambdify(x_, node.function, "mpmath")
    kinks = [R(k, 4) for k in range(1, 40) if low < R(k, 4) < high]
    return mp.quad(f, [mp.mpf(low.p) / low.q, *(mp.mpf(k.p) / k.q for k in kinks), mp.mpf(high.p) / high.q])


@each("seed", range(9), one_of=3)
def test_bounds_with_room_are_certified_and_bounds_past_the_value_refuted(seed: int) -> None:
    node, _ = drawn(seed)
    value = R(int(number(node) * 1000), 1000)
    assert verdict(prove.inequality(sp.Lt(node, value + R(1, 100), evaluate=False))) == "certified"
    assert verdict(prove.inequality(sp.Gt(node, value - R(1, 100), evaluate=False))) == "certified"
    assert verdict(prove.inequality(sp.Ge(node, value + R(1, 100), evaluate=False))) == "refuted"
    assert verdict(prove.identity(node, value + R(1, 100))) == "refuted"


HOLDS = FAMILIES["holds"]
FAILS = FAMILIES["fails"]


def decided(relation: Any, assuming: list[Any]) -> Certificate:
    if isinstance(relation, sp.Equality):
        return prove.identity(relation.lhs, relation.rhs, assuming)
    return prove.inequality(relation, assuming)


@each("name", [*HOLDS], one_of=3)
def test_what_holds_is_shown(name: str) -> None:
    assert verdict(decided(*HOLDS[name])) in ("proved", "certified")


@each("name", [*FAILS])
def test_what_fails_is_refuted(name: str) -> None:
    assert verdict(decided(*FAILS[name])) == "refuted"


OPEN = FAMILIES["open"]


@each("relation", OPEN, one_of=3)
def test_nothing_is_said_of_integrals_that_need_not_exist(relation: Any) -> None:
    assert verdict(decided(relation, [])) == "open"


@each("name", ["a bound in the end", "order", "a box", "a rate", "a step"], one_of=3)
def test_no_corruption_of_what_holds_is_accepted(name: str) -> None:
    assert worse(plain(decided(*HOLDS[name])), random.Random(name), LIES, spare=1) == []


@pytest.mark.drawn
@each("name", ["a rate", "a rate with a moving end"])
def test_no_corruption_of_what_fails_is_accepted(name: str) -> None:
    assert worse(plain(decided(*FAILS[name])), random.Random(name), LIES, spare=1) == []


test_statements_have_their_verdicts = FAMILIES.verdicts()
