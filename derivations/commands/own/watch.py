"""`derivations verify --watch`: a file of one's own is judged, and whatever changes in it is judged again.

What a claim depends on is read from the text of its file: its own function, and, in turn, every statement at the top of
the file that defines a name used there. Other statements may change anything, apart from calls such as
`paper.kernel(...)`, and so does a change in another file.
"""

from __future__ import annotations

import ast
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from derivations.audit.verify import Outcome, Report, judge_or_tell
from derivations.commands import screen, summary
from derivations.commands.selection import is_path
from derivations.paper.files import papers_at
from derivations.paper.model import Entry, Paper, PaperError
from derivations.text import DerivationError

PAUSE = 0.2  # seconds between two looks at the files
REGISTER = {"asserts", "corrected", "definition", "experiment", "kernel", "picture"}  # methods of papers


@dataclass(frozen=True)
class Judged:
    """What was found for a paper, and on what text each outcome rests."""

    report: Report
    rests_on: dict[str, str]  # by the name of an entry


def watch(targets: Sequence[str]) -> int:
    """Judge the papers of files or folders, and again what changes in them, until the user interrupts."""
    if not targets or not all(is_path(target) for target in targets):
        raise PaperError("--watch looks at files of your own: name a Python file or folder, e.g. my_paper.py --watch")
    places = [Path(target) for target in targets]
    seen, known = _times(places), judge_all(places, {})
    try:
        while True:
            time.sleep(PAUSE)
            if (now := _times(places)) != seen:
                seen = now
                known = judge_all(places, known)
    except KeyboardInterrupt:
        return 0


def judge_all(places: Iterable[Path], known: dict[str, Judged]) -> dict[str, Judged]:
    """Judge what changed since the papers were known, and print it; a file that cannot be run is told, and kept."""
    found = dict(known)
    for place in places:
        try:
            _forget(place)
            for paper in papers_at(place):
                found[paper.file] = _again(paper, known.get(paper.file))
        except DerivationError as mistake:
            print(f"derivations: {mistake}", file=sys.stderr, flush=True)
    return found


def _again(paper: Paper, before: Judged | None) -> Judged:
    """The outcomes of a paper, those whose text is as before taken over; what is new is printed."""
    started = time.perf_counter()
    texts = texts_of(Path(paper.file), paper.entries.values())
    old = {o.entry.name: o for o in before.report.outcomes} if before else {}
    outcomes: list[Outcome] = []
    fresh: list[Outcome] = []
    for name, entry in paper.entries.items():
        same = before is not None and name in old and texts[name] == before.rests_on.get(name)
        outcomes.append(replace(old[name], entry=entry) if same else judge_or_tell(entry))
        if not same:
            fresh.append(outcomes[-1])
    report = Report(paper, outcomes)
    anew = replace(report, outcomes=[o for o in fresh if o.certificate or o.faults], whole=False)
    summary.summary([anew], every_row=True)
    screen.faults(fault for fault in report.faults if fault not in anew.faults)
    print(f"{len(fresh)} of {len(outcomes)} entries judged in {time.perf_counter() - started:.2f} s", flush=True)
    return Judged(report, texts)


def _forget(place: Path) -> None:
    """Modules from the folder of a paper are imported again: they may have changed."""
    folder = (place if place.is_dir() else place.parent).resolve()
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if (
            file
            and folder in Path(file).resolve().parents
            and not name.startswith(("derivations", "numerics", "__main"))
        ):
            del sys.modules[name]


def _times(places: Iterable[Path]) -> dict[Path, int]:
    """When each Python file there was written last."""
    files = [file for place in places for file in _files(place)]
    return {file: file.stat().st_mtime_ns for file in files if file.exists()}


def _files(place: Path) -> Iterator[Path]:
    """A file and its neighbours, or all of a folder: what may be imported from there."""
    folder = place if place.is_dir() else place.parent
    yield from folder.glob("**/*.py" if place.is_dir() else "*.py")


# --- what an entry rests on -------------------------------------------------------------------------------------------


def texts_of(file: Path, entries: Iterable[Entry]) -> dict[str, str]:
    """By the name of each entry, all text that its verdict may depend on.

    >>> from derivations.commands.own.new import text_of
    >>> statements = list(_statements(text_of("mine")))
    >>> [s.defines for s in statements if s.entry == "one_mode"]
    [frozenset({'one_mode'})]
    """
    names = [entry.name for entry in entries]
    if file.is_dir():
        whole = "".join(f"{path}\n{path.read_text(encoding='utf-8')}" for path in sorted(_files(file)))
        return dict.fromkeys(names, whole)
    others = "".join(path.read_text(encoding="utf-8") for path in sorted(_files(file)) if path.name != file.name)
    statements = list(_statements(file.read_text(encoding="utf-8")))
    return {name: f"{others}\n{_text(name, statements)}" for name in names}


@dataclass(frozen=True)
class Statement:
    """A statement at the top of a file: its text, the names that it defines, and those that it uses."""

    text: str
    defines: frozenset[str]
    uses: frozenset[str]
    entry: str = ""  # the function's name, where it is decorated: a claim
    registers: bool = False  # whether it only adds to a paper what changes no claim, such as a kernel

    def belongs_to(self, name: str) -> bool:
        """Whether the entry of this name is made here: the claim itself, or what was made from it."""
        return bool(self.entry) and (name == self.entry or name.startswith(f"{self.entry}_"))


def _statements(text: str) -> Iterator[Statement]:
    for node in ast.parse(text).body:
        names = [n for n in ast.walk(node) if isinstance(n, ast.Name)]
        defined = {n.id for n in names if isinstance(n.ctx, ast.Store)}
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            defined = {node.name}
        defined |= {(a.asname or a.name).split(".")[0] for n in ast.walk(node) for a in _imported(n) if a.name != "*"}
        decorated = isinstance(node, ast.FunctionDef) and bool(node.decorator_list)
        used = frozenset(n.id for n in names)
        texts = {n.value for n in ast.walk(node) if isinstance(n, ast.Constant) and isinstance(n.value, str)}
        entry = node.name if decorated and isinstance(node, ast.FunctionDef) else ""
        yield Statement(ast.unparse(node), frozenset(defined), used | texts, entry, _registers(node))


def _registers(node: ast.stmt) -> bool:
    """Whether a statement is a call such as `paper.kernel(...)`."""
    called = node.value.func if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) else None
    return isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name) and called.attr in REGISTER


def _imported(node: ast.AST) -> list[ast.alias]:
    return node.names if isinstance(node, ast.Import | ast.ImportFrom) else []


def _text(name: str, statements: Sequence[Statement]) -> str:
    """The text of all statements that an entry may depend on, in the order of the file."""
    own = [s for s in statements if s.belongs_to(name)]
    reached = {id(s) for s in own or statements} | {id(s) for s in statements if not s.defines and not s.registers}
    grown = True
    while grown:
        used = {name for s in statements if id(s) in reached for name in s.uses}
        more = {id(s) for s in statements if s.defines & used} - reached
        grown = bool(more)
        reached |= more
    return "\n".join(s.text for s in statements if id(s) in reached)
