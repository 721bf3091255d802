"""The certificates of a ledger that Rocq confirms, counted by primitive, kind and paper."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from derivations.recheck.ways import primitive
from derivations.rocq.certificates import Collection

CONFIRMED = "confirmed"
Outcome = tuple[str, str]  # "confirmed", "failed" or "not exported", and why


@dataclass
class Table:
    """The outcome for every certificate of a collection."""

    collection: Collection
    outcomes: dict[str, Outcome]
    axioms: list[str] = field(default_factory=list)

    def whole(self) -> list[str]:
        """The entries of which every certificate is confirmed."""
        return [entry.id for entry in self.collection.entries if self._is_whole(entry.needs)]

    def _is_whole(self, needs: Iterable[str]) -> bool:
        return all(self.outcomes[name][0] == CONFIRMED for name in needs)

    def failed(self) -> list[str]:
        """The certificates that Rocq does not accept."""
        return [name for name, (what, _) in self.outcomes.items() if what == "failed"]

    def by_primitive(self) -> dict[str, Counter[str]]:
        """How many certificates of each primitive are confirmed, failed or not exported."""
        counts = dict[str, Counter[str]]()
        for name, certificate in self.collection.certificates.items():
            statement, verdict = certificate["statement"], certificate["verdict"]
            title = primitive(statement, verdict, certificate["method"]).partition(" '")[0]
            counts.setdefault(f"{statement['kind']} {verdict} ({title})", Counter())[self.outcomes[name][0]] += 1
        return dict(sorted(counts.items(), key=lambda item: -item[1].total()))

    def by_paper(self) -> dict[str, tuple[int, int]]:
        """The entries of each paper that are confirmed whole, and all that are decided."""
        counts = dict[str, tuple[int, int]]()
        for entry in self.collection.entries:
            confirmed, decided = counts.get(entry.paper, (0, 0))
            counts[entry.paper] = confirmed + self._is_whole(entry.needs), decided + 1
        return counts

    def reasons(self) -> Counter[Outcome]:
        return Counter(outcome for outcome in self.outcomes.values() if outcome[0] != CONFIRMED)

    def lines(self) -> list[str]:
        """The table as text."""
        total = Counter(outcome for outcome, _ in self.outcomes.values())
        printed = [entry for entry in self.collection.entries if entry.printed]
        shown = sum(self._is_whole(entry.needs) for entry in printed)
        lines = [f"{'certificates':<52} confirmed  failed  not exported"]
        for title, counts in [*self.by_primitive().items(), ("all", total)]:
            lines.append(f"{title:<52} {counts[CONFIRMED]:>9} {counts['failed']:>7} {counts['not exported']:>13}")
        lines += ["", f"{'entries':<52} confirmed  decided"]
        for paper, (confirmed, decided) in self.by_paper().items():
            lines.append(f"{paper:<52} {confirmed:>9} {decided:>8}")
        lines.append(f"{'all':<52} {len(self.whole()):>9} {len(self.collection.entries):>8}")
        lines.append(f"{'printed formulas':<52} {shown:>9} {len(printed):>8}")
        lines += ["", *(f"{count:>5}  {what}: {why}" for (what, why), count in self.reasons().most_common(30))]
        return [*lines, "", f"axioms: {', '.join(self.axioms) or 'none'}"]

    def as_json(self) -> dict[str, object]:
        """Every outcome, with the entries that rest on it."""
        entries = {
            entry.id: {
                "confirmed": self._is_whole(entry.needs),
                "certificates": {name: ": ".join(filter(None, self.outcomes[name])) for name in entry.needs},
            }
            for entry in self.collection.entries
        }
        return {"entries": entries, "axioms": self.axioms}
