"""Hypotheses of a case of a kernel, and what parts show under these; and the formulas that the case has of a claim."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any

from derivations.recheck.core.conditions import Condition, demands, sign_by_form
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Term, require
from derivations.recheck.core.statements import Setting
from derivations.recheck.core.table.structure import what_is_shown
from derivations.recheck.core.terms import MINUS_ONE, ONE, ZERO, carried_out

CONTRARY = {">": ">=", ">=": ">", "=": "!=", "!=": "="}
SLOTS = {"identity": ("left", "right"), "average": ("right",), "limit": ("value",), "words": ("left", "right")}
"""The formulas that statements state; a solution states one for each variable, a side one for each value put in."""
PLAIN = {"rows", "cols", "symmetric", "diagonal", "commutes_with", "inverse_of"}
"""Properties of a letter for a matrix that say nothing of a number."""
Data = Any


def factors_of(formula: Term) -> tuple[Term, ...]:
    """The formulas of which none is zero if this one is not: factors, or the base of a power; a number has none."""
    inside: tuple[Term, ...] = () if formula[0] == "q" else formula[1:] if formula[0] == "*" else formula[1:2]
    return inside if formula[0] in ("*", "^", "q") else (formula,)


def contrary(relation: Term) -> Term:
    head, left, right = relation
    return (CONTRARY[head], right, left) if head in (">", ">=") else (CONTRARY[head], left, right)


class Facts:
    """Relations that hold, of symbols that take all values for which some are supposed.

    A part whose hypotheses are among them adds what it concludes.
    """

    def __init__(self, relations: Iterable[Term], parts: Iterable[Data]) -> None:
        self.known: set[Term] = set()
        self.shown: list[Data] = []  # the parts that suppose nothing else
        self.waiting = [*parts]
        self.learn(*relations)

    def learn(self, *relations: Term) -> None:
        """Add relations, and all that parts conclude from what is known then."""
        for head, left, right in map(plain, relations):
            self.known |= {(head, left, right), (head, right, left) if head in ("=", "!=") else (">=", left, right)}
            if head == ">":
                bases = [left[1]] if left[0] == "^" and right == ZERO else []
                self.known |= {("!=", *sides) for of in (left, *bases) for sides in ((of, right), (right, of))}
        suppose = [all(map(self.say, _setting(part).givens)) for part in self.waiting]
        if any(suppose):
            ready = [part for part, holds in zip(self.waiting, suppose, strict=True) if holds]
            self.waiting = [part for part, holds in zip(self.waiting, suppose, strict=True) if not holds]
            self.shown += ready
            self.learn(*filter(None, map(concluded, ready)))

    def say(self, relation: Term) -> bool:
        """Check whether a relation is known, is plain, or follows from two that are: at least, and at most or not."""
        head, left, right = relation = plain(relation)
        if relation in self.known or (head in ("=", ">=") and left == right):
            return True
        same = [other for said, here, other in self.known if said == "=" and here == left]
        if any((head, other, right) in self.known for other in same if other[0] == "s"):
            return True
        if right == ZERO and any(self._sign(side) in (">", head) for side in (left, *filter(self._has_plainly, same))):
            return bool(head != "=")
        if head == "!=" and right == ZERO and left[0] in ("*", "^", "q"):
            return left != ZERO and all(self.say((head, part, ZERO)) for part in factors_of(left))
        if head == "=":
            return {(">=", left, right), (">=", right, left)} <= self.known
        return head == ">" and {(">=", left, right), ("!=", left, right)} <= self.known

    def _sign(self, formula: Term) -> str:
        """The relation to zero that a formula plainly has, or a sum or product of formulas of which some are known."""
        words: dict[str, tuple[str, ...]] = {
            left[1]: ("nonnegative",) for head, left, right in self.known if head == ">=" and right == ZERO
        }
        positive = {left for head, left, right in self.known if head == ">" and right == ZERO}
        return self._sign_of(formula, words, positive)

    def _sign_of(self, formula: Term, words: dict[str, tuple[str, ...]], positive: set[Term]) -> str:
        found = sign_by_form(formula, words, positive)
        if found == "" and (">=", formula, ZERO) in self.known:
            return ">="
        if found != "" or formula[0] not in ("+", "*"):
            return found
        signs = {self._sign_of(part, words, positive) for part in formula[1:]}
        strict = ">" in signs if formula[0] == "+" else ">=" not in signs
        return "" if "" in signs else ">" if strict else ">="

    def _has_plainly(self, formula: Term) -> bool:
        """Check whether a formula has a value by what is known, or plain, of what it asks for."""
        return all(
            (*demand, ZERO) in self.known or self._sign(demand[1]) in (">", demand[0]) for demand in demands(formula)
        )

    def has_value(self, formula: Term, asked: Container[Condition] = ()) -> bool:
        """Check whether a formula has a value where what is asked for holds."""
        more = (demand for demand in demands(carried_out(formula)) if demand not in asked)
        return all(self.say((*demand, ZERO)) for demand in more)

    def is_absurd(self) -> bool:
        """Check whether a relation and its contrary are both known, so that nothing is as it is supposed."""
        return any(self.say(contrary(relation)) for relation in self.known)


def _setting(part: Data) -> Setting:
    said = what_is_shown(part)
    return Setting(said["symbols"], said["assuming"])


def plain(relation: Term) -> Term:
    head, left, right = relation
    return head, carried_out(left), carried_out(right)


def concluded(part: Data) -> Term | None:
    """The relation between two numbers that a part of a certificate shows; None where it shows another thing."""
    said = what_is_shown(part)
    if said["kind"] not in ("identity", "sign"):
        return None
    return said.get("relation", "="), said["left"], said["right"]


# --- formulas that a claim states -------------------------------------------------------------------------------------


def asserted(statement: Data) -> Iterator[Data]:
    """The statements of which a conjunction consists; a theorem states its conclusion."""
    if statement["kind"] == "all":
        for part in statement["parts"]:
            yield from asserted(part)
    else:
        yield from asserted(statement["concludes"]) if statement["kind"] == "by" else (statement,)


def require_stated(formula: Term, slot: Data, claim: Data, given: Facts) -> None:
    """A formula is the one in a slot of a claim, with values put in at which all holds that the claim supposes."""
    place, key, *name = slot
    require(isinstance(place, int) and place >= 0, "a slot has the place of a statement")
    said = list(asserted(claim))[place]
    if said["kind"] == "solves":
        has_no_end = key == "solution" and said["interval"]["kind"] != "until"
        stated = said["solution"][name[0]] if has_no_end else ()
    else:
        require(key in SLOTS.get(said["kind"], ()), f"nothing is stated as the {key} of such a claim")
        stated = dict(said[key][2])[name[0]] if name and said[key][0] == "at" else () if name else said[key]
    if said["kind"] == "words" and stated:
        require(stated["shape"] == (1, 1), "the claim states another formula")
        stated = in_numbers(stated["formula"], said["letters"])
    for head, *sides in () if said["kind"] == "words" else _setting(said).givens:
        put = [_with(formula, stated, side) for side in sides]
        require(given.say((head, *put)), "a case does not suppose what its claim supposes")
    _with(formula, stated, stated)


def excuses(slot: Data, claim: Data) -> str:
    """Return why a claim may say nothing of its formula at some arguments: a name for what they are not."""
    said = list(asserted(claim))[slot[0]]
    if said["kind"] == "words":
        has_more = said["rules"] or any(told.keys() - PLAIN for told in said["letters"].values())
        return "numbers" if has_more else ""
    if said["kind"] == "average":
        return "covariance"
    return "ended" if said["kind"] == "solves" and said["interval"]["kind"] == "while defined" else ""


def _with(formula: Term, stated: Term, other: Term) -> Term:
    """Another formula in the place of the one that a claim states, with the same values put in and no derivative."""
    if formula == stated:
        return other
    require(formula[0] in ("at", "D"), "the claim states another formula")
    inner = _with(formula[1], stated, other)
    return ("at", inner, formula[2]) if formula[0] == "at" else inner


def in_numbers(formula: Data, letters: Data) -> Term:
    """A formula in letters that are numbers, as one in symbols of their names; an inverse is a power."""
    head, *inside = formula
    match head:
        case "L":
            declared = letters[inside[0]]
            require(declared["rows"] == declared["cols"] == 1, "a kernel of numbers equals no matrix")
            of = declared.get("inverse_of")
            return ("^", in_numbers(of["formula"], letters), MINUS_ONE) if of else ("s", inside[0])
        case "q":
            return tuple(formula)
        case "I":
            return ONE
        case "+" | "*" | "@":
            return ("+" if head == "+" else "*", *(in_numbers(part, letters) for part in inside))
        case "^":
            return ("^", in_numbers(inside[0], letters), ("q", str(inside[1])))
        case "T":
            return in_numbers(inside[0], letters)
    raise Rejected(f"a kernel of numbers equals no formula with {head}")
