"""Statements about flows of matrices: the only solution from a start, an inverse that stays, and where it ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.words import Letter, Words, identity
from derivations.language.words.blocks import Blocks
from derivations.prove import Certificate

State = Words | Blocks
Table = Mapping[Letter, Any]


def keeps_inverse(
    bracket: Words,
    grows_by: Sequence[Any],
    motion: Table,
    begin: Table,
    *,
    root: tuple[Any, Any] | None = None,
    scale: Any = None,
    **options: Any,
) -> Certificate:
    """Show that a bracket, a square at the start that grows by sums of squares between the scale, keeps an inverse.

    root: of the bracket at the start, with its inverse; without one it starts at the identity. scale: stands, with its
    transpose, on both sides of the bracket.
    """
    one = identity(bracket.shape[0])
    first, back = root or (one, one)
    slots: dict[str, Any] = {"scale": one if scale is None else scale, "first": first, "left_inverse": back}
    return prove.by(
        "bracket that grows", bracket=bracket, grows_by=grows_by, motion=motion, begin=begin, **slots, **options
    )


def only_solution(
    value: State,
    rate: Callable[[Any], Any],
    start: State,
    motion: Table,
    begin: Table,
    *,
    inverses: Mapping[str, Certificate] | None = None,
    through: Table | None = None,
    drift: Table | None = None,
    **options: Any,
) -> Certificate:
    """Show that a value is the only solution of a flow from its start, for all t >= 0.

    rate: of the state, as a function of it. inverses: why the inverses in the value exist, by the names of their
    letters. through, drift: parts in which the value is written, and how these move.
    """
    state = _state(value)
    letters = list(_blocks(state))
    steps = {f"inverse {name}": shown for name, shown in (inverses or {}).items()}
    parts: dict[str, Any] = {"through": through or {}, "drift": drift or {}, "steps": steps}
    tables = {"values": value, "rates": rate(state), "starts": start}
    slots: dict[str, Any] = {key: dict(zip(letters, _blocks(given), strict=True)) for key, given in tables.items()}
    return prove.by("solution of a matrix flow", **slots, motion=motion, begin=begin, **parts, **options)


def ends_at(
    values: Iterable[Any], ends: Iterable[Any], decays: Table, at_the_end: Table | None = None, **options: Any
) -> Certificate:
    """Show that values in letters that decay go to their ends as t grows."""
    slots = {"slow": {}, "time": "t"} | options
    return prove.by(
        "limit by decaying exponentials",
        values=[*values],
        ends=[*ends],
        decays=decays,
        at_the_end=at_the_end or {},
        **slots,
    )


def det(letter: str) -> Any:
    """The determinant of a letter, as a number."""
    return sp.Symbol(f"det_{letter}", real=True)


def determinants(
    products: Sequence[Any], goal: Any, weights: Sequence[Any], supposing: Sequence[Any] = (), scale: Any = 1
) -> Certificate:
    """Show the goal, a combination of equations between determinants of equal products of square matrices."""
    slots = {"products": products, "supposing": supposing, "goal": goal}
    return prove.by("determinants multiply", **slots, weights=weights, scale=scale)


def _blocks(value: State) -> Sequence[Any]:
    return [value] if isinstance(value, Words) else [*value]


def _state(value: State) -> State:
    """A plain letter for every block of the state."""
    if isinstance(value, Words):
        return Letter("X", *value.shape)
    return Blocks(
        [[Letter(f"X_{i}{j}", *block.shape) for j, block in enumerate(row, 1)] for i, row in enumerate(value.rows, 1)]
    )
