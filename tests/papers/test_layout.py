"""Papers are laid out by hand, as tables are: no formatter touches them, and this is what must hold all the same."""

from __future__ import annotations

import ast
from pathlib import Path

import derivations

PAPERS = Path(derivations.__file__).parent / "papers"
WIDEST = 120


def faults(text: str) -> list[str]:
    """Return what is wrong with the layout of a file, each with its line."""
    lines = text.split("\n")
    texts = {
        number
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return [
        *(
            f"{k}: a second blank line"
            for k in range(2, len(lines))
            if not lines[k - 1].strip() and not lines[k - 2].strip()
        ),
        *(f"{k}: blanks at the end" for k, line in enumerate(lines, 1) if line != line.rstrip()),
        *(
            f"{k}: too wide"
            for k, line in enumerate(lines, 1)
            if len(line) > WIDEST and k not in texts and "#" not in line
        ),
    ]


def bound_again(text: str) -> list[str]:
    """Return names that a function reads later than it is written, and that the file binds again below it.

    Statements are made when their verdict is asked for: they would speak of what the name means then.
    """
    body = ast.parse(text).body
    bound = [_bound(node) for node in body]
    return [
        f"{node.lineno}: {name} is bound again"
        for place, node in enumerate(body)
        for name in sorted(_read_later(node))
        if any(name in names for names in bound[: place + 1]) and any(name in names for names in bound[place + 1 :])
    ]


def _bound(node: ast.AST) -> set[str]:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    inside = {name for part in ast.walk(node) if isinstance(part, ast.comprehension) for name in _bound(part.target)}
    names = {part.id for part in ast.walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return names if isinstance(node, ast.expr) else names - inside


def _read_later(node: ast.AST) -> set[str]:
    """The names of the file that the functions in a node read."""
    read: set[str] = set()
    for function in ast.walk(node):
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            body = [function.body] if isinstance(function, ast.Lambda) else function.body
            parts = [part for each in body for part in ast.walk(each)]
            own = {part.arg for part in ast.walk(function) if isinstance(part, ast.arg)}
            own |= {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
            read |= {part.id for part in parts if isinstance(part, ast.Name)} - own
    return read


def test_papers_are_laid_out_as_tables() -> None:
    found = {str(path): faults(path.read_text(encoding="utf-8")) for path in PAPERS.rglob("*.py")}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_names_that_statements_read_are_bound_once() -> None:
    again = {str(path): bound_again(path.read_text(encoding="utf-8")) for path in PAPERS.rglob("*.py")}
    assert {path: names for path, names in again.items() if names} == {}


def test_a_name_that_is_bound_again_is_noticed() -> None:
    assert bound_again("x = 1\nstates(lambda: x)\nx = 2\n") == ["2: x is bound again"]
    assert bound_again("x = 1\n\ndef claim():\n    yield x\n\n(x, y) = 2, 3\n") == ["3: x is bound again"]
    assert bound_again("x = 1\nstates(lambda x: x)\nstates(x)\nx = 2\nstates(lambda: [x for x in (1, 2)])\n") == []


def test_a_careless_layout_is_noticed() -> None:
    assert faults('x = 1\n\n\ny = 2 \n\nz = [' + "1, " * WIDEST + ']\ns = "' + "a" * WIDEST + '"\n') == [
        "3: a second blank line", "4: blanks at the end", "6: too wide",
    ]  # fmt: skip
