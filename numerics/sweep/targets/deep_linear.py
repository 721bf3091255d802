"""Two-layer linear networks: the loss of gradient descent, and of the exact solution of gradient flow beside it.

A seed draws normal weights, of size `scale` relative to what keeps the size of an input, and takes the nearest balanced
ones; and a task, Sigma_yx, with normal entries. The rate is that with which `steps` steps take one record's time.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.simulate.linear_network import learn
from numerics.sweep.targets import RECORDS, Settings, SweepError, Target
from numerics.theory import deep_linear


def _times(settings: Settings) -> Mapping[str, NDArray[Any]]:
    records = int(settings["records"])
    if not 2 <= records <= RECORDS or int(settings["steps"]) < 1 or float(settings["until"]) <= 0:
        raise SweepError(f"deep_linear needs records from 2 to {RECORDS}, steps of at least 1, and until above 0")
    if min(_sizes(settings)) < 1:
        raise SweepError("deep_linear needs inputs, hidden and outputs of at least 1")
    return {"time": np.linspace(0.0, float(settings["until"]), records)}


def _sizes(settings: Settings) -> tuple[int, ...]:
    return tuple(int(settings[name]) for name in ("inputs", "hidden", "outputs"))


def _run(settings: Settings, seed: np.random.SeedSequence) -> dict[str, NDArray[Any]]:
    times, steps = _times(settings)["time"], int(settings["steps"])
    inputs, hidden, outputs = _sizes(settings)
    rng, scale = np.random.default_rng(seed), float(settings["scale"])
    first = rng.standard_normal((hidden, inputs)) * scale / np.sqrt(inputs)
    second = rng.standard_normal((outputs, hidden)) * scale / np.sqrt(hidden)
    task = rng.standard_normal((outputs, inputs)) / np.sqrt(inputs)
    start = deep_linear.balance(first, second)
    recorded = range(0, steps * len(times), steps)
    (run,) = learn([(start.W1, start.W2)], [task], rates=float(times[1]) / steps, losses_at=recorded, threads=1)
    if run.message:
        raise SweepError(run.message)
    return {"loss": run.losses, "loss_theory": deep_linear.loss(start.W1, start.W2, task, times)}


TARGET = Target(
    defaults={"scale": 0.1, "inputs": 5, "hidden": 5, "outputs": 5, "steps": 100, "until": 20.0, "records": 11},
    run=_run,
    variables={"loss": ("time",), "loss_theory": ("time",)},
    axes=_times,
    says="the loss of gradient descent beside the exact solution of two-layer linear networks",
)
