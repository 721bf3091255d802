"""No corruption of a correct certificate is accepted, and each is refused with one sentence."""

from __future__ import annotations

import random

import pytest
from recheck.corrupt import corruptions
from recheck.handmade import ALL, Json

from derivations.recheck import Rejected, check


def refusal(certificate: Json) -> str | None:
    """The sentence with which a certificate is refused; None if it is accepted."""
    try:
        check(certificate)
    except Rejected as reason:
        return str(reason)
    return None


@pytest.mark.parametrize("name", sorted(ALL))
def test_no_corruption_is_accepted(name: str) -> None:
    said = {what: refusal(broken) for what, broken in corruptions(ALL[name], random.Random(name))}
    assert [what for what, sentence in said.items() if sentence is None] == []
    assert [sentence for sentence in said.values() if not sentence or "\n" in sentence] == []


def test_there_are_many_different_corruptions() -> None:
    counts = [sum(1 for _ in corruptions(certificate, random.Random(0))) for certificate in ALL.values()]
    assert sum(counts) >= 1000
    assert min(counts) >= 1
