"""Where a formula has a value, and which sign it shows at a glance, beside balls at exact points."""

from __future__ import annotations

import random
from typing import Any

from each import each
from flint import arb, fmpq

from derivations.recheck.core.balls import Undefined, enclosure, exact, sign_at
from derivations.recheck.core.budget import budget
from derivations.recheck.core.conditions import demands, sign_by_form
from derivations.recheck.core.load import FUNCTIONS
from derivations.recheck.core.statements import SIGNS, WORDS, agrees_with

BITS = 128
SYMBOLS = {"a": (), "p": ("positive",), "n": ("nonnegative",), "m": ("negative",), "z": ("nonzero",)}
EXPONENTS = ("-2", "-1", "-1/2", "1/2", "2/3", "2", "3", "0")
Term = tuple[Any, ...]
SMOOTH: list[Term] = [(head, ("s", "a")) for head in FUNCTIONS if head not in ("abs", "digamma")]
SMOOTH += [("^", ("s", "a"), ("q", exponent)) for exponent in EXPONENTS]


def drawn(rng: random.Random, depth: int) -> Term:
    """A formula in symbols of every sign."""
    if depth == 0:
        number = str(fmpq(rng.randint(-3, 3), rng.randint(1, 3)))
        return rng.choice([("s", rng.choice([*SYMBOLS])), ("q", number), ("pi",)])
    head = rng.choice(["+", "*", "^", *FUNCTIONS])
    if head == "^":
        exponent = ("q", rng.choice(EXPONENTS)) if rng.random() < 0.8 else drawn(rng, 0)
        return ("^", drawn(rng, depth - 1), exponent)
    return (head, *(drawn(rng, depth - 1) for _ in range(2 if head in ("+", "*") else 1)))


def point(rng: random.Random) -> dict[str, Any]:
    """Numbers that are what the symbols are declared to be."""
    tried = {name: [fmpq(rng.randint(-6, 6), rng.randint(1, 3)) for _ in range(40)] for name in SYMBOLS}
    return {name: next(v for v in tried[name] if agrees_with(told, v)) for name, told in SYMBOLS.items()}


def has_value(formula: Term, at: dict[str, Any]) -> bool:
    try:
        return bool(enclosure(formula, at, BITS).is_finite())
    except Undefined:
        return False


@each("seed", range(12))
def test_a_formula_has_a_value_where_its_demands_hold_and_the_sign_that_it_shows(seed: int) -> None:
    rng, shown, defined = random.Random(seed), 0, 0
    for _ in range(60):
        formula, at = drawn(rng, rng.randint(1, 3)), point(rng)
        with budget():
            try:
                held = all(sign_at(of, at, BITS) in SIGNS[relation] for relation, of in demands(formula))
            except Undefined:
                continue
            defined += held
            assert not held or has_value(formula, at), formula
            sign = sign_by_form(formula, SYMBOLS)
            if sign and has_value(formula, at):
                shown += 1
                assert sign_at(formula, at, BITS) in (*SIGNS[sign], None), (formula, at)
    assert min(shown, defined) > 5


@each("head", FUNCTIONS)
def test_a_demand_of_a_function_draws_the_line_where_balls_draw_it(head: str) -> None:
    for number in (fmpq(k, 7) for k in range(-21, 22)):
        at = {"a": number}
        with budget():
            held = all(sign_at(of, at, BITS) in SIGNS[r] for r, of in demands((head, ("s", "a"))))
        assert held == has_value((head, ("s", "a")), at) or (head == "digamma" and number < 0), (head, number)


@each("formula", SMOOTH)
def test_a_slope_has_a_value_where_the_demands_of_a_smooth_formula_hold(formula: Term) -> None:
    held = 0
    for number in (fmpq(k, 7) for k in range(-21, 22)):
        with budget():
            if all(sign_at(of, {"a": number}, BITS) in SIGNS[r] for r, of in demands(formula, smooth=True)):
                held += 1
                assert has_value(("D", formula, "a"), {"a": number}), number
    assert held > 10


@each("head", FUNCTIONS)
def test_an_exact_value_of_a_function_is_its_value(head: str) -> None:
    for number in ("-1", "0", "1/2", "1", "2"):
        with budget():
            value = exact((head, ("q", number)), {})
            assert value is None or enclosure((head, ("q", number)), {}, BITS).contains(arb(value))


@each("word", [*WORDS])
def test_a_word_beside_a_symbol_is_a_relation_to_zero(word: str) -> None:
    says = {"positive": lambda v: v > 0, "negative": lambda v: v < 0, "nonnegative": lambda v: v >= 0,
            "nonpositive": lambda v: v <= 0, "nonzero": lambda v: v != 0}[word]  # fmt: skip
    assert all(agrees_with((word,), fmpq(v)) == says(v) for v in (-2, -1, 0, 1, 2))
