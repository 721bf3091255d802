"""The obligations about numbers that a derivation leaves: that its value is the right side, or at which point it is
not.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain, combinations, islice

from derivations.language.evaluate import has_value
from derivations.language.points import Values, points, satisfies, written
from derivations.language.terms import ONE, ZERO, Term, subtract, symbols_in
from derivations.prove import equality
from derivations.prove.averages.derivation import NotDerived, derivation_of
from derivations.prove.certificate import Certificate, Json, Verdict, undecided
from derivations.recheck.core.errors import Rejected
from derivations.recheck.core.load import normal
from derivations.recheck.core.table.averages import Average

POINTS, TRIES = 12, 400
SHARES = tuple(map(Fraction, ("1", "1/2", "-1/2", "1/3", "-1/3", "2/3", "3/2", "-1", "2")))
SMALL = tuple(map(Fraction, ("0", "1/2", "-1/2", "1/3", "-1/3", "1/4", "-1/5", "2/5")))


def certified(statement: Json, average: Average, derivation: list[Json]) -> Certificate:
    """The certificate that the derived value is the right side; REFUTED at an exact covariance where it is not."""
    head = {key: statement[key] for key in ("symbols", "assuming")}
    stated = {"kind": "identity", **head, "left": average.value(normal(derivation)), "right": statement["right"]}
    payload: Json = {"derivation": derivation}
    gap = subtract(stated["left"], stated["right"])
    admitted = list(islice((at for at in admissible(statement, average) if has_value(gap, at)), POINTS))
    if not admitted:
        raise equality.Unsatisfiable(
            "the right side has no value at any covariance that was tried: state it where it has one"
        )
    proof = equality.proof(stated)
    if proof is not None:
        proof["inhabited"] = written(admitted[0])
        shown = Certificate(stated, Verdict.PROVED, "normal form", proof).as_json()
        return Certificate(statement, Verdict.PROVED, "rules of averages", payload | {"equality": shown})
    fixed = _names_that_cancel(average, gap, admitted[0])
    for at, names in chain.from_iterable(_with_names(statement, average, at, fixed) for at in admitted):
        put = tuple((name, ZERO if name in fixed else names[name].statement["right"]) for name in sorted(names))
        sides = {side: ("at", stated[side], put) if put else stated[side] for side in ("left", "right")}
        if bits := equality.separated(subtract(sides["left"], sides["right"]), at):
            found = equality.at_point(stated | sides, at, bits)
            payload |= {"names": {name: names[name].as_json() for name in names}} if names else {}
            payload |= {"equality": found.as_json(), "witness": found.witness}
            return Certificate(statement, Verdict.REFUTED, "exact point", payload)
    reason = "the equality of the derived value and the right side was not proved"
    return undecided(statement, reason)


def _names_that_cancel(average: Average, gap: Term, at: Values) -> dict[str, Certificate]:
    """Proofs that the difference of the sides does not depend on averages that have names."""
    proofs = {}
    for name in average.given:
        stated = average.without(name, gap)
        proof = equality.proof(stated)
        if proof is not None:
            proof["inhabited"] = written(at)
            proofs[name] = Certificate(stated, Verdict.PROVED, "normal form", proof)
    return proofs


def _with_names(
    statement: Json, average: Average, at: Values, fixed: dict[str, Certificate]
) -> Iterator[tuple[Values, dict[str, Certificate]]]:
    """A point with what names stand for there: one where fields are independent, unless all names cancel."""
    if len(fixed) == len(average.given):
        yield at, fixed
        return
    for point in _simpler(statement, at):
        try:
            rows = average.admissible(written(point))
            told = {name: _in_numbers(average.in_numbers(name, rows)) for name in average.given if name not in fixed}
        except (NotDerived, Rejected):
            continue
        yield point, fixed | told


def _in_numbers(statement: Json) -> Certificate:
    average = Average(statement | {"right": ONE})
    derivation = derivation_of(average)
    certificate = certified(statement | {"right": average.value(normal(derivation))}, average, derivation)
    if certificate.verdict is not Verdict.PROVED:
        raise NotDerived(certificate.reason)
    return certificate


def _simpler(statement: Json, at: Values) -> Iterator[Values]:
    """The point with one or two fields independent of the others: many averages are elementary there."""
    rows = statement["covariance"]
    places = range(len(rows))
    plain = {name: value for name, value in at.items() if name not in statement["given"]}
    for apart in (*combinations(places, 1), *combinations(places, 2)):
        entries = [rows[i][j] for i in apart for j in places if j not in apart]
        yield {**plain, **{entry[1]: Fraction(0) for entry in entries if entry[0] == "s"}}


def admissible(statement: Json, average: Average) -> Iterator[Values]:
    """Exact points at which the covariance is admissible, the same in every run."""
    rng = random.Random(0)
    drawn = (_moved(statement, put) for put in (_products(statement, rng), _near_independence(statement, rng)))
    return (at for at in chain(*drawn, points(statement)) if _is_admissible(average, at))


def _is_admissible(average: Average, at: Values) -> bool:
    try:
        average.admissible(written(at))
    except (Rejected, ArithmeticError):
        return False
    return True


def _moved(statement: Json, put: Callable[[], Values]) -> Iterator[Values]:
    """Points of a statement with other values for symbols in its covariance."""
    for at in points({"symbols": statement["symbols"], "assuming": []}, TRIES):
        moved = {**at, **put()}
        if satisfies(moved, statement["symbols"], statement["assuming"]):
            yield moved


def _products(statement: Json, rng: random.Random) -> Callable[[], Values]:
    """Covariances L L' put into the symbols that are entries."""
    rows = statement["covariance"]
    size = range(len(rows))

    def put() -> Values:
        lower = [[rng.choice(SHARES) if j <= i else Fraction(0) for j in size] for i in size]
        entries = ((i, j) for i in size for j in size if rows[i][j][0] == "s")
        return {
            rows[i][j][1]: sum((a * b for a, b in zip(lower[i], lower[j], strict=True)), Fraction(0))
            for i, j in entries
        }

    return put


def _near_independence(statement: Json, rng: random.Random) -> Callable[[], Values]:
    """Small numbers put into the symbols that stand in covariances of different fields."""
    apart = [entry for i, row in enumerate(statement["covariance"]) for j, entry in enumerate(row) if i != j]
    moving = sorted(name for name in set().union(*map(symbols_in, apart)) if not statement["symbols"][name])
    return lambda: {name: rng.choice(SMALL) for name in moving}
