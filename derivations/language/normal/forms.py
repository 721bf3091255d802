"""Signs that the form of a term shows at a glance: sums and products of positive things, even powers, exponentials."""

from __future__ import annotations

from derivations.language.terms import Term, fraction_of

STRICT, WEAK = "strict", "weak"


def form(term: Term, known: dict[str, list[str]]) -> str | None:
    """STRICT for a term that is plainly > 0, WEAK for >= 0, None when the form does not tell."""
    head = term[0]
    if head == "s":
        told = known.get(term[1], [])
        return STRICT if "positive" in told else WEAK if "nonnegative" in told else None
    if head == "q":
        return STRICT if fraction_of(term) > 0 else WEAK if fraction_of(term) == 0 else None
    if head in ("pi", "exp", "cosh"):
        return STRICT
    if head == "abs":
        return WEAK
    if head == "^" and term[2][0] == "q":
        return _power(term, known)
    if head in ("+", "*"):
        signs = [form(part, known) for part in term[1:]]
        if None in signs:
            return None
        strict = any(s == STRICT for s in signs) if head == "+" else all(s == STRICT for s in signs)
        return STRICT if strict else WEAK
    return None


def _power(term: Term, known: dict[str, list[str]]) -> str | None:
    exponent, base = fraction_of(term[2]), form(term[1], known)
    if base == STRICT:
        return STRICT
    if exponent.denominator != 1:
        return WEAK
    if exponent % 2 == 0:
        nonzero = term[1][0] == "s" and {"negative", "nonzero"} & set(known.get(term[1][1], []))
        return STRICT if nonzero else WEAK
    return base
