"""Long runs: side by side, kept in a folder, stopped at any moment; files that are not what they should be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest
from case_files import Cases
from simulate.counting import SLICES, Counting

from numerics.machine import checkpoints as runs
from numerics.machine.checkpoints import RunError, run
from numerics.simulate.teacher_student import learn

FAMILIES = Cases(__file__, globals())

HERE = Path(__file__).parent
MANY = 8


def totals(work: Counting, count: int = MANY, **options: object) -> list[list[float]]:
    return [state["total"].tolist() for state in run(work, range(count), **options)]  # type: ignore[arg-type]


def test_the_results_are_the_same_on_one_and_on_two_threads_and_with_a_folder(tmp_path: Path) -> None:
    alone = totals(Counting(), threads=1)
    assert totals(Counting(), threads=2) == alone
    assert totals(Counting(), threads=2, folder=tmp_path) == alone


def test_what_is_finished_is_not_done_again_and_more_replicas_can_be_added(tmp_path: Path) -> None:
    first = totals(Counting(), 3, folder=tmp_path)
    work = Counting()
    assert totals(work, folder=tmp_path)[:3] == first
    assert min(work.slices) == 3


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGINT])
def test_a_process_that_is_stopped_loses_nothing_finished_and_goes_on_with_the_same_bits(
    tmp_path: Path, stop: signal.Signals
) -> None:
    process = subprocess.Popen(
        [sys.executable, str(HERE / "counting.py"), str(tmp_path), str(MANY)],
        cwd=HERE.parent.parent,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.DEVNULL,
    )
    began = monotonic()
    while len(finished(tmp_path)) < 3:
        assert process.poll() is None
        assert monotonic() - began < 60.0
        sleep(0.01)
    process.send_signal(stop)
    try:
        assert process.wait(60) != 0
    finally:
        process.kill()  # a process that outlives a failure would run on for ever
    kept = finished(tmp_path)
    assert len(kept) < MANY
    slices = sum(int(state["at"]) for path in tmp_path.glob("*.npz") if "at" in (state := np.load(path)))
    work = Counting()
    assert totals(work, folder=tmp_path) == totals(Counting())
    assert not kept & set(work.slices)
    assert len(work.slices) == SLICES * (MANY - len(kept)) - slices
    assert not list(tmp_path.glob(".*.draft"))


def finished(folder: Path) -> set[int]:
    return {int(path.stem) for path in folder.glob("*.npz") if bool(np.load(path)["finished"])}


def test_gradient_descent_goes_on_from_a_checkpoint_with_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numerics.simulate.teacher_student.SLICE", 20_000)
    monkeypatch.setattr(runs, "KEEP_EVERY", 0.0)
    W, goal = np.random.default_rng(0).standard_normal((2, 2, 50))
    asked = {"updates": [100, 200, 400], "eta": 0.5, "eta_v": 0.2, "sigma": 0.1, "tests": 10, "replicas": 3}
    whole = learn(W, goal, **asked)  # type: ignore[arg-type]
    kept = 0

    def stop_at_a_state(shelf: runs.Shelf, replica: int, state: runs.State, *, finished: bool) -> None:
        nonlocal kept
        keep(shelf, replica, state, finished=finished)
        kept += 1
        if kept == 2 and not finished:
            raise KeyboardInterrupt

    keep = runs.Shelf.keep
    with monkeypatch.context() as patch:
        patch.setattr(runs.Shelf, "keep", stop_at_a_state)
        with pytest.raises(KeyboardInterrupt):
            learn(W, goal, **asked, threads=1, folder=tmp_path)  # type: ignore[arg-type]
    assert not bool(np.load(tmp_path / "000000.npz")["finished"])
    again = learn(W, goal, **asked, folder=tmp_path)  # type: ignore[arg-type]
    for name in ("Q", "R", "v", "error"):
        assert np.array_equal(getattr(whole, name), getattr(again, name))


def test_the_folder_of_other_work_is_refused_and_told_apart(tmp_path: Path) -> None:
    totals(Counting(), 1, folder=tmp_path)
    with pytest.raises(RunError, match=r"seed was 1, not 2; choose another folder$"):
        totals(Counting(seed=2), 1, folder=tmp_path)
    about = tmp_path / "run.json"
    about.write_text(json.dumps({"task": "another"}))
    with pytest.raises(RunError, match="describes other work"):
        totals(Counting(), 1, folder=tmp_path)
    about.write_text("{")
    with pytest.raises(RunError, match=r"run\.json is damaged"):
        totals(Counting(), 1, folder=tmp_path)


def test_a_folder_serves_one_process_at_a_time(tmp_path: Path) -> None:
    class Nested(Counting):
        def advance(self, replica: int, state: runs.State) -> float:
            with pytest.raises(RunError, match=r"another process is running in"):
                totals(Counting(), 1, folder=tmp_path)
            return super().advance(replica, state)

    totals(Nested(), 1, folder=tmp_path)


def test_a_folder_that_cannot_be_used_and_no_threads_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(RunError, match=r"cannot be used: .*; choose another one"):
        totals(Counting(), 1, folder=tmp_path / "file")
    with pytest.raises(RunError, match="threads must be at least 1, got 0"):
        totals(Counting(), 1, threads=0)


def test_a_full_disk_is_told_and_leaves_no_part_of_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(RunError, match="cannot be written: No space left on device; what was written before is whole"):
        totals(Counting(), 1, folder=tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [".lock"]


def test_progress_is_shown_on_standard_error_and_nowhere_else(capsys: pytest.CaptureFixture[str]) -> None:
    totals(Counting(), 1, show=True)
    assert capsys.readouterr().out == ""


def test_every_file_of_a_folder_can_be_read_by_whom_the_user_lets_read_new_files(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        totals(Counting(), 1, folder=tmp_path)
    finally:
        os.umask(before)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.glob("[0-9r]*")} == {0o640}


test_statements_have_their_verdicts = FAMILIES.verdicts()
