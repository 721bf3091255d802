"""Words that a person adds to the computed findings of a paper: how mistakes belong together, what they change."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Cause:
    """One reason why formulas or sentences of a source fail, told as its author would want to read it.

    claims: the names of refuted claims, whose quotations are shown. changes: what it changes, and what it does not.
    instead: what an author could write. witness: numbers with which anybody sees it, where the computed ones are long.
    """

    title: str
    claims: tuple[str, ...]
    changes: str
    instead: str = ""
    witness: str = ""


@dataclass
class Remarks:
    """A person's words about one source, which its findings show as such; `causes` stand in the order of their weight.

    >>> remarks = Remarks()
    >>> remarks.cause("A sign", "first_claim", changes="nothing that is drawn")
    >>> remarks.causes[0].claims
    ('first_claim',)
    """

    causes: list[Cause] = field(default_factory=list)
    caveats: dict[str, str] = field(default_factory=dict)
    chapters: dict[str, tuple[str, ...]] = field(default_factory=dict)

    def cause(self, title: str, *claims: str, changes: str, instead: str = "", witness: str = "") -> None:
        """Joins refuted claims to one mistake, less weighty than those that were joined before."""
        self.causes.append(Cause(title, claims, changes, instead, witness))

    def tells(self, title: str, *sentences: str) -> None:
        """Adds a chapter at the end of the findings."""
        self.chapters[title] = sentences
