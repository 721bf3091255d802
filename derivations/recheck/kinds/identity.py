"""Equality of two formulas: cofactors are multiplied out, or an exact point tells the sides apart."""

from __future__ import annotations

from collections.abc import Iterable

from derivations.recheck.core.balls import Undefined, agrees_with_text, enclosure, exact, require_inside_defined
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.fractions import Field, Poly, field_of
from derivations.recheck.core.knowledge import Knowledge, demands
from derivations.recheck.core.load import Data, Term, part, shown
from derivations.recheck.core.rewrites import justify_all
from derivations.recheck.core.statements import (
    Setting,
    Values,
    bits_of,
    point,
    require,
    require_inhabited,
    setting,
    side,
)
from derivations.recheck.core.terms import difference, free_in, prepared


def check_proof(
    statement: Data, payload: Data, domain: Iterable[Term] | None = None, alive: Iterable[Term] = ()
) -> Knowledge:
    """Accept a proof by normal form.

    The sides are equal wherever the formulas of `domain` are defined (by default: the sides themselves) and those of
    `alive` do not vanish; outside of it, whatever the sides ask for must follow.
    """
    where, left, right = setting(statement), side(statement, "left"), side(statement, "right")
    where.free(left, right)
    field = field_of(payload)
    sides = prepared(left), prepared(right)
    numerator = field.difference(*sides)[0]
    hypotheses = [(r[0], prepared(r[1]), prepared(r[2])) for r in where.assuming]
    knowledge = Knowledge(field, where.symbols, hypotheses, sides if domain is None else map(prepared, domain))
    for formula in alive:
        knowledge.suppose_nonzero(prepared(formula))
    justify_all(knowledge)
    if domain is not None:
        _require_defined(knowledge, sides)
    _require_known_symbols(field, where)
    _require_combination(knowledge, hypotheses, numerator, payload)
    require_inhabited(where, part(payload, "inhabited", dict, "the payload"), left, right)
    return knowledge


def _require_known_symbols(field: Field, where: Setting) -> None:
    formulas = [g[1] for g in field.generators if g[0] != "symbol"]
    strange = sorted(free_in(formulas) - set(where.symbols))
    if strange:
        raise Rejected(f"the generators speak of {', '.join(strange)}, which the statement does not declare")


def _require_defined(knowledge: Knowledge, sides: tuple[Term, Term]) -> None:
    for formula in sides:
        for demand in demands(knowledge.field, formula):
            if not knowledge.grants(demand):
                raise Rejected(f"{shown(demand.formula)} need not be defined where the statement is")


def _require_combination(knowledge: Knowledge, hypotheses: list[Term], numerator: Poly, payload: Data) -> None:
    """constant * product of multipliers * numerator = sum of cofactor * relation."""
    field = knowledge.field
    relations = [field.relation(i) for i, g in enumerate(field.generators) if g[0] == "root"]
    relations += [field.difference(r[1], r[2])[0] for r in hypotheses if r[0] == "="]
    cofactors = [field.poly(c) for c in part(payload, "cofactors", tuple, "the payload")]
    if len(cofactors) != len(relations):
        raise Rejected(f"the proof has {len(cofactors)} cofactors for {len(relations)} relations: give one for each")
    multiplied = numerator
    for data in part(payload, "multiplier", tuple, "the payload"):
        multiplier = field.poly(data)
        if not knowledge.never_zero(multiplier):
            raise Rejected(f"the multiplier {shown(str(multiplier))} may vanish where the statement speaks")
        multiplied = field.product(multiplied, multiplier)
    combined = field.zero
    for cofactor, relation in zip(cofactors, relations, strict=True):
        combined = combined + field.product(cofactor, relation)
    if not proportional(multiplied, combined):
        raise Rejected(
            "the cofactors do not give the difference of the two sides: multiplied out, something is left over"
        )


def proportional(a: Poly, b: Poly) -> bool:
    """Whether one polynomial is the other times a constant that is not zero."""
    if a == 0 or b == 0:
        return bool(a == b)
    return bool(a * b.leading_coefficient() == b * a.leading_coefficient())


# --- refutation -------------------------------------------------------------------------------------------------------


def check_refutation(statement: Data, payload: Data) -> None:
    where, left, right = setting(statement), side(statement, "left"), side(statement, "right")
    values, bits = witness_point(where, payload, left, right)
    gap = difference(left, right)
    try:
        value = exact(gap, values)
        if value is not None:
            apart = bool(value != 0)
        else:
            apart = all(not enclosure(gap, values, b).contains(0) for b in (bits, 2 * bits))
    except Undefined:
        raise Rejected("a side is not defined at the exact point, so nothing is refuted there") from None
    if not apart:
        raise Rejected("the two sides do not certainly differ at the exact point, so nothing is refuted there")


def witness_point(where: Setting, payload: Data, left: Term, right: Term) -> tuple[Values, int]:
    """The point of a refutation, where every hypothesis holds and the printed values are the values."""
    witness = part(payload, "witness", dict, "the payload")
    bits = bits_of(witness)
    values = point(part(witness, "point", dict, "the witness"), where.symbols, where.free(left, right))
    require(where, values)
    for key, formula in (("left", left), ("right", right)):
        require_printed(part(witness, key, str, "the witness"), key, formula, values, bits)
    return values, bits


def require_printed(text: str, key: str, formula: Term, values: Values, bits: int) -> None:
    try:
        require_inside_defined(formula, values, bits)
        agrees = agrees_with_text(text, formula, values, bits)
    except Undefined:
        raise Rejected(f"the {key} side is not defined at the exact point, so nothing is refuted there") from None
    if not agrees:
        raise Rejected(f"the {key} side is not {shown(text)} at the exact point")
