"""Conclusions of theorems as sentences: a phrase for each form, whose slots show the data of the conclusion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from derivations.language.show.phrases import PHRASES, TEXT, WORDS, Slot, Style, filled, writer

Json = Any


def sentence(conclusion: Json) -> str:
    """Return what a conclusion says.

    >>> data = {"form": "vanishes", "variable": "x", "function": ("s", "x"), "low": ("q", "0"), "high": ("q", "2")}
    >>> sentence(data)
    'x = 0 for some x with 0 < x < 2'
    """
    form = conclusion["form"]
    if form not in PHRASES["conclusions"]:
        raise ValueError(f"no conclusion has the form {form!r}")
    write = WORDS if "letters" in conclusion and form != "determinants" else TEXT
    return filled(PHRASES["conclusions"][form], conclusion, write)


def times(statement: Json) -> str:
    """The times of which a statement about a flow speaks."""
    return filled(PHRASES["times"][statement["interval"]["kind"]], {**statement, **statement["interval"]}, TEXT)


@writer
def distinct(slot: Slot) -> str:
    return ", ".join(dict.fromkeys(map(slot.write, slot.part.values())))


@writer
def counted(slot: Slot) -> str:
    return f"{' or '.join(slot.part)} {'time' if slot.part == ['1'] else 'times'}"


@writer
def where(slot: Slot) -> str:
    return f"where {' and '.join(map(slot.write, slot.part))}: " if slot.part else ""


@writer
def until(slot: Slot) -> str:
    kind = slot.part["kind"]
    if kind == "while defined":
        return "as long as it has a value"
    return times(slot.table).replace("for", "for all", 1) if kind == "forever" else times(slot.table)


@writer
def solution(slot: Slot) -> str:
    """The solution of a flow from its start, with the time by its name."""
    phrase = "the solution of {flow:each,motion,time} from {start:each,value} at {time} = 0"
    return filled(phrase, slot.table, slot.write)


@writer
def sign(slot: Slot) -> str:
    known = slot.table["symbols"][slot.part]
    return f" wherever {slot.part} > 0" if "positive" in known else f" wherever {slot.part} >= 0" if known else ""


@writer
def lasts(slot: Slot) -> str:
    return f"for all {slot.table['time']} >= 0" if slot.part == "forever" else "for as long as it exists"


@writer
def courses(slot: Slot) -> str:
    starts = (f"{name} = {slot.write(slot.table['begin'][name])} at t = 0" for name in slot.part)
    return f"{slot:each,moves}, {', '.join(starts)}"


@writer
def limits(slot: Slot) -> str:
    return ", ".join(slot.write(("goes", *pair)) for pair in zip(slot.part, slot.table["ends"], strict=True))


@writer
def fading(slot: Slot) -> str:
    time, write = slot.table["time"], slot.write
    rates = [f"{name} = exp(-({write(rate)}) {time})" for name, rate in slot.part.items()]
    return ", ".join(rates + [f"{name} = {time} {write(letter)}" for name, letter in slot.table["slow"].items()])


@writer
def letters(slot: Slot) -> str:
    return of_integrals(slot.table, slot.write)


def of_integrals(statement: Json, write: Style) -> str:
    """For which integrals, and rates of them, letters stand; nothing where there are none.

    >>> of_integrals({"variable": "x", "integrals": {"I": [("s", "x"), ("q", "0"), ("oo",)]}}, TEXT)
    ', where I is the integral of x over x from 0 to oo'
    """
    x, table = statement["variable"], statement["integrals"]
    said = [f"{name} is {_integral(f, low, high, x, write)}" for name, (f, low, high) in table.items()]
    said += [f"{rate} is d{letter}/d{by}" for rate, (letter, by) in statement.get("rates", {}).items()]
    return f", where {', '.join(said)}" if said else ""


@writer
def span(slot: Slot) -> str:
    table: Mapping[str, Any] = slot.table
    return _integral(slot.part, table["low"], table["high"], table["variable"], slot.write)


def _integral(f: Json, low: Json, high: Json, x: str, write: Style) -> str:
    return f"the integral of {write(f)} over {x} from {write(low)} to {write(high)}"
