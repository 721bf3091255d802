"""Edits of committed pages and kernels, each of which makes them say something else than the ledger does."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

Edit = Callable[[str], str]
BRAUN, PRIMER, TWO_POINTS = (
    f"docs/papers/{key}" for key in ("braun_2022", "carrasco_davis_grant_2025", "van_rossem_saxe_2024")
)
KERNELS = "numerics/kernels"
JETS = f"{KERNELS}/van_rossem_saxe_2024_signed_flow_jets.py"
FALSE = "✓ proved `pnp` (Eq. 1). P = NP.\n"


def appended(text: str) -> Edit:
    return lambda page: page + text


def exchanged(pattern: str, by: str, count: int = 1) -> Edit:
    return lambda page: re.sub(pattern, by, page, count=count)


def row(key: str, value: str) -> Edit:
    """The first row of the index with another value."""

    def edit(index: str) -> str:
        data = json.loads(index)
        data["kernels"][0][key] = value
        return json.dumps(data)

    return edit


def _without_a_row(index: str) -> str:
    data = json.loads(index)
    del data["kernels"][-1]
    return json.dumps(data)


EDITS: dict[str, tuple[str, Edit]] = {
    # what has another shape than an entry
    "an entry with an asterisk": (f"{BRAUN}/claims.md", appended(f'\n* <a id="pnp"></a>{FALSE}')),
    "an entry with a blank": (f"{BRAUN}/claims.md", appended(f'\n- <a id="pnp" ></a>{FALSE}')),
    "an entry with a dash": (f"{BRAUN}/claims.md", appended(f'\n- <a id="pnp"></a>{FALSE}')),
    "a verdict as prose": (f"{BRAUN}/claims.md", appended("\n✓ proved: P = NP.\n")),
    "a formula between dollars": (f"{BRAUN}/claims.md", appended("\n$$1=2$$\n")),
    "a formula in a fence of tildes": (f"{BRAUN}/claims.md", appended("\n~~~math\n1=2\n~~~\n")),
    "a formula in a fence": (f"{BRAUN}/claims.md", appended("\n```math\n1=2\n```\n")),
    "markup": (f"{BRAUN}/claims.md", appended("\n<p>Every network is convex.</p>\n")),
    "a line break at the end": (f"{BRAUN}/claims.md", appended("\n")),
    "a blank at the end of a line": (f"{PRIMER}/claims.md", exchanged(r"\.\n", ". \n")),
    # what an entry says
    "a verdict": (f"{TWO_POINTS}/claims.md", exchanged(r"✗ \*\*refuted\*\*", "✓ proved")),
    "a sentence": (f"{TWO_POINTS}/claims.md", exchanged(r"(proved `\w+` \([^)]*\)\. \w+)", r"\1 never")),
    "what was judged": (f"{TWO_POINTS}/claims.md", exchanged(r"Judged: `[^`]*`", "Judged: `1 = 2`")),
    "what was supposed": (f"{TWO_POINTS}/claims.md", exchanged(r"Supposed: `[^`]*`", "Supposed: `no`")),
    "what was supposed, left out": (f"{TWO_POINTS}/claims.md", exchanged(r"\n *Supposed: [^\n]*\n", "\n")),
    "what it trusts": (f"{TWO_POINTS}/claims.md", exchanged(r"Trusts: [^\n]*\n", "Trusts: ring.\n", count=0)),
    "a verdict elsewhere": (f"{TWO_POINTS}/claims.md", exchanged(r"\*\*refuted\*\* under", "proved under")),
    "what holds instead": (f"{TWO_POINTS}/errata.md", exchanged(r", proved\)", ", certified)")),
    "what a proof does not need": (f"{BRAUN}/claims.md", exchanged(r"does not need: `", "does not need: `all; ")),
    "an entry, left out": (f"{PRIMER}/claims.md", exchanged(r'\n- <a id="[^\n]*\n', "\n")),
    "a formula": (f"{PRIMER}/claims.md", exchanged(r"(```math\n)", r"\1 1 + ")),
    "text below an entry": (f"{PRIMER}/claims.md", exchanged(r"(As read: )", r"\1by nobody. \1")),
    # the pages of what is wrong
    "a heading of the findings": (f"{TWO_POINTS}/findings.md", exchanged("## What is right", "## What is wrong")),
    "half, which becomes all": (f"{TWO_POINTS}/findings.md", exchanged(r"\bhalf\b", "all")),
    "a count": (f"{TWO_POINTS}/findings.md", exchanged(r"\| proved \| (\d)", r"| proved | 1\1")),
    "a change": (f"{TWO_POINTS}/findings.md", exchanged("   - Changes: ", "   - Changes: not ")),
    "a witness of the findings": (f"{PRIMER}/findings.md", exchanged(r"(Witness: .*?) against .*", r"\1 against 0.")),
    "the head of the errata": (f"{PRIMER}/errata.md", exchanged("from exact verdicts", "from opinions")),
    "a limit of a witness": (f"{BRAUN}/errata.md", exchanged(r"the limit: \d+/\d+,", "the limit: 3,")),
    "the point of a witness": (f"{PRIMER}/errata.md", exchanged(r"(\*Witness\.\* \w+ \w+ = )", r"\g<1>1")),
    "the value of a witness": (f"{TWO_POINTS}/errata.md", exchanged(r": (\S+) against (\S+)\.", r": \1 against \1.")),
    "a consequence": (f"{TWO_POINTS}/errata.md", exchanged(r"\*Consequence\.\* ", "*Consequence.* None. ")),
    "a count of the readme": ("README.md", exchanged(r"(claims\.md\)[^\n]*\| )(\d+) \|\n", r"\g<1>1\2 |\n")),
    # kernels
    "a sign of a kernel": (f"{KERNELS}/braun_2022.py", lambda text: text[::-1].replace(" + ", " - ", 1)[::-1]),
    "a sign of a helper": (f"{KERNELS}/elementary.py", exchanged(r" \+ ", " - ")),
    "what a kernel returns": (f"{KERNELS}/van_rossem_saxe_2024.py", exchanged(r"\n    return ", "\n    return 0 * ")),
    "a line of a kernel": (f"{KERNELS}/solvable_networks.py", exchanged(r"(\n    return )", r"\n    x0 = 0\1")),
    "the header of a kernel": (f"{KERNELS}/van_rossem_saxe_2024.py", exchanged("Rates of h", "Rates of y")),
    "a coefficient of jets": (JETS, exchanged("ORDER = 16", "ORDER = 15")),
    "the evaluation in balls": (f"{KERNELS}/balls.py", exchanged(r" \+ ", " - ")),
    "the hash of an equality": (f"{KERNELS}/index.json", row("equality", "0" * 64)),
    "the hash of a program": (f"{KERNELS}/index.json", row("sha256", "0" * 64)),
    "the sentence of a kernel": (f"{KERNELS}/index.json", row("says", "The meaning of life.")),
    "a program": (f"{KERNELS}/index.json", lambda text: text.replace('["-1/2", ', '["1/2", ', 1)),
    "a kernel of the index, left out": (f"{KERNELS}/index.json", _without_a_row),
    "the hash of a file": (f"{KERNELS}/index.json", exchanged(r'(_2022\.py": ")[0-9a-f]{4}', r"\g<1>0000")),
}  # fmt: skip

OF_VERDICTS = [
    "an entry with an asterisk",
    "an entry with a blank",
    "an entry with a dash",
    "a verdict as prose",
    "a verdict",
    "what was judged",
    "what was supposed",
    "what was supposed, left out",
    "what it trusts",
    "a verdict elsewhere",
    "what holds instead",
    "an entry, left out",
    "a count",
    "a limit of a witness",
    "the point of a witness",
]
"""Edits of pages that the checker notices itself, without writing a page."""


def at_random(root: Path) -> Iterator[tuple[str, Edit]]:
    """Single signs of every page and every file of kernels, exchanged for others."""
    rng = random.Random(0)
    files = [*sorted((root / "docs" / "papers").glob("*/*.md")), *sorted((root / KERNELS).glob("*.py"))]
    for path in files:
        if path.name in ("__init__.py", "over_points.py"):
            continue  # written by hand
        for _ in range(2):
            place = rng.randrange(len(path.read_text(encoding="utf-8")))
            yield str(path.relative_to(root)), _sign_at(place)


def _sign_at(place: int) -> Edit:
    return lambda page: f"{page[:place]}{'q' if page[place] != 'q' else 'z'}{page[place + 1 :]}"
