"""The way for convolutions on few points: one thread trains a network, and others train other networks beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from numerics.machine.activations.smooth import BENT
from numerics.machine.checkpoints import State
from numerics.machine.lanes.rooms import aligned
from numerics.machine.specialise import source, specialise
from numerics.simulate.mlp import streamed
from numerics.simulate.mlp.architecture import Floats, Layer
from numerics.simulate.mlp.job import NEXT, STOPPED, Job, Outcome, blank, given_up, last_epoch, outcome
from numerics.simulate.mlp.streamed import BELOW, BYTES, KINDS, MOST, SMOOTH, WIDE, in_line

PARTS = (SMOOTH, *(f"numerics.simulate.mlp.{part}" for part in ("panels", "convolution.tiles", "convolution.kernel")))
SHAPE = (10, 5) if WIDE else (5, 2)  # rows of a tile, and of a tile of slopes
ABREAST, TAPS = 2, 4  # as the tiles have them


def suited(job: Job) -> bool:
    """Check whether this way is for that network: few points, all at once, by gradient descent, with all units."""
    net, count = job.architecture, len(job.inputs)
    return bool(net.channels) and not net.dropout and not job.adam and count <= MOST and job.batch >= count


@dataclass(frozen=True)
class Plan:
    """Where everything is in the arrays that the compiled code works on."""

    wide: int  # room for the weights from channel to channel
    stride: int  # from row to row of outputs and slopes
    weights: tuple[int, ...]  # where those of each layer begin; biases, and zeros, are behind the last ones
    biases: tuple[int, ...]
    zeros: int
    rows: NDArray[np.int64]  # of the layers, as `descend` knows them
    tables: NDArray[np.int64]
    offsets: NDArray[np.int64]
    room: int
    spare: int


def plan(job: Job) -> Plan:
    """Rows of outputs and slopes have room for whole tiles."""
    net, points, lanes = job.architecture, len(job.inputs), BYTES // np.dtype(job.dtype).itemsize
    wide, block = TAPS * -(-net.kernel // TAPS), ABREAST * lanes
    stride = block * -(-net.units // block) + lanes * -(-(wide + net.kernel) // lanes)
    stride += lanes * (stride // lanes % 2 == 0)  # an even number of vectors apart, rows would share places in a cache
    shapes = [layer.weights.shape for layer in job.start]
    sizes = [int(np.prod(shape[:2])) * (wide if len(shape) == 3 else 1) for shape in shapes]
    *weights, behind = (int(end) for end in np.cumsum([0, *sizes]))
    *biases, zeros = (behind + int(end) for end in np.cumsum([0, *(shape[0] for shape in shapes)]))
    channels = [1, *(shape[0] for shape in shapes[1:-1])]
    most = points * max(channels) * stride
    rows = np.zeros((len(shapes), 7), dtype=np.int64)
    tables = np.zeros((len(shapes), 6), dtype=np.int64)
    written: list[NDArray[np.int64]] = []
    at, used = lanes * -(-net.kernel // lanes), 0
    for l, shape in enumerate(shapes):
        if l == len(shapes) - 1:
            rows[l, :2] = weights[l], biases[l]
            break
        length, below = net.widths[l] // channels[l], shape[1] if len(shape) == 3 else 0
        size = points * channels[l] * stride
        rows[l] = weights[l], biases[l], channels[l], below, length, at, at + size
        at += 2 * size
        if below:
            for k, table in enumerate(_tables(net.kernel, wide, stride, (channels[l], below), (points, length, lanes))):
                written.append(table.ravel())
                tables[l, [k, k + 3]] = used, len(table)
                used += table.size
    room = at + most + stride
    offsets = np.concatenate(written).astype(np.int64)
    return Plan(wide, stride, tuple(weights), tuple(biases), zeros, rows, tables, offsets, room, at)


def _tables(
    kernel: int, wide: int, stride: int, layers: tuple[int, int], places: tuple[int, int, int]
) -> list[NDArray[np.int64]]:
    """Where each turn looks and which weight it takes, forward and backward, and for the slopes of weights.

    `layers` are the channels of the layer and of the one below, `places` points, places of a row, and lanes.
    """
    (channels, below), (points, length, lanes) = layers, places
    c, k = (part.ravel() for part in np.mgrid[:below, :kernel])
    forward = np.column_stack([c * stride + k, c * wide + k])
    c, k = (part.ravel() for part in np.mgrid[:channels, :kernel])
    backward = np.column_stack([c * stride + k, c * below * wide + kernel - 1 - k])
    p, t = (part.ravel() for part in np.mgrid[:points, 0:length:lanes])
    summed = np.column_stack([p * channels * stride + t, p * below * stride + t])
    return [forward, backward, summed]


class Convolved:
    """One network, trained by one thread."""

    def __init__(self, job: Job) -> None:
        self.job, self.layout = job, plan(job)
        self.room = aligned(self.layout.room, job.dtype)
        self.slopes = aligned(max(1, *np.diff([*self.layout.weights, self.layout.biases[0]])), job.dtype)
        self.step = 4  # epochs of the next slice

    def begin(self) -> State:
        """The weights at the start, in their places."""
        job, layout = self.job, self.layout
        state, widths = blank(job), [job.architecture.widths[layer - 1] for layer in job.layers]
        weights = aligned(layout.zeros + SHAPE[0], job.dtype)
        for k, layer in enumerate(job.start):
            size, biases = layer.weights.size, layout.biases[k]
            if layer.weights.ndim == 3:
                size = layer.weights.size // layer.weights.shape[2] * layout.wide
            weights[layout.weights[k] : layout.weights[k] + size] = _packed(layer.weights, k, layout.wide).ravel()
            weights[biases : biases + layer.biases.size] = layer.biases
        hidden = [state.pop(f"hidden_{k}") for k in range(len(job.layers))]
        shape = job.record_at.size, len(hidden), len(job.inputs), max(widths, default=0)
        return {**state, "weights": weights, "hidden": np.full(shape, np.nan, dtype=job.dtype)}

    def advance(self, state: State) -> bool:
        """Train for a slice of epochs."""
        job, losses, first, begin = self.job, state["losses"], int(state["at"][NEXT]), perf_counter()
        end = min(first + self.step, job.epochs + 1)
        self._descend(state, first, end)
        last = last_epoch(job, losses[:end])
        end = min(end, last + 1)
        state["at"][:] = end, given_up(job, losses, first, end)
        spent = max(perf_counter() - begin, 1e-6)
        self.step = max(1, min(4 * self.step, int((end - first) * streamed.SLICE / spent)))
        return end > last or bool(state["at"][STOPPED] >= 0)

    def outcome(self, state: State) -> Outcome:
        """Return the losses and the weights of a state, as they were asked for."""
        job, weights, end = self.job, state["weights"], []
        for k, layer in enumerate(job.start):
            at, biases = self.layout.weights[k], self.layout.biases[k]
            part = _unpacked(weights[at:], k, layer.weights.shape, self.layout.wide)
            end.append(Layer(part, weights[biases : biases + layer.biases.size].copy()))
        widths = [job.architecture.widths[layer - 1] for layer in job.layers]
        return outcome(job, state, [state["hidden"][:, k, :, :width] for k, width in enumerate(widths)], end)

    def _descend(self, state: State, first: int, end: int) -> None:
        job, layout, dtype = self.job, self.layout, self.job.dtype
        state["weights"] = in_line(state["weights"])
        kind = job.architecture.activation
        _descend(**_options(job))(
            *(first, end, job.epochs, job.until, np.array([job.eta], dtype=dtype)),
            *(len(job.inputs), layout.stride, job.architecture.kernel, layout.wide),
            *(layout.rows, layout.tables, layout.offsets),
            *(KINDS.get(kind, BENT), np.array([BELOW.get(kind, 0.0)], dtype=dtype), job.architecture.biases),
            *(state["weights"], layout.zeros, self.slopes, self.room, layout.spare),
            *(job.inputs.astype(dtype), job.targets.astype(dtype), np.empty(job.targets.shape, dtype=dtype)),
            *(state["losses"], job.record_at, np.array(job.layers, dtype=np.int64) - 1),
            *(state["hidden"], state["outputs"]),
        )


def _packed(weights: Floats, k: int, wide: int) -> Floats:
    """Weights in the order in which they are needed: the first layer's input after input, windows with room."""
    if weights.ndim == 3:
        return np.pad(weights, [(0, 0), (0, 0), (0, wide - weights.shape[2])])
    return weights if k else weights.T


def _unpacked(numbers: Floats, k: int, shape: tuple[int, ...], wide: int) -> Floats:
    if len(shape) == 3:
        size = shape[0] * shape[1] * wide
        return numbers[:size].reshape(*shape[:2], wide)[..., : shape[2]].copy()
    flat = numbers[: shape[0] * shape[1]]
    return flat.reshape(shape).copy() if k else flat.reshape(shape[::-1]).T.copy()


def program(job: Job) -> str:
    """A digest of the code that trains a network."""
    return sha256(source(PARTS, _options(job)).encode()).hexdigest()


def _options(job: Job) -> dict[str, int]:
    return {"BITS": np.dtype(job.dtype).itemsize * 8, "BYTES": BYTES, "TALL": SHAPE[0], "BROAD": SHAPE[1]}


@cache
def _descend(**options: int) -> Callable[..., None]:
    return specialise("descend", PARTS, options)
