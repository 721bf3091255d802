"""Chains of equalities: every link becomes a claim of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from derivations import prove
from derivations.papers.van_rossem_saxe_2024.setup import paper
from derivations.prove import Certificate, Verdict


@dataclass(frozen=True)
class Link:
    """The right-hand side of a link as printed, the sentence, and what the link needs or turns out to be."""

    latex: str
    words: Any
    says: str
    assuming: Sequence[Any] = ()
    corrected: Any = None
    correction: str = ""
    options: dict[str, Any] = field(default_factory=dict)


def chain(
    equation: str,
    prefix: str,
    first: int,
    start: tuple[str, Any],
    links: Sequence[Link],
    *,
    rests_on: Sequence[str] = (),
) -> None:
    """Register start = links[0] = links[1] = ... ; a link with a correction is refuted, and its correction proved."""
    latex, left = start
    repaired = [f"{used}_corrected" if f"{used}_corrected" in paper.entries else used for used in rests_on]
    for number, link in enumerate(links, first):
        name = f"{prefix}_link{number}"
        where = f"{equation}, link {number}"
        refuted = link.corrected is not None
        paper.claim(
            where,
            printed=paper.printed(f"{latex}={link.latex}", left, link.words),
            expect=Verdict.REFUTED if refuted else Verdict.PROVED,
            corrected_by=f"{name}_corrected" if refuted else None,
            rests_on=rests_on if refuted else repaired,
            name=name,
            says=link.says,
        )(_equality(left, link.words, link))
        if refuted:
            paper.claim(f"{where}, corrected", rests_on=repaired, name=f"{name}_corrected", says=link.correction)(
                _equality(left, link.corrected, link)
            )
        latex, left = link.latex, link.words


def _equality(left: Any, right: Any, link: Link) -> Any:
    def check() -> Certificate:
        return prove.words(left, right, assuming=link.assuming, **link.options)

    return check
