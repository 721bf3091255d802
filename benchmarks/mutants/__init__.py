"""Lies about the library: false variants of the code that holds mathematics, and what notices them.

Every mutant changes one place of one file. It is loaded in a process of its own, in which papers are imported and
judged anew: a claim with another verdict, another program than the committed one, a certificate that the checker
rejects, or a random instance that contradicts a verdict has noticed it. Claims that run the changed line come first.
What papers do not use has tests by name, which are run in the changed library; what nothing notices has survived.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Any, cast

from benchmarks.mutants.equivalent import ELSEWHERE, EQUIVALENT
from benchmarks.mutants.judge import CRASH, Noticed, Tried, judge, judge_by_tests
from benchmarks.mutants.mutations import Mutant, mutants, source
from benchmarks.mutants.processes import Ended, apart, file_of
from benchmarks.mutants.record import Run, runs
from derivations.text import DerivationError, did_you_mean

TWO_POINT, LINEAR, COMMITTEE = "van_rossem_saxe_2024", "braun_2022", "carrasco_davis_grant_2025"
VOUCHED: dict[str, tuple[str, ...]] = {
    "derivations.models.two_point.definitions": (TWO_POINT,),
    "derivations.models.two_layer_linear.definitions": (LINEAR,),
    "derivations.models.committee.definitions": (COMMITTEE,),
    "derivations.models.committee.averages": (COMMITTEE,),
    "derivations.language.averages.closed_forms": (COMMITTEE,),
    "derivations.language.averages.integrands": (COMMITTEE,),
    "derivations.prove.averages.derivation": (COMMITTEE,),
    "derivations.recheck.core.table.averages.lines": (COMMITTEE,),
    "derivations.recheck.core.table.averages.products": (COMMITTEE,),
    "derivations.language.words.calculus": (TWO_POINT, LINEAR),
    "derivations.language.sums": (COMMITTEE,),
    "derivations.language.terms": (TWO_POINT, COMMITTEE, LINEAR),
    "derivations.language.functions": (TWO_POINT, COMMITTEE, LINEAR),
    "derivations.kernels.lowering.operations": (TWO_POINT, COMMITTEE, LINEAR),
    "derivations.kernels.lowering.repeated": (TWO_POINT, COMMITTEE),
    "derivations.kernels.lowering.words": (LINEAR,),
    "derivations.kernels.lowering.sums": (COMMITTEE,),
    "derivations.kernels.lowering.loops": (COMMITTEE,),
}
"""The files for whose formulas the ledger vouches, and the papers whose claims rest on them."""

SOON = 4  # claims that are asked before the tests
FEW = 12  # mutants, for which it does not pay to write down what every claim runs


@dataclass(frozen=True)
class Fate:
    """The fate of one mutant: what noticed it first and what it said, or why there is nothing to be noticed."""

    mutant: Mutant
    noticed: Noticed | None
    same: str = ""

    @property
    def survived(self) -> bool:
        return self.noticed is None and not self.same


def chosen(modules: Sequence[str], share: float, seed: str) -> list[Mutant]:
    """A share of the mutants of some modules, by default of all for which the ledger vouches, drawn by a seed."""
    for module in modules:
        if module not in VOUCHED:
            raise DerivationError(
                f"the ledger vouches for no module {module}{did_you_mean(module, VOUCHED)}: choose one of "
                f"{', '.join(VOUCHED)}"
            )
    every = [mutant for module in modules or VOUCHED for mutant in mutants(module, file_of(module))]
    if share >= 1 or not every:
        return every
    kept = set(random.Random(seed).sample(range(len(every)), max(1, round(share * len(every)))))
    return [mutant for k, mutant in enumerate(every) if k in kept]


def fates(asked: Sequence[Mutant], jobs: int = 1, step: Callable[[Fate], None] | None = None) -> list[Fate]:
    """Return what notices each mutant, in `jobs` processes at a time; `step` is told of each that is done, in their
    order.
    """
    papers = {paper for mutant in asked for paper in VOUCHED[mutant.module]} if len(asked) > FEW else ()
    known, found = recorded(papers, jobs), []
    with ThreadPoolExecutor(jobs) as pool:
        for fate in pool.map(lambda mutant: fate_of(mutant, known), asked):
            found.append(fate)
            if step is not None:
                step(fate)
    return found


def summary(found: Sequence[Fate]) -> dict[str, Any]:
    """Return what became of some mutants, in the form that the page of what is trusted reads.

    >>> (mutant,) = chosen(["derivations.language.words.calculus"], 0.01, "")
    >>> told = summary([Fate(mutant, ("a test", "it fails")), Fate(mutant, None, "why"), Fate(mutant, None)])
    >>> told["mutants"], told["noticed"], told["same"], told["survived"] == [mutant.name]
    (3, {'a test': 1}, 1, True)
    """
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "mutants": len(found),
        "noticed": dict(Counter(fate.noticed[0] for fate in found if fate.noticed).most_common()),
        "same": sum(bool(fate.same) for fate in found),
        "survived": [fate.mutant.name for fate in found if fate.survived],
    }


def recorded(papers: Iterable[str], jobs: int = 1) -> list[Run]:
    """Return what the claims of some papers run, by which `fate_of` asks those first that can notice a mutant."""
    with ThreadPoolExecutor(jobs) as pool:
        return [run for own in pool.map(lambda paper: runs(paper, tuple(VOUCHED)), sorted(papers)) for run in own]


def fate_of(mutant: Mutant, known: Sequence[Run] = ()) -> Fate:
    """Return what notices a mutant: a few claims that run the changed line, then named tests, then anything else."""
    same, tests = EQUIVALENT.get(mutant.key, ""), ELSEWHERE.get(mutant.module, ())
    if same:
        return Fate(mutant, None, same)
    changed = {mutant.module: source(file_of(mutant.module), mutant.place)}
    likely, papers = _likely(mutant, known), () if known else VOUCHED[mutant.module]
    soon = SOON if any((mutant.module, mutant.line) in run.lines for run in known) else 0
    attempts: list[Callable[[], Noticed | None]] = [
        lambda: _by_claims(changed, likely[:soon]),
        lambda: _by_tests(changed, tests),
        lambda: _by_claims(changed, likely[soon:], papers),
    ]
    try:
        noticed = next(filter(None, (attempt() for attempt in attempts)), None)
    except Ended as how:
        noticed = (CRASH, str(how))
    return Fate(mutant, noticed)


def _by_claims(changed: Mapping[str, str], likely: Sequence[Tried], papers: Sequence[str] = ()) -> Noticed | None:
    """Ask some claims, or all that some papers say, whether they notice a change."""
    return cast("Noticed | None", apart(judge, changed, likely, papers)) if likely or papers else None


def _by_tests(changed: Mapping[str, str], tests: tuple[str, ...]) -> Noticed | None:
    """Ask the tests whether they notice a change, unless there are none, or they fail without it."""
    return None if not tests or _fail_anyway(tests) else cast("Noticed | None", apart(judge_by_tests, changed, tests))


@cache
def _fail_anyway(tests: tuple[str, ...]) -> bool:
    """Check whether tests fail in a library that nobody changed, so that they can notice nothing."""
    try:
        return apart(judge_by_tests, {}, tests) is not None
    except Ended:
        return True


def _likely(mutant: Mutant, known: Iterable[Run]) -> list[Tried]:
    """Return what runs the changed line, quickest first; a line that runs on import may change whatever uses its
    module.
    """
    line, module = (mutant.module, mutant.line), mutant.module
    own = [run for run in known if run.paper in VOUCHED[module]]
    chosen = [run for run in own if line in run.lines or line in run.imported]
    return [run.tried for run in sorted(chosen, key=lambda run: (line not in run.lines, run.seconds))]
