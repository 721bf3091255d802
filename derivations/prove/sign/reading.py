"""Statements whose terms are fractions of polynomials in symbols, and nothing else, as polynomials with wanted signs.

What a term asks for to have a value is a list of polynomials that must not vanish.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from derivations.language.normal import Field, Poly, Undefined, prepared
from derivations.language.terms import Term, fraction_of, subtract, symbols_in
from derivations.prove.certificate import Json

ASSUMED = {"positive": (1, ">"), "negative": (-1, ">"), "nonnegative": (1, ">="), "nonpositive": (-1, ">=")}


@dataclass(frozen=True)
class Condition:
    """A polynomial in a relation to zero (">", ">=", "=" or "!="), wherever some others do not vanish.

    source: the number of the hypothesis, or the name of the symbol of which `word` is assumed; None for the statement.
    """

    poly: Poly
    relation: str
    alive: tuple[Poly, ...] = ()
    source: int | str | None = None
    word: str = ""


@dataclass(frozen=True)
class Problem:
    """The conditions that are read, the conclusion, and the hypotheses that speak of more than these symbols."""

    names: tuple[str, ...]
    conditions: tuple[Condition, ...]
    conclusion: Condition
    left_out: tuple[int, ...]


def problem(statement: Json, *, wide: bool = False) -> Problem | None:
    """A sign statement as polynomials in the symbols of its sides; None where a side holds anything else, or no symbol.

    wide: whether symbols count as well that only hypotheses tie to those of the sides.
    """
    difference = prepared(subtract(statement["left"], statement["right"]))
    names = tuple(sorted(symbols_in(difference)))
    if not names or not is_rational(difference):
        return None
    compared = [prepared(subtract(relation[1], relation[2])) for relation in statement["assuming"]]
    if wide:
        names = _tied(names, compared)
    read, left_out = [], []
    for k, (relation, side) in enumerate(zip(statement["assuming"], compared, strict=True)):
        if symbols_in(side) <= set(names) and is_rational(side):
            read.append((k, relation[0], side))
        else:
            left_out.append(k)
    field = Field.of([difference, *(side for *_, side in read)], statement["symbols"])
    if any(generator[0] != "symbol" for generator in field.generators):
        return None
    try:
        conditions = [_condition(field, side, relation, k) for k, relation, side in read]
        conclusion = _condition(field, difference, statement["relation"], None)
    except Undefined:
        return None
    order = tuple(generator[1] for generator in field.generators)
    for name in names:
        gen = field.gen(("symbol", name))
        for word in statement["symbols"].get(name, []):
            sign, relation = ASSUMED.get(word, (1, "!="))
            conditions.append(Condition(gen * sign, relation, (), name, word))
    return Problem(order, tuple(conditions), conclusion, tuple(left_out))


def _tied(names: tuple[str, ...], compared: list[Term]) -> tuple[str, ...]:
    """The names with all that hypotheses about fractions of polynomials connect to them."""
    groups = [symbols_in(side) for side in compared if is_rational(side)]
    found = set(names)
    while more := [group for group in groups if group & found and not group <= found]:
        found = found.union(*more)
    return tuple(sorted(found))


def is_rational(term: Term) -> bool:
    """Whether a term is made of symbols and numbers by sums, products and whole powers."""
    if term[0] in ("s", "q"):
        return True
    if term[0] == "^":
        return term[2][0] == "q" and fraction_of(term[2]).denominator == 1 and is_rational(term[1])
    return term[0] in ("+", "*") and all(map(is_rational, term[1:]))


def _condition(field: Field, term: Term, relation: str, source: int | None) -> Condition:
    numerator, denominator = field.fraction(term)
    asked = {str(poly): poly for poly in _asked(field, term)}
    return Condition(numerator * denominator, relation, tuple(asked.values()), source)


def _asked(field: Field, term: Term) -> list[Poly]:
    """The polynomials that must not vanish for a term to have a value."""
    if term[0] in ("s", "q"):
        return []
    if term[0] != "^":
        return [poly for part in term[1:] for poly in _asked(field, part)]
    inside = _asked(field, term[1])
    if fraction_of(term[2]) < 0:
        base = field.fraction(term[1])[0]
        inside += [] if base.is_constant() else [base]
    return inside


def simplest(low: Fraction | None, high: Fraction | None) -> Fraction:
    """The number with the smallest denominator, then numerator, strictly between two others; None has no bound.

    >>> simplest(Fraction(7, 5), Fraction(3, 2)), simplest(None, Fraction(-2)), simplest(Fraction(-1), None)
    (Fraction(10, 7), Fraction(-3, 1), Fraction(0, 1))
    """
    if (low is None or low < 0) and (high is None or high > 0):
        return Fraction(0)
    if high is not None and high <= 0:
        return -simplest(-high, None if low is None else -low)
    assert low is not None
    whole = low.numerator // low.denominator
    if high is None or whole + 1 < high:
        return Fraction(whole + 1)
    rest = low - whole
    inner_high = None if rest == 0 else 1 / rest
    return whole + 1 / simplest(1 / (high - whole), inner_high)
