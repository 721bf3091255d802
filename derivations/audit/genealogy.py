"""How the entries of a paper hang together: which printed formula a claim speaks of, and where a mistake began.

A place such as "Eq. 20, link 9, without equation 19" continues the place "Eq. 20, link 9" of a printed formula.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from derivations.audit.verify import Outcome, Report
from derivations.paper.model import Claim
from derivations.prove.certificate import Verdict

HOLDS = (Verdict.PROVED, Verdict.CERTIFIED)


@dataclass(frozen=True)
class Relations:
    """The entries of one report, by what they rest on and by the places that they name."""

    report: Report

    @cached_property
    def outcomes(self) -> dict[str, Outcome]:
        return {o.entry.id: o for o in self.report.outcomes}

    @cached_property
    def premises(self) -> dict[str, tuple[str, ...]]:
        """The premises of every entry of the paper, whether they are verified or not."""
        return {entry.id: entry.rests_on for entry in self.report.paper.entries.values()}

    @cached_property
    def refuted(self) -> list[Outcome]:
        return [o for o in self.report.outcomes if o.verdict is Verdict.REFUTED]

    @cached_property
    def formulas(self) -> list[Outcome]:
        """Refuted formulas of the source."""
        return [o for o in self.refuted if o.entry.printed is not None]

    def correction(self, outcome: Outcome) -> Outcome | None:
        entry = outcome.entry
        return self.outcomes.get(entry.corrected_by or "") if isinstance(entry, Claim) else None

    def spoken_of(self, outcome: Outcome) -> Outcome | None:
        """The printed formula at the longest place that a claim's place continues, refuted ones first."""
        name = outcome.entry.id
        if name not in self._spoken_of:
            found = [
                (len(place), other.verdict is Verdict.REFUTED, -order, other)
                for order, place, other in self._printed
                if other is not outcome and any(where.startswith(place) for where in outcome.entry.where)
            ]
            self._spoken_of[name] = max(found, key=lambda f: f[:3])[3] if found else None
        return self._spoken_of[name]

    @cached_property
    def _spoken_of(self) -> dict[str, Outcome | None]:
        return {}

    @cached_property
    def _printed(self) -> list[tuple[int, str, Outcome]]:
        """Printed formulas with their number, and how a place begins that continues theirs."""
        return [
            (order, f"{place}, ", other)
            for order, other in enumerate(self.report.outcomes)
            if other.entry.printed is not None
            for place in other.entry.where
        ]

    def rests_on(self, name: str | None) -> set[str]:
        """The names of all entries that an entry rests on, directly or through others, its own name included."""
        found: set[str] = set()
        waiting = [name] if name else []
        while waiting:
            current = waiting.pop()
            if current not in found and current in self.premises:
                found.add(current)
                waiting += self.premises[current]
        return found

    def causes(self, outcome: Outcome) -> list[Outcome]:
        """The refuted formulas that a claim only inherits.

        A printed formula inherits a mistake that it rests on if its correction rests on that of the mistake, and on
        the mistake no more. Another claim does if it rests on the correction itself, and the printed formula that it
        speaks of on the mistake.
        """
        entry = outcome.entry
        wrong: str
        right: str | None
        if entry.printed is not None:
            wrong, right = entry.id, self._mended_by(outcome)
        else:
            spoken_of = self.spoken_of(outcome)
            wrong, right = spoken_of.entry.id if spoken_of else "", entry.id
        rests, mended = self.rests_on(wrong), self.rests_on(right)
        found = {
            o.entry.id
            for o in self.formulas
            if o.entry.id in rests and _corrected(o) in mended and (entry.printed is None or o.entry.id not in mended)
        }
        found |= set(outcome.inherits) - {wrong}
        return [o for o in self.formulas if o is not outcome and o.entry.id in found]

    def _mended_by(self, outcome: Outcome) -> str | None:
        """The entry that proves what a printed formula should read."""
        written = self.report.paper.corrections.get(outcome.entry.id)
        return _corrected(outcome) or (written.by if written else None)

    @cached_property
    def repeating(self) -> list[Outcome]:
        """Formulas that follow from mistakes before them, and should read otherwise because of these alone."""
        return [
            o
            for o in self.report.outcomes
            if o.verdict in HOLDS and o.entry.printed and self._mended_by(o) and self.causes(o)
        ]

    def origins(self, outcome: Outcome) -> list[Outcome]:
        """The causes at which a mistake begins: those that inherit no mistake themselves."""
        return [o for o in self.causes(outcome) if not self.causes(o)]

    def repeated_by(self, mistake: Outcome) -> list[Outcome]:
        """Proved entries that take a refuted formula as given, so that its correction would refute them."""
        return [
            o
            for o in self.report.outcomes
            if o.verdict in HOLDS and mistake.entry.id in o.inherits and self.spoken_of(o) is not mistake
        ]

    def kept(self, outcome: Outcome) -> list[Outcome]:
        """Proved entries that print the same formula under a hypothesis, or in a sense in which it holds."""
        printed = outcome.entry.printed
        return [
            o
            for o in self.report.outcomes
            if printed and o.verdict in HOLDS and o.entry.printed and o.entry.printed.latex == printed.latex
        ]


def _corrected(outcome: Outcome) -> str:
    entry = outcome.entry
    return (entry.corrected_by or "") if isinstance(entry, Claim) else ""
