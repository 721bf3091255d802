"""Replacements for functions in an expression, from the inside out: steps of a certificate of a limit."""

from __future__ import annotations

from typing import Any

from derivations.language.normal.linear import linear_form, monomial_term
from derivations.language.terms import LEAVES, MINUS_ONE, ONE, ZERO, Term, fraction_of, rational, subtract
from derivations.prove.limits.forms import Form, Forms
from derivations.prove.limits.quantities import Quantities
from derivations.prove.limits.sizes import Unknown, exponential_part, joined, scaled
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.limits.forms import product_of_terms as times
from derivations.recheck.core.limits.forms import sum_of_terms as plus
from derivations.recheck.core.terms import difference, minus, replaced, subterms

SMOOTH = ("exp", "sin", "cos", "sinh", "cosh", "tanh")
FAR = {"atan": "arctangent far", "erf": "error function far"}


class Steps:
    """One way through an expression, with so many terms of every series; none of them where `order` is 0."""

    def __init__(self, quantities: Quantities, order: int) -> None:
        self.q, self.order = quantities, order
        self.forms = Forms(quantities)
        self._done: dict[Term, Term] = {}

    def take(self, term: Term) -> Term:
        """The term as it stands after its functions were rewritten."""
        if term not in self._done:
            inner = term if term[0] in LEAVES else (term[0], *map(self.take, term[1:]))
            self._done[term] = self._function(inner) if self.q.moves(inner) else inner
        return self._done[term]

    def _function(self, term: Term) -> Term:
        head = term[0]
        if head in ("log", "^") and not self._is_plain(term):
            return self._power_or_logarithm(term)
        if head == "abs":
            return self._absolute(term)
        if head in ("atan", "erf", "asin"):
            return self._arc(term)
        if head not in SMOOTH:
            return term
        form = self.forms.of(term[1]) if self.order or head in ("sin", "cos") else None
        if form is not None and form.is_finite():
            return self._taylor(term, form) if self.order else term
        return term if form is None or head not in ("sin", "cos") or self.q.has_value(term) else self._wave(term, form)

    def _wave(self, term: Term, form: Form) -> Term:
        """A sine or cosine of what grows, whose argument is written so that it has a value at a glance."""
        return (term[0], self.q.written_as(term[1], self.q.form_term([self.q.powers(form.size()), form.normalised()])))

    def _is_plain(self, term: Term) -> bool:
        """Check whether a power has a whole exponent, or it or a logarithm is of the variable itself."""
        number = term[0] == "^" and term[2][0] == "q"
        if number and fraction_of(term[2]).denominator == 1:
            return True
        return (number or term[0] == "log") and term[1][0] == "s" and term[1][1] in self.q.variables

    def _power_or_logarithm(self, term: Term) -> Term:
        try:
            form = self.forms.of(term[1])
            if not form.size():
                return self._taylor(term, form) if self.order else term
            new = self._scaled(term, form)
        except Unknown:
            if term[0] == "^" and term[2][0] == "q":
                return term
            raise
        function = new[-1] if new[0] in ("+", "*") else new  # what is left of the function stands last
        if not self.order or not self.q.moves(function) or function[0] != term[0] or self._is_plain(function):
            return new
        series = self._taylor(function, self.forms.of(function[1]))
        return series if function is new else (*new[:-1], series)

    def _scaled(self, term: Term, form: Form) -> Term:
        """The logarithm, a power or the absolute value of exp(m) P, where P is a form."""
        q, symbolic = self.q, term[0] == "^" and term[2][0] != "q"
        size, inner = form.size(), form.normalised()
        grows = size if symbolic else exponential_part(size, q.order.several)
        powers, m = q.powers(joined(size, grows, -1)), self.forms.log_of(grows)
        if not q.positive(q.at_zero(inner)):
            raise Unknown("a logarithm, a root or a power is taken of what need not be positive near the limit")
        bases = [(("s", of), rational(e)) for of, e in powers]
        large, of_powers = [] if m == ZERO else [m], [of if e == ONE else ("^", of, e) for of, e in bases]
        grown = [("exp", m) for m in large]
        if symbolic and inner != ONE:  # the argument stays as it is elsewhere
            q.written_as(term, ("^", times(*grown, *of_powers, inner), term[2]))
        elif inner != ONE:
            q.written_as(term[1], times(*grown, *of_powers, inner))
        p = q.letter(inner)
        if term[0] == "log":
            new = plus(*large, *(times(e, ("log", of)) for of, e in bases), ZERO if p == ONE else ("log", p))
        else:
            e = term[2] if term[0] == "^" else ONE
            raised = [("^", of, rational(fraction_of(each) * fraction_of(e))) for of, each in bases]
            new = times(*(("exp", times(e, m)) for m in large), *raised, p if ONE in (p, e) else ("^", p, e))
        if inner != ONE:
            term = (term[0], q.in_variables(times(*grown, *of_powers, p)), *term[2:])
        return q.written_as(term, new)

    def _absolute(self, term: Term) -> Term:
        form = self.forms.of(term[1])
        sign = self.q.sign(form.leading()) if form.above else None
        return self._scaled(term, form if sign > 0 else form.negated()) if sign else term

    def _arc(self, term: Term) -> Term:
        head, form, q = term[0], self.forms.of(term[1]), self.q
        if form.is_finite():
            c = q.at_zero(form.term())
            for end in (ONE, MINUS_ONE) if head == "asin" else ():
                if q.sign(subtract(c, end)) == 0:
                    return self._at_an_end(term, end)
            return self._taylor(term, form) if self.order else term
        sign = q.sign(form.leading())
        if head == "asin" or not sign:
            raise Unknown(f"{head} is taken of what grows with a sign that is not known")
        size, inner = form.size(), (form if sign > 0 else form.negated()).normalised()
        powers, more = q.small_powers(scaled(size, -1))
        large = [[of, str(-fraction_of(rational(e)))] for of, e in powers]
        d = [large, times(ONE if more == ONE else ("^", more, MINUS_ONE), inner)]
        written = q.form_term(d)
        q.written_as(term[1], written if sign > 0 else minus(written))
        return self._by_line(f"{FAR[head]} {'up' if sign > 0 else 'down'}", d)

    def _at_an_end(self, term: Term, end: Term) -> Term:
        q = self.q
        form = self.forms.of(difference(ONE, term[1]) if end == ONE else ("+", ONE, term[1]))
        powers, more = q.small_powers(form.size())
        inner = times(more, form.normalised())
        d = [powers, inner]
        if not q.positive(q.at_zero(inner)):
            raise Unknown("the sign of what goes to the end of a range is not known")
        written = q.form_term(d)
        q.written_as(term[1], difference(ONE, written) if end == ONE else difference(written, ONE))
        return self._by_line(f"arcsine at {end[1]}", d)

    def _by_line(self, line: str, d: list[Any]) -> Term:
        return self.q.step({"rule": line, "letters": {"o": self.q.fresh(), "d": d}})

    def _taylor(self, term: Term, form: Form) -> Term:
        """The series at the limit of the argument, with a remainder that has a name."""
        q = self.q
        argument: Term = form.term() if not q.continuous(term[1]) else term[1]
        if q.at_zero(argument) not in (ZERO, ONE) and form.above and form.term() != argument:
            simpler: Term = form.term()
            argument = simpler if q.at_zero(simpler) in (ZERO, ONE) else argument
        term = (term[0], q.written_as(term[1], argument), *term[2:])
        try:
            series = q.step(["taylor", q.fresh(), term, argument, self.order])
        except Rejected:
            raise Unknown(f"no Taylor series of {term[0]} is known where its argument goes") from None
        return self.without_logarithms(series)

    def without_logarithms(self, term: Term) -> Term:
        """The term with exp(k log(a) + b) of parameters written as a^k exp(b), in the whole expression.

        A sine or cosine of parameters that is zero is written as 0, so that what it multiplies is not the largest.
        """
        for old in (t for t in list(subterms(term)) if t[0] in ("sin", "cos", "exp") and not self.q.moves(t)):
            new = _without_logarithms(old) if old[0] == "exp" else ZERO if self.q.sign(old) == 0 else old
            term = replaced(term, old, self.q.written_as(old, new))
        return term


def _without_logarithms(term: Term) -> Term:
    parts = linear_form(term[1])
    powers = {m[0][0][1]: k for m, k in parts.items() if len(m) == 1 and m[0][0][0] == "log" and m[0][1] == 1}
    if not powers:
        return term
    others = [times(monomial_term(m), rational(k)) for m, k in parts.items() if not (m and m[0][0][0] == "log")]
    return times(*(("^", a, rational(k)) for a, k in powers.items()), *([("exp", plus(*others))] if others else []))
