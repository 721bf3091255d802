"""Statements about fractions of polynomials in symbols: conditions on signs, and what must not vanish.

A hypothesis that holds anything else, or other symbols, is left out: that only makes more to be shown. Then a point is
asked for at which all hypotheses hold, so that the statement is about something.
"""

from __future__ import annotations

from dataclasses import dataclass

from derivations.recheck.core.balls import Undefined, exact
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.fractions import Field, Poly, is_algebraic
from derivations.recheck.core.knowledge import demands
from derivations.recheck.core.load import Data, Term, part
from derivations.recheck.core.statements import Setting, point, require, setting, side
from derivations.recheck.core.terms import difference, free_in, prepared, subterms

SIGN_OF = {"positive": (1, ">"), "negative": (-1, ">"), "nonnegative": (1, ">="), "nonpositive": (-1, ">=")}


@dataclass(frozen=True)
class Condition:
    """A polynomial in a relation to zero, and the polynomials that vanish nowhere where it is defined."""

    poly: Poly
    relation: str
    alive: tuple[Poly, ...]


@dataclass(frozen=True)
class Problem:
    """What is to be shown, and from what: hypotheses by their numbers, assumptions by symbol and word."""

    field: Field
    conclusion: Condition
    hypotheses: dict[int, Condition]
    assumptions: dict[tuple[str, str], Condition]
    complete: bool

    @property
    def conditions(self) -> list[Condition]:
        return [*self.hypotheses.values(), *self.assumptions.values()]


def read(statement: Data, names: tuple[str, ...], relation: str) -> Problem:
    """The statement as polynomials in the named symbols, or a refusal."""
    where, left, right = setting(statement), side(statement, "left"), side(statement, "right")
    where.free(left, right)
    gap = prepared(difference(left, right))
    if not _is_of(gap, names):
        raise Rejected(f"the sides must be fractions of polynomials in {', '.join(names)} alone for this method")
    if len(set(names)) != len(names) or set(names) - set(where.symbols):
        raise Rejected("the method must name symbols that the statement declares, each of them once")
    field = Field(tuple(("symbol", name) for name in names), ())
    hypotheses = {}
    for k, hypothesis in enumerate(where.assuming):
        formula = prepared(difference(hypothesis[1], hypothesis[2]))
        if _is_of(formula, names):
            hypotheses[k] = _condition(field, formula, hypothesis[0])
    assumptions = {}
    for name, gen in zip(names, field.gens, strict=True):
        for word in where.symbols[name]:
            sign, told = SIGN_OF.get(word, (1, "!="))
            assumptions[name, word] = Condition(gen * sign, told, ())
    complete = len(hypotheses) == len(where.assuming)
    return Problem(field, _condition(field, gap, relation), hypotheses, assumptions, complete)


def _is_of(formula: Term, names: tuple[str, ...]) -> bool:
    return free_in([formula]) <= set(names) and all(is_algebraic(inner) for inner in subterms(formula))


def _condition(field: Field, formula: Term, relation: str) -> Condition:
    num, den = field.fraction(formula)
    alive = tuple(demand.poly for demand in demands(field, formula))
    return Condition(field.product(num, den), relation, (*alive, den))


def require_a_point(statement: Data, payload: Data) -> None:
    """The payload's point satisfies all that is supposed, and gives both sides a value."""
    where: Setting = setting(statement)
    left, right = side(statement, "left"), side(statement, "right")
    values = point(part(payload, "inhabited", dict, "the payload"), where.symbols, where.free(left, right))
    require(where, values)
    try:
        defined = exact(difference(left, right), values) is not None
    except Undefined:
        defined = False
    if not defined:
        raise Rejected("a side has no value at the point that should show that the statement is about something")
