"""Results whose arrays have names, axes and units: `.to_xarray()`, `.save()` and `.plot()`.

    run.to_xarray().losses.sel(step=100)
    run.save("run.nc")                     # xarray.open_dataset("run.nc") reads it
    run.plot().set_yscale("log")

A class of results is a dataclass that says along which axes its arrays lie, and which of its fields are the values of
an axis.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from numerics import NumericsError
from numerics.files import put
from numerics.labelled.quantities import described

if TYPE_CHECKING:
    import xarray
    from matplotlib.axes import Axes

Named = dict[str, tuple[tuple[str, ...], NDArray[Any]]]
NEEDED = "a Dataset needs xarray: pip install 'learning-dynamics-derivations[results]'"


class LabelledError(NumericsError):
    """A result that cannot be labelled, written or drawn as it was asked for; the message says why in one sentence."""


@dataclass(frozen=True)
class Labels:
    """Arrays with the names of their axes; those that are the values of an axis; and texts about all of them."""

    coordinates: Named
    variables: Named
    about: Mapping[str, str] = field(default_factory=dict)
    units: dict[str, str] = field(default_factory=dict)


class Labelled:
    """Methods of results whose class says which axes their arrays have.

        @dataclass(frozen=True)
        class Run(Labelled, axes={"losses": ("step",)}, clock={"steps": "step"}):

    `axes` are by the name of a field, or field.part of a part that has a name; an array with fewer axes has the last
    ones. An axis that ends in * belongs to one part alone: the rows of the first layer are not those of the second.
    `clock` names the axis whose values a field has, and `units` are those that `quantities` has otherwise.
    """

    _axes: ClassVar[Mapping[str, tuple[str, ...]]]
    _clock: ClassVar[Mapping[str, str]]
    _units: ClassVar[dict[str, str]]

    def __init_subclass__(
        cls,
        *,
        axes: Mapping[str, tuple[str, ...]] | None = None,
        clock: Mapping[str, str] | None = None,
        units: dict[str, str] | None = None,
    ) -> None:
        super().__init_subclass__()
        cls._axes, cls._clock, cls._units = axes or {}, clock or {}, units or {}

    def labels(self) -> Labels:
        """Every field: an array with its axes, the values of an axis, or a text about the result."""
        coordinates: Named = {}
        variables: Named = {}
        about: dict[str, str] = {}
        for name, value in ((f.name, getattr(self, f.name)) for f in fields(self)):  # type: ignore[arg-type]
            if name in self._clock:
                axis, values = self._clock[name], np.asarray(value)
                coordinates[axis] = ((axis,) if values.ndim else (), values)  # one time is no axis
            elif any(key.partition(".")[0] == name for key in self._axes):
                variables |= {part: found for part, *found in _parts(name, value, self._axes, "")}
            else:
                about[name] = str(value)
        return Labels(coordinates, variables, about, self._units)

    def to_xarray(self) -> xarray.Dataset:
        """Return an `xarray.Dataset`, with units. Refused with `LabelledError` where xarray is not installed.

        >>> from numerics.theory.linear_attention import aligned
        >>> course = aligned([0.1, 0.1], np.diag([3.0, 1.0]), tokens=100, times=[0.0, 0.8, 3.0])
        >>> course.to_xarray().loss.sel(time=3.0).round(2).item()  # doctest: +SKIP
        0.53
        """
        try:
            import xarray as xr
        except ImportError:
            raise LabelledError(NEEDED) from None
        labels = self.labels()
        variables, coordinates = (
            {name: (*pair, described(name, labels.units)) for name, pair in named.items()}
            for named in (labels.variables, labels.coordinates)
        )
        return xr.Dataset(variables, coordinates, dict(labels.about))

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write one NetCDF file, which xarray and others read; numbers become doubles, and arrays without entries are
        left out. Returns its path.

        The file replaces one of this name, at once and whole. Refused with `LabelledError`: a name that does not end in
        .nc, a place that cannot be written into.

        >>> from numerics.theory.linear_attention import aligned
        >>> aligned([0.1], [[1.0]], tokens=100, times=[0.0, 1.0]).save("course.nc").name
        'course.nc'
        """
        from numerics.labelled.netcdf import content

        try:
            target = Path(path)
        except TypeError:
            target = Path()
        if target.suffix != ".nc":
            raise LabelledError(f"a result is saved as NetCDF: name a file that ends in .nc, not {path!r:.60}")
        bytes_of_file = content(self.labels())
        try:
            put(target, lambda file: file.write(bytes_of_file), lasting=True)
        except (OSError, ValueError) as trouble:  # the latter is about a text that is no path
            reason = trouble.strerror if isinstance(trouble, OSError) else trouble
            raise LabelledError(f"{str(target)!r} cannot be written: {reason}; name a file elsewhere") from None
        return target

    def plot(self, name: str | None = None, *, axes: Axes | None = None, **style: Any) -> Axes:
        """Draw one array as curves over its clock, the first array by default, and return the axes of Matplotlib.

        `axes` are drawn into, or new ones; `style` goes to their `plot`. Refused with `LabelledError`: an array that
        there is not.

        >>> from numerics.theory.linear_attention import aligned
        >>> aligned([0.1], [[1.0]], tokens=100, times=[0.0, 1.0]).plot("values").get_xlabel()
        'time (unit of tau)'
        """
        from numerics.labelled.curves import draw

        return draw(self.labels(), name, axes, style)


def _parts(name: str, value: Any, axes: Mapping[str, tuple[str, ...]], part: str) -> Iterator[tuple[Any, ...]]:
    """The arrays of a field: it may be one, or have parts by name or by number, which become name_part."""
    within = _within(value)
    if within is None:
        array, along = np.asarray(value), axes[name]
        if array.ndim > len(along):
            raise LabelledError(f"{name} has {array.ndim} axes, and names for {len(along)}")
        last = along[len(along) - array.ndim :]
        yield f"{name.partition('.')[0]}{part}", tuple(axis.replace("*", part) for axis in last), array
        return
    for key, inner in within:
        named = f"{name}.{key}" if f"{name}.{key}" in axes else name
        yield from _parts(named, inner, axes, f"{part}_{key}")


def _within(value: Any) -> list[tuple[Any, Any]] | None:
    """The parts of a value that is no array: of a mapping or a named tuple by name, of other tuples from 1."""
    if isinstance(value, Mapping):
        return [*value.items()]
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return [*zip(value._fields, value, strict=True)]
    if isinstance(value, tuple) and any(isinstance(inner, np.ndarray | tuple) for inner in value):
        return [*enumerate(value, 1)]
    return None
