"""What notices a mutant of the library: verdicts, the checker, or random instances."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.abc import MetaPathFinder, SourceLoader
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from typing import Any

INSTANCES = 3


class _Changed(MetaPathFinder, SourceLoader):  # type: ignore[misc]  # so does Python's own loader of files
    """Finds one module, with another text than its file has."""

    def __init__(self, module: str, text: str, file: str) -> None:
        self.module, self.text, self.file = module, text, file

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name != self.module:
            return None
        package = [self.file.removesuffix("/__init__.py")] if self.file.endswith("__init__.py") else None
        return spec_from_file_location(name, self.file, loader=self, submodule_search_locations=package)

    def get_filename(self, fullname: str) -> str:
        return self.file

    def get_data(self, path: Any) -> bytes:
        return self.text.encode()


def judge(module: str, text: str, papers: tuple[str, ...], writer: Any) -> None:
    """Loads the library anew with one file changed, judges papers, and writes what noticed the change."""
    file = str(sys.modules[module].__file__) if module in sys.modules else _file(module)
    for name in [name for name in sys.modules if name == "derivations" or name.startswith("derivations.")]:
        del sys.modules[name]
    sys.meta_path.insert(0, _Changed(module, text, file))
    try:
        noticed = next(_noticing(papers), "nothing noticed it")
    except BaseException as trouble:
        noticed = f"{type(trouble).__name__}: {' '.join(str(trouble).split())[:160]}"
    writer.send(noticed)


def _file(module: str) -> str:
    from importlib.util import find_spec

    spec = find_spec(module)
    assert spec is not None
    return str(spec.origin)


def _noticing(papers: tuple[str, ...]) -> Iterator[str]:
    """Whatever notices a change, cheapest first."""
    from derivations.audit.probe import probe
    from derivations.audit.verify import judge as judged
    from derivations.paper.library import library
    from derivations.recheck import Rejected, check

    known = library()
    outcomes = []
    for key in papers:
        for entry in known[key].entries.values():
            outcome = judged(entry)
            outcomes.append((known[key], outcome))
            yield from (f"{entry.id}: {fault}" for fault in outcome.faults)
    for _, outcome in outcomes:
        if outcome.certificate is not None:
            try:
                check(outcome.certificate.as_json())
            except Rejected as reason:
                yield f"the checker rejects {outcome.entry.id}: {reason}"
    for paper, outcome in outcomes:
        for found in probe(paper, [outcome], INSTANCES):
            yield from (f"an instance contradicts {found.id}: {trouble}" for trouble in found.contradictions)
