"""By what has a value: a statement speaks only where its logarithms and roots have one, and may suppose as much."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import ZERO, NotExact, Term, subtract
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.values import asked
from derivations.prove.rules.rule import Step, under


def by_domain(statement: Json) -> Iterator[Step]:
    """Return what the sides ask for, but for squares, from which nothing is learnt."""
    known = [(r[0], tuple(r[1]), tuple(r[2])) for r in statement["assuming"]]
    supposed: list[Term] = []
    try:
        needed = asked(subtract(statement["left"], statement["right"]), statement["symbols"])
    except NotExact:
        return
    for order, what in needed:
        if what[0] != "^" and (order, what, ZERO) not in known:
            supposed.append((order, what, ZERO))
    if supposed:
        yield under({**statement, "assuming": [*statement["assuming"], *supposed]})
