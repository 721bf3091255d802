"""A check that a certificate speaks of what is printed: sides read from the LaTeX again are the sides of its statement.

A left side may be a name, or another thing without a meaning of its own. A note on the page then tells what it stands
for, and this has to be what the statement says of the right side.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal, require
from derivations.recheck.reader.facts import Fact, Meaning, facts, records
from derivations.recheck.reader.meaning import NoMeaning, parts_of
from derivations.recheck.reader.objects import Objects
from derivations.recheck.reader.parse import Relation, Tree, relations
from derivations.recheck.reader.scalars import Scalars
from derivations.recheck.reader.tokens import SIGNS, outside, tokens, without_grouping

IN_WORDS_ALONE = ("=", "~")  # between a side that is read in words, and what it is or how it is distributed
KINDS = ("scalars", "objects")
SUPPOSED_PRINT = "what is printed is supposed, not claimed"
TOLD, STANDS_FOR, ALSO, CUT = "the left side, ", ", stands for ", "; for ", " [...]"
IN_WORDS = ", is read, in words alone, as "
MALFORMED = (KeyError, TypeError, ValueError, IndexError, AttributeError)


def kind_of(record: Any) -> str:
    """The kind of formula that a record of an entry says it has; a print without one could say anything."""
    if not isinstance(record, dict) or record.get("kind") not in KINDS:
        raise Rejected("what is printed is not read again: print what is of numbers apart from what is of matrices")
    return str(record["kind"])


def require_agreement(
    record: Any, latex: str | None, certificate: Mapping[str, Any], notes: Collection[str] = ()
) -> None:
    """Refuses a certificate that does not speak of each relation of a printed formula.

    notes: what the page tells of the print, as that a name stands for a formula; one about a left side has to be true.
    """
    if record is None and latex is None:
        return
    kind_of(record)
    try:
        due = [SUPPOSED_PRINT] * bool(record["supposed"])
        due += [f"a superscript {mark} is a transpose" for mark in record["transposes"]]
        require(set(due) <= set(notes), f"the page does not tell how the print is meant: {' and '.join(due)}")
        is_same = without_grouping(record["reads"]) == without_grouping(latex or "")
        require(is_same, "what is read is another formula than the printed one")
        judged = Judged(normal(record), normal(certificate["statement"]), notes)
        if record["left_is"]:
            judged.require_words(record["left_is"])
        for relation in judged.printed:
            judged.require(relation)
        untrue = [note for note in notes if note.startswith(TOLD) and note not in judged.true]
        require(not untrue, f"the statement does not say what the page tells of a left side: {untrue}"[:300])
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


class Pair(NamedTuple):
    """A value of a right side beside one part of a statement, and what the left side may be there."""

    meaning: Meaning
    facts: list[Fact]
    lefts: list[Any]
    right: Any

    def agrees(self, sign: str, is_supposed: bool) -> bool:
        """Check whether a fact says of both what is printed of them."""
        return any(
            any(self.meaning.same(left, fact.left) for left in self.lefts) and self.is_right(fact)
            for fact in self.facts
            if fact.is_supposed is is_supposed and fact.sign == sign and fact.left is not None
        )

    def is_right(self, fact: Fact) -> bool:
        return bool(self.meaning.same(self.right, fact.right))

    def tells(self, fact: Fact) -> bool:
        """Check whether a page may tell by a fact what the left side is: a letter is not told by what it stands in."""
        own = {self.meaning.name_of(left) for left in self.lefts}
        sides = [side for side in fact[2:4] if side is not None and not fact.is_supposed]
        return self.is_right(fact) and not any(own & {*self.meaning.names(side)} for side in sides)

    def is_claimed(self, fact: Fact) -> bool:
        """Check whether the value is a side of a fact that is not supposed."""
        is_left = fact.left is not None and self.meaning.same(self.right, fact.left)
        return not fact.is_supposed and (is_left or self.is_right(fact))


class Judged:
    """A statement, with what a print means beside each of its parts; and the notes about left sides that are true."""

    def __init__(self, record: Any, statement: Any, notes: Collection[str]) -> None:
        self.record, self.notes, self.true = record, list(notes), set[str]()
        printed = relations(record)
        self.printed = printed if record["link"] is None else [printed[record["link"]]]
        self.records = list(records(statement))
        self.meanings: dict[str, Meaning] = {}
        beside = [(meaning, said) for said in self.records if (meaning := self.meaning(said))]
        self.views = [(meaning, list(facts(said, meaning, bool(record["left_is"])))) for meaning, said in beside]

    def meaning(self, said: Mapping[str, Any]) -> Meaning:
        """Return the meaning of the print beside a part: one for all parts that declare the same letters."""
        is_of_numbers = self.record["kind"] == "scalars"
        declared = {} if is_of_numbers else said.get("letters", said.get("arrays"))
        key = repr(declared)
        if declared is not None and key not in self.meanings:
            self.meanings[key] = Scalars(self.record) if is_of_numbers else Objects(self.record, declared)
        return self.meanings.get(key)

    def require_words(self, words: str) -> None:
        """Refuses a left side in words alone that no note tells with these words, as it is printed."""
        end, signs = IN_WORDS + words, tokens(self.record["reads"])
        left = signs[: next(outside(signs, SIGNS["relations"]), 0)]
        notes = [note for note in self.notes if note.startswith(TOLD) and note.endswith(end)]
        told = [note for note in notes if tokens(note.removeprefix(TOLD).removesuffix(end)) == left]
        require(bool(told) and len(self.printed) == 1, f"the page does not tell of the left side that it is {words}")
        self.true |= {*told}

    def require(self, relation: Relation) -> None:
        """Refuses a relation that the statement does not speak of, in one branch of a plus-minus or in both."""
        self.require_own_names(relation)
        places = [self.place(relation, self.pairs(relation, upper)) for upper in branches(relation)]
        is_so = set(places) == {()} or (None not in places and sorted(set(places)) == places)
        require(is_so, f"the certificate does not speak of what is printed, as it is read again: {relation}"[:300])

    def pairs(self, relation: Relation, upper: bool) -> list[list[Pair]]:
        """Each value of the right side beside the parts in which it has a meaning."""
        sides, pairs = {}, list[list[Pair]]()
        for meaning in self.meanings.values():
            meaning.upper = upper
            sides[meaning] = [_sides(meaning, side) for side in (relation.left, relation.right)]
        for meaning, said in self.views:
            left, right = sides[meaning]
            named = meaning.own(meaning.name(relation.left[1])) if relation.left[0] == "letter" else None
            lefts = left if len(left) == len(right) else [None] * len(right)
            pairs += [[] for _ in right[len(pairs) :]]
            for place, one, other in zip(pairs, lefts, right, strict=False):
                place.append(Pair(meaning, said, [value for value in (one, named) if value is not None], other))
        return pairs

    def place(self, relation: Relation, pairs: list[list[Pair]]) -> Any:
        """Where the page in a true note, or the statement, tells a right side; nothing of where it has both sides.

        None where neither speaks of the relation.
        """
        sign, is_supposed = relation.sign, bool(self.record["supposed"] or relation.supposed)
        if not pairs:
            return None
        if relation.left[0] == "P" == relation.right[0]:
            return () if sign == "=" and self.are_events(relation) else None
        told = self.told(relation, pairs)
        if not sign or (self.record["left_is"] and sign in IN_WORDS_ALONE):
            return _claimed(pairs)
        is_supposed = is_supposed and sign != "->"
        is_trivial = len(pairs) > 1  # entries of a matrix may be the same on both sides, as a 0 is
        if all(any(p.agrees(sign, is_supposed) or (is_trivial and p.right in p.lefts) for p in near) for near in pairs):
            return ()
        return None if is_supposed or sign != "=" else told

    def told(self, relation: Relation, pairs: list[list[Pair]]) -> Any:
        """The place of a note that says of a left side what the statement says of every value of the right one."""
        begins = f"{TOLD}{self.spoken(relation.left)}{STANDS_FOR}"
        notes = [(place, note) for place, note in enumerate(self.notes) if note.startswith(begins)]
        said = [{f.told() for p in near for f in p.facts if p.tells(f)} - {""} for near in pairs if notes]
        for place, note in notes:
            if _is_told(note.removeprefix(begins), said):
                self.true.add(note)
                return (place,)
        return None

    def spoken(self, tree: Tree) -> str:
        """A left side as pages have it, by the names of its letters; nothing where it is of no such form."""
        if isinstance(tree, Relation):
            return f"{self.spoken(tree.left)} {tree.sign} {self.spoken(tree.right)}"
        head, *parts = tree
        if head == "letter":
            return str(self.record["letters"].get(*parts, parts)[0])
        if head == "call":
            known = self.record["functions"][parts[0]]
            name = known if isinstance(known, str) else known[1][1]
            return f"{name}({', '.join(map(self.spoken, parts[1]))})"
        if head not in SIGNS["spoken"]:
            return ""
        names = [self.spoken(("letter", part) if isinstance(part, str) else part) for part in parts]
        return str(SIGNS["spoken"][head].format(*names)) if all(names) else ""

    def are_events(self, relation: Relation) -> bool:
        """Check that what is positive where printed events happen stands, up to a positive number, in the statement."""
        stated = [side for _, said in self.views for fact in said for side in fact[2:4] if side is not None]
        sums = dict.fromkeys(part for side in stated for part in parts_of(side) if part[0] == "+")
        known = {name for said in self.records for name in said.get("symbols", ())}
        meaning, _ = self.views[0]
        left, right = (_sides(meaning, side) for side in relation[2:])
        events = [event for event in {*left} ^ {*right} if meaning.names(event) <= known]
        are_strict = all(event.sign == ">" for side in relation[2:] for event in side[1:])
        return are_strict and bool(events) and all(any(meaning.proportional(e, one) for one in sums) for e in events)

    def require_own_names(self, relation: Relation) -> None:
        """A letter whose name the statement has means that, and no two names mean one thing, unless a note tells it."""
        keys, letters = ("symbols", "letters", "arrays"), self.record["letters"]
        named = {name for said in self.records for key in keys for name in said.get(key, ())}
        asserted = (relation.right,) if relation.left[0] == "letter" else (relation.left, relation.right)
        told = {note.partition(" stands for ")[0] for note in self.notes}
        meant: dict[Any, str] = {}
        for name, value in (letters[s] for s in _spellings(asserted) if s in letters):
            if value is not None and name in named - told and value[:2] not in {(kind, name) for kind in "sLA"}:
                raise Rejected(
                    f"{name} stands in the statement, and the print means something else by it: {value}"[:300]
                )
            if value is not None and meant.setdefault(value, name) != name and not {name, meant[value]} & told:
                raise Rejected(f"two letters of the print, {name} and {meant[value]}, are one in the statement")


def _is_told(note: str, said: list[set[str]]) -> bool:
    """Check that a note, cut or not, has of each value something that is said of it, and nothing else."""
    *whole, last = note.removesuffix(CUT).split(ALSO)
    known, is_cut = set().union(*said), last and note.endswith(CUT)
    is_true = all(each in known for each in whole) and (
        any(each.startswith(last) for each in known) if is_cut else last in known
    )
    return is_true and all(texts if is_cut else texts & {*whole, last} for texts in said)


def _claimed(pairs: list[list[Pair]]) -> Any:
    """Where each value of the right side is a side of a relation that is claimed; None where one is not."""
    spoken = (
        ((k, place) for k, p in enumerate(near) for place, fact in enumerate(p.facts) if p.is_claimed(fact))
        for near in pairs
    )
    places = tuple(next(each, None) for each in spoken)
    return None if None in places else places


def branches(relation: Relation) -> tuple[bool, ...]:
    """Upper signs, and lower ones where there is a plus-minus."""
    return (True, False) if {"pm", "mp"} & {part[0] for part in parts_of(relation)} else (True,)


def _sides(meaning: Meaning, tree: Tree) -> list[Any]:
    try:
        return list(meaning.sides(tree))
    except NoMeaning:
        return []


def _spellings(tree: Any) -> list[str]:
    """The letters that stand in a tree, and by which derivatives are taken."""
    letters = [part[1] for part in parts_of(tree) if part[0] == "letter"]
    return letters + [part[2] for part in parts_of(tree) if part[0] in ("dt", "partial")]
