"""Figures 7, 8, 12 and 15: blobs whose position is told along one axis or the other, by two contexts.

A setting has `side`, how many places there are along each axis; for each size of starting weights the `gains`, `rates`
and `lasting` (the epochs); `batch`, the points that make a step; and `step`, of the grid of places that are shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from numerics.machine.blas import one_thread
from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.scaling import distances, scaled
from numerics.reproduce.figures.style import BLUE, GREY, RED, RISING, bare, side_by_side
from numerics.simulate import mlp
from numerics.simulate.datasets import blobs

MARKERS = ("o", "^")
CONTEXTS = ("context 1: tell x", "context 2: tell y")
ALONG = LinearSegmentedColormap.from_list("blue-grey-red", [BLUE, "#B9B2A6", RED])  # of a position
SHOWN = 5  # images along each axis of Figure 7


# --- the data set -----------------------------------------------------------------------------------------------------


def data_set(setting: Setting) -> Found:
    """The data set, and whether the place of a blob along the axis that counts is what is to be told."""
    side, pixels = setting.whole("side"), setting.whole("pixels")
    data = blobs(side, pixels)
    images = data.inputs[:, :-2].reshape(2, side * side, pixels, pixels)
    targets = data.targets.reshape(2, side * side)
    places = np.arange(pixels)
    centres = np.array([(images.sum(axis=2) @ places), (images.sum(axis=3) @ places)])  # axis, context, point
    along = [[np.corrcoef(centres[axis, c], targets[c])[0, 1] for c in range(2)] for axis in range(2)]
    measured = {
        "points": float(len(data.inputs)),
        "inputs": float(data.inputs.shape[1]),
        "told": float(min(along[0][0], along[1][1])),
        "ignored": float(max(abs(along[1][0]), abs(along[0][1]))),
    }
    chosen = np.linspace(0, side - 1, SHOWN).round().astype(int)
    shown = images[0].reshape(side, side, pixels, pixels)[np.ix_(chosen, chosen)]
    return Found({"images": shown, "places": np.linspace(-1.0, 1.0, side)[chosen], "targets": targets}, measured)


def draw_data_set(figure: Figure, data: Data) -> None:
    """Images by their places, and the targets of both contexts by the same places."""
    left, right = side_by_side(figure, [1.25, 2.0])
    images, places = data["images"], data["places"]
    top = float(images.max())
    for (row, column), axes in np.ndenumerate(left.subplots(SHOWN, SHOWN)):
        axes.imshow(images[column, SHOWN - 1 - row], cmap=RISING, vmin=0.0, vmax=top, origin="lower")
        bare(axes)
        if row == SHOWN - 1:
            axes.set_xlabel(_short(places[column]), fontsize=6.5)
        if column == 0:
            axes.set_ylabel(_short(places[SHOWN - 1 - row]), fontsize=6.5)
    left.supxlabel("x position", fontsize=8.0)
    left.supylabel("y position", fontsize=8.0)
    grid = np.atleast_1d(right.subplots(1, 2))
    side = round(data["targets"].shape[1] ** 0.5)
    for context, axes in enumerate(grid):
        wanted = data["targets"][context].reshape(side, side).T
        image = axes.imshow(wanted, cmap=ALONG, origin="lower", extent=(-1, 1, -1, 1))
        axes.set(title=CONTEXTS[context], xlabel="x position", xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    grid[0].set_ylabel("y position")
    right.colorbar(image, ax=grid.tolist(), label="target", shrink=0.62)


def _short(place: Any) -> str:
    return f"{round(float(place), 1) + 0.0:g}"


# --- what is learned --------------------------------------------------------------------------------------------------


def structure(setting: Setting, *, optimiser: str) -> Found:
    """The representation halfway, learned from small and from large weights."""
    learned = _learned(setting, optimiser)
    small, large = (spreads(grids) for grids in learned.grids)
    measured = {
        "small": max(small),
        "large": min(large),
        "lines": line_distance(learned.grids[0]),
        "start": min(spreads(learned.starts[0])),
        "left": learned.left,
    }
    planes = [[_plane(context) for context in grids] for grids in _chosen(setting, learned)]
    return Found({"planes": np.array(planes), "places": _places(setting)}, measured)


def very_small(setting: Setting) -> Found:
    """From very small weights, with tanh as printed and with leaky ReLU."""
    learned = _learned(setting, "sgd", ("tanh", "leaky_relu"))
    printed, leaky = (line_distance(grids) for grids in learned.grids)
    measured = {
        "lines": printed,
        "leaky": leaky,
        "start": line_distance(learned.starts[0]),
        "collapsed": max(max(spreads(grids)) for grids in learned.grids),
        "left": learned.left,
    }
    planes = [_plane(grids) for grids in _chosen(setting, learned)]
    return Found({"planes": np.array(planes), "places": _places(setting)}, measured)


def spreads(grids: Array) -> tuple[float, float]:
    """Variance along the axis that does not count over that along the one that does, for each context.

    `grids` has the representation by context, x, y and unit. Along an axis, means over the other one are taken.
    """

    def variance(context: int, axis: int) -> float:
        line = grids[context].mean(axis=1 - axis, dtype=np.float64)
        return float(np.sum(np.var(line, axis=0)))

    return variance(0, 1) / variance(0, 0), variance(1, 0) / variance(1, 1)


def line_distance(grids: Array) -> float:
    """How far the two contexts' representations of the same answer are apart, over the length of their lines."""
    lines = grids[0].mean(axis=1, dtype=np.float64), grids[1].mean(axis=0, dtype=np.float64)
    lengths = [np.linalg.norm(line[-1] - line[0]) for line in lines]
    return float(np.mean(np.linalg.norm(lines[0] - lines[1], axis=1)) / np.mean(lengths))


class Learned(NamedTuple):
    """Representations of some networks (network, context, x, y, unit), and the largest share of the loss left."""

    starts: Array
    grids: Array
    left: float


def _learned(setting: Setting, optimiser: str, activations: Sequence[str] = ("tanh", "tanh")) -> Learned:
    """Networks with the architecture of Table 2, but for their activation, from the setting's gains."""
    side, batch = setting.whole("side"), setting.whole("batch")
    data, points, losses = blobs(side), [], []
    numbers = zip(setting.numbers("gains"), setting.numbers("rates"), setting.wholes("lasting"), strict=True)
    for activation, (gain, rate, epochs) in zip(activations, numbers, strict=True):
        network = replace(mlp.PAPER["blobs, low weights"].architecture, gain=gain, activation=activation)
        how: dict[str, Any] = {
            "eta": rate,
            "epochs": epochs,
            "batch": batch,
            "optimiser": optimiser,
            "precision": "float32",
        }
        with setting.shelf("blobs", network=vars(network), side=side, **how) as folder, one_thread():
            (run,) = mlp.train_many(
                network, data, seeds=[setting.seed], record=[0, epochs], folder=folder, weights=False, **how
            )
        points.append(run.hidden[network.halfway].reshape(2, 2, side, side, -1))
        losses.append(float(run.losses[-1]))
        setting.tell(len(points) / (len(activations) + 1))
    starts, grids = np.moveaxis(np.array(points), 1, 0)
    return Learned(starts, grids, max(losses) / (0.5 * float(np.var(data.targets))))


def _shown(setting: Setting) -> Array:
    """Which places along an axis are shown."""
    step = setting.whole("step")
    return np.arange(step // 2, setting.whole("side"), step)


def _places(setting: Setting) -> Array:
    return np.asarray(np.linspace(-1.0, 1.0, setting.whole("side"))[_shown(setting)])


def _chosen(setting: Setting, learned: Learned) -> Array:
    shown = _shown(setting)
    return np.asarray(learned.grids[:, :, shown][:, :, :, shown])


def _plane(points: Array) -> Array:
    """Places in the plane whose distances are as near as can be to those of the representations."""
    return scaled(distances(points.reshape(-1, points.shape[-1]).astype(np.float64)))


# --- drawing ----------------------------------------------------------------------------------------------------------


def draw_structure(figure: Figure, data: Data) -> None:
    """Each context in a plane of its own, by the position that it asks for and by the other one."""
    halves = side_by_side(figure, [1.0, 1.13])
    positions = _positions(data)
    for half, title, contexts in zip(halves, ("small weights", "large weights"), data["planes"], strict=True):
        grid = half.subplots(2, 2)
        half.suptitle(title, fontsize=9.0)
        for (context, column), axes in np.ndenumerate(grid):
            image = _scatter(axes, contexts[context], positions[context if column == 0 else 1 - context])
            axes.set_title(("by what counts", "by what does not")[column] if context == 0 else "", loc="center")
            axes.set_ylabel(CONTEXTS[context] if column == 0 and half is halves[0] else "")
    figure.colorbar(image, ax=grid.ravel().tolist(), label="position", ticks=[-1, 0, 1], aspect=20, shrink=0.8)


def draw_very_small(figure: Figure, data: Data) -> None:
    """Both contexts in one plane, by what they ask for."""
    grid = figure.subplots(1, 2)
    positions = _positions(data)
    for axes, plane, title in zip(grid, data["planes"], ("tanh", "leaky ReLU"), strict=True):
        for points, position, marker in zip(plane.reshape(2, -1, 2), positions, MARKERS, strict=True):
            image = _scatter(axes, points, position, marker)
        axes.set_title(title, loc="center")
    figure.colorbar(image, ax=grid.tolist(), label="target", ticks=[-1, 0, 1], aspect=14, shrink=0.8)
    handles = [Line2D([], [], color=GREY, marker=marker, linestyle="", markersize=4.0) for marker in MARKERS]
    figure.legend(handles, CONTEXTS, loc="outside lower center", ncols=2, handletextpad=0.2)


def _positions(data: Data) -> tuple[Array, Array]:
    """Where each point is along x and along y."""
    x, y = np.meshgrid(data["places"], data["places"], indexing="ij")
    return x.ravel(), y.ravel()


def _scatter(axes: Axes, points: Array, position: Array, marker: str = "o") -> PathCollection:
    x, y = points.T
    how: dict[str, Any] = {"cmap": ALONG, "vmin": -1.0, "vmax": 1.0, "s": 7.0, "linewidths": 0.0}
    bare(axes)
    axes.set_aspect("equal", adjustable="datalim")
    return axes.scatter(x, y, c=position, marker=marker, **how)


PANELS = {
    "fig_7": Panel(data_set, draw_data_set, (6.6, 2.5)),
    "fig_8": Panel(partial(structure, optimiser="sgd"), draw_structure, (6.8, 3.5)),
    "fig_12": Panel(very_small, draw_very_small, (5.0, 2.7)),
    "fig_15": Panel(partial(structure, optimiser="adam"), draw_structure, (6.8, 3.5)),
}
