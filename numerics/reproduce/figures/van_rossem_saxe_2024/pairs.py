"""Final distances between the representations of all points of a data set, simulated and by equation 10."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage

from numerics.kernels import kernel
from numerics.reproduce.figures.panel import Array
from numerics.reproduce.figures.style import RISING, bare

FINAL = "van_rossem_saxe_2024:final_distance"


def squares(points: Array) -> Array:
    """Squared distances of all rows from one another."""
    rows = np.asarray(points, dtype=np.float64)
    lengths = np.sum(rows**2, axis=1)
    distances = np.maximum(lengths[:, None] + lengths - 2.0 * rows @ rows.T, 0.0)
    np.fill_diagonal(distances, 0.0)
    return np.asarray(distances)


def final_squares(h0: Array, y0: Array, X: Array, s: Array, ratio: float) -> Array:
    """|dh|^2 in the end of each pair (Eq. 10), from tables of |dh(0)|^2, |dy(0)|^2, |x2 - x1|^2 and |y2 - y1|^2.

    `ratio` is tau_y/tau_h. Equal targets, for which the kernel does not answer, end at A_high or, below zero, at 0.
    """
    final = kernel(FINAL)
    ends = np.zeros_like(h0)
    for i, j in zip(*np.triu_indices(len(h0), 1), strict=True):
        pair = float(h0[i, j]), float(y0[i, j]), float(X[i, j])
        if s[i, j] > 0.0:
            ends[i, j] = final(*pair, float(s[i, j]), 1.0, ratio)[0]
        else:
            ends[i, j] = max(pair[0] - ratio * pair[2] * pair[1] / pair[0], 0.0)
    return np.asarray(ends + ends.T)


def between(table: Array) -> Array:
    """The entries of a symmetric table, each pair once."""
    return np.asarray(table[np.triu_indices(len(table), 1)])


def correlation(first: Array, second: Array) -> float:
    """Pearson's, over all pairs."""
    return float(np.corrcoef(between(first), between(second))[0, 1])


def chart(axes: Axes, table: Array, *, top: float, labels: Sequence[str] = (), numbers: bool = False) -> AxesImage:
    """A table of distances in colours from 0 to `top`, with its numbers if there are few."""
    image = axes.imshow(table, cmap=RISING, vmin=0.0, vmax=top, interpolation="nearest")
    bare(axes)
    if labels:
        axes.set(xticks=range(len(labels)), yticks=range(len(labels)))
        axes.set_xticklabels(labels, fontsize=5.5)
        axes.set_yticklabels(labels, fontsize=5.5)
        axes.tick_params(length=0.0, pad=2.0)
    if numbers:
        for (row, column), value in np.ndenumerate(table):
            colour = "white" if value > 0.55 * top else "black"
            text = "0" if row == column else _short(value)
            axes.text(column, row, text, ha="center", va="center", fontsize=5.0, color=colour)
    return image


def _short(value: float) -> str:
    """The number with two digits, in a few characters."""
    return f"{value:.0f}" if value >= 99.5 else f"{value:.2g}" if value >= 0.001 else "<.001"
