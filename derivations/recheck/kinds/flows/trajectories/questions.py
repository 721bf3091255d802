"""What is said of a trajectory, judged along its tube; or that it fails at a stated time.

- What holds at a moment, or all along some time, is a relation of two formulas; a box is two for each of its states.
- "reaches": left - right has one strict sign for all starts from 0 until the window, so no zero; in the window its rate
  along the flow has the other strict sign, and left - right has it at a stated time there: it has just one zero.
  Of a map: after a stated iteration of the window the sign is no longer there.
- What fails, fails for every start: the contrary of a relation, an event that has happened before its window (by a sign
  that is lost while left - right had values) or not until its end.

A judge sees the stretches of a tube in their order, and raises `Rejected` as soon as something is not certain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

from flint import arb

from derivations.recheck.core.balls import Undefined
from derivations.recheck.core.budget import spend
from derivations.recheck.core.load import Data, Rational, Term, integer, require, shown
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, ZERO, Claim, Proposition
from derivations.recheck.kinds.flows.trajectories.series import Ball, values
from derivations.recheck.kinds.flows.trajectories.sets import Matrix, between, column

DEEPEST, MOST_PIECES = 60, 5000
PIECE_WORK, POLYNOMIAL_WORK = 10_000, 200  # see `spend`
Judge = Callable[["Stretch"], None]
Holds = Callable[[Ball], Any]
Balls = Callable[["Stretch", Rational, Rational], Iterator[Ball]]
HOLDS: dict[str, Holds] = {">": lambda ball: ball > 0, ">=": lambda ball: ball >= 0}
FAILS: dict[str, Holds] = {">": lambda ball: ball <= 0, ">=": lambda ball: ball < 0}


class Stretch(Protocol):
    """A part of a tube in time: of a flow a step, of a map one iteration."""

    begin: Rational
    end: Rational
    coordinates: list[Ball]

    def at(self, low: Rational, high: Rational) -> list[Ball]: ...

    def around_centre(self, low: Rational, high: Rational) -> tuple[list[Ball], Matrix]: ...


class Quantity:
    """left - right along a tube, its slopes by the states, and its rate along the flow."""

    def __init__(self, claim: Claim, relation: Term) -> None:
        self.program, asked = claim.program, set[int]()
        left, right = (self.program.read(side, asked) for side in relation[1:])
        self.root = self.program.total((left, self.program.minus(right)))
        self.slopes = [self.program.slope(self.root, i) for i in range(len(claim.names))]
        along = [self.program.product(s, f) for s, f in zip(self.slopes, claim.rates, strict=True)]
        self.rate = self.program.total([*along, self.program.slope(self.root, -1)])
        self.nodes = sorted(asked | self.program.inside((self.root,)))
        self.slope_nodes = sorted({*self.nodes, *self.program.inside(self.slopes)})
        self.rate_nodes = sorted({*self.slope_nodes, *self.program.inside((self.rate,))})

    def balls(self, tube: Stretch, low: Rational, high: Rational) -> Iterator[Ball]:
        """Balls around all values from one time to another, each narrower in general and slower than the one before."""
        spend(PIECE_WORK + POLYNOMIAL_WORK * len(self.slopes) * len(tube.coordinates))
        for found in self._values(self.nodes, tube.at(low, high), between(low, high)):
            yield found[self.root]
        middle = (low + high) / 2
        for value in self._in_mean_value_form(tube, middle):
            for rate in self.rates(tube, low, high) if low < high else (arb(0),):
                yield value + rate * (between(low, high) - arb(middle))

    def rates(self, tube: Stretch, low: Rational, high: Rational) -> Iterator[Ball]:
        for found in self._values(self.rate_nodes, tube.at(low, high), between(low, high)):
            yield found[self.rate]

    def _values(self, nodes: list[int], states: list[Ball], time: Ball) -> Iterator[dict[int, Ball]]:
        try:
            yield values(self.program, nodes, states, time)
        except (Undefined, ZeroDivisionError):
            return

    def _in_mean_value_form(self, tube: Stretch, moment: Rational) -> Iterator[Ball]:
        """What is common to how states deviate from the centre of the tube is kept."""
        centre, ways = tube.around_centre(moment, moment)
        around = [x.union(m) for x, m in zip(tube.at(moment, moment), centre, strict=True)]
        for found in self._values(self.slope_nodes, around, arb(moment)):
            for at_centre in self._values(self.nodes, centre, arb(moment)):
                slopes = column([found[each] for each in self.slopes]).transpose()
                yield at_centre[self.root] + (slopes * ways * column(tube.coordinates))[0, 0]


def throughout(test: Callable[[Rational, Rational], bool], low: Rational, high: Rational, most: int) -> Any:
    """The first piece of an interval, which is cut ever finer, that passes no test; None if there is none."""
    todo = [(low, high, DEEPEST)]
    while todo:
        low, high, depth = todo.pop()
        most -= 1
        if not test(low, high):
            if low == high or not depth or most <= 0:
                return low, high
            middle = (low + high) / 2
            todo += [(middle, high, depth - 1), (low, middle, depth - 1)]
    return None


def required(what: str, balls: Balls, holds: Holds, begin: Rational, end: Rational) -> Judge:
    """At all times from one to another, which are cut into pieces until it is certain on each."""

    def see(tube: Stretch) -> None:
        low, high = max(tube.begin, begin), min(tube.end, end)
        if low < high or (low == high and meets(tube, low)):
            is_certain = lambda a, b: any(ball.is_finite() and holds(ball) for ball in balls(tube, a, b))  # noqa: E731
            unsure = throughout(is_certain, low, high, MOST_PIECES)
            require(unsure is None, f"{what} is not certain at the times {unsure}")

    return see


def meets(tube: Stretch, moment: Rational) -> bool:
    """Whether a moment is in a stretch, and in no earlier one."""
    return tube.begin < moment <= tube.end or (moment == tube.begin and moment in (ZERO, tube.end))


def judges_of(claim: Claim, said: Proposition, evidence: Data) -> list[Judge]:
    """The judges of one thing that is said; evidence: of an event the sign before it, and when it has come."""
    if said.that != "reaches":
        what = f"what '{said.that}' says"
        return [required(what, Quantity(claim, r).balls, HOLDS[r[0]], said.begin, said.end) for r in said.relations]
    quantity, at = _event(claim, said, evidence), claim.moment(evidence.get("at"))
    require(said.begin < at <= said.end, f"an event has come by a time of its window, got {at}")
    keeps = required("the sign before an event", quantity.balls, HOLDS[">"], ZERO, said.begin)
    if claim.form != FLOW:
        return [keeps, required("that an event has come", quantity.balls, FAILS[">"], at, at)]
    turns = required("the way an event is crossed", quantity.rates, FAILS[">="], said.begin, said.end)
    return [keeps, turns, required("that an event has come", quantity.balls, FAILS[">="], at, at)]


def _event(claim: Claim, said: Proposition, evidence: Data) -> Quantity:
    """The difference of the sides of an event that is positive before it."""
    require(isinstance(evidence, dict), f"the evidence of an event has the sign before it, got {shown(evidence)}")
    sign, (order, *sides) = integer(evidence.get("sign"), -1, 1, "the sign before an event"), said.relations[0]
    require(sign, "the sign before an event is 1 or -1")
    return Quantity(claim, (order, *sides[::sign]))


def judges_of_failure(claim: Claim, fails: Data) -> tuple[list[Judge], Rational]:
    """The judges of the one thing that fails, as the evidence has it, and the time until which they look."""
    said = claim.says[integer(fails.get("says"), 0, len(claim.says) - 1, "the number of what fails")]
    if said.that == "reaches":
        balls = _event(claim, said, fails).balls
        if fails.get("by") == "never":
            return [required("the sign before an event", balls, HOLDS[">"], ZERO, said.end)], said.end
        moment = claim.moment(fails.get("time"))
        require(moment <= said.begin, f"an event that comes early does so by {said.begin}, got {moment}")
        begins = required("the sign at the start", balls, HOLDS[">"], ZERO, ZERO)
        has_value = required("a value of the event", balls, lambda ball: True, ZERO, moment)
        return [begins, has_value, required("an event", balls, FAILS[">"], moment, moment)], moment
    moment = claim.moment(fails.get("time"))
    late = moment > said.end and said.that != "converges"
    require(said.begin <= moment and not late, f"what '{said.that}' says is not of the time {moment}")
    relation = said.relations[integer(fails.get("side"), 0, len(said.relations) - 1, "the number of a relation")]
    balls = Quantity(claim, relation).balls
    return [required("the contrary of a relation", balls, FAILS[relation[0]], moment, moment)], moment
