"""The way for any architecture and any number of points: products of matrices, one layer after the other.

Nothing here depends on the kind of number: complex weights give complex losses, whose imaginary parts are slopes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from numerics.machine.blas import product
from numerics.machine.checkpoints import State
from numerics.machine.checks import listed, shown
from numerics.simulate.mlp.activations import activated
from numerics.simulate.mlp.architecture import Architecture, Layer, MlpError
from numerics.simulate.mlp.chance import ORDER, masks, stream
from numerics.simulate.mlp.job import NEXT, STOPPED, Job, Outcome, blank, given_up, last_epoch, outcome, pieces
from numerics.simulate.mlp.panels import BETA_1, BETA_2, EPSILON


class _Pass(NamedTuple):
    """A layer's input, the slope of its activation, and its output."""

    seen: Any
    slope: Any
    left: Any


def outputs(architecture: Architecture, layers: Sequence[Layer], inputs: Any) -> tuple[list[Any], Any]:
    """Return what leaves each hidden layer (point, unit), and the answers (point, output), for inputs (point, input).

    `architecture` and `layers` are the network, its weights from the inputs on.

    >>> net = Architecture(hidden=1, units=2, activation="linear")
    >>> layers = [Layer(np.eye(2), np.zeros(2)), Layer(np.ones((1, 2)), np.zeros(1))]
    >>> outputs(net, layers, np.array([[1.0, 2.0]]))[1].tolist()
    [[3.0]]
    """
    layers, inputs = _sound(architecture, layers, inputs)
    return _outputs(architecture, layers, inputs)


def _outputs(architecture: Architecture, layers: Sequence[Layer], inputs: Any) -> tuple[list[Any], Any]:
    passes = _forward(architecture, layers, inputs, None)
    return [one.left.reshape(len(inputs), -1) for one in passes[:-1]], passes[-1].left


def loss(architecture: Architecture, layers: Sequence[Layer], inputs: Any, targets: Any) -> Any:
    """Half the mean over points of the squared error, for inputs (point, input) and targets (point, output).

    `architecture` and `layers` are the network, its weights from the inputs on.

    >>> net = Architecture(hidden=1, units=1, activation="linear")
    >>> one = [Layer(np.ones((1, 1)), np.zeros(1))] * 2
    >>> float(loss(net, one, np.array([[1.0]]), np.array([[3.0]])))
    2.0
    """
    layers, inputs = _sound(architecture, layers, inputs)
    return _loss(_outputs(architecture, layers, inputs)[1] - _answers(layers, inputs, targets))


def gradients(
    architecture: Architecture, layers: Sequence[Layer], inputs: Any, targets: Any, masks: Sequence[Any] | None = None
) -> tuple[Any, list[Layer]]:
    """The loss, and its slopes with respect to all weights and biases, as layers of the same shapes.

    `architecture` and `layers` are the network; `inputs` are (point, input) and `targets` (point, output); `masks` has
    for each layer what its inputs are multiplied by. Refused with `MlpError`: layers, points and masks that do not fit.

    >>> net = Architecture(hidden=1, units=1, activation="linear")
    >>> one = [Layer(np.ones((1, 1)), np.zeros(1))] * 2
    >>> gradients(net, one, np.array([[1.0]]), np.array([[3.0]]))[1][0].weights.tolist()
    [[-2.0]]
    """
    layers, inputs = _sound(architecture, layers, inputs)
    targets = _answers(layers, inputs, targets)
    if masks is not None:
        masks = [_numbers("the masks", mask) for mask in listed("the masks", masks, MlpError)]
        widths = [inputs.shape[1], *architecture.widths]
        if [mask.shape for mask in masks] != [(len(inputs), width) for width in widths]:
            raise MlpError("the masks must have for each layer a row for each point, with a number for each input")
    return _gradients(architecture, layers, inputs, targets, masks)


def _gradients(
    architecture: Architecture, layers: Sequence[Layer], inputs: Any, targets: Any, masks: Sequence[Any] | None
) -> tuple[Any, list[Layer]]:
    passes = _forward(architecture, layers, inputs, masks)
    error = passes[-1].left - targets
    slopes: list[Layer] = []
    back = error / len(inputs)  # with respect to what leaves a layer
    over: list[Any] = []  # the same, of the layers above, that of the output first
    for k in reversed(range(len(layers))):
        over.append(back)
        delta = back.reshape(passes[k].slope.shape) * passes[k].slope
        slope, back = _pulled(layers[k], passes[k].seen, delta, k > 0)
        slopes.append(slope if architecture.biases else Layer(slope.weights, np.zeros_like(slope.biases)))
        if k > 0:
            back = back.reshape(len(inputs), -1)
            if masks is not None:
                back = back * masks[k]
            if architecture.skip and k - 1 + architecture.skip < len(layers) - 1:
                back = back + over[-architecture.skip]
    return _loss(error), slopes[::-1]


def slopes(architecture: Architecture, layers: Sequence[Layer], inputs: Any, targets: Any) -> list[Layer]:
    """The slopes of the loss, of what is known to fit together."""
    return _gradients(architecture, layers, inputs, targets, None)[1]


class Plain:
    """One network, trained by products of matrices; a slice is an epoch."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self.inputs, self.targets = job.inputs.astype(job.dtype), job.targets.astype(job.dtype)

    def begin(self) -> State:
        """The weights at the start, and what Adam remembers of slopes."""
        job, state = self.job, blank(self.job)
        for k, layer in enumerate(job.start):
            state[f"weights_{k}"], state[f"biases_{k}"] = (np.array(part, dtype=job.dtype) for part in layer)
        for k, part in enumerate([part for layer in _layers(state) for part in layer] if job.adam else []):
            state[f"mean_{k}"], state[f"square_{k}"] = np.zeros_like(part), np.zeros_like(part)
        return state

    def advance(self, state: State) -> bool:
        """Take the steps of one epoch, and record what is asked for in front of them."""
        job, layers, losses, epoch = self.job, _layers(state), state["losses"], int(state["at"][NEXT])
        last = epoch == last_epoch(job, losses[:epoch])
        due = job.record_at >= epoch if last else job.record_at == epoch
        if due.any():
            hidden, state["outputs"][due] = _outputs(job.architecture, layers, self.inputs)
            for kept, layer in zip(pieces(state, "hidden"), job.layers, strict=True):
                kept[due] = hidden[layer - 1]
        with np.errstate(over="ignore", invalid="ignore"):
            if last:
                losses[epoch] = _loss(_outputs(job.architecture, layers, self.inputs)[1] - self.targets)
            else:
                losses[epoch] = _Step(job, state).epoch(epoch, self.inputs, self.targets)
        state["at"][:] = epoch + 1, given_up(job, losses, epoch, epoch + 1)
        return last or bool(state["at"][STOPPED] >= 0)

    def outcome(self, state: State) -> Outcome:
        """Return the losses and the weights of a state, as they were asked for."""
        return outcome(self.job, state, pieces(state, "hidden"), _layers(state))


def _layers(state: State) -> list[Layer]:
    """The layers of a state, which steps change in place."""
    return [Layer(*pair) for pair in zip(pieces(state, "weights"), pieces(state, "biases"), strict=True)]


# --- what a user gives ----------------------------------------------------------------------------------------------


def _sound(architecture: Architecture, layers: Sequence[Layer], inputs: Any) -> tuple[list[Layer], Any]:
    """Layers of the architecture, and inputs that they take; numbers may be complex."""
    if not isinstance(architecture, Architecture):
        raise MlpError(f"the architecture must be an Architecture, not {shown(architecture)}.")
    inputs = _numbers("the inputs", inputs)
    if inputs.ndim != 2 or inputs.size == 0:
        raise MlpError(f"the inputs must be a matrix with a row for each point, but have shape {inputs.shape}.")
    pairs = listed("the weights", layers, MlpError)
    if not all(isinstance(layer, Layer) for layer in pairs):
        raise MlpError("the weights must be a list of Layer(weights, biases).")
    checked_layers = [Layer(_numbers("the weights", W), _numbers("the biases", b)) for W, b in pairs]
    outputs_of_last = checked_layers[-1].weights.shape[0] if checked_layers and checked_layers[-1].weights.ndim else 1
    shapes = architecture.shapes(inputs.shape[1], outputs_of_last)
    if [layer.weights.shape for layer in checked_layers] != shapes or any(
        layer.biases.shape != shape[:1] for layer, shape in zip(checked_layers, shapes, strict=True)
    ):
        raise MlpError(
            f"the weights have shapes {[layer.weights.shape for layer in checked_layers]}, but {shapes} are needed."
        )
    return checked_layers, inputs


def _answers(layers: Sequence[Layer], inputs: Any, targets: Any) -> Any:
    """Targets for these inputs."""
    answers, shape = _numbers("the targets", targets), (len(inputs), len(layers[-1].biases))
    if answers.shape != shape:
        raise MlpError(f"the targets must have shape {shape}, got {answers.shape}.")
    return answers


def _numbers(name: str, values: Any) -> Any:
    """An array of numbers, real or complex."""
    try:
        array = np.asarray(values)
    except ValueError:
        array = np.array(None)
    if array.dtype.kind not in "biufc" or np.ma.is_masked(values):
        raise MlpError(f"{name} must be numbers in rows of equal length.")
    return array if array.dtype.kind in "fc" else array.astype(np.float64)


# --- one pass ---------------------------------------------------------------------------------------------------------


def _forward(
    architecture: Architecture, layers: Sequence[Layer], inputs: Any, masks: Sequence[Any] | None
) -> list[_Pass]:
    passes: list[_Pass] = []
    seen = inputs
    for k, layer in enumerate(layers):
        seen = seen.reshape(len(inputs), -1)
        if masks is not None:
            seen = seen * masks[k]
        if layer.weights.ndim == 3:
            seen = seen.reshape(len(inputs), layer.weights.shape[1], -1)
            windows = _cut(seen, layer)
            filtered = product(windows.reshape(-1, windows.shape[2]), layer.weights.reshape(len(layer.biases), -1).T)
            z = filtered.reshape(*windows.shape[:2], -1).transpose(0, 2, 1) + layer.biases[:, None]
        else:
            z = product(seen, layer.weights.T) + layer.biases
        if k == len(layers) - 1:
            left, slope = z, np.ones_like(z)
        else:
            left, slope = activated(architecture.activation, z)
            if architecture.skip and k >= architecture.skip:
                left = left + passes[k - architecture.skip].left
        passes.append(_Pass(seen, slope, left))
        seen = left
    return passes


def _cut(seen: Any, layer: Layer) -> Any:
    """All windows, one after the other: (point, place, channel below and place in the window)."""
    windows = sliding_window_view(seen, layer.weights.shape[2], axis=2).transpose(0, 2, 1, 3)
    return windows.reshape(*windows.shape[:2], -1)


def _pulled(layer: Layer, seen: Any, delta: Any, onward: bool) -> tuple[Layer, Any]:
    """The slopes with respect to a layer's weights and biases, and with respect to what it saw, if asked for."""
    if layer.weights.ndim == 2:
        slope = Layer(product(delta.T, seen), delta.sum(axis=0))
        return slope, product(delta, layer.weights) if onward else None
    channels, below, wide = layer.weights.shape
    rows = delta.transpose(0, 2, 1).reshape(-1, channels)
    cut = _cut(seen, layer).reshape(-1, below * wide)
    slope = Layer(product(rows.T, cut).reshape(layer.weights.shape), rows.sum(axis=0))
    shares = product(rows, layer.weights.reshape(channels, -1)).reshape(len(seen), -1, below, wide)
    back = np.zeros_like(seen)
    for place in range(wide):
        back[:, :, place : place + shares.shape[1]] += shares[..., place].transpose(0, 2, 1)
    return slope, back


def _loss(error: Any) -> Any:
    return 0.5 * (error * error).sum() / len(error)


# --- one epoch --------------------------------------------------------------------------------------------------------


class _Step:
    """Moves the layers of a state in place, batch by batch, with what Adam remembers there."""

    def __init__(self, job: Job, state: State) -> None:
        self.job, self.layers, self.count = job, _layers(state), 0
        self.means, self.squares = pieces(state, "mean"), pieces(state, "square")

    def epoch(self, epoch: int, inputs: Any, targets: Any) -> float:
        """The mean loss of an epoch's batches, each before its step."""
        job = self.job
        order = self._order(epoch)
        self.count = epoch * -(-len(order) // job.batch)
        masks = self._masks(epoch)
        total = 0.0
        for begin in range(0, len(order), job.batch):
            some = order[begin : begin + job.batch]
            picked = None if masks is None else [mask[some] for mask in masks]
            here = slice(None) if len(some) == len(order) else some
            value, slopes = _gradients(job.architecture, self.layers, inputs[here], targets[here], picked)
            total += float(value) * len(some) / len(order)
            self._move(slopes)
        return total

    def _order(self, epoch: int) -> NDArray[np.int64]:
        """All points as they are, or shuffled into batches."""
        count = len(self.job.inputs)
        return np.arange(count) if self.job.batch >= count else stream(self.job, ORDER, epoch).permutation(count)

    def _masks(self, epoch: int) -> list[Any] | None:
        """Return what inputs of each layer are multiplied by, for all points."""
        return [mask[0] for mask in masks(self.job, [epoch])] if self.job.architecture.dropout else None

    def _move(self, slopes: list[Layer]) -> None:
        self.count += 1
        eta = self.job.dtype(self.job.eta)
        parts = [part for layer in self.layers for part in layer]
        for k, (part, slope) in enumerate(zip(parts, (s for layer in slopes for s in layer), strict=True)):
            np.subtract(part, eta * (self._steered(k, slope) if self.job.adam else slope), out=part)

    def _steered(self, k: int, slope: Any) -> Any:
        """Adam's direction (Kingma & Ba 2015)."""
        mean, square = self.means[k], self.squares[k]
        mean += (1 - BETA_1) * (slope - mean)
        square += (1 - BETA_2) * (slope * slope - square)
        first, second = (1 - beta**self.count for beta in (BETA_1, BETA_2))
        return mean / first / (np.sqrt(square / second) + EPSILON)
