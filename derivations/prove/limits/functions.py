"""Series of terms: each function by its Taylor series, by what it is at infinity, or by a bound."""

from __future__ import annotations

from collections.abc import Sequence

from flint import fmpq

from derivations.language.terms import Term, derivative, fraction_of, symbols_in
from derivations.prove.limits.coefficients import Coefficient, number_of
from derivations.prove.limits.series import Calculus, NoSign, Series
from derivations.prove.limits.signs import Unknown

ALWAYS_BOUNDED = ("sin", "cos", "tanh", "erf", "atan")


class Reader:
    """Series of the parts of an expression in which one variable moves."""

    def __init__(self, calculus: Calculus, variable: str, moving: Series) -> None:
        self.calculus, self.field = calculus, calculus.field
        self.variable, self.moving = variable, moving
        self._read: dict[Term, Series] = {}

    def series(self, term: Term) -> Series:
        """The series of a term without derivatives and substitutions."""
        if term not in self._read:
            moves = self.variable in symbols_in(term)
            self._read[term] = self._series(term) if moves else self.calculus.number(self.field.read(term))
        return self._read[term]

    def _series(self, term: Term) -> Series:
        head, calculus = term[0], self.calculus
        match head:
            case "s":
                return self.moving
            case "+":
                return calculus.plus(*map(self.series, term[1:]))
            case "*":
                return calculus.product(*map(self.series, term[1:]))
            case "^":
                return self._of_power(term[1], term[2])
            case "exp":
                return calculus.exp(self.series(term[1]))
            case "log":
                return calculus.log(self.series(term[1]))
            case "abs":
                return self._size(self.series(term[1]))
            case "sinh" | "cosh":
                inner = self.series(term[1])
                rising, falling = calculus.exp(inner), calculus.exp(calculus.by_number(inner, fmpq(-1)))
                half = fmpq(1, 2)
                other = half if head == "cosh" else -half
                return calculus.plus(calculus.by_number(rising, half), calculus.by_number(falling, other))
            case "sin" | "cos" | "tanh" | "erf" | "atan" | "asin":
                return self._of_function(head, self.series(term[1]))
        raise Unknown(f"no series is known here for {head}")

    def _of_power(self, base: Term, exponent: Term) -> Series:
        calculus = self.calculus
        if exponent[0] == "q":
            number = fraction_of(exponent)
            if number == fraction_of(("q", "1/2")) and base[0] == "^" and base[2] == ("q", "2"):
                return self._size(self.series(base[1]))
            return calculus.power(self.series(base), fmpq(number.numerator, number.denominator))
        if self.variable in symbols_in(exponent):
            return calculus.exp(calculus.product(self.series(exponent), calculus.log(self.series(base))))
        if calculus.sign(self.series(base)) != 1:
            raise Unknown("a power is taken of what is negative near the limit")
        return calculus.power(self.series(base), self.field.read(exponent))

    def _size(self, a: Series) -> Series:
        """The absolute value, or a bound where the sign is not known."""
        if a.vanishes():
            return a
        try:
            return self.calculus.by_number(a, fmpq(self.calculus.sign(a)))
        except (Unknown, NoSign):
            return Series((), a.largest())

    def _of_function(self, head: str, a: Series) -> Series:
        bounded = Series((), self.calculus.none)
        try:
            grows, constant, small = self.calculus.parted(a)
        except Unknown:
            if head == "asin":
                raise
            return bounded
        if small is None or (grows and head in ("sin", "cos", "asin")):
            if head == "asin":
                raise Unknown("asin has no value where its argument leaves its domain")
            return bounded
        if head == "tanh":
            return self._tanh(a)
        if grows:
            return self._far_out(head, a)
        if head == "asin" and number_of(constant) in (-1, 1):
            return self._near_end(constant, small)
        return self.calculus.put_in(self._taylor(head, constant), small)

    def _near_end(self, sign: Coefficient, small: Series) -> Series:
        """asin(1 - 2 u^2) = pi/2 - 2 asin(u) for small u >= 0, and asin is odd."""
        calculus = self.calculus
        u = calculus.power(calculus.by_number(small, sign * fmpq(-1, 2)), fmpq(1, 2))
        arc = calculus.by_number(calculus.put_in(self._taylor("asin", fmpq(0)), u), fmpq(-2))
        end = calculus.number(self.field.generator("pi", fmpq(0)) * fmpq(1, 2))
        return calculus.by_number(calculus.plus(end, arc), sign)

    def _tanh(self, a: Series) -> Series:
        """(E - 1)/(E + 1) with E = exp(2 a)."""
        calculus = self.calculus
        growth = calculus.exp(calculus.by_number(a, fmpq(2)))
        above, below = (calculus.plus(growth, calculus.number(fmpq(k))) for k in (-1, 1))
        return calculus.product(above, calculus.power(below, fmpq(-1)))

    def _far_out(self, head: str, a: Series) -> Series:
        """atan or erf of what goes to infinity: the end of its range, less what is missing there."""
        calculus, sign = self.calculus, fmpq(self.calculus.sign(a))
        size = calculus.by_number(a, sign)
        inverse = calculus.power(size, fmpq(-1))
        if head == "atan":
            end = self.field.generator("pi", fmpq(0)) * fmpq(1, 2)
            missing = calculus.put_in(self._taylor("atan", fmpq(0)), inverse)
        else:
            end, missing = fmpq(1), self._missing_of_erf(size, inverse)
        return calculus.by_number(calculus.plus(calculus.number(end), calculus.by_number(missing, fmpq(-1))), sign)

    def _missing_of_erf(self, size: Series, inverse: Series) -> Series:
        calculus, weights = self.calculus, [fmpq(1)]
        decay = calculus.exp(calculus.by_number(calculus.product(size, size), fmpq(-1)))
        for k in range(calculus.order):
            weights.append(weights[-1] * fmpq(-1 - 2 * k, 2))
        brackets = calculus.put_in(weights, calculus.product(inverse, inverse))
        factor = self.field.power(self.field.generator("pi", fmpq(0)), fmpq(-1, 2), given=False)
        return calculus.by_number(calculus.product(decay, inverse, brackets), factor)

    def _taylor(self, head: str, c: Coefficient) -> Sequence[Coefficient]:
        """Taylor coefficients at a point inside the domain."""
        order = self.calculus.order
        if head in ("sin", "cos"):
            sine, cosine = self.field.function("sin", c, False), self.field.function("cos", c, False)
            circle = [sine, cosine, -sine, -cosine]
            weights, factorial = [], 1
            for k in range(order + 1):
                weights.append(circle[(k + (head == "cos")) % 4] * fmpq(1, factorial))
                factorial *= k + 1
            return weights
        line = Calculus(self.field, 0, [], order + 1, self.calculus.until)
        near = line.plus(line.number(c), line.single(fmpq(1), line.germ(0, fmpq(1))))
        slope = Reader(line, self.variable, near).series(derivative((head, ("s", self.variable)), self.variable))
        table = {powers[0]: weight for powers, weight in slope.summands}
        ends = [] if slope.rest is None else [slope.rest[0]]
        for power in (*table, *ends):
            number = number_of(power)
            if number is None or number < 0 or number.q != 1:
                raise Unknown(f"{head} has no Taylor series where its slope has no value")
        length = min([order, *(int(end) for end in ends)])
        value = fmpq(0) if c == 0 else self.field.function(head, c, given=head == "asin")
        return [value, *(table.get(fmpq(k), fmpq(0)) * fmpq(1, k + 1) for k in range(length))]


def going(calculus: Calculus, towards: Sequence[object], point: Coefficient) -> Series:
    """The moving variable: a point and a small distance from it, or the inverse of what is small."""
    step = calculus.single(fmpq(1), calculus.germ(calculus.t, fmpq(-1 if towards[0] in ("oo", "-oo") else 1)))
    signed = calculus.by_number(step, fmpq(-1 if towards[0] in ("-oo", "below") else 1))
    return calculus.plus(calculus.number(point), signed)
