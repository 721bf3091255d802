"""What takes the place of functions in an expression, from the inside out: steps of a certificate of a limit."""

from __future__ import annotations

from fractions import Fraction
from math import factorial

from derivations.language.normal.conditions import placed, plus, times
from derivations.language.normal.linear import linear_form, monomial_term
from derivations.language.terms import LEAVES, ONE, ZERO, Term, carried_out, fraction_of, rational, subtract
from derivations.prove.limits.forms import Form, Forms
from derivations.prove.limits.quantities import Quantities, opposite, replaced, subterms
from derivations.prove.limits.sizes import Unknown, exponential_part, joined
from derivations.recheck.kinds.limits.table import line as table_line

SMOOTH = ("exp", "sin", "cos", "sinh", "cosh", "tanh", "erf", "atan", "asin", "log", "^")
ENDS = {
    ("asin", 1): "arcsine at 1",
    ("asin", -1): "arcsine at -1",
    ("atan", 1): "arctangent at infinity",
    ("atan", -1): "arctangent at minus infinity",
    ("erf", 1): "error function at infinity",
    ("erf", -1): "error function at minus infinity",
}


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
        if head not in SMOOTH or head in ("log", "^"):
            return term
        form = self.forms.of(term[1]) if self.order or head in ("sin", "cos") else None
        if form is not None and form.is_finite():
            return self._taylor(term, form) if self.order else term
        return term if form is None or head not in ("sin", "cos") or self.q.has_value(term) else self._wave(term, form)

    def _wave(self, term: Term, form: Form) -> Term:
        """A sine or cosine of what grows, whose argument is written so that it has a value at a glance."""
        argument = self.q.form_term([self.q.powers(form.size()), form.normalised()])
        written = self.q.in_variables(argument)
        self.q.rewrite(["equal", term[1], argument, self.q.equal(term[1], written)], term[1], written, term[1])
        return (term[0], written)

    def _is_plain(self, term: Term) -> bool:
        """Whether a power has a whole exponent, or it or a logarithm is of the variable itself."""
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
        rest = self._taylor(function, self.forms.of(function[1]))
        return rest if function is new else (*new[:-1], rest)

    def _scaled(self, term: Term, form: Form, left: Term | None = None) -> Term:
        """The logarithm, a power or the absolute value of exp(m) P, where P is a form."""
        q, symbolic = self.q, term[0] == "^" and term[2][0] != "q"
        size, rest = form.size(), form.normalised()
        grows = size if symbolic else exponential_part(size, q.order.several)
        powers, m = q.powers(joined(size, grows, -1)), q.in_variables(self.forms.log_of(grows))
        if not q.positive(q.at_zero(rest)):
            raise Unknown("a logarithm, a root or a power is taken of what need not be positive near the limit")
        written, written_powers = q.in_variables(rest), [q.in_variables(q.form_term([[p], ONE])) for p in powers]
        large = [] if m == ZERO else [("exp", m)]
        identity = q.equal(term[1] if left is None else left, times(*large, *written_powers, written))
        if term[0] == "log":
            logs = [q.in_variables(times(rational(e), ("log", ("s", of)))) for of, e in powers]
            new = plus(m, *logs, ZERO if written == ONE else ("log", written))
        elif term[0] == "^":
            large = [] if m == ZERO else [("exp", times(term[2], m))]
            exponents = [rational(Fraction(e) * fraction_of(term[2])) for _, e in powers]
            bases = [q.in_variables(("s", of)) for of, _ in powers]
            raised = [("^", base, e) for base, e in zip(bases, exponents, strict=True)]
            new = times(*large, *raised, ONE if written == ONE else ("^", written, term[2]))
        else:
            new = times(*large, *written_powers, written)
        q.rewrite(["scaled", term, self.forms.log_of(grows), [powers, rest], identity], term, new, term[1])
        return new

    def _absolute(self, term: Term) -> Term:
        form = self.forms.of(term[1])
        sign = self.q.sign(form.leading()) if form.above else None
        if not sign:
            return term
        return self._scaled(term, form) if sign > 0 else self._scaled(term, form.negated(), opposite(term[1]))

    def _arc(self, term: Term) -> Term:
        head, form = term[0], self.forms.of(term[1])
        if not form.is_finite():
            sign = self.q.sign(form.leading()) or 0
            if head == "asin" or not sign:
                raise Unknown(f"{head} is taken of what grows with a sign that is not known")
            return self._end(term, ENDS[head, sign])
        c = self.q.at_zero(form.term())
        for end in (1, -1):
            if head == "asin" and self.q.sign(subtract(c, rational(end))) == 0:
                return self._end(term, ENDS[head, end])
        return self._taylor(term, form) if self.order else term

    def _end(self, term: Term, line: str) -> Term:
        q, told = self.q, table_line("end", line)
        small = carried_out(("at", told["u"], (("a", term[1]),)))
        form = self.forms.of(small)
        powers, more = q.small_powers(form.size())
        u = [powers, times(more, form.normalised())]
        if not q.positive(q.at_zero(times(more, form.normalised()))):
            raise Unknown("the sign of what goes to the end of a range is not known")
        written = q.in_variables(q.form_term(u))
        identity = None if written == small else q.equal(small, written)
        name, count = q.fresh(), min(self.order, len(told["coefficients"]) - 1)
        q.call(name, None, [])
        steps = [told["step"] * k for k in range(count + 1)]
        terms = [times(rational(c), _power(small, k)) for c, k in zip(told["coefficients"], steps, strict=False)]
        series = plus(*terms, times(_power(small, steps[-1]), ("s", name)))
        factor = carried_out(("at", told["factor"], (("a", term[1]), ("u", small))))
        new = plus(told["lead"], times(factor, series))
        q.rewrite(["end", name, line, term, [u, identity], count], term, new)
        return new

    def _taylor(self, term: Term, form: Form) -> Term:
        """The series at the limit of the argument, with a remainder that has a name."""
        q = self.q
        argument: Term = form.term() if not q.is_continuous(term[1]) else term[1]
        if q.at_zero(argument) not in (ZERO, ONE) and form.above and form.term() != argument:
            simpler: Term = form.term()
            argument = simpler if q.at_zero(simpler) in (ZERO, ONE) else argument
        written = q.in_variables(argument)
        if written != term[1]:
            q.rewrite(["equal", term[1], argument, q.equal(term[1], written)], term[1], written, term[1])
            term = (term[0], written, *term[2:])
        c = q.at_zero(argument)
        self._require_smooth(term, c)
        name = q.fresh()
        slope, gap = (term[0], ("s", name), *term[2:]), subtract(term[1], c)
        terms = []
        for k in range(self.order + 1):
            share = rational(Fraction(1, factorial(k)))
            terms.append(times(share, placed(carried_out(slope), {name}, c), _power(gap, k)))
            slope = ("D", slope, name)
        q.call(name, None, [])
        new = plus(*terms, times(_power(gap, self.order), ("s", name)))
        q.rewrite(["taylor", name, term, argument, self.order], term, new)
        return self.without_logarithms(new)

    def without_logarithms(self, term: Term) -> Term:
        """The term with exp(k log(a) + b) of parameters written as a^k exp(b), in the whole expression.

        A sine or cosine of parameters that is zero is written as 0, so that what it multiplies is not the largest.
        """
        for old in dict.fromkeys(t for t in subterms(term) if t[0] in ("sin", "cos") and not self.q.moves(t)):
            if self.q.sign(old) == 0:
                self.q.rewrite(["equal", old, ZERO, self.q.equal(old, ZERO)], old, ZERO, old)
                term = replaced(term, old, ZERO)
        for old in dict.fromkeys(t for t in subterms(term) if t[0] == "exp" and not self.q.moves(t)):
            parts = linear_form(old[1])
            powers = {m[0][0][1]: k for m, k in parts.items() if len(m) == 1 and m[0][0][0] == "log" and m[0][1] == 1}
            if not powers:
                continue
            rest = [times(monomial_term(m), rational(k)) for m, k in parts.items() if not (m and m[0][0][0] == "log")]
            new = times(*(("^", a, rational(k)) for a, k in powers.items()), *([("exp", plus(*rest))] if rest else []))
            self.q.rewrite(["equal", old, new, self.q.equal(old, new)], old, new, old)
            term = replaced(term, old, new)
        return term

    def _require_smooth(self, term: Term, c: Term) -> None:
        if term[0] in ("log", "^") and not self.q.positive(c):
            raise Unknown("a logarithm, a root or a power is taken of what need not be positive near the limit")
        if term[0] == "asin" and not self.q.positive(subtract(ONE, ("^", c, rational(2)))):
            raise Unknown("an arcsine is taken of what need not lie inside of its range")


def _power(term: Term, k: int) -> Term:
    return ONE if k == 0 else term if k == 1 else ("^", term, rational(k))


def _put_back(whole: Term, old: Term, new: Term) -> Term:
    return new if whole == old else (*whole[:-1], new)
