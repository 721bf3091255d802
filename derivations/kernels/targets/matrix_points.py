"""Exact values of kernels of matrices at matrices of floats, and how far from them a program on floats may be."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from flint import arb_mat, ctx

from derivations.kernels.kernel import KernelError
from derivations.kernels.matrix_kernel import MatrixKernel, Primitive
from derivations.kernels.reference import CONDITIONING, ROUNDING, SHOWN, decimal
from derivations.language.evaluate import Ball, ball
from derivations.language.words import Words
from derivations.language.words.algebra import PRIME, name_of
from derivations.language.words.blocks import Blocks
from derivations.language.words.instances import Declaration, Instance, Search, generator

COUNT, ATTEMPTS = 3, 60
DIGITS = 100
SCALE = Fraction(1, 4)  # of entries that are not part of an orthonormal frame, so that exponentials stay small
NORMWISE = (
    32  # how much more than a number an eigenvalue solver or an inverse may lose, as a share of the largest entry
)
STEP = Fraction(1, 2**80)

Rows = tuple[tuple[float, ...], ...]
Known = dict[str, Ball]


@dataclass(frozen=True)
class MatrixReference:
    """Inputs as rows of floats; for every return its entries to 30 digits and the largest error of any of them."""

    inputs: dict[str, Rows]
    texts: tuple[tuple[tuple[str, ...], ...], ...]
    allowed: tuple[float, ...]


@lru_cache(maxsize=64)
def matrix_references(kernel: MatrixKernel) -> tuple[MatrixReference, ...]:
    """Values at a few matrices that have every declared property, up to rounding."""
    found: list[MatrixReference] = []
    for inputs in _drawn(kernel):
        try:
            found.append(_reference(kernel, inputs))
        except ZeroDivisionError:  # a matrix without an inverse
            continue
        if len(found) == COUNT:
            break
    if not found:
        raise KernelError(f"no matrices were found at which the kernel {kernel.name} has values")
    return tuple(found)


def _drawn(kernel: MatrixKernel) -> Iterator[dict[str, Rows]]:
    declared = {x.name: x for x in kernel.inputs}
    letters = {
        x.name: Declaration(
            x.rows,
            x.cols,
            symmetric=x.symmetric,
            orthonormal_columns=x.orthonormal_columns,
            diagonal=x.diagonal,
            positive=x.positive,
            nonzero=x.nonzero,
        )
        for x in kernel.inputs
    }
    search = Search(letters, [], set(kernel.dimensions), generator(kernel.normal_form))
    for instance in search.instances(range(ATTEMPTS), empty=False):
        yield {name: _rows(instance, name, declared[name].orthonormal_columns) for name in kernel.arguments}


def _rows(instance: Instance, name: str, frame: bool) -> Rows:
    matrix, scale = instance.matrices[name], 1 if frame else SCALE
    return tuple(
        tuple(float(Fraction(int(v.p), int(v.q)) * scale) for v in (matrix[i, j] for j in range(matrix.ncols())))
        for i in range(matrix.nrows())
    )


def _reference(kernel: MatrixKernel, inputs: Mapping[str, Rows]) -> MatrixReference:
    exact = {name: [[Fraction(v) for v in row] for row in rows] for name, rows in inputs.items()}
    values = _values(kernel, exact)
    noise = [[[ROUNDING * math.ulp(float(v.mid())) for v in row] for row in m.tolist()] for m in values]
    for name, rows in exact.items():
        for i, row in enumerate(rows):
            for j, entry in enumerate(row):
                moved = {**exact, name: [list(r) for r in rows]}
                moved[name][i][j] = entry + STEP
                share = CONDITIONING * math.ulp(float(entry)) / 2
                for k, there in enumerate(_values(kernel, moved)):
                    _add(noise[k], (there - values[k]) / ball(STEP), share)
    texts = [[[decimal(v, SHOWN) for v in row] for row in m.tolist()] for m in values]
    return MatrixReference(
        dict(inputs),
        tuple(tuple(map(tuple, rows)) for rows in texts),
        tuple(float(f"{NORMWISE * max(map(max, rows)):.3g}") for rows in noise),
    )


def _add(noise: list[list[float]], slopes: Ball, share: float) -> None:
    for row, line in zip(noise, slopes.tolist(), strict=True):
        for k, slope in enumerate(line):
            row[k] += share * abs(float(slope.mid()))


# --- evaluation -------------------------------------------------------------------------------------------------------


def _values(kernel: MatrixKernel, inputs: Mapping[str, list[list[Fraction]]]) -> list[Ball]:
    """The returns as matrices of balls."""
    with ctx.workdps(DIGITS):
        known = {name: arb_mat([[ball(v) for v in row] for row in rows]) for name, rows in inputs.items()}
        sizes = {
            str(dimension): size
            for x in kernel.inputs
            for dimension, size in zip(x.shape, (known[x.name].nrows(), known[x.name].ncols()), strict=True)
        }
        for step in kernel.steps:
            value = _value(step.value, known, sizes)
            cut = _cut(
                value, [_size(d, sizes) for d in step.target.heights], [_size(d, sizes) for d in step.target.widths]
            )
            known |= {letter.name: block for letter, block in zip(step.letters, cut, strict=True)}
        return [_value(value, known, sizes) for value in kernel.returns.values()]


def _size(dimension: object, sizes: Mapping[str, int]) -> int:
    return sizes.get(str(dimension), 1)


def _value(value: Blocks | Primitive, known: Known, sizes: Mapping[str, int]) -> Ball:
    if isinstance(value, Blocks):
        return _joined([[_words(block, known, sizes) for block in row] for row in value.rows])
    matrix = _value(value.of, known, sizes)
    if value.name == "inverse":
        return matrix.inv()
    if value.time is None:
        return matrix.exp()
    n, time = matrix.nrows(), _words(value.time, known, sizes)[0, 0]
    whole = _joined([[matrix * time, _unit(n) * time], [arb_mat(n, n), arb_mat(n, n)]]).exp()
    return _cut(whole, [n, n], [n, n])[1]


def _words(words: Words, known: Known, sizes: Mapping[str, int]) -> Ball:
    rows, cols = (_size(d, sizes) for d in words.shape)
    total = arb_mat(rows, cols)
    for (scalars, outer), coefficient in words.terms.items():
        factor = ball(coefficient)
        for (scalar,) in scalars:
            factor *= known[name_of(scalar)][0, 0]
        product = None
        for f in outer:
            matrix = known[name_of(f)].transpose() if f.endswith(PRIME) else known[name_of(f)]
            product = matrix if product is None else product * matrix
        total = total + (_unit(rows) if product is None else product) * factor
    return total


def _unit(n: int) -> Ball:
    return arb_mat([[int(i == j) for j in range(n)] for i in range(n)])


def _joined(rows: list[list[Ball]]) -> Ball:
    lines = [
        [v for part in line for v in part] for row in rows for line in zip(*(b.tolist() for b in row), strict=True)
    ]
    return arb_mat(lines)


def _cut(matrix: Ball, heights: list[int], widths: list[int]) -> list[Ball]:
    lines = matrix.tolist()
    blocks, top = [], 0
    for height in heights:
        left = 0
        for width in widths:
            blocks.append(arb_mat([line[left : left + width] for line in lines[top : top + height]]))
            left += width
        top += height
    return blocks
