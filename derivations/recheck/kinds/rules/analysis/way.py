"""What holds on the way between a point of a statement and an end: the certificate says it, and it is shown there."""

from __future__ import annotations

from typing import NamedTuple

from derivations.recheck.core.conditions import conditions, said_of
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term, integer, name, part, relation, shown
from derivations.recheck.core.terms import ZERO, carried_out, free, free_in, replaced
from derivations.recheck.kinds.rules.forms import only


class Way(NamedTuple):
    """Facts about a point on the way, by which the hypotheses of a setting hold at each of them."""

    facts: list[Data]
    setting: Data


def way(statement: Data, symbol: str, letter: Data, given: Data, *where: Term) -> Way:
    """A letter stands for a place on the way, of which `where` says where it lies.

    What is free of the symbol is supposed as it was; of all else that is supposed on the way it is shown that it holds
    at that place, by one thing that is known of where it lies, and it has values there as it has at the point.
    """
    only(given, "told", "assuming", "by")
    formulas = [statement["left"], statement["right"], *(s for r in statement["assuming"] for s in r[1:])]
    if name(letter) in statement["symbols"] or letter in free_in(formulas):
        raise Rejected(f"the letter {shown(letter)} for a place on the way stands in the statement already")
    here: Term = ("s", letter)
    words, supposed = part(given, "told", tuple, "a way"), tuple(map(relation, part(given, "assuming", tuple, "a way")))
    facts = [_signed(statement, word, here, where) for word in words]
    reasons = part(given, "by", tuple, "a way")
    if len(reasons) != len(supposed):
        raise Rejected("each thing that is supposed on a way has the number of what it follows from")
    for (order, *sides), by in zip(supposed, reasons, strict=True):
        if symbol not in free_in(map(carried_out, sides)):
            if (order, *sides) not in statement["assuming"]:
                raise Rejected("what is supposed on a way is free of its symbol and no hypothesis of the statement")
            continue
        asked = [what for side in sides for _, what in conditions(side, {}, smooth=False)]
        if order not in (">", ">=") or any(symbol in free(what) for what in asked):
            raise Rejected("on a way an order of formulas is supposed that have values all along it")
        place = where[integer(by, 0, len(where) - 1, "the number of what is known of a place")]
        moved = (order, *(replaced(carried_out(side), ("s", symbol), here) for side in sides))
        if moved != (place[0], *map(carried_out, place[1:])):
            there = {"symbols": statement["symbols"] | {letter: ()}, "assuming": (*statement["assuming"], place)}
            facts.append(said_of(there, *moved))
    return Way(facts, {"symbols": statement["symbols"] | {symbol: words}, "assuming": supposed})


def _signed(statement: Data, word: str, here: Term, where: tuple[Term, ...]) -> Data:
    """That a place on the way has a sign: what it is above is not negative, or what it is below is not positive."""
    for _, upper, lower in where:
        if word == "positive" and upper == here:
            return said_of(statement, ">=", lower)
        if word == "negative" and lower == here:
            return said_of(statement, ">=", ZERO, upper)
    raise Rejected(f"on a way a symbol is positive above an end, or negative below one, got {shown(word)}")


def free_of(statement: Data, symbol: str) -> Data:
    """The setting without what is supposed of a symbol, which moves."""
    kept = tuple(r for r in statement["assuming"] if symbol not in free_in(map(carried_out, r[1:])))
    return {"symbols": statement["symbols"] | {symbol: ()}, "assuming": kept}
