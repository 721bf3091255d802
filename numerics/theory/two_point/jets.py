"""Taylor coefficients along the flow of a, b and n, eight starts at once.

    tau_h da/dt = X (b - a n)/4,   tau_y db/dt = (s a - a^2 b)/4,   tau_y dn/dt = (a b - a^2 n)/2

The flow is that of the kernel van_rossem_saxe_2024:signed_flow. The coefficient of order k of series number i stands at
i*ROW + k*LANES, one for each lane: first those of the state, then those of each product. The inner terms of a product,
0 < j < k, need earlier orders alone, so that one loop runs through those of all products; the outer two follow.
"""

# mypy: ignore-errors

from numba import njit

from numerics.machine.lanes import LANES, load, spread, store
from numerics.machine.lanes.jets import ROW, over

STATES = 3
PARAMETERS = 4
# the series: 0 a, 1 b, 2 n, 3 a*n, 4 a*b, 5 a*a_b, 6 a*a_n
SERIES = 7
FIXED = 4


@njit(cache=True)
def fix(given, fixed):
    """Write the coefficients that stay the same during a run."""
    X = load(given, 0)
    s = load(given, LANES)
    tau_h = load(given, 2 * LANES)
    tau_y = load(given, 3 * LANES)
    # fixed_0 = X/(4*tau_h)
    value = X / spread(4.0) / tau_h
    store(fixed, 0, value)
    # fixed_1 = s/(4*tau_y)
    value = s / spread(4.0) / tau_y
    store(fixed, LANES, value)
    # fixed_2 = 1/(4*tau_y)
    value = spread(1.0) / spread(4.0) / tau_y
    store(fixed, 2 * LANES, value)
    # fixed_3 = 1/(2*tau_y)
    value = spread(1.0) / spread(2.0) / tau_y
    store(fixed, 3 * LANES, value)


@njit(cache=True)
def jets(series, fixed, first, last):  # noqa: PLR0915 (one straight line, which the compiler fuses as a whole)
    """Write the coefficients up to the order `last`, the state's from those up to `first`."""
    fixed_0 = load(fixed, 0)
    fixed_1 = load(fixed, LANES)
    fixed_2 = load(fixed, 2 * LANES)
    fixed_3 = load(fixed, 3 * LANES)
    a_0 = load(series, 0)
    b_0 = load(series, ROW)
    n_0 = load(series, 2 * ROW)
    if first == 0:
        a_n_0 = a_0 * n_0
        store(series, 3 * ROW, a_n_0)
        a_b_0 = a_0 * b_0
        store(series, 4 * ROW, a_b_0)
        a_a_b_0 = a_0 * a_b_0
        store(series, 5 * ROW, a_a_b_0)
        a_a_n_0 = a_0 * a_n_0
        store(series, 6 * ROW, a_a_n_0)
        rate = fixed_0 * (b_0 - a_n_0)
        store(series, LANES, rate)
        rate = fixed_1 * a_0 - fixed_2 * a_a_b_0
        store(series, ROW + LANES, rate)
        rate = fixed_3 * (a_b_0 - a_a_n_0)
        store(series, 2 * ROW + LANES, rate)
    a_n_0 = load(series, 3 * ROW)
    a_b_0 = load(series, 4 * ROW)
    for k in range(max(first, 1), last):
        at = k * LANES
        a_n = spread(0.0)
        a_b = spread(0.0)
        a_a_b = spread(0.0)
        a_a_n = spread(0.0)
        for j in range(1, k):
            ahead, rest = j * LANES, (k - j) * LANES
            a_j = load(series, ahead)
            n_i = load(series, 2 * ROW + rest)
            b_i = load(series, ROW + rest)
            a_b_i = load(series, 4 * ROW + rest)
            a_n_i = load(series, 3 * ROW + rest)
            a_n += a_j * n_i
            a_b += a_j * b_i
            a_a_b += a_j * a_b_i
            a_a_n += a_j * a_n_i
        a = load(series, at)
        b = load(series, ROW + at)
        n = load(series, 2 * ROW + at)
        a_n = a_n + a_0 * n + a * n_0
        store(series, 3 * ROW + at, a_n)
        a_b = a_b + a_0 * b + a * b_0
        store(series, 4 * ROW + at, a_b)
        a_a_b = a_a_b + a_0 * a_b + a * a_b_0
        store(series, 5 * ROW + at, a_a_b)
        a_a_n = a_a_n + a_0 * a_n + a * a_n_0
        store(series, 6 * ROW + at, a_a_n)
        rate = fixed_0 * (b - a_n)
        store(series, at + LANES, over(rate, k + 1.0))
        rate = fixed_1 * a - fixed_2 * a_a_b
        store(series, ROW + at + LANES, over(rate, k + 1.0))
        rate = fixed_3 * (a_b - a_a_n)
        store(series, 2 * ROW + at + LANES, over(rate, k + 1.0))
