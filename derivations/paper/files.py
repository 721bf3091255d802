"""Papers of a user's own: a Python file, or a folder that is a package or holds such files."""

from __future__ import annotations

import ast
import importlib.util
import sys
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import Any

from derivations.paper.library import paper_in, told
from derivations.paper.model import Paper
from derivations.paper.naming import PaperError
from derivations.text import place_of

SUFFIX = ".py"
PACKAGE = "__init__.py"
WHAT = "give a paper's key, an entry's id such as paper:name, or a Python file or folder with a Paper"


def papers_at(path: Path) -> list[Paper]:
    """The paper of a file or of a package, or those of the files of a folder, by their names.

    Only what is named is run: of a folder, the files that import this library and call Paper.
    """
    if not path.is_dir() or (path / PACKAGE).is_file():
        return [load_file(path)]
    found = [load_file(file) for file in sorted(path.glob(f"*{SUFFIX}")) if _defines_a_paper(file)]
    if not found:
        raise PaperError(f"no Python file in the folder {path} defines a Paper: {WHAT}")
    twice = {paper.key for paper in found if [other.key for other in found].count(paper.key) > 1}
    if twice:
        raise PaperError(f"several files in the folder {path} define a paper called {min(twice)}: name one of them")
    return found


def load_file(path: Path) -> Paper:
    """The paper in a Python file of the user's own, or in a package: a folder with an __init__.py."""
    if path.is_dir() and (path / PACKAGE).is_file():
        return _run(path / PACKAGE, path.resolve().name)
    if not path.is_file():
        found = f"{path} is a folder" if path.is_dir() else f"there is no file {path}"
        raise PaperError(f"{found}: {WHAT}")
    if path.suffix != SUFFIX:
        raise PaperError(f"{path} is not a Python file: a paper is a .py file that defines a Paper")
    return _run(path, path.stem)


class _WritesNothing(SourceFileLoader):
    """Runs a file without a compiled copy beside it: a folder that is only read stays as it was."""

    def set_data(self, path: str, data: Any, *, _mode: int = 0o666) -> None:
        """Keep the bytecode nowhere."""


def _run(path: Path, name: str) -> Paper:
    """Run a file as a module; what it imports from its own folder is found there, after all that is installed."""
    is_package = path.name == PACKAGE
    taken = getattr(sys.modules.get(name), "__file__", str(path))
    module_name = name if is_package and taken == str(path) else f"paper_file_{name}"
    spec = importlib.util.spec_from_file_location(
        module_name,
        path,
        loader=_WritesNothing(module_name, str(path)),
        submodule_search_locations=[str(path.parent)] if is_package else None,
    )
    if spec is None or spec.loader is None:
        raise PaperError(f"{path} cannot be loaded as a Python file")
    beside = str(path.resolve().parent)
    if not is_package and beside not in sys.path:
        sys.path.append(beside)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except PaperError as mistake:
        place = place_of(mistake)
        raise PaperError(f"{mistake} ({place})" if place and place not in str(mistake) else str(mistake)) from mistake
    except (Exception, SystemExit) as trouble:
        raise PaperError(f"{path} could not be run: {told(trouble)}") from trouble
    paper = paper_in(module)
    paper.file = str(path.parent if is_package else path)
    return paper


def _defines_a_paper(file: Path) -> bool:
    """Return whether the text of a file imports this library and calls Paper; nothing of it is run."""
    text = file.read_bytes()
    try:
        nodes = list(ast.walk(ast.parse(text)))
    except (SyntaxError, ValueError):
        return b"derivations" in text and b"Paper(" in text
    imported = any(
        (isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "derivations")
        or (isinstance(node, ast.Import) and any(alias.name.split(".")[0] == "derivations" for alias in node.names))
        for node in nodes
    )
    called = (node.func for node in nodes if isinstance(node, ast.Call))
    return imported and any("Paper" in (getattr(f, "id", ""), getattr(f, "attr", "")) for f in called)
