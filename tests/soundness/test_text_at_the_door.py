"""Text is read without evaluating or running it: what SymPy would simplify away is judged as it was written."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product
from typing import Any

import sympy as sp
from case_files import Cases
from each import each
from soundness.judged import judged, refusal

from derivations import prove
from derivations.language.terms import from_sympy
from derivations.prove import NotExact, Unsatisfiable
from derivations.text.plain import meant

FAMILIES = Cases(__file__, globals())

INVERSE_PAIRS = {  # the formula, its value where it has one, and a bound that it keeps there
    "sqrt(x)^2": ("x", ">= 0"),
    "exp(log(x))": ("x", "> 0"),
    "sin(asin(x))": ("x", "<= 1"),
    "tanh(atanh(x))": ("x", "< 1"),
    "cosh(acosh(x))": ("x", ">= 1"),
}


@each("formula", [*INVERSE_PAIRS])
def test_a_formula_keeps_its_domain(formula: str) -> None:
    value, bound = INVERSE_PAIRS[formula]
    assert judged(prove.inequality(f"{formula} {bound}")) == "proved"
    assert judged(prove.inequality(f"{value} {bound}")) == "refuted"


@each("formula", ["sqrt(x)^2", "exp(log(x))", "sin(asin(x))"])
def test_a_formula_equals_its_value_where_it_has_one(formula: str) -> None:
    assert judged(prove.identity(f"{formula} = x")) == "proved"
    assert judged(prove.identity(formula, "-x", ["x > 1/3", "x < 1"])) in ("refuted", "open")
    assert judged(prove.identity(f"{formula} = 2*x")) == "refuted"


@each(("top", "bottom"), [*product(range(-3, 5), range(1, 4))])
def test_numbers_in_exponents_are_numbers(top: int, bottom: int) -> None:
    written, plain = f"x^(({top} + 1)/{bottom} - 1/{bottom})", sp.Rational(top, bottom)
    (read,) = meant(written)
    assert from_sympy(read)[2] == ("q", str(plain))
    if bottom == 1:
        assert judged(prove.inequality(f"{written} >= 0")) == ("refuted" if top % 2 else "proved")


NOT_READ = {**FAMILIES["not read"], "true by itself": lambda: prove.inequality(sp.Integer(1) > 0)}


@each("state", NOT_READ)
def test_what_is_no_formula_is_refused_in_one_sentence(state: Callable[[], Any]) -> None:
    refusal(state, NotExact, Unsatisfiable)


def _drawn(random_: random.Random, depth: int) -> str:
    if depth == 0:
        return random_.choice(["x", "y", "2", "1/3", "pi"])
    kind = random_.choice(["+", "-", "*", "/", "^2", "f"])
    inner = _drawn(random_, depth - 1)
    if kind == "f":
        return f"{random_.choice(['sqrt', 'exp', 'log', 'abs', 'asin', 'tanh', 'cos'])}({inner})"
    if kind == "^2":
        return f"({inner})^2"
    return f"({inner}) {kind} ({_drawn(random_, depth - 1)})"


@each("seed", range(40))
def test_every_operation_of_a_text_stands_in_its_term(seed: int) -> None:
    """Nothing is cancelled: as many functions as were written, and every name."""
    text = _drawn(random.Random(seed), 4)
    term = repr(from_sympy(meant(text)[0]))
    for name in ("log", "asin", "tanh", "cos", "abs"):
        assert term.count(f"('{name}',") == text.count(f"{name}(")
    assert {name for name in "xy" if f"'{name}'" in term} == {name for name in "xy" if name in text.replace("exp", "")}


test_statements_have_their_verdicts = FAMILIES.verdicts()
