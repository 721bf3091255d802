"""Statements about every solution of a flow, or of a map, from a box of starts: the whole tube is computed again.

The evidence of a flow is the length of each step with a box; that a step holds what it says is verified by Taylor
coefficients and a Jacobian computed here (see `tube`), and what is said of the solutions along it (see `judging`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from flint import ctx, fmpq

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, integer, part, shown
from derivations.recheck.kinds.flows.trajectories import effort, maps
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, Claim, Interval, dyadic
from derivations.recheck.kinds.flows.trajectories.jets import Flow
from derivations.recheck.kinds.flows.trajectories.judging import Judge, judge_of_failure, judges_of
from derivations.recheck.kinds.flows.trajectories.quantities import Stretch
from derivations.recheck.kinds.flows.trajectories.sets import Stated, begin
from derivations.recheck.kinds.flows.trajectories.tube import Step

LEAST_BITS, MOST_BITS, MOST_ORDER, MOST_STEPS = 24, 1000, 100, 200_000


def check_trajectory(certificate: Data, check: Callable[[Data], str]) -> None:
    statement, payload, refuted = certificate["statement"], certificate["payload"], certificate["verdict"] == "refuted"
    if not refuted and certificate["verdict"] != "certified":
        raise Rejected(f"what is said of a trajectory is certified or refuted, not {certificate['verdict']}")
    claim = Claim(statement)
    fails = part(payload, "fails", dict, "the payload") if refuted else None
    settles = _settles(claim, payload) if not refuted else {}
    keys = {"bits", *(("order", "steps") if claim.form == FLOW else ("iterations",))}
    keys |= {"fails"} if refuted else {"settles"} if settles else set()
    if set(payload) != keys:
        raise Rejected(f"the evidence for a trajectory has the parts {sorted(keys)}, got {sorted(payload)}")
    bits = integer(payload["bits"], LEAST_BITS, MOST_BITS, "the precision in bits")
    with ctx.workprec(bits):
        judges = [judge_of_failure(claim, fails)] if fails is not None else judges_of(claim, settles)
        latest = max(judge.until for judge in judges)
        _judge(judges, _steps(claim, payload, latest) if claim.form == FLOW else maps.moments(claim, payload, latest))


def _settles(claim: Claim, payload: Data) -> dict[int, Data]:
    """The evidence for each 'converges', by the number of what is said."""
    wanted = [number for number, said in enumerate(claim.says) if said.that == "converges"]
    if not wanted and "settles" not in payload:
        return {}
    found = {}
    for entry in part(payload, "settles", tuple, "the payload"):
        if not isinstance(entry, dict):
            raise Rejected(f"a neighbourhood must be an object, got {shown(entry)}")
        found[part(entry, "says", int, "a neighbourhood")] = entry
    if sorted(found) != wanted or len(payload["settles"]) != len(wanted):
        raise Rejected(f"neighbourhoods are needed for what is said under {wanted}, and given for {sorted(found)}")
    return found


def _judge(judges: Sequence[Judge], tube: Iterator[Stretch]) -> None:
    stretch = None
    try:
        for stretch in tube:
            for judge in judges:
                judge.see(stretch)
    except (Undefined, ZeroDivisionError, ValueError):
        after = stretch.end if stretch is not None else 0
        raise Rejected(
            f"the system or its derivatives have no finite value somewhere in the step after time {after}"
        ) from None
    if not all(judge.done for judge in judges):
        raise Rejected("the tube ends before the latest time of which something is said")


def _steps(claim: Claim, payload: Data, latest: Rational) -> Iterator[Step]:
    """The verified steps of a flow, which must reach the latest time and not go on after it."""
    order = integer(payload["order"], 1, MOST_ORDER, "the order")
    steps = part(payload, "steps", tuple, "the payload")
    if not 0 < len(steps) <= MOST_STEPS:
        raise Rejected(f"a trajectory has from 1 to {MOST_STEPS} steps, got {len(steps)}")
    flow = Flow(claim.program, claim.rates, claim.asked, claim.still)
    effort.spend_on_steps(len(steps), order, flow)
    states, start = begin(claim.start)
    now = fmpq(0)
    for number, data in enumerate(steps):
        length, box = _step(claim, data)
        if number and now >= latest:
            raise Rejected(f"the steps go on after time {latest}, the latest of which something is said")
        step = Step(flow, states, start, order, Stated(now, length, box))
        yield step
        states, now = step.after(), now + length


def _step(claim: Claim, data: Data) -> tuple[Rational, list[Interval]]:
    """The length of a step, and its a-priori box, which holds the start of each constant state."""
    if not isinstance(data, tuple) or len(data) != 1 + len(claim.names):
        raise Rejected(f"a step is its length and an interval for each of {claim.names}, got {shown(data)}")
    length = dyadic(data[0], "the length of a step")
    if length <= 0:
        raise Rejected(f"the length of a step must be positive, got {length}")
    box = []
    for x, ends in zip(claim.names, data[1:], strict=True):
        if not isinstance(ends, tuple) or len(ends) != 2:
            raise Rejected(f"the a-priori box of {x} must be an interval with two ends, got {shown(ends)}")
        low, high = (dyadic(end, f"an end of the a-priori box of {x}") for end in ends)
        if low > high:
            raise Rejected(f"the a-priori box of {x} is empty: {low} lies above {high}")
        box.append((low, high))
    for i in claim.still:
        if box[i][0] > claim.start[i][0] or box[i][1] < claim.start[i][1]:
            raise Rejected(f"the a-priori box of {claim.names[i]}, which is constant, does not hold its start")
    return length, box
