"""By exponentials: a power with an exponent that is no number is exp(exponent log(base)), as it is defined here."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Parameters, Rule, formulas, inner_terms


def _proposals(statement: Json) -> Iterator[Parameters]:
    if any(term[0] == "^" and term[2][0] != "q" for term in inner_terms(formulas(statement))):
        yield {}


POWERS = Rule("exponentials", _proposals)
