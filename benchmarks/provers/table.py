"""The answers of provers to the lists, counted: one row for each list, half and prover."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from benchmarks.provers.race import PROVERS, Run


@dataclass(frozen=True)
class Row:
    """How many statements of one half of a list one prover decided, and in what time of the processor."""

    list: str
    half: str
    prover: str
    decided: int
    wrong: int
    undecided: int
    median_seconds: float
    most_seconds: float

    @property
    def statements(self) -> int:
        return self.decided + self.wrong + self.undecided


def rows(runs: Iterable[Run]) -> list[Row]:
    """The counts of every list, half and prover, and of all together."""
    found: dict[tuple[str, str, str], list[Run]] = {}
    for run in runs:
        found.setdefault((run.entry.list, run.entry.half, run.prover), []).append(run)
        found.setdefault(("all", "", run.prover), []).append(run)
    order = [*PROVERS]
    return [_row(*key, found[key]) for key in sorted(found, key=lambda k: (k[0] == "all", *k[:2], order.index(k[2])))]


def _row(name: str, half: str, prover: str, runs: Sequence[Run]) -> Row:
    seconds = [run.seconds for run in runs]
    decided, wrong = sum(run.is_decided for run in runs), sum(run.is_wrong for run in runs)
    undecided = len(runs) - decided - wrong
    return Row(name, half, prover, decided, wrong, undecided, round(median(seconds), 3), round(max(seconds), 3))


def as_json(runs: Sequence[Run], seconds: float) -> dict[str, Any]:
    """The rows, and every run on a statement that is not held out."""
    return {
        "seconds_allowed": seconds,
        "rows": [vars(row) for row in rows(runs)],
        "runs": [_run(run) for run in sorted(runs, key=lambda r: (r.entry.id, r.prover)) if run.entry.half == "open"],
    }


def _run(run: Run) -> dict[str, Any]:
    found = {"id": run.entry.id, "statement": run.entry.statement.text, "prover": run.prover}
    fate = "wrong" if run.is_wrong else "decided" if run.is_decided else "undecided"
    return {**found, "fate": fate, "how": run.answer.how, "seconds": round(run.seconds, 3)}
