"""The tubes that the checker computes hold the solutions that other code computes, to 34 digits."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from typing import Any

import pytest
from flint import arb, ctx, fmpq
from fuzz.courses import Course, Lost
from fuzz.trajectories import TIME, Drawn, drawn
from mpmath import mp

from derivations import prove
from derivations.recheck import Rejected, check
from derivations.recheck.kinds.flows import trajectories
from derivations.text import DerivationError

pytestmark = pytest.mark.filterwarnings("ignore")
LATEST = Fraction(1, 2)  # to which tubes are made: other code takes long for more
SURE = arb(10) ** -34  # of its size: how well the other solution is known


def tube(case: Drawn, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The steps that the checker makes for the evidence of a flow; none where it has none or refuses it."""
    steps: list[Any] = []
    made = trajectories.Step

    def step(*arguments: Any) -> Any:
        steps.append(made(*arguments))
        return steps[-1]

    monkeypatch.setattr(trajectories, "Step", step)
    try:
        found = prove.trajectory(case.rates, case.start, min(case.until, LATEST), time=TIME)
        if found.verdict is prove.Verdict.OPEN:
            return []
        check(json.loads(json.dumps(found.as_json())))
    except (DerivationError, Rejected):
        return []
    finally:
        monkeypatch.undo()
    return steps


def misses(case: Drawn, steps: list[Any], rng: random.Random, shift: Any = 0) -> int:
    """How often a solution from the start is not where the tube has it, each shifted by some parts of its box."""
    point = {s: low + (high - low) * Fraction(rng.randint(0, 64), 64) for s, (low, high) in case.start.items()}
    course, found = Course(case.rates, point, TIME), 0
    with mp.workdps(50), ctx.workprec(256):
        for step in rng.sample(steps, min(3, len(steps))):
            moment = step.begin + (step.end - step.begin) * fmpq(rng.randint(0, 64), 64)
            values = course.at(Fraction(int(moment.p), int(moment.q)))
            for states in (step.at(moment, moment), step.at(step.begin, step.end)):
                for state, value in zip(states, values, strict=True):
                    exact = arb(mp.nstr(value, 48))
                    known = exact + arb(0, (SURE * (1 + abs(exact))).abs_upper())
                    found += not (state + shift * (state.rad() + known.rad())).overlaps(known)
    return found


@pytest.mark.parametrize("seed", range(8))
def test_solutions_lie_in_the_tube_of_the_checker(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    for k in range(6):
        rng = random.Random(f"tubes/{seed}/{k}")
        case = drawn(rng)
        steps = tube(case, monkeypatch) if case.form == "flow" else []
        try:
            if steps:
                assert misses(case, steps, rng) == 0, case
                assert misses(case, steps, rng, shift=5) > 0, case
                compared += 1
        except Lost:
            continue
    assert compared > 0
