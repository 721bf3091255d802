"""A check that a certificate speaks of what is printed: sides read from the LaTeX again are the sides of its statement.

A left side may be a name, or another thing without a meaning of its own. A note on the page then tells what it stands
for: what the statement says of the right side, as it is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from itertools import chain, combinations
from typing import Any, NamedTuple

from derivations.recheck.core.errors import MALFORMED, Rejected
from derivations.recheck.core.load import normal, require
from derivations.recheck.core.terms import difference
from derivations.recheck.reader.letters import meanings, spellings
from derivations.recheck.reader.objects import Objects
from derivations.recheck.reader.parse import NoMeaning, Relation, Tree, named, parts_of, relations
from derivations.recheck.reader.scalars import Scalars
from derivations.recheck.reader.tokens import SIGNS, groups, text_of, tokens, without_grouping

KINDS: dict[str, Any] = {"scalars": Scalars, "objects": Objects}
SUPPOSED = frozenset(("assuming", "symbols", "squares", "letters", "arrays", "flow", "start", "rules", "among"))
"""Parts of a statement that are supposed, or hints for a prover."""
PARTS = ("parts", "concludes")  # of a statement, as statements
SUPPOSED_PRINT = "what is printed is supposed, not claimed"
PICKED = "of what is printed, relation %d alone is claimed"
INNER = "a product of two vectors without an index is their inner product, whichever is transposed"
READ_AS = "the print can be read in several ways, and is read as "
LEFT = "the left side, "
MEANT = "a person's word says what is meant: "
LONGEST = 300  # characters of a reason
UNSAID = "the certificate does not speak of what is printed"
GIVEN = "what is printed is among what is supposed"
TOLD = (LEFT, MEANT, GIVEN)  # how notes begin that are computed here
STANDS_FOR_IT = ", stands for what is judged to be equal to the right one"
WHOLE = (LEFT, MEANT, READ_AS)  # how notes begin that are never cut
IS_DEFINED, DEFINED = ", is supposed to be the right one", (-1,)
IN_WORDS, ALIKE = ", is read, in words alone, as ", r", of which \sim says something, is read, in words alone, as "
FORMS = frozenset(("integrals", "along the solution"))  # of conclusions that are an equation or an order
EQUATIONS = frozenset(("identity", "sign", "words", "sums", "loewner"))
FLAGS = {"positive": ">", "nonnegative": ">="}
ANOTHER_PART = "what is printed is not refuted, but another part of the certificate: claim it alone"


def kind_of(record: Any) -> str:
    """The kind of formula that a record of an entry says it has; a print without one could say anything."""
    if not isinstance(record, dict) or record.get("kind") not in KINDS:
        raise Rejected("what is printed is not read again: print what is of numbers apart from what is of matrices")
    return str(record["kind"])


def require_agreement(
    record: Any, latex: str | None, certificate: Mapping[str, Any], notes: Collection[str] = ()
) -> None:
    """Refuses a certificate that does not speak of each relation of a printed formula.

    notes: what the page tells of the print; what it tells of left sides is exactly what has to be told.
    """
    if record is None and latex is None:
        return
    kind_of(record)
    try:
        due = [SUPPOSED_PRINT] * bool(record["supposed"])
        due += [f"a superscript {mark} is a transpose" for mark in record["transposes"]]
        due += [INNER] * bool(record.get("unprinted"))
        due += [] if record["link"] is None else [PICKED % (record["link"] + 1)]
        require(set(due) <= set(notes), f"the page does not tell how the print is meant: {' and '.join(due)}")
        require_reading(record, latex or "", notes)
        told = Judged(record, certificate["statement"]).told(notes)
        require(is_judged(record, certificate), ANOTHER_PART)
        page = [note for note in notes if note.startswith(TOLD)]
        require(told == page, f"of left sides and meanings the page tells {page}, and not {told}"[:LONGEST])
    except MALFORMED as trouble:
        raise Rejected(f"the record of the print cannot be read ({trouble!r}): write the ledger again") from None


def require_reading(record: Mapping[str, Any], latex: str, notes: Collection[str]) -> None:
    """Check that a print is read as it stands, or that the page tells how it is read, where there are several ways.

    What is read has the signs and groups of the print, and further brackets without which it can be read in two ways.
    """
    if tokens(record["reads"]) == tokens(latex):
        return
    is_same = without_grouping(record["reads"]) == without_grouping(latex)
    require(is_same, "what is read is another formula than the printed one")
    require(READ_AS + record["reads"] in notes, "the page does not tell how the print is read")
    printed = _readable(record, latex)
    if printed:
        is_same = [one[:4] for one in printed] == [one[:4] for one in relations(record)]
        require(is_same, "what is printed can be read in one way only, and something else is read")
        return
    added = {span: place for span, place in groups(record["reads"]).items() if span not in groups(latex)}
    is_kept = groups(latex).keys() <= groups(record["reads"]).keys()
    require(is_kept, "what is read lacks brackets, or arguments of a root or of a script, that are printed")
    signs = tokens(record["reads"])
    for (kind, *_), (start, end) in added.items():
        without = [*signs[:start], *signs[start + 1 : end], *signs[end + 1 :]]
        is_needed = kind == "(" and not _readable(record, text_of(without))
        require(is_needed, "what is read has brackets that the print does not need to be read in one way")


def _readable(record: Mapping[str, Any], latex: str) -> list[Relation]:
    """The relations of a formula that can be read in one way; none of another."""
    try:
        return relations({**record, "reads": latex})
    except Rejected:
        return []


def is_judged(record: Any, certificate: Mapping[str, Any]) -> bool:
    """Check that a refuted part of a refuted conjunction says a printed relation, unless a page tells of its left side.

    What is supposed is not refuted, and neither is what another part says.
    """
    statement = certificate["statement"]
    if certificate.get("verdict") != "refuted" or statement["kind"] != "all" or record["supposed"]:
        return True
    whole = Judged(record, statement)
    asserted = [relation for relation in whole.printed if not relation.supposed]
    if any(place for relation in asserted for place in whole.places(relation)):
        return True
    parts = [part for part in certificate["payload"]["parts"] if part["verdict"] == "refuted"]
    judged = [(part, Judged(record, part["statement"])) for part in parts]
    return any(
        () in one.places(relation, any) and is_judged(record, part) for part, one in judged for relation in asserted
    )


def printed_side(record: Any, statement: Any) -> str | None:
    """The side of a statement that is the last side of its one printed relation, where one of them alone is."""
    if record is None or statement["kind"] not in EQUATIONS - {"sign", "loewner"}:
        return None
    judged = Judged(record, statement)
    if len(judged.printed) != 1 or record["supposed"] or not judged.views:
        return None
    ((meaning, _),), (relation,), (said,) = judged.views.values(), judged.printed, judged.records
    printed = _sides(meaning, relation.right)
    read = {side: [meaning.side(said[side], said.get("free", {}))] for side in ("left", "right")}
    sides = [side for side, value in read.items() if len(printed) == 1 and meaning.same(*printed, *value)]
    return sides[0] if len(sides) == 1 else None


# --- what a statement says --------------------------------------------------------------------------------------------


class Fact(NamedTuple):
    """A relation between two values, of which an average has none on its left side."""

    is_supposed: bool
    sign: str
    left: Any
    right: Any


def records(data: Any) -> Iterator[Mapping[str, Any]]:
    """Every part of a statement that is asserted: of what is denied, and of what fills a theorem, nothing is."""
    if isinstance(data, dict):
        yield data
        data = [data[key] for key in PARTS if key in data]
    for value in data if isinstance(data, list | tuple) else ():
        yield from records(value)


def is_empty(said: Mapping[str, Any]) -> bool:
    """Check whether a part equates a formula with itself, or states what it supposes, and so says nothing."""
    if said.get("kind") not in EQUATIONS:
        return False
    order, left, right = said.get("relation", "="), *(_in_one_order(said[side]) for side in ("left", "right"))
    supposed = {_in_one_order(relation) for relation in said.get("assuming", ())}
    supposed |= {("=", *(_in_one_order(rule[side]) for side in ("left", "right"))) for rule in said.get("rules", ())}
    turned = (order, right, left) if order == "=" else (order, left, right)
    return left == right or not supposed.isdisjoint(((order, left, right), turned))


def _in_one_order(data: Any) -> Any:
    """A formula with the parts of its sums and products in one order."""
    if isinstance(data, dict):
        return _in_one_order(tuple(data.values()))
    if not isinstance(data, tuple):
        return data
    parts = tuple(map(_in_one_order, data))
    return (parts[0], *sorted(parts[1:], key=repr)) if parts[:1] in (("+",), ("*",)) else parts


def facts(said: Mapping[str, Any], meaning: Any, with_inner: bool) -> Iterator[Fact]:
    """Return what one part of a statement says, as far as its sides have values.

    with_inner: with formulas into which something is put, which are equal to nothing.
    """
    free = said.get("free", {})
    related = [(True, *relation, free) for relation in said.get("assuming", ())]
    flags = [(name, flag) for name, flags in said.get("symbols", {}).items() for flag in flags if flag in FLAGS]
    related += [(True, FLAGS[flag], ("s", name), ("q", "0"), free) for name, flag in flags]
    related += [(True, "=", rule["left"], rule["right"], rule.get("free", {})) for rule in said.get("rules", ())]
    if said.get("kind") == "limit":
        related.append((False, "->", said["expression"], said["value"], free))
    elif said.get("kind") in EQUATIONS or said.get("form") in FORMS:
        related.append((False, said.get("relation", "="), said["left"], said["right"], free))
    for is_supposed, sign, left, right, indices in related:
        one, other = meaning.side(left, indices), meaning.side(right, indices)
        if one is not None and other is not None:
            yield Fact(is_supposed, sign, one, other)
            yield from [Fact(is_supposed, sign, other, one)] if sign in ("=", "!=") else []
    if said.get("kind") == "average":
        yield Fact(False, "=", None, meaning.side(said["right"], free))
    put = [part[1:] for part in parts_of(_formulas(said)) if part[0] == "at" and len(part) == 3]
    solved = said["solution"].items() if isinstance(said.get("solution"), dict) else ()
    for name, value in solved:
        yield Fact(False, "=", meaning.own(name), meaning.side(value, free))
    for inner, pairs in put:
        yield from [Fact(True, "=", meaning.own(name), meaning.side(value, free)) for name, value in pairs]
        yield from [Fact(False, "=", None, meaning.side(inner, free))] if with_inner else []


def _formulas(said: Mapping[str, Any]) -> tuple[Any, ...]:
    """The formulas of a part of a statement, but for those that it supposes."""
    asserted = [value for key, value in said.items() if key not in SUPPOSED]
    inside = [value.get("formula") if isinstance(value, dict) else value for value in asserted]
    return tuple(value for value in inside if isinstance(value, tuple))


# --- what is printed, beside it ---------------------------------------------------------------------------------------


class Cell(NamedTuple):
    """A value of a right side beside what a statement says, and what the left side may be there."""

    meaning: Any
    facts: list[Fact]
    lefts: list[Any]
    right: Any

    def is_stated(self, sign: str, is_supposed: bool, is_entry: bool) -> bool:
        """Check whether a fact says of both sides what is printed of them; entries, as a 0 is, may be the same."""
        said = [fact for fact in self.facts if fact[:2] == (is_supposed, sign) and self.is_any(fact.left, self.lefts)]
        return (is_entry and self.right in self.lefts) or any(self.is_any(fact.right, [self.right]) for fact in said)

    def is_any(self, side: Any, values: list[Any]) -> bool:
        return side is not None and any(self.meaning.same(value, side) for value in values)

    def judged(self, is_alone: bool) -> list[int]:
        """Where the value is a side of a fact that may say what the left one is: no letter of which it speaks."""
        names, own = self.meaning.names, self.meaning.own
        letters = {name for left in self.lefts for name in names(left) if own(name) == left}
        judged = []
        for k, fact in enumerate(self.facts):
            sides = [side for side in fact[2:4] if side is not None]
            is_side = any(self.is_any(side, [self.right]) for side in sides)
            may_tell = not fact.is_supposed and (is_alone or fact.sign == "=")
            if may_tell and is_side and not letters & {*chain(*map(names, sides))}:
                judged.append(k)
        return judged


class Judged:
    """A statement, with what a print means beside each of its parts."""

    def __init__(self, record: Any, statement: Any) -> None:
        self.record, printed = normal(record), relations(record)
        self.printed = printed if record["link"] is None else [printed[record["link"]]]
        self.records = [said for said in records(normal(statement)) if not is_empty(said)]
        self.views: dict[str, tuple[Any, list[Fact]]] = {}
        flags = [pair for said in self.records for pair in said.get("symbols", {}).items()]
        positive = {name for name, _ in flags} - {name for name, signs in flags if not {*signs} & {*FLAGS}}
        for said in self.records:
            declared = sorted(positive) if record["kind"] == "scalars" else said.get("letters", said.get("arrays"))
            if declared is not None:
                if repr(declared) not in self.views:
                    self.views[repr(declared)] = KINDS[record["kind"]](self.record, declared), []
                meaning, known = self.views[repr(declared)]
                known += facts(said, meaning, bool(record["left_is"]))
                meaning.facts = known
                meaning.motions |= {part[2] for part in parts_of(_formulas(said)) if part[0] in ("along", "derivative")}

    def told(self, notes: Collection[str]) -> list[str]:
        """Return what a page has to tell of left sides and of meanings; what the statement does not say is refused.

        notes: what the page tells besides.
        """
        require(len(self.printed) == 1 or not self.record["left_is"], "two relations have one left side in words")
        for name, value in self.record.get("settled", ()):
            is_put = any(
                Fact(True, "=", view.own(name), view.one(value)) in known for view, known in self.views.values()
            )
            require(is_put, f"the print has {name} put in, and nothing in the statement says what it is")
        told = {note.partition(" stands for ")[0] for note in notes}
        letters = spellings(self.printed)
        self.require_own_names(letters, told)
        of_left = [note for relation in self.printed for note in self.told_of(relation)]
        meant = [*meanings(self.record, letters)]
        meant += [said for meaning, _ in self.views.values() for said in meaning.said.values()]
        return [*dict.fromkeys(of_left), *([MEANT + "; ".join(dict.fromkeys(meant))] if meant else [])]

    def told_of(self, relation: Relation) -> list[str]:
        """Return what a page has to tell of one left side."""
        places = self.places(relation)
        is_said = None not in places and (not any(places) or places == sorted(set(places)))
        require(is_said, f"{UNSAID}, as it is read again: {relation}"[:LONGEST])
        if words := self.record["left_is"]:
            return [f"{LEFT}{relation.latex}{ALIKE if relation.sign == '~' else IN_WORDS}{words}"]
        told = IS_DEFINED if places == [DEFINED] else STANDS_FOR_IT
        if any(places) and relation.sign:
            return [f"{LEFT}{relation.latex}{told}"]
        is_claimed = relation.sign not in ("", "->") and relation.left[0] != "P" and not relation.supposed
        is_given = is_claimed and not (self.record["supposed"] or any(places)) and len(self.cells(relation, True)) == 1
        return [GIVEN] if is_given and set(self.places(relation._replace(supposed=True))) == {()} else []

    def places(self, relation: Relation, of: Callable[[Iterable[Any]], bool] = all) -> list[Any]:
        """The place of a relation, or those of its upper and its lower signs, where all or any of its values are."""
        has_signs = {"pm", "mp"} & {part[0] for part in parts_of(relation)}
        return [self.place(relation, upper, of) for upper in ((True, False) if has_signs else (True,))]

    def place(self, relation: Relation, upper: bool, of: Callable[[Iterable[Any]], bool]) -> Any:
        """Where a right side alone is judged; nothing where both sides are, and None where neither is."""
        sign, cells = relation.sign, self.cells(relation, upper)
        is_supposed = bool(self.record["supposed"] or relation.supposed) and sign != "->"
        if relation.left[0] == "P" == relation.right[0]:
            return () if sign == "=" and self.are_events(relation) else None
        may_define = sign == "=" and relation.left[0] == "letter"
        for supposed, place in ((is_supposed, ()), (True, DEFINED))[: 1 + may_define]:
            if cells and of(any(one.is_stated(sign, supposed, len(cells) > 1) for one in near) for near in cells):
                return place
        is_alone = sign in ("", "=", "~") if self.record["left_is"] else not sign
        is_tellable = {part[0] for part in parts_of(relation.left)} <= {*SIGNS["told"]}
        places = [[k for one in near for k in one.judged(is_alone)] for near in cells]
        may_be = is_alone or (sign == "=" and is_tellable and not is_supposed)
        return tuple(map(min, filter(None, places))) if may_be and places and of(places) else None

    def cells(self, relation: Relation, upper: bool) -> list[list[Cell]]:
        """Each value of the right side beside the parts in which it has a meaning."""
        cells: list[list[Cell]] = []
        has_left = relation.sign and not self.record["left_is"]
        for meaning, said in self.views.values():
            meaning.upper = upper
            left, right = (_sides(meaning, side) for side in (relation.left, relation.right))
            own = meaning.own(named(self.record, relation.left)) if relation.left[0] == "letter" else None
            cells += [[] for _ in right[len(cells) :]]
            for k, value in enumerate(right):
                lefts = [one for one in (own, *(left[k : k + 1] if len(left) == len(right) else [])) if one is not None]
                cells[k].append(Cell(meaning, said, lefts if has_left else [], value))
        return cells

    def are_events(self, relation: Relation) -> bool:
        """Check that what is positive where only one side happens is claimed of something, up to a positive number."""
        ((meaning, said),) = self.views.values()
        right = meaning.sides(relation.right)
        left = [] if self.record["left_is"] else meaning.sides(relation.left)
        stated = [side for fact in said if not fact.is_supposed for side in fact[2:4] if side is not None]
        stated += [part for part in parts_of(tuple(stated)) if part[0] == "+"]
        if self.record["left_is"]:
            is_said = bool(right) and all(any(meaning.proportional(e, one) for one in stated) for e in right)
        else:
            pairs = [(e, there) for here, there in ((left, right), (right, left)) for e in here if e not in there]
            is_said = bool(pairs) and all(self.happens(meaning, event, there) for event, there in pairs)
        return is_said and all(event.sign == ">" for side in relation[2:4] for event in side[1:])

    def happens(self, meaning: Any, event: Any, others: list[Any]) -> bool:
        """Check that an event is one of others, or is claimed to happen where they do and nothing else is supposed."""

        def is_other(formula: Any) -> bool:
            return any(meaning.proportional(other, formula) for other in others)

        for said in self.records:
            if said.get("kind") == "identity" and not said["assuming"]:
                pairs = ((said["left"], said["right"]), (said["right"], said["left"]))
                if any(meaning.proportional(event, one) and is_other(other) for one, other in pairs):
                    return True
            elif said.get("kind") == "sign" and said["relation"] == ">":
                is_it = meaning.proportional(event, difference(said["left"], said["right"]))
                given = ((order, difference(one, other)) for order, one, other in said["assuming"])
                if is_it and all(order == ">" and is_other(gap) for order, gap in given):
                    return True
        return False

    def require_own_names(self, letters: list[str], told: set[str]) -> None:
        """A letter whose name the statement has means that, and no two letters mean one thing, unless a note tells it.

        A and A(t) may mean one thing.
        """
        keys, meant = ("symbols", "letters", "arrays", "integrals"), self.record["letters"]
        known, bound = (
            {name for said in self.records for key in some for name in said.get(key, ())} - told
            for some in (keys[:3], keys[3:])
        )
        asserted = {
            part[1]
            for relation in self.printed
            for part in parts_of(relation[3:4] if relation.left[0] == "letter" else relation[2:4])
            if part[0] == "letter"
        }
        for spelling in letters:
            name, value = meant.get(spelling, ("", None))
            if value is not None:
                is_own = name not in known or spelling not in asserted or value[:2] in {(kind, name) for kind in "sLA"}
                reason = f"{name} stands in the statement, and the print means something else by it: {value}"
                require(is_own and name not in bound, reason[:LONGEST])
        for one, other in combinations(letters, 2):
            names = {one, other, *(meant.get(spelling, (spelling,))[0] for spelling in (one, other))}
            is_one = any(_is_same(meaning, ("letter", one), ("letter", other)) for meaning, _ in self.views.values())
            is_told = _is_at_a_time(one, other) or _is_at_a_time(other, one) or not names.isdisjoint(told)
            require(not is_one or is_told, f"{one} and {other}, two letters of the print, mean one thing")


def _is_at_a_time(longer: str, shorter: str) -> bool:
    """Check whether a spelling is another one at a time or after a step: A(t), or W^u."""
    mark = longer.removeprefix(shorter)
    return longer.startswith(shorter) and (mark.startswith(" (") or (mark[:4] == " ^ {" and mark[5:6].isalpha()))


def _is_same(meaning: Any, one: Tree, other: Tree) -> bool:
    values, others = _sides(meaning, one), _sides(meaning, other)
    return bool(values and others) and all(map(meaning.same, values, others))


def _sides(meaning: Any, tree: Tree) -> list[Any]:
    try:
        return list(meaning.sides(tree))
    except NoMeaning:
        return []
