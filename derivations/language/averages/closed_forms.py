"""Closed forms of averages over jointly Gaussian fields of mean zero, for a general covariance.

Nothing here is taken for granted: `prove.average` derives every one of these values from its average.

    C = covariance("a", "b", "c", "d")
    bell = Bell(height=sqrt(2/pi), width2=1)                      # g odd, g' = height exp(-x^2/(2 width2))
    bell.slopes(C, 0, 1)                                          # <g'(a) g'(b)>
    bell.values(C, 0, 1)                                          # <g(a) g(b)>
    bell.slope_linear_value(C, 0, 1, 2)                           # <g'(a) b g(c)>
    bell.slopes_values(C, 0, 1, 2, 3)                             # <g'(a) g'(b) g(c) g(d)>
    Ramp().slopes_values(C, 0, 1, 2, 3, all_positive=P)           # the same for g(x) = max(x, 0), by P(a, b, c, d > 0)

    bell.slope(0) * bell.value(2)                                 # g'(a) g(c), to be averaged

Fields are named by their rows of C.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import sympy as sp

from derivations.language.averages.integrands import Integrand, bell, error_function, field, point, ramp, step
from derivations.language.terms import Expression, Matrix, NotExact, Place
from derivations.text.doors import at_door, require_fields


@at_door(NotExact)
def covariance(*names: str) -> Matrix:
    """A symmetric matrix of symbols: variances positive, C_ab real.

    names: one letter for each field.

    >>> covariance("a", "b")
    Matrix([
    [C_aa, C_ab],
    [C_ab, C_bb]])
    """
    return sp.Matrix(len(names), len(names), lambda i, j: _entry(*sorted((names[i], names[j]))))


def _require_rows(C: Matrix, *fields: int) -> None:
    """Refuses a field without a row in the covariance."""
    if (beyond := max(fields)) >= C.rows:
        raise NotExact(f"field {beyond} has no row in a covariance of {C.rows} rows: give one from 0 to {C.rows - 1}")


def _entry(a: str, b: str) -> Any:
    return sp.Symbol(f"C_{a}{b}", positive=True) if a == b else sp.Symbol(f"C_{a}{b}", real=True)


def _block(C: Matrix, at: Sequence[int], width2: Any = 0) -> Matrix:
    """The covariance of some fields, with a variance added to each."""
    return sp.eye(len(at)) * width2 + C.extract(list(at), list(at))


def _narrowed(C: Matrix, at: Sequence[int], block: Matrix) -> Matrix:
    """The covariance of all fields once a measurement of some fields is known."""
    columns = C[:, list(at)]
    return (C - columns * block.adjugate() * columns.T / block.det()).applyfunc(sp.together)


def tilted(C: Matrix, at: Sequence[int], width2: Any) -> tuple[Any, Matrix]:
    """(factor, C') with <prod_k exp(-z_k^2/(2 width2)) F>_C = factor <F>_C', k running through the fields `at`.

    >>> tilted(sp.Matrix([[1]]), [0], sp.Integer(1))
    (sqrt(2)/2, Matrix([[1/2]]))
    """
    return tilting_factor(C, at, width2), _narrowed(C, at, _block(C, at, width2))


def tilting_factor(C: Matrix, at: Sequence[int], width2: Any) -> Any:
    """The factor of `tilted` alone: the average of the tilt itself."""
    return sp.sqrt(width2 ** len(at)) / sp.sqrt(_block(C, at, width2).det())


def conditioned(C: Matrix, at: Sequence[int]) -> tuple[Any, Matrix]:
    """(density, C'): the density at zero of the fields `at`, and the covariance of all fields where they vanish.

    >>> conditioned(sp.Matrix([[4]]), [0])
    (sqrt(2)/(4*sqrt(pi)), Matrix([[0]]))
    """
    block = _block(C, at)
    return (2 * sp.pi) ** sp.Rational(-len(at), 2) / sp.sqrt(block.det()), _narrowed(C, at, block)


class _Stein:
    """Averages that follow for every activation by Stein's lemma."""

    def slopes(self, C: Matrix, a: int, b: int) -> Any:
        raise NotImplementedError

    def curvature_value(self, C: Matrix, a: int, c: int) -> Any:
        raise NotImplementedError

    def slope_linear_value(self, C: Matrix, a: int, b: int, c: int) -> Any:
        """<g'(a) b g(c)>, by Stein's lemma on b."""
        return C[a, b] * self.curvature_value(C, a, c) + C[b, c] * self.slopes(C, a, c)


@dataclass(frozen=True)
class Bell(_Stein):
    """An odd activation whose slope is a Gaussian bell: g'(x) = height exp(-x^2/(2 width2)).

    Its value is height sqrt(pi width2/2) erf(x/sqrt(2 width2)): erf(x/sqrt(2)) has height sqrt(2/pi) and width2 1.

    >>> from derivations import prove
    >>> from derivations.language.averages import mean
    >>> C, g = covariance("a", "b"), Bell(sp.sqrt(2 / sp.pi), sp.Integer(1))
    >>> prove.average(mean(g.value(0) * g.value(1), C), g.values(C, 0, 1)).verdict.value
    'proved'
    """

    height: Expression
    width2: Expression

    def __post_init__(self) -> None:
        require_fields(self, NotExact)

    @at_door(NotExact)
    def slope(self, a: Place) -> Integrand:
        """g' of field number a, as part of an integrand.

        >>> Bell(sp.Integer(1), sp.Integer(2)).slope(0).fields()
        [0]
        """
        return bell(a, self.width2).times(self.height)

    @at_door(NotExact)
    def value(self, a: Place) -> Integrand:
        """g of field number a, as part of an integrand.

        >>> (Bell(sp.Integer(1), sp.Integer(2)).value(0) * field(1)).fields()
        [0, 1]
        """
        return error_function(a, self.width2).times(self.height * sp.sqrt(sp.pi * self.width2 / 2))

    def curvature(self, a: int) -> Integrand:
        return field(a).times(self.slope(a)).times(-1 / self.width2)

    @at_door(NotExact)
    def slopes(self, C: Matrix, a: Place, b: Place) -> Any:
        """<g'(a) g'(b)> for the covariance C of all fields, by tilting the constant 1.

        >>> Bell(sp.Integer(1), sp.Integer(1)).slopes(sp.eye(2), 0, 1)
        1/2
        """
        _require_rows(C, a, b)
        return self.height**2 * tilting_factor(C, [a, b], self.width2)

    @at_door(NotExact)
    def values(self, C: Matrix, a: Place, b: Place) -> Any:
        """<g(a) g(b)> for the covariance C of all fields.

        Its derivative by C_ab is <g'(a) g'(b)> (Price), and it is zero for independent odd values.

        >>> Bell(sp.Integer(1), sp.Integer(1)).values(sp.ones(2, 2), 0, 1)
        pi/6
        """
        _require_rows(C, a, b)
        spread = sp.sqrt(self.width2 + C[a, a]) * sp.sqrt(self.width2 + C[b, b])
        return self.height**2 * self.width2 * sp.asin(C[a, b] / spread)

    def curvature_value(self, C: Matrix, a: int, c: int) -> Any:
        """<g''(a) g(c)>: as g'' = -a g'/width2, Stein's lemma gives one linear equation for it."""
        return -C[a, c] * self.slopes(C, a, c) / (self.width2 + C[a, a])

    def slopes_values(self, C: Matrix, a: int, b: int, c: int, d: int) -> Any:
        """<g'(a) g'(b) g(c) g(d)>: tilting by both slopes leaves <g(c) g(d)> under another covariance."""
        factor, narrowed = tilted(C, [a, b], self.width2)
        return self.height**2 * factor * self.values(narrowed, c, d)


@dataclass(frozen=True)
class Ramp(_Stein):
    """The rectified line: g(x) = x for x > 0 and 0 below; its slope is a step, its curvature a point mass at zero.

    Averages of ramps of several fields ask that none is a combination of the others, which `definite` says.

    >>> from derivations import prove
    >>> from derivations.language.averages import mean
    >>> C, g = covariance("a", "b"), Ramp()
    >>> prove.average(mean(g.value(0) * g.value(1), C, definite=(0, 1)), g.values(C, 0, 1)).verdict.value
    'proved'
    """

    @at_door(NotExact)
    def slope(self, a: Place) -> Integrand:
        """g' of field number a, as part of an integrand: 1 where the field is positive, 0 elsewhere.

        >>> Ramp().slope(0).fields()
        [0]
        """
        return step(a)

    @at_door(NotExact)
    def value(self, a: Place) -> Integrand:
        """g of field number a, as part of an integrand.

        >>> (Ramp().value(0) * Ramp().value(1)).fields()
        [0, 1]
        """
        return ramp(a)

    def curvature(self, a: int) -> Integrand:
        return point(a)

    @at_door(NotExact)
    def slopes(self, C: Matrix, a: Place, b: Place) -> Any:
        """<g'(a) g'(b)> for the covariance C of all fields.

        Its derivative by C_ab is the density of a = b = 0 (Price); independent signs give 1/4.

        >>> Ramp().slopes(sp.eye(2), 0, 1)
        1/4
        """
        _require_rows(C, a, b)
        return sp.Rational(1, 4) + sp.asin(C[a, b] / _spread(C, a, b)) / (2 * sp.pi)

    @at_door(NotExact)
    def values(self, C: Matrix, a: Place, b: Place) -> Any:
        """<g(a) g(b)> for the covariance C of all fields.

        Its derivative by C_ab is <g'(a) g'(b)>; independent values give <g(a)> <g(b)>.

        >>> Ramp().values(sp.eye(2), 0, 1)
        1/(2*pi)
        """
        _require_rows(C, a, b)
        root = sp.sqrt(C[a, a] * C[b, b] - C[a, b] ** 2)
        return C[a, b] * self.slopes(C, a, b) + root / (2 * sp.pi)

    def curvature_value(self, C: Matrix, a: int, c: int) -> Any:
        """<g''(a) g(c)>: the density of a = 0 times the mean of g(c) there."""
        density, given = conditioned(C, [a])
        return density * sp.sqrt(given[c, c] / (2 * sp.pi))

    def slope_value(self, C: Matrix, a: int, b: int) -> Any:
        """<g'(a) g(b)>."""
        return (C[a, b] / sp.sqrt(C[a, a]) + sp.sqrt(C[b, b])) / (2 * sp.sqrt(2 * sp.pi))

    def zero_slope_value(self, C: Matrix, x: int, a: int, b: int) -> Any:
        """<delta(x) g'(a) g(b)>: the density of x = 0 times the average there."""
        density, given = conditioned(C, [x])
        return density * self.slope_value(given, a, b)

    def three_slopes(self, C: Matrix) -> Any:
        """The probability that three fields of variance 1 are positive."""
        angles = (sp.asin(C[a, b]) for a, b in combinations(range(3), 2))
        return sp.Rational(1, 8) + sum(angles) / (4 * sp.pi)

    def zeros_and_slopes(self, C: Matrix, at: Sequence[int], a: int, b: int) -> Any:
        """<delta(x) ... g'(a) g'(b)> with the fields `at` at zero: their density, times the slopes' average there."""
        density, given = conditioned(C, at)
        return density * self.slopes(given, a, b)

    def slopes_values(self, C: Matrix, a: int, b: int, c: int, d: int, *, all_positive: Any) -> Any:
        """<g'(a) g'(b) g(c) g(d)> by the probability that all four fields are positive, by Stein's lemma on c and d."""
        fields = (a, b, c, d)
        total = C[c, d] * all_positive
        for x, y in combinations(fields, 2):
            total += zero_weight(C, x, y, c, d) * self.zeros_and_slopes(C, [x, y], *_without((x, y), fields))
        return total


def zero_weight(C: Matrix, x: int, y: int, c: int, d: int) -> Any:
    """The factor of <delta(x) delta(y) ...> in <c d F> for a product F of steps, by Stein's lemma on c and d."""
    both = C[c, x] * C[d, y] + C[c, y] * C[d, x]
    return sp.cancel(both - C[x, y] * (C[c, x] * C[d, x] / C[x, x] + C[c, y] * C[d, y] / C[y, y]))


def _without(gone: Sequence[int], fields: Sequence[int]) -> tuple[int, ...]:
    return tuple(x for x in fields if x not in gone)


@dataclass(frozen=True)
class Line:
    """g(x) = x, as in linear networks."""

    @at_door(NotExact)
    def slope(self, a: Place) -> Integrand:
        return Integrand(((sp.Integer(1), ()),))

    @at_door(NotExact)
    def value(self, a: Place) -> Integrand:
        return field(a)

    @at_door(NotExact)
    def slopes(self, C: Matrix, a: Place, b: Place) -> Any:
        return sp.Integer(1)

    @at_door(NotExact)
    def values(self, C: Matrix, a: Place, b: Place) -> Any:
        _require_rows(C, a, b)
        return C[a, b]

    def slope_linear_value(self, C: Matrix, a: int, b: int, c: int) -> Any:
        return C[b, c]

    def slopes_values(self, C: Matrix, a: int, b: int, c: int, d: int) -> Any:
        return C[c, d]


def _spread(C: Matrix, a: int, b: int) -> Any:
    return sp.sqrt(C[a, a]) * sp.sqrt(C[b, b])
