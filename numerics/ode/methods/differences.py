"""The Jacobian of a kernel that has none of its own: differences of its rates."""

# mypy: ignore-errors
# ruff: noqa: PLR0917

from math import isfinite, sqrt

import numpy as np
from numba import njit

from numerics.ode.methods.decay import rates

SMALLEST = 1e-100  # the size of what has none
ROUNDING = 2.0**-52


@njit(cache=True)
def jacobian(t, state, slope, sizes, params, out, scratch):
    """Write the derivatives of the rates (row) by the components (column), and return how many rates that took.

    `slope` holds the rates at this state, and `sizes` what counts as large for each component. Where a component cannot
    grow, as rates are no numbers there, it shrinks.
    """
    moved, there, calls = state.copy(), np.empty(state.size), 0
    for j in range(state.size):
        for sign in (1.0, -1.0):
            moved[j] = state[j] + sign * sqrt(ROUNDING) * max(sizes[j], SMALLEST)
            rates(t, moved, params, there, scratch)
            calls += 1
            total = 0.0
            for i in range(state.size):
                out[i, j] = (there[i] - slope[i]) / (moved[j] - state[j])
                total += out[i, j]
            if isfinite(total):
                break
        moved[j] = state[j]
    return calls
