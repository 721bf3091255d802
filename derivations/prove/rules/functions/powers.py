"""By exponentials: a power with an exponent that is no number is exp(exponent log(base)), as it is defined here."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import Term, children, rebuild
from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Parameters, Rule, formulas, inner_terms, rewritten


def in_exponentials(term: Term) -> Term:
    """The term with every such power written out."""
    new = rebuild(term, tuple(map(in_exponentials, children(term))))
    if new[0] == "^" and new[2][0] != "q":
        return ("exp", ("*", new[2], ("log", new[1])))
    return new


def _proposals(statement: Json) -> Iterator[Parameters]:
    if any(term[0] == "^" and term[2][0] != "q" for term in inner_terms(formulas(statement))):
        yield {}


def _parts(statement: Json, _: Parameters) -> list[Json]:
    return [rewritten(statement, in_exponentials)]


POWERS = Rule("exponentials", _proposals, _parts)
