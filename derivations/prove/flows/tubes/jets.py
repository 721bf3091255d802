"""Taylor coefficients in time of every solution that starts in a box, and of how it depends on its start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from flint import acb, arb, arb_mat, arb_poly, arb_series, ctx

from derivations.language.terms import Term
from derivations.prove.flows.statements import moving_states
from derivations.prove.flows.tubes.programs import Ball, NoValue, Program

RATIOS = (8, 4, 2)  # of the radii of discs to the length of a step
Box = list[Ball]
Matrix = Any  # flint.arb_mat


class Field:
    """The rates of a flow, or the next values of a map, as a program; states are sorted by their names."""

    def __init__(self, states: Mapping[str, Term], time: str, is_map: bool = False) -> None:
        self.states = dict(states)
        self.moving = moving_states(states, is_map)
        self.names = sorted(states)
        self.time = time
        self.program = Program()
        self.rates = [self.program.of(states[name]) for name in self.names]
        self.constant = [i for i, name in enumerate(self.names) if name not in self.moving]
        self.written = list(range(len(self.program.nodes)))
        """All that stands in the formulas, also what a factor 0 makes unneeded: it must have a value."""
        self.symbols = frozenset().union(*(self.program.moving[place] for place in self.written))

    @cached_property
    def slopes(self) -> list[list[int]]:
        """The derivatives of each rate by each state."""
        return [self.program.slopes(rate, self.names) for rate in self.rates]

    @cached_property
    def all_slopes(self) -> list[int]:
        return [place for row in self.slopes for place in row]

    def values(self, box: Box, time: Ball) -> list[Ball]:
        """The rates on a box; refuses a box on which any part has no value (`NoValue`)."""
        values = self._run(self._symbols(box, time), self.written, strict=True)
        return [values[place] for place in self.rates]

    def jacobian(self, box: Box, time: Ball) -> Matrix:
        """The derivatives on a box, on which all of them and the rates must be finite (`NoValue`)."""
        values = self._run(self._symbols(box, time), [*self.written, *self.all_slopes], strict=True)
        size = len(self.names)
        return arb_mat(size, size, [values[place] for place in self.all_slopes])

    def along(self, known: list[Box], time: Ball, length: int) -> list[Box]:
        """The coefficients of the rates along polynomials that need not be solutions."""
        return self._series(known, time, length, self.rates)

    def linear(self, known: list[Box], time: Ball, length: int) -> list[Matrix]:
        """The linear part of the flow along polynomials."""
        return _matrices(self._series(known, time, length, self.all_slopes), len(known))

    def near(self, box: Box, time: Ball, order: int) -> list[Box]:
        """Numbers near the coefficients of a solution up to an order."""
        return [[value.mid() for value in row] for row in self.coefficients(box, time, order + 1)]

    def left_out(self, known: list[Box], time: Ball, h: Ball, terms: int, wanted: Sequence[int]) -> Box:
        """Bounds for a time h of what the first terms of series along polynomials leave out, by discs of some radii."""
        found: list[Box] = []
        for ratio in RATIOS:
            reach = [abs(arb_poly([0, *map(_size, row[1:])])(h * ratio)).abs_upper() for row in known]
            boxes = [acb(row[0] + arb(0, far), arb(0, far)) for row, far in zip(known, reach, strict=True)]
            span = arb(0, (h * ratio).abs_upper())
            try:
                values = self._run(self._symbols(boxes, acb(time + span, span)), wanted, strict=True)
            except NoValue:
                continue
            share = arb(ratio) ** (1 - terms) / (ratio - 1)
            found.append([abs(values[place]).abs_upper() * share for place in wanted])
        if not found:
            raise NoValue("the rates are not analytic on a disc that is large enough")
        return [min(bounds) for bounds in zip(*found, strict=True)]

    def _symbols(self, box: Sequence[Any], time: Any) -> dict[str, Any]:
        return dict(zip(self.names, box, strict=True)) | {self.time: time}

    def _run(self, symbols: Mapping[str, Any], wanted: Sequence[int], strict: bool = False) -> list[Any]:
        try:
            return self.program.run(symbols, wanted, strict)
        except (ZeroDivisionError, ValueError) as trouble:
            raise NoValue(str(trouble)) from trouble

    def coefficients(self, box: Box, time: Ball, length: int) -> list[Box]:
        """Of each state the coefficients x[0], ..., x[length - 1]: Newton's method doubles how many are known.

        From n of them, x' = f(x) shows what is missing, and the linear part of the flow along them what must be added.
        """
        known = [[value] for value in box]
        for aim in _lengths(length):
            known = self._doubled(known, time, aim)
        return known

    def _doubled(self, known: list[Box], time: Ball, aim: int) -> list[Box]:
        have = len(known[0])
        rates = self._series(known, time, aim - 1, self.rates)
        linear = self.linear(known, time, aim - 1 - have) if aim - 1 > have else []
        columns: list[Matrix] = []
        for k in range(have, aim):  # what is added to the coefficient k
            missing = arb_mat(len(known), 1, [rate[k - 1] for rate in rates])
            for i in range(k - have):
                missing += linear[i] * columns[k - 1 - i - have]
            columns.append(missing / k)
        return [row + [column[i, 0] for column in columns] for i, row in enumerate(known)]

    def _series(self, known: list[Box], time: Ball, length: int, wanted: Sequence[int]) -> list[Box]:
        """The coefficients of values along the polynomials that are known."""
        before = ctx.cap
        ctx.cap = length
        try:
            symbols = self._symbols([arb_series(row, prec=length) for row in known], arb_series([time, 1], prec=length))
            values = self._run(symbols, wanted)
            return [_listed(values[place], length) for place in wanted]
        finally:
            ctx.cap = before


def _lengths(length: int) -> list[int]:
    """How many coefficients are known after each doubling, from 1 on."""
    found: list[int] = []
    while length > 1:
        found.append(length)
        length //= 2
    return found[::-1]


def _size(value: Ball) -> Ball:
    return abs(value).abs_upper()


def _listed(value: Any, length: int) -> Box:
    if isinstance(value, arb):
        return [value, *[arb(0)] * (length - 1)]
    return [value[i] for i in range(length)]


def _matrices(series: list[Box], size: int) -> list[Matrix]:
    """Series of entries as a series of matrices."""
    return [arb_mat(size, size, [entry[i] for entry in series]) for i in range(len(series[0]))]
