"""Statements of authors: values that are judged when the verdict of their claim is asked for, and not before.

@paper.claim("Section 1", given=[x > 0])
def square_root():
    "The root of a square is the number."
    yield same(sqrt(x**2), x)
    yield positive(sqrt(x))
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Container, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import sympy as sp

from derivations import prove
from derivations.language.averages import Mean
from derivations.language.sums import Sums
from derivations.language.words import Order, Words
from derivations.language.words.blocks import Blocks
from derivations.paper.lost import is_judged, is_stated
from derivations.prove import Certificate
from derivations.prove.schemas.joining import together
from derivations.text import DerivationError


@dataclass(frozen=True)
class Statement:
    """A statement and the prover for it; hypotheses and instances of its claim come before its own."""

    prover: Callable[..., Certificate]
    stated: tuple[Any, ...]
    given: tuple[Any, ...] = ()
    among: tuple[Any, ...] | None = None  # None where the prover takes no instances
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if "assuming" in self.options:
            raise DerivationError("a statement takes no assuming=, which provers take: write given=[...]")
        is_stated(self)

    def __str__(self) -> str:
        return f"{self.prover.__name__}({', '.join(map(str, self.stated))})"

    def judged(self, given: Iterable[Any] = (), among: Iterable[Any] = ()) -> Certificate:
        """Return the certificate, under the hypotheses of a claim and with its instances."""
        is_judged(self)
        instances = {} if self.among is None else {"among": [*among, *self.among]}
        return self.prover(*self.stated, assuming=[*given, *self.given], **instances, **self.options)


def same(left: Any, right: Any = 0, given: Any = (), *, among: Any = (), **options: Any) -> Statement:
    """State that two sides are equal: numbers, matrices of any size, sums of any range, or an average and a number.

    given: hypotheses, beside those of the claim. among: instances to try, of matrices and sums.

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> same(sp.sqrt(x**2), x, [x > 0]).judged().verdict.value
    'proved'
    """
    sides = (left, right)
    if any(isinstance(side, Words | Blocks) for side in sides):
        return Statement(prove.words, sides, listed(given), listed(among), options)
    if any(isinstance(side, Sums) for side in sides):
        return Statement(prove.sums, sides, listed(given), listed(among), options)
    return Statement(prove.average if isinstance(left, Mean) else prove.identity, sides, listed(given), None, options)


def holds(relation: Any, given: Any = (), *, among: Any = (), **options: Any) -> Statement:
    """State an inequality, between numbers or between symmetric matrices.

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> holds(x**2 + 1 > x).judged().verdict.value
    'proved'
    """
    if isinstance(relation, Order):
        return Statement(prove.loewner, (relation,), listed(given), listed(among), options)
    return Statement(prove.inequality, (relation,), listed(given), None, options)


def positive(expression: Any, given: Any = (), **options: Any) -> Statement:
    """State that a number is positive."""
    return Statement(prove.positive, (expression,), listed(given), None, options)


def tends(expression: Any, to: Any, value: Any, given: Any = (), **options: Any) -> Statement:
    """State what an expression tends to, where `to` says which symbols go where: `tends(sin(x)/x, {x: 0}, 1)`."""
    return Statement(prove.limit, (expression, to, value), listed(given), None, options)


def solves(flow: Any, solution: Any, start: Any, time: Any, given: Any = (), **options: Any) -> Statement:
    """State that formulas solve a flow from a start: `solves({x: -x}, {x: x0 * exp(-t)}, {x: x0}, t)`."""
    return Statement(prove.solves, (flow, solution, start, time), listed(given), None, options)


def by(theorem: str, /, *, given: Any = (), among: Any = (), **slots: Any) -> Statement:
    """State what a theorem of the table concludes from what stands in its slots."""
    return Statement(prove.by, (theorem,), listed(given), listed(among), slots)


def put(expression: Any, values: Mapping[Any, Any]) -> Any:
    """Return an expression with values for some of its symbols, which the prover and the checker put in.

    The values that go into a derivative must differ: where they do not, SymPy takes derivatives by different symbols
    for one. Nothing is put into what values are put into already.
    """
    return sp.Subs(expression, tuple(values), tuple(values.values()))


def above(left: Any, right: Any) -> Any:
    """Return the relation left > right, of which SymPy evaluates nothing."""
    return sp.Gt(left, right, evaluate=False)


def at_least(left: Any, right: Any) -> Any:
    """Return the relation left >= right, of which SymPy evaluates nothing."""
    return sp.Ge(left, right, evaluate=False)


def listed(values: Any) -> tuple[Any, ...]:
    """Return several values as they are, and a single one as one of a list."""
    return tuple(values) if isinstance(values, list | tuple) else (values,)


def wanted(body: Callable[..., Any], offered: Container[str] = ()) -> list[str]:
    """Return the arguments without which a body cannot be called, beside those that are offered.

    >>> wanted(lambda eq, also=1: eq), wanted(lambda eq: eq, ["eq"])
    (['eq'], [])
    """
    asked = inspect.signature(body, follow_wrapped=False).parameters.values()
    filled = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p.name for p in asked if p.default is p.empty and p.kind not in filled and p.name not in offered]


def judged(body: Any, given: Iterable[Any] = (), among: Iterable[Any] = ()) -> Any:
    """Return the certificate of what a body states, all of it together; what is no statement is returned as it is.

    body: a statement, a printed equation, a certificate, or several, which a function yields or returns as a list. A
    certificate stands under the hypotheses that its prover was given; alone it is refused where the claim has others.

    >>> import sympy as sp
    >>> x = sp.Symbol("x", real=True)
    >>> judged([same(x + x, 2 * x), positive(x**2 + 1)]).verdict.value
    'proved'
    """
    if hasattr(body, "judged"):
        return body.judged(given, among)
    if isinstance(body, Certificate) and given:
        raise DerivationError("a certificate does not take the hypotheses of its claim: give them to its prover")
    if not isinstance(body, Generator | list | tuple):
        return body
    each = list(_each(_all_of(body) if isinstance(body, Generator) else body, [*given], [*among]))
    return together(each)


def _all_of(body: Generator[Any, Any, Any]) -> Generator[Any, Any, None]:
    """Yield what a body yields; what it returns at its end would not be judged, and is refused."""
    returned = yield from body
    if returned is not None:
        raise DerivationError("what is returned after a yield is not judged: yield it, too")


def _each(stated: Iterable[Any], given: list[Any], among: list[Any]) -> Iterator[Certificate]:
    """Judge what is stated one by one; what is wrong with a statement is raised at the line that yields it."""
    for part in stated:
        try:
            made = part if isinstance(part, Certificate) else judged(part, given, among)
            if not isinstance(made, Certificate):
                raise DerivationError(f"{made!r} is no statement: yield same(left, right), holds(a > b) or another one")
        except Exception as trouble:
            if isinstance(stated, Generator):
                stated.throw(trouble)
            raise
        yield made
