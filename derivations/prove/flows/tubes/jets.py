"""Taylor coefficients in time of every solution that starts in a box, and of how it depends on its start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from flint import arb, arb_mat, arb_series, ctx

from derivations.language.terms import Term
from derivations.prove.flows.statements import moving_states
from derivations.prove.flows.tubes.programs import Ball, NoValue, Program

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

    def sizes(self, box: Sequence[Any], time: Any) -> Matrix:
        """Bounds of the rates on complex balls on which they are analytic (else `NoValue`)."""
        values = self._run(self._symbols(box, time), self.written, strict=True)
        return arb_mat(len(self.names), 1, [abs(values[place]).abs_upper() for place in self.rates])

    def sizes_of_slopes(self, box: Sequence[Any], time: Any) -> Matrix:
        """The same for their derivatives."""
        values = self._run(self._symbols(box, time), self.all_slopes, strict=True)
        size = len(self.names)
        return arb_mat(size, size, [abs(values[place]).abs_upper() for place in self.all_slopes])

    def along(self, known: list[Box], time: Ball, length: int) -> list[Box]:
        """The coefficients of the rates along polynomials that need not be solutions."""
        return self._series(known, time, length, self.rates)

    def linear(self, known: list[Box], time: Ball, length: int) -> list[Matrix]:
        """The linear part of the flow along polynomials."""
        return _matrices(self._series(known, time, length, self.all_slopes), len(known))

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

    def one_by_one(self, box: Box, time: Ball, length: int) -> list[Box]:
        """The same coefficients, each from those before: wider ones over a wide box, as another's may be."""
        known = [[value] for value in box]
        for k in range(1, length):
            rates = self._series(known, time, k, self.rates)
            known = [[*row, rate[k - 1] / k] for row, rate in zip(known, rates, strict=True)]
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

    def dependence(self, known: list[Box], time: Ball, length: int) -> list[Matrix]:
        """The derivatives of the coefficients by the start: Phi' = Df(x) Phi, as a series of matrices."""
        size = len(known)
        linear = self.linear(known, time, length - 1)
        found = [arb_mat(size, size, [int(i == j) for i in range(size) for j in range(size)])]
        for k in range(length - 1):
            total = linear[0] * found[k]
            for i in range(1, k + 1):
                total += linear[i] * found[k - i]
            found.append(total / (k + 1))
        return found


def _lengths(length: int) -> list[int]:
    """How many coefficients are known after each doubling, from 1 on."""
    found: list[int] = []
    while length > 1:
        found.append(length)
        length //= 2
    return found[::-1]


def _listed(value: Any, length: int) -> Box:
    if isinstance(value, arb):
        return [value, *[arb(0)] * (length - 1)]
    return [value[i] for i in range(length)]


def _matrices(series: list[Box], size: int) -> list[Matrix]:
    """Series of entries as a series of matrices."""
    return [arb_mat(size, size, [entry[i] for entry in series]) for i in range(len(series[0]))]
