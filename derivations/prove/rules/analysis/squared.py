"""By squares of both sides: larger >= smaller follows from larger >= 0 and larger^2 >= smaller^2.

The difference of the sides is sorted by one of its roots: what holds it comes to the one side, the rest to the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice

from derivations.language.evaluate import value
from derivations.language.normal import Field, Poly, Uncollected, Undefined, prepared
from derivations.language.normal.forms import STRICT, form
from derivations.language.points import points
from derivations.language.terms import ONE, rational, subtract
from derivations.prove.certificate import Json
from derivations.prove.equality.reduction import with_roots_put_in
from derivations.prove.rules.analysis.factors import Factor
from derivations.prove.rules.analysis.slopes import of_function
from derivations.prove.rules.rule import Step

TRIED = 12  # points at which a proposal must hold
MOST_TERMS = 60


def by_squares(statement: Json) -> Iterator[Step]:
    """One root against all else."""
    if statement["kind"] != "sign":
        return
    difference = prepared(subtract(statement["left"], statement["right"]))
    try:
        field = Field.of([difference], statement["symbols"])
        numerator, denominator = field.fraction(difference)
    except (Undefined, Uncollected):
        return
    roots = [(i, g) for i, g in enumerate(field.generators) if g[0] == "root" and g[2] == 2]
    scale = field.poly_term(denominator)
    if all(g[1][0] == "^" and g[1][2] == rational(2) for _, g in roots):  # sizes are told apart by cases
        return
    if not (denominator.is_constant() or form(scale, statement["symbols"]) == STRICT):
        return
    numerator = with_roots_put_in(field, numerator)
    if not 1 < len(numerator) <= MOST_TERMS:
        return
    for index, _ in roots:
        with_root = _part(numerator, index)
        rest = numerator - with_root
        for larger, smaller in ((rest, -with_root), (with_root, -rest)):
            proposal = {"larger": field.poly_term(larger), "smaller": field.poly_term(smaller)}
            if larger != 0 and smaller != 0 and _seems_right(statement, proposal):
                factor = Factor() if scale == ONE else Factor().times(scale, -1)
                gap = subtract(*proposal.values())
                yield of_function(statement, factor, gap, partial(_squared, proposal), alone=False)


def _squared(proposal: Json, _: Json) -> Step:
    return Step("squares of both sides", proposal)


def _part(poly: Poly, index: int) -> Poly:
    """The terms that hold a generator."""
    return poly.context().from_dict({e: c for e, c in poly.to_dict().items() if e[index]})


def _seems_right(statement: Json, proposal: Json) -> bool:
    """Check whether what would have to be shown is true at some points."""
    larger, smaller = proposal["larger"], proposal["smaller"]
    values = ([value(side, point) for side in (larger, smaller)] for point in islice(points(statement), TRIED))
    return not any(above < 0 or above**2 < below**2 for above, below in values if above is not None is not below)
