"""Small constructors of tree nodes, which fold nothing but signs and fractions of numbers."""

from __future__ import annotations

from derivations.language.terms import MINUS_ONE, ZERO, Term, fraction_of, rational

from .tokens import RELATION_SIGNS

SWAPPED = {"<": ">", "<=": ">=", "<<": ">>"}
STATEMENTS = frozenset((*RELATION_SIGNS.values(), "chain", "and", "or", "implies"))


def is_statement(tree: Term) -> bool:
    return tree[0] in STATEMENTS


def int_of(term: Term) -> int:
    """The value of an integer term; 1 for a fraction, which is no even number and no order of a root."""
    value = fraction_of(term)
    return int(value) if value.denominator == 1 else 1


def joined(head: str, parts: list[Term]) -> Term:
    flat = [p for part in parts for p in (part[1:] if part[0] == head else (part,))]
    return flat[0] if len(flat) == 1 else (head, *flat)


def chained(members: list[Term], names: list[str]) -> Term:
    if not names:
        return members[0]
    if len(names) == 1:
        return related(names[0], members[0], members[1])
    return ("chain", *interleaved(members, names))


def related(name: str, left: Term, right: Term) -> Term:
    return (SWAPPED[name], right, left) if name in SWAPPED else (name, left, right)


def interleaved(members: list[Term], names: list[str]) -> list[Term | str]:
    mixed: list[Term | str] = [members[0]]
    for name, member in zip(names, members[1:], strict=True):
        mixed += [name, member]
    return mixed


def summed(terms: list[Term]) -> Term:
    return terms[0] if len(terms) == 1 else ("+", *terms)


def negated(term: Term) -> Term:
    if term[0] == "q":
        return rational(-fraction_of(term))
    return ("*", MINUS_ONE, *term[1:]) if term[0] == "*" else ("*", MINUS_ONE, term)


def reciprocal(term: Term) -> Term:
    return rational(1 / fraction_of(term)) if term[0] == "q" and term != ZERO else ("^", term, MINUS_ONE)
