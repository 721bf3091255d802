"""The papers: every verdict is the expected one, every equation is there as printed, every error has its correction."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from papers_and_claims import CLAIMS, ENTRIES, PAPERS, as_read, name, reports

from derivations.audit import ledger, mutants
from derivations.commands import update
from derivations.kernels import committed
from derivations.kernels.kernel import Kernel
from derivations.paper.library import impact
from derivations.paper.model import Claim, Entry, Paper
from derivations.prove.certificate import Verdict
from derivations.recheck import check, recheck_ledger

DATA = Path(__file__).parents[1] / "engine" / "data"
PRINTED = [entry for entry in ENTRIES if entry.printed is not None]
SHOWN = (Verdict.PROVED, Verdict.CERTIFIED)

MAY_DEFINE: dict[str, set[int]] = {
    "braun_2022": {1, 2, 3, 4, 6, 7, 10, 14},
    "carrasco_davis_grant_2025": {1, 2, 3, 4, 6, 7, 10, 13, 17},
    "van_rossem_saxe_2024": {1, 2, 3, 5, 6, 8, 11, 19, 41, 42},
}
MAY_MEASURE: dict[str, set[int]] = {"van_rossem_saxe_2024": {49, 50}}
LIES_PER_PAPER = 12
LIES_PER_CLAIM = 4

every_paper = pytest.mark.parametrize("paper", PAPERS, ids=name)
every_claim = pytest.mark.parametrize("claim", CLAIMS, ids=name)
every_formula = pytest.mark.parametrize("entry", PRINTED, ids=name)


# --- verdicts ---------------------------------------------------------------------------------------------------------


@every_claim
def test_the_verdict_is_the_expected_one(claim: Claim) -> None:
    certificate = claim()
    assert certificate.verdict is claim.expect, certificate.reason


@every_claim
def test_the_certificate_is_accepted_by_the_independent_checker(claim: Claim) -> None:
    check(as_read(claim))


@every_claim
def test_a_refuted_claim_has_a_witness_or_a_reason_and_a_proved_correction(claim: Claim) -> None:
    if claim.expect is not Verdict.REFUTED:
        assert claim.corrected_by is None
        return
    certificate = claim.certificate
    assert certificate.witness or certificate.payload
    assert claim.corrected_by in {c.id for c in CLAIMS}
    correction = next(c for c in CLAIMS if c.id == claim.corrected_by)
    assert correction.certificate.verdict in SHOWN


@every_claim
def test_an_open_claim_says_what_stands_in_the_way(claim: Claim) -> None:
    assert (claim.certificate.verdict is Verdict.OPEN) == bool(claim.certificate.reason)


@every_paper
def test_a_verification_finds_no_fault(paper: Paper) -> None:
    report = next(r for r in reports() if r.paper is paper)
    assert report.faults == []


def test_the_whole_ledger_is_accepted(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    path.write_text(ledger.dumps(ledger.as_json(reports())), encoding="utf-8")
    summary = recheck_ledger(path)
    assert summary.rejected == []
    assert sum(summary.accepted.values()) == len(CLAIMS)
    assert summary.without == len(ENTRIES) - len(CLAIMS)


# --- what is covered, and by what -------------------------------------------------------------------------------------


@every_paper
def test_every_numbered_equation_is_covered(paper: Paper) -> None:
    assert paper.missing == []
    assert all(1 <= n <= paper.numbered for entry in paper.entries.values() for n in entry.numbers)


@every_paper
def test_only_what_defines_is_a_definition_and_only_what_measures_an_experiment(paper: Paper) -> None:
    for kind, allowed in (("definition", MAY_DEFINE), ("experiment", MAY_MEASURE)):
        numbers = set().union(*(e.numbers for e in paper.entries.values() if e.kind == kind))
        assert numbers <= allowed.get(paper.key, numbers)


@every_paper
def test_what_is_not_defined_or_measured_is_claimed(paper: Paper) -> None:
    claimed = set().union(*(claim.numbers for claim in paper.claims))
    excused = MAY_DEFINE.get(paper.key, set()) | MAY_MEASURE.get(paper.key, set())
    assert set(range(1, paper.numbered + 1)) - claimed <= excused


@pytest.mark.parametrize("entry", ENTRIES, ids=name)
def test_an_entry_ends_its_sentence_and_rests_on_entries_that_exist(entry: Entry) -> None:
    assert entry.says.endswith(".")
    known = {e.id for e in ENTRIES}
    assert set(entry.rests_on) <= known
    assert entry.id not in impact(entry.id, PAPERS)


@every_paper
def test_kernels_rest_on_shown_claims_that_exist(paper: Paper) -> None:
    verdicts = update.verdicts(list(reports()))
    for kernel in paper.kernels:
        assert kernel.rests_on
        for used in kernel.rests_on:
            assert verdicts[used if ":" in used else f"{paper.key}:{used}"] in ("proved", "certified")


# --- the printed formulas ---------------------------------------------------------------------------------------------


@every_formula
def test_the_latex_and_the_expression_agree(entry: Entry) -> None:
    assert entry.printed is not None
    entry.printed.notes()
    assert entry.printed.readable()


def source(paper: str) -> dict[str, str]:
    """The paper's LaTeX by place: each numbered equation with what is printed beside it, and formulas of the text."""
    path = DATA / f"{paper}_equations.json"
    data: Any = json.loads(path.read_text(encoding="utf-8"))
    numbered = {n: latex + data.get("beside", {}).get(n, "") for n, latex in data["equations"].items()}
    return numbered | {place: "\n".join(formulas) for place, formulas in data.get("text", {}).items()}


def bare(latex: str) -> str:
    """Without what only lays a formula out."""
    return re.sub(r"\\(begin|end)\{split\}|\\\\|\\(?=\s)|&|\s", "", latex)


@every_formula
def test_every_side_of_a_printed_formula_stands_verbatim_at_the_place_that_it_names(entry: Entry) -> None:
    """In a chain that runs over several equations the left side of a link may stand in the one before."""
    assert entry.printed is not None
    formulas = source(entry.paper)
    places = [*map(str, sorted(entry.numbers)), *(w for w in (w.split(",")[0] for w in entry.where) if w in formulas)]
    sides = bare(entry.printed.latex).split("=")
    assert places
    for place in places:
        here = bare(formulas[place])
        before = bare(formulas.get(str(int(place) - 1), "")) if place.isdecimal() else ""
        assert sides[-1] in here
        assert [side for side in sides if side not in here and side not in before] == []


# --- what is generated and committed ----------------------------------------------------------------------------------


def test_the_generated_pages_are_fresh() -> None:
    for file, text in update.pages(list(reports())).items():
        committed = (update.root() / file).read_text(encoding="utf-8")
        assert committed == text, f"{file} is stale: run `derivations update`"


def test_the_emitted_kernels_are_fresh() -> None:
    kernels = {paper.key: paper.kernels for paper in PAPERS}
    folder = update.root() / "numerics" / "kernels"
    assert committed.stale(kernels, folder, update.verdicts(list(reports()))) == "", "run `derivations update`"


# --- a few lies -------------------------------------------------------------------------------------------------------


def some(paper: Paper) -> list[Claim]:
    return random.Random(f"lies about {paper.key}").sample(paper.claims, min(LIES_PER_PAPER, len(paper.claims)))


@pytest.mark.parametrize("claim", [claim for paper in PAPERS for claim in some(paper)], ids=name)
def test_no_lie_about_a_claim_is_proved_or_left_open(claim: Claim) -> None:
    tally = mutants.tell(claim, LIES_PER_CLAIM)
    assert tally.survived == []
    assert tally.open == []


@pytest.mark.parametrize(
    ("paper", "kernel"), [(p, k) for p in PAPERS for k in p.kernels], ids=lambda x: getattr(x, "name", "")
)
def test_no_kernel_inherits_a_refuted_formula(paper: Paper, kernel: Kernel) -> None:
    entries = {entry.id: entry for entry in ENTRIES}
    todo = [used if ":" in used else f"{paper.key}:{used}" for used in kernel.rests_on]
    seen: set[str] = set()
    while todo:
        used = todo.pop()
        if used not in seen:
            seen.add(used)
            entry = entries[used]
            assert not isinstance(entry, Claim) or entry().verdict in SHOWN, used
            todo += entry.rests_on
