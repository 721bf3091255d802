"""Slots as untrusted data, and the statements that theorems are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, name, rational, relation, shown, term
from derivations.recheck.core.statements import setting
from derivations.recheck.core.terms import MINUS_ONE, ONE, TWO, ZERO, carried_out, free, parts
from derivations.recheck.kinds.rules.analysis.values import conditions

INFINITE = (("oo",), ("-oo",))
TEXT = 40  # characters of a word in a slot
Needs = dict[str, Data]


class Theorem(NamedTuple):
    """A theorem: in words, what kinds of things its slots hold, and what it makes of them."""

    says: str
    slots: dict[str, str]
    of: Callable[[Data], tuple[Needs, Data]]


def read_slots(theorem: Theorem, slots: Data, where: str) -> None:
    """Refuses slots that are missing or strange, or hold something of another kind than the theorem asks for."""
    kinds = set(theorem.slots.values())
    about_matrices, about_statements = bool(kinds & MATRIX_KINDS), bool(kinds & {"statement", "statements"})
    head = {"letters", "rules"} if about_matrices else set() if about_statements else {"symbols", "assuming"}
    if set(slots) != set(theorem.slots) | head:
        wanted = ", ".join(sorted(set(theorem.slots) | head))
        raise Rejected(f"{where} needs exactly the slots {wanted}, got {shown(sorted(slots))}")
    if "symbols" in head:
        known = setting(slots)
        known.free()
    for key, kind in theorem.slots.items():
        READ[kind](slots[key], f"the slot '{key}' of {where}")
    if "symbols" in head:
        spoken = [t for key, kind in theorem.slots.items() for t in _formulas(kind, slots[key])]
        known.free(*spoken)


def _formulas(kind: str, value: Data) -> list[Term]:
    match kind:
        case "term":
            return [value]
        case "end":
            return [] if value in INFINITE else [value]
        case "symbol":
            return [("s", value)]
        case "terms":
            return list(value)
        case "flow" | "flow or none":
            return [*value.values(), *(("s", x) for x in value)]
        case "integrals":
            finite = [t for entry in value.values() for t in entry if t not in INFINITE]
            return [*finite, *(("s", x) for x in value)]
        case "box":
            return [("s", x) for x in value]
        case "rates":
            return [("s", x) for rate, told in value.items() for x in (rate, *told)]
    return []


def _text(value: Data, where: str) -> None:
    if not isinstance(value, str) or not 0 < len(value) <= TEXT:
        raise Rejected(f"{where} must be a short text, got {shown(value)}")


def _each(read: Callable[[Data, str], Any]) -> Callable[[Data, str], None]:
    def of_all(value: Data, where: str) -> None:
        if not isinstance(value, tuple) or not value:
            raise Rejected(f"{where} must be a list that is not empty, got {shown(value)}")
        for item in value:
            read(item, where)

    return of_all


def _table(read: Callable[[Data, str], Any]) -> Callable[[Data, str], None]:
    def of_all(value: Data, where: str) -> None:
        if not isinstance(value, dict) or not value:
            raise Rejected(f"{where} must be a table that is not empty, got {shown(value)}")
        for key, item in value.items():
            name(key)
            read(item, where)

    return of_all


def _statement(value: Data, where: str) -> None:
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        raise Rejected(f"{where} must be a statement, got {shown(value)}")


def _a_term(value: Data, where: str) -> None:
    term(value)


def _a_block(value: Data, where: str) -> None:
    if not isinstance(value, dict) or set(value) != {"shape", "formula"}:
        raise Rejected(f"{where} must be a formula about matrices with its shape, got {shown(value)}")


def _maybe(read: Callable[[Data, str], Any], empty: Any) -> Callable[[Data, str], None]:
    """The same, or nothing at all."""
    return lambda value, where: None if value == empty else read(value, where)


def _products(value: Data, where: str) -> None:
    _each(_each(_maybe(_each(_text), ())))(value, where)


def an_integral(value: Data, where: str) -> None:
    """A formula and two ends, each a formula or infinite, without derivatives and substitutions."""
    if not isinstance(value, tuple) or len(value) != 3:
        raise Rejected(f"{where} must have integrals of a formula between two ends, got {shown(value)}")
    for k, formula in enumerate(value):
        if k and formula in INFINITE:
            continue
        if carried_out(term(formula)) != formula:
            raise Rejected(f"{where} must have integrals without derivatives and substitutions inside")


def _an_end(value: Data, where: str) -> None:
    if value not in INFINITE:
        term(value)


def _an_interval(value: Data, where: str) -> None:
    if not isinstance(value, tuple) or len(value) != 2:
        raise Rejected(f"{where} must have two ends for each symbol, got {shown(value)}")
    for end in value:
        rational(end, "an end of a box")


def _a_rate(value: Data, where: str) -> None:
    if not isinstance(value, tuple) or len(value) != 3:
        raise Rejected(f"{where} must name an integral, a symbol, and the integral of the rate, got {shown(value)}")
    for letter in value:
        name(letter)


def _a_relation(value: Data, where: str) -> None:
    relation(value)


MATRIX_KINDS = {"word", "words", "motion", "table", "products"}
READ: dict[str, Callable[[Data, str], Any]] = {
    "term": _a_term,
    "terms": _each(_a_term),
    "symbol": name,
    "fresh": name,
    "flow": _table(_a_term),
    "flow or none": _maybe(_table(_a_term), {}),
    "text": _text,
    "texts": _each(_text),
    "statement": _statement,
    "statements": _each(_statement),
    "word": _a_block,
    "words": _each(_a_block),
    "motion": _table(_a_block),
    "table": _maybe(_table(_a_block), {}),
    "products": _products,
    "integrals": _table(an_integral),
    "end": _an_end,
    "facts": _each(_statement),
    "box": _maybe(_table(_an_interval), {}),
    "rates": _table(_a_rate),
    "relation": _a_relation,
    "relations": _maybe(_each(_a_relation), ()),
}


# --- statements -------------------------------------------------------------------------------------------------------


def under(slots: Data, *more: Term) -> Data:
    """The symbols and hypotheses of the slots, and further hypotheses."""
    return {"symbols": slots["symbols"], "assuming": (*slots["assuming"], *more)}


def equal(slots: Data, left: Term, right: Term, *more: Term) -> Data:
    return {"kind": "identity", "left": left, "right": right} | under(slots, *more)


def above_zero(slots: Data, what: Term, *more: Term, strict: bool = True) -> Data:
    order = ">" if strict else ">="
    return {"kind": "sign", "relation": order, "left": what, "right": ZERO} | under(slots, *more)


def conclusion(form: str, slots: Data, **parts_of_it: Any) -> Data:
    head = {key: slots[key] for key in ("symbols", "assuming", "letters", "rules") if key in slots}
    return {"kind": "concluded", "form": form} | head | parts_of_it


def negative(t: Term) -> Term:
    return ("*", MINUS_ONE, t)


def added(terms: Iterable[Term]) -> Term:
    return ("+", ZERO, *terms)


def squared(t: Term) -> Term:
    return ("^", t, TWO)


def counted(label: str, statements: Iterable[Data]) -> Needs:
    return {f"{label} {k + 1}": statement for k, statement in enumerate(statements)}


def valued(slots: Data, *formulas: Term) -> Needs:
    """The conditions under which formulas that the conclusion does not hold have values."""
    found = {condition: None for f in formulas for condition in conditions(f, slots["symbols"], smooth=False)}
    return counted("has a value", [above_zero(slots, g, strict=order == ">") for order, g in found])


def forbid(bound: Iterable[str], terms: Iterable[Term]) -> None:
    """No value and no hypothesis may speak of a symbol that the theorem binds."""
    names = frozenset(bound)
    for t in terms:
        inside = free(t) if t[0] not in (">", ">=", "!=", "=") else free(t[1]) | free(t[2])
        if clash := sorted(names & inside):
            raise Rejected(f"{clash[0]} is bound by the theorem and stands in a value or a hypothesis too")


def forbid_the_time(slots: Data) -> None:
    """Flows without a time of their own are told with a time t, so that no constant has this name."""
    if "t" in slots["symbols"]:
        raise Rejected("a constant is called t, which is the time in the conclusion")


def relations_of(slots: Data) -> tuple[Term, ...]:
    return tuple(map(relation, slots["assuming"]))


# --- where a formula is smooth ----------------------------------------------------------------------------------------

EVERYWHERE = ("s", "q", "pi", "+", "*", "exp", "sin", "cos", "sinh", "cosh", "tanh", "erf", "atan")


def must_be_positive(formula: Term, symbols: Data) -> list[Term]:
    """What has to be positive for a formula to be smooth, each thing once, if no symbol's assumption says so."""
    found: dict[Term, None] = {}
    _collect(carried_out(formula), found)
    return [t for t in found if not _is_assumed(t, symbols)]


def _is_assumed(t: Term, symbols: Data) -> bool:
    if t[0] == "s":
        return "positive" in symbols.get(t[1], ())
    is_square = t[0] == "^" and t[2] == TWO and t[1][0] == "s"
    return is_square and bool({"positive", "negative", "nonzero"} & set(symbols.get(t[1][1], ())))


def _collect(t: Term, found: dict[Term, None]) -> None:
    head = t[0]
    if head == "^":
        _collect_power(t[1], t[2], found)
    elif head == "log":
        found[t[1]] = None
    elif head == "asin":
        found["+", ONE, negative(squared(t[1]))] = None
    elif head == "abs":
        found[squared(t[1])] = None
    elif head not in EVERYWHERE:
        raise Rejected(f"a formula with {head} may not stand where a theorem asks for a smooth one")
    for inner in parts(t):
        _collect(inner, found)


def _collect_power(base: Term, exponent: Term, found: dict[Term, None]) -> None:
    value = rational(exponent[1]) if exponent[0] == "q" else None
    if value is None:
        found[base] = None
    elif value.q != 1:
        if not (base[0] == "pi" or (base[0] == "q" and rational(base[1]) > 0)):
            found[base] = None
    elif value <= 0 and base[0] not in ("q", "pi"):  # its slope is written with a negative power, for 0 as well
        found[squared(base)] = None
