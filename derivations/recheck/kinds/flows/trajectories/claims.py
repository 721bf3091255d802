"""A statement about a trajectory, read from data that nobody vouches for."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from flint import fmpq

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, Term, rational, require, shown
from derivations.recheck.core.shapes import read
from derivations.recheck.core.slots import require_by_themselves
from derivations.recheck.core.terms import free_in, inside_derivatives, prepared, require_small, subterms
from derivations.recheck.kinds.flows.trajectories.formulas import HEADS

FLOW, MAP = "flow", "map"
MOST = 60  # states, and things that are said
ORDERS = {"stays": (">", ">="), "reaches": ("=",)}
ZERO = fmpq(0)
Interval = tuple[Rational, Rational]


class Proposition(NamedTuple):
    """One thing that a statement says of an interval of times; a box is two relations for each of its states."""

    that: str
    begin: Rational
    end: Rational
    relations: list[Term]
    box: dict[str, Interval]
    rate: Rational


class Claim:
    """A system with its start and what is said of every solution; its states are sorted by name."""

    def __init__(self, statement: Data) -> None:
        read("trajectory", statement, "the statement")
        self.form: str = statement["form"]
        self.time: str = statement["time"]
        states, start, says = (statement[key] for key in ("states", "start", "says"))
        self.names = sorted(states)
        fits = max(len(states), len(says)) <= MOST and self.time not in states and set(start) == set(states)
        require(fits, f"at most {MOST} things are said of up to {MOST} states; each has a start, and time is no state")
        self.asked: list[Term] = []
        self.rates = [self._plain(states[x]) for x in self.names]
        self.start = [interval(start[x], f"the start of {x}") for x in self.names]
        still: list[Term] = [("q", "0") if self.form == FLOW else ("s", x) for x in self.names]
        self.moving = [i for i, rate in enumerate(self.rates) if rate != still[i]]
        self._require_by_moving(states.values())
        self.has_time = self.time in free_in([*self.rates, *self.asked])
        self.says = [self._proposition(each) for each in says]

    def _proposition(self, data: Data) -> Proposition:
        that = data["that"]
        moments = [self.moment(data[key]) for key in ("at", "by", "from", "to") if key in data]
        begin, end, rate, box = moments[0], moments[-1], ZERO, dict[str, Interval]()
        if "box" in data:
            box = {x: interval(ends, f"the box of {x}") for x, ends in data["box"].items()}
            wanted = {self.names[i] for i in self.moving} if that == "converges" else set(box) & set(self.names)
            names = f"variables, where solutions converge all that move, got {sorted(box)} of {self.names}"
            require(set(box) == wanted, f"the box of '{that}' speaks of {names}: name no variable else")
            sides = [(("s", x), *(("q", str(end)) for end in ends)) for x, ends in sorted(box.items())]
            relations = [pair for x, low, high in sides for pair in ((">=", x, low), (">=", high, x))]
        else:
            order, *formulas = data["relation"]
            require(order in ORDERS[that], f"'{that}' takes a relation with {ORDERS[that]}, got {order}")
            relations = [(order, *map(self._plain, formulas))]
            self._require_by_moving(formulas)
        if "rate" in data:
            rate = rational(data["rate"])
            fits = rate > 0 and (self.form == FLOW or rate < 1)
            require(fits, f"a rate of convergence is positive, and of a map below 1, got {rate}")
            require(not self.has_time, "nothing is said of convergence where the system changes with time")
        require(begin <= end and (that != "reaches" or begin < end), f"'{that}' says nothing from {begin} to {end}")
        return Proposition(that, begin, end, relations, box, rate)

    def _plain(self, data: Data) -> Term:
        """A formula with its derivatives carried out; what is differentiated still has to have a value."""
        formula = require_small(data)
        for inner in subterms(formula):  # states move with time
            without = inner[0] != "at" and (inner[0] != "D" or inner[2] != self.time)
            require(
                without, "the formulas of a trajectory are written without substitutions and derivatives by the time"
            )
        asked, plain = list(map(prepared, inside_derivatives(formula))), prepared(formula)
        self.asked += asked
        for inner in (inner for each in (plain, *asked) for inner in subterms(each)):
            if inner[0] not in HEADS:
                raise Rejected(f"a formula of a trajectory must be written without {shown(inner[0])}")
            if inner[0] == "s" and inner[1] not in (*self.names, self.time):
                raise Rejected(f"{shown(inner[1:])} in a formula of a trajectory is neither a state nor the time")
        return plain

    def _require_by_moving(self, formulas: Iterable[Term]) -> None:
        """Require that what moves is differentiated by what moves: how it depends on parameters, no formula says."""
        require_by_themselves(formulas, {self.names[i] for i in self.moving})

    @property
    def latest(self) -> Rational:
        return max(said.end for said in self.says)

    def moment(self, data: Data) -> Rational:
        value = rational(data, "a time")
        what = "times must not be negative" if self.form == FLOW else "a map is iterated a whole number of times"
        require(value >= 0 and (self.form == FLOW or value.q == 1), f"{what}, got {value}")
        return value


def interval(data: Data, what: str) -> Interval:
    low, high = numbers(data, 2, what)
    require(low <= high, f"{what} is an interval that ends before it begins: {low} to {high}")
    return low, high


def numbers(data: Data, length: int, what: str) -> list[Rational]:
    """So many rational numbers."""
    require(isinstance(data, tuple) and len(data) == length, f"{what} has {length} numbers, got {shown(data)}")
    return [rational(entry, what) for entry in data]
