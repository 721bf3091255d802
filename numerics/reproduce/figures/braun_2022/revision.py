"""Figure 6: what is known is reversed, revised, or followed by a new hierarchy."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from numerics.reproduce.figures.braun_2022 import kingdom
from numerics.reproduce.figures.braun_2022.courses import (
    Course,
    Start,
    balanced,
    gap,
    learnable_start,
    losses,
    simulate,
    steps_of,
)
from numerics.reproduce.figures.braun_2022.exact import TIME
from numerics.reproduce.figures.braun_2022.rich_lazy import draw_decomposition
from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.scaling import distances, scaled, stress
from numerics.reproduce.figures.style import BLUE, COLOURS, GREEN, GREY, PINK, key, side_by_side, simulated, theoretical
from numerics.simulate.linear_network import learn
from numerics.theory import deep_linear

COLOUR_BRANCHES = ("warm", "cool", "yellow", "red", "green", "pale")
SHOWN = 1  # the item whose features panel F shows
REVISIONS = ("revised", "colours")
SIZES = {"small": "from small weights", "large": "from large weights"}
TITLES = {"revised": "revised living kingdom", "colours": "colour hierarchy"}


# --- the exact course of a reversal -----------------------------------------------------------------------------------


def unlearning(known: Array, task: Array, times: Array) -> Array:
    """The exact network function from balanced knowledge of which the task keeps some modes and reverses the others.

    Here Theorem 3.1 has no inverse of B. Kept modes rest; of a reversed one S e^(-2 S t)/(2 - e^(-2 S t)) is left.
    """
    kept, reversed_part = 0.5 * (known + task), 0.5 * (known - task)
    U, S, Vt = np.linalg.svd(reversed_part)
    fade = np.exp(-2.0 * np.outer(times, S))
    return np.asarray(kept + U * (S * fade / (2.0 - fade))[:, None, :] @ Vt)


# --- 6A and B: reversal -----------------------------------------------------------------------------------------------


def _opposed_task(setting: Setting) -> Array:
    """The given singular values between random singular vectors."""
    values, rng = setting.numbers("values"), setting.rng()
    U, V = (np.linalg.qr(rng.standard_normal((len(values), len(values))))[0] for _ in range(2))
    return np.asarray(U * values @ V.T)


def reversal(setting: Setting) -> Found:
    """A deep network that learned a task learns its opposite."""
    rng, rate, sigma = setting.rng(1), setting.number("rate"), _opposed_task(setting)
    sizes = len(sigma), setting.whole("hidden"), len(sigma)
    start = learnable_start(rng, sizes, setting.number("deviation"), sigma)
    first = simulate(start, sigma, rate, steps_of(setting.number("earlier_duration"), rate, 2))
    course = simulate(Start(first.W1[-1], first.W2[-1]), -sigma, rate, steps_of(setting.number("duration"), rate, 300))
    theory = unlearning(sigma, -sigma, course.times)
    early = course.times <= setting.number("early")
    excess = losses(course.functions, -sigma) / losses(0.0 * sigma, sigma)
    measured = {
        "gap": gap(course.functions[early], theory[early]),
        "theory_end": float(np.abs(theory[-1]).max() / np.abs(sigma).max()),
        "simulation_end": float(np.abs(course.functions[-1] + sigma).max() / np.abs(sigma).max()),
        "left": float(course.times[np.argmax(excess < 0.5)]),
    }
    return Found({"times": course.times, "simulation": course.functions, "theory": theory, "task": -sigma}, measured)


def shallow_reversal(setting: Setting) -> Found:
    """A network without hidden layer learns the opposite of what it knows."""
    rate, sigma = setting.number("rate"), _opposed_task(setting)
    steps = steps_of(setting.number("duration"), rate, 300)
    (run,) = learn([(sigma,)], [-sigma], rates=rate, weights_at=steps.tolist())
    theory = deep_linear.shallow(sigma, -sigma, steps * rate)
    times, half = steps * rate, len(steps) // 2
    excess = losses(run.weights[0], -sigma)
    measured = {
        "gap": gap(run.weights[0], theory),
        "simulation_end": float(np.abs(run.weights[0][-1] + sigma).max() / np.abs(sigma).max()),
        "slowest": float((-np.diff(np.log(excess)) / np.diff(times))[:half].min()),
    }
    return Found({"times": times, "simulation": run.weights[0], "theory": theory, "task": -sigma}, measured)


def draw_reversal(figure: Figure, data: Data) -> None:
    axes = figure.subplots()
    times = data["times"]
    simulated(axes, times, data["simulation"].reshape(len(times), -1).T, linewidth=2.0)
    theoretical(axes, times, data["theory"].reshape(len(times), -1).T)
    for k, value in enumerate(data["task"].ravel()):
        axes.plot(times[-1] * 1.03, value, "<", color=COLOURS[k], markersize=3.5, clip_on=False)
    axes.set(xlabel=TIME, ylabel="entries of the network function", xlim=(0.0, times[-1]))
    key(axes, [(GREY, "simulation")], theory="exact solution", loc="upper center", ncols=2, bbox_to_anchor=(0.5, 1.14))


# --- 6C and D: revised tasks ------------------------------------------------------------------------------------------


def _tasks(setting: Setting) -> dict[str, Array]:
    return {name: kingdom.task(setting.wholes(name)) for name in REVISIONS}


def revised_tasks(setting: Setting) -> Found:
    """Both revisions, and which modes of the living kingdom they keep or reverse."""
    known = kingdom.task()
    data: dict[str, Array] = {}
    measured: dict[str, float] = {}
    for name, sigma in _tasks(setting).items():
        U, S, Vt = kingdom.decomposition(sigma)
        first, second = kingdom.similarities(sigma)
        parts = {"task": sigma, "U": U, "S": S, "Vt": Vt, "inputs": first, "outputs": second}
        data |= {f"{name}_{part}": value for part, value in parts.items()}
        data[f"{name}_order"] = np.array(setting.wholes(name))
        overlap = np.linalg.svd(kingdom.decomposition(known)[2].T @ Vt + np.eye(8))[1]
        measured[f"reversed_{name}"] = float(np.sum(overlap < 1e-9))
        measured[f"values_{name}"] = float(np.abs(S - kingdom.decomposition(known)[1]).max())
        measured[f"error_{name}"] = float(np.abs(U * S @ Vt - sigma).max())
    return Found(data, measured)


def draw_revised_trees(figure: Figure, data: Data) -> None:
    for axes, name in zip(figure.subplots(1, 2), REVISIONS, strict=True):
        order = data[f"{name}_order"].tolist()
        if name == "revised":
            kingdom.tree(axes, order)
        else:
            kingdom.tree(axes, order, COLOUR_BRANCHES, "coloured things")
        axes.set_title(TITLES[name], loc="center")


def draw_revised_tasks(figure: Figure, data: Data) -> None:
    for part, name in zip(side_by_side(figure, (1.0, 1.0)), REVISIONS, strict=True):
        part.suptitle(TITLES[name], fontsize=8.5)
        parts = {key: data[f"{name}_{key}"] for key in ("task", "U", "S", "Vt", "inputs", "outputs")}
        draw_decomposition(part.subplots(2, 4), parts)


# --- 6E to H: learning and relearning ---------------------------------------------------------------------------------


class Story(NamedTuple):
    """First the living kingdom and then a revision."""

    first: Course
    second: Course
    first_theory: Array
    second_theory: Array


def _story(setting: Setting, name: str) -> Story:
    """The revision with swapped fish is learned after small weights, the colours after large ones."""
    rng, rate, known, task = setting.rng(), setting.number("rate"), kingdom.task(), _tasks(setting)[name]
    sizes = 8, setting.whole("hidden"), 8
    deviation = setting.number("small" if name == "revised" else "large")
    start = learnable_start(rng, sizes, deviation, known)
    first = simulate(start, known, rate, steps_of(setting.number(f"first_{name}"), rate, 200))
    learned = Start(first.W1[-1], first.W2[-1])
    second = simulate(learned, task, rate, steps_of(setting.number(f"second_{name}"), rate, 200))
    first_theory = deep_linear.network_function(*start, known, first.times)
    if name == "revised":
        second_theory = unlearning(known, task, second.times)
    else:
        second_theory = deep_linear.network_function(*balanced(learned), task, second.times)
    return Story(first, second, first_theory, second_theory)


def _arrival(times: Array, curve: Array) -> float:
    """When a hundredth of the loss is left."""
    below = curve < 0.01 * curve[0]
    return float(times[np.argmax(below)]) if below.any() else float("inf")


def revision(setting: Setting) -> Found:
    """Losses and outputs while the living kingdom is learned and then revised."""
    known = kingdom.task()
    data: dict[str, Array] = {}
    measured: dict[str, float] = {}
    for name, task in _tasks(setting).items():
        story = _story(setting, name)
        first, second = losses(story.first.functions, known), losses(story.second.functions, task)
        early = story.second.times <= setting.number("early")
        data |= {
            f"{name}_first_times": story.first.times,
            f"{name}_second_times": story.second.times,
            f"{name}_first": first,
            f"{name}_second": second,
            f"{name}_first_theory": losses(story.first_theory, known),
            f"{name}_second_theory": losses(story.second_theory, task),
            f"{name}_outputs": _outputs_of_an_item(story.first.functions, story.second.functions),
            f"{name}_outputs_theory": _outputs_of_an_item(story.first_theory, story.second_theory),
        }
        measured[f"first_gap_{name}"] = gap(story.first.functions, story.first_theory)
        measured[f"early_gap_{name}"] = gap(story.second.functions[early], story.second_theory[early])
        measured[f"gap_{name}"] = gap(story.second.functions, story.second_theory)
        measured[f"theory_end_{name}"] = float(losses(story.second_theory[-1], task))
        measured[f"simulation_end_{name}"] = float(second[-1])
        measured[f"first_arrival_{name}"] = _arrival(story.first.times, first)
        measured[f"second_arrival_{name}"] = _arrival(story.second.times, second)
        measured[f"ratio_{name}"] = measured[f"second_arrival_{name}"] / measured[f"first_arrival_{name}"]
    return Found(data, measured)


def revision_beside_random_starts(setting: Setting) -> Found:
    """Return the same, and how long the colours take from weights that know nothing."""
    panel = revision(setting)
    ratio = panel.measured["second_arrival_colours"] / _median_arrival_from_random(setting)
    return Found(panel.data, {**panel.measured, "ratio_random": ratio})


def _median_arrival_from_random(setting: Setting) -> float:
    """When the colours are learned from random balanced weights as large as those that know the kingdom."""
    task, times = _tasks(setting)["colours"], np.linspace(0.0, setting.number("second_colours"), 1500)
    sizes, size = (8, setting.whole("hidden"), 8), 2.0 * np.linalg.svd(kingdom.task(), compute_uv=False).sum()
    arrivals = []
    for which in range(setting.whole("random_starts")):
        start = learnable_start(setting.rng(2, which), sizes, setting.number("large"), task)
        scale = np.sqrt(size / sum(np.sum(W**2) for W in start))
        arrivals.append(_arrival(times, deep_linear.loss(scale * start.W1, scale * start.W2, task, times)))
    return float(np.median(arrivals))


def _outputs_of_an_item(first: Array, second: Array) -> Array:
    """All features of the item that is shown, over both stages: (time, feature)."""
    return np.asarray(np.sqrt(8.0) * np.concatenate([first[:, :, SHOWN], second[:, :, SHOWN]]))


def _stages(axes: Axes, data: Data, name: str) -> tuple[Array, Array, float]:
    """Times of both stages one after the other; the border between them is drawn."""
    border = float(data[f"{name}_first_times"][-1])
    first, second = data[f"{name}_first_times"], data[f"{name}_second_times"] + border
    axes.axvline(border, color=GREY, linewidth=0.6, zorder=0)
    axes.set(xlabel=TIME, xlim=(0.0, second[-1]))
    axes.set_title(f"living kingdom, then {TITLES[name]}", loc="center")
    return first, second, border


def draw_losses(figure: Figure, data: Data) -> None:
    for axes, name in zip(figure.subplots(2, 1), REVISIONS, strict=True):
        first, second, _ = _stages(axes, data, name)
        for times, stage, colour in ((first, "first", BLUE), (second, "second", PINK)):
            simulated(axes, times, data[f"{name}_{stage}"], [colour], linewidth=2.0)
            theoretical(axes, times, data[f"{name}_{stage}_theory"])
        axes.set(ylabel=r"loss $\mathcal{L}$", ylim=(0.0, None))
        if name == "revised":
            simulation, theory = data["revised_second"], data["revised_second_theory"]
            escape = np.argmax(theory - simulation > 0.2 * theory[-1])
            circle = {"markersize": 12, "fillstyle": "none", "markeredgewidth": 1.5, "clip_on": False}
            axes.plot(second[escape], simulation[escape], "o", color=GREEN, zorder=11, **circle)
    key(figure.axes[0], [(BLUE, "first task"), (PINK, "revision")], theory="exact solution", loc="upper right")


def draw_outputs(figure: Figure, data: Data) -> None:
    for axes, name in zip(figure.subplots(2, 1), REVISIONS, strict=True):
        first, second, _ = _stages(axes, data, name)
        times = np.concatenate([first, second])
        simulated(axes, times, data[f"{name}_outputs"].T, linewidth=2.0)
        theoretical(axes, times, data[f"{name}_outputs_theory"].T)
        axes.set_ylabel(f"features of {kingdom.ITEMS[SHOWN]}")
    key(figure.axes[0], [(GREY, "simulation")], theory="exact solution", loc="lower right")


# --- multidimensional scaling -----------------------------------------------------------------------------------------


def _snapshots(functions: Array, count: int) -> Array:
    """Outputs (snapshot, item, feature), by times at which about equal ways were gone."""
    way = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(functions, axis=0), axis=(1, 2)))])
    snapshots = np.unique(np.searchsorted(way, np.linspace(0.0, way[-1], count) * (1.0 - 1e-9)))
    return np.asarray(np.sqrt(8.0) * functions[snapshots].swapaxes(1, 2))


def _scaled_stories(functions: dict[str, Array], count: int) -> tuple[dict[str, Array], float]:
    """Places (snapshot, item, 2) of some courses in one common plane, and the stress."""
    shots = {name: _snapshots(each, count) for name, each in functions.items()}
    points = np.concatenate([each.reshape(-1, 8) for each in shots.values()])
    wanted = distances(points)
    places, begin, stories = scaled(wanted), 0, {}
    for name, each in shots.items():
        stories[name] = places[begin : begin + each.shape[0] * 8].reshape(-1, 8, 2)
        begin += each.shape[0] * 8
    return stories, stress(wanted, places)


def scaling_of_learning(setting: Setting) -> Found:
    """The items' outputs while the living kingdom is learned from small and from large weights."""
    courses = {"small": _story(setting, "revised").first, "large": _story(setting, "colours").first}
    places, error = _scaled_stories(
        {name: each.functions for name, each in courses.items()}, setting.whole("snapshots")
    )
    ends = [np.sqrt(8.0) * course.functions[-1].T for course in courses.values()]
    first, second = (distances(end) for end in ends)
    measured = {
        "difference": float(np.abs(first - second).max() / first.max()),
        "siblings": float(first[0, 1] / first[0, 2]),
        "cousins": float(first[0, 2] / first[0, 4]),
        "stress": error,
    }
    return Found(places, measured)


def scaling_of_revision(setting: Setting) -> Found:
    """The items' outputs while either revision is learned afterwards."""
    stories = {name: _story(setting, name) for name in REVISIONS}
    shots = setting.whole("snapshots")
    data: dict[str, Array] = {}
    measured: dict[str, float] = {}
    errors = []
    for name, task in _tasks(setting).items():
        places, error = _scaled_stories({name: stories[name].second.functions}, shots)
        data |= places
        errors.append(error)
        end = np.sqrt(8.0) * np.array([stories[name].second.functions[-1], task]).swapaxes(1, 2)
        distances_now, wanted = distances(end[0]), distances(end[1])
        measured[f"end_{name}"] = float(np.abs(distances_now - wanted).max() / wanted.max())
    return Found(data, {**measured, "stress": max(errors)})


def draw_places(figure: Figure, data: Data, *, titles: dict[str, str], one_plane: bool) -> None:
    all_axes = figure.subplots(1, len(titles), sharex=one_plane, sharey=one_plane)
    for axes, (name, title) in zip(all_axes, titles.items(), strict=True):
        for item, colour in enumerate(kingdom.ITEM_COLOURS):
            path = data[name][:, item]
            axes.plot(path[:, 0], path[:, 1], "-", color=colour, linewidth=1.3, alpha=0.8)
            axes.plot(*path[0], "o", color=colour, markersize=3.5, fillstyle="none")
            axes.plot(*path[-1], "o", color=colour, markersize=5.5, label=kingdom.ITEMS[item], zorder=5)
        axes.set_title(title, loc="center")
        axes.set(xticks=[], yticks=[], xlabel="first dimension", aspect="equal")
        axes.margins(0.15)
    all_axes[0].set_ylabel("second dimension")
    all_axes[-1].legend(loc="center left", bbox_to_anchor=(1.02, 0.5))


PANELS = {
    "fig_6a": Panel(reversal, draw_reversal, (3.4, 2.6)),
    "fig_6b": Panel(shallow_reversal, draw_reversal, (3.4, 2.6)),
    "fig_6c": Panel(revised_tasks, draw_revised_trees, (6.4, 2.5)),
    "fig_6d": Panel(revised_tasks, draw_revised_tasks, (8.4, 2.6)),
    "fig_6e": Panel(revision_beside_random_starts, draw_losses, (4.6, 3.8)),
    "fig_6f": Panel(revision, draw_outputs, (4.6, 3.8)),
    "fig_6g": Panel(scaling_of_learning, partial(draw_places, titles=SIZES, one_plane=True), (6.2, 2.6)),
    "fig_6h": Panel(scaling_of_revision, partial(draw_places, titles=TITLES, one_plane=False), (6.2, 2.6)),
}
