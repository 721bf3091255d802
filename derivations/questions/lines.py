"""Statements in a plain form, one on a line, read without running anything of them.

    A <= B <= C and D = E                      relations between expressions, all of which are stated
    as x -> 0+: F -> V                         a limit; the side is +, -, or both; also x -> oo and x -> -oo
    as x -> oo: F ~ G                          the quotient tends to 1
    as x -> 0: F = G + o(H)                    the difference, divided by H, tends to 0
    flow t: x' = F, y' = G; x = A, y = B; x = P, y = Q      rates, values at t = 0, and the solution
    ... for x > 0, 0 < p < 1                   hypotheses; every name is a real number

Expressions and relations are those of `derivations.text.plain`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from derivations.text.plain import Tree, Unreadable, expression, relations

LIMIT = re.compile(r"as (\w+) -> ([^:]+?)([+-]?): (.+)")
FLOW = re.compile(r"flow (\w+): ([^;]+);([^;]+);([^;]+)")


@dataclass(frozen=True)
class Relations:
    """Equations and inequalities between expressions, all of which are stated."""

    parts: tuple[Tree, ...]


@dataclass(frozen=True)
class Limit:
    """Where an expression goes as a variable goes somewhere: `to` a value, `like` another, or `up to` a remainder."""

    variable: str
    point: Tree
    side: str
    expression: Tree
    sort: str
    value: Tree
    remainder: Tree | None = None


@dataclass(frozen=True)
class Flow:
    """Rates of change, values at time 0, and functions of time that are said to follow from both."""

    time: str
    rates: dict[str, Tree]
    start: dict[str, Tree]
    solution: dict[str, Tree]


@dataclass(frozen=True)
class Statement:
    """A statement with its hypotheses, and the line that it was read from."""

    says: Relations | Limit | Flow
    hypotheses: tuple[Tree, ...]
    text: str


def read(text: str, given: Iterable[str] = ()) -> Statement:
    """The statement of a line, under its hypotheses and further ones.

    >>> read("exp(x) >= 1 + x for x > 0").says.parts
    (('>=', ('exp', ('name', 'x')), ('+', ('number', Fraction(1, 1)), ('name', 'x'))),)
    >>> read("as x -> 0+: x*log(x) -> 0").says.side
    '+'
    """
    body, _, own = text.partition(" for ")
    hypotheses = tuple(part for one in (*_apart(own), *given) for part in relations(one))
    if found := LIMIT.fullmatch(body):
        return Statement(_limit(*found.groups()), hypotheses, text)
    if found := FLOW.fullmatch(body):
        time, rates, start, solution = found.groups()
        says = flow(time, _table(rates, "'"), _table(start), _table(solution))
        return Statement(says, hypotheses, text)
    return Statement(Relations(tuple(relations(body))), hypotheses, text)


def flow(time: str, *tables: Mapping[str, str]) -> Flow:
    """Functions of time that are said to solve a flow: tables of rates, of values at time 0, and of the functions."""
    for name in {time}.union(*tables):
        if expression(name)[0] != "name":
            raise Unreadable(f"what moves, and the time, are names such as x, got {name!r}")
    rates, start, solution = ({name: expression(text) for name, text in table.items()} for table in tables)
    return Flow(time, rates, start, solution)


def _limit(variable: str, point: str, side: str, body: str) -> Limit:
    head = variable, expression(point), side
    for sign, sort in ((" -> ", "to"), (" ~ ", "like")):
        if body.count(sign) == 1:
            f, _, value = body.partition(sign)
            return Limit(*head, expression(f), sort, expression(value))
    found = re.fullmatch(r"(.+) = (.+) \+ o\((.+)\)", body)
    if found is None:
        raise Unreadable(f"a limit says F -> V, F ~ G or F = G + o(H), got {body!r}")
    return Limit(*head, expression(found[1]), "up to", expression(found[2]), expression(found[3]))


def _table(text: str, mark: str = "") -> dict[str, str]:
    """The formulas of a table by their names, behind each of which stands the mark."""
    found: dict[str, str] = {}
    for part in _apart(text):
        name, _, formula = (each.strip() for each in part.partition("="))
        if not formula or not name.endswith(mark) or name.removesuffix(mark) in found:
            raise Unreadable(f"each name of a flow has one equation, such as x{mark} = v, got {text!r}")
        found[name.removesuffix(mark)] = formula
    return found


def _apart(text: str) -> list[str]:
    """The parts of a text between commas outside all brackets."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts if part.strip()]
