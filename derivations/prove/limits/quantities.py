"""Names for what goes to zero along a limit, and the steps of a certificate that introduce them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from math import ceil
from typing import Any

from derivations.language.evaluate import value
from derivations.language.points import Values, points
from derivations.language.terms import LEAVES, MINUS_ONE, ONE, ZERO, NotExact, Term, in_one_order, rational, symbols_in
from derivations.prove import equality
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.limits.sizes import (
    LOG,
    LOG_LOG,
    NONE,
    Order,
    Size,
    Unknown,
    joined,
    number,
    scaled,
    simple,
    term_of,
)
from derivations.recheck.core import limits
from derivations.recheck.core.conditions import sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.limits.forms import product_of_terms as times
from derivations.recheck.core.limits.forms import sum_of_terms as plus
from derivations.recheck.core.load import normal
from derivations.recheck.core.terms import subterms

Decide = Callable[[Json], Certificate]
TRIES, TRIES_OF_SIGN, BITS = 60, 6, 128
MOST_QUANTITIES = 24


def opposite(term: Term) -> Term:
    return ("*", MINUS_ONE, term)


class Quantities(limits.Quantities):
    """One way to write an expression in small quantities, by the steps of the checker, which are searched for."""

    def __init__(self, statement: Json, decide: Decide, known: dict[Term, Any]) -> None:
        super().__init__(normal(statement), lambda certificate: "proved")
        self.statement, self.decide = statement, decide
        self.steps: list[Any] = []
        self.certificates = known  # and signs, kept from one try to the next
        self.needed: dict[Term, Certificate] = {}
        self.order = Order(self.sign, len(self.variables) > 1)
        self._names: dict[Any, str] = {}

    @property
    def expression(self) -> Term:
        return self.spoken[0]

    def step(self, step: Any) -> Term:
        """Takes a step, which the certificate will tell unless it is refused."""
        written = self.take(normal(step))
        self.steps.append(step)
        return written

    # --- what is known of the parameters ------------------------------------------------------------------------------

    def points(self) -> Iterator[Values]:
        """Parameters that the hypotheses on them allow."""
        return islice(points({"symbols": self.parameters, "assuming": self.fixed}), TRIES)

    def sign(self, term: Term) -> int | None:
        """The sign of a term of the parameters that points show, 0 where it is zero, None where it has several."""
        if term == ZERO:
            return 0
        if sign_by_form(term, self.parameters) == ">":
            return 1
        if ("sign", term) not in self.certificates:
            self.certificates["sign", term] = self._seen(term)
        found: int | None = self.certificates["sign", term]
        return found

    def _seen(self, term: Term) -> int | None:
        seen = set()
        for point in islice(self.points(), TRIES_OF_SIGN):
            ball = value(term, point, BITS)
            if ball is not None:
                seen.add(1 if ball > 0 else -1 if ball < 0 else 0)
        if seen == {0}:
            return 0 if self.identity(term, ZERO) is not None else None
        return seen.pop() if len(seen) == 1 else None

    def positive(self, formula: Term) -> bool:
        """Check whether a term of the parameters is positive, by a certificate that is kept where one is needed."""
        if super().positive(formula):
            return True
        if formula[0] in ("*", "^") and all(map(self.positive, formula[1:] if formula[0] == "*" else formula[1:2])):
            return True
        proved = self._decided(self._is_positive(formula, []))
        if proved is None and (given := self._given()):
            proved = self._decided(self._is_positive(formula, given))
        if proved is not None:
            self.needed[formula] = proved
            self.above_zero.add(formula)
        return proved is not None

    def _is_positive(self, term: Term, given: list[Term]) -> Json:
        shared = {"symbols": self.parameters, "assuming": [*self.fixed, *given], "left": term, "right": ZERO}
        return {"kind": "sign", "relation": ">", **shared}

    def has_value(self, term: Term) -> bool:
        """Check whether a term of the quantities has a value near the limit for all parameters."""
        try:
            self.valued(term)
        except Rejected:
            return False
        return True

    def alive(self, term: Term) -> bool:
        """Check whether a term of the parameters is never zero."""
        sign = self.sign(term)
        return sign != 0 and ((sign == 1 and self.positive(term)) or self.positive(("^", term, rational(2))))

    def _given(self) -> list[Term]:
        """Return what may be supposed of the parameters beside the hypotheses."""
        return sorted(self.known - set(self.fixed), key=repr)

    def _decided(self, statement: Json) -> Certificate | None:
        key = (statement["kind"], statement["left"], statement["right"], tuple(statement["assuming"]))
        if key not in self.certificates:
            try:
                found = self.decide(statement)
            except (NotExact, ZeroDivisionError, equality.Unsatisfiable):
                found = None
            self.certificates[key] = found if found is not None and found.verdict is Verdict.PROVED else None
        certificate: Certificate | None = self.certificates[key]
        return certificate

    def identity(self, left: Term, right: Term) -> Certificate | None:
        """The certificate of an equality, if it is proved."""
        spoken = symbols_in(("+", left, right, *(side for r in self.fixed for side in r[1:])))
        told = {name: words for name, words in self.symbols.items() if name in spoken}
        shared = {"symbols": told, "assuming": list(self.fixed), "left": left, "right": right}
        return self._decided({"kind": "identity", **shared})

    def equal(self, left: Term, right: Term) -> Json:
        """Return the same as data, or Unknown."""
        proved = self.identity(left, right)
        if proved is None:
            raise Unknown("an equality that the limit rests on was not proved")
        return proved.as_json()

    def written_as(self, term: Term, other: Term) -> Term:
        """A term of the quantities in the place of one that is equal to it."""
        written = self.in_variables(other)
        return term if written == term else self.step(["equal", term, other, self.equal(term, written)])

    def letter(self, term: Term) -> Term:
        """A letter for what is positive near the limit."""
        if term == ONE:
            return ONE
        name = self.fresh()
        self.step(["positive", name, term])
        return ("s", name)

    # --- names --------------------------------------------------------------------------------------------------------

    def fresh(self) -> str:
        k = len(self.names)
        while f"o{k}" in self.symbols:
            k += 1
        if len(self.names) > MOST_QUANTITIES:
            raise Unknown("too many small quantities are needed")
        return f"o{k}"

    def form_term(self, form: Any) -> Term:
        """Return what a form stands for, in the quantities."""
        powers = [("s", n) if e == "1" else ("^", ("s", n), rational(e)) for n, e in form[0]]
        return times(*powers, form[1])

    def small(self, line: str, **letters: Any) -> str:
        """The name for what a line of the table gives for its letters."""
        key = line, repr(letters)
        if key not in self._names:
            self._names[key] = self.fresh()
            self.step({"rule": line, "letters": {"o": self._names[key], **letters}})
        return self._names[key]

    def bounded(self, size: Size, wave: Term) -> Term:
        """The product of something small with a sine or cosine of anything."""
        powers, rest = self.small_powers(size)
        line = {"sin": "damped sine", "cos": "damped cosine"}[wave[0]]
        return times(("s", self.small(line, d=[powers, ONE], w=wave[1])), rest)

    def log_name(self) -> str:
        return self.small("inverse of a logarithm", d=[[[self.variables[0], "1"]], ONE])

    def powers(self, size: Size) -> list[list[str]]:
        """A positive quantity of a size, as powers of names."""
        if self.order.several:
            return [[self.variables[int(key[0])], str(number(size, key))] for key, _ in size]
        grows, power, of_log = _split(size)
        found = [[self.variables[0], str(power)]] if power else []
        found += [[self.log_name(), str(of_log)]] if of_log else []
        if grows:
            falls = self.order.compare(grows, NONE) > 0
            found += [[self._decay(grows if falls else scaled(grows, -1), 0)[0], "1" if falls else "-1"]]
        return found

    def small_powers(self, size: Size) -> tuple[list[list[str]], Term]:
        """Return the same for a size that goes to zero: positive powers of names, and a term that is not zero at the
        limit.
        """
        if self.order.several:
            return self.powers(size), ONE
        grows, power, of_log = _split(size)
        if not grows:
            return self._of_powers(power, of_log)
        lead = grows[0][0]
        r, (p, k, _) = 0, lead
        while power + r * p < 0 or (power + r * p == 0 and of_log + r * k < 0):
            r += 1
            if r > MOST_QUANTITIES or (p == 0 and power < 0):
                raise Unknown("a power with a symbol is multiplied by another one")
        name, below = self._decay(grows, r)
        power, of_log, extra = power + r * p, of_log + r * k, ("^", below, rational(-r)) if r else ONE
        rest_powers, more = self._of_powers(power, of_log) if power or of_log else ([], ONE)
        return [[name, "1"], *rest_powers], times(extra, more)

    def _of_powers(self, power: Fraction, of_log: Fraction) -> tuple[list[list[str]], Term]:
        """x^power L^(-of_log), with x^a L^n = (n/a w)^n where w = d log(1/d) and d = x^(a/n)."""
        if of_log >= 0:
            found = [[self.variables[0], str(power)]] if power else []
            return found + ([[self.log_name(), str(of_log)]] if of_log else []), ONE
        n = ceil(-of_log)
        w = self.small("product with a logarithm", d=[[[self.variables[0], str(power / n)]], ONE])
        rest = [[self.log_name(), str(of_log + n)]] if of_log + n else []
        return [[w, str(n)], *rest], rational((n / power) ** n)

    def quantity(self, size: Size) -> Term:
        """A term that goes to zero with a size, or ONE."""
        powers, rest = self.small_powers(size) if size else ([], ONE)
        return self.form_term([powers, rest])

    def _decay(self, size: Size, r: int) -> tuple[str, Term]:
        """The name for exp(-d) d^r, d = c_1 G_1 + c_2 G_2 + ... = G_1 N, and N = c_1 + c_2 G_2/G_1 + ... ."""
        lead, c = size[0]
        growth = joined(simple(LOG, -lead[0]), simple(LOG_LOG, -lead[1]))
        parts = [term_of(c)]
        for key, weight in size[1:]:
            ratio = joined(simple(LOG, lead[0] - key[0]), simple(LOG_LOG, lead[1] - key[1]))
            parts.append(times(term_of(weight), self.quantity(ratio)))
        below = plus(*parts)
        if not self.positive(self.at_zero(below)):
            raise Unknown("the sign of a rate is not known")
        d = [self.powers(growth), below]
        return (self.small("decay beats powers", d=d, r=r) if r else self.small("decay", d=d)), below

    def literal(self, term: Term) -> Term:
        """A function of parameters with its argument as the statement writes it, which is known to be in the domain."""
        if term[0] in LEAVES:
            return term
        inner = term[1]
        alike = (t for whole in self.spoken for t in subterms(whole) if t[0] == inner[0] and len(t) == len(inner))
        return (term[0], {in_one_order(t): t for t in alike}.get(in_one_order(inner), inner), *term[2:])


def _split(size: Size) -> tuple[Size, Fraction, Fraction]:
    """The part of a size that is exponential, or has symbols, and the powers of x and of 1/log(1/x)."""
    power, of_log = number(size, LOG), number(size, LOG_LOG)
    if of_log is None:
        raise Unknown("a power of a logarithm has a symbol")
    if power is None and size[0][0] == LOG:
        power = Fraction(0)  # x^(1 - a) with a symbol a is one exponential
    elif power is None:
        power = dict(dict(size)[LOG]).get((), Fraction(0))
    grows = joined(size, joined(simple(LOG, power), simple(LOG_LOG, of_log)), -1)
    return grows, power, of_log
