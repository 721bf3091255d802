"""SymPy as a prover: what its own functions say of a statement, as somebody who uses them would read it.

Equations by `simplify`; inequalities by `ask`, `simplify` and, in one variable, `reduce_inequalities` of the contrary;
limits by `limit`; a flow by `simplify` of what is left when its solution is inserted, which says nothing about how long
the solution exists.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from benchmarks.provers.answer import Answer
from benchmarks.provers.typed import Typed
from derivations.questions.lines import Flow, Limit, Relations, Statement

SIGNS = {sp.StrictGreaterThan: sp.Q.positive, sp.GreaterThan: sp.Q.nonnegative}
SIGNS |= {sp.StrictLessThan: sp.Q.negative, sp.LessThan: sp.Q.nonpositive}


def decided(statement: Statement) -> Answer:
    """Return the answer of SymPy to a statement.

    >>> from derivations.questions.lines import read
    >>> decided(read("sin(x)^2 + cos(x)^2 = 1")), decided(read("as x -> 0: sin(x)/x -> 1")).holds
    (Answer(holds=True, how='simplify', is_fault=False), True)
    """
    typed = Typed(statement)
    match statement.says:
        case Relations():
            return _all(_of_relation(typed, typed.relation(part)) for part in statement.says.parts)
        case Limit():
            return _of_limit(typed, statement.says)
        case Flow():
            return _of_flow(typed, statement.says)


def _all(answers: Iterable[Answer]) -> Answer:
    """Return the answer for all statements together: false when one is, undecided when one is undecided."""
    last = Answer(None, "nothing was stated")
    for last in answers:
        if not last.holds:
            return last
    return last


def _of_relation(typed: Typed, relation: Any) -> Answer:
    left, right = relation.lhs.doit(), relation.rhs.doit()
    if isinstance(relation, sp.Equality):
        return _equal(left, right)
    known = sp.ask(SIGNS[relation.func](left - right), sp.And(*typed.hypotheses))
    if known is not None:
        return Answer(bool(known), "ask")
    simple = sp.simplify(relation.func(left, right))
    if simple in (sp.true, sp.false):
        return Answer(simple == sp.true, "simplify")
    return _reduced(typed, relation.func(left, right, evaluate=False))


def _reduced(typed: Typed, relation: Any) -> Answer:
    """By solving for where the contrary and all hypotheses hold."""
    contrary = relation.negated
    unknown = contrary.free_symbols.union(*(h.free_symbols for h in typed.hypotheses))
    if len(unknown) != 1:
        return Answer(None, "reduce_inequalities takes one variable")
    where = sp.reduce_inequalities([contrary, *typed.hypotheses], [*unknown])
    return Answer(where.as_set().is_empty, "reduce_inequalities")


def _equal(left: Any, right: Any) -> Answer:
    rest = sp.simplify(left - right)
    if rest == 0:
        return Answer(True, "simplify")
    if rest.has(sp.Integral, sp.Limit):
        return Answer(None, "an integral or a limit is left as it stands")
    return Answer(False, "equals") if rest.equals(0) is False else Answer(None, f"simplify leaves {rest}"[:200])


def _of_limit(typed: Typed, says: Limit) -> Answer:
    f, value = typed.expression(says.expression), typed.expression(says.value)
    if says.sort == "like":
        f, value = f / value, sp.S.One
    elif says.remainder is not None:
        f, value = (f - value) / typed.expression(says.remainder), sp.S.Zero
    found = sp.limit(f, typed.symbol(says.variable), typed.expression(says.point), says.side or "+-")
    answer = _equal(found, value)
    return Answer(answer.holds, "limit" if answer.holds is not None else answer.how)


def _of_flow(typed: Typed, says: Flow) -> Answer:
    time = typed.symbol(says.time)
    solution = {typed.symbol(name): typed.expression(tree) for name, tree in says.solution.items()}
    equations = [
        (sp.diff(solution[typed.symbol(name)], time), typed.expression(rate).subs(solution, simultaneous=True))
        for name, rate in says.rates.items()
    ]
    equations += [
        (solution[typed.symbol(name)].subs(time, 0), typed.expression(start)) for name, start in says.start.items()
    ]
    return _all(_equal(*equation) for equation in equations)
