"""Functions that C, SciPy and other compiled code can call, made of the files for Numba."""

from __future__ import annotations

from collections.abc import Collection

TEXT = '''
"""@NAME@ and its derivatives as functions that compiled code calls, without Python in between.

    FUNCTIONS["@NAME@"].address      void f(double *arguments, double *results), for C and its like
    INTEGRANDS["@NAME@"][result]     a scipy.LowLevelCallable, for scipy.integrate.quad and nquad: it integrates over
                                     the first argument, and takes the others as `args`

The files @NAME@.py and those of its derivatives stand beside this one.

Emitted by `derivations emit`. Edit the kernel, never this file.
"""

import ctypes

from numba import cfunc, types
from scipy import LowLevelCallable

@IMPORTS@

POINTER = types.CPointer(types.double)
MODULES = (@MODULES@,)
KEPT = []  # what is compiled lives as long as this module


def callables(module):
    """For a module: the function of C, and an integrand for each of its results."""
    name = module.__name__
    results, arguments = len(module.RESULTS), len(module.POINTS[0][0])
    given = ", ".join(f"at[{k}]" for k in range(arguments))
    found = ", ".join(f"found[{k}]" for k in range(results)) + ","
    texts = [f"def whole(at, found):\\n    {found} = program({given})"]
    texts += [f"def part_{k}(n, at):\\n    return program({given})[{k}]" for k in range(results)]
    made = {"program": getattr(module, name)}
    exec("\\n".join(texts), made)
    whole = cfunc(types.void(POINTER, POINTER))(made["whole"])
    of_scipy = cfunc(types.double(types.intc, POINTER))
    parts = [of_scipy(made[f"part_{k}"]) for k in range(results)]
    KEPT.extend(parts)
    return whole, {result: LowLevelCallable(part.ctypes) for result, part in zip(module.RESULTS, parts)}


MADE = {module.__name__: callables(module) for module in MODULES}
FUNCTIONS = {name: whole for name, (whole, _) in MADE.items()}
INTEGRANDS = {name: parts for name, (_, parts) in MADE.items()}


def called(name, arguments, results):
    """The value that C gets from a function."""
    at, found = (ctypes.c_double*len(arguments))(*arguments), (ctypes.c_double*results)()
    FUNCTIONS[name].ctypes(at, found)
    return list(found)


def self_test():
    """Return faults as sentences; nothing where all is well."""
    found = []
    for module in MODULES:
        for place, (arguments, expected) in enumerate(module.POINTS):
            results = called(module.__name__, arguments, len(module.RESULTS))
            found += module.compared(f"point {place}", results, expected)
    return found
'''


def text(ways: Collection[str], *, flow: bool) -> str:
    """The module, for the kernel and the derivatives that stand beside it."""
    names = ["@NAME@", *(f"@NAME@_{way}" for way in ("jvp", "vjp") if way in ways)]
    imports = "\n".join(f"import {name}" for name in names)
    return TEXT.replace("@IMPORTS@", imports).replace("@MODULES@", ", ".join(names))
