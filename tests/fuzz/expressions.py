"""Random expressions, and rewritings of them that are right or wrong."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import sympy as sp

x, y = sp.symbols("x y", real=True)
p, q = sp.symbols("p q", positive=True)
n = sp.Symbol("n", nonnegative=True)
t = sp.Symbol("t", nonnegative=True)
SYMBOLS = (x, y, p, q, n)
NUMBERS = [sp.Rational(a, b) for a in (-3, -2, -1, 1, 2, 3, 5) for b in (1, 2, 3)]
SMOOTH = (sp.exp, sp.sinh, sp.cosh, sp.tanh, sp.sin, sp.cos, sp.erf)


def expression(rng: random.Random, depth: int, symbols: tuple[Any, ...] = SYMBOLS) -> Any:
    """A random expression; what SymPy finds undefined is drawn again."""
    while True:
        drawn = _drawn(rng, depth, symbols)
        if not drawn.has(sp.oo, sp.zoo, sp.nan, sp.I, sp.sign, sp.Piecewise, sp.Max, sp.Min, sp.re, sp.im, sp.arg):
            return drawn


def _drawn(rng: random.Random, depth: int, symbols: tuple[Any, ...]) -> Any:
    if depth == 0 or rng.random() < 0.12:
        return rng.choice(symbols) if rng.random() < 0.75 else rng.choice(NUMBERS)
    a = _drawn(rng, depth - 1, symbols)
    roll = rng.random()
    if roll < 0.3:
        return a + _drawn(rng, depth - 1, symbols)
    if roll < 0.55:
        return a * _drawn(rng, depth - 1, symbols)
    if roll < 0.63:
        return a ** rng.choice((-2, -1, 2, 3))
    if roll < 0.74:
        return a ** sp.Rational(rng.choice((1, 1, 3, -1)), rng.choice((2, 2, 3)))
    if roll < 0.82:
        return sp.log(a)
    if roll < 0.86:
        return sp.Abs(a)
    return (rng.choice(SMOOTH) if rng.random() < 0.6 else sp.exp)(a)


Rewriting = Callable[[Any, random.Random], Any]


def _somewhere(change: Rewriting) -> Rewriting:
    """The change made to one part, drawn by chance."""

    def rewritten(e: Any, rng: random.Random) -> Any:
        part = rng.choice([a for a in sp.preorder_traversal(e) if isinstance(a, sp.Expr)])
        return e.xreplace({part: change(part, rng)})

    return rewritten


def _other_number(e: Any, rng: random.Random) -> Any:
    return e + rng.choice(NUMBERS) * rng.choice((sp.Integer(1), sp.Rational(1, 10**12), rng.choice(SYMBOLS)))


SOUND: tuple[Rewriting, ...] = (
    lambda e, _: sp.expand(e),
    lambda e, _: sp.together(e),
    lambda e, _: e.rewrite(sp.exp),
    lambda e, rng: sp.Mul(e, rng.choice(NUMBERS) ** 2, evaluate=False) / 1,
    _somewhere(lambda e, _: sp.sqrt(e**2) if e.is_nonnegative else e),
    _somewhere(lambda e, _: sp.log(sp.exp(e))),
    _somewhere(lambda e, rng: e + (f := rng.choice(SYMBOLS)) - f),
    _somewhere(lambda e, rng: (e * (1 + rng.choice(SYMBOLS) ** 2)).expand() / 1),
    lambda e, rng: (e * (f := rng.choice((p, q, p + q, sp.exp(x))))) / f,
)
RISKY: tuple[Rewriting, ...] = (
    _somewhere(lambda e, _: sp.sqrt(e**2)),
    _somewhere(lambda e, _: sp.sqrt(e) ** 2),
    _somewhere(lambda e, _: sp.exp(sp.log(e))),
    _somewhere(lambda e, _: -e),
    _somewhere(lambda e, _: sp.Abs(e)),
    _somewhere(lambda e, rng: e.xreplace({rng.choice(SYMBOLS): rng.choice(SYMBOLS)})),
    lambda e, _: sp.powdenest(e, force=True),
    lambda e, _: sp.expand_log(e, force=True),
    lambda e, _: sp.expand_power_base(e, force=True),
    lambda e, _: sp.logcombine(e, force=True),
    _somewhere(_other_number),
    _other_number,
)


def rewritten(e: Any, rng: random.Random) -> Any:
    """The expression after up to three rewritings, the wrong ones as often as the right ones."""
    for _ in range(rng.randint(1, 3)):
        e = rng.choice(SOUND if rng.random() < 0.5 else RISKY)(e, rng)
    return e


def points(rng: random.Random, symbols: Any, count: int) -> list[dict[Any, Any]]:
    """Random points that satisfy the symbols' assumptions."""
    found = []
    for _ in range(count):
        size = sp.Rational(rng.choice((1, 1, 1, 5)), rng.choice((1, 1, 20)))
        draw = {s: sp.Rational(rng.randint(1, 997), 331) * size for s in symbols}
        found.append({s: v if s.is_nonnegative or rng.random() < 0.5 else -v for s, v in draw.items()})
    return found
