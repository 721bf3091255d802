"""The rooms of the project: which may import which, no circles of imports, and folders small enough to look over."""

from __future__ import annotations

import ast
import re
from collections.abc import Container, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from case_files import Cases

import derivations

FAMILIES = Cases(__file__)

ROOT = Path(__file__).resolve().parent.parent
ENGINE = "language latex prove kernels text"
THEORY = "theory simulate ode kernels accuracy machine labelled files"
ARROWS = {  # every room, and the rooms that it may import
    "derivations": {
        "text": "",
        "language": "text",
        "latex": "language text",
        "prove": "language recheck text",
        "models": "language text",
        "recheck": "",
        "rocq": "recheck text",
        "kernels": "language text",
        "questions": f"recheck {ENGINE}",
        "paper": f"recheck {ENGINE}",
        "author": f"paper {ENGINE}",
        "papers": f"author models paper {ENGINE}",
        "audit": f"paper recheck {ENGINE}",
        "report": f"audit paper recheck {ENGINE}",
        "commands": f"author models paper papers audit questions report recheck rocq {ENGINE}",
        "__main__": "commands",
    },
    "numerics": {
        "files": "",
        "labelled": "files",
        "machine": "files labelled",
        "ode": "files labelled machine",
        "kernels": "machine",
        "theory": "labelled ode kernels machine",
        "simulate": "labelled machine",
        "accuracy": "files kernels machine",
        "validate": THEORY,
        "sweep": f"reproduce {THEORY}",
        "reproduce": THEORY,
        "__main__": f"validate sweep reproduce {THEORY}",
    },
}
FACE = {f"derivations.{name}": f"{home}.{name}" for name, home in derivations._HOMES.items()}
ROOMS = {"derivations": 17, "numerics": 13}  # the most entries at the top of a package
ENTRIES = 14  # and of any folder inside it, its __init__.py aside


def modules(root: Path) -> dict[str, Path]:
    """Every module of both packages, by its dotted name."""
    files = [file for package in ARROWS for file in sorted((root / package).rglob("*.py"))]
    return {".".join(f.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): f for f in files}


@cache
def imports(module: str, file: Path) -> list[str]:
    """Return what a module names in its imports, those inside functions and those for type checkers as well."""
    return list(_imports(module, file))


def _imports(module: str, file: Path) -> Iterator[str]:
    package = module if file.name == "__init__.py" else module.rpartition(".")[0]
    nodes = list(ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    whole = {}  # packages that are imported by themselves, by the names that they have here
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
            whole |= {alias.asname or alias.name: alias.name for alias in node.names if alias.name in ARROWS}
        elif isinstance(node, ast.ImportFrom):
            base = _absolute("." * node.level + (node.module or ""), package)
            yield from (FACE.get(name, name) for name in (f"{base}.{alias.name}" for alias in node.names))
            if base in ARROWS and any(alias.name == "*" for alias in node.names):
                yield from FACE.values()
        elif isinstance(node, ast.Call) and module not in ARROWS and (name := _loaded(node)):
            yield _absolute(name, package)  # the face of a package itself loads what it names by such calls
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in whole:
            name = f"{whole[node.value.id]}.{node.attr}"
            yield FACE.get(name, name)


def _absolute(name: str, package: str) -> str:
    """A module's name without the dots before it, which say how far above it begins."""
    inner = name.lstrip(".")
    level = len(name) - len(inner)
    above = package.split(".")[: len(package.split(".")) - level + 1] if level else []
    return ".".join([*above, *([inner] if inner else [])])


def _loaded(call: ast.Call) -> str:
    """The module that import_module or __import__ is called with, as far as it stands there in letters."""
    called = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    given = call.args[0] if call.args and called in ("import_module", "__import__") else None
    if isinstance(given, ast.JoinedStr):
        given = given.values[0]
    return given.value.rstrip(".") if isinstance(given, ast.Constant) and isinstance(given.value, str) else ""


def room(module: str) -> str:
    """The room of a module; a package itself, which every room may import, is in none."""
    return [*module.split("."), ""][1]


def strays(root: Path) -> set[tuple[str, str]]:
    """Imports that no arrow allows: the module, and the room or package that it reaches into."""
    known, found = modules(root), set()
    for module, file in known.items():
        package, here = module.split(".")[0], room(module)
        allowed = {"", here, *ARROWS[package].get(here, "").split()}
        banned = {*ARROWS} - {package} | ({"sympy"} if package == "numerics" or here == "recheck" else set())
        for name in imports(module, file):
            if name.split(".")[0] in banned:
                found.add((module, name.split(".")[0]))
            elif name.split(".")[0] == package and room(_module(name, known)) not in allowed:
                found.add((module, room(name)))
    return found


def circle(root: Path) -> list[str]:
    """One circle of imports, or nothing; a module may import the packages that it is in."""
    known, graph = modules(root), {}
    for module, file in known.items():
        used = {_module(name, known) for name in imports(module, file)} & known.keys()
        graph[module] = {u for u in used if not f"{module}.".startswith(f"{u}.")}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as trouble:
        return list(trouble.args[1])
    return []


def _module(name: str, known: Container[str]) -> str:
    """The module that holds a name, or that it is."""
    return name if name in known else name.rpartition(".")[0]


def entries(folder: Path) -> list[str]:
    return sorted(f.name for f in folder.iterdir() if not f.name.startswith((".", "__", "py.typed")))


def test_every_import_follows_an_arrow() -> None:
    assert strays(ROOT) == set()


def test_no_imports_run_in_circles() -> None:
    assert circle(ROOT) == []


def test_every_room_has_its_arrows_and_there_are_few() -> None:
    for package, most in ROOMS.items():
        found = {room(module) for module in modules(ROOT) if module.startswith(f"{package}.")}
        assert found <= set(ARROWS[package])
        assert len(found) + 1 <= most


def test_no_folder_is_crowded() -> None:
    folders = {file.parent for file in modules(ROOT).values()}
    names = {folder: str(folder.relative_to(ROOT)) for folder in folders}
    crowded = {name for folder, name in names.items() if len(entries(folder)) > ROOMS.get(name, ENTRIES)}
    assert not crowded


def test_every_error_for_a_user_derives_from_the_one_of_its_package() -> None:
    """A command line lists one class; what is caught inside a package has an underscore or is named here."""
    plain = {"Exception", "ValueError", "RuntimeError", "LookupError", "KeyError", "TypeError"}
    found = {
        f"{module}.{node.name}"
        for module, file in modules(ROOT).items()
        if room(module) != "recheck"
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef) and plain & {b.id for b in node.bases if isinstance(b, ast.Name)}
    }
    inside = {name for name in found if name.rpartition(".")[2].startswith("_")}
    assert found - inside == {
        "derivations.text.DerivationError",
        "derivations.text.work.Spent",
        "derivations.language.words.instances.Impossible",
        "numerics.NumericsError",
        "numerics.reproduce.figures.panel.LeftOut",
        "numerics.kernels.UnknownKernel",
    }


@pytest.mark.parametrize(
    ("module", "line", "found"),
    FAMILIES["a forbidden import is found"],
)
def test_a_forbidden_import_is_found(tmp_path: Path, module: str, line: str, found: str) -> None:
    for here in (f"{package}/{room}" for package, rooms in ARROWS.items() for room in rooms):
        _write(tmp_path / here / "__init__.py", "")
    _write(tmp_path / module, line)
    assert strays(tmp_path) == {(module.removesuffix(".py").replace("/", "."), room) for room in found.split()}


def test_a_circle_is_found(tmp_path: Path) -> None:
    _write(tmp_path / "numerics/ode/a.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .b import c")
    _write(tmp_path / "numerics/ode/b.py", "def late():\n    import numerics.ode.a")
    assert {"numerics.ode.a", "numerics.ode.b"} == set(circle(tmp_path))


RIDDLE = re.compile(r"(What|Whether|Of|The same)\b")
"""How no docstring begins: functions return, compute or check, and values are nouns."""
SPOKEN = ("derivations", "numerics", "benchmarks", "tests", "docs")


def riddles(root: Path) -> list[str]:
    """Docstrings of modules, classes, functions and values that leave a reader to guess what is done."""
    files = [file for folder in SPOKEN for file in sorted((root / folder).rglob("*.py"))]
    nodes = ((file, node) for file in files for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))))
    texts = [
        (file, str(n.value.value)) for file, n in nodes if isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)
    ]
    return [f"{file.relative_to(root)}: {text.splitlines()[0]}" for file, text in texts if RIDDLE.match(text)]


def test_a_docstring_says_what_is_done() -> None:
    assert riddles(ROOT) == []


def test_a_docstring_that_is_a_riddle_is_found(tmp_path: Path) -> None:
    _write(
        tmp_path / "docs" / "a.py", '"""Whatever."""\nA = 1\n"""Of one."""\n\ndef f():\n    """Whether it rains."""\n'
    )
    assert riddles(tmp_path) == ["docs/a.py: Of one.", "docs/a.py: Whether it rains."]


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
