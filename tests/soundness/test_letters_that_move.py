"""Theorems about what moves: nothing is taken from a declaration, a name or a shape that nobody shows for all times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import prove
from derivations.language.words import Letter, Words, identity, number, zero
from derivations.prove.schemas.table import SlotError, use_of
from derivations.recheck import Rejected
from derivations.recheck.core.words.values import Values

FAMILIES = Cases(__file__, globals())

one, scalar = identity("n"), number(1)
A, C, D, P, U, V, X0 = (Letter(name, "n", "n", diagonal=name == "D") for name in ["A", "C", "D", "P", "U", "V", "X0"])
X = Letter("X", "n", "n")
x, x0 = Letter("x", 1, 1), Letter("x0", 1, 1)


def solution(values: Any, rates: Any, starts: Any, motion: Any, begin: Any) -> Any:
    tables = {"values": values, "rates": rates, "starts": starts, "motion": motion, "begin": begin}
    return prove.by("solution of a matrix flow", **tables, through={}, drift={})


def between_diagonals() -> Any:
    """X' = P X - D X D has no inverse at some time, for D = diag(1, -1) and the P that exchanges rows."""
    inverse, rate = Letter("Y", "n", "n", inverse_of=X), P @ X - D @ X @ D
    rates = {V: V @ D @ U @ D @ V - V @ P, U: P @ U - D @ U @ D}
    return solution({V: inverse, U: X}, rates, {V: one, U: one}, {X: rate}, {X: one, inverse: one})


def partner_on_the_other_side() -> Any:
    fixed = Letter("A", "n", "n", commutes_with=[X])
    gap = X @ fixed - fixed @ X
    return solution({V: gap}, {V: zero("n", "n")}, {V: X0 @ fixed - fixed @ X0}, {X: X}, {X: X0})


def more_than_its_definition() -> Any:
    same = Letter("E", "n", "n", equals=X, commutes_with=[A])
    return solution({V: same}, {V: C @ A @ V}, {V: one}, {X: C @ X @ A}, {X: one, same: one})


def symmetric_by_word_only() -> Any:
    same = Letter("E", "n", "n", equals=X, symmetric=True)
    return solution({V: X.T}, {V: V @ C.T}, {V: one}, {X: C @ X}, {X: one, same: one})


def start_that_moves() -> Any:
    inverse, nothing = Letter("y", 1, 1, inverse_of=x), 0 * scalar
    bounds = {"left_bound": -scalar, "right_bound": nothing, "size": nothing}
    squares = {"left_squares": [nothing], "right_squares": [nothing], "size_squares": [nothing]}
    sides = {"matrix": inverse, "first": -scalar, "second": nothing, "rest": nothing}
    return prove.by("distance from zero", **sides, **bounds, **squares, motion={x: x}, begin={x: x0})


@pytest.mark.parametrize(
    "claim",
    [between_diagonals, partner_on_the_other_side, more_than_its_definition, symmetric_by_word_only, start_that_moves],
)
def test_no_falsehood_about_what_moves_is_proved(claim: Callable[[], Any]) -> None:
    try:
        verdict = claim().verdict.value
    except SlotError:
        return
    assert verdict == "open"


NUMBER, SQUARE = {"rows": 1, "cols": 1}, {"rows": "n", "cols": "n"}


def block(rows: Any, cols: Any, formula: Any) -> dict[str, Any]:
    return {"shape": (rows, cols), "formula": formula}


def hidden(formula: Any) -> dict[str, Any]:
    """A number, as the rate of a letter that moves at it."""
    return block(1, 1, ("derivative", ("L", "x"), (("x", formula),)))


MINUS_ONE = block("n", "n", ("*", ("q", "-1"), ("I", "n")))
A_, B_, V_, Y_ = (("L", name) for name in "ABVY")
SQUARED = {name: hidden(("*", ("L", other), ("L", other))) for name, other in (("a", "b"), ("b", "a"))}
ONES = {name: block(1, 1, ("q", "1")) for name in "ab"}
BY_HAND: dict[str, tuple[str, dict[str, Any]]] = {
    "a determinant whose rate hides an inverse": (
        "determinant of a flow",
        {
            "letters": {"A": SQUARE, "Y": SQUARE | {"inverse_of": block("n", "n", A_)}, "x": NUMBER},
            "matrix": block("n", "n", A_),
            "rate": MINUS_ONE,
            "inverse": block("n", "n", Y_),
            "relative": hidden(("*", ("q", "-1"), ("tr", Y_))),
            "motion": {"A": MINUS_ONE},
        },
    ),
    "numbers that hide how they drive each other": (
        "solution of a matrix flow",
        {
            "letters": dict.fromkeys("abuvx", NUMBER),
            "values": {"u": block(1, 1, ("L", "a")), "v": block(1, 1, ("L", "b"))},
            "rates": {"u": block(1, 1, ("*", ("L", "v"), ("L", "v"))), "v": block(1, 1, ("*", ("L", "u"), ("L", "u")))},
            "starts": {"u": ONES["a"], "v": ONES["b"]},
            "motion": SQUARED,
            "begin": ONES,
            "through": {},
            "drift": {},
        },
    ),
    "matrices of two widths": (
        "equal Gram matrices",
        {
            "letters": {"A": {"rows": "n", "cols": "m"}, "B": {"rows": "n", "cols": "p"}},
            "left": block("n", "p", A_),
            "right": block("n", "p", B_),
        },
    ),
    "a bracket of another shape": (
        "bracket that grows",
        {
            "letters": {"B": SQUARE, "V": {"rows": "n", "cols": 1, "orthonormal_columns": True}},
            "bracket": block("n", 1, B_),
            "grows_by": (block(1, 1, ("q", "0")),),
            "scale": block("n", 1, V_),
            "first": ONES["a"],
            "left_inverse": ONES["a"],
            "motion": {"B": block("n", "n", ("0", "n", "n"))},
            "begin": {"B": block("n", "n", ("@", V_, ("T", V_)))},
        },
    ),
}


@pytest.mark.parametrize("name", BY_HAND)
def test_names_and_shapes_in_slots_are_those_of_their_formulas(name: str) -> None:
    theorem, slots = BY_HAND[name]
    with pytest.raises(SlotError):
        use_of(theorem, {"rules": (), **slots})


def _as_number(words: Words) -> Words:
    assert words.shape == (1, 1)
    return words


a, t = sp.Symbol("a", real=True, nonzero=True), sp.Symbol("t", real=True)


def test_an_integrand_has_a_value_where_what_it_differentiates_has_one() -> None:
    integrand = sp.Derivative(sp.log(a * t), t)
    slots = {"integrand": integrand, "antiderivative": sp.log(t), "variable": t, "low": sp.Integer(1)}
    slots |= {"high": sp.Integer(2), "value": sp.log(2)}
    assert prove.by("integral by an antiderivative", **slots).verdict.value == "open"
    assert prove.by("integral by an antiderivative", **slots, assuming=[a > 0]).verdict.value == "proved"


# --- products with a letter at an end ---------------------------------------------------------------------------------

SIZE = {"rows": "n", "cols": "n"}
TABLE = dict.fromkeys("XABZ", SIZE) | {name: SIZE | {"diagonal": True} for name in ("D", "E")} | {
    "S": SIZE | {"symmetric": True}, "G": SIZE | {"commutes_with": ("A", "E")},
}  # fmt: skip
LIKE = {"X": "Z", "E": "Z_diagonal", "S": "Z_symmetric"}
OTHERS = {"Z": SIZE, "Z_diagonal": TABLE["E"], "Z_symmetric": TABLE["S"]}
ENDS = {
    "X": (
        {"X A", "A X", "B X", "X", "A' B X", "X D", "t X"},
        {"A X A", "X' A", "A X'", "D X D", "X A X", "A", "X t_X"},
    ),
    "E": ({"D E", "D E D", "E A", "A E", "E' A", "D A E D"}, {"A E A", "E A E", "D"}),
    "S": ({"A S", "S A", "S' A", "A S'"}, {"A S A", "S A S", "A"}),
}  # a prime turns a letter; t and t_X are the traces of A and of X


def word(text: str) -> Any:
    """A product of letters."""
    named = {"t": ("tr", ("L", "A")), "t_X": ("tr", ("L", "X"))}
    factors = [("T", ("L", f[0])) if f.endswith("'") else named.get(f, ("L", f)) for f in text.split()]
    numbers, letters = ([f for f in factors if (f[0] == "tr") is is_number] for is_number in (True, False))
    product = ("@", *letters) if len(letters) > 1 else letters[0]
    return ("*", *numbers, product) if numbers else product


@each("name", sorted(ENDS))
def test_a_letter_stands_at_an_end_of_a_product_or_inside(name: str) -> None:
    values = Values(TABLE | OTHERS)

    def at_an_end(text: str) -> bool:
        (term,) = values.side({"shape": ("n", "n"), "formula": word(text)}).terms
        return values.at_an_end(name, term, LIKE[name])

    ends, inside = ENDS[name]
    assert [text for text in sorted(ends | inside) if at_an_end(text)] == sorted(ends)


@each(
    ("rate", "keeps"), [("A G", True), ("G G A", True), ("E", True), ("B G", False), ("A' G", False), ("G' A", False)]
)
def test_what_commutes_moves_by_what_commutes(rate: str, keeps: bool) -> None:
    """G commutes with A alone."""
    values = Values(TABLE | {"G": SIZE | {"commutes_with": ("A",)}, "E": SIZE | {"commutes_with": ("A",)}})
    side = {"shape": ("n", "n"), "formula": ("along", ("L", "G"), (("G", word(rate)),))}
    if keeps:
        values.side(side)
    else:
        with pytest.raises(Rejected, match="does not keep commuting with A"):
            values.side(side)


test_statements_have_their_verdicts = FAMILIES.verdicts()
