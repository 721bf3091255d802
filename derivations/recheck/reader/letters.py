"""Letters of a print: what each means beside the names of a statement, and which meanings a page has to tell.

A letter with its subscripts and marks that means the symbol of its name needs no word; whatever else a person lets a
spelling mean is told, as it is computed here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from derivations.recheck.ledgers.formulas import written
from derivations.recheck.reader.parse import Relation, parts_of
from derivations.recheck.reader.tokens import SCRIPTS, SIGNS, closed, text_of, tokens

LONGEST = 60  # characters of a meaning
GREEK = "|".join(SIGNS["greek"].split())
LETTER = re.compile(
    rf"([A-Za-z]|\\(?:{GREEK}))|\\(?:math(?:bf|cal|sf|it|frak|rm)|bm|boldsymbol)\{{(?:[A-Za-z]|\\(?:{GREEK}))\}}"
)


def spellings(relations: Iterable[Relation]) -> list[str]:
    """The letters of some relations, each once."""
    sides = tuple(relation[2:4] for relation in relations)
    return [*dict.fromkeys(part[1] for part in parts_of(sides) if part[0] == "letter")]


def meanings(record: Mapping[str, Any], letters: list[str]) -> Iterator[str]:
    """Return what a page has to say of letters that mean something else than the symbol of their name, or the same."""
    values = [record["letters"].get(spelling, ("", None)) for spelling in letters]
    for spelling, (name, value) in zip(letters, values, strict=True):
        if value is None or value[0] == "index":
            continue
        shorter = [
            other
            for other, (_, meant) in zip(letters, values, strict=True)
            if len(other) < len(spelling) and meant == value
        ]
        if shorter or not (is_plain(tokens(spelling)) and is_own(name, value)):
            yield f"{shortly(spelling)} is {text(value)}"


def is_own(name: str, value: Any) -> bool:
    """Check whether a value is the symbol of a name, an entry of the array of this name, a size, or a unit matrix."""
    if value[0] == "A":
        return name in ["_".join(value[1:k]) for k in range(2, len(value) + 1)]
    return bool(value[1:2] == (name,) or value[0] == name == "I") and value[0] in ("s", "L", "size", "I")


def is_plain(signs: list[str]) -> bool:
    """Check whether a spelling is one letter, perhaps with an accent, subscripts and marks, at a time or not."""
    base, *signs = signs[1:] if signs[0] in SIGNS["small"] and len(signs) > 1 else signs
    if base in SIGNS["spelling"]["of_one"]:
        base, *signs = signs[1 : closed(signs, 0) - 1] + signs[closed(signs, 0) :]
    while signs and signs[0] in SCRIPTS:
        mark, inside, signs = signs[0], signs[2 : closed(signs, 1) - 1], signs[closed(signs, 1) :]
        if mark == "^" and not {*inside} <= {*SIGNS["marks"]}:
            return False
    is_at = not signs or (len(signs) == len("(t)") and signs[0] == "(" and (signs[1] == "0" or signs[1].isalpha()))
    return is_at and bool(LETTER.fullmatch(base)) and base != "e"


def shortly(spelling: str) -> str:
    return text_of(tokens(spelling))


def text(value: Any) -> str:
    """A meaning as text, cut where it is long."""
    if value[0] == "matrix":
        return "a matrix of matrices"
    heads = {part[0] for part in parts_of(value)}
    sort = "sums" if heads & {"A", "size", "terms", "sum"} else "matrices" if heads & {"L", "I", "0"} else "numbers"
    said = written(sort, value)
    return said if len(said) <= LONGEST else f"{said[:LONGEST]}..."
