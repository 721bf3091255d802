"""Running claims: every verdict computed, compared with what is expected, and every numbered equation accounted for."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from derivations.paper.model import Claim, Entry, Paper, PaperError
from derivations.prove.certificate import Certificate, Verdict


@dataclass(frozen=True)
class Outcome:
    """What became of one entry: its certificate, and each way in which it falls short, as sentences."""

    entry: Entry
    certificate: Certificate | None
    seconds: float
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def verdict(self) -> Verdict | None:
        return self.certificate.verdict if self.certificate else None


@dataclass
class Report:
    """A verified paper."""

    paper: Paper
    outcomes: list[Outcome] = field(default_factory=list)
    whole: bool = True

    @property
    def missing(self) -> list[int]:
        return self.paper.missing if self.whole else []

    @property
    def faults(self) -> list[str]:
        found = [f"{o.entry.id}: {f}" for o in self.outcomes for f in o.faults]
        found += [f"{self.paper.key}: Eq. {n} is covered by no definition, claim or experiment" for n in self.missing]
        return found + self._corrections() + self._formulas()

    def _corrections(self) -> list[str]:
        """Every refuted claim names a proved correction."""
        verdicts = {o.entry.id: o.verdict for o in self.outcomes}
        found = []
        for o in self.outcomes:
            if not isinstance(o.entry, Claim) or o.verdict is not Verdict.REFUTED:
                continue
            correction = o.entry.corrected_by
            if correction is None:
                found.append(f"{o.entry.id}: it is refuted, and corrected_by names no proved correction")
            elif correction not in self.paper_ids():
                found.append(f"{o.entry.id}: corrected_by names {correction}, which does not exist")
            elif correction in verdicts and verdicts[correction] not in (Verdict.PROVED, Verdict.CERTIFIED):
                found.append(f"{o.entry.id}: its correction {correction} is not proved")
        return found

    def _formulas(self) -> list[str]:
        """Every corrected formula reads as its expressions, and names an entry that is proved."""
        verdicts = {o.entry.id: o.verdict for o in self.outcomes}
        found = []
        for name, corrected in self.paper.corrections.items():
            if name not in verdicts:
                continue
            try:
                corrected.formula.notes()
            except ValueError as trouble:
                found.append(f"{name}: its corrected formula does not read as its expression: {trouble}")
            if corrected.by in verdicts and verdicts[corrected.by] not in (Verdict.PROVED, Verdict.CERTIFIED):
                found.append(f"{name}: its corrected formula rests on {corrected.by}, which is not proved")
        return found

    def paper_ids(self) -> set[str]:
        return {e.id for e in self.paper.entries.values()}

    def count(self, verdict: Verdict) -> int:
        return sum(o.verdict is verdict for o in self.outcomes)


def judge(entry: Entry) -> Outcome:
    """One entry: its transcription compared, its claim decided."""
    started = time.perf_counter()
    faults: list[str] = []
    notes: list[str] = []
    if entry.printed is not None:
        try:
            notes += entry.printed.notes()
        except ValueError as trouble:
            faults.append(f"its transcription does not read as its expression: {trouble}")
    certificate = None
    if isinstance(entry, Claim):
        certificate = _decided(entry)
        if certificate.verdict is not entry.expect:
            why = f" ({certificate.reason})" if certificate.reason else ""
            faults.append(f"expected {entry.expect.value}, found {certificate.verdict.value}{why}")
    return Outcome(entry, certificate, time.perf_counter() - started, tuple(faults), tuple(notes))


def _decided(claim: Claim) -> Certificate:
    """The claim's certificate; a mistake in its check is told with the claim's name."""
    try:
        return claim()
    except PaperError:
        raise
    except Exception as trouble:
        what = str(trouble) if isinstance(trouble, ValueError) else f"{type(trouble).__name__}: {trouble}"
        raise PaperError(f"the claim {claim.id} cannot be checked: {what}") from trouble


def verify(
    paper: Paper, entries: Iterable[Entry] | None = None, jobs: int = 1, step: Callable[[Outcome], None] | None = None
) -> Report:
    """All entries of a paper, or some of them; with several jobs, claims are decided in parallel."""
    chosen = list(paper.entries.values() if entries is None else entries)
    report = Report(paper, whole=entries is None)
    for outcome in _outcomes(chosen, jobs):
        report.outcomes.append(outcome)
        if step:
            step(outcome)
    return report


def _outcomes(entries: list[Entry], jobs: int) -> Iterator[Outcome]:
    if jobs <= 1:
        yield from map(judge, entries)
        return
    _SHARED[:] = entries
    import multiprocessing

    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork")) as pool:
        for entry, found in zip(entries, pool.map(_judge_shared, range(len(entries))), strict=True):
            certificate, seconds, faults, notes = found
            yield Outcome(entry, certificate, seconds, faults, notes)


_SHARED: list[Entry] = []  # what forked workers find; entries hold functions and cannot be sent


def _judge_shared(index: int) -> tuple[Certificate | None, float, tuple[str, ...], tuple[str, ...]]:
    outcome = judge(_SHARED[index])
    return outcome.certificate, outcome.seconds, outcome.faults, outcome.notes
