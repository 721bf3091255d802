"""Exact coefficients of series: rational numbers, or fractions over symbols and over formulas of the parameters.

A formula of the parameters that is no rational operation becomes a generator of its own: exp(a), log(2), sqrt(a), pi.
Products of exponentials, logarithms of products and roots of products are taken apart where the signs allow it, so that
what is equal usually looks equal. `given` says that a formula stands in the statement, and so has a value wherever the
statement speaks; any other one is built only when its argument is known to lie in the domain.
"""

from __future__ import annotations

from typing import Any

from flint import Ordering, fmpq, fmpq_mpoly_ctx, fmpz

from derivations.language.terms import MINUS_ONE, Term, fraction_of
from derivations.prove.limits.signs import Signs, Unknown

Poly = Any  # flint.fmpq_mpoly
Coefficient = Any  # flint.fmpq or Ratio

ROOM = 40  # for generators
LONGEST, LARGEST_POWER, MOST_BITS, FACTORED = 400, 64, 20_000, 60
FACTORED_NUMBER = 2**64
DEFINED_EVERYWHERE = ("exp", "sin", "cos", "erf", "atan", "abs")
VALUE_AT_ZERO = {"sin": 0, "cos": 1, "erf": 0, "asin": 0, "atan": 0, "abs": 0}


class Ratio:
    """A fraction in lowest terms that is no number."""

    def __init__(self, field: Coefficients, above: Poly, below: Poly) -> None:
        self.field, self.above, self.below = field, above, below
        self.text = f"({above})/({below})"

    def __hash__(self) -> int:
        return hash(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Ratio) and other.text == self.text

    def __neg__(self) -> Coefficient:
        return self * fmpq(-1)

    def __add__(self, other: Coefficient) -> Coefficient:
        top, bottom = self.field.fraction(other)
        field = self.field
        return field.ratio(
            field.times(self.above, bottom) + field.times(top, self.below), field.times(self.below, bottom)
        )

    def __mul__(self, other: Coefficient) -> Coefficient:
        top, bottom = self.field.fraction(other)
        return self.field.ratio(self.field.times(self.above, top), self.field.times(self.below, bottom))

    def __sub__(self, other: Coefficient) -> Coefficient:
        return self + other * fmpq(-1)

    def __rsub__(self, other: Coefficient) -> Coefficient:
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__


def number_of(c: Coefficient) -> Any:
    """The rational number that a coefficient is, or None."""
    return None if isinstance(c, Ratio) else c


class Coefficients:
    """The generators met so far, and the functions of coefficients."""

    def __init__(self, known: dict[str, list[str]], variable: str) -> None:
        self.known, self.variable = known, variable
        self.context = fmpq_mpoly_ctx.get([f"k{i}" for i in range(ROOM)], Ordering.lex)
        self.gens, self.one = self.context.gens(), self.context.constant(1)
        self.terms: list[Term] = []  # what each generator stands for
        self.inner: list[tuple[str, Coefficient]] = []  # its function and argument
        self.never_zero_roots: set[int] = set()
        self._places: dict[tuple[Any, ...], int] = {}
        self._powers: list[tuple[int, int, Poly]] = []  # of roots: place, order, and what the power is
        self.signs = Signs(self)

    # --- fractions ----------------------------------------------------------------------------------------------------

    def fraction(self, c: Coefficient) -> tuple[Poly, Poly]:
        return (c.above, c.below) if isinstance(c, Ratio) else (self.context.constant(c), self.one)

    def times(self, a: Poly, b: Poly) -> Poly:
        if len(a) * len(b) > LONGEST**2:
            raise Unknown("a coefficient grows too large")
        return a * b

    def ratio(self, above: Poly, below: Poly) -> Coefficient:
        for place, order, base in reversed(self._powers):
            above, below = self._lowered(above, place, order, base), self._lowered(below, place, order, base)
        if above == 0 or self.signs.is_zero(above):
            return fmpq(0)
        if max(len(above), len(below)) > LONGEST:
            raise Unknown("a coefficient grows too large")
        if not below.is_constant():
            shared = above.gcd(below)
            above, below = above / shared, below / shared
        above, below = above / below.leading_coefficient(), below / below.leading_coefficient()
        if max(int(c.height_bits()) for c in above.coeffs()) > MOST_BITS:
            raise Unknown("a coefficient grows too long")
        if above.is_constant() and below.is_constant():
            return above.leading_coefficient()
        return Ratio(self, above, below)

    def _lowered(self, poly: Poly, place: int, order: int, base: Poly) -> Poly:
        if poly == 0 or poly.degrees()[place] < order:
            return poly
        by_times: dict[int, dict[tuple[int, ...], Any]] = {}
        for exponents, c in poly.to_dict().items():
            times, left = divmod(int(exponents[place]), order)
            by_times.setdefault(times, {})[(*exponents[:place], left, *exponents[place + 1 :])] = c
        parts = (self.times(self.context.from_dict(part), self._repeated(base, k)) for k, part in by_times.items())
        return sum(parts, self.one * 0)

    def _repeated(self, poly: Poly, k: int) -> Poly:
        length = max((int(c.height_bits()) for c in poly.coeffs()), default=1)
        if k * length > MOST_BITS or (len(poly) > 1 and k > LARGEST_POWER):
            raise Unknown("a power of a coefficient grows too large")
        result = self.one
        for _ in range(k if len(poly) > 1 else 0):
            result = self.times(result, poly)
        return result if len(poly) > 1 else poly**k

    def whole(self, c: Coefficient, k: int) -> Coefficient:
        """c^k; a negative k only of what does not vanish."""
        above, below = self.fraction(c)
        if k < 0 and above == 0:
            raise Unknown("something is divided by zero")
        above, below = (above, below) if k >= 0 else (below, above)
        return self.ratio(self._repeated(above, abs(k)), self._repeated(below, abs(k)))

    # --- functions ----------------------------------------------------------------------------------------------------

    def exp(self, c: Coefficient) -> Coefficient:
        above, below = self.fraction(c)
        if below.is_constant():
            summands = [
                (w, self.ratio(self.context.from_dict({e: fmpq(1)}), below)) for e, w in above.to_dict().items()
            ]
        else:
            summands = [(above.leading_coefficient(), c * (1 / above.leading_coefficient()))]
        result: Coefficient = fmpq(1)
        for weight, part in summands:
            base = self._inside("log", part)
            if base is not None:
                result = result * self._power_of_positive(base, weight)
            else:
                result = result * self.whole(self.generator("exp", part * fmpq(1, weight.q)), int(weight.p))
        return result

    def log(self, c: Coefficient, given: bool) -> Coefficient:
        if not given and self.signs.of(c) != 1:
            return self._met("log", c)
        factors = self._positive_factors(c)
        if factors is None:
            return self.generator("log", c)
        result: Coefficient = fmpq(0)
        for factor, k in factors:
            exponent = self._inside("exp", factor)
            result = result + fmpq(k) * (self.generator("log", factor) if exponent is None else exponent)
        return result

    def power(self, c: Coefficient, exponent: Coefficient, given: bool) -> Coefficient:
        number = number_of(exponent)
        if number is None:
            return self.exp(exponent * self.log(c, given))
        if number < 0 and not given and not self.signs.never_zero(c):
            raise Unknown("a coefficient that may vanish is divided by")
        if number.q == 1:
            return self.whole(c, int(number.p))
        if c == 0 and number > 0:
            return fmpq(0)
        if self.signs.of(c) == 1 or (given and self._positive_factors(c) is not None):
            return self._power_of_positive(c, number)
        root = self._root(c, int(number.q)) if given else self._met("root", c, int(number.q))
        return self.whole(root, int(number.p))

    def _power_of_positive(self, c: Coefficient, exponent: Any) -> Coefficient:
        factors = self._positive_factors(c)
        result: Coefficient = fmpq(1)
        for factor, k in [(c, 1)] if factors is None else factors:
            floor = int((exponent * k).p // (exponent * k).q)
            rest = exponent * k - floor
            result = result * self.whole(factor, floor)
            if rest != 0:
                inner, order = self._inside("exp", factor), int(rest.q)
                root = self._root(factor, order, positive=True) if inner is None else self.exp(inner * fmpq(1, order))
                result = result * self.whole(root, int(rest.p))
        return result

    def _positive_factors(self, c: Coefficient) -> list[tuple[Coefficient, int]] | None:
        """|c| as a product of powers of positive factors, where the sign of each is known."""
        result: list[tuple[Coefficient, int]] = []
        for poly, direction in zip(self.fraction(c), (1, -1), strict=True):
            number, factors = self.factors(poly)
            if max(abs(int(number.p)), int(number.q)) > FACTORED_NUMBER:
                return None
            for part, turn in ((abs(int(number.p)), direction), (int(number.q), -direction)):
                result += [(fmpq(int(p)), int(k) * turn) for p, k in fmpz(part).factor()]
            for factor, k in factors:
                sign = self.signs.of_factor(factor)
                if sign == 0:
                    return None
                result.append((self.ratio(factor * sign, self.one), int(k) * direction))
        return result

    def factors(self, poly: Poly) -> Any:
        """A number and irreducible polynomials with their multiplicities."""
        return poly.factor() if len(poly) <= FACTORED else (fmpq(1), [(poly, 1)])

    def function(self, head: str, c: Coefficient, given: bool) -> Coefficient:
        """Any other function of one number."""
        if c == 0 and head in VALUE_AT_ZERO:
            return fmpq(VALUE_AT_ZERO[head])
        if head == "abs" and (sign := self.signs.of(c)):
            return c * fmpq(sign)
        if head in ("sin", "cos") and isinstance(c, Ratio):
            turns = number_of(c * fmpq(2) * self.whole(self.generator("pi", fmpq(0)), -1))
            if turns is not None and turns.q == 1:
                return fmpq((0, 1, 0, -1)[(int(turns.p) + (head == "cos")) % 4])
        return self.generator(head, c) if given or head in DEFINED_EVERYWHERE else self._met(head, c)

    def read(self, term: Term, given: bool = True) -> Coefficient:
        """A term of the parameters, without derivatives and substitutions."""
        head = term[0]
        if head == "q":
            value = fraction_of(term)
            return fmpq(value.numerator, value.denominator)
        if head == "pi":
            return self.generator("pi", fmpq(0))
        if head == "s":
            if term[1] == self.variable:
                raise Unknown(f"{term[1]} is no parameter")
            return self.generator("s", term[1])
        inside: list[Coefficient] = [self.read(child, given) for child in term[1:]]
        first = inside[0]
        if head in ("+", "*"):
            result = first
            for other in inside[1:]:
                result = result + other if head == "+" else result * other
            return result
        match head:
            case "^":
                return self.power(first, inside[1], given)
            case "exp":
                return self.exp(first)
            case "log":
                return self.log(first, given)
            case "sinh" | "cosh" | "tanh":
                rising = self.exp(first)
                falling = self.whole(rising, -1)
                plus, minus = rising + falling, rising - falling
                halves = {"sinh": minus * fmpq(1, 2), "cosh": plus * fmpq(1, 2)}
                return halves[head] if head in halves else minus * self.whole(plus, -1)
        return self.function(head, first, given)

    # --- generators ---------------------------------------------------------------------------------------------------

    def generator(self, head: str, argument: Any) -> Coefficient:
        if (head, argument) not in self._places:
            plain: dict[str, Term] = {"s": ("s", argument), "pi": ("pi",)}
            self._add((head, argument), plain[head] if head in plain else (head, self.term(argument)))
        return self._at((head, argument))

    def _root(self, base: Coefficient, order: int, positive: bool = False) -> Coefficient:
        key = ("root", base, order)
        if key not in self._places:
            self._add(key, ("^", self.term(base), ("q", f"1/{order}")))
            above, below = self.fraction(base)
            if below.is_constant():
                self._powers.append((self._places[key], order, above))
        if positive:
            self.never_zero_roots.add(self._places[key])
        return self._at(key)

    def _met(self, *key: Any) -> Coefficient:
        if key not in self._places:
            raise Unknown(f"it is not known that {key[0]} of a coefficient has a value")
        return self._at(key)

    def _add(self, key: tuple[Any, ...], term: Term) -> None:
        if len(self.terms) == ROOM:
            raise Unknown("the coefficients hold too many different constants")
        self._places[key] = len(self.terms)
        self.terms.append(term)
        self.inner.append((key[0], key[1]))

    def _at(self, key: tuple[Any, ...]) -> Coefficient:
        return Ratio(self, self.gens[self._places[key]], self.one)

    def _inside(self, head: str, c: Coefficient) -> Coefficient | None:
        """What a coefficient is the exponential or the logarithm of, where it is one generator."""
        if not isinstance(c, Ratio) or not c.below.is_constant():
            return None
        places = (i for i, (name, _) in enumerate(self.inner) if name == head and c.above == self.gens[i])
        return next((self.inner[i][1] for i in places), None)

    def term(self, c: Coefficient) -> Term:
        """A term with the value of a coefficient."""
        above, below = self.fraction(c)
        if below == 1:
            return self.poly_term(above)
        return ("*", self.poly_term(above), ("^", self.poly_term(below), MINUS_ONE))

    def poly_term(self, poly: Poly) -> Term:
        """A polynomial in the generators as a term."""
        summands: list[Term] = []
        for exponents, c in poly.to_dict().items():
            powers = [(self.terms[i], int(e)) for i, e in enumerate(exponents) if e]
            factors: list[Term] = [base if e == 1 else ("^", base, ("q", str(e))) for base, e in powers]
            if c != 1 or not factors:
                factors.insert(0, ("q", str(c)))
            summands.append(factors[0] if len(factors) == 1 else ("*", *factors))
        return ("+", *summands) if len(summands) > 1 else summands[0] if summands else ("q", "0")
