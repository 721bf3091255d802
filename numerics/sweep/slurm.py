"""A job array for Slurm, in which each job does one shard."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from numerics.sweep.plan import Plan
from numerics.sweep.targets import SweepError

LOGS = "logs"

SCRIPT = """\
#!/bin/bash
# {tasks} tasks of {target} in {shards} jobs. Change what follows as your cluster needs it, and submit it with
#     sbatch {file}
# What is done is not done again: submit it once more if jobs were killed.
#SBATCH --job-name={name}
#SBATCH --array=1-{shards}
#SBATCH --cpus-per-task=1
#SBATCH --time=01:00:00
#SBATCH --output={logs}/%A_%a.txt

exec {python} -m numerics sweep run {folder} \\
    --shard "$SLURM_ARRAY_TASK_ID/{shards}" --workers "${{SLURM_CPUS_PER_TASK:-1}}"
"""


def script(folder: Path, plan: Plan, shards: int, file: Path) -> str:
    """The text of a file for `sbatch`, with the paths of this machine.

    Refused with `SweepError`: more shards than tasks, and a folder whose name no line of such a file can hold.
    """
    path = folder.absolute()
    if shards > plan.tasks:
        raise SweepError(f"{plan.tasks} tasks cannot be divided into {shards} shards: take {plan.tasks} at most")
    if any(sign in str(path) for sign in "\n\r\"'\\%"):
        raise SweepError(f"{path} cannot stand in a file for sbatch: choose a folder with a plainer name")
    logs = f'"{path / LOGS}"' if " " in str(path) else path / LOGS
    words = {"python": shlex.quote(sys.executable), "folder": shlex.quote(str(path)), "file": shlex.quote(str(file))}
    name = "".join(sign if sign.isalnum() else "_" for sign in plan.target)
    (path / LOGS).mkdir(exist_ok=True)  # Slurm makes none
    return SCRIPT.format(tasks=plan.tasks, target=plan.target, shards=shards, name=name, logs=logs, **words)
