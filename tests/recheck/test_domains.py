"""A proof at a point is one of the statement: every formula has a value there, and work is bounded."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
from case_files import Cases
from each import each
from recheck.handmade import (
    ONE,
    ZERO,
    Json,
    a,
    add,
    another,
    certificate,
    continuous,
    e,
    gens,
    identity,
    limit,
    minus,
    mul,
    power,
    proved,
    put,
    q,
    refuted,
    s,
    symbols,
    x,
    y,
)

from derivations.recheck import Rejected, check

FAMILIES = Cases(__file__, globals())

LOG_RATE = ["D", ["log", x], "x"]
SIZED = {"shape": ["n", "n"], "formula": ["I", "n"]}
NOTHING = {"shape": [1, 1], "formula": ["0", 1, 1]}


def refuses(broken: Json, *words: str) -> None:
    began = time.process_time()
    with pytest.raises(Rejected) as caught:
        check(json.loads(json.dumps(broken)))
    assert time.process_time() - began < 10
    for word in words:
        assert word in str(caught.value)


def difference_below_zero() -> Any:
    return add(q(-1), minus(power(y, 2)))


@each("told", ["positive", "nonnegative", "nonzero"])
def test_a_box_stays_within_the_assumptions(told: str) -> None:
    statement = {"kind": "enclosure", "assuming": [], "expression": x, "box": {"x": ["-1", "1"]}}
    statement |= {"lower": "-2", "upper": "2"}
    payload = {"bits": 64, "pieces": 1}
    check(certificate(statement | {"symbols": {"x": []}}, "certified", "ball enclosure", payload))
    refuses(certificate(statement | {"symbols": {"x": [told]}}, "certified", "ball enclosure", payload), "leaves")


def test_whole_powers_are_enclosed_on_boxes_around_zero() -> None:
    statement = {"kind": "enclosure", "symbols": {"x": []}, "assuming": [], "expression": power(x, 3)}
    statement |= {"box": {"x": ["-1", "1"]}, "lower": "-2", "upper": "2"}
    check(certificate(statement, "certified", "ball enclosure", {"bits": 64, "pieces": 1}))


def limit_under(hypothesis: Any) -> Json:
    made = continuous(limit(add(a, e), a, symbols("a", "e")), add(a, e), a, {"a": "2"}, SIGNS.get(str(hypothesis), ()))
    made["statement"] = made["statement"] | {"assuming": [hypothesis]}
    return made


def sign_near(hypothesis: Any, sign: int, powers: Any, rest: Any) -> Any:
    """Return what a hypothesis says near the limit: its gap is a sign times a form."""
    gap = add(hypothesis[1], minus(hypothesis[2]))
    form = mul(*(power(s(name), e) if e != "1" else s(name) for name, e in powers), rest)
    whole = rest if not powers else form
    whole = whole if sign == 1 else mul(q(-1), whole)
    table = symbols("a", "e")
    return [gap, sign, [powers, rest], proved(identity(gap, whole, table), gens("a", "e"))]


KEPT = ([">", a, e], [">", mul(a, e), e], ["!=", e, q(7)])
SIGNS = {
    str(KEPT[0]): [sign_near(KEPT[0], 1, [], add(a, minus(e)))],
    str(KEPT[1]): [sign_near(KEPT[1], 1, [["e", "1"]], add(a, q(-1)))],
    str(KEPT[2]): [sign_near(KEPT[2], -1, [], add(q(7), minus(e)))],
}
TINY = power(q(10), -400)


@each("hypothesis", KEPT)
def test_hypotheses_that_hold_for_all_small_values_are_kept(hypothesis: Any) -> None:
    check(limit_under(hypothesis))


@each("hypothesis", KEPT)
def test_what_a_hypothesis_says_near_the_limit_is_shown(hypothesis: Any) -> None:
    for edit in ({"sign": -1}, {"sign": 0}, {"rest": ZERO}, {"rest": minus(a)}, {"powers": [["e", "2"]]}):
        broken = limit_under(hypothesis)
        (entry,) = broken["payload"]["near"]["signs"]
        sign = edit.get("sign", 1) * entry[1]
        form = [edit.get("powers", entry[2][0]), edit.get("rest", entry[2][1])]
        broken["payload"]["near"]["signs"] = [[entry[0], sign, form, entry[3]]]
        refuses(broken)


def test_two_limits_differ_where_the_expression_has_values() -> None:
    """sqrt(x + e)^2 tends to |x| where it has values; that x and |x| differ at -1 refutes nothing."""
    root = power(add(x, e), "1/2")
    for number, claimed, good in (("-1", ["abs", x], False), ("1", ZERO, True)):
        statement = limit(power(root, 2), claimed, symbols("x", "e"))
        there = limit(put(power(root, 2), x=number), q(number), symbols("e"))
        moved = power(power(add(add(ZERO, q(number)), e), "1/2"), 2)
        inner = continuous(there, add(q(number), e), q(number), {})
        same = identity(moved, add(q(number), e), symbols("e"))
        inner["payload"]["identity"] = proved(same, [e, moved[1]], [["power", 1]], total=[[[["1", [0, 0]]], [0]]])
        gap = add(add(ZERO, q(number)), e)
        same = proved(identity(gap, add(q(number), e), symbols("e")), gens("e"))
        inner["payload"]["near"]["signs"] = [[gap, 1, [[], add(q(number), e)], same]]
        broken = another(statement, inner, {"x": number}, number, "1" if not good else "0")
        if good:
            check(broken)
        else:
            refuses(broken, "positive where")


def test_a_logarithm_may_move_where_its_argument_stays_positive() -> None:
    for argument, good in ((add(a, e), True), (e, False)):
        log = ["log", argument]
        value = ["log", a] if good else ZERO
        made = continuous(limit(log, value, symbols("a", "e")), log, value, {"a": "1"})
        for key, formulas in (("identity", [a, e, log]), ("value", [a, ["log", a]])):
            made["payload"][key] = proved(made["payload"][key]["statement"], formulas, [])
        if good:
            check(made)
        else:
            refuses(made, "continuous")


# --- work -------------------------------------------------------------------------------------------------------------

MANY = [f"v{i}" for i in range(9)]
DICE = random.Random(0)


def sparse(variables: int, degree: int, terms: int) -> Any:
    def monomial() -> Any:
        return mul(q(DICE.randint(1, 10**9)), *(power(s(v), DICE.randint(0, degree)) for v in MANY[:variables]))

    return add(*(monomial() for _ in range(terms)))


@each(("variables", "degree", "terms"), [(5, 50, 17), (9, 5, 44), (9, 30, 10)])
def test_products_that_are_hard_to_factor_are_left_alone(variables: int, degree: int, terms: int) -> None:
    shape = (variables, degree, terms)
    hypotheses = [[">=", mul(sparse(*shape), sparse(*shape)), ZERO] for _ in range(5)]
    statement = identity(ONE, ONE, {v: [] for v in MANY}, hypotheses)
    began = time.process_time()
    check(json.loads(json.dumps(proved(statement, gens(*MANY), inhabited=dict.fromkeys(MANY, "1")))))
    assert time.process_time() - began < 10


def test_many_long_numbers_are_refused_in_time() -> None:
    numbers = add(*(power(q(10**600 + i), 190) for i in range(3000)))
    refuses(refuted(identity(numbers, ZERO, {}), {}, "1", "0"), "work")


def test_definitions_that_branch_are_followed_once() -> None:
    letters: Json = {"A0": {"rows": 1, "cols": 1}, "B0": {"rows": 1, "cols": 1}}
    for i in range(1, 40):
        both = {"shape": [1, 1], "formula": ["@", ["L", f"A{i - 1}"], ["L", f"B{i - 1}"]]}
        letters |= {f"{letter}{i}": {"rows": 1, "cols": 1, "equals": both} for letter in "AB"}
    statement = {"kind": "words", "letters": letters, "rules": [], "left": NOTHING, "right": NOTHING}
    inhabited = {"dims": {}, "matrices": {name: [["1"]] for name in letters}}
    check(certificate(statement, "proved", "rewriting", {"steps": [], "inhabited": inhabited}))


test_statements_have_their_verdicts = FAMILIES.verdicts()
