"""Statements made of statements: conjunctions, chains through theorems, contraries, and their way through JSON."""

from __future__ import annotations

import pytest
import sympy as sp
from case_files import Cases
from engine.reference import accepted
from hypothesis import given
from hypothesis import strategies as st

from derivations.audit.ledger import plain
from derivations.language.words import Letter
from derivations.prove import (
    Certificate,
    Verdict,
    argued,
    decide,
    denied,
    enclosed,
    every,
    identity,
    limit,
    positive,
    solves,
    words,
)
from derivations.recheck import Rejected, check

FAMILIES = Cases(__file__, globals())

x, y, t = sp.symbols("x y t", real=True)
p, e = sp.symbols("p e", positive=True)
A, B = Letter("A", "m", "n"), Letter("B", "n", "m")

PROVED = identity((x + y) ** 2, x**2 + 2 * x * y + y**2)
CERTIFIED = enclosed(sp.exp(x), {x: (0, 1)}, sp.Rational(1, 2), 3)
REFUTED = identity(sp.sqrt(x**2), x)
OPEN = identity(x, x, [sp.Eq(x**2, 2)])
SIGN = positive(p + x**2)
SOLUTION = solves({x: -x}, {x: y * sp.exp(-t)}, {x: y}, t)
LIMIT = limit((p + e) / (1 + e), [e], p)
WORDS = words((A @ B).T, B.T @ A.T)
SAMPLES = [PROVED, CERTIFIED, REFUTED, OPEN, SIGN, SOLUTION, LIMIT, WORDS]
RANK = {Verdict.REFUTED: 0, Verdict.OPEN: 1, Verdict.CERTIFIED: 2, Verdict.PROVED: 3}
certificates = st.sampled_from(SAMPLES)


def test_the_samples_show_every_verdict() -> None:
    verdicts = [c.verdict for c in SAMPLES]
    assert verdicts == [Verdict.PROVED, Verdict.CERTIFIED, Verdict.REFUTED, Verdict.OPEN, *[Verdict.PROVED] * 4]


# --- conjunctions -----------------------------------------------------------------------------------------------------


@given(st.lists(certificates, min_size=1, max_size=4))
def test_a_conjunction_is_as_good_as_its_worst_part(parts: list[Certificate]) -> None:
    joined = accepted(every(*parts))
    assert RANK[joined.verdict] == min(RANK[part.verdict] for part in parts)
    if joined.verdict is Verdict.REFUTED:
        assert joined.witness == next(c.witness for c in parts if c.verdict is Verdict.REFUTED)
    if joined.verdict is Verdict.OPEN:
        assert joined.reason
    deeper = accepted(every(joined, PROVED))
    assert deeper.verdict is joined.verdict


# --- arguments and denials --------------------------------------------------------------------------------------------


@given(st.dictionaries(st.sampled_from(["first", "second", "third"]), certificates, min_size=1))
def test_what_is_argued_rests_on_steps_that_are_shown(steps: dict[str, Certificate]) -> None:
    made = accepted(argued("what follows", **steps))
    worst = min((step.verdict for step in steps.values()), key=RANK.__getitem__)
    assert made.verdict is (Verdict.ARGUED if worst in (Verdict.PROVED, Verdict.CERTIFIED) else Verdict.OPEN)
    if made.verdict is Verdict.OPEN:
        role = next(role for role, step in steps.items() if RANK[step.verdict] < RANK[Verdict.CERTIFIED])
        assert f"'{role}'" in made.reason


@given(certificates)
def test_only_what_is_shown_refutes_its_denial(certificate: Certificate) -> None:
    made = accepted(denied(certificate))
    data = plain(certificate)
    for claimed in (certificate.statement, {"kind": "not", "of": PROVED.statement | {"left": ["q", "9"]}}):
        with pytest.raises(Rejected):
            check({"statement": claimed, "verdict": "refuted", "method": "contrary", "payload": {"contrary": data}})
    shown = certificate.verdict in (Verdict.PROVED, Verdict.CERTIFIED)
    assert made.verdict is (Verdict.REFUTED if shown else Verdict.OPEN)
    assert bool(made.reason) != shown


# --- certificates as data ---------------------------------------------------------------------------------------------


@given(certificates)
def test_a_certificate_comes_back_from_json_as_it_was_and_deciding_afresh_changes_nothing(
    certificate: Certificate,
) -> None:
    data = plain(certificate)
    assert plain(decide(certificate.statement)) == data
    assert set(data) <= {"statement", "verdict", "method", "payload", "reason"}


@given(certificates.filter(lambda c: c.verdict is not Verdict.OPEN), st.sampled_from(list(Verdict)))
def test_no_other_verdict_is_accepted_on_the_same_evidence(certificate: Certificate, other: Verdict) -> None:
    data = plain(certificate)
    if other in (certificate.verdict, Verdict.OPEN):
        return
    with pytest.raises(Rejected):
        check({**data, "verdict": other.value})


def test_a_certificate_is_frozen() -> None:
    with pytest.raises(AttributeError):
        PROVED.verdict = Verdict.REFUTED  # type: ignore[misc]


test_statements_have_their_verdicts = FAMILIES.verdicts()
