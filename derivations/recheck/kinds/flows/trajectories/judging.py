"""Whether what is said of a trajectory holds, step by step along its tube; or whether it fails at a stated time.

- "ends", "stays": balls around all values are inside a box, or on one side, at a moment or on all pieces of some time.
- "reaches": left - right has one strict sign for all starts from 0 until the window, so no zero; in the window its rate
  along the flow has one strict sign, and at its end left - right has the other: there is just one zero, in the window.
- What fails, fails for every start: a state outside of the box, the contrary of a relation, an event that has happened
  before its window (by a sign that changed while left - right had values) or not until its end.

Every judge sees the stretches of a tube in their order; `done` is whether it saw all that it needs, and each raises
`Rejected` as soon as something is not certain.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from flint import arb

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, part, rational
from derivations.recheck.kinds.flows.trajectories.claims import FLOW, ZERO, Claim, Interval, Proposition
from derivations.recheck.kinds.flows.trajectories.quantities import Pieces, Quantity, Stretch, has_sign
from derivations.recheck.kinds.flows.trajectories.settling import Settled


class Judge(ABC):
    """until: the latest time of which it wants to know."""

    def __init__(self, until: Rational) -> None:
        self.until, self.done = until, False

    @abstractmethod
    def see(self, tube: Stretch) -> None: ...


class AtOneTime(Judge):
    """Something about the states at one time."""

    def see(self, tube: Stretch) -> None:
        if not self.done and tube.begin <= self.until <= tube.end:
            self.done = True
            self.judge(tube)

    @abstractmethod
    def judge(self, tube: Stretch) -> None: ...


class Ends(AtOneTime):
    def __init__(self, claim: Claim, said: Proposition) -> None:
        super().__init__(said.end)
        self.sides = _sides(claim, said)

    def judge(self, tube: Stretch) -> None:
        for i, state in enumerate(tube.fine(self.until, self.until)):
            low, high = self.sides.get(i, (None, None))
            if low is not None and not (state.is_finite() and arb(low) <= state and state <= arb(high)):
                raise Rejected(f"the states are not certainly in the stated box at time {self.until}")


class Settles(AtOneTime):
    def __init__(self, claim: Claim, said: Proposition, evidence: Data) -> None:
        super().__init__(said.end)
        self.settled = Settled(claim, said, evidence)

    def judge(self, tube: Stretch) -> None:
        self.settled.require_inside(tube, self.until)


class Stays(Judge):
    def __init__(self, claim: Claim, said: Proposition) -> None:
        super().__init__(said.end)
        self.begin, self.strict = said.begin, said.relation[0] == ">"
        self.quantity = Quantity(claim, *said.relation[1:])
        self.pieces = Pieces("what the trajectory stays in")

    def see(self, tube: Stretch) -> None:
        for times in _overlap(tube, self.begin, self.until):
            holds = has_sign(1) if self.strict else lambda ball: ball >= 0
            self.pieces.require(holds, self.quantity.balls, tube, times)
        self.done = self.done or tube.end >= self.until


class Signed(Judge):
    """The strict sign of a quantity at time 0, which is the same for every start, as the box of starts is connected."""

    def __init__(self, claim: Claim, said: Proposition, until: Rational) -> None:
        super().__init__(until)
        self.quantity = Quantity(claim, *said.relation[1:])
        self.pieces, self.sign, self.is_flow = Pieces("the sign of the event"), 0, claim.form == FLOW

    def see(self, tube: Stretch) -> None:
        if not self.sign:
            self.sign = self.pieces.sign(self.quantity.balls, tube, ZERO)
        self.follow(tube)
        self.done = self.done or (self.is_flow and tube.end >= self.until)

    @abstractmethod
    def follow(self, tube: Stretch) -> None: ...

    def keeps(self, tube: Stretch, until: Rational) -> None:
        """Up to a time the quantity has a value and its first sign."""
        for times in _overlap(tube, ZERO, until):
            self.pieces.require(has_sign(self.sign), self.quantity.balls, tube, times)


class Reaches(Signed):
    """One sign until the window, the other at its end, and in it a rate that leads from the one to the other."""

    def __init__(self, claim: Claim, said: Proposition) -> None:
        super().__init__(claim, said, said.end)
        self.begin, self.rates = said.begin, Pieces("the direction in which the event is crossed")

    def follow(self, tube: Stretch) -> None:
        self.keeps(tube, self.begin)
        if self.is_flow:
            for times in _overlap(tube, self.begin, self.until):
                self.rates.require(has_sign(-self.sign), self.quantity.rates, tube, times)
            if tube.begin <= self.until <= tube.end:
                self._require_crossed(tube, self.until)
        elif self.begin < tube.begin <= self.until and not self.done:
            self.done = self._is_crossed(tube)
            if not self.done and tube.begin == self.until:
                raise Rejected(f"the event is not certainly reached at iteration {self.until}")

    def _require_crossed(self, tube: Stretch, moment: Rational) -> None:
        if self.pieces.sign(self.quantity.balls, tube, moment) != -self.sign:
            raise Rejected(f"the event is not reached at time {moment}")

    def _is_crossed(self, tube: Stretch) -> bool:
        return any(-self.sign * ball >= 0 for ball in self.quantity.balls(tube, tube.begin, tube.begin))


# --- failures ---------------------------------------------------------------------------------------------------------


class EndsOutside(AtOneTime):
    """Of a box in which states are said to end, or to stay from a time on: one of them certainly lies outside."""

    def __init__(self, claim: Claim, said: Proposition, moment: Rational) -> None:
        super().__init__(moment)
        self.sides = _sides(claim, said)

    def judge(self, tube: Stretch) -> None:
        states = tube.fine(self.until, self.until)
        sides = [(states[i], arb(low), arb(high)) for i, (low, high) in self.sides.items() if states[i].is_finite()]
        if not any(state < low or state > high for state, low, high in sides):
            raise Rejected(f"the states are not certainly outside of the stated box at time {self.until}")


class Leaves(AtOneTime):
    """The contrary of a relation at one time."""

    def __init__(self, claim: Claim, said: Proposition, moment: Rational) -> None:
        super().__init__(moment)
        self.strict = said.relation[0] == ">"
        self.quantity = Quantity(claim, *said.relation[1:])

    def judge(self, tube: Stretch) -> None:
        for ball in self.quantity.balls(tube, self.until, self.until):
            if (ball <= 0) if self.strict else (ball < 0):
                return
        raise Rejected(f"the contrary of the relation is not certain at time {self.until}")


class Earlier(Signed):
    """The quantity has another sign before the window than at the start, with a value at all times between."""

    def follow(self, tube: Stretch) -> None:
        if self.is_flow:
            for times in _overlap(tube, ZERO, self.until):
                self.pieces.require(lambda ball: True, self.quantity.balls, tube, times)
        if tube.begin <= self.until <= tube.end and not self.done:
            self.done = True
            balls = self.quantity.balls(tube, self.until, self.until)
            if not any((-self.sign * ball > 0) if self.is_flow else (-self.sign * ball >= 0) for ball in balls):
                raise Rejected(f"the event is not certainly reached before time {self.until}")


class Never(Signed):
    """One strict sign until the end of the window."""

    def follow(self, tube: Stretch) -> None:
        self.keeps(tube, self.until)
        self.done = self.done or tube.end >= self.until


def judges_of(claim: Claim, settles: dict[int, Data]) -> list[Judge]:
    """One judge for each thing that is said."""
    found: list[Judge] = []
    for number, said in enumerate(claim.says):
        match said.that:
            case "ends":
                found.append(Ends(claim, said))
            case "stays":
                found.append(Stays(claim, said))
            case "reaches":
                found.append(Reaches(claim, said))
            case _:
                found.append(Settles(claim, said, settles[number]))
    return found


def judge_of_failure(claim: Claim, fails: Data) -> Judge:
    """The judge of the one thing that is said to fail, as the evidence has it."""
    number = part(fails, "says", int, "what fails")
    if not 0 <= number < len(claim.says):
        raise Rejected(f"what fails is one of the {len(claim.says)} things that are said, got number {number}")
    said = claim.says[number]
    by = part(fails, "by", str, "what fails") if said.that == "reaches" else ""
    if by not in ("", "earlier", "never") or (said.that == "reaches" and not by):
        raise Rejected(f"an event is missed 'earlier' or 'never', got '{by}'")
    keys = {"says"} | ({"by"} if by else set()) | (set() if by == "never" else {"time"})
    if set(fails) != keys:
        raise Rejected(f"what fails has the parts {sorted(keys)}, got {sorted(fails)}")
    if by == "never":
        return Never(claim, said, said.end)
    moment = rational(fails["time"], "the time at which something fails")
    first, last = (said.begin, said.end) if said.that in ("ends", "stays") else (ZERO, said.begin)
    if said.that == "converges":
        if moment < said.begin:
            raise Rejected(f"nothing is said of the box before time {said.begin}, got {moment}")
    elif not first <= moment <= last:
        raise Rejected(f"the time at which something fails must lie between {first} and {last}, got {moment}")
    if claim.form != FLOW and moment.q != 1:
        raise Rejected(f"the time at which a map fails is a whole number of iterations, got {moment}")
    if said.that in ("ends", "converges"):
        return EndsOutside(claim, said, moment)
    return Leaves(claim, said, moment) if said.that == "stays" else Earlier(claim, said, moment)


def _overlap(tube: Stretch, begin: Rational, end: Rational) -> list[Interval]:
    """The times of a stretch that lie in an interval: none or one interval of them."""
    low, high = max(tube.begin, begin), min(tube.end, end)
    return [(low, high)] if low <= high else []


def _sides(claim: Claim, said: Proposition) -> dict[int, Interval]:
    box = said.box or {}
    return {i: box[x] for i, x in enumerate(claim.names) if x in box}
