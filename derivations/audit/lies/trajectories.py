"""False variants of what is said of trajectories: each contradicts the statement that it was made from.

A box trades its place for one beside it, a relation is turned round, a window is moved to where nothing happens. A
variant says one thing only, so that it stays as quick to decide as the statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from derivations.language.terms import rational

Json = Any


def trajectory_mutants(statement: Json) -> Iterator[tuple[str, Json]]:
    """Every false variant of one thing that is said, with what was changed."""
    for number, said in enumerate(statement["says"], 1):
        lies = _boxes if "box" in said else _events if said["that"] == "reaches" else _relations
        for what, new in lies(said):
            yield f"{said['that']} {number}: {what}", {**statement, "says": [new]}


def _boxes(said: Json) -> Iterator[tuple[str, Json]]:
    """Boxes without a point in common with the one that is said."""
    for x, (low, high) in sorted(said["box"].items()):
        width = Fraction(high) - Fraction(low) or Fraction(1)
        for what, off in (("up", 2 * width), ("down", -2 * width), ("far up", 20 * width + 1)):
            ends = [str(Fraction(end) + off) for end in (low, high)]
            yield f"the interval of {x} moves {what}", {**said, "box": {**said["box"], x: ends}}


def _relations(said: Json) -> Iterator[tuple[str, Json]]:
    _, left, right = said["relation"]
    yield "the sides trade places", {**said, "relation": [">", right, left]}
    yield "the sides trade places at the end", {**said, "from": said["to"], "relation": [">", right, left]}
    for many in (1, 10):
        lower, higher = ["+", right, rational(-many)], ["+", left, rational(many)]
        yield f"the sides trade places, {many} is taken away", {**said, "relation": [">", lower, left]}
        yield f"the sides trade places, {many} is added", {**said, "relation": [">", right, higher]}


def _events(said: Json) -> Iterator[tuple[str, Json]]:
    """Windows in which the first time is not, and a sign that is said not to change."""
    begin, end = Fraction(said["from"]), Fraction(said["to"])
    yield "the window moves behind the event", {**said, "from": said["to"], "to": str(2 * end - begin)}
    if begin > 0:
        before = begin // 2 if begin.denominator == 1 and end.denominator == 1 else begin / 2
        yield "the window moves before the event", {**said, "from": str(before), "to": said["from"]}
    _, left, right = said["relation"]
    for what, relation in (("above", [">", left, right]), ("below", [">", right, left])):
        kept = {"that": "stays", "from": "0", "to": said["to"], "relation": relation}
        yield f"one side stays {what} the other", kept
