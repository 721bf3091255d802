"""One door to all provers: a statement as data goes in, a certificate comes out."""

from __future__ import annotations

from dataclasses import replace

from derivations.language.normal import Undefined
from derivations.prove import averages, enclosure, equality, limits, sign, sums, words
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.equality import Unsatisfiable
from derivations.prove.flows import solutions, trajectories
from derivations.prove.rules import by_rules, effort
from derivations.prove.schemas import composite, contraries
from derivations.prove.schemas.use import decided as decided_by_theorem
from derivations.prove.sign import hunt
from derivations.prove.words import loewner

MOST_REASONS = 8  # in what is said of an open statement


def decide(statement: Json) -> Certificate:
    """Decide any statement afresh from its data alone, as a certificate holds it.

    Returns a certificate; refuses a kind of statement that no prover knows (`ValueError`).

    >>> x = ("s", "x")
    >>> decide({"kind": "identity", "symbols": {"x": []}, "assuming": [], "left": x, "right": x}).verdict.value
    'proved'
    """
    try:
        found = _decided_at_once(statement)
    except Undefined as trouble:
        raise Unsatisfiable(
            f"a part of the statement is defined nowhere ({trouble}): state it where all of it has a value"
        ) from trouble
    if found.verdict is not Verdict.OPEN:
        return found
    hunts = statement["kind"] == "sign" and effort.depth() == 0  # a false part would refute nothing
    stopped: list[str] = []
    more = (hunt.quick(statement) if hunts else None) or by_rules(statement, decide, stopped)
    if more is None and hunts:
        more = hunt.hunt(statement)
    return more or replace(found, reason="; ".join([found.reason, *dict.fromkeys(stopped)][:MOST_REASONS]))


def _decided_at_once(statement: Json) -> Certificate:
    """What the prover of its kind says of a statement."""
    match statement["kind"]:
        case "identity":
            return equality.decide(statement)
        case "sign":
            return sign.decide(statement)
        case "limit":
            return limits.decide(statement, decide)
        case "enclosure":
            return enclosure.decide(statement)
        case "words":
            return words.decide(statement)
        case "loewner":
            return loewner.decide(statement)
        case "sums":
            return sums.decide(statement)
        case "average":
            return averages.decide(statement)
        case "solves":
            return solutions.decide_solves(statement, decide)
        case "trajectory":
            return trajectories.decide(statement)
        case "all":
            return composite.rejoin(statement, decide)
        case "by":
            return decided_by_theorem(statement, {}, decide)
        case "argued":
            return composite.reargued(statement, decide)
        case "not":
            return contraries.refuted(statement, decide(statement["of"]))
        case "concluded":
            reason = "only a theorem concludes this: give its certificate as a step"
            return Certificate(statement, Verdict.OPEN, "none", reason=reason)
    raise ValueError(f"no prover decides a statement of kind {statement['kind']!r}")
