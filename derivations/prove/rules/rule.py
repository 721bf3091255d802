"""What a rule is: a way from one statement about numbers to simpler ones that together imply it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from derivations.language.terms import NotExact, Term, carried_out, children
from derivations.prove.certificate import Json
from derivations.prove.schemas.table import as_stated
from derivations.recheck.core.budget import budget
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.kinds.rules import parts_of

Parameters = Json


@dataclass(frozen=True)
class Rule:
    """A name, and ways of using it on a statement, promising ones first."""

    name: str
    proposals: Callable[[Json], Iterator[Parameters]]

    def parts(self, statement: Json, parameters: Parameters) -> list[Json]:
        """What a use leaves to be shown, as the checker reads it; refuses what is no use of the rule (`NotExact`)."""
        try:
            with budget():
                found = parts_of(self.name, normal(bare(statement)), normal(parameters))
        except Rejected as refusal:
            raise NotExact(str(refusal)) from None
        return [as_stated(part) for part in found]


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


def bare(statement: Json) -> Json:
    """The statement without hints for provers."""
    return {key: value for key, value in statement.items() if key != "squares"}


def fresh(statement: Json, stem: str = "d") -> str:
    """A name that the statement does not use."""
    return next(name for k in count(1) if (name := f"{stem}_{k}") not in statement["symbols"])
