"""Theorems about matrices of any size: what they conclude, and that nothing follows where one hypothesis is broken."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from case_files import Cases
from drawn import drawn
from each import each
from engine.reference import accepted
from recheck.corrupt import worse

from derivations import prove
from derivations.audit.ledger import plain
from derivations.language.words import Letter, Words, identity, zero
from derivations.prove import Certificate, Verdict
from derivations.prove.schemas.table import SlotError
from derivations.prove.schemas.use import setting_of, slots_of
from derivations.prove.stating import from_sympy, hypotheses
from derivations.recheck import Rejected, check
from derivations.recheck.core.load import normal
from derivations.recheck.core.slots import about_matrices
from derivations.recheck.core.table.by import needs_and_conclusion, says
from derivations.recheck.core.theorems import theorems
from derivations.recheck.ledgers.reading import sentence

FAMILIES = Cases(__file__, globals())
LIES = drawn(150)  # of each certificate, that are tried

ONE = identity("n")
F = Letter("F", "n", "n", symmetric=True)
S = Letter("S", "n", "n", diagonal=True)
Q, Y = Letter("Q", "n", "m"), Letter("Y", "n", 1)
G = Letter("G", "n", "n", symmetric=True, commutes_with=[F])
Phi = Letter("Phi", "n", "n", symmetric=True, commutes_with=[F])
M = Letter("M", "m", "m", equals=identity("m") + Q.T @ Phi @ Q)
M_inv = Letter("M_inv", "m", "m", inverse_of=M)
P = Letter("P", "n", "n")
MOTION = {G: (F @ G + G @ F) / 2, Phi: G @ G}
BEGIN = {G: ONE, Phi: zero("n", "n"), M: identity("m"), M_inv: identity("m")}
E = Letter("E", "n", "n", diagonal=True)
time = Letter("t", 1, 1)
slow = Letter("D", "n", "n", equals=time * E)
L = Letter("L", "n", "n", equals=S + E @ F @ E + slow)
L_inv, S_inv = Letter("L_inv", "n", "n", inverse_of=L), Letter("S_inv", "n", "n", inverse_of=S)
A, B, C = Letter("A", "n", "n"), Letter("B", "n", "n"), Letter("C", "n", "n")
A_inv, B_inv = Letter("A_inv", "n", "n", inverse_of=A), Letter("B_inv", "n", "n", inverse_of=B)
W1, W2 = Letter("W1", "n", "n"), Letter("W2", "n", "n")
polar = Letter("R", "n", "n", orthonormal_columns=True)

BRACKET: dict[str, Any] = FAMILIES["bracket"]  # fmt: skip
X, D, F2 = Letter("X", "n", "n", symmetric=True), Letter("D", "n", "n"), Letter("F2", "n", "n")
X0, X_inv = Letter("X0", "n", "n", symmetric=True), Letter("X_inv", "n", "n", inverse_of=X)
turns = X @ F - F @ X
PROJECTION: dict[str, Any] = FAMILIES["projection"]  # fmt: skip
"""A double bracket flow, on which a projection stays one."""
XX, YY, P0 = (
    Letter("XX", "n", "n", symmetric=True),
    Letter("YY", "n", "n", symmetric=True),
    Letter("P0", "n", "n", symmetric=True),
)
top, room, push = Letter("f", 1, 1, positive=True), Letter("room", "n", "n"), Letter("push", "n", "n", symmetric=True)
at_most, spare = Letter("r", 1, 1, positive=True), Letter("spare", 1, 1)
q1, q2 = Letter("q1", "n", "m"), Letter("q2", "n", "m")
RICCATI = FAMILIES["riccati"]
"""A Riccati flow that is pushed, beside one that is not; f is the largest eigenvalue of F."""
RICCATI_RULES = FAMILIES["riccati rules"]
USES = FAMILIES["uses"]
ASSUMING: dict[str, list[Any]] = {
    "zero stays zero": [(X0 @ X0, X0)],
    "distance from zero": RICCATI_RULES,
    "determinant of a flow": [(W2, polar @ W1.T)],
}

# Slots in which one hypothesis is broken: nothing is concluded.
other = Letter("X", "n", "n")
BROKEN = FAMILIES["broken"]
REFUSED = FAMILIES["refused"]


def used(name: str, changed: dict[str, Any] | None = None, assuming: list[Any] | None = None) -> Certificate:
    slots = USES[name] | (changed or {})
    steps = {}
    if name == "solution of a matrix flow":
        steps = {"inverse M_inv": prove.by("bracket that grows", **BRACKET)}
    rules = [*ASSUMING.get(name, []), *(assuming or [])]
    return prove.by(name, **slots, assuming=rules, steps=steps)


def test_every_theorem_about_matrices_is_used() -> None:
    assert set(USES) == {name for name, theorem in theorems().items() if about_matrices(theorem.letters)}


@each("name", sorted(USES))
def test_a_theorem_concludes_what_its_slots_say(name: str) -> None:
    made = accepted(used(name))
    assert (made.reason, made.verdict, made.method) == ("", Verdict.PROVED, f"by {name}")
    assert not any(": {" in line for line in sentence(made.statement)[1])


@each(("name", "changed"), BROKEN)
def test_nothing_follows_where_one_hypothesis_is_broken(name: str, changed: dict[str, Any]) -> None:
    made = accepted(used(name, changed))
    assert made.verdict is Verdict.OPEN
    with pytest.raises(Rejected):
        check({**plain(made), "verdict": "proved", "method": f"by {name}"})


@each(("name", "changed", "assuming"), REFUSED)
def test_slots_that_do_not_fit_are_refused(name: str, changed: dict[str, Any], assuming: list[Any]) -> None:
    with pytest.raises((SlotError, prove.Unsatisfiable)):
        used(name, changed, assuming)


@each(
    ("name", "changed", "assuming"), [case for case in REFUSED if case[0] in ("zero stays zero", "distance from zero")]
)
def test_the_checker_refuses_the_same_slots_by_itself(name: str, changed: dict[str, Any], assuming: list[Any]) -> None:
    given, rules = USES[name] | changed, [*ASSUMING[name], *assuming]
    setting = setting_of(name, theorems()[name], given, rules, hypotheses)
    slots = normal(json.loads(json.dumps(slots_of(theorems()[name], given, setting, from_sympy))))
    with pytest.raises(Rejected):
        by_the_checker(name, slots)


def by_the_checker(name: str, slots: Any) -> None:
    needs_and_conclusion(name, slots)


bare, Z = Letter("L", "n", "n"), Letter("Z", "n", "n")
Z_inv, partner = Letter("Z_inv", "n", "n", inverse_of=Z), Letter("U", "n", "n", commutes_with=[bare])
SUPPOSED = FAMILIES["supposed"]  # of the inverse of L, and what is zero if it is so


@each("supposed", [*SUPPOSED])
def test_nothing_is_supposed_of_letters_that_the_conclusion_does_not_show(supposed: str) -> None:
    """P = exp(-F t) solves P' = -F P, and no equation with more on its right side."""
    words, more = SUPPOSED[supposed]
    inverse = Letter("L_inv", "n", "n", inverse_of=bare, **words)

    def solves(added: Words) -> Certificate:
        return prove.by(
            "solution of a matrix flow", values={P: 1 * inverse}, rates={P: added - F @ P}, starts={P: ONE},
            motion={Z: Z @ F}, begin={Z: ONE, Z_inv: ONE}, through={bare: 1 * Z, inverse: 1 * Z_inv},
            drift={bare: bare @ F},
        )  # fmt: skip

    if supposed == "nothing":
        assert accepted(solves(more)).verdict is Verdict.PROVED
        assert accepted(solves(A @ P)).verdict is Verdict.OPEN
    else:
        with pytest.raises(SlotError):
            solves(more)


def test_a_bracket_has_an_inverse_only_beside_the_letters_that_show_it() -> None:
    """M' M has one where M has one: the conclusion holds the inverse of M, and serves no flow that does not."""
    slots = {"bracket": A.T @ A, "grows_by": [zero("n", "n")], "scale": ONE}
    flow = {"motion": {Z: Z @ F}, "begin": {Z: ONE}}
    shown = accepted(prove.by("bracket that grows", **slots, first=1 * A, left_inverse=1 * A_inv, **flow))
    assert set(plain(shown)["statement"]["concludes"]["letters"]) == {"A", "A_inv", "F", "Z"}
    hidden = plain(shown)
    del hidden["statement"]["concludes"]["letters"]["A_inv"]
    with pytest.raises(Rejected):
        check(hidden)
    needed = {key: value for key, value in plain(shown)["statement"]["concludes"].items() if key != "among"}
    more = needed | {"letters": needed["letters"] | {"B": {"rows": "n", "cols": "n"}}}
    fewer = needed | {"letters": {name: told for name, told in needed["letters"].items() if name != "A_inv"}}
    assert [says(normal(needed), normal(other)) for other in (needed, more, fewer)] == [True, True, False]


@pytest.mark.drawn
@each("name", sorted(USES))
def test_no_corruption_of_a_certificate_is_accepted(name: str) -> None:
    assert worse(plain(used(name)), random.Random(name), LIES, spare=2) == []


test_statements_have_their_verdicts = FAMILIES.verdicts()
