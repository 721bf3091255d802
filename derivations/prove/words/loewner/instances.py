"""Exact matrices that satisfy inequalities as well: letters of which these speak are drawn as squares.

What is supposed of determinants is left to chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat

from derivations.language.words.algebra import Dimension, Monomial
from derivations.language.words.instances import Declaration, Instance, Search, is_zero, mentioned, value_of
from derivations.prove.words.loewner.forms import Sized
from derivations.recheck.core.load import normal
from derivations.recheck.core.statements import holds

ROOT, MARGIN = "root of order {}", "margin of order {}"  # no letter can have such a name


class Ordered:
    """The instances of a search that satisfy inequalities too, and relations between determinants."""

    def __init__(
        self, search: Search, orders: Sequence[Sized], strict: Sequence[bool], determinants: Sequence[Any] = ()
    ) -> None:
        self.orders, self.strict, self.determinants = orders, strict, normal([*determinants])
        self.plain, self.names = search, set(search.letters)
        letters = drawn_as_squares(search.letters, orders, strict)
        self.squared = Search(letters, search.hypotheses, search.dimensions, search.rng) if orders else search
        self.squared.among, self.squared.offered = [], []

    def instances(self, attempts: range) -> Iterator[Instance]:
        searches = (self.squared, self.plain) if self.orders else (self.plain,)
        for search in searches:
            for at in search.instances(attempts):
                if all(self._holds(k, at) for k in range(len(self.orders))) and self._has_determinants(at):
                    yield Instance(at.sizes, {name: at.matrices[name] for name in self.names})

    def _holds(self, k: int, at: Instance) -> bool:
        matrix = value_of(self.orders[k].terms, self.orders[k].shape, at)
        return equals_its_transpose(matrix) and below(matrix, self.strict[k]) is None

    def _has_determinants(self, at: Instance) -> bool:
        values = {f"det_{x}": m.det() for x, m in at.matrices.items() if self.determinants and m.nrows() == m.ncols()}
        return all(holds(relation, values) for relation in self.determinants)


def drawn_as_squares(
    letters: dict[str, Declaration], orders: Sequence[Sized], strict: Sequence[bool]
) -> dict[str, Declaration]:
    """The declarations, where each inequality defines a letter that stands alone in it, by a square."""
    letters = dict(letters)
    taken: set[str] = set()
    choices = {k: list(_alone(orders[k], letters)) for k in range(len(orders))}
    for k in sorted(choices, key=lambda k: len(choices[k])):
        for name, at, c in choices[k]:
            if name in taken:
                continue
            x = letters[name]
            root, margin = (pattern.format(k) for pattern in (ROOT, MARGIN))
            size = orders[k].shape[0]
            rest = {m: -d / c for m, d in orders[k].terms.items() if m != at}
            fresh = {root: _root(size, x.diagonal)}
            for m in _square(root, size, x.diagonal):
                rest[m] = rest.get(m, Fraction(0)) + (1 if c > 0 else -1)
            if strict[k]:
                fresh[margin] = Declaration(1, 1, symmetric=True, positive=True)
                rest[((margin,),), ()] = Fraction(1 if c > 0 else -1)
            changed = {**letters, **fresh, name: replace(x, equals=rest)}
            if not _in_a_circle(changed):
                letters, taken = changed, taken | {name}
                break
    return letters


def _alone(gap: Sized, letters: dict[str, Declaration]) -> Iterator[tuple[str, Monomial, Fraction]]:
    """The letters without definitions that are one term of a polynomial, and stand nowhere else in it."""
    shape, terms = gap
    for m, c in sorted(terms.items(), key=lambda t: -t[1]):
        words = [w for w in (*m[0], m[1]) if w]
        if len(words) != 1 or len(words[0]) != 1 or words[0][0] not in letters:
            continue
        x = letters[words[0][0]]
        defined = x.equals is not None or x.inverse_of is not None or x.orthonormal_columns or x.commutes_with
        if (
            x.shape == shape
            and not defined
            and words[0][0] not in mentioned({n: d for n, d in terms.items() if n != m})
        ):
            yield words[0][0], m, c


def _root(size: Dimension, diagonal: bool) -> Declaration:
    return Declaration(size, size, symmetric=diagonal or size == 1, diagonal=diagonal)


def _square(root: str, size: Dimension, diagonal: bool) -> list[Monomial]:
    if size == 1:
        return [(((root,), (root,)), ())]
    return [((), (root if diagonal else root + "'", root))]


def _in_a_circle(letters: dict[str, Declaration]) -> bool:
    def reaches(name: str, path: tuple[str, ...]) -> bool:
        x = letters[name]
        behind = mentioned(x.equals or {}) | mentioned(x.inverse_of or {})
        return name in path or any(reaches(other, (*path, name)) for other in behind)

    return any(reaches(name, ()) for name in letters)


# --- definite or not --------------------------------------------------------------------------------------------------


def equals_its_transpose(matrix: Any) -> bool:
    return is_zero(matrix - matrix.transpose())


def below(matrix: Any, strict: bool) -> list[Any] | None:
    """A vector x with x' M x < 0, or one with x' M x = 0 that is not zero where M should be definite; None if none is.

    The symmetric matrix is split by squares: each pivot is removed, and the vectors that remain are kept beside it.
    """
    n = matrix.nrows()
    directions = [[fmpq(int(i == j)) for i in range(n)] for j in range(n)]
    table = [[matrix[i, j] for j in range(n)] for i in range(n)]
    while table:
        k = next((i for i in range(len(table)) if table[i][i] != 0), None)
        if k is None:
            pair = next(((i, j) for i in range(len(table)) for j in range(i) if table[i][j] != 0), None)
            if pair is None:
                return directions[0] if strict else None
            i, j = pair
            sign = -1 if table[i][j] > 0 else 1
            return [a + sign * b for a, b in zip(directions[i], directions[j], strict=True)]
        pivot = table[k][k]
        if pivot < 0:
            return directions[k]
        ratios = [row[k] / pivot for row in table]
        rest = [i for i in range(len(table)) if i != k]
        directions = [[a - ratios[i] * b for a, b in zip(directions[i], directions[k], strict=True)] for i in rest]
        table = [[table[i][j] - ratios[i] * table[k][j] for j in rest] for i in rest]
    return None


def at_vector(matrix: Any, vector: Sequence[Any]) -> Any:
    """x' M x."""
    x = fmpq_mat(len(vector), 1, list(vector))
    return (x.transpose() * matrix * x)[0, 0]
