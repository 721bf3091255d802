"""What the check of a trajectory costs, by an estimate that is spent before the work is done.

A long trajectory may take somewhat longer than other evidence: its nanoseconds are counted as less.
"""

from __future__ import annotations

import math

from flint import ctx

from derivations.recheck.budget import spend
from derivations.recheck.kinds.flows.trajectories.jets import Flow

SHARE = 0.4  # of a unit of the budget for one nanosecond
NODE, TERM, SERIES, PRODUCT = 900, 110, 2500, 40  # nanoseconds at 128 bits: see below


def spend_on_steps(steps: int, order: int, flow: Flow) -> None:
    n = len(flow.rates)
    coefficients = 3 * len(flow.moving) * (NODE * order + TERM * order * order // 2)
    jacobian = len(flow.slope_nodes) * (SERIES + PRODUCT * order * order // 2)
    phi = (n**3 * PRODUCT // 2 + 12_000) * order * order // 2
    spend(round(SHARE * steps * (coefficients + jacobian + phi) * _slower()))


def spend_on_iterations(iterations: int, system: Flow) -> None:
    n = len(system.rates)
    once = 3 * NODE * (len(system.asked) + len(system.slope_nodes)) + 6 * PRODUCT * n**3 + 100_000
    spend(round(SHARE * iterations * once * _slower()))


def _slower() -> float:
    """How much longer one product takes at the precision in force."""
    words: float = ctx.prec / 192
    return max(1.0, words * math.sqrt(words))
