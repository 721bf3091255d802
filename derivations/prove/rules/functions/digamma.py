"""By steps of one: digamma(u + n) = digamma(u) + 1/u + ... + 1/(u + n - 1), where digamma(u) stands in the statement.

Where digamma(u) has a value, u is no whole number from zero down, so that none of the denominators vanishes.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Parameters, Rule, formulas, inner_terms


def _proposals(statement: Json) -> Iterator[Parameters]:
    found = [term[1] for term in inner_terms(formulas(statement)) if term[0] == "digamma"]
    yield from ({"upper": upper, "lower": lower} for upper, lower in permutations(found, 2))


DIGAMMA = Rule("steps of digamma", _proposals)
