"""How fast a mode grows, from balanced starts and between two levels, for `riccati.exchange`.

With the frequency f of a mode, the geometric mean g of the levels, R = hypot(f, g) and e = exp(-2 R t),

    Gamma = gamma^2 = (1 - e)/(m + n e),    D = 2 R exp(-R t)/(m + n e),    m = R - f,    n = R + f.

The smaller of m and n is g^2 over the larger one, so that nothing cancels. For g = 0, where that is zero, these are
Gamma = (exp(2 f t) - 1)/(2 f) and D = exp(f t).
"""

# mypy: ignore-errors

from math import exp, expm1, floor, hypot, sqrt

from numba import njit

LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
LATEST = 1e15  # phases beyond it are not told apart
EARLY = 300.0  # phases below it have exponentials far from overflow


@njit(cache=True)
def rates(frequency, mean):
    """R, m = R - f and n = R + f, for a geometric mean of the levels that is not zero."""
    R = hypot(frequency, mean)
    larger = R + abs(frequency)
    smaller = mean * (mean / larger)
    if frequency > 0.0:
        return R, smaller, larger
    return R, larger, smaller


@njit(cache=True)
def growth_between_levels(frequency, mean, time):
    """Return what `growth` returns, for a geometric mean of the levels that is not zero."""
    R, m, n = rates(frequency, mean)
    x = min(R * time, LATEST)
    risen, decayed = -expm1(-2.0 * x), exp(-2.0 * x)
    if m > 0.0 and (x > EARLY or m > n * decayed):
        below = m + n * decayed
        return sqrt(risen / below), 0, 2.0 * R * exp(-x) / sqrt(risen * below)
    below = n + (m * exp(2.0 * x) if m > 0.0 else 0.0)
    whole = floor(x * LOG2_E + 0.5)
    gamma = exp((x - whole * LN2_HIGH) - whole * LN2_LOW) * sqrt(risen / below)
    return gamma, int(whole), 2.0 * R / sqrt(risen * below)


@njit(cache=True)
def floor_of(frequency, mean, time):
    """g^2 Gamma, which tends to R + f, and R + f without it, which tends to zero."""
    if mean == 0.0:
        return 0.0, 2.0 * max(frequency, 0.0)
    R, m, n = rates(frequency, mean)
    x = min(R * time, LATEST)
    decayed = exp(-2.0 * x)
    below = m + n * decayed
    if below == 0.0:
        return n, 0.0
    return mean * (mean * (-expm1(-2.0 * x) / below)), 2.0 * R * (n * decayed / below)


@njit(cache=True)
def growth_above(half, excess, frequency, time):
    """Return what `growth` returns, for a frequency half + excess and balanced starts.

    The phases of modes that compete may be huge and nearly the same: what they have in common is rounded in common.
    """
    common, own = min(half * time, LATEST), min(excess * time, LATEST)
    base = sqrt(-expm1(-2.0 * min(frequency * time, LATEST)) / (2.0 * frequency))
    whole, more = floor(common * LOG2_E + 0.5), floor(own * LOG2_E + 0.5)
    shared = exp((common - whole * LN2_HIGH) - whole * LN2_LOW)
    return shared * (exp((own - more * LN2_HIGH) - more * LN2_LOW) * base), int(whole + more), 1.0 / base


@njit(cache=True)
def growth(frequency, levels, excess, time):
    """gamma as a number and an exponent of two, and h = D/gamma, at a positive time.

    `levels` are the geometric mean of the levels and half the size of the balance; modes that grow have frequencies
    above that by `excess`.
    """
    mean, half = levels
    if mean > 0.0:
        return growth_between_levels(frequency, mean, time)
    if half > 0.0 and frequency > 0.0:
        return growth_above(half, excess, frequency, time)
    x = min(max(frequency * time, -LATEST), LATEST)
    base = sqrt(time if x == 0.0 else -expm1(-2.0 * abs(x)) / (2.0 * abs(frequency)))
    if x <= 0.0:
        return base, 0, exp(x) / base
    whole = floor(x * LOG2_E + 0.5)
    return exp((x - whole * LN2_HIGH) - whole * LN2_LOW) * base, int(whole), 1.0 / base
