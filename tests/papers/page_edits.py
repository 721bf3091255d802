"""Edits of committed pages and kernels, each of which makes them say something else than the ledger does."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path

from case_files import Cases

FAMILIES = Cases(__file__, globals())

Edit = Callable[[str], str]
KERNELS = "numerics/kernels"


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


def without_a_row(index: str) -> str:
    data = json.loads(index)
    del data["kernels"][-1]
    return json.dumps(data)


EDITS: dict[str, tuple[str, Edit]] = {
    name: (file, edit) for file in FAMILIES.sections if "." in file for name, edit in FAMILIES[file].items()
}
OF_VERDICTS: list[str] = FAMILIES["of verdicts"]


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
