"""Lies in steps: facts that are wrong, in a circle, about later ones, divided by zero, or out of any bounds."""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import product
from typing import Any

from case_files import Cases
from each import each
from flint import fmpq
from recheck.handmade import (
    ZERO,
    Json,
    Term,
    add,
    identity,
    mul,
    of_powers,
    positive_sign,
    power,
    proved,
    q,
    symbols,
    x,
    y,
)

from derivations.recheck import Rejected, check
from derivations.recheck.core.balls import plain_enclosure
from derivations.recheck.core.budget import budget
from derivations.recheck.core.load import FUNCTIONS, normal
from derivations.recheck.core.ring import AT_ZERO, Ring

FAMILIES = Cases(__file__, globals())

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


LIES = FAMILIES["lies"]


@each("lie", [*LIES], one_of=3)
def test_no_lie_in_the_steps_is_accepted(lie: str) -> None:
    assert is_refused(LIES[lie])


TRUE = FAMILIES["true"]


@each("name", [*TRUE])
def test_their_true_neighbours_are_accepted(name: str) -> None:
    made = TRUE[name]
    made["payload"]["inhabited"] = dict.fromkeys(made["payload"]["inhabited"], "2")
    check(made)


POINTS = [dict(zip("xy", map(fmpq, values), strict=True)) for values in product(range(-3, 4), repeat=2)]


@each("seed", range(6))
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
