"""Statements about a trajectory, judged along its tube; or that it fails at a stated time.

Everything is an order to zero, of a difference left - right or of its rate along the flow, at the times of an interval:

- What holds at a moment, or all along some time, is a relation of two formulas; a box is two for each of its states.
- "reaches": left - right has one strict sign for all starts from 0 until the window, so no zero; in the window its rate
  along the flow has the other strict sign, and left - right has it at a stated time there: it has just one zero.
  Of a map: after a stated iteration of the window the sign is no longer there.
- What fails, fails for every start: the contrary of a relation, an event that has happened before its window (by a sign
  that is lost while left - right had values) or not until its end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import mul
from typing import Any, NamedTuple, Protocol

from flint import arb

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import Data, Rational, Term, integer, require
from derivations.recheck.core.terms import difference
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, ZERO, Claim, Proposition
from derivations.recheck.kinds.flows.trajectories.formulas import Ball, Formulas
from derivations.recheck.kinds.flows.trajectories.step import Matrix, System, between, column, throughout

MOST_PIECES = 5000
PIECE_WORK, POLYNOMIAL_WORK = 10_000, 200  # see `spend`
CONTRARY = {">": "<=", ">=": "<"}
HOLDS: dict[str, Callable[[Ball], Any]] = {
    ">": lambda ball: ball > 0,
    ">=": lambda ball: ball >= 0,
    "<": lambda ball: ball < 0,
    "<=": lambda ball: ball <= 0,
    "any": lambda ball: True,
}
Balls = Callable[["Stretch", Rational, Rational], Iterator[Ball]]


class Stretch(Protocol):
    """A part of a tube in time: of a flow a step, of a map one iteration."""

    begin: Rational
    end: Rational
    coordinates: list[Ball]

    def at(self, low: Rational, high: Rational) -> list[Ball]: ...

    def around_centre(self, low: Rational, high: Rational) -> tuple[list[Ball], Matrix]: ...


class Quantity:
    """left - right along a tube, and its rate along the flow."""

    def __init__(self, system: System, relation: Term) -> None:
        self.system, self.formulas = system, Formulas(system.letters, [difference(*relation[1:])])

    def balls(self, tube: Stretch, low: Rational, high: Rational) -> Iterator[Ball]:
        """Balls around all values from one time to another: a plain one, and one that keeps what states share."""
        middle = (low + high) / 2
        try:
            yield from self.formulas.values([*tube.at(low, high), between(low, high)])
            centre, ways = tube.around_centre(middle, middle)
            slopes, rate = self._slopes(tube, low, high)
            (value,) = self.formulas.values([*centre, arb(middle)])
        except Undefined:
            return
        off = slopes.transpose() * ways * column(tube.coordinates)
        yield value + off[0, 0] + rate * (between(low, high) - arb(middle))

    def rates(self, tube: Stretch, low: Rational, high: Rational) -> Iterator[Ball]:
        """A ball around all rates along the flow."""
        try:
            yield self._slopes(tube, low, high)[1]
        except Undefined:
            return

    def _slopes(self, tube: Stretch, low: Rational, high: Rational) -> tuple[Matrix, Ball]:
        """The derivatives by the states, between all of these and the centre, and the rate along the flow."""
        spend(PIECE_WORK + POLYNOMIAL_WORK * self.system.size * len(tube.coordinates))
        states, time, (centre, _) = tube.at(low, high), between(low, high), tube.around_centre(low, high)
        around = [x.union(m) for x, m in zip(states, centre, strict=True)]
        _, (found,) = self.formulas.with_slopes([*around, time])
        *slopes, by_time = (found.get(i, arb(0)) for i in range(len(states) + 1))
        return column(slopes), sum(map(mul, slopes, self.system.values(states, time)), by_time)


class Judge(NamedTuple):
    """Something that must be certain at all times from one to another, which are cut into pieces until it is."""

    balls: Balls
    order: str
    begin: Rational
    end: Rational

    def see(self, tube: Stretch) -> None:
        low, high, holds = max(tube.begin, self.begin), min(tube.end, self.end), HOLDS[self.order]
        if low < high or (low == high and meets(tube, low)):
            is_certain = lambda a, b: any(ball.is_finite() and holds(ball) for ball in self.balls(tube, a, b))  # noqa: E731
            unsure = throughout(is_certain, low, high, MOST_PIECES)
            require(unsure is None, f"what is said is not certain at the times {unsure}")


def meets(tube: Stretch, moment: Rational) -> bool:
    """Check whether a moment is in a stretch, and in no earlier one."""
    return tube.begin < moment <= tube.end or (moment == tube.begin and moment in (ZERO, tube.end))


def judges_of(claim: Claim, system: System, said: Proposition, evidence: Data) -> list[Judge]:
    """The judges of one thing that is said; evidence: of an event the sign before it, and when it has come."""
    if said.that != "reaches":
        return [Judge(Quantity(system, r).balls, r[0], said.begin, said.end) for r in said.relations]
    quantity, at = _event(claim, system, said, evidence), claim.moment(evidence.get("at"))
    require(said.begin < at <= said.end, f"an event has come by a time of its window, got {at}")
    keeps = Judge(quantity.balls, ">", ZERO, said.begin)
    if claim.form != FLOW:
        return [keeps, Judge(quantity.balls, "<=", at, at)]
    return [keeps, Judge(quantity.rates, "<", said.begin, said.end), Judge(quantity.balls, "<", at, at)]


def _event(claim: Claim, system: System, said: Proposition, evidence: Data) -> Quantity:
    """The difference of the sides of an event that is positive before it."""
    sign, (order, *sides) = integer(evidence.get("sign"), -1, 1, "the sign before an event"), said.relations[0]
    require(sign, "the sign before an event is 1 or -1")
    return Quantity(system, (order, *sides[::sign]))


def judges_of_failure(claim: Claim, system: System, fails: Data) -> list[Judge]:
    """The judges of the one thing that fails, as the evidence has it; the last of them looks the farthest."""
    said = claim.says[integer(fails.get("says"), 0, len(claim.says) - 1, "the number of what fails")]
    if said.that == "reaches":
        balls = _event(claim, system, said, fails).balls
        if fails.get("by") == "never":
            return [Judge(balls, ">", ZERO, said.end)]
        moment = claim.moment(fails.get("time"))
        require(moment <= said.begin, f"an event that comes early does so by {said.begin}, got {moment}")
        has_value, at_the_window = Judge(balls, "any", ZERO, moment), claim.form == FLOW and moment == said.begin
        past = "<" if at_the_window else "<="  # a sentence may mean the time when its window begins, or not
        return [Judge(balls, ">", ZERO, ZERO), has_value, Judge(balls, past, moment, moment)]
    moment = claim.moment(fails.get("time"))
    late = moment > said.end and said.that != "converges"
    require(said.begin <= moment and not late, f"what '{said.that}' says is not of the time {moment}")
    order, *sides = said.relations[integer(fails.get("side"), 0, len(said.relations) - 1, "the number of a relation")]
    return [Judge(Quantity(system, (order, *sides)).balls, CONTRARY[order], moment, moment)]
