"""Kernels of solvable_networks, compiled on first use.

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


@njit(cache=True, error_model="numpy")
def mode(a0, s, balance, tau, t):
    """A mode's singular value at time t from its value a0 at time zero, where the task has s and the weights
    the balance lambda, of either sign and zero.

    Inputs: a0, s, balance, tau, t
    Returns: a
    Domain: s > 0, tau > 0, t >= 0
    Equals: solvable_networks:mode_in_sums
    Source: Exactly solvable networks: an atlas, section 5
    Equality: sha256 cab1f722e8d0d7e9f2f38ca1f4e946e3ae367e888018482f05b214c24196f6f6
    Normal form: sha256 b3a82eee3f65b607c12149d8d48e01cacc869da50a6c98b94898f490d1ea3bb0
    """
    mu2 = 0.25*balance*balance
    root = sqrt(mu2 + s*s)
    size = sqrt(mu2 + a0*a0)
    excess = mu2/(s + root)
    if a0 > 0.0:
        far = a0 + size
    else:
        far = size - a0
    if balance == 0.0:
        near = 0.0
    else:
        near = mu2/far
    phase = t/tau
    t0 = -2.0*root*phase
    fade = exp(t0)
    glide = phase*relexp(t0)
    ahead = 1.0 + glide*(far - excess)
    behind = fade + glide*(excess + near)
    left = fade + 2.0*mu2*glide*glide + 2.0*a0*s*glide*glide + size*glide*(fade + 1.0)
    if a0 > 0.0:
        a = (a0*(fade + 2.0*s*s*glide*glide) + s*glide*(2.0*mu2*glide + size*(fade + 1.0)))/left
    elif balance == 0.0:
        a = a0*fade/ahead
    else:
        a = (
            (a0*fade*(fade + 2.0*excess*glide)/behind + s*glide*(near*(fade + 1.0) + glide*(2.0*mu2
            - 2.0*a0*excess))/behind)/ahead
        )
    return (a,)


@njit(cache=True, error_model="numpy")
def mode_time(a0, value, s, balance, tau):
    """The time that a mode takes from a0 to a value between a0 and s. For balance = 0 there is none from
    zero, nor from below zero to zero or above.

    Inputs: a0, value, s, balance, tau
    Returns: t
    Domain: s > 0, tau > 0, (value - a0)*(s - value) >= 0, value != s
    Equals: solvable_networks:mode_time_in_sums
    Source: Exactly solvable networks: an atlas, section 5
    Equality: sha256 ce36c288455dac29bfbf5cfdf23504fb6279e439328ade6629a2792c2f32e593
    Normal form: sha256 4bbeef56ddb4453c3487cd1ba6e4121ed444b8967db98ffec845164e56b0e6d7
    """
    mu2 = 0.25*balance*balance
    root = sqrt(mu2 + s*s)
    size = sqrt(mu2 + a0*a0)
    here = sqrt(mu2 + value*value)
    lag = (mu2 + value*value + s*s)/minor(root, here, value, s)
    first_lag = (mu2 + a0*a0 + s*s)/minor(root, size, a0, s)
    lean = (mu2 + a0*a0 + value*value)/(a0*value + size*here)
    if a0 >= 0.0:
        pull = (s*(a0 + value) + mu2*(lean + 1.0) + root*(size + here))/(mu2 + a0*s + root*size)
    elif value < 0.0:
        pull = (lag + first_lag + lean + 1.0)/(first_lag + 1.0)
    else:
        pull = (value*s + root*here + size*here + mu2*(first_lag + 1.0) - a0*value)/(mu2*(first_lag + 1.0))
    gain = root*pull*(value - a0)/((size + here)*(s - value))
    grown = gain + 1.0
    if grown == 1.0:
        t = 0.5*tau*gain/root
    else:
        t = 0.5*tau*gain*log(grown)/(root*(grown - 1.0))
    return (t,)
