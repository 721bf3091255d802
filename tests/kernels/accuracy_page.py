"""Reads the committed points of the accuracy sheet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numerics
from numerics.accuracy.page import PAGE, POINTS

ROOT = Path(numerics.__file__ or ".").parent.parent
SHEET = ROOT / PAGE


@dataclass(frozen=True)
class Row:
    """A line of the sheet, about one output."""

    subject: str
    output: str
    ratio: float
    point: tuple[float, ...]


def data() -> Any:
    return json.loads((ROOT / POINTS).read_text(encoding="utf-8"))


def committed() -> Iterator[Row]:
    """Every output for which a point was found."""
    for subject, found in data()["kernels"].items():
        for output, worst in found["outputs"].items():
            if worst["where"]:
                point = tuple(map(float.fromhex, worst["where"].values()))
                yield Row(subject, output, float(worst["ratio"]), point)
