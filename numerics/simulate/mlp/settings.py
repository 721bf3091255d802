"""The settings of van Rossem & Saxe 2024: Tables 1 and 2, Appendix B."""

from __future__ import annotations

from typing import NamedTuple

from numerics.simulate.mlp.architecture import Architecture


class Setting(NamedTuple):
    """A network, the rate that it learns with, and for how many epochs."""

    architecture: Architecture
    eta: float
    epochs: int


PAPER = {
    "default": Setting(Architecture(), 0.005, 6000),
    "convolution": Setting(Architecture(hidden=10, gain=0.95, channels=20, kernel=11), 0.002, 6000),
    "skip connections": Setting(Architecture(gain=0.1, skip=2), 0.01, 6000),
    "shallow": Setting(Architecture(hidden=2, gain=0.35), 0.01, 6000),
    "narrow": Setting(Architecture(units=50, gain=1.05), 0.005, 6000),
    "dropout": Setting(Architecture(hidden=10, dropout=0.1), 0.005, 6000),
    "linear": Setting(Architecture(activation="linear", gain=0.85), 0.00125, 6000),
    "relu": Setting(Architecture(activation="relu"), 0.005, 6000),
    "elu": Setting(Architecture(activation="elu", gain=0.95), 0.00045, 6000),
    "tanh": Setting(Architecture(activation="tanh", gain=0.85), 0.00125, 6000),
    "swish": Setting(Architecture(activation="swish", gain=1.7), 0.0025, 6000),
    "low initial weights": Setting(Architecture(gain=0.9), 0.015, 6000),
    "intermediate initial weights": Setting(Architecture(gain=1.1), 0.0025, 6000),
    "high initial weights": Setting(Architecture(gain=1.3), 0.00075, 6000),
    "very high initial weights": Setting(Architecture(gain=1.4), 0.00025, 6000),
    "xor, low weights": Setting(Architecture(gain=0.7), 0.015, 1000),
    "xor, intermediate weights": Setting(Architecture(gain=1.25), 0.002, 1000),
    "xor, high weights": Setting(Architecture(gain=2.0), 3e-9, 1000),
    "xor, 2 layers": Setting(Architecture(hidden=1, gain=0.0015), 0.03, 40_000),
    "blobs, very low weights": Setting(Architecture(4, 100, "tanh", 0.275), 0.05, 2000),
    "blobs, low weights": Setting(Architecture(4, 100, "tanh", 0.5), 0.015, 1500),
    "blobs, high weights": Setting(Architecture(4, 100, "tanh", 2.0), 0.0015, 750),
    "mnist": Setting(Architecture(4, 100, gain=0.5), 0.002, 500),
}
