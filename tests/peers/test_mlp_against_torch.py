"""Losses, slopes and steps are those of PyTorch, to the rounding of doubles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from benchmarks import mlp as bench
from numerics.simulate import datasets, mlp
from numerics.simulate.datasets import Dataset
from numerics.simulate.mlp import Architecture, Layer

torch: Any = pytest.importorskip("torch", reason="PyTorch is not installed: pip install '.[peers]'")

pytestmark = pytest.mark.peers

ROUNDING = 1e-12  # of the largest entry
NET = Architecture(hidden=4, units=30)
BENDS = {
    "linear": lambda z: z,
    "relu": torch.nn.functional.relu,
    "leaky_relu": torch.nn.functional.leaky_relu,
    "elu": torch.nn.functional.elu,
    "tanh": torch.tanh,
    "swish": torch.nn.functional.silu,
}
KINDS = {
    **{name: replace(NET, activation=name) for name in BENDS},
    "skip": replace(NET, hidden=6, skip=2),
    "convolution": replace(NET, hidden=3, units=60, channels=5, kernel=11),
    "no biases": replace(NET, hidden=1, biases=False, activation="tanh"),
}


def points(count: int) -> Dataset:
    rng = np.random.default_rng(count)
    return Dataset(rng.standard_normal((count, 3)), rng.standard_normal((count, 2)))


def answers(net: Architecture, layers: list[list[Any]], x: Any, masks: list[Any] | None = None) -> Any:
    """The network, written again with PyTorch's functions."""
    left: list[Any] = []
    for k, (W, b) in enumerate(layers):
        x = x.flatten(1)
        if masks is not None:
            x = x * masks[k]
        if W.ndim == 3:
            x = torch.nn.functional.conv1d(x.reshape(len(x), W.shape[1], -1), W, b)
        else:
            x = torch.nn.functional.linear(x, W, b)
        if k < len(layers) - 1:
            x = BENDS[net.activation](x)
            if net.skip and k >= net.skip:
                x = x + left[k - net.skip]
        left.append(x)
    return x


def tensors(layers: list[Layer]) -> list[list[Any]]:
    return [[torch.from_numpy(np.array(part)).requires_grad_() for part in layer] for layer in layers]


def halved(error: Any) -> Any:
    return 0.5 * torch.nn.functional.mse_loss(error, torch.zeros_like(error), reduction="sum") / len(error)


def close(ours: np.ndarray, theirs: Any) -> None:
    wanted = theirs.detach().numpy()
    assert np.abs(ours - wanted).max() <= ROUNDING * max(np.abs(wanted).max(), 1e-3)


@pytest.mark.parametrize("count", [2, 30])
@pytest.mark.parametrize("name", KINDS)
def test_losses_and_slopes_are_those_of_torch(name: str, count: int) -> None:
    net, data = KINDS[name], points(count)
    layers = net.start(3, 2, 0)
    theirs = tensors(layers)
    loss = halved(answers(net, theirs, torch.from_numpy(data.inputs)) - torch.from_numpy(data.targets))
    loss.backward()
    ours, slopes = mlp.gradients(net, layers, *data)
    assert ours == pytest.approx(float(loss.detach()), rel=1e-13)
    for slope, (W, b) in zip(slopes, theirs, strict=True):
        close(slope.weights, W.grad)
        if net.biases:
            close(slope.biases, b.grad)


def test_slopes_under_masks_are_those_of_torch() -> None:
    net, data, rng = NET, points(6), np.random.default_rng(1)
    layers = net.start(3, 2, 0)
    masks = [(rng.random((6, width)) < 0.9) / 0.9 for width in (3, *net.widths)]
    theirs = tensors(layers)
    found = answers(net, theirs, torch.from_numpy(data.inputs), [torch.from_numpy(mask) for mask in masks])
    halved(found - torch.from_numpy(data.targets)).backward()
    for slope, (W, b) in zip(mlp.gradients(net, layers, *data, masks)[1], theirs, strict=True):
        close(slope.weights, W.grad)
        close(slope.biases, b.grad)


@pytest.mark.parametrize("count", [2, 30], ids=["streamed", "plain"])
@pytest.mark.parametrize("optimiser", ["sgd", "adam"])
@pytest.mark.parametrize("name", ["leaky_relu", "tanh", "skip"])
def test_steps_are_those_of_torch(name: str, optimiser: str, count: int) -> None:
    net, data, eta, epochs = KINDS[name], points(count), 0.01, 20
    theirs = tensors(net.start(3, 2, 0))
    made = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[optimiser]
    stepper = made([part for layer in theirs for part in layer], lr=eta)
    for _ in range(epochs):
        stepper.zero_grad()
        halved(answers(net, theirs, torch.from_numpy(data.inputs)) - torch.from_numpy(data.targets)).backward()
        stepper.step()
    run = mlp.train(net, data, eta=eta, epochs=epochs, optimiser=optimiser)
    for ours, (W, b) in zip(run.weights, theirs, strict=True):
        assert np.abs(ours.weights - W.detach().numpy()).max() <= 1e-11
        assert np.abs(ours.biases - b.detach().numpy()).max() <= 1e-11


def test_candidates_of_the_benchmark_compute_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "NETWORK", NET)
    data, start, epochs = datasets.two_points(), NET.start(1, 1, 0), 10
    wanted = bench.here(data, start, "float64", epochs, 1)
    for name in (bench.PLAIN, bench.FOREACH, bench.BY_HAND):
        assert bench.with_torch(name, data, start, "float64", epochs, 1)() == pytest.approx(wanted, rel=1e-12), name
