"""Markdown as GitHub shows it: sentences without accidental markup, formulas, places and names of entries."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from derivations.audit.pages import text

Entry = Mapping[str, Any]  # as a ledger has it


def name(entry: Entry) -> str:
    """The id without the paper."""
    return str(entry["id"].partition(":")[2])


def place(entry: Entry) -> str:
    """Where the source says it."""
    return text("; ".join(entry["where"]))


def told(entry: Entry) -> str:
    """The place, the name and the sentence of an entry."""
    return f"**{place(entry)}** (`{name(entry)}`): {text(entry['says'])}"


def displayed(latex: str) -> list[str]:
    """A formula on lines of its own."""
    return ["```math", _drawable(latex), "```"]


def inline(latex: str) -> str:
    """A formula inside a line, with fractions as large as in a displayed one."""
    return f"$`\\displaystyle {_drawable(latex)}`$"


def _drawable(latex: str) -> str:
    r"""A formula on one line, without the macro that GitHub refuses to draw.

    >>> _drawable(r"\operatorname{RSM}_{I} = X^T X")
    '\\mathrm{RSM}_{I} = X^T X'
    """
    return " ".join(latex.split()).replace(r"\operatorname{", r"\mathrm{")


def compact(places: Iterable[str]) -> list[str]:
    """Places without what only says that the model decides, each once."""
    return list(dict.fromkeys(place.removesuffix(", from the loss") for place in places))


def joined(lines: Iterable[str]) -> str:
    """Lines as a page: no two blank lines in a row, one line break at the end."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"
