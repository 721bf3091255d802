"""Ball twins of the kernels of van_rossem_saxe_2024: every result is an interval that surely holds the value.

Arguments are taken exactly as written. `digits` is the working precision; radii tell what is left of it.

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

from fractions import Fraction

from flint import arb, ctx

exp = arb.exp


def exact(value):
    """The number as written: a float's binary value, text such as 0.1, 1/3 or 0x1.8p+3, a ball as it is."""
    if isinstance(value, arb):
        return value
    number = Fraction(float.fromhex(value) if isinstance(value, str) and "0x" in value else value)
    return arb(number.numerator)/number.denominator


def power(x, n):
    """x to the integer n >= 2, for balls that may reach below zero."""
    result = x
    for _ in range(n - 1):
        result = result*x
    return result


def sqrt(x):
    """The square root; a ball that reaches below zero is cut there."""
    return arb.nan() if x < 0 else x.nonnegative_part().sqrt()


def relexp(x):
    """(exp(x) - 1)/x, and 1 at x = 0."""
    return x.hypgeom_1f1(1, 2)


def relexp1(x):
    """(exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0."""
    return x.hypgeom_1f1(2, 3)/2


def branch(surely, surely_not, then, otherwise):
    """The value of the branch taken; where the condition is not decided, a ball around both."""
    if surely:
        return then()
    return otherwise() if surely_not else then().union(otherwise())


def two_point_flow(h, y, w, X, s, tau_h, tau_y, digits=50):
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
    with ctx.workdps(digits):
        h, y, w, X, s, tau_h, tau_y = map(exact, (h, y, w, X, s, tau_h, tau_y))
        lift = h/(4*tau_y)
        t0 = 1/tau_h
        push = X*t0/(4*h)
        outward = y - s - 3*w
        inward = w*(y + w)
        h_rate = -w*X*t0/2
        y_rate = -2*w*(lift + y*push)
        w_rate = lift*outward - push*inward
        return h_rate, y_rate, w_rate


def two_point_jacobian(h, y, w, X, s, tau_h, tau_y, digits=50):
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
    with ctx.workdps(digits):
        h, y, w, X, s, tau_h, tau_y = map(exact, (h, y, w, X, s, tau_h, tau_y))
        dh_rate_dh = arb(0)
        dh_rate_dy = arb(0)
        t0 = 1/tau_h
        dh_rate_dw = -X*t0/2
        t1 = 1/h
        t2 = 1/tau_y
        dy_rate_dh = y*w*X*t0*t1*t1/2 - w*t2/2
        dy_rate_dy = -w*X*t1*t0/2
        dy_rate_dw = -h*t2/2 - y*X*t1*t0/2
        dw_rate_dh = y*t2/4 + y*w*X*t0*t1*t1/4 + X*w*w*t0*t1*t1/4 - s*t2/4 - 3*w*t2/4
        dw_rate_dy = h*t2/4 - w*X*t1*t0/4
        dw_rate_dw = -3*h*t2/4 + dy_rate_dy - y*X*t1*t0/4
        return dh_rate_dh, dh_rate_dy, dh_rate_dw, dy_rate_dh, dy_rate_dy, dy_rate_dw, dw_rate_dh, dw_rate_dy, dw_rate_dw


def signed_flow(a, b, n, X, s, tau_h, tau_y, digits=50):
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
    with ctx.workdps(digits):
        a, b, n, X, s, tau_h, tau_y = map(exact, (a, b, n, X, s, tau_h, tau_y))
        a_rate = b*X/(4*tau_h) - a*n*X/(4*tau_h)
        t0 = 1/tau_y
        b_rate = a*s*t0/4 - b*a*a*t0/4
        n_rate = a*b*t0/2 - n*a*a*t0/2
        return a_rate, b_rate, n_rate


def signed_jacobian(a, b, n, X, s, tau_h, tau_y, digits=50):
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
    with ctx.workdps(digits):
        a, b, n, X, s, tau_h, tau_y = map(exact, (a, b, n, X, s, tau_h, tau_y))
        t0 = 1/tau_h
        da_rate_da = -n*X*t0/4
        da_rate_db = X*t0/4
        da_rate_dn = -a*X*t0/4
        t1 = 1/tau_y
        db_rate_da = s*t1/4 - a*b*t1/2
        db_rate_db = -a*a*t1/4
        db_rate_dn = arb(0)
        dn_rate_da = b*t1/2 - a*n*t1
        dn_rate_db = a*t1/2
        dn_rate_dn = -a*a*t1/2
        return da_rate_da, da_rate_db, da_rate_dn, db_rate_da, db_rate_db, db_rate_dn, dn_rate_da, dn_rate_db, dn_rate_dn


def closed_form(h0, y0, w0, X, s, tau_h, tau_y, t, digits=50):
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
        slow = exp(-t*rho)  if 2*opening > closing
        slow = exp(-t*opening)  otherwise
        late_fade = exp(-t*rho)  if 2*opening > closing
        late_fade = exp(-t*closing)  otherwise
        late_shut = exp(t*(-K - rho))  if 2*opening > closing
        late_shut = exp(-t*opening)  otherwise
        late_settle = t*late_fade*relexp(-t*K)  if K >= 0
        late_settle = t*late_shut*relexp(t*K)  otherwise
        lag = late_settle*(fade + 1)/2 - glide*(late_fade + late_shut)/2  if t*abs(K) < 1
        lag = (
            s*t*alpha*beta*(late_fade*relexp(-2*t*opening) - late_shut*relexp(-2*t*closing))/(K*rho)
            otherwise
        )
        pull = K*lag + s*alpha*beta*glide*late_settle  if t*K > -1
        pull = (
            -s*alpha*beta*(t*opening*late_shut*relexp(-2*t*closing) + t*closing*late_fade*relexp(-2*t*opening)
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
    Normal form: sha256 cdb08489f7b46066d99f339b93cb4b27c680fc66ae5892a19e63961ee9afd141
    """
    with ctx.workdps(digits):
        h0, y0, w0, X, s, tau_h, tau_y, t = map(exact, (h0, y0, w0, X, s, tau_h, tau_y, t))
        alpha = X/(4*tau_h)
        beta = 1/(4*tau_y)
        t1 = 1/h0
        K = h0*beta - y0*alpha*t1
        rho = sqrt(K*K/4 + s*alpha*beta)
        opening = branch(K >= 0, K < 0, lambda: rho + K/2, lambda: s*alpha*beta/(rho - K/2))
        closing = branch(K >= 0, K < 0, lambda: s*alpha*beta/(rho + K/2), lambda: rho - K/2)
        missed = w0 - y0
        room = s + missed
        slope = -missed*t1
        t2 = 1/s
        excess = -room*t2
        t0 = -2*t*rho
        fade = exp(t0)
        shut = exp(-2*t*opening)
        glide = t*relexp(t0)
        settle = branch(K >= 0, K < 0, lambda: t*fade*relexp(-t*K), lambda: t*shut*relexp(t*K))
        apart = y0*s - missed*missed
        sideways = apart*t1*t2
        across = alpha*sideways*t1
        steer = w0*alpha*t1*t1
        tilt = -alpha*t1
        crossing = (
            branch(h0*beta/2 > abs(K), h0*beta/2 <= abs(K), lambda: (K*room - apart*tilt)*t1, lambda:
            beta*room - missed*steer)
        )
        lead = (
            branch(missed > 0, missed <= 0, lambda: alpha*crossing/(closing - alpha*slope), lambda: opening
            + alpha*slope)
        )
        trail = (
            branch(missed > 0, missed <= 0, lambda: closing - alpha*slope, lambda:
            alpha*crossing/(opening + alpha*slope))
        )
        shift = glide*trail
        numerator_a = (
            branch(t*opening >= 1, t*opening < 1, lambda: fade + glide*lead, lambda: branch(arb(1)/2 > shift,
            arb(1)/2 <= shift, lambda: 1 - shift, lambda: fade + glide*lead))
        )
        numerator_b = (
            branch(alpha*abs(slope) > 2*opening*glide*abs(trail), alpha*abs(slope) <=
            2*opening*glide*abs(trail), lambda: slope + opening*glide*trail/alpha, lambda: slope*fade
            + closing*glide*lead/alpha)
        )
        along = beta*glide*(lead*lead/opening + fade*trail*trail/closing)/(2*rho)
        drawn = alpha*settle*missed*missed*t1*t2
        norm = (
            branch(K >= 0, K < 0, lambda: fade + h0*(along + settle*across), lambda: branch(shut > 2*drawn,
            shut <= 2*drawn, lambda: shut + h0*(along + beta*settle) - drawn, lambda: fade
            + h0*(along + settle*across)))
        )
        t3 = 1/norm
        gap = (excess*fade - h0*settle*across)*t3
        slow = branch(2*opening > closing, 2*opening <= closing, lambda: exp(-t*rho), lambda: exp(-t*opening))
        late_fade = (
            branch(2*opening > closing, 2*opening <= closing, lambda: exp(-t*rho), lambda: exp(-t*closing))
        )
        late_shut = (
            branch(2*opening > closing, 2*opening <= closing, lambda: exp(t*(-K - rho)), lambda:
            exp(-t*opening))
        )
        late_settle = branch(K >= 0, K < 0, lambda: t*late_fade*relexp(-t*K), lambda: t*late_shut*relexp(t*K))
        lag = (
            branch(1 > t*abs(K), 1 <= t*abs(K), lambda: late_settle*(fade + 1)/2
            - glide*(late_fade + late_shut)/2, lambda:
            s*t*alpha*beta*(late_fade*relexp(-2*t*opening) - late_shut*relexp(-2*t*closing))/(K*rho))
        )
        pull = (
            branch(t*K > -1, t*K <= -1, lambda: K*lag + s*alpha*beta*glide*late_settle, lambda:
            -s*alpha*beta*(t*opening*late_shut*relexp(-2*t*closing) + t*closing*late_fade*relexp(-2*t*opening)
            - 2*rho*glide*late_fade)/(K*rho))
        )
        turn = (
            branch(2*closing > opening, 2*closing <= opening, lambda:
            late_fade*(w0*(fade - K*glide)*t1 + beta*glide*lead*(y0 - s)/(closing + h0*beta)), lambda:
            late_fade*(w0*(fade + closing*glide)*t1 - beta*room*glide))
        )
        late_w = h0*numerator_a*(turn - sideways*(pull + alpha*slope*lag))*t3*t3
        h = h0*numerator_a*numerator_a*t3
        y = (
            branch(arb(1)/2 > abs(gap), arb(1)/2 <= abs(gap), lambda: s*power(gap + 1, 2)
            + h0*shut*sideways*numerator_a*numerator_a*t3*t3, lambda: branch(-h0*beta/2 > K, -h0*beta/2 <= K,
            lambda: h0*numerator_a*numerator_a*(h0*beta*numerator_a*numerator_a*t3 - K)*t3/alpha, lambda:
            h0*numerator_a*numerator_a*(shut*sideways + h0*numerator_b*numerator_b*t2)*t3*t3))
        )
        w = slow*late_w
        return h, y, w


def closed_form_sensitivities(h0, y0, w0, X, s, tau_h, tau_y, t, digits=50):
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
        slow = exp(-t*rho)  if 2*opening > closing
        slow = exp(-t*opening)  otherwise
        late_fade = exp(-t*rho)  if 2*opening > closing
        late_fade = exp(-t*closing)  otherwise
        late_shut = exp(t*(-K - rho))  if 2*opening > closing
        late_shut = exp(-t*opening)  otherwise
        late_settle = t*late_fade*relexp(-t*K)  if K >= 0
        late_settle = t*late_shut*relexp(t*K)  otherwise
        lag = late_settle*(fade + 1)/2 - glide*(late_fade + late_shut)/2  if t*abs(K) < 1
        lag = (
            s*t*alpha*beta*(late_fade*relexp(-2*t*opening) - late_shut*relexp(-2*t*closing))/(K*rho)
            otherwise
        )
        pull = K*lag + s*alpha*beta*glide*late_settle  if t*K > -1
        pull = (
            -s*alpha*beta*(t*opening*late_shut*relexp(-2*t*closing) + t*closing*late_fade*relexp(-2*t*opening)
            - 2*rho*glide*late_fade)/(K*rho)  otherwise
        )
        turn = (
            late_fade*(w0*(fade - K*glide)/h0 + beta*glide*lead*(y0 - s)/(closing + h0*beta))  if 2*closing >
            opening
        )
        turn = late_fade*(w0*(fade + closing*glide)/h0 - beta*room*glide)  otherwise
        late_w = h0*numerator_a*(turn - sideways*(pull + alpha*slope*lag))/norm^2
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
        dacross_dtau_h = sideways*dalpha_dtau_h/h0
        dsteer_dtau_h = w0*dalpha_dtau_h/h0^2
        dtilt_dtau_h = -dalpha_dtau_h/h0
        dcrossing_dtau_h = room*dK_dtau_h/h0 - apart*dtilt_dtau_h/h0  if h0*beta/2 > abs(K)
        dcrossing_dtau_h = -missed*dsteer_dtau_h  otherwise
        dcrossing_dtau_y = room*dK_dtau_y/h0  if h0*beta/2 > abs(K)
        dcrossing_dtau_y = room*dbeta_dtau_y  otherwise
        dlead_dtau_h = (
            alpha*dcrossing_dtau_h/(closing - alpha*slope) + dalpha_dtau_h*(crossing/(closing - alpha*slope)
            + alpha*slope*crossing/(closing - alpha*slope)^2) - alpha*crossing*dclosing_dtau_h/(closing
            - alpha*slope)^2  if missed > 0
        )
        dlead_dtau_h = dopening_dtau_h + slope*dalpha_dtau_h  otherwise
        dlead_dtau_y = (
            alpha*dcrossing_dtau_y/(closing - alpha*slope)
            - alpha*crossing*dclosing_dtau_y/(closing - alpha*slope)^2  if missed > 0
        )
        dlead_dtau_y = dopening_dtau_y  otherwise
        dtrail_dtau_h = dclosing_dtau_h - slope*dalpha_dtau_h  if missed > 0
        dtrail_dtau_h = (
            alpha*dcrossing_dtau_h/(opening + alpha*slope) + dalpha_dtau_h*(crossing/(opening + alpha*slope)
            - alpha*slope*crossing/(opening + alpha*slope)^2) - alpha*crossing*dopening_dtau_h/(opening
            + alpha*slope)^2  otherwise
        )
        dtrail_dtau_y = dclosing_dtau_y  if missed > 0
        dtrail_dtau_y = (
            alpha*dcrossing_dtau_y/(opening + alpha*slope)
            - alpha*crossing*dopening_dtau_y/(opening + alpha*slope)^2  otherwise
        )
        dshift_dtau_h = glide*dtrail_dtau_h + trail*dglide_dtau_h
        dshift_dtau_y = glide*dtrail_dtau_y + trail*dglide_dtau_y
        dnumerator_a_dtau_h = dfade_dtau_h + glide*dlead_dtau_h + lead*dglide_dtau_h  if t*opening >= 1
        dnumerator_a_dtau_h = -dshift_dtau_h  if shift < 1/2
        dnumerator_a_dtau_h = dfade_dtau_h + glide*dlead_dtau_h + lead*dglide_dtau_h  otherwise
        dnumerator_a_dtau_y = dfade_dtau_y + glide*dlead_dtau_y + lead*dglide_dtau_y  if t*opening >= 1
        dnumerator_a_dtau_y = -dshift_dtau_y  if shift < 1/2
        dnumerator_a_dtau_y = dfade_dtau_y + glide*dlead_dtau_y + lead*dglide_dtau_y  otherwise
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
            beta*glide*lead*dlead_dtau_h/(rho*opening) + beta*fade*glide*trail*dtrail_dtau_h/(rho*closing)
            + beta*glide*dfade_dtau_h*trail^2/(2*rho*closing)
            + beta*dglide_dtau_h*(lead^2/opening + fade*trail^2/closing)/(2*rho)
            - beta*glide*dopening_dtau_h*lead^2/(2*rho*opening^2)
            - beta*fade*glide*dclosing_dtau_h*trail^2/(2*rho*closing^2)
            - beta*glide*drho_dtau_h*(lead^2/opening + fade*trail^2/closing)/(2*rho^2)
        )
        dalong_dtau_y = (
            beta*glide*lead*dlead_dtau_y/(rho*opening) + beta*fade*glide*trail*dtrail_dtau_y/(rho*closing)
            + beta*glide*dfade_dtau_y*trail^2/(2*rho*closing)
            + beta*dglide_dtau_y*(lead^2/opening + fade*trail^2/closing)/(2*rho)
            + glide*dbeta_dtau_y*(lead^2/opening + fade*trail^2/closing)/(2*rho)
            - beta*glide*dopening_dtau_y*lead^2/(2*rho*opening^2)
            - beta*fade*glide*dclosing_dtau_y*trail^2/(2*rho*closing^2)
            - beta*glide*drho_dtau_y*(lead^2/opening + fade*trail^2/closing)/(2*rho^2)
        )
        ddrawn_dtau_h = alpha*dsettle_dtau_h*missed^2/(h0*s) + settle*dalpha_dtau_h*missed^2/(h0*s)
        ddrawn_dtau_y = alpha*dsettle_dtau_y*missed^2/(h0*s)
        dnorm_dtau_h = (
            dfade_dtau_h + h0*dalong_dtau_h + h0*settle*dacross_dtau_h + h0*across*dsettle_dtau_h  if K >= 0
        )
        dnorm_dtau_h = (
            dshut_dtau_h + h0*dalong_dtau_h + h0*beta*dsettle_dtau_h - ddrawn_dtau_h  if shut > 2*drawn
        )
        dnorm_dtau_h = (
            dfade_dtau_h + h0*dalong_dtau_h + h0*settle*dacross_dtau_h + h0*across*dsettle_dtau_h  otherwise
        )
        dnorm_dtau_y = dfade_dtau_y + h0*dalong_dtau_y + h0*across*dsettle_dtau_y  if K >= 0
        dnorm_dtau_y = (
            dshut_dtau_y + h0*dalong_dtau_y + h0*beta*dsettle_dtau_y + h0*settle*dbeta_dtau_y - ddrawn_dtau_y
            if shut > 2*drawn
        )
        dnorm_dtau_y = dfade_dtau_y + h0*dalong_dtau_y + h0*across*dsettle_dtau_y  otherwise
        dgap_dtau_h = (
            excess*dfade_dtau_h/norm - h0*settle*dacross_dtau_h/norm - h0*across*dsettle_dtau_h/norm
            - dnorm_dtau_h*(excess*fade - h0*settle*across)/norm^2
        )
        dgap_dtau_y = (
            excess*dfade_dtau_y/norm - h0*across*dsettle_dtau_y/norm
            - dnorm_dtau_y*(excess*fade - h0*settle*across)/norm^2
        )
        dslow_dtau_h = -t*drho_dtau_h*exp(-t*rho)  if 2*opening > closing
        dslow_dtau_h = -t*dopening_dtau_h*exp(-t*opening)  otherwise
        dslow_dtau_y = -t*drho_dtau_y*exp(-t*rho)  if 2*opening > closing
        dslow_dtau_y = -t*dopening_dtau_y*exp(-t*opening)  otherwise
        dlate_fade_dtau_h = -t*drho_dtau_h*exp(-t*rho)  if 2*opening > closing
        dlate_fade_dtau_h = -t*dclosing_dtau_h*exp(-t*closing)  otherwise
        dlate_fade_dtau_y = -t*drho_dtau_y*exp(-t*rho)  if 2*opening > closing
        dlate_fade_dtau_y = -t*dclosing_dtau_y*exp(-t*closing)  otherwise
        dlate_shut_dtau_h = (
            -t*dK_dtau_h*exp(t*(-K - rho)) - t*drho_dtau_h*exp(t*(-K - rho))  if 2*opening > closing
        )
        dlate_shut_dtau_h = -t*dopening_dtau_h*exp(-t*opening)  otherwise
        dlate_shut_dtau_y = (
            -t*dK_dtau_y*exp(t*(-K - rho)) - t*drho_dtau_y*exp(t*(-K - rho))  if 2*opening > closing
        )
        dlate_shut_dtau_y = -t*dopening_dtau_y*exp(-t*opening)  otherwise
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
        dlag_dtau_h = (
            late_settle*dfade_dtau_h/2 + dlate_settle_dtau_h*(1/2 + fade/2)
            + dglide_dtau_h*(-late_fade/2 - late_shut/2) - glide*dlate_fade_dtau_h/2
            - glide*dlate_shut_dtau_h/2  if t*abs(K) < 1
        )
        dlag_dtau_h = (
            s*t*alpha*beta*dlate_fade_dtau_h*relexp(-2*t*opening)/(K*rho)
            + 2*s*alpha*beta*late_shut*dclosing_dtau_h*t^2*relexp1(-2*t*closing)/(K*rho)
            + s*t*beta*dalpha_dtau_h*(late_fade*relexp(-2*t*opening) - late_shut*relexp(-2*t*closing))/(K*rho)
            - s*t*alpha*beta*dlate_shut_dtau_h*relexp(-2*t*closing)/(K*rho)
            - 2*s*alpha*beta*late_fade*dopening_dtau_h*t^2*relexp1(-2*t*opening)/(K*rho)
            - s*t*alpha*beta*dK_dtau_h*(late_fade*relexp(-2*t*opening)
            - late_shut*relexp(-2*t*closing))/(rho*K^2)
            - s*t*alpha*beta*drho_dtau_h*(late_fade*relexp(-2*t*opening)
            - late_shut*relexp(-2*t*closing))/(K*rho^2)  otherwise
        )
        dlag_dtau_y = (
            late_settle*dfade_dtau_y/2 + dlate_settle_dtau_y*(1/2 + fade/2)
            + dglide_dtau_y*(-late_fade/2 - late_shut/2) - glide*dlate_fade_dtau_y/2
            - glide*dlate_shut_dtau_y/2  if t*abs(K) < 1
        )
        dlag_dtau_y = (
            s*t*alpha*beta*dlate_fade_dtau_y*relexp(-2*t*opening)/(K*rho)
            + 2*s*alpha*beta*late_shut*dclosing_dtau_y*t^2*relexp1(-2*t*closing)/(K*rho)
            + s*t*alpha*dbeta_dtau_y*(late_fade*relexp(-2*t*opening) - late_shut*relexp(-2*t*closing))/(K*rho)
            - s*t*alpha*beta*dlate_shut_dtau_y*relexp(-2*t*closing)/(K*rho)
            - 2*s*alpha*beta*late_fade*dopening_dtau_y*t^2*relexp1(-2*t*opening)/(K*rho)
            - s*t*alpha*beta*dK_dtau_y*(late_fade*relexp(-2*t*opening)
            - late_shut*relexp(-2*t*closing))/(rho*K^2)
            - s*t*alpha*beta*drho_dtau_y*(late_fade*relexp(-2*t*opening)
            - late_shut*relexp(-2*t*closing))/(K*rho^2)  otherwise
        )
        dpull_dtau_h = (
            K*dlag_dtau_h + lag*dK_dtau_h + s*alpha*beta*glide*dlate_settle_dtau_h
            + s*alpha*beta*late_settle*dglide_dtau_h + s*beta*glide*late_settle*dalpha_dtau_h  if t*K > -1
        )
        dpull_dtau_h = (
            2*s*alpha*beta*late_fade*dglide_dtau_h/K
            + s*alpha*beta*dK_dtau_h*(t*opening*late_shut*relexp(-2*t*closing)
            + t*closing*late_fade*relexp(-2*t*opening) - 2*rho*glide*late_fade)/(rho*K^2)
            + drho_dtau_h*(2*s*alpha*beta*glide*late_fade/(K*rho)
            + s*alpha*beta*(t*opening*late_shut*relexp(-2*t*closing)
            + t*closing*late_fade*relexp(-2*t*opening) - 2*rho*glide*late_fade)/(K*rho^2))
            - s*t*alpha*beta*opening*dlate_shut_dtau_h*relexp(-2*t*closing)/(K*rho)
            - s*alpha*beta*dlate_fade_dtau_h*(t*closing*relexp(-2*t*opening) - 2*rho*glide)/(K*rho)
            - s*alpha*beta*dopening_dtau_h*(t*late_shut*relexp(-2*t*closing)
            - 2*closing*late_fade*t^2*relexp1(-2*t*opening))/(K*rho)
            - s*alpha*beta*dclosing_dtau_h*(t*late_fade*relexp(-2*t*opening)
            - 2*opening*late_shut*t^2*relexp1(-2*t*closing))/(K*rho)
            - s*beta*dalpha_dtau_h*(t*opening*late_shut*relexp(-2*t*closing)
            + t*closing*late_fade*relexp(-2*t*opening) - 2*rho*glide*late_fade)/(K*rho)  otherwise
        )
        dpull_dtau_y = (
            K*dlag_dtau_y + lag*dK_dtau_y + s*alpha*beta*glide*dlate_settle_dtau_y
            + s*alpha*beta*late_settle*dglide_dtau_y + s*alpha*glide*late_settle*dbeta_dtau_y  if t*K > -1
        )
        dpull_dtau_y = (
            2*s*alpha*beta*late_fade*dglide_dtau_y/K
            + s*alpha*beta*dK_dtau_y*(t*opening*late_shut*relexp(-2*t*closing)
            + t*closing*late_fade*relexp(-2*t*opening) - 2*rho*glide*late_fade)/(rho*K^2)
            + drho_dtau_y*(2*s*alpha*beta*glide*late_fade/(K*rho)
            + s*alpha*beta*(t*opening*late_shut*relexp(-2*t*closing)
            + t*closing*late_fade*relexp(-2*t*opening) - 2*rho*glide*late_fade)/(K*rho^2))
            - s*t*alpha*beta*opening*dlate_shut_dtau_y*relexp(-2*t*closing)/(K*rho)
            - s*alpha*beta*dlate_fade_dtau_y*(t*closing*relexp(-2*t*opening) - 2*rho*glide)/(K*rho)
            - s*alpha*beta*dopening_dtau_y*(t*late_shut*relexp(-2*t*closing)
            - 2*closing*late_fade*t^2*relexp1(-2*t*opening))/(K*rho)
            - s*alpha*beta*dclosing_dtau_y*(t*late_fade*relexp(-2*t*opening)
            - 2*opening*late_shut*t^2*relexp1(-2*t*closing))/(K*rho)
            - s*alpha*dbeta_dtau_y*(t*opening*late_shut*relexp(-2*t*closing)
            + t*closing*late_fade*relexp(-2*t*opening) - 2*rho*glide*late_fade)/(K*rho)  otherwise
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
        dh_dtau_h = 2*h0*numerator_a*dnumerator_a_dtau_h/norm - h0*dnorm_dtau_h*numerator_a^2/norm^2
        dh_dtau_y = 2*h0*numerator_a*dnumerator_a_dtau_y/norm - h0*dnorm_dtau_y*numerator_a^2/norm^2
        dy_dtau_h = (
            s*dgap_dtau_h*(2 + 2*gap) + h0*sideways*dshut_dtau_h*numerator_a^2/norm^2
            + 2*h0*shut*sideways*numerator_a*dnumerator_a_dtau_h/norm^2
            - 2*h0*shut*sideways*dnorm_dtau_h*numerator_a^2/norm^3  if abs(gap) < 1/2
        )
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
    Rests on: van_rossem_saxe_2024:emitted_closed_form, van_rossem_saxe_2024:closed_form_squared_balanced
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1
    Normal form: sha256 ca1731b96367521f5c384f853cc9a81b818be4454dc539de93160aa92a6fdd62
    """
    with ctx.workdps(digits):
        h0, y0, w0, X, s, tau_h, tau_y, t = map(exact, (h0, y0, w0, X, s, tau_h, tau_y, t))
        t6 = 1/tau_h
        alpha = X*t6/4
        t7 = 1/tau_y
        beta = t7/4
        t8 = 1/h0
        K = h0*beta - y0*alpha*t8
        rho = sqrt(K*K/4 + s*alpha*beta)
        opening = branch(K >= 0, K < 0, lambda: rho + K/2, lambda: s*alpha*beta/(rho - K/2))
        closing = branch(K >= 0, K < 0, lambda: s*alpha*beta/(rho + K/2), lambda: rho - K/2)
        missed = w0 - y0
        room = s + missed
        slope = -missed*t8
        t9 = 1/s
        excess = -room*t9
        t0 = -2*t*rho
        fade = exp(t0)
        shut = exp(-2*t*opening)
        glide = t*relexp(t0)
        settle = branch(K >= 0, K < 0, lambda: t*fade*relexp(-t*K), lambda: t*shut*relexp(t*K))
        apart = y0*s - missed*missed
        sideways = apart*t8*t9
        across = alpha*sideways*t8
        steer = w0*alpha*t8*t8
        tilt = -alpha*t8
        crossing = (
            branch(h0*beta/2 > abs(K), h0*beta/2 <= abs(K), lambda: (K*room - apart*tilt)*t8, lambda:
            beta*room - missed*steer)
        )
        lead = (
            branch(missed > 0, missed <= 0, lambda: alpha*crossing/(closing - alpha*slope), lambda: opening
            + alpha*slope)
        )
        trail = (
            branch(missed > 0, missed <= 0, lambda: closing - alpha*slope, lambda:
            alpha*crossing/(opening + alpha*slope))
        )
        shift = glide*trail
        numerator_a = (
            branch(t*opening >= 1, t*opening < 1, lambda: fade + glide*lead, lambda: branch(arb(1)/2 > shift,
            arb(1)/2 <= shift, lambda: 1 - shift, lambda: fade + glide*lead))
        )
        t10 = 1/alpha
        numerator_b = (
            branch(alpha*abs(slope) > 2*opening*glide*abs(trail), alpha*abs(slope) <=
            2*opening*glide*abs(trail), lambda: slope + opening*glide*trail*t10, lambda: slope*fade
            + closing*glide*lead*t10)
        )
        t11 = 1/opening
        t12 = 1/closing
        t1 = lead*lead*t11 + fade*trail*trail*t12
        t13 = 1/rho
        along = beta*glide*t1*t13/2
        drawn = alpha*settle*missed*missed*t8*t9
        norm = (
            branch(K >= 0, K < 0, lambda: fade + h0*(along + settle*across), lambda: branch(shut > 2*drawn,
            shut <= 2*drawn, lambda: shut + h0*(along + beta*settle) - drawn, lambda: fade
            + h0*(along + settle*across)))
        )
        t2 = excess*fade - h0*settle*across
        t14 = 1/norm
        gap = t2*t14
        slow = branch(2*opening > closing, 2*opening <= closing, lambda: exp(-t*rho), lambda: exp(-t*opening))
        late_fade = (
            branch(2*opening > closing, 2*opening <= closing, lambda: exp(-t*rho), lambda: exp(-t*closing))
        )
        late_shut = (
            branch(2*opening > closing, 2*opening <= closing, lambda: exp(t*(-K - rho)), lambda:
            exp(-t*opening))
        )
        late_settle = branch(K >= 0, K < 0, lambda: t*late_fade*relexp(-t*K), lambda: t*late_shut*relexp(t*K))
        lag = (
            branch(1 > t*abs(K), 1 <= t*abs(K), lambda: late_settle*(fade + 1)/2
            - glide*(late_fade + late_shut)/2, lambda:
            s*t*alpha*beta*(late_fade*relexp(-2*t*opening) - late_shut*relexp(-2*t*closing))*t13/K)
        )
        pull = (
            branch(t*K > -1, t*K <= -1, lambda: K*lag + s*alpha*beta*glide*late_settle, lambda:
            -s*alpha*beta*(t*opening*late_shut*relexp(-2*t*closing) + t*closing*late_fade*relexp(-2*t*opening)
            - 2*rho*glide*late_fade)*t13/K)
        )
        turn = (
            branch(2*closing > opening, 2*closing <= opening, lambda:
            late_fade*(w0*(fade - K*glide)*t8 + beta*glide*lead*(y0 - s)/(closing + h0*beta)), lambda:
            late_fade*(w0*(fade + closing*glide)*t8 - beta*room*glide))
        )
        t3 = turn - sideways*(pull + alpha*slope*lag)
        late_w = h0*numerator_a*t3*t14*t14
        dalpha_dtau_h = -X*t6*t6/4
        dbeta_dtau_y = -t7*t7/4
        dK_dtau_h = -y0*dalpha_dtau_h*t8
        dK_dtau_y = h0*dbeta_dtau_y
        drho_dtau_h = K*dK_dtau_h*t13/4 + s*beta*dalpha_dtau_h*t13/2
        drho_dtau_y = K*dK_dtau_y*t13/4 + s*alpha*dbeta_dtau_y*t13/2
        dopening_dtau_h = (
            branch(K >= 0, K < 0, lambda: drho_dtau_h + dK_dtau_h/2, lambda: s*beta*dalpha_dtau_h/(rho - K/2)
            + s*alpha*beta*dK_dtau_h/(2*power(rho - K/2, 2)) - s*alpha*beta*drho_dtau_h/power(rho - K/2, 2))
        )
        dopening_dtau_y = (
            branch(K >= 0, K < 0, lambda: drho_dtau_y + dK_dtau_y/2, lambda: s*alpha*dbeta_dtau_y/(rho - K/2)
            + s*alpha*beta*dK_dtau_y/(2*power(rho - K/2, 2)) - s*alpha*beta*drho_dtau_y/power(rho - K/2, 2))
        )
        dclosing_dtau_h = (
            branch(K >= 0, K < 0, lambda: s*beta*dalpha_dtau_h/(rho + K/2)
            - s*alpha*beta*drho_dtau_h/power(rho + K/2, 2) - s*alpha*beta*dK_dtau_h/(2*power(rho + K/2, 2)),
            lambda: drho_dtau_h - dK_dtau_h/2)
        )
        dclosing_dtau_y = (
            branch(K >= 0, K < 0, lambda: s*alpha*dbeta_dtau_y/(rho + K/2)
            - s*alpha*beta*drho_dtau_y/power(rho + K/2, 2) - s*alpha*beta*dK_dtau_y/(2*power(rho + K/2, 2)),
            lambda: drho_dtau_y - dK_dtau_y/2)
        )
        dfade_dtau_h = -2*t*drho_dtau_h*fade
        dfade_dtau_y = -2*t*drho_dtau_y*fade
        dshut_dtau_h = -2*t*dopening_dtau_h*shut
        dshut_dtau_y = -2*t*dopening_dtau_y*shut
        t4 = relexp1(t0)
        dglide_dtau_h = -2*drho_dtau_h*t*t*t4
        dglide_dtau_y = -2*drho_dtau_y*t*t*t4
        dsettle_dtau_h = (
            branch(K >= 0, K < 0, lambda: t*dfade_dtau_h*relexp(-t*K) - fade*dK_dtau_h*t*t*relexp1(-t*K),
            lambda: t*dshut_dtau_h*relexp(t*K) + shut*dK_dtau_h*t*t*relexp1(t*K))
        )
        dsettle_dtau_y = (
            branch(K >= 0, K < 0, lambda: t*dfade_dtau_y*relexp(-t*K) - fade*dK_dtau_y*t*t*relexp1(-t*K),
            lambda: t*dshut_dtau_y*relexp(t*K) + shut*dK_dtau_y*t*t*relexp1(t*K))
        )
        dacross_dtau_h = sideways*dalpha_dtau_h*t8
        dsteer_dtau_h = w0*dalpha_dtau_h*t8*t8
        dtilt_dtau_h = -dalpha_dtau_h*t8
        dcrossing_dtau_h = (
            branch(h0*beta/2 > abs(K), h0*beta/2 <= abs(K), lambda: room*dK_dtau_h*t8 - apart*dtilt_dtau_h*t8,
            lambda: -missed*dsteer_dtau_h)
        )
        dcrossing_dtau_y = (
            branch(h0*beta/2 > abs(K), h0*beta/2 <= abs(K), lambda: room*dK_dtau_y*t8, lambda:
            room*dbeta_dtau_y)
        )
        dlead_dtau_h = (
            branch(missed > 0, missed <= 0, lambda: alpha*dcrossing_dtau_h/(closing - alpha*slope)
            + dalpha_dtau_h*(crossing/(closing - alpha*slope) + alpha*slope*crossing/power(closing
            - alpha*slope, 2)) - alpha*crossing*dclosing_dtau_h/power(closing - alpha*slope, 2), lambda:
            dopening_dtau_h + slope*dalpha_dtau_h)
        )
        dlead_dtau_y = (
            branch(missed > 0, missed <= 0, lambda: alpha*dcrossing_dtau_y/(closing - alpha*slope)
            - alpha*crossing*dclosing_dtau_y/power(closing - alpha*slope, 2), lambda: dopening_dtau_y)
        )
        dtrail_dtau_h = (
            branch(missed > 0, missed <= 0, lambda: dclosing_dtau_h - slope*dalpha_dtau_h, lambda:
            alpha*dcrossing_dtau_h/(opening + alpha*slope) + dalpha_dtau_h*(crossing/(opening + alpha*slope)
            - alpha*slope*crossing/power(opening + alpha*slope, 2))
            - alpha*crossing*dopening_dtau_h/power(opening + alpha*slope, 2))
        )
        dtrail_dtau_y = (
            branch(missed > 0, missed <= 0, lambda: dclosing_dtau_y, lambda:
            alpha*dcrossing_dtau_y/(opening + alpha*slope) - alpha*crossing*dopening_dtau_y/power(opening
            + alpha*slope, 2))
        )
        dshift_dtau_h = glide*dtrail_dtau_h + trail*dglide_dtau_h
        dshift_dtau_y = glide*dtrail_dtau_y + trail*dglide_dtau_y
        dnumerator_a_dtau_h = (
            branch(t*opening >= 1, t*opening < 1, lambda: dfade_dtau_h + glide*dlead_dtau_h
            + lead*dglide_dtau_h, lambda: branch(arb(1)/2 > shift, arb(1)/2 <= shift, lambda: -dshift_dtau_h,
            lambda: dfade_dtau_h + glide*dlead_dtau_h + lead*dglide_dtau_h))
        )
        dnumerator_a_dtau_y = (
            branch(t*opening >= 1, t*opening < 1, lambda: dfade_dtau_y + glide*dlead_dtau_y
            + lead*dglide_dtau_y, lambda: branch(arb(1)/2 > shift, arb(1)/2 <= shift, lambda: -dshift_dtau_y,
            lambda: dfade_dtau_y + glide*dlead_dtau_y + lead*dglide_dtau_y))
        )
        dnumerator_b_dtau_h = (
            branch(alpha*abs(slope) > 2*opening*glide*abs(trail), alpha*abs(slope) <=
            2*opening*glide*abs(trail), lambda: opening*glide*dtrail_dtau_h*t10
            + opening*trail*dglide_dtau_h*t10 + glide*trail*dopening_dtau_h*t10
            - opening*glide*trail*dalpha_dtau_h*t10*t10, lambda: slope*dfade_dtau_h
            + closing*glide*dlead_dtau_h*t10 + closing*lead*dglide_dtau_h*t10 + glide*lead*dclosing_dtau_h*t10
            - closing*glide*lead*dalpha_dtau_h*t10*t10)
        )
        dnumerator_b_dtau_y = (
            branch(alpha*abs(slope) > 2*opening*glide*abs(trail), alpha*abs(slope) <=
            2*opening*glide*abs(trail), lambda: opening*glide*dtrail_dtau_y*t10
            + opening*trail*dglide_dtau_y*t10 + glide*trail*dopening_dtau_y*t10, lambda: slope*dfade_dtau_y
            + closing*glide*dlead_dtau_y*t10 + closing*lead*dglide_dtau_y*t10
            + glide*lead*dclosing_dtau_y*t10)
        )
        dalong_dtau_h = (
            beta*glide*lead*dlead_dtau_h*t13*t11 + beta*fade*glide*trail*dtrail_dtau_h*t13*t12
            + beta*glide*dfade_dtau_h*trail*trail*t13*t12/2 + beta*dglide_dtau_h*t1*t13/2
            - beta*glide*dopening_dtau_h*lead*lead*t13*t11*t11/2
            - beta*fade*glide*dclosing_dtau_h*trail*trail*t13*t12*t12/2 - beta*glide*drho_dtau_h*t1*t13*t13/2
        )
        dalong_dtau_y = (
            beta*glide*lead*dlead_dtau_y*t13*t11 + beta*fade*glide*trail*dtrail_dtau_y*t13*t12
            + beta*glide*dfade_dtau_y*trail*trail*t13*t12/2 + beta*dglide_dtau_y*t1*t13/2
            + glide*dbeta_dtau_y*t1*t13/2 - beta*glide*dopening_dtau_y*lead*lead*t13*t11*t11/2
            - beta*fade*glide*dclosing_dtau_y*trail*trail*t13*t12*t12/2 - beta*glide*drho_dtau_y*t1*t13*t13/2
        )
        ddrawn_dtau_h = alpha*dsettle_dtau_h*missed*missed*t8*t9 + settle*dalpha_dtau_h*missed*missed*t8*t9
        ddrawn_dtau_y = alpha*dsettle_dtau_y*missed*missed*t8*t9
        dnorm_dtau_h = (
            branch(K >= 0, K < 0, lambda: dfade_dtau_h + h0*dalong_dtau_h + h0*settle*dacross_dtau_h
            + h0*across*dsettle_dtau_h, lambda: branch(shut > 2*drawn, shut <= 2*drawn, lambda: dshut_dtau_h
            + h0*dalong_dtau_h + h0*beta*dsettle_dtau_h - ddrawn_dtau_h, lambda: dfade_dtau_h
            + h0*dalong_dtau_h + h0*settle*dacross_dtau_h + h0*across*dsettle_dtau_h))
        )
        dnorm_dtau_y = (
            branch(K >= 0, K < 0, lambda: dfade_dtau_y + h0*dalong_dtau_y + h0*across*dsettle_dtau_y, lambda:
            branch(shut > 2*drawn, shut <= 2*drawn, lambda: dshut_dtau_y + h0*dalong_dtau_y
            + h0*beta*dsettle_dtau_y + h0*settle*dbeta_dtau_y - ddrawn_dtau_y, lambda: dfade_dtau_y
            + h0*dalong_dtau_y + h0*across*dsettle_dtau_y))
        )
        dgap_dtau_h = (
            excess*dfade_dtau_h*t14 - h0*settle*dacross_dtau_h*t14 - h0*across*dsettle_dtau_h*t14
            - dnorm_dtau_h*t2*t14*t14
        )
        dgap_dtau_y = excess*dfade_dtau_y*t14 - h0*across*dsettle_dtau_y*t14 - dnorm_dtau_y*t2*t14*t14
        dslow_dtau_h = (
            branch(2*opening > closing, 2*opening <= closing, lambda: -t*drho_dtau_h*exp(-t*rho), lambda:
            -t*dopening_dtau_h*exp(-t*opening))
        )
        dslow_dtau_y = (
            branch(2*opening > closing, 2*opening <= closing, lambda: -t*drho_dtau_y*exp(-t*rho), lambda:
            -t*dopening_dtau_y*exp(-t*opening))
        )
        dlate_fade_dtau_h = (
            branch(2*opening > closing, 2*opening <= closing, lambda: -t*drho_dtau_h*exp(-t*rho), lambda:
            -t*dclosing_dtau_h*exp(-t*closing))
        )
        dlate_fade_dtau_y = (
            branch(2*opening > closing, 2*opening <= closing, lambda: -t*drho_dtau_y*exp(-t*rho), lambda:
            -t*dclosing_dtau_y*exp(-t*closing))
        )
        dlate_shut_dtau_h = (
            branch(2*opening > closing, 2*opening <= closing, lambda: -t*dK_dtau_h*exp(t*(-K - rho))
            - t*drho_dtau_h*exp(t*(-K - rho)), lambda: -t*dopening_dtau_h*exp(-t*opening))
        )
        dlate_shut_dtau_y = (
            branch(2*opening > closing, 2*opening <= closing, lambda: -t*dK_dtau_y*exp(t*(-K - rho))
            - t*drho_dtau_y*exp(t*(-K - rho)), lambda: -t*dopening_dtau_y*exp(-t*opening))
        )
        dlate_settle_dtau_h = (
            branch(K >= 0, K < 0, lambda: t*dlate_fade_dtau_h*relexp(-t*K)
            - late_fade*dK_dtau_h*t*t*relexp1(-t*K), lambda: t*dlate_shut_dtau_h*relexp(t*K)
            + late_shut*dK_dtau_h*t*t*relexp1(t*K))
        )
        dlate_settle_dtau_y = (
            branch(K >= 0, K < 0, lambda: t*dlate_fade_dtau_y*relexp(-t*K)
            - late_fade*dK_dtau_y*t*t*relexp1(-t*K), lambda: t*dlate_shut_dtau_y*relexp(t*K)
            + late_shut*dK_dtau_y*t*t*relexp1(t*K))
        )
        dlag_dtau_h = (
            branch(1 > t*abs(K), 1 <= t*abs(K), lambda: late_settle*dfade_dtau_h/2
            + dlate_settle_dtau_h*(arb(1)/2 + fade/2) + dglide_dtau_h*(-late_fade/2 - late_shut/2)
            - glide*dlate_fade_dtau_h/2 - glide*dlate_shut_dtau_h/2, lambda:
            s*t*alpha*beta*dlate_fade_dtau_h*relexp(-2*t*opening)*t13/K
            + 2*s*alpha*beta*late_shut*dclosing_dtau_h*t*t*relexp1(-2*t*closing)*t13/K
            + s*t*beta*dalpha_dtau_h*(late_fade*relexp(-2*t*opening) - late_shut*relexp(-2*t*closing))*t13/K
            - s*t*alpha*beta*dlate_shut_dtau_h*relexp(-2*t*closing)*t13/K
            - 2*s*alpha*beta*late_fade*dopening_dtau_h*t*t*relexp1(-2*t*opening)*t13/K
            - s*t*alpha*beta*dK_dtau_h*(late_fade*relexp(-2*t*opening)
            - late_shut*relexp(-2*t*closing))*t13/(K*K)
            - s*t*alpha*beta*drho_dtau_h*(late_fade*relexp(-2*t*opening)
            - late_shut*relexp(-2*t*closing))*t13*t13/K)
        )
        dlag_dtau_y = (
            branch(1 > t*abs(K), 1 <= t*abs(K), lambda: late_settle*dfade_dtau_y/2
            + dlate_settle_dtau_y*(arb(1)/2 + fade/2) + dglide_dtau_y*(-late_fade/2 - late_shut/2)
            - glide*dlate_fade_dtau_y/2 - glide*dlate_shut_dtau_y/2, lambda:
            s*t*alpha*beta*dlate_fade_dtau_y*relexp(-2*t*opening)*t13/K
            + 2*s*alpha*beta*late_shut*dclosing_dtau_y*t*t*relexp1(-2*t*closing)*t13/K
            + s*t*alpha*dbeta_dtau_y*(late_fade*relexp(-2*t*opening) - late_shut*relexp(-2*t*closing))*t13/K
            - s*t*alpha*beta*dlate_shut_dtau_y*relexp(-2*t*closing)*t13/K
            - 2*s*alpha*beta*late_fade*dopening_dtau_y*t*t*relexp1(-2*t*opening)*t13/K
            - s*t*alpha*beta*dK_dtau_y*(late_fade*relexp(-2*t*opening)
            - late_shut*relexp(-2*t*closing))*t13/(K*K)
            - s*t*alpha*beta*drho_dtau_y*(late_fade*relexp(-2*t*opening)
            - late_shut*relexp(-2*t*closing))*t13*t13/K)
        )
        dpull_dtau_h = (
            branch(t*K > -1, t*K <= -1, lambda: K*dlag_dtau_h + lag*dK_dtau_h
            + s*alpha*beta*glide*dlate_settle_dtau_h + s*alpha*beta*late_settle*dglide_dtau_h
            + s*beta*glide*late_settle*dalpha_dtau_h, lambda: 2*s*alpha*beta*late_fade*dglide_dtau_h/K
            + s*alpha*beta*dK_dtau_h*(t*opening*late_shut*relexp(-2*t*closing)
            + t*closing*late_fade*relexp(-2*t*opening) - 2*rho*glide*late_fade)*t13/(K*K)
            + drho_dtau_h*(2*s*alpha*beta*glide*late_fade*t13/K
            + s*alpha*beta*(t*opening*late_shut*relexp(-2*t*closing)
            + t*closing*late_fade*relexp(-2*t*opening) - 2*rho*glide*late_fade)*t13*t13/K)
            - s*t*alpha*beta*opening*dlate_shut_dtau_h*relexp(-2*t*closing)*t13/K
            - s*alpha*beta*dlate_fade_dtau_h*(t*closing*relexp(-2*t*opening) - 2*rho*glide)*t13/K
            - s*alpha*beta*dopening_dtau_h*(t*late_shut*relexp(-2*t*closing)
            - 2*closing*late_fade*t*t*relexp1(-2*t*opening))*t13/K
            - s*alpha*beta*dclosing_dtau_h*(t*late_fade*relexp(-2*t*opening)
            - 2*opening*late_shut*t*t*relexp1(-2*t*closing))*t13/K
            - s*beta*dalpha_dtau_h*(t*opening*late_shut*relexp(-2*t*closing)
            + t*closing*late_fade*relexp(-2*t*opening) - 2*rho*glide*late_fade)*t13/K)
        )
        dpull_dtau_y = (
            branch(t*K > -1, t*K <= -1, lambda: K*dlag_dtau_y + lag*dK_dtau_y
            + s*alpha*beta*glide*dlate_settle_dtau_y + s*alpha*beta*late_settle*dglide_dtau_y
            + s*alpha*glide*late_settle*dbeta_dtau_y, lambda: 2*s*alpha*beta*late_fade*dglide_dtau_y/K
            + s*alpha*beta*dK_dtau_y*(t*opening*late_shut*relexp(-2*t*closing)
            + t*closing*late_fade*relexp(-2*t*opening) - 2*rho*glide*late_fade)*t13/(K*K)
            + drho_dtau_y*(2*s*alpha*beta*glide*late_fade*t13/K
            + s*alpha*beta*(t*opening*late_shut*relexp(-2*t*closing)
            + t*closing*late_fade*relexp(-2*t*opening) - 2*rho*glide*late_fade)*t13*t13/K)
            - s*t*alpha*beta*opening*dlate_shut_dtau_y*relexp(-2*t*closing)*t13/K
            - s*alpha*beta*dlate_fade_dtau_y*(t*closing*relexp(-2*t*opening) - 2*rho*glide)*t13/K
            - s*alpha*beta*dopening_dtau_y*(t*late_shut*relexp(-2*t*closing)
            - 2*closing*late_fade*t*t*relexp1(-2*t*opening))*t13/K
            - s*alpha*beta*dclosing_dtau_y*(t*late_fade*relexp(-2*t*opening)
            - 2*opening*late_shut*t*t*relexp1(-2*t*closing))*t13/K
            - s*alpha*dbeta_dtau_y*(t*opening*late_shut*relexp(-2*t*closing)
            + t*closing*late_fade*relexp(-2*t*opening) - 2*rho*glide*late_fade)*t13/K)
        )
        dturn_dtau_h = (
            branch(2*closing > opening, 2*closing <= opening, lambda: w0*late_fade*dfade_dtau_h*t8
            + beta*glide*late_fade*dlead_dtau_h*(y0 - s)/(closing + h0*beta)
            + late_fade*dglide_dtau_h*(beta*lead*(y0 - s)/(closing + h0*beta) - w0*K*t8)
            + dlate_fade_dtau_h*(w0*(fade - K*glide)*t8 + beta*glide*lead*(y0 - s)/(closing + h0*beta))
            - w0*glide*late_fade*dK_dtau_h*t8
            - beta*glide*lead*late_fade*dclosing_dtau_h*(y0 - s)/power(closing + h0*beta, 2), lambda:
            w0*late_fade*dfade_dtau_h*t8 + w0*glide*late_fade*dclosing_dtau_h*t8
            + late_fade*dglide_dtau_h*(w0*closing*t8 - beta*room)
            + dlate_fade_dtau_h*(w0*(fade + closing*glide)*t8 - beta*room*glide))
        )
        dturn_dtau_y = (
            branch(2*closing > opening, 2*closing <= opening, lambda: w0*late_fade*dfade_dtau_y*t8
            + beta*glide*late_fade*dlead_dtau_y*(y0 - s)/(closing + h0*beta)
            + late_fade*dglide_dtau_y*(beta*lead*(y0 - s)/(closing + h0*beta) - w0*K*t8)
            + dlate_fade_dtau_y*(w0*(fade - K*glide)*t8 + beta*glide*lead*(y0 - s)/(closing + h0*beta))
            + late_fade*dbeta_dtau_y*(glide*lead*(y0 - s)/(closing + h0*beta) - h0*beta*glide*lead*(y0
            - s)/power(closing + h0*beta, 2)) - w0*glide*late_fade*dK_dtau_y*t8
            - beta*glide*lead*late_fade*dclosing_dtau_y*(y0 - s)/power(closing + h0*beta, 2), lambda:
            w0*late_fade*dfade_dtau_y*t8 + w0*glide*late_fade*dclosing_dtau_y*t8
            + late_fade*dglide_dtau_y*(w0*closing*t8 - beta*room) + dlate_fade_dtau_y*(w0*(fade
            + closing*glide)*t8 - beta*room*glide) - room*glide*late_fade*dbeta_dtau_y)
        )
        t5 = norm*norm*norm
        t15 = 1/t5
        dlate_w_dtau_h = (
            h0*numerator_a*dturn_dtau_h*t14*t14 + h0*dnumerator_a_dtau_h*t3*t14*t14
            - h0*sideways*numerator_a*dpull_dtau_h*t14*t14
            - h0*alpha*slope*sideways*numerator_a*dlag_dtau_h*t14*t14
            - h0*slope*sideways*numerator_a*lag*dalpha_dtau_h*t14*t14 - 2*h0*numerator_a*dnorm_dtau_h*t3*t15
        )
        dlate_w_dtau_y = (
            h0*numerator_a*dturn_dtau_y*t14*t14 + h0*dnumerator_a_dtau_y*t3*t14*t14
            - h0*sideways*numerator_a*dpull_dtau_y*t14*t14
            - h0*alpha*slope*sideways*numerator_a*dlag_dtau_y*t14*t14 - 2*h0*numerator_a*dnorm_dtau_y*t3*t15
        )
        dh_dtau_h = 2*h0*numerator_a*dnumerator_a_dtau_h*t14 - h0*dnorm_dtau_h*numerator_a*numerator_a*t14*t14
        dh_dtau_y = 2*h0*numerator_a*dnumerator_a_dtau_y*t14 - h0*dnorm_dtau_y*numerator_a*numerator_a*t14*t14
        dy_dtau_h = (
            branch(arb(1)/2 > abs(gap), arb(1)/2 <= abs(gap), lambda: s*dgap_dtau_h*(2 + 2*gap)
            + h0*sideways*dshut_dtau_h*numerator_a*numerator_a*t14*t14
            + 2*h0*shut*sideways*numerator_a*dnumerator_a_dtau_h*t14*t14
            - 2*h0*shut*sideways*dnorm_dtau_h*numerator_a*numerator_a*t14*t14*t14, lambda: branch(-h0*beta/2 >
            K, -h0*beta/2 <= K, lambda:
            dnumerator_a_dtau_h*(2*beta*h0*h0*numerator_a*numerator_a*numerator_a*t10*t14*t14
            + 2*h0*numerator_a*(h0*beta*numerator_a*numerator_a*t14 - K)*t10*t14)
            + dnorm_dtau_h*(-beta*h0*h0*numerator_a*numerator_a*numerator_a*numerator_a*t10*t14*t14*t14
            - h0*numerator_a*numerator_a*(h0*beta*numerator_a*numerator_a*t14 - K)*t10*t14*t14)
            - h0*dK_dtau_h*numerator_a*numerator_a*t10*t14
            - h0*dalpha_dtau_h*numerator_a*numerator_a*(h0*beta*numerator_a*numerator_a*t14 - K)*t14*t10*t10,
            lambda: h0*sideways*dshut_dtau_h*numerator_a*numerator_a*t14*t14
            + 2*numerator_b*dnumerator_b_dtau_h*h0*h0*numerator_a*numerator_a*t9*t14*t14
            + 2*h0*numerator_a*dnumerator_a_dtau_h*(shut*sideways + h0*numerator_b*numerator_b*t9)*t14*t14
            - 2*h0*dnorm_dtau_h*numerator_a*numerator_a*(shut*sideways
            + h0*numerator_b*numerator_b*t9)*t14*t14*t14))
        )
        dy_dtau_y = (
            branch(arb(1)/2 > abs(gap), arb(1)/2 <= abs(gap), lambda: s*dgap_dtau_y*(2 + 2*gap)
            + h0*sideways*dshut_dtau_y*numerator_a*numerator_a*t14*t14
            + 2*h0*shut*sideways*numerator_a*dnumerator_a_dtau_y*t14*t14
            - 2*h0*shut*sideways*dnorm_dtau_y*numerator_a*numerator_a*t14*t14*t14, lambda: branch(-h0*beta/2 >
            K, -h0*beta/2 <= K, lambda:
            dbeta_dtau_y*h0*h0*numerator_a*numerator_a*numerator_a*numerator_a*t10*t14*t14
            + dnumerator_a_dtau_y*(2*beta*h0*h0*numerator_a*numerator_a*numerator_a*t10*t14*t14
            + 2*h0*numerator_a*(h0*beta*numerator_a*numerator_a*t14 - K)*t10*t14)
            + dnorm_dtau_y*(-beta*h0*h0*numerator_a*numerator_a*numerator_a*numerator_a*t10*t14*t14*t14
            - h0*numerator_a*numerator_a*(h0*beta*numerator_a*numerator_a*t14 - K)*t10*t14*t14)
            - h0*dK_dtau_y*numerator_a*numerator_a*t10*t14, lambda:
            h0*sideways*dshut_dtau_y*numerator_a*numerator_a*t14*t14
            + 2*numerator_b*dnumerator_b_dtau_y*h0*h0*numerator_a*numerator_a*t9*t14*t14
            + 2*h0*numerator_a*dnumerator_a_dtau_y*(shut*sideways + h0*numerator_b*numerator_b*t9)*t14*t14
            - 2*h0*dnorm_dtau_y*numerator_a*numerator_a*(shut*sideways
            + h0*numerator_b*numerator_b*t9)*t14*t14*t14))
        )
        dw_dtau_h = slow*dlate_w_dtau_h + late_w*dslow_dtau_h
        dw_dtau_y = slow*dlate_w_dtau_y + late_w*dslow_dtau_y
        return dh_dtau_h, dh_dtau_y, dy_dtau_h, dy_dtau_y, dw_dtau_h, dw_dtau_y


def equal_targets(h0, y0, X, tau_h, tau_y, t, digits=50):
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
    with ctx.workdps(digits):
        h0, y0, X, tau_h, tau_y, t = map(exact, (h0, y0, X, tau_h, tau_y, t))
        stay = h0*t/(2*tau_y)
        drive = y0*X*t/(2*h0*tau_h)
        lesser = branch(stay >= drive, stay < drive, lambda: drive, lambda: stay)
        half = branch(stay >= drive, stay < drive, lambda: stay/2 - drive/2, lambda: drive/2 - stay/2)
        half_fade = exp(-half)
        half_glide = relexp(-half)
        glide = half_glide*(half_fade + 1)/2
        norm = 1 + lesser*glide
        share = half_fade/norm
        faded = h0*half_fade
        carried = y0*share
        h = branch(stay >= drive, stay < drive, lambda: h0/norm, lambda: share*faded)
        y = share*carried
        return h, y


def equal_targets_sensitivities(h0, y0, X, tau_h, tau_y, t, digits=50):
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
    with ctx.workdps(digits):
        h0, y0, X, tau_h, tau_y, t = map(exact, (h0, y0, X, tau_h, tau_y, t))
        t0 = 1/tau_y
        stay = h0*t*t0/2
        t1 = 1/tau_h
        drive = y0*X*t*t1/(2*h0)
        lesser = branch(stay >= drive, stay < drive, lambda: drive, lambda: stay)
        half = branch(stay >= drive, stay < drive, lambda: stay/2 - drive/2, lambda: drive/2 - stay/2)
        half_fade = exp(-half)
        half_glide = relexp(-half)
        glide = half_glide*(half_fade + 1)/2
        norm = 1 + lesser*glide
        t2 = 1/norm
        share = half_fade*t2
        faded = h0*half_fade
        carried = y0*share
        half_turn = relexp1(-half)
        later = half_turn/4 + half_fade*(half_glide + half_turn)/4
        spread = half_glide/2 - half_turn/2 - half_fade*half_turn/2
        rest = branch(stay >= drive, stay < drive, lambda: later, lambda: glide - later)
        upward = (1 + lesser*spread)*t2
        turning = (half_glide*(half_fade + 1) - 1 - lesser*spread)*t2
        h_by_h = drive*(glide + drive*rest)*t1*t2
        h_by_y = -stay*drive*rest*t0*t2
        y_by_h = (
            branch(stay >= drive, stay < drive, lambda: drive*share*turning*t1, lambda: drive*share*upward*t1)
        )
        y_by_y = (
            branch(stay >= drive, stay < drive, lambda: stay*share*upward*t0, lambda: stay*share*turning*t0)
        )
        dh_dtau_h = branch(stay >= drive, stay < drive, lambda: h0*h_by_h*t2, lambda: share*faded*h_by_h)
        dh_dtau_y = branch(stay >= drive, stay < drive, lambda: h0*h_by_y*t2, lambda: share*faded*h_by_y)
        dy_dtau_h = carried*y_by_h
        dy_dtau_y = carried*y_by_y
        return dh_dtau_h, dh_dtau_y, dy_dtau_h, dy_dtau_y


def final_distance(h0, y0, X, s, tau_h, tau_y, digits=50):
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
    with ctx.workdps(digits):
        h0, y0, X, s, tau_h, tau_y = map(exact, (h0, y0, X, s, tau_h, tau_y))
        t0 = 1/tau_h
        high = h0 - y0*X*tau_y*t0/h0
        low2 = X*s*tau_y*t0
        root = sqrt(4*low2 + high*high)
        final = branch(high >= 0, high < 0, lambda: high/2 + root/2, lambda: 2*low2/(root - high))
        t1 = 1/tau_y
        slow = branch(high >= 0, high < 0, lambda: -root*t1/4, lambda: -low2*t1/(root - high))
        fast = branch(high >= 0, high < 0, lambda: (-high - root)*t1/4, lambda: -root*t1/4)
        return final, slow, fast


def training_loss(y, w, s, mean_error, tau_b, t, digits=50):
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
    with ctx.workdps(digits):
        y, w, s, mean_error, tau_b, t = map(exact, (y, w, s, mean_error, tau_b, t))
        loss = w/4 + s/8 + mean_error*exp(-2*t/tau_b)/2 - y/8
        return (loss,)


def training_loss_sensitivity(y, w, s, mean_error, tau_b, t, digits=50):
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
    with ctx.workdps(digits):
        y, w, s, mean_error, tau_b, t = map(exact, (y, w, s, mean_error, tau_b, t))
        t0 = 1/tau_b
        root_fade = exp(-t*t0)
        early_half = mean_error*root_fade*t0
        late_half = t*root_fade*t0
        dloss_dtau_b = early_half*late_half
        return (dloss_dtau_b,)
