"""The command `derivations emit`: kernels are found, the claims they rest on judged, and their files written, all or
none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from derivations.audit.verify import judging
from derivations.commands.arguments import check_folder
from derivations.commands.safely import as_accurate, safe
from derivations.commands.selection import is_path, paper_meant
from derivations.kernels.kernel import Kernel
from derivations.kernels.specification.names import KernelError
from derivations.kernels.targets import check_target, files_of
from derivations.kernels.targets.bridges import bridge_of
from derivations.kernels.targets.facts import Facts
from derivations.paper.equals.derivatives import equality
from derivations.paper.files import papers_at
from derivations.paper.library import library
from derivations.paper.model import Paper
from derivations.paper.naming import PaperError
from derivations.paper.supports import facts as supported
from derivations.recheck.check import check
from derivations.report import moving
from derivations.text import did_you_mean, write_together


@dataclass(frozen=True)
class Chosen:
    """A kernel with its paper, and whether it was asked for by its own name."""

    paper: Paper
    kernel: Kernel
    by_name: bool

    @property
    def id(self) -> str:
        return f"{self.paper.key}:{self.kernel.name}"


def emit(
    words: Sequence[str],
    target: str,
    folder: Path,
    step: Callable[[str], object] = lambda _: None,
    tell: Callable[[str], object] = lambda _: None,
    *,
    ways: Sequence[str] = (),
) -> list[str]:
    """Write the kernels that the words name, or all of them; the names of the files.

    `step` is told the id of each kernel when it is done, and `tell` what is written in another form than was given.
    `ways` are the derivatives to write beside each kernel: "jvp", "vjp" or both.
    """
    check_target(target)
    check_folder(folder, "-o")
    own = bool(words) and all(is_path(word) or is_path(word.rpartition(":")[0] or word) for word in words)
    papers = {} if own else library()  # which takes seconds to import
    every = chosen(words, papers)
    names = names_of(every)
    verdict_of = judging()
    files: dict[str, str] = {}
    for one, name in zip(every, names, strict=True):
        facts = supported(one.paper, one.kernel, papers, verdict_of, name)
        kernel = safe(one.kernel, tell)
        files |= files_of(kernel, target, facts)
        if ways:
            files |= derivatives(one, kernel, target, facts, ways=ways, tell=tell)
        step(one.id)
    if target == "js":
        files |= moving_pages(every, names, files)
    refuse_to_overwrite(files, folder, target)
    write_together(files, folder)
    return sorted(files)


def moving_pages(every: Sequence[Chosen], names: Sequence[str], files: Mapping[str, str]) -> dict[str, str]:
    """The pages of papers all of whose kernels are among those that were written, with their modules inside."""
    modules = {one.id: files[f"{name}.mjs"] for one, name in zip(every, names, strict=True)}
    papers = {one.paper.key: one.paper for one in every}
    pages = [page for paper in papers.values() for page in moving.pages(paper) if modules.keys() >= set(page.kernels)]
    return {f"{page.name}.html": moving.html(page, modules) for page in pages}


def derivatives(
    one: Chosen,
    kernel: Kernel,
    target: str,
    facts: Facts,
    *,
    ways: Sequence[str],
    tell: Callable[[str], object],
) -> dict[str, str]:
    """The files of a kernel's derivatives, each proved and checked, and what hands them to other tools."""
    files: dict[str, str] = {}
    for way in ways:
        derived = kernel.along() if way == "jvp" else kernel.against()
        certificate = equality(kernel, derived)
        check(certificate.as_json())
        shown = (f"that it is the derivative of {one.kernel.name}, in every branch", certificate.verdict.value)
        described = replace(facts, name=f"{facts.name}_{way}", supports=(*facts.supports, shown))
        files |= files_of(as_accurate(derived, tell), target, described)
    return files | bridge_of(kernel, facts.name, target, ways)


def refuse_to_overwrite(files: Mapping[str, str], folder: Path, target: str) -> None:
    """A Python file that another target wrote stays; one of the same target is renewed."""
    for name, text in files.items():
        there = folder / name
        if name.endswith(".py") and there.is_file():
            other = library_of(there.read_text("utf-8", "replace"))
            if other != library_of(text):
                raise PaperError(
                    f"{there} was written for {other}, and {target} writes a file of the same name: "
                    "give -o another folder for each target"
                )


def library_of(text: str) -> str:
    """For which library an emitted Python file is written: it imports it."""
    imported = re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE)
    return next((name for name in ("torch", "numba", "jax") if name in imported), "numpy")


# --- finding ----------------------------------------------------------------------------------------------------------


def chosen(words: Sequence[str], papers: Mapping[str, Paper]) -> list[Chosen]:
    """Each kernel once, in the order in which it was asked for; no words mean every kernel of every paper."""
    by_id: dict[str, Chosen] = {}
    for word in words or papers:
        for one in _meant(word, papers):
            if one.id in by_id and by_id[one.id].kernel != one.kernel:
                raise KernelError(f"two kernels are called {one.id}: give one of them another name")
            if one.id not in by_id or (one.by_name and not by_id[one.id].by_name):
                by_id[one.id] = one
    return list(by_id.values())


def _meant(word: str, papers: Mapping[str, Paper]) -> list[Chosen]:
    where, _, name = word.rpartition(":")
    if is_path(word) and not (where and is_path(where) and Path(where).exists()):
        return [one for paper in papers_at(Path(word)) for one in _of(paper)]
    if word in papers:
        return _of(papers[word], quiet=True)
    if where and is_path(where):
        papers, word = {paper.key: paper for paper in papers_at(Path(where))}, name
    every = [Chosen(paper, kernel, True) for paper in papers.values() for kernel in paper.kernels]
    if meant := [one for one in every if word in (one.id, one.kernel.name)]:
        return meant
    cut_short = None if where in papers else paper_meant(where or word)
    if cut_short:
        return _meant(f"{cut_short.key}:{name}" if where else cut_short.key, {**papers, cut_short.key: cut_short})
    known = {form for one in every for form in (one.id, one.kernel.name)} | set(papers)
    raise PaperError(
        f"no kernel or paper is called {word}{did_you_mean(word, sorted(known))}; "
        "give paper:name, a kernel's name, a paper's key or a Python file or folder with a Paper"
    )


def _of(paper: Paper, *, quiet: bool = False) -> list[Chosen]:
    if not paper.kernels and not quiet:
        raise PaperError(f"the paper {paper.key} has no kernels: add one with paper.emits(...)")
    return [Chosen(paper, kernel, False) for kernel in paper.kernels]


def names_of(every: Iterable[Chosen]) -> list[str]:
    """Return what the files are called; kernels of equal name, capitals aside, are told apart by their papers."""
    every = list(every)
    plain = [one.kernel.name.casefold() for one in every]
    names = [
        one.kernel.name if plain.count(key) == 1 else f"{one.paper.key}_{one.kernel.name}"
        for one, key in zip(every, plain, strict=True)
    ]
    for one, name in zip(every, names, strict=True):
        if [other.casefold() for other in names].count(name.casefold()) > 1:
            raise KernelError(f"two kernels would be written to files called {name}: emit {one.id} alone")
    return names
