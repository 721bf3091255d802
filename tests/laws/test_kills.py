"""Long runs that are killed or stopped at any moment, clocks that jump, and packages that cannot be written."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest
from simulate.counting import Counting

import numerics
from numerics.machine import checkpoints

TESTS = Path(__file__).parents[1]
KILLS = 12  # one for each job


def environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS), *filter(None, sys.path)]), **more}


def test_runs_that_are_killed_at_random_moments_go_on_with_the_same_bits() -> None:
    words = [sys.executable, "-m", "reliability.kills", str(KILLS), "0"]
    done = subprocess.run(words, env=environment(), capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert int(done.stdout.split()[-2]) > KILLS // 3


def test_a_command_that_is_asked_to_end_says_so_and_goes_on_later(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "numerics", "reproduce", "braun_2022:fig_2a", "--out", str(tmp_path / "out")]
    process = subprocess.Popen(words, env=environment(), stderr=subprocess.PIPE, text=True)
    began = monotonic()
    while not list((tmp_path / "out").glob("results.json*")) and not (tmp_path / "out").is_dir():
        assert monotonic() - began < 60.0
        sleep(0.05)
    process.send_signal(signal.SIGTERM)
    told = process.communicate(timeout=60)[1]
    assert process.returncode in {143, 0}
    assert process.returncode == 0 or told.endswith("numerics: stopped; what is kept in folders goes on from here\n")
    assert "Traceback" not in told


def test_clocks_that_jump_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Stops(Counting):
        def advance(self, replica: int, state: checkpoints.State) -> float:
            if len(self.slices) == 5:
                raise KeyboardInterrupt
            return super().advance(replica, state)

    expected = checkpoints.run(Counting(), range(2))
    monkeypatch.setattr(checkpoints, "KEEP_EVERY", 0.0)
    for jump in (-1e9, 1e9):
        folder = tmp_path / f"{jump:g}"
        with pytest.raises(KeyboardInterrupt):
            checkpoints.run(Stops(), range(2), folder=folder, threads=1)
        for path in folder.iterdir():
            os.utime(path, (1.7e9 + jump,) * 2)
        monkeypatch.setattr("time.time", lambda jump=jump: 1.7e9 - jump)
        found = checkpoints.run(Counting(), range(2), folder=folder, threads=1)
        for one, other in zip(found, expected, strict=True):
            assert np.array_equal(one["total"], other["total"])


def test_a_package_and_a_home_that_cannot_be_written_stop_nothing(tmp_path: Path) -> None:
    site = tmp_path / "numerics"
    shutil.copytree(Path(numerics.__file__).parent, site, ignore=shutil.ignore_patterns("__pycache__"))
    for folder in [site, *(path for path in site.rglob("*") if path.is_dir())]:
        (folder / "__pycache__").touch()  # a file where the folder would be: not even root can write into it
    code = (
        "import numerics; from numerics import kernels; print(numerics.__file__, kernels.kernel('erf_J2')(1., 1., 0.))"
    )
    alone = {"HOME": "/proc/none", "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    kept = {key: value for key, value in os.environ.items() if not key.endswith("_CACHE") and key != "XDG_CACHE_HOME"}
    for chosen in ({}, {"LEARNING_DYNAMICS_CACHE": str(tmp_path)}):
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env={**kept, **alone, **chosen},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert str(site) in done.stdout
        assert "0.31830988618379" in done.stdout
    assert list(tmp_path.rglob("*-sealed*.nbi"))
