"""Names of symbols in parts: the letter, and the indices after it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

_LETTERS = tomllib.loads(Path(__file__).with_name("letters.toml").read_text(encoding="utf-8"))
GREEK: dict[str, str] = _LETTERS["small"]
CAPITALS: dict[str, str] = _LETTERS["capital"]
NAME = re.compile(r"([A-Za-z]+?)(\d*)(?:_(\w+))?")


def split(name: str) -> tuple[str, list[str]]:
    """The letter or word that a name begins with, and its indices: digits, then what follows an underscore.

    An underscore at the end only tells a name from a keyword.

    >>> split("W1_start"), split("tau_h"), split("lambda_")
    (('W', ['1', 'start']), ('tau', ['h']), ('lambda', []))
    """
    match = NAME.fullmatch(name.rstrip("_"))
    if not match:
        return name, []
    letter, digits, index = match.groups()
    return letter, [part for part in (digits, (index or "").replace("_", " ")) if part]


def spelled(name: str) -> tuple[str, str]:
    """The letter as Unicode has it, Greek ones too, and the indices as one text."""
    letter, indices = split(name)
    return (GREEK | CAPITALS).get(letter, letter), ",".join(indices)


def latex_parts(name: str) -> tuple[str, str]:
    r"""The letter and its indices as LaTeX, the indices empty where there are none.

    >>> latex_parts("tau_h"), latex_parts("W_hat"), latex_parts("Sigma1_eff")
    (('\\tau', 'h'), ('\\hat{W}', ''), ('\\Sigma', '1,\\text{eff}'))
    """
    letter, indices = split(name)
    if letter in GREEK or letter in CAPITALS:
        head = rf"\{letter}"
    elif len(letter) > 1 and any(len(part) > 1 for part in indices):
        return rf"\text{{{name.replace('_', ' ')}}}", ""
    else:
        head = letter if len(letter) == 1 else rf"\mathrm{{{letter}}}"
    if indices and indices[-1] == "hat":
        head, indices = rf"\hat{{{head}}}", indices[:-1]
    return head, ",".join(part if len(part) == 1 or part.isdigit() else rf"\text{{{part}}}" for part in indices)


def latex(name: str) -> str:
    """The name as LaTeX, its indices below."""
    letter, below = latex_parts(name)
    return f"{letter}_{{{below}}}" if below else letter
