"""Kernels as committed source: per paper modules of fast functions and of ball twins, and an index of them all."""

from __future__ import annotations

import difflib
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from derivations.carried import (
    BALL_HELPERS,
    BALL_MATRIX_HELPERS,
    EXACT,
    FAST_HELPERS,
    FAST_NEEDS,
    FLOAT_MATRIX_HELPERS,
    called,
)
from derivations.files import write_together
from derivations.kernels import Kernel, KernelError
from derivations.matrix_kernels import MatrixKernel
from derivations.matrix_programs import BallMatrices, FloatMatrices, Program, body, formulas
from derivations.printing import (
    GLUE,
    INDENT,
    WIDTH,
    Balls,
    Floats,
    Printer,
    formula,
    is_short_product,
    plain,
    wrapped,
)
from derivations.programs import Line, Operation, minor_of, parts_of
from derivations.word_algebra import by

PAPER = re.compile(r"[a-z][a-z0-9_]*")
EMITTED = "Emitted by `derivations update`; edit the paper, never this file."
UNTYPED = "# mypy: ignore-errors\n"
BALLS, MATRICES = "_balls", "_matrices"
INDEX = "index.json"
AnyKernel = Kernel | MatrixKernel
SUPPORT = ("proved", "certified")

# --- one function -----------------------------------------------------------------------------------------------------


def fast_function(kernel: Kernel, paper: str) -> str:
    body = [line for _, lines in groupby(kernel.program, _conditions) for line in _fast_lines(list(lines))]
    return "\n".join(
        [
            '@njit(cache=True, error_model="numpy")',
            f"def {kernel.name}({', '.join(kernel.arguments)}):",
            _docstring(kernel, paper),
            *body,
            _return(kernel, INDENT),
        ]
    )


def ball_function(kernel: Kernel, paper: str) -> str:
    names = ", ".join(kernel.arguments)
    exactly = f"exact({names})" if len(kernel.arguments) == 1 else f"map(exact, ({names}))"
    return "\n".join(
        [
            f"def {kernel.name}({names}, digits=50):",
            _docstring(kernel, paper),
            f"{INDENT}with ctx.workdps(digits):",
            f"{INDENT * 2}{names} = {exactly}",
            *(_ball_line(entry) for entry in kernel.program),
            _return(kernel, INDENT * 2),
        ]
    )


def matrix_function(kernel: MatrixKernel, paper: str, program: Program, options: str) -> str:
    precise = [f"{INDENT}with ctx.workdps(digits):"] if isinstance(program, BallMatrices) else []
    head = f"def {kernel.name}({', '.join(kernel.arguments)}{options}):"
    return "\n".join([head, _docstring(kernel, paper), *precise, *body(kernel, program)])


def _conditions(line: Line) -> tuple[Operation | None, ...]:
    return tuple(condition for condition, _ in line.cases)


def _fast_lines(lines: Sequence[Line]) -> list[str]:
    """Lines in a row that branch on the same conditions, as one branch."""
    printer = Floats()
    if len(lines[0].cases) == 1:
        return [wrapped(f"{line.name} = ", printer.text(line.cases[0][1])) for line in lines]
    result, word = [], "if"
    for k, condition in enumerate(_conditions(lines[0])):
        result.append(INDENT + (f"{word} {plain(printer.condition(condition))}:" if condition else "else:"))
        result += [wrapped(f"{line.name} = ", printer.text(line.cases[k][1]), INDENT * 2) for line in lines]
        word = "elif"
    return result


def _ball_line(line: Line) -> str:
    printer = Balls()
    *branches, (_, last) = line.cases
    text = printer.text(last)
    for condition, value in reversed(branches):
        assert condition is not None
        text = f"branch({', '.join(printer.decided(condition))}, lambda: {printer.text(value)}, lambda: {text})"
    return wrapped(f"{line.name} = ", text, INDENT * 2)


def _return(kernel: Kernel, indent: str) -> str:
    names = list(kernel.returns)
    return f"{indent}return ({names[0]},)" if len(names) == 1 else f"{indent}return {', '.join(names)}"


def _docstring(kernel: AnyKernel, paper: str) -> str:
    """The sentence, the formulas as people write them, and the facts."""
    if isinstance(kernel, MatrixKernel):
        shown = formulas(kernel)
        arguments = {"Inputs": ", ".join(f"{x.name}{GLUE}({by(x.shape)})".replace(" ", GLUE) for x in kernel.inputs)}
    else:
        shown = [formula(Printer(), line, INDENT * 2) for line in kernel.formulas]
        arguments = {
            "State": ", ".join(s.name for s in kernel.state),
            "Parameters": ", ".join(s.name for s in kernel.params),
        }
    facts = arguments | {
        "Returns": ", ".join(kernel.returns),
        "Domain": ", ".join(condition.replace(" ", GLUE) for condition in domain_of(kernel)),
        "Rests on": ", ".join(support_of(kernel, paper)),
        "Source": kernel.cites,
        "Normal form": f"sha256 {kernel.sha256}",
    }
    listed = "\n".join(_paragraph(f"{title}: {text}", INDENT * 2) for title, text in facts.items() if text)
    lines = "\n".join(shown)
    return f"{_paragraph(f'{QUOTES}{kernel.says}', INDENT)}\n\n{lines}\n\n{listed}\n{INDENT}{QUOTES}"


QUOTES = '"""'


def _paragraph(text: str, deeper: str) -> str:
    filled = textwrap.fill(text, WIDTH, initial_indent=INDENT, subsequent_indent=deeper, break_on_hyphens=False)
    return plain(filled)


def domain_of(kernel: AnyKernel) -> list[str]:
    if isinstance(kernel, MatrixKernel):
        return kernel.conditions
    return [plain(Printer().condition(relation)) for relation in kernel.conditions]


def support_of(kernel: AnyKernel, paper: str) -> list[str]:
    """The claims that the kernel rests on, by their full ids."""
    return [claim if ":" in claim else f"{paper}:{claim}" for claim in kernel.rests_on]


# --- one paper --------------------------------------------------------------------------------------------------------


def fast_module(paper: str, kernels: Sequence[Kernel]) -> str:
    used = calls(kernels)
    helpers = [name for name in FAST_HELPERS if name in used]
    needed = used.union(*(FAST_NEEDS[name] for name in helpers)) - {"abs", "branch", "cbrt", "power", *FAST_HELPERS}
    lines = [f'"""Kernels of {paper}, compiled on first use.\n\n{EMITTED}\n"""\n', UNTYPED]
    lines += [f"from math import {', '.join(sorted(needed))}\n"] * bool(needed)
    lines += ["import numpy as np"] * ("cbrt" in used) + ["from numba import njit"]
    parts = ["\n".join(lines), *(FAST_HELPERS[name].strip() for name in helpers)]
    return "\n\n\n".join([*parts, *(fast_function(kernel, paper) for kernel in kernels)]) + "\n"


def ball_module(paper: str, kernels: Sequence[Kernel]) -> str:
    used = calls(kernels)
    helpers = [name for name in BALL_HELPERS if name in used]
    plain = sorted(used - {"abs", "pi", "minor", *BALL_HELPERS})
    lines = [
        f'"""Ball twins of the kernels of {paper}: every result is an interval that surely holds the value.\n',
        "Arguments are taken exactly as written. `digits` is the working precision; radii tell what is left of it.\n",
        f'{EMITTED}\n"""\n',
        UNTYPED,
        "from fractions import Fraction\n",
        "from flint import arb, ctx",
    ]
    lines += ["", *(f"{name} = arb.{name}" for name in plain)] * bool(plain)
    parts = ["\n".join(lines), EXACT.strip(), *(BALL_HELPERS[name].strip() for name in helpers)]
    return "\n\n\n".join([*parts, *(ball_function(kernel, paper) for kernel in kernels)]) + "\n"


def matrix_module(paper: str, kernels: Sequence[MatrixKernel]) -> str:
    functions = [matrix_function(kernel, paper, FloatMatrices(), "") for kernel in kernels]
    lines = [
        f'"""Matrix kernels of {paper} in plain NumPy, which overflows where a matrix exponential does.\n',
        f'{EMITTED}\n"""\n',
        UNTYPED,
        "import numpy as np",
    ]
    return "\n\n\n".join(["\n".join(lines), *called("".join(functions), FLOAT_MATRIX_HELPERS), *functions]) + "\n"


def ball_matrix_module(paper: str, kernels: Sequence[MatrixKernel]) -> str:
    functions = [matrix_function(kernel, paper, BallMatrices(), ", digits=50") for kernel in kernels]
    lines = [
        f'"""Ball twins of the matrix kernels of {paper}: every entry is an interval that surely holds the value.\n',
        "Matrices are rows of numbers, taken exactly as written. `digits` is the working precision; radii tell what",
        "is left of it, and a ZeroDivisionError that it is too small to tell a matrix from one without an inverse.\n",
        f'{EMITTED}\n"""\n',
        UNTYPED,
        "from fractions import Fraction\n",
        "from flint import arb, arb_mat, ctx",
    ]
    parts = ["\n".join(lines), *called("".join(functions), BALL_MATRIX_HELPERS), *functions]
    return "\n\n\n".join(parts) + "\n"


MODULES: dict[str, tuple[type[AnyKernel], Callable[[str, Sequence[Any]], str]]] = {
    "": (Kernel, fast_module),
    BALLS: (Kernel, ball_module),
    MATRICES: (MatrixKernel, matrix_module),
    MATRICES + BALLS: (MatrixKernel, ball_matrix_module),
}
"""What the modules of a paper are called after its key, and what they hold."""


def calls(kernels: Iterable[Kernel]) -> set[str]:
    """What the programs of some kernels call: functions, the constant pi, "power", "minor" and "branch"."""
    found: set[str] = set()

    def look(operation: Operation) -> None:
        head = operation[0]
        if head.isalnum() and head not in ("s", "q"):
            found.add(head)
        elif head == "^" and not is_short_product(operation):
            found.add("power")
        elif minor_of(operation):
            found.add("minor")
        for part in parts_of(operation):
            look(part)

    for line in (line for kernel in kernels for line in kernel.program):
        found |= {"branch"} if len(line.cases) > 1 else set()
        for condition, value in line.cases:
            look(value)
            if condition is not None:
                look(condition)
    return found


# --- a directory ------------------------------------------------------------------------------------------------------


def sources(
    kernels_by_paper: Mapping[str, Sequence[AnyKernel]], verdicts: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Every file by name. With verdicts ("proved", ... by full id), kernels on unproved claims are refused."""
    files: dict[str, str] = {}
    index: dict[str, list[dict[str, object]]] = {"kernels": [], "matrix_kernels": []}
    for paper in sorted(kernels_by_paper):
        _check(paper, kernels_by_paper[paper], verdicts)
        for suffix, (kind, module) in MODULES.items():
            if kernels := [kernel for kernel in kernels_by_paper[paper] if isinstance(kernel, kind)]:
                files[f"{paper}{suffix}.py"] = module(paper, kernels)
        for kernel in kernels_by_paper[paper]:
            index["matrix_kernels" if isinstance(kernel, MatrixKernel) else "kernels"].append(_entry(kernel, paper))
    files[INDEX] = json.dumps({"schema": 1} | index, indent=1, ensure_ascii=False) + "\n"
    return files


def _entry(kernel: AnyKernel, paper: str) -> dict[str, object]:
    arguments: dict[str, object] = (
        {"inputs": [[letter.name, *letter.shape] for letter in kernel.inputs]}
        if isinstance(kernel, MatrixKernel)
        else {"state": [s.name for s in kernel.state], "params": [s.name for s in kernel.params]}
    )
    return {
        "name": kernel.name,
        "paper": paper,
        "says": kernel.says,
        **arguments,
        "returns": list(kernel.returns),
        "domain": domain_of(kernel),
        "rests_on": support_of(kernel, paper),
        "cites": kernel.cites,
        "sha256": kernel.sha256,
    }


def _check(paper: str, kernels: Sequence[AnyKernel], verdicts: Mapping[str, str] | None) -> None:
    if not PAPER.fullmatch(paper) or paper.endswith((BALLS, MATRICES)):
        raise KernelError(
            f"{paper!r} cannot name a module of kernels: use small letters, digits and _, "
            f"not ending in {BALLS} or {MATRICES}"
        )
    names = [kernel.name for kernel in kernels]
    for kernel in kernels:
        if names.count(kernel.name) > 1:
            raise KernelError(f"two kernels of {paper} are called {kernel.name}: give one of them another name")
        for claim in support_of(kernel, paper) if verdicts is not None else ():
            verdict = (verdicts or {}).get(claim, "unknown")
            if verdict not in SUPPORT:
                raise KernelError(
                    f"the kernel {paper}:{kernel.name} rests on {claim}, whose verdict is {verdict}: "
                    "a kernel rests on proved or certified claims only, so name the claim that corrects it"
                )


def write_all(
    kernels_by_paper: Mapping[str, Sequence[AnyKernel]], directory: Path, verdicts: Mapping[str, str] | None = None
) -> list[str]:
    """Bring the directory up to date, all files or none; the names of those written or removed."""
    files = sources(kernels_by_paper, verdicts)
    return write_together(files, directory, obsolete=_obsolete(files, directory))


def stale(
    kernels_by_paper: Mapping[str, Sequence[AnyKernel]], directory: Path, verdicts: Mapping[str, str] | None = None
) -> str:
    """What `write_all` would change, as a diff; empty if the directory is up to date."""
    files: dict[str, str] = sources(kernels_by_paper, verdicts)
    wanted = files | dict.fromkeys(_obsolete(files, directory), "")
    return "".join(_difference(directory / name, text) for name, text in sorted(wanted.items()))


def _difference(path: Path, text: str) -> str:
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    sides = (before.splitlines(keepends=True), text.splitlines(keepends=True))
    return "".join(difflib.unified_diff(*sides, f"{path.name} (there)", f"{path.name} (emitted)"))


def _obsolete(files: Mapping[str, str], directory: Path) -> list[str]:
    """Emitted modules of papers that have no kernels any more."""
    there = sorted(path for path in directory.glob("*.py") if path.name not in files)
    return [path.name for path in there if EMITTED in path.read_text(encoding="utf-8")]
