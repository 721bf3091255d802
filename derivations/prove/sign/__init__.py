"""Inequalities: a positive combination of known facts decides them, or an exact point where they fail.

The proof of left > right is an identity (left - right) * scale = sum of coefficient * product of facts, with a strictly
positive scale, positive coefficients, and facts whose sign is plain: hypotheses, squares, roots, positive forms. Which
products to combine is a linear programme; its floating-point answer is only a hint, solved again exactly.
"""

from __future__ import annotations

from contextlib import suppress
from itertools import islice

from derivations.language.normal import Field, Uncollected, prepared
from derivations.language.points import points
from derivations.language.terms import Term, fraction_of, subtract, symbols_in
from derivations.prove import equality
from derivations.prove.certificate import Certificate, Json, Verdict, undecided
from derivations.prove.equality.facts import Search, is_safe
from derivations.prove.rules import effort
from derivations.prove.sign import evidence, one_variable, squares
from derivations.prove.sign.hunt import refutation

SCALES = 4  # with which sums of squares are looked for
FIRST_TRIES = 12  # before a proof is looked for; most false statements fail at once


def decide(statement: Json) -> Certificate:
    """PROVED by a combination, REFUTED at one of the first points, else OPEN; `hunt` looks further."""
    difference = prepared(subtract(statement["left"], statement["right"]))
    names, is_fraction = sorted(symbols_in(difference)), is_rational(difference)
    if is_fraction and len(names) == 1:
        decided = one_variable.decide(statement, names[0])
        if decided is not None:
            return decided
    if next(points(statement), None) is None:
        return undecided(statement, equality.no_point(statement))
    refuted = refutation(statement, FIRST_TRIES)
    if refuted is not None:
        return refuted
    search, payload = _search(statement)
    if payload is None and search is not None:
        payload = _by_squares(statement, search)
    if payload is not None:
        return Certificate(statement, Verdict.PROVED, "positive combination", payload)
    reason = "no positive combination of the hypotheses and of squares was found, and no exact point violates it"
    return undecided(statement, reason)


def is_rational(term: Term) -> bool:
    """Check whether a term is made of symbols and numbers by sums, products and whole powers."""
    if term[0] == "^":
        return term[2][0] == "q" and fraction_of(term[2]).denominator == 1 and is_rational(term[1])
    return term[0] in ("s", "q") or (term[0] in ("+", "*") and all(map(is_rational, term[1:])))


def _search(statement: Json) -> tuple[Search | None, Json | None]:
    """The payload of a proof at a glance or by a linear programme, or the search that found none."""
    plain = evidence.at_a_glance(statement)
    return (None, plain) if plain is not None else _by_programme(statement)


def _by_programme(statement: Json) -> tuple[Search, Json | None]:
    known, assuming = statement["symbols"], [tuple(r) for r in statement["assuming"]]
    difference = prepared(subtract(statement["left"], statement["right"]))
    sides = [prepared(subtract(r[1], r[2])) for r in assuming]
    hints = [
        h for h in map(prepared, map(tuple, statement.get("squares", []))) if is_safe(h, [difference, *sides], known)
    ]
    field = Field.of([difference, *sides, *hints], known)
    search = Search(field, statement, difference, list(zip(assuming, sides, strict=True)), hints)
    for scale in search.scales():
        try:
            combination = search.combination(scale)
        except Uncollected:  # a scale whose exponentials have another form than those of the difference
            continue
        if combination is not None:
            payload = evidence.payload_of(statement, search, scale, combination)
            if payload is not None:
                return search, payload
    return search, None


def _by_squares(statement: Json, search: Search) -> Json | None:
    """Sums of squares, of the difference as it stands and multiplied with what is positive."""
    scales = list(islice(search.scales(), SCALES))
    bends = any(generator[0] not in ("symbol", "root") for generator in search.field.generators)
    if not scales or not squares.is_worth_a_try(search) or (bends and effort.depth()):
        return None  # what a rule has left of exponentials and the like is rarely a sum of squares
    with suppress(Uncollected):
        return _by_multiples(statement, search, scales)
    return None


def _by_multiples(statement: Json, search: Search, scales: list[list[Term]]) -> Json | None:
    below, *others = scales
    for scale in (below, *([*below, factor] for factor in squares.multipliers(search, below)), *others):
        combination = squares.combination(search, scale)
        if combination is not None:
            payload = evidence.payload_of(statement, search, scale, combination)
            if payload is not None:
                return payload
    return None
