"""By balls: numbers, and functions on boxes with rational ends, where they stay away from equality."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from derivations.language.evaluate import evaluate, exact, precision
from derivations.language.terms import Term, carried_out, subtract, symbols_in
from derivations.prove import enclosure
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.interval import ends
from derivations.prove.rules.rule import Step

PIECES = (1, 4, 12)
MOST_BOXES = 300


def by_balls(statement: Json) -> Iterator[Step]:
    """The smallest box that the hypotheses name, if a few balls show that the difference of the sides is positive."""
    if statement["kind"] != "sign":
        return
    gap = carried_out(subtract(statement["left"], statement["right"]))
    box = {}
    for name in sorted(symbols_in(gap)):
        low, high = ends(statement, name)
        lows, highs = ([v for t in side if (v := _number(t)) is not None] for side in (low, high))
        if not lows or not highs or max(lows) > min(highs):
            return
        box[name] = [str(max(lows)), str(min(highs))]
    upper = _upper(gap, box)
    if upper is not None:
        yield Step("balls", {"box": box, "upper": upper})


def _number(term: Term) -> Fraction | None:
    return None if symbols_in(term) else exact(term, {})


def _upper(gap: Term, box: dict[str, list[str]]) -> str | None:
    """A number above all values on the box, if these are certainly positive."""
    for pieces in PIECES:
        if pieces ** len(box) > MOST_BOXES:
            return None
        with precision(enclosure.BITS):
            most = _largest(gap, box, pieces)
        if most is not None:
            return str(most)
    return None


def _largest(gap: Term, box: dict[str, list[str]], pieces: int) -> int | None:
    most = 1
    for cell in enclosure.boxes(box, pieces):
        try:
            value = evaluate(gap, cell)
        except (ZeroDivisionError, ValueError):
            return None
        if not value.is_finite() or not value > 0:
            return None
        most = max(most, int(value.upper().unique_fmpz() or value.upper().ceil().unique_fmpz()) + 1)
    return most
