"""Kernels as others would compute them, in files for benchmarks: `python -m benchmarks.peers DIR`.

    NAME.c        the emitted C function, called in a loop over points
    NAME_plain.c  the same formulas without what keeps digits: products are rounded before they are subtracted, and
                  relexp(x) is (exp(x) - 1)/x
    NAME.py       the function that SymPy's lambdify writes, with common subexpressions named, and a loop over points
    peers.json    of every kernel its id, arguments, returns, and the formulas as nested lists

The lists name operations as derivations.kernels.program does; a reader builds another library's expressions of them.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sympy as sp
from sympy.printing.precedence import PRECEDENCE
from sympy.printing.pycode import PythonCodePrinter

from derivations.kernels.kernel import Kernel
from derivations.kernels.lowering.operations import minor_of
from derivations.kernels.program import Operation
from derivations.kernels.targets import c
from derivations.kernels.targets.carried import helper_texts
from derivations.kernels.targets.dialects import C
from derivations.kernels.targets.facts import Facts
from derivations.kernels.targets.names import check_names
from derivations.kernels.targets.printing import Printer
from derivations.language.functions import expm1, relexp, relexp1
from derivations.language.terms import as_expression
from derivations.paper.library import library
from derivations.text import write_together

C_LOOP = """
void loop(long count, const double *restrict points, double *restrict results)
{
    for (long i = 0; i < count; i++) {
        double result[RETURNS];
        NAME(ARGUMENTS, result);
STORED    }
}
"""
PYTHON_LOOP = """

def loop(points, results):
    for i in range(points.shape[1]):
        STORED, = NAME(ARGUMENTS)
"""
PLAIN = {
    "relexp": "static inline double relexp(double x) { return (exp(x) - 1.0)/x; }",
    "relexp1": "static inline double relexp1(double x) { return (exp(x)*(x - 1.0) + 1.0)/(x*x); }",
}


@dataclass(frozen=True)
class Plain(C):
    """C as a hand writes it down, without what keeps digits, to compare speed with."""

    def _print(self, operation: Operation, *, alone: bool = True) -> tuple[str, int]:
        if minor_of(operation):
            return Printer._print(self, operation, alone=alone)
        return super()._print(operation, alone=alone)


def _program(kernel: Kernel, *, plain: bool = False) -> str:
    """The function of a kernel of numbers alone, with what it calls."""
    check_names(kernel, Facts(kernel.name), "c")
    written = c.Written(kernel, Facts(kernel.name))
    if plain:
        written.printer, written.known = Plain(), helper_texts.C | PLAIN
    function = written.function(f"{c.IN_C} ")
    return c.joined(["#include <math.h>", *written.helpers(function), function])


def files_of(kernels: Sequence[tuple[str, Kernel]]) -> dict[str, str]:
    """The files of kernels by their papers."""
    files, rows = {}, []
    for paper, kernel in kernels:
        stem = f"{paper}_{kernel.name}"
        files[f"{stem}.c"] = _program(kernel) + _loop(kernel)
        files[f"{stem}_plain.c"] = _program(kernel, plain=True) + _loop(kernel)
        files[f"{stem}.py"] = lambdified(kernel)
        rows.append(
            {
                "id": f"{paper}:{kernel.name}",
                "stem": stem,
                "arguments": kernel.arguments,
                "returns": list(kernel.returns),
                "formulas": [[line.name, line.cases] for line in kernel.of_numbers.lines],
            }
        )
    return files | {"peers.json": json.dumps(rows, indent=1) + "\n"}


def _loop(kernel: Kernel) -> str:
    arguments = ", ".join(f"points[{k}*count + i]" for k in range(len(kernel.arguments)))
    stored = "".join(f"        results[{k}*count + i] = result[{k}];\n" for k in range(len(kernel.returns)))
    text = C_LOOP.replace("RETURNS", str(len(kernel.returns))).replace("ARGUMENTS", arguments)
    return text.replace("NAME", kernel.name).replace("STORED", stored)


def lambdified(kernel: Kernel) -> str:
    """The text of what lambdify makes of the returns, under the kernel's name, with the shared parts named.

    Inserted into each other, parts that branch on parts that branch keep SymPy busy for more than a minute.
    """
    symbols = [*kernel.state, *kernel.params]
    shared = [(part, _known_to_sympy(as_expression(expression))) for part, expression in kernel.shared]
    returns = tuple(_known_to_sympy(as_expression(expression)) for expression in kernel.returns.values())
    function = sp.lambdify(symbols, returns, modules="math", printer=Quotients(SHORT), cse=lambda _: (shared, returns))
    text = inspect.getsource(function)
    names = sorted(set(re.findall(r"\w+", text)) & set(MATH))
    head = f"from math import {', '.join(names)}\n\n\n" if names else ""
    arguments = ", ".join(f"points[{k}, i]" for k in range(len(symbols)))
    stored = ", ".join(f"results[{k}, i]" for k in range(len(kernel.returns)))
    loop = PYTHON_LOOP.replace("STORED", stored).replace("NAME", kernel.name).replace("ARGUMENTS", arguments)
    return head + text.replace("_lambdifygenerated", kernel.name, 1) + loop


class Quotients(PythonCodePrinter):  # type: ignore[misc]
    """x**(-2) as 1/x**2: Numba raises an error for the first at zero, even where it is told to divide as NumPy does."""

    def _print_Pow(self, power: sp.Pow, rational: bool = False) -> str:
        if power.exp.is_Integer and power.exp < -1:
            return f"(1/{self.parenthesize(1 / power, PRECEDENCE['Pow'])})"
        return str(super()._print_Pow(power, rational=rational))


SHORT = {"fully_qualified_modules": False, "inline": True}
MATH = ("asin", "cosh", "erf", "exp", "log", "pi", "sin", "cos", "sinh", "sqrt", "tanh", "cbrt")


def _known_to_sympy(expression: Any) -> Any:
    return expression.replace(lambda e: isinstance(e, expm1 | relexp | relexp1), lambda e: e.rewrite(sp.exp))


def main(arguments: Sequence[str]) -> int:
    if len(arguments) != 1:
        print("benchmarks.peers: give the one folder to write into", file=sys.stderr)
        return 2
    kernels = [(p.key, k) for p in library().values() for k in p.kernels if not any(value.axes for value in k.inputs)]
    write_together(files_of(kernels), Path(arguments[0]))
    return 0
