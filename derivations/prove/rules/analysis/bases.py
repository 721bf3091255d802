"""By the sign of a base: an even power is positive where its base is positive, or everywhere negative."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import MINUS_ONE, ONE, ZERO, Term, carried_out, fraction_of
from derivations.prove.certificate import Json
from derivations.prove.rules.analysis.factors import Factor
from derivations.prove.rules.analysis.samples import places, signs
from derivations.prove.rules.rule import Step


def even_power(statement: Json) -> tuple[Term, int] | None:
    """The base and the exponent of an even power that shall be positive."""
    if statement["kind"] != "sign" or statement["right"] != ZERO or statement["relation"] != ">":
        return None
    term = carried_out(statement["left"])
    if term[0] != "^" or term[2][0] != "q" or fraction_of(term[2]) % 2 or term[2] == ZERO:
        return None
    return term[1], int(fraction_of(term[2]))


def signed_bases(base: Term, power: int) -> dict[int, Step]:
    """The steps by which the sign of the base is shown instead, by that sign."""
    bases: dict[int, Term] = {1: base, -1: ("*", MINUS_ONE, base)}
    used = {sign: Factor().times(signed, power).parameters for sign, signed in bases.items()}
    return {sign: Step("a factor of known sign", each | {"function": ONE}) for sign, each in used.items()}


def by_base(statement: Json) -> Iterator[Step]:
    """The sign that the base of an even power has at all points that are tried."""
    power = even_power(statement)
    if power is not None:
        found = signs(power[0], places(statement))
        yield from (step for sign, step in signed_bases(*power).items() if found == {sign})
