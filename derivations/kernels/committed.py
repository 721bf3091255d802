"""Kernels as committed source: per paper modules of fast functions and of ball twins, and an index of them all."""

from __future__ import annotations

import difflib
import json
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from derivations.kernels import elementary
from derivations.kernels.helper_texts import (
    BALL_HELPERS,
    BALL_LOOP_HELPERS,
    BALL_MATRIX_HELPERS,
    EXACT,
    FLOAT_LOOP_HELPERS,
    FLOAT_MATRIX_HELPERS,
    called,
)
from derivations.kernels.indexed_kernel import IndexedKernel
from derivations.kernels.indexed_programs import BallLoops, FloatLoops, facts_of, steps_of
from derivations.kernels.jets_text import jets_modules
from derivations.kernels.kernel import Kernel, KernelError
from derivations.kernels.matrix_kernel import MatrixKernel
from derivations.kernels.matrix_programs import BallMatrices, FloatMatrices, Program, body, formulas
from derivations.kernels.printing import (
    GLUE,
    INDENT,
    WIDTH,
    Balls,
    Floats,
    Printer,
    branching,
    formula,
    is_short_product,
    plain,
    sorted_imports,
    wrapped,
)
from derivations.kernels.programs import Line, Operation, minor_of, parts_of
from derivations.language.words.algebra import by
from derivations.text import write_together

PAPER = re.compile(r"[a-z][a-z0-9_]*")
EMITTED = "Emitted by `derivations update`; edit the paper, never this file."
UNTYPED = "# mypy: ignore-errors\n"
BALLS, MATRICES = "_balls", "_matrices"
ENDINGS = (BALLS, MATRICES, "_jets")  # of names of modules
INDEX = "index.json"
AnyKernel = Kernel | MatrixKernel | IndexedKernel
SUPPORT = ("proved", "certified")
JITTED = '@njit(cache=True, error_model="numpy")'

# --- one function -----------------------------------------------------------------------------------------------------


def fast_function(kernel: Kernel, paper: str) -> str:
    return "\n".join(
        [
            JITTED,
            f"def {kernel.name}({', '.join(kernel.arguments)}):",
            _docstring(kernel, paper),
            *branching(kernel.program, Floats()),
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


def fast_loops(kernel: IndexedKernel, paper: str) -> str:
    head = f"def {kernel.name}({', '.join(kernel.arguments)}):"
    return "\n".join([JITTED, head, _docstring(kernel, paper), *FloatLoops(kernel).body()])


def ball_loops(kernel: IndexedKernel, paper: str) -> str:
    head = f"def {kernel.name}({', '.join(kernel.arguments)}, digits=50):"
    precise = f"{INDENT}with ctx.workdps(digits):"
    return "\n".join([head, _docstring(kernel, paper), precise, *BallLoops(kernel).body()])


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
    elif isinstance(kernel, IndexedKernel):
        shown, arguments = steps_of(kernel), facts_of(kernel)
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
    if isinstance(kernel, MatrixKernel | IndexedKernel):
        return kernel.conditions
    return [plain(Printer().condition(relation)) for relation in kernel.conditions]


def support_of(kernel: AnyKernel, paper: str) -> list[str]:
    """The claims that the kernel rests on, by their full ids."""
    return [claim if ":" in claim else f"{paper}:{claim}" for claim in kernel.rests_on]


# --- one paper --------------------------------------------------------------------------------------------------------


def fast_module(paper: str, kernels: Sequence[Kernel | IndexedKernel]) -> str:
    """Kernels with loops stand in one file with those that they call: a cached caller misses changes of other files."""
    numbers, loops = _sorted_out(kernels)
    looped = [fast_loops(kernel, paper) for kernel in loops]
    used = calls(numbers)
    lines = [f'"""Kernels of {paper}, compiled on first use.\n\n{EMITTED}\n"""\n', UNTYPED]
    parts = ["\n".join([*lines, sorted_imports(elementary.imports(used | {"cbrt"} if loops else used))])]
    parts += elementary.programs(used)
    parts += called("".join(looped), FLOAT_LOOP_HELPERS)
    return "\n\n\n".join([*parts, *(fast_function(kernel, paper) for kernel in numbers), *looped]) + "\n"


def ball_module(paper: str, kernels: Sequence[Kernel | IndexedKernel]) -> str:
    numbers, loops = _sorted_out(kernels)
    looped = [ball_loops(kernel, paper) for kernel in loops]
    used = calls(numbers)
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
    parts += called("".join(looped), BALL_LOOP_HELPERS)
    return "\n\n\n".join([*parts, *(ball_function(kernel, paper) for kernel in numbers), *looped]) + "\n"


def _sorted_out(kernels: Sequence[Kernel | IndexedKernel]) -> tuple[list[Kernel], list[IndexedKernel]]:
    return (
        [kernel for kernel in kernels if isinstance(kernel, Kernel)],
        [kernel for kernel in kernels if isinstance(kernel, IndexedKernel)],
    )


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


MODULES: dict[str, tuple[type[AnyKernel] | tuple[type[AnyKernel], ...], Callable[[str, Sequence[Any]], str]]] = {
    "": ((Kernel, IndexedKernel), fast_module),
    BALLS: ((Kernel, IndexedKernel), ball_module),
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
    index: dict[str, list[dict[str, object]]] = {kind: [] for kind in KINDS.values()}
    for paper in sorted(kernels_by_paper):
        _check(paper, kernels_by_paper[paper], verdicts)
        for suffix, (kind, module) in MODULES.items():
            if kernels := [kernel for kernel in kernels_by_paper[paper] if isinstance(kernel, kind)]:
                files[f"{paper}{suffix}.py"] = module(paper, kernels)
        files |= jets_modules(paper, kernels_by_paper[paper], EMITTED, UNTYPED)
        for kernel in kernels_by_paper[paper]:
            index[KINDS[type(kernel)]].append(_entry(kernel, paper))
    files[INDEX] = json.dumps({"schema": 1} | index, indent=1, ensure_ascii=False) + "\n"
    return files


KINDS: dict[type[AnyKernel], str] = {
    Kernel: "kernels",
    MatrixKernel: "matrix_kernels",
    IndexedKernel: "indexed_kernels",
}
"""Under what the index lists them."""


def _entry(kernel: AnyKernel, paper: str) -> dict[str, object]:
    arguments: dict[str, object]
    if isinstance(kernel, MatrixKernel):
        arguments = {"inputs": [[letter.name, *letter.shape] for letter in kernel.inputs]}
    elif isinstance(kernel, IndexedKernel):
        arguments = {"inputs": _shapes(kernel, kernel.arguments)}
    else:
        arguments = {"state": [s.name for s in kernel.state], "params": [s.name for s in kernel.params]}
    return {
        "name": kernel.name,
        "paper": paper,
        "says": kernel.says,
        **arguments,
        "returns": _shapes(kernel, kernel.returns) if isinstance(kernel, IndexedKernel) else list(kernel.returns),
        "domain": domain_of(kernel),
        "rests_on": support_of(kernel, paper),
        "cites": kernel.cites,
        "sha256": kernel.sha256,
    }


def _shapes(kernel: IndexedKernel, names: Iterable[str]) -> list[list[str]]:
    """Arrays with the ranges of their indices."""
    return [[name, *(r.name for r in kernel.arrays[name].ranges)] for name in names]


def _check(paper: str, kernels: Sequence[AnyKernel], verdicts: Mapping[str, str] | None) -> None:
    if not PAPER.fullmatch(paper) or paper.endswith(ENDINGS):
        raise KernelError(
            f"{paper!r} cannot name a module of kernels: use small letters, digits and _, "
            f"not ending in {', '.join(ENDINGS[:-1])} or {ENDINGS[-1]}"
        )
    names = [kernel.name for kernel in kernels]
    for kernel in kernels:
        for part in kernel.called if isinstance(kernel, IndexedKernel) else ():
            if part not in kernels:
                raise KernelError(f"the kernel {paper}:{kernel.name} calls {part.name}, which {paper} does not emit")
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
