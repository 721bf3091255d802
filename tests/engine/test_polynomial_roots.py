"""Inequalities with roots: squares of both sides decide them, and near misses are never proved."""

from __future__ import annotations

import random

import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from engine.reference import accepted, weak
from recheck.corrupt import taken

from derivations.audit.ledger import plain
from derivations.prove import Verdict, inequality

FAMILIES = Cases(__file__, globals())

p, q = sp.symbols("p q", positive=True)
root = sp.sqrt


HOLD = FAMILIES["hold"]
FAIL = FAMILIES["fail"]


@each("name", [*HOLD], one_of=3)
def test_what_holds_is_proved(name: str) -> None:
    assert accepted(inequality(*HOLD[name])).verdict is Verdict.PROVED


@each("name", [*FAIL], one_of=3)
def test_a_near_miss_is_refuted(name: str) -> None:
    assert accepted(inequality(*FAIL[name])).verdict is Verdict.REFUTED


@pytest.mark.drawn
def test_no_corruption_of_a_proof_by_squares_is_accepted() -> None:
    certificate = accepted(inequality(weak(p + q, root(p**2 + q**2))))
    assert certificate.method == "by squares of both sides"
    assert taken(plain(certificate), random.Random(0), drawn(500)) == []
