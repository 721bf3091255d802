"""Averages over many Gaussian samples, for tests of the formulas."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.special import erf

from numerics.theory.teacher_student import averages

FIELDS = {"J2": 2, "I2": 2, "I3": 3, "I4": 4}
CHUNK = 250_000
Function = Callable[[np.ndarray], np.ndarray]

VALUES: dict[str, Function] = {
    "erf": lambda x: erf(x / np.sqrt(2)),
    "erf(x)": erf,
    "linear": lambda x: x,
    "relu": lambda x: np.maximum(x, 0),
}
SLOPES: dict[str, Function] = {
    "erf": lambda x: np.sqrt(2 / np.pi) * np.exp(-(x**2) / 2),
    "erf(x)": lambda x: 2 / np.sqrt(np.pi) * np.exp(-(x**2)),
    "linear": np.ones_like,
    "relu": lambda x: (x > 0).astype(float),
}
SAMPLED = [(name, activation) for activation in VALUES for name in FIELDS if (name, activation) != ("J2", "linear")]


def product(name: str, activation: str, x: np.ndarray) -> np.ndarray:
    """Return the values that are averaged, for every sample of the fields."""
    g, slope = VALUES[activation], SLOPES[activation]
    if name == "J2":
        return slope(x[0]) * slope(x[1])
    if name == "I2":
        return g(x[0]) * g(x[1])
    if name == "I3":
        return slope(x[0]) * x[1] * g(x[2])
    return slope(x[0]) * slope(x[1]) * g(x[2]) * g(x[3])


def computed(name: str, activation: str, C: np.ndarray) -> float:
    """The average as the package gives it; erf(x) is the scaled error function of fields that are sqrt 2 larger."""
    if activation != "erf(x)":
        return float(getattr(averages, name)(C, activation))
    slopes = {"J2": 2, "I2": 0, "I3": 1, "I4": 2}[name]
    linear = {"I3": 1}.get(name, 0)
    return float(getattr(averages, name)(2 * C, "erf")) * 2.0 ** ((slopes - linear) / 2)


def z_score(name: str, activation: str, samples: int, seed: int) -> float:
    """How many standard errors an average lies from the mean of samples."""
    rng = np.random.default_rng([seed, *map(ord, name + activation)])
    mixing = rng.normal(size=(FIELDS[name], FIELDS[name]))
    C = mixing @ mixing.T
    total = square = 0.0
    for _ in range(samples // CHUNK):
        y = product(name, activation, mixing @ rng.normal(size=(len(mixing), CHUNK)))
        total, square = total + y.sum(), square + (y**2).sum()
    mean = total / samples
    deviation = np.sqrt(max(square / samples - mean**2, 1e-30) / samples)
    return float((mean - computed(name, activation, (C + C.T) / 2)) / deviation)
