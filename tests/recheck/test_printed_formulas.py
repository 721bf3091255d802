"""Printed formulas are read again by another reader, Python's own, and have the same values."""

from __future__ import annotations

import cmath
import random
import re
from typing import Any

import numpy as np
from each import each

from derivations.recheck.ledgers.formulas import indexed, matrix, term
from derivations.recheck.ledgers.shorter import with_letters, without_zeros

DRAWN = 2000
LETTERS = "abcd"
FACTORS = re.compile(r"(?<=[\w)\]]) (?=[\w(])")  # places where a product has no sign


class Matrix:
    """A square matrix that numbers multiply by the same sign as matrices."""

    def __init__(self, entries: Any) -> None:
        self.entries = entries

    @property
    def T(self) -> Matrix:
        return Matrix(self.entries.T)

    def __add__(self, other: Matrix) -> Matrix:
        return Matrix(self.entries + other.entries)

    def __sub__(self, other: Matrix) -> Matrix:
        return Matrix(self.entries - other.entries)

    def __neg__(self) -> Matrix:
        return Matrix(-self.entries)

    def __matmul__(self, other: Any) -> Matrix:
        return Matrix(self.entries @ other.entries)

    def __rmatmul__(self, number: Any) -> Matrix:
        return Matrix(number * self.entries)

    def __truediv__(self, number: Any) -> Matrix:
        return Matrix(self.entries / number)

    def __pow__(self, power: int) -> Matrix:
        return Matrix(np.linalg.matrix_power(self.entries, power))


def number(rng: random.Random) -> list[Any]:
    return ["q", rng.choice(["1", "-1", "2", "-3", "1/2", "-2/3", "5/4"])]


def of_numbers(rng: random.Random, depth: int) -> list[Any]:
    match rng.randrange(8) if depth else rng.randrange(2):
        case 0:
            return number(rng)
        case 1:
            return ["s", rng.choice(LETTERS)]
        case 2 | 3:
            return ["+", *(of_numbers(rng, depth - 1) for _ in range(rng.randrange(2, 4)))]
        case 4 | 5:
            return ["*", *(of_numbers(rng, depth - 1) for _ in range(rng.randrange(2, 4)))]
    power = ["q", rng.choice(["-1", "-1", "2", "-2", "1/2", "-1/2", "3/2", "1"])]
    return rng.choice([["^", of_numbers(rng, depth - 1), power], ["exp", of_numbers(rng, depth - 1)]])


def of_matrices(rng: random.Random, depth: int) -> list[Any]:
    match rng.randrange(6) if depth else 0:
        case 0:
            return ["L", rng.choice(LETTERS)]
        case 1 | 2:
            return ["+", *(of_matrices(rng, depth - 1) for _ in range(rng.randrange(2, 4)))]
        case 3:
            return ["@", *(of_matrices(rng, depth - 1) for _ in range(rng.randrange(2, 4)))]
        case 4:
            return ["*", number(rng), of_matrices(rng, depth - 1)]
    return rng.choice([["T", of_matrices(rng, depth - 1)], ["^", of_matrices(rng, depth - 1), 2]])


def of_entries(rng: random.Random, depth: int) -> list[Any]:
    match rng.randrange(5) if depth else 0:
        case 0:
            return ["A", rng.choice(LETTERS)]
        case 1 | 2:
            return ["+", *(of_entries(rng, depth - 1) for _ in range(rng.randrange(2, 4)))]
        case 3:
            return ["*", number(rng), *(of_entries(rng, depth - 1) for _ in range(rng.randrange(1, 3)))]
    return ["^", of_entries(rng, depth - 1), 2]


def value(formula: Any, at: dict[str, Any]) -> Any:
    head, *parts = formula
    match head:
        case "s" | "L" | "A":
            return at[parts[0]]
        case "q":
            above, _, below = parts[0].partition("/")
            return int(above) / int(below or 1)
        case "^" if not isinstance(parts[1], list):
            return value(parts[0], at) ** parts[1]
        case "T":
            return value(parts[0], at).T
        case "exp":
            return cmath.exp(value(parts[0], at))
    first, *others = (value(part, at) for part in parts)
    for other in others:
        first = (
            first + other
            if head == "+"
            else first**other
            if head == "^"
            else first * other
            if is_plain(first, other)
            else first @ other
        )
    return first


def is_plain(*values: Any) -> bool:
    return not any(isinstance(each, Matrix) for each in values)


def read(text: str, at: dict[str, Any]) -> Any:
    sign = "@" if isinstance(at["a"], Matrix) else "*"
    python = FACTORS.sub(sign, text.replace("'", ".T").replace("^", "**"))
    return eval(python, {"sqrt": cmath.sqrt, "exp": cmath.exp}, at)  # noqa: S307


@each(("draw", "write"), [(of_numbers, term), (of_matrices, matrix), (of_entries, indexed)])
def test_what_is_printed_has_the_value_of_the_formula(draw: Any, write: Any) -> None:
    rng, compared = random.Random(write.__name__), 0
    for _ in range(DRAWN):
        formula = draw(rng, 3)
        at = {name: complex(rng.uniform(0.5, 1.5), rng.uniform(-0.2, 0.2)) for name in LETTERS}
        if draw is of_matrices:
            at = {name: Matrix(np.array([[rng.uniform(-1, 1) for _ in "ab"] for _ in "ab"])) for name in LETTERS}
        try:
            expected = value(formula, at)
        except (OverflowError, ZeroDivisionError):
            continue
        shown = read(write(formula), at)
        one, other = (each.entries if draw is of_matrices else np.array([each]) for each in (expected, shown))
        scale = np.abs(one).max() + np.abs(other).max() + 1
        assert np.abs(one - other).max() <= 1e-9 * scale, (formula, write(formula))
        compared += 1
    assert compared > DRAWN / 2


def expanded(parts: list[Any], named: list[Any]) -> list[Any]:
    """The parts with formulas for their letters: what `with_letters` was given."""
    for name, sort, formula in reversed(named):
        letter = ["s" if sort == "numbers" else "L", name]
        parts = [put(part, letter, formula) for part in parts]
    return parts


def put(data: Any, letter: Any, formula: Any) -> Any:
    if data == letter:
        return formula
    if isinstance(data, dict):
        return {key: put(value, letter, formula) for key, value in data.items()}
    return [put(each, letter, formula) for each in data] if isinstance(data, list | tuple) else data


@each("draw", [of_numbers, of_matrices])
def test_letters_for_formulas_and_zeros_that_are_left_out_change_no_value(draw: Any) -> None:
    rng, named, write = random.Random(draw.__name__), 0, {of_numbers: term, of_matrices: matrix}[draw]
    for _ in range(DRAWN // 4):
        formula = ["+", draw(rng, 3), draw(rng, 3), draw(rng, 3)]
        side: Any = ["+", formula, draw(rng, 4), ["*", number(rng), formula]]
        if draw is of_numbers:
            side[2:2] = [["*", ["q", "0"], ["s", "a"]]]
        part = {"kind": "identity", "left": side if draw is of_numbers else {"formula": side, "shape": ["n", "n"]}}
        (short,), letters = with_letters([without_zeros(part)])
        assert expanded([short], letters) == [without_zeros(part)]
        at: dict[str, Any] = {name: complex(rng.uniform(0.5, 1.5), rng.uniform(-0.2, 0.2)) for name in LETTERS}
        if draw is of_matrices:
            at = {name: Matrix(np.array([[rng.uniform(-1, 1) for _ in "ab"] for _ in "ab"])) for name in LETTERS}
        try:
            expected = value(side, at)
        except (OverflowError, ZeroDivisionError):
            continue
        for name, _, meant in letters:
            at[name] = read(f"({write(meant)})", at)
        shown = read(write(short["left"]["formula"] if draw is of_matrices else short["left"]), at)
        one, other = (each.entries if draw is of_matrices else np.array([each]) for each in (expected, shown))
        assert np.abs(one - other).max() <= 1e-9 * (np.abs(one).max() + np.abs(other).max() + 1)
        named += len(letters)
    assert named > DRAWN / 40


X: Any = ["s", "x"]
ROOT = ["^", X, ["q", "1/2"]]


@each(
    ("factor", "has_a_value"),
    [
        (X, True),
        (["*", ["^", ["pi"], ["q", "-1"]], ["^", X, ["q", "2"]]], True),
        (["^", ["q", "3"], ["q", "1/2"]], True),
        (["exp", X], True),
        (["log", X], False),
        (["^", X, ["q", "-1"]], False),
        (["^", ["q", "2"], ["log", X]], False),
        (["^", ["pi"], ROOT], False),
        (["^", ["q", "3"], ["^", X, ["q", "-1"]]], False),
        (["^", X, ["s", "y"]], False),
    ],
)
def test_a_zero_is_left_out_where_all_its_factors_have_values(factor: Any, has_a_value: bool) -> None:
    side = ["+", ["*", ["q", "0"], factor], X]
    assert without_zeros({"kind": "identity", "left": side})["left"] == (X if has_a_value else side)
