"""Papers: numbered equations as definitions, claims and experiments, each under a name of its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache, update_wrapper
from importlib import import_module
from types import FunctionType
from typing import TYPE_CHECKING, Annotated, Any

from derivations.paper.entries import Claim, Corrected, Entry, Picture
from derivations.paper.lost import nothing_lost
from derivations.paper.naming import PaperError, named
from derivations.paper.remarks import Remarks
from derivations.paper.statements import judged, listed, wanted
from derivations.prove.certificate import Certificate, Verdict
from derivations.text import did_you_mean
from derivations.text.doors import ANYTHING, Kind, at_door

if TYPE_CHECKING:
    from derivations.kernels.kernel import Kernel
    from derivations.latex.formula import Formula
    from derivations.latex.printed import Vocabulary
    from derivations.paper.equation import Equation


LONGEST_QUOTATION = 40  # words
Places = Annotated[str | Iterable[str], ANYTHING]
"""One place or several: `_places` reads them, and refuses anything that is no text."""
Case = Annotated[Any, Kind("an Equals, or another case of claims", lambda case: hasattr(case, "claim"))]
STATED = Kind("a function that makes the statement, such as lambda: same(left, right)", callable)


class Paper:
    """A source, its numbered equations, and what it says, in the paper's order.

    key: the name of the paper in identifiers such as key:name. title, authors, year, source: what is cited.
    numbered: how many equations have numbers; one that no entry covers is a fault.
    vocabulary: how its LaTeX is read; only `equation` needs it. read: which text of the source was read.
    models: modules that draw random instances, for `observe`.

    Refuses a number of equations that is none (`PaperError`).

    >>> from derivations.author import Symbol, same
    >>> x = Symbol("x", real=True)
    >>> paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk")
    >>> @paper.claim("Section 1")
    ... def square():
    ...     "The square of a sum has a mixed term."
    ...     yield same((x + 1) ** 2, x**2 + 2 * x + 1)
    >>> square.id, square().verdict.value
    ('mine:square', 'proved')
    """

    @at_door(PaperError)
    def __init__(
        self,
        key: str,
        *,
        title: str,
        authors: str,
        year: int,
        source: str,
        numbered: Annotated[int, ANYTHING] = 0,
        vocabulary: Vocabulary | None = None,
        read: str = "",
        models: Sequence[Any] = (),
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
        self.read = read  # which text of the source was read: its version, with or without appendices
        self.observations: dict[str, list[tuple[tuple[str, ...], Callable[[Any], bool]]]] = {}
        self.models = tuple(models)  # what draws random instances: modules of derivations.models
        self._registered: dict[str, Entry] = {}
        self._sorted: dict[str, Entry] = {}
        self._kernels: list[Callable[[], Kernel]] = []
        self._equalities: dict[Callable[[], Kernel], tuple[str, Callable[[], list[Any]]]] = {}
        self.corrections: dict[str, Corrected] = {}
        self.asserted: set[str] = set()
        self._pictures: dict[str, list[Picture]] = {}
        self._picture_modules: list[str] = []
        self.remarks = Remarks()
        self.file = ""  # the file or folder it was read from, where it is a user's own
        self.quantities = sorted({letter for model in self.models for letter in getattr(model, "QUANTITIES", ())})
        self.second: dict[str, tuple[Callable[[], Any], Any]] = {}  # by the entry with a quotation
        self.letters = ""  # what the letters of witnesses mean that the source does not have, as a sentence

    # --- writing a paper ------------------------------------------------------------------------------------------

    @at_door(PaperError)
    def equation(
        self,
        where: Places,
        latex: str,
        *,
        says: str | None = None,
        name: str | None = None,
        **reading: Any,
    ) -> Equation:
        """A formula as the source prints it, written once; its sides are read from the LaTeX.

        where: its place or places, such as "Eq. 7". latex: the formula. says: what it is for, when it only introduces
        a name; with `name` it is then an entry of its own. reading: what names mean in this formula, as `Formula` takes
        it. Refuses a paper without a vocabulary (`PaperError`), and LaTeX that cannot be read (`CannotRead`) as soon as
        a side is asked for. Returns the equation: `.left`, `.right`, `.formula`, and `.claim(...)` to judge it.

        >>> import sympy as sp
        >>> from derivations.latex import Notation
        >>> from derivations.latex.printed import Vocabulary
        >>> a = sp.Symbol("a", positive=True)
        >>> words = Vocabulary(Notation(letters="a b"), meanings={"a": a, "b": a**2})
        >>> paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk", vocabulary=words)
        >>> printed = paper.equation("Eq. 1", r"b = \\frac{a}{2}")
        >>> printed.left, printed.right
        (a**2, a*(1/2))
        """
        from derivations.latex.formula import Formula
        from derivations.paper.equation import Equation

        if self.vocabulary is None:
            raise PaperError(
                f"{self.key} prints {latex!r} but has no vocabulary: "
                "give Paper(..., vocabulary=Vocabulary(Notation(...)))"
            )
        formula = Formula(latex, self.vocabulary, **reading)
        if says is not None:
            self.definition(where, name or "", says, formula)
        return Equation(self, _places(where), formula)

    @at_door(PaperError)
    def definition(self, where: Places, name: str, says: str, printed: Formula | None = None) -> None:
        """A numbered equation that only introduces a name, and so claims nothing.

        where: its place or places. name: of the entry. says: what is introduced. printed: its formula, as read.

        >>> paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk", numbered=1)
        >>> paper.definition("Eq. 1", "loss", "The loss is half the squared error.")
        >>> paper.entries["loss"].kind, paper.missing
        ('definition', [])
        """
        self._add(Entry(self.key, name, "definition", _places(where), says, printed))

    @at_door(PaperError)
    def experiment(
        self,
        where: Places,
        name: str,
        says: str,
        printed: Formula | None = None,
        rests_on: str | Iterable[str] = (),
    ) -> None:
        """A measurement or procedure that only a simulation can repeat.

        where: its place or places. name: of the entry. says: what was done. printed: its formula, as read.
        rests_on: names of entries that it uses.

        >>> paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk")
        >>> paper.experiment("Fig. 1", "curves", "Losses of ten networks over time.")
        >>> paper.entries["curves"].kind
        'experiment'
        """
        self._add(Entry(self.key, name, "experiment", _places(where), says, printed, self._full(rests_on)))

    @at_door(PaperError)
    def claim(
        self,
        where: Places,
        *,
        printed: Annotated[Formula | None, ANYTHING] = None,
        expect: Annotated[Verdict | str | None, ANYTHING] = None,
        corrected_by: str | None = None,
        rests_on: str | Iterable[str] = (),
        name: str | None = None,
        says: str | None = None,
        given: Annotated[Any, ANYTHING] = (),
        needs: Mapping[str, Any] | None = None,
        among: Annotated[Any, ANYTHING] = (),
        quote: str = "",
        because: str = "",
        changes: str = "",
    ) -> Callable[[Callable[..., Any]], Claim]:
        """Register a function as a claim: its docstring is the sentence, and it yields statements, which all must hold.

        where: its place or places. printed: the formula that it judges, `equation(...).formula`; claims of an equation
            have it already.
        expect: the verdict: "refuted" where the claim that holds instead is named, and "proved" otherwise.
        corrected_by: the name of the claim that holds instead. rests_on: names of entries that it uses, or one text.
        name, says: in the place of the function's name and docstring.
        given: hypotheses of every statement. among: instances to try, of matrices and sums.
        needs: further hypotheses by name. Each is dropped in turn, which makes a claim of its own that must be refuted,
            called NAME_without_HYPOTHESIS; a hypothesis that nothing needs is a fault, and so is a statement that is
            no part of the claim. A value may also be a function that states something that the claim without that
            hypothesis implies, which the page then says.
        quote: the sentence of the source that the claim says formally, of at most 40 words. because: what is wrong with
            it. changes: what the mistake changes.

        Refuses a claim without a sentence, or with a name that is taken (`PaperError`). Returns the claim; calling it
        decides it.

        >>> from derivations.author import Symbol, same, sqrt
        >>> x = Symbol("x", real=True)
        >>> paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk")
        >>> @paper.claim("Section 1", corrected_by="size")
        ... def root():
        ...     "The root of a square is the number."
        ...     yield same(sqrt(x**2), x)
        >>> root().witness["point"]
        {'x': '-1'}
        """

        places = _places(where)

        def register(check: Callable[..., Any]) -> Claim:
            title, likely = name or check.__name__, Verdict.REFUTED if corrected_by else Verdict.PROVED
            sentence = " ".join((says or check.__doc__ or "").split())
            if not sentence:
                raise PaperError(
                    f"the claim {self.key}:{title} has no docstring: say in one sentence what the paper asserts there"
                )
            if unfilled := wanted(check):
                raise PaperError(
                    f"the claim {self.key}:{title} takes {unfilled[0]}, and nothing is given to it: "
                    "a claim of a place takes no arguments, and one of an equation takes eq alone"
                )
            for hypothesis, value in (needs or {}).items():
                if any(type(h) is type(value) and h == value for h in listed(given)):
                    raise PaperError(
                        f"the claim {self.key}:{title} supposes {hypothesis} in needs= and in given=: "
                        "leave it in needs= alone, which supposes it as well"
                    )
            made = Claim(
                self.key,
                title,
                "claim",
                places,
                sentence,
                printed,
                self._full(rests_on),
                quoted(quote),
                self._expected(title, likely if expect is None else expect),
                self._full([corrected_by])[0] if corrected_by else None,
                because,
                changes,
                check=_under(check, [*listed(given), *_hypotheses(needs, None)], among),
            )
            self._add(made)
            if quote and made.expect is Verdict.REFUTED:
                self.asserted.add(made.id)
            for hypothesis, value in (needs or {}).items():
                chosen = isinstance(value, FunctionType)
                left = _under(check, [*listed(given), *_hypotheses(needs, hypothesis)], among)
                self._without(made, hypothesis, _under(value, (), among) if chosen else left, chosen)
            return made

        return register

    @at_door(PaperError)
    def states(
        self, name: str, where: Places, says: str, statement: Annotated[Any, STATED], **about: Annotated[Any, ANYTHING]
    ) -> Claim:
        """Add a claim that needs no names of its own.

        name: of the entry, and after a colon the entries that it uses, as in "peak_time: decoupling_solution". where:
        its place or places. says: the claim as a sentence. statement: a function without arguments that makes it when
        the verdict is asked for; a list of statements must all hold. about: what `claim` takes beside these. Returns
        the claim.

        >>> from derivations.author import Symbol, same
        >>> x = Symbol("x", real=True)
        >>> paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk")
        >>> square = paper.states("square", "Section 1", "A square.", lambda: same((x + 1) ** 2, x**2 + 2 * x + 1))
        >>> square.id, square().verdict.value
        ('mine:square', 'proved')
        """
        return self.claim(where, says=says, **named(name, about))(statement)

    def reads_again(self, name: str, statement: Annotated[Any, STATED], given: Annotated[Any, ANYTHING] = ()) -> None:
        """Add a second statement for an entry with a quotation, written from these words alone.

        name: of the entry. statement: a function that makes it. given: its hypotheses. Pages show how what was judged
        stands to it: equal, stronger, weaker or apart.
        """
        self.second[name] = (statement, listed(given))

    def _expected(self, title: str, expect: Verdict | str) -> Verdict:
        try:
            return Verdict(expect)
        except ValueError:
            known = ", ".join(f"'{verdict.value}'" for verdict in Verdict)
            guess = did_you_mean(str(expect), [verdict.value for verdict in Verdict])
            raise PaperError(f"the claim {self.key}:{title} expects {expect!r}: give one of {known}{guess}") from None

    def _without(self, claim: Claim, hypothesis: str, check: Callable[[], Certificate], chosen: bool) -> None:
        """Add the claim without one of its hypotheses, or what was chosen to follow from it, which must fail."""
        words = hypothesis.replace("_", " ")
        same = "What the same implies" if chosen else "The same holds"
        self._add(
            Claim(
                self.key,
                f"{claim.name}_without_{hypothesis}",
                "claim",
                tuple(f"{place}, without {words}" for place in claim.where),
                f"{same} without the hypothesis: {words}.",
                expect=Verdict.REFUTED,
                corrected_by=claim.id,
                needed_by=claim.id,
                check=check,
                is_same=not chosen,
            )
        )

    @at_door(PaperError)
    def observe(self, name: str, kinds: Iterable[str]) -> Callable[[Callable[[Any], bool]], Callable[[Any], bool]]:
        """Say how a claim about the model is seen in one random instance, for the kinds of instances that it speaks of.

        The function takes an instance of one of the paper's models and returns whether the sentence holds there, as
        simulation shows it; it must not use what the claim's proof uses.
        """

        def register(seen: Callable[[Any], bool]) -> Callable[[Any], bool]:
            self.observations.setdefault(f"{self.key}:{name}", []).append((tuple(kinds), seen))
            return seen

        return register

    @at_door(PaperError)
    def corrected(self, name: str, formula: Formula, by: str | None = None) -> None:
        """How a formula should read in the source's notation, proved by `corrected_by` or by another entry.

        name: of the refuted claim. formula: the right one, read from LaTeX. by: the entry that proves it, where it is
        not the one that the claim names. Refuses a claim that is not refuted (`PaperError`).

        The statement of that entry must speak of the formula, which verification checks.
        A formula that follows from a mistake is proved as its consequence, and what it should read by another entry.

        >>> from derivations.paper.library import library
        >>> library()["van_rossem_saxe_2024"].corrections["van_rossem_saxe_2024:eq21_distance"].formula.latex
        '\\\\frac{\\\\mathrm{d}}{\\\\mathrm{d}t}||dh||^{2}=-\\\\frac{1}{2\\\\tau_{h}}||x_{2}-x_{1}||^{2}w'
        """
        wrong = self._refuted(name) if by is None or name not in self.entries else self.entries[name]
        proof = by or (wrong.corrected_by if isinstance(wrong, Claim) else None) or name
        self.corrections[wrong.id] = Corrected(formula, self._full([proof])[0])

    @at_door(PaperError)
    def asserts(self, *names: str) -> None:
        """Refuted sentences that the source states itself, rather than only under a reading of them."""
        self.asserted |= {self._refuted(name).id for name in names}

    def picture(self, name: str, picture: Picture) -> None:
        """Draw curves beside a refuted claim, on the page of the paper."""
        self._pictures.setdefault(self._refuted(name).id, []).append(picture)

    def written_in(self, package: str, modules: str, pictures: str = "") -> None:
        """Import the modules of a package that say what the source says; at one place entries stand in this order.

        modules, pictures: names inside the package; those that add pictures are imported when these are asked for.
        """
        for module in modules.split():
            import_module(f"{package}.{module}")
        self._picture_modules += [f"{package}.{module}" for module in pictures.split()]

    def _refuted(self, name: str) -> Claim:
        entry = self.entries.get(name)
        if not isinstance(entry, Claim) or entry.expect is not Verdict.REFUTED:
            raise PaperError(f"{self.key} has no refuted claim called {name}: give the name of one that is refuted")
        return entry

    @at_door(PaperError)
    def emits(
        self, name: str, *, equals: Iterable[Case] = (), **fields: Annotated[Any, ANYTHING]
    ) -> Callable[[], Kernel]:
        """Add a kernel by its name and the fields of `Kernel`; return what makes it, once, when it is first asked for.

        equals: what it returns in which case, as `derivations.paper.equals.Equals` says it. That it does is an entry
        of the paper, called NAME_kernel; no kernel is emitted without. fields: one that only a made kernel can have,
        such as steps that call another kernel, is a function without arguments.

        >>> import sympy as sp
        >>> x = sp.Symbol("x", positive=True)
        >>> paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk")
        >>> square = paper.emits("square", state=[x], returns={"a": x**2}, rests_on=["mine:a_claim"])
        >>> [kernel.name for kernel in paper.kernels], square().name
        (['square'], 'square')
        """

        @cache
        def made() -> Kernel:
            from derivations.kernels.kernel import Kernel

            return Kernel(name, **{key: field() if callable(field) else field for key, field in fields.items()})

        cases = tuple(equals)
        kernel = self._equal(name, made, cases) if cases else made
        self._kernels.append(kernel)
        return kernel

    def _equal(self, name: str, made: Callable[[], Kernel], cases: tuple[Any, ...]) -> Callable[[], Kernel]:
        """A kernel on the claims that it equals, which is an entry of its own."""
        claims = self._full(dict.fromkeys(c.claim if isinstance(c.claim, str) else c.claim.id for c in cases))
        based = cache(lambda: made().resting_on(claims))
        title = f"{name}_kernel"
        says = f"What the kernel {name} returns, with its parts put back, equals in every branch what is proved."
        place = f"Beyond: the kernel {name}, as emitted"

        def check() -> Certificate:
            from derivations.paper.equals import equality

            return equality(based(), resolved())

        def resolved() -> list[Any]:
            return [replace(case, claim=self._proof(case.claim)) for case in cases]

        self._add(Claim(self.key, title, "kernel", (place,), says, rests_on=claims, check=check))
        self._equalities[based] = f"{self.key}:{title}", resolved
        return based

    def _proof(self, claim: Any) -> Any:
        """A claim of this paper by its name, or as it is."""
        entry = self.entries.get(claim) if isinstance(claim, str) else claim
        if not isinstance(entry, Claim):
            raise PaperError(f"{self.key} has no claim called {claim}: name one that states what the kernel computes")
        return entry

    def _add(self, entry: Entry) -> None:
        if entry.name in self._registered:
            raise PaperError(f"two entries are called {entry.id}: give the one at {entry.where[0]} another name")
        if not re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", entry.name):
            raise PaperError(
                f"'{entry.name}' cannot name an entry of {self.key}: use letters, digits and underscores, "
                "in the names of needs= too"
            )
        if isinstance(entry.printed, str):
            raise PaperError(
                f"{entry.id} has text as its printed formula: give printed=paper.equation(where, latex).formula"
            )
        self._registered[entry.name] = entry

    def _full(self, names: str | Iterable[str]) -> tuple[str, ...]:
        what = f"the names of entries that {self.key} gives in rests_on or corrected_by"
        separate = names.split() if isinstance(names, str) else names
        return tuple(n if ":" in n else f"{self.key}:{n}" for n in _texts(separate, what))

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
    def equalities(self) -> dict[str, str]:
        """By the name of each kernel that equals what is proved: the entry that shows it."""
        return {made().name: entry for made, (entry, _) in self._equalities.items()}

    def cases(self, kernel: str) -> list[Any]:
        """Return what a kernel of this name is shown to equal, case by case."""
        return next(resolved() for made, (_, resolved) in self._equalities.items() if made().name == kernel)

    @property
    def pictures(self) -> dict[str, list[Picture]]:
        """The pictures beside refuted claims, by their ids; the modules that `written_in` named are imported now."""
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


def _under(check: Callable[[], Any], given: Iterable[Any], among: Any) -> Callable[[], Certificate]:
    """Return what decides a body under the hypotheses of its claim."""
    known, instances = list(given), listed(among)

    def decide() -> Certificate:
        with nothing_lost(check):
            made: Certificate = judged(check(), known, instances)
        return made

    return update_wrapper(decide, check, (), ())


def _hypotheses(needs: Mapping[str, Any] | None, dropped: str | None) -> list[Any]:
    """The named hypotheses but one; a value that is a list holds several."""
    kept = [value for name, value in (needs or {}).items() if name != dropped and not isinstance(value, FunctionType)]
    return [h for value in kept for h in (value if isinstance(value, list) else [value])]


def _places(where: str | Iterable[str]) -> tuple[str, ...]:
    if named := getattr(where, "__name__", ""):
        raise PaperError(f"the claim {named} has no place: write @paper.claim('Section 1') above it")
    return _texts(where, "the places of an entry")


def _texts(given: Any, what: str) -> tuple[str, ...]:
    """One text, or several."""
    texts = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else (given,)
    for text in texts:
        if not isinstance(text, str):
            raise PaperError(f"{what} must be text or a list of texts, and not {text!r}")
    return texts


def quoted(text: str) -> str:
    """A quotation in one line; one that is longer than may be quoted is refused."""
    words = text.split()
    if len(words) > LONGEST_QUOTATION:
        raise PaperError(f"a quotation of {len(words)} words is too long: quote at most {LONGEST_QUOTATION} words")
    return " ".join(words)
