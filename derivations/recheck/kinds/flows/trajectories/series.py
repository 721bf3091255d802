"""A program in balls, or in power series of the time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import arb, arb_series, ctx

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import spend
from derivations.recheck.kinds.flows.trajectories.program import LEAVES, Program

Ball = Any  # flint.arb
Value = Any  # flint.arb or flint.arb_series
Course = list[Ball]  # coefficients
ZERO, ONE = arb(0), arb(1)
NODE_WORK, TERM_WORK, PAIR_WORK = 125, 25, 2  # see `spend`


def values(program: Program, nodes: Sequence[int], states: Sequence[Value], time: Value) -> dict[int, Value]:
    """A finite ball for each of some nodes, which are sorted and complete; `Undefined` where one has none."""
    found = _carried_out(program, nodes, states, time)
    if not all(value.is_finite() for value in found.values()):
        raise Undefined
    return found


def series(
    program: Program, nodes: Sequence[int], courses: Sequence[Course], begin: Ball, length: int
) -> dict[int, Value]:
    """The series of some nodes along polynomials of the time since some beginning."""
    before = ctx.cap
    ctx.cap = length
    try:
        return _carried_out(program, nodes, [arb_series(course) for course in courses], arb_series([begin, ONE]))
    finally:
        ctx.cap = before


def _carried_out(program: Program, nodes: Sequence[int], states: Sequence[Value], time: Value) -> dict[int, Value]:
    length = ctx.cap if isinstance(time, arb_series) else 1
    spend(len(nodes) * (NODE_WORK + TERM_WORK * length + PAIR_WORK * length * length) * ctx.prec // 128)
    found: dict[int, Value] = {}
    for node in nodes:
        head, *inner = program.nodes[node]
        if head == "*":
            found[node] = found[inner[0]] * found[inner[1]]
        elif head == "+":
            total = found[inner[0]]
            for child in inner[1:]:
                total = total + found[child]
            found[node] = total
        elif head in LEAVES:
            found[node] = states[inner[0]] if head == "state" else time if head == "time" else program.constant(node)
        else:
            found[node] = _function(head, found[inner[0]])
    return found


def _function(head: str, a: Value) -> Value:
    """A function of a ball, or of a series."""
    is_series = isinstance(a, arb_series)
    if head == "inverse":
        return a.inv() if is_series else ONE / a
    if head == "root":
        return _root(a) if is_series else a.sqrt()
    if head == "side" or (head == "abs" and is_series):
        first = a[0] if is_series else a
        if not (first > 0 or first < 0):  # where the sign is certain |a| has a derivative
            raise Undefined
        side = ONE if first > 0 else -ONE
        return side if head == "side" else side * a
    return abs(a) if head == "abs" else getattr(a, head)()


def _root(a: Value) -> Value:
    """From b b = a, one coefficient after the other: over wide balls python-flint's own is wider by far."""
    own = [a[0].sqrt()]
    for k in range(1, ctx.cap):
        square = sum((own[i] * own[k - i] for i in range(1, k)), ZERO)
        own.append((a[k] - square) / (own[0] + own[0]))
    return arb_series(own)


def coefficient(value: Value, k: int) -> Ball:
    """The coefficient with a number, which must be finite; a number is a constant series."""
    found = value[k] if isinstance(value, arb_series) else value if k == 0 else ZERO
    if not found.is_finite():
        raise Undefined
    return found
