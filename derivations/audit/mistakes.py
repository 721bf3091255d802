"""The mistakes of a paper by cause: which entries are refuted, what repeats which, and in how many statements.

A *mistake* is a printed formula that does not hold, and inherits that from no other; what only repeats it is
*inherited*. A printed formula that holds in one sense and fails in another is *ambiguous*. Sentences that the source
asserts itself stand apart from *readings*: a sense that the source need not mean, or a statement without one of its
hypotheses. A place such as "Eq. 20, link 9, without equation 19" continues the place "Eq. 20, link 9" of a formula.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from derivations.recheck.ledgers.relations import HOLDS

Entry = Mapping[str, Any]  # as a ledger has it
PRINTED, SENTENCES = "printed formulas", "sentences"
CORRECTIONS, READINGS, ADDED = "corrections", "readings, hypotheses dropped", "beyond the paper"
ARITHMETIC = "arithmetic steps"
CLASSES = (PRINTED, SENTENCES, CORRECTIONS, READINGS, ADDED, ARITHMETIC)
DECLARED = ("symbols", "letters", "arrays", "states")
"""Fields that declare the letters of a statement."""


class Mistakes:
    """The entries of one paper by what they rest on; of those that are refuted, every one is in exactly one class.

    premises: what every entry of the paper rests on, by its id, where only some of the entries are given. quantities:
    the letters of the paper's models, without which a statement is an arithmetic step; none if nothing declares them.
    """

    def __init__(
        self,
        entries: Iterable[Entry],
        premises: Mapping[str, Sequence[str]] | None = None,
        quantities: Collection[str] = (),
    ) -> None:
        self.entries: Sequence[Entry] = list(entries)
        self.quantities = {*quantities}
        self.known = {entry["id"]: entry for entry in self.entries}
        self.premises = premises or {entry["id"]: entry["rests_on"] for entry in self.entries}
        self._spoken: dict[str, Entry | None] = {}
        self._caused: dict[str, list[Entry]] = {}

    @cached_property
    def refuted(self) -> list[Entry]:
        return [e for e in self.entries if e["verdict"] == "refuted"]

    @cached_property
    def formulas(self) -> list[Entry]:
        """Refuted formulas of the source."""
        return [e for e in self.refuted if e["printed"]]

    # --- how entries hang together ----------------------------------------------------------------------------------

    def correction(self, entry: Entry) -> Entry | None:
        return self.known.get(entry["corrected_by"] or "")

    def spoken_of(self, entry: Entry) -> Entry | None:
        """The printed formula at the longest place that the place of an entry continues, refuted ones first."""
        if entry["id"] not in self._spoken:
            continued = [
                (len(place), other["verdict"] == "refuted", -order, other)
                for order, place, other in self._printed
                if other["id"] != entry["id"] and any(where.startswith(place) for where in entry["where"])
            ]
            self._spoken[entry["id"]] = max(continued, key=lambda f: f[:3])[3] if continued else None
        return self._spoken[entry["id"]]

    @cached_property
    def _printed(self) -> list[tuple[int, str, Entry]]:
        """Printed formulas with their number, and how a place begins that continues theirs."""
        return [
            (order, f"{place}, ", entry)
            for order, entry in enumerate(self.entries)
            if entry["printed"]
            for place in entry["where"]
        ]

    def rests_on(self, identifier: str | None) -> set[str]:
        """The ids of all entries that an entry rests on, directly or through others, its own id included."""
        reached: set[str] = set()
        waiting = [identifier] if identifier else []
        while waiting:
            current = waiting.pop()
            if current not in reached and current in self.premises:
                reached.add(current)
                waiting += self.premises[current]
        return reached

    def arguments(self, entry: Entry) -> list[Entry]:
        """The argued entries that another one rests on, directly or through others."""
        if not entry["verdict"]:
            return []
        return [self.known[i] for i in sorted(self.rests_on(entry["id"]) - {entry["id"]}) if self._is_argued(i)]

    def _is_argued(self, identifier: str) -> bool:
        return identifier in self.known and self.known[identifier]["verdict"] == "argued"

    def causes(self, entry: Entry) -> list[Entry]:
        """The refuted formulas that a claim only inherits.

        A printed formula inherits a mistake that it rests on if its correction rests on that of the mistake, and on
        the mistake no more. Another claim does if it rests on the correction itself, and the printed formula that it
        speaks of on the mistake.
        """
        if entry["id"] not in self._caused:
            self._caused[entry["id"]] = self._causes(entry)
        return self._caused[entry["id"]]

    def _causes(self, entry: Entry) -> list[Entry]:
        wrong: str
        right: str | None
        if entry["printed"]:
            wrong, right = entry["id"], mended_by(entry)
        else:
            spoken_of = self.spoken_of(entry)
            wrong, right = spoken_of["id"] if spoken_of else "", entry["id"]
        rests, mended = self.rests_on(wrong), self.rests_on(right)
        inherited = {
            e["id"]
            for e in self.formulas
            if e["id"] in rests and e["corrected_by"] in mended and (not entry["printed"] or e["id"] not in mended)
        }
        inherited |= set(entry["inherits"]) - {wrong}
        return [e for e in self.formulas if e["id"] in inherited and e["id"] != entry["id"]]

    def origins(self, entry: Entry) -> list[Entry]:
        """The causes at which a mistake begins: those that inherit no mistake themselves."""
        return [e for e in self.causes(entry) if not self.causes(e)]

    # --- classes of what is refuted ---------------------------------------------------------------------------------

    @cached_property
    def inherited(self) -> dict[tuple[str, ...], list[Entry]]:
        """Entries that only repeat mistakes made before, by the ids of these."""
        groups: dict[tuple[str, ...], list[Entry]] = {}
        for entry in self.refuted:
            origins = tuple(e["id"] for e in self.origins(entry))
            if origins and (entry["printed"] or not self.variant_of(entry)):
                groups.setdefault(origins, []).append(entry)
        return groups

    def variant_of(self, entry: Entry) -> Entry | None:
        """The wrong formula that a claim reads in another way, if there is one."""
        spoken_of = self.spoken_of(entry)
        is_variant = not entry["printed"] and spoken_of is not None and spoken_of["verdict"] == "refuted"
        return spoken_of if is_variant else None

    @cached_property
    def sentences(self) -> list[Entry]:
        """Refuted sentences that the source asserts itself."""
        return [e for e in self._others if _is_asserted(e)]

    @cached_property
    def readings(self) -> list[Entry]:
        """Refuted readings and statements without a hypothesis that belong to no wrong formula."""
        return [e for e in self._others if not _is_asserted(e)]

    @property
    def _others(self) -> list[Entry]:
        inheriting = {e["id"] for group in self.inherited.values() for e in group}
        return [
            e for e in self.refuted if not e["printed"] and e["id"] not in inheriting and self.variant_of(e) is None
        ]

    @cached_property
    def classes(self) -> dict[str, str]:
        """The class of every claim by its id."""
        corrections = {e["corrected_by"] for e in [*self.formulas, *self.sentences]}
        variants = [e for e in self.refuted if self.variant_of(e)]
        readings = {e["id"] for e in [*self.readings, *variants]}
        return {
            e["id"]: ARITHMETIC if self.is_arithmetic(e) else _class(e, corrections, readings)
            for e in self.entries
            if e["verdict"]
        }

    def is_arithmetic(self, entry: Entry) -> bool:
        """Check whether no quantity of a model occurs in what was judged, which so says nothing about the model."""
        if not self.quantities or entry["kind"] != "claim" or entry["printed"] or not entry["certificate"]:
            return False
        return self.quantities.isdisjoint(_letters(entry["certificate"]["statement"]))

    # --- mistakes and what repeats them ---------------------------------------------------------------------------

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
        """Check whether the same formula is proved at a place that is no special case of where it is refuted."""
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

    @cached_property
    def repeats(self) -> dict[str, list[Entry]]:
        """The mistakes that statements inherit which hold as they follow from the print, by the ids of these."""
        pairs = [(heir["id"], e) for e in self.mistakes for heir in self.heirs(e) if heir["verdict"] in HOLDS]
        return {identifier: [e for other, e in pairs if other == identifier] for identifier, _ in pairs}

    def variants(self, formula: Entry) -> list[Entry]:
        return [e for e in self.refuted if self.variant_of(e) is formula]

    # --- how many ---------------------------------------------------------------------------------------------------

    @property
    def of_the_print(self) -> int:
        """How many formulas and sentences do not hold as the source prints them, each counted at its cause."""
        return len(self.mistakes) + len(self.sentences)

    @property
    def inheriting(self) -> int:
        """How many statements only repeat a mistake that was made before; what is right in one sense is none."""
        mistakes = {e["id"] for e in self.mistakes}
        return sum(len(group) for origins, group in self.inherited.items() if mistakes & {*origins})

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


def _letters(statement: Any) -> Iterator[str]:
    """The letters that a statement declares, and those of its formulas."""
    match statement:
        case dict():
            for key, value in statement.items():
                yield from value if key in DECLARED and isinstance(value, dict) else ()
                yield from _letters(value)
        case ["s" | "L", str() as name] | ("s" | "L", str() as name):
            yield name
        case list() | tuple():
            for part in statement:
                yield from _letters(part)


def mended_by(entry: Entry) -> str | None:
    """The entry that proves what a printed formula should read."""
    corrected_by: str | None = entry["corrected_by"]
    return corrected_by or entry["mended_by"]


def _is_asserted(entry: Entry) -> bool:
    """Check whether the source says it; a claim that was expected to hold is taken for what the source says."""
    return bool(entry["asserted"] or entry["expected"] != "refuted")


def _class(entry: Entry, corrections: set[str | None], readings: set[str]) -> str:
    if entry["printed"]:
        return PRINTED
    if entry["id"] in corrections:
        return CORRECTIONS
    if any(place.startswith("Beyond") for place in entry["where"]):
        return ADDED
    return READINGS if entry["id"] in readings else SENTENCES
