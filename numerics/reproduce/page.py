"""The page of results: every panel with its picture, what was expected and found, and what was chosen here."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from numerics.reproduce.experiments import NOT_STATED, Experiment, note, papers, registry
from numerics.reproduce.outcome import Outcome

INTRODUCTION = (
    "Every panel that was repeated, as `numerics reproduce` found it. *Quick* runs have smaller sizes; their "
    "configuration is in `numerics/reproduce/experiments` beside the full one."
)
DRAWN = "`numerics reproduce --out results` draws all panels, and writes this page with every picture into `results`."
VERSIONS = "## Versions"
MARK = re.compile(r"<!-- (\S+) (quick|full) ([0-9a-f]{64}) -->")


class Section(NamedTuple):
    """One panel on the page."""

    experiment: Experiment
    verdict: str
    lines: tuple[str, ...]


class Page(NamedTuple):
    """The panels that are registered and the versions, as an earlier page has them."""

    sections: tuple[Section, ...] = ()
    versions: tuple[str, ...] = ()


NOTHING = Page()


def page(
    outcomes: Sequence[Outcome], pictures: str = "", shown: Collection[str] | None = None, before: Page = NOTHING
) -> str:
    """The page as Markdown.

    `pictures` is the folder, seen from the page, in which the papers' folders lie, and `shown` are the panels whose
    pictures lie there: all of them if it is left out. Panels that have no outcome stay as they were `before`.
    """
    new = {outcome.experiment.id: _section(outcome, pictures, shown) for outcome in outcomes}
    sections = {section.experiment.id: section for section in before.sections} | new
    order = [sections[one.id] for paper in papers() for one in registry(paper) if one.id in sections]
    lines = ["# Results", "", INTRODUCTION if shown is None else f"{INTRODUCTION} {DRAWN}", ""]
    lines += ["| source | panels | repeated | reproduced | differ |", "| --- | ---: | ---: | ---: | ---: |"]
    keys = list(dict.fromkeys(section.experiment.paper for section in order))
    for paper in keys:
        verdicts = [section.verdict for section in order if section.experiment.paper == paper]
        counts = (len(registry(paper)), len(verdicts), verdicts.count("reproduced"), verdicts.count("differs"))
        lines.append(f"| [{paper}](#{paper}) | " + " | ".join(map(str, counts)) + " |")
    for paper in keys:
        lines += ["", f"## {paper}", *(["", remark] if (remark := note(paper)) else [])]
        lines += [line for section in order if section.experiment.paper == paper for line in ("", *section.lines)]
    versions = dict.fromkeys([*(before.versions if sections.keys() != new.keys() else ()), *_versions(outcomes)])
    return "\n".join([*lines, "", VERSIONS, "", *versions, ""])


def read(text: str) -> Page:
    """Return what a page has of panels that are registered as they were when it was written.

    >>> read("# Results")
    Page(sections=(), versions=())
    """
    whole, _, versions = text.partition(f"\n{VERSIONS}\n")
    registered = {experiment.id: experiment for paper in papers() for experiment in registry(paper)}
    sections = []
    for part in re.split(r"\n(?=### )|\n(?=## )", whole):
        lines = tuple(part.rstrip("\n").split("\n"))
        mark = MARK.fullmatch(lines[1]) if len(lines) > 1 else None
        experiment = registered.get(mark[1]) if mark else None
        if mark and experiment and experiment.digest(quick=mark[2] == "quick") == mark[3]:
            sections.append(Section(experiment, lines[0].rpartition(": ")[2], lines))
    return Page(tuple(sections), tuple(line for line in versions.splitlines() if line))


def _mark(outcome: Outcome) -> str:
    """A comment, unseen on the page, that identifies the configuration and seed of a panel."""
    return f"<!-- {outcome.experiment.id} {outcome.run} {outcome.result.digest} -->"


def _section(outcome: Outcome, pictures: str, shown: Collection[str] | None) -> Section:
    is_shown = shown is None or outcome.experiment.id in shown
    return Section(outcome.experiment, outcome.verdict, tuple(_lines(outcome, pictures if is_shown else None)))


def _lines(outcome: Outcome, pictures: str | None) -> Iterable[str]:
    """One panel, with its picture if there is a folder of pictures."""
    experiment, result = outcome.experiment, outcome.result
    yield f"### {experiment.where}: {outcome.verdict}"
    yield _mark(outcome)
    yield ""
    if pictures is not None:
        stem = f"{pictures}{experiment.paper}/{experiment.name}"
        yield f"![{experiment.where}]({stem}.png)"
        yield ""
    yield outcome.sentence
    yield ""
    if experiment.chosen_here:
        yield f"*{NOT_STATED.capitalize()}*: {'; '.join(experiment.chosen_here)}."
    yield f"`{experiment.id}`, {outcome.run} run, seed {result.seed}, {result.seconds:.1f} s."


def _versions(outcomes: Iterable[Outcome]) -> list[str]:
    sets = dict.fromkeys(tuple(outcome.result.versions.items()) for outcome in outcomes)
    return ["- " + "; ".join(f"{name} {number}" for name, number in each) for each in sets]
