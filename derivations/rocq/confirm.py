"""Certificates of a ledger handed to Rocq; what is known from before is kept by what it was computed from."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from derivations.recheck.check import check
from derivations.recheck.core.errors import Rejected
from derivations.rocq.certificates import Collection
from derivations.rocq.compiling import Answer, Compiler, digest, file_text, statement_text, version
from derivations.rocq.exported import Exported, NotExported
from derivations.rocq.exporters import exported
from derivations.rocq.table import CONFIRMED, Outcome, Table
from derivations.text import write_together

HERE = Path(__file__).parent
CORE = HERE.parent / "recheck" / "core"
NO = "not exported: "
FOLDER = Path("learning-dynamics-derivations") / "rocq"


def home() -> Path:
    """The folder in which compiled theories and answers are kept."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base and Path(base).is_absolute() else Path.home() / ".cache") / FOLDER


@cache
def exporting() -> str:
    """A name for the code that exports, and for the core whose formulas it prints."""
    files = sorted(file for folder in (HERE, CORE) for file in folder.rglob("*") if file.suffix in (".py", ".v"))
    return sha256("\0".join([version(), *(file.read_text(encoding="utf-8") for file in files)]).encode()).hexdigest()


class Kept:
    """Earlier exports and answers, in two files: exports by certificate, answers by theorem."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        exports = self._read("exports.json")
        self.exports: dict[str, str] = exports["of"] if exports.get("by") == exporting() else {}
        self.answers: dict[str, dict[str, Any]] = self._read("answers.json")

    def _read(self, name: str) -> dict[str, Any]:
        try:
            data = json.loads((self.folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return data if isinstance(data, dict) else {}

    def settled(self, name: str) -> bool:
        """Check whether the theorem of a certificate is answered, or there is none."""
        key = self.exports.get(name, "")
        return key in self.answers or key.startswith(NO)

    def write(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        exports = {"by": exporting(), "of": self.exports}
        write_together({"exports.json": json.dumps(exports), "answers.json": json.dumps(self.answers)}, self.folder)


def confirmed(
    collection: Collection, folder: Path, jobs: int, out: Path | None = None, step: Callable[[str], None] = print
) -> Table:
    """Have Rocq judge every certificate of a collection; out: a folder for statement files and proof files."""
    kept = Kept(folder)
    theorems, refused = _exports(collection, kept, every=out is not None)
    if out is not None:
        _write_files(theorems, out)
    asked = {f"c_{key}": theorem for key, theorem in _by_key(theorems).items() if key not in kept.answers}

    def done(answers: dict[str, Answer]) -> None:
        kept.answers |= {name.removeprefix("c_"): asdict(answer) for name, answer in answers.items()}
        kept.write()
        step(f"{len(answers)} theorems")

    Compiler(folder, jobs).answers(asked, done)
    kept.write()
    outcomes = {name: _outcome(name, kept, refused) for name in collection.certificates}
    used = [kept.answers[key] for name in outcomes if (key := kept.exports.get(name, "")) in kept.answers]
    return Table(collection, outcomes, sorted({axiom for answer in used for axiom in answer["axioms"]}))


def _by_key(theorems: dict[str, Exported]) -> dict[str, Exported]:
    return {digest(theorem): theorem for theorem in theorems.values()}


def _outcome(name: str, kept: Kept, refused: dict[str, str]) -> Outcome:
    key = kept.exports[name]
    if key in kept.answers:
        answer = kept.answers[key]
        return (CONFIRMED, "") if answer["confirmed"] else ("failed", answer["reason"])
    return "not exported", refused.get(name, key.removeprefix(NO))


def _exports(collection: Collection, kept: Kept, *, every: bool) -> tuple[dict[str, Exported], dict[str, str]]:
    """The theorems of the certificates that are not known yet, or of every one, and why others have none.

    The core accepts an entry before anything of it is exported.
    """
    theorems, refused = dict[str, Exported](), dict[str, str]()
    for entry in collection.entries:
        new = [name for name in entry.needs if name not in theorems and (every or not kept.settled(name))]
        if not new:
            continue
        try:
            check(entry.certificate)
        except Rejected as refusal:
            refused |= dict.fromkeys(new, f"the core refuses it: {refusal}")
            kept.exports |= {name: f"{NO}{refused[name]}" for name in new}
            continue
        for name in new:
            try:
                theorems[name] = exported(collection.certificates[name])
                kept.exports[name] = digest(theorems[name])
            except NotExported as reason:
                kept.exports[name] = f"{NO}{reason}"
    return theorems, refused


def _write_files(theorems: dict[str, Exported], out: Path) -> None:
    """A statement file and a proof file for each certificate."""
    for folder in ("statements", "proofs"):
        (out / folder).mkdir(parents=True, exist_ok=True)
    for name, theorem in theorems.items():
        stated = "\n".join([*theorem.imports, statement_text(theorem), ""])
        (out / "statements" / f"s_{name}.v").write_text(stated, encoding="utf-8")
        (out / "proofs" / f"c_{name}.v").write_text(file_text(f"c_{name}", theorem), encoding="utf-8")
