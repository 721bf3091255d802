"""Exact arrays that satisfy a statement's hypotheses, found by seeded search."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import product
from math import isqrt
from typing import Any

from flint import fmpq

from derivations.language.normal import to_fmpq, to_fraction
from derivations.language.sums.algebra import DELTA, SIZE, Factor

Json = dict[str, Any]

DRAWS = 24
ANY_SIZES = 24  # further draws, with sizes that have nothing to do with each other
SIZES = (2, 3, 1, 4)  # an inverse root of a size is rational for the last two


@dataclass
class Instance:
    """Sizes of ranges and exact arrays, as a mapping from index values to numbers."""

    sizes: dict[str, int]
    arrays: dict[str, dict[tuple[int, ...], Fraction]]
    ranges: dict[str, list[str]]
    _exact: dict[str, dict[Any, Any]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def as_json(self) -> Json:
        arrays = {name: self._nested(name, ()) for name in sorted(self.arrays)}
        return {"sizes": dict(sorted(self.sizes.items())), "arrays": arrays}

    def _nested(self, name: str, at: tuple[int, ...]) -> Any:
        if len(at) == len(self.ranges[name]):
            return str(self.arrays[name][at])
        return [self._nested(name, (*at, i)) for i in range(self.sizes[self.ranges[name][len(at)]])]

    def assignments(self, free: Mapping[str, str]) -> Iterator[dict[str, int]]:
        for values in product(*(range(self.sizes[of]) for of in free.values())):
            yield dict(zip(free, values, strict=True))

    def value(self, terms: Sequence[Any], free: Mapping[str, int]) -> Fraction:
        return to_fraction(sum((to_fmpq(Fraction(c)) * self._summed(r, f, free) for c, r, f in terms), fmpq(0)))

    def choose(self, name: str, value: Fraction) -> None:
        """Give an array without indices this value."""
        self.arrays[name][()] = value
        self._exact.pop(name, None)

    def _summed(self, ranges: Sequence[str], factors: Sequence[Factor], free: Mapping[str, int]) -> Any:
        """Every factor is read from a table, at indices of which some are free, and the others are summed over."""
        read = [(self._table(f), [p if isinstance(p, int) else ~free[p] for p in self._places(f)]) for f in factors]
        result = fmpq(0)
        for values in product(*(range(self.sizes[of]) for of in ranges)):
            term = fmpq(1)
            for table, places in read:
                term *= table[tuple([values[p] if p >= 0 else ~p for p in places])]
                if not term:
                    break
            result += term
        return result

    @staticmethod
    def _places(factor: Factor) -> Sequence[str | int]:
        return () if factor[0] == SIZE else factor[1:]

    def _table(self, factor: Factor) -> Mapping[Any, Any]:
        """The entries of a factor in a form that is fast to multiply."""
        if factor[0] == SIZE:
            return {(): fmpq(self.sizes[str(factor[1])])}
        if factor[0] == DELTA:
            return _EQUAL
        name = str(factor[0])
        if name not in self._exact:
            self._exact[name] = {at: to_fmpq(value) for at, value in self.arrays[name].items()}
        return self._exact[name]


class _Equal(dict[Any, Any]):
    """One where two indices are equal, else zero."""

    def __missing__(self, at: tuple[int, int]) -> Any:
        return fmpq(int(at[0] == at[1]))


_EQUAL = _Equal()


def instances(statement: Json) -> Iterator[Instance]:
    """Instances that satisfy every rule: the candidates, then seeded draws."""
    text = json.dumps(statement, sort_keys=True)
    rng = random.Random(hashlib.sha256(text.encode()).hexdigest())
    ranges = {name: list(declaration["ranges"]) for name, declaration in statement["arrays"].items()}
    symmetric = {name for name, declaration in statement["arrays"].items() if "symmetric" in declaration}
    for candidate in statement.get("among", []):
        yield from _kept(_from_candidate(candidate, ranges), statement)
    names = sorted(_ranges_in(statement))
    for draw in range(DRAWS + ANY_SIZES):
        turns = [draw + k if draw < DRAWS else rng.randrange(len(SIZES)) for k in range(len(names))]
        sizes = {name: SIZES[turn % len(SIZES)] for name, turn in zip(names, turns, strict=True)}
        at = Instance(sizes, {name: _array(sizes, of, name in symmetric, rng) for name, of in ranges.items()}, ranges)
        for data in statement["rules"]:
            _solve_reciprocal(at, data, statement["rules"])
        yield from _kept(at, statement)


def _kept(at: Instance, statement: Json) -> Iterator[Instance]:
    if all(
        at.value(rule["left"], free) == at.value(rule["right"], free)
        for rule in statement["rules"]
        for free in at.assignments(rule["free"])
    ):
        yield at


def _array(sizes: Mapping[str, int], of: Sequence[str], symmetric: bool, rng: random.Random) -> dict[Any, Fraction]:
    places = product(*(range(sizes[r]) for r in of))
    entries = {at: Fraction(rng.choice((-3, -2, -1, 1, 2, 3, 5)), rng.choice((1, 1, 2))) for at in places}
    return {at: entries[tuple(sorted(at))] for at in entries} if symmetric else entries


def _solve_reciprocal(at: Instance, rule: Json, rules: Sequence[Json]) -> None:
    """Where a rule's left side is a number without indices, or its square, times something, choose that number."""
    (_, _, factors), *_ = rule["left"]
    lone = next((f[0] for f in factors if len(f) == 1), None)
    if lone is None or rule["free"] or any(f[0] == lone for _, _, fs in rule["right"] for f in fs):
        return
    drawn = at.arrays[lone][()]
    at.choose(lone, Fraction(1))
    rest = at.value(rule["left"], {})
    power = [f[0] for f in factors].count(lone)
    square = _lone_square(rule, lone, power, rules)
    if square and rest:
        at.choose(lone, drawn)
        at.choose(square, rest * drawn**2)
        return
    root = _root(at.value(rule["right"], {}) / rest, power) if rest else None
    if root is not None:
        at.choose(lone, root)


def _lone_square(rule: Json, lone: str, power: int, rules: Sequence[Json]) -> str | None:
    """The number without indices that a rule says is a square, if no other rule speaks of it."""
    if power != 2 or len(rule["right"]) != 1:
        return None
    ((coefficient, ranges, factors),) = rule["right"]
    if Fraction(coefficient) != 1 or ranges or len(factors) != 1 or len(factors[0]) != 1:
        return None
    name = str(factors[0][0])
    others = [other for other in rules if other is not rule]
    spoken_of = {f[0] for other in others for side in ("left", "right") for _, _, fs in other[side] for f in fs}
    return None if name in spoken_of or name == lone else name


def _root(value: Fraction, power: int) -> Fraction | None:
    """The exact square root, or the value itself; None where it is irrational or a higher one is asked for."""
    if power == 1:
        return value
    above, below = isqrt(abs(value.numerator)), isqrt(value.denominator)
    root = Fraction(above, below)
    return root if power == 2 and root * root == value else None


def _from_candidate(data: Json, ranges: dict[str, list[str]]) -> Instance:
    arrays = {name: dict(_flat(data["arrays"][name], len(of))) for name, of in ranges.items()}
    return Instance(dict(data["sizes"]), arrays, ranges)


def _flat(nested: Any, depth: int, at: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    if depth == 0:
        yield at, Fraction(nested)
        return
    for i, part in enumerate(nested):
        yield from _flat(part, depth - 1, (*at, i))


def _ranges_in(statement: Json) -> set[str]:
    found = {r for declaration in statement["arrays"].values() for r in declaration["ranges"]} | set(
        statement["free"].values()
    )
    for part in (statement, *statement["rules"]):
        for side in ("left", "right"):
            for _, ranges, factors in part[side]:
                found |= set(ranges) | {f[1] for f in factors if f[0] == SIZE}
    return found.union(*(rule["free"].values() for rule in statement["rules"]))
