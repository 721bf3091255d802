"""How long the first call takes in a fresh process, once everything is compiled, and how long emission takes.

A process that imports NumPy and Numba and calls a trivial function from Numba's cache is the yardstick: what a process
that calls a kernel needs beyond that is our own share. The emitted C function is called through ctypes by a process
that imports nothing else, and counts as a whole. Processes take turns and medians count.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

import numpy as np
from rich.table import Table

from benchmarks import machine
from numerics.accuracy.domains import sampler
from numerics.kernels import index
from numerics.machine.progress import table

KERNEL = "van_rossem_saxe_2024:closed_form"
"""The longest of the kernels of numbers."""
TARGETS: tuple[str, ...] = ("numba", "c", "jax", "numpy", "mpmath")
ROUNDS = 9
SHARE, WHOLE, EMISSION = 0.15, 0.2, 60.0  # seconds aimed at
TRIVIAL = """
from numba import njit


@njit(cache=True)
def trivial(x):
    return (x,)
"""
IMPORTS = "import numpy, numba"
YARDSTICK, LOADED, LOOP, CTYPES = "trivial function", "kernel(...)", "over_points(...)", "C through ctypes"


def tables(say: Callable[[str], None]) -> Iterator[Table]:
    """One table of first calls, and one of emission."""
    say(machine("numpy", "numba"))
    with TemporaryDirectory() as name:
        programs = first_calls(Path(name), say)
        found = in_turn({name: partial(_ran, text) for name, text in programs.items()}, ROUNDS)
        yield _first_calls(found)
        if _can_emit():
            yield _emission(Path(name))


def first_calls(folder: Path, say: Callable[[str], None]) -> dict[str, str]:
    """Programs that make a first call; those of others' targets only where they can be made."""
    entry = index()[KERNEL]
    point = tuple(sampler(entry.arguments, entry.domain)(np.random.default_rng(0)))
    (folder / "trivial_function.py").write_text(TRIVIAL, encoding="utf-8")
    shape = f"({len(point)}, 1)), numpy.ones(({len(entry.returns)}, 1)"
    programs = {
        YARDSTICK: f"{IMPORTS}, sys; sys.path.insert(0, {str(folder)!r})\n"
        "from trivial_function import trivial\ntrivial(1.0)",
        LOADED: f"{IMPORTS}\nfrom numerics.kernels import kernel\nkernel({KERNEL!r})(*{point})",
        LOOP: f"{IMPORTS}\nfrom numerics.kernels.over_points import over_points\n"
        f"over_points({KERNEL!r})(numpy.ones({shape}))",
    }
    if not _can_emit() or shutil.which("cc") is None:
        say("there is no SymPy or no C compiler, so C is left out")
        return programs
    _ran_module("derivations", "emit", KERNEL, "--target", "c", "-o", str(folder))
    library = folder / f"{entry.name}.so"
    compiled = ["cc", "-std=c11", "-O2", "-shared", "-fPIC", str(folder / f"{entry.name}.c"), "-o", str(library), "-lm"]
    subprocess.run(compiled, check=True)
    numbers = ", ".join(f"ctypes.c_double({value!r})" for value in point)
    call = f"(ctypes.c_double*{len(entry.returns)})()"
    return programs | {CTYPES: f"import ctypes\nctypes.CDLL({str(library)!r}).{entry.name}({numbers}, {call})"}


def in_turn(ways: Mapping[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """The times of each; two first runs, which fill caches, do not count."""
    for run in ways.values():
        run()
        run()
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, run in ways.items():
            begin = perf_counter()
            run()
            times[name].append(perf_counter() - begin)
    return times


def _first_calls(found: Mapping[str, list[float]]) -> Table:
    numbers = ("whole process", "beyond the trivial function", "aimed at")
    result = table("First call in a fresh process, seconds", [""], numbers)
    for name, times in found.items():
        share = median(ours - its for ours, its in zip(times, found[YARDSTICK], strict=True))
        aim = {YARDSTICK: "", CTYPES: f"whole < {WHOLE}"}.get(name, f"beyond < {SHARE}")
        result.add_row(name, f"{median(times):.3f}", "" if name in (YARDSTICK, CTYPES) else f"{share:.3f}", aim)
    return result


def _emission(folder: Path) -> Table:
    result = table(f"Emission of every kernel, aimed at < {EMISSION:.0f} s each", ["target"], ["seconds"])
    for target in TARGETS:
        begin = perf_counter()
        _ran_module("derivations", "emit", "--all", "--target", target, "-o", str(folder / target))
        result.add_row(target, f"{perf_counter() - begin:.1f}")
    return result


def _can_emit() -> bool:
    return find_spec("sympy") is not None and find_spec("derivations") is not None


def _ran(program: str) -> None:
    subprocess.run([sys.executable, "-c", program], check=True)


def _ran_module(*words: str) -> None:
    subprocess.run([sys.executable, "-m", *words], check=True, capture_output=True)
