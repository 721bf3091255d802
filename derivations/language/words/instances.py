"""Exact matrices that satisfy a statement's declarations and hypotheses, found by seeded search.

Letters are filled in free of each other, or along shared orthonormal frames (so that products of different letters
become symmetric, commute or balance), or as rotated copies of one another; then hypotheses are solved for letters that
occur linearly in them. Whatever the search proposes is kept only if every declaration and hypothesis holds exactly.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from derivations.language.words.algebra import DIMENSION, PRIME, TRACE, Dimension, Polynomial, Shape, Word, name_of

Matrix = Any  # flint.fmpq_mat, which has no type stubs
FREE, SPARSE, FRAMES = "free", "sparse", "frames"
COMPLETIONS, UNLUCKY = 6, 4  # draws of the letters that a candidate lacks, and tries for each until it has its inverses


@dataclass(frozen=True)
class Declaration:
    """A letter's declaration as data; `inverse_of` and `equals` are polynomials of the letter's shape."""

    rows: Dimension
    cols: Dimension
    symmetric: bool = False
    orthonormal_columns: bool = False
    diagonal: bool = False
    positive: bool = False
    nonzero: bool = False
    commutes_with: tuple[str, ...] = ()
    inverse_of: Polynomial | None = None
    equals: Polynomial | None = None

    @property
    def shape(self) -> Shape:
        return self.rows, self.cols


@dataclass
class Instance:
    """Sizes of the dimensions, and an exact matrix for every letter."""

    sizes: dict[str, int]
    matrices: dict[str, Matrix]

    def as_json(self) -> dict[str, Any]:
        matrices = {name: table(self.matrices[name]) for name in sorted(self.matrices)}
        return {"dims": dict(sorted(self.sizes.items())), "matrices": matrices}


class Impossible(Exception):
    """No matrix of this size has the declared property, or the draw was unlucky."""


def table(matrix: Matrix) -> list[list[str]]:
    """A matrix as rows of exact numbers in text, as certificates have it."""
    return [[str(matrix[i, j]) for j in range(matrix.ncols())] for i in range(matrix.nrows())]


def size_of(dimension: Dimension, sizes: Mapping[str, int]) -> int:
    """The size of a dimension, which may be the integer 1."""
    return 1 if dimension == 1 else sizes[str(dimension)]


def unit(n: int) -> Matrix:
    """The identity matrix of a size."""
    return fmpq_mat(n, n, [int(i == j) for i in range(n) for j in range(n)])


def rational(value: Fraction) -> Any:
    """An exact number as python-flint has it."""
    return fmpq(value.numerator, value.denominator)


def value_of(terms: Polynomial, shape: Shape, at: Instance) -> Matrix:
    """The exact value of a polynomial."""
    rows, cols = size_of(shape[0], at.sizes), size_of(shape[1], at.sizes)
    total = fmpq_mat(rows, cols)
    for (scalars, outer), coefficient in terms.items():
        factor = rational(coefficient)
        for scalar in scalars:
            factor *= _scalar_value(scalar, at)
        if factor != 0:
            total = total + (_word_value(outer, at) if outer else unit(rows)) * factor
    return total


def _word_value(word: Word, at: Instance) -> Matrix:
    result = None
    for f in word:
        matrix = at.matrices[name_of(f)]
        matrix = matrix.transpose() if f.endswith(PRIME) else matrix
        result = matrix if result is None else result * matrix
    return result


def _scalar_value(scalar: Word, at: Instance) -> Any:
    if scalar[0] == DIMENSION:
        return fmpq(at.sizes[scalar[1]])
    if scalar[0] == TRACE:
        matrix = _word_value(scalar[1:], at)
        return sum((matrix[i, i] for i in range(matrix.nrows())), fmpq(0))
    return _word_value(scalar, at)[0, 0]


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of a square matrix; a singular one is `Impossible`."""
    if matrix.nrows() == 0:
        return matrix
    if matrix.rank() < matrix.nrows():
        raise Impossible
    return matrix.inv()


def is_zero(matrix: Matrix) -> bool:
    """Return whether every entry is zero."""
    return bool(matrix == fmpq_mat(matrix.nrows(), matrix.ncols()))


@dataclass
class Search:
    """Everything the search needs: declarations, hypotheses (each zero, with shapes), and a source of numbers."""

    letters: dict[str, Declaration]
    hypotheses: list[tuple[Polynomial, Shape]]
    dimensions: set[str]
    rng: random.Random
    among: list[Instance] = field(default_factory=list)
    offered: list[Instance] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.names = sorted(self.dimensions)
        self.derived = [n for n in self._in_order() if self._is_derived(n)]
        self.basic = [n for n in self._in_order() if not self._is_derived(n)]
        self.bases = {m for x in self.letters.values() if x.inverse_of is not None for m in mentioned(x.inverse_of)}
        self.solvable = [
            sorted(n for n in self._roots(terms) if self._moves_freely(n) and n not in self.bases)
            for terms, _ in self.hypotheses
        ]

    def offer(self, at: Instance) -> None:
        """Take a candidate, to be tried first; letters that it does not give are drawn or follow from the others."""
        self.offered.append(at)
        self.among += self._completed(at, 1)

    def _completed(self, offered: Instance, count: int) -> Iterator[Instance]:
        """So many ways to give a candidate the letters that it lacks."""
        for _ in range(UNLUCKY * count):
            at = Instance(offered.sizes, dict(offered.matrices))
            try:
                for name in [n for n in self.basic if n not in at.matrices]:
                    at.matrices[name] = self._letter(name, at, FREE, {}, ([], 0))
                self._derive(at, [n for n in self.derived if n not in at.matrices])
            except Impossible:
                continue
            yield at
            count -= 1
            if not count:
                return

    def instances(self, attempts: range) -> Iterator[Instance]:
        """Instances that satisfy everything; dimensions are unequal, equal and 1, never 0."""
        again = (at for offered in self.offered for at in self._completed(offered, COMPLETIONS))
        for candidate in again if attempts.start else self.among:
            if self.satisfies(candidate):
                yield candidate
        for attempt in attempts:
            mode = FREE if attempt % 3 == 0 else self.rng.choice([FREE, SPARSE, FRAMES, FRAMES])
            try:
                instance = self._draw(self._sizes(attempt), mode if self.hypotheses or self.bases else FREE)
            except Impossible:
                continue
            if self.satisfies(instance):
                yield instance

    def satisfies(self, at: Instance) -> bool:
        return all(self._declared(n, at) for n in self.letters) and all(
            is_zero(value_of(terms, shape, at)) for terms, shape in self.hypotheses
        )

    def _is_derived(self, name: str) -> bool:
        return self.letters[name].inverse_of is not None or self.letters[name].equals is not None

    def _in_order(self) -> list[str]:
        """Letters after the letters that their declarations use; a definition in a circle is refused."""
        done: list[str] = []

        def visit(name: str, path: tuple[str, ...]) -> None:
            if name in path:
                raise ValueError(f"the letter {name} is defined by itself: {' -> '.join([*path, name])}")
            if name not in done:
                x = self.letters[name]
                for other in sorted(mentioned(x.inverse_of or {}) | mentioned(x.equals or {})):
                    visit(other, (*path, name))
                done.append(name)

        for name in sorted(self.letters):
            visit(name, ())
        return done

    def _roots(self, terms: Polynomial) -> set[str]:
        """The letters on which a polynomial depends, through definitions."""
        reached: set[str] = set()
        waiting = sorted(mentioned(terms))
        while waiting:
            name = waiting.pop()
            if name not in reached:
                reached.add(name)
                waiting += sorted(mentioned(self.letters[name].equals or {}))
        return {n for n in reached if not self._is_derived(n)}

    def _moves_freely(self, name: str) -> bool:
        x = self.letters[name]
        return not (x.orthonormal_columns or x.commutes_with or self._is_derived(name))

    def _sizes(self, attempt: int) -> dict[str, int]:
        k = len(self.names)
        fixed = [[2 + i % 3 for i in range(k)], [2] * k, [4 - i % 3 for i in range(k)], [1] * k, [3] * k]
        if attempt < len(fixed):
            return dict(zip(self.names, fixed[attempt], strict=True))
        return {n: self.rng.choice([1, 2, 2, 3, 4]) for n in self.names}

    def _draw(self, sizes: dict[str, int], mode: str) -> Instance:
        at = Instance(sizes, {})
        frames = {n: (rotation(sizes[n], self.rng) if mode == FRAMES else unit(sizes[n])) for n in self.names}
        shared = [Fraction(self.rng.choice([1, 2, 3, -1, -2])) for _ in range(max([1, *sizes.values()]))]
        rank = self.rng.choice([min(sizes.values(), default=1), 9])
        for name in self.basic:
            at.matrices[name] = self._letter(name, at, mode, frames, (shared, rank))
        self._derive(at)
        self._solve(at)
        return at

    def _derive(self, at: Instance, names: Sequence[str] | None = None) -> None:
        for name in self.derived if names is None else names:
            x = self.letters[name]
            if x.inverse_of is not None:
                at.matrices[name] = inverse(value_of(x.inverse_of, x.shape, at))
            elif x.equals is not None:
                at.matrices[name] = value_of(x.equals, x.shape, at)

    def _letter(
        self, name: str, at: Instance, mode: str, frames: dict[str, Matrix], spectrum: tuple[list[Fraction], int]
    ) -> Matrix:
        x = self.letters[name]
        rows, cols = size_of(x.rows, at.sizes), size_of(x.cols, at.sizes)
        if x.shape == (1, 1):
            return self._number(x, name)
        if x.orthonormal_columns:
            if rows < cols:
                raise Impossible
            frame = frames[str(x.rows)] if mode == FRAMES and x.rows != 1 else rotation(rows, self.rng)
            return columns(frame, cols)
        if x.diagonal:
            return diagonal([self._entry(FREE, nonzero=name in self.bases) for _ in range(rows)])
        partner = next((n for n in x.commutes_with if n in at.matrices), None)
        if partner is not None:
            return self._commuting(at.matrices[partner])
        constrained = any(name in choices for choices in self.solvable)
        if mode == FRAMES and (constrained or x.commutes_with):
            return self._framed(name, at, frames, spectrum)
        matrix = fmpq_mat(rows, cols, [self._entry(mode) for _ in range(rows * cols)])
        return matrix + matrix.transpose() if x.symmetric else matrix

    def _number(self, x: Declaration, name: str) -> Matrix:
        value = self._entry(FREE, nonzero=x.nonzero or x.positive or name in self.bases)
        return fmpq_mat(1, 1, [abs(value) if x.positive else value])

    def _entry(self, mode: str, nonzero: bool = False) -> Any:
        pool = [-1, 0, 0, 1] if mode == SPARSE else [-3, -2, -1, 0, 1, 2, 3]
        return fmpq(self.rng.choice([v for v in pool if v or not nonzero]))

    def _commuting(self, partner: Matrix) -> Matrix:
        a, b, c = (fmpq(self.rng.randint(-2, 2)) for _ in range(3))
        return unit(partner.nrows()) * a + partner * b + partner * partner * c

    def _framed(
        self, name: str, at: Instance, frames: dict[str, Matrix], spectrum: tuple[list[Fraction], int]
    ) -> Matrix:
        """Shared singular vectors and values, or a rotated copy of a letter that shares a dimension."""
        x = self.letters[name]
        rows, cols = size_of(x.rows, at.sizes), size_of(x.cols, at.sizes)
        copies = list(self._copies(x, at)) if self.rng.random() < 0.5 and not x.symmetric else []
        if copies:
            return self.rng.choice(copies)
        left = frames[str(x.rows)] if x.rows != 1 else unit(1)
        right = frames[str(x.cols)] if x.cols != 1 else unit(1)
        values, rank = spectrum
        core = fmpq_mat(rows, cols)
        signs = self.rng.choice([[1], [1], [1, -1]])
        for i in range(min(rows, cols, rank)):
            core[i, i] = rational(values[i] * self.rng.choice(signs))
        return left * core * right.transpose()

    def _copies(self, x: Declaration, at: Instance) -> Iterator[Matrix]:
        rows, cols = size_of(x.rows, at.sizes), size_of(x.cols, at.sizes)
        for name in sorted(at.matrices):
            y, matrix = self.letters[name], at.matrices[name]
            if y.shape == (1, 1) or y.orthonormal_columns:
                continue
            for shape, m in ((y.shape, matrix), (y.shape[::-1], matrix.transpose())):
                if shape[1] == x.cols and rows >= m.nrows():
                    yield columns(rotation(rows, self.rng), m.nrows()) * m
                if shape[0] == x.rows and cols >= m.ncols():
                    yield m * columns(rotation(cols, self.rng), m.ncols()).transpose()

    def _solve(self, at: Instance) -> None:
        """Makes hypotheses true, one after the other, by moving one letter at a time along which they are linear."""
        met: list[int] = []
        for k in self.rng.sample(range(len(self.hypotheses)), len(self.hypotheses)):
            met.append(k)
            if is_zero(value_of(*self.hypotheses[k], at)):
                continue
            choices = self._single(k) or self.solvable[k]
            if not choices:
                raise Impossible
            settled = {name for other in met[:-1] for name in mentioned(self.hypotheses[other][0])}
            self._move(self.rng.choice([name for name in choices if name not in settled] or choices), met, at)

    def _single(self, k: int) -> list[str]:
        """Letters that stand alone in one term of a hypothesis and nowhere else in it: it may be read as a value."""
        terms, shape = self.hypotheses[k]
        alone = [s[0] if shape == (1, 1) and len(s) == 1 and not o else o for s, o in terms if not s or shape == (1, 1)]
        names = [name_of(w[0]) for w in alone if len(w) == 1]
        return [
            n for n in names if self._moves_freely(n) and sum(n in mentioned({m: c}) for m, c in terms.items()) == 1
        ]

    def _move(self, name: str, met: list[int], at: Instance) -> None:
        x = self.letters[name]
        rows, cols = size_of(x.rows, at.sizes), size_of(x.cols, at.sizes)
        directions = list(basis(rows, cols, x))
        origin = at.matrices[name]

        def residual(step: Matrix) -> list[Any]:
            at.matrices[name] = origin + step
            self._derive(at)
            return [v for k in met for v in value_of(*self.hypotheses[k], at).entries()]

        start = residual(fmpq_mat(rows, cols))
        slopes = [[b - a for a, b in zip(start, residual(d), strict=True)] for d in directions]
        step = fmpq_mat(rows, cols)
        for d, amount in zip(directions, solution(slopes, start, self.rng), strict=True):
            step = step + d * amount
        residual(step)

    def _declared(self, name: str, at: Instance) -> bool:
        x, m = self.letters[name], at.matrices[name]
        if (m.nrows(), m.ncols()) != (size_of(x.rows, at.sizes), size_of(x.cols, at.sizes)):
            return False
        checks = [
            not x.symmetric or m == m.transpose(),
            not x.diagonal or all(m[i, j] == 0 for i in range(m.nrows()) for j in range(m.ncols()) if i != j),
            not x.orthonormal_columns or m.transpose() * m == unit(m.ncols()),
            not x.positive or m[0, 0] > 0,
            not x.nonzero or m[0, 0] != 0,
            all(m * at.matrices[n] == at.matrices[n] * m for n in x.commutes_with),
            x.inverse_of is None or m * value_of(x.inverse_of, x.shape, at) == unit(m.nrows()),
            x.equals is None or m == value_of(x.equals, x.shape, at),
        ]
        return all(checks)


def mentioned(terms: Polynomial) -> set[str]:
    """The letters that occur in a polynomial."""
    inner = {name_of(f) for scalars, _ in terms for s in scalars if s[0] != DIMENSION for f in s if f != TRACE}
    return inner | {name_of(f) for _, outer in terms for f in outer}


def basis(rows: int, cols: int, x: Declaration) -> Iterator[Matrix]:
    """Directions in which the entries of a letter may move without leaving its declared kind."""
    for i in range(rows):
        for j in range(cols):
            if (x.diagonal and i != j) or (x.symmetric and j < i):
                continue
            step = fmpq_mat(rows, cols)
            step[i, j] = 1
            if x.symmetric:
                step[j, i] = 1
            yield step


def solution(slopes: list[list[Any]], start: list[Any], rng: random.Random) -> list[Any]:
    """Amounts z with start + sum z_i slopes_i = 0, the free ones drawn at random."""
    n, m = len(slopes), len(start)
    if m == 0 or n == 0:
        return [fmpq(0)] * n
    rows = [value for i in range(m) for value in [*(s[i] for s in slopes), -start[i]]]
    reduced, rank = fmpq_mat(m, n + 1, rows).rref()
    leads = [next(j for j in range(n + 1) if reduced[i, j] != 0) for i in range(rank)]
    if n in leads:
        raise Impossible
    amounts = [fmpq(rng.randint(-1, 1)) for _ in range(n)]
    for i, lead in enumerate(leads):
        amounts[lead] = reduced[i, n] - sum((reduced[i, j] * amounts[j] for j in range(n) if j not in leads), fmpq(0))
    return amounts


def diagonal(values: list[Any]) -> Matrix:
    """A square matrix with these entries on its diagonal."""
    n = len(values)
    return fmpq_mat(n, n, [values[i] if i == j else 0 for i in range(n) for j in range(n)])


def columns(matrix: Matrix, count: int) -> Matrix:
    """The first columns of a matrix."""
    return fmpq_mat(matrix.nrows(), count, [matrix[i, j] for i in range(matrix.nrows()) for j in range(count)])


def rotation(n: int, rng: random.Random) -> Matrix:
    """A rational orthogonal matrix: Cayley's transform of a skew one, with random signs on its columns."""
    skew = fmpq_mat(n, n)
    for i in range(n):
        for j in range(i):
            skew[i, j] = rng.choice([-1, 0, 0, 1])
            skew[j, i] = -skew[i, j]
    turned = (unit(n) - skew) * inverse(unit(n) + skew)
    return turned * diagonal([fmpq(rng.choice([-1, 1])) for _ in range(n)])


def generator(statement: Any) -> random.Random:
    """A source of numbers that depends on nothing but the statement."""
    digest = hashlib.sha256(json.dumps(statement, sort_keys=True).encode()).digest()
    return random.Random(int.from_bytes(digest, "big"))


def instance(sizes: str, /, **values: Any) -> dict[str, Any]:
    """Return matrices at which a statement can be tried: `instance("N=2", A="1 2; 3 4", x="1; 1/2", rate=3)`.

    sizes: what dimensions are. values: a number, or rows of exact numbers; `lambda_` stands for lambda.

    >>> instance("N=2", x="1; 1/2", rate=3)["matrices"]
    {'x': [['1'], ['1/2']], 'rate': [['3']]}
    """
    dims = dict(size.split("=") for size in sizes.split())
    matrices = {name.rstrip("_"): [row.split() for row in str(rows).split(";")] for name, rows in values.items()}
    return {"dims": {name: int(size) for name, size in dims.items()}, "matrices": matrices}
