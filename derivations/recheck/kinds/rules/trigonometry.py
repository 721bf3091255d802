"""Half angles: each angle's cosine and sine as rational functions of a letter, in two charts that reach all angles.

(1 - t^2)/(1 + t^2) and 2t/(1 + t^2) are the cosine and the sine of every angle but the odd multiples of pi; their
negatives are those of every angle but the even ones. A statement that holds in every choice of charts holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from math import comb, lcm

from flint import fmpq

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, Term, name, part
from derivations.recheck.core.terms import HALF, MINUS_ONE, ONE, TWO, ZERO, difference, free_in, minus, parts
from derivations.recheck.core.theorems import known_values
from derivations.recheck.kinds.rules.forms import inside_out, only, rewritten
from derivations.recheck.kinds.rules.linear import Rest, linear

MAX_ANGLES, MAX_TIMES = 3, 12
TURN: Rest = (("pi",),)
WORK = 4000  # see `spend`
Pair = tuple[Term, Term]  # cosine and sine


def _sqrt(formula: Term) -> Term:
    return ("^", formula, HALF)


def _cosine(turn: Rational) -> Term | None:
    """The cosine of a rational multiple of pi, if the table has it."""
    known = known_values("cosines")
    turn = abs(turn)
    turn = turn - 2 * (turn / 2).floor()
    turn = min(turn, 2 - turn)
    if turn <= fmpq(1, 2):
        return known.get(str(turn))
    found = known.get(str(1 - turn))
    return minus(found) if found is not None else None


def half_angles(statement: Data, parameters: Data) -> list[Data]:
    """One part for every choice of charts."""
    only(parameters, "letters")
    formulas = [statement["left"], statement["right"], *(s for r in statement["assuming"] for s in r[1:])]
    angles = angles_of(formulas)
    letters = [name(letter) for letter in part(parameters, "letters", tuple, "the parameters")]
    if len(letters) != len(angles) or len(set(letters)) != len(letters) or len(angles) > MAX_ANGLES:
        raise Rejected(f"{len(angles)} angles need as many different letters, and at most {MAX_ANGLES} are checked")
    if set(letters) & (set(statement["symbols"]) | free_in(formulas)):
        raise Rejected("a letter for an angle stands in the statement already")
    known = {rest: own for rest, divided in angles.items() if (own := _of_inverse(rest, divided)) is not None}
    moving = [(rest, letter) for rest, letter in zip(angles, letters, strict=True) if rest not in known]
    needed = []
    for signs in product((1, -1), repeat=len(moving)):
        pairs = dict(known)
        for (rest, letter), sign in zip(moving, signs, strict=True):
            pairs[rest] = _in_chart(("s", letter), sign)
        data = rewritten(statement, _Opening(angles, pairs).of)
        needed.append(data | {"symbols": statement["symbols"] | {letter: () for _, letter in moving}})
    return needed


def angles_of(formulas: Iterable[Term]) -> dict[Rest, int]:
    """What arguments consist of, from the inside out, and by which number each is divided."""
    found: dict[Rest, int] = {}
    for formula in inside_out(formulas):
        if formula[0] in ("sin", "cos"):
            for rest, times in _opened(formula[1])[1].items():
                found[rest] = lcm(found.get(rest, 1), int(times.q))
    return found


def _opened(argument: Term) -> tuple[Pair, dict[Rest, Rational]]:
    """Cosine and sine of the argument's multiple of pi, if they are roots, and the angles that have none."""
    angles = linear(argument)
    turn = angles.get(TURN, fmpq(0))
    cosine, sine = _cosine(turn), _cosine(fmpq(1, 2) - turn)
    if cosine is None or sine is None:
        return (ONE, ZERO), angles
    return (cosine, sine), {rest: times for rest, times in angles.items() if rest != TURN}


def _of_inverse(rest: Rest, divided: int) -> Pair | None:
    if divided != 1 or len(rest) != 1 or rest[0][0] not in ("asin", "atan") or _has_waves(rest[0][1]):
        return None
    v = rest[0][1]
    if rest[0][0] == "asin":
        return _sqrt(difference(ONE, ("^", v, TWO))), v
    below = ("^", ("+", ONE, ("^", v, TWO)), ("q", "-1/2"))
    return below, ("*", v, below)


def _has_waves(formula: Term) -> bool:
    return formula[0] in ("sin", "cos") or any(map(_has_waves, parts(formula)))


def _in_chart(t: Term, sign: int) -> Pair:
    below = ("^", ("+", ONE, ("^", t, TWO)), MINUS_ONE)
    cosine, sine = ("*", difference(ONE, ("^", t, TWO)), below), ("*", TWO, t, below)
    return (cosine, sine) if sign == 1 else (minus(cosine), minus(sine))


class _Opening:
    """Sines and cosines by the addition theorems."""

    def __init__(self, angles: dict[Rest, int], pairs: dict[Rest, Pair]) -> None:
        self.angles, self.pairs = angles, pairs

    def of(self, formula: Term) -> Term:
        spend(WORK)
        if formula[0] in ("s", "q", "pi"):
            return formula
        if formula[0] in ("sin", "cos"):
            return self._argument(formula[1])[formula[0] == "sin"]
        return (formula[0], *[self.of(child) for child in formula[1:]])

    def _argument(self, argument: Term) -> Pair:
        (cosine, sine), angles = _opened(argument)
        for rest, times in angles.items():
            c, s = _multiple(self.pairs[rest], times * self.angles[rest])
            cosine, sine = (
                ("+", ("*", cosine, c), minus(("*", sine, s))),
                ("+", ("*", sine, c), ("*", cosine, s)),
            )
        return cosine, sine


def _multiple(pair: Pair, times: Rational) -> Pair:
    """The real and the imaginary part of (cosine + i sine)^times."""
    if times.q != 1 or abs(times) > MAX_TIMES:
        raise Rejected(f"an angle is taken {times} times, and only whole multiples up to {MAX_TIMES} are checked")
    k = int(times.p)
    summands: tuple[list[Term], list[Term]] = ([], [])
    for j in range(abs(k) + 1):
        weight = comb(abs(k), j) * (1, 1, -1, -1)[j % 4]
        powers = ("^", pair[0], ("q", str(abs(k) - j))), ("^", pair[1], ("q", str(j)))
        summands[j % 2].append(("*", ("q", str(weight)), *powers))
    sine: Term = ("+", *summands[1]) if summands[1] else ZERO
    return ("+", *summands[0]), sine if k >= 0 else minus(sine)
