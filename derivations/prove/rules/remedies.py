"""Remedies: hypotheses, drawn from a statement itself, under which it is decided.

Signs of its symbols, the order of two of them, denominators that do not vanish, and arguments of roots and logarithms
that are positive: the weakest come first. A hypothesis that leaves a known counterexample in is not tried, so that few
remain. What is found is told to the reader and is no part of any certificate's evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from itertools import chain, combinations, islice

from derivations.language.normal import Undefined
from derivations.language.points import Values, holds, points
from derivations.language.show import plain
from derivations.language.terms import ONE, ZERO, NotExact, Term, fraction_of, rational, symbols_in
from derivations.prove.certificate import Certificate, Json, Verdict
from derivations.prove.equality import Unsatisfiable
from derivations.prove.equality.step import subterms
from derivations.prove.rules import effort
from derivations.text.work import SECOND, within

KINDS = ("identity", "sign", "limit")
DECIDED = (Verdict.PROVED, Verdict.CERTIFIED)
SECONDS, EACH = 2.0, 0.25  # for all hypotheses, and for one
SHARE = 6  # of a statement's time goes to what would help, where it stays open
MOST_SYMBOLS, SAMPLED = 4, 40
SIGNS = {">": "positive", ">=": "nonnegative", "!=": "nonzero"}
OTHER_SIGNS = {">": "negative", ">=": "nonpositive"}
Hypotheses = tuple[Term, ...]
Decide = Callable[[Json], Certificate]


HELPED = "; decided with "  # what stands in the reason of an open statement before the hypothesis that decides it
WAYS = {
    "sign": "on a box, prove.enclosed(left - right, {x: (low, high)}, 0, above)",
    "limit": "another variable for the gap, or the limit of the logarithm of both sides",
    "average": "the average as an integral over the bell, by prove.identity",
    "identity": "fewer symbols, or both sides multiplied by the denominators",
}  # of stating something else that may be decided


def what_to_try(certificate: Certificate, asked: str) -> str:
    """For an open statement, in one line, what would help: nothing is decided for it again. asked: a claim's id.

    >>> import sympy as sp
    >>> from derivations import prove
    >>> x = sp.Symbol("x", real=True)
    >>> what_to_try(prove.inequality(sp.sin(x) + sp.sin(sp.pi * x) < 2), "mine:claim").partition(";")[0]
    'more time, derivations verify mine:claim --effort 30'
    """
    if certificate.verdict is not Verdict.OPEN:
        return ""
    _, helped, found = certificate.reason.rpartition(HELPED)
    if helped:
        return f"with the hypothesis {found} it is decided: given=[{found.replace(' and ', ', ')}]"
    if certificate.statement["kind"] == "average":  # by derivation: more time finds no more
        return certificate.reason if "definite=" in certificate.reason else WAYS["average"]
    longer, way = f"more time, derivations verify {asked} --effort 30", WAYS.get(certificate.statement["kind"])
    return f"{longer}; or {way}" if way else longer


def told(certificate: Certificate, decide: Decide) -> Certificate:
    """Return the same certificate; where it is open, the reason says with which hypothesis it would be decided."""
    if certificate.verdict is not Verdict.OPEN or effort.depth():
        return certificate
    found = hypotheses_that_help(certificate, decide, effort.allowed() / SECOND / SHARE)
    return replace(certificate, reason=f"{certificate.reason}{HELPED}{in_words(found)}") if found else certificate


def hypotheses_that_help(
    certificate: Certificate, decide: Decide, seconds: float = SECONDS, each: float = EACH
) -> Hypotheses:
    """The weakest hypotheses tried under which an open or refuted statement is proved; none if none was found in time.

    >>> import sympy as sp
    >>> from derivations import prove
    >>> x = sp.Symbol("x", real=True)
    >>> in_words(hypotheses_that_help(prove.identity(sp.sqrt(x**2), x), prove.decide))
    'x >= 0'
    """
    broken = _broken(certificate)
    if broken is None or len(broken.statement["symbols"]) > MOST_SYMBOLS:
        return ()
    statement = broken.statement
    excluded = [_point(broken)] if broken.witness and "point" in broken.witness else []
    with within(seconds * SECOND):
        for tried in _natural(statement):
            if any(all(holds(relation, point) for relation in tried) for point in excluded):
                continue
            found = _decided(_under(statement, tried), decide, each)
            if found is not None and found.verdict in DECIDED:
                return tried
            if found is not None and found.verdict is Verdict.REFUTED and found.witness and "point" in found.witness:
                excluded.append(_point(found))
    return ()


def in_words(found: Hypotheses) -> str:
    """Hypotheses as people write them.

    >>> in_words(((">", ("s", "x"), ("q", "0")), (">=", ("q", "1"), ("s", "x"))))
    'x > 0 and x <= 1'
    """
    return " and ".join(f"{plain(left)} {order} {plain(right)}" for order, left, right in map(_with_name_first, found))


def _with_name_first(relation: Term) -> Term:
    order, left, right = relation
    return (order.replace(">", "<"), right, left) if left[0] == "q" and right[0] == "s" else relation


def _under(statement: Json, tried: Hypotheses) -> Json:
    """The statement under further hypotheses; the sign of a symbol is told where provers look for it."""
    symbols, assuming = {name: [*words] for name, words in statement["symbols"].items()}, [*statement["assuming"]]
    for order, left, right in tried:
        if right == ZERO and left[0] == "s" and not symbols[left[1]]:
            symbols[left[1]] = [SIGNS[order]]
        elif left == ZERO and right[0] == "s" and not symbols[right[1]]:
            symbols[right[1]] = [OTHER_SIGNS[order]]
        else:
            assuming.append((order, left, right))
    return {**statement, "symbols": symbols, "assuming": assuming}


def _broken(certificate: Certificate) -> Certificate | None:
    """The part that is not proved, where it is of a kind that a hypothesis about numbers can help."""
    if certificate.verdict not in (Verdict.OPEN, Verdict.REFUTED):
        return None
    if certificate.statement["kind"] == "all":
        parts = certificate.payload.get("parts", [])
        wrong = [p for p in parts if p["verdict"] == certificate.verdict.value]
        found = [Certificate(p["statement"], Verdict(p["verdict"]), p["method"], p["payload"]) for p in wrong]
        return _broken(found[0]) if len(found) == 1 else None
    return certificate if certificate.statement["kind"] in KINDS else None


def _point(refuted: Certificate) -> Values:
    witness = refuted.witness or {}
    return {name: Fraction(value) for name, value in witness["point"].items()}


def _decided(statement: Json, decide: Decide, seconds: float) -> Certificate | None:
    """Return what is made of a statement with little work; None where it speaks of nothing or has no exact meaning."""
    with within(seconds * SECOND), suppress(NotExact, Unsatisfiable, Undefined):
        return decide(statement)
    return None


# --- natural hypotheses -----------------------------------------------------------------------------------------------


def _natural(statement: Json) -> Iterator[Hypotheses]:
    """Hypotheses that some points of the statement satisfy and others do not, the weakest first."""
    inside = list(islice(points(statement), SAMPLED))
    moving = {*statement.get("variables", ())}
    free, placed = sorted(_free(statement) - moving), set(inside[0]) if inside else set()
    for tried in chain(*zip(*(_of_one(name) for name in free), strict=True), _of_terms(statement), _of_all(free)):
        named = {name for _, *sides in tried for side in sides for name in symbols_in(side)}
        if named & moving or not named <= placed:
            continue  # what moves is where it goes to, and what is averaged over has no value of its own
        held = [all(holds(relation, point) for relation in tried) for point in inside]
        if any(held) and not all(held):
            yield tried


def _of_one(name: str) -> list[Hypotheses]:
    """Return what may be said of one symbol."""
    x: Term = ("s", name)
    minus: Term = rational(Fraction(-1))
    return [
        (("!=", x, ZERO),),
        ((">=", x, ZERO),),
        ((">=", ZERO, x),),
        ((">", x, ZERO),),
        ((">", ZERO, x),),
        ((">=", ONE, x),),
        ((">=", x, ONE),),
        ((">", ONE, x),),
        ((">", x, ONE),),
        ((">", x, minus),),
        ((">", x, minus), (">", ONE, x)),
        ((">=", x, ZERO), (">=", ONE, x)),
        ((">", x, ZERO), (">", ONE, x)),
    ]


def _of_all(free: list[str]) -> Iterator[Hypotheses]:
    """The order of two symbols, and one sign for all of them."""
    for a, b in combinations(free, 2):
        for order in ("!=", ">=", ">"):
            yield ((order, ("s", a), ("s", b)),)
            if order != "!=":
                yield ((order, ("s", b), ("s", a)),)
    for order in (">=", ">"):
        if len(free) > 1:
            yield tuple((order, ("s", name), ZERO) for name in free)


def _of_terms(statement: Json) -> Iterator[Hypotheses]:
    """Denominators that do not vanish, and positive arguments of logarithms and roots."""
    for part in dict.fromkeys(p for side in _sides(statement) for p in subterms(side)):
        match part:
            case ("log", inner) if inner[0] != "s":
                yield ((">", inner, ZERO),)
            case ("^", inner, ("q", _)) if inner[0] not in ("s", "q", "pi"):
                exponent = fraction_of(part[2])
                if exponent.denominator % 2 == 0:
                    yield ((">", inner, ZERO),)
                elif exponent < 0:
                    yield (("!=", inner, ZERO),)


def _sides(statement: Json) -> list[Term]:
    return [statement[side] for side in ("left", "right", "expression", "value") if side in statement]


def _free(statement: Json) -> set[str]:
    return set().union(*(symbols_in(side) for side in _sides(statement)))
