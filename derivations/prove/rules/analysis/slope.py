"""By the slope: a function that is not negative at one point and does not fall away from it is not negative.

The statement says that factor * function has a sign. What the function asks for to be smooth between the point and
where the statement speaks is among the parts, so that no hole of its domain is stepped over.
"""

from __future__ import annotations

from collections.abc import Iterator

from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.search import ways
from derivations.prove.rules.rule import Parameters, Rule


def _proposals(statement: Json) -> Iterator[Parameters]:
    if statement["kind"] == "sign":
        yield from ways(statement)


def _of_roots(statement: Json) -> Iterator[Parameters]:
    if statement["kind"] == "sign":
        yield from ways(statement, roots=True)


SLOPE = Rule("slope", _proposals)
SLOPE_OF_ROOTS = Rule("slope", _of_roots)
"""The same for roots without anything else that bends, of which squares of both sides come first."""
