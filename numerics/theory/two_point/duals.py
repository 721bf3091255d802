"""Derivatives of a compiled function of numbers, written from its own text: forward-mode dual numbers, line by line.

The function consists of assignments, branches and one `return`. Beside a variable `v` stand `v_d0`, `v_d1`, ..., its
derivatives by the chosen arguments, unless it does not depend on them. Branches are taken as the function takes them.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from numerics import NumericsError

Slopes = list[str]  # the text of each derivative; empty for what does not depend on the chosen arguments

INDENT = "    "
OF_CALLS = {"exp": "exp({0})", "sqrt": "0.5/sqrt({0})", "relexp": "relexp1({0})"}
"""The derivatives of the functions of one number that emitted programs call."""


class DualError(NumericsError):
    """A function that cannot be differentiated here; the message quotes the line."""


def slopes_of(source: str, function: str, by: Sequence[str]) -> str:
    """The text of `function`_slopes, which returns the derivatives of every result by each of the named arguments.

    `source` is the text of the module that defines `function`. The new function has the same arguments and returns one
    tuple, result by result. It calls what the old one calls, and `relexp1` for the derivative of `relexp`.

    >>> print(slopes_of("def f(x, y):\\n    z = x*y\\n    return (z*z,)", "f", ["x"]))
    def f_slopes(x, y):
        x_d0 = 1.0
        z = x * y
        z_d0 = (x_d0)*(y)
        return (z_d0)*(z) + (z_d0)*(z),
    <BLANKLINE>
    """
    found = next((n for n in ast.parse(source).body if isinstance(n, ast.FunctionDef) and n.name == function), None)
    if found is None:
        raise DualError(f"the text defines no function called {function}")
    arguments = [argument.arg for argument in found.args.args]
    writer = _Writer(by)
    seeds = [f"{INDENT}{name}_d{k} = {float(name == other)}" for name in by for k, other in enumerate(by)]
    body = writer.block([node for node in found.body if not isinstance(node, ast.Expr)], INDENT)
    return "\n".join([f"def {function}_slopes({', '.join(arguments)}):", *seeds, *body, ""])


class _Writer:
    """Writes statements with their derivatives and remembers which variables have some."""

    def __init__(self, by: Sequence[str]) -> None:
        self.places = range(len(by))
        self.moving = set(by)

    def block(self, nodes: Sequence[ast.stmt], indent: str) -> list[str]:
        return [line for node in nodes for line in self.statement(node, indent)]

    def statement(self, node: ast.stmt, indent: str) -> list[str]:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                slopes = self.slopes(value) or (["0.0" for _ in self.places] if name in self.moving else [])
                self.moving |= {name} if slopes else set()
                moved = [f"{indent}{name}_d{k} = {slope}" for k, slope in enumerate(slopes)]
                return [f"{indent}{name} = {ast.unparse(value)}", *moved]
            case ast.If(test=test, body=body, orelse=otherwise):
                known: set[str] = set()
                while known != self.moving:  # what moves on one side has derivatives on the other too
                    known = set(self.moving)
                    sides = [self.block(side, indent + INDENT) for side in (body, otherwise)]
                otherwise_lines = [f"{indent}else:", *sides[1]] if otherwise else []
                return [f"{indent}if {ast.unparse(test)}:", *sides[0], *otherwise_lines]
            case ast.Return(value=ast.Tuple(elts=results)):
                every = [slope for result in results for slope in self.slopes(result) or ["0.0" for _ in self.places]]
                return [f"{indent}return {', '.join(every)},"]
        raise DualError(f"neither an assignment nor a branch nor a return: {ast.unparse(node)}")

    def slopes(self, node: ast.expr) -> Slopes:
        """The derivatives of an expression."""
        match node:
            case ast.Constant():
                return []
            case ast.Name(id=name):
                return [f"{name}_d{k}" for k in self.places] if name in self.moving else []
            case ast.UnaryOp(op=ast.USub(), operand=inner):
                return [f"-({slope})" for slope in self.slopes(inner)]
            case ast.BinOp(left=left, op=operator, right=right):
                return self.of_two(left, operator, right)
            case ast.Call(func=ast.Name(id="minor"), args=[a, b, c, d]):
                return self.of_minor([a, b, c, d])
            case ast.Call(func=ast.Name(id=name), args=[inner]) if name in OF_CALLS:
                outer = OF_CALLS[name].format(ast.unparse(inner))
                return [f"{outer}*({slope})" for slope in self.slopes(inner)]
        raise DualError(f"no rule for the derivative of {ast.unparse(node)}")

    def of_two(self, left: ast.expr, operator: ast.operator, right: ast.expr) -> Slopes:
        """The derivatives of a sum, difference, product, quotient or whole power."""
        p, q = (f"({ast.unparse(side)})" for side in (left, right))
        dp, dq = ([f"({slope})" for slope in self.slopes(side)] for side in (left, right))
        match operator:
            case ast.Add():
                return _sums(dp, dq)
            case ast.Sub():
                return _sums(dp, [f"-{slope}" for slope in dq])
            case ast.Mult():
                return _sums([f"{slope}*{q}" for slope in dp], [f"{slope}*{p}" for slope in dq])
            case ast.Div():
                return _sums([f"{slope}/{q}" for slope in dp], [f"-{p}/{q}*{slope}/{q}" for slope in dq])
            case ast.Pow() if isinstance(right, ast.Constant) and isinstance(right.value, int):
                return [f"{right.value}*{p}**{right.value - 1}*{slope}" for slope in dp]
        raise DualError(f"no rule for the derivative of {ast.unparse(ast.BinOp(left, operator, right))}")

    def of_minor(self, parts: Sequence[ast.expr]) -> Slopes:
        """The derivatives of a b - c d, each in two such differences, which do not cancel either."""
        a, b, c, d = map(ast.unparse, parts)
        slopes = [self.slopes(part) for part in parts]
        if not any(slopes):
            return []
        every = zip(*(found or ["0.0" for _ in self.places] for found in slopes), strict=True)
        return [f"minor({da}, {b}, {dc}, {d}) + minor({a}, {db}, {c}, {dd})" for da, db, dc, dd in every]


def _sums(first: Slopes, second: Slopes) -> Slopes:
    """Term by term; what does not move adds nothing."""
    return [f"{p} + {q}" for p, q in zip(first, second, strict=True)] if first and second else first or second
