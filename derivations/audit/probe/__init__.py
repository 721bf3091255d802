"""Random instances against verdicts: whatever was decided is confronted with numbers, by code that knows no proof.

    probe(paper, verify(paper).outcomes, count=5)     a Confrontation for every decided claim

A statement about numbers is evaluated with many digits at random points that satisfy its hypotheses; a solution of a
flow is compared with numerical integration, and what is said of trajectories with runs from random starts; a statement
about matrices or sums is evaluated in exact fractions at instances of the paper's models, where derivatives are speeds
of exact matrices and no rule of differentiation is used.
A proved statement that fails anywhere is a fault, and so is a witness at which a refuted statement holds.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any

import mpmath

from derivations.audit.probe import arrays, averages, courses, instances, matrices, scalars, trajectories
from derivations.audit.probe.numbers import DIGITS
from derivations.audit.probe.witnesses import is_no_witness
from derivations.audit.verify import Outcome, Report
from derivations.paper.model import Paper
from derivations.prove.certificate import Verdict

HOLDS = (Verdict.PROVED, Verdict.CERTIFIED)


@dataclass(frozen=True)
class Confrontation:
    """The meeting of one claim with instances: at how many instances each of its statements was met, and what
    contradicts it.
    """

    id: str
    statements: int
    met: int
    contradictions: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Check whether no instance could be drawn for any statement of the claim."""
        return self.met == 0


def probe(paper: Paper, outcomes: Iterable[Outcome], count: int = 5, seed: int = 0) -> list[Confrontation]:
    """Confront every decided claim of a paper with `count` instances of each of its statements.

    The paper's models draw instances; the same seed draws the same ones.

    >>> from derivations import library
    >>> from derivations.audit.verify import verify
    >>> paper = library()["van_rossem_saxe_2024"]
    >>> claims = [claim for claim in paper.claims if claim.name == "loss_of_the_difference"]
    >>> [(found.met > 0, found.contradictions) for found in probe(paper, verify(paper, claims).outcomes)]
    [(True, ())]
    """
    decided = [outcome for outcome in outcomes if outcome.verdict in (*HOLDS, Verdict.REFUTED)]
    with mpmath.workdps(DIGITS):
        return [_confronted(paper, outcome, count, seed) for outcome in decided]


def probe_together(
    reports: Sequence[Report], count: int, seed: int = 0, jobs: int = 1, step: Callable[[str], None] | None = None
) -> list[Confrontation]:
    """Confront the claims of several verified papers in `jobs` processes; `step` is told of each that is done."""
    work = [(report.paper, o) for report in reports for o in report.outcomes if o.verdict in (*HOLDS, Verdict.REFUTED)]
    _SHARED[:] = work
    found = []
    with ProcessPoolExecutor(min(jobs, len(work)) or 1, mp_context=get_context("fork")) as pool:
        for confrontation in pool.map(_shared, [(k, count, seed) for k in range(len(work))], chunksize=4):
            found.append(confrontation)
            if step is not None:
                step(confrontation.id)
    return found


_SHARED: list[tuple[Paper, Outcome]] = []  # what forked workers find; entries hold functions and cannot be sent


def _shared(asked: tuple[int, int, int]) -> Confrontation:
    index, count, seed = asked
    paper, outcome = _SHARED[index]
    return probe(paper, [outcome], count, seed)[0]


def _confronted(paper: Paper, outcome: Outcome, count: int, seed: int) -> Confrontation:
    assert outcome.certificate is not None
    name = outcome.entry.id
    certificates = list(elementary(outcome.certificate.as_json()))
    found = list(_observed(paper, outcome, count, seed))
    for number, certificate in enumerate(certificates):
        found += _tried(certificate, paper.models, count, random.Random(f"{name} {number} {seed}"))
    return Confrontation(name, len(certificates), len(found), tuple(trouble for trouble in found if trouble))


def _observed(paper: Paper, outcome: Outcome, count: int, seed: int) -> Iterator[str | None]:
    """Return what contradicts a claim about the model in simulated instances of the kinds that it speaks of."""
    for kinds, seen in paper.observations.get(outcome.entry.id, ()):
        for model in paper.models:
            for kind in [kind for kind in kinds if kind in model.KINDS]:
                held = [(k, seen(model.instance(kind, k))) for k in range(seed, seed + count)]
                if outcome.verdict is Verdict.REFUTED:
                    yield None if not all(holds for _, holds in held) else f"it holds in every {kind} instance"
                else:
                    yield from (None if holds else f"{kind} instance {k} does not show it" for k, holds in held)


def _tried(certificate: Any, models: Sequence[Any], count: int, rng: random.Random) -> Iterator[str | None]:
    """Return what contradicts one elementary certificate, at each instance."""
    statement, kind = certificate["statement"], certificate["statement"]["kind"]
    if certificate["verdict"] == "refuted" and kind not in ("limit", "solves", "trajectory"):
        trouble = is_no_witness(certificate)
        if trouble is not NotImplemented:
            yield trouble
        return
    tried: Iterator[str | None] = iter(())
    if kind in scalars.KINDS:
        tried = scalars.KINDS[kind](statement, rng, count, _scalars(models, count, rng))
        if kind == "solves":
            tried = chain(courses.follow(statement, models, rng, count), islice(tried, count))
            count *= 2
    elif kind in ("words", "loewner"):
        tried = matrices.confront(statement, instances.for_matrices(statement, models, count))
    elif kind == "trajectory":
        tried = trajectories.confront(statement, rng, count)
    elif kind == "average":
        tried = averages.confront(statement, rng, count)
    elif kind == "sums":
        tried = arrays.confront(statement, instances.for_arrays(statement, models, count))
    found = list(islice(tried, count))
    if certificate["verdict"] == "refuted":
        found = ["what is refuted holds at every instance"] if found and not any(found) else [None] * len(found)
    yield from found


def _scalars(models: Sequence[Any], count: int, rng: random.Random) -> list[dict[str, Any]]:
    """The scalars in which theories describe some instances of the models."""
    found = []
    for model in models:
        if not hasattr(model, "scalars"):
            continue
        kinds = list(model.KINDS)
        for _ in range(count):
            values = model.scalars(model.instance(rng.choice(kinds), rng.randrange(10**6)))
            found.append({name: mpmath.mpf(int(x.p)) / int(x.q) for name, x in values.items()})
    return found


def elementary(certificate: Any) -> Iterator[Any]:
    """The certificates inside a certificate that are about one statement each."""
    nested = [*_nested(certificate["payload"])]
    if not nested or certificate["statement"]["kind"] in LEAVES:
        yield certificate
        return
    for inner in nested:
        yield from elementary(inner)


LEAVES = frozenset(
    ("identity", "sign", "limit", "enclosure", "solves", "trajectory", "words", "loewner", "sums", "average")
)


def _nested(payload: Any) -> Iterator[Any]:
    """The certificates that stand anywhere in a payload, outermost first."""
    if isinstance(payload, dict):
        if {"statement", "verdict", "payload"} <= set(payload):
            yield payload
        else:
            for part in payload.values():
                yield from _nested(part)
    elif isinstance(payload, list | tuple):
        for part in payload:
            yield from _nested(part)
