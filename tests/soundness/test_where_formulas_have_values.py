"""The checker asks for a value exactly what a value needs: formulas at ends of domains, in balls of their own."""

from __future__ import annotations

import json
from itertools import product
from typing import Any

import pytest
from case_files import Cases
from each import each
from flint import fmpq

from derivations import prove
from derivations.audit.ledger import plain
from derivations.recheck import Rejected, check
from derivations.recheck.core.balls import Undefined, enclosure, exact
from derivations.recheck.core.conditions import conditions, demands, sign_by_form
from derivations.recheck.core.load import FUNCTIONS
from derivations.recheck.core.statements import agrees_with

FAMILIES = Cases(__file__, globals())

X: Any = ("s", "x")
INNER = FAMILIES["inner"]
EXPONENTS: list[Any] = [("q", text) for text in ("0", "1", "2", "-1", "-2", "1/2", "-1/2", "1/3", "3/2", "0/5", "4/2")]
OUTER = [*((lambda u, head=head: (head, u)) for head in FUNCTIONS), *((lambda u, e=e: ("^", u, e)) for e in EXPONENTS)]
FORMULAS = [outer(inner) for outer, inner in product(OUTER, INNER)] + [("^", inner, X) for inner in INNER]
POINTS = [fmpq(text) for text in (-3, -2, -1, 0, 1, 2)] + [fmpq(n, 2) for n in (-5, -3, -1, 1, 3)]


def has_value(formula: Any, at: Any) -> bool:
    try:
        enclosure(formula, {"x": at}, 128)
    except Undefined:
        return False
    return True


def holds(relation: str, formula: Any, at: Any) -> bool:
    """Check whether a formula at an exact point has a relation to zero; balls tell where its value is no fraction."""
    value = exact(formula, {"x": at})
    value = enclosure(formula, {"x": at}, 128) if value is None else value
    return bool(value > 0 if relation == ">" else value >= 0 if relation == ">=" else value != 0)


def test_conditions_hold_exactly_where_there_is_a_value() -> None:
    for formula, at in product(FORMULAS, POINTS):
        fulfilled, is_there = _all_hold(demands(formula), at), has_value(formula, at)
        assert fulfilled is is_there or (is_there and "digamma" in json.dumps(formula)), (formula, at)
        assert fulfilled is _all_hold(conditions(formula, {}, smooth=False), at), (formula, at)


def _all_hold(asked: Any, at: Any) -> bool:
    """Conditions in their order: the inner ones say whether the others have values."""
    return all(holds(relation, of, at) for relation, of in asked)


def test_a_sign_that_is_seen_is_the_sign() -> None:
    seen = 0
    for formula, words in product(FORMULAS, ((), ("positive",), ("nonnegative",), ("nonzero",), ("negative",))):
        if relation := sign_by_form(formula, {"x": words}):
            points = [at for at in POINTS if agrees_with(words, at) and has_value(formula, at)]
            assert all(holds(relation, formula, at) for at in points), (formula, words)
            seen += len(points)
    assert seen > 1000


U: Any = ("s", "u")


@each(("spoken", "weights"), [(("digamma", U), [0]), (("^", U, ("q", "0")), [0, 0])])
def test_a_proof_takes_no_more_from_a_formula_than_its_value_needs(spoken: Any, weights: list[int]) -> None:
    """digamma(u) has a value at u = -1/2, and u^0 at 0: there 0 + u > 0 and 0 + u^2 > 0 are false."""
    nothing = ("+", spoken, ("*", ("q", "-1"), spoken), *([U] if len(weights) == 1 else [("^", U, ("q", "2"))]))
    statement = {
        "kind": "sign",
        "relation": ">",
        "symbols": {"u": ()},
        "assuming": (),
        "left": nothing,
        "right": ("q", "0"),
    }
    generators = (U, spoken) if spoken[0] == "digamma" else (U,)
    steps = (*(("generator", k) for k in range(len(generators))), ("value", spoken))
    payload = {"generators": generators, "steps": steps, "times": (), "sum": (("1", weights),), "inhabited": {"u": "1"}}
    with pytest.raises(Rejected):
        check({"statement": statement, "verdict": "proved", "method": "positive combination", "payload": payload})


@each(("part", "order"), [(("digamma", U), ">"), (("^", U, ("q", "0")), "!=")])
def test_a_limit_supposes_of_its_parameters_only_what_their_values_need(part: Any, order: str) -> None:
    """d digamma(u) + |u| goes to u for positive u, and not for u = -1/2."""
    size = ("^", ("^", U, ("q", "2")), ("q", "1/2"))
    whole, value = ("+", ("*", ("s", "d"), part), size), U if order == ">" else size
    said = {"symbols": {"d": ("positive",), "u": ()}, "assuming": ()}
    same = {"kind": "identity", "left": whole, "right": whole} | said
    limit = {"kind": "limit", "variables": ("d",), "expression": whole, "value": value} | said
    at_zero = same | {"left": size, "right": value, "symbols": {"u": ()}, "assuming": ((order, U, ("q", "0")),)}
    shown = [plain(prove.decide(statement)) for statement in (same, at_zero)]
    assert [each["verdict"] for each in shown] == ["proved", "proved"]
    evidence = {"facts": [], "steps": [], "form": whole, "identity": shown[0], "value": shown[1]}
    payload = evidence | {"near": {"point": {"u": "1"}, "signs": []}}
    with pytest.raises(Rejected, match=r"supposes what the limit does not|need not be continuous"):
        check({"statement": limit, "verdict": "proved", "method": "small quantities", "payload": payload})


test_statements_have_their_verdicts = FAMILIES.verdicts()
