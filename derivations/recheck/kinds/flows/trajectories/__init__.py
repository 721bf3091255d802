"""Statements about every solution of a flow, or of a map, from a box of starts: the whole tube is computed again.

The evidence of a flow is the length of each step, a box, and perhaps a frame; that a step holds what it says is
verified here (see `step`), and what is said of the solutions along it (see `questions` and `settling`). Each iteration
of a map takes the set {m + (x - m)} into g(m) + Dg (x - m), with Dg over the hull of the set.

There is one kind of step. What is kept beside it is needed: a frame, since without one what is lost is wrapped in boxes
and grows by hundreds of digits on a chaotic flow; iterations of maps, for gradient descent with finite steps and for
points of rest with their directions; neighbourhoods, since no tube reaches all later times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flint import arb, ctx, fmpq

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, integer, part, rational, shown
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, Claim, dyadic, numbers
from derivations.recheck.kinds.flows.trajectories.questions import Judge, Stretch, judge_of, judge_of_failure
from derivations.recheck.kinds.flows.trajectories.series import Ball
from derivations.recheck.kinds.flows.trajectories.sets import States, begin, identity, square
from derivations.recheck.kinds.flows.trajectories.settling import settled
from derivations.recheck.kinds.flows.trajectories.step import Stated, Step, System

LEAST_BITS, MOST_BITS, MOST_ORDER, MOST_STEPS, MOST_ITERATIONS = 24, 1000, 100, 200_000, 1_000_000
ITERATION_WORK = 100_000  # see `spend`


def check_trajectory(certificate: Data, check: Callable[[Data], str]) -> None:
    payload, refuted = certificate["payload"], certificate["verdict"] == "refuted"
    if not refuted and certificate["verdict"] != "certified":
        raise Rejected(f"what is said of a trajectory is certified or refuted, not {certificate['verdict']}")
    claim = Claim(certificate["statement"])
    wanted = [] if refuted else [number for number, said in enumerate(claim.says) if said.that == "converges"]
    keys = {"bits", *(("order", "steps") if claim.form == FLOW else ("iterations",))}
    keys |= {"fails"} if refuted else {"settles"} if wanted else set()
    if set(payload) != keys:
        raise Rejected(f"the evidence for a trajectory has the parts {sorted(keys)}, got {sorted(payload)}")
    with ctx.workprec(integer(payload["bits"], LEAST_BITS, MOST_BITS, "the precision in bits")):
        system = System(claim.program, claim.rates, claim.asked, claim.still)
        if refuted:
            judge, latest = judge_of_failure(claim, part(payload, "fails", dict, "the payload"))
            judges = [judge]
        else:
            judges, latest = _judges(claim, system, wanted, payload), max(said.end for said in claim.says)
        stretches = _steps if claim.form == FLOW else _iterations
        _judge(judges, stretches(claim, system, payload, latest), latest)


def _judges(claim: Claim, system: System, wanted: list[int], payload: Data) -> list[Judge]:
    """One judge for each thing that is said; those of "converges" have evidence of their own."""
    evidence = part(payload, "settles", tuple, "the payload") if wanted else ()
    if [each.get("says") if isinstance(each, dict) else None for each in evidence] != wanted:
        raise Rejected(f"neighbourhoods are needed for what is said under {wanted}, got {shown(evidence)}")
    near = dict(zip(wanted, evidence, strict=True))
    return [
        settled(claim, system, said, near[number]) if number in near else judge_of(claim, said)
        for number, said in enumerate(claim.says)
    ]


def _judge(judges: list[Judge], tube: Iterator[Stretch], latest: Rational) -> None:
    after = None
    try:
        for stretch in tube:
            for judge in judges:
                judge(stretch)
            after = stretch.end
    except (Undefined, ZeroDivisionError, ValueError):
        raise Rejected(
            f"the system or its derivatives have no finite value somewhere in the step after time {after or 0}"
        ) from None
    if after is None or after < latest:
        raise Rejected("the tube ends before the latest time of which something is said")


# --- flows ------------------------------------------------------------------------------------------------------------


def _steps(claim: Claim, system: System, payload: Data, latest: Rational) -> Iterator[Step]:
    """The verified steps of a flow, which must reach the latest time and not go on after it."""
    order = integer(payload["order"], 1, MOST_ORDER, "the order of the steps")
    steps = part(payload, "steps", tuple, "the payload")
    if not 0 < len(steps) <= MOST_STEPS:
        raise Rejected(f"a trajectory has from 1 to {MOST_STEPS} steps, got {len(steps)}")
    states, now = begin(claim.start), fmpq(0)
    for number, data in enumerate(steps):
        if number and now >= latest:
            raise Rejected(f"the steps go on after time {latest}, the latest of which something is said")
        step = Step(system, states, order, _stated(claim, data, now))
        yield step
        states, now = step.after(), step.end


def _stated(claim: Claim, data: Data, now: Rational) -> Stated:
    """A step: its length, an a-priori box that holds the start of each constant state, and perhaps a frame."""
    n = len(claim.names)
    if not isinstance(data, tuple) or len(data) not in (1 + n, 2 + n):
        raise Rejected(f"a step is its length, an interval for each of {claim.names}, and a frame, got {shown(data)}")
    length = dyadic(rational(data[0], "the length of a step"), "the length of a step")
    if length <= 0:
        raise Rejected(f"the length of a step must be positive, got {length}")
    box = []
    for i, x in enumerate(claim.names):
        low, high = (
            dyadic(end, f"an end of the a-priori box of {x}")
            for end in numbers(data[1 + i], 2, f"the a-priori box of {x}")
        )
        if low > high:
            raise Rejected(f"the a-priori box of {x} is empty: {low} lies above {high}")
        if i in claim.still and not low <= claim.start[i][0] <= claim.start[i][1] <= high:
            raise Rejected(f"the a-priori box of {x}, which is constant, does not hold its start")
        box.append((low, high))
    return Stated(now, length, box, square(data[1 + n], n) if len(data) > 1 + n else identity(n))


# --- maps -------------------------------------------------------------------------------------------------------------


class Moment:
    """The set after a number of iterations."""

    def __init__(self, states: States, number: int) -> None:
        self.states, self.begin, self.end, self.hull = states, fmpq(number), fmpq(number), states.hull()
        self.coordinates = states.coordinates
        if not all(each.is_finite() for each in self.hull):
            raise Undefined

    def rough(self, low: Rational, high: Rational) -> list[Ball]:
        return self.hull

    fine = rough

    def around_centre(self, low: Rational, high: Rational) -> tuple[list[Ball], list[list[Ball]]]:
        return self.states.centre, self.states.directions.tolist()


def _iterations(claim: Claim, system: System, payload: Data, latest: Rational) -> Iterator[Moment]:
    """The sets after 0, 1, ... iterations, up to the latest of which something is said."""
    iterations = integer(payload["iterations"], 0, MOST_ITERATIONS, "the number of iterations")
    if iterations != latest:
        raise Rejected(
            f"the evidence has {iterations} iterations, and the latest of which something is said is {latest}"
        )
    here = Moment(begin(claim.start), 0)
    yield here
    for number in range(iterations):
        spend(ITERATION_WORK)
        _, slopes = system.values(here.hull, arb(number))
        image, _ = system.values(here.states.centre, arb(number))
        here = Moment(here.states.moved(image, slopes, identity(len(image))), number + 1)
        yield here
