"""Formulas in a plain form, read without running anything of them, and never evaluated.

Expressions have + - * / ^, exact numbers, pi, E, oo, the functions of FUNCTIONS, `d(f, x)`, `int(f, x, a, b)` and
`at(f, x, a)` for a derivative, an integral and a value, and `where(x > 0, f, g)`; every other name is a real number.
Relations are = < <= > >=, also in chains and joined by `and`.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from operator import add, mul, neg, sub
from typing import Any

import sympy as sp
from sympy.functions.elementary.piecewise import ExprCondPair

from derivations.text import DerivationError
from derivations.text.as_typed import Put, made, minus, over, power, times
from derivations.text.doors import shown

Tree = tuple[Any, ...]  # ("number", Fraction), ("name", text), or an operation and trees
BINDERS = {"d": 2, "int": 4, "at": 3}  # with the number of their operands; the second is the variable
OF_TWO = {"max": 2, "min": 2, "where": 3}  # functions of several operands, and how many; all others have one
CONSTANTS = {"pi": sp.pi, "E": sp.E, "oo": sp.oo}
RELATIONS = {ast.Eq: "=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
OPERATIONS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "^"}
LONGEST = 5000  # characters of one text
NO_SIGN = re.compile(r"[^A-Za-z0-9_ΓΔΘΛΞΠΣΦΨΩαβγδεζηθικλμνξπρςστυφχψω\s+\-*/^().,=<>!]")
OTHER_NUMBER = re.compile(r"(?<!\w)[0-9]\w*[^\W0-9]\w*")  # which Python reads in a way of its own, such as 0x10
MOST_IN_POWER = 1000  # bits of a number that stands as a power of numbers


class Unreadable(DerivationError):
    """A text that is no formula in the plain form."""


def expression(text: str) -> Tree:
    """The tree of one expression.

    >>> expression("sqrt(x)^2")
    ('^', ('sqrt', ('name', 'x')), ('number', Fraction(2, 1)))
    """
    return _tree(_parsed(text), text)


def relations(text: str) -> Iterator[Tree]:
    """The trees of all relations of a text.

    >>> [relation[0] for relation in relations("0 < x <= 1 and y = x")]
    ['<', '<=', '=']
    """
    node = _parsed(text)
    for part in node.values if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And) else [node]:
        if not isinstance(part, ast.Compare):
            raise Unreadable(f"a relation such as x <= y is expected, got {shown(text)}")
        yield from _compared(part, text)


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


def meant(text: str) -> list[Any]:
    """Read a text as SymPy, without evaluating it: one expression, or each of its relations.

    >>> meant("sqrt(x)^2 >= 0"), meant("x + 1/3")
    ([(sqrt(x))**2 >= 0], [x + 1/3])
    """
    node = _parsed(text)
    if isinstance(node, ast.Compare | ast.BoolOp):
        return list(map(unevaluated, relations(text)))
    return [unevaluated(_tree(node, text))]


# --- from text to trees -----------------------------------------------------------------------------------------------


def _parsed(text: str) -> ast.expr:
    if "\\" in text:
        raise Unreadable(f"{shown(text)} is LaTeX: read it with derivations.latex, and give the sides of its formula")
    if (folded := unicodedata.normalize("NFKC", text)) != text:  # as which Python reads names: two would be one
        raise Unreadable(f"{shown(text)} has signs that stand for others: write {shown(folded)}, if that is meant")
    if strange := NO_SIGN.search(text) or OTHER_NUMBER.search(text):
        raise Unreadable(f"{shown(text)} has {shown(strange[0])}, which is no sign, name or number of the plain form")
    plain = re.sub(r"(?<![<>=!])=(?!=)", "==", text.strip().replace("^", "**"))
    try:
        if len(plain) > LONGEST:
            raise ValueError
        return ast.parse(plain, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise Unreadable(
            f"no formula can be read from {shown(text)}: write it with + - * / ^, numbers, names, functions such as"
            " sqrt(x), and relations such as x <= y"
        ) from None


def _compared(node: ast.Compare, text: str) -> Iterator[Tree]:
    sides = [_tree(side, text) for side in (node.left, *node.comparators)]
    for operation, left, right in zip(node.ops, sides, sides[1:], strict=False):
        if type(operation) not in RELATIONS:
            raise Unreadable(f"the relations are = < <= > >=, got {shown(text)}")
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
    raise Unreadable(f"{shown(ast.unparse(node))} is no expression of the plain form, in {shown(text)}")


def _operands(name: str, operands: list[ast.expr], text: str) -> Iterator[Tree]:
    if name in BINDERS and (len(operands) != BINDERS[name] or getattr(operands[1], "id", "pi") in CONSTANTS):
        raise Unreadable(f"{name} takes {BINDERS[name]} operands, and the second is a name, got {shown(text)}")
    if name not in BINDERS and len(operands) != (len(operands) or 2 if name in ("max", "min") else OF_TWO.get(name, 1)):
        raise Unreadable(f"{name} takes {OF_TWO.get(name, 1)} operands, got {len(operands)} in {shown(text)}")
    for k, operand in enumerate(operands):
        if name == "where" and k == 0:
            if not isinstance(operand, ast.Compare):
                raise Unreadable(f"where takes a relation and two expressions, got {shown(text)}")
            (relation,) = _compared(operand, text)
            yield relation
        else:
            yield _tree(operand, text)


# --- from trees to SymPy ----------------------------------------------------------------------------------------------


def unevaluated(tree: Tree) -> Any:
    """The SymPy object of a tree; only numbers are computed with."""
    if (value := _number(tree)) is not None:
        return sp.Rational(value.numerator, value.denominator)
    operation, *operands = tree
    if operation == "name":
        return CONSTANTS[operands[0]] if operands[0] in CONSTANTS else sp.Symbol(operands[0], real=True)
    if tree == ("neg", ("name", "oo")):
        return -sp.oo
    return MEANINGS[operation](*map(unevaluated, operands))


def _number(tree: Tree) -> Fraction | None:
    """The value of a tree that is made of numbers alone; None where it has none, or a large one."""
    operation, *operands = tree
    if operation == "number":
        return operands[0] if isinstance(operands[0], Fraction) else None
    values: list[Any] = [_number(operand) for operand in operands] if operation in (*OF_NUMBERS, "/", "^") else []
    if not values or None in values:
        return None
    (a, *others) = values
    match operation, others:
        case "/", [b]:
            return a / b if b else None
        case "^", [n]:
            bits = (a.numerator.bit_length() + a.denominator.bit_length()) * abs(n)
            is_whole = n.denominator == 1 and bool(a or n > 0)
            return a ** int(n) if is_whole and bits <= MOST_IN_POWER else None
    computed: Fraction = OF_NUMBERS[operation](*values)
    return computed


def _cases(condition: Any, first: Any, second: Any) -> Any:
    return made(sp.Piecewise, made(ExprCondPair, first, condition), made(ExprCondPair, second, sp.true))


KNOWN_TO_SYMPY = "log sign erf erfc gamma sin cos tan asin acos atan sinh cosh tanh sech coth asinh acosh atanh"
KINDS = {
    "+": sp.Add,
    "*": sp.Mul,
    "^": sp.Pow,
    "abs": sp.Abs,
    "max": sp.Max,
    "min": sp.Min,
    "W": sp.LambertW,
    "=": sp.Eq,
    "<": sp.Lt,
    "<=": sp.Le,
    ">": sp.Gt,
    ">=": sp.Ge,
    **{name: getattr(sp, name) for name in KNOWN_TO_SYMPY.split()},
}
OF_NUMBERS: dict[str, Callable[..., Any]] = {"neg": neg, "+": add, "-": sub, "*": mul}
MEANINGS: dict[str, Callable[..., Any]] = {
    "-": minus,
    "/": over,
    "neg": lambda a: times(sp.S.NegativeOne, a),
    "sqrt": lambda a: power(a, sp.S.Half),
    "exp": lambda a: power(sp.E, a),
    "digamma": lambda a: made(sp.polygamma, sp.S.Zero, a),
    "where": _cases,
    "d": lambda f, x: made(sp.Derivative, f, sp.Tuple(x, 1)),
    "int": lambda f, x, a, b: made(sp.Integral, f, sp.Tuple(x, a, b)),
    "at": lambda f, x, a: Put(f, [x], [a]),
    **{name: partial(made, kind) for name, kind in KINDS.items()},
}
FUNCTIONS = tuple(sorted({*MEANINGS} - {*OPERATIONS.values(), *RELATIONS.values(), *BINDERS, "neg"}))
