"""What is said of a trajectory, judged along its tube; or that it fails at a stated time.

- "ends", "stays": balls around all values are inside a box, or on one side, at a moment or on all pieces of some time.
- "reaches": left - right has one strict sign for all starts from 0 until the window, so no zero; in the window its rate
  along the flow has one strict sign, and at its end left - right has the other: there is just one zero, in the window.
  Of a map: after one iteration of the window the sign is no longer there.
- What fails, fails for every start: a state outside of the box, the contrary of a relation, an event that has happened
  before its window (by a sign that changed while left - right had values) or not until its end.

A judge sees the stretches of a tube in their order, and raises `Rejected` as soon as something is not certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

from flint import arb

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, part, rational
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, ZERO, Claim, Proposition
from derivations.recheck.kinds.flows.trajectories.series import Ball, values
from derivations.recheck.kinds.flows.trajectories.sets import between

DEEPEST, MOST_PIECES = 60, 5000
PIECE_WORK, POLYNOMIAL_WORK = 10_000, 200  # see `spend`


class Stretch(Protocol):
    """A part of a tube in time: of a flow a step, of a map one iteration."""

    begin: Rational
    end: Rational
    coordinates: list[Ball]

    def rough(self, low: Rational, high: Rational) -> list[Ball]: ...

    def fine(self, low: Rational, high: Rational) -> list[Ball]: ...

    def around_centre(self, low: Rational, high: Rational) -> tuple[list[Ball], list[list[Ball]]]: ...


Judge = Callable[[Stretch], None]
Holds = Callable[[Ball], bool]
Balls = Callable[[Stretch, Rational, Rational], Iterator[Ball]]


class Quantity:
    """left - right along a tube, its slopes by the states, and its rate along the flow."""

    def __init__(self, claim: Claim, said: Proposition) -> None:
        self.program, asked = claim.program, set[int]()
        a, b = (self.program.read(side, asked) for side in said.relation[1:])
        self.root = self.program.total((a, self.program.minus(b)))
        self.nodes = sorted(asked | self.program.inside((self.root,)))
        self.slopes = [self.program.slope(self.root, i) for i in range(len(claim.names))]
        self.slope_nodes = sorted({*self.nodes, *self.program.inside(self.slopes)})
        self.rate, self.rate_nodes = self.program.zero, self.nodes
        if claim.form == FLOW:
            along = [self.program.product(s, f) for s, f in zip(self.slopes, claim.rates, strict=True)]
            self.rate = self.program.total([*along, self.program.slope(self.root, -1)])
            self.rate_nodes = sorted({*self.slope_nodes, *self.program.inside((self.rate,))})

    def balls(self, tube: Stretch, low: Rational, high: Rational) -> Iterator[Ball]:
        """Balls around all values from one time to another, each narrower in general and slower than the one before."""
        yield from self._at((self.root, self.nodes), tube, low, high)
        if low == high:
            yield from self._in_mean_value_form(tube, low)
            return
        middle = (low + high) / 2
        for rate in self._at((self.rate, self.rate_nodes), tube, low, high, fine_only=True):
            for value in self._in_mean_value_form(tube, middle):
                yield value + rate * (between(low, high) - arb(middle))

    def rates(self, tube: Stretch, low: Rational, high: Rational) -> Iterator[Ball]:
        yield from self._at((self.rate, self.rate_nodes), tube, low, high)

    def _at(
        self, of: tuple[int, list[int]], tube: Stretch, low: Rational, high: Rational, *, fine_only: bool = False
    ) -> Iterator[Ball]:
        spend(PIECE_WORK + POLYNOMIAL_WORK * len(self.slopes) * len(tube.coordinates))
        root, nodes = of
        for states in (tube.fine,) if fine_only else (tube.rough, tube.fine):
            try:
                yield values(self.program, nodes, states(low, high), between(low, high))[root]
            except (Undefined, ZeroDivisionError):
                continue

    def _in_mean_value_form(self, tube: Stretch, moment: Rational) -> Iterator[Ball]:
        """What is common to how states deviate from the centre of the tube is kept."""
        centre, slopes = tube.around_centre(moment, moment)
        around = [x.union(m) for x, m in zip(tube.fine(moment, moment), centre, strict=True)]
        try:
            found = values(self.program, self.slope_nodes, around, arb(moment))
            total = values(self.program, self.nodes, centre, arb(moment))[self.root]
        except (Undefined, ZeroDivisionError):
            return
        for j, coordinate in enumerate(tube.coordinates):
            total += (
                sum((found[each] * row[j] for each, row in zip(self.slopes, slopes, strict=True)), ZERO) * coordinate
            )
        yield total


def _require(what: str, balls: Balls, holds: Holds, begin: Rational, end: Rational) -> Judge:
    """At all times from one to another, which are cut into pieces until it is certain on each."""
    remaining = MOST_PIECES

    def see(tube: Stretch) -> None:
        nonlocal remaining
        low, high = max(tube.begin, begin), min(tube.end, end)
        todo = [(low, high, DEEPEST)] if low < high or (low == high and meets(tube, low)) else []
        while todo:
            low, high, depth = todo.pop()
            remaining -= 1
            if any(ball.is_finite() and holds(ball) for ball in balls(tube, low, high)):
                continue
            if low == high or not depth or remaining <= 0:
                raise Rejected(f"{what} is not certain at the times from {low} to {high}")
            middle = (low + high) / 2
            todo += [(middle, high, depth - 1), (low, middle, depth - 1)]

    return see


def meets(tube: Stretch, moment: Rational) -> bool:
    """Whether a moment is in a stretch, and in no earlier one."""
    return tube.begin < moment <= tube.end or (moment == tube.begin and moment in (ZERO, tube.end))


# --- what holds -------------------------------------------------------------------------------------------------------


def judge_of(claim: Claim, said: Proposition) -> Judge:
    """The judge of one thing that is said, but for "converges" (see `settling`)."""
    if said.that == "ends":
        return _ends(claim, said)
    quantity = Quantity(claim, said)
    if said.that == "stays":
        holds = _positive if said.relation[0] == ">" else _not_negative
        return _require("what the trajectory stays in", quantity.balls, holds, said.begin, said.end)
    return _Event(quantity).reached(claim.form == FLOW, said.begin, said.end)


def _positive(ball: Ball) -> bool:
    return bool(ball > 0)


def _not_negative(ball: Ball) -> bool:
    return bool(ball >= 0)


def _ends(claim: Claim, said: Proposition) -> Judge:
    def see(tube: Stretch) -> None:
        for state, low, high in _sides(claim, said, tube, said.end):
            if not (low <= state <= high):
                raise Rejected(f"the states are not certainly in the stated box at time {said.end}")

    return see


def _sides(claim: Claim, said: Proposition, tube: Stretch, moment: Rational) -> Iterator[tuple[Ball, Ball, Ball]]:
    """The states of which a box speaks, each with its stated interval, in the stretch that has the moment."""
    if meets(tube, moment):
        for x, state in zip(claim.names, tube.fine(moment, moment), strict=True):
            if x in said.box:
                yield state, *map(arb, said.box[x])


class _Event:
    """A quantity with its strict sign at time 0, which all starts share, as the box of starts is connected."""

    def __init__(self, quantity: Quantity) -> None:
        self.quantity, self.sign = quantity, 0

    def keeps(self, end: Rational) -> Judge:
        return _require("the sign of the event", self.quantity.balls, lambda ball: self.sign * ball > 0, ZERO, end)

    def has_turned(self, moment: Rational) -> Judge:
        return _require("that the event is reached", self.quantity.balls, self._turned, moment, moment)

    def _turned(self, ball: Ball) -> bool:
        return bool(self.sign * ball < 0)

    def reached(self, is_flow: bool, begin: Rational, end: Rational) -> Judge:
        """One sign until the window, the other at its end, and in it a rate that leads from the one to the other."""
        if not is_flow:
            return self.first_sign_then(self.keeps(begin), self._loses_sign(begin, end))
        falls = _require("the direction in which the event is crossed", self.quantity.rates, self._turned, begin, end)
        return self.first_sign_then(self.keeps(begin), falls, self.has_turned(end))

    def has_value(self, end: Rational) -> Judge:
        return _require("a value of the event", self.quantity.balls, lambda ball: True, ZERO, end)

    def _loses_sign(self, begin: Rational, end: Rational) -> Judge:
        """After one of some iterations."""
        lost = False

        def see(tube: Stretch) -> None:
            nonlocal lost
            if begin < tube.begin <= end and not lost:
                lost = any(self.sign * ball <= 0 for ball in self.quantity.balls(tube, tube.begin, tube.begin))
                if not lost and tube.begin == end:
                    raise Rejected(f"the event is not certainly reached at iteration {end}")

        return see

    def loses_sign(self, moment: Rational) -> Judge:
        return self._loses_sign(moment - 1, moment)

    def first_sign_then(self, *judges: Judge) -> Judge:
        def see(tube: Stretch) -> None:
            if not self.sign:
                found = [ball for ball in self.quantity.balls(tube, ZERO, ZERO) if ball > 0 or ball < 0]
                if not found:
                    raise Rejected("the sign of the event is not certain at the time 0")
                self.sign = 1 if found[0] > 0 else -1
            for judge in judges:
                judge(tube)

        return see


# --- what fails -------------------------------------------------------------------------------------------------------


def judge_of_failure(claim: Claim, fails: Data) -> tuple[Judge, Rational]:
    """The judge of the one thing that is said to fail, as the evidence has it, and the time until which it looks."""
    number = part(fails, "says", int, "what fails")
    if not 0 <= number < len(claim.says):
        raise Rejected(f"what fails is one of the {len(claim.says)} things that are said, got number {number}")
    said, is_flow = claim.says[number], claim.form == FLOW
    by = part(fails, "by", str, "what fails") if said.that == "reaches" else None
    if by not in (None, "earlier", "never"):
        raise Rejected(f"an event is missed 'earlier' or 'never', got '{by}'")
    keys = {"says"} | ({"by"} if by else set()) | (set() if by == "never" else {"time"})
    if set(fails) != keys:
        raise Rejected(f"what fails has the parts {sorted(keys)}, got {sorted(fails)}")
    if by == "never":
        event = _Event(Quantity(claim, said))
        return event.first_sign_then(event.keeps(said.end)), said.end
    moment = rational(fails["time"], "the time at which something fails")
    first, last = (ZERO, said.begin) if by else (said.begin, moment if said.that == "converges" else said.end)
    if not first <= moment <= last or (not is_flow and moment.q != 1):
        raise Rejected(f"the time at which something fails must lie between {first} and {last}, got {moment}")
    if by:
        event = _Event(Quantity(claim, said))
        lost = (event.has_value(moment), event.has_turned(moment)) if is_flow else (event.loses_sign(moment),)
        return event.first_sign_then(*lost), moment
    if said.that == "stays":
        contrary: Holds = (lambda ball: ball <= 0) if said.relation[0] == ">" else (lambda ball: ball < 0)
        balls = Quantity(claim, said).balls
        return _require("the contrary of the relation", balls, contrary, moment, moment), moment
    return _ends_outside(claim, said, moment), moment


def _ends_outside(claim: Claim, said: Proposition, moment: Rational) -> Judge:
    """Of a box in which states are said to end, or to stay from a time on: one of them certainly lies outside."""

    def see(tube: Stretch) -> None:
        if meets(tube, moment) and not any(x < low or x > high for x, low, high in _sides(claim, said, tube, moment)):
            raise Rejected(f"the states are not certainly outside of the stated box at time {moment}")

    return see
