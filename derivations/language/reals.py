"""Declares real numbers together with what is known of them: reals("w, a0 s tau > 0, t >= 0")."""

from __future__ import annotations

import re
from typing import Any

import sympy as sp

from derivations.text import DerivationError

SIGNS: dict[str, dict[str, bool]] = {
    "": {"real": True},
    "> 0": {"positive": True},
    ">= 0": {"nonnegative": True},
    "< 0": {"negative": True},
    "<= 0": {"nonpositive": True},
    "!= 0": {"real": True, "nonzero": True},
}
GROUP = re.compile(r"([^\s<>=!,]+(?:\s+[^\s<>=!,]+)*?)\s*((?:[<>]=?|!=)\s*0)?")


def reals(declared: str) -> Any:
    """Return the symbol of a real number, or of several: groups of names between commas, each with at most one sign.

    What a sign declares is supposed wherever the symbol occurs, so that what moves in time is declared without one.

    >>> w, a0, s, t = reals("w, a0 s > 0, t >= 0")
    >>> w.is_positive, a0.is_positive, s.is_positive, t.is_nonnegative
    (None, True, True, True)
    """
    made = [symbol for group in declared.split(",") for symbol in _of_group(group.strip())]
    return made[0] if len(made) == 1 else tuple(made)


def _of_group(group: str) -> list[sp.Symbol]:
    match = GROUP.fullmatch(group)
    if match is None:
        raise DerivationError(
            f"{group!r} declares no real numbers: write names and at most one sign, such as 'a0 s > 0', "
            "and a comma before the next names"
        )
    names, sign = match[1].split(), " ".join(re.findall(r"[<>=!]+|0", match[2] or ""))
    return [sp.Symbol(name, **SIGNS[sign]) for name in names]
