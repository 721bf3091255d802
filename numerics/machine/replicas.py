"""Replicas of online learning: what is asked of them, how they go through their updates, and what they record."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import sha256
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics import NumericsError
from numerics.labelled import Labelled
from numerics.labelled.quantities import of_students
from numerics.machine.activations import parts
from numerics.machine.checkpoints import Description, State
from numerics.machine.checks import counts, is_real, is_whole, shown
from numerics.machine.specialise import source, specialise

Floats = NDArray[np.float64]

LARGEST = 1e100  # of rates and noise
MOST = 2**53  # of what is counted: a double holds it


class ReplicasError(NumericsError):
    """An argument that no run of replicas can have; the message says why in one sentence."""


@dataclass(frozen=True)
class Runs(
    Labelled,
    axes={**of_students("replica", "update"), "messages": ("replica",)},
    clock={"updates": "update"},
):
    """The records of all replicas; from the update at which one diverged they are nan, as its message says."""

    updates: NDArray[np.int64]
    Q: Floats  # replica, record, K, K
    R: Floats  # replica, record, K, M
    v: Floats  # replica, record, K
    error: Floats  # replica, record; without the noise of the teacher
    messages: tuple[str, ...]  # "" is success


@dataclass(frozen=True)
class Rates:
    """The rates of the weights and of the second layer, and the size of the noise in the teacher's answers."""

    eta: float
    eta_v: float
    sigma: float

    def __post_init__(self) -> None:
        for name, number in vars(self).items():
            if not (is_real(number) and number >= 0):
                raise ReplicasError(f"{name} must be a number that is not negative, got {shown(number)}")
            if number > LARGEST:
                raise ReplicasError(
                    f"{name} must be at most {LARGEST:g}, so that its square is a double, got {shown(number)}"
                )


@dataclass(frozen=True)
class Plan:
    """The plan that all replicas of a run share: rates, size of a batch, updates to record, and the seed."""

    rates: Rates
    batch: int
    updates: NDArray[np.int64]
    seed: int
    activation: str

    @classmethod
    def checked(  # noqa: PLR0917
        cls, eta: float, eta_v: float, sigma: float, batch: int, updates: ArrayLike, seed: int, activation: str
    ) -> Plan:
        """The plan that arguments of a user describe, or a sentence about the first that is wrong."""
        rates, size = Rates(eta, eta_v, sigma), whole("batch", batch, 1)
        return cls(rates, size, increasing(updates), whole("seed", seed, 0, most=inf), activation)


class OnlineJob(ABC):
    """Replicas that learn online, for `numerics.machine.checkpoints`: a slice of updates at a time, with records.

    A subclass names the files of its kernel, and says how a state begins, takes updates and is recorded. A state holds
    at least `at`, the numbers of updates and of records so far, and `diverged`, an update if the kernel can stop early.
    """

    name: ClassVar[str]  # in descriptions of folders
    kernel: ClassVar[tuple[str, ...]]  # the modules that are compiled behind those of an activation

    def __init__(self, plan: Plan, slice_of_updates: int) -> None:
        self.plan, self.slice = plan, max(1, slice_of_updates)
        self.rates = tuple(float(rate) for rate in vars(plan.rates).values())
        self.files = (*parts(plan.activation), *self.kernel)

    def compiled(self, name: str) -> Callable[..., Any]:
        """A function of the kernel, compiled for the activation."""
        return _compiled(name, self.files)

    @cached_property
    def description(self) -> Description:
        """Everything that the results of all replicas depend on."""
        plan = self.plan
        return {
            "task": self.name,
            **self.cache_key_extras(),
            "batch": plan.batch,
            "seed": plan.seed,
            **{name: float(rate) for name, rate in vars(plan.rates).items()},
            "activation": plan.activation,
            "updates": digest(plan.updates),
            "program": sha256(source(self.files, {}).encode()).hexdigest(),
        }

    def advance(self, replica: int, state: State) -> float:
        """Take a slice of updates; returns the share that is done."""
        room, updates = self.room(), self.plan.updates
        at, record = state["at"].tolist()
        left = self.slice
        while record < updates.size and left > 0:
            count = min(int(updates[record]) - at, left)
            done = self.take(state, room, count)
            at += done
            if done < count:
                state["diverged"][...] = at
                return 1.0
            left -= count
            if at == updates[record]:
                left -= self.record(replica, state, record, room)
                record += 1
        state["at"][:] = at, record
        return 1.0 if record == updates.size else at / float(updates[-1])

    @abstractmethod
    def cache_key_extras(self) -> Mapping[str, str | int | float]:
        """Return the settings that results depend on besides the plan and the kernel."""

    @abstractmethod
    def room(self) -> Floats:
        """Scratch space for the kernel."""

    @abstractmethod
    def take(self, state: State, room: Floats, count: int) -> int:
        """Take `count` updates; returns how many were taken before the answers grew without bound."""

    @abstractmethod
    def record(self, replica: int, state: State, record: int, room: Floats) -> int:
        """Write the state into row `record`; returns the work that it took, in updates."""


@cache
def _compiled(name: str, files: tuple[str, ...]) -> Callable[..., Any]:
    return specialise(name, files)


def digest(*arrays: NDArray[Any]) -> str:
    """The SHA-256 digest of the bytes of some arrays, in hexadecimal."""
    return sha256(b"".join(np.ascontiguousarray(array).tobytes() for array in arrays)).hexdigest()


def whole(name: str, number: int, least: int, most: float = MOST) -> int:
    """The number, if it is whole and from `least` to `most`."""
    if not is_whole(number, least):
        raise ReplicasError(f"{name} must be a whole number of at least {least}, got {shown(number)}")
    if number > most:
        raise ReplicasError(f"{name} must be at most {most}, got {shown(number)}")
    return int(number)


def numbered(replicas: int | range) -> range:
    """The numbers of the replicas: the first ones, or those of a range."""
    numbers = replicas if isinstance(replicas, range) else range(whole("replicas", replicas, 1))
    if not numbers or numbers.stop > MOST or numbers.step != 1 or numbers.start < 0:
        raise ReplicasError(
            f"replicas must be how many they are, or a range that counts up by one, got {shown(numbers)}"
        )
    return numbers


def diverged(update: int, steepness: float, batch: int, inputs: int) -> str:
    """The message about a run whose answers grew without bound.

    `steepness` is the mean of the sum over students of (v g')^2. Up to the rate that is called stable the mean square
    error of a linear unit falls; for others it is a guide.
    """
    if not 0.0 < steepness < inf:
        return f"diverged at update {update}; this start does not tell which rates are stable"
    stable = 2.0 / (steepness * (1 / batch + (1 + 1 / batch) / inputs))
    return f"diverged at update {update}; from this start, rates are stable below about {stable:.2g}"


def increasing(updates: ArrayLike) -> NDArray[np.int64]:
    """The numbers of updates after which something is recorded."""
    asked = counts("updates", updates, ReplicasError)
    if asked.size == 0:
        raise ReplicasError("updates must be whole numbers that increase, from 0 on, and at least one of them")
    return asked


def beyond_doubles(updates: NDArray[np.int64], messages: Sequence[str], *columns: Floats) -> tuple[str, ...]:
    """The messages, with one for each replica that had none although it has records that are no numbers."""
    wrong = ~np.logical_and.reduce([np.isfinite(part).reshape(*part.shape[:2], -1).all(axis=2) for part in columns])
    first = np.argmax(wrong, axis=1)
    return tuple(
        message or (f"at update {updates[at]} the overlaps are too large to be doubles" if any_wrong else "")
        for message, at, any_wrong in zip(messages, first, wrong.any(axis=1).tolist(), strict=True)
    )
