"""Arithmetic of sums over indices of symbolic range, on plain data.

A factor is ("A", index, ...), an entry of an array; ("delta", a, b), which is 1 where its indices are equal and 0
elsewhere; or ("size", range), the number of values of an index. An index is a free index's name, or the position of a
summed one. A monomial is (ranges of the summed indices, sorted factors), and a polynomial maps monomials to rational
coefficients. In normal form no summed index stands in a delta, each occurs in some factor, of free indices that deltas
make equal the first stands for all of them, and of all ways to number the summed indices of a range the one whose
factors sort first is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from fractions import Fraction
from functools import lru_cache
from itertools import permutations, product
from typing import Any

from derivations.language.polynomials import add_to

Place = str | int
Factor = tuple[Place, ...]  # the name first
Monomial = tuple[tuple[str, ...], tuple[Factor, ...]]
Polynomial = dict[Monomial, Fraction]

DELTA, SIZE = "delta", "size"
UNIT: Monomial = ((), ())


def polynomial(rows: Iterable[Any], symmetric: Set[str]) -> Polynomial:
    """A polynomial from rows of a coefficient, the ranges of summed indices and factors."""
    terms: Polynomial = {}
    for coefficient, ranges, factors in rows:
        add_to(terms, {normal(ranges, [tuple(f) for f in factors], symmetric): Fraction(coefficient)})
    return terms


def times(a: Mapping[Monomial, Fraction], b: Mapping[Monomial, Fraction], symmetric: Set[str]) -> Polynomial:
    """The product of two polynomials."""
    result: Polynomial = {}
    for (bound, factors), c in a.items():
        for (others, more), d in b.items():
            moved = [replaced(f, {k: k + len(bound) for k in range(len(others))}) for f in more]
            add_to(result, {normal((*bound, *others), (*factors, *moved), symmetric): c * d})
    return result


def replaced(factor: Factor, places: Mapping[Place, Place]) -> Factor:
    """The factor with its indices renamed or renumbered."""
    return factor if factor[0] == SIZE else (factor[0], *(places.get(p, p) for p in factor[1:]))


def normal(bound: Iterable[str], factors: Iterable[Factor], symmetric: Set[str]) -> Monomial:
    """The normal form of a sum of one product; arrays named in `symmetric` do not care for the order of two indices."""
    ranges, remaining = _contracted(dict(enumerate(bound)), list(factors))
    remaining = _gathered(remaining)
    used = {p for f in remaining if f[0] != SIZE for p in f[1:]}
    remaining += [(SIZE, ranges.pop(k)) for k in sorted(ranges) if k not in used]
    return _numbered(tuple(sorted(ranges.items())), tuple(sorted(remaining, key=_order)), frozenset(symmetric))


def _contracted(ranges: dict[int, str], factors: list[Factor]) -> tuple[dict[int, str], list[Factor]]:
    """Ranges and factors without deltas of summed indices: such a delta makes its two indices one."""
    while True:
        delta = next((f for f in factors if f[0] == DELTA and (f[1] == f[2] or not _free(f))), None)
        if delta is None:
            return ranges, factors
        factors.remove(delta)
        gone, stays = sorted(delta[1:], key=lambda p: isinstance(p, str))
        if gone != stays:
            assert isinstance(gone, int)
            del ranges[gone]
            factors = [replaced(f, {gone: stays}) for f in factors]


def _gathered(factors: list[Factor]) -> list[Factor]:
    """Factors in which the first of several free indices that deltas make equal stands for all of them."""
    first: dict[Place, Place] = {}
    for delta in factors:
        if delta[0] == DELTA:
            low, high = sorted(str(first.get(p, p)) for p in delta[1:])
            if low != high:
                first = {p: low if q == high else q for p, q in first.items()} | {high: low}
    deltas: list[Factor] = [(DELTA, low, p) for p, low in first.items()]
    return deltas + [replaced(f, first) for f in factors if f[0] != DELTA]


def _free(factor: Factor) -> bool:
    return all(isinstance(p, str) for p in factor[1:])


@lru_cache(maxsize=1 << 16)
def _order(factor: Factor) -> tuple[tuple[bool, str], ...]:
    """Free indices sort before summed ones."""
    return tuple((isinstance(p, int), f"{p:0>3}" if isinstance(p, int) else p) for p in factor)


@lru_cache(maxsize=1 << 16)
def _numbered(ranges: tuple[tuple[int, str], ...], factors: tuple[Factor, ...], symmetric: frozenset[str]) -> Monomial:
    bound = tuple(sorted(name for _, name in ranges))
    candidates = [
        tuple(sorted((_sorted_pair(replaced(f, numbering), symmetric) for f in factors), key=_order))
        for numbering in _numberings(ranges, bound)
    ]
    if len(candidates) == 1:
        return bound, candidates[0]
    return bound, min(candidates, key=lambda c: [_order(f) for f in c])


def _numberings(ranges: tuple[tuple[int, str], ...], bound: tuple[str, ...]) -> Iterator[dict[Place, Place]]:
    """Every way to give the summed indices the positions that their ranges allow."""
    groups = [[k for k, name in ranges if name == wanted] for wanted in dict.fromkeys(bound)]
    places = [[i for i, name in enumerate(bound) if name == wanted] for wanted in dict.fromkeys(bound)]
    for choice in product(*(permutations(group) for group in groups)):
        yield {k: p for group, at in zip(choice, places, strict=True) for k, p in zip(group, at, strict=True)}


def _sorted_pair(factor: Factor, symmetric: frozenset[str]) -> Factor:
    if factor[0] != DELTA and factor[0] not in symmetric:
        return factor
    name, *pair = factor
    return (name, *sorted(pair, key=lambda p: (isinstance(p, int), p)))
