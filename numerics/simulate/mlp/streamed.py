"""The way for few points: weights stream from memory through the processor, and as seldom as can be.

Each epoch goes forward from the first layer to the last and back again, so that the layers touched last are still in
the caches when their turn comes again. A team of threads trains one network: each keeps its rows of every layer, and
they meet after each layer. Sums over rows have one order for any number of threads, so that the bits are the same.

Who meets has to wait, for milliseconds where another process has a core, which is longer than an epoch takes. So one
thread goes on alone while it is faster than the team: both are measured, and from time to time again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.machine.activations.smooth import BENT, ELU, SWISH, TANH
from numerics.machine.checkpoints import State
from numerics.machine.lanes.registers import WIDE as REGISTERS
from numerics.machine.lanes.registers import registers
from numerics.machine.lanes.rooms import aligned
from numerics.machine.specialise import source, specialise
from numerics.simulate.mlp.architecture import Floats, Layer
from numerics.simulate.mlp.chance import masks
from numerics.simulate.mlp.job import NEXT, STOPPED, Job, Outcome, blank, given_up, last_epoch, outcome
from numerics.simulate.mlp.kernel import PARTS
from numerics.simulate.mlp.panels import BETA_1, BETA_2

WIDE = registers() == REGISTERS
BYTES, SUMS = (64, 16) if WIDE else (32, 8)  # of a vector; numbers that are summed side by side
SMOOTH = "numerics.machine.activations.smooth"
KERNEL = (SMOOTH, *(f"numerics.simulate.mlp.{part}" for part in ("panels", "kernel")))
SIZES = (2, 4, 8)  # numbers of points that there is compiled code for; fewer are filled up with zeros
MOST = SIZES[-1]
SLICE = 0.2  # seconds after which a team reports
AGAIN, LONGEST = 8, 64  # slices, after which what was slower is tried again; the trial is AGAIN times shorter
WARM = 3  # the slice from which on one thread's time is known: in its first one the weights come from memory
FEWEST = 4  # epochs of a trial, if a slice has as many: in its first one a team waits until its threads are awake
KINDS = {"elu": ELU, "tanh": TANH, "swish": SWISH}  # the others bend at 0
BELOW = {"leaky_relu": 0.01, "linear": 1.0}  # slopes of those for negative numbers, if not 0


class Place(NamedTuple):
    """Where the numbers of a layer are; `descend` knows these columns by their order."""

    weights: int
    panels: int
    vectors: int  # of a row
    inputs: int
    stride: int  # from row to row, and from the inputs of a point to those of the next
    outputs: int
    wide: int  # the stride of the outputs
    slopes: int
    gradients: int
    deltas: int
    units: int
    masks: int  # where a row of masks has those of the layer, behind the inputs


@dataclass(frozen=True)
class Plan:
    """Where everything is in the two arrays that a team works on."""

    points: int
    places: tuple[Place, ...]
    weights: int  # numbers in the array of weights
    state: int  # and in the other one
    targets: int
    shares: int
    spare: int  # room for the shares of one layer

    @property
    def rows(self) -> int:
        return SUMS // self.points

    @property
    def table(self) -> NDArray[np.int64]:
        return np.array(self.places, dtype=np.int64)


def plan(job: Job) -> Plan:
    """Rows are filled up to whole vectors, of which the first column left over is that of the biases."""
    points = _options(job)["POINTS"]
    lanes, rows = BYTES // np.dtype(job.dtype).itemsize, SUMS // points
    widths = [job.inputs.shape[1], *(len(layer.biases) for layer in job.start)]
    panels = [-(-width // rows) for width in widths]
    strides = [lanes * -(-max(w + 1, p * rows) // lanes) for w, p in zip(widths, panels, strict=True)]
    used, weights = strides[0] * points, 0
    inputs, masks, places = 0, used, []
    for count, units, stride, wide in zip(panels[1:], widths[1:], strides, strides[1:], strict=False):
        slopes = used + points * wide
        size = lanes * -(-count * SUMS // lanes)
        columns = (weights, count, stride // lanes, inputs, stride, used, wide)
        places.append(Place(*columns, slopes, slopes + size, slopes + 2 * size, units, masks))
        masks += count * SUMS
        inputs, used = used, slopes + 3 * size
        weights += count * rows * stride
    shares = used + 2 * places[-1].panels * SUMS
    shares = lanes * -(-shares // lanes)
    spare = PARTS * points * max(strides)
    return Plan(points, tuple(places), weights, shares + 2 * spare, used, shares, spare)


class Pace:
    """The choice of a whole team or one thread for the next slice: whichever had faster epochs the last time."""

    def __init__(self, team: int) -> None:
        self.team, self.seconds = team, dict[int, float]()  # of an epoch, by the number of threads
        self.slices, self.patience, self.trial = 0, AGAIN, AGAIN  # the slice in which the slower one is tried again

    def turn(self, epochs: int) -> tuple[int, int]:
        """How many threads do the next slice, and how many epochs it has."""
        self.slices += 1
        short = min(epochs, max(FEWEST, epochs // AGAIN))
        if self.team == 1 or self.slices < WARM:
            return 1, epochs
        if self.team not in self.seconds:
            return self.team, short
        faster, slower = self._order()
        return (faster, epochs) if self.slices < self.trial else (slower, short)

    def took(self, threads: int, seconds: float, epochs: int) -> None:
        """Remember how long a slice took; who is still the slower one waits twice as long for the next trial."""
        tried = len(self.seconds) == 2 and threads == self._order()[1]
        self.seconds[threads] = seconds / epochs
        if tried:
            self.patience = AGAIN if threads == self._order()[0] else min(2 * self.patience, LONGEST)
            self.trial = self.slices + self.patience

    def _order(self) -> list[int]:
        """Numbers of threads, the faster one first."""
        return sorted(self.seconds, key=self.seconds.__getitem__)


class Streamed:
    """One network, trained by a team of threads."""

    def __init__(self, job: Job, threads: int) -> None:
        self.job, self.layout, self.pace = job, plan(job), Pace(max(1, min(threads, PARTS)))
        self.room = aligned(self.layout.state, job.dtype)
        _filled(self.room, self.layout, job)
        self.step = FEWEST  # epochs of the next slice

    def begin(self) -> State:
        """The weights at the start in the order in which they stream, and what Adam remembers of slopes."""
        job, layout = self.job, self.layout
        state, units = blank(job), max(place.units for place in layout.places)
        weights = aligned(layout.weights, job.dtype)
        for place, layer in zip(layout.places, job.start, strict=True):
            _pack(weights, layout, place, layer)
        hidden = [state.pop(f"hidden_{k}") for k in range(len(job.layers))]
        state["hidden"] = np.full((job.record_at.size, len(hidden), len(job.inputs), units), np.nan, dtype=job.dtype)
        return {**state, "weights": weights, "moments": np.zeros(2 * layout.weights * job.adam, dtype=job.dtype)}

    def advance(self, state: State) -> bool:
        """Train for a slice of epochs."""
        first, losses = int(state["at"][NEXT]), state["losses"]
        threads, epochs = self.pace.turn(self.step)
        end, begin = min(first + epochs, self.job.epochs + 1), perf_counter()
        self._descend(state, first, end, threads)
        spent = max(perf_counter() - begin, 1e-6)
        self.pace.took(threads, spent, end - first)
        last = last_epoch(self.job, losses[:end])
        end = min(end, last + 1)
        state["at"][:] = end, given_up(self.job, losses, first, end)
        self.step = max(1, int(epochs * min(2.0, SLICE / spent)))  # what a trial said may have been chance
        return end > last or bool(state["at"][STOPPED] >= 0)

    def outcome(self, state: State) -> Outcome:
        """Return the losses and the weights of a state, as they were asked for."""
        job, places = self.job, self.layout.places
        end = _unpacked(self.layout, state["weights"], job.start)
        hidden = [state["hidden"][:, k, :, : places[layer - 1].units] for k, layer in enumerate(job.layers)]
        return outcome(job, state, hidden, end)

    def _descend(self, state: State, first: int, end: int, threads: int) -> None:
        """Epochs from `first` to before `end`, by so many threads."""
        job, layout, kind = self.job, self.layout, self.job.architecture.activation
        state["weights"] = in_line(state["weights"])
        bends = np.array([1.0, BELOW.get(kind, 0.0)], dtype=job.dtype)
        arguments = (
            *(first, end, job.epochs, job.until),
            *(layout.table, KINDS.get(kind, BENT), bends, float(job.architecture.biases), job.architecture.skip),
            *(state["weights"], state["moments"], self.room, layout.targets, layout.shares, layout.spare),
            *(
                _scales(job, first, end),
                _masks(job, layout, first, end),
                state["losses"],
                job.record_at,
                np.array(job.layers, dtype=np.int64) - 1,
            ),
            *(state["hidden"], state["outputs"], np.zeros(8, dtype=np.int64)),
        )
        _together(_descend(**_options(job)), arguments, threads)


def _together(descend: Callable[..., None], arguments: Sequence[Any], team: int) -> None:
    """Let each thread of a team do its share."""
    with ThreadPoolExecutor(max(1, team - 1)) as pool:  # whose threads begin when they are needed
        others = [pool.submit(descend, thread, team, *arguments) for thread in range(1, team)]
        descend(0, team, *arguments)
        for other in others:
            other.result()


def _scales(job: Job, first: int, end: int) -> Floats:
    """Two numbers for each epoch: minus the length of a step, and what the root of Adam's mean square is scaled by."""
    scales = np.empty((end - first, 2))
    scales[:] = -job.eta, 1.0
    if job.adam:
        steps = np.arange(first + 1, end + 1)
        scales[:, 0] /= 1.0 - BETA_1**steps
        scales[:, 1] /= np.sqrt(1.0 - BETA_2**steps)
    return scales.astype(job.dtype).ravel()


def _masks(job: Job, layout: Plan, first: int, end: int) -> Floats:
    """A row for each epoch: the inputs that are left, and what the units of each layer are multiplied by.

    The last row has the inputs as they are. No row: nothing is left out.
    """
    places, points, count = layout.places, layout.points, len(job.inputs)
    if not job.architecture.dropout:
        return np.zeros((0, 0), dtype=job.dtype)
    entrance, *others = masks(job, range(first, end))
    rows = np.zeros((end - first + 1, places[-1].masks), dtype=job.dtype)
    inputs = rows[:, : places[0].masks].reshape(end - first + 1, points, places[0].stride)
    inputs[:, :count, : job.inputs.shape[1]] = job.inputs
    inputs[:-1, :count, : job.inputs.shape[1]] *= entrance
    inputs[:, :, job.inputs.shape[1]] = float(job.architecture.biases)
    for place, mask in zip(places, others, strict=False):
        padded = np.ones((end - first, points, place.panels * layout.rows), dtype=job.dtype)  # also that of biases
        padded[:, :count, : place.units] = mask
        cut = padded.reshape(end - first, points, place.panels, layout.rows).swapaxes(1, 2)
        rows[:-1, place.masks : place.masks + place.panels * SUMS] = cut.reshape(end - first, -1)
    return rows


def program(job: Job) -> str:
    """A digest of the code that trains a network."""
    return sha256(source(KERNEL, _options(job)).encode()).hexdigest()


def _options(job: Job) -> dict[str, int]:
    points = next(size for size in SIZES if size >= len(job.inputs))
    bits = np.dtype(job.dtype).itemsize * 8
    return {"BITS": bits, "POINTS": points, "SUMS": SUMS, "BYTES": BYTES, "ADAM": int(job.adam)}


@cache
def _descend(**options: int) -> Callable[..., None]:
    return specialise("descend", KERNEL, options)


# --- numbers in their places ------------------------------------------------------------------------------------------


def in_line(values: Floats) -> Floats:
    """These numbers where a vector register would begin, as those that come from a file may not."""
    if values.ctypes.data % BYTES == 0:
        return values
    moved = aligned(values.size, values.dtype.type)
    moved[:] = values
    return moved


def _filled(state: Floats, layout: Plan, job: Job) -> None:
    """Inputs, targets, and the weights of errors."""
    first, last = layout.places[0], layout.places[-1]
    count, width = job.inputs.shape
    inputs = state[: layout.points * first.stride].reshape(layout.points, first.stride)
    inputs[:count, :width] = job.inputs
    inputs[:, width] = float(job.architecture.biases)
    size = last.panels * SUMS
    for at, values in ((layout.targets, job.targets), (layout.targets + size, np.full_like(job.targets, 1.0 / count))):
        padded = np.zeros((layout.points, last.panels * layout.rows))
        padded[:count, : last.units] = values
        state[at : at + size] = padded.reshape(layout.points, last.panels, layout.rows).swapaxes(0, 1).ravel()


def _span(layout: Plan, place: Place) -> slice:
    return slice(place.weights, place.weights + place.panels * layout.rows * place.stride)


def _pack(weights: Floats, layout: Plan, place: Place, layer: Layer) -> None:
    """Write weights, and beside them biases, in the order in which they stream."""
    rows, columns = layer.weights.shape
    padded = np.zeros((place.panels * layout.rows, place.stride), dtype=weights.dtype)
    padded[:rows, :columns], padded[:rows, columns] = layer.weights, layer.biases
    cut = padded.reshape(place.panels, layout.rows, place.vectors, -1)
    weights[_span(layout, place)].reshape(place.panels, place.vectors, layout.rows, -1)[:] = cut.swapaxes(1, 2)


def _unpacked(layout: Plan, weights: Floats, like: Sequence[Layer]) -> list[Layer]:
    """Layers of these shapes, all in one block of memory: the system hands out a large one faster than many."""
    shapes = [part.shape for layer in like for part in layer]
    ends = np.cumsum([part.size for layer in like for part in layer])
    blocks = np.split(np.empty(ends[-1], dtype=weights.dtype), ends[:-1])
    parts = [block.reshape(shape) for block, shape in zip(blocks, shapes, strict=True)]
    layers = [Layer(*pair) for pair in zip(parts[::2], parts[1::2], strict=True)]
    for place, layer in zip(layout.places, layers, strict=True):
        rows, columns = layer.weights.shape
        cut = weights[_span(layout, place)].reshape(place.panels, place.vectors, layout.rows, -1)
        padded = cut.swapaxes(1, 2).reshape(-1, place.stride)
        layer.weights[:], layer.biases[:] = padded[:rows, :columns], padded[:rows, columns]
    return layers
