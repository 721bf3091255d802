"""How many claims of each class got which verdict: what is printed counts apart from what was added to judge it."""

from __future__ import annotations

from collections import Counter

from derivations.audit.errata import Errata
from derivations.audit.verify import BEYOND, Outcome, Report
from derivations.paper.model import Claim
from derivations.prove.certificate import Verdict

PRINTED, SENTENCES = "printed formulas", "sentences"
CORRECTIONS, READINGS, ADDED = "corrections", "readings, hypotheses dropped", "beyond the paper"
CLASSES = (PRINTED, SENTENCES, CORRECTIONS, READINGS, ADDED)


def by_class(report: Report, errata: Errata) -> dict[str, Counter[Verdict]]:
    """The verdicts of the claims of a paper, counted for every class that it has."""
    classes = classes_of(report, errata)
    found: dict[str, Counter[Verdict]] = {name: Counter() for name in CLASSES}
    for outcome in report.outcomes:
        if outcome.verdict is not None:
            found[classes[outcome.entry.id]][outcome.verdict] += 1
    return {name: counts for name, counts in found.items() if counts}


def classes_of(report: Report, errata: Errata) -> dict[str, str]:
    """The class of every claim by its id."""
    wrong = [*errata.relations.formulas, *errata.sentences]
    corrections = {o.entry.corrected_by for o in wrong if isinstance(o.entry, Claim)}
    variants = [o for o in errata.relations.refuted if errata.variant_of(o)]
    readings = {o.entry.id for o in [*errata.readings, *variants]}
    return {
        outcome.entry.id: _class(outcome, corrections, readings)
        for outcome in report.outcomes
        if outcome.verdict is not None
    }


def _class(outcome: Outcome, corrections: set[str | None], readings: set[str]) -> str:
    entry = outcome.entry
    if entry.printed is not None:
        return PRINTED
    if entry.id in corrections:
        return CORRECTIONS
    if any(place.startswith(BEYOND) for place in entry.where):
        return ADDED
    return READINGS if entry.id in readings else SENTENCES
