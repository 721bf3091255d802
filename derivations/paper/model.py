"""What a paper says: numbered equations as definitions, claims and experiments, each under a name of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Any, overload

from derivations.paper.order import position
from derivations.prove.certificate import Certificate, Verdict
from derivations.text import DerivationError, one_line

if TYPE_CHECKING:
    from derivations.kernels.kernel import Kernel
    from derivations.latex.printed import Transcription, Vocabulary

NUMBERED = re.compile(r"Eq\. (\d+)(?=$|,)")


class PaperError(DerivationError):
    """A paper file that breaks a rule; the message says which entry, which rule, and what to do."""


@dataclass(frozen=True)
class Entry:
    """One thing a paper says, and where: a definition, a claim or an experiment."""

    paper: str
    name: str
    kind: str
    where: tuple[str, ...]
    says: str
    printed: Transcription | None = None
    rests_on: tuple[str, ...] = ()

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
        return {int(m.group(1)) for w in self.where if (m := NUMBERED.match(w))}


@dataclass(frozen=True)
class Claim(Entry):
    """An entry whose verdict is computed by its check."""

    expect: Verdict = Verdict.PROVED
    corrected_by: str | None = None
    check: Callable[[], Certificate] = field(kw_only=True)

    @cached_property
    def certificate(self) -> Certificate:
        try:
            made = self.check()
        except (Exception, SystemExit) as trouble:
            raise PaperError(f"the claim {self.id} cannot be judged: {one_line(trouble)}") from trouble
        if not isinstance(made, Certificate):
            raise PaperError(
                f"the claim {self.id} must return a certificate made by derivations.prove, "
                f"it returned {type(made).__name__}"
            )
        return made

    def __call__(self) -> Certificate:
        return self.certificate


@dataclass(frozen=True)
class Corrected:
    """A corrected formula as the source would write it, and the proved entry whose expressions its sides are."""

    formula: Transcription
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


class Paper:
    """A source, its numbered equations, and what it says, in the paper's order."""

    def __init__(
        self,
        key: str,
        *,
        title: str,
        authors: str,
        year: int,
        source: str,
        numbered: int,
        vocabulary: Vocabulary | None = None,
    ) -> None:
        if type(numbered) is not int or numbered < 0:
            raise PaperError(
                f"{key}: numbered is how many equations have numbers, e.g. numbered=3, and not {numbered!r}"
            )
        self.key, self.title, self.authors, self.year, self.source, self.numbered = (
            key,
            title,
            authors,
            year,
            source,
            numbered,
        )
        self.vocabulary = vocabulary
        self._registered: dict[str, Entry] = {}
        self._sorted: dict[str, Entry] = {}
        self._kernels: list[Callable[[], Kernel]] = []
        self.corrections: dict[str, Corrected] = {}
        self.asserted: set[str] = set()
        self._pictures: dict[str, list[Picture]] = {}
        self._picture_modules: list[str] = []
        self.letters = ""  # what the letters of witnesses mean that the source does not have, as a sentence

    # --- writing a paper ------------------------------------------------------------------------------------------

    def printed(self, latex: str, *sides: Any, **options: Any) -> Transcription:
        """A formula as the source prints it, and as one or two unevaluated expressions; both must agree."""
        from derivations.latex.printed import Transcription

        if self.vocabulary is None:
            raise PaperError(
                f"{self.key} prints {latex!r} but has no vocabulary: "
                "give Paper(..., vocabulary=Vocabulary(Notation(...)))"
            )
        return Transcription(latex, sides, self.vocabulary, **options)

    def term(self, expression: Any) -> Any:
        """An expression as a part of a printed statement that is no equation."""
        from derivations.language.terms import from_sympy

        return from_sympy(expression)

    def rate(self, expression: Any) -> Any:
        """The time derivative of an expression, for the printed side of a transcription."""
        from derivations.language.terms import from_sympy

        return ("dt", from_sympy(expression), "t")

    def definition(
        self, where: str | Iterable[str], name: str, says: str, printed: Transcription | None = None
    ) -> None:
        """A numbered equation that only introduces a name."""
        self._add(Entry(self.key, name, "definition", _places(where), says, printed))

    def experiment(
        self,
        where: str | Iterable[str],
        name: str,
        says: str,
        printed: Transcription | None = None,
        rests_on: Iterable[str] = (),
    ) -> None:
        """A measurement or procedure that only a simulation can repeat."""
        self._add(Entry(self.key, name, "experiment", _places(where), says, printed, self._full(rests_on)))

    def claim(
        self,
        where: str | Iterable[str],
        *,
        printed: Transcription | None = None,
        expect: Verdict | str = Verdict.PROVED,
        corrected_by: str | None = None,
        rests_on: str | Iterable[str] = (),
        name: str | None = None,
        says: str | None = None,
    ) -> Callable[[Callable[[], Certificate]], Claim]:
        """Register a function as a claim: its docstring is the sentence, its body returns a certificate."""

        def register(check: Callable[[], Certificate]) -> Claim:
            title = name or check.__name__
            sentence = " ".join((says or check.__doc__ or "").split())
            if not sentence:
                raise PaperError(
                    f"the claim {self.key}:{title} has no docstring: say in one sentence what the paper asserts there"
                )
            try:
                expected = Verdict(expect)
            except ValueError:
                known = ", ".join(f"Verdict.{verdict.name}" for verdict in Verdict)
                raise PaperError(f"the claim {self.key}:{title} expects {expect!r}: give one of {known}") from None
            correction = self._full([corrected_by])[0] if corrected_by else None
            made = Claim(
                self.key,
                title,
                "claim",
                _places(where),
                sentence,
                printed,
                self._full(rests_on),
                expected,
                correction,
                check=check,
            )
            self._add(made)
            return made

        return register

    def corrected(self, name: str, formula: Transcription, by: str | None = None) -> None:
        """How a refuted formula should read in the source's notation, proved by `corrected_by` or by another entry."""
        refuted = self._refuted(name)
        self.corrections[refuted.id] = Corrected(formula, self._full([by or refuted.corrected_by or name])[0])

    def asserts(self, *names: str) -> None:
        """Refuted sentences that the source states itself, rather than only under a reading of them."""
        self.asserted |= {self._refuted(name).id for name in names}

    def picture(self, name: str, picture: Picture) -> None:
        """Draw curves beside a refuted claim, on the page of the paper."""
        self._pictures.setdefault(self._refuted(name).id, []).append(picture)

    def pictures_in(self, module: str) -> None:
        """Name a module that adds pictures, which is imported when pictures are first asked for."""
        self._picture_modules.append(module)

    def _refuted(self, name: str) -> Claim:
        entry = self.entries.get(name)
        if not isinstance(entry, Claim) or entry.expect is not Verdict.REFUTED:
            raise PaperError(f"{self.key} has no refuted claim called {name}: give the name of one that is refuted")
        return entry

    @overload
    def kernel(self, kernel: Kernel) -> Kernel: ...

    @overload
    def kernel(self, kernel: Callable[[], Kernel]) -> Callable[[], Kernel]: ...

    def kernel(self, kernel: Any) -> Any:
        """Add a kernel, or a function that makes one, which is called once, when kernels are first asked for."""
        if not isinstance(kernel, FunctionType):
            self._kernels.append(lambda: kernel)
            return kernel
        made = cache(kernel)
        self._kernels.append(made)
        return made

    def _add(self, entry: Entry) -> None:
        if entry.name in self._registered:
            raise PaperError(f"two entries are called {entry.id}: give the one at {entry.where[0]} another name")
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", entry.name):
            raise PaperError(f"'{entry.name}' cannot name an entry of {self.key}: use letters, digits and underscores")
        if isinstance(entry.printed, str):
            raise PaperError(
                f"{entry.id} has text as its printed formula: give printed=paper.printed(latex, left, right)"
            )
        self._registered[entry.name] = entry

    def _full(self, names: str | Iterable[str]) -> tuple[str, ...]:
        what = f"the names of entries that {self.key} gives in rests_on or corrected_by"
        return tuple(n if ":" in n else f"{self.key}:{n}" for n in _texts(names, what))

    # --- reading a paper ------------------------------------------------------------------------------------------

    @property
    def entries(self) -> dict[str, Entry]:
        """All entries by name, in the paper's order: numbered equations, then the text, figures, and what is beyond."""
        if len(self._sorted) != len(self._registered):
            self._sorted = dict(sorted(self._registered.items(), key=lambda item: item[1].position))
        return self._sorted

    @property
    def kernels(self) -> list[Kernel]:
        """Every kernel, in the order of the paper's files; those that functions make are made now."""
        return [made() for made in self._kernels]

    @property
    def pictures(self) -> dict[str, list[Picture]]:
        """The pictures beside refuted claims, by their ids; modules that `pictures_in` named are imported now."""
        while self._picture_modules:
            import_module(self._picture_modules.pop(0))
        return self._pictures

    @property
    def claims(self) -> list[Claim]:
        return [e for e in self.entries.values() if isinstance(e, Claim)]

    @property
    def missing(self) -> list[int]:
        """Numbered equations that no entry covers."""
        covered: set[int] = set().union(*(e.numbers for e in self.entries.values()))
        return [n for n in range(1, self.numbered + 1) if n not in covered]

    @property
    def citation(self) -> str:
        return f"{self.authors} ({self.year}). {self.title}. {self.source}"


def _places(where: str | Iterable[str]) -> tuple[str, ...]:
    return _texts(where, "the places of an entry")


def _texts(given: Any, what: str) -> tuple[str, ...]:
    """One text, or several."""
    texts = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else (given,)
    for text in texts:
        if not isinstance(text, str):
            raise PaperError(f"{what} must be text or a list of texts, and not {text!r}")
    return texts
