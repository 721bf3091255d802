"""Checks certificates about sums over indices of any range: by adding up cofactors, and by exact arrays.

The statement's and payload's formats are described in `derivations/prove/sums/__init__.py`; this module shares no code
with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.statements import ARRAYS, check_offered
from derivations.recheck.kinds.sums.formulas import Values
from derivations.recheck.kinds.sums.language import (
    Factor,
    Json,
    Language,
    Term,
    accumulate,
    exact,
    negated,
    require,
    require_named,
)

STATEMENT_KEYS = {"kind", "arrays", "free", "rules", "left", "right", "among"}
MAX_SIZE = 50
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
    check_offered(statement, ARRAYS)
    language = Language(statement["arrays"])
    for part in (statement, *statement["rules"]):
        require_named(part["free"])
    values = Values(language)
    left, right = (values.side(statement[side], statement["free"]) for side in ("left", "right"))
    rules = [
        (rule["free"], values.side(rule["left"], rule["free"]), values.side(rule["right"], rule["free"]))
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
        found = [at.value(side, free) for side in (left, right)]
        require(found[0] != found[1], "both sides agree on the witness")
        said = [exact(witness[side]) for side in ("left", "right")]
        require(found == said, "the witness reports another value of a side")
    else:
        require(verdict == "open", f"sums are never {verdict}")


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
                if head == "delta":
                    term *= int(at[0] == at[1])
                else:
                    term *= self.arrays[head][at]
                if not term:
                    break
            result += term
        return result
