"""Data to learn from: toy problems, and images of digits.

two_points(), xor(), blobs()
mnist("folder with the four IDX files"), digits()
"""

from __future__ import annotations

import gzip
import zlib
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics import NumericsError
from numerics.machine.checks import is_real, shown

Floats = NDArray[np.floating]

KINDS = {0x08: ">u1", 0x09: ">i1", 0x0B: ">i2", 0x0C: ">i4", 0x0D: ">f4", 0x0E: ">f8"}  # of entries of IDX files
MOST = 1000  # places along a side: images are as many as its square, and so are their pixels
LARGEST = 2**31  # bytes of an IDX file's entries
MNIST = {
    "training": ("train-images-idx3-ubyte", "train-labels-idx1-ubyte"),
    "test": ("t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"),
}


class DatasetError(NumericsError):
    """Data that cannot be made or read; the message says why in one sentence."""


class Dataset(NamedTuple):
    """Inputs (point, input) and targets (point, output)."""

    inputs: Floats
    targets: Floats


def two_points(dx: float = 0.5, dy: float = 1.0) -> Dataset:
    """Inputs -1 and -1 + dx with targets 0.6 and 0.6 + dy (van Rossem & Saxe, Appendix B.1).

    Refused with `DatasetError`: distances that are not finite.

    >>> two_points().targets.tolist()
    [[0.6], [1.6]]
    """
    if not (is_real(dx) and is_real(dy)):
        raise DatasetError(f"the distances must be finite numbers, not dx = {dx} and dy = {dy}.")
    return Dataset(np.array([[-1.0], [-1.0 + dx]]), np.array([[0.6], [0.6 + dy]]))


def xor() -> Dataset:
    """Four points with two inputs, of which the target is the exclusive or (Appendix B.2).

    >>> xor().targets.ravel().tolist()
    [0.0, 1.0, 1.0, 0.0]
    """
    return Dataset(np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]), np.array([[0.0], [1.0], [1.0], [0.0]]))


def blobs(side: int = 30, pixels: int = 5, variance: float = 1.0) -> Dataset:
    """Images of Gaussian bumps in two contexts (Appendix B.3): the target is x in the first one and y in the second.

    Means lie on a grid of `side` times `side` places from -1 to 1, as do the pixels, of which there are `pixels` times
    `pixels`; `variance` is that of a bump. An image sums to one, and two inputs that tell the context follow it.
    Refused with `DatasetError`: sizes that are not whole and at least 1, and a variance that is not positive.

    >>> blobs(side=3, pixels=5).inputs.shape
    (18, 27)
    """
    sizes: dict[str, object] = {"side": side, "pixels": pixels}
    for name, value in sizes.items():
        if not isinstance(value, int) or isinstance(value, bool) or value < 1:
            raise DatasetError(f"{name} must be a whole number of at least 1, not {shown(value)}.")
        if value > MOST:
            raise DatasetError(f"{name} must be at most {MOST}, not {value}.")
    if not (is_real(variance) and variance > 0):
        raise DatasetError(f"the variance must be a positive number, not {variance}.")
    means, places = np.linspace(-1.0, 1.0, side), np.linspace(-1.0, 1.0, pixels)
    bumps = np.exp(-((places - means[:, None]) ** 2) / (2.0 * variance))
    bumps /= bumps.sum(axis=1, keepdims=True)
    images = np.einsum("ai,bj->abji", bumps, bumps).reshape(side * side, pixels * pixels)
    x, y = (axis.reshape(-1, 1) for axis in np.meshgrid(means, means, indexing="ij"))
    contexts = np.repeat(np.eye(2), side * side, axis=0)
    return Dataset(np.hstack([np.vstack([images, images]), contexts]), np.vstack([x, y]))


# --- images of digits -------------------------------------------------------------------------------------------------


def mnist(folder: str | Path, part: str = "training") -> Dataset:
    """MNIST from its IDX files, plain or as .gz: pixels from 0 to 1, and a target of ten numbers with a 1 at the digit.

    The files are not fetched: `folder` must hold them under their usual names; `part` is "training" or "test". Refused
    with `DatasetError`: files that are missing or damaged, and another part.

    >>> mnist("nowhere")
    Traceback (most recent call last):
    numerics.simulate.datasets.DatasetError: nowhere has no file train-images-idx3-ubyte or ...
    """
    if part not in tuple(MNIST):
        raise DatasetError(f"MNIST has no part {part!r}; choose one of {', '.join(MNIST)}.")
    images, labels = (idx(_found(_path(folder), name)) for name in MNIST[part])
    if images.ndim != 3 or labels.ndim != 1 or len(images) != len(labels):
        raise DatasetError(
            f"{folder} does not hold MNIST: images have shape {images.shape} and labels {labels.shape}, but there must "
            "be a label for each image."
        )
    return _classes(images.reshape(len(images), -1) / 255.0, labels, str(folder))


def digits() -> Dataset:
    """1,797 images of 8 times 8 pixels that come with scikit-learn, pixels from 0 to 1 and targets as for MNIST."""
    try:
        from sklearn.datasets import load_digits  # type: ignore[import-not-found, import-untyped, unused-ignore]
    except ImportError:
        raise DatasetError("these images come with scikit-learn: install it with pip install scikit-learn.") from None
    images, labels = load_digits(return_X_y=True)
    return _classes(images / 16.0, labels, "scikit-learn")


def idx(path: str | Path) -> NDArray[Any]:
    """The array in an IDX file, plain or compressed by gzip.

    Refused with `DatasetError`: files that cannot be read, are too large, or are not what their head says.

    >>> Path("numbers").write_bytes(bytes([0, 0, 0x08, 1, 0, 0, 0, 3, 7, 8, 9]))
    11
    >>> idx("numbers").tolist()
    [7, 8, 9]
    """
    path = _path(path)
    data = _content(path)
    if len(data) < 4 or data[:2] != b"\0\0" or data[2] not in KINDS or data[3] == 0:
        raise DatasetError(f"{path} is not an IDX file: it does not begin with two zeros, a kind and an order.")
    kind, order = np.dtype(KINDS[data[2]]), data[3]
    begin = 4 + 4 * order
    if len(data) < begin:
        raise DatasetError(f"{path} ends within its head, after {len(data)} bytes; fetch it again.")
    shape = tuple(int(size) for size in np.frombuffer(data, ">u4", order, 4))
    expected = begin + kind.itemsize * prod(shape)
    if len(data) != expected:
        raise DatasetError(
            f"{path} has {len(data)} bytes, but its head tells of shape {shape}, which needs {expected}: fetch it."
        )
    try:
        return np.frombuffer(data, kind, offset=begin).reshape(shape).astype(kind.newbyteorder("="))
    except ValueError:  # more axes, or longer ones, than an array can have
        raise DatasetError(f"{path} is not an IDX file that can be read: its head tells of {order} axes.") from None


def _path(given: object) -> Path:
    if not isinstance(given, str | Path) or "\0" in str(given):
        raise DatasetError(f"{given!r} is no path: give the name of a file or a folder.")
    return Path(given)


def _found(folder: Path, name: str) -> Path:
    with suppress(OSError):  # a folder whose name is too long
        for path in (folder / name, folder / f"{name}.gz"):
            if path.is_file():
                return path
    raise DatasetError(f"{folder!s:.200} has no file {name} or {name}.gz: put MNIST's IDX files there.")


def _content(path: Path) -> bytes:
    """The bytes of a file, uncompressed, if they are not too many."""
    try:
        with path.open("rb") as file:
            compressed = file.read(2) == b"\x1f\x8b"
        with gzip.open(path) if compressed else path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except (OSError, EOFError, zlib.error) as mistake:
        reason = mistake.strerror if isinstance(mistake, OSError) and mistake.strerror else str(mistake)
        raise DatasetError(f"{path} cannot be read ({reason}).") from None
    if len(data) > LARGEST:
        raise DatasetError(f"{path} holds more than {LARGEST} bytes, which no IDX file that is read here has.")
    return data


def _classes(images: Floats, labels: NDArray[Any], name: str) -> Dataset:
    """Images with a target for each class, of which there are ten."""
    if labels.dtype.kind not in "iu" or labels.size == 0 or labels.min() < 0 or labels.max() > 9:
        raise DatasetError(f"the labels of {name} are not digits from 0 to 9.")
    return Dataset(images, np.eye(10)[labels])
