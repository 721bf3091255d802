"""Limits along a stated scaling, solutions of flows, and enclosures: right ones are shown, wrong ones refuted."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from engine.reference import accepted, value
from hypothesis import given, settings
from hypothesis import strategies as st

from derivations.prove import NotExact, Verdict, enclosed, leading_order, limit, solves

FAMILIES = Cases(__file__, globals())

x, y, t = sp.symbols("x y t", real=True)
e, p, r = sp.symbols("e p r", positive=True)
HALF = sp.Rational(1, 2)

few = settings(max_examples=drawn(60))
nonzero = st.integers(-4, 4).filter(bool).map(sp.Integer)
integers = st.integers(-4, 4).map(sp.Integer)
rationals = st.fractions(-2, 2, max_denominator=4).map(lambda f: sp.Rational(f.numerator, f.denominator))
positive_rationals = st.fractions(Fraction(1, 4), 3, max_denominator=4).map(
    lambda f: sp.Rational(f.numerator, f.denominator)
)


def polynomial(order: int, lead: Any, others: Any) -> Any:
    """lead e^order and higher powers of e."""
    return lead * e**order + sum(c * e ** (order + k) for k, c in enumerate(others, 1))


# --- limits -----------------------------------------------------------------------------------------------------------


@few
@given(st.tuples(*[st.integers(0, 3)] * 2), nonzero, nonzero, st.lists(integers, max_size=3), rationals)
def test_a_ratio_of_polynomials_tends_to_the_ratio_of_its_lowest_terms(
    orders: tuple[int, int], a: Any, b: Any, others: Any, wrong: Any
) -> None:
    above, below = orders
    ratio = polynomial(above, a * p, others) / polynomial(below, b * (1 + p), others)
    right = a * p / (b * (1 + p)) if above == below else sp.Integer(0)
    if above >= below:
        assert accepted(limit(ratio, [e], right)).verdict is Verdict.PROVED
        assert accepted(limit(ratio, [e], right + 1)).verdict is Verdict.REFUTED
    else:
        assert accepted(limit(ratio, [e], wrong)).verdict is Verdict.REFUTED


@few
@given(positive_rationals, nonzero)
def test_roots_that_vanish_together_leave_their_ratio(a: Any, b: Any) -> None:
    root = sp.sqrt(a**2 + b * e * p)
    assert accepted(limit((root - a) / e, [e], b * p / (2 * a))).verdict is Verdict.PROVED
    assert accepted(limit((root - a) / e, [e], b * p / a)).verdict is Verdict.REFUTED


@each(("expression", "right"), FAMILIES["a limit is proved for its value and refuted for another"])
def test_a_limit_is_proved_for_its_value_and_refuted_for_another(expression: Any, right: Any) -> None:
    assert accepted(limit(expression, [e], right)).verdict is Verdict.PROVED
    wrong = accepted(limit(expression, [e], right + 1))
    assert wrong.verdict is Verdict.REFUTED
    assert wrong.witness


@few
@given(st.integers(-2, 2), st.integers(-2, 2), nonzero)
def test_the_leading_order_depends_on_the_scaling_that_is_stated(i: int, j: int, c: Any) -> None:
    """The one of p and r^2 that is scaled to be larger leads, and with equal powers none does."""
    scale = {p: i, r: j}
    for term, mine, other in ((p, i, 2 * j), (c * r**2, 2 * j, i)):
        certificate = accepted(leading_order(p + c * r**2, term, scale))
        assert (certificate.verdict is Verdict.PROVED) == (mine < other)


# --- flows ------------------------------------------------------------------------------------------------------------


def logistic(rate: Any, capacity: Any, start: Any) -> Any:
    return capacity / (1 + (capacity / start - 1) * sp.exp(-rate * t))


def test_the_logistic_curve_solves_the_logistic_flow_and_its_misprints_do_not() -> None:
    flow, right = {x: p * x * (1 - x / r)}, logistic(p, r, e)
    assert accepted(solves(flow, {x: right}, {x: e}, t)).verdict is Verdict.PROVED
    for wrong in (logistic(1, r, e), logistic(-p, r, e), right + 1, right.subs(t, 2 * t)):
        certificate = accepted(solves(flow, {x: wrong}, {x: e}, t))
        assert certificate.verdict is Verdict.REFUTED
        residual = sp.diff(wrong, t), flow[x].subs(x, wrong)
        if certificate.method.startswith("the residual"):
            assert certificate.witness
            assert value(residual[0], certificate.witness["point"]) != value(residual[1], certificate.witness["point"])


@few
@given(nonzero, rationals)
def test_a_linear_flow_decays_exponentially_with_its_own_rate(a: Any, b: Any) -> None:
    flow = {x: a * x + b}
    right = (y + b / a) * sp.exp(a * t) - b / a
    assert accepted(solves(flow, {x: right}, {x: y}, t)).verdict is Verdict.PROVED
    wrong = accepted(solves(flow, {x: right.subs(t, 2 * t)}, {x: y}, t))
    assert wrong.method.startswith("the residual of x")
    late = accepted(solves(flow, {x: right}, {x: y + 1}, t))
    assert late.method.startswith("the start of x")
    assert late.witness
    assert "y" in late.witness["point"]


@few
@given(st.lists(rationals, min_size=1, max_size=4), rationals, rationals, nonzero)
def test_a_flow_built_around_a_curve_is_solved_by_it_and_with_a_push_it_is_not(
    coefficients: Any, a: Any, b: Any, push: Any
) -> None:
    curve = sum(c * t**k for k, c in enumerate(coefficients)) + p * sp.exp(a * t)
    other = curve**2 + b * t
    flow = {x: sp.diff(curve, t) + (x - curve) * (y + b), y: sp.diff(other, t) + x**2 * (y - other)}
    solution = {x: curve, y: other}
    start = {s: sp.sympify(f).subs(t, 0) for s, f in solution.items()}
    assert accepted(solves(flow, solution, start, t)).verdict is Verdict.PROVED
    pushed = accepted(solves({**flow, y: flow[y] + push}, solution, start, t))
    assert pushed.verdict is Verdict.REFUTED
    assert pushed.method.startswith("the residual of y")


@each(("flow", "solution", "start"), FAMILIES["flow solution and start speak exactly of the same variables"])
def test_flow_solution_and_start_speak_exactly_of_the_same_variables(flow: Any, solution: Any, start: Any) -> None:
    with pytest.raises(NotExact):
        solves(flow, solution, start, t)


# --- enclosures -------------------------------------------------------------------------------------------------------


@few
@given(rationals, positive_rationals, st.sampled_from([sp.exp, sp.sinh, sp.erf, sp.tanh, lambda s: s**3 + s]))
def test_a_rising_function_lies_between_its_ends_and_no_closer(low: Any, width: Any, function: Any) -> None:
    high, margin = low + width, sp.Rational(1, 100)
    ends = [sp.Rational(str(value(function(end), {}))) for end in (low, high)]
    box = {x: (low, high)}
    assert accepted(enclosed(function(x), box, ends[0] - 1, ends[1] + 1)).verdict is Verdict.CERTIFIED
    assert accepted(enclosed(function(x), box, ends[0] + margin, ends[1] + 1)).verdict is Verdict.REFUTED
    assert accepted(enclosed(function(x), box, ends[0] - 1, ends[1] - margin)).verdict is Verdict.REFUTED


@few
@given(rationals, rationals, rationals, positive_rationals)
def test_what_is_certified_holds_at_points_of_the_box(a: Any, b: Any, low: Any, width: Any) -> None:
    expression = x * y + a * x**2 - b / (1 + y**2)
    box = {x: (low, low + width), y: (a, a + width)}
    certificate = accepted(enclosed(expression, box, -2, 2))
    inside = [{"x": str(low + width * u), "y": str(a + width * v)} for u in (0, HALF, 1) for v in (0, HALF, 1)]
    values = [value(expression, point) for point in inside]
    if certificate.verdict is Verdict.CERTIFIED:
        assert all(-2 < v < 2 for v in values)
    if certificate.verdict is Verdict.REFUTED:
        assert any(not -2 < v < 2 for v in values)


test_statements_have_their_verdicts = FAMILIES.verdicts()
