"""Signs of the coefficients of series, for all parameters of which a statement speaks."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from derivations.language.evaluate import evaluate, precision
from derivations.language.terms import Term, symbols_in

Poly = Any  # flint.fmpq_mpoly
Coefficient = Any  # flint.fmpq or a ratio of polynomials
Coefficients = Any  # the field that asks, and that reads terms

BITS = (128, 1024)
LOGS = 8  # how often one logarithm may be taken


class Unknown(ArithmeticError):
    """A series cannot be computed; the message says what is missing."""


class Signs:
    """Facts about polynomials in the generators, each kept for the polynomial with leading coefficient 1."""

    def __init__(self, field: Coefficients) -> None:
        self.field = field
        self._sign: dict[str, int] = {}
        self._not_zero: set[str] = set()
        self._is_zero: set[str] = set()
        self._enclosed: dict[str, int] = {}
        self._offered: list[tuple[Term, str]] = []
        self._met = -1

    def assume(self, term: Term, relation: str) -> None:
        """A hypothesis that relates a term of the parameters to zero."""
        self._take(self.field.read(term), relation)

    def offer(self, term: Term, relation: str) -> None:
        """A proved relation to zero, for when everything in it has been met."""
        self._offered.append((term, relation))

    def _take(self, c: Coefficient, relation: str) -> None:
        above, below = self.field.fraction(c)
        if above == 0:
            return
        name, _ = _named(above)
        if relation == "=" and not above.is_constant():
            self._is_zero.add(name)
        if relation == "!=":
            self._not_zero.add(name)
        if relation == ">":
            self._take_positive(self.field.times(above, below))

    def _take_positive(self, poly: Poly) -> None:
        name, lead = _named(poly)
        self._sign[name] = lead
        number, factors = self.field.factors(poly)
        rest, left = (1 if number > 0 else -1), []
        for factor in [f for f, k in factors if int(k) % 2]:
            sign = self.of_factor(factor)
            rest *= sign or 1
            left += [] if sign else [factor]
        if len(left) == 1:
            name, lead = _named(left[0])
            self._sign[name] = rest * lead

    def _take_offers(self) -> None:
        now = len(self.field.terms) + len(self._sign)
        if not self._offered or now == self._met:
            return
        self._met = now
        offers, self._offered = self._offered, []
        later = []
        for term, relation in offers:
            try:
                self._take(self.field.read(term, given=False), relation)
            except Unknown:
                later.append((term, relation))
        self._offered += later

    def is_zero(self, poly: Poly) -> bool:
        """Whether an equation says that a polynomial vanishes."""
        self._take_offers()
        return bool(self._is_zero) and _named(poly)[0] in self._is_zero

    def of(self, c: Coefficient) -> int | None:
        """The sign of a coefficient for all parameters, or None."""
        above, below = self.field.fraction(c)
        if above == 0:
            return 0
        self._take_offers()
        name, lead = _named(self.field.times(above, below))
        if name in self._sign:
            return lead * self._sign[name]
        product = 1
        for poly in (above, below):
            number, factors = self.field.factors(poly)
            product *= 1 if number > 0 else -1
            for factor, k in factors:
                sign = self.of_factor(factor)
                if int(k) % 2 == 0:
                    product *= 1 if sign or self._lives(factor) else 0
                else:
                    product *= sign
        return product or None

    def never_zero(self, c: Coefficient) -> bool:
        above = self.field.fraction(c)[0]
        if above == 0:
            return False
        if self.of(c) or _named(above)[0] in self._not_zero:
            return True
        return all(self._lives(factor) for factor, _ in self.field.factors(above)[1])

    def unknown(self, c: Coefficient) -> list[Poly]:
        """The factors of which nothing is known."""
        parts = [factor for poly in self.field.fraction(c) for factor, _ in self.field.factors(poly)[1]]
        return [factor for factor in parts if not self.of_factor(factor)]

    def _lives(self, factor: Poly) -> bool:
        if self.of_factor(factor) or _named(factor)[0] in self._not_zero:
            return True
        return any(gen == factor and self._of_generator(i)[1] for i, gen in enumerate(self.field.gens))

    def of_factor(self, poly: Poly) -> int:
        """1 or -1 where a polynomial certainly has that sign, and 0 where nothing is known."""
        name, lead = _named(poly)
        if name in self._sign:
            return lead * self._sign[name]
        seen = [self._of_summand(exponents, c) for exponents, c in poly.to_dict().items()]
        if {sign for sign, _ in seen} in ({1}, {-1}) and any(strict for _, strict in seen):
            return seen[0][0]
        seen_through = self._of_logs(poly) or self._of_exps(poly)
        return seen_through or lead * self._in_balls(name, poly / poly.leading_coefficient())

    def _of_exps(self, poly: Poly) -> int:
        """exp(a) - exp(b) has the sign of a - b."""
        summands = list(poly.to_dict().items())
        if len(summands) != 2 or summands[0][1] != -summands[1][1]:
            return 0
        arguments: list[Coefficient] = []
        for powers, _ in summands:
            used = [(self.field.inner[i], int(k)) for i, k in enumerate(powers) if k]
            if any(head != "exp" for (head, _), _ in used):
                return 0
            arguments.append(sum((inner * fmpq(k) for (_, inner), k in used), fmpq(0)))
        sign = self.of(arguments[0] - arguments[1]) or 0
        return sign if summands[0][1] > 0 else -sign

    def _of_logs(self, poly: Poly) -> int:
        """k log(a) + m log(b) has the sign of a^k b^m - 1, for whole k and m."""
        scale = max(1, *(int(c.q) for c in poly.coeffs()))
        sides = {True: fmpq(1), False: fmpq(1)}
        for exponents, weight in poly.to_dict().items():
            places = [i for i, e in enumerate(exponents) if e]
            k = weight * scale
            if len(places) != 1 or exponents[places[0]] != 1 or k.q != 1 or abs(k.p) > LOGS:
                return 0
            head, inner = self.field.inner[places[0]]
            if head != "log":
                return 0
            sides[k > 0] = sides[k > 0] * self.field.whole(inner, abs(int(k.p)))
        return self.of(sides[True] - sides[False]) or 0

    def _of_summand(self, exponents: Any, c: Any) -> tuple[int, bool]:
        sign, strict = (1 if c > 0 else -1), True
        for place, e in enumerate(exponents):
            if e:
                of_gen, lives = self._of_generator(place)
                sign, strict = (sign * of_gen if int(e) % 2 else sign), strict and lives
        return sign, strict

    def _of_generator(self, place: int) -> tuple[int, bool]:
        term = self.field.terms[place]
        match term[0]:
            case "s":
                told = self.field.known.get(term[1], [])
                sign = 1 if "nonnegative" in told or "positive" in told else 0
                sign = -1 if "nonpositive" in told or "negative" in told else sign
                return sign, any(word in told for word in ("positive", "negative", "nonzero"))
            case "exp" | "pi":
                return 1, True
            case "^":
                return 1, place in self.field.never_zero_roots
        sign = self._in_balls(f"generator {place}", self.field.gens[place])
        return (sign, True) if sign else (int(term[0] == "abs"), False)

    def _in_balls(self, name: str, poly: Poly) -> int:
        """The sign of a polynomial in constants alone."""
        if name not in self._enclosed:
            term = self.field.poly_term(poly)
            self._enclosed[name] = 0 if symbols_in(term) else _enclosed_sign(term)
        return self._enclosed[name]


def _named(poly: Poly) -> tuple[str, int]:
    """A name for a polynomial up to a factor, and the sign of that factor."""
    lead = poly.leading_coefficient()
    return str(poly / lead), (1 if lead > 0 else -1)


def _enclosed_sign(term: Term) -> int:
    for bits in BITS:
        try:
            with precision(bits):
                ball = evaluate(term, {})
        except (ZeroDivisionError, ValueError):
            return 0
        if ball.is_finite() and not ball.contains(0):
            return 1 if ball > 0 else -1
    return 0
