"""The page of Figure 2: order parameters beside the learning curve, with a slider for the time, in one file."""

from __future__ import annotations

from pathlib import Path

from numerics.reproduce.figures.interactive import filled, rounded
from numerics.reproduce.figures.panel import Data

TEMPLATE = Path(__file__).with_name("slider.html")


def page(data: Data) -> str:
    """The page of what was computed."""
    numbers: dict[str, object] = {
        "times": rounded(data["times"], 6),
        "error": rounded(data["error"]),
        "errorTheory": rounded(data["error_theory"]),
        "plateau": rounded(data["plateau"], 6),
        "rate": float(data["rate"]),
        "inputs": int(data["inputs"]),
    }
    for name in ("Q", "R", "Q_theory", "R_theory"):
        numbers[name.replace("_theory", "Theory")] = rounded(data[name])
    return filled(TEMPLATE, numbers)
