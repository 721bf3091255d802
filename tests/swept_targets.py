"""Small targets for tests of sweeps, in a module that worker processes import, too."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import numpy as np

from numerics import NumericsError
from numerics.sweep import Target

LOG = "SWEPT_LOG"  # of the environment: a file in which every task leaves a line
DEFAULTS = {"scale": 1.0, "size": 3, "kind": "plain"}
VARIABLES = {"mean": (), "walk": ("step",)}


def _walk(settings, seed):
    if log := os.environ.get(LOG):
        with Path(log).open("a", encoding="utf-8") as file:
            file.write(f"{settings['scale']} {seed.spawn_key}\n")
    if settings["kind"] == "failing" and seed.spawn_key[0] % 2:
        raise NumericsError("this seed is odd")
    if settings["kind"] == "broken":
        raise ZeroDivisionError("a mistake in the target")
    if settings["kind"] == "slow":
        time.sleep(0.02)
    walk = settings["scale"] * np.random.default_rng(seed).standard_normal(settings["size"]).cumsum()
    return {"mean": walk.mean(), "walk": walk}


def _dies_once(settings, seed):
    """Kill this process in the middle of a task, if the file that the log names is not there yet."""
    flag = Path(os.environ[LOG])
    if seed.spawn_key[0] == 5 and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return _walk({**settings, "kind": "plain"}, seed)


def _dies(settings, seed):
    os.kill(os.getpid(), signal.SIGKILL)


def in_processes():
    """The environment of processes that find what this one finds."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


def _steps(settings):
    return {"step": np.arange(settings["size"])}


WALK = Target(DEFAULTS, _walk, VARIABLES, _steps, "sums of normal numbers")
DIES_ONCE = Target({"scale": 1.0, "size": 3}, _dies_once, VARIABLES, _steps)
DIES = Target({"scale": 1.0, "size": 3}, _dies, VARIABLES, _steps)
WRONG = Target({"scale": 1.0}, lambda settings, seed: {"mean": np.zeros(2)}, {"mean": ()})
NO_TARGET = 3
