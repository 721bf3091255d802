"""Derivations of Gaussian averages: which rule is applied to which product, down to products that need no rule.

A derivation is a tree of nodes. Every node is about one product of factors under one covariance, and has a value:

    one           nothing is left to average
    odd           the product changes its sign with the fields
    half          one step
    independent   groups of fields without covariance: the product of their averages
    point         a point mass: the density of its field at zero, times the average where that field is zero
    tilt          the bells of one field: sqrt(w/(w + C_kk)), times the average under the tilted covariance
    stein         <b F> = sum over the fields x of F of C_bx <dF/dx>
    given         an average that the statement gives a name
    lemma         another statement about an average, for its own symbols, and what they stand for
    price         a value at one of the numbers t from 0 to 1 that multiply the covariances between two groups of
                  fields: it begins as the average of independent groups, and d<F>/dt = sum C_gh <d^2F/(dg dh)>
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from derivations.language.averages.monomials import (
    HALF,
    MINUS_HALF,
    Monomial,
    Polynomial,
    add,
    derivative,
    factors_of,
    fields_of,
    is_odd,
    lowered,
    of_parts,
    plus,
    power,
    steps_of,
    times,
    without,
)
from derivations.language.terms import MINUS_ONE, ONE, ZERO, Term, substitute
from derivations.language.terms import derivative as derivative_of_term
from derivations.prove.averages.fields import TWO, Fields
from derivations.prove.certificate import Certificate, Json
from derivations.text import DerivationError

Derived = tuple[Json, Term]


class NotDerived(DerivationError):
    """No rule applies to a product of factors."""


@dataclass(frozen=True)
class Rules:
    """What the rules may lean on: averages with names, and proved averages of products of the same shape."""

    lemma: Callable[[Monomial, Fields], tuple[Certificate, dict[int, int], dict[str, Term]] | None]
    given: tuple[tuple[str, Monomial], ...] = ()
    named: Fields | None = None

    def sum(self, of: Polynomial, at: Fields) -> tuple[list[Any], Term]:
        """Every product of a sum derived by itself, and the value of the sum."""
        parts, values = [], []
        for product, coefficient in of.items():
            node, value = self.derive(product, at)
            parts.append([factors_of(product), node])
            values.append(times(coefficient, value))
        return parts, plus(*values)

    def derive(self, of: Monomial, at: Fields) -> Derived:
        """The first rule that applies."""
        if not of:
            return {"rule": "one"}, ONE
        named = self._given(of, at)
        if named is not None:
            return {"rule": "given", "name": named}, ("s", named)
        point = next((field for field, part in of if part.point), None)
        if point is not None:
            return self._point(of, at, point)
        if is_odd(of):
            return {"rule": "odd"}, ZERO
        groups = _groups(of, at)
        if len(groups) > 1:
            return self._independent(of, at, groups)
        bell = next((field for field, part in of if part.bells), None)
        if bell is not None:
            return self._tilt(of, at, bell)
        linear = sorted((part.step, field) for field, part in of if part.power)
        if linear:
            return self._stein(of, at, linear[0][1])
        if len(of) == 1 and of[0][1].step and not of[0][1].erfs:
            require_definite(at, {of[0][0]}, of)
            return {"rule": "half"}, HALF
        return self._lemma(of, at)

    def _given(self, of: Monomial, at: Fields) -> str | None:
        fields = fields_of(of)
        for name, product in self.given:
            same = self.named is not None and all(at[i, j] == self.named[i, j] for i in fields for j in fields)
            if same and of == product:
                return name
        return None

    def _point(self, of: Monomial, at: Fields, field: int) -> Derived:
        require_definite(at, {field}, of)
        node, value = self.derive(without(of, field), at.conditioned(field))
        density = power(times(TWO, ("pi",), at[field, field]), MINUS_HALF)
        return {"rule": "point", "field": field, "of": node}, times(density, value)

    def _independent(self, of: Monomial, at: Fields, groups: list[list[int]]) -> Derived:
        nodes, values = [], []
        for group in groups:
            node, value = self.derive(tuple((f, part) for f, part in of if f in group), at)
            nodes.append([group, node])
            values.append(value)
        return {"rule": "independent", "groups": nodes}, times(*values)

    def _tilt(self, of: Monomial, at: Fields, field: int) -> Derived:
        parts = dict(of)
        bells = parts[field].bells
        width2 = joint_width(bells)
        rest = of_parts({**parts, field: replace(parts[field], bells=())})
        assert rest is not None
        node, value = self.derive(rest, at.tilted(field, width2))
        factor = times(power(width2, HALF), power(plus(width2, at[field, field]), MINUS_HALF))
        return {"rule": "tilt", "field": field, "of": node}, times(factor, value)

    def _stein(self, of: Monomial, at: Fields, field: int) -> Derived:
        if steps_of(lowered(of, field)):
            require_definite(at, set(fields_of(lowered(of, field))), of)
        parts, value = self.sum(by_stein(of, at, field), at)
        return {"rule": "stein", "field": field, "parts": parts}, value

    def _lemma(self, of: Monomial, at: Fields) -> Derived:
        found = self.lemma(of, at)
        if found is None:
            raise NotDerived(f"no rule gives the average of the factors {factors_of(of)}")
        certificate, fields, symbols = found
        node = {
            "rule": "lemma",
            "fields": [fields[i] for i in sorted(fields)],
            "symbols": symbols,
            "certificate": certificate.as_json(),
        }
        return node, substitute(certificate.statement["right"], symbols)


def require_definite(at: Fields, needed: set[int], of: Monomial) -> None:
    """Point masses need a density, and steps fields that do not rest at zero."""
    if not needed <= at.definite:
        raise NotDerived(
            f"steps, ramps and their slopes ask for fields of which none is a combination of the others: where"
            f" that is so, say mean(..., definite={tuple(sorted(needed | at.definite))})"
        )


def joint_width(bells: tuple[Term, ...]) -> Term:
    """The width of a product of bells of one field."""
    if len(bells) == 1:
        return bells[0]
    return power(plus(*(power(w, MINUS_ONE) for w in bells)), MINUS_ONE)


def by_stein(of: Monomial, at: Fields, field: int) -> Polynomial:
    rest = lowered(of, field)
    total: Polynomial = {}
    for x in fields_of(rest):
        if at[field, x] == ZERO:
            continue
        for product, coefficient in derivative(rest, x).items():
            add(total, product, times(at[field, x], coefficient))
    return total


def mixed_derivatives(of: Monomial, at: Fields, group: list[int]) -> Polynomial:
    """sum of C_gh d^2F/(dg dh) over the pairs of a field in the group and one outside of it."""
    total: Polynomial = {}
    others = [h for h in fields_of(of) if h not in group]
    for g in group:
        for first, outer in derivative(of, g).items():
            for h in others:
                if h not in fields_of(first) or at[g, h] == ZERO:
                    continue
                for second, inner in derivative(first, h).items():
                    add(total, second, times(at[g, h], outer, inner))
    return total


def along_path(of: Polynomial, at: Fields, time: str) -> Polynomial:
    """How an average changes with a symbol in the covariances of its fields, whose variances do not move."""
    total: Polynomial = {}
    for product, coefficient in of.items():
        fields = fields_of(product)
        for i, j in combinations(fields, 2):
            rate = derivative_of_term(at[i, j], time)
            if rate == ZERO:
                continue
            for first, outer in derivative(product, i).items():
                if j not in fields_of(first):
                    continue
                for second, inner in derivative(first, j).items():
                    add(total, second, times(coefficient, rate, outer, inner))
    return total


def _groups(of: Monomial, at: Fields) -> list[list[int]]:
    """The fields in groups without covariance between them."""
    groups: list[list[int]] = []
    for field in fields_of(of):
        touched = [g for g in groups if any(at[field, other] != ZERO for other in g)]
        groups = [g for g in groups if g not in touched] + [sorted([field, *(x for g in touched for x in g)])]
    return sorted(groups)
