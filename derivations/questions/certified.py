"""From a statement on one line to its certificate: the prover is asked for just what the line says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.terms import NotExact
from derivations.prove.certificate import Certificate
from derivations.prove.schemas.joining import together
from derivations.questions.lines import Flow, Limit, Relations, Statement
from derivations.text.as_typed import minus, over
from derivations.text.plain import Tree, unevaluated

EVERYWHERE = "+-"  # the sides from which a letter comes where none is told


def certified(statement: Statement) -> Certificate:
    """The certificate of a statement; of several relations, or of a limit from both sides, one for all of them.

    >>> from derivations.questions.lines import read
    >>> certified(read("as x -> 0: sin(x)/x -> 1")).verdict.value
    'proved'
    """
    given = [unevaluated(tree) for tree in statement.hypotheses]
    match statement.says:
        case Relations(parts):
            return together([of_relation(unevaluated(part), given) for part in parts])
        case Limit():
            return together(_of_limit(statement.says, given))
        case Flow():
            return _of_flow(statement.says, given)


def of_relation(relation: Any, given: list[Any]) -> Certificate:
    """The certificate of an equation or an inequality."""
    if isinstance(relation, sp.Equality):
        return prove.identity(relation.lhs, relation.rhs, given)
    return prove.inequality(relation, given)


def _of_limit(says: Limit, given: list[Any]) -> list[Certificate]:
    """One certificate for every side from which the letter comes."""
    variable, point = _letter(says.variable), unevaluated(says.point)
    f, value = unevaluated(says.expression), unevaluated(says.value)
    if says.sort == "like":
        f, value = over(f, value), sp.S.One
    elif says.remainder is not None:
        f, value = over(minus(f, value), unevaluated(says.remainder)), sp.S.Zero
    ways = [point] if point in (sp.oo, -sp.oo) else [(point, side) for side in says.side or EVERYWHERE]
    return [prove.limit(f, {variable: way}, value, given) for way in ways]


def _of_flow(says: Flow, given: list[Any]) -> Certificate:
    """A hypothesis `t < T` about the time says until when the solution is spoken of; all others are about constants."""
    time = _letter(says.time)
    constants = [h for h in given if time not in h.free_symbols]
    of_time = [h for h in given if h not in constants]
    ends = [h.gts for h in of_time if isinstance(h, sp.StrictLessThan | sp.StrictGreaterThan) and h.lts == time]
    if len(of_time) != len(ends) or len(ends) > 1:
        raise NotExact(f"of the time {time} one hypothesis {time} < T may say where it ends; it begins at 0")
    rates, solution, start = (_formulas(table) for table in (says.rates, says.solution, says.start))
    return prove.solves(rates, solution, start, time, constants, until=ends[0] if ends else None)


def _formulas(table: Mapping[str, Tree]) -> dict[Any, Any]:
    return {_letter(name): unevaluated(tree) for name, tree in table.items()}


def _letter(name: str) -> Any:
    tree: Tree = ("name", name)
    return unevaluated(tree)
