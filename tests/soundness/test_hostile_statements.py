"""Statements that are false, or about nothing, and look true: none of them gets a strong verdict that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp
from soundness.judged import judged

from derivations import prove
from derivations.language.words import Letter, identity, norm2, trace

x, y, n, u = sp.symbols("x y n u", real=True)
p, q = sp.symbols("p q", positive=True)
t = sp.Symbol("t", real=True)
A, B, C = (Letter(name, "n", "n") for name in "ABC")
S, D = Letter("S", "n", "n", symmetric=True), Letter("D", "n", "n", diagonal=True)
U = Letter("U", "n", "m", orthonormal_columns=True)

FALSE_EQUATIONS = (
    "asin(sin(x)) = x", "acos(cos(x)) = x", "atan(tan(x)) = x", "acosh(cosh(x)) = x", "W(x*exp(x)) = x",
    "atan(x) + atan(1/x) = pi/2", "atan(x) + atan(y) = atan((x + y)/(1 - x*y))", "sqrt(1 - sin(x)^2) = cos(x)",
    "asin(x) + asin(y) = asin(x*sqrt(1 - y^2) + y*sqrt(1 - x^2))", "sqrt(x - 2*sqrt(x - 1)) = sqrt(x - 1) - 1",
    "(x^4)^(1/4) = x", "sqrt(x^2) = x^(2/2)", "(-8)^(1/3) = -2", "cos(pi/5) = 4/5", "tan(pi/8) = 1 + sqrt(2)",
    "sin(pi/7)*cos(pi/4) = sin(pi/7)*cos(pi)", "cos(pi/7) = cos(2*pi/7)", "sin(pi*x) = 0", "sin(x + pi) = sin(x)",
    "d(abs(x), x) = 1", "at(d(abs(x), x), x, 0) = 1", "d(at(x*y, x, y), y) = y", "d(x^x, x) = x^x",
    "sign(x)^2 = 1", "max(x, y) = x", "where(x > 0, 1, 1 + x) = 1", "10^(-40)*x = 0", "x/10^50 + y = y",
    "sqrt(-x)*sqrt(x) = 1", "digamma(x + 1) = digamma(x) + 1", "log(x^2) = log(x)", "abs(x + y) = abs(x) + abs(y)",
    "int(1/x, x, -1, 1) = 0", "int(1/x^2, x, -1, 1) = -2", "int(abs(x), x, -1, 1) = 0", "int(log(x), x, 0, 1) = 1",
    "int(x, x, 1, 0) = 1/2", "int(1/(1 + x^2), x, 0, y) = atan(y) + pi", "int(x^n, x, 0, 1) = 1/(n + 1) + n",
)  # fmt: skip
FALSE_INEQUALITIES = (
    "x^2 > 0", "exp(x) > 1 + x", "1/x >= 1/(x + 1)", "log(1 + x) <= x - x^2/2", "tanh(x) <= x", "x > -10^40",
    "x^2 + 10^(-60) <= x^2", "x^4*y^2 + x^2*y^4 + 1 > 3*x^2*y^2", "abs(x + y) >= abs(x) + abs(y)", "W(x) >= -1/2",
    "1/(x - 1)^2 >= 1/100", "(x - 1)^2*(y^2 + 1) > 0", "x*y <= x^2*y^2", "int(exp(-x^2), x, 0, y) > 0",
)  # fmt: skip
ABOUT_NOTHING = (
    "1/(x - x) = 5", "log(-1 - x^2) = 5", "sqrt(x - 1)*sqrt(-x) = 7", "at(log(x), x, -1) = 0", "1/0 = 1",
    "sqrt(-1 - x^2) = sqrt(-1 - x^2) + 1", "where(x > x, 1, 1/(x - x)) = 3", "at(x/x, x, 0) = 1",
)  # fmt: skip
EXCLUDING = (  # hypotheses that nothing satisfies
    ["x > 1", "x < 0"], ["x^2 < 0"], ["log(-1 - x^2) > 0"], ["sqrt(x) < -1"], ["exp(x) < 0"], ["abs(x) < 0"],
    ["asin(x) = 2"], ["sin(x) = 2"], ["x > y", "y > z", "z > x"], ["x^2 = -1"],
)  # fmt: skip
NOT_IMPLIED = (
    (["x^2 = y^2"], "x = y"), (["x*y = 0"], "x = 0"), (["sin(x) = sin(y)"], "x = y"), (["abs(x) = abs(y)"], "x = y"),
    (["x^2 = 2"], "x = sqrt(2)"), (["x^2 = 2", "x < 0"], "x^3 = 2*sqrt(2)"), (["cos(x) = 0"], "sin(x) = 1"),
    (["log(x) > log(y)"], "x < y"), (["sqrt(x) = -y"], "y > 0"), (["x*y > 0"], "x > 0"), (["tan(x) = 1"], "x = pi/4"),
)  # fmt: skip
FALSE_LIMITS = [
    (sp.atan(1 / x), {x: (0, "-")}, sp.pi / 2),
    (sp.Abs(x) / x, {x: (0, "-")}, 1),
    (sp.exp(-1 / x), {x: (0, "-")}, 0),
    (sp.sqrt(1 - sp.cos(x)) / x, {x: (0, "-")}, 1 / sp.sqrt(2)),
    ((sp.pi / 2 - sp.asin(x)) / sp.sqrt(1 - x), {x: (1, "-")}, 1),
    (sp.sqrt(x**2) / x, {x: -sp.oo}, 1),
    (sp.sin(1 / x), {x: 0}, 0),
    (sp.tanh(y * x), {x: sp.oo}, 1),
    (sp.exp(y * x), {x: sp.oo}, 0),
    (x**p, {x: 0}, 1),
    ((p - q) / (p + q), [p, q], 0),
    (p * q / (p**2 + q**2), [p, q], 0),
    (p**q, [p, q], 1),
    (sp.sign(x**2 - x), {x: 0}, 1),
]
FALSE_OF_MATRICES: dict[str, Callable[[], prove.Certificate]] = {
    "a commuted product": lambda: prove.words(A @ B, 0, [(B @ A, 0)]),
    "orthonormal rows": lambda: prove.words(U @ U.T, identity("n")),
    "a nilpotent square": lambda: prove.words(A @ A, 0, [(A @ A @ A, 0)]),
    "a cancelled factor": lambda: prove.words(A @ B, A @ C, [(B @ A, C @ A)]),
    "a diagonal that commutes": lambda: prove.words(D @ A, A @ D),
    "a trace turned round": lambda: prove.words(trace(A @ B @ C), trace(A @ C @ B)),
    "a definite Gram matrix": lambda: prove.loewner(A @ A.T > 0),
    "a trace of a square": lambda: prove.loewner(trace(A @ A) >= 0),
    "a square above itself": lambda: prove.loewner(S @ S >= S, [S >= 0]),
    "norms the other way": lambda: prove.loewner(norm2(A @ B) >= norm2(A) * norm2(B)),
}
FALSE_IN_TIME: dict[str, Callable[[], prove.Certificate]] = {
    "another branch": lambda: prove.solves({u: sp.Abs(u)}, {u: -sp.exp(t)}, {u: -1}, t),
    "past its end": lambda: prove.solves({u: u**2}, {u: 1 / (1 - t)}, {u: 1}, t),
    "another start": lambda: prove.solves({u: u}, {u: p * sp.exp(t)}, {u: -p}, t),
    "beyond blow-up": lambda: prove.trajectory({u: u**2}, {u: 1}, until=2),
    "through a pole": lambda: prove.trajectory({u: 1 / u}, {u: (-1, 1)}, until=1),
    "a pole in time": lambda: prove.trajectory({u: 1 / (x - 1)}, {u: 0}, 2, time=x),
    "never reached": lambda: prove.trajectory({u: -u}, {u: 1}, 5, says=prove.reaches(sp.Eq(u, 2))),
}


def never_strong(state: Callable[[], Any], *wrong: str) -> None:
    """A statement is refused, stays open, or gets a verdict that is not wrong and that the checker accepts."""
    try:
        with prove.allowing(4):
            certificate = state()
    except (prove.NotExact, prove.Unsatisfiable):
        return
    assert judged(certificate) not in wrong, certificate.statement


@pytest.mark.parametrize("equation", FALSE_EQUATIONS)
def test_a_false_equation(equation: str) -> None:
    never_strong(lambda: prove.identity(equation), "proved", "certified")


@pytest.mark.parametrize("relation", FALSE_INEQUALITIES)
def test_a_false_inequality(relation: str) -> None:
    never_strong(lambda: prove.inequality(relation), "proved", "certified")


@pytest.mark.parametrize("equation", ABOUT_NOTHING)
def test_an_equation_about_nothing(equation: str) -> None:
    never_strong(lambda: prove.identity(equation), "proved", "certified", "refuted")


@pytest.mark.parametrize("supposed", EXCLUDING, ids=str)
def test_hypotheses_that_nothing_satisfies_show_nothing(supposed: list[str]) -> None:
    for state in (lambda: prove.identity("x", 5, supposed), lambda: prove.inequality("x > 5", supposed)):
        never_strong(state, "proved", "certified", "refuted")


@pytest.mark.parametrize(("supposed", "conclusion"), NOT_IMPLIED, ids=str)
def test_a_conclusion_that_does_not_follow(supposed: list[str], conclusion: str) -> None:
    never_strong(lambda: prove.implies(supposed, conclusion), "proved", "certified")


@pytest.mark.parametrize(("expression", "to", "value"), FALSE_LIMITS, ids=str)
def test_a_false_limit(expression: sp.Expr, to: Any, value: Any) -> None:
    never_strong(lambda: prove.limit(expression, to, value), "proved", "certified")


@pytest.mark.parametrize("state", [*FALSE_OF_MATRICES.values(), *FALSE_IN_TIME.values()],
                         ids=[*FALSE_OF_MATRICES, *FALSE_IN_TIME])  # fmt: skip
def test_a_false_statement_of_matrices_or_time(state: Callable[[], prove.Certificate]) -> None:
    never_strong(state, "proved", "certified")
