"""Lies: false variants of every statement, to show that its check can fail.

A mutant changes one place of a statement: a sign, a factor, an exponent, a symbol, a dropped term; for a sign also its
direction, for a limit also its value. Every mutant goes through the same provers as the original.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from derivations.audit.lies.formulas import sum_mutants, word_mutants
from derivations.audit.lies.meaning import equivalent, fails_at_a_point, follows, is_the_same, states_nothing
from derivations.audit.lies.trajectories import trajectory_mutants
from derivations.language.terms import ONE, ZERO, Term, children, fraction_of, rational, rebuild, symbols_in
from derivations.language.words import ShapeError
from derivations.paper.entries import Claim
from derivations.prove import NotExact, Unsatisfiable, decide
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.schemas.table import use_of

PER_CLAIM = 12


@dataclass
class Tally:
    """The fates of a claim's mutants, counted."""

    claim: str
    killed: int = 0
    equivalent: int = 0
    weaker: list[str] = field(default_factory=list)
    repaired: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    survived: list[str] = field(default_factory=list)

    @property
    def total(self) -> int:
        return (
            self.killed + self.equivalent + len(self.weaker) + len(self.repaired) + len(self.open) + len(self.survived)
        )


def tell(claim: Claim, per_claim: int = PER_CLAIM) -> Tally:
    """Mutants of one claim, decided and counted; those that mean the same as the original do not use up the quota."""
    original = claim.certificate
    tally = Tally(claim.id)
    for what, mutant, part in shuffled(original.statement, claim.id):
        if tally.total - tally.equivalent >= per_claim or tally.total >= 3 * per_claim:
            break
        _count(tally, what, mutant, part, original)
    return tally


def shuffled(statement: Json, seed: str) -> Iterator[tuple[str, Json, Json]]:
    """The mutants in a seeded order, the parts taking turns, each with the (unmutated) part that it was made from.

    Signs that theorems ask for come last.
    """
    rng = random.Random(f"lies:{seed}")
    for parts, lies in ((list(mutable_parts(statement)), mutants_of), (list(signs_asked_for(statement)), contraries)):
        yield from _in_turns(parts, [list(lies(part)) for part in parts], rng)


def _in_turns(
    parts: list[Json], pools: list[list[tuple[str, Json]]], rng: random.Random
) -> Iterator[tuple[str, Json, Json]]:
    for pool in pools:
        rng.shuffle(pool)
    while any(pools):
        for part, pool in zip(parts, pools, strict=True):
            if pool:
                what, mutant = pool.pop()
                yield what, mutant, part


def _count(tally: Tally, what: str, mutant: Json, part: Json, original: Certificate) -> None:
    try:
        verdict = decide(mutant).verdict
    except (Unsatisfiable, NotExact, ZeroDivisionError):
        verdict = Verdict.REFUTED  # a statement about nothing is caught as an error
    except ShapeError:
        return  # matrices that do not fit, or a rate that its letter cannot have, state nothing
    if is_the_same(part, mutant) or (verdict is Verdict.OPEN and states_nothing(mutant)):
        return
    if verdict is Verdict.REFUTED or (verdict is Verdict.OPEN and fails_at_a_point(mutant)):
        tally.killed += 1
    elif verdict is Verdict.OPEN:
        (tally.weaker if follows(part, mutant) else tally.open).append(what)
    elif equivalent(part, mutant):
        tally.equivalent += 1
    elif original.verdict is Verdict.REFUTED:
        tally.repaired.append(what)
    elif part["kind"] in ("sign", "loewner", "limit", "enclosure"):
        tally.weaker.append(what)
    else:
        tally.survived.append(what)


def mutable_parts(statement: Json) -> Iterator[Json]:
    """The elementary statements inside a statement."""
    match statement["kind"]:
        case "all":
            for part in statement["parts"]:
                yield from mutable_parts(part)
        case "by":  # its equations; a sign that a theorem asks for often survives a change of its terms
            for part in _needs(statement):
                if part["kind"] not in ("sign", "loewner", "concluded"):
                    offered = {"among": statement["among"]} if part["kind"] == "words" and "among" in statement else {}
                    yield from mutable_parts(part | offered)
        case "not":
            yield from mutable_parts(statement["of"])
        case "concluded":
            return
        case "argued":
            for _, part in sorted(statement["needs"].items()):
                yield from mutable_parts(part)
        case _:
            yield statement


def signs_asked_for(statement: Json) -> Iterator[Json]:
    """The signs that the theorems inside a statement ask for."""
    match statement["kind"]:
        case "all":
            for part in statement["parts"]:
                yield from signs_asked_for(part)
        case "by":
            yield from (part for part in _needs(statement) if part["kind"] in ("sign", "loewner"))


def _needs(theorem: Json) -> list[Json]:
    return [part for _, part in sorted(use_of(theorem["schema"], theorem["slots"]).needs.items())]


def contraries(sign: Json) -> Iterator[tuple[str, Json]]:
    """Return what contradicts a sign that a theorem asks for."""
    yield "the sides of a sign trade places", {**sign, "left": sign["right"], "right": sign["left"]}


def mutants_of(statement: Json) -> Iterator[tuple[str, Json]]:
    """Every mutant of an elementary statement, with what was changed.

    An inequality or a limit often survives a change of size, so there the changes are those that turn a sign, trade
    sides, or move the value; an equation is changed in every way.
    """
    known = statement.get("symbols", {})
    match statement["kind"]:
        case "words":
            yield from word_mutants(statement)
        case "loewner":
            yield from contraries(statement)
            for what, mutant in word_mutants(statement):
                if what.endswith(("sign of the whole", "factor of the whole")):
                    yield what, mutant
        case "sums":
            yield from sum_mutants(statement)
        case "trajectory":
            yield from trajectory_mutants(statement)
        case "solves":
            for table in ("flow", "solution", "start"):
                for name, term in sorted(statement[table].items()):
                    for what, new in changed(term, known):
                        yield f"{table} of {name}: {what}", {**statement, table: {**statement[table], name: new}}
        case "identity":
            for what, new in [*shifted(statement["right"], known), *changed(statement["right"], known)]:
                yield f"right: {what}", {**statement, "right": new}
            for what, new in changed(statement["left"], known):
                yield f"left: {what}", {**statement, "left": new}
        case "sign":
            yield "the sides trade places", {**statement, "left": statement["right"], "right": statement["left"]}
            for what, new in lowered(statement["left"], known):
                yield f"left: {what}", {**statement, "left": new}
            for what, new in turned(statement["left"]):
                yield f"left: {what}", {**statement, "left": new}
            for what, new in turned(statement["right"]):
                yield f"right: {what}", {**statement, "right": new}
        case "average":
            known = {name: told for name, told in known.items() if name not in statement.get("given", {})}
            for what, new in [*shifted(statement["right"], known), *changed(statement["right"], known)]:
                yield f"right: {what}", {**statement, "right": new}
            for what, integrand in average_mutants(statement):
                yield f"left: {what}", {**statement, "integrand": integrand}
        case "limit":
            yield from _limit_mutants(statement)
        case "enclosure":
            for what, new in changed(statement["expression"], known):
                yield f"expression: {what}", {**statement, "expression": new}
            yield (
                "the bounds move up",
                {**statement, "lower": statement["upper"], "upper": str(Fraction(statement["upper"]) + 1)},
            )


def _limit_mutants(statement: Json) -> Iterator[tuple[str, Json]]:
    """Another value; in place of an infinite one, the other infinity and a number."""
    value, known = statement["value"], statement["symbols"]
    if value[0] in ("oo", "-oo"):
        yield "value: the other infinity", {**statement, "value": ("oo",) if value[0] == "-oo" else ("-oo",)}
        yield "value: finite", {**statement, "value": ONE}
        return
    for what, new in [*shifted(value, known), *changed(value, known)]:
        yield f"value: {what}", {**statement, "value": new}


def average_mutants(statement: Json) -> Iterator[tuple[str, list[Any]]]:
    """One change of what is averaged: the size of a product, its sign, or the field of one of its factors."""
    products, fields = statement["integrand"], statement["fields"]
    for k, (coefficient, factors) in enumerate(products):
        yield f"sign of product {k + 1}", _with(products, k, [_negated(coefficient), factors])
        yield f"product {k + 1} doubled", _with(products, k, [_doubled(coefficient), factors])
        for place, (kind, at, *rest) in enumerate(factors):
            for other in range(len(fields)):
                if other != at:
                    new = [*factors[:place], [kind, other, *rest], *factors[place + 1 :]]
                    yield (
                        f"{kind} of {fields[at]} becomes that of {fields[other]}",
                        _with(products, k, [coefficient, new]),
                    )


def _with(parts: list[Any], place: int, new: list[Any]) -> list[Any]:
    return [*parts[:place], new, *parts[place + 1 :]]


def shifted(term: Term, known: dict[str, list[str]]) -> Iterator[tuple[str, Term]]:
    """The term with something added."""
    yield "one is added", ("+", term, ONE)
    yield "one is taken away", ("+", term, rational(-1))
    yield "a half is added", ("+", term, rational("1/2"))
    for name in sorted(known):
        yield f"{name} is added", ("+", term, ("s", name))


def lowered(term: Term, known: dict[str, list[str]]) -> Iterator[tuple[str, Term]]:
    """The term with something taken away."""
    yield "one is taken away", ("+", term, rational(-1))
    for name in sorted(known):
        yield f"{name} is taken away", ("+", term, _negated(("s", name)))


def turned(term: Term) -> Iterator[tuple[str, Term]]:
    """One sign changed: of the whole, of a term of a sum, of a symbol."""
    yield "sign of the whole", _negated(term)
    yield from _at_every_place(term, _turned_here)


def changed(term: Term, known: dict[str, list[str]]) -> Iterator[tuple[str, Term]]:
    """One change at one place: a sign, a factor, an exponent, a symbol, a term or factor dropped."""
    yield "sign of the whole", _negated(term)
    yield "factor of the whole", _doubled(term)
    yield from _at_every_place(term, lambda t: _changed_here(t, known))


def _at_every_place(term: Term, here: Callable[[Term], Iterable[tuple[str, Term]]]) -> Iterator[tuple[str, Term]]:
    yield from here(term)
    parts = children(term)
    open_places = parts[:1] if term[0] in ("at", "^") else parts
    for i, part in enumerate(open_places):
        for label, new in _at_every_place(part, here):
            yield label, rebuild(term, (*parts[:i], new, *parts[i + 1 :]))


def _turned_here(term: Term) -> Iterator[tuple[str, Term]]:
    if term[0] == "s":
        yield f"{term[1]} changes sign", _negated(term)
    if term[0] == "+":
        for i, part in enumerate(term[1:], 1):
            yield f"term {i} of a sum changes sign", ("+", *term[1:i], _negated(part), *term[i + 1 :])


def _changed_here(term: Term, known: dict[str, list[str]]) -> Iterator[tuple[str, Term]]:
    head = term[0]
    if head == "q" and fraction_of(term) != 0:
        yield f"{term[1]} doubled", rational(fraction_of(term) * 2)
    if head == "s":
        for other in sorted(known):
            if other != term[1] and known[other] == known.get(term[1]):
                yield f"{term[1]} becomes {other}", ("s", other)
    if head == "+":
        yield from _turned_here(term)
        for i, part in enumerate(term[1:], 1):
            yield f"term {i} of a sum is dropped", ("+", *term[1:i], ZERO, *term[i + 1 :])
            yield f"term {i} of a sum is doubled", ("+", *term[1:i], _doubled(part), *term[i + 1 :])
    if head == "*":
        for i, part in enumerate(term[1:], 1):
            if symbols_in(part):
                yield f"factor {i} of a product is dropped", ("*", *term[1:i], ONE, *term[i + 1 :])
    if head == "^" and term[2][0] == "q" and symbols_in(term[1]):
        e = fraction_of(term[2])
        for step in (1, -1):
            if e + step != 0 and e.denominator == 1:
                yield f"exponent {e} becomes {e + step}", ("^", term[1], rational(e + step))
    if head == "exp":
        yield "exponent of exp changes sign", ("exp", _negated(term[1]))
        yield "exponent of exp doubled", ("exp", _doubled(term[1]))


def _negated(term: Term) -> Term:
    return ("*", rational(-1), term)


def _doubled(term: Term) -> Term:
    return ("*", rational(2), term)


def summary(tallies: list[Tally]) -> dict[str, Any]:
    """The table's last line, and whether the house rules hold."""
    counts: Counter[str] = Counter()
    for t in tallies:
        counts.update(
            mutants=t.total,
            killed=t.killed,
            equivalent=t.equivalent,
            weaker=len(t.weaker),
            repaired=len(t.repaired),
            open=len(t.open),
            survived=len(t.survived),
        )
    faults = [f"{t.claim}: open mutant: {w}" for t in tallies for w in t.open]
    faults += [f"{t.claim}: a lie was proved: {w}" for t in tallies for w in t.survived]
    faults += [f"{t.claim}: only {t.killed} mutants killed" for t in tallies if t.killed < 3]
    if counts["weaker"] > 0.05 * max(counts["mutants"], 1):
        faults.append(f"{counts['weaker']} weaker true statements among {counts['mutants']} mutants, more than 5 %")
    return {"counts": dict(counts), "faults": faults}
