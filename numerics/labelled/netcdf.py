"""Labelled arrays as one NetCDF file of the classic format, which needs no library besides SciPy."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
from numpy.typing import NDArray

from numerics.labelled import LabelledError, Labels
from numerics.labelled.quantities import described

MOST = 2**31 - 4  # bytes of one array


def content(labels: Labels) -> bytes:
    """The bytes of the file: numbers as doubles, and texts as letters along one more axis.

    Arrays without entries are left out, as an axis of length zero means something else in this format.
    """
    from scipy.io import netcdf_file

    for name, (_, array) in {**labels.coordinates, **labels.variables}.items():
        if 8 * array.size > MOST:
            raise LabelledError(
                f"{name} has more than {MOST} bytes, which no file of this format holds: save parts of it"
            )
    stream = io.BytesIO()
    file = netcdf_file(stream, "w", version=2)
    for name, (axes, array) in {**labels.coordinates, **labels.variables}.items():
        if not array.size:
            continue
        is_text = array.dtype.kind == "U"
        along, numbers = _letters(name, axes, array) if is_text else (axes, array)
        for axis, size in zip(along, numbers.shape, strict=True):
            if axis not in file.dimensions:
                file.createDimension(axis, size)
        variable = file.createVariable(name, "c" if is_text else "d", along)
        variable[...] = numbers
        for attribute, text in described(name, labels.units).items():
            setattr(variable, attribute, text)
        if is_text:
            variable._Encoding = "utf-8"  # by which readers know that the letters are a text
    aside = [name for name, (axes, _) in labels.coordinates.items() if axes != (name,)]
    for name, text in {**labels.about, **({"coordinates": " ".join(aside)} if aside else {})}.items():
        setattr(file, name, text or " ")  # the classic format has no empty texts
    file.flush()
    written = stream.getvalue()
    stream.close()  # or else it is written again when `file` is thrown away
    return written


def _letters(name: str, axes: tuple[str, ...], array: NDArray[Any]) -> tuple[tuple[str, ...], NDArray[Any]]:
    """Texts as bytes in UTF-8 along one more axis."""
    encoded = np.char.encode(array, "utf-8")
    wide = np.ascontiguousarray(encoded.astype(f"S{max(encoded.dtype.itemsize, 1)}"))
    return (*axes, f"{name}_letters"), wide.view("S1").reshape(*array.shape, -1)
