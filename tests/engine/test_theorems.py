"""Theorems as schemas: what they conclude, and that nothing follows where one hypothesis is broken."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from drawn import drawn
from each import each
from engine import motion_uses
from engine.reference import accepted
from recheck.corrupt import worse

from derivations import prove
from derivations.audit.ledger import plain
from derivations.prove import Certificate, Verdict
from derivations.prove.schemas.table import SlotError
from derivations.prove.schemas.use import setting_of, slots_of
from derivations.prove.stating import from_sympy, hypotheses
from derivations.recheck import Rejected, check
from derivations.recheck.core.load import normal
from derivations.recheck.core.slots import about_matrices
from derivations.recheck.core.table.by import needs_and_conclusion
from derivations.recheck.core.theorems import theorems
from derivations.recheck.ledgers.reading import sentence

FAMILIES = Cases(__file__, globals())
LIES = drawn(150)  # of each certificate, that are tried

x, y = sp.symbols("x y", real=True)
a, b = sp.symbols("a b", positive=True)

I1, I2, I3 = sp.symbols("I_1 I_2 I_3", real=True)


def half_of_a_wedge(sign: int, low: Any, high: Any) -> Certificate:
    slots = {"integrand": sign * x, "antiderivative": sign * x**2 / 2, "low": low, "high": high, "value": a**2 / 2}
    return prove.by("integral by an antiderivative", variable=x, **slots)


BELOW_ITS_WIDTH: dict[str, Any] = FAMILIES["below its width"]  # fmt: skip


def decaying(sign: int) -> Certificate:
    f = sign * sp.exp(-a * x)
    slots = {"integrand": f, "antiderivative": -f / a, "low_limit": -sign / a, "high_limit": 0, "value": sign / a}
    return prove.by("improper integral by an antiderivative", variable=x, low=0, high=sp.oo, **slots)


def below_its_width(letter: Any, low: Any, high: Any) -> Certificate:
    table = {letter: (sp.exp(-(x**2)), low, high)}
    slots = {"integrals": table, "relation": ">=", "weights": {letter: -1}, "constant": 1, "low": low, "high": high}
    return prove.by("integral of an inequality", variable=x, **slots)


HALVES = [below_its_width(I2, 0, a), below_its_width(I3, a, 2 * a)]
FACT = prove.by("integral of an inequality", **BELOW_ITS_WIDTH)
USES = {**FAMILIES["uses"], **motion_uses.USES}
IN_THE_BOX = [a >= sp.Rational(1, 2), a <= 1]
SUPPOSING: dict[str, list[Any]] = {
    "zeros of a sum of exponentials": [a + x > b],
    "integrals in balls": IN_THE_BOX,
}
CONCLUSIONS = {
    **motion_uses.CONCLUSIONS,
}

# Slots in which one hypothesis is broken, each a false or an unfounded conclusion.
BROKEN = [*FAMILIES["broken"], *motion_uses.BROKEN]

REFUSED = [
    *FAMILIES["refused"],
    ("integral cut in two", {"facts": HALVES[:1]}, []),
    *motion_uses.REFUSED,
    *((name, changed, []) for name, changed in motion_uses.POINTLESS),
]


def used(name: str, changed: dict[str, Any] | None = None, assuming: list[Any] | None = None) -> Certificate:
    return prove.by(name, **USES[name] | (changed or {}), assuming=[*SUPPOSING.get(name, []), *(assuming or [])])


def test_every_theorem_says_what_it_is_and_where_its_proof_stands() -> None:
    assert set(USES) == {name for name, theorem in theorems().items() if not about_matrices(theorem.letters)}
    for theorem in theorems().values():
        assert theorem.text("says").endswith(".")
        assert theorem.text("conditions").endswith(".")
        assert theorem.text("citation")


@each("name", sorted(USES))
def test_a_theorem_concludes_what_its_slots_say(name: str) -> None:
    made = accepted(used(name))
    verdict = Verdict.CERTIFIED if name == "integrals in balls" else Verdict.PROVED
    assert (made.verdict, made.method, made.reason) == (verdict, f"by {name}", "")
    _, said = sentence(made.statement)
    assert said == [CONCLUSIONS.get(name, said[0])]
    assert all(step["verdict"] in ("proved", verdict.value) for step in made.payload["steps"].values())


@each(("name", "changed", "assuming"), motion_uses.HOLDING)
def test_a_theorem_about_motion_holds_for_other_slots(name: str, changed: dict[str, Any], assuming: list[Any]) -> None:
    assert accepted(used(name, changed, assuming)).verdict is Verdict.PROVED


@each(("name", "changed"), BROKEN)
def test_nothing_follows_where_one_hypothesis_is_broken(name: str, changed: dict[str, Any]) -> None:
    made = accepted(used(name, changed))
    decisive = theorems()[name].written.get("decides")
    if made.verdict is Verdict.REFUTED:
        assert decisive in changed
    else:
        assert made.verdict is Verdict.OPEN
        assert "its step '" in made.reason
    with pytest.raises(Rejected):
        check({**plain(made), "verdict": "proved", "method": f"by {name}"})


@each(("name", "changed", "assuming"), REFUSED)
def test_slots_that_do_not_fit_are_refused(name: str, changed: dict[str, Any], assuming: list[Any]) -> None:
    with pytest.raises((SlotError, prove.Unsatisfiable)):
        used(name, changed, assuming)


@each(("name", "changed", "assuming"), motion_uses.REFUSED)
def test_the_checker_refuses_the_same_slots_by_itself(name: str, changed: dict[str, Any], assuming: list[Any]) -> None:
    given = USES[name] | changed
    setting = setting_of(name, theorems()[name], given, assuming, hypotheses)
    slots = normal(as_data_of(slots_of(theorems()[name], given, setting, from_sympy)))
    with pytest.raises(Rejected):
        by_the_checker(name, slots)


def by_the_checker(name: str, slots: Any) -> None:
    needs_and_conclusion(name, slots)


def as_data_of(data: Any) -> Any:
    return json.loads(json.dumps(data))


@pytest.mark.drawn
@each("name", sorted(USES))
def test_no_corruption_of_a_certificate_of_a_theorem_is_accepted(name: str) -> None:
    assert worse(plain(used(name)), random.Random(name), LIES, spare=2) == []


# --- what only looks like a theorem -----------------------------------------------------------------------------------


@each("forged", FAMILIES["a sentence is no conclusion"])
def test_a_sentence_is_no_conclusion(forged: dict[str, Any]) -> None:
    step = plain(prove.identity(x, x))
    for verdict in ("proved", "refuted"):
        payload = {"steps": {"step": step}, "contrary": step}
        with pytest.raises(Rejected, match="no statement is of the kind"):
            check({"statement": forged, "verdict": verdict, "method": "contrary", "payload": payload})
    assert not hasattr(prove, "chain")
    assert not hasattr(prove, "contrary")


def test_what_a_person_concludes_is_argued_and_never_proved() -> None:
    made = accepted(prove.argued("P = NP", step=prove.identity(x, x)))
    assert made.verdict is Verdict.ARGUED
    assert sentence(made.statement)[1] == ["x = x", "a person argues: P = NP"]
    for verdict in ("proved", "certified", "refuted"):
        with pytest.raises(Rejected):
            check({**plain(made), "verdict": verdict})
    assert accepted(prove.argued("so", step=prove.identity(x, y))).verdict is Verdict.OPEN
    assert accepted(prove.every(made, prove.identity(x, x))).verdict is Verdict.ARGUED
    with pytest.raises(prove.Unsatisfiable):
        prove.argued("nothing")


test_statements_have_their_verdicts = FAMILIES.verdicts()
