"""A print that two readers could read differently is refused with both readings, and an author's reading is told."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each
from same_trees import same as same_tree

from derivations import Paper
from derivations.audit.verify import verify
from derivations.language.words import Letter
from derivations.latex import CannotRead, Notation, NotThisKind, read
from derivations.latex.formula import Formula
from derivations.latex.printed import Vocabulary, symbols_of
from derivations.latex.tokens import Ambiguous
from derivations.text import DerivationError

FAMILIES = Cases(__file__, globals())

NOTATION = Notation(
    {"u(q)": "u_q"},
    letters=r"a b c d g h p q t u w x y A B T \sigma",
    operators={r"\mathrm{tr}": "trace"},
    functions={"f": "f", r"\mathrm{Tr}": "trace", r"\operatorname{ev}": "ev"},
)
TWO_WAYS = FAMILIES["two ways"]
CASES = [(name, latex) for name, several in TWO_WAYS.items() for latex in re.split(r", (?![-a-z]=|a=b)", several)]


@each(("name", "latex"), CASES)
def test_it_is_refused_with_both_readings(name: str, latex: str) -> None:
    with pytest.raises(CannotRead) as refused:
        read(latex, NOTATION)
    assert isinstance(refused.value, Ambiguous)
    assert re.search(r"at character \d+ .*may be read as .* or as .*: (write|open|put) ", str(refused.value))


ONE_WAY = FAMILIES["one way"]


@each(("latex", "other"), ONE_WAY.items())
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


@each("latex", [*SEVERAL])
def test_a_wide_space_ends_a_statement(latex: str) -> None:
    x, y = ("s", "x"), ("s", "y")
    assert read(latex, NOTATION).tree == ("and", ("=", x, y), (">=", ("^", y, ("q", "2")), ("q", "0")))


def test_a_scalar_has_no_transpose() -> None:
    one = Letter("c", 1, 1)
    words = Vocabulary(Notation(), Notation(letters="c"), {"c": one})
    with pytest.raises(NotThisKind, match="a scalar has no transpose"):
        _ = Formula(r"c^{\top}=c", words).left


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
    assert r"read as \sin(2x)=2\sin x\cos x" in "; ".join(report.outcomes[0].notes)


WRONG = FAMILIES["wrong"]


@each("case", [*WRONG])
def test_a_reading_changes_nothing_but_brackets(case: str) -> None:
    latex, reads = WRONG[case]
    with pytest.raises(DerivationError):
        _ = paper().equation("Eq. A", latex, reads=reads).right


OTHERWISE = FAMILIES["otherwise"]


@each("case", [*OTHERWISE])
def test_a_reading_changes_nothing_where_one_can_read_in_one_way(case: str) -> None:
    mine, (latex, reads) = paper(), OTHERWISE[case]
    mine.equation("Eq. A", latex, reads=reads).claim(name="said", says="It is so.")(lambda: None)
    with suppress(DerivationError):
        assert any("what is read" in fault for fault in verify(mine).faults)


FALSE = FAMILIES["false"]


@each("latex", [*FALSE])
def test_no_false_print_of_this_kind_gets_a_verdict(latex: str) -> None:
    mine, body = paper(), FALSE[latex]

    @mine.equation("Eq. A", latex).claim()
    def said(eq: Any) -> Any:
        """Return what is printed."""
        return body and body(eq)

    with suppress(DerivationError):
        assert verify(mine).faults


test_statements_have_their_verdicts = FAMILIES.verdicts()
