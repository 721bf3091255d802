"""Averages of products of an activation g, its slope g' and a factor over Gaussian fields with a given covariance.

    J2(C) = <g'(a) g'(b)>    I2(C) = <g(a) g(b)>    I3(C) = <g'(a) b g(c)>    I4(C) = <g'(a) g'(b) g(c) g(d)>

C holds the covariance of the fields in this order, and may be a stack of covariances, (..., n, n). Activations: "erf"
for g(x) = erf(x/sqrt 2), "linear", and "relu" (all but I4, which is not elementary). Each is exact up to a few units
in the last place, up to what a rounding of the covariance would change, and up to 1e-15 of its Cauchy-Schwarz bound:
differences of products are formed in twice the digits, and angles come from both of their legs, so that no argument of
an arcsine can exceed 1. A slope of a rectifier at a field without variance counts as 1/2.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators

from __future__ import annotations

from collections.abc import Callable
from math import atan2, pi, sqrt
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
SLACK = 1e-8  # how far below zero an eigenvalue may be, relative to the variances: covariances are sums of floats


class CovarianceError(ValueError):
    """A matrix that is not the covariance of the fields of an average; the message says why in one sentence."""


# --- twice the digits: a number is the pair (high, low) ---------------------------------------------------------------


@njit(cache=True)
def _two_sum(a, b):
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


@njit(cache=True)
def _two_product(a, b):
    product = a * b
    shifted = 134217729.0 * a
    a_high = shifted - (shifted - a)
    a_low = a - a_high
    shifted = 134217729.0 * b
    b_high = shifted - (shifted - b)
    b_low = b - b_high
    return product, ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low


@njit(cache=True)
def _plus(a, b):
    high, low = _two_sum(a[0], b[0])
    tail, rest = _two_sum(a[1], b[1])
    high, low = _two_sum(high, low + tail)
    return _two_sum(high, low + rest)


@njit(cache=True)
def _minus(a, b):
    return _plus(a, (-b[0], -b[1]))


@njit(cache=True)
def _times(a, b):
    high, low = _two_product(a[0], b[0])
    return _two_sum(high, low + (a[0] * b[1] + a[1] * b[0]))


@njit(cache=True)
def _wide(x):
    return (x, 0.0)


@njit(cache=True)
def _above_one(x):
    return _two_sum(1.0, x)


@njit(cache=True)
def _determinant(aa, bb, ab):
    return _minus(_times(aa, bb), _times(ab, ab))


@njit(cache=True)
def _root(a):
    return sqrt(max(a[0] + a[1], 0.0))


# --- g(x) = erf(x/sqrt 2) ---------------------------------------------------------------------------------------------


@njit(cache=True)
def _erf_J2(C):
    return 2.0 / pi / _root(_determinant(_above_one(C[0, 0]), _above_one(C[1, 1]), _wide(C[0, 1])))


@njit(cache=True)
def _erf_I2(C):
    return 2.0 / pi * atan2(C[0, 1], _root(_determinant(_above_one(C[0, 0]), _above_one(C[1, 1]), _wide(C[0, 1]))))


@njit(cache=True)
def _erf_I3(C):
    a = _above_one(C[0, 0])
    tilted = _minus(_times(_wide(C[1, 2]), a), _times(_wide(C[0, 1]), _wide(C[0, 2])))
    return (
        2.0 / pi * (tilted[0] + tilted[1]) / (a[0] + a[1]) / _root(_determinant(a, _above_one(C[2, 2]), _wide(C[0, 2])))
    )


@njit(cache=True)
def _erf_I4(C):
    a, b, ab = _above_one(C[0, 0]), _above_one(C[1, 1]), _wide(C[0, 1])
    L = _determinant(a, b, ab)
    cc, dd, cd = _schur(C, 2, 2, a, b, ab, L), _schur(C, 3, 3, a, b, ab, L), _schur(C, 2, 3, a, b, ab, L)
    other = _root(_determinant(_plus(L, cc), _plus(L, dd), cd))
    return 4.0 / (pi * pi) / _root(L) * atan2(cd[0] + cd[1], other)


@njit(cache=True)
def _schur(C, c, d, a, b, ab, L):  # noqa: PLR0917
    """L times the covariance of fields c and d after tilting by the bells of the first two."""
    ca, cb, da, db = _wide(C[c, 0]), _wide(C[c, 1]), _wide(C[d, 0]), _wide(C[d, 1])
    straight = _plus(_times(_times(ca, da), b), _times(_times(cb, db), a))
    across = _times(ab, _plus(_times(ca, db), _times(cb, da)))
    return _plus(_minus(_times(_wide(C[c, d]), L), straight), across)


# --- linear and rectifier ---------------------------------------------------------------------------------------------


@njit(cache=True)
def _linear_J2(C):
    return 1.0


@njit(cache=True)
def _linear_I2(C):
    return C[0, 1]


@njit(cache=True)
def _linear_I3(C):
    return C[1, 2]


@njit(cache=True)
def _linear_I4(C):
    return C[2, 3]


@njit(cache=True)
def _both_positive(aa, bb, ab):
    """The probability that both fields are positive."""
    if aa == 0.0 or bb == 0.0:
        return 0.25
    return atan2(_root(_determinant(_wide(aa), _wide(bb), _wide(ab))), -ab) / (2.0 * pi)


@njit(cache=True)
def _relu_J2(C):
    return _both_positive(C[0, 0], C[1, 1], C[0, 1])


@njit(cache=True)
def _relu_I2(C):
    area = _root(_determinant(_wide(C[0, 0]), _wide(C[1, 1]), _wide(C[0, 1])))
    return area / (2.0 * pi) + C[0, 1] * _both_positive(C[0, 0], C[1, 1], C[0, 1])


@njit(cache=True)
def _relu_I3(C):
    value = C[1, 2] * _both_positive(C[0, 0], C[2, 2], C[0, 2])
    if C[0, 0] > 0.0:
        area = _root(_determinant(_wide(C[0, 0]), _wide(C[2, 2]), _wide(C[0, 2])))
        value += C[0, 1] / C[0, 0] * area / (2.0 * pi)
    return value


# --- what a user calls ------------------------------------------------------------------------------------------------

FORMULAS: dict[str, dict[str, Callable[..., Any]]] = {
    "erf": {"J2": _erf_J2, "I2": _erf_I2, "I3": _erf_I3, "I4": _erf_I4},
    "linear": {"J2": _linear_J2, "I2": _linear_I2, "I3": _linear_I3, "I4": _linear_I4},
    "relu": {"J2": _relu_J2, "I2": _relu_I2, "I3": _relu_I3},
}


def J2(covariance: ArrayLike, activation: str = "erf") -> Floats:
    """<g'(a) g'(b)> for fields a, b."""
    return _average("J2", covariance, 2, activation)


def I2(covariance: ArrayLike, activation: str = "erf") -> Floats:
    """<g(a) g(b)> for fields a, b."""
    return _average("I2", covariance, 2, activation)


def I3(covariance: ArrayLike, activation: str = "erf") -> Floats:
    """<g'(a) b g(c)> for fields a, b, c."""
    return _average("I3", covariance, 3, activation)


def I4(covariance: ArrayLike, activation: str = "erf") -> Floats:
    """<g'(a) g'(b) g(c) g(d)> for fields a, b, c, d."""
    return _average("I4", covariance, 4, activation)


def _average(name: str, covariance: ArrayLike, fields: int, activation: str) -> Floats:
    formula = formula_of(name, activation)
    C = np.ascontiguousarray(covariance, dtype=np.float64)
    if C.shape[-2:] != (fields, fields):
        raise CovarianceError(f"{name} takes the covariance of {fields} fields, got an array of shape {C.shape}")
    check(C, f"the covariance of {name}")
    flat = C.reshape(-1, fields, fields)
    values = np.empty(flat.shape[0])
    for k in range(flat.shape[0]):
        values[k] = formula(flat[k])
    return values.reshape(C.shape[:-2])[()]


def I2_table(C: Floats, activation: str) -> Floats:
    """I2 of every pair of fields, for a stack of covariances (..., n, n); in plain floats, for sums over many pairs."""
    formula_of("I2", activation)
    if activation == "linear":
        return C
    variances = np.diagonal(C, axis1=-2, axis2=-1)
    left, right = variances[..., :, None], variances[..., None, :]
    area = left * right - C * C
    if activation == "erf":
        return 2 / pi * np.arctan2(C, np.sqrt(np.maximum(1 + left + right + area, 0.0)))
    legs = np.sqrt(np.maximum(area, 0.0))
    return (legs + C * np.arctan2(legs, -C)) / (2 * pi)


def formula_of(name: str, activation: str) -> Callable[..., Any]:
    """The jitted formula of an average, or a sentence that says that there is none."""
    if activation not in FORMULAS:
        known = ", ".join(FORMULAS)
        raise CovarianceError(f"there are no formulas for the activation {activation!r}; there are for {known}")
    if name not in FORMULAS[activation]:
        raise CovarianceError(f"{name} is not elementary for the activation {activation!r}")
    return FORMULAS[activation][name]


def check(C: Floats, what: str) -> None:
    """Refuse what is no covariance: not finite, not symmetric, or not positive semidefinite beyond rounding."""
    if not np.isfinite(C).all():
        raise CovarianceError(f"{what} must be finite")
    if not np.array_equal(C, np.swapaxes(C, -1, -2)):
        raise CovarianceError(f"{what} must be symmetric")
    variances = np.diagonal(C, axis1=-2, axis2=-1)
    sizes = np.sqrt(np.maximum(variances, 0.0))
    scale = np.where(sizes > 0, sizes, 1.0)
    least = np.linalg.eigvalsh(C / (scale[..., :, None] * scale[..., None, :])).min() if C.size else 0.0
    if (variances < 0).any() or least < -SLACK:
        raise CovarianceError(
            f"{what} must be positive semidefinite, but its correlations have the eigenvalue {least:.3g}"
        )
