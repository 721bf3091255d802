"""What a derivation leaves to show about numbers: equalities and signs, under what is known of the covariance."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import Any

from derivations.language.evaluate import exact, has_value
from derivations.language.normal.conditions import STRONGER, by_form, demands
from derivations.language.points import Values, points, satisfies
from derivations.language.terms import (
    ONE,
    ZERO,
    Term,
    carried_out,
    children,
    rational,
    rebuild,
    substitute,
    subtract,
    symbols_in,
)
from derivations.prove import equality, sign
from derivations.prove.averages.derivation import NotDerived
from derivations.prove.averages.fields import Fields, of_statement
from derivations.prove.certificate import Certificate, Json, Verdict

POINTS, TRIES = 12, 400
SHARES = tuple(map(Fraction, ("1", "1/2", "-1/2", "1/3", "-1/3", "2/3", "3/2", "-1", "2")))

SMALL = tuple(map(Fraction, ("0", "1/2", "-1/2", "1/3", "-1/3", "1/4", "-1/5", "2/5")))


@dataclass(frozen=True)
class Scope:
    """The symbols, the hypotheses, and every covariance that is known to be admissible."""

    statement: Json
    symbols: Json
    covariances: tuple[Fields, ...]
    time: str = ""

    @classmethod
    def of(cls, statement: Json) -> Scope:
        return cls(statement, statement["symbols"], (of_statement(statement),))

    def along(self, time: str, fields: Fields) -> Scope:
        symbols = dict(sorted({**self.symbols, time: ["nonnegative"]}.items()))
        return replace(self, symbols=symbols, covariances=(*self.covariances, fields), time=time)

    def facts(self) -> list[Any]:
        """Names of facts: the principal minors of two fields, and that t is at most 1."""
        found: list[Any] = []
        for depth, fields in enumerate(self.covariances):
            if depth == len(self.covariances) - 1:
                for pair in combinations(range(len(fields.entries)), 2):
                    found.append(["minor", depth, list(pair)])
        return found

    def fact(self, name: Any) -> Term:
        if name[0] == "until":
            return (">=", ONE, ("s", self.time))
        found: Term = self.covariances[name[1]].fact(name[2])
        return found

    def _head(self, facts: list[Any]) -> Json:
        return {"symbols": self.symbols, "assuming": [*self.statement["assuming"], *map(self.fact, facts)]}

    # --- equalities ---------------------------------------------------------------------------------------------------

    def identity(self, left: Term, right: Term) -> Json:
        """The obligation that two terms are equal, or NotDerived."""
        for facts in ([], self.facts()):
            statement = {"kind": "identity", **self._head(facts), "left": left, "right": right}
            payload = equality.proof(statement)
            if payload is None:
                continue
            inhabited = next((p for p in self.points() if has_value(subtract(left, right), p)), None)
            if inhabited is None:
                raise NotDerived("no covariance was found at which both sides of an equality have a value")
            payload["inhabited"] = {name: str(value) for name, value in inhabited.items()}
            certificate = Certificate(statement, Verdict.PROVED, "normal form", payload)
            return {"facts": facts, "certificate": certificate.as_json()}
        raise NotDerived("an equality that the derivation needs was not proved")

    # --- where terms have values --------------------------------------------------------------------------------------

    def defined(self, *terms: Term) -> list[Json]:
        """Obligations that show that terms have values wherever the covariance is admissible."""
        found, seen = [], set()
        for term in terms:
            for relation, of in demands(carried_out(term)):
                if (relation, of) in seen or by_form(of, self.symbols) in STRONGER[relation]:
                    continue
                seen.add((relation, of))
                found.append(self._sign(relation, of))
        return found

    def _sign(self, relation: str, of: Term) -> Json:
        until = [["until"]] if self.time else []
        for facts in (self.facts(), [*self.facts(), *until]):
            for wanted in (">", ">=") if relation == ">=" else (">",):
                statement = {"kind": "sign", **self._head(facts), "relation": wanted, "left": of, "right": ZERO}
                certificate = sign.decide(statement)
                if certificate.verdict is Verdict.PROVED:
                    return {"facts": facts, "certificate": certificate.as_json()}
        raise NotDerived(f"it was not shown that {of} {relation} 0 for every covariance")

    # --- points -------------------------------------------------------------------------------------------------------

    def points(self) -> Iterator[Values]:
        """Exact points at which the covariance of the statement is positive definite."""
        times = {self.time: Fraction(1, 2)} if self.time else {}
        for point in admissible(self.statement):
            yield point | times


def admissible(statement: Json) -> Iterator[Values]:
    """Exact points at which the covariance is positive definite, a few, the same in every run."""
    rng = random.Random(0)
    fields = of_statement(statement)
    size = len(fields.entries)
    found = 0
    for source in (_drawn(statement, fields, rng), _near_independent(statement, fields, rng), points(statement)):
        for point in source:
            rows = [[exact(fields[i, j], point) for j in range(size)] for i in range(size)]
            if any(v is None for row in rows for v in row):
                continue
            if is_admissible(rows, fields.definite):
                yield point
                found += 1
                if found >= POINTS:
                    return


def _drawn(statement: Json, fields: Fields, rng: random.Random) -> Iterator[Values]:
    """Covariances L L' put into the symbols that are entries."""
    size = len(fields.entries)
    start = {"symbols": statement["symbols"], "assuming": []}
    for point in points(start, TRIES):
        lower = [[rng.choice(SHARES) if j <= i else Fraction(0) for j in range(size)] for i in range(size)]
        new = dict(point)
        for i in range(size):
            for j in range(size):
                if fields[i, j][0] == "s":
                    new[fields[i, j][1]] = sum((a * b for a, b in zip(lower[i], lower[j], strict=True)), Fraction(0))
        if satisfies(new, statement["symbols"], statement["assuming"]):
            yield new


def _near_independent(statement: Json, fields: Fields, rng: random.Random) -> Iterator[Values]:
    """Small numbers put into the symbols that stand in covariances of different fields."""
    places = range(len(fields.entries))
    moving = sorted(set().union(*(symbols_in(fields[i, j]) for i in places for j in places if i != j)))
    for point in points({"symbols": statement["symbols"], "assuming": []}, TRIES):
        new = dict(point)
        for name in moving:
            if not statement["symbols"][name]:
                new[name] = rng.choice(SMALL)
        if satisfies(new, statement["symbols"], statement["assuming"]):
            yield new


def is_admissible(rows: list[list[Any]], definite: frozenset[int]) -> bool:
    """Whether no principal minor is negative, and none of the definite fields is zero."""
    places = range(len(rows))
    for count in range(1, len(rows) + 1):
        for chosen in combinations(places, count):
            value = _determinant([[rows[i][j] for j in chosen] for i in chosen])
            if value < 0 or (value == 0 and set(chosen) <= definite):
                return False
    return True


def _determinant(rows: list[list[Fraction]]) -> Fraction:
    if not rows:
        return Fraction(1)
    return sum(
        (
            (-1) ** j * entry * _determinant([[*row[:j], *row[j + 1 :]] for row in rows[1:]])
            for j, entry in enumerate(rows[0])
            if entry
        ),
        Fraction(0),
    )


# --- the certificate --------------------------------------------------------------------------------------------------


Named = Callable[[Json], Certificate | None]
"""Decides an average for a covariance in numbers."""


def certified(
    statement: Json, derivation: list[Any], value: Term, *, total: bool = False, named: Named | None = None
) -> Certificate:
    """The certificate that the derived value is the right side; REFUTED at an exact covariance where it is not."""
    scope = Scope.of(statement)
    payload: Json = {"derivation": derivation}
    try:
        payload["arcsines"], same = arcsines(scope, value, statement["right"])
        payload["identity"] = scope.identity(same, statement["right"])
        if total:
            payload["defined"] = scope.defined(statement["right"])
    except NotDerived as trouble:
        evidence = refuted(scope, value, named)
        if evidence is not None:
            return Certificate(statement, Verdict.REFUTED, "exact point", payload | evidence)
        if not any(has_value(statement["right"], point) for point in scope.points()):
            raise equality.Unsatisfiable(
                "the right side has no value at any covariance that was tried: state it where it has one"
            ) from trouble
        return Certificate(statement, Verdict.OPEN, "none", reason=str(trouble))
    return Certificate(statement, Verdict.PROVED, "rules of averages", payload)


def arcsines(scope: Scope, value: Term, right: Term) -> tuple[list[Any], Term]:
    """Arcsines of the value written as those of the right side, where their arguments are equal."""
    there = [t for t in subterms(right) if t[0] == "asin"]
    shown, new = [], {}
    for old in subterms(value):
        if old[0] != "asin" or old in there:
            continue
        for other in there:
            try:
                shown.append([old[1], other[1], scope.identity(old[1], other[1])])
            except NotDerived:
                continue
            new[old] = other
            break
    return shown, replaced(value, new)


def subterms(term: Term) -> list[Term]:
    """Every term inside a term once, itself included."""
    found: dict[Term, None] = {}
    todo = [term]
    while todo:
        here = todo.pop()
        if here not in found:
            found[here] = None
            todo += children(here)
    return list(found)


def replaced(term: Term, new: dict[Term, Term]) -> Term:
    if term in new:
        return new[term]
    return rebuild(term, tuple(replaced(t, new) for t in children(term))) if new else term


def refuted(scope: Scope, value: Term, named: Named | None) -> Json | None:
    """An exact covariance at which the value is not the right side; named averages have values of their own there.

    None where the right side has derivatives that are still to be taken, which the checker does not take at a point.
    """
    if carried_out(scope.statement["right"]) != scope.statement["right"]:
        return None
    head = {"symbols": scope.symbols, "assuming": scope.statement["assuming"]}
    names = scope.statement.get("given", {})
    whatever = _whatever_names(scope, value)
    if whatever is not None:
        names = {}
        value, right = (substitute(side, dict.fromkeys(whatever, ZERO)) for side in (value, scope.statement["right"]))
        scope = replace(scope, statement={**scope.statement, "right": right})
    for point in scope.points():
        for at in _simpler(scope.statement, point) if names else (point,):
            certificates = {name: in_numbers(scope.statement, of, at, named) for name, of in names.items()}
            if any(c is None for c in certificates.values()):
                continue
            new = {name: c.statement["right"] for name, c in certificates.items() if c}
            left, right = substitute(value, new), substitute(scope.statement["right"], new)
            bits = equality.separated(subtract(left, right), at)
            if bits:
                statement = {"kind": "identity", **head, "left": left, "right": right}
                found = equality.at_point(statement, at, bits)
                values = {name: c.as_json() for name, c in certificates.items() if c}
                told = {"names": values, "whatever": whatever or {}}
                return {**told, "refutation": found.as_json(), "witness": found.witness}
    return None


def _whatever_names(scope: Scope, value: Term) -> Json | None:
    """Obligations that the difference of the sides does not depend on the averages that have names, if so."""
    names = scope.statement.get("given", {})
    difference = subtract(value, scope.statement["right"])
    try:
        return {name: scope.identity(("D", difference, name), ZERO) for name in names} if names else None
    except NotDerived:
        return None


def _simpler(statement: Json, point: Values) -> Iterator[Values]:
    """The point with one or two fields independent of the others: many averages are elementary there."""
    fields = of_statement(statement)
    places = range(len(fields.entries))
    for apart in (*combinations(places, 1), *combinations(places, 2)):
        new = {name: value for name, value in point.items() if name not in statement.get("given", {})}
        for i in apart:
            for j in places:
                if j not in apart and fields[i, j][0] == "s":
                    new[fields[i, j][1]] = Fraction(0)
        yield new


def in_numbers(statement: Json, factors: list[Any], point: Values, named: Named | None) -> Certificate | None:
    """The average of a product for the covariance at a point, as a statement without symbols."""
    fields = of_statement(statement)
    places = range(len(fields.entries))
    values = [[exact(fields[i, j], point) for j in places] for i in places]
    if named is None or any(v is None for row in values for v in row):
        return None
    numbers = {
        **statement,
        "symbols": {},
        "assuming": [],
        "covariance": [[rational(v) for v in row if v is not None] for row in values],
        "integrand": [[ONE, factors]],
    }
    del numbers["given"]
    return named(numbers)
