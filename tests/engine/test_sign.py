"""Inequalities: sums of squares are proved, what fails somewhere is refuted there, and strictness is respected."""

from __future__ import annotations

from typing import Any

import mpmath
import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from engine.reference import accepted, holds, strict, value, weak
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from derivations.prove import Certificate, NotExact, Unsatisfiable, Verdict, inequality, positive

FAMILIES = Cases(__file__, globals())

x, y, z = sp.symbols("x y z", real=True)
p = sp.symbols("p", positive=True)
m = sp.Symbol("m", negative=True)
n = sp.Symbol("n", nonnegative=True)
POINTS = [
    {"x": a, "y": b, "z": c, "p": d, "r": e}
    for a, b, c, d, e in [
        ("1/3", "-2", "5/7", "3", "1/4"),
        ("-7/2", "-1/5", "0", "1/9", "2"),
        ("4", "3", "-1", "1", "6"),
    ]
]

few = settings(max_examples=drawn(60))
fewer = settings(
    max_examples=drawn(15), suppress_health_check=[HealthCheck.filter_too_much]
)  # what the search does not find costs it a second
integers = st.integers(-3, 3)
weights = st.fractions(0, 3, max_denominator=3).map(lambda f: sp.Rational(f.numerator, f.denominator))
linear = st.builds(lambda a, b, c, d: a * x + b * y + c * z + d, *[integers] * 4)
polynomials = st.recursive(
    st.sampled_from([x, y, p]) | integers.map(sp.Integer),
    lambda inner: st.builds(sp.Add, inner, inner) | st.builds(sp.Mul, inner, inner),
    max_leaves=6,
)


def confirm(certificate: Certificate, relation: Any, assuming: Any = ()) -> None:
    """At the point of a refutation the hypotheses hold and the inequality does not, says mpmath."""
    assert certificate.verdict is Verdict.REFUTED
    assert certificate.witness
    point = certificate.witness["point"]
    assert all(holds(hypothesis, point) for hypothesis in assuming)
    difference = value(relation.args[0], point) - value(relation.args[1], point)
    assert difference < mpmath.mpf(10) ** -40
    if isinstance(relation, sp.GreaterThan):
        assert difference < 0


@fewer
@given(st.lists(st.tuples(weights, linear), min_size=1, max_size=3), weights)
def test_a_sum_of_squares_is_not_negative_and_with_a_number_it_is_positive(squares: Any, number: Any) -> None:
    total = sp.expand(sum(c * form**2 for c, form in squares) + number)
    assume(not total.is_number)
    hints = [form for _, form in squares if not form.is_number]
    assert accepted(inequality(weak(total), squares=hints)).verdict is Verdict.PROVED
    if number > 0:
        assert accepted(positive(total, squares=hints)).verdict is Verdict.PROVED
    assert accepted(inequality(weak(total))).verdict is not Verdict.REFUTED


@few
@given(integers, integers, integers)
def test_an_inequality_between_linear_forms_is_refuted_where_it_fails(a: int, b: int, c: int) -> None:
    assume((a, b) != (0, 0))
    relation = weak(a * x + b * y + c)
    confirm(accepted(inequality(relation)), relation)


@few
@given(st.integers(3, 9), st.sampled_from([1, -1]), weights)
def test_an_indefinite_form_is_refuted(k: int, sign: int, number: Any) -> None:
    for relation in (weak(x**2 + y**2 + sign * k * x * y), strict(x**2 - number * y**2 - p)):
        confirm(accepted(inequality(relation)), relation)


@settings(max_examples=drawn(150))
@given(polynomials, polynomials, st.booleans())
def test_no_verdict_on_any_inequality_contradicts_mpmath(left: Any, right: Any, with_hypothesis: bool) -> None:
    assume(sp.expand(left - right).free_symbols)
    relation = strict(left, right)
    hypotheses = [x >= y, y >= p] if with_hypothesis else []
    certificate = accepted(inequality(relation, hypotheses))
    if certificate.verdict is Verdict.REFUTED:
        confirm(certificate, relation, hypotheses)
    if certificate.verdict is Verdict.PROVED:
        assert all(holds(relation, q) for q in POINTS if all(holds(h, q) for h in hypotheses))


@few
@given(polynomials, polynomials)
def test_what_is_proved_strictly_is_proved_weakly_and_its_contrary_is_refuted(left: Any, right: Any) -> None:
    assume(sp.expand(left - right).free_symbols)
    if inequality(strict(left, right)).verdict is Verdict.PROVED:
        assert accepted(inequality(weak(left, right))).verdict is Verdict.PROVED
        assert accepted(inequality(strict(right, left))).verdict is Verdict.REFUTED


@fewer
@given(linear, linear, integers, integers)
def test_products_of_hypotheses_are_used_and_needed(e: Any, f: Any, a: int, b: int) -> None:
    product = sp.expand((e - a) * (f - b))
    assume(e.free_symbols and f.free_symbols and product.subs({x: 0, y: 0, z: 0}) < 0)
    hypotheses = [weak(e, a), weak(f, b)]
    assume(all(h.args[0].free_symbols for h in hypotheses))
    assume(any(all(holds(h, q) for h in hypotheses) for q in POINTS))
    assert accepted(inequality(weak(product), hypotheses)).verdict is not Verdict.REFUTED
    assert accepted(inequality(weak((e - a) * (f - b)), hypotheses)).verdict is Verdict.PROVED
    assert inequality(weak(product)).verdict is not Verdict.PROVED


# --- strictness and assumptions ---------------------------------------------------------------------------------------


def test_a_square_is_positive_only_where_its_base_is_not_zero() -> None:
    assert accepted(inequality(weak(x**2))).verdict is Verdict.PROVED
    confirm(accepted(positive(x**2)), strict(x**2))
    assert accepted(positive(x**2, [sp.Ne(x, 0)])).verdict is Verdict.PROVED
    assert accepted(positive(x**2, [x < 0])).verdict is Verdict.PROVED
    assert accepted(positive(x**2 + 1)).verdict is Verdict.PROVED


@each(("left", "right"), FAMILIES["well known strict inequalities are proved and turned round refuted"])
def test_well_known_strict_inequalities_are_proved_and_turned_round_refuted(left: Any, right: Any) -> None:
    assert accepted(inequality(strict(left, right))).verdict is Verdict.PROVED
    confirm(accepted(inequality(weak(right, left))), weak(right, left))


@each(("left", "right"), FAMILIES["inequalities with equality somewhere are proved weakly only"])
def test_inequalities_with_equality_somewhere_are_proved_weakly_only(left: Any, right: Any) -> None:
    assert accepted(inequality(weak(left, right))).verdict is Verdict.PROVED
    assert accepted(inequality(strict(left, right))).verdict is not Verdict.PROVED


def test_an_equation_among_the_hypotheses_is_used_and_needed() -> None:
    relation = strict(x * y, 0)
    assert accepted(inequality(relation, [sp.Eq(y, x + p), x > 0])).verdict is Verdict.PROVED
    confirm(accepted(inequality(relation, [x > 0])), relation, [x > 0])


# --- statements about nothing, and what cannot be judged --------------------------------------------------------------


@each("relation", [p > 0, m < 0, n >= 0, n < 0, True, False])
def test_an_inequality_that_sympy_has_settled_is_an_error(relation: Any) -> None:
    with pytest.raises(Unsatisfiable, match="by its symbols' assumptions alone"):
        inequality(relation)


@each("assuming", FAMILIES["hypotheses that nothing satisfies are an error"])
def test_hypotheses_that_nothing_satisfies_are_an_error(assuming: Any) -> None:
    with pytest.raises(Unsatisfiable):
        positive(z**2 + 1, assuming)


@each("relation", [sp.Eq(x, y), sp.Ne(x, y), x > 0.5, x, "x > 0.5"])
def test_what_is_no_exact_inequality_is_refused_with_a_sentence(relation: Any) -> None:
    with pytest.raises(NotExact, match=r"\w"):
        inequality(relation)


@each(("left", "right"), FAMILIES["quadratics without real roots are decided by completing the square"])
def test_quadratics_without_real_roots_are_decided_by_completing_the_square(left: Any, right: Any) -> None:
    assert accepted(inequality(strict(left, right))).verdict is Verdict.PROVED


test_statements_have_their_verdicts = FAMILIES.verdicts()
