"""The refuted statements of a paper, each in one class, so that a mistake is counted once, at its cause.

A *mistake* is a printed formula that does not hold, and inherits that from no other. What only repeats it is
*inherited*. A printed formula that holds in one sense and fails in another is *ambiguous*. Sentences that the source
asserts itself stand apart from *readings*: a sense that the source need not mean, or a statement without one of its
hypotheses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from derivations.audit.genealogy import Relations
from derivations.audit.verify import Outcome, Report
from derivations.paper.model import Claim, Entry
from derivations.prove.certificate import Verdict


@dataclass(frozen=True)
class Errata:
    """The refuted statements of one paper by class; every one is in exactly one class."""

    relations: Relations

    @property
    def report(self) -> Report:
        return self.relations.report

    @property
    def mistakes(self) -> list[Outcome]:
        """Wrong formulas whose mistake is their own; first those that most other statements inherit."""
        own = [o for o in self._causeless if not self.is_ambiguous(o)]
        return sorted(own, key=lambda o: -len(self.heirs(o)))

    @property
    def ambiguous(self) -> list[Outcome]:
        """Formulas that hold in one reading and not in another."""
        return list(filter(self.is_ambiguous, self._causeless))

    @property
    def _causeless(self) -> list[Outcome]:
        """Wrong formulas that inherit no mistake."""
        return [o for o in self.relations.formulas if not self.relations.causes(o)]

    def is_ambiguous(self, outcome: Outcome) -> bool:
        """Whether the same formula is proved at a place that is no special case of where it is refuted."""
        special = tuple(f"{place}, " for place in outcome.entry.where)
        kept = [place for k in self.relations.kept(outcome) for place in k.entry.where]
        return bool(kept) and not any(place.startswith(special) for place in kept)

    @cached_property
    def inherited(self) -> dict[tuple[str, ...], list[Outcome]]:
        """What only repeats mistakes made before, by the names of these."""
        found: dict[tuple[str, ...], list[Outcome]] = {}
        for o in self.relations.refuted:
            origins = tuple(x.entry.id for x in self.relations.origins(o))
            if origins and (o.entry.printed or not self.variant_of(o)):
                found.setdefault(origins, []).append(o)
        return found

    def heirs(self, mistake: Outcome) -> list[Outcome]:
        """The statements that inherit one mistake, alone or with others, in the paper's order."""
        refuted = [o for origins, group in self.inherited.items() if mistake.entry.id in origins for o in group]
        repeating = [o for o in self.relations.repeating if mistake in self.relations.origins(o)]
        found = {o.entry.id: o for o in [*refuted, *repeating, *self.relations.repeated_by(mistake)]}
        return sorted(found.values(), key=lambda o: o.entry.position)

    def variant_of(self, outcome: Outcome) -> Outcome | None:
        """The wrong formula that a claim reads in another way, if there is one."""
        spoken_of = self.relations.spoken_of(outcome)
        is_variant = outcome.entry.printed is None and spoken_of in self.relations.formulas
        return spoken_of if is_variant else None

    def variants(self, formula: Outcome) -> list[Outcome]:
        return [o for o in self.relations.refuted if self.variant_of(o) is formula]

    @property
    def sentences(self) -> list[Outcome]:
        """Refuted sentences that the source asserts itself."""
        return self._others(asserted=True)

    @property
    def readings(self) -> list[Outcome]:
        """Refuted readings and statements without a hypothesis that belong to no wrong formula."""
        return self._others(asserted=False)

    def _others(self, asserted: bool) -> list[Outcome]:
        inheriting = {o.entry.id for group in self.inherited.values() for o in group}
        return [
            o
            for o in self.relations.refuted
            if o.entry.printed is None
            and o.entry.id not in inheriting
            and self.variant_of(o) is None
            and self._is_asserted(o.entry) is asserted
        ]

    def _is_asserted(self, entry: Entry) -> bool:
        """Whether the source says it; a claim that was expected to hold is taken for what the source says."""
        is_expected = isinstance(entry, Claim) and entry.expect is Verdict.REFUTED
        return entry.id in self.report.paper.asserted or not is_expected

    # --- how many ---------------------------------------------------------------------------------------------------

    @property
    def of_the_print(self) -> int:
        """How many formulas and sentences do not hold as the source prints them, each counted at its cause."""
        return len(self.mistakes) + len(self.sentences)

    @property
    def inheriting(self) -> int:
        """How many statements only repeat a mistake that was made before."""
        return sum(map(len, self.inherited.values()))

    @property
    def in_a_reading(self) -> int:
        """How many statements fail only in one reading, or once a hypothesis is dropped."""
        return len(self.relations.refuted) - self.of_the_print - self.inheriting
