"""Statements about trajectories as people read them: the system, its start, and a line for everything that is said."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from derivations.language import names
from derivations.language.show.phrases import LATEX, PHRASES, TEXT, WRITERS, Slot, filled, writer

Json = Any  # a certificate's data, or the same data with tuples in place of lists


def readings(statement: Json) -> list[tuple[str, str]]:
    """Return what is said, the start, and the rates or next values, each on a line with its LaTeX, if it has any.

    >>> ends = {"that": "ends", "at": "2", "box": {"x": ["1/8", "1/7"]}}
    >>> said = {"form": "flow", "time": "t", "states": {"x": ("s", "x")}, "start": {"x": ["1", "1"]}, "says": [ends]}
    >>> [text for text, _ in readings(said)]
    ['at t = 2: x in [0.125, 1/7]', 'x(0) = 1', 'dx/dt = x']
    """
    time, states = statement["time"], statement["states"]
    moving = [(x, states[x]) for x in sorted(states) if not is_constant(statement, x)]
    if statement["form"] == "flow":
        system = [(f"d{x}/d{time} = {TEXT(f)}", rf"\dot{{{names.latex(x)}}}={LATEX(f)}") for x, f in moving]
    else:
        next_time = f"({names.latex(time)}+1)"
        system = [(f"{x}({time} + 1) = {TEXT(f)}", f"{names.latex(x)}{next_time}={LATEX(f)}") for x, f in moving]
    return [*((_said(each, statement), "") for each in statement["says"]), (_start(statement), ""), *system]


def failure(statement: Json, fails: Json) -> str:
    """Which of the things that are said fails, and when.

    >>> said = {"that": "stays", "from": "0", "to": "2", "relation": [">", ("s", "x"), ("s", "y")]}
    >>> statement = {"form": "flow", "time": "t", "states": {}, "says": [said]}
    >>> failure(statement, {"says": 0, "time": "3/2"})
    'for 0 <= t <= 2: x > y: this fails for every start, at t = 1.5.'
    """
    said = _said(statement["says"][fails["says"]], statement)
    if fails.get("by") == "never":
        return f"{said}: for no start does this happen until then."
    at = f"{statement['time']} = {decimal(fails['time'])}."
    if fails.get("by") == "earlier":
        return f"{said}: for every start this has happened before, by {at}"
    return f"{said}: this fails for every start, at {at}"


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
    return f"[{', '.join(map(decimal, ends))}]"


def _start(statement: Json) -> str:
    """Where the states begin; what is constant is said without a time."""
    said = []
    for x, ends in sorted(statement["start"].items()):
        is_point = Fraction(ends[0]) == Fraction(ends[1])
        of = x if is_constant(statement, x) else f"{x}(0)"
        said.append(f"{of} = {decimal(ends[0])}" if is_point else f"{of} in {_interval(ends)}")
    return ", ".join(said)


def _said(said: Json, statement: Json) -> str:
    that, phrases = said["that"], PHRASES["said"]
    if that == "stays" and Fraction(said["from"]) == Fraction(said["to"]):
        that = "stays at once"
    if statement["form"] == "flow" and f"{that} in a flow" in phrases:
        that = f"{that} in a flow"
    return filled(phrases[that], {**said, "time": statement["time"]}, TEXT)


@writer
def box(slot: Slot) -> str:
    return ", ".join(f"{x} in {_interval(ends)}" for x, ends in sorted(slot.part.items()))


@writer
def related(slot: Slot) -> str:
    relation, left, right = slot.part
    return f"{slot.write(left)} {relation} {slot.write(right)}"


@writer
def equal(slot: Slot) -> str:
    return related(Slot(slot.write, ("=", *slot.part[1:])))


@writer
def gap(slot: Slot) -> str:
    return f"{slot.write(slot.part[1])} - ({slot.write(slot.part[2])})"


@writer
def power(slot: Slot) -> str:
    text = decimal(slot.part)
    return f"({text})^{slot.table['time']}" if "/" in text else f"{text}^{slot.table['time']}"


WRITERS["decimal"] = lambda slot: decimal(slot.part)
