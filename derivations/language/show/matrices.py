"""Formulas about matrices as people read them, from the data that statements hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derivations.language import names

Json = Any

LOOSE, PRODUCT, POWER, ATOM = range(4)  # how tightly a formula holds together


@dataclass(frozen=True)
class Style:
    """How the parts of a formula are written."""

    number: Callable[[Fraction], str]
    letter: Callable[[str], str]
    brackets: str
    transpose: str
    power: str
    trace: str
    norm2: str
    along: str
    along_flow: str
    gradient: str
    at: str
    rate: str
    identity: str
    terms: Callable[[Json], str]


@dataclass
class Writer:
    """One style at work; letters that move in two ways have their rates beside every derivative."""

    style: Style
    ambiguous: bool = False

    def text(self, formula: Json) -> str:
        return self._written(formula)[0]

    def _written(self, formula: Json) -> tuple[str, int]:
        """The formula, and how tightly it holds together."""
        style, (head, *parts) = self.style, formula
        match head:
            case "L":
                return style.letter(parts[0]), ATOM
            case "q":
                value = Fraction(parts[0])
                return style.number(value), ATOM if value >= 0 and value.denominator == 1 else LOOSE
            case "I":
                return style.identity, ATOM
            case "0":
                return "0", ATOM
            case "+":
                return " + ".join(self.text(p) for p in parts).replace("+ -", "- "), LOOSE
            case "@" | "*":
                return self._product(parts)
            case "^":
                return style.power.format(self._inside(parts[0], ATOM), parts[1]), POWER
            case "T":
                return style.transpose.format(self._inside(parts[0], ATOM)), POWER
            case "tr":
                return style.trace.format(self.text(parts[0])), ATOM
            case "norm2":
                return style.norm2.format(self.text(parts[0])), ATOM
            case "along" if self.ambiguous and parts[1]:
                return style.along_flow.format(self.text(parts[0]), ", ".join(self.rates(parts[1]))), PRODUCT
            case "along":
                return style.along.format(self.text(parts[0])), PRODUCT
            case "gradient":
                return style.gradient.format(style.letter(parts[1]), self.text(parts[0])), PRODUCT
            case "at":
                values = ", ".join(f"{style.letter(name)} = {self.text(value)}" for name, value in parts[1])
                return style.at.format(self.text(parts[0]), values), PRODUCT
        written = style.terms({"terms": parts[2:]})
        return written, LOOSE if len(parts) > 3 or written.startswith("-") else PRODUCT

    def _product(self, parts: Json) -> tuple[str, int]:
        sign = ""
        if parts[0][0] == "q" and Fraction(parts[0][1]) < 0:
            size = -Fraction(parts[0][1])
            sign, parts = "-", [*([("q", str(size))] if size != 1 else []), *parts[1:]]
        first = [self.style.number(Fraction(parts[0][1]))] if parts[0][0] == "q" else []
        rest = [self._inside(p, POWER) for p in parts[len(first) :]]
        return sign + " ".join([*first, *rest]), LOOSE if sign else PRODUCT

    def _inside(self, formula: Json, tight: int) -> str:
        written, holds = self._written(formula)
        return written if holds >= tight else self.style.brackets.format(written)

    def rates(self, pairs: Json) -> list[str]:
        return [self.style.rate.format(self.style.letter(name), self.text(rate)) for name, rate in pairs]


def moving(formulas: list[Json]) -> dict[str, list[Json]]:
    """The letters that move in some derivative of these formulas, with the rates that they have."""
    found: dict[str, list[Json]] = {}
    waiting = list(formulas)
    while waiting:
        head, *parts = waiting.pop(0)
        if head in ("along", "at"):
            waiting += [parts[0], *(value for _, value in parts[1])]
        elif head in ("+", "@", "*"):
            waiting += parts
        elif head in ("^", "T", "tr", "norm2", "gradient"):
            waiting.append(parts[0])
        if head == "along":
            for name, rate in parts[1]:
                rates = found.setdefault(name, [])
                rates += [rate] if rate not in rates else []
    return found


def equation(style: Style, relation: str, left: Json, right: Json, where: str) -> str:
    """An equation with the flow along which its derivatives are taken."""
    sides = [
        side["formula"] if "formula" in side else ("terms", *side["shape"], *side["terms"]) for side in (left, right)
    ]
    rates = moving(sides)
    writer = Writer(style, any(len(found) > 1 for found in rates.values()))
    flow = [] if writer.ambiguous else writer.rates([(name, found[0]) for name, found in sorted(rates.items())])
    text = f"{writer.text(sides[0])} {relation} {writer.text(sides[1])}"
    return f"{text}{where}{', '.join(flow)}" if flow else text


def side(style: Style, data: Json) -> str:
    """One side of an equation."""
    return style.terms(data) if "terms" in data else Writer(style, True).text(data["formula"])


def bold(letter: str) -> str:
    """A letter as LaTeX, in bold."""
    head, below = names.latex_parts(letter)
    return rf"\mathbf{{{head}}}{f'_{{{below}}}' if below else ''}"
