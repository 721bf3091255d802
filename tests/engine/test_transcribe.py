"""The reader of printed formulas: it reads what a person would read, and it lets no slip pass."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from derivations.language.show import plain
from derivations.language.terms import Term, from_json
from derivations.latex import (
    CannotRead,
    Notation,
    NotThisKind,
    branches,
    links,
    read,
    same,
    to_words,
)

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
half = q("1/2")


# --- the corpus -----------------------------------------------------------------------------------------------------


def test_every_numbered_equation_is_in_the_corpus() -> None:
    assert sorted(map(int, EQUATIONS)) == list(range(1, 51))


@pytest.mark.parametrize("number", EQUATIONS)
def test_every_equation_of_the_paper_is_read_without_guessing(number: str) -> None:
    tree = read(EQUATIONS[number], NOTATION).tree
    assert same(tree, from_json(json.loads(json.dumps(tree))))


def test_the_slip_of_the_source_is_not_read_over() -> None:
    with pytest.raises(CannotRead, match=r"character 156 .* closing bracket may be read as a slip"):
        read(SLIP, NOTATION)


rate_w = add(
    mul(q("-1/2"), power(tau_y, -1), add(mul(q(3), w), minus(y), Y), h),
    mul(q("-1/2"), power(tau_h, -1), X, over(mul(add(y, w), w), h)),
)
rate_y = minus(mul(w, add(over(h, tau_y), mul(over(X, tau_h), over(y, h)))))
root = power(add(power(A, 2), mul(q(4), power(B, 2))), "1/2")
initial = add(over(y0, h0), minus(over(mul(tau_h, h0), mul(tau_y, X))))
decay = mul(add(over(A, h0), q(-1)), ("exp", minus(mul(A, t))))
quotient_rule = over(add(mul(h, ("dt", y, "t")), minus(mul(y, ("dt", h, "t")))), power(h, 2))
gaussian = over(add(s("level"), minus(over(power(B, 2), s("level")))), mul(power(q(2), "1/2"), X, G))

WRITTEN_TWICE: list[tuple[str, int, Term]] = [
    ("7", 0, ("=", ("dt", h, "t"), minus(over(mul(X, w), tau_h)))),
    ("7", 1, ("=", ("D", y, "t"), rate_y)),
    ("7", 2, rate_w),
    ("20", 12, rate_w),
    ("21", 2, rate_w),
    ("10", 0, add(mul(half, A), power(add(mul(q("1/4"), power(A, 2)), power(B, 2)), "1/2"))),
    ("11", 0, minus(add(minus(h0), over(mul(X, tau_y, y0), mul(tau_h, h0))))),
    ("12", 1, (">>", over(y0, h0), q(1))),
    ("13", 0, (">>", q(1), over(h0, X))),
    ("14", 0, ("~", h0, mul(X, ("^", G, s("n"))))),
    ("19", 0, ("propto", ("dt", s("dh"), "t"), s("dh"))),
    ("23", 1, ("=", quotient_rule, minus(over(w, tau_y)))),
    ("24", 0, add(over(mul(tau_h, power(h, 2)), mul(tau_y, X)), mul(initial, h))),
    (
        "25",
        1,
        mul(
            q("-1/2"),
            add(
                minus(over(mul(tau_h, power(h, 3)), mul(power(tau_y, 2), X))),
                over(mul(Y, h), tau_y),
                over(mul(q(4), h, w), tau_y),
                over(mul(X, power(w, 2)), mul(tau_h, h)),
                mul(initial, add(over(mul(X, w), tau_h), minus(over(power(h, 2), tau_y)))),
            ),
        ),
    ),
    ("26", 0, ("implies", ("=", ("dt", h, "t"), q(0)), ("=", w, q(0)))),
    ("35", 0, over(("pm", A, root), mul(q(2), tau_y))),
    ("39", 0, over(A, add(q(1), decay))),
    ("40", 0, over(mul(tau_h, power(A, 2), minus(decay)), mul(tau_y, X, power(add(q(1), decay), 2)))),
    ("41", 1, ("to", y, mul(power(G, 2), y))),
    ("42", 3, over(t, G)),
    ("43", 1, ("=", ("dt", s("yp"), "tp"), from_json(json.loads(
        re.sub(r'"(h|y|w)"', r'"\1p"', json.dumps(rate_y)))))),
    ("44", 4, ("P", ("and", (">", add(power(s("level"), 2), minus(power(B, 2))), mul(A, s("level"))),
                     (">", mul(q(2), s("level")), A)))),
    ("46", 2, ("normal", q(0), mul(q(2), power(X, 2), power(G, 2)))),
    ("47", 0, ("=", ("P", (">", s("level"), s("h_infinity"))), ("call", "Phi", gaussian))),
    ("48", 1, mul(("call", "phi", gaussian), power(mul(power(q(2), "1/2"), X, G), -1),
                  add(q(1), power(over(B, s("level")), 2)))),
    ("50", 0, ("sum", mul(s("h_theory_kl"), ("exp", minus(s("h_theory_ik"))), ("exp", minus(s("h_theory_lj")))),
               *(("index", i, ("none",), ("none",)) for i in "kl"))),
]  # fmt: skip


@pytest.mark.parametrize(("number", "link", "term"), WRITTEN_TWICE, ids=[f"{n}-{k}" for n, k, _ in WRITTEN_TWICE])
def test_printed_formulas_agree_with_what_a_person_writes_down(number: str, link: int, term: Term) -> None:
    printed = links(read(EQUATIONS[number], NOTATION).tree)[link]
    assert same(printed if term[0] == printed[0] else printed[2], term)


SLIPS = {
    "sign": (r"-", "+"),
    "sign back": (r"\+", "-"),
    "symbol": (r"\\tau_\{h\}", r"\\tau_{y}"),
    "other symbol": (r"A_\{\\text\{high\}\}", r"A_{\\text{low}}"),
    "norm": (r"\|\|dh\|\|", r"||dy||"),
    "factor": (r"\\frac\{1\}\{2\}", r"\\frac{1}{3}"),
    "number": (r"4", "5"),
    "exponent": (r"\^\{2\}", "^{4}"),
    "dropped": (r"w", ""),
    "relation": (r"<", ">"),
}


def differs(latex: str, tree: Term) -> bool:
    try:
        return not same(read(latex, NOTATION).tree, tree)
    except CannotRead:
        return True


@pytest.mark.parametrize("slip", SLIPS)
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


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        ("||x||^4", power(s("X"), 2)),
        ("||x||", power(s("X"), "1/2")),
        ("||x||^{3}", ("^", power(s("X"), "1/2"), q(3))),
        (r"\|a+b\|^2", ("norm2", add(a, b))),
        (r"\lVert a\rVert_F^{2}", ("norm2", a)),
        ("-a^2", minus(power(a, 2))),
        (r"\frac12 a", mul(half, a)),
        (r"a^{2}b", mul(power(a, 2), b)),
        (r"a-b\cdot w", add(a, mul(q(-1), b, w))),
        (r"2a/3", mul(q(2), a, q("1/3"))),
        (r"a<b", (">", b, a)),
        (r"a\leq b", (">=", b, a)),
        (r"a, b \ll w", ("and", (">>", w, a), (">>", w, b))),
        (r"a=b\text{ and }b=w\text{ or }a=1", ("or", ("and", ("=", a, b), ("=", b, w)), ("=", a, q(1)))),
        (r"\begin{split}a&=b\\&+w\\b&=a\end{split}.", ("and", ("=", a, add(b, w)), ("=", b, a))),
        (r"\begin{split}a&=(b\\&+w)\end{split}", ("=", a, add(b, w))),
        (r"\pm a", ("pm", q(0), a)),
        (r"a^{\top}b^T", mul(("T", a), ("T", b))),
        (r"\mathbf{a}", a),
        (r"\begin{pmatrix}a&b\\1&0\end{pmatrix}", ("matrix", ((a, b), (q(1), q(0))))),
        (r"\sum_{m=1}^{3}a b+w", add(("sum", mul(a, b), ("index", "m", q(1), q(3))), w)),
        (r"a\frac{d}{dw}\Phi(b)", mul(a, ("dt", ("call", "Phi", b), "w"))),
        (r"\frac{da}{dw}", ("dt", a, "w")),
        (r"\dot{a}b", mul(("dt", a, "t"), b)),
        (r"\frac{\partial a b}{\partial w}", ("partial", mul(a, b), w)),
        (r"\left< a \right>", ("mean", a)),
        (r"\tanh(a)\text{arcsin}(b)", mul(("tanh", a), ("asin", b))),
        (r"\sqrt[4]{a}", power(a, "1/4")),
        (r"0.25", q("1/4")),
        (r"|a|", ("abs", a)),
    ],
)
def test_each_construction_is_read_as_printed(latex: str, tree: Term) -> None:
    small = Notation(
        {**SMALL.atoms, r"\mathbf{a}": "a"}, letters=SMALL.letters, functions=SMALL.functions, averages=("",)
    )
    assert read(latex, small).tree == tree


@pytest.mark.parametrize(
    ("latex", "sentence"),
    [
        (r"a+(b-w", r"'\)' was expected, which closes the '\(' at character 2"),
        (r"(a]+b", r"'\)' was expected"),
        (r"a)b", "closing bracket may be read as a slip"),
        (r"\frac{a)}{b}", "'}' was expected"),
        (r"\tau_{y}", r"at character 0 .*not in the notation at this place; it has \\tau_\{h\}"),
        (r"a_{2}", "no entry for 'a' with this subscript"),
        (r"a'", "no entry for this symbol with the mark"),
        (r"a^{2}^{2}", "second superscript"),
        (r"a+", "the formula ends where a symbol"),
        (r"2 3", "two numbers stand side by side"),
        (r"a,b", "this part states nothing"),
        (r"\langle a\rangle_{x}", "no average over 'x'"),
        (r"\frac{\mathrm{d}^2 a}{\mathrm{d}w}", "only first derivatives"),
        (r"\begin{split}a=b", "never ended"),
        (r"\begin{array}{cc}a&b\\a\end{array}", "equally many entries"),
        (r"\mathcal{N}(a)", "a mean and a variance"),
        (r"P(a)", "states nothing"),
        ("a é", "has no meaning here"),
        ("", "a formula was expected"),
    ],
)
def test_what_is_not_understood_is_said_in_a_sentence(latex: str, sentence: str) -> None:
    with pytest.raises(CannotRead, match=sentence):
        read(latex, SMALL)


@pytest.mark.parametrize(
    ("latex", "why"),
    [
        ("a)", "at character 1 .* a slip that means nothing or as the end of a bracket"),
        ("a))-b", "at character 1 .* a slip that means nothing or as the end of a bracket"),
        (r"\frac{d}{dw}a b", "acting on the one factor"),
        (r"\log a b", "acting on the one factor"),
        ("w(a)", "a product or as the value of a function"),
        ("1/a b", "divided by the one factor"),
        ("a^23", "23 together or as 2 alone"),
        (r"\sqrt[3]{a}", "a root of odd order"),
    ],
)
def test_the_reader_makes_no_choice(latex: str, why: str) -> None:
    with pytest.raises(CannotRead, match=f"{why}.*: (write|open) "):
        read(latex, SMALL)


def test_two_meanings_for_one_spelling_are_refused() -> None:
    with pytest.raises(CannotRead, match="two meanings"):
        Notation({"a_1": "x", "a_{1}": "y"})


def test_a_later_entry_of_an_extended_notation_wins() -> None:
    assert read("a", SMALL.extended({"a": "other"})).tree == s("other")


@pytest.mark.parametrize(
    ("latex", "tree", "positive", "expected"),
    [
        (r"\frac{1}{\sqrt{2}}", mul(half, power(q(2), "1/2")), "", True),
        (r"\sqrt{8}a", mul(q(2), a, power(q(2), "1/2")), "", True),
        (r"\sqrt{a+b}\sqrt{a+b}", add(a, b), "", True),
        (r"\sqrt{4a}", mul(q(2), power(a, "1/2")), "", True),
        (r"\frac{1}{e^{a}}", ("exp", minus(a)), "", True),
        (r"\sqrt{a^2}", a, "", False),
        (r"\sqrt{\frac{a}{b}}", mul(power(a, "1/2"), power(b, "-1/2")), "", False),
        (r"\sqrt{\frac{a}{b}}", mul(power(a, "1/2"), power(b, "-1/2")), "ab", True),
        (r"\frac{a}{b-b}", a, "", False),
    ],
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
