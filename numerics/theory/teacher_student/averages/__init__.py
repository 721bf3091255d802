"""Averages of products of an activation g, its slope g' and a factor over Gaussian fields with a given covariance.

    J2(C) = <g'(a) g'(b)>    I2(C) = <g(a) g(b)>    I3(C) = <g'(a) b g(c)>    I4(C) = <g'(a) g'(b) g(c) g(d)>

C holds the covariance of the fields in this order, and may be a stack of covariances, (..., n, n). There are formulas
for "erf", which is g(x) = erf(x/sqrt 2), "linear" and "relu". Each is exact up to a few units in the last place, up to
what a rounding of the covariance would change, and up to 1e-15 of its Cauchy-Schwarz bound: differences of products are
formed in twice the digits, and angles come from both of their legs, so that no argument of an arcsine can exceed 1.
I4 of a rectifier holds the probability that four fields are positive, one integral; every other value is elementary.
For it the bound is sqrt(<g(c)^2> <g(d)^2>), without the slopes: an average that is much smaller, because both slopes
are hardly ever 1, has fewer exact digits. The slope of a rectifier at 0 is 0, and so it is at a field without variance.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics import NumericsError
from numerics.machine.checks import doubles, shown
from numerics.machine.specialise import specialise
from numerics.ode.integrate import compiled
from numerics.theory.teacher_student.averages import quadrature
from numerics.theory.teacher_student.averages.quadrature import TABLE_SIZES, smooth

Floats = NDArray[np.float64]
LARGEST = 1e100  # products of three covariances are doubles
SLACK = 1e-8  # how far below zero an eigenvalue may be, relative to the variances: covariances are sums of floats
FORMULAS = {  # the parts of the file that defines J2, I2, I3 and I4
    "erf": ("numerics.theory.teacher_student.averages.twofold", "numerics.theory.teacher_student.averages.erf"),
    "linear": ("numerics.theory.teacher_student.averages.linear",),
    "relu": (
        "numerics.theory.teacher_student.averages.twofold",
        "numerics.theory.teacher_student.averages.orthants",
        "numerics.theory.teacher_student.averages.relu",
    ),
}
FLOWS = {"relu": "numerics.theory.teacher_student.flows.relu"}  # whose rates use the formulas, too
FIELDS = {"J2": 2, "I2": 2, "I3": 3, "I4": 4}


class CovarianceError(NumericsError):
    """A matrix that is not the covariance of the fields of an average; the message says why in one sentence."""


def J2(covariance: ArrayLike, activation: str = "erf") -> Floats:
    """<g'(a) g'(b)> of fields a, b, from their covariance (2, 2) or a stack of covariances (..., 2, 2).

    >>> round(float(J2([[1, 0], [0, 1]])), 6)
    0.31831
    """
    return _average("J2", covariance, activation)


def I2(covariance: ArrayLike, activation: str = "erf") -> Floats:
    """<g(a) g(b)> of fields a, b, from their covariance (2, 2) or a stack of covariances (..., 2, 2).

    >>> round(float(I2([[1, 0.5], [0.5, 1]], "linear")), 6)
    0.5
    """
    return _average("I2", covariance, activation)


def I3(covariance: ArrayLike, activation: str = "erf") -> Floats:
    """<g'(a) b g(c)> of fields a, b, c, from their covariance (3, 3) or a stack of covariances (..., 3, 3).

    >>> round(float(I3([[1, 0, 0], [0, 2, 1], [0, 1, 1]], "linear")), 6)
    1.0
    """
    return _average("I3", covariance, activation)


def I4(covariance: ArrayLike, activation: str = "erf") -> Floats:
    """<g'(a) g'(b) g(c) g(d)> of fields a, b, c, d, from their covariance (4, 4) or a stack of covariances (..., 4, 4).

    >>> round(float(I4([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 1, 1]], "relu")), 6)
    0.125
    """
    return _average("I4", covariance, activation)


def _average(name: str, covariance: ArrayLike, activation: str) -> Floats:
    """An average by its formula, for each covariance of a stack."""
    given: object = activation
    if not (isinstance(given, str) and given in FORMULAS):
        raise CovarianceError(f"there are formulas for {', '.join(FORMULAS)}, not for {shown(activation)}")
    C, fields = doubles(f"the covariance of {name}", covariance, CovarianceError), FIELDS[name]
    if C.shape[-2:] != (fields, fields):
        raise CovarianceError(f"{name} takes the covariance of {fields} fields, got an array of shape {C.shape}")
    check(C, f"the covariance of {name}")
    formula = formula_of(name, activation)
    values = np.array([float(formula(part)) for part in C.reshape(-1, fields, fields)])
    return np.asarray(values.reshape(C.shape[:-2]))[()]


def I2_table(C: Floats, activation: str, size: int = TABLE_SIZES[-1]) -> Floats:
    """I2 of every pair of fields, for a stack of covariances (..., n, n); in plain floats, for sums over many pairs.

    `size` is that of the rule for an activation without formulas.
    """
    if activation not in FORMULAS:
        rows = C.reshape(-1, *C.shape[-2:])
        return quadrature.I2_table(rows, smooth(activation), size).reshape(C.shape)
    if activation == "linear":
        return C
    variances = np.diagonal(C, axis1=-2, axis2=-1)
    left, right = variances[..., :, None], variances[..., None, :]
    area = left * right - C * C
    if activation == "erf":
        return 2 / np.pi * np.arctan2(C, np.sqrt(np.maximum(1 + left + right + area, 0.0)))
    legs = np.sqrt(np.maximum(area, 0.0))
    return (legs + C * np.arctan2(legs, -C)) / (2 * np.pi)


def formula_of(name: str, activation: str) -> Callable[..., Any]:
    """The jitted formula of an average, from the file of the flow that uses it, where it is compiled once for both."""
    if activation in FLOWS:
        return compiled(FLOWS[activation], FORMULAS[activation], name)
    return specialise(name, FORMULAS[activation])


def check(C: Floats, what: str) -> None:
    """Refuse what is no covariance: not finite, not symmetric, or not positive semidefinite beyond rounding."""
    if not (np.abs(C) <= LARGEST).all():
        raise CovarianceError(f"{what} must be finite, with entries up to {LARGEST:g}")
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
