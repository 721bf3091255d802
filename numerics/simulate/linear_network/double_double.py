"""Numbers of about 32 digits: the unevaluated sum of a pair of doubles (high, low), for vectors of them in LLVM.

The error of a sum of doubles is a double, and so is the error of a product, which a fused multiply-add finds
(Knuth; Dekker). Sums of products keep the errors of all terms in the low part. Nothing here carries fast-math flags,
because an optimiser that reorders would cancel the errors away.

In arrays a leading axis of two holds the high and the low parts.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils
from numpy.typing import NDArray

Floats = NDArray[np.float64]


# --- on values of LLVM: doubles, or vectors of doubles ----------------------------------------------------------------


def fused(builder, left, right, addend):
    """left right + addend, rounded once."""
    kind = left.type
    name = f"llvm.fma.v{kind.count}f64" if isinstance(kind, ir.VectorType) else "llvm.fma.f64"
    function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(kind, [kind] * 3), name)
    return builder.call(function, (left, right, addend))


def two_sum(builder, left, right):
    """The sum and its error."""
    total = builder.fadd(left, right)
    part = builder.fsub(total, left)
    return total, builder.fadd(builder.fsub(left, builder.fsub(total, part)), builder.fsub(right, part))


def quick_two_sum(builder, larger, smaller):
    """The sum and its error, where the first is not the smaller one."""
    total = builder.fadd(larger, smaller)
    return total, builder.fsub(smaller, builder.fsub(total, larger))


def two_product(builder, left, right):
    """The product and its error."""
    product = builder.fmul(left, right)
    return product, fused(builder, left, right, builder.fneg(product))


def plus(builder, left, right):
    """left + right."""
    high, carry = two_sum(builder, left[0], right[0])
    low, rest = two_sum(builder, left[1], right[1])
    high, low = quick_two_sum(builder, high, builder.fadd(carry, low))
    return quick_two_sum(builder, high, builder.fadd(low, rest))


def times(builder, left, right):
    """left right."""
    return quick_two_sum(builder, *_crossed(builder, left, right))


def accumulated(builder, total, left, right):
    """total + left right for a running sum, whose parts may overlap until `normal` is called."""
    product, low = _crossed(builder, left, right)
    high, carry = two_sum(builder, total[0], product)
    return high, builder.fadd(total[1], builder.fadd(carry, low))


def normal(builder, total):
    """A running sum as high and low part."""
    return two_sum(builder, *total)


def _crossed(builder, left, right):
    product, low = two_product(builder, left[0], right[0])
    return product, fused(builder, left[1], right[0], fused(builder, left[0], right[1], low))


# --- on numbers of Python ---------------------------------------------------------------------------------------------


def pair(number: Fraction | float) -> tuple[float, float]:
    """Split a number into a double and what is left of it, rounded: about 32 digits together.

    >>> high, low = pair(Fraction(1, 10))
    >>> high, abs(Fraction(high) + Fraction(low) - Fraction(1, 10)) < Fraction(1, 10**33)
    (0.1, True)
    """
    high = float(number)
    return high, float(Fraction(number) - Fraction(high))


def pairs(numbers: Sequence[Sequence[Fraction | float]]) -> Floats:
    """Split a matrix of numbers: an array (2, rows, columns) of the high parts and of the low ones.

    >>> pairs([[Fraction(1, 4), 2]]).tolist()
    [[[0.25, 2.0]], [[0.0, 0.0]]]
    """
    return np.moveaxis(np.array([[pair(number) for number in row] for row in numbers], dtype=float), -1, 0)


def fractions(split: Floats) -> NDArray[np.object_]:
    """The exact values of a split array, without its leading axis.

    >>> fractions(pairs([[Fraction(1, 4), 2]])).tolist()
    [[Fraction(1, 4), Fraction(2, 1)]]
    """
    exact = np.empty(split[0].size, dtype=object)
    exact[:] = [Fraction(float(high)) + Fraction(float(low)) for high, low in split.reshape(2, -1).T]
    return exact.reshape(split.shape[1:])
