"""Sums of squares times known factors: target = sum over blocks of factor * w' Q w with positive semidefinite Q.

Floats propose the matrices Q. Where they lie on the boundary of the cone, the polynomials w are replaced by those that
vanish where the target must, until the matrices lie inside; there they can be rounded, corrected so that the equations
hold exactly, and split into squares.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

from flint import fmpq, fmpq_mat

from derivations.language.normal import Poly, float_of, table_of, to_fmpq, to_fraction
from derivations.text.work import spend

Array = Any
Row = tuple[int, ...]
Products = dict[tuple[int, int, int], dict[Row, Any]]  # number of the block, and of two polynomials of its basis
Squares = list[tuple[int, Fraction, Poly]]  # number of the block, positive weight, what is squared
DENOMINATORS = (1, 2, 6, 60, 5040, 10**6, 10**9, 10**12)
MOST_ROUNDS = 4
MOST_ROWS, MOST_BASIS = 350, 60  # of a system for the solver
SMALL_DENOMINATOR, UNLIKE = 120, 1e-3  # of the entries of a kernel, and how far from these they may look


@dataclass
class Block:
    """A factor of known sign, and the polynomials whose products with each other it multiplies."""

    factor: Poly
    basis: list[Poly]


def squares(
    target: Poly, blocks: list[Block], normal: Callable[[Poly], Poly], last: Callable[[Poly], bool]
) -> Squares | None:
    """The target as a sum of factor * weight * square, equal once both are in normal form; None if none is found.

    last: which polynomials of a basis should come last: the last of them is squared alone, with no other mixed in.
    """
    blocks = [Block(block.factor, sorted(block.basis, key=last)) for block in blocks]
    blocks, products = _without_lone_monomials(target, blocks, _products(blocks, normal))
    for _ in range(MOST_ROUNDS):
        if not products:
            return None
        system = _System(target, blocks, products)
        if not system.is_small() or not system.reaches(target):
            return None
        found = system.proposed()
        if found is None:
            return None
        slack, matrices = found
        if slack > 0:
            return system.exactly(matrices)
        smaller = [_off_the_kernel(block, matrix) for block, matrix in zip(blocks, matrices, strict=True)]
        if all(len(new.basis) == len(old.basis) for new, old in zip(smaller, blocks, strict=True)):
            return None
        blocks = [Block(block.factor, sorted(block.basis, key=last)) for block in smaller]
        products = _products(blocks, normal)
    return None


def _products(blocks: list[Block], normal: Callable[[Poly], Poly]) -> Products:
    """The products of two polynomials of a block with its factor."""
    return {
        (j, p, q): table_of(normal(block.factor * block.basis[p] * block.basis[q]))
        for j, block in enumerate(blocks)
        for p, q in combinations_with_replacement(range(len(block.basis)), 2)
    }


def _without_lone_monomials(target: Poly, blocks: list[Block], products: Products) -> tuple[list[Block], Products]:
    """Leave out what would have to cancel: a monomial that the target lacks, and that only squares would bring in."""
    wanted, kept = table_of(target).keys(), products
    foreign = {place: table.keys() - wanted for place, table in products.items()}
    while True:
        signs: dict[Row, set[int]] = {}
        for place, table in kept.items():
            for row in foreign[place]:
                signs.setdefault(row, set()).add(0 if place[1] != place[2] else 1 if table[row] > 0 else -1)
        lone = {row for row, told in signs.items() if len(told) == 1 and 0 not in told}
        gone = {place[:2] for place in kept if not lone.isdisjoint(foreign[place])}
        if not gone:
            break
        kept = {(j, p, q): table for (j, p, q), table in kept.items() if (j, p) not in gone and (j, q) not in gone}
    places = [[p for p in range(len(block.basis)) if (j, p, p) in kept] for j, block in enumerate(blocks)]
    fewer = [Block(block.factor, [block.basis[p] for p in here]) for block, here in zip(blocks, places, strict=True)]
    return fewer, {(j, places[j].index(p), places[j].index(q)): table for (j, p, q), table in kept.items()}


class _System:
    """The linear equations between the entries of the matrices: one for each monomial."""

    def __init__(self, target: Poly, blocks: list[Block], products: Products) -> None:
        self.blocks = [block for block in blocks if block.basis]
        self.places = [j for j, block in enumerate(blocks) if block.basis]
        self.count = len(blocks)
        self.entries = [(self.places.index(j), p, q, table) for (j, p, q), table in products.items()]
        rows = sorted({row for *_, table in self.entries for row in table})
        self.rows = {row: i for i, row in enumerate(rows)}
        self.target = table_of(target)

    def is_small(self) -> bool:
        return len(self.rows) <= MOST_ROWS and all(len(block.basis) <= MOST_BASIS for block in self.blocks)

    def reaches(self, target: Poly) -> bool:
        return all(row in self.rows for row in self.target)

    def proposed(self) -> tuple[float, list[Array]] | None:
        """How far inside the cone the matrices lie (0 for its boundary), and the matrices."""
        import numpy as np

        from derivations.prove.sign.semidefinite import EDGE, independent, most_positive

        spend(len(self.rows) * len(self.entries) // 8)
        arrays = [np.zeros((len(self.rows), len(b.basis), len(b.basis))) for b in self.blocks]
        for j, p, q, table in self.entries:
            for row, value in table.items():
                arrays[j][self.rows[row], p, q] = arrays[j][self.rows[row], q, p] = float_of(value)
        right = np.zeros(len(self.rows))
        for row, value in self.target.items():
            right[self.rows[row]] = float_of(value)
        size = float(np.abs(right).max(initial=0.0)) or 1.0
        self.independent = independent(np.concatenate([a.reshape(len(a), -1) for a in arrays], axis=1))
        levels = right[self.independent] / size
        found = most_positive([a[self.independent] for a in arrays], levels)
        if found is None:
            return None
        whole: list[Array] = [np.zeros((0, 0))] * self.count
        for j, matrix in zip(self.places, found.matrices, strict=True):
            whole[j] = matrix * size
        return (found.slack if found.slack > EDGE else 0.0), whole

    def exactly(self, matrices: list[Array]) -> Squares | None:
        """Squares with weights from rounded matrices, with the simplest numbers that leave them positive definite."""
        chosen = [list(self.rows)[i] for i in self.independent]
        place = {row: i for i, row in enumerate(chosen)}
        spend(len(chosen) ** 2 * (len(chosen) + len(self.entries)) // 8)
        table = fmpq_mat(len(chosen), len(self.entries))
        for column, (_, p, q, products) in enumerate(self.entries):
            for row, value in products.items():
                if row in place:
                    table[place[row], column] = value if p == q else 2 * value
        normal_equations = table * table.transpose()
        floats = [matrices[self.places[j]][p, q] for j, p, q, _ in self.entries]
        for denominator in DENOMINATORS:
            rounded = [fmpq(round(float(value) * denominator), denominator) for value in floats]
            entries = self._corrected(rounded, chosen, table, normal_equations)
            if entries is None:
                return None
            split = self._split(entries)
            if split is not None:
                return split
        return None

    def _corrected(self, rounded: list[Any], chosen: list[Row], table: Any, normal_equations: Any) -> list[Any] | None:
        """The entries nearest to the rounded ones that meet every equation."""
        left = self._residual(rounded)
        if left:
            missing = fmpq_mat(len(chosen), 1, [left.get(row, fmpq(0)) for row in chosen])
            try:
                step = table.transpose() * normal_equations.solve(missing)
            except ZeroDivisionError:
                return None
            rounded = [value + step[i, 0] for i, value in enumerate(rounded)]
            left = self._residual(rounded)
        return None if left else rounded

    def _residual(self, entries: list[Any]) -> dict[Row, Any]:
        left = dict(self.target)
        for (_, p, q, products), value in zip(self.entries, entries, strict=True):
            if value != 0:
                for row, coefficient in products.items():
                    left[row] = left.get(row, fmpq(0)) - (value if p == q else 2 * value) * coefficient
        return {row: value for row, value in left.items() if value != 0}

    def _split(self, entries: list[Any]) -> Squares | None:
        """L D L' of every matrix, or None if one is not positive definite."""
        matrices = [[[fmpq(0)] * len(b.basis) for _ in b.basis] for b in self.blocks]
        for (j, p, q, _), value in zip(self.entries, entries, strict=True):
            matrices[j][p][q] = matrices[j][q][p] = value
        found: Squares = []
        for j, (block, matrix) in enumerate(zip(self.blocks, matrices, strict=True)):
            for k in range(len(matrix)):
                pivot = matrix[k][k]
                if not pivot > 0:
                    return None
                factors = [matrix[i][k] / pivot for i in range(k, len(matrix))]
                form = sum((w * f for w, f in zip(block.basis[k + 1 :], factors[1:], strict=True)), block.basis[k])
                found.append((self.places[j], to_fraction(pivot), form))
                for i in range(k + 1, len(matrix)):
                    for h in range(k + 1, len(matrix)):
                        matrix[i][h] -= factors[i - k] * matrix[k][h]
        return found


def _off_the_kernel(block: Block, matrix: Array) -> Block:
    """The combinations of the basis that a nearly singular matrix leaves, if its kernel looks rational."""
    import numpy as np

    if not block.basis:
        return block
    values, vectors = np.linalg.eigh(matrix)
    largest = float(values[-1])
    if largest < 1e-5:
        return Block(block.factor, [])
    count = _gap(values / largest)
    if not count:
        return block
    kernel = vectors[:, :count]
    pivots = _pivots(kernel)
    reduced = kernel @ np.linalg.inv(kernel[pivots])
    rest = [i for i in range(len(values)) if i not in pivots]
    basis = []
    for i in rest:
        left = block.basis[i]
        for pivot, value in zip(pivots, map(float, reduced[i]), strict=True):
            simple = Fraction(value).limit_denominator(SMALL_DENOMINATOR)
            if abs(float(simple) - value) > UNLIKE:
                return block
            left = left - block.basis[pivot] * to_fmpq(simple)
        basis.append(left)
    return Block(block.factor, basis)


def _gap(values: Array) -> int:
    """How many of the rising eigenvalues are nearly zero: up to the widest gap, if there is a wide one."""
    sizes = [max(float(v), 1e-12) for v in values]
    best, count = 30.0, 0
    for k in range(1, len(sizes)):
        if sizes[k - 1] < 1e-3 and sizes[k] / sizes[k - 1] > best:
            best, count = sizes[k] / sizes[k - 1], k
    return count


def _pivots(kernel: Array) -> list[int]:
    from scipy.linalg import qr

    order = qr(kernel.T, mode="r", pivoting=True)[-1]
    return sorted(int(i) for i in order[: kernel.shape[1]])
