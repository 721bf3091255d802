"""Markdown as GitHub shows it: sentences without accidental markup, formulas, places and links to entries."""

from __future__ import annotations

import re
from collections.abc import Iterable

from derivations.audit.verify import Outcome

SPECIAL = re.compile(r"([*<|])")


def text(said: str) -> str:
    """A sentence in which Markdown finds no markup."""
    return SPECIAL.sub(r"\\\1", said)


def place(outcome: Outcome) -> str:
    """Where the source says it."""
    return text("; ".join(outcome.entry.where))


def told(outcome: Outcome) -> str:
    """The place, the name and the sentence of an entry."""
    return f"**{place(outcome)}** (`{outcome.entry.name}`): {text(outcome.entry.says)}"


def proof(outcome: Outcome | None) -> str:
    """The name and the verdict of what holds, in brackets; nothing for an entry without a verdict."""
    if outcome is None or outcome.certificate is None:
        return ""
    return f" (`{outcome.entry.name}`, {outcome.certificate.verdict.value})"


def displayed(latex: str) -> list[str]:
    """A formula on lines of its own."""
    return ["```math", _drawable(latex), "```"]


def _drawable(latex: str) -> str:
    r"""A formula on one line, without the macro that GitHub refuses to draw.

    >>> _drawable(r"\operatorname{RSM}_{I} = X^T X")
    '\\mathrm{RSM}_{I} = X^T X'
    """
    return " ".join(latex.split()).replace(r"\operatorname{", r"\mathrm{")


def inline(latex: str) -> str:
    """A formula inside a line, with fractions as large as in a displayed one."""
    return f"$`\\displaystyle {_drawable(latex)}`$"


def compact(places: Iterable[str]) -> list[str]:
    """Places without what only says that the model decides, each once."""
    return list(dict.fromkeys(place.removesuffix(", from the loss") for place in places))


def joined(lines: Iterable[str]) -> str:
    """Lines as a page: no two blank lines in a row, one line break at the end."""
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"
