"""The declared arrays of a statement about sums, and terms in their entries.

Two sums are the same when one becomes the other by renaming summed indices; here that is decided by writing each term
in the smallest of all its spellings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import factorial, prod
from typing import Any

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected

Json = dict[str, Any]
Spelling = tuple[tuple[str, ...], tuple[Any, ...]]
Poly = dict[Spelling, Fraction]

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
RATIONAL = re.compile(r"-?[0-9]{1,2000}(/[0-9]{1,2000})?", re.ASCII)
RESERVED = ("delta", "size")
MAX_SUMMED = 9
SPELLING_WORK = 4_000  # see `spend`


def require(condition: bool, complaint: str) -> None:
    if not condition:
        raise Rejected(complaint)


def require_named(free: Json) -> None:
    """Free indices and their ranges have names, which no summed index can have."""
    for index, of in free.items():
        require(NAME.fullmatch(index) is not None, f"{index!r} cannot name an index")
        require(isinstance(of, str) and NAME.fullmatch(of) is not None, f"{of!r} cannot name the range of {index}")


def exact(text: Any) -> Fraction:
    require(isinstance(text, str) and RATIONAL.fullmatch(text) is not None, f"{text!r} is not an exact rational")
    return Fraction(text)


def accumulate(total: Poly, part: Poly, scale: Fraction | None = None) -> None:
    for spelling, c in part.items():
        value = total.get(spelling, 0) + (c if scale is None else scale * c)
        if value:
            total[spelling] = value
        else:
            total.pop(spelling, None)


Factor = tuple[Any, ...]
Term = tuple[Fraction, tuple[str, ...], tuple[Factor, ...]]


def negated(terms: list[Term]) -> list[Term]:
    return [(-c, ranges, factors) for c, ranges, factors in terms]


class Language:
    """The declared arrays, and what terms in them mean."""

    def __init__(self, arrays: Json) -> None:
        self.ranges: dict[str, tuple[str, ...]] = {}
        self.symmetric: set[str] = set()
        for name, told in arrays.items():
            require(NAME.fullmatch(name) is not None and name not in RESERVED, f"{name!r} cannot name an array")
            require(set(told) <= {"ranges", "symmetric"}, f"the declaration of {name} has unknown parts")
            self.ranges[name] = tuple(told["ranges"])
            require(all(NAME.fullmatch(r) for r in self.ranges[name]), f"{name} has a range without a name")
            if told.get("symmetric", False):
                pair = self.ranges[name]
                require(told["symmetric"] is True and len(pair) == 2 and pair[0] == pair[1], f"{name} is no pair")
                self.symmetric.add(name)

    def terms(self, data: Any, free: Json) -> list[Term]:
        """A polynomial as data, with every index's range checked."""
        read: list[Term] = []
        for coefficient, ranges, factors in data:
            require(len(ranges) <= MAX_SUMMED, f"more than {MAX_SUMMED} sums stand in one term")
            require(all(isinstance(r, str) and NAME.fullmatch(r) for r in ranges), "a sum has no range")
            pieces = tuple(tuple(f) for f in factors)
            for f in pieces:
                self._fits(f, tuple(ranges), free)
            read.append((exact(coefficient), tuple(ranges), pieces))
        return read

    def _fits(self, factor: Factor, ranges: tuple[str, ...], free: Json) -> None:
        head, *places = factor
        if head == "size":
            require(len(places) == 1 and NAME.fullmatch(places[0]) is not None, "a size needs one range")
            return
        found = tuple(self._range_of(p, ranges, free) for p in places)
        if head == "delta":
            require(len(found) == 2 and found[0] == found[1], "a delta needs two indices of one range")
        else:
            require(found == self.ranges[head], f"the indices of {head} do not run through its ranges")

    @staticmethod
    def _range_of(place: Any, ranges: tuple[str, ...], free: Json) -> str:
        if isinstance(place, str):
            return str(free[place])
        require(type(place) is int and 0 <= place < len(ranges), f"{place!r} is no summed index")
        return str(ranges[place])

    def cofactor(self, data: Json, rules: list[Any], free: Json) -> list[Term]:
        """coefficient * sum over ranges of factors * (left - right)."""
        number = data["rule"]
        require(type(number) is int and 0 <= number < len(rules), "a cofactor names no rule")
        bound, left, right = rules[number]
        scale, outer = exact(data["coefficient"]), tuple(data["ranges"])
        ((_, _, context),) = self.terms([["1", list(outer), data["factors"]]], free)
        at = data["at"]
        require(set(at) >= set(bound), "a cofactor leaves an index of its rule open")
        for name, of in bound.items():
            require(self._range_of(at[name], outer, free) == of, f"the index {name} of a rule meets another range")
        result: list[Term] = []
        for c, ranges, factors in [*left, *negated(right)]:
            moved = tuple(
                f if f[0] == "size" else (f[0], *(at[p] if isinstance(p, str) else p + len(outer) for p in f[1:]))
                for f in factors
            )
            require(len(outer) + len(ranges) <= MAX_SUMMED, f"more than {MAX_SUMMED} sums stand in one term")
            result.append((scale * c, (*outer, *ranges), (*context, *moved)))
        return result

    def polynomial(self, terms: list[Term]) -> Poly:
        total: Poly = {}
        for c, ranges, factors in terms:
            accumulate(total, {self.spelling(ranges, factors): c})
        return total

    def merged(self, terms: list[Term]) -> list[Term]:
        """The terms with equal ones taken together, each in its smallest spelling."""
        return [(c, ranges, tuple(map(_read, factors))) for (ranges, factors), c in self.polynomial(terms).items()]

    def spelling(self, ranges: tuple[str, ...], factors: tuple[Factor, ...]) -> Spelling:
        """The smallest way to write a term."""
        alive = dict(enumerate(ranges))
        pieces = list(factors)
        while (equal := next((f for f in pieces if f[0] == "delta" and self._carries(f)), None)) is not None:
            pieces.remove(equal)
            a, b = equal[1:]
            if a != b:
                gone, stays = (a, b) if type(a) is int else (b, a)
                del alive[gone]
                pieces = [f if f[0] == "size" else (f[0], *(stays if p == gone else p for p in f[1:])) for f in pieces]
        pieces = _led(pieces)
        used = {p for f in pieces if f[0] != "size" for p in f[1:]}
        pieces += [("size", of) for k, of in alive.items() if k not in used]
        summed = {k: of for k, of in alive.items() if k in used}
        spend(SPELLING_WORK * (1 + len(pieces)) * prod(map(factorial, map(len, _groups(summed)))))
        return min(self._spelled(called, pieces, summed) for called in _numberings(summed))

    @staticmethod
    def _carries(factor: Factor) -> bool:
        return factor[1] == factor[2] or any(type(p) is int for p in factor[1:])

    def _spelled(self, called: dict[int, int], pieces: list[Factor], summed: dict[int, str]) -> Spelling:
        """A summed index is written (1, its number), a free index or a range (0, its name)."""
        order = tuple(sorted(summed.values()))
        written = []
        for head, *places in pieces:
            shown = [(1, str(called[p])) if type(p) is int else (0, p) for p in places]
            if head == "delta" or head in self.symmetric:
                shown.sort()
            written.append((head, *shown))
        return order, tuple(sorted(written))


def _led(pieces: list[Factor]) -> list[Factor]:
    """Free indices that deltas make equal are one index: the smallest of their names leads in every other factor."""
    groups: list[set[str]] = []
    for head, *pair in pieces:
        if head == "delta":
            met = [group for group in groups if group & set(pair)]
            groups = [group for group in groups if group not in met] + [set(pair).union(*met)]
    leader = {name: min(group) for group in groups for name in group}
    others = [f if f[0] == "size" else (f[0], *(leader.get(p, p) for p in f[1:])) for f in pieces if f[0] != "delta"]
    return others + [("delta", leader[name], name) for name in leader if leader[name] != name]


def _read(spelt: Any) -> Factor:
    """A factor from its spelling."""
    head, *places = spelt
    return (head, *(int(place) if summed else place for summed, place in places))


def _groups(summed: dict[int, str]) -> list[list[int]]:
    """The summed indices of each range, the ranges in alphabetical order."""
    return [[k for k, of in summed.items() if of == name] for name in sorted(set(summed.values()))]


def _numberings(summed: dict[int, str]) -> Iterator[dict[int, int]]:
    """Every way to number the summed indices, range after range."""
    for order in product(*map(permutations, _groups(summed))):
        yield {k: n for n, k in enumerate(k for group in order for k in group)}
