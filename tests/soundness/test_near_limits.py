"""A limit is about an expression that has values near it, under hypotheses that let the variables become small."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from soundness.judged import judged, refusal

from derivations import prove
from derivations.prove import NotExact

x, y = sp.symbols("x y", positive=True)
r = sp.Symbol("r", real=True)
ONE = sp.Integer(1)


def one_made_of(root: Any) -> Any:
    """1, wherever the root has a value."""
    return sp.cosh(root) ** 2 - sp.sinh(root) ** 2


KEPT_AWAY = [1, sp.Rational(1, 10), sp.Rational(1, 10**20), sp.Rational(1, 10**100), sp.Rational(1, 10**500)]


@pytest.mark.parametrize("distance", KEPT_AWAY, ids=lambda d: f"{sp.log(d, 10)}")
def test_no_limit_is_judged_where_nothing_has_a_value(distance: Any) -> None:
    root = sp.sqrt(x - distance)
    for expression, value in (
        (one_made_of(root), 1),
        (sp.Add(x, root, -root, evaluate=False), 0),
        (one_made_of(root), 2),
        (one_made_of(root) / x, 3),
        (x + 0 * r + sp.Mul(root, 1 / root, evaluate=False), 1),
    ):
        assert judged(prove.limit(expression, [x], value)) == "open"


@pytest.mark.parametrize("distance", KEPT_AWAY, ids=lambda d: f"{sp.log(d, 10)}")
def test_hypotheses_must_let_the_variables_go_to_zero(distance: Any) -> None:
    for hypothesis in (x > distance, x**2 > distance * x, sp.Eq(x, distance)):
        for value in (0, 1):
            assert judged(prove.limit(x * y, [x], value, [hypothesis])) == "open"
    assert judged(prove.limit(x * y, [x], 0, [x < 1 / sp.Rational(distance)])) == "proved"


def test_a_hypothesis_with_a_logarithm_ends_where_it_fails() -> None:
    """y > -log(x)/1000 fails for every y once x is small enough."""
    assert judged(prove.limit(x * y, [x], 0, [y > -sp.log(x) / 1000])) == "open"


def test_what_has_values_along_some_directions_alone_is_open() -> None:
    assert judged(prove.limit(x + sp.sqrt(x - y), [x, y], 0)) == "open"
    assert judged(prove.limit(x + y, [x, y], 1, [x > 2 * y])) == "open"


# --- leading orders ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hypothesis", [sp.Eq(x, y), x > 1, x > y, sp.Eq(x * y, 1), x**2 >= 3], ids=str)
def test_hypotheses_are_scaled_with_what_becomes_small(hypothesis: Any) -> None:
    for f, g in ((x + y, y), (1 + x, ONE)):
        assert judged(prove.leading_order(f, g, {x: 1}, assuming=[hypothesis])) == "open"


def test_hypotheses_that_keep_holding_are_kept() -> None:
    assert judged(prove.leading_order(x + y, y, {x: 1}, assuming=[x < y])) == "proved"
    assert judged(prove.leading_order(x + y, y, {x: 1, y: 1}, assuming=[x < y])) == "refuted"


@pytest.mark.parametrize(
    "scale", [{}, {sp.Symbol("x"): 1}, {y: 1}, {r: 1}, {sp.Symbol("x", positive=True): 0.5}], ids=str
)
def test_the_scaled_symbols_are_those_of_the_expressions(scale: Any) -> None:
    assert "small" in refusal(lambda: prove.leading_order(x**2 + x, x, scale), NotExact)


# --- boxes ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("low", [-5, -2, sp.Rational(-3, 2)])
def test_a_derivative_has_no_value_where_its_function_has_none(low: Any) -> None:
    for function in (sp.log(r), sp.log(r) + r, sp.log(r) * r, sp.Pow(sp.sqrt(r), 4, evaluate=False)):
        derivative = sp.Derivative(function, r)
        assert judged(prove.enclosed(derivative, {r: (low, -1)}, -100, 100)) == "open"
        assert judged(prove.enclosed(derivative, {r: (low, -1)}, 99, 100)) == "open"
        assert judged(prove.enclosed(derivative, {r: (1, -low)}, -100, 100)) == "certified"


# --- agreement --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("order", [2, 3, 5, 7])
@pytest.mark.parametrize("function", [sp.sinh, sp.tanh, sp.cosh])
def test_prover_and_checker_agree_on_roots_of_hyperbolic_functions(function: Any, order: int) -> None:
    for argument in (r, y, r + x):
        root = function(argument) ** sp.Rational(1, order)
        assert judged(prove.inequality(sp.Ge(root, 0, evaluate=False))) == "proved"
        assert judged(prove.identity((r / 2 + x) * root, r * root / 2 + x * root)) == "proved"
