"""The integral that an average is, enclosed in balls: fields are mixed from independent ones, and nothing is derived.

With a covariance L L' the fields are L z, and the average is an integral over independent normal numbers z. Bells and
error functions are entire, so that sums over a grid are that integral but for a bounded error (Trefethen and Weideman,
The exponentially convergent trapezoidal rule, Theorem 5.1). Steps only move the lower end of an integral, which
python-flint encloses. A field that stands there alone, and last, has the average that the others give it.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random
from typing import Any

from flint import acb, arb, ctx, fmpq, fmpq_mat

from derivations.language.evaluate import evaluate, precision

Ball = Any
Factor = tuple[Any, ...]  # ("erf" | "bell", field, width2), ("power", field, 1), ("step", field)
Covariance = Sequence[Sequence[Fraction]]
REACH, BITS, STEP = 9, 70, Fraction(9, 20)
HEIGHTS = [Fraction(k, 4) for k in range(2, 13)]  # half the widths of the strips that are tried


def average(covariance: Covariance, factors: Sequence[Factor], step: Fraction = STEP) -> Ball:
    """<product of the factors>, as a ball that holds it; step is the distance of points of a grid."""
    before, ctx.prec = ctx.prec, BITS
    try:
        if not factors:
            return arb(1)
        lower = mixing(covariance)
        if any(f[0] == "point" for f in factors):
            return _at_zero(covariance, factors, step)
        if any(f[0] == "step" for f in factors):
            return _above(0, [], lower, factors).real + _beyond(lower, factors)
        on_grid, beside = _on_a_grid(lower, factors, ball(step)), _beside_the_grid(lower, factors, ball(step))
        return on_grid + beside + _beyond(lower, factors)
    finally:
        ctx.prec = before


def ball(value: Fraction | int) -> Ball:
    exact = Fraction(value)
    return arb(fmpq(exact.numerator, exact.denominator))


def mixing(covariance: Covariance) -> list[list[Ball]]:
    """The triangle L with covariance L L', also of fields of which some depend on others."""
    size = len(covariance)
    shares, variances = [[Fraction(i == j) for j in range(size)] for i in range(size)], [Fraction(0)] * size
    for j in range(size):
        for i in range(j, size):
            remaining = covariance[i][j] - sum(shares[i][k] * shares[j][k] * variances[k] for k in range(j))
            if i == j:
                variances[j] = remaining
            else:
                shares[i][j] = remaining / variances[j] if variances[j] else Fraction(0)
    return [[ball(share) * ball(v).sqrt() for share, v in zip(row, variances, strict=True)] for row in shares]


def _at_zero(covariance: Covariance, factors: Sequence[Factor], step: Fraction) -> Ball:
    """Return what point masses of independent directions leave: the density of those fields at zero, and the others
    there.

    The density of all fields is the exponential of a quadratic form, which is restricted to the others.
    """
    masses = sorted({f[1] for f in factors if f[0] == "point"})
    others = [i for i in range(len(covariance)) if i not in masses]
    exact = [[fmpq(v.numerator, v.denominator) for v in row] for row in covariance]
    form = fmpq_mat(exact).inv()
    restricted = fmpq_mat([[form[i, j] for j in others] for i in others])
    inner = restricted.inv() if others else restricted
    shares = [
        [Fraction(int(inner[i, j].p), int(inner[i, j].q)) for j in range(len(others))] for i in range(len(others))
    ]
    weight = arb(inner.det() / fmpq_mat(exact).det()).sqrt() / (2 * arb.pi()).sqrt() ** len(masses)
    kept = [(f[0], others.index(f[1]), *f[2:]) for f in factors if f[1] not in masses]
    return weight * average(shares, kept, step)


def _value(factor: Factor, field: Any) -> Any:
    kind, _, *rest = factor
    if kind in ("power", "step"):
        return field if kind == "power" else 1
    width2 = ball(rest[0])
    return (-field * field / (2 * width2)).exp() if kind == "bell" else (field / (2 * width2).sqrt()).erf()


# --- smooth factors: sums over a grid ---------------------------------------------------------------------------------


def _on_a_grid(lower: list[list[Ball]], factors: Sequence[Factor], step: Ball) -> Ball:
    most = int(REACH / float(step))
    nodes = [k * step for k in range(-most, most + 1)]
    weights = [(-z * z / 2).exp() * step / (2 * arb.pi()).sqrt() for z in nodes]
    total = arb(0)
    for chosen in product(range(len(nodes)), repeat=len(lower)):
        fields = [sum((a * nodes[k] for a, k in zip(row, chosen, strict=True)), arb(0)) for row in lower]
        term = arb(1)
        for k in chosen:
            term *= weights[k]
        for factor in factors:
            term *= _value(factor, fields[factor[1]])
        total += term
    return total


def _beside_the_grid(lower: list[list[Ball]], factors: Sequence[Factor], step: Ball) -> Ball:
    """The error of the grid in each variable: 2 M/(exp(2 pi height/step) - 1), M bounding the integral in the strip."""
    error = arb(0)
    for variable in range(len(lower)):
        bounds = [_bound_along(lower, factors, variable, ball(height), step) for height in HEIGHTS]
        error += min(bounds, key=lambda b: float(b.mid()))
    return arb(0, float(error.upper()) * 1.001)


def _bound_along(lower: list[list[Ball]], factors: Sequence[Factor], variable: int, height: Ball, step: Ball) -> Ball:
    largest = (height * height / 2).exp()
    for kind, field, *rest in factors:
        moved = height * abs(lower[field][variable])
        if kind == "power":  # |x + iy| <= |x| + y, and the average of |x| is at most the root of that of x^2
            largest *= sum((x * x for x in lower[field]), arb(0)).sqrt() + moved
            continue
        share = moved / (2 * ball(rest[0])).sqrt()
        grown = (share * share).exp()
        largest *= grown if kind == "bell" else 1 + 2 * share * grown / arb.pi().sqrt()
    return 2 * largest / ((2 * arb.pi() * height / step).exp() - 1)


def _beyond(lower: list[list[Ball]], factors: Sequence[Factor]) -> Ball:
    """Return what lies beyond the reach in some variable: every other factor is at most 1, and a field at most its
    row's size times the numbers' largest, r; r^2 exp(-r^2/4) falls from there on, and exp(-r^2/4) integrates to less
    than 4.
    """
    size = len(lower)
    scale = max(float(sum((abs(x) for x in row), arb(0)).upper()) for row in lower) + 1
    powers = sum(f[0] == "power" for f in factors)
    assert powers <= 2
    bound = arb(scale * REACH) ** powers * (arb(-(REACH**2)) / 2).exp() * 8 * size * 2
    return arb(0, float(bound.upper()) * 1.001)


# --- steps: integrals from where the field is positive ----------------------------------------------------------------


def _above(level: int, normal: list[Any], lower: list[list[Ball]], factors: Sequence[Factor]) -> Any:
    """The integral over the normal numbers from `level` on, the earlier ones being known."""
    if level == len(lower):
        return acb(1)
    known = sum((lower[level][k] * z for k, z in enumerate(normal)), acb(0))
    mine = [f for f in factors if f[1] == level]
    if level == len(lower) - 1 and mine == [("step", level)]:
        return (-known / lower[level][level] / acb(2).sqrt()).erfc() / 2
    if level == len(lower) - 1 and mine == [("power", level, 1)]:
        return known

    def inside(z: Any, _: bool) -> Any:
        field = known + lower[level][level] * z
        value = (-z * z / 2).exp() / (2 * acb.pi()).sqrt()
        for factor in mine:
            value *= _value(factor, field)
        return value * _above(level + 1, [*normal, z], lower, factors)

    start = -known / lower[level][level] if level else acb(0)
    assert any(f[0] == "step" for f in mine)
    return acb.integral(inside, start, acb(REACH), rel_tol=arb("1e-9"), abs_tol=arb("1e-10"), eval_limit=400)


# --- what closed forms give -------------------------------------------------------------------------------------------


def drawn(rng: Random, size: int) -> list[list[Fraction]]:
    """A covariance of rational numbers: L L' for a random triangle, and a bit more of each variance."""
    parts = [
        [Fraction(rng.randint(-6, 6), rng.randint(4, 9)) if j <= i else Fraction(0) for j in range(size)]
        for i in range(size)
    ]
    rows = [[sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0)) for y in parts] for x in parts]
    return [[v + Fraction(2, 5) * (i == j) for j, v in enumerate(row)] for i, row in enumerate(rows)]


def of_the_statement(statement: Any, numbers: Covariance, step: Fraction = STEP) -> tuple[Ball, Ball]:
    """Balls around the average of a statement and around its right side, for a covariance in numbers."""
    point = {}
    for row, values in zip(statement["covariance"], numbers, strict=True):
        point |= {entry[1]: value for entry, value in zip(row, values, strict=True)}
    order = sorted(range(len(numbers)), key=lambda i: _alone(statement, i))
    mixed = [[numbers[i][j] for j in order] for i in order]
    with precision(BITS):
        right, total = evaluate(statement["right"], point), arb(0)
        for coefficient, factors in statement["integrand"]:
            plain = [found for factor in factors for found in _plain(factor, order)]
            total += evaluate(coefficient, {}) * average(mixed, plain, step)
    return total, right


def _alone(statement: Any, field: int) -> bool:
    """Check whether only powers of a field stand in what is averaged: it comes last."""
    kinds = {f[0] for _, factors in statement["integrand"] for f in factors if f[1] == field}
    return kinds == {"power"}


def _plain(factor: Any, order: list[int]) -> list[Factor]:
    kind, field, *rest = factor
    place = order.index(field)
    if kind == "ramp":
        return [("step", place), ("power", place, 1)]
    return [(kind, place, *(Fraction(r[1]) if isinstance(r, tuple) else r for r in rest))]
