"""Questions about trajectories as people ask them; what they leave out of a sentence is computed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import sympy as sp

from derivations.language.evaluate import exact
from derivations.language.signs import assumptions_of, require_sign, require_time
from derivations.language.terms import (
    Expression,
    NotExact,
    Relation,
    Term,
    Variable,
    as_expression,
    as_tuples,
    children,
    rational,
    rebuild,
    substitute,
    symbols_in,
)
from derivations.prove.certificate import Certificate, Json
from derivations.prove.flows import completed, trajectories
from derivations.prove.flows.statements import formulas_of
from derivations.prove.stating import from_sympy, term_of
from derivations.text.as_typed import placed
from derivations.text.doors import ANYTHING, at_door

DIGITS = 12
Interval = Annotated[tuple[Any, Any], ANYTHING]
"""Two times, as `_pair` reads them."""
Value = Annotated[Expression | Sequence[Expression], "a number or an interval of two"]
Box = Mapping[Variable, Value]


@dataclass(frozen=True)
class Proposition:
    """One thing that is said of a trajectory; what is left out is computed."""

    that: str
    times: tuple[Any, ...] = ()
    relation: Any = None
    box: Mapping[Any, Any] | None = None
    rate: Any = None
    later: Any = None


@at_door(NotExact)
def ends(at: Expression, box: Box | None = None) -> Proposition:
    """Says that the trajectory is in a box at a time; a box that is left out is computed.

    >>> ends(3).that
    'ends'
    """
    return Proposition("ends", (at,), box=box)


@at_door(NotExact)
def stays(relation: Relation, between: Interval) -> Proposition:
    """Says that a relation `>`, `>=`, `<` or `<=` holds at every time of an interval.

    >>> x = sp.Symbol("x", real=True)
    >>> stays(x > 0, between=(0, 10)).times
    (0, 10)
    """
    return Proposition("stays", _pair(between), relation=relation)


@at_door(NotExact)
def reaches(event: Relation, between: Interval | None = None) -> Proposition:
    """Says that an equation becomes true, for the first and only time, strictly between two times.

    event: `Eq(left, right)`. between: the two times; left out, they are computed.

    >>> x = sp.Symbol("x", real=True)
    >>> reaches(sp.Eq(x, sp.Rational(1, 2)), between=(1, 2)).that
    'reaches'
    """
    return Proposition("reaches", () if between is None else _pair(between), relation=event)


@at_door(NotExact)
def before(event: Relation, later: Relation, between: Interval | None = None) -> Proposition:
    """Says that an event comes for the first time, and that until then another has not come.

    event, later: `Eq(left, right)`. between: two times between which the first one comes; left out, they are computed.

    >>> x, level = sp.Symbol("x", real=True), sp.Rational(1, 2)
    >>> said = before(sp.Eq(x, level), sp.Eq(x, level / 2))
    >>> trajectory({x: -x}, {x: 1}, until=3, says=said).verdict.value
    'certified'
    """
    return Proposition("before", () if between is None else _pair(between), relation=event, later=later)


@at_door(NotExact)
def converges(by: Expression, box: Box | None = None, rate: Expression | None = None) -> Proposition:
    """Says that from a time on the trajectory stays in a box with one point of rest, and approaches it at a rate.

    box, rate: left out, they are computed.

    >>> converges(by=20).times
    (20,)
    """
    return Proposition("converges", (by,), box=box, rate=rate)


def _pair(between: Any) -> tuple[Any, ...]:
    if not isinstance(between, tuple | list) or len(between) != 2:
        raise NotExact(f"an interval of time is two numbers, such as between=(0, 10), got {between}")
    return tuple(between)


@at_door(NotExact)
def trajectory(
    flow: Mapping[Variable, Expression],
    start: Box,
    until: Expression | None = None,
    says: Sequence[Proposition] | Proposition = (),
    *,
    digits: int = DIGITS,
    parameters: Box | None = None,
    time: Variable | None = None,
) -> Certificate:
    """Decide what every solution of a flow does that starts in a box.

    flow: the variables' symbols with their rates of change. start: each with a rational number, or an interval of two.
    until: a time; without `says` the statement is where the trajectory is then, with so many `digits`.
    says: propositions, made by `ends`, `stays`, `reaches`, `before` and `converges`.
    parameters: further symbols, each with an exact number, or with an interval of two rational numbers
        over which it ranges.
    time: the symbol of the time, if the rates or the propositions hold it.

    Returns a certificate: CERTIFIED by boxes that no solution leaves, REFUTED, or OPEN with a sentence that says when
    and why. The statement includes that all solutions exist until the last time spoken of. Refuses symbols without a
    value, and numbers that are not rational (`NotExact`).

    >>> x = sp.Symbol("x", real=True)
    >>> at_two = trajectory({x: -x}, {x: 1}, until=2)
    >>> at_two.verdict.value, at_two.statement["says"][0]["box"]["x"]
    ('certified', ['6766764161827/50000000000000', '13533528323669/100000000000000'])
    >>> trajectory({x: x**2}, {x: 1}, until=2).reason[:30]
    'no step goes beyond the time 1'
    """
    statement = statement_of(
        form="flow", rates=flow, start=start, says=_said(says, until), parameters=parameters or {}, time=time
    )
    return _decided(statement, until, digits)


@at_door(NotExact)
def iteration(
    step: Mapping[Variable, Expression],
    start: Box,
    until: Expression | None = None,
    says: Sequence[Proposition] | Proposition = (),
    *,
    digits: int = DIGITS,
    parameters: Box | None = None,
    time: Variable | None = None,
) -> Certificate:
    """Decide what every sequence of iterates of a map does that starts in a box; arguments as of `trajectory`.

    step: the variables' symbols with their next values. Times are numbers of iterations; "reaches" says that one sign
        holds until the first number, and that at a later one, up to the second, both sides are equal or the other way.

    >>> x = sp.Symbol("x", real=True)
    >>> found = iteration({x: x / 2}, {x: 1}, 20, reaches(sp.Eq(x, sp.Rational(1, 1000))))
    >>> found.verdict.value, found.statement["says"][0]["from"], found.statement["says"][0]["to"]
    ('certified', '9', '10')
    """
    asked = statement_of(
        form="map", rates=step, start=start, says=_said(says, until), parameters=parameters or {}, time=time
    )
    return _decided(asked, until, digits)


def _said(says: Sequence[Proposition] | Proposition, until: Any) -> list[Proposition]:
    if isinstance(says, Proposition):
        return [says]
    if not says and until is None:
        raise NotExact("nothing is asked of the trajectory: give a time with until=, or propositions with says=")
    return list(says) or [ends(until)]


def statement_of(
    *,
    form: str,
    rates: Mapping[Any, Any],
    start: Mapping[Any, Any],
    says: Sequence[Proposition],
    parameters: Mapping[Any, Any],
    time: Any,
) -> Json:
    """The statement that is asked for; what its propositions leave out is missing."""
    values = {_name(s): term_of(v) for s, v in parameters.items() if not isinstance(v, tuple | list)}
    ranges = {s: v for s, v in parameters.items() if isinstance(v, tuple | list)}
    times = () if time is None else (time,)
    for letter in times:
        require_time(letter)
    _require_apart([*rates, *parameters, *times])
    assumptions_of(*rates, *rates.values(), *start, *parameters, *times, *_expressions(says))
    _require_signs(rates, parameters)
    constant = {s: 0 if form == "flow" else s for s in ranges}
    states = {_name(s): _put_in(term_of(rate), values) for s, rate in {**rates, **constant}.items()}
    _require_apart([*start, *ranges])
    boxes = {_name(s): _interval(s, v) for s, v in {**start, **ranges}.items()}
    statement: Json = {
        "kind": "trajectory",
        "form": form,
        "time": _name(time) if time is not None else free_name("t", states),
        "states": {name: states[name] for name in sorted(states)},
        "start": {name: boxes[name] for name in sorted(boxes)},
        "says": [_data(p, values) for p in says],
    }
    if time is None:
        _require_timeless(completed.provisional(statement))
    return statement


def _require_timeless(statement: Json) -> None:
    """Refuses a symbol that would be taken for the time though nobody has called it so."""
    for term in formulas_of(statement):
        if (name := statement["time"]) in symbols_in(as_tuples(term)):
            raise NotExact(
                f"{name} is no variable of the trajectory and has no value: if it is the time, say so with time=, and"
                " if not, give it a value or an interval with parameters="
            )


def _decided(statement: Json, until: Any, digits: int) -> Certificate:
    if not 1 <= digits <= trajectories.MOST_DIGITS - completed.SPARE:
        most = trajectories.MOST_DIGITS - completed.SPARE
        raise NotExact(f"the digits of an enclosure are a whole number from 1 to {most}, got {digits}")
    if all(map(completed.is_complete, statement["says"])):
        return trajectories.decide(statement)
    return completed.decided(statement, digits, None if until is None else _rational(until))


def free_name(name: str, taken: Mapping[str, Any]) -> str:
    return name if name not in taken else free_name(name + "_", taken)


def _data(said: Proposition, values: dict[str, Term]) -> Json:
    """A proposition as data, in which what is left out is missing."""
    keys = {"ends": ("at",), "converges": ("by",)}.get(said.that, ("from", "to"))
    data: Json = {"that": said.that, **dict(zip(keys, map(_rational, said.times), strict=False))}
    if said.relation is not None:
        data["relation"] = [*_relation(said, said.relation, values)]
    if said.later is not None:
        data["later"] = [*_relation(said, said.later, values)]
    if said.box is not None:
        _require_apart(said.box)
        data["box"] = {_name(s): _interval(s, v) for s, v in said.box.items()}
    if said.rate is not None:
        data["rate"] = _rational(said.rate)
    return data


def _relation(said: Proposition, relation: Any, values: dict[str, Term]) -> Any:
    if relation in (sp.true, sp.false, True, False):
        raise NotExact(
            "a relation of a proposition is decided by its symbols' assumptions alone: give the symbols real=True"
            " and no sign"
        )
    if not isinstance(relation, sp.core.relational.Relational):
        raise NotExact(f"{said.that} takes a relation between expressions, such as x > 0 or Eq(x, 1), got {relation}")
    return _put_in(from_sympy(relation), values)


def _put_in(term: Term, values: dict[str, Term]) -> Term:
    """A term with numbers for parameters; it stays as it is where there are none."""
    return _with_exponents(substitute(term, values)) if symbols_in(term) & {*values} else term


def _with_exponents(term: Term) -> Term:
    """The term in which an exponent that has become a number is written as one, or by an exponential."""
    new = rebuild(term, tuple(map(_with_exponents, children(term))))
    if new[0] != "^" or new[2][0] == "q" or symbols_in(new[2]):
        return new
    number = exact(new[2], {})
    return ("exp", ("*", new[2], ("log", new[1]))) if number is None else ("^", new[1], rational(number))


def _name(symbol: Any) -> str:
    if not isinstance(symbol, sp.Symbol):
        raise NotExact(f"a variable of a trajectory is a SymPy symbol, got {symbol!r}")
    return str(symbol.name)


def _require_apart(symbols: Iterable[Any]) -> None:
    """Refuses two variables of one name, of which a statement could only hold one."""
    names = [_name(symbol) for symbol in symbols]
    for name in names:
        if names.count(name) > 1:
            raise NotExact(f"the name {name} is given twice, among variables, parameters and the time: use two names")


def _require_signs(moving: Iterable[Any], parameters: Mapping[Any, Any]) -> None:
    """Refuses what symbols are declared to be beyond what they certainly are: with it SymPy simplified formulas."""
    for s in moving:
        require_sign(s)
    for s, v in parameters.items():
        ends = [as_expression(end) for end in (v if isinstance(v, tuple | list) else (v,))]
        turns = any(end.is_negative for end in ends) and any(end.is_positive for end in ends)
        require_sign(s, *ends, *([sp.S.Zero] if turns else []))


def _expressions(says: Iterable[Proposition]) -> Iterator[Any]:
    """The expressions and symbols in some propositions."""
    for said in says:
        yield from (r for r in (said.relation, said.later) if isinstance(r, sp.Basic))
        yield from said.box or ()


def _interval(symbol: Any, value: Any) -> list[str]:
    low, high = value if isinstance(value, tuple | list) and len(value) == 2 else (value, value)
    if isinstance(low, tuple | list):
        raise NotExact(f"{symbol} is given {value}: give one number, or an interval of two")
    return [_rational(low), _rational(high)]


def _rational(value: Any) -> str:
    term = from_sympy(as_expression(value))
    if term[0] != "q":
        raise NotExact(f"a trajectory is asked about with rational numbers, got {value}: give an interval around it")
    return str(term[1])


@at_door(NotExact)
def beside(**runs: tuple[Mapping[Variable, Expression], Box]) -> tuple[dict[Any, Any], dict[Any, Any]]:
    """The flow and the start of several runs beside each other, so that a proposition can compare them.

    runs: a name for each, with its flow and its start; x becomes x_name. Symbols that are no variables are shared.
        Refused: no run at all, and variables that are no symbols (`NotExact`).

    >>> x, k = sp.symbols("x k", real=True)
    >>> flow, start = beside(a=({x: -x}, {x: 1}), b=({x: -2 * x}, {x: 1}))
    >>> a, b = sp.symbols("x_a x_b", real=True)
    >>> trajectory(flow, start, says=stays(a > b, between=(1, 5))).verdict.value
    'certified'
    """
    flow: dict[Any, Any] = {}
    starts: dict[Any, Any] = {}
    variables: list[Any] = []
    shared: set[str] = set()
    for run, (rates, start) in runs.items():
        renamed = _renamed(rates, run)
        if strange := set(start) - set(rates):
            raise NotExact(
                f"the start of run {run} speaks of {min(map(str, strange))}, which is no variable of its flow"
            )
        shared |= {s.name for rate in rates.values() for s in as_expression(rate).free_symbols - set(rates)}
        variables += renamed.values()
        flow |= {renamed[s]: placed(as_expression(rate), renamed) for s, rate in rates.items()}
        starts |= {renamed[s]: value for s, value in start.items()}
    _require_apart([*variables, *map(sp.Symbol, shared)])
    return flow, starts


def in_run(expression: Any, flow: Mapping[Any, Any], run: str) -> Any:
    """An expression in the variables of a flow, as of one of the runs beside each other."""
    return placed(as_expression(expression), _renamed(flow, run))


def _renamed(flow: Mapping[Any, Any], run: str) -> dict[Any, Any]:
    return {s: sp.Symbol(f"{_name(s)}_{run}", **s.assumptions0) for s in flow}
