"""Examples that have given correlations, so that what learns from examples can learn from correlations.

With Sigma_xx = L D L', L unit lower triangular and D diagonal, the examples X = L sqrt(D) and Y = Sigma_yx L'^-1 D^-1/2
have the second moments Sigma_xx and Sigma_yx, and leave nothing unexplained. They are computed in decimal numbers and
rounded once, to doubles or to pairs of doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics.machine.checks import shown
from numerics.simulate.linear_network import Data, LinearNetworkError
from numerics.simulate.linear_network.double_double import pairs

DIGITS = 60
NOTHING = {False: Decimal("1e-14"), True: Decimal("1e-29")}  # smaller parts of a variance are rounding; True: of pairs

Numbers = NDArray[np.object_]
Entries = Sequence[Sequence[Fraction | float]] | ArrayLike


def with_correlations(sigma_yx: Entries, sigma_xx: Entries, *, double_double: bool = False) -> Data:
    """Make examples that have given second moments, so that a network that learns from them learns these correlations.

    `sigma_yx` (outputs, inputs) is the mean of y x', `sigma_xx` (inputs, inputs) that of x x'; entries may be
    fractions. Returns `Data` with as many examples as Sigma_xx has rank, rounded once, to doubles or with
    `double_double` to pairs. Refused with `LinearNetworkError`: moments that no data have, such as a Sigma_xx with a
    negative eigenvalue.

    >>> X, Y = with_correlations([[1, 2]], [[4, 0], [0, 1]])
    >>> (X @ X.T / 2).round(12).tolist(), (Y @ X.T / 2).round(12).tolist()
    ([[4.0, 0.0], [0.0, 1.0]], [[1.0, 2.0]])
    """
    if not isinstance(double_double, bool):
        raise LinearNetworkError(f"double_double must be True or False, not {shown(double_double)}.")
    with localcontext(Context(prec=DIGITS)):
        answers, inputs = _decimals("Sigma_yx", sigma_yx), _decimals("Sigma_xx", sigma_xx)
        _checked(answers, inputs, NOTHING[double_double])
        X, Y = _factors(answers, inputs, NOTHING[double_double])
        scale = Decimal(X.shape[1]).sqrt()
        given = [[[Fraction(entry * scale) for entry in row] for row in part] for part in (X, Y)]
    try:
        return Data(*(pairs(part) if double_double else np.array(part, dtype=np.float64) for part in given))
    except OverflowError:
        raise LinearNetworkError("the moments are so large that their data are no doubles.") from None


def _factors(answers: Numbers, inputs: Numbers, nothing: Decimal) -> tuple[Numbers, Numbers]:
    """X and Y with X X' = Sigma_xx and Y X' = Sigma_yx: each column takes its share out of what is left of both."""
    left, over, columns = inputs, answers, []
    for k, variance in enumerate(inputs.diagonal()):
        if left[k, k] > nothing * variance:
            root = left[k, k].sqrt()
            x, y = left[:, k] / root, over[:, k] / root
            columns.append((x, y))
            left, over = left - np.outer(x, x), over - np.outer(y, x)
    rounding = nothing.sqrt()
    if _largest(left) > rounding * _largest(inputs):
        raise LinearNetworkError("Sigma_xx belongs to no inputs, because it has a negative eigenvalue.")
    if _largest(over) > rounding * _largest(answers):
        raise LinearNetworkError("Sigma_yx belongs to no answers: it says that inputs matter which are always zero.")
    if not columns:
        raise LinearNetworkError("Sigma_xx is zero, so that there is nothing to learn from.")
    X, Y = (np.array(part).T for part in zip(*columns, strict=True))
    return X, Y


def _largest(entries: Numbers) -> Decimal:
    largest: Decimal = max(map(abs, entries.ravel().tolist()))
    return largest


def _decimals(name: str, values: Entries) -> Numbers:
    try:
        array = np.array([[_decimal(entry) for entry in row] for row in np.asarray(values, dtype=object)], dtype=object)
    except (TypeError, ValueError, OverflowError):
        raise LinearNetworkError(f"{name} must be a matrix of finite numbers.") from None
    if array.size == 0:
        raise LinearNetworkError(f"{name} is empty.")
    return array


def _decimal(number: Fraction | float) -> Decimal:
    exact = Fraction(number)
    return Decimal(exact.numerator) / Decimal(exact.denominator)


def _checked(answers: Numbers, inputs: Numbers, nothing: Decimal) -> None:
    if (
        inputs.ndim != 2
        or answers.ndim != 2
        or inputs.shape[0] != inputs.shape[1]
        or answers.shape[1] != inputs.shape[0]
    ):
        raise LinearNetworkError(
            f"Sigma_yx has shape {answers.shape} and Sigma_xx has shape {inputs.shape}, but Sigma_xx must be square, "
            "with one row for each column of Sigma_yx."
        )
    if _largest(inputs - inputs.T) > nothing * _largest(inputs):
        raise LinearNetworkError("Sigma_xx must be symmetric.")
    if min(inputs.diagonal()) < 0:
        raise LinearNetworkError("Sigma_xx belongs to no inputs, because it has a negative variance.")
