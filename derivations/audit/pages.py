"""Verdicts that the pages of a checkout show, against the ledger of papers that was checked.

Pages are laid out elsewhere, by code that nobody has to believe. Whatever tells of a verdict is compared here, with
what the checker prints itself: in `claims.md` each entry stands once, with its verdict, what was judged, supposed and
trusted, and where it fails; in `errata.md` so does what is refuted; and the table of `findings.md` counts the verdicts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from derivations.audit.mistakes import Mistakes
from derivations.audit.witness import briefly, reason
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import VERDICTS
from derivations.recheck.ledgers.reading import abridged, sentence

Entry = Mapping[str, Any]  # as a ledger has it
Paper = Mapping[str, Any]
FOLDER = "docs/papers"
LONGEST_WITNESS = 160  # characters; the errata have it whole
FEW, SHORT = 6, 600  # lines, and characters, of a sentence that is not folded
LONGEST = 20_000  # characters of what is folded; the terminal shows more
JUDGED, PART = "Judged", "- ("  # how a sentence begins that supposes nothing, and how its folded parts do
SIGNS = {
    "proved": "✓ proved",
    "certified": "≈ certified",
    "refuted": "✗ **refuted**",
    "argued": "∴ argued",
    "open": "? open",
    "definition": "≔ definition",
    "experiment": "∿ experiment",
}
SPECIAL = re.compile(r"([*<|])")
TELLING = ("For all ", "Where ", "With ", "Along ", "Writing ", JUDGED, PART, "Trusts: ", "*Witness.*", "- Witness: ")
"""How lines begin that tell of a verdict."""
OWN = re.compile(r'(?:- |#{3,4} )<a id="([^"]*)"></a>(.*)')
ELSEWHERE = re.compile(r"- (.*) under another equation: \[`([^`]*)`\]")
BY_VERDICT = re.compile(rf"\(`(\w+)`, ({'|'.join(VERDICTS)})\b")
WRONG = re.compile(r"\*\* \(`(\w+)`\)")
ROW = re.compile(r"\| (\w+)[^|]* \| (\d+) \|")


# --- what a page has to show of an entry ------------------------------------------------------------------------------


def text(said: str) -> str:
    r"""A sentence in which Markdown finds no markup.

    >>> text("a < b*c")
    'a \\< b\\*c'
    """
    return SPECIAL.sub(r"\\\1", said)


def code(said: str) -> str:
    """Text that is shown sign by sign, whatever stands in it."""
    return f"`{said.replace('`', chr(92) + 'u0060')}`"


def standing(entry: Entry) -> str:
    """The verdict of an entry, or the kind of one that claims nothing, with its sign."""
    return SIGNS[entry["verdict"] or entry["kind"]]


def judged(entry: Entry) -> list[str]:
    """Return the sentence that a verdict is about, as the checker says it: one line, or one and those to be folded."""
    if entry["certificate"] is None:
        return []
    supposed, lines = sentence(entry["certificate"]["statement"])
    before = text(supposed[:1].upper() + supposed[1:]) if supposed else JUDGED
    if len(lines) <= FEW and sum(map(len, lines)) <= SHORT:
        return [f"{before}: {'; and '.join(map(code, lines))}."]
    parts = [f"({number}) {code(line)}" for number, line in enumerate(lines, 1)]
    if len(parts) == 1:
        return [f"{before}: {code(lines[0])}."]
    shown = next((k for k in range(1, len(parts)) if sum(map(len, parts[1 : k + 1])) > LONGEST), len(parts))
    left = f"and {len(parts) - shown} more: `derivations show {entry['id']} --all`" if shown < len(parts) else ""
    folded = [f"- {part}" for part in parts[1:shown]]
    return [f"{before}, in {len(parts)} parts: {parts[0]}.", *folded, *([f"{PART}{shown + 1}) {left}"] if left else [])]


def trusts(entry: Entry) -> list[str]:
    """The parts of the checker that a certificate rests on."""
    return [f"Trusts: {text(', '.join(entry['trusts']))}."] if entry["trusts"] else []


def fails(entry: Entry) -> list[str]:
    """The point at which a printed formula fails."""
    is_wrong = entry["latex"] and entry["verdict"] == "refuted"
    return [f"- Witness: {text(briefly(entry, LONGEST_WITNESS))}"] if is_wrong else []


def to_tell(entry: Entry) -> list[str]:
    """Every line that a page of claims tells of the verdict of an entry."""
    return [*fails(entry), *judged(entry), *trusts(entry)]


# --- what pages show --------------------------------------------------------------------------------------------------


def verdict_faults(root: Path, papers: Sequence[Paper]) -> list[tuple[str, str]]:
    """Verdicts that the pages of a checkout show otherwise than a ledger: files, each with a sentence.

    What is written of the entries of a ledger is only worth what the ledger is: `recheck_ledger` checks that first.
    """
    if not papers:
        raise Rejected("pages are compared with a ledger, and this file holds one certificate: leave out --pages")
    if part := [paper["key"] for paper in papers if not paper["whole"]]:
        raise Rejected(f"a page shows a whole paper, and the ledger has a part of {part[0]}: verify it without a name")
    found: list[tuple[str, str]] = []
    for paper in papers:
        errata = Mistakes(paper["entries"], quantities=paper["quantities"])
        for name, look in {"claims.md": _claims, "errata.md": _errata, "findings.md": _findings}.items():
            path = root / FOLDER / paper["key"] / name
            page = path.read_text("utf-8", "replace") if path.is_file() else ""
            found += ((f"{FOLDER}/{paper['key']}/{name}", said) for said in look(page, errata))
    return found


def _claims(page: str, errata: Mistakes) -> Iterator[str]:
    """Every entry stands there once, as the ledger has it, and nothing else has a verdict."""
    count = Counter[str]()
    for name, verdict, lines, entry in _told(page, errata):
        if verdict is None:
            count[name] += 1
            expected = to_tell(entry) if entry else []
        else:
            expected = fails(entry) if entry and verdict == standing(entry) else ["its verdict"]
        if told(lines) != expected:
            yield f"what is told of {name or 'the paper'} is not what the ledger has"
    names = {_name(entry): entry for entry in errata.entries}
    for line in page.split("\n"):
        if any(sign in line for sign in SIGNS.values()) and not ELSEWHERE.match(line.strip()):
            start = OWN.match(line.strip())
            entry = names.pop(start[1], None) if start else None
            argued = " (resting on the argument " if entry and errata.arguments(entry) else " `"
            if entry is None or start is None or not start[2].startswith(standing(entry) + argued):
                yield f"a verdict that the ledger does not have: {abridged(line, LONGEST_WITNESS)}"
    yield from (f"{name} is not there" for name in names)


def _errata(page: str, errata: Mistakes) -> Iterator[str]:
    """Check that mistakes are refuted, with the witness that the ledger has, and that their corrections hold."""
    names = {_name(entry): entry["verdict"] for entry in errata.entries}
    for name, _, lines, entry in _told(page, errata):
        expected = [*judged(entry), f"*Witness.* {text(reason(entry))}"] if entry else []
        if told(lines) != expected or (entry and entry["verdict"] != "refuted"):
            yield f"what is told of {name or 'the paper'} is not what the ledger has"
    named = [*BY_VERDICT.findall(page), *((name, "refuted") for name in WRONG.findall(page))]
    yield from (f"{name} is told to be {verdict}" for name, verdict in named if names.get(name) != verdict)


def _findings(page: str, errata: Mistakes) -> Iterator[str]:
    """The table counts as many of each verdict as the ledger has."""
    counted = Counter[str]()
    for verdict, number in ROW.findall(page):
        counted[verdict] += int(number)
    for verdict in VERDICTS:
        number = sum(entry["verdict"] == verdict for entry in errata.entries)
        if counted[verdict] != number:
            yield f"{counted[verdict]} are told to be {verdict}, and in the ledger {number} are"


def _told(page: str, errata: Mistakes) -> Iterator[tuple[str, str | None, list[str], Entry | None]]:
    """Where a page tells of an entry: its name, the verdict if it stands elsewhere, the lines, and the entry."""
    names = {_name(entry): entry for entry in errata.entries}
    name, verdict, lines = "", None, list[str]()
    for line in [*map(str.strip, page.split("\n")), '- <a id=""></a>']:
        own, elsewhere = OWN.match(line), ELSEWHERE.match(line)
        if own or elsewhere:
            yield name, verdict, lines, names.get(name)
            name, verdict = (own[1], None) if own else (elsewhere[2], elsewhere[1]) if elsewhere else ("", None)
            lines = []
        else:
            lines.append(line)


def told(lines: Iterable[str]) -> list[str]:
    """The lines that tell of a verdict."""
    return [line for line in lines if line.startswith(TELLING)]


def _name(entry: Entry) -> str:
    return str(entry["id"].partition(":")[2])
