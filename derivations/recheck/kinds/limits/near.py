"""Values however near a limit: for one exact choice of the parameters, everything that must have a value has one.

What is divided by, what stands in a logarithm or a root, and what a hypothesis says of the variables, is a product of
powers of positive small quantities and of something continuous that is not zero where they are zero: so it keeps its
sign near the limit. Nothing is sampled.
"""

from __future__ import annotations

from collections.abc import Iterator

from derivations.recheck.core.balls import Undefined, enclosure
from derivations.recheck.core.conditions import Condition, demands, sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, part, require, shown, term
from derivations.recheck.core.statements import POINT_BITS, WORDS, Setting, holds, point, require_givens
from derivations.recheck.core.terms import ZERO, difference, free, free_in, minus, parts
from derivations.recheck.kinds.limits.quantities import Quantities
from derivations.recheck.kinds.limits.towards import INFINITE

SIGNS = {"!=": (-1, 1), ">": (1,), ">=": (1,)}


def require_values_near(small: Quantities, given: Data) -> None:
    """The hypotheses can be satisfied near the limit, and the expression has values there."""
    spoken = [*small.spoken, *(() if small.value in INFINITE else (small.value,))]
    hypotheses = [side for relation in small.fixed for side in relation[1:]]
    needed = (free_in([*spoken, *hypotheses]) & set(small.parameters)) - set(small.variables)
    small.point = point(part(given, "point", dict, "what is near"), small.parameters, needed)
    require_givens(Setting(small.parameters, small.fixed), small.point)
    signs = {entry[0]: _sign_near(small, *entry) for entry in part(given, "signs", tuple, "what is near")}
    for relation, formula in _wanted(small):
        if free(formula) <= set(small.parameters):
            certain = holds((relation, formula, ZERO), small.point)
        else:
            certain = sign_by_form(formula, small.symbols) in (">", relation) or signs.get(formula) in SIGNS[relation]
        require(certain, f"nothing shows {shown(formula)} {relation} 0 near the limit, where a value needs it")
    for formula in (constant for whole in spoken for constant in _of_parameters(whole, set(small.parameters))):
        try:
            enclosure(formula, small.point, POINT_BITS)
        except Undefined:
            raise Rejected("a part of the expression has no value for these parameters") from None


def _sign_near(small: Quantities, formula: Term, sign: int, form: Data, identity: Data) -> int:
    """The sign of a formula near the limit, which is a sign times a form in positive small quantities."""
    require(sign in (1, -1), f"a sign is 1 or -1, got {shown(sign)}")
    written = small.positive_form(form)
    written = written if sign == 1 else minus(written)
    if written != formula:
        small.require_equal(identity, term(formula), written)
    return sign


def _wanted(small: Quantities) -> Iterator[Condition]:
    """What must hold near the limit: relations of formulas to zero."""
    for whole in small.spoken:
        yield from demands(whole)
    for relation, left, right in small.moving:
        require(relation != "=", "a hypothesis ties the variables of the limit")
        yield from demands(("+", left, right))
        yield relation, difference(left, right)
    for variable, place in small.places.items():
        for word in small.statement["symbols"][variable]:
            relation, sign = WORDS[word]
            yield relation, place if sign == 1 else minus(place)


def _of_parameters(formula: Term, parameters: set[str]) -> Iterator[Term]:
    """The largest parts that speak of parameters alone."""
    if free(formula) <= parameters:
        yield formula
    else:
        for child in parts(formula):
            yield from _of_parameters(child, parameters)
