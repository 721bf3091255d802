"""The notebooks: each runs, says what is committed, imports what it needs, and leaves no trace of a machine."""

from __future__ import annotations

import ast
import os
import random
import re
from pathlib import Path
from typing import Any

import notebooks_runner as runner
import pytest

PATHS = runner.notebooks()
FIRST = {"start_here", "verify_your_own_paper"}
HOUSE = {"derivations", "numerics"}
TOOLS = {"fractions", "matplotlib", "numpy", "scipy", "sympy"}
TRACES = re.compile(r"/(home|root|tmp|usr|Users|work)/|site-packages|\b0x[0-9a-f]{6,}|[A-Z]:\\|\d\d:\d\d:\d\d")
LINK = re.compile(r"\]\(([^)#]+)")
LARGEST = 600_000  # bytes of a file, so that it opens at once in a browser

each = pytest.mark.parametrize("path", PATHS, ids=[path.stem for path in PATHS])


def test_the_first_steps_have_notebooks() -> None:
    assert {path.stem for path in PATHS} > FIRST


def _run_by_default() -> set[str]:
    """The names of those that a newcomer opens first, and of another one where a seed of the laws chooses it."""
    others, seed = sorted({path.stem for path in PATHS} - FIRST), os.environ.get("LAWS_SEED")
    return FIRST | ({random.Random(seed).choice(others)} if seed else set())


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, id=p.stem, marks=() if p.stem in _run_by_default() else pytest.mark.laws) for p in PATHS],
)
def test_outputs_are_those_that_running_it_again_gives(path: Path) -> None:
    notebook = runner.read(path)
    fresh = runner.outputs(path)
    for number, (cell, found) in enumerate(zip(runner.code_cells(notebook), fresh, strict=True), 1):
        assert _without_pictures(found) == _without_pictures(cell["outputs"]), f"code cell {number}"


@each
def test_the_file_has_only_cells_and_outputs(path: Path) -> None:
    notebook = runner.read(path)
    committed = [cell["outputs"] for cell in runner.code_cells(notebook)]
    assert path.read_text(encoding="utf-8") == runner.with_outputs(notebook, committed)
    assert path.stat().st_size < LARGEST


@each
def test_outputs_name_no_machine_and_no_moment(path: Path) -> None:
    for cell in runner.code_cells(runner.read(path)):
        text = repr(_without_pictures(cell["outputs"]))
        assert not TRACES.search(text), text


@each
def test_it_imports_and_calls_but_defines_nothing(path: Path) -> None:
    for cell in runner.code_cells(runner.read(path)):
        nodes = list(ast.walk(ast.parse(runner.source(cell))))
        assert not [node for node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
        assert _imported(nodes) <= HOUSE | TOOLS


@each
def test_it_opens_with_a_title_closes_with_words_and_links_to_files_that_are_there(path: Path) -> None:
    cells = runner.read(path)["cells"]
    assert runner.source(cells[0]).startswith("# ")
    assert cells[-1]["cell_type"] == "markdown"
    words = "".join(runner.source(cell) for cell in cells if cell["cell_type"] == "markdown")
    assert [link for link in LINK.findall(words) if not (path.parent / link).exists()] == []


def _without_pictures(outputs: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Outputs in which a picture only says that it is there: its bytes depend on fonts."""
    return [
        {**one, "data": {**one["data"], "image/png": ""}} if "image/png" in one.get("data", {}) else one
        for one in outputs
    ]


def _imported(nodes: list[ast.AST]) -> set[str]:
    """The packages that are imported."""
    plain = {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    parts = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
    return {name.partition(".")[0] for name in plain | parts}
