"""Kernels as committed source: per paper a module of fast functions, an index of all, and what carries programs out.

The index holds every kernel's program as data. `balls.py`, a copy of `derivations.kernels.balls`, evaluates it in
intervals: numerics runs without SymPy, so that it imports nothing from here.
"""

from __future__ import annotations

import difflib
import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from derivations.kernels import balls, elementary
from derivations.kernels.helper_texts import FLOAT_LOOP_HELPERS, FLOAT_MATRIX_HELPERS, called
from derivations.kernels.indexed_kernel import IndexedKernel
from derivations.kernels.indexed_programs import FloatLoops, facts_of, steps_of
from derivations.kernels.jets_text import jets_modules
from derivations.kernels.kernel import Kernel, KernelError
from derivations.kernels.lowering import AnyKernel, lowered_kernel
from derivations.kernels.matrix_kernel import MatrixKernel
from derivations.kernels.matrix_programs import FloatMatrices, body, formulas
from derivations.kernels.printing import (
    GLUE,
    INDENT,
    WIDTH,
    Floats,
    Printer,
    branching,
    formula,
    is_short_product,
    plain,
    sorted_imports,
)
from derivations.kernels.program import text_of
from derivations.kernels.programs import Operation, minor_of, parts_of
from derivations.language.words.algebra import by
from derivations.text import write_together

PAPER = re.compile(r"[a-z][a-z0-9_]*")
EMITTED = "Emitted by `derivations update`; edit the paper, never this file."
UNTYPED = "# mypy: ignore-errors\n"
JETS = "_jets"  # how the names of modules of jets end
INDEX, BALLS = "index.json", "balls.py"
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


def matrix_function(kernel: MatrixKernel, paper: str) -> str:
    head = f"def {kernel.name}({', '.join(kernel.arguments)}):"
    return "\n".join([head, _docstring(kernel, paper), *body(kernel, FloatMatrices())])


def fast_loops(kernel: IndexedKernel, paper: str) -> str:
    head = f"def {kernel.name}({', '.join(kernel.arguments)}):"
    return "\n".join([JITTED, head, _docstring(kernel, paper), *FloatLoops(kernel).body()])


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


def module(paper: str, kernels: Sequence[AnyKernel]) -> str:
    """Kernels of one paper stand in one file with those that they call: a cached caller misses changes of other files.

    Those of matrices are plain NumPy, which overflows where a matrix exponential does.
    """
    numbers = [kernel for kernel in kernels if isinstance(kernel, Kernel)]
    loops = [fast_loops(kernel, paper) for kernel in kernels if isinstance(kernel, IndexedKernel)]
    matrices = [matrix_function(kernel, paper) for kernel in kernels if isinstance(kernel, MatrixKernel)]
    used = calls(numbers)
    imports = elementary.imports(used | {"cbrt"} if loops else used) if numbers or loops else []
    imports = [*dict.fromkeys([*imports, *["import numpy as np"] * bool(matrices)])]
    lines = [f'"""Kernels of {paper}, compiled on first use.\n\n{EMITTED}\n"""\n', UNTYPED, sorted_imports(imports)]
    parts = ["\n".join(lines), *elementary.programs(used), *called("".join(loops), FLOAT_LOOP_HELPERS)]
    parts += [*(fast_function(kernel, paper) for kernel in numbers), *loops]
    return "\n\n\n".join([*parts, *called("".join(matrices), FLOAT_MATRIX_HELPERS), *matrices]) + "\n"


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
    rows: list[str] = []
    for paper in sorted(kernels_by_paper):
        kernels = kernels_by_paper[paper]
        _check(paper, kernels, verdicts)
        if kernels:
            files[f"{paper}.py"] = module(paper, kernels)
        files |= jets_modules(paper, kernels, EMITTED, UNTYPED)
        rows += [_row(kernel, paper) for kernel in kernels]
    if rows:
        files[BALLS] = _copied(Path(balls.__file__).read_text(encoding="utf-8"))
    listed = ",\n".join(rows)
    files[INDEX] = f'{{\n "schema": 2,\n "kernels": [\n{listed}\n ]\n}}\n'
    return files


def _copied(text: str) -> str:
    """A module of this package as it is emitted beside the index."""
    said, rest = text.split('\n"""\n', 1)
    return f'{said}\n\n{EMITTED}\n"""\n\n{UNTYPED}{rest}'


def _row(kernel: AnyKernel, paper: str) -> str:
    """What the index says about a kernel; its program stands last, a line for every statement."""
    program = lowered_kernel(kernel)
    facts = {
        "name": kernel.name,
        "paper": paper,
        "says": kernel.says,
        "inputs": [value.row for value in program.inputs],
        "returns": [value.row for value in program.returns],
        "domain": domain_of(kernel),
        "rests_on": support_of(kernel, paper),
        "cites": kernel.cites,
        "sha256": kernel.sha256,
    }
    lines = [f'   "{key}": {json.dumps(value, ensure_ascii=False)},\n' for key, value in facts.items()]
    return f'  {{\n{"".join(lines)}   "program": {text_of(program.data)}\n  }}'


def _check(paper: str, kernels: Sequence[AnyKernel], verdicts: Mapping[str, str] | None) -> None:
    if not PAPER.fullmatch(paper) or paper.endswith(JETS) or paper == Path(BALLS).stem:
        raise KernelError(
            f"{paper!r} cannot name a module of kernels: use small letters, digits and _, not ending in {JETS}, "
            f"and another name than {Path(BALLS).stem}"
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
