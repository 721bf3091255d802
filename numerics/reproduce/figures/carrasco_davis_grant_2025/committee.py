"""Figure 1: soft committee machines that learn online, and the equations of their order parameters."""

from __future__ import annotations

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from numerics.reproduce.figures.carrasco_davis_grant_2025.curves import draw_overlaps
from numerics.reproduce.figures.carrasco_davis_grant_2025.students import (
    ERROR,
    TIME,
    Course,
    crossing,
    errors,
    follow,
    planted,
)
from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import COLOURS, GREY, key, simulated, theoretical
from numerics.theory.teacher_student import plateau

Case = tuple[int, int, float]  # students, teachers, rate
RECORDS = 240


def committees(setting: Setting) -> Found:
    """Learning curves for several numbers of students and teachers and several rates, and the overlaps of one run."""
    base = setting.number("rate")
    cases: list[Case] = [(K, M, base) for K, M in setting.values["units"]]
    cases += [(3, 3, rate) for rate in setting.numbers("rates")]
    data: dict[str, Array] = {"units": np.array(setting.values["units"]), "rates": np.array(setting.numbers("rates"))}
    gaps, times_of_leaving, test_gaps = [], [], []
    for number, case in enumerate(dict.fromkeys(cases)):
        course = _course(setting, case)
        name = _name(case)
        data |= {f"times_{name}": course.times, f"simulation_{name}": course.runs.error[0]}
        data |= {f"theory_{name}": course.theory.error}
        if case == (3, 3, base):
            data |= {"Q": course.runs.Q[0], "R": course.runs.R[0], "Q_theory": course.theory.Q}
            data |= {"R_theory": course.theory.R}
        gaps.append(course.relative_gap)
        test_gaps.append(_test_gap(course))
        if case[0] == case[1]:
            times_of_leaving.append(_leaving(course, case[0]))
        setting.tell((number + 1) / len(set(cases)))
    measured = {
        "gap": max(gaps),
        "leaving": max(abs(np.log(a / b)) for a, b in times_of_leaving),
        "equation_19": max(test_gaps),
        "overlaps": float(np.abs(data["R"] - data["R_theory"]).max()),
    }
    return Found({**data, "rate": np.array(base), "plateau": np.array(plateau(3).error)}, measured)


def _course(setting: Setting, case: Case) -> Course:
    K, M, rate = case
    rng = setting.rng(K, M)
    shares = setting.number("asymmetry") * rng.standard_normal((K, M))
    start = planted(shares, setting.number("deviation"), setting.whole("inputs"), rng)
    times = np.linspace(0.0, setting.number("duration") / rate, RECORDS + 1)
    return follow(start, times, seed=setting.seed, tests=setting.whole("tests"), replicas=1, eta=rate)


def _leaving(course: Course, K: int) -> tuple[float, float]:
    """When the error falls below half of the plateau, simulated and computed."""
    half = plateau(K).error / 2
    return crossing(course.times, course.runs.error[0], half), crossing(course.times, course.theory.error, half)


def _test_gap(course: Course) -> float:
    """The error that is measured on inputs against equation 19 of the simulated overlaps, relative to the start."""
    T = np.eye(course.runs.R.shape[3])
    computed = errors(course.runs.Q, course.runs.R, T)
    return float(np.abs(computed - course.runs.error).max() / computed[0, 0])


def _name(case: Case) -> str:
    return "{}_{}_{:g}".format(*case)


# --- the picture ------------------------------------------------------------------------------------------------------


def draw_committees(figure: Figure, data: Data) -> None:
    axes = figure.subplots(2, 2)
    base, units = float(data["rate"]), [(int(K), int(M)) for K, M in data["units"]]
    equal, unequal = [pair for pair in units if pair[0] == pair[1]], [pair for pair in units if pair[1] == 3]
    _curves(axes[0, 0], data, [(*pair, base) for pair in equal], [f"$K=M={K}$" for K, _ in equal])
    axes[0, 0].set_title("as many students as teachers")
    _curves(axes[0, 1], data, [(*pair, base) for pair in sorted(unequal)], [f"$K={K}$" for K, _ in sorted(unequal)])
    axes[0, 1].set_title("fewer and more students, $M=3$")
    rates = data["rates"].tolist()
    _curves(axes[1, 0], data, [(3, 3, rate) for rate in rates], [rf"$\eta={rate:g}$" for rate in rates], scaled=True)
    axes[1, 0].axhline(float(data["plateau"]), color=GREY, linewidth=0.8, zorder=0)
    place = (0.99, float(data["plateau"])), (0, 2), axes[1, 0].get_yaxis_transform(), "offset points"
    axes[1, 0].annotate(r"plateau, $\eta\to 0$", *place, ha="right", va="bottom", fontsize=7.0, color=GREY)
    axes[1, 0].set_title("several rates, $K=M=3$")
    draw_overlaps(axes[1, 1], data[f"times_{_name((3, 3, base))}"], data)
    axes[1, 1].set_title("overlaps, $K=M=3$")


def _curves(axes: Axes, data: Data, cases: list[Case], labels: list[str], *, scaled: bool = False) -> None:
    for k, case in enumerate(cases):
        name, factor = _name(case), case[2] if scaled else 1.0
        times = data[f"times_{name}"] * factor
        simulated(axes, times, data[f"simulation_{name}"], [COLOURS[k]])
        theoretical(axes, times, data[f"theory_{name}"])
        axes.set_xlim(0.0, times[-1])
    axes.set(yscale="log", ylim=(1e-4, 3.0), ylabel=ERROR, xlabel=r"$\eta t$" if scaled else TIME)
    key(axes, [(COLOURS[k], label) for k, label in enumerate(labels)], loc="upper right")


PANELS = {"fig_1": Panel(committees, draw_committees, (7.2, 4.8))}
