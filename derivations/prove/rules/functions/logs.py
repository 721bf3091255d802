"""By logarithms of both sides: u >= v > 0 follows from log(u) >= log(v), where exponentials leave their exponents."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.normal import Field, Uncollected, Undefined, prepared
from derivations.language.points import by_powers
from derivations.language.terms import ONE, ZERO, NotExact, Term, carried_out, children, subtract
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.factors import products
from derivations.prove.rules.analysis.samples import Place, places, signs, value
from derivations.prove.rules.analysis.values import asked
from derivations.prove.rules.rule import Step


def by_logarithms(statement: Json) -> Iterator[Step]:
    """Where nothing but exponents is left, or an exponent is a multiple of a logarithm."""
    yield from (way for way in _ways(statement) if _is_plain(way))


def by_logarithms_of_sums(statement: Json) -> Iterator[Step]:
    """Where a logarithm of a sum is left, of which other rules come first."""
    yield from (way for way in _ways(statement) if not _is_plain(way))


def _ways(statement: Json) -> Iterator[Step]:
    if statement["kind"] != "sign":
        return
    gap = carried_out(subtract(statement["left"], statement["right"]))
    try:
        asked(gap, {})
        at = [place for place in places(statement) if value(gap, place) is not None]
        found = list(products(gap, statement, at)) if at else []
        for factor, function in found:
            for larger, smaller in dict.fromkeys(_halves(function, statement, at)):
                yield Step("logarithms of both sides", {"factor": factor, "larger": larger, "smaller": smaller})
    except (NotExact, Undefined, Uncollected):
        return


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


def _is_plain(way: Step) -> bool:
    sides = way.parameters["larger"], way.parameters["smaller"]
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
