"""Arrays that begin where a cache line does, and so where a vector register of any width would."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

LINE = 64  # bytes of a cache line


def aligned(
    shape: int | tuple[int, ...],
    dtype: type[np.floating[Any]] = np.float64,
    made: Callable[..., NDArray[Any]] = np.zeros,
) -> NDArray[Any]:
    """An array of this shape, of zeros or, with `np.empty`, of whatever was there.

    >>> aligned(5).tolist(), aligned((2, 3), np.float32).ctypes.data % LINE
    ([0.0, 0.0, 0.0, 0.0, 0.0], 0)
    """
    size = int(np.prod(shape))
    raw = made(size + LINE // np.dtype(dtype).itemsize, dtype=dtype)
    start = -(raw.ctypes.data // raw.itemsize) % (LINE // raw.itemsize)
    return raw[start : start + size].reshape(shape)
