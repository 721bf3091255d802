"""Equalities and signs by polynomials: the certificate lists the steps, and each is computed from those before it.

A statement speaks of the points at which its givens hold and its sides have values. Formulas become fractions of
polynomials in generators: symbols, and formulas such as exp(x) or sqrt(x) that have a value at all these points. A fact
is a polynomial that is zero, not zero, positive or not negative at all these points. A step adds a generator, writes a
formula in the generators, or adds a fact with its reason. Nothing is searched for, and no step can use a later one.

What `fraction` returns is the formula's value wherever the statement speaks, and its denominator does not vanish there.
"""

from __future__ import annotations

from collections.abc import Iterable

from derivations.recheck.core.conditions import is_implied_by_value, own_demand, sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import FUNCTIONS, Data, Term, integer, rational, require, shown, term
from derivations.recheck.core.ring.line import follows
from derivations.recheck.core.ring.polynomials import Poly, Polynomials
from derivations.recheck.core.statements import SIGNS, relation_of, require_inhabited, setting, sign_of
from derivations.recheck.core.terms import ZERO, difference, parts, prepared, subterms, whole_exponent

ALGEBRAIC = ("q", "+", "*")
IMPLIED = {">": (">", ">=", "!="), ">=": (">=",), "!=": ("!=",), "=": ("=", ">=")}
QUOTIENTS = {("=", ">"): "=", ("=", "!="): "=", (">", ">"): ">", (">", ">="): ">", (">=", ">"): ">="}
"""The relation of a polynomial to zero, by those of its product with a factor and of the factor."""
MOST_FACTORS = 2000
AT_ZERO = {"erf": 0, "asin": 0, "atan": 0, "sin": 0, "cos": 1}
"""The values at zero of functions that are odd, or of the one that is even."""

Fraction = tuple[Poly, Poly]
Fact = tuple[Poly, str]  # a polynomial and its relation to zero


class Ring:
    """The generators, formulas and facts that the steps of a certificate have shown so far."""

    def __init__(self, symbols: Iterable[str], givens: list[Term], spoken: Iterable[Term], payload: Data) -> None:
        self.symbols, self.givens = symbols, givens
        self.spoken = {inner for formula in spoken for inner in subterms(formula)}
        self.generators = payload["generators"]
        self.polynomials = Polynomials(len(self.generators))
        self.valued: set[int] = set()  # the numbers of the generators that are shown to have a value
        self.fractions: dict[Term, Fraction] = {}
        self.facts: list[Fact] = []
        self.known: set[tuple[str, str]] = set()
        for step in payload["steps"]:
            self.take(step)

    def take(self, step: Data) -> None:
        """Add what one more step says, or refuse it."""
        match step:
            case ("generator", k):
                self._add_generator(self._generator(k))
            case ("rewrite", ("exp" | "log", _) as formula, powers, *evidence):
                self._learn_equal(term(formula), self._of_powers(formula, powers), *evidence)
            case ("rewrite", ("^", _, ("q", _)) as formula, num, den, power, *evidence):
                equal = self._root(term(formula), self.read(num), self.read(den), power)
                self._learn_equal(formula, equal, *evidence)
            case ("rewrite", (head, _) as formula, powers, *evidence) if head in FUNCTIONS:
                self._learn_equal(term(formula), self._of_another(formula, powers), *evidence)
            case _:
                poly, relation = self._fact(step)
                self.facts.append((poly, relation))
                self.known |= {(str(poly), weaker) for weaker in IMPLIED[relation]}

    # --- formulas -----------------------------------------------------------------------------------------------------

    def read(self, data: Data) -> Poly:
        return self.polynomials.read(data, self.valued)

    def _generator(self, k: Data) -> int:
        return integer(k, 0, len(self.generators) - 1, "the number of a generator")

    def _valued(self, k: Data) -> int:
        """The number of a generator that is shown to have a value."""
        index = self._generator(k)
        if index not in self.valued:
            raise Rejected(f"no step before it shows that {shown(self.generators[index])} has a value")
        return index

    def fraction(self, formula: Term) -> Fraction:
        """Numerator and denominator of a formula that has a value wherever the statement speaks."""
        known = self.fractions.get(formula)
        if known is None:
            known = self.fractions[formula] = self._fraction(formula)
        return known

    def _fraction(self, formula: Term) -> Fraction:
        ring, head = self.polynomials, formula[0]
        if head == "q":
            return ring.context.constant(rational(formula[1])), ring.one
        if head in ("+", "*"):
            num, den = self.fraction(formula[1])
            for child in formula[2:]:
                n, d = self.fraction(child)
                num, den = ring.add((num, den), (n, d)) if head == "+" else (ring.product(num, n), ring.product(den, d))
            return num, den
        k = whole_exponent(formula) if head == "^" else None
        if k is None:
            raise Rejected(f"no step before it says what {shown(formula)} is: decide the statement again")
        num, den = self.fraction(formula[1])
        if k < 0:
            if num == 0:
                raise Rejected(f"{shown(formula)} divides by zero, so the statement is about nothing")
            self._require_value(formula)
            num, den = den, num
        return ring.power(num, abs(k)), ring.power(den, abs(k))

    def difference(self, left: Term, right: Term) -> Fraction:
        num, den = self.fraction(right)
        return self.polynomials.add(self.fraction(left), (-num, den))

    def _require_value(self, formula: Term) -> None:
        """The formula has a value: a side says so by itself, or facts about its arguments do."""
        if formula not in self.spoken:
            if own_demand(formula) is not None:
                self.require(*self.asked(formula), formula)
            for child in parts(formula):
                self.fraction(child)

    def asked(self, formula: Term) -> Fact:
        """Return what must hold of its argument for a formula to have a value."""
        relation, of = own_demand(formula) or ("", formula)
        require(relation, f"{shown(formula)} has a value wherever its parts have one, which says nothing")
        num, den = self.fraction(of)
        return (num if relation == "!=" else self.polynomials.product(num, den)), relation

    def _add_generator(self, k: int) -> None:
        formula = self.generators[k]
        if _is_algebraic(formula):
            raise Rejected(f"{shown(formula)} is a sum, product or power, and no generator")
        if formula[0] == "s" and formula[1] not in self.symbols:
            raise Rejected(f"{shown(formula)} is not declared by the statement")
        self._require_value(formula)
        self._learn(formula, (self.polynomials.gens[k], self.polynomials.one))
        self.valued.add(k)

    def _learn(self, formula: Term, fraction: Fraction) -> None:
        if formula in self.fractions:
            raise Rejected(f"{shown(formula)} is stated twice: decide the statement again")
        self.fractions[formula] = fraction

    # --- what formulas are --------------------------------------------------------------------------------------------

    def _learn_equal(self, formula: Term, equal: tuple[Fraction, Fraction, Fraction], times: Data, total: Data) -> None:
        """The formula is a fraction, as two others are equal: they differ by a sum of what is zero."""
        ring, (entry, left, right) = self.polynomials, equal
        crossed = ring.product(left[0], right[1]) - ring.product(right[0], left[1])
        if self.shown(crossed, times, total) != "=":
            raise Rejected(f"the rewrite of {shown(formula)} is wrong")
        self._learn(formula, entry)

    def _of_powers(self, formula: Term, powers: Data) -> tuple[Fraction, Fraction, Fraction]:
        """exp(sum k_i a_i) is the product of the exp(a_i)^k_i, and log(prod a_i^k_i) the sum of the k_i log(a_i)."""
        ring, head = self.polynomials, formula[0]
        added, multiplied = (ring.zero, ring.one), (ring.one, ring.one)
        for weight, index in powers:
            k, (name, *argument) = rational(weight, "a power"), self.generators[self._valued(index)]
            require(k.q == 1 and name == head, f"{shown(formula)} is made of whole powers of others of its kind")
            inside, generator = self.fraction(argument[0]), (ring.gens[index], ring.one)
            (num, den), factor = (inside, generator) if head == "exp" else (generator, inside)
            added = ring.add(added, (num * k, den))
            above, below = factor[:: 1 if k > 0 else -1]
            above, below = ring.power(above, abs(int(k.p))), ring.power(below, abs(int(k.p)))
            multiplied = ring.product(multiplied[0], above), ring.product(multiplied[1], below)
        entry, argument_of = (multiplied, added) if head == "exp" else (added, multiplied)
        return entry, self.fraction(formula[1]), argument_of

    def _of_another(self, formula: Term, powers: Data) -> tuple[Fraction, Fraction, Fraction]:
        """f(u) where u is zero, or equals the argument of a generator f(v), or its negative."""
        ring, head = self.polynomials, formula[0]
        if not powers and head in AT_ZERO:
            return (ring.context.constant(AT_ZERO[head]), ring.one), self.fraction(formula[1]), (ring.zero, ring.one)
        ((weight, index),) = powers
        sign, other = rational(weight, "a power"), self.generators[self._valued(index)]
        alike = other[0] == head and (sign == 1 or (sign == -1 and head in AT_ZERO))
        require(alike, f"{shown(formula)} is made of another function of its kind, or of none")
        num, den = self.fraction(other[1])
        value = ring.gens[index] * (1 if head == "cos" else sign)
        return (value, ring.one), self.fraction(formula[1]), (num * sign, den)

    def _root(self, formula: Term, num: Poly, den: Poly, power: Data) -> tuple[Fraction, Fraction, Fraction]:
        """base^(p/q) is what is not negative and has the right power."""
        ring, exponent = self.polynomials, rational(formula[2][1])
        require(whole_exponent(formula) is None, f"{shown(formula)} is a product, and no root")
        self._require_value(formula)
        self.require(den, "!=", formula)
        self.require(ring.product(num, den), ">=", formula)
        m = integer(power, 1, 1000, "the power of a root")
        base = self.fraction(formula[1])[:: 1 if exponent > 0 else -1]
        p, q = abs(int(exponent.p)) * m, int(exponent.q) * m
        left, right = ((ring.power(above, k), ring.power(below, k)) for above, below, k in ((num, den, q), (*base, p)))
        return (num, den), left, right

    # --- facts --------------------------------------------------------------------------------------------------------

    def _fact(self, step: Data) -> Fact:
        ring = self.polynomials
        match step:
            case ("given", k):
                relation, left, right = self.givens[integer(k, 0, len(self.givens) - 1, "the number of a given")]
                num, den = self.difference(left, right)
                return (num if relation in ("=", "!=") else ring.product(num, den)), relation
            case ("value", formula) if term(formula) in self.spoken and is_implied_by_value(formula):
                return self.asked(formula)
            case ("denominator", formula):
                return self.fraction(term(formula))[1], "!="
            case ("sign", k):
                return self._sign(self._valued(k))
            case ("power", k):
                return self._power(self._valued(k))
            case ("square", data):
                poly = self.read(data)
                return ring.product(poly, poly), ">="
            case ("factor", data, indices):
                poly, (whole, relation) = self.read(data), self._product(indices)
                require("!=" in IMPLIED[relation] and ring.divides(poly, whole), f"{shown(data)} may be zero")
                return poly, "!="
            case ("exponential", formula, data, times, total):
                return self._exponential(term(formula), self.read(data), times, total)
            case ("over", data, times, total):
                poly = self.read(data)
                return poly, self.shown(poly, times, total)
            case ("line", data, relation, indices) if relation in SIGNS and len(set(indices)) == len(indices):
                goal = self.read(data), relation
                require(follows(goal, [self._earlier(k) for k in indices]), f"{shown(data)} has another sign somewhere")
                return goal
            case ("sum", total):
                return self._sum(total)
        raise Rejected(f"no step is {shown(step)}")

    def _sign(self, index: int) -> Fact:
        relation = sign_by_form(self.generators[index], {})
        require(relation, "a generator that may have any sign")
        return self.polynomials.gens[index], relation

    def _power(self, index: int) -> Fact:
        """The equation r^n = a of a root."""
        ring, formula = self.polynomials, self.generators[index]
        require(formula[0] == "^" and formula[2][0] == "q", "only a root has an equation")
        exponent, (num, den) = rational(formula[2][1]), self.fraction(formula[1])
        require(exponent.p == 1, "only a root has an equation")
        return ring.product(ring.power(ring.gens[index], int(exponent.q)), den) - num, "="

    def _exponential(self, formula: Term, poly: Poly, times: Data, total: Data) -> Fact:
        """v (exp(u) - 1) has the sign of v u."""
        ring = self.polynomials
        require(formula[0] == "exp", f"{shown(formula)} is no exponential")
        inside, (num, den) = ring.product(*self.fraction(formula[1])), self.fraction(formula)
        relation = self.shown(ring.product(poly, inside), times, total)
        require(relation in (">", ">="), f"the sign of the exponent of {shown(formula)} is not known")
        return ring.product(poly, ring.product(num - den, den)), relation

    def _earlier(self, k: Data) -> Fact:
        return self.facts[integer(k, 0, len(self.facts) - 1, "the number of an earlier fact")]

    def _product(self, indices: Data) -> Fact:
        """The product of some facts; what is not zero and stands in it twice has a positive square."""
        short = isinstance(indices, tuple) and len(indices) <= MOST_FACTORS
        require(short, f"a product must list the numbers of at most {MOST_FACTORS} facts")
        poly, relations, odd = self.polynomials.one, set[str](), set[int]()
        for index in indices:
            factor, relation = self._earlier(index)
            poly = self.polynomials.product(poly, factor)
            relations.add(relation)
            if relation == "!=":
                odd ^= {index}
        for relation in ("=", ">=") if not odd else ("=",):
            if relation in relations:
                return poly, relation
        require(">=" not in relations, "a product of facts that may have any sign")
        return poly, "!=" if odd else ">"

    def _sum(self, data: Data) -> Fact:
        """A sum of products of facts with numbers before them, or with polynomials before what is zero."""
        require(isinstance(data, tuple), "a sum must be a list of products")
        total, relations = self.polynomials.zero, []
        for item in data:
            require(isinstance(item, tuple) and len(item) == 2, "a part of a sum is a number and facts")
            poly, relation = self._product(item[1])
            if relation == "=":
                total = total + self.polynomials.product(self.read(item[0]), poly)
                continue
            weight = rational(item[0], "a weight")
            require(weight > 0 or (relation in ("!=", ">") and weight != 0), f"the weight {item[0]} must be positive")
            total = total + poly * weight
            relations.append(relation if weight > 0 else "!=")
        if "!=" in relations:
            require(len(relations) == 1, "a sum with a part of unknown sign may be zero")
            return total, "!="
        return total, "=" if not relations else ">" if ">" in relations else ">="

    def shown(self, poly: Poly, times: Data, total: Data) -> str:
        """The relation of a polynomial to zero, once its product with some facts is a sum of products of facts."""
        factor, (combined, known) = self._product(times), self._sum(total)
        same = self.polynomials.product(poly, factor[0]) == combined
        require(same, "the products do not add up to what they should: multiplied out, something is left over")
        shows = QUOTIENTS.get((known, factor[1]), "!=" if known in (">", "!=") else "")
        if known == factor[1] == ">=" and self._holds_at_zero(poly, factor[0]):
            shows = ">="
        require(shows, "the products do not show a sign: what they are divided by may be zero")
        return shows

    def _holds_at_zero(self, poly: Poly, squares: Poly) -> bool:
        """Check that the other polynomial is a sum of squares of generators with positive weights, and that this one is
        a number >= 0 where all of these generators are zero.
        """
        rows = squares.to_dict()
        if any(sorted(exponents)[-2:] not in ([0, 2], [2]) or not weight > 0 for exponents, weight in rows.items()):
            return False
        value = poly.subs({f"g{exponents.index(2)}": 0 for exponents in rows})
        return bool(value.is_constant() and (value == 0 or value.leading_coefficient() > 0))

    def require(self, poly: Poly, relation: str, formula: Term) -> None:
        """The relation is among the facts so far, or plain because the polynomial is a number."""
        if poly.is_constant():
            holds = sign_of(poly.leading_coefficient() if poly != 0 else 0) in SIGNS[relation]
        else:
            holds = (str(poly), relation) in self.known or (relation == "!=" and (str(-poly), relation) in self.known)
        if not holds:
            raise Rejected(f"no step shows that {shown(formula)} has a value: {shown(str(poly))} {relation} 0")


def check_proof(
    statement: Data, payload: Data, domain: Iterable[Term] | None = None, alive: Iterable[Term] = ()
) -> Ring:
    """Accept a proof that the sides of a statement are equal, or that their difference has a sign.

    It holds wherever the formulas of `domain` have values (the sides, unless others are given) and those of `alive` do
    not vanish.
    """
    where, left, right = setting(statement), statement["left"], statement["right"]
    relation = relation_of(statement)
    where.free(left, right)
    sides = prepared(left), prepared(right)
    supposed = [prepared(formula) for r in where.assuming for formula in r[1:]]
    spoken = [*(sides if domain is None else map(prepared, domain)), *supposed]
    givens = [*where.givens, *(("!=", formula, ZERO) for formula in alive)]
    ring = Ring(where.symbols, [(r[0], prepared(r[1]), prepared(r[2])) for r in givens], spoken, payload)
    num, den = ring.difference(*sides)
    goal = num if relation == "=" else ring.polynomials.product(num, den)
    shows = ring.shown(goal, payload["times"], payload["sum"])
    require(relation in IMPLIED[shows], f"the steps show that the difference is {shows} 0, and {relation} was stated")
    (gap,) = require_inhabited(where, payload["inhabited"], difference(left, right))
    fails = not gap.contains(0) if relation == "=" else gap < 0
    require(not fails, "the statement fails at a point that satisfies the hypotheses")
    return ring


def _is_algebraic(formula: Term) -> bool:
    return formula[0] in ALGEBRAIC or (bool(formula[0] == "^") and whole_exponent(formula) is not None)
