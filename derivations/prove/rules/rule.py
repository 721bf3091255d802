"""Steps of a proof: the use of a rule on a statement about numbers, and what is planned for the parts it leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count

from derivations.language.terms import Term, carried_out, children
from derivations.prove.certificate import Json
from derivations.prove.checking import as_a_checker
from derivations.prove.schemas.table import as_stated
from derivations.recheck.core.load import normal
from derivations.recheck.core.statements import Setting
from derivations.recheck.core.table.by import parts_of

Parameters = Json
GOES_ON = ("then", "right", "left")  # roles of parts that are the statement once more, with something put in
MOST_STEPS = 60


def _nothing(role: str, part: Json) -> None:
    return None


@dataclass(frozen=True)
class Step:
    """The use of a rule; `then` plans the part in a role, or leaves it to all provers (None)."""

    rule: str
    parameters: Parameters
    then: Callable[[str, Json], Step | None] = _nothing


def under(setting: Json, then: Callable[[str, Json], Step | None] = _nothing) -> Step:
    """Other hypotheses, which follow."""
    return Step("other hypotheses", {"declared": setting["symbols"], "supposed": setting["assuming"]}, then)


def declaring_nothing(statement: Json, name: str, step: Step) -> Step:
    """A step that needs a symbol of which nothing is declared, only supposed."""
    said = Setting({name: statement["symbols"][name]}, ()).givens
    setting = {"symbols": {**statement["symbols"], name: []}, "assuming": [*statement["assuming"], *said]}
    return under(setting, lambda role, _: step if role == "then" else None) if said else step


Ways = Callable[[Json], Iterator[Step]]
"""Ways to prove a statement, promising ones first."""


def parts_left(step: Step, statement: Json) -> dict[str, Json]:
    """Return what a step leaves to be shown, as the checker reads it; refuses what is no use of the rule
    (`NotExact`).
    """
    with as_a_checker():
        needed = parts_of(step.rule, normal(bare(statement)), normal(step.parameters))
    return {role: as_stated(part) for role, part in needed.items()}


def chained(find: Callable[[Json], tuple[str, Parameters] | None]) -> Ways:
    """One step after the other, for as long as there is one to be taken."""

    def step(statement: Json, taken: int) -> Step | None:
        named = find(statement) if taken < MOST_STEPS else None
        return named and Step(*named, lambda role, part: step(part, taken + 1) if role in GOES_ON else None)

    def ways(statement: Json) -> Iterator[Step]:
        first = step(statement, 0)
        if first is not None:
            yield first

    return ways


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


def fresh(statement: Json, stem: str) -> str:
    """A name that the statement does not use."""
    return next(name for k in count(1) if (name := f"{stem}_{k}") not in statement["symbols"])
