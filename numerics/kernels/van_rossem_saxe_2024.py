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
        opening = K + 2*rho  if K >= 0
        opening = 4*s*alpha*beta/(2*rho - K)  otherwise
        slope = (y0 - w0)/h0
        fade = exp(-2*t*rho)
        glide = t*relexp(-2*t*rho)
        settle = t*fade*relexp(-t*K)  if K >= 0
        settle = t*exp(-t*opening)*relexp(t*K)  otherwise
        along = alpha*slope^2/s
        across = y0*alpha/h0^2 - along
        numerator_a = 1/2 + fade/2 + glide*(K/2 + alpha*slope)
        numerator_b = slope*(fade + 1)/2 + glide*(s*beta - K*slope/2)
        norm = (
            fade + h0*(settle*across + t*(beta + along)*relexp(-4*t*rho) + glide^2*(2*alpha*beta*slope
            + K*(beta - along)/2))
        )
        h = h0*numerator_a^2/norm
        y = h0^2*numerator_a^2*(numerator_b^2/s + across*exp(-t*opening)/alpha)/norm^2
        w = (
            h0^2*numerator_a^2*(numerator_b^2/s + across*exp(-t*opening)/alpha)/norm^2
            - h0*numerator_a*numerator_b/norm
        )

    State: h0, y0, w0
    Parameters: X, s, tau_h, tau_y, t
    Returns: h, y, w
    Domain: h0 > 0, y0 >= 0, X > 0, s > 0, tau_h > 0, tau_y > 0, t >= 0, y0*s >= (y0 - w0)^2
    Rests on: van_rossem_saxe_2024:emitted_closed_form, van_rossem_saxe_2024:closed_form_squared_balanced
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1
    Normal form: sha256 63cbb3573b8dd1a8089a38229d838c711bec6e22e50e306f9c7200972ef0921b
    """
    alpha = 0.25*X/tau_h
    beta = 0.25/tau_y
    K = h0*beta - y0*alpha/h0
    rho = sqrt(0.25*K*K + s*alpha*beta)
    if K >= 0.0:
        opening = K + 2.0*rho
    else:
        opening = 4.0*s*alpha*beta/(2.0*rho - K)
    slope = (y0 - w0)/h0
    t0 = -2.0*t*rho
    fade = exp(t0)
    glide = t*relexp(t0)
    if K >= 0.0:
        settle = t*fade*relexp(-t*K)
    else:
        settle = t*exp(-t*opening)*relexp(t*K)
    along = alpha*slope*slope/s
    across = y0*alpha/(h0*h0) - along
    numerator_a = 0.5 + 0.5*fade + glide*(0.5*K + alpha*slope)
    numerator_b = 0.5*slope*(fade + 1.0) + glide*(s*beta - 0.5*K*slope)
    norm = (
        fade + h0*(settle*across + t*(beta + along)*relexp(-4.0*t*rho) + glide*glide*(2.0*alpha*beta*slope
        + 0.5*K*(beta - along)))
    )
    h = h0*numerator_a*numerator_a/norm
    y = h0*h0*numerator_a*numerator_a*(numerator_b*numerator_b/s + across*exp(-t*opening)/alpha)/(norm*norm)
    w = y - h0*numerator_a*numerator_b/norm
    return h, y, w


@njit(cache=True, error_model="numpy")
def closed_form_sensitivities(h0, y0, w0, X, s, tau_h, tau_y, t):
    """The derivatives of h, y, w (closed_form) by tau_h, tau_y.

        alpha = X/(4*tau_h)
        beta = 1/(4*tau_y)
        K = h0*beta - y0*alpha/h0
        rho = sqrt(K^2/4 + s*alpha*beta)
        opening = K + 2*rho  if K >= 0
        opening = 4*s*alpha*beta/(2*rho - K)  otherwise
        slope = (y0 - w0)/h0
        fade = exp(-2*t*rho)
        glide = t*relexp(-2*t*rho)
        settle = t*fade*relexp(-t*K)  if K >= 0
        settle = t*exp(-t*opening)*relexp(t*K)  otherwise
        along = alpha*slope^2/s
        across = y0*alpha/h0^2 - along
        numerator_a = 1/2 + fade/2 + glide*(K/2 + alpha*slope)
        numerator_b = slope*(fade + 1)/2 + glide*(s*beta - K*slope/2)
        norm = (
            fade + h0*(settle*across + t*(beta + along)*relexp(-4*t*rho) + glide^2*(2*alpha*beta*slope
            + K*(beta - along)/2))
        )
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
        dopening_dtau_h = dK_dtau_h + 2*drho_dtau_h  if K >= 0
        dopening_dtau_h = (
            4*s*beta*dalpha_dtau_h/(2*rho - K) + 4*s*alpha*beta*dK_dtau_h/(2*rho - K)^2
            - 8*s*alpha*beta*drho_dtau_h/(2*rho - K)^2  otherwise
        )
        dopening_dtau_y = dK_dtau_y + 2*drho_dtau_y  if K >= 0
        dopening_dtau_y = (
            4*s*alpha*dbeta_dtau_y/(2*rho - K) + 4*s*alpha*beta*dK_dtau_y/(2*rho - K)^2
            - 8*s*alpha*beta*drho_dtau_y/(2*rho - K)^2  otherwise
        )
        dfade_dtau_h = -2*t*drho_dtau_h*exp(-2*t*rho)
        dfade_dtau_y = -2*t*drho_dtau_y*exp(-2*t*rho)
        dglide_dtau_h = -2*drho_dtau_h*t^2*relexp1(-2*t*rho)
        dglide_dtau_y = -2*drho_dtau_y*t^2*relexp1(-2*t*rho)
        dsettle_dtau_h = t*dfade_dtau_h*relexp(-t*K) - fade*dK_dtau_h*t^2*relexp1(-t*K)  if K >= 0
        dsettle_dtau_h = (
            dK_dtau_h*t^2*exp(-t*opening)*relexp1(t*K) - dopening_dtau_h*t^2*exp(-t*opening)*relexp(t*K)
            otherwise
        )
        dsettle_dtau_y = t*dfade_dtau_y*relexp(-t*K) - fade*dK_dtau_y*t^2*relexp1(-t*K)  if K >= 0
        dsettle_dtau_y = (
            dK_dtau_y*t^2*exp(-t*opening)*relexp1(t*K) - dopening_dtau_y*t^2*exp(-t*opening)*relexp(t*K)
            otherwise
        )
        dalong_dtau_h = dalpha_dtau_h*slope^2/s
        dacross_dtau_h = y0*dalpha_dtau_h/h0^2 - dalong_dtau_h
        dnumerator_a_dtau_h = (
            dfade_dtau_h/2 + glide*dK_dtau_h/2 + slope*glide*dalpha_dtau_h + dglide_dtau_h*(K/2 + alpha*slope)
        )
        dnumerator_a_dtau_y = dfade_dtau_y/2 + glide*dK_dtau_y/2 + dglide_dtau_y*(K/2 + alpha*slope)
        dnumerator_b_dtau_h = (
            slope*dfade_dtau_h/2 + dglide_dtau_h*(s*beta - K*slope/2) - slope*glide*dK_dtau_h/2
        )
        dnumerator_b_dtau_y = (
            slope*dfade_dtau_y/2 + s*glide*dbeta_dtau_y + dglide_dtau_y*(s*beta - K*slope/2)
            - slope*glide*dK_dtau_y/2
        )
        dnorm_dtau_h = (
            dfade_dtau_h + h0*settle*dacross_dtau_h + h0*across*dsettle_dtau_h
            + 2*h0*beta*slope*dalpha_dtau_h*glide^2 + h0*dK_dtau_h*glide^2*(beta/2 - along/2)
            + h0*dalong_dtau_h*(t*relexp(-4*t*rho) - K*glide^2/2)
            + 2*h0*glide*dglide_dtau_h*(2*alpha*beta*slope + K*(beta - along)/2)
            - 4*h0*drho_dtau_h*t^2*(beta + along)*relexp1(-4*t*rho)
        )
        dnorm_dtau_y = (
            dfade_dtau_y + h0*across*dsettle_dtau_y + h0*dK_dtau_y*glide^2*(beta/2 - along/2)
            + 2*h0*glide*dglide_dtau_y*(2*alpha*beta*slope + K*(beta - along)/2)
            + h0*dbeta_dtau_y*(t*relexp(-4*t*rho) + glide^2*(K/2 + 2*alpha*slope))
            - 4*h0*drho_dtau_y*t^2*(beta + along)*relexp1(-4*t*rho)
        )
        dh_dtau_h = 2*h0*numerator_a*dnumerator_a_dtau_h/norm - h0*dnorm_dtau_h*numerator_a^2/norm^2
        dh_dtau_y = 2*h0*numerator_a*dnumerator_a_dtau_y/norm - h0*dnorm_dtau_y*numerator_a^2/norm^2
        dy_dtau_h = (
            2*numerator_b*dnumerator_b_dtau_h*h0^2*numerator_a^2/(s*norm^2)
            + dacross_dtau_h*h0^2*numerator_a^2*exp(-t*opening)/(alpha*norm^2)
            + 2*numerator_a*dnumerator_a_dtau_h*h0^2*(numerator_b^2/s + across*exp(-t*opening)/alpha)/norm^2
            - t*across*dopening_dtau_h*h0^2*numerator_a^2*exp(-t*opening)/(alpha*norm^2)
            - across*dalpha_dtau_h*h0^2*numerator_a^2*exp(-t*opening)/(alpha^2*norm^2)
            - 2*dnorm_dtau_h*h0^2*numerator_a^2*(numerator_b^2/s + across*exp(-t*opening)/alpha)/norm^3
        )
        dy_dtau_y = (
            2*numerator_b*dnumerator_b_dtau_y*h0^2*numerator_a^2/(s*norm^2)
            + 2*numerator_a*dnumerator_a_dtau_y*h0^2*(numerator_b^2/s + across*exp(-t*opening)/alpha)/norm^2
            - t*across*dopening_dtau_y*h0^2*numerator_a^2*exp(-t*opening)/(alpha*norm^2)
            - 2*dnorm_dtau_y*h0^2*numerator_a^2*(numerator_b^2/s + across*exp(-t*opening)/alpha)/norm^3
        )
        dw_dtau_h = (
            dacross_dtau_h*h0^2*numerator_a^2*exp(-t*opening)/(alpha*norm^2)
            + dnumerator_b_dtau_h*(2*numerator_b*h0^2*numerator_a^2/(s*norm^2) - h0*numerator_a/norm)
            + dnumerator_a_dtau_h*(2*numerator_a*h0^2*(numerator_b^2/s + across*exp(-t*opening)/alpha)/norm^2
            - h0*numerator_b/norm) + dnorm_dtau_h*(h0*numerator_a*numerator_b/norm^2
            - 2*h0^2*numerator_a^2*(numerator_b^2/s + across*exp(-t*opening)/alpha)/norm^3)
            - t*across*dopening_dtau_h*h0^2*numerator_a^2*exp(-t*opening)/(alpha*norm^2)
            - across*dalpha_dtau_h*h0^2*numerator_a^2*exp(-t*opening)/(alpha^2*norm^2)
        )
        dw_dtau_y = (
            dnumerator_b_dtau_y*(2*numerator_b*h0^2*numerator_a^2/(s*norm^2) - h0*numerator_a/norm)
            + dnumerator_a_dtau_y*(2*numerator_a*h0^2*(numerator_b^2/s + across*exp(-t*opening)/alpha)/norm^2
            - h0*numerator_b/norm) + dnorm_dtau_y*(h0*numerator_a*numerator_b/norm^2
            - 2*h0^2*numerator_a^2*(numerator_b^2/s + across*exp(-t*opening)/alpha)/norm^3)
            - t*across*dopening_dtau_y*h0^2*numerator_a^2*exp(-t*opening)/(alpha*norm^2)
        )

    State: h0, y0, w0
    Parameters: X, s, tau_h, tau_y, t
    Returns: dh_dtau_h, dh_dtau_y, dy_dtau_h, dy_dtau_y, dw_dtau_h, dw_dtau_y
    Domain: h0 > 0, y0 >= 0, X > 0, s > 0, tau_h > 0, tau_y > 0, t >= 0, y0*s >= (y0 - w0)^2
    Rests on: van_rossem_saxe_2024:emitted_closed_form, van_rossem_saxe_2024:closed_form_squared_balanced
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1
    Normal form: sha256 1ca3543efa2c61208b174d868b97a1aa42ca27ffcb71cfbaf74e578afe6bd1c3
    """
    alpha = 0.25*X/tau_h
    beta = 0.25/tau_y
    K = h0*beta - y0*alpha/h0
    rho = sqrt(0.25*K*K + s*alpha*beta)
    if K >= 0.0:
        opening = K + 2.0*rho
    else:
        opening = 4.0*s*alpha*beta/(2.0*rho - K)
    slope = (y0 - w0)/h0
    t0 = -2.0*t*rho
    fade = exp(t0)
    glide = t*relexp(t0)
    if K >= 0.0:
        settle = t*fade*relexp(-t*K)
    else:
        settle = t*exp(-t*opening)*relexp(t*K)
    along = alpha*slope*slope/s
    across = y0*alpha/(h0*h0) - along
    t1 = 0.5*K + alpha*slope
    numerator_a = 0.5 + 0.5*fade + glide*t1
    t2 = s*beta - 0.5*K*slope
    numerator_b = 0.5*slope*(fade + 1.0) + glide*t2
    t3 = -4.0*t*rho
    t4 = relexp(t3)
    t5 = 2.0*alpha*beta*slope + 0.5*K*(beta - along)
    norm = fade + h0*(settle*across + t*(beta + along)*t4 + glide*glide*t5)
    dalpha_dtau_h = -0.25*X/(tau_h*tau_h)
    dbeta_dtau_y = -0.25/(tau_y*tau_y)
    dK_dtau_h = -y0*dalpha_dtau_h/h0
    dK_dtau_y = h0*dbeta_dtau_y
    drho_dtau_h = 0.25*K*dK_dtau_h/rho + 0.5*s*beta*dalpha_dtau_h/rho
    drho_dtau_y = 0.25*K*dK_dtau_y/rho + 0.5*s*alpha*dbeta_dtau_y/rho
    if K >= 0.0:
        dopening_dtau_h = dK_dtau_h + 2.0*drho_dtau_h
        dopening_dtau_y = dK_dtau_y + 2.0*drho_dtau_y
    else:
        dopening_dtau_h = (
            4.0*s*beta*dalpha_dtau_h/(2.0*rho - K) + 4.0*s*alpha*beta*dK_dtau_h/(2.0*rho - K)**2
            - 8.0*s*alpha*beta*drho_dtau_h/(2.0*rho - K)**2
        )
        dopening_dtau_y = (
            4.0*s*alpha*dbeta_dtau_y/(2.0*rho - K) + 4.0*s*alpha*beta*dK_dtau_y/(2.0*rho - K)**2
            - 8.0*s*alpha*beta*drho_dtau_y/(2.0*rho - K)**2
        )
    dfade_dtau_h = -2.0*t*drho_dtau_h*fade
    dfade_dtau_y = -2.0*t*drho_dtau_y*fade
    t6 = relexp1(t0)
    dglide_dtau_h = -2.0*drho_dtau_h*t*t*t6
    dglide_dtau_y = -2.0*drho_dtau_y*t*t*t6
    if K >= 0.0:
        dsettle_dtau_h = t*dfade_dtau_h*relexp(-t*K) - fade*dK_dtau_h*t*t*relexp1(-t*K)
        dsettle_dtau_y = t*dfade_dtau_y*relexp(-t*K) - fade*dK_dtau_y*t*t*relexp1(-t*K)
    else:
        dsettle_dtau_h = (
            dK_dtau_h*t*t*exp(-t*opening)*relexp1(t*K) - dopening_dtau_h*t*t*exp(-t*opening)*relexp(t*K)
        )
        dsettle_dtau_y = (
            dK_dtau_y*t*t*exp(-t*opening)*relexp1(t*K) - dopening_dtau_y*t*t*exp(-t*opening)*relexp(t*K)
        )
    dalong_dtau_h = dalpha_dtau_h*slope*slope/s
    dacross_dtau_h = y0*dalpha_dtau_h/(h0*h0) - dalong_dtau_h
    dnumerator_a_dtau_h = (
        0.5*dfade_dtau_h + 0.5*glide*dK_dtau_h + slope*glide*dalpha_dtau_h + dglide_dtau_h*t1
    )
    dnumerator_a_dtau_y = 0.5*dfade_dtau_y + 0.5*glide*dK_dtau_y + dglide_dtau_y*t1
    dnumerator_b_dtau_h = 0.5*slope*dfade_dtau_h + dglide_dtau_h*t2 - 0.5*slope*glide*dK_dtau_h
    dnumerator_b_dtau_y = (
        0.5*slope*dfade_dtau_y + s*glide*dbeta_dtau_y + dglide_dtau_y*t2 - 0.5*slope*glide*dK_dtau_y
    )
    t7 = 0.5*beta - 0.5*along
    t8 = t*t4
    t9 = relexp1(t3)
    dnorm_dtau_h = (
        dfade_dtau_h + h0*settle*dacross_dtau_h + h0*across*dsettle_dtau_h
        + 2.0*h0*beta*slope*dalpha_dtau_h*glide*glide + h0*dK_dtau_h*glide*glide*t7
        + h0*dalong_dtau_h*(t8 - 0.5*K*glide*glide) + 2.0*h0*glide*dglide_dtau_h*t5
        - 4.0*h0*drho_dtau_h*t*t*(beta + along)*t9
    )
    dnorm_dtau_y = (
        dfade_dtau_y + h0*across*dsettle_dtau_y + h0*dK_dtau_y*glide*glide*t7 + 2.0*h0*glide*dglide_dtau_y*t5
        + h0*dbeta_dtau_y*(t8 + glide*glide*(0.5*K + 2.0*alpha*slope))
        - 4.0*h0*drho_dtau_y*t*t*(beta + along)*t9
    )
    dh_dtau_h = (
        2.0*h0*numerator_a*dnumerator_a_dtau_h/norm - h0*dnorm_dtau_h*numerator_a*numerator_a/(norm*norm)
    )
    dh_dtau_y = (
        2.0*h0*numerator_a*dnumerator_a_dtau_y/norm - h0*dnorm_dtau_y*numerator_a*numerator_a/(norm*norm)
    )
    t10 = exp(-t*opening)
    t11 = dacross_dtau_h*h0*h0*numerator_a*numerator_a*t10/(alpha*norm*norm)
    t12 = numerator_b*numerator_b/s + across*t10/alpha
    t13 = -t*across*dopening_dtau_h*h0*h0*numerator_a*numerator_a*t10/(alpha*norm*norm)
    t14 = -across*dalpha_dtau_h*h0*h0*numerator_a*numerator_a*t10/(alpha*alpha*norm*norm)
    t15 = norm*norm*norm
    dy_dtau_h = (
        2.0*numerator_b*dnumerator_b_dtau_h*h0*h0*numerator_a*numerator_a/(s*norm*norm) + t11
        + 2.0*numerator_a*dnumerator_a_dtau_h*h0*h0*t12/(norm*norm) + t13 + t14
        - 2.0*dnorm_dtau_h*h0*h0*numerator_a*numerator_a*t12/t15
    )
    t16 = -t*across*dopening_dtau_y*h0*h0*numerator_a*numerator_a*t10/(alpha*norm*norm)
    dy_dtau_y = (
        2.0*numerator_b*dnumerator_b_dtau_y*h0*h0*numerator_a*numerator_a/(s*norm*norm)
        + 2.0*numerator_a*dnumerator_a_dtau_y*h0*h0*t12/(norm*norm) + t16
        - 2.0*dnorm_dtau_y*h0*h0*numerator_a*numerator_a*t12/t15
    )
    t17 = 2.0*numerator_b*h0*h0*numerator_a*numerator_a/(s*norm*norm) - h0*numerator_a/norm
    t18 = 2.0*numerator_a*h0*h0*t12/(norm*norm) - h0*numerator_b/norm
    t19 = h0*numerator_a*numerator_b/(norm*norm) - 2.0*h0*h0*numerator_a*numerator_a*t12/t15
    dw_dtau_h = t11 + dnumerator_b_dtau_h*t17 + dnumerator_a_dtau_h*t18 + dnorm_dtau_h*t19 + t13 + t14
    dw_dtau_y = dnumerator_b_dtau_y*t17 + dnumerator_a_dtau_y*t18 + dnorm_dtau_y*t19 + t16
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
    Domain: h0 > 0, y0 >= 0, X > 0, s >= 0, tau_h > 0, tau_y > 0, s > 0
    Rests on: van_rossem_saxe_2024:emitted_final_distance, van_rossem_saxe_2024:final_rest_distance,
        van_rossem_saxe_2024:final_point_is_a_node_doubled
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eqs. 10 and 28
    Normal form: sha256 cb9e4338a8c9d3291702072dfcf6adb8788468669a364063bda059d075733687
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
    """The loss at time t, from |ybar(0) - (y1 + y2)/2|^2 and the current y and w.

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
