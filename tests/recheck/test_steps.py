"""Lies in steps: facts that are wrong, in a circle, about later ones, divided by zero, or out of any bounds."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import product
from typing import Any

import pytest
from flint import fmpq
from recheck.handmade import (
    NUMBER_ONE,
    ONE,
    ZERO,
    Json,
    Term,
    a,
    add,
    exp,
    identity,
    minus,
    mul,
    of_powers,
    positive_sign,
    power,
    proved,
    q,
    rewrite,
    symbols,
    word,
    x,
    y,
)

from derivations.recheck import Rejected, check
from derivations.recheck.core.balls import plain_enclosure
from derivations.recheck.core.budget import budget
from derivations.recheck.core.load import FUNCTIONS, normal
from derivations.recheck.core.ring import AT_ZERO, Ring

X, Y, SQUARE = [["1", [1]]], [["1", [0, 1]]], [["1", [2]]]
HOLDS = {
    ">": lambda value: value > 0,
    ">=": lambda value: value >= 0,
    "!=": lambda value: value != 0,
    "=": lambda value: value == 0,
}


def is_refused(broken: Json) -> bool:
    try:
        check(broken)
    except Rejected as reason:
        return bool(str(reason)) and "\n" not in str(reason)
    return False


def claims(steps: Any, total: Any, *, assuming: Any = (), relation: str = ">=", left: Term = x) -> Json:
    return positive_sign(left, ZERO, relation, symbols("x", "y"), [x, y], steps, total, assuming)


def function_of(formula: Any, right: Any, *powers: tuple[int, int]) -> Json:
    """That a function is the right side, since its argument is what the step says; the second generator is another."""
    other = [part for part in (right, right[-1]) if part[0] in FUNCTIONS]
    return proved(identity(formula, right, symbols("x")), [x, *other], [of_powers(formula, *powers)])


LIES: dict[str, Json] = {
    "no fact at all": claims([], [(1, [])]),
    "a given that is not there": claims([["given", 0]], [(1, [0])]),
    "a given with a negative number": claims([["given", -1]], [(1, [0])], assuming=[[">=", y, ZERO]]),
    "another given": claims([["given", 0]], [(1, [0])], assuming=[[">=", y, ZERO]]),
    "an equation called a sign": claims([["given", 0]], [(1, [0])], assuming=[["!=", x, ZERO]]),
    "a fact that uses itself": claims([["over", X, [], [["1", [0]]]]], [(1, [0])]),
    "a fact that uses a later one": claims([["sum", [["1", [1]]]], ["square", X]], [(1, [0])], left=power(x, 2)),
    "facts in a circle": claims([["over", X, [], [["1", [1]]]], ["over", X, [], [["1", [0]]]]], [(1, [0])]),
    "a root that nobody knows": claims([["sign", 0]], [(1, [0])]),
    "a denominator that is none": claims([["denominator", power(x, -1)]], [(1, [0, 0])], left=power(x, 2)),
    "a value that no side asks for": claims([["value", power(x, "1/2")]], [(1, [0])]),
    "a value of a sum": claims([["value", add(x, y)]], [(1, [0])], left=add(x, y)),
    "a value of a square": claims([["value", power(x, 2)]], [(1, [0, 0])], left=power(x, 2), relation=">"),
    "a square that is called positive": claims([["square", X]], [(1, [0])], left=power(x, 2), relation=">"),
    "a factor of what may vanish": claims(
        [["square", X], ["factor", X, [0]]], [(1, [1, 1])], left=power(x, 2), relation=">"
    ),
    "a factor that does not divide": claims(
        [["given", 0], ["factor", X, [0]]], [(1, [1, 1])], assuming=[["!=", y, ZERO]], left=power(x, 2), relation=">"
    ),
    "a factor of nothing": claims([["factor", [], []]], [(1, [0])]),
    "a product of unknown sign": claims(
        [["given", 0], ["given", 1]], [(1, [0, 1])], assuming=[["!=", x, ZERO], [">=", y, ZERO]], left=mul(x, y)
    ),
    "a product of two unknown signs": claims(
        [["given", 0], ["given", 1]], [(1, [0, 1])], assuming=[["!=", x, ZERO], ["!=", y, ZERO]], left=mul(x, y)
    ),
    "a negative weight": claims([["given", 0]], [(-1, [0])], assuming=[[">=", x, ZERO]], left=minus(x)),
    "a weight of zero that is strict": claims([["square", X]], [(1, [0]), (0, [])], left=power(x, 2), relation=">"),
    "a sum of what is not zero": claims(
        [["given", 0], ["given", 1], ["sum", [["1", [0]], ["1", [1]]]]],
        [(1, [2, 2])],
        assuming=[["!=", x, ZERO], ["!=", y, ZERO]],
        left=power(add(x, y), 2),
        relation=">",
    ),
    "divided by what may be zero": claims(
        [["given", 0], ["square", Y], ["over", X, [1], [["1", [0]]]]],
        [(1, [2])],
        assuming=[[">=", mul(x, power(y, 2)), ZERO]],
    ),
    "divided by what may be negative": claims(
        [["given", 0], ["given", 1], ["over", X, [1], [["1", [0]]]]],
        [(1, [2])],
        assuming=[[">=", mul(x, y), ZERO], ["!=", y, ZERO]],
    ),
    "divided by a square that vanishes with it": claims(
        [["given", 0], ["square", X], ["over", [["1", [1]], ["-1", []]], [1], [["1", [0]]]]],
        [(1, [2])],
        assuming=[[">=", mul(power(x, 2), add(x, q(-1))), ZERO]],
        left=add(x, q(-1)),
    ),
    "the sign of an exponent that is unknown": positive_sign(
        exp(x), ONE, ">=", symbols("x"), [x, exp(x)], [["exponential", exp(x), NUMBER_ONE, [], [["1", []]]]], [(1, [0])]
    ),
    "an exponent with the other sign": positive_sign(
        exp(x),
        ONE,
        ">=",
        symbols("x"),
        [x, exp(x)],
        [["given", 0], ["exponential", exp(x), [["-1", []]], [], [["1", [0]]]]],
        [(-1, [1])],
        [[">=", ZERO, x]],
    ),
    "a generator after its use": positive_sign(
        power(x, 2), ZERO, ">=", symbols("x"), [x], [["square", X], ["generator", 0]], [(1, [0])]
    ),
    "an equation of a root that is not shown": positive_sign(
        power(x, 2), ZERO, ">=", symbols("x"), [x, power(x, "1/2")],
        [["generator", 0], ["power", 1], ["square", X]], [(1, [1])],
    ),
    "a sign of a root that is not shown": positive_sign(
        power(x, 2), ZERO, ">=", symbols("x"), [x, power(x, "1/2")],
        [["generator", 0], ["sign", 1], ["square", X]], [(1, [1])],
    ),
    "an equation divided by what may be zero": proved(
        identity(x, ZERO, symbols("x", "y"), [["=", mul(x, y), ZERO]]),
        [x, y],
        [["given", 0], ["square", Y], ["over", X, [1], [[Y, [0]]]]],
        total=[[NUMBER_ONE, [2]]],
        inhabited={"x": "0"},
    ),
    "a generator that is a sum": positive_sign(
        add(x, y), ZERO, ">=", symbols("x", "y"), [x, y, add(x, y)], [], [(1, [])]
    ),
    "a root of a formula that no side has": proved(
        identity(x, x, symbols("x")), [x, power(x, "1/2")], [["power", 1]], total=[[NUMBER_ONE, [0]]]
    ),
    "a logarithm that no side has": proved(identity(x, x, symbols("x")), [x, ["log", x]]),
    "a power of a symbol that no side has": proved(identity(x, x, symbols("x", "y")), [x, y, ["^", x, y]]),
    "a symbol that is not declared": proved(identity(x, x, symbols("x")), [x, y]),
    "a root under another name": proved(
        identity(power(x, "1/2"), ONE, symbols("x")), [x], [rewrite(power(x, "1/2"), NUMBER_ONE)]
    ),
    "an exponential of another power": proved(
        identity(exp(x), mul(q(2), exp(x)), symbols("x")), [x, exp(x)], [of_powers(exp(add(x, ZERO)), (2, 1))]
    ),
    "a logarithm with half a coefficient": proved(
        identity(["log", power(a, 2)], ["log", a], symbols("a")),
        [a, ["log", a]],
        [["rewrite", ["log", power(a, 2)], [["1/2", 1]], [], []]],
    ),
    "the wrong root of a square": proved(
        identity(power(power(x, 2), "1/2"), minus(x), {"x": ["positive"]}),
        [x],
        [rewrite(power(power(x, 2), "1/2"), [["-1", [1]]])],
    ),
    "a function of another argument": function_of(("erf", add(x, ONE)), ("erf", x), (1, 1)),
    "another function of an argument": function_of(("sin", x), ("erf", x), (1, 1)),
    "a value at zero elsewhere": function_of(("erf", x), ZERO),
    "another value at zero": function_of(("cos", ZERO), ZERO),
    "an even function that is called odd": function_of(("cos", minus(x)), minus(("cos", x)), (-1, 1)),
    "an odd function that is called even": function_of(("atan", minus(x)), ("atan", x), (-1, 1)),
    "a function that is neither odd nor even": function_of(("lambertw", minus(x)), minus(("lambertw", x)), (-1, 1)),
    "twice a function": function_of(("sin", add(x, x)), mul(q(2), ("sin", x)), (2, 1)),
    "a sign on the line that some numbers lack": claims([["line", X, ">=", []]], [(1, [0])]),
    "a strict sign that a root lacks": claims([["line", SQUARE, ">", []]], [(1, [0])], left=power(x, 2), relation=">"),
    "a sign beyond a root that is not supposed": claims(
        [["given", 0], ["line", X, ">=", [0]]], [(1, [1])], assuming=[[">=", power(x, 2), ONE]]
    ),
    "a sign at the end of what is supposed": claims(
        [["given", 0], ["line", X, ">", [0]]], [(1, [1])], assuming=[[">=", x, ZERO]], relation=">"
    ),
    "a sign on the line of two letters": claims([["line", [["1", [2]], ["1", [0, 2]]], ">=", []]], [(1, [0])]),
    "a sign from what is known of another letter": claims(
        [["given", 0], ["line", X, ">=", [0]]], [(1, [1])], assuming=[[">", y, ZERO]]
    ),
    "a sign on the line from itself": claims([["line", X, ">=", [0]]], [(1, [0])]),
    "a relation that is none": claims([["line", X, "<", []]], [(1, [0])]),
    "a polynomial of a huge degree on the line": claims([["line", [["1", [9000]], ["1", []]], ">", []]], [(1, [0])]),
    "a huge exponent": claims([["square", [["1", [10**9]]]]], [(1, [0])]),
    "a huge power of a root": proved(
        identity(power(x, "1/2"), x, symbols("x")), [x], [rewrite(power(x, "1/2"), X, power=1000)]
    ),
    "a product of very many facts": claims([["square", X]], [(1, [0] * 5000)], left=power(x, 2)),
    "a product of many long facts": claims([["square", [["1", [1]], ["1", [0, 1]], ["1", []]]]], [(1, [0] * 900)]),
}  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_no_lie_in_the_steps_is_accepted(lie: str) -> None:
    assert is_refused(LIES[lie])


TRUE: dict[str, Json] = {
    "a function of the same argument": function_of(("lambertw", add(x, ZERO)), ("lambertw", x), (1, 1)),
    "an odd function": function_of(("erf", minus(x)), minus(("erf", x)), (-1, 1)),
    "an even function": function_of(("cos", minus(x)), ("cos", x), (-1, 1)),
    "a value at zero": function_of(("cos", add(x, minus(x))), ONE),
    "what is not zero has a positive square": claims(
        [["given", 0]], [(1, [0, 0])], assuming=[["!=", x, ZERO]], left=power(x, 2), relation=">"
    ),
    "divided by what is positive": claims(
        [["given", 0], ["given", 1], ["over", X, [1], [["1", [0]]]]],
        [(1, [2])],
        assuming=[[">=", mul(x, y), ZERO], [">", y, ZERO]],
    ),
    "a product that is positive has no factor that vanishes": claims(
        [["given", 0], ["given", 1], ["over", X, [1], [["1", [0]]]]],
        [(1, [2])],
        assuming=[[">", mul(x, y), ZERO], [">=", y, ZERO]],
        relation=">",
    ),
    "a sign beyond a root": claims(
        [["given", 0], ["given", 1], ["line", [["1", [1]], ["-1", []]], ">", [0, 1]]],
        [(1, [2])],
        assuming=[[">=", power(x, 2), q(2)], [">", x, ZERO]],
        left=add(x, q(-1)),
        relation=">",
    ),
    "a given word": positive_sign(a, ZERO, ">", symbols("a"), [a], [word(symbols("a"), "a", "positive")], [(1, [0])]),
}


@pytest.mark.parametrize("name", TRUE)
def test_their_true_neighbours_are_accepted(name: str) -> None:
    made = TRUE[name]
    made["payload"]["inhabited"] = dict.fromkeys(made["payload"]["inhabited"], "2")
    check(made)


POINTS = [dict(zip("xy", map(fmpq, values), strict=True)) for values in product(range(-3, 4), repeat=2)]


@pytest.mark.parametrize("seed", range(6))
def test_whatever_steps_are_accepted_their_facts_hold_at_every_point(seed: int) -> None:
    """Steps are drawn without any sense; those that the checker takes are compared with exact values at points."""
    rng = random.Random(seed)
    givens = [(rng.choice([">", ">=", "!=", "="]), drawn_formula(rng), normal(ZERO)) for _ in range(3)]
    generators = {"generators": [x, y], "steps": [["generator", 0], ["generator", 1]]}
    with budget():
        ring = Ring(("x", "y"), givens, [side for relation in givens for side in relation[1:]], normal(generators))
        for _ in range(200):
            with suppress(Rejected):
                ring.take(normal(drawn_step(rng, ring)))
        supposed = [(relation, ring.difference(left, right)[0]) for relation, left, right in givens]
    assert len(ring.facts) > 10
    for point in POINTS:
        if all(HOLDS[relation](poly(*point.values())) for relation, poly in supposed):
            for poly, relation in ring.facts:
                assert HOLDS[relation](poly(*point.values())), (poly, relation, point)


def drawn_formula(rng: random.Random) -> Any:
    parts = [mul(q(rng.randint(-2, 2) or 1), power(x, rng.randint(0, 2)), power(y, rng.randint(0, 2))) for _ in "12"]
    return normal(add(*parts[: rng.randint(1, 2)]))


def drawn_poly(rng: random.Random) -> Any:
    rows = {(rng.randint(0, 2), rng.randint(0, 2)): str(rng.randint(-2, 2)) for _ in range(rng.randint(1, 2))}
    return [[weight, [*exponents]] for exponents, weight in rows.items()]


def as_data(poly: Any) -> Any:
    return [[str(weight), [*map(int, exponents)]] for exponents, weight in poly.to_dict().items()]


def drawn_step(rng: random.Random, ring: Ring) -> Any:
    """A step; those that divide take what is divided, and by what, from facts whose product is one."""
    facts = ring.facts
    numbers = [rng.randrange(len(facts) + 1) for _ in range(rng.randint(1, 2))]
    weight = rng.choice([str(rng.randint(-1, 2)), drawn_poly(rng)])
    match rng.choice(["given", "square", "sum", "sum", "over", "over", "factor", "line"]):
        case "given":
            return ["given", rng.randint(0, 3)]
        case "square":
            return ["square", rng.choice([[["1", [1]]], [["1", [0, 1]]], drawn_poly(rng)])]
        case "line":
            return ["line", drawn_poly(rng), rng.choice([">", ">=", "!=", "="]), numbers[: rng.randint(0, 2)]]
        case "sum":
            return ["sum", [[weight, numbers], *([[weight, numbers[:1]]] if rng.random() < 0.3 else [])]]
        case kind if len(facts) > 1:
            first, second = rng.sample(range(len(facts)), 2)
            whole = facts[first][0] * facts[second][0]
            of = next((k for k, fact in enumerate(facts) if fact[0] == whole), second)
            if kind == "factor":
                return ["factor", as_data(facts[first][0]), [of]]
            turned = rng.choice(["1", "-1"])
            return ["over", as_data(facts[first][0] * int(turned)), [second], [[turned, [of]]]]
    return ["sign", 0]


def test_functions_have_their_values_at_zero_and_are_odd_or_even() -> None:
    for head, at_zero in AT_ZERO.items():
        plus, minus_, nothing = (plain_enclosure((head, ("q", text)), {}, 64) for text in ("1/3", "-1/3", "0"))
        assert nothing.contains(at_zero)
        assert nothing.rad() < 1e-9
        assert (plus - minus_ if at_zero else plus + minus_).contains(0)
        assert not (plus + minus_ if at_zero else plus - minus_).contains(0)
