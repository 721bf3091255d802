"""Cases of mistakes as data: a line of `tests/data/mistakes/NAME.txt` has what is asked, and what the refusal says.

    {"rates": nan} => the rate must be a positive number, not nan

What is asked is a literal of Python, with nan and inf, arrays such as ones((2, 3)), and the names that a test lends;
between it and the pattern may stand the kind of the refusal. Cases that need objects of their own stand in the tests.
"""

from __future__ import annotations

import ast
import math
from pathlib import Path
from typing import Any

import numpy as np

ARRAYS = ("array", "diag", "eye", "full", "ones", "zeros")
FOLDER = Path(__file__).parent / "data" / "mistakes"


def mistakes(name: str, **lent: Any) -> list[tuple[Any, ...]]:
    """The cases of a file, each with values for all but the pattern."""
    lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    cases = (line.split(" => ") for line in lines if line)
    return [(*(_value(ast.parse(part, mode="eval").body, lent) for part in asked), said) for *asked, said in cases]


def _value(node: ast.expr, lent: dict[str, Any]) -> Any:
    match node:
        case ast.Name(id="nan" | "inf" as name):
            return getattr(math, name)
        case ast.Name(id=name):
            return lent[name]
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            kind = list if isinstance(node, ast.List) else tuple
            return kind(_value(part, lent) for part in parts)
        case ast.Dict(keys=keys, values=values):
            return {_value(k, lent): _value(v, lent) for k, v in zip(keys, values, strict=True) if k is not None}
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value(inner, lent)
        case ast.BinOp(op=ast.Pow(), left=left, right=right):
            return _value(left, lent) ** _value(right, lent)
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return _value(left, lent) * _value(right, lent)
        case ast.Call(func=ast.Name(id=made), args=arguments) if made in ARRAYS:
            return getattr(np, made)(*(_value(argument, lent) for argument in arguments))
    return ast.literal_eval(node)
