"""Values however near a limit: for one exact choice of the parameters, everything that must have a value has one.

What is divided by, what stands in a logarithm or a root, and what a hypothesis says of the variables, is a product of
powers of positive small quantities and of something continuous that is not zero where they are zero: so it keeps its
sign near the limit. Nothing is sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from derivations.recheck.core.balls import Undefined, enclosure
from derivations.recheck.core.conditions import demands, sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, part, shown, term
from derivations.recheck.core.statements import POINT_BITS, Setting, Values, holds, point, require_givens
from derivations.recheck.core.terms import ZERO, carried_out, difference, free, free_in, minus, parts, subterms
from derivations.recheck.kinds.limits.quantities import KNOWN, Quantities
from derivations.recheck.kinds.limits.towards import INFINITE, value_of

SIGNS = {"!=": (-1, 1), ">": (1,), ">=": (1,)}
TOLD = {"positive": ">", "nonnegative": ">=", "nonzero": "!="}


def require_values_near(small: Quantities, given: Data) -> None:
    """The hypotheses can be satisfied near the limit, and the expression has values there."""
    spoken = [*small.spoken, *(() if value_of(small.statement) in INFINITE else (value_of(small.statement),))]
    hypotheses = [side for relation in small.fixed for side in relation[1:]]
    needed = (free_in([*spoken, *hypotheses]) & set(small.parameters)) - set(small.variables)
    values = point(part(given, "point", dict, "what is near"), small.parameters, needed)
    require_givens(Setting(small.parameters, small.fixed), values)
    put = _ray(small, given.get("along"))
    table = {}
    for entry in part(given, "signs", tuple, "what is near"):
        if not isinstance(entry, tuple) or len(entry) != 4:
            raise Rejected(f"a sign near a limit is a formula, its sign, a form and an identity, got {shown(entry)}")
        table[term(entry[0])] = _sign_near(small, entry, values)
    for relation, formula in ((relation, put(wanted)) for relation, wanted in _wanted(small)):
        if not free(formula) - set(small.parameters):
            certain = holds((relation, formula, ZERO), values)
        else:
            enough = (">", ">=") if relation == ">=" else (">",)
            certain = sign_by_form(formula, small.symbols) in enough or table.get(formula) in SIGNS[relation]
        if not certain:
            raise Rejected(f"nothing shows {shown(formula)} {relation} 0 near the limit, where a value needs it")
    for formula in (constant for whole in spoken for constant in _of_parameters(whole, set(small.parameters))):
        try:
            enclosure(formula, values, POINT_BITS)
        except Undefined:
            raise Rejected("a part of the expression has no value for these parameters") from None


def _ray(small: Quantities, given: Data) -> Callable[[Term], Term]:
    """Several variables may go to zero along a ray, which one of them measures."""
    if given is None:
        return lambda formula: formula
    shares = point(given, small.variables, frozenset(small.variables))
    if any(share <= 0 for share in shares.values()):
        raise Rejected(f"variables go to zero from above along positive shares, got {shown(given)}")
    first: Term = ("s", small.variables[0])
    ray = tuple((name, ("*", ("q", given[name]), first)) for name in small.variables)
    return lambda formula: carried_out(("at", formula, ray))


def _sign_near(small: Quantities, entry: Data, values: Values) -> int:
    """The sign of a formula near the limit, which is a sign times a form in positive small quantities."""
    formula, sign, form, identity = entry
    if sign not in (1, -1) or isinstance(sign, bool):
        raise Rejected(f"a sign is 1 or -1, got {shown(sign)}")
    written = small.positive_form(form, values)
    written = written if sign == 1 else minus(written)
    if written != formula:
        small.require_equal(identity, formula, written)
    return int(sign)


def _wanted(small: Quantities) -> Iterator[tuple[str, Term]]:
    """What must hold near the limit: relations of formulas to zero."""
    for whole in small.spoken:
        if strange := sorted({f[0] for f in subterms(whole) if free(f) & small.names} - set(KNOWN)):
            raise Rejected(f"no limit is known here of {strange[0]}")
        yield from demands(whole)
    for relation, left, right in small.moving:
        if relation == "=":
            raise Rejected("a hypothesis ties the variables of the limit")
        yield from demands(left)
        yield from demands(right)
        yield relation, difference(left, right)
    for variable, place in small.places.items():
        for told in small.statement["symbols"][variable]:
            yield (TOLD[told], place) if told in TOLD else (">" if told == "negative" else ">=", minus(place))


def _of_parameters(formula: Term, parameters: set[str]) -> Iterator[Term]:
    """The largest parts that speak of parameters alone."""
    if free(formula) <= parameters:
        yield formula
    else:
        for child in parts(formula):
            yield from _of_parameters(child, parameters)
