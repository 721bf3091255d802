"""Data to learn from: what the papers say of them, and files that are refused in one sentence."""

from __future__ import annotations

import gzip
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from case_files import Cases
from each import each

from numerics.simulate import datasets
from numerics.simulate.datasets import DatasetError

FAMILIES = Cases(__file__, globals())


def idx_bytes(array: np.ndarray, kind: int = 0x08) -> bytes:
    head = bytes([0, 0, kind, array.ndim]) + b"".join(size.to_bytes(4, "big") for size in array.shape)
    return head + array.astype(datasets.KINDS[kind]).tobytes()


def written_mnist(folder: Path, count: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Images compressed, labels plain."""
    rng = np.random.default_rng(0)
    images, labels = rng.integers(0, 256, (count, 28, 28)), rng.integers(0, 10, count)
    (folder / "train-images-idx3-ubyte.gz").write_bytes(gzip.compress(idx_bytes(images)))
    (folder / "train-labels-idx1-ubyte").write_bytes(idx_bytes(labels))
    return images, labels


# --- toy problems -----------------------------------------------------------------------------------------------------


def test_blobs_are_centred_where_the_target_of_their_context_says() -> None:
    inputs, targets = datasets.blobs()
    assert inputs.shape == (1800, 27)
    assert targets.shape == (1800, 1)
    assert np.array_equal(inputs[:, 25:].sum(axis=0), [900, 900])
    np.testing.assert_allclose(inputs[:, :25].sum(axis=1), 1.0, rtol=1e-14)
    assert np.array_equal(inputs[:900, :25], inputs[900:, :25])
    images, places = inputs[:900, :25].reshape(900, 5, 5), np.linspace(-1, 1, 5)
    for axis, wanted in ((1, targets[:900, 0]), (2, targets[900:, 0])):  # summed over rows, x is left
        centre = images.sum(axis=axis) @ places
        order = np.argsort(wanted, kind="stable")
        assert np.corrcoef(centre, wanted)[0, 1] > 0.99
        assert (np.diff(centre[order].reshape(30, 30).mean(axis=1)) > 0).all()


test_statements_have_their_verdicts = FAMILIES.verdicts()


# --- images -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", datasets.KINDS)
@pytest.mark.parametrize("compressed", [False, True])
def test_every_kind_of_idx_file_is_read_as_it_was_written(tmp_path: Path, kind: int, compressed: bool) -> None:
    array = np.arange(24).reshape(2, 3, 4).astype(datasets.KINDS[kind])
    data = idx_bytes(array, kind)
    (tmp_path / "file").write_bytes(gzip.compress(data) if compressed else data)
    found = datasets.idx(tmp_path / "file")
    assert found.dtype.isnative
    assert np.array_equal(found, array)


def test_mnist_has_pixels_up_to_one_and_a_one_at_the_digit(tmp_path: Path) -> None:
    images, labels = written_mnist(tmp_path)
    data = datasets.mnist(tmp_path)
    np.testing.assert_allclose(data.inputs * 255, images.reshape(5, 784), rtol=1e-14)
    assert np.array_equal(data.targets.argmax(axis=1), labels)
    assert np.array_equal(data.targets.sum(axis=1), np.ones(5))


GOOD = idx_bytes(np.arange(6).reshape(2, 3))
DAMAGED = {
    "empty": (b"", "is not an IDX file"),
    "something else": (b"\x89PNG\r\n\x1a\n" + bytes(40), "is not an IDX file"),
    "unknown kind": (bytes([0, 0, 7, 1]) + bytes(8), "is not an IDX file"),
    "no axes": (bytes([0, 0, 8, 0]), "is not an IDX file"),
    "short head": (GOOD[:7], "ends within its head, after 7 bytes"),
    "short": (GOOD[:-1], r"has 17 bytes, but its head tells of shape \(2, 3\), which needs 18"),
    "long": (GOOD + b"\0", "has 19 bytes"),
    "huge": (bytes([0, 0, 8, 3]) + b"\xff" * 12, "has 16 bytes, but its head tells of shape"),
    "cut off": (gzip.compress(GOOD)[:-9], "cannot be read"),
    "wrong sum": (gzip.compress(GOOD)[:-8] + bytes(8), "cannot be read"),
    "bad stream": (gzip.compress(GOOD)[:10] + b"\xff" * 20, "cannot be read"),
}


@pytest.mark.parametrize("name", DAMAGED)
def test_a_damaged_file_is_refused_in_one_sentence(tmp_path: Path, name: str) -> None:
    data, said = DAMAGED[name]
    path = tmp_path / "file"
    path.write_bytes(data)
    with pytest.raises(DatasetError, match=said) as caught:
        datasets.idx(path)
    assert str(path) in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_a_file_that_expands_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(datasets, "LARGEST", 1000)
    (tmp_path / "file").write_bytes(gzip.compress(bytes(100_000)))
    with pytest.raises(DatasetError, match="holds more than 1000 bytes"):
        datasets.idx(tmp_path / "file")


@pytest.mark.parametrize("labels", FAMILIES["labels that do not fit the images are refused"])
def test_labels_that_do_not_fit_the_images_are_refused(tmp_path: Path, labels: np.ndarray) -> None:
    written_mnist(tmp_path)
    (tmp_path / "train-labels-idx1-ubyte").write_bytes(idx_bytes(labels))
    with pytest.raises(DatasetError, match=r"are not digits from 0 to 9|there must be a label for each image"):
        datasets.mnist(tmp_path)


def test_a_folder_is_no_idx_file(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read"):
        datasets.idx(tmp_path)


def test_digits_come_with_scikit_learn_or_the_sentence_says_what_to_install() -> None:
    if find_spec("sklearn") is None:
        with pytest.raises(DatasetError, match="pip install scikit-learn"):
            datasets.digits()
        return
    data = datasets.digits()
    assert data.inputs.shape == (1797, 64)
    assert data.inputs.max() == 1.0
    assert np.array_equal(data.targets.sum(axis=1), np.ones(1797))


@pytest.mark.parametrize("sizes", [[1] * 65, [0, 2**32 - 1, 2**32 - 1, 2**32 - 1]])
def test_an_idx_file_with_more_or_longer_axes_than_an_array_has_is_refused(sizes: list[int], tmp_path: Path) -> None:
    head = bytes([0, 0, 0x08, len(sizes)]) + b"".join(size.to_bytes(4, "big") for size in sizes)
    path = tmp_path / "axes"
    path.write_bytes(head + bytes(1 if 0 not in sizes else 0))
    with pytest.raises(DatasetError, match=f"its head tells of {len(sizes)} axes"):
        datasets.idx(path)


@each("given", [None, 3, "a\0b", ["train"]])
def test_what_is_no_path_and_no_part_is_refused(given: object) -> None:
    with pytest.raises(DatasetError, match="is no path"):
        datasets.idx(given)  # type: ignore[arg-type]
    with pytest.raises(DatasetError, match="is no path"):
        datasets.mnist(given)  # type: ignore[arg-type]
    with pytest.raises(DatasetError, match="MNIST has no part"):
        datasets.mnist("nowhere", given)  # type: ignore[arg-type]
