"""The checker of inequalities between matrices accepts what is proved or refuted, and none of its corruptions."""

from __future__ import annotations

import json
from typing import Any

from case_files import Cases
from each import each
from flint import fmpq, fmpq_mat
from loewner_statements import FALSE, TRUE, A, I, X
from recheck.edits import at, leaves, placed, rejected, wrong_values

from derivations import prove
from derivations.audit.probe import matrices
from derivations.audit.probe.instances import completed
from derivations.language.words import Letter

FAMILIES = Cases(__file__, globals())

Json = dict[str, Any]


def certificate(name: str) -> Json:
    claim, assuming = TRUE[name] if name in TRUE else FALSE[name]
    made: Json = json.loads(json.dumps(prove.loewner(claim, assuming).as_json()))
    return made


MADE = {name: certificate(name) for name in (*TRUE, *FALSE)}


def still_satisfies(made: Json) -> bool:
    """Check whether the matrices of a proof are still some that satisfy the hypotheses."""
    given = made["payload"]["inhabited"]
    sizes, every = completed(made["statement"]["letters"], given["dims"], matrices_of(given), "whatever cancels")
    return matrices.supposed(matrices.Evaluation(made["statement"]["letters"], sizes, every), made["statement"])


def matrices_of(given: Json) -> Json:
    return {
        name: fmpq_mat(len(rows), len(rows[0]), [fmpq(*map(int, e.split("/"))) for row in rows for e in row])
        for name, rows in given["matrices"].items()
    }


@each("name", [*MADE])
def test_no_changed_leaf_of_the_evidence_is_accepted(name: str) -> None:
    made, tried = MADE[name], 0
    assert not rejected(made)
    for path in leaves(made["payload"]):
        value = at(made["payload"], path)
        for wrong in wrong_values(value):
            broken = placed(made, ("payload", *path), wrong)
            tried += 1
            if wrong == value or rejected(broken):
                continue
            if "inhabited" in path:  # other matrices may satisfy the hypotheses just as well
                assert still_satisfies(broken), path
            else:  # another vector may be as good, but never with other values of the sides
                assert "witness" in path
                assert "matrices" in path or "vector" in path, path
    assert tried > 3


@each("name", [*TRUE])
def test_what_the_evidence_does_not_show_is_rejected(name: str) -> None:
    made = MADE[name]
    statement = made["statement"]
    swapped = {**statement, "left": statement["right"], "right": statement["left"]}
    assert rejected({**made, "statement": swapped})
    assert rejected({**made, "verdict": "refuted", "method": "exact matrices"})
    assert rejected({**made, "verdict": "certified"})
    assert rejected({**made, "method": "rewriting"})
    if statement["relation"] == ">=" and name != "a size":  # which is positive
        assert rejected({**made, "statement": {**statement, "relation": ">"}})
    for key in made["payload"]:
        assert rejected({**made, "payload": {k: v for k, v in made["payload"].items() if k != key}})
    pieces = made["payload"].get("pieces", ())
    for k, piece in enumerate(pieces):
        assert rejected(placed(made, ("payload", "pieces"), pieces[:k] + pieces[k + 1 :]))
        assert rejected(placed(made, ("payload", "pieces"), [*pieces, piece]))


@each("name", [name for name, (_, assuming) in TRUE.items() if assuming])
def test_a_hypothesis_that_is_dropped_or_weakened_is_missed(name: str) -> None:
    made, used = MADE[name], set()
    for path in leaves(made["payload"]):
        if at(made["payload"], path) == "order":
            used.add(at(made["payload"], path[:-1])[1])
    for k, order in enumerate(made["statement"]["orders"]):
        rest = [{**order, "left": order["right"], "right": order["left"]} if j == k else other
                for j, other in enumerate(made["statement"]["orders"])]  # fmt: skip
        without = rest[:k] + rest[k + 1 :]
        for orders in (rest, without):
            assert rejected(placed(made, ("statement", "orders"), orders)) or k not in used
        if not rejected(placed(made, ("statement", "orders", k, "relation"), ">=")):
            assert order["relation"] == ">=" or made["statement"]["relation"] == ">="


def test_a_definite_matrix_needs_a_piece_that_vanishes_at_zero_only() -> None:
    for name in ("more than the identity", "the identity times a positive number", "a bracket of any shape"):
        made = MADE[name]
        pieces = made["payload"]["pieces"]
        for k, piece in enumerate(pieces):
            square = ["tr", ["@", ["T", ["L", "A"]], ["L", "A"]]]
            assert "I" not in str(piece) or rejected(placed(made, ("payload", "pieces", k), ["*", square, piece]))
        weak = [piece for piece in pieces if "order" in str(piece)]
        assert rejected(placed(made, ("payload", "pieces"), weak))


ONE, A_LETTER = ["I", "n"], ["L", "A"]


@each("piece", FAMILIES["pieces that may be negative are rejected"])  # fmt: skip
def test_pieces_that_may_be_negative_are_rejected(piece: Any) -> None:
    """The rest of the sum is what makes it right: only the sign is a lie."""
    n = Letter("X", "n", "n")
    made: Json = json.loads(json.dumps(prove.loewner(n.T @ n + A @ A >= 0, []).as_json()))
    assert not rejected(made)
    assert rejected(placed(made, ("payload", "pieces", 0), piece))
    assert rejected(placed(made, ("payload", "pieces"), [*made["payload"]["pieces"], piece, ["*", ["q", "-1"], piece]]))


def test_empty_matrices_and_vectors_show_nothing() -> None:
    refuted = MADE["not strict"]
    size = len(refuted["payload"]["witness"]["vector"])
    assert rejected(placed(refuted, ("payload", "witness", "vector"), ["0"] * size))
    empty = {"dims": {"n": 0}, "matrices": {"A": []}, "vector": [], "left": [["0"]], "right": [["0"]]}
    assert rejected(placed(refuted, ("payload", "witness"), empty))
    proved = MADE["more than the identity"]
    assert rejected(placed(proved, ("payload", "inhabited"), {"dims": {"n": 0}, "matrices": {"A": []}}))
    assert rejected(placed(proved, ("payload", "inhabited"), {"dims": {"n": 1}, "matrices": {"A": [["-1"]]}}))


def test_a_hypothesis_must_be_symmetric_as_it_stands() -> None:
    made = json.loads(json.dumps(prove.loewner(X.T @ A @ X + X.T @ X >= 0, [A >= 0, I > 0]).as_json()))
    assert not rejected(made)
    turned = Letter("M", "n", "n")
    made["statement"]["letters"]["M"] = turned.declared()
    made["statement"]["orders"][1]["left"]["formula"] = ["L", "M"]
    assert rejected(made)


test_statements_have_their_verdicts = FAMILIES.verdicts()
