"""Taylor coefficients along signed_flow of van_rossem_saxe_2024, eight starts at once.

Rests on: van_rossem_saxe_2024:signed_flow_in_numbers
Normal form of the flow: sha256 bd34ed89581810c88aa63abf71ffbe31d6c27caaa97962ebcd5201178099b619

Emitted by `derivations update`; edit the paper, never this file.
"""

# mypy: ignore-errors

from numba import njit

from numerics.machine.lanes import LANES
from numerics.machine.lanes.jets import fetch, lay, over, same

ORDER = 16
ROW = (ORDER + 1)*LANES
STATES = 3
PARAMETERS = 4
# the series: 0 a, 1 b, 2 n, 3 a*n, 4 a*b, 5 a*a_b, 6 a*a_n
SERIES = 7
FIXED = 4
IN_PAIRS = True  # whether the recurrences also run on pairs of doubles


@njit(cache=True)
def fix(given, fixed):
    """Write the coefficients that stay the same during a run."""
    X = fetch(given, 0)
    s = fetch(given, LANES)
    tau_h = fetch(given, 2*LANES)
    tau_y = fetch(given, 3*LANES)
    # fixed_0 = X/(4*tau_h)
    value = X/same(4.0, given)/tau_h
    lay(fixed, 0, value)
    # fixed_1 = s/(4*tau_y)
    value = s/same(4.0, given)/tau_y
    lay(fixed, LANES, value)
    # fixed_2 = 1/(4*tau_y)
    value = same(1.0, given)/same(4.0, given)/tau_y
    lay(fixed, 2*LANES, value)
    # fixed_3 = 1/(2*tau_y)
    value = same(1.0, given)/same(2.0, given)/tau_y
    lay(fixed, 3*LANES, value)


@njit(cache=True)
def jets(series, fixed, first, last):
    """Write the coefficients up to the order `last`, the state's from those up to `first`."""
    fixed_0 = fetch(fixed, 0)
    fixed_1 = fetch(fixed, LANES)
    fixed_2 = fetch(fixed, 2*LANES)
    fixed_3 = fetch(fixed, 3*LANES)
    a_0 = fetch(series, 0)
    b_0 = fetch(series, ROW)
    n_0 = fetch(series, 2*ROW)
    if first == 0:
        a_n_0 = a_0*n_0
        lay(series, 3*ROW, a_n_0)
        a_b_0 = a_0*b_0
        lay(series, 4*ROW, a_b_0)
        a_a_b_0 = a_0*a_b_0
        lay(series, 5*ROW, a_a_b_0)
        a_a_n_0 = a_0*a_n_0
        lay(series, 6*ROW, a_a_n_0)
        rate = fixed_0*(b_0 - a_n_0)
        lay(series, LANES, rate)
        rate = fixed_1*a_0 - fixed_2*a_a_b_0
        lay(series, ROW + LANES, rate)
        rate = fixed_3*(a_b_0 - a_a_n_0)
        lay(series, 2*ROW + LANES, rate)
    a_n_0 = fetch(series, 3*ROW)
    a_b_0 = fetch(series, 4*ROW)
    for k in range(max(first, 1), last):
        at = k*LANES
        a_n = same(0.0, series)
        a_b = same(0.0, series)
        a_a_b = same(0.0, series)
        a_a_n = same(0.0, series)
        for j in range(1, k):
            ahead, rest = j*LANES, (k - j)*LANES
            a_j = fetch(series, ahead)
            n_i = fetch(series, 2*ROW + rest)
            b_i = fetch(series, ROW + rest)
            a_b_i = fetch(series, 4*ROW + rest)
            a_n_i = fetch(series, 3*ROW + rest)
            a_n += a_j*n_i
            a_b += a_j*b_i
            a_a_b += a_j*a_b_i
            a_a_n += a_j*a_n_i
        a = fetch(series, at)
        b = fetch(series, ROW + at)
        n = fetch(series, 2*ROW + at)
        a_n = a_n + a_0*n + a*n_0
        lay(series, 3*ROW + at, a_n)
        a_b = a_b + a_0*b + a*b_0
        lay(series, 4*ROW + at, a_b)
        a_a_b = a_a_b + a_0*a_b + a*a_b_0
        lay(series, 5*ROW + at, a_a_b)
        a_a_n = a_a_n + a_0*a_n + a*a_n_0
        lay(series, 6*ROW + at, a_a_n)
        rate = fixed_0*(b - a_n)
        lay(series, at + LANES, over(rate, k + 1.0))
        rate = fixed_1*a - fixed_2*a_a_b
        lay(series, ROW + at + LANES, over(rate, k + 1.0))
        rate = fixed_3*(a_b - a_a_n)
        lay(series, 2*ROW + at + LANES, over(rate, k + 1.0))
