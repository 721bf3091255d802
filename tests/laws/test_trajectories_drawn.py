"""Random flows and maps: solutions that other code computes do what is certified, and the checker agrees."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from fuzz.courses import Lost
from fuzz.trajectories import TIME, contradiction, drawn, judge, samples
from mpmath import mp

from derivations import prove
from derivations.text import DerivationError

pytestmark = pytest.mark.filterwarnings("ignore")
SEEDS = range(16)
FLOWS = 20  # of one seed


@pytest.mark.parametrize("seed", SEEDS)
def test_solutions_lie_in_every_enclosure(seed: int) -> None:
    outcome = judge(seed, FLOWS)
    assert sum(outcome.verdicts.values()) == FLOWS
    assert outcome.compared > FLOWS / 2
    assert outcome.unsound == []
    assert outcome.rejected == []


def test_a_box_that_is_moved_is_seen() -> None:
    """The comparison sees through enclosures that are wrong by little more than their width."""
    moved = seen = 0
    for k in range(60):
        rng = random.Random(f"moved/{k}")
        case = drawn(rng)
        try:
            ask = prove.trajectory if case.form == "flow" else prove.iteration
            found = ask(case.rates, case.start, case.until, time=TIME)
            if found.verdict is prove.Verdict.CERTIFIED:
                with mp.workdps(50):
                    seen += contradiction(case, _moved(found), [], next(samples(rng, case))) is not None
                moved += 1
        except (DerivationError, Lost):
            continue
    assert moved > 20
    assert seen == moved


def _moved(found: prove.Certificate) -> prove.Certificate:
    said: Any = found.statement["says"][0]
    box = {name: _beside(*map(Fraction, ends)) for name, ends in said["box"].items()}
    return replace(found, statement=found.statement | {"says": [said | {"box": box}]})


def _beside(low: Fraction, high: Fraction) -> list[str]:
    width = (high - low) * Fraction(11, 10)
    return [str(low + width), str(high + width)]
