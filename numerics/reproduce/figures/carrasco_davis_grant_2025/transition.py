"""Figure 2: where the error leaves its plateau, every student specialises on one teacher."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib.figure import Figure

from numerics.reproduce.figures.carrasco_davis_grant_2025.students import (
    ERROR,
    TIME,
    crossing,
    follow,
    matching,
    planted,
    specialisation,
)
from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLACK, BLUE, GREY, RED, heat, key, simulated, theoretical
from numerics.theory.teacher_student import plateau

RECORDS = 300
OPAQUE: Any = {"frameon": True, "framealpha": 1.0, "edgecolor": "none", "borderpad": 0.1}


def transition(setting: Setting) -> Found:
    """A committee of as many students as teachers from small weights: error and order parameters over time."""
    K, rate, rng = setting.whole("units"), setting.number("rate"), setting.rng()
    shares = setting.number("asymmetry") * rng.standard_normal((K, K))
    start = planted(shares, setting.number("deviation"), setting.whole("inputs"), rng)
    times = np.linspace(0.0, setting.number("duration"), RECORDS + 1)
    course = follow(start, times, seed=setting.seed, tests=setting.whole("tests"), replicas=1, eta=rate)
    order = np.argsort(matching(course.theory.R[-1]))
    data = {
        "times": course.times,
        "error": course.runs.error[0],
        "error_theory": course.theory.error,
        "Q": course.runs.Q[0][:, order][:, :, order],
        "R": course.runs.R[0][:, order],
        "Q_theory": course.theory.Q[:, order][:, :, order],
        "R_theory": course.theory.R[:, order],
        "plateau": np.array(plateau(K).error),
        "rate": np.array(rate),
        "inputs": np.array(setting.whole("inputs")),
    }
    return Found(data, {"gap": course.relative_gap, **_measured(data)})


def _measured(data: Data) -> dict[str, float]:
    times, error, level = data["times"], data["error"], float(data["plateau"])
    special = specialisation(data["R"])
    waits = _waiting(data["error_theory"], level)
    leaves = crossing(times, error, level / 2)
    changes = crossing(times, -special, -special[-1] / 2)
    computed = crossing(times, data["error_theory"], level / 2)
    off = ~np.eye(len(data["Q"][0]), dtype=bool)
    return {
        "height": float(error[waits] / level),
        "height_theory": float(data["error_theory"][waits] / level),
        "special_on_plateau": float(np.abs(special[waits])),
        "special_in_the_end": float(special[-1]),
        "smallest_own": float(np.diagonal(data["R"][-1]).min()),
        "largest_other": float(np.abs(data["R"][-1][off]).max()),
        "together": float(changes / leaves),
        "leaving": float(abs(np.log(leaves / computed))),
        "remaining": float(error[-1] / error[0]),
    }


def _waiting(error: Array, level: float) -> int:
    """Where the error changes slowest, for its size, before it falls below half of the plateau."""
    leaves = int(np.argmax(error < level / 2)) or len(error) - 1
    return int(np.argmin(np.abs(np.diff(np.log(error[: leaves + 1])))))


def _moments(data: Data) -> list[int]:
    """Start, plateau, transition and end."""
    level = float(data["plateau"])
    waits = _waiting(data["error_theory"], level)
    special = specialisation(data["R"])
    return [0, waits, int(np.argmax(special > special[-1] / 2)), len(special) - 1]


def draw_transition(figure: Figure, data: Data) -> None:
    top, bottom = figure.subfigures(2, 1, height_ratios=(1.8, 1.0), squeeze=False)[:, 0]
    learning, overlaps = top.subplots(1, 2)
    times, K = data["times"], data["Q"].shape[1]
    simulated(learning, times, data["error"])
    theoretical(learning, times, data["error_theory"])
    learning.axhline(float(data["plateau"]), color=GREY, linewidth=0.8, zorder=0)
    learning.set(xlabel=TIME, ylabel=ERROR, yscale="log", xlim=(0.0, times[-1]))
    key(learning, [(BLUE, "simulation"), (GREY, "plateau at small rates")], loc="lower left", **OPAQUE)
    own = np.eye(K, dtype=bool)
    simulated(overlaps, times, data["R"][:, ~own].T, [RED], linewidth=1.2)
    simulated(overlaps, times, data["R"][:, own].T, [BLUE], linewidth=1.2)
    theoretical(overlaps, times, data["R_theory"].reshape(len(times), -1).T)
    overlaps.set(xlabel=TIME, ylabel="overlap $R_{in}$ with a teacher", xlim=(0.0, times[-1]), ylim=(-0.2, 1.45))
    key(overlaps, [(BLUE, "its own"), (RED, "others")], loc="upper left", **OPAQUE)
    moments = _moments(data)
    for axes in (learning, overlaps):
        for at in moments[1:3]:
            axes.axvline(times[at], color=GREY, linewidth=0.8, linestyle="--", zorder=0)
    for axes, at in zip(bottom.subplots(1, len(moments)), moments, strict=True):
        both = np.concatenate([data["Q"][at], data["R"][at]], axis=1)
        image = heat(axes, both, largest=1.0, title=f"$t={times[at]:.0f}$")
        axes.axvline(K - 0.5, color=BLACK, linewidth=0.6)
        axes.set_xticks([(K - 1) / 2, K + (K - 1) / 2], ["$Q$", "$R$"])
        axes.tick_params(length=0)
    bottom.colorbar(image, ax=bottom.axes, shrink=0.8, pad=0.02)


PANELS = {"fig_2": Panel(transition, draw_transition, (7.0, 4.0))}
