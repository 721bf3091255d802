"""What formulas about sums come to: products multiplied out, sums taken together, and Leibniz's rule.

The formulas are listed in `derivations/language/sums/formulas.py`; this module shares no code with it.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from derivations.recheck.core.budget import spend
from derivations.recheck.core.errors import Rejected
from derivations.recheck.kinds.sums.language import (
    MAX_SUMMED,
    NAME,
    Factor,
    Json,
    Language,
    Term,
    exact,
    negated,
    require,
)

MAX_POWER = 50
TERM_WORK = 3000  # see `spend`
Rates = dict[str, tuple[tuple[str, ...], list[Term]]]


class Values:
    """The terms that formulas come to, over declared arrays."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def side(self, data: Any, free: Json) -> list[Term]:
        """A side of an equation, as a formula or as a polynomial."""
        if not isinstance(data, dict):
            return self.language.terms(data, free)
        require(set(data) == {"formula"}, "a side has exactly a formula")
        return self.language.merged(self.value(data["formula"], free))

    def value(self, formula: Any, free: Mapping[str, str]) -> list[Term]:
        head, *parts = formula
        match head, len(parts):
            case (("A" | "delta" | "size"), _):
                factor = tuple(parts) if head == "A" else (head, *parts)
                require(head != "A" or parts[0] in self.language.ranges, "an array that is not declared")
                return self.language.terms([["1", [], [factor]]], dict(free))
            case "q", 1:
                return [(exact(parts[0]), (), ())] if exact(parts[0]) else []
            case "+", n if n > 0:
                return [term for part in parts for term in self.value(part, free)]
            case "*", n if n > 0:
                return self._product([self.value(part, free) for part in parts])
            case "^", 2:
                exponent = parts[1]
                require(type(exponent) is int and 1 < exponent <= MAX_POWER, f"{exponent!r} is no exponent")
                return self._product([self.value(parts[0], free)] * exponent)
            case "sum", 3:
                return self._total(parts[0], parts[1], parts[2], free)
            case "derivative", 2:
                return self._moved(self.value(parts[0], free), self._rates(parts[1], free))
            case "terms", _:
                return self.language.terms(parts, dict(free))
        raise Rejected(f"no formula about sums is {head!r} with {len(parts)} parts")

    def _product(self, parts: list[list[Term]]) -> list[Term]:
        total: list[Term] = [(Fraction(1), (), ())]
        for part in parts:
            spend(TERM_WORK * (1 + len(total) * len(part)))
            total = [joined(a, b) for a in total for b in part]
        return total

    def _total(self, inner: Any, name: Any, of: Any, free: Mapping[str, str]) -> list[Term]:
        require(all(isinstance(x, str) and NAME.fullmatch(x) for x in (name, of)), "a sum needs an index and a range")
        terms = []
        for c, ranges, factors in self.value(inner, {**free, name: of}):
            spend(TERM_WORK)
            terms.append((c, (*ranges, of), tuple(renamed(f, {name: len(ranges)}) for f in factors)))
        return terms

    def _rates(self, pairs: Any, free: Mapping[str, str]) -> Rates:
        rates: Rates = {}
        for array, at, rate in pairs:
            require(array in self.language.ranges and array not in rates, f"{array!r} cannot have this rate")
            ranges = self.language.ranges[array]
            named = all(isinstance(x, str) and NAME.fullmatch(x) for x in at)
            require(named and len(set(at)) == len(at) == len(ranges), f"the rate of {array} names other indices")
            terms = self.value(rate, {**free, **dict(zip(at, ranges, strict=True))})
            rates[array] = (tuple(at), terms)
            if array in self.language.symmetric:
                self._require_symmetric(array, tuple(at), terms)
        return rates

    def _require_symmetric(self, array: str, at: tuple[str, ...], terms: list[Term]) -> None:
        swap = {at[0]: at[1], at[1]: at[0]}
        turned = [(c, ranges, tuple(renamed(f, swap) for f in factors)) for c, ranges, factors in terms]
        gap = self.language.polynomial([*terms, *negated(turned)])
        require(not gap, f"{array} is symmetric, and its rate is not")

    def _moved(self, terms: list[Term], rates: Rates) -> list[Term]:
        """Every factor in turn, with its rate in its place."""
        moved = []
        for c, ranges, factors in terms:
            for i, factor in enumerate(factors):
                at, rate = rates.get(factor[0], ((), []))
                rest: Term = (c, ranges, factors[:i] + factors[i + 1 :])
                for number, summed, inner in rate:
                    spend(TERM_WORK * (1 + len(factors) + len(inner)))
                    places = dict(zip(at, factor[1:], strict=True))
                    moved.append(joined(rest, (number, summed, inner), places))
        return moved


def joined(a: Term, b: Term, places: Mapping[str, Any] | None = None) -> Term:
    """The product of two terms; indices of the second may stand for those of the first."""
    (c, ranges, factors), (d, others, more) = a, b
    require(len(ranges) + len(others) <= MAX_SUMMED, f"more than {MAX_SUMMED} sums stand in one term")
    shifted: dict[Any, Any] = {k: k + len(ranges) for k in range(len(others))}
    moved = tuple(renamed(f, {**shifted, **(places or {})}) for f in more)
    return c * d, (*ranges, *others), (*factors, *moved)


def renamed(factor: Factor, places: Mapping[Any, Any]) -> Factor:
    """A factor with other indices."""
    return factor if factor[0] == "size" else (factor[0], *(places.get(p, p) for p in factor[1:]))
