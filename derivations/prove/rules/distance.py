"""By distance: where s > a is supposed, s is written as a + d with a positive d, and so for the other orders."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.normal.linear import linear_form
from derivations.language.terms import carried_out, subtract, symbols_in
from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Step, declaring_nothing, fresh, under

WORDS = {">": "positive", ">=": "nonnegative"}


def by_distance(statement: Json) -> Iterator[Step]:
    """Each symbol that is compared with what does not speak of it."""
    for order, *sides in statement["assuming"]:
        left, right = map(carried_out, map(tuple, sides))
        for name in statement["symbols"]:
            for side, one, end in (("above", left, right), ("below", right, left)):
                if order in WORDS and one == ("s", name) and name not in symbols_in(end):
                    used = {"symbol": name, "end": end, "side": side, "bound": order, "letter": fresh(statement, "d")}
                    yield declaring_nothing(statement, name, Step("distance from an end", used, _with_sign))


def _with_sign(role: str, part: Json) -> Step | None:
    """The sign of the new letter, which is the last that is declared, as a word beside it and not as a hypothesis.

    That the letter is something else, such as not zero, stays a hypothesis.
    """
    if role != "then":
        return None
    *_, letter = part["symbols"]
    alone = {((("s", letter), 1),): 1}
    orders = {r: r[0] in WORDS and linear_form(subtract(*r[1:])) == alone for r in part["assuming"]}
    word = next(WORDS[r[0]] for r, is_sign in orders.items() if is_sign)
    kept = [r for r, is_sign in orders.items() if not is_sign]
    return under({"symbols": {**part["symbols"], letter: [word]}, "assuming": kept})
