"""Figure 3: large initial weights, from which every run learns in its own way, and what the equations say."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from numerics.reproduce.figures.carrasco_davis_grant_2025.students import ERROR, TIME, Start, errors, updates_at
from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLACK, BLUE, DOTS, GREY, RED
from numerics.simulate.teacher_student import learn
from numerics.theory.teacher_student import trajectory

RECORDS = 150


def individuals(setting: Setting) -> Found:
    """Many runs of one teacher's students, each from its own large weights, and the equations from the same starts."""
    N, M, rate = setting.whole("inputs"), setting.whole("teachers"), setting.number("rate")
    K, count = setting.whole("students"), setting.whole("runs")
    teachers = setting.rng(0).standard_normal((M, N))
    students = setting.number("deviation") * setting.rng(1).standard_normal((count, K, N))
    updates = np.unique(updates_at(np.linspace(0.0, setting.number("duration"), RECORDS + 1), N))
    with setting.shelf("individuals", **setting.values, seed=setting.seed) as folder:
        runs = learn(
            students, teachers, updates=updates, eta=rate, seed=setting.seed, tests=0, replicas=count, folder=folder
        )
    setting.tell(0.8)
    starts = [Start(weights, teachers).overlaps for weights in students]
    solved = [trajectory(*start, eta=rate, times=updates / N) for start in starts]
    data = {
        "times": updates / N,
        "simulation": errors(runs.Q, runs.R, starts[0][2]),
        "theory": np.array([solution.error for solution in solved]),
    }
    return Found(data, measured(data))


def measured(data: Data) -> dict[str, float]:
    """How runs differ, and how far the mean is from that of the equations."""
    runs, theory = data["simulation"], data["theory"]
    mean, goal = runs.mean(axis=0), theory.mean(axis=0)
    doubt = np.sqrt((runs.var(axis=0, ddof=1) + theory.var(axis=0, ddof=1)) / len(runs))
    ends, spread = runs[:, -1], _spread(runs)
    widest = int(np.argmax(spread))
    return {
        "gap": float(np.abs(mean - goal).max() / goal[0]),
        "deviations": float(np.max(np.abs(mean - goal)[1:] / doubt[1:])),
        "one_run": float(np.median(np.abs(runs - theory).max(axis=1)) / goal[0]),
        "spread": float(spread[widest] / mean[widest]),
        "ratio": float(mean[widest] / goal[widest]),
        "when": float(data["times"][widest]),
        "correlation": float(np.corrcoef(runs[:, widest], theory[:, widest])[0, 1]),
        "spread_of_ends": float(ends.std() / ends.mean()),
        "spread_of_solutions": float(theory[:, -1].std() / theory[:, -1].mean()),
        "fluctuation": float(runs[:, -len(mean) // 6 :].std(axis=1).mean() / ends.mean()),
        "share_of_start": float(ends.mean() / mean[0]),
    }


def _spread(runs: Array) -> Array:
    """The standard deviation over runs over time, and zero in the first twentieth of it, in which all errors fall."""
    later = np.arange(runs.shape[1]) >= runs.shape[1] // 20
    return np.asarray(np.where(later, runs.std(axis=0), 0.0))


def draw_individuals(figure: Figure, data: Data) -> None:
    curves, pairs = figure.subplots(1, 2, width_ratios=(1.7, 1.0))
    times, runs, theory = data["times"], data["simulation"], data["theory"]
    curves.plot(times, runs.T, color=BLUE, alpha=0.25, linewidth=0.7)
    curves.plot(times, runs.mean(axis=0), color=RED, label="mean of the runs")
    curves.plot(times, theory.mean(axis=0), color=BLACK, linestyle=DOTS, linewidth=1.3, label="mean of the equations")
    curves.plot([], [], color=BLUE, linewidth=0.7, label="runs")
    curves.set(xlabel=TIME, ylabel=ERROR, yscale="log", xlim=(0.0, times[-1]))
    curves.set_ylim(bottom=max(float(runs.mean(axis=0).min()) / 2, 1e-5))
    curves.legend(loc="best")
    _pairs(pairs, data, int(np.argmax(_spread(runs))))


def _pairs(axes: Axes, data: Data, at: int) -> None:
    """Each run's error against that of the equations from its own start, where runs differ most."""
    theory, runs = data["theory"][:, at], data["simulation"][:, at]
    both = np.concatenate([theory, runs])
    margin = 0.06 * (both.max() - both.min())
    ends = both.min() - margin, both.max() + margin
    axes.plot(ends, ends, color=GREY, linewidth=0.8, zorder=0)
    axes.plot(theory, runs, "o", color=BLUE, alpha=0.6, markersize=3.5, markeredgewidth=0.0)
    axes.set(xlabel=rf"equations: {ERROR}", ylabel=rf"runs: {ERROR}", xlim=ends, ylim=ends, aspect="equal")
    axes.set_title(f"where runs differ most, $t={data['times'][at]:.0f}$")


PANELS = {
    f"fig_3_{number}_students": Panel(individuals, draw_individuals, (6.6, 2.6)) for number in ("two", "four", "six")
}
