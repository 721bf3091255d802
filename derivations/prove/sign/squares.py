"""Inequalities as sums of squares times products of hypotheses, found without hints.

target = sigma + sum sigma_i f_i + sum sigma_ij f_i f_j + ..., where each sigma is a sum of squares of polynomials of a
bounded degree and the f are facts: hypotheses, signs of symbols, roots. Degrees grow from try to try.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import Any

from derivations.language.normal import Poly
from derivations.language.normal.forms import STRICT, form
from derivations.language.terms import Term, rational
from derivations.prove.equality.facts import Combination, Fact, Search
from derivations.prove.sign.gram import MOST_BASIS, MOST_ROWS, Block, squares

MOST_LETTERS = 8
MOST_FACTS = 8
MOST_BLOCKS = 40
MOST_ENTRIES, MOST_TIED = 12_000, 1_500  # of the matrices in all tries; each costs more where roots and equations tie
DRAWN, POSITIVE, SPREAD, CERTAIN = 400, 0.8, 1.5, 1e-9  # numbers at which a target is looked at: how many, and where
TRIES = ((0, 1), (0, 2), (2, 2), (0, 3), (2, 4))
"""By how much the degree lies above that of the target, and how many facts are multiplied."""


def combination(search: Search, scale: list[Term]) -> Combination | None:
    """A combination of squares and facts that equals the scaled difference, strict if the statement is."""
    target = search.target(scale)
    if target == 0 or target.is_constant():
        return None
    usable = _usable(search, target)
    if not search.is_tied and _fails_somewhere(target, [search.facts[i].poly for i in usable]):
        return None
    seen: set[tuple[int, int]] = set()
    left = MOST_TIED if search.is_tied else MOST_ENTRIES
    for above, factors in TRIES if usable else TRIES[:1]:
        degree = _even(max(target.total_degree(), 2)) + above
        blocks, names = _blocks(search, target, usable, degree, factors)
        entries = sum(len(block.basis) * (len(block.basis) + 1) // 2 for _, block in blocks)
        if (degree, len(blocks)) in seen or entries > left or comb(len(names) + degree, degree) > 4 * MOST_ROWS:
            continue
        seen.add((degree, len(blocks)))
        left -= entries
        found = _by_blocks(search, target, blocks)
        if found is not None:
            return found
    return None


def _fails_somewhere(target: Poly, facts: list[Poly]) -> bool:
    """Check whether the target is negative at numbers at which no fact is: no squares and facts add up to it then."""
    import numpy as np

    draw = np.random.default_rng(0)
    size = (DRAWN, len(target.degrees()))
    numbers = np.where(draw.random(size) < POSITIVE, 1.0, -1.0) * np.exp(draw.normal(0.0, SPREAD, size))

    def value(poly: Poly) -> tuple[Any, Any]:
        terms = [(list(map(int, powers)), int(c.p) / int(c.q)) for powers, c in poly.terms()]
        parts = np.array([c * np.prod(numbers**powers, axis=1) for powers, c in terms])
        return parts.sum(axis=0), CERTAIN * np.abs(parts).sum(axis=0)

    with np.errstate(over="ignore", invalid="ignore"):
        (total, doubt), others = value(target), [value(fact) for fact in facts]
        return bool(np.any(np.all([v > d for v, d in others] + [total < -doubt], axis=0)))


def is_worth_a_try(search: Search) -> bool:
    """Check whether the difference is a polynomial in few letters: symbols, roots, and some others."""
    return len(search.field.generators) <= MOST_LETTERS


def multipliers(search: Search, below: list[Term]) -> Iterator[Term]:
    """Return what many inequalities must be multiplied with to become sums of squares: one and the squares of all
    variables.

    A form is multiplied with the squares alone: where all variables vanish it is zero, which is no contradiction.
    """
    target = search.target(below)
    terms = [search.field.generator_term(search.field.generators[i]) for i in _variables(target)]
    powers: list[Term] = [("^", term, rational(2)) for term in terms]
    if len(powers) < 2:
        return
    degrees = {sum(map(int, exponents)) for exponents in target.to_dict()}
    if len(degrees) == 1 and all(term[0] == "s" for term in terms) and search.statement["relation"] == ">=":
        yield ("+", *powers)
    else:
        yield ("+", *powers, rational(1))


def _even(degree: int) -> int:
    return degree + degree % 2


def _usable(search: Search, target: Poly) -> list[int]:
    """The numbers of the facts that are no squares and speak of what the target speaks of, first those of it alone."""
    of = set(_variables(target))
    found: list[tuple[int, int]] = []
    for i, fact in enumerate(search.facts[: search.first]):
        poly = search.normal(fact.poly)
        if poly.is_constant() or fact.kind not in ("given", "sign"):
            continue
        speaks_of = set(_variables(poly))
        if speaks_of & of:
            found.append((len(speaks_of - of), i))
    return [i for _, i in sorted(found)[:MOST_FACTS]]


def _variables(poly: Poly) -> list[int]:
    return [i for i, degree in enumerate(map(int, poly.degrees())) if degree > 0]


def _blocks(
    search: Search, target: Poly, usable: list[int], degree: int, factors: int
) -> tuple[list[tuple[tuple[int, ...], Block]], list[int]]:
    """Products of at most so many facts, each with the monomials that leave it within the degree."""
    one = search.field.constant(1)
    chosen: list[tuple[tuple[int, ...], Poly]] = [((), one)]
    for count in range(1, factors + 1):
        for numbers in combinations(usable, count):
            weight = one
            for i in numbers:
                weight = search.normal(weight * search.facts[i].poly)
            if weight.total_degree() <= degree and not weight.is_constant():
                chosen.append((numbers, weight))
    names = sorted(set(_variables(target)).union(*(_variables(weight) for _, weight in chosen)))
    found = []
    for numbers, weight in chosen[:MOST_BLOCKS]:
        half = (degree - weight.total_degree()) // 2
        if comb(len(names) + half, half) > 4 * MOST_BASIS:
            continue
        found.append((numbers, Block(weight, _monomials(search, names, half))))
    return found, names


def _monomials(search: Search, names: list[int], half: int) -> list[Poly]:
    """The monomials of at most a degree that are their own normal form, the highest first."""
    context = search.field.context
    count = len(context.names())
    tied = search.is_tied
    found = []
    for powers in _powers(len(names), half):
        exponents = [0] * count
        for i, power in zip(names, powers, strict=True):
            exponents[i] = power
        monomial = context.from_dict({tuple(exponents): 1})
        if not tied or search.normal(monomial) == monomial:
            found.append(monomial)
    return sorted(found, key=lambda m: (-m.total_degree(), str(m)))


def _powers(count: int, most: int) -> Iterator[tuple[int, ...]]:
    """All powers of so many letters whose sum is at most a degree."""
    if not count:
        yield ()
        return
    for first in range(most + 1):
        for rest in _powers(count - 1, most - first):
            yield first, *rest


def _by_blocks(search: Search, target: Poly, blocks: list[tuple[tuple[int, ...], Block]]) -> Combination | None:
    from derivations.prove.sign.semidefinite import one_thread

    strict_wanted = search.statement["relation"] == ">"

    def is_strict(poly: Poly) -> bool:
        return len(poly) == 1 and form(search.field.poly_term(poly), search.field.known) == STRICT

    with one_thread():
        found = squares(target, [block for _, block in blocks], search.normal, is_strict)
    if found is None:
        return None
    combined: Combination = []
    for j, weight, inside in found:
        numbers = blocks[j][0]
        if inside.is_constant():
            constant = search.field.primitive(inside)[1]
            combined.append((weight * constant**2, numbers))
            continue
        primitive, unit = search.field.primitive(inside)
        term = search.field.poly_term(primitive)
        strict = form(("^", term, rational(2)), search.field.known) == STRICT
        search.facts.append(Fact(primitive**2, strict, "square"))
        combined.append((weight * Fraction(unit) ** 2, (*numbers, len(search.facts) - 1)))
    if strict_wanted and not search.is_strict(combined):
        return None
    return combined
