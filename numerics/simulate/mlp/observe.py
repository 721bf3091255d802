"""Quantities of two points, measured in a trained network."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from numerics.simulate.datasets import Dataset
from numerics.simulate.mlp.architecture import Floats
from numerics.simulate.mlp.training import Run


class TwoPoints(NamedTuple):
    """At each record: the squared distances |dh|^2 and |dy|^2 of representations and answers, and the alignment w.

    w is |dy|^2 minus the product of dy and the difference of the targets (van Rossem & Saxe, Eq. 8).
    """

    dh2: Floats
    dy2: Floats
    w: Floats


def two_points(run: Run, data: Dataset, layer: int, first: int = 0, second: int = 1) -> TwoPoints:
    """The quantities of two of the points, by the records of one hidden layer."""
    dh = np.asarray(run.hidden[layer][:, second] - run.hidden[layer][:, first], dtype=np.float64)
    dy = np.asarray(run.outputs[:, second] - run.outputs[:, first], dtype=np.float64)
    wanted = np.asarray(data.targets[second]) - np.asarray(data.targets[first])
    dy2 = np.sum(dy * dy, axis=1)
    return TwoPoints(np.sum(dh * dh, axis=1), dy2, dy2 - dy @ wanted)
