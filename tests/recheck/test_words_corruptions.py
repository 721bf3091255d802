"""The checker of words certificates accepts what is proved or refuted, and none of its corruptions."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from recheck.edits import at, leaves, placed, rejected, wrong_values

from derivations.audit.lies.words import word_mutants
from derivations.language.words import Letter, Words, along, gradient, identity, norm2, number, substitute, trace
from derivations.prove import words
from derivations.prove.certificate import Verdict
from derivations.prove.words import Hypothesis, Problem, candidate, decide
from derivations.recheck import check
from derivations.recheck.core.errors import Rejected

W1, W2, S = Letter("W1", "h", "i"), Letter("W2", "o", "h"), Letter("S", "o", "i")
LOSS = norm2(W2 @ W1 - S) / 2
FLOW = {W1: -gradient(LOSS, W1), W2: -gradient(LOSS, W2)}
BALANCE = (W2.T @ W2, W1 @ W1.T)
U, V = Letter("U", "o", "m", orthonormal_columns=True), Letter("V", "i", "m", orthonormal_columns=True)
D, E = Letter("D", "m", "m", diagonal=True), Letter("E", "m", "m", diagonal=True)
D_INV = Letter("D_inv", "m", "m", inverse_of=D)
TAU = Letter("tau", 1, 1, positive=True)
RATE = Letter("rate", 1, 1, inverse_of=TAU)
V1 = Letter("v", "i", 1)
Y = Letter("y", "o", 1, equals=W2 @ W1 @ V1)
Q = Letter("Q", "m", "m", orthonormal_columns=True)
N = Letter("N", "m", "m", commutes_with=[Q])
MAP = U @ D @ V.T
RATED, Z = Letter("rated", "h", "i"), Letter("z", "o", 1)

CASES: dict[str, tuple[Words, Words, list[Hypothesis]]] = {
    "riccati": (
        along(W1.T @ W1, FLOW),
        S.T @ W2 @ W1 + W1.T @ W2.T @ S - W1.T @ W1 @ W1.T @ W1 - W1.T @ W2.T @ W2 @ W1,
        [BALANCE],
    ),
    "singular values": (U @ E @ D @ E @ D_INV @ V.T @ V, U @ E @ E, []),
    "trace": (norm2(MAP), trace(D @ D), []),
    "numbers": (norm2(Y) * RATE * TAU, V1.T @ W1.T @ W2.T @ Y, []),
    "outer": (TAU * RATE * (V1.T @ V @ V.T @ V @ V.T @ V1) * S, (V1.T @ V @ V.T @ V1) * S, []),
    "commuting": (Q @ N @ Q.T, N, []),
    "gradient": (
        gradient(norm2(W2 @ W1 - S) / 2, W1),
        W2.T @ (W2 @ W1 - S) + W1 - W2.T @ W2 @ RATED,
        [(W2.T @ W2 @ RATED, W1)],
    ),
    "gradient through definitions": (
        gradient(norm2(Y) * RATE * TAU, W1) + 0 * W1,
        2 * W2.T @ Y @ V1.T,
        [],
    ),
    "rate of an inverse": (along(D_INV @ E, {D: E}), -1 * (D_INV @ D_INV @ E @ E), []),
    "twice along": (along(along(norm2(V1), {V1: MAP.T @ Z}), {Z: MAP @ V1}), 2 * norm2(MAP @ V1), []),
    "replaced": (
        substitute(along(W2 @ W1, FLOW), {S: S + W2 @ W1}),
        W2 @ W2.T @ S + S @ W1.T @ W1,
        [],
    ),
    "replaced in a hypothesis": (W2 @ W1 @ V1, Z, [(substitute(S @ V1 - Z, {S: W2 @ W1}), 0 * Z)]),
    "refuted": (along(W1.T @ W1, FLOW), S.T @ W2 @ W1, [BALANCE]),
    "refuted by orthonormal columns": (U @ U.T, identity("o"), []),
    "refuted number": (norm2(Y) * RATE, norm2(Y), [(W1 @ V1, W1 @ V1)]),
}


def certificate_of(case: str) -> dict[str, Any]:
    left, right, assuming = CASES[case]
    data: dict[str, Any] = json.loads(json.dumps(words(left, right, assuming).as_json()))
    return data


CERTIFICATES = {case: certificate_of(case) for case in CASES}


def decided(case: str) -> str:
    return "refuted" if case.startswith("refuted") else "proved"


@pytest.mark.parametrize("case", CASES)
def test_a_sound_certificate_is_accepted(case: str) -> None:
    assert CERTIFICATES[case]["verdict"] == decided(case)
    check(CERTIFICATES[case])


def still_an_instance(corrupted: dict[str, Any], path: tuple[Any, ...]) -> bool:
    """Other matrices may satisfy everything just as well; the prover's own arithmetic says which."""
    kind = "inhabited" if corrupted["verdict"] == "proved" else "witness"
    entry = at(corrupted, ("payload", *path))
    if path[0] != kind or "matrices" not in path or not isinstance(entry, str) or "." in entry:
        return False
    problem = Problem(corrupted["statement"])
    found = candidate(corrupted["payload"][kind], problem.letters)
    if not problem.search().satisfies(found):
        return False
    return kind == "inhabited" or problem.witness(found) == corrupted["payload"]["witness"]


@pytest.mark.parametrize("case", CASES)
def test_no_changed_leaf_of_the_evidence_is_accepted(case: str) -> None:
    certificate = CERTIFICATES[case]
    tried = 0
    for path in leaves(certificate["payload"]):
        full = ("payload", *path)
        for value in wrong_values(at(certificate, full)):
            corrupted = placed(certificate, full, value)
            if still_an_instance(corrupted, path):
                continue
            tried += 1
            assert rejected(corrupted), (full, value)
    assert tried > 3


def test_a_declaration_that_nothing_satisfies_proves_nothing() -> None:
    nothing = {"shape": ["h", "h"], "formula": ["0", "h", "h"]}
    letters = {"A": {"rows": "h", "cols": "h"}, "Z": {"rows": "h", "cols": "h", "inverse_of": nothing}}
    side = {"shape": ["h", "h"], "formula": ["L", "A"]}
    step = ["*", ["q", "-1"], ["@", ["L", "A"], ["declared", "inverse left", "Z"]]]
    inhabited = {"dims": {"h": 1}, "matrices": {"A": [["1"]], "Z": [["1"]]}}
    payload = {"steps": [step], "inhabited": inhabited}
    statement = {"kind": "words", "letters": letters, "rules": [], "left": side, "right": nothing}
    assert rejected({"statement": statement, "verdict": "proved", "method": "rewriting", "payload": payload})


@pytest.mark.parametrize("case", [c for c in CASES if CERTIFICATES[c]["payload"].get("steps")])
def test_no_step_may_be_missing_or_doubled(case: str) -> None:
    steps = CERTIFICATES[case]["payload"]["steps"]
    for i, step in enumerate(steps):
        for wrong in (steps[:i] + steps[i + 1 :], [*steps, step]):
            assert rejected(placed(CERTIFICATES[case], ("payload", "steps"), wrong))


@pytest.mark.parametrize("case", [c for c in CASES if decided(c) == "proved"])
def test_a_changed_statement_is_accepted_only_where_it_is_true(case: str) -> None:
    """Formulas under derivatives and gradients, flows and replaced letters are changed as well."""
    certificate = CERTIFICATES[case]
    mutants = [mutant for _, mutant in word_mutants(certificate["statement"])]
    accepted = [mutant for mutant in mutants if not rejected({**certificate, "statement": mutant})]
    assert all(decide(mutant).verdict is Verdict.PROVED for mutant in accepted)
    assert len(accepted) <= len(mutants) / 10


@pytest.mark.parametrize(
    ("case", "letter", "declared"),
    [
        ("singular values", "V", "orthonormal_columns"),
        ("singular values", "D", "diagonal"),
        ("singular values", "D_inv", "inverse_of"),
        ("numbers", "rate", "inverse_of"),
        ("numbers", "y", "equals"),
        ("commuting", "N", "commutes_with"),
        ("commuting", "Q", "orthonormal_columns"),
    ],
)
def test_a_rule_needs_the_declaration_that_implies_it(case: str, letter: str, declared: str) -> None:
    corrupted = copy.deepcopy(CERTIFICATES[case])
    del corrupted["statement"]["letters"][letter][declared]
    corrupted["statement"]["letters"][letter].pop("symmetric", None)
    with pytest.raises(Rejected):
        check(corrupted)


def test_hypotheses_that_hold_only_for_empty_matrices_prove_nothing() -> None:
    a = Letter("A", "n", "n")
    data = words(a, a).as_json() | {"verdict": "proved"}
    data["payload"]["inhabited"] = {"dims": {"n": 0}, "matrices": {"A": []}}
    with pytest.raises(Rejected, match="empty"):
        check(data)


def test_empty_matrices_are_no_witnesses() -> None:
    c = Letter("c", 1, 1)
    data = words(c, number(1), [(c * identity("n"), identity("n"))]).as_json()
    witness = {"dims": {"n": 0}, "matrices": {"c": [["2"]]}, "left": [["2"]], "right": [["1"]]}
    with pytest.raises(Rejected, match="empty"):
        check(data | {"verdict": "refuted", "method": "exact matrices", "payload": {"witness": witness}})


def test_verdicts_do_not_change_places() -> None:
    for case, certificate in CERTIFICATES.items():
        other = {"proved": "refuted", "refuted": "proved"}[decided(case)]
        for verdict in (other, "certified", "surely"):
            with pytest.raises(Rejected):
                check(certificate | {"verdict": verdict})


def test_circular_definitions_are_turned_down() -> None:
    a = Letter("A", 1, 1, equals=number(2) * Letter("B", 1, 1))
    data = json.loads(json.dumps(words(a, a).as_json()))
    data["statement"]["letters"]["B"]["equals"] = {"shape": [1, 1], "formula": ["L", "A"]}
    with pytest.raises(Rejected, match="itself"):
        check(data)
