"""Statements that are false, or about nothing, and look true: none of them gets a strong verdict that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from case_files import Cases
from each import each
from soundness.judged import judged

from derivations import prove
from derivations.language.words import Letter

FAMILIES = Cases(__file__, globals())

A, B, C = (Letter(name, "n", "n") for name in "ABC")
S, D = Letter("S", "n", "n", symmetric=True), Letter("D", "n", "n", diagonal=True)

FALSE_EQUATIONS = FAMILIES["false equations"]
FALSE_INEQUALITIES = (
    "x^2 > 0", "exp(x) > 1 + x", "1/x >= 1/(x + 1)", "log(1 + x) <= x - x^2/2", "tanh(x) <= x", "x > -10^40",
    "x^2 + 10^(-60) <= x^2", "x^4*y^2 + x^2*y^4 + 1 > 3*x^2*y^2", "abs(x + y) >= abs(x) + abs(y)", "W(x) >= -1/2",
    "1/(x - 1)^2 >= 1/100", "(x - 1)^2*(y^2 + 1) > 0", "x*y <= x^2*y^2", "int(exp(-x^2), x, 0, y) > 0",
)  # fmt: skip
ABOUT_NOTHING = (
    "1/(x - x) = 5", "log(-1 - x^2) = 5", "sqrt(x - 1)*sqrt(-x) = 7", "at(log(x), x, -1) = 0", "1/0 = 1",
    "sqrt(-1 - x^2) = sqrt(-1 - x^2) + 1", "where(x > x, 1, 1/(x - x)) = 3", "at(x/x, x, 0) = 1",
)  # fmt: skip
EXCLUDING = FAMILIES["excluding"]  # hypotheses that nothing satisfies
NOT_IMPLIED = FAMILIES["not implied"]
FALSE_LIMITS = FAMILIES["false limits"]
FALSE_OF_MATRICES = FAMILIES["false of matrices"]
FALSE_IN_TIME = FAMILIES["false in time"]


def never_strong(state: Callable[[], Any], *wrong: str) -> None:
    """A statement is refused, stays open, or gets a verdict that is not wrong and that the checker accepts."""
    try:
        certificate = state()
    except (prove.NotExact, prove.Unsatisfiable):
        return
    assert judged(certificate) not in wrong, certificate.statement


@each("equation", FALSE_EQUATIONS)
def test_a_false_equation(equation: str) -> None:
    never_strong(lambda: prove.identity(equation), "proved", "certified")


@each("relation", FALSE_INEQUALITIES)
def test_a_false_inequality(relation: str) -> None:
    never_strong(lambda: prove.inequality(relation), "proved", "certified")


@each("equation", ABOUT_NOTHING)
def test_an_equation_about_nothing(equation: str) -> None:
    never_strong(lambda: prove.identity(equation), "proved", "certified", "refuted")


@each("supposed", EXCLUDING)
def test_hypotheses_that_nothing_satisfies_show_nothing(supposed: list[str]) -> None:
    for state in (lambda: prove.identity("x", 5, supposed), lambda: prove.inequality("x > 5", supposed)):
        never_strong(state, "proved", "certified", "refuted")


@each(("supposed", "conclusion"), NOT_IMPLIED)
def test_a_conclusion_that_does_not_follow(supposed: list[str], conclusion: str) -> None:
    never_strong(lambda: prove.implies(supposed, conclusion), "proved", "certified")


@each(("expression", "to", "value"), FALSE_LIMITS)
def test_a_false_limit(expression: sp.Expr, to: Any, value: Any) -> None:
    never_strong(lambda: prove.limit(expression, to, value), "proved", "certified")


@each("state", [*FALSE_OF_MATRICES.values(), *FALSE_IN_TIME.values()])  # fmt: skip
def test_a_false_statement_of_matrices_or_time(state: Callable[[], prove.Certificate]) -> None:
    never_strong(state, "proved", "certified")
