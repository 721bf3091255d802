"""Random instances meet every decided statement and contradict none; they contradict what is false."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp
from averages_drawn import cases
from case_files import Cases
from each import each

from derivations import Paper, Verdict, prove
from derivations.audit.probe import Confrontation, elementary, probe
from derivations.audit.probe.averages import missed
from derivations.audit.probe.numbers import NoValue, value
from derivations.audit.verify import Outcome, verify
from derivations.language.terms import from_sympy
from derivations.language.words import Letter
from derivations.models import two_point
from derivations.prove.certificate import Certificate

FAMILIES = Cases(__file__, globals())

x, z = sp.symbols("x z", real=True)
A, B = Letter("A", "n", "n"), Letter("B", "n", "n")


def confronted(certificate: Certificate, verdict: Verdict = Verdict.PROVED, models: Any = ()) -> Confrontation:
    """Return what instances say of a statement, whatever was decided, when it is given a verdict."""
    paper = Paper("forged", title="T", authors="A", year=2026, source="S", numbered=0, models=models)
    claim = paper.claim("Section 1", name="claimed", says="So it is.")(lambda: certificate)
    forged = Certificate(certificate.statement, verdict, "forged", {})
    return probe(paper, [Outcome(claim, forged, 0.0)])[0]


FALSE = FAMILIES["false"]


@each("name", [*FALSE])
def test_false_statements_are_contradicted(name: str) -> None:
    assert confronted(FALSE[name]).contradictions


e = sp.Symbol("e", positive=True)
ONE = sp.cosh(90 * x) ** 2 - sp.sinh(90 * x) ** 2
CANCELLING = FAMILIES["cancelling"]


@each("name", [*CANCELLING])
def test_what_cancels_or_goes_slowly_is_not_taken_for_false(name: str) -> None:
    right, wrong = map(confronted, CANCELLING[name])
    assert right.met
    assert not right.contradictions
    assert wrong.contradictions


def test_samples_that_rarely_meet_the_average_deny_only_what_is_far_off() -> None:
    """One of 5000 samples has both fields positive: with luck several have, or none."""
    left, right, given = cases()["ramp: J2"]
    certificate = prove.average(left, right, given=given)
    point = {"C_aa": 1.0, "C_bb": 1.0, "C_ab": -0.9999992}
    for seed in range(4):
        statement, rng = certificate.statement, random.Random(seed)
        assert missed(statement, point, statement["right"], rng) is None
        assert missed(statement, point, ("q", "1/50"), rng)


@each("wrong", [1, 2])
def test_a_witness_at_which_the_statement_holds_is_none(wrong: int) -> None:
    refuted = prove.identity(x**2, x)
    forged = {**refuted.payload, "witness": {**refuted.witness, "point": {"x": str(wrong % 2)}}}
    paper = Paper("forged", title="T", authors="A", year=2026, source="S", numbered=0)
    claim = paper.claim("Section 1", name="claimed", says="So it is.", expect="refuted")(lambda: refuted)
    made = Outcome(claim, replace(refuted, payload=forged), 0.0)
    assert probe(paper, [made])[0].contradictions == ("both sides are equal at the witness",)


# --- a sentence that was once called proved, though simulation denies it ---------------------------------------------


def old_rotation(paper: Paper) -> None:
    """Return what was once proved of K, sigma and omega, and what was said of it: that equation 10 is a lower bound."""
    omega, shift, overlap = sp.Symbol("omega", positive=True), sp.Symbol("sigma", real=True), sp.Symbol("K", real=True)
    straight = sp.sqrt(shift**2 + overlap**2)

    @paper.claim("Eq. 10, as a lower bound")
    def rotation_ends_farther() -> Certificate:
        """The start ends at least as far apart as equation 10 says."""
        margin = sp.Ge(omega**2 - shift**2 - overlap**2, 0, evaluate=False)
        return prove.inequality(
            sp.Ge(omega - straight, 0, evaluate=False), assuming=[margin], squares=[omega - straight]
        )

    @paper.observe("rotation_ends_farther", kinds=["scalar_output"])
    def ends_farther(at: Any) -> bool:
        end = two_point.course(at, [0.0, 300.0])[-1]["h"]
        start = {name: float(Fraction(str(v))) for name, v in two_point.scalars(at).items()}
        ratio = start["tau_y"] / start["tau_h"]
        high = start["h"] - ratio * start["X"] * start["y"] / start["h"]
        low = np.sqrt(ratio * start["X"] * start["s"])
        return bool(end >= high / 2 + np.sqrt(high**2 / 4 + low**2) - 1e-6)


class ScalarOutputs:
    """Instances of the two-point model with one output and small weights, in which the representations may turn."""

    KINDS = ("scalar_output",)

    @staticmethod
    def instance(_: str, seed: int) -> Any:
        rng = random.Random(seed)
        found = (two_point.instance("generic", k) for k in iter(lambda: rng.randrange(10**6), None))
        return next(at for at in found if at.sizes["n_y"] == 1 and at.sizes["n_h"] > 1 and at["dy_target"][0, 0] != 0)


def test_simulation_denies_what_was_once_said_of_rotation() -> None:
    paper = Paper("old", title="T", authors="A", year=2026, source="S", numbered=0, models=[ScalarOutputs])
    old_rotation(paper)
    found = probe(paper, verify(paper).outcomes, count=8)[0]
    assert verify(paper).outcomes[0].verdict is Verdict.PROVED
    assert any("does not show it" in trouble for trouble in found.contradictions)


# --- numbers ----------------------------------------------------------------------------------------------------------


def test_derivatives_of_terms_are_differences() -> None:
    term = from_sympy(sp.Derivative(sp.exp(x**2), x, evaluate=False))
    with mpmath.workdps(60):
        assert abs(value(term, {"x": mpmath.mpf(1)}) - 2 * mpmath.e) < 1e-18


@each("term", [("log", ("q", "-1")), ("^", ("q", "0"), ("q", "-1")), ("asin", ("q", "2"))])
def test_what_has_no_value_is_said(term: Any) -> None:
    with pytest.raises(NoValue):
        value(term, {})


def test_every_certificate_is_made_of_elementary_ones() -> None:
    both = prove.every(prove.identity(x, x + 0 * z), prove.every(prove.positive(x**2 + 1)))
    assert [c["statement"]["kind"] for c in elementary(both.as_json())] == ["identity", "sign"]


test_statements_have_their_verdicts = FAMILIES.verdicts()
