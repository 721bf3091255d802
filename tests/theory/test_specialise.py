"""Specialised files: what decides their names, one compilation per machine, and folders that cannot be used."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from case_files import Cases

from numerics.machine import specialise as module
from numerics.machine.specialise import SpecialiseError, folder, source, specialise

FAMILIES = Cases(__file__, globals())

DECAY = "numerics.ode.methods.decay"
ROOT = Path(__file__).parents[2]
SECOND_RUN = f"""
import json, sys
import numpy as np
from numerics.machine.specialise import folder, specialise
before = sorted(str(p) for p in folder().rglob("*") if p.is_file()) if folder().exists() else []
rates = specialise("rates", ["{DECAY}"])
out, scratch = np.empty(1), np.array([-2.0])
rates(0.0, np.array([3.0]), np.empty(0), out, scratch)
after = sorted(str(p) for p in folder().rglob("*") if p.is_file())
hits = sum(rates.stats.cache_hits.values())
print(json.dumps([out[0], hits, len(before), after == before, "sympy" in sys.modules]))
"""


def run(where: Path) -> list[object]:
    environment = {**os.environ, module.VARIABLE: str(where), "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("NUMBA_CACHE_DIR", None)
    done = subprocess.run(
        [sys.executable, "-c", SECOND_RUN], env=environment, capture_output=True, text=True, check=True
    )
    found: list[object] = json.loads(done.stdout)
    return found


def test_a_second_process_finds_the_compiled_code_and_writes_nothing(tmp_path: Path) -> None:
    assert run(tmp_path / "cache")[:4] == [-6.0, 0, 0, False]
    value, hits, files, same, symbolic = run(tmp_path / "cache")
    assert (value, hits, same, symbolic) == (-6.0, 1, True, False)
    assert isinstance(files, int)
    assert files >= 3  # the source, the index and the code


@pytest.mark.laws
def test_two_processes_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    environment = {**os.environ, module.VARIABLE: str(tmp_path), "PYTHONPATH": str(ROOT)}
    environment.pop("NUMBA_CACHE_DIR", None)
    both = [subprocess.Popen([sys.executable, "-c", SECOND_RUN], env=environment, stdout=subprocess.PIPE) for _ in "12"]
    assert [json.loads(process.communicate()[0])[0] for process in both] == [-6.0, -6.0]
    assert [path.suffix for path in tmp_path.iterdir() if path.is_file()] == [".py"]
    assert run(tmp_path)[1] == 1


def test_a_damaged_file_is_written_again(tmp_path: Path) -> None:
    path = module._put(tmp_path, "a.py", "x = 1\n")
    age = path.stat().st_mtime_ns
    assert module._put(tmp_path, "a.py", "x = 1\n").stat().st_mtime_ns == age
    path.write_text("x =")
    assert module._put(tmp_path, "a.py", "x = 1\n").read_text() == "x = 1\n"
    assert [p.name for p in tmp_path.iterdir()] == ["a.py"]


@pytest.mark.laws  # a law for each, as every one compiles in two processes
@pytest.mark.parametrize("damage", ["cut", "empty", "changed"])
@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_compiled_code_that_is_damaged_is_compiled_again(tmp_path: Path, suffix: str, damage: str) -> None:
    """Also where one byte was changed, which would be other machine code."""
    run(tmp_path)
    for path in list(tmp_path.rglob(f"*{suffix}")):
        data = path.read_bytes()
        middle = len(data) // 2
        changed = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        path.write_bytes({"cut": data[:middle], "empty": b"", "changed": changed}[damage])
    assert run(tmp_path)[:2] == [-6.0, 0]
    assert run(tmp_path)[:2] == [-6.0, 1]


def test_a_folder_that_cannot_be_written_to_costs_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(module.VARIABLE, str(tmp_path / "file" / "below"))
    with pytest.warns(RuntimeWarning, match="not kept for the next run.*set LEARNING_DYNAMICS_CACHE"):
        path = module._written("b.py", "x = 1\n")
    assert path.read_text() == "x = 1\n"
    assert not path.is_relative_to(tmp_path)


def test_the_folder_is_chosen_by_the_variable_then_by_the_cache_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(module.VARIABLE, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert folder() == Path("/somewhere") / module.FOLDER
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # which the standard says to ignore
    assert folder() == Path.home() / ".cache" / module.FOLDER
    monkeypatch.setenv(module.VARIABLE, "/chosen")
    assert folder() == Path("/chosen")


def test_text_options_and_versions_decide_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(module.VARIABLE, str(tmp_path))
    parts = ["numerics.machine.lanes", "numerics.theory.teacher_student.flows.erf"]
    assert "REACH = 0.5\n" in source(parts, {"REACH": 0.5})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        specialise("prepare", parts)
        specialise("prepare", parts)
        specialise("prepare", parts, {"REACH": 0.5})
        assert len(list(tmp_path.glob("lanes_erf_*.py"))) == 2
        monkeypatch.setattr(module, "_circumstances", lambda: ("another processor",))
        specialise("prepare", parts)
    assert len(list(tmp_path.glob("lanes_erf_*.py"))) == 3


def test_many_threads_specialise_at_once_while_the_collector_interrupts_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(module.VARIABLE, str(tmp_path))
    reaches = [2.0 + k for k in range(16)]  # that no other test asks for

    def specialised(reach: float) -> float:
        found: Any = specialise(
            "prepare", ["numerics.machine.lanes", "numerics.theory.teacher_student.flows.erf"], {"REACH": reach}
        )
        return float(found.py_func.__globals__["REACH"])

    with collections_everywhere(), ThreadPoolExecutor(8) as pool:
        found = list(pool.map(specialised, reaches))
    assert found == reaches


@contextmanager
def collections_everywhere() -> Iterator[None]:
    """Python code runs in the midst of others' parsing, and threads change places then."""
    thresholds, interval = gc.get_threshold(), sys.getswitchinterval()

    def take_time(_phase: str, _about: dict[str, int]) -> None:
        sum(range(3))

    gc.callbacks.append(take_time)
    gc.set_threshold(50, 1000, 1000)
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        gc.callbacks.remove(take_time)
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(interval)


def test_the_file_stands_alone() -> None:
    assert (
        "numerics."
        not in source(["numerics.machine.lanes", "numerics.theory.teacher_student.flows.erf"], {}).partition('"""\n')[2]
    )


@pytest.mark.parametrize(
    ("name", "parts", "options", "sentence"),
    FAMILIES["parts that do not fit are refused in one sentence"],
)
def test_parts_that_do_not_fit_are_refused_in_one_sentence(  # noqa: PLR0917
    name: str, parts: list[str], options: dict[str, int], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(module.VARIABLE, str(tmp_path))
    with pytest.raises(SpecialiseError, match=sentence):
        specialise(name, parts, options)
