"""Random inequalities between matrices of any size, and between integrals, with numbers that contradict false ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np
import sympy as sp
from case_files import Cases
from fuzz.calculus import PRIMITIVES, _searched, _spoken, _supposed
from fuzz.drawn import Drawn
from fuzz.expressions import p, q
from fuzz.values import NoValue, value
from mpmath import mpf, quad

from derivations import prove
from derivations.language.words import Letter, identity, norm2, trace

FAMILIES = Cases(__file__, globals())

A, B = (Letter(name, "n", "n", symmetric=True) for name in "AB")
A_inv = Letter("A_inv", "n", "n", inverse_of=A)
M, X, Y = Letter("M", "n", "n"), Letter("X", "n", "m"), Letter("Y", "n", "m")
U = Letter("U", "n", "m", orthonormal_columns=True)
c = Letter("c", 1, 1, positive=True)
I, I_m = identity("n"), identity("m")
Values = dict[str, Any]
Made = tuple[Any, Callable[[Values], Any]]
LETTERS: dict[str, Made] = {
    "A": (A, lambda v: v["A"]),
    "B": (B, lambda v: v["B"]),
    "M": (M, lambda v: v["M"]),
    "I": (I, lambda v: np.eye(len(v["A"]))),
    "C": (c * I, lambda v: v["c"] * np.eye(len(v["A"]))),
    "A_inv": (A_inv, lambda v: np.linalg.inv(v["A"])),
    "XX": (X @ X.T, lambda v: v["X"] @ v["X"].T),
    "XY": (X @ Y.T, lambda v: v["X"] @ v["Y"].T),
    "UU": (U @ U.T, lambda v: v["U"] @ v["U"].T),
}
SQUARE = ("A", "B", "M", "I", "XY", "A")
HYPOTHESES = FAMILIES["hypotheses"]


def _times(a: Made, b: Made) -> Made:
    return a[0] @ b[0], lambda v: a[1](v) @ b[1](v)


def _plus(a: Made, b: Made, k: int = 1) -> Made:
    return a[0] + k * b[0], lambda v: a[1](v) + k * b[1](v)


def _turned(a: Made) -> Made:
    return a[0].T, lambda v: a[1](v).T


def _term(rng: random.Random) -> Made:
    """A symmetric term: a core between a map and its transpose, a product with its transpose, or one letter."""
    roll = rng.random()
    maps = [LETTERS[rng.choice(SQUARE)] for _ in range(rng.choice((1, 1, 2)))]
    around = reduce(_times, maps)
    if rng.random() < 0.3:
        around = _plus(around, LETTERS[rng.choice(SQUARE)], rng.choice((1, -1, 2)))
    if roll < 0.35:
        core = LETTERS[rng.choice(("A", "B", "I", "XX", "C"))]
        return _times(_times(_turned(around), core), around)
    if roll < 0.5:
        return _times(_turned(around), around)
    if roll < 0.65:
        return _plus(around, _turned(around))
    return LETTERS[rng.choice(("A", "B", "I", "C", "XX", "UU", "A_inv"))]


def matrix_order(rng: random.Random) -> Drawn:
    """A combination of symmetric terms that is said not to be negative, or traces of it."""
    chosen = rng.sample(HYPOTHESES, rng.choice((0, 1, 1, 2, 2, 3)))
    whole = _term(rng)
    for _ in range(rng.choice((0, 1, 1, 2))):
        whole = _plus(whole, _term(rng), rng.choice((1, 1, -1, 2, -2)))
    roll, strict = rng.random(), rng.random() < 0.35
    if roll < 0.2:
        word, numbers = trace(whole[0]), lambda v: np.array([[np.trace(whole[1](v))]])
    elif roll < 0.3:
        word = norm2(whole[0]) * trace(I) - trace(whole[0]) ** 2
        numbers = lambda v: np.array([[np.sum(whole[1](v) ** 2) * len(v["A"]) - np.trace(whole[1](v)) ** 2]])  # noqa: E731
    elif roll < 0.4:
        word = X.T @ whole[0] @ X
        numbers = lambda v: v["X"].T @ whole[1](v) @ v["X"]  # noqa: E731
    elif roll < 0.5:
        word = I_m + X.T @ whole[0] @ X
        numbers = lambda v: np.eye(v["X"].shape[1]) + v["X"].T @ whole[1](v) @ v["X"]  # noqa: E731
    else:
        word, numbers = whole
    claim = word > 0 if strict else word >= 0

    def negative(r: random.Random) -> Any:
        generator = np.random.default_rng(r.randrange(10**9))
        for _ in range(40):
            values = _values(generator, r, [name for name, *_ in chosen])
            try:
                held = all(
                    (lowest := np.linalg.eigvalsh(gap(values)).min()) > 1e-6 or (not definite and lowest > -1e-12)
                    for _, _, gap, definite in chosen
                )
                if not held or not np.linalg.cond(values["A"]) < 1e4:
                    continue
                found = numbers(values)
            except np.linalg.LinAlgError:
                continue
            size = 1 + np.abs(found).max()
            if np.abs(found - found.T).max() > 1e-6 * size or np.linalg.eigvalsh(found).min() < -1e-6 * size:
                return {name: value.tolist() for name, value in values.items() if name != "c"}
            if strict and np.abs(np.linalg.eigvalsh(found)).min() < 1e-13 and not np.any(values["X"]):
                return "not definite where X = 0"
        return None

    return Drawn(
        "matrix order",
        f"{'>' if strict else '>='} 0: {word} under {[name for name, *_ in chosen]}",
        lambda: prove.loewner(claim, [h for _, h, *_ in chosen]),
        negative,
    )


def _values(generator: Any, rng: random.Random, names: list[str]) -> Values:
    """Matrices of which most satisfy the hypotheses."""
    n, m = rng.choice((1, 1, 2, 2, 3)), rng.choice((1, 2, 3))
    m = min(n, m)
    X, Y, M = (generator.normal(size=s) * rng.choice((0.0, 1, 1, 0.3, 5)) for s in ((n, m), (n, m), (n, n)))
    half, other = generator.normal(size=(n, n)), generator.normal(size=(n, n))
    scale = rng.choice((1.0, 0.1, 4.0))
    B = scale * (half + half.T)
    if "B >= 0" in names or "B >= I" in names:
        B = scale * half @ half.T + (np.eye(n) if "B >= I" in names else 0)
    if "B <= I" in names:
        B = B - max(0.0, np.linalg.eigvalsh(B).max() - rng.choice((1.0, 0.5))) * np.eye(n)
        if "B >= 0" in names:
            B = half @ half.T / (np.linalg.norm(half @ half.T, 2) * rng.choice((1.0000001, 3)))
        if "B >= I" in names:
            B = np.eye(n)
    A = scale * (other + other.T)
    if {"A >= 0", "A > 0", "A >= XX'"} & set(names):
        A = scale * other @ other.T + rng.choice((0.0, 1e-3, 1)) * np.eye(n)
    if "A >= XX'" in names:
        A = A + X @ X.T
    if {"A >= B", "A > B"} & set(names):
        A = B + scale * other @ other.T + 1e-3 * np.eye(n)
        for k in range(8):
            if np.linalg.eigvalsh(A).min() > 0 or not {"A >= 0", "A > 0", "A >= XX'"} & set(names):
                break
            A = A + 2.0**k * np.eye(n)
        if "A >= XX'" in names:
            A = A + X @ X.T
    U = np.linalg.qr(generator.normal(size=(n, m)))[0]
    c = max(1e-3, float(np.linalg.eigvalsh(A).max())) * rng.choice((1.0000001, 2)) if "A <= cI" in names else scale
    return {"A": A, "B": B, "M": M, "X": X, "Y": Y, "U": U, "c": c}


# --- integrals --------------------------------------------------------------------------------------------------------

z = sp.Symbol("z", real=True)
INTEGRANDS = [*(f.diff(z) for f in PRIMITIVES), *FAMILIES["integrands"]]
ENDS = (0, 0, 1, 2, sp.S.Half, p, q, 3, -1, -p, sp.oo)


def _quad(node: Any, at: Any) -> Any:
    (_, low, high), f = node.limits[0], node.function
    ends = [mpf("inf") * (1 if e == sp.oo else -1) if e.is_infinite else value(e, at) for e in (low, high)]
    breaks = [mpf(k) / 4 for k in range(-12, 13)] + [value(at[s], {}) for s in at]
    between = sorted({b for b in breaks if min(ends) < b < max(ends)}, reverse=ends[0] > ends[1])
    whole, error = quad(
        lambda w: value(f.replace(sp.Heaviside, lambda e: (1 + sp.sign(e)) / 2), {**at, z: w}, 20),
        [ends[0], *between, ends[1]], error=True, maxdegree=5,
    )  # fmt: skip
    if error > 1e-6 * (1 + abs(whole)) or (
        sp.oo in (low, high) and abs(value(f, {**at, z: sp.Integer(5000)}, 20)) > 1e-4
    ):
        raise NoValue
    return whole


def integral_order(rng: random.Random) -> Drawn:
    """An integral beside a number, a bound by its integrand, another integral, or its own modulus or square."""
    f = rng.choice(INTEGRANDS)
    low, high = (sp.sympify(rng.choice(ENDS)) for _ in range(2))
    if low in (high, sp.oo) or low == -sp.oo:
        return integral_order(rng)
    g = f + rng.choice((1, -1, 1)) * rng.choice((z**2, sp.S.One, sp.exp(-z), p, sp.sin(z) ** 2 * f, f / 2, z))
    node, other = sp.Integral(f, (z, low, high)), sp.Integral(g, (z, low, high))
    roll = rng.random()
    if roll < 0.35:
        sides = node, other
    elif roll < 0.5:
        sides = sp.Abs(node), sp.Integral(sp.Abs(f), (z, low, high))
    elif roll < 0.6:
        sides = node**2, (high - low) * sp.Integral(f**2, (z, low, high))
    elif roll < 0.8:
        sides = node, sp.sympify(rng.choice((0, 0, 1, p, high - low, high, sp.S.Half, 3, 5)))
    else:
        sides = node, (high - low) * rng.choice((f.subs(z, high), f.subs(z, low), sp.S.One, f.subs(z, 1)))
    if rng.random() < 0.25:
        sides = sides[::-1]
    if any(side.has(sp.zoo, sp.nan, sp.I, sp.AccumBounds) or side in (sp.oo, -sp.oo) for side in sides):
        return integral_order(rng)
    nodes = [i for side in sides for i in side.atoms(sp.Integral)]
    if any(i.function.has(sp.zoo, sp.nan) for i in nodes) or (sides[1].has(sp.oo) and not sides[1].has(sp.Integral)):
        return integral_order(rng)
    strict = rng.random() < 0.3
    relation = (sp.Lt if strict else sp.Le)(*sides, evaluate=False)
    free = _spoken(*sides) - {z}
    assuming = _supposed(rng, free)

    def violated(at: Any) -> bool:
        a, b = (_worth(side, at) for side in sides)
        return bool(a > b + 1e-5 * (1 + abs(a) + abs(b)))

    return Drawn(
        "integral order",
        f"{relation} under {assuming}",
        lambda: prove.inequality(relation, assuming),
        _searched(violated, _spoken(*sides, *assuming) - {z}, assuming, 5),
        lambda at: not _clearly_holds(sides, at),
    )


def _worth(side: Any, at: Any) -> Any:
    nodes = sorted(side.atoms(sp.Integral), key=str)
    stands = {node: sp.Dummy() for node in nodes}
    found = {stands[node]: _quad(node, at) for node in nodes}
    plain = side.xreplace(stands)
    return value(plain, {**at, **found})


def _clearly_holds(sides: Any, at: Any) -> bool:
    try:
        a, b = (_worth(side, at) for side in sides)
    except (NoValue, ZeroDivisionError, ValueError, OverflowError, TypeError):
        return False
    return bool(a < b - 1e-5 * (1 + abs(a) + abs(b)))
