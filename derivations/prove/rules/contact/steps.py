"""The steps of a proof on pieces of a range: cuts at numbers, slopes from points of equality, balls in the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

from derivations.language.terms import Term, rational, symbols_in
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.slopes import SIDE_NAMES, SIDES
from derivations.prove.rules.analysis.values import speaks_of
from derivations.prove.rules.rule import Step, fresh, under

NOTHING: Json = {"symbols": {}, "assuming": []}


@dataclass(frozen=True)
class Touch:
    """A point of equality: its value as a ball, the order of the first derivative that does not vanish, its sign."""

    at: Term
    number: Any
    order: int
    sign: int


@dataclass(frozen=True)
class Piece:
    """A piece of a range, and from which point on which sides the function leads up there.

    The last of `uppers` is above all values of the last derivative; those before it are above the function and its
    first derivatives at the end from which they rise. On a piece without sides the function itself is positive.
    """

    low: Fraction
    high: Fraction
    uppers: list[str]
    touch: Touch | None = None
    sides: list[int] = field(default_factory=list)


def on_pieces(name: str, low: Term, high: Term, pieces: list[Piece], statement: Json) -> Step:
    """That a function of one symbol is positive on a range, whose ends are numbers, from that on pieces of it."""
    ends = _bounds(name, pieces[0])[:1] + _bounds(name, pieces[-1])[1:]
    setting = {"symbols": statement["symbols"], "assuming": [*statement["assuming"], *ends]}
    return under(setting, partial(_in_setting, low, high, partial(_cut, name, pieces)))


def _bounds(name: str, piece: Piece) -> list[Term]:
    return [(">=", ("s", name), rational(piece.low)), (">=", rational(piece.high), ("s", name))]


def _in_setting(low: Term, high: Term, then: Callable[[Json], Step | None], role: str, part: Json) -> Step | None:
    """Return what follows in other hypotheses; that a symbol is inside of rational ends is shown by what lies in
    between.
    """
    if role == "then":
        return then(part)
    middle = low if part["left"][0] == "s" else high
    used = {"middle": middle, "first": ">=", "second": ">="}
    return Step("a number in between", used, lambda _, part: None if symbols_in_sides(part) else under(NOTHING))


def symbols_in_sides(statement: Json) -> frozenset[str]:
    return symbols_in(statement["left"]) | symbols_in(statement["right"])


def _cut(name: str, pieces: Sequence[Piece], statement: Json) -> Step:
    """Cases until one piece is left, and then no more hypotheses than speak of its ends."""
    if len(pieces) == 1:
        ends = [r for r in statement["assuming"] if speaks_of(r, name) and not _is_cut(r)]
        setting = {"symbols": {name: statement["symbols"][name]}, "assuming": [*ends, *_bounds(name, pieces[0])]}
        return under(setting, lambda role, part: _on(name, pieces[0], part) if role == "then" else None)
    half = len(pieces) // 2
    halves = {"below": pieces[:half], "above": pieces[half:]}

    def then(role: str, part: Json) -> Step | None:
        return _cut(name, halves[role], part) if role in halves else None

    return Step("two cases", {"first": ("s", name), "second": rational(pieces[half].low)}, then)


def _is_cut(relation: Term) -> bool:
    return relation[0] == ">=" and "q" in (relation[1][0], relation[2][0])


def _on(name: str, piece: Piece, statement: Json) -> Step:
    if not piece.sides:
        return _balls(piece.uppers[0], name, piece)
    if piece.touch is None:
        end = rational(piece.low if piece.sides[0] > 0 else piece.high)
        return _rising(name, piece, (end, piece.sides[0]), 0, statement)
    if len(piece.sides) == 1:
        return _rising(name, piece, (piece.touch.at, piece.sides[0]), 0, statement)
    end = piece.touch.at
    strict = statement["relation"] == ">"

    def then(role: str, part: Json) -> Step | None:
        return _rising(name, piece, (end, SIDES[role]), 0, part) if role in SIDES else None

    return Step("three cases" if strict else "two cases", {"first": ("s", name), "second": end}, then)


def _balls(upper: str, name: str, piece: Piece) -> Step:
    return Step("balls", {"box": {name: [str(piece.low), str(piece.high)]}, "upper": upper})


def _rising(name: str, piece: Piece, going: tuple[Term, int], level: int, statement: Json) -> Step:
    """From the end up: by the slope, by its slope, and so on, until balls show that one is positive."""
    (end, side), order = going, piece.touch.order if piece.touch else len(piece.uppers) - 1
    if level == order:
        return _balls(piece.uppers[-1], name, piece)
    letter = fresh(statement, "on_the_way")
    here, point = ("s", letter), ("s", name)
    beyond_end = (">", here, end) if side > 0 else (">", end, here)
    there = {"symbols": {letter: []}, "assuming": [*_bounds(letter, piece), beyond_end]}
    low, high = (end, point) if side > 0 else (point, end)
    onwards = partial(_rising, letter, piece, going, level + 1)

    def then(role: str, part: Json) -> Step | None:
        if role == "start" and piece.touch is None:
            return under(NOTHING, lambda role, _: Step("balls", {"box": {}, "upper": piece.uppers[level]}))
        if role == "slope" or role.startswith("smooth"):
            return under(there, partial(_in_setting, low, high, onwards if role == "slope" else _nothing_planned))
        return None

    used = {"symbol": name, "end": end, "side": SIDE_NAMES[side], "letter": letter}
    used |= {"start": ">=", "rate": statement["relation"]} if piece.touch else {"start": ">", "rate": ">="}
    return Step("slope", used, then)


def _nothing_planned(_: Json) -> None:
    return None
