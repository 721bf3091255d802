"""False sentences where a rate or a quantity ends, bends or has a pole: no evidence makes the checker take them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import pytest

from derivations.recheck import Rejected, check
from tests.recheck.handmade import Json, Term, add, minus, mul, power, q, s
from tests.recheck.trajectories_proposed import dyadic, ends, flow, reaches, stays, unit

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


def down(rate: Term, said: Json) -> Lie:
    """x falls from 1 at the rate 1, and y changes at a rate that x sets."""
    return Lie({"x": q(-1), "y": rate}, {"x": 1, "y": 0}, said, lambda time: [1 - time, time - time**2 / 2])


def of(quantity: Term, said: Callable[[Term], Json]) -> Lie:
    """Something said of a quantity of x, which falls from 1 at the rate 1."""
    return Lie({"x": q(-1)}, {"x": 1}, said(quantity), lambda time: [1 - time])


def alone(rate: Term, start: Any, said: Json, course: Callable[[float], float]) -> Lie:
    return Lie({"x": rate}, {"x": start}, said, lambda time: [course(time)])


def never_below_zero(quantity: Term) -> Json:
    return stays(0, 1, ">=", quantity, q(-1000))


half = add(x, q("-1/2"))
LIES = {
    "pole": alone(power(x, 2), 1, ends(1, x=ANY), lambda time: 1 / (1.01 - time)),
    "beyond a pole": alone(power(x, 2), 1, ends("5/4", x=ANY), lambda time: 4 * time),
    "through a pole": alone(power(x, 2), 1, ends(2, x=(-2, 0)), lambda time: 1 - time),
    "tangent": alone(add(q(1), power(x, 2)), 0, ends(2, x=ANY), lambda time: time / (1.6 - min(time, 1.59))),
    "through zero": alone(minus(power(x, -1)), 1, ends(1, x=ANY), lambda time: 1 - time),
    "pole in time": alone(power(add(q(1), minus(t)), -2), 0, ends(2, x=("-21/10", "-19/10")), lambda time: -time),
    "root that ends": alone(minus(power(x, "1/2")), 1, ends(3, x=(Fraction(1, 5), Fraction(3, 10))),
                            lambda time: (1 - time / 2) ** 2),
    "root, at rest": alone(mul(q(2), power(x, "1/2")), 0, ends("1/2", x=(-1, "1/10")), lambda time: 0),
    "root, not at rest": alone(mul(q(2), power(x, "1/2")), 0, ends("1/2", x=("1/10", 1)), lambda time: time**2),
    "root of a size": alone(power(["abs", x], "1/2"), 0, ends("1/2", x=(-1, "1/100")), lambda time: 0),
    "two thirds": alone(power(power(x, 2), "1/3"), 0, ends("1/2", x=(-1, "1/1000")), lambda time: 0),
    "logarithm": alone(["log", x], "1/2", ends(2, x=ANY), lambda time: 0.5 - time / 2),
    "arcsine": alone(["asin", x], "1/2", ends(2, x=ANY), lambda time: 0.5 + time),
    "lambertw": alone(["lambertw", x], "-3/10", ends(1, x=ANY), lambda time: -0.3 - 0.6 * time),
    "root of what falls": down(power(x, "1/2"), ends(2, y=ANY)),
    "root squared": down(power(power(x, "1/2"), 2), ends(2, y=ANY)),
    "logarithm of what falls": down(["log", x], ends(2, y=ANY)),
    "logarithm times 0": down(mul(q(0), ["log", x]), ends(2, y=ANY)),
    "quotient of equals": down(mul(x, power(x, -1)), ends(2, y=ANY)),
    "lambertw of what falls": down(["lambertw", x], ends(2, y=ANY)),
    "arcsine of what falls": down(["asin", add(x, q("1/2"))], ends(2, y=ANY)),
    "size, continued": down(["abs", x], ends(2, y=("-1/10", "1/10"))),
    "larger of x and 0, continued": down(mul(q("1/2"), add(x, ["abs", x])), ends(2, y=("-1/10", "1/10"))),
    "root of a square, continued": down(power(power(x, 2), "1/2"), ends(2, y=("-1/10", "1/10"))),
    "size in time, continued": Lie({"y": ["abs", add(q(1), minus(t))]}, {"y": 0}, ends(2, y=("-1/10", "1/10")),
                                   lambda time: [time - time**2 / 2]),
    "at the beginning of a window": of(x, lambda it: reaches(1, 2, it, q(0))),
    "at the end of a window": of(x, lambda it: reaches(0, 1, it, q(0))),
    "at the start": of(x, lambda it: reaches(0, 1, it, q(1))),
    "a touch": of(power(half, 2), lambda it: reaches(0, 1, it, q(0))),
    "a pole is no event": of(power(half, -1), lambda it: reaches("1/4", "3/4", it, q(0))),
    "two events": of(["abs", half], lambda it: reaches("1/8", "7/8", it, q("1/4"))),
    "second event": of(["abs", half], lambda it: reaches("1/2", 1, it, q("1/4"))),
    "zero in the end": of(x, lambda it: stays(0, 1, ">", it, q(0))),
    "a moment below zero": of(x, lambda it: stays(0, 1 + Fraction(1, 2**60), ">=", it, q(0))),
    "a touch of zero": of(power(half, 2), lambda it: stays(0, 1, ">", it, q(0))),
    "quantity with an end": of(power(half, "1/2"), never_below_zero),
    "quantity with a pole": of(power(half, -2), never_below_zero),
    "quantity times 0": of(mul(q(0), ["log", half]), never_below_zero),
    "derivative of nothing": of(["D", mul(q(0), ["log", half]), "x"], never_below_zero),
}  # fmt: skip


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


@pytest.mark.parametrize("name", LIES)
def test_no_evidence_is_taken(name: str) -> None:
    lie = LIES[name]
    for room, pieces, order in product(ROOM, PIECES, (1, 12)):
        evidence = list(steps(lie, room, pieces))
        with pytest.raises(Rejected):
            check(flow(lie.states, lie.start, [lie.said], evidence, order=order))
