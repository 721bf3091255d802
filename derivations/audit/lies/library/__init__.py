"""Lies about the library itself: false variants of the code that holds mathematics, and what notices them.

Every mutant changes one place of one file. It is loaded in a process of its own, in which papers are imported and
judged anew: a claim with another verdict, a certificate that the checker rejects, or a random instance that contradicts
a verdict has noticed it. What nothing notices is listed, with the line where it stands.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from importlib.util import find_spec
from multiprocessing import get_context
from pathlib import Path

from derivations.audit.lies.library.equivalent import EQUIVALENT
from derivations.audit.lies.library.mutations import Mutant, mutants, source
from derivations.text import DerivationError, did_you_mean

TWO_POINT, LINEAR, COMMITTEE = "van_rossem_saxe_2024", "braun_2022", "carrasco_davis_grant_2025"
VOUCHED: dict[str, tuple[str, ...]] = {
    "derivations.models.two_point": (TWO_POINT,),
    "derivations.models.two_layer_linear": (LINEAR,),
    "derivations.models.committee": (COMMITTEE,),
    "derivations.models.committee.population": (COMMITTEE,),
    "derivations.language.averages.closed_forms": (COMMITTEE,),
    "derivations.language.averages.integrands": (COMMITTEE,),
    "derivations.language.averages.monomials": (COMMITTEE,),
    "derivations.prove.averages.derivation": (COMMITTEE,),
    "derivations.prove.averages.fields": (COMMITTEE,),
    "derivations.prove.averages.lemmas": (COMMITTEE,),
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

UNNOTICED = "nothing noticed it"


@dataclass(frozen=True)
class Fate:
    """What became of one mutant: what noticed it first, or nothing."""

    mutant: Mutant
    noticed: str

    @property
    def survived(self) -> bool:
        means_the_same = (self.mutant.module, self.mutant.text, self.mutant.what) in EQUIVALENT
        return self.noticed == UNNOTICED and not means_the_same


def chosen(modules: Sequence[str], share: float, seed: str) -> list[Mutant]:
    """A share of the mutants of some modules, by default of all for which the ledger vouches, drawn by a seed."""
    for module in modules:
        if module not in VOUCHED:
            raise DerivationError(
                f"the ledger vouches for no module {module}{did_you_mean(module, VOUCHED)}: choose one of "
                f"{', '.join(VOUCHED)}"
            )
    every = [mutant for module in modules or VOUCHED for mutant in mutants(module, _file(module))]
    if share >= 1 or not every:
        return every
    kept = set(random.Random(seed).sample(range(len(every)), max(1, round(share * len(every)))))
    return [mutant for k, mutant in enumerate(every) if k in kept]


def fates(asked: Sequence[Mutant], jobs: int = 1, step: Callable[[Fate], None] | None = None) -> list[Fate]:
    """What notices each mutant, in `jobs` processes; `step` is told of each that is done."""
    found: dict[str, Fate] = {}
    with ProcessPoolExecutor(jobs, mp_context=get_context("fork"), max_tasks_per_child=None) as pool:
        waiting = {pool.submit(_in_a_process_of_its_own, mutant): mutant for mutant in asked}
        for done in as_completed(waiting):
            mutant = waiting[done]
            found[mutant.name] = Fate(mutant, done.result())
            if step is not None:
                step(found[mutant.name])
    return [found[mutant.name] for mutant in asked]


def _file(module: str) -> Path:
    spec = find_spec(module)
    assert spec is not None
    return Path(str(spec.origin))


def _in_a_process_of_its_own(mutant: Mutant) -> str:
    """Judges a mutant in a fork of this process, so that its modules are loaded by nobody else."""
    from derivations.audit.lies.library.judge import judge

    context = get_context("fork")
    reader, writer = context.Pipe(duplex=False)
    text = source(_file(mutant.module), mutant.place)
    process = context.Process(target=judge, args=(mutant.module, text, VOUCHED[mutant.module], writer))
    process.start()
    writer.close()
    noticed = "it takes too long"
    try:
        if reader.poll(TOO_LONG):
            noticed = reader.recv()
    except EOFError:
        noticed = "it ends the process"
    process.kill()
    process.join()
    return noticed


TOO_LONG = 240  # seconds, after which a mutant counts as noticed
