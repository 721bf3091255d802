"""False variants of source files: one number, sign, operation or order of factors changed, at one place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

OPPOSITE: dict[type[ast.operator], type[ast.operator]] = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Div: ast.Mult}
SILENT = (ast.Raise, ast.Assert, ast.JoinedStr, ast.Import, ast.ImportFrom)
"""Parts that compute nothing: messages, and what must hold anyway."""


@dataclass(frozen=True)
class Mutant:
    """A file with one place changed."""

    module: str
    place: int
    line: int
    function: str
    text: str
    what: str

    @property
    def key(self) -> tuple[str, str, str]:
        """Key that survives moved lines: module, text and change."""
        return self.module, self.text, self.what

    @property
    def name(self) -> str:
        return f"{self.module}:{self.line} {self.function or 'at its top'}: {self.what}"


def mutants(module: str, path: Path) -> list[Mutant]:
    """All variants of a file, in the order of its lines.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     file = Path(folder) / "m.py"
    ...     _ = file.write_text("def loss(x):\\n    return 2 * x - 1\\n")
    ...     [mutant.what for mutant in mutants("m", file)]
    ['- becomes +', '2 becomes 3', '1 becomes 2']
    """
    text = path.read_text(encoding="utf-8")
    lines = ["", *map(str.strip, text.splitlines())]
    found: list[Mutant] = []
    for k, (node, function, what) in enumerate(_places(ast.parse(text))):
        line: int = getattr(node, "lineno", 0)
        before = sum((other.line, other.what.partition(",")[0]) == (line, what) for other in found)
        said = f"{what}, place {before + 1}" if before else what
        found.append(Mutant(module, k, line, function, lines[line], said))
    return found


def source(path: Path, place: int) -> str:
    """The text of a file with its variant at one place."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    node, _, _ = list(_places(tree))[place]
    return ast.unparse(_Changed(node).visit(tree))


class _Changed(ast.NodeTransformer):
    """A tree with one node changed."""

    def __init__(self, place: ast.AST) -> None:
        self.place = place

    def visit(self, node: ast.AST) -> ast.AST:
        seen = super().visit(node)
        assert isinstance(seen, ast.AST)
        return _change(seen) if seen is self.place else seen


def _places(tree: ast.AST, function: str = "") -> Iterator[tuple[ast.AST, str, str]]:
    """Return what can be changed, with the function that it stands in and what becomes of it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, SILENT) or _is_text(node) or _is_type(node):
            continue
        inside = node.name if isinstance(node, ast.FunctionDef | ast.ClassDef) else function
        what = _what(node)
        if what:
            yield node, function, what
        match node:
            case ast.FunctionDef():
                yield from _places(ast.Module(node.body, []), inside)
            case ast.Subscript():
                yield from _places(ast.Module([ast.Expr(node.value)], []), inside)
            case _:
                yield from _places(node, inside)


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _is_type(node: ast.AST) -> bool:
    """An assignment of `__all__`, or a type: nothing that is computed."""
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "__all__"


def _what(node: ast.AST) -> str:
    match node:
        case ast.BinOp(op=op) if type(op) in OPPOSITE:
            return f"{SIGNS[type(op)]} becomes {SIGNS[OPPOSITE[type(op)]]}"
        case ast.BinOp(op=ast.MatMult(), left=left, right=right):
            return "" if ast.dump(left) == ast.dump(right) else "factors trade places"
        case ast.UnaryOp(op=ast.USub()):
            return "a minus sign is lost"
        case ast.Constant(value=int() as number) if not isinstance(number, bool):
            return f"{number} becomes {number + 1}"
    return ""


SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Div: "/", ast.Mult: "*"}


def _change(node: ast.AST) -> ast.AST:
    match node:
        case ast.BinOp(op=ast.MatMult()):
            node.left, node.right = node.right, node.left
        case ast.BinOp():
            node.op = OPPOSITE[type(node.op)]()
        case ast.UnaryOp():
            return node.operand
        case ast.Constant(value=int() as number):
            node.value = number + 1
    return node
