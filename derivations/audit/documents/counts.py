"""How many statements of a paper got which verdict, with what is refuted counted by class."""

from __future__ import annotations

from collections.abc import Iterable

from derivations.audit.errata import Errata
from derivations.audit.genealogy import Relations
from derivations.audit.verify import Report
from derivations.prove.certificate import Verdict

HEADS = (
    "source",
    "equations covered",
    "proved",
    "certified",
    "refuted as printed",
    "refuted by inheritance",
    "refuted in one reading only",
    "open",
)


def counts_table(reports: Iterable[Report]) -> str:
    """What each source got, as the README shows it, with links to the pages of the paper."""
    lines = [f"| {' | '.join(HEADS)} |", f"| --- |{' ---: |' * (len(HEADS) - 1)}"]
    lines += [f"| {' | '.join(_cells(report))} |" for report in reports]
    return "\n".join(lines) + "\n"


def _cells(report: Report) -> list[str]:
    paper, errata = report.paper, Errata(Relations(report))
    folder = f"docs/papers/{paper.key}"
    return [
        f"[{paper.title}]({folder}/findings.md)",
        f"{paper.numbered - len(paper.missing)} of {paper.numbered}",
        f"[{report.count(Verdict.PROVED)}]({folder}/claims.md)",
        str(report.count(Verdict.CERTIFIED)),
        f"[{errata.of_the_print}]({folder}/errata.md)",
        str(errata.inheriting),
        str(errata.in_a_reading),
        str(report.count(Verdict.OPEN)),
    ]
