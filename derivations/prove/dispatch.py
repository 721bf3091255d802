"""One door to all provers: a statement as data goes in, a certificate comes out."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace

from derivations.language.normal import Undefined
from derivations.language.terms import NotExact
from derivations.prove import averages, enclosure, equality, limits, sign, sums, words
from derivations.prove.certificate import Certificate, Json, Verdict, undecided
from derivations.prove.equality import Unsatisfiable
from derivations.prove.flows import solutions, trajectories
from derivations.prove.rules import KINDS, by_rules, effort
from derivations.prove.schemas import composite
from derivations.prove.schemas.use import decided as decided_by_theorem
from derivations.prove.sign import hunt
from derivations.prove.stating import require_data
from derivations.prove.words import loewner
from derivations.text import DerivationError, one_line
from derivations.text.doors import at_door, shown
from derivations.text.work import spend

MOST_REASONS = 8  # in what is said of an open statement
PER_STATEMENT = 500  # units of work


@at_door(NotExact)
def decide(statement: Json) -> Certificate:
    """Decide any statement afresh from its data alone, as a certificate holds it.

    Returns a certificate; refuses what is no statement, or of a kind that no prover knows (`NotExact`).

    >>> x = ("s", "x")
    >>> decide({"kind": "identity", "symbols": {"x": []}, "assuming": [], "left": x, "right": x}).verdict.value
    'proved'
    """
    require_data(statement)
    try:
        return settled(statement)
    except DerivationError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError) as trouble:
        raise NotExact(
            f"a statement of kind {statement['kind']} is not as certificates have them ({one_line(trouble)}):"
            " make it with the function of derivations.prove for its kind"
        ) from trouble


def settled(statement: Json) -> Certificate:
    """Return what the provers say of a statement that was made by this package."""
    try:
        return _settled(statement)
    except RecursionError:
        raise
    except (
        OverflowError,
        MemoryError,
        RuntimeError,
    ):  # exponents that no polynomial has, or with which none is factored
        return undecided(statement, "a number in it is too large to be computed with exactly")


def _settled(statement: Json) -> Certificate:
    spend(PER_STATEMENT)
    try:
        with nullcontext() if statement["kind"] in KINDS else effort.standing_alone():
            found = _decided_at_once(statement)
    except Undefined as trouble:
        raise Unsatisfiable(
            f"a part of the statement is defined nowhere ({trouble}): state it where all of it has a value"
        ) from trouble
    if found.verdict is not Verdict.OPEN:
        return found
    hunts = statement["kind"] == "sign" and effort.depth() == 0  # a false part would refute nothing
    stopped: list[str] = []
    more = (hunt.quick(statement) if hunts else None) or by_rules(statement, settled, stopped)
    if more is None and hunts:
        more = hunt.hunt(statement)
    return more or replace(found, reason="; ".join([found.reason, *dict.fromkeys(stopped)][:MOST_REASONS]))


def _decided_at_once(statement: Json) -> Certificate:
    """Return what the prover of its kind says of a statement."""
    if statement["kind"] not in PROVERS:
        raise NotExact(f"no prover decides a statement of kind {shown(statement['kind'])}")
    return PROVERS[statement["kind"]](statement)


def _concluded(statement: Json) -> Certificate:
    return undecided(statement, "only a theorem concludes this: give its certificate as a step")


PROVERS: dict[str, Callable[[Json], Certificate]] = {
    "identity": equality.decide,
    "sign": sign.decide,
    "limit": lambda statement: limits.decide(statement, settled),
    "enclosure": enclosure.decide,
    "words": words.decide,
    "loewner": loewner.decide,
    "sums": sums.decide,
    "average": averages.decide,
    "solves": lambda statement: solutions.decide_solves(statement, settled),
    "trajectory": trajectories.decide,
    "all": lambda statement: composite.rejoin(statement, settled),
    "by": lambda statement: decided_by_theorem(statement, {}, settled),
    "argued": lambda statement: composite.reargued(statement, settled),
    "not": lambda statement: composite.denied(statement, settled(statement["of"])),
    "concluded": _concluded,
}
