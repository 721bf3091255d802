"""Every relation, link and line of a print is judged, or the claim says which one it is about and shows only that."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import Paper, prove
from derivations.audit.verify import verify
from derivations.latex import Notation
from derivations.latex.printed import Vocabulary, symbols_of
from derivations.prove import Certificate
from derivations.text import DerivationError

FAMILIES = Cases(__file__, globals())

x, y, a, b = sp.symbols("x y a b", real=True)
small = sp.Symbol("e", positive=True)
VOCABULARY = Vocabulary(Notation(letters="x y a b"), meanings=symbols_of(x, y, a, b))
SQUARE = "(x+1)^{2}=x^{2}+2x+1"


def new_paper() -> Paper:
    return Paper("notes", title="T", authors="A", year=1838, source="S", numbered=0, vocabulary=VOCABULARY)


paper = pytest.fixture(new_paper)


def told(paper: Paper) -> list[str]:
    """Return what is wrong with the paper: as faults, or as the sentence with which it is refused."""
    try:
        return verify(paper).faults
    except DerivationError as refused:
        return [str(refused)]


def square(_: Any) -> Certificate:
    return prove.identity((x + 1) ** 2, x**2 + 2 * x + 1)


HALF_TRUE = {
    **FAMILIES["half true"],
    "a false equation first": (f"1=2, {SQUARE}", square),
    "joined by a word": (rf"x=2y\text{{and}}{SQUARE}", square),
    "on two lines": (rf"x=y\\{SQUARE}", square),
    "lines that are read": ("1=2, x=x+1", lambda eq: [*map(read, eq.relations()), square(eq)][-1]),
    "what follows from something else": (rf"x=y\implies{SQUARE}", square),
}


def read(equation: Any) -> Any:
    return equation.left, equation.right


@each("case", [*HALF_TRUE])
def test_what_is_true_beside_something_else_is_not_the_print(case: str) -> None:
    paper = new_paper()
    latex, body = HALF_TRUE[case]

    @paper.equation("Eq. A", latex).claim()
    def said(eq: Any) -> Certificate:
        """Return what is printed."""
        return body(eq)

    assert told(paper)


WHOLE = {
    "statements": f"{SQUARE}, x^{{2}}+1>0",
    "a chain": "(x+1)^{2}=x^{2}+2x+1=x(x+2)+1",
    "orders": "x^{2}<x^{2}+1<x^{2}+2",
    "a list": "x^{2}+1, y^{2}+1>0",
    "lines": rf"{SQUARE}\\(y+1)^{{2}}=y^{{2}}+2y+1",
    "a condition": r"x=y\implies x^{2}=xy",
    "two conditions": r"x=y\text{ and }a=b\implies ax=by",
}


@each("latex", WHOLE)
def test_all_of_it_is_judged_by_itself(latex: str) -> None:
    paper = new_paper()
    paper.equation("Eq. A", latex).claim(name="said", says="What is printed.")(lambda: None)
    assert told(paper) == []


def test_one_false_part_refutes_the_whole(paper: Paper) -> None:
    eq = paper.equation("Eq. A", f"{SQUARE}=y")
    eq.claim(corrected=SQUARE, because="y is something else.", name="said", says="Too much.")(lambda: None)
    assert told(paper) == []


def test_several_relations_have_no_two_sides(paper: Paper) -> None:
    eq = paper.equation("Eq. A", f"x=y, {SQUARE}")
    for ask in (lambda: eq.left, lambda: eq.right, lambda: eq.stated, lambda: eq.link(1)):
        with pytest.raises(DerivationError, match=r"prints 2 relations|no chain"):
            ask()
    assert [str(part.left) for part in eq.relations()] == ["x", "(x + 1)**2"]


def test_a_part_stands_in_its_print(paper: Paper) -> None:
    eq = paper.equation("Eq. A", f"x=y, {SQUARE}")
    assert eq.part("line 2", SQUARE).latex == SQUARE
    with pytest.raises(DerivationError, match="does not stand in"):
        eq.part("line 2", "(x+1)^{2}=x^{2}+1")
    for cut in ("(x+1)^{2}=x^{2}", "x+1", "1=x^{2}+2x+1", "1"):
        with pytest.raises(DerivationError, match="does not stand in"):
            eq.part("a piece", cut)


def test_a_claim_about_a_part_shows_that_part(paper: Paper) -> None:
    made = paper.equation("Eq. A", f"x=y, {SQUARE}").part("line 2", SQUARE).claim(name="s", says="So.")(lambda: None)
    assert told(paper) == []
    assert made.printed.latex == SQUARE


def test_a_condition_is_supposed_where_the_claim_says_so(paper: Paper) -> None:
    @paper.equation("Eq. A", r"a\gg 1").condition.claim(put={"a": 1 / small})
    def said(eq: Any) -> Certificate:
        """A limit, and the regime in which it is taken."""
        (one,) = eq.relations()
        return prove.every(prove.limit((one.right / one.left).doit(), [small], 0), prove.limit(2 + small, [small], 2))

    assert told(paper) == []
    assert "supposed, not claimed" in "; ".join(verify(paper).outcomes[0].notes)


REGIMES = {
    **FAMILIES["regimes"],
    "only read": (r"a\gg 1", lambda eq: [*map(read, eq.relations()), prove.limit(2 + small, [small], 2)][-1]),
}


@each("case", [*REGIMES])
def test_a_condition_that_nothing_supposes_is_a_fault(case: str) -> None:
    paper = new_paper()
    latex, body = REGIMES[case]

    @paper.equation("Eq. A", latex).condition.claim(put={"a": 1 / small} if "gg" in latex or "ll" in latex else {})
    def said(eq: Any) -> Certificate:
        """Under a condition."""
        return body(eq)

    assert told(paper)
