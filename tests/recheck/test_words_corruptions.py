"""The checker of words certificates accepts what is proved or refuted, and none of its corruptions."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from case_files import Cases
from each import each
from recheck.edits import at, leaves, placed, rejected, wrong_values

from derivations.audit.lies.words import word_mutants
from derivations.language.words import Letter, number
from derivations.prove import words
from derivations.prove.certificate import Verdict
from derivations.prove.words import Problem, candidate, decide
from derivations.recheck import check
from derivations.recheck.core.errors import Rejected

FAMILIES = Cases(__file__, globals())

W1, W2, S = Letter("W1", "h", "i"), Letter("W2", "o", "h"), Letter("S", "o", "i")
U, V = Letter("U", "o", "m", orthonormal_columns=True), Letter("V", "i", "m", orthonormal_columns=True)
D, E = Letter("D", "m", "m", diagonal=True), Letter("E", "m", "m", diagonal=True)
RATED, Z = Letter("rated", "h", "i"), Letter("z", "o", 1)

CASES = FAMILIES["cases"]


def certificate_of(case: str) -> dict[str, Any]:
    left, right, assuming = CASES[case]
    data: dict[str, Any] = json.loads(json.dumps(words(left, right, assuming).as_json()))
    return data


CERTIFICATES = {case: certificate_of(case) for case in CASES}


def decided(case: str) -> str:
    return "refuted" if case.startswith("refuted") else "proved"


@each("case", [*CASES])
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


@each("case", [*CASES])
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


@each("case", [c for c in CASES if CERTIFICATES[c]["payload"].get("steps")])
def test_no_step_may_be_missing_or_doubled(case: str) -> None:
    steps = CERTIFICATES[case]["payload"]["steps"]
    for i, step in enumerate(steps):
        for wrong in (steps[:i] + steps[i + 1 :], [*steps, step]):
            assert rejected(placed(CERTIFICATES[case], ("payload", "steps"), wrong))


@each("case", [c for c in CASES if decided(c) == "proved"])
def test_a_changed_statement_is_accepted_only_where_it_is_true(case: str) -> None:
    """Formulas under derivatives and gradients, flows and replaced letters are changed as well."""
    certificate = CERTIFICATES[case]
    mutants = [mutant for _, mutant in word_mutants(certificate["statement"])]
    accepted = [mutant for mutant in mutants if not rejected({**certificate, "statement": mutant})]
    assert all(decide(mutant).verdict is Verdict.PROVED for mutant in accepted)
    assert len(accepted) <= len(mutants) / 10


@each(("case", "letter", "declared"), FAMILIES["a rule needs the declaration that implies it"])
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


test_statements_have_their_verdicts = FAMILIES.verdicts()
