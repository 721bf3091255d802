"""What a rule is: a way from one statement about numbers to simpler ones that together imply it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from derivations.language.terms import Term, carried_out, children, rebuild
from derivations.prove.certificate import Json

Parameters = Json


@dataclass(frozen=True)
class Rule:
    """A name, ways of using it on a statement (promising ones first), and what a use leaves to be shown.

    `parts` is a function of the statement and the parameters alone: the checker has its own, and compares.
    """

    name: str
    proposals: Callable[[Json], Iterator[Parameters]]
    parts: Callable[[Json, Parameters], list[Json]]


def formulas(statement: Json) -> list[Term]:
    """The sides of a statement, derivatives carried out, then those of its hypotheses."""
    return [
        *(carried_out(statement[key]) for key in ("left", "right")),
        *(carried_out(side) for relation in statement["assuming"] for side in relation[1:]),
    ]


def inner_terms(terms: Iterable[Term]) -> Iterator[Term]:
    """Every different term inside some terms, from the inside out."""
    seen: set[Term] = set()

    def walk(term: Term) -> Iterator[Term]:
        if term in seen:
            return
        for child in children(term):
            yield from walk(child)
        if term not in seen:
            seen.add(term)
            yield term

    for term in terms:
        yield from walk(term)


def replaced(term: Term, old: Term, new: Term) -> Term:
    """The term with one term for another, wherever it stands."""
    if term == old:
        return new
    return rebuild(term, tuple(replaced(child, old, new) for child in children(term)))


def rewritten(statement: Json, change: Callable[[Term], Term], more: Iterable[Term] = ()) -> Json:
    """The statement with its formulas changed, derivatives carried out first, and with further hypotheses."""

    def new(term: Term) -> Term:
        return change(carried_out(term))

    assuming = [(r[0], new(tuple(r[1])), new(tuple(r[2]))) for r in statement["assuming"]]
    sides = {"left": new(statement["left"]), "right": new(statement["right"])}
    return {**bare(statement), **sides, "assuming": [*assuming, *more]}


def bare(statement: Json) -> Json:
    """The statement without hints for provers."""
    return {key: value for key, value in statement.items() if key != "squares"}


def fresh(statement: Json, stem: str = "d") -> str:
    """A name that the statement does not use."""
    return next(name for k in count(1) if (name := f"{stem}_{k}") not in statement["symbols"])
