"""The course that a flow takes from a start at time 0, as statements about functions of state and time see it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Term
from derivations.recheck.core.terms import ZERO, free
from derivations.recheck.kinds.rules.analysis.values import conditions
from derivations.recheck.kinds.schemas.slots import Needs, above_zero, added, counted, forbid, relations_of, under

FROM_ZERO: tuple[tuple[str, ...], ...] = ((), ("nonnegative",))  # what may be declared of a time that begins at 0


class Course(NamedTuple):
    rates: dict[str, Term]
    start: dict[str, Term]
    clock: str
    begun: Term

    def rate_of(self, function: Term) -> Term:
        """The chain rule: what a function of time and state does along the flow."""
        moved = [("*", ("D", function, x), rate) for x, rate in sorted(self.rates.items())]
        return added([("D", function, self.clock), *moved])

    def at_first(self, function: Term) -> Term:
        """A function where the state is the start, and the time is zero."""
        return ("at", function, tuple(sorted([*self.start.items(), (self.clock, ZERO)])))


def course(slots: Data) -> Course:
    rates, start, clock = slots["flow"], slots["start"], slots["time"]
    if sorted(rates) != sorted(start):
        raise Rejected("each variable of the flow needs a start, and nothing else has one")
    if clock in rates:
        raise Rejected(f"the time {clock} is no variable of the flow")
    forbid([clock, *rates], start.values())
    return Course(rates, start, clock, time_runs(slots, clock))


def time_runs(slots: Data, clock: str) -> Term:
    """The hypothesis that the time is not before 0; no declaration may say more, and hypotheses only where it ends."""
    if slots["symbols"].get(clock) not in FROM_ZERO:
        raise Rejected(f"the time {clock} may be declared nonnegative, and nothing more")
    for word, above, below in relations_of(slots):
        if clock in free(above) or (clock in free(below) and (word not in (">", ">=") or below != ("s", clock))):
            raise Rejected(f"of the time {clock} a hypothesis may say before when it is, and nothing more")
    return (">=", ("s", clock), ZERO)


def ordered(slots: Data, larger: Term, smaller: Term, *more: Term, order: str = ">=") -> Data:
    return {"kind": "sign", "relation": order, "left": larger, "right": smaller} | under(slots, *more)


def all_smooth(slots: Data, formulas: Iterable[Term], *more: Term) -> Needs:
    """What makes formulas smooth at every point of which the hypotheses let us speak."""
    found: dict[Term, None] = {}
    for formula in formulas:
        for _, what in conditions(formula, slots["symbols"], smooth=True):
            found[what] = None
    return counted("smooth", [above_zero(slots, what, *more) for what in found])


def admitted(slots: Data, symbol: str, named: dict[str, Term], *more: Term) -> Needs:
    """That formulas take values that a symbol is allowed to take; these must have no hole in between."""
    needs: Needs = {}
    declared = slots["symbols"][symbol]
    strict = [told for told in declared if told in ("positive", "negative")]
    for label, formula in named.items():
        for told in strict or declared:
            match told:
                case "positive":
                    needs[f"{label} {told}"] = ordered(slots, formula, ZERO, *more, order=">")
                case "nonnegative":
                    needs[f"{label} {told}"] = ordered(slots, formula, ZERO, *more)
                case "negative":
                    needs[f"{label} {told}"] = ordered(slots, ZERO, formula, *more, order=">")
                case "nonpositive":
                    needs[f"{label} {told}"] = ordered(slots, ZERO, formula, *more)
                case _:
                    raise Rejected(f"the values of {symbol} have a hole where it is declared {told}")
    return needs
