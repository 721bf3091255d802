"""Averages for any activation, by sums over nodes in the directions of the fields, with an estimate of the error.

The fields in slopes are the outer directions. Given them, the other fields c and d have means, variances and a
correlation r, and

    <g(c) g(d)> = sum_n r^n c_n d_n,    c_n = <g(c) He_n(z)>/sqrt(n!),    c = mean + sqrt(variance) z,

so that no sum has more than three dimensions, and singular covariances are nothing special: where all fields are
multiples of one, the sum has one dimension. A linear factor only needs c_0 and c_1.

Nodes reach from -L to L with L^3 in proportion to their number. For the series of I4, and in tables, they are
equidistant: for functions that are analytic near the real axis this converges faster than Gauss-Hermite rules (for tanh
of a field of variance 1.3, 40 nodes leave 3e-8 instead of 2e-6). Everywhere else they are dense where the field is
small and get sparse in proportion to its size (z = center + sinh(u)/scale at equidistant u). An activation changes over
distances of about one there, which a field of variance 10^8 passes within 10^-4 of its standard deviation.

The estimate is SAFETY times the largest change from rule to rule. It is no bound. Where g is smooth it exceeds the
error many times; where g has a corner or its slope a jump, the error falls like a power of the size, and the factor
makes up for that, unless the last two fields of I4 are nearly parallel, so that no node lies between their corners.
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
NOTHING = 16 * np.finfo(np.float64).eps  # variances that are left, relative to those at first, which are rounding
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
    bound = largest(name, C, functions)
    rules, enough = (RULES_OF_I4, ENOUGH_OF_I4) if name == "I4" else (RULES, ENOUGH)
    multiples = not leading(C, 1)[1].any()  # of the first field
    for sizes in RULES[-1:] if multiples else rules:
        values = [average(name, C, functions, size) for size in sizes]
        change = SAFETY * max(abs(after - before) for before, after in pairwise(values))
        if change <= enough * bound:
            break
    return values[-1], change + ROUNDING * max(bound, abs(values[-1]))


def largest(name: str, C: Floats, functions: Smooth) -> float:
    """The Cauchy-Schwarz bound of an average, for slopes up to one."""
    if name == "J2":
        return 1.0
    nodes, weights = graded(RULES[0][-1], np.zeros(1), sqrt(np.diagonal(C).max()))
    squares = [float(weights[:, 0] @ functions.g(sqrt(C[f, f]) * nodes[:, 0]) ** 2) for f in (-2, -1)]
    return sqrt(abs((C[1, 1] if name == "I3" else squares[0]) * squares[1]))


def average(name: str, C: Floats, functions: Smooth, size: int) -> float:
    """An average for one covariance, by rules of this size."""
    outer = 2 if name == "I4" else 1
    L, rest = leading(C, outer)
    directions, chances = first_direction(L, size) if outer == 1 else both_directions(L, size)
    means = directions @ L.T
    slopes = np.prod([functions.slope(means[:, f]) for f in range(outer)], axis=0)
    if name in ("J2", "I2"):
        function, before = (functions.slope, slopes) if name == "J2" else (functions.g, functions.g(means[:, 0]))
        return float(chances @ (before * near_zero(means[:, 1], rest[1, 1], function, size)[0]))
    if name == "I3":
        last = near_zero(means[:, 2], rest[2, 2], functions.g, size)
        along = rest[1, 2] / sqrt(rest[2, 2]) if rest[2, 2] > 0 else 0.0
        return float(chances @ (slopes * (means[:, 1] * last[0] + along * last[1])))
    if rest[2, 2] == rest[3, 3] == 0.0:
        return float(chances @ (slopes * functions.g(means[:, 2]) * functions.g(means[:, 3])))
    before, last = (series(means, rest, field, functions.g, size) for field in (2, 3))
    scale = sqrt(rest[2, 2] * rest[3, 3])
    r = rest[2, 3] / scale if scale > 0 else 0.0
    powers = r ** np.arange(size)
    return float(chances @ (slopes * (powers @ (before * last))))


def first_direction(L: Floats, size: int) -> tuple[Floats, Floats]:
    """Nodes (node, 1) and their chances in the direction of the first field."""
    nodes, weights = graded(size, np.zeros(1), np.abs(L[:, 0]).max())
    return nodes, weights[:, 0]


def both_directions(L: Floats, size: int) -> tuple[Floats, Floats]:
    """Nodes (node, 2) and their chances in the directions of two fields, dense where each of the two is zero."""
    first, chances = first_direction(L, size)
    if not L[:, 1].any():
        return np.column_stack([first, np.zeros(first.size)]), chances
    nodes, weights = graded(size, -L[1, 0] / L[1, 1] * first[:, 0], np.abs(L[:, 1]).max())
    pairs = np.stack([np.broadcast_to(first[:, 0], nodes.shape), nodes], axis=-1)
    return pairs.reshape(-1, 2), (weights * chances).ravel()


def near_zero(means: Floats, variance: float, function: Elementwise, size: int) -> Floats:
    """The means of f(x) and of f(x) z for fields x = mean + sqrt(variance) z, at every node of the outer direction."""
    if variance == 0.0:
        return np.stack([function(means), np.zeros(means.size)])
    root = sqrt(variance)
    nodes, weights = graded(size, -means / root, root)
    values = function(means + root * nodes) * weights
    return np.stack([values.sum(axis=0), (values * nodes).sum(axis=0)])


def graded(size: int, centers: Floats, scale: float) -> tuple[Floats, Floats]:
    """Nodes and weights (node, center) for a normal variable, dense where scale*(z - center) is less than one."""
    end = (RANGE * size) ** (1 / 3)
    scale = max(scale, 1.0)
    middles = np.clip(centers, -end, end)
    low, high = np.arcsinh(scale * (-end - middles)), np.arcsinh(scale * (end - middles))
    steps = low + (high - low) * np.linspace(0.0, 1.0, size)[:, None]
    nodes = middles + np.sinh(steps) / scale
    weights = np.exp(-(nodes**2) / 2) * np.cosh(steps)
    return nodes, weights / weights.sum(axis=0)


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


def series(means: Floats, rest: Floats, field: int, function: Elementwise, size: int) -> Floats:
    """The coefficients c_n of a function of a field, at every node of the outer directions."""
    nodes, _, polynomials = rule(size)
    found: Floats = polynomials @ function(means[:, field] + sqrt(rest[field, field]) * nodes[:, None])
    return found


def leading(C: Floats, outer: int) -> tuple[Floats, Floats]:
    """How all fields depend on the first directions, and the covariance that is left, without rounding."""
    L, rest = np.zeros((len(C), outer)), C.copy()
    for k in range(outer):
        if rest[k, k] > 0:
            L[:, k] = rest[:, k] / sqrt(rest[k, k])
        rest = rest - np.outer(L[:, k], L[:, k])
        rest[k, :] = rest[:, k] = 0.0
        left = np.where(np.diagonal(rest) > NOTHING * np.diagonal(C), np.diagonal(rest), 0.0)
        legs = np.sqrt(np.outer(left, left))
        rest = np.clip(rest, -legs, legs)
    return L, rest


@cache
def rule(size: int) -> tuple[Floats, Floats, Floats]:
    """Nodes and weights for a normal variable, and the weighted polynomials He_n/sqrt(n!), a row for each n."""
    end = (RANGE * size) ** (1 / 3)
    nodes = np.linspace(-end, end, size)
    weights = np.exp(-(nodes**2) / 2)
    weights /= weights.sum()
    rows = [np.ones(size), nodes]
    for n in range(2, size):
        rows.append((nodes * rows[-1] - sqrt(n - 1) * rows[-2]) / sqrt(n))
    return nodes, weights, np.array(rows) * weights
