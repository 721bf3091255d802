"""One door to all provers: a statement as data goes in, a certificate comes out."""

from __future__ import annotations

from derivations.prove import composite, enclosure, equality, limits, sign, sums, words
from derivations.prove.certificate import Certificate, Json


def decide(statement: Json) -> Certificate:
    """Decide any statement afresh from its data alone, as a certificate holds it.

    Returns a certificate; refuses a kind of statement that no prover knows (`ValueError`).

    >>> x = ("s", "x")
    >>> decide({"kind": "identity", "symbols": {"x": []}, "assuming": [], "left": x, "right": x}).verdict.value
    'proved'
    """
    match statement["kind"]:
        case "identity":
            return equality.decide(statement)
        case "sign":
            return sign.decide(statement)
        case "limit":
            return limits.decide(statement)
        case "enclosure":
            return enclosure.decide(statement)
        case "words":
            return words.decide(statement)
        case "sums":
            return sums.decide(statement)
        case "solves":
            return composite.decide_solves(statement, decide)
        case "all":
            return composite.rejoin(statement, decide)
        case "chain":
            return composite.rechain(statement, decide)
        case "contrary":
            return composite.contrary(statement["says"], decide(statement["claim"]))
    raise ValueError(f"no prover decides a statement of kind {statement['kind']!r}")
