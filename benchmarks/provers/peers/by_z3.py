"""Z3 as a prover of what is polynomial, with rational functions, moduli, maxima and cases; it refuses the rest."""

from __future__ import annotations

from typing import Any

import sympy as sp

from benchmarks.provers.answer import Answer
from benchmarks.provers.typed import Typed
from derivations.questions.lines import Relations, Statement
from derivations.text import DerivationError

SIGNS = {"positive": sp.Gt, "nonnegative": sp.Ge, "negative": sp.Lt, "nonpositive": sp.Le}


class NotInstalled(DerivationError):
    """The package of an optional prover is missing."""


class _NotPolynomial(Exception):
    """An expression that Z3 is not told about."""


def solver() -> Any:
    """The module of Z3."""
    try:
        import z3
    except ImportError:
        raise NotInstalled("Z3 is missing: run `pip install --constraint constraints.txt '.[provers]'`") from None
    return z3


def decided(statement: Statement) -> Answer:
    """Return the answer of Z3 to a statement: a proof where no point is left at which it fails."""
    if not isinstance(statement.says, Relations):
        return Answer(None, "refused: not a relation")
    typed = Typed(statement)
    told = _Told(solver())
    try:
        claims = [told.relation(typed.relation(part)) for part in statement.says.parts]
        given = [told.relation(h) for h in typed.hypotheses]
        given += [
            told.relation(SIGNS[sign](symbol, 0, evaluate=False))
            for symbol in typed.symbols.values()
            for sign in SIGNS
            if sign in symbol._assumptions_orig
        ]
    except _NotPolynomial as what:
        return Answer(None, f"refused: {what} is not polynomial")
    z3 = told.z3
    asked = z3.SolverFor("QF_NRA")
    asked.add(*given, *told.nonzero, z3.Not(z3.And(*claims)))
    answer = asked.check()
    return Answer(None, "unknown") if answer == z3.unknown else Answer(answer == z3.unsat, "nlsat")


class _Told:
    """Expressions as Z3 has them, and the denominators on the way, which are not zero."""

    def __init__(self, z3: Any) -> None:
        self.z3 = z3
        self.nonzero: list[Any] = []

    def relation(self, relation: Any) -> Any:
        left, right = self.number(relation.lhs.doit()), self.number(relation.rhs.doit())
        match relation:
            case sp.Equality():
                return left == right
            case sp.StrictGreaterThan():
                return left > right
            case sp.GreaterThan():
                return left >= right
            case sp.StrictLessThan():
                return left < right
            case sp.LessThan():
                return left <= right
        raise _NotPolynomial(relation)

    def number(self, e: Any) -> Any:
        z3 = self.z3
        if isinstance(e, sp.Rational):
            return z3.Q(int(e.p), int(e.q))
        if isinstance(e, sp.Symbol):
            return z3.Real(e.name)
        if isinstance(e, sp.Add):
            return z3.Sum([self.number(a) for a in e.args])
        if isinstance(e, sp.Mul):
            return z3.Product([self.number(a) for a in e.args])
        if isinstance(e, sp.Pow) and isinstance(e.exp, sp.Integer) and abs(e.exp) <= 100:
            return self._power(self.number(e.base), int(e.exp))
        if isinstance(e, sp.Abs):
            return self._larger(self.number(e.args[0]), -self.number(e.args[0]))
        if isinstance(e, sp.Max | sp.Min):
            found, *others = map(self.number, e.args)
            for other in others:
                found = self._larger(found, other) if isinstance(e, sp.Max) else -self._larger(-found, -other)
            return found
        if isinstance(e, sp.sign):
            x = self.number(e.args[0])
            return z3.If(x > 0, z3.RealVal(1), z3.If(x < 0, z3.RealVal(-1), z3.RealVal(0)))
        if isinstance(e, sp.Piecewise) and len(e.args) == 2 and e.args[1][1] == sp.true:
            (first, condition), (second, _) = e.args
            return z3.If(self.relation(condition), self.number(first), self.number(second))
        raise _NotPolynomial(e)

    def _power(self, base: Any, exponent: int) -> Any:
        if exponent >= 0:
            return self.z3.Product([base] * exponent) if exponent else self.z3.RealVal(1)
        self.nonzero.append(base != 0)
        return self.z3.RealVal(1) / self._power(base, -exponent)

    def _larger(self, a: Any, b: Any) -> Any:
        return self.z3.If(a >= b, a, b)
