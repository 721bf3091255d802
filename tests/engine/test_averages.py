"""Averages over Gaussian fields are derived from what an average is; wrong values are refuted."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy as sp
from averages_drawn import ALL_POSITIVE, C, a, all_steps, b, c, cases, d
from averages_in_balls import drawn, of_the_statement
from case_files import Cases
from each import each

from derivations import prove, recheck
from derivations.audit.ledger import plain
from derivations.audit.probe import averages
from derivations.language.averages import Ramp, field, mean
from derivations.language.averages.integrands import bell, error_function, step
from derivations.language.terms import NotExact
from derivations.prove import Verdict
from derivations.recheck.core import budget

FAMILIES = Cases(__file__, globals())

CASES = cases()
left_for_one_check = budget._left.get
RAMP = Ramp()
FREE = set().union(*(right.free_symbols for _, right, _ in CASES.values()))


def rechecked(certificate: prove.Certificate) -> Verdict:
    """The verdict, once the checker has accepted the certificate."""
    recheck.check(plain(certificate))
    return certificate.verdict


@each("name", sorted(CASES))
def test_closed_forms_are_derived(name: str) -> None:
    left, right, given = CASES[name]
    assert rechecked(prove.average(left, right, given=given)) is Verdict.PROVED


@each("name", sorted(CASES), one_of=3)
@each("wrong", ["doubled", "shifted", "sign of C_ab", "C_aa for C_cc"])
def test_other_forms_are_refuted(name: str, wrong: str) -> None:
    left, right, given = CASES[name]
    other = {
        "doubled": 2 * right,
        "shifted": right + sp.Rational(1, 1000),
        "sign of C_ab": right.subs(C[a, b], -C[a, b]),
        "C_aa for C_cc": right.subs({C[a, a]: C[c, c], C[c, c]: C[a, a]}, simultaneous=True),
    }[wrong]
    verdict = rechecked(prove.average(left, other, given=given))
    assert verdict is (Verdict.REFUTED if differs(right, other) else Verdict.PROVED)


def differs(right: sp.Expr, other: sp.Expr) -> bool:
    """Check whether two forms have different values at one covariance."""
    values = {s: sp.Rational(k + 31, 30 if s.is_positive else 200) for k, s in enumerate(sorted(FREE, key=str))}
    return abs(sp.N((right - other).subs(values))) > 1e-9


def test_moments_are_those_of_wick() -> None:
    x, y, z, w = map(field, range(4))
    pairs = C[a, b] * C[c, d] + C[a, c] * C[b, d] + C[a, d] * C[b, c]
    assert rechecked(prove.average(mean(x * y * z * w, C), pairs)) is Verdict.PROVED
    assert rechecked(
        prove.average(mean(x * x * x * x * y * y, C), 3 * C[a, a] * (C[a, a] * C[b, b] + 4 * C[a, b] ** 2))
    )


def test_one_field_twice() -> None:
    variance = sp.Symbol("variance", positive=True)
    twice = sp.Matrix([[variance, variance], [variance, variance]])
    square = error_function(0, 1) * error_function(1, 1)
    value = 2 / sp.pi * sp.asin(variance / (1 + variance))
    assert rechecked(prove.average(mean(square, twice), value)) is Verdict.PROVED
    assert rechecked(prove.average(mean(error_function(0, 1) * error_function(0, 1), twice), value)) is Verdict.PROVED


def test_two_bells_of_one_field() -> None:
    value = 1 / sp.sqrt(1 + 2 * C[a, a])
    assert rechecked(prove.average(mean(bell(a, 1) * bell(a, 1), C), value)) is Verdict.PROVED


def test_three_positive_fields() -> None:
    angles = [sp.asin(C[i, j] / sp.sqrt(C[i, i]) / sp.sqrt(C[j, j])) for i, j in ((a, b), (a, c), (b, c))]
    value = sp.Rational(1, 8) + sum(angles) / (4 * sp.pi)
    assert rechecked(prove.average(mean(step(a) * step(b) * step(c), C, [a, b, c]), value)) is Verdict.PROVED


def test_named_averages_are_of_the_same_covariance() -> None:
    names = {ALL_POSITIVE: all_steps()}
    steps = mean(all_steps(), C, range(4))
    assert rechecked(prove.average(steps, ALL_POSITIVE, given=names)) is Verdict.PROVED
    assert rechecked(prove.average(steps, ALL_POSITIVE / 2, given=names)) is Verdict.REFUTED


@each("name", sorted(CASES))
def test_samples_agree_with_closed_forms_and_not_with_others(name: str) -> None:
    left, right, given = CASES[name]
    statement = prove.average(left, right, given=given).statement
    rng = random.Random(name)
    assert list(averages.confront(statement, rng, 3)) == [None] * 3
    wrong = {**statement, "right": ("+", statement["right"], ("q", "1/3"))}
    assert None not in list(averages.confront(wrong, rng, 3))


@each("name", ["erf(x/sqrt 2): J2", "erf(x): I2", "ramp: J2", "ramp: I2", "ramp: I3"])
def test_closed_forms_lie_where_the_integral_does(name: str) -> None:
    left, right, _ = CASES[name]
    statement = prove.average(left, right).statement
    numbers = drawn(random.Random(name), len(statement["fields"]))
    integral, closed = of_the_statement(statement, numbers, Fraction(3, 10))
    assert integral.overlaps(closed)
    assert float(integral.rad()) < 1e-6
    wrong = {**statement, "right": ("*", statement["right"], ("q", "1001/1000"))}
    integral, closed = of_the_statement(wrong, numbers, Fraction(3, 10))
    assert not integral.overlaps(closed)


@each("name", ["any bell: J2", "any bell: I2", "ramp: J2", "ramp: I2"])
def test_averages_change_with_a_covariance_as_their_closed_forms_do(name: str) -> None:
    """Here bells are differentiated themselves, and not taken for weights."""
    left, right, _ = CASES[name]
    time = sp.Symbol("time", positive=True)
    moving = {C[a, b]: time * C[a, b]}
    path = mean(left.integrand, left.covariance.subs(moving), (a, b))
    found = sp.diff(right.subs(moving), time)
    assert rechecked(prove.average(path, found, rate=time)) is Verdict.PROVED
    assert rechecked(prove.average(path, 2 * found, rate=time)) is Verdict.REFUTED


def test_powers_of_fields_are_products() -> None:
    assert rechecked(prove.average(mean(field(0) ** 4, [[9]]), 243)) is Verdict.PROVED
    assert rechecked(prove.average(mean(field(0) ** 0, [[9]]), 1)) is Verdict.PROVED
    for exponent in (-1, sp.Rational(1, 2), "2"):
        with pytest.raises(NotExact, match="whole powers"):
            field(0) ** exponent


def test_an_average_of_an_expression_without_fields_is_refused_in_one_sentence() -> None:
    """A symbol is a number; who means a Gaussian variable writes a field."""
    x = sp.Symbol("x", real=True)
    with pytest.raises(NotExact, match=r"x\*\*2 has no field.*write field\(0\)"):
        mean(x**2, [[1]])


def test_averages_leave_the_allowance_of_the_checker_as_it_is() -> None:
    """The prover applies the checker's lines: else a long run would end in refusals of too much work."""
    before = left_for_one_check()
    left, right, given = CASES["ramp: I3"]
    assert prove.average(left, right, given=given).verdict is Verdict.PROVED
    assert left_for_one_check() == before


test_statements_have_their_verdicts = FAMILIES.verdicts()
