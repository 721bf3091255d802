"""One step by which a checker follows a proof, and what remains to be multiplied out in the end."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any

from derivations.language.normal import Poly
from derivations.language.terms import Term, children
from derivations.recheck.core.ring import IMPLIED


@dataclass(eq=False)
class Step:
    """One step made of texts, formulas, polynomials and steps; a fact has a polynomial and a relation to zero."""

    parts: tuple[Any, ...]
    needs: tuple[Step, ...] = ()
    poly: Poly = None
    relation: str = ""

    def shows(self, relation: str) -> bool:
        return relation in IMPLIED[self.relation]


Summands = list[tuple[Any, list[Step]]]  # numbers, or polynomials before what is zero, and the facts of each product


@dataclass
class Evidence:
    """The evidence that remains to be multiplied out: the product of the goal with some facts is a sum of products of
    facts.
    """

    times: list[Step] = field(default_factory=list)
    total: Summands = field(default_factory=list)


def value_of(total: Summands, constant: Callable[[Any], Poly]) -> Poly:
    """The polynomial that a sum of products of facts is."""
    products = (prod((step.poly for step in found), start=constant(weight)) for weight, found in total)
    return sum(products, start=constant(0))


def relation_of(found: list[Step]) -> str | None:
    """The relation to zero of a product of facts; None if it may have any sign."""
    odd = {id(s) for s in found if s.relation == "!=" and found.count(s) % 2}
    if any(s.relation == "=" for s in found):
        return "="
    if any(s.relation == ">=" for s in found):
        return None if odd else ">="
    return "!=" if odd else ">"


def joined(found: Iterable[list[Step] | None]) -> list[Step] | None:
    joined: list[Step] = []
    for each in found:
        if each is None:
            return None
        joined += each
    return joined


def listed(step: Step | None) -> list[Step] | None:
    return None if step is None else [step]


def all_subterms(terms: Iterable[Term]) -> set[Term]:
    known, waiting = set[Term](), list(terms)
    while waiting:
        term = waiting.pop()
        if term not in known:
            known.add(term)
            waiting += children(term)
    return known


def subterms(term: Term) -> Iterator[Term]:
    yield term
    for child in children(term):
        yield from subterms(child)
