"""Names for what goes to zero along a limit, and the steps of a certificate that introduce them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import islice
from math import ceil
from typing import Any

from derivations.language.evaluate import evaluate, precision
from derivations.language.normal.conditions import by_form, demands, placed, plus, times
from derivations.language.points import Values, points
from derivations.language.terms import (
    LEAVES,
    MINUS_ONE,
    ONE,
    ZERO,
    NotExact,
    Term,
    carried_out,
    children,
    fraction_of,
    in_one_order,
    rational,
    rebuild,
    subtract,
    symbols_in,
)
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
from derivations.recheck.kinds.limits.table import line as table_line

Decide = Callable[[Json], Certificate]
INFINITE = (("oo",), ("-oo",))
CONTINUOUS = ("+", "*", "exp", "sin", "cos", "sinh", "cosh", "tanh", "erf", "atan", "abs")
TRIES, TRIES_OF_SIGN, BITS = 60, 6, 128
MOST_QUANTITIES = 24


def opposite(term: Term) -> Term:
    return ("*", MINUS_ONE, term)


class Quantities:
    """One way to write an expression in small quantities, as far as it has come."""

    def __init__(self, statement: Json, decide: Decide, known: dict[Term, Any]) -> None:
        self.statement, self.decide = statement, decide
        self.variables = tuple(statement["variables"])
        self.parameters = {s: told for s, told in statement["symbols"].items() if s not in self.variables}
        self.symbols: Json = self.parameters | {v: ["positive"] for v in self.variables}
        self.names = set(self.variables)
        self.formulas: dict[str, Term] = {}
        self.steps: list[Any] = []
        self.known = known  # certificates and signs, kept from one try to the next
        self.needed: dict[Term, Certificate] = {}
        relations = [tuple(r) for r in statement["assuming"]]
        self.fixed = [r for r in relations if not symbols_in(("+", *r[1:])) & self.names]
        self.moving = [
            (r[0], *map(self.at_the_place, r[1:])) for r in relations if symbols_in(("+", *r[1:])) & self.names
        ]
        ends = tuple(statement.get("towards", ()))[1:]
        whole = [statement["expression"], *inside_derivatives(statement["expression"]), *ends]
        self.spoken = [self.at_the_place(term) for term in whole]
        self.order = Order(self.sign, len(self.variables) > 1)
        self._names: dict[Any, str] = {}

    @property
    def expression(self) -> Term:
        return self.spoken[0]

    # --- terms --------------------------------------------------------------------------------------------------------

    def place(self) -> Term | None:
        towards = self.statement.get("towards")
        if towards is None:
            return None
        x = ("s", self.variables[0])
        if towards[0] in ("oo", "-oo"):
            inverse = ("^", x, MINUS_ONE)
            return inverse if towards[0] == "oo" else opposite(inverse)
        return ("+", towards[1], x if towards[0] == "above" else opposite(x))

    def at_the_place(self, term: Term) -> Term:
        place = self.place()
        moved = term if place is None else ("at", term, ((self.variables[0], place),))
        return _as_exponentials(carried_out(moved), set(self.variables))

    def in_variables(self, term: Term) -> Term:
        return carried_out(("at", term, tuple(sorted(self.formulas.items()))))

    def at_zero(self, term: Term) -> Term:
        return placed(term, self.names, ZERO)

    def moves(self, term: Term) -> bool:
        return bool(symbols_in(term) & self.names)

    # --- what is known of the parameters ------------------------------------------------------------------------------

    def points(self) -> Iterator[Values]:
        """Parameters that the hypotheses on them allow."""
        return islice(points({"symbols": self.parameters, "assuming": self.fixed}), TRIES)

    def sign(self, term: Term) -> int | None:
        """The sign of a term of the parameters that points show, 0 where it is zero, None where it has several."""
        if term == ZERO:
            return 0
        form = by_form(term, self.parameters)
        if form == ">":
            return 1
        if ("sign", term) not in self.known:
            self.known["sign", term] = self._seen(term)
        found: int | None = self.known["sign", term]
        return found

    def _seen(self, term: Term) -> int | None:
        seen = set()
        for point in islice(self.points(), TRIES_OF_SIGN):
            try:
                with precision(BITS):
                    ball = evaluate(term, point)
            except (ZeroDivisionError, ValueError):
                continue
            seen.add(1 if ball > 0 else -1 if ball < 0 else 0)
        if seen == {0}:
            return 0 if self._identity(term, ZERO, self.parameters) is not None else None
        return seen.pop() if len(seen) == 1 else None

    def positive(self, term: Term) -> bool:
        """Whether a term of the parameters is positive, by a certificate that is kept where one is needed."""
        if by_form(term, self.parameters) == ">" or (not symbols_in(term) and self.sign(term) == 1):
            return True
        if term in self.needed:
            return True
        if term[0] in ("*", "^") and all(map(self.positive, term[1:] if term[0] == "*" else term[1:2])):
            return True
        found = self._decided(self._is_positive(term, []))
        if found is None and (given := self._given()):
            found = self._decided(self._is_positive(term, given))
        if found is not None:
            self.needed[term] = found
        return found is not None

    def _is_positive(self, term: Term, given: list[Term]) -> Json:
        shared = {"symbols": self.parameters, "assuming": [*self.fixed, *given], "left": term, "right": ZERO}
        return {"kind": "sign", "relation": ">", **shared}

    def has_value(self, term: Term) -> bool:
        """Whether a term of the quantities has a value near the limit by its form."""
        if self.is_continuous(term):
            return True
        fine = term[0] in CONTINUOUS or (term[0] in ("^", "log") and by_form(term[1], self.symbols) == ">")
        return fine and all(map(self.has_value, term[1:]))

    def is_continuous(self, term: Term) -> bool:
        """Whether a term of the quantities is continuous by its form where they are zero."""
        if not self.moves(term) or term[0] == "s":
            return True
        if not all(map(self.is_continuous, term[1:])) or term[0] not in (*CONTINUOUS, "^", "log"):
            return False
        if term[0] == "log" or (term[0] == "^" and term[2][0] != "q"):
            return self.positive(self.at_zero(term[1]))
        if term[0] != "^" or (fraction_of(term[2]).denominator == 1 and fraction_of(term[2]) >= 0):
            return True
        at_zero = self.at_zero(term[1])
        if fraction_of(term[2]).denominator == 1:
            return self.alive(at_zero)
        if fraction_of(term[2]) < 0:
            return self.positive(at_zero)
        return bool(by_form(term[1], self.symbols)) or self.positive(at_zero)

    def alive(self, term: Term) -> bool:
        """Whether a term of the parameters is never zero."""
        sign = self.sign(term)
        return sign != 0 and ((sign == 1 and self.positive(term)) or self.positive(("^", term, rational(2))))

    def _given(self) -> list[Term]:
        """What the parts of the statement that speak of parameters alone need, to have a value."""
        fixed = [t for t in subterms(self.spoken[0]) if not symbols_in(t) & self.names]
        found = {(r, of, ZERO): None for t in fixed for r, of in demands(t) if symbols_in(of)}
        enough = {">": (">",), ">=": (">", ">="), "!=": (">",)}
        doubtful = [r for r in found if by_form(r[1], self.parameters) not in enough[r[0]]]
        unequal = [subtract(*r[1:]) for r in (*self.fixed, *doubtful) if r[0] == "!="]
        return doubtful + [(">", ("^", gap, rational(2)), ZERO) for gap in unequal]

    def _decided(self, statement: Json) -> Certificate | None:
        key = (statement["kind"], statement["left"], statement["right"], tuple(statement["assuming"]))
        if key not in self.known:
            try:
                found = self.decide(statement)
            except (NotExact, ZeroDivisionError, equality.Unsatisfiable):
                found = None
            self.known[key] = found if found is not None and found.verdict is Verdict.PROVED else None
        certificate: Certificate | None = self.known[key]
        return certificate

    def _identity(self, left: Term, right: Term, symbols: Json) -> Certificate | None:
        spoken = symbols_in(("+", left, right, *(side for r in self.fixed for side in r[1:])))
        told = {name: words for name, words in symbols.items() if name in spoken}
        shared = {"symbols": told, "assuming": self.fixed, "left": left, "right": right}
        return self._decided({"kind": "identity", **shared})

    def equal(self, left: Term, right: Term) -> Json:
        """The certificate of an equality, or Unknown."""
        found = self._identity(left, right, self.symbols)
        if found is None:
            raise Unknown("an equality that the limit rests on was not proved")
        return found.as_json()

    # --- names --------------------------------------------------------------------------------------------------------

    def fresh(self) -> str:
        k = len(self.names)
        while f"o{k}" in self.symbols:
            k += 1
        if len(self.names) > MOST_QUANTITIES:
            raise Unknown("too many small quantities are needed")
        return f"o{k}"

    def call(self, name: str, formula: Term | None, told: list[str]) -> None:
        self.symbols = self.symbols | {name: told}
        self.names.add(name)
        if formula is not None:
            self.formulas[name] = formula

    def form_term(self, form: Any) -> Term:
        """What a form stands for, in the quantities."""
        powers = [("s", n) if e == "1" else ("^", ("s", n), rational(e)) for n, e in form[0]]
        return times(*powers, form[1])

    def small(self, line: str, d: Any, power: int = 0) -> str:
        """The name for a line of the table at a form that goes to zero, or grows."""
        key = (line, power, repr(d))
        if key not in self._names:
            told, name = table_line("small", line), self.fresh()
            self.steps.append(["small", name, line, d, power])
            put = (("d", self.in_variables(self.form_term(d))), ("r", rational(power)))
            self.call(name, raised(carried_out(("at", told["formula"], put))), ["positive"])
            self._names[key] = name
        return self._names[key]

    def bounded(self, size: Size, wave: Term) -> Term:
        """The product of something small with a sine or cosine of anything."""
        powers, rest = self.small_powers(size)
        d = [powers, ONE]
        key = ("bounded", repr(d), wave)
        if key not in self._names:
            name = self.fresh()
            self.steps.append(["bounded", name, d, wave])
            self.call(name, times(self.in_variables(self.form_term(d)), wave), [])
            self._names[key] = name
        return times(("s", self._names[key]), rest)

    def log_name(self) -> str:
        return self.small("slow", [[[self.variables[0], "1"]], ONE])

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
        """The same for a size that goes to zero: positive powers of names, and a term that is not zero at the limit."""
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
        w = self.small("product with a logarithm", [[[self.variables[0], str(power / n)]], ONE])
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
        return self.small("decay", [self.powers(growth), below], r), below

    def literal(self, term: Term) -> Term:
        """A function of parameters with its argument as the statement writes it, which is known to be in the domain."""
        if term[0] in LEAVES:
            return term
        inner = term[1]
        alike = (t for whole in self.spoken for t in subterms(whole) if t[0] == inner[0] and len(t) == len(inner))
        return (term[0], {in_one_order(t): t for t in alike}.get(in_one_order(inner), inner), *term[2:])

    # --- rewriting ----------------------------------------------------------------------------------------------------

    def rewrite(self, step: list[Any], old: Term, new: Term, *also: Term) -> None:
        self.steps.append(step)
        self.spoken = [replaced(term, old, new) for term in self.spoken] + list(also)


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


def raised(term: Term) -> Term:
    """A product whose last factor is a whole power, without the power where it is 0."""
    return (
        times(*term[1:-1], *(() if term[-1][-1] == ZERO else term[-1:]))
        if term[0] == "*" and term[-1][0] == "^"
        else term
    )


def replaced(term: Term, old: Term, new: Term) -> Term:
    """One term for another, from the outside in."""
    if term == old:
        return new
    return term if term[0] in LEAVES else (term[0], *(replaced(child, old, new) for child in term[1:]))


def subterms(term: Term) -> Iterator[Term]:
    yield term
    for child in children(term):
        yield from subterms(child)


def _as_exponentials(term: Term, names: set[str]) -> Term:
    if term[0] in LEAVES:
        return term
    inner = tuple(_as_exponentials(child, names) for child in term[1:])
    if term[0] == "^" and inner[1][0] != "q" and (symbols_in(inner[1]) & names or not symbols_in(inner[1])):
        return ("exp", ("*", inner[1], ("log", inner[0])))
    return rebuild(term, inner)


def inside_derivatives(term: Term) -> Iterator[Term]:
    """What is differentiated or put in somewhere in a term, as far as it must have values there."""
    if term[0] == "D":
        yield term[1]
    if term[0] == "at":
        yield from (value for _, value in term[2])
        yield from (("at", inner, term[2]) for inner in inside_derivatives(term[1]))
        for _, value in term[2]:
            yield from inside_derivatives(value)
        return
    for child in children(term):
        yield from inside_derivatives(child)
