"""Long runs that are killed at random moments, and go on: python -m reliability.kills 200 (in tests).

This process imports and compiles everything; each run is a child of it, which is killed and followed by the next one on
the same folder, until one may end. What that finds must be what a run without a break finds, to the last bit.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import perf_counter, sleep

import numpy as np

from numerics import sweep
from numerics.machine import checkpoints
from numerics.reproduce import reproduce
from numerics.reproduce.experiments import experiments
from numerics.simulate import datasets, linear_network, mlp, teacher_student
from numerics.simulate.mlp import Architecture
from numerics.sweep import chunks, files
from numerics.theory.teacher_student import chain

Found = list[np.ndarray]
Job = Callable[[Path], Found]
SIGNALS = (signal.SIGKILL, signal.SIGKILL, signal.SIGKILL, signal.SIGTERM)
KILLS = 6  # of one folder
RNG = np.random.default_rng(0)
W, GOAL = RNG.standard_normal((2, 2, 60))
NETWORKS = [[0.3 * RNG.standard_normal((4, 3)), 0.3 * RNG.standard_normal((2, 4))] for _ in range(6)]
TASKS = [RNG.standard_normal((2, 3)) for _ in range(6)]
SMALL = Architecture(hidden=3, units=20)
POINTS = datasets.Dataset(RNG.standard_normal((12, 3)), RNG.standard_normal((12, 2)))


def _networks(folder: Path, double_double: bool, steps: int) -> Found:
    asked = {"rates": 0.01, "losses_at": range(0, steps + 1, steps // 4), "weights_at": [steps]}
    runs = linear_network.learn(NETWORKS, TASKS, folder=folder, double_double=double_double, **asked)  # type: ignore[arg-type]
    return [part for run in runs for part in (run.losses, *run.weights)]


def _students(folder: Path) -> Found:
    runs = teacher_student.learn(W, GOAL, updates=range(0, 20001, 5000), eta=0.3, replicas=6, folder=folder)
    return [runs.Q, runs.R, runs.error]


def _chain(folder: Path) -> Found:
    Q, R, T = W @ W.T / 60, W @ GOAL.T / 60, GOAL @ GOAL.T / 60
    Q, T = (Q + Q.T) / 2, (T + T.T) / 2
    asked = {"eta": 0.3, "inputs": 60, "replicas": 24, "updates": range(0, 20001, 5000)}
    runs = chain.chain(Q, R, T, folder=folder, **asked)
    return [runs.Q, runs.R, runs.error]


def _mlp(net: Architecture, data: datasets.Dataset, folder: Path, **options: object) -> Found:
    runs = mlp.train_many(net, data, eta=0.02, seeds=range(4), record=[0, 30], folder=folder, **options)  # type: ignore[arg-type]
    parts = [
        [run.losses, *run.hidden.values(), run.outputs, *(p for layer in run.weights for p in layer)] for run in runs
    ]
    return [part for run in parts for part in run]


def _panels(names: str, workers: int, folder: Path) -> Found:
    found: Found = []
    for outcome in reproduce(experiments(names), folder, quick=True, workers=workers):
        data, measured = outcome.result.data, outcome.result.measured
        found += [*(data[name] for name in sorted(data)), np.array([measured[name] for name in sorted(measured)])]
    return found


def _swept(folder: Path, workers: int) -> Found:
    asked = {"grid": {"scale": "log:0.01:1:4"}, "settings": {"until": 4.0, "steps": 20}, "seeds": 60}
    sweep.sweep(folder, "deep_linear", workers=workers, **asked)  # type: ignore[arg-type]
    found = sweep.gather(folder)
    assert not found.missing
    return [array for _, (_, array) in sorted(found.variables.items())]


JOBS: dict[str, Job] = {
    "linear networks": lambda folder: _networks(folder, False, 20_000),
    "linear networks of pairs": lambda folder: _networks(folder, True, 4_000),
    "students": _students,
    "chain": _chain,
    "mlp, streamed": lambda folder: _mlp(SMALL, datasets.two_points(), folder, epochs=40_000),
    "mlp, single precision by Adam": lambda folder: _mlp(
        SMALL, datasets.two_points(), folder, epochs=16_000, optimiser="adam", precision="float32"
    ),
    "mlp, batches and dropout": lambda folder: _mlp(
        replace(SMALL, dropout=0.1), POINTS, folder, epochs=40, batch=5, optimiser="adam"
    ),
    "mlp, convolutions": lambda folder: _mlp(
        Architecture(hidden=2, units=40, channels=3, kernel=5), datasets.two_points(), folder, epochs=4_000
    ),
    "a panel": partial(_panels, "braun_2022:fig_3b", 1),
    "panels that share runs, by two processes": partial(_panels, "van_rossem_saxe_2024:fig_2", 2),
    "a sweep": lambda folder: _swept(folder, 1),
    "a sweep by two processes": lambda folder: _swept(folder, 2),
}


def killed(job: Job, folder: Path, moment: float, by: signal.Signals) -> bool:
    """Check whether a run was killed at this moment, and had not ended before."""
    child = os.fork()
    if child == 0:
        try:
            job(folder)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
    sleep(moment)
    os.kill(child, by)
    status = os.waitpid(child, 0)[1]
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0, "a run that goes on failed"
    return os.WIFSIGNALED(status)


def survives(name: str, kills: int, rng: random.Random, home: Path) -> tuple[int, str]:
    """How many kills hit a run of this name, and what was wrong in the end."""
    job, hits = JOBS[name], 0
    times = []
    for k in range(2):  # a computer that is busy during one of them takes long for it
        begin = perf_counter()
        whole = job(home / f"whole {k}")
        times.append(perf_counter() - begin)
    for k in range(kills):
        if k % KILLS == 0:
            folder = home / f"{k}"
        hits += killed(job, folder, rng.uniform(0.01, 0.7 * min(times)), rng.choice(SIGNALS))
        if k % KILLS == KILLS - 1 or k == kills - 1:
            found = job(folder)
            if len(found) != len(whole) or not all(map(_same, found, whole)):
                return hits, f"{name}: other bits after a kill"
            if drafts := [*folder.rglob(".*.draft")]:
                return hits, f"{name}: {drafts[0]} was left"
    return hits, ""


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


def run(kills: int, seed: int) -> tuple[int, list[str]]:
    """That many kills over all jobs: how many hit, and what was wrong."""
    rng, hits, wrong = random.Random(seed), 0, []
    checkpoints.KEEP_EVERY, chunks.SECONDS, files.OLD = 0.0, 0.02, 0.0
    teacher_student.SLICE, mlp.streamed.SLICE = 200_000, 0.01
    with tempfile.TemporaryDirectory() as home:
        for k, name in enumerate(JOBS):
            share = kills // len(JOBS) + (k < kills % len(JOBS))
            place = Path(home) / str(k)
            JOBS[name](place / "compiled")
            found, mistake = survives(name, share, rng, place)
            print(f"{name}: {found} of {share} kills hit", flush=True)
            hits += found
            wrong += [mistake] * bool(mistake)
    return hits, wrong


if __name__ == "__main__":
    total, mistakes = run(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print(f"{total} hits", *mistakes, sep="\n")
    sys.exit(bool(mistakes))
