r"""Questions in LaTeX: every letter of the formulas is a real number, and every relation that is printed is judged.

What needs more than that to be understood, such as a matrix or a function without a formula, is refused by its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from derivations.language.terms import RELATED
from derivations.latex import CannotRead
from derivations.latex.drafting import LetterFound, letters, notation_of
from derivations.latex.formula import Formula
from derivations.latex.printed import Vocabulary
from derivations.prove.certificate import Certificate
from derivations.prove.schemas.joining import together
from derivations.questions.certified import of_relation

NUMBERS = ("e", r"\mathrm{e}")  # the reader knows them
OPERATORS = (r"\nabla", r"\Delta", r"\delta")


def certified(latex: str, given: Sequence[str]) -> Certificate:
    r"""The certificate of a printed formula under conditions, which are LaTeX as well.

    >>> certified(r"\sqrt{x^2}=x", [r"x\geq 0"]).verdict.value
    'proved'
    """
    found = [letter for letter in letters([latex, *given]) if letter.spelling not in NUMBERS]
    if strange := list(filter(None, map(_is_said, found))):
        raise CannotRead(
            f"{' and '.join(strange)}: a question in LaTeX is about real numbers; put the formula of a function in, or"
            " write a paper file with `derivations new`, which says what letters mean"
        )
    meanings = {letter.name: sp.Symbol(letter.name, real=True) for letter in found}
    vocabulary = Vocabulary(notation_of(found, [latex, *given]), meanings=meanings)
    formulas = [Formula(one, vocabulary) for one in (latex, *given)]
    if two_signs := [formula.latex for formula in formulas if formula.is_of_one_sign]:
        raise CannotRead(f"a plus-minus on one side of {two_signs[0]!r} can mean both signs or one: write which")
    printed = [formula.relations() for formula in formulas]
    supposed = [_relation(one) for k, every in enumerate(printed) for one in every if k or one.supposed]
    claimed = [one for one in printed[0] if not one.supposed]
    if not claimed or not all(one.relation for one in claimed):
        raise CannotRead(f"{latex!r} states nothing: write a relation between two sides, such as a=b")
    return together([of_relation(_relation(one), supposed) for one in claimed])


def _relation(formula: Formula) -> Any:
    if formula.relation not in RELATED:
        raise CannotRead(f"{formula.latex!r} is no equation or inequality, and only these are judged without a paper")
    return RELATED[formula.relation](*formula.sides, evaluate=False)


def _is_said(letter: LetterFound) -> str:
    """Say what a letter seems to be that is no real number; empty for a number."""
    kinds = {
        "an operator": letter.is_operator or letter.spelling in OPERATORS,
        "a function": letter.is_function,
        "a matrix": letter.is_matrix,
    }
    return next((f"{letter.spelling} seems to be {kind}" for kind, is_one in kinds.items() if is_one), "")
