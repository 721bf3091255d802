"""Statements about every solution of a flow, or of a map, from a box of starts: the whole tube is computed again.

The evidence of a flow is for each step its length, a box, and a frame; that a step holds what it says is verified here
(see `step`), and what is said of the solutions along it (see `questions` and `settling`). Each iteration of a map takes
the set {m + (x - m)} into g(m) + Dg (x - m), with Dg over the hull of the set.
"""

from __future__ import annotations

from collections.abc import Iterator

from flint import arb, ctx, fmpq

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import Check, Data, Rational, rational, require
from derivations.recheck.core.shapes import read
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, ZERO, Claim, interval
from derivations.recheck.kinds.flows.trajectories.formulas import Ball
from derivations.recheck.kinds.flows.trajectories.questions import Judge, judges_of, judges_of_failure
from derivations.recheck.kinds.flows.trajectories.settling import Settled
from derivations.recheck.kinds.flows.trajectories.step import (
    Beside,
    Matrix,
    States,
    Step,
    System,
    identity,
    square,
)

ITERATION_WORK = 100_000  # see `spend`


def check_trajectory(certificate: Data, _: Check) -> None:
    payload, fails, claim = certificate["payload"], certificate["verdict"] == "refuted", Claim(certificate["statement"])
    keys = {"bits", "fails" if fails else "shows", *(("order", "steps") if claim.form == FLOW else ("iterations",))}
    require(set(payload) == keys, f"the evidence for a trajectory has the parts {sorted(keys)}, got {sorted(payload)}")
    with ctx.workprec(payload["bits"]):
        system = System(claim)
        judges: list[Judge | Settled] = []
        if fails:
            judges += judges_of_failure(claim, system, payload["fails"])
            latest = judges[-1].end
        else:
            shows, latest = payload["shows"], claim.latest
            require(len(shows) == len(claim.says), f"{len(claim.says)} things are said, and shown are {len(shows)}")
            for said, each in zip(claim.says, shows, strict=True):
                settles = said.that == "converges"
                judges += [Settled(claim, system, said, each)] if settles else judges_of(claim, system, said, each)
        after = fmpq(-1)
        try:
            for stretch in (_steps if claim.form == FLOW else iterates)(claim, system, payload, latest):
                for judge in judges:
                    judge.see(stretch)
                after = stretch.end
        except (Undefined, ZeroDivisionError, ValueError):
            require(
                False, f"the system or its derivatives have no finite value somewhere in the step after time {after}"
            )
        require(after >= latest, "the tube ends before the latest time of which something is said")


def _steps(claim: Claim, system: System, payload: Data, latest: Rational) -> Iterator[Step]:
    """The verified steps of a flow, which must reach the latest time and not go on after it."""
    order, steps, n = payload["order"], payload["steps"], len(claim.names)
    states, now = States.of(claim.start), ZERO
    for number, data in enumerate(steps):
        require(not number or now < latest, f"the steps go on after time {latest}, the latest that is spoken of")
        read(["rational", "[interval]", "[list]"], data, "a step")
        length, sides = rational(data[0]), [interval(each, "the box of a step") for each in data[1]]
        require(length > 0, f"the length of a step must be positive, got {length}")
        require(len(sides) == n, f"a step has an interval for each of {claim.names}")
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
    count = payload["iterations"]
    require(count == latest, f"the evidence has {count} iterations, and the latest that is spoken of is {latest}")
    here = Moment(States.of(claim.start), 0)
    yield here
    for number in range(count):
        spend(ITERATION_WORK)
        image, slopes = system.values(here.states.centre, arb(number)), system.slopes(here.hull, arb(number))
        here = Moment(here.states.moved(image, slopes * here.states.directions, identity(system.size)), number + 1)
        yield here
