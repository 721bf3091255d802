"""Expressions, words, sums and certificates that nobody should give, made from ones that are sound."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sympy as sp
from case_files import Cases

from derivations import prove
from derivations.language import sums, words
from derivations.prove.certificate import Certificate

FAMILIES = Cases(__file__, globals())

MADE = prove.identity(sp.Symbol("x"), sp.Symbol("x"))
x, n = sp.symbols("x n", real=True)
A, B = words.Letter("A", "n", "n"), words.Letter("B", "n", "m")
K = sums.Range("K")
OBJECTS: list[Any] = FAMILIES["objects"]  # fmt: skip
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
