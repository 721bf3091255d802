"""The kinds of random instances of the model, and what is true of each."""

from __future__ import annotations

from collections.abc import Callable

from derivations.models.committee import data as draw
from derivations.models.committee.averages import CHANCES, NOISE, ON_A_SPHERE, WHITE
from derivations.models.committee.definitions import RECIPROCALS, loss
from derivations.models.sampling import Instance, Kind, Model


def _slopes(*among: int) -> Callable[[Instance], bool]:
    return lambda at: set(at["slope"].values()) <= {*among}


KINDS: dict[str, Kind] = {
    "generic": Kind("g(x) = x - x^3/10; any inputs, any noise", draw.drawn(draw.any_inputs, draw.any_noise)),
    "centred": Kind(
        "g(x) = x - x^3/10; any inputs; noise of mean 0 and variance 1", draw.drawn(draw.any_inputs), NOISE
    ),
    "white": Kind(
        "g(x) = x - x^3/10; <x x'> = I; noise of mean 0 and variance 1", draw.drawn(draw.white_inputs), [*WHITE, *NOISE]
    ),
    "sphere": Kind(
        "g(x) = x - x^3/10; |x|^2 = N; noise of mean 0 and variance 1",
        draw.drawn(draw.on_sphere),
        [*ON_A_SPHERE, *NOISE],
    ),
    "linear": Kind(
        "g(x) = x; <x x'> = I; noise of mean 0 and variance 1",
        draw.drawn(draw.white_inputs, activation="linear"),
        [*WHITE, *NOISE],
        _slopes(1),
    ),
    "relu": Kind(
        "g(x) = max(x, 0); any inputs; noise of mean 0 and variance 1",
        draw.drawn(draw.any_inputs, activation="relu"),
        NOISE,
        _slopes(0, 1),
    ),
}
"""The kinds of instances, and what is true of each."""

MODEL = Model(
    "committee.population",
    KINDS,
    [*RECIPROCALS, *CHANCES],
    loss,
    also=lambda at: all(min(at[name].values()) > 0 for name in ("chance", "noise_chance")),
)
instance, holds = MODEL.instance, MODEL.holds
