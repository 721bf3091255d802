"""Statements in the plain form as somebody types them in SymPy: symbols with their signs, expressions, relations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from derivations.questions.lines import Flow, Limit, Statement
from derivations.text.plain import Tree

SIGNS = {">": "positive", ">=": "nonnegative", "<": "negative", "<=": "nonpositive"}
TURNED = {">": "<", ">=": "<=", "<": ">", "<=": ">="}


class Typed:
    """The symbols of a statement, with the signs that its hypotheses give them, and the hypotheses that say more."""

    def __init__(self, statement: Statement) -> None:
        signs = {name: sign for h in statement.hypotheses for name, sign in [_sign(h)] if name}
        says = statement.says
        if isinstance(says, Limit) and (says.side, says.point) in APPROACHED:
            signs[says.variable] = "positive"
        if isinstance(says, Flow):
            signs[says.time] = "real"
        self.symbols = {name: sp.Symbol(name, **{sign: True}) for name, sign in signs.items()}
        self.hypotheses = [self.relation(h) for h in statement.hypotheses if not _sign(h)[0]]

    def symbol(self, name: str) -> sp.Symbol:
        return self.symbols.setdefault(name, sp.Symbol(name, real=True))

    def relation(self, tree: Tree) -> Any:
        """A relation that SymPy does not decide by itself."""
        compare, left, right = tree
        return RELATIONS[compare](self.expression(left), self.expression(right), evaluate=False)

    def expression(self, tree: Tree) -> Any:
        """The expression of a tree, with derivatives, integrals and values as nodes that are not carried out."""
        operation, *operands = tree
        match operation:
            case "number":
                return sp.Rational(operands[0].numerator, operands[0].denominator)
            case "name":
                return CONSTANTS.get(operands[0]) or self.symbol(operands[0])
            case "where":
                condition, first, second = operands
                return sp.Piecewise((self.expression(first), self.relation(condition)), (self.expression(second), True))
        return OPERATIONS[operation](*map(self.expression, operands))


def _sign(hypothesis: Tree) -> tuple[str, str]:
    """The name whose sign a hypothesis states and that sign, or empty texts where it states something else."""
    compare, left, right = hypothesis
    if left[0] == "number":
        compare, left, right = TURNED.get(compare, compare), right, left
    if left[0] == "name" and right[0] == "number" and right[1] == 0 and compare in SIGNS:
        return left[1], SIGNS[compare]
    return "", ""


APPROACHED = {("+", ("number", 0)), ("", ("name", "oo"))}  # from where a variable is positive all the way
CONSTANTS = {"pi": sp.pi, "E": sp.E, "oo": sp.oo}
RELATIONS = {"=": sp.Eq, "<": sp.Lt, "<=": sp.Le, ">": sp.Gt, ">=": sp.Ge}
OPERATIONS: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "^": lambda a, b: a**b,
    "neg": lambda a: -a,
    "abs": sp.Abs,
    "max": sp.Max,
    "min": sp.Min,
    "W": sp.LambertW,
    "d": sp.Derivative,
    "int": lambda f, x, a, b: sp.Integral(f, (x, a, b)),
    "at": sp.Subs,
    **{name: getattr(sp, name) for name in ("exp", "log", "sqrt", "sign", "erf", "erfc", "gamma", "digamma")},
    **{name: getattr(sp, name) for name in ("sin", "cos", "tan", "asin", "acos", "atan")},
    **{name: getattr(sp, name) for name in ("sinh", "cosh", "tanh", "sech", "coth", "asinh", "acosh", "atanh")},
}
