"""How far a matrix that moves gets from zero, such as the difference of two solutions: Gronwall's inequality."""

from __future__ import annotations

from derivations.language.words.formulas import mentioned
from derivations.prove.certificate import Json
from derivations.prove.schemas.motion import along, behind, equation, keep_the_time, moving_with, of, placed, unit
from derivations.prove.schemas.schema import MATRICES, Schema, SlotError, Use, concluded


def distance(slots: Json) -> Use:
    matrix, first, second, rest = (slots[key] for key in ("matrix", "first", "second", "rest"))
    left, right, size, motion, begin = (slots[k] for k in ("left_bound", "right_bound", "size", "motion", "begin"))
    fixed = [left, right, size, *begin.values()]
    moving = moving_with(motion, slots["letters"])
    if set(motion) != set(begin):
        raise SlotError("each letter that moves needs a start")
    keep_the_time(slots)
    constants = behind({n for side in fixed for n in mentioned(side)}, slots["letters"])
    if tied := sorted(constants & moving):
        raise SlotError(f"bounds, size and starts must be constants, and {tied[0]} moves")
    _check_size(slots)
    constants |= behind(mentioned(matrix), slots["letters"]) - moving
    D, A, B, R = map(of, (matrix, first, second, rest))
    squares = [("norm2", of(side)) for side in slots["size_squares"]]
    needs = {
        "rate": equation(
            slots, matrix["shape"], along(D, motion, slots["letters"]), ("+", ("@", A, D), ("@", D, B), R)
        ),
        "left": _below(slots, first, left, slots["left_squares"]),
        "right": _below(slots, second, right, slots["right_squares"]),
        "rest": equation(slots, (1, 1), ("*", of(size), of(size)), ("+", ("norm2", R), *squares)),
    }
    start = {"shape": list(matrix["shape"]), "formula": placed(matrix, begin)}
    growth = {"shape": [1, 1], "formula": ("+", of(left), of(right))}
    found = {"matrix": matrix, "start": start, "growth": growth, "size": size, "constants": sorted(constants)}
    return Use(needs, concluded("distance from zero", slots, **found, motion=motion, begin=begin))


def _below(slots: Json, side: Json, bound: Json, squares: list[Json]) -> Json:
    """That the symmetric part of a matrix is at most a number times the identity: what is left is a sum of squares."""
    less = ("q", "-1")
    gap = ("+", ("*", ("q", "2"), of(bound), unit(side)), ("*", less, of(side)), ("*", less, ("T", of(side))))
    return equation(slots, side["shape"], gap, ("+", *(("@", ("T", of(s)), of(s)) for s in squares)))


def _check_size(slots: Json) -> None:
    """The size of the rest is a positive letter, or a number that is not negative."""
    head, *rest = of(slots["size"])
    is_letter = head == "L" and bool(slots["letters"][rest[0]].get("positive"))
    if not is_letter and head != "0" and (head != "q" or rest[0].startswith("-")):
        raise SlotError("the size of the rest must be a letter that is declared positive, or a number from zero up")


SCHEMAS = (
    Schema(
        "distance from zero",
        "A matrix D with the rate A D + D B + R along a flow, where A + A' is at most 2 a and B + B' at most 2 b times"
        " the identity, and |R| is at most r, has |D| <= exp(g t) |D(0)| + r (exp(g t) - 1)/g with g = a + b.",
        "What is left of the bounds are sums of squares; a, b, r, the starts and all that does not move in D are the"
        " same at all times; the conclusion holds for as long as the hypotheses do, which may speak of what moves.",
        "Gronwall's inequality with logarithmic norms; Hairer, Norsett and Wanner, Solving Ordinary Differential"
        " Equations I, Theorem I.10.6",
        MATRICES,
        {
            "matrix": "word", "first": "word", "second": "word", "rest": "word", "left_bound": "word",
            "left_squares": "words", "right_bound": "word", "right_squares": "words", "size": "word",
            "size_squares": "words", "motion": "motion", "begin": "motion",
        },
        distance,
    ),
)  # fmt: skip
