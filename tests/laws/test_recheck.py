"""The certificates of the papers: the checker accepts them and none of their corruptions."""

from __future__ import annotations

import random

import pytest
from papers_and_claims import as_read, claims, name
from recheck.corrupt import corruptions

from derivations.audit.ledger import hypotheses, not_needed
from derivations.paper.model import Claim
from derivations.prove.certificate import Verdict
from derivations.recheck import Rejected, check

pytestmark = pytest.mark.laws

MOST = 80  # corruptions of one certificate; a large one has two thousand, a third of a second each


def is_accepted(certificate: dict[str, object]) -> bool:
    try:
        check(certificate)
    except Rejected:
        return False
    return True


@pytest.mark.parametrize("claim", claims(), ids=name)
def test_a_certificate_is_accepted_and_none_of_its_corruptions_is(claim: Claim) -> None:
    certificate, rng = as_read(claim), random.Random(claim.id)
    assert is_accepted(certificate)
    assert [what for what, broken in corruptions(certificate, rng, MOST) if is_accepted(broken)] == []


NEEDED = [claim for claim in claims() if claim.needed_by]


@pytest.mark.parametrize("claim", NEEDED, ids=name)
def test_a_hypothesis_without_which_a_claim_fails_is_not_called_unneeded(claim: Claim) -> None:
    whole = next(other for other in claims() if other.id == claim.needed_by)
    assert claim.certificate.verdict is Verdict.REFUTED
    dropped = set(hypotheses(whole.certificate)) - set(hypotheses(claim.certificate))
    # of several that are dropped together, some may say what the others say, but not all
    assert not (dropped and dropped <= set(not_needed(whole.certificate)))
