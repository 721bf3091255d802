"""Elementary functions that emitted kernels call.

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

from fractions import Fraction
from math import isfinite, sqrt

import numpy as np
from numba import float64, njit
from numba.extending import intrinsic, overload


def fma(a, b, c):
    """a*b + c, rounded once; compiled, it is one instruction."""
    if not isfinite(a*b + c):
        return a*b + c
    return float(Fraction(a)*Fraction(b) + Fraction(c))


@intrinsic
def fused(_, a, b, c):
    """The processor's own."""
    return float64(float64, float64, float64), lambda _, builder, signature, values: builder.fma(*values)


@overload(fma)
def compiled_fma(a, b, c):
    """Functions that compiled programs call."""
    return lambda a, b, c: fused(a, b, c)


@njit(cache=True, error_model="numpy", forceinline=True)
def minor(a, b, c, d):
    """a*b - c*d without cancellation (Kahan)."""
    second = c*d
    return fma(a, b, -second) - fma(c, d, -second)


TURNS = 6755399441055744.0  # 3 2^51: a sum with it is rounded to a whole number, which its last bits hold
WHOLE = np.float64(TURNS).view(np.int64)


@njit(cache=True, error_model="numpy", forceinline=True)
def exp_parts(x):
    """A whole number n and a number of size 1/2 at most, where exp(x) = (1 + rise) 2^n; no result needs larger x."""
    x = -746.0 if x < -746.0 else 720.0 if x > 720.0 else x
    turned = fma(x, 1.4426950408889634, TURNS)
    n = turned - TURNS
    first = fma(n, -0.6931471805599453, x)
    r = fma(n, -2.3190468138462996e-17, first)
    rest = fma(n, -2.3190468138462996e-17, first - r)
    p0 = fma(0.1666666666666667, r, 0.5)
    p1 = fma(0.008333333333326136, r, 0.04166666666666667)
    p2 = fma(0.00019841269874820627, r, 0.0013888888888883748)
    p3 = fma(2.7557255400206422e-06, r, 2.4801587325547743e-05)
    p4 = fma(2.5105217004720745e-08, r, 2.75572736431103e-07)
    p5 = 2.0914686968086876e-09
    span = r*r
    p0 = fma(p1, span, p0)
    p1 = fma(p3, span, p2)
    p2 = fma(p5, span, p4)
    span = span*span
    p0 = fma(p1, span, p0)
    p1 = p2
    span = span*span
    p0 = fma(p1, span, p0)
    return np.float64(turned).view(np.int64) - WHOLE, r + fma(r*r, p0, rest)


@njit(cache=True, error_model="numpy", forceinline=True)
def power_of_two(n):
    """2^n for n from -1022 to 1023."""
    return np.int64((n + 1023) << 52).view(np.float64)


@njit(cache=True, error_model="numpy", forceinline=True)
def two_powers(n):
    """Two powers of two with the product 2^n, which alone may be too large or too small, and one over the second."""
    half = n >> 1
    return power_of_two(half), power_of_two(n - half), power_of_two(half - n)


@njit(cache=True, error_model="numpy", forceinline=True)
def exp(x):
    """The exponential function."""
    n, rise = exp_parts(x)
    first, second, _ = two_powers(n)
    last = 0.0 if x < -745.2 else second  # a product that is too small for a float takes far longer
    return fma(rise, first, first)*last


@njit(cache=True, error_model="numpy", forceinline=True)
def relexp(x):
    """(exp(x) - 1)/x, and 1 at x = 0."""
    n, rise = exp_parts(x)
    first, second, one = two_powers(n)  # one is that of exp(x) - 1, before it is multiplied by the second
    divisor = x if x < 720.0 else 720.0  # beyond, the quotient overflows
    return 1.0 if x == 0.0 else fma(rise, first, first - one)/divisor*second


@njit(cache=True, error_model="numpy", forceinline=True)
def relexp1(x):
    """(exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0."""
    p0 = fma(0.33333333333333337, x, 0.5)
    p1 = fma(0.03333333333333178, x, 0.125)
    p2 = fma(0.0011904761904929966, x, 0.006944444444444353)
    p3 = fma(2.2045855299190406e-05, x, 0.0001736111111121019)
    p4 = fma(2.50521279278102e-07, x, 2.4801587254424228e-06)
    p5 = fma(1.9268297308029706e-09, x, 2.2964444208670986e-08)
    p6 = fma(1.0875970998749004e-11, x, 1.4910462510638438e-10)
    p7 = 7.26945015997829e-13
    span = x*x
    p0 = fma(p1, span, p0)
    p1 = fma(p3, span, p2)
    p2 = fma(p5, span, p4)
    p3 = fma(p7, span, p6)
    span = span*span
    p0 = fma(p1, span, p0)
    p1 = fma(p3, span, p2)
    span = span*span
    p0 = fma(p1, span, p0)
    near = p0
    n, rise = exp_parts(x)
    first, second, one = two_powers(n)
    divisor = x if x < 720.0 else 720.0  # beyond, the quotient overflows
    grown, less = fma(rise, first, first), fma(rise, first, first - one)
    return near if abs(x) < 1.0 else (grown - less/divisor)/divisor*second


@njit(cache=True, error_model="numpy", forceinline=True)
def asin(x):
    """The arcsine, through that of sqrt((1 - x)/2) where x is large."""
    size = abs(x)
    square = 0.5*(1.0 - size) if size > 0.5 else x*x
    small = sqrt(square) if size > 0.5 else size
    p0 = fma(0.07499999999998433, square, 0.16666666666666669)
    p1 = fma(0.030381944138531247, square, 0.04464285714635543)
    p2 = fma(0.017352392720869973, square, 0.02237217294214989)
    p3 = fma(0.011479177415184906, square, 0.013971212973552933)
    p4 = fma(0.005457506718640358, square, 0.01032281435018578)
    p5 = fma(-0.014851887071247204, square, 0.01740087944269402)
    p6 = 0.028757851367421566
    span = square*square
    p0 = fma(p1, span, p0)
    p1 = fma(p3, span, p2)
    p2 = fma(p5, span, p4)
    p3 = p6
    span = span*span
    p0 = fma(p1, span, p0)
    p1 = fma(p3, span, p2)
    span = span*span
    p0 = fma(p1, span, p0)
    bend = small*square*p0
    angle = small + bend
    if size > 0.5:
        angle = fma(-2.0, small, 1.5707963267948966) - (2.0*bend - 6.123233995736766e-17)
    return angle if x >= 0.0 else -angle


@njit(cache=True, error_model="numpy", forceinline=True)
def log(x):
    """The natural logarithm."""
    subnormal = x < 2.2250738585072014e-308
    bits = np.float64(x*18014398509481984.0 if subnormal else x).view(np.int64)
    n = (bits - 0x3FE6A09E667F3BCD) >> 52  # x is 2^n times a number from sqrt(1/2) to sqrt(2)
    power = np.float64(n) - (54.0 if subnormal else 0.0)
    above = np.int64(bits - (n << 52)).view(np.float64) - 1.0
    s = above/(2.0 + above)
    z = s*s
    p0 = fma(0.19999999999949752, z, 0.3333333333333335)
    p1 = fma(0.1111110556739754, z, 0.14285714312987743)
    p2 = fma(0.07665860800278021, z, 0.09091444562630861)
    p3 = 0.07308224842521703
    span = z*z
    p0 = fma(p1, span, p0)
    p1 = fma(p3, span, p2)
    span = span*span
    p0 = fma(p1, span, p0)
    half = 0.5*above*above
    low = fma(power, 2.3190468138462996e-17, s*(half + 2.0*z*p0))
    value = fma(power, 0.6931471805599453, above - (half - low))
    return value if 0.0 < x < np.inf else -np.inf if x == 0.0 else x if x > 0.0 else np.nan
