"""One mode as kernels, in forms in which nothing cancels: its value at a time, and the time at which it has a value.

The names of parts, which stand in the emitted programs too:

    mu2, root, size  (lambda/2)^2, and the roots of s^2 + mu2 and of a0^2 + mu2
    fade, glide      exp(-2 root t/tau), and its integral from 0 to t/tau
    excess           root - s
    far, near        size + |a0| and size - |a0|, whose product is mu2
    ahead            the factor by which size + a0 grows, over that by which size - a0 falls, is ahead/behind
    left             what divides the value
"""

from derivations.papers.solvable_networks.setup import *
from derivations.language.functions import relexp
from derivations.papers.solvable_networks.modes import g, lower, s, t, u0, upper, v0, width

CITES = "Exactly solvable networks: an atlas, section 5"
a0, lam, R, tau, fade = reals("a0 balance, R tau fade > 0")
ZERO = Integer(0)

# --- what the kernels say -----------------------------------------------------------------------------------------------
def mode(e, start, r0, root):
    """The value of a mode when exp(-2 R t) is e, and what it divides e by to say what is left to learn."""
    G, mu2 = (1 - e) / (2 * root), r0**2 - start**2
    divisor = (1 + (r0 - start + s - root) * G) * (e + (r0 + start + root - s) * G)
    return (start * (e + 2 * s**2 * G**2) + s * G * (r0 * (1 + e) + 2 * mu2 * G)) / divisor, divisor

ROOTS = [sqrt(at**2 + lam**2 / 4) for at in (a0, s)]
FADED = exp(-2 * ROOTS[1] * t)
MODE, DIVISOR = mode(FADED, a0, *ROOTS)
down = reals("down >= 0")
# From -down without balance: the mode ends at zero, which is a saddle.
STUCK = -down * exp(-2 * s * t) / (1 + down * (1 - exp(-2 * s * t)) / s)
@paper.claim("5.2 One solution for all modes, in sums", rests_on="mode_from_lazy_to_rich")
def mode_in_sums():
    """With e = exp(-2 R t) and G = (1 - e)/(2 R), a = (a0 (e + 2 s^2 G^2) + s G (r0 (1 + e) + lambda^2 G/2))/(X Y), where
    X = 1 + (r0 - a0 + s - R) G and Y = e + (r0 + a0 + R - s) G, for all signs of a0 and of lambda, zero included. What is left
    to learn is s - a = (s - a0) e/(X Y). Without balance a start below zero ends at zero, on a saddle."""
    X, Y = upper(fade), lower(fade)
    grown = mode(fade, (u0 - v0) / 2, (u0 + v0) / 2, s + g)[0]
    yield same(grown, (u0 * X / Y - v0 * Y / X) / 2, given=[width])
    yield same(MODE, s - (s - a0) * FADED / DIVISOR)
    yield same(MODE.subs({lam: 0, a0: -down}), STUCK)

value = reals("value")

def potential(at, *, below):
    """exp(2 R t/tau) up to a factor that stays, in two forms: one of them is for a below zero, lambda = 0."""
    here, root, mu2 = sqrt(at**2 + lam**2 / 4), ROOTS[1], lam**2 / 4
    if below:
        return (s - at) / (root * here - mu2 - s * at)
    return (root * here + mu2 + s * at) / (s - at)

SIDES = (False, True)
GAINED = {below: potential(value, below=below) / potential(a0, below=below) for below in SIDES}
TIMES = {below: tau * log(GAINED[below]) / (2 * ROOTS[1]) for below in SIDES}
rates = [sqrt(lam**2 + 4 * at**2) * (s - at) / tau for at in (value, a0)]
ratio = reals("ratio")
mode_time_in_sums = paper.states("mode_time_in_sums: mode_in_sums", "5.3 The time to reach a value, in sums",
    "The time from a0 to a is T = tau ln(K(a)/K(a0))/(2 R) with K(a) = (R r + lambda^2/4 + s a)/(s - a), or with "
    "K(a) = (s - a)/(R r - lambda^2/4 - s a), which tells the time between values below zero for lambda = 0 too: its "
    "derivatives by both are tau over (lambda^2 + 4 a^2)^(1/2) (s - a), and minus that at a0.",
    lambda: [*(same(TIMES[below], Subs(tau * log(ratio) / (2 * ROOTS[1]), ratio, GAINED[below])) for below in SIDES),
        *(same(Derivative(T, value) * rates[0], 1) for T in TIMES.values()),
        *(same(Derivative(T, a0) * rates[1], -1) for T in TIMES.values())])

# --- the value at a time ------------------------------------------------------------------------------------------------
mu2, root, size, phase, far, near, excess = reals("mu2 root size phase far near excess >= 0")
glide, ahead, behind, left = reals("glide ahead behind left >= 0")
rising, rich = a0 > 0, Eq(lam, 0)
START_PARTS = [(mu2, lam**2 / 4), (root, sqrt(s**2 + mu2)), (size, sqrt(a0**2 + mu2))]
MODE_PARTS = [*START_PARTS, (excess, mu2 / (s + root)),
    (far, Piecewise((size + a0, rising), (size - a0, True))),
    (near, Piecewise((0, rich), (mu2 / far, True))),
    (phase, t / tau),
    (fade, exp(-2 * root * phase)),
    (glide, phase * relexp(-2 * root * phase)),
    (ahead, 1 + (far - excess) * glide),
    (behind, fade + (near + excess) * glide),
    (left, fade + 2 * mu2 * glide**2 + glide * size * (1 + fade) + 2 * a0 * s * glide**2)]
risen = a0 * (fade + 2 * (s * glide) ** 2) + s * glide * (size * (1 + fade) + 2 * mu2 * glide)
driven = s * glide * ((near * (1 + fade) + 2 * (mu2 - a0 * excess) * glide) / behind)
MODE_VALUE = Piecewise((risen / left, rising), (a0 * fade / ahead, rich),
    ((a0 * fade * ((fade + 2 * excess * glide) / behind) + driven) / ahead, True))
LARGER = (at_least(ROOTS[0], a0), at_least(ROOTS[0], -a0), at_least(ROOTS[1], s))
gone = exp(-2 * ROOTS[1] * t / tau)
passed = (1 - gone) / (2 * ROOTS[1])
DIVIDED = gone + lam**2 / 2 * passed**2 + ROOTS[0] * passed * (1 + gone) + 2 * a0 * s * passed**2
CASES = [{"holds": {rising: True}, "assuming": (a0 > 0, at_least(1 - gone, 0), *LARGER), "sums": (DIVIDED,)},
    {"where": {a0: -down}, "reached": {down: -a0}, "fix": {lam: ZERO}, "holds": {rising: False, rich: True}},
    {"parts": {near: size + a0, excess: root - s}, "holds": {rising: False, rich: False},
        "assuming": LARGER}]
paper.emits("mode",
    says="A mode's singular value at time t from its value a0 at time zero, where the task has s and the weights the "
    "balance lambda, of either sign and zero.", state=[a0], params=[s, lam, tau, t], returns={"a": MODE_VALUE},
    shared=MODE_PARTS, cites=CITES,
    equals=[Equals(mode_in_sums, {"a": STUCK if "fix" in case else MODE}, at={t: t / tau}, **case) for case in CASES])

# --- the time at which it has a value -----------------------------------------------------------------------------------
here, lag, first_lag, lean, pull, gain, grown = reals("here lag first_lag lean pull gain grown")
BETWEEN = (value - a0) * (s - value) >= 0
from_above, to_below, still = a0 >= 0, value < 0, Eq(grown, 1)
# log(1 + x) is log(y) x/(y - 1) with y = 1 + x, in which the rounding of y cancels.
TIME_PARTS = [*START_PARTS, (here, sqrt(value**2 + mu2)),
    (lag, (s**2 + value**2 + mu2) / (root * here - s * value)),
    (first_lag, (s**2 + a0**2 + mu2) / (root * size - s * a0)),
    (lean, (value**2 + a0**2 + mu2) / (here * size + value * a0)),
    (pull,
        Piecewise(
            ((root * (here + size) + s * (value + a0) + mu2 * (1 + lean)) / (root * size + s * a0 + mu2), from_above),
            ((lag + first_lag + 1 + lean) / (1 + first_lag), to_below),
            ((root * here + s * value + here * size - value * a0 + mu2 * (1 + first_lag)) / (mu2 * (1 + first_lag)),
                True))),
    (gain, (value - a0) * root * pull / ((s - value) * (here + size))),
    (grown, 1 + gain)]
logarithm = log(grown) * gain / (grown - 1)

def time_where(*, below, off=(), **case):
    """The time in one of its forms; what it takes the logarithm of is shown to be the same first."""
    short = {gain: GAINED[below] - 1, grown: GAINED[below]}
    radii = [(at, sqrt(at**2 + lam**2 / 4)) for at in (a0, value)]
    levels = [at_least(root, -at) for at, root in radii] if lam in off else []
    turned = -1 if below else 1
    factors = [ROOTS[1] * root + turned * (lam**2 / 4 + s * at) for at, root in radii]
    known = (*levels, at_least(ROOTS[1], s), *(above(x, 0) for x in ((s - a0) / (s - value), *factors)))
    return Equals(mode_time_in_sums, {"t": TIMES[below]}, parts=short, assuming=known,
        off=tuple(Ne(x, 0) if x == lam else above(x, 0) for x in off), **case)

paper.emits("mode_time",
    says="The time that a mode takes from a0 to a value between a0 and s. For balance = 0 there is none from zero, nor "
    "from below zero to zero or above.", state=[a0, value], params=[s, lam, tau],
    returns={"t": Piecewise((tau * gain / (2 * root), still), (tau * logarithm / (2 * root), True))},
    shared=TIME_PARTS, domain=[BETWEEN, Ne(value, s)], cites=CITES,
    equals=[*(time_where(below=side, holds={from_above: first, to_below: last, still: stays}, off=off)
            for side, first, last, off in (
                (False, True, False, [at**2 + lam**2 / 4 for at in (a0, value)]), (True, False, True, []),
                (False, False, False, [lam]))
            for stays in SIDES),
        Equals(mode_time_in_sums, {"t": TIMES[False]}, holds={from_above: True, to_below: True}, never=BETWEEN)])

# --- derivatives of the value -------------------------------------------------------------------------------------------
(START, ROOT), RUN = ROOTS, (1 - FADED) / (2 * ROOTS[1])
GROWN = START + (s - a0) * RUN * (2 * START * s * RUN + a0 * (1 + FADED)) / DIVISOR  # r at the time t
HELD = (1 - FADED**2) / (2 * ROOT) - 2 * t * FADED
PASSED = 2 * t + (s - a0) * RUN * ((s + a0) * (1 + FADED) + 4 * s * START * RUN) / (START * GROWN * DIVISOR)
SLOPES = {a0: GROWN * FADED / (START * DIVISOR),
    s: 2 * GROWN * (FADED * t + (lam**2 / 4 + a0 * s) / (2 * ROOT**2) * HELD + START * RUN**2) / DIVISOR,
    lam: GROWN * (s - a0) * FADED / DIVISOR * lam / (4 * ROOT**2) * PASSED,
    t: 2 * GROWN * (s - a0) * FADED / DIVISOR}
STUCK_FADE, STUCK_DIVISOR = exp(-2 * s * t), 1 + down * (1 - exp(-2 * s * t)) / s
STUCK_SLOPES = {a0: STUCK_FADE / STUCK_DIVISOR**2,
    lam: ZERO,
    s: 2 * down * STUCK_FADE * (t + down / s * (t - (1 - STUCK_FADE) / (2 * s))) / STUCK_DIVISOR**2,
    t: 2 * s * down * STUCK_FADE * (1 + down / s) / STUCK_DIVISOR**2}
paper.states("mode_slopes_in_sums: mode_in_sums", "5.2 One solution for all modes: its derivatives",
    "With r = r0 + (s - a0) G (2 r0 s G + a0 (1 + e))/(X Y), the derivative of a by a0 is r e/(r0 X Y), by time 2 r "
    "(s - a0) e/(X Y), by s 2 r (e t + (lambda^2/4 + a0 s)((1 - e^2)/(2 R) - 2 e t)/(2 R^2) + r0 G^2)/(X Y), and by "
    "lambda lambda r (s - a0) e/(4 R^2 X Y) times 2 t + (s - a0) G ((s + a0)(1 + e) + 4 s r0 G)/(r0 r X Y).",
    lambda: [same(GROWN**2, MODE**2 + lam**2 / 4),
        *(same(Derivative(MODE, by), slope) for by, slope in SLOPES.items())])
paper.states("stuck_slopes: mode_in_sums", "5.2 The derivatives of a mode that is stuck",
    "Without balance from -d: with e = exp(-2 s t), the derivative of a by a0 is e/(1 + d (1 - e)/s)^2, by time 2 d "
    "(s + d) e and by s 2 d e (t + d (t - (1 - e)/(2 s))/s), both over the same square. By lambda it is zero.",
    lambda: [same(-Derivative(STUCK, down), STUCK_SLOPES[a0]),
        *(same(Derivative(STUCK, by), STUCK_SLOPES[by]) for by in (s, t)),
        same(Subs(Derivative(MODE.subs(a0, -down), lam), lam, 0), 0)])

# --- derivatives of the time --------------------------------------------------------------------------------------------
THERE = sqrt(value**2 + lam**2 / 4)
# (r0 a - r a0) over lambda^2/4, for values on one side of zero and for others.
TURNS = {True: (value - a0) * (value + a0) / (value * START + a0 * THERE),
    False: 4 * (value * START - a0 * THERE) / lam**2}

def time_slopes(T, *, one_side):
    """The derivatives of a time by what they are called."""
    by_balance = s * TURNS[one_side] - START + THERE
    return {"dt_da0": -tau / (2 * START * (s - a0)),
        "dt_dvalue": tau / (2 * THERE * (s - value)),
        "dt_ds": -(2 * s * T + tau * THERE / (s - value) - tau * START / (s - a0)) / (2 * ROOT**2),
        "dt_dbalance": -lam / (8 * ROOT**2) * (2 * T + tau * by_balance / (THERE * START))}

TIME_SLOPES = {"dt_da0": a0, "dt_dvalue": value, "dt_ds": s, "dt_dbalance": lam}
sides = ((False, True), (True, True), (False, False))
paper.states("mode_time_slopes_in_sums: mode_time_in_sums", "5.3 The time to reach a value: its derivatives",
    "The derivative of T by a is tau/(2 r (s - a)), by a0 minus the same there, by s -(2 s T + tau r/(s - a) - tau "
    "r0/(s - a0))/(2 R^2), and by lambda -lambda/(8 R^2) times 2 T + tau (s w - r0 + r)/(r r0), where w is (a - a0)(a "
    "+ a0)/(a r0 + a0 r), or 4 (a r0 - a0 r)/lambda^2, which is the same.",
    lambda: [same(Derivative(TIMES[below], by), time_slopes(TIMES[below], one_side=one_side)[name])
        for below, one_side in sides for name, by in TIME_SLOPES.items()])
