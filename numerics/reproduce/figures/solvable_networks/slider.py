"""The page of Figure 1: the course of one mode, with a slider for its balance, in one file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from numerics.kernels import kernel
from numerics.reproduce.figures.interactive import filled, rounded
from numerics.reproduce.figures.panel import Array, Data, Setting
from numerics.simulate.linear_network import learn

TEMPLATE = Path(__file__).with_name("slider.html")


def courses(balances: Array, a0: float, setting: Setting) -> dict[str, Array]:
    """W1 and W2 of one mode over time in gradient descent, and the exact W2 W1, for each balance."""
    larger = np.sqrt(np.hypot(a0, balances / 2.0) + np.abs(balances) / 2.0)
    first = np.where(balances > 0.0, a0 / larger, larger)
    rate = setting.number("rate")
    steps = np.linspace(0, round(setting.number("duration") / rate), setting.whole("moments")).round().astype(np.int64)
    networks = [([[one]], [[a0 / one]]) for one in first]
    runs = learn(networks, [[[1.0]]] * len(networks), rates=rate, weights_at=steps.tolist())
    mode = kernel("solvable_networks:mode")
    exact = [[mode(a0, 1.0, float(one), 1.0, float(t))[0] for t in rate * steps] for one in balances]
    W1, W2 = (np.stack([run.weights[layer].ravel() for run in runs]) for layer in (0, 1))
    return {"times": rate * steps, "balances": balances, "exact": np.array(exact), "W1": W1, "W2": W2}


def page(data: Data) -> str:
    """The page of what was computed."""
    numbers = {name: rounded(data[name]) for name in ("times", "balances", "exact")}
    numbers |= {name: rounded(data[name] ** 2) for name in ("W1", "W2")}
    numbers["a0"] = rounded(data["exact"][0, 0])
    return filled(TEMPLATE, numbers)
