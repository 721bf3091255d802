"""Random statements of every kind: no verdict contradicts numbers, and the checker agrees with the prover."""

from __future__ import annotations

import random

import pytest
from fuzz.drawn import Drawn
from fuzz.judge import TooLong, judge, patience
from fuzz.statements import MAKERS

from derivations import prove
from derivations.text import DerivationError

pytestmark = pytest.mark.filterwarnings("ignore")
SEEDS = range(24)
STATEMENTS = 50  # of one seed
SOON = 0.5  # seconds of the processor, in which almost all that is refuted is; to leave a statement open takes many
SEEN = {"solution": 0.5, "integral": 0.4, "integral order": 0.4}
"""The least part of the false ones that numbers see; 0.8 of other kinds."""


@pytest.mark.parametrize("seed", SEEDS)
def test_no_verdict_contradicts_numbers(seed: int) -> None:
    outcome = judge(seed, STATEMENTS)
    assert outcome.count == STATEMENTS
    assert outcome.unsound == []
    assert outcome.rejected == []


THEOREMS = (
    "comparison on an interval", "bound from an inequality", "invariant set", "invariant box",
    "comparison along a flow", "motion to rest", "linear part", "linear part on a line",
)  # fmt: skip
"""Kinds of statements that theorems conclude or leave open, and never refute."""
REFUSED = ("bound letter", "exponent that is given")
"""Kinds of statements that are mostly refused at the door, or proved."""


@pytest.mark.parametrize("kind", [kind for kind in MAKERS if kind not in (*THEOREMS, *REFUSED)])
def test_numbers_see_through_a_prover_that_says_yes_to_everything(kind: str) -> None:
    """Statements that are refuted with a witness are false: most of them contradict numbers at random points."""
    seen = refuted = 0
    for k in range(80):
        rng = random.Random(f"yes/{kind}/{k}")
        drawn = MAKERS[kind][0](rng)
        if _is_refuted(drawn):
            refuted += 1
            seen += drawn.contradiction(rng) is not None
    assert refuted >= 8
    assert seen >= SEEN.get(kind, 0.8) * refuted


def _is_refuted(drawn: Drawn) -> bool:
    try:
        with patience(SOON):
            return drawn.prove().verdict is prove.Verdict.REFUTED
    except (DerivationError, TooLong, SystemError):
        return False
