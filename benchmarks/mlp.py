"""The default network of van Rossem & Saxe (20 layers of 500, two points), beside PyTorch and the streaming limit.

PyTorch runs eagerly in three ways: with its plain optimiser, with the one that updates all weights in one call
(`foreach`), and with updates written by hand, each with all threads and with one, because on a busy machine its threads
wait for one another. Everybody starts from the same weights; here, putting weights into place and taking them out again
is timed too. The streaming limit reads every weight twice and writes it
once an epoch, in the order in which it is done here, and computes nothing to speak of.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-untyped-decorators, no-check-untyped-defs

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numba import get_num_threads, njit
from numpy.typing import NDArray
from rich.table import Table

from benchmarks import machine, seconds
from numerics.machine.progress import table
from numerics.simulate import datasets
from numerics.simulate.mlp import Architecture, Layer, train

Floats = NDArray[np.floating]

NETWORK, RATE, ROUNDS = Architecture(), 0.005, 5
EPOCHS = {"float32": 1500, "float64": 500}
FEWER = 20  # times fewer epochs for PyTorch
OURS, ALONE, LIMIT = "here", "here, 1 thread", "streaming limit"
BLOCK = 8192  # numbers that the limit goes through at a time
PLAIN, FOREACH, BY_HAND = "PyTorch", "PyTorch, foreach", "PyTorch, updates by hand"


def tables(say: Callable[[str], None]) -> Iterator[Table]:
    """One table for each precision."""
    say(machine("numpy", "numba", "torch"))
    if find_spec("torch") is None:
        say("torch is not installed, so it is left out: pip install '.[bench]'")
    for precision, epochs in EPOCHS.items():
        yield _compared(precision, epochs)


def _compared(precision: str, epochs: int) -> Table:
    numbers = ("epochs/s", "times slower than here", "of the limit")
    result = table(f"{NETWORK.hidden} layers of {NETWORK.units} units, {precision}", [""], numbers)
    ways, done = candidates(precision, epochs)
    speeds = {name: done[name] / time for name, time in seconds(ways, ROUNDS, limits=[LIMIT]).items()}
    for name, speed in speeds.items():
        ratio = "" if name == OURS else f"{speeds[OURS] / speed:.2f}"
        result.add_row(name, f"{speed:.0f}", ratio, "" if name == LIMIT else f"{speed / speeds[LIMIT]:.0%}")
    return result


def candidates(precision: str, epochs: int) -> tuple[dict[str, Callable[[], Any]], dict[str, int]]:
    """Return what is compared: functions that return the last loss, and how many epochs each of them does."""
    data, start = datasets.two_points(), NETWORK.start(1, 1, 0)
    fewer = max(1, epochs // FEWER)
    done = {OURS: epochs, ALONE: epochs}
    ways: dict[str, Callable[[], Any]] = {
        name: partial(here, data, start, precision, epochs, threads) for name, threads in ((OURS, None), (ALONE, 1))
    }
    if find_spec("torch") is not None:
        for name in (PLAIN, FOREACH, BY_HAND):
            for threads, label in ((get_num_threads(), name), (1, f"{name}, 1 thread")):
                ways[label], done[label] = with_torch(name, data, start, precision, fewer, threads), fewer
    numbers = sum(layer.weights.size for layer in start)
    ways[LIMIT], done[LIMIT] = partial(streamed, np.zeros(numbers, dtype=precision), epochs), epochs
    return ways, done


# --- ways to do it ----------------------------------------------------------------------------------------------------


def here(data: datasets.Dataset, start: list[Layer], precision: str, epochs: int, threads: int | None) -> float:
    """Return what this package computes."""
    run = train(NETWORK, data, eta=RATE, epochs=epochs, precision=precision, start=start, threads=threads)
    return float(run.losses[epochs - 1])


def with_torch(  # noqa: PLR0917
    name: str, data: datasets.Dataset, start: list[Layer], precision: str, epochs: int, threads: int
) -> Callable[[], float]:
    """Eager PyTorch, which goes on from where its last call stopped."""
    torch: Any = import_module("torch")
    net = torch_network(start, precision)
    x, y = (torch.from_numpy(part.astype(precision)) for part in data)
    parameters = list(net.parameters())
    optimiser = None if name == BY_HAND else torch.optim.SGD(parameters, lr=RATE, foreach=name == FOREACH)

    def epoch() -> Any:
        loss = 0.5 * ((net(x) - y) ** 2).sum() / len(x)
        for parameter in parameters:
            parameter.grad = None
        loss.backward()
        if optimiser is not None:
            optimiser.step()
            return loss
        with torch.no_grad():
            for parameter in parameters:
                parameter.add_(parameter.grad, alpha=-RATE)
        return loss

    def run() -> float:
        torch.set_num_threads(threads)
        for _ in range(epochs - 1):
            epoch()
        return float(epoch().detach())

    return run


def torch_network(start: list[Layer], precision: str) -> Any:
    """The network in PyTorch, with these weights."""
    torch: Any = import_module("torch")
    parts: list[Any] = []
    for layer in start:
        linear = torch.nn.Linear(*reversed(layer.weights.shape), dtype=getattr(torch, precision))
        linear.weight.data[:] = torch.from_numpy(layer.weights)
        linear.bias.data[:] = torch.from_numpy(layer.biases)
        parts += [linear, torch.nn.LeakyReLU(0.01)]
    return torch.nn.Sequential(*parts[:-1])


# --- the limit --------------------------------------------------------------------------------------------------------


def streamed(numbers: Floats, epochs: int) -> float:
    """Read all numbers and then write them, from the first to the last and back, each thread its share."""
    shares = np.array_split(numbers, get_num_threads())
    with ThreadPoolExecutor(len(shares)) as pool:
        return float(sum(pool.map(lambda share: _streamed(share, epochs), shares)))


@njit(cache=True, nogil=True)
def _streamed(share, epochs):
    blocks, total = -(-share.size // BLOCK), share[0]
    for _ in range(epochs):
        for k in range(blocks):
            total += _summed(share[k * BLOCK : (k + 1) * BLOCK])
        for k in range(blocks - 1, -1, -1):
            _moved(share[k * BLOCK : (k + 1) * BLOCK], total)
    return total


@njit(cache=True, fastmath={"reassoc", "contract", "nsz"})
def _summed(block):
    total = block[0]
    for i in range(block.size):
        total += block[i]
    return total


@njit(cache=True)
def _moved(block, distance):
    for i in range(block.size):
        block[i] += distance
