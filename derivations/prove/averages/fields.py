"""Jointly Gaussian fields of mean zero: their covariance as terms, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from derivations.language.averages.monomials import plus, power, times
from derivations.language.terms import MINUS_ONE, ONE, ZERO, Term, rational

TWO = rational(2)


@dataclass(frozen=True)
class Fields:
    """A covariance that is positive semidefinite; that of the `definite` fields is positive definite."""

    entries: tuple[tuple[Term, ...], ...]
    definite: frozenset[int]

    def __getitem__(self, place: tuple[int, int]) -> Term:
        return self.entries[place[0]][place[1]]

    def tilted(self, field: int, width2: Term) -> Fields:
        """The covariance under the weight exp(-x^2/(2 width2)) of one field."""
        return Fields(self._less(field, plus(width2, self[field, field])), self.definite)

    def conditioned(self, field: int) -> Fields:
        """The covariance where one field is zero."""
        return Fields(self._less(field, self[field, field]), self.definite - {field})

    def _less(self, field: int, variance: Term) -> tuple[tuple[Term, ...], ...]:
        share = power(variance, MINUS_ONE)
        return self._symmetric(lambda i, j: plus(self[i, j], times(MINUS_ONE, self[i, field], self[j, field], share)))

    def _symmetric(self, entry: Callable[[int, int], Term]) -> tuple[tuple[Term, ...], ...]:
        places = range(len(self.entries))
        upper = {(i, j): entry(i, j) for i in places for j in places if i <= j}
        return tuple(tuple(upper[min(i, j), max(i, j)] for j in places) for i in places)

    def scaled(self, group: Iterable[int], by: Term) -> Fields:
        """The covariances between a group and the other fields multiplied by a number from 0 to 1."""
        inside = set(group)
        entries = self._symmetric(lambda i, j: times(by, self[i, j]) if (i in inside) != (j in inside) else self[i, j])
        return Fields(entries, self.definite)

    def minor(self, at: Iterable[int]) -> Term:
        """The principal minor of some fields: positive if they are definite, else not negative."""
        chosen = list(at)
        return determinant([[self[i, j] for j in chosen] for i in chosen])

    def fact(self, at: list[int]) -> Term:
        return (">" if set(at) <= self.definite else ">=", self.minor(at), ZERO)


def determinant(rows: list[list[Term]]) -> Term:
    """By the first row."""
    if not rows:
        return ONE
    parts = []
    for j, entry in enumerate(rows[0]):
        rest = determinant([[*row[:j], *row[j + 1 :]] for row in rows[1:]])
        parts.append(times(*([MINUS_ONE] if j % 2 else []), entry, rest))
    return plus(*parts)


def of_statement(statement: dict[str, Any]) -> Fields:
    entries = tuple(map(tuple, statement["covariance"]))
    return Fields(entries, frozenset(statement["definite"]))
