"""Hypotheses that a proof does without are told, and none that it uses."""

from __future__ import annotations

from typing import Any

import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.audit.ledger import not_needed, plain
from derivations.audit.unneeded import unneeded, without
from derivations.language.sums import Array, Range
from derivations.language.words import Letter, identity

FAMILIES = Cases(__file__, globals())

A, B, C, D = sp.symbols("a b c d", real=True)
X, T = sp.Symbol("x", positive=True), sp.Symbol("t", nonnegative=True)
SPARE, FURTHER = sp.Gt(C, 5), sp.Eq(C, D)
U, V = Letter("U", "n", "n"), Letter("V", "n", "n")
K = Range("K")
k, m = K.index("k"), K.index("m")
G, H, ROOT = Array("g", K), Array("h", K), Array("root")


def matrices(*assuming: Any) -> prove.Certificate:
    """U'U = 1 and V'V = 1 make the product of both orthonormal."""
    return prove.words(V.T @ U.T @ U @ V, identity("n"), assuming)


def arrays(*assuming: Any) -> prove.Certificate:
    return prove.sums(G[k] * H[m], H[k] * H[m], assuming)


PROOFS: dict[str, tuple[prove.Certificate, list[str]]] = FAMILIES["proofs"]


@each("name", [*PROOFS])
def test_what_a_proof_does_without_is_told(name: str) -> None:
    certificate, spare = PROOFS[name]
    assert not_needed(certificate) == spare


def test_what_a_kernel_supposes_is_its_domain() -> None:
    certificate = plain(prove.every(PROOFS["an equation"][0]))
    assert unneeded(certificate)
    certificate["statement"]["kernel"] = {"program": "0" * 64, "cases": []}
    assert unneeded(certificate) == []


@each(("gone", "number"), [("first", 1), ("second", 1), ("fourth", 2)])
def test_the_number_of_a_hypothesis_that_cannot_hold_moves_with_those_before_it(gone: str, number: int) -> None:
    part = {"absurd": 2, "contrary": {"statement": {"assuming": ["first", "second", "fourth"]}}}
    fewer = without(part, gone)
    assert fewer["absurd"] == number
    assert gone not in fewer["contrary"]["statement"]["assuming"]
