"""The data in a file that nobody vouches for: it is whole JSON in which no key stands twice, and of a bounded size."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import shown

MAX_BYTES = 512 * 2**20


def read_json(path: Path) -> Any:
    """The data in a JSON file, or one sentence about what is wrong with the file."""
    try:
        if path.exists() and not path.is_file():
            raise Rejected(f"{path} is no file: give the path of a ledger")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise Rejected(f"{path.name} has {size} bytes and at most {MAX_BYTES} are read: split the file")
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise Rejected(f"{path} cannot be read ({error.strerror}): give the path of a ledger") from None
    except UnicodeDecodeError:
        raise Rejected(f"{path.name} is not UTF-8 text: give a ledger that this package wrote") from None
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_no_constant)
    except RecursionError:
        raise Rejected(f"{path.name} nests deeper than any ledger does: write it again") from None
    except ValueError as error:
        raise Rejected(f"{path.name} is not whole JSON ({error}): write the ledger again") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Rejected(f"the key {shown(twice)} stands twice in one JSON object: keep one of the two")
    return table


def _no_constant(name: str) -> Any:
    raise Rejected(f"{name} is not a number of JSON: write exact rationals as text, such as '3/4'")
