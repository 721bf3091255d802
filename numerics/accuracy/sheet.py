"""The accuracy sheet: the worst that a long search finds for every emitted kernel.

Every kernel is searched in parts with seeds of their own, so that the sheet is the same on any number of processes.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from zlib import crc32

from rich.markup import escape
from rich.table import Table

from numerics.accuracy.covariances import OfFields
from numerics.accuracy.criterion import Fast, Report, Twin, measure, merged
from numerics.accuracy.matrices import OfNetworks, measured
from numerics.accuracy.search import Region, conditions_region
from numerics.kernels import Entry, UnknownKernel, ball, index, kernel, nearest, numbers
from numerics.machine.progress import table as empty

BUDGET = 8_000  # evaluations per kernel
PARTS = 2  # searches per kernel that know nothing of each other
COSTLY = 40  # kernels with sums and of matrices get this many times fewer evaluations, each of which takes longer
LENGTHS = (2, 3)  # of the ranges of kernels with sums

KNOWN_GAPS: dict[str, str] = {
    "braun_2022:riccati": (
        "the formula is evaluated as it stands. Where modes have grown by very different factors, the smaller ones are "
        "lost in the roundings of the larger, and the inverse of M may not be found, from about exp(36) on; M is "
        "ill-conditioned too where large weights have more hidden units than modes. Elsewhere the roundings of the "
        "products add up to a ratio of one or two. `numerics.theory.deep_linear` evaluates the same solution mode by "
        "mode instead."
    ),
    "braun_2022:theorem_31": (
        "the equations are evaluated as printed. Early, terms of the size of the inverse of S_t cancel to the size of "
        "the inverse of S, so that digits are lost where S exceeds S_t, and more where U' U_t + V' V_t is nearly "
        "singular."
    ),
    "carrasco_davis_grant_2025:erf_I4": "searches from other seeds find ratios a little above one.",
    "van_rossem_saxe_2024:closed_form": (
        "where dh passes through zero, h and y touch zero, and the rounding of |dh| counts squared there."
    ),
}
"""Kernels that are known to miss the criterion somewhere, and why."""


def gap_of(subject: str) -> str | None:
    """Why a kernel misses the criterion, if it is known to; what lengths its ranges have does not matter."""
    return KNOWN_GAPS.get(subject.partition(" ")[0])


@dataclass(frozen=True)
class Subject:
    """A kernel to be measured, as functions of plain numbers."""

    id: str
    says: str
    arguments: tuple[str, ...]
    returns: tuple[str, ...]
    sizes: tuple[int, ...]
    domain: tuple[str, ...]
    fast: Fast
    twin: Twin
    region: Region
    costly: int = 1

    def evaluations(self, budget: int) -> int:
        return max(budget // self.costly, 1)

    def is_called(self, word: str) -> bool:
        """Check whether a user's word means this kernel: paper:name, a name alone or a paper's key."""
        plain = self.id.partition(" ")[0]
        return word in {self.id, plain, *plain.split(":")}


@cache
def subjects() -> dict[str, Subject]:
    """Every kernel of numbers, with sums for ranges of some lengths, and of matrices for networks of some shapes."""
    loops = (
        OfFields(entry, dict.fromkeys(_ranges(entry), n), f"{' = '.join(_ranges(entry))} = {n}")
        for entry in index().values()
        if entry.kind == "arrays"
        for n in LENGTHS
    )
    every = (*map(_of_numbers, numbers().values()), *map(_of_flat, loops), *map(_of_flat, measured()))
    return {subject.id: subject for subject in every}


def called(words: Sequence[str]) -> list[Subject]:
    """The kernels that a user's words mean, in the order of the index; all without a word."""
    every = list(subjects().values())
    for word in words:
        if not any(subject.is_called(word) for subject in every):
            known = {form for subject in every for form in (subject.id, *subject.id.partition(" ")[0].split(":"))}
            raise UnknownKernel(f"no kernel is called {word}{nearest(word, known)}")
    return [subject for subject in every if not words or any(map(subject.is_called, words))]


def _of_numbers(entry: Entry) -> Subject:
    return Subject(
        entry.id,
        entry.says,
        entry.arguments,
        entry.returns,
        (1,) * len(entry.returns),
        entry.domain,
        kernel(entry.id),
        ball(entry.id),
        conditions_region(entry.arguments, entry.domain),
    )


def _of_flat(flat: OfFields | OfNetworks) -> Subject:
    return Subject(
        f"{flat.entry.id} ({flat.which})",
        flat.entry.says,
        tuple(flat.arguments),
        flat.entry.returns,
        tuple(flat.sizes),
        flat.domain,
        flat.fast,
        flat.twin,
        flat.region,
        COSTLY,
    )


def _ranges(entry: Entry) -> list[str]:
    return list(dict.fromkeys(axis for value in entry.inputs for axis in value.axes))


# --- searching --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Search:
    """One part of the search for one kernel."""

    subject: str
    evaluations: int
    seed: int
    part: int

    def run(self) -> Report:
        subject = subjects()[self.subject]
        seeds = (self.seed, crc32(self.subject.encode()), self.part)
        return measure(subject.fast, subject.twin, subject.region, self.evaluations, seeds, sizes=subject.sizes)


def searches(subject: Subject, seed: int, budget: int) -> list[Search]:
    whole = subject.evaluations(budget)
    shares = [whole // PARTS + (part < whole % PARTS) for part in range(PARTS)]
    return [Search(subject.id, share, seed, part) for part, share in enumerate(shares) if share]


def searched(
    chosen: Sequence[Subject],
    seed: int,
    budget: int,
    workers: int = 1,
    *,
    done: Callable[[str, int], object] = lambda *_: None,
) -> dict[str, Report]:
    """Search every kernel; `done` is called after each part of a search with the kernel's name and the evaluations."""
    work = [search for subject in chosen for search in searches(subject, seed, budget)]
    looks: dict[str, list[Report]] = {}
    for search, report in zip(work, _reports(work, workers), strict=True):
        looks.setdefault(search.subject, []).append(report)
        done(search.subject, search.evaluations)
    return {name: merged(reports) for name, reports in looks.items()}


def _reports(work: Sequence[Search], workers: int) -> Iterator[Report]:
    if workers == 1 or len(work) == 1:
        yield from map(Search.run, work)
        return
    pool = ProcessPoolExecutor(min(workers, len(work)), multiprocessing.get_context("spawn"))
    try:
        yield from pool.map(Search.run, work)
    finally:
        pool.shutdown(cancel_futures=True)


# --- the screen -------------------------------------------------------------------------------------------------------


def _place(subject: Subject, point: Sequence[str]) -> str:
    return f"`{' '.join(f'{name}={x}' for name, x in zip(subject.arguments, point, strict=True))}`" if point else ""


def shown(ratio: float) -> str:
    return f"{ratio:.3g}"


def table(reports: dict[str, Report]) -> Table:
    """The largest ratios on the screen."""
    known, texts = subjects(), ("kernel", "output", "where")
    result = empty("accuracy: the largest ratio found, at most 1 within the criterion", texts, ("ratio", "evaluations"))
    for name, report in reports.items():
        for k, (output, worst) in enumerate(zip(known[name].returns, report.worst, strict=True)):
            colour = "green" if worst.ratio <= 1 else "yellow" if gap_of(name) else "bold red"
            first = (escape(name), str(report.evaluations)) if k == 0 else ("", "")
            where = _place(known[name], worst.point).strip("`") if worst.ratio > 1 else ""
            result.add_row(first[0], output, where, f"[{colour}]{shown(worst.ratio)}[/]", first[1])
        result.add_section()
    return result
