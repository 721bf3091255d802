"""Figure 4: how the modes of a task come apart, in the coordinates of its singular vectors."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from numerics.reproduce.figures.braun_2022.courses import Start, gap, simulate, steps_of
from numerics.reproduce.figures.braun_2022.exact import TIME
from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLUE, GREEN, RED, heat, key, simulated, theoretical
from numerics.theory import deep_linear

SCALES = ("small", "intermediate", "large")


def _aligned_start(A: Array, sigma: Array) -> Start:
    """W1 = A Vt' and W2 = Ut A', the starts of Theorem 5.1."""
    U, _, Vt = np.linalg.svd(sigma)
    return Start(A @ Vt, U @ A.T)


def _simulated(A: Array, sigma: Array, rate: float, steps: Array) -> Array:
    """A'A at these steps."""
    Vt = np.linalg.svd(sigma)[2]
    hidden = simulate(_aligned_start(A, sigma), sigma, rate, steps).W1 @ Vt.T
    return np.asarray(hidden.swapaxes(1, 2) @ hidden)


# --- 4A: many modes ---------------------------------------------------------------------------------------------------


def many_modes(setting: Setting) -> Found:
    """All elements of A'A for a task of several modes."""
    rng, size, rate = setting.rng(), setting.whole("size"), setting.number("rate")
    sigma = rng.standard_normal((size, size))
    A = setting.number("deviation") * rng.standard_normal((size, size))
    steps = steps_of(setting.number("duration"), rate, 200)
    simulation = _simulated(A, sigma, rate, steps)
    _, S, Vt = np.linalg.svd(sigma)
    P = deep_linear.qqt(*_aligned_start(A, sigma), sigma, steps * rate)
    theory = Vt @ P[:, :size, :size] @ Vt.T
    off = ~np.eye(size, dtype=bool)
    measured = {
        "gap": gap(simulation, theory),
        "off": float(np.abs(simulation[-1][off]).max() / S[0]),
        "on": float(np.abs(np.diag(simulation[-1]) - S).max() / S[0]),
    }
    return Found({"times": steps * rate, "simulation": simulation, "theory": theory}, measured)


def draw_many_modes(figure: Figure, data: Data) -> None:
    axes = figure.subplots()
    _elements(axes, data["times"], data["simulation"], data["theory"])
    axes.set_ylabel(r"elements of $A^TA$")
    above = {"loc": "lower center", "bbox_to_anchor": (0.5, 1.0), "ncols": 3, "columnspacing": 1.0}
    key(axes, [(BLUE, "on the diagonal"), (RED, "off the diagonal")], theory="exact solution", **above)


def _elements(axes: Axes, times: Array, simulation: Array, theory: Array) -> None:
    rows, columns = np.triu_indices(simulation.shape[1])
    order = np.argsort(rows == columns)
    for i, j in zip(rows[order], columns[order], strict=True):
        simulated(axes, times, simulation[:, i, j], [BLUE if i == j else RED])
        theoretical(axes, times, theory[:, i, j])
    axes.set(xlabel=TIME, xlim=(0.0, times[-1]))


# --- 4C: three tasks --------------------------------------------------------------------------------------------------


def three_tasks(setting: Setting) -> Found:
    """The targets of panels D, E and F."""
    tasks = {name: setting.table(name) for name in ("dense", "unequal", "equal")}
    values = {name: np.linalg.svd(task)[1] for name, task in tasks.items()}
    measured = {
        "dense": float(np.abs(tasks["dense"]).min()),
        "unequal": float(values["unequal"][0] - values["unequal"][1]),
        "equal": float(values["equal"][0] - values["equal"][1]),
    }
    return Found({**tasks, **{f"values_{name}": value for name, value in values.items()}}, measured)


def draw_three_tasks(figure: Figure, data: Data) -> None:
    largest = max(float(np.abs(data[name]).max()) for name in ("dense", "unequal", "equal"))
    for axes, name in zip(figure.subplots(1, 3), ("dense", "unequal", "equal"), strict=True):
        heat(axes, data[name], largest=largest, title=name)
        for (row, column), value in np.ndenumerate(data[name]):
            colour = "white" if abs(value) > 0.6 * largest else "black"
            axes.text(column, row, f"{value:g}", ha="center", va="center", color=colour)
        axes.set_xlabel("singular values " + ", ".join(f"{s:.2f}" for s in data[f"values_{name}"]), fontsize=6.5)


# --- 4D to F: three scales --------------------------------------------------------------------------------------------


def three_scales(setting: Setting) -> Found:
    """A'A of two modes from small, intermediate and large starts of one shape."""
    sigma, shape, rate = setting.table("task"), setting.table("start"), setting.number("rate")
    S = np.linalg.svd(sigma)[1]
    data: dict[str, Array] = {}
    measured: dict[str, float] = {}
    gaps = []
    for name, scale in zip(SCALES, setting.numbers("scales"), strict=True):
        steps = steps_of(setting.number("duration"), rate, 2001)
        simulation = _simulated(scale * shape, sigma, rate, steps)
        begin = simulation[0]
        entries = deep_linear.decoupling(begin[0, 0], begin[1, 1], begin[0, 1], S[0], S[1], steps * rate)
        theory = entries[:, [0, 2, 2, 1]].reshape(-1, 2, 2)
        gaps.append(gap(simulation, theory))
        off = np.abs(simulation[:, 0, 1])
        measured[f"off_{name}"] = float(off.max() / S[0])
        measured[f"peak_{name}"] = float(steps[off.argmax()] * rate)
        measured[f"rise_{name}"] = float(off.max() / off[0])
        data |= {f"simulation_{name}": simulation, f"theory_{name}": theory, "times": steps * rate}
    return Found(data, {**measured, "gap": max(gaps)})


def peak_times(setting: Setting) -> Found:
    """Compute the course, and the times at which the printed and the corrected formula have the off-diagonal peak."""
    data, measured = three_scales(setting)
    s = float(np.linalg.svd(setting.table("task"))[1][0])
    for name in SCALES:
        first, second, off = (float(data[f"simulation_{name}"][0][index]) for index in ((0, 0), (1, 1), (0, 1)))
        inside = s * (s - first - second) / (first * second - off**2)
        printed = np.log(inside) / (4.0 * s) if inside > 0.0 else np.nan
        corrected = np.log1p(inside) / (4.0 * s) if inside > 0.0 else np.nan
        data |= {f"printed_{name}": np.array(printed), f"corrected_{name}": np.array(corrected)}
        if name != "large":
            measured[f"printed_{name}"] = float(abs(printed - measured[f"peak_{name}"]))
            measured[f"corrected_{name}"] = float(abs(corrected - measured[f"peak_{name}"]))
    measured["predicted_large"] = float(np.isfinite(data["corrected_large"]))
    return Found(data, measured)


def draw_three_scales(figure: Figure, data: Data) -> None:
    for axes, name in zip(figure.subplots(1, 3), SCALES, strict=True):
        _elements(axes, data["times"], data[f"simulation_{name}"], data[f"theory_{name}"])
        axes.set_title(f"{name} start", loc="center")
        if np.isfinite(data.get(f"printed_{name}", np.nan)):
            axes.axvline(float(data[f"printed_{name}"]), color=GREEN, linestyle="--", linewidth=1.2, zorder=0)
            axes.axvline(float(data[f"corrected_{name}"]), color=GREEN, linewidth=1.2, zorder=0)
    figure.axes[0].set_ylabel(r"elements of $A^TA$")
    key(
        figure.axes[2],
        [(BLUE, "on the diagonal"), (RED, "off the diagonal")],
        theory="exact solution",
        loc="upper right",
    )


def draw_peak_times(figure: Figure, data: Data) -> None:
    draw_three_scales(figure, data)
    axes = figure.axes[1]
    axes.plot([], [], color=GREEN, linestyle="--", linewidth=1.2, label="peak, printed formula")
    axes.plot([], [], color=GREEN, linewidth=1.2, label="peak, corrected formula")
    axes.legend(loc="center right")


PANELS = {
    "fig_4a": Panel(many_modes, draw_many_modes),
    "fig_4c": Panel(three_tasks, draw_three_tasks, (4.8, 1.9)),
    "fig_4d": Panel(three_scales, draw_three_scales, (7.2, 2.2)),
    "fig_4e": Panel(three_scales, draw_three_scales, (7.2, 2.2)),
    "fig_4f": Panel(peak_times, draw_peak_times, (7.2, 2.2)),
}
