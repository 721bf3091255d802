"""Where a formula has a value, and where it is smooth: what must hold of what stands inside it."""

from __future__ import annotations

from derivations.language.terms import Term, carried_out, symbols_in
from derivations.prove.checking import as_a_checker
from derivations.recheck.core.conditions import conditions
from derivations.recheck.core.load import normal


def asked(term: Term, known: dict[str, list[str]], *, smooth: bool = False) -> list[tuple[str, Term]]:
    """Return what a formula asks for to have a value: pairs of an order and what is so compared with zero.

    smooth: whether it shall have derivatives there as well. What the form shows at a glance is left out. Refuses
    functions of which nothing is known here (`NotExact`).

    >>> asked(("^", ("s", "x"), ("q", "-1/2")), {"x": []}), asked(("log", ("s", "x")), {"x": ["positive"]})
    ([('>', ('s', 'x'))], [])
    """
    with as_a_checker():
        return conditions(normal(term), normal(known), smooth=smooth)


def speaks_of(relation: Term, name: str) -> bool:
    """Check whether a symbol stands in a hypothesis."""
    return any(name in symbols_in(carried_out(tuple(s))) for s in relation[1:])
