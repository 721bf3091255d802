"""Printed matrix formulas: they agree with exactly the words that they print, and with no near miss."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from case_files import Cases
from each import each
from hypothesis import given
from hypothesis import strategies as st

from derivations.language.words import Letter, Words, identity, zero
from derivations.language.words.blocks import Blocks
from derivations.latex import (
    CannotRead,
    Notation,
    NotThisKind,
    acts_on,
    block_matrix,
    declared,
    exponentials,
    read,
)
from derivations.latex.formula import Formula
from derivations.latex.printed import Vocabulary
from derivations.papers.braun_2022 import paper
from derivations.papers.braun_2022.source.vocabulary import SCALARS, WORDS

FAMILIES = Cases(__file__, globals())

EQUATIONS: dict[str, str] = json.loads((Path(__file__).parent / "data" / "braun_2022_equations.json").read_text())[
    "equations"
]

A, B, T = Letter("A", "n", "n"), Letter("B", "n", "n"), Letter("T", "m", "n")
D = Letter("D", "n", "n", diagonal=True)
A_inv, B_pinv = Letter("A_inv", "n", "n", inverse_of=A), Letter("B_pinv", "n", "n")
decay, time = Letter("decay", "n", "n", diagonal=True), Letter("t", 1, 1)
error = Letter("error", "m", "n")
I = identity("n")
LARGE = {r"\mathbf{I}_m": "I_m"}

VOCABULARY = Vocabulary(
    Notation(),
    Notation(
        {
            r"\mathbf{A}": "A",
            r"\mathbf{A}(t)": "A",
            r"\mathbf{B}": "B",
            r"\tilde{\mathbf{D}}": "D",
            r"\mathbf{T}": "T",
            r"\mathbf{I}": "I",
            r"\frac{t}{\tau}": "t",
        }
    ),
    {"A": A, "B": B, "D": D, "T": T, "I": I, "t": time},
    {
        "matrix": block_matrix,
        "inverse": declared("inverse", [(A, A_inv)]),
        "pinv": declared("pseudoinverse", [(B, B_pinv)]),
        "exp": exponentials([(-1 * D * time, decay)]),
        "kron": acts_on(error),
    },
)


def meant(latex: str) -> Any:
    """Return what a formula prints; nothing where it has no meaning."""
    try:
        return Formula(latex, VOCABULARY, {"I_m": identity("m")}, symbols=LARGE).right
    except NotThisKind:
        return None


# --- any formula ------------------------------------------------------------------------------------------------------

Printed = tuple[str, Words]
LEAVES = FAMILIES["leaves"]
formulas: st.SearchStrategy[Printed] = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda p: (rf"\Big[{p[0][0]} - {p[1][0]}\Big]", p[0][1] - p[1][1])),
        st.tuples(inner, inner).map(lambda p: (rf"{p[0][0]} \cdot \left({p[1][0]}\right)", p[0][1] @ p[1][1])),
        inner.map(lambda p: (rf"\left({p[0]}\right)^T", p[1].T)),
        inner.map(lambda p: (rf"\frac{{1}}{{2}}{p[0]}", p[1] / 2)),
    ),
    max_leaves=5,
)


@given(formulas, formulas)
def test_a_formula_agrees_with_exactly_the_words_that_it_prints(one: Printed, other: Printed) -> None:
    latex, words = one
    assert meant(latex + r".\tag{3}") == words
    if other[1] != words:
        assert meant(latex) != other[1]


@given(st.lists(formulas, min_size=4, max_size=4))
def test_a_printed_block_matrix_agrees_with_its_blocks_in_their_places_alone(four: list[Printed]) -> None:
    (a, x), (b, y), (c, z), (d, w) = four
    latex = rf"\begin{{bmatrix}} {a} & {b} \\ {c} & {d} \end{{bmatrix}},"
    assert meant(latex) == Blocks([[x, y], [z, w]])
    for other in (Blocks([[y, x], [z, w]]), Blocks([[x, z], [y, w]]), Blocks([[x, y]]), Blocks([[x + A, y], [z, w]])):
        if other != Blocks([[x, y], [z, w]]):
            assert meant(latex) != other


# --- near misses ------------------------------------------------------------------------------------------------------

TASK = Blocks([[zero("n", "n"), T.T], [T, zero("m", "m")]])
KERNEL = T @ A @ T.T @ error @ A + error @ B.T
SANDWICH = decay @ A_inv.T @ (I - decay @ decay)
CORRECT: dict[str, tuple[str, Any]] = {
    "blocks": (r"\begin{bmatrix} 0 & \mathbf{T}^T \\ \mathbf{T} & 0 \end{bmatrix}", TASK),
    "kernel": (
        r"\mathbf{T}\mathbf{A}\mathbf{T}^T \otimes \mathbf{A}^T + \mathbf{I}_m \otimes \mathbf{B}",
        KERNEL,
    ),
    "inverse": (
        r"e^{-\tilde{\mathbf{D}}\frac{t}{\tau}}(\mathbf{A}^T)^{-1}[\mathbf{I} -e^{-2\tilde{\mathbf{D}}\frac{t}{\tau}}]",
        SANDWICH,
    ),
    "pseudoinverse": (r"\mathbf{T}[\mathbf{B}]^{+}\mathbf{T}^T", T @ B_pinv @ T.T),
}


@each("name", [*CORRECT])
def test_the_correct_formula_agrees(name: str) -> None:
    assert meant(CORRECT[name][0]) == CORRECT[name][1]


@each(("name", "printed_so", "misprint"), FAMILIES["a misprint means something else"])
def test_a_misprint_means_something_else(name: str, printed_so: str, misprint: str) -> None:
    latex, words = CORRECT[name]
    assert printed_so in latex
    assert meant(latex.replace(printed_so, misprint)) != words


@each("latex", [r"\hat{\mathbf{A}}", r"\tilde{\mathbf{A}}", r"\mathbf{A}(s)", r"\mathbf{A}_{1}", "A"])
def test_a_letter_with_another_mark_than_the_notation_has_is_refused(latex: str) -> None:
    with pytest.raises(NotThisKind, match="no meaning here"):
        _ = Formula(latex, VOCABULARY).right


# --- a whole paper ----------------------------------------------------------------------------------------------------

SPACES = {r"\mathbb{R}^{N_{i}\times N_{i}}": "R_ii", r"\mathbb{R}^{N_{o}\times N_{i}}": "R_oi"}
OF_BOTH = {"start_of_two_modes", "task_of_two_modes"}  # definitions of a matrix by numbers that are letters, too
PRINTED = {
    entry.name: entry.printed
    for entry in paper.entries.values()
    if isinstance(entry.printed, Formula) and entry.name not in OF_BOTH
}
FORMULAS = [
    (name, formula) for name, formula in PRINTED.items() if formula.relation == "=" and "\\ln" not in formula.latex
]


@each("number", [*EQUATIONS])
def test_every_equation_of_the_paper_is_read_without_guessing(number: str) -> None:
    notation = SCALARS if number in ("14", "15") else WORDS.extended(SPACES)
    assert read(EQUATIONS[number], notation).tree


@each(("name", "formula"), FORMULAS)
def test_every_formula_of_the_paper_has_a_meaning(name: str, formula: Formula) -> None:
    assert formula.right is not None
    assert formula.notes() == [] or name == "loss_of_another_task"


@each(("name", "formula"), FORMULAS)
def test_no_formula_keeps_its_meaning_without_a_mark_or_with_a_turned_sign(name: str, formula: Formula) -> None:
    left, _, right = (formula.reads or formula.latex).partition("=")
    for mark, other in (
        ("^T", ""),
        ("^{T}", ""),
        ("^{-1}", ""),
        (" - ", " + "),
        (" + ", " - "),
        ("e^{-2", "e^{-"),
        ("n=1", "n=2"),
    ):
        for place in re.finditer(re.escape(mark), right):
            changed = replace(formula, latex=f"{left}={right[: place.start()]}{other}{right[place.end() :]}", reads="")
            try:
                meant = changed.right
            except (NotThisKind, CannotRead):
                continue
            assert meant != formula.right, changed.latex
