"""Kernels of van_rossem_saxe_2024, compiled on first use.

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

from math import exp, expm1, factorial, sqrt

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


RELEXP1_SERIES = tuple(1.0/(factorial(n)*(n + 2)) for n in range(19, -1, -1))


@njit(cache=True, error_model="numpy")
def relexp1(x):
    """(exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0."""
    if abs(x) < 1.0:
        total = 0.0
        for coefficient in RELEXP1_SERIES:
            total = total*x + coefficient
        return total
    if x > 700.0:  # exp(x) may overflow where the quotient does not
        half = exp(0.5*x)
        return half*((x - 1.0)/x)*(half/x)
    return (x*exp(x) - expm1(x))/x/x


@njit(cache=True, error_model="numpy")
def two_point_flow(h, y, w, X, s, tau_h, tau_y):
    """Rates of h = |dh|^2, y = |dy|^2 and w along the gradient flow of the loss (equation 7 with both time
    constants doubled).

        h_rate = -w*X/(2*tau_h)
        y_rate = -h*w/(2*tau_y) - y*w*X/(2*h*tau_h)
        w_rate = h*y/(4*tau_y) - h*s/(4*tau_y) - 3*h*w/(4*tau_y) - y*w*X/(4*h*tau_h) - X*w^2/(4*h*tau_h)

    State: h, y, w
    Parameters: X, s, tau_h, tau_y
    Returns: h_rate, y_rate, w_rate
    Domain: h > 0, y >= 0, X > 0, s >= 0, tau_h > 0, tau_y > 0
    Rests on: van_rossem_saxe_2024:derived_system
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eq. 7
    Normal form: sha256 cee65d02ac453b6fd00e77af5c9d38bd33746414685992d7a6a76a8d6fab16dc
    """
    h_rate = -0.5*w*X/tau_h
    y_rate = -0.5*h*w/tau_y - 0.5*y*w*X/(h*tau_h)
    w_rate = 0.25*h*y/tau_y - 0.25*h*s/tau_y - 0.75*h*w/tau_y - 0.25*y*w*X/(h*tau_h) - 0.25*X*w*w/(h*tau_h)
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
    dh_rate_dw = -0.5*X/tau_h
    dy_rate_dh = 0.5*y*w*X/(tau_h*h*h) - 0.5*w/tau_y
    dy_rate_dy = -0.5*w*X/(h*tau_h)
    dy_rate_dw = -0.5*h/tau_y - 0.5*y*X/(h*tau_h)
    dw_rate_dh = 0.25*y/tau_y + 0.25*y*w*X/(tau_h*h*h) + 0.25*X*w*w/(tau_h*h*h) - 0.25*s/tau_y - 0.75*w/tau_y
    dw_rate_dy = 0.25*h/tau_y - 0.25*w*X/(h*tau_h)
    dw_rate_dw = -0.75*h/tau_y + dy_rate_dy - 0.25*y*X/(h*tau_h)
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
    b_rate = 0.25*a*s/tau_y - 0.25*b*a*a/tau_y
    n_rate = 0.5*a*b/tau_y - 0.5*n*a*a/tau_y
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
    da_rate_da = -0.25*n*X/tau_h
    da_rate_db = 0.25*X/tau_h
    da_rate_dn = -0.25*a*X/tau_h
    db_rate_da = 0.25*s/tau_y - 0.5*a*b/tau_y
    db_rate_db = -0.25*a*a/tau_y
    db_rate_dn = 0.0
    dn_rate_da = 0.5*b/tau_y - a*n/tau_y
    dn_rate_db = 0.5*a/tau_y
    dn_rate_dn = -0.5*a*a/tau_y
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
        slope = (y0 - w0)/h0
        excess = (y0 - w0 - s)/s
        fade = exp(-2*t*rho)
        shut = exp(-2*t*opening)
        glide = t*relexp(-2*t*rho)
        settle = t*fade*relexp(-t*K)  if K >= 0
        settle = t*shut*relexp(t*K)  otherwise
        across = alpha*(y0/h0^2 - slope^2/s)
        lead = opening + alpha*slope
        trail = closing - alpha*slope
        numerator_a = fade + glide*lead
        numerator_b = slope*fade + closing*glide*lead/alpha
        norm = fade + h0*(settle*across + beta*glide*(lead^2/opening + fade*trail^2/closing)/(2*rho))
        gap = (excess*fade - h0*settle*across)/norm
        lag = settle*(fade + 1)/2 - glide*(fade + shut)/2  if t*abs(K) < 1
        lag = s*t*alpha*beta*(fade*relexp(-2*t*opening) - shut*relexp(-2*t*closing))/(K*rho)  otherwise
        pull = K*lag + s*alpha*beta*glide*settle  if t*K > -1
        pull = (
            -s*alpha*beta*(t*opening*shut*relexp(-2*t*closing) + t*closing*fade*relexp(-2*t*opening)
            - 2*rho*fade*glide)/(K*rho)  otherwise
        )
        turn = fade*(s*beta*excess*glide + w0*(fade + closing*glide)/h0)
        sideways = h0*across/alpha
        h = h0*numerator_a^2/norm
        y = s*(gap + 1)^2 + h0*shut*sideways*numerator_a^2/norm^2  if abs(gap) < 1/2
        y = h0*numerator_a^2*(shut*sideways + h0*numerator_b^2/s)/norm^2  otherwise
        w = h0*numerator_a*(turn - sideways*(pull + alpha*slope*lag))/norm^2

    State: h0, y0, w0
    Parameters: X, s, tau_h, tau_y, t
    Returns: h, y, w
    Domain: h0 > 0, y0 >= 0, X > 0, s > 0, tau_h > 0, tau_y > 0, t >= 0, y0*s >= (y0 - w0)^2
    Rests on: van_rossem_saxe_2024:emitted_closed_form, van_rossem_saxe_2024:closed_form_squared_balanced
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1
    Normal form: sha256 ab4d40300b5a8126fe50ea9687dc82f9042df5d58b0672cc9ea8a7ff16b86a48
    """
    alpha = 0.25*X/tau_h
    beta = 0.25/tau_y
    K = h0*beta - y0*alpha/h0
    rho = sqrt(0.25*K*K + s*alpha*beta)
    if K >= 0.0:
        opening = rho + 0.5*K
        closing = s*alpha*beta/(rho + 0.5*K)
    else:
        opening = s*alpha*beta/(rho - 0.5*K)
        closing = rho - 0.5*K
    slope = (y0 - w0)/h0
    excess = (y0 - w0 - s)/s
    t0 = -2.0*t*rho
    fade = exp(t0)
    shut = exp(-2.0*t*opening)
    glide = t*relexp(t0)
    if K >= 0.0:
        settle = t*fade*relexp(-t*K)
    else:
        settle = t*shut*relexp(t*K)
    across = alpha*(y0/(h0*h0) - slope*slope/s)
    lead = opening + alpha*slope
    trail = closing - alpha*slope
    numerator_a = fade + glide*lead
    numerator_b = slope*fade + closing*glide*lead/alpha
    norm = fade + h0*(settle*across + 0.5*beta*glide*(lead*lead/opening + fade*trail*trail/closing)/rho)
    gap = (excess*fade - h0*settle*across)/norm
    if t*abs(K) < 1.0:
        lag = 0.5*settle*(fade + 1.0) - 0.5*glide*(fade + shut)
    else:
        lag = s*t*alpha*beta*(fade*relexp(-2.0*t*opening) - shut*relexp(-2.0*t*closing))/(K*rho)
    if t*K > -1.0:
        pull = K*lag + s*alpha*beta*glide*settle
    else:
        pull = (
            -s*alpha*beta*(t*opening*shut*relexp(-2.0*t*closing) + t*closing*fade*relexp(-2.0*t*opening)
            - 2.0*rho*fade*glide)/(K*rho)
        )
    turn = fade*(s*beta*excess*glide + w0*(fade + closing*glide)/h0)
    sideways = h0*across/alpha
    h = h0*numerator_a*numerator_a/norm
    if abs(gap) < 0.5:
        y = s*(gap + 1.0)**2 + h0*shut*sideways*numerator_a*numerator_a/(norm*norm)
    else:
        y = h0*numerator_a*numerator_a*(shut*sideways + h0*numerator_b*numerator_b/s)/(norm*norm)
    w = h0*numerator_a*(turn - sideways*(pull + alpha*slope*lag))/(norm*norm)
    return h, y, w


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
        slope = (y0 - w0)/h0
        excess = (y0 - w0 - s)/s
        fade = exp(-2*t*rho)
        shut = exp(-2*t*opening)
        glide = t*relexp(-2*t*rho)
        settle = t*fade*relexp(-t*K)  if K >= 0
        settle = t*shut*relexp(t*K)  otherwise
        across = alpha*(y0/h0^2 - slope^2/s)
        lead = opening + alpha*slope
        trail = closing - alpha*slope
        numerator_a = fade + glide*lead
        numerator_b = slope*fade + closing*glide*lead/alpha
        norm = fade + h0*(settle*across + beta*glide*(lead^2/opening + fade*trail^2/closing)/(2*rho))
        gap = (excess*fade - h0*settle*across)/norm
        lag = settle*(fade + 1)/2 - glide*(fade + shut)/2  if t*abs(K) < 1
        lag = s*t*alpha*beta*(fade*relexp(-2*t*opening) - shut*relexp(-2*t*closing))/(K*rho)  otherwise
        pull = K*lag + s*alpha*beta*glide*settle  if t*K > -1
        pull = (
            -s*alpha*beta*(t*opening*shut*relexp(-2*t*closing) + t*closing*fade*relexp(-2*t*opening)
            - 2*rho*fade*glide)/(K*rho)  otherwise
        )
        turn = fade*(s*beta*excess*glide + w0*(fade + closing*glide)/h0)
        sideways = h0*across/alpha
        dalpha_dtau_h = -X/(4*tau_h^2)
        dbeta_dtau_y = -1/(4*tau_y^2)
        dK_dtau_h = -y0*dalpha_dtau_h/h0
        dK_dtau_y = h0*dbeta_dtau_y
        drho_dtau_h = (
            K*dK_dtau_h/(4*sqrt(K^2/4 + s*alpha*beta)) + s*beta*dalpha_dtau_h/(2*sqrt(K^2/4 + s*alpha*beta))
        )
        drho_dtau_y = (
            K*dK_dtau_y/(4*sqrt(K^2/4 + s*alpha*beta)) + s*alpha*dbeta_dtau_y/(2*sqrt(K^2/4 + s*alpha*beta))
        )
        dopening_dtau_h = drho_dtau_h + dK_dtau_h/2  if K >= 0
        dopening_dtau_h = (
            s*beta*dalpha_dtau_h/(rho - K/2) + s*alpha*beta*dK_dtau_h/(2*(rho - K/2)^2)
            - s*alpha*beta*drho_dtau_h/(rho - K/2)^2  otherwise
        )
        dopening_dtau_y = drho_dtau_y + dK_dtau_y/2  if K >= 0
        dopening_dtau_y = (
            s*alpha*dbeta_dtau_y/(rho - K/2) + s*alpha*beta*dK_dtau_y/(2*(rho - K/2)^2)
            - s*alpha*beta*drho_dtau_y/(rho - K/2)^2  otherwise
        )
        dclosing_dtau_h = (
            s*beta*dalpha_dtau_h/(rho + K/2) - s*alpha*beta*drho_dtau_h/(rho + K/2)^2
            - s*alpha*beta*dK_dtau_h/(2*(rho + K/2)^2)  if K >= 0
        )
        dclosing_dtau_h = drho_dtau_h - dK_dtau_h/2  otherwise
        dclosing_dtau_y = (
            s*alpha*dbeta_dtau_y/(rho + K/2) - s*alpha*beta*drho_dtau_y/(rho + K/2)^2
            - s*alpha*beta*dK_dtau_y/(2*(rho + K/2)^2)  if K >= 0
        )
        dclosing_dtau_y = drho_dtau_y - dK_dtau_y/2  otherwise
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
        dacross_dtau_h = dalpha_dtau_h*(y0/h0^2 - slope^2/s)
        dlead_dtau_h = dopening_dtau_h + slope*dalpha_dtau_h
        dlead_dtau_y = dopening_dtau_y
        dtrail_dtau_h = dclosing_dtau_h - slope*dalpha_dtau_h
        dtrail_dtau_y = dclosing_dtau_y
        dnumerator_a_dtau_h = dfade_dtau_h + glide*dlead_dtau_h + lead*dglide_dtau_h
        dnumerator_a_dtau_y = dfade_dtau_y + glide*dlead_dtau_y + lead*dglide_dtau_y
        dnumerator_b_dtau_h = (
            slope*dfade_dtau_h + closing*glide*dlead_dtau_h/alpha + closing*lead*dglide_dtau_h/alpha
            + glide*lead*dclosing_dtau_h/alpha - closing*glide*lead*dalpha_dtau_h/alpha^2
        )
        dnumerator_b_dtau_y = (
            slope*dfade_dtau_y + closing*glide*dlead_dtau_y/alpha + closing*lead*dglide_dtau_y/alpha
            + glide*lead*dclosing_dtau_y/alpha
        )
        dnorm_dtau_h = (
            h0*settle*dacross_dtau_h + h0*across*dsettle_dtau_h
            + h0*beta*glide*lead*dlead_dtau_h/(rho*opening)
            + h0*beta*fade*glide*trail*dtrail_dtau_h/(rho*closing)
            + dfade_dtau_h*(1 + h0*beta*glide*trail^2/(2*rho*closing))
            + h0*beta*dglide_dtau_h*(lead^2/opening + fade*trail^2/closing)/(2*rho)
            - h0*beta*glide*dopening_dtau_h*lead^2/(2*rho*opening^2)
            - h0*beta*fade*glide*dclosing_dtau_h*trail^2/(2*rho*closing^2)
            - h0*beta*glide*drho_dtau_h*(lead^2/opening + fade*trail^2/closing)/(2*rho^2)
        )
        dnorm_dtau_y = (
            h0*across*dsettle_dtau_y + h0*beta*glide*lead*dlead_dtau_y/(rho*opening)
            + h0*beta*fade*glide*trail*dtrail_dtau_y/(rho*closing)
            + dfade_dtau_y*(1 + h0*beta*glide*trail^2/(2*rho*closing))
            + h0*beta*dglide_dtau_y*(lead^2/opening + fade*trail^2/closing)/(2*rho)
            + h0*glide*dbeta_dtau_y*(lead^2/opening + fade*trail^2/closing)/(2*rho)
            - h0*beta*glide*dopening_dtau_y*lead^2/(2*rho*opening^2)
            - h0*beta*fade*glide*dclosing_dtau_y*trail^2/(2*rho*closing^2)
            - h0*beta*glide*drho_dtau_y*(lead^2/opening + fade*trail^2/closing)/(2*rho^2)
        )
        dgap_dtau_h = (
            excess*dfade_dtau_h/norm - h0*settle*dacross_dtau_h/norm - h0*across*dsettle_dtau_h/norm
            - dnorm_dtau_h*(excess*fade - h0*settle*across)/norm^2
        )
        dgap_dtau_y = (
            excess*dfade_dtau_y/norm - h0*across*dsettle_dtau_y/norm
            - dnorm_dtau_y*(excess*fade - h0*settle*across)/norm^2
        )
        dlag_dtau_h = (
            dsettle_dtau_h*(1/2 + fade/2) + dfade_dtau_h*(settle/2 - glide/2)
            + dglide_dtau_h*(-fade/2 - shut/2) - glide*dshut_dtau_h/2  if t*abs(K) < 1
        )
        dlag_dtau_h = (
            s*t*alpha*beta*dfade_dtau_h*relexp(-2*t*opening)/(K*rho)
            + 2*s*alpha*beta*shut*dclosing_dtau_h*t^2*relexp1(-2*t*closing)/(K*rho)
            + s*t*beta*dalpha_dtau_h*(fade*relexp(-2*t*opening) - shut*relexp(-2*t*closing))/(K*rho)
            - s*t*alpha*beta*dshut_dtau_h*relexp(-2*t*closing)/(K*rho)
            - 2*s*alpha*beta*fade*dopening_dtau_h*t^2*relexp1(-2*t*opening)/(K*rho)
            - s*t*alpha*beta*dK_dtau_h*(fade*relexp(-2*t*opening) - shut*relexp(-2*t*closing))/(rho*K^2)
            - s*t*alpha*beta*drho_dtau_h*(fade*relexp(-2*t*opening) - shut*relexp(-2*t*closing))/(K*rho^2)
            otherwise
        )
        dlag_dtau_y = (
            dsettle_dtau_y*(1/2 + fade/2) + dfade_dtau_y*(settle/2 - glide/2)
            + dglide_dtau_y*(-fade/2 - shut/2) - glide*dshut_dtau_y/2  if t*abs(K) < 1
        )
        dlag_dtau_y = (
            s*t*alpha*beta*dfade_dtau_y*relexp(-2*t*opening)/(K*rho)
            + 2*s*alpha*beta*shut*dclosing_dtau_y*t^2*relexp1(-2*t*closing)/(K*rho)
            + s*t*alpha*dbeta_dtau_y*(fade*relexp(-2*t*opening) - shut*relexp(-2*t*closing))/(K*rho)
            - s*t*alpha*beta*dshut_dtau_y*relexp(-2*t*closing)/(K*rho)
            - 2*s*alpha*beta*fade*dopening_dtau_y*t^2*relexp1(-2*t*opening)/(K*rho)
            - s*t*alpha*beta*dK_dtau_y*(fade*relexp(-2*t*opening) - shut*relexp(-2*t*closing))/(rho*K^2)
            - s*t*alpha*beta*drho_dtau_y*(fade*relexp(-2*t*opening) - shut*relexp(-2*t*closing))/(K*rho^2)
            otherwise
        )
        dpull_dtau_h = (
            K*dlag_dtau_h + lag*dK_dtau_h + s*alpha*beta*glide*dsettle_dtau_h
            + s*alpha*beta*settle*dglide_dtau_h + s*beta*glide*settle*dalpha_dtau_h  if t*K > -1
        )
        dpull_dtau_h = (
            2*s*alpha*beta*fade*dglide_dtau_h/K + s*alpha*beta*dK_dtau_h*(t*opening*shut*relexp(-2*t*closing)
            + t*closing*fade*relexp(-2*t*opening) - 2*rho*fade*glide)/(rho*K^2)
            + drho_dtau_h*(2*s*alpha*beta*fade*glide/(K*rho)
            + s*alpha*beta*(t*opening*shut*relexp(-2*t*closing) + t*closing*fade*relexp(-2*t*opening)
            - 2*rho*fade*glide)/(K*rho^2)) - s*t*alpha*beta*opening*dshut_dtau_h*relexp(-2*t*closing)/(K*rho)
            - s*alpha*beta*dfade_dtau_h*(t*closing*relexp(-2*t*opening) - 2*rho*glide)/(K*rho)
            - s*alpha*beta*dopening_dtau_h*(t*shut*relexp(-2*t*closing)
            - 2*closing*fade*t^2*relexp1(-2*t*opening))/(K*rho)
            - s*alpha*beta*dclosing_dtau_h*(t*fade*relexp(-2*t*opening)
            - 2*opening*shut*t^2*relexp1(-2*t*closing))/(K*rho)
            - s*beta*dalpha_dtau_h*(t*opening*shut*relexp(-2*t*closing) + t*closing*fade*relexp(-2*t*opening)
            - 2*rho*fade*glide)/(K*rho)  otherwise
        )
        dpull_dtau_y = (
            K*dlag_dtau_y + lag*dK_dtau_y + s*alpha*beta*glide*dsettle_dtau_y
            + s*alpha*beta*settle*dglide_dtau_y + s*alpha*glide*settle*dbeta_dtau_y  if t*K > -1
        )
        dpull_dtau_y = (
            2*s*alpha*beta*fade*dglide_dtau_y/K + s*alpha*beta*dK_dtau_y*(t*opening*shut*relexp(-2*t*closing)
            + t*closing*fade*relexp(-2*t*opening) - 2*rho*fade*glide)/(rho*K^2)
            + drho_dtau_y*(2*s*alpha*beta*fade*glide/(K*rho)
            + s*alpha*beta*(t*opening*shut*relexp(-2*t*closing) + t*closing*fade*relexp(-2*t*opening)
            - 2*rho*fade*glide)/(K*rho^2)) - s*t*alpha*beta*opening*dshut_dtau_y*relexp(-2*t*closing)/(K*rho)
            - s*alpha*beta*dfade_dtau_y*(t*closing*relexp(-2*t*opening) - 2*rho*glide)/(K*rho)
            - s*alpha*beta*dopening_dtau_y*(t*shut*relexp(-2*t*closing)
            - 2*closing*fade*t^2*relexp1(-2*t*opening))/(K*rho)
            - s*alpha*beta*dclosing_dtau_y*(t*fade*relexp(-2*t*opening)
            - 2*opening*shut*t^2*relexp1(-2*t*closing))/(K*rho)
            - s*alpha*dbeta_dtau_y*(t*opening*shut*relexp(-2*t*closing) + t*closing*fade*relexp(-2*t*opening)
            - 2*rho*fade*glide)/(K*rho)  otherwise
        )
        dturn_dtau_h = (
            w0*fade*glide*dclosing_dtau_h/h0 + fade*dglide_dtau_h*(w0*closing/h0 + s*beta*excess)
            + dfade_dtau_h*(w0*fade/h0 + s*beta*excess*glide + w0*(fade + closing*glide)/h0)
        )
        dturn_dtau_y = (
            w0*fade*glide*dclosing_dtau_y/h0 + s*excess*fade*glide*dbeta_dtau_y
            + fade*dglide_dtau_y*(w0*closing/h0 + s*beta*excess)
            + dfade_dtau_y*(w0*fade/h0 + s*beta*excess*glide + w0*(fade + closing*glide)/h0)
        )
        dsideways_dtau_h = h0*dacross_dtau_h/alpha - h0*across*dalpha_dtau_h/alpha^2
        dh_dtau_h = 2*h0*numerator_a*dnumerator_a_dtau_h/norm - h0*dnorm_dtau_h*numerator_a^2/norm^2
        dh_dtau_y = 2*h0*numerator_a*dnumerator_a_dtau_y/norm - h0*dnorm_dtau_y*numerator_a^2/norm^2
        dy_dtau_h = (
            s*dgap_dtau_h*(2 + 2*gap) + h0*shut*dsideways_dtau_h*numerator_a^2/norm^2
            + h0*sideways*dshut_dtau_h*numerator_a^2/norm^2
            + 2*h0*shut*numerator_a*sideways*dnumerator_a_dtau_h/norm^2
            - 2*h0*shut*sideways*dnorm_dtau_h*numerator_a^2/norm^3  if abs(gap) < 1/2
        )
        dy_dtau_h = (
            h0*shut*dsideways_dtau_h*numerator_a^2/norm^2 + h0*sideways*dshut_dtau_h*numerator_a^2/norm^2
            + 2*numerator_b*dnumerator_b_dtau_h*h0^2*numerator_a^2/(s*norm^2)
            + 2*h0*numerator_a*dnumerator_a_dtau_h*(shut*sideways + h0*numerator_b^2/s)/norm^2
            - 2*h0*dnorm_dtau_h*numerator_a^2*(shut*sideways + h0*numerator_b^2/s)/norm^3  otherwise
        )
        dy_dtau_y = (
            s*dgap_dtau_y*(2 + 2*gap) + h0*sideways*dshut_dtau_y*numerator_a^2/norm^2
            + 2*h0*shut*numerator_a*sideways*dnumerator_a_dtau_y/norm^2
            - 2*h0*shut*sideways*dnorm_dtau_y*numerator_a^2/norm^3  if abs(gap) < 1/2
        )
        dy_dtau_y = (
            h0*sideways*dshut_dtau_y*numerator_a^2/norm^2
            + 2*numerator_b*dnumerator_b_dtau_y*h0^2*numerator_a^2/(s*norm^2)
            + 2*h0*numerator_a*dnumerator_a_dtau_y*(shut*sideways + h0*numerator_b^2/s)/norm^2
            - 2*h0*dnorm_dtau_y*numerator_a^2*(shut*sideways + h0*numerator_b^2/s)/norm^3  otherwise
        )
        dw_dtau_h = (
            h0*numerator_a*dturn_dtau_h/norm^2
            + h0*numerator_a*dsideways_dtau_h*(-pull - alpha*slope*lag)/norm^2
            + h0*dnumerator_a_dtau_h*(turn - sideways*(pull + alpha*slope*lag))/norm^2
            - h0*numerator_a*sideways*dpull_dtau_h/norm^2
            - h0*alpha*slope*numerator_a*sideways*dlag_dtau_h/norm^2
            - h0*slope*numerator_a*lag*sideways*dalpha_dtau_h/norm^2
            - 2*h0*numerator_a*dnorm_dtau_h*(turn - sideways*(pull + alpha*slope*lag))/norm^3
        )
        dw_dtau_y = (
            h0*numerator_a*dturn_dtau_y/norm^2
            + h0*dnumerator_a_dtau_y*(turn - sideways*(pull + alpha*slope*lag))/norm^2
            - h0*numerator_a*sideways*dpull_dtau_y/norm^2
            - h0*alpha*slope*numerator_a*sideways*dlag_dtau_y/norm^2
            - 2*h0*numerator_a*dnorm_dtau_y*(turn - sideways*(pull + alpha*slope*lag))/norm^3
        )

    State: h0, y0, w0
    Parameters: X, s, tau_h, tau_y, t
    Returns: dh_dtau_h, dh_dtau_y, dy_dtau_h, dy_dtau_y, dw_dtau_h, dw_dtau_y
    Domain: h0 > 0, y0 >= 0, X > 0, s > 0, tau_h > 0, tau_y > 0, t >= 0, y0*s >= (y0 - w0)^2
    Rests on: van_rossem_saxe_2024:emitted_closed_form, van_rossem_saxe_2024:closed_form_squared_balanced
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1
    Normal form: sha256 459746849bd4e1e8608a914ea501ae8b25c300e3bb29cee542c7fe5a64f749ef
    """
    alpha = 0.25*X/tau_h
    beta = 0.25/tau_y
    K = h0*beta - y0*alpha/h0
    rho = sqrt(0.25*K*K + s*alpha*beta)
    if K >= 0.0:
        opening = rho + 0.5*K
        closing = s*alpha*beta/(rho + 0.5*K)
    else:
        opening = s*alpha*beta/(rho - 0.5*K)
        closing = rho - 0.5*K
    slope = (y0 - w0)/h0
    excess = (y0 - w0 - s)/s
    t0 = -2.0*t*rho
    fade = exp(t0)
    shut = exp(-2.0*t*opening)
    glide = t*relexp(t0)
    if K >= 0.0:
        settle = t*fade*relexp(-t*K)
    else:
        settle = t*shut*relexp(t*K)
    t1 = y0/(h0*h0) - slope*slope/s
    across = alpha*t1
    lead = opening + alpha*slope
    trail = closing - alpha*slope
    numerator_a = fade + glide*lead
    numerator_b = slope*fade + closing*glide*lead/alpha
    t2 = lead*lead/opening + fade*trail*trail/closing
    norm = fade + h0*(settle*across + 0.5*beta*glide*t2/rho)
    t3 = excess*fade - h0*settle*across
    gap = t3/norm
    if t*abs(K) < 1.0:
        lag = 0.5*settle*(fade + 1.0) - 0.5*glide*(fade + shut)
    else:
        lag = s*t*alpha*beta*(fade*relexp(-2.0*t*opening) - shut*relexp(-2.0*t*closing))/(K*rho)
    if t*K > -1.0:
        pull = K*lag + s*alpha*beta*glide*settle
    else:
        pull = (
            -s*alpha*beta*(t*opening*shut*relexp(-2.0*t*closing) + t*closing*fade*relexp(-2.0*t*opening)
            - 2.0*rho*fade*glide)/(K*rho)
        )
    t4 = s*beta*excess*glide
    t5 = w0*(fade + closing*glide)/h0
    turn = fade*(t4 + t5)
    sideways = h0*across/alpha
    dalpha_dtau_h = -0.25*X/(tau_h*tau_h)
    dbeta_dtau_y = -0.25/(tau_y*tau_y)
    dK_dtau_h = -y0*dalpha_dtau_h/h0
    dK_dtau_y = h0*dbeta_dtau_y
    drho_dtau_h = 0.25*K*dK_dtau_h/rho + 0.5*s*beta*dalpha_dtau_h/rho
    drho_dtau_y = 0.25*K*dK_dtau_y/rho + 0.5*s*alpha*dbeta_dtau_y/rho
    if K >= 0.0:
        dopening_dtau_h = drho_dtau_h + 0.5*dK_dtau_h
        dopening_dtau_y = drho_dtau_y + 0.5*dK_dtau_y
        dclosing_dtau_h = (
            s*beta*dalpha_dtau_h/(rho + 0.5*K) - s*alpha*beta*drho_dtau_h/(rho + 0.5*K)**2
            - 0.5*s*alpha*beta*dK_dtau_h/(rho + 0.5*K)**2
        )
        dclosing_dtau_y = (
            s*alpha*dbeta_dtau_y/(rho + 0.5*K) - s*alpha*beta*drho_dtau_y/(rho + 0.5*K)**2
            - 0.5*s*alpha*beta*dK_dtau_y/(rho + 0.5*K)**2
        )
    else:
        dopening_dtau_h = (
            s*beta*dalpha_dtau_h/(rho - 0.5*K) + 0.5*s*alpha*beta*dK_dtau_h/(rho - 0.5*K)**2
            - s*alpha*beta*drho_dtau_h/(rho - 0.5*K)**2
        )
        dopening_dtau_y = (
            s*alpha*dbeta_dtau_y/(rho - 0.5*K) + 0.5*s*alpha*beta*dK_dtau_y/(rho - 0.5*K)**2
            - s*alpha*beta*drho_dtau_y/(rho - 0.5*K)**2
        )
        dclosing_dtau_h = drho_dtau_h - 0.5*dK_dtau_h
        dclosing_dtau_y = drho_dtau_y - 0.5*dK_dtau_y
    dfade_dtau_h = -2.0*t*drho_dtau_h*fade
    dfade_dtau_y = -2.0*t*drho_dtau_y*fade
    dshut_dtau_h = -2.0*t*dopening_dtau_h*shut
    dshut_dtau_y = -2.0*t*dopening_dtau_y*shut
    t6 = relexp1(t0)
    dglide_dtau_h = -2.0*drho_dtau_h*t*t*t6
    dglide_dtau_y = -2.0*drho_dtau_y*t*t*t6
    if K >= 0.0:
        dsettle_dtau_h = t*dfade_dtau_h*relexp(-t*K) - fade*dK_dtau_h*t*t*relexp1(-t*K)
        dsettle_dtau_y = t*dfade_dtau_y*relexp(-t*K) - fade*dK_dtau_y*t*t*relexp1(-t*K)
    else:
        dsettle_dtau_h = t*dshut_dtau_h*relexp(t*K) + shut*dK_dtau_h*t*t*relexp1(t*K)
        dsettle_dtau_y = t*dshut_dtau_y*relexp(t*K) + shut*dK_dtau_y*t*t*relexp1(t*K)
    dacross_dtau_h = dalpha_dtau_h*t1
    dlead_dtau_h = dopening_dtau_h + slope*dalpha_dtau_h
    dlead_dtau_y = dopening_dtau_y
    dtrail_dtau_h = dclosing_dtau_h - slope*dalpha_dtau_h
    dtrail_dtau_y = dclosing_dtau_y
    dnumerator_a_dtau_h = dfade_dtau_h + glide*dlead_dtau_h + lead*dglide_dtau_h
    dnumerator_a_dtau_y = dfade_dtau_y + glide*dlead_dtau_y + lead*dglide_dtau_y
    dnumerator_b_dtau_h = (
        slope*dfade_dtau_h + closing*glide*dlead_dtau_h/alpha + closing*lead*dglide_dtau_h/alpha
        + glide*lead*dclosing_dtau_h/alpha - closing*glide*lead*dalpha_dtau_h/(alpha*alpha)
    )
    dnumerator_b_dtau_y = (
        slope*dfade_dtau_y + closing*glide*dlead_dtau_y/alpha + closing*lead*dglide_dtau_y/alpha
        + glide*lead*dclosing_dtau_y/alpha
    )
    t7 = 1.0 + 0.5*h0*beta*glide*trail*trail/(rho*closing)
    dnorm_dtau_h = (
        h0*settle*dacross_dtau_h + h0*across*dsettle_dtau_h + h0*beta*glide*lead*dlead_dtau_h/(rho*opening)
        + h0*beta*fade*glide*trail*dtrail_dtau_h/(rho*closing) + dfade_dtau_h*t7
        + 0.5*h0*beta*dglide_dtau_h*t2/rho - 0.5*h0*beta*glide*dopening_dtau_h*lead*lead/(rho*opening*opening)
        - 0.5*h0*beta*fade*glide*dclosing_dtau_h*trail*trail/(rho*closing*closing)
        - 0.5*h0*beta*glide*drho_dtau_h*t2/(rho*rho)
    )
    dnorm_dtau_y = (
        h0*across*dsettle_dtau_y + h0*beta*glide*lead*dlead_dtau_y/(rho*opening)
        + h0*beta*fade*glide*trail*dtrail_dtau_y/(rho*closing) + dfade_dtau_y*t7
        + 0.5*h0*beta*dglide_dtau_y*t2/rho + 0.5*h0*glide*dbeta_dtau_y*t2/rho
        - 0.5*h0*beta*glide*dopening_dtau_y*lead*lead/(rho*opening*opening)
        - 0.5*h0*beta*fade*glide*dclosing_dtau_y*trail*trail/(rho*closing*closing)
        - 0.5*h0*beta*glide*drho_dtau_y*t2/(rho*rho)
    )
    dgap_dtau_h = (
        excess*dfade_dtau_h/norm - h0*settle*dacross_dtau_h/norm - h0*across*dsettle_dtau_h/norm
        - dnorm_dtau_h*t3/(norm*norm)
    )
    dgap_dtau_y = excess*dfade_dtau_y/norm - h0*across*dsettle_dtau_y/norm - dnorm_dtau_y*t3/(norm*norm)
    if t*abs(K) < 1.0:
        dlag_dtau_h = (
            dsettle_dtau_h*(0.5 + 0.5*fade) + dfade_dtau_h*(0.5*settle - 0.5*glide)
            + dglide_dtau_h*(-0.5*fade - 0.5*shut) - 0.5*glide*dshut_dtau_h
        )
        dlag_dtau_y = (
            dsettle_dtau_y*(0.5 + 0.5*fade) + dfade_dtau_y*(0.5*settle - 0.5*glide)
            + dglide_dtau_y*(-0.5*fade - 0.5*shut) - 0.5*glide*dshut_dtau_y
        )
    else:
        dlag_dtau_h = (
            s*t*alpha*beta*dfade_dtau_h*relexp(-2.0*t*opening)/(K*rho)
            + 2.0*s*alpha*beta*shut*dclosing_dtau_h*t*t*relexp1(-2.0*t*closing)/(K*rho)
            + s*t*beta*dalpha_dtau_h*(fade*relexp(-2.0*t*opening) - shut*relexp(-2.0*t*closing))/(K*rho)
            - s*t*alpha*beta*dshut_dtau_h*relexp(-2.0*t*closing)/(K*rho)
            - 2.0*s*alpha*beta*fade*dopening_dtau_h*t*t*relexp1(-2.0*t*opening)/(K*rho)
            - s*t*alpha*beta*dK_dtau_h*(fade*relexp(-2.0*t*opening) - shut*relexp(-2.0*t*closing))/(rho*K*K)
            - s*t*alpha*beta*drho_dtau_h*(fade*relexp(-2.0*t*opening)
            - shut*relexp(-2.0*t*closing))/(K*rho*rho)
        )
        dlag_dtau_y = (
            s*t*alpha*beta*dfade_dtau_y*relexp(-2.0*t*opening)/(K*rho)
            + 2.0*s*alpha*beta*shut*dclosing_dtau_y*t*t*relexp1(-2.0*t*closing)/(K*rho)
            + s*t*alpha*dbeta_dtau_y*(fade*relexp(-2.0*t*opening) - shut*relexp(-2.0*t*closing))/(K*rho)
            - s*t*alpha*beta*dshut_dtau_y*relexp(-2.0*t*closing)/(K*rho)
            - 2.0*s*alpha*beta*fade*dopening_dtau_y*t*t*relexp1(-2.0*t*opening)/(K*rho)
            - s*t*alpha*beta*dK_dtau_y*(fade*relexp(-2.0*t*opening) - shut*relexp(-2.0*t*closing))/(rho*K*K)
            - s*t*alpha*beta*drho_dtau_y*(fade*relexp(-2.0*t*opening)
            - shut*relexp(-2.0*t*closing))/(K*rho*rho)
        )
    if t*K > -1.0:
        dpull_dtau_h = (
            K*dlag_dtau_h + lag*dK_dtau_h + s*alpha*beta*glide*dsettle_dtau_h
            + s*alpha*beta*settle*dglide_dtau_h + s*beta*glide*settle*dalpha_dtau_h
        )
        dpull_dtau_y = (
            K*dlag_dtau_y + lag*dK_dtau_y + s*alpha*beta*glide*dsettle_dtau_y
            + s*alpha*beta*settle*dglide_dtau_y + s*alpha*glide*settle*dbeta_dtau_y
        )
    else:
        dpull_dtau_h = (
            2.0*s*alpha*beta*fade*dglide_dtau_h/K
            + s*alpha*beta*dK_dtau_h*(t*opening*shut*relexp(-2.0*t*closing)
            + t*closing*fade*relexp(-2.0*t*opening) - 2.0*rho*fade*glide)/(rho*K*K)
            + drho_dtau_h*(2.0*s*alpha*beta*fade*glide/(K*rho)
            + s*alpha*beta*(t*opening*shut*relexp(-2.0*t*closing) + t*closing*fade*relexp(-2.0*t*opening)
            - 2.0*rho*fade*glide)/(K*rho*rho))
            - s*t*alpha*beta*opening*dshut_dtau_h*relexp(-2.0*t*closing)/(K*rho)
            - s*alpha*beta*dfade_dtau_h*(t*closing*relexp(-2.0*t*opening) - 2.0*rho*glide)/(K*rho)
            - s*alpha*beta*dopening_dtau_h*(t*shut*relexp(-2.0*t*closing)
            - 2.0*closing*fade*t*t*relexp1(-2.0*t*opening))/(K*rho)
            - s*alpha*beta*dclosing_dtau_h*(t*fade*relexp(-2.0*t*opening)
            - 2.0*opening*shut*t*t*relexp1(-2.0*t*closing))/(K*rho)
            - s*beta*dalpha_dtau_h*(t*opening*shut*relexp(-2.0*t*closing)
            + t*closing*fade*relexp(-2.0*t*opening) - 2.0*rho*fade*glide)/(K*rho)
        )
        dpull_dtau_y = (
            2.0*s*alpha*beta*fade*dglide_dtau_y/K
            + s*alpha*beta*dK_dtau_y*(t*opening*shut*relexp(-2.0*t*closing)
            + t*closing*fade*relexp(-2.0*t*opening) - 2.0*rho*fade*glide)/(rho*K*K)
            + drho_dtau_y*(2.0*s*alpha*beta*fade*glide/(K*rho)
            + s*alpha*beta*(t*opening*shut*relexp(-2.0*t*closing) + t*closing*fade*relexp(-2.0*t*opening)
            - 2.0*rho*fade*glide)/(K*rho*rho))
            - s*t*alpha*beta*opening*dshut_dtau_y*relexp(-2.0*t*closing)/(K*rho)
            - s*alpha*beta*dfade_dtau_y*(t*closing*relexp(-2.0*t*opening) - 2.0*rho*glide)/(K*rho)
            - s*alpha*beta*dopening_dtau_y*(t*shut*relexp(-2.0*t*closing)
            - 2.0*closing*fade*t*t*relexp1(-2.0*t*opening))/(K*rho)
            - s*alpha*beta*dclosing_dtau_y*(t*fade*relexp(-2.0*t*opening)
            - 2.0*opening*shut*t*t*relexp1(-2.0*t*closing))/(K*rho)
            - s*alpha*dbeta_dtau_y*(t*opening*shut*relexp(-2.0*t*closing)
            + t*closing*fade*relexp(-2.0*t*opening) - 2.0*rho*fade*glide)/(K*rho)
        )
    t8 = w0*closing/h0 + s*beta*excess
    t9 = w0*fade/h0 + t4 + t5
    dturn_dtau_h = w0*fade*glide*dclosing_dtau_h/h0 + fade*dglide_dtau_h*t8 + dfade_dtau_h*t9
    dturn_dtau_y = (
        w0*fade*glide*dclosing_dtau_y/h0 + s*excess*fade*glide*dbeta_dtau_y + fade*dglide_dtau_y*t8
        + dfade_dtau_y*t9
    )
    dsideways_dtau_h = h0*dacross_dtau_h/alpha - h0*across*dalpha_dtau_h/(alpha*alpha)
    dh_dtau_h = (
        2.0*h0*numerator_a*dnumerator_a_dtau_h/norm - h0*dnorm_dtau_h*numerator_a*numerator_a/(norm*norm)
    )
    dh_dtau_y = (
        2.0*h0*numerator_a*dnumerator_a_dtau_y/norm - h0*dnorm_dtau_y*numerator_a*numerator_a/(norm*norm)
    )
    if abs(gap) < 0.5:
        dy_dtau_h = (
            s*dgap_dtau_h*(2.0 + 2.0*gap) + h0*shut*dsideways_dtau_h*numerator_a*numerator_a/(norm*norm)
            + h0*sideways*dshut_dtau_h*numerator_a*numerator_a/(norm*norm)
            + 2.0*h0*shut*numerator_a*sideways*dnumerator_a_dtau_h/(norm*norm)
            - 2.0*h0*shut*sideways*dnorm_dtau_h*numerator_a*numerator_a/(norm*norm*norm)
        )
        dy_dtau_y = (
            s*dgap_dtau_y*(2.0 + 2.0*gap) + h0*sideways*dshut_dtau_y*numerator_a*numerator_a/(norm*norm)
            + 2.0*h0*shut*numerator_a*sideways*dnumerator_a_dtau_y/(norm*norm)
            - 2.0*h0*shut*sideways*dnorm_dtau_y*numerator_a*numerator_a/(norm*norm*norm)
        )
    else:
        dy_dtau_h = (
            h0*shut*dsideways_dtau_h*numerator_a*numerator_a/(norm*norm)
            + h0*sideways*dshut_dtau_h*numerator_a*numerator_a/(norm*norm)
            + 2.0*numerator_b*dnumerator_b_dtau_h*h0*h0*numerator_a*numerator_a/(s*norm*norm)
            + 2.0*h0*numerator_a*dnumerator_a_dtau_h*(shut*sideways
            + h0*numerator_b*numerator_b/s)/(norm*norm)
            - 2.0*h0*dnorm_dtau_h*numerator_a*numerator_a*(shut*sideways
            + h0*numerator_b*numerator_b/s)/(norm*norm*norm)
        )
        dy_dtau_y = (
            h0*sideways*dshut_dtau_y*numerator_a*numerator_a/(norm*norm)
            + 2.0*numerator_b*dnumerator_b_dtau_y*h0*h0*numerator_a*numerator_a/(s*norm*norm)
            + 2.0*h0*numerator_a*dnumerator_a_dtau_y*(shut*sideways
            + h0*numerator_b*numerator_b/s)/(norm*norm)
            - 2.0*h0*dnorm_dtau_y*numerator_a*numerator_a*(shut*sideways
            + h0*numerator_b*numerator_b/s)/(norm*norm*norm)
        )
    t10 = turn - sideways*(pull + alpha*slope*lag)
    t11 = norm*norm*norm
    dw_dtau_h = (
        h0*numerator_a*dturn_dtau_h/(norm*norm)
        + h0*numerator_a*dsideways_dtau_h*(-pull - alpha*slope*lag)/(norm*norm)
        + h0*dnumerator_a_dtau_h*t10/(norm*norm) - h0*numerator_a*sideways*dpull_dtau_h/(norm*norm)
        - h0*alpha*slope*numerator_a*sideways*dlag_dtau_h/(norm*norm)
        - h0*slope*numerator_a*lag*sideways*dalpha_dtau_h/(norm*norm)
        - 2.0*h0*numerator_a*dnorm_dtau_h*t10/t11
    )
    dw_dtau_y = (
        h0*numerator_a*dturn_dtau_y/(norm*norm) + h0*dnumerator_a_dtau_y*t10/(norm*norm)
        - h0*numerator_a*sideways*dpull_dtau_y/(norm*norm)
        - h0*alpha*slope*numerator_a*sideways*dlag_dtau_y/(norm*norm)
        - 2.0*h0*numerator_a*dnorm_dtau_y*t10/t11
    )
    return dh_dtau_h, dh_dtau_y, dy_dtau_h, dy_dtau_y, dw_dtau_h, dw_dtau_y


@njit(cache=True, error_model="numpy")
def equal_targets(h0, y0, X, tau_h, tau_y, t):
    """h and y = w at time t for equal targets, A_high = 0 included.

        level = h0 - y0*X*tau_y/(h0*tau_h)
        pace = t/(2*tau_y)
        fade = exp(-pace*abs(level))
        shrunk = h0*pace*relexp(-pace*abs(level))
        norm = fade + shrunk  if level >= 0
        norm = shrunk + 1  otherwise
        h = h0/norm  if level >= 0
        h = h0*fade/norm  otherwise
        y = y0*fade/norm^2

    State: h0, y0
    Parameters: X, tau_h, tau_y, t
    Returns: h, y
    Domain: h0 > 0, y0 >= 0, X > 0, tau_h > 0, tau_y > 0, t >= 0
    Rests on: van_rossem_saxe_2024:emitted_equal_targets, van_rossem_saxe_2024:logistic_distance_doubled,
        van_rossem_saxe_2024:logistic_prediction_doubled, van_rossem_saxe_2024:algebraic_distance
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eqs. 39 and 40, corrected
    Normal form: sha256 65c994c571707b8641cf7d85992b2bb54c398ebedfe2ddf96b9fd10d3d6ccdd1
    """
    level = h0 - y0*X*tau_y/(h0*tau_h)
    pace = 0.5*t/tau_y
    t0 = -pace*abs(level)
    fade = exp(t0)
    shrunk = h0*pace*relexp(t0)
    if level >= 0.0:
        norm = fade + shrunk
        h = h0/norm
    else:
        norm = shrunk + 1.0
        h = h0*fade/norm
    y = y0*fade/(norm*norm)
    return h, y


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
    high = h0 - y0*X*tau_y/(h0*tau_h)
    low2 = X*s*tau_y/tau_h
    root = sqrt(4.0*low2 + high*high)
    if high >= 0.0:
        final = 0.5*high + 0.5*root
        slow = -0.25*root/tau_y
        fast = 0.25*(-high - root)/tau_y
    else:
        final = 2.0*low2/(root - high)
        slow = -low2/(tau_y*(root - high))
        fast = -0.25*root/tau_y
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
