"""What fills the letters of a theorem, as untrusted data: the kinds of things that a letter may stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, name, rational, relation, shown, term
from derivations.recheck.core.statements import setting
from derivations.recheck.core.terms import carried_out

INFINITE = (("oo",), ("-oo",))
TEXT = 40  # characters of a word


class Kind(NamedTuple):
    """One thing of a sort, a list of such things, or a table of them by the names of symbols or of matrices."""

    sort: str
    many: str = ""
    may_be_empty: bool = False


KINDS = {
    "term": Kind("term"),
    "end": Kind("end"),
    "symbol": Kind("symbol"),
    "fresh": Kind("name"),
    "text": Kind("text"),
    "relation": Kind("relation"),
    "word": Kind("word"),
    "terms": Kind("term", "list"),
    "texts": Kind("text", "list"),
    "words": Kind("word", "list"),
    "facts": Kind("statement", "list"),
    "products": Kind("product", "list"),
    "relations": Kind("relation", "list", True),
    "flow": Kind("term", "table"),
    "flow or none": Kind("term", "table", True),
    "integrals": Kind("integral", "table"),
    "rates": Kind("rate", "table"),
    "box": Kind("interval", "table", True),
    "motion": Kind("word", "table"),
    "table": Kind("word", "table", True),
}
MATRICES = ("word", "product")  # sorts of theorems about matrices, which come with letters and rules


def about_matrices(letters: Mapping[str, str]) -> bool:
    return any(KINDS[kind].sort in MATRICES for kind in letters.values())


def read_slots(letters: Mapping[str, str], slots: Data, where: str) -> None:
    """Refuses slots that are missing or strange, or hold something of another kind than the theorem asks for."""
    head = {"letters", "rules"} if about_matrices(letters) else {"symbols", "assuming"}
    if set(slots) != set(letters) | head:
        raise Rejected(
            f"{where} needs exactly the slots {', '.join(sorted({*letters, *head}))}, got {shown(sorted(slots))}"
        )
    spoken: list[Term] = []
    for key, named in letters.items():
        kind, what = KINDS[named], f"the slot '{key}' of {where}"
        for item in _items(kind, slots[key], what):
            spoken += READ[kind.sort](item, what)
        if kind.many == "table" and kind.sort != "word":
            spoken += [("s", symbol) for symbol in slots[key]]
    if "symbols" in head:
        setting(slots).free(*spoken)


def _items(kind: Kind, value: Data, where: str) -> Iterator[Data]:
    """The single things in a slot."""
    if not kind.many:
        yield value
        return
    wanted: Any = {"list": tuple, "table": dict}[kind.many]
    if not isinstance(value, wanted) or not (value or kind.may_be_empty):
        raise Rejected(f"{where} must be a {kind.many}{'' if kind.may_be_empty else ', not empty'}, got {shown(value)}")
    for key in value if kind.many == "table" else ():
        name(key)
    yield from value.values() if kind.many == "table" else value


def _name(value: Data, where: str) -> list[Term]:
    name(value, where)
    return []


def _end(value: Data, where: str) -> list[Term]:
    return [] if value in INFINITE else [term(value)]


def _text(value: Data, where: str) -> list[Term]:
    if not isinstance(value, str) or not 0 < len(value) <= TEXT:
        raise Rejected(f"{where} must be a short text, got {shown(value)}")
    return []


def _statement(value: Data, where: str) -> list[Term]:
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        raise Rejected(f"{where} must be a statement, got {shown(value)}")
    return []


def _word(value: Data, where: str) -> list[Term]:
    if not isinstance(value, dict) or set(value) != {"shape", "formula"} or len(value["shape"]) != 2:
        raise Rejected(f"{where} must be a formula about matrices with its shape, got {shown(value)}")
    return []


def _product(value: Data, where: str) -> list[Term]:
    """An equation between two products of letters: two lists of names."""
    if not isinstance(value, tuple) or len(value) != 2 or not all(isinstance(side, tuple) for side in value):
        raise Rejected(f"{where} must be equations between two products, got {shown(value)}")
    for factor in (*value[0], *value[1]):
        _text(factor, where)
    return []


def an_integral(value: Data, where: str) -> list[Term]:
    """A formula and two ends, each a formula or infinite, without derivatives and substitutions."""
    if not isinstance(value, tuple) or len(value) != 3:
        raise Rejected(f"{where} must have integrals of a formula between two ends, got {shown(value)}")
    found = [term(value[0]), *_end(value[1], where), *_end(value[2], where)]
    if any(carried_out(formula) != formula for formula in found):
        raise Rejected(f"{where} must have integrals without derivatives and substitutions inside")
    return found


def _interval(value: Data, where: str) -> list[Term]:
    if not isinstance(value, tuple) or len(value) != 2:
        raise Rejected(f"{where} must have two ends for each symbol, got {shown(value)}")
    for end in value:
        rational(end, "an end of a box")
    return []


def _rate(value: Data, where: str) -> list[Term]:
    if not isinstance(value, tuple) or len(value) != 3:
        raise Rejected(f"{where} must name an integral, a symbol, and the integral of the rate, got {shown(value)}")
    return [("s", name(letter)) for letter in value]


def _relation(value: Data, where: str) -> list[Term]:
    relation(value)
    return []


READ: dict[str, Callable[[Data, str], list[Any]]] = {
    "term": lambda value, where: [term(value)],
    "end": _end,
    "symbol": lambda value, where: [("s", name(value))],
    "name": _name,
    "text": _text,
    "statement": _statement,
    "word": _word,
    "product": _product,
    "integral": an_integral,
    "interval": _interval,
    "rate": _rate,
    "relation": _relation,
}
"""Reads one thing of a sort, or refuses it, and returns the formulas in it."""
