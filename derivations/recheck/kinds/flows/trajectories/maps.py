"""The tube of a map: each iteration takes the set {m + (x - m)} into g(m) + Dg (x - m), Dg over the hull of the set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flint import arb, arb_mat, fmpq

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, integer
from derivations.recheck.kinds.flows.trajectories import effort
from derivations.recheck.kinds.flows.trajectories.claims import Claim
from derivations.recheck.kinds.flows.trajectories.jets import Ball, Flow, values
from derivations.recheck.kinds.flows.trajectories.sets import States, begin, moved

MOST_ITERATIONS = 1_000_000


class Moment:
    """The set after a number of iterations."""

    def __init__(self, states: States, start: Any, number: int) -> None:
        self.states, self.start = states, start
        self.begin = self.end = fmpq(number)
        self.order = 1
        self.hull = states.hull(start)
        if not all(each.is_finite() for each in self.hull):
            raise Undefined
        self.coordinates = states.coordinates(start)

    def rough(self, low: Rational, high: Rational) -> list[Ball]:
        return self.hull

    fine = rough

    def around_centre(self, moment: Rational) -> tuple[list[Ball], list[list[Ball]]]:
        return self.states.centre, self.states.directions().tolist()


def moments(claim: Claim, payload: Data, latest: Rational) -> Iterator[Moment]:
    """The sets after 0, 1, ... iterations, up to the latest of which something is said."""
    iterations = integer(payload["iterations"], 0, MOST_ITERATIONS, "the number of iterations")
    if iterations != latest:
        raise Rejected(
            f"the evidence has {iterations} iterations, and the latest of which something is said is {latest}"
        )
    system = Flow(claim.program, claim.rates, claim.asked, claim.still)
    effort.spend_on_iterations(iterations, system)
    states, start = begin(claim.start)
    here = Moment(states, start, 0)
    yield here
    for number in range(iterations):
        here = Moment(_next(system, here, arb(number)), start, number + 1)
        yield here


def _next(system: Flow, here: Moment, time: Ball) -> States:
    slopes = system.jacobian(here.hull, time)
    values(system.program, system.asked, here.hull, time)  # all that the map is made of has a value over the set
    found = values(system.program, system.asked, here.states.centre, time)
    n, zero = len(here.hull), arb(0)
    slope = arb_mat(n, n, [slopes.get((i, j), zero) for i in range(n) for j in range(n)])
    return moved(here.states, here.start, [found[rate] for rate in system.rates], slope, system.still)
