"""This engine as one of the provers: the statement as it is typed for `prove`, and a recheck of every certificate."""

from __future__ import annotations

import json

import sympy as sp

from benchmarks.provers.answer import Answer
from benchmarks.provers.reader import Flow, Limit, Relations, Statement
from benchmarks.provers.typed import Typed
from derivations import prove, recheck
from derivations.language.terms import NotExact
from derivations.prove.certificate import Certificate, Verdict
from derivations.text import DerivationError

FOUND = {Verdict.PROVED: True, Verdict.CERTIFIED: True, Verdict.REFUTED: False}


def decided(statement: Statement) -> Answer:
    """Return the answer of the engine to a statement; a certificate that recheck rejects decides nothing.

    >>> from benchmarks.provers.reader import read
    >>> decided(read("(x + 1)^2 = x^2 + 2*x + 1")).holds
    True
    """
    try:
        certificate = certified(statement)
    except (DerivationError, NotExact) as refusal:
        return Answer(None, f"refused: {refusal}")
    holds = FOUND.get(certificate.verdict)
    if holds is None:
        return Answer(None, certificate.reason)
    try:
        recheck.check(json.loads(json.dumps(certificate.as_json())))
    except recheck.Rejected as trouble:
        return Answer(None, f"rejected by recheck: {trouble}", is_fault=True)
    return Answer(holds, certificate.method)


def certified(statement: Statement) -> Certificate:
    """The certificate of a statement."""
    typed = Typed(statement)
    match statement.says:
        case Relations():
            return _joined([_of_relation(typed, part) for part in map(typed.relation, statement.says.parts)])
        case Limit():
            return _joined(_of_limit(typed, statement.says))
        case Flow():
            return _of_flow(typed, statement, statement.says)


def _joined(certificates: list[Certificate]) -> Certificate:
    return certificates[0] if len(certificates) == 1 else prove.every(*certificates)


def _of_relation(typed: Typed, relation: sp.core.relational.Relational) -> Certificate:
    if isinstance(relation, sp.Equality):
        return prove.identity(relation.lhs, relation.rhs, typed.hypotheses)
    return prove.inequality(relation, typed.hypotheses)


def _of_limit(typed: Typed, says: Limit) -> list[Certificate]:
    """One certificate for every side from which the variable comes."""
    variable, point = typed.symbol(says.variable), typed.expression(says.point)
    f, value = typed.expression(says.expression), typed.expression(says.value)
    if says.sort == "like":
        f, value = f / value, sp.S.One
    elif says.remainder is not None:
        f, value = (f - value) / typed.expression(says.remainder), sp.S.Zero
    if says.side == "+" and point == 0:
        return [prove.limit(f, [variable], value, typed.hypotheses)]
    ways = [point] if point.is_infinite else [(point, side) for side in says.side or "+-"]
    return [prove.limit(f, {variable: way}, value, typed.hypotheses) for way in ways]


def _of_flow(typed: Typed, statement: Statement, says: Flow) -> Certificate:
    flow, solution, start = (
        {typed.symbol(name): typed.expression(tree) for name, tree in table.items()}
        for table in (says.rates, says.solution, says.start)
    )
    time, until = typed.symbol(says.time), None
    constants = []
    for hypothesis in typed.hypotheses:
        if time not in hypothesis.free_symbols:
            constants.append(hypothesis)
        elif hypothesis.lhs == time and isinstance(hypothesis, sp.StrictLessThan):
            until = hypothesis.rhs
    return prove.solves(flow, solution, start, time, constants, until=until)
