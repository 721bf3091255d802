"""Labelled arrays as curves over a clock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from numerics.labelled.quantities import CLOCKS, FIRST, described

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from numerics.labelled import Labels

MOST = 10  # curves that a legend can tell apart


def draw(labels: Labels, name: str | None, axes: Axes | None, style: Mapping[str, Any]) -> Axes:
    """Draw one array: along its clock or else its first axis; each place on the other axes is a curve."""
    from matplotlib import pyplot as plt
    from matplotlib.axes import Axes

    drawn = [key for key, (_, array) in labels.variables.items() if array.dtype.kind in "biuf" and array.ndim]
    chosen = next((key for key in (*FIRST, *drawn) if key in drawn), None) if name is None else name
    from numerics.labelled import LabelledError

    if not isinstance(chosen, str) or chosen not in drawn:
        raise LabelledError(f"there is no array {chosen!r} to draw; there is {', '.join(drawn) or 'none'}")
    along, array = labels.variables[chosen]
    clock = next((axis for axis in along if axis in CLOCKS), along[0])
    curves = np.moveaxis(array, along.index(clock), 0).reshape(array.shape[along.index(clock)], -1)
    _, values = labels.coordinates.get(clock, ((), np.arange(len(curves))))
    places = [*np.ndindex(*(size for axis, size in zip(along, array.shape, strict=True) if axis != clock))]
    if not (axes is None or isinstance(axes, Axes)):
        raise LabelledError(f"axes must be those of a figure of Matplotlib, not {axes!r:.60}")
    ax = plt.subplots()[1] if axes is None else axes
    for place, curve in zip(places, curves.T, strict=True):
        label = f"{chosen}[{', '.join(map(str, place))}]" if place else chosen
        ax.plot(values, curve, **{"label": label, **style})
    ax.set_xlabel(_titled(clock, labels.units))
    ax.set_ylabel(_titled(chosen, labels.units))
    if 1 < len(places) <= MOST:
        ax.legend()
    return ax


def _titled(name: str, units: dict[str, str]) -> str:
    """Return what stands beside an axis: the name in words, and its unit if it has one."""
    description = described(name, units)
    unit = description.get("units", "1")
    return description.get("long_name", name.replace("_", " ")) + ("" if unit == "1" else f" ({unit})")
