"""A scheduler of Dask and its workers, real processes on this machine: one is killed in the middle of its tasks."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import swept_targets

from numerics.__main__ import main
from numerics.sweep import gather, prepare, status, sweep

pytest.importorskip("distributed", reason="workers of Dask need dask[distributed], which is not installed here")

WALK = "swept_targets:WALK"
GRID = {"scale": "log:0.1:10:4"}
SLOW = {"kind": "slow"}
Start = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts `dask` with some words, and ends it afterwards."""
    running = []

    def begin(*words: str) -> subprocess.Popen[bytes]:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        program = [sys.executable, "-m", "dask", *words]
        running.append(subprocess.Popen(program, env=swept_targets.in_processes(), **quiet))
        return running[-1]

    yield begin
    for process in running:
        process.kill()
    for process in running:
        process.wait()


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_workers_may_die_in_the_middle_of_tasks_and_join_later(tmp_path: Path, start: Start) -> None:
    known, folder, here = tmp_path / "scheduler.json", tmp_path / "swept", tmp_path / "here"
    start("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(known))
    alone = ("--nthreads", "1", "--no-nanny", "--no-dashboard")
    doomed, _ = (start("worker", "--scheduler-file", str(known), *alone) for _ in range(2))
    until(known.is_file)
    address = json.loads(known.read_text(encoding="utf-8"))["address"]
    prepare(folder, WALK, grid=GRID, settings=SLOW, seeds=60)
    words = [sys.executable, "-m", "numerics", "sweep", "run", str(folder), "--dask", address]
    with subprocess.Popen(words, env=swept_targets.in_processes(), stdout=subprocess.DEVNULL) as asking:
        until(lambda: status(folder).done > 20)
        assert status(folder).done < 240
        doomed.kill()
        start("worker", "--scheduler-file", str(known), *alone)
        assert asking.wait(timeout=120) == 0
    sweep(here, WALK, grid=GRID, settings=SLOW, seeds=60, workers=1)
    found, whole = gather(folder), gather(here)
    assert found.missing == 0
    for name, (_, array) in whole.variables.items():
        assert found.variables[name][1].tobytes() == array.tobytes()


def test_a_scheduler_that_dies_is_told_of(tmp_path: Path, start: Start) -> None:
    known, folder = tmp_path / "scheduler.json", tmp_path / "swept"
    prepare(folder, WALK, grid=GRID, settings=SLOW, seeds=60)
    scheduler = start(
        "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(known)
    )
    start("worker", "--scheduler-file", str(known), "--nthreads", "1", "--no-nanny", "--no-dashboard")
    until(known.is_file)
    address = json.loads(known.read_text(encoding="utf-8"))["address"]
    words = [sys.executable, "-m", "numerics", "sweep", "run", str(folder), "--dask", address]
    with subprocess.Popen(words, env=swept_targets.in_processes(), stderr=subprocess.PIPE, text=True) as asking:
        until(lambda: status(folder).done > 5)
        scheduler.kill()
        told = asking.communicate(timeout=120)[1]
    assert asking.returncode == 2
    assert told.splitlines()[-1].startswith("numerics: the scheduler of Dask is gone; what was finished is kept")
    assert gather(folder).missing < 240


def test_a_scheduler_that_does_not_answer_is_told_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numerics.machine.tasks.cluster.WAIT", "1 s")
    run = ["sweep", "run", str(tmp_path), WALK]
    assert main([*run, "--dask", "tcp://127.0.0.1:1"]) == 2
    assert "no scheduler of Dask answers at tcp://127.0.0.1:1" in capsys.readouterr().err
    assert main([*run, "--dask", "nowhere"]) == 2
    assert "Dask is local, tcp://ADDRESS:PORT, or one of slurm, pbs, lsf, sge, not 'nowhere'" in capsys.readouterr().err
