"""The page of Figure 2: order parameters beside the learning curve, with a slider for the time, in one file."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from numerics.reproduce.figures.panel import Array, Data

TEMPLATE = Path(__file__).with_name("slider.html")
PLACE = "/* data */ null"


def page(data: Data) -> str:
    """A page that needs nothing but itself; the data are numbers as JSON."""
    numbers = {
        "times": _rounded(data["times"], 6),
        "error": _rounded(data["error"], 4),
        "errorTheory": _rounded(data["error_theory"], 4),
        "plateau": _rounded(data["plateau"], 6),
        "rate": float(data["rate"]),
        "inputs": int(data["inputs"]),
    }
    for name in ("Q", "R", "Q_theory", "R_theory"):
        numbers[name.replace("_theory", "Theory")] = _rounded(data[name], 4)
    return TEMPLATE.read_text(encoding="utf-8").replace(PLACE, json.dumps(numbers, separators=(",", ":")))


def _rounded(values: Array, digits: int) -> object:
    """Numbers to so many significant digits, in nested lists."""
    text = np.vectorize(lambda value: float(f"{value:.{digits}g}"), otypes=[float])
    return text(values).tolist()
