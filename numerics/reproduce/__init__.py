"""Repeating figures: every panel computed, judged, drawn and kept, and none computed twice.

    done = reproduce(experiments("braun_2022"), Path("results"), quick=True)

The folder gets, for each panel, `PAPER/PANEL.png` and `.svg`, and the saved result; and for all panels that lie in it
`results.json`, which `derivations report --results` reads, and `RESULTS.md`. A panel whose result was saved with the
same configuration and seed is judged and drawn again, but not computed. Long runs are kept below `runs`, so that a
panel that was interrupted goes on and panels share them; those of panels that are done are removed at the end of a
call. A panel that needs what is not installed is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import perf_counter

from rich.markup import escape
from rich.progress import TaskProgressColumn, TimeRemainingColumn
from rich.table import Table

from numerics.files import could_put
from numerics.machine.blas import one_thread
from numerics.machine.checkpoints import discard
from numerics.machine.checks import callable_one, listed
from numerics.machine.progress import progress
from numerics.machine.progress import table as empty_table
from numerics.reproduce import results
from numerics.reproduce.experiments import Experiment, registry
from numerics.reproduce.experiments import papers as registered
from numerics.reproduce.figures import panels
from numerics.reproduce.figures.panel import LeftOut, Setting
from numerics.reproduce.figures.style import drawn
from numerics.reproduce.outcome import Outcome
from numerics.reproduce.page import page
from numerics.reproduce.results import Result, ResultError

PANELS, PAGE, RUNS = "results.json", "RESULTS.md", "runs"
Tell = Callable[[str, float], object]


def reproduce(
    selection: Sequence[Experiment],
    folder: Path,
    *,
    quick: bool = False,
    tell: Tell = lambda _name, _share: None,
    left_out: Callable[[str, str], object] = lambda _name, _why: None,
) -> list[Outcome]:
    """Compute, judge, draw and keep these panels below `folder`, and return an `Outcome` for each.

    `selection` has entries of `numerics.reproduce.experiments`; `quick` takes their smaller sizes. `tell` is told which
    panel is at work and the share of it that is done, and `left_out` which panels need what is not installed, and what
    to do about it. A panel that the folder has already is drawn again, but not computed. Refused with `ResultError`: a
    folder that cannot be written, and saved results that are damaged.

    >>> from numerics.reproduce.experiments import experiments
    >>> (outcome,) = reproduce(experiments("braun_2022:fig_3b"), Path("results"), quick=True)
    >>> outcome.verdict
    'reproduced'
    """
    selection = listed("the panels", selection, ResultError)
    if not all(isinstance(experiment, Experiment) for experiment in selection):
        raise ResultError("the panels must be experiments, as numerics.reproduce.experiments finds them")
    for name, function in (("tell", tell), ("left_out", left_out)):
        callable_one(name, function, ResultError)
    folder = _made(folder)
    done, shelves = [], set[Path]()
    everything = {experiment.id: kept(experiment, folder) for paper in registered() for experiment in registry(paper)}
    for experiment in selection:
        tell(experiment.id, 0.0)
        try:
            outcome = _one(experiment, folder, quick, lambda share, name=experiment.id: tell(name, share), shelves)  # type: ignore[misc]
        except LeftOut as needed:
            left_out(experiment.id, str(needed))
            tell(experiment.id, 1.0)
            continue
        for suffix, content in _shown(outcome).items():
            results.write(_picture(folder, experiment, suffix), content)
        everything[experiment.id] = outcome
        _collect(folder, [outcome for outcome in everything.values() if outcome is not None])
        done.append(outcome)
        tell(experiment.id, 1.0)
    _clear(folder, shelves)
    return done


def _made(given: str | Path) -> Path:
    """The folder, made, and seen to be one that can be written into, before anything is computed for it."""
    try:
        folder = Path(given)
        folder.mkdir(parents=True, exist_ok=True)
        could_put(folder / PANELS)
    except (OSError, ValueError, TypeError) as trouble:
        reason = trouble.strerror if isinstance(trouble, OSError) else str(trouble)
        raise ResultError(f"{given!s:.200} cannot be written into: {reason}; choose another folder") from None
    return folder


def _clear(folder: Path, shelves: Iterable[Path]) -> None:
    """Remove the runs of panels that are done, and the folder of runs if no others are in it."""
    for shelf in shelves:
        discard(shelf)
    with suppress(OSError):
        (folder / RUNS).rmdir()


def _one(
    experiment: Experiment, folder: Path, quick: bool, tell: Callable[[float], object], shelves: set[Path]
) -> Outcome:
    stem = _stem(folder, experiment)
    if results.found(stem) is not None:
        saved = results.load(stem)
        if _fits(saved, experiment, quick):
            return Outcome(experiment, saved, quick, anew=False)
    setting = Setting(experiment.configuration(quick=quick), experiment.seed, tell, folder / RUNS, shelves)
    begin = perf_counter()
    with one_thread():  # so that bits do not depend on how many there are
        data, measured = panels(experiment.paper)[experiment.name].compute(setting)
    seconds = round(perf_counter() - begin, 3)
    about = (experiment.id, experiment.digest(quick=quick), dict(setting.values), experiment.seed)
    result = Result(*about, measured, seconds, results.versions(), data)
    results.save(result, stem)
    return Outcome(experiment, result, quick)


def _fits(result: Result, experiment: Experiment, quick: bool) -> bool:
    """Whether a result has this configuration, and all that is judged now."""
    judged = {check.measure for check in experiment.checks}
    return result.digest == experiment.digest(quick=quick) and judged <= result.measured.keys()


def _shown(outcome: Outcome) -> dict[str, bytes]:
    """The pictures by suffix."""
    panel, data = outcome.panel, outcome.result.data
    return drawn(lambda figure: panel.draw(figure, data), panel.size)


def _stem(folder: Path, experiment: Experiment) -> Path:
    return folder / experiment.paper / experiment.name


def _picture(folder: Path, experiment: Experiment, suffix: str) -> Path:
    return folder / experiment.paper / f"{experiment.name}{suffix}"


# --- all that lies in a folder ----------------------------------------------------------------------------------------


def _collect(folder: Path, outcomes: Sequence[Outcome]) -> None:
    """Write the list and the page of all panels in the folder."""
    panels_of_folder = [
        {
            "id": outcome.experiment.id,
            "outcome": outcome.verdict,
            "sentence": outcome.sentence,
            "figure": _picture(folder, outcome.experiment, ".svg").relative_to(folder).as_posix(),
        }
        for outcome in outcomes
    ]
    results.write(
        folder / PANELS, (json.dumps({"panels": panels_of_folder}, indent=1, ensure_ascii=False) + "\n").encode()
    )
    results.write(folder / PAGE, page(outcomes).encode())


def kept(experiment: Experiment, folder: Path) -> Outcome | None:
    """What the folder has of a panel as the registry now configures it, whole and with its picture."""
    stem = _stem(folder, experiment)
    if results.found(stem) is None or not _picture(folder, experiment, ".svg").is_file():
        return None
    try:
        result = results.load(stem)
    except ResultError:  # said when this panel's turn comes
        return None
    for quick in (False, True):
        if _fits(result, experiment, quick):
            return Outcome(experiment, result, quick, anew=False)
    return None


# --- on the screen ----------------------------------------------------------------------------------------------------


@contextmanager
def shown(count: int) -> Iterator[Tell]:
    """A bar on standard error with the time that remains, which disappears at the end."""
    with progress(count, TaskProgressColumn(), TimeRemainingColumn()) as (bar, task):
        ended: set[str] = set()

        def tell(name: str, share: float) -> None:
            bar.update(task, completed=len(ended - {name}) + share, description=escape(name))
            if share >= 1.0:
                ended.add(name)

        yield tell


def table(outcomes: Sequence[Outcome], left_out: Mapping[str, str]) -> Table:
    """What came out of each panel, and how those differ that do; and why panels were left out."""
    result = empty_table("figures, repeated", ["panel", "outcome", "seconds", "how it differs, or why"])
    result.columns[2].justify = "right"
    for outcome in outcomes:
        differs = outcome.verdict == "differs"
        colour = "bold red" if outcome.unexpected else "yellow" if differs else "green"
        seconds = f"{outcome.result.seconds:.1f}" if outcome.anew else "kept"
        why = escape(outcome.sentence) if differs else ""
        result.add_row(escape(outcome.experiment.id), f"[{colour}]{outcome.verdict}[/]", seconds, why)
    for name, why in left_out.items():
        result.add_row(escape(name), "left out", "", escape(why))
    return result
