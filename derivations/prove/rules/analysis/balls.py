"""By balls: numbers, and functions on boxes with rational ends, where they stay away from equality."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import takewhile
from typing import Any

from flint import arb

from derivations.language.evaluate import exact, precision, value
from derivations.language.terms import Term, carried_out, subtract, symbols_in
from derivations.prove import enclosure
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.interval import bounds
from derivations.prove.rules.rule import Step

PIECES = (1, 4, 12)
HIGHEST = 10**1000  # of an upper bound that is written down
MOST_BOXES = 300


def by_balls(statement: Json) -> Iterator[Step]:
    """The smallest box that the hypotheses name, if a few balls show that the difference of the sides is positive."""
    if statement["kind"] != "sign":
        return
    gap = carried_out(subtract(statement["left"], statement["right"]))
    box = {}
    for name in sorted(symbols_in(gap)):
        low, high = bounds(statement, name)
        lows, highs = ([v for t in side if (v := _number(t)) is not None] for side in (low, high))
        if not lows or not highs or max(lows) > min(highs):
            return
        box[name] = [str(max(lows)), str(min(highs))]
    upper = upper_bound(gap, box, PIECES)
    if upper is not None:
        yield Step("balls", {"box": box, "upper": upper})


def _number(term: Term) -> Fraction | None:
    return None if symbols_in(term) else exact(term, {})


def upper_bound(term: Term, box: dict[str, list[str]], parts: Iterable[int]) -> str | None:
    """A number above all values on a box, if balls over so many parts of each side show that they are positive."""
    for count in parts:
        if count ** len(box) > MOST_BOXES:
            return None
        with precision(enclosure.BITS):
            over = (value(term, cell, enclosure.BITS) for cell in enclosure.boxes(box, count))
            balls: list[Any] = [*takewhile(lambda found: found is not None and found > 0, over)]
            if len(balls) == count ** len(box):
                highest: Any = max((ball.upper() for ball in balls), default=arb(1))
                return str(2 + int(highest.ceil().unique_fmpz())) if highest < HIGHEST else None
    return None
