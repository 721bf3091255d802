"""A Slurm of one node on this machine, with a controller, a daemon and munge of its own, in a folder of its own.

with one_node(Path("slurm")) as environment:
    subprocess.run(["sbatch", "job.sbatch"], env=environment)
"""

from __future__ import annotations

import getpass
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NEEDED = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "sinfo")
SYSTEM = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"])
CONFIGURATION = """\
ClusterName=sweep
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CredType=cred/munge
SlurmctldPort={controller}
SlurmdPort={daemon}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,bf_interval=1
ReturnToService=2
MpiDefault=none
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=2000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
"""


def lacking() -> list[str]:
    """The programs that a Slurm needs and that are not here."""
    return [name for name in NEEDED if shutil.which(name, path=SYSTEM) is None]


@contextmanager
def one_node(folder: Path) -> Iterator[dict[str, str]]:
    """Start everything, wait until the node takes jobs, and end everything; the environment is that of its users."""
    for name in ("state", "spool"):
        (folder / name).mkdir()
    key = folder / "munge.key"
    key.write_bytes(secrets.token_bytes(1024))
    key.chmod(0o400)
    host = socket.gethostname().partition(".")[0]
    ports = dict(zip(("controller", "daemon"), _ports(2), strict=True))
    about = {"folder": folder, "host": host, "user": getpass.getuser(), "cpus": os.cpu_count(), **ports}
    (folder / "slurm.conf").write_text(CONFIGURATION.format(**about), encoding="utf-8")
    environment = {**os.environ, "PATH": SYSTEM, "SLURM_CONF": str(folder / "slurm.conf")}
    munge = [f"--{name}-file={folder}/munge.{name}" for name in ("key", "pid", "log", "seed")]
    programs = (
        ["munged", "--foreground", "--force", f"--socket={folder}/munge.socket", *munge],
        ["slurmctld", "-D", "-c"],
        ["slurmd", "-D", "-N", host],
    )
    running = []
    try:
        for words in programs:
            with (folder / f"{words[0]}.out").open("wb") as told:
                running.append(subprocess.Popen(words, env=environment, stdout=told, stderr=told))
            time.sleep(0.5)
        _until_idle(environment, running, folder)
        yield environment
    finally:
        for process in reversed(running):
            process.terminate()
        for process in reversed(running):
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _ports(count: int) -> list[int]:
    """Ports that nobody uses at the moment."""
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def _until_idle(environment: dict[str, str], running: list[subprocess.Popen[bytes]], folder: Path) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end and all(process.poll() is None for process in running):
        told = subprocess.run(["sinfo", "-h", "-o", "%T"], env=environment, capture_output=True, text=True, check=False)
        if told.stdout.strip() == "idle":
            return
        time.sleep(0.5)
    for file in sorted(folder.glob("*.out")) + sorted(folder.glob("*.log")):
        print(f"--- {file.name}\n{file.read_text(encoding='utf-8', errors='replace')[-2000:]}", file=sys.stderr)
    raise RuntimeError(f"the node of Slurm in {folder} takes no jobs")
