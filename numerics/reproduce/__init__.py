"""Repeating figures: every panel computed, judged, drawn and kept, and none computed twice.

    done = reproduce(experiments("braun_2022"), Path("results"), quick=True)

The folder gets, for each panel, `PAPER/PANEL.png` and `.svg`, and the saved result; and for all panels that lie in it
`results.json`, which `derivations report --results` reads, and `RESULTS.md`. Panels are tasks, which are handed out to
processes or to workers of Dask as those of sweeps are (`numerics.machine.tasks`). A panel whose result was saved with
the same configuration and seed is judged and drawn again, but not computed. Long runs are kept below `runs`, so that a
panel that was interrupted goes on and panels share them; those of panels that are done are removed at the end of a
call. A panel that needs what is not installed is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from numerics.files import could_put
from numerics.machine.checkpoints import RunError, discard, turn
from numerics.machine.checks import callable_one, listed
from numerics.machine.progress import table as empty_table
from numerics.machine.progress import told
from numerics.machine.tasks import engine, finish, how_many
from numerics.reproduce import results
from numerics.reproduce.experiments import Experiment, registry
from numerics.reproduce.experiments import papers as registered
from numerics.reproduce.figures.panel import turn_of
from numerics.reproduce.outcome import Outcome
from numerics.reproduce.page import page
from numerics.reproduce.results import ResultError
from numerics.reproduce.work import RUNS, Panels, do, fits, needless, picture, stem, to_compute

PANELS, PAGE = "results.json", "RESULTS.md"
Tell = Callable[[str, float], object]


def reproduce(
    selection: Sequence[Experiment],
    folder: Path,
    *,
    quick: bool = False,
    workers: int | None = None,
    dask: object = None,
    tell: Tell = lambda _name, _share: None,
    left_out: Callable[[str, str], object] = lambda _name, _why: None,
) -> list[Outcome]:
    """Compute, judge, draw and keep these panels below `folder`, and return an `Outcome` for each.

    `selection` has entries of `numerics.reproduce.experiments`; `quick` takes their smaller sizes. `workers` processes
    work at once, by default one for each core; no more than there are panels to compute. With `dask` they are workers
    of Dask, as `numerics.sweep.sweep` takes them. The bits are the same for any of them. `tell` is told which panel is
    at work and the share of it that is done, by one thread at a time, and `left_out` which panels need what is not
    installed, and what to do about it. A panel that the folder has already is drawn again, but not computed. Refused
    with `ResultError`: a folder that cannot be written, saved results that are damaged, and panels that cannot be
    computed; those that were done before are kept.

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
    count = how_many(workers, ResultError)
    folder = _made(folder)
    everything = {experiment.id: kept(experiment, folder) for paper in registered() for experiment in registry(paper)}

    def collect(outcome: Outcome) -> None:
        everything[outcome.experiment.id] = outcome
        _collect(folder, [there for there in everything.values() if there is not None])

    work = Panels(selection, folder, quick, tell, left_out, collect)
    count = max(1, min(count, to_compute(selection, everything, quick)))
    with engine(do, count, dask, error=ResultError) as found:
        finish(work, found)
    _clear(folder, needless(folder, (outcome.experiment for outcome in work.outcomes.values())))
    return [work.outcomes[experiment.id] for experiment in selection if experiment.id in work.outcomes]


def _made(given: str | Path) -> Path:
    """The folder, made, and seen to be one that can be written into, before anything is computed for it."""
    try:
        folder = Path(given).absolute()  # of workers that run elsewhere, too
        folder.mkdir(parents=True, exist_ok=True)
        could_put(folder / PANELS)
    except (OSError, ValueError, TypeError) as trouble:
        reason = trouble.strerror if isinstance(trouble, OSError) else str(trouble)
        raise ResultError(f"{given!s:.200} cannot be written into: {reason}; choose another folder") from None
    return folder


def _clear(folder: Path, shelves: Iterable[Path]) -> None:
    """Remove the runs of panels that are done and that nobody uses, and the folder of runs if no others are in it."""
    for shelf in shelves:
        with suppress(RunError), turn(turn_of(shelf), wait=False):
            discard(shelf)
    with suppress(OSError):
        (folder / RUNS).rmdir()


# --- all that lies in a folder ----------------------------------------------------------------------------------------


def _collect(folder: Path, outcomes: Sequence[Outcome]) -> None:
    """Write the list and the page of all panels in the folder."""
    panels_of_folder = [
        {
            "id": outcome.experiment.id,
            "outcome": outcome.verdict,
            "sentence": outcome.sentence,
            "figure": picture(folder, outcome.experiment, ".svg").relative_to(folder).as_posix(),
        }
        for outcome in outcomes
    ]
    results.write(
        folder / PANELS, (json.dumps({"panels": panels_of_folder}, indent=1, ensure_ascii=False) + "\n").encode()
    )
    results.write(folder / PAGE, page(outcomes).encode())


def kept(experiment: Experiment, folder: Path) -> Outcome | None:
    """Return what the folder has of a panel as the registry now configures it, whole and with its picture."""
    name = stem(folder, experiment)
    if results.found(name) is None or not picture(folder, experiment, ".svg").is_file():
        return None
    try:
        result = results.load(name)
    except ResultError:  # said when this panel's turn comes
        return None
    for quick in (False, True):
        if fits(result, experiment, quick):
            return Outcome(experiment, result, quick, anew=False)
    return None


# --- on the screen ----------------------------------------------------------------------------------------------------


@contextmanager
def shown(count: int) -> Iterator[Tell]:
    """Progress on standard error with the time that remains."""
    shares: dict[str, float] = {}
    with told(count, True) as progress:

        def tell(name: str, share: float) -> None:
            shares[name] = share
            progress(sum(shares.values()), ", ".join(name for name, share in shares.items() if share < 1.0))

        yield tell


def table(outcomes: Sequence[Outcome], left_out: Mapping[str, str]) -> Table:
    """Return what came out of each panel, and how those differ that do; and why panels were left out."""
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
