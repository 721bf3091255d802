"""Syntax trees put together and taken apart; nothing is folded but signs and fractions of numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derivations.language.terms import MINUS_ONE, ZERO, Term, fraction_of, rational

from .tokens import RELATION_SIGNS

SWAPPED = {"<": ">", "<=": ">=", "<<": ">>"}
STATEMENTS = frozenset((*RELATION_SIGNS.values(), "chain", "and", "or", "implies"))


def is_statement(tree: Term) -> bool:
    """Check whether a tree states something, so that it is true or false."""
    return tree[0] in STATEMENTS


def int_of(term: Term) -> int:
    """The value of an integer term; 1 for a fraction, which is no even number and no order of a root."""
    value = fraction_of(term)
    return int(value) if value.denominator == 1 else 1


def joined(head: str, parts: list[Term]) -> Term:
    """Several trees under one head, without heads of that kind inside; a single tree stands by itself."""
    flat = [p for part in parts for p in (part[1:] if part[0] == head else (part,))]
    return flat[0] if len(flat) == 1 else (head, *flat)


def chained(members: list[Term], names: list[str]) -> Term:
    """a = b, or a chain a = b > c, from its members and the names of its relations."""
    if not names:
        return members[0]
    if len(names) == 1:
        return related(names[0], members[0], members[1])
    return ("chain", *interleaved(members, names))


def related(name: str, left: Term, right: Term) -> Term:
    """A relation, with its sides exchanged where only the opposite relation has a name."""
    return (SWAPPED[name], right, left) if name in SWAPPED else (name, left, right)


def interleaved(members: list[Term], names: list[str]) -> list[Term | str]:
    """Members with the names of the relations between them."""
    mixed: list[Term | str] = [members[0]]
    for name, member in zip(names, members[1:], strict=True):
        mixed += [name, member]
    return mixed


def summed(terms: list[Term]) -> Term:
    """A sum; a single term stands by itself."""
    return terms[0] if len(terms) == 1 else ("+", *terms)


def negated(term: Term) -> Term:
    """Minus a term, as a number where it is one."""
    if term[0] == "q":
        return rational(-fraction_of(term))
    return ("*", MINUS_ONE, *term[1:]) if term[0] == "*" else ("*", MINUS_ONE, term)


def reciprocal(term: Term) -> Term:
    """1 divided by a term, as a number where it is one."""
    return rational(1 / fraction_of(term)) if term[0] == "q" and term != ZERO else ("^", term, MINUS_ONE)


def links(tree: Term) -> list[Term]:
    """The single statements of a formula in the order of printing.

    >>> links(("chain", ("s", "a"), "=", ("s", "b"), ">", ("s", "c")))
    [('=', ('s', 'a'), ('s', 'b')), ('>', ('s', 'b'), ('s', 'c'))]
    """
    if tree[0] == "and":
        return [link for part in tree[1:] for link in links(part)]
    if tree[0] == "chain":
        members, names = list(tree[1::2]), list(tree[2::2])
        pairs = zip(members, names, members[1:], strict=False)
        return [("implies", a, b) if name == "implies" else chained([a, b], [name]) for a, name, b in pairs]
    return [tree]


def printed_relations(tree: Term, supposed: bool = False) -> list[tuple[Term, bool]]:
    """Every single relation of a formula in the order of printing, and whether it is only a condition of what follows.

    >>> printed_relations(("implies", ("=", ("s", "a"), ("q", "1")), (">", ("s", "b"), ("s", "a"))))
    [(('=', ('s', 'a'), ('q', '1')), True), (('>', ('s', 'b'), ('s', 'a')), False)]
    """
    if tree[0] == "implies":
        return [*printed_relations(tree[1], True), *printed_relations(tree[2], supposed)]
    single = links(tree)
    return [(tree, supposed)] if single == [tree] else [r for one in single for r in printed_relations(one, supposed)]


def nodes(tree: Any) -> Iterator[tuple[Any, ...]]:
    """A tree and every tuple inside it."""
    if isinstance(tree, tuple):
        yield tree
        for part in tree:
            yield from nodes(part)


def branches(tree: Term) -> tuple[Term, Term]:
    """The formula with the upper signs of every plus-minus, and with the lower ones.

    >>> branches(("pm", ("s", "a"), ("q", "2")))
    (('+', ('s', 'a'), ('q', '2')), ('+', ('s', 'a'), ('q', '-2')))
    """
    return _branch(tree, True), _branch(tree, False)


def _branch(tree: Any, upper: bool) -> Any:
    if not isinstance(tree, tuple):
        return tree
    parts = tuple(_branch(t, upper) for t in tree)
    if parts[:1] not in (("pm",), ("mp",)):
        return parts
    _, left, right = parts
    return ("+", left, right if upper == (parts[0] == "pm") else negated(right))
