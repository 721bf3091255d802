"""Pages with a slider: one file that needs nothing but itself, with its numbers as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from numerics.reproduce.figures.panel import Array

PLACE = "/* data */ null"


def filled(template: Path, numbers: Mapping[str, object]) -> str:
    """The page of a template, which says where its numbers stand.

    >>> import tempfile
    >>> place = Path(tempfile.mkdtemp()) / "page.html"
    >>> _ = place.write_text("let data = /* data */ null;")
    >>> filled(place, {"a": [1.0]})
    'let data = {"a":[1.0]};'
    """
    return template.read_text(encoding="utf-8").replace(PLACE, json.dumps(numbers, separators=(",", ":")))


def rounded(values: Array, digits: int = 4) -> object:
    """Numbers to so many significant digits, in nested lists.

    >>> rounded(np.array([[1 / 3], [2e5 / 3]]), 2)
    [[0.33], [67000.0]]
    """
    return np.vectorize(lambda value: float(f"{value:.{digits}g}"), otypes=[float])(values).tolist()
