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
    difference,
    e,
    exp,
    gens,
    identity,
    limit,
    minus,
    mul,
    of_powers,
    positive_sign,
    power,
    proved,
    q,
    refuted,
    rewrite,
    symbols,
    word,
    x,
    y,
)

from derivations.recheck import Rejected, check
from derivations.recheck.core.budget import budget
from derivations.recheck.core.load import normal
from derivations.recheck.core.table.by import contrary, needs_and_conclusion

FAMILIES = Cases(__file__)


def refuses(broken: Json, *words: str) -> None:
    with pytest.raises(Rejected) as caught:
        check(broken)
    for part in words:
        assert part in str(caught.value)


def monomial(*exponents: int, times: str = "1") -> list[Any]:
    return [[times, list(exponents)]]


def root(term: Term) -> Term:
    return power(term, "1/2")


def test_the_root_of_a_square_is_not_the_symbol() -> None:
    square = root(power(x, 2))
    refuses(proved(identity(square, x, symbols("x")), gens("x"), [rewrite(square, monomial(1))]), "no step shows")


def test_a_rewrite_is_not_justified_by_what_rests_on_it() -> None:
    """sqrt(sqrt(x^2)) is defined, but that says nothing about x: only about what sqrt(x^2) stands for."""
    square = root(power(x, 2))
    outer = root(square)
    statement = identity(mul(outer, outer), x, symbols("x"))
    value, half = ["value", outer], rewrite(square, monomial(1))
    for steps in ([value, half], [half, value], [["value", root(x)], half]):
        made = proved(statement, [x, root(x)], [["generator", 0], *steps, ["generator", 1]], (), [[NUMBER_ONE, [0]]])
        refuses(made)


@each("table", [symbols("x", "y"), {"x": ["nonnegative"], "y": []}])
def test_a_root_is_split_only_over_factors_whose_sign_is_known(table: Json) -> None:
    whole = root(mul(x, y))
    roots = [["generator", 2], ["generator", 3], ["sign", 2], ["sign", 3], ["power", 2], ["power", 3]]
    split = rewrite(whole, monomial(0, 0, 1, 1), total=[[monomial(0, 0, 0, 2), [2]], [monomial(1), [3]]])
    made = proved(
        identity(mul(whole, whole), mul(x, y), table),
        [x, y, root(x), root(y)],
        [["generator", 0], ["generator", 1], *roots, ["sum", [["1", [0, 1]]]], split],
        total=[[monomial(0, 0, 0, 2), [2]], [monomial(1), [3]]],
    )
    refuses(made, "no step shows")


def test_a_logarithm_is_split_only_over_positive_factors() -> None:
    whole = ["log", mul(x, y)]
    made = proved(
        identity(whole, whole, symbols("x", "y")),
        [x, y, ["log", x], ["log", y]],
        [of_powers(whole, (1, 2), (1, 3))],
    )
    refuses(made, "no step shows")


def test_a_logarithm_is_not_a_logarithm_of_something_else() -> None:
    made = proved(
        identity(["log", mul(a, a)], ["log", a], symbols("a")),
        [a, ["log", a]],
        [of_powers(["log", mul(a, a)], (1, 1))],
    )
    refuses(made, "left over")


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


def test_a_multiplier_may_be_what_a_hypothesis_keeps_from_zero() -> None:
    check(
        proved(
            identity(x, ONE, symbols("x"), [["=", mul(x, x), x], [">", x, q("1/2")], ["!=", x, ZERO]]),
            gens("x"),
            [["given", 0], ["given", 2]],
            [1],
            [[NUMBER_ONE, [0]]],
            inhabited={"x": "1"},
        )
    )


def test_contradictory_hypotheses_prove_nothing() -> None:
    hypotheses = [["=", x, ZERO], ["=", x, ONE]]
    for value in ("0", "1", "2"):
        made = proved(
            identity(x, q(5), symbols("x"), hypotheses),
            gens("x"),
            [["given", 0], ["given", 1]],
            total=[[monomial(0, times="-4"), [0]], [monomial(0, times="5"), [1]]],
            inhabited={"x": value},
        )
        refuses(made, "hypothesis")


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


def test_a_statement_whose_sides_are_defined_nowhere_proves_nothing() -> None:
    below = difference(minus(ONE), power(x, 2))
    made = proved(
        identity(mul(root(below), root(below)), below, symbols("x")),
        [x, root(below)],
        [["power", 1]],
        total=[[NUMBER_ONE, [0]]],
    )
    refuses(made, "has no value")


def test_dividing_by_zero_proves_nothing() -> None:
    nothing = power(difference(x, x), -1)
    refuses(proved(identity(nothing, nothing, symbols("x")), gens("x")), "divides by zero")


def test_generators_are_no_rewrites_of_each_other() -> None:
    """g0 is the root of g1, g1 is the root of g0: both could be anything."""
    first, second = root(x), root(y)
    steps = [rewrite(second, monomial(0, 0, 1)), rewrite(first, monomial(0, 0, 0, 1))]
    made = proved(identity(first, second, symbols("x", "y")), [x, y, first, second], steps)
    refuses(made)


def test_an_atom_stands_only_for_itself() -> None:
    made = proved(identity(["sin", x], ["cos", x], symbols("x")), [x, ["sin", x]], [of_powers(["cos", x], (1, 1))])
    refuses(made, "another function of its kind")


def test_sums_are_not_rewritten() -> None:
    refuses(proved(identity(add(x, x), x, symbols("x")), gens("x"), [rewrite(add(x, x), monomial(1))]), "no step is")


def test_a_false_identity_needs_more_than_another_constant() -> None:
    refuses(proved(identity(root(x), ZERO, symbols("x")), [x, root(x)]), "left over")


def test_an_equal_point_refutes_nothing() -> None:
    refuses(refuted(identity(power(x, 2), x, symbols("x")), {"x": "1"}, "1", "1"), "certainly fail")
    root_two = mul(root(q(2)), root(q(2)))
    refuses(refuted(identity(root_two, q(2), {}), {}, "2.0000000000000", "2"), "certainly fail")


def test_a_point_outside_the_hypotheses_refutes_nothing() -> None:
    statement = identity(x, y, symbols("x", "y"), [["=", x, y]])
    refuses(refuted(statement, {"x": "1", "y": "2"}, "1", "2"), "hypothesis")
    statement = identity(x, ONE, {"x": ["positive"]})
    refuses(refuted(statement, {"x": "-2"}, "-2", "1"), "positive")


def test_an_equation_that_only_looks_true_in_balls_is_no_hypothesis_of_a_refutation() -> None:
    almost = ["=", mul(root(x), root(x)), x]
    refuses(refuted(identity(x, ONE, symbols("x"), [almost]), {"x": "2"}, "2", "1"), "hypothesis")


def test_a_point_at_which_a_side_is_undefined_refutes_nothing() -> None:
    refuses(refuted(identity(power(x, -1), ONE, symbols("x")), {"x": "0"}, "1", "1"), "not defined")
    refuses(refuted(identity(root(x), ONE, symbols("x")), {"x": "-1"}, "1", "1"), "not defined")


def test_a_fact_must_be_defined_where_the_inequality_is() -> None:
    """x = sqrt(x)^2 >= 0 only says that x >= 0 where it has a root."""
    steps = [["power", 1], ["sign", 1]]
    refuses(positive_sign(x, ZERO, ">=", symbols("x"), [x, root(x)], steps, [(1, [1, 1])]), "no step shows")


def test_a_square_need_not_be_positive() -> None:
    made = positive_sign(power(x, 2), ZERO, ">", symbols("x"), gens("x"), [["square", monomial(1)]], [(1, [0])])
    refuses(made, "was stated")


def test_a_negative_factor_turns_the_inequality() -> None:
    table = symbols("a")
    made = positive_sign(minus(a), ZERO, ">", table, [a], [word(table, "a", "positive")], [(1, [0])])
    refuses(made, "left over")
    made["payload"]["sum"] = [["-1", [0]]]
    refuses(made, "was stated")


def test_facts_about_symbols_come_from_their_assumptions() -> None:
    refuses(positive_sign(x, ZERO, ">", symbols("x"), [x], [["given", 0]], [(1, [0])]), "given")
    refuses(positive_sign(x, ZERO, ">", symbols("x"), [x], [["sign", 0]], [(1, [0])]), "any sign")


def test_a_limit_needs_a_denominator_that_survives() -> None:
    statement = limit(mul(e, power(e, -1)), q(7), symbols("a", "e"))
    refuses(continuous(statement, mul(e, power(e, -1)), q(7), {"a": "1"}), "need not be continuous")


def test_a_limit_needs_a_continuous_form() -> None:
    flat = exp(minus(power(e, -1)))
    statement = limit(flat, ZERO, symbols("a", "e"))
    refuses(continuous(statement, flat, ZERO, {"a": "1"}), "need not be continuous")


@each("relation", FAMILIES["hypotheses let the variables of a limit go to zero"])
def test_hypotheses_let_the_variables_of_a_limit_go_to_zero(relation: Term) -> None:
    made = continuous(limit(add(a, e), a, symbols("a", "e")), add(a, e), a, {"a": "1"})
    check(made)
    made["statement"] = made["statement"] | {"assuming": [relation]}
    refuses(made, "hypothesis ties" if relation[0] == "=" else "near the limit")


def test_the_value_of_a_limit_does_not_move() -> None:
    statement = limit(add(a, e), add(a, e), symbols("a", "e"))
    made = continuous(limit(add(a, e), a, symbols("a", "e")), add(a, e), a, {"a": "1"})
    refuses(made | {"statement": statement}, "must not speak")


def test_printed_values_are_the_values() -> None:
    statement = identity(exp(x), ONE, symbols("x"))
    check(refuted(statement, {"x": "1"}, "2.718281828459045235", "1"))
    check(refuted(statement, {"x": "1"}, "2.718281828459045235", "1.000000000000000"))
    for wrong in ("2.7182818284", "2.718281828459045235e1", "3", "-2.718281828459045235", "2.7|8"):
        refuses(refuted(statement, {"x": "1"}, wrong, "1"), "left")
