"""The flow of the order parameters of a soft committee at a small learning rate, for any numbers of units.

Students and orthonormal teachers have the activation erf(x / sqrt 2), and the time is measured in 1 / eta (Saad and
Solla, Phys. Rev. E 52 (1995)): R is the overlap of a student with a teacher, and Q that of two students.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import sympy as sp

q = sp.Rational
Unit = tuple[str, int]


class Committee:
    """K students and M teachers.

    >>> len(Committee(4, 4).rates()), len(Committee(2, 4).rates())
    (26, 11)
    """

    def __init__(self, students: int, teachers: int) -> None:
        self.students, self.teachers = range(students), range(teachers)
        self.overlap = {(i, n): _symbol("R", i, n) for i, n in product(self.students, self.teachers)}
        self.own = {(i, k): _symbol("Q", i, k) for i, k in product(self.students, repeat=2) if i <= k}

    def rates(self) -> dict[Any, Any]:
        """The rate of every order parameter."""
        found = {r: self._pull(i, ("teacher", n)) for (i, n), r in self.overlap.items()}
        for (i, k), own in self.own.items():
            found[own] = self._pull(i, ("student", k)) + self._pull(k, ("student", i))
        return found

    def start(self) -> dict[Any, Any]:
        """A start at which every student is hardly nearer to one of the teachers."""
        found = {r: q(10 + (7 * i + 3 * n) % 5 + 4 * (i == n), 200) for (i, n), r in self.overlap.items()}
        for (i, k), own in self.own.items():
            found[own] = q(1, 5) + q(i, 50) if i == k else q(1, 20) + q((3 * i + k) % 4, 200)
        return found

    def _pull(self, student: int, along: Unit) -> Any:
        """How the error moves a student along a unit."""
        towards = sum(self._average(("student", student), along, ("teacher", n)) for n in self.teachers)
        return towards - sum(self._average(("student", student), along, ("student", j)) for j in self.students)

    def _average(self, a: Unit, b: Unit, c: Unit) -> Any:
        """The average of g'(a) b g(c) over Gaussian fields."""
        of = self._covariance
        share = of(b, c) * (1 + of(a, a)) - of(a, b) * of(a, c)
        return 2 / sp.pi * share / ((1 + of(a, a)) * sp.sqrt((1 + of(a, a)) * (1 + of(c, c)) - of(a, c) ** 2))

    def _covariance(self, a: Unit, b: Unit) -> Any:
        (kind, i), (other, j) = sorted((a, b))
        if kind == other:
            return self.own[i, j] if kind == "student" else sp.Integer(int(i == j))
        return self.overlap[i, j]


def _symbol(letter: str, first: int, second: int) -> Any:
    return sp.Symbol(f"{letter}{first + 1}{second + 1}", real=True)
