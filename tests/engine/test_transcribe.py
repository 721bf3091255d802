"""The reader of printed formulas: it reads what a person would read, and it lets no slip pass."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from case_files import Cases
from each import each
from same_trees import same

from derivations.language.show import plain
from derivations.language.terms import Term, from_json
from derivations.latex import (
    CannotRead,
    Notation,
    NotThisKind,
    branches,
    links,
    read,
    to_words,
)

FAMILIES = Cases(__file__, globals())

DATA = json.loads((Path(__file__).parent / "data" / "van_rossem_saxe_2024_equations.json").read_text())
EQUATIONS: dict[str, str] = DATA["equations"]
SLIP = EQUATIONS["9"]  # as the source has it, with a bracket that closes nothing
EQUATIONS["9"] = SLIP[:156] + SLIP[157:]


NOTATION = Notation(
    atoms={
        # squared norms, at time t, at the start and at the end
        r"||dh||^{2}": "h",
        r"||dy||^{2}": "y",
        r"||dh(t)||^{2}": "h",
        r"||dy(t)||^{2}": "y",
        r"||dh(0)||^{2}": "h0",
        r"||dy(0)||^{2}": "y0",
        r"||dh(\infty)||^{2}": "h_infinity",
        r"||x_{2}-x_{1}||^{2}": "X",
        r"||y_{2}-y_{1}||^{2}": "Y",
        # rescaled variables of Eqs. 42 and 43
        r"{||dh||^{2}}^{\prime}": "hp",
        r"{||dy||^{2}}^{\prime}": "yp",
        r"w^{\prime}": "wp",
        r"t^{\prime}": "tp",
        # vectors and matrices
        r"dh": "dh",
        r"dy": "dy",
        r"x_{1}": "x1",
        r"x_{2}": "x2",
        r"y_{1}": "y1",
        r"y_{2}": "y2",
        r"x_{i}": "xi",
        r"y_{i}": "yi",
        r"x_{\neg i}": "x_other",
        r"D_{h}": "D_h",
        r"D_{y}": "D_y",
        r"\bar{y}": "y_mean",
        r"\bar{y}(t)": "y_mean",
        r"y(0)": "y_mean_0",
        # constants and parameters
        r"\tau_{h}": "tau_h",
        r"\tau_{y}": "tau_y",
        r"\tau_{\bar{y}}": "tau_ybar",
        r"A_{\text{high}}": "A_high",
        r"A_{\text{low}}": "A_low",
        r"h": "level",  # the threshold of A.6, which the paper also calls h
        r"v_{\pm}": "v",
        r"\lambda_{\pm}": "eigenvalue",
        r"f_{\theta}": "f_theta",
        r"h_{\theta}": "h_theta",
        r"y_{\theta}": "y_theta",
        # what the experiments compare (Eqs. 49 and 50)
        r"||dh(t)||^{2}_{\text{theory}}": "h_theory",
        r"||dy(t)||^{2}_{\text{theory}}": "y_theory",
        r"w(t)": "w",
        r"w(t)_{\text{theory}}": "w_theory",
        r"||dh_{i,j}(\infty)||^{2}_{\text{pred}}": "h_pred_ij",
        r"||dh_{i,k}(\infty)||^{2}_{\text{theory}}": "h_theory_ik",
        r"||dh_{l,j}(\infty)||^{2}_{\text{theory}}": "h_theory_lj",
        r"||dh_{k,l}(\infty)||^{2}_{\text{theory}}": "h_theory_kl",
    },
    letters=r"t w G L J D a b n \tau \eta \theta \lambda",
    functions={
        r"h": "h",
        r"y": "y",
        r"f": "f",
        r"L": "L",
        r"f_{\theta}": "f_theta",
        r"h_{\theta}": "h_theta",
        r"y_{\theta}": "y_theta",
        r"\Phi": "Phi",
        r"\phi": "phi",
    },
    operators={r"\Delta": "Delta"},
)


def s(name: str) -> Term:
    return ("s", name)


def q(value: int | str | Fraction) -> Term:
    return ("q", str(value))


def add(*terms: Term) -> Term:
    return ("+", *terms)


def mul(*terms: Term) -> Term:
    return ("*", *terms)


def power(base: Term, exponent: int | str) -> Term:
    return ("^", base, q(exponent))


def over(a: Term, b: Term) -> Term:
    return mul(a, power(b, -1))


def minus(a: Term) -> Term:
    return mul(q(-1), a)


h, y, w, X, Y, h0, y0, G, A, B, t = map(s, ("h", "y", "w", "X", "Y", "h0", "y0", "G", "A_high", "A_low", "t"))
tau_h, tau_y = s("tau_h"), s("tau_y")


# --- the corpus -----------------------------------------------------------------------------------------------------


def test_every_numbered_equation_is_in_the_corpus() -> None:
    assert sorted(map(int, EQUATIONS)) == list(range(1, 51))


@each("number", [*EQUATIONS])
def test_every_equation_of_the_paper_is_read_without_guessing(number: str) -> None:
    tree = read(EQUATIONS[number], NOTATION).tree
    assert same(tree, from_json(json.loads(json.dumps(tree))))


def test_the_slip_of_the_source_is_not_read_over() -> None:
    with pytest.raises(CannotRead, match=r"character 156 .* closing bracket may be read as a slip"):
        read(SLIP, NOTATION)


rate_y = minus(mul(w, add(over(h, tau_y), mul(over(X, tau_h), over(y, h)))))

WRITTEN_TWICE = [
    *FAMILIES["written twice"],
    ("43", 1, ("=", ("dt", s("yp"), "tp"), from_json(json.loads(re.sub(r'"(h|y|w)"', r'"\1p"', json.dumps(rate_y)))))),
    (
        "50",
        0,
        (
            "sum",
            mul(s("h_theory_kl"), ("exp", minus(s("h_theory_ik"))), ("exp", minus(s("h_theory_lj")))),
            *(("index", i, ("none",), ("none",)) for i in "kl"),
        ),
    ),
]


@each(("number", "link", "term"), WRITTEN_TWICE)
def test_printed_formulas_agree_with_what_a_person_writes_down(number: str, link: int, term: Term) -> None:
    printed = links(read(EQUATIONS[number], NOTATION).tree)[link]
    assert same(printed if term[0] == printed[0] else printed[2], term)


SLIPS = FAMILIES["slips"]


def differs(latex: str, tree: Term) -> bool:
    try:
        return not same(read(latex, NOTATION).tree, tree)
    except CannotRead:
        return True


@each("slip", [*SLIPS])
def test_one_slip_anywhere_in_the_paper_is_noticed(slip: str) -> None:
    pattern, replacement = SLIPS[slip]
    tried = 0
    for number, latex in EQUATIONS.items():
        tree = read(latex, NOTATION).tree
        for place in re.finditer(pattern, latex):
            changed = latex[: place.start()] + place.expand(replacement) + latex[place.end() :]
            assert differs(changed, tree), f"Eq. {number}: {changed}"
            tried += 1
    assert tried >= 2


# --- one rule each --------------------------------------------------------------------------------------------------

SMALL = Notation({r"||x||^{2}": "X", r"\tau_{h}": "tau"}, letters="a b w", functions={r"\Phi": "Phi"})
a, b = s("a"), s("b")


@each(("latex", "tree"), FAMILIES["each construction is read as printed"])
def test_each_construction_is_read_as_printed(latex: str, tree: Term) -> None:
    small = Notation(
        {**SMALL.atoms, r"\mathbf{a}": "a"}, letters=SMALL.letters, functions=SMALL.functions, averages=("",)
    )
    assert read(latex, small).tree == tree


@each(("latex", "sentence"), FAMILIES["what is not understood is said in a sentence"])
def test_what_is_not_understood_is_said_in_a_sentence(latex: str, sentence: str) -> None:
    with pytest.raises(CannotRead, match=sentence):
        read(latex, SMALL)


@each(("latex", "why"), FAMILIES["the reader makes no choice"])
def test_the_reader_makes_no_choice(latex: str, why: str) -> None:
    with pytest.raises(CannotRead, match=f"{why}.*: (write|open) "):
        read(latex, SMALL)


def test_two_meanings_for_one_spelling_are_refused() -> None:
    with pytest.raises(CannotRead, match="two meanings"):
        Notation({"a_1": "x", "a_{1}": "y"})


def test_a_later_entry_of_an_extended_notation_wins() -> None:
    assert read("a", SMALL.extended({"a": "other"})).tree == s("other")


@each(
    ("latex", "tree", "positive", "expected"),
    FAMILIES["roots and exponentials follow only rules that need no hypothesis"],
)
def test_roots_and_exponentials_follow_only_rules_that_need_no_hypothesis(
    latex: str, tree: Term, positive: str, expected: bool
) -> None:
    assert same(read(latex, SMALL).tree, tree, positive) is expected


# --- what is done with a tree ---------------------------------------------------------------------------------------


def test_plus_minus_gives_two_branches() -> None:
    upper, lower = branches(read(r"a\pm b=w\mp 1", SMALL).tree)
    assert upper == ("=", add(a, b), add(w, q(-1)))
    assert same(lower, ("=", add(a, minus(b)), add(w, q(1))))


def test_a_chain_comes_apart_into_its_links() -> None:
    assert links(read("a=b>w", SMALL).tree) == [("=", a, b), (">", b, w)]
    assert links(read("a<b<w", SMALL).tree) == [(">", b, a), (">", w, b)]


def exact(rows: list[list[int]]) -> Any:
    return np.array([[Fraction(e) for e in row] for row in rows], dtype=object)


def test_a_matrix_formula_folds_into_the_objects_that_are_given() -> None:
    letters = {
        "D_h": exact([[1, 2], [0, 3], [5, -1]]),
        "D_y": exact([[2, 1, 0], [1, -1, 4]]),
        "x1": exact([[1], [2]]),
        "x2": exact([[4], [-3]]),
        "y1": exact([[0], [1]]),
        "y2": exact([[7], [2]]),
        "y": exact([[11]]),
        "w": exact([[13]]),
    }
    tree = links(read(EQUATIONS["8"], NOTATION).tree)[2][2]
    image = letters["D_y"] @ letters["D_h"] @ (letters["x2"] - letters["x1"])
    assert (to_words(tree, letters) == letters["y"] - image.T @ (letters["y2"] - letters["y1"])).all()
    squared = links(read(EQUATIONS["8"], NOTATION).tree)[1][2]
    assert (to_words(squared, letters) == image.T @ image).all()
    rate = links(read(EQUATIONS["17"], NOTATION).tree)[-1][2]
    inverse = {"inverse": lambda _: exact([["1/5"]])}  # type: ignore[list-item]
    folded = to_words(rate, {**letters, "tau_y": exact([[5]])}, inverse)
    gap = image - (letters["y2"] - letters["y1"])
    assert (folded == Fraction(-1, 10) * gap @ (letters["D_h"] @ (letters["x2"] - letters["x1"])).T).all()


def test_words_need_an_object_for_every_symbol_and_a_rule_for_every_other_node() -> None:
    with pytest.raises(NotThisKind, match="no object was given for the symbol b"):
        to_words(read("2 b", SMALL).tree, {})
    with pytest.raises(NotThisKind, match="no rule was given for 'mean'"):
        to_words(read(r"\langle b\rangle_{\mathcal{D}}", SMALL).tree, {"b": exact([[1]])})
    assert to_words(read(r"\frac{3}{4}-2", SMALL).tree, {}) == Fraction(-5, 4)


def test_a_tree_is_shown_in_one_line() -> None:
    def shown(latex: str) -> str:
        return plain(read(latex, SMALL).tree)

    assert shown(r"a=\frac{b+1}{w^{2}}") == "a = (b + 1)/w^2"
    assert shown(r"a=b\implies -\sqrt{w}+2=\frac{1}{2}(a-b)b^{-1}") == "(a = b) => (-sqrt(w) + 2 = (1/2)*(a - b)/b)"
    assert shown(r"a^{T}b^{-1}w=\sum_{m=1}^{3}b") == "a'*b^(-1)*w = sum_{m = 1..3} b"
