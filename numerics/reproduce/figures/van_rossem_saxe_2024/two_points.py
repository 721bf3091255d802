"""Networks trained on two points, and the theory fitted to what they did; what the panels of two points share.

    runs = trials(setting, "default", range(5), data=points(setting))       # Table 1, but for what is made smaller
    found = fitted(runs[0])                                 # tau_h and tau_y, in epochs
    found.theory                                            # |dh|^2, |dy|^2 and w of the theory at runs[0].epochs

A setting has `epochs`, `records` (how many epochs are looked at), `most_units` (no layer is wider) and `faster` (than
in Table 1), and may have `most_hidden` (there are no more layers). A layer's effective rate grows with its width, so
that rates rise as widths fall. The time constants are those of the system derived from the loss, in which they stand
where equation 7 prints half of them: a fit with equation 7 as it is printed finds twice these.

Appendix B.1 prints dx = 0.5 and dy = 1. From there most default networks of Table 1 are still on their plateau after
6000 epochs, within which, the paper says, all of them converge. With |x2 - x1|^2 = 1 and |y2 - y1|^2 = 1/2, which the
code that its authors published has, they converge and follow the theory: those are `dx2` and `dy2` of a setting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from math import sqrt

import numpy as np

from numerics.reproduce.figures.panel import Array, Setting
from numerics.simulate import mlp
from numerics.simulate.datasets import Dataset, two_points
from numerics.theory.two_point.fit import Fit, fit, fit_mean

CURVES = (r"$\|dh\|^2$", r"$\|dy\|^2$", r"$w$")


@dataclass(frozen=True)
class Trial:
    """The course of one network, at the recorded epochs."""

    seed: int
    epochs: Array
    losses: Array  # of the network with all its units
    layers: dict[int, Array]  # layer, from 1: (epoch, curve) with |dh|^2, |dy|^2 and w
    data: Dataset
    message: str  # "" is success

    @property
    def curves(self) -> Array:
        """The curves of the layer halfway, or of the first layer that was recorded."""
        return next(iter(self.layers.values()))

    @property
    def X(self) -> float:
        """The squared distance of the inputs."""
        return float(np.sum(np.diff(self.data.inputs, axis=0) ** 2))

    @property
    def s(self) -> float:
        """The squared distance of the targets."""
        return float(np.sum(np.diff(self.data.targets, axis=0) ** 2))


def points(setting: Setting) -> Dataset:
    """The data of a setting that has squared distances `dx2` and `dy2`."""
    return two_points(sqrt(setting.number("dx2")), sqrt(setting.number("dy2")))


def network(setting: Setting, name: str) -> mlp.Setting:
    """A network of Table 1, and how it learns, as this setting has it."""
    architecture, eta, _ = mlp.PAPER[name]
    units = min(architecture.units, setting.whole("most_units"))
    hidden = min(architecture.hidden, int(setting.values.get("most_hidden", architecture.hidden)))
    rate = eta * setting.number("faster") * architecture.units / units
    return mlp.Setting(replace(architecture, hidden=hidden, units=units), rate, setting.whole("epochs"))


def trials(
    setting: Setting,
    name: str,
    seeds: Sequence[int],
    *,
    data: Dataset,
    layers: Sequence[int] | None = None,
    optimiser: str = "sgd",
    eta: float | None = None,
    until: float | None = None,
) -> list[Trial]:
    """Networks of Table 1 that differ in their seeds, trained on two points, or until the loss is lower than asked."""
    net, rate, epochs = network(setting, name)
    how = {
        "eta": rate if eta is None else eta,
        "epochs": epochs,
        "record": epochs_seen(setting),
        "layers": [net.halfway] if layers is None else list(layers),
        "optimiser": optimiser,
        "until": until,
        "precision": "float32",
        "weights": False,
    }
    about = {**how, "inputs": data.inputs.tolist(), "targets": data.targets.tolist()}
    with setting.shelf("mlp", network=asdict(net), **about) as folder:
        runs = mlp.train_many(net, data, seeds=seeds, folder=folder, **how)  # type: ignore[arg-type]
    return [_trial(run, data) for run in runs]


def epochs_seen(setting: Setting) -> list[int]:
    """The epochs that are looked at, evenly spread from the first to the last."""
    spread = np.linspace(0.0, setting.whole("epochs"), setting.whole("records"))
    return [int(epoch) for epoch in np.unique(spread.round())]


def _trial(run: mlp.Run, data: Dataset) -> Trial:
    layers = {layer: np.column_stack(mlp.two_points(run, data, layer)) for layer in run.hidden}
    errors = np.asarray(run.outputs, dtype=np.float64) - data.targets
    losses = 0.5 * np.mean(np.sum(errors**2, axis=2), axis=1)
    return Trial(run.seed, run.recorded.astype(float), losses, layers, data, run.message)


def fitted(trial: Trial, layer: int | None = None) -> Fit:
    """The theory of two constants that fits one layer's curves best (Eq. 49)."""
    h, y, w = (trial.curves if layer is None else trial.layers[layer]).T
    return fit(trial.epochs, h, y, w, trial.X, trial.s, exact_start=True)


def fitted_loss(trial: Trial, theory: Fit) -> Fit:
    """The third constant, that of the mean output, with the theory's own |dy|^2 and w."""
    return fit_mean(trial.epochs, trial.losses, theory.theory[:, 1], theory.theory[:, 2], trial.s, exact_start=True)


def arrived(trial: Trial) -> bool:
    """Check whether training ended with a hundredth of the loss that it began with, or less."""
    return bool(trial.losses[-1] <= 0.01 * trial.losses[0])


def distances(curves: Array, theory: Array) -> Array:
    """The root mean square distance of each curve from the theory's, relative to the curve's largest size."""
    return np.asarray(np.sqrt(np.mean((curves - theory) ** 2, axis=0)) / np.abs(curves).max(axis=0))
