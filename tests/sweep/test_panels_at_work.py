"""Panels that are computed at once, in processes and by Dask: the same files, nothing twice, and kills survived."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from numerics.machine.checkpoints import RunError, turn
from numerics.machine.tasks import Chunk, engine, finish, processes
from numerics.reproduce import reproduce
from numerics.reproduce.experiments import Experiment, experiments
from numerics.reproduce.figures.panel import Setting
from numerics.reproduce.results import ResultError, load
from numerics.reproduce.work import do, needless, sent

SHORT = "braun_2022:1"  # three panels
LONG = "braun_2022:fig_5b"  # one that tells how far it is, and keeps networks below `runs`
SHARED = ("braun_2022:fig_5d", "braun_2022:fig_5e")  # of the same networks


def files(folder: Path) -> dict[str, Any]:
    """All results of a folder but for the seconds, which differ."""
    found: dict[str, Any] = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        name = path.relative_to(folder).as_posix()
        if path.suffix in {".png", ".svg"} or name == "results.json":
            found[name] = path.read_bytes()
        elif path.suffix == ".json":
            found[name] = replace(load(path.with_suffix("")), seconds=0.0)
        elif path.suffix == ".md":
            found[name] = [line for line in path.read_text(encoding="utf-8").splitlines() if ", seed " not in line]
    return found


def a_small(name: str, **changes: Any) -> Experiment:
    """A panel whose smaller size is smaller still."""
    (entry,) = experiments(name)
    return replace(entry, quick={**entry.quick, **changes})


def networks(folder: Path) -> dict[str, int]:
    """Finished networks below `runs`, and when they were written."""
    return {f"{path.parent.name}/{path.name}": path.stat().st_mtime_ns for path in folder.glob("runs/*/*.npz")}


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[subprocess.Popen[str]]:
    """Every process that is started for panels."""
    begun: list[subprocess.Popen[str]] = []
    begin_one = processes.started

    def recorded(*asked: Any) -> subprocess.Popen[str]:
        begun.append(begin_one(*asked))
        return begun[-1]

    monkeypatch.setattr(processes, "started", recorded)
    return begun


def test_files_are_the_same_for_any_number_of_workers_and_nothing_is_computed_twice(
    tmp_path: Path, workers: list[subprocess.Popen[str]]
) -> None:
    told: list[tuple[str, float]] = []
    alone = reproduce(experiments(SHORT), tmp_path / "alone", quick=True, workers=1)
    assert not workers
    found = reproduce(
        experiments(SHORT), tmp_path / "two", quick=True, workers=2, tell=lambda *share: told.append(share)
    )
    assert len(workers) == 2
    assert all(process.returncode is not None for process in workers)
    assert [outcome.experiment.id for outcome in found] == [outcome.experiment.id for outcome in alone]
    assert all(outcome.anew for outcome in found)
    assert files(tmp_path / "alone") == files(tmp_path / "two")
    assert {name for name, share in told if share == 1.0} == {outcome.experiment.id for outcome in alone}
    again = reproduce(experiments(SHORT), tmp_path / "two", quick=True, workers=2)
    assert not any(outcome.anew for outcome in again)
    assert len(workers) == 2  # what is only drawn needs none


def test_a_panel_whose_worker_is_killed_goes_on_from_its_runs(
    tmp_path: Path, workers: list[subprocess.Popen[str]]
) -> None:
    panels = [a_small(LONG, networks=3, clear_networks=2, epochs=500), *experiments("braun_2022:1B")]
    before: dict[str, int] = {}
    after: dict[str, int] = {}

    def kill(name: str, share: float) -> None:
        if name == LONG and 0.3 < share < 0.9:
            if before:
                after.update(networks(tmp_path / "killed"))
                return
            before.update(networks(tmp_path / "killed"))
            for process in workers:
                process.kill()

    found = reproduce(panels, tmp_path / "killed", quick=True, workers=2, tell=kill)
    assert len(workers) > 2
    assert any(process.returncode == -signal.SIGKILL for process in workers)
    assert before
    assert before.items() <= after.items()  # none of what was finished is written again
    assert [outcome.experiment.id for outcome in found] == [panel.id for panel in panels]
    reproduce(panels, tmp_path / "alone", quick=True, workers=1)
    assert files(tmp_path / "alone") == files(tmp_path / "killed")
    assert not (tmp_path / "killed" / "runs").exists()


class Given:
    """These chunks, and what became of them."""

    def __init__(self, chunks: list[Chunk]) -> None:
        self.left, self.found = chunks, list[Any]()

    def chunk(self, _workers: int) -> Chunk | None:
        return self.left.pop() if self.left else None

    def tell(self, chunk: Chunk, share: float) -> None:
        """Nobody listens."""

    def ended(self, _chunk: Chunk, found: Any) -> None:
        self.found.append(found)


def test_a_panel_that_two_ask_for_is_computed_once_and_panels_share_runs(tmp_path: Path) -> None:
    entries = [*experiments(SHARED[0]), *experiments(SHARED[0]), *experiments(SHARED[1])]
    small = [replace(entry, quick={**entry.quick, "epochs": 200}) for entry in entries]
    work = Given([Chunk((str(tmp_path), sent(one), one.digest(quick=True), True), one.id) for one in small])
    with engine(do, 3, None, error=ResultError) as three:
        finish(work, three)
    assert sorted(found["anew"] for found in work.found) == [False, True, True]
    first, second = (needless(tmp_path, [one]) for one in small[1:])
    assert len(first) == 3
    assert first == second
    assert sorted((tmp_path / "runs").iterdir()) == first  # whoever waits leaves no file


def test_runs_that_are_shared_are_used_by_one_at_a_time(tmp_path: Path) -> None:
    inside: list[int] = []
    all_at_once = Barrier(4)

    def use(_which: int) -> int:
        all_at_once.wait()
        most = 0
        for _ in range(5):  # some wait already, and others come when the file was just removed
            with Setting({}, 0, runs=tmp_path).shelf("shared", size=1) as folder:
                assert folder is not None
                inside.append(1)
                time.sleep(0.005)
                most = max(most, len(inside))
                inside.pop()
        return most

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(use, range(4))) == [1] * 4
    assert not list(tmp_path.iterdir())


def test_a_turn_that_somebody_has_is_refused_where_nobody_waits(tmp_path: Path) -> None:
    with turn(tmp_path / "mine"), pytest.raises(RunError, match="another process"), turn(tmp_path / "mine", wait=False):
        pass
    with turn(tmp_path / "mine", wait=False):
        assert (tmp_path / "mine").exists()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("count", [1, 2])
def test_a_panel_that_cannot_be_computed_is_named_in_one_sentence_and_others_are_kept(
    tmp_path: Path, count: int
) -> None:
    (good, bad, _) = experiments(SHORT)
    bad = replace(bad, quick={**bad.quick, "sizes": "none"})
    with pytest.raises(ResultError, match=f"^{bad.id} stopped: ") as told:
        reproduce([good, bad], tmp_path, quick=True, workers=count)
    assert "\n" not in str(told.value)
    (outcome,) = reproduce([good], tmp_path, quick=True, workers=1)
    assert count == 2 or not outcome.anew
    with pytest.raises(ResultError, match="two different panels are called"):
        reproduce([bad, *experiments(bad.id)], tmp_path, quick=True)
    with pytest.raises(ResultError, match="workers must be a whole number"):
        reproduce([good], tmp_path, workers=0)


def test_a_panel_that_needs_what_is_not_installed_where_workers_are_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "none").mkdir()
    (tmp_path / "none" / "sklearn.py").write_text("raise ImportError\n", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path / "none"))
    monkeypatch.delenv("LEARNING_DYNAMICS_MNIST", raising=False)
    without: dict[str, str] = {}
    told: list[tuple[str, float]] = []
    panels = [*experiments("van_rossem_saxe_2024:fig_4"), *experiments("braun_2022:1B")]
    found = reproduce(
        panels,
        tmp_path / "out",
        quick=True,
        workers=2,
        tell=lambda *share: told.append(share),
        left_out=without.__setitem__,
    )
    assert [outcome.experiment.id for outcome in found] == [panels[1].id]
    assert without.keys() == {panels[0].id}
    assert "pip install" in without[panels[0].id]
    assert (panels[0].id, 1.0) in told


def test_a_worker_with_another_configuration_refuses(tmp_path: Path) -> None:
    (entry, *_) = experiments(SHORT)
    with pytest.raises(ResultError, match="has another configuration where its worker runs: let LEARNING_DYNAMICS"):
        do(str(tmp_path), sent(entry), entry.digest(quick=False) + "0", False)
    assert not list(tmp_path.iterdir())


def test_a_call_that_is_asked_to_end_leaves_no_process_and_goes_on_later(tmp_path: Path) -> None:
    panels, out = "van_rossem_saxe_2024:fig_2", tmp_path / "out"
    own = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    words = [sys.executable, "-m", "numerics", "reproduce", panels, "--quick", "--workers", "2", "--out", str(out)]
    with subprocess.Popen(words, env=own, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        until(lambda: bool(networks(out)))
        process.send_signal(signal.SIGTERM)
        told = process.communicate(timeout=60)[1]
    assert process.returncode == 143
    assert told.splitlines()[-1] == "numerics: stopped; what is kept in folders goes on from here"
    assert "Traceback" not in told
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
    assert networks(out)
    assert not list(out.rglob(".*.draft"))
    reproduce(experiments(panels), out, quick=True, workers=1)
    reproduce(experiments(panels), tmp_path / "alone", quick=True, workers=1)
    assert files(out) == files(tmp_path / "alone")
    assert not (out / "runs").exists()  # also of what was done before the end


@pytest.mark.parametrize("lie", ["{", "[3]", '["../braun_2022"]', '["..", "."]', '"kept"', "null"])
def test_a_note_of_runs_that_is_damaged_removes_nothing_else(tmp_path: Path, lie: str) -> None:
    (entry,) = experiments("braun_2022:1B")
    (tmp_path / "runs" / "kept").mkdir(parents=True)
    (tmp_path / "runs" / f"{entry.paper}-{entry.name}.json").write_text(lie, encoding="utf-8")
    assert [path for path in needless(tmp_path, [entry]) if path.exists()] == []


def test_workers_of_dask_compute_panels_and_tell_how_far_they_are(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="workers of Dask need dask[distributed], which is not installed here")
    panels = [a_small(LONG, networks=2, clear_networks=2, epochs=200), *experiments("braun_2022:1B")]
    told: list[tuple[str, float]] = []
    reproduce(panels, tmp_path / "dask", quick=True, workers=2, dask="local", tell=lambda *share: told.append(share))
    reproduce(panels, tmp_path / "alone", quick=True, workers=1)
    assert files(tmp_path / "dask") == files(tmp_path / "alone")
    assert any(name == LONG and 0.0 < share < 1.0 for name, share in told)
    with pytest.raises(ResultError, match="Dask is local, tcp://ADDRESS:PORT, or one of"):
        reproduce(panels, tmp_path / "dask", dask="nowhere")


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)
