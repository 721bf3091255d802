"""The examples in docstrings: each module that has some is imported, and its examples run as a reader types them.

Modules are found by their text, so that collecting the tests imports none of them.
"""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import random
import re
from pathlib import Path
from types import ModuleType

import pytest
from each import each

ROOT = Path(__file__).parents[1]
PACKAGES = ("derivations", "numerics")
PROMPT = re.compile(r"^ *>>> ", re.MULTILINE)
COMPILE = re.compile(r"numerics\.(ode|theory|simulate|sweep|validate|reproduce)\b")
"""Rooms whose examples compile; an eighth of them is run by default, drawn by the seed of the laws."""
LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


class Finder(doctest.DocTestFinder):
    """Finds the examples of decorated functions as well."""

    def _from_module(self, module: ModuleType | None, object: object) -> bool:
        plain = inspect.unwrap(object) if inspect.isfunction(object) else object
        return bool(super()._from_module(module, plain))  # type: ignore[misc]


def with_examples() -> list[str]:
    files = [file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py"))]
    return [_module(file) for file in files if PROMPT.search(file.read_text(encoding="utf-8"))]


def drawn(names: list[str]) -> set[str]:
    """The names of those that run by default."""
    slow = [name for name in names if COMPILE.match(name)]
    some = random.Random(os.environ.get("LAWS_SEED", "")).sample(slow, len(slow) // 8)
    return {*names} - {*slow} | {*some}


def _module(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


NAMES = with_examples()


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in drawn(NAMES) else pytest.mark.laws) for name in NAMES]
)
def test_the_examples_of_a_module_say_what_they_give(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module(name)
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=LENIENT)
    for example in Finder(exclude_empty=True).find(module, name):
        runner.run(example, out=told.append)
    assert not told, "".join(told)
    assert runner.tries > 0, f"{name} shows a prompt, and no example of it was found"


@each(("page", "examples"), [("decides.md", 20), ("solvable_networks.md", 10)])
def test_a_page_with_examples_says_what_they_give(page: str, examples: int) -> None:
    found = doctest.testfile(str(ROOT / "docs" / page), module_relative=False)
    assert found.failed == 0
    assert found.attempted > examples
