"""By the sign of a base: an even power is positive where its base is positive, or everywhere negative."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import ZERO, Term, carried_out, fraction_of
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.samples import places, signs
from derivations.prove.rules.rule import Step


def _base(statement: Json) -> Term | None:
    """The base of an even power that shall be positive."""
    if statement["kind"] != "sign" or statement["right"] != ZERO or statement["relation"] != ">":
        return None
    term = carried_out(statement["left"])
    if term[0] != "^" or term[2][0] != "q" or fraction_of(term[2]) % 2 or term[2] == ZERO:
        return None
    base: Term = term[1]
    return base


def by_base(statement: Json) -> Iterator[Step]:
    """The sign that the base of an even power has at all points that are tried."""
    base = _base(statement)
    if base is not None:
        found = signs(base, places(statement))
        words = [word for word, sign in (("+", 1), ("-", -1)) if found == {sign}]
        yield from (Step("the sign of a base", {"sign": word}) for word in words)
