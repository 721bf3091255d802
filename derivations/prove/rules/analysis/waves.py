"""By half turns: the sine of an angle between k pi and (k + 1) pi has the sign of (-1)^k; a cosine is a sine moved."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import floor, pi

from derivations.language.evaluate import value
from derivations.language.terms import Term, fraction_of, rational
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.factors import cores
from derivations.prove.rules.analysis.samples import Place
from derivations.prove.rules.analysis.slopes import of_function
from derivations.prove.rules.rule import Step

WAVES = ("sin", "cos")


def by_half_turns(statement: Json) -> Iterator[Step]:
    """The half turn in which the only sine or cosine lies at all points that are tried."""
    if statement["kind"] != "sign":
        return
    at, found = cores(statement)
    for factor, function in found:
        times, wave = _alone(function)
        turn = None if wave is None else _turn(_moved(wave), at)
        if wave is not None and turn is not None and (times > 0) == (turn % 2 == 0):
            angle = _moved(wave, -turn)
            scaled = factor if abs(times) == 1 else factor.times(rational(abs(times)))
            yield of_function(statement, scaled, ("sin", angle), partial(_half_turn, angle), alone=False)


def _half_turn(angle: Term, _: Json) -> Step:
    return Step("half turns", {"angle": angle})


def _moved(wave: Term, turns: int = 0) -> Term:
    """The angle whose sine a sine or cosine is, some half turns further on."""
    angle: Term = wave[1]
    halves = 2 * turns + (wave[0] == "cos")
    return ("+", angle, ("*", rational(f"{halves}/2"), ("pi",))) if halves else angle


def _alone(function: Term) -> tuple[int, Term | None]:
    """A number and the sine or cosine that it multiplies, if a function is no more than that."""
    if function[0] in WAVES:
        return 1, function
    if function[0] == "*" and len(function) == 3 and function[1][0] == "q" and function[2][0] in WAVES:
        return fraction_of(function[1]), function[2]  # type: ignore[return-value]
    return 1, None


def _turn(angle: Term, at: list[Place]) -> int | None:
    """The number of the half turn in which an angle lies at all the points."""
    values = [value(angle, place) for place in at]
    found = {floor(float(v.mid()) / pi) for v in values if v is not None and not v.contains(0)}
    return found.pop() if len(found) == 1 else None
