"""Theorems about matrices of any size: what they conclude, and that nothing follows where one hypothesis is broken."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
import sympy as sp
from engine.reference import accepted

from derivations import prove
from derivations.language import show
from derivations.language.words import Letter, Words, gradient, identity, number, trace, zero
from derivations.prove import Certificate, Verdict
from derivations.prove.schemas.table import SlotError
from derivations.prove.schemas.use import setting_of, slots_of
from derivations.prove.stating import from_sympy, hypotheses
from derivations.recheck import Rejected, check
from derivations.recheck.core.load import normal
from derivations.recheck.core.slots import about_matrices
from derivations.recheck.core.table.by import needs_and_conclusion, says
from derivations.recheck.core.theorems import theorems

ONE = identity("n")
F = Letter("F", "n", "n", symmetric=True)
S = Letter("S", "n", "n", diagonal=True)
Q, Y = Letter("Q", "n", "m"), Letter("Y", "n", 1)
G = Letter("G", "n", "n", symmetric=True, commutes_with=[F])
G_inv = Letter("G_inv", "n", "n", inverse_of=G)
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
O = Letter("O", "n", "n", orthonormal_columns=True)
mirrored = Letter("K", "n", "n", equals=O + ONE)
det_O, det_K = sp.symbols("det_O det_K", real=True)
W1, W2 = Letter("W1", "n", "n"), Letter("W2", "n", "n")
gap = C - W2 @ W1
polar = Letter("R", "n", "n", orthonormal_columns=True)
gram_inv = Letter("N_inv", "n", "n", inverse_of=W1.T @ W1)

BRACKET: dict[str, Any] = {
    "bracket": M, "grows_by": [G @ Q], "scale": identity("m"),
    "first": identity("m"), "left_inverse": identity("m"), "motion": MOTION, "begin": BEGIN,
}  # fmt: skip
X, D, F2 = Letter("X", "n", "n", symmetric=True), Letter("D", "n", "n"), Letter("F2", "n", "n")
X0, X_inv = Letter("X0", "n", "n", symmetric=True), Letter("X_inv", "n", "n", inverse_of=X)
companion = Letter("V", "n", "n", symmetric=True, commutes_with=[X])
turns = X @ F - F @ X
PROJECTION: dict[str, Any] = {
    "values": {D: X @ X - X}, "rates": {D: turns @ D - D @ turns}, "motion": {X: turns @ X - X @ turns},
    "begin": {X: X0},
}  # fmt: skip
"""A double bracket flow, on which a projection stays one."""
XX, YY, P0 = (
    Letter("XX", "n", "n", symmetric=True),
    Letter("YY", "n", "n", symmetric=True),
    Letter("P0", "n", "n", symmetric=True),
)
top, room, push = Letter("f", 1, 1, positive=True), Letter("room", "n", "n"), Letter("push", "n", "n", symmetric=True)
at_most, spare = Letter("r", 1, 1, positive=True), Letter("spare", 1, 1)
q1, q2 = Letter("q1", "n", "m"), Letter("q2", "n", "m")
RICCATI: dict[str, Any] = {
    "matrix": XX - YY, "first": F - XX, "second": F - YY, "rest": push, "left_bound": top, "right_bound": top,
    "left_squares": [room, room, q1.T, q1.T], "right_squares": [room, room, q2.T, q2.T], "size": at_most,
    "size_squares": [spare], "motion": {XX: F @ XX + XX @ F - XX @ XX + push, YY: F @ YY + YY @ F - YY @ YY},
    "begin": {XX: P0, YY: X0},
}  # fmt: skip
"""A Riccati flow that is pushed, beside one that is not; f is the largest eigenvalue of F."""
RICCATI_RULES = [
    (top * ONE - F, room.T @ room),
    (XX, q1 @ q1.T),
    (YY, q2 @ q2.T),
    (trace(push.T @ push), at_most * at_most - spare * spare),
]
USES: dict[str, dict[str, Any]] = {
    "bracket that grows": BRACKET,
    "solution of a matrix flow": {
        "values": {P: G @ Q @ M_inv @ Q.T @ G},
        "rates": {P: F @ P + P @ F - P @ P},
        "starts": {P: Q @ Q.T},
        "motion": MOTION,
        "begin": BEGIN,
        "through": {},
        "drift": {},
    },
    "limit by decaying exponentials": {
        "values": [E @ F + L_inv], "ends": [S_inv], "decays": {E: S}, "slow": {slow: E}, "time": "t",
        "at_the_end": {L: S, L_inv: S_inv},
    },
    "zero stays zero": PROJECTION,
    "distance from zero": RICCATI,
    "rank of a product": {
        "product": A @ Q, "left": A, "core": Q, "right": identity("m"), "left_inverse": A_inv,
        "right_inverse": identity("m"),
    },
    "equal Gram matrices": {"left": A, "right": A @ O},
    "linear map of a Gaussian vector": {"map": A, "covariance": S @ S, "image": A @ S @ S @ A.T},
    "determinants multiply": {
        "products": [([O.T, O], []), ([mirrored], [O, mirrored.T])], "supposing": [det_O < 0], "goal": sp.Eq(det_K, 0),
        "weights": [0, 1], "scale": 1 - det_O,
    },
    "determinant of a flow": {
        "matrix": W2 @ W1, "inverse": gram_inv @ polar.T, "rate": W2 @ W2.T @ gap + gap @ W1.T @ W1,
        "relative": 2 * trace(polar.T @ gap), "motion": {W1: W2.T @ gap, W2: gap @ W1.T},
    },
}  # fmt: skip
ASSUMING: dict[str, list[Any]] = {
    "zero stays zero": [(X0 @ X0, X0)],
    "distance from zero": RICCATI_RULES,
    "determinant of a flow": [(W2, polar @ W1.T)],
}
OPTIONS: dict[str, Any] = {}

# Slots in which one hypothesis is broken: nothing is concluded.
BROKEN: list[tuple[str, dict[str, Any]]] = [
    ("bracket that grows", {"grows_by": [Q]}),
    ("bracket that grows", {"first": zero("m", "m")}),
    ("bracket that grows", {"left_inverse": 2 * identity("m")}),
    ("bracket that grows", {"scale": zero("m", "m")}),
    ("bracket that grows", {"begin": BEGIN | {M: 2 * identity("m")}}),
    ("solution of a matrix flow", {"rates": {P: F @ P + P @ F - 2 * P @ P}}),
    ("solution of a matrix flow", {"starts": {P: 2 * Q @ Q.T}}),
    ("solution of a matrix flow", {"begin": BEGIN | {M_inv: 2 * identity("m")}}),
    ("limit by decaying exponentials", {"ends": [2 * S_inv]}),
    ("limit by decaying exponentials", {"at_the_end": {L: S, L_inv: zero("n", "n")}, "ends": [zero("n", "n")]}),
    ("distance from zero", {"first": F + XX}),
    ("distance from zero", {"first": F - YY, "left_squares": [room, room, q2.T, q2.T]}),
    ("distance from zero", {"left_bound": top * 2}),
    ("distance from zero", {"left_bound": number(0)}),
    ("distance from zero", {"left_squares": [room, q1.T]}),
    ("distance from zero", {"right_squares": [room, room, q1.T, q1.T]}),
    ("distance from zero", {"rest": 2 * push}),
    ("distance from zero", {"rest": zero("n", "n")}),
    ("distance from zero", {"size": number(0)}),
    ("distance from zero", {"size": spare}),
    ("distance from zero", {"size": number(-1)}),
    ("distance from zero", {"size_squares": [2 * spare]}),
    ("distance from zero", {"matrix": XX + YY}),
    ("zero stays zero", {"rates": {D: turns @ D + D @ turns}}),
    ("zero stays zero", {"begin": {X: 2 * X0}}),
    ("zero stays zero", {"begin": {X: ONE - 3 * X0}}),
    ("zero stays zero", {"values": {D: X @ X + X}}),
    ("zero stays zero", {"values": {D: A @ X @ X - A @ X}, "rates": {D: turns @ D - D @ turns}}),
    ("zero stays zero", {"motion": {X: F}, "values": {D: X}, "rates": {D: D @ F}, "begin": {X: zero("n", "n")}}),
    ("rank of a product", {"left_inverse": A}),
    ("rank of a product", {"product": Q, "left": zero("n", "n"), "left_inverse": zero("n", "n")}),
    ("equal Gram matrices", {"right": O @ A}),
    ("linear map of a Gaussian vector", {"image": A @ S @ A.T}),
    ("linear map of a Gaussian vector", {"image": A @ A.T}),
    ("linear map of a Gaussian vector", {"covariance": S, "image": A @ S @ A.T}),
    ("linear map of a Gaussian vector", {"covariance": -1 * ONE, "image": -1 * A @ A.T}),
    ("determinants multiply", {"supposing": [det_O > 0]}),
    ("determinants multiply", {"products": [([O.T, O], []), ([mirrored], [mirrored.T])]}),
    ("determinants multiply", {"products": [([O], []), ([mirrored], [O, mirrored.T])]}),
    ("determinants multiply", {"goal": sp.Eq(det_K, 1)}),
    ("determinant of a flow", {"relative": 3 * trace(polar.T @ gap)}),
    ("determinant of a flow", {"rate": W2 @ W2.T @ gap}),
]
other = Letter("X", "n", "n")
REFUSED: list[tuple[str, dict[str, Any], list[Any]]] = [
    ("bracket that grows", {}, [(G, ONE)]),
    ("bracket that grows", {"first": G}, []),
    ("bracket that grows", {"motion": {G: G @ G, Phi: G @ G}}, []),
    ("bracket that grows", {"motion": {G: Phi, Phi: G}}, []),
    ("bracket that grows", {"begin": BEGIN | {G: F}}, []),
    ("bracket that grows", {"begin": {G: ONE}}, []),
    # one column of ones leads from a matrix of rank one to a number that keeps its sign
    (
        "bracket that grows",
        BRACKET
        | {
            "bracket": Y @ Y.T,
            "scale": Y,
            "grows_by": [zero(1, 1)],
            "first": number(1),
            "left_inverse": number(1),
        },
        [(Y.T @ Y, number(1))],
    ),
    ("solution of a matrix flow", {}, [(P, ONE)]),
    ("solution of a matrix flow", {}, [(Phi, 2 * ONE)]),
    ("solution of a matrix flow", {"rates": {P: G @ P}}, []),
    ("solution of a matrix flow", {"starts": {P: G}}, []),
    ("solution of a matrix flow", {"rates": {P: P, other: other}}, []),
    ("limit by decaying exponentials", {"values": [time * S]}, []),
    ("limit by decaying exponentials", {"decays": {E: -1 * S}}, []),
    ("limit by decaying exponentials", {"decays": {E: A}}, []),
    ("limit by decaying exponentials", {}, [(E, ONE)]),
    ("limit by decaying exponentials", {"at_the_end": {L: S}}, []),
    ("limit by decaying exponentials", {"ends": [E]}, []),
    ("limit by decaying exponentials", {"at_the_end": {L: S, L_inv: S_inv, F: zero("n", "n")}}, []),
    ("distance from zero", {"begin": {XX: P0}}, []),
    ("distance from zero", {"begin": {XX: P0, YY: XX}}, []),
    ("distance from zero", {"left_bound": trace(XX)}, []),
    ("distance from zero", {"size": trace(XX)}, []),
    ("zero stays zero", {"rates": {D: turns @ D - D @ turns + F}}, []),
    ("zero stays zero", {"rates": {D: D @ turns @ D}}, []),
    ("zero stays zero", {"rates": {D: X_inv @ D}}, []),
    ("zero stays zero", {}, [(X @ X, X)]),
    ("zero stays zero", {}, [(D, zero("n", "n"))]),
    ("zero stays zero", {"begin": {X: X @ F @ X}}, []),
    ("zero stays zero", {"begin": {X: D + D.T}}, []),
    ("zero stays zero", {"begin": {}}, []),
    ("zero stays zero", {"values": {D: gradient(trace(X), F2)}}, []),
    ("zero stays zero", {"begin": {X: X0, A: B}}, []),
    ("zero stays zero", {"motion": {X: turns @ X - X @ turns, O: O @ (A - A.T)}, "begin": {X: X0, O: ONE}}, []),
    ("zero stays zero", {"motion": {X: D + D.T}}, []),
    ("zero stays zero", {"values": {F: X @ X - X}, "rates": {F: F2 @ F}, "motion": {X: X}}, []),
    ("zero stays zero", {"rates": {D: companion @ D}}, []),
    ("zero stays zero", {"motion": {X: X @ X_inv @ X}}, []),
    ("zero stays zero", {"values": {D: D + X}}, []),
    ("equal Gram matrices", {"right": Q}, []),
    ("determinants multiply", {"products": [([Q], [Q])]}, []),
    ("determinants multiply", {"weights": [1]}, []),
    ("determinants multiply", {"goal": det_K < 0}, []),
    ("determinants multiply", {"weights": [0, 1 / det_O]}, []),
    ("determinants multiply", {"scale": sp.log(2 + det_O, evaluate=False)}, []),
    ("determinants multiply", {"products": [([O + ONE], [O])]}, []),
    ("determinant of a flow", {"relative": trace(other @ gap)}, [(other @ W2 @ W1, ONE)]),
    ("determinant of a flow", {"relative": trace(gram_inv @ gap)}, []),
    ("determinant of a flow", {"matrix": A, "inverse": A_inv, "rate": 0 * A, "relative": number(0)}, [(A, W2)]),
]


def used(name: str, changed: dict[str, Any] | None = None, assuming: list[Any] | None = None) -> Certificate:
    slots = USES[name] | (changed or {})
    steps = {}
    if name == "solution of a matrix flow":
        steps = {"inverse M_inv": prove.by("bracket that grows", **BRACKET)}
    rules = [*ASSUMING.get(name, []), *(assuming or [])]
    return prove.by(name, **slots, assuming=rules, steps=steps)


def test_every_theorem_about_matrices_is_used() -> None:
    assert set(USES) == {name for name, theorem in theorems().items() if about_matrices(theorem.letters)}


@pytest.mark.parametrize("name", sorted(USES))
def test_a_theorem_concludes_what_its_slots_say(name: str) -> None:
    made = accepted(used(name))
    assert (made.reason, made.verdict, made.method) == ("", Verdict.PROVED, f"by {name}")
    assert show.sentences(made.statement)


@pytest.mark.parametrize(("name", "changed"), BROKEN)
def test_nothing_follows_where_one_hypothesis_is_broken(name: str, changed: dict[str, Any]) -> None:
    made = accepted(used(name, changed))
    assert made.verdict is Verdict.OPEN
    with pytest.raises(Rejected):
        check({**as_data(made), "verdict": "proved", "method": f"by {name}"})


@pytest.mark.parametrize(("name", "changed", "assuming"), REFUSED)
def test_slots_that_do_not_fit_are_refused(name: str, changed: dict[str, Any], assuming: list[Any]) -> None:
    with pytest.raises((SlotError, prove.Unsatisfiable)):
        used(name, changed, assuming)


@pytest.mark.parametrize(
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


def test_matrices_that_drive_each_other_vanish_together() -> None:
    other, moved = Letter("Z", "n", "n"), Letter("Y", "n", "n")
    motion = {moved: moved @ F - other @ A, other: F @ other + moved}
    values, rates = {D: moved, F2: other}, {D: D @ F - F2 @ A, F2: F @ F2 + D}
    begin = {moved: zero("n", "n"), other: zero("n", "n")}
    made = accepted(prove.by("zero stays zero", values=values, rates=rates, motion=motion, begin=begin))
    assert made.verdict is Verdict.PROVED
    assert (
        accepted(
            prove.by("zero stays zero", values=values, rates=rates, motion=motion, begin=begin | {other: A})
        ).verdict
        is Verdict.OPEN
    )


plain, Z = Letter("L", "n", "n"), Letter("Z", "n", "n")
Z_inv, partner = Letter("Z_inv", "n", "n", inverse_of=Z), Letter("U", "n", "n", commutes_with=[plain])
SUPPOSED: dict[str, tuple[dict[str, Any], Words]] = {  # of the inverse of L, and what is zero if it is so
    "nothing": ({}, 0 * P),
    "to commute": ({"commutes_with": [A]}, P @ A - A @ P),
    "to be orthonormal": ({"orthonormal_columns": True}, P @ P.T - ONE),
    "to have a partner": ({}, P @ partner - partner @ P),
}


@pytest.mark.parametrize("supposed", SUPPOSED)
def test_nothing_is_supposed_of_letters_that_the_conclusion_does_not_show(supposed: str) -> None:
    """P = exp(-F t) solves P' = -F P, and no equation with more on its right side."""
    words, more = SUPPOSED[supposed]
    inverse = Letter("L_inv", "n", "n", inverse_of=plain, **words)

    def solves(added: Words) -> Certificate:
        return prove.by(
            "solution of a matrix flow", values={P: 1 * inverse}, rates={P: added - F @ P}, starts={P: ONE},
            motion={Z: Z @ F}, begin={Z: ONE, Z_inv: ONE}, through={plain: 1 * Z, inverse: 1 * Z_inv},
            drift={plain: plain @ F},
        )  # fmt: skip

    if supposed == "nothing":
        assert accepted(solves(more)).verdict is Verdict.PROVED
        assert accepted(solves(A @ P)).verdict is Verdict.OPEN
    else:
        with pytest.raises(SlotError):
            solves(more)


def test_a_bracket_that_grows_serves_a_solution() -> None:
    shown = prove.by("bracket that grows", **USES["bracket that grows"])
    made = accepted(
        prove.by("solution of a matrix flow", **USES["solution of a matrix flow"], steps={"inverse M_inv": shown})
    )
    assert made.verdict is Verdict.PROVED


def test_a_solution_whose_bracket_is_not_shown_to_keep_its_inverse_stays_open() -> None:
    made = prove.by("solution of a matrix flow", **USES["solution of a matrix flow"])
    assert made.verdict is Verdict.OPEN
    assert "inverse M_inv" in made.reason


def test_a_bracket_has_an_inverse_only_beside_the_letters_that_show_it() -> None:
    """M' M has one where M has one: the conclusion holds the inverse of M, and serves no flow that does not."""
    slots = {"bracket": A.T @ A, "grows_by": [zero("n", "n")], "scale": ONE}
    flow = {"motion": {Z: Z @ F}, "begin": {Z: ONE}}
    shown = accepted(prove.by("bracket that grows", **slots, first=1 * A, left_inverse=1 * A_inv, **flow))
    assert set(as_data(shown)["statement"]["concludes"]["letters"]) == {"A", "A_inv", "F", "Z"}
    hidden = as_data(shown)
    del hidden["statement"]["concludes"]["letters"]["A_inv"]
    with pytest.raises(Rejected):
        check(hidden)
    needed = {key: value for key, value in as_data(shown)["statement"]["concludes"].items() if key != "among"}
    more = needed | {"letters": needed["letters"] | {"B": {"rows": "n", "cols": "n"}}}
    fewer = needed | {"letters": {name: told for name, told in needed["letters"].items() if name != "A_inv"}}
    assert [says(normal(needed), normal(other)) for other in (needed, more, fewer)] == [True, True, False]


def as_data(certificate: Certificate) -> Any:
    return json.loads(json.dumps(certificate.as_json()))


@pytest.mark.parametrize("name", sorted(USES))
def test_a_changed_certificate_is_rejected(name: str) -> None:
    data = as_data(used(name))
    tried = 0
    for slot in theorems()[name].letters:
        for value in ({}, [], "stranger", None, {"X": {"shape": ["n", "n"], "formula": ["I", "n"]}}):
            if value == data["statement"]["slots"][slot]:
                continue
            broken = copy.deepcopy(data)
            broken["statement"]["slots"][slot] = value
            tried += 1
            with pytest.raises(Rejected):
                check(broken)
    for key in data["statement"]["concludes"]:
        broken = copy.deepcopy(data)
        broken["statement"]["concludes"][key] = "other"
        with pytest.raises(Rejected):
            check(broken)
    for role in data["payload"]["steps"]:
        broken = copy.deepcopy(data)
        broken["payload"]["steps"][role] = as_data(prove.words(A, A))
        with pytest.raises(Rejected):
            check(broken)
    assert tried >= 5


def test_a_number_decays_too() -> None:
    decay, task = Letter("decay", 1, 1), Letter("Sigma", "k", "n")
    made = prove.by(
        "limit by decaying exponentials",
        values=[task * (1 - 2 * decay)], ends=[task], decays={decay: number(1)}, slow={}, time="t", at_the_end={},
    )  # fmt: skip
    assert accepted(made).verdict is Verdict.PROVED
