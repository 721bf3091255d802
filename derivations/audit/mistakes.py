"""The mistakes of a paper by cause, for whoever counts and shows them: what repeats which, and in how many statements.

A *mistake* is a printed formula that does not hold, and inherits that from no other. A printed formula that holds in
one sense and fails in another is *ambiguous*. The classes of what is refuted are those that the checker computes.
"""

from __future__ import annotations

from collections import Counter
from functools import cached_property

from derivations.recheck.ledgers.mistakes import (
    ADDED,
    CORRECTIONS,
    HOLDS,
    PRINTED,
    READINGS,
    SENTENCES,
    Entry,
    Errata,
    mended_by,
)

CLASSES = (PRINTED, SENTENCES, CORRECTIONS, READINGS, ADDED)


class Mistakes(Errata):
    """The entries of one paper, with what is wrong by cause."""

    @cached_property
    def mistakes(self) -> list[Entry]:
        """Wrong formulas whose mistake is their own; first those that most other statements inherit."""
        own = [e for e in self._causeless if not self.is_ambiguous(e)]
        return sorted(own, key=lambda e: -len(self.heirs(e)))

    @cached_property
    def ambiguous(self) -> list[Entry]:
        """Formulas that hold in one reading and not in another."""
        return list(filter(self.is_ambiguous, self._causeless))

    @cached_property
    def _causeless(self) -> list[Entry]:
        """Wrong formulas that inherit no mistake."""
        return [e for e in self.formulas if not self.causes(e)]

    def is_ambiguous(self, entry: Entry) -> bool:
        """Whether the same formula is proved at a place that is no special case of where it is refuted."""
        special = tuple(f"{place}, " for place in entry["where"])
        kept = [place for k in self.kept(entry) for place in k["where"]]
        return bool(kept) and not any(place.startswith(special) for place in kept)

    @cached_property
    def repeating(self) -> list[Entry]:
        """Formulas that follow from mistakes before them, and should read otherwise because of these alone."""
        return [e for e in self.entries if e["verdict"] in HOLDS and e["printed"] and mended_by(e) and self.causes(e)]

    def _repeated_by(self, mistake: Entry) -> list[Entry]:
        """Proved entries that take a refuted formula as given, so that its correction would refute them."""
        return [
            e
            for e in self.entries
            if e["verdict"] in HOLDS and mistake["id"] in e["inherits"] and self.spoken_of(e) is not mistake
        ]

    def kept(self, entry: Entry) -> list[Entry]:
        """Proved entries that print the same formula under a hypothesis, or in a sense in which it holds."""
        return [
            e
            for e in self.entries
            if entry["printed"] and e["verdict"] in HOLDS and e["printed"] and e["latex"] == entry["latex"]
        ]

    def heirs(self, mistake: Entry) -> list[Entry]:
        """The statements that inherit one mistake, alone or with others, in the paper's order."""
        refuted = [e for origins, group in self.inherited.items() if mistake["id"] in origins for e in group]
        repeating = [e for e in self.repeating if any(origin is mistake for origin in self.origins(e))]
        heirs = {e["id"]: e for e in [*refuted, *repeating, *self._repeated_by(mistake)]}
        return [e for e in self.entries if e["id"] in heirs]

    def variants(self, formula: Entry) -> list[Entry]:
        return [e for e in self.refuted if self.variant_of(e) is formula]

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
        return len(self.refuted) - self.of_the_print - self.inheriting

    def count(self, verdict: str) -> int:
        return sum(e["verdict"] == verdict for e in self.entries)

    @property
    def counts(self) -> dict[str, int]:
        """The verdicts of a paper's claims; what is refuted counts in three classes, which no total mixes."""
        return {
            "proved": self.count("proved"),
            "certified": self.count("certified"),
            "refuted as printed": self.of_the_print,
            "refuted by inheritance": self.inheriting,
            "refuted in one reading only": self.in_a_reading,
            "argued": self.count("argued"),
            "open": self.count("open"),
        }

    @property
    def by_class(self) -> dict[str, Counter[str]]:
        """The verdicts of the claims, counted for every class that the paper has."""
        counts: dict[str, Counter[str]] = {name: Counter() for name in CLASSES}
        for identifier, kind in self.classes.items():
            counts[kind][self.known[identifier]["verdict"]] += 1
        return {name: verdicts for name, verdicts in counts.items() if verdicts}
