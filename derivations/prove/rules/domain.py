"""By what has a value: a statement speaks only where its logarithms and roots have one, and may suppose as much."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import ONE, ZERO, Term, carried_out, fraction_of, rational, subtract
from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Parameters, Rule, inner_terms


def _supposed(statement: Json) -> list[Term]:
    """What its sides ask for, from the inside out, but for symbols of known sign and numbers."""
    found: list[Term] = []
    for term in inner_terms(carried_out(statement[key]) for key in ("left", "right")):
        if term[0] == "log" or (term[0] == "^" and term[2][0] != "q"):
            found.append((">", term[1], ZERO))
        elif term[0] == "asin":
            found.append((">=", subtract(ONE, ("^", term[1], rational(2))), ZERO))
        elif term[0] == "^" and fraction_of(term[2]).denominator != 1:
            found.append((">" if fraction_of(term[2]) < 0 else ">=", term[1], ZERO))
    known = [tuple(r) for r in statement["assuming"]]
    return [r for r in dict.fromkeys(found) if not _is_plain(r[1], statement) and r not in known]


def _is_plain(term: Term, statement: Json) -> bool:
    """Whether nothing is learnt from its sign: numbers, squares, and symbols declared to be positive."""
    if term[0] == "^":
        return bool(term[2] == rational(2))
    return term[0] == "q" or (term[0] == "s" and "positive" in statement["symbols"][term[1]])


def _proposals(statement: Json) -> Iterator[Parameters]:
    if _supposed(statement):
        yield {}


DOMAIN = Rule("what has a value", _proposals)
