"""Who inherits a mistake is computed: what reads a wrong equation is judged again with the correction in its place."""

from __future__ import annotations

import sympy as sp
from each import each

from derivations import Paper, prove
from derivations.audit import ledger
from derivations.audit.inheritance import heirs
from derivations.audit.verify import verify
from derivations.latex import Notation
from derivations.latex.printed import Vocabulary, symbols_of
from derivations.papers.carrasco_davis_grant_2025 import paper as primer

a, b = sp.symbols("a b", positive=True)
VOCABULARY = Vocabulary(Notation(letters="a b S C"), meanings=symbols_of(a, b))
SQUARE, CUBE = (a + b) ** 2, (a + b) ** 3


def paper_with_heirs(where: str = "Eq. 1") -> Paper:
    """A square without its mixed term, from which a wrong cube is derived, and a right statement that reads it too."""
    paper = Paper("cubes", title="T", authors="A", year=1838, source="S", numbered=1, vocabulary=VOCABULARY)
    square = paper.equation(where, "S = a^{2} + b^{2}", meanings={"S": SQUARE})
    square.claim(name="square", says="The square.", corrected="S = a^{2} + 2ab + b^{2}", because="Twice a b lacks.")(
        lambda: None
    )
    paper.claim("Section 1, true", name="true_cube", says="The cube.")(lambda: prove.identity(CUBE, CUBE.expand()))
    printed = a**3 + b**3 + a * b * (a + b)
    for name, body, options in (
        ("wrong_cube", lambda: prove.identity(CUBE, square.right * (a + b)), {"corrected_by": "true_cube"}),
        ("printed_cube", lambda: prove.identity(printed, square.right * (a + b)), {}),
        ("positive_square", lambda: prove.positive(square.right), {}),
    ):
        verdict = "refuted" if options else "proved"
        paper.claim("Section 1", name=name, says="Some sentence.", expect=verdict, **options)(body)  # type: ignore[arg-type]
    return paper


def test_a_claim_inherits_what_its_verdict_depends_on() -> None:
    report = verify(paper_with_heirs())
    assert report.faults == []
    inherits = {o.entry.name: o.inherits for o in report.outcomes}
    assert inherits == {
        "square": (), "square_corrected": (), "true_cube": (), "positive_square": (),
        "wrong_cube": ("cubes:square",), "printed_cube": ("cubes:square",),
    }  # fmt: skip
    errata = ledger.errata(report)
    assert [e["id"] for e in errata.heirs(errata.known["cubes:square"])] == ["cubes:wrong_cube", "cubes:printed_cube"]
    assert heirs(report.paper, "cubes:square") == ["cubes:wrong_cube", "cubes:printed_cube"]
    assert heirs(report.paper, "cubes:true_cube") == []


def test_the_same_is_found_by_several_processes() -> None:
    paper = paper_with_heirs()
    assert [o.inherits for o in verify(paper, jobs=2).outcomes] == [o.inherits for o in verify(paper).outcomes]


@each(
    ("mistake", "inheriting"),
    [
        ("student_overlap_rate_as_printed", {"quadratic_flow_for_one_sample"}),
        (
            "printed_R_has_students_first",
            {"snippet_takes_printed_overlaps", "snippet_takes_a_printed_row", "printed_overlaps_leave_the_arcsine"},
        ),
        ("printed_flow_in_time_of_inputs", {"overlap_moves_by_the_printed_flow"}),
        ("printed_average_for_erf", {"error_for_erf", "snippet_computes_equation_18", "snippet_computes_equation_19"}),
    ],
)
def test_mistakes_of_the_primer_have_heirs(mistake: str, inheriting: set[str]) -> None:
    asked = [primer.entries[name] for name in (mistake, *inheriting)]
    report = verify(primer, [*asked, *(primer.entries[n] for n in (_correction(mistake),))])
    found = {o.entry.name for o in report.outcomes if f"{primer.key}:{mistake}" in o.inherits}
    assert found == inheriting


def _correction(name: str) -> str:
    by = primer.corrections[f"{primer.key}:{name}"].by
    return by.partition(":")[2]
