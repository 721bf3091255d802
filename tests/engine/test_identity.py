"""Equalities: true ones are proved, false ones refuted at a point that mpmath confirms, and branches are respected."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from engine.reference import NoValue, accepted, agree, confirm
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from derivations.prove import NotExact, Unsatisfiable, Verdict, identity
from derivations.prove.equality import decide

FAMILIES = Cases(__file__, globals())

x, y, z = sp.symbols("x y z", real=True)
p, r = sp.symbols("p r", positive=True)
n = sp.Symbol("n", nonnegative=True)
POINTS = FAMILIES["points"]

few = settings(max_examples=drawn(100))
numbers = st.fractions(-3, 3, max_denominator=4).map(lambda f: sp.Rational(f.numerator, f.denominator))
nonzero = numbers.filter(bool)
polynomials = st.recursive(
    st.sampled_from([x, y, p, r]) | numbers,
    lambda inner: st.builds(sp.Add, inner, inner) | st.builds(sp.Mul, inner, inner),
    max_leaves=3,
)
exponents = st.builds(
    sp.Mul,
    st.sampled_from([x, y, p, r, x * y, x**2]),
    st.sampled_from([-2, -1, sp.Rational(-1, 2), sp.Rational(1, 2), 1, 2]),
)
expressions = st.recursive(
    st.sampled_from([x, y, p, r]) | numbers,
    lambda inner: (
        st.builds(sp.Add, inner, inner)
        | st.builds(sp.Mul, inner, inner)
        | inner.map(lambda e: 1 / (1 + e**2))
        | polynomials.map(lambda e: sp.sqrt(1 + e**2))
        | exponents.map(sp.exp)
    ),
    max_leaves=4,
)


def same(e: Any, f: Any) -> list[Any]:
    """The expression e, written in other ways by means of some f."""
    product, total = (lambda *a: sp.Mul(*a, evaluate=False)), (lambda *a: sp.Add(*a, evaluate=False))
    return [
        sp.expand(e),
        sp.together(e),
        total(e + f, -f),
        product(e * (1 + f**2), 1 / (1 + f**2)),
        product(e, sp.exp(f), sp.exp(-f)),
        product(e, sp.cosh(f) ** 2 - sp.sinh(f) ** 2),
        product(e, sp.sqrt(1 + f**2), sp.sqrt(1 + f**2), 1 / (1 + f**2)),
        total(e, sp.tanh(f), -(sp.exp(2 * f) - 1) / (sp.exp(2 * f) + 1)),
        ((e + p) ** 2 - (e - p) ** 2) / (4 * p),
        total(e, sp.log(p * r, evaluate=False), -sp.log(p), -sp.log(r)),
        product(e, sp.sqrt(p * r), 1 / sp.sqrt(p), 1 / sp.sqrt(r)),
        product(e, sp.sqrt(p) - sp.sqrt(r), sp.sqrt(p) + sp.sqrt(r), 1 / (p - r)),
        product(e, (p**2) ** sp.Rational(1, 4), p ** sp.Rational(-1, 2)),
    ]


WAYS = len(same(x, y))


@few
@given(expressions, polynomials, st.integers(0, WAYS - 1))
def test_an_expression_equals_itself_in_another_form(e: Any, f: Any, way: int) -> None:
    assert accepted(identity(e, same(e, f)[way])).verdict is Verdict.PROVED


@few
@given(expressions, polynomials, st.integers(0, WAYS - 1), nonzero, st.sampled_from([sp.S.One, p, sp.exp(x), 1 + y**2]))
def test_an_expression_with_something_added_is_refuted_where_mpmath_sees_it(
    e: Any, f: Any, way: int, c: Any, extra: Any
) -> None:
    other = same(e, f)[way] + c * extra
    certificate = accepted(identity(e, other))
    confirm(certificate, e, other)


def is_real(e: Any) -> bool:
    """Check whether an expression is free of infinities and of roots of negative numbers."""
    roots = [power for power in e.atoms(sp.Pow) if power.base.is_negative and not power.exp.is_integer]
    return not roots and not e.has(sp.zoo, sp.nan, sp.I, sp.oo)


ANY = st.recursive(
    st.sampled_from([x, y, p, n]) | numbers,
    lambda inner: (
        st.builds(sp.Add, inner, inner)
        | st.builds(sp.Mul, inner, inner)
        | st.builds(sp.Pow, inner, st.sampled_from([-1, 2, sp.Rational(1, 2), sp.Rational(1, 3), sp.Rational(-3, 2)]))
        | inner.map(sp.Abs)
        | inner.map(lambda e: sp.sqrt(sp.Pow(e, 2, evaluate=False), evaluate=False))
        | inner.map(lambda e: sp.log(1 + e**2))
    ),
    max_leaves=4,
).filter(is_real)


@settings(max_examples=drawn(300))
@given(ANY, st.data())
def test_no_verdict_on_any_two_expressions_contradicts_mpmath(e: Any, data: st.DataObject) -> None:
    """Also with roots of negative numbers, divisions by zero and absolute values around."""
    other = data.draw(st.sampled_from([e, -e, sp.Abs(e), sp.sqrt(e**2), e + x - x]) | ANY)
    assume(is_real(other))
    try:
        certificate = accepted(identity(e, other))
    except Unsatisfiable:
        return
    if certificate.verdict is Verdict.REFUTED:
        confirm(certificate, e, other)
    if certificate.verdict is Verdict.PROVED:
        for point in POINTS:
            with contextlib.suppress(NoValue):
                assert agree(e, other, point)


# --- branches and hypotheses ------------------------------------------------------------------------------------------


@each("e", [x, x - y, x * p - 1, sp.exp(x) - p])
def test_the_root_of_a_square_is_the_base_only_where_the_base_is_not_negative(e: Any) -> None:
    root = sp.sqrt(e**2)
    confirm(accepted(identity(root, e)), root, e)
    confirm(accepted(identity(root, -e)), root, -e)
    confirm(accepted(identity(root, e, [e <= 0])), root, e, [e <= 0])
    assert accepted(identity(root, sp.Abs(e))).verdict is not Verdict.REFUTED


def test_a_common_factor_cancels_only_where_it_is_not_zero() -> None:
    equal = [sp.Eq(x * y, x * z)]
    confirm(accepted(identity(y, z, equal)), y, z, equal)
    for relation in (sp.Ne(x, 0), x > 0, x < 0):
        assert accepted(identity(y, z, [*equal, relation])).verdict is Verdict.PROVED


@few
@given(polynomials, nonzero, numbers)
def test_an_equation_is_used_and_needed(e: Any, a: Any, b: Any) -> None:
    """e at x = a y + b equals e with the equation as a hypothesis, and e without x needs the equation."""
    hypothesis = sp.Eq(x, a * y + b)
    replaced = e.subs(x, a * y + b)
    assert accepted(identity(e, replaced, [hypothesis])).verdict is Verdict.PROVED
    if sp.expand(e - replaced) != 0:
        confirm(accepted(identity(e, replaced)), e, replaced)


@few
@given(polynomials, numbers.filter(bool))
def test_under_an_equation_what_is_off_by_a_number_is_refuted(e: Any, c: Any) -> None:
    hypothesis = sp.Eq(x + y, p)
    other = e.subs(x, p - y) + c
    confirm(accepted(identity(e, other, [hypothesis])), e, other, [hypothesis])


@each("power", [1, 2, 3])
def test_a_polynomial_equation_reduces_its_powers(power: int) -> None:
    circle = [sp.Eq(x**2 + y**2, 1)]
    assert accepted(identity((x**2 + y**2) ** power, 1, circle)).verdict is Verdict.PROVED
    assert accepted(identity(x**4 - y**4, x**2 - y**2, circle)).verdict is Verdict.PROVED
    confirm(accepted(identity(x**power, 3, circle)), x**power, sp.Integer(3), circle)


@few
@given(expressions, polynomials)
def test_the_names_of_symbols_and_the_order_of_sides_do_not_matter(e: Any, f: Any) -> None:
    renamed = {x: sp.Symbol("zeta", real=True), p: sp.Symbol("alpha", positive=True)}
    verdict = identity(e, f).verdict
    assert accepted(identity(f, e)).verdict is verdict
    assert accepted(identity(e.subs(renamed), f.subs(renamed))).verdict is verdict


@few
@given(expressions, expressions)
def test_the_same_statement_gives_the_same_certificate(e: Any, f: Any) -> None:
    first = identity(e, f)
    assert json.dumps(decide(first.statement).as_json()) == json.dumps(first.as_json())


# --- statements about nothing -----------------------------------------------------------------------------------------


@each("assuming", [*FAMILIES["hypotheses that nothing satisfies are an error"], [x**2 + 1 < 0]])
def test_hypotheses_that_nothing_satisfies_are_an_error(assuming: Any) -> None:
    with pytest.raises(Unsatisfiable, match=r"^\S.*\S$") as caught:
        identity(y, y, assuming)
    assert "  " not in str(caught.value)


@each("assuming", FAMILIES["hypotheses for which no point is found prove nothing and are no error"])
@each(("left", "right"), [(z, z), (x, x + 1), (x**4, 4)])
def test_hypotheses_for_which_no_point_is_found_prove_nothing_and_are_no_error(
    assuming: Any, left: Any, right: Any
) -> None:
    certificate = accepted(identity(left, right, assuming))
    if certificate.verdict is Verdict.OPEN:
        assert certificate.reason
    elif certificate.verdict is Verdict.REFUTED:
        confirm(certificate, left, right, assuming)
    else:
        assert certificate.payload["inhabited"]


@each("assuming", FAMILIES["equations that contradict each other prove nothing"])
def test_equations_that_contradict_each_other_prove_nothing(assuming: Any) -> None:
    with contextlib.suppress(Unsatisfiable):
        assert accepted(identity(x, y, assuming)).verdict is Verdict.OPEN


def test_a_side_that_is_defined_nowhere_is_never_proved() -> None:
    nowhere = sp.Pow(sp.Add(x, -x, evaluate=False), -1, evaluate=False)
    with contextlib.suppress(Unsatisfiable):
        assert identity(nowhere, nowhere).verdict is Verdict.OPEN


@each("root", FAMILIES["a root or logarithm of what is always negative is never proved"])
def test_a_root_or_logarithm_of_what_is_always_negative_is_never_proved(root: Any) -> None:
    with contextlib.suppress(Unsatisfiable, NotExact):
        assert accepted(identity(root + y, y + root)).verdict is Verdict.OPEN


# --- several entries --------------------------------------------------------------------------------------------------


@each("sides", FAMILIES["shapes that differ are an error"])
def test_shapes_that_differ_are_an_error(sides: Any) -> None:
    with pytest.raises(NotExact, match="cannot equal"):
        identity(*sides)


# --- what cannot be judged exactly ------------------------------------------------------------------------------------

INEXACT = FAMILIES["inexact"]


@each("bad", INEXACT)
def test_what_has_no_exact_real_meaning_is_refused_with_a_sentence(bad: Any) -> None:
    for sides in ((bad, x), (x, bad)):
        with pytest.raises(NotExact, match=r"\w"):
            identity(*sides)


test_statements_have_their_verdicts = FAMILIES.verdicts()
