"""The ledger: everything a verification found, as JSON for machines."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, replace
from importlib.metadata import version
from typing import Any

from derivations.audit.mistakes import Mistakes
from derivations.audit.unneeded import unneeded
from derivations.audit.verify import Outcome, Report
from derivations.kernels import committed
from derivations.latex.rules.recorded import record
from derivations.paper.entries import Claim
from derivations.paper.model import Paper
from derivations.paper.second import compared
from derivations.paper.statements import judged
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.recheck.ledgers import reading
from derivations.recheck.ledgers.entries import ABOUT, entry_of, seal
from derivations.recheck.ledgers.ledger import SCHEMA, paper_seal
from derivations.recheck.ledgers.programs import edges_told
from derivations.text import DerivationError


class LedgerError(DerivationError):
    """A ledger from which no pages can be written; the message says what to do."""


def versions() -> dict[str, str]:
    return {name: version(name) for name in ("sympy", "python-flint")}


def as_json(reports: Iterable[Report]) -> Json:
    return {"schema": SCHEMA, "versions": versions(), "papers": [_paper(report) for report in reports]}


def errata(report: Report) -> Mistakes:
    """The entries of a report as a ledger has them, but for what the checker computes, and what is wrong by cause."""
    records = [
        {
            **_said(o, report.paper),
            "verdict": o.verdict.value if o.verdict else None,
            "certificate": o.certificate.as_json() if o.certificate else None,
        }
        for o in report.outcomes
    ]
    premises = {entry.id: entry.rests_on for entry in report.paper.entries.values()}
    return Mistakes(records, premises, report.paper.quantities)


def _paper(report: Report) -> Json:
    paper = report.paper
    entries = [entry_of(_about(o, paper), plain(o.certificate) if o.certificate else None) for o in report.outcomes]
    rest = {"whole": report.whole, "emitted": _emitted(report), "second": _second(report)}
    return sealed({**_head(paper), **rest, "entries": entries})


def _second(report: Report) -> Json:
    """The second readings of quoted sentences, and how what was judged stands to each."""
    read = {}
    for outcome in report.outcomes:
        if outcome.certificate and outcome.entry.name in report.paper.second:
            statement, given = report.paper.second[outcome.entry.name]
            again = plain(judged(statement(), given))["statement"]
            relation = compared(plain(outcome.certificate)["statement"], again)
            read[outcome.entry.name] = {"relation": relation, "statement": again}
    return read


def sealed(paper: Json) -> Json:
    return paper | {"sha256": paper_seal(paper)}


def _head(paper: Paper) -> Json:
    """Return what pages show of a paper beside its entries."""
    remarks = paper.remarks
    return {
        "key": paper.key,
        "title": paper.title,
        "citation": paper.citation,
        "numbered": paper.numbered,
        "read": paper.read,
        "letters": paper.letters,
        "quantities": paper.quantities,
        "remarks": {
            "causes": [asdict(cause) | {"claims": list(cause.claims)} for cause in remarks.causes],
            "caveats": [list(pair) for pair in remarks.caveats.items()],
            "chapters": [[title, list(said)] for title, said in remarks.chapters.items()],
        },
    }


def _emitted(report: Report) -> Json:
    """The seals of the files that are emitted of a paper's kernels, and of its rows of the index.

    A paper in a file of a user's own has no files among those of this project, and neither has a part of a paper.
    """
    paper, shown = report.paper, equalities([report])
    if paper.file or not report.whole or any(f"{paper.key}:{k.name}" not in shown for k in paper.kernels):
        return {"files": {}, "index": seal([])}
    files = committed.sources({paper.key: paper.kernels}, None, shown)
    index = json.loads(files.pop(committed.INDEX))
    return {"files": index["files"], "index": seal(index["kernels"])}


def equalities(reports: Iterable[Report]) -> dict[str, committed.Equality]:
    """By the id of each kernel that equals what is proved, the certificate that shows it."""
    return {
        o.entry.id.removesuffix("_kernel"): committed.Equality(
            seal(plain(o.certificate)), edges_told(o.certificate.statement["kernel"])
        )
        for report in reports
        for o in report.outcomes
        if o.entry.kind == "kernel" and o.certificate is not None and o.verdict is Verdict.PROVED
    }


def _about(outcome: Outcome, paper: Paper) -> Json:
    """Return what a person wrote of an entry, and what the framework says of it, with what letters of its prints
    mean.
    """
    entry, corrected = outcome.entry, paper.corrections.get(outcome.entry.id)
    is_claim = isinstance(entry, Claim)
    return {
        **_said(outcome, paper),
        "reading": _listed(outcome.reading or record(entry.printed)) if is_claim and entry.printed else None,
        "reading_of_corrected": _listed(record(corrected.formula)) if corrected else None,
    }


def _said(outcome: Outcome, paper: Paper) -> Json:
    """An entry without its class, and without what letters mean."""
    entry = outcome.entry
    claim = entry if isinstance(entry, Claim) else None
    corrected = paper.corrections.get(entry.id)
    return {
        "paper": entry.paper,
        "id": entry.id,
        "kind": entry.kind,
        "where": list(entry.where),
        "says": entry.says,
        "printed": entry.printed is not None,
        "latex": entry.printed.latex if entry.printed else None,
        "notes": list(outcome.notes),
        "slips": list(entry.printed.notes()) if entry.printed and outcome.notes else [],
        "expected": claim.expect.value if claim else None,
        "corrected_by": claim.corrected_by if claim else None,
        "corrected": corrected.formula.latex if corrected else None,
        "mended_by": corrected.by if corrected else None,
        "notes_of_corrected": list(outcome.of_corrected or ()),
        "asserted": entry.id in paper.asserted,
        "quote": entry.quote,
        "because": claim.because if claim else "",
        "changes": claim.changes if claim else "",
        "rests_on": list(entry.rests_on),
        "inherits": list(outcome.inherits),
        "faults": list(outcome.faults),
    }


def reports_in(data: Any, papers: Mapping[str, Paper], asked: Collection[str] | None = None) -> list[Report]:
    """The reports from which a ledger was written, without judging anything again.

    papers: the papers by key, as they are now. asked: the keys of those that are meant (None: all). LedgerError where
    the data are no ledger, or where a paper says something else by now than it did then. Whether certificates show
    what they say is for `derivations recheck`.
    """
    require_ledger(data)
    try:
        return [_report_in(told, papers) for told in data["papers"] if asked is None or told["key"] in asked]
    except (KeyError, TypeError, ValueError, AttributeError) as trouble:
        if isinstance(trouble, LedgerError):
            raise
        raise LedgerError(f"this ledger lacks what it should hold ({type(trouble).__name__}): verify again") from None


def require_ledger(data: Any) -> None:
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or not isinstance(data.get("papers"), list):
        raise LedgerError(f"this is no ledger of schema {SCHEMA}: write one with `derivations verify --json FILE`")


def _report_in(told: Json, papers: Mapping[str, Paper]) -> Report:
    key = told["key"]
    if key not in papers:
        raise LedgerError(f"the ledger has a paper {key} that is not known here: name its file as well")
    paper = papers[key]
    if {**told, **_head(paper)} != told:
        raise LedgerError(f"the ledger says something else of {key} than the paper does now: verify it again")
    if [entry["id"] for entry in told["entries"]] != [entry.id for entry in paper.entries.values()]:
        raise LedgerError(f"the ledger has not the same entries of {key} as the paper has now: verify it again")
    return Report(paper, [_outcome_in(entry, paper) for entry in told["entries"]])


def _outcome_in(told: Json, paper: Paper) -> Outcome:
    """Return what became of an entry, where the paper still says the same."""
    entry, certificate = paper.entries[told["id"].partition(":")[2]], told["certificate"]
    if told["sha256"] != seal(certificate or {key: told[key] for key in ABOUT}):
        raise LedgerError(f"{entry.id} was changed in the ledger: its sha256 is another one; verify it again")
    made = _certificate(certificate) if certificate else None
    faults, notes, inherits, of_corrected = (
        tuple(told[key]) for key in ("faults", "notes", "inherits", "notes_of_corrected")
    )
    outcome = Outcome(entry, made, 0.0, faults, notes, inherits, of_corrected=of_corrected)
    if any(told[key] != now for key, now in _about(outcome, paper).items()):
        raise LedgerError(f"{entry.id} says something else by now than the ledger has: verify it again")
    return outcome


def plain(certificate: Certificate) -> Json:
    """A certificate as JSON has it, with lists in place of tuples."""
    return _listed(certificate.as_json())


def _listed(data: Json) -> Json:
    """Data as JSON has them, with lists in place of tuples."""
    found: Json = json.loads(json.dumps(data))
    return found


def as_if_read(report: Report) -> Report:
    """A report whose certificates are spelt as a ledger spells them, so that pages are the same from either."""
    read = [
        replace(o, certificate=_certificate(json.loads(dumps(o.certificate.as_json())))) if o.certificate else o
        for o in report.outcomes
    ]
    return replace(report, outcomes=read)


def _certificate(data: Json) -> Certificate:
    verdict, reason = Verdict(data["verdict"]), data.get("reason", "")
    return Certificate(data["statement"], verdict, data["method"], data["payload"], reason)


def hypotheses(certificate: Certificate) -> list[str]:
    """All that a statement supposes, in words: of symbols, letters and arrays too."""
    return reading.hypotheses(certificate.statement)


def not_needed(certificate: Certificate) -> list[str]:
    """The hypotheses of a proved statement that its proof does without; empty for any other verdict."""
    return unneeded(plain(certificate))


def dumps(data: Json) -> str:
    return json.dumps(data, sort_keys=True, ensure_ascii=True, separators=(",", ":")) + "\n"
