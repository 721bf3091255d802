"""Figure 4: two-layer networks of which both layers learn."""

from __future__ import annotations

import numpy as np
from matplotlib.figure import Figure

from numerics.reproduce.figures.carrasco_davis_grant_2025.curves import draw_overlaps
from numerics.reproduce.figures.carrasco_davis_grant_2025.students import ERROR, TIME, follow, planted
from numerics.reproduce.figures.panel import Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLUE, GREY, RED, key, simulated, theoretical

RECORDS = 240


def both_layers(setting: Setting) -> Found:
    """Error, overlaps and second layer over time from small weights, simulated and computed."""
    rng, goal = setting.rng(), np.array(setting.numbers("teacher"))
    K, M = setting.whole("students"), goal.size
    shares = setting.number("asymmetry") * rng.standard_normal((K, M))
    v = np.full(K, setting.number("second")) + setting.number("asymmetry") * rng.standard_normal(K)
    start = planted(shares, setting.number("deviation"), setting.whole("inputs"), rng)
    times = np.linspace(0.0, setting.number("duration"), RECORDS + 1)
    rates = {"eta": setting.number("rate"), "eta_v": setting.number("second_rate")}
    layers = {"v": v, "v_teacher": goal}
    course = follow(start, times, seed=setting.seed, tests=setting.whole("tests"), replicas=1, **rates, **layers)
    theory, runs = course.theory, course.runs
    measured = {
        "gap": course.relative_gap,
        "overlaps": float(course.overlap_gaps.max()),
        "second_gap": float(np.abs(runs.v - theory.v).max()),
        "moved": float(np.linalg.norm(runs.v[0, -1] - v) / np.linalg.norm(v)),
        "remaining": float(runs.error[0, -1] / runs.error[0, 0]),
    }
    data = {"times": course.times, "error": runs.error[0], "Q": runs.Q[0], "R": runs.R[0], "v": runs.v[0]}
    data |= {"error_theory": theory.error, "Q_theory": theory.Q, "R_theory": theory.R, "v_theory": theory.v}
    return Found({**data, "teacher": goal}, measured)


def draw_both_layers(figure: Figure, data: Data) -> None:
    learning, overlaps, second = figure.subplots(1, 3)
    times = data["times"]
    simulated(learning, times, data["error"])
    theoretical(learning, times, data["error_theory"])
    learning.set(ylabel=ERROR, yscale="log")
    key(learning, [(BLUE, "simulation")], loc="upper right")
    draw_overlaps(overlaps, times, data)
    for value in data["teacher"]:
        second.axhline(value, color=GREY, linewidth=0.8, zorder=0)
    simulated(second, times, data["v"].T)
    theoretical(second, times, data["v_theory"].T)
    second.set(ylabel="second layer $v_i$")
    key(second, [(BLUE, "$v_1$"), (RED, "$v_2$"), (GREY, "teacher's")], loc="lower right", ncols=2)
    for axes in figure.axes:
        axes.set(xlabel=TIME, xlim=(0.0, times[-1]))


PANELS = {"fig_4": Panel(both_layers, draw_both_layers, (7.6, 2.5))}
