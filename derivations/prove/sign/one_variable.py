"""Inequalities between fractions of polynomials in one symbol are decided, unless they fail at irrational points alone.

The real roots of all polynomials that are known of the symbol cut the line into points and open intervals, on each of
which every polynomial keeps its sign. The checker's rule for the line proves; a number of each piece may refute.
"""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from itertools import islice

from derivations.language.normal import to_fraction
from derivations.language.points import Values, points, satisfies
from derivations.language.terms import NotExact
from derivations.prove.certificate import Certificate, Json, Verdict, undecided
from derivations.prove.checking import as_a_checker
from derivations.prove.sign import evidence
from derivations.prove.sign.hunt import SIMPLE, first_failure


def decide(statement: Json, name: str) -> Certificate | None:
    """PROVED, REFUTED at an exact point, OPEN if it fails at irrational points alone; None if none is certain."""
    with suppress(NotExact), as_a_checker():  # polynomials that are too large for the checker's rule
        line = evidence.Line(statement)
        places = [to_fraction(near) for *_, near in line.failing()]
        payload = line.payload() if not places else None
        if payload is not None:
            return Certificate(statement, Verdict.PROVED, "positive combination", payload)
        near = {place.limit_denominator(most) for most in SIMPLE for place in places} | set(places)
        simplest = sorted(near, key=lambda value: (value.denominator, abs(value), value < 0))
        refuted = first_failure(statement, (point for value in simplest for point in _points(statement, name, value)))
        if refuted is not None or not places or not line.is_all:
            return refuted
        reason = (
            f"it fails at irrational points alone, such as near {float(places[0]):.6g}, and only rational points refute"
            " it: exclude them by a hypothesis, or state the weak inequality"
        )
        return undecided(statement, reason)
    return None


def _points(statement: Json, name: str, value: Fraction) -> list[Values]:
    """A point that satisfies every hypothesis, at which the symbol has a value."""
    known, assuming = statement["symbols"], [tuple(r) for r in statement["assuming"]]
    others = [{name: value}] if set(known) == {name} else points(statement)
    return list(islice((at for other in others if satisfies(at := {**other, name: value}, known, assuming)), 1))
