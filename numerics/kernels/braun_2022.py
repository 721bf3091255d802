"""Kernels of braun_2022, compiled on first use.

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

from math import exp, expm1, log, sqrt

from numba import njit


@njit(cache=True, error_model="numpy")
def relexp(x):
    """(exp(x) - 1)/x, and 1 at x = 0."""
    if x == 0.0:
        return 1.0
    if x > 700.0:  # exp(x) may overflow where the quotient does not
        half = exp(0.5*x)
        return half*(half/x)
    return expm1(x)/x


@njit(cache=True, error_model="numpy")
def product_error(x, y, product):
    """x*y - product without rounding, from halves of the factors (Dekker, 1971)."""
    wide_x, wide_y = 134217729.0*x, 134217729.0*y
    high_x, high_y = wide_x - (wide_x - x), wide_y - (wide_y - y)
    low_x, low_y = x - high_x, y - high_y
    return ((high_x*high_y - product) + high_x*low_y + low_x*high_y) + low_x*low_y


@njit(cache=True, error_model="numpy")
def minor(a, b, c, d):
    """a*b - c*d, without the rounding of the products."""
    first, second = a*b, c*d
    return (first - second) + (product_error(a, b, first) - product_error(c, d, second))


@njit(cache=True, error_model="numpy")
def decoupling(a1, a2, b, s1, s2, t):
    """The entries of A'A at time t (in units of tau) for two modes, from their values at time zero.

        determinant = a1*a2 - b^2
        fade1 = exp(-2*s1*t)
        fade2 = exp(-2*s2*t)
        rise1 = 2*t*relexp(-2*s1*t)
        rise2 = 2*t*relexp(-2*s2*t)
        ahead1 = exp(t*(s2 - s1))
        ahead2 = exp(t*(s1 - s2))
        margin1 = determinant*rise2 - a1*fade2
        margin2 = determinant*rise1 - a2*fade1
        margin = margin1  if s1 >= s2
        margin = margin2  otherwise
        open1 = fade2 + a2*rise2
        open2 = fade1 + a1*rise1
        rest1 = determinant/fade2  if determinant > 0
        rest1 = 0  otherwise
        rest2 = determinant/fade1  if determinant > 0
        rest2 = 0  otherwise
        weight1 = a1*fade2 + determinant*rise2  if margin1 > 0
        weight1 = a1 + rise2*rest1  otherwise
        weight2 = a2*fade1 + determinant*rise1  if margin2 > 0
        weight2 = a2 + rise1*rest2  otherwise
        lifted1 = a2*rise2*ahead1/weight1
        lifted2 = a1*rise1*ahead2/weight2
        held1 = fade1/a1  if b = 0
        held1 = fade1*open1/weight1  if margin1 > 0
        held1 = fade1/weight1 + ahead1*lifted1  otherwise
        held2 = fade2/a2  if b = 0
        held2 = fade2*open2/weight2  if margin2 > 0
        held2 = fade2/weight2 + ahead2*lifted2  otherwise
        level1 = 0  if a1 = 0
        level1 = 1/(rise1 + held1)  otherwise
        level2 = 0  if a2 = 0
        level2 = 1/(rise2 + held2)  otherwise
        half = exp(t*(-s1 - s2)/2)  if margin > 0
        half = exp(-t*abs(s1 - s2)/2)  otherwise
        carried = 0  if b = 0
        carried = b*level1*half/weight1  if s1 >= s2
        carried = b*level2*half/weight2  otherwise
        a1_t = level1
        a2_t = level2
        b_t = half*carried

    State: a1, a2, b
    Parameters: s1, s2, t
    Returns: a1_t, a2_t, b_t
    Domain: a1 >= 0, a2 >= 0, s1 >= 0, s2 >= 0, t >= 0, a1*a2 >= b^2
    Rests on: braun_2022:emitted_decoupling, braun_2022:decoupling_solves_the_flow,
        braun_2022:decoupling_by_inverses
    Source: Braun, Domine, Fitzgerald & Saxe (2022), NeurIPS 35, Eqs. 13 and 14 without their inverses
    Normal form: sha256 5fa3b8cd197adf9c53d5594ee12e7c6bfdc509d3f567b4e582897941ccde4bed
    """
    determinant = minor(a1, a2, b, b)
    t0 = -2.0*s1*t
    fade1 = exp(t0)
    t1 = -2.0*s2*t
    fade2 = exp(t1)
    rise1 = 2.0*t*relexp(t0)
    rise2 = 2.0*t*relexp(t1)
    ahead1 = exp(t*(s2 - s1))
    ahead2 = exp(t*(s1 - s2))
    margin1 = minor(determinant, rise2, a1, fade2)
    margin2 = minor(determinant, rise1, a2, fade1)
    if s1 >= s2:
        margin = margin1
    else:
        margin = margin2
    open1 = fade2 + a2*rise2
    open2 = fade1 + a1*rise1
    if determinant > 0.0:
        rest1 = determinant/fade2
        rest2 = determinant/fade1
    else:
        rest1 = 0.0
        rest2 = 0.0
    if margin1 > 0.0:
        weight1 = a1*fade2 + determinant*rise2
    else:
        weight1 = a1 + rise2*rest1
    if margin2 > 0.0:
        weight2 = a2*fade1 + determinant*rise1
    else:
        weight2 = a2 + rise1*rest2
    lifted1 = a2*rise2*ahead1/weight1
    lifted2 = a1*rise1*ahead2/weight2
    if b == 0.0:
        held1 = fade1/a1
    elif margin1 > 0.0:
        held1 = fade1*open1/weight1
    else:
        held1 = fade1/weight1 + ahead1*lifted1
    if b == 0.0:
        held2 = fade2/a2
    elif margin2 > 0.0:
        held2 = fade2*open2/weight2
    else:
        held2 = fade2/weight2 + ahead2*lifted2
    if a1 == 0.0:
        level1 = 0.0
    else:
        level1 = 1.0/(rise1 + held1)
    if a2 == 0.0:
        level2 = 0.0
    else:
        level2 = 1.0/(rise2 + held2)
    if margin > 0.0:
        half = exp(0.5*t*(-s1 - s2))
    else:
        half = exp(-0.5*t*abs(s1 - s2))
    if b == 0.0:
        carried = 0.0
    elif s1 >= s2:
        carried = b*level1*half/weight1
    else:
        carried = b*level2*half/weight2
    a1_t = level1
    a2_t = level2
    b_t = half*carried
    return a1_t, a2_t, b_t


@njit(cache=True, error_model="numpy")
def decoupling_peak(a1, a2, b, s):
    """The time (in units of tau) and the height of the peak of b for two modes with equal singular values.

        determinant = a1*a2 - b^2
        slack = s*(s - a1 - a2)
        t_peak = log(1 + slack/determinant)/(4*s)
        b_peak = b*s^2/(s*(a1 + a2) + 2*sqrt(determinant)*sqrt(determinant + slack) - 2*determinant)

    State: a1, a2, b
    Parameters: s
    Returns: t_peak, b_peak
    Domain: a1 > 0, a2 > 0, s > 0, a1*a2 > b^2, s > a1 + a2
    Rests on: braun_2022:emitted_peak, braun_2022:decoupling_solves_the_flow
    Source: Braun, Domine, Fitzgerald & Saxe (2022), NeurIPS 35, section 5, with the one that the logarithm
        lacks
    Normal form: sha256 6b55ca0551d2e942641a102cf4809b472fd53d022b0e8a4483039446b7078e80
    """
    determinant = minor(a1, a2, b, b)
    slack = s*(s - a1 - a2)
    t_peak = 0.25*log(1.0 + slack/determinant)/s
    b_peak = b*s*s/(s*(a1 + a2) + 2.0*sqrt(determinant)*sqrt(determinant + slack) - 2.0*determinant)
    return t_peak, b_peak
