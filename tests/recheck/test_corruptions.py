"""No corruption of a correct certificate is accepted, unless it is as good, and each is refused with one sentence."""

from __future__ import annotations

import json
import random
from collections import Counter
from types import SimpleNamespace

import pytest
from each import each
from recheck import corrupt
from recheck.certificates import every
from recheck.corrupt import corruptions, taken, worse

from derivations.prove.certificate import Verdict

MOST = 80  # corruptions of one certificate; `make laws` looks at all of them
EVERY = every()


@each("name", sorted(EVERY))
def test_no_corruption_is_accepted(name: str) -> None:
    assert worse(EVERY[name], random.Random(name), MOST, spare=1) == []


def test_corruptions_are_of_every_kind_and_of_many_parts() -> None:
    ways: Counter[str] = Counter()
    for name, certificate in EVERY.items():
        drawn = corruptions(certificate, random.Random(name), 20)
        assert len({one.path for one in drawn}) >= 10
        assert all(json.dumps(one.broken) != json.dumps(certificate) for one in drawn)
        ways.update(one.change.split()[0] for one in drawn)
    assert set(ways) >= {"number", "malformed", "without", "emptied", "doubled", "called", "in", "plus", "with"}


@each(
    "name",
    [
        "above",
        "limits_corruptions, sine",
        "words_corruptions, riccati",
        "orders, Young",
        "settled",
        "solves",
    ],
)
def test_a_checker_that_accepts_everything_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corrupt, "check", lambda certificate: None)
    assert len(taken(EVERY[name], random.Random(name), MOST)) > MOST / 2


def test_a_refutation_that_the_prover_does_not_find_is_held_against_its_matrices(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    whole = EVERY["words_corruptions, refuted"]
    monkeypatch.setattr(corrupt, "settled", lambda said: SimpleNamespace(verdict=Verdict.OPEN))
    assert corrupt._holds(whole["statement"], "refuted", whole["payload"])
    equal = whole["statement"] | {"right": whole["statement"]["left"]}
    assert not corrupt._holds(equal, "refuted", whole["payload"])
