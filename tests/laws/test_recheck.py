"""The certificates of the papers: the checker accepts them and none of their corruptions."""

from __future__ import annotations

import gc
import json
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib import import_module
from unittest.mock import patch

import pytest
from papers_and_claims import as_read, claims, name
from recheck import certificates
from recheck.corrupt import worse

from derivations.audit.ledger import hypotheses, not_needed
from derivations.paper.entries import Claim
from derivations.prove.certificate import Verdict
from derivations.recheck import Rejected, check
from derivations.recheck.ways import Way

MOST, MANY = 40, 400  # corruptions of one certificate, of a small one; a large one has two thousand


@contextmanager
def remembering() -> Iterator[None]:
    """Evidence that was accepted is not looked at again: a corruption leaves most parts of a certificate as they are.

    The checker of evidence is given it and nothing else, so that it says the same of the same.
    """
    door = import_module("derivations.recheck.check")
    way_to, accepted = door.way_to, set()

    def remembered(*statement: str) -> Way:
        way = way_to(*statement)

        def once(certificate: dict[str, object], inner: Callable[[dict[str, object]], str]) -> None:
            key = sha256(json.dumps(certificate, default=repr).encode()).digest()
            if key not in accepted:
                way.check(certificate, inner)
                accepted.add(key)

        return way._replace(check=once)

    gc.disable()  # among millions of parts that stay, it would go through all of them again and again
    try:
        with patch.object(door, "way_to", remembered):
            yield
    finally:
        gc.enable()


def is_accepted(certificate: dict[str, object]) -> bool:
    try:
        check(certificate)
    except Rejected:
        return False
    return True


@pytest.mark.parametrize("claim", claims(), ids=name)
def test_a_certificate_is_accepted_and_none_of_its_corruptions_is(claim: Claim) -> None:
    certificate, rng = as_read(claim), random.Random(claim.id)
    with remembering():
        assert is_accepted(certificate)
        assert worse(certificate, rng, MOST, spare=2) == []


EVERY = certificates.every()


@pytest.mark.parametrize("made", sorted(EVERY))
def test_no_corruption_of_a_small_certificate_is_accepted(made: str) -> None:
    assert worse(EVERY[made], random.Random(made), MANY, spare=4) == []


NEEDED = [claim for claim in claims() if claim.needed_by]


@pytest.mark.parametrize("claim", NEEDED, ids=name)
def test_a_hypothesis_without_which_a_claim_fails_is_not_called_unneeded(claim: Claim) -> None:
    whole = next(other for other in claims() if other.id == claim.needed_by)
    assert claim.certificate.verdict is Verdict.REFUTED
    dropped = set(hypotheses(whole.certificate)) - set(hypotheses(claim.certificate))
    # of several that are dropped together, some may say what the others say, but not all
    assert not (dropped and dropped <= set(not_needed(whole.certificate)))
