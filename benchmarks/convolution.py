"""The network of convolutions of van Rossem & Saxe (10, to 20 channels), beside PyTorch and the multiply-add peak.

Here one thread trains a network, and as many networks as there are threads are trained side by side; the way for any
number of points, products of matrices on windows that are cut out, trains one after the other, and so does PyTorch,
with all threads and with one. Operations are those of the convolutions, forward, backward, and for the slopes of the
weights; a register holds twice as many numbers of 32 bits, so that their peak is twice that of doubles, which is
measured in the same rounds. Weights are put into place and taken out again in the time that is measured.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numba import get_num_threads
from rich.table import Table

from benchmarks import linear_network, machine, seconds
from numerics.machine.progress import table
from numerics.simulate.datasets import Dataset, two_points
from numerics.simulate.mlp import PAPER, Architecture, Layer, gradients, train, train_many

SETTING, ROUNDS = PAPER["convolution"], 5
EPOCHS, FEWER = 100, 20  # of a run, and times fewer epochs for the others
OURS, ALONE, PRODUCTS = "here, a network on each thread", "here, 1 network", "products of matrices"
PEAK = "peak"


def tables(say: Callable[[str], None]) -> Iterator[Table]:
    """One table for each precision."""
    say(machine("numpy", "numba", "torch"))
    if find_spec("torch") is None:
        say("torch is not installed, so it is left out: pip install '.[bench]'")
    for precision in ("float32", "float64"):
        yield _compared(precision)


def operations(net: Architecture, points: int) -> int:
    """Multiplications and additions of all convolutions in an epoch."""
    shapes = [shape for shape in net.shapes(1, 1) if len(shape) == 3]
    lengths = [net.units - (k + 1) * (net.kernel - 1) for k in range(len(shapes))]
    return 6 * points * sum(int(np.prod(shape)) * length for shape, length in zip(shapes, lengths, strict=True))


def _compared(precision: str) -> Table:
    ways, done = candidates(precision)
    threads, net = get_num_threads(), SETTING.architecture
    peaks = {count: f"{PEAK}, {count} thread{'s' * (count > 1)}" for count in dict.fromkeys((threads, 1))}
    found = seconds(ways, ROUNDS)
    wider = np.dtype(np.float64).itemsize // np.dtype(precision).itemsize
    tops = {count: wider * linear_network.peak(count) for count in peaks}
    title = f"{net.hidden} convolutions, {net.channels} channels, {net.units} units, 2 points, {precision}"
    numbers = ("ms per epoch and network", "times slower than here", "GFlop/s", "of the threads' peak")
    result = table(title, [""], numbers)
    for name, time in found.items():
        epochs, count = done[name]
        speed, ratio = operations(net, 2) * epochs / time, (time / epochs) / (found[OURS] / done[OURS][0])
        cells = ("" if name == OURS else f"{ratio:.1f}", f"{speed / 1e9:.0f}", f"{speed / tops[count]:.0%}")
        result.add_row(name, f"{1e3 * time / epochs:.3g}", *cells)
    for count, name in peaks.items():
        result.add_row(name, "", "", f"{tops[count] / 1e9:.0f}", "")
    return result


def candidates(precision: str) -> tuple[dict[str, Callable[[], Any]], dict[str, tuple[int, int]]]:
    """Return what is compared, and how many epochs of all networks each of them does on how many threads."""
    threads, data, fewer = get_num_threads(), two_points(), max(1, EPOCHS // FEWER)
    how: dict[str, Any] = {"eta": SETTING.eta, "epochs": EPOCHS, "precision": precision}
    ways: dict[str, Callable[[], Any]] = {
        OURS: partial(train_many, SETTING.architecture, data, seeds=range(threads), weights=False, **how),
        ALONE: partial(train, SETTING.architecture, data, threads=1, **how),
        PRODUCTS: partial(by_products, data, precision, fewer),
    }
    done = {OURS: (threads * EPOCHS, threads), ALONE: (EPOCHS, 1), PRODUCTS: (fewer, threads)}
    if find_spec("torch") is not None:
        for count in dict.fromkeys((threads, 1)):
            name = f"PyTorch, {count} thread{'s' * (count > 1)}"
            ways[name], done[name] = with_torch(data, precision, fewer, count), (fewer, count)
    return ways, done


def by_products(data: Dataset, precision: str, epochs: int) -> float:
    """The way for any number of points; the loss before the last step."""
    dtype = np.dtype(precision)
    x, y = (part.astype(dtype) for part in data)
    layers = [Layer(*(part.astype(dtype) for part in layer)) for layer in SETTING.architecture.start(1, 1, 0)]
    rate, loss = dtype.type(SETTING.eta), 0.0
    for _ in range(epochs):
        loss, slopes = gradients(SETTING.architecture, layers, x, y)
        for layer, slope in zip(layers, slopes, strict=True):
            for part, moved in zip(layer, slope, strict=True):
                np.subtract(part, rate * moved, out=part)
    return float(loss)


def with_torch(data: Dataset, precision: str, epochs: int, threads: int) -> Callable[[], float]:
    """Eager PyTorch with its own optimiser, which goes on from where its last call stopped."""
    torch: Any = import_module("torch")
    x, y = (torch.from_numpy(part.astype(precision)) for part in data)
    net = torch_network(SETTING.architecture, SETTING.architecture.start(1, 1, 0), precision)
    optimiser = torch.optim.SGD(net.parameters(), lr=SETTING.eta)

    def run() -> float:
        torch.set_num_threads(threads)
        for _ in range(epochs):
            optimiser.zero_grad()
            loss = 0.5 * ((net(x) - y) ** 2).sum() / len(x)
            loss.backward()
            optimiser.step()
        return float(loss.detach())

    return run


def torch_network(net: Architecture, start: list[Layer], precision: str) -> Any:
    """The network in PyTorch, with these weights."""
    torch: Any = import_module("torch")
    dtype = getattr(torch, precision)
    parts: list[Any] = []
    for layer in start:
        shape = layer.weights.shape
        if len(shape) == 3:
            part = torch.nn.Conv1d(shape[1], shape[0], shape[2], dtype=dtype)
        else:
            parts += [torch.nn.Flatten()] if parts else []
            part = torch.nn.Linear(shape[1], shape[0], dtype=dtype)
        part.weight.data[:] = torch.from_numpy(layer.weights)
        part.bias.data[:] = torch.from_numpy(layer.biases)
        parts += [part, torch.nn.LeakyReLU(0.01)]
        if len(parts) == 2:
            parts.append(torch.nn.Unflatten(1, (1, net.units)))
    return torch.nn.Sequential(*parts[:-1])
