"""The lines of the table of limits: small quantities, and functions where they have no Taylor series."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import Data, normal, shown

TABLE = Path(__file__).resolve().parents[3] / "theorems" / "limits" / "quantities.toml"


@cache
def _table() -> Data:
    return normal(tomllib.loads(TABLE.read_text(encoding="utf-8")))


def line(kind: str, name: Data) -> Data:
    """A line of one kind ("small" or "end") by its name."""
    for told in _table()[kind]:
        if told["name"] == name:
            return told
    raise Rejected(f"the table of limits has no line {shown(name)}")
