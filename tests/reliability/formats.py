"""Files of every format that is read, damaged in every way: each is refused in one sentence, or read as what it was."""

from __future__ import annotations

import functools
import io
import json
import random
import struct
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from reliability.functions import _frozen
from reliability.strange import spoilt_bytes, strange
from simulate.counting import Counting

from numerics import NumericsError
from numerics.machine import checkpoints, code_cache
from numerics.reproduce import experiments, results
from numerics.simulate import datasets
from numerics.sweep import files as sweep_files
from numerics.sweep.plan import planned

Read = Callable[[Path], Any]


@dataclass
class Format:
    """A file, how it is read, and whether a change of its text may change what is read: of a seal it may not."""

    name: str
    data: bytes
    read: Read
    sealed: bool = True


def in_folder(path: Path) -> Any:
    """What a run of two replicas finds beside a checkpoint, or its description, that lies there."""
    folder = path.parent / "run"
    folder.mkdir(exist_ok=True)
    for name, data in folder_of_a_run().items():
        (folder / name).write_bytes(path.read_bytes() if name == path.name else data)
    return [state["total"].tolist() for state in checkpoints.run(Counting(), range(2), folder=folder, threads=1)]


@functools.cache
def folder_of_a_run() -> dict[str, bytes]:
    """The files of a finished run."""
    folder = Path("finished")
    checkpoints.run(Counting(), range(2), folder=folder, threads=1)
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in {".npz", ".json"}}


def a_result() -> results.Result:
    data = {"curve": np.arange(6.0).reshape(2, 3), "names": np.array(["a", "bc"])}
    return results.Result("paper:panel", "0", {"epochs": 3}, 1, {"gap": 0.5}, 2.0, {"numpy": "2"}, data)


def loaded(path: Path) -> Any:
    """A result of which one file was damaged."""
    stem = path.with_suffix("")
    for other in saved():
        if other != path.suffix:
            stem.with_suffix(other).write_bytes(saved()[other])
    found = results.load(stem)
    return found.about(), found.data


@functools.cache
def saved() -> dict[str, bytes]:
    path = results.save(a_result(), Path("saved"), netcdf=False)
    return {suffix: path.with_suffix(suffix).read_bytes() for suffix in (".json", ".npz")}


def in_cache(path: Path) -> Any:
    """Compiled code; what is damaged counts as missing, and is compiled again."""
    try:
        return code_cache._opened(path)
    except code_cache.DAMAGES:
        raise NumericsError("compiled again") from None


def a_cache_entry() -> bytes:
    from hashlib import sha256
    from pickle import dumps

    data = dumps(("1", "stamp", {"f": "file"}))
    return sha256(data).digest() + data


def registered(path: Path) -> Any:
    """The panels of a registry."""
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise NumericsError("no TOML") from None
    return experiments.read("paper", data)


def registry_of_changes(data: bytes, rng: random.Random) -> Any:
    """A registry whose tables have strange values, read as tables."""
    table = tomllib.loads(data.decode())
    panels = table["panels"]
    at = rng.randrange(len(panels))
    panels[at] = strange(panels[at], rng)
    changed = strange(table, rng) if rng.random() < 0.2 else table
    return experiments.read("paper", changed if isinstance(changed, dict) else table)


def swept(path: Path) -> Any:
    """The plan of a sweep."""
    folder = path.parent / "sweep"
    folder.mkdir(exist_ok=True)
    (folder / sweep_files.PLAN).write_bytes(path.read_bytes())
    plan = sweep_files.plan_of(folder)
    return plan.about()


def idx_file() -> bytes:
    return bytes([0, 0, 0x08, 2]) + struct.pack(">II", 3, 4) + bytes(range(12))


@functools.cache
def formats() -> tuple[Format, ...]:
    """All formats; they are made in the folder where the process is."""
    plan = planned("deep_linear", grid={"scale": [0.1, 0.2]}, seeds=2)
    run, result, archive = folder_of_a_run(), saved(), io.BytesIO()
    np.savez(archive, x=np.arange(3))
    registry = (experiments.FOLDER / "solvable_networks.toml").read_bytes()
    return (
        Format("000000.npz", run["000000.npz"], in_folder),
        Format("run.json", run["run.json"], in_folder),
        Format("fig.json", result[".json"], loaded),
        Format("fig.npz", result[".npz"], loaded),
        Format("entry", a_cache_entry(), in_cache),
        Format("registry.toml", registry, registered, sealed=False),
        Format("plan.json", (json.dumps(plan.about(), indent=1) + "\n").encode(), swept, sealed=False),
        Format("numbers-idx2-ubyte", idx_file(), datasets.idx, sealed=False),
    )


@functools.cache
def sound(name: str) -> Any:
    """What the file says where it is whole."""
    found = next(one for one in formats() if one.name == name)
    Path(name).write_bytes(found.data)
    return _frozen(found.read(Path(name)))


def damaged(rng: random.Random) -> str:
    """What became of a damaged file; a foreign error is raised, and so is a change that nothing tells of."""
    found = rng.choice(formats())
    expected = sound(found.name)
    if found.name == "registry.toml" and rng.random() < 0.7:
        registry_of_changes(found.data, rng)
        return "answered"
    data = spoilt_bytes(found.data, rng)
    Path(found.name).write_bytes(data)
    there = _frozen(found.read(Path(found.name)))
    assert not found.sealed or there == expected, f"{found.name} was changed, and read as something else"
    return "answered"
