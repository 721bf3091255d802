"""Files of every format that is read, damaged in every way: each is refused in one sentence, or read as what it was."""

from __future__ import annotations

import contextlib
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
from reliability.commands import ledger
from reliability.functions import _frozen
from reliability.strange import spoilt_bytes, strange
from simulate.counting import Counting

from derivations.commands.main import main as derivations
from derivations.report import results as panels_of_pages
from numerics import NumericsError
from numerics.accuracy import page as sheet
from numerics.machine import checkpoints, code_cache
from numerics.reproduce import experiments, results
from numerics.simulate import datasets
from numerics.sweep import files as sweep_files
from numerics.sweep import gather, grid, sweep
from numerics.sweep.plan import planned

Read = Callable[[Path], Any]
ROOT = Path(__file__).parents[2]
PLAN = b"""target = "deep_linear"
seeds = 3

[grid]
scale = "log:1e-3:1:4"
inputs = [2, 3]

[settings]
until = 2.0
"""


@dataclass
class Format:
    """A file, how it is read, and whether a change of its text may change what is read: of a seal it may not."""

    name: str
    data: bytes
    read: Read
    sealed: bool = True


def in_folder(path: Path) -> Any:
    """Return what a run of two replicas finds beside a checkpoint, or its description, that lies there."""
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
    path = results.save(a_result(), Path("saved"))
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


def shard(path: Path) -> Any:
    """The results of a sweep of which one file was damaged."""
    folder = path.parent / "of_shards"
    for name, data in swept_folder().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(path.read_bytes() if Path(name).name == path.name else data)
    found = gather(folder)
    return found.missing, dict(found.failures), {name: array for name, (_, array) in found.variables.items()}


@functools.cache
def swept_folder() -> dict[str, bytes]:
    """The files of a sweep that is done, with one task that failed."""
    folder = Path("whole_sweep")
    sweep(folder, "swept_targets:WALK", grid={"kind": ["plain", "failing"]}, seeds=2, workers=1)
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def planned_in_toml(path: Path) -> Any:
    """A plan that a user wrote, as `numerics sweep run --plan` reads it."""
    found = grid.from_toml(path)
    return planned(**{"name": found.pop("target", "deep_linear"), **found}).about()


def pointed(path: Path) -> Any:
    """The page of accuracy that is made from points found before."""
    target = path.with_name("sheet.md")
    sheet.points_of(target).write_bytes(path.read_bytes())
    return sheet.page(sheet.found_before(target))


def some_points() -> bytes:
    """Points of two kernels, as the committed file has them."""
    found = json.loads((ROOT / sheet.POINTS).read_text(encoding="utf-8"))
    found["kernels"] = dict(list(found["kernels"].items())[:2])
    return sheet.dumps(found).encode()


def beside_pages(path: Path) -> Any:
    """The list of panels that pages show."""
    folder = path.parent / "panels"
    folder.mkdir(exist_ok=True)
    (folder / "a.svg").write_text("<svg/>", encoding="utf-8")
    (folder / panels_of_pages.FILE).write_bytes(path.read_bytes())
    return panels_of_pages.read(folder)


def rechecked(path: Path) -> Any:
    """Return the statements of the certificates of a ledger, and their verdicts, where all are accepted."""
    told = io.StringIO()
    with contextlib.redirect_stdout(told), contextlib.redirect_stderr(told):
        status = derivations(["recheck", str(path), "--jobs", "1"])
    assert "Traceback" not in told.getvalue()
    if status:
        raise NumericsError("rejected, or no ledger")
    (paper,) = json.loads(path.read_text(encoding="utf-8"))["papers"]
    certificates = [entry["certificate"] for entry in paper["entries"]]
    return [[one[name] for name in ("about", "statement", "verdict")] for one in certificates]  # other evidence may do


def idx_file() -> bytes:
    return bytes([0, 0, 0x08, 2]) + struct.pack(">II", 3, 4) + bytes(range(12))


@functools.cache
def formats() -> tuple[Format, ...]:
    """All formats; they are made in the folder where the process is."""
    run, result, archive = folder_of_a_run(), saved(), io.BytesIO()
    np.savez(archive, x=np.arange(3))
    panel = {"id": "a:b", "outcome": "differs", "sentence": "so it is", "figure": "a.svg"}
    of_shard = next(name for name in swept_folder() if name.startswith(sweep_files.DONE))
    registry = (experiments.FOLDER / "solvable_networks.toml").read_bytes()
    return (
        Format("000000.npz", run["000000.npz"], in_folder),
        Format("run.json", run["run.json"], in_folder),
        Format("fig.json", result[".json"], loaded),
        Format("fig.npz", result[".npz"], loaded),
        Format("entry", a_cache_entry(), in_cache),
        Format("registry.toml", registry, registered, sealed=False),
        Format("plan.json", swept_folder()[sweep_files.PLAN], swept),
        Format(Path(of_shard).name, swept_folder()[of_shard], shard),
        Format("ledger.json", ledger(), rechecked),
        Format("plan.toml", PLAN, planned_in_toml, sealed=False),
        Format("found.points.json", some_points(), pointed, sealed=False),
        Format("results.json", json.dumps({"panels": [panel]}).encode(), beside_pages, sealed=False),
        Format("numbers-idx2-ubyte", idx_file(), datasets.idx, sealed=False),
    )


@functools.cache
def sound(name: str) -> Any:
    """Return what the file says where it is whole."""
    found = next(one for one in formats() if one.name == name)
    Path(name).write_bytes(found.data)
    try:
        return _frozen(found.read(Path(name)))
    except NumericsError as mistake:
        raise AssertionError(f"{name} is refused where it is whole: {mistake}") from None


def damaged(rng: random.Random) -> str:
    """Return what became of a damaged file; a foreign error is raised, and so is a change that nothing tells of."""
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
