"""A head that is still small: from any start, how long it waits, and where it is meanwhile.

While the answer is small the slope of the loss is minus the square of the covariance, and in its axes, where that is A,
a head moves by dv = k'A q, dk = v A q and dq = v A k. In the time x with dx = v dt sums k + q grow like exp(A x) and
differences k - q fall like exp(-A x), and v^2 = v0^2 + |k|^2 - |k0|^2: so the head is a particle on a hill, and t is
the integral of 1/v. It may climb first; then it passes or turns, and from there it grows beyond all bounds in a finite
time. To turn the signs of v and q changes nothing, nor does it to turn that of v and of time.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

LARGEST = 300.0  # of what is exponentiated
HALVINGS, NEWTON = 80, 40
_S = np.linspace(-4.5, 6.5, 441)  # a grid of the double-exponential rule for the half-line
NODES = np.exp(_S - np.exp(-_S))
WEIGHTS = NODES * (1.0 + np.exp(-_S)) * (_S[1] - _S[0])


@dataclass(frozen=True)
class Small:
    """A head in the axes of the covariance, with the square of the covariance in each that is not learned, or zero."""

    value: float
    key: Array
    query: Array
    pace: Array

    def back(self) -> Small:
        """The head that goes back to where this one came from."""
        return Small(-self.value, self.key, self.query, self.pace)

    def to_the_right(self) -> Small:
        """Return the same head, with the signs of value and query turned if it goes to the left."""
        if self.value > 0.0 or (self.value == 0.0 and self.push() >= 0.0):
            return self
        return Small(-self.value, self.key, -self.query, self.pace)

    def at(self, x: float) -> Small:
        """The head when it has come to x."""
        f, g = (self.key + self.query) * _exp(self.pace * x), (self.key - self.query) * _exp(-self.pace * x)
        return Small(sqrt(max(float(self.square(x)), 0.0)), (f + g) / 2.0, (f - g) / 2.0, self.pace)

    def square(self, x: Array | float) -> Array:
        """The square of the value at places x."""
        grown = (2.0 * np.multiply.outer(np.asarray(x, dtype=float), self.pace)).clip(-LARGEST, LARGEST)
        f2, g2 = (self.key + self.query) ** 2, (self.key - self.query) ** 2
        return np.asarray(self.value**2 + (f2 * np.expm1(grown) + g2 * np.expm1(-grown)).sum(-1) / 4.0)

    def push(self, x: float = 0.0) -> float:
        """The rate of the value at a place."""
        f2, g2 = (self.key + self.query) ** 2, (self.key - self.query) ** 2
        return float((self.pace * (f2 * _exp(2.0 * self.pace * x) - g2 * _exp(-2.0 * self.pace * x))).sum() / 4.0)

    def left(self, x: float = 0.0) -> float:
        """The time from x to infinity, of a head that is not held back."""
        unit = self.pace.max()
        values = np.sqrt(self.square(x + NODES / unit))
        return float((WEIGHTS / unit / values).sum()) if values[-1] > 2.0 * values[0] else inf


def escape(head: Small) -> float:
    """The time at which a head has grown beyond all bounds; infinite if it never does.

    >>> one = np.ones(1)
    >>> round(escape(Small(0.1, 0.1 * one, 0.1 * one, pace=4.0 * one)), 12)
    2.5
    """
    top = _top(head)
    return inf if top is None else top[0] + top[1].left()


def after(head: Small, time: float) -> Small:
    """The head a while later, before it escapes; one that never does is taken to rest.

    >>> one = np.ones(1)
    >>> round(after(Small(0.1, 0.1 * one, 0.1 * one, pace=4.0 * one), 1.25).value, 12)
    0.2
    """
    top = _top(head)
    if top is None or time == 0.0:
        return head
    delay, remaining = top
    return _on(remaining, time - delay) if time >= delay else _on(remaining.back().to_the_right(), delay - time).back()


def _top(head: Small) -> tuple[float, Small] | None:
    """How long the head is held back, and the head from there on; none if it is for ever."""
    head = head.to_the_right()
    if not (head.pace * (np.abs(head.key) + np.abs(head.query))).any():
        return None
    if head.push() >= 0.0:
        return 0.0, head
    far = LARGEST / (4.0 * head.pace.max())
    if head.push(far) <= 0.0:
        return None
    x = _crossing(lambda x: -head.push(x), far)
    if head.square(x) <= 0.0:
        x = _crossing(lambda x: float(head.square(x)), x)
        top = replace(head.at(x), value=0.0)
    else:
        top = head.at(x)
    back = top.back().to_the_right()
    return back.left() - back.left(x), top.to_the_right()


def _crossing(of: Callable[[float], float], far: float) -> float:
    """Where something that falls from here to far passes zero."""
    near = 0.0
    for _ in range(HALVINGS):
        middle = (near + far) / 2.0
        near, far = (middle, far) if of(middle) > 0.0 else (near, middle)
    return near


def _on(head: Small, time: float) -> Small:
    """A head that is not held back, a while later: Newton's steps from the left, as what is left is convex in x."""
    goal = head.left() - time
    x = head.value * time + head.push() * time**2 / 2.0
    for _ in range(NEWTON):
        x += max(head.left(x) - goal, 0.0) * sqrt(float(head.square(x)))
    return head.at(x)


def _exp(x: Array) -> Array:
    return np.asarray(np.exp(x.clip(-LARGEST, LARGEST)))
