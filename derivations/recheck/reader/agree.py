"""A check that a certificate speaks of what is printed: sides read from the LaTeX again are the sides of its
statement.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.reader.meaning import SUPPOSED, Facts, Given, Meaning, NoMeaning, parts_of
from derivations.recheck.reader.objects import Objects
from derivations.recheck.reader.parse import Relation, Tree, relations
from derivations.recheck.reader.scalars import Scalars
from derivations.recheck.reader.tokens import without_grouping

ORDERS = frozenset((">", ">="))
DISTINCT = ORDERS | {"!=", "->"}
KINDS = ("scalars", "objects")
SUPPOSED_PRINT = "what is printed is supposed, not claimed"
IN_WORDS = "the left side is read, in words alone, as "
SHOWN = re.compile("the left side, (.*?), stands for (.*)", re.S)  # what the left side of a print is in its statement
ALSO, CUT = "; for ", "[...]"  # between several things that a side stands for, and at the end of a note that is cut
BARE = frozenset(("letter", "call", "dt", "partial", "P"))  # sides that are names, and are computed of nothing
MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError)


def kind_of(record: Any) -> str:
    """The kind of formula that a record of an entry says it has; a print without one could say anything."""
    if not isinstance(record, dict) or record.get("kind") not in KINDS:
        raise Rejected("what is printed is not read again: print what is of numbers apart from what is of matrices")
    return str(record["kind"])


def require_agreement(
    record: Any, latex: str | None, certificate: Mapping[str, Any], notes: Collection[str] = ()
) -> set[str]:
    """Refuses a certificate that does not speak of each relation of a printed formula.

    notes: what the page tells of the print, as that a name stands for a formula. Those that tell what a left side
    stands for, where the certificate says nothing of that, are returned.
    """
    if record is None and latex is None:
        return set()
    kind_of(record)
    try:
        told = [SUPPOSED_PRINT] * bool(record["supposed"]) + [IN_WORDS + record["left_is"]] * bool(record["left_is"])
        if not set(told) <= set(notes):
            raise Rejected(f"the page does not tell how the print is meant: {' and '.join(told)}")
        if without_grouping(record["reads"]) != without_grouping(latex or ""):
            raise Rejected("what is read is another formula than the printed one")
        printed = relations(record)
        judged = Judged(normal(record), normal(certificate["statement"]), notes)
        for relation in printed if record["link"] is None else [printed[record["link"]]]:
            judged.require(relation)
        return judged.unsaid
    except MALFORMED as trouble:
        raise Rejected(f"the record of the print cannot be read ({trouble!r}): write the ledger again") from None


def two_names(entries: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    """The entries of a paper in whose prints a spelling has another name than in a print before, with what is wrong."""
    names: dict[Any, str] = {}
    for entry in entries:
        for record in (entry["reading"], entry["reading_of_corrected"]):
            for spelling, (name, _) in (record or {}).get("letters", {}).items():
                if name != names.setdefault((record["kind"], spelling), name):
                    other = names[record["kind"], spelling]
                    yield entry["id"], f"{spelling} is {name} in its print, and {other} in one before"


class Row(NamedTuple):
    """A relation of a print beside one record of a statement, with what its sides come to there."""

    meaning: Any
    facts: Facts
    left: list[Any]
    right: list[Any]


class Judged:
    """A statement, with what a print means beside each of its records."""

    def __init__(self, record: Any, statement: Any, notes: Collection[str]) -> None:
        self.record, self.notes = record, notes
        self.unsaid = set(filter(SHOWN.match, notes))
        self.records = list(_records(statement))
        self.meanings: dict[str, Any] = {}
        self.views = [(meaning, meaning.facts(said)) for said in self.records if (meaning := self.meaning(said))]

    def meaning(self, said: Mapping[str, Any]) -> Any:
        """Return the meaning of the print beside a record: one for all records that declare the same letters."""
        is_of_numbers = self.record["kind"] == "scalars"
        declared = {} if is_of_numbers else said.get("letters", said.get("arrays"))
        key = repr(declared)
        if declared is not None and key not in self.meanings:
            self.meanings[key] = Scalars(self.record) if is_of_numbers else Objects(self.record, declared)
        return self.meanings.get(key)

    def require(self, relation: Relation) -> None:
        """Refuses a relation that the statement does not speak of, in one branch of a plus-minus or in both."""
        _require_own_names(relation, self.record, self.records, self.notes)
        for upper in (True, False) if {"pm", "mp"} & {part[0] for part in parts_of(relation)} else (True,):
            rows = self.rows(relation, upper)
            shown = [note for note in self.notes if self.is_shown(relation.left, note)]
            self.unsaid -= {note for note in shown if _is_said(note, rows)}
            if not self.agrees(relation, rows, bool(shown or self.record["left_is"])):
                raise Rejected(
                    f"the certificate does not speak of what is printed, as it is read again: {relation}"[:300]
                )

    def rows(self, relation: Relation, upper: bool) -> list[Row]:
        """The records beside which the right side has a meaning."""
        sides = {}
        for meaning in self.meanings.values():
            meaning.upper = upper
            sides[meaning] = [_sides(meaning, side) for side in (relation.left, relation.right)]
        both = [(meaning, facts, *sides[meaning]) for meaning, facts in self.views]
        return [Row(meaning, facts, left or [], right) for meaning, facts, left, right in both if right is not None]

    def agrees(self, relation: Relation, rows: list[Row], is_told: bool) -> bool:
        """Check whether a statement has both sides; or the right one alone, where the left one only names it, or is
        told.
        """
        if not rows:
            return False
        if relation.left[0] == "P" == relation.right[0]:
            return relation.sign == "=" and self.are_events(rows)
        is_supposed = relation.sign != "->" and (self.record["supposed"] or relation.supposed)
        if is_supposed or relation.sign in DISTINCT or _are_related(relation.sign, rows, "claimed"):
            return _are_related(relation.sign, rows, "supposed" if is_supposed else "claimed")
        put = {name for row in rows for name in row.facts.put}
        must_be_named = not is_told or (relation.left[0] == "letter" and rows[0].meaning.name(relation.left[1]) in put)
        taken: list[Any] = []
        places = range(max(len(row.right) for row in rows))
        return all(any(_stands(relation, row, k, taken, must_be_named) for row in rows) for k in places)

    def is_shown(self, left: Tree, note: str) -> bool:
        """Check that a note of the page tells what this left side stands for: with its names, and computed as it is."""
        if (shown := SHOWN.match(note)) is None:
            return False
        names = {self.record["letters"].get(name, [name])[0] for name in _spellings(left)}
        text = re.sub(r"\bd(\w+)/d(\w+)", r"\1 \2", shown[1])
        return names <= set(re.findall(r"\w+", text)) and (left[0] in BARE) == (not set("^*+'/") & set(text))

    def are_events(self, rows: list[Row]) -> bool:
        """Check that what is positive where printed events happen stands, up to a positive number, in the statement."""
        stated = [side for row in rows for _, *both in (*row.facts.supposed, *row.facts.claimed) for side in both]
        stated += [value for row in rows for _, value in row.facts.named]
        sums = dict.fromkeys(part for side in stated for part in parts_of(side) if part[0] == "+")
        known = {name for said in self.records for name in said.get("symbols", ())}
        meaning, _, left, right = rows[0]
        events = [event for event in {*left} ^ {*right} if meaning.names(event) <= known]
        return bool(events) and all(any(meaning.proportional(event, one) for one in sums) for event in events)


def _is_said(note: str, rows: list[Row]) -> bool:
    """Check whether what a note says that a left side stands for is what the statement says of the right one."""
    told = [
        form.format(write(data))
        for meaning, facts, _, right in rows
        for value, form, write, data in facts.told
        if any(meaning.same(side, value) for side in right)
    ]
    *whole, last = note.partition(" stands for ")[2].split(ALSO)
    is_cut, begins = last.endswith(CUT), last.removesuffix(CUT).rstrip()
    ends = last in told or (is_cut and any(f"{each}{ALSO}".startswith(begins) for each in told))
    return ends and all(each in told for each in whole)


def _are_related(sign: str, rows: list[Row], where: str) -> bool:
    """Check whether each pair of sides stands in a relation of the statement, or in a hypothesis."""
    pairs = []
    for row in rows:
        both = list(zip(row.left, row.right, strict=False))
        pairs.append([(row, pair) for pair in both if pair[0] != pair[1] or len(both) == 1])
    by_place = list(zip_longest(*pairs))
    return bool(by_place) and all(
        any(_holds(sign, one[0].meaning, getattr(one[0].facts, where), *one[1]) for one in place if one)
        for place in by_place
    )


def _holds(sign: str, meaning: Any, known: list[Given], left: Any, right: Any) -> bool:
    wanted = sign if sign in DISTINCT else "="
    for order, one, other in known:
        turns = [(one, other)] if order in ORDERS else [(one, other), (other, one)]
        is_so = (order if order in DISTINCT else "=") == wanted
        if is_so and any(meaning.same(left, a) and meaning.same(right, b) for a, b in turns):
            return True
    return False


def _stands(relation: Relation, row: Row, k: int, taken: list[Any], must_be_named: bool) -> bool:
    """Check whether a right side stands in a record: as what the left one is said to be there, or is told to be."""
    meaning, facts, left, right = row
    if len(right) <= k or (relation.sign and _is_bare(meaning, right[k])):
        return False
    name, is_letter = left[k] if len(left) > k else None, relation.left[0] == "letter"
    if is_letter and isinstance(meaning, Objects):
        name = meaning.own(meaning.name(relation.left[1])) or name
    names = [a for a, b in facts.named if meaning.same(right[k], b)]
    if relation.sign and must_be_named and (name is not None or relation.left[0] not in BARE):
        return name in names
    for said in facts.asserted:
        if said not in taken and meaning.same(right[k], said):
            taken.append(said)
            return True
    return bool(names)


def _is_bare(meaning: Any, value: Any) -> bool:
    """A number, or a symbol, which stands in many a statement that has nothing to do with the print."""
    return not meaning.names(value) or any(meaning.same(value, ("s", name)) for name in meaning.names(value))


def _sides(meaning: Meaning, tree: Tree) -> Any:
    try:
        return meaning.sides(tree)
    except NoMeaning:
        return None


def _records(data: Any) -> Iterator[Any]:
    if isinstance(data, dict):
        yield data
        data = [value for key, value in data.items() if key not in SUPPOSED]
    for value in data if isinstance(data, list | tuple) else ():
        yield from _records(value)


def _require_own_names(relation: Relation, record: Any, records: Any, notes: Collection[str]) -> None:
    """A letter whose name the statement has means that, and no two names mean one thing, unless the page tells it."""
    named = {name for said in records for key in ("symbols", "letters", "arrays") for name in said.get(key, ())}
    asserted = (relation.right,) if relation.left[0] == "letter" else (relation.left, relation.right)
    told = {note.partition(" stands for ")[0] for note in notes}
    meant: dict[Any, str] = {}
    for name, value in (record["letters"][s] for s in _spellings(asserted) if s in record["letters"]):
        if value is not None and name in named - told and value[:2] not in {(kind, name) for kind in "sLA"}:
            raise Rejected(f"{name} stands in the statement, and the print means something else by it: {value}"[:300])
        if value is not None and meant.setdefault(value, name) != name and not {name, meant[value]} & told:
            raise Rejected(f"two letters of the print, {name} and {meant[value]}, are one in the statement")


def _spellings(tree: Any) -> list[str]:
    """The letters that stand in a tree, and by which derivatives are taken."""
    letters = [part[1] for part in parts_of(tree) if part[0] == "letter"]
    return letters + [part[2] for part in parts_of(tree) if part[0] in ("dt", "partial")]
