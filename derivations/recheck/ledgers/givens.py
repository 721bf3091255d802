"""Hypotheses of a case of a kernel, words beside symbols and relations; these may be written in another order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import count
from math import prod
from typing import Any

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Term, require
from derivations.recheck.core.statements import Setting
from derivations.recheck.core.terms import TWO, difference, whole_exponent
from derivations.recheck.core.words.values import Values

CONTRARY = {">": ">=", ">=": ">", "=": "!=", "!=": "="}
SLOTS = {"identity": ("left", "right"), "average": ("right",), "limit": ("value",), "words": ("left", "right")}
"""The formulas that statements state; a solution states one for each variable, a side one for each value put in."""
Data = Any


def contrary(relation: Term) -> Term:
    head, left, right = relation
    return (CONTRARY[head], right, left) if head in (">", ">=") else (CONTRARY[head], left, right)


def concluded(part: Data) -> Term | None:
    """The relation between two numbers that a part of a certificate shows; None where it shows another thing."""
    said = part["concludes"] if part["kind"] == "by" else part
    if said["kind"] == "sign":
        return said["relation"], said["left"], said["right"]
    return ("=", said["left"], said["right"]) if said["kind"] == "identity" else None


class Givens:
    """Words beside symbols, and relations; a part of a certificate may suppose these, and nothing more."""

    def __init__(self, given: Data, more: Iterable[Term] = ()) -> None:
        self.relations = [*Setting(given["symbols"], given["assuming"]).givens, *more]
        self.relations += [
            (">", ("^", difference(*sides), TWO), ("q", "0")) for head, *sides in self.relations if head == "!="
        ]

    def admits(self, part: Data) -> bool:
        said = part["concludes"] if part["kind"] == "by" else part
        return all(map(self.say, Setting(said["symbols"], said["assuming"]).givens))

    def say(self, relation: Term) -> bool:
        """Check whether a relation is given, or follows from two that are: at least, and at most, or not equal."""
        head, left, right = relation
        if relation in self.relations or any(is_same_relation(relation, given) for given in self.relations):
            return True
        if head == ">":
            return self.say((">=", left, right)) and self.say(("!=", left, right))
        return head == "=" and self.say((">=", left, right)) and self.say((">=", right, left))

    def deny(self, relation: Term | None) -> bool:
        return relation is not None and self.say(contrary(relation))


# --- formulas that a claim states -------------------------------------------------------------------------------------


def asserted(statement: Data) -> Iterator[Data]:
    """The statements of which a conjunction consists; a theorem states its conclusion."""
    if statement["kind"] == "all":
        for part in statement["parts"]:
            yield from asserted(part)
    else:
        yield from asserted(statement["concludes"]) if statement["kind"] == "by" else (statement,)


def require_stated(formula: Term, slot: Data, claim: Data, given: Givens) -> None:
    """A formula is the one in a slot of a claim, in a case that supposes what the claim supposes."""
    place, key, *name = slot
    require(isinstance(place, int) and place >= 0, "a slot has the place of a statement")
    said = list(asserted(claim))[place]
    inner = formula
    while inner[0] in ("at", "D"):
        inner = inner[1]
    if said["kind"] == "solves":
        stated = said["solution"][name[0]] if key == "solution" else None
    else:
        require(key in SLOTS.get(said["kind"], ()), f"nothing is stated as the {key} of such a claim")
        stated = dict(said[key][2])[name[0]] if name and said[key][0] == "at" else None if name else said[key]
    if said["kind"] == "words":
        require(stated is not None and is_in_words(inner, stated, said["letters"]), "the claim states another formula")
        return
    require(inner == stated, "the claim states another formula")
    require(all(map(given.say, said["assuming"])), "a case does not suppose what its claim supposes")


# --- formulas in another order ----------------------------------------------------------------------------------------


class _Letters:
    """Numbers as 1 x 1 letters: symbols, and what is no polynomial in symbols."""

    def __init__(self, letters: Data) -> None:
        self.letters = dict(letters)
        self.names: dict[Term, str] = {}
        self.fresh = (f"part{number}" for number in count())
        for name, told in letters.items():
            if told.get("inverse_of", {"formula": ()})["formula"][:1] == ("L",):
                self.names["^", ("s", told["inverse_of"]["formula"][1]), ("q", "-1")] = name

    def read(self, term: Term) -> Data:
        match term:
            case "q", _:
                return term
            case (("+" | "*") as head, *parts):
                return (head, *map(self.read, parts))
            case "^", ("exp", inside), ("q", power):
                return self.read(("exp", ("*", ("q", power), inside)))
            case "exp", ("*", *factors):
                flat = [part for factor in factors for part in (factor[1:] if factor[0] == "*" else (factor,))]
                number = prod(Fraction(part[1]) for part in flat if part[0] == "q")
                others = sorted((part for part in flat if part[0] != "q"), key=repr)
                return self._letter(("exp", ("*", ("q", str(number)), *others)))
            case "^", base, _ if (whole_exponent(term) or 0) > 1:
                return ("^", self.read(base), whole_exponent(term))
        return self._letter(term)

    def _letter(self, term: Term) -> Data:
        name = term[1] if term[0] == "s" and term[1] in self.letters else self.names.get(term)
        if name is None:
            name = self.names[term] = next(each for each in self.fresh if each not in self.letters)
            self.letters[name] = {"rows": 1, "cols": 1}
        return ("L", name)


def is_same_relation(one: Term, other: Term) -> bool:
    """Check whether two relations have the same head, and the same difference of sides as polynomials."""
    if one == other or one[0] != other[0]:
        return one == other
    reader = _Letters({})
    sides = [reader.read(difference(*relation[1:])) for relation in (one, other)]
    try:
        values = Values(reader.letters)
        return values.value(sides[0], {}) == values.value(sides[1], {})
    except Rejected:
        return False


def is_in_words(formula: Term, side: Data, letters: Data) -> bool:
    """Check whether a formula of numbers is a side of a statement about matrices, all of whose letters are numbers."""
    reader = _Letters(letters)
    read = reader.read(formula)
    values = Values(reader.letters)
    return values.value(read, {}) == values.side(side)
