"""Statements about sums over indices, confronted with exact arrays: instances of models, and any others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice, product
from math import prod
from typing import Any

from derivations.language.sums.algebra import DELTA, SIZE

Arrays = Mapping[str, Mapping[tuple[int, ...], Fraction]]
Sizes = Mapping[str, int]
MOST_WORK = 60_000  # products at one instance; a larger one is left to smaller instances
MOST = 60  # values of the free indices that are looked at


def side(terms: Any, free: Mapping[str, int], sizes: Sizes, arrays: Arrays) -> Fraction:
    """The value of a sum at values of its free indices, added up term by term."""
    total = Fraction(0)
    for coefficient, ranges, factors in terms:
        for summed in product(*(range(sizes[of]) for of in ranges)):
            total += Fraction(coefficient) * _product(factors, summed, free, sizes, arrays)
    return total


def _product(factors: Any, summed: tuple[int, ...], free: Mapping[str, int], sizes: Sizes, arrays: Arrays) -> Fraction:
    found = Fraction(1)
    for name, *places in factors:
        if name == SIZE:
            found *= sizes[places[0]]
            continue
        at = tuple(free[p] if isinstance(p, str) else summed[p] for p in places)
        found *= (at[0] == at[1]) if name == DELTA else arrays[name][at]
        if not found:
            break
    return found


def confront(statement: Any, instances: Iterator[tuple[Sizes, Arrays, str]]) -> Iterator[str | None]:
    """What contradicts an equality of sums at each instance that has all arrays and satisfies the hypotheses."""
    for sizes, arrays, name in instances:
        try:
            if _work(statement, sizes) > MOST_WORK:
                continue
            if not (_fits(statement, sizes, arrays) and all(same(r, sizes, arrays) for r in statement["rules"])):
                continue
            yield None if same(statement, sizes, arrays) else f"for {name} both sides differ"
        except KeyError:
            continue


def _work(statement: Any, sizes: Sizes) -> int:
    """How many products the sums of a statement have at an instance."""
    parts = [statement, *statement["rules"]]
    terms = [(part["free"], ranges) for part in parts for side in ("left", "right") for _, ranges, _ in part[side]]
    return sum(prod(sizes[of] for of in (*free.values(), *ranges)) for free, ranges in terms)


def same(data: Any, sizes: Sizes, arrays: Arrays) -> bool:
    """Whether both sides are equal for all values of the free indices, or for many of them."""
    places = product(*(range(sizes[of]) for of in data["free"].values()))
    for at in islice(places, MOST):
        free = dict(zip(data["free"], at, strict=True))
        if side(data["left"], free, sizes, arrays) != side(data["right"], free, sizes, arrays):
            return False
    return True


def _fits(statement: Any, sizes: Sizes, arrays: Arrays) -> bool:
    """Whether every array has an entry for each of its indices, and is symmetric where it is declared so."""
    for name, declared in statement["arrays"].items():
        counts = [range(sizes[of]) for of in declared["ranges"]]
        if not all(at in arrays[name] for at in product(*counts)):
            return False
        if "symmetric" in declared and any(arrays[name][at] != arrays[name][at[::-1]] for at in arrays[name]):
            return False
    return True
