"""Inequalities on boxes: space is cut into boxes, on each of which Bernstein's coefficients tell a sign.

Every cut sends the points below a number to one side, and the others to the other: each point is in one box. There
either the inequality holds, or a hypothesis or an assumption on a symbol fails. The variable of an axis from a to b is
written as (a + b s)/(1 + s), with s from 0 to infinity. Then a polynomial without negative coefficients has no negative
value, and it is positive on those faces of the box on which some coefficient is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from math import comb, prod
from typing import Any

from flint import fmpq, fmpq_mat

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.fractions import Poly, longest
from derivations.recheck.core.load import Data, Rational, name, part, rational, shown
from derivations.recheck.kinds.sign.polynomial import Condition, Problem, read, require_a_point

MOST_VARIABLES, MOST_ENTRIES, MOST_BITS = 4, 20_000, 20_000
ENTRY_WORK = 400  # see `spend`
AT_LOW, INSIDE, AT_HIGH = range(3)


@dataclass(frozen=True)
class Axis:
    """The values of one variable in a box; None is no bound, and an end belongs to the box or not."""

    low: Rational | None = None
    high: Rational | None = None
    with_low: bool = False
    with_high: bool = False


def check_boxes(statement: Data, payload: Data) -> None:
    names = tuple(name(symbol) for symbol in part(payload, "symbols", tuple, "the payload"))
    if not 0 < len(names) <= MOST_VARIABLES:
        raise Rejected(f"boxes have 1 to {MOST_VARIABLES} axes, got {len(names)}")
    relation = part(statement, "relation", str, "the statement")
    if relation not in (">", ">="):
        raise Rejected(f"the relation of an inequality must be > or >=, got {relation!r}")
    problem = read(statement, names, relation)
    for box, leaf in _leaves(part(payload, "tree", tuple, "the payload"), names, (Axis(),) * len(names)):
        if not _is_settled(problem, box, leaf):
            raise Rejected(f"a box of the evidence is not settled by {shown(leaf)}")
    require_a_point(statement, payload)
    if set(payload) != {"symbols", "tree", "inhabited"}:
        raise Rejected("the evidence of an inequality on boxes holds something that nobody reads")


def _leaves(tree: Data, names: tuple[str, ...], box: tuple[Axis, ...]) -> Iterator[tuple[tuple[Axis, ...], Data]]:
    """The boxes that a tree of cuts leaves, each with what is said of it."""
    if tree[:1] != ("cut",):
        yield box, tree
        return
    if len(tree) != 6 or tree[1] not in names or tree[3] not in ("<", "<="):
        raise Rejected(f"a cut has a symbol, a number, < or <=, and two sides, got {shown(tree)}")
    i, at = names.index(tree[1]), rational(tree[2], "where a box is cut")
    axis, belongs_below = box[i], tree[3] == "<="
    if (axis.low is not None and at < axis.low) or (axis.high is not None and at > axis.high):
        raise Rejected(f"a box is cut at {at}, which lies outside of it")
    below = replace(axis, high=at, with_high=belongs_below)
    above = replace(axis, low=at, with_low=not belongs_below)
    for new, side in ((below, tree[4]), (above, tree[5])):
        if not isinstance(side, tuple):
            raise Rejected(f"a side of a cut must be a list, got {shown(side)}")
        yield from _leaves(side, names, (*box[:i], new, *box[i + 1 :]))


def _is_settled(problem: Problem, box: tuple[Axis, ...], leaf: Data) -> bool:
    match leaf:
        case ("holds",):
            return _has_sign(problem.conclusion.poly, box, problem.conclusion.relation == ">")
        case ("hypothesis", int(k)) if k in problem.hypotheses and not isinstance(k, bool):
            return _fails(problem.hypotheses[k], box)
        case ("symbol", str(symbol), str(word)) if (symbol, word) in problem.assumptions:
            return _fails(problem.assumptions[symbol, word], box)
    raise Rejected(f"a box must be settled by the inequality or by what is supposed, got {shown(leaf)}")


def _fails(condition: Condition, box: tuple[Axis, ...]) -> bool:
    """Whether a condition holds nowhere in the box."""
    if condition.relation in (">", ">="):
        return _has_sign(-condition.poly, box, condition.relation == ">=")
    either = (condition.poly, -condition.poly)
    return condition.relation == "=" and any(_has_sign(poly, box, True) for poly in either)


def _has_sign(poly: Poly, box: tuple[Axis, ...], strict: bool) -> bool:
    """Whether a polynomial is certainly not negative on a box, or certainly positive there."""
    sizes, entries = _coefficients(poly, box)
    if any(value < 0 for value in entries):
        return False
    if not strict:
        return True
    indices = list(product(*map(range, sizes)))
    nonzero = [index for index, value in zip(indices, entries, strict=True) if value > 0]
    return all(
        any(all(_is_on(i, place, size) for i, place, size in zip(index, face, sizes, strict=True)) for index in nonzero)
        for face in product(*map(_places, box))
    )


def _places(axis: Axis) -> list[int]:
    """The ends of an axis that belong to the box, and what lies between them."""
    if axis.low is not None and axis.low == axis.high:
        return [AT_LOW] if axis.with_low and axis.with_high else []
    ends = ([AT_LOW] if axis.with_low else []) + ([AT_HIGH] if axis.with_high else [])
    return [INSIDE, *ends]


def _is_on(index: int, place: int, size: int) -> bool:
    return place == INSIDE or index == (0 if place == AT_LOW else size - 1)


def _coefficients(poly: Poly, box: tuple[Axis, ...]) -> tuple[list[int], list[Any]]:
    """The coefficients in the variables s of all axes, as one list in the order of their exponents."""
    degrees = [max(0, int(d)) for d in poly.degrees()[: len(box)]]
    sizes = [d + 1 for d in degrees]
    if prod(sizes) > MOST_ENTRIES or longest(poly) > MOST_BITS:
        raise Rejected("a polynomial is too large for boxes: state the claim in smaller parts")
    spend(prod(sizes) * sum(sizes) * (ENTRY_WORK + longest(poly)))
    entries = [fmpq(0)] * prod(sizes)
    for exponents, coefficient in poly.to_dict().items():
        place = 0
        for exponent, size in zip(exponents, sizes, strict=False):
            place = place * size + int(exponent)
        entries[place] = coefficient
    for axis, size in zip(box, sizes, strict=True):  # each turn moves the first axis to the end
        rows = fmpq_mat(size, len(entries) // size, entries)
        entries = [value for row in (_change(axis, size - 1) * rows).transpose().table() for value in row]
    return sizes, entries


def _change(axis: Axis, degree: int) -> Any:
    """How coefficients of powers of x become those of powers of s."""
    low, high = axis.low, axis.high
    change = fmpq_mat(degree + 1, degree + 1)
    for k in range(degree + 1):
        for row, value in enumerate(_power(low, high, k, degree)):
            change[row, k] = value
    return change


def _power(low: Rational | None, high: Rational | None, k: int, degree: int) -> list[Any]:
    """x^k in powers of s, times (1 + s)^degree for two ends, 1 for a low one alone, s^degree for a high one alone."""
    if low is not None and high is not None:
        head = [comb(k, i) * low ** (k - i) * high**i for i in range(k + 1)]
        tail = [comb(degree - k, i) for i in range(degree - k + 1)]
        return [
            sum((head[i] * tail[j - i] for i in range(len(head)) if 0 <= j - i < len(tail)), fmpq(0))
            for j in range(degree + 1)
        ]
    if low is not None:
        return [comb(k, i) * low ** (k - i) if i <= k else fmpq(0) for i in range(degree + 1)]
    if high is not None:  # x = high - t with t = 1/s: t^i becomes s^(degree - i)
        powers = {degree - i: comb(k, i) * high ** (k - i) * (-1) ** i for i in range(k + 1)}
        return [powers.get(j, fmpq(0)) for j in range(degree + 1)]
    if degree == 0:
        return [fmpq(1)]
    raise Rejected("a box without any bound along an axis must be cut there")
