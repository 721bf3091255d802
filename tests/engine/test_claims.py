"""The rules for papers and claims, the search for entries, what depends on what, and a user's own paper by path."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from case_files import Cases
from each import each

from derivations.audit.verify import judge, verify
from derivations.paper.files import load_file
from derivations.paper.library import find, impact, library, paper_in
from derivations.paper.model import Paper
from derivations.paper.naming import PaperError
from derivations.prove import Certificate, Verdict, identity

FAMILIES = Cases(__file__, globals())

x = sp.Symbol("x", real=True)


def a_paper(numbered: int = 1) -> Paper:
    return Paper("toy", title="A toy", authors="N. N.", year=2024, source="nowhere", numbered=numbered)


def right() -> Certificate:
    return identity((x + 1) ** 2, x**2 + 2 * x + 1)


def wrong() -> Certificate:
    return identity((x + 1) ** 2, x**2 + 1)


def add(paper: Paper, name: str, check: Any = right, where: str | Iterable[str] = "Eq. 1", **options: Any) -> None:
    paper.claim(where, name=name, says="It holds.", **options)(check)


# --- the rules --------------------------------------------------------------------------------------------------------


def test_a_claim_says_in_its_docstring_what_the_paper_asserts() -> None:
    paper = a_paper()

    @paper.claim("Eq. 1")
    def square() -> Certificate:
        """The square of a sum
        has a mixed term."""
        return right()

    assert square.id == "toy:square"
    assert square.says == "The square of a sum has a mixed term."
    assert square().verdict is Verdict.PROVED
    assert paper.claims == [square]


@each("docstring", [None, "", "   \n "])
def test_a_claim_without_a_docstring_is_refused(docstring: str | None) -> None:
    def silent() -> Certificate:
        return right()

    silent.__doc__ = docstring
    with pytest.raises(PaperError, match="toy:silent has no docstring"):
        a_paper().claim("Eq. 1")(silent)


def test_a_name_stands_for_one_entry() -> None:
    paper = a_paper()
    add(paper, "square")
    with pytest.raises(PaperError, match="two entries are called toy:square"):
        add(paper, "square")
    with pytest.raises(PaperError, match="two entries are called toy:square"):
        paper.definition("Eq. 1", "square", "A square.")


@each("returned", [None, True, "proved", Verdict.PROVED, sp.true])
def test_a_claim_returns_a_certificate_and_nothing_else(returned: Any) -> None:
    paper = a_paper()
    add(paper, "typed", lambda: returned)
    with pytest.raises(PaperError, match="toy:typed must yield statements"):
        verify(paper)


@each(
    ("check", "said"),
    [
        *FAMILIES["a check that fails names its claim in one sentence"],
        (lambda: sys.exit(0), "SystemExit"),
        (lambda: int("two\nlines"), "ValueError"),
    ],
)
def test_a_check_that_fails_names_its_claim_in_one_sentence(check: Any, said: str) -> None:
    paper = a_paper()
    add(paper, "broken", check)
    with pytest.raises(PaperError, match="the claim toy:broken cannot be judged") as caught:
        verify(paper)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_check_runs_once_and_only_when_asked() -> None:
    runs = []

    def counted() -> Certificate:
        runs.append(1)
        return right()

    paper = a_paper()
    add(paper, "counted", counted)
    assert runs == []
    verify(paper)
    verify(paper)
    assert runs == [1]


# --- coverage and corrections -----------------------------------------------------------------------------------------


def test_every_numbered_equation_needs_an_entry() -> None:
    paper = a_paper(numbered=6)
    paper.definition("Eq. 1", "one", "A name.")
    add(paper, "two", where="Eq. 2, link 3")
    paper.experiment(["Eq. 3", "Eq. 4, corrected"], "three", "A measurement.")
    add(paper, "words", where=["Section 5", "Eq. 61", "see Eq. 5", "Eq. 6b"])
    assert paper.missing == [5, 6]
    report = verify(paper)
    assert [f for f in report.faults if "Eq. 5" in f] == ["toy: Eq. 5 is covered by no definition, claim or experiment"]
    assert verify(paper, [paper.entries["one"]]).faults == []


@each("expect", list(Verdict))
@each("check", [right, wrong])
def test_a_verdict_other_than_the_expected_one_is_a_fault_both_ways(check: Any, expect: Verdict) -> None:
    paper = a_paper()
    add(paper, "right", right)
    add(paper, "claim", check, expect=expect, corrected_by="right")
    outcome = judge(paper.entries["claim"])
    assert bool(outcome.faults) == (outcome.verdict is not expect)
    assert bool(verify(paper).faults) == (outcome.verdict is not expect)


def test_a_refuted_claim_needs_a_proved_correction() -> None:
    paper = a_paper()
    options = {"expect": Verdict.REFUTED}
    add(paper, "right", right)
    add(paper, "corrected", wrong, **options, corrected_by="right")
    assert verify(paper).faults == []
    add(paper, "alone", wrong, **options)
    add(paper, "lost", wrong, **options, corrected_by="nothing")
    add(paper, "circular", wrong, **options, corrected_by="corrected")
    faults = verify(paper).faults
    assert [f.partition(":")[2].partition(":")[0] for f in faults] == ["alone", "lost", "circular"]
    assert "names no proved correction" in faults[0]
    assert "toy:nothing, which does not exist" in faults[1]
    assert "toy:corrected is not proved" in faults[2]


def test_several_processes_find_what_one_finds() -> None:
    paper = a_paper()
    for k in range(5):
        add(paper, f"right{k}", right)
    add(paper, "wrong", wrong, expect=Verdict.REFUTED, corrected_by="right0")
    steps: list[str] = []
    report = verify(paper, jobs=2, step=lambda entry: steps.append(entry.id))
    assert sorted(steps) == sorted(entry.id for entry in paper.entries.values())
    alone = verify(paper)
    assert [o.certificate for o in report.outcomes] == [o.certificate for o in alone.outcomes]
    assert report.faults == alone.faults == []


# --- finding ----------------------------------------------------------------------------------------------------------


def test_an_entry_is_found_by_its_id_and_a_near_miss_is_answered() -> None:
    paper = a_paper()
    add(paper, "logistic_curve")
    assert find("toy:logistic_curve", [paper]) is paper.entries["logistic_curve"]
    for near in ("toy:logistic_curv", "toy:logistik_curve", "tpy:logistic_curve"):
        with pytest.raises(PaperError, match=r"did you mean toy:logistic_curve\?"):
            find(near, [paper])


def test_only_the_paper_that_is_named_is_imported_to_find_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("derivations.paper.library.library", lambda: pytest.fail("every paper was imported"))
    assert find("van_rossem_saxe_2024:flow_in_numbers").name == "flow_in_numbers"


def test_a_name_is_not_like_another_one_by_the_key_of_its_paper() -> None:
    paper = a_paper()
    add(paper, "logistic_curve")
    with pytest.raises(PaperError, match="nothing is called toy:z: "):
        find("toy:z", [paper])


def test_a_near_miss_of_a_name_alone_is_answered_with_a_name() -> None:
    paper = a_paper()
    add(paper, "logistic_curve")
    with pytest.raises(PaperError, match=r"did you mean logistic_curve or"):
        find("logistic_curv", [paper])


@each("far", ["", ":", "qqq", "toy", "toy:", "éé:ßß"])
def test_what_is_nowhere_is_told_in_one_sentence(far: str) -> None:
    paper = a_paper()
    add(paper, "logistic_curve")
    with pytest.raises(PaperError, match="nothing is called") as caught:
        find(far, [paper])
    assert "\n" not in str(caught.value)


def test_every_entry_of_the_library_is_found_by_its_id() -> None:
    for key, paper in library().items():
        assert paper.key == key
        for entry in paper.entries.values():
            assert find(entry.id) is entry


def test_impact_follows_what_rests_on_what_also_through_kernels_and_other_papers() -> None:
    paper, other = a_paper(), Paper("other", title="B", authors="M.", year=2025, source="there", numbered=0)
    add(paper, "base")
    add(paper, "middle", rests_on=["base"])
    add(paper, "top", rests_on=["middle"])
    add(paper, "apart")
    other.claim("Section 1", name="far", says="It holds.", rests_on=["toy:top"])(right)
    paper.emits("fast", says="A number.", state=[x], returns={"y": x**2}, rests_on=["top"], cites="A")
    shelves = [paper, other]
    assert impact("toy:base", shelves) == ["kernel toy:fast", "other:far", "toy:middle", "toy:top"]
    assert impact("toy:top", shelves) == ["kernel toy:fast", "other:far"]
    assert impact("toy:apart", shelves) == []


def test_impact_ends_when_entries_rest_on_each_other() -> None:
    paper = a_paper()
    add(paper, "a", rests_on=["b"])
    add(paper, "b", rests_on=["a"])
    assert impact("toy:a", [paper]) == ["toy:a", "toy:b"]


# --- a user's own paper -----------------------------------------------------------------------------------------------

OWN = '''
import sympy as sp
from derivations import Paper, Verdict, prove

paper = Paper("mine", title="Mine", authors="Me", year=2025, source="my desk", numbered=2)
x = sp.Symbol("x", real=True)


@paper.claim("Eq. 1", expect=Verdict.REFUTED, corrected_by="root")
def careless_root():
    """The root of a square is the number."""
    return prove.identity(sp.sqrt(x**2), x)


@paper.claim("Eq. 2")
def root():
    """The root of a square is the number if that is not negative."""
    return prove.identity(sp.sqrt(x**2), x, assuming=[x >= 0])
'''


def written(path: Path, text: str) -> Path:
    path.write_text(textwrap.dedent(text), encoding="utf-8")
    return path


def test_a_file_of_the_users_own_is_verified_by_path(tmp_path: Path) -> None:
    paper = load_file(written(tmp_path / "mine.py", OWN))
    report = verify(paper)
    assert report.faults == []
    assert [o.verdict for o in report.outcomes] == [Verdict.REFUTED, Verdict.PROVED]
    assert paper.key not in library()


def test_two_files_of_one_name_are_two_papers(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first = load_file(written(tmp_path / "a" / "mine.py", OWN))
    second = load_file(written(tmp_path / "b" / "mine.py", OWN.replace('"mine"', '"yours"')))
    assert (first.key, second.key) == ("mine", "yours")


@pytest.mark.parametrize(
    ("name", "text", "said"),
    FAMILIES["a file that is no paper is told in one sentence"],
)
def test_a_file_that_is_no_paper_is_told_in_one_sentence(tmp_path: Path, name: str, text: str, said: str) -> None:
    with pytest.raises(PaperError, match=r"^\S.*$") as caught:
        load_file(written(tmp_path / name, text))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_and_a_folder_are_told(tmp_path: Path) -> None:
    for path, said in ((tmp_path / "gone.py", "there is no file"), (tmp_path, "is a folder: give a paper's key")):
        with pytest.raises(PaperError, match=said):
            load_file(path)


def test_a_paper_under_two_names_is_one_paper(tmp_path: Path) -> None:
    paper = load_file(written(tmp_path / "mine.py", OWN + "same = paper\n"))
    assert paper.key == "mine"


def test_a_module_of_the_library_holds_one_paper() -> None:
    import derivations.paper.model

    with pytest.raises(PaperError, match="holds no Paper"):
        paper_in(derivations.paper.model)


@each(("options", "said"), FAMILIES["what a claim cannot be given is told in one sentence"])
def test_what_a_claim_cannot_be_given_is_told_in_one_sentence(options: dict[str, Any], said: str) -> None:
    paper, where = a_paper(), options.pop("where", "Eq. 1")
    with pytest.raises(PaperError, match=said):
        paper.claim(where, name="one", says="One.", **options)(lambda: identity(x, x))


def test_a_verdict_may_be_expected_by_its_word_and_one_name_needs_no_list() -> None:
    paper = a_paper()
    paper.claim("Eq. 1", name="right", says="Right.")(lambda: identity(x, x))
    wrong = paper.claim("Eq. 2", name="wrong", says="Wrong.", expect="refuted", corrected_by="right", rests_on="right")(
        lambda: identity(x, 2 * x)
    )
    assert wrong.expect is Verdict.REFUTED
    assert wrong.rests_on == ("toy:right",)
    assert verify(paper).faults == []


def test_names_of_entries_that_do_not_exist_are_faults_wherever_they_stand() -> None:
    paper = a_paper(1)
    names = {"rests_on": ["gone"], "corrected_by": "missing"}
    paper.claim("Eq. 1", name="right", says="Right.", expect="proved", **names)(lambda: identity(x, x))
    assert verify(paper).faults == [
        "toy:right: rests_on names toy:gone, which does not exist",
        "toy:right: corrected_by names toy:missing, which does not exist",
    ]


test_statements_have_their_verdicts = FAMILIES.verdicts()
