"""A certificate that has the printed formula where nothing is asserted, or asserts something else of it, is a fault."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import Paper, Verdict, prove
from derivations.audit import ledger
from derivations.audit.verify import Report, verify
from derivations.language.words import Letter
from derivations.latex import Notation
from derivations.latex.printed import Vocabulary, symbols_of
from derivations.prove import Certificate
from derivations.report.written import written

FAMILIES = Cases(__file__, globals())

x, y, z = sp.symbols("x y z", real=True)
A, B = Letter("A", "n", "n"), Letter("B", "n", "n")
VOCABULARY = Vocabulary(
    Notation(letters="x y z"), Notation(letters="A B"), {"A": A, "B": B}, meanings=symbols_of(x, y, z)
)
SQUARE = r"(x+1)^{2}=x^{2}+2x+1"


def new_paper() -> Paper:
    return Paper("notes", title="T", authors="A", year=1838, source="S", numbered=0, vocabulary=VOCABULARY)


paper = pytest.fixture(new_paper)


def more(left: Any, right: Any, *known: Any, **options: Any) -> Certificate:
    return prove.inequality(sp.StrictGreaterThan(left, right, evaluate=False), known, **options)


def claims_of(report: Report) -> str:
    return written(ledger.as_json([report])["papers"])["docs/papers/notes/claims.md"]


FALSE = FAMILIES["false"]


@each("case", [*FALSE])
def test_what_is_proved_is_not_the_print(case: str) -> None:
    paper = new_paper()
    latex, body = FALSE[case]

    @paper.equation("Eq. A", latex).claim()
    def said(eq: Any) -> Certificate:
        """Return what is printed."""
        return body(eq)

    report = verify(paper)
    assert report.outcomes[0].verdict is Verdict.PROVED
    assert any("does not speak of its printed formula" in fault for fault in report.faults)


def test_a_true_print_is_not_refuted_by_what_stands_beside_it(paper: Paper) -> None:
    @paper.equation("Eq. A", SQUARE).claim(expect="refuted", corrected_by="right")
    def said(eq: Any) -> Certificate:
        """The square of a sum."""
        return prove.every(eq.judged(), prove.identity(x, y))

    paper.claim("Eq. A, corrected", name="right", says="So.")(lambda: prove.identity(x + x, 2 * x))
    assert any("another part" in fault for fault in verify(paper).faults)


@each("corrected", ["x=x", "(x+1)^{2}=z"])
def test_a_correction_is_what_was_proved(corrected: str) -> None:
    paper = new_paper()

    @paper.equation("Eq. A", "(x+1)^{2}=x^{2}+1").claim(corrected=corrected, because="A term is missing.")
    def said(eq: Any) -> Certificate:
        """The square of a sum."""
        return prove.identity(x + x, 2 * x) if eq.latex.endswith("z") else eq.judged()

    assert any("shows nothing of its corrected formula" in fault for fault in verify(paper).faults)


def test_a_name_that_a_hypothesis_defines_is_spoken_of(paper: Paper) -> None:
    @paper.equation("Eq. A", "z=y+1").claim()
    def said(eq: Any) -> Certificate:
        """Return what z is."""
        return prove.identity(z**2, y**2 + 2 * y + 1, [sp.Eq(z, eq.right)])

    assert verify(paper).faults == []


EMPTY = FAMILIES["empty"]


@each("case", [*EMPTY])
def test_what_is_put_into_itself_says_nothing(case: str) -> None:
    paper = new_paper()
    latex, reading, about = EMPTY[case]

    @paper.equation("Eq. A", latex, **reading).claim(**about)
    def said() -> None:
        """Return what is printed."""

    assert any("does not speak of its printed formula" in fault for fault in verify(paper).faults)


def test_nor_does_it_beside_something_else(paper: Paper) -> None:
    @paper.equation("Eq. A", "z=y^{2}+1").claim(put={"z": y**2 + 1})
    def said(eq: Any) -> Certificate:
        """Return what is printed."""
        return prove.every(eq.judged(), prove.identity(x + x, 2 * x))

    assert any("does not speak of its printed formula" in fault for fault in verify(paper).faults)


def test_what_is_put_in_is_told(paper: Paper) -> None:
    eq = paper.equation("Eq. A", r"z=y^{2}+1")
    eq.claim(put={"z": (y + 1) ** 2 - 2 * y}, name="said", says="So.")(lambda: None)
    report = verify(paper)
    assert report.faults == []
    meant = "a person's word says what is meant: z is (1 + y)^2 - 2*y"
    assert report.outcomes[0].notes == ("z stands for -2*y + (y + 1)^2", meant)
    assert "z stands for -2\\*y + (y + 1)^2" in claims_of(report)


def test_a_correction_of_a_claim_without_one_is_what_was_proved_too(paper: Paper) -> None:
    eq = paper.equation("Eq. A", "(x+1)^{2}=x^{2}+1")
    eq.claim(expect="refuted", corrected_by="right", name="wrong", says="A square.")(lambda: None)
    paper.claim("Eq. A, corrected", name="right", says="Something else.")(lambda: prove.identity(2 * x, x + x))
    paper.corrected("wrong", eq.instead("corrected", SQUARE).formula)
    assert any("shows nothing of its corrected formula" in fault for fault in verify(paper).faults)


@each("latex", ["z=(x+1)^{2}", r"x^{2}+z=(x+1)^{2}"])
def test_what_only_contains_the_right_side_says_nothing_of_the_left_one(latex: str) -> None:
    paper = new_paper()

    @paper.equation("Eq. A", latex).claim()
    def said(eq: Any) -> Certificate:
        """Return what is printed."""
        return prove.positive(eq.right + 1)

    assert any("does not speak of its printed formula" in fault for fault in verify(paper).faults)


def test_what_a_statement_puts_in_the_place_of_the_left_side_is_told(paper: Paper) -> None:
    @paper.equation("Eq. A", "z=(x+1)^{2}").claim()
    def said(eq: Any) -> Certificate:
        """Return what z is, which the statement does not name."""
        return prove.identity(x**2 + 2 * x + 1, eq.right)

    report = verify(paper)
    assert report.faults == []
    assert report.outcomes[0].notes == ("the left side, z, stands for what is judged to be equal to the right one",)
    assert "the left side, z, stands for what is judged to be equal to the right one" in claims_of(report)


def test_words_for_a_left_side_are_told_as_words(paper: Paper) -> None:
    eq = paper.equation("Eq. A", "z=(x+1)^{2}")
    eq.claim(left="a number", name="said", says="So.")(lambda eq: prove.inequality(sp.Ge(eq.right, 0, evaluate=False)))
    report = verify(paper)
    assert report.faults == []
    assert report.outcomes[0].notes == ("the left side, z, is read, in words alone, as a number",)


def test_a_left_side_that_is_put_in_is_told_to_be_supposed(paper: Paper) -> None:
    @paper.equation("Eq. A", "z=y^{2}+1").claim()
    def said(eq: Any) -> Certificate:
        """A root."""
        return prove.identity(sp.Subs(z - y**2 - 1, z, eq.right), 0)

    report = verify(paper)
    told = ("the left side, z, is supposed to be the right one",)
    assert (report.faults, report.outcomes[0].notes) == ([], told)


def test_a_limit_of_something_else_says_nothing_of_the_left_side(paper: Paper) -> None:
    @paper.equation("Eq. A", "x^{2}+x=y^{2}+y").claim()
    def said(eq: Any) -> Certificate:
        """Where one goes."""
        e = sp.Symbol("e", positive=True)
        return prove.limit(e + eq.right, [e], eq.right)

    assert any("does not speak of its printed formula" in fault for fault in verify(paper).faults)
