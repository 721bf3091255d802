"""Expansions of formulas, computed from the inside out.

Near a point inside its domain a function is expanded by Taylor's theorem; the coefficients of those that are neither
exponentials nor circular functions come from their derivatives, integrated term by term. At infinity, tanh is written
in exponentials, atan(y) = pi/2 - atan(1/y) for positive y, and 1 - erf(y) = exp(-y^2)/(sqrt(pi) y) (1 - 1/(2 y^2) +
3/(2 y^2)^2 - ...), whose error is below the first term left out. What is bounded is bounded whatever is put in.
"""

from __future__ import annotations

from collections.abc import Callable

from flint import fmpq

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Term, rational, shown
from derivations.recheck.core.terms import carried_out, free, outer_derivative, whole_exponent
from derivations.recheck.kinds.limits.constants import Constant, Constants, Quotient
from derivations.recheck.kinds.limits.expansions import Arithmetic, Expansion
from derivations.recheck.kinds.limits.scale import Scale

BOUNDED = ("sin", "cos", "tanh", "erf", "atan")
BY_DERIVATIVE = ("erf", "atan", "asin")


class Expander:
    """Expansions of formulas of one variable that goes to a point, and of parameters."""

    def __init__(self, arithmetic: Arithmetic, variable: str, moving: Expansion) -> None:
        self.arithmetic, self.ring, self.scale = arithmetic, arithmetic.ring, arithmetic.scale
        self.variable, self.moving = variable, moving
        self._known: dict[Term, Expansion] = {}

    def of(self, formula: Term) -> Expansion:
        """The expansion of a formula without derivatives and substitutions."""
        found = self._known.get(formula)
        if found is None:
            found = self._known[formula] = self._of(formula)
        return found

    def _of(self, formula: Term) -> Expansion:
        if self.variable not in free(formula):
            return self.arithmetic.constant(self.ring.read(formula, given=True))
        head = formula[0]
        if head == "s":
            return self.moving
        if head == "^":
            return self._power(formula)
        inner = [self.of(child) for child in formula[1:]]
        if head == "+":
            return self.arithmetic.add(*inner)
        if head == "*":
            product = inner[0]
            for factor in inner[1:]:
                product = self.arithmetic.multiply(product, factor)
            return product
        table: dict[str, Callable[[Expansion], Expansion]] = {
            "exp": self.arithmetic.exponential,
            "log": self.arithmetic.logarithm,
            "sinh": lambda a: self._hyperbolic(a, fmpq(-1)),
            "cosh": lambda a: self._hyperbolic(a, fmpq(1)),
            "abs": self._absolute,
        }
        if head in table:
            return table[head](inner[0])
        if head in BOUNDED or head in BY_DERIVATIVE:
            return self._of_function(head, inner[0])
        raise Rejected(f"{shown(formula)} is not expanded here")

    def _power(self, formula: Term) -> Expansion:
        base, exponent = formula[1], formula[2]
        if exponent[0] == "q":
            is_square = base[0] == "^" and whole_exponent(base) == 2
            if is_square and rational(exponent[1]) == fmpq(1, 2):
                return self._absolute(self.of(base[1]))
            return self.arithmetic.power(self.of(base), rational(exponent[1]))
        if self.variable in free(exponent):
            product = self.arithmetic.multiply(self.of(exponent), self.arithmetic.logarithm(self.of(base)))
            return self.arithmetic.exponential(product)
        inner = self.of(base)
        if self.arithmetic.sign(inner) != 1:
            raise Rejected("a power is taken of what is negative near the limit")
        return self.arithmetic.power(inner, self.ring.read(exponent, given=True))

    def _absolute(self, a: Expansion) -> Expansion:
        """|a|, of which only a bound is known where the sign is not."""
        try:
            return self.arithmetic.scaled(a, fmpq(self.arithmetic.sign(a)))
        except Rejected:
            return a if a.is_zero else Expansion((), a.bound())

    def _hyperbolic(self, a: Expansion, sign: Constant) -> Expansion:
        """(exp(a) + sign exp(-a))/2."""
        up, down = (self.arithmetic.exponential(self.arithmetic.scaled(a, fmpq(s))) for s in (1, -1))
        return self.arithmetic.add(
            self.arithmetic.scaled(up, fmpq(1, 2)), self.arithmetic.scaled(down, sign * fmpq(1, 2))
        )

    def _of_function(self, head: str, a: Expansion) -> Expansion:
        """A function that is bounded, or has a Taylor series where its argument is finite."""
        try:
            growing, c, small = self.arithmetic.split(a)
        except Rejected:
            if head in BOUNDED:
                return self.arithmetic.bounded()
            raise
        if small is None or (growing and head in ("sin", "cos")):
            if head in BOUNDED:
                return self.arithmetic.bounded()
            raise Rejected(f"{head} is taken of what need not lie in its domain")
        if head == "tanh":
            return self._tanh(a)
        if growing:
            if head == "asin":
                raise Rejected("asin is taken of what grows")
            return self._at_infinity(head, a)
        if head == "asin" and c in (1, -1):
            return self._at_end(c, small)
        return self.arithmetic.composed(self._series(head, c), small)

    def _at_end(self, end: Constant, small: Expansion) -> Expansion:
        """asin(end + small) = end (pi/2 - 2 asin(sqrt(-end small/2))) where end is 1 or -1."""
        arithmetic = self.arithmetic
        root = arithmetic.power(arithmetic.scaled(small, end * fmpq(-1, 2)), fmpq(1, 2))
        gap = arithmetic.composed(self._series("asin", fmpq(0)), root)
        quarter = arithmetic.constant(self.ring.pi() * fmpq(1, 2))
        return arithmetic.scaled(arithmetic.add(quarter, arithmetic.scaled(gap, fmpq(-2))), end)

    def _tanh(self, a: Expansion) -> Expansion:
        arithmetic = self.arithmetic
        twice, one = arithmetic.exponential(arithmetic.scaled(a, fmpq(2))), arithmetic.constant(fmpq(1))
        below = arithmetic.add(twice, one)
        return arithmetic.multiply(arithmetic.add(twice, arithmetic.scaled(one, fmpq(-1))), arithmetic.inverse(below))

    def _at_infinity(self, head: str, a: Expansion) -> Expansion:
        """atan and erf of what goes to infinity, both odd."""
        arithmetic = self.arithmetic
        sign = fmpq(arithmetic.sign(a))
        size = arithmetic.scaled(a, sign)
        inverse = arithmetic.inverse(size)
        if head == "atan":
            end = arithmetic.constant(self.ring.pi() * fmpq(1, 2))
            rest = arithmetic.composed(self._series("atan", fmpq(0)), inverse)
        else:
            end, rest = arithmetic.constant(fmpq(1)), self._tail_of_erf(size, inverse)
        return arithmetic.scaled(arithmetic.add(end, arithmetic.scaled(rest, fmpq(-1))), sign)

    def _tail_of_erf(self, size: Expansion, inverse: Expansion) -> Expansion:
        arithmetic = self.arithmetic
        decay = arithmetic.exponential(arithmetic.scaled(arithmetic.multiply(size, size), fmpq(-1)))
        series = [fmpq(1)]
        for k in range(arithmetic.order):
            series.append(series[-1] * fmpq(-(2 * k + 1), 2))
        sum_ = arithmetic.composed(series, arithmetic.multiply(inverse, inverse))
        root = self.ring.power(self.ring.pi(), fmpq(-1, 2), given=False)
        return arithmetic.scaled(arithmetic.multiply(arithmetic.multiply(decay, inverse), sum_), root)

    def _series(self, head: str, c: Constant) -> list[Constant]:
        """The Taylor coefficients of a function at c, which is shown to lie inside its domain."""
        order = self.arithmetic.order
        if head in ("sin", "cos"):
            sine, cosine = (self.ring.function(name, c, given=False) for name in ("sin", "cos"))
            turns = (sine, cosine, -sine, -cosine) if head == "sin" else (cosine, -sine, -cosine, sine)
            coefficients, factorial = [], 1
            for k in range(order + 1):
                coefficients.append(turns[k % 4] * fmpq(1, factorial))
                factorial *= k + 1
            return coefficients
        slopes = self._series_of(outer_derivative(head, ("s", self.variable)), c)
        value = fmpq(0) if c == 0 else self.ring.function(head, c, given=head == "asin")
        return [value, *(slope * fmpq(1, k + 1) for k, slope in enumerate(slopes[:order]))]

    def _series_of(self, formula: Term, c: Constant) -> list[Constant]:
        """The Taylor coefficients at c of a formula of the variable alone."""
        scale = Scale(self.ring, 0, ())
        arithmetic = Arithmetic(self.ring, scale, self.arithmetic.order + 1)
        moving = arithmetic.add(arithmetic.constant(c), arithmetic.monomial(fmpq(1), scale.unit(0, fmpq(1))))
        found = Expander(arithmetic, self.variable, moving).of(formula)
        table = {_power_of(exponents[0]): coefficient for exponents, coefficient in found.terms}
        known = self.arithmetic.order if found.remainder is None else _power_of(found.remainder[0])
        return [table.get(k, fmpq(0)) for k in range(min(known, self.arithmetic.order))]


def _power_of(exponent: Constant) -> int:
    """A power in a Taylor series, in which no other one may stand."""
    if isinstance(exponent, Quotient) or exponent.q != 1 or exponent < 0:
        raise Rejected("a function has no Taylor series at this point: its slope has other powers than whole ones")
    return int(exponent.p)


def direction(arithmetic: Arithmetic, ring: Constants, towards: Term) -> Expansion:
    """The variable as an expansion in t: t is the distance to a point, or the inverse of what goes to infinity."""
    t = arithmetic.scale.place_of_t

    def power(k: int, sign: int) -> Expansion:
        return arithmetic.monomial(fmpq(sign), arithmetic.scale.unit(t, fmpq(k)))

    if towards[0] in ("oo", "-oo"):
        return power(-1, 1 if towards[0] == "oo" else -1)
    point = arithmetic.constant(ring.read(carried_out(towards[1]), given=True))
    return arithmetic.add(point, power(1, 1 if towards[0] == "above" else -1))
