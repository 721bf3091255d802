"""Inequalities: a positive combination of facts is multiplied out, or an exact point violates the inequality."""

from __future__ import annotations

from flint import ctx

from derivations.recheck.core.balls import Ball, Undefined, enclosure, exact
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.knowledge import Knowledge
from derivations.recheck.core.load import Data, Term, integer, part, rational, shown, term
from derivations.recheck.core.statements import Setting, must_match, setting, side
from derivations.recheck.core.terms import MINUS_ONE, ONE, ZERO, difference, prepared, whole_exponent
from derivations.recheck.kinds.identity import check_proof, witness_point

STRICT, WEAK, UNKNOWN = 2, 1, 0


def relation_of(statement: Data) -> str:
    found: str = part(statement, "relation", str, "the statement")
    if found not in (">", ">="):
        raise Rejected(f"the relation of an inequality must be > or >=, got {shown(found)}")
    return found


def check_proof_of_sign(statement: Data, payload: Data) -> None:
    """(left - right) * scale = sum of coefficient * product of facts, where scale is positive."""
    where, left, right = setting(statement), side(statement, "left"), side(statement, "right")
    strict_wanted = relation_of(statement) == ">"
    facts = [_fact(where, data) for data in part(payload, "facts", tuple, "the payload")]
    combination = [_summand(data, len(facts)) for data in part(payload, "terms", tuple, "the payload")]
    scale = side(payload, "scale")
    nested = part(payload, "identity", dict, "the payload")
    expected = {
        "kind": "identity",
        "symbols": statement["symbols"],
        "assuming": statement["assuming"],
        "left": ("*", difference(left, right), scale),
        "right": _combined(combination, facts),
    }
    inner = part(nested, "statement", dict, "the nested identity")
    must_match(inner, expected, "identity of an inequality")
    if nested.get("verdict") != "proved" or nested.get("method") != "normal form":
        raise Rejected("the identity of an inequality must be proved by its normal form")
    knowledge = check_proof(inner, part(nested, "payload", dict, "the nested identity"), domain=(left, right))
    _require_positive_scale(where, knowledge, scale, difference(left, right), strict_wanted)
    if strict_wanted and not any(all(facts[i][1] for i in indices) for _, indices in combination):
        raise Rejected("the combination is not negative, but no part of it is certainly positive, and > was stated")


def _combined(combination: list[tuple[str, tuple[int, ...]]], facts: list[tuple[Term, bool]]) -> Term:
    """The sum that a certificate writes down, in its one shape."""
    summands = [("*", ("q", weight), *(facts[i][0] for i in indices)) for weight, indices in combination]
    return ("+", *summands) if summands else ZERO


def _summand(data: Data, count: int) -> tuple[str, tuple[int, ...]]:
    if not isinstance(data, tuple) or len(data) != 2 or not isinstance(data[1], tuple):
        raise Rejected(
            f"a part of the combination must be a coefficient and the numbers of its facts, got {shown(data)}"
        )
    if not rational(data[0], "a coefficient") > 0:
        raise Rejected(f"the coefficient {shown(data[0])} of a positive combination is not positive")
    return data[0], tuple(integer(i, 0, count - 1, "the number of a fact") for i in data[1])


def _fact(where: Setting, data: Data) -> tuple[Term, bool]:
    """A formula whose sign is known for the stated reason, and whether it is strict."""
    if not isinstance(data, dict):
        raise Rejected(f"a fact must be an object, got {shown(data)}")
    formula, strict = side(data, "term"), part(data, "strict", bool, "a fact")
    reason = part(data, "because", tuple, "a fact")
    known = _reason(where, formula, reason)
    if known < (STRICT if strict else WEAK):
        sign = "positive" if strict else "not negative"
        raise Rejected(f"{shown(formula)} is not known to be {sign} because of {shown(reason)}")
    return formula, strict


def _reason(where: Setting, formula: Term, reason: Data) -> int:
    match reason:
        case ("symbol", symbol):
            return _symbol_sign(where, formula, symbol)
        case ("hypothesis", int(k)) if 0 <= k < len(where.assuming) and not isinstance(k, bool):
            relation = where.assuming[k]
            if formula != difference(relation[1], relation[2]):
                return UNKNOWN
            return {">": STRICT, ">=": WEAK}.get(relation[0], UNKNOWN)
        case ("apart", int(k)) if 0 <= k < len(where.assuming) and not isinstance(k, bool):
            relation = where.assuming[k]
            is_square = relation[0] == "!=" and formula == ("^", difference(relation[1], relation[2]), ("q", "2"))
            return STRICT if is_square else UNKNOWN
        case ("square", inner):
            return WEAK if formula == ("^", term(inner), ("q", "2")) else UNKNOWN
        case ("root",):
            root = formula[0] == "^" and formula[2][0] == "q" and rational(formula[2][1]).q % 2 == 0
            return WEAK if root else UNKNOWN
        case ("exp",):
            return STRICT if formula[0] == "exp" else UNKNOWN
        case ("exponential",):
            return _exponential(where, formula)
        case ("one",):
            return STRICT if formula == ONE else UNKNOWN
        case ("form",):
            return plain_sign(where, formula)
    raise Rejected(f"no fact is known by the reason {shown(reason)}")


def _exponential(where: Setting, formula: Term) -> int:
    """v (exp(v w) - 1), where w is not negative: the second factor has the sign of v."""
    match formula:
        case ("*", v, ("+", ("exp", ("*", again, *w)), ("q", "-1"))) if v == again and w:
            known = plain_sign(where, ("*", *w))
            return known if v in (ONE, MINUS_ONE) else min(known, WEAK)
    return UNKNOWN


def _symbol_sign(where: Setting, formula: Term, symbol: Data) -> int:
    told = where.symbols.get(symbol, ()) if isinstance(symbol, str) else ()
    if formula == ("s", symbol):
        return STRICT if "positive" in told else WEAK if "nonnegative" in told else UNKNOWN
    if formula == ("*", MINUS_ONE, ("s", symbol)):
        return STRICT if "negative" in told else WEAK if "nonpositive" in told else UNKNOWN
    return UNKNOWN


def plain_sign(where: Setting, formula: Term) -> int:
    """The sign that a formula's form shows wherever it has a value."""
    head = formula[0]
    if head == "s":
        return _symbol_sign(where, formula, formula[1])
    if head == "q":
        value = rational(formula[1])
        return STRICT if value > 0 else WEAK if value == 0 else UNKNOWN
    if head in ("pi", "exp", "cosh"):
        return STRICT
    if head == "abs":
        return WEAK
    if head == "^" and formula[2][0] == "q":
        return _power_sign(where, formula)
    if head == "*" and len(formula) == 3 and formula[1] == MINUS_ONE and formula[2][0] == "s":
        return _symbol_sign(where, formula, formula[2][1])
    if head in ("+", "*"):
        signs = [plain_sign(where, child) for child in formula[1:]]
        if UNKNOWN in signs:
            return UNKNOWN
        return max(signs) if head == "+" else min(signs)
    return UNKNOWN


def _power_sign(where: Setting, formula: Term) -> int:
    base = plain_sign(where, formula[1])
    k = whole_exponent(formula)
    if base == STRICT or k == 0:
        return STRICT
    if k is None:
        return WEAK
    if k % 2 == 0:
        told = where.symbols.get(formula[1][1], ()) if formula[1][0] == "s" else ()
        return STRICT if {"negative", "nonzero"} & set(told) else WEAK
    return base


def _require_positive_scale(where: Setting, knowledge: Knowledge, scale: Term, gap: Term, strict: bool) -> None:
    """Every factor of the scale is positive, or where it vanishes the inequality holds at a glance."""
    for factor in scale[1:] if scale[0] == "*" else (scale,):
        num, den = knowledge.field.fraction(prepared(factor))
        if knowledge.positive(knowledge.field.product(num, den)):
            continue
        if not _holds_at_zero(where, factor, gap, strict):
            raise Rejected(f"the scale's factor {shown(factor)} is not known to be positive")


def _holds_at_zero(where: Setting, factor: Term, gap: Term, strict: bool) -> bool:
    """A sum of squares of symbols vanishes where all are zero; there the difference must be a number >= 0 (or > 0)."""
    squares = factor[1:] if factor[0] == "+" else (factor,)
    if not all(s[0] == "^" and s[1][0] == "s" and s[1][1] in where.symbols and s[2] == ("q", "2") for s in squares):
        return False
    try:
        value = exact(("at", gap, tuple({s[1][1]: (s[1][1], ZERO) for s in squares}.values())), {})
    except (Undefined, Rejected):
        return False
    return value is not None and bool(value > 0 if strict else value >= 0)


# --- refutation -------------------------------------------------------------------------------------------------------


def check_refutation_of_sign(statement: Data, payload: Data) -> None:
    where, left, right = setting(statement), side(statement, "left"), side(statement, "right")
    strict = relation_of(statement) == ">"
    values, bits = witness_point(where, payload, left, right)
    gap = difference(left, right)
    try:
        value = exact(gap, values)
        if value is not None:
            fails = bool(value < 0) or (strict and bool(value == 0))
        else:
            fails = all(_not_above(enclosure(gap, values, b), strict, b) for b in (bits, 2 * bits))
    except Undefined:
        raise Rejected("a side is not defined at the exact point, so nothing is refuted there") from None
    if not fails:
        raise Rejected("the inequality does not certainly fail at the exact point, so nothing is refuted there")


def _not_above(ball: Ball, strict: bool, bits: int) -> bool:
    with ctx.workprec(bits):
        return bool(ball <= 0) if strict else bool(ball < 0)
