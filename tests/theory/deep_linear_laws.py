"""Laws for every case: states and losses are as near to the exact ones as floats can know them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import mpmath as mp
import numpy as np
from theory.deep_linear_cases import Array, Case
from theory.exact_deep_linear import exact_misfit, exact_qqt, one_ulp_off, relative_change
from theory.two_level_cases import DIGITS, exact

from numerics.theory.deep_linear.modes import Modes, modes
from numerics.theory.deep_linear.riccati import fast, robust

ACCURATE = 1e-12
MULTIPLE = 50  # of what the largest of some changes of all inputs by one ulp does


def relative(found: Any, reference: Any) -> float:
    """The root of the sum of squares of a difference, relative to that of the reference."""
    with mp.workdps(DIGITS):
        return float(mp.norm(found - reference, 2) / max(mp.norm(reference, 2), mp.mpf(2) ** -1022))


class Kind(NamedTuple):
    """How cases of one kind are judged: their exact states, distances of states, and the changes by one ulp."""

    exact: Callable[[Case], list[Any]]
    distance: Callable[[Any, Any], float]
    samples: int
    moves: tuple[int, ...]
    losses: slice  # the times at which losses are compared
    rounding: Callable[[Case], float]  # the square that rounding leaves of a loss

    def others(self, case: Case) -> list[Case]:
        rng = np.random.default_rng(0)
        return [one_ulp_off(case, rng, self.moves) for _ in range(self.samples)]


BALANCED = Kind(
    lambda case: exact_qqt(case, case.times), relative_change, 4, (-1, 1), slice(1, 4),
    lambda case: (4 * np.finfo(float).eps * np.abs(case.sigma).max()) ** 2,
)  # fmt: skip
TWO_LEVELS = Kind(
    exact, relative, 8, (-1, 0, 1), slice(1, None),
    lambda case: (8 * np.finfo(float).eps * max(np.abs(case.sigma).max(), case.a, case.b)) ** 2,
)  # fmt: skip


def seen(case: Case) -> Modes:
    return modes(case.W1, case.W2, case.sigma, np.float64(case.balance), np.float64(case.mean))


def faults(case: Case, kind: Kind) -> list[str]:
    """The times at which a state is neither accurate nor within a small multiple of what one ulp does."""
    ways = [P for P in (robust.states(seen(case), case.times), fast.qqt(seen(case), case.times)) if P is not None]
    found = [
        f"{case.name}: not finite, or not symmetric"
        for P in ways
        if not np.isfinite(P).all() or not np.array_equal(P, np.swapaxes(P, -1, -2))
    ]
    references = kind.exact(case)
    errors = [max(_distances(kind, P, references)[k] for P in ways) for k in range(len(references))]
    if max(errors) <= ACCURATE:
        return found
    moved = [kind.exact(other) for other in kind.others(case)]
    for k, error in enumerate(errors):
        change = max(kind.distance(other[k], references[k]) for other in moved)
        if not error <= max(ACCURATE, MULTIPLE * change):
            found.append(f"{case.name}, t = {case.times[k]:.17g}: error {error:.1e}, one ulp changes {change:.1e}")
    return found


def _distances(kind: Kind, states: Array, references: list[Any]) -> list[float]:
    return [kind.distance(mp.matrix(P.tolist()), exact) for P, exact in zip(states, references, strict=True)]


def loss_faults(case: Case, kind: Kind) -> list[str]:
    """Return such times for the sum of squares of Sigma - W2 W1, relative to itself, down to what rounding leaves."""
    when, rounding, found = range(len(case.times))[kind.losses], kind.rounding(case), list[str]()
    references, times = kind.exact(case), case.times[kind.losses]
    computed = zip(robust.distances(seen(case), times), fast.distances(seen(case), times), strict=True)
    for k, both in zip(when, computed, strict=True):
        reference = exact_misfit(case, references[k])
        value = worse_of(both, reference)
        gap = abs(mp.mpf(float(value)) - reference)
        if gap <= ACCURATE * reference or value <= rounding >= reference:
            continue
        change = max(abs(exact_misfit(other, kind.exact(other)[k]) - reference) for other in kind.others(case))
        if gap > MULTIPLE * change:
            found.append(f"{case.name}, t = {case.times[k]:.17g}: {value} for {mp.nstr(reference, 17)}")
    return found


def worse_of(both: tuple[float, float], exact: Any) -> float:
    """Return the one of two values that is farther from the exact value; the fast way may leave it to the other."""
    return max((float(one) for one in both if not np.isnan(one)), key=lambda one: abs(mp.mpf(one) - exact))
