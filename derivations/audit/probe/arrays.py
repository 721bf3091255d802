"""Statements about sums over indices, confronted with exact arrays: instances of models, and any others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice, pairwise, product
from math import prod
from typing import Any

from derivations.language.sums.algebra import DELTA, SIZE

Arrays = Mapping[str, Mapping[tuple[int, ...], Fraction]]
Sizes = Mapping[str, int]
MOST_WORK = 60_000  # products at one instance; a larger one is left to smaller instances
MOST = 60  # values of the free indices that are looked at


def side(data: Any, free: Mapping[str, int], sizes: Sizes, arrays: Arrays) -> Fraction:
    """The value of one side of a statement at values of its free indices."""
    if isinstance(data, dict):
        return value(data["formula"], free, sizes, arrays)
    return terms(data, free, sizes, arrays)


def value(formula: Any, free: Mapping[str, int], sizes: Sizes, arrays: Arrays) -> Fraction:
    """The value of a formula, computed as it is written."""
    head, *parts = formula
    match head:
        case "A" | "delta" | "size":
            return _product([parts if head == "A" else formula], (), free, sizes, arrays)
        case "q":
            return Fraction(parts[0])
        case "+":
            return sum((value(part, free, sizes, arrays) for part in parts), Fraction(0))
        case "*":
            return prod((value(part, free, sizes, arrays) for part in parts), start=Fraction(1))
        case "^":
            return Fraction(value(parts[0], free, sizes, arrays) ** parts[1])
        case "sum":
            inner, name, of = parts
            return sum((value(inner, {**free, name: at}, sizes, arrays) for at in range(sizes[of])), Fraction(0))
        case "derivative":
            return _slope(parts[0], parts[1], free, sizes, arrays)
    return terms(parts, free, sizes, arrays)


def _slope(of: Any, pairs: Any, free: Mapping[str, int], sizes: Sizes, arrays: Arrays) -> Fraction:
    """How fast a formula changes: it is a polynomial of the time, so enough values of it tell its slope."""
    rates: dict[str, dict[tuple[int, ...], Fraction]] = {}
    for name, at, rate in pairs:
        rates[name] = {
            places: value(rate, {**free, **dict(zip(at, places, strict=True))}, sizes, arrays)
            for places in arrays[name]
        }
    values = []
    for time in range(degree(of) + 1):
        moved = {name: {p: x + time * rates[name][p] for p, x in arrays[name].items()} for name in rates}
        values.append(value(of, free, sizes, {**arrays, **moved}))
    return _slope_at_zero(values)


def _slope_at_zero(values: list[Fraction]) -> Fraction:
    """The slope at 0 of the polynomial with these values at 0, 1, 2, ...: the sum of (-1)^(k+1)/k times differences."""
    total, sign = Fraction(0), 1
    for k in range(1, len(values)):
        values = [b - a for a, b in pairwise(values)]
        total += Fraction(sign, k) * values[0]
        sign = -sign
    return total


def degree(formula: Any) -> int:
    """A bound on the degree of a formula in the entries of arrays."""
    head, *parts = formula
    match head:
        case "A":
            return 1
        case "delta" | "size" | "q":
            return 0
        case "+":
            return max(map(degree, parts))
        case "*":
            return sum(map(degree, parts))
        case "^":
            return int(degree(parts[0]) * parts[1])
        case "sum":
            return degree(parts[0])
        case "derivative":
            return degree(parts[0]) + max((degree(rate) for _, _, rate in parts[1]), default=0)
    return max((len(factors) for _, _, factors in parts), default=0)


def terms(data: Any, free: Mapping[str, int], sizes: Sizes, arrays: Arrays) -> Fraction:
    """The value of a polynomial, added up term by term."""
    total = Fraction(0)
    for coefficient, ranges, factors in data:
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
    """Return what contradicts an equality of sums at each instance that has all arrays and satisfies the hypotheses."""
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
    return sum(
        prod(sizes[of] for of in part["free"].values()) * _products(part[side], sizes)
        for part in parts
        for side in ("left", "right")
    )


def _products(data: Any, sizes: Sizes) -> int:
    head, *parts = data["formula"] if isinstance(data, dict) else ("terms", *data)
    match head:
        case "+" | "*":
            return sum(_products({"formula": part}, sizes) for part in parts)
        case "sum":
            return sizes[parts[2]] * _products({"formula": parts[0]}, sizes)
        case "^":
            return _products({"formula": parts[0]}, sizes)
        case "derivative":
            most = max(sizes.values(), default=1)
            rates = sum(most ** len(at) * _products({"formula": rate}, sizes) for _, at, rate in parts[1])
            return int((1 + degree(parts[0])) * (_products({"formula": parts[0]}, sizes) + rates))
        case "terms":
            return int(sum(prod(sizes[of] for of in ranges) for _, ranges, _ in parts))
    return 1


def same(data: Any, sizes: Sizes, arrays: Arrays) -> bool:
    """Check whether both sides are equal for all values of the free indices, or for many of them."""
    places = product(*(range(sizes[of]) for of in data["free"].values()))
    for at in islice(places, MOST):
        free = dict(zip(data["free"], at, strict=True))
        if side(data["left"], free, sizes, arrays) != side(data["right"], free, sizes, arrays):
            return False
    return True


def _fits(statement: Any, sizes: Sizes, arrays: Arrays) -> bool:
    """Check whether every array has an entry for each of its indices, and is symmetric where it is declared so."""
    for name, declared in statement["arrays"].items():
        counts = [range(sizes[of]) for of in declared["ranges"]]
        if not all(at in arrays[name] for at in product(*counts)):
            return False
        if "symmetric" in declared and any(arrays[name][at] != arrays[name][at[::-1]] for at in arrays[name]):
            return False
    return True
