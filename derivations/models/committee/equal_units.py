"""Students that are alike, and orthonormal teachers that are: four order parameters, and sums counted, not unrolled.

**Symbols.** `R` is the overlap of a student with its own teacher and `S` with every other one, `Q` that of a student
with itself and `C` with every other one. K is the number of students and of teachers, and g(x) = erf(x/sqrt 2).

**Fields** are pairs such as ("student", "1"): a teacher is a student's own if its name begins with the name of that
student. A sum over all fields meets the units that a term names one by one, and all others as one representative times
their number (`counted`), so that K stays a symbol. The slopes of two students tilt their sum and their difference
apart, which keeps every covariance a difference of squares.

**Flow.** `linear_rate` of an order parameter is the part of its rate in eta, `quadratic_rate` that in eta^2/B, and
`noise_rate` that in sigma^2 eta^2/B; `Overlaps.error` is half the mean squared difference of the outputs.

>>> AT_PERFECT.error().doit()
0
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy as sp

from derivations.language.averages import Bell
from derivations.language.reals import reals

Field = tuple[str, str]
Counted = Iterable[tuple[Field, Any]]

K, Q, C, R, S = reals("K > 0, Q C R S")
SCALED = Bell(sp.sqrt(2 / sp.pi), sp.Integer(1))
ORDER = (R, S, Q, C)


@dataclass(frozen=True)
class Overlaps:
    """Averages at given values of the four order parameters, which may be symbols or numbers."""

    R: Any = R
    S: Any = S
    Q: Any = Q
    C: Any = C

    def covariance(self, f: Field, h: Field) -> Any:
        if f[0] == h[0] == "student":
            return self.Q if f == h else self.C
        if f[0] == h[0]:
            return sp.Integer(f == h)
        student, teacher = (f, h) if f[0] == "student" else (h, f)
        return self.R if teacher[1].startswith(student[1]) else self.S

    def among(self, *fields: Field) -> sp.Matrix:
        return sp.Matrix(len(fields), len(fields), lambda a, b: self.covariance(fields[a], fields[b]))

    def drift(self, i: str, toward: Field, fields: Counted | None = None) -> Any:
        """<Delta g'(lambda_i) field>, for units that are alike or for these fields with their signs."""
        student = ("student", i)
        return sum(
            weight * SCALED.slope_linear_value(self.among(student, toward, f), 0, 1, 2)
            for f, weight in fields or counted((i, toward[1]), "other")
        )

    def narrowed(self, i: str, k: str, f: Field, h: Field) -> Any:
        """The covariance of two fields after tilting by the slopes of the students i and k."""
        at, first, second = self.covariance, ("student", i), ("student", k)
        if i == k:
            return at(f, h) - 2 * at(f, first) * at(h, first) / (1 + 2 * self.Q)
        along, across = ([at(x, first) + side * at(x, second) for x in (f, h)] for side in (1, -1))
        fade = along[0] * along[1] / (1 + self.Q + self.C) + across[0] * across[1] / (1 + self.Q - self.C)
        return at(f, h) - fade / 2

    def tilting_factor(self, i: str, k: str) -> Any:
        """The factor that remains when the constant 1 is tilted by both slopes."""
        if i == k:
            return 1 / sp.sqrt(1 + 2 * self.Q)
        return 1 / (sp.sqrt(1 + self.Q + self.C) * sp.sqrt(1 + self.Q - self.C))

    def value_pairs(self, i: str, k: str) -> Iterator[tuple[Any, sp.Matrix]]:
        """All (weight, C') with <Delta^2 g'(lambda_i) g'(lambda_k)> = sum of weight <g' g'> <g g>_C', without noise."""
        gathered: dict[tuple[Any, ...], Any] = {}
        for f, first in counted((i, k), "other"):
            for h, second in counted((i, k, f[1]), "another"):
                ends = sorted((self.narrowed(i, k, x, x) for x in (f, h)), key=sp.default_sort_key)
                kind = (*ends, self.narrowed(i, k, f, h))
                gathered[kind] = gathered.get(kind, 0) + first * second
        for (one, other, both), weight in gathered.items():
            yield sp.factor(weight), sp.Matrix([[one, both], [both, other]])

    def spread(self, i: str, k: str, factor_at: Overlaps | None = None) -> Any:
        """<Delta^2 g'(lambda_i) g'(lambda_k)> without noise; the factor of tilting may be that of other overlaps."""
        parts = (weight * SCALED.values(narrowed, 0, 1) for weight, narrowed in self.value_pairs(i, k))
        return SCALED.height**2 * (factor_at or self).tilting_factor(i, k) * sp.Add(*parts, evaluate=False)

    def error(self, fields: Counted = ()) -> Any:
        """Half the mean squared difference of the outputs, without noise; of units alike, or of these fields."""
        pairs = (
            (f, h, first * second)
            for f, first in fields or counted((), "one")
            for h, second in fields or counted((f[1],), "another")
        )
        parts = (weight * SCALED.values(self.among(f, h), 0, 1) / 2 for f, h, weight in pairs)
        return sp.Add(*parts, evaluate=False)


def counted(named: Iterable[str], label: str) -> Iterator[tuple[Field, Any]]:
    """Every field with the sign of its output in the error, how often it occurs included."""
    labels = tuple(dict.fromkeys(named))
    for kind, sign in (("student", -1), ("teacher", 1)):
        yield from (((kind, unit), sp.Integer(sign)) for unit in labels)
        yield (kind, label), sign * (K - len(labels))


PERFECT = {R: sp.S.One, S: sp.S.Zero, Q: sp.S.One, C: sp.S.Zero}
GENERAL = Overlaps()
AT_PERFECT = Overlaps(**{x.name: value for x, value in PERFECT.items()})


@cache
def linear_rate(of: Any, at: Overlaps = GENERAL) -> Any:
    """The part of an order parameter's rate that is linear in eta, over eta."""
    if of in (R, S):
        return at.drift("1", ("teacher", "1" if of == R else "2"))
    other = "1" if of == Q else "2"
    return at.drift("1", ("student", other)) + at.drift(other, ("student", "1"))


@cache
def quadratic_rate(of: Any, at: Overlaps = GENERAL, factor_at: Overlaps | None = None) -> Any:
    """The part in eta^2/B, over eta^2/B, without noise; the factor of tilting may be that of other overlaps."""
    return at.spread("1", "1" if of == Q else "2", factor_at) if of in (Q, C) else sp.S.Zero


@cache
def noise_rate(of: Any, at: Overlaps = GENERAL) -> Any:
    """The contribution of the teacher's noise to it, over sigma^2 eta^2/B."""
    return SCALED.height**2 * at.tilting_factor("1", "1" if of == Q else "2") if of in (Q, C) else sp.S.Zero
