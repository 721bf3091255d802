"""Averages over Gaussian fields against samples: fields are drawn, what is averaged is computed, nothing is derived.

Point masses are the one thing that samples cannot meet: where fields are zero, the others are drawn given that, and
the density of those fields at zero multiplies what they give.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.special import erf

from derivations.audit.probe.numbers import NoValue, value
from derivations.audit.probe.points import declared, satisfied

SAMPLES, ERRORS = 3000, 7  # how many standard errors an average of samples may lie away
MOST_SAMPLES, ENOUGH = 10 * SAMPLES, 50  # a standard error is trusted where so many samples share the average
TRIES = 200
Rows = list[list[float]]
Point = dict[str, float]
Samples = Any  # numpy.ndarray of floats


def confront(statement: Any, rng: random.Random, count: int) -> Iterator[str | None]:
    """Return what contradicts a value of an average, at covariances that are drawn; None where nothing does."""
    if "rate" in statement:
        return
    for _ in range(count):
        point = drawn(statement, rng)
        if point is None:
            return
        trouble = missed(statement, point, statement["right"], rng)
        yield None if trouble is None else f"{trouble} at {point}"


def is_no_witness(statement: Any, witness: Any, rng: random.Random) -> str | None:
    """Why the witness against a value is none: what it calls the average is not that of samples."""
    point = {name: float(value(("q", text), {}, True)) for name, text in witness["point"].items()}
    if statement.get("given"):
        return None
    told = float(witness["left"]) if "/" not in witness["left"] else value(("q", witness["left"]), {}, True)
    return missed(statement, point, ("q", repr(told)), rng)


def missed(statement: Any, point: Point, right: Any, rng: random.Random) -> str | None:
    """How far the samples' average lies from a value that it may have by chance."""
    rows = _covariance(statement, point)
    names = statement.get("given", {})
    start = value(right, point | dict.fromkeys(names, 0.0), True)
    products = [(value(c, point, True), factors) for c, factors in statement["integrand"]]
    for name, factors in names.items():
        at_one = value(right, point | dict.fromkeys(names, 0.0) | {name: 1.0}, True)
        products.append((start - at_one, factors))
    found, error = 0.0, 0.0
    for coefficient, factors in products:
        if not coefficient:
            continue
        mean, spread = _sampled(rows, factors, point, rng)
        found += coefficient * mean
        error += abs(coefficient) * spread
    if abs(found - start) <= ERRORS * error + 1e-9 * (1 + abs(start)):
        return None
    return f"samples give {found:.4g} +- {error:.2g} and not {float(start):.4g}"


def _sampled(rows: Rows, factors: Any, point: Point, rng: random.Random) -> tuple[float, float]:
    """The average of a product of factors over samples, and its standard error.

    Where almost all samples give next to nothing, more are drawn; if too few still share the average, the error is what
    as many of the largest size as are asked for would give.
    """
    weight, fields = 1.0, list(range(len(rows)))
    for zero in sorted({f[1] for f in factors if f[0] == "point"}):
        weight /= math.sqrt(2 * math.pi * rows[zero][zero])
        rows = [[rows[i][j] - rows[i][zero] * rows[j][zero] / rows[zero][zero] for j in fields] for i in fields]
    used = sorted({f[1] for f in factors if f[0] != "point"})
    lower = cholesky([[rows[i][j] for j in used] for i in used])
    assert lower is not None
    functions = [(used.index(f[1]), _function(f, point)) for f in factors if f[0] != "point"]
    source = np.random.default_rng(rng.getrandbits(64))
    total = sizes = squares = largest = 0.0
    for count in range(SAMPLES, MOST_SAMPLES + 1, SAMPLES):
        drawn_fields = np.array(lower).reshape(len(used), len(used)) @ source.standard_normal((len(used), SAMPLES))
        products = np.ones(SAMPLES)
        for place, function in functions:
            products = products * function(drawn_fields[place])
        total += float(products.sum())
        sizes += float(abs(products).sum())
        squares += float((products * products).sum())
        largest = max(largest, float(abs(products).max()))
        if squares and sizes * sizes >= ENOUGH * squares:
            mean = total / count
            return weight * mean, weight * math.sqrt(max(squares / count - mean * mean, 0.0) / count)
    return weight * total / MOST_SAMPLES, weight * max(largest, 1.0) * ENOUGH / MOST_SAMPLES


def _function(factor: Any, point: Point) -> Callable[[Samples], Samples]:
    kind, _, *rest = factor
    if kind == "power":
        exponent = rest[0]
        return lambda x: x**exponent
    if kind in ("step", "ramp"):
        return (lambda x: (x > 0).astype(float)) if kind == "step" else (lambda x: np.maximum(x, 0.0))
    width2 = float(value(rest[0], point, True))
    if kind == "bell":
        return lambda x: np.exp(-x * x / (2 * width2))
    return lambda x: erf(x / math.sqrt(2 * width2))


def drawn(statement: Any, rng: random.Random) -> Point | None:
    """Numbers for the symbols at which the covariance is positive definite and the right side has a value."""
    size = len(statement["fields"])
    for _ in range(TRIES):
        point = {name: _number(told, rng) for name, told in statement["symbols"].items()}
        mixing = [[rng.uniform(-1, 1) for _ in range(size)] for _ in range(size)]
        for i, row in enumerate(statement["covariance"]):
            for j, entry in enumerate(row):
                if entry[0] == "s":
                    point[entry[1]] = sum(a * b for a, b in zip(mixing[i], mixing[j], strict=True))
        try:
            fits = declared(point, statement["symbols"]) and satisfied(statement["assuming"], point)
            value(statement["right"], point, True)
            if fits and cholesky(_covariance(statement, point)) is not None:
                return point
        except NoValue:
            continue
    return None


def _number(told: list[str], rng: random.Random) -> float:
    size = rng.uniform(0.2, 2.0)
    return size if "positive" in told or "nonnegative" in told else rng.uniform(-0.6, 0.6)


def _covariance(statement: Any, point: Point) -> Rows:
    return [[float(value(entry, point, True)) for entry in row] for row in statement["covariance"]]


def cholesky(rows: Rows) -> Rows | None:
    """The triangle L with rows = L L'; None where a variance that is left is negative."""
    size = len(rows)
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = rows[i][j] - sum(lower[i][k] * lower[j][k] for k in range(j))
            if i == j:
                if rest < -1e-9:
                    return None
                lower[i][i] = math.sqrt(max(rest, 0.0))
            else:
                lower[i][j] = rest / lower[j][j] if lower[j][j] > 1e-12 else 0.0
    return lower
