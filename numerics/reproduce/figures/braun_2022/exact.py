"""Figures 1 and 2: the exact solution on top of simulations, from small, large and earlier learned weights."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullFormatter

from numerics.reproduce.figures.braun_2022.courses import (
    Course,
    Start,
    arrives,
    balanced,
    gap,
    learnable_start,
    losses,
    random_start,
    random_task,
    simulate,
    steps_of,
)
from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLUE, COLOURS, GREY, key, simulated, theoretical
from numerics.simulate.linear_network import learn
from numerics.theory import deep_linear

TIME = r"training time $t/\tau$"

# --- figure 1: outputs ------------------------------------------------------------------------------------------------


def outputs(setting: Setting) -> Found:
    """Outputs over time from random zero-balanced weights."""
    rng, sizes = setting.rng(), setting.wholes("sizes")
    sigma = rng.standard_normal((sizes[2], sizes[0]))
    start = learnable_start(rng, sizes, setting.number("deviation"), sigma)
    return _outputs(setting, start, sigma)


def outputs_after_a_task(setting: Setting) -> Found:
    """Outputs over time from weights that have learned another task."""
    rng, sizes = setting.rng(), setting.wholes("sizes")
    earlier = rng.standard_normal((sizes[2], sizes[0]))
    first = learnable_start(rng, sizes, setting.number("deviation"), earlier)
    steps = steps_of(setting.number("earlier_duration"), setting.number("rate"), 2)
    learned = simulate(first, earlier, setting.number("rate"), steps)
    start = Start(learned.W1[-1], learned.W2[-1])
    sigma = rng.standard_normal(earlier.shape)
    while not arrives(balanced(start), sigma):
        sigma = rng.standard_normal(earlier.shape)
    return _outputs(setting, start, sigma)


def _outputs(setting: Setting, start: Start, sigma: Array) -> Found:
    rate = setting.number("rate")
    course = simulate(start, sigma, rate, steps_of(setting.number("duration"), rate, 200))
    theory = deep_linear.network_function(*balanced(start), sigma, course.times)
    excess = losses(course.functions, sigma)
    measured = {
        "gap": gap(course.functions, theory),
        "largest_speed": float(course.times[np.argmax(-np.diff(excess))] / course.times[-1]),
        "remaining": float(excess[-1] / excess[0]),
    }
    return Found({"times": course.times, "simulation": course.functions, "theory": theory, "task": sigma}, measured)


def draw_outputs(figure: Figure, data: Data) -> None:
    axes = figure.subplots()
    times = data["times"]
    simulated(axes, times, _lines(data["simulation"]), linewidth=2.0)
    theoretical(axes, times, _lines(data["theory"]))
    for k, value in enumerate(data["task"].ravel()):
        axes.plot(times[-1] * 1.03, value, "<", color=COLOURS[k % len(COLOURS)], markersize=3.5, clip_on=False)
    axes.set(xlabel=TIME, ylabel=r"entries of $W_2W_1$", xlim=(0.0, times[-1]))
    key(axes, [(GREY, "simulation")], theory="exact solution", loc="best")


def _lines(matrices: Array) -> Array:
    """Entries of matrices over time: (entry, time)."""
    return matrices.reshape(len(matrices), -1).T


# --- figure 2, A and B: everything that follows from QQ' --------------------------------------------------------------

COLUMNS = {
    "loss": r"loss $\mathcal{L}$",
    "function": r"network function $W_2W_1$",
    "inputs": r"$W_1^TW_1$",
    "outputs": r"$W_2W_2^T$",
    "kernel": "neural tangent kernel",
}
SHOWN = 8  # lines of a column


def representations(setting: Setting) -> Found:
    """Loss, network function, correlations of the weights and tangent kernel over time."""
    rng, sizes, rate = setting.rng(), setting.wholes("sizes"), setting.number("rate")
    X, Y = (rng.standard_normal((size, setting.whole("examples"))) for size in (sizes[0], sizes[2]))
    white = deep_linear.whiten(X, Y)
    task = deep_linear.task(white.X, white.Y)
    start = learnable_start(rng, sizes, setting.number("deviation"), task.sigma_yx)
    course = simulate(start, task.sigma_yx, rate, steps_of(setting.number("duration"), rate, 160))
    P, inputs = deep_linear.qqt(*start, task, course.times), sizes[0]
    theory = {
        "loss": deep_linear.loss(*start, task, course.times),
        "function": P[:, inputs:, :inputs],
        "inputs": P[:, :inputs, :inputs],
        "outputs": P[:, inputs:, inputs:],
        "kernel": deep_linear.ntk(*start, task, course.times, white.X),
    }
    simulation = {
        "loss": losses(course.functions, task.sigma_yx, task.least_loss),
        "function": course.functions,
        "inputs": course.qqt[:, :inputs, :inputs],
        "outputs": course.qqt[:, inputs:, inputs:],
        "kernel": _tangent_kernel(course, white.X),
    }
    shown = {name: np.sort(rng.permutation(theory[name][0].size)[:SHOWN]) for name in COLUMNS}
    data: dict[str, Array] = {"times": course.times}
    for name, which in shown.items():
        data[f"simulation_{name}"] = simulation[name].reshape(len(course.times), -1).T[which]
        data[f"theory_{name}"] = theory[name].reshape(len(course.times), -1).T[which]
    measured = {name: gap(simulation[name], theory[name]) for name in COLUMNS}
    slope = -np.diff(simulation["loss"])
    return Found(data, {**measured, "fastest": float(course.times[np.argmax(slope)] / course.times[-1])})


def _tangent_kernel(course: Course, X: Array) -> Array:
    """Products of the slopes of all outputs with respect to all weights, summed over the weights."""
    hidden = course.W1 @ X
    first = np.einsum("ab,tij->taibj", np.eye(course.W2.shape[1]), hidden.swapaxes(1, 2) @ hidden)
    second = np.einsum("tab,ij->taibj", course.W2 @ course.W2.swapaxes(1, 2), X.T @ X)
    side = course.W2.shape[1] * X.shape[1]
    return np.asarray((first + second).reshape(-1, side, side))


def draw_representations(figure: Figure, data: Data) -> None:
    for axes, (name, title) in zip(figure.subplots(1, len(COLUMNS)), COLUMNS.items(), strict=True):
        simulated(axes, data["times"], data[f"simulation_{name}"])
        theoretical(axes, data["times"], data[f"theory_{name}"])
        axes.set_title(title, loc="center")
        axes.set(xlabel=TIME, xlim=(0.0, data["times"][-1]))
    figure.axes[0].set_ylim(bottom=0.0)
    figure.axes[0].set_ylabel("value")


# --- figure 2, C and D: many networks ---------------------------------------------------------------------------------


def deviations(setting: Setting) -> Found:
    """The largest deviation of simulated losses from exact ones for random networks and several rates."""
    rates = np.array(setting.numbers("rates"))
    networks = [_random_network(setting, k) for k in range(setting.whole("networks"))]
    others = [_network_of_other_sign(setting, k) for k in range(setting.whole("other_networks"))]
    gaps, other = np.empty((len(networks), len(rates))), np.empty((len(others), len(rates)))
    for j, rate in enumerate(rates):
        curves = _learning_curves(networks, rate, setting.number("duration"))
        other_curves = _learning_curves(others, rate, setting.number("other_duration"))
        gaps[:, j], other[:, j] = _largest_gaps(*curves), _largest_gaps(*other_curves)
        setting.tell((j + 1) / len(rates))
    least = [task.least_loss for _, task in others]
    left = [run[-1] < 0.5 * (rest + end[-1]) for run, end, rest in zip(*other_curves, least, strict=True)]
    measured = {
        "falling": float(np.mean(np.all(np.diff(gaps, axis=1) < 0.0, axis=1))),
        "median_slope": _median_slope(rates, gaps),
        "largest": float(gaps.max()),
        "largest_at_smallest_rate": float(gaps[:, -1].max()),
        "other_median_slope": _median_slope(rates, other),
        "other_left": float(np.mean(left)),
    }
    return Found({"rates": rates, "deviations": gaps, "other_deviations": other}, measured)


def _largest_gaps(simulation: list[Array], theory: list[Array]) -> list[float]:
    return [float(np.abs(a - b).max() / b[0]) for a, b in zip(simulation, theory, strict=True)]


def _median_slope(rates: Array, deviations: Array) -> float:
    """The power of the rate with which deviations fall, for the median network."""
    return float(np.median(np.polyfit(np.log(rates), np.log(deviations.T), 1)[0]))


def learning_curves(setting: Setting) -> Found:
    """Simulated and exact losses of some of these networks."""
    networks = [_random_network(setting, k) for k in setting.wholes("shown")]
    rate, duration = setting.number("rate"), setting.number("duration")
    simulation, theory = (np.array(curves) for curves in _learning_curves(networks, rate, duration))
    times = steps_of(duration, rate, 200) * rate
    largest = max(gap(a, b) for a, b in zip(simulation, theory, strict=True))
    return Found({"times": times, "simulation": simulation, "theory": theory}, {"gap": largest})


def _random_network(setting: Setting, which: int) -> tuple[Start, deep_linear.Task]:
    """Random sizes, data and start."""
    rng = setting.rng(which)
    inputs, outputs = rng.integers(2, setting.whole("largest_size") + 1, 2)
    hidden = int(rng.integers(min(inputs, outputs), setting.whole("largest_size") + 1))
    task = random_task(rng, int(inputs), int(outputs), setting.whole("examples"))
    sizes = int(inputs), hidden, int(outputs)
    least, most = setting.numbers("deviations")
    deviation = rng.uniform(least, most) / np.sqrt(hidden)
    return learnable_start(rng, sizes, deviation, task.sigma_yx), task


def _network_of_other_sign(setting: Setting, which: int) -> tuple[Start, deep_linear.Task]:
    """A random network with as many inputs as outputs from whose start the exact solution ends on a saddle."""
    rng, largest = setting.rng(1, which), setting.whole("other_largest_size")
    size = int(rng.integers(2, largest + 1))
    hidden = int(rng.integers(size, setting.whole("largest_size") + 1))
    task = random_task(rng, size, size, setting.whole("examples"))
    least, most = setting.numbers("deviations")
    deviation = rng.uniform(least, most) / np.sqrt(hidden)
    start = balanced(random_start(rng, (size, hidden, size), deviation))
    if arrives(start, task.sigma_yx):  # the same with one output reflected has the other determinant
        start = Start(start.W1, start.W2 * np.where(np.arange(size) == 0, -1.0, 1.0)[:, None])
    return start, task


def _exact_losses(start: Start, task: deep_linear.Task, times: Array) -> Array:
    """The exact loss; on a saddle, where the rounding of the weights would count in the end, that of the saddle."""
    inputs = task.sigma_yx.shape[1]
    resting = losses(deep_linear.limit(*start, task)[inputs:, :inputs], task.sigma_yx, task.least_loss)
    return np.where(times <= deep_linear.horizon(*start, task), deep_linear.loss(*start, task, times), resting)


def _learning_curves(
    networks: list[tuple[Start, deep_linear.Task]], rate: float, duration: float
) -> tuple[list[Array], list[Array]]:
    steps = steps_of(duration, rate, 200)
    starts, tasks = [start for start, _ in networks], [task for _, task in networks]
    runs = learn(starts, [task.sigma_yx for task in tasks], rates=rate, losses_at=steps.tolist())
    simulation = [run.losses + task.least_loss for run, task in zip(runs, tasks, strict=True)]
    theory = [_exact_losses(start, task, steps * rate) for start, task in networks]
    return simulation, theory


def draw_deviations(figure: Figure, data: Data) -> None:
    axes = figure.subplots()
    for row in data["deviations"]:
        axes.loglog(data["rates"], row, color=BLUE, alpha=0.35, linewidth=0.8)
    for row in data["other_deviations"]:
        axes.loglog(data["rates"], row, "--", color=GREY, alpha=0.5, linewidth=0.8)
    median = np.median(data["deviations"], axis=0)
    axes.loglog(data["rates"], median, "o-", color=COLOURS[1], markersize=3.5, label="median")
    line = median[-1] * data["rates"] / data["rates"][-1]
    axes.loglog(data["rates"], line, ":", color="black", linewidth=1.2, label=r"$\propto\eta$", zorder=10)
    axes.set(xlabel=r"learning rate $\eta$", ylabel=r"largest $|\hat{\mathcal{L}}-\mathcal{L}|/\mathcal{L}(0)$")
    axes.plot([], [], "--", color=GREY, linewidth=0.8, label="starts of the other sign")
    axes.invert_xaxis()
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.legend(loc="lower left")


def draw_learning_curves(figure: Figure, data: Data) -> None:
    axes = figure.subplots()
    start = data["simulation"][:, :1]
    simulated(axes, data["times"], data["simulation"] / start, linewidth=2.0)
    theoretical(axes, data["times"], data["theory"] / start)
    axes.set(xlabel=TIME, ylabel=r"loss $\mathcal{L}/\mathcal{L}(0)$", xlim=(0.0, data["times"][-1]), ylim=(0.0, 1.05))
    key(axes, [(GREY, "simulation")], theory="exact solution", loc="upper right")


PANELS = {
    "fig_1b": Panel(outputs, draw_outputs),
    "fig_1c": Panel(outputs, draw_outputs),
    "fig_1d": Panel(outputs_after_a_task, draw_outputs),
    "fig_2a": Panel(representations, draw_representations, (8.4, 2.0)),
    "fig_2b": Panel(representations, draw_representations, (8.4, 2.0)),
    "fig_2c": Panel(deviations, draw_deviations),
    "fig_2d": Panel(learning_curves, draw_learning_curves),
}
