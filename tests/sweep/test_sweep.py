"""Sweeps: the same bits however they are divided, nothing done twice, nothing torn, one sentence for every mistake."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import swept_targets
from numpy.typing import NDArray

from numerics.__main__ import main
from numerics.labelled import LabelledError
from numerics.sweep import Results, SweepError, collect, engine, gather, prepare, shard_of, status, sweep
from numerics.sweep.files import begin, listed, load, missing, plan_of, save, tidy
from numerics.sweep.plan import planned
from numerics.sweep.telling import shown
from numerics.sweep.work import do

WALK = "swept_targets:WALK"
GRID: dict[str, Any] = {"scale": "log:0.1:10:4", "kind": ["plain", "slow"]}
ASKED: dict[str, Any] = {"target": WALK, "grid": GRID, "seeds": 5, "seed": 3}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The bytes of every variable of the sweep that the laws below divide."""
    folder = tmp_path_factory.mktemp("whole")
    sweep(folder, **ASKED, workers=1)
    return bits(folder)


def bits(folder: Path) -> dict[str, bytes]:
    found = gather(folder)
    assert found.missing == 0
    return {name: array.tobytes() for name, (_, array) in found.variables.items()}


def numbers(folder: Path, name: str) -> NDArray[np.float64]:
    return gather(folder).variables[name][1]


# --- the same bits ----------------------------------------------------------------------------------------------------


def test_the_bits_are_the_same_for_any_number_of_workers(tmp_path: Path, whole: dict[str, bytes]) -> None:
    done = sweep(tmp_path, **ASKED, workers=3)
    assert (done.tasks, done.done, done.files) == (40, 40, 1)
    assert bits(tmp_path) == whole


@pytest.mark.parametrize("count", [1, 3, 40, 41])
def test_the_bits_are_the_same_for_any_number_of_shards(tmp_path: Path, whole: dict[str, bytes], count: int) -> None:
    prepare(tmp_path, **ASKED)
    for number in reversed(range(1, count + 1)):
        sweep(tmp_path, shard=f"{number}/{count}", workers=1)
    assert len(listed(tmp_path)) == min(count, 40)
    assert bits(tmp_path) == whole


def test_the_bits_are_the_same_for_chunks_that_overlap(tmp_path: Path, whole: dict[str, bytes]) -> None:
    prepare(tmp_path, **ASKED)
    for first, last in ((7, 13), (0, 9), (11, 12), (20, 40)):
        do(str(tmp_path), first, last)
    assert missing(listed(tmp_path).values(), range(40)) == [range(13, 20)]
    assert status(tmp_path).done == 33
    sweep(tmp_path, workers=1)
    assert bits(tmp_path) == whole


def test_a_result_is_what_the_target_returns_for_these_settings_and_this_child(tmp_path: Path) -> None:
    sweep(tmp_path, **ASKED, workers=1)
    found = gather(tmp_path)
    axes, walk = found.variables["walk"]
    assert axes == ("scale", "kind", "seed", "step")
    children = np.random.SeedSequence(3).spawn(5)
    for at, scale in enumerate(np.geomspace(0.1, 10, 4)):
        settings = {"scale": float(scale), "size": 3, "kind": "plain"}
        for child, seed in enumerate(children):
            assert np.array_equal(walk[at, 0, child], swept_targets.WALK.run(settings, seed)["walk"])


# --- what is done is done ---------------------------------------------------------------------------------------------


def test_nothing_is_done_twice_and_more_seeds_only_add_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, folder = tmp_path / "log", tmp_path / "sweep"
    monkeypatch.setenv(swept_targets.LOG, str(log))
    asked = {"target": WALK, "grid": {"scale": [1.0, 2.0]}}
    sweep(folder, **asked, seeds=2, shard="1/3", workers=1)
    sweep(folder, **asked, seeds=2, workers=1)
    before = numbers(folder, "mean")
    sweep(folder, **asked, seeds=2, workers=1)
    sweep(folder, **asked, seeds=5, workers=2)
    sweep(folder, workers=1)
    lines = log.read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == sorted(f"{scale} ({seed},)" for scale in (1.0, 2.0) for seed in range(5))
    assert np.array_equal(numbers(folder, "mean")[:, :2], before)


def test_a_run_that_is_killed_loses_no_finished_chunk_and_goes_on(tmp_path: Path, whole: dict[str, bytes]) -> None:
    prepare(tmp_path, **ASKED)
    code = f"from numerics.sweep import sweep, engine; engine.SECONDS = 0.05; sweep({str(tmp_path)!r}, workers=1)"
    killed = 0
    while status(tmp_path).done < 40 and killed < 3:
        process = subprocess.Popen([sys.executable, "-c", code], env=with_path())
        before, end = status(tmp_path).done, time.monotonic() + 60
        while status(tmp_path).done < min(40, before + 4) and time.monotonic() < end and process.poll() is None:
            time.sleep(0.005)
        process.kill()
        process.wait()
        killed += 1
        plan = plan_of(tmp_path)
        for path, tasks in listed(tmp_path).items():
            load(path, plan, tasks)
    assert killed == 3
    sweep(tmp_path, workers=1)
    assert bits(tmp_path) == whole


def test_a_worker_that_dies_is_replaced_and_one_that_always_dies_is_told_of(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(swept_targets.LOG, str(tmp_path / "flag"))
    done = sweep(tmp_path / "once", "swept_targets:DIES_ONCE", seeds=8, workers=2)
    assert done.done == 8
    assert (tmp_path / "flag").exists()
    with pytest.raises(SweepError, match="died 3 times, perhaps for lack of memory"):
        sweep(tmp_path / "always", "swept_targets:DIES", seeds=2, workers=2)


def test_no_process_is_left_when_a_sweep_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[str]] = []
    begin_one = engine._started

    def recorded(folder: str) -> subprocess.Popen[str]:
        started.append(begin_one(folder))
        return started[-1]

    monkeypatch.setattr(engine, "_started", recorded)
    with pytest.raises(SweepError, match="a mistake in the target"):
        sweep(tmp_path, WALK, grid={"kind": ["broken", "slow"]}, seeds=50, workers=2)
    assert started
    assert all(process.returncode is not None for process in started)


def test_tasks_that_fail_keep_their_sentence_and_lose_no_others(tmp_path: Path) -> None:
    sweep(tmp_path, WALK, settings={"kind": "failing"}, seeds=4, workers=1)
    assert str(status(tmp_path)).endswith(
        "tasks of swept_targets:WALK are done, in 1 files; some failed: this seed is odd"
    )
    found = gather(tmp_path)
    assert found.failures == {1: "this seed is odd", 3: "this seed is odd"}
    assert np.isnan(found.variables["mean"][1]).tolist() == [False, True, False, True]


# --- files ------------------------------------------------------------------------------------------------------------


def test_a_file_with_any_changed_or_missing_byte_is_refused_or_says_the_same(tmp_path: Path) -> None:
    plan = prepare(tmp_path, WALK, seeds=2)
    do(str(tmp_path), 0, 2)
    ((path, tasks),) = listed(tmp_path).items()
    content, right = path.read_bytes(), load(path, plan, tasks)
    rng, refused = np.random.default_rng(0), 0
    lies = [content[:at] for at in range(0, len(content), 37)]
    for at in rng.integers(0, len(content), 400):
        lies.append(content[:at] + bytes([content[at] ^ int(rng.integers(1, 256))]) + content[at + 1 :])
    for lie in lies:
        path.write_bytes(lie)
        try:
            found = load(path, plan, tasks)
        except SweepError:
            refused += 1
            continue
        assert {name: array.tobytes() for name, array in found.arrays.items()} == {
            name: array.tobytes() for name, array in right.arrays.items()
        }
    assert refused > 0.8 * len(lies)
    path.write_bytes(content[:100])
    for read in (gather, status):
        with pytest.raises(SweepError, match="is damaged; remove it, and run the sweep again for its tasks"):
            read(tmp_path)


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


def test_an_address_depends_on_all_that_a_result_depends_on() -> None:
    plan = planned(WALK, grid={"scale": [1.0, 2.0]}, seeds=2)
    others = [
        planned(WALK, grid={"scale": [1.0, 3.0]}, seeds=2),
        planned(WALK, grid={"scale": [1.0, 2.0]}, seeds=2, seed=1),
        planned(WALK, grid={"scale": [1.0, 2.0]}, settings={"size": 4}, seeds=2),
        planned("swept_targets:DIES_ONCE", grid={"scale": [1.0, 2.0]}, seeds=2),
    ]
    addresses = {plan.task(number).address for number in range(plan.tasks)}
    assert len(addresses) == 4
    assert all(other.task(1).address not in addresses for other in others)
    assert planned(WALK, runs=[{"scale": 2.0}], seeds=3).task(0).address == plan.task(1).address


# --- what is asked ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"target": "nothing"}, "there is no target 'nothing'"),
        ({"target": "swept_targets:NO_TARGET"}, "has no NO_TARGET that is a numerics.sweep.Target"),
        ({"target": "no_module:X"}, "there is no target"),
        ({"target": "..:X"}, "there is no target"),
        ({"target": "braun_2022:fig_99"}, "braun_2022 has no panel 'fig_99'"),
        ({"target": WALK, "grid": {"rate": [1]}}, "there is no setting rate; there is kind, scale, size"),
        ({"target": WALK, "grid": {"scale": "log:0:1:3"}}, "a logarithmic one is between positive numbers"),
        ({"target": WALK, "grid": {"scale": "log:1:2"}}, "write log:FIRST:LAST:COUNT"),
        ({"target": WALK, "grid": {"scale": "lin:0:1:1.5"}}, "write lin:FIRST:LAST:COUNT"),
        ({"target": WALK, "grid": {"scale": []}}, "scale has no values"),
        ({"target": WALK, "grid": {"scale": [1, 1.0]}}, "scale has a value twice"),
        ({"target": WALK, "grid": {"scale": [float("nan")]}}, "scale is a number"),
        ({"target": WALK, "grid": {"scale": 3}}, "must be a list or a text"),
        ({"target": WALK, "grid": {"kind": [3]}}, "kind is a text"),
        ({"target": WALK, "settings": {"size": 2.5}}, "size is a whole number"),
        ({"target": WALK, "settings": {"size": 2}, "grid": {"size": [2]}}, "size is given twice"),
        ({"target": WALK, "grid": {"size": [2, 3]}}, "different axes of step"),
        ({"target": WALK, "settings": {"size": 0}}, "has no coordinates"),
        ({"target": WALK, "seeds": 0}, "seeds must be a whole number of at least 1"),
        ({"target": WALK, "seeds": 10**13}, "more than"),
        ({"target": WALK, "grid": {"scale": "lin:0:1:10000000"}}, "a setting has at most"),
        ({"target": WALK, "workers": 0}, "workers must be a whole number of at least 1"),
        ({"target": WALK, "shard": "3/2"}, "there is no shard 3/2: its number is from 1 to 2"),
        ({"target": WALK, "shard": "0/2"}, "there is no shard 0/2"),
        ({"target": WALK, "shard": "one"}, "a shard is written NUMBER/COUNT"),
        ({"target": WALK, "settings": {"kind": "broken"}}, "stopped: ZeroDivisionError: a mistake in the target"),
        ({"target": "swept_targets:WRONG"}, "must return mean as real numbers of shape"),
        ({"target": None}, "there is no sweep in"),
        ({"target": None, "seeds": 3}, "need a target"),
        ({"target": "deep_linear", "settings": {"records": 1}}, "deep_linear needs records of at least 2"),
        ({"target": "teacher_student", "settings": {"inputs": 1}}, "as many inputs as teachers"),
    ],
)
def test_mistakes_are_answered_in_one_sentence(tmp_path: Path, asked: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SweepError, match=sentence) as told:
        sweep(tmp_path, **{"workers": 1, **asked})
    assert "\n" not in str(told.value)
    assert not (tmp_path / "done").exists()


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


def test_without_dask_its_workers_are_refused_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SweepError, match=r"Dask needs dask\[distributed\]: pip install"):
        sweep(tmp_path, WALK, dask="local")


def test_chunks_grow_so_that_a_day_of_short_tasks_takes_few_of_them_and_none_is_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, sizes = [0.0], list[int]()

    class Fake:
        def submit(self, _folder: str, first: int, last: int) -> Future[float]:
            sizes.append(last - first)
            clock[0] += 0.01 * sizes[-1]
            done: Future[float] = Future()
            done.set_result(0.01 * sizes[-1])
            return done

        def workers(self) -> int:
            return 1

    monkeypatch.setattr(engine, "monotonic", lambda: clock[0])
    tasks = 100 * 86_400
    engine.finish(tmp_path, prepare(tmp_path, WALK, seeds=tasks), range(tasks), Fake(), lambda _: None)
    assert sum(sizes) == tasks
    assert sizes[0] == sizes[-1] == 1
    assert len(sizes) < 500
    assert max(sizes) <= 60_000


def test_shards_are_a_partition() -> None:
    for tasks, count in ((10, 3), (7, 7), (3, 5), (10**7, 999)):
        parts = [shard_of(tasks, f"{number}/{count}") for number in range(1, count + 1)]
        assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
        assert (parts[0].start, parts[-1].stop) == (0, tasks)


# --- registered targets -----------------------------------------------------------------------------------------------


def test_deep_linear_networks_descend_to_the_exact_solution_at_first_order(tmp_path: Path) -> None:
    settings = {"until": 4.0, "records": 5}
    sweep(tmp_path, "deep_linear", grid={"steps": [50, 100, 200]}, settings=settings, seeds=4, workers=1)
    found = {name: array for name, (_, array) in gather(tmp_path).variables.items()}
    gaps = np.abs(found["loss"] - found["loss_theory"]).max(axis=(1, 2))
    assert gaps[1] < 0.05
    assert gaps[:-1] / gaps[1:] == pytest.approx(2.0, rel=0.15)


def test_online_learning_follows_the_order_parameters_within_fluctuations(tmp_path: Path) -> None:
    settings = {"inputs": 2000, "until": 2.0, "records": 3}
    sweep(tmp_path, "teacher_student", grid={"eta": [0.3, 1.0]}, settings=settings, seeds=4, workers=1)
    found = {name: array for name, (_, array) in gather(tmp_path).variables.items()}
    for name in ("error", "Q", "R"):
        assert np.abs(found[name] - found[f"{name}_theory"]).max() < 0.1
    assert np.array_equal(found["Q"][..., 0, :, :], found["Q_theory"][..., 0, :, :])


def test_a_panel_is_swept_over_its_configuration_and_a_list_of_runs_is_gone_through(tmp_path: Path) -> None:
    runs = [{"records": 3, "until": 1.0}, {"records": 3, "until": 1.0, "steps": 10}]
    sweep(tmp_path / "runs", "deep_linear", runs=runs, workers=1)
    found = gather(tmp_path / "runs")
    assert found.variables["loss"][0] == ("run", "seed", "time")
    assert found.coordinates["steps"][1].tolist() == [100, 10]
    done = sweep(tmp_path / "panel", "braun_2022:fig_3b", workers=1)
    assert done.done == 1
    assert all(np.isfinite(array).all() for _, array in gather(tmp_path / "panel").variables.values())


# --- the command line -------------------------------------------------------------------------------------------------


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


def test_a_toml_file_describes_a_whole_sweep(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, folder = tmp_path / "sweep.toml", tmp_path / "sweep"
    text = f'target = "{WALK}"\nseeds = 2\n[grid]\nscale = "lin:1:2:3"\n[settings]\nsize = 2\n'
    file.write_text(text, encoding="utf-8")
    assert main(["sweep", "run", str(folder), "--plan", str(file), "--workers", "1"]) == 0
    assert numbers(folder, "walk").shape == (3, 2, 2)
    assert main(["sweep", "run", str(folder), "--plan", str(file), "--seeds", "3"]) == 2
    assert "describes a whole sweep, seeds included" in capsys.readouterr().err
    for lie, sentence in (("x = 1", "that is not understood"), ("seeds = 'a'", "no int"), ("[", "cannot be read")):
        file.write_text(lie, encoding="utf-8")
        assert main(["sweep", "run", str(folder), "--plan", str(file)]) == 2
        assert sentence in capsys.readouterr().err


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


def with_path() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


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


def test_a_file_for_slurm_runs_each_shard_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "a folder"
    assert main(["sweep", "slurm", str(folder), WALK, "--seeds", "7", "--shards", "2"]) == 0
    assert capsys.readouterr().out == f"wrote {folder / 'sweep.sbatch'}\n"
    text = (folder / "sweep.sbatch").read_text(encoding="utf-8")
    assert "#SBATCH --array=1-2\n" in text
    for number in (2, 1):
        job = {**with_path(), "SLURM_ARRAY_TASK_ID": str(number)}
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
    clock = iter([0.0, 0.0, 10.0, 100.0])
    monkeypatch.setattr("numerics.sweep.telling.monotonic", lambda: next(clock))
    with shown(1000, True) as tell:
        for more in (600, 100):
            tell(more)
    assert capsys.readouterr().err == "700 of 1000 tasks are done, about 5 min are left\n"


def test_status_tells_how_much_work_is_left(tmp_path: Path) -> None:
    prepare(tmp_path, WALK, seeds=10)
    assert str(status(tmp_path)) == f"0 of 10 tasks of {WALK} are done, in 0 files"
    do(str(tmp_path), 0, 4)
    assert "4 of 10 tasks of swept_targets:WALK are done, in 1 files; about" in str(status(tmp_path))
