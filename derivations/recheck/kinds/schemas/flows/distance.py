"""The theorem about how fast a matrix that moves can get away from zero."""

from __future__ import annotations

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, rational
from derivations.recheck.kinds.schemas.motion import (
    all_behind,
    equation,
    inner,
    moved,
    moved_by,
    named_in,
    one,
    require_that_t_is_the_time,
)
from derivations.recheck.kinds.schemas.motion import with_values as placed_in
from derivations.recheck.kinds.schemas.slots import Needs, Theorem, conclusion
from derivations.recheck.kinds.words import read_letters


def _distance(slots: Data) -> tuple[Needs, Data]:
    letters, motion, begin = slots["letters"], slots["motion"], slots["begin"]
    read_letters(letters)
    if sorted(motion) != sorted(begin):
        raise Rejected("each letter that moves needs a start, and no other has one")
    require_that_t_is_the_time(slots)
    driven = moved_by(motion, letters)
    numbers = slots["left_bound"], slots["right_bound"], slots["size"]
    steady = all_behind(named_in([*numbers, *begin.values()]), letters)
    if steady & driven:
        raise Rejected("a bound, a size or a start depends on what moves")
    _require_not_negative(slots["size"], letters)
    steady |= all_behind(named_in([slots["matrix"]]), letters) - driven
    shape, whole, rest = slots["matrix"]["shape"], inner(slots["matrix"]), inner(slots["rest"])
    from_left, from_right = ("@", inner(slots["first"]), whole), ("@", whole, inner(slots["second"]))
    needs = {"rate": equation(slots, shape, moved(whole, motion, letters), ("+", from_left, from_right, rest))}
    for label, factor, bound in (("left", "first", numbers[0]), ("right", "second", numbers[1])):
        needs[label] = _at_most(slots, slots[factor], bound, slots[f"{label}_squares"])
    limit, spare = inner(slots["size"]), [("norm2", inner(side)) for side in slots["size_squares"]]
    needs["rest"] = equation(slots, (1, 1), ("*", limit, limit), ("+", ("norm2", rest), *spare))
    growth = ("+", inner(numbers[0]), inner(numbers[1]))
    said = {
        "matrix": slots["matrix"],
        "start": {"shape": shape, "formula": placed_in(whole, begin)},
        "growth": {"shape": (1, 1), "formula": growth},
        "size": slots["size"],
        "constants": tuple(sorted(steady)),
        "motion": motion,
        "begin": begin,
    }
    return needs, conclusion("distance from zero", slots, **said)


def _at_most(slots: Data, side: Data, bound: Data, squares: tuple[Data, ...]) -> Data:
    """Twice a bound, less a matrix and its transpose, is a sum of squares."""
    twice = ("*", ("q", "2"), inner(bound), one(side["shape"]))
    less = [("*", ("q", "-1"), part) for part in (inner(side), ("T", inner(side)))]
    total = [("@", ("T", inner(root)), inner(root)) for root in squares]
    return equation(slots, side["shape"], ("+", twice, *less), ("+", *total))


def _require_not_negative(size: Data, letters: Data) -> None:
    head, what = inner(size)[0], inner(size)[1]
    if head == "0" or (head == "L" and letters[what].get("positive") is True):
        return
    if head != "q" or rational(what) < 0:
        raise Rejected("the size of the rest is neither a positive letter nor a number that is not negative")


THEOREMS = {
    "distance from zero": Theorem(
        "A matrix D with the rate A D + D B + R along a flow, where A + A' is at most 2 a and B + B' at most 2 b times"
        " the identity, and |R| is at most r, has |D| <= exp(g t) |D(0)| + r (exp(g t) - 1)/g with g = a + b.",
        {
            "matrix": "word",
            "first": "word",
            "second": "word",
            "rest": "word",
            "left_bound": "word",
            "left_squares": "words",
            "right_bound": "word",
            "right_squares": "words",
            "size": "word",
            "size_squares": "words",
            "motion": "motion",
            "begin": "motion",
        },
        _distance,
    ),
}
