"""Forged statements of kernels: each speaks well of a program that does other things than a claim states."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from case_files import Cases

from derivations.recheck.core.errors import Rejected
from derivations.recheck.ledgers.formulas import term
from derivations.recheck.ledgers.programs import check_program
from derivations.recheck.ledgers.reading import formula, hypotheses

FAMILIES = Cases(__file__, globals())

X, SQUARE = ["s", "x"], ["^", ["s", "x"], ["q", "2"]]
FREE = {"symbols": {"x": []}, "assuming": []}
UP = [">", X, ["q", "0"]]
WHOLE = [["=", "y", [[None, ["^", X, 2]]]]]
CLAIM = {"p:c": {"kind": "identity", **FREE, "left": ["s", "f"], "right": SQUARE}}


NOT_ABSURD = "a case shows nothing, and its conditions do not contradict each other"
NOT_GIVEN = "nothing shows that all is given where a case is"


def seven_where(condition: Any) -> Any:
    return [["=", "y", [[condition, ["q", "7"]], [None, ["^", X, 2]]]]]


def identity(left: Any, right: Any, *assuming: Any) -> Any:
    return {"kind": "identity", "symbols": {"x": []}, "assuming": list(assuming), "left": left, "right": right}


def sign(left: Any, relation: str, right: Any, *assuming: Any) -> Any:
    return {**identity(left, right, *assuming), "kind": "sign", "relation": relation}


def case(**changes: Any) -> Any:
    plain_case = {"claim": "p:c", "parts": [0, 0], "where": [["x", X]], "given": [], "holds": [], "forms": []}
    return {**plain_case, "reached": [], "edges": [], "unless": [], "returns": [["y", SQUARE, [0, "right"]]], **changes}


def apart(*parts: int, **changes: Any) -> Any:
    return {"claim": "p:c", "parts": [*parts], "holds": [], "returns": [["y", None]], **changes}


def statement(parts: Any, *cases: Any, domain: Any = ()) -> Any:
    return {"kind": "all", "parts": parts, "kernel": {"program": "0" * 64, "domain": [*domain], "cases": [*cases]}}


def judged(
    body: Any, parts: Any, *cases: Any, claims: Any = CLAIM, inputs: str = "x", domain: Any = (), said: Any = ()
) -> str:
    """Return why a statement is refused, or nothing."""
    row = {
        "inputs": [[name, "number"] for name in inputs.split()],
        "returns": [["y", "number"]],
        "program": {"body": body, "joined": {}},
        "domain": said or [term(relation) for relation in domain],
    }
    try:
        check_program(row, statement(parts, *cases, domain=domain), claims)
    except Rejected as reason:
        return str(reason)
    return ""


def test_a_page_says_what_a_kernel_returns_where_and_under_which_hypotheses() -> None:
    given = [[">", X, ["q", "3"]]]
    said = statement([identity(X, X)], case(parts=[0, 1], holds=[[UP, True]], given=given), apart(1, 1, holds=[]))
    assert 'it returns y = x^2 (right in part 1 of "p:c"), where x > 0 is true' in formula(said)
    assert any(line.startswith("it is never called") for line in formula(said))
    assert any(line.startswith("x > 3 [in ") for line in hypotheses(said))


# --- arrays -----------------------------------------------------------------------------------------------------------

INVERSE = [["matrix", ["B"], ["n"], ["n"], ["inverse", [[["n", "n", [["1", [], ["A"]]]]]]]]]


def side(letter: str) -> Any:
    return {"shape": ["n", "n"], "formula": ["L", letter]}


def judged_matrix(
    made: Any, kind: str = "words", returned: str = "B", right: str = "", solution: str = "B", **case: Any
) -> str:
    """Return why a statement about an inverse, which solves a flow, is refused, or nothing."""
    declared = {name: {"rows": "n", "cols": "n", **more} for name, more in made.items()}
    part = {"kind": kind, "letters": declared, "rules": [], "left": side(returned), "right": side(right or returned)}
    about = {"claim": "p:c", "parts": [0, 1], "returns": ["B"], "solution": [["B", [["X"]]]], "letters": []}
    row = {
        "inputs": [["A", "matrix", "n", "n"]],
        "returns": [["B", "matrix", "n", "n"]],
        "program": {"body": INVERSE, "joined": {}},
        "domain": [],
    }
    square = {"rows": "n", "cols": "n"}
    known = {"A": square, "B": {**square, "inverse_of": side("A")}, "X": square}
    still: dict[str, Any] = {"rates": {}, "starts": {}, "motion": {}, "begin": {}, "rules": []}
    solved = {
        "kind": "concluded",
        "form": "only solution",
        "letters": known,
        "solution": {"X": side(solution)},
        **still,
    }
    try:
        about |= {"exponents": [], "time": "t", **case}
        check_program(row, statement(deepcopy([part]), about), {"p:c": solved if solution else CLAIM["p:c"]})
    except Rejected as reason:
        return str(reason)
    return ""


# --- prints -----------------------------------------------------------------------------------------------------------


test_statements_have_their_verdicts = FAMILIES.verdicts()
