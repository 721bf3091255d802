"""Reads the arguments of linear attention: heads, contexts and steps, each as numbers or refused in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from numerics import NumericsError
from numerics.machine.checks import counts, finite, is_real, is_whole, shown

Floats = NDArray[np.float64]
MOST = 10**9  # contexts and tokens, whose sizes have room in memory
ROUNDING = 1e-12  # of a covariance: how far it may be from symmetric, and its values below zero


class LinearAttentionError(NumericsError):
    """Arguments from which no attention can learn; the message says why in one sentence."""


class Merged(NamedTuple):
    """Heads with one matrix for key and query: values (heads), and matrices (heads, D, D)."""

    value: ArrayLike
    matrix: ArrayLike


class Separate(NamedTuple):
    """Heads of rank one: values (heads), keys (heads, D) and queries (heads, D)."""

    value: ArrayLike
    key: ArrayLike
    query: ArrayLike


Heads = Merged | Separate


@dataclass(frozen=True)
class Contexts:
    """Contexts of so many tokens x ~ N(0, covariance), each with a task w ~ N(0, I)."""

    covariance: Floats
    tokens: int

    @property
    def second(self) -> Floats:
        """The mean square of the covariance of a context."""
        square = self.covariance @ self.covariance
        return np.asarray(square + (square + np.trace(self.covariance) * self.covariance) / self.tokens)

    @property
    def root(self) -> Floats:
        """Return what turns white tokens into these."""
        values, axes = np.linalg.eigh(self.covariance)
        return np.ascontiguousarray(axes * np.sqrt(values.clip(0.0)))


def contexts_of(covariance: ArrayLike, tokens: int) -> Contexts:
    """The contexts that a user describes."""
    L = finite("covariance", covariance, LinearAttentionError)
    if L.ndim != 2 or L.shape[0] != L.shape[1] or L.size == 0:
        raise LinearAttentionError(f"covariance must be (D, D), got shape {L.shape}")
    size = float(np.abs(L).max())
    if np.abs(L - L.T).max() > ROUNDING * size or np.linalg.eigvalsh(L)[0] < -ROUNDING * size:
        raise LinearAttentionError("covariance must be symmetric, with no negative value")
    return Contexts(np.ascontiguousarray((L + L.T) / 2.0), whole("tokens", tokens, 1))


def table_of(heads: Heads, D: int) -> Floats:
    """A row for each head, as the kernel has it."""
    if not isinstance(heads, Merged | Separate):
        raise LinearAttentionError(f"heads must be Merged(...) or Separate(...), got {type(heads).__name__}")
    parts = [finite(name, part, LinearAttentionError) for name, part in heads._asdict().items()]
    count = parts[0].shape[0] if parts[0].ndim == 1 else 0
    wanted = [(count,), (count, D, D)] if isinstance(heads, Merged) else [(count,), (count, D), (count, D)]
    if count == 0 or [part.shape for part in parts] != wanted:
        shapes = " and ".join(str(part.shape) for part in parts)
        form = f"(heads), (heads, {D}, {D})" if isinstance(heads, Merged) else f"(heads), (heads, {D}), (heads, {D})"
        raise LinearAttentionError(f"the parts of {type(heads).__name__} heads must be {form}, got {shapes}")
    return np.ascontiguousarray(np.hstack([part.reshape(count, -1) for part in parts]))


def heads_of(table: Floats, D: int, *, separate: bool) -> Heads:
    """The heads in rows of tables, with the leading axes of these."""
    value, others = table[..., 0], table[..., 1:]
    if separate:
        return Separate(value, others[..., :D], others[..., D:])
    return Merged(value, others.reshape(*value.shape, D, D))


def whole(name: str, number: object, least: int) -> int:
    """The number, if it is whole and at least `least`."""
    if not is_whole(number, least):
        raise LinearAttentionError(f"{name} must be a whole number of at least {least}, got {shown(number)}")
    if name != "seed" and number > MOST:  # type: ignore[operator]
        raise LinearAttentionError(f"{name} must be at most {MOST}, got {shown(number)}")
    return int(number)  # type: ignore[call-overload,no-any-return]


def rate_of(rate: object) -> float:
    """The size of a step."""
    if not (is_real(rate) and float(rate) >= 0.0):  # type: ignore[arg-type]
        raise LinearAttentionError(f"rate must be a number that is not negative, got {shown(rate)}")
    return float(rate)  # type: ignore[arg-type]


def steps_of(steps: ArrayLike) -> NDArray[np.int64]:
    """The steps after which something is recorded."""
    asked = counts("steps", steps, LinearAttentionError)
    if asked.size == 0:
        raise LinearAttentionError("steps must be whole numbers that increase, from 0 on, and at least one of them")
    return asked
