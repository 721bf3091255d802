"""Equality of two terms under hypotheses, decided by an exact normal form or by an exact point."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import islice

from derivations.language.evaluate import evaluate, exact, has_value, precision, value
from derivations.language.normal import Field, Poly, Undefined, prepared
from derivations.language.points import Values, points, written
from derivations.language.show import plain
from derivations.language.terms import Term, rational, subtract, symbols_in
from derivations.prove.certificate import Certificate, Json, Verdict, undecided
from derivations.prove.equality.facts import contradictory
from derivations.prove.equality.reduction import Reduction
from derivations.prove.equality.steps import Steps, difference, givens_of
from derivations.text import DerivationError

PRECISIONS = (128, 512, 2048)
TRIES, CLOSELY = 40, 4  # points at which two sides are compared, and those at which more bits are tried
DIGITS_IN_BITS = 101  # thirty decimal digits
NOWHERE = "no exact point was found at which the hypotheses hold and both sides have a value"


class Unsatisfiable(DerivationError):
    """Hypotheses that nothing can satisfy, or a statement about nothing."""


class Contradictory(Unsatisfiable):
    """Hypotheses that exclude each other."""


def decide(statement: Json, domain: Iterable[Term] | None = None, alive: Iterable[Term] = ()) -> Certificate:
    """PROVED by a normal form (see `proof`), REFUTED at an exact point, else OPEN."""
    if next(points(statement), None) is None:
        return undecided(statement, no_point(statement))
    try:
        payload = proof(statement, domain, alive)
    except Undefined as trouble:
        raise Unsatisfiable(
            f"one side of the statement is defined nowhere ({trouble}): state it where both sides have a value"
        ) from trouble
    if payload is not None:
        inhabited = meeting_point(statement)
        if inhabited is None:
            return undecided(statement, NOWHERE)
        payload["inhabited"] = written(inhabited)
        return Certificate(statement, Verdict.PROVED, "normal form", payload)
    return refutation(statement) or undecided(
        statement,
        "the normal form of the difference is not zero, and no exact point separates the two sides",
    )


def meeting_point(statement: Json) -> Values | None:
    """A point that satisfies the hypotheses and at which both sides have a value, so that equality says something."""
    difference = subtract(statement["left"], statement["right"])
    return next((point for point in points(statement) if has_value(difference, point)), None)


def no_point(statement: Json) -> str:
    """The reason why nothing was tried; hypotheses that contradict each other are refused."""
    if contradictory(statement):
        assumptions = [
            f"{name} is {' and '.join(words)}" for name, words in sorted(statement["symbols"].items()) if words
        ]
        hypotheses = "; ".join([*map(plain, statement["assuming"]), *assumptions])
        raise Contradictory(
            f"the hypotheses {hypotheses} have no common point: give hypotheses that some point satisfies"
        )
    found = "no exact point was found that satisfies the hypotheses, so the statement might be about nothing"
    named = next((name for r in statement["assuming"] if (name := _defined_by(r))), "")
    return f"{found}: put the value of {named} in its place, rather than suppose it" if named else found


def _defined_by(relation: Term) -> str:
    """The symbol of which a hypothesis says what it is, if it stands alone on one side."""
    order, *sides = relation
    for one, other in (sides, sides[::-1]):
        if order == "=" and one[0] == "s" and one[1] not in symbols_in(other):
            return str(one[1])
    return ""


def proof(statement: Json, domain: Iterable[Term] | None = None, alive: Iterable[Term] = ()) -> Json | None:
    """The payload of a proof by normal form, or None when the difference does not reduce to zero.

    It holds wherever the formulas of `domain` have values (the sides, unless others are given), and where those of
    `alive` do not vanish.
    """
    left, right = prepared(statement["left"]), prepared(statement["right"])
    givens = givens_of(statement)
    supposed = [side for r in givens[: len(statement["assuming"])] for side in r[1:]]
    givens += [("!=", prepared(each), rational(0)) for each in alive]
    sides = [left, right] if domain is None else [*map(prepared, domain)]
    field = Field.of([left, right, *supposed, *(side for r in givens for side in r[1:]), *sides], statement["symbols"])
    numerator = difference(field, left, right)[0]
    allowed = _nonzero(field, givens)
    relations = [field.relation(g) for g in field.generators if g[0] == "root"]
    relations += [difference(field, *r[1:])[0] for r in givens if r[0] == "="]
    reduction = Reduction(field, numerator)
    reduction.run([i for i, g in enumerate(field.generators) if g[0] == "root"], relations, allowed)
    if reduction.remainder != 0:
        return None
    steps = Steps(field, givens, [*sides, *supposed])
    spoken = [left, right, *(() if domain is None else sorted(steps.spoken, key=repr))]
    return steps.conclusion(spoken, reduction) if steps.complete else None


def _nonzero(field: Field, givens: list[Term]) -> list[Poly]:
    """Polynomials that do not vanish where both sides are defined and the hypotheses hold."""
    allowed = list(field.denominators.values())
    allowed += [difference(field, *r[1:])[0] for r in givens if r[0] in (">", "!=")]
    allowed += [field.gen(generator) for generator in field.generators if generator[0] == "exp"]
    return [a for a in allowed if not a.is_constant()]


def refutation(statement: Json) -> Certificate | None:
    """An exact point at which balls around the two sides do not meet."""
    difference = subtract(statement["left"], statement["right"])
    places = (point for point in points(statement) if has_value(difference, point))
    for tried, point in enumerate(islice(places, TRIES)):
        bits = _apart(difference, point, PRECISIONS if tried < CLOSELY else PRECISIONS[:1])
        if bits:
            return at_point(statement, point, bits)
    return None


def separated(difference: Term, point: Values) -> int:
    """The precision at which a ball around the difference excludes zero, or 0."""
    return _apart(difference, point, PRECISIONS) if has_value(difference, point) else 0


def _apart(difference: Term, point: Values, precisions: tuple[int, ...]) -> int:
    number = exact(difference, point)
    if number is not None:
        return PRECISIONS[0] if number else 0
    for bits in precisions:
        enclosure = value(difference, point, bits)
        if enclosure is None or enclosure != 0:
            return 0 if enclosure is None else bits
    return 0


def at_point(statement: Json, point: Values, bits: int) -> Certificate:
    """The refutation by an exact point, with the values of both sides there."""
    witness = {
        "point": written(point),
        "left": shown(statement["left"], point, bits),
        "right": shown(statement["right"], point, bits),
        "bits": bits,
    }
    return Certificate(statement, Verdict.REFUTED, "exact point", {"witness": witness})


def shown(term: Term, point: Values, bits: int) -> str:
    """A value for people: exact when it is rational, else thirty digits."""
    number: Fraction | None = exact(term, point)
    if number is not None:
        return str(number)
    for finer in (bits, *(p for p in PRECISIONS if p > bits)):
        with precision(finer):
            enclosure = evaluate(term, point)
            if enclosure.rel_accuracy_bits() >= DIGITS_IN_BITS:
                break
    return "0" if enclosure.contains(0) else str(enclosure.str(30, radius=False))
