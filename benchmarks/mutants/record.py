"""Which lines of the library each claim runs: only a claim that runs a changed line can notice the change."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from benchmarks.mutants.judge import KERNELS, Tried, emitted_otherwise
from benchmarks.mutants.processes import apart, file_of

Line = tuple[str, int]
Lines = frozenset[Line]


@dataclass(frozen=True)
class Run:
    """The code that one claim of a paper runs, or its kernels, how long it works, and what runs when the paper is
    imported.
    """

    paper: str
    name: str
    seconds: float
    lines: Lines
    imported: Lines

    @property
    def tried(self) -> Tried:
        return self.paper, self.name, self.seconds


@cache
def runs(paper: str, modules: tuple[str, ...]) -> list[Run]:
    """The runs of all claims of a paper, and of its kernels, as far as some modules are concerned."""
    imported, found = apart(_record, paper, modules)
    return [Run(paper, name, seconds, frozenset(lines), frozenset(imported)) for name, seconds, lines in found]


def _record(key: str, modules: Sequence[str]) -> tuple[set[Line], list[tuple[str, float, set[Line]]]]:
    """Imports a paper, judges its claims, emits its kernels, and writes down the lines."""
    files = {str(file_of(module)): module for module in modules}
    with _written_down(files) as imported:
        from derivations.paper.library import paper_called

        paper = paper_called(key)
    from derivations.audit.verify import judge

    assert paper is not None
    works: list[tuple[str, Callable[[], Any]]] = [(KERNELS, lambda: list(emitted_otherwise(key)))]
    works += [(name, partial(judge, entry)) for name, entry in paper.entries.items()]
    found = []
    for name, work in works:
        started = time.process_time()
        with _written_down(files) as lines:
            work()
        found.append((name, time.process_time() - started, lines))
    return imported, found


@contextmanager
def _written_down(files: Mapping[str, str]) -> Iterator[set[Line]]:
    """The lines of some files that run in a block, by module and number."""
    lines: set[Line] = set()

    def of(module: str) -> Callable[..., Any]:
        def line(frame: Any, event: str, argument: Any) -> Any:
            lines.add((module, frame.f_lineno))
            return line

        return line

    tracers = {file: of(module) for file, module in files.items()}
    sys.settrace(lambda frame, event, argument: tracers.get(frame.f_code.co_filename))
    try:
        yield lines
    finally:
        sys.settrace(None)
