"""Equation 49 and Figure 10: what the fit finds for many networks, and for each layer of the default one."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullFormatter

from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLUE, GREY, ORANGE, RED, RISING, simulated
from numerics.reproduce.figures.van_rossem_saxe_2024.two_points import arrived, fitted, points, trials
from numerics.simulate.datasets import two_points
from numerics.theory import two_point
from numerics.theory.two_point.fit import fit, profile

# --- equation 49 ------------------------------------------------------------------------------------------------------

AROUND = np.linspace(-1.5, 1.5, 41)  # natural logarithms of the constants over those that are found


def constants(setting: Setting) -> Found:
    """Fits of several networks, the loss of the fit around one of them, and a fit of what the theory itself does."""
    seeds, data = range(setting.seed, setting.seed + setting.whole("networks")), points(setting)
    runs = trials(setting, "default", seeds, data=data)
    setting.tell(0.5)
    printed = trials(setting, "default", seeds, data=two_points(setting.number("dx"), setting.number("dy")))
    setting.tell(0.9)
    fits = [fitted(trial) for trial in runs]
    values = np.array([fit_of_layer.constants for fit_of_layer in fits])
    own, first = fits[0], runs[0]
    h, y, w = own.theory.T
    again = fit(first.epochs, h, y, w, first.X, first.s, exact_start=True)
    spreads = np.std(np.log(values), axis=0)
    measured = {
        "unexplained": float(max(1.0 - fit_of_layer.r_squared for fit_of_layer in fits)),
        "recovered": float(np.abs(np.array(again.constants) / own.constants - 1.0).max()),
        "spread_h": float(spreads[0]),
        "spread_y": float(spreads[1]),
        "arrived": float(np.mean([arrived(trial) for trial in runs])),
        "arrived_as_printed": float(np.mean([arrived(trial) for trial in printed])),
    }
    grid = np.array([[a, b] for a in AROUND for b in AROUND])
    given = np.column_stack([np.tile([first.X, first.s], (len(grid), 1)), np.exp(grid) * values[0]])
    starts = np.tile(first.curves[0], (len(grid), 1))
    curves = two_point.closed_form(starts, given, first.epochs)
    around = np.trapezoid(np.sum((curves - first.curves) ** 2, axis=2), first.epochs, axis=1)
    shown = {"constants": values, "around": around.reshape(AROUND.size, AROUND.size)}
    return Found(shown, measured)


def draw_constants(figure: Figure, data: Data) -> None:
    axes = figure.subplots()
    tau_h, tau_y = (np.exp(AROUND) * number for number in data["constants"][0])
    levels = np.log10(data["around"]).T
    image = axes.contourf(tau_h, tau_y, levels, 12, cmap=RISING.reversed())
    axes.plot(*data["constants"][1:].T, "o", color=ORANGE, markersize=4.0, markeredgecolor="white", label="others")
    axes.plot(*data["constants"][0], "*", color=RED, markersize=9.0, markeredgecolor="white", label="this network")
    axes.set(xscale="log", yscale="log", xlabel=r"$\tau_h$ (epochs)", ylabel=r"$\tau_y$ (epochs)")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_minor_formatter(NullFormatter())
        axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
        axis.set_major_formatter(lambda number, _: f"{number:g}")
    axes.set(xlim=(tau_h[0], tau_h[-1]), ylim=(tau_y[0], tau_y[-1]))
    figure.colorbar(image, ax=axes, label=r"$\log_{10}$ loss of the fit")
    axes.legend(loc="lower left")


# --- figure 10 --------------------------------------------------------------------------------------------------------


def depth(setting: Setting) -> Found:
    """Loss of the fit and effective rates for each hidden layer of the default network, for several seeds."""
    seeds, layers = range(setting.seed, setting.seed + setting.whole("networks")), range(1, 21)
    runs = trials(setting, "default", seeds, data=points(setting), layers=layers)
    setting.tell(0.8)
    rows = []
    for trial in runs:
        h = [trial.layers[layer][:, 0] for layer in layers]
        y, w = trial.curves[:, 1:].T
        found = profile(trial.epochs, h, y, w, trial.X, trial.s, exact_start=True)
        rows.append([[fit_of_layer.loss, *(1.0 / np.array(fit_of_layer.constants))] for fit_of_layer in found])
        setting.tell(0.8 + 0.2 * len(rows) / len(runs))
    loss, encoder, decoder = np.moveaxis(np.array(rows), 2, 0)
    late = slice(10, 20)
    measured = {
        "arrived": float(np.mean([arrived(trial) for trial in runs])),
        "improves": float(loss[:, :10].mean() / loss[:, late].mean()),
        "encoder": _rank(encoder.mean(axis=0)[late]),
        "decoder": _rank(decoder.mean(axis=0)[late]),
        "decoder_early": _rank(decoder.mean(axis=0)[:10]),
        "best": float(np.argmin(loss.mean(axis=0)) + 1),
    }
    return Found({"layers": np.arange(1, 21), "loss": loss, "encoder": encoder, "decoder": decoder}, measured)


def _rank(values: Array) -> float:
    """Spearman's correlation with the depth."""
    return float(np.corrcoef(np.argsort(np.argsort(values)), np.arange(values.size))[0, 1])


def draw_depth(figure: Figure, data: Data) -> None:
    left, right = figure.subplots(1, 2)
    layers = data["layers"]
    for axes, name, colour, label in (
        (left, "loss", RED, ""),
        (right, "encoder", BLUE, r"encoder, $1/\tau_h$"),
        (right, "decoder", ORANGE, r"decoder, $1/\tau_y$"),
    ):
        simulated(axes, layers, data[name], [colour], linewidth=0.7, alpha=0.4)
        simulated(axes, layers, data[name].mean(axis=0), [colour], marker="o", markersize=3.0, label=label)
    for axes, label in ((left, "loss of the fit (epochs)"), (right, "effective rate (1/epoch)")):
        axes.axvline(10.5, color=GREY, linewidth=0.7, linestyle="--")
        axes.set(xlabel="hidden layer", ylabel=label, yscale="log", xticks=[1, 5, 10, 15, 20])
    right.legend(loc="best")


PANELS = {
    "fit_of_time_constants": Panel(constants, draw_constants, (3.8, 2.8)),
    "fig_10": Panel(depth, draw_depth, (6.4, 2.6)),
}
