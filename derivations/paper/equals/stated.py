"""The formulas that a claim's certificate states, and where they stand in it: what a kernel can be shown to equal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from derivations.language.terms import Term, as_tuples, from_sympy, in_one_order, symbols_in
from derivations.language.words import Words
from derivations.language.words import as_json as words_json
from derivations.language.words.formulas import in_normal_form
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.recheck.ledgers.givens import asserted, in_numbers
from derivations.text import DerivationError

SHOWN = (Verdict.PROVED, Verdict.CERTIFIED)
RIGHT = "="  # the right side of the only average that a claim states


class Unequal(DerivationError):
    """A kernel whose equality with a claim cannot even be stated; the message says what is missing."""


@dataclass(frozen=True)
class Stated:
    """A formula that a claim states, the statement in which it stands, and where.

    slot: the place of that statement among those of the claim, what the formula is in it, and of which variable.
    """

    formula: Term
    inside: Json
    slot: tuple[Any, ...]


def stated(claim: Any) -> list[Stated]:
    """The formulas of numbers that a claim's certificate states."""
    return [
        Stated(as_tuples(term), inner, (place, *slot))
        for place, inner in _found_in(claim)[0]
        for slot, term in _named(inner)
    ]


def proved(claim: Any) -> Certificate:
    certificate: Certificate = claim()
    if certificate.verdict not in SHOWN:
        raise Unequal(f"{claim.id} is {certificate.verdict.value}: a kernel equals what is proved")
    return certificate


Numbered = list[tuple[int, Json]]  # statements with their places
Sides = list[tuple[tuple[int, str], Json]]
_FOUND: dict[int, tuple[Certificate, Numbered, Sides]] = {}
"""By certificate, kept with it: the statements about numbers that it asserts, and the sides of those in words."""


def _found_in(claim: Any) -> tuple[Numbered, Sides]:
    """Return what the statement of a claim's certificate asserts, with the places, looked for once."""
    certificate = proved(claim)
    if id(certificate) not in _FOUND:
        every = [*enumerate(asserted(certificate.statement))]
        words = [(place, in_normal_form(inner)) for place, inner in every if inner["kind"] == "words"]
        sides = [((place, key), inner[key]) for place, inner in words for key in ("left", "right")]
        _FOUND[id(certificate)] = certificate, [(place, inner) for place, inner in every if "symbols" in inner], sides
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


def _named(statement: Json) -> list[tuple[tuple[str, ...], Any]]:
    """The formulas of which a statement asserts something: both sides, what a side puts in, a limit, a solution."""
    match statement["kind"]:
        case "average":
            return [(("right",), statement["right"])]
        case "identity":
            sides = [((key,), statement[key]) for key in ("left", "right")]
            return sides + [((*key, n), value) for key, side in sides if side[0] == "at" for n, value in side[2]]
        case "limit":
            return [(("value",), statement["value"])]
        case "solves":
            return [(("solution", name), value) for name, value in statement["solution"].items()]
    return []


def formula_stated(claim: Any, formula: Any, name: str, kernel: str) -> Stated:
    """The formula of a return as it stands in a claim's certificate.

    formula: as `Equals.returns` has it. name: of the return. kernel: its name.
    """
    if isinstance(formula, Words):
        written = words_json(formula)
        slot = next((slot for slot, side in _found_in(claim)[1] if side == written), None)
        if slot is None:
            raise Unequal(f"{claim.id} does not state {formula}, which {name} is to equal")
        place, key = slot
        said = as_tuples([*asserted(proved(claim).statement)][place])
        value = in_numbers(said[key]["formula"], said["letters"])
        return Stated(value, {"symbols": {s: [] for s in sorted(symbols_in(value))}, "assuming": []}, slot)
    if formula == RIGHT:
        return _average(claim)
    if isinstance(formula, str | tuple):
        return _solution(claim, *((formula, 0) if isinstance(formula, str) else formula))
    wanted = in_one_order(from_sympy(formula))
    for each in stated(claim):
        if in_one_order(each.formula) == wanted:
            return each
    raise Unequal(
        f"{claim.id} does not state {formula}, which {name} of the kernel {kernel} is to equal: "
        "give a side, a solution or a limit of its certificate"
    )


def _average(claim: Any) -> Stated:
    """Return what the claim says that an average is."""
    every = [each for each in stated(claim) if each.inside["kind"] == "average"]
    if len(every) != 1:
        raise Unequal(f"{claim.id} states {len(every)} averages: name a claim that states one")
    return every[0]


def _solution(claim: Any, name: str, number: int) -> Stated:
    """Return what a variable is in one of the solutions of flows that the claim states."""
    every = [(place, inside) for place, inside in _found_in(claim)[0] if inside["kind"] == "solves"]
    if number >= len(every) or name not in every[number][1]["solution"]:
        raise Unequal(f"{claim.id} states no solution of a flow, of number {number}, for {name}")
    place, inside = every[number]
    return Stated(as_tuples(inside["solution"][name]), inside, (place, "solution", name))
