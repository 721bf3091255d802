"""How order parameters over time are drawn."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes

from numerics.reproduce.figures.carrasco_davis_grant_2025.students import TIME
from numerics.reproduce.figures.panel import Array, Data
from numerics.reproduce.figures.style import BLUE, GREEN, RED, key, simulated, theoretical


def draw_overlaps(axes: Axes, times: Array, data: Data) -> None:
    """Every entry of R, and of Q those on and above the diagonal, simulated and computed."""
    upper = np.triu_indices(data["Q"].shape[1])
    colours = [BLUE if i == j else GREEN for i, j in zip(*upper, strict=True)]
    simulated(axes, times, _entries(data["R"]), [RED], linewidth=1.2)
    simulated(axes, times, data["Q"][:, upper[0], upper[1]].T, colours, linewidth=1.2)
    theoretical(axes, times, _entries(data["R_theory"]))
    theoretical(axes, times, data["Q_theory"][:, upper[0], upper[1]].T)
    axes.set(xlabel=TIME, ylabel="order parameters", xlim=(0.0, times[-1]))
    axes.set_ylim(top=1.4 * axes.get_ylim()[1])
    names = [(BLUE, "$Q_{ii}$"), (GREEN, r"$Q_{ik},\ i\neq k$"), (RED, "$R_{in}$")]
    key(axes, names, loc="upper left", ncols=2)


def _entries(matrices: Array) -> Array:
    """One row for each entry."""
    return matrices.reshape(len(matrices), -1).T
