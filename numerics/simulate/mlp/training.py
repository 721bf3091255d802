"""Training: what is asked for is checked, the way to do it is chosen, and what went wrong is said."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numba import get_num_threads
from numpy.typing import NDArray

from numerics.labelled import Labelled
from numerics.machine.blas import one_thread
from numerics.machine.checkpoints import run
from numerics.machine.checks import callable_one, doubles, is_real, listed
from numerics.simulate.datasets import Dataset
from numerics.simulate.mlp import plain
from numerics.simulate.mlp.architecture import Architecture, Floats, Layer, MlpError, checked
from numerics.simulate.mlp.job import Job, Outcome, last_epoch
from numerics.simulate.mlp.weights import Networks, outcome_of, side_by_side

PRECISIONS: dict[str, type[np.floating]] = {"float32": np.float32, "float64": np.float64}
OPTIMISERS = ("sgd", "adam")
MOST_EPOCHS = 10**9  # whose losses have room in memory
TURNS, DISTANCE = 30, 1e-4  # of the iteration for the largest curvature; the length of a step to either side


@dataclass(frozen=True)
class Run(
    Labelled,
    axes={
        "losses": ("epoch",),
        "hidden": ("recorded_epoch", "point", "unit*"),
        "outputs": ("recorded_epoch", "point", "output"),
        "weights.weights": ("output*", "input*", "place*"),
        "weights.biases": ("output*",),
    },
    clock={"recorded": "recorded_epoch"},
):
    """The result of training a network; from the epoch at which it was given up it is nan, and `message` says why."""

    seed: int
    ended: int  # the last epoch, or the one at which it was given up
    losses: Floats  # epoch: before its step, and at the end
    recorded: NDArray[np.int64]  # epochs
    hidden: dict[int, Floats]  # layer, from 1: (record, point, unit)
    outputs: Floats  # (record, point, output)
    weights: tuple[Layer, ...]  # at the end, if they were to be kept; nan where the run was given up
    message: str  # "" is success


def train(
    architecture: Architecture,
    data: Dataset,
    *,
    eta: float,
    epochs: int,
    seed: int = 0,
    record: Iterable[int] = (),
    layers: Iterable[int] | None = None,
    until: float | None = None,
    optimiser: str = "sgd",
    batch: int | None = None,
    precision: str = "float64",
    start: Sequence[Layer] | None = None,
    threads: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    show: bool = False,
) -> Run:
    """Train one network on half the mean squared error, and record hidden layers and outputs at some epochs.

    `architecture` is the network; `data` has inputs (point, input) and targets (point, output); `threads` is how many
    work at once. Epoch 0 is the start, and the last one what `epochs`
    steps with the rate `eta` (or, with `batch`, passes through the data in shuffled batches) have made. `record` are
    epochs, and `layers` hidden layers from 1, of which the one halfway is recorded by default; records are of the
    network with all its units. `optimiser` is "sgd" or "adam", `precision` "float64" or "float32". `start` are weights
    to begin with instead of those that `seed` draws. A run that was interrupted goes on from its `folder` with the same
    bits. `show` draws a bar of progress.

    With `until`, the step from the first epoch whose loss is below it is the last one; losses and records of later
    epochs repeat those of the end. An epoch's loss is the one that its steps went by, masks and batches included.

    Returns a `Run`. One that diverges says in its `message` at which epoch, and which rates are stable at its start.
    Refused with `MlpError`: settings, data and weights that do not fit together.

    >>> from numerics.simulate.datasets import two_points
    >>> network = Architecture(hidden=1, units=4, activation="tanh")
    >>> run = train(network, two_points(), eta=0.1, epochs=200, record=[0, 200])
    >>> run.losses.shape, run.outputs.shape, run.hidden[1].shape, bool(run.losses[-1] < 0.1 * run.losses[0])
    ((201,), (2, 2, 1), (2, 2, 4), True)
    """
    job = _job(architecture, data, eta, epochs, seed, record, layers, until, optimiser, batch, precision, start)
    return _trained([job], threads, show, folder=folder)[0]


def train_many(
    architecture: Architecture,
    data: Dataset,
    *,
    eta: float,
    epochs: int,
    seeds: Iterable[int],
    record: Iterable[int] = (),
    layers: Iterable[int] | None = None,
    until: float | None = None,
    optimiser: str = "sgd",
    batch: int | None = None,
    precision: str = "float64",
    threads: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    weights: bool = True,
    show: bool = False,
    finished: Callable[[Run], object] = lambda _run: None,
) -> list[Run]:
    """Train one network for each of the `seeds`, side by side where they are small, and return a `Run` for each, in
    order.

    Each is what `train` makes of its seed, with the same arguments. With a `folder`, runs are kept there, as
    `numerics.machine.checkpoints` says: one that ended is not trained again by the next call, and one that was
    interrupted goes on with the same bits. Each run that this call trains is handed to `finished` when it ends, in no
    fixed order and from any thread. Without `weights`, those at the end are not kept, of which many large networks have
    more than anything else.

    >>> from numerics.simulate.datasets import xor
    >>> runs = train_many(Architecture(hidden=1, units=4), xor(), eta=0.1, epochs=3, seeds=[0, 1])
    >>> [run.seed for run in runs], [run.ended for run in runs]
    ([0, 1], [3, 3])
    """
    callable_one("finished", finished, MlpError)
    epochs_seen = listed("the epochs to record", record, MlpError)
    layers_seen = None if layers is None else listed("layers", layers, MlpError)
    jobs = [
        _job(architecture, data, eta, epochs, seed, epochs_seen, layers_seen, until, optimiser, batch, precision, None)
        for seed in listed("seeds", seeds, MlpError)
    ]
    return _trained(jobs, threads, show, folder=folder, weights=weights, finished=finished)


def stable_rate(architecture: Architecture, data: Dataset, layers: Sequence[Layer]) -> float:
    """2 over the largest curvature of the loss at these weights: longer steps leave a quadratic valley of that shape.

    `data` has inputs (point, input) and targets (point, output); `layers` are weights of the architecture. The
    curvature is found by an iteration of powers on differences of slopes, and does not see dropout. It is infinite
    where the loss is flat, and zero where the curvature is too large to be a number.

    >>> from numerics.simulate.datasets import Dataset
    >>> line, one = Architecture(hidden=1, units=1, activation="linear", biases=False), np.ones((1, 1))
    >>> round(stable_rate(line, Dataset(one, one), [Layer(one, np.zeros(1)), Layer(one, np.zeros(1))]), 6)
    1.0
    """
    job = _job(architecture, data, 1.0, 0, 0, (), None, None, "sgd", None, "float64", layers)
    return _stable_rate(architecture, Dataset(job.inputs, job.targets), job.start)


@one_thread()
def _stable_rate(architecture: Architecture, data: Dataset, layers: Sequence[Layer]) -> float:
    rng = np.random.default_rng(0)
    shapes = [part.shape for layer in layers for part in layer]
    ends = np.cumsum([part.size for layer in layers for part in layer])
    flat = np.concatenate([np.ravel(part).astype(np.float64) for layer in layers for part in layer])

    def slope(numbers: Floats) -> Floats:
        parts = [part.reshape(shape) for part, shape in zip(np.split(numbers, ends[:-1]), shapes, strict=True)]
        pairs = [Layer(*pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
        slopes = plain.slopes(architecture, pairs, data.inputs, data.targets)
        return np.concatenate([np.ravel(part) for layer in slopes for part in layer])

    direction, curvature = rng.standard_normal(flat.size), 0.0
    for _ in range(TURNS):
        direction /= np.linalg.norm(direction)
        turned = (slope(flat + DISTANCE * direction) - slope(flat - DISTANCE * direction)) / (2.0 * DISTANCE)
        curvature = float(np.linalg.norm(turned))
        if not 0.0 < curvature < np.inf:
            break
        direction = turned
    if not np.isfinite(curvature):
        return 0.0
    return 2.0 / curvature if curvature > 0.0 else np.inf


# --- runs -------------------------------------------------------------------------------------------------------------


def _trained(
    jobs: list[Job],
    threads: int | None,
    show: bool,
    *,
    folder: str | os.PathLike[str] | None = None,
    weights: bool = True,
    finished: Callable[[Run], object] = lambda _run: None,
) -> list[Run]:
    """Large networks one after the other, each by all threads; small ones side by side, one thread each."""
    count = get_num_threads() if threads is None else _whole("threads", threads, 1)
    if not jobs:
        return []
    side, team = (count, 1) if side_by_side(jobs[0]) else (1, count)
    by_seed = {job.seed: job for job in jobs}
    networks = Networks(by_seed, team, weights, lambda seed, found: finished(_run(by_seed[seed], found)))
    kept = run(networks, list(by_seed), folder=folder, threads=side, show=show)
    runs = {seed: _run(by_seed[seed], outcome_of(state)) for seed, state in zip(by_seed, kept, strict=True)}
    return [runs[job.seed] for job in jobs]


def _run(job: Job, outcome: Outcome) -> Run:
    hidden = dict(zip(job.layers, outcome.hidden, strict=True))
    gone = outcome.stopped >= 0
    ended, message = (outcome.stopped, _sentence(job, outcome)) if gone else (last_epoch(job, outcome.losses), "")
    return Run(job.seed, ended, outcome.losses, job.record_at, hidden, outcome.outputs, tuple(outcome.end), message)


def _sentence(job: Job, outcome: Outcome) -> str:
    with np.errstate(over="ignore", invalid="ignore"):
        bound = _stable_rate(job.architecture, Dataset(job.inputs, job.targets), job.start)
    if bound == 0.0:
        return f"the loss diverged at epoch {outcome.stopped}: data or weights are so large that no rate is stable"
    return (
        f"the loss diverged at epoch {outcome.stopped} with the rate {job.eta:g}: choose a smaller one (at the start, "
        f"gradient descent is stable below {bound:.3g}, and later the bound may be lower)"
    )


# --- what goes in -----------------------------------------------------------------------------------------------------


def _job(  # noqa: PLR0917
    architecture: Architecture,
    data: Dataset,
    eta: float,
    epochs: int,
    seed: int,
    record: Iterable[int],
    layers: Iterable[int] | None,
    until: float | None,
    optimiser: str,
    batch: int | None,
    precision: str,
    start: Sequence[Layer] | None,
) -> Job:
    if not isinstance(architecture, Architecture):
        raise MlpError(f"the architecture must be an Architecture, not {architecture!r}.")
    parts = listed("the data", data, MlpError)
    if len(parts) != 2:
        raise MlpError(f"the data must be inputs and targets, not {len(parts)} parts.")
    inputs, targets = (_matrix(name, values) for name, values in zip(("inputs", "targets"), parts, strict=True))
    if len(inputs) != len(targets):
        raise MlpError(f"there are {len(inputs)} inputs and {len(targets)} targets, but each point needs one of each.")
    if not (is_real(eta) and eta > 0):
        raise MlpError(f"the rate eta must be a positive number, not {eta}.")
    if until is not None and not (is_real(until) and until > 0):
        raise MlpError(f"the loss until which is trained must be a positive number, not {until}.")
    epochs, seed = _whole("epochs", epochs, 0), _whole("seed", seed, 0)
    batch = len(inputs) if batch is None else _whole("batch", batch, 1)
    if optimiser not in OPTIMISERS:
        raise MlpError(f"there is no optimiser {optimiser!r}; choose one of {', '.join(OPTIMISERS)}.")
    if precision not in tuple(PRECISIONS):
        raise MlpError(f"there is no precision {precision!r}; choose one of {', '.join(PRECISIONS)}.")
    sizes = inputs.shape[1], targets.shape[1]
    begin = architecture.start(*sizes, seed) if start is None else checked(architecture, start, *sizes)
    recorded = [architecture.halfway] if layers is None else listed("layers", layers, MlpError)
    for layer in recorded:
        if not 1 <= _whole("a layer", layer, 1) <= architecture.layers:
            raise MlpError(f"there is no hidden layer {layer}: they are counted from 1 to {architecture.layers}.")
    asked, adam = _epochs(record, epochs), optimiser == "adam"
    numbers = (eta, epochs, seed, asked, tuple(dict.fromkeys(recorded)), adam, batch, until or 0.0)
    return Job(architecture, begin, inputs, targets, *numbers, PRECISIONS[precision])


def _matrix(name: str, values: object) -> Floats:
    try:
        array = doubles(f"the {name}", values, MlpError, "a matrix of numbers, with a row for each point")
    except MlpError as mistake:
        raise MlpError(f"{mistake}.") from None
    if array.ndim != 2 or array.size == 0:
        raise MlpError(f"the {name} must be a matrix with a row for each point, but have shape {array.shape}.")
    if not np.isfinite(array).all():
        raise MlpError(f"the {name} have an entry that is not a finite number, in row {_first_bad(array)}.")
    return array


def _first_bad(array: Floats) -> int:
    return int(np.flatnonzero(~np.isfinite(array).all(axis=1))[0])


def _whole(name: str, value: object, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise MlpError(f"{name} must be a whole number of at least {least}, not {value!r}.")
    if name == "epochs" and value > MOST_EPOCHS:
        raise MlpError(f"epochs must be at most {MOST_EPOCHS}, not {value}.")
    return int(value)


def _epochs(record: Iterable[int], epochs: int) -> NDArray[np.int64]:
    asked = [_whole("an epoch to record", epoch, 0) for epoch in listed("the epochs to record", record, MlpError)]
    if any(later <= earlier for earlier, later in pairwise(asked)) or asked[-1:] > [epochs]:
        raise MlpError(f"the epochs to record must be whole numbers that increase, from 0 to {epochs}.")
    return np.array(asked, dtype=np.int64)
