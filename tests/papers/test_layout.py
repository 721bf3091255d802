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


def test_papers_are_laid_out_as_tables() -> None:
    found = {str(path): faults(path.read_text(encoding="utf-8")) for path in PAPERS.rglob("*.py")}
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_a_careless_layout_is_noticed() -> None:
    assert faults('x = 1\n\n\ny = 2 \n\nz = [' + "1, " * WIDEST + ']\ns = "' + "a" * WIDEST + '"\n') == [
        "3: a second blank line", "4: blanks at the end", "6: too wide",
    ]  # fmt: skip
