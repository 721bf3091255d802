"""Section 4, limits of the setting: up to which learning rate and noise finite simulations follow the equations."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from numerics.reproduce.figures.carrasco_davis_grant_2025.students import (
    ERROR,
    TIME,
    Start,
    errors,
    planted,
    updates_at,
)
from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLACK, COLOURS, DOTS, GREY, key, simulated, theoretical
from numerics.simulate.teacher_student import learn
from numerics.theory.teacher_student import critical_learning_rate, trajectory
from numerics.theory.teacher_student.chain import chain

RECORDS = 80
CLOSE = 0.1  # of the error at the start


class Grid(NamedTuple):
    """Errors for every dimension and every value of what is varied, and those of the equations."""

    times: Array
    simulation: Array  # dimension, value, replica, time
    theory: Array  # value, time

    @property
    def gaps(self) -> Array:
        """The mean over replicas of the largest distance, relative to the error at the start: (dimension, value)."""
        distances = np.abs(self.simulation - self.theory[:, None]).max(axis=3) / self.theory[:, :1]
        return np.asarray(distances.mean(axis=2))


def _grid(setting: Setting, rates: list[dict[str, Any]]) -> Grid:
    """Every dimension with every set of rates; the largest dimensions without their weights, by the exact chain."""
    K, replicas = setting.whole("units"), setting.whole("replicas")
    shares = setting.number("share") * np.eye(K)
    times = np.linspace(0.0, setting.number("duration"), RECORDS + 1)
    sizes, chained = setting.wholes("inputs"), setting.wholes("chain_inputs")
    theory, simulation = [], []
    Q, R, T = planted(shares, setting.number("deviation"), sizes[0], setting.rng(sizes[0])).overlaps
    for number, rate in enumerate(rates):
        theory.append(trajectory(Q, R, T, times=times, **rate).error)
        starts = [planted(shares, setting.number("deviation"), N, setting.rng(N)) for N in sizes]
        about: dict[str, Any] = {"seed": setting.seed, "replicas": replicas}
        outcomes = [_learned(start, times, **rate, **about) for start in starts]
        for N in chained:
            outcomes.append(chain(Q, R, T, inputs=N, updates=updates_at(times, N), **rate, **about).error)
        simulation.append(outcomes)
        setting.tell((number + 1) / len(rates))
    return Grid(times, np.swapaxes(np.array(simulation), 0, 1), np.array(theory))


def _learned(start: Start, times: Array, **how: Any) -> Array:
    updates = updates_at(times, start.teachers.shape[1])
    runs = learn(*start, updates=updates, tests=0, **how)
    return errors(runs.Q, runs.R, start.overlaps[2])


def _falling(sizes: Array, gaps: Array) -> float:
    """The power of the dimension with which the gaps fall, fitted for all values at once."""
    centred = np.log(gaps) - np.log(gaps).mean(axis=0)
    logs = np.log(sizes) - np.log(sizes).mean()
    return float((centred * logs[:, None]).sum() / (logs**2).sum() / gaps.shape[1])


def _close(values: Array, gaps: Array) -> float:
    """The largest value up to which all gaps are small."""
    far = np.flatnonzero(gaps > CLOSE)
    return float(values[: far[0] if far.size else len(values)].max(initial=0.0))


def _sizes(setting: Setting) -> Array:
    return np.array(setting.wholes("inputs") + setting.wholes("chain_inputs"))


def _draw_gaps(axes: Axes, values: Array, data: Data, label: str) -> None:
    for k, (N, row) in enumerate(zip(data["sizes"], data["gaps"], strict=True)):
        axes.semilogy(values, row, "o-", color=COLOURS[k], markersize=3.0, linewidth=1.2, label=f"$N={N:,}$")
    axes.axhline(CLOSE, color=GREY, linewidth=0.8, zorder=0)
    axes.set(xlabel=label, ylabel=r"largest $|\hat{\mathcal{E}}-\mathcal{E}|/\mathcal{E}(0)$")
    axes.set_ylim(top=20.0 * data["gaps"].max())
    axes.legend(loc="upper left", ncols=2)


# --- learning rate ----------------------------------------------------------------------------------------------------


def learning_rate(setting: Setting) -> Found:
    """Errors over time for rates below and above the critical one, from one start, for several dimensions."""
    rates = np.array(setting.numbers("rates"))
    critical = critical_learning_rate(setting.whole("units"))
    grid = _grid(setting, [{"eta": rate} for rate in rates])
    gaps, sizes = grid.gaps, _sizes(setting)
    ends = grid.simulation[..., -1].mean(axis=2) / grid.theory[:, 0]
    below, above = rates < 0.9 * critical, rates > 1.1 * critical
    measured = {
        "gap": float(gaps[-1, below].max()),
        "gap_of_smallest": float(gaps[0, below].max()),
        "falling": _falling(sizes, gaps[:, below]),
        "close": _close(rates, gaps[0]) / critical,
        "close_largest": _close(rates, gaps[-1]) / critical,
        "learned": float(ends[:, below].max()),
        "not_learned": float(ends[:, above].min()),
    }
    data = {"times": grid.times, "rates": rates, "sizes": sizes, "gaps": gaps, "critical": np.array(critical)}
    return Found({**data, "simulation": grid.simulation[:, :, 0], "ends": ends, "theory": grid.theory}, measured)


def draw_learning_rate(figure: Figure, data: Data) -> None:
    learning, left, gaps = figure.subplots(1, 3)
    rates, critical = data["rates"], float(data["critical"])
    middle = len(data["sizes"]) - 1
    shown = [int(np.abs(rates / critical - share).argmin()) for share in (0.4, 0.9, 1.1, 1.7)]
    for colour, k in zip(COLOURS, shown, strict=False):
        simulated(learning, data["times"], data["simulation"][middle, k], [colour])
        theoretical(learning, data["times"], data["theory"][k])
    learning.set(xlabel=TIME, ylabel=ERROR, yscale="log", xlim=(0.0, data["times"][-1]), ylim=(1e-5, 20.0))
    named = [(COLOURS[n], rf"$\eta={rates[k]:g}$") for n, k in enumerate(shown)]
    key(learning, named, loc="upper right", ncols=2)
    learning.set_title(f"$N={data['sizes'][middle]:,}$")
    for k, ends in enumerate(data["ends"]):
        left.semilogy(rates, ends, "o", color=COLOURS[k], markersize=3.0)
    left.semilogy(rates, data["theory"][:, -1] / data["theory"][:, 0], color=BLACK, linestyle=DOTS, linewidth=1.3)
    left.set(xlabel=r"learning rate $\eta$", ylabel=r"error at the end $/\mathcal{E}(0)$")
    _draw_gaps(gaps, rates, data, r"learning rate $\eta$")
    for axes in (left, gaps):
        axes.axvline(critical, color=GREY, linewidth=0.8, zorder=0)
    left.annotate(r"$\eta_c$", (critical, 0.97), (3, 0), ("data", "axes fraction"), "offset points", va="top")


# --- noise ------------------------------------------------------------------------------------------------------------


def noise(setting: Setting) -> Found:
    """Errors over time for teachers with several sizes of noise, from one start, for several dimensions."""
    sigmas, rate, K = np.array(setting.numbers("noises")), setting.number("rate"), setting.whole("units")
    grid = _grid(setting, [{"eta": rate, "sigma": sigma} for sigma in sigmas])
    gaps, sizes = grid.gaps, _sizes(setting)
    late = grid.times >= 0.75 * grid.times[-1]
    left = grid.simulation[..., late].mean(axis=(2, 3))
    expected = grid.theory[:, late].mean(axis=1)
    first_order = K * sigmas**2 * rate / (2 * sqrt(3) * pi)
    small = sigmas <= setting.number("small")
    measured = {
        "gap": float(gaps[-1, sigmas <= 1.0].max()),
        "gap_of_all": float(gaps[-1].max()),
        "falling": _falling(sizes, gaps),
        "left": float(np.abs(left[-1] / expected - 1.0).max()),
        "left_in_smallest": float(np.abs(left[0] / expected - 1.0).max()),
        "first_order": float(np.abs(left[-1, small] / first_order[small] - 1.0).max()),
        "growing": float(np.polyfit(np.log(sigmas[small]), np.log(left[-1, small]), 1)[0]),
        "close": _close(sigmas, gaps[0]),
        "close_largest": _close(sigmas, gaps[-1]),
    }
    data = {"times": grid.times, "noises": sigmas, "sizes": sizes, "gaps": gaps, "left": left, "expected": expected}
    data |= {"first_order": first_order, "simulation": grid.simulation[:, :, 0], "theory": grid.theory}
    return Found(data, measured)


def draw_noise(figure: Figure, data: Data) -> None:
    learning, left, gaps = figure.subplots(1, 3)
    sigmas = data["noises"]
    shown = [k for k in range(len(sigmas)) if k % 2 == 0][:4]
    last = len(data["sizes"]) - 1
    for colour, k in zip(COLOURS, shown, strict=False):
        simulated(learning, data["times"], data["simulation"][last, k], [colour], linewidth=1.2)
        theoretical(learning, data["times"], data["theory"][k])
    learning.set(xlabel=TIME, ylabel=ERROR, yscale="log", xlim=(0.0, data["times"][-1]))
    learning.set_ylim(top=12.0 * data["theory"][0, 0])
    learning.set_title(f"$N={data['sizes'][last]:,}$")
    key(learning, [(COLOURS[n], rf"$\sigma={sigmas[k]:g}$") for n, k in enumerate(shown)], loc="upper right", ncols=2)
    left.loglog(sigmas, data["first_order"], color=GREY, linewidth=0.8, label="first order in $\\eta$", zorder=0)
    for k, row in enumerate(data["left"]):
        left.loglog(sigmas, row, "o", color=COLOURS[k], markersize=3.0)
    left.loglog(sigmas, data["expected"], color=BLACK, linestyle=DOTS, linewidth=1.3, label="theory")
    left.set(xlabel=r"noise $\sigma$", ylabel="error that is left")
    left.legend(loc="upper left")
    _draw_gaps(gaps, sigmas, data, r"noise $\sigma$")
    gaps.set_xscale("log")


PANELS = {
    "limit_in_the_learning_rate": Panel(learning_rate, draw_learning_rate, (8.0, 2.5)),
    "limit_in_the_noise": Panel(noise, draw_noise, (8.0, 2.5)),
}
