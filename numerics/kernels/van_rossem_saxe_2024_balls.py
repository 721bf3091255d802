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
    with ctx.workdps(digits):
        h0, y0, w0, X, s, tau_h, tau_y, t = map(exact, (h0, y0, w0, X, s, tau_h, tau_y, t))
        alpha = X/(4*tau_h)
        beta = 1/(4*tau_y)
        t2 = 1/h0
        K = h0*beta - y0*alpha*t2
        rho = sqrt(K*K/4 + s*alpha*beta)
        opening = branch(K >= 0, K < 0, lambda: rho + K/2, lambda: s*alpha*beta/(rho - K/2))
        closing = branch(K >= 0, K < 0, lambda: s*alpha*beta/(rho + K/2), lambda: rho - K/2)
        missed = w0 - y0
        room = s + missed
        slope = -missed*t2
        t3 = 1/s
        excess = -room*t3
        t0 = -2*t*rho
        fade = exp(t0)
        t1 = -2*t*opening
        shut = exp(t1)
        glide = t*relexp(t0)
        settle = branch(K >= 0, K < 0, lambda: t*fade*relexp(-t*K), lambda: t*shut*relexp(t*K))
        apart = y0*s - missed*missed
        sideways = apart*t2*t3
        across = alpha*sideways*t2
        steer = w0*alpha*t2*t2
        tilt = -alpha*t2
        crossing = (
            branch(h0*beta/2 > abs(K), h0*beta/2 <= abs(K), lambda: (K*room - apart*tilt)*t2, lambda:
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
        drawn = alpha*settle*missed*missed*t2*t3
        norm = (
            branch(K >= 0, K < 0, lambda: fade + h0*(along + settle*across), lambda: branch(shut > 2*drawn,
            shut <= 2*drawn, lambda: shut + h0*(along + beta*settle) - drawn, lambda: fade
            + h0*(along + settle*across)))
        )
        t4 = 1/norm
        gap = (excess*fade - h0*settle*across)*t4
        slow_rate = branch(2*opening > closing, 2*opening <= closing, lambda: rho, lambda: opening)
        fade_rate = branch(2*opening > closing, 2*opening <= closing, lambda: rho, lambda: closing)
        shut_rate = branch(2*opening > closing, 2*opening <= closing, lambda: K + rho, lambda: opening)
        slow = exp(-t*slow_rate)
        late_fade = exp(-t*fade_rate)
        late_shut = exp(-t*shut_rate)
        late_settle = branch(K >= 0, K < 0, lambda: t*late_fade*relexp(-t*K), lambda: t*late_shut*relexp(t*K))
        open_glide = t*relexp(t1)
        close_glide = t*relexp(-2*t*closing)
        lag = (
            branch(1 > t*abs(K), 1 <= t*abs(K), lambda: late_settle*(fade + 1)/2
            - glide*(late_fade + late_shut)/2, lambda:
            s*alpha*beta*(late_fade*open_glide - late_shut*close_glide)/(K*rho))
        )
        pull = (
            branch(t*K > -1, t*K <= -1, lambda: K*lag + s*alpha*beta*glide*late_settle, lambda:
            -s*alpha*beta*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)/(K*rho))
        )
        turn = (
            branch(2*closing > opening, 2*closing <= opening, lambda:
            late_fade*(w0*(fade - K*glide)*t2 + beta*glide*lead*(y0 - s)/(closing + h0*beta)), lambda:
            late_fade*(w0*(fade + closing*glide)*t2 - beta*room*glide))
        )
        late_w = h0*numerator_a*(turn - sideways*(pull + alpha*slope*lag))*t4*t4
        h = h0*numerator_a*numerator_a*t4
        y = (
            branch(arb(1)/2 > abs(gap), arb(1)/2 <= abs(gap), lambda: s*power(gap + 1, 2)
            + h0*shut*sideways*numerator_a*numerator_a*t4*t4, lambda: branch(-h0*beta/2 > K, -h0*beta/2 <= K,
            lambda: h0*numerator_a*numerator_a*(h0*beta*numerator_a*numerator_a*t4 - K)*t4/alpha, lambda:
            h0*numerator_a*numerator_a*(shut*sideways + h0*numerator_b*numerator_b*t3)*t4*t4))
        )
        w = slow*late_w
        return h, y, w


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
    with ctx.workdps(digits):
        h0, y0, w0, X, s, tau_h, tau_y, t = map(exact, (h0, y0, w0, X, s, tau_h, tau_y, t))
        t24 = 1/tau_h
        alpha = X*t24/4
        t25 = 1/tau_y
        beta = t25/4
        t26 = 1/h0
        K = h0*beta - y0*alpha*t26
        rho = sqrt(K*K/4 + s*alpha*beta)
        opening = branch(K >= 0, K < 0, lambda: rho + K/2, lambda: s*alpha*beta/(rho - K/2))
        closing = branch(K >= 0, K < 0, lambda: s*alpha*beta/(rho + K/2), lambda: rho - K/2)
        missed = w0 - y0
        room = s + missed
        slope = -missed*t26
        t27 = 1/s
        excess = -room*t27
        t0 = -2*t*rho
        fade = exp(t0)
        t1 = -2*t*opening
        shut = exp(t1)
        glide = t*relexp(t0)
        settle = branch(K >= 0, K < 0, lambda: t*fade*relexp(-t*K), lambda: t*shut*relexp(t*K))
        span = (
            branch(K >= 0, K < 0, lambda: alpha*settle, lambda: branch(-1 > t*K, -1 <= t*K, lambda:
            -alpha*(shut - fade)/K, lambda: alpha*settle))
        )
        apart = y0*s - missed*missed
        sideways = apart*t26*t27
        steer = w0*alpha*t26*t26
        tilt = -alpha*t26
        crossing = (
            branch(h0*beta/2 > abs(K), h0*beta/2 <= abs(K), lambda: (K*room - apart*tilt)*t26, lambda:
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
        filled = 2*rho*glide
        t28 = 1/rho
        lead_share = lead*t28/2
        trail_share = trail*t28/2
        by_open = h0*beta/opening
        by_close = h0*beta/closing
        shift = filled*trail_share
        numerator_a = (
            branch(t*opening >= 1, t*opening < 1, lambda: fade + filled*lead_share, lambda: branch(arb(1)/2 >
            shift, arb(1)/2 <= shift, lambda: 1 - shift, lambda: fade + filled*lead_share))
        )
        t29 = 1/alpha
        numerator_b = (
            branch(alpha*abs(slope) > 2*opening*glide*abs(trail), alpha*abs(slope) <=
            2*opening*glide*abs(trail), lambda: slope + opening*glide*trail*t29, lambda: slope*fade
            + closing*glide*lead*t29)
        )
        t2 = by_open*lead_share*lead_share + fade*by_close*trail_share*trail_share
        along = filled*t2*t26
        drawn = span*missed*missed*t26*t27
        norm = (
            branch(K >= 0, K < 0, lambda: fade + h0*along + span*sideways, lambda: branch(shut > 2*drawn, shut
            <= 2*drawn, lambda: shut + h0*(along + beta*settle) - drawn, lambda: fade + h0*along
            + span*sideways))
        )
        t3 = excess*fade - span*sideways
        t30 = 1/norm
        gap = t3*t30
        slow_rate = branch(2*opening > closing, 2*opening <= closing, lambda: rho, lambda: opening)
        fade_rate = branch(2*opening > closing, 2*opening <= closing, lambda: rho, lambda: closing)
        shut_rate = branch(2*opening > closing, 2*opening <= closing, lambda: K + rho, lambda: opening)
        slow = exp(-t*slow_rate)
        late_fade = exp(-t*fade_rate)
        late_shut = exp(-t*shut_rate)
        late_settle = branch(K >= 0, K < 0, lambda: t*late_fade*relexp(-t*K), lambda: t*late_shut*relexp(t*K))
        open_glide = t*relexp(t1)
        t4 = -2*t*closing
        close_glide = t*relexp(t4)
        lag = (
            branch(1 > t*abs(K), 1 <= t*abs(K), lambda: late_settle*(fade + 1)/2
            - glide*(late_fade + late_shut)/2, lambda:
            s*alpha*beta*(late_fade*open_glide - late_shut*close_glide)*t28/K)
        )
        pull = (
            branch(t*K > -1, t*K <= -1, lambda: K*lag + s*alpha*beta*glide*late_settle, lambda:
            -s*alpha*beta*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)*t28/K)
        )
        turn = (
            branch(2*closing > opening, 2*closing <= opening, lambda:
            late_fade*(w0*(fade - K*glide)*t26 + beta*glide*lead*(y0 - s)/(closing + h0*beta)), lambda:
            late_fade*(w0*(fade + closing*glide)*t26 - beta*room*glide))
        )
        t5 = turn - sideways*(pull + alpha*slope*lag)
        late_w = h0*numerator_a*t5*t30*t30
        swell = closing + h0*beta
        surplus = alpha*beta*(s - y0)/swell
        encoder_pace = (opening*surplus + closing*swell)*t28*t28/4
        decoder_pace = (opening*swell + closing*surplus)*t28*t28/4
        turned = alpha*slope*t28/2
        tilted = alpha*sideways*t28/2
        t6 = beta + alpha*slope*slope*t27
        t7 = slope*(fade + 1)*t27 + glide*t6
        t8 = room*glide*t7 - sideways*(settle + glide*numerator_a)
        growth = t8*t30
        t9 = turned*turned + opening*closing*t28*t28/4
        t10 = turned*(fade + 1) + filled*t9
        t11 = room*filled*t10*t27 - span*sideways - filled*numerator_a*tilted
        late_growth = t11*t30
        grown = branch(-1 > t*K, -1 <= t*K, lambda: late_growth, lambda: alpha*growth)
        lifted = branch(-1 > t*K, -1 <= t*K, lambda: beta*late_growth*h0*h0*t29, lambda: beta*growth*h0*h0)
        weight = branch(t*opening >= 1, t*opening < 1, lambda: lead_share, lambda: arb(1))
        now = (
            branch(arb(1)/4 > weight, arb(1)/4 <= weight, lambda: h0*numerator_a*numerator_a*t30, lambda:
            branch(grown > -arb(1)/2, grown <= -arb(1)/2, lambda: h0*(grown + 1), lambda:
            h0*numerator_a*numerator_a*t30))
        )
        dalpha_dtau_h = -alpha*t24
        dbeta_dtau_y = -beta*t25
        dK_dtau_h = y0*alpha*t26*t24
        dK_dtau_y = -h0*beta*t25
        drho_dtau_h = -rho*encoder_pace*t24
        drho_dtau_y = -rho*decoder_pace*t25
        dopening_dtau_h = -opening*surplus*t24*t28/2
        dopening_dtau_y = -opening*swell*t25*t28/2
        dclosing_dtau_h = -closing*swell*t24*t28/2
        dclosing_dtau_y = -closing*surplus*t25*t28/2
        dfade_dtau_h = -2*t*drho_dtau_h*fade
        dfade_dtau_y = -2*t*drho_dtau_y*fade
        dshut_dtau_h = -2*t*dopening_dtau_h*shut
        dshut_dtau_y = -2*t*dopening_dtau_y*shut
        t12 = relexp1(t0)
        dglide_dtau_h = -2*drho_dtau_h*t*t*t12
        dglide_dtau_y = -2*drho_dtau_y*t*t*t12
        dsettle_dtau_h = (
            branch(K >= 0, K < 0, lambda: t*dfade_dtau_h*relexp(-t*K) - fade*dK_dtau_h*t*t*relexp1(-t*K),
            lambda: t*dshut_dtau_h*relexp(t*K) + shut*dK_dtau_h*t*t*relexp1(t*K))
        )
        dsettle_dtau_y = (
            branch(K >= 0, K < 0, lambda: t*dfade_dtau_y*relexp(-t*K) - fade*dK_dtau_y*t*t*relexp1(-t*K),
            lambda: t*dshut_dtau_y*relexp(t*K) + shut*dK_dtau_y*t*t*relexp1(t*K))
        )
        dspan_dtau_h = (
            branch(K >= 0, K < 0, lambda: (alpha*(2*rho*fade*encoder_pace*t*t*relexp(-t*K)
            - y0*alpha*fade*t*t*relexp1(-t*K)*t26) - alpha*settle)*t24, lambda: branch(-1 > t*K, -1 <= t*K,
            lambda: -alpha*(t*opening*shut*surplus*t28 - 2*t*rho*fade*encoder_pace - h0*beta*(shut
            - fade)/K)*t24/K, lambda: (alpha*(y0*alpha*shut*t*t*relexp1(t*K)*t26
            + opening*shut*surplus*t*t*relexp(t*K)*t28) - alpha*settle)*t24))
        )
        dspan_dtau_y = (
            branch(K >= 0, K < 0, lambda:
            alpha*(h0*beta*fade*t*t*relexp1(-t*K) + 2*rho*fade*decoder_pace*t*t*relexp(-t*K))*t25, lambda:
            branch(-1 > t*K, -1 <= t*K, lambda:
            -alpha*(t*opening*shut*swell*t28 - 2*t*rho*fade*decoder_pace - h0*beta*(fade - shut)/K)*t25/K,
            lambda: alpha*(opening*shut*swell*t*t*relexp(t*K)*t28 - h0*beta*shut*t*t*relexp1(t*K))*t25))
        )
        dlead_dtau_h = (-alpha*slope - opening*surplus*t28/2)*t24
        dlead_dtau_y = dopening_dtau_y
        dtrail_dtau_h = (alpha*slope - closing*swell*t28/2)*t24
        dtrail_dtau_y = dclosing_dtau_y
        dfilled_dtau_h = -2*t*rho*fade*encoder_pace*t24
        dfilled_dtau_y = -2*t*rho*fade*decoder_pace*t25
        t13 = opening*trail_share*swell - closing*lead_share*surplus
        dlead_share_dtau_h = t13*t24*t28*t28/4
        t14 = closing*lead_share*surplus - opening*trail_share*swell
        dlead_share_dtau_y = t14*t25*t28*t28/4
        dtrail_share_dtau_h = -t13*t24*t28*t28/4
        dtrail_share_dtau_y = -t14*t25*t28*t28/4
        dby_open_dtau_h = by_open*surplus*t24*t28/2
        dby_open_dtau_y = -by_open*surplus*t25*t28/2
        dby_close_dtau_h = by_close*swell*t24*t28/2
        dby_close_dtau_y = -by_close*swell*t25*t28/2
        dshift_dtau_h = filled*dtrail_share_dtau_h + trail_share*dfilled_dtau_h
        dshift_dtau_y = filled*dtrail_share_dtau_y + trail_share*dfilled_dtau_y
        dnumerator_a_dtau_h = (
            branch(t*opening >= 1, t*opening < 1, lambda: dfade_dtau_h + filled*dlead_share_dtau_h
            + lead_share*dfilled_dtau_h, lambda: branch(arb(1)/2 > shift, arb(1)/2 <= shift, lambda:
            -dshift_dtau_h, lambda: dfade_dtau_h + filled*dlead_share_dtau_h + lead_share*dfilled_dtau_h))
        )
        dnumerator_a_dtau_y = (
            branch(t*opening >= 1, t*opening < 1, lambda: dfade_dtau_y + filled*dlead_share_dtau_y
            + lead_share*dfilled_dtau_y, lambda: branch(arb(1)/2 > shift, arb(1)/2 <= shift, lambda:
            -dshift_dtau_y, lambda: dfade_dtau_y + filled*dlead_share_dtau_y + lead_share*dfilled_dtau_y))
        )
        dnumerator_b_dtau_h = (
            branch(alpha*abs(slope) > 2*opening*glide*abs(trail), alpha*abs(slope) <=
            2*opening*glide*abs(trail), lambda: opening*glide*dtrail_dtau_h*t29
            + opening*trail*dglide_dtau_h*t29 + glide*trail*dopening_dtau_h*t29
            - opening*glide*trail*dalpha_dtau_h*t29*t29, lambda: slope*dfade_dtau_h
            + closing*glide*dlead_dtau_h*t29 + closing*lead*dglide_dtau_h*t29 + glide*lead*dclosing_dtau_h*t29
            - closing*glide*lead*dalpha_dtau_h*t29*t29)
        )
        dnumerator_b_dtau_y = (
            branch(alpha*abs(slope) > 2*opening*glide*abs(trail), alpha*abs(slope) <=
            2*opening*glide*abs(trail), lambda: opening*glide*dtrail_dtau_y*t29
            + opening*trail*dglide_dtau_y*t29 + glide*trail*dopening_dtau_y*t29, lambda: slope*dfade_dtau_y
            + closing*glide*dlead_dtau_y*t29 + closing*lead*dglide_dtau_y*t29
            + glide*lead*dclosing_dtau_y*t29)
        )
        dalong_dtau_h = (
            filled*dby_open_dtau_h*lead_share*lead_share*t26
            + 2*filled*lead_share*by_open*dlead_share_dtau_h*t26
            + fade*filled*dby_close_dtau_h*trail_share*trail_share*t26
            + filled*by_close*dfade_dtau_h*trail_share*trail_share*t26
            + 2*fade*filled*trail_share*by_close*dtrail_share_dtau_h*t26 + dfilled_dtau_h*t2*t26
        )
        dalong_dtau_y = (
            filled*dby_open_dtau_y*lead_share*lead_share*t26
            + 2*filled*lead_share*by_open*dlead_share_dtau_y*t26
            + fade*filled*dby_close_dtau_y*trail_share*trail_share*t26
            + filled*by_close*dfade_dtau_y*trail_share*trail_share*t26
            + 2*fade*filled*trail_share*by_close*dtrail_share_dtau_y*t26 + dfilled_dtau_y*t2*t26
        )
        ddrawn_dtau_h = dspan_dtau_h*missed*missed*t26*t27
        ddrawn_dtau_y = dspan_dtau_y*missed*missed*t26*t27
        dnorm_dtau_h = (
            branch(K >= 0, K < 0, lambda: dfade_dtau_h + h0*dalong_dtau_h + sideways*dspan_dtau_h, lambda:
            branch(shut > 2*drawn, shut <= 2*drawn, lambda: dshut_dtau_h + h0*dalong_dtau_h
            + h0*beta*dsettle_dtau_h - ddrawn_dtau_h, lambda: dfade_dtau_h + h0*dalong_dtau_h
            + sideways*dspan_dtau_h))
        )
        dnorm_dtau_y = (
            branch(K >= 0, K < 0, lambda: dfade_dtau_y + h0*dalong_dtau_y + sideways*dspan_dtau_y, lambda:
            branch(shut > 2*drawn, shut <= 2*drawn, lambda: dshut_dtau_y + h0*dalong_dtau_y
            + h0*beta*dsettle_dtau_y + h0*settle*dbeta_dtau_y - ddrawn_dtau_y, lambda: dfade_dtau_y
            + h0*dalong_dtau_y + sideways*dspan_dtau_y))
        )
        t15 = -sideways*dspan_dtau_h*t30
        dgap_dtau_h = excess*dfade_dtau_h*t30 + t15 - dnorm_dtau_h*t3*t30*t30
        t16 = -sideways*dspan_dtau_y*t30
        dgap_dtau_y = excess*dfade_dtau_y*t30 + t16 - dnorm_dtau_y*t3*t30*t30
        dslow_rate_dtau_h = (
            branch(2*opening > closing, 2*opening <= closing, lambda: drho_dtau_h, lambda: dopening_dtau_h)
        )
        dslow_rate_dtau_y = (
            branch(2*opening > closing, 2*opening <= closing, lambda: drho_dtau_y, lambda: dopening_dtau_y)
        )
        dfade_rate_dtau_h = (
            branch(2*opening > closing, 2*opening <= closing, lambda: drho_dtau_h, lambda: dclosing_dtau_h)
        )
        dfade_rate_dtau_y = (
            branch(2*opening > closing, 2*opening <= closing, lambda: drho_dtau_y, lambda: dclosing_dtau_y)
        )
        dshut_rate_dtau_h = (
            branch(2*opening > closing, 2*opening <= closing, lambda: dK_dtau_h + drho_dtau_h, lambda:
            dopening_dtau_h)
        )
        dshut_rate_dtau_y = (
            branch(2*opening > closing, 2*opening <= closing, lambda: dK_dtau_y + drho_dtau_y, lambda:
            dopening_dtau_y)
        )
        dslow_dtau_h = -t*dslow_rate_dtau_h*slow
        dslow_dtau_y = -t*dslow_rate_dtau_y*slow
        dlate_fade_dtau_h = -t*dfade_rate_dtau_h*late_fade
        dlate_fade_dtau_y = -t*dfade_rate_dtau_y*late_fade
        dlate_shut_dtau_h = -t*dshut_rate_dtau_h*late_shut
        dlate_shut_dtau_y = -t*dshut_rate_dtau_y*late_shut
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
        t17 = relexp1(t1)
        dopen_glide_dtau_h = -2*dopening_dtau_h*t*t*t17
        dopen_glide_dtau_y = -2*dopening_dtau_y*t*t*t17
        t18 = relexp1(t4)
        dclose_glide_dtau_h = -2*dclosing_dtau_h*t*t*t18
        dclose_glide_dtau_y = -2*dclosing_dtau_y*t*t*t18
        dlag_dtau_h = (
            branch(1 > t*abs(K), 1 <= t*abs(K), lambda: late_settle*dfade_dtau_h/2
            + dlate_settle_dtau_h*(arb(1)/2 + fade/2) + dglide_dtau_h*(-late_fade/2 - late_shut/2)
            - glide*dlate_fade_dtau_h/2 - glide*dlate_shut_dtau_h/2, lambda:
            s*alpha*beta*late_fade*dopen_glide_dtau_h*t28/K + s*alpha*beta*open_glide*dlate_fade_dtau_h*t28/K
            + s*beta*dalpha_dtau_h*(late_fade*open_glide - late_shut*close_glide)*t28/K
            - s*alpha*beta*late_shut*dclose_glide_dtau_h*t28/K
            - s*alpha*beta*close_glide*dlate_shut_dtau_h*t28/K
            - s*alpha*beta*dK_dtau_h*(late_fade*open_glide - late_shut*close_glide)*t28/(K*K)
            - s*alpha*beta*drho_dtau_h*(late_fade*open_glide - late_shut*close_glide)*t28*t28/K)
        )
        dlag_dtau_y = (
            branch(1 > t*abs(K), 1 <= t*abs(K), lambda: late_settle*dfade_dtau_y/2
            + dlate_settle_dtau_y*(arb(1)/2 + fade/2) + dglide_dtau_y*(-late_fade/2 - late_shut/2)
            - glide*dlate_fade_dtau_y/2 - glide*dlate_shut_dtau_y/2, lambda:
            s*alpha*beta*late_fade*dopen_glide_dtau_y*t28/K + s*alpha*beta*open_glide*dlate_fade_dtau_y*t28/K
            + s*alpha*dbeta_dtau_y*(late_fade*open_glide - late_shut*close_glide)*t28/K
            - s*alpha*beta*late_shut*dclose_glide_dtau_y*t28/K
            - s*alpha*beta*close_glide*dlate_shut_dtau_y*t28/K
            - s*alpha*beta*dK_dtau_y*(late_fade*open_glide - late_shut*close_glide)*t28/(K*K)
            - s*alpha*beta*drho_dtau_y*(late_fade*open_glide - late_shut*close_glide)*t28*t28/K)
        )
        dpull_dtau_h = (
            branch(t*K > -1, t*K <= -1, lambda: K*dlag_dtau_h + lag*dK_dtau_h
            + s*alpha*beta*glide*dlate_settle_dtau_h + s*alpha*beta*late_settle*dglide_dtau_h
            + s*beta*glide*late_settle*dalpha_dtau_h, lambda: 2*s*alpha*beta*late_fade*dglide_dtau_h/K
            + s*alpha*beta*dK_dtau_h*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)*t28/(K*K) + drho_dtau_h*(2*s*alpha*beta*glide*late_fade*t28/K
            + s*alpha*beta*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)*t28*t28/K) - s*alpha*beta*opening*late_shut*dclose_glide_dtau_h*t28/K
            - s*alpha*beta*opening*close_glide*dlate_shut_dtau_h*t28/K
            - s*alpha*beta*closing*late_fade*dopen_glide_dtau_h*t28/K
            - s*alpha*beta*late_fade*open_glide*dclosing_dtau_h*t28/K
            - s*alpha*beta*late_shut*close_glide*dopening_dtau_h*t28/K
            - s*alpha*beta*dlate_fade_dtau_h*(closing*open_glide - 2*rho*glide)*t28/K
            - s*beta*dalpha_dtau_h*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)*t28/K)
        )
        dpull_dtau_y = (
            branch(t*K > -1, t*K <= -1, lambda: K*dlag_dtau_y + lag*dK_dtau_y
            + s*alpha*beta*glide*dlate_settle_dtau_y + s*alpha*beta*late_settle*dglide_dtau_y
            + s*alpha*glide*late_settle*dbeta_dtau_y, lambda: 2*s*alpha*beta*late_fade*dglide_dtau_y/K
            + s*alpha*beta*dK_dtau_y*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)*t28/(K*K) + drho_dtau_y*(2*s*alpha*beta*glide*late_fade*t28/K
            + s*alpha*beta*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)*t28*t28/K) - s*alpha*beta*opening*late_shut*dclose_glide_dtau_y*t28/K
            - s*alpha*beta*opening*close_glide*dlate_shut_dtau_y*t28/K
            - s*alpha*beta*closing*late_fade*dopen_glide_dtau_y*t28/K
            - s*alpha*beta*late_fade*open_glide*dclosing_dtau_y*t28/K
            - s*alpha*beta*late_shut*close_glide*dopening_dtau_y*t28/K
            - s*alpha*beta*dlate_fade_dtau_y*(closing*open_glide - 2*rho*glide)*t28/K
            - s*alpha*dbeta_dtau_y*(opening*late_shut*close_glide + closing*late_fade*open_glide
            - 2*rho*glide*late_fade)*t28/K)
        )
        dturn_dtau_h = (
            branch(2*closing > opening, 2*closing <= opening, lambda: w0*late_fade*dfade_dtau_h*t26
            + beta*glide*late_fade*dlead_dtau_h*(y0 - s)/(closing + h0*beta)
            + late_fade*dglide_dtau_h*(beta*lead*(y0 - s)/(closing + h0*beta) - w0*K*t26)
            + dlate_fade_dtau_h*(w0*(fade - K*glide)*t26 + beta*glide*lead*(y0 - s)/(closing + h0*beta))
            - w0*glide*late_fade*dK_dtau_h*t26
            - beta*glide*lead*late_fade*dclosing_dtau_h*(y0 - s)/power(closing + h0*beta, 2), lambda:
            w0*late_fade*dfade_dtau_h*t26 + w0*glide*late_fade*dclosing_dtau_h*t26
            + late_fade*dglide_dtau_h*(w0*closing*t26 - beta*room)
            + dlate_fade_dtau_h*(w0*(fade + closing*glide)*t26 - beta*room*glide))
        )
        dturn_dtau_y = (
            branch(2*closing > opening, 2*closing <= opening, lambda: w0*late_fade*dfade_dtau_y*t26
            + beta*glide*late_fade*dlead_dtau_y*(y0 - s)/(closing + h0*beta)
            + late_fade*dglide_dtau_y*(beta*lead*(y0 - s)/(closing + h0*beta) - w0*K*t26)
            + dlate_fade_dtau_y*(w0*(fade - K*glide)*t26 + beta*glide*lead*(y0 - s)/(closing + h0*beta))
            + late_fade*dbeta_dtau_y*(glide*lead*(y0 - s)/(closing + h0*beta) - h0*beta*glide*lead*(y0
            - s)/power(closing + h0*beta, 2)) - w0*glide*late_fade*dK_dtau_y*t26
            - beta*glide*lead*late_fade*dclosing_dtau_y*(y0 - s)/power(closing + h0*beta, 2), lambda:
            w0*late_fade*dfade_dtau_y*t26 + w0*glide*late_fade*dclosing_dtau_y*t26
            + late_fade*dglide_dtau_y*(w0*closing*t26 - beta*room) + dlate_fade_dtau_y*(w0*(fade
            + closing*glide)*t26 - beta*room*glide) - room*glide*late_fade*dbeta_dtau_y)
        )
        t19 = norm*norm*norm
        t31 = 1/t19
        dlate_w_dtau_h = (
            h0*numerator_a*dturn_dtau_h*t30*t30 + h0*dnumerator_a_dtau_h*t5*t30*t30
            - h0*sideways*numerator_a*dpull_dtau_h*t30*t30
            - h0*alpha*slope*sideways*numerator_a*dlag_dtau_h*t30*t30
            - h0*slope*sideways*numerator_a*lag*dalpha_dtau_h*t30*t30 - 2*h0*numerator_a*dnorm_dtau_h*t5*t31
        )
        dlate_w_dtau_y = (
            h0*numerator_a*dturn_dtau_y*t30*t30 + h0*dnumerator_a_dtau_y*t5*t30*t30
            - h0*sideways*numerator_a*dpull_dtau_y*t30*t30
            - h0*alpha*slope*sideways*numerator_a*dlag_dtau_y*t30*t30 - 2*h0*numerator_a*dnorm_dtau_y*t5*t31
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
        t21 = fade + 1 + 2*filled*turned
        t22 = room*filled*t9*t27 + room*t10*t27 - numerator_a*tilted
        t23 = rho*rho*rho
        t32 = 1/t23
        dlate_growth_dtau_h = (
            room*filled*turned*dfade_dtau_h*t27*t30
            + opening*room*dclosing_dtau_h*filled*filled*t27*t30*t28*t28/4
            + closing*room*dopening_dtau_h*filled*filled*t27*t30*t28*t28/4
            + room*filled*dturned_dtau_h*t21*t27*t30 + dfilled_dtau_h*t22*t30 + t15
            - filled*numerator_a*dtilted_dtau_h*t30 - filled*tilted*dnumerator_a_dtau_h*t30
            - opening*closing*room*drho_dtau_h*filled*filled*t27*t30*t32/2 - dnorm_dtau_h*t11*t30*t30
        )
        dlate_growth_dtau_y = (
            room*filled*turned*dfade_dtau_y*t27*t30
            + opening*room*dclosing_dtau_y*filled*filled*t27*t30*t28*t28/4
            + closing*room*dopening_dtau_y*filled*filled*t27*t30*t28*t28/4
            + room*filled*dturned_dtau_y*t21*t27*t30 + dfilled_dtau_y*t22*t30 + t16
            - filled*numerator_a*dtilted_dtau_y*t30 - filled*tilted*dnumerator_a_dtau_y*t30
            - opening*closing*room*drho_dtau_y*filled*filled*t27*t30*t32/2 - dnorm_dtau_y*t11*t30*t30
        )
        dgrown_dtau_h = (
            branch(-1 > t*K, -1 <= t*K, lambda: dlate_growth_dtau_h, lambda: alpha*dgrowth_dtau_h
            + growth*dalpha_dtau_h)
        )
        dgrown_dtau_y = branch(-1 > t*K, -1 <= t*K, lambda: dlate_growth_dtau_y, lambda: alpha*dgrowth_dtau_y)
        dlifted_dtau_h = (
            branch(-1 > t*K, -1 <= t*K, lambda: beta*dlate_growth_dtau_h*h0*h0*t29
            - beta*late_growth*dalpha_dtau_h*h0*h0*t29*t29, lambda: beta*dgrowth_dtau_h*h0*h0)
        )
        dlifted_dtau_y = (
            branch(-1 > t*K, -1 <= t*K, lambda: beta*dlate_growth_dtau_y*h0*h0*t29
            + late_growth*dbeta_dtau_y*h0*h0*t29, lambda: beta*dgrowth_dtau_y*h0*h0
            + growth*dbeta_dtau_y*h0*h0)
        )
        dnow_dtau_h = (
            branch(arb(1)/4 > weight, arb(1)/4 <= weight, lambda: 2*h0*numerator_a*dnumerator_a_dtau_h*t30
            - h0*dnorm_dtau_h*numerator_a*numerator_a*t30*t30, lambda: branch(grown > -arb(1)/2, grown <=
            -arb(1)/2, lambda: h0*dgrown_dtau_h, lambda: 2*h0*numerator_a*dnumerator_a_dtau_h*t30
            - h0*dnorm_dtau_h*numerator_a*numerator_a*t30*t30))
        )
        dnow_dtau_y = (
            branch(arb(1)/4 > weight, arb(1)/4 <= weight, lambda: 2*h0*numerator_a*dnumerator_a_dtau_y*t30
            - h0*dnorm_dtau_y*numerator_a*numerator_a*t30*t30, lambda: branch(grown > -arb(1)/2, grown <=
            -arb(1)/2, lambda: h0*dgrown_dtau_y, lambda: 2*h0*numerator_a*dnumerator_a_dtau_y*t30
            - h0*dnorm_dtau_y*numerator_a*numerator_a*t30*t30))
        )
        dh_dtau_h = dnow_dtau_h
        dh_dtau_y = dnow_dtau_y
        dy_dtau_h = (
            branch(arb(1)/2 > abs(gap), arb(1)/2 <= abs(gap), lambda: s*dgap_dtau_h*(2 + 2*gap)
            + h0*sideways*dshut_dtau_h*numerator_a*numerator_a*t30*t30
            + 2*h0*shut*sideways*numerator_a*dnumerator_a_dtau_h*t30*t30
            - 2*h0*shut*sideways*dnorm_dtau_h*numerator_a*numerator_a*t30*t30*t30, lambda: branch(lifted >
            -y0/2, lifted <= -y0/2, lambda: now*dlifted_dtau_h*t26 + dnow_dtau_h*(y0 + lifted)*t26, lambda:
            branch(-h0*beta/2 > K, -h0*beta/2 <= K, lambda:
            dnumerator_a_dtau_h*(2*beta*h0*h0*numerator_a*numerator_a*numerator_a*t29*t30*t30
            + 2*h0*numerator_a*(h0*beta*numerator_a*numerator_a*t30 - K)*t29*t30)
            + dnorm_dtau_h*(-beta*h0*h0*numerator_a*numerator_a*numerator_a*numerator_a*t29*t30*t30*t30
            - h0*numerator_a*numerator_a*(h0*beta*numerator_a*numerator_a*t30 - K)*t29*t30*t30)
            - h0*dK_dtau_h*numerator_a*numerator_a*t29*t30
            - h0*dalpha_dtau_h*numerator_a*numerator_a*(h0*beta*numerator_a*numerator_a*t30 - K)*t30*t29*t29,
            lambda: h0*sideways*dshut_dtau_h*numerator_a*numerator_a*t30*t30
            + 2*numerator_b*dnumerator_b_dtau_h*h0*h0*numerator_a*numerator_a*t27*t30*t30
            + 2*h0*numerator_a*dnumerator_a_dtau_h*(shut*sideways + h0*numerator_b*numerator_b*t27)*t30*t30
            - 2*h0*dnorm_dtau_h*numerator_a*numerator_a*(shut*sideways
            + h0*numerator_b*numerator_b*t27)*t30*t30*t30)))
        )
        dy_dtau_y = (
            branch(arb(1)/2 > abs(gap), arb(1)/2 <= abs(gap), lambda: s*dgap_dtau_y*(2 + 2*gap)
            + h0*sideways*dshut_dtau_y*numerator_a*numerator_a*t30*t30
            + 2*h0*shut*sideways*numerator_a*dnumerator_a_dtau_y*t30*t30
            - 2*h0*shut*sideways*dnorm_dtau_y*numerator_a*numerator_a*t30*t30*t30, lambda: branch(lifted >
            -y0/2, lifted <= -y0/2, lambda: now*dlifted_dtau_y*t26 + dnow_dtau_y*(y0 + lifted)*t26, lambda:
            branch(-h0*beta/2 > K, -h0*beta/2 <= K, lambda:
            dbeta_dtau_y*h0*h0*numerator_a*numerator_a*numerator_a*numerator_a*t29*t30*t30
            + dnumerator_a_dtau_y*(2*beta*h0*h0*numerator_a*numerator_a*numerator_a*t29*t30*t30
            + 2*h0*numerator_a*(h0*beta*numerator_a*numerator_a*t30 - K)*t29*t30)
            + dnorm_dtau_y*(-beta*h0*h0*numerator_a*numerator_a*numerator_a*numerator_a*t29*t30*t30*t30
            - h0*numerator_a*numerator_a*(h0*beta*numerator_a*numerator_a*t30 - K)*t29*t30*t30)
            - h0*dK_dtau_y*numerator_a*numerator_a*t29*t30, lambda:
            h0*sideways*dshut_dtau_y*numerator_a*numerator_a*t30*t30
            + 2*numerator_b*dnumerator_b_dtau_y*h0*h0*numerator_a*numerator_a*t27*t30*t30
            + 2*h0*numerator_a*dnumerator_a_dtau_y*(shut*sideways + h0*numerator_b*numerator_b*t27)*t30*t30
            - 2*h0*dnorm_dtau_y*numerator_a*numerator_a*(shut*sideways
            + h0*numerator_b*numerator_b*t27)*t30*t30*t30)))
        )
        dw_dtau_h = slow*dlate_w_dtau_h + late_w*dslow_dtau_h
        dw_dtau_y = slow*dlate_w_dtau_y + late_w*dslow_dtau_y
        return dh_dtau_h, dh_dtau_y, dy_dtau_h, dy_dtau_y, dw_dtau_h, dw_dtau_y
