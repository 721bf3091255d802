"""What people state as data: symbols with their assumptions, hypotheses, sides; refused where it says nothing exact."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from derivations.language.terms import ZERO, NotExact, Term, assumptions_of, children, rational, rebuild
from derivations.language.terms import from_sympy as as_it_stands
from derivations.prove.certificate import Json
from derivations.prove.equality import Unsatisfiable

RELATIONS = ("=", "!=", ">", ">=")


def scalar(kind: str, assuming: Iterable[Any], **sides: Any) -> Json:
    terms = {name: term_of(e) for name, e in sides.items()}
    return {"kind": kind, **hypotheses(assuming, *sides.values()), **terms}


def hypotheses(assuming: Iterable[Any], *expressions: Any) -> Json:
    """The symbols' assumptions and the hypotheses that say something; a false one is an error."""
    relations = relations_of(assuming)
    symbols = assumptions_of(*expressions, *relations)
    remaining = [r for r in relations if not _absorbed(r, symbols)]
    return {"symbols": symbols, "assuming": [from_sympy(r) for r in remaining]}


def relations_of(assuming: Iterable[Any]) -> list[Any]:
    """The hypotheses that say something; a false one is an error, and what is no relation is refused."""
    if isinstance(assuming, sp.Basic | bool) or not isinstance(assuming, Iterable):
        raise NotExact(f"hypotheses are a list of relations, such as [x > 0], and not {assuming} alone")
    relations = []
    for relation in assuming:
        if relation in (sp.false, False):
            raise Unsatisfiable("a hypothesis is false by itself, so nothing can satisfy it: check its sides")
        if relation in (sp.true, True):
            continue
        if not isinstance(relation, sp.core.relational.Relational):
            raise NotExact(f"a hypothesis must be a relation such as Eq(x, y) or x > 0, got {relation}")
        relations.append(relation)
    return relations


def _absorbed(relation: Any, symbols: dict[str, list[str]]) -> bool:
    """A hypothesis about the sign of one symbol becomes its assumption, which roots and factors understand."""
    name, left, right = from_sympy(relation)
    if right != ZERO or left[0] != "s":
        left, right, flipped = right, left, True
    else:
        flipped = False
    if right != ZERO or left[0] != "s" or name == "=":
        return False
    assumption = {
        "!=": "nonzero",
        ">": "negative" if flipped else "positive",
        ">=": "nonpositive" if flipped else "nonnegative",
    }[name]
    if assumption not in symbols[left[1]]:
        symbols[left[1]] = sorted({*symbols[left[1]], assumption})
    return True


def hints_of(squares: Iterable[Any]) -> Json:
    hints = [term_of(s) for s in squares]
    return {"squares": hints} if hints else {}


def entries(left: Any, right: Any) -> list[tuple[Any, Any]]:
    """Pairs of scalars to compare."""
    if isinstance(left, sp.MatrixBase):
        other = sp.zeros(*left.shape) if right in (0, sp.S.Zero) else right
        if not isinstance(other, sp.MatrixBase):
            raise NotExact(f"a matrix equals a matrix or 0, not {right}")
        if left.shape != other.shape:
            raise NotExact(f"a {left.shape} matrix cannot equal a {other.shape} matrix")
        pairs = list(zip(list(left), list(other), strict=True))
    elif isinstance(left, tuple | list | sp.Tuple):
        others = right if isinstance(right, tuple | list | sp.Tuple) else [right] * len(left)
        if len(left) != len(others):
            raise NotExact(f"{len(left)} expressions cannot equal {len(others)} expressions one by one")
        pairs = list(zip(left, others, strict=True))
    else:
        pairs = [(left, right)]
    if not pairs:
        raise Unsatisfiable("nothing was stated: give at least one pair of expressions")
    return pairs


def from_sympy(expression: Any) -> Term:
    """The term of an expression or a relation, with |x| written as the root of x^2, which the provers understand."""
    return _without_abs(as_it_stands(expression))


def term_of(expression: Any) -> Term:
    """The term of an expression; a relation is refused."""
    term = from_sympy(expression)
    if term[0] in RELATIONS:
        raise NotExact(
            f"the relation {expression} stands where an expression is expected: state it with prove.inequality,"
            " or give the two sides of an equation apart"
        )
    return term


def _without_abs(term: Term) -> Term:
    new = rebuild(term, tuple(map(_without_abs, children(term))))
    return ("^", ("^", new[1], rational(2)), rational("1/2")) if new[0] == "abs" else new
