"""Facts of known sign, and the search for positive combinations of their products.

Facts are hypotheses, squares, roots and positive forms. Which products to combine is a linear programme; its
floating-point answer is only a hint, solved again exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from flint import fmpq, fmpq_mat

from derivations.language.normal import Field, Poly, Undefined, factored, float_of, prepared, table_of, to_fraction
from derivations.language.normal.division import PER_STEP, Solved, by_powers, irreducible_factors
from derivations.language.normal.forms import STRICT, form
from derivations.language.terms import ONE, Term, rational, subtract
from derivations.prove.certificate import Json
from derivations.text.work import spend

MOST_PRODUCTS = 900
MOST_POWER = 60  # of one factor among what is combined
DEGREES = (1, 2, 3, 4)
MOST_DOUBTFUL = 4
MOST_COMPARED = 5
PER_PROGRAMME, PIVOTED = 5000, 40  # units of work of a linear programme; entries for one unit at each pivot

Monomial = tuple[int, ...]
Combination = list[tuple[Fraction, tuple[int, ...]]]  # positive weights of products of facts
OPPOSED = (("positive", "negative"), ("positive", "nonpositive"), ("negative", "nonnegative"))


@dataclass(frozen=True)
class Fact:
    """A polynomial of known sign, why it has it, and of an exponential its exponent with the part that has its sign."""

    poly: Poly
    strict: bool
    kind: str
    exponent: tuple[Any, ...] = ()


@dataclass(frozen=True)
class _Product:
    """A product of facts by their numbers, and its monomials once roots and equations are put in."""

    factors: tuple[int, ...]
    strict: bool
    poly: Poly
    terms: dict[Monomial, fmpq]


def contradictory(statement: Json) -> bool:
    """Check whether the hypotheses provably exclude each other: something positive would be a negative combination."""
    known, assuming = statement["symbols"], [tuple(r) for r in statement["assuming"]]
    if any(set(pair) <= set(assumptions) for assumptions in known.values() for pair in OPPOSED):
        return True
    sides = [prepared(subtract(r[1], r[2])) for r in assuming]
    zero = rational(0)
    claim = {**statement, "kind": "sign", "relation": ">=", "left": zero, "right": zero}
    try:
        search = Search(Field.of([zero, *sides], known), claim, zero, list(zip(assuming, sides, strict=True)), [])
        if search.excluded:
            return True
        positive = [fact.poly for fact in search.facts if fact.strict] + [search.field.constant(1)]
        return any(search.combined(search.normal(-poly)) is not None for poly in positive)
    except Undefined:
        return True


def is_safe(hint: Term, spoken: list[Term], known: dict[str, list[str]]) -> bool:
    """A square helps only where its base has a value: a root of x in a hint would say that x is not negative."""
    own = Field.of(spoken, known).generators
    return all(
        g[0] == "symbol" or g in own or (g[0] == "root" and form(g[1], known) is not None)
        for g in Field.of([hint], known).generators
    )


class Search:
    """The facts at hand and the search for a combination of their products."""

    def __init__(
        self, field: Field, statement: Json, difference: Term, sides: list[tuple[Term, Term]], hints: list[Term]
    ) -> None:
        self.field, self.statement = field, statement
        numerator, denominator = field.fraction(difference)
        common = numerator.gcd(denominator)
        self.numerator, self.denominator = numerator / common, denominator / common
        self.relations = [
            Solved(relation, i) for i, g in enumerate(field.generators) if (relation := field.relation(g)) is not None
        ]
        self.excluded = False  # whether the equations among the hypotheses say that a number is zero
        self.divisors: list[Poly] = []  # equations in which no power of a symbol stands alone, such as x y = 1
        self.relations += self._equations(sides)
        self.facts = list(self._facts(sides, hints))
        self.first = len(self.facts)
        exponentials = [i for i, fact in enumerate(self.facts, 1) if fact.kind == "exponential"]
        self.plain = exponentials[-1] if exponentials else self.first
        self.products: dict[int, list[_Product]] = {}
        self.found: dict[str, Combination | None] = {}

    def _equations(self, sides: list[tuple[Term, Term]]) -> list[Solved]:
        """Hypotheses that say "power of a symbol = polynomial in which it has lower powers"."""
        solved: list[Solved] = []
        for relation, side in sides:
            if relation[0] != "=":
                continue
            poly = self.reduced(self.field.fraction(side)[0], solved)
            both = (form(self.field.poly_term(p), self.field.known) for p in (poly, -poly))
            self.excluded = self.excluded or STRICT in both
            degrees = list(map(int, poly.degrees()[: len(self.field.generators)]))
            for index in sorted(range(len(degrees)), key=lambda i: degrees[i]):
                if degrees[index] > 0 and by_powers(poly, index)[degrees[index]].is_constant():
                    solved.append(Solved(poly, index))
                    break
            else:
                if not poly.is_constant():
                    self.divisors.append(poly)
        return solved

    def reduced(self, poly: Poly, relations: list[Solved]) -> Poly:
        for equation in relations:
            if poly.degrees()[equation.index] >= equation.degree:
                poly = equation.put_into(poly)
                if equation.value is None:
                    return poly
        return poly

    @property
    def is_tied(self) -> bool:
        """Check whether roots or equations tie the generators."""
        return bool(self.relations or self.divisors)

    def normal(self, poly: Poly) -> Poly:
        """The polynomial with roots and equations put in; equal ones mostly look the same then."""
        roots_last = self.relations[::-1]
        once = self.reduced(poly, roots_last)
        twice = once if once is poly else self.reduced(once, roots_last)
        for divisor in self.divisors:
            twice = twice % divisor
        return twice

    def _facts(self, sides: list[tuple[Term, Term]], hints: list[Term]) -> Iterator[Fact]:
        known = self.field.known
        for relation, side in sides:
            numerator, denominator = self.field.fraction(side)
            below = self.field.poly_term(denominator)
            if relation[0] == "!=" and not numerator.is_constant():
                if form(("^", below, rational(2)), known) == STRICT:
                    yield Fact(numerator**2, True, "square")
            elif relation[0] in (">", ">=") and (denominator.is_constant() or form(below, known) == STRICT):
                yield Fact(numerator, relation[0] == ">", "given")
        for generator in self.field.generators:
            poly, sign = self.field.gen(generator), form(self.field.generator_term(generator), known)
            assumptions = known.get(generator[1], []) if generator[0] == "symbol" else []
            if sign is not None:
                yield Fact(poly, sign == STRICT, "sign")
            elif "negative" in assumptions or "nonpositive" in assumptions:
                yield Fact(-poly, "negative" in assumptions, "sign")
            elif generator[0] == "symbol":
                yield Fact(poly**2, "nonzero" in assumptions, "square")
        yield from self._exponentials()
        for hint in [*hints, *self._differences(), *self._against_roots(sides), *self._vertices()]:
            numerator, denominator = self.field.fraction(hint)
            if denominator.is_constant():
                yield Fact((numerator / denominator) ** 2, False, "square")

    def _exponentials(self) -> Iterator[Fact]:
        """exp(v w) - 1 has the sign of v where w is not negative: for v of unknown sign their product is a fact."""
        exponents = [g[1] for g in self.field.generators if g[0] == "exp"]
        exponents += [term[1] for term in self.field.entries if term[0] == "exp"]
        seen: set[str] = set()
        for exponent in exponents:
            v, strict = signed_part(exponent, self.field.known)
            above, below = self.field.fraction(("exp", exponent))
            num, den = self.field.fraction(prepared(v))
            poly = num * (above - below)
            if den.is_constant() and poly != 0 and str(poly) not in seen:
                seen.add(str(poly))
                yield Fact(poly / den, strict, "exponential", (exponent, num / den))

    def _differences(self) -> Iterator[Term]:
        """Sums and differences of two quantities: their squares decide most quadratic inequalities."""
        known = self.field.known
        terms = [self.field.generator_term(g) for g in self.field.generators if g[0] in ("symbol", "root")]
        doubtful = [t for t in terms if form(t, known) is None]
        others = [t for t in terms if t[0] == "^"]
        if len(doubtful) + len(others) <= MOST_DOUBTFUL:
            for a, b in combinations(doubtful + others, 2):
                if a in doubtful:
                    yield from (("+", a, b), subtract(a, b))
        if len(terms) <= MOST_COMPARED:
            yield from (subtract(a, b) for a, b in combinations(terms, 2) if a not in doubtful or b not in doubtful)

    def _vertices(self) -> Iterator[Term]:
        """Completing the square: where the difference is quadratic in a generator, its derivative there."""
        degrees = self.numerator.degrees()[: len(self.field.generators)]
        for index, degree in enumerate(degrees):
            slope = self.numerator.derivative(index)
            if degree == 2 and slope.total_degree() == 1:
                yield self.field.poly_term(slope)

    def _against_roots(self, sides: list[tuple[Term, Term]]) -> Iterator[Term]:
        """Hypotheses compared with roots: (f - r)^2 turns f^2 > r^2 and f > 0 into f > r."""
        roots = [self.field.generator_term(g) for g in self.field.generators if g[0] == "root" and g[2] == 2]
        for relation, side in sides[:MOST_DOUBTFUL]:
            if relation[0] == ">" and self.field.fraction(side)[0].total_degree() == 1:
                yield from (subtract(side, root) for root in roots)

    def scales(self) -> Iterator[list[Term]]:
        """Return what to multiply the difference with: its positive denominator, and roots that are strictly
        positive.
        """
        below: list[Term] = []
        content, parts = irreducible_factors(self.denominator)
        if to_fraction(content) < 0:
            self.numerator, self.denominator = -self.numerator, -self.denominator
        for factor, multiplicity in parts:
            positive = next((p for p in (factor, -factor) if self._is_positive(p)), None)
            power = multiplicity if positive is not None else multiplicity + multiplicity % 2  # one more stays above
            term = self.field.poly_term(factor if positive is None else positive)
            below.append(term if power == 1 else ("^", term, rational(power)))
        yield below
        supposed = [self.field.poly_term(fact.poly) for fact in self.facts if fact.strict and fact.kind == "given"]
        generators = [self.field.generator_term(generator) for generator in self.field.generators]
        strict = [term for term in generators if form(term, self.field.known) == STRICT]
        sums = [("+", term, ONE) for term in supposed] if self.statement["relation"] == ">" else []
        for term in [*supposed, *strict, *sums[:MOST_DOUBTFUL]]:  # of a sum one part does not vanish
            yield [*below, term]

    def _is_positive(self, poly: Poly) -> bool:
        shows = form(self.field.poly_term(poly), self.field.known) == STRICT
        return shows or any(fact.strict and fact.poly == poly for fact in self.facts)

    def combination(self, scale: list[Term]) -> Combination | None:
        """A combination of facts that equals the scaled difference, strict if the statement is."""
        result = self.combined(self.target(scale))
        if result is None or (self.statement["relation"] == ">" and not self.is_strict(result)):
            return None
        return result

    def is_strict(self, combination: Combination) -> bool:
        """Check whether some product of a combination is certainly positive."""
        return any(all(self.facts[i].strict for i in product) for _, product in combination)

    def combined(self, target: Poly) -> Combination | None:
        """A combination that equals the target; scales share factors, so what was found is kept."""
        name = str(target)
        if name not in self.found:
            self.found[name] = self._combined(target)
        return self.found[name]

    def _combined(self, target: Poly) -> Combination | None:
        plain = self._monomial_by_monomial(target)
        if plain is not None and (self.is_strict(plain) or self.statement["relation"] == ">="):
            return plain
        content, parts = irreducible_factors(target)
        by_factors = self._factor_by_factor(to_fraction(content), parts) if len(parts) > 1 else None
        return by_factors or self._by_programme(target)

    def _factor_by_factor(self, content: Fraction, parts: list[tuple[Poly, int]]) -> Combination | None:
        """The product of combinations of the factors; signs are moved from factor to factor."""
        product: Combination = [(abs(content), ())]
        sign = 1 if content > 0 else -1
        for factor, multiplicity in parts:
            part, times = self.combined(factor), multiplicity
            if part is None and times % 2 == 1:
                part, sign = self.combined(-factor), -sign
            elif part is None:
                strict = self.combined(factor**2) if self.statement["relation"] == ">" else None
                part = strict or self._square(factor)
                times //= 2
            if part is None:
                return None
            for _ in range(times):
                product = [(c * d, (*x, *y)) for c, x in product for d, y in part]
        return product if sign > 0 else None

    def _square(self, factor: Poly) -> Combination:
        """The square of a factor, as a fact of its own; programmes are made of the first facts alone."""
        self.facts.append(Fact(factor**2, False, "square"))
        return [(Fraction(1), (len(self.facts) - 1,))]

    def _by_programme(self, target: Poly) -> Combination | None:
        """Products of all facts first, then of more of the plain ones where exponentials are among them."""
        strict_wanted = self.statement["relation"] == ">"
        tried = 0
        for number in (self.first, self.plain):
            for degree in DEGREES:
                if comb(number + degree, degree) > MOST_PRODUCTS:
                    break
                if degree <= tried:
                    continue
                tried = degree
                products = self._products(number, degree)
                weights = _weights(table_of(target), products, strict_wanted)
                if weights is not None:
                    return [(w, products[k].factors) for k, w in weights]
        return None

    def _products(self, number: int, degree: int) -> list[_Product]:
        """Products of so many factors at most, of the first facts."""
        known = self.products.setdefault(number, [])
        while len(known) < comb(number + degree, degree):
            self._next_products(known, number)
        return known[: comb(number + degree, degree)]

    def _next_products(self, known: list[_Product], number: int) -> None:
        """Products of one fact more: each product so far is continued by its last fact, or by one behind that."""
        longer: list[tuple[tuple[int, ...], Poly]] = [((), self.field.constant(1))]
        if known:
            most = len(known[-1].factors)
            last = [p for p in known if len(p.factors) == most]
            behind = [range(p.factors[-1] if p.factors else 0, number) for p in last]
            longer = [
                ((*p.factors, i), p.poly * self.facts[i].poly) for p, r in zip(last, behind, strict=True) for i in r
            ]
        for factors, poly in longer:
            spend(PER_STEP + len(poly))
            strict = all(self.facts[i].strict for i in factors)
            known.append(_Product(factors, strict, poly, table_of(self.normal(poly))))

    def _monomial_by_monomial(self, target: Poly) -> Combination | None:
        """The combination of a polynomial whose every monomial is plainly non-negative."""
        place = {str(fact.poly): i for i, fact in reversed(list(enumerate(self.facts)))}
        products = []
        for exponents, coefficient in target.terms():
            indices: list[int] = []
            for index, power in enumerate(map(int, exponents)):
                if not power:
                    continue
                if power > MOST_POWER:
                    return None
                generator = self.field.context.gen(index)
                single, square = place.get(str(generator)), place.get(str(generator**2))
                if single is not None:
                    indices += [single] * power
                elif square is not None and power % 2 == 0:
                    indices += [square] * (power // 2)
                else:
                    return None
            if to_fraction(coefficient) < 0:
                return None
            products.append((to_fraction(coefficient), tuple(indices)))
        return products or None

    def target(self, scale: list[Term]) -> Poly:
        """The scaled difference as a polynomial, once roots and equations are put in."""
        numerator, denominator = self.numerator, self.denominator
        for term in scale:
            numerator = numerator * self.field.fraction(prepared(term))[0]
        quotient, remainder = divmod(numerator, denominator)
        return self.normal(quotient if remainder == 0 else numerator)


def signed_part(exponent: Term, known: dict[str, list[str]]) -> tuple[Term, bool]:
    """A part of an exponent that has its sign, and whether the exponent is certainly not zero."""
    constant, factors = factored(exponent, known)
    turned, strict, unknown = constant <= 0, constant != 0, list[Term]()
    for factor, times, sign in factors:
        told = known.get(factor[1], []) if factor[0] == "s" else []
        if sign is None and {"negative", "nonpositive"} & set(told):
            strict = strict and "negative" in told
            turned ^= times % 2 == 1
        else:
            strict = strict and sign == STRICT
            unknown += [factor] if sign is None and times % 2 else []
    unknown = [rational(-1), *unknown] if turned else unknown
    return unknown[0] if len(unknown) == 1 else ("*", *unknown) if unknown else ONE, strict


def _weights(
    target: dict[Monomial, fmpq], products: list[_Product], strict_wanted: bool
) -> list[tuple[int, Fraction]] | None:
    """Non-negative exact weights with sum weight * product = target, some strict product among them if wanted."""
    kept = _without_lone_monomials(target, products)
    if kept is None or (strict_wanted and not any(products[k].strict for k in kept)):
        return None
    if not kept:
        return []
    found = _weights_of_all(target, [products[k] for k in kept], strict_wanted)
    return None if found is None else [(kept[k], weight) for k, weight in found]


def _without_lone_monomials(target: dict[Monomial, fmpq], products: list[_Product]) -> list[int] | None:
    """The products that no monomial excludes: one that all have with the same sign cancels nowhere."""
    kept = [k for k, product in enumerate(products) if product.terms]
    while True:
        spend(sum(len(products[k].terms) for k in kept) // 2)
        above, below = set[Monomial](), set[Monomial]()
        for k in kept:
            for monomial, coefficient in products[k].terms.items():
                (above if coefficient > 0 else below).add(monomial)
        if any(monomial not in (above if value > 0 else below) for monomial, value in target.items()):
            return None
        lone = (above ^ below).difference(target)
        if not lone:
            return kept
        kept = [k for k in kept if lone.isdisjoint(products[k].terms)]


def _weights_of_all(
    target: dict[Monomial, fmpq], products: list[_Product], strict_wanted: bool
) -> list[tuple[int, Fraction]] | None:
    """Return the same where every product may be of use."""
    present = {m for p in products for m in p.terms}
    rows = {m: r for r, m in enumerate(sorted(present))}
    support = _programme(target, products, rows, strict_wanted)
    weights = None if support is None else _exact_weights(target, products, rows, support)
    if weights is None or (strict_wanted and not any(products[k].strict and w for k, w in weights)):
        return None
    return weights


def _programme(
    target: dict[Monomial, fmpq], products: list[_Product], rows: dict[Monomial, int], strict_wanted: bool
) -> list[int] | None:
    """Which products a linear programme would use; None when it finds no combination."""
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import coo_array

    try:
        entries = [(rows[m], k, float_of(c)) for k, product in enumerate(products) for m, c in product.terms.items()]
        wanted = [(rows[m], float_of(c)) for m, c in target.items()]
    except OverflowError:  # numbers that no float holds
        return None
    r, k, c = (np.array(x) for x in zip(*entries, strict=True))
    matrix = coo_array((c, (r.astype(int), k.astype(int))), shape=(len(rows), len(products))).tocsr()
    right = np.zeros(len(rows))
    for row, value in wanted:
        right[row] = value
    cost = np.where([p.strict for p in products], -1.0, 0.001) if strict_wanted else np.ones(len(products))
    bounds = [(0, 1e3 if strict_wanted and p.strict else None) for p in products]
    spend(PER_PROGRAMME)
    answer = linprog(cost, A_eq=matrix, b_eq=right, bounds=bounds, method="highs-ds")
    spend(answer.nit * len(entries) // PIVOTED)
    if answer.status != 0:
        return None
    return [int(i) for i in np.nonzero(answer.x > 1e-9)[0]]


def _exact_weights(
    target: dict[Monomial, fmpq], products: list[_Product], rows: dict[Monomial, int], support: list[int]
) -> list[tuple[int, Fraction]] | None:
    """The exact solution on the support that the programme chose, if it is non-negative."""
    spend(len(rows) * len(support) ** 2 // 4)
    table = fmpq_mat(len(rows), len(support) + 1)
    for position, terms in enumerate([*(products[k].terms for k in support), target]):
        for monomial, value in terms.items():
            table[rows[monomial], position] = value
    reduced, rank = table.rref()
    weights = dict.fromkeys(support, Fraction(0))
    for row in range(rank):
        pivot = next(j for j in range(len(support) + 1) if reduced[row, j] != 0)
        if pivot == len(support):
            return None
        weights[support[pivot]] = to_fraction(reduced[row, len(support)])
    if any(w < 0 for w in weights.values()):
        return None
    return [(k, w) for k, w in weights.items() if w]
