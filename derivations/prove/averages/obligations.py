"""What a derivation leaves to show about numbers: that its value is the right side, or at which point it is not."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

from derivations.language.evaluate import has_value
from derivations.language.points import Values, points, satisfies
from derivations.language.terms import ONE, ZERO, Term, carried_out, children, rebuild, subtract, symbols_in
from derivations.prove import equality
from derivations.prove.averages.derivation import NotDerived
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.limits.forms import placed
from derivations.recheck.core.load import normal
from derivations.recheck.kinds.averages import Average

POINTS, TRIES = 12, 400
SHARES = tuple(map(Fraction, ("1", "1/2", "-1/2", "1/3", "-1/3", "2/3", "3/2", "-1", "2")))
SMALL = tuple(map(Fraction, ("0", "1/2", "-1/2", "1/3", "-1/3", "1/4", "-1/5", "2/5")))
InNumbers = Callable[[Json], Certificate | None]
"""Decides an average for a covariance in numbers."""


def certified(
    statement: Json, average: Average, derivation: list[Any], in_numbers: InNumbers | None = None
) -> Certificate:
    """The certificate that the derived value is the right side; REFUTED at an exact covariance where it is not."""
    payload: Json = {"derivation": derivation}
    value, right = average.value(normal(derivation)), statement["right"]
    admitted = list(admissible(statement, average))
    try:
        payload["arcsines"], same = _arcsines(statement, value, admitted)
        payload["identity"] = _equality(statement, same, right, admitted)
    except NotDerived as trouble:
        evidence = _refuted(statement, value, admitted, in_numbers)
        if evidence is not None:
            return Certificate(statement, Verdict.REFUTED, "exact point", payload | evidence)
        if not any(has_value(right, at) for at in admitted):
            raise equality.Unsatisfiable(
                "the right side has no value at any covariance that was tried: state it where it has one"
            ) from trouble
        return Certificate(statement, Verdict.OPEN, "none", reason=str(trouble))
    return Certificate(statement, Verdict.PROVED, "rules of averages", payload)


def _stated(statement: Json, left: Term, right: Term) -> Json:
    head = {key: statement[key] for key in ("symbols", "assuming")}
    return {"kind": "identity", **head, "left": left, "right": right}


def _equality(statement: Json, left: Term, right: Term, admitted: list[Values]) -> Json:
    """The certificate that two terms are equal, or NotDerived."""
    stated = _stated(statement, left, right)
    payload = equality.proof(stated)
    if payload is None:
        raise NotDerived("an equality that the derivation needs was not proved")
    inhabited = next((at for at in admitted if has_value(subtract(left, right), at)), None)
    if inhabited is None:
        raise NotDerived("no covariance was found at which both sides of an equality have a value")
    payload["inhabited"] = {name: str(value) for name, value in inhabited.items()}
    return Certificate(stated, Verdict.PROVED, "normal form", payload).as_json()


def _arcsines(statement: Json, value: Term, admitted: list[Values]) -> tuple[list[Any], Term]:
    """Arcsines of the value written as those of the right side, where their arguments are equal."""
    there = [t for t in _subterms(carried_out(statement["right"])) if t[0] == "asin"]
    shown, new = [], {}
    for old in _subterms(value):
        if old[0] != "asin" or old in there:
            continue
        for other in there:
            try:
                shown.append([old[1], other[1], _equality(statement, old[1], other[1], admitted)])
            except NotDerived:
                continue
            new[old] = other
            break
    return shown, _replaced(value, new)


def _subterms(term: Term) -> list[Term]:
    """Every term inside a term once, itself included."""
    found: dict[Term, None] = {}
    todo = [term]
    while todo:
        here = todo.pop()
        if here not in found:
            found[here] = None
            todo += children(here)
    return list(found)


def _replaced(term: Term, new: dict[Term, Term]) -> Term:
    if term in new:
        return new[term]
    return rebuild(term, tuple(_replaced(t, new) for t in children(term))) if new else term


# --- refutations ------------------------------------------------------------------------------------------------------


def _refuted(statement: Json, value: Term, admitted: list[Values], in_numbers: InNumbers | None) -> Json | None:
    """An exact covariance at which the value is not the right side; named averages have values of their own there.

    None where the right side has derivatives that are still to be taken, which the checker does not take at a point.
    """
    right, names = statement["right"], statement.get("given", {})
    if carried_out(right) != right:
        return None
    average, cancel = Average(normal(statement)), _names_that_cancel(statement, subtract(value, right), admitted)
    for point in admitted:
        for at in _simpler(statement, point) if len(cancel) < len(names) else (point,):
            values = {name: (ZERO, evidence) for name, evidence in cancel.items()}
            for name in [name for name in names if name not in cancel]:
                certificate = _named(statement, average, names[name], at, in_numbers)
                if certificate is None:
                    break
                values[name] = certificate.statement["right"], certificate.as_json()
            if len(values) < len(names):
                continue
            left, other = value, right
            for name in names:
                left, other = (placed(side, {name}, values[name][0]) for side in (left, other))
            bits = equality.separated(subtract(left, other), at)
            if bits:
                found = equality.at_point(_stated(statement, left, other), at, bits)
                told = {"names": {name: evidence for name, (_, evidence) in values.items()}}
                return {**told, "refutation": found.as_json(), "witness": found.witness}
    return None


def _names_that_cancel(statement: Json, gap: Term, admitted: list[Values]) -> Json:
    """Certificates that the difference of the sides does not depend on averages that have names."""
    found = {}
    for name in statement.get("given", {}):
        try:
            found[name] = _equality(statement, ("D", gap, name), ZERO, admitted)
        except NotDerived:
            continue
    return found


def _named(
    statement: Json, average: Average, factors: list[Any], at: Values, in_numbers: InNumbers | None
) -> Certificate | None:
    """The average of a product for the covariance at a point, as a statement without symbols."""
    rows = _at(average, at)
    if in_numbers is None or rows is None:
        return None
    kept = {key: statement[key] for key in ("kind", "fields", "definite")}
    covariance = [[("q", str(entry)) for entry in row] for row in rows]
    numbers = {"symbols": {}, "assuming": [], "covariance": covariance, "integrand": [[ONE, factors]]}
    return in_numbers({**kept, **numbers, "right": ONE})


def _simpler(statement: Json, point: Values) -> Iterator[Values]:
    """The point with one or two fields independent of the others: many averages are elementary there."""
    rows = statement["covariance"]
    places = range(len(rows))
    for apart in (*combinations(places, 1), *combinations(places, 2)):
        new = {name: value for name, value in point.items() if name not in statement["given"]}
        for i in apart:
            for j in places:
                if j not in apart and rows[i][j][0] == "s":
                    new[rows[i][j][1]] = Fraction(0)
        yield new


# --- points -----------------------------------------------------------------------------------------------------------


def admissible(statement: Json, average: Average) -> Iterator[Values]:
    """Exact points at which the covariance is admissible, a few, the same in every run."""
    rng = random.Random(0)
    found = 0
    for source in (_drawn(statement, rng), _near_independent(statement, rng), points(statement)):
        for point in source:
            if _at(average, point) is not None:
                yield point
                found += 1
                if found >= POINTS:
                    return


def _at(average: Average, point: Values) -> Any:
    """The covariance in numbers, where it is admissible."""
    try:
        return average.admissible({name: str(value) for name, value in point.items()})
    except (Rejected, ArithmeticError):
        return None


def _drawn(statement: Json, rng: random.Random) -> Iterator[Values]:
    """Covariances L L' put into the symbols that are entries."""
    rows = statement["covariance"]
    size = len(rows)
    start = {"symbols": statement["symbols"], "assuming": []}
    for point in points(start, TRIES):
        lower = [[rng.choice(SHARES) if j <= i else Fraction(0) for j in range(size)] for i in range(size)]
        new = dict(point)
        for i in range(size):
            for j in range(size):
                if rows[i][j][0] == "s":
                    new[rows[i][j][1]] = sum((a * b for a, b in zip(lower[i], lower[j], strict=True)), Fraction(0))
        if satisfies(new, statement["symbols"], statement["assuming"]):
            yield new


def _near_independent(statement: Json, rng: random.Random) -> Iterator[Values]:
    """Small numbers put into the symbols that stand in covariances of different fields."""
    rows = statement["covariance"]
    places = range(len(rows))
    moving = sorted(set().union(*(symbols_in(rows[i][j]) for i in places for j in places if i != j)))
    for point in points({"symbols": statement["symbols"], "assuming": []}, TRIES):
        new = dict(point)
        for name in moving:
            if not statement["symbols"][name]:
                new[name] = rng.choice(SMALL)
        if satisfies(new, statement["symbols"], statement["assuming"]):
            yield new
