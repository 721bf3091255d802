"""An array of jobs of a real Slurm does a sweep: some are killed, it is submitted again, and the bits are the same.

Dask asks a Slurm for jobs itself, too, for a sweep and for panels of figures.
"""

from __future__ import annotations

import getpass
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cluster import one_node

from numerics.__main__ import main
from numerics.reproduce import reproduce
from numerics.reproduce.experiments import experiments
from numerics.sweep import gather, prepare, status, sweep

pytestmark = pytest.mark.cluster

WALK = "swept_targets:WALK"
ASKED: dict[str, Any] = {"grid": {"scale": "log:0.1:10:4"}, "settings": {"kind": "slow"}, "seeds": 50}
OF_A_JOB = {"CORES": "1", "PROCESSES": "1", "MEMORY": "500MB", "INTERFACE": "lo", "WALLTIME": "00:10:00"}
Environment = dict[str, str]


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Environment]:
    """The environment of users of a Slurm."""
    if lacking := one_node.lacking():
        pytest.skip(f"a Slurm of one node needs {', '.join(lacking)}: apt-get install slurm-wlm munge")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    (tmp_path / "slurm").mkdir()
    with one_node.one_node(tmp_path / "slurm") as environment:
        yield environment


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A sweep that is planned."""
    prepare(tmp_path / "swept", WALK, **ASKED)
    return tmp_path / "swept"


def test_an_array_of_jobs_does_a_sweep(slurm: Environment, folder: Path) -> None:
    assert main(["sweep", "slurm", str(folder), "--shards", "6"]) == 0
    asked(slurm, "sbatch", str(folder / "sweep.sbatch"))
    until(lambda: status(folder).done > 0)
    assert 0 < status(folder).done < 200
    assert gather(folder).missing > 0
    asked(slurm, "scancel", "--signal=KILL", "--full", "--user", getpass.getuser())
    asked(slurm, "scancel", "--user", getpass.getuser())
    until(lambda: not asked(slurm, "squeue", "-h"))
    assert status(folder).done < 200
    asked(slurm, "sbatch", str(folder / "sweep.sbatch"))
    until(lambda: not asked(slurm, "squeue", "-h"))
    assert status(folder).files == 6
    _is_whole(folder)


def test_dask_asks_for_jobs_itself(slurm: Environment, folder: Path) -> None:
    _by_jobs_of_dask(slurm, folder / "logs", "sweep", "run", str(folder))
    _is_whole(folder)


def test_dask_asks_for_jobs_that_repeat_figures(slurm: Environment, tmp_path: Path) -> None:
    out = tmp_path / "out"
    _by_jobs_of_dask(slurm, tmp_path / "logs", "reproduce", "braun_2022:1", "--quick", "--out", str(out))
    assert not any(outcome.anew for outcome in reproduce(experiments("braun_2022:1"), out, quick=True))


def _by_jobs_of_dask(slurm: Environment, logs: Path, *words: str) -> None:
    """A command of `numerics` whose work is done by jobs."""
    pytest.importorskip("dask_jobqueue", reason="jobs for Dask need dask-jobqueue, which is not installed here")
    described = {f"DASK_JOBQUEUE__SLURM__{name}": value for name, value in OF_A_JOB.items()}
    described["DASK_JOBQUEUE__SLURM__LOG_DIRECTORY"] = str(logs)
    command = [sys.executable, "-m", "numerics", *words, "--dask", "slurm", "--workers", "2"]
    with subprocess.Popen(command, env={**slurm, **described}) as running:
        until(lambda: asked(slurm, "squeue", "-h", "-t", "RUNNING"))
        assert running.wait(timeout=120) == 0
    until(lambda: not asked(slurm, "squeue", "-h"))


def asked(environment: Environment, *words: str) -> str:
    return subprocess.run(words, env=environment, check=True, capture_output=True, text=True).stdout


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + 120
    while not true():
        assert time.monotonic() < end
        time.sleep(0.2)


def _is_whole(folder: Path) -> None:
    """All tasks are done, with the bits of one process."""
    alone = folder.with_name("alone")
    sweep(alone, WALK, **ASKED, workers=1)
    found, whole = gather(folder), gather(alone)
    assert (status(folder).done, found.missing) == (200, 0)
    for name, (_, array) in whole.variables.items():
        assert found.variables[name][1].tobytes() == array.tobytes()
