"""Equations as a source prints them, registered once: their sides are read from their LaTeX.

EQ_4 = paper.equation("Eq. 4", r"p(t)=\\frac{K}{1+(\\frac{K}{p(0)}-1)e^{-t}}")

@EQ_4.claim(corrected=r"p(t)=\\frac{K}{1+(\\frac{K}{p(0)}-1)e^{-rt}}", because="The exponent lacks the rate.")
def logistic_growth(eq):
    \"\"\"The population follows a logistic curve.\"\"\"
    yield solves(flow, {p: eq.right}, {p: p0}, t)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import update_wrapper
from typing import Any

from sympy import Derivative

from derivations import prove
from derivations.language.terms import as_expression
from derivations.latex.formula import Formula, is_part
from derivations.latex.tokens import ambiguous
from derivations.paper.naming import named
from derivations.paper.statements import holds, same, wanted
from derivations.prove import Certificate, Verdict
from derivations.text import DerivationError

Check = Callable[..., Any]  # the body of a claim: it yields statements, or states nothing beside the equation


_READ: ContextVar[list[Equation] | None] = ContextVar("_READ", default=None)
_INSTEAD: ContextVar[Mapping[str, str] | None] = ContextVar("_INSTEAD", default=None)


@contextmanager
def reading(instead: Mapping[str, str] | None = None) -> Iterator[list[Equation]]:
    """The equations that are read inside, in their order; some LaTeX is read as if other LaTeX stood in its place."""
    found: list[Equation] = []
    tokens = _READ.set(found), _INSTEAD.set(instead)
    try:
        yield found
    finally:
        _READ.reset(tokens[0])
        _INSTEAD.reset(tokens[1])


@dataclass(frozen=True)
class Equation:
    """A printed formula and its place; `left` and `right` are what its LaTeX says, in the paper's vocabulary.

    An order is read with the larger side first: of a < b, `left` is b. `stated` is the whole, as a hypothesis has it.

    >>> import sympy as sp
    >>> from derivations import Paper
    >>> from derivations.latex import Notation
    >>> from derivations.latex.printed import Vocabulary, symbols_of
    >>> words = Vocabulary(Notation(letters="a b"), meanings=symbols_of(*sp.symbols("a b", positive=True)))
    >>> paper = Paper("mine", title="Mine", authors="Me", year=2026, source="my desk", vocabulary=words)
    >>> printed = paper.equation("Eq. 1", "a < 2b")
    >>> printed.left, printed.right, printed.stated
    (2*b, a, 2*b > a)
    """

    paper: Any  # the Paper that made it; its module makes these objects, and is not imported here
    where: tuple[str, ...]
    formula: Formula

    @property
    def left(self) -> Any:
        return self._as_read.left

    @property
    def right(self) -> Any:
        return self._as_read.right

    @property
    def stated(self) -> Any:
        """The printed equality or order of numbers as a relation, such as `given=` takes."""
        relation = self.formula.relation
        if relation not in ("=", ">", ">="):
            raise DerivationError(f"{self.latex!r} states no equality, and no order: say its hypothesis by hand")
        return _relation(relation, self.left, self.right)

    @property
    def _as_read(self) -> Formula:
        """The formula, or the one that stands for it while `reading` says so."""
        found = _READ.get()
        if found is not None:
            found.append(self)
        instead = (_INSTEAD.get() or {}).get(self.latex)
        return self.formula if instead is None else replace(self.formula, latex=instead, reads="")

    @property
    def latex(self) -> str:
        return self.formula.latex

    def judged(self, given: Iterable[Any] = (), among: Iterable[Any] = ()) -> Certificate:
        """Decide every printed equality or order under hypotheses, with the prover for such objects.

        given: hypotheses, beside those that are printed. among: instances to try, of matrices and sums.
        """
        printed = self.relations()
        if len(printed) > 1:
            judged = prove.every(*(part.judged([*given, *under], among) for part, under in _under_conditions(printed)))
            if judged.verdict is Verdict.REFUTED and self._as_read.is_of_one_sign:
                raise ambiguous(self.latex, 0, "one sign")
            return judged
        sides: list[Any] = [int(each) if _is_whole(each) else each for each in (self.left, self.right)]
        relation = self.formula.relation
        if relation in (">", ">=") and self.formula.kind == "scalars":
            return holds(_relation(relation, *sides)).judged(given)
        if relation != "=":
            raise DerivationError(
                f"{self.latex!r} states no equality, and no order of numbers: give the claim a body that decides it"
            )
        return same(*sides).judged(given, among)

    def relations(self) -> list[Equation]:
        """Every relation that is printed, as an equation that means this one alone, in the order of printing."""
        return [replace(self, formula=part) for part in self._as_read.relations()]

    @property
    def condition(self) -> Equation:
        """This equation where a claim supposes what is printed; the page says so."""
        return replace(self, formula=replace(self.formula, supposed=True))

    def link(self, number: int) -> Equation:
        """One relation of a printed chain a = b = c, counted from 1."""
        links = self.formula.links()
        if not 1 <= number <= len(links):
            raise DerivationError(f"{self.where[0]} has {len(links)} links, counted from 1: none is {number}")
        return replace(self, where=(f"{self.where[0]}, link {number}",), formula=links[number - 1])

    def part(self, name: str, latex: str) -> Equation:
        """Return what stands in this print, as a formula of its own: `part("line 2", latex)`."""
        if not is_part(latex, self.latex):
            raise DerivationError(f"{latex!r} does not stand in {self.latex!r}: give whole relations or sides")
        return self.instead(name, latex)

    def instead(self, name: str, latex: str) -> Equation:
        """Another formula at the same place, in the same reading: `instead("corrected", latex)`."""
        where = (f"{self.where[0]}, {name}",) if name else self.where
        return replace(self, where=where, formula=replace(self.formula, latex=latex, reads="", pick=None))

    def put(self, meanings: Mapping[Any, Any]) -> Equation:
        """Return the equation with definitions put in for some of its names, or for the symbols of these names."""
        return replace(self, formula=self.formula.put(meanings))

    def with_left(self, words: str) -> Equation:
        """Return the equation with a left side in words alone, which the page tells: nothing checks them."""
        return replace(self, formula=replace(self.formula, left_is=words)) if words else self

    def branches(self) -> tuple[Equation, Equation]:
        """The equation with the upper signs of every plus-minus, and with the lower ones."""
        upper, lower = self.formula.branches()
        return replace(self, formula=upper), replace(self, formula=lower)

    def claim(
        self,
        *also: str,
        corrected: str | Formula | None = None,
        corrected_name: str | None = None,
        because: str = "",
        put: Mapping[Any, Any] | None = None,
        left: str = "",
        expect: Verdict | str | None = None,
        name: str | None = None,
        says: str | None = None,
        **about: Any,
    ) -> Callable[[Check], Any]:
        """Register a claim about this equation; its docstring is the sentence.

        The body may take `eq`, this equation; one that states nothing states the equation. Whatever it states must
        speak of the printed sides, which verification checks.

        also: further places. corrected: how the formula should read, which is then a claim of its own, decided by the
        same body; because: the sentence of that claim, or what is wrong. put: definitions to put in, as `put` takes
        them. left: in words, what the left side is where no statement
        says it. expect: the verdict, by default PROVED, and REFUTED where there is a correction. about: what
        `Paper.claim` takes: given, among, needs, rests_on, changes, corrected_by.
        """
        for place in also:
            if named := getattr(place, "__name__", ""):
                raise DerivationError(
                    f"{named} is no further place of {self.where[0]}: write .claim() with its brackets"
                )
        printed = (self.put(put) if put else self).with_left(left)

        def register(check: Check) -> Any:
            title, sentence = name or check.__name__, says or check.__doc__
            if unfilled := wanted(check, ["eq"]):
                raise DerivationError(
                    f"the claim {title} takes {unfilled[0]}, and an equation gives its claim eq alone"
                )
            better = corrected_name or f"{title}_corrected"
            if corrected is not None:
                about.setdefault("corrected_by", better)
            places = (*self.where, *also)
            told = {"name": title, "says": sentence, "because": because, **about}
            made = self.paper.claim(places, printed=printed.formula, expect=expect, **told)(_body(check, printed))
            if corrected is not None:
                right = self._reading(corrected, put).with_left(left)
                kept = {key: about[key] for key in ("given", "among", "rests_on") if key in about}
                place = f"{self.where[0]}, corrected"
                self.paper.claim(place, name=better, says=because or sentence, **kept)(_body(check, right))
                self.paper.corrected(title, right.formula, by=better)
            return made

        return register

    def states(self, name: str, says: str, statement: Check | None = None, **about: Any) -> Any:
        """Add a claim about this equation that needs no names of its own; what it takes beside `claim` has the rest.

        name: of the entry, and after a colon the entries that it uses. statement: a function, of `eq` if it has that
        name, that makes the statement when the verdict is asked for; without one the equation itself is stated.
        Returns the claim.
        """
        return self.claim(says=says, **named(name, about))(statement or _nothing_else)

    def _reading(self, corrected: str | Formula, put: Mapping[Any, Any] | None) -> Equation:
        """The equation with another formula in its place, read in the same way."""
        formula = corrected if isinstance(corrected, Formula) else replace(self.formula, latex=corrected, reads="")
        return replace(self, formula=formula.put(put) if put else formula)


@dataclass(frozen=True)
class Reading:
    """A flow by which formulas are judged, and what printed constants stand for there."""

    flow: Mapping[Any, Any]
    constants: Mapping[Any, Any]

    def of(self, expression: Any) -> Any:
        """Return a printed expression under this reading."""
        return as_expression(expression).subs(self.constants) if self.constants else expression

    def rate(self, expression: Any) -> Any:
        """Return the time derivative of an expression along the flow."""
        return sum(Derivative(expression, letter) * rate for letter, rate in self.flow.items())

    def put(self, equation: Equation, **rates: Any) -> Equation:
        """Return a printed equation in which rates are those of the flow; some may be given."""
        flow = {f"d{letter}_dt": rate for letter, rate in self.flow.items()}
        return equation.put({**self.constants, **flow, **rates})


def _nothing_else() -> None:
    """State nothing, so that the equation is stated."""


def _under_conditions(printed: list[Equation]) -> Iterator[tuple[Equation, list[Any]]]:
    """Every relation that is claimed, with the printed conditions: with each sign that one of these has."""
    conditions = [part for part in printed if part.formula.supposed]
    signs: list[bool | None] = [sign for sign in (True, False) if sign in {part.formula.upper for part in conditions}]
    for part in printed:
        for sign in (signs or [None]) if not part.formula.supposed else ():
            yield part, [each.stated for each in conditions if each.formula.upper in (None, sign)]


def _is_whole(side: Any) -> bool:
    """Check whether a side, beside one of matrices or sums, is a whole number, as the provers of these take it."""
    return isinstance(side, Fraction) and side.denominator == 1


def _relation(name: str, left: Any, right: Any) -> Any:
    from sympy import Equality, GreaterThan, StrictGreaterThan

    return {"=": Equality, ">": StrictGreaterThan, ">=": GreaterThan}[name](left, right, evaluate=False)


def _body(check: Check, equation: Equation) -> Callable[[], Any]:
    """Return the body of a claim about an equation, which is stated where the body states nothing."""

    def body() -> Any:
        stated = call(check, eq=equation)
        return equation if stated is None else stated

    return update_wrapper(body, check, (), ())


def call(check: Check, **offered: Any) -> Any:
    """Call a function with those of the offered arguments for which it has a name."""
    wanted = inspect.signature(check).parameters
    return check(**{name: value for name, value in offered.items() if name in wanted})
