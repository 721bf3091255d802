"""Figure 2: gradient descent from random weights of many widths beside the solution of two levels."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLACK, BLUE, COLOURS, GREEN, RED, simulated, theoretical
from numerics.simulate.linear_network import learn
from numerics.theory.deep_linear import nearly

KINDS = {
    "nearest": (BLUE, "nearest two levels"),
    "ideal": (GREEN, r"two levels, from diag$(a, b)$"),
    "balanced": (RED, r"the best balance $\lambda$"),
}


def random_starts(setting: Setting) -> Found:
    """How far simulated QQ' are from three solutions, for many widths and starts, and some courses."""
    inputs, outputs = setting.whole("inputs"), setting.whole("outputs")
    a, b = setting.number("a"), setting.number("b")
    task = setting.rng().standard_normal((outputs, inputs))
    rate, widths = setting.number("rate"), setting.wholes("widths")
    steps = np.unique(np.linspace(0.0, round(setting.number("duration") / rate), 81).round().astype(np.int64))
    times = rate * steps
    ideal = solution(np.diag([a] * inputs + [b] * outputs), task, a, b, times)
    gaps = {kind: np.empty((len(widths), setting.whole("starts"))) for kind in KINDS}
    courses, bounds = [], np.empty_like(gaps["nearest"])
    for k, width in enumerate(widths):
        for start in range(setting.whole("starts")):
            rng = setting.rng(1, width, start)
            W1 = np.sqrt(a / width) * rng.standard_normal((width, inputs))
            W2 = np.sqrt(b / width) * rng.standard_normal((outputs, width))
            states = _qqt(W1, W2, task, rate, steps)
            near = nearly(W1, W2, task, times)
            gaps["nearest"][k, start], gaps["ideal"][k, start] = gap(states, near.states), gap(states, ideal)
            bounds[k, start] = near.bound.max() / np.linalg.norm(near.states, axis=(1, 2)).max()
            balances = np.linspace(-2.0 * (a + b), 2.0 * (a + b), setting.whole("balances"))
            gaps["balanced"][k, start] = min(
                gap(states, solution(states[0], task, max(-one, 0.0), max(one, 0.0), times)) for one in balances
            )
            if start == 0:
                courses.append(np.stack([states[:, inputs:, :inputs], near.states[:, inputs:, :inputs]]))
            setting.tell((k + (start + 1) / setting.whole("starts")) / len(widths))
    middle = {kind: np.median(errors, axis=1) for kind, errors in gaps.items()}
    powers = {kind: float(np.polyfit(np.log(widths), np.log(row), 1)[0]) for kind, row in middle.items()}
    measured = {
        "power": powers["nearest"],
        "power_ideal": powers["ideal"],
        "widest": float(gaps["nearest"][-1].max()),
        "above_bound": float((gaps["nearest"] - bounds).max()),
        "balanced": float(gaps["balanced"].min()),
    }
    kept = {"times": times, "widths": np.array(widths), "courses": np.stack(courses)}
    return Found(kept | gaps | {"bounds": bounds}, measured)


def gap(computed: Array, expected: Array) -> float:
    """The largest distance over time, relative to the largest size of what is expected."""
    distances, sizes = (np.linalg.norm(states, axis=(1, 2)) for states in (computed - expected, expected))
    return float(distances.max() / sizes.max())


def _qqt(W1: Array, W2: Array, task: Array, rate: float, steps: Array) -> Array:
    """QQ' of gradient descent at these steps."""
    (run,) = learn([(W1, W2)], [task], rates=rate, weights_at=steps.tolist())
    Q = np.concatenate([run.weights[0].swapaxes(1, 2), run.weights[1]], axis=1)
    return np.asarray(Q @ Q.swapaxes(1, 2))


def solution(start: Array, task: Array, a: float, b: float, times: Array) -> Array:
    """The solution of the Riccati equation of levels a and b from any QQ'(0)."""
    outputs, inputs = task.shape
    levels = np.repeat([(a - b) / 2.0, (b - a) / 2.0], [inputs, outputs])
    nothing = np.zeros((inputs, inputs)), np.zeros((outputs, outputs))
    f, axes = np.linalg.eigh(np.block([[nothing[0], task.T], [task, nothing[1]]]) + np.diag(levels))
    turned = axes.T @ start @ axes
    R, when = np.sqrt(f * f + a * b), times[:, None]
    m, n = _lower(f, R, a * b), _lower(-f, R, a * b)
    below = m + n * np.exp(-2.0 * R * when)
    G, H = -np.expm1(-2.0 * R * when) / below, 2.0 * R * np.exp(-R * when) / below
    inner = np.linalg.solve(
        np.eye(len(f)) + turned * G[:, None, :], np.broadcast_to(turned, (len(times), *turned.shape))
    )
    states = H[:, :, None] * inner * H[:, None, :] + a * b * G[:, :, None] * np.eye(len(f))
    return np.asarray(axes @ states @ axes.T)


def _lower(f: Array, R: Array, product: float) -> Array:
    """R - f, where f > 0 without the difference, as R^2 = f^2 + product."""
    return np.where(f > 0.0, product / (R + np.abs(f)), R - f)


def draw_random_starts(figure: Figure, data: Data) -> None:
    left, middle, right = figure.subplots(1, 3, width_ratios=(1.0, 1.0, 1.2))
    for axes, which in ((left, 0), (middle, len(data["widths"]) // 2)):
        in_simulation, expected = data["courses"][which].reshape(2, len(data["times"]), -1)
        simulated(axes, data["times"], in_simulation.T, COLOURS[:6])
        theoretical(axes, data["times"], expected.T)
        axes.set(xlabel=r"time $t/\tau$", title=f"width {data['widths'][which]:,}", xlim=(0.0, data["times"][-1]))
    left.set_ylabel("entries of $W_2W_1$")
    widths = data["widths"]
    for kind, (colour, name) in KINDS.items():
        right.plot(
            np.repeat(widths, data[kind].shape[1]), data[kind].ravel(), ".", color=colour, markersize=2.5, alpha=0.5
        )
        right.plot(widths, np.median(data[kind], axis=1), color=colour, label=name)
    bars = {"linestyle": "", "marker": "_", "markersize": 5.0, "markeredgewidth": 0.6}
    right.plot(
        np.repeat(widths, data["bounds"].shape[1]),
        data["bounds"].ravel(),
        color=BLACK,
        label="bound of the nearest",
        **bars,
    )
    guide = np.median(data["nearest"], axis=1)[0] * np.sqrt(widths[0] / widths) / 2.0
    right.plot(widths, guide, color=BLACK, linestyle="--", linewidth=0.8, label=r"width$^{-1/2}$")
    right.set(
        xscale="log", yscale="log", xlabel="width", title="largest error over time", ylim=(guide[-1] / 12.0, None)
    )
    right.legend(loc="lower left")


PANELS = {"fig_2": Panel(random_starts, draw_random_starts, (9.0, 2.7))}
