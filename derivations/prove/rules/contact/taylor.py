"""By Taylor's theorem on pieces of a range: near a point of equality by a derivative's sign, elsewhere by balls.

A piece that neither fits is left as a statement of its own, with a smaller range.
"""

from __future__ import annotations

from collections.abc import Iterator

from derivations.prove.certificate import Json
from derivations.prove.rules.contact.search import ways
from derivations.prove.rules.rule import Parameters, Rule


def _proposals(statement: Json) -> Iterator[Parameters]:
    if statement["kind"] == "sign":
        yield from ways(statement)


TAYLOR = Rule("Taylor on pieces", _proposals)
