"""Kernels with sums as Python files: loops for Numba and mpmath, and whole arrays at once for NumPy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from derivations.kernels.helper_texts import BALL_LOOP_HELPERS, FLOAT_LOOP_HELPERS, called
from derivations.kernels.indexed_kernel import IndexedKernel, Places
from derivations.kernels.indexed_programs import BallLoops, FloatLoops, Group, Line, Program
from derivations.kernels.printing import INDENT, Printer, sorted_imports
from derivations.kernels.reference import SHOWN
from derivations.kernels.targets import self_tests
from derivations.kernels.targets.arrays import NumPyFile
from derivations.kernels.targets.facts import Facts
from derivations.kernels.targets.loop_facts import about, check
from derivations.kernels.targets.loop_points import At, LoopReference, loop_references
from derivations.kernels.targets.names import spelled
from derivations.kernels.targets.printers import Mpmath
from derivations.kernels.targets.python import QUOTES, MpmathFile, NumbaFile, Python, docstring
from derivations.language.sums import Array
from derivations.language.sums.algebra import Factor

NUMPY_HELPERS = {
    "array": '''
def array(value, axes):
    """An array of floats with so many axes."""
    found = np.asarray(value, dtype=float)
    if found.ndim != axes:
        raise ValueError(f"an array of {axes} axes is needed, and this one has {found.ndim}")
    return found
''',
    "grid": '''
def grid(*sizes):
    """Indices that run through all combinations, each along an axis of its own."""
    return np.ix_(*map(np.arange, sizes))
''',
    "symmetric": '''
def symmetric(A):
    """Whether no two opposite entries of a square array differ."""
    return not np.any((A < A.T) | (A > A.T))
''',
}
MPMATH_HELPERS = BALL_LOOP_HELPERS | {
    "read": '''
def read(value, depth):
    """Nested lists of mpmath's numbers from nested rows of numbers."""
    return [read(row, depth - 1) for row in value] if depth else mp.convert(value)
''',
    "symmetric": BALL_LOOP_HELPERS["symmetric"].replace(" surely", ""),
}


@dataclass(frozen=True)
class WholeArrays(FloatLoops):
    """NumPy: an index is an array along an axis of its own, so that a line holds for all entries."""

    def read(self) -> list[Line]:
        return [(0, a.name, f"array({a.name}, {len(a.ranges)})") for a in self.kernel.inputs]

    def misfit(self, array: Array) -> str:
        sizes = ", ".join(r.name for r in array.ranges) + "," * (len(array.ranges) == 1)
        return f"{array.name}.shape != ({sizes})"

    def looped(self, places: Places, lines: Sequence[Line]) -> list[Line]:
        return [*self.indexed(places), *lines]

    def indexed(self, places: Places) -> list[Line]:
        names, sizes = ", ".join(p.name for p in places), ", ".join(p.range.name for p in places)
        return [(0, names + "," * (len(places) == 1), f"grid({sizes})")] * bool(places)

    def summed(self, group: Group, places: Places, name: str) -> list[Line]:
        axes = tuple(len(places) + k for k in range(len(group.bound)))
        text = f"np.sum({self.sum(group.inner, group.known(places))}, axis={axes})"
        return [*self.indexed((*places, *group.bound)), (0, name, text), *self.indexed(places)]

    def guarded(self, guards: Sequence[Factor], lines: Sequence[Line]) -> list[Line]:
        """The last line holds for equal indices only."""
        *first, (depth, head, text) = lines
        equal = " & ".join(f"({p} == {q})" if len(guards) > 1 else f"{p} == {q}" for _, p, q in guards)
        return [*first, (depth, head, f"np.where({equal}, {text}, {head})")]


@dataclass(frozen=True)
class MpmathLoops(BallLoops):
    """mpmath at its current precision: nested lists of its numbers."""

    numbers: Printer = field(default_factory=Mpmath)
    indent: str = INDENT
    options: tuple[str, ...] = ()

    def size(self, name: str) -> str:
        return f"mpf({name})"

    def read(self) -> list[Line]:
        return [(0, a.name, f"read({a.name}, {len(a.ranges)})") for a in self.kernel.inputs]


# --- files ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class LoopFile:
    """What the Python targets differ in."""

    numbers: Python
    """How the kernels of numbers are written that the loops call."""
    program: type[Program]
    helpers: Mapping[str, str]
    imports: tuple[str, ...]
    note: str
    test: str

    def file(self, kernel: IndexedKernel, facts: Facts) -> dict[str, str]:
        target = self.numbers.target
        check(kernel, facts, target)
        functions = [self.numbers.function(k, spelled(k, Facts(k.name), target)) for k in kernel.called]
        used = {name for k in kernel.called for name in self.numbers.used(k)}
        head = [*self.numbers.decorators(), f"def {facts.name}({', '.join(kernel.arguments)}):"]
        head.append(docstring(self.note, kernel.returns))
        function = "\n".join([*head, *self.program(kernel).body()])
        first, *rest = about(kernel, facts)
        said = "\n".join([f"{QUOTES}{first}", *rest, QUOTES])
        imports = sorted_imports({*self.numbers.imports(used), *self.imports})
        parts = [f"{said}\n\n{imports}", *self.numbers.helpers(used), *called(function, self.helpers)]
        parts += [*functions, function, _data(kernel)]
        parts += [self_tests.program(text, facts) for text in (self.test, self_tests.MAIN)]
        return {f"{facts.name}.py": "\n\n\n".join(parts) + "\n"}


# --- tests ------------------------------------------------------------------------------------------------------------

FLOAT_TEST = '''
def self_test():
    """What is wrong, in sentences; nothing where all is well."""
    found = []
    for k, (arguments, expected) in enumerate(POINTS):
        results = NAME(*(np.array(a) if isinstance(a, list) else a for a in arguments))
        for result, value, (texts, allowed) in zip(RESULTS, results, expected):
            entries = [Fraction(float(x)) if math.isfinite(x) else math.inf for x in np.ravel(value)]
            error = max(abs(x - Fraction(text)) for x, text in zip(entries, texts))
            if not (len(entries) == len(texts) and error <= allowed):
                sentence = f"{result} is off by {float(error):.3g}, and may be by {allowed}"
                found.append(f"NAME at point {k}: {sentence}")
    return found
'''
MPMATH_TEST = '''
def entries(value):
    """The numbers of nested lists, row by row."""
    return [x for row in value for x in entries(row)] if isinstance(value, list) else [value]


def self_test():
    """What is wrong, in sentences; nothing where all is well: with 60 digits, against 30."""
    found = []
    with mp.workdps(60):
        for k, (arguments, expected) in enumerate(POINTS):
            for result, value, (texts, _) in zip(RESULTS, NAME(*arguments), expected):
                wanted, given = list(map(mpf, texts)), entries(value)
                error = max(abs(x - y) for x, y in zip(given, wanted))
                if not (len(given) == len(wanted) and error <= max(map(abs, wanted))*mpf(10)**-28):
                    found.append(f"NAME at point {k}: {result} should be {texts}")
    return found
'''


def _data(kernel: IndexedKernel) -> str:
    """Inputs, and for every result its entries to so many digits and the largest error of any of them."""
    lines = [
        "\n".join(self_tests.listed("RESULTS = ", [f'"{name}"' for name in kernel.returns], "")),
        "",
        f"# Arguments; for every result its entries, row by row, to {SHOWN} digits and the largest error allowed.",
        "POINTS = [",
    ]
    for row in loop_references(kernel):
        arguments = [_nested(row, array) for array in kernel.inputs]
        lines += [f"{INDENT}(", *self_tests.listed(INDENT * 2, arguments, ","), f"{INDENT * 2}("]
        for texts, allowed in zip(row.texts, row.allowed, strict=True):
            lines += [f"{INDENT * 3}("]
            lines += self_tests.listed(INDENT * 4, [f'"{text}"' for text in texts.values()], ",")
            lines += [f"{INDENT * 4}{allowed!r},", f"{INDENT * 3}),"]
        lines += [f"{INDENT * 2}),", f"{INDENT}),"]
    return "\n".join([*lines, "]"])


def _nested(row: LoopReference, array: Array) -> str:
    """An input as nested lists."""

    def text(at: At) -> str:
        if len(at) == len(array.ranges):
            return repr(row.inputs[array.name][at])
        return f"[{', '.join(text((*at, k)) for k in range(row.sizes[array.ranges[len(at)].name]))}]"

    return text(())


TESTED = ("import math", "from fractions import Fraction", "import numpy as np")
NUMBA = LoopFile(
    NumbaFile(),
    FloatLoops,
    FLOAT_LOOP_HELPERS,
    (*TESTED, "from numba import njit"),
    "Takes arrays of doubles, and floats; compiled on the first call and cached beside this file.",
    FLOAT_TEST,
)
NUMPY = LoopFile(
    NumPyFile(), WholeArrays, NUMPY_HELPERS, TESTED, "Takes numbers, and arrays or nested rows of them.", FLOAT_TEST
)
MPMATH = LoopFile(
    MpmathFile(),
    MpmathLoops,
    MPMATH_HELPERS,
    ("from mpmath import mp, mpf",),
    "Takes nested rows of numbers, or of text such as 0.1; returns nested lists at the precision mp.dps.",
    MPMATH_TEST,
)
