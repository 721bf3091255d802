"""Sweeps: the same bits however they are divided, nothing done twice, and theory beside simulation."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import swept_targets

from numerics.machine.tasks import finish, processes
from numerics.machine.tasks.answers import DONE, Answer
from numerics.sweep import SweepError, chunks, gather, prepare, shard_of, status, sweep
from numerics.sweep.files import listed, load, missing, plan_of
from numerics.sweep.plan import planned
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


def test_nothing_is_done_twice_and_more_seeds_only_add_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, folder = tmp_path / "log", tmp_path / "sweep"
    monkeypatch.setenv(swept_targets.LOG, str(log))
    asked = {"target": WALK, "grid": {"scale": [1.0, 2.0]}}
    sweep(folder, **asked, seeds=2, shard="1/3", workers=1)
    sweep(folder, **asked, seeds=2, workers=1)
    before = gather(folder).variables["mean"][1]
    sweep(folder, **asked, seeds=2, workers=1)
    sweep(folder, **asked, seeds=5, workers=2)
    sweep(folder, workers=1)
    lines = log.read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == sorted(f"{scale} ({seed},)" for scale in (1.0, 2.0) for seed in range(5))
    assert np.array_equal(gather(folder).variables["mean"][1][:, :2], before)


def test_a_run_that_is_killed_loses_no_finished_chunk_and_goes_on(tmp_path: Path, whole: dict[str, bytes]) -> None:
    prepare(tmp_path, **ASKED)
    code = f"from numerics.sweep import sweep, chunks; chunks.SECONDS = 0.05; sweep({str(tmp_path)!r}, workers=1)"
    killed = 0
    while status(tmp_path).done < 40 and killed < 3:
        process = subprocess.Popen([sys.executable, "-c", code], env=swept_targets.in_processes())
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


def test_a_process_whose_sweep_was_killed_keeps_its_tasks_and_ends_in_silence(tmp_path: Path) -> None:
    prepare(tmp_path, WALK, seeds=3)
    words = [sys.executable, "-c", "from numerics.machine.tasks.serving import serve; serve()", do.__module__, "do"]
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with subprocess.Popen(words, env=swept_targets.in_processes(), text=True, **pipes) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stdin is not None
        process.stdin.write(json.dumps([str(tmp_path), 0, 2]) + "\n")
        process.stdin.close()
        assert process.stderr is not None
        assert process.stderr.read() == ""
    assert process.returncode == 0
    assert status(tmp_path).done == 2


def test_no_process_is_left_when_a_sweep_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[str]] = []
    begin_one = processes.started

    def recorded(*asked: Any) -> subprocess.Popen[str]:
        started.append(begin_one(*asked))
        return started[-1]

    monkeypatch.setattr(processes, "started", recorded)
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


def test_chunks_grow_so_that_a_day_of_short_tasks_takes_few_of_them_and_none_is_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, sizes = [0.0], list[int]()

    class Fake:
        def submit(self, arguments: Sequence[Any], _name: str, _tell: object) -> Future[Answer]:
            sizes.append(arguments[2] - arguments[1])
            clock[0] += 0.01 * sizes[-1]
            done: Future[Answer] = Future()
            done.set_result({DONE: 0.01 * sizes[-1]})
            return done

        def workers(self) -> int:
            return 1

    monkeypatch.setattr(chunks, "monotonic", lambda: clock[0])
    tasks = 100 * 86_400
    plan = prepare(tmp_path, WALK, seeds=tasks)
    finish(chunks.Tasks(tmp_path, plan, range(tasks), lambda _done, _names: None), Fake())
    assert sum(sizes) == tasks
    assert sizes[0] == sizes[-1] == 1
    assert len(sizes) < 500
    assert max(sizes) <= 60_000


def test_shards_are_a_partition() -> None:
    for tasks, count in ((10, 3), (7, 7), (3, 5), (10**7, 999)):
        parts = [shard_of(tasks, f"{number}/{count}") for number in range(1, count + 1)]
        assert [part.start for part in parts[1:]] == [part.stop for part in parts[:-1]]
        assert (parts[0].start, parts[-1].stop) == (0, tasks)


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
