"""By the slope towards a far end: a function that falls on its way to a limit is never below the limit.

The end is infinity, or a point at which the function need have no value.
"""

from __future__ import annotations

from collections.abc import Iterator

from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.search import far_ways
from derivations.prove.rules.rule import Parameters, Rule

"""On which side of the end the statement speaks: 1 above it."""


def _proposals(statement: Json) -> Iterator[Parameters]:
    if statement["kind"] == "sign":
        yield from far_ways(statement)


FAR = Rule("slope towards a limit", _proposals)
