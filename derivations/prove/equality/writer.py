"""Steps as data: each once, and after those that it uses."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derivations.language.normal import Field, Poly, to_fmpq
from derivations.prove.certificate import Json
from derivations.prove.equality.step import Step, relation_of

MOST_BITS = 6600  # of a number in a certificate, which has at most 2000 digits


class Writer:
    """Steps as data; generators are steps too, by their positions in a field."""

    def __init__(self, of: Field, generators: dict[int, Step]) -> None:
        self.field, self.generators = of, generators
        self.positions = {id(step): position for position, step in generators.items()}
        self.numbers: dict[int, int] = {}  # of facts, by the identity of their steps
        self.written: dict[int, Step] = {}
        self.steps: list[Any] = []

    def write(self, step: Step) -> None:
        if id(step) in self.written:
            return
        self.written[id(step)] = step
        for needed in step.needs:
            self.write(needed)
        data = [part if isinstance(part, str) else self.data(part) for part in step.parts]
        if step.parts[0] not in ("generator", "rewrite"):
            self.numbers[id(step)] = len(self.numbers)
        self.steps.append(["generator", Position(self.positions[id(step)])] if step.parts[0] == "generator" else data)

    def data(self, part: Any) -> Any:
        """A part of a step as data; the steps in it are written before."""
        if isinstance(part, Step):
            self.write(part)
            position = self.positions.get(id(part))
            return self.numbers[id(part)] if position is None else Position(position)
        if isinstance(part, list):
            return [self._summand(*item) if isinstance(item, tuple) else self.data(item) for item in part]
        if hasattr(part, "to_dict"):
            for position, degree in enumerate(map(int, part.degrees())):
                if degree > 0:
                    self.write(self.generators[position])
        return part

    def _summand(self, weight: Any, found: Step | list[Step]) -> list[Any]:
        indices = self.data(found)
        if isinstance(found, Step):
            return [_text(weight), indices]
        if relation_of(found) == "=" and not hasattr(weight, "to_dict"):
            weight = self.field.constant(weight)  # polynomials stand before what is zero
        return [self.data(weight) if hasattr(weight, "to_dict") else _text(weight), indices]

    def payload(self, times: Any, total: Any) -> Json:
        """The generators that are used, in the order of the field, and all that is said in them."""
        used = sorted(position for position, step in self.generators.items() if id(step) in self.written)
        place = {position: k for k, position in enumerate(used)}

        def numbered(part: Any) -> Any:
            if isinstance(part, list):
                return [*map(numbered, part)]
            if isinstance(part, Position):
                return place[part.of]
            return _rows(part, used) if hasattr(part, "to_dict") else part

        steps = numbered(self.steps)
        generators = [self.generators[position].parts[1] for position in used]
        return {"generators": generators, "steps": steps, "times": times, "sum": numbered(total)}


@dataclass(frozen=True)
class Position:
    """The position of a generator in its field, which is not its number in the certificate."""

    of: int


def _text(number: Any) -> str:
    """An exact number as text; OverflowError where a checker would not read it."""
    exact = to_fmpq(number) if isinstance(number, int | Fraction) else number
    if exact.height_bits() > MOST_BITS:
        raise OverflowError("a number of the certificate is too long")
    return str(exact)


def _rows(poly: Poly, used: list[int]) -> list[Any]:
    """A polynomial as data, without zeros at the end of its exponents."""
    rows = []
    for exponents, coefficient in poly.terms():
        powers = [int(exponents[i]) for i in used]
        while powers and not powers[-1]:
            powers.pop()
        rows.append([_text(coefficient), powers])
    return rows
