"""Forged statements of kernels: each speaks well of a program that does other things than a claim states."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest
import sympy as sp

from derivations import prove
from derivations.audit.ledger import plain
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.ledgers.formulas import sums, term
from derivations.recheck.ledgers.programs import check_program
from derivations.recheck.ledgers.reading import formula, hypotheses

X, SQUARE = ["s", "x"], ["^", ["s", "x"], ["q", "2"]]
FREE = {"symbols": {"x": []}, "assuming": []}
UP = [">", X, ["q", "0"]]
WHOLE = [["=", "y", [[None, ["^", X, 2]]]]]
CLAIM = {"p:c": {"kind": "identity", **FREE, "left": ["s", "f"], "right": SQUARE}}


def seven_where(condition: Any) -> Any:
    return [["=", "y", [[condition, ["q", "7"]], [None, ["^", X, 2]]]]]


def identity(left: Any, right: Any, *assuming: Any) -> Any:
    return {"kind": "identity", "symbols": {"x": []}, "assuming": list(assuming), "left": left, "right": right}


def sign(left: Any, relation: str, right: Any, *assuming: Any) -> Any:
    return {**identity(left, right, *assuming), "kind": "sign", "relation": relation}


def case(**changes: Any) -> Any:
    plain_case = {"claim": "p:c", "parts": [0, 0], "where": [["x", X]], "given": FREE, "holds": [], "forms": []}
    return {**plain_case, "reached": [], "returns": [["y", SQUARE, [0, "right"]]], **changes}


def apart(*parts: int, **changes: Any) -> Any:
    return {"claim": "p:c", "parts": [*parts], "holds": [], "returns": [["y", None]], **changes}


def statement(parts: Any, *cases: Any) -> Any:
    return {"kind": "all", "parts": parts, "kernel": {"program": "0" * 64, "domain": FREE, "cases": [*cases]}}


def judged(body: Any, parts: Any, *cases: Any, claims: Any = CLAIM) -> str:
    """Return why a statement is refused, or nothing."""
    inputs, returns = [["x", "number"]], [["y", "number"]]
    row = {"inputs": inputs, "returns": returns, "program": {"body": body, "joined": {}}}
    try:
        check_program(row, statement(parts, *cases), claims)
    except Rejected as reason:
        return str(reason)
    return ""


def test_an_honest_statement_is_accepted() -> None:
    assert judged(WHOLE, [], case()) == ""
    never = [">", ["*", "-1", [["^", X, 2]], []], ["q", "0"]]
    parts = [sign(["q", "0"], ">=", ["*", ["q", "-1"], SQUARE])]
    assert judged(seven_where(never), parts, case(parts=[0, 1])) == ""
    two = [case(holds=[[never, False]]), apart(0, 1, holds=[[never, True]])]
    assert judged(seven_where(never), parts, *two) == ""


def test_a_condition_is_as_its_part_shows_and_not_as_the_case_says() -> None:
    always = [">=", ["^", X, 2], ["q", "0"]]
    shown = sign(SQUARE, ">=", ["q", "0"])
    assert judged(seven_where(always), [shown], case(parts=[0, 1]))
    assert judged(seven_where(always), [shown], case(parts=[0, 1], settled=[[always, False]]))


def test_a_case_is_impossible_only_by_a_part_that_contradicts_its_own_conditions() -> None:
    cases = case(holds=[[UP, False]]), apart(0, 1, holds=[[UP, True]], never=UP)
    assert judged(seven_where(UP), [identity(X, X)], *cases) == "a case shows nothing and does not say why"
    elsewhere = sign(["q", "0"], ">=", X, [">", ["q", "3"], X], [">", ["q", "-3"], X])
    assert judged(seven_where(UP), [elsewhere], *cases) == "a case shows nothing and does not say why"
    assert judged(seven_where(UP), [], cases[0], apart(0, 0, holds=[[UP, True]], closes="as I say"))


@pytest.mark.parametrize("slot", [[0, "left"], [0, "right", "x"], [0, "symbols"], [1, "right"], [-1, "right"]])
def test_a_return_is_a_whole_formula_of_its_claim(slot: Any) -> None:
    assert judged(WHOLE, [], case(returns=[["y", SQUARE, slot]]))


def test_a_return_is_no_part_of_a_formula_of_its_claim() -> None:
    body = [["=", "y", [[None, X]]]]
    assert judged(body, [], case(returns=[["y", X, [0, "right"]]])) == "the claim states another formula"


def test_a_case_speaks_of_a_claim_on_which_its_kernel_rests() -> None:
    seven = [["=", "y", [[None, ["q", "7"]]]]]
    returns = [["y", ["q", "7"], [0, "right"]]]
    assert "on which nothing rests" in judged(seven, [], case(claim="p:other", returns=returns))
    claims = {"p:c": {**CLAIM["p:c"], "words": {"kind": "words"}}}
    assert judged(seven, [], case(returns=returns), claims=claims) == "the claim states another formula"
    narrow = {"p:c": {**CLAIM["p:c"], "assuming": [UP]}}
    assert "does not suppose what its claim supposes" in judged(WHOLE, [], case(), claims=narrow)


def test_a_part_supposes_nothing_but_what_its_case_supposes() -> None:
    times = [["=", "y", [[None, ["*", "7", [X], []]]]]]
    part = identity(["*", ["q", "7"], X], SQUARE, ["=", X, ["q", "7"]])
    assert "no part shows" in judged(times, [part], case(parts=[0, 1]))
    given = {**FREE, "assuming": [["=", X, ["q", "7"]]]}
    assert judged(times, [part], case(parts=[0, 1], given=given)) == ""
    beyond = [">", X, ["q", "3"]]
    parts = [sign(X, ">", ["q", "3"], beyond)]
    seven = [["=", "y", [[beyond, ["^", X, 2]], [None, ["q", "7"]]]]]
    assert judged(seven, parts, case(parts=[0, 1]))
    positive = {**parts[0], "assuming": [], "symbols": {"x": ["positive"]}}
    assert judged(seven, [positive], case(parts=[0, 1]))


def test_an_argument_is_reached_under_the_conditions_of_its_case_alone() -> None:
    one = {"returns": [["y", ["q", "1"], [0, "right"]]], "where": [["x", ["q", "1"]]]}
    claims = {"p:c": {**CLAIM["p:c"], "right": ["q", "1"]}}
    part = identity(["q", "1"], X, ["=", X, ["q", "1"]])
    assert "reaches every x" in judged(WHOLE, [part], case(parts=[0, 1], **one), claims=claims)


@pytest.mark.parametrize("parts", [[0, 0], [-1, 1], [1, 0], [0, 2], [0, -1]])
def test_cases_share_the_parts_of_a_statement_in_their_order(parts: Any) -> None:
    assert judged(WHOLE, [identity(X, X)], case(parts=parts)) == "the cases do not share the parts in order"


def test_a_program_names_a_line_once() -> None:
    body = [["=", "m", [[None, ["q", "1"]]]], ["=", "m", [[None, X]]], *WHOLE]
    assert judged(body, [], case()) == "a program gives one name twice"


def test_a_page_says_what_a_kernel_returns_where_and_under_which_hypotheses() -> None:
    given = {**FREE, "assuming": [[">", X, ["q", "3"]]]}
    said = statement([identity(X, X)], case(parts=[0, 1], holds=[[UP, True]], given=given), apart(1, 1, holds=[]))
    assert 'it returns: y is x^2, the right in part 1 of "p:c", where x > 0 is true' in formula(said)
    assert any(line.startswith("never: ") for line in formula(said))
    assert any(line.startswith("x > 3 [in ") for line in hypotheses(said))


# --- arrays -----------------------------------------------------------------------------------------------------------

INVERSE = [["matrix", ["B"], ["n"], ["n"], ["inverse", [[["n", "n", [["1", [], ["A"]]]]]]]]]


def side(letter: str) -> Any:
    return {"shape": ["n", "n"], "formula": ["L", letter]}


def judged_matrix(letters: Any, kind: str = "words", returned: str = "B") -> str:
    """Return why a statement about an inverse is refused, or nothing."""
    declared = {name: {"rows": "n", "cols": "n", **more} for name, more in letters.items()}
    head = {"kind": kind, "letters": declared, "rules": []}
    parts = [{**head, "left": side(name), "right": side(name)} for name in (returned, "A")]
    about = {"claim": "p:c", "parts": [0, 2], "functions": [["inverse", ["B"], ["n"], ["n"]]], "returns": ["B"]}
    row = {
        "inputs": [["A", "matrix", "n", "n"]],
        "returns": [["B", "matrix", "n", "n"]],
        "program": {"body": INVERSE, "joined": {}},
    }
    try:
        check_program(row, statement(deepcopy(parts), about), CLAIM)
    except Rejected as reason:
        return str(reason)
    return ""


def test_a_letter_of_a_program_is_declared_as_the_program_makes_it() -> None:
    assert judged_matrix({"A": {}, "B": {"inverse_of": side("A")}}) == ""
    for told in ({"inverse_of": side("C")}, {"symmetric": True}, {"inverse_of": side("A"), "symmetric": True}):
        assert "supposes more" in judged_matrix({"A": {}, "B": told, "C": {}}), told
    assert "supposes more" in judged_matrix({"A": {}, "B": {"inverse_of": side("A")}}, "loewner")


def test_what_is_returned_is_an_inverse_and_not_what_it_is_the_inverse_of() -> None:
    left = "B is not what its certificate speaks of"
    assert judged_matrix({"A": {}, "B": {"inverse_of": side("A")}}, returned="A") == left


# --- prints -----------------------------------------------------------------------------------------------------------


def test_a_symbol_named_like_a_constant_is_printed_in_quotes() -> None:
    assert [term(("s", "pi")), term(("pi",)), term(("s", "oo"))] == ['"pi"', "pi", '"oo"']
    found = plain(prove.inequality(sp.Symbol("pi", real=True) > 3))
    assert formula(found["statement"]) == ['"pi" > 3']


def test_a_summed_index_has_a_name_of_its_own() -> None:
    assert sums(normal([["1", ["N"], [["A", 0, "n1"]]]])) == "sum_(n1_1 of N) A[n1_1, n1]"
    two = sums(normal([["1", ["N", *["M"] * 9, "N1", "N"], [["A", 0, 11]]]]))
    assert two.count("n12 of N") == 1
