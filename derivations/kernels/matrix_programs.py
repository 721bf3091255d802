"""Matrix kernels as source: a plain NumPy program, and its ball twin in python-flint alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from derivations.kernels.matrix_kernel import MatrixKernel, Primitive, Step, is_diagonal
from derivations.kernels.printing import GLUE, INDENT, INNER, wrapped
from derivations.language.words import Words
from derivations.language.words.algebra import PRIME, Monomial, name_of, order
from derivations.language.words.blocks import Blocks


@dataclass(frozen=True)
class People:
    """Formulas as they are read; the targets change how products, transposes and primitives are written."""

    times: str = "*"
    transpose: str = "'"

    def words(self, words: Words) -> str:
        """A sum of products; positive terms first, so that a line rarely starts with a minus sign."""
        terms = sorted(words.terms.items(), key=lambda term: (term[1] < 0, order(term[0])))
        if not terms:
            return self.zeros(*words.shape)
        first, *rest = (self._term(monomial, coefficient, words) for monomial, coefficient in terms)
        sign, text = first
        start = f"-{text}" if sign == "-" else text
        return start + "".join(f" {sign}{GLUE}{text}" for sign, text in rest)

    def _term(self, monomial: Monomial, coefficient: Fraction, words: Words) -> tuple[str, str]:
        scalars, outer = monomial
        size = abs(coefficient)
        factors = [str(size.numerator)] if size.numerator != 1 else []
        factors += [scalar[0] for scalar in scalars]
        product = self.times.join(map(self._factor, outer))
        if not outer and words.shape != (1, 1):
            product = self.identity(words.shape[0])
        text = "*".join([*factors, *([product] if product else [])]) or "1"
        return "-" if coefficient < 0 else "+", text + (f"/{size.denominator}" if size.denominator != 1 else "")

    def _factor(self, factor: str) -> str:
        return name_of(factor) + (self.transpose if factor.endswith(PRIME) else "")

    def identity(self, dimension: object) -> str:
        return f"identity({dimension})"

    def zeros(self, rows: object, cols: object) -> str:
        return "0"

    def blocks(self, blocks: Blocks) -> str:
        if len(list(blocks)) == 1:
            return self.words(blocks.only)
        return f"[{f';{GLUE}'.join(f',{GLUE}'.join(map(self.words, row)) for row in blocks.rows)}]"

    def primitive(self, value: Primitive) -> str:
        time = f", {self.words(value.time)}" if value.time is not None else ""
        return f"{value.name}({self.blocks(value.of)}{time})"

    def value(self, value: Blocks | Primitive) -> str:
        return self.primitive(value) if isinstance(value, Primitive) else self.blocks(value)


@dataclass(frozen=True)
class Program(People):
    """What both targets share: blocks are joined and cut by name."""

    join: str = "joined"
    number: str = "exact"
    indent: str = INDENT * 2

    def blocks(self, blocks: Blocks) -> str:
        if len(list(blocks)) == 1:
            return self.words(blocks.only)
        rows = (f"[{', '.join(self.words(block).replace(' ', INNER) for block in row)}]" for row in blocks.rows)
        return f"{self.join}([{', '.join(rows)}])"

    def step(self, step: Step) -> list[str]:
        letters = [letter.name for letter in step.letters]
        if isinstance(step.value, Blocks):
            pairs = zip(letters, step.value, strict=True)
            return [wrapped(f"{name} = ", self.words(block), self.indent) for name, block in pairs]
        text = self.primitive(step.value)
        if len(letters) > 1:
            text = f"cut({text}, {_listed(step.target.heights)}, {_listed(step.target.widths)})"
        return [wrapped(f"{', '.join(letters)} = ", text, self.indent)]


@dataclass(frozen=True)
class FloatMatrices(Program):
    """NumPy: a readable second witness on floats, without precautions against overflow."""

    times: str = f" @{GLUE}"
    transpose: str = ".T"
    join: str = "np.block"
    number: str = "float"
    indent: str = INDENT

    def identity(self, dimension: object) -> str:
        return f"np.eye({dimension})"

    def zeros(self, rows: object, cols: object) -> str:
        return f"np.zeros(({rows}, {cols}))"

    def primitive(self, value: Primitive) -> str:
        text = self.blocks(value.of)
        if value.name == "inverse":
            return f"np.linalg.inv({text})"
        if value.time is not None:
            time = self.words(value.time)
            return f"spectral(lambda values: {time}*relexp_of({time}*values), {text})"
        if len(list(value.of)) == 1 and is_diagonal(value.of.only):
            return f"np.diag(np.exp(np.diagonal({text})))"
        return f"spectral(np.exp, {text})"


@dataclass(frozen=True)
class BallMatrices(Program):
    """python-flint: the same steps, every entry an interval that surely holds the value."""

    transpose: str = ".transpose()"

    def zeros(self, rows: object, cols: object) -> str:
        return f"arb_mat({rows}, {cols})"

    def primitive(self, value: Primitive) -> str:
        method, text = {"inverse": "inv", "exponential": "exp"}.get(value.name), self.blocks(value.of)
        if method is None:
            return super().primitive(value)
        return f"{text}.{method}()" if text.isidentifier() or len(list(value.of)) > 1 else f"({text}).{method}()"


def formulas(kernel: MatrixKernel) -> list[str]:
    """The steps and results as people write them."""
    people = People()
    lines = [(people.blocks(step.target), people.value(step.value)) for step in kernel.steps]
    lines += [(name, people.blocks(value)) for name, value in kernel.returns.items()]
    return [wrapped(f"{name} = ", text, INDENT * 2) for name, text in lines]


def body(kernel: MatrixKernel, program: Program) -> list[str]:
    """What follows a function's docstring: inputs are read and fitted together, then steps, results and return."""
    read = [
        f"{program.indent}{letter.name} = {program.number if letter.shape == (1, 1) else 'matrix'}({letter.name})"
        for letter in kernel.inputs
    ]
    given = [
        f"{letter.name}=({letter.name},{GLUE}{f',{GLUE}'.join(map(_quoted, letter.shape))})"
        for letter in kernel.inputs
        if letter.shape != (1, 1)
    ]
    names = ", ".join(kernel.dimensions) + "," * (len(kernel.dimensions) == 1)
    sizes = wrapped(f"{names} = ", f"sizes({', '.join(given)})", program.indent)
    results = [wrapped(f"{name} = ", program.blocks(value), program.indent) for name, value in kernel.returns.items()]
    last = ", ".join(kernel.returns)
    last = f"{program.indent}return {f'({last},)' if len(kernel.returns) == 1 else last}"
    steps = [line for step in kernel.steps for line in program.step(step)]
    return [*read, sizes, *steps, *results, last]


def _listed(dimensions: Sequence[object]) -> str:
    """A tuple, at whose commas no line is broken."""
    return f"({f',{GLUE}'.join(map(str, dimensions))}{',' * (len(dimensions) == 1)})"


def _quoted(dimension: object) -> str:
    return f'"{dimension}"' if isinstance(dimension, str) else str(dimension)
