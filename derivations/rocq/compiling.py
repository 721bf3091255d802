"""Rocq at work: theories compiled once, theorems given to it in batches, and what it says of each."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from os import killpg
from pathlib import Path
from signal import SIGKILL

from derivations.rocq.exported import Exported
from derivations.text import DerivationError

THEORIES = Path(__file__).parent / "theories"
ROOT = "Derivations"
SECONDS = 300  # for one sentence of a proof, on a machine that may be busy
MEMORY = 4_000_000  # kilobytes of a process
BATCH = 25  # theorems in one process: to start one takes as long as several of them
RUNNING = set[subprocess.Popen[str]]()
REQUIRED = re.compile(rf"From {ROOT} Require (?:Import|Export) ([\w ]+)\.")
WITHOUT = "Rocq is not installed: `apt-get install coq libcoq-coquelicot libcoq-interval libcoq-mathcomp-algebra`"

CLASSICAL = {
    "ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep",
    "Classical_Prop.classic",
}
"""The axioms of the real numbers of Rocq, with excluded middle."""
NATIVE = re.compile(r"(Coq\.Numbers\.Cyclic\.Int63\.)?(PrimInt63|Uint63|PrimFloat|FloatAxioms)\.\w+|Int63\.\w+")
"""Integers of the machine, on which enclosures compute."""


@dataclass(frozen=True)
class Answer:
    """An answer to a theorem; a reason if it does not accept it, and the axioms that its batch rests on."""

    confirmed: bool
    reason: str = ""
    axioms: tuple[str, ...] = ()


@cache
def version() -> str:
    """The version of Rocq, or a refusal with what to install."""
    program = shutil.which("coqtop")
    if program is None:
        raise DerivationError(WITHOUT)
    said = subprocess.run([program, "--version"], capture_output=True, text=True, check=False).stdout
    number = re.search(r"version (\S+)", said)
    if number is None:
        raise DerivationError(f"coqtop --version says no version: {said.strip()[:80]}")
    return number[1]


def digest(theorem: Exported) -> str:
    """A name for a theorem and all that its proof rests on."""
    parts = (version(), theorem.statement, theorem.lemmas, theorem.proof, *theorem.imports, *sources(theorem.imports))
    return sha256("\0".join(parts).encode()).hexdigest()[:24]


def theories(imports: Iterable[str]) -> list[str]:
    """The names of the theories that some sentences require, each after those that it requires itself."""
    names = dict[str, None]()
    for name in (name for sentence in imports for listed in REQUIRED.findall(sentence) for name in listed.split()):
        names |= dict.fromkeys([*theories([_source(name)]), name])
    return list(names)


def sources(imports: Iterable[str]) -> list[str]:
    return [_source(name) for name in theories(imports)]


def _source(name: str) -> str:
    return (THEORIES / f"{name}.v").read_text(encoding="utf-8")


# --- what is handed to Rocq -------------------------------------------------------------------------------------------


def statement_text(theorem: Exported) -> str:
    """The sentences that say what a theorem states."""
    return f"Definition statement : Prop :=\n  {theorem.statement}."


def module_text(name: str, theorem: Exported) -> str:
    """A theorem in a module of its own."""
    stated = statement_text(theorem)
    proof = f"Theorem confirmed : statement.\nProof.\nred.\n{theorem.proof}\nQed."
    return "\n".join(filter(None, [f"Module {name}.", stated, theorem.lemmas, proof, f"End {name}."]))


def file_text(name: str, theorem: Exported) -> str:
    """A file that coqc compiles by itself, once the theories are compiled."""
    return "\n".join([*theorem.imports, module_text(name, theorem), f"Print Assumptions {name}.confirmed.", ""])


def _session(theorems: dict[str, Exported]) -> str:
    """Sentences for coqtop, which goes on behind what it does not accept.

    What it accepts is gathered in a chain of pairs, so that the axioms of all are listed once, which takes a second.
    """
    head = next(iter(theorems.values())).imports
    lines = [*head, "Set Silent.", f"Set Default Timeout {SECONDS}."]
    lines += ["Definition with_none := I.", "Ltac last_one := constr:(Top.with_none)."]
    for name, theorem in theorems.items():
        lines += [module_text(name, theorem).removesuffix(f"End {name}."), "Abort All.", f"End {name}."]
        lines += [f"Definition with_{name} := ltac:(let before := last_one in exact (before, {name}.confirmed))."]
        lines += [f"Ltac last_one ::= constr:(Top.with_{name}).", f"Print with_{name}.", f"Check after_{name}."]
    lines += ["Definition gathered := ltac:(let before := last_one in exact before).", "Print gathered."]
    return "\n".join([*lines, "Print Assumptions gathered.", "Check after_all.", ""])


# --- answers ----------------------------------------------------------------------------------------------------------


class Compiler:
    """Theorems are handed to processes of Rocq, some at a time; compiled theories stay in a folder."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self.folder, self.jobs = folder, jobs

    def answers(self, theorems: dict[str, Exported], done: Callable[[dict[str, Answer]], None]) -> None:
        """Have every theorem judged, and hand over the answers as they come."""
        version()
        built = self.folder / "theories"
        groups = dict[tuple[str, ...], dict[str, Exported]]()
        for name, theorem in theorems.items():
            groups.setdefault(theorem.imports, {})[name] = theorem
        paths = {imports: self._built(built, imports) for imports in groups}
        batches = [(paths[imports], some) for imports, group in groups.items() for some in _batches(group)]
        with ThreadPoolExecutor(self.jobs) as pool:
            try:
                for finished in as_completed([pool.submit(_judge, path, batch) for path, batch in batches]):
                    done(finished.result())
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                for process in list(RUNNING):
                    _end(process)
                raise

    def _built(self, folder: Path, imports: tuple[str, ...]) -> Path:
        """The folder with the compiled theories of some sentences, named by what they are compiled from."""
        names = theories(imports)
        key = sha256("\0".join([version(), *sources(imports)]).encode()).hexdigest()[:16]
        place = folder / key
        if not (place / "ready").exists():
            place.mkdir(parents=True, exist_ok=True)
            for name in names:
                (place / f"{name}.v").write_text(_source(name), encoding="utf-8")
                said, status = _run(["coqc", "-q", "-w", "none", "-Q", ".", ROOT, f"{name}.v"], "", place, 900)
                if status != 0:
                    raise DerivationError(f"the theory {name} does not compile: {_sentence(said)}")
            (place / "ready").touch()
        return place


def _batches(theorems: dict[str, Exported]) -> Iterator[dict[str, Exported]]:
    listed = list(theorems.items())
    for begin in range(0, len(listed), BATCH):
        yield dict(listed[begin : begin + BATCH])


def _judge(path: Path, theorems: dict[str, Exported]) -> dict[str, Answer]:
    """The answers to theorems with the same imports; what ends the process, or rests on more, is judged alone."""
    seconds = SECONDS * 2 + 10 * len(theorems)
    said, _ = _run(["coqtop", "-q", "-w", "none", "-Q", str(path), ROOT], _session(theorems), path, seconds)
    sections = _sections(said, [*theorems, "all"])
    gathered, last = list[str](), "none"
    for name in theorems:
        if _chained(name, last, sections.get(name, "")):
            gathered, last = [*gathered, name], name
    end = sections.get("all", "")
    axioms = tuple(_axioms(end)) if re.search(rf"gathered =\s+with_{last}\s", end) else ("?",)
    alone = [] if len(theorems) == 1 else list(theorems)[len(sections) :][:1] or (gathered if strange(axioms) else [])
    if not alone:
        return {name: _answer(sections.get(name), name in gathered, axioms) for name in theorems}
    others = {name: theorem for name, theorem in theorems.items() if name not in alone}
    answers = _judge(path, others) if others else {}
    return answers | {name: _judge(path, {name: theorems[name]})[name] for name in alone}


def _sections(said: str, names: list[str]) -> dict[str, str]:
    """The answers to each theorem, as far as the process came."""
    sections, position = dict[str, str](), 0
    for name in names:
        place = re.compile(rf"The (?:reference|variable)\s+after_{name}\s+was").search(said, position)
        if place is None:
            break
        sections[name], position = said[position : place.start()], place.end()
    return sections


def _chained(name: str, last: str, said: str) -> bool:
    """Check whether a theorem is accepted, and gathered with those before it."""
    return re.search(rf"with_{name} =\s+\(with_{last},\s+{name}\.confirmed\)", said) is not None


def _answer(said: str | None, accepted: bool, axioms: tuple[str, ...]) -> Answer:
    if said is None:
        return Answer(False, f"stopped after {SECONDS * 2 + 10} seconds or {MEMORY // 1_000_000} GB")
    if not accepted:
        return Answer(False, _sentence(said))
    if strange(axioms):
        return Answer(False, f"rests on {', '.join(strange(axioms))}", axioms)
    return Answer(True, "", axioms)


def strange(axioms: Iterable[str]) -> list[str]:
    """The axioms that are neither those of the reals nor integers of the machine."""
    return sorted(axiom for axiom in axioms if axiom not in CLASSICAL and not NATIVE.fullmatch(axiom))


def _axioms(said: str) -> list[str]:
    """The names in what `Print Assumptions` says; "?" where it says nothing that is understood."""
    if "Closed under the global context" in said:
        return []
    _, begun, listed = said.partition("\nCoq < Toplevel input")[0].partition("Axioms:")
    return sorted(set(re.findall(r"^([\w.']+)\s*:", listed, re.MULTILINE))) if begun else ["?"]


def _sentence(said: str) -> str:
    """The first error in what Rocq says, in one line."""
    error = re.search(r"(?:Error:|Timeout!|Fatal error)(.*?)(?=\n\n|\n\w+ < |\nToplevel|\nFile |\Z)", said, re.DOTALL)
    return re.sub(r"\s+", " ", error[0] if error else said[-200:]).strip()[:300]


def _run(command: list[str], text: str, folder: Path, seconds: float) -> tuple[str, int]:
    """Return what a process says and its status; it ends with all that it started, and has so much memory."""
    limited = ["sh", "-c", f'ulimit -v {MEMORY}; exec "$@"', "sh", *command]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        limited, stdin=pipe, stdout=pipe, stderr=subprocess.STDOUT, cwd=folder, text=True, start_new_session=True
    ) as process:
        RUNNING.add(process)
        try:
            said, _ = process.communicate(text, timeout=seconds)
        except subprocess.TimeoutExpired:
            _end(process)
            said, _ = process.communicate()
        finally:
            _end(process)
            RUNNING.discard(process)
        return said, process.returncode


def _end(process: subprocess.Popen[str]) -> None:
    """End a process and all that it started."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            killpg(process.pid, SIGKILL)
