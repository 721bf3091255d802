"""Figure 5: how far apart two points end, over a grid of distances of inputs and targets, for each network of Table 1.

Each dot is one network. The two effective rates are those that fit networks at one pair of distances, averaged over all
that converged; equation 10 needs nothing but their ratio, and each network's own start.

A setting also has `input_distances` and `target_distances`, the grid, and `grid_epochs`; `fitting`, how many networks
the rates are averaged over, with the data that `points` makes; `layer`, the hidden layer to look at; `until`, the loss
that ends training, or 0; and `converged`: what the loss must end below, but for the error of the mean answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import numpy as np
from matplotlib.figure import Figure
from numba import get_num_threads

from numerics.kernels import kernel
from numerics.reproduce.figures import style
from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.van_rossem_saxe_2024.two_points import Trial, fitted, network, points, trials
from numerics.simulate.datasets import Dataset, two_points

NETWORKS = (
    "default", "convolution", "skip connections", "shallow", "narrow", "dropout",
    "linear", "relu", "elu", "tanh", "swish",
)  # fmt: skip
TOGETHER = 6  # networks whose starts are in memory at once
EQUAL = 1e-12  # |y2 - y1|^2 that stands for 0, where equation 10 is a limit


class Rates(NamedTuple):
    """Means of effective rates, and of how many networks."""

    h: float
    y: float
    networks: int


def compute(setting: Setting, *, name: str) -> Found:
    """The final distances of all networks that converged, and those that are expected of them."""
    dx, dy = np.array(setting.numbers("input_distances")), np.array(setting.numbers("target_distances"))
    count, parts = setting.whole("fitting"), dx.size * dy.size
    first = setting.seed * (count + parts)
    seeds = range(first, first + count + parts)
    rates = _rates(setting, name, seeds[:count], count / len(seeds))
    long = replace(setting, values={**setting.values, "epochs": setting.whole("grid_epochs"), "records": 2})
    final, predicted = np.full((2, dx.size, dy.size), np.nan)

    def one(k: int) -> Trial:
        (trial,) = _trained(long, name, [seeds[count + k]], two_points(dx[k // dy.size], dy[k % dy.size]))
        return trial

    with ThreadPoolExecutor(_abreast(setting, name)) as pool:
        for k, trial in enumerate(pool.map(one, range(parts))):
            if _converged(setting, trial):
                final.flat[k], predicted.flat[k] = trial.curves[-1, 0], _final(rates, trial)
            setting.tell((count + k + 1) / len(seeds))
    data = {"dx": dx, "dy": dy, "final": final, "predicted": predicted}
    return Found(data, {**_measured(final, predicted), "ratio": rates.h / rates.y, "fitted": float(rates.networks)})


def _abreast(setting: Setting, name: str) -> int:
    """How many networks of the grid are trained at once: convolutions take one thread each, and others all there are.

    >>> _abreast(Setting({"most_units": 500, "faster": 1.0, "epochs": 10}, 0), "default")
    1
    """
    return get_num_threads() if network(setting, name).architecture.channels else 1


def _rates(setting: Setting, name: str, seeds: Sequence[int], share: float) -> Rates:
    """The means of 1/tau_h and 1/tau_y over the networks that converged."""
    constants = []
    for begin in range(0, len(seeds), TOGETHER):
        some = _trained(setting, name, seeds[begin : begin + TOGETHER], points(setting))
        constants += [fitted(trial).constants for trial in some if _converged(setting, trial)]
        setting.tell(share * (begin + len(some)) / len(seeds))
    h, y = np.mean(1.0 / np.array(constants), axis=0) if constants else (np.nan, np.nan)
    return Rates(float(h), float(y), len(constants))


def _trained(setting: Setting, name: str, seeds: Sequence[int], data: Dataset) -> list[Trial]:
    layers, until = [setting.whole("layer")], setting.number("until") or None
    return trials(setting, name, seeds, data=data, layers=layers, until=until)


def _converged(setting: Setting, trial: Trial) -> bool:
    """Check whether the answers end as far apart as the targets, by equation 9 without the error of the mean answer."""
    _, y, w = trial.curves[-1]
    loss = kernel("van_rossem_saxe_2024:training_loss")(y, w, trial.s, 0.0, 1.0, 0.0)[0]
    return bool(loss <= setting.number("converged"))


def _final(rates: Rates, trial: Trial) -> float:
    """|dh|^2 in the end, by equation 10."""
    h, y, _ = trial.curves[0]
    found = kernel("van_rossem_saxe_2024:final_distance")(
        h, y, trial.X, max(trial.s, EQUAL), 1.0 / rates.h, 1.0 / rates.y
    )
    return float(found[0])


def _measured(final: Array, predicted: Array) -> dict[str, float]:
    """Numbers over the networks that converged; steps are from each distance of targets to the next larger one."""
    there = np.isfinite(final) & np.isfinite(predicted)
    steps = np.diff(final, axis=1)
    some, unequal = there.sum() > 2, there & (np.arange(final.shape[1]) > 0)
    return {
        "correlation": float(np.corrcoef(final[there], predicted[there])[0, 1]) if some else np.nan,
        "deviation": float(np.median(np.abs(final[unequal] / predicted[unequal] - 1.0))) if some else np.nan,
        "rising": float(np.mean(steps[np.isfinite(steps)] > 0)) if some else np.nan,
        "smallest": float(np.mean(~(final < final[:, :1]).any(axis=1))),
        "converged": float(np.isfinite(final).mean()),
    }


def draw(figure: Figure, data: Data) -> None:
    """A dot for each network, and the line on which they would lie if the theory were exact."""
    axes = figure.add_subplot()
    top = 1.08 * float(np.nanmax([data["final"], data["predicted"]]))
    style.theoretical(axes, [0.0, top], [0.0, top], zorder=1)
    for k, dx in enumerate(data["dx"]):
        axes.plot(data["predicted"][k], data["final"][k], "o", color=style.COLOURS[k], markersize=3.5, label=f"{dx:g}")
    axes.set(xlabel=r"$\|dh(\infty)\|^2$ by Eq. 10", ylabel=r"final $\|dh\|^2$", xlim=(0.0, top), ylim=(0.0, top))
    axes.set_aspect("equal")
    axes.legend(title=r"$\|x_2-x_1\|$", loc="upper left", bbox_to_anchor=(1.0, 1.0), handletextpad=0.1)


PANELS = {f"fig_5_{name.replace(' ', '_')}": Panel(partial(compute, name=name), draw, (3.2, 2.5)) for name in NETWORKS}
