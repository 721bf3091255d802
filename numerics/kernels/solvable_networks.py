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
    """What compiled programs call."""
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
    Equality: sha256 c4bd5386fbb6d169b7a1ae8dddbaf3cb045fcc24352825f7e789f57f2a2f9d11
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
    Equality: sha256 c586e74d0179947a14fbde8f1b79ad8b0e4c313b5a8fe10488422dd8f065ec2c
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


@njit(cache=True, error_model="numpy")
def mode_slopes(a0, s, balance, tau, t):
    """The derivatives of a mode's singular value by a0, by s, and by t/tau.

    Inputs: a0, s, balance, tau, t
    Returns: da_da0, da_ds, da_dt
    Domain: s > 0, tau > 0, t >= 0, a0^2 + balance^2 != 0
    Equals: solvable_networks:mode_slopes_in_sums, solvable_networks:stuck_slopes
    Source: Exactly solvable networks: an atlas, section 5
    Equality: sha256 f5f4748df438e091730f07c9f962682499c9f33c5a08dc6dea58d6510ee3c7a8
    Normal form: sha256 4285c7759ff21f78087573563f658f38e11b66a2985a26987549816161ae13fe
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
    t1 = relexp(t0)
    glide = phase*t1
    ahead = 1.0 + glide*(far - excess)
    behind = fade + glide*(excess + near)
    left = fade + 2.0*mu2*glide*glide + 2.0*a0*s*glide*glide + size*glide*(fade + 1.0)
    half_fade = exp(-root*phase)
    if a0 > 0.0:
        here = (0.5*size*(1.0 + fade*fade) + glide*(fade + 1.0)*(mu2 + a0*s))/left
        share = half_fade/left
        last = half_fade
    elif balance == 0.0:
        here = -a0*half_fade/ahead
        share = 1.0
        last = half_fade/ahead
    else:
        here = 0.5*far*behind/ahead + 0.5*near*ahead/behind
        share = half_fade/(ahead*behind)
        last = half_fade
    carried = here*share
    moved = carried*(s - a0)
    turned = t1
    later = turned - relexp1(t0)
    bent = turned*turned - 2.0*fade*later
    if a0 > 0.0:
        swept = (phase*fade + size*glide*glide + bent*phase*phase*(mu2 + a0*s)/root)/left
    elif balance == 0.0:
        swept = half_fade*(phase - 2.0*a0*later*phase*phase)/ahead
    else:
        swept = (
            (phase*fade + near*glide*glide + bent*phase*phase*(mu2 - a0*excess)/root
            - 2.0*a0*fade*later*phase*phase)/(ahead*behind)
        )
    da_da0 = last*carried/size
    da_ds = 2.0*here*swept
    da_dt = 2.0*last*moved
    return da_da0, da_ds, da_dt


@njit(cache=True, error_model="numpy")
def mode_balance_slope(a0, s, balance, tau, t):
    """The derivative of a mode's singular value by the balance, from starts between -s and s.

    Inputs: a0, s, balance, tau, t
    Returns: da_dbalance
    Domain: s > 0, tau > 0, t >= 0, a0^2 + balance^2 != 0, (a0 + s)*(s - a0) >= 0
    Equals: solvable_networks:mode_slopes_in_sums, solvable_networks:stuck_slopes
    Source: Exactly solvable networks: an atlas, section 5
    Equality: sha256 1cd7a6a06d42c1bed26f2b0b869bcf7563b10ae6d76cc3f94e8e1335ddbd9aba
    Normal form: sha256 f4a537d1fb09e720009b6a87935eb23a4284d9ab3baf48545ec291e8f1ad4efe
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
    half_fade = exp(-root*phase)
    if a0 > 0.0:
        here = (0.5*size*(1.0 + fade*fade) + glide*(fade + 1.0)*(mu2 + a0*s))/left
        share = half_fade/left
        last = half_fade
    elif balance == 0.0:
        here = -a0*half_fade/ahead
        share = 1.0
        last = half_fade/ahead
    else:
        here = 0.5*far*behind/ahead + 0.5*near*ahead/behind
        share = half_fade/(ahead*behind)
        last = half_fade
    carried = here*share
    moved = carried*(s - a0)
    if a0 > 0.0:
        passed = 2.0*phase + glide*(s - a0)*(4.0*s*size*glide + (a0 + s)*(fade + 1.0))/(size*left*here)
    elif balance == 0.0:
        passed = 0.0
    else:
        passed = (
            2.0*phase + glide*(s - a0)*(4.0*s*size*glide + (a0 + s)*(fade + 1.0))/(size*ahead*behind*here)
        )
    pulled = 0.25*balance*moved*passed/(root*root)
    da_dbalance = last*pulled
    return (da_dbalance,)


@njit(cache=True, error_model="numpy")
def mode_time_slopes(a0, value, s, balance, tau):
    """The derivatives of the time of a mode by all but tau, from starts between -s and s. For balance = 0
    there is none from zero, nor from below zero to zero or above.

    Inputs: a0, value, s, balance, tau
    Returns: dt_da0, dt_dvalue, dt_ds, dt_dbalance
    Domain: s > 0, tau > 0, a0^2 + balance^2 != 0, value^2 + balance^2 != 0, (a0 + s)*(s - a0) >= 0,
        (value - a0)*(s - value) >= 0, value != s
    Equals: solvable_networks:mode_time_slopes_in_sums
    Source: Exactly solvable networks: an atlas, section 5
    Equality: sha256 3d2ab0c7935a7f5f240ec1f93d88ac3801928c118ca2cafc3f0c4b6d94316087
    Normal form: sha256 450199332a6bbb378e152ed5868d4f121eac03433872e3794f5b35b40b67fefb
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
    t0 = 1.0/(size + here)
    t1 = 1.0/(s - value)
    gain = root*pull*(value - a0)*t0*t1
    grown = gain + 1.0
    t2 = 1.0/root
    if grown == 1.0:
        waited = gain*t2
    else:
        waited = gain*log(grown)*t2/(grown - 1.0)
    stretch = (a0 + value)*(value - a0)*t0
    if a0 >= 0.0:
        crossed = (a0 + value)*(value - a0)/(a0*here + value*size)
    elif value < 0.0:
        crossed = (value - a0)*(-a0 - value)/(-a0*here - value*size)
    else:
        crossed = minor(value, size, a0, here)/mu2
    t3 = 1.0/size
    t4 = 1.0/(s - a0)
    dt_da0 = -0.5*tau*t3*t4
    t5 = 1.0/here
    dt_dvalue = 0.5*tau*t5*t1
    dt_ds = -0.5*tau*(s*waited + (s*stretch + mu2*crossed)*t4*t1)*t2*t2
    dt_dbalance = -0.125*balance*tau*(waited + (stretch + s*crossed)*t3*t5)*t2*t2
    return dt_da0, dt_dvalue, dt_ds, dt_dbalance
