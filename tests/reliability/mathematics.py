"""Expressions, words, sums and certificates that nobody should give, made from ones that are sound."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sympy as sp

from derivations import prove
from derivations.language import sums, words
from derivations.language.averages import Integrand, field
from derivations.prove.certificate import Certificate

MADE = prove.identity(sp.Symbol("x"), sp.Symbol("x"))
x, n = sp.symbols("x n", real=True)
A, B = words.Letter("A", "n", "n"), words.Letter("B", "n", "m")
K = sums.Range("K")
OBJECTS: list[Any] = [
    x, sp.Symbol("x"), sp.Symbol("y", commutative=False), sp.Dummy("x"), sp.Symbol("a b"), sp.Symbol(""),
    sp.Symbol("\0é"), sp.I, sp.oo, -sp.oo, sp.zoo, sp.nan, sp.pi, sp.Float("0.5"), sp.Integer(10) ** 400,
    sp.Rational(1, 3), sp.GoldenRatio, sp.true, sp.false, x > 0, sp.Eq(x, 1), sp.Eq(x, 1) | (x > 2),
    sp.Function("f"), sp.Function("f")(x), sp.sin, sp.Lambda(x, x), sp.Matrix([[x]]), sp.Matrix(0, 0, []),
    sp.eye(2), sp.MatrixSymbol("M", n, n), sp.Interval(0, 1), sp.FiniteSet(1), sp.Tuple(x, 1),
    sp.Integral(1 / x, x), sp.Integral(1 / x, (x, 0, 1)), sp.Derivative(x**2, x), sp.Sum(x, (x, 1, n)),
    sp.Limit(1 / x, x, 0), sp.Piecewise((x, x > 0)), sp.Piecewise((1, x > 0), (2, True)), 1 / sp.Integer(0), x**x,
    sp.gamma(x), sp.Heaviside(x), sp.Order(x), sp.Mod(x, 2), sp.floor(x), sp.conjugate(sp.Symbol("z")),
    sp.exp(sp.exp(sp.exp(x))), (1 + x) ** 10**6, x ** sp.Rational(10**30, 7), sp.log(0, evaluate=False),
    sp.Pow(0, -1, evaluate=False), sp.asin(2 * x), sp.Symbol("1"), A, B, A @ B, words.number(2),
    words.zero("n", "m"), A >= 0, sums.number(2), K, K.index("k"), sums.Array("g", K), field(0), Integrand(()),
    prove.positive(x**2 + 1), prove.identity(x, x), prove.ends(1), prove,
]  # fmt: skip
CODE = "__import__('sys').modules['reliability.mathematics'].RUN.append(1)"
RUN: list[int] = []
"""Evidence that text was evaluated."""


def is_mathematics(value: Any) -> bool:
    """Check whether a value is an object of SymPy or of `derivations`."""
    return str(type(value).__module__).startswith(("sympy", "derivations"))


def strange_object(value: Any, rng: random.Random, strange: Callable[[Any, random.Random], Any]) -> Any:
    """Something else than this object, often made of it."""
    if rng.random() < 0.4:
        return rng.choice(OBJECTS)
    if isinstance(value, Certificate):
        return strange_certificate(value, rng, strange)
    if isinstance(value, words.Words | sums.Sums):
        return rng.choice([value, value * 2, [value], str(value), CODE, getattr(value, "T", value)])
    if isinstance(value, sp.Basic | sp.MatrixBase):
        return strange_expression(value, rng)
    return rng.choice([[value], str(value), (value, value), {"x": value}])


def strange_expression(value: Any, rng: random.Random) -> Any:
    """Text, a float, a list, or an expression with something foreign in it."""
    ways: list[Callable[[], Any]] = [
        lambda: str(value), lambda: CODE, lambda: [value], lambda: (value, value), lambda: {value: value},
        lambda: sp.N(value), lambda: value * sp.I, lambda: value + sp.oo, lambda: -value, lambda: value / 0,
        lambda: sp.Pow(value, rng.choice([sp.Rational(1, 2), x, -1, 10**9]), evaluate=False),
        lambda: value * rng.choice(OBJECTS), lambda: value + rng.choice(OBJECTS), lambda: sp.Eq(value, 0),
        lambda: sp.sin(value), lambda: value > 0,
        lambda: value.xreplace({s: rng.choice(OBJECTS) for s in sorted(value.free_symbols, key=str)[:1]}),
    ]  # fmt: skip
    try:
        return rng.choice(ways)()
    except Exception:  # SymPy makes no such thing
        return rng.choice(OBJECTS)


def strange_certificate(value: Certificate, rng: random.Random, strange: Callable[[Any, random.Random], Any]) -> Any:
    """One of another verdict, statement or payload."""
    name = rng.choice(["statement", "verdict", "method", "payload", "reason"])
    return replace(value, **{name: rng.choice([getattr(MADE, name), strange(None, rng)])})
