"""By cases of a sign: where a formula under |.| is not negative, and where it is negative.

For an inequality two cases do. An equality often fails to follow on their common boundary, which becomes a third one.
"""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import MINUS_ONE, ZERO, Term, rational
from derivations.prove.certificate import Json
from derivations.prove.rules.rule import Step, formulas, inner_terms

HALF = rational("1/2")


def _inside(term: Term) -> Term | None:
    """Return what stands in a term that is an absolute value."""
    if term[0] == "^" and term[2] == HALF and term[1][0] == "^" and term[1][2] == rational(2):
        inside: Term = term[1][1]
        return inside
    return None


def by_cases(statement: Json) -> Iterator[Step]:
    """One split, the innermost: the others follow in its parts, and in another order they would say the same."""
    for term in inner_terms(formulas(statement)):
        inside = _inside(term)
        if inside is not None:
            yield split(statement["kind"] == "identity", inside)
            return


def split(three: bool, cut: Term) -> Step:
    """The cases of a formula, with its absolute value put in."""
    values = {"above": cut, "equal": ZERO, "below": ("*", MINUS_ONE, cut)}

    def then(role: str, part: Json) -> Step | None:
        if role not in values:
            return None
        return Step("a root's value", {"inside": ("^", cut, rational(2)), "value": values[role]})

    return Step("three cases" if three else "two cases", {"first": cut, "second": ZERO}, then)
