"""Statements in a plain form, one on a line, read without running anything of them.

    NAME: A <= B <= C and D = E                      relations between expressions, all of which are stated
    NAME: as x -> 0+: F -> V                         a limit; the side is +, -, or both; also x -> oo and x -> -oo
    NAME: as x -> oo: F ~ G                          the quotient tends to 1
    NAME: as x -> 0: F = G + o(H)                    the difference, divided by H, tends to 0
    NAME: flow t: x' = F, y' = G; x = A, y = B; x = P, y = Q      rates, values at t = 0, and the solution
    NAME: ... for x > 0, 0 < p < 1                   hypotheses; every name is a real number

Expressions have + - * / ^, exact numbers, pi, E, oo, the functions of FUNCTIONS, and `d(f, x)`, `int(f, x, a, b)` and
`at(f, x, a)` for a derivative, an integral and a value. They become nested tuples: an operation and its operands.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derivations.text import DerivationError

Tree = tuple[Any, ...]  # ("number", Fraction), ("name", text), or an operation and trees
FUNCTIONS = (
    "exp",
    "log",
    "sqrt",
    "abs",
    "sign",
    "max",
    "min",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "sech",
    "coth",
    "asinh",
    "acosh",
    "atanh",
    "erf",
    "erfc",
    "W",
    "gamma",
    "digamma",
    "where",
)
BINDERS = {"d": 2, "int": 4, "at": 3}  # with the number of their operands; the second is the variable
CONSTANTS = ("pi", "E", "oo")
RELATIONS = {ast.Eq: "=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
OPERATIONS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^"}
LIMIT = re.compile(r"as (\w+) -> ([^:]+?)([+-]?): (.+)")
FLOW = re.compile(r"flow (\w+): ([^;]+);([^;]+);([^;]+)")


class Unreadable(DerivationError):
    """A line that is no statement in the plain form."""


@dataclass(frozen=True)
class Relations:
    """Equations and inequalities between expressions, all of which are stated."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True)
class Limit:
    """What an expression does as a variable goes somewhere: `to` a value, `like` another, or `up to` a remainder."""

    variable: str
    point: Tree
    side: str
    expression: Tree
    sort: str
    value: Tree
    remainder: Tree | None = None


@dataclass(frozen=True)
class Flow:
    """Rates of change, values at time 0, and functions of time that are said to follow from both."""

    time: str
    rates: dict[str, Tree]
    start: dict[str, Tree]
    solution: dict[str, Tree]


@dataclass(frozen=True)
class Statement:
    """What is stated under hypotheses, and the line that it was read from."""

    says: Relations | Limit | Flow
    hypotheses: tuple[Tree, ...]
    text: str


def read(text: str) -> Statement:
    """The statement of a line, without its name.

    >>> read("exp(x) >= 1 + x for x > 0").says.parts
    (('>=', ('exp', ('name', 'x')), ('+', ('number', Fraction(1, 1)), ('name', 'x'))),)
    >>> read("as x -> 0+: x*log(x) -> 0").says.side
    '+'
    """
    body, _, given = text.partition(" for ")
    hypotheses = tuple(part for one in _apart(given) for part in _relations(one))
    if found := LIMIT.fullmatch(body):
        return Statement(_limit(*found.groups()), hypotheses, text)
    if found := FLOW.fullmatch(body):
        time, *tables = found.groups()
        rates, start, solution = (dict(map(_equation, _apart(table))) for table in tables)
        return Statement(Flow(time, rates, start, solution), hypotheses, text)
    return Statement(Relations(tuple(_relations(body))), hypotheses, text)


def names(tree: Tree) -> set[str]:
    """The names that are free in a tree.

    >>> sorted(names(expression("int(a*s, s, 0, t)")))
    ['a', 't']
    """
    operation, *operands = tree
    if operation == "name":
        return {operands[0]} - {*CONSTANTS}
    if operation == "number":
        return set()
    if operation not in BINDERS:
        return set().union(*map(names, operands))
    body, variable, *others = operands
    bound = {variable[1]} if operation != "d" else set()
    return (names(body) - bound).union(*map(names, others))


def expression(text: str) -> Tree:
    """The tree of one expression."""
    return _tree(_parsed(text), text)


def _limit(variable: str, point: str, side: str, body: str) -> Limit:
    head = variable, expression(point), side
    if " -> " in body:
        f, value = body.split(" -> ")
        return Limit(*head, expression(f), "to", expression(value))
    if " ~ " in body:
        f, value = body.split(" ~ ")
        return Limit(*head, expression(f), "like", expression(value))
    found = re.fullmatch(r"(.+) = (.+) \+ o\((.+)\)", body)
    if found is None:
        raise Unreadable(f"a limit says F -> V, F ~ G or F = G + o(H), got {body!r}")
    return Limit(*head, expression(found[1]), "up to", expression(found[2]), expression(found[3]))


def _equation(text: str) -> tuple[str, Tree]:
    name, equals, value = text.partition("=")
    if not equals:
        raise Unreadable(f"a flow is made of equations such as x' = v, got {text!r}")
    return name.strip().removesuffix("'"), expression(value)


def _apart(text: str) -> list[str]:
    """The parts of a text between commas outside all brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]


def _parsed(text: str) -> ast.expr:
    plain = re.sub(r"(?<![<>=])=", "==", text.strip().replace("^", "**"))
    try:
        return ast.parse(plain, mode="eval").body
    except (SyntaxError, ValueError):
        raise Unreadable(f"no expression can be read from {text!r}: see the form at the top of reader.py") from None


def _relations(text: str) -> Iterator[Tree]:
    node = _parsed(text)
    for part in node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) else [node]:
        if not isinstance(part, ast.Compare):
            raise Unreadable(f"a relation such as x <= y is expected, got {text!r}")
        yield from _compared(part, text)


def _compared(node: ast.Compare, text: str) -> Iterator[Tree]:
    sides = [_tree(side, text) for side in (node.left, *node.comparators)]
    for operation, left, right in zip(node.ops, sides, sides[1:], strict=False):
        if type(operation) not in RELATIONS:
            raise Unreadable(f"the relations are = < <= > >=, got {text!r}")
        yield (RELATIONS[type(operation)], left, right)


def _tree(node: ast.AST, text: str) -> Tree:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            return ("number", Fraction(value))
        case ast.Name(id=name):
            return ("name", name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ("neg", _tree(operand, text))
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATIONS:
            return (OPERATIONS[type(op)], _tree(left, text), _tree(right, text))
        case ast.Call(func=ast.Name(id=name), args=operands, keywords=[]) if name in (*FUNCTIONS, *BINDERS):
            return (name, *_operands(name, operands, text))
    raise Unreadable(f"{ast.unparse(node)!r} is no expression of the plain form, in {text!r}")


def _operands(name: str, operands: list[ast.expr], text: str) -> Iterator[Tree]:
    if name in BINDERS and (len(operands) != BINDERS[name] or not isinstance(operands[1], ast.Name)):
        raise Unreadable(f"{name} takes {BINDERS[name]} operands, and the second is a name, got {text!r}")
    for k, operand in enumerate(operands):
        if name == "where" and k == 0:
            if not isinstance(operand, ast.Compare):
                raise Unreadable(f"where takes a relation and two expressions, got {text!r}")
            (relation,) = _compared(operand, text)
            yield relation
        else:
            yield _tree(operand, text)
