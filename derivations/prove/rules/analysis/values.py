"""Where a formula has a value, and where it is smooth: what must hold of what stands inside it."""

from __future__ import annotations

from collections.abc import Iterator

from derivations.language.normal.forms import STRICT, form
from derivations.language.terms import (
    ONE,
    ZERO,
    NotExact,
    Term,
    carried_out,
    children,
    fraction_of,
    rational,
    subtract,
    symbols_in,
)
from derivations.prove.certificate import Json
from derivations.prove.rules.rule import bare

EVERYWHERE = ("s", "q", "pi", "+", "*", "exp", "sin", "cos", "sinh", "cosh", "tanh", "erf", "atan")


def asked(term: Term, known: dict[str, list[str]], *, smooth: bool = False) -> list[tuple[str, Term]]:
    """What a formula asks for to have a value: pairs of an order and what is so compared with zero.

    smooth: whether it shall have derivatives there as well. What the form shows at a glance is left out. Refuses
    functions of which nothing is known here (`NotExact`).

    >>> asked(("^", ("s", "x"), ("q", "-1/2")), {"x": []}), asked(("log", ("s", "x")), {"x": ["positive"]})
    ([('>', ('s', 'x'))], [])
    """
    found = dict.fromkeys(_asked(carried_out(term), smooth))
    return [(order, inner) for order, inner in found if not _is_plain(order, inner, known)]


def _is_plain(order: str, term: Term, known: dict[str, list[str]]) -> bool:
    shown = form(term, known)
    return shown == STRICT or (order == ">=" and shown is not None)


def _asked(term: Term, smooth: bool) -> Iterator[tuple[str, Term]]:
    for child in children(term):
        yield from _asked(child, smooth)
    head = term[0]
    if head == "^":
        yield from _of_power(term[1], term[2], smooth)
    elif head == "log":
        yield ">", term[1]
    elif head == "asin":
        yield ">" if smooth else ">=", subtract(ONE, ("^", term[1], rational(2)))
    elif head == "abs":
        if smooth:
            yield ">", ("^", term[1], rational(2))
    elif head not in EVERYWHERE:
        raise NotExact(f"nothing is known here of where {head} has a value")


def _of_power(base: Term, exponent: Term, smooth: bool) -> Iterator[tuple[str, Term]]:
    """A whole power asks for nothing, unless it divides; its slope is read off a form that divides for the power 0."""
    power = fraction_of(exponent) if exponent[0] == "q" else None
    if power is None:
        yield ">", base
    elif power.denominator != 1:
        yield ">" if smooth or power < 0 else ">=", base
    elif power <= 0:
        yield ">", ("^", base, rational(2))


def under(statement: Json, order: str, left: Term, right: Term = ZERO) -> Json:
    """An inequality under the hypotheses of a statement."""
    head = {"symbols": bare(statement)["symbols"], "assuming": list(statement["assuming"])}
    return {"kind": "sign", **head, "relation": order, "left": left, "right": right}


def free_of(statement: Json, name: str) -> Json:
    """The setting without what is told of one symbol."""
    kept = [r for r in statement["assuming"] if not speaks_of(r, name)]
    return {"symbols": statement["symbols"] | {name: []}, "assuming": kept}


def speaks_of(relation: Term, name: str) -> bool:
    """Whether a symbol stands in a hypothesis."""
    return any(name in symbols_in(carried_out(tuple(s))) for s in relation[1:])
