"""The papers: every verdict is the expected one, every equation is there as printed, every error has its correction."""

from __future__ import annotations

import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from case_files import Cases
from golden_ledger import differences, lines
from papers.page_edits import EDITS, OF_VERDICTS, Edit, at_random
from papers_and_claims import MODULES, claims, entries, paper_in, papers, reports

from derivations.audit import ledger
from derivations.audit.lies import statements as mutants
from derivations.audit.pages import FOLDER, verdict_faults
from derivations.audit.probe import probe
from derivations.audit.verify import Outcome, Report
from derivations.commands import update
from derivations.kernels import committed
from derivations.paper.entries import Claim, Entry
from derivations.paper.library import impact
from derivations.paper.model import Paper
from derivations.prove.certificate import Verdict
from derivations.recheck import Summary, recheck_ledger
from derivations.recheck.ledgers.kernels import KERNELS
from derivations.report import written as written_pages
from derivations.report.written import page_faults

FAMILIES = Cases(__file__)

ROOT = Path(__file__).parents[2]
DATA = Path(__file__).parents[1] / "engine" / "data"
SHOWN = (Verdict.PROVED, Verdict.CERTIFIED)

MAY_DEFINE = FAMILIES["may define"]
MAY_MEASURE: dict[str, set[int]] = {"van_rossem_saxe_2024": {49, 50}}
LONG_TO_LIE_ABOUT = {"van_rossem_saxe_2024:closed_form_squared"}
"""Claims whose lies take as long as those of all others here together; `make laws` tells all lies about all claims."""
LIES_PER_PAPER = 4
LIES_PER_CLAIM = 4

Faults = list[str]
Look = Callable[[], list[tuple[str, str]]]  # at the pages of a checkout: files with faults


@pytest.fixture(scope="module", params=MODULES)
def paper(request: pytest.FixtureRequest) -> Paper:
    return paper_in(request.param)


@pytest.fixture(scope="module")
def report(paper: Paper) -> Report:
    return next(r for r in reports() if r.paper is paper)


@pytest.fixture(scope="module")
def written() -> Any:
    """The ledger of all papers."""
    return ledger.as_json(reports())


@pytest.fixture(scope="module")
def rechecked(written: Any, tmp_path_factory: pytest.TempPathFactory) -> Summary:
    """Return what the independent checker says of the ledger of all papers, which it reads from a file."""
    path = tmp_path_factory.mktemp("ledger") / "ledger.json"
    path.write_text(ledger.dumps(written), encoding="utf-8")
    return recheck_ledger(path)


@pytest.fixture(scope="module")
def pages(rechecked: Summary) -> dict[str, str]:
    """Return what is written of the ledger."""
    return written_pages.written(rechecked.papers)


@pytest.fixture
def written_once(pages: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages are compared with one text of them, which is not written again for every comparison."""
    monkeypatch.setattr(written_pages, "written", lambda papers: pages)


# --- verdicts: each test looks at every claim of a paper, and names all that fall short -------------------------------


def test_the_verdicts_are_the_expected_ones_and_a_verification_finds_no_fault(report: Report) -> None:
    assert {o.entry.id: o.verdict for o in judged(report)} == {c.id: c.expect for c in report.paper.claims}
    assert report.faults == []


def judged(report: Report) -> list[Outcome]:
    return [outcome for outcome in report.outcomes if isinstance(outcome.entry, Claim)]


def test_every_certificate_is_accepted_by_the_independent_checker(paper: Paper, rechecked: Summary) -> None:
    assert [found for found in rechecked.rejected if found[0] in {claim.id for claim in paper.claims}] == []


def test_the_whole_ledger_is_accepted(rechecked: Summary) -> None:
    assert rechecked.rejected == []
    assert sum((rechecked.accepted + rechecked.undecided).values()) == len(claims())
    assert rechecked.without == len(entries()) - len(claims())


@pytest.mark.usefixtures("written_once")
def test_the_committed_documents_and_kernels_show_what_the_ledger_has(rechecked: Summary) -> None:
    assert page_faults(ROOT, rechecked.papers) == []


@pytest.mark.usefixtures("written_once")
def test_no_edit_of_a_page_or_of_a_kernel_passes(rechecked: Summary, tmp_path: Path) -> None:
    for folder in (FOLDER, KERNELS):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "README.md", tmp_path)
    named = [(name, file, edit) for name, (file, edit) in EDITS.items()]
    at_places = [(f"a sign at random, {file}", file, edit) for file, edit in at_random(tmp_path)]
    assert _unnoticed(tmp_path, [*named, *at_places], lambda: page_faults(tmp_path, rechecked.papers)) == []
    assert len(_unnoticed(tmp_path, named, list)) == len(named)  # where nobody looks
    of_verdicts = [one for one in named if one[0] in OF_VERDICTS]
    assert len(of_verdicts) == len(OF_VERDICTS)
    assert _unnoticed(tmp_path, of_verdicts, lambda: verdict_faults(tmp_path, rechecked.papers)) == []


def _unnoticed(root: Path, edits: list[tuple[str, str, Edit]], look: Look) -> list[str]:
    """The names of edits of which no fault of their file tells; those of different files are looked at together."""
    by_file: dict[str, list[tuple[str, Edit]]] = {}
    for name, file, edit in edits:
        by_file.setdefault(file, []).append((name, edit))
    missed: list[str] = []
    for together in zip_longest(*by_file.values()):
        made = {file: one for file, one in zip(by_file, together, strict=True) if one}
        whole = {file: (root / file).read_text(encoding="utf-8") for file in made}
        for file, (name, edit) in made.items():
            edited = edit(whole[file])
            assert edited != whole[file], f"nothing is changed by {name}"
            (root / file).write_text(edited, encoding="utf-8")
        told = {file for file, _ in look()}
        missed += [name for file, (name, _) in made.items() if file not in told]
        for file, text in whole.items():
            (root / file).write_text(text, encoding="utf-8")
    return missed


def test_what_is_refuted_has_a_witness_or_a_reason_and_a_proved_correction_and_nothing_else_has(report: Report) -> None:
    shown = {o.entry.id for r in reports() for o in judged(r) if o.verdict in SHOWN}
    assert [fault for outcome in judged(report) for fault in _unfit_correction(outcome, shown)] == []


def _unfit_correction(outcome: Outcome, shown: set[str]) -> Faults:
    claim, certificate = outcome.entry, outcome.certificate
    assert isinstance(claim, Claim)
    assert certificate is not None
    if claim.expect is not Verdict.REFUTED:
        return [f"{claim.id} is not refuted, and names a correction"] if claim.corrected_by is not None else []
    told: Faults = []
    if not (certificate.witness or certificate.payload):
        told.append(f"{claim.id} is refuted without a witness or a reason")
    if claim.corrected_by not in shown:
        told.append(f"{claim.id} is corrected by {claim.corrected_by}, which no claim shows")
    return told


def sides(statement: Any) -> Iterator[tuple[Any, Any]]:
    """The sides of all equations inside a statement."""
    parts = statement.values() if isinstance(statement, dict) else statement if isinstance(statement, list) else ()
    if isinstance(statement, dict) and statement.get("kind") in ("identity", "words", "sums"):
        yield statement["left"], statement["right"]
    else:
        for part in parts:
            yield from sides(part)


def test_equations_say_more_than_that_something_is_itself(report: Report) -> None:
    """Where both sides are literally the same, a proof has nothing to do; kernels may repeat a claim's formula."""
    same: Faults = []
    for outcome in judged(report):
        if outcome.certificate and outcome.entry.kind != "kernel":
            same += [outcome.entry.id for left, right in sides(outcome.certificate.statement) if left == right]
    assert same == []


def test_an_open_claim_says_what_stands_in_the_way_and_no_other_does(report: Report) -> None:
    decided = {o.entry.id: o.certificate for o in judged(report)}
    assert [name for name, c in decided.items() if c is None or (c.verdict is Verdict.OPEN) != bool(c.reason)] == []


# --- what is covered, and by what -------------------------------------------------------------------------------------


def test_every_numbered_equation_is_covered(paper: Paper) -> None:
    assert paper.missing == []
    assert all(1 <= n <= paper.numbered for entry in paper.entries.values() for n in entry.numbers)


def test_only_what_defines_is_a_definition_and_only_what_measures_an_experiment(paper: Paper) -> None:
    for kind, allowed in (("definition", MAY_DEFINE), ("experiment", MAY_MEASURE)):
        numbers = set().union(*(e.numbers for e in paper.entries.values() if e.kind == kind))
        assert numbers <= allowed.get(paper.key, numbers)


def test_what_is_not_defined_or_measured_is_claimed(paper: Paper) -> None:
    claimed = set().union(*(claim.numbers for claim in paper.claims))
    excused = MAY_DEFINE.get(paper.key, set()) | MAY_MEASURE.get(paper.key, set())
    assert set(range(1, paper.numbered + 1)) - claimed <= excused


def test_every_entry_ends_its_sentence_and_rests_on_entries_that_exist_and_not_on_itself(paper: Paper) -> None:
    known, library = {entry.id for entry in entries()}, papers()
    told: Faults = []
    for entry in paper.entries.values():
        if not entry.says.endswith("."):
            told.append(f"{entry.id} does not end its sentence")
        told += [f"{entry.id} rests on {used}, which does not exist" for used in entry.rests_on if used not in known]
        if entry.id in impact(entry.id, library):
            told.append(f"{entry.id} rests on itself")
    assert told == []


def test_kernels_rest_on_shown_claims_that_exist(paper: Paper) -> None:
    verdicts = update.verdicts(list(reports()))
    for kernel in paper.kernels:
        assert kernel.rests_on
        for used in kernel.rests_on:
            assert verdicts[used if ":" in used else f"{paper.key}:{used}"] in ("proved", "certified")


# --- the printed formulas ---------------------------------------------------------------------------------------------


def formulas(paper: Paper) -> list[Entry]:
    return [entry for entry in paper.entries.values() if entry.printed is not None]


def test_every_formula_can_be_read_out(paper: Paper) -> None:
    """That the LaTeX and the expression agree is a part of the verification, which finds no fault."""
    assert [entry.id for entry in formulas(paper) if entry.printed is None or not entry.printed.readable()] == []


def source(paper: str) -> dict[str, str]:
    """The paper's LaTeX by place: each numbered equation with what is printed beside it, and formulas of the text."""
    path = DATA / f"{paper}_equations.json"
    data: Any = json.loads(path.read_text(encoding="utf-8"))
    numbered = {n: latex + data.get("beside", {}).get(n, "") for n, latex in data["equations"].items()}
    return numbered | {place: "\n".join(formulas) for place, formulas in data.get("text", {}).items()}


def bare(latex: str) -> str:
    """Without what only lays a formula out."""
    return re.sub(r"\\(begin|end)\{split\}|\\\\|\\(?=\s)|&|\s", "", latex)


def test_every_side_of_a_printed_formula_stands_verbatim_at_the_place_that_it_names(paper: Paper) -> None:
    """In a chain that runs over several equations the left side of a link may stand in the one before."""
    copied = list(formulas(paper))
    printed = {place: bare(latex) for place, latex in source(paper.key).items()} if copied else {}
    assert [fault for entry in copied for fault in _not_verbatim(entry, printed)] == []


def _not_verbatim(entry: Entry, printed: dict[str, str]) -> Faults:
    assert entry.printed is not None
    places = [*map(str, sorted(entry.numbers)), *(w for w in (w.split(",")[0] for w in entry.where) if w in printed)]
    *left, last = bare(entry.printed.latex).split("=")
    told = [] if places else [f"{entry.id} names no place"]
    for place in places:
        here = printed[place]
        before = printed.get(str(int(place) - 1), "") if place.isdecimal() else ""
        missing = [side for side in left if side not in here and side not in before]
        missing += [last] if last not in here else []
        told += [f"{entry.id}: {side} does not stand at {place}" for side in missing]
    return told


# --- what is generated and committed ----------------------------------------------------------------------------------


def test_the_generated_pages_are_fresh(written: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "as_json", lambda reports: written)
    for file, text in update.pages(list(reports())).items():
        committed = (update.root() / file).read_text(encoding="utf-8")
        assert committed == text, f"{file} is stale: run `derivations update`"


def test_the_emitted_kernels_are_fresh() -> None:
    kernels = {paper.key: paper.kernels for paper in papers()}
    folder = update.root() / "numerics" / "kernels"
    found = list(reports())
    for name, text in committed.sources(kernels, update.verdicts(found), ledger.equalities(found)).items():
        assert (folder / name).read_text(encoding="utf-8") == text, f"{name} is stale: run `derivations update`"


# --- a few lies -------------------------------------------------------------------------------------------------------


def some(paper: Paper) -> list[Claim]:
    short = [claim for claim in paper.claims if claim.id not in LONG_TO_LIE_ABOUT]
    return random.Random(f"lies about {paper.key}").sample(short, min(LIES_PER_PAPER, len(short)))


def test_no_lie_about_a_claim_is_proved_or_left_open(paper: Paper) -> None:
    tallies = [mutants.tell(claim, LIES_PER_CLAIM) for claim in some(paper)]
    assert {tally.claim: tally.survived for tally in tallies if tally.survived} == {}
    assert {tally.claim: tally.open for tally in tallies if tally.open} == {}


def test_no_kernel_inherits_a_refuted_formula(paper: Paper) -> None:
    known = {entry.id: entry for entry in entries()}
    told: Faults = []
    for kernel in paper.kernels:
        todo = [used if ":" in used else f"{paper.key}:{used}" for used in kernel.rests_on]
        seen: set[str] = set()
        while todo:
            used = todo.pop()
            if used in seen:
                continue
            seen.add(used)
            entry = known[used]
            if isinstance(entry, Claim) and entry().verdict not in SHOWN:
                told.append(f"{kernel.name} inherits {used}, which is {entry().verdict.value}")
            todo += entry.rests_on
    assert told == []


def test_random_instances_contradict_nothing(report: Report) -> None:
    """A tenth of the claims is tried here; `make laws` looks at all of them."""
    asked = random.Random(f"instances of {report.paper.key}").sample(report.outcomes, len(report.outcomes) // 10)
    found = probe(report.paper, asked, count=5)
    assert [f"{each.id}: {each.contradictions[0]}" for each in found if each.contradictions] == []
    assert sum(each.is_empty for each in found) <= len(found) // 50 + 1


# --- the golden ledger ------------------------------------------------------------------------------------------------


def test_every_entry_states_what_it_stated_and_has_the_verdict_that_it_had(written: Any) -> None:
    assert differences(written["papers"]) == []


def test_another_verdict_statement_or_hypothesis_is_a_difference() -> None:
    entry = {"id": "p:name", "verdict": "proved", "formula": ["x = x"], "hypotheses": ["x > 0"]}
    changes = ({"verdict": "open"}, {"formula": ["x = 1"]}, {"hypotheses": []}, {"id": "p:other"})
    assert all(lines(entry | change) != lines(entry) for change in changes)
