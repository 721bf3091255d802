"""Formulas and sentences on pages: what is printed keeps its form, and whatever is given becomes well-formed HTML."""

from __future__ import annotations

import re
from html import unescape
from xml.dom import minidom

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derivations.latex.mathml import formula
from derivations.paper.library import library
from derivations.report.prose import typeset

RAW = re.compile(r"[_^]|\*\*|<=|>=|!=|->|sqrt|\b(tau|eta|lambda|sigma|rho|alpha|beta|epsilon|omega|theta|mu)\b")


def test_sentences_have_no_mathematics_as_it_is_typed() -> None:
    for paper in library().values():
        for entry in paper.entries.values():
            shown = re.sub(r"<code>.*?</code>|<math>.*?</math>|<[^>]*>", "", typeset(entry.says))
            assert not RAW.search(unescape(shown)), entry.id


@pytest.mark.parametrize(
    ("sentence", "shown"),
    [
        ("the task's rank is a number", "the task's rank is a number"),
        ("Section A.6 and e.g. a b", "Section A.6 and e.g. <var>a</var> <var>b</var>"),
        ("e^(-2 t/tau_h)", "<var>e</var><sup>−2 <var>t</var>/<var>τ<sub>h</sub></var></sup>"),
        ("K^2/4 + x^(1/2)", "<var>K</var><sup>2</sup>/4 + <var>x</var><sup>1/2</sup>"),
        ("W2' W1 <= -1", "<var>W<sub>2</sub></var>′ <var>W<sub>1</sub></var> ≤ −1"),
        ("$x^2$ in LaTeX", "<math><msup><mi>x</mi><mn>2</mn></msup></math> in LaTeX"),
        ("what the kernel closed_form returns", "what the kernel <code>closed_form</code> returns"),
    ],
)
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


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"\mathbf{W}_{1}", "<msub><mi>𝐖</mi><mn>1</mn></msub>"),
        (r"g'(x)", "<msup><mi>g</mi><mo>′</mo></msup>"),
        (r"\frac12", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"a^{2}_{\text{low}}", "<msubsup><mi>a</mi><mtext>low</mtext><mn>2</mn></msubsup>"),
        (r"-a", '<mo form="prefix">−</mo>'),
        (r"||x||^{2}", "‖"),
        (r"\mathcal{L^{u}}", "<msup><mi>ℒ</mi><mi>𝓊</mi></msup>"),
        (r"a<b", "&lt;"),
    ],
)
def test_letters_scripts_and_signs_keep_their_printed_form(latex: str, expected: str) -> None:
    assert expected in formula(latex)


PIECES = [
    *r"{}()[]|^_'&<>,x12+-=/ ",
    *("||", r"\\", r"\frac", r"\sqrt", r"\left", r"\right", r"\Big", r"\sum", r"\text{a<b}", r"\mathbf", r"\tilde"),
    *(r"\begin{array}", r"\end{array}", r"\langle", r"\rangle"),
]


@pytest.mark.parametrize("latex", ["", "{", "}", r"\unknown{x}", "{" * 100 + "}" * 100, r"\left(", r"\begin{a}", r"x^"])
def test_latex_without_a_picture_is_shown_as_it_is(latex: str) -> None:
    assert formula(latex).startswith('<code class="formula">')


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
