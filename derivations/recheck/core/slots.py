"""The fillings of a theorem's letters, as untrusted data: the kinds of things that a letter may stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import Any, NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, name, rational, relation, require, shown, term
from derivations.recheck.core.statements import WORDS, setting
from derivations.recheck.core.terms import carried_out, free, parts
from derivations.recheck.core.words.values import names_in, read_letters, with_defined

INFINITE = (("oo",), ("-oo",))
STANDING = ("state", "rate")  # letters of theorems for a solution, and for the rate of an integral
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
    "letter": Kind("letter"),
    "text": Kind("text"),
    "relation": Kind("relation"),
    "plain": Kind("plain"),
    "number": Kind("rational"),
    "order": Kind("order"),
    "word": Kind("word"),
    "terms": Kind("term", "list"),
    "plains": Kind("plain", "list", True),
    "numbers": Kind("rational", "list", True),
    "texts": Kind("text", "list"),
    "words": Kind("word", "list"),
    "products": Kind("product", "list"),
    "relations": Kind("relation", "list", True),
    "flow": Kind("term", "table"),
    "flow or none": Kind("term", "table", True),
    "plain flow": Kind("plain", "table"),
    "times": Kind("times"),
    "integrals": Kind("integral", "table"),
    "box": Kind("interval", "table", True),
    "signs": Kind("signs", "table", True),
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
    compared: list[Term] = [*slots["assuming"]] if "assuming" in head else []
    for key, named in letters.items():
        kind, what = KINDS[named], f"the slot '{key}' of {where}"
        for item in _items(kind, slots[key], what):
            spoken += read(kind.sort, item, what)
            compared += [item] if kind.sort == "relation" else []
        if kind.many == "table" and kind.sort != "word":
            spoken += [("s", symbol) for symbol in slots[key]]
    if "symbols" in head:
        setting(slots).free(*spoken)
        sides = [side for _, *both in map(relation, compared) for side in both]
        require_by_themselves([*spoken, *sides], _standing(letters, slots))
    else:
        _require_matrices(letters, slots)


def _standing(letters: Mapping[str, str], slots: Data) -> set[str]:
    """The symbols that stand for solutions, for integrals and for their rates."""
    kinds = {key: KINDS[named] for key, named in letters.items()}
    tables = [key for key, kind in kinds.items() if kind.many == "table" and kind.sort in ("term", "plain", "integral")]
    alone = {slots[key] for key, kind in kinds.items() if key in STANDING and kind.sort == "symbol"}
    return alone.union(*(slots[key] for key in tables))


def _require_matrices(letters: Mapping[str, str], slots: Data) -> None:
    """Matrices have their shapes, and what moves has gradients by letters that move, and by no constants."""
    kinds = {key: KINDS[named] for key, named in letters.items() if KINDS[named].sort == "word"}
    moving = {x for key, kind in kinds.items() if kind.many == "table" for x in slots[key]}
    driven = with_defined(slots["letters"], moving)
    blocks = [block for key, kind in kinds.items() for block in _items(kind, slots[key], key)]
    values = read_letters(slots["letters"])
    for block in blocks:
        values.side(block)  # of the shape that it says
    todo = [block["formula"] for block in blocks]
    todo += [rule[side]["formula"] for rule in slots["rules"] for side in ("left", "right")]
    while todo:
        formula = todo.pop()
        if formula[:1] == ("gradient",):
            hidden = names_in({"formula": formula[1]}) & driven if formula[2] not in moving else ()
            require(not hidden, f"a gradient by {formula[2]} would leave out how {', '.join(sorted(hidden))} changes")
        todo += [part for part in formula if isinstance(part, tuple)]


def require_by_themselves(formulas: Iterable[Term], standing: Set[str]) -> None:
    """Symbols for solutions and integrals depend on others, of which no derivative or substitution here would know."""
    todo = list(formulas)
    while todo:
        formula = todo.pop()
        varied = {formula[2]} if formula[0] == "D" else {x for x, _ in formula[2]} if formula[0] == "at" else set()
        if varied - standing and (hidden := free(formula[1]) & standing):
            raise Rejected(f"{shown(formula)} would leave out how {', '.join(sorted(hidden))} changes: write it out")
        todo += parts(formula)


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


SHAPES = {
    "integral": ("plain", "end", "end"),
    "interval": ("number", "number"),
    "product": ("names", "names"),
}
"""Things that are lists of other things."""
WITHOUT_END = ({"kind": "forever"}, {"kind": "while defined"})
FITS: dict[str, Callable[[Data], object]] = {
    "rational": lambda value: term(value)[0] == "q",
    "order": lambda value: value in (">", ">="),
    "name": name,
    "letter": name,
    "number": lambda value: str(rational(value)),
    "relation": relation,
    "signs": lambda value: isinstance(value, tuple) and all(word in tuple(WORDS) for word in value),
    "text": lambda value: isinstance(value, str) and 0 < len(value) <= TEXT,
    "names": lambda value: isinstance(value, tuple) and all(map(FITS["text"], value)),
    "word": lambda value: isinstance(value, dict) and set(value) == {"shape", "formula"} and len(value["shape"]) == 2,
}
"""Checks of the sorts in which no formula has to be looked through."""


def read(sort: str, value: Data, where: str) -> list[Term]:
    """Reads one thing of a sort, or refuses it, and returns the formulas in it."""
    if sort in SHAPES:
        whole = isinstance(value, tuple) and len(value) == len(SHAPES[sort])
        require(whole, f"{where} must have each {sort} as a list of {', '.join(SHAPES[sort])}, got {shown(value)}")
        return [formula for part, item in zip(SHAPES[sort], value, strict=True) for formula in read(part, item, where)]
    match sort:
        case "symbol":
            return [("s", name(value))]
        case "term":
            return [term(value)]
        case "plain":
            require(carried_out(term(value)) == value, f"{where} holds a derivative or a substitution: write it out")
            return [value]
        case "end":
            return [] if value in INFINITE else read("plain", value, where)
        case "times" if value not in WITHOUT_END:
            require(set(value) == {"kind", "end"} and value["kind"] == "until", f"{where} is no interval of times")
            return read("plain", value["end"], where)
    require(sort == "times" or FITS[sort](value), f"{where} must be a {sort}, got {shown(value)}")
    return []
