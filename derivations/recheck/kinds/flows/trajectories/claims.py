"""What a statement about a trajectory says, read from data that nobody vouches for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from flint import fmpq

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, Rational, Term, name, part, rational, shown, term
from derivations.recheck.core.terms import parts, prepared, require_small
from derivations.recheck.kinds.flows.trajectories.program import Program

FLOW, MAP = "flow", "map"
MOST_STATES, MOST_SAID = 60, 60
KEYS = {"kind", "form", "time", "states", "start", "says"}
SAYS = {
    "ends": {"that", "at", "box"},
    "stays": {"that", "from", "to", "relation"},
    "reaches": {"that", "from", "to", "relation"},
    "converges": {"that", "by", "box", "rate"},
}
Interval = tuple[Rational, Rational]


@dataclass(frozen=True)
class Proposition:
    """One thing that a statement says; what is not said of its kind is left at its default."""

    that: str
    begin: Rational
    end: Rational
    relation: Term = ()
    box: dict[str, Interval] = field(default_factory=dict)
    rate: Rational = 0


class Claim:
    """A system with its start and what is said of every solution; its states are sorted by name."""

    def __init__(self, statement: Data) -> None:
        if set(statement) != KEYS:
            raise Rejected(f"a statement about a trajectory has the parts {sorted(KEYS)}, got {sorted(statement)}")
        self.form = part(statement, "form", str, "the statement")
        if self.form not in (FLOW, MAP):
            raise Rejected(f"a trajectory is one of a flow or of a map, got {shown(self.form)}")
        self.time: str = name(statement["time"], "the name of time")
        states, start = (part(statement, key, dict, "the statement") for key in ("states", "start"))
        self.names = sorted(map(name, states))
        if not self.names or len(self.names) > MOST_STATES or self.time in states:
            raise Rejected(f"a trajectory has from 1 to {MOST_STATES} states, and the time is none of them")
        if set(start) != set(states):
            raise Rejected(f"the start must speak of the states {self.names}, got {sorted(map(str, start))}")
        self.terms = [_plain(states[x], self.time) for x in self.names]
        self.start = [_interval(start[x], f"the start of {x}") for x in self.names]
        self.still = [i for i, x in enumerate(self.names) if self.terms[i] == self._standing(x)]
        self.program = Program(self.names, self.time)
        self.asked: set[int] = set()
        self.rates = [self.program.read(each, self.asked) for each in self.terms]
        says = part(statement, "says", tuple, "the statement")
        if not 0 < len(says) <= MOST_SAID:
            raise Rejected(f"a statement about a trajectory says from 1 to {MOST_SAID} things, got {len(says)}")
        self.says = [self._proposition(each) for each in says]

    def _standing(self, x: str) -> Term:
        """What is written of a state that never changes."""
        return ("q", "0") if self.form == FLOW else ("s", x)

    @property
    def moving(self) -> list[int]:
        return [i for i in range(len(self.names)) if i not in self.still]

    @property
    def latest(self) -> Rational:
        return max(said.end for said in self.says)

    @property
    def has_time(self) -> bool:
        """Whether the system itself speaks of the time."""
        return any(self.program.nodes[node] == ("time",) for node in self.asked)

    # --- propositions -------------------------------------------------------------------------------------------------

    def _proposition(self, data: Data) -> Proposition:
        if not isinstance(data, dict) or data.get("that") not in tuple(SAYS):
            raise Rejected(f"what is said of a trajectory is one of {', '.join(SAYS)}, got {shown(data)}")
        that: str = data["that"]
        if set(data) != SAYS[that]:
            raise Rejected(f"what says '{that}' has the parts {sorted(SAYS[that])}, got {sorted(data)}")
        if that in ("ends", "converges"):
            moment = self._moment(data["at" if that == "ends" else "by"])
            box = self._box(data["box"], that)
            rate = self._rate(data["rate"]) if that == "converges" else ZERO
            return Proposition(that, moment, moment, box=box, rate=rate)
        begin, end = self._moment(data["from"]), self._moment(data["to"])
        if begin > end or (that == "reaches" and begin == end):
            raise Rejected(f"the times from {begin} to {end} are in no order in which '{that}' says anything")
        return Proposition(that, begin, end, relation=_relation(data["relation"], that, self.time))

    def _moment(self, data: Data) -> Rational:
        value = rational(data, "a time")
        if value < 0 or (self.form == MAP and value.q != 1):
            what = "a time that is not negative" if self.form == FLOW else "a whole number of iterations"
            raise Rejected(f"a trajectory begins at time 0: expected {what}, got {shown(data)}")
        return value

    def _box(self, data: Data, that: str) -> dict[str, Interval]:
        moving = {self.names[i] for i in self.moving}
        if not isinstance(data, dict) or not data or not set(data) <= set(self.names):
            raise Rejected(f"a box gives intervals of some of the states {self.names}, got {shown(data)}")
        if that == "converges" and set(data) != moving:
            raise Rejected(f"where solutions converge, a box is of all the moving states {sorted(moving)}")
        return {x: _interval(ends, f"the box of {x}") for x, ends in data.items()}

    def _rate(self, data: Data) -> Rational:
        value = rational(data, "a rate of convergence")
        if value <= 0 or (self.form == MAP and value >= 1):
            raise Rejected(f"a rate of convergence is positive, and below 1 for a map, got {value}")
        if self.has_time:
            raise Rejected("nothing is said of convergence where the system changes with time")
        return value


def _interval(data: Data, what: str) -> Interval:
    if not isinstance(data, tuple) or len(data) != 2:
        raise Rejected(f"{what} must be an interval with two ends, got {shown(data)}")
    low, high = (rational(end, f"an end of {what}") for end in data)
    if low > high:
        raise Rejected(f"{what} is empty: {low} lies above {high}")
    return low, high


def _relation(data: Data, that: str, time: str) -> Term:
    allowed = ("=",) if that == "reaches" else (">", ">=")
    if not isinstance(data, tuple) or len(data) != 3 or data[0] not in allowed:
        raise Rejected(f"what '{that}' needs {' or '.join(allowed)} with two sides, got {shown(data)}")
    return (data[0], _plain(data[1], time), _plain(data[2], time))


def _plain(data: Data, time: str) -> Term:
    """A formula with its derivatives carried out; what is differentiated still has to have a value, times 0."""
    formula = require_small(term(data))
    differentiated = list(_differentiated(formula, time))
    asked = [("*", ("q", "0"), prepared(inner)) for inner in differentiated]
    return require_small(("+", prepared(formula), *asked)) if asked else prepared(formula)


def _differentiated(formula: Term, time: str) -> Iterator[Term]:
    """What stands in derivatives, which are by states: these move with time."""
    if formula[0] == "at" or (formula[0] == "D" and formula[2] == time):
        raise Rejected("the formulas of a trajectory are written without substitutions and derivatives by the time")
    for inner in parts(formula):
        if formula[0] == "D":
            yield inner
        yield from _differentiated(inner, time)


def numbers(data: Data, length: int, what: str) -> list[Rational]:
    """So many rational numbers."""
    if not isinstance(data, tuple) or len(data) != length:
        raise Rejected(f"{what} has {length} numbers, got {shown(data)}")
    return [rational(entry, what) for entry in data]


def dyadic(value: Rational, what: str) -> Rational:
    """The number, if its denominator is a power of two."""
    if int(value.q) & (int(value.q) - 1):
        raise Rejected(f"{what} must be a dyadic rational, got {value}")
    return value


ZERO = fmpq(0)
