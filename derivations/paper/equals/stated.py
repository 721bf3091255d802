"""The formulas that a claim's certificate states, and where they stand in it: what a kernel can be shown to equal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import sympy as sp

from derivations.language.signs import assumptions_of
from derivations.language.terms import Term, as_tuples, from_sympy, in_one_order
from derivations.language.words import Letter, Words
from derivations.language.words import as_json as words_json
from derivations.language.words.formulas import in_normal_form
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.text import DerivationError

SHOWN = (Verdict.PROVED, Verdict.CERTIFIED)
RIGHT = "="  # the right side of the only average that a claim states


class Unequal(DerivationError):
    """A kernel whose equality with a claim cannot even be stated; the message says what is missing."""


def asserted(statement: Json) -> Iterator[Json]:
    """The statements of which a conjunction consists; a theorem states its conclusion, and its slots assert nothing."""
    if statement["kind"] == "all":
        for part in statement["parts"]:
            yield from asserted(part)
    elif statement["kind"] == "by":
        yield from asserted(statement["concludes"])
    else:
        yield statement


def numbers(words: Words) -> Any:
    """A 1 x 1 polynomial in letters that are numbers, as an expression of symbols with their names.

    >>> from derivations.language.words import Letter
    >>> x, tau = Letter("x", 1, 1), Letter("tau", 1, 1, positive=True)
    >>> numbers(2 * x @ Letter("rate", 1, 1, inverse_of=tau))
    2*x/tau
    """
    terms = []
    for (scalars, outer), number in words.terms.items():
        factors = [*scalars, *((letter,) for letter in outer)]
        if any(len(factor) != 1 for factor in factors):
            raise Unequal(f"{words} is no polynomial in numbers: give 1 x 1 letters for its products")
        found = (_number(words.letters[factor[0].rstrip("'")]) for factor in factors)
        terms.append(sp.Mul(sp.Rational(number.numerator, number.denominator), *found))
    return sp.Add(*terms)


def _number(letter: Letter) -> Any:
    if isinstance(letter.inverse_of, Letter):
        return 1 / _number(letter.inverse_of)
    if letter.shape != (1, 1):
        raise Unequal(f"{letter.name} is no number: give 1 x 1 letters")
    return sp.Symbol(letter.name, positive=True) if letter.positive else sp.Symbol(letter.name, real=True)


def stated(claim: Any) -> dict[Term, Json]:
    """The formulas of numbers that a claim's certificate states, each with the statement in which it stands."""
    return {as_tuples(term): inner for inner in _found_in(claim)[0] for term in _named(inner)}


def proved(claim: Any) -> Certificate:
    certificate: Certificate = claim()
    if certificate.verdict not in SHOWN:
        raise Unequal(f"{claim.id} is {certificate.verdict.value}: a kernel equals what is proved")
    return certificate


def _inside(statement: Any) -> Iterator[Json]:
    """The statements about numbers inside a statement."""
    if isinstance(statement, Mapping):
        if "symbols" in statement and "kind" in statement:
            yield dict(statement)
        for key, part in statement.items():
            if statement.get("kind") != "by" or key == "concludes":  # the slots of a schema assert nothing
                yield from _inside(part)
    elif isinstance(statement, list | tuple):
        for part in statement:
            if isinstance(part, Mapping | list | tuple):
                yield from _inside(part)


_FOUND: dict[int, tuple[Certificate, list[Json], list[Any]]] = {}
"""By certificate, kept with it: the statements about numbers inside its statement, and the sides of those in words."""


def _found_in(claim: Any) -> tuple[list[Json], list[Any]]:
    """Return what the statement of a claim's certificate holds, looked for once."""
    certificate = proved(claim)
    if id(certificate) not in _FOUND:
        sides = list(sides_of("words", in_normal_form(certificate.statement)))
        _FOUND[id(certificate)] = certificate, list(_inside(certificate.statement)), sides
    return _FOUND[id(certificate)][1:]


def sides_of(kind: str, statement: Any) -> Iterator[Any]:
    """The sides of the statements of a kind, words or sums, inside a statement."""
    if isinstance(statement, Mapping):
        if statement.get("kind") == kind:
            yield from (statement["left"], statement["right"])
        for part in statement.values():
            yield from sides_of(kind, part)
    elif isinstance(statement, list | tuple):
        for part in statement:
            yield from sides_of(kind, part)


def _named(statement: Json) -> list[Any]:
    """The formulas of which a statement asserts something: both sides, what a side puts in, a limit, a solution."""
    match statement["kind"]:
        case "average":
            return [statement["right"]]
        case "identity":
            put = [value for side in ("left", "right") if statement[side][0] == "at" for _, value in statement[side][2]]
            return [statement["left"], statement["right"], *put]
        case "limit":
            return [statement["value"]]
        case "solves":
            return list(statement["solution"].values())
    return []


def formula_stated(claim: Any, formula: Any, name: str, kernel: str) -> tuple[Term, Json]:
    """The formula of a return as it stands in a claim's certificate, and the statement there.

    formula: as `Equals.returns` has it. name: of the return. kernel: its name.
    """
    if isinstance(formula, Words):
        if words_json(formula) not in _found_in(claim)[1]:
            raise Unequal(f"{claim.id} does not state {formula}, which {name} is to equal")
        value = numbers(formula)
        return from_sympy(value), {"symbols": assumptions_of(value), "assuming": []}
    if formula == RIGHT:
        return _average(claim)
    if isinstance(formula, str | tuple):
        return _solution(claim, *((formula, 0) if isinstance(formula, str) else formula))
    wanted = in_one_order(from_sympy(formula))
    for term, statement in stated(claim).items():
        if in_one_order(term) == wanted:
            return term, statement
    raise Unequal(
        f"{claim.id} does not state {formula}, which {name} of the kernel {kernel} is to equal: "
        "give a side, a solution or a limit of its certificate"
    )


def _average(claim: Any) -> tuple[Term, Json]:
    """Return what the claim says that an average is."""
    every = [s for s in _found_in(claim)[0] if s["kind"] == "average"]
    if len(every) != 1:
        raise Unequal(f"{claim.id} states {len(every)} averages: name a claim that states one")
    return as_tuples(every[0]["right"]), every[0]


def _solution(claim: Any, name: str, number: int) -> tuple[Term, Json]:
    """Return what a variable is in one of the solutions of flows that the claim states."""
    every = [s for s in _found_in(claim)[0] if s["kind"] == "solves"]
    if number >= len(every) or name not in every[number]["solution"]:
        raise Unequal(f"{claim.id} states no solution of a flow, of number {number}, for {name}")
    return as_tuples(every[number]["solution"][name]), every[number]
