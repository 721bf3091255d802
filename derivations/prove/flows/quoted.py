"""Numbers that can be quoted: where a trajectory from an exact start is at given times, to any number of digits."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy as sp

from derivations.language.terms import NotExact
from derivations.prove.certificate import Certificate, Verdict
from derivations.prove.flows.asking import ends, trajectory
from derivations.prove.flows.completed import SPARE
from derivations.prove.flows.trajectories import MOST_DIGITS
from derivations.text import DerivationError, did_you_mean, write_together

MOST = 100  # digits that can be asked for: checking more of them again takes longer than a check may
BEYOND = 1  # digits that are asked of the trajectory beyond those that are promised
ATTEMPTS = 4  # each with as many more digits as the one before lacked
NUMBER = re.compile(r"[-+]?[0-9]{1,400}(\.[0-9]{1,400}|/[0-9]{1,400})?([eE][-+]?[0-9]{1,3})?", re.ASCII)

Interval = tuple[str, str]


class NotEnclosed(DerivationError):
    """A trajectory that is not followed to the times or the digits asked for; the message says when and why."""


@dataclass(frozen=True)
class Quoted:
    """Intervals in which the exact values lie, and the certificate that shows it.

    `values` has the two ends as decimal numbers, by the time and then by the letter.
    """

    values: Mapping[Fraction, Mapping[str, Interval]]
    certificate: Certificate

    def at(self, time: Any) -> Mapping[str, Interval]:
        """The intervals of all letters at one of the times that were asked for."""
        if (exact := number(time, "a time")) not in self.values:
            raise NotExact(f"nothing was asked of the time {time}: the times are {', '.join(map(str, self.values))}")
        return self.values[exact]

    def save(self, path: str | Path) -> None:
        """Write the certificate to a file that `derivations recheck` checks; its name ends in .json."""
        file = Path(path)
        if file.suffix != ".json":
            raise NotExact(f"a certificate is saved in a file whose name ends in .json, got {file.name}")
        text = json.dumps({"certificate": self.certificate.as_json()}, sort_keys=True, separators=(",", ":"))
        write_together({file.name: text + "\n"}, file.parent)


def quoted(flow: Mapping[Any, Any], start: Mapping[Any, Any], times: Any, digits: int = 15) -> Quoted:
    """Where the solution of a flow from an exact start is at one time, or at each of several.

    flow: the variables' symbols with their rates of change. start: the same symbols with exact numbers.
    times: one exact number after 0, or a list of them. digits: each interval is at most 10^-digits of the value wide,
        or 10^-digits of 10^-digits for smaller values.

    Exact numbers are strings such as "0.3", integers and fractions; floats are refused (`NotExact`). Where the solution
    is not followed that far or to so many digits, `NotEnclosed` says why.

    >>> x = sp.Symbol("x", real=True)
    >>> quoted({x: -x}, {x: 1}, "2.5", digits=20).at("2.5")["x"]
    ('0.082084998623898795169487', '0.08208499862389879516957')
    >>> quoted({x: x**2}, {x: 1}, 2)
    Traceback (most recent call last):
    derivations.prove.flows.quoted.NotEnclosed: the solution is not enclosed: no step goes beyond the time 1...
    """
    if type(digits) is not int or not 1 <= digits <= MOST:
        raise NotExact(f"digits is a whole number from 1 to {MOST}, got {digits!r}")
    exact = _moments(times if isinstance(times, list | tuple) else [times])
    begun = {symbol: _rational(number(value, str(symbol))) for symbol, value in start.items()}
    says = [ends(_rational(time)) for time in exact]
    asked = digits + BEYOND
    for _ in range(ATTEMPTS):
        found = trajectory(flow, begun, says=says, digits=min(asked, MOST_DIGITS - SPARE))
        if found.verdict is not Verdict.CERTIFIED:
            raise NotEnclosed(f"the solution is not enclosed: {found.reason}")
        boxes = [{name: _ends(side) for name, side in said["box"].items()} for said in found.statement["says"]]
        lacking = max(_lacking(side, digits) for box in boxes for side in box.values())
        if not lacking:
            values = [{name: (_decimal(low), _decimal(high)) for name, (low, high) in box.items()} for box in boxes]
            return Quoted(dict(zip(exact, values, strict=True)), found)
        asked += lacking + BEYOND
    raise NotEnclosed(f"the solution is enclosed to {digits - lacking} digits until {max(exact)}, not to {digits}")


def _moments(times: Iterable[Any]) -> list[Fraction]:
    """The times, each after 0."""
    exact = [number(time, "a time") for time in times]
    if not exact or min(exact) <= 0:
        raise NotExact(f"times are numbers after 0, at least one, got {', '.join(map(str, exact)) or 'none'}")
    return exact


def named(given: Mapping[str, Any], symbols: Iterable[Any], what: str) -> dict[Any, Fraction]:
    """The exact number that is given for each symbol by its name; `what` they are called in a refusal."""
    known = {str(symbol.name): symbol for symbol in symbols}
    if not isinstance(given, Mapping):
        raise NotExact(f'the {what} are given by their names, as in {{{next(iter(known))!r}: "0.3"}}, got {given!r}')
    for name in given:
        if name not in known:
            raise NotExact(f"{name!r} is none of the {what} {', '.join(known)}{did_you_mean(str(name), known)}")
    if missing := [name for name in known if name not in given]:
        raise NotExact(f"{missing[0]} is missing: the {what} are {', '.join(known)}")
    exact = {symbol: number(given[name], name) for name, symbol in known.items()}
    for symbol, value in exact.items():
        if (symbol.is_positive and value <= 0) or (symbol.is_nonnegative and value < 0):
            raise NotExact(f"{symbol} is {'positive' if symbol.is_positive else 'not negative'}, got {value}")
        if symbol.is_integer and value.denominator != 1:
            raise NotExact(f"{symbol} is a whole number, got {value}")
    return exact


def number(value: Any, what: str) -> Fraction:
    """An exact number from a string, an integer or a fraction; a float is refused, as it is not what was written.

    >>> number("0.3", "h"), number(2, "h")
    (Fraction(3, 10), Fraction(2, 1))
    >>> number(0.3, "h")
    Traceback (most recent call last):
    derivations.language.terms.NotExact: h is given as the float 0.3, which is rounded: write "0.3"
    """
    if isinstance(value, float | sp.Float) and math.isfinite(value):
        raise NotExact(f'{what} is given as the float {value}, which is rounded: write "{value}"')
    if isinstance(value, sp.Rational):
        return Fraction(int(value.p), int(value.q))
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return Fraction(value)
    if isinstance(value, str) and NUMBER.fullmatch(value) and not ("/" in value and "e" in value.lower()):
        try:
            return Fraction(value)
        except ZeroDivisionError:
            pass
    raise NotExact(f'{what} is an exact number, such as "0.3", 3 or "1/3", got {value!r}')


def _rational(value: Fraction) -> Any:
    return sp.Rational(value.numerator, value.denominator)


def _ends(side: Iterable[str]) -> tuple[Fraction, Fraction]:
    low, high = map(Fraction, side)
    return low, high


def _lacking(side: tuple[Fraction, Fraction], digits: int) -> int:
    """How many of the digits an interval does not have."""
    low, high = side
    finest = Fraction(1, 10**digits)
    most, lacking = max(abs(low), abs(high), finest) * finest, 0
    while high - low > most * 10**lacking:
        lacking += 1
    return lacking


def _decimal(value: Fraction) -> str:
    """An end of an interval, which is a whole multiple of a power of ten, in decimals.

    The places are as many as the denominator's twos or fives.
    """
    places = next(k for k in range(value.denominator.bit_length() + 1) if 10**k % value.denominator == 0)
    whole = str(abs(value.numerator) * 10**places // value.denominator).rjust(places + 1, "0")
    text = f"{whole[:-places]}.{whole[-places:]}" if places else whole
    return f"-{text}" if value < 0 else text
