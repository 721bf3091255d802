"""Draws one audited equation from print to kernel, for the README: every part is read from the library.

python docs/site/picture.py docs/figures/from_print_to_kernel.png
"""

from __future__ import annotations

import inspect
import re
import sys
from pathlib import Path

import matplotlib.pyplot as plt

from derivations.paper.entries import Claim
from derivations.paper.library import find, library
from numerics import kernels

CLAIM, KERNEL, LINE = (
    "van_rossem_saxe_2024:eq21_distance",
    "van_rossem_saxe_2024:two_point_flow",
    r"(?:t0|\bh_rate) = .*",
)
WIDTH, HEIGHT, DPI = 10.4, 2.5, 150
COLOURS = {"refuted": "#a83200", "proved": "#00694a", "": "#5c5c63"}


def parts() -> list[tuple[str, str, str, str]]:
    """The four steps: a title, what it shows, what is said of it, and the verdict that gives its colour."""
    claim = find(CLAIM)
    assert isinstance(claim, Claim)
    assert claim.printed is not None
    corrected = library()[claim.paper].corrections[claim.id]
    proof = find(corrected.by)
    assert isinstance(proof, Claim)
    witness = claim.certificate.witness or {}
    point = ",  ".join(rf"${_letter(name)} = {value}$" for name, value in witness["point"].items())
    sides = f"derived {witness['left']}, as printed {witness['right']}"
    source = inspect.getsource(kernels.kernel(KERNEL).py_func)
    code = "\n".join(re.findall(LINE, source))
    return [
        ("printed, as equation 7", f"${_drawn(claim.printed.latex)}$", "read from its LaTeX", ""),
        (f"{claim.certificate.verdict.value}, exactly", point, sides,
         claim.certificate.verdict.value),
        (f"corrected: {proof.certificate.verdict.value}", f"${_drawn(corrected.formula.latex)}$",
         "its certificate is checked again\nby code that shares nothing", proof.certificate.verdict.value),
        ("as a kernel", code, "proved equal to the derived flow,\ncompiled, its errors measured", ""),
    ]  # fmt: skip


def _drawn(latex: str) -> str:
    """LaTeX as Matplotlib draws it."""
    return latex.replace(r"\mathrm{d}}{\mathrm{d}t}", r"d}{d t}").replace("||", r"\Vert ").replace(r"\frac", r"\dfrac")


def _letter(name: str) -> str:
    letter, _, index = name.partition("_")
    spelt = rf"\{letter}" if len(letter) > 1 else letter
    return f"{spelt}_{index}" if index else spelt


def draw(file: Path) -> None:
    """The steps side by side, with arrows between them."""
    figure = plt.figure(figsize=(WIDTH, HEIGHT), dpi=DPI, facecolor="white")
    shown = parts()
    wide = 1 / len(shown)
    for n, (title, main, below, verdict) in enumerate(shown):
        middle = (n + 0.5) * wide
        colour = COLOURS[verdict]
        box = plt.Rectangle((n * wide + 0.008, 0.06), wide - 0.032, 0.88, fill=False, edgecolor=colour, linewidth=1.6)
        figure.add_artist(box)
        figure.text(middle - 0.008, 0.83, title, ha="center", va="center", color=colour, fontsize=10.5, weight="bold")
        style = {"family": "monospace", "fontsize": 10.5} if verdict == "" and n else {"fontsize": 11.5}
        figure.text(middle - 0.008, 0.52, main, ha="center", va="center", color="#1d1d1f", **style)
        figure.text(middle - 0.008, 0.2, below, ha="center", va="center", color="#5c5c63", fontsize=9)
        if n:
            figure.text(n * wide - 0.008, 0.5, "→", ha="center", va="center", fontsize=15, color="#5c5c63")
    figure.savefig(file, metadata={"Software": None})


if __name__ == "__main__":
    draw(Path(sys.argv[1]))
