"""Laws for every case: states and losses are as near to the exact ones as floats can know them."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
from theory.deep_linear_cases import Case
from theory.exact_deep_linear import exact_misfit, exact_qqt, one_ulp_change, one_ulp_off, relative_error

from numerics.theory.deep_linear.modes import modes
from numerics.theory.deep_linear.riccati import fast
from numerics.theory.deep_linear.riccati.robust import distances, states

ACCURATE = 1e-12
MULTIPLE = 50  # of what the largest of four changes of all inputs by one ulp does


def faults(case: Case) -> list[str]:
    """The times at which a state is neither accurate nor within a small multiple of what one ulp does."""
    seen = modes(case.W1, case.W2, case.sigma, np.float64(case.balance))
    rng, found = np.random.default_rng(0), []
    ways = [P for P in (states(seen, case.times), fast.qqt(seen, case.times)) if P is not None]
    if not all(np.isfinite(P).all() and np.array_equal(P, np.swapaxes(P, -1, -2)) for P in ways):
        found.append(f"{case.name}: not finite, or not symmetric")
    for computed, exact, time in zip(zip(*ways, strict=True), exact_qqt(case, case.times), case.times, strict=True):
        error = max(relative_error(one, exact) for one in computed)
        if error > ACCURATE and error > MULTIPLE * (moved := one_ulp_change(case, time, exact, rng)):
            found.append(f"{case.name}, t = {time:.17g}: error {error:.1e}, one ulp changes {moved:.1e}")
    return found


def loss_faults(case: Case) -> list[str]:
    """Return such times for the sum of squares of Sigma - W2 W1, relative to itself, down to what rounding leaves."""
    times = case.times[1:4]
    seen = modes(case.W1, case.W2, case.sigma, np.float64(case.balance))
    computed = zip(distances(seen, times), fast.distances(seen, times), strict=True)
    rng, found = np.random.default_rng(0), []
    rounding = mp.mpf(4 * np.finfo(float).eps * float(np.abs(case.sigma).max())) ** 2
    for both, state, time in zip(computed, exact_qqt(case, times), times, strict=True):
        exact = exact_misfit(case, state)
        value = worse_of(both, exact)
        gap = abs(mp.mpf(float(value)) - exact)
        if gap <= ACCURATE * exact or value <= rounding >= exact:
            continue
        moved = [one_ulp_off(case, rng) for _ in range(4)]
        change = max(abs(exact_misfit(c, exact_qqt(c, np.array([time]))[0]) - exact) for c in moved)
        if gap > MULTIPLE * change:
            found.append(
                f"{case.name}, t = {time:.17g}: {value} for {mp.nstr(exact, 17)}, one ulp: {mp.nstr(change, 3)}"
            )
    return found


def worse_of(both: tuple[float, float], exact: Any) -> float:
    """Return the one of two values that is farther from the exact value; the fast way may leave it to the other."""
    return max((float(one) for one in both if not np.isnan(one)), key=lambda one: abs(mp.mpf(one) - exact))
