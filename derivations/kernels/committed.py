"""Kernels as committed source: per paper a module of fast functions, an index of all, and what carries programs out.

The index holds every kernel's program as data, and the sha256 of every emitted file. `balls.py`, a copy of
`derivations.kernels.balls`, evaluates it in intervals: numerics runs without SymPy, so that it imports nothing from
here.
"""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from derivations.kernels import balls
from derivations.kernels.program import text_of
from derivations.kernels.specification import Specification
from derivations.kernels.specification.names import KernelError
from derivations.kernels.targets import PYTHON
from derivations.kernels.targets.carried import elementary
from derivations.kernels.targets.facts import Facts, domain_of, formulas, ranges_of, shape
from derivations.kernels.targets.printing import GLUE, INDENT, WIDTH, plain, sorted_imports
from derivations.kernels.targets.python import Python, of_numbers, words
from derivations.text import write_together

PAPER = re.compile(r"[a-z][a-z0-9_]*")
EMITTED = "Emitted by `derivations update`; edit the paper, never this file."
UNTYPED = "# mypy: ignore-errors\n"
INDEX, BALLS, ELEMENTARY = "index.json", "balls.py", "elementary.py"
SUPPORT = ("proved", "certified")

# --- one function -----------------------------------------------------------------------------------------------------


class Equality(NamedTuple):
    """A proof that a kernel equals its claims: the sha256 of its certificate, and edges of which it says nothing."""

    sha256: str
    edges: Sequence[str] = ()


def function(kernel: Specification, paper: str, target: Python, equality: Equality | None = None) -> tuple[str, str]:
    """The function, and its body alone."""
    body = "\n".join(target.body(kernel, kernel.program, Facts(kernel.name)))
    head = [
        *target.decorators(),
        f"def {kernel.name}({', '.join(kernel.arguments)}):",
        _docstring(kernel, paper, equality),
    ]
    return "\n".join([*head, body]), body


def _docstring(kernel: Specification, paper: str, equality: Equality | None) -> str:
    """The sentence, the facts, and, where the program has loops or matrices, the formulas as people write them."""
    inputs = (f"{value.name} ({shape(value)})" if value.axes else value.name for value in kernel.inputs)
    facts = {
        "Inputs": ", ".join(text.replace(" ", GLUE) for text in inputs),
        "Ranges": ranges_of(kernel.program),
        "Returns": ", ".join(kernel.returns),
        "Domain": ", ".join(condition.replace(" ", GLUE) for condition in domain_of(kernel)),
        "Equals" if equality else "Rests on": ", ".join(support_of(kernel, paper)),
        "Not compared where": "; ".join(equality.edges) if equality else "",
        "Source": kernel.cites,
        "Equality": f"sha256 {equality.sha256}" if equality else "",
        "Normal form": f"sha256 {kernel.sha256}",
    }
    listed = "\n".join(_paragraph(f"{title}: {text}", INDENT * 2) for title, text in facts.items() if text)
    shown = [] if of_numbers(kernel.program) else ["\n".join(formulas(kernel, INDENT * 2))]
    parts = [_paragraph(f"{QUOTES}{kernel.says}", INDENT), *shown, f"{listed}\n{INDENT}{QUOTES}"]
    return "\n\n".join(parts)


QUOTES = '"""'


def _paragraph(text: str, deeper: str) -> str:
    filled = textwrap.fill(text, WIDTH, initial_indent=INDENT, subsequent_indent=deeper, break_on_hyphens=False)
    return plain(filled)


def support_of(kernel: Specification, paper: str) -> list[str]:
    """The claims that the kernel rests on, by their full ids."""
    return [claim if ":" in claim else f"{paper}:{claim}" for claim in kernel.rests_on]


# --- one paper --------------------------------------------------------------------------------------------------------


def module(paper: str, kernels: Sequence[Specification], equalities: Mapping[str, Equality] | None = None) -> str:
    """Kernels of one paper stand in one file with those that they call: a cached caller misses changes of other files.

    The functions that kernels of several papers call stand in a file of their own, whose sha256 is told here, so that
    this file changes with that one. Kernels of numbers and of sums are for Numba; those of matrices are plain NumPy,
    which overflows where a matrix exponential does.
    """
    texts: list[str] = []
    imports: set[str] = set()
    called: list[str] = []
    for target, chosen in _by_target(kernels):
        made = [function(k, paper, target, (equalities or {}).get(f"{paper}:{k.name}")) for k in chosen]
        bodies = "\n".join(body for _, body in made)
        used = words(bodies)
        shared = sorted(used & set(elementary.NEEDS)) if target.target == "numba" else []
        helpers = target.helpers(used.difference(shared), bodies)
        imports |= set(target.imports(used.difference(shared), "\n".join([bodies, *helpers]))) if chosen else set()
        called += [f"from numerics.kernels.{Path(ELEMENTARY).stem} import {', '.join(shared)}\n"] if shared else []
        texts += [*helpers, *(text for text, _ in made)]
    digest = sha256(elementary_module().encode()).hexdigest()
    sentence = [f"They call {ELEMENTARY}, sha256 {digest}."] if called else []
    said = "\n\n".join([f'"""Kernels of {paper}, compiled on first use.', *sentence, f'{EMITTED}\n"""\n'])
    lines = [said, UNTYPED, sorted_imports(imports), *(["\n".join(["", *called]).rstrip()] if called else [])]
    return "\n\n\n".join(["\n".join(lines), *texts]) + "\n"


def elementary_module() -> str:
    """The functions that kernels of several papers call, compiled into each of them."""
    said = f'"""Elementary functions that emitted kernels call.\n\n{EMITTED}\n"""\n'
    head = "\n".join([said, UNTYPED, sorted_imports(set(elementary.imports(elementary.NEEDS)))])
    return "\n\n\n".join([head, *elementary.programs(elementary.NEEDS)]) + "\n"


def _by_target(kernels: Sequence[Specification]) -> list[tuple[Python, list[Specification]]]:
    """Kernels that others call stand before them."""
    of_matrices = [kernel for kernel in kernels if any(value.kind == "matrix" for value in kernel.inputs)]
    others = [kernel for kernel in kernels if kernel not in of_matrices]
    others.sort(key=lambda kernel: any(value.axes for value in kernel.inputs))
    return [(PYTHON["numba"], others), (PYTHON["numpy"], of_matrices)]


# --- a directory ------------------------------------------------------------------------------------------------------


def sources(
    kernels_by_paper: Mapping[str, Sequence[Specification]],
    verdicts: Mapping[str, str] | None = None,
    equalities: Mapping[str, Equality] | None = None,
) -> dict[str, str]:
    """Every file by name. With verdicts ("proved", ... by full id), kernels on unproved claims are refused.

    `equalities` has the proof that a kernel equals its claims, by the kernel's id; where it is given, a kernel without
    one is refused.
    """
    files: dict[str, str] = {}
    rows: list[str] = []
    for paper in sorted(kernels_by_paper):
        kernels = kernels_by_paper[paper]
        _check(paper, kernels, verdicts)
        _require_equal(paper, kernels, equalities)
        if kernels:
            files[f"{paper}.py"] = module(paper, kernels, equalities)
        rows += [row_of(kernel, paper, (equalities or {}).get(f"{paper}:{kernel.name}")) for kernel in kernels]
    if rows:
        files[ELEMENTARY] = elementary_module()
        files[BALLS] = _copied(Path(balls.__file__).read_text(encoding="utf-8"))
    listed = ",\n".join(rows)
    digests = {name: sha256(text.encode()).hexdigest() for name, text in sorted(files.items())}
    hashed = json.dumps(digests, indent=2).replace("\n}", "\n }")
    files[INDEX] = f'{{\n "schema": 2,\n "files": {hashed},\n "kernels": [\n{listed}\n ]\n}}\n'
    return files


def _copied(text: str) -> str:
    """A module of this package as it is emitted beside the index."""
    said, code = text.split('\n"""\n', 1)
    return f'{said}\n\n{EMITTED}\n"""\n\n{UNTYPED}{code}'


def row_of(kernel: Specification, paper: str, equality: Equality | None = None) -> str:
    """A kernel's entry in the index; its program stands last, a line for every statement."""
    program = kernel.program
    facts = {
        "name": kernel.name,
        "paper": paper,
        "says": kernel.says,
        "inputs": [value.row for value in program.inputs],
        "returns": [value.row for value in program.returns],
        "domain": domain_of(kernel),
        "rests_on": support_of(kernel, paper),
        "cites": kernel.cites,
        "sha256": kernel.sha256,
        **({"edges": equality.edges} if equality and equality.edges else {}),
        **({"equality": equality.sha256} if equality else {}),
    }
    lines = [f'   "{key}": {json.dumps(value, ensure_ascii=False)},\n' for key, value in facts.items()]
    return f'  {{\n{"".join(lines)}   "program": {text_of(program.data)}\n  }}'


def _check(paper: str, kernels: Sequence[Specification], verdicts: Mapping[str, str] | None) -> None:
    taken = [Path(file).stem for file in (BALLS, ELEMENTARY)]
    if not PAPER.fullmatch(paper) or paper in taken:
        raise KernelError(
            f"{paper!r} cannot name a module of kernels: use small letters, digits and _, and another name than "
            f"{' and '.join(taken)}"
        )
    names = [kernel.name for kernel in kernels]
    for kernel in kernels:
        for part in kernel.content.called:
            if part not in kernels:
                raise KernelError(f"the kernel {paper}:{kernel.name} calls {part.name}, which {paper} does not emit")
        if names.count(kernel.name) > 1:
            raise KernelError(f"two kernels of {paper} are called {kernel.name}: give one of them another name")
        for claim in support_of(kernel, paper) if verdicts is not None else ():
            verdict = (verdicts or {}).get(claim, "unknown")
            if verdict not in SUPPORT:
                raise KernelError(
                    f"the kernel {paper}:{kernel.name} rests on {claim}, whose verdict is {verdict}: "
                    "a kernel rests on proved or certified claims only, so name the claim that corrects it"
                )


def not_equal(kernel: str) -> KernelError:
    """Why a kernel is not emitted that no certificate ties to a claim."""
    return KernelError(
        f"the kernel {kernel} is not shown to equal what a claim states: "
        "give paper.emits(equals=...) the claim and what it says of each return"
    )


def _require_equal(paper: str, kernels: Sequence[Specification], equalities: Mapping[str, Equality] | None) -> None:
    for kernel in kernels:
        if equalities is not None and f"{paper}:{kernel.name}" not in equalities:
            raise not_equal(f"{paper}:{kernel.name}")


def write_all(
    kernels_by_paper: Mapping[str, Sequence[Specification]],
    directory: Path,
    verdicts: Mapping[str, str] | None = None,
    equalities: Mapping[str, Equality] | None = None,
) -> list[str]:
    """Bring the directory up to date, all files or none; the names of those written or removed.

    Emitted modules of papers that have no kernels any more are removed.
    """
    files = sources(kernels_by_paper, verdicts, equalities)
    others = sorted(path for path in directory.glob("*.py") if path.name not in files)
    obsolete = [path.name for path in others if EMITTED in path.read_text(encoding="utf-8")]
    return write_together(files, directory, obsolete=obsolete)
