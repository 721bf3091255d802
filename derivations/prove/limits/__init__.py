"""Limits: small variables go to zero from above together, or one variable goes anywhere.

Continuity gives the value first. A fraction whose two parts vanish together is rewritten for it: common powers of the
small variable cancel, roots are moved across the fraction bar by their conjugates. Where that fails, a limit in one
variable is read off a series (see `growth`).
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice
from typing import Any

from derivations.language.normal import Field, Poly, Undefined, prepared
from derivations.language.normal.forms import STRICT, form
from derivations.language.points import by_powers, eliminate, points
from derivations.language.terms import MINUS_ONE, ZERO, NotExact, Term, carried_out, fraction_of, subtract, symbols_in
from derivations.prove import equality, sign
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.limits import growth
from derivations.prove.limits.near import approach, approaches

ROUNDS = 8
CONTINUOUS = ("+", "*", "exp", "sinh", "cosh", "tanh", "sin", "cos", "erf", "abs")


def decide(statement: Json, other: growth.Decide) -> Certificate:
    """PROVED, REFUTED by another limit or by divergence, else OPEN; `other` decides the facts that a proof rests on."""
    expression, value = statement["expression"], statement["value"]
    variables = set(statement["variables"])
    finite = value not in growth.INFINITE
    if not variables or (finite and symbols_in(value) & variables):
        raise NotExact("a limit needs a variable that moves, and a value that does not speak of it")
    if "towards" not in statement and not all("positive" in statement["symbols"].get(v, ()) for v in variables):
        raise NotExact("each variable of a limit goes to zero from above: declare it positive")
    certificate = _open(statement)
    if finite and "towards" not in statement:
        with suppress(Undefined):
            certificate = _decide(statement, expression, value)
    return (
        _by_growth(statement, value, other)
        if certificate.verdict is Verdict.OPEN and len(variables) == 1
        else certificate
    )


def _by_growth(statement: Json, value: Term, decide_other: growth.Decide) -> Certificate:
    search = growth.Growth(statement, decide_other)
    payload = search.proof(value)
    if payload is not None:
        return Certificate(statement, Verdict.PROVED, "expansion", payload)
    elsewhere = growth.refutation(statement, search)
    if elsewhere is not None:
        return Certificate(statement, Verdict.REFUTED, "another limit at a point", elsewhere)
    reason = f"no form of the expression is continuous at the limit, and {search.reason or 'its series shows no limit'}"
    return Certificate(statement, Verdict.OPEN, "none", reason=reason)


def _decide(statement: Json, expression: Term, value: Term) -> Certificate:
    parts = _parts(statement, expression)
    if parts is not None:
        numerator, denominator = parts
        proved = _continuous(statement, numerator, denominator, value)
        if proved is not None:
            return Certificate(statement, Verdict.PROVED, "continuity", proved)
        return _other_limit(statement, numerator, denominator)
    return _divergence(statement)


def _other_limit(statement: Json, numerator: Term, denominator: Term) -> Certificate:
    zero = _at_zero(statement)
    field = Field.of([prepared(zero(numerator)), prepared(zero(denominator))], statement["symbols"])
    top, below = field.fraction(prepared(zero(numerator))), field.fraction(prepared(zero(denominator)))
    value: Term = ("*", field.poly_term(top[0] * below[1]), ("^", field.poly_term(top[1] * below[0]), MINUS_ONE))
    other = {**statement, "value": value}
    payload = _continuous(other, numerator, denominator, value)
    differs = None if payload is None else _differs(statement, value)
    if payload is None or differs is None:
        return _open(statement)
    limit = Certificate(other, Verdict.PROVED, "continuity", payload)
    evidence = {"limit": limit.as_json(), "differs": differs.as_json(), "witness": differs.witness}
    return Certificate(statement, Verdict.REFUTED, "another limit", evidence)


def _differs(statement: Json, value: Term) -> Certificate | None:
    """A point at which the two values differ, and from which the limit is approached."""
    apart = _identity(statement, value, statement["value"])
    for point in islice(points(apart), equality.TRIES):
        bits = equality.separated(subtract(value, statement["value"]), point)
        if bits and approaches(statement, point):
            return equality.at_point(apart, point, bits)
    return None


def _is_continuous(term: Term, variables: set[str], known: dict[str, list[str]]) -> bool:
    """Whether the form of an expression makes it continuous where the variables are zero, as far as it has values."""
    if not symbols_in(term) & variables or term[0] == "s":
        return True
    if term[0] == "^":
        exponent = fraction_of(term[2]) if term[2][0] == "q" else None
        return exponent is not None and exponent >= 0 and _is_continuous(term[1], variables, known)
    if term[0] == "log":
        at_zero = prepared(("at", term[1], tuple((v, ZERO) for v in sorted(variables))))
        return form(at_zero, known) == STRICT and _is_continuous(term[1], variables, known)
    return term[0] in CONTINUOUS and all(_is_continuous(c, variables, known) for c in term[1:])


def _divergence(statement: Json) -> Certificate:
    reciprocal = {**statement, "expression": ("^", statement["expression"], MINUS_ONE), "value": ZERO}
    parts = _parts(reciprocal, reciprocal["expression"])
    payload = None if parts is None else _continuous(reciprocal, *parts, ZERO)
    if payload is None:
        return _open(statement)
    evidence = Certificate(reciprocal, Verdict.PROVED, "continuity", payload)
    return Certificate(statement, Verdict.REFUTED, "diverges", {"reciprocal": evidence.as_json()})


def _open(statement: Json) -> Certificate:
    return Certificate(
        statement, Verdict.OPEN, "none", reason="no form of the expression that is continuous at the limit was found"
    )


def _continuous(statement: Json, numerator: Term, denominator: Term, value: Term) -> Json | None:
    """The payload that shows expression -> value through numerator and denominator."""
    zero = tuple((name, ZERO) for name in sorted(statement["variables"]))
    variables, known = set(statement["variables"]), statement["symbols"]
    if not all(_is_continuous(carried_out(part), variables, known) for part in (numerator, denominator)):
        return None
    whole = _identity(statement, statement["expression"], ("*", numerator, ("^", denominator, MINUS_ONE)))
    equal = equality.decide(whole, [statement["expression"]], [denominator])
    near = approach(statement) if equal.verdict is Verdict.PROVED else None
    if near is None:
        return None
    at_zero = equality.decide(_identity(statement, ("at", numerator, zero), ("*", value, ("at", denominator, zero))))
    if at_zero.verdict is not Verdict.PROVED:
        return None
    nonzero = _nonzero(statement, ("at", denominator, zero))
    if nonzero is None:
        return None
    return {
        "numerator": numerator,
        "denominator": denominator,
        "near": {name: str(value) for name, value in near.items()},
        "identity": equal.as_json(),
        "value": at_zero.as_json(),
        "nonzero": nonzero.as_json(),
    }


def _nonzero(statement: Json, term: Term) -> Certificate | None:
    for candidate in (term, ("*", MINUS_ONE, term)):
        base = _identity(statement, candidate, ZERO)
        certificate = sign.decide({**base, "kind": "sign", "relation": ">"})
        if certificate.verdict is Verdict.PROVED:
            return certificate
    return None


def _identity(statement: Json, left: Term, right: Term) -> Json:
    shared = {k: statement[k] for k in ("symbols", "assuming")}
    extra = {"squares": statement["squares"]} if "squares" in statement else {}
    return {"kind": "identity", **shared, **extra, "left": left, "right": right}


def _at_zero(statement: Json) -> Any:
    zero = tuple((name, ZERO) for name in sorted(statement["variables"]))
    return lambda term: ("at", term, zero)


def _parts(statement: Json, expression: Term) -> tuple[Term, Term] | None:
    """Numerator and denominator that do not vanish together at the limit, or None when the fraction diverges."""
    field = Field.of([expression], statement["symbols"])
    numerator, denominator = field.fraction(prepared(expression))
    common = numerator.gcd(denominator)
    shape = _Fraction(field, statement, numerator / common, denominator / common)
    for _ in range(ROUNDS):
        if not shape.vanishes(shape.denominator):
            return field.poly_term(shape.numerator), field.poly_term(shape.denominator)
        if not shape.improve():
            return None
    return None


class _Fraction:
    """A fraction over the generators of a field, rewritten until its denominator survives the limit."""

    def __init__(self, field: Field, statement: Json, numerator: Poly, denominator: Poly) -> None:
        self.field, self.statement = field, statement
        self.numerator, self.denominator = self._reduced(numerator), self._reduced(denominator)
        self.moving = [
            (i, relation)
            for i, g in enumerate(field.generators)
            if g[0] == "root" and g[2] == 2 and symbols_in(g[1]) & set(statement["variables"])
            for relation in [field.relation(g)]
        ]
        self.used: set[tuple[int, bool]] = set()

    def _reduced(self, poly: Poly) -> Poly:
        for i, g in reversed(list(enumerate(self.field.generators))):
            relation = self.field.relation(g)
            if relation is not None:
                reduced, multiplier, _ = eliminate(poly, relation, i)
                poly = reduced / multiplier if multiplier.is_constant() else poly
        return poly

    def vanishes(self, poly: Poly) -> bool:
        term = _at_zero(self.statement)(self.field.poly_term(poly))
        return equality.proof({**_identity(self.statement, term, ZERO)}) is not None

    def improve(self) -> bool:
        """One step towards a denominator that survives; False when no step is left."""
        if self._cancel():
            return True
        if self.vanishes(self.numerator):
            return self._conjugate(of_numerator=True) or self._conjugate(of_numerator=False)
        return self._conjugate(of_numerator=False)

    def _cancel(self) -> bool:
        for name in self.statement["variables"]:
            generator = ("symbol", name)
            if generator not in self.field.generators:
                continue
            index = self.field.generators.index(generator)
            lowest = min(min(by_powers(p, index), default=0) for p in (self.numerator, self.denominator))
            if lowest:
                power = self.field.gen(generator) ** lowest
                self.numerator, self.denominator = self.numerator / power, self.denominator / power
                return True
        return False

    def _conjugate(self, of_numerator: bool) -> bool:
        for index, _ in self.moving:
            if (index, of_numerator) in self.used:
                continue
            parts = by_powers(self.numerator if of_numerator else self.denominator, index)
            if set(parts) == {0}:
                continue
            self.used.add((index, of_numerator))
            root = self.field.context.gen(index)
            conjugate = parts.get(0, root * 0) - parts.get(1, root * 0) * root
            self.numerator = self._reduced(self.numerator * conjugate)
            self.denominator = self._reduced(self.denominator * conjugate)
            return True
        return False
