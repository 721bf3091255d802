"""How the tests run: how many examples are drawn, what is collected, and the part of the laws that is chosen."""

from __future__ import annotations

import gc
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from command_line import Told, teller
from hypothesis import settings
from laws_sample import chosen, fraction_from

# No deadlines: the first example of a law may compile a kernel. `make laws` draws all examples, see drawn.py.
settings.register_profile("default-tests", deadline=None, max_examples=20)
settings.register_profile("ci", deadline=None, max_examples=20, derandomize=True)
settings.register_profile("laws", deadline=None, max_examples=100)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "default-tests"))

RANDOM = ("laws", "hypothesis", "drawn")  # marks of tests that see other examples in another run, or more of them
LONG = {Path(__file__).parent / name for name in ("laws", "peers", "cluster")}
MUCH_LATER = 1e6  # seconds
LONG_FIRST = (
    "papers/", "laws/test_theorems_in_balls", "laws/test_deep_linear", "laws/test_fuzz", "laws/test_trajectories",
    "test_notebooks", "test_docstrings", "theory/", "test_doors", "test_cli", "kernels/", "simulate/", "sweep/",
    "laws/test_probe", "laws/test_recheck", "engine/test_in",
)  # fmt: skip
"""Where tests of many seconds are: they come first, so that no worker is left alone with a long one at the end."""
OF_THE_LIBRARY = re.compile(r"tests/(papers/|recheck/test_(second_reader|programs)|test_report)")
"""Files that ask for the claims of all papers: one worker runs them, and proves the claims once."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Whatever is long is not even imported, unless its folder is named."""
    named = {Path(argument.partition("::")[0]).resolve() for argument in config.args}
    return (collection_path in LONG and not any(collection_path in (path, *path.parents) for path in named)) or None


def pytest_itemcollected(item: pytest.Item) -> None:
    """Whatever stands among the laws is one: a test there without the mark would be run by nothing."""
    if Path(__file__).parent / "laws" in item.path.parents:
        item.add_marker("laws")


@pytest.hookimpl(trylast=True)  # after -m and -k, so that the fraction is one of the laws that would run
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep the seeded fraction of the laws and of what draws examples, and everything else."""
    try:
        fraction = fraction_from(os.environ.get("LAWS_FRACTION", "1"))
    except ValueError as error:
        raise pytest.UsageError(str(error)) from None
    laws = {item.nodeid for item in items if any(map(item.get_closest_marker, RANDOM))}
    left_out = laws - chosen(laws, fraction, os.environ.get("LAWS_SEED", ""))
    if left_out:
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
        items[:] = [item for item in items if item.nodeid not in left_out]
    items.sort(key=lambda item: _turn(item.nodeid))


def _turn(name: str) -> int:
    """Return the place of a test's file among those that are long, or the one after them."""
    inside = name.removeprefix("tests/")
    return next((k for k, start in enumerate(LONG_FIRST) if inside.startswith(start)), len(LONG_FIRST))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With `--dist loadfile`, give the files of the library to one worker as if they were one file."""
    from xdist.scheduler import LoadFileScheduling

    class ByFile(LoadFileScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return "the library" if OF_THE_LIBRARY.match(nodeid) else str(super()._split_scope(nodeid))

    config.option.loadscopereorder = False  # the order is that of the collection, with long files first
    return ByFile(config, log) if config.getoption("dist") == "loadfile" else None


@pytest.fixture(autouse=True)
def no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines of progress depend on the speed of the machine, so that only tests of them have them written."""
    for name in ("derivations.commands.terminal", "numerics.machine.progress"):
        if module := sys.modules.get(name):
            monkeypatch.setattr(module, "FIRST_LINE", MUCH_LATER)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Told:
    from derivations.__main__ import main

    monkeypatch.setattr("derivations.commands.terminal.FIRST_LINE", MUCH_LATER)
    return teller(main, capsys)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Keep what is collected to the end: the collector of garbage, a tenth of the time, need not look through
    it.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 20)
