"""An array of jobs of a real Slurm does a sweep: some are killed, it is submitted again, and the bits are the same."""

from __future__ import annotations

import getpass
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from cluster import one_node

from numerics.__main__ import main
from numerics.sweep import gather, prepare, status, sweep

pytestmark = pytest.mark.cluster


def asked(environment: dict[str, str], *words: str) -> str:
    return subprocess.run(words, env=environment, check=True, capture_output=True, text=True).stdout


def test_an_array_of_jobs_does_a_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if lacking := one_node.lacking():
        pytest.skip(f"a Slurm of one node needs {', '.join(lacking)}: apt-get install slurm-wlm munge")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    folder, alone = tmp_path / "swept", tmp_path / "alone"
    words = {"grid": {"scale": "log:0.1:10:4"}, "settings": {"kind": "slow"}, "seeds": 50}
    prepare(folder, "swept_targets:WALK", **words)
    assert main(["sweep", "slurm", str(folder), "--shards", "6"]) == 0
    (tmp_path / "slurm").mkdir()
    with one_node.one_node(tmp_path / "slurm") as environment:
        asked(environment, "sbatch", str(folder / "sweep.sbatch"))
        _wait(lambda: status(folder).done > 0)
        assert 0 < status(folder).done < 200
        assert gather(folder).missing > 0
        asked(environment, "scancel", "--signal=KILL", "--full", "--user", getpass.getuser())
        asked(environment, "scancel", "--user", getpass.getuser())
        _wait(lambda: not asked(environment, "squeue", "-h"))
        between = status(folder).done
        asked(environment, "sbatch", str(folder / "sweep.sbatch"))
        _wait(lambda: not asked(environment, "squeue", "-h"))
    sweep(alone, "swept_targets:WALK", **words, workers=1)
    found, whole = gather(folder), gather(alone)
    assert between < 200
    assert (status(folder).done, found.missing, status(folder).files) == (200, 0, 6)
    for name, (_, array) in whole.variables.items():
        assert found.variables[name][1].tobytes() == array.tobytes()


def _wait(true: Callable[[], object]) -> None:
    end = time.monotonic() + 120
    while not true():
        assert time.monotonic() < end
        time.sleep(0.2)
