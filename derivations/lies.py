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

from derivations.claims import Claim
from derivations.prove import NotExact, Unsatisfiable, decide
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.terms import ONE, ZERO, Term, children, fraction_of, rational, rebuild, symbols_in

PER_CLAIM = 12
MUTABLE = {
    "identity": ("right", "left"),
    "sign": ("left", "right"),
    "limit": ("value", "expression"),
    "enclosure": ("expression",),
}


@dataclass
class Tally:
    """What became of a claim's mutants."""

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
    """Mutants of one claim, decided and counted."""
    original = claim.certificate
    tally = Tally(claim.id)
    for what, mutant, part in chosen(original.statement, claim.id, per_claim):
        _count(tally, what, mutant, part, original)
    return tally


def chosen(statement: Json, seed: str, count: int) -> list[tuple[str, Json, Json]]:
    """A seeded choice of different mutants, each with the (unmutated) part that it was made from."""
    rng = random.Random(f"lies:{seed}")
    parts = list(mutable_parts(statement))
    pools = [list(mutants_of(part)) for part in parts]
    for pool in pools:
        rng.shuffle(pool)
    picked: list[tuple[str, Json, Json]] = []
    while len(picked) < count and any(pools):
        for part, pool in zip(parts, pools, strict=True):
            if pool and len(picked) < count:
                what, mutant = pool.pop()
                picked.append((what, mutant, part))
    return picked


def _count(tally: Tally, what: str, mutant: Json, part: Json, original: Certificate) -> None:
    try:
        verdict = decide(mutant).verdict
    except (Unsatisfiable, NotExact, ZeroDivisionError):
        verdict = Verdict.REFUTED  # a statement about nothing is caught as an error
    if verdict is Verdict.REFUTED:
        tally.killed += 1
    elif verdict is Verdict.OPEN:
        tally.open.append(what)
    elif equivalent(part, mutant):
        tally.equivalent += 1
    elif original.verdict is Verdict.REFUTED:
        tally.repaired.append(what)
    elif part["kind"] in ("sign", "limit", "enclosure"):
        tally.weaker.append(what)
    else:
        tally.survived.append(what)


def equivalent(part: Json, mutant: Json) -> bool:
    """Whether the mutated field still denotes the same value under the same hypotheses."""
    if part["kind"] == "words":
        return any(
            decide({**part, "left": part[f], "right": mutant[f]}).verdict is Verdict.PROVED
            for f in ("left", "right")
            if part[f] != mutant[f]
        )
    changed = [f for f in MUTABLE.get(part["kind"], ()) if part[f] != mutant[f]]
    if len(changed) != 1:
        return False
    base = {k: part[k] for k in ("symbols", "assuming")}
    same = decide({"kind": "identity", **base, "left": part[changed[0]], "right": mutant[changed[0]]})
    return same.verdict is Verdict.PROVED


def mutable_parts(statement: Json) -> Iterator[Json]:
    """The elementary statements inside a statement."""
    match statement["kind"]:
        case "all":
            for part in statement["parts"]:
                yield from mutable_parts(part)
        case "chain":
            for _, part in sorted(statement["needs"].items()):
                yield from mutable_parts(part)
        case "contrary":
            yield from mutable_parts(statement["claim"])
        case _:
            yield statement


def mutants_of(statement: Json) -> Iterator[tuple[str, Json]]:
    """Every mutant of an elementary statement, with what was changed."""
    kind = statement["kind"]
    if kind == "words":
        for side in ("right", "left"):
            for what, terms in word_mutants(statement[side]["terms"], statement["letters"]):
                yield f"{side}: {what}", {**statement, side: {**statement[side], "terms": terms}}
        return
    if kind == "solves":
        for table in ("flow", "solution", "start"):
            for name, term in sorted(statement[table].items()):
                for what, new in term_mutants(term, sorted(statement["symbols"])):
                    yield f"{table} of {name}: {what}", {**statement, table: {**statement[table], name: new}}
        return
    for part in MUTABLE[kind]:
        for what, new in term_mutants(statement[part], sorted(statement["symbols"])):
            yield f"{part}: {what}", {**statement, part: new}
    if kind == "sign":
        yield "the two sides trade places", {**statement, "left": statement["right"], "right": statement["left"]}
    if kind == "limit":
        yield "the value plus one", {**statement, "value": ("+", statement["value"], ONE)}
    if kind == "enclosure":
        yield (
            "the bounds move up",
            {**statement, "lower": statement["upper"], "upper": str(fraction_of(("q", statement["upper"])) + 1)},
        )


def term_mutants(term: Term, names: list[str]) -> Iterator[tuple[str, Term]]:
    """One change at one place of a term."""
    for change, label in ((_negated, "sign"), (_doubled, "factor")):
        yield f"{label} of the whole", change(term)
    yield from _inside(term, names)


def _inside(term: Term, names: list[str]) -> Iterator[tuple[str, Term]]:
    for label, new in _here(term, names):
        yield label, new
    if term[0] == "at":
        for label, new in _inside(term[1], names):
            yield label, ("at", new, term[2])
        return
    parts = children(term)
    for i, part in enumerate(parts):
        if term[0] == "^" and i == 1:
            continue
        for label, new in _inside(part, names):
            yield label, rebuild(term, (*parts[:i], new, *parts[i + 1 :]))


def _here(term: Term, names: list[str]) -> Iterator[tuple[str, Term]]:
    head = term[0]
    if head == "q" and fraction_of(term) not in (0,):
        yield f"{term[1]} doubled", rational(fraction_of(term) * 2)
    if head == "s":
        for other in names:
            if other != term[1]:
                yield f"{term[1]} becomes {other}", ("s", other)
    if head == "+":
        for i, part in enumerate(term[1:], 1):
            yield f"term {i} of a sum changes sign", ("+", *term[1:i], _negated(part), *term[i + 1 :])
            if len(term) > 2 and part != ZERO:
                yield f"term {i} of a sum is dropped", ("+", *term[1:i], ZERO, *term[i + 1 :])
            yield f"term {i} of a sum is doubled", ("+", *term[1:i], _doubled(part), *term[i + 1 :])
    if head == "*" and len(term) > 2:
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


def word_mutants(terms: list[Any], letters: Json) -> Iterator[tuple[str, list[Any]]]:
    """One change at one term of a polynomial in words: its sign, its factor, its presence, one of its letters."""
    for i, (coefficient, scalars, word) in enumerate(terms):
        for label, factor in (("sign", -1), ("factor", 2)):
            yield f"{label} of term {i + 1}", _with(terms, i, [str(factor * Fraction(coefficient)), scalars, word])
        if len(terms) > 1:
            yield f"term {i + 1} dropped", [*terms[:i], *terms[i + 1 :]]
        for k, factors in enumerate([word, *scalars]):
            for j, old in enumerate(factors):
                for new in _same_shape(old, letters):
                    changed = [*factors[:j], new, *factors[j + 1 :]]
                    parts = [changed if m == k else f for m, f in enumerate([word, *scalars])]
                    yield f"{old} becomes {new} in term {i + 1}", _with(terms, i, [coefficient, parts[1:], parts[0]])


def _with(terms: list[Any], place: int, new: list[Any]) -> list[Any]:
    return [*terms[:place], new, *terms[place + 1 :]]


def _same_shape(factor: str, letters: Json) -> Iterator[str]:
    """Other letters that fit where this factor stands."""
    name, mark = factor.rstrip("'"), "'" if factor.endswith("'") else ""
    if name not in letters:
        return
    shape = (letters[name]["rows"], letters[name]["cols"])
    for other, declared in sorted(letters.items()):
        if other != name and (declared["rows"], declared["cols"]) == shape:
            yield other + mark


def _negated(term: Term) -> Term:
    return ("*", rational(-1), term)


def _doubled(term: Term) -> Term:
    return ("*", rational(2), term)


def tell_all(
    claims: Iterable[Claim], per_claim: int = PER_CLAIM, step: Callable[[Tally], None] | None = None
) -> list[Tally]:
    tallies = []
    for claim in claims:
        tallies.append(tell(claim, per_claim))
        if step:
            step(tallies[-1])
    return tallies


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
