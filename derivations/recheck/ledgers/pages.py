"""Committed documents against a ledger that was just checked: every entry that a page shows, and every kernel's header.

Pages are read as text. A line that speaks of an entry has one of few shapes, and in each of them the verdict, the place
and the sentence must be those of the entry; a formula must be one that an entry has. Whatever has none of these shapes
is prose, and stands for itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from derivations.recheck.errors import Rejected
from derivations.recheck.ledgers.entries import seal
from derivations.recheck.ledgers.unneeded import unneeded
from derivations.recheck.load import read_json

Entry = Mapping[str, Any]
Found = Iterator[str]  # what is wrong, as sentences

SIGNS = {
    "✓ proved": "proved",
    "≈ certified": "certified",
    "✗ **refuted**": "refuted",
    "∴ argued": "argued",
    "? open": "open",
    "≔ definition": "definition",
    "∿ experiment": "experiment",
}
LISTED = re.compile(r'\s*- <a id="(?P<name>\w+)"></a>(?P<sign>\S+ \S+) `(?P<again>\w+)` \((?P<rest>.*)')
HEADED = re.compile(r'#+ <a id="(?P<name>\w+)"></a>(?P<place>.*) \(`(?P<again>\w+)`\)')
TOLD = re.compile(r"\s*- \*\*(?P<place>[^*]*)\*\* \(`(?P<name>\w+)`\): (?P<rest>.*)")
JUDGED = re.compile(r"\(`(?P<name>\w+)`, (?P<verdict>[a-z]+)\)")
INSTEAD = re.compile(r"Instead \(`(?P<name>\w+)`, [a-z]+\): (?P<says>.*)")
LINKED = re.compile(r"\[`(?P<name>\w+)`\]\((?:claims|errata)\.md#(?P<anchor>\w+)\)")
REPEATED = re.compile(r"- (?P<sign>\S+ \S+) under another equation: \[`(?P<name>\w+)`\]\(#(?P<again>\w+)\)\.")
LABELLED = re.compile(r"\s*- (?P<place>.*), (?P<what>printed|corrected): \$`\\displaystyle (?P<latex>.*)`\$")
INLINE = re.compile(r"\$`(?:\\displaystyle )?(?P<latex>[^`]*)`\$")
COUNTED = re.compile(
    r"\| (?P<verdict>proved|open|certified by a rigorous enclosure) \| (?P<number>\d+) \| (?P<classes>.*) \|"
)
_SPARE: dict[str, str] = {}  # by the seal of an entry that was checked
UNNEEDED = "Hypotheses that the proof does not need: "
LEFT_OUT = r"\ldots"  # what stands for a long left side


def page_faults(root: Path, entries: Iterable[Entry]) -> list[tuple[str, str]]:
    """What the documents and kernels of a checkout show otherwise than the entries: files, each with a sentence."""
    papers: dict[str, dict[str, Entry]] = {}
    for entry in entries:
        if "paper" not in entry:
            raise Rejected("pages are compared with a ledger, and this file holds one certificate: leave out --pages")
        papers.setdefault(entry["paper"], {})[entry["id"].partition(":")[2]] = entry
    found: list[tuple[str, str]] = []
    for key, known in papers.items():
        for name, check in PAGES.items():
            path = root / "docs" / "papers" / key / name
            if path.is_file():
                found += [(str(path.relative_to(root)), said) for said in check(path.read_text("utf-8"), known)]
            else:
                found.append((str(path.relative_to(root)), "there is no such page: run `derivations update`"))
    found += [("numerics/kernels", said) for said in _kernels(root / "numerics" / "kernels", papers)]
    return found


# --- one page ---------------------------------------------------------------------------------------------------------


def _claims(page: str, known: Mapping[str, Entry]) -> Found:
    """Every entry stands on the page once, in a line that is computed again, with its formula below it."""
    lines = page.splitlines()
    shown: Counter[str] = Counter()
    formulas = 0
    for number, line in enumerate(lines):
        yield from _repeated(line, known)
        yield from _formulas(line, "", known)
        if not (match := LISTED.fullmatch(line)):
            continue
        name = match["name"]
        shown[name] += 1
        if (entry := known.get(name)) is None or match["again"] != name:
            yield f"{name} is no entry of the ledger"
            continue
        yield from _standing(name, match, entry)
        if entry["latex"]:
            formulas += 1
            below = [line.strip() for line in lines[number + 1 : number + 5]]
            if below[1:4] != ["```math", drawable(entry["latex"]), "```"]:
                yield f"the formula of {name} is not the one in the ledger"
            read = next(filter(None, (line.strip() for line in lines[number + 5 : number + 7])), "")
            known_reading = f"As read: {text('; '.join(entry['notes']))}." if entry["notes"] else ""
            if (read if read.startswith("As read: ") else "") != known_reading:
                yield f"the reading of {name} is not the one in the ledger"
        if _spare(lines[number + 1 :]) != _unneeded(entry):
            yield f"the hypotheses that {name} does not need are not those of its certificate"
    yield from (f"{name} is in the ledger and not on the page" for name in known if not shown[name])
    yield from (f"{name} stands {count} times" for name, count in shown.items() if count > 1)
    if sum(line.strip() == "```math" for line in lines) != formulas:
        yield "there are formulas that no entry has"


def _repeated(line: str, known: Mapping[str, Entry]) -> Found:
    """The verdict on a formula that stands under another equation."""
    if match := REPEATED.fullmatch(line):
        entry = known.get(match["name"], {})
        if match["again"] != match["name"] or SIGNS.get(match["sign"]) != (entry.get("verdict") or entry.get("kind")):
            yield f"{match['name']} is not {match['sign']} in the ledger"


def _spare(below: list[str]) -> str:
    """The line that says what a proof does not need, before the next entry or heading."""
    for line in below:
        if line.strip().startswith(("#", "- ")):
            return ""
        if line.strip().startswith(UNNEEDED):
            return line.strip()
    return ""


def _unneeded(entry: Entry) -> str:
    """The same line, computed from the certificate: once, whichever pages are compared with it."""
    key = entry["sha256"]
    if key not in _SPARE:
        spare = unneeded(entry["certificate"]) if entry["certificate"] else []
        _SPARE[key] = f"{UNNEEDED}{text('; '.join(spare))}." if spare else ""
    return _SPARE[key]


def _standing(name: str, match: re.Match[str], entry: Entry) -> Found:
    """The verdict, the place, the sentence, and what corrects it."""
    if SIGNS.get(match["sign"]) != (entry["verdict"] or entry["kind"]):
        yield f"{name} is {entry['verdict'] or entry['kind']} in the ledger, and {match['sign']} on the page"
    start = f"{text('; '.join(entry['where']))}). {text(entry['says'])}"
    paper, _, better = (entry["corrected_by"] or "").partition(":")
    link = f"[`{better}`](#{better})" if paper == entry["paper"] else f"`{entry['corrected_by']}`"
    if match["rest"] not in (start, f"{start} *Instead:* {link}." if better else start):
        yield f"the place, the sentence or the correction of {name} is not the one in the ledger"


def _told(page: str, known: Mapping[str, Entry]) -> Found:
    """Headings, sentences, verdicts and formulas of a page that tells of some of the entries."""
    heading = ""
    blocks = page.splitlines()
    for number, line in enumerate(blocks):
        if match := HEADED.fullmatch(line):
            heading = match["name"]
            yield from _placed(heading, match["place"], known)
            if match["again"] != heading:
                yield f"the heading of {heading} names {match['again']}"
        if line.startswith("Claimed: ") and heading in known:
            yield from _said(heading, line.removeprefix("Claimed: "), known, whole=True)
        if match := INSTEAD.match(line):
            yield from _said(match["name"], match["says"], known, whole=True)
        if match := TOLD.fullmatch(line):
            yield from _placed(match["name"], match["place"], known)
            yield from _said(match["name"], match["rest"], known, whole=False)
        for match in JUDGED.finditer(line):
            if known.get(match["name"], {}).get("verdict") != match["verdict"]:
                yield f"{match['name']} is not {match['verdict']} in the ledger"
        for match in LINKED.finditer(line):
            if match["name"] not in known or match["anchor"] != match["name"]:
                yield f"{match['name']} is no entry of the ledger"
        if match := COUNTED.fullmatch(line):
            yield from _counted(match, known)
        yield from _formulas(line, blocks[number - 1] if number else "", known)


def _formulas(line: str, before: str, known: Mapping[str, Entry]) -> Found:
    """Formulas in a line, or a line that is one: an entry has each, as it is printed or as it should read."""
    if match := LABELLED.fullmatch(line):
        kind = "latex" if match["what"] == "printed" else "corrected"
        own = [e[kind] for e in known.values() if text("; ".join(e["where"])) == match["place"]]
        if not any(_same(match["latex"], formula) for formula in own if formula):
            yield f"the formula of {match['place']}, {match['what']}, is not the one in the ledger"
        return
    written = [line.strip()] if before.strip() == "```math" else [m["latex"] for m in INLINE.finditer(line)]
    every = [e[kind] for e in known.values() for kind in ("latex", "corrected") if e[kind]]
    for latex in written:
        if not any(_same(latex, formula) for formula in every):
            yield f"no entry of the ledger has the formula {latex[:60]}"


def _same(shown: str, latex: str) -> bool:
    whole = drawable(latex)
    if shown.startswith(f"{LEFT_OUT}="):
        return whole.endswith(shown.removeprefix(LEFT_OUT))
    return shown in (whole, latex)


def _placed(name: str, place: str, known: Mapping[str, Entry]) -> Found:
    if name not in known or place != text("; ".join(known[name]["where"])):
        yield f"the place of {name} is not the one in the ledger"


def _said(name: str, said: str, known: Mapping[str, Entry], *, whole: bool) -> Found:
    own = text(known[name]["says"]) if name in known else None
    if own is None or not (said == own or (not whole and said.startswith(own))):
        yield f"the sentence of {name} is not the one in the ledger"


def _counted(match: re.Match[str], known: Mapping[str, Entry]) -> Found:
    verdict = match["verdict"].split()[0]
    classes = Counter(entry["class"] for entry in known.values() if entry["verdict"] == verdict)
    if int(match["number"]) != classes.total():
        yield f"{match['number']} are {verdict} on the page, and {classes.total()} in the ledger"
    told = dict(part.rsplit(": ", 1) for part in match["classes"].split("; ") if part)
    if told != {name: str(count) for name, count in classes.items()}:
        yield f"the classes of what is {verdict} are not those of the ledger"


def _findings(page: str, known: Mapping[str, Entry]) -> Found:
    """The page of findings counts every verdict that stands in the ledger, each once."""
    yield from _told(page, known)
    rows = Counter(match["verdict"].split()[0] for match in map(COUNTED.fullmatch, page.splitlines()) if match)
    for verdict in sorted({entry["verdict"] for entry in known.values()} & {"proved", "certified", "open"}):
        if rows[verdict] != 1:
            yield f"what is {verdict} must be counted in one row, and {rows[verdict]} rows do so"


PAGES = {"claims.md": _claims, "errata.md": _told, "findings.md": _findings}


def text(said: str) -> str:
    r"""A sentence as the pages write it.

    >>> text("a < b*c")
    'a \\< b\\*c'
    """
    return re.sub(r"([*<|])", r"\\\1", said)


def drawable(latex: str) -> str:
    r"""A formula as the pages write it.

    >>> drawable(r"\operatorname{RSM}  = 1")
    '\\mathrm{RSM} = 1'
    """
    return " ".join(latex.split()).replace(r"\operatorname{", r"\mathrm{")


# --- kernels ----------------------------------------------------------------------------------------------------------

HEADER = re.compile(
    r'^def (?P<name>\w+)\([^\n]*\):\n    """(?P<said>(?:(?!""").)*?)\n    """$', re.DOTALL | re.MULTILINE
)


def _kernels(folder: Path, papers: Mapping[str, Mapping[str, Entry]]) -> Found:
    """Every kernel of the index has its entry and its header, and says the same in all three places."""
    rows = read_json(folder / "index.json")["kernels"]
    for row in rows:
        if row["paper"] in papers:
            yield from _kernel(row, papers[row["paper"]].get(f"{row['name']}_kernel"), _others(row, rows))
    for paper in papers:
        path = folder / f"{paper}.py"
        source = path.read_text(encoding="utf-8") if path.is_file() else ""
        headers = {match["name"]: " ".join(match["said"].split()) for match in HEADER.finditer(source)}
        for row in rows:
            if row["paper"] == paper:
                yield from _headed(row, headers.get(row["name"], ""))


def _others(row: Mapping[str, Any], rows: Iterable[Mapping[str, Any]]) -> set[str]:
    """The claims of the other kernels of a paper, which a kernel that calls them rests on too."""
    return {
        claim for other in rows if other["paper"] == row["paper"] and other is not row for claim in other["rests_on"]
    }


def _kernel(row: Mapping[str, Any], entry: Entry | None, others: set[str]) -> Found:
    """What the index says of a kernel: its equality is proved, of this program, by this certificate."""
    if entry is None or entry["kind"] != "kernel":
        if "equality" in row:
            yield f"{row['name']} equals nothing in the ledger"
        return
    certificate = {key: value for key, value in entry["certificate"].items() if key != "about"}
    own, further = row["rests_on"][: len(entry["rests_on"])], row["rests_on"][len(entry["rests_on"]) :]
    if own != entry["rests_on"] or not others >= set(further):
        yield f"'rests_on' of {row['name']} is not that of its certificate"
    backed = {
        "sha256": certificate["statement"].get("kernel"),
        "equality": seal(certificate),
    }
    if entry["verdict"] != "proved":
        yield f"the equality of {row['name']} is {entry['verdict']}"
    for key, value in backed.items():
        if row.get(key) != value:
            yield f"'{key}' of {row['name']} is not that of its certificate"


def _headed(row: Mapping[str, Any], header: str) -> Found:
    """What stands above a kernel is what the index says of it."""
    tied = "equality" in row
    lines = (
        row["says"],
        f"{'Equals' if tied else 'Rests on'}: {', '.join(row['rests_on'])}",
        f"Equality: sha256 {row['equality']}" if tied else "",
        f"Normal form: sha256 {row['sha256']}",
    )
    for line in filter(None, lines):
        if " ".join(line.split()) not in header:
            yield f"the header of {row['name']} does not say: {line[:80]}"
