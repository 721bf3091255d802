"""The golden ledger: what every entry states and its verdict, frozen, so that no change of the engine moves one unseen.

Compare: `python tests/golden_ledger.py LEDGER`, where `derivations verify --json LEDGER` wrote it. Write: add --write,
and say in the commit which entries changed, and why.
"""

from __future__ import annotations

import json
import sys
from difflib import unified_diff
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "golden"


def lines(entry: dict[str, Any]) -> list[str]:
    """An entry as the golden ledger has it: name and verdict, then what is stated, then what is supposed."""
    stated = [f"    {line}" for line in entry["formula"]]
    supposed = [f"    supposed: {line}" for line in sorted(entry["hypotheses"])]
    return [f"{entry['id'].partition(':')[2]}  {entry['verdict'] or 'nothing claimed'}", *stated, *supposed]


def text(paper: dict[str, Any]) -> str:
    """A paper of a ledger as the golden ledger has it; entries are sorted by name, since their order proves nothing."""
    entries = sorted(paper["entries"], key=lambda entry: str(entry["id"]))
    return "\n".join(line for entry in entries for line in lines(entry)) + "\n"


def differences(papers: list[dict[str, Any]]) -> list[str]:
    """The lines in which these papers, or which of them there are, differ from the golden ledger."""
    golden = {path.stem: path.read_text(encoding="utf-8") for path in FOLDER.glob("*.txt")}
    current = {paper["key"]: text(paper) for paper in papers}
    return [
        line[:300]
        for key in sorted({*golden, *current})
        for line in unified_diff(
            golden.get(key, "").splitlines(), current.get(key, "").splitlines(), key, key, n=0, lineterm=""
        )
    ]


def main(arguments: list[str]) -> int:
    """Compare a ledger with the golden one, or write it anew."""
    papers = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))["papers"]
    if "--write" in arguments:
        FOLDER.mkdir(exist_ok=True)
        for paper in papers:
            (FOLDER / f"{paper['key']}.txt").write_text(text(paper), encoding="utf-8")
        return 0
    different = differences(papers)
    print("\n".join(different) or "as in the golden ledger")
    return bool(different)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
