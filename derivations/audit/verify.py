"""Running claims: every verdict computed, compared with what is expected, and every numbered equation accounted for."""

from __future__ import annotations

import gc
import textwrap
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from itertools import islice
from multiprocessing import get_context

from derivations.audit.bonds import bond, is_empty, is_part_of, told
from derivations.audit.inheritance import inherited
from derivations.latex.formula import Formula
from derivations.latex.rules.recorded import record
from derivations.latex.tokens import ambiguous
from derivations.paper.entries import Claim, Entry
from derivations.paper.model import Paper
from derivations.paper.naming import PaperError
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.recheck.core.errors import Rejected
from derivations.recheck.reader.agree import ANOTHER_PART, UNSAID, WHOLE, is_judged
from derivations.text import DerivationError
from derivations.text.processes import cores

BEYOND = "Beyond"  # how the place of a statement begins that goes beyond its source
LONGEST_NOTE = 200  # characters
UNBOUND = (
    "its certificate does not speak of its printed formula: compare eq.left with eq.right as they were read,"
    " and give names on the left, such as da_dt for da/dt, their values in the meanings of the vocabulary"
)
NOTHING_SAID = (
    "its certificate does not speak of its printed formula: the statement equates a formula with itself, so nothing was"
    " judged: give what stands on the left a value that is derived, or make the equation a definition"
)
FEWER = "try again with fewer of them, e.g. --jobs 1"
Work = Sequence[tuple[Paper, list[Entry] | None]]


@dataclass(frozen=True)
class Outcome:
    """The outcome of one entry: its certificate, and each way in which it falls short, as sentences."""

    entry: Entry
    certificate: Certificate | None
    seconds: float
    faults: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    inherits: tuple[str, ...] = ()  # the refuted claims whose mistakes it takes as given
    is_broken: bool = False  # whether its check could not be carried out, which its only fault tells
    reading: Json | None = None  # what letters of its print mean, for the checker's reader, where it was asked
    of_corrected: tuple[str, ...] | None = ()  # how its corrected formula is read; None if its proof is of another one

    @property
    def verdict(self) -> Verdict | None:
        return self.certificate.verdict if self.certificate else None

    @property
    def told(self) -> list[str]:
        """Its faults with its id."""
        return [f"{self.entry.id}: {fault}" for fault in self.faults]


@dataclass(frozen=True)
class Report:
    """A verified paper."""

    paper: Paper
    outcomes: Sequence[Outcome] = ()
    whole: bool = True

    @property
    def missing(self) -> list[int]:
        return self.paper.missing if self.whole else []

    @cached_property
    def faults(self) -> list[str]:
        found = [fault for o in self.outcomes for fault in o.told]
        found += [f"{self.paper.key}: Eq. {n} is covered by no definition, claim or experiment" for n in self.missing]
        return found + self._corrections() + self._formulas() + self._needs()

    def _corrections(self) -> list[str]:
        """Every refuted claim names a proved correction, and every name is that of an entry."""
        verdicts, known = {o.entry.id: o.verdict for o in self.outcomes}, self.paper_ids()
        found = [
            f"{o.entry.id}: rests_on names {used}, which does not exist"
            for o in self.outcomes
            for used in o.entry.rests_on
            if used.startswith(f"{self.paper.key}:") and used not in known
        ]
        for o in self.outcomes:
            if not isinstance(o.entry, Claim):
                continue
            correction = o.entry.corrected_by
            if o.verdict is not Verdict.REFUTED and correction in (None, *known):
                continue
            if correction is None and o.entry.expect is not Verdict.REFUTED:
                continue  # that it is refuted at all is its fault
            if correction is None:
                found.append(f"{o.entry.id}: it is refuted, and corrected_by names no proved correction")
            elif correction not in known:
                found.append(f"{o.entry.id}: corrected_by names {correction}, which does not exist")
            elif correction in verdicts and verdicts[correction] not in (Verdict.PROVED, Verdict.CERTIFIED):
                found.append(f"{o.entry.id}: its correction {correction} is not proved")
        return found

    def _formulas(self) -> list[str]:
        """Every corrected formula reads as its expressions, and names an entry that is proved."""
        verdicts = {o.entry.id: o.verdict for o in self.outcomes}
        read = {o.entry.id: o.of_corrected for o in self.outcomes}
        found = []
        for name, corrected in self.paper.corrections.items():
            if name not in verdicts:
                continue
            try:
                corrected.formula.notes()
            except ValueError as trouble:
                found.append(f"{name}: its corrected formula does not read as its expression: {trouble}")
                continue
            if read[name] is None:
                found.append(f"{name}: its correction {corrected.by} shows nothing of its corrected formula")
            if corrected.by in verdicts and verdicts[corrected.by] not in (Verdict.PROVED, Verdict.CERTIFIED):
                found.append(f"{name}: its corrected formula rests on {corrected.by}, which is not proved")
        return found

    def _needs(self) -> list[str]:
        """A claim without one of its hypotheses states nothing that the claim does not."""
        known = {o.entry.id: o.certificate for o in self.outcomes}
        return [
            f"{o.entry.id}: it is refuted, and states something else than {o.entry.needed_by}"
            for o in self.outcomes
            if isinstance(o.entry, Claim) and o.entry.is_same and o.certificate is not None
            if (whole := known.get(o.entry.needed_by or ""))
            and not is_part_of(o.certificate.statement, whole.statement)
        ]

    def paper_ids(self) -> set[str]:
        return {e.id for e in self.paper.entries.values()}

    @property
    def judged(self) -> Report:
        """Return the same without claims whose checks could not be carried out."""
        return replace(self, outcomes=[o for o in self.outcomes if not o.is_broken])

    def count(self, verdict: Verdict) -> int:
        return sum(o.verdict is verdict for o in self.outcomes)


def judge(entry: Entry) -> Outcome:
    """One entry: its transcription compared, its claim decided."""
    started = time.perf_counter()
    faults: list[str] = []
    notes: list[str] = []
    if entry.printed is not None:
        try:
            notes += [*entry.printed.notes(), *entry.printed.told()]
        except ValueError as trouble:
            faults.append(f"its transcription does not read as its expression: {trouble}")
    certificate: Certificate | None = None
    mistakes: tuple[str, ...] = ()
    reading: Json | None = None
    if isinstance(entry, Claim):
        certificate, mistakes = _decided(entry), inherited(entry)
        unbound, told, reading = _bonds(entry, certificate)
        faults, notes = [*faults, *unbound], [*notes, *told]
        if certificate.verdict is not entry.expect:
            why = f" ({certificate.reason})" if certificate.reason else _what_to_leave_out(entry, certificate)
            faults.append(f"expected {entry.expect.value}, found {certificate.verdict.value}{why}")
    seconds, told_shortly = time.perf_counter() - started, tuple(map(_short, notes))
    return Outcome(entry, certificate, seconds, tuple(faults), told_shortly, mistakes, reading=reading)


def _what_to_leave_out(claim: Claim, certificate: Certificate) -> str:
    """Return what to do where a claim holds that should be refuted."""
    if claim.expect is not Verdict.REFUTED or certificate.verdict not in (Verdict.PROVED, Verdict.CERTIFIED):
        return ""
    if claim.needed_by:
        return f": {claim.needed_by} holds without this hypothesis, so leave it out of needs="
    return ": it is right, so leave out corrected= or corrected_by=" if claim.corrected_by else ""


def judging() -> Callable[[Entry], Verdict | None]:
    """A function that computes the verdict of an entry, and of each only once."""
    known: dict[str, Verdict | None] = {}

    def verdict_of(entry: Entry) -> Verdict | None:
        if entry.id not in known:
            known[entry.id] = judge(entry).verdict
        return known[entry.id]

    return verdict_of


def judge_or_tell(entry: Entry) -> Outcome:
    """One entry, as `judge` has it; a check that cannot be carried out becomes the fault of its entry.

    >>> from derivations import Paper
    >>> paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk", numbered=0)
    >>> broken = paper.claim("Section 1", name="broken", says="It divides by zero.")(lambda: 1 / 0)
    >>> judge_or_tell(broken).faults
    ('cannot be judged: ZeroDivisionError: division by zero',)
    """
    started = time.perf_counter()
    try:
        return judge(entry)
    except DerivationError as trouble:
        told = str(trouble).removeprefix(f"the claim {entry.id} ")
        return Outcome(entry, None, time.perf_counter() - started, (told,), is_broken=True)


def _short(note: str) -> str:
    """A note as a page has room for it; the certificate has every formula whole, but that of a left side."""
    return note if note.startswith(WHOLE) else textwrap.shorten(note, LONGEST_NOTE, placeholder=" [...]")


def _bonds(claim: Claim, certificate: Certificate) -> tuple[list[str], list[str], Json | None]:
    """Return what is missing between a claim's print and the statement that was judged, what is told, and how it was
    read.
    """
    if claim.printed is None:
        return [], [], None
    try:
        reading = record(claim.printed)
        notes, reason = _told(claim.printed, certificate, reading)
        other = notes is not None and not is_judged(reading, certificate.as_json())
    except (DerivationError, Rejected) as trouble:
        return [f"its printed formula has no meaning: {trouble}"], [], None
    except RecursionError:
        return ["its printed formula is too long, or nests too deeply: print it in smaller parts"], [], None
    if other:
        return [ANOTHER_PART], [], reading
    if certificate.verdict is Verdict.REFUTED and claim.printed.is_of_one_sign:
        return [str(ambiguous(claim.printed.latex, 0, "one sign"))], [], reading
    unbound = [] if notes is not None else [NOTHING_SAID if is_empty(certificate.statement) else UNBOUND + reason]
    return unbound, notes or [], reading


def _told(printed: Formula, certificate: Certificate, reading: Json) -> tuple[list[str] | None, str]:
    """Return what a page has to tell of a print, or why the certificate does not speak of it."""
    try:
        return told(printed, certificate.statement, reading), ""
    except Rejected as reason:
        return None, "" if str(reason).startswith(UNSAID) else f" ({reason})"


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
    paper: Paper, entries: Iterable[Entry] | None = None, jobs: int = 1, step: Callable[[Entry], None] | None = None
) -> Report:
    """Judge a paper, or some of its entries.

    `jobs` is the number of processes (0: one for each core), and `step` is told of every entry that is done. An entry
    whose check cannot be carried out raises PaperError.

    >>> from derivations import Paper, prove
    >>> paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk", numbered=1)
    >>> square = paper.claim("Eq. 1", name="square", says="2 * 2 is 4.")(lambda: prove.identity(2 * 2, 4))
    >>> report = verify(paper)
    >>> report.faults, report.outcomes[0].verdict.value
    ([], 'proved')
    """
    return verify_together([(paper, None if entries is None else list(entries))], jobs, step)[0]


def verify_together(
    work: Work,
    jobs: int = 1,
    step: Callable[[Entry], None] | None = None,
    judging: Callable[[Entry], Outcome] = judge,
) -> list[Report]:
    """Judge several papers, or entries of them (None: all), with one pool of `jobs` processes for everything.

    `judging` is `judge`, which raises at a check that cannot be carried out, or `judge_or_tell`, which goes on.

    The reports are the same for any number of processes, but for the times in them. With several processes, `step` is
    told of entries in the order in which they are done, from another thread.
    """
    chosen = [list(paper.entries.values()) if entries is None else entries for paper, entries in work]
    outcomes = _outcomes([e for entries in chosen for e in entries], jobs, step or (lambda _: None), judging)
    return [
        Report(paper, _with_corrections(paper, list(islice(outcomes, len(entries)))), whole=asked is None)
        for (paper, asked), entries in zip(work, chosen, strict=True)
    ]


def _with_corrections(paper: Paper, outcomes: list[Outcome]) -> list[Outcome]:
    """Outcomes with how their corrected formulas are read, where the proof of these was judged as well."""
    proofs = {o.entry.id: o.certificate for o in outcomes if isinstance(o.entry, Claim)}
    corrected = {o.entry.id: paper.corrections.get(o.entry.id) for o in outcomes}
    return [
        replace(o, of_corrected=_as_read(c.formula, proof))
        if (c := corrected[o.entry.id]) and (proof := proofs.get(c.by))
        else o
        for o in outcomes
    ]


def _as_read(formula: Formula, proof: Certificate) -> tuple[str, ...] | None:
    """Return what pages tell of a corrected formula; None where its proof does not speak of it."""
    try:
        told = bond(formula, proof.statement)
        return None if told is None else tuple(map(_short, [*formula.notes(), *formula.told(), *told]))
    except ValueError:
        return ()  # that it cannot be read is a fault of its own


def _outcomes(
    entries: list[Entry], jobs: int, step: Callable[[Entry], None], judging: Callable[[Entry], Outcome]
) -> Iterator[Outcome]:
    jobs = min(jobs or cores(), len(entries))
    if jobs <= 1:
        for entry in entries:
            yield judging(entry)
            step(entry)
        return
    _SHARED[:] = entries
    import_module("scipy.optimize")  # here once, and not in every process
    order = sorted(range(len(entries)), key=lambda k: _ease(entries[k]))
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("fork"), initializer=gc.freeze)
    try:
        found = {k: pool.submit(_judge_shared, k, judging) for k in order}
        for k, future in found.items():
            future.add_done_callback(lambda _, entry=entries[k]: step(entry))  # type: ignore[misc]
        for k, entry in enumerate(entries):
            yield replace(found.pop(k).result(), entry=entry)
    except BrokenProcessPool:
        raise PaperError(f"a process that judged claims was ended from outside: {FEWER}") from None
    finally:
        pool.shutdown(cancel_futures=True)


def _ease(entry: Entry) -> tuple[bool, bool]:
    """Emitted formulas and what goes beyond a source take longest: begun first, they keep nobody waiting."""
    place = "; ".join(entry.where)
    return "emitted" not in place, not place.startswith(BEYOND)


_NONE = Entry("", "", "", (), "")
_SHARED: list[Entry] = []  # what forked workers find; entries hold functions and cannot be sent


def _judge_shared(index: int, judging: Callable[[Entry], Outcome]) -> Outcome:
    """Return what became of an entry, without the entry itself: its functions cannot be sent."""
    return replace(judging(_SHARED[index]), entry=_NONE)
