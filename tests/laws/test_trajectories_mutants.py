"""Certificates of every question about time with something changed: what the checker still takes is still true."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from fuzz.courses import Lost
from fuzz.mutants import certificates, mutant, trouble

from derivations.recheck import Rejected, check
from derivations.text import DerivationError

pytestmark = pytest.mark.filterwarnings("ignore")
MUTANTS = 30  # of each certificate
CERTIFICATES = certificates()


def mutants(name: str, count: int) -> list[tuple[Any, random.Random]]:
    """Changed certificates, without those of which the prover cannot say anything."""
    found = []
    for number in range(count):
        rng = random.Random(f"{name}/{number}")
        try:
            found.append((mutant(rng, CERTIFICATES[name]), rng))
        except (DerivationError, ZeroDivisionError):
            continue
    return found


def is_taken(certificate: Any) -> bool:
    try:
        check(json.loads(json.dumps(certificate)))
    except Rejected:
        return False
    return True


@pytest.mark.parametrize("name", CERTIFICATES)
def test_what_is_still_taken_is_still_true(name: str) -> None:
    assert is_taken(CERTIFICATES[name])
    found = mutants(name, MUTANTS)
    taken = [(each, rng) for each, rng in found if is_taken(each)]
    assert len(found) > MUTANTS / 2
    assert 0 < len(taken) < len(found)
    whole = CERTIFICATES[name]
    for each, rng in taken:
        if each["statement"] != whole["statement"] or each["verdict"] != whole["verdict"]:
            assert trouble(rng, each) is None, each["statement"]


def test_false_mutants_are_seen() -> None:
    """A checker that took everything would be caught by the same solutions."""
    seen = 0
    for name in CERTIFICATES:
        for each, rng in mutants(name, 5):
            try:
                seen += trouble(rng, each) is not None
            except Lost:
                continue
    assert seen > len(CERTIFICATES)
