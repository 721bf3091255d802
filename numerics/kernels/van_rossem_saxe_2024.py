"""Kernels of van_rossem_saxe_2024, compiled on first use.

They call elementary.py, sha256 005cfa1bd711f53af89258c97a95145d18230d55d60fcd3b37c84a797bc3f618.

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

from math import sqrt

from numba import njit

from numerics.kernels.elementary import exp, minor, relexp, relexp1


@njit(cache=True, error_model="numpy")
def two_point_flow(h, y, w, X, s, tau_h, tau_y):
    """Rates of h = |dh|^2, y = |dy|^2 and w along the gradient flow of the loss (equation 7 with both time
    constants doubled).

    Inputs: h, y, w, X, s, tau_h, tau_y
    Returns: h_rate, y_rate, w_rate
    Domain: h > 0, y >= 0, X > 0, s >= 0, tau_h > 0, tau_y > 0
    Equals: van_rossem_saxe_2024:flow_in_numbers
    Not compared where: arguments are not such numbers as van_rossem_saxe_2024:flow_in_numbers speaks of
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eq. 7
    Equality: sha256 fdaa34e0bc631f86afc902a0880b24d7223b86e7b20ea0ca025c1ea6b1feb6ad
    Normal form: sha256 775cebbb62194d6befd8a2601e29ff1d8c412554386dded6dc8c430a6470fca4
    """
    lift = 0.25*h/tau_y
    t0 = 1.0/(h*tau_h)
    push = 0.25*X*t0
    outward = y - s - 3.0*w
    inward = w*(y + w)
    h_rate = -0.5*h*w*X*t0
    y_rate = -2.0*w*(lift + y*push)
    w_rate = minor(lift, outward, push, inward)
    return h_rate, y_rate, w_rate


@njit(cache=True, error_model="numpy")
def signed_flow(a, b, n, X, s, tau_h, tau_y):
    """Rates of the signed distance a, of b = u.(y2 - y1) and of n = |u|^2, where dh = a e and u = D_y e:
    polynomial, valid through a = 0.

    Inputs: a, b, n, X, s, tau_h, tau_y
    Returns: a_rate, b_rate, n_rate
    Domain: n >= 0, X > 0, s >= 0, tau_h > 0, tau_y > 0
    Equals: van_rossem_saxe_2024:signed_flow_in_numbers
    Not compared where: arguments are not such numbers as van_rossem_saxe_2024:signed_flow_in_numbers speaks
        of
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1
    Equality: sha256 eeb7acf9ab4dac08979dd31f926a7a95d16ce97cf00560331384b519b3192c2e
    Normal form: sha256 bd34ed89581810c88aa63abf71ffbe31d6c27caaa97962ebcd5201178099b619
    """
    t0 = 1.0/tau_h
    a_rate = 0.25*b*X*t0 - 0.25*a*n*X*t0
    t1 = 1.0/tau_y
    b_rate = 0.25*a*s*t1 - 0.25*b*a*a*t1
    n_rate = 0.5*a*b*t1 - 0.5*n*a*a*t1
    return a_rate, b_rate, n_rate


@njit(cache=True, error_model="numpy")
def closed_form(h0, y0, w0, X, s, tau_h, tau_y, t):
    """h, y and w at time t from their values at time zero, for different targets (s > 0) and dh that does not
    rotate.

    Inputs: h0, y0, w0, X, s, tau_h, tau_y, t
    Returns: h, y, w
    Domain: h0 > 0, y0 >= 0, X > 0, s > 0, tau_h > 0, tau_y > 0, t >= 0, y0*s >= (y0 - w0)^2
    Equals: van_rossem_saxe_2024:closed_form_squared, van_rossem_saxe_2024:closed_form_squared_balanced
    Not compared where: t = 0; the solution of van_rossem_saxe_2024:closed_form_squared has ended, which it
        states while that is defined; the solution of van_rossem_saxe_2024:closed_form_squared_balanced has
        ended, which it states while that is defined
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1
    Equality: sha256 e99c1e21107cb5a5ff58fbdca0d888fc1284e567866ec81a02812fd3090fff77
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

    Inputs: h0, y0, X, tau_h, tau_y, t
    Returns: h, y
    Domain: h0 > 0, y0 >= 0, X > 0, tau_h > 0, tau_y > 0, t >= 0
    Equals: van_rossem_saxe_2024:logistic_prediction_doubled, van_rossem_saxe_2024:algebraic_distance
    Not compared where: h0 = h0 - y0*X*tau_y/(h0*tau_h) where h0 - y0*X*tau_y/(h0*tau_h) != 0; t = 0 where h0
        - y0*X*tau_y/(h0*tau_h) != 0
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eqs. 39 and 40, corrected
    Equality: sha256 36690157c07f80ece904701ee8ebf75e9bbea325e6bcaab65ad84dee63ffe17f
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

    Inputs: h0, y0, X, tau_h, tau_y, t
    Returns: dh_dtau_h, dh_dtau_y, dy_dtau_h, dy_dtau_y
    Domain: h0 > 0, y0 >= 0, X > 0, tau_h > 0, tau_y > 0, t >= 0
    Equals: van_rossem_saxe_2024:logistic_prediction_doubled
    Not compared where: h0 = h0 - y0*X*tau_y/(h0*tau_h); t = 0; h0 - y0*X*tau_y/(h0*tau_h) = 0
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eqs. 39 and 40, corrected
    Equality: sha256 43625c07d8e94da5269adc7cb72cfb4a7f9abd3a957028565566c01e215f2f75
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

    Inputs: h0, y0, X, s, tau_h, tau_y
    Returns: final, slow, fast
    Domain: h0 > 0, y0 >= 0, X > 0, s > 0, tau_h > 0, tau_y > 0
    Equals: van_rossem_saxe_2024:rest_and_eigenvalues
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eqs. 10 and 28
    Equality: sha256 8109f47999425b4c3b81d37645ec8e4779348da31020570c6a5384c0b3ad587c
    Normal form: sha256 fc1881d8e69ed6789587bc65947c0d49b2f104265e82b4942c01daa83f0929ce
    """
    t0 = 1.0/(h0*tau_h)
    high = h0 - y0*X*tau_y*t0
    low2 = h0*X*s*tau_y*t0
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

    Inputs: y, w, s, mean_error, tau_b, t
    Returns: loss
    Domain: y >= 0, s >= 0, mean_error >= 0, tau_b > 0, t >= 0
    Equals: van_rossem_saxe_2024:loss_in_numbers
    Not compared where: arguments are not such numbers as van_rossem_saxe_2024:loss_in_numbers speaks of
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eq. 9
    Equality: sha256 f9562640564799f4c26cfcbf61e62b8c19711ab8ff06053fe74631f6bf2273f4
    Normal form: sha256 da377af5197e06c14a544e76e84a01c1714d12fe3e4d5fa948adc0d1c0b126de
    """
    loss = 0.25*w + 0.125*s + 0.5*mean_error*exp(-2.0*t/tau_b) - 0.125*y
    return (loss,)


@njit(cache=True, error_model="numpy")
def training_loss_sensitivity(y, w, s, mean_error, tau_b, t):
    """The derivative of loss (training_loss) by tau_b.

    Inputs: y, w, s, mean_error, tau_b, t
    Returns: dloss_dtau_b
    Domain: y >= 0, s >= 0, mean_error >= 0, tau_b > 0, t >= 0
    Equals: van_rossem_saxe_2024:loss_in_numbers
    Not compared where: arguments are not such numbers as van_rossem_saxe_2024:loss_in_numbers speaks of
    Source: van Rossem & Saxe (2024), arXiv:2402.09142v1, Eq. 9
    Equality: sha256 14e9c83a29257040221f0f690a1b3106a6f6fddc4b44fbe3edd40720f5dd893e
    Normal form: sha256 8394d9df96eb7fcfaf4e61b26329ea0c76c55fd8ba8f5820d50975370745ff80
    """
    t0 = 1.0/tau_b
    root_fade = exp(-t*t0)
    early_half = mean_error*root_fade*t0
    late_half = t*root_fade*t0
    dloss_dtau_b = early_half*late_half
    return (dloss_dtau_b,)
