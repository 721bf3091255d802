"""Averages for any activation, by sums over nodes in the directions of the fields, with an estimate of the error.

The fields in slopes are the outer directions. Given them, the other fields c and d have means, variances and a
correlation r, and

    <g(c) g(d)> = sum_n r^n c_n d_n,    c_n = <g(c) He_n(z)>/sqrt(n!),    c = mean + sqrt(variance) z,

so that no sum has more than three dimensions, and singular covariances are nothing special. A linear factor only needs
c_0 and c_1. Nodes are equidistant, from -L to L with L^3 in proportion to their number: for functions that are analytic
near the real axis this converges faster than Gauss-Hermite rules (for tanh of a field of variance 1.3, 40 nodes leave
3e-8 instead of 2e-6).

The estimate is SAFETY times the largest change from rule to rule. It is no bound. Where g is smooth it exceeds the
error many times; where g has a corner or its slope a jump, the error falls like a power of the size, and the factor
makes up for that, unless two such fields are nearly parallel, so that no node lies between their corners.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from numerics import NumericsError

Floats = NDArray[np.float64]
Elementwise = Callable[[Floats], Floats]
Activation = str | tuple[Elementwise, Elementwise]

MODULES = {"tanh": "numerics.theory.teacher_student.flows.tanh"}  # short names of modules with functions g and slope
RULES = ((29, 40, 41), (117, 160, 161), (469, 640, 641))  # an odd one has a node where fields vanish
RULES_OF_I4 = (*RULES[:1], (57, 80, 81))  # whose sums have three dimensions
ENOUGH, ENOUGH_OF_I4 = 1e-12, 1e-7  # estimates, relative to the Cauchy-Schwarz bound, at which no larger rule is tried
TABLE_SIZES = (55, 80)  # for sums over I2 of all pairs
SAFETY = 16.0
RANGE = 10.0  # where a rule ends, cubed, for each node: for a function with poles at a distance of RANGE/(2 pi)
ROUNDING = 1e-14  # what is added to an estimate, relative to the Cauchy-Schwarz bound


class QuadratureError(NumericsError):
    """A name that is not that of an activation; the message says why in one sentence."""


@dataclass(frozen=True)
class Smooth:
    """An activation and its slope, as functions of an array."""

    g: Elementwise
    slope: Elementwise


def smooth(activation: Activation) -> Smooth:
    """The functions of a pair, of a short name or of a module; refused with a sentence where there are none."""
    if isinstance(activation, str):
        module = module_of(activation)
        found = tuple(getattr(import_module(module), name, None) for name in ("g", "slope"))
    else:
        module, found = "the activation", activation
    match found:
        case (g, slope) if callable(g) and callable(slope):
            return Smooth(g, slope)
    raise QuadratureError(f"{module} must give two functions, g and its slope")


def module_of(activation: str) -> str:
    """The module of an activation given by name."""
    module = MODULES.get(activation, activation)
    try:
        exists = "." in module and find_spec(module) is not None
    except (ImportError, ValueError):
        exists = False
    if not exists:
        raise QuadratureError(f"there is no activation {activation!r}, and no module of this name that defines one")
    return module


def estimated(name: str, C: Floats, functions: Smooth) -> tuple[float, float]:
    """An average for one covariance, and an estimate of its error."""
    bound = 1.0 if name == "J2" else sqrt(abs(C[-1, -1] * C[-2, -2]))
    rules, enough = (RULES_OF_I4, ENOUGH_OF_I4) if name == "I4" else (RULES, ENOUGH)
    for sizes in rules:
        values = [average(name, C, functions, size) for size in sizes]
        change = SAFETY * max(abs(after - before) for before, after in pairwise(values))
        if change <= enough * bound:
            break
    return values[-1], change + ROUNDING * max(bound, abs(values[-1]))


def average(name: str, C: Floats, functions: Smooth, size: int) -> float:
    """An average for one covariance, by rules of this size."""
    nodes, weights, _ = rule(size, 2)
    outer = 2 if name == "I4" else 1
    L, rest = leading(C, outer)
    means = np.stack(np.meshgrid(*[nodes] * outer, indexing="ij"), axis=-1).reshape(-1, outer) @ L.T
    chances = np.prod(np.stack(np.meshgrid(*[weights] * outer, indexing="ij")), axis=0).ravel()
    slopes = np.prod([functions.slope(means[:, f]) for f in range(outer)], axis=0)
    if name == "J2":
        return float(chances @ (slopes * series(means, rest, 1, functions.slope, size)[0]))
    if name == "I2":
        return float(chances @ (functions.g(means[:, 0]) * series(means, rest, 1, functions.g, size)[0]))
    if name == "I3":
        last = series(means, rest, 2, functions.g, size)
        along = rest[1, 2] / sqrt(rest[2, 2]) if rest[2, 2] > 0 else 0.0
        return float(chances @ (slopes * (means[:, 1] * last[0] + along * last[1])))
    before, last = (series(means, rest, field, functions.g, size, size) for field in (2, 3))
    scale = sqrt(rest[2, 2] * rest[3, 3])
    r = rest[2, 3] / scale if scale > 0 else 0.0
    powers = r ** np.arange(size)
    return float(chances @ (slopes * (powers @ (before * last))))


def I2_table(C: Floats, functions: Smooth, size: int) -> Floats:
    """I2 of every pair of fields, for a stack of covariances (steps, n, n), by rules of this size."""
    nodes, weights, _ = rule(size)
    table = np.empty_like(C)
    sizes = np.sqrt(np.maximum(np.diagonal(C, axis1=1, axis2=2), 0.0))
    for a in range(C.shape[1]):
        first = functions.g(sizes[:, a, None] * nodes) * weights
        for b in range(a + 1):
            along = np.divide(C[:, a, b], sizes[:, a], out=np.zeros(len(C)), where=sizes[:, a] > 0)
            rest = np.sqrt(np.maximum(C[:, b, b] - along**2, 0.0)) if a != b else np.zeros(len(C))
            second = functions.g(along[:, None, None] * nodes[:, None] + rest[:, None, None] * nodes) @ weights
            table[:, a, b] = table[:, b, a] = np.sum(first * second, axis=1)
    return table


def series(  # noqa: PLR0917
    means: Floats, rest: Floats, field: int, function: Elementwise, size: int, order: int = 2
) -> Floats:
    """The first coefficients c_n of a function of a field, at every node of the outer directions."""
    nodes, _, polynomials = rule(size, order)
    found: Floats = polynomials @ function(means[:, field] + sqrt(rest[field, field]) * nodes[:, None])
    return found


def leading(C: Floats, outer: int) -> tuple[Floats, Floats]:
    """How all fields depend on the first directions, and the covariance that is left."""
    L, rest = np.zeros((len(C), outer)), C.copy()
    for k in range(outer):
        if rest[k, k] > 0:
            L[:, k] = rest[:, k] / sqrt(rest[k, k])
        rest = rest - np.outer(L[:, k], L[:, k])
        rest[k, :] = rest[:, k] = 0.0
    diagonal = np.maximum(np.diagonal(rest), 0.0)
    legs = np.sqrt(np.outer(diagonal, diagonal))
    return L, np.clip(rest, -legs, legs)


@cache
def rule(size: int, order: int | None = None) -> tuple[Floats, Floats, Floats]:
    """Nodes and weights for a normal variable, and so many weighted polynomials He_n/sqrt(n!), a row for each n."""
    end = (RANGE * size) ** (1 / 3)
    nodes = np.linspace(-end, end, size)
    weights = np.exp(-(nodes**2) / 2)
    weights /= weights.sum()
    rows = [np.ones(size), nodes]
    for n in range(2, size if order is None else order):
        rows.append((nodes * rows[-1] - sqrt(n - 1) * rows[-2]) / sqrt(n))
    return nodes, weights, np.array(rows) * weights
