"""False statements stay unproved, however their evidence is dressed up."""

from __future__ import annotations

import json
from typing import Any

import pytest
from case_files import Cases
from each import each
from recheck.handmade import (
    NUMBER_ONE,
    ONE,
    ZERO,
    Json,
    Term,
    a,
    add,
    continuous,
    e,
    gens,
    identity,
    limit,
    minus,
    mul,
    positive_sign,
    power,
    proved,
    q,
    symbols,
    word,
    x,
)

from derivations.recheck import Rejected, check
from derivations.recheck.core.budget import budget
from derivations.recheck.core.load import normal
from derivations.recheck.core.table.by import contrary, needs_and_conclusion

FAMILIES = Cases(__file__, globals())


def refuses(broken: Json, *words: str) -> None:
    with pytest.raises(Rejected) as caught:
        check(broken)
    for part in words:
        assert part in str(caught.value)


def monomial(*exponents: int, times: str = "1") -> list[Any]:
    return [[times, list(exponents)]]


def root(term: Term) -> Term:
    return power(term, "1/2")


def test_a_multiplier_that_may_vanish_proves_nothing() -> None:
    for fact in (["square", monomial(1)], ["given", 0]):
        times = 1 if fact[0] == "given" else 0
        made = proved(
            identity(x, ONE, symbols("x"), [["=", mul(x, x), x]]),
            gens("x"),
            [fact, ["given", 0]],
            [times],
            [[NUMBER_ONE, [1]]],
            inhabited={"x": "1"},
        )
        refuses(made)


def test_a_theorem_is_not_shown_by_hypotheses_that_contradict_each_other() -> None:
    """The integral of 1 from 0 to 1 would be 5 where a > 0 and -a > 0: its steps speak of nothing."""
    slots = {
        "symbols": symbols("a", "x"), "assuming": [[">", a, ZERO], [">", minus(a), ZERO]], "integrand": ONE,
        "antiderivative": x, "variable": "x", "low": ZERO, "high": ONE, "value": q(5),
    }  # fmt: skip
    name = "integral by an antiderivative"
    with budget():
        needs, concludes = needs_and_conclusion(name, normal(slots))
        contraries = {role: contrary(need, 1) for role, need in needs.items()}
    evidence = {"generators": [a], "steps": [["generator", 0], ["given", 0]], "times": [], "sum": [["1", [0]]]}
    shown = {
        role: {
            "statement": json.loads(json.dumps(statement)), "verdict": "proved", "method": "positive combination",
            "payload": {**evidence, "inhabited": {"a": "1", "x": "1/2"}},
        }
        for role, statement in contraries.items()
    }  # fmt: skip
    for contrary_of_a_step in shown.values():
        check(contrary_of_a_step)
    statement = {"kind": "by", "schema": name, "slots": slots, "concludes": json.loads(json.dumps(concludes))}
    steps = {role: {"absurd": 1, "contrary": each} for role, each in shown.items()}
    refuses({"statement": statement, "verdict": "proved", "method": f"by {name}", "payload": {"steps": steps}})


def test_a_negative_factor_turns_the_inequality() -> None:
    table = symbols("a")
    made = positive_sign(minus(a), ZERO, ">", table, [a], [word(table, "a", "positive")], [(1, [0])])
    refuses(made, "left over")
    made["payload"]["sum"] = [["-1", [0]]]
    refuses(made, "was stated")


@each("relation", FAMILIES["hypotheses let the variables of a limit go to zero"])
def test_hypotheses_let_the_variables_of_a_limit_go_to_zero(relation: Term) -> None:
    made = continuous(limit(add(a, e), a, symbols("a", "e")), add(a, e), a, {"a": "1"})
    check(made)
    made["statement"] = made["statement"] | {"assuming": [relation]}
    refuses(made, "hypothesis ties" if relation[0] == "=" else "near the limit")


test_statements_have_their_verdicts = FAMILIES.verdicts()
