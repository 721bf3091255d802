"""What the check of a trajectory costs, by estimates that are spent before the work is done.

A long trajectory may take somewhat longer than other evidence: its nanoseconds are counted as less. The constants were
measured, and lie somewhat above what was.
"""

from __future__ import annotations

from flint import ctx

from derivations.recheck.budget import spend
from derivations.recheck.errors import Rejected
from derivations.recheck.kinds.flows.trajectories.jets import Flow

SHARE = 0.4  # of a unit of the budget for one nanosecond
BASE, NODE, TERM, SERIES, PRODUCT = 400_000, 550, 60, 2500, 20  # nanoseconds: see `_of_a_step`
MATRIX, ENTRY, TURNED, VALUE, POLYNOMIAL = 4_000, 15, 300, 300, 25
MOST_COEFFICIENTS = 1_000_000  # that are held at a time


def spend_on_steps(steps: int, order: int, flow: Flow) -> None:
    if (len(flow.asked) + len(flow.slope_nodes)) * order > MOST_COEFFICIENTS:
        raise Rejected("the system is too large for series of that order: take a lower one")
    _spend(steps * _of_a_step(order, flow))


def _of_a_step(order: int, flow: Flow) -> int:
    """Three courses of coefficients, the series of the Jacobian, the variational equation, and a new frame."""
    n, pairs = len(flow.rates), order * order // 2
    courses = 3 * len(flow.moving) * (NODE * order + TERM * pairs)
    jacobian = len(flow.slope_nodes) * (SERIES + PRODUCT * pairs)
    return BASE + courses + jacobian + (MATRIX + ENTRY * n**3) * (pairs + 4 * order) + TURNED * n**3


def spend_on_iterations(iterations: int, system: Flow) -> None:
    n = len(system.rates)
    values = VALUE * (2 * len(system.asked) + len(system.slope_nodes))
    _spend(iterations * (BASE // 4 + values + 10 * (MATRIX + ENTRY * n**3) + TURNED * n**3))


def spend_on_a_piece(nodes: int, states: int, coefficients: int) -> None:
    """All states at some time, from polynomials in it, and a program of some nodes there."""
    _spend(BASE // 20 + VALUE * nodes + POLYNOMIAL * states * coefficients)


def _spend(nanoseconds: int) -> None:
    slower = max(1.0, 1 + (ctx.prec - 128) / 500)
    spend(round(SHARE * slower * nanoseconds))
