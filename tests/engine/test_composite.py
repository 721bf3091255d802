"""Statements made of statements: conjunctions, chains through theorems, contraries, and their way through JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sympy as sp
from engine.reference import accepted
from hypothesis import given
from hypothesis import strategies as st

from derivations.language.words import Letter
from derivations.prove import (
    Certificate,
    Unsatisfiable,
    Verdict,
    chain,
    contrary,
    decide,
    enclosed,
    every,
    identity,
    limit,
    positive,
    solves,
    theorems,
    words,
)
from derivations.prove.composite import join
from derivations.recheck import Rejected, check

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


def test_a_conjunction_of_nothing_is_an_error() -> None:
    with pytest.raises(Unsatisfiable):
        every()
    with pytest.raises(Unsatisfiable):
        join([])
    with pytest.raises(Unsatisfiable):
        decide({"kind": "all", "parts": []})


# --- chains -----------------------------------------------------------------------------------------------------------


@given(st.dictionaries(st.sampled_from(["first", "second", "third"]), certificates, min_size=1))
def test_a_chain_holds_only_if_every_step_does(steps: dict[str, Certificate]) -> None:
    made = accepted(chain("what follows", **steps))
    worst = min((step.verdict for step in steps.values()), key=RANK.__getitem__)
    assert made.verdict is (worst if worst in (Verdict.PROVED, Verdict.CERTIFIED) else Verdict.OPEN)
    if made.verdict is Verdict.OPEN:
        role = next(role for role, step in steps.items() if RANK[step.verdict] < RANK[Verdict.CERTIFIED])
        assert f"'{role}'" in made.reason


def test_a_chain_without_steps_is_an_error() -> None:
    with pytest.raises(Unsatisfiable, match="at least one step"):
        chain("anything at all")


BY_KIND = {
    "identity": PROVED,
    "sign": SIGN,
    "solves": SOLUTION,
    "limit": LIMIT,
    "all": every(PROVED, PROVED),
    "words": WORDS,
    "enclosure": CERTIFIED,
}


def fitting(theorem: str) -> dict[str, Certificate]:
    return {role: BY_KIND[kinds.split("|")[0]] for role, kinds in theorems()[theorem]["roles"].items()}


@pytest.mark.parametrize("theorem", sorted(theorems()))
def test_a_theorem_is_named_once_all_its_hypotheses_are_discharged(theorem: str) -> None:
    made = accepted(chain("what follows", theorem=theorem, **fitting(theorem)))
    assert (made.verdict, made.method) == (Verdict.PROVED, f"using {theorem}")
    told = theorems()[theorem]
    assert told["says"].endswith(".")
    assert told["citation"]


@pytest.mark.parametrize("theorem", sorted(theorems()))
def test_a_theorem_is_not_used_without_its_hypotheses(theorem: str) -> None:
    steps = fitting(theorem)
    for role, kinds in theorems()[theorem]["roles"].items():
        with pytest.raises(ValueError, match=r"asks for the steps|at least one step"):
            chain("it", theorem=theorem, **{k: v for k, v in steps.items() if k != role})
        with pytest.raises(ValueError, match="asks for the steps"):
            chain("it", theorem=theorem, **steps, something_else=PROVED)
        wrong = next(c for kind, c in BY_KIND.items() if kind not in kinds.split("|"))
        with pytest.raises(ValueError, match=f"'{role}' of '{theorem}' must be of kind"):
            chain("it", theorem=theorem, **{**steps, role: wrong})


@pytest.mark.parametrize("theorem", sorted(theorems()))
def test_a_theorem_with_a_refuted_hypothesis_shows_nothing(theorem: str) -> None:
    false: dict[str, Any] = {
        "identity": REFUTED,
        "sign": positive(x),
        "solves": solves({x: -x}, {x: y * sp.exp(t)}, {x: y}, t),
        "words": words(A, B.T),
    }
    for role, kinds in theorems()[theorem]["roles"].items():
        steps = {**fitting(theorem), role: false[kinds.split("|")[0]]}
        assert accepted(chain("it", theorem=theorem, **steps)).verdict is Verdict.OPEN


def test_a_theorem_that_nobody_knows_is_refused() -> None:
    with pytest.raises(ValueError, match="no theorem is called 'wishful thinking'"):
        chain("it", theorem="wishful thinking", step=PROVED)


# --- contraries -------------------------------------------------------------------------------------------------------


@given(certificates)
def test_only_a_shown_contrary_refutes(certificate: Certificate) -> None:
    made = accepted(contrary("the opposite", certificate))
    shown = certificate.verdict in (Verdict.PROVED, Verdict.CERTIFIED)
    assert made.verdict is (Verdict.REFUTED if shown else Verdict.OPEN)
    assert bool(made.reason) != shown


# --- certificates as data ---------------------------------------------------------------------------------------------


@given(certificates)
def test_a_certificate_comes_back_from_json_as_it_was_and_deciding_afresh_changes_nothing(
    certificate: Certificate,
) -> None:
    data = json.loads(json.dumps(certificate.as_json()))
    assert json.loads(json.dumps(decide(certificate.statement).as_json())) == data
    assert set(data) <= {"statement", "verdict", "method", "payload", "reason"}


@given(certificates.filter(lambda c: c.verdict is not Verdict.OPEN), st.sampled_from(list(Verdict)))
def test_no_other_verdict_is_accepted_on_the_same_evidence(certificate: Certificate, other: Verdict) -> None:
    data = json.loads(json.dumps(certificate.as_json()))
    if other in (certificate.verdict, Verdict.OPEN):
        return
    with pytest.raises(Rejected):
        check({**data, "verdict": other.value})


def test_a_certificate_is_frozen() -> None:
    with pytest.raises(AttributeError):
        PROVED.verdict = Verdict.REFUTED  # type: ignore[misc]


def test_deciding_a_statement_of_no_known_kind_is_an_error() -> None:
    with pytest.raises(ValueError, match="'magic'"):
        decide({"kind": "magic"})
