"""By logarithms of both sides: u >= v > 0 follows from log(u) >= log(v), where exponentials leave their exponents."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from derivations.language.normal import Field, prepared
from derivations.language.normal.division import by_powers
from derivations.language.terms import ONE, ZERO, Term, children, subtract
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.factors import cores
from derivations.prove.rules.analysis.samples import Place, signs
from derivations.prove.rules.analysis.slopes import of_function
from derivations.prove.rules.rule import Parameters, Step


def by_logarithms(statement: Json) -> Iterator[Step]:
    """Where nothing but exponents is left, or an exponent is a multiple of a logarithm."""
    return _ways(statement, plain=True)


def by_logarithms_of_sums(statement: Json) -> Iterator[Step]:
    """Where a logarithm of a sum is left, of which other rules come first."""
    return _ways(statement, plain=False)


def _ways(statement: Json, *, plain: bool) -> Iterator[Step]:
    if statement["kind"] != "sign":
        return
    at, found = cores(statement)
    for factor, function in found:
        halves = (pair for pair in dict.fromkeys(_halves(function, statement, at)) if _is_plain(pair) == plain)
        for larger, smaller in halves:
            gap, plan = subtract(larger, smaller), partial(_compared, larger, smaller)
            yield of_function(statement, factor, gap, plan, alone=False)


def _compared(larger: Term, smaller: Term, _: Json) -> Step:
    opened = [*_opened(larger), *_opened(smaller)]
    used = {"larger": larger, "smaller": smaller}
    return Step("logarithms of both sides", used, lambda role, _: _one_by_one(opened) if role == "logarithms" else None)


def _one_by_one(steps: list[tuple[str, Parameters]]) -> Step | None:
    if not steps:
        return None
    return Step(*steps[0], lambda role, _: _one_by_one(steps[1:]) if role == "then" else None)


def _opened(term: Term) -> list[tuple[str, Parameters]]:
    """The equations by which the logarithm of a product becomes exponents, and logarithms of what is no product."""
    powers = _powers(term)
    exponents = [base[1] for base, _ in powers if base[0] == "exp"]
    opened = [("logarithm of an exponential", {"whole": ("exp", u), "u": u}) for u in dict.fromkeys(exponents)]
    if powers == [(term, ONE)]:
        return opened
    bases, each = [base for base, _ in powers], [power for _, power in powers]
    return [("a logarithm's factors", {"whole": term, "bases": bases, "powers": each}), *opened]


def _powers(term: Term, power: Term = ONE) -> list[tuple[Term, Term]]:
    """The factors of a product with their powers."""
    if term[0] == "*":
        return [each for factor in term[1:] for each in _powers(factor, power)]
    if term[0] == "^":
        return _powers(term[1], term[2] if power == ONE else ("*", term[2], power))
    return [] if term == ONE else [(term, power)]


def _halves(function: Term, statement: Json, at: list[Place]) -> Iterator[tuple[Term, Term]]:
    """The function as a difference of two positive terms, of which one holds one power of an exponential more."""
    field = Field.of([function], statement["symbols"])
    poly, below = field.fraction(prepared(function))
    if not below.is_constant():
        return
    poly = poly / below
    for index, generator in enumerate(field.generators):
        parts = by_powers(poly, index) if generator[0] == "exp" else {}
        if len(parts) != 2:
            continue
        gen = field.context.gen(index)
        pair = [part * gen**power for power, part in parts.items()]
        for first, second in (pair, pair[::-1]):
            larger, smaller = field.poly_term(first), field.poly_term(-second)
            if signs(larger, at) == {1} and signs(smaller, at) == {1}:
                yield larger, smaller


def _is_plain(sides: tuple[Term, Term]) -> bool:
    logs = [log for side in sides for log in _logs(logarithm(side))]
    inside = [exponent for side in sides for exponent in _exponents(side)]
    return all(log[1][0] in ("s", "q") for log in logs) or any(True for e in inside for _ in _logs(e))


def _exponents(term: Term) -> Iterator[Term]:
    if term[0] == "exp":
        yield term[1]
    else:
        for child in children(term):
            yield from _exponents(child)


def _logs(term: Term) -> Iterator[Term]:
    if term[0] == "log":
        yield term
    for child in children(term):
        yield from _logs(child)


def logarithm(term: Term) -> Term:
    """The logarithm of a positive term, which leaves exponents, and sums where there are products.

    >>> logarithm(("*", ("exp", ("s", "x")), ("s", "y")))
    ('+', ('s', 'x'), ('log', ('s', 'y')))
    """
    if term == ONE:
        return ZERO
    if term[0] == "exp":
        inside: Term = term[1]
        return inside
    if term[0] == "*":
        return ("+", *map(logarithm, term[1:]))
    return ("*", term[2], logarithm(term[1])) if term[0] == "^" else ("log", term)
