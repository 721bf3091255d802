"""Named functions of the table of theorems: equations and inequalities with letters for integrals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, relation
from derivations.recheck.core.slots import INFINITE
from derivations.recheck.core.terms import difference, free, free_in
from derivations.recheck.core.theorems import Reading
from derivations.recheck.kinds.schemas.numbers import formulas, ranges, require


def bound(reading: Reading, x: Term, table: Data) -> frozenset[str]:
    """The variable and letters of integrals that are not any numbers, or stand where they may not."""
    entries = [list(entry) for entry in table.values()]
    strange: frozenset[str] = ranges(reading, x, [ends for _, *ends in entries]) | ({x[1]} & table.keys())
    return strange | frozenset[str]().union(*(ranges(reading, ("s", letter), entries) for letter in table))


def integrals(reading: Reading, left: Term, order: str, right: Term) -> Data:
    """A relation with the integrals whose letters it names, and no other letters of the table."""
    return about(reading, left, order, right, free(left) | free(right))


def about(reading: Reading, left: Term, order: str, right: Term, names: frozenset[str], **more: Data) -> Data:
    table = {letter: entry for letter, entry in reading.slots["integrals"].items() if letter in names}
    found = reading.said("integrals", "variable", integrals=table, relation=order, left=left, right=right, **more)
    return without(reading, {*reading.slots["integrals"]} - {*table}, found)


def without(_: Reading, names: Any, statement: Data) -> Data:
    """A statement that does not declare some symbols, of which it does not speak."""
    gone = {names[1]} if isinstance(names, tuple) else set(names)
    return statement | {"symbols": {s: told for s, told in statement["symbols"].items() if s not in gone}}


def letter(_: Reading, name: str) -> Term:
    return ("s", name)


def only(_: Reading, table: Data) -> list[Any]:
    """The one integral of a table: its letter, its integrand and its ends."""
    require(len(table) == 1, "one integral is bounded at a time")
    ((name, entry),) = table.items()
    return [("s", name), *entry]


def one_interval(_: Reading, table: Data) -> list[Term]:
    """The finite ends that all integrals of a table share."""
    low, high = next(iter(table.values()))[1:]
    shared = all(entry[1:] == (low, high) for entry in table.values()) and low not in INFINITE and high not in INFINITE
    require(shared, "the integrals of an inequality must have the same finite ends")
    return [low, high]


def parts(_: Reading, table: Data, whole: str, first: str, second: str) -> list[Any]:
    """The ends of two intervals that meet in a number, and whose integrals with that over both are the whole table."""
    require(
        len({whole, first, second}) == 3 and set(table) == {whole, first, second},
        "an integral equals the sum of two others, and the table holds these three",
    )
    (f, low, high), middle = table[whole], table[first][2]
    met = middle not in INFINITE and table[first] == (f, low, middle) and table[second] == (f, middle, high)
    require(met, "the two parts must have the integrand of the whole, and meet in a number")
    return [low, middle, high]


# --- facts ------------------------------------------------------------------------------------------------------------


def told(reading: Reading, facts: list[Data], *things: Any) -> None:
    """Every integral whose letter stands in some formulas is one of which a fact tells something, so that it exists."""
    seen = {name for fact in facts for name in letters_of(reading, fact)}
    named = {name for thing in things for name in ([thing] if isinstance(thing, str) else free(thing))}
    require(named & set(reading.slots["integrals"]) <= seen, "an integral is in none of the facts: it need not exist")


def letters_of(reading: Reading, fact: Data) -> tuple[str, ...]:
    """The letters of the table that a fact speaks of, under the same hypotheses."""
    slots = reading.slots
    if fact.get("kind") != "concluded" or fact.get("form") not in ("integral", "integrals") or "rates" in fact:
        raise Rejected("a fact tells the value of an integral, or compares integrals")
    known = all(slots["symbols"].get(s) == words for s, words in fact["symbols"].items())
    if not known or fact["assuming"] != slots["assuming"] or fact["variable"] != slots["variable"]:
        raise Rejected("a fact must stand under the hypotheses of the theorem, about its variable")
    table = slots["integrals"]
    if fact["form"] == "integrals":
        held = all(table.get(name) == entry for name, entry in fact["integrals"].items())
        require(held, "a fact speaks of an integral that is not in the table")
        return tuple(fact["integrals"])
    entry = (fact["integrand"], fact["low"], fact["high"])
    found = tuple(sorted(name for name, other in table.items() if other == entry))
    require(found, "a fact tells the value of an integral that is not in the table")
    return found


def values(reading: Reading, facts: list[Data]) -> dict[str, Term]:
    """The values that facts tell, by the letters of the integrals."""
    shown = [fact for fact in facts if fact["form"] == "integral"]
    return {name: fact["value"] for fact in shown for name in letters_of(reading, fact)}


def compared(reading: Reading, facts: list[Data]) -> list[Term]:
    """What facts say that compare integrals, as relations with values put in for letters."""
    told = [relation((fact["relation"], fact["left"], fact["right"])) for fact in facts if fact["form"] != "integral"]
    return [(order, *(_put_in(reading, facts, side) for side in sides)) for order, *sides in told]


def sides(reading: Reading, facts: list[Data]) -> list[Term]:
    return [side for _, *both in compared(reading, facts) for side in both]


def _put_in(reading: Reading, facts: list[Data], side: Term) -> Term:
    known = values(reading, facts)
    return ("at", side, tuple(known.items())) if known else side


def with_facts(reading: Reading, facts: list[Data], left: Term, order: str, right: Term) -> Data:
    """A relation between numbers: values are put in for letters, and what compares integrals is supposed."""
    known = values(reading, facts)
    supposed = tuple(compared(reading, facts))
    goal = reading.statement((order, *(_put_in(reading, facts, side) for side in (left, right))), supposed)
    return without(reading, {*known, reading.slots["variable"]}, goal)


# --- balls and rates --------------------------------------------------------------------------------------------------


def in_box(_: Reading, box: Data) -> list[Any]:
    sides = [((">=", ("s", x), ("q", low)), (">=", ("q", high), ("s", x))) for x, (low, high) in box.items()]
    return [side for pair in sides for side in pair]


def enclosed(reading: Reading, left: Term, right: Term, box: Data, upper: str) -> Data:
    """That left - right is positive over a box, and not above a number."""
    stated = integrals(reading, left, ">", right)
    spoken = [x for x in box if x == reading.slots["variable"] or x in reading.slots["integrals"]]
    require(not spoken, "a box holds the symbols of the statement, and no variable or letter of an integral")
    names = (*box, *stated["integrals"], stated["variable"])
    shown = formulas([left, right, [list(entry) for entry in stated["integrals"].values()]])
    missing = sorted(free_in(shown) - {*names})
    require(not missing, f"the box gives no interval for {', '.join(missing)}: give one, or a single point twice")
    head = {"kind": "enclosure", "symbols": dict.fromkeys(names, ()), "assuming": (), "lower": "0", "upper": upper}
    about = {key: stated[key] for key in ("variable", "integrals")}
    return head | about | {"expression": difference(left, right), "box": reading.slots["box"]}


def of_rate(reading: Reading, left: Term, order: str, right: Term, rate: list[Term]) -> Data:
    """A relation with a letter for a rate, which comes with the integral and the symbol that it belongs to."""
    letter, of, by = (name for _, name in rate)
    return about(reading, left, order, right, free(left) | free(right) | {of}, rates={letter: (of, by)})


def integrands(_: Reading, table: Data) -> list[Term]:
    return [entry[0] for entry in table.values()]


NAMED: dict[str, Callable[..., Any]] = {
    "bound": bound, "integrals": integrals, "without": without, "letter": letter, "only": only, "parts": parts,
    "one_interval": one_interval, "told": told, "values": values, "sides": sides, "with_facts": with_facts,
    "in_box": in_box, "enclosed": enclosed, "of_rate": of_rate, "integrands": integrands,
    "endless": lambda _, *ends: frozenset(end[0] for end in ends if end in INFINITE),
}  # fmt: skip
