"""Equations are written once: their sides are read from LaTeX, and a certificate about something else is no verdict."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations import Paper, Verdict, prove
from derivations.audit.bonds import bond
from derivations.audit.verify import verify
from derivations.language.words import Letter
from derivations.latex import Notation
from derivations.latex.formula import Formula
from derivations.latex.printed import Vocabulary, symbols_of
from derivations.paper.files import load_file
from derivations.paper.naming import PaperError
from derivations.paper.statements import Statement, holds, positive, same
from derivations.text import DerivationError

FAMILIES = Cases(__file__, globals())

m, c, E, rate = sp.symbols("m c E r", positive=True)
t = sp.Symbol("t", nonnegative=True)
p = sp.Symbol("p", real=True)
p0, K = sp.symbols("p0 K", positive=True)
A, B = Letter("A", "n", "n"), Letter("B", "n", "n", symmetric=True)
WORDS = Notation(letters="A B")
SPELLED = Notation({r"p(t)": "p", r"p(0)": "p0"}, letters="m c E r t K x")
VOCABULARY = Vocabulary(
    SPELLED, WORDS, {"A": A, "B": B}, meanings={**symbols_of(m, c, E, t, p, p0, K), "r": rate, "x": sp.Symbol("x")}
)


def new_paper() -> Paper:
    return Paper("growth", title="T", authors="A", year=1838, source="S", numbered=1, vocabulary=VOCABULARY)


paper = pytest.fixture(new_paper)


def faults(paper: Paper) -> list[str]:
    """Return what is wrong with the claims of the paper."""
    return verify(paper, paper.claims).faults


def test_a_proof_of_something_else_is_a_fault(paper: Paper) -> None:
    @paper.equation("Eq. 1", "E=mc^{3}").claim()
    def energy() -> prove.Certificate:
        """Energy is what mass has."""
        return prove.identity((m + c) ** 2, m**2 + 2 * m * c + c**2)

    assert any("does not speak of its printed formula" in fault for fault in faults(paper))


def test_the_statement_is_the_print(paper: Paper) -> None:
    @paper.equation("Eq. 1", "(m+c)^{2}=m^{2}+2mc+c^{2}").claim()
    def square() -> None:
        """The square of a sum."""

    assert faults(paper) == []
    assert paper.claims[0].certificate.verdict is Verdict.PROVED


@each("latex", ["(m+c)^{2}=m^{2}+mc+c^{2}", "(m+c)^{2}=m^{2}-2mc+c^{2}", "(m+c)^{2}=m^{2}+2mc"])
def test_a_false_print_is_refuted(latex: str) -> None:
    paper = new_paper()

    @paper.equation("Eq. 1", latex).claim(corrected="(m+c)^{2}=m^{2}+2mc+c^{2}", because="A term is wrong.")
    def square() -> None:
        """The square of a sum."""

    assert faults(paper) == []
    assert [claim.certificate.verdict.value for claim in paper.claims] == ["refuted", "proved"]


GROWN = r"p(t)=\frac{K}{1+(\frac{K}{p(0)}-1)e^{-%st}}"


def test_one_block_judges_corrects_and_reports(paper: Paper) -> None:
    eq = paper.equation("Eq. 1", GROWN % "")

    @eq.claim(corrected=GROWN % "r", because="The exponent lacks the rate.", changes="every time")
    def logistic_growth(eq) -> prove.Certificate:  # type: ignore[no-untyped-def]
        """The population follows a logistic curve."""
        return prove.solves({p: rate * p * (1 - p / K)}, {p: eq.right}, {p: p0}, t, assuming=[p0 < K])

    assert faults(paper) == []
    wrong, right = paper.claims
    assert (wrong.certificate.verdict, right.certificate.verdict) == (Verdict.REFUTED, Verdict.PROVED)
    assert (wrong.corrected_by, wrong.changes) == (right.id, "every time")
    assert bond(wrong.printed, wrong.certificate.statement) is not None  # type: ignore[arg-type]
    assert paper.corrections[wrong.id].by == right.id


def test_what_is_needed_is_shown_by_dropping_it(paper: Paper) -> None:
    @paper.claim("Section 1", needs={"c_above_m": c > m, "m_above_1": m > 1})
    def ordered() -> Iterator[Statement]:
        """The product of c - m and m - 1 is positive."""
        yield positive((c - m) * (m - 1))

    assert faults(paper) == []
    names = [claim.name for claim in paper.claims]
    assert names == ["ordered", "ordered_without_c_above_m", "ordered_without_m_above_1"]


def test_a_hypothesis_that_nothing_needs_is_a_fault(paper: Paper) -> None:
    @paper.claim("Section 1", needs={"c_above_m": c > m})
    def sum_is_positive() -> Iterator[Statement]:
        """A sum of positive numbers is positive."""
        yield positive(c + m)

    (fault,) = faults(paper)
    assert "expected refuted, found proved: growth:sum_is_positive holds without this hypothesis" in fault


def test_a_hypothesis_that_is_given_and_needed_is_refused(paper: Paper) -> None:
    with pytest.raises(DerivationError, match="supposes c_above_m in needs= and in given=: leave it in needs= alone"):
        paper.claim("Section 1", name="less", says="s", given=c > m, needs={"c_above_m": c > m})(list)
    with pytest.raises(DerivationError, match="underscores, in the names of needs= too"):
        paper.claim("Section 1", name="less", says="s", needs={"c above m": c > m})(list)


def test_arguments_that_nothing_gives_are_refused(paper: Paper) -> None:
    with pytest.raises(DerivationError, match="growth:less takes eq, and nothing is given to it"):
        paper.claim("Section 1", name="less", says="s")(lambda eq: eq)
    with pytest.raises(DerivationError, match="the claim less takes left, and an equation gives its claim eq alone"):
        paper.equation("Eq. 1", "m=c").claim(name="less", says="s")(lambda eq, left: eq)
    with pytest.raises(DerivationError, match=r"takes no assuming=, which provers take: write given="):
        holds(c > m, assuming=[c > m])


def test_a_right_equation_that_is_corrected_is_told_to_be_right(paper: Paper) -> None:
    @paper.equation("Eq. 1", "(m+c)^{2}=m^{2}+2mc+c^{2}").claim(corrected="(m+c)^{2}=c^{2}+2mc+m^{2}", because="Order.")
    def square() -> None:
        """The square of a sum."""

    assert any("square: expected refuted, found proved: it is right, so leave out" in fault for fault in faults(paper))


def test_what_is_refuted_without_a_hypothesis_is_the_claim(paper: Paper) -> None:
    calls = count()

    @paper.claim("Section 1", needs={"c_above_m": c > m})
    def sum_is_positive() -> Iterator[Statement]:
        """A sum of positive numbers is positive, once c is above m."""
        yield same(c, m) if next(calls) else positive(c + m)

    assert [fault.partition(": ")[2] for fault in faults(paper)] == [
        "it is refuted, and states something else than growth:sum_is_positive"
    ]


def test_an_implication_that_fails_without_a_hypothesis_is_said_to_be_one(paper: Paper) -> None:
    @paper.claim("Section 1", needs={"c_above_m": lambda: prove.positive(c - m)})
    def ordered() -> prove.Certificate:
        """The difference is positive."""
        return prove.positive((c - m) ** 3, [c > m])

    assert faults(paper) == []
    assert paper.claims[1].says == "What the same implies without the hypothesis: c above m."


def test_hypotheses_that_a_certificate_cannot_take_are_refused(paper: Paper) -> None:
    paper.claim("Section 1", needs={"order": c > m}, name="n", says="s")(lambda: prove.positive(c))
    with pytest.raises(DerivationError, match="a certificate does not take the hypotheses of its claim"):
        faults(paper)


def test_all_that_is_yielded_must_hold_under_the_hypotheses_of_the_claim(paper: Paper) -> None:
    @paper.claim("Section 1", given=c > m)
    def both() -> Iterator[Any]:
        """c is above m, and so is its square above that of m, by a step."""
        yield holds(c**2 > m**2)
        yield [positive(c - m), same((c - m) ** 2, c**2 - 2 * c * m + m**2)]
        yield prove.positive(c)

    assert faults(paper) == []
    assert [part["kind"] for part in both.certificate.statement["parts"]] == ["sign", "all", "sign"]
    paper.claim("Section 1", name="less", says="s", given=c < m)(lambda: [positive(c), positive(c - m)])
    assert paper.claims[-1].certificate.verdict is Verdict.REFUTED


def test_an_error_is_told_at_the_line_that_yields_the_statement(paper: Paper) -> None:
    @paper.claim("Section 1")
    def strange() -> Iterator[Any]:
        """One is a half."""
        yield same(c, c)
        yield same(c, 0.5)

    @paper.claim("Section 1")
    def nothing() -> Iterator[Any]:
        """A number is no statement."""
        yield same(c, c)
        yield 3

    for claim, message in (
        (strange, r"test_equations.py, line \d+\): .*0\.5"),
        (nothing, r"line \d+\): 3 is no statement"),
    ):
        with pytest.raises(DerivationError, match=message):
            claim()


def test_what_a_claim_returns_after_its_yields_is_refused(paper: Paper) -> None:
    @paper.claim("Section 1")
    def both() -> Any:
        """The second statement is false."""
        yield same(c, c)
        return same(c, m)

    with pytest.raises(DerivationError, match=r"test_equations.py, line \d+\): what is returned after a yield"):
        both()


def test_a_statement_that_is_not_yielded_is_refused(paper: Paper) -> None:
    @paper.claim("Section 1")
    def half() -> Iterator[Any]:
        """The first statement is false, and judged by nobody."""
        holds(c > m)
        yield positive(c)

    with pytest.raises(DerivationError, match=r"inequality\(c > m\) is stated, but not yielded"):
        half()


def test_a_chained_comparison_is_refused_wherever_it_is_given(tmp_path: Path) -> None:
    lines = ("yield holds(0 < c < m)", "yield same(c, c, given=[0 < c < m])", "yield 0 < c < m")
    for number, line in enumerate(lines):
        file = tmp_path / f"chained_{number}.py"
        file.write_text(
            "from derivations.author import *\n"
            "c, m = symbols('c m', positive=True)\n"
            f"paper = Paper('chained_{number}', title='T', authors='A', year=2026, source='S')\n"
            "@paper.claim('Section 1')\n"
            "def between():\n"
            "    'c is between 0 and m.'\n"
            f"    {line}\n"
            "    yield from (positive(c) for k in range(3) if 0 < k < 2)\n"
        )
        with pytest.raises(DerivationError, match="line 7: of 0 < c < m Python keeps the last comparison alone"):
            load_file(file).claims[0]()


def test_latex_that_cannot_be_read_is_told_at_the_line_of_its_claim(paper: Paper) -> None:
    @paper.equation("Eq. 1", r"m=\frac{c}{E").claim()
    def cut() -> None:
        """The print is cut."""

    line = cut.check.__wrapped__.__wrapped__.__code__.co_firstlineno
    with pytest.raises(DerivationError, match=rf"test_equations.py, line {line}\): .* never closed"):
        cut()


def test_a_claim_without_brackets_is_refused_and_not_left_out(paper: Paper) -> None:
    def wrong() -> None:
        """It would be judged by nobody."""

    with pytest.raises(DerivationError, match=r"wrong is no further place of Eq. 1: write .claim\(\)"):
        paper.equation("Eq. 1", "m=c").claim(wrong)  # type: ignore[arg-type]
    with pytest.raises(DerivationError, match="the claim wrong has no place"):
        paper.claim(wrong)  # type: ignore[arg-type]


def test_a_claim_that_another_one_corrects_is_expected_to_be_refuted(paper: Paper) -> None:
    @paper.claim("Section 1", corrected_by="below", rests_on="below other")
    def above() -> Iterator[Statement]:
        """m is above m + c."""
        yield holds(m > m + c)

    assert above.expect is Verdict.REFUTED
    assert above.rests_on == ("growth:below", "growth:other")


def test_a_claim_of_one_statement_is_a_call(paper: Paper) -> None:
    EQ = paper.equation("Eq. 1", "(m+c)^{2}=m^{2}+c^{2}")
    printed = EQ.states("square", "The square of a sum.", corrected="(m+c)^{2}=m^{2}+2mc+c^{2}", because="It is mixed.")
    roots = [same(sp.sqrt(m**2), m), positive(m - 1)]
    both = paper.states("root: square less", "Section 1", "Roots.", lambda: roots, given=[m > 1])
    false = paper.states("less", "Section 2", "It is less.", lambda: holds(m < c), expect="refuted")
    derived = EQ.part("the left side", "(m+c)^{2}").states("left: root", "It grows.", lambda eq: positive(eq.left))
    decided = [claim().verdict for claim in (printed, paper.entries["square_corrected"], both, false, derived)]
    assert decided == [Verdict.REFUTED, Verdict.PROVED, Verdict.PROVED, Verdict.REFUTED, Verdict.PROVED]
    assert (printed.says, printed.because, both.where) == ("The square of a sum.", "It is mixed.", ("Section 1",))
    assert (both.rests_on, derived.rests_on) == (("growth:square", "growth:less"), ("growth:root",))
    with pytest.raises(PaperError, match="after its name and in rests_on="):
        EQ.states("right: root", "It grows.", rests_on="less")


def test_a_statement_that_is_made_too_early_or_not_judged_is_refused(paper: Paper) -> None:
    with pytest.raises(DerivationError, match="a function that makes the statement, such as lambda: same"):
        paper.states("early", "Section 1", "It is made at once.", same(m, m))
    lost = paper.states("lost", "Section 2", "The first is lost.", lambda: (same(m, c), same(m, m))[1])
    with pytest.raises(DerivationError, match="is stated, but not yielded"):
        lost()


def test_words_are_read_and_decided(paper: Paper) -> None:
    @paper.equation("Eq. 1", "(AB)^{T}=BA^{T}").claim()
    def transposed() -> None:
        """The transpose of a product, for a symmetric B."""

    assert faults(paper) == []
    assert bond(paper.claims[0].printed, paper.claims[0].certificate.statement) == []  # type: ignore[arg-type]


def test_definitions_are_put_in(paper: Paper) -> None:
    @paper.equation("Eq. 1", "E=mc^{2}+m").claim(put={"E": m * (c**2 + 1)})
    def energy() -> None:
        """With its definition put in, both sides are equal."""

    assert faults(paper) == []


def test_a_link_of_a_chain(paper: Paper) -> None:
    chain = paper.equation("Eq. 1", "(m+c)^{2}=m^{2}+2mc+c^{2}=m(m+2c)+c^{2}")
    for number in (1, 2):
        chain.link(number).claim(name=f"link{number}", says="One step.")(lambda: None)
    assert faults(paper) == []
    assert [claim.where for claim in paper.claims] == [("Eq. 1, link 1",), ("Eq. 1, link 2",)]
    with pytest.raises(DerivationError, match="2 links"):
        chain.link(3)


def test_a_letter_without_a_meaning_is_said(paper: Paper) -> None:
    with pytest.raises(DerivationError, match="no meaning"):
        _ = Formula("z=1", Vocabulary(Notation(letters="z"))).left


def test_long_quotations_are_refused(paper: Paper) -> None:
    with pytest.raises(DerivationError, match="at most 40 words"):
        paper.claim("Section 1", quote="word " * 41, name="long", says="s")(lambda: same(c, c))


def test_a_refuted_sentence_is_one_that_the_source_asserts(paper: Paper) -> None:
    @paper.claim("Section 1", quote="m is larger than c", corrected_by="true")
    def larger() -> prove.Certificate:
        """m > c."""
        return prove.positive(m - c)

    paper.claim("Section 1, corrected", name="true", says="m^2 is positive.")(lambda: prove.positive(m**2))
    assert faults(paper) == []
    assert larger.id in paper.asserted


test_statements_have_their_verdicts = FAMILIES.verdicts()
