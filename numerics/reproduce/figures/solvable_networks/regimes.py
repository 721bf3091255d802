"""Figure 1: what learning changes in a network of one mode, over its balance lambda and its scale a0."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import LogNorm
from matplotlib.figure import Figure

from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLACK, GREY, RISING
from numerics.simulate.linear_network import learn

MAPS = {
    "kernel": "the tangent kernel grows by",
    "hidden": r"$W_1^TW_1$ grows by",
    "wait": r"time to $a=s/2$, beside a fixed kernel",
}
LEVELS = {"kernel": (1.1, 3, 10, 100), "hidden": (1.1, 10, 1e3, 1e5), "wait": (1.1, 1.5, 2, 4)}
LINEAR = 0.01  # balances below it lie evenly on their axis, larger ones as their logarithms
TICKS = ([-10.0, -1.0, -0.1, 0.0, 0.1, 1.0, 10.0], ["\u221210", "\u22121", "\u22120.1", "0", "0.1", "1", "10"])
SHADES = 31
LONG = 9.0  # by how many factors of e a mode is closer to the task in the end than where it leaves its start


def regimes(setting: Setting) -> Found:
    """Closed forms on a fine grid, and gradient descent on a coarse one."""
    fine, coarse = (_grid(setting, setting.whole(name)) for name in ("fine", "coarse"))
    maps, theory = changes(*fine), changes(*coarse)
    found = simulated(*coarse, setting.whole("steps"))
    measured = {f"{name}_gap": float(np.abs(found[name] / theory[name] - 1.0).max()) for name in MAPS}
    measured |= {
        "kernel_at_most": float(found["kernel"][:, [0, -1]].max()),
        "hidden_below": float(found["hidden"][0, 0]),
        "hidden_above": float(found["hidden"][0, -1]),
        "kernel_between": float(found["kernel"][0, setting.whole("coarse") // 2]),
    }
    data = {f"{name}_theory": values for name, values in maps.items()} | {name: found[name] for name in MAPS}
    return Found(data | {"fine": np.stack(fine), "coarse": np.stack(coarse)}, measured)


def _grid(setting: Setting, count: int) -> tuple[Array, Array]:
    """Balances along the second axis, even where it is drawn, and scales along the first one, even in logarithms."""
    scales = np.geomspace(setting.number("smallest"), setting.number("largest"), count)
    end = np.arcsinh(setting.number("balance") / LINEAR)
    balances, rows = np.meshgrid(LINEAR * np.sinh(np.linspace(-end, end, count)), scales)
    return balances, rows


def changes(balance: Array, a0: Array) -> dict[str, Array]:
    """Each map in closed form, for a task of s = 1; without differences that cancel."""
    mu = balance / 2.0
    root, size = np.hypot(1.0, mu), np.hypot(a0, mu)
    hidden = np.where(mu > 0.0, (size + mu) / ((root + mu) * a0**2), (root - mu) / (size - mu))
    excess, up = mu**2 / (1.0 + root), size + a0
    down, half = mu**2 / up, 0.5 + np.hypot(0.5, mu)
    fade = (up * (2.0 + excess + down) - half * (excess + up)) / (half * (2.0 + excess - up) - up * (excess - down))
    return {"kernel": root / size, "hidden": hidden, "wait": -np.log(fade) / np.log(2.0 * (1.0 - a0))}


def simulated(balance: Array, a0: Array, steps: int) -> dict[str, Array]:
    """Return the same from gradient descent of one hidden neuron with one input and one output."""
    mu, shape = balance.ravel() / 2.0, balance.shape
    root, size = np.hypot(1.0, mu), np.hypot(a0.ravel(), mu)
    larger = np.sqrt(size + np.abs(mu))
    smaller = a0.ravel() / larger
    first, second = np.where(mu > 0.0, smaller, larger), np.where(mu > 0.0, larger, smaller)
    rates = (np.log(1.0 / size).clip(0.0) + LONG) / root / steps
    networks = [([[one]], [[two]]) for one, two in zip(first, second, strict=True)]
    runs = learn(networks, [[[1.0]]] * len(networks), rates=rates.tolist(), weights_at=range(steps + 1))
    W1, W2 = (np.stack([run.weights[layer].ravel() for run in runs]) for layer in (0, 1))
    kernels = W1**2 + W2**2
    halfway = np.array([_crossing(row, 0.5) for row in W1 * W2]) * rates
    measured = {
        "kernel": kernels[:, -1] / kernels[:, 0],
        "hidden": W1[:, -1] ** 2 / W1[:, 0] ** 2,
        "wait": halfway * 2.0 * root / np.log(2.0 * (1.0 - a0.ravel())),
    }
    return {name: values.reshape(shape) for name, values in measured.items()}


def _crossing(values: Array, level: float) -> float:
    """The step at which rising values cross a level, between steps too."""
    after = int(np.argmax(values > level))
    return float(after - (values[after] - level) / (values[after] - values[after - 1]))


def draw_regimes(figure: Figure, data: Data) -> None:
    fine, coarse = data["fine"], data["coarse"]
    for axes, (name, title) in zip(figure.subplots(1, 3, sharey=True), MAPS.items(), strict=True):
        theory = data[f"{name}_theory"]
        norm = LogNorm(1.0, theory.max())
        shades = np.geomspace(1.0, theory.max() * 1.001, SHADES)
        image = axes.contourf(*fine, theory, levels=shades, norm=norm, cmap=RISING)
        lines = axes.contour(*fine, theory, levels=LEVELS[name], colors=BLACK, linewidths=0.6)
        dots = {"cmap": RISING, "norm": norm, "edgecolors": GREY, "linewidths": 0.7, "s": 22.0}
        axes.scatter(*coarse, c=data[name], clip_on=False, zorder=3, **dots)
        axes.set_xscale("asinh", linear_width=LINEAR)
        axes.set_xticks(*TICKS)
        axes.set_xticks([], minor=True)
        axes.set(yscale="log", xlabel=r"balance $\lambda/s$", title=title)
        bar = figure.colorbar(image, ax=axes, pad=0.02)
        bar.add_lines(lines)
        ticks = [tick for tick in (1, 2, 4, 8) if theory.max() < 20.0] or list(10.0 ** np.arange(7.0))
        ticks = [tick for tick in ticks if tick <= shades[-1]]
        bar.set_ticks(ticks, labels=[f"{tick:,.0f}" for tick in ticks])
        bar.minorticks_off()
    figure.axes[0].set_ylabel(r"scale $a_0/s$")


PANELS = {"fig_1": Panel(regimes, draw_regimes, (9.0, 2.7))}
