"""Kernels of van_rossem_saxe_2024, compiled on first use.

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
    p0 = fma(0.16666666666666666, r, 0.5)
    p1 = fma(0.008333333333333333, r, 0.041666666666666664)
    p2 = fma(0.0001984126984126984, r, 0.001388888888888889)
    p3 = fma(2.7557319223985893e-06, r, 2.48015873015873e-05)
    p4 = fma(2.505210838544172e-08, r, 2.755731922398589e-07)
    p5 = fma(1.6059043836821613e-10, r, 2.08767569878681e-09)
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
def exp(x):
    """The exponential function."""
    n, rise = exp_parts(x)
    half = n >> 1  # in two steps, because 2^n alone may be too large or too small
    return (1.0 + rise)*power_of_two(half)*power_of_two(n - half)


@njit(cache=True, error_model="numpy", forceinline=True)
def less_one(n, rise):
    """2^n and (1 + rise) 2^n - 1, both by 2^16 smaller, because the latter may overflow where its share does not."""
    power = power_of_two(n - 16 if n > -1000 else -1016)
    return power, fma(rise, power, power - 0.0000152587890625)


@njit(cache=True, error_model="numpy", forceinline=True)
def relexp(x):
    """(exp(x) - 1)/x, and 1 at x = 0."""
    n, rise = exp_parts(x)
    divisor = x if x < 720.0 else 720.0  # beyond, the quotient overflows
    return 1.0 if x == 0.0 else less_one(n, rise)[1]/divisor*65536.0


@njit(cache=True, error_model="numpy", forceinline=True)
def relexp1(x):
    """(exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0."""
    p0 = fma(0.3333333333333333, x, 0.5)
    p1 = fma(0.03333333333333333, x, 0.125)
    p2 = fma(0.0011904761904761906, x, 0.006944444444444444)
    p3 = fma(2.2045855379188714e-05, x, 0.00017361111111111112)
    p4 = fma(2.505210838544172e-07, x, 2.48015873015873e-06)
    p5 = fma(1.9270852604185937e-09, x, 2.296443268665491e-08)
    p6 = fma(1.0706029224547743e-11, x, 1.4911969277048643e-10)
    p7 = fma(4.498331606952833e-14, x, 7.169215998581078e-13)
    p8 = fma(1.4797143443923793e-16, x, 2.6552651846596585e-15)
    p9 = fma(3.9145882126782523e-19, x, 7.809603484293113e-18)
    span = x*x
    p0 = fma(p1, span, p0)
    p1 = fma(p3, span, p2)
    p2 = fma(p5, span, p4)
    p3 = fma(p7, span, p6)
    p4 = fma(p9, span, p8)
    span = span*span
    p0 = fma(p1, span, p0)
    p1 = fma(p3, span, p2)
    p2 = p4
    span = span*span
    p0 = fma(p1, span, p0)
    p1 = p2
    span = span*span
    p0 = fma(p1, span, p0)
    near = p0
    n, rise = exp_parts(x)
    power, less = less_one(n, rise)
    divisor = x if x < 720.0 else 720.0  # beyond, the quotient overflows
    return near if abs(x) < 1.0 else (fma(rise, power, power) - less/divisor)/divisor*65536.0


@njit(cache=True, error_model="numpy")
def two_point_flow(h, y, w, X, s, tau_h, tau_y):
    """Rates of h = |dh|^2, y = |dy|^2 and w along the gradient flow of the loss (equation 7 with both time
    constants doubled).

        lift = h/(4*tau_y)
        push = X/(4*h*tau_h)
        outward = y - s - 3*w
        inward = w*(y + w)
        h_rate = -w*X/(2*tau_h)
        y_rate = -2*w*(lift + y*push)
        w_rate = lift*outward - push*inward

    State: h, y, w
    Parameters: X, s, tau_h, tau_y
    Returns: h_rate, y_rate, w_rate
    Domain: h > 0, y >= 0, X > 0, s >= 0, tau_h > 0, tau_y > 0
    Rests on: van_rossem_saxe_2024:derived_system, van_rossem_saxe_2024:emitted_flow
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eq. 7
    Normal form: sha256 775cebbb62194d6befd8a2601e29ff1d8c412554386dded6dc8c430a6470fca4
    """
    lift = 0.25*h/tau_y
    t0 = 1.0/tau_h
    push = 0.25*X*t0/h
    outward = y - s - 3.0*w
    inward = w*(y + w)
    h_rate = -0.5*w*X*t0
    y_rate = -2.0*w*(lift + y*push)
    w_rate = minor(lift, outward, push, inward)
    return h_rate, y_rate, w_rate


@njit(cache=True, error_model="numpy")
def two_point_jacobian(h, y, w, X, s, tau_h, tau_y):
    """The derivatives of h_rate, y_rate, w_rate (two_point_flow) by h, y, w.

        dh_rate_dh = 0
        dh_rate_dy = 0
        dh_rate_dw = -X/(2*tau_h)
        dy_rate_dh = y*w*X/(2*tau_h*h^2) - w/(2*tau_y)
        dy_rate_dy = -w*X/(2*h*tau_h)
        dy_rate_dw = -h/(2*tau_y) - y*X/(2*h*tau_h)
        dw_rate_dh = y/(4*tau_y) + y*w*X/(4*tau_h*h^2) + X*w^2/(4*tau_h*h^2) - s/(4*tau_y) - 3*w/(4*tau_y)
        dw_rate_dy = h/(4*tau_y) - w*X/(4*h*tau_h)
        dw_rate_dw = -3*h/(4*tau_y) - w*X/(2*h*tau_h) - y*X/(4*h*tau_h)

    State: h, y, w
    Parameters: X, s, tau_h, tau_y
    Returns: dh_rate_dh, dh_rate_dy, dh_rate_dw, dy_rate_dh, dy_rate_dy, dy_rate_dw, dw_rate_dh, dw_rate_dy,
        dw_rate_dw
    Domain: h > 0, y >= 0, X > 0, s >= 0, tau_h > 0, tau_y > 0
    Rests on: van_rossem_saxe_2024:derived_system
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eq. 7
    Normal form: sha256 06a02d2bd3ab75c25ff6f7cb00083c2fd4037598a6f9d9d6d08c45d0f573ed88
    """
    dh_rate_dh = 0.0
    dh_rate_dy = 0.0
    t0 = 1.0/tau_h
    dh_rate_dw = -0.5*X*t0
    t1 = 1.0/h
    t2 = 1.0/tau_y
    dy_rate_dh = 0.5*y*w*X*t0*t1*t1 - 0.5*w*t2
    dy_rate_dy = -0.5*w*X*t1*t0
    dy_rate_dw = -0.5*h*t2 - 0.5*y*X*t1*t0
    dw_rate_dh = 0.25*y*t2 + 0.25*y*w*X*t0*t1*t1 + 0.25*X*w*w*t0*t1*t1 - 0.25*s*t2 - 0.75*w*t2
    dw_rate_dy = 0.25*h*t2 - 0.25*w*X*t1*t0
    dw_rate_dw = -0.75*h*t2 + dy_rate_dy - 0.25*y*X*t1*t0
    return dh_rate_dh, dh_rate_dy, dh_rate_dw, dy_rate_dh, dy_rate_dy, dy_rate_dw, dw_rate_dh, dw_rate_dy, dw_rate_dw


@njit(cache=True, error_model="numpy")
def signed_flow(a, b, n, X, s, tau_h, tau_y):
    """Rates of the signed distance a, of b = u.(y2 - y1) and of n = |u|^2, where dh = a e and u = D_y e:
    polynomial, valid through a = 0.

        a_rate = b*X/(4*tau_h) - a*n*X/(4*tau_h)
        b_rate = a*s/(4*tau_y) - b*a^2/(4*tau_y)
        n_rate = a*b/(2*tau_y) - n*a^2/(2*tau_y)

    State: a, b, n
    Parameters: X, s, tau_h, tau_y
    Returns: a_rate, b_rate, n_rate
    Domain: n >= 0, X > 0, s >= 0, tau_h > 0, tau_y > 0
    Rests on: van_rossem_saxe_2024:signed_coordinates
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1
    Normal form: sha256 bd34ed89581810c88aa63abf71ffbe31d6c27caaa97962ebcd5201178099b619
    """
    a_rate = 0.25*b*X/tau_h - 0.25*a*n*X/tau_h
    t0 = 1.0/tau_y
    b_rate = 0.25*a*s*t0 - 0.25*b*a*a*t0
    n_rate = 0.5*a*b*t0 - 0.5*n*a*a*t0
    return a_rate, b_rate, n_rate


@njit(cache=True, error_model="numpy")
def signed_jacobian(a, b, n, X, s, tau_h, tau_y):
    """The derivatives of a_rate, b_rate, n_rate (signed_flow) by a, b, n.

        da_rate_da = -n*X/(4*tau_h)
        da_rate_db = X/(4*tau_h)
        da_rate_dn = -a*X/(4*tau_h)
        db_rate_da = s/(4*tau_y) - a*b/(2*tau_y)
        db_rate_db = -a^2/(4*tau_y)
        db_rate_dn = 0
        dn_rate_da = b/(2*tau_y) - a*n/tau_y
        dn_rate_db = a/(2*tau_y)
        dn_rate_dn = -a^2/(2*tau_y)

    State: a, b, n
    Parameters: X, s, tau_h, tau_y
    Returns: da_rate_da, da_rate_db, da_rate_dn, db_rate_da, db_rate_db, db_rate_dn, dn_rate_da, dn_rate_db,
        dn_rate_dn
    Domain: n >= 0, X > 0, s >= 0, tau_h > 0, tau_y > 0
    Rests on: van_rossem_saxe_2024:signed_coordinates
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1
    Normal form: sha256 d393c1b1da9c25eedec59de659889a2ea076de322234ee320f2b6b167ca9d682
    """
    t0 = 1.0/tau_h
    da_rate_da = -0.25*n*X*t0
    da_rate_db = 0.25*X*t0
    da_rate_dn = -0.25*a*X*t0
    t1 = 1.0/tau_y
    db_rate_da = 0.25*s*t1 - 0.5*a*b*t1
    db_rate_db = -0.25*a*a*t1
    db_rate_dn = 0.0
    dn_rate_da = 0.5*b*t1 - a*n*t1
    dn_rate_db = 0.5*a*t1
    dn_rate_dn = -0.5*a*a*t1
    return da_rate_da, da_rate_db, da_rate_dn, db_rate_da, db_rate_db, db_rate_dn, dn_rate_da, dn_rate_db, dn_rate_dn


@njit(cache=True, error_model="numpy")
def closed_form(h0, y0, w0, X, s, tau_h, tau_y, t):
    """h, y and w at time t from their values at time zero, for different targets (s > 0) and dh that does not
    rotate.

        alpha = X/(4*tau_h)
        beta = 1/(4*tau_y)
        K = h0*beta - y0*alpha/h0
        rho = sqrt(K^2/4 + s*alpha*beta)
        opening = rho + K/2  if K >= 0
        opening = s*alpha*beta/(rho - K/2)  otherwise
        closing = s*alpha*beta/(rho + K/2)  if K >= 0
        closing = rho - K/2  otherwise
        missed = w0 - y0
        room = s + missed
        slope = -missed/h0
        excess = -room/s
        fade = exp(-2*t*rho)
        shut = exp(-2*t*opening)
        glide = t*relexp(-2*t*rho)
        settle = t*fade*relexp(-t*K)  if K >= 0
        settle = t*shut*relexp(t*K)  otherwise
        apart = y0*s - missed^2
        sideways = apart/(h0*s)
        across = alpha*sideways/h0
        steer = w0*alpha/h0^2
        tilt = -alpha/h0
        crossing = (K*room - apart*tilt)/h0  if h0*beta/2 > abs(K)
        crossing = beta*room - missed*steer  otherwise
        lead = alpha*crossing/(closing - alpha*slope)  if missed > 0
        lead = opening + alpha*slope  otherwise
        trail = closing - alpha*slope  if missed > 0
        trail = alpha*crossing/(opening + alpha*slope)  otherwise
        shift = glide*trail
        numerator_a = fade + glide*lead  if t*opening >= 1
        numerator_a = 1 - shift  if shift < 1/2
        numerator_a = fade + glide*lead  otherwise
        numerator_b = slope + opening*glide*trail/alpha  if alpha*abs(slope) > 2*opening*glide*abs(trail)
        numerator_b = slope*fade + closing*glide*lead/alpha  otherwise
        along = beta*glide*(lead^2/opening + fade*trail^2/closing)/(2*rho)
        drawn = alpha*settle*missed^2/(h0*s)
        norm = fade + h0*(along + settle*across)  if K >= 0
        norm = shut + h0*(along + beta*settle) - drawn  if shut > 2*drawn
        norm = fade + h0*(along + settle*across)  otherwise
        gap = (excess*fade - h0*settle*across)/norm
        slow_rate = rho  if 2*opening > closing
        slow_rate = opening  otherwise
        fade_rate = rho  if 2*opening > closing
        fade_rate = closing  otherwise
        shut_rate = K + rho  if 2*opening > closing
        shut_rate = opening  otherwise
        slow = exp(-t*slow_rate)
        late_fade = exp(-t*fade_rate)
        late_shut = exp(-t*shut_rate)
        late_settle = t*late_fade*relexp(-t*K)  if K >= 0
        late_settle = t*late_shut*relexp(t*K)  otherwise
        open_glide = t*relexp(-2*t*opening)
        close_glide = t*relexp(-2*t*closing)
        lag = late_settle*(fade + 1)/2 - glide*(late_fade + late_shut)/2  if t*abs(K) < 1
        lag = s*alpha*beta*(late_fade*open_glide - late_shut*close_glide)/(K*rho)  otherwise
        pull = K*lag + s*alpha*beta*glide*late_settle  if t*K > -1
        pull = (
            -s*alpha*beta*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)/(K*rho)  otherwise
        )
        turn = (
            late_fade*(w0*(fade - K*glide)/h0 + beta*glide*lead*(y0 - s)/(closing + h0*beta))  if 2*closing >
            opening
        )
        turn = late_fade*(w0*(fade + closing*glide)/h0 - beta*room*glide)  otherwise
        late_w = h0*numerator_a*(turn - sideways*(pull + alpha*slope*lag))/norm^2
        h = h0*numerator_a^2/norm
        y = s*(gap + 1)^2 + h0*shut*sideways*numerator_a^2/norm^2  if abs(gap) < 1/2
        y = h0*numerator_a^2*(h0*beta*numerator_a^2/norm - K)/(alpha*norm)  if -h0*beta/2 > K
        y = h0*numerator_a^2*(shut*sideways + h0*numerator_b^2/s)/norm^2  otherwise
        w = slow*late_w

    State: h0, y0, w0
    Parameters: X, s, tau_h, tau_y, t
    Returns: h, y, w
    Domain: h0 > 0, y0 >= 0, X > 0, s > 0, tau_h > 0, tau_y > 0, t >= 0, y0*s >= (y0 - w0)^2
    Rests on: van_rossem_saxe_2024:emitted_closed_form, van_rossem_saxe_2024:closed_form_squared_balanced
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1
    Normal form: sha256 7341461ff58da56fceacbcca02f3c4080c3ad672f446c7bd7bd2409079990a46
    """
    alpha = 0.25*X/tau_h
    beta = 0.25/tau_y
    t2 = 1.0/h0
    K = h0*beta - y0*alpha*t2
    rho = sqrt(0.25*K*K + s*alpha*beta)
    if K >= 0.0:
        opening = rho + 0.5*K
        closing = s*alpha*beta/(rho + 0.5*K)
    else:
        opening = s*alpha*beta/(rho - 0.5*K)
        closing = rho - 0.5*K
    missed = w0 - y0
    room = s + missed
    slope = -missed*t2
    t3 = 1.0/s
    excess = -room*t3
    t0 = -2.0*t*rho
    fade = exp(t0)
    t1 = -2.0*t*opening
    shut = exp(t1)
    glide = t*relexp(t0)
    if K >= 0.0:
        settle = t*fade*relexp(-t*K)
    else:
        settle = t*shut*relexp(t*K)
    apart = minor(y0, s, missed, missed)
    sideways = apart*t2*t3
    across = alpha*sideways*t2
    steer = w0*alpha*t2*t2
    tilt = -alpha*t2
    if 0.5*h0*beta > abs(K):
        crossing = minor(K, room, apart, tilt)*t2
    else:
        crossing = minor(beta, room, missed, steer)
    if missed > 0.0:
        lead = alpha*crossing/(closing - alpha*slope)
        trail = closing - alpha*slope
    else:
        lead = opening + alpha*slope
        trail = alpha*crossing/(opening + alpha*slope)
    shift = glide*trail
    if t*opening >= 1.0:
        numerator_a = fade + glide*lead
    elif shift < 0.5:
        numerator_a = 1.0 - shift
    else:
        numerator_a = fade + glide*lead
    if alpha*abs(slope) > 2.0*opening*glide*abs(trail):
        numerator_b = slope + opening*glide*trail/alpha
    else:
        numerator_b = slope*fade + closing*glide*lead/alpha
    along = 0.5*beta*glide*(lead*lead/opening + fade*trail*trail/closing)/rho
    drawn = alpha*settle*missed*missed*t2*t3
    if K >= 0.0:
        norm = fade + h0*(along + settle*across)
    elif shut > 2.0*drawn:
        norm = shut + h0*(along + beta*settle) - drawn
    else:
        norm = fade + h0*(along + settle*across)
    t4 = 1.0/norm
    gap = (excess*fade - h0*settle*across)*t4
    if 2.0*opening > closing:
        slow_rate = rho
        fade_rate = rho
        shut_rate = K + rho
    else:
        slow_rate = opening
        fade_rate = closing
        shut_rate = opening
    slow = exp(-t*slow_rate)
    late_fade = exp(-t*fade_rate)
    late_shut = exp(-t*shut_rate)
    if K >= 0.0:
        late_settle = t*late_fade*relexp(-t*K)
    else:
        late_settle = t*late_shut*relexp(t*K)
    open_glide = t*relexp(t1)
    close_glide = t*relexp(-2.0*t*closing)
    if t*abs(K) < 1.0:
        lag = 0.5*late_settle*(fade + 1.0) - 0.5*glide*(late_fade + late_shut)
    else:
        lag = s*alpha*beta*minor(late_fade, open_glide, late_shut, close_glide)/(K*rho)
    if t*K > -1.0:
        pull = K*lag + s*alpha*beta*glide*late_settle
    else:
        pull = (
            -s*alpha*beta*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2.0*rho*glide*late_fade)/(K*rho)
        )
    if 2.0*closing > opening:
        turn = late_fade*(w0*(fade - K*glide)*t2 + beta*glide*lead*(y0 - s)/(closing + h0*beta))
    else:
        turn = late_fade*(w0*(fade + closing*glide)*t2 - beta*room*glide)
    late_w = h0*numerator_a*(turn - sideways*(pull + alpha*slope*lag))*t4*t4
    h = h0*numerator_a*numerator_a*t4
    if abs(gap) < 0.5:
        y = s*(gap + 1.0)**2 + h0*shut*sideways*numerator_a*numerator_a*t4*t4
    elif -0.5*h0*beta > K:
        y = h0*numerator_a*numerator_a*(h0*beta*numerator_a*numerator_a*t4 - K)*t4/alpha
    else:
        y = h0*numerator_a*numerator_a*(shut*sideways + h0*numerator_b*numerator_b*t3)*t4*t4
    w = slow*late_w
    return h, y, w


@njit(cache=True, error_model="numpy")
def equal_targets(h0, y0, X, tau_h, tau_y, t):
    """h and y = w at time t for equal targets, A_high = 0 included.

        stay = h0*t/(2*tau_y)
        drive = y0*X*t/(2*h0*tau_h)
        lesser = drive  if stay >= drive
        lesser = stay  otherwise
        half = stay/2 - drive/2  if stay >= drive
        half = drive/2 - stay/2  otherwise
        half_fade = exp(-half)
        half_glide = relexp(-half)
        glide = half_glide*(half_fade + 1)/2
        norm = 1 + lesser*glide
        share = half_fade/norm
        faded = h0*half_fade
        carried = y0*share
        h = h0/norm  if stay >= drive
        h = share*faded  otherwise
        y = share*carried

    State: h0, y0
    Parameters: X, tau_h, tau_y, t
    Returns: h, y
    Domain: h0 > 0, y0 >= 0, X > 0, tau_h > 0, tau_y > 0, t >= 0
    Rests on: van_rossem_saxe_2024:emitted_equal_targets, van_rossem_saxe_2024:logistic_distance_doubled,
        van_rossem_saxe_2024:logistic_prediction_doubled, van_rossem_saxe_2024:algebraic_distance
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eqs. 39 and 40, corrected
    Normal form: sha256 e7c3abfd9da1dc95b5487812cdd58a29dade07d57b9586f951293bb09b0e6e8b
    """
    stay = 0.5*h0*t/tau_y
    drive = 0.5*y0*X*t/(h0*tau_h)
    if stay >= drive:
        lesser = drive
        half = 0.5*stay - 0.5*drive
    else:
        lesser = stay
        half = 0.5*drive - 0.5*stay
    half_fade = exp(-half)
    half_glide = relexp(-half)
    glide = 0.5*half_glide*(half_fade + 1.0)
    norm = 1.0 + lesser*glide
    share = half_fade/norm
    faded = h0*half_fade
    carried = y0*share
    if stay >= drive:
        h = h0/norm
    else:
        h = share*faded
    y = share*carried
    return h, y


@njit(cache=True, error_model="numpy")
def equal_targets_sensitivities(h0, y0, X, tau_h, tau_y, t):
    """The derivatives of h, y (equal_targets) by tau_h, tau_y.

        stay = h0*t/(2*tau_y)
        drive = y0*X*t/(2*h0*tau_h)
        lesser = drive  if stay >= drive
        lesser = stay  otherwise
        half = stay/2 - drive/2  if stay >= drive
        half = drive/2 - stay/2  otherwise
        half_fade = exp(-half)
        half_glide = relexp(-half)
        glide = half_glide*(half_fade + 1)/2
        norm = 1 + lesser*glide
        share = half_fade/norm
        faded = h0*half_fade
        carried = y0*share
        half_turn = relexp1(-half)
        later = half_turn/4 + half_fade*(half_glide + half_turn)/4
        spread = half_glide/2 - half_turn/2 - half_fade*half_turn/2
        rest = later  if stay >= drive
        rest = glide - later  otherwise
        upward = (1 + lesser*spread)/norm
        turning = (half_glide*(half_fade + 1) - 1 - lesser*spread)/norm
        h_by_h = drive*(glide + drive*rest)/(tau_h*norm)
        h_by_y = -stay*drive*rest/(tau_y*norm)
        y_by_h = drive*share*turning/tau_h  if stay >= drive
        y_by_h = drive*share*upward/tau_h  otherwise
        y_by_y = stay*share*upward/tau_y  if stay >= drive
        y_by_y = stay*share*turning/tau_y  otherwise
        dh_dtau_h = h0*h_by_h/norm  if stay >= drive
        dh_dtau_h = share*faded*h_by_h  otherwise
        dh_dtau_y = h0*h_by_y/norm  if stay >= drive
        dh_dtau_y = share*faded*h_by_y  otherwise
        dy_dtau_h = carried*y_by_h
        dy_dtau_y = carried*y_by_y

    State: h0, y0
    Parameters: X, tau_h, tau_y, t
    Returns: dh_dtau_h, dh_dtau_y, dy_dtau_h, dy_dtau_y
    Domain: h0 > 0, y0 >= 0, X > 0, tau_h > 0, tau_y > 0, t >= 0
    Rests on: van_rossem_saxe_2024:emitted_equal_targets, van_rossem_saxe_2024:logistic_distance_doubled,
        van_rossem_saxe_2024:logistic_prediction_doubled, van_rossem_saxe_2024:algebraic_distance,
        van_rossem_saxe_2024:emitted_equal_targets_sensitivities
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eqs. 39 and 40, corrected
    Normal form: sha256 15aa2a2e1908c0a1a08754ba226a7b27281a093111dd6081c2c82b289cff861e
    """
    t0 = 1.0/tau_y
    stay = 0.5*h0*t*t0
    t1 = 1.0/tau_h
    drive = 0.5*y0*X*t*t1/h0
    if stay >= drive:
        lesser = drive
        half = 0.5*stay - 0.5*drive
    else:
        lesser = stay
        half = 0.5*drive - 0.5*stay
    half_fade = exp(-half)
    half_glide = relexp(-half)
    glide = 0.5*half_glide*(half_fade + 1.0)
    norm = 1.0 + lesser*glide
    t2 = 1.0/norm
    share = half_fade*t2
    faded = h0*half_fade
    carried = y0*share
    half_turn = relexp1(-half)
    later = 0.25*half_turn + 0.25*half_fade*(half_glide + half_turn)
    spread = 0.5*half_glide - 0.5*half_turn - 0.5*half_fade*half_turn
    if stay >= drive:
        rest = later
    else:
        rest = glide - later
    upward = (1.0 + lesser*spread)*t2
    turning = (half_glide*(half_fade + 1.0) - 1.0 - lesser*spread)*t2
    h_by_h = drive*(glide + drive*rest)*t1*t2
    h_by_y = -stay*drive*rest*t0*t2
    if stay >= drive:
        y_by_h = drive*share*turning*t1
        y_by_y = stay*share*upward*t0
        dh_dtau_h = h0*h_by_h*t2
        dh_dtau_y = h0*h_by_y*t2
    else:
        y_by_h = drive*share*upward*t1
        y_by_y = stay*share*turning*t0
        dh_dtau_h = share*faded*h_by_h
        dh_dtau_y = share*faded*h_by_y
    dy_dtau_h = carried*y_by_h
    dy_dtau_y = carried*y_by_y
    return dh_dtau_h, dh_dtau_y, dy_dtau_h, dy_dtau_y


@njit(cache=True, error_model="numpy")
def final_distance(h0, y0, X, s, tau_h, tau_y):
    """The final |dh|^2 of equation 10 and the two eigenvalues of the flow there, for different targets (s >
    0).

        high = h0 - y0*X*tau_y/(h0*tau_h)
        low2 = X*s*tau_y/tau_h
        root = sqrt(4*low2 + high^2)
        final = high/2 + root/2  if high >= 0
        final = 2*low2/(root - high)  otherwise
        slow = -root/(4*tau_y)  if high >= 0
        slow = -low2/(tau_y*(root - high))  otherwise
        fast = (-high - root)/(4*tau_y)  if high >= 0
        fast = -root/(4*tau_y)  otherwise

    State: h0, y0
    Parameters: X, s, tau_h, tau_y
    Returns: final, slow, fast
    Domain: h0 > 0, y0 >= 0, X > 0, s > 0, tau_h > 0, tau_y > 0
    Rests on: van_rossem_saxe_2024:emitted_final_distance, van_rossem_saxe_2024:final_rest_distance,
        van_rossem_saxe_2024:final_point_is_a_node_doubled
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eqs. 10 and 28
    Normal form: sha256 fc1881d8e69ed6789587bc65947c0d49b2f104265e82b4942c01daa83f0929ce
    """
    t0 = 1.0/tau_h
    high = h0 - y0*X*tau_y*t0/h0
    low2 = X*s*tau_y*t0
    root = sqrt(4.0*low2 + high*high)
    if high >= 0.0:
        final = 0.5*high + 0.5*root
    else:
        final = 2.0*low2/(root - high)
    t1 = 1.0/tau_y
    if high >= 0.0:
        slow = -0.25*root*t1
        fast = 0.25*(-high - root)*t1
    else:
        slow = -low2*t1/(root - high)
        fast = -0.25*root*t1
    return final, slow, fast


@njit(cache=True, error_model="numpy")
def training_loss(y, w, s, mean_error, tau_b, t):
    """The loss at time t, from |ybar(0) - (y1 + y2)/2|^2 and the values of y and w at that time.

        loss = w/4 + s/8 + mean_error*exp(-2*t/tau_b)/2 - y/8

    State: y, w
    Parameters: s, mean_error, tau_b, t
    Returns: loss
    Domain: y >= 0, s >= 0, mean_error >= 0, tau_b > 0, t >= 0
    Rests on: van_rossem_saxe_2024:training_loss, van_rossem_saxe_2024:mean_output_decays
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eq. 9
    Normal form: sha256 da377af5197e06c14a544e76e84a01c1714d12fe3e4d5fa948adc0d1c0b126de
    """
    loss = 0.25*w + 0.125*s + 0.5*mean_error*exp(-2.0*t/tau_b) - 0.125*y
    return (loss,)


@njit(cache=True, error_model="numpy")
def training_loss_sensitivity(y, w, s, mean_error, tau_b, t):
    """The derivative of loss (training_loss) by tau_b.

        root_fade = exp(-t/tau_b)
        early_half = mean_error*root_fade/tau_b
        late_half = t*root_fade/tau_b
        dloss_dtau_b = early_half*late_half

    State: y, w
    Parameters: s, mean_error, tau_b, t
    Returns: dloss_dtau_b
    Domain: y >= 0, s >= 0, mean_error >= 0, tau_b > 0, t >= 0
    Rests on: van_rossem_saxe_2024:training_loss, van_rossem_saxe_2024:mean_output_decays,
        van_rossem_saxe_2024:emitted_loss_sensitivity
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eq. 9
    Normal form: sha256 8394d9df96eb7fcfaf4e61b26329ea0c76c55fd8ba8f5820d50975370745ff80
    """
    t0 = 1.0/tau_b
    root_fade = exp(-t*t0)
    early_half = mean_error*root_fade*t0
    late_half = t*root_fade*t0
    dloss_dtau_b = early_half*late_half
    return (dloss_dtau_b,)


@njit(cache=True, error_model="numpy")
def closed_form_sensitivities(h0, y0, w0, X, s, tau_h, tau_y, t):
    """The derivatives of h, y, w (closed_form) by tau_h, tau_y.

        alpha = X/(4*tau_h)
        beta = 1/(4*tau_y)
        K = h0*beta - y0*alpha/h0
        rho = sqrt(K^2/4 + s*alpha*beta)
        opening = rho + K/2  if K >= 0
        opening = s*alpha*beta/(rho - K/2)  otherwise
        closing = s*alpha*beta/(rho + K/2)  if K >= 0
        closing = rho - K/2  otherwise
        missed = w0 - y0
        room = s + missed
        slope = -missed/h0
        excess = -room/s
        fade = exp(-2*t*rho)
        shut = exp(-2*t*opening)
        glide = t*relexp(-2*t*rho)
        settle = t*fade*relexp(-t*K)  if K >= 0
        settle = t*shut*relexp(t*K)  otherwise
        span = alpha*settle  if K >= 0
        span = -alpha*(shut - fade)/K  if t*K < -1
        span = alpha*settle  otherwise
        apart = y0*s - missed^2
        sideways = apart/(h0*s)
        steer = w0*alpha/h0^2
        tilt = -alpha/h0
        crossing = (K*room - apart*tilt)/h0  if h0*beta/2 > abs(K)
        crossing = beta*room - missed*steer  otherwise
        lead = alpha*crossing/(closing - alpha*slope)  if missed > 0
        lead = opening + alpha*slope  otherwise
        trail = closing - alpha*slope  if missed > 0
        trail = alpha*crossing/(opening + alpha*slope)  otherwise
        filled = 2*rho*glide
        lead_share = lead/(2*rho)
        trail_share = trail/(2*rho)
        by_open = h0*beta/opening
        by_close = h0*beta/closing
        shift = filled*trail_share
        numerator_a = fade + filled*lead_share  if t*opening >= 1
        numerator_a = 1 - shift  if shift < 1/2
        numerator_a = fade + filled*lead_share  otherwise
        numerator_b = slope + opening*glide*trail/alpha  if alpha*abs(slope) > 2*opening*glide*abs(trail)
        numerator_b = slope*fade + closing*glide*lead/alpha  otherwise
        along = filled*(by_open*lead_share^2 + fade*by_close*trail_share^2)/h0
        drawn = span*missed^2/(h0*s)
        norm = fade + h0*along + span*sideways  if K >= 0
        norm = shut + h0*(along + beta*settle) - drawn  if shut > 2*drawn
        norm = fade + h0*along + span*sideways  otherwise
        gap = (excess*fade - span*sideways)/norm
        slow_rate = rho  if 2*opening > closing
        slow_rate = opening  otherwise
        fade_rate = rho  if 2*opening > closing
        fade_rate = closing  otherwise
        shut_rate = K + rho  if 2*opening > closing
        shut_rate = opening  otherwise
        slow = exp(-t*slow_rate)
        late_fade = exp(-t*fade_rate)
        late_shut = exp(-t*shut_rate)
        late_settle = t*late_fade*relexp(-t*K)  if K >= 0
        late_settle = t*late_shut*relexp(t*K)  otherwise
        open_glide = t*relexp(-2*t*opening)
        close_glide = t*relexp(-2*t*closing)
        lag = late_settle*(fade + 1)/2 - glide*(late_fade + late_shut)/2  if t*abs(K) < 1
        lag = s*alpha*beta*(late_fade*open_glide - late_shut*close_glide)/(K*rho)  otherwise
        pull = K*lag + s*alpha*beta*glide*late_settle  if t*K > -1
        pull = (
            -s*alpha*beta*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)/(K*rho)  otherwise
        )
        turn = (
            late_fade*(w0*(fade - K*glide)/h0 + beta*glide*lead*(y0 - s)/(closing + h0*beta))  if 2*closing >
            opening
        )
        turn = late_fade*(w0*(fade + closing*glide)/h0 - beta*room*glide)  otherwise
        late_w = h0*numerator_a*(turn - sideways*(pull + alpha*slope*lag))/norm^2
        swell = closing + h0*beta
        surplus = alpha*beta*(s - y0)/swell
        encoder_pace = (opening*surplus + closing*swell)/(4*rho^2)
        decoder_pace = (opening*swell + closing*surplus)/(4*rho^2)
        turned = alpha*slope/(2*rho)
        tilted = alpha*sideways/(2*rho)
        growth = (
            (room*glide*(slope*(fade + 1)/s + glide*(beta + alpha*slope^2/s)) - sideways*(settle
            + glide*numerator_a))/norm
        )
        late_growth = (
            (room*filled*(turned*(fade + 1) + filled*(turned^2 + opening*closing/(4*rho^2)))/s - span*sideways
            - filled*numerator_a*tilted)/norm
        )
        grown = late_growth  if t*K < -1
        grown = alpha*growth  otherwise
        lifted = beta*late_growth*h0^2/alpha  if t*K < -1
        lifted = beta*growth*h0^2  otherwise
        weight = lead_share  if t*opening >= 1
        weight = 1  otherwise
        now = h0*numerator_a^2/norm  if weight < 1/4
        now = h0*(grown + 1)  if grown > -1/2
        now = h0*numerator_a^2/norm  otherwise
        dalpha_dtau_h = -alpha/tau_h
        dbeta_dtau_y = -beta/tau_y
        dK_dtau_h = y0*alpha/(h0*tau_h)
        dK_dtau_y = -h0*beta/tau_y
        drho_dtau_h = -rho*encoder_pace/tau_h
        drho_dtau_y = -rho*decoder_pace/tau_y
        dopening_dtau_h = -opening*surplus/(2*tau_h*rho)
        dopening_dtau_y = -opening*swell/(2*tau_y*rho)
        dclosing_dtau_h = -closing*swell/(2*tau_h*rho)
        dclosing_dtau_y = -closing*surplus/(2*tau_y*rho)
        dfade_dtau_h = -2*t*drho_dtau_h*exp(-2*t*rho)
        dfade_dtau_y = -2*t*drho_dtau_y*exp(-2*t*rho)
        dshut_dtau_h = -2*t*dopening_dtau_h*exp(-2*t*opening)
        dshut_dtau_y = -2*t*dopening_dtau_y*exp(-2*t*opening)
        dglide_dtau_h = -2*drho_dtau_h*t^2*relexp1(-2*t*rho)
        dglide_dtau_y = -2*drho_dtau_y*t^2*relexp1(-2*t*rho)
        dsettle_dtau_h = t*dfade_dtau_h*relexp(-t*K) - fade*dK_dtau_h*t^2*relexp1(-t*K)  if K >= 0
        dsettle_dtau_h = t*dshut_dtau_h*relexp(t*K) + shut*dK_dtau_h*t^2*relexp1(t*K)  otherwise
        dsettle_dtau_y = t*dfade_dtau_y*relexp(-t*K) - fade*dK_dtau_y*t^2*relexp1(-t*K)  if K >= 0
        dsettle_dtau_y = t*dshut_dtau_y*relexp(t*K) + shut*dK_dtau_y*t^2*relexp1(t*K)  otherwise
        dspan_dtau_h = (
            (alpha*(2*rho*fade*encoder_pace*t^2*relexp(-t*K) - y0*alpha*fade*t^2*relexp1(-t*K)/h0)
            - alpha*settle)/tau_h  if K >= 0
        )
        dspan_dtau_h = (
            -alpha*(t*opening*shut*surplus/rho - 2*t*rho*fade*encoder_pace - h0*beta*(shut
            - fade)/K)/(tau_h*K)  if t*K < -1
        )
        dspan_dtau_h = (
            (alpha*(y0*alpha*shut*t^2*relexp1(t*K)/h0 + opening*shut*surplus*t^2*relexp(t*K)/rho)
            - alpha*settle)/tau_h  otherwise
        )
        dspan_dtau_y = (
            alpha*(h0*beta*fade*t^2*relexp1(-t*K) + 2*rho*fade*decoder_pace*t^2*relexp(-t*K))/tau_y  if K >= 0
        )
        dspan_dtau_y = (
            -alpha*(t*opening*shut*swell/rho - 2*t*rho*fade*decoder_pace - h0*beta*(fade - shut)/K)/(tau_y*K)
            if t*K < -1
        )
        dspan_dtau_y = (
            alpha*(opening*shut*swell*t^2*relexp(t*K)/rho - h0*beta*shut*t^2*relexp1(t*K))/tau_y  otherwise
        )
        dlead_dtau_h = (-alpha*slope - opening*surplus/(2*rho))/tau_h
        dlead_dtau_y = -opening*swell/(2*tau_y*rho)
        dtrail_dtau_h = (alpha*slope - closing*swell/(2*rho))/tau_h
        dtrail_dtau_y = -closing*surplus/(2*tau_y*rho)
        dfilled_dtau_h = -2*t*rho*fade*encoder_pace/tau_h
        dfilled_dtau_y = -2*t*rho*fade*decoder_pace/tau_y
        dlead_share_dtau_h = (opening*trail_share*swell - closing*lead_share*surplus)/(4*tau_h*rho^2)
        dlead_share_dtau_y = (closing*lead_share*surplus - opening*trail_share*swell)/(4*tau_y*rho^2)
        dtrail_share_dtau_h = -(opening*trail_share*swell - closing*lead_share*surplus)/(4*tau_h*rho^2)
        dtrail_share_dtau_y = -(closing*lead_share*surplus - opening*trail_share*swell)/(4*tau_y*rho^2)
        dby_open_dtau_h = by_open*surplus/(2*tau_h*rho)
        dby_open_dtau_y = -by_open*surplus/(2*tau_y*rho)
        dby_close_dtau_h = by_close*swell/(2*tau_h*rho)
        dby_close_dtau_y = -by_close*swell/(2*tau_y*rho)
        dshift_dtau_h = filled*dtrail_share_dtau_h + trail_share*dfilled_dtau_h
        dshift_dtau_y = filled*dtrail_share_dtau_y + trail_share*dfilled_dtau_y
        dnumerator_a_dtau_h = (
            dfade_dtau_h + filled*dlead_share_dtau_h + lead_share*dfilled_dtau_h  if t*opening >= 1
        )
        dnumerator_a_dtau_h = -dshift_dtau_h  if shift < 1/2
        dnumerator_a_dtau_h = dfade_dtau_h + filled*dlead_share_dtau_h + lead_share*dfilled_dtau_h  otherwise
        dnumerator_a_dtau_y = (
            dfade_dtau_y + filled*dlead_share_dtau_y + lead_share*dfilled_dtau_y  if t*opening >= 1
        )
        dnumerator_a_dtau_y = -dshift_dtau_y  if shift < 1/2
        dnumerator_a_dtau_y = dfade_dtau_y + filled*dlead_share_dtau_y + lead_share*dfilled_dtau_y  otherwise
        dnumerator_b_dtau_h = (
            opening*glide*dtrail_dtau_h/alpha + opening*trail*dglide_dtau_h/alpha
            + glide*trail*dopening_dtau_h/alpha - opening*glide*trail*dalpha_dtau_h/alpha^2  if
            alpha*abs(slope) > 2*opening*glide*abs(trail)
        )
        dnumerator_b_dtau_h = (
            slope*dfade_dtau_h + closing*glide*dlead_dtau_h/alpha + closing*lead*dglide_dtau_h/alpha
            + glide*lead*dclosing_dtau_h/alpha - closing*glide*lead*dalpha_dtau_h/alpha^2  otherwise
        )
        dnumerator_b_dtau_y = (
            opening*glide*dtrail_dtau_y/alpha + opening*trail*dglide_dtau_y/alpha
            + glide*trail*dopening_dtau_y/alpha  if alpha*abs(slope) > 2*opening*glide*abs(trail)
        )
        dnumerator_b_dtau_y = (
            slope*dfade_dtau_y + closing*glide*dlead_dtau_y/alpha + closing*lead*dglide_dtau_y/alpha
            + glide*lead*dclosing_dtau_y/alpha  otherwise
        )
        dalong_dtau_h = (
            filled*dby_open_dtau_h*lead_share^2/h0 + 2*filled*lead_share*by_open*dlead_share_dtau_h/h0
            + fade*filled*dby_close_dtau_h*trail_share^2/h0 + filled*by_close*dfade_dtau_h*trail_share^2/h0
            + 2*fade*filled*trail_share*by_close*dtrail_share_dtau_h/h0
            + dfilled_dtau_h*(by_open*lead_share^2 + fade*by_close*trail_share^2)/h0
        )
        dalong_dtau_y = (
            filled*dby_open_dtau_y*lead_share^2/h0 + 2*filled*lead_share*by_open*dlead_share_dtau_y/h0
            + fade*filled*dby_close_dtau_y*trail_share^2/h0 + filled*by_close*dfade_dtau_y*trail_share^2/h0
            + 2*fade*filled*trail_share*by_close*dtrail_share_dtau_y/h0
            + dfilled_dtau_y*(by_open*lead_share^2 + fade*by_close*trail_share^2)/h0
        )
        ddrawn_dtau_h = dspan_dtau_h*missed^2/(h0*s)
        ddrawn_dtau_y = dspan_dtau_y*missed^2/(h0*s)
        dnorm_dtau_h = dfade_dtau_h + h0*dalong_dtau_h + sideways*dspan_dtau_h  if K >= 0
        dnorm_dtau_h = (
            dshut_dtau_h + h0*dalong_dtau_h + h0*beta*dsettle_dtau_h - ddrawn_dtau_h  if shut > 2*drawn
        )
        dnorm_dtau_h = dfade_dtau_h + h0*dalong_dtau_h + sideways*dspan_dtau_h  otherwise
        dnorm_dtau_y = dfade_dtau_y + h0*dalong_dtau_y + sideways*dspan_dtau_y  if K >= 0
        dnorm_dtau_y = (
            dshut_dtau_y + h0*dalong_dtau_y + h0*beta*dsettle_dtau_y + h0*settle*dbeta_dtau_y - ddrawn_dtau_y
            if shut > 2*drawn
        )
        dnorm_dtau_y = dfade_dtau_y + h0*dalong_dtau_y + sideways*dspan_dtau_y  otherwise
        dgap_dtau_h = (
            excess*dfade_dtau_h/norm - sideways*dspan_dtau_h/norm
            - dnorm_dtau_h*(excess*fade - span*sideways)/norm^2
        )
        dgap_dtau_y = (
            excess*dfade_dtau_y/norm - sideways*dspan_dtau_y/norm
            - dnorm_dtau_y*(excess*fade - span*sideways)/norm^2
        )
        dslow_rate_dtau_h = drho_dtau_h  if 2*opening > closing
        dslow_rate_dtau_h = dopening_dtau_h  otherwise
        dslow_rate_dtau_y = drho_dtau_y  if 2*opening > closing
        dslow_rate_dtau_y = dopening_dtau_y  otherwise
        dfade_rate_dtau_h = drho_dtau_h  if 2*opening > closing
        dfade_rate_dtau_h = dclosing_dtau_h  otherwise
        dfade_rate_dtau_y = drho_dtau_y  if 2*opening > closing
        dfade_rate_dtau_y = dclosing_dtau_y  otherwise
        dshut_rate_dtau_h = dK_dtau_h + drho_dtau_h  if 2*opening > closing
        dshut_rate_dtau_h = dopening_dtau_h  otherwise
        dshut_rate_dtau_y = dK_dtau_y + drho_dtau_y  if 2*opening > closing
        dshut_rate_dtau_y = dopening_dtau_y  otherwise
        dslow_dtau_h = -t*dslow_rate_dtau_h*exp(-t*slow_rate)
        dslow_dtau_y = -t*dslow_rate_dtau_y*exp(-t*slow_rate)
        dlate_fade_dtau_h = -t*dfade_rate_dtau_h*exp(-t*fade_rate)
        dlate_fade_dtau_y = -t*dfade_rate_dtau_y*exp(-t*fade_rate)
        dlate_shut_dtau_h = -t*dshut_rate_dtau_h*exp(-t*shut_rate)
        dlate_shut_dtau_y = -t*dshut_rate_dtau_y*exp(-t*shut_rate)
        dlate_settle_dtau_h = (
            t*dlate_fade_dtau_h*relexp(-t*K) - late_fade*dK_dtau_h*t^2*relexp1(-t*K)  if K >= 0
        )
        dlate_settle_dtau_h = (
            t*dlate_shut_dtau_h*relexp(t*K) + late_shut*dK_dtau_h*t^2*relexp1(t*K)  otherwise
        )
        dlate_settle_dtau_y = (
            t*dlate_fade_dtau_y*relexp(-t*K) - late_fade*dK_dtau_y*t^2*relexp1(-t*K)  if K >= 0
        )
        dlate_settle_dtau_y = (
            t*dlate_shut_dtau_y*relexp(t*K) + late_shut*dK_dtau_y*t^2*relexp1(t*K)  otherwise
        )
        dopen_glide_dtau_h = -2*dopening_dtau_h*t^2*relexp1(-2*t*opening)
        dopen_glide_dtau_y = -2*dopening_dtau_y*t^2*relexp1(-2*t*opening)
        dclose_glide_dtau_h = -2*dclosing_dtau_h*t^2*relexp1(-2*t*closing)
        dclose_glide_dtau_y = -2*dclosing_dtau_y*t^2*relexp1(-2*t*closing)
        dlag_dtau_h = (
            late_settle*dfade_dtau_h/2 + dlate_settle_dtau_h*(1/2 + fade/2)
            + dglide_dtau_h*(-late_fade/2 - late_shut/2) - glide*dlate_fade_dtau_h/2
            - glide*dlate_shut_dtau_h/2  if t*abs(K) < 1
        )
        dlag_dtau_h = (
            s*alpha*beta*late_fade*dopen_glide_dtau_h/(K*rho)
            + s*alpha*beta*open_glide*dlate_fade_dtau_h/(K*rho)
            + s*beta*dalpha_dtau_h*(late_fade*open_glide - late_shut*close_glide)/(K*rho)
            - s*alpha*beta*late_shut*dclose_glide_dtau_h/(K*rho)
            - s*alpha*beta*close_glide*dlate_shut_dtau_h/(K*rho)
            - s*alpha*beta*dK_dtau_h*(late_fade*open_glide - late_shut*close_glide)/(rho*K^2)
            - s*alpha*beta*drho_dtau_h*(late_fade*open_glide - late_shut*close_glide)/(K*rho^2)  otherwise
        )
        dlag_dtau_y = (
            late_settle*dfade_dtau_y/2 + dlate_settle_dtau_y*(1/2 + fade/2)
            + dglide_dtau_y*(-late_fade/2 - late_shut/2) - glide*dlate_fade_dtau_y/2
            - glide*dlate_shut_dtau_y/2  if t*abs(K) < 1
        )
        dlag_dtau_y = (
            s*alpha*beta*late_fade*dopen_glide_dtau_y/(K*rho)
            + s*alpha*beta*open_glide*dlate_fade_dtau_y/(K*rho)
            + s*alpha*dbeta_dtau_y*(late_fade*open_glide - late_shut*close_glide)/(K*rho)
            - s*alpha*beta*late_shut*dclose_glide_dtau_y/(K*rho)
            - s*alpha*beta*close_glide*dlate_shut_dtau_y/(K*rho)
            - s*alpha*beta*dK_dtau_y*(late_fade*open_glide - late_shut*close_glide)/(rho*K^2)
            - s*alpha*beta*drho_dtau_y*(late_fade*open_glide - late_shut*close_glide)/(K*rho^2)  otherwise
        )
        dpull_dtau_h = (
            K*dlag_dtau_h + lag*dK_dtau_h + s*alpha*beta*glide*dlate_settle_dtau_h
            + s*alpha*beta*late_settle*dglide_dtau_h + s*beta*glide*late_settle*dalpha_dtau_h  if t*K > -1
        )
        dpull_dtau_h = (
            2*s*alpha*beta*late_fade*dglide_dtau_h/K + s*alpha*beta*dK_dtau_h*(opening*late_shut*close_glide
            + closing*late_fade*open_glide - 2*rho*glide*late_fade)/(rho*K^2)
            + drho_dtau_h*(2*s*alpha*beta*glide*late_fade/(K*rho)
            + s*alpha*beta*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)/(K*rho^2)) - s*alpha*beta*opening*late_shut*dclose_glide_dtau_h/(K*rho)
            - s*alpha*beta*opening*close_glide*dlate_shut_dtau_h/(K*rho)
            - s*alpha*beta*closing*late_fade*dopen_glide_dtau_h/(K*rho)
            - s*alpha*beta*late_fade*open_glide*dclosing_dtau_h/(K*rho)
            - s*alpha*beta*late_shut*close_glide*dopening_dtau_h/(K*rho)
            - s*alpha*beta*dlate_fade_dtau_h*(closing*open_glide - 2*rho*glide)/(K*rho)
            - s*beta*dalpha_dtau_h*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)/(K*rho)  otherwise
        )
        dpull_dtau_y = (
            K*dlag_dtau_y + lag*dK_dtau_y + s*alpha*beta*glide*dlate_settle_dtau_y
            + s*alpha*beta*late_settle*dglide_dtau_y + s*alpha*glide*late_settle*dbeta_dtau_y  if t*K > -1
        )
        dpull_dtau_y = (
            2*s*alpha*beta*late_fade*dglide_dtau_y/K + s*alpha*beta*dK_dtau_y*(opening*late_shut*close_glide
            + closing*late_fade*open_glide - 2*rho*glide*late_fade)/(rho*K^2)
            + drho_dtau_y*(2*s*alpha*beta*glide*late_fade/(K*rho)
            + s*alpha*beta*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)/(K*rho^2)) - s*alpha*beta*opening*late_shut*dclose_glide_dtau_y/(K*rho)
            - s*alpha*beta*opening*close_glide*dlate_shut_dtau_y/(K*rho)
            - s*alpha*beta*closing*late_fade*dopen_glide_dtau_y/(K*rho)
            - s*alpha*beta*late_fade*open_glide*dclosing_dtau_y/(K*rho)
            - s*alpha*beta*late_shut*close_glide*dopening_dtau_y/(K*rho)
            - s*alpha*beta*dlate_fade_dtau_y*(closing*open_glide - 2*rho*glide)/(K*rho)
            - s*alpha*dbeta_dtau_y*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)/(K*rho)  otherwise
        )
        dturn_dtau_h = (
            w0*late_fade*dfade_dtau_h/h0 + beta*glide*late_fade*dlead_dtau_h*(y0 - s)/(closing + h0*beta)
            + late_fade*dglide_dtau_h*(beta*lead*(y0 - s)/(closing + h0*beta) - w0*K/h0)
            + dlate_fade_dtau_h*(w0*(fade - K*glide)/h0 + beta*glide*lead*(y0 - s)/(closing + h0*beta))
            - w0*glide*late_fade*dK_dtau_h/h0
            - beta*glide*lead*late_fade*dclosing_dtau_h*(y0 - s)/(closing + h0*beta)^2  if 2*closing > opening
        )
        dturn_dtau_h = (
            w0*late_fade*dfade_dtau_h/h0 + w0*glide*late_fade*dclosing_dtau_h/h0
            + late_fade*dglide_dtau_h*(w0*closing/h0 - beta*room)
            + dlate_fade_dtau_h*(w0*(fade + closing*glide)/h0 - beta*room*glide)  otherwise
        )
        dturn_dtau_y = (
            w0*late_fade*dfade_dtau_y/h0 + beta*glide*late_fade*dlead_dtau_y*(y0 - s)/(closing + h0*beta)
            + late_fade*dglide_dtau_y*(beta*lead*(y0 - s)/(closing + h0*beta) - w0*K/h0)
            + dlate_fade_dtau_y*(w0*(fade - K*glide)/h0 + beta*glide*lead*(y0 - s)/(closing + h0*beta))
            + late_fade*dbeta_dtau_y*(glide*lead*(y0 - s)/(closing + h0*beta) - h0*beta*glide*lead*(y0
            - s)/(closing + h0*beta)^2) - w0*glide*late_fade*dK_dtau_y/h0
            - beta*glide*lead*late_fade*dclosing_dtau_y*(y0 - s)/(closing + h0*beta)^2  if 2*closing > opening
        )
        dturn_dtau_y = (
            w0*late_fade*dfade_dtau_y/h0 + w0*glide*late_fade*dclosing_dtau_y/h0
            + late_fade*dglide_dtau_y*(w0*closing/h0 - beta*room)
            + dlate_fade_dtau_y*(w0*(fade + closing*glide)/h0 - beta*room*glide)
            - room*glide*late_fade*dbeta_dtau_y  otherwise
        )
        dlate_w_dtau_h = (
            h0*numerator_a*dturn_dtau_h/norm^2
            + h0*dnumerator_a_dtau_h*(turn - sideways*(pull + alpha*slope*lag))/norm^2
            - h0*sideways*numerator_a*dpull_dtau_h/norm^2
            - h0*alpha*slope*sideways*numerator_a*dlag_dtau_h/norm^2
            - h0*slope*sideways*numerator_a*lag*dalpha_dtau_h/norm^2
            - 2*h0*numerator_a*dnorm_dtau_h*(turn - sideways*(pull + alpha*slope*lag))/norm^3
        )
        dlate_w_dtau_y = (
            h0*numerator_a*dturn_dtau_y/norm^2
            + h0*dnumerator_a_dtau_y*(turn - sideways*(pull + alpha*slope*lag))/norm^2
            - h0*sideways*numerator_a*dpull_dtau_y/norm^2
            - h0*alpha*slope*sideways*numerator_a*dlag_dtau_y/norm^2
            - 2*h0*numerator_a*dnorm_dtau_y*(turn - sideways*(pull + alpha*slope*lag))/norm^3
        )
        dturned_dtau_h = -decoder_pace*turned/tau_h
        dturned_dtau_y = decoder_pace*turned/tau_y
        dtilted_dtau_h = -decoder_pace*tilted/tau_h
        dtilted_dtau_y = decoder_pace*tilted/tau_y
        dgrowth_dtau_h = (
            room*slope*glide*dfade_dtau_h/(s*norm) + room*dalpha_dtau_h*slope^2*glide^2/(s*norm)
            + dglide_dtau_h*(room*glide*(beta + alpha*slope^2/s) + room*(slope*(fade + 1)/s + glide*(beta
            + alpha*slope^2/s)) - sideways*numerator_a)/norm - sideways*dsettle_dtau_h/norm
            - glide*sideways*dnumerator_a_dtau_h/norm - dnorm_dtau_h*(room*glide*(slope*(fade + 1)/s
            + glide*(beta + alpha*slope^2/s)) - sideways*(settle + glide*numerator_a))/norm^2
        )
        dgrowth_dtau_y = (
            room*dbeta_dtau_y*glide^2/norm + room*slope*glide*dfade_dtau_y/(s*norm)
            + dglide_dtau_y*(room*glide*(beta + alpha*slope^2/s) + room*(slope*(fade + 1)/s + glide*(beta
            + alpha*slope^2/s)) - sideways*numerator_a)/norm - sideways*dsettle_dtau_y/norm
            - glide*sideways*dnumerator_a_dtau_y/norm - dnorm_dtau_y*(room*glide*(slope*(fade + 1)/s
            + glide*(beta + alpha*slope^2/s)) - sideways*(settle + glide*numerator_a))/norm^2
        )
        dlate_growth_dtau_h = (
            room*filled*turned*dfade_dtau_h/(s*norm) + opening*room*dclosing_dtau_h*filled^2/(4*s*norm*rho^2)
            + closing*room*dopening_dtau_h*filled^2/(4*s*norm*rho^2) + room*filled*dturned_dtau_h*(fade + 1
            + 2*filled*turned)/(s*norm) + dfilled_dtau_h*(room*filled*(turned^2 + opening*closing/(4*rho^2))/s
            + room*(turned*(fade + 1) + filled*(turned^2 + opening*closing/(4*rho^2)))/s
            - numerator_a*tilted)/norm - sideways*dspan_dtau_h/norm - filled*numerator_a*dtilted_dtau_h/norm
            - filled*tilted*dnumerator_a_dtau_h/norm
            - opening*closing*room*drho_dtau_h*filled^2/(2*s*norm*rho^3)
            - dnorm_dtau_h*(room*filled*(turned*(fade + 1) + filled*(turned^2 + opening*closing/(4*rho^2)))/s
            - span*sideways - filled*numerator_a*tilted)/norm^2
        )
        dlate_growth_dtau_y = (
            room*filled*turned*dfade_dtau_y/(s*norm) + opening*room*dclosing_dtau_y*filled^2/(4*s*norm*rho^2)
            + closing*room*dopening_dtau_y*filled^2/(4*s*norm*rho^2) + room*filled*dturned_dtau_y*(fade + 1
            + 2*filled*turned)/(s*norm) + dfilled_dtau_y*(room*filled*(turned^2 + opening*closing/(4*rho^2))/s
            + room*(turned*(fade + 1) + filled*(turned^2 + opening*closing/(4*rho^2)))/s
            - numerator_a*tilted)/norm - sideways*dspan_dtau_y/norm - filled*numerator_a*dtilted_dtau_y/norm
            - filled*tilted*dnumerator_a_dtau_y/norm
            - opening*closing*room*drho_dtau_y*filled^2/(2*s*norm*rho^3)
            - dnorm_dtau_y*(room*filled*(turned*(fade + 1) + filled*(turned^2 + opening*closing/(4*rho^2)))/s
            - span*sideways - filled*numerator_a*tilted)/norm^2
        )
        dgrown_dtau_h = dlate_growth_dtau_h  if t*K < -1
        dgrown_dtau_h = alpha*dgrowth_dtau_h + growth*dalpha_dtau_h  otherwise
        dgrown_dtau_y = dlate_growth_dtau_y  if t*K < -1
        dgrown_dtau_y = alpha*dgrowth_dtau_y  otherwise
        dlifted_dtau_h = (
            beta*dlate_growth_dtau_h*h0^2/alpha - beta*late_growth*dalpha_dtau_h*h0^2/alpha^2  if t*K < -1
        )
        dlifted_dtau_h = beta*dgrowth_dtau_h*h0^2  otherwise
        dlifted_dtau_y = (
            beta*dlate_growth_dtau_y*h0^2/alpha + late_growth*dbeta_dtau_y*h0^2/alpha  if t*K < -1
        )
        dlifted_dtau_y = beta*dgrowth_dtau_y*h0^2 + growth*dbeta_dtau_y*h0^2  otherwise
        dnow_dtau_h = (
            2*h0*numerator_a*dnumerator_a_dtau_h/norm - h0*dnorm_dtau_h*numerator_a^2/norm^2  if weight < 1/4
        )
        dnow_dtau_h = h0*dgrown_dtau_h  if grown > -1/2
        dnow_dtau_h = (
            2*h0*numerator_a*dnumerator_a_dtau_h/norm - h0*dnorm_dtau_h*numerator_a^2/norm^2  otherwise
        )
        dnow_dtau_y = (
            2*h0*numerator_a*dnumerator_a_dtau_y/norm - h0*dnorm_dtau_y*numerator_a^2/norm^2  if weight < 1/4
        )
        dnow_dtau_y = h0*dgrown_dtau_y  if grown > -1/2
        dnow_dtau_y = (
            2*h0*numerator_a*dnumerator_a_dtau_y/norm - h0*dnorm_dtau_y*numerator_a^2/norm^2  otherwise
        )
        dh_dtau_h = dnow_dtau_h
        dh_dtau_y = dnow_dtau_y
        dy_dtau_h = (
            s*dgap_dtau_h*(2 + 2*gap) + h0*sideways*dshut_dtau_h*numerator_a^2/norm^2
            + 2*h0*shut*sideways*numerator_a*dnumerator_a_dtau_h/norm^2
            - 2*h0*shut*sideways*dnorm_dtau_h*numerator_a^2/norm^3  if abs(gap) < 1/2
        )
        dy_dtau_h = now*dlifted_dtau_h/h0 + dnow_dtau_h*(y0 + lifted)/h0  if lifted > -y0/2
        dy_dtau_h = (
            dnumerator_a_dtau_h*(2*beta*h0^2*numerator_a^3/(alpha*norm^2)
            + 2*h0*numerator_a*(h0*beta*numerator_a^2/norm - K)/(alpha*norm))
            + dnorm_dtau_h*(-beta*h0^2*numerator_a^4/(alpha*norm^3)
            - h0*numerator_a^2*(h0*beta*numerator_a^2/norm - K)/(alpha*norm^2))
            - h0*dK_dtau_h*numerator_a^2/(alpha*norm)
            - h0*dalpha_dtau_h*numerator_a^2*(h0*beta*numerator_a^2/norm - K)/(norm*alpha^2)  if -h0*beta/2 >
            K
        )
        dy_dtau_h = (
            h0*sideways*dshut_dtau_h*numerator_a^2/norm^2
            + 2*numerator_b*dnumerator_b_dtau_h*h0^2*numerator_a^2/(s*norm^2)
            + 2*h0*numerator_a*dnumerator_a_dtau_h*(shut*sideways + h0*numerator_b^2/s)/norm^2
            - 2*h0*dnorm_dtau_h*numerator_a^2*(shut*sideways + h0*numerator_b^2/s)/norm^3  otherwise
        )
        dy_dtau_y = (
            s*dgap_dtau_y*(2 + 2*gap) + h0*sideways*dshut_dtau_y*numerator_a^2/norm^2
            + 2*h0*shut*sideways*numerator_a*dnumerator_a_dtau_y/norm^2
            - 2*h0*shut*sideways*dnorm_dtau_y*numerator_a^2/norm^3  if abs(gap) < 1/2
        )
        dy_dtau_y = now*dlifted_dtau_y/h0 + dnow_dtau_y*(y0 + lifted)/h0  if lifted > -y0/2
        dy_dtau_y = (
            dbeta_dtau_y*h0^2*numerator_a^4/(alpha*norm^2)
            + dnumerator_a_dtau_y*(2*beta*h0^2*numerator_a^3/(alpha*norm^2)
            + 2*h0*numerator_a*(h0*beta*numerator_a^2/norm - K)/(alpha*norm))
            + dnorm_dtau_y*(-beta*h0^2*numerator_a^4/(alpha*norm^3)
            - h0*numerator_a^2*(h0*beta*numerator_a^2/norm - K)/(alpha*norm^2))
            - h0*dK_dtau_y*numerator_a^2/(alpha*norm)  if -h0*beta/2 > K
        )
        dy_dtau_y = (
            h0*sideways*dshut_dtau_y*numerator_a^2/norm^2
            + 2*numerator_b*dnumerator_b_dtau_y*h0^2*numerator_a^2/(s*norm^2)
            + 2*h0*numerator_a*dnumerator_a_dtau_y*(shut*sideways + h0*numerator_b^2/s)/norm^2
            - 2*h0*dnorm_dtau_y*numerator_a^2*(shut*sideways + h0*numerator_b^2/s)/norm^3  otherwise
        )
        dw_dtau_h = slow*dlate_w_dtau_h + late_w*dslow_dtau_h
        dw_dtau_y = slow*dlate_w_dtau_y + late_w*dslow_dtau_y

    State: h0, y0, w0
    Parameters: X, s, tau_h, tau_y, t
    Returns: dh_dtau_h, dh_dtau_y, dy_dtau_h, dy_dtau_y, dw_dtau_h, dw_dtau_y
    Domain: h0 > 0, y0 >= 0, X > 0, s > 0, tau_h > 0, tau_y > 0, t >= 0, y0*s >= (y0 - w0)^2
    Rests on: van_rossem_saxe_2024:emitted_closed_form, van_rossem_saxe_2024:closed_form_squared_balanced,
        van_rossem_saxe_2024:emitted_growth, van_rossem_saxe_2024:emitted_slopes_of_parts
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1
    Normal form: sha256 d3888c02196ad84b5192a9559f26f090b3301107d96637d7120421768eeaf5c4
    """
    t24 = 1.0/tau_h
    alpha = 0.25*X*t24
    t25 = 1.0/tau_y
    beta = 0.25*t25
    t26 = 1.0/h0
    K = h0*beta - y0*alpha*t26
    rho = sqrt(0.25*K*K + s*alpha*beta)
    if K >= 0.0:
        opening = rho + 0.5*K
        closing = s*alpha*beta/(rho + 0.5*K)
    else:
        opening = s*alpha*beta/(rho - 0.5*K)
        closing = rho - 0.5*K
    missed = w0 - y0
    room = s + missed
    slope = -missed*t26
    t27 = 1.0/s
    excess = -room*t27
    t0 = -2.0*t*rho
    fade = exp(t0)
    t1 = -2.0*t*opening
    shut = exp(t1)
    glide = t*relexp(t0)
    if K >= 0.0:
        settle = t*fade*relexp(-t*K)
    else:
        settle = t*shut*relexp(t*K)
    if K >= 0.0:
        span = alpha*settle
    elif t*K < -1.0:
        span = -alpha*(shut - fade)/K
    else:
        span = alpha*settle
    apart = minor(y0, s, missed, missed)
    sideways = apart*t26*t27
    steer = w0*alpha*t26*t26
    tilt = -alpha*t26
    if 0.5*h0*beta > abs(K):
        crossing = minor(K, room, apart, tilt)*t26
    else:
        crossing = minor(beta, room, missed, steer)
    if missed > 0.0:
        lead = alpha*crossing/(closing - alpha*slope)
        trail = closing - alpha*slope
    else:
        lead = opening + alpha*slope
        trail = alpha*crossing/(opening + alpha*slope)
    filled = 2.0*rho*glide
    t28 = 1.0/rho
    lead_share = 0.5*lead*t28
    trail_share = 0.5*trail*t28
    by_open = h0*beta/opening
    by_close = h0*beta/closing
    shift = filled*trail_share
    if t*opening >= 1.0:
        numerator_a = fade + filled*lead_share
    elif shift < 0.5:
        numerator_a = 1.0 - shift
    else:
        numerator_a = fade + filled*lead_share
    t29 = 1.0/alpha
    if alpha*abs(slope) > 2.0*opening*glide*abs(trail):
        numerator_b = slope + opening*glide*trail*t29
    else:
        numerator_b = slope*fade + closing*glide*lead*t29
    t2 = by_open*lead_share*lead_share + fade*by_close*trail_share*trail_share
    along = filled*t2*t26
    drawn = span*missed*missed*t26*t27
    if K >= 0.0:
        norm = fade + h0*along + span*sideways
    elif shut > 2.0*drawn:
        norm = shut + h0*(along + beta*settle) - drawn
    else:
        norm = fade + h0*along + span*sideways
    t3 = minor(excess, fade, span, sideways)
    t30 = 1.0/norm
    gap = t3*t30
    if 2.0*opening > closing:
        slow_rate = rho
        fade_rate = rho
        shut_rate = K + rho
    else:
        slow_rate = opening
        fade_rate = closing
        shut_rate = opening
    slow = exp(-t*slow_rate)
    late_fade = exp(-t*fade_rate)
    late_shut = exp(-t*shut_rate)
    if K >= 0.0:
        late_settle = t*late_fade*relexp(-t*K)
    else:
        late_settle = t*late_shut*relexp(t*K)
    open_glide = t*relexp(t1)
    t4 = -2.0*t*closing
    close_glide = t*relexp(t4)
    if t*abs(K) < 1.0:
        lag = 0.5*late_settle*(fade + 1.0) - 0.5*glide*(late_fade + late_shut)
    else:
        lag = s*alpha*beta*minor(late_fade, open_glide, late_shut, close_glide)*t28/K
    if t*K > -1.0:
        pull = K*lag + s*alpha*beta*glide*late_settle
    else:
        pull = (
            -s*alpha*beta*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2.0*rho*glide*late_fade)*t28/K
        )
    if 2.0*closing > opening:
        turn = late_fade*(w0*(fade - K*glide)*t26 + beta*glide*lead*(y0 - s)/(closing + h0*beta))
    else:
        turn = late_fade*(w0*(fade + closing*glide)*t26 - beta*room*glide)
    t5 = turn - sideways*(pull + alpha*slope*lag)
    late_w = h0*numerator_a*t5*t30*t30
    swell = closing + h0*beta
    surplus = alpha*beta*(s - y0)/swell
    encoder_pace = 0.25*(opening*surplus + closing*swell)*t28*t28
    decoder_pace = 0.25*(opening*swell + closing*surplus)*t28*t28
    turned = 0.5*alpha*slope*t28
    tilted = 0.5*alpha*sideways*t28
    t6 = beta + alpha*slope*slope*t27
    t7 = slope*(fade + 1.0)*t27 + glide*t6
    t8 = room*glide*t7 - sideways*(settle + glide*numerator_a)
    growth = t8*t30
    t9 = turned*turned + 0.25*opening*closing*t28*t28
    t10 = turned*(fade + 1.0) + filled*t9
    t11 = room*filled*t10*t27 - span*sideways - filled*numerator_a*tilted
    late_growth = t11*t30
    if t*K < -1.0:
        grown = late_growth
        lifted = beta*late_growth*h0*h0*t29
    else:
        grown = alpha*growth
        lifted = beta*growth*h0*h0
    if t*opening >= 1.0:
        weight = lead_share
    else:
        weight = 1.0
    if weight < 0.25:
        now = h0*numerator_a*numerator_a*t30
    elif grown > -0.5:
        now = h0*(grown + 1.0)
    else:
        now = h0*numerator_a*numerator_a*t30
    dalpha_dtau_h = -alpha*t24
    dbeta_dtau_y = -beta*t25
    dK_dtau_h = y0*alpha*t26*t24
    dK_dtau_y = -h0*beta*t25
    drho_dtau_h = -rho*encoder_pace*t24
    drho_dtau_y = -rho*decoder_pace*t25
    dopening_dtau_h = -0.5*opening*surplus*t24*t28
    dopening_dtau_y = -0.5*opening*swell*t25*t28
    dclosing_dtau_h = -0.5*closing*swell*t24*t28
    dclosing_dtau_y = -0.5*closing*surplus*t25*t28
    dfade_dtau_h = -2.0*t*drho_dtau_h*fade
    dfade_dtau_y = -2.0*t*drho_dtau_y*fade
    dshut_dtau_h = -2.0*t*dopening_dtau_h*shut
    dshut_dtau_y = -2.0*t*dopening_dtau_y*shut
    t12 = relexp1(t0)
    dglide_dtau_h = -2.0*drho_dtau_h*t*t*t12
    dglide_dtau_y = -2.0*drho_dtau_y*t*t*t12
    if K >= 0.0:
        dsettle_dtau_h = t*dfade_dtau_h*relexp(-t*K) - fade*dK_dtau_h*t*t*relexp1(-t*K)
        dsettle_dtau_y = t*dfade_dtau_y*relexp(-t*K) - fade*dK_dtau_y*t*t*relexp1(-t*K)
    else:
        dsettle_dtau_h = t*dshut_dtau_h*relexp(t*K) + shut*dK_dtau_h*t*t*relexp1(t*K)
        dsettle_dtau_y = t*dshut_dtau_y*relexp(t*K) + shut*dK_dtau_y*t*t*relexp1(t*K)
    if K >= 0.0:
        dspan_dtau_h = (
            (alpha*(2.0*rho*fade*encoder_pace*t*t*relexp(-t*K) - y0*alpha*fade*t*t*relexp1(-t*K)*t26)
            - alpha*settle)*t24
        )
        dspan_dtau_y = alpha*(h0*beta*fade*t*t*relexp1(-t*K) + 2.0*rho*fade*decoder_pace*t*t*relexp(-t*K))*t25
    elif t*K < -1.0:
        dspan_dtau_h = (
            -alpha*(t*opening*shut*surplus*t28 - 2.0*t*rho*fade*encoder_pace - h0*beta*(shut - fade)/K)*t24/K
        )
        dspan_dtau_y = (
            -alpha*(t*opening*shut*swell*t28 - 2.0*t*rho*fade*decoder_pace - h0*beta*(fade - shut)/K)*t25/K
        )
    else:
        dspan_dtau_h = (
            (alpha*(y0*alpha*shut*t*t*relexp1(t*K)*t26 + opening*shut*surplus*t*t*relexp(t*K)*t28)
            - alpha*settle)*t24
        )
        dspan_dtau_y = alpha*(opening*shut*swell*t*t*relexp(t*K)*t28 - h0*beta*shut*t*t*relexp1(t*K))*t25
    dlead_dtau_h = (-alpha*slope - 0.5*opening*surplus*t28)*t24
    dlead_dtau_y = dopening_dtau_y
    dtrail_dtau_h = (alpha*slope - 0.5*closing*swell*t28)*t24
    dtrail_dtau_y = dclosing_dtau_y
    dfilled_dtau_h = -2.0*t*rho*fade*encoder_pace*t24
    dfilled_dtau_y = -2.0*t*rho*fade*decoder_pace*t25
    t13 = opening*trail_share*swell - closing*lead_share*surplus
    dlead_share_dtau_h = 0.25*t13*t24*t28*t28
    t14 = closing*lead_share*surplus - opening*trail_share*swell
    dlead_share_dtau_y = 0.25*t14*t25*t28*t28
    dtrail_share_dtau_h = -0.25*t13*t24*t28*t28
    dtrail_share_dtau_y = -0.25*t14*t25*t28*t28
    dby_open_dtau_h = 0.5*by_open*surplus*t24*t28
    dby_open_dtau_y = -0.5*by_open*surplus*t25*t28
    dby_close_dtau_h = 0.5*by_close*swell*t24*t28
    dby_close_dtau_y = -0.5*by_close*swell*t25*t28
    dshift_dtau_h = filled*dtrail_share_dtau_h + trail_share*dfilled_dtau_h
    dshift_dtau_y = filled*dtrail_share_dtau_y + trail_share*dfilled_dtau_y
    if t*opening >= 1.0:
        dnumerator_a_dtau_h = dfade_dtau_h + filled*dlead_share_dtau_h + lead_share*dfilled_dtau_h
        dnumerator_a_dtau_y = dfade_dtau_y + filled*dlead_share_dtau_y + lead_share*dfilled_dtau_y
    elif shift < 0.5:
        dnumerator_a_dtau_h = -dshift_dtau_h
        dnumerator_a_dtau_y = -dshift_dtau_y
    else:
        dnumerator_a_dtau_h = dfade_dtau_h + filled*dlead_share_dtau_h + lead_share*dfilled_dtau_h
        dnumerator_a_dtau_y = dfade_dtau_y + filled*dlead_share_dtau_y + lead_share*dfilled_dtau_y
    if alpha*abs(slope) > 2.0*opening*glide*abs(trail):
        dnumerator_b_dtau_h = (
            opening*glide*dtrail_dtau_h*t29 + opening*trail*dglide_dtau_h*t29
            + glide*trail*dopening_dtau_h*t29 - opening*glide*trail*dalpha_dtau_h*t29*t29
        )
        dnumerator_b_dtau_y = (
            opening*glide*dtrail_dtau_y*t29 + opening*trail*dglide_dtau_y*t29
            + glide*trail*dopening_dtau_y*t29
        )
    else:
        dnumerator_b_dtau_h = (
            slope*dfade_dtau_h + closing*glide*dlead_dtau_h*t29 + closing*lead*dglide_dtau_h*t29
            + glide*lead*dclosing_dtau_h*t29 - closing*glide*lead*dalpha_dtau_h*t29*t29
        )
        dnumerator_b_dtau_y = (
            slope*dfade_dtau_y + closing*glide*dlead_dtau_y*t29 + closing*lead*dglide_dtau_y*t29
            + glide*lead*dclosing_dtau_y*t29
        )
    dalong_dtau_h = (
        filled*dby_open_dtau_h*lead_share*lead_share*t26
        + 2.0*filled*lead_share*by_open*dlead_share_dtau_h*t26
        + fade*filled*dby_close_dtau_h*trail_share*trail_share*t26
        + filled*by_close*dfade_dtau_h*trail_share*trail_share*t26
        + 2.0*fade*filled*trail_share*by_close*dtrail_share_dtau_h*t26 + dfilled_dtau_h*t2*t26
    )
    dalong_dtau_y = (
        filled*dby_open_dtau_y*lead_share*lead_share*t26
        + 2.0*filled*lead_share*by_open*dlead_share_dtau_y*t26
        + fade*filled*dby_close_dtau_y*trail_share*trail_share*t26
        + filled*by_close*dfade_dtau_y*trail_share*trail_share*t26
        + 2.0*fade*filled*trail_share*by_close*dtrail_share_dtau_y*t26 + dfilled_dtau_y*t2*t26
    )
    ddrawn_dtau_h = dspan_dtau_h*missed*missed*t26*t27
    ddrawn_dtau_y = dspan_dtau_y*missed*missed*t26*t27
    if K >= 0.0:
        dnorm_dtau_h = dfade_dtau_h + h0*dalong_dtau_h + sideways*dspan_dtau_h
        dnorm_dtau_y = dfade_dtau_y + h0*dalong_dtau_y + sideways*dspan_dtau_y
    elif shut > 2.0*drawn:
        dnorm_dtau_h = dshut_dtau_h + h0*dalong_dtau_h + h0*beta*dsettle_dtau_h - ddrawn_dtau_h
        dnorm_dtau_y = (
            dshut_dtau_y + h0*dalong_dtau_y + h0*beta*dsettle_dtau_y + h0*settle*dbeta_dtau_y - ddrawn_dtau_y
        )
    else:
        dnorm_dtau_h = dfade_dtau_h + h0*dalong_dtau_h + sideways*dspan_dtau_h
        dnorm_dtau_y = dfade_dtau_y + h0*dalong_dtau_y + sideways*dspan_dtau_y
    t15 = -sideways*dspan_dtau_h*t30
    dgap_dtau_h = excess*dfade_dtau_h*t30 + t15 - dnorm_dtau_h*t3*t30*t30
    t16 = -sideways*dspan_dtau_y*t30
    dgap_dtau_y = excess*dfade_dtau_y*t30 + t16 - dnorm_dtau_y*t3*t30*t30
    if 2.0*opening > closing:
        dslow_rate_dtau_h = drho_dtau_h
        dslow_rate_dtau_y = drho_dtau_y
        dfade_rate_dtau_h = drho_dtau_h
        dfade_rate_dtau_y = drho_dtau_y
        dshut_rate_dtau_h = dK_dtau_h + drho_dtau_h
        dshut_rate_dtau_y = dK_dtau_y + drho_dtau_y
    else:
        dslow_rate_dtau_h = dopening_dtau_h
        dslow_rate_dtau_y = dopening_dtau_y
        dfade_rate_dtau_h = dclosing_dtau_h
        dfade_rate_dtau_y = dclosing_dtau_y
        dshut_rate_dtau_h = dopening_dtau_h
        dshut_rate_dtau_y = dopening_dtau_y
    dslow_dtau_h = -t*dslow_rate_dtau_h*slow
    dslow_dtau_y = -t*dslow_rate_dtau_y*slow
    dlate_fade_dtau_h = -t*dfade_rate_dtau_h*late_fade
    dlate_fade_dtau_y = -t*dfade_rate_dtau_y*late_fade
    dlate_shut_dtau_h = -t*dshut_rate_dtau_h*late_shut
    dlate_shut_dtau_y = -t*dshut_rate_dtau_y*late_shut
    if K >= 0.0:
        dlate_settle_dtau_h = t*dlate_fade_dtau_h*relexp(-t*K) - late_fade*dK_dtau_h*t*t*relexp1(-t*K)
        dlate_settle_dtau_y = t*dlate_fade_dtau_y*relexp(-t*K) - late_fade*dK_dtau_y*t*t*relexp1(-t*K)
    else:
        dlate_settle_dtau_h = t*dlate_shut_dtau_h*relexp(t*K) + late_shut*dK_dtau_h*t*t*relexp1(t*K)
        dlate_settle_dtau_y = t*dlate_shut_dtau_y*relexp(t*K) + late_shut*dK_dtau_y*t*t*relexp1(t*K)
    t17 = relexp1(t1)
    dopen_glide_dtau_h = -2.0*dopening_dtau_h*t*t*t17
    dopen_glide_dtau_y = -2.0*dopening_dtau_y*t*t*t17
    t18 = relexp1(t4)
    dclose_glide_dtau_h = -2.0*dclosing_dtau_h*t*t*t18
    dclose_glide_dtau_y = -2.0*dclosing_dtau_y*t*t*t18
    if t*abs(K) < 1.0:
        dlag_dtau_h = (
            0.5*late_settle*dfade_dtau_h + dlate_settle_dtau_h*(0.5 + 0.5*fade)
            + dglide_dtau_h*(-0.5*late_fade - 0.5*late_shut) - 0.5*glide*dlate_fade_dtau_h
            - 0.5*glide*dlate_shut_dtau_h
        )
        dlag_dtau_y = (
            0.5*late_settle*dfade_dtau_y + dlate_settle_dtau_y*(0.5 + 0.5*fade)
            + dglide_dtau_y*(-0.5*late_fade - 0.5*late_shut) - 0.5*glide*dlate_fade_dtau_y
            - 0.5*glide*dlate_shut_dtau_y
        )
    else:
        dlag_dtau_h = (
            s*alpha*beta*late_fade*dopen_glide_dtau_h*t28/K + s*alpha*beta*open_glide*dlate_fade_dtau_h*t28/K
            + s*beta*dalpha_dtau_h*minor(late_fade, open_glide, late_shut, close_glide)*t28/K
            - s*alpha*beta*late_shut*dclose_glide_dtau_h*t28/K
            - s*alpha*beta*close_glide*dlate_shut_dtau_h*t28/K
            - s*alpha*beta*dK_dtau_h*minor(late_fade, open_glide, late_shut, close_glide)*t28/(K*K)
            - s*alpha*beta*drho_dtau_h*minor(late_fade, open_glide, late_shut, close_glide)*t28*t28/K
        )
        dlag_dtau_y = (
            s*alpha*beta*late_fade*dopen_glide_dtau_y*t28/K + s*alpha*beta*open_glide*dlate_fade_dtau_y*t28/K
            + s*alpha*dbeta_dtau_y*minor(late_fade, open_glide, late_shut, close_glide)*t28/K
            - s*alpha*beta*late_shut*dclose_glide_dtau_y*t28/K
            - s*alpha*beta*close_glide*dlate_shut_dtau_y*t28/K
            - s*alpha*beta*dK_dtau_y*minor(late_fade, open_glide, late_shut, close_glide)*t28/(K*K)
            - s*alpha*beta*drho_dtau_y*minor(late_fade, open_glide, late_shut, close_glide)*t28*t28/K
        )
    if t*K > -1.0:
        dpull_dtau_h = (
            K*dlag_dtau_h + lag*dK_dtau_h + s*alpha*beta*glide*dlate_settle_dtau_h
            + s*alpha*beta*late_settle*dglide_dtau_h + s*beta*glide*late_settle*dalpha_dtau_h
        )
        dpull_dtau_y = (
            K*dlag_dtau_y + lag*dK_dtau_y + s*alpha*beta*glide*dlate_settle_dtau_y
            + s*alpha*beta*late_settle*dglide_dtau_y + s*alpha*glide*late_settle*dbeta_dtau_y
        )
    else:
        dpull_dtau_h = (
            2.0*s*alpha*beta*late_fade*dglide_dtau_h/K + s*alpha*beta*dK_dtau_h*(opening*late_shut*close_glide
            + closing*late_fade*open_glide - 2.0*rho*glide*late_fade)*t28/(K*K)
            + drho_dtau_h*(2.0*s*alpha*beta*glide*late_fade*t28/K
            + s*alpha*beta*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2.0*rho*glide*late_fade)*t28*t28/K) - s*alpha*beta*opening*late_shut*dclose_glide_dtau_h*t28/K
            - s*alpha*beta*opening*close_glide*dlate_shut_dtau_h*t28/K
            - s*alpha*beta*closing*late_fade*dopen_glide_dtau_h*t28/K
            - s*alpha*beta*late_fade*open_glide*dclosing_dtau_h*t28/K
            - s*alpha*beta*late_shut*close_glide*dopening_dtau_h*t28/K
            - s*alpha*beta*dlate_fade_dtau_h*(closing*open_glide - 2.0*rho*glide)*t28/K
            - s*beta*dalpha_dtau_h*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2.0*rho*glide*late_fade)*t28/K
        )
        dpull_dtau_y = (
            2.0*s*alpha*beta*late_fade*dglide_dtau_y/K + s*alpha*beta*dK_dtau_y*(opening*late_shut*close_glide
            + closing*late_fade*open_glide - 2.0*rho*glide*late_fade)*t28/(K*K)
            + drho_dtau_y*(2.0*s*alpha*beta*glide*late_fade*t28/K
            + s*alpha*beta*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2.0*rho*glide*late_fade)*t28*t28/K) - s*alpha*beta*opening*late_shut*dclose_glide_dtau_y*t28/K
            - s*alpha*beta*opening*close_glide*dlate_shut_dtau_y*t28/K
            - s*alpha*beta*closing*late_fade*dopen_glide_dtau_y*t28/K
            - s*alpha*beta*late_fade*open_glide*dclosing_dtau_y*t28/K
            - s*alpha*beta*late_shut*close_glide*dopening_dtau_y*t28/K
            - s*alpha*beta*dlate_fade_dtau_y*(closing*open_glide - 2.0*rho*glide)*t28/K
            - s*alpha*dbeta_dtau_y*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2.0*rho*glide*late_fade)*t28/K
        )
    if 2.0*closing > opening:
        dturn_dtau_h = (
            w0*late_fade*dfade_dtau_h*t26 + beta*glide*late_fade*dlead_dtau_h*(y0 - s)/(closing + h0*beta)
            + late_fade*dglide_dtau_h*(beta*lead*(y0 - s)/(closing + h0*beta) - w0*K*t26)
            + dlate_fade_dtau_h*(w0*(fade - K*glide)*t26 + beta*glide*lead*(y0 - s)/(closing + h0*beta))
            - w0*glide*late_fade*dK_dtau_h*t26
            - beta*glide*lead*late_fade*dclosing_dtau_h*(y0 - s)/(closing + h0*beta)**2
        )
        dturn_dtau_y = (
            w0*late_fade*dfade_dtau_y*t26 + beta*glide*late_fade*dlead_dtau_y*(y0 - s)/(closing + h0*beta)
            + late_fade*dglide_dtau_y*(beta*lead*(y0 - s)/(closing + h0*beta) - w0*K*t26)
            + dlate_fade_dtau_y*(w0*(fade - K*glide)*t26 + beta*glide*lead*(y0 - s)/(closing + h0*beta))
            + late_fade*dbeta_dtau_y*(glide*lead*(y0 - s)/(closing + h0*beta) - h0*beta*glide*lead*(y0
            - s)/(closing + h0*beta)**2) - w0*glide*late_fade*dK_dtau_y*t26
            - beta*glide*lead*late_fade*dclosing_dtau_y*(y0 - s)/(closing + h0*beta)**2
        )
    else:
        dturn_dtau_h = (
            w0*late_fade*dfade_dtau_h*t26 + w0*glide*late_fade*dclosing_dtau_h*t26
            + late_fade*dglide_dtau_h*(w0*closing*t26 - beta*room)
            + dlate_fade_dtau_h*(w0*(fade + closing*glide)*t26 - beta*room*glide)
        )
        dturn_dtau_y = (
            w0*late_fade*dfade_dtau_y*t26 + w0*glide*late_fade*dclosing_dtau_y*t26
            + late_fade*dglide_dtau_y*(w0*closing*t26 - beta*room)
            + dlate_fade_dtau_y*(w0*(fade + closing*glide)*t26 - beta*room*glide)
            - room*glide*late_fade*dbeta_dtau_y
        )
    t19 = norm*norm*norm
    t31 = 1.0/t19
    dlate_w_dtau_h = (
        h0*numerator_a*dturn_dtau_h*t30*t30 + h0*dnumerator_a_dtau_h*t5*t30*t30
        - h0*sideways*numerator_a*dpull_dtau_h*t30*t30
        - h0*alpha*slope*sideways*numerator_a*dlag_dtau_h*t30*t30
        - h0*slope*sideways*numerator_a*lag*dalpha_dtau_h*t30*t30 - 2.0*h0*numerator_a*dnorm_dtau_h*t5*t31
    )
    dlate_w_dtau_y = (
        h0*numerator_a*dturn_dtau_y*t30*t30 + h0*dnumerator_a_dtau_y*t5*t30*t30
        - h0*sideways*numerator_a*dpull_dtau_y*t30*t30
        - h0*alpha*slope*sideways*numerator_a*dlag_dtau_y*t30*t30 - 2.0*h0*numerator_a*dnorm_dtau_y*t5*t31
    )
    dturned_dtau_h = -decoder_pace*turned*t24
    dturned_dtau_y = decoder_pace*turned*t25
    dtilted_dtau_h = -decoder_pace*tilted*t24
    dtilted_dtau_y = decoder_pace*tilted*t25
    t20 = room*glide*t6 + room*t7 - sideways*numerator_a
    dgrowth_dtau_h = (
        room*slope*glide*dfade_dtau_h*t27*t30 + room*dalpha_dtau_h*slope*slope*glide*glide*t27*t30
        + dglide_dtau_h*t20*t30 - sideways*dsettle_dtau_h*t30 - glide*sideways*dnumerator_a_dtau_h*t30
        - dnorm_dtau_h*t8*t30*t30
    )
    dgrowth_dtau_y = (
        room*dbeta_dtau_y*glide*glide*t30 + room*slope*glide*dfade_dtau_y*t27*t30 + dglide_dtau_y*t20*t30
        - sideways*dsettle_dtau_y*t30 - glide*sideways*dnumerator_a_dtau_y*t30 - dnorm_dtau_y*t8*t30*t30
    )
    t21 = fade + 1.0 + 2.0*filled*turned
    t22 = room*filled*t9*t27 + room*t10*t27 - numerator_a*tilted
    t23 = rho*rho*rho
    t32 = 1.0/t23
    dlate_growth_dtau_h = (
        room*filled*turned*dfade_dtau_h*t27*t30
        + 0.25*opening*room*dclosing_dtau_h*filled*filled*t27*t30*t28*t28
        + 0.25*closing*room*dopening_dtau_h*filled*filled*t27*t30*t28*t28
        + room*filled*dturned_dtau_h*t21*t27*t30 + dfilled_dtau_h*t22*t30 + t15
        - filled*numerator_a*dtilted_dtau_h*t30 - filled*tilted*dnumerator_a_dtau_h*t30
        - 0.5*opening*closing*room*drho_dtau_h*filled*filled*t27*t30*t32 - dnorm_dtau_h*t11*t30*t30
    )
    dlate_growth_dtau_y = (
        room*filled*turned*dfade_dtau_y*t27*t30
        + 0.25*opening*room*dclosing_dtau_y*filled*filled*t27*t30*t28*t28
        + 0.25*closing*room*dopening_dtau_y*filled*filled*t27*t30*t28*t28
        + room*filled*dturned_dtau_y*t21*t27*t30 + dfilled_dtau_y*t22*t30 + t16
        - filled*numerator_a*dtilted_dtau_y*t30 - filled*tilted*dnumerator_a_dtau_y*t30
        - 0.5*opening*closing*room*drho_dtau_y*filled*filled*t27*t30*t32 - dnorm_dtau_y*t11*t30*t30
    )
    if t*K < -1.0:
        dgrown_dtau_h = dlate_growth_dtau_h
        dgrown_dtau_y = dlate_growth_dtau_y
        dlifted_dtau_h = beta*dlate_growth_dtau_h*h0*h0*t29 - beta*late_growth*dalpha_dtau_h*h0*h0*t29*t29
        dlifted_dtau_y = beta*dlate_growth_dtau_y*h0*h0*t29 + late_growth*dbeta_dtau_y*h0*h0*t29
    else:
        dgrown_dtau_h = alpha*dgrowth_dtau_h + growth*dalpha_dtau_h
        dgrown_dtau_y = alpha*dgrowth_dtau_y
        dlifted_dtau_h = beta*dgrowth_dtau_h*h0*h0
        dlifted_dtau_y = beta*dgrowth_dtau_y*h0*h0 + growth*dbeta_dtau_y*h0*h0
    if weight < 0.25:
        dnow_dtau_h = (
            2.0*h0*numerator_a*dnumerator_a_dtau_h*t30 - h0*dnorm_dtau_h*numerator_a*numerator_a*t30*t30
        )
        dnow_dtau_y = (
            2.0*h0*numerator_a*dnumerator_a_dtau_y*t30 - h0*dnorm_dtau_y*numerator_a*numerator_a*t30*t30
        )
    elif grown > -0.5:
        dnow_dtau_h = h0*dgrown_dtau_h
        dnow_dtau_y = h0*dgrown_dtau_y
    else:
        dnow_dtau_h = (
            2.0*h0*numerator_a*dnumerator_a_dtau_h*t30 - h0*dnorm_dtau_h*numerator_a*numerator_a*t30*t30
        )
        dnow_dtau_y = (
            2.0*h0*numerator_a*dnumerator_a_dtau_y*t30 - h0*dnorm_dtau_y*numerator_a*numerator_a*t30*t30
        )
    dh_dtau_h = dnow_dtau_h
    dh_dtau_y = dnow_dtau_y
    if abs(gap) < 0.5:
        dy_dtau_h = (
            s*dgap_dtau_h*(2.0 + 2.0*gap) + h0*sideways*dshut_dtau_h*numerator_a*numerator_a*t30*t30
            + 2.0*h0*shut*sideways*numerator_a*dnumerator_a_dtau_h*t30*t30
            - 2.0*h0*shut*sideways*dnorm_dtau_h*numerator_a*numerator_a*t30*t30*t30
        )
        dy_dtau_y = (
            s*dgap_dtau_y*(2.0 + 2.0*gap) + h0*sideways*dshut_dtau_y*numerator_a*numerator_a*t30*t30
            + 2.0*h0*shut*sideways*numerator_a*dnumerator_a_dtau_y*t30*t30
            - 2.0*h0*shut*sideways*dnorm_dtau_y*numerator_a*numerator_a*t30*t30*t30
        )
    elif lifted > -0.5*y0:
        dy_dtau_h = now*dlifted_dtau_h*t26 + dnow_dtau_h*(y0 + lifted)*t26
        dy_dtau_y = now*dlifted_dtau_y*t26 + dnow_dtau_y*(y0 + lifted)*t26
    elif -0.5*h0*beta > K:
        dy_dtau_h = (
            dnumerator_a_dtau_h*(2.0*beta*h0*h0*numerator_a*numerator_a*numerator_a*t29*t30*t30
            + 2.0*h0*numerator_a*(h0*beta*numerator_a*numerator_a*t30 - K)*t29*t30)
            + dnorm_dtau_h*(-beta*h0*h0*numerator_a*numerator_a*numerator_a*numerator_a*t29*t30*t30*t30
            - h0*numerator_a*numerator_a*(h0*beta*numerator_a*numerator_a*t30 - K)*t29*t30*t30)
            - h0*dK_dtau_h*numerator_a*numerator_a*t29*t30
            - h0*dalpha_dtau_h*numerator_a*numerator_a*(h0*beta*numerator_a*numerator_a*t30 - K)*t30*t29*t29
        )
        dy_dtau_y = (
            dbeta_dtau_y*h0*h0*numerator_a*numerator_a*numerator_a*numerator_a*t29*t30*t30
            + dnumerator_a_dtau_y*(2.0*beta*h0*h0*numerator_a*numerator_a*numerator_a*t29*t30*t30
            + 2.0*h0*numerator_a*(h0*beta*numerator_a*numerator_a*t30 - K)*t29*t30)
            + dnorm_dtau_y*(-beta*h0*h0*numerator_a*numerator_a*numerator_a*numerator_a*t29*t30*t30*t30
            - h0*numerator_a*numerator_a*(h0*beta*numerator_a*numerator_a*t30 - K)*t29*t30*t30)
            - h0*dK_dtau_y*numerator_a*numerator_a*t29*t30
        )
    else:
        dy_dtau_h = (
            h0*sideways*dshut_dtau_h*numerator_a*numerator_a*t30*t30
            + 2.0*numerator_b*dnumerator_b_dtau_h*h0*h0*numerator_a*numerator_a*t27*t30*t30
            + 2.0*h0*numerator_a*dnumerator_a_dtau_h*(shut*sideways + h0*numerator_b*numerator_b*t27)*t30*t30
            - 2.0*h0*dnorm_dtau_h*numerator_a*numerator_a*(shut*sideways
            + h0*numerator_b*numerator_b*t27)*t30*t30*t30
        )
        dy_dtau_y = (
            h0*sideways*dshut_dtau_y*numerator_a*numerator_a*t30*t30
            + 2.0*numerator_b*dnumerator_b_dtau_y*h0*h0*numerator_a*numerator_a*t27*t30*t30
            + 2.0*h0*numerator_a*dnumerator_a_dtau_y*(shut*sideways + h0*numerator_b*numerator_b*t27)*t30*t30
            - 2.0*h0*dnorm_dtau_y*numerator_a*numerator_a*(shut*sideways
            + h0*numerator_b*numerator_b*t27)*t30*t30*t30
        )
    dw_dtau_h = slow*dlate_w_dtau_h + late_w*dslow_dtau_h
    dw_dtau_y = slow*dlate_w_dtau_y + late_w*dslow_dtau_y
    return dh_dtau_h, dh_dtau_y, dy_dtau_h, dy_dtau_y, dw_dtau_h, dw_dtau_y
