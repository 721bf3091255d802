"""Panels as tasks: each is computed where a worker is free, drawn there, and kept in the folder.

    do("results", sent(experiment), experiment.digest(quick=True), True)

A worker is sent the whole entry of the registry, and nothing but how it went comes back: the result is saved in the
folder, under the address that configuration and seed give it. Whoever asks writes what is said of all panels.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from threading import Lock
from time import perf_counter
from typing import Any

from numerics import NumericsError
from numerics.machine.blas import one_thread
from numerics.machine.checkpoints import turn
from numerics.machine.tasks import Chunk
from numerics.machine.tasks.answers import Tell, silent
from numerics.reproduce import results
from numerics.reproduce.experiments import MNIST, Check, Experiment
from numerics.reproduce.figures import panels
from numerics.reproduce.figures.panel import SHELF, LeftOut, Setting, turn_of
from numerics.reproduce.figures.style import drawn
from numerics.reproduce.outcome import Outcome
from numerics.reproduce.results import Result, ResultError

RUNS = "runs"
Report = dict[str, Any]


def stem(folder: Path, experiment: Experiment) -> Path:
    """The name of a panel's files, without their suffixes."""
    return folder / experiment.paper / experiment.name


def picture(folder: Path, experiment: Experiment, suffix: str) -> Path:
    """The file that a panel is drawn into."""
    return folder / experiment.paper / f"{experiment.name}{suffix}"


def fits(result: Result, experiment: Experiment, quick: bool) -> bool:
    """Check whether a result has this configuration, and all that is judged now."""
    judged = {check.measure for check in experiment.checks}
    return result.digest == experiment.digest(quick=quick) and judged <= result.measured.keys()


# --- what a worker does -----------------------------------------------------------------------------------------------


def do(folder: str, panel: Mapping[str, Any], digest: str, quick: bool, tell: Tell = silent) -> Report:
    """Find or compute a panel, draw it, and tell how it went: whether it was computed, or why it is left out.

    One that somebody else computes meanwhile is waited for. Refused with `ResultError`, which names the panel: whatever
    goes wrong.
    """
    experiment, place = _received(panel), Path(folder)
    if experiment.digest(quick=quick) != digest:
        raise ResultError(f"{experiment.id} has another configuration where its worker runs: let {MNIST} be the same")
    setting = Setting(experiment.configuration(quick=quick), experiment.seed, tell, place / RUNS)
    try:
        with turn(turn_of(place / RUNS / f"{experiment.paper}-{experiment.name}")):
            result, anew = _found(experiment, place, quick, setting)
            shown = panels(experiment.paper)[experiment.name]
            for suffix, content in drawn(lambda figure: shown.draw(figure, result.data), shown.size).items():
                results.write(picture(place, experiment, suffix), content)
    except LeftOut as needed:
        return {"left_out": str(needed)}
    except NumericsError as trouble:
        raise ResultError(f"{experiment.id}: {trouble}") from trouble
    except Exception as trouble:
        what = " ".join(str(trouble).split())
        raise ResultError(f"{experiment.id} stopped: {type(trouble).__name__}: {what}") from trouble
    return {"anew": anew}


def _found(experiment: Experiment, folder: Path, quick: bool, setting: Setting) -> tuple[Result, bool]:
    """The result of a panel, and whether it was computed for that."""
    name = stem(folder, experiment)
    if results.found(name) is not None:
        saved = results.load(name)
        if fits(saved, experiment, quick):
            return saved, False
    begin = perf_counter()
    with one_thread():  # so that bits do not depend on how many there are
        data, measured = panels(experiment.paper)[experiment.name].compute(setting)
    seconds = round(perf_counter() - begin, 3)
    about = (experiment.id, experiment.digest(quick=quick), dict(setting.values), experiment.seed)
    result = Result(*about, measured, seconds, results.versions(), data)
    if setting.shelves:  # the runs are needed until the result is there, and then by nobody
        names = json.dumps(sorted(path.name for path in setting.shelves))
        results.write(_used(folder, experiment), names.encode())
    results.save(result, name)
    return result, True


def needless(folder: Path, done: Iterable[Experiment]) -> list[Path]:
    """The runs that panels asked for which are done, in this call or in one that was interrupted; told once."""
    paths: set[Path] = set()
    for note in (_used(folder, experiment) for experiment in done):
        with suppress(OSError, ValueError, TypeError):
            names = map(str, json.loads(note.read_text(encoding="utf-8")))
            paths |= {folder / RUNS / name for name in names if SHELF.fullmatch(name)}
            note.unlink()
    return sorted(paths)


def _used(folder: Path, experiment: Experiment) -> Path:
    """The note of the runs that a panel asked for."""
    return folder / RUNS / f"{experiment.paper}-{experiment.name}.json"


def sent(experiment: Experiment) -> dict[str, Any]:
    """An entry of a registry as values that JSON can hold."""
    return asdict(experiment)


def _received(panel: Mapping[str, Any]) -> Experiment:
    checks = tuple(Check(**check) for check in panel["checks"])
    return Experiment(**{**panel, "checks": checks, "chosen_here": tuple(panel["chosen_here"])})


# --- what is left to do -----------------------------------------------------------------------------------------------


class Panels:
    """Panels that are found or computed, each by itself, and what came out of them."""

    def __init__(  # noqa: PLR0917
        self,
        selection: Sequence[Experiment],
        folder: Path,
        quick: bool,
        tell: Callable[[str, float], object],
        left_out: Callable[[str, str], object],
        kept: Callable[[Outcome], object],
    ) -> None:
        self.all = {experiment.id: experiment for experiment in selection}
        if other := next((one for one in selection if self.all[one.id] != one), None):
            raise ResultError(f"two different panels are called {other.id}")
        self.folder, self.quick, self.told, self.left_out, self.kept = folder, quick, tell, left_out, kept
        self.left, self.lock = list(self.all.values()), Lock()
        self.outcomes = dict[str, Outcome]()

    def chunk(self, _workers: int) -> Chunk | None:
        if not self.left:
            return None
        one = self.left.pop(0)
        self._tell(one.id, 0.0)
        return Chunk((str(self.folder), sent(one), one.digest(quick=self.quick), self.quick), one.id)

    def tell(self, chunk: Chunk, share: float) -> None:
        self._tell(chunk.name, share)

    def ended(self, chunk: Chunk, found: Report) -> None:
        experiment = self.all[chunk.name]
        if "left_out" in found:
            self.left_out(experiment.id, found["left_out"])
        else:
            outcome = Outcome(experiment, results.load(stem(self.folder, experiment)), self.quick, found["anew"])
            self.outcomes[experiment.id] = outcome
            self.kept(outcome)
        self._tell(experiment.id, 1.0)

    def _tell(self, name: str, share: float) -> None:
        with self.lock:  # shares come in several threads
            self.told(name, share)


def to_compute(selection: Iterable[Experiment], there: Mapping[str, Outcome | None], quick: bool) -> int:
    """How many of these panels have no result there that fits."""
    digests = {name: outcome.result.digest for name, outcome in there.items() if outcome is not None}
    return len({one.id for one in selection if digests.get(one.id) != one.digest(quick=quick)})
