"""Inequalities between matrices of any size: true ones are proved, false ones refuted, and nothing more is supposed."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest
from case_files import Cases
from each import each
from engine.reference import accepted
from loewner_statements import FALSE, TRUE, A, B, I, M, X, x

from derivations import prove
from derivations.audit.probe import instances, is_no_witness, matrices
from derivations.language import show
from derivations.language.words import Order, ShapeError, Words, norm2, trace
from derivations.prove import Certificate, Verdict

FAMILIES = Cases(__file__, globals())


def decided(claim: Order, assuming: list[Any], name: str = "") -> Certificate:
    return accepted(prove.loewner(claim, assuming))


@each("name", [*TRUE])
def test_what_holds_is_proved(name: str) -> None:
    made = decided(*TRUE[name], name)
    assert (made.verdict, made.reason) == (Verdict.PROVED, "")
    assert show.formulas(made.statement)
    tried = matrices.confront(made.statement, instances.for_matrices(made.statement, [], 8))
    assert not any(tried)


@each("name", [*FALSE])
def test_what_does_not_hold_is_refuted(name: str) -> None:
    made = decided(*FALSE[name])
    assert made.verdict is Verdict.REFUTED
    assert is_no_witness(made.as_json()) is None


@each("name", [name for name, (_, assuming) in TRUE.items() if assuming])
def test_without_a_hypothesis_nothing_is_proved(name: str) -> None:
    claim, assuming = TRUE[name]
    for k, dropped in enumerate(assuming):
        if name == "traces keep the order" and k == 1:
            continue
        rest = assuming[:k] + assuming[k + 1 :]
        idle = name == "strictly transitive" and isinstance(dropped, Order) and dropped.relation == ">"
        assert decided(claim, rest, name).verdict is not Verdict.PROVED or idle, dropped


def test_what_has_no_order_is_refused() -> None:
    with pytest.raises(ShapeError, match="only square matrices"):
        prove.loewner(X >= 0)
    with pytest.raises(ShapeError, match="only square matrices"):
        prove.loewner(A >= 1)
    with pytest.raises(ShapeError, match="declare its letters so"):
        prove.loewner(A >= 0, [M >= 0])
    with pytest.raises(TypeError, match=r"prove\.loewner"):
        assert A >= B


def drawn(rng: random.Random) -> Words:
    """A symmetric polynomial of up to four terms."""
    pieces = [A, B, I, A @ A, A @ B + B @ A, x @ x.T, M.T @ M, M + M.T, M.T @ A @ M, trace(A) * I, norm2(x) * B]
    total = 0 * I
    for piece in rng.sample(pieces, rng.randint(1, 4)):
        total += rng.choice((-2, -1, 1, 1, 2, 3)) * piece
    return total if total.terms else I


def test_drawn_inequalities_are_never_proved_falsely() -> None:
    rng = random.Random(4)
    found = dict.fromkeys(Verdict, 0)
    for _ in range(60):
        claim, number = drawn(rng), trace(drawn(rng))
        assuming = rng.sample([A >= 0, B > 0, A >= B, I >= A], rng.randint(0, 2))
        for order in (claim >= 0, claim > 0, number >= 0):
            made = decided(order, assuming)
            found[made.verdict] += 1
            tried = islice(matrices.confront(made.statement, instances.for_matrices(made.statement, [], 6)), 6)
            assert made.verdict is not Verdict.PROVED or not any(tried), made.statement
            assert made.verdict is not Verdict.REFUTED or is_no_witness(made.as_json()) is None
    assert found[Verdict.PROVED] > 10
    assert found[Verdict.REFUTED] > 60


test_statements_have_their_verdicts = FAMILIES.verdicts()
