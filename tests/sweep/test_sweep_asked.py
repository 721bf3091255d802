"""Requests to sweeps: a plan or one sentence, from Python and on the command line."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import swept_targets
from case_files import Cases
from each import each

from numerics import NumericsError
from numerics.__main__ import main
from numerics.machine.progress import told
from numerics.sweep import SweepError, failed, gather, prepare, status, sweep
from numerics.sweep.files import listed
from numerics.sweep.plan import planned
from numerics.sweep.work import do

FAMILIES = Cases(__file__, globals())

WALK = "swept_targets:WALK"


@pytest.mark.parametrize(
    ("asked", "sentence"),
    FAMILIES["mistakes"],
)
def test_mistakes_are_answered_in_one_sentence(tmp_path: Path, asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SweepError, match=sentence) as told:
        sweep(tmp_path, **{"workers": 1, **asked})
    assert "\n" not in str(told.value)
    assert not (tmp_path / "done").exists()


@pytest.mark.parametrize("asked", [{"shard": "0/2"}, {"shard": "one"}, {"workers": 0}])
def test_a_part_that_there_is_not_leaves_no_plan(tmp_path: Path, asked: dict[str, Any]) -> None:
    with pytest.raises(SweepError):
        sweep(tmp_path / "new", WALK, **asked)
    assert not (tmp_path / "new").exists()


ODD = [*FAMILIES["odd"], float("nan"), float("inf"), "a\nb", object(), Ellipsis]  # fmt: skip
NAMES = [*swept_targets.WALK.defaults, "nothing", "seed", "step", "a\nb", None, 3]


def test_whatever_is_asked_is_a_plan_or_is_refused_in_one_sentence() -> None:
    rng, refused, made = random.Random(0), 0, 0

    def some() -> Any:
        return rng.choice([rng.choice(ODD), {rng.choice(NAMES): rng.choice(ODD)}])

    for _ in range(1500):
        asked = {name: some() for name in ("grid", "settings", "runs", "seeds", "seed") if rng.random() < 0.3}
        try:
            planned(rng.choice([WALK, WALK, WALK, rng.choice(ODD)]), **asked)
            made += 1
        except NumericsError as sentence:
            refused += 1
            told = str(sentence)
            assert "\n" not in told
    assert min(made, refused) > 200


def test_without_dask_its_workers_are_refused_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SweepError, match=r"Dask needs dask\[distributed\]: pip install"):
        sweep(tmp_path, WALK, dask="local")


def test_the_command_line_runs_tells_and_collects(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, file = str(tmp_path / "sweep"), str(tmp_path / "all.nc")
    words = [folder, WALK, "--grid", "scale=log:0.1:10:4; kind=plain,slow", "--seeds", "5", "--seed", "3"]
    assert main(["sweep", "run", *words, "--shard", "2/2", "--workers", "1"]) == 0
    assert "20 of 40 tasks of swept_targets:WALK are done, in 1 files" in capsys.readouterr().out
    assert main(["sweep", "collect", folder, "-o", file]) == 1
    assert "20 tasks are not done yet" in capsys.readouterr().err
    assert main(["sweep", "run", folder, "--workers", "1"]) == 0
    assert main(["sweep", "status", folder]) == 0
    assert main(["sweep", "collect", folder, "-o", file]) == 0
    assert capsys.readouterr().err == ""
    assert main(["sweep", "run", folder, "--shard", "9/2"]) == 2
    assert capsys.readouterr().err == "numerics: there is no shard 9/2: its number is from 1 to 2\n"
    assert main(["sweep", "collect", folder, "-o", "all"]) == 2
    assert "name one that ends in .nc" in capsys.readouterr().err
    assert main(["sweep", "collect", folder, "-o", str(tmp_path)]) == 2
    assert "cannot be written" in capsys.readouterr().err


def test_tasks_that_fail_have_an_exit_status_of_their_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The tasks with an odd seed fail; a shard tells of its own ones, also where others did them before."""
    prepare(tmp_path, WALK, grid={"kind": ["failing", "plain"]}, seeds=4)
    run = ["sweep", "run", str(tmp_path), "--workers", "1"]
    assert main([*run, "--shard", "1/4"]) == 0
    assert capsys.readouterr().err == ""
    for _ in range(2):
        assert main([*run, "--shard", "2/4"]) == 3
        assert capsys.readouterr().err == "numerics: 1 tasks failed; the first is 2: this seed is odd\n"
        assert main([*run, "--shard", "3/4"]) == 0
        assert main(run) == 3
        assert "numerics: 2 tasks failed; the first is 2: this seed is odd\n" in capsys.readouterr().err
    assert failed(tmp_path) == {2: "this seed is odd", 6: "this seed is odd"}
    assert main(["sweep", "status", str(tmp_path)]) == 0
    assert main(["sweep", "collect", str(tmp_path), "-o", str(tmp_path / "all.nc")]) == 1
    assert capsys.readouterr().err == "numerics: 2 tasks failed; the first is 2: this seed is odd\n"


@each("folder", [None, 3, b"a", ["a"], "a\0b", "a" * 3000])
def test_what_is_no_path_is_no_folder(folder: Any) -> None:
    for call in (gather, status, prepare, failed, lambda given: sweep(given, WALK)):
        with pytest.raises(SweepError, match=r"the folder of a sweep is named by a path, not|File name too long"):
            call(folder)


def test_what_is_no_folder_has_no_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for name in ("nothing", "file"):
        assert main(["sweep", "status", str(tmp_path / name)]) == 2
        assert f"there is no sweep in {tmp_path / name}: begin one" in capsys.readouterr().err
    assert main(["sweep", "run", str(tmp_path), "--plan", str(tmp_path / "nothing.toml")]) == 2
    assert capsys.readouterr().err.endswith("nothing.toml cannot be read: No such file or directory\n")


def test_a_toml_file_describes_a_whole_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = tmp_path / "sweep.toml", tmp_path / "sweep"
    text = f'target = "{WALK}"\nseeds = 2\n[grid]\nscale = "lin:1:2:3"\n[settings]\nsize = 2\n'
    file.write_text(text, encoding="utf-8")
    assert main(["sweep", "run", str(folder), "--plan", str(file), "--workers", "1"]) == 0
    assert gather(folder).variables["walk"][1].shape == (3, 2, 2)
    assert main(["sweep", "run", str(folder), "--plan", str(file), "--seeds", "3"]) == 2
    assert "describes a whole sweep, seeds included" in capsys.readouterr().err
    for lie, sentence in (("x = 1", "that is not understood"), ("seeds = 'a'", "no int"), ("[", "cannot be read")):
        file.write_text(lie, encoding="utf-8")
        assert main(["sweep", "run", str(folder), "--plan", str(file)]) == 2
        assert sentence in capsys.readouterr().err


def test_a_file_for_slurm_runs_each_shard_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "a folder"
    assert main(["sweep", "slurm", str(folder), WALK, "--seeds", "7", "--shards", "2"]) == 0
    assert capsys.readouterr().out == f"wrote {folder / 'sweep.sbatch'}\n"
    text = (folder / "sweep.sbatch").read_text(encoding="utf-8")
    assert "#SBATCH --array=1-2\n" in text
    for number in (2, 1):
        job = {**swept_targets.in_processes(), "SLURM_ARRAY_TASK_ID": str(number)}
        subprocess.run(["bash", folder / "sweep.sbatch"], env=job, check=True, capture_output=True)
    assert sorted(map(len, listed(folder).values())) == [3, 4]
    assert status(folder).done == 7
    assert main(["sweep", "slurm", str(folder), "--shards", "8"]) == 2
    assert "7 tasks cannot be divided into 8 shards" in capsys.readouterr().err
    prepare(tmp_path / "100%", WALK)
    assert main(["sweep", "slurm", str(tmp_path / "100%"), "--shards", "1"]) == 2
    assert "choose a folder with a plainer name" in capsys.readouterr().err


def test_progress_in_a_log_tells_the_time_that_remains(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [0.0]
    monkeypatch.setattr("numerics.machine.progress.monotonic", lambda: clock[0])
    monkeypatch.setattr("numerics.machine.progress.FIRST_LINE", 2.0)
    with told(1000, True) as tell:
        for clock[0], done in ((0.0, 600), (1.0, 601), (100.0, 700), (105.0, 710), (2000.0, 900), (2059.0, 990)):
            tell(done, "")
    assert capsys.readouterr().err == (
        "700 of 1000 in 1.7 min, about 5 min are left\n900 of 1000 in 33 min, about 11 min are left\n"
    )


def test_status_tells_how_much_work_is_left(tmp_path: Path) -> None:
    prepare(tmp_path, WALK, seeds=10)
    assert str(status(tmp_path)) == f"0 of 10 tasks of {WALK} are done, in 0 files"
    do(str(tmp_path), 0, 4)
    assert "4 of 10 tasks of swept_targets:WALK are done, in 1 files; about" in str(status(tmp_path))
