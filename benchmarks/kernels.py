"""One evaluation of every kernel of numbers, in a loop over many points on one thread, beside those of others.

C: the emitted C function, and the same formulas without what keeps digits (products rounded before they are
subtracted, (exp(x) - 1)/x as it stands), compiled with -O3 -march=native. Numba: what SymPy's lambdify writes, with
common subexpressions named, compiled by `njit`. heyoka.py: a compiled function of the same formulas, given all points
at once, of which it too computes several at a time. Runs alternate and medians count.

heyoka.py divides the points among threads unless it is told not to, and takes the widest registers of the processor,
whatever Numba is told. Where Numba is held to narrower ones, what heyoka.py made for as many points at once as these
hold is compiled again for them.

What others compute is written by `python -m benchmarks.peers` in a process of its own.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from importlib import import_module
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import llvmlite.binding as llvm  # type: ignore[import-untyped]
import numpy as np
from numba import config, njit
from numpy.typing import NDArray
from rich.table import Table

from benchmarks import machine, seconds
from numerics.accuracy.domains import sampler
from numerics.kernels import Entry, numbers
from numerics.kernels.over_points import over_points
from numerics.machine.lanes.registers import registers
from numerics.machine.progress import table

Floats = NDArray[np.float64]
Way = Callable[[], Floats]
Operation = Sequence[Any]  # as derivations.kernels.program writes them
POINTS, ROUNDS, SEED = 2000, 7, 0
KERNELS: tuple[str, ...] = ()  # those that are measured; all of them where none is named
OURS, C, PLAIN, LAMBDIFIED, HEYOKA = "here", "C", "plain C", "njit(lambdify)", "heyoka.py"
NARROW_LOOP = """
define void @over_points(i64 %count, ptr %points, ptr %results) #0 {
start:
  br label %batch
batch:
  %at = phi i64 [0, %start], [%next, %batch]
  %inputs = getelementptr double, ptr %points, i64 %at
  %outputs = getelementptr double, ptr %results, i64 %at
  call void @cfunc(ptr %outputs, ptr %inputs, ptr null, ptr null, i64 %count) noinline
  %next = add i64 %at, DOUBLES
  %more = icmp slt i64 %next, %count
  br i1 %more, label %batch, label %end
end:
  ret void
}
"""
WORST = {C: 1.1, LAMBDIFIED: 1.0, HEYOKA: 1.0}  # the largest ratios aimed at


def tables(say: Callable[[str], None]) -> Iterator[Table]:
    """One table of times and of ratios to others' times."""
    say(machine("numpy", "numba", "sympy", "heyoka"))
    numbers_of = (OURS, *(f"here / {name}" for name in (C, PLAIN, LAMBDIFIED, HEYOKA)))
    result = table(f"ns per evaluation, and its ratio to others', {POINTS} points, 1 thread", ["kernel"], numbers_of)
    largest: dict[str, float] = {}
    with TemporaryDirectory() as name:
        peers = _written(Path(name), say)
        for entry in numbers().values():
            if not KERNELS or entry.id in KERNELS:
                found = seconds(candidates(entry, peers.get(entry.id), Path(name)), ROUNDS)
                ratios = {name: found[OURS] / found[name] for name in found if name != OURS}
                largest = {name: max(ratio, largest.get(name, 0.0)) for name, ratio in ratios.items()}
                shown = [f"{ratios[name]:.2f}" if name in ratios else "" for name in (C, PLAIN, LAMBDIFIED, HEYOKA)]
                result.add_row(entry.name, f"{1e9 * found[OURS] / POINTS:.2f}", *shown)
    yield result
    for name, ratio in largest.items():
        aim = f", aimed at: {WORST[name]:.1f}" if name in WORST else ""
        say(f"largest ratio to {name}: {ratio:.2f}{aim}")


def candidates(entry: Entry, peer: Mapping[str, Any] | None, folder: Path) -> dict[str, Way]:
    """Ways to fill an array of results, those of others only where they are there."""
    draw, rng = sampler(entry.arguments, entry.domain), np.random.default_rng(SEED)
    points = np.ascontiguousarray(np.transpose([draw(rng) for _ in range(POINTS)]))
    fills: dict[str, Callable[[Floats, Floats], object]] = {OURS: over_points(entry.id)}
    if peer is not None and peer["arguments"] == list(entry.arguments):
        if shutil.which("cc"):
            fills[C] = _c(folder / f"{peer['stem']}.c")
            fills[PLAIN] = _c(folder / f"{peer['stem']}_plain.c")
        fills[LAMBDIFIED] = _lambdified(folder / f"{peer['stem']}.py", entry.name)
        if find_spec("heyoka") is not None:
            fills[HEYOKA] = _heyoka(peer)
    return {
        name: partial(_filled, fill, points, np.empty((len(entry.returns), POINTS))) for name, fill in fills.items()
    }


def _filled(fill: Callable[[Floats, Floats], object], points: Floats, results: Floats) -> Floats:
    fill(points, results)
    return results


# --- others -----------------------------------------------------------------------------------------------------------


def _written(folder: Path, say: Callable[[str], None]) -> dict[str, dict[str, Any]]:
    """Return what the other room wrote, by the kernels' ids; what is not there is said."""
    for found, sentence in (
        (shutil.which("cc"), "there is no C compiler, so C is left out"),
        (find_spec("heyoka"), "heyoka.py is not installed, so it is left out: pip install heyoka"),
    ):
        if not found:
            say(sentence)
    if find_spec("heyoka") is not None and _is_held_to_less(import_module("heyoka")):
        say(f"heyoka.py would use wider registers: its code is compiled again, {registers().doubles} doubles at once")
    if find_spec("sympy") is None or find_spec("derivations") is None:
        say("SymPy or the derivations are not installed, so there is nobody to compare with")
        return {}
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    subprocess.run([sys.executable, "-m", "benchmarks.peers", str(folder)], check=True, env=environment)
    return read_peers(folder)


def read_peers(folder: Path) -> dict[str, dict[str, Any]]:
    rows = json.loads((folder / "peers.json").read_text(encoding="utf-8"))
    return {row["id"]: row for row in rows}


def _c(source: Path) -> Callable[[Floats, Floats], None]:
    library = source.with_suffix(".so")
    options = ["-std=c11", "-O3", "-march=native", "-shared", "-fPIC"]
    subprocess.run(["cc", *options, str(source), "-o", str(library), "-lm"], check=True)
    loop = ctypes.CDLL(str(library)).loop
    loop.argtypes = [ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]

    def fill(points: Floats, results: Floats) -> None:
        loop(points.shape[1], points.ctypes.data, results.ctypes.data)

    return fill


def _lambdified(source: Path, name: str) -> Callable[[Floats, Floats], None]:
    spec = spec_from_file_location(source.stem, source)
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    spec.loader.exec_module(module)
    setattr(module, name, njit(error_model="numpy")(getattr(module, name)))
    loop: Callable[[Floats, Floats], None] = njit(error_model="numpy")(module.loop)
    return loop


def _heyoka(peer: Mapping[str, Any]) -> Callable[[Floats, Floats], None]:
    heyoka = import_module("heyoka")
    variables = [heyoka.make_vars(name) for name in peer["arguments"]]
    known = dict(zip(peer["arguments"], variables, strict=True))
    for name, cases in peer["formulas"]:
        *branches, (_, last) = cases
        value = _expression(heyoka, last, known)
        for condition, other in reversed(branches):
            value = heyoka.select(_relation(heyoka, condition, known), _expression(heyoka, other, known), value)
        known[name] = value
    outputs, doubles = [known[name] for name in peer["returns"]], registers().doubles
    if _is_held_to_less(heyoka):
        return _narrower(heyoka, heyoka.cfunc(outputs, vars=variables, batch_size=doubles), doubles)
    heyoka.set_nthreads(1)
    compiled = heyoka.cfunc(outputs, vars=variables)
    return lambda points, results: compiled(inputs=points, outputs=results)


def _is_held_to_less(heyoka: Any) -> bool:
    """Check whether Numba is told to use narrower registers than heyoka.py takes."""
    return config.CPU_FEATURES is not None and registers().doubles < heyoka.recommended_simd_size()  # type: ignore[attr-defined]


def _narrower(heyoka: Any, compiled: Any, doubles: int) -> Callable[[Floats, Floats], None]:
    """heyoka's program for so many points at once, compiled for the registers that Numba uses; POINTS is a multiple."""
    cpu, features = config.CPU_NAME or llvm.get_host_cpu_name(), config.CPU_FEATURES  # type: ignore[attr-defined]
    told = {"target-cpu": cpu, "target-features": features, "prefer-vector-width": str(64 * doubles)}
    text = compiled.llvm_states[-1].ir + NARROW_LOOP.replace("DOUBLES", str(doubles))
    for name, value in told.items():
        text = re.sub(f'"{name}"="[^"]*"', f'"{name}"="{value}"', text)
    own = ctypes.CDLL(heyoka._core.__file__)
    for name in set(re.findall(r"@(Sleef_\w+)", text)):
        llvm.add_symbol(name, ctypes.cast(getattr(own, name), ctypes.c_void_p).value)
    target = llvm.Target.from_default_triple().create_target_machine(cpu=cpu, features=features, opt=3, jit=True)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(text), target)
    engine.finalize_object()
    loop = ctypes.CFUNCTYPE(None, ctypes.c_long, *[ctypes.c_void_p] * 2)(engine.get_function_address("over_points"))

    def fill(points: Floats, results: Floats) -> None:
        assert points.shape[1] % doubles == 0
        loop(points.shape[1], points.ctypes.data, results.ctypes.data)

    fill.engine = engine  # type: ignore[attr-defined]  # it holds the code
    return fill


def _relation(heyoka: Any, relation: Operation, known: Mapping[str, Any]) -> Any:
    sign, left, right = relation
    compare = {">": heyoka.gt, ">=": heyoka.gte, "=": heyoka.eq, "!=": heyoka.neq}[sign]
    return compare(_expression(heyoka, left, known), _expression(heyoka, right, known))


def _expression(heyoka: Any, operation: Operation, known: Mapping[str, Any]) -> Any:
    """heyoka's expression of an operation; what it has no function for is written in others."""
    head, *parts = operation
    match head:
        case "s":
            return known[parts[0]]
        case "q":
            return heyoka.expression(float(Fraction(parts[0])))
        case "pi":
            return heyoka.pi
        case "*":
            above, below = ([_expression(heyoka, part, known) for part in side] for side in parts[1:])
            value = heyoka.expression(float(Fraction(parts[0])))
            for factor in above:
                value *= factor
            for k, factor in enumerate(below):
                below[0] = factor if k == 0 else below[0] * factor
            return value / below[0] if below else value
        case "^":
            return _expression(heyoka, parts[0], known) ** float(parts[1])
    first, *others = (_expression(heyoka, part, known) for part in parts)
    match head:
        case "+":
            for other in others:
                first += other
            return first
        case "**":
            return first ** others[0]
        case "cbrt":
            return first ** (1.0 / 3.0)
        case "abs":
            return heyoka.select(heyoka.gte(first, heyoka.expression(0.0)), first, -first)
        case "expm1":
            return heyoka.exp(first) - 1.0
        case "relexp":
            return (heyoka.exp(first) - 1.0) / first
        case "relexp1":
            return (heyoka.exp(first) * (first - 1.0) + 1.0) / (first * first)
    return getattr(heyoka, head)(first)
