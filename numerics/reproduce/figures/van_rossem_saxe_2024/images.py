"""Figures 4, 9 and 16, and equation 50: a network that learns to tell ten digits from their images.

The images are MNIST's where the environment names the folder of its files, and otherwise those of scikit-learn, which
are smaller and fewer; a configuration says which. What the paper prints is of MNIST alone.

A setting has `images`, `gain`, `rate`, `epochs` and `batch`; `shown`, how many of the first images are compared, and
`weighed`, how many the predictions are weighed over; `ratio`, which is tau_y/tau_h; and `networks`, to average over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from itertools import combinations
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from numerics.machine.blas import one_thread
from numerics.reproduce.experiments import mnist_folder
from numerics.reproduce.figures import style
from numerics.reproduce.figures.panel import Array, Data, Found, LeftOut, Panel, Setting
from numerics.reproduce.figures.van_rossem_saxe_2024.pairs import between, chart, correlation, squares
from numerics.reproduce.figures.van_rossem_saxe_2024.two_points import CURVES
from numerics.simulate import mlp
from numerics.simulate.datasets import Dataset, DatasetError, digits, mnist
from numerics.theory.two_point.fit import fit

NAMES = {"digits": "scikit-learn's digits", "mnist": "MNIST"}
BLOCK = 500  # rows of a table of distances that are in memory at once


def images(setting: Setting) -> Dataset:
    """The images that the setting names."""
    if setting.values["images"] == "mnist":
        return _mnist(mnist_folder())
    try:
        return digits()
    except DatasetError as missing:
        raise LeftOut(str(missing)) from None


@cache
def _mnist(folder: str) -> Dataset:
    return mnist(folder)


def _network(setting: Setting) -> mlp.Architecture:
    return replace(mlp.PAPER["mnist"].architecture, gain=setting.number("gain"))


# --- two of the images ------------------------------------------------------------------------------------------------


def tracked(setting: Setting) -> Found:
    """The first zero and the first one while all images are learned, and the theory fitted to these two."""
    data, network = images(setting), _network(setting)
    labels = data.targets.argmax(axis=1)
    two = data.inputs[[int(np.argmax(labels == digit)) for digit in (0, 1)]]
    wanted, epochs = np.eye(10)[0] - np.eye(10)[1], setting.whole("epochs")
    layers, curves = network.start(data.inputs.shape[1], 10, setting.seed), []
    how: dict[str, Any] = {"eta": setting.number("rate"), "batch": setting.whole("batch"), "precision": "float32"}
    for epoch in range(epochs + 1):
        hidden, answers = mlp.outputs(network, layers, two)
        (dh,), (dy,) = (points[:1] - points[1:] for points in (hidden[network.halfway - 1], answers))
        curves.append([dh @ dh, dy @ dy, dy @ (dy - wanted)])
        if epoch < epochs:  # an epoch at a time, so that no more than these two are kept of all images
            with one_thread():
                run = mlp.train(network, data, epochs=1, seed=setting.seed + epoch, start=layers, **how)
            layers = list(run.weights)
        setting.tell(epoch / (epochs + 1))
    rows = np.array(curves, dtype=np.float64)
    h, y, w = rows.T
    theory = fit(np.arange(epochs + 1.0), h, y, w, float(squares(two)[0, 1]), 2.0, exact_start=True)
    measured = {
        "r_squared": theory.r_squared,
        "ratio": theory.tau_y / theory.tau_h,
        "answered": float(np.sqrt(max(2.0 * rows[-1, 2] - rows[-1, 1] + 2.0, 0.0) / 2.0)),
    }
    return Found({"curves": rows, "theory": theory.theory, "images": _name(setting)}, measured)


def draw_tracked(figure: Figure, data: Data) -> None:
    axes = figure.subplots()
    epochs = np.arange(len(data["curves"]))
    style.simulated(axes, epochs, data["curves"].T)
    style.theoretical(axes, epochs, data["theory"].T)
    axes.set(xlabel="epochs", xlim=(0, epochs[-1]), title=f"a zero and a one of {data['images']}")
    style.key(axes, list(zip(style.COLOURS, CURVES, strict=False)), theory="theory, fitted")


def _name(setting: Setting) -> Array:
    return np.array(NAMES[setting.values["images"]])


# --- distances of many images -----------------------------------------------------------------------------------------


def structure(setting: Setting, *, optimiser: str) -> Found:
    """Mean distances of the first images in many networks, against the theory before and after it is weighed."""
    data, network, count = images(setting), _network(setting), setting.whole("shown")
    labels, order = _sorted(data, count)
    runs = _trained(setting, data, network, optimiser)
    tables, right = np.zeros((count, count)), 0.0
    for run in runs:
        hidden, answers = mlp.outputs(network, run.weights, data.inputs[:count][order])
        tables += squares(hidden[network.halfway - 1]) / len(runs)
        right += float(np.mean(answers.argmax(axis=1) == labels)) / len(runs)
    plain, weighed = (table[np.ix_(order, order)] for table in predictions(setting, data))
    same = between(np.equal.outer(labels, labels))
    measured = {
        "pearson": correlation(tables, weighed),
        "plain": correlation(tables, plain),
        "classes": float(between(tables)[same].mean() / between(tables)[~same].mean()),
        "right": right,
    }
    return Found({"network": tables, "theory": weighed, "labels": labels, "images": _name(setting)}, measured)


def _sorted(data: Dataset, count: int) -> tuple[Array, Array]:
    """The digits of the first images in their order, and the order."""
    labels = data.targets[:count].argmax(axis=1)
    order = np.argsort(labels, kind="stable")
    return labels[order], order


def _trained(setting: Setting, data: Dataset, network: mlp.Architecture, optimiser: str) -> list[mlp.Run]:
    seeds = range(setting.seed, setting.seed + setting.whole("networks"))
    how: dict[str, Any] = {
        "eta": setting.number("rate"),
        "epochs": setting.whole("epochs"),
        "batch": setting.whole("batch"),
        "optimiser": optimiser,
        "precision": "float32",
    }
    done: list[int] = []

    def finished(run: mlp.Run) -> None:
        done.append(run.seed)
        setting.tell(len(done) / (len(seeds) + 1))

    shelf = setting.shelf("images", network=vars(network), images=setting.values["images"], **how)
    with shelf as folder, one_thread():
        return mlp.train_many(network, data, seeds=seeds, folder=folder, finished=finished, **how)


def predictions(setting: Setting, data: Dataset) -> tuple[Array, Array]:
    """|dh|^2 in the end of the first images at small weights, A_low of Eq. 11, and what equation 50 makes of it."""
    count, weighed = setting.whole("shown"), min(setting.whole("weighed"), len(data.inputs))
    inputs, targets = data.inputs[:weighed], data.targets[:weighed]

    def small(rows: slice, columns: slice) -> Array:
        X = _between(inputs[rows], inputs[columns])
        return np.sqrt(setting.number("ratio") * X * _between(targets[rows], targets[columns]))

    first = slice(0, count)
    to_first = np.exp(-small(slice(0, weighed), first))
    blocks = [slice(begin, begin + BLOCK) for begin in range(0, weighed, BLOCK)]
    carried = np.vstack([small(block, slice(0, weighed)) @ to_first for block in blocks])
    return small(first, first), np.asarray(to_first.T @ carried)


def _between(rows: Array, columns: Array) -> Array:
    """Squared distances of the rows of two matrices; of a row to itself, exactly 0."""
    lengths = np.sum(rows**2, axis=1)[:, None] + np.sum(columns**2, axis=1)
    distances = lengths - 2.0 * rows @ columns.T
    return np.where(distances > 1e-9 * lengths, distances, 0.0)


def draw_structure(figure: Figure, data: Data) -> None:
    titles = {"network": "networks, mean", "theory": "theory, weighed"}
    for axes, (name, title) in zip(figure.subplots(1, 2), titles.items(), strict=True):
        table = data[name]
        image = chart(axes, table, top=float(between(table).max()))
        _digits(axes, data["labels"])
        axes.set_title(title, loc="center")
        figure.colorbar(image, ax=axes, label=r"$\|dh\|^2$", shrink=0.75)
    figure.suptitle(f"{len(data['labels'])} images of {data['images']}", fontsize=8.5)


def _digits(axes: Axes, labels: Sequence[int] | Array) -> None:
    """Each digit in the middle of its images, and a tick between any two digits."""
    ends = np.flatnonzero(np.diff(labels)) + 0.5
    middles = [float(np.mean(np.flatnonzero(np.equal(labels, digit)))) for digit in np.unique(labels)]
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_ticks(middles, labels=[str(digit) for digit in np.unique(labels)])
        axis.set_ticks(ends, minor=True)
        axis.set_tick_params(which="major", length=0.0)
        axis.set_tick_params(which="minor", length=2.0, width=0.5)


# --- equation 50 ------------------------------------------------------------------------------------------------------


def weighing(setting: Setting) -> Found:
    """How many triangles of predicted distances |dh| are impossible, before and after the predictions are weighed."""
    data = images(setting)
    labels, order = _sorted(data, setting.whole("shown"))
    plain, weighed = (table[np.ix_(order, order)] for table in predictions(setting, data))
    sides = {"before": longest(plain), "after": longest(weighed)}
    broken = {name: float(np.mean(ratios > 1.0 + 1e-9)) for name, ratios in sides.items()}
    measured = {
        **broken,
        "left": broken["after"] / broken["before"],
        "worst": float(sides["after"].max()),
        "itself": float(np.sqrt(np.diag(weighed)).mean() / np.sqrt(between(weighed)).mean()),
    }
    tables = {"plain": np.sqrt(plain), "weighed": np.sqrt(weighed)}
    return Found({**tables, **sides, "labels": labels, "images": _name(setting)}, measured)


def longest(table: Array) -> Array:
    """The longest side of each triangle of points, over the sum of the two others; |dh| is the root of the table."""
    lengths = np.sqrt(table)
    a, b, c = np.array(list(combinations(range(len(table)), 3))).T
    sides = np.sort([lengths[a, b], lengths[b, c], lengths[a, c]], axis=0)
    others = sides[0] + sides[1]
    return np.asarray(np.divide(sides[2], others, out=np.ones_like(others), where=others > 0.0))


def draw_weighing(figure: Figure, data: Data) -> None:
    left, middle, right = figure.subplots(1, 3, width_ratios=[1.0, 1.0, 1.15])
    for axes, name, title in ((left, "plain", "Eq. 10"), (middle, "weighed", "Eq. 50")):
        image = chart(axes, data[name], top=float(between(data[name]).max()))
        _digits(axes, data["labels"])
        axes.set_title(title, loc="center")
        figure.colorbar(image, ax=axes, label=r"$\|dh\|$", location="bottom", shrink=0.8, pad=0.03)
    edges = np.linspace(0.5, max(1.6, float(data["before"].max())), 60)
    for name, colour in (("before", style.ORANGE), ("after", style.BLUE)):
        share = np.ones(data[name].size) / data[name].size
        right.hist(data[name], edges, weights=share, histtype="stepfilled", alpha=0.55, color=colour, label=name)
    right.axvline(1.0, color=style.BLACK, linewidth=0.8)
    right.set(xlabel="longest side over the sum of the others", ylabel="share of the triangles", yscale="log")
    right.set_title("beyond 1: impossible", loc="center")
    right.legend(title=str(data["images"]), loc="upper right")


PANELS = {
    "fig_4": Panel(tracked, draw_tracked, (3.4, 2.6)),
    "fig_9": Panel(partial(structure, optimiser="sgd"), draw_structure, (6.0, 2.9)),
    "fig_16": Panel(partial(structure, optimiser="adam"), draw_structure, (6.0, 2.9)),
    "exponential_weighing": Panel(weighing, draw_weighing, (6.8, 2.8)),
}
