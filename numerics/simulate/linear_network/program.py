"""A step of gradient descent on the matrices of a linear network, as a program for the kernel.

The network is y = W_L ... W_1 x. With F_l = W_l ... W_1 and D = <(y* - F_L x) x'> = Sigma_yx - F_L Sigma_xx, a step of
size eta is

    B_L = D,    B_{l-1} = W_l' B_l,    W_l <- W_l + eta B_l F_{l-1}',    W_1 <- W_1 + eta B_1,

three products of matrices for each layer but the first. All layers but the first are kept transposed, V_l = W_l': then
F_l, D and B_l have inputs as columns, every product streams rows of its right factor, and only the B_l are turned, once
a step. The first layer is written beside the old one, which the second still needs; so even and odd steps differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from numerics.machine.lanes import LANES
from numerics.simulate.linear_network.kernel import LESS, MOVE, MULTIPLY, ONE, RATE, TURN

Whole = NDArray[np.int64]
Operation = tuple[int, ...]


class Matrix(NamedTuple):
    """Where a matrix lies in the array of doubles."""

    at: int
    step: int  # doubles from row to row; none where all rows are one row of zeros
    shift: int  # doubles from high parts to low parts
    rows: int
    columns: int

    @property
    def place(self) -> tuple[int, int, int]:
        return self.at, self.step, self.shift

    @property
    def vectors(self) -> int:
        return -(-self.columns // LANES)


@dataclass(frozen=True)
class Program:
    """The program of a network, and where its matrices are."""

    size: int  # of the array of doubles
    operations: Whole
    begins: Whole  # parity of the step, part
    measured: Whole
    layers: Whole  # parity of the step, layer, place
    given: tuple[Matrix, ...]  # to be filled at the start: Sigma_yx of white inputs, or inputs and answers as columns
    weights: tuple[Matrix, ...]  # W_1, V_2, V_3, ...


class _Space:
    """Hands out room for matrices."""

    def __init__(self, parts: int) -> None:
        self.parts, self.size = parts, 0

    def matrix(self, rows: int, columns: int) -> Matrix:
        """Rows are padded to an odd number of vectors, so that columns do not crowd into few sets of the cache."""
        width = LANES * (-(-columns // LANES) | 1)
        at = self.size
        self.size += self.parts * width * LANES * -(-rows // LANES)
        return Matrix(at, self.parts * width, width, rows, columns)


@lru_cache(maxsize=1024)
def program(sizes: tuple[int, ...], parts: int, examples: int) -> Program:
    """The program of a network with these numbers of inputs, hidden units and outputs; no examples: white inputs."""
    space, inputs, outputs = _Space(parts), sizes[0], sizes[-1]
    zeros = space.matrix(1, inputs)._replace(step=0)
    target, slope = space.matrix(outputs, inputs), space.matrix(outputs, inputs)
    data = _data(space, sizes, examples, target, zeros) if examples else _Data((target,), None, slope, [])
    firsts = [space.matrix(sizes[1], inputs) for _ in range(2)]
    later = tuple(space.matrix(*pair) for pair in pairwise(sizes[1:]))
    forward = [space.matrix(size, inputs) for size in sizes[2:]]  # F_2, ..., F_L
    backward = [space.matrix(size, inputs) for size in sizes[2:-1]]  # B_2, ..., B_{L-1}
    turned = space.matrix(inputs, max(sizes[2:], default=1))
    operations, begins = [*data.start], []
    for first, beside in (firsts, firsts[::-1]):
        images = [first, *forward]
        sections = (
            _slope(images, later, slope, target, data.spread, zeros),
            [_product(data.rest, data.given[1], images[-1], data.given[0], LESS)] if examples else [],
            _step(images, later, [beside, *backward, slope], zeros, turned),
        )
        ends = np.cumsum([len(operations), *map(len, sections)])
        begins.append(ends)
        operations += [operation for section in sections for operation in section]
    return Program(
        size=space.size,
        operations=np.array(operations),
        begins=np.array(begins),
        measured=np.array([(*matrix.place, matrix.rows, matrix.vectors) for matrix in (slope, target, data.rest)]),
        layers=np.array([[_upright(first), *map(_turned, later)] for first in firsts]),
        given=data.given,
        weights=(firsts[0], *later),
    )


class _Data(NamedTuple):
    given: tuple[Matrix, ...]
    spread: Matrix | None  # Sigma_xx, unless it is the identity
    rest: Matrix  # whose squares make the loss
    start: list[Operation]  # what is computed once


def _data(space: _Space, sizes: Sequence[int], examples: int, target: Matrix, zeros: Matrix) -> _Data:
    """Sigma_yx and Sigma_xx from inputs and answers."""
    inputs, outputs = sizes[0], sizes[-1]
    samples, answers = space.matrix(inputs, examples), space.matrix(outputs, examples)
    turned, spread = space.matrix(examples, inputs), space.matrix(inputs, inputs)
    start = [
        _turn(turned, samples),
        _product(spread, zeros, samples, turned, RATE),
        _product(target, zeros, answers, turned, RATE),
    ]
    return _Data((samples, answers), spread, space.matrix(outputs, examples), start)


def _slope(  # noqa: PLR0917
    images: list[Matrix],
    later: tuple[Matrix, ...],
    slope: Matrix,
    target: Matrix,
    spread: Matrix | None,
    zeros: Matrix,
) -> list[Operation]:
    """F_2, F_3, ... and D. White inputs need no F_L of their own."""
    operations = [
        _product(image, zeros, V, before, ONE, turned=True)
        for image, V, before in zip(images[1:], later, images[:-1], strict=True)
    ]
    if spread is not None:
        return [*operations, _product(slope, target, images[-1], spread, LESS)]
    if not later:
        return [_moved(slope, target, images[0], LESS)]
    return [*operations[:-1], _product(slope, target, later[-1], images[-2], LESS, turned=True)]


def _step(
    images: list[Matrix], later: tuple[Matrix, ...], behind: list[Matrix], zeros: Matrix, turned: Matrix
) -> list[Operation]:
    """All layers from the last to the first: each sends the slope back before it moves."""
    if not later:
        return [_moved(behind[0], images[0], behind[-1], RATE)]
    operations = []
    for k in reversed(range(len(later))):
        operations.append(_turn(turned, behind[k + 1]))
        base, scale = (images[0], RATE) if k == 0 else (zeros, ONE)
        operations.append(_product(behind[k], base, later[k], behind[k + 1], scale))
        operations.append(_product(later[k], later[k], images[k], turned, RATE))
    return operations


def _product(out: Matrix, base: Matrix, left: Matrix, right: Matrix, scale: int, *, turned: bool = False) -> Operation:
    """out = base + scale left right, or with left' where the left matrix is to be turned."""
    count, steps = (left.rows, (1, left.step)) if turned else (left.columns, (left.step, 1))
    sizes = (out.rows, out.columns, count)
    return (MULTIPLY, scale, *sizes, steps[1], *out.place, *base.place, left.at, steps[0], left.shift, *right.place)


def _moved(out: Matrix, base: Matrix, other: Matrix, scale: int) -> Operation:
    """out = base + scale other."""
    return (MOVE, scale, out.rows, out.columns, 0, 0, *out.place, *base.place, *other.place, 0, 0, 0)


def _turn(out: Matrix, source: Matrix) -> Operation:
    """out = source'."""
    return (TURN, ONE, source.rows, source.columns, 0, 0, *out.place, 0, 0, 0, *source.place, 0, 0, 0)


def _upright(matrix: Matrix) -> Operation:
    return (matrix.at, matrix.step, 1, matrix.shift, matrix.rows, matrix.columns)


def _turned(matrix: Matrix) -> Operation:
    return (matrix.at, 1, matrix.step, matrix.shift, matrix.columns, matrix.rows)
