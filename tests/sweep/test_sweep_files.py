"""The files of sweeps: nothing torn, nothing of another sweep, and all results together as one."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numerics.labelled import LabelledError
from numerics.sweep import Results, SweepError, collect, gather, prepare, status, sweep
from numerics.sweep.files import begin, listed, load, save, tidy
from numerics.sweep.plan import planned
from numerics.sweep.work import do

WALK = "swept_targets:WALK"
GRID: dict[str, Any] = {"scale": "log:0.1:10:4", "kind": ["plain", "slow"]}
ASKED: dict[str, Any] = {"target": WALK, "grid": GRID, "seeds": 5, "seed": 3}


def test_a_file_of_another_sweep_is_refused(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    sweep(here, WALK, seeds=2, workers=1)
    sweep(there, WALK, seeds=2, seed=1, workers=1)
    ((mine, _),), ((other, _),) = listed(here).items(), listed(there).items()
    mine.write_bytes(other.read_bytes())
    with pytest.raises(SweepError, match="is of another sweep"):
        gather(here)


def test_results_are_whole_while_files_are_written_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = prepare(tmp_path, WALK, seeds=6)
    for number in range(6):
        do(str(tmp_path), number, number + 1)

    def meanwhile(path: Path, *about: Any) -> Any:
        if len(listed(tmp_path)) > 1 and "000003-" in path.name:
            tidy(tmp_path, plan, range(6))
        return load(path, *about)

    monkeypatch.setattr(sys.modules["numerics.sweep.gather"], "load", meanwhile)
    assert gather(tmp_path).missing == 0
    assert len(listed(tmp_path)) == 1


def test_files_in_another_one_are_removed_when_there_is_time(tmp_path: Path) -> None:
    plan = prepare(tmp_path, WALK, seeds=6)
    do(str(tmp_path), 0, 6)
    do(str(tmp_path), 2, 4)
    tidy(tmp_path, plan, range(6))
    assert list(listed(tmp_path).values()) == [range(6)]


def test_files_that_others_write_together_at_the_same_time_are_left_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plan = prepare(tmp_path, WALK, seeds=2)
    do(str(tmp_path), 0, 1)
    do(str(tmp_path), 1, 2)

    def gone(path: Path, *about: Any) -> Any:
        path.unlink()
        return load(path, *about)

    monkeypatch.setattr(sys.modules["numerics.sweep.files"], "load", gone)
    tidy(tmp_path, plan, range(2))
    assert list(listed(tmp_path).values()) == [range(1, 2)]


def test_a_folder_of_another_sweep_of_other_code_or_damaged_is_refused(tmp_path: Path) -> None:
    sweep(tmp_path, WALK, grid={"scale": [1.0]}, seeds=3, workers=1)
    for asked, sentence in (
        ({"grid": {"scale": [2.0]}, "seeds": 3}, "its grid differs"),
        ({"grid": {"scale": [1.0]}, "seeds": 2}, "its seeds is 3, not 2"),
        ({"grid": {"scale": [1.0]}, "seeds": 3, "seed": 1}, "its seed is 0, not 1"),
        ({"grid": {"scale": [1.0]}, "seeds": 3, "settings": {"size": 2}}, "its size is 3, not 2"),
    ):
        with pytest.raises(SweepError, match=f"is of another sweep .{sentence}"):
            sweep(tmp_path, WALK, workers=1, **asked)  # type: ignore[arg-type]
    with pytest.raises(SweepError, match="its target is swept_targets:WALK"):
        sweep(tmp_path, "deep_linear", workers=1)
    text = (tmp_path / "plan.json").read_text(encoding="utf-8")
    for lie in (text[:50], text.replace('"seeds": 3', '"seeds": 4'), "{}", "[" * 10**5):
        (tmp_path / "plan.json").write_text(lie, encoding="utf-8")
        with pytest.raises(SweepError, match=r"plan.json is damaged"):
            status(tmp_path)
    begin(tmp_path / "older", replace(planned(WALK), code="0"))
    with pytest.raises(SweepError, match="was begun by other code"):
        do(str(tmp_path / "older"), 0, 1)
    with pytest.raises(SweepError, match="it was begun by other code, or with other versions of packages"):
        sweep(tmp_path / "older", WALK, workers=1)


def test_drafts_of_processes_that_were_killed_are_removed_when_they_are_old(tmp_path: Path) -> None:
    plan = prepare(tmp_path, WALK, seeds=2)
    do(str(tmp_path), 0, 2)
    old, new = (tmp_path / "done" / f".{name}.draft" for name in ("old", "new"))
    for draft in (old, new):
        draft.touch()
    os.utime(old, (0, 0))
    tidy(tmp_path, plan, range(2))
    assert (old.exists(), new.exists()) == (False, True)


def test_the_file_of_all_results_is_the_dataset(tmp_path: Path) -> None:
    xarray = pytest.importorskip("xarray", reason="a Dataset needs xarray, which is not installed here")
    sweep(tmp_path / "sweep", **ASKED, workers=1)
    gather(tmp_path / "sweep").save(tmp_path / "all.nc")
    made = collect(tmp_path / "sweep")
    with xarray.open_dataset(tmp_path / "all.nc") as read:
        assert read.sizes == made.sizes == {"scale": 4, "kind": 2, "seed": 5, "step": 3}
        for name in ("mean", "walk", "scale", "kind", "seed", "step"):
            assert read[name].dims == made[name].dims
            assert (read[name].values == made[name].values).all()


def test_an_array_that_no_file_of_the_format_holds_is_refused(tmp_path: Path) -> None:
    large = np.broadcast_to(0.0, (2**28,))
    with pytest.raises(LabelledError, match="large has more than 2147483644 bytes"):
        Results({}, {"large": (("task",), large)}, 0, {}, {}).save(tmp_path / "all.nc")


def test_without_xarray_a_dataset_is_refused_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xarray", None)
    sweep(tmp_path, WALK, workers=1)
    with pytest.raises(LabelledError, match="a Dataset needs xarray: pip install"):
        collect(tmp_path)


def test_a_save_that_fails_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = prepare(tmp_path, WALK, seeds=1)
    do(str(tmp_path), 0, 1)
    ((path, tasks),) = listed(tmp_path).items()
    content, piece = path.read_bytes(), load(path, plan, tasks)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SweepError, match="cannot be written: No space left on device"):
        save(tmp_path, plan, piece)
    assert path.read_bytes() == content
    assert [file.name for file in path.parent.iterdir()] == [path.name]
