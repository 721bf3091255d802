"""No corruption of a correct certificate is accepted, and each is refused with one sentence."""

from __future__ import annotations

import json
import random

from averages_drawn import cases
from case_files import Cases
from each import each
from recheck.corrupt import corruptions
from recheck.edits import refusal
from recheck.handmade import ALL, Json

FAMILIES = Cases(__file__, globals())

AVERAGE, VALUE, GIVEN = cases()["erf(x/sqrt 2): I2"]
MADE = FAMILIES["made"]
MOST = 80  # corruptions of what provers made; that of an average has two thousand
EVERY: dict[str, Json] = ALL | {name: json.loads(json.dumps(made.as_json())) for name, made in MADE.items()}


@each("name", sorted(EVERY))
def test_no_corruption_is_accepted(name: str) -> None:
    most = MOST if name in MADE else None
    said = {what: refusal(broken) for what, broken in corruptions(EVERY[name], random.Random(name), most)}
    assert [what for what, sentence in said.items() if sentence is None] == []
    assert [sentence for sentence in said.values() if not sentence or "\n" in sentence] == []


def test_there_are_many_different_corruptions() -> None:
    counts = [sum(1 for _ in corruptions(certificate, random.Random(0))) for certificate in EVERY.values()]
    assert sum(counts) >= 1000
    assert min(counts) >= 1
