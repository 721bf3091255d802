"""Rewriting of sums by hypotheses, remembering every step as a cofactor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from derivations.language.polynomials import add_to
from derivations.language.sums import MisfitError
from derivations.language.sums.algebra import SIZE, Factor, Monomial, Place, Polynomial, normal, polynomial, replaced
from derivations.prove.certificate import Json


@dataclass(frozen=True)
class SumRule:
    """lead * (sum of a product) = rest, for all values of its free indices."""

    number: int
    free: Mapping[str, str]
    lead: Monomial
    coefficient: Fraction
    rest: Polynomial

    @classmethod
    def read(cls, number: int, data: Json, symmetric: frozenset[str]) -> SumRule:
        sides = [polynomial(data[side], symmetric) for side in ("left", "right")]
        if len(sides[0]) != 1 or not next(iter(sides[0]))[1]:
            raise MisfitError(
                f"the left side of hypothesis {number + 1} about sums must be one term with an array: it is replaced"
            )
        ((lead, coefficient),) = sides[0].items()
        return cls(number, data["free"], lead, coefficient, sides[1])


@dataclass(frozen=True)
class Cofactor:
    """coefficient * sum over ranges of factors * (left - right of the rule at these indices)."""

    rule: int
    coefficient: Fraction
    ranges: tuple[str, ...]
    factors: tuple[Factor, ...]
    at: Mapping[str, Place]


def reduced(
    terms: Polynomial, rules: Sequence[SumRule], symmetric: frozenset[str], steps: int
) -> tuple[Polynomial, list[Cofactor]]:
    """(rest, cofactors) with terms = rest + what the cofactors add up to."""
    waiting, rest = dict(terms), Polynomial()
    cofactors: list[Cofactor] = []
    for _ in range(steps):
        if not waiting:
            break
        monomial = max(waiting, key=repr)
        found = next(((rule, use) for rule in rules for use in uses(rule, monomial, symmetric)), None)
        coefficient = waiting.pop(monomial)
        if found is None:
            add_to(rest, {monomial: coefficient})
            continue
        rule, (ranges, factors, at) = found
        scale = coefficient / rule.coefficient
        cofactors.append(Cofactor(rule.number, scale, ranges, factors, at))
        for (bound, more), c in rule.rest.items():
            moves: dict[Place, Place] = {k: k + len(ranges) for k in range(len(bound))}
            moves.update((name, p) for name, p in at.items())
            moved = [replaced(f, moves) for f in more]
            add_to(waiting, {normal((*ranges, *bound), (*factors, *moved), symmetric): scale * c})
    add_to(rest, waiting)
    return rest, cofactors


def uses(
    rule: SumRule, target: Monomial, symmetric: frozenset[str]
) -> Iterator[tuple[tuple[str, ...], tuple[Factor, ...], dict[str, Place]]]:
    """Every way to see the rule's left side in a term: what remains of the sums and factors, and the free indices."""
    bound, factors = target
    for left_over, places in _matched(list(rule.lead[1]), list(factors), {}, symmetric):
        inner = [places[k] for k in range(len(rule.lead[0]))]
        outer = [p for name, p in places.items() if isinstance(name, str)]
        still = {p for f in left_over if f[0] != SIZE for p in f[1:]} | set(outer)
        own = all(isinstance(p, int) and p not in still for p in inner) and len(set(inner)) == len(inner)
        if own and _fits(rule, places, bound):
            kept = [k for k in range(len(bound)) if k not in inner]
            moved: dict[Place, Place] = {k: i for i, k in enumerate(kept)}
            at = {str(name): moved.get(p, p) for name, p in places.items() if isinstance(name, str)}
            yield tuple(bound[k] for k in kept), tuple(replaced(f, moved) for f in left_over), at


def _fits(rule: SumRule, places: Mapping[Place, Place], bound: tuple[str, ...]) -> bool:
    """Check that the summed indices of a rule meet summed indices of the same ranges; arrays see to the free ones."""
    return all(rule.lead[0][k] == bound[p] for k, p in places.items() if isinstance(k, int) and isinstance(p, int))


def _matched(
    pattern: list[Factor], factors: list[Factor], places: dict[Place, Place], symmetric: frozenset[str]
) -> Iterator[tuple[list[Factor], dict[Place, Place]]]:
    if not pattern:
        yield factors, places
        return
    first, *others = pattern
    for i, f in enumerate(factors):
        if f[0] != first[0] or len(f) != len(first):
            continue
        readings = {f, (f[0], *reversed(f[1:]))} if f[0] in symmetric else {f}
        for reading in sorted(readings, key=repr):
            joined = _extended(places, first, reading)
            if joined is not None:
                yield from _matched(others, factors[:i] + factors[i + 1 :], joined, symmetric)


def _extended(places: dict[Place, Place], pattern: Factor, factor: Factor) -> dict[Place, Place] | None:
    if pattern[0] == SIZE:
        return places if pattern == factor else None
    new = dict(places)
    for p, q in zip(pattern[1:], factor[1:], strict=True):
        if new.setdefault(p, q) != q:
            return None
    return new
