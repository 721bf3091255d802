"""Inequalities between matrices of any size, and between integrals, with numbers that contradict false ones."""

from __future__ import annotations

import random
from functools import reduce
from operator import add, matmul
from typing import Any

import numpy as np
import sympy as sp
from fuzz.expressions import p, q
from fuzz.grammar import Grammar, undefined
from fuzz.search import NOWHERE, Point, Search, searched, spoken, supposed
from fuzz.values import NoValue, value
from mpmath import mpf, quad

from derivations.language.words import Letter, identity, norm2, trace
from derivations.prove.words import statement as of_words
from derivations.prove.words.loewner import statement as of_order

A, B = (Letter(name, "n", "n", symmetric=True) for name in "AB")
A_inv = Letter("A_inv", "n", "n", inverse_of=A)
M, X, Y = Letter("M", "n", "n"), Letter("X", "n", "m"), Letter("Y", "n", "m")
U = Letter("U", "n", "m", orthonormal_columns=True)
H, Q = Letter("S", "n", "n", symmetric=True), Letter("Q", "n", "n", orthonormal_columns=True)
c = Letter("c", 1, 1, positive=True)
I, I_m = identity("n"), identity("m")
Values = dict[str, Any]
FOUND = 1e-6


# --- matrices ---------------------------------------------------------------------------------------------------------


def in_numbers(formula: Any, at: Values) -> Any:
    """The value of a formula of a statement, as numpy multiplies."""
    head, *parts = formula
    if head == "L":
        return np.linalg.inv(at["A"]) if parts[0] == "A_inv" else at[parts[0]]
    if head == "q":
        return np.array([[float(sp.Rational(parts[0]))]])
    if head == "I":
        return np.eye(at[parts[0]])
    if head == "0":
        return np.zeros([size if size == 1 else at[size] for size in parts])
    if head == "^":
        return reduce(matmul, [in_numbers(parts[0], at)] * int(parts[1]))
    inner = [in_numbers(part, at) for part in parts]
    if head == "T":
        return inner[0].T
    if head == "tr":
        return np.array([[np.trace(inner[0])]])
    if head == "norm2":
        return np.array([[np.sum(inner[0] ** 2)]])
    if head == "*":
        return reduce(lambda left, right: left * right if 1 in (left.size, right.size) else left @ right, inner)
    return reduce({"@": matmul, "+": add}[head], inner)


def gap(relation: Any, at: Values) -> Any:
    return in_numbers(relation["left"]["formula"], at) - in_numbers(relation["right"]["formula"], at)


def negative(claim: Any, supposed_orders: Any) -> Search:
    """The search for matrices that satisfy the hypotheses and make what is claimed not symmetric, or negative."""
    statement = of_order(claim, supposed_orders)
    orders = statement.get("orders", ())

    def held(order: Any, at: Values) -> bool:
        lowest = np.linalg.eigvalsh(gap(order, at)).min()
        return bool(lowest > FOUND or (order["relation"] == ">=" and lowest > -1e-12))

    def found(rng: random.Random) -> Any:
        generator = np.random.default_rng(rng.randrange(10**9))
        for _ in range(40):
            at = values(generator, rng, orders)
            try:
                if not np.linalg.cond(at["A"]) < 1e4 or not all(held(order, at) for order in orders):
                    continue
                whole = gap(statement, at)
            except np.linalg.LinAlgError:
                continue
            size = 1 + np.abs(whole).max()
            if np.abs(whole - whole.T).max() > FOUND * size or np.linalg.eigvalsh(whole).min() < -FOUND * size:
                return {name: at[name].tolist() for name in "ABMXYU"}
            if statement["relation"] == ">" and np.abs(np.linalg.eigvalsh(whole)).min() < 1e-13 and not at["X"].any():
                return "not definite where X = 0"
        return None

    return found


def values(generator: Any, rng: random.Random, orders: Any) -> Values:
    """Matrices of which most satisfy the hypotheses: B and A are moved until they do, one order after the other."""
    n = rng.choice((1, 1, 2, 2, 3))
    m = min(n, rng.choice((1, 2, 3)))
    scale = rng.choice((1.0, 0.1, 4.0))
    X, Y, M = (generator.normal(size=size) * rng.choice((0.0, 1, 1, 0.3, 5)) for size in ((n, m), (n, m), (n, n)))
    A, B = (scale * (half + half.T) for half in (generator.normal(size=(n, n)), generator.normal(size=(n, n))))
    U = np.linalg.qr(generator.normal(size=(n, m)))[0]
    at = {"A": A, "B": B, "M": M, "X": X, "Y": Y, "U": U, "c": np.array([[scale]]), "n": n, "m": m}
    for _ in range(3):
        for order in orders:
            lowest = float(np.linalg.eigvalsh(gap(order, at)).min())
            room = rng.choice((0.0, 1e-3, 1)) if order["relation"] == ">=" else rng.choice((1e-3, 1))
            if lowest < room:
                _move(at, order, (room - lowest) * rng.choice((1, 1, 1.5)))
    return at


def _move(at: Values, order: Any, by: float) -> None:
    """Add to a letter of the greater side, or take from one of the smaller side, so much of the identity."""
    greater, smaller = (str(order[side]["formula"]) for side in ("left", "right"))
    for name, side in (("A", greater), ("c", greater), ("B", greater), ("B", smaller), ("A", smaller)):
        if f"'L', '{name}'" in side:
            unit = np.eye(at["n"]) if name != "c" else np.ones((1, 1))
            at[name] = at[name] + (by if side is greater else -by) * unit
            return


def unequal(left: Any, right: Any) -> Search:
    """The search for a size at which two words differ at random matrices."""
    statement = of_words(left, right)

    def found(rng: random.Random) -> Any:
        generator = np.random.default_rng(rng.randrange(10**9))
        for size in (2, 3, 1):
            at = {"n": size} | {name: generator.normal(size=(size, size)) for name in "ABSQ"}
            at |= {name: at[name] + at[name].T for name in "ABS"} | {"Q": np.linalg.qr(at["Q"])[0]}
            if not np.allclose(gap(statement, at), 0, atol=1e-8):
                return {"size": size}
        return None

    return found


# --- integrals --------------------------------------------------------------------------------------------------------

z = sp.Symbol("z", real=True)


def unfit(*sides: Any) -> bool:
    """Check whether a side has no value, or whether SymPy has carried an integral out to an infinite one."""
    nodes = [node for side in sides for node in side.atoms(sp.Integral)]
    plain = [side.xreplace(dict.fromkeys(nodes, sp.S.One)) for side in sides]
    return undefined(*plain, *(node.function for node in nodes))


def empty(low: Any, high: Any) -> bool:
    return low in (high, sp.oo) or low == -sp.oo


def area(node: Any, at: Point) -> Any:
    (_, low, high), f = node.limits[0], node.function
    ends = [mpf("inf") * (1 if end == sp.oo else -1) if end.is_infinite else value(end, at) for end in (low, high)]
    breaks = [mpf(k) / 4 for k in range(-12, 13)] + [value(at[s], {}) for s in at]
    between = sorted({b for b in breaks if min(ends) < b < max(ends)}, reverse=ends[0] > ends[1])
    whole, error = quad(
        lambda w: value(f.replace(sp.Heaviside, lambda e: (1 + sp.sign(e)) / 2), {**at, z: w}, 20),
        [ends[0], *between, ends[1]], error=True, maxdegree=5,
    )  # fmt: skip
    if error > FOUND * (1 + abs(whole)) or (
        sp.oo in (low, high) and abs(value(f, {**at, z: sp.Integer(5000)}, 20)) > 1e-4
    ):
        raise NoValue
    return whole


def worth(side: Any, at: Point) -> Any:
    stands = {node: sp.Dummy() for node in sorted(side.atoms(sp.Integral), key=str)}
    return value(side.xreplace(stands), {**at, **{letter: area(node, at) for node, letter in stands.items()}})


def larger(sides: Any, assuming: Any) -> Search:
    """The search for numbers at which the left side is the larger one."""

    def bad(at: Point) -> bool:
        a, b = (worth(side, at) for side in sides)
        return bool(a > b + 1e-5 * (1 + abs(a) + abs(b)))

    return searched(bad, sides, assuming, z, count=5)


def not_clear(sides: Any) -> Any:
    """At a point of a refutation, numbers do not clearly show the contrary."""

    def unclear(at: Point) -> bool:
        try:
            a, b = (worth(side, at) for side in sides)
        except NOWHERE:
            return True
        return not a < b - 1e-5 * (1 + abs(a) + abs(b))

    return unclear


MAKERS = Grammar(__file__, globals()).makers()
USED_BY_LINES = (Y, H, Q, U, I_m, M, c, A_inv, norm2, trace, q, p, spoken, supposed, unfit, empty, not_clear)
