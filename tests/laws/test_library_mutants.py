"""No mutant of the code that the ledger vouches for survives the papers, and the tests of what they do not use.

A fifth of them is met here, another one with each seed of the laws; `python -m benchmarks.mutants` meets all.
"""

from __future__ import annotations

import os

import pytest

from benchmarks.mutants import VOUCHED, Mutant, chosen, fate_of, recorded
from derivations.text.processes import cores

PAPERS = {paper for papers in VOUCHED.values() for paper in papers}
MET = chosen([], 1 / 5, os.environ.get("LAWS_SEED", ""))


@pytest.mark.parametrize("mutant", MET, ids=lambda mutant: mutant.name.replace(" ", "_"))
def test_a_mutant_is_noticed(mutant: Mutant) -> None:
    assert not fate_of(mutant, recorded(PAPERS, cores())).survived
