"""Printed chains of equalities, a = b = c = ...: every link becomes a claim of its own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from derivations import prove
from derivations.paper.model import Paper
from derivations.prove import Certificate, Verdict


@dataclass(frozen=True)
class Link:
    """One more right-hand side of a chain.

    latex: how it is printed. words: what it means, as an object that `prove.words` takes. says: the claim's sentence.
    assuming: hypotheses of this link. options: further arguments of `prove.words`.
    corrected: what the right-hand side should be, where the printed one is wrong; correction: the sentence about it.
    """

    latex: str
    words: Any
    says: str
    assuming: Sequence[Any] = ()
    corrected: Any = None
    correction: str = ""
    options: dict[str, Any] = field(default_factory=dict)


def chain(
    paper: Paper,
    equation: str,
    prefix: str,
    start: tuple[str, Any],
    links: Sequence[Link],
    *,
    first: int = 1,
    rests_on: Sequence[str] = (),
) -> None:
    """Registers the claims start = links[0], links[0] = links[1], ... in a paper; returns nothing.

    equation: where the chain is printed. prefix: what the claims' names begin with. first: the first link's number.
    start: the left-hand side of the first link as LaTeX and as an object.
    rests_on: claims that every link uses; a correct link uses their corrections, where there are some.

    A link with a correction is expected to be refuted, and its correction to be proved.

    >>> from derivations.language.words import Letter
    >>> from derivations.latex import Notation
    >>> from derivations.latex.printed import Vocabulary
    >>> A, B = Letter("A", "n", "n"), Letter("B", "n", "n", symmetric=True)
    >>> names = Notation(letters="A B")
    >>> paper = Paper("notes", title="Notes", authors="A. Reader", year=2026, source="a desk", numbered=1,
    ...               vocabulary=Vocabulary(names, names, {"A": A, "B": B}))
    >>> chain(paper, "Eq. 1", "product", ("(A B)^{T}", (A @ B).T), [Link("B A^{T}", B @ A.T, "B is symmetric.")])
    >>> list(paper.entries)
    ['product_link1']
    """
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
