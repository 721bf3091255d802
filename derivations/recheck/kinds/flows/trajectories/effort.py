"""What the check of a trajectory costs, by estimates that are spent before the work is done.

A long trajectory may take somewhat longer than other evidence: its nanoseconds are counted as less. The constants were
measured, and lie somewhat above what was.
"""

from __future__ import annotations

from flint import ctx

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.kinds.flows.trajectories.jets import Flow

SHARE = 0.4  # of a unit of the budget for one nanosecond
BASE, NODE, TERM, SERIES, PRODUCT = 400_000, 550, 60, 2500, 20  # nanoseconds: see the functions below
MATRIX, ENTRY, TURNED, VALUE, POLYNOMIAL, BOX, EXPONENTIAL = 4_000, 15, 300, 300, 25, 700, 3_000
MOST_COEFFICIENTS = 1_000_000  # that are held at a time


def spend_on_steps(steps: int, order: int, flow: Flow) -> None:
    """What any step costs; the rest is spent by the way in which it is verified."""
    if (len(flow.asked) + len(flow.slope_nodes)) * order > MOST_COEFFICIENTS:
        raise Rejected("the system is too large for series of that order: take a lower one")
    _spend(steps * (BASE + TURNED * len(flow.rates) ** 3 + VALUE * len(flow.slope_nodes)))


def spend_on_an_enclosure(order: int, flow: Flow) -> None:
    """Three courses of coefficients, the series of the Jacobian, and the variational equation."""
    _spend(3 * _course(order, flow) + _series(len(flow.slope_nodes), order) + _products(order, flow))


def spend_on_a_comparison(order: int, flow: Flow) -> None:
    """A course of coefficients, longer series of the rates, those of the Jacobian, and bounds of matrices."""
    series = _series(len(flow.rate_nodes), 2 * order) + _series(len(flow.slope_nodes), order)
    _spend(_course(order, flow) + series + _products(order, flow) + EXPONENTIAL * len(flow.rates) ** 3)


def spend_on_a_box(nodes: int) -> None:
    """Values on a complex box."""
    _spend(BASE // 20 + BOX * nodes)


def _course(order: int, flow: Flow) -> int:
    return len(flow.moving) * (NODE * order + TERM * order * order // 2)


def _series(nodes: int, length: int) -> int:
    return nodes * (SERIES + PRODUCT * length * length // 2)


def _products(order: int, flow: Flow) -> int:
    return (MATRIX + ENTRY * len(flow.rates) ** 3) * (order * order // 2 + 8 * order)


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
