"""Values of a program on complex boxes on which all of it is analytic: they bound what a power series leaves out.

If g is analytic on the disc |z| <= R and |g| <= M there, the coefficient of z^k in g is at most M / R^k (Cauchy).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from flint import acb, acb_poly, arb

from derivations.recheck.core.balls import Undefined
from derivations.recheck.kinds.flows.trajectories import effort
from derivations.recheck.kinds.flows.trajectories.jets import Ball, carried_out
from derivations.recheck.kinds.flows.trajectories.program import Program

Box = Any  # flint.acb
Course = Sequence[Ball]


class Cover(NamedTuple):
    """How many pieces of a disc are looked at, at most, and how often its sides are halved before; 0: all at once."""

    most: int
    halvings: int


class Needed(NamedTuple):
    """Nodes that have to be computed, and those of them of which something is wanted."""

    all: Sequence[int]
    wanted: Sequence[int]


def bounds_on_disc(
    program: Program, nodes: Needed, courses: Sequence[Course], radius: Ball, cover: Cover
) -> list[Ball] | None:
    """Bounds of some nodes on the disc of a radius around 0, along polynomials for the states and, last, for the time.

    None if something may not be analytic on a piece of it. A ball in the place of a constant coefficient stands for
    real numbers.
    """
    most, halvings = cover
    found = None if halvings else _bounds(program, nodes, [_around_disc(course, radius) for course in courses])
    if found is not None:
        return found
    polynomials = [acb_poly(list(course)) for course in courses]
    found, sides = [arb(0)] * len(nodes.wanted), 2 ** max(halvings, 1)
    half = 1 / sides  # squares on the upper half; values on the other are conjugate to those
    todo = [(a * half, b * half, half) for a in range(1 - sides, sides, 2) for b in range(1, sides, 2)]
    while todo:
        a, b, half = todo.pop()
        if max(abs(a) - half, 0) ** 2 + (b - half) ** 2 > 1:
            continue
        off = arb(0, (radius * half).abs_upper())
        piece = acb(radius * a + off, radius * b + off)
        here = _bounds(program, nodes, [polynomial(piece) for polynomial in polynomials])
        most -= 1
        if here is not None:
            found = list(map(max, found, here))
        elif len(todo) + 4 <= most:
            fourth = half / 2
            todo += [(a + x, b + y, fourth) for x in (-fourth, fourth) for y in (-fourth, fourth)]
        else:
            return None
    return found


def _bounds(program: Program, nodes: Needed, boxes: Sequence[Box]) -> list[Ball] | None:
    """Bounds on boxes for the states and, last, for the time; None where something may not be analytic."""
    effort.spend_on_a_box(len(nodes.all))
    try:
        values = analytic_values(program, nodes.all, boxes[:-1], boxes[-1])
    except (Undefined, ZeroDivisionError, ValueError):
        return None
    return [values[node].abs_upper() for node in nodes.wanted]


def _around_disc(course: Course, radius: Ball) -> Box:
    reach, power = arb(0), arb(1)
    for coefficient in course[1:]:
        power = power * radius
        reach = reach + abs(coefficient) * power
    around = arb(0, reach.abs_upper())
    return acb(course[0] + around, around)


def analytic_values(program: Program, nodes: Iterable[int], states: Sequence[Box], time: Box) -> dict[int, Box]:
    """A box for each of some nodes, which are sorted and complete; `Undefined` where one may not be analytic."""

    def leaf(node: int) -> Box:
        head, *inner = program.nodes[node]
        return states[inner[0]] if head == "state" else time if head == "time" else acb(program.constant(node))

    found = carried_out(program, nodes, leaf, _function)
    if not all(map(acb.is_finite, found.values())):
        raise Undefined
    return found


def _function(head: str, a: Box) -> Box:
    """A function whose cuts the box does not touch."""
    match head:
        case "inverse":
            if a.contains(0):
                raise Undefined
            return 1 / a
        case "root":
            return _off_cut(a).sqrt()
        case "log":
            return _off_cut(a).log()
        case "asin" if _is_short(a.real) or _is_not_zero(a.imag):
            return a.asin()
        case "atan" if _is_short(a.imag) or _is_not_zero(a.real):
            return a.atan()
        case "lambertw":
            _off_cut(1 + a * arb(1).exp())
            return a.lambertw()
        case "abs" | "side" if _is_not_zero(a.real):
            sign = 1 if a.real > 0 else -1
            return sign * a if head == "abs" else acb(sign)
        case "exp" | "sin" | "cos" | "erf":
            return getattr(a, head)()
    raise Undefined


def _off_cut(a: Box) -> Box:
    """A box that holds no real number that is 0 or below."""
    if a.real > 0 or _is_not_zero(a.imag):
        return a
    raise Undefined


def _is_short(a: Ball) -> bool:
    return bool(abs(a) < 1)


def _is_not_zero(a: Ball) -> bool:
    return bool(a > 0 or a < 0)
