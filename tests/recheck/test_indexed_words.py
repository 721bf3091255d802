"""The normal form of matrices and sums computes as exact arrays do, and tells apart what they tell apart."""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from case_files import Cases
from each import each
from flint import fmpq

from derivations.recheck import Rejected, check
from derivations.recheck.core.budget import budget
from derivations.recheck.core.load import normal
from derivations.recheck.core.words.claims import Claim
from derivations.recheck.core.words.indexed import Instance

FAMILIES = Cases(__file__, globals())

SIZES = {"n": 2, "m": 3}
LETTERS: dict[str, Any] = FAMILIES["letters"]
Rows = list[list[Fraction]]


def entries(rng: random.Random, name: str) -> Rows:
    """Random entries of a letter that are what it is declared to be."""
    rows, cols = (SIZES.get(LETTERS[name][key], 1) for key in ("rows", "cols"))
    table = [[Fraction(rng.randint(-9, 9), rng.randint(1, 5)) for _ in range(cols)] for _ in range(rows)]
    if "symmetric" in LETTERS[name]:
        table = [[table[min(i, j)][max(i, j)] for j in range(cols)] for i in range(rows)]
    if "diagonal" in LETTERS[name]:
        table = [[table[i][j] * (i == j) for j in range(cols)] for i in range(rows)]
    return table


def times(a: Rows, b: Rows) -> Rows:
    return [
        [sum((p * q for p, q in zip(row, col, strict=True)), Fraction(0)) for col in zip(*b, strict=True)] for row in a
    ]


def turned(a: Rows) -> Rows:
    return [list(row) for row in zip(*a, strict=True)]


def plainly(formula: Any, at: dict[str, Rows]) -> Rows:
    """The value of a formula by loops over rows and columns, without any normal form."""
    head, *parts = formula
    if head == "L":
        return at[parts[0]]
    if head == "q":
        return [[Fraction(parts[0])]]
    if head == "I":
        return [[Fraction(i == j) for j in range(SIZES[parts[0]])] for i in range(SIZES[parts[0]])]
    inner = [plainly(part, at) for part in parts]
    if head == "T":
        return turned(inner[0])
    if head == "tr":
        return [[sum((inner[0][i][i] for i in range(len(inner[0]))), Fraction(0))]]
    total = inner[0]
    for other in inner[1:]:
        if head == "@":
            total = times(total, other)
        elif head == "*":
            number, whole = (total, other) if (len(total), len(total[0])) == (1, 1) else (other, total)
            total = [[number[0][0] * e for e in row] for row in whole]
        else:
            total = [[p + q for p, q in zip(r, s, strict=True)] for r, s in zip(total, other, strict=True)]
    return total


def drawn(rng: random.Random, rows: Any, cols: Any, depth: int) -> Any:
    """A random formula of a shape."""
    if depth == 0:
        fits = [("L", x) for x, d in LETTERS.items() if (d["rows"], d["cols"]) == (rows, cols)]
        fits += [("T", ("L", x)) for x, d in LETTERS.items() if (d["cols"], d["rows"]) == (rows, cols)]
        if rows == cols:
            fits.append(("I", rows) if rows != 1 else ("q", str(Fraction(rng.randint(-3, 3), 2))))
        return rng.choice(fits) if fits else ("@", drawn(rng, rows, "n", 0), drawn(rng, "n", cols, 0))
    kind = rng.choice(("+", "@", "@", "*", "T", "tr" if (rows, cols) == (1, 1) else "@"))
    if kind == "+":
        return ("+", drawn(rng, rows, cols, depth - 1), drawn(rng, rows, cols, 0))
    if kind == "@":
        middle = rng.choice(("n", "m", 1))
        return ("@", drawn(rng, rows, middle, depth - 1), drawn(rng, middle, cols, depth - 1))
    if kind == "*":
        return ("*", drawn(rng, 1, 1, depth - 1), drawn(rng, rows, cols, depth - 1))
    size = rng.choice(("n", "m"))
    return ("T", drawn(rng, cols, rows, depth - 1)) if kind == "T" else ("tr", drawn(rng, size, size, depth - 1))


def claim(letters: Any = LETTERS) -> Claim:
    zero = {"shape": (1, 1), "formula": ("q", "0")}
    return Claim({"kind": "words", "letters": letters, "rules": (), "left": zero, "right": zero})


def instance(values: Claim, at: dict[str, Rows]) -> Instance:
    found = Instance(values.sums, SIZES)
    for name, rows in at.items():
        nested = [[str(e) for e in row] for row in rows]
        found.arrays[name] = values._entries(name, found.entries(nested, values.shapes[name]))
    return found


def computed(values: Claim, formula: Any, at: Instance) -> dict[Any, Any]:
    block = values.value(formula, {})
    return at.value(block.terms, values.free(block))


def plain_table(rows: Rows, formula_shape: tuple[Any, Any]) -> dict[Any, Any]:
    kept = [size != 1 for size in formula_shape]
    return {
        tuple(i for i, keep in zip(place, kept, strict=True) if keep): fmpq(e.numerator, e.denominator)
        for place, e in (((i, j), rows[i][j]) for i, j in product(range(len(rows)), range(len(rows[0]))))
        if e
    }


@each("seed", range(60))
def test_the_normal_form_has_the_values_that_loops_have(seed: int) -> None:
    rng = random.Random(seed)
    rows, cols = rng.choice([(1, 1), ("n", "n"), ("n", "m"), ("n", 1), (1, "m")])
    formula, at = drawn(rng, rows, cols, 3), {name: entries(rng, name) for name in LETTERS}
    with budget():
        values = claim()
        assert computed(values, formula, instance(values, at)) == plain_table(plainly(formula, at), (rows, cols)), (
            formula
        )


SAME = FAMILIES["same"]
OTHER = FAMILIES["other"]


@each(("first", "second"), SAME)
def test_what_is_equal_for_all_sizes_has_one_normal_form(first: Any, second: Any) -> None:
    values = claim()
    assert values.value(first, {}) == values.value(second, {})


@each(("first", "second"), OTHER)
def test_what_differs_somewhere_has_two_normal_forms(first: Any, second: Any) -> None:
    values = claim()
    assert values.value(first, {}) != values.value(second, {})


@each("formula", FAMILIES["formulas that make no sense are refused"])
def test_formulas_that_make_no_sense_are_refused(formula: Any) -> None:
    side = {"shape": ("n", "n"), "formula": formula}
    statement = {"kind": "words", "letters": LETTERS, "rules": (), "left": side, "right": side}
    at = {name: [["0"] * SIZES.get(d["cols"], 1)] * SIZES.get(d["rows"], 1) for name, d in LETTERS.items()}
    payload = {"steps": (), "inhabited": {"dims": SIZES, "matrices": at}}
    with pytest.raises(Rejected):
        check({"statement": statement, "verdict": "proved", "method": "rewriting", "payload": payload})


ARRAYS = FAMILIES["arrays"]


def of_sums(left: Any, right: Any, free: Any = None, rules: Any = (), steps: Any = ()) -> dict[str, Any]:
    statement = {
        "kind": "sums",
        "arrays": ARRAYS,
        "free": free or {},
        "rules": rules,
        "left": {"formula": left},
        "right": {"formula": right},
    }
    arrays = {
        "Q": [["1", "2"], ["2", "5"]],
        "W": [["1", "1", "1"], ["1", "1", "1"]],
        "g": ["1", "1"],
        "v": ["1", "1", "1"],
    }
    payload = {"steps": steps, "inhabited": {"sizes": {"K": 2, "M": 3, "R": 1}, "arrays": arrays}}
    data = {"statement": statement, "verdict": "proved", "method": "normal form", "payload": payload}
    result: dict[str, Any] = normal(data)
    return result


def entry(name: str, *places: str) -> Any:
    return ["A", name, *places]


def summed(formula: Any, *over: tuple[str, str]) -> Any:
    for name, of in over:
        formula = ["sum", formula, name, of]
    return formula


I, J, M = ("i", "K"), ("j", "K"), ("m", "M")
TRUE_SUMS = FAMILIES["true sums"]
FALSE_SUMS = FAMILIES["false sums"]


@each("what", [*TRUE_SUMS])
def test_sums_that_are_equal_are_accepted(what: str) -> None:
    check(of_sums(*TRUE_SUMS[what]))


@each("what", [*FALSE_SUMS])
def test_sums_that_differ_or_make_no_sense_are_rejected(what: str) -> None:
    with pytest.raises(Rejected):
        check(of_sums(*FALSE_SUMS[what]))


ONES = {"free": {"p": "K"}, "left": {"formula": entry("g", "p")}, "right": {"formula": ["q", "1"]}}
STEP = ["sum", ["*", entry("g", "s"), ["indices", ["hypothesis", 0], [["p", "s"]]]], "s", "K"]
GOAL = (summed(["^", entry("g", "i"), 2], I), summed(entry("g", "i"), I))


@each("zero", FAMILIES["steps that are not zero or cite nothing are rejected"])
def test_steps_that_are_not_zero_or_cite_nothing_are_rejected(zero: Any) -> None:
    step = ["sum", ["*", entry("g", "s"), zero], "s", "K"]
    with pytest.raises(Rejected):
        check(of_sums(*GOAL, rules=[ONES], steps=[step]))


test_statements_have_their_verdicts = FAMILIES.verdicts()
