"""The fillings of a theorem's letters, as untrusted data: the kinds of things that a letter may stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from typing import NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, require, shown
from derivations.recheck.core.shapes import SHAPES, read
from derivations.recheck.core.statements import setting
from derivations.recheck.core.terms import free, parts
from derivations.recheck.core.words.values import Values, names_in, with_defined

INFINITE = (("oo",), ("-oo",))
STANDING = ("state", "rate")  # letters of theorems for a solution, and for the rate of an integral
HEADS = {"symbols": "{signs}", "assuming": "[relation]", "letters": "{matrix}", "rules": "[rule]"}


class Kind(NamedTuple):
    """One thing of a sort, a list of such things, or a table of them by the names of symbols or of matrices."""

    sort: str
    many: str = ""
    may_be_empty: bool = False


def _kind(shape: str) -> Kind:
    return Kind(shape.strip("[]{}+"), {"[": "list", "{": "table"}.get(shape[0], ""), shape[-1] in "]}")


LETTERS: dict[str, str] = SHAPES["letters"]
KINDS = {name: _kind(shape) for name, shape in LETTERS.items()}
MATRICES = ("word", "product")  # sorts of theorems about matrices, which come with letters and rules


def about_matrices(letters: Mapping[str, str]) -> bool:
    return any(KINDS[kind].sort in MATRICES for kind in letters.values())


def read_slots(letters: Mapping[str, str], slots: Data, where: str) -> None:
    """Refuses slots that are missing or strange, or hold something of another kind than the theorem asks for."""
    head = {"letters", "rules"} if about_matrices(letters) else {"symbols", "assuming"}
    whole = set(slots) == {*letters, *head}
    require(whole, f"{where} needs exactly the slots {', '.join({*letters, *head})}, got {shown(sorted(slots))}")
    for key in sorted(head):
        read(HEADS[key], slots[key], f"the {key} of {where}")
    spoken = [
        formula
        for key, kind in letters.items()
        for formula in read(LETTERS[kind], slots[key], f"the slot '{key}' of {where}")
    ]
    if "symbols" in head:
        spoken += [
            ("s", symbol) for key, kind in letters.items() if KINDS[kind].many == "table" for symbol in slots[key]
        ]
        setting(slots).free(*spoken)
        sides = [side for relation in slots["assuming"] for side in relation[1:]]
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
    blocks = list[Data]()
    for key, kind in kinds.items():
        blocks += [slots[key]] if not kind.many else slots[key].values() if kind.many == "table" else slots[key]
    values = Values(slots["letters"])
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
