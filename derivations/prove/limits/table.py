"""The lines of the table of limits, as the prover reads them."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from derivations.language.terms import as_tuples

TABLE = Path(__file__).resolve().parents[2] / "theorems" / "limits" / "quantities.toml"


@cache
def lines(kind: str) -> dict[str, Any]:
    """The lines of one kind ("small" or "end") by their names."""
    table = tomllib.loads(TABLE.read_text(encoding="utf-8"))
    return {line["name"]: {key: as_tuples(told) for key, told in line.items()} for line in table[kind]}
