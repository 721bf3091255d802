"""Architectures of networks, and the weights that they start from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics import NumericsError
from numerics.machine.checks import finite, is_real, listed

Floats = NDArray[np.floating]
ACTIVATIONS = ("leaky_relu", "linear", "relu", "elu", "tanh", "swish")


MOST = 10**6  # of layers and units


class MlpError(NumericsError):
    """A network, data or settings that cannot be trained; the message says why in one sentence."""


class Layer(NamedTuple):
    """Weights (output, input), or (channel, channel below, place) of a convolution, and a bias for each row."""

    weights: Floats
    biases: Floats


@dataclass(frozen=True)
class Architecture:
    """Layers of `units` hidden units each, and a linear layer of outputs; the default is van Rossem & Saxe's.

    A skip connection over `skip` layers adds a hidden layer's outputs to those of the hidden layer so many above it.
    With `channels`, the first hidden layer is followed by `hidden` convolutions to that many channels and one back to
    a single channel, each of them `kernel` wide, without padding, and all bent. Dropout leaves out each input and each
    hidden unit with that probability, and scales up the others. Without biases they stay zero.
    """

    hidden: int = 20
    units: int = 500
    activation: str = "leaky_relu"
    gain: float = 1.0
    skip: int = 0
    channels: int = 0
    kernel: int = 11
    dropout: float = 0.0
    biases: bool = True

    def __post_init__(self) -> None:
        for name, least in (("hidden", 1), ("units", 1), ("skip", 0), ("channels", 0), ("kernel", 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or value < least:
                raise MlpError(f"{name} must be a whole number of at least {least}, not {value!r}.")
            if value > MOST:
                raise MlpError(f"{name} must be at most {MOST}, not {value}.")
        if self.activation not in ACTIVATIONS:
            raise MlpError(f"there is no activation {self.activation!r}; choose one of {', '.join(ACTIVATIONS)}.")
        if not (is_real(self.gain) and self.gain > 0):
            raise MlpError(f"the gain must be a positive number, not {self.gain}.")
        if not (is_real(self.dropout) and 0 <= self.dropout < 1):
            raise MlpError(f"dropout is a probability from 0 to below 1, not {self.dropout}.")
        if not isinstance(self.biases, bool):
            raise MlpError(f"biases are True or False, not {self.biases!r}.")
        if self.channels and self.skip:
            raise MlpError("skip connections join layers of one width, which convolutions do not have: set one to 0.")
        if self.channels and self.widths[-1] < 1:
            raise MlpError(
                f"{self.hidden + 1} convolutions of width {self.kernel} leave nothing of {self.units} units: "
                f"{(self.hidden + 1) * (self.kernel - 1) + 1} units are needed."
            )

    @property
    def widths(self) -> list[int]:
        """Units of each hidden layer, convolutions included."""
        if not self.channels:
            return [self.units] * self.hidden
        lengths = [self.units - k * (self.kernel - 1) for k in range(self.hidden + 2)]
        return [lengths[0], *(self.channels * length for length in lengths[1:-1]), lengths[-1]]

    @property
    def layers(self) -> int:
        """Hidden layers, convolutions included."""
        return self.hidden + 2 if self.channels else self.hidden

    @property
    def halfway(self) -> int:
        """The hidden layer halfway through the network, counted from 1."""
        return (self.layers + 1) // 2

    def shapes(self, inputs: int, outputs: int) -> list[tuple[int, ...]]:
        """The shapes of all weights."""
        if self.channels:
            between = [(self.channels, 1), *[(self.channels, self.channels)] * (self.hidden - 1), (1, self.channels)]
            middle: list[tuple[int, ...]] = [(*pair, self.kernel) for pair in between]
        else:
            middle = [(self.units, self.units)] * (self.hidden - 1)
        return [(self.units, inputs), *middle, (outputs, self.widths[-1])]

    def start(self, inputs: int, outputs: int, seed: int) -> list[Layer]:
        """Xavier's normal weights times the gain, and biases of zero.

        Layer k, from 0, draws from NumPy's default generator with SeedSequence(seed, spawn_key=(0, k)).
        """
        layers = []
        for k, shape in enumerate(self.shapes(inputs, outputs)):
            rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0, k)))
            fans = (shape[0] + shape[1]) * int(np.prod(shape[2:]))
            layers.append(Layer(rng.standard_normal(shape) * self.gain * sqrt(2.0 / fans), np.zeros(shape[0])))
        return layers


def checked(architecture: Architecture, layers: Sequence[Layer], inputs: int, outputs: int) -> list[Layer]:
    """The layers, if they are what the architecture has for these data."""
    shapes = architecture.shapes(inputs, outputs)
    layers = listed("the weights to start from", layers, MlpError)
    if not all(isinstance(layer, Layer) for layer in layers):
        raise MlpError("the weights to start from must be a list of Layer(weights, biases).")
    given_shapes = [tuple(np.shape(layer.weights)) for layer in layers]
    if given_shapes != shapes or any(
        np.shape(layer.biases) != shape[:1] for layer, shape in zip(layers, shapes, strict=True)
    ):
        raise MlpError(
            f"the weights to start from have shapes {given_shapes}, but the architecture and data need {shapes}."
        )
    for part in (part for layer in layers for part in layer):
        finite("the weights to start from", part, MlpError)
    return [Layer(*map(np.asarray, layer)) for layer in layers]
