"""Averages over Gaussian fields are derived from what an average is; wrong values are refuted."""

from __future__ import annotations

import random
from fractions import Fraction

import sympy as sp
from averages_drawn import C, a, b, c, cases
from averages_in_balls import drawn, of_the_statement
from case_files import Cases
from each import each

from derivations import prove, recheck
from derivations.audit.ledger import plain
from derivations.audit.probe import averages
from derivations.language.averages import Ramp, mean
from derivations.language.averages.integrands import step
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


def test_three_positive_fields() -> None:
    angles = [sp.asin(C[i, j] / sp.sqrt(C[i, i]) / sp.sqrt(C[j, j])) for i, j in ((a, b), (a, c), (b, c))]
    value = sp.Rational(1, 8) + sum(angles) / (4 * sp.pi)
    assert rechecked(prove.average(mean(step(a) * step(b) * step(c), C, [a, b, c]), value)) is Verdict.PROVED


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


test_statements_have_their_verdicts = FAMILIES.verdicts()
