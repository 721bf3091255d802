"""Identities between sums over indices of any range, decided by their normal form and by exact arrays.

    sums(left, right, assuming=[(a, b), ...])

Statement (JSON):
    {"kind": "sums", "arrays": {name: {"ranges": [range, ...], "symmetric": true}}, "free": {index: range},
     "rules": [{"free": {index: range}, "left": P, "right": P}, ...], "left": P, "right": P,
     "among": [CANDIDATE, ...]}                       "symmetric" only where true, "among" only if candidates were given
    P = {"formula": F}, the formula as it was written, derivatives included (the forms that F takes are listed in
        `derivations/language/sums/formulas.py`), or
        [[coefficient "p/q", [range, ...], [FACTOR, ...]], ...]: a sum over all values of indices of the listed ranges
    FACTOR = [array, index, ...], ["delta", index, index] or ["size", range]; an index is the name of a free one, or
             the position of a summed one
It says: for all sizes of the ranges, all real arrays that satisfy the rules (for all values of their free indices), and
all values of the free indices, the sides are equal. A rule's left side is one term; it is what the rule replaces.

PROVED, method "normal form", payload {"steps": [F, ...], "inhabited": INSTANCE}, where left - right is the sum of the
    steps: formulas that are zero as they are built, because a hypothesis is a factor of what is summed. It is written
    ["indices", ["hypothesis", k], [[index, index], ...]], left - right of rule k with its free indices being others.
    INSTANCE = {"sizes": {range: int}, "arrays": {name: nested lists of "p/q"}} satisfies the rules, sizes at least 1.
REFUTED, method "exact arrays", payload {"witness": INSTANCE and "at": {free index: value from 0}, "left", "right"}.
OPEN, with a reason, when neither was found. A CANDIDATE has the form of an INSTANCE.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import count, islice
from typing import Any

from derivations.language.polynomials import add_to
from derivations.language.sums import Formula, MisfitError, Sums, arrays_of, as_written, free_indices, number
from derivations.language.sums.algebra import DELTA, SIZE, Place, polynomial
from derivations.language.sums.formulas import in_normal_form
from derivations.language.sums.instances import Instance, instances
from derivations.prove.certificate import Candidates, Certificate, Json, Verdict
from derivations.prove.sums.rules import Cofactor, SumRule, reduced
from derivations.text.doors import at_door, shown

STEPS = 2000

Hypothesis = tuple[Sums, Sums | int]


@at_door(MisfitError)
def sums(left: Sums, right: Sums | int = 0, assuming: Iterable[Hypothesis] = (), among: Candidates = ()) -> Certificate:
    """Decide whether two sums over indices are equal for ranges of every size.

    left, right: `Sums`; a number stands for itself.
    assuming: pairs of equal sums, the first of which is a single term; they hold for all values of their free indices.
    among: exact arrays to try as instances, in the form that certificates have.

    Returns a certificate: PROVED by the normal form, REFUTED with exact arrays, or OPEN. Refuses indices and arrays
    that do not fit together (`MisfitError`).

    >>> from derivations.language.sums import Array, Range, total
    >>> K = Range("K")
    >>> w, one, i = Array("w", K), Array("one", K), K.index("i")
    >>> sums(total(w[i] + one[i], i), total(one[i], i) + total(w[i], i)).verdict.value
    'proved'
    """
    return decide(statement(left, right, assuming, among))


def statement(
    left: Sums, right: Sums | int = 0, assuming: Iterable[Hypothesis] = (), among: Sequence[Json] = ()
) -> Json:
    """The statement as JSON."""
    sides = (left, _side(right))
    supposed: list[Any] = list(assuming)
    if strange := [h for h in supposed if not (isinstance(h, tuple | list) and len(h) == 2)]:
        raise MisfitError(f"a hypothesis about sums is a pair of equal sums, and not {shown(strange[0])}")
    rules = [(a, _side(b)) for a, b in supposed]
    arrays = arrays_of(*(part for pair in (sides, *rules) for part in pair))
    data: Json = {
        "kind": "sums",
        "arrays": {name: array.declared() for name, array in sorted(arrays.items())},
        "free": _free(*sides),
        "rules": [{"free": _free(a, b), "left": as_written(a), "right": as_written(b)} for a, b in rules],
        "left": as_written(left),
        "right": as_written(sides[1]),
    }
    return data | ({"among": list(among)} if among else {})


def decide(statement: Json) -> Certificate:
    """The verdict on a statement; one whose indices do not fit raises MisfitError."""
    return replace(_decided(in_normal_form(statement)), statement=statement)


def _decided(statement: Json) -> Certificate:
    """The verdict on a statement whose sides are in normal form."""
    symmetric = frozenset(name for name, declaration in statement["arrays"].items() if "symmetric" in declaration)
    rules = [SumRule.read(k, data, symmetric) for k, data in enumerate(statement["rules"])]
    goal = polynomial(statement["left"], symmetric)
    add_to(goal, polynomial(statement["right"], symmetric), Fraction(-1))
    rest, cofactors = reduced(goal, rules, symmetric, STEPS)
    if rest:
        witness = next((w for at in instances(statement) if (w := _difference(statement, at)) is not None), None)
        if witness is not None:
            return Certificate(statement, Verdict.REFUTED, "exact arrays", {"witness": witness})
        reason = f"{len(rest)} terms remain, and no exact arrays were found on which the sides differ"
        return Certificate(statement, Verdict.OPEN, "normal form", {}, reason)
    inhabited = next(instances(statement), None)
    if inhabited is None:
        reason = "the sides agree, but no arrays were found that satisfy the hypotheses: offer some in `among`"
        return Certificate(statement, Verdict.OPEN, "normal form", {}, reason)
    steps = [_step(c, rules[c.rule].free, statement["free"]) for c in cofactors]
    payload = {"steps": steps, "inhabited": inhabited.as_json()}
    return Certificate(statement, Verdict.PROVED, "normal form", payload)


def _difference(statement: Json, at: Instance) -> Json | None:
    """The free indices' values at which the sides differ, and the sides."""
    for values in at.assignments(statement["free"]):
        left, right = (at.value(statement[side], values) for side in ("left", "right"))
        if left != right:
            return at.as_json() | {"at": values, "left": str(left), "right": str(right)}
    return None


def _step(c: Cofactor, bound: Mapping[str, str], taken: Iterable[str]) -> Formula:
    """A cofactor as a formula that is zero; indices that are summed over get names of their own."""
    names = list(islice((name for k in count() if (name := f"s{k}") not in taken), len(c.ranges)))

    def named(places: Iterable[Place]) -> list[str]:
        return [names[p] if isinstance(p, int) else p for p in places]

    factors = [(head, *places) if head == SIZE else _entry(str(head), named(places)) for head, *places in c.factors]
    pairs = [(name, *named([at])) for name, at in sorted(c.at.items()) if name in bound]
    zero = ("indices", ("hypothesis", c.rule), pairs)
    step: Formula = ("*", ("q", str(c.coefficient)), *factors, zero)
    for name, of in zip(names, c.ranges, strict=True):
        step = ("sum", step, name, of)
    return step


def _entry(head: str, places: Iterable[str]) -> Formula:
    return (head, *places) if head == DELTA else ("A", head, *places)


def _side(value: Sums | int) -> Sums:
    return value if isinstance(value, Sums) else number(value)


def _free(*parts: Sums) -> dict[str, str]:
    return {name: of.name for name, of in sorted(free_indices(*parts).items())}
