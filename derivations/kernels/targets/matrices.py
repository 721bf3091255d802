"""Kernels of matrices of any size as files: for NumPy, mpmath and LaTeX."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import sympy as sp

from derivations.kernels.helper_texts import FLOAT_MATRIX_HELPERS, SIZES, called
from derivations.kernels.kernel import KernelError
from derivations.kernels.matrix_kernel import MatrixKernel, Primitive
from derivations.kernels.matrix_programs import FloatMatrices, People, Program, body, formulas
from derivations.kernels.printing import INDENT
from derivations.kernels.reference import SHOWN
from derivations.kernels.targets import self_tests
from derivations.kernels.targets.facts import EMITTED, Facts, described_origin, paragraph, table
from derivations.kernels.targets.latex import document, escaped, tabular
from derivations.kernels.targets.matrix_points import MatrixReference, matrix_references
from derivations.kernels.targets.names import PARTS, check_function
from derivations.kernels.targets.python import QUOTES
from derivations.language.words.algebra import by, name_of
from derivations.language.words.blocks import Blocks

MPMATH_HELPERS = {
    "matrix": '''
def matrix(value):
    """A matrix of mpmath's numbers from rows of numbers; one of mpmath's as it is."""
    return value if isinstance(value, mp.matrix) else mp.matrix([[mp.convert(x) for x in row] for row in value])
''',
    "sizes": SIZES.replace("SHAPE", "(matrix.rows, matrix.cols)"),
    "joined": '''
def joined(rows):
    """One matrix of rows of blocks."""
    lines = [sum(line, []) for row in rows for line in zip(*(block.tolist() for block in row))]
    return mp.matrix(lines)
''',
    "cut": '''
def cut(matrix, heights, widths):
    """The blocks of a matrix, row by row."""
    blocks, top = [], 0
    for height in heights:
        left = 0
        for width in widths:
            blocks.append(matrix[top:top + height, left:left + width])
            left += width
        top += height
    return blocks
''',
    "exponential_integral": '''
def exponential_integral(A, t):
    """The integral of exp(A s) over s from 0 to t: the upper right block of exp(t [A, I; 0, 0])."""
    n = A.rows
    whole = joined([[A*t, mp.eye(n)*t], [mp.zeros(n, n), mp.zeros(n, n)]])
    return cut(mp.expm(whole), (n, n), (n, n))[1]
''',
}


@dataclass(frozen=True)
class MpmathMatrices(Program):
    """mpmath at its current precision."""

    transpose: str = ".T"
    number: str = "mp.convert"
    indent: str = INDENT

    def identity(self, dimension: object) -> str:
        return f"mp.eye({dimension})"

    def zeros(self, rows: object, cols: object) -> str:
        return f"mp.zeros({rows}, {cols})"

    def primitive(self, value: Primitive) -> str:
        name = {"inverse": "mp.inverse", "exponential": "mp.expm"}.get(value.name)
        return super().primitive(value) if name is None else f"{name}({self.blocks(value.of)})"


@dataclass(frozen=True)
class Latex(People):
    """Formulas as mathematicians write them."""

    times: str = " "
    transpose: str = r"^{\top}"

    def _factor(self, factor: str) -> str:
        return letter(name_of(factor)) + (self.transpose if factor != name_of(factor) else "")

    def identity(self, dimension: object) -> str:
        return f"I_{{{letter(str(dimension))}}}"

    def blocks(self, blocks: Blocks) -> str:
        if len(list(blocks)) == 1:
            return self.words(blocks.only)
        rows = r" \\ ".join(" & ".join(map(self.words, row)) for row in blocks.rows)
        return rf"\begin{{pmatrix}} {rows} \end{{pmatrix}}"

    def primitive(self, value: Primitive) -> str:
        inner = rf"\left( {self.blocks(value.of)} \right)"
        if value.name == "inverse":
            return f"{inner}^{{-1}}"
        if value.time is None:
            return rf"\exp {inner}"
        return rf"\int_0^{{{self.words(value.time)}}} \exp \left( s {inner} \right) ds"


def letter(name: str) -> str:
    return str(sp.latex(sp.Symbol(name)))


# --- files ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Python:
    """What the Python targets differ in."""

    target: str
    program: Program
    imports: str
    helpers: Mapping[str, str]
    test: str

    def file(self, kernel: MatrixKernel, facts: Facts) -> dict[str, str]:
        _check(kernel, facts, self.target)
        note = f"{INDENT}{QUOTES}Takes matrices as rows of numbers; returns {', '.join(kernel.returns)}.{QUOTES}"
        head = f"def {facts.name}({', '.join(kernel.arguments)}):"
        function = "\n".join([head, note, *body(kernel, self.program)])
        first, *rest = about(kernel, facts)
        said = "\n".join([f"{QUOTES}{first}", *rest, QUOTES])
        parts = [f"{said}\n\n{self.imports}", *called(function, self.helpers), function, _data(kernel)]
        parts += [self_tests.program(text, facts) for text in (self.test, self_tests.MAIN)]
        return {f"{facts.name}.py": "\n\n\n".join(parts) + "\n"}


def _check(kernel: MatrixKernel, facts: Facts, target: str) -> None:
    check_function(facts, target)
    letters = [*kernel.arguments, *(x.name for step in kernel.steps for x in step.letters), *kernel.dimensions]
    if taken := sorted(PARTS[target].intersection(letters)):
        raise KernelError(
            f"{taken[0]} in the kernel {kernel.name} means something else in programs of the target {target}: "
            "give it another name"
        )


def about(kernel: MatrixKernel, facts: Facts) -> list[str]:
    """The sentence, the sources, the inputs, the results and the formulas."""
    return [
        *paragraph(f"{facts.name}: {kernel.says}"),
        "",
        *described_origin(kernel.cites, facts),
        "",
        "Arguments, real matrices in this order; those of shape 1 x 1 are numbers",
        *table([("name", "shape", "unit"), *((x.name, by(x.shape), "1") for x in kernel.inputs)]),
        *(["where"] if kernel.conditions else []),
        *(line for text in kernel.conditions for line in paragraph(text, INDENT, INDENT * 2)),
        "",
        "Results, matrices of unit 1 in this order",
        *table([("name", "shape"), *((name, _shape(value)) for name, value in kernel.returns.items())]),
        "",
        "Formulas",
        *(line.removeprefix(INDENT) for text in formulas(kernel) for line in text.splitlines()),
        "",
        "The test compares the program with its formulas, at matrices with the properties of single",
        "inputs that are listed above; what joins several inputs does not enter the formulas.",
        "",
        f"Normal form: sha256 {kernel.sha256}",
        EMITTED,
    ]


def _shape(value: Blocks) -> str:
    return f"{' + '.join(map(str, value.heights))} x {' + '.join(map(str, value.widths))}"


def latex_file(kernel: MatrixKernel, facts: Facts) -> dict[str, str]:
    people = Latex()
    shown = [(people.blocks(step.target), people.value(step.value)) for step in kernel.steps]
    shown += [(letter(name), people.blocks(value)) for name, value in kernel.returns.items()]
    inputs = [(f"${letter(x.name)}$", escaped(by(x.shape)), "1") for x in kernel.inputs]
    parts = [
        r"\subsection*{Arguments}",
        *tabular("lll", [("name", "shape", "unit"), *inputs]),
        *([r"\subsection*{Domain}"] if kernel.conditions else []),
        *(line for text in kernel.conditions for line in (r"\par", escaped(text))),
        r"\subsection*{Formulas}",
        *(rf"\[ {head} = {text} \]".replace("\u00a0", " ") for head, text in shown),
        rf"\subsection*{{Values to {SHOWN} digits}}",
        *(line for row in matrix_references(kernel) for line in _latex_values(kernel, row)),
    ]
    return document(kernel.says, kernel.cites, kernel.sha256, facts, parts)


def _latex_values(kernel: MatrixKernel, row: MatrixReference) -> list[str]:
    inputs = [
        rf"\[ {letter(name)} = {_pmatrix([list(map(repr, line)) for line in rows])} \]"
        for name, rows in row.inputs.items()
    ]
    results = [
        (escaped(name), f"({i + 1}, {j + 1})", text)
        for name, rows in zip(kernel.returns, row.texts, strict=True)
        for i, line in enumerate(rows)
        for j, text in enumerate(line)
    ]
    return [r"\par At", *inputs, *tabular("lll", [("result", "entry", "value"), *results])]


def _pmatrix(rows: Sequence[Sequence[str]]) -> str:
    inner = r" \\ ".join(" & ".join(row) for row in rows)
    return rf"\begin{{pmatrix}} {inner} \end{{pmatrix}}"


# --- tests ------------------------------------------------------------------------------------------------------------

NUMPY_TEST = '''
def self_test():
    """What is wrong, in sentences; nothing where all is well."""
    found = []
    for k, (arguments, expected) in enumerate(POINTS):
        for result, value, (rows, allowed) in zip(RESULTS, NAME(*arguments), expected):
            errors = [
                abs(Fraction(float(x)) - Fraction(text)) if math.isfinite(x) else math.inf
                for line, row in zip(np.reshape(value, (len(rows), -1)), rows)
                for x, text in zip(line, row)
            ]
            if not max(errors) <= allowed:
                found.append(f"NAME at point {k}: {result} is off by {float(max(errors)):.3g}, and may be by {allowed}")
    return found
'''
MPMATH_TEST = '''
def self_test():
    """What is wrong, in sentences; nothing where all is well: with 60 digits, against 30."""
    found = []
    with mp.workdps(60):
        for k, (arguments, expected) in enumerate(POINTS):
            for result, value, (rows, _) in zip(RESULTS, NAME(*arguments), expected):
                wanted = mp.matrix([[mpf(text) for text in row] for row in rows])
                size = max(map(abs, wanted))
                if not mp.mnorm(matrix(value) - wanted, mp.inf) <= size*mpf(10)**-28:
                    found.append(f"NAME at point {k}: {result} should be {rows}")
    return found
'''


NUMPY = Python(
    "numpy",
    FloatMatrices(),
    "import math\nfrom fractions import Fraction\n\nimport numpy as np",
    FLOAT_MATRIX_HELPERS,
    NUMPY_TEST,
)
MPMATH = Python("mpmath", MpmathMatrices(), "from mpmath import mp, mpf", MPMATH_HELPERS, MPMATH_TEST)


def _data(kernel: MatrixKernel) -> str:
    """Inputs, and for every result its entries to so many digits and the largest error of any of them."""
    lines = [
        "\n".join(self_tests.listed("RESULTS = ", [f'"{name}"' for name in kernel.returns], "")),
        "",
        f"# Arguments; for every result its entries to {SHOWN} digits and the largest error allowed.",
        "POINTS = [",
    ]
    for row in matrix_references(kernel):
        lines += [f"{INDENT}(", f"{INDENT * 2}("]
        for x in kernel.inputs:
            rows = row.inputs[x.name]
            lines += (
                [f"{INDENT * 3}{rows[0][0]!r},"]
                if x.shape == (1, 1)
                else _rows([list(map(repr, r)) for r in rows], INDENT * 3, ",")
            )
        lines += [f"{INDENT * 2}),", f"{INDENT * 2}("]
        for rows_of_text, allowed in zip(row.texts, row.allowed, strict=True):
            lines += [f"{INDENT * 3}("]
            lines += _rows([[f'"{text}"' for text in r] for r in rows_of_text], INDENT * 4, ",")
            lines += [f"{INDENT * 4}{allowed!r},", f"{INDENT * 3}),"]
        lines += [f"{INDENT * 2}),", f"{INDENT}),"]
    return "\n".join([*lines, "]"])


def _rows(rows: Sequence[Sequence[str]], indent: str, end: str) -> list[str]:
    inner = [line for row in rows for line in _list(row, indent + INDENT)]
    return [f"{indent}[", *inner, f"{indent}]{end}"]


def _list(row: Sequence[str], indent: str) -> list[str]:
    line = f"{indent}[{', '.join(row)}],"
    return [line] if len(line) <= 110 else [f"{indent}[", *(f"{indent}{INDENT}{item}," for item in row), f"{indent}],"]
