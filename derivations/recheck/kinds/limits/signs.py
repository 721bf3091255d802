"""Signs of coefficients: from symbols' assumptions, hypotheses, proved inequalities, and balls around constants."""

from __future__ import annotations

from typing import Any

from flint import fmpq

from derivations.recheck.core.balls import Undefined, plain_enclosure
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Term
from derivations.recheck.core.terms import difference, free

Poly = Any  # flint.fmpq_mpoly
Constant = Any  # flint.fmpq or a quotient of polynomials
Constants = Any  # the ring that asks, and that answers what is read

PRECISIONS = (128, 1024)
MOST_LOGARITHMS = 8  # of one argument


class Signs:
    """What is known of the signs of polynomials in the generators."""

    def __init__(self, ring: Constants) -> None:
        self.ring = ring
        self._known: dict[str, int] = {}  # sign of a polynomial with leading coefficient 1
        self._alive: set[str] = set()
        self._zero: set[str] = set()
        self._balls: dict[str, int] = {}
        self._waiting: list[tuple[Term, str]] = []
        self._tried = -1

    # --- what is learnt -----------------------------------------------------------------------------------------------

    def suppose(self, relation: Term) -> None:
        """A hypothesis: the limit speaks only where both sides have values and it holds."""
        self._learn(self.ring.read(difference(relation[1], relation[2]), given=True), relation[0])

    def offer(self, formula: Term, relation: str) -> None:
        """A proved relation to zero, which counts once everything in it is known to have a value."""
        self._waiting.append((formula, relation))

    def _learn(self, c: Constant, relation: str) -> None:
        num, den = self.ring.parts(c)
        if relation == "=":
            if not num.is_constant():
                self._zero.add(_key(num)[0])
            return
        if relation == "!=" and num != 0:
            self._alive.add(_key(num)[0])
        if relation != ">" or num == 0:
            return
        whole = self.ring.multiplied(num, den)
        key, sign = _key(whole)
        self._known[key] = sign
        content, factors = self.ring.factored(whole)
        sign, unknown = (1 if content > 0 else -1), []
        for factor, k in factors:
            if int(k) % 2:
                found = self.of_poly(factor)
                sign *= found or 1
                unknown += [] if found else [factor]
        if len(unknown) == 1:
            key, lead = _key(unknown[0])
            self._known[key] = lead * sign

    def _read_waiting(self) -> None:
        version = len(self.ring.formulas) + len(self._known)
        if not self._waiting or version == self._tried:
            return
        self._tried = version
        waiting, self._waiting = self._waiting, []
        left = []
        for formula, relation in waiting:
            try:
                self._learn(self.ring.read(formula, given=False), relation)
            except Rejected:
                left.append((formula, relation))
        self._waiting += left

    # --- what is asked ------------------------------------------------------------------------------------------------

    def vanishes(self, poly: Poly) -> bool:
        """Whether a proved equation or a hypothesis says that a polynomial is zero."""
        self._read_waiting()
        return bool(self._zero) and _key(poly)[0] in self._zero

    def of(self, c: Constant) -> int | None:
        """-1, 0 or 1 where that is known for all values of the parameters, else None."""
        num, den = self.ring.parts(c)
        if num == 0:
            return 0
        self._read_waiting()
        key, lead = _key(self.ring.multiplied(num, den))
        if key in self._known:
            return lead * self._known[key]
        return self._of_product(num, den) or None

    def _of_product(self, num: Poly, den: Poly) -> int:
        sign = 1
        for poly in (num, den):
            content, factors = self.ring.factored(poly)
            sign *= 1 if content > 0 else -1
            for factor, k in factors:
                found = self.of_poly(factor)
                if not found and (int(k) % 2 or not self._is_alive(factor)):
                    return 0
                sign *= found if int(k) % 2 else 1
        return sign

    def never_zero(self, c: Constant) -> bool:
        """Whether no value of the parameters makes the coefficient vanish."""
        num, _ = self.ring.parts(c)
        if num == 0:
            return False
        if self.of(c) or _key(num)[0] in self._alive:
            return True
        return all(self._is_alive(factor) for factor, _ in self.ring.factored(num)[1])

    def _is_alive(self, factor: Poly) -> bool:
        if self.of_poly(factor) or _key(factor)[0] in self._alive:
            return True
        position = next((i for i, gen in enumerate(self.ring.gens) if gen == factor), None)
        return position is not None and self._of_generator(position)[1]

    def of_poly(self, poly: Poly) -> int:
        """The strict sign of a polynomial: 1, -1, or 0 where it is not known."""
        key, lead = _key(poly)
        if key in self._known:
            return lead * self._known[key]
        signs = [self._of_term(exponents, c) for exponents, c in poly.to_dict().items()]
        first = signs[0][0]
        if first and all(sign == first for sign, _ in signs) and any(strict for _, strict in signs):
            return first
        monotone = self._of_logarithms(poly) or self._of_exponentials(poly)
        return monotone or lead * self._by_balls(key, poly / poly.leading_coefficient())

    def _of_exponentials(self, poly: Poly) -> int:
        """The sign of exp(a) - exp(b) is that of a - b."""
        table = list(poly.to_dict().items())
        if len(table) != 2 or table[0][1] + table[1][1] != 0:
            return 0
        gap: Constant = fmpq(0)
        for turn, (exponents, _) in zip((1, -1), table, strict=True):
            for place, k in enumerate(map(int, exponents)):
                head, inner = self.ring.arguments.get(place, ("", None)) if k else ("exp", fmpq(0))
                if head != "exp":
                    return 0
                gap = gap + inner * fmpq(turn * k)
        return (self.of(gap) or 0) * (1 if table[0][1] > 0 else -1)

    def _of_logarithms(self, poly: Poly) -> int:
        """The sign of a sum of k log(a), k whole, is that of the product of the a^k less 1."""
        powers: list[tuple[Constant, int]] = []
        for exponents, weight in (poly * max(1, *(int(c.q) for c in poly.coeffs()))).to_dict().items():
            places = [i for i, e in enumerate(exponents) if e]
            is_log = len(places) == 1 and self.ring.arguments.get(places[0], ("",))[0] == "log"
            if not is_log or exponents[places[0]] != 1 or weight.q != 1 or abs(weight.p) > MOST_LOGARITHMS:
                return 0
            powers.append((self.ring.arguments[places[0]][1], int(weight.p)))
        above = below = fmpq(1)
        for inner, k in powers:
            above = above * self.ring.whole_power(inner, max(k, 0))
            below = below * self.ring.whole_power(inner, max(-k, 0))
        return self.of(above - below) or 0

    def _by_balls(self, key: str, poly: Poly) -> int:
        if key not in self._balls:
            self._balls[key] = 0
            formula = self.ring.formula_of_poly(poly)
            if not free(formula):
                self._balls[key] = _sign_in_balls(formula)
        return self._balls[key]

    def _of_term(self, exponents: tuple[Any, ...], coefficient: Any) -> tuple[int, bool]:
        sign, strict = (1 if coefficient > 0 else -1), True
        for position, exponent in enumerate(map(int, exponents)):
            if exponent:
                known, alive = self._of_generator(position)
                strict = strict and alive
                sign = sign if exponent % 2 == 0 else sign * known
        return sign, strict

    def _of_generator(self, position: int) -> tuple[int, bool]:
        """The sign of a generator (0: unknown), and whether it certainly does not vanish."""
        formula = self.ring.formulas[position]
        if formula[0] == "s":
            told = self.ring.symbols[formula[1]]
            above, below = {"positive", "nonnegative"} & set(told), {"negative", "nonpositive"} & set(told)
            return (1 if above else -1 if below else 0), bool({"positive", "negative", "nonzero"} & set(told))
        if formula[0] in ("exp", "pi"):
            return 1, True
        if formula[0] == "^":
            return 1, position in self.ring.strict_roots
        key, poly = f"generator {position}", self.ring.gens[position]
        found = self._by_balls(key, poly)
        return (found, True) if found else (1, False) if formula[0] == "abs" else (0, False)


def _key(poly: Poly) -> tuple[str, int]:
    """A polynomial up to a constant, and the sign of that constant."""
    lead = poly.leading_coefficient()
    return str(poly / lead), 1 if lead > 0 else -1


def _sign_in_balls(formula: Term) -> int:
    for bits in PRECISIONS:
        try:
            ball = plain_enclosure(formula, {}, bits)
        except Undefined:
            continue
        if ball > 0 or ball < 0:
            return 1 if ball > 0 else -1
    return 0
