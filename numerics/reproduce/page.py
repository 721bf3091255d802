"""The page of results: every panel with its picture, what was expected and found, and what was chosen here."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from numerics.reproduce.experiments import NOT_STATED, note, papers, registry
from numerics.reproduce.outcome import Outcome

INTRODUCTION = (
    "Every panel that was repeated, as `numerics reproduce` found it. *Quick* runs have smaller sizes; their "
    "configuration is in `numerics/reproduce/experiments` beside the full one."
)
DRAWN = "`numerics reproduce --out results` draws all panels, and writes this page with every picture into `results`."


def page(outcomes: Sequence[Outcome], pictures: str = "", shown: Collection[str] | None = None) -> str:
    """The page as Markdown.

    `pictures` is the folder, seen from the page, in which the papers' folders lie, and `shown` are the panels whose
    pictures lie there: all of them if it is left out.
    """
    keys = [paper for paper in papers() if any(outcome.experiment.paper == paper for outcome in outcomes)]
    lines = ["# Results", "", INTRODUCTION if shown is None else f"{INTRODUCTION} {DRAWN}", ""]
    lines += ["| source | panels | repeated | reproduced | differ |", "| --- | ---: | ---: | ---: | ---: |"]
    for paper in keys:
        found = [outcome.verdict for outcome in outcomes if outcome.experiment.paper == paper]
        counts = (len(registry(paper)), len(found), found.count("reproduced"), found.count("differs"))
        lines.append(f"| [{paper}](#{paper}) | " + " | ".join(map(str, counts)) + " |")
    for paper in keys:
        lines += ["", f"## {paper}", *(["", told] if (told := note(paper)) else [])]
        for outcome in outcomes:
            if outcome.experiment.paper == paper:
                is_shown = shown is None or outcome.experiment.id in shown
                lines += ["", *_section(outcome, pictures if is_shown else None)]
    return "\n".join([*lines, "", "## Versions", "", *_versions(outcomes), ""])


def _mark(outcome: Outcome) -> str:
    """A comment, unseen on the page, that identifies the configuration and seed of a panel."""
    return f"<!-- {outcome.experiment.id} {outcome.run} {outcome.result.digest} -->"


def _section(outcome: Outcome, pictures: str | None) -> Iterable[str]:
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
