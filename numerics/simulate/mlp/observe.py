"""Quantities of two points, measured in a trained network."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from numerics.machine.checks import doubles, is_whole, shown
from numerics.simulate.datasets import Dataset
from numerics.simulate.mlp.architecture import Floats, MlpError
from numerics.simulate.mlp.training import Run


class TwoPoints(NamedTuple):
    """At each record: the squared distances |dh|^2 and |dy|^2 of representations and answers, and the alignment w.

    w is |dy|^2 minus the product of dy and the difference of the targets (van Rossem & Saxe, Eq. 8).
    """

    dh2: Floats
    dy2: Floats
    w: Floats


def two_points(run: Run, data: Dataset, layer: int, first: int = 0, second: int = 1) -> TwoPoints:
    """|dh|^2, |dy|^2 and w of two of the points, at each record of one hidden layer of a run.

    `data` are those that the run was trained on, `layer` one of the recorded ones, and `first` and `second` count
    points. Refused with `MlpError`: layers and points that there are not.

    >>> from numerics.simulate import datasets, mlp
    >>> data = datasets.two_points()
    >>> run = mlp.train(mlp.Architecture(hidden=1, units=4), data, eta=0.01, epochs=2, record=[0, 2])
    >>> [len(curve) for curve in two_points(run, data, layer=1)]
    [2, 2, 2]
    """
    given: tuple[object, object] = (run, data)
    if not (isinstance(given[0], Run) and isinstance(given[1], Dataset)):
        raise MlpError("two_points takes a Run and the Dataset that it was trained on.")
    if not is_whole(layer, 1) or int(layer) not in run.hidden:
        raise MlpError(f"layer {shown(layer)} was not recorded; there is {', '.join(map(str, run.hidden))}.")
    count = run.outputs.shape[1]
    if not all(is_whole(point, 0) and int(point) < count for point in (first, second)):
        raise MlpError(f"points are counted from 0 to {count - 1}, not {shown(first)} and {shown(second)}.")
    layer, first, second = int(layer), int(first), int(second)
    dh = np.asarray(run.hidden[layer][:, second] - run.hidden[layer][:, first], dtype=np.float64)
    dy = np.asarray(run.outputs[:, second] - run.outputs[:, first], dtype=np.float64)
    targets = doubles("targets", data.targets, MlpError)
    if targets.shape != run.outputs.shape[1:]:
        raise MlpError(f"the run has outputs of shape {run.outputs.shape[1:]}, and the targets have {targets.shape}.")
    wanted = targets[second] - targets[first]
    dy2 = np.sum(dy * dy, axis=1)
    return TwoPoints(np.sum(dh * dh, axis=1), dy2, dy2 - dy @ wanted)
