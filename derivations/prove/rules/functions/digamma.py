"""By steps of one: digamma(u + n) = digamma(u) + 1/u + ... + 1/(u + n - 1), where digamma(u) stands in the statement.

Where digamma(u) has a value, u is no whole number from zero down, so that none of the denominators vanishes.
"""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.terms import MINUS_ONE, Term, rational, subtract
from derivations.prove.certificate import Json
from derivations.prove.rules.functions.linear import linear
from derivations.prove.rules.rule import Parameters, Rule, inner_terms, replaced, rewritten
from derivations.prove.rules.rule import formulas as formulas_of

MOST_STEPS = 20


def _steps(upper: Term, lower: Term) -> int | None:
    """By how many whole steps one argument is above another."""
    gap = linear(subtract(upper, lower))
    whole = gap.get(())
    if set(gap) != {()} or whole is None or whole.denominator != 1 or not 0 < whole <= MOST_STEPS:
        return None
    return int(whole)


def _proposals(statement: Json) -> Iterator[Parameters]:
    found = [term[1] for term in inner_terms(formulas_of(statement)) if term[0] == "digamma"]
    for upper in found:
        for lower in found:
            if _steps(upper, lower) is not None:
                yield {"upper": upper, "lower": lower}
                return


def _parts(statement: Json, parameters: Parameters) -> list[Json]:
    upper, lower = parameters["upper"], parameters["lower"]
    count = _steps(upper, lower)
    assert count is not None
    inverses = (("^", ("+", lower, rational(k)), MINUS_ONE) for k in range(count))
    value: Term = ("+", ("digamma", lower), *inverses)
    return [rewritten(statement, lambda term: replaced(term, ("digamma", upper), value))]


DIGAMMA = Rule("steps of digamma", _proposals, _parts)
