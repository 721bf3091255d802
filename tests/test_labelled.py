"""Results with names, axes and units: what every class of them can do, whichever it is."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from case_files import Cases
from each import each
from matplotlib import pyplot as plt
from scipy.io import netcdf_file

from numerics import validate
from numerics.labelled import Labelled, LabelledError, Labels
from numerics.labelled.netcdf import content
from numerics.labelled.quantities import CLOCKS, QUANTITIES, described
from numerics.simulate import linear_attention, linear_network
from numerics.theory import two_point
from numerics.theory.two_point.fit import fit

FAMILIES = Cases(__file__, globals())

NETWORK = [[0.1, 0.2]], [[0.3], [0.1]]
TASK = [[1.0, 0.0], [0.0, 0.5]]


def _fit() -> Labelled:
    times = np.linspace(0.0, 20.0, 20)
    h, y, w = two_point.closed_form([0.05, 0.02, -0.05], [0.25, 1.0, 1.5, 0.8], times)[0].T
    return fit(times, h, y, w, X=0.25, s=1.0)


def _network(*, double_double: bool) -> Labelled:
    asked = {"losses_at": [0, 2, 5], "weights_at": [0, 5], "double_double": double_double}
    return linear_network.learn([NETWORK], [TASK], rates=0.1, **asked)[0]


def _attention(heads: linear_attention.Heads) -> Labelled:
    return linear_attention.learn(heads, np.diag([1.0, 0.5]), tokens=10, rate=0.01, steps=[0, 3])


def _outcomes() -> validate.Outcomes:
    told = np.array([1.0, 2.0])
    return validate.Outcomes(("a", "b"), ("first", "the second"), told, ("at most 1", "2"), told < 2)


RESULTS: dict[str, Callable[[], Labelled]] = FAMILIES["results"]


@cache
def result(name: str) -> Labelled:
    return RESULTS[name]()


@pytest.fixture(autouse=True)
def drawn() -> Iterator[None]:
    mpl.use("agg")
    yield
    plt.close("all")


@each("name", [*RESULTS])
def test_every_array_has_an_axis_for_each_dimension_and_sizes_agree(name: str) -> None:
    labels = result(name).labels()
    sizes: dict[str, int] = {}
    for axes, array in [*labels.variables.values(), *labels.coordinates.values()]:
        assert len(set(axes)) == len(axes) == array.ndim
        for axis, size in zip(axes, array.shape, strict=True):
            assert sizes.setdefault(axis, size) == size
    kept = {part.partition("_")[0] for part in (*labels.variables, *labels.coordinates, *labels.about)}
    fields = {field for field in vars(result(name)) if field not in type(result(name))._clock}
    assert {field.partition("_")[0] for field in fields} <= kept


@pytest.mark.parametrize("name", RESULTS)
def test_a_saved_result_is_read_with_its_numbers_texts_and_units(name: str, tmp_path: Path) -> None:
    labels = result(name).labels()
    path = result(name).save(tmp_path / "result.nc")
    assert [p.name for p in tmp_path.iterdir()] == ["result.nc"]
    with netcdf_file(io.BytesIO(path.read_bytes()), mmap=False) as file:
        for key, (axes, array) in {**labels.variables, **labels.coordinates}.items():
            found = file.variables[key]
            if array.dtype.kind == "U":
                texts = [b"".join(row).rstrip(b"\0").decode() for row in found[:].reshape(array.size, -1)]
                assert texts == [*array.ravel()]
            else:
                np.testing.assert_array_equal(found[...], array)
                assert found.dimensions == axes
            assert {k: getattr(found, k).decode() for k in described(key, {})} == described(key, labels.units)
        assert {k: getattr(file, k).decode().strip() for k in labels.about} == {
            k: text.strip() for k, text in labels.about.items()
        }


@each("name", [*RESULTS])
def test_a_result_is_a_dataset(name: str) -> None:
    pytest.importorskip("xarray", reason="a Dataset needs xarray, which is not installed here")
    labels, made = result(name).labels(), result(name).to_xarray()
    for key, (axes, array) in labels.variables.items():
        assert made[key].dims == axes
        np.testing.assert_array_equal(made[key].values, array)
        assert made[key].attrs == described(key, labels.units)
    assert set(made.coords) == set(labels.coordinates)


@each("name", [*RESULTS])
def test_every_array_is_drawn_over_its_clock_and_every_number_of_it(name: str) -> None:
    labels = result(name).labels()
    assert result(name).plot().has_data()
    for key, (axes, array) in labels.variables.items():
        if array.dtype.kind == "U" or array.ndim == 0:
            with pytest.raises(LabelledError, match="to draw; there is"):
                result(name).plot(key)
            continue
        given = plt.subplots()[1]
        ax = result(name).plot(key, axes=given, linewidth=3.0)
        assert ax is given
        clock = next((axis for axis in axes if axis in CLOCKS), axes[0])
        assert sum(len(line.get_ydata()) for line in ax.lines) == array.size
        assert {line.get_linewidth() for line in ax.lines} <= {3.0}
        if clock in labels.coordinates:
            np.testing.assert_array_equal(ax.lines[0].get_xdata(), labels.coordinates[clock][1])
            assert ax.get_xlabel().startswith(QUANTITIES[clock][0])
    plt.close("all")  # more than twenty open figures are warned of


def test_curves_are_those_of_the_array() -> None:
    ax = result("integration").plot("states")
    np.testing.assert_array_equal(
        [line.get_ydata() for line in ax.lines], [[0, 2, 4], [1, 3, 5], [6, 8, 10], [7, 9, 11]]
    )
    assert [line.get_label() for line in ax.lines] == [f"states[{i}, {j}]" for i in (0, 1) for j in (0, 1)]


def test_without_xarray_a_dataset_is_refused_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(LabelledError, match=r"a Dataset needs xarray: pip install"):
        result("integration").to_xarray()


@pytest.mark.parametrize(
    ("name", "said"),
    [("run.txt", "ends in .nc"), ("/proc/none/run.nc", "cannot be written"), ("a\0.nc", "cannot be written")],
)
def test_a_file_that_cannot_be_is_refused_in_one_sentence(tmp_path: Path, name: str, said: str) -> None:
    with pytest.raises(LabelledError, match=said):
        result("integration").save(tmp_path / name)
    assert not [*tmp_path.rglob("*")]


@each("path", [None, 3, b"run.nc"])
def test_what_is_no_path_is_refused_in_one_sentence(path: object) -> None:
    with pytest.raises(LabelledError, match=r"name a file that ends in \.nc, not"):
        result("integration").save(path)  # type: ignore[arg-type]


def test_a_file_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drafts, own = [], os.fsync

    def flushed(number: int) -> None:
        drafts.extend(sorted(path.name for path in (tmp_path / "new").iterdir()))
        own(number)

    monkeypatch.setattr(os, "fsync", flushed)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / ".run.nc.draft").write_text("of another process")
    path = result("integration").save(tmp_path / "new" / "run.nc")
    assert len(drafts) == 2
    assert path.name not in drafts
    assert sorted(file.name for file in path.parent.iterdir()) == [".run.nc.draft", "run.nc"]
    assert path.with_name(".run.nc.draft").read_text() == "of another process"


def test_a_failed_save_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = result("integration").save(tmp_path / "run.nc")
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(LabelledError, match="No space left"):
        result("fit").save(path)
    assert path.read_bytes() == before
    assert [*tmp_path.iterdir()] == [path]


def test_texts_of_any_letters_are_kept() -> None:
    labels = Labels({}, {"said": (("case",), np.array(["", "größer", "x"]))})
    with netcdf_file(io.BytesIO(content(labels)), mmap=False) as file:
        found = file.variables["said"]
        assert [b"".join(row).rstrip(b"\0").decode() for row in found[:]] == ["", "größer", "x"]


def test_arrays_without_entries_are_left_out_of_a_file(tmp_path: Path) -> None:
    (run,) = linear_network.learn([NETWORK], [TASK], rates=0.1, losses_at=[0, 2])
    with netcdf_file(run.save(tmp_path / "run.nc"), mmap=False) as file:
        assert set(file.variables) == {"losses", "step"}
    assert set(run.labels().variables) == {"losses", "weights_1", "weights_2"}


test_statements_have_their_verdicts = FAMILIES.verdicts()
