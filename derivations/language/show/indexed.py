"""Formulas about sums over indices as people read them, from the data that statements hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Json = Any
LOOSE, PRODUCT, ATOM = range(3)  # how tightly a formula holds together


@dataclass(frozen=True)
class Style:
    """How the parts of a formula are written."""

    number: Callable[[Fraction], str]
    entry: Callable[[str, list[str]], str]
    brackets: str
    power: str
    over: str
    derivative: str
    rate: str
    terms: Callable[[Json], str]


def side(style: Style, data: Json) -> str:
    """One side of an equation."""
    return _written(style, data["formula"])[0] if isinstance(data, dict) else style.terms(data)


def _written(style: Style, formula: Json) -> tuple[str, int]:
    """The formula, and how tightly it holds together."""
    head, *parts = formula
    match head:
        case "A":
            return style.entry(parts[0], list(parts[1:])), ATOM
        case "delta" | "size":
            return style.entry(head, list(parts)), ATOM
        case "q":
            value = Fraction(parts[0])
            return style.number(value), ATOM if value >= 0 and value.denominator == 1 else LOOSE
        case "+":
            return " + ".join(_written(style, p)[0] for p in parts).replace("+ -", "- "), LOOSE
        case "*":
            return _product(style, parts)
        case "^":
            return style.power.format(_inside(style, parts[0], ATOM), parts[1]), PRODUCT
        case "sum":
            names, inner = [parts[1]], parts[0]
            while inner[0] == "sum":
                names, inner = [*names, inner[2]], inner[1]
            return f"{style.over.format(', '.join(names))} {_inside(style, inner, PRODUCT)}", PRODUCT
        case "derivative":
            rates = [
                style.rate.format(style.entry(array, list(at)), _written(style, rate)[0])
                for array, at, rate in parts[1]
            ]
            return style.derivative.format(_written(style, parts[0])[0], ", ".join(rates)), PRODUCT
    written = style.terms(parts)
    return written, LOOSE if len(parts) > 1 or written.startswith("-") else PRODUCT


def _product(style: Style, parts: Json) -> tuple[str, int]:
    """The numbers first, then the other factors; a sum over an index reaches as far as its brackets."""
    number = Fraction(1)
    for part in parts:
        number *= Fraction(part[1]) if part[0] == "q" else 1
    others = [p for p in parts if p[0] != "q"]
    texts = [
        _inside(style, p, ATOM if p[0] in ("sum", "derivative") and i < len(others) - 1 else PRODUCT)
        for i, p in enumerate(others)
    ]
    sign = "-" if number < 0 else ""
    head = [style.number(abs(number))] if abs(number) != 1 or not texts else []
    return sign + " ".join([*head, *texts]), LOOSE if sign else PRODUCT


def _inside(style: Style, formula: Json, tight: int) -> str:
    written, holds = _written(style, formula)
    return written if holds >= tight else style.brackets.format(written)
