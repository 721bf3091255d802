"""No corruption of a correct certificate is accepted, and each is refused with one sentence."""

from __future__ import annotations

import json
import random

import pytest
import sympy as sp
from averages_drawn import cases
from recheck.corrupt import corruptions
from recheck.edits import refusal
from recheck.handmade import ALL, Json

from derivations import prove

X, P = sp.Symbol("x", real=True), sp.Symbol("p", positive=True)
AVERAGE, VALUE, GIVEN = cases()["erf(x/sqrt 2): I2"]
MADE = {
    "cases": prove.inequality(sp.Abs(X + 1) >= X + 1),
    "slope": prove.inequality(sp.exp(X) >= 1 + X),
    "exponentials": prove.identity(2 * sp.cosh(X * P) - P**X * P ** (-X), 2 * sp.cosh(X * P) - 1),
    "series": prove.limit(sp.sin(P) / P, {P: 0}, 1),
    "average": prove.average(AVERAGE, VALUE, given=GIVEN),
}
MOST = 80  # corruptions of what provers made; that of an average has two thousand
EVERY: dict[str, Json] = ALL | {name: json.loads(json.dumps(made.as_json())) for name, made in MADE.items()}


@pytest.mark.parametrize("name", sorted(EVERY))
def test_no_corruption_is_accepted(name: str) -> None:
    most = MOST if name in MADE else None
    said = {what: refusal(broken) for what, broken in corruptions(EVERY[name], random.Random(name), most)}
    assert [what for what, sentence in said.items() if sentence is None] == []
    assert [sentence for sentence in said.values() if not sentence or "\n" in sentence] == []


def test_there_are_many_different_corruptions() -> None:
    counts = [sum(1 for _ in corruptions(certificate, random.Random(0))) for certificate in EVERY.values()]
    assert sum(counts) >= 1000
    assert min(counts) >= 1
