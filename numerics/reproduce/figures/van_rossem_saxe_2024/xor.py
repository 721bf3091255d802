"""Figures 6 and 14: how far apart the four points of the exclusive or end, in a deep network and in one of two layers.

The theory's prediction has the ratio of the time constants that are fitted to the default network on two points, as in
the paper, and starts where the network that it is compared with does.

A setting has what `two_points` asks for, and `fitting`, how many networks the ratio is averaged over; `gains`, `rates`
and `lasting` (the epochs) of each size of starting weights; for the printed run that learns nothing, `printed_gain` and
`printed_lasting`; and for the network of two layers `networks`, how many of them are trained.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLUE, RED, side_by_side
from numerics.reproduce.figures.van_rossem_saxe_2024.pairs import between, chart, correlation, final_squares, squares
from numerics.reproduce.figures.van_rossem_saxe_2024.two_points import fitted, points, trials
from numerics.simulate import mlp
from numerics.simulate.datasets import xor

SCALES = ("low", "intermediate", "high")
NAMES = ("(0,0)", "(1,0)", "(0,1)", "(1,1)")
EQUAL = between(squares(xor().targets)) == 0.0
PLATEAU = 0.125  # the loss of answering one half to everything


class Ended(NamedTuple):
    """Squared distances of the representations in the end, and those of the theory from the same start."""

    network: Array
    theory: Array
    started: Array
    loss: float  # relative to that of answering one half


def time_constants(setting: Setting) -> float:
    """tau_y/tau_h of the default network on two points, from the mean effective rates."""
    seeds = range(setting.whole("fitting"))
    fits = [fitted(trial) for trial in trials(setting, "default", seeds, data=points(setting))]
    rates = np.mean([[1.0 / found.tau_h, 1.0 / found.tau_y] for found in fits], axis=0)
    return float(rates[0] / rates[1])


def ended(run: mlp.Run, layer: int, ratio: float) -> Ended:
    """Return what became of the pairs, by the first and the last record of a run."""
    data = xor()
    h0, h1 = (squares(hidden) for hidden in run.hidden[layer][[0, -1]])
    theory = final_squares(h0, squares(run.outputs[0]), squares(data.inputs), squares(data.targets), ratio)
    return Ended(h1, theory, h0, float(run.losses[-1]) / PLATEAU)


def _network(setting: Setting, name: str) -> mlp.Architecture:
    architecture = mlp.PAPER[name].architecture
    return replace(architecture, units=min(architecture.units, setting.whole("most_units")))


def _trained(setting: Setting, learning: mlp.Setting, seeds: Sequence[int], optimiser: str = "sgd") -> list[mlp.Run]:
    """Networks on the exclusive or, looked at at the start and at the end; narrow ones with a higher rate."""
    network, eta, epochs = learning
    rate = eta * mlp.Architecture().units / network.units
    how: dict[str, Any] = {"eta": rate, "epochs": epochs, "optimiser": optimiser, "precision": "float32"}
    record = [0, epochs]
    with setting.shelf("xor", network=vars(network), **how) as folder:
        return mlp.train_many(network, xor(), seeds=seeds, record=record, folder=folder, weights=False, **how)


# --- deep networks ----------------------------------------------------------------------------------------------------


def deep(setting: Setting, *, optimiser: str) -> Found:
    """One network of 20 layers from each size of starting weights."""
    ratio = time_constants(setting)
    setting.tell(0.5)
    network = _network(setting, "xor, low weights")
    scales = zip(setting.numbers("gains"), setting.numbers("rates"), setting.wholes("lasting"), strict=True)
    endings = []
    for gain, rate, epochs in scales:
        run = _trained(setting, mlp.Setting(replace(network, gain=gain), rate, epochs), [setting.seed], optimiser)[0]
        endings.append(ended(run, network.halfway, ratio))
        setting.tell(0.5 + len(endings) / 8)
    data = {name: np.array([getattr(pairs, name) for pairs in endings]) for name in ("network", "theory")}
    measured = _measured(endings)
    if optimiser == "sgd":
        measured["printed"] = _printed(setting, network)
    return Found({**data, "one_scale": np.array(optimiser == "sgd")}, {**measured, "ratio": ratio})


def _printed(setting: Setting, network: mlp.Architecture) -> float:
    """Return what the gain and the number of epochs that are printed for low weights leave of the plateau's loss."""
    network = replace(network, gain=setting.number("printed_gain"))
    rate, epochs = setting.numbers("rates")[0], setting.whole("printed_lasting")
    return float(_trained(setting, mlp.Setting(network, rate, epochs), [setting.seed])[0].losses[-1]) / PLATEAU


def _measured(found: Sequence[Ended]) -> dict[str, float]:
    low, _, high = found
    pairs, theory = between(low.network), between(low.theory)
    kept = between(high.network)[EQUAL] / between(high.started)[EQUAL]
    return {
        "merged": float(pairs[EQUAL].max() / pairs[~EQUAL].min()),
        "kept": float(kept.min()),
        "deviation": float(np.abs(pairs / theory - 1.0)[~EQUAL].max()),
        "size": float(pairs[~EQUAL].mean() / theory[~EQUAL].mean()),
        **{scale: correlation(pairs.network, pairs.theory) for scale, pairs in zip(SCALES, found, strict=True)},
        "loss": max(pairs.loss for pairs in found),
    }


# --- networks of two layers -------------------------------------------------------------------------------------------


def shallow(setting: Setting, *, optimiser: str) -> Found:
    """Networks with one hidden layer from small weights; the first one is shown."""
    ratio = time_constants(setting)
    network = _network(setting, "xor, 2 layers")
    seeds = range(setting.seed, setting.seed + setting.whole("networks"))
    learning = mlp.Setting(network, setting.number("rate"), setting.whole("lasting"))
    runs = _trained(setting, learning, seeds, optimiser)
    endings = [ended(run, 1, ratio) for run in runs]
    merged = [one_merged(pairs.network) for pairs in endings]
    apart = [between(pairs.network)[EQUAL] for pairs in endings]
    measured = {
        "one_merges": float(np.mean(merged)),
        "nearer": float(max(pair.min() / pair.max() for pair in apart)),
        "theory": float(
            max(between(pairs.theory)[EQUAL].max() / between(pairs.theory)[~EQUAL].min() for pairs in endings)
        ),
        "loss": max(pairs.loss for pairs in endings),
    }
    return Found({"network": endings[0].network[None], "theory": endings[0].theory[None]}, measured)


def one_merged(table: Array) -> bool:
    """Check whether exactly one of the pairs with equal targets is ten times nearer than all with different ones."""
    pairs = between(table)
    return bool(np.sum(pairs[EQUAL] < 0.1 * pairs[~EQUAL].min()) == 1)


# --- drawing ----------------------------------------------------------------------------------------------------------


def draw_deep(figure: Figure, data: Data) -> None:
    problem, maps = side_by_side(figure, [1.0, 3.6])
    _problem(problem.subplots())
    titles = [f"{scale} weights" for scale in SCALES]
    _maps(maps, data, titles, one_scale=bool(data["one_scale"]))


def draw_shallow(figure: Figure, data: Data) -> None:
    _maps(figure, data, ["2 layers, low weights"], one_scale=False)


def _problem(axes: Axes) -> None:
    """The four points and their targets."""
    inputs, targets = xor()
    for (x, y), target in zip(inputs, targets[:, 0], strict=True):
        axes.plot(x, y, "o", markersize=11.0, color=RED if target else BLUE)
        axes.text(x, y, f"{target:.0f}", color="white", ha="center", va="center", fontsize=7.0, weight="bold")
    axes.set(xlim=(-0.3, 1.3), ylim=(-0.3, 1.3), xticks=[0, 1], yticks=[0, 1], aspect="equal")
    axes.set(xlabel="input 1", ylabel="input 2", title="targets")
    axes.spines[:].set_position(("outward", 4.0))


def _maps(figure: Figure | SubFigure, data: Data, titles: Sequence[str], *, one_scale: bool) -> None:
    """Draw each table of network and theory; the colours end at the larger maximum, or at each table's own."""
    grid = figure.subplots(2, len(titles), squeeze=False)
    for column, title in enumerate(titles):
        tables = {"network": data["network"][column], "theory": data["theory"][column]}
        both = max(float(table.max()) for table in tables.values())
        for row, (name, table) in enumerate(tables.items()):
            axes = grid[row, column]
            chart(axes, table, top=both if one_scale else float(table.max()), labels=NAMES, numbers=True)
            axes.set_title(title if row == 0 else "", loc="center")
            axes.set_ylabel(rf"{name}, $\|dh\|^2$" if column == 0 else "")


PANELS = {
    "fig_6_deep": Panel(partial(deep, optimiser="sgd"), draw_deep, (6.6, 3.1)),
    "fig_6_shallow": Panel(partial(shallow, optimiser="sgd"), draw_shallow, (1.9, 3.3)),
    "fig_14_deep": Panel(partial(deep, optimiser="adam"), draw_deep, (6.6, 3.1)),
    "fig_14_shallow": Panel(partial(shallow, optimiser="adam"), draw_shallow, (1.9, 3.3)),
}
