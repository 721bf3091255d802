"""Equations of the table that are put in wherever one fits: powers, odd functions, arcs, exponentials of logarithms."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import permutations

from derivations.language.evaluate import value
from derivations.language.normal import prepared
from derivations.language.normal.linear import LinearForm, Monomial, linear_form, monomial_term
from derivations.language.terms import (
    ONE,
    ZERO,
    Term,
    children,
    fraction_of,
    rational,
    rebuild,
    subtract,
    symbols_in,
)
from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Parameters, Step, chained, declaring_nothing, formulas, fresh, inner_terms

ARCS = {"asin": ("arc of a known sine", math.asin), "atan": ("arc of a known tangent", math.atan)}
TURNS, CLOSE = (4, 5, 6, 8, 10, 12), 1e-13  # denominators of angles that are known, in half turns
MOST_WHOLE_STEPS = 20
Known = tuple[str, Parameters, Term]  # a rule, how it is used, and what it puts in


def written(form: Mapping[Monomial, Fraction]) -> Term:
    """The sum of some multiples.

    >>> written(linear_form(("+", ("s", "x"), ("s", "x"))))
    ('*', ('q', '2'), ('s', 'x'))
    """
    summands = [monomial_term(monomial, times) for monomial, times in form.items()]
    return ZERO if not summands else summands[0] if len(summands) == 1 else ("+", *summands)


def sum_of(term: Term) -> LinearForm:
    """The term as a sum of multiples, with square roots of numbers taken together.

    >>> sum_of(("*", ("^", ("q", "2"), ("q", "-1/2")), ("s", "x")))
    {((('^', ('q', '2'), ('q', '1/2')), 1), (('s', 'x'), 1)): Fraction(1, 2)}
    """
    total: LinearForm = {}
    for monomial, times in linear_form(term).items():
        factors, number = [], times
        for factor, power in monomial:
            if factor[0] == "^" and factor[1][0] == factor[2][0] == "q" and fraction_of(factor[2]).denominator == 2:
                whole, root = divmod(fraction_of(factor[2]) * power, 1)
                number *= fraction_of(factor[1]) ** int(whole)
                factors += [(("^", factor[1], rational("1/2")), 1)] if root else []
            else:
                factors.append((factor, power))
        total[tuple(factors)] = total.get(tuple(factors), Fraction(0)) + number
    return {monomial: times for monomial, times in total.items() if times}


def opposite(form: Mapping[Monomial, Fraction]) -> LinearForm:
    return {monomial: -times for monomial, times in form.items()}


def known_value(term: Term) -> Known | None:
    """Return what the table knows to be the value of a term."""
    if term[0] in ARCS:
        turn = _turn(term[0], term[1])
        if turn is None:
            return None
        return ARCS[term[0]][0], {"u": term[1], "turn": rational(turn)}, ("*", rational(turn), ("pi",))
    if term[0] == "exp":
        return _of_exponential(term[1])
    if term == ("log", ONE):
        return "logarithm of an exponential", {"whole": ONE, "u": ZERO}, ZERO
    if term[0] == "log" and term[1][0] == "exp":
        return "logarithm of an exponential", {"whole": term[1], "u": term[1][1]}, term[1][1]
    if term[0] == "lambertw":
        return _of_lambert(term[1])
    return None


def _turn(head: str, inside: Term) -> Fraction | None:
    """The arc of a number as a multiple of pi, if it seems to be one of those that are known."""
    if symbols_in(inside):
        return None
    number = value(inside, {}, 64)
    try:
        arc = ARCS[head][1](float(number.mid())) / math.pi if number is not None else math.inf
    except ValueError:
        return None
    near = [Fraction(round(arc * q), q) for q in TURNS] if number is not None else []
    return next((turn for turn in near if turn and abs(float(turn) - arc) < CLOSE), None)


def _of_exponential(inside: Term) -> Known | None:
    form = sum_of(inside)
    for monomial, times in form.items():
        if len(monomial) == 1 and monomial[0][1] == 1 and monomial[0][0][0] == "log":
            base, others = monomial[0][0][1], written({m: c for m, c in form.items() if m != monomial})
            used = {"whole": inside, "base": base, "power": rational(times), "others": others}
            return "exponential of a logarithm", used, ("*", ("^", base, rational(times)), ("exp", others))
    own = written(form)
    has_roots = any(term[0] == "^" and term[1][0] == "q" for term in inner_terms([inside]))
    return ("equal arguments", {"whole": inside, "value": own}, ("exp", own)) if has_roots and own != inside else None


def _of_lambert(inside: Term) -> Known | None:
    factors = inside[1:] if inside[0] == "*" and len(inside) == 3 else (ZERO, ("exp", ZERO)) if inside == ZERO else ()
    for w, other in permutations(factors, 2):
        if other == ("exp", w):
            return "the inverse of w exp(w)", {"whole": inside, "w": w}, w
    return None


def valued(term: Term) -> Term:
    """The term with known values in their places."""
    term = rebuild(term, tuple(map(valued, children(term))))
    known = known_value(term)
    return term if known is None else valued(known[2])


def _value(statement: Json) -> tuple[str, Parameters] | None:
    known = (known_value(term) for term in inner_terms(map(prepared, formulas(statement))))
    return next((each[:2] for each in known if each is not None), None)


def _power(statement: Json) -> tuple[str, Parameters] | None:
    for term in inner_terms(formulas(statement)):
        if term[0] == "^" and term[2][0] != "q":
            return "a power as an exponential", {"base": term[1], "exponent": term[2]}
    return None


VALUES, POWERS = chained(_value), chained(_power)


def by_inverse(statement: Json) -> Iterator[Step]:
    """Where Lambert's W of a symbol stands, the symbol is w exp(w)."""
    for term in inner_terms(formulas(statement)):
        if term[0] == "lambertw" and term[1][0] == "s":
            used = {"symbol": term[1][1], "letter": fresh(statement, "w")}
            step = Step("values of w exp(w)", used, lambda _, part: next(VALUES(part), None))
            yield declaring_nothing(statement, term[1][1], step)


def by_steps(statement: Json) -> Iterator[Step]:
    """From digamma at one place to digamma some whole steps further, whose place stands in the statement."""
    places = [term[1] for term in inner_terms(formulas(statement)) if term[0] == "digamma"]
    for upper, lower in permutations(places, 2):
        gap = linear_form(subtract(upper, lower))
        count = gap.get((), Fraction(0))
        if set(gap) == {()} and count.denominator == 1 and 0 < count <= MOST_WHOLE_STEPS:
            yield from _one_step(lower, upper, int(count))


def _one_step(lower: Term, upper: Term, count: int) -> Iterator[Step]:
    further = upper if count == 1 else written(linear_form(("+", lower, ONE)))

    def then(role: str, part: Json) -> Step | None:
        return next(_one_step(further, upper, count - 1), None) if role == "then" else None

    if count:
        yield Step("a step of digamma", {"lower": lower, "upper": further}, then)
