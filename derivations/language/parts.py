"""Formulas that share named parts: the parts put back, in the branches that hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp

from derivations.language.terms import as_expression


def put_back(expression: Any, parts: Iterable[tuple[Any, Any]], holds: Mapping[Any, bool] | None = None) -> Any:
    """A formula with its shared parts written out, so that only the symbols they are made of remain.

    `parts` are pairs of a symbol and what it stands for, each made of the parts in front of it. Where the formula or a
    part is a `Piecewise`, its first branch is taken whose condition `holds` says is true; every condition that is met
    must be a key of `holds`.

    >>> x, size, twice = sp.symbols("x size twice")
    >>> parts = [(size, sp.Piecewise((x, x >= 0), (-x, True))), (twice, 2 * size)]
    >>> put_back(twice + 1, parts, {x >= 0: False})
    1 - 2*x
    """
    expression = branch(as_expression(expression), holds or {})
    given = dict(parts)
    whole: dict[Any, Any] = {}

    def written_out(formula: Any) -> Any:
        for symbol in formula.free_symbols & given.keys() - whole.keys():
            whole[symbol] = written_out(branch(as_expression(given[symbol]), holds or {}))
        return formula.xreplace(whole)

    return written_out(expression)


def branch(expression: Any, holds: Mapping[Any, bool]) -> Any:
    """The first branch of a `Piecewise` whose condition holds; anything else as it is."""
    if not isinstance(expression, sp.Piecewise):
        return expression
    return next(value for value, condition in expression.args if condition == sp.true or holds[condition])
