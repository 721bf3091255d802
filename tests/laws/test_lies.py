"""Lies: false variants of every claim are told apart from the true ones, all of them."""

from __future__ import annotations

import pytest
from papers_and_claims import claims, name

from derivations.audit.lies import statements as mutants
from derivations.paper.entries import Claim


@pytest.mark.parametrize("claim", claims(), ids=name)
def test_every_lie_about_a_claim_is_decided_none_is_proved_and_three_are_refuted(claim: Claim) -> None:
    tally = mutants.tell(claim)
    assert tally.survived == []
    assert tally.open == []
    assert tally.killed >= 3
