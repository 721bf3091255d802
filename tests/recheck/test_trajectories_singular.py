"""False sentences where a rate or a quantity ends, bends or has a pole: no evidence makes the checker take them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest
from case_files import Cases
from each import each
from recheck.handmade import Json, Term, add, power, q, s
from recheck.trajectories_proposed import dyadic, ends, flow, unit

from derivations.recheck import Rejected, check

FAMILIES = Cases(__file__, globals())

x, y, t = s("x"), s("y"), s("t")
ANY = (-(10**12), 10**12)
ROOM = ((Fraction(1, 4), Fraction(1, 100)), (Fraction(0), Fraction(1000)))  # shares of a box, and more beside it
PIECES = (1, 8)


class Lie(NamedTuple):
    """A flow with a start, what is said falsely of it, and a guess at its course, through what ends it."""

    states: dict[str, Term]
    start: dict[str, Any]
    said: Json
    course: Callable[[float], list[float]]


def alone(rate: Term, start: Any, said: Json, course: Callable[[float], float]) -> Lie:
    return Lie({"x": rate}, {"x": start}, said, lambda time: [course(time)])


LIES = {
    **FAMILIES["lies"],
    "tangent": alone(add(q(1), power(x, 2)), 0, ends(2, x=ANY), lambda time: time / (1.6 - min(time, 1.59))),
}


def steps(lie: Lie, room: tuple[Fraction, Fraction], pieces: int) -> Iterator[list[Any]]:
    """Steps of one length, with boxes around the guess."""
    until = Fraction(lie.said.get("at", lie.said.get("to")))
    share, more = room
    length = until / pieces
    for number in range(pieces):
        seen = zip(*(lie.course(float(length * (number + Fraction(part, 8)))) for part in range(9)), strict=True)
        box = []
        for values in seen:
            off = float(share) * (max(values) - min(values)) + float(more)
            box.append([dyadic(min(values) - off, -1), dyadic(max(values) + off, 1)])
        yield [str(length), box, unit(len(box))]


@each("name", [*LIES])
def test_no_evidence_is_taken(name: str) -> None:
    lie = LIES[name]
    for room, pieces, order in product(ROOM, PIECES, (1, 12)):
        evidence = list(steps(lie, room, pieces))
        with pytest.raises(Rejected):
            check(flow(lie.states, lie.start, [lie.said], evidence, order=order))
