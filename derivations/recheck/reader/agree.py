"""Whether a certificate speaks of what is printed: sides read from the LaTeX again are the sides of its statement."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.reader.meaning import SUPPOSED, Given, Meaning, NoMeaning, parts_of
from derivations.recheck.reader.objects import Objects
from derivations.recheck.reader.parse import Relation, Tree, relations
from derivations.recheck.reader.scalars import Scalars, proportional
from derivations.recheck.reader.tokens import without_grouping

ORDERS = frozenset((">", ">="))
DISTINCT = ORDERS | {"!="}
KINDS = ("scalars", "objects")
SUPPOSED_PRINT = "what is printed is supposed, not claimed"
IN_WORDS = "the left side is read, in words alone, as "
SHOWN = re.compile(
    "the left side, (.*?), stands for "
)  # a page tells what the left side of a print is in its statement
BARE = frozenset(("letter", "call", "dt", "partial", "P"))  # sides that are names, and are computed of nothing


def kind_of(record: Any) -> str:
    """The kind of formula that a record of an entry says it has; a print without one could say anything."""
    if not isinstance(record, dict) or record.get("kind") not in KINDS:
        raise Rejected("what is printed is not read again: print what is of numbers apart from what is of matrices")
    return str(record["kind"])


def require_agreement(
    record: Any, latex: str | None, certificate: Mapping[str, Any], notes: Collection[str] = ()
) -> None:
    """Refuses a certificate that does not speak of each relation of a printed formula.

    notes: what the page tells of the print, as that a name stands for a formula.
    """
    if record is None and latex is None:
        return
    kind_of(record)
    try:
        judged = Judged(normal(record), normal(certificate["statement"]), notes)
        told = [SUPPOSED_PRINT] * bool(record["supposed"]) + [IN_WORDS + record["left_is"]] * bool(record["left_is"])
        if not set(told) <= set(notes):
            raise Rejected(f"the page does not tell how the print is meant: {' and '.join(told)}")
        if without_grouping(record["reads"]) != without_grouping(latex or ""):
            raise Rejected("what is read is another formula than the printed one")
        printed = relations(record)
        for relation in printed if record["link"] is None else [printed[record["link"]]]:
            judged.require(relation)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as trouble:
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


class Judged:
    """A statement, with what a print means beside each of its records."""

    def __init__(self, record: Any, statement: Any, notes: Collection[str]) -> None:
        self.record, self.notes = record, notes
        self.records = list(_records(statement))
        self.views = list(_meanings(record, statement))

    def require(self, relation: Relation) -> None:
        """Refuses a relation that the statement does not speak of, in one branch of a plus-minus or in both."""
        is_told = bool(self.record["left_is"]) or any(self.is_shown(relation.left, note) for note in self.notes)
        _require_own_names(relation, self.record, self.records, self.notes)
        for upper in (True, False) if {"pm", "mp"} & {part[0] for part in parts_of(relation)} else (True,):
            for view in self.views:
                view.upper = upper
            if not _Print(relation, self.record, self.views, is_told).agrees():
                raise Rejected(
                    f"the certificate does not speak of what is printed, as it is read again: {relation}"[:300]
                )

    def is_shown(self, left: Tree, note: str) -> bool:
        """Whether a note of the page tells what this left side stands for: with its names, and computed as it is."""
        shown = SHOWN.match(note)
        names = {self.record["letters"].get(name, [name])[0] for name in _spellings(left)}
        text = re.sub(r"\bd(\w+)/d(\w+)", r"\1 \2", shown[1] if shown else "")
        return names <= set(re.findall(r"\w+", text)) and (left[0] in BARE) == (not set("^*+'/") & set(text))


def _meanings(record: Any, statement: Any) -> Iterator[Meaning]:
    """What the print means beside each record of a statement."""
    for said in _records(statement):
        if record["kind"] == "scalars":
            yield Scalars(record, said)
        elif {"letters", "arrays"} & set(said):
            yield Objects(record, said)


def _records(data: Any) -> Iterator[Any]:
    if isinstance(data, dict):
        yield data
        for key, value in data.items():
            if key not in SUPPOSED:
                yield from _records(value)
    elif isinstance(data, tuple):
        for value in data:
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


class _Print:
    """One relation of a print beside all records of a statement."""

    def __init__(self, relation: Relation, record: Any, views: list[Meaning], is_told: bool) -> None:
        self.sign, self.left, self.is_told = relation.sign, relation.left, is_told
        self.is_supposed = record["supposed"] or relation.supposed
        self.is_event = relation.left[0] == "P" == relation.right[0]
        rows = [(view, view.facts, _sides(view, relation.left) or [], _sides(view, relation.right)) for view in views]
        self.rows = [row for row in rows if row[3] is not None]

    def agrees(self) -> bool:
        """Whether a statement has both sides; or the right one alone, where the left one only names it, or is told."""
        if not self.rows or self.sign == ">>":
            return bool(self.rows) and self.is_limit()
        if self.is_event:
            return self.sign == "=" and self.are_events()
        if self.is_supposed or self.sign in DISTINCT or self.is_related(False):
            return self.is_related(self.is_supposed)
        taken: list[Any] = []
        sides = range(max(len(right) for *_, right in self.rows))
        return all(any(self.stands(row, k, taken) for row in self.rows) for k in sides)

    def is_related(self, is_given: bool) -> bool:
        """Whether each pair of sides stands in a relation of the statement, or in a hypothesis."""
        both = [(row, list(zip(row[2], row[3], strict=False))) for row in self.rows]
        pairs = [(row, [pair for pair in some if pair[0] != pair[1] or len(some) == 1]) for row, some in both]
        count = max(len(some) for _, some in pairs)
        related = [
            any(
                len(some) > k and self.holds(view, facts.given if is_given else facts.leaves, some[k])
                for (view, facts, *_), some in pairs
            )
            for k in range(count)
        ]
        return count > 0 and all(related)

    def holds(self, view: Meaning, known: list[Given], pair: tuple[Any, Any]) -> bool:
        for order, *sides in known:
            turns = [sides] if order in ORDERS else [sides, sides[::-1]]
            is_so = (order if order in DISTINCT else "=") == (self.sign if self.sign in DISTINCT else "=")
            if is_so and any(view.same(pair[0], one) and view.same(pair[1], other) for one, other in turns):
                return True
        return False

    def stands(self, row: Any, k: int, taken: list[Any]) -> bool:
        """Whether a right side stands in a record: as what the left one is said to be there, or is told to be."""
        view, facts, left, right = row
        if len(right) <= k or (self.sign and _is_bare(view, right[k])):
            return False
        name = left[k] if len(left) > k else None
        if self.left[0] == "letter" and isinstance(view, Objects):
            name = view.own(view.name(self.left[1])) or name
        names = [a for a, b in facts.named if view.same(right[k], b)]
        is_letter = self.left[0] == "letter" and name is not None
        is_defined = is_letter and any(view.name(self.left[1]) in other.defined for _, other, *_ in self.rows)
        is_computed = name is not None or self.left[0] not in BARE
        if self.sign and (is_defined or (is_computed and not self.is_told)):
            return name in names
        for said in facts.said:
            if said not in taken and view.same(right[k], said):
                taken.append(said)
                return True
        return bool(names)

    def is_limit(self) -> bool:
        """Whether one side over the other, which is far larger, goes to zero."""
        view, _, left, right = self.rows[0]
        limits = [v.said for v, *_ in self.rows if v.said.get("kind") == "limit" and v.said["value"] == ("q", "0")]
        ratios = [view.product(b, view.inverse(a)) for a, b in zip(left, right, strict=True)]
        return bool(ratios) and all(any(view.same(ratio, one["expression"]) for one in limits) for ratio in ratios)

    def are_events(self) -> bool:
        """Whether what is positive where printed events happen stands, up to a positive number, in the statement."""
        view, _, left, right = self.rows[0]
        facts = [facts for _, facts, *_ in self.rows]
        stated = [side for each in facts for _, *sides in (*each.given, *each.leaves) for side in sides]
        stated += [put for each in facts for _, put in each.named]
        sums = dict.fromkeys(part for side in stated for part in parts_of(side) if part[0] == "+")
        known = {name for other, *_ in self.rows for name in other.said.get("symbols", ())}
        events = [event for event in {*left} ^ {*right} if view.names(event) <= known]
        return bool(events) and all(any(proportional(event, one) for one in sums) for event in events)


def _is_bare(view: Meaning, value: Any) -> bool:
    """A number, or a symbol, which stands in many a statement that has nothing to do with the print."""
    return not view.names(value) or any(view.same(value, ("s", name)) for name in view.names(value))


def _sides(view: Meaning, tree: Tree) -> Any:
    try:
        return view.sides(tree)
    except NoMeaning:
        return None
