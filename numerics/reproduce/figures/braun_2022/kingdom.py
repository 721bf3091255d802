"""Semantic tasks: eight items, each with its place in a tree, and how such a tree is drawn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes

from numerics.reproduce.figures.panel import Array
from numerics.reproduce.figures.style import COLOURS, GREY

ITEMS = ("goldfish", "salmon", "robin", "canary", "rose", "daisy", "oak", "pine")
BRANCHES = ("animals", "plants", "fish", "birds", "flowers", "trees")
LEVELS = ((1, 2), (2, 4), (4, 8))  # how many nodes share a level, and how many below

ITEM_COLOURS = COLOURS[:8]


def hierarchy(order: Sequence[int] = range(8)) -> Array:
    """Features (feature, item) of a tree whose leaves are the items in this order.

    One feature is common to all; the feature of each branching is 1 for the items on its left, -1 for those on its
    right and 0 for all others. Features are orthogonal.
    """
    rows = [np.ones(8)]
    for branchings, _ in LEVELS:
        width = 8 // branchings
        for k in range(branchings):
            row = np.zeros(8)
            row[k * width : k * width + width // 2] = 1.0
            row[k * width + width // 2 : (k + 1) * width] = -1.0
            rows.append(row)
    features = np.empty((8, 8))
    features[:, list(order)] = np.array(rows)
    return features


def task(order: Sequence[int] = range(8)) -> Array:
    """Sigma_yx of the white inputs that tell the item, one after the other: features over the root of eight."""
    return np.asarray(hierarchy(order) / np.sqrt(8.0))


def decomposition(sigma: Array) -> tuple[Array, Array, Array]:
    """U, S, V' of a task whose features are orthogonal and ordered by size, one mode for each feature."""
    S = np.linalg.norm(sigma, axis=1)
    return np.eye(len(S)), S, sigma / S[:, None]


def similarities(sigma: Array) -> tuple[Array, Array]:
    """Return what the weights' correlations W1'W1 and W2 W2' are after rich learning: V S V' and U S U'."""
    U, S, Vt = decomposition(sigma)
    return np.asarray(Vt.T * S @ Vt), np.asarray(U * S @ U.T)


def tree(
    axes: Axes, order: Sequence[int] = range(8), branches: Sequence[str] = BRANCHES, root: str = "living things"
) -> None:
    """The tree, its branches named, with the items below in this order, each in its colour."""
    leaves = np.arange(8.0)
    places = [leaves]
    while places[-1].size > 1:
        places.append(places[-1].reshape(-1, 2).mean(axis=1))
    for level, (below, above) in enumerate(pairwise(places)):
        for k, x in enumerate(below):
            axes.plot([x, x, above[k // 2]], [level, level + 1, level + 1], color=GREY, linewidth=0.9, zorder=1)
    names = [[root], branches[:2], branches[2:6]]
    for level, (texts, where) in enumerate(zip(names, places[:0:-1], strict=True)):
        for text, x in zip(texts, where, strict=True):
            box = {"facecolor": "white", "edgecolor": "none", "pad": 1.2}
            axes.text(x, 3 - level, text, ha="center", va="center", fontsize=7, bbox=box)
    for x, item in enumerate(order):
        axes.plot(x, 0.0, "o", color=ITEM_COLOURS[item], markersize=4.5)
        axes.text(x, -0.22, ITEMS[item], ha="right", va="top", rotation=45, fontsize=6.5, rotation_mode="anchor")
    axes.set(xlim=(-0.9, 7.6), ylim=(-1.45, 3.35))
    axes.axis("off")
