"""Figure 5: tasks learned one after the other, and what is forgotten, in linear, tanh and ReLU networks."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.patches import Polygon

from numerics.machine.checkpoints import Description, State, run
from numerics.reproduce.figures.braun_2022.courses import (
    Start,
    balanced,
    gap,
    losses,
    random_start,
    simulate,
    steps_of,
)
from numerics.reproduce.figures.braun_2022.exact import TIME
from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import (
    BLACK,
    BLUE,
    COLOURS,
    DIVERGING,
    DOTS,
    GREEN,
    GREY,
    RED,
    RISING,
    simulated,
    theoretical,
)
from numerics.simulate import mlp
from numerics.simulate.datasets import Dataset
from numerics.theory import deep_linear

KINDS = {"linear": RED, "tanh": BLUE, "relu": GREEN}
NAMES = {"linear": "linear", "tanh": "tanh", "relu": "ReLU"}


class Trained(NamedTuple):
    """Losses of networks of one kind on a sequence of tasks."""

    losses: Array  # (network, after this task, of that task)
    imbalance: Array  # (network, before the first task and after each)


# --- 5A: one linear network -------------------------------------------------------------------------------------------


def sequence(setting: Setting) -> Found:
    """Outputs and the losses of all tasks while one linear network learns them one after the other."""
    rng, (inputs, hidden, outputs), rate = setting.rng(), setting.wholes("sizes"), setting.number("rate")
    tasks = [rng.standard_normal((outputs, inputs)) / np.sqrt(inputs) for _ in range(setting.whole("tasks"))]
    start = balanced(random_start(rng, (inputs, hidden, outputs), setting.number("deviation")))
    steps = steps_of(setting.number("duration"), rate, 150)
    stages = deep_linear.sequence(*start, tasks, [steps * rate] * len(tasks))
    functions, now = [], start
    for sigma in tasks:
        course = simulate(now, sigma, rate, steps)
        functions.append(course.functions)
        now = Start(course.W1[-1], course.W2[-1])
    simulation = np.array(functions)
    theory = np.array([stage.qqt[:, inputs:, :inputs] for stage in stages])
    simulated_losses = np.array([[losses(stage, sigma) for sigma in tasks] for stage in simulation])
    exact_losses = np.array([stage.losses for stage in stages])
    ends = exact_losses[:, :, -1]
    predicted = np.array([[0.5 * np.sum((a - b) ** 2) for b in tasks] for a in tasks])
    measured = {
        "outputs": gap(simulation, theory),
        "losses": gap(simulated_losses, exact_losses),
        "ends": float(np.abs(ends - predicted).max() / predicted.max()),
        "forgotten": float(np.mean([predicted[k + 1, k] > predicted[k, k] for k in range(len(tasks) - 1)])),
    }
    first_input = np.s_[:, :, :, 0]
    data = {"times": steps * rate, "simulation": simulation[first_input], "theory": theory[first_input]}
    return Found({**data, "simulated_losses": simulated_losses, "exact_losses": exact_losses}, measured)


def draw_sequence(figure: Figure, data: Data) -> None:
    top, bottom = figure.subplots(2, 1, sharex=True)
    duration = float(data["times"][-1])
    for stage in range(len(data["simulation"])):
        times = data["times"] + stage * duration
        simulated(top, times, data["simulation"][stage].T)
        theoretical(top, times, data["theory"][stage].T)
        for task, curve in enumerate(data["simulated_losses"][stage]):
            colour, trained = COLOURS[task], task == stage
            how = {"linewidth": 1.9} if trained else {"linestyle": DOTS, "linewidth": 1.4}
            bottom.plot(times, curve, color=colour, label=f"task {task + 1}" if trained else None, **how)
        for axes in (top, bottom):
            axes.axvline(stage * duration, color=GREY, linewidth=0.5, zorder=0)
    top.set_ylabel("outputs for one input")
    bottom.set(xlabel=TIME, ylabel="loss of each task", ylim=(0.0, None))
    bottom.set_xlim(0.0, duration * len(data["simulation"]))
    bottom.legend(loc="upper center", bbox_to_anchor=(0.5, -0.32), ncols=4)


# --- many networks ----------------------------------------------------------------------------------------------------


class Networks:
    """Networks of one kind, each of which learns as many tasks one after the other from small balanced weights."""

    def __init__(self, kind: str, tasks: int, seed: int, numbers: tuple[float, ...]) -> None:
        self.kind, self.tasks, self.seed, self.numbers = kind, tasks, seed, numbers

    @property
    def description(self) -> Description:
        numbers = " ".join(map(repr, self.numbers))
        return {"task": "in turn", "kind": self.kind, "tasks": self.tasks, "seed": self.seed, "numbers": numbers}

    def own(self, _which: int) -> bytes:
        return b""

    def begin(self, _which: int) -> State:
        return {"losses": np.zeros((self.tasks, self.tasks)), "imbalance": np.zeros(self.tasks + 1)}

    def advance(self, which: int, state: State) -> float:
        rng = np.random.default_rng([self.seed, which])
        state["losses"], state["imbalance"] = _one_network(self.kind, self.tasks, rng, self.numbers)
        return 1.0

    def result(self, state: State) -> State:
        return state


def _trained(setting: Setting, work: Networks, networks: int) -> Trained:
    with setting.shelf("continual", **work.description) as folder:
        results = run(work, range(networks), folder=folder)
    return Trained(*(np.array([state[name] for state in results]) for name in Trained._fields))


def _one_network(kind: str, tasks: int, rng: np.random.Generator, numbers: tuple[float, ...]) -> tuple[Array, Array]:
    inputs, hidden, outputs, examples, epochs = map(int, numbers[:5])
    deviation, rate, noise = numbers[5:]
    data = [_data(rng, (inputs, outputs, examples), noise) for _ in range(tasks)]
    now = balanced(random_start(rng, (inputs, hidden, outputs), deviation))
    architecture = mlp.Architecture(hidden=1, units=hidden, activation=kind, biases=False)
    after, imbalance = [], [_imbalance(now)]
    for current in data:
        layers = [mlp.Layer(now.W1, np.zeros(hidden)), mlp.Layer(now.W2, np.zeros(outputs))]
        run = mlp.train(architecture, current, eta=rate, epochs=epochs, start=layers, threads=1)
        now = Start(*(np.asarray(layer.weights) for layer in run.weights))
        after.append([float(mlp.loss(architecture, run.weights, *each)) for each in data])
        imbalance.append(_imbalance(now))
    return np.array(after), np.array(imbalance)


def _data(rng: np.random.Generator, sizes: tuple[int, int, int], noise: float) -> Dataset:
    """Gaussian inputs made white, and the targets of a Gaussian linear teacher with Gaussian noise."""
    inputs, outputs, examples = sizes
    white = deep_linear.whiten(rng.standard_normal((inputs, examples)), rng.standard_normal((outputs, examples)))
    teacher = rng.standard_normal((outputs, inputs)) / np.sqrt(inputs)
    return Dataset(white.X.T, (teacher @ white.X + noise * white.Y).T)


def _imbalance(weights: Start) -> float:
    """How far the layers are from zero-balanced, between 0 and 1."""
    first, second = weights.W1 @ weights.W1.T, weights.W2.T @ weights.W2
    return float(np.linalg.norm(second - first) / (np.linalg.norm(first) + np.linalg.norm(second)))


def _exact(tasks: int, networks: int, seed: int, numbers: tuple[float, ...]) -> Array:
    """The losses of all tasks after each, from the data alone: (network, after this task, of that task)."""
    inputs, _, outputs, examples = map(int, numbers[:4])
    exact_losses = []
    for which in range(networks):
        rng = np.random.default_rng([seed, which])
        data = [_data(rng, (inputs, outputs, examples), numbers[-1]) for _ in range(tasks)]
        known = [deep_linear.task(X.T, Y.T) for X, Y in data]
        rows = [[losses(a.sigma_yx, b.sigma_yx, b.least_loss) for b in known] for a in known]
        exact_losses.append(rows)
    return np.array(exact_losses)


def _all_kinds(setting: Setting, tasks: int, networks: int, noise: str = "noise") -> tuple[dict[str, Trained], Array]:
    names = ("examples", "epochs", "deviation", "rate", noise)
    numbers = (*setting.numbers("sizes"), *map(setting.number, names))
    by_kind = {}
    for k, kind in enumerate(KINDS):
        by_kind[kind] = _trained(setting, Networks(kind, tasks, setting.seed, numbers), networks)
        setting.tell((k + 1) / len(KINDS))
    return by_kind, _exact(tasks, networks, setting.seed, numbers)


# --- 5B and C: two tasks, many networks -------------------------------------------------------------------------------


def forgetting(setting: Setting) -> Found:
    """The change of the first task's loss while the second is learned, measured and exact."""
    trained, exact = _all_kinds(setting, 2, setting.whole("networks"))
    predicted = exact[:, 1, 0] - exact[:, 0, 0]
    data, measured = {"exact": predicted}, {}
    for kind in KINDS:
        forgotten = trained[kind].losses[:, 1, 0] - trained[kind].losses[:, 0, 0]
        data[kind] = forgotten
        measured[kind] = float(np.abs(forgotten / predicted - 1.0).max())
        measured[f"above_{kind}"] = float(np.mean(forgotten > predicted))
        measured[f"correlation_{kind}"] = float(np.corrcoef(forgotten, predicted)[0, 1])
    clear, exact = _all_kinds(setting, 2, setting.whole("clear_networks"), "clear_noise")
    for kind in KINDS:
        forgotten = clear[kind].losses[:, 1, 0] - clear[kind].losses[:, 0, 0]
        measured[f"clear_{kind}"] = float(np.mean(forgotten > exact[:, 1, 0] - exact[:, 0, 0]))
    return Found(data, measured)


def draw_forgetting(figure: Figure, data: Data) -> None:
    axes = figure.subplots()
    largest = 1.08 * max(float(data[kind].max()) for kind in KINDS)
    axes.plot([0.0, largest], [0.0, largest], color=BLACK, linestyle=DOTS, linewidth=1.2)
    for kind, colour in KINDS.items():
        axes.plot(data["exact"], data[kind], "o", color=colour, markersize=3.2, alpha=0.75, markeredgewidth=0.0)
        axes.plot([], [], "o", color=colour, markersize=4.0, label=NAMES[kind])
    across = float(data["exact"].max()) * 1.08
    axes.set(xlabel="exact forgetting", ylabel="measured forgetting", xlim=(0.0, across), ylim=(0.0, largest))
    axes.legend(loc="upper left")


def alignment(setting: Setting) -> Found:
    """How far the two layers are from balanced, before and after two tasks."""
    trained, _ = _all_kinds(setting, 2, setting.whole("networks"))
    data = {kind: trained[kind].imbalance[:, [0, -1]] for kind in KINDS}
    measured = {f"after_{kind}": float(np.median(data[kind][:, 1])) for kind in KINDS}
    measured["largest_linear"] = float(data["linear"].max())
    measured["before"] = float(max(values[:, 0].max() for values in data.values()))
    measured["smallest_nonlinear"] = float(min(data[kind][:, 1].min() for kind in ("tanh", "relu")))
    return Found(data, measured)


def draw_alignment(figure: Figure, data: Data) -> None:
    axes = figure.subplots()
    for k, (kind, colour) in enumerate(KINDS.items()):
        places = np.array([3.0 * k, 3.0 * k + 1.0])
        for row in data[kind]:
            axes.plot(places, row, color=colour, alpha=0.25, linewidth=0.7)
            axes.plot(places, row, "o", color=colour, markersize=2.2, alpha=0.5, markeredgewidth=0.0)
        axes.plot(
            places, np.median(data[kind], axis=0), "_", color=BLACK, markersize=12, markeredgewidth=1.5, zorder=10
        )
        axes.text(places.mean(), 1.0, NAMES[kind], color=colour, ha="center", transform=axes.get_xaxis_transform())
    ticks = [3.0 * k + end for k in range(len(KINDS)) for end in (0.0, 1.0)]
    axes.set_xticks(ticks, ["before", "after"] * len(KINDS), rotation=30)
    axes.set(ylabel="imbalance of the layers", ylim=(-0.02, 1.0))


# --- 5D and E: a sequence of tasks ------------------------------------------------------------------------------------


def matrices(setting: Setting, *, differences: int) -> Found:
    """The loss of each task after each of a sequence, or its change from one task to the next, exact and measured."""
    trained, exact = _all_kinds(setting, setting.whole("tasks"), 1)
    wanted = np.diff(exact[0], n=differences, axis=0)
    data, measured = {"exact": wanted}, {}
    for kind in KINDS:
        data[kind] = np.diff(trained[kind].losses[0], n=differences, axis=0)
        measured[kind] = float(np.abs(data[kind] - wanted).max() / np.abs(wanted).max())
        measured[f"above_{kind}"] = float(np.mean((data[kind] - wanted)[np.abs(wanted) > 1e-9] > 0.0))
    return Found(data, measured)


def draw_matrices(figure: Figure, data: Data, *, name: str, first_row: int) -> None:
    largest = max(float(np.abs(values).max()) for values in data.values())
    signed = any(float(values.min()) < 0.0 for values in data.values())
    all_axes = figure.subplots(1, len(KINDS))
    for axes, (kind, colour) in zip(all_axes, KINDS.items(), strict=True):
        image = _halves(axes, data["exact"], data[kind], largest, signed)
        axes.set_title(NAMES[kind], color=colour, loc="center")
        axes.set_xlabel("loss of task")
        rows, columns = data["exact"].shape
        axes.set_xticks(range(columns), range(1, columns + 1))
        axes.set_yticks(range(rows), range(first_row, rows + first_row))
    all_axes[0].set_ylabel("after task")
    figure.colorbar(image, ax=all_axes, shrink=0.8, pad=0.02, label=name)


def _halves(axes: Axes, upper: Array, lower: Array, largest: float, signed: bool) -> AxesImage:
    """Cells of two triangles: the exact number above the diagonal of the cell, the measured one below it."""
    colours, least = (DIVERGING, -largest) if signed else (RISING, 0.0)
    image = axes.imshow(upper, interpolation="nearest", cmap=colours, vmin=least, vmax=largest)
    for (row, column), value in np.ndenumerate(lower):
        corners = [(column - 0.5, row + 0.5), (column + 0.5, row + 0.5), (column + 0.5, row - 0.5)]
        colour = image.cmap(image.norm(value))
        axes.add_patch(Polygon(corners, facecolor=colour, edgecolor="none"))
    axes.set_xticks(np.arange(upper.shape[1]))
    for place in np.arange(0.5, upper.shape[1] - 1):
        axes.axvline(place, color="white", linewidth=1.5)
    for place in np.arange(0.5, upper.shape[0] - 1):
        axes.axhline(place, color="white", linewidth=1.5)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    return image


PANELS = {
    "fig_5a": Panel(sequence, draw_sequence, (4.6, 3.6)),
    "fig_5b": Panel(forgetting, draw_forgetting, (2.9, 2.6)),
    "fig_5c": Panel(alignment, draw_alignment, (3.2, 2.6)),
    "fig_5d": Panel(partial(matrices, differences=0), partial(draw_matrices, name="loss", first_row=1), (6.8, 2.6)),
    "fig_5e": Panel(
        partial(matrices, differences=1), partial(draw_matrices, name="change of the loss", first_row=2), (6.8, 2.2)
    ),
}
