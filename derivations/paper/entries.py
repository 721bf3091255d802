"""The entries of papers: definitions, claims and experiments, and what corrects and illustrates claims."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from derivations.paper.naming import PaperError
from derivations.paper.order import covered_by, position
from derivations.prove.certificate import Certificate, Verdict
from derivations.text import one_line, place_of, place_of_body

if TYPE_CHECKING:
    from derivations.latex.formula import Formula
    from derivations.paper.equation import Equation


@dataclass(frozen=True)
class Entry:
    """One thing a paper says, and where: a definition, a claim or an experiment."""

    paper: str
    name: str
    kind: str
    where: tuple[str, ...]
    says: str
    printed: Formula | None = None
    rests_on: tuple[str, ...] = ()
    quote: str = ""  # the sentence of the source, in its own words

    @property
    def id(self) -> str:
        return f"{self.paper}:{self.name}"

    @cached_property
    def position(self) -> tuple[Any, ...]:
        """By what the entries of a paper are sorted into the paper's order."""
        return position(self.where, self.kind == "definition", self.printed is not None)

    @property
    def numbers(self) -> set[int]:
        """The numbered equations that this entry covers."""
        return covered_by(self.where)


@dataclass(frozen=True)
class Claim(Entry):
    """An entry whose verdict is computed by its check."""

    expect: Verdict = Verdict.PROVED
    corrected_by: str | None = None
    because: str = ""  # what is wrong with it
    changes: str = ""  # what its mistake changes in the source: figures, fits, conclusions; and what it does not
    needed_by: str | None = None  # the claim without one of whose hypotheses this one is
    is_same: bool = False  # whether it states nothing else than that claim does
    check: Callable[[], Certificate] = field(kw_only=True)

    @property
    def certificate(self) -> Certificate:
        return self._judged[0]

    @property
    def reads(self) -> list[Equation]:
        """The equations whose sides the check reads."""
        return self._judged[1]

    @cached_property
    def _judged(self) -> tuple[Certificate, list[Equation]]:
        from derivations.paper.equation import reading

        try:
            with reading() as read:
                made = self.check()
        except (Exception, SystemExit) as trouble:
            place = place_of(trouble) or place_of_body(self.check)
            where = f" ({place})" if place else ""
            raise PaperError(f"the claim {self.id} cannot be judged{where}: {one_line(trouble)}") from trouble
        if not isinstance(made, Certificate):
            raise PaperError(
                f"the claim {self.id} must yield statements such as same(left, right), or certificates of "
                f"derivations.prove: it returned {type(made).__name__}"
            )
        return made, read

    def __call__(self) -> Certificate:
        return self.certificate


@dataclass(frozen=True)
class Corrected:
    """A corrected formula as the source would write it, and the proved entry whose statement speaks of it."""

    formula: Formula
    by: str


@dataclass(frozen=True)
class Picture:
    """Curves to draw beside a refuted claim: expressions of claims in one symbol, the others held at exact numbers."""

    says: str
    along: Any
    until: Any
    curves: tuple[tuple[str, Any], ...]
    start: Any = 0
    held: tuple[tuple[Any, Any], ...] = ()
    flow: tuple[tuple[Any, Any, Any], ...] = ()  # (variable, its rate, its start): stepped along for the first one
