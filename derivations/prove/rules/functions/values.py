"""By known values: odd functions of a negative multiple, functions at special points, exponentials of logarithms."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import Term
from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Parameters, Rule, formulas
from derivations.recheck.core.terms import prepared
from derivations.recheck.kinds.rules.forms import walked
from derivations.recheck.kinds.rules.values import known_value


def valued(term: Term) -> Term:
    """The term with known values in their places."""
    return walked(term, known_value)


def _proposals(statement: Json) -> Iterator[Parameters]:
    if any(valued(prepared(term)) != prepared(term) for term in formulas(statement)):
        yield {}


VALUES = Rule("known values", _proposals)
