"""Statements about trajectories as people read them: the system, its start, and a line for everything that is said."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

Json = Any  # a certificate's data, or the same data with tuples in place of lists
Write = Callable[[Any], str]


def sentences(statement: Json, write: Write) -> list[str]:
    """Return what is said, the start, and the rates or next values, each on its own line.

    >>> ends = {"that": "ends", "at": "2", "box": {"x": ["1/8", "1/7"]}}
    >>> said = {"form": "flow", "time": "t", "states": {"x": ("s", "x")}, "start": {"x": ["1", "1"]}, "says": [ends]}
    >>> sentences(said, lambda term: str(term[1]))
    ['at t = 2: x in [0.125, 1/7]', 'x(0) = 1', 'dx/dt = x']
    """
    time, states = statement["time"], statement["states"]
    is_flow = statement["form"] == "flow"
    head = f"d{{}}/d{time} = {{}}" if is_flow else f"{{}}({time} + 1) = {{}}"
    moving = [x for x in sorted(states) if not is_constant(statement, x)]
    system = [head.format(x, write(states[x])) for x in moving]
    return [*(_said(each, statement, write) for each in statement["says"]), _start(statement), *system]


def formulas(statement: Json, write: Write, name: Write) -> list[str]:
    """The rates as LaTeX, and nothing for the lines that are sentences."""
    states, time = statement["states"], name(statement["time"])
    moving = [x for x in sorted(states) if not is_constant(statement, x)]
    if statement["form"] == "flow":
        rates = [rf"\dot{{{name(x)}}}={write(states[x])}" for x in moving]
    else:
        rates = [f"{name(x)}({time}+1)={write(states[x])}" for x in moving]
    return [*("" for _ in statement["says"]), "", *rates]


def failure(statement: Json, fails: Json, write: Write) -> str:
    """Which of the things that are said fails, and when.

    >>> said = {"that": "stays", "from": "0", "to": "2", "relation": [">", ("s", "x"), ("s", "y")]}
    >>> statement = {"form": "flow", "time": "t", "states": {}, "says": [said]}
    >>> failure(statement, {"says": 0, "time": "3/2"}, lambda term: str(term[1]))
    'for 0 <= t <= 2: x > y: this fails for every start, at t = 1.5.'
    """
    said = _said(statement["says"][fails["says"]], statement, write)
    time = statement["time"]
    if fails.get("by") == "never":
        return f"{said}: for no start does this happen until then."
    if fails.get("by") == "earlier":
        return f"{said}: for every start this has happened before, by {time} = {decimal(fails['time'])}."
    return f"{said}: this fails for every start, at {time} = {decimal(fails['time'])}."


def is_constant(statement: Json, x: str) -> bool:
    """Return whether a state is a parameter, which never changes."""
    standing = ("q", "0") if statement["form"] == "flow" else ("s", x)
    return tuple(statement["states"][x]) == standing


def decimal(number: str) -> str:
    """An exact number as a decimal where it has an end, else as the fraction that it is.

    >>> decimal("1353/10000"), decimal("-1/3"), decimal("12")
    ('0.1353', '-1/3', '12')
    """
    value, places = Fraction(number), 0
    while (value * 10**places).denominator % 2 == 0 or (value * 10**places).denominator % 5 == 0:
        places += 1
    scaled = value * 10**places
    if scaled.denominator != 1 or not places:
        return str(value)
    digits = str(abs(scaled.numerator)).rjust(places + 1, "0")
    return f"{'-' if value < 0 else ''}{digits[:-places]}.{digits[-places:]}"


def _interval(ends: Any) -> str:
    low, high = map(decimal, ends)
    return f"[{low}, {high}]"


def _box(box: Json) -> str:
    return ", ".join(f"{x} in {_interval(ends)}" for x, ends in sorted(box.items()))


def _start(statement: Json) -> str:
    """Where the states begin; what is constant is said without a time."""
    said = []
    for x, (low, high) in sorted(statement["start"].items()):
        of = x if is_constant(statement, x) else f"{x}(0)"
        said.append(
            f"{of} = {decimal(low)}" if Fraction(low) == Fraction(high) else f"{of} in {_interval((low, high))}"
        )
    return ", ".join(said)


def _said(said: Json, statement: Json, write: Write) -> str:
    time = statement["time"]
    match said["that"]:
        case "ends":
            return f"at {time} = {decimal(said['at'])}: {_box(said['box'])}"
        case "converges":
            pace = (
                f"exp(-{decimal(said['rate'])} {time})" if statement["form"] == "flow" else _power(said["rate"], time)
            )
            rest = f"one point of rest, approached at least as {pace}"
            return f"from {time} = {decimal(said['by'])} on: {_box(said['box'])}, where there is {rest}"
    relation, left, right = said["relation"]
    begin, end = decimal(said["from"]), decimal(said["to"])
    if said["that"] == "stays":
        when = f"at {time} = {begin}" if begin == end else f"for {begin} <= {time} <= {end}"
        return f"{when}: {write(left)} {relation} {write(right)}"
    if statement["form"] != "flow":
        return f"{write(left)} - ({write(right)}) keeps its sign until {time} = {begin}, and no longer has it by {end}"
    window = f"between {time} = {begin} and {end}"
    return f"for the first time, and once until then, {window}: {write(left)} = {write(right)}"


def _power(rate: str, time: str) -> str:
    text = decimal(rate)
    return f"({text})^{time}" if "/" in text else f"{text}^{time}"
