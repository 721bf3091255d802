"""By what an inverse function inverts: where Lambert's W of a symbol stands, the symbol is w exp(w) with w >= -1."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Parameters, Rule, formulas, fresh, inner_terms


def _proposals(statement: Json) -> Iterator[Parameters]:
    for term in inner_terms(formulas(statement)):
        if term[0] == "lambertw" and term[1][0] == "s":
            yield {"symbol": term[1][1], "letter": fresh(statement, "w")}


LAMBERT = Rule("Lambert's W", _proposals)
