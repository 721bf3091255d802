"""Reads ACCURACY.md back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numerics
from numerics.accuracy.sheet import PAGE

SHEET = Path(numerics.__file__ or ".").parent.parent / PAGE
ROW = re.compile(
    r"\| (?P<output>\w+) \| (?P<ratio>[\d.e+]+|inf) \| (?:rounding|conditioning) \|.*\| `(?P<where>[^`]*)` \|"
)


@dataclass(frozen=True)
class Row:
    """What the sheet says of one output."""

    subject: str
    output: str
    ratio: float
    point: tuple[float, ...]


def committed() -> Iterator[Row]:
    subject = ""
    for line in SHEET.read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            subject = line.removeprefix("## ")
        elif found := ROW.fullmatch(line):
            point = tuple(float.fromhex(word.partition("=")[2]) for word in found["where"].split())
            yield Row(subject, found["output"], float(found["ratio"]), point)
