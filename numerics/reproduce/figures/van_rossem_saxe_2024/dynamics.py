"""Figures 2, 3, 11 and 13: networks trained on two points, and the theory with two or three constants on top.

A setting of figures 2 and 11 has `left_out`, names of networks that are not trained in quick runs.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from numerics.reproduce.figures.panel import Array, Data, Found, Panel, Setting
from numerics.reproduce.figures.style import BLUE, GREEN, PINK, RED, key, simulated, theoretical
from numerics.reproduce.figures.van_rossem_saxe_2024.two_points import (
    CURVES,
    arrived,
    distances,
    fitted,
    fitted_loss,
    points,
    trials,
)

CONNECTIVITY = ("default", "convolution", "skip connections", "shallow", "narrow", "dropout")
NONLINEARITY = ("linear", "relu", "elu", "tanh", "swish")
WEIGHTS = tuple(f"{size} initial weights" for size in ("low", "intermediate", "high", "very high"))
TITLES = {name: name.replace("initial ", "") for name in WEIGHTS} | {
    "relu": "ReLU",
    "elu": "ELU",
    "tanh": "tanh",
    "convolution": "convolutions",
}
COLOURS = (BLUE, RED, GREEN)
AFTER = 1.6  # how far a curve is shown, in units of the time that it takes to arrive


# --- what is computed -------------------------------------------------------------------------------------------------


def dynamics(setting: Setting, *, names: Sequence[str]) -> Found:
    """|dh|^2, |dy|^2 and w of one network of each kind, and the fitted theory's."""
    curves, theory, constants, spent, ends = [], [], [], [], []
    selected = _selected(setting, names)
    for k, name in enumerate(selected):
        (trial,) = trials(setting, name, [setting.seed], data=points(setting))
        found = fitted(trial)
        curves.append(trial.curves)
        theory.append(found.theory)
        constants.append(found.constants)
        spent.append(1.0 - found.r_squared)
        ends.append(arrived(trial))
        setting.tell((k + 1) / len(selected))
    gaps = np.array([distances(*pair) for pair in zip(curves, theory, strict=True)])
    data = {"epochs": trial.epochs, "curves": np.array(curves), "theory": np.array(theory), "gaps": gaps}
    data |= {"constants": np.array(constants), "unexplained": np.array(spent), "which": _which(selected, names)}
    return Found(data, {"arrived": float(np.mean(ends)), "unexplained": float(max(spent)), **_largest(gaps)})


def _selected(setting: Setting, names: Sequence[str]) -> list[str]:
    return [name for name in names if name not in setting.values.get("left_out", ())]


def _which(selected: Sequence[str], names: Sequence[str]) -> Array:
    """The places of these names among all."""
    return np.array([names.index(name) for name in selected])


def _largest(gaps: Array) -> dict[str, float]:
    return dict(zip(("h", "y", "w"), gaps.max(axis=0).tolist(), strict=True))


def dynamics_by_weights(setting: Setting) -> Found:
    """The dynamics from starts of four sizes, and how long each waits on a plateau."""
    panel = dynamics(setting, names=WEIGHTS)
    waits = np.array([waiting(y) for y in panel.data["curves"][:, :, 1]])
    spent = panel.data["unexplained"]
    measured = {
        "arrived": panel.measured["arrived"],
        "waits_low": float(waits[0]),
        "waits_very_high": float(waits[-1]),
        "shorter": float(np.mean(np.diff(waits) < 0)),
        "unexplained_lower": float(spent[:2].max()),
        "unexplained_high": float(spent[2]),
        "unexplained_very_high": float(spent[3]),
    }
    return Found({**panel.data, "waits": waits}, measured)


def waiting(y: Array) -> float:
    """The share of the time until |dy|^2 is half its last value in which it is below a twentieth of that value.

    If the answers went to their targets exponentially, from 0 on, it would be 0.2.
    """
    early, half = (int(np.argmax(y >= share * y[-1])) for share in (0.05, 0.5))
    return early / max(half, 1)


def losses(setting: Setting, *, names: Sequence[str]) -> Found:
    """The loss of one network of each kind, and the theory's with a third constant fitted."""
    curves, theory, constants, fits = [], [], [], []
    selected = _selected(setting, names)
    for k, name in enumerate(selected):
        (trial,) = trials(setting, name, [setting.seed], data=points(setting))
        found = fitted_loss(trial, fitted(trial))
        curves.append(trial.losses)
        theory.append(found.theory[:, 0])
        constants.append(found.constants)
        fits.append(found.r_squared)
        setting.tell((k + 1) / len(selected))
    shown = {"curves": np.array(curves), "theory": np.array(theory), "constants": np.array(constants)}
    gaps = distances(shown["curves"].T, shown["theory"].T)
    data = {"epochs": trial.epochs, **shown, "gaps": gaps, "level": np.array(trial.s / 8.0)}
    data["which"] = _which(selected, names)
    return Found(data, {"gap": float(gaps.max()), "r_squared": float(min(fits))})


def losses_by_weights(setting: Setting) -> Found:
    """The losses from starts of four sizes, and how long each stays where only the mean has been learned."""
    panel = losses(setting, names=WEIGHTS)
    stays = np.array([staying(curve, float(panel.data["level"])) for curve in panel.data["curves"]])
    measured = {
        "stays_low": float(stays[0]),
        "stays_very_high": float(stays[-1]),
        "gap_others": float(panel.data["gaps"][:-1].max()),
        "gap_very_high": float(panel.data["gaps"][-1]),
    }
    return Found({**panel.data, "stays": stays}, measured)


def staying(loss: Array, level: float) -> float:
    """The share of the time until a tenth of this level is reached in which the loss is within a tenth of the level."""
    return float(np.mean(np.abs(loss[: max(np.argmax(loss <= 0.1 * level), 1)] / level - 1.0) <= 0.1))


def adam(setting: Setting) -> Found:
    """The default network trained with Adam, and how much worse than with gradient descent the theory fits."""
    data = points(setting)
    (descent,) = trials(setting, "default", [setting.seed], data=data)
    setting.tell(0.5)
    (trial,) = trials(setting, "default", [setting.seed], data=data, optimiser="adam", eta=setting.number("eta"))
    usual, found = fitted(descent), fitted(trial)
    residuals = np.sum((trial.curves - found.theory) ** 2, axis=1)
    half = np.argmax(trial.curves[:, 1] >= 0.5 * trial.curves[-1, 1])
    measured = {
        "arrived": float(arrived(trial)),
        "unexplained": 1.0 - found.r_squared,
        "factor": (1.0 - found.r_squared) / (1.0 - usual.r_squared),
        "early": float(residuals[:half].sum() / residuals.sum()),
    }
    shown = {"epochs": trial.epochs, "curves": trial.curves[None], "theory": found.theory[None]}
    return Found({**shown, "constants": np.array([usual.constants, found.constants])}, measured)


# --- how it is drawn --------------------------------------------------------------------------------------------------


def draw_dynamics(figure: Figure, data: Data, *, names: Sequence[str], rows: int) -> None:
    """A panel for each network, with three curves and the theory's."""
    shown = [names[k] for k in data["which"]]
    axes = figure.subplots(rows, -(-len(shown) // rows), squeeze=False).ravel()
    for k, name in enumerate(shown):
        axes[k].set_title(TITLES.get(name, name), loc="center")
        _three(axes[k], data["epochs"], data["curves"][k], data["theory"][k])
    _labelled(axes[: len(shown)], rows, "")
    entries = list(zip(COLOURS, CURVES, strict=True))
    if len(shown) < axes.size:
        axes[-1].axis("off")
        key(axes[-1], entries, theory="fitted theory", loc="center")
    else:
        key(axes[-1], entries, theory="fitted theory", loc="center left", bbox_to_anchor=(1.02, 0.5))


def _three(axes: Axes, epochs: Array, curves: Array, theory: Array) -> None:
    simulated(axes, epochs, curves.T, COLOURS)
    theoretical(axes, epochs, theory.T)
    axes.set_xlim(0.0, _shown(epochs, curves[:, 1] - curves[:, 2]))


def _shown(epochs: Array, rising: Array) -> float:
    """The epoch up to which a curve is shown that rises to its last value."""
    return float(min(AFTER * epochs[np.argmax(rising >= 0.97 * rising[-1])], epochs[-1]))


def _labelled(axes: Array, rows: int, ylabel: str) -> None:
    columns = -(-len(axes) // rows)
    for k, one in enumerate(axes):
        one.set_xlabel("epoch" if k + columns >= len(axes) else "")
        one.locator_params(axis="x", nbins=4)
        one.set_ylabel(ylabel if k % columns == 0 else "")


def draw_losses(figure: Figure, data: Data, *, names: Sequence[str], rows: int) -> None:
    """A panel for each network, with its loss and the theory's."""
    shown = [names[k] for k in data["which"]]
    axes = figure.subplots(rows, -(-len(shown) // rows), sharey=True, squeeze=False).ravel()
    for k, name in enumerate(shown):
        loss = data["curves"][k]
        axes[k].set_title(TITLES.get(name, name), loc="center")
        simulated(axes[k], data["epochs"], loss, [PINK])
        theoretical(axes[k], data["epochs"], data["theory"][k])
        axes[k].set(xlim=(0.0, _shown(data["epochs"], loss[0] - loss)), ylim=(0.0, None))
    _labelled(axes[: len(shown)], rows, "training loss")
    for spare in axes[len(shown) :]:
        spare.axis("off")
    where = (axes[-1], "center") if len(shown) < axes.size else (axes[0], "upper right")
    key(where[0], [(PINK, "network")], theory="fitted theory", loc=where[1])


def draw_adam(figure: Figure, data: Data) -> None:
    axes = figure.subplots()
    _three(axes, data["epochs"], data["curves"][0], data["theory"][0])
    axes.set(xlabel="epoch", ylabel="default network, Adam")
    key(axes, list(zip(COLOURS, CURVES, strict=True)), theory="fitted theory", loc="best")


def _panel_of_dynamics(names: Sequence[str], size: tuple[float, float]) -> Panel:
    return Panel(partial(dynamics, names=names), partial(draw_dynamics, names=names, rows=2), size)


PANELS = {
    "fig_2_connectivity": _panel_of_dynamics(CONNECTIVITY, (7.0, 3.8)),
    "fig_2_nonlinearity": _panel_of_dynamics(NONLINEARITY, (7.0, 3.8)),
    "fig_3_dynamics": Panel(dynamics_by_weights, partial(draw_dynamics, names=WEIGHTS, rows=1), (7.6, 2.1)),
    "fig_3_loss": Panel(losses_by_weights, partial(draw_losses, names=WEIGHTS, rows=1), (7.6, 2.0)),
    "fig_11": Panel(
        partial(losses, names=(*CONNECTIVITY, *NONLINEARITY)),
        partial(draw_losses, names=(*CONNECTIVITY, *NONLINEARITY), rows=3),
        (7.0, 4.6),
    ),
    "fig_13": Panel(adam, draw_adam),
}
