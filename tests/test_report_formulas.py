"""Formulas and sentences on pages: what is printed keeps its form, and whatever is given becomes well-formed HTML."""

from __future__ import annotations

import re
from html import unescape
from xml.dom import minidom

from case_files import Cases
from each import each
from hypothesis import given
from hypothesis import strategies as st

from derivations.latex.mathml import formula
from derivations.paper.library import library
from derivations.report.prose import typeset

FAMILIES = Cases(__file__, globals())

RAW = re.compile(r"[_^]|\*\*|<=|>=|!=|->|sqrt|\b(tau|eta|lambda|sigma|rho|alpha|beta|epsilon|omega|theta|mu)\b")


def test_sentences_have_no_mathematics_as_it_is_typed() -> None:
    for paper in library().values():
        for entry in paper.entries.values():
            shown = re.sub(r"<code>.*?</code>|<math>.*?</math>|<[^>]*>", "", typeset(entry.says))
            assert not RAW.search(unescape(shown)), entry.id


@each(("sentence", "shown"), FAMILIES["letters are told from words"])
def test_letters_are_told_from_words(sentence: str, shown: str) -> None:
    assert unescape(typeset(sentence)) == shown


@given(st.text(alphabet="ab_^(){}'*<>&-|$ 12é", max_size=30))
def test_any_sentence_gives_well_formed_html(sentence: str) -> None:
    minidom.parseString(f"<p>{typeset(sentence)}</p>")


# --- formulas ---------------------------------------------------------------------------------------------------------


def test_every_printed_formula_of_the_library_becomes_mathml() -> None:
    for paper in library().values():
        for entry in paper.entries.values():
            if entry.printed:
                shown = formula(entry.printed.latex)
                assert "<math" in shown, entry.id
                minidom.parseString(shown.replace("<wbr>", ""))


@each(("latex", "expected"), FAMILIES["letters scripts and signs keep their printed form"])
def test_letters_scripts_and_signs_keep_their_printed_form(latex: str, expected: str) -> None:
    assert expected in formula(latex)


PIECES = [
    *r"{}()[]|^_'&<>,x12+-=/ ",
    *("||", r"\\", r"\frac", r"\sqrt", r"\left", r"\right", r"\Big", r"\sum", r"\text{a<b}", r"\mathbf", r"\tilde"),
    *(r"\begin{array}", r"\end{array}", r"\langle", r"\rangle"),
]


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_any_latex_gives_well_formed_html(latex: str) -> None:
    minidom.parseString(formula(latex).replace("<wbr>", ""))


def test_a_long_formula_may_end_a_line_inside_its_brackets() -> None:
    long = (
        r"x=\left["
        + "+".join(rf"\frac{{a_{{{k}}}}}{{b_{{{k}}}}}c_{{{k}}}d_{{{k}}}" for k in range(20))
        + r"\right]^{2}"
    )
    assert formula(long).count("<math") > 3


test_statements_have_their_verdicts = FAMILIES.verdicts()
