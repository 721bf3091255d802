"""Kernels as committed source: per paper one module of fast functions, one of ball twins, and an index of them all."""

from __future__ import annotations

import difflib
import json
import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from derivations.files import write_together
from derivations.kernels import Kernel, KernelError
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
from derivations.programs import Line, Operation, parts_of

PAPER = re.compile(r"[a-z][a-z0-9_]*")
EMITTED = "Emitted by `derivations update`; edit the paper, never this file."
UNTYPED = "# mypy: ignore-errors\n"
BALLS = "_balls"
INDEX = "index.json"
SUPPORT = ("proved", "certified")

# --- programs that formulas may call ----------------------------------------------------------------------------------

FAST_HELPERS = {
    "relexp": '''
@njit(cache=True, error_model="numpy")
def relexp(x):
    """(exp(x) - 1)/x, and 1 at x = 0."""
    if x == 0.0:
        return 1.0
    if x > 700.0:  # exp(x) may overflow where the quotient does not
        half = exp(0.5*x)
        return half*(half/x)
    return expm1(x)/x
''',
    "relexp1": '''
RELEXP1_SERIES = tuple(1.0/(factorial(n)*(n + 2)) for n in range(19, -1, -1))


@njit(cache=True, error_model="numpy")
def relexp1(x):
    """(exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0."""
    if abs(x) < 1.0:
        total = 0.0
        for coefficient in RELEXP1_SERIES:
            total = total*x + coefficient
        return total
    if x > 700.0:  # exp(x) may overflow where the quotient does not
        half = exp(0.5*x)
        return half*((x - 1.0)/x)*(half/x)
    return (x*exp(x) - expm1(x))/x/x
''',
}
FAST_NEEDS = {"relexp": {"exp", "expm1"}, "relexp1": {"exp", "expm1", "factorial"}}

EXACT = '''
def exact(value):
    """The number as written: a float's binary value, text such as 0.1, 1/3 or 0x1.8p+3, a ball as it is."""
    if isinstance(value, arb):
        return value
    number = Fraction(float.fromhex(value) if isinstance(value, str) and "0x" in value else value)
    return arb(number.numerator)/number.denominator
'''
BALL_HELPERS = {
    "power": '''
def power(x, n):
    """x to the integer n >= 2, for balls that may reach below zero."""
    result = x
    for _ in range(n - 1):
        result = result*x
    return result
''',
    "sqrt": '''
def sqrt(x):
    """The square root; a ball that reaches below zero is cut there."""
    return arb.nan() if x < 0 else x.nonnegative_part().sqrt()
''',
    "cbrt": '''
def cbrt(x):
    """The cube root of a ball that is not negative."""
    return x.root(3)
''',
    "relexp": '''
def relexp(x):
    """(exp(x) - 1)/x, and 1 at x = 0."""
    return x.hypgeom_1f1(1, 2)
''',
    "relexp1": '''
def relexp1(x):
    """(exp(x)*(x - 1) + 1)/x^2, and 1/2 at x = 0."""
    return x.hypgeom_1f1(2, 3)/2
''',
    "branch": '''
def branch(surely, surely_not, then, otherwise):
    """The value of the branch taken; where the condition is not decided, a ball around both."""
    if surely:
        return then()
    return otherwise() if surely_not else then().union(otherwise())
''',
}


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


def _docstring(kernel: Kernel, paper: str) -> str:
    printer = Printer()
    formulas = "\n".join(formula(printer, line, INDENT * 2) for line in kernel.formulas)
    facts = {
        "State": ", ".join(s.name for s in kernel.state),
        "Parameters": ", ".join(s.name for s in kernel.params),
        "Returns": ", ".join(kernel.returns),
        "Domain": ", ".join(condition.replace(" ", GLUE) for condition in domain_of(kernel)),
        "Rests on": ", ".join(support_of(kernel, paper)),
        "Source": kernel.cites,
        "Normal form": f"sha256 {kernel.sha256}",
    }
    listed = "\n".join(_paragraph(f"{title}: {text}", INDENT * 2) for title, text in facts.items() if text)
    return f"{_paragraph(f'{QUOTES}{kernel.says}', INDENT)}\n\n{formulas}\n\n{listed}\n{INDENT}{QUOTES}"


QUOTES = '"""'


def _paragraph(text: str, deeper: str) -> str:
    filled = textwrap.fill(text, WIDTH, initial_indent=INDENT, subsequent_indent=deeper, break_on_hyphens=False)
    return plain(filled)


def domain_of(kernel: Kernel) -> list[str]:
    return [plain(Printer().condition(relation)) for relation in kernel.conditions]


def support_of(kernel: Kernel, paper: str) -> list[str]:
    """The claims that the kernel rests on, by their full ids."""
    return [claim if ":" in claim else f"{paper}:{claim}" for claim in kernel.rests_on]


# --- one paper --------------------------------------------------------------------------------------------------------


def fast_module(paper: str, kernels: Sequence[Kernel]) -> str:
    called = calls(kernels)
    helpers = [name for name in FAST_HELPERS if name in called]
    needed = called.union(*(FAST_NEEDS[name] for name in helpers)) - {"abs", "branch", "cbrt", "power", *FAST_HELPERS}
    lines = [f'"""Kernels of {paper}, compiled on first use.\n\n{EMITTED}\n"""\n', UNTYPED]
    lines += [f"from math import {', '.join(sorted(needed))}\n"] * bool(needed)
    lines += ["import numpy as np"] * ("cbrt" in called) + ["from numba import njit"]
    parts = ["\n".join(lines), *(FAST_HELPERS[name].strip() for name in helpers)]
    return "\n\n\n".join([*parts, *(fast_function(kernel, paper) for kernel in kernels)]) + "\n"


def ball_module(paper: str, kernels: Sequence[Kernel]) -> str:
    called = calls(kernels)
    helpers = [name for name in BALL_HELPERS if name in called]
    plain = sorted(called - {"abs", "pi", *BALL_HELPERS})
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


def calls(kernels: Iterable[Kernel]) -> set[str]:
    """What the programs of some kernels call: functions, the constant pi, "power" and "branch"."""
    found: set[str] = set()

    def look(operation: Operation) -> None:
        head = operation[0]
        if head.isalnum() and head not in ("s", "q"):
            found.add(head)
        elif head == "^" and not is_short_product(operation):
            found.add("power")
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
    kernels_by_paper: Mapping[str, Sequence[Kernel]], verdicts: Mapping[str, str] | None = None
) -> dict[str, str]:
    """Every file by name. With verdicts ("proved", ... by full id), kernels on unproved claims are refused."""
    files: dict[str, str] = {}
    index = []
    for paper in sorted(kernels_by_paper):
        kernels = kernels_by_paper[paper]
        _check(paper, kernels, verdicts)
        if kernels:
            files[f"{paper}.py"] = fast_module(paper, kernels)
            files[f"{paper}{BALLS}.py"] = ball_module(paper, kernels)
        index += [_index_entry(kernel, paper) for kernel in kernels]
    files[INDEX] = json.dumps({"schema": 1, "kernels": index}, indent=1, ensure_ascii=False) + "\n"
    return files


def _index_entry(kernel: Kernel, paper: str) -> dict[str, object]:
    return {
        "name": kernel.name,
        "paper": paper,
        "says": kernel.says,
        "state": [s.name for s in kernel.state],
        "params": [s.name for s in kernel.params],
        "returns": list(kernel.returns),
        "domain": domain_of(kernel),
        "rests_on": support_of(kernel, paper),
        "cites": kernel.cites,
        "sha256": kernel.sha256,
    }


def _check(paper: str, kernels: Sequence[Kernel], verdicts: Mapping[str, str] | None) -> None:
    if not PAPER.fullmatch(paper) or paper.endswith(BALLS):
        raise KernelError(
            f"{paper!r} cannot name a module of kernels: use small letters, digits and _, not ending in {BALLS}"
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
    kernels_by_paper: Mapping[str, Sequence[Kernel]], directory: Path, verdicts: Mapping[str, str] | None = None
) -> list[str]:
    """Bring the directory up to date, all files or none; the names of those written or removed."""
    files = sources(kernels_by_paper, verdicts)
    return write_together(files, directory, obsolete=_obsolete(files, directory))


def stale(
    kernels_by_paper: Mapping[str, Sequence[Kernel]], directory: Path, verdicts: Mapping[str, str] | None = None
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
