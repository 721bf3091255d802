"""Statements that an author writes and Python loses: one that nothing yields, and the first half of 0 < p < K."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from derivations.text import DerivationError

_UNJUDGED: ContextVar[list[Any] | None] = ContextVar("_UNJUDGED", default=None)
LIKE_A_CHAIN = re.compile(r"[<>]=?[^<>\n]+[<>]")
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def is_stated(statement: Any) -> None:
    """Remember a statement that is made while a claim is judged."""
    if (unjudged := _UNJUDGED.get()) is not None:
        unjudged.append(statement)


def is_judged(statement: Any) -> None:
    """Forget a statement that has been judged."""
    if unjudged := _UNJUDGED.get():
        unjudged[:] = [other for other in unjudged if other is not statement]


@contextmanager
def nothing_lost(body: Callable[..., Any]) -> Iterator[None]:
    """Refuse what is stated inside and not judged, and relations of the body's file of which Python keeps a half."""
    code = getattr(inspect.unwrap(body), "__code__", None)
    for line, relation in _chained_in(code.co_filename) if code else ():
        raise DerivationError(
            f"line {line}: of {relation} Python keeps the last comparison alone: give each comparison by itself"
        )
    unjudged: list[Any] = []
    token = _UNJUDGED.set(unjudged)
    try:
        yield
    finally:
        _UNJUDGED.reset(token)
    for statement in unjudged:
        raise DerivationError(f"{statement} is stated, but not yielded, and so not judged: write yield before it")


@cache
def _chained_in(file: str) -> tuple[tuple[int, str], ...]:
    """The chained comparisons that a file gives to calls, or yields, with their lines."""
    text = "".join(linecache.getlines(file))
    if not LIKE_A_CHAIN.search(text):
        return ()
    given = (part for node in ast.walk(ast.parse(text)) for part in _given_by(node))
    return tuple((node.lineno, ast.unparse(node)) for node in given if _is_chained(node))


def _given_by(node: ast.AST) -> list[ast.expr]:
    """Return what a node of Python's syntax gives to a call or yields, and the elements of lists and tuples."""
    if isinstance(node, ast.List | ast.Tuple):
        return node.elts
    if isinstance(node, ast.Call):
        return [*node.args, *(keyword.value for keyword in node.keywords)]
    return [node.value] if isinstance(node, ast.Yield) and node.value else []


def _is_chained(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) and len(node.ops) > 1 and all(isinstance(op, ORDERS) for op in node.ops)
