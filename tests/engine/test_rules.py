"""Rules: what is true is proved and accepted by the checker, and near misses are not."""

from __future__ import annotations

import random

import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from recheck.corrupt import taken

from derivations.audit.ledger import plain
from derivations.recheck import Rejected, check

FAMILIES = Cases(__file__, globals())

x, y, z = sp.symbols("x y z", real=True)
p = sp.symbols("p", positive=True)


def unevaluated(relation: type, left: object, right: object) -> sp.Basic:
    return relation(left, right, evaluate=False)


LIES = drawn(200)  # of each proof, that are tried
HOLD = FAMILIES["hold"]
FAIL = FAMILIES["fail"]


@each("name", [*HOLD], one_of=2)
def test_what_holds_is_proved_and_its_certificate_accepted(name: str) -> None:
    certificate = HOLD[name]()
    assert certificate.verdict.value == "proved", certificate.reason
    check(certificate.as_json())


@each("name", [*FAIL])
def test_a_near_miss_is_refuted(name: str) -> None:
    certificate = FAIL[name]()
    assert certificate.verdict.value == "refuted"
    check(certificate.as_json())


@pytest.mark.drawn
@each("name", ["triangle", "root of a distance", "power of a power"])
def test_no_changed_proof_is_accepted(name: str) -> None:
    assert taken(plain(HOLD[name]()), random.Random(name), LIES) == []


def test_a_forged_proof_of_what_speaks_of_nothing_is_rejected() -> None:
    proof = HOLD["triangle"]()
    nothing = proof.as_json()
    nothing["statement"] = proof.statement | {
        "assuming": [(">", ("*", ("q", "-1"), ("s", "x"), ("s", "x")), ("q", "1"))]
    }
    with pytest.raises(Rejected):
        check(nothing)


test_statements_have_their_verdicts = FAMILIES.verdicts()
