"""Integrals: known values are proved and rechecked, other values refuted, and divergent ones never proved."""

from __future__ import annotations

import random
import sys
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from recheck.corrupt import worse
from sympy.integrals.manualintegrate import manualintegrate

from derivations import prove
from derivations.audit.ledger import plain
from derivations.recheck import check

FAMILIES = Cases(__file__, globals())
LIES = drawn(150)  # of each certificate, that are tried

x = sp.symbols("x", real=True)
I, exp, oo, pi, R = sp.Integral, sp.exp, sp.oo, sp.pi, sp.Rational

VALUES = FAMILIES["values"]
DIVERGENT = FAMILIES["divergent"]


@each("name", [*VALUES], one_of=6)
def test_a_value_is_proved_and_another_one_refuted(name: str) -> None:
    left, right = VALUES[name]
    proof = prove.identity(left, right)
    assert proof.verdict.value == "proved", proof.reason
    check(proof.as_json())
    for other in (right + R(1, 7), 2 * right):
        refutation = prove.identity(left, other)
        assert refutation.verdict.value == "refuted"
        check(refutation.as_json())


@each("name", ["a wave", "a Lorentzian"])
def test_an_interrupted_question_leaves_nothing_behind(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """SymPy keeps what its search is about in tables of its module."""

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(sys.modules[manualintegrate.__module__], "IntegralInfo", interrupted)
        with pytest.raises(KeyboardInterrupt):
            prove.identity(*VALUES[name])
    assert prove.identity(*VALUES[name]).verdict.value == "proved"


@each(("left", "right"), DIVERGENT)
def test_what_diverges_has_no_proved_value(left: Any, right: Any) -> None:
    assert prove.identity(left, right).verdict.value == "open"


@each("name", ["a power", "a decay", "a Gaussian", "an open end"], one_of=2)
def test_no_corruption_is_accepted(name: str) -> None:
    left, right = VALUES[name]
    for made in (prove.identity(left, right), prove.identity(left, right + 1)):
        assert worse(plain(made), random.Random(name), LIES, spare=1) == []


test_statements_have_their_verdicts = FAMILIES.verdicts()
