"""Checks certificates about sums over indices of any range: by adding up cofactors, and by exact arrays.

The statement's and payload's formats are described in `derivations/prove/sums/__init__.py`; this module shares no code
with it. Two sums are the same when one becomes the other by renaming summed indices; here that is decided by writing
each term in the smallest of all its spellings.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product
from math import factorial
from typing import Any

from derivations.recheck.budget import spend
from derivations.recheck.errors import Rejected

Json = dict[str, Any]
Spelling = tuple[tuple[str, ...], tuple[Any, ...]]
Poly = dict[Spelling, Fraction]

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
RATIONAL = re.compile(r"-?[0-9]{1,2000}(/[0-9]{1,2000})?", re.ASCII)
RESERVED = ("delta", "size")
STATEMENT_KEYS = {"kind", "arrays", "free", "rules", "left", "right", "among"}
MAX_SUMMED, MAX_SIZE = 9, 50
STEP_WORK = 2000  # see `spend`


def check_sums(certificate: Json) -> None:
    """Raises Rejected unless the payload proves the verdict on the statement; OPEN has nothing to check."""
    try:
        _check(certificate)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError, ZeroDivisionError, RecursionError) as error:
        raise Rejected(f"the certificate is malformed: {type(error).__name__}: {error}") from error


def _check(certificate: Json) -> None:
    statement, verdict, payload = certificate["statement"], certificate["verdict"], certificate["payload"]
    require(set(statement) <= STATEMENT_KEYS, "the statement has unknown parts")
    language = Language(statement["arrays"])
    for part in (statement, *statement["rules"]):
        require_named(part["free"])
    left, right = (language.terms(statement[side], statement["free"]) for side in ("left", "right"))
    rules = [
        (rule["free"], language.terms(rule["left"], rule["free"]), language.terms(rule["right"], rule["free"]))
        for rule in statement["rules"]
    ]
    if verdict == "proved":
        goal = language.polynomial([*left, *negated(right)])
        for cofactor in payload["cofactors"]:
            accumulate(goal, language.polynomial(language.cofactor(cofactor, rules, statement["free"])), Fraction(-1))
        require(not goal, "the cofactors do not add up to the difference of the sides")
        at = Instance(language, payload["inhabited"])
        at.require_rules(rules)
    elif verdict == "refuted":
        witness = payload["witness"]
        at = Instance(language, witness)
        at.require_rules(rules)
        free = at.free_values(witness["at"], statement["free"])
        values = [at.value(side, free) for side in (left, right)]
        require(values[0] != values[1], "both sides agree on the witness")
        said = [exact(witness[side]) for side in ("left", "right")]
        require(values == said, "the witness reports another value of a side")
    else:
        require(verdict == "open", f"sums are never {verdict}")


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


def accumulate(total: Poly, part: Poly, scale: Fraction) -> None:
    for spelling, c in part.items():
        total[spelling] = total.get(spelling, Fraction(0)) + scale * c
        if not total[spelling]:
            del total[spelling]


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
            accumulate(total, {self.spelling(ranges, factors): Fraction(1)}, c)
        return total

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
        used = {p for f in pieces if f[0] != "size" for p in f[1:]}
        pieces += [("size", of) for k, of in alive.items() if k not in used]
        summed = {k: of for k, of in alive.items() if k in used}
        spend(STEP_WORK * factorial(len(summed)))
        return min(self._spelled(names, pieces, summed) for names in permutations(range(len(summed))))

    @staticmethod
    def _carries(factor: Factor) -> bool:
        return factor[1] == factor[2] or any(type(p) is int for p in factor[1:])

    def _spelled(self, names: tuple[int, ...], pieces: list[Factor], summed: dict[int, str]) -> Spelling:
        """A summed index is written (1, its number), a free index or a range (0, its name)."""
        called = dict(zip(summed, names, strict=True))
        order = tuple(of for _, of in sorted((called[k], of) for k, of in summed.items()))
        written = []
        for head, *places in pieces:
            shown = [(1, str(called[p])) if type(p) is int else (0, p) for p in places]
            if head == "delta" or head in self.symmetric:
                shown.sort()
            written.append((head, *shown))
        return order, tuple(sorted(written))


class Instance:
    """Sizes of the ranges, and exact numbers for every array."""

    def __init__(self, language: Language, data: Json) -> None:
        self.sizes = data["sizes"]
        for name, size in self.sizes.items():
            require(type(size) is int and 1 <= size <= MAX_SIZE, f"the size of {name} must be 1 to {MAX_SIZE}")
        self.arrays: dict[str, dict[tuple[int, ...], Fraction]] = {}
        for name, ranges in language.ranges.items():
            self.arrays[name] = dict(self._entries(data["arrays"][name], ranges, ()))
            if name in language.symmetric:
                entries = self.arrays[name]
                require(all(v == entries[b, a] for (a, b), v in entries.items()), f"{name} is not symmetric")

    def _entries(self, nested: Any, ranges: tuple[str, ...], at: tuple[int, ...]) -> Iterator[Any]:
        if not ranges:
            spend(STEP_WORK)
            yield at, exact(nested)
            return
        require(isinstance(nested, list | tuple) and len(nested) == self.sizes[ranges[0]], "an array has another size")
        for i, part in enumerate(nested):
            yield from self._entries(part, ranges[1:], (*at, i))

    def require_rules(self, rules: list[Any]) -> None:
        for free, left, right in rules:
            for values in product(*(range(self.sizes[of]) for of in free.values())):
                at = dict(zip(free, values, strict=True))
                require(self.value(left, at) == self.value(right, at), "the exact arrays break a hypothesis")

    def free_values(self, given: Json, free: Json) -> dict[str, int]:
        require(set(given) == set(free), "the witness must give every free index a value")
        for name, of in free.items():
            fits = type(given[name]) is int and 0 <= given[name] < self.sizes[of]
            require(fits, f"the value of {name} lies outside its range")
        return dict(given)

    def value(self, terms: list[Term], free: dict[str, int]) -> Fraction:
        return sum((c * self._summed(ranges, factors, free) for c, ranges, factors in terms), Fraction(0))

    def _summed(self, ranges: tuple[str, ...], factors: tuple[Factor, ...], free: dict[str, int]) -> Fraction:
        result = Fraction(0)
        for values in product(*(range(self.sizes[of]) for of in ranges)):
            spend(STEP_WORK * (1 + len(factors)))
            term = Fraction(1)
            for head, *places in factors:
                if head == "size":
                    term *= self.sizes[places[0]]
                    continue
                at = tuple(values[p] if type(p) is int else free[p] for p in places)
                term *= int(at[0] == at[1]) if head == "delta" else self.arrays[head][at]
            result += term
        return result
