"""Terms as quotients of sums over small quantities, sorted by size: what a limit is read off."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derivations.language.normal import Field, Poly, Undefined, prepared, to_fraction
from derivations.language.normal.linear import linear_form
from derivations.language.terms import MINUS_ONE, ONE, Term, rational
from derivations.prove.equality.reduction import with_roots_put_in
from derivations.prove.limits.quantities import Quantities, opposite
from derivations.prove.limits.sizes import (
    LOG,
    LOG_LOG,
    NONE,
    More,
    Size,
    Unknown,
    joined,
    scaled,
    simple,
    size_of,
    term_of,
)
from derivations.recheck.core.limits.forms import product_of_terms as times
from derivations.recheck.core.limits.forms import sum_of_terms as plus

Group = tuple[Size, list[tuple[Fraction, tuple[tuple[Term, int], ...], tuple[Term, ...]]]]
"""Terms of one size: number, factors that stay finite with their powers, and waves."""
MOST_TERMS = 1500
NO_GROWTH = (Fraction(0),) * 3
WAVES, FINITE = ("sin", "cos"), ("sin", "cos", "erf", "atan", "asin", "abs")


@dataclass(frozen=True)
class Form:
    """A quotient of two sums, the largest terms first; the first of the denominator is not zero at the limit."""

    above: list[Group]
    below: list[Group]
    quantities: Quantities

    def size(self) -> Size:
        """How fast the term goes to zero: the size of the first terms of the quotient, which do not cancel."""
        if not self.above:
            raise More("a part of the expression is zero, as far as the series shows")
        self.above[:] = _largest_first(self.above, self.quantities)
        if self.quantities.sign(self.leading()) == 0:
            raise More("the first terms of a part of the expression cancel")
        return joined(self.above[0][0], self.below[0][0], -1)

    def leading(self) -> Term:
        """Return what the first terms of the numerator add up to where the quantities are zero."""
        return self.quantities.at_zero(self._sum(self.above[:1], self.above[0][0]))

    def negated(self) -> Form:
        return Form(_negated(self.above), self.below, self.quantities)

    def is_finite(self) -> bool:
        compare, below = self.quantities.order.compare, self.below[0][0]
        if all(compare(size, below) >= 0 for size, _ in self.above):
            return True
        self.size()
        return False

    def term(self) -> Term:
        """A term that is continuous in the quantities, where the limit is finite."""
        size = self.below[0][0]
        return self._quotient(size)

    def normalised(self) -> Term:
        """Return the same without its size: it tends to something that is not zero."""
        self.size()
        return self._quotient(self.above[0][0])

    def _quotient(self, size: Size) -> Term:
        above, below = self._sum(self.above, size), self._sum(self.below, self.below[0][0])
        at_zero = self.quantities.at_zero(below)
        if not self.quantities.alive(at_zero):
            raise Unknown("a denominator may vanish at the limit for some parameters")
        return times(above, ONE if below == ONE else ("^", below, MINUS_ONE))

    def _sum(self, groups: list[Group], size: Size) -> Term:
        return plus(*(self._monomial(m, joined(of, size, -1)) for of, monomials in groups for m in monomials))

    def _monomial(self, monomial: Any, size: Size) -> Term:
        number, factors, waves = monomial
        if waves and not size:
            raise Unknown("it oscillates without end")
        share = scaled(size, Fraction(1, max(1, len(waves))))
        small = [self.quantities.bounded(share, wave) for wave in waves] if size else []
        small += [self.quantities.quantity(size)] if size and not waves else []
        powers = [f if k == 1 else ("^", f, rational(k)) for f, k in factors]
        return times(rational(number), *powers, *small)


class Forms:
    """The forms of terms, worked out once."""

    def __init__(self, quantities: Quantities) -> None:
        self.quantities = quantities
        self._forms: dict[Term, Form] = {}

    def of(self, term: Term) -> Form:
        """The form of a term in the variables; More where known terms cancel, Unknown where none is found."""
        if term not in self._forms:
            self._forms[term] = self._form(term)
        return self._forms[term]

    def _form(self, term: Term) -> Form:
        field = Field.of([term], self.quantities.symbols)
        try:
            above, below = (with_roots_put_in(field, poly) for poly in field.fraction(prepared(term)))
        except Undefined:
            raise Unknown("a part of the expression is defined nowhere") from None
        if max(len(above), len(below)) > MOST_TERMS:
            raise Unknown("the expression becomes too long in small quantities")
        common = above.gcd(below)
        kinds = [self._kind(field.generator_term(g)) for g in field.generators]
        form = Form(self._groups(above / common, kinds), self._groups(below / common, kinds), self.quantities)
        form.below[:] = _largest_first(form.below, self.quantities)
        sign = self.quantities.sign(Form(form.below, form.below, self.quantities).leading())
        if sign == 0:
            raise More("the first terms of a denominator cancel")
        return Form(_negated(form.above), _negated(form.below), self.quantities) if sign == -1 else form

    def _groups(self, poly: Poly, kinds: list[Any]) -> list[Group]:
        table: dict[Size, dict[Any, Fraction]] = {}
        for exponents, c in poly.to_dict().items():
            size, number, factors, waves = NONE, to_fraction(c), list[tuple[Term, int]](), list[Term]()
            for (kind, told), k in zip(kinds, map(int, exponents), strict=False):
                if not k:
                    continue
                if kind == "size":
                    size, number = joined(size, told[0], k), number * told[1] ** k
                elif kind == "wave":
                    waves += [told] * k
                else:
                    factors.append((told, k))
            same, key = table.setdefault(size, {}), (tuple(factors), tuple(waves))
            same[key] = same.get(key, Fraction(0)) + number
        groups = [(size, [(number, *key) for key, number in same.items() if number]) for size, same in table.items()]
        return [group for group in groups if group[1]]

    # --- what generators are ------------------------------------------------------------------------------------------

    def _kind(self, term: Term) -> tuple[str, Any]:
        """A size with a number, something that stays finite as a continuous term, or a wave."""
        q = self.quantities
        term = q.literal(term) if term[0] in ("^", "log", "asin") else term
        if not q.moves(term):
            return "finite", term
        head = term[0]
        if head == "s":
            return ("size", (self._of_variable(term[1]), Fraction(1))) if term[1] in q.variables else ("finite", term)
        inner = term[1]
        if head == "^" and inner[0] == "s" and inner[1] in q.variables and term[2][0] == "q":
            return "size", (scaled(self._of_variable(inner[1]), Fraction(term[2][1])), Fraction(1))
        if head == "log" and inner == ("s", q.variables[0]) and not q.order.several:
            return "size", (simple(LOG_LOG, -1), Fraction(-1))
        if head == "exp" and not self.of(inner).is_finite():
            return "size", (self._of_exponent(inner), Fraction(1))
        if head in WAVES and not self.of(inner).is_finite():
            return "wave", term
        return "finite", self._finite(term)

    def _of_variable(self, name: str) -> Size:
        q = self.quantities
        return simple((Fraction(q.variables.index(name)),) if q.order.several else LOG, 1)

    def _finite(self, term: Term) -> Term:
        """A function of something finite, as a continuous term."""
        if self.quantities.continuous(term):
            return term
        head, form = term[0], self.of(term[1])
        if not form.is_finite() or head not in ("exp", "log", "^", *FINITE):
            raise Unknown(f"the limit of {head} is not known here")
        argument = form.term()
        if head in ("log", "^") and not self.quantities.positive(self.quantities.at_zero(argument)):
            raise Unknown("a logarithm or a power is taken of what need not be positive at the limit")
        if head == "asin":
            c = self.quantities.at_zero(argument)
            if not self.quantities.positive(("+", ONE, opposite(("^", c, rational(2))))):
                raise Unknown("an arcsine is taken at the end of its range")
        return (head, argument, *term[2:])

    def _of_exponent(self, term: Term) -> Size:
        """The size of an exponential that grows or decays: its exponent is a sum of growths with numbers."""
        form = self.of(term)
        if self.quantities.order.several or len(form.below) > 1:
            raise Unknown("an exponential of several variables, or of a quotient, grows here")
        parts: dict[Any, Any] = {}
        below = form._sum(form.below, form.below[0][0])
        for size, _ in form.above:
            ratio = joined(size, form.below[0][0], -1)
            c = times(form._sum([g for g in form.above if g[0] == size], size), ("^", below, MINUS_ONE))
            powers = dict(ratio)
            if self.quantities.moves(c) or not set(powers) <= {LOG, LOG_LOG}:
                raise More("an exponent grows in a way that is not known exactly")
            key = (-_number(powers, LOG), -_number(powers, LOG_LOG), Fraction(0))
            if key <= NO_GROWTH:
                raise More("an exponent is a sum of what grows and of what does not")
            parts[key] = linear_form(opposite(c))
        return size_of(parts)

    def log_of(self, size: Size) -> Term:
        """The logarithm of a positive quantity of a size, as a term of the quantities."""
        q, parts = self.quantities, []
        if q.order.several:
            return plus(*(times(term_of(c), ("log", ("s", q.variables[int(key[0])]))) for key, c in size))
        for (p, k, j), c in size:
            if j or (p, k) == LOG[:2]:
                parts.append(times(term_of(c), ("log", ("s", q.log_name() if j else q.variables[0]))))
            else:
                powers = q.powers(joined(simple(LOG, -p), simple(LOG_LOG, -k)))
                parts.append(times(MINUS_ONE, term_of(c), q.form_term([powers, ONE])))
        return plus(*parts)


def _negated(groups: list[Group]) -> list[Group]:
    return [(size, [(-number, factors, waves) for number, factors, waves in of]) for size, of in groups]


def _largest_first(groups: list[Group], quantities: Quantities) -> list[Group]:
    """The groups with one first that is at least as large as all others."""
    for place, (size, _) in enumerate(groups):
        try:
            if all(quantities.order.compare(size, other) <= 0 for other, _ in groups):
                return [groups[place], *groups[:place], *groups[place + 1 :]]
        except Unknown:
            continue
    raise Unknown("which terms are the largest depends on the parameters, or on the paths of the variables")


def _number(powers: Any, key: Any) -> Fraction:
    c = powers.get(key, ())
    if c and (len(c) != 1 or c[0][0] != ()):
        raise More("an exponent holds a power with a symbol")
    return c[0][1] if c else Fraction(0)
