"""Starts of the two-point theory in coordinates without bounds, so that a fit may move them freely.

They are (ln h, b, p) for different targets, where b is the part of dy along y2 - y1 and p the one across:
y = b^2 + p^2 and w = y - sqrt(s) b. For equal targets w = y, and they are (ln h, sqrt(y)).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LEAST = 1e-6  # of the largest h: the first guess where noise makes the first h negative
STEP = np.finfo(np.float64).eps ** (1 / 3)  # of differences to both sides


def near(data: Floats, s: float) -> Floats:
    """The coordinates of the start that is near the first row (h, y, w), which noise may have put where none is."""
    h, y, w = data[0]
    height = np.log(max(h, LEAST * data[:, 0].max()))
    if s == 0:
        return np.array([height, np.sqrt(max(y, 0.0))])
    along = (y - w) / np.sqrt(s)
    return np.array([height, along, np.sqrt(max(y - along**2, 0.0))])


def row(place: Floats, s: float) -> Floats:
    """The start (h, y, w) at these coordinates."""
    h, y = np.exp(place[0]), np.sum(place[1:] ** 2)
    return np.array([h, y, y - np.sqrt(s) * place[1]])


def steps(place: Floats, s: float) -> Floats:
    """How far to either side each coordinate is moved for a difference."""
    size = max(np.sqrt(np.sum(place[1:] ** 2)), np.sqrt(s), STEP)
    return STEP * np.array([1.0, *np.full(place.size - 1, size)])
