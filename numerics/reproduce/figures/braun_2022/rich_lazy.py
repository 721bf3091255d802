"""Figure 3: a semantic task learned from small, large and large zero-balanced weights."""

from __future__ import annotations

from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

from numerics.reproduce.figures.braun_2022 import kingdom
from numerics.reproduce.figures.braun_2022.courses import (
    Start,
    arrives,
    balanced,
    gap,
    learnable_start,
    losses,
    random_start,
    simulate,
    steps_of,
)
from numerics.reproduce.figures.braun_2022.exact import TIME
from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLUE, GREEN, PINK, heat, key, side_by_side, simulated, theoretical
from numerics.theory import deep_linear

STARTS = {"small": GREEN, "large": PINK, "balanced": BLUE}
NAMES = {"small": "small", "large": "large", "balanced": "large, zero-balanced"}


# --- the task ---------------------------------------------------------------------------------------------------------


def semantic_task(_: Setting) -> Found:
    """The task, its singular value decomposition and its similarities."""
    sigma = kingdom.task()
    U, S, Vt = kingdom.decomposition(sigma)
    first, second = kingdom.similarities(sigma)
    measured = {
        "error": float(np.abs(U * S @ Vt - sigma).max()),
        "levels": float(len(np.unique(S.round(12)))),
        "siblings": float(first[0, 1] - first[0, 2]),
        "cousins": float(first[0, 2] - first[0, 4]),
    }
    return Found({"task": sigma, "U": U, "S": S, "Vt": Vt, "inputs": first, "outputs": second}, measured)


def draw_semantic_task(figure: Figure, data: Data) -> None:
    left, right = side_by_side(figure, (1.0, 1.7))
    kingdom.tree(left.subplots())
    draw_decomposition(right.subplots(2, 4), data)


def draw_decomposition(axes: Array, data: Data) -> None:
    """A task as the product of its singular vectors and values, and its similarities, on two rows of four."""
    tasks = (
        (r"task $\tilde{\Sigma}^{yx}$", data["task"]),
        (r"$\tilde{U}$", data["U"]),
        (r"$\tilde{S}$", np.diag(data["S"])),
        (r"$\tilde{V}^T$", data["Vt"]),
    )
    for one, (title, matrix) in zip(axes[0], tasks, strict=True):
        heat(one, matrix, title=title)
    for one in (axes[1][0], axes[1][3]):
        one.axis("off")
    heat(axes[1][1], data["inputs"], title=r"$\tilde{V}\tilde{S}\tilde{V}^T$")
    heat(axes[1][2], data["outputs"], title=r"$\tilde{U}\tilde{S}\tilde{U}^T$")


# --- where learning ends ----------------------------------------------------------------------------------------------


def _start(setting: Setting, kind: str) -> Start:
    """Weights of one kind; large ones are the same but for being balanced."""
    sizes = 8, setting.whole("hidden"), 8
    rng, deviation = setting.rng(), setting.number("small" if kind == "small" else "large")
    return learnable_start(rng, sizes, deviation, kingdom.task(), zero_balanced=kind == "balanced")


def final_state(setting: Setting, *, kind: str) -> Found:
    """QQ' in the end, and how far its parts are from the task's."""
    sigma, rate = kingdom.task(), setting.number("rate")
    steps = steps_of(setting.number("duration"), rate, 2)
    P = simulate(_start(setting, kind), sigma, rate, steps).qqt[-1]
    first, second = kingdom.similarities(sigma)
    measured = {
        "function": _distance(P[8:, :8], sigma),
        "inputs": _distance(P[:8, :8], first),
        "outputs": _distance(P[8:, 8:], second),
    }
    if kind == "balanced":
        sizes, rng = (8, setting.whole("hidden"), 8), setting.rng(1)
        starts = [balanced(random_start(rng, sizes, setting.number("large"))) for _ in range(setting.whole("starts"))]
        measured["arrive"] = float(np.mean([arrives(start, sigma) for start in starts]))
    goal = np.block([[first, sigma.T], [sigma, second]])
    return Found({"state": P, "goal": goal}, measured)


def _distance(found: Array, wanted: Array) -> float:
    return float(np.linalg.norm(found - wanted) / np.linalg.norm(wanted))


def draw_final_state(figure: Figure, data: Data) -> None:
    axes = figure.subplots(1, 2)
    image = _quadrants(axes[0], data["state"], r"$QQ^T$ after training")
    _quadrants(axes[1], data["goal"], "rich solution")
    figure.colorbar(image, ax=axes, shrink=0.75, pad=0.02)


def _quadrants(axes: Axes, matrix: Array, title: str) -> AxesImage:
    image = heat(axes, matrix, largest=1.0, title=title)
    axes.axhline(7.5, color="black", linewidth=0.6)
    axes.axvline(7.5, color="black", linewidth=0.6)
    image.set_cmap(image.cmap.with_extremes(under=image.cmap(0.0), over=image.cmap(1.0)))
    labels = [r"$W_1^TW_1$", r"$W_2W_2^T$"]
    axes.set_yticks([3.5, 11.5], labels, rotation=90, va="center")
    axes.tick_params(length=0)
    return image


# --- how the loss falls -----------------------------------------------------------------------------------------------


def learning_curves(setting: Setting) -> Found:
    """Losses over time from the three kinds of start."""
    sigma, rate = kingdom.task(), setting.number("rate")
    steps = steps_of(setting.number("duration"), rate, 400)
    starts = {kind: _start(setting, kind) for kind in STARTS}
    curves = {kind: losses(simulate(start, sigma, rate, steps).functions, sigma) for kind, start in starts.items()}
    theory = deep_linear.loss(*starts["balanced"], sigma, steps * rate)
    times = {kind: float(np.argmax(curve < 0.01 * curve[0]) * rate * steps[1]) for kind, curve in curves.items()}
    measured = {
        "slower_than_large": times["small"] / times["large"],
        "slower_than_balanced": times["small"] / times["balanced"],
        "steps": float(_peaks(-np.gradient(curves["small"], steps * rate))),
        "peaks_large": float(_peaks(-np.gradient(curves["large"], steps * rate))),
        "peaks_balanced": float(_peaks(-np.gradient(curves["balanced"], steps * rate))),
        "gap": gap(curves["balanced"], theory),
    }
    return Found({"times": steps * rate, **curves, "theory": theory}, measured)


def _peaks(speed: Array) -> int:
    """How often a speed rises to a peak that is at least a hundredth of its largest value."""
    inner = speed[1:-1]
    return int(np.sum((inner > speed[:-2]) & (inner >= speed[2:]) & (inner > 0.01 * speed.max())))


def draw_learning_curves(figure: Figure, data: Data) -> None:
    axes = figure.subplots()
    for kind, colour in STARTS.items():
        simulated(axes, data["times"], data[kind] / data[kind][0], [colour], linewidth=2.0)
    theoretical(axes, data["times"], data["theory"] / data["theory"][0])
    axes.set(xlabel=TIME, ylabel=r"loss $\mathcal{L}/\mathcal{L}(0)$", xlim=(0.0, data["times"][-1]), ylim=(0.0, 1.05))
    key(axes, [(colour, NAMES[kind]) for kind, colour in STARTS.items()], theory="exact solution", loc="upper right")


PANELS = {
    "fig_3b": Panel(semantic_task, draw_semantic_task, (7.6, 2.9)),
    "fig_3c": Panel(partial(final_state, kind="small"), draw_final_state, (4.8, 2.4)),
    "fig_3d": Panel(partial(final_state, kind="large"), draw_final_state, (4.8, 2.4)),
    "fig_3e": Panel(partial(final_state, kind="balanced"), draw_final_state, (4.8, 2.4)),
    "fig_3f": Panel(learning_curves, draw_learning_curves),
}
