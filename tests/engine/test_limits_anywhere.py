"""Limits in one variable: at infinity, at points from either side, with parameters, and what must stay open."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sympy as sp

from derivations import prove
from derivations.language.show import formulas, sentences
from derivations.prove.certificate import Certificate
from derivations.recheck import check

x, c = sp.symbols("x c", real=True)
a, b, e, k, n, p, s, t, T, a0 = sp.symbols("a b e k n p s t T a0", positive=True)
oo, half = sp.oo, sp.Rational(1, 2)
UP, DOWN, ZERO = {x: oo}, {x: -oo}, {x: 0}

TRUE: dict[str, tuple[Any, ...]] = {
    "sine": (sp.sin(x) / x, ZERO, 1),
    "cosine": ((1 - sp.cos(a * x)) / x**2, ZERO, a**2 / 2),
    "ratio of sines": (sp.sin(a * x) / sp.sin(b * x), ZERO, a / b),
    "exponential": ((sp.exp(x) - 1) / x, ZERO, 1),
    "third order": ((sp.exp(x) - 1 - x - x**2 / 2) / x**3, ZERO, sp.Rational(1, 6)),
    "root": ((sp.sqrt(1 + x) - 1) / x, ZERO, half),
    "logarithm": (sp.log(1 + c * x) / x, ZERO, c),
    "Euler's number": ((1 + x) ** (1 / x), ZERO, sp.E),
    "compound interest": ((1 + c / n) ** n, {n: oo}, sp.exp(c)),
    "small steps": ((1 - e * s) ** (t / e), [e], sp.exp(-s * t)),
    "x log x": (x * sp.log(x), ZERO, 0),
    "x to the x": (x**x, ZERO, 1),
    "power beats logarithm": (x**a * sp.log(x), ZERO, 0),
    "entropy": (-x * sp.log(x) - (1 - x) * sp.log(1 - x), ZERO, 0),
    "decay beats power": (sp.exp(-x) * x**k, UP, 0),
    "exponentially small": (sp.exp(-1 / e) / e**k, [e], 0),
    "logarithm at infinity": (sp.log(x) / x**a, UP, 0),
    "tanh": (sp.tanh(x), UP, 1),
    "tanh below": (sp.tanh(x), DOWN, -1),
    "erf": (sp.erf(x), UP, 1),
    "Mills ratio": (x * sp.exp(x**2) * sp.erfc(x), UP, 1 / sp.sqrt(sp.pi)),
    "atan": (sp.atan(x), UP, sp.pi / 2),
    "logistic": (s * sp.exp(2 * s * t) / (sp.exp(2 * s * t) - 1 + s / a0), {t: oo}, s),
    "logistic by 1/t": (s / (1 + (s / a0 - 1) * sp.exp(-2 * s / e)), [e], s),
    "difference of roots": (sp.sqrt(x**2 + x) - x, UP, half),
    "nested roots": (sp.sqrt(x + sp.sqrt(x)) - sp.sqrt(x), UP, half),
    "log-sum-exp": (T * sp.log(sp.exp(a / T) + sp.exp(b / T)), [T], a, [a > b]),
    "largest base": ((a**x + b**x) ** (1 / x), UP, a, [a > b]),
    "geometric mean": (((a**x + b**x) / 2) ** (1 / x), ZERO, sp.sqrt(a * b)),
    "geometric decay": (c**n, {n: oo}, 0, [c > 0, c < 1]),
    "sign of an exponential": (x / (sp.exp(a) - 1 + x**2), UP, 0),
    "slope at a positive number": (sp.tanh(a) * x, UP, oo),
    "which exponential is larger": (x * (sp.exp(a) - sp.exp(b)), UP, oo, [a > b]),
    "softplus": (sp.log(1 + sp.exp(x)) / x, UP, 1),
    "softplus below": (sp.log(1 + sp.exp(x)), DOWN, 0),
    "sigmoid": (1 / (1 + sp.exp(-x)), DOWN, 0),
    "squeezed": (sp.sin(x) / x, UP, 0),
    "squeezed at zero": (x * sp.sin(1 / x), ZERO, 0),
    "pole": (1 / x, ZERO, oo),
    "pole from below": (1 / x, {x: (0, "-")}, -oo),
    "tangent": (sp.tan(x), {x: (sp.pi / 2, "-")}, oo),
    "slope of log": ((sp.log(x) - sp.log(a)) / (x - a), {x: a}, 1 / a),
    "at one": (sp.log(x) / (x - 1), {x: (1, "-")}, 1),
    "absolute value": (sp.Abs(x) / x, {x: (0, "-")}, -1),
    "any coefficient": ((c * x + x**2) / x, ZERO, c),
    "hypothesis near the limit": (x / (x - c), UP, 1, [x > c]),
    "acosh": (sp.acosh(x) - sp.log(x), UP, sp.log(2)),
    "derivative": (sp.Derivative(sp.log(1 + sp.exp(x)), x), UP, 1),
    "slope of erf": ((sp.erf(a + x) - sp.erf(a)) / x, ZERO, 2 / sp.sqrt(sp.pi) * sp.exp(-(a**2))),
}
FALSE: dict[str, tuple[Any, ...]] = {
    "a power against an exponential": (x**a * sp.exp(-x), UP, 1),
    "a power alone": (x**a, UP, a),
    "another value": (sp.sin(x) / x, ZERO, 2),
    "another value for some parameters": ((1 + c / n) ** n, {n: oo}, 1 + c),
    "infinite": (1 / x, ZERO, 2),
    "the other infinity": (1 / x, {x: (0, "-")}, oo),
    "finite": (sp.tanh(x), UP, oo),
    "equal powers written differently": ((x**a - x**b) / x ** (5 * a), ZERO, oo, [sp.Eq(a, b)]),
    "equal exponentials written differently": (
        (sp.exp(-(x**a)) - sp.exp(-(x**b))) * sp.exp(2 * x**a),
        UP,
        oo,
        [sp.Eq(a, b)],
    ),
    "which decays faster": (sp.exp(-a * x) / (sp.exp(-a * x) + sp.exp(-b * x)), UP, 0),
    "a sign that is not said": (c * x, UP, oo),
}
UNDECIDED: dict[str, tuple[Any, ...]] = {
    "a power of what is negative": (x**a * (sp.pi / 2 - sp.atan(x)), DOWN, sp.exp(a)),
    "oscillates at zero": (sp.sin(1 / x), ZERO, 0),
    "oscillates at infinity": (sp.cos(x), UP, 1),
    "grows and oscillates": (x * sp.sin(x), UP, oo),
    "divided by what oscillates": (x / (2 + sp.sin(x)), UP, oo),
    "no value near the limit": (sp.log(x), {x: (0, "-")}, -oo),
    "no value though it cancels": (sp.Add(x, sp.log(x), -sp.log(x), evaluate=False), DOWN, -oo),
    "no value under a derivative": (sp.Derivative(sp.log(x), x), DOWN, 0),
    "root of what is negative": (sp.Pow(sp.sqrt(x - 1, evaluate=False), 2, evaluate=False) - x, ZERO, -1),
    "power of what is negative": (x ** sp.Rational(1, 3), DOWN, -oo),
    "asin outside its domain": (sp.asin(x), {x: 1}, sp.pi / 2),
    "coefficient that may vanish": (x / (c * x + x**2), ZERO, 1 / c),
    "hypothesis that keeps away": (x, UP, oo, [x < 5]),
    "variable that is tied": (x, UP, oo, [sp.Eq(x, c)]),
}
BEYOND_THE_TABLE: dict[str, tuple[Any, ...]] = {
    # true, but no step scales an exponential of an exponential, or a logarithm of a logarithm
    "log of log": (sp.log(sp.log(x)) / sp.log(x), UP, 0),
    "tower": (sp.exp(x + sp.exp(-x)) - sp.exp(x), UP, 1),
    "double exponential": (sp.exp(sp.exp(x)) / sp.exp(x**5), UP, oo),
}


def decided(case: tuple[Any, ...]) -> Certificate:
    """The certificate of a limit, which the checker accepts unless it is open."""
    certificate = prove.limit(*case)
    if certificate.verdict.value != "open":
        check(json.loads(json.dumps(certificate.as_json())))
    return certificate


@pytest.mark.parametrize("name", TRUE)
def test_a_limit_is_proved(name: str) -> None:
    assert decided(TRUE[name]).verdict.value == "proved"


@pytest.mark.parametrize("name", FALSE)
def test_another_limit_refutes(name: str) -> None:
    certificate = decided(FALSE[name])
    assert certificate.verdict.value == "refuted"
    assert certificate.witness is None or certificate.witness["left"] != certificate.witness["right"]


@pytest.mark.parametrize("name", UNDECIDED)
def test_what_has_no_limit_or_no_value_is_open(name: str) -> None:
    certificate = prove.limit(*UNDECIDED[name])
    assert certificate.verdict.value == "open"
    assert certificate.reason


@pytest.mark.parametrize("name", BEYOND_THE_TABLE)
def test_a_limit_beyond_the_table_is_open(name: str) -> None:
    certificate = prove.limit(*BEYOND_THE_TABLE[name])
    assert certificate.verdict.value == "open"
    assert certificate.reason


@pytest.mark.parametrize("name", [*TRUE, *BEYOND_THE_TABLE])
def test_a_limit_that_is_off_is_never_proved(name: str) -> None:
    expression, to, value, *assuming = (TRUE | BEYOND_THE_TABLE)[name]
    off = -value if value in (oo, -oo) else value + half
    assert decided((expression, to, off, *assuming)).verdict.value != "proved"


@pytest.mark.parametrize(
    ("f", "g", "scale", "order"),
    [
        (sp.tanh(e), e, {e: 1}, None),
        (sp.sqrt(1 + e) - 1, e / 2, {e: 1}, None),
        (1 / (1 - e), 1 + e + e**2, {e: 1}, 2),
        (sp.exp(e), 1 + e, {e: 1}, 1),
        (sp.sin(e), e, {e: 1}, 2),
        (sp.sqrt(p**2 + p), p, {p: -1}, None),
        (sp.exp(a) - 1 - a + b, b + a**2 / 2, {a: 1, b: 2}, None),
        (sp.log(1 + a * b) / b, a, {a: 1, b: 1}, None),
    ],
)
def test_leading_orders_and_expansions(f: Any, g: Any, scale: Any, order: int | None) -> None:
    certificate = prove.leading_order(f, g, scale, order=order)
    assert certificate.verdict.value == "proved"
    check(json.loads(json.dumps(certificate.as_json())))


def test_an_expansion_to_one_order_more_is_not_proved() -> None:
    assert prove.leading_order(sp.sin(e), e, {e: 1}, order=3).verdict.value == "refuted"
    assert prove.leading_order(sp.exp(e), 1 + e, {e: 1}, order=2).verdict.value == "refuted"


def test_where_a_variable_goes_is_read_and_written() -> None:
    statement = prove.limit(sp.log(-x), {x: (0, "-")}, -oo).statement
    assert statement["towards"] == ["below", ("q", "0")]
    assert sentences(statement) == ["log(-x) -> -oo as x -> 0 from below"]
    assert formulas(statement) == [r"\lim_{x\to 0^-}\operatorname{log}\left(-x\right)=-\infty"]
    assert sentences(prove.limit(sp.tanh(x), UP, 1).statement) == ["tanh(x) -> 1 as x -> oo"]
    assert "towards" not in prove.limit(a, {a: 0}, 0).statement


@pytest.mark.parametrize(
    ("to", "said"),
    [
        ({x: (0, "left")}, "a side '\\+' or '-'"),
        ({x: 0, c: 1}, "only one variable"),
        ({x: x + 1}, "which speaks of it"),
        ([x], "declared positive"),
        (x, "list of symbols"),
        ({}, "at least one variable"),
    ],
)
def test_places_that_are_none_are_refused(to: Any, said: str) -> None:
    with pytest.raises(prove.NotExact, match=said):
        prove.limit(x**2, to, 0)
