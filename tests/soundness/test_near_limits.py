"""A limit is about an expression that has values near it, under hypotheses that let the variables become small."""

from __future__ import annotations

from typing import Any

import sympy as sp
from case_files import Cases
from each import each
from soundness.judged import judged, refusal

from derivations import prove
from derivations.prove import NotExact

FAMILIES = Cases(__file__)

x, y = sp.symbols("x y", positive=True)
r = sp.Symbol("r", real=True)
ONE = sp.Integer(1)


def one_made_of(root: Any) -> Any:
    """1, wherever the root has a value."""
    return sp.cosh(root) ** 2 - sp.sinh(root) ** 2


KEPT_AWAY = FAMILIES["kept away"]


@each("distance", KEPT_AWAY)
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


@each("distance", KEPT_AWAY, one_of=3)
def test_hypotheses_must_let_the_variables_go_to_zero(distance: Any) -> None:
    for hypothesis in (x > distance, x**2 > distance * x, sp.Eq(x, distance)):
        for value in (0, 1):
            assert judged(prove.limit(x * y, [x], value, [hypothesis])) == "open"
    assert judged(prove.limit(x * y, [x], 0, [x < 1 / sp.Rational(distance)])) == "proved"


# --- leading orders ---------------------------------------------------------------------------------------------------


@each("hypothesis", FAMILIES["hypotheses are scaled with what becomes small"])
def test_hypotheses_are_scaled_with_what_becomes_small(hypothesis: Any) -> None:
    for f, g in ((x + y, y), (1 + x, ONE)):
        assert judged(prove.leading_order(f, g, {x: 1}, assuming=[hypothesis])) == "open"


@each("scale", FAMILIES["the scaled symbols are those of the expressions"])
def test_the_scaled_symbols_are_those_of_the_expressions(scale: Any) -> None:
    assert "small" in refusal(lambda: prove.leading_order(x**2 + x, x, scale), NotExact)


# --- boxes ------------------------------------------------------------------------------------------------------------


# --- agreement --------------------------------------------------------------------------------------------------------


@each("order", [2, 3, 5, 7])
@each("function", [sp.sinh, sp.tanh, sp.cosh])
def test_prover_and_checker_agree_on_roots_of_hyperbolic_functions(function: Any, order: int) -> None:
    for argument in (r, y, r + x):
        root = function(argument) ** sp.Rational(1, order)
        assert judged(prove.inequality(sp.Ge(root, 0, evaluate=False))) == "proved"
        assert judged(prove.identity((r / 2 + x) * root, r * root / 2 + x * root)) == "proved"


test_statements_have_their_verdicts = FAMILIES.verdicts()
