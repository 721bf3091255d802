"""Laws for starts of two levels: states and losses as near to the exact ones as floats can know them."""

from __future__ import annotations

from typing import Any

import mpmath as mp
import numpy as np
from theory.deep_linear_laws import worse_of
from theory.two_level_cases import DIGITS, Case, exact, one_ulp_off

from numerics.theory.deep_linear.modes import modes
from numerics.theory.deep_linear.riccati import fast, robust

ACCURATE = 1e-12
MULTIPLE = 50  # of what the largest of these changes of all inputs by one ulp does
SAMPLES = 8


def faults(case: Case) -> list[str]:
    """The times at which a state is neither accurate nor within a small multiple of what one ulp does."""
    seen = modes(case.W1, case.W2, case.sigma, np.float64(case.balance), np.float64(case.mean))
    references, found = exact(case), []
    errors = [0.0] * len(references)
    for P in (robust.states(seen, case.times), fast.qqt(seen, case.times)):
        if P is None:
            continue
        if not np.isfinite(P).all() or not np.array_equal(P, np.swapaxes(P, -1, -2)):
            found.append(f"{case.name}: not finite, or not symmetric")
        own = [relative(mp.matrix(p.tolist()), reference) for p, reference in zip(P, references, strict=True)]
        errors = [max(both) for both in zip(errors, own, strict=True)]
    if max(errors) <= ACCURATE:
        return found
    rng = np.random.default_rng(0)
    moved = [exact(one_ulp_off(case, rng)) for _ in range(SAMPLES)]
    for k, error in enumerate(errors):
        change = max(relative(other[k], references[k]) for other in moved)
        if not error <= max(ACCURATE, MULTIPLE * change):
            found.append(f"{case.name}, t = {case.times[k]:.17g}: error {error:.1e}, one ulp changes {change:.1e}")
    return found


def loss_faults(case: Case) -> list[str]:
    """Return such times for the sum of squares of Sigma - W2 W1, relative to itself, down to what rounding leaves."""
    seen = modes(case.W1, case.W2, case.sigma, np.float64(case.balance), np.float64(case.mean))
    computed = zip(robust.distances(seen, case.times[1:]), fast.distances(seen, case.times[1:]), strict=True)
    found: list[str] = []
    rounding = (8 * np.finfo(float).eps * max(float(np.abs(case.sigma).max()), case.a, case.b)) ** 2
    rng = np.random.default_rng(0)
    references = [_misfit(case, state) for state in exact(case)[1:]]
    for k, (both, reference) in enumerate(zip(computed, references, strict=True)):
        value = worse_of(both, reference)
        gap = abs(mp.mpf(float(value)) - reference)
        if gap <= ACCURATE * reference or value <= rounding >= reference:
            continue
        others = [one_ulp_off(case, rng) for _ in range(SAMPLES)]
        change = max(abs(_misfit(other, exact(other)[1 + k]) - reference) for other in others)
        if gap > MULTIPLE * change:
            found.append(f"{case.name}, t = {case.times[1 + k]:.17g}: {value} for {mp.nstr(reference, 17)}")
    return found


def relative(found: Any, reference: Any) -> float:
    """The root of the sum of squares of a difference, relative to that of the reference."""
    with mp.workdps(DIGITS):
        return float(mp.norm(found - reference, 2) / max(mp.norm(reference, 2), mp.mpf(2) ** -1022))


def _misfit(case: Case, state: Any) -> Any:
    with mp.workdps(DIGITS):
        outputs, inputs = case.sigma.shape
        return mp.fsum(
            (mp.mpf(float(case.sigma[i, j])) - state[inputs + i, j]) ** 2 for i in range(outputs) for j in range(inputs)
        )
