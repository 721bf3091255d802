"""Statements about every solution of a flow, or of a map, from a box of starts: the whole tube is computed again.

The evidence of a flow is for each step its length, a box, and a frame; that a step holds what it says is verified here
(see `step`), and what is said of the solutions along it (see `questions` and `settling`). Each iteration of a map takes
the set {m + (x - m)} into g(m) + Dg (x - m), with Dg over the hull of the set.

There is one kind of step. What is kept beside it is needed: frames, since without them what is lost is wrapped in boxes
and grows by hundreds of digits on a chaotic flow; iterations of maps, for gradient descent with finite steps and for
points of rest with their directions; neighbourhoods, since no tube reaches all later times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from flint import arb, ctx, fmpq

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import Data, Rational, integer, part, rational, require, shown
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, ZERO, Claim, interval
from derivations.recheck.kinds.flows.trajectories.questions import Judge, Stretch, judges_of, judges_of_failure
from derivations.recheck.kinds.flows.trajectories.series import Ball
from derivations.recheck.kinds.flows.trajectories.sets import Matrix, States, identity, square
from derivations.recheck.kinds.flows.trajectories.settling import settled
from derivations.recheck.kinds.flows.trajectories.step import Beside, Step, System

LEAST_BITS, MOST_BITS, MOST_ORDER, MOST_STEPS, MOST_ITERATIONS = 24, 1000, 100, 200_000, 1_000_000
ITERATION_WORK = 100_000  # see `spend`


def check_trajectory(certificate: Data, check: Callable[[Data], str]) -> None:
    payload, verdict, claim = certificate["payload"], certificate["verdict"], Claim(certificate["statement"])
    keys = {"bits", *(("order", "steps") if claim.form == FLOW else ("iterations",))}
    keys |= {"fails" if verdict == "refuted" else "shows"}
    require(set(payload) == keys, f"the evidence for a trajectory has the parts {sorted(keys)}, got {sorted(payload)}")
    with ctx.workprec(integer(payload["bits"], LEAST_BITS, MOST_BITS, "the precision in bits")):
        system = System(claim)
        if verdict == "refuted":
            judges, latest = judges_of_failure(claim, part(payload, "fails", dict, "the payload"))
        else:
            judges, latest = _judges(claim, system, part(payload, "shows", tuple, "the payload")), claim.latest
        _judge(judges, (_steps if claim.form == FLOW else iterates)(claim, system, payload, latest), latest)


def _judges(claim: Claim, system: System, evidence: Data) -> list[Judge]:
    """The judges of all that is said, with evidence for each: a neighbourhood, or when an event has come."""
    require(len(evidence) == len(claim.says), f"{len(claim.says)} things are said, and shown are {len(evidence)}")
    found = []
    for said, given in zip(claim.says, evidence, strict=True):
        found += [settled(claim, system, said, given)] if said.that == "converges" else judges_of(claim, said, given)
    return found


def _judge(judges: list[Judge], tube: Iterator[Stretch], latest: Rational) -> None:
    after = fmpq(-1)
    try:
        for stretch in tube:
            for judge in judges:
                judge(stretch)
            after = stretch.end
    except (Undefined, ZeroDivisionError, ValueError):
        require(False, f"the system or its derivatives have no finite value somewhere in the step after time {after}")
    require(after >= latest, "the tube ends before the latest time of which something is said")


def _steps(claim: Claim, system: System, payload: Data, latest: Rational) -> Iterator[Step]:
    """The verified steps of a flow, which must reach the latest time and not go on after it."""
    order, n = integer(payload["order"], 1, MOST_ORDER, "the order of the steps"), len(claim.names)
    steps = part(payload, "steps", tuple, "the payload")
    require(0 < len(steps) <= MOST_STEPS, f"a trajectory has from 1 to {MOST_STEPS} steps, got {len(steps)}")
    states, now = States.of(claim.start), ZERO
    for number, data in enumerate(steps):
        require(not number or now < latest, f"the steps go on after time {latest}, the latest that is spoken of")
        require(
            isinstance(data, tuple) and len(data) == 3, f"a step has a length, a box and a frame, got {shown(data)}"
        )
        length, box = rational(data[0], "the length of a step"), data[1]
        require(length > 0, f"the length of a step must be positive, got {length}")
        require(isinstance(box, tuple) and len(box) == n, f"a step has an interval for each of {claim.names}")
        sides = [interval(each, f"the box of {x}") for x, each in zip(claim.names, box, strict=True)]
        step = Step(Beside(system, states, now, order), length, sides)
        yield step
        states, now = step.after(square(data[2], n)), step.end


class Moment:
    """The set after a number of iterations of a map."""

    def __init__(self, states: States, number: int) -> None:
        self.states, self.begin, self.end, self.hull = states, fmpq(number), fmpq(number), states.hull()
        self.coordinates = states.coordinates
        if not all(each.is_finite() for each in self.hull):
            raise Undefined

    def at(self, low: Rational, high: Rational) -> list[Ball]:
        return self.hull

    def around_centre(self, low: Rational, high: Rational) -> tuple[list[Ball], Matrix]:
        return self.states.centre, self.states.directions


def iterates(claim: Claim, system: System, payload: Data, latest: Rational) -> Iterator[Moment]:
    """The sets after 0, 1, ... iterations, up to the latest of which something is said."""
    count = integer(payload["iterations"], 0, MOST_ITERATIONS, "the number of iterations")
    require(count == latest, f"the evidence has {count} iterations, and the latest that is spoken of is {latest}")
    here = Moment(States.of(claim.start), 0)
    yield here
    for number in range(count):
        spend(ITERATION_WORK)
        _, slopes = system.values(here.hull, arb(number))
        image, _ = system.values(here.states.centre, arb(number))
        here = Moment(here.states.moved(image, slopes * here.states.directions, identity(len(image))), number + 1)
        yield here
