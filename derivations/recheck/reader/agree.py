"""Whether a certificate speaks of what is printed: sides read from the LaTeX again have the values of its sides.

Values are compared in balls at exact points, where every symbol has a value that its declared sign allows. Two sides
that differ as functions agree at none of them; two that agree at all of them are not told apart.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from flint import arb, fmpq

from derivations.recheck.core.balls import Undefined, enclosure
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import FUNCTIONS, Term, normal, term
from derivations.recheck.core.terms import free_in
from derivations.recheck.reader.parse import Relation, relations
from derivations.recheck.reader.scalars import Meaning, NoMeaning
from derivations.recheck.reader.tokens import without_grouping

BITS, POINTS, TRIES = 192, 3, 40
SEED = 20261128
SUPPOSED = frozenset(("assuming", "symbols", "squares", "letters", "flow", "start", "rules"))
ORDERS = frozenset((">", ">="))
KINDS = ("scalar", "unread")
HEADS = frozenset(("+", "*", "^", "D", "at", "s", "q", "pi", *FUNCTIONS))
NAMES = frozenset(("letter", "call"))  # printed left sides that may be names of what stands on the right


def kind_of(record: Any) -> str:
    """Which kind of formula a record of an entry says that it has."""
    if record is None:
        return ""
    if not isinstance(record, dict) or record.get("kind") not in KINDS:
        raise Rejected(f"what is printed is {' or '.join(KINDS)}: write the ledger again")
    return str(record["kind"])


def require_agreement(record: Any, latex: str | None, certificate: Mapping[str, Any]) -> None:
    """Refuses a certificate that does not speak of each relation of a printed formula."""
    if kind_of(record) == "scalar":
        record = normal(record)
        try:
            printed = relations(record["reads"], record["letters"], record["functions"])
            meaning = Meaning(record)
            is_print = without_grouping(record["reads"]) == without_grouping(latex or "")
            printed = printed if record["link"] is None else [printed[record["link"]]]
        except (KeyError, TypeError, ValueError, IndexError) as trouble:
            raise Rejected(f"the record of the print cannot be read ({trouble}): write the ledger again") from None
        if not is_print:
            raise Rejected("what is read is another formula than the printed one")
        for relation in printed:
            _require(relation, meaning, normal(certificate["statement"]), record["supposed"], bool(record["left_is"]))


def _require(relation: Relation, meaning: Meaning, statement: Any, supposed: bool, is_told: bool) -> None:
    """Each branch of a plus-minus is judged, as a relation of its own."""
    for upper in (True, False) if "'pm'" in repr(relation) or "'mp'" in repr(relation) else (True,):
        meaning.upper = upper
        right = meaning.sides(relation.right)
        try:
            left = meaning.sides(relation.left)
        except NoMeaning:
            left = []
        head, *inside = relation.left
        is_name = head in NAMES or (head == "d" and inside[0][0] == "letter")
        is_named = is_told or (is_name and all(side[0] == "s" for side in left))
        asked = Asked(statement, supposed or relation.supposed, "told" if is_told else "named" if is_named else "")
        if not _agrees(relation, left, right, asked):
            raise Rejected(f"the certificate does not speak of what is printed, as it is read again: {relation}"[:300])


class Asked(NamedTuple):
    """A statement; whether a print is its condition; and whether the left side is "told" in words, or "named" only."""

    statement: Any
    supposed: bool
    naming: str


def _agrees(relation: Relation, left: list[Term], right: list[Term], asked: Asked) -> bool:
    """Whether a statement has these sides; where it has the right one alone, the left one only names it, or is told."""
    statement, supposed, naming = asked
    pairs = [pair for pair in zip(left, right, strict=False) if pair[0] != pair[1] or len(left) == 1]
    if relation.sign == ">>":
        return bool(pairs) and all(_in_a_limit(a, b, statement) for a, b in pairs)
    if supposed:
        given = [(order, (a, b)) for leaf in _leaves(statement) for order, a, b in leaf.get("assuming", ())]
        return bool(pairs) and all(any(_is(relation.sign, pair, *one) for one in given) for pair in pairs)
    leaves = [(leaf.get("relation", "="), (leaf["left"], leaf["right"])) for leaf in _leaves(statement)]
    if pairs and all(any(_is(relation.sign, pair, *leaf) for leaf in leaves) for pair in pairs):
        return True
    if relation.sign in {*ORDERS, "!="} or (relation.sign and not naming):
        return False
    if relation.sign and any(side[0] in ("s", "q", "pi") for side in right):
        return False
    name = left[0] if len(left) == 1 and left[0][0] == "s" and naming == "named" else None
    taken: set[Term] = set()
    return all(_stands(side, name, statement, naming == "told", taken) for side in right)


def _stands(side: Term, name: Term | None, statement: Any, within: bool, taken: set[Term]) -> bool:
    """Whether a formula stands in a statement: as what its name is said to be, or where its name means nothing else.

    `within` a substitution counts too, where the left side is told in words; no two sides are one formula that is said.
    """
    records = list(_records(statement))
    names = [a for record in records for a, b in _named(record) if same(side, b)]
    if names and name is not None:
        return name in names
    for record in records:
        said = [value for value in _values(record) if _is_formula(value)]
        letters = free_in(said)
        said += [part[1] for value in said if within for part in _parts(value) if part[0] == "at"]
        if name is None or name[1] not in letters:
            for other in said:
                if other not in taken and same(side, other):
                    taken.add(other)
                    return True
    return bool(names)


def _named(record: Any) -> Iterator[tuple[Term, Term]]:
    """What a record says that letters are: solutions, what is put in for them, and definitions among its hypotheses."""
    solved = record.get("solution")
    found = [(("s", key), value) for key, value in solved.items()] if isinstance(solved, dict) else []
    for value in _values(record):
        found += [(("s", key), put) for part in _parts(value) if part[0] == "at" for key, put in part[2]]
    found += [sides for order, *sides in record.get("assuming", ()) if order == "="]
    yield from ((a, b) for a, b in found if _is_formula(b))


def _values(record: Any) -> list[Any]:
    """What a record asserts directly, with the members of its lists."""
    own = [value for key, value in record.items() if key not in SUPPOSED and isinstance(value, tuple)]
    return own + [each for value in own if not _is_formula(value) for each in value if isinstance(each, tuple)]


def _parts(formula: Any) -> Iterator[Any]:
    if isinstance(formula, tuple):
        if formula and isinstance(formula[0], str):
            yield formula
        for part in formula:
            yield from _parts(part)


def _is(sign: str, pair: tuple[Term, Term], order: str, sides: tuple[Term, Term]) -> bool:
    if (order if order in ORDERS else "=") != (sign if sign in ORDERS else "="):
        return False
    turns = [sides] if order in ORDERS else [sides, sides[::-1]]
    return any(same(pair[0], a) and same(pair[1], b) for a, b in turns)


def _in_a_limit(above: Term, below: Term, statement: Any) -> bool:
    ratio = ("*", below, ("^", above, ("q", "-1")))
    limits = [part for part in _records(statement) if part.get("kind") == "limit" and part["value"] == ("q", "0")]
    return any(same(ratio, part["expression"]) for part in limits)


def _records(data: Any) -> Iterator[Any]:
    if isinstance(data, dict):
        yield data
        for key, value in data.items():
            if key not in SUPPOSED:
                yield from _records(value)
    elif isinstance(data, tuple):
        for value in data:
            yield from _records(value)


def _leaves(statement: Any) -> list[Any]:
    """The records that relate two formulas, in statements and in what theorems are about."""
    return [part for part in _records(statement) if _is_formula(part.get("left")) and _is_formula(part.get("right"))]


def _is_formula(data: Any) -> bool:
    if not (isinstance(data, tuple) and data and isinstance(data[0], str) and data[0] in HEADS):
        return False
    try:
        term(data)
    except (Rejected, TypeError):
        return False
    return True


def same(one: Term, other: Term) -> bool:
    """Whether two formulas have the same values at a few points, of which each is tried that gives both a value."""
    if one == other:
        return True
    names = sorted(free_in([one, other]))
    draw = random.Random(SEED)
    tried = 0
    for attempt in range(TRIES):
        point = {name: _value(draw, attempt) for name in names}
        try:
            difference = enclosure(one, point, BITS) - enclosure(other, point, BITS)
        except (Undefined, Rejected, ZeroDivisionError):
            continue
        if not difference.is_finite():
            continue
        if not difference.contains(0) or difference.rad() > arb(2) ** -40:
            return False
        tried += 1
        if tried == POINTS:
            return True
    return False


def _value(draw: random.Random, attempt: int) -> Any:
    """A value of a symbol: above zero at first, and below zero too in every second try."""
    size = fmpq(draw.randint(1, 400), draw.randint(101, 199))
    return -size if attempt % 2 and draw.random() < 0.5 else size
