"""Replicas of online learning: what is asked of them, and what they record."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics import NumericsError

Floats = NDArray[np.float64]


class ReplicasError(NumericsError):
    """A number that no replica can have; the message says why in one sentence."""


@dataclass(frozen=True)
class Runs:
    """What the replicas recorded; not a number from where one diverged, and then its message says so."""

    updates: NDArray[np.int64]
    Q: Floats  # replica, record, K, K
    R: Floats  # replica, record, K, M
    v: Floats  # replica, record, K
    error: Floats  # replica, record; without the noise of the teacher
    messages: tuple[str, ...]  # "" is success


@dataclass(frozen=True)
class Rates:
    """Of the weights and of the second layer, and the size of the noise in the teacher's answers."""

    eta: float
    eta_v: float
    sigma: float

    def __post_init__(self) -> None:
        for name, number in vars(self).items():
            if not (isfinite(number) and number >= 0):
                raise ReplicasError(f"{name} must be a number that is not negative, got {number}")


def whole(name: str, number: int, least: int) -> int:
    """A whole number that is large enough."""
    if not (isfinite(number) and number == int(number) and number >= least):
        raise ReplicasError(f"{name} must be a whole number of at least {least}, got {number}")
    return int(number)


def numbered(replicas: int | range) -> range:
    """The numbers of the replicas: the first ones, or those of a range."""
    numbers = replicas if isinstance(replicas, range) else range(whole("replicas", replicas, 1))
    if len(numbers) == 0 or numbers.step != 1 or numbers.start < 0:
        raise ReplicasError(f"replicas must be how many they are, or a range that counts up by one, got {numbers}")
    return numbers


def diverged(update: int, steepness: float, batch: int, inputs: int) -> str:
    """What to say of a run whose answers grew without bound.

    `steepness` is the mean of the sum over students of (v g')^2. Up to the rate that is called stable the mean square
    error of a linear unit falls; for others it is a guide.
    """
    stable = 2.0 / (steepness * (1 / batch + (1 + 1 / batch) / inputs)) if steepness > 0 else np.inf
    return f"diverged at update {update}; from this start, rates are stable below about {stable:.2g}"


def increasing(updates: ArrayLike) -> NDArray[np.int64]:
    """The numbers of updates after which something is recorded."""
    asked = np.asarray(updates)
    whole_ones = asked.ndim == 1 and asked.size > 0 and asked.dtype.kind in "iu"
    if not whole_ones or asked[0] < 0 or (np.diff(asked) <= 0).any():
        raise ReplicasError("updates must be whole numbers that increase, from 0 on")
    return asked.astype(np.int64)
