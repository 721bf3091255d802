"""How many statements of a paper got which verdict, with what is refuted counted by class."""

from __future__ import annotations

from collections.abc import Iterable

from derivations.audit.errata import Errata
from derivations.audit.genealogy import Relations
from derivations.audit.verify import Report
from derivations.prove.certificate import Verdict


def counts(relations: Relations) -> dict[str, int]:
    """The verdicts of a paper's claims; what is refuted counts in three classes, which no total mixes."""
    report, errata = relations.report, Errata(relations)
    return {
        "proved": report.count(Verdict.PROVED),
        "certified": report.count(Verdict.CERTIFIED),
        "refuted as printed": errata.of_the_print,
        "refuted by inheritance": errata.inheriting,
        "refuted in one reading only": errata.in_a_reading,
        "argued": report.count(Verdict.ARGUED),
        "open": report.count(Verdict.OPEN),
    }


PAGES = {"proved": "claims", "refuted as printed": "errata"}


def counts_table(reports: Iterable[Report]) -> str:
    """What each source got, as the README shows it, with links to the pages of the paper."""
    rows = [(report, counts(Relations(report))) for report in reports]
    heads = ["source", "equations covered", *(rows[0][1] if rows else ())]
    lines = [f"| {' | '.join(heads)} |", f"| --- |{' ---: |' * (len(heads) - 1)}"]
    lines += [f"| {' | '.join(_cells(report, found))} |" for report, found in rows]
    return "\n".join(lines) + "\n"


def _cells(report: Report, found: dict[str, int]) -> list[str]:
    paper = report.paper
    folder = f"docs/papers/{paper.key}"
    linked = [f"[{n}]({folder}/{PAGES[head]}.md)" if head in PAGES else str(n) for head, n in found.items()]
    covered = f"{paper.numbered - len(paper.missing)} of {paper.numbered}" if paper.numbered else "none has a number"
    return [f"[{paper.title}]({folder}/findings.md)", covered, *linked]
