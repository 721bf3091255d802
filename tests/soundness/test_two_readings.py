"""What two readers could read differently is refused with both readings, and an author's reading is told."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import pytest
import sympy as sp

from derivations import Paper, prove
from derivations.audit.verify import verify
from derivations.language.words import Letter
from derivations.latex import CannotRead, Notation, NotThisKind, read
from derivations.latex.agree import same as same_tree
from derivations.latex.formula import Formula
from derivations.latex.printed import Vocabulary, symbols_of
from derivations.latex.tokens import Ambiguous
from derivations.text import DerivationError

NOTATION = Notation(letters="a b c p q t w x y A B T", operators={r"\mathrm{tr}": "trace"}, functions={"f": "f"})
TWO_WAYS = {
    "a function before a product": r"\sin 2x, \sin{2x}, \tanh wx, \log 2p, \cos 2\pi x, \exp xy, \log x(y+1)",
    "a function before a fraction": r"\log x\frac{1}{y}",
    "a function before a sign": r"\sin x\cdot y, \log p/q, \exp x\times y, \sin x/2",
    "an operator before a product": r"\mathrm{tr} AB, \frac{\mathrm{d}}{\mathrm{d}t}xy, \mathrm{tr} A(x+y)",
    "a derivative before a slash": r"\frac{\mathrm{d}}{\mathrm{d}t}x/y",
    "a superscript behind an argument": r"\mathrm{tr}(A)^2, \mathrm{tr}(A+B)^{2}, \log(p)^2, \sin(x+1)^2",
    "a superscript behind what is differentiated": r"\frac{\mathrm{d}}{\mathrm{d}t}(x+1)^2",
    "a digit behind a digit": r"x^10, x^2 3, x^12.5, \frac123, \sqrt12, \frac12 3",
    "a power of ten": r"1e-3, 2e5, 2e+3, 1.5e 2, 1 e - 3",
    "digits in groups": r"10,000+x^2>5, x=10,000",
    "a decimal comma": "x>0,5, 0,5x>1",
    "a slash before a product": r"a/bc, 1/2p, 1/2 p, e^{-x/2y}, a/b(c+d), a/b\cdot c, a/b/c, 1/2\pi, x^{1/2y}",
    "a number that is transposed": r"2^{T}A, 2^\top A, 2^{\mathrm{T}}",
    "a letter as a superscript": r"A^T, x^{T}, (AB)^{T}, A^{-T}",
    "a wide space": r"x=y\quad+y^2, x=y\qquad-a",
    "a line with a sign": r"x=y\\-y=a, x=y\\+a=b",
    "braces that nobody sees": r"{a+b}c, 2{x+1}, {ab}^2, {x^2}^3, {a/b}c, {-x}^2",
    "a bracket that closes nothing": r"a), a+b), (a+b))",
    "a value or a product": r"x(y), w(2)",
    "a number behind a symbol": r"x2, (a)2, x^{2}3, \pi 2",
    "a mixed number": r"2\frac{1}{2}, x+3\frac12",
    "a comma before an implication": r"x=y,a=b\implies c=a",
    "a root of odd order": r"\sqrt[3]{x}, \sqrt[5]{x+1}",
    "a product over an index": r"\prod_{k=1}^{2}ab, \prod_{k=1}^{2}a\cdot b",
}
CASES = [(name, latex) for name, several in TWO_WAYS.items() for latex in re.split(r", (?![-a-z]=|a=b)", several)]


@pytest.mark.parametrize(("name", "latex"), CASES)
def test_it_is_refused_with_both_readings(name: str, latex: str) -> None:
    with pytest.raises(CannotRead) as refused:
        read(latex, NOTATION)
    assert isinstance(refused.value, Ambiguous)
    assert re.search(r"at character \d+ .*may be read as .* or as .*: (write|open|put) ", str(refused.value))


ONE_WAY = {
    r"\sin(2x)": r"\sin\left(2x\right)",
    r"2\sin x\cos x": r"2\sin(x)\cos(x)",
    r"\sin^2 x+\cos^{2}x": r"\sin(x)\sin(x)+\cos(x)\cos(x)",
    r"\mathrm{tr}(AB)": r"\mathrm{tr}\left(AB\right)",
    r"\mathrm{tr}(A)B": r"(\mathrm{tr}(A))B",
    r"x^{10}": r"x^{5}x^5",
    r"\frac12x": r"\frac{1}{2}x",
    r"\frac{1}{2}p": "p/2",
    r"a/(bc)": r"\frac{a}{bc}",
    r"A^{\top}B": r"A^\top B",
    r"{x}^{2}": "x^2",
    r"{(a+b)}c": "(a+b)c",
    r"{ab}c": "abc",
    r"{a+b}=c": "a+b=c",
    r"p+{a+b}": "p+a+b",
    r"2e^{x}": r"2\exp(x)",
    r"f(x)^2": "(f(x))^2",
    r"w(y+2)": "wy+2w",
    r"x\,y": "xy",
    r"\frac{a}{b}^2": r"\frac{a^2}{b^2}",
    r"\sin x^2": r"\sin(x^2)",
}


@pytest.mark.parametrize(("latex", "other"), ONE_WAY.items())
def test_what_has_one_reading_is_read(latex: str, other: str) -> None:
    assert same_tree(read(latex, NOTATION).tree, read(other, NOTATION).tree)


SEVERAL = {
    r"x=y\quad y^2\ge 0": "a quad",
    r"x=y\qquad y^2\ge 0": "two quads",
    r"x=y,\quad y^2\ge 0": "a comma too",
    r"x=y\hspace{1cm}y^2\ge 0": "a space of some width",
    r"x=y\ \ y^2\ge 0": "two spaces",
    r"\begin{aligned}x&=y&y^2&\ge 0\end{aligned}": "two columns",
    r"\begin{align}x&=y&&y^2\ge 0\end{align}": "two columns, the second without a left side of its own",
}


@pytest.mark.parametrize("latex", SEVERAL)
def test_a_wide_space_ends_a_statement(latex: str) -> None:
    x, y = ("s", "x"), ("s", "y")
    assert read(latex, NOTATION).tree == ("and", ("=", x, y), (">=", ("^", y, ("q", "2")), ("q", "0")))


def test_a_quad_before_a_relation_is_a_space() -> None:
    assert read(r"x\quad=y", NOTATION).tree == ("=", ("s", "x"), ("s", "y"))


def test_a_scalar_has_no_transpose() -> None:
    one = Letter("c", 1, 1)
    words = Vocabulary(Notation(), Notation(letters="c"), {"c": one})
    with pytest.raises(NotThisKind, match="a scalar has no transpose"):
        _ = Formula(r"c^{\top}=c", words).left


def test_a_letter_transposes_where_the_notation_says_so_and_the_page_tells_it() -> None:
    A, T = Letter("A", "n", "n"), Letter("T", "n", "n")
    words = Vocabulary(Notation(), Notation(letters="A T", transposes=("T",)), {"A": A, "T": T})
    formula = Formula("A^{T}=T", words)
    assert formula.left == A.T
    assert formula.told() == ["a superscript T is a transpose"]


x, y = sp.symbols("x y", real=True)
WORDS = Vocabulary(Notation(letters="x y"), meanings=symbols_of(x, y))


def paper() -> Paper:
    return Paper("notes", title="T", authors="A", year=1838, source="S", numbered=0, vocabulary=WORDS)


def test_an_author_states_the_reading_and_the_page_tells_it() -> None:
    mine = paper()
    eq = mine.equation("Eq. A", r"\sin 2x=2\sin x\cos x", reads=r"\sin(2x)=2\sin x\cos x")
    eq.claim(name="said", says="The double angle.")(lambda: None)
    report = verify(mine)
    assert report.faults == []
    assert report.outcomes[0].verdict.value == "proved"
    assert "read as sin(2*x) = 2*sin(x)*cos(x)" in "; ".join(report.outcomes[0].notes)


WRONG = {
    "another sign": (r"\sin 2x=y", r"\sin(-2x)=y"),
    "another letter": (r"\sin 2x=y", r"\sin(2y)=y"),
    "a factor that is gone": (r"\sin 2x=y", r"\sin(x)=y"),
    "another exponent": ("x^10=y", "x^{1}0+y=y"),
    "an order": (r"\sin 2x=y", r"y=\sin(2x)"),
    "what can be read in one way": ("(x+1)y=x", "x+(1y)=x"),
    "what can be read in two ways": (r"\sin 2x=y", r"\sin{2x}=y"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_reading_changes_nothing_but_brackets(case: str) -> None:
    latex, reads = WRONG[case]
    with pytest.raises(DerivationError):
        _ = paper().equation("Eq. A", latex, reads=reads).right


FALSE: dict[str, Any] = {
    r"\mathrm{tr}(A+B)^2=\mathrm{tr}(AA)+2\mathrm{tr}(AB)+\mathrm{tr}(BB)": None,
    r"\sin 2x = 2x\sin 1\cos 1": None,
    "x^10=0": None,
    "x^2+1e-3<x^2": None,
    "2e5x^2\\le 30x^2": None,
    "x=y\\quad y^2\\ge 0": lambda eq: prove.inequality(sp.Ge(y**2, 0, evaluate=False)),
    "1/2y=\\frac{2y}{4}": None,
    "e^{-x/2y}=e^{-\\frac{xy}{2}}": None,
}


@pytest.mark.parametrize("latex", FALSE)
def test_no_false_print_of_this_kind_gets_a_verdict(latex: str) -> None:
    mine, body = paper(), FALSE[latex]

    @mine.equation("Eq. A", latex).claim()
    def said(eq: Any) -> Any:
        """What is printed."""
        return body and body(eq)

    with suppress(DerivationError):
        assert verify(mine).faults
